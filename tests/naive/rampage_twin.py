"""The naive twin of the Castle Rampage engine: slow, obvious, plain objects, written only from RULES.md and PROTOCOL.md.

The whole game is one generator. It yields (stage, player, legal action codes) whenever somebody has to decide and is sent the chosen
code. Section numbers (4.3, 7.7 ...) and open points (A7 ...) are those of RULES.md; "P 2" is section 2 of PROTOCOL.md.
A card is the number of its kind; a zone is a plain list of such numbers, a stack with its top first.
"""

from __future__ import annotations

import hashlib
from collections.abc import Generator
from itertools import combinations
from typing import Any

from tests.naive.luck import Luck

# ---------------------------------------------------------------- actions, stages, ends (P 1, P 2)

ARGUMENTS, BOOST, IN_FRONT = 1024, 64, 512
END, GATE, CASTLE, PLAY, PAY, TARGET, LOSE, RAZE, NAME, TAKE, ATTACK, EFFECT, UNDER, DROP = range(1, 15)
(
    S_OVER,
    S_SETUP_GATE,
    S_SETUP_CASTLE,
    S_MAIN,
    S_PAY,
    S_ORDER,
    S_TARGET,
    S_LOSE,
    S_RAZE,
    S_NAME,
    S_TAKE,
    S_OPTIONAL,
    S_UNDER,
    S_DROP,
) = range(14)
THE_GATE, THE_CASTLE = 0, 1
SEATS = (0, 1)
NOBODY = -1
NO_SCORE = 255  # of a draw

CASTLE_FELL, OWN_TURN, TURN_LIMIT, PLAY_LIMIT, PILE_EMPTY = range(3, 8)
STANDS, DESTROYED, RETURNED = "stands", "destroyed", "returned"  # what an attack did to the attacking card

L_DECK, L_DISCARD = 0, 1  # P 4

TALLIES = (
    "plays", "attacks", "repelled", "traded", "felled", "to_castle", "boosts", "strengthened", "paid", "lost_cards", "texts", "raised", "razed",
    "drawn", "reshuffles", "stuck",
)  # fmt: skip

Decision = Generator[tuple[int, int, list[int]], int, Any]


def code(act: int, argument: int = 0) -> int:
    return act * ARGUMENTS + argument


def codes(act: int, arguments) -> list[int]:
    return [code(act, argument) for argument in arguments]


class _GameEnds(Exception):
    """Raised inside the generator when the game ends: why, and who lost."""

    def __init__(self, reason: int, loser: int) -> None:
        super().__init__(reason, loser)
        self.reason, self.loser = reason, loser


