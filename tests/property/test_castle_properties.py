"""What holds in every state of Castle, whoever plays, whatever the rulings and the choices."""

import pytest

from bartizan.simcore.castle.components import (
    ARGUMENTS,
    BARRICADE_TARGET,
    CARDS,
    CASTLE,
    JOKER_TARGET,
    NONE,
    POOL_TARGET,
    RANKS,
    SEATS,
    SQUARES,
    WIDTH,
    Act,
    Attack,
    CounterTarget,
    End,
    Event,
    Luck,
    Power,
    Royal,
    Stage,
)
from bartizan.simcore.castle.engine import ENGINE
from tests.castle_games import Game, play, variant
from tests.castle_table import SEEN_BY_ALL, cell
from tests.loaded_dice import faces_after

GAMES = 6  # of each number of players
VARIANTS = 9
PLAIN = (0, 1, 2)  # variants by the published rulings, without advanced rules
SET_UP = (Stage.CHOOSE, Stage.SETUP, Stage.HAND)
KINDS = {
    Stage.CHOOSE: {Act.SUIT},
    Stage.SETUP: {Act.PLACE},
    Stage.TURN: {Act.DRAW, Act.CLOSE, Act.OWN},
    Stage.CARD: {Act.PLACE, Act.ATTACK, Act.LEAD, Act.RALLY, Act.LAY, Act.DISCARD},
    Stage.OWN: {Act.OWN},
    Stage.SPY: {Act.END, Act.TURN},
    Stage.TARGET: {Act.END, Act.ATTACK},
    Stage.NAME: {Act.END, Act.NAME},
    Stage.ADD: {Act.END, Act.ADD},
    Stage.REMOVE: {Act.END, Act.REMOVE},
    Stage.FIRST: {Act.FIRST},
    Stage.USE: {Act.USE},
    Stage.RAM: {Act.RAM},
    Stage.REVEAL: {Act.END, Act.TURN},
    Stage.COUNTER: {Act.ATTACK},
    Stage.KEEP: {Act.PLACE},
    Stage.RALLY: {Act.END, Act.RALLY},
    Stage.HAND: {Act.FIRST},
}


# ---------------------------------------------------------------- what may be attacked, worked out again


def castle_of(state, q: int) -> dict[tuple[int, int], int]:
    return {cell(s): it for s, it in enumerate(state.castle[q].tolist()) if it != NONE}


def naively_reached(castle: dict) -> set[tuple[int, int]]:
    """5.1, 5.2: water comes from the left, the right and above; who has it beside him or above him can be reached."""
    wet, fresh = set(), {(r, c) for r in range(-1, 6) for c in range(-2, 11) if r > 3 or c in (-2, 10)}
    while fresh:
        wet |= fresh
        near = {(r + dr, c + dc) for r, c in fresh for dr, dc in ((0, 1), (0, -1), (1, 0), (-1, 0))}
        fresh = {(r, c) for r, c in near if 0 <= r <= 5 and -2 <= c <= 10 and (r, c) not in castle} - wet
    return {(r, c) for r, c in castle if {(r, c - 1), (r, c + 1), (r + 1, c)} & wet}