class RampageTwin:
    """One game. `legal_actions` and `apply` until `over`; then `record`."""

    def __init__(self, model, seed: int, game: int) -> None:
        self.model = model
        self.rulings = model.rulings
        self.cards = list(model.card.values())
        self.kinds = range(len(self.cards))
        self.units = model.units.types
        self.tags = [int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big") for key in model.card]
        self.luck = Luck(seed, game)

        self.pile: list[int] = []  # next first
        self.shuffles = 0
        self.hand: list[list[int]] = [[], []]
        self.dealt: list[list[int]] = [[], []]
        self.aside: list[int] = []
        self.stacks: list[list[list[int]]] = [[[], []], [[], []]]  # seat, structure: top first
        self.known = [[False, False], [False, False]]
        self.laid: list[list[int]] = [[], []]  # permanents
        self.front: list[list[int]] = [[], []]  # A16 in_front
        self.discards: list[int] = []
        self.resting: list[int] = []  # A24 left_out: discarded this turn
        self.tired: list[int] = []  # A16b
        self.table: list[int] = []  # the card being played or placed: in no zone
        self.need = [0] * (len(self.units) + 1)  # still to be paid: by unit; last: any card

        self.turn = 0
        self.turn_of = NOBODY
        self.plays = self.strengthened = 0  # this turn
        self.tally = dict.fromkeys(TALLIES, 0)
        self.end_reason = 0
        self.loser = NOBODY
        self.seen: set[str] = set()  # ops that did something, for the test's coverage

        self.over = False
        self.stage, self.to_move = S_OVER, NOBODY
        self._legal: list[int] = []
        self._moves = self._game()
        self._run(None)

    # ------------------------------------------------------------ for those who play it

    def legal_actions(self) -> list[int]:
        return list(self._legal)

    def apply(self, action: int) -> None:
        if action not in self._legal:
            raise ValueError(
                f"action {action} (act {action // ARGUMENTS}, argument {action % ARGUMENTS}) is not legal at stage {self.stage}"
            )
        self._run(action)

    def _run(self, action: int | None) -> None:
        try:
            self.stage, self.to_move, self._legal = self._moves.send(action)  # type: ignore[arg-type]
        except StopIteration:
            self.stage, self.to_move, self._legal, self.over = S_OVER, NOBODY, [], True

    def _ask(self, player: int, stage: int, legal: list[int]) -> Decision:
        """One decision; returns (act, argument)."""
        if not legal:
            raise AssertionError(f"stage {stage} asked without a legal action")
        action = yield stage, player, legal
        return divmod(action, ARGUMENTS)

    def all_cards(self) -> list[int]:
        """Every card, wherever it is: for R19."""
        zones = [self.pile, self.aside, self.discards, self.resting, self.table]
        for p in SEATS:
            zones += [self.hand[p], self.dealt[p], *self.stacks[p], self.laid[p], self.front[p]]
        return [card for zone in zones for card in zone]

    def record(self) -> dict[str, int]:
        """P 3"""
        winner = NOBODY if self.loser == NOBODY else 1 - self.loser
        record = {
            "winner": winner,
            "turn": self.turn,
            "turns": self.turn,
            "score": len(self.stacks[winner][THE_CASTLE]) if winner != NOBODY else NO_SCORE,
            "own_turn": int(self.end_reason == OWN_TURN),
        }
        for p in SEATS:
            record[f"seat{p}_wins"] = int(p == winner)
            record[f"castle_{p}"] = len(self.stacks[p][THE_CASTLE])
            record[f"gate_{p}"] = len(self.stacks[p][THE_GATE])
        return record | self.tally

    # ------------------------------------------------------------ words

    def reading(self, key: str, reading: str) -> bool:
        return self.rulings[key] == reading

    def shows(self, k: int, unit: str) -> bool:
        """1.5"""
        return unit in self.cards[k].units

    def in_turn(self, p: int) -> bool:
        return p == self.turn_of

    def sum_of(self, p: int, op: str) -> int:
        """7.9: what the permanents of p add up to, as they lie there now."""
        return sum(entry.n for k in self.laid[p] for entry in self.cards[k].on_play if entry.op == op)

    def to_do(self, k: int) -> list:
        """What of `on_play` is done when the card is played: the `perm_` entries do nothing then."""
        return [entry for entry in self.cards[k].on_play if not entry.op.startswith("perm_")]

    def _discard(self, k: int) -> None:
        (self.resting if self.reading("midturn_reshuffle", "left_out") else self.discards).append(k)

    def _leave_hand(self, p: int, k: int) -> None:
        """P 2, "tired": the tired ones go first. (In front of the owner they cannot leave but by being played.)"""
        self.hand[p].remove(k)
        if self.in_turn(p) and self.reading("repelled_veteran", "to_hand") and k in self.tired:
            self.tired.remove(k)

    def _random_card(self, p: int) -> int:
        """P 2, "random cards of a hand": which one it is; it has not left yet."""
        return sorted(self.hand[p])[self.luck.below(L_DISCARD, len(self.hand[p]))]

    # ------------------------------------------------------------ the end (6)

    def _loses(self, p: int) -> None:
        raise _GameEnds(OWN_TURN if self.in_turn(p) else CASTLE_FELL, p)

    def _check_castle(self, p: int) -> None:
        """6.1"""
        if not self.stacks[p][THE_CASTLE]:
            self._loses(p)

    def _nobody_can_win(self, reason: int) -> None:
        """A18"""
        loser = NOBODY
        if self.reading("stalemate", "count_cards"):
            left = [(len(self.stacks[p][THE_CASTLE]), len(self.stacks[p][THE_GATE])) for p in SEATS]
            if left[0] != left[1]:
                loser = left.index(min(left))
        raise _GameEnds(reason, loser)

    # ------------------------------------------------------------ the game as a whole

    def _game(self) -> Decision:
        try:
            yield from self._set_up()
            while True:
                yield from self._turn(self.turn % 2)
        except _GameEnds as end:
            self.end_reason, self.loser = end.reason, end.loser

    # ------------------------------------------------------------ the pile

    def _shuffle(self) -> None:
        """P 4"""
        self.luck.keyed_shuffle(L_DECK, self.shuffles, self.pile, self.tags)
        self.shuffles += 1

    def _draw(self, p: int, n: int) -> None:
        for _ in range(n):
            if not self.pile:
                self._pile_is_empty()
            if self.pile:
                self.hand[p].append(self.pile.pop(0))
                self.tally["drawn"] += 1

    def _pile_is_empty(self) -> None:
        """A1"""
        if self.reading("empty_pile", "game_ends"):
            self._nobody_can_win(PILE_EMPTY)
        if self.reading("empty_pile", "reshuffle") and self.discards:
            self.pile, self.discards = self.discards, []
            self._shuffle()
            self.tally["reshuffles"] += 1

    # ------------------------------------------------------------ set-up (2)

    def _set_up(self) -> Decision:
        self.pile = [k for k in self.kinds for _ in range(self.cards[k].count)]
        self._shuffle()
        batches = self.model.setup.batches
        for batch in range(batches):
            for p in SEATS:
                self._deal(p, purple_counts=batch > 0 and self.reading("second_deal", "kept"))
            if self.aside and (self.reading("set_aside", "each_batch") or batch == batches - 1):
                self.pile, self.aside = self.pile + self.aside, []
                self._shuffle()
            for p in SEATS:
                yield from self._arrange(p)

    def _deal(self, p: int, purple_counts: bool) -> None:
        """2.2, A3"""
        while self.pile and len(self.dealt[p]) < self.model.setup.batch_size:
            k = self.pile.pop(0)
            set_aside = self.cards[k].purple and not purple_counts
            (self.aside if set_aside else self.dealt[p]).append(k)

    def _arrange(self, p: int) -> Decision:
        """2.3"""
        setup = self.model.setup
        for stage, act, structure, times in (
            (S_SETUP_GATE, GATE, THE_GATE, setup.gate_per_batch),
            (S_SETUP_CASTLE, CASTLE, THE_CASTLE, setup.castle_per_batch),
        ):
            for _ in range(times):
                _, k = yield from self._ask(p, stage, codes(act, sorted(set(self.dealt[p]))))
                self.dealt[p].remove(k)
                self.stacks[p][structure].append(k)
        self.hand[p] += self.dealt[p]
        self.dealt[p] = []

    # ------------------------------------------------------------ a turn (3)

    def _turn(self, p: int) -> Decision:
        self._begin_turn(p)
        while True:
            act, argument = yield from self._ask(p, S_MAIN, self._main_actions(p))
            if act == END:
                break
            elif act == PLAY:
                boosts, k = divmod(argument % IN_FRONT, BOOST)
                yield from self._play(p, k, boosts, from_front=argument >= IN_FRONT)
            else:
                yield from self._strengthen(p, argument, THE_GATE if act == GATE else THE_CASTLE)
        yield from self._end_turn(p)

    def _begin_turn(self, p: int) -> None:
        """3.1"""
        self.turn += 1
        self.turn_of = p
        self.plays = self.strengthened = 0
        self.luck.rekey(L_DISCARD, self.turn)
        numbers = self.model.turn
        self._draw(p, (numbers.first_draw if self.turn == 1 else numbers.draw) + self.sum_of(p, "perm_draw"))

    def _end_turn(self, p: int) -> Decision:
        if self.plays == 0 and self.strengthened == 0:
            self.tally["stuck"] += 1
        while self.reading("hand_limit", "limited") and len(self.hand[p]) > self.model.turn.hand_limit:
            _, k = yield from self._ask(p, S_DROP, codes(DROP, sorted(set(self.hand[p]))))
            self._leave_hand(p, k)
            self._discard(k)
        self.discards, self.resting = self.discards + self.resting, []
        self.tired = []
        if self.turn == self.model.limit.turns:
            self._nobody_can_win(TURN_LIMIT)

    def _main_actions(self, p: int) -> list[int]:
        """P 2, stage MAIN"""
        placeable = [k for k in sorted(set(self.hand[p])) if self._is_placeable(p, k)]
        legal = [code(END), *codes(GATE, placeable), *codes(CASTLE, placeable)]
        for k in sorted(set(self.hand[p])):
            tired = self.tired.count(k) if self.reading("repelled_veteran", "to_hand") else 0
            if self.hand[p].count(k) > tired:
                rest = self._without(self.hand[p], k)
                legal += codes(PLAY, [b * BOOST + k for b in self._boosts_to_pay(k, rest)])
        for k in sorted(set(self.front[p])):
            if self.front[p].count(k) > self.tired.count(k):
                legal += codes(PLAY, [IN_FRONT + b * BOOST + k for b in self._boosts_to_pay(k, self.hand[p])])
        return legal

    def _is_placeable(self, p: int, k: int) -> bool:
        """3.2, 3.3, A2, A25"""
        card = self.cards[k]
        times = self.model.turn.strengthen + self.sum_of(p, "perm_extra_strengthen")
        is_scheme = any(entry.op == "discard_unit" for entry in card.cost)
        if self.strengthened >= times:
            return False
        if self.reading("strengthen_timing", "before_plays") and self.plays > 0:
            return False
        if self.reading("strengthen_with", "not_allowed") and (card.permanent or is_scheme):
            return False
        return self._can_pay(self._without(self.hand[p], k), self._placing_need(k))

    def _boosts_to_pay(self, k: int, rest: list[int]) -> list[int]:
        """4.1, 4.4, 4.7: with how many boosts the card can be played, the rest of the hand being `rest`."""
        card = self.cards[k]
        if not (card.attack > 0 or card.on_play or self.reading("idle_card", "playable")):
            return []
        most = 0 if card.boost is None else 7 if self.reading("boost_times", "any_number") else 1
        return [b for b in range(most + 1) if self._can_pay(rest, self._playing_need(k, b))]

    def _strengthen(self, p: int, k: int, structure: int) -> Decision:
        """3.2, 3.3"""
        self._leave_hand(p, k)
        self.table = [k]
        yield from self._pay(p, self._placing_need(k))
        self.table = []
        self.stacks[p][structure].append(k)
        self.strengthened += 1
        self.tally["strengthened"] += 1

    # ------------------------------------------------------------ costs (4.2 - 4.4, P 2)

    def _without(self, cards: list[int], k: int) -> list[int]:
        rest = list(cards)
        rest.remove(k)
        return rest

    def _needed(self, cost: list) -> list[int]:
        """Cards by unit; last: any card."""
        need = [0] * (len(self.units) + 1)
        for entry in cost:
            need[-1 if entry.op == "discard" else self.units.index(entry.unit)] += entry.n
        return need

    def _placing_need(self, k: int) -> list[int]:
        need = self._needed(self.cards[k].place_cost)
        if self.reading("placing_itself", "yes") and need[-1] > 0:
            need[-1] -= 1
        return need

    def _playing_need(self, k: int, boosts: int) -> list[int]:
        need = self._needed(self.cards[k].cost)
        if boosts:
            boost = self.cards[k].boost
            need[self.units.index(boost.unit)] += boosts * boost.n
        return need

    def _can_pay(self, hand: list[int], need: list[int]) -> bool:
        demanded = [i for i in range(len(self.units)) if need[i] > 0]
        if self.reading("several_symbols", "yes"):
            return len(hand) >= need[-1] and all(self._showing(hand, [i]) >= need[i] for i in demanded)
        if len(hand) < sum(need):
            return False
        sets = [chosen for size in range(1, len(demanded) + 1) for chosen in combinations(demanded, size)]
        return all(self._showing(hand, chosen) >= sum(need[i] for i in chosen) for chosen in sets)

    def _showing(self, hand: list[int], units) -> int:
        """How many of the cards show one of these units; a card counts once."""
        asked = {self.units[i] for i in units}
        return sum(not asked.isdisjoint(self.cards[k].units) for k in hand)

    def _pay(self, p: int, need: list[int]) -> Decision:
        """In the order of the units, the plain discards last; each paid card is discarded at once."""
        while any(need):
            self.need = need
            which = next(i for i, n in enumerate(need) if n > 0)
            legal = [k for k in sorted(set(self.hand[p])) if self._pays(p, k, need, which)]
            _, k = yield from self._ask(p, S_PAY, codes(PAY, legal))
            self._leave_hand(p, k)
            self._discard(k)
            self.tally["paid"] += 1
            need = self._need_after(k, need, which)

    def _pays(self, p: int, k: int, need: list[int], which: int) -> bool:
        plain = which == len(self.units)
        if not plain and not self.shows(k, self.units[which]):
            return False
        return self._can_pay(self._without(self.hand[p], k), self._need_after(k, need, which))

    def _need_after(self, k: int, need: list[int], which: int) -> list[int]:
        need = list(need)
        paid = [which]
        if which < len(self.units) and self.reading("several_symbols", "yes"):
            paid = [i for i, unit in enumerate(self.units) if need[i] > 0 and self.shows(k, unit)]
        for i in paid:
            need[i] -= 1
        return need

    # ------------------------------------------------------------ playing a card (4)

    def _play(self, p: int, k: int, boosts: int, from_front: bool) -> Decision:
        self.plays += 1
        self.tally["plays"] += 1
        self.tally["boosts"] += boosts
        (self.front if from_front else self.hand)[p].remove(k)  # one that is not tired
        self.table = [k]
        yield from self._pay(p, self._playing_need(k, boosts))
        outcome = yield from self._carry_out(p, k, boosts)
        yield from self._put_away(p, k, outcome)
        if self.plays == self.model.limit.plays:
            raise _GameEnds(PLAY_LIMIT, NOBODY)

    def _carry_out(self, p: int, k: int, boosts: int) -> Decision:
        """A6: effect and attack; returns what became of the card in the attack."""
        attacks, has_effect = self.cards[k].attack > 0, bool(self.to_do(k))
        attack_first = self.reading("effect_or_attack", "attack_first")
        if self.reading("effect_or_attack", "choice") and attacks and has_effect:
            act, _ = yield from self._ask(p, S_ORDER, [code(EFFECT), code(ATTACK)])
            attack_first = act == ATTACK
        outcome = STANDS
        if attacks and attack_first:
            outcome = yield from self._attack(p, k, boosts)
        yield from self._effects(p, k)
        if attacks and not attack_first:
            outcome = yield from self._attack(p, k, boosts)
        return outcome

    def _put_away(self, p: int, k: int, outcome: str) -> Decision:
        """4.1, 4.5, 5.3, A16: the card goes where it goes."""
        if outcome == RETURNED:
            yield from self._return(p, k)
        elif outcome == DESTROYED or not self.cards[k].permanent:
            self._discard(k)
        else:
            self.laid[p].append(k)
            self.tally["raised"] += 1
            self.seen.update(entry.op for entry in self.cards[k].on_play if entry.op.startswith("perm_"))
        self.table = []

    def _return(self, p: int, k: int) -> Decision:
        """A16, A16b"""
        if self.reading("repelled_veteran", "under_a_stack"):
            _, structure = yield from self._ask(p, S_UNDER, codes(UNDER, SEATS))
            self.stacks[p][structure].append(k)
            return
        (self.hand if self.reading("repelled_veteran", "to_hand") else self.front)[p].append(k)
        if self.reading("veteran_again", "no"):
            self.tired.append(k)

    # ------------------------------------------------------------ effects (7.3 - 7.8)

    def _effects(self, p: int, k: int) -> Decision:
        for entry in self.to_do(k):
            self.seen.add(entry.op)
            if entry.op == "opp_discard_unit_type":
                yield from self._name_a_unit(p)
            else:
                for _ in range(entry.n):
                    yield from self._effect(p, entry.op)

    def _effect(self, p: int, op: str) -> Decision:
        """One of n times."""
        if op == "draw":
            self._draw(p, 1)
        elif op == "opp_discard_random":
            yield from self._discard_of_the_other(p)
        elif op == "destroy_opp_permanent":
            yield from self._raze(p)
        elif op == "destroy_own_top":
            yield from self._lose_own_top(p)
        elif op == "destroy_top_both_castles":
            self._destroy_both_tops(p)
        else:
            raise AssertionError(f"no effect {op}")

    def _discard_of_the_other(self, p: int) -> Decision:
        """7.4, A20"""
        q = 1 - p
        if not self.hand[q]:
            return
        if self.reading("discard_choice", "random"):
            k = self._random_card(q)
        else:
            chooser = p if self.reading("discard_choice", "look_and_choose") else q
            _, k = yield from self._ask(chooser, S_TAKE, codes(TAKE, sorted(set(self.hand[q]))))
        self._leave_hand(q, k)
        self._discard(k)
        self.tally["lost_cards"] += 1

    def _name_a_unit(self, p: int) -> Decision:
        """7.5"""
        q = 1 - p
        _, i = yield from self._ask(p, S_NAME, codes(NAME, range(len(self.units))))
        for k in [k for k in self.hand[q] if self.shows(k, self.units[i])]:
            self._leave_hand(q, k)
            self._discard(k)
            self.tally["lost_cards"] += 1

    def _raze(self, p: int) -> Decision:
        """7.6"""
        q = 1 - p
        if not self.laid[q]:
            return
        _, k = yield from self._ask(p, S_RAZE, codes(RAZE, sorted(set(self.laid[q]))))
        self.laid[q].remove(k)
        self._discard(k)
        self.tally["razed"] += 1

    def _lose_own_top(self, p: int) -> Decision:
        """7.7"""
        structures = [THE_GATE, THE_CASTLE] if self.stacks[p][THE_GATE] else [THE_CASTLE]
        _, structure = yield from self._ask(p, S_LOSE, codes(LOSE, structures))
        self._take_top(p, structure)
        self._check_castle(p)

    def _destroy_both_tops(self, p: int) -> None:
        """7.8, 6.3: with both last cards the player loses."""
        for q in SEATS:
            self._take_top(q, THE_CASTLE)
        self._check_castle(p)
        self._check_castle(1 - p)

    def _take_top(self, p: int, structure: int) -> int:
        """A top card is destroyed, in an attack or not."""
        k = self.stacks[p][structure].pop(0)
        self.known[p][structure] = False
        self._discard(k)
        return k

    # ------------------------------------------------------------ attack (5)

    def _attack(self, p: int, k: int, boosts: int) -> Decision:
        """Returns what became of the attacking card."""
        if self.reading("attack_compulsory", "optional"):
            act, _ = yield from self._ask(p, S_OPTIONAL, [code(END), code(ATTACK)])
            if act == END:
                return STANDS
        structure = yield from self._target(p, k)
        self.tally["attacks"] += 1
        waiting: list[int] = []
        outcome = self._strike(p, k, structure, self._strength(p, k, boosts), waiting)
        for fallen in waiting:  # A12 after_attack
            if self._text(p, fallen):
                outcome = DESTROYED
        self._check_castle(1 - p)
        return outcome

    def _target(self, p: int, k: int) -> Decision:
        """5.1"""
        target = self.cards[k].target
        if target == "castle" or not self.stacks[1 - p][THE_GATE]:
            return THE_CASTLE
        if target == "normal":
            return THE_GATE
        _, structure = yield from self._ask(p, S_TARGET, codes(TARGET, [THE_GATE, THE_CASTLE]))
        return structure

    def _strength(self, p: int, k: int, boosts: int) -> int:
        card = self.cards[k]
        return card.attack + (boosts * card.boost.strength if boosts else 0) + self.sum_of(p, "perm_attack")

    def _defences(self, q: int, structure: int, k: int) -> tuple[int, int]:
        """5.2: what the attack is compared with, and what the card takes from it (A23)."""
        card = self.cards[k]
        if structure == THE_CASTLE:
            return card.castle, card.castle
        d = card.gate + self.sum_of(q, "perm_gate_defence")
        return d, card.gate if self.reading("gate_bonus", "printed") else d

    def _strike(self, p: int, attacker: int, structure: int, s: int, waiting: list[int]) -> str:
        """Reveal after reveal (5.2 - 5.6). Texts of A12 `after_attack` are put into `waiting`."""
        q = 1 - p
        self.tally["to_castle"] += structure == THE_CASTLE
        while True:
            d, taken = self._defences(q, structure, self.stacks[q][structure][0])
            if d > s:
                return self._repelled(q, attacker, structure)
            tied = d == s
            self.tally["traded"] += tied
            ended = self._fell(p, structure, tied, waiting)
            if tied or ended:
                return DESTROYED
            if not self.stacks[q][THE_CASTLE]:
                return STANDS  # A12 after_attack with A13 effect_first: all texts are still to come
            s -= taken
            if structure == THE_GATE and not self.stacks[q][THE_GATE]:
                structure = THE_CASTLE
                self.tally["to_castle"] += 1

    def _repelled(self, q: int, attacker: int, structure: int) -> str:
        """5.3"""
        self.tally["repelled"] += 1
        self.known[q][structure] = self.reading("returned_card", "known")
        return RETURNED if self.cards[attacker].on_repelled == "return" else DESTROYED

    def _fell(self, p: int, structure: int, tied: bool, waiting: list[int]) -> bool:
        """5.7, 6.1: the revealed card is destroyed; was it the end of the attack?"""
        q = 1 - p
        k = self._take_top(q, structure)
        self.tally["felled"] += 1
        if self.reading("last_card_text", "over_first"):
            self._check_castle(q)
        works = bool(self.cards[k].on_destroyed_in_attack) and not (tied and self.reading("tied_text", "not"))
        if self.reading("text_timing", "after_attack"):
            waiting += [k] if works else []
            return False  # the castle is looked at after all texts
        ended = works and self._text(p, k)
        self._check_castle(q)
        return ended

    def _text(self, p: int, k: int) -> bool:
        """7.10: a card that fell in an attack of p; does its text destroy the attacking card?"""
        self.tally["texts"] += 1
        destroys = False
        for entry in self.cards[k].on_destroyed_in_attack:
            self.seen.add(entry.op)
            if entry.op == "end_attack":
                destroys = True
            else:
                for _ in range(min(entry.n, len(self.hand[p]))):
                    self._attacker_loses_a_card(p, stolen=entry.op == "defender_steal_random")
        return destroys

    def _attacker_loses_a_card(self, p: int, stolen: bool) -> None:
        k = self._random_card(p)
        self._leave_hand(p, k)
        self.tally["lost_cards"] += 1
        if stolen:
            self.hand[1 - p].append(k)
        else:
            self._discard(k)