def suits_of_attack(state, tables) -> set[int]:
    """C21"""
    first = int(state.drawn) if state.stage == Stage.CARD else int(state.lead)
    suits = {first // RANKS}
    if tables.royal_rule_suit and state.stage != Stage.CARD:  # any_card
        if state.attack in (Attack.ARCHERS, Attack.RAM, Attack.ASSASSIN):
            suits.add(int(state.in_use) // RANKS)
        else:
            suits |= {i for i in range(4) if int(state.suits) >> i & 1}
        suits |= {i for i in range(4) if int(state.added_suits) >> i & 1}
    return suits


def barred(state, tables, q: int, s: int, suits: set[int]) -> bool:
    """4.3: a revealed royal of a suit of the attack."""
    it = int(state.castle[q, s])
    return tables.royal_rule == 0 and bool(int(state.up[q]) >> s & 1) and it in state.royal[q].tolist() and it // RANKS in suits


def check_targets(game: Game, legal: list[int]) -> None:
    s, t = game.state, game.tables
    listed = {code % ARGUMENTS for code in legal if code // ARGUMENTS == Act.ATTACK}
    mover = int(s.to_move)
    for target in listed:
        if target < POOL_TARGET:
            assert target // CASTLE != mover and s.alive[target // CASTLE] and s.castle[target // CASTLE, target % CASTLE] != NONE
        elif target < JOKER_TARGET:
            assert any(int(s.pool[q]) >> target - POOL_TARGET & 1 and s.alive[q] for q in range(t.players) if q != mover)
        elif target < BARRICADE_TARGET:
            assert target - JOKER_TARGET != mover and s.jokers[target - JOKER_TARGET]
        else:
            assert s.barricade[mover, target - BARRICADE_TARGET] != NONE
    if s.stage == Stage.COUNTER:
        castle = castle_of(s, int(s.attacker))
        assert {cell(target % CASTLE) for target in listed} == (naively_reached(castle) if t.counter_target == CounterTarget.reachable else set(castle))
        return
    suits = suits_of_attack(s, t)
    others = [(mover + i) % t.players for i in range(1, t.players) if s.alive[(mover + i) % t.players]]
    first = s.stage == Stage.CARD and t.power[s.drawn % RANKS] == Power.none
    if first or (s.stage == Stage.TARGET and s.target == NONE and s.attack == Attack.ORDINARY):
        reached = {(q, r, c) for q in others for r, c in naively_reached(castle_of(s, q))}
        wanted = {q * CASTLE + r * WIDTH + c + 1 for q, r, c in reached if not barred(s, t, q, r * WIDTH + c + 1, suits)}
        assert listed == wanted | {BARRICADE_TARGET + square for square in range(SQUARES) if s.barricade[mover, square] != NONE}
    elif s.stage == Stage.TARGET and s.attack in (Attack.ORDINARY, Attack.ASSASSIN):
        assert not any(barred(s, t, target // CASTLE, target % CASTLE, suits) for target in listed if target < POOL_TARGET)
        if s.target != NONE and s.won and s.lead_royal != Royal.JACK:
            assert {target % CASTLE for target in listed} <= naively_met(s)
    elif s.stage == Stage.TARGET and s.attack == Attack.ARCHERS:
        for target in listed:
            row, reached = target % CASTLE // WIDTH, naively_reached(castle_of(s, target // CASTLE)) if target < POOL_TARGET else set()
            if target < POOL_TARGET:
                face = bool(int(s.up[target // CASTLE]) >> target % CASTLE & 1)
                assert row > 0 and (face if t.archer_target == 0 else cell(target % CASTLE) in reached or (face and t.archer_target == 2))


def naively_met(state) -> set[int]:
    """The first card met from the won square in each of the four directions."""
    squares = set()
    r0, c0 = cell(int(state.won_square))
    castle = castle_of(state, int(state.defender))
    for dr, dc in ((0, 1), (0, -1), (1, 0), (-1, 0)):
        r, c = r0 + dr, c0 + dc
        while 0 <= r < 4 and 0 <= c < 9 and (r, c) not in castle:
            r, c = r + dr, c + dc
        if (r, c) in castle:
            squares.add(r * WIDTH + c + 1)
    return squares


# ---------------------------------------------------------------- a game watched


class Watch:
    """Looks at every step of one game; counts what the record is to say."""

    def __init__(self, plain: bool):
        self.plain = plain
        self.turn = None  # (player, turn) last begun
        self.forced = None  # who could not draw
        self.rolls = self.won = self.felled = 0
        self.force = 0  # of the ordinary attack at hand
        self.out: list[int] = []

    def __call__(self, game: Game, legal: list[int], action: int) -> None:
        s, t = game.state, game.tables
        act, argument = Act(action // ARGUMENTS), action % ARGUMENTS
        assert len(set(legal)) == len(legal), "the same action twice"
        assert {Act(code // ARGUMENTS) for code in legal} <= KINDS[Stage(int(s.stage))]
        assert s.alive[s.to_move], "a dead player is asked"
        if s.stage in (Stage.TURN, Stage.CARD, Stage.OWN, Stage.TARGET, Stage.RAM, Stage.FIRST, Stage.USE, Stage.REVEAL, Stage.RALLY):
            assert s.to_move == s.on_turn
        check_targets(game, legal)
        before = game.copy().state
        game.apply(action)
        said = ENGINE.check(s, t)
        assert said == "", (said, act, argument)
        self.check_piles(s, t)
        events = game.events()
        if self.plain:
            self.check_force(before, t, act, argument, events)
        self.follow(s, t, events)

    def check_piles(self, s, t) -> None:
        """2.4: the grid's limits and the Court; every card lies in one pile, seen by those who must have seen it."""
        seen_by, shown = s.seen_by.tolist(), int(s.discards)
        for q in range(t.players):
            castle, up, alive = castle_of(s, q), int(s.up[q]), s.alive[q]
            shown |= int(s.pool[q])
            assert all(r < t.rows and 0 <= c < t.columns for r, c in castle)
            assert not int(s.pool[q]) & (int(s.discards) | int(s.gone))
            for (r, c), it in castle.items():
                assert seen_by[it] >> q & 1 or not alive, "owners know their own cards"
                assert not up >> r * WIDTH + c + 1 & 1 or seen_by[it] == SEEN_BY_ALL
        assert all(seen_by[it] == SEEN_BY_ALL for it in range(CARDS) if shown >> it & 1)
        assert all(seen_by[it] == 0 for it in s.deck[s.deck_next : s.deck_size].tolist()), "nobody has seen what lies in the deck"

    # 1.4, 4.6: the first roll of a step, counted out from its dice

    def check_force(self, s, t, act: Act, argument: int, events: list) -> None:
        value = lambda it: int(t.value[it % RANKS])  # noqa: E731
        if s.stage == Stage.CARD and act in (Act.ATTACK, Act.LEAD):
            self.force = value(int(s.drawn))
        elif act == Act.OWN:
            self.force = value(int(s.castle[s.on_turn, argument]))
        elif s.stage == Stage.RALLY and act == Act.RALLY:
            self.force -= value(argument)  # an extra card that does not join
        attack = Attack.ORDINARY if s.stage == Stage.CARD else Attack.RAM if act == Act.RAM else Attack(int(s.attack))
        target = argument if act == Act.ATTACK else int(s.target) if act != Act.RAM else NONE
        for i, (event, a, b, won) in enumerate(events):
            if event == Event.ROLL:
                first = not any(e[0] in (Event.ROLL, Event.TURN) for e in events[:i])
                if first and target != NONE:
                    self.check_roll(s, t, attack, target, act, argument, (a, b, won))
            elif event == Event.FELL and attack == Attack.ORDINARY:
                self.force -= value(b)
            elif event == Event.EXTRA and attack == Attack.ORDINARY and act != Act.LEAD:
                self.force += value(a)
            elif event == Event.TURN:
                break

    def check_roll(self, s, t, attack: Attack, target: int, act: Act, argument: int, said: tuple[int, int, int]) -> None:
        if s.stage in (Stage.TURN, Stage.OWN, Stage.SETUP):
            return
        attacker, defender = int(s.on_turn), target // CASTLE if target < POOL_TARGET else self.owner(s, target - POOL_TARGET)
        it = int(s.castle[defender, target % CASTLE]) if target < POOL_TARGET else target - POOL_TARGET
        royal = s.royal[defender].tolist().index(it) if it in s.royal[defender].tolist() else NONE
        added = [int(s.added[p]) for p in (attacker, defender)] if act != Act.ATTACK else [0, 0]
        if act == Act.ADD:
            added[0 if s.to_move == attacker else 1] |= 1 << argument
        adds = [sum(int(t.value[c % RANKS]) for c in range(52) if mask >> c & 1) for mask in added]
        dice = {Attack.ORDINARY: 2, Attack.ARCHERS: 4, Attack.RAM: 4, Attack.ASSASSIN: 4}[attack]
        force = {Attack.ORDINARY: self.force, Attack.ARCHERS: int(t.value[s.in_use % RANKS]), Attack.RAM: 2, Attack.ASSASSIN: 8}[attack]
        total = sum(self.dice(s, Luck.ATTACK, dice)) + force + adds[0] - (4 if royal == Royal.QUEEN else 0)
        thrown = self.dice(s, Luck.DEFENCE, 3 if royal == Royal.KING and s.royal[defender, Royal.QUEEN] != NONE else 2)
        if len(thrown) == 2 and thrown[0] == thrown[1] != 1:
            thrown = self.dice(s, Luck.DEFENCE, 4)
        against = sum(thrown) + int(t.value[it % RANKS]) + adds[1] - (4 if s.lead_royal == Royal.QUEEN else 0)
        assert said == (total, against, total > against), (attack.name, target, act.name)

    @staticmethod
    def owner(s, it: int) -> int:
        return next(p for p in range(SEATS) if int(s.pool[p]) >> it & 1)

    @staticmethod
    def dice(s, stream: Luck, n: int) -> list[int]:
        """The next dice of a stream."""
        return [int(faces_after(s.luck[[int(stream)]], i)[0]) for i in range(1, n + 1)]

    # 2.5, 3, 8: turns in order

    def follow(self, s, t, events: list) -> None:
        for i, (event, a, b, c) in enumerate(events):
            if event == Event.TURN:
                self.check_turn(s, t, a, b, forced=i + 1 < len(events) and events[i + 1][0] == Event.FORCED)
            elif event == Event.RAN_DRY:
                self.forced = self.turn[0]
                self.turn = (self.turn[0], self.turn[1] - 1)  # this turn is not counted
            elif event == Event.OUT:
                self.out.append(a)
            elif event == Event.ROLL:
                self.rolls, self.won = self.rolls + 1, self.won + c

    def check_turn(self, s, t, p: int, number: int, forced: bool) -> None:
        def next_living(q: int) -> int:
            return next((q + i) % t.players for i in range(1, t.players + 1) if (q + i) % t.players not in self.out)

        if self.turn is None:
            assert (p, number) == (0, 1)
        elif self.forced is None:
            assert (p, number) == (next_living(self.turn[0]), self.turn[1] + 1)
        else:
            assert number == self.turn[1] + 1 and p not in self.out
            if not forced:
                assert p == (self.forced if self.forced not in self.out else next_living(self.forced)), "after a forced round, who could not draw"
                self.forced = None
        self.turn = (p, number)


def check_record(game: Game, watch: Watch) -> None:
    """The row of a finished game against what was seen."""
    s, t, row = game.state, game.tables, game.record()
    k = int(t.players)
    places, outs = [int(row[f"place_{p}"]) for p in range(SEATS)], [int(row[f"out_{p}"]) for p in range(SEATS)]
    living = [p for p in range(k) if s.alive[p]]
    assert sorted(watch.out) == sorted(set(range(k)) - set(living)) and [places[p] for p in watch.out] == list(range(k, k - len(watch.out), -1))
    assert [outs[p] > 0 for p in range(k)] == [p in watch.out for p in range(k)] and [outs[p] for p in watch.out] == sorted(outs[p] for p in watch.out)
    assert places[k:] == outs[k:] == [0] * (SEATS - k)
    wins = [int(row[f"seat{p}_wins"]) for p in range(SEATS)]
    if s.end_reason == End.LAST_KING:
        assert living == [row["winner"]] and places[living[0]] == 1 and wins == [int(p == row["winner"]) for p in range(SEATS)] and row["capped"] == 0
        worth = [int(t.value[it % RANKS]) for it in [*castle_of(s, living[0]).values(), *(c for c in range(52) if int(s.pool[living[0]]) >> c & 1)]]
        assert row["score"] == sum(worth)
    else:
        assert s.end_reason == End.TURN_LIMIT and len(living) > 1 and row["winner"] == -2 and row["capped"] == 1 and row["score"] == 0
        assert sum(wins) == 0 and all(places[p] == 0 for p in living) and row["turn"] == t.turn_limit
    assert row["turn"] == row["turns"] == s.turn <= t.turn_limit
    assert (row["attacks"], row["attacks_won"]) == (watch.rolls, watch.won)
    kings = [int(row[f"kings_by_{by}"]) for by in ("attack", "ram", "assassin", "counter", "own_lead")]
    assert sum(kings) == len(watch.out) and row["royals_lost"] >= sum(kings[:4])


@pytest.mark.parametrize("k", [2, 3, 4])
def test_random_games(k):
    for n in range(GAMES):
        which = n % VARIANTS
        watch = Watch(which in PLAIN)
        check_record(play(variant(k, which), 1000 * k + n, watch), watch)


@pytest.mark.parametrize("k", [2, 3, 4])
def test_the_same_seed_and_choices_are_the_same_game(k):
    for seed in range(4):
        key = variant(k, seed + 2)
        one, two, other = play(key, seed), play(key, seed), play(key, seed + 100)
        assert one.states.tobytes() == two.states.tobytes() != other.states.tobytes()
        assert one.record().tobytes() == two.record().tobytes()


def test_random_games_see_most_of_the_rules():
    """What the games above are worth: every kind of action and every stage comes up in a few dozen of them."""
    seen, stages = set(), set()

    def note(game, legal, action):
        seen.update(code // ARGUMENTS for code in legal)
        stages.add(int(game.state.stage))
        game.apply(action)

    for k in (2, 3, 4):
        for n in range(3, 27):
            play(variant(k, n), 1000 * k + n, note)
    assert set(Act) - {Act(a) for a in seen} <= {Act.DISCARD}, {Act(a).name for a in set(Act) - seen}
    assert stages >= set(Stage) - {Stage.NONE}, {Stage(a).name for a in set(Stage) - stages}


def test_the_naive_flood():
    """The check itself against a position worked out by hand: a closed hole, and one that is open at the side."""
    closed = {(r, c): 1 for r in range(3) for c in range(3)} | {}
    del closed[1, 1]
    assert naively_reached(closed) == set(closed) - {(0, 1)}
    del closed[1, 2]
    assert naively_reached(closed) == set(closed)
