"""The naive twin of the Castle engine: slow, obvious, plain objects, written only from RULES.md and PROTOCOL.md.

The whole game is one generator. It yields (stage, player, legal action codes) whenever somebody has to decide and is sent the
chosen code. Section numbers (4.3, 8.1 ...) and open points (C7 ...) are those of RULES.md; "P 2" is section 2 of PROTOCOL.md.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from typing import Any

from tests.naive.luck import Luck

# ---------------------------------------------------------------- action kinds, stages, targets (P 1, P 2)

KIND_UNIT = 4096
END, DRAW, CLOSE, PLACE, ATTACK, LEAD, RALLY, LAY, DISCARD, TURN, ADD, REMOVE, FIRST, USE, RAM, NAME, OWN, SUIT = range(
    1, 19
)
S_OVER, S_CHOOSE, S_SETUP, S_TURN, S_CARD, S_OWN, S_SPY, S_TARGET, S_NAME, S_ADD = range(10)
S_REMOVE, S_FIRST, S_USE, S_RAM, S_REVEAL, S_COUNTER, S_KEEP, S_RALLY, S_HAND = range(10, 19)

NOBODY = NOTHING = -1
WIDTH = 11  # squares of a row, borders included
CASTLE, POOL, JOKERS, BARRICADE = 64, 256, 320, 384  # how a target is written
FIRST_JOKER = 52
RANKS = ["ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king"]
JACK, QUEEN, KING = range(3)
FIRST_ROYAL = 10  # rank of the Jack
ABOVE, LEFT_END, RIGHT_END = range(3)  # where a barricade stands
LEFT, RIGHT, DOWN, UP = range(4)  # in the order of P 2, "relative"
STEP = {LEFT: -1, RIGHT: 1, DOWN: -WIDTH, UP: WIDTH}
BACK = {LEFT: RIGHT, RIGHT: LEFT, DOWN: UP, UP: DOWN}

END_LAST_KING, END_TURN_LIMIT = 3, 4
BY_ATTACK, BY_BARRICADE, BY_ARCHERS, BY_RAM, BY_ASSASSIN, BY_COUNTER, BY_OWN_LEAD = (
    "attack", "barricade", "archers", "ram", "assassin", "counter", "own_lead",
)  # fmt: skip
COMBOS = {"archers": BY_ARCHERS, "ram": BY_RAM, "assassin": BY_ASSASSIN}
SEATS = 4

Decision = Generator[tuple[int, int, list[int]], int, Any]


def code(kind: int, argument: int = 0) -> int:
    return kind * KIND_UNIT + argument


def row_of(square: int) -> int:
    return square // WIDTH


def column_of(square: int) -> int:
    return square % WIDTH - 1


def square_at(row: int, column: int) -> int:
    return row * WIDTH + column + 1


def suit_of(card: int) -> int:
    """Jokers have none."""
    return card // 13 if card < FIRST_JOKER else NOTHING


def rank_of(card: int) -> int:
    return card % 13


def neighbours(square: int) -> list[int]:
    return [square + step for step in STEP.values()]


# ---------------------------------------------------------------- luck (P 4)

L_ROYALS, L_DECK, L_ATTACK, L_DEFENCE, L_CONTEST = range(5)


# ---------------------------------------------------------------- dice (6, 11.9)


@dataclass
class Roll:
    """Dice of one hand: what they showed, their sum, and what they cause."""

    faces: list[int]
    total: int
    double: bool
    snake_eyes: bool
    double_six: bool


# ---------------------------------------------------------------- attacks and fights


@dataclass(eq=False)
class Attack:
    """One attack: an ordinary one, one card of an Ace, or a counter-strike (P 2, "a fight")."""

    by: str
    attacker: int
    dice: int
    force: int
    suits: set[int]  # of the Royal rule (C21)
    lead: int = NOTHING  # the Ace, when it is an Ace's; a counter-strike has none
    lead_royal: int = NOTHING
    card: int = NOTHING  # what attacks: the lead, or the card drawn by an Ace
    boost: int = 0  # C13 one_roll: extra cards for the next roll
    won_square: int = NOTHING  # W
    heading: int = NOTHING
    kept: dict[int, int] = field(default_factory=dict)  # C8 whole_attack: values added before, by player
    cards: list[int] = field(default_factory=list)  # to the discard pile at the end
    support: list[int] = field(default_factory=list)  # those of them that were reinforcements
    royals: list[int] = field(default_factory=list)  # beaten, or used as lead: C11 at the end

    @property
    def ordinary(self) -> bool:
        return self.by in (BY_ATTACK, BY_BARRICADE)


@dataclass
class Outcome:
    """How a fight ended."""

    won: bool = False
    tied: bool = False
    called_off: bool = False
    roll: Roll | None = None  # the attacker's
    king_fell: bool = False  # the defender is out (10.1)
    dead_end: bool = False  # the attack is over, whatever was rolled: the attacker is out

    @property
    def over(self) -> bool:
        """Of a ram or an assassin."""
        return self.king_fell or self.dead_end

    @property
    def double(self) -> bool:
        return self.roll is not None and self.roll.double


class _GameEnds(Exception):
    """Raised inside the generator when the game ends; carries how."""

    def __init__(self, how: int) -> None:
        super().__init__(how)
        self.how = how


TALLIES = (
    "royals_lost", "attacks", "attacks_won", "called_off", "placed", "removals", "reshuffles", "no_target", "discarded_unused", "forced_rounds", "rallied",
    "closed", "added", "spied", "aces", "barricades", "kings_by_attack", "kings_by_ram", "kings_by_assassin", "kings_by_counter", "kings_by_own_lead",
)  # fmt: skip


# ---------------------------------------------------------------- the game


class CastleTwin:
    """One game of Castle. `legal_actions` and `apply` until `over`; then `record`."""

    def __init__(self, data: dict[str, Any], seed: int, game: int) -> None:
        self.data = data
        self.rulings = data["rulings"]
        self.advanced = data["advanced"]
        self.n = data["players"]["count"]
        self.players = list(range(self.n))
        self.rows, self.columns = data["grid"]["rows"], data["grid"]["columns"]
        self.ranks = [data["rank"][name] for name in RANKS]
        self.luck = Luck(seed, game)

        self.castle: list[dict[int, int]] = [{} for _ in self.players]  # square -> card
        self.revealed: list[set[int]] = [set() for _ in self.players]  # squares
        self.royals = [[NOTHING] * 3 for _ in self.players]  # J, Q, K standing in the Court
        self.alive = [True] * self.n
        self.pool: list[set[int]] = [set() for _ in self.players]
        self.pool_hidden: set[int] = set()  # C18 anything
        self.jokers: list[set[int]] = [set() for _ in self.players]
        self.barricades: list[dict[int, tuple[int, int, int]]] = [
            {} for _ in self.players
        ]  # square -> (card, side, who laid it)
        self.deck: list[int] = []  # next first
        self.discards: set[int] = set()
        self.gone: set[int] = set()
        self.spare: set[int] = set()  # royals that nobody was given, gone from the beginning
        self.shuffles = 0
        self.shown_once: set[int] = set()  # cards that have lain face up since they were put where they are (C52)
        self.in_forced_round = False
        self.dealt: list[list[int]] = [[] for _ in self.players]
        self.suits_left = [[0, 1, 2, 3] for _ in range(3)]

        self.turn = 0
        self.turn_of = NOBODY
        self.drawn = NOTHING
        self.table: list[int] = []  # cards of the running attack or contest: neither in a castle nor in a pile
        self.attack: Attack | None = None
        self.target = NOTHING
        self.leader = NOBODY
        self.lead_changes = 0
        self.place = [0] * SEATS
        self.out = [0] * SEATS
        self.tally = dict.fromkeys(TALLIES, 0)
        self.end_reason = 0

        self.over = False
        self.stage, self.to_move = S_OVER, NOBODY
        self._legal: list[int] = []
        self._play = self._game()
        self._run(None)

    # ------------------------------------------------------------ for those who play it

    def legal_actions(self) -> list[int]:
        return list(self._legal)

    def apply(self, action: int) -> None:
        if action not in self._legal:
            raise ValueError(
                f"action {action} (kind {action // KIND_UNIT}, argument {action % KIND_UNIT}) is not legal at stage {self.stage}"
            )
        self._run(action)

    def _run(self, action: int | None) -> None:
        try:
            self.stage, self.to_move, self._legal = self._play.send(action)  # type: ignore[arg-type]
        except StopIteration:
            self.stage, self.to_move, self._legal, self.over = S_OVER, NOBODY, [], True

    def _ask(self, player: int, stage: int, legal: Iterable[int]) -> Decision:
        """One decision; returns (kind, argument)."""
        legal = list(legal)
        if not legal:
            raise AssertionError(f"stage {stage} asked without a legal action")
        action = yield stage, player, legal
        return divmod(action, KIND_UNIT)

    def _ask_or_end(self, player: int, stage: int, legal: Iterable[int], may_end: bool = True) -> Decision:
        """P 2: END first; a stage without any legal action but END is not asked. Returns (END, 0) then."""
        legal = list(legal)
        if not legal:
            return END, 0
        return (yield from self._ask(player, stage, [code(END)] + legal if may_end else legal))

    def cards_in_the_game(self) -> list[int]:
        """Every card there is, wherever it is: for the conservation of cards."""
        cards = [*self.deck, *self.discards, *self.gone, *self.table]
        cards += [card for castle in self.castle for card in castle.values()]
        cards += [card for held in (*self.pool, *self.jokers) for card in held]
        cards += [laid[0] for castle in self.barricades for laid in castle.values()]
        return cards + ([self.drawn] if self.drawn != NOTHING else [])

    # ------------------------------------------------------------ record (P 3)

    def winner(self) -> int:
        return next(p for p in self.players if self.alive[p]) if self.end_reason == END_LAST_KING else -2

    def standing(self, p: int) -> int:
        """Values of castle and pool."""
        return sum(self.value(card) for card in (*self.castle[p].values(), *self.pool[p]))

    def record(self) -> dict[str, int]:
        winner = self.winner()
        record = {
            "winner": winner,
            "end_reason": self.end_reason,
            "turn": self.turn,
            "turns": self.turn,
            "capped": int(self.end_reason == END_TURN_LIMIT),
            "score": self.standing(winner) if winner >= 0 else 0,
            "lead_changes": self.lead_changes,
        }
        for p in range(SEATS):
            record[f"seat{p}_wins"] = int(p == winner)
            record[f"place_{p}"] = 1 if p == winner else self.place[p]
            record[f"out_{p}"] = self.out[p]
        return record | self.tally

    def _look_at_the_leader(self) -> None:
        """P 3: the one living player with the most, if he is alone."""
        living = self.living_from(0)
        most = max(self.standing(p) for p in living)
        best = [p for p in living if self.standing(p) == most]
        if len(best) == 1 and best[0] != self.leader:
            if self.leader != NOBODY:
                self.lead_changes += 1
            self.leader = best[0]

    # ------------------------------------------------------------ words (1)

    def ruling(self, key: str, reading: str) -> bool:
        return self.rulings[key] == reading

    def value(self, card: int) -> int:
        """1.6"""
        return 0 if card >= FIRST_JOKER else self.ranks[rank_of(card)]["value"]

    def power(self, card: int) -> str:
        return self.ranks[rank_of(card)]["power"]

    def named_rank(self, card: int, name: str) -> bool:
        return card < FIRST_JOKER and RANKS[rank_of(card)] == name

    def living_from(self, p: int) -> list[int]:
        """ "In order" of players, from p on (P 1)."""
        return [q for q in ((p + i) % self.n for i in range(self.n)) if self.alive[q]]

    def opponents(self, p: int) -> list[int]:
        return [q for q in self.living_from(p) if q != p]

    def next_living(self, p: int) -> int:
        return self.living_from((p + 1) % self.n)[0]

    def royal_at(self, q: int, square: int) -> int:
        """Which royal of q stands there, or NOTHING (P 1)."""
        card = self.castle[q].get(square, NOTHING)
        return self.royals[q].index(card) if card != NOTHING and card in self.royals[q] else NOTHING

    def lives(self, q: int, royal: int) -> bool:
        return self.alive[q] and self.royals[q][royal] != NOTHING

    def hidden_squares(self, q: int) -> list[int]:
        return [s for s in sorted(self.castle[q]) if s not in self.revealed[q]]

    def inside(self, square: int) -> bool:
        return 0 <= row_of(square) < self.rows and 0 <= column_of(square) < self.columns

    def squares(self) -> list[int]:
        return [square_at(row, column) for row in range(self.rows) for column in range(self.columns)]

    # ------------------------------------------------------------ the game as a whole

    def _game(self) -> Decision:
        try:
            yield from self._set_up()
            self._look_at_the_leader()
            yield from self._turns()
        except _GameEnds as end:
            self.end_reason = end.how

    def _turns(self) -> Decision:
        """3: turns go round; a turn whose card cannot be taken becomes a forced round (8)."""
        p = 0
        while True:
            self._begin_turn(p)
            if (yield from self._ordinary_turn(p)):
                self._turn_is_over()
                p = self.next_living(p)
            else:
                self.turn -= 1
                yield from self._forced_round(p)
                if not self.alive[p]:
                    p = self.next_living(p)

    def _begin_turn(self, p: int) -> None:
        self.turn += 1
        self.turn_of = p
        self.luck.rekey(L_ATTACK, self.turn)
        self.luck.rekey(L_DEFENCE, self.turn)

    def _turn_is_over(self) -> None:
        """10.4"""
        self._look_at_the_leader()
        if self.turn >= self.data["limit"]["turns"]:
            raise _GameEnds(END_TURN_LIMIT)

    # ------------------------------------------------------------ set-up (2)

    def _set_up(self) -> Decision:
        yield from self._royals()
        deck = [suit * 13 + rank for suit in range(4) for rank in range(FIRST_ROYAL)]
        self.luck.shuffle(L_DECK, deck)
        each = self.data["deal"]["cards"]
        for p in self.players:
            self.dealt[p] = deck[each * p : each * (p + 1)]
        self.deck = deck[each * self.n :]
        if self.advanced["jokers"]:  # 2.2
            self.deck += [FIRST_JOKER + i for i in range(self.advanced["jokers"])]
            self.luck.shuffle(L_DECK, self.deck)
        self.table = [card for p in self.players for card in (*self.given[p], *self.dealt[p])]
        for p in self.players:
            yield from self._set_up_castle(p)

    def _royals(self) -> Decision:
        """2.1, C1: which suits the players' royals have. The others are out of the game."""
        suits: list[list[int]] = []  # by rank, then player
        if self.ruling("royals_dealt", "random"):
            for _ in range(3):
                order = [0, 1, 2, 3]
                self.luck.shuffle(L_ROYALS, order)
                suits.append(order[: self.n])
        elif self.ruling("royals_dealt", "same_suit"):
            order = [0, 1, 2, 3]
            self.luck.shuffle(L_ROYALS, order)
            suits = [order[: self.n]] * 3
        else:
            for rank in range(3):
                suits.append([])
                for p in self.players:
                    _, suit = yield from self._ask(p, S_CHOOSE, [code(SUIT, suit) for suit in self.suits_left[rank]])
                    self.suits_left[rank].remove(suit)
                    suits[rank].append(suit)
        self.given = [[suits[rank][p] * 13 + FIRST_ROYAL + rank for rank in range(3)] for p in self.players]
        given = {card for three in self.given for card in three}
        self.spare = {suit * 13 + FIRST_ROYAL + rank for suit in range(4) for rank in range(3)} - given
        self.gone = set(self.spare)

    def _set_up_castle(self, p: int) -> Decision:
        """2.3: the royals in the Court, then the dealt cards in an order of the player's choice. The Jack alone lies face up."""
        for royal, card in enumerate(self.given[p]):
            court = [square_at(0, column) for column in range(self.columns)]
            _, square = yield from self._ask(p, S_SETUP, [code(PLACE, s) for s in court if s not in self.castle[p]])
            self._stand(p, square, card, face_up=royal == JACK)
            self.royals[p][royal] = card
        hand = list(self.dealt[p])
        while hand:
            which = 0
            if len(hand) > 1:
                _, which = yield from self._ask(p, S_HAND, [code(FIRST, i) for i in range(len(hand))])
            card = hand.pop(which)
            _, square = yield from self._ask(p, S_SETUP, [code(PLACE, s) for s in self.places(p)])
            self._stand(p, self._make_room(p, square), card, face_up=False)

    def _stand(self, p: int, square: int, card: int, face_up: bool) -> None:
        """A card from the hand or from the table."""
        if card in self.table:
            self.table.remove(card)
        self.castle[p][square] = card
        self.shown_once.discard(card)
        if face_up:
            self._show(p, square)

    def _show(self, q: int, square: int) -> None:
        self.revealed[q].add(square)
        self.shown_once.add(self.castle[q][square])

    # ------------------------------------------------------------ the castle: placing (3.2, 2.4, C2)

    def places(self, p: int) -> list[int]:
        """The placement rule of P 2."""
        squares = sorted(self.squares() + self._border_squares(p))
        return [s for s in squares if s not in self.castle[p] and not self._blocked(p, s) and self._has_support(p, s)]

    def _border_squares(self, q: int) -> list[int]:
        """Squares beside the grid, on a side toward which the castle leaves room when it moves away."""
        used = {column_of(s) for s in (*self.castle[q], *self.barricades[q])}
        border = []
        if self.columns - 1 not in used:
            border += [square_at(row, -1) for row in range(self.rows)]
        if 0 not in used:
            border += [square_at(row, self.columns) for row in range(self.rows)]
        return border

    def _has_support(self, p: int, square: int) -> bool:
        castle = self.castle[p]
        if self.ruling("placement", "anywhere"):
            return True
        if self.ruling("placement", "adjacent"):
            return any(s in castle for s in neighbours(square))
        if row_of(square) == 0:
            return square - 1 in castle or square + 1 in castle
        return square - WIDTH in castle

    def _blocked(self, q: int, square: int) -> bool:
        """11.8: a barricade forbids its square and what lies beyond it."""
        for at, (_, side, _) in self.barricades[q].items():
            over = column_of(square) == column_of(at) or self.ruling("barricade_above", "top_row")
            if side == ABOVE and row_of(square) >= row_of(at) and over:
                return True
            if side == LEFT_END and row_of(square) == row_of(at) and column_of(square) <= column_of(at):
                return True
            if side == RIGHT_END and row_of(square) == row_of(at) and column_of(square) >= column_of(at):
                return True
        return False

    def _make_room(self, q: int, square: int) -> int:
        """On a border square the whole castle first moves one column away from it; returns where the square is then."""
        if self.inside(square):
            return square
        by = 1 if column_of(square) < 0 else -1
        self.castle[q] = {s + by: card for s, card in self.castle[q].items()}
        self.revealed[q] = {s + by for s in self.revealed[q]}
        self.barricades[q] = {s + by: laid for s, laid in self.barricades[q].items()}
        return square + by

    def _place(self, p: int, square: int, card: int) -> None:
        """3.2, C41"""
        self._stand(p, self._make_room(p, square), card, face_up=self.ruling("placed_face", "revealed"))
        self.tally["placed"] += 1

    # ------------------------------------------------------------ the castle: closing gaps (9)

    def _things(self, p: int) -> list[int]:
        """Squares that are occupied: by a card or a barricade."""
        return sorted({*self.castle[p], *self.barricades[p]})

    def has_gap(self, p: int) -> bool:
        things = self._things(p)
        lines = [{row_of(s) for s in things}, {column_of(s) for s in things}]
        if self.ruling("gap_closing", "squeeze_rows"):
            lines += [{column_of(s) for s in things if row_of(s) == row} for row in range(self.rows)]
        return any(line and len(line) != max(line) - min(line) + 1 for line in lines)

    def _close_gaps(self, p: int) -> None:
        """9.2, 9.3"""
        if self.ruling("gap_closing", "squeeze_rows"):
            move = {}
            for row in range(self.rows):
                inrow = [s for s in self._things(p) if row_of(s) == row]
                move |= {s: inrow[0] + i for i, s in enumerate(inrow)}
            self._move_things(p, move)
        things = self._things(p)
        rows = sorted({row_of(s) for s in things})
        columns = sorted({column_of(s) for s in things})
        new_row = {row: rows[0] + i for i, row in enumerate(rows)}
        new_column = {column: columns[0] + i for i, column in enumerate(columns)}
        self._move_things(p, {s: square_at(new_row[row_of(s)], new_column[column_of(s)]) for s in things})

    def _move_things(self, p: int, move: dict[int, int]) -> None:
        self.castle[p] = {move[s]: card for s, card in self.castle[p].items()}
        self.revealed[p] = {move[s] for s in self.revealed[p]}
        self.barricades[p] = {move[s]: laid for s, laid in self.barricades[p].items()}

    # ------------------------------------------------------------ the castle: what can be reached (5)

    def open_ground(self, q: int) -> set[tuple[int, int]]:
        """5.1: as (row, column), from the left, the right and above; the ground under row 0 is solid."""
        free = {
            (row, column)
            for row in range(self.rows)
            for column in range(self.columns)
            if square_at(row, column) not in self.castle[q]
        }
        ground = {(row, column) for row in range(self.rows + 1) for column in (-1, self.columns)} | {
            (self.rows, column) for column in range(self.columns)
        }
        edge = list(ground)
        while edge:
            row, column = edge.pop()
            for cell in ((row, column - 1), (row, column + 1), (row - 1, column), (row + 1, column)):
                if cell in free and cell not in ground:
                    ground.add(cell)
                    edge.append(cell)
        return ground

    def open_sides(self, ground: set[tuple[int, int]], square: int) -> set[int]:
        """From where a card can be reached (5.2): LEFT, RIGHT, UP. Not from below."""
        row, column = row_of(square), column_of(square)
        beside = {LEFT: (row, column - 1), RIGHT: (row, column + 1), UP: (row + 1, column)}
        return {side for side, cell in beside.items() if cell in ground}

    def reachable(self, q: int) -> list[int]:
        ground = self.open_ground(q)
        return [s for s in sorted(self.castle[q]) if self.open_sides(ground, s)]

    # ------------------------------------------------------------ piles (3.8)

    def _reshuffle(self) -> None:
        """The discards, and what is left of the deck, become the deck."""
        self.shuffles += 1
        self.deck = sorted([*self.discards, *self.deck])
        self.discards = set()
        self.luck.rekey(L_DECK, self.shuffles)
        self.luck.shuffle(L_DECK, self.deck)

    def _take(self, drawer: int) -> Decision:
        """One card for the drawer, once contests for Jokers are over; None: there is none to be had."""
        while True:
            card = self._top_card()
            if card is None or card < FIRST_JOKER:
                return card
            yield from self._contest(drawer, card)
            if self.ruling("joker_turn", "over"):
                return None

    def _top_card(self) -> int | None:
        """3.8"""
        if not self.deck:
            if not self.discards:
                return None
            self._reshuffle()
            self.tally["reshuffles"] += 1
        return self.deck.pop(0)

    def _discard(self, card: int) -> None:
        self.discards.add(card)
        self.pool_hidden.discard(card)

    # ------------------------------------------------------------ turns (3)

    def _ordinary_turn(self, p: int) -> Decision:
        """False: the turn's card cannot be taken."""
        kind, square = yield from self._how_to_begin(p)
        if kind == CLOSE:
            self._close_gaps(p)
            self.tally["closed"] += 1
            return True
        if kind == OWN:
            yield from self._attack_with_own_card(p, square, forced=False)
            return True
        if not self.deck and (self.ruling("forced_round", "deck_empty") or not self.discards):
            return False
        while True:
            card = yield from self._take(p)
            if card is None:
                return True
            self.drawn = card
            if not (yield from self._use_drawn_card(p)):
                return True

    def _how_to_begin(self, p: int) -> Decision:
        """TURN: asked if there is more than DRAW."""
        legal = [code(CLOSE)] if self.has_gap(p) else []
        if self.ruling("own_card_attack", "yes"):
            legal += [code(OWN, s) for s in sorted(self.castle[p]) if self.royal_at(p, s) != KING]
        if not legal:
            return DRAW, 0
        return (yield from self._ask(p, S_TURN, [code(DRAW)] + legal))

    def _use_drawn_card(self, p: int) -> Decision:
        """3.1 - 3.6; True: another card is drawn (C5)."""
        card = self.drawn
        legal = self._uses_of(p, card)
        kind, argument = yield from self._ask(p, S_CARD, legal)
        self.drawn = NOTHING
        if kind == PLACE:
            self._place(p, argument, card)
        elif kind == ATTACK:
            yield from self._ordinary_attack(p, card, first_target=argument)
        elif kind == LEAD and self.power(card) == "ace":
            yield from self._ace(p, card)
        elif kind == LEAD:
            yield from self._ordinary_attack(p, card)
        elif kind == RALLY:
            self.pool[p].add(card)
            self.tally["rallied"] += 1
            return self.ruling("rally_turn", "draw_again")
        elif kind == LAY:
            self._lay(p, card, argument)
        else:
            self._discard(card)
            self.tally["discarded_unused"] += 1
        return False

    def _uses_of(self, p: int, card: int) -> list[int]:
        legal = [code(PLACE, s) for s in self.places(p)]
        if self.power(card) == "none":
            legal += [code(ATTACK, t) for t in self._ordinary_targets(p, {suit_of(card)})]
        else:
            legal.append(code(LEAD))
        if self._may_rally(p, card):
            legal.append(code(RALLY))
        if self.advanced["barricade"] and self.named_rank(card, self.data["barricade"]["rank"]):  # 3.5
            legal += [code(LAY, argument) for argument in self._places_for_barricade(p)]
        return legal or [code(DISCARD)]

    def _may_rally(self, p: int, card: int) -> bool:
        """3.4"""
        return self.lives(p, JACK) and suit_of(card) == suit_of(self.royals[p][JACK])

    def _rally_some(self, p: int, taken: list[int]) -> Decision:
        """3.4, C46: of cards just taken for an attack; returns those left for it, in the order they came."""
        left = list(taken)
        if self.ruling("rally_card", "turns_card") or self.in_forced_round:
            return left
        listed = [card for card in left if self._may_rally(p, card)]
        while True:
            legal = [code(RALLY, card) for card in sorted(listed)]
            kind, chosen = yield from self._ask_or_end(p, S_RALLY, legal)
            if kind == END:
                return left
            listed = [card for card in listed if card > chosen]
            left.remove(chosen)
            self.table.remove(chosen)
            self.pool[p].add(chosen)
            self.tally["rallied"] += 1
            if self.ruling("rally_turn", "draw_again"):
                another = yield from self._take(p)
                if another is not None:
                    self.table.append(another)
                    left.append(another)
                    listed += [another] if self._may_rally(p, another) else []

    # ------------------------------------------------------------ barricades (11.8)

    def _places_for_barricade(self, p: int) -> list[int]:
        arguments = []
        for q in self.opponents(p):
            places = []
            top = max(row_of(s) for s in self.castle[q])
            for column in range(self.columns):
                rows = [row_of(s) for s in self.castle[q] if column_of(s) == column]
                if self.ruling("barricade_above", "top_row") and top not in rows:  # C48
                    continue
                if rows and max(rows) + 1 < self.rows:
                    places.append((square_at(max(rows) + 1, column), ABOVE))
            for row in range(self.rows):
                columns = [column_of(s) for s in self.castle[q] if row_of(s) == row]
                if columns:
                    places += [
                        (square_at(row, min(columns) - 1), LEFT_END),
                        (square_at(row, max(columns) + 1), RIGHT_END),
                    ]
            can_be = [*self.squares(), *self._border_squares(q)]
            arguments += [
                (q * CASTLE + s) * 4 + side for s, side in sorted(places) if s in can_be and not self._blocked(q, s)
            ]
        return arguments

    def _lay(self, p: int, card: int, argument: int) -> None:
        place, side = divmod(argument, 4)
        q, square = divmod(place, CASTLE)
        square = self._make_room(q, square)
        self.barricades[q][square] = (card, side, p)
        self.tally["barricades"] += 1

    # ------------------------------------------------------------ forced rounds (8)

    def _forced_round(self, first: int) -> Decision:
        self.tally["forced_rounds"] += 1
        self.in_forced_round = True
        for p in [(first + i) % self.n for i in range(self.n)]:
            if self.alive[p]:
                self._begin_turn(p)
                leads = self.own_leads(p)
                if leads:
                    _, square = yield from self._ask(p, S_OWN, [code(OWN, s) for s in leads])
                    yield from self._attack_with_own_card(p, square, forced=True)
                self._turn_is_over()
        self.in_forced_round = False
        self._reshuffle()  # 8.5

    def own_leads(self, p: int) -> list[int]:
        """8.2, C28"""
        forbidden = {"all_but_king": {KING}, "numbers": {JACK, QUEEN, KING}, "all": set()}[self.rulings["forced_leads"]]
        return [s for s in sorted(self.castle[p]) if self.royal_at(p, s) not in forbidden]

    def _attack_with_own_card(self, p: int, square: int, forced: bool) -> Decision:
        royal = self.royal_at(p, square)
        card = self.castle[p].pop(square)
        self.revealed[p].discard(square)
        if royal != NOTHING:
            self.royals[p][royal] = NOTHING
        too_few = forced and len(self.deck) + len(self.discards) < self.data["ace"]["draw"]
        if self.power(card) == "ace" and not too_few:  # 8.4
            yield from self._ace(p, card, own=True)
        else:
            yield from self._ordinary_attack(p, card, royal=royal, own=True)

    # ------------------------------------------------------------ ordinary attacks (4)

    def _ordinary_attack(
        self, p: int, lead: int, royal: int = NOTHING, own: bool = False, first_target: int | None = None
    ) -> Decision:
        """4.1 - 4.10: the first target is given with ATTACK, or asked after an 8 has looked about and for an own card (P 2)."""
        attack = Attack(
            BY_ATTACK, p, self.data["ordinary"]["attack_dice"], self.value(lead), {suit_of(lead)}, lead, royal, lead
        )
        if (
            self.advanced["saboteur"] and royal == NOTHING and self.named_rank(lead, self.data["saboteur"]["rank"])
        ):  # 11.7
            attack.dice = self.data["saboteur"]["attack_dice"]
            attack.force = 0 if self.ruling("saboteur_attack", "dice_only") else attack.force
        (attack.cards if royal == NOTHING else attack.royals).append(lead)
        self.table.append(lead)
        self.attack = attack
        if first_target is None:
            if self.power(lead) == "spy":
                yield from self._spy(p)
            targets = self._ordinary_targets(p, attack.suits)
            if targets:
                _, first_target = yield from self._ask(p, S_TARGET, [code(ATTACK, t) for t in targets])
        if first_target is not None:
            called_off = yield from self._fights(attack, first_target)
            if called_off and not own:
                yield from self._keep_lead(attack)
        self._end_attack(attack)
        if royal == KING:  # C28 all
            self._out(p, None, BY_OWN_LEAD)

    def _fights(self, attack: Attack, target: int) -> Decision:
        """One fight after another, as long as wins and doubles carry the attack; True: it was called off."""
        p = attack.attacker
        berserk = False
        self._begin_with(attack, target)
        while True:
            named = (yield from self._name_more(attack, target)) if berserk else [target]
            outcome = yield from self._fight(attack, target, named)
            if outcome.called_off:
                return True
            again = outcome.double and self.ruling("double_anew", "yes")
            if outcome.dead_end or (outcome.king_fell and not again):
                return False
            berserk = False
            if outcome.double:
                wild = self.advanced["berserker"] and outcome.roll.double_six  # 11.4
                berserk = wild
                yield from self._extra_cards(attack, self.data["berserker"]["extra_cards"] if wild else 1)
            if not outcome.won and not outcome.double:
                return False
            nothing_left = outcome.king_fell or (outcome.won and target >= BARRICADE)
            if nothing_left and not again:
                return False
            if nothing_left:  # C47
                targets = self._ordinary_targets(p, attack.suits)
            else:
                targets = self._next_targets(attack, target, outcome.won)
            kind, chosen = yield from self._ask_or_end(
                p, S_TARGET, [code(ATTACK, t) for t in targets], may_end=self.ruling("follow_through", "optional")
            )
            if kind == END:
                return False
            if nothing_left:
                self._begin_with(attack, chosen)
            else:
                self._head_for(attack, target, chosen)
            target = chosen

    def _begin_with(self, attack: Attack, target: int) -> None:
        """The first target, or the first of an attack that begins anew."""
        attack.by = BY_BARRICADE if target >= BARRICADE else BY_ATTACK
        attack.won_square = NOTHING
        attack.heading = self._first_heading(target)

    def _extra_cards(self, attack: Attack, n: int) -> Decision:
        """6.1, C13, C46"""
        taken = []
        for _ in range(n):
            card = yield from self._take(attack.attacker)
            if card is not None:
                taken.append(card)
                self.table.append(card)
        for card in (yield from self._rally_some(attack.attacker, taken)):
            attack.cards.append(card)
            if self.ruling("extra_card_scope", "lasting"):
                attack.force += self.value(card)
            else:
                attack.boost += self.value(card)
            if self.ruling("royal_rule_suit", "any_card"):
                attack.suits.add(suit_of(card))

    def _ordinary_targets(self, p: int, suits: set[int]) -> list[int]:
        """P 2, "targets of an ordinary attack"."""
        castles = [q * CASTLE + s for q in self.opponents(p) for s in self.reachable(q) if not self.barred(q, s, suits)]
        return castles + [BARRICADE + s for s in sorted(self.barricades[p])]

    def barred(self, q: int, square: int, suits: set[int]) -> bool:
        """4.3: a revealed royal of a suit of the attack cannot be chosen."""
        return square in self.revealed[q] and self._protected(q, square, suits)

    def _protected(self, q: int, square: int, suits: set[int]) -> bool:
        """The Royal rule, C39."""
        return (
            self.ruling("royal_rule", "forbidden")
            and self.royal_at(q, square) != NOTHING
            and suit_of(self.castle[q][square]) in suits
        )

    def _next_targets(self, attack: Attack, target: int, won: bool) -> list[int]:
        """4.8, 6.1, C14"""
        if target >= BARRICADE:
            return [] if won else [target]
        q, square = divmod(target, CASTLE)
        squares: set[int] = set()
        stands = square in self.castle[q]
        if not won and stands:
            squares.add(square)
        if won or not stands or self.ruling("lost_double_target", "same_or_other"):
            squares |= set(self.reachable(q) if attack.won_square == NOTHING else self._follow(attack, q))
        return [q * CASTLE + s for s in sorted(squares) if not self.barred(q, s, attack.suits)]

    def _follow(self, attack: Attack, q: int) -> list[int]:
        """follow(W) of P 2; C10, C29."""
        if self.ruling("follow_directions", "left_right_down"):
            directions = [LEFT, RIGHT, DOWN]
        elif self.ruling("follow_directions", "any"):
            directions = [LEFT, RIGHT, DOWN, UP]
        else:
            directions = [d for d in (LEFT, RIGHT, DOWN, UP) if d != BACK[attack.heading]]
        squares = []
        for direction in directions:
            met = self._cards_met(q, attack.won_square, direction)
            jump = self.data["jack"]["jump"]
            if attack.lead_royal != JACK:
                squares += met[:1]
            elif self.ruling("jack_jump", "up_to_two"):
                squares += met[: 1 + jump]
            else:
                squares += [s for i, s in enumerate(met) if i in (0, jump - 1)]
        return squares

    def _cards_met(self, q: int, start: int, direction: int) -> list[int]:
        met, square = [], start + STEP[direction]
        while square >= 0 and self.inside(square):
            if square in self.castle[q]:
                met.append(square)
            square += STEP[direction]
        return met

    def _first_heading(self, target: int) -> int:
        """C10 relative: how the first target could be reached."""
        if target >= POOL:
            return NOTHING
        q, square = divmod(target, CASTLE)
        sides = self.open_sides(self.open_ground(q), square)
        return DOWN if UP in sides else RIGHT if LEFT in sides else LEFT

    def _head_for(self, attack: Attack, old: int, new: int) -> None:
        """C10 relative: the heading changes with the target."""
        if new == old or new >= POOL:
            return
        if attack.won_square == NOTHING:
            attack.heading = self._first_heading(new)
        else:
            q, square = divmod(new, CASTLE)
            attack.heading = next(
                d for d in (LEFT, RIGHT, DOWN, UP) if square in self._cards_met(q, attack.won_square, d)
            )

    def _name_more(self, attack: Attack, target: int) -> Decision:
        """11.4, C32: the cards of a berserk attack, the target first."""
        named = [target]
        if target >= POOL:
            return named
        q = target // CASTLE
        while True:
            squares = [t % CASTLE for t in named]
            others = [s for s in sorted(self.castle[q]) if s not in squares and not self.barred(q, s, attack.suits)]
            if self.ruling("berserk_group", "connected"):
                others = [s for s in others if any(near in squares for near in neighbours(s))]
            kind, square = yield from self._ask_or_end(attack.attacker, S_NAME, [code(NAME, s) for s in others])
            if kind == END:
                return named
            named.append(q * CASTLE + square)

    def _keep_lead(self, attack: Attack) -> Decision:
        """C7 placed: the drawn lead of a called-off attack."""
        places = self.places(attack.attacker)
        if self.ruling("called_off_lead", "placed") and places:
            _, square = yield from self._ask(attack.attacker, S_KEEP, [code(PLACE, s) for s in places])
            attack.cards.remove(attack.lead)
            self._place(attack.attacker, square, attack.lead)

    def _end_attack(self, attack: Attack) -> None:
        """4.10, C11"""
        for card in attack.cards:
            self.table.remove(card)
            self._discard(card)
        for card in attack.royals:
            self.table.remove(card)
            self._royal_leaves(card)
        attack.cards, attack.royals = [], []
        self.attack = None

    def _royal_leaves(self, card: int) -> None:
        """C11"""
        if self.ruling("dead_royals", "to_discard"):
            self._discard(card)
        else:
            self.gone.add(card)

    # ------------------------------------------------------------ Aces (7.2 - 7.8)

    def _ace(self, p: int, ace: int, own: bool = False) -> Decision:
        self.tally["aces"] += 1
        whole = Attack(BY_ARCHERS, p, 0, 0, {suit_of(ace)}, ace, cards=[ace])
        self.table.append(ace)
        self.attack = whole
        pair = []
        for _ in range(self.data["ace"]["draw"]):
            card = yield from self._take(p)
            if card is not None:
                pair.append(card)
                self.table.append(card)
        pair = yield from self._rally_some(p, pair)
        whole.cards += pair
        if len({rank_of(card) for card in pair}) > 1:
            _, first = yield from self._ask(p, S_FIRST, [code(FIRST, 0), code(FIRST, 1)])
            if first == 1:
                pair.reverse()
        combo_used = called_off = False
        for card in pair:
            combo = self.ranks[rank_of(card)]["with_ace"]
            if combo != "archers" and self.ruling("combo", "one_optional"):  # C19
                use = 0
                if not combo_used:
                    _, use = yield from self._ask(p, S_USE, [code(USE, 0), code(USE, 1)])
                combo = combo if use else "archers"
            combo_used = combo_used or combo != "archers"
            called_off = yield from self._use_card_of_ace(p, whole, card, combo)
            if called_off or not self.alive[p]:
                break
        self.attack = whole
        if called_off and not own:
            yield from self._keep_lead(whole)
        self._end_attack(whole)

    def _use_card_of_ace(self, p: int, whole: Attack, card: int, combo: str) -> Decision:
        """True: called off. What it beats lies set aside until the whole attack ends."""
        ace = whole.lead
        suits = {suit_of(ace), suit_of(card)} if self.ruling("royal_rule_suit", "any_card") else {suit_of(ace)}
        numbers = self.data[combo]
        attack = Attack(
            COMBOS[combo],
            p,
            numbers["dice"],
            self.value(card) if combo == "archers" else numbers["add"],
            suits,
            ace,
            card=card,
        )
        self.attack = attack
        called_off = yield from {"archers": self._archers, "ram": self._ram, "assassin": self._assassin}[combo](attack)
        whole.cards += attack.cards
        whole.royals += attack.royals
        return called_off

    def _archers(self, attack: Attack) -> Decision:
        """7.3, C25"""
        targets, p = [], attack.attacker
        for q in self.opponents(p):
            revealed, reachable = self.revealed[q], self.reachable(q)
            exposed = {"revealed": revealed, "reachable": set(reachable), "both": revealed | set(reachable)}[
                self.rulings["archer_target"]
            ]
            targets += [q * CASTLE + s for s in sorted(exposed) if row_of(s) > 0]
        targets += [POOL + card for card in self._enemy_reinforcements(p) if card not in self.pool_hidden]
        if not targets:
            self.tally["no_target"] += 1
            return False
        _, target = yield from self._ask(p, S_TARGET, [code(ATTACK, t) for t in targets])
        return (yield from self._fight(attack, target, [target])).called_off

    def _enemy_reinforcements(self, p: int) -> list[int]:
        return sorted(card for q in self.opponents(p) for card in self.pool[q])

    def _ram(self, attack: Attack) -> Decision:
        """7.4: along the Court, until a roll fails; the force is not reduced."""
        _, argument = yield from self._ask(
            attack.attacker,
            S_RAM,
            [code(RAM, q * 2 + side) for q in self.opponents(attack.attacker) for side in (0, 1)],
        )
        q, side = divmod(argument, 2)
        while True:
            court = [s for s in sorted(self.castle[q], reverse=side == 1) if row_of(s) == 0]
            if attack.won_square != NOTHING:
                court = [s for s in court if (s > attack.won_square) == (side == 0)]
            if not court or self.barred(q, court[0], attack.suits):
                return False
            target = q * CASTLE + court[0]
            outcome = yield from self._fight(attack, target, [target])
            if outcome.called_off or outcome.over or not outcome.won:
                return outcome.called_off

    def _assassin(self, attack: Attack) -> Decision:
        """7.5, C20"""
        p = attack.attacker
        hidden = [q * CASTLE + s for q in self.living_from(0) for s in self.hidden_squares(q)]
        kind, chosen = yield from self._ask_or_end(p, S_REVEAL, [code(TURN, t) for t in hidden])
        if kind == TURN:
            self._turn_over(chosen)
        targets = [
            q * CASTLE + s
            for q in self.opponents(p)
            for s in sorted(self.castle[q])
            if not self.barred(q, s, attack.suits)
        ]
        targets += [POOL + card for card in self._enemy_reinforcements(p)]
        targets += [JOKERS + q for q in self.opponents(p) if self.jokers[q]]
        kind, target = yield from self._ask_or_end(p, S_TARGET, [code(ATTACK, t) for t in targets])
        if kind == END:
            self.tally["no_target"] += 1
            return False
        attack.heading = self._first_heading(target)
        while True:
            outcome = yield from self._fight(attack, target, [target])
            if (
                outcome.called_off
                or outcome.over
                or not outcome.won
                or target >= POOL
                or self.ruling("assassin_follow", "none")
            ):
                return outcome.called_off
            q = target // CASTLE
            follow = [q * CASTLE + s for s in sorted(self._follow(attack, q)) if not self.barred(q, s, attack.suits)]
            kind, chosen = yield from self._ask_or_end(
                p, S_TARGET, [code(ATTACK, t) for t in follow], may_end=self.ruling("follow_through", "optional")
            )
            if kind == END:
                return False
            self._head_for(attack, target, chosen)
            target = chosen

    # ------------------------------------------------------------ eights (7.1)

    def _spy(self, p: int) -> Decision:
        """C18"""
        anything = self.ruling("eight_turns", "anything")
        cards = [
            q * CASTLE + s
            for q in self.living_from(0)
            for s in sorted(self.castle[q])
            if anything or self.royal_at(q, s) != JACK
        ]
        if anything:
            cards += [POOL + card for card in sorted(card for q in self.living_from(0) for card in self.pool[q])]
        kind, chosen = yield from self._ask_or_end(p, S_SPY, [code(TURN, t) for t in cards])
        if kind == TURN:
            self._turn_over(chosen)
            self.tally["spied"] += 1

    def _turn_over(self, target: int) -> None:
        if target >= POOL:
            self.pool_hidden ^= {target - POOL}
        else:
            q, square = divmod(target, CASTLE)
            if square in self.revealed[q]:
                self.revealed[q].remove(square)
            else:
                self._show(q, square)

    # ------------------------------------------------------------ a fight (4.2 - 4.9, 6, P 2)

    def _fight(self, attack: Attack, target: int, named: list[int]) -> Decision:
        """`named`: the target, and the other cards of a berserk attack."""
        self.target = target
        attacker, defender = attack.attacker, self._defender(target)
        squares = [t % CASTLE for t in named] if target < POOL else []
        turned_up = [s for s in squares if s not in self.revealed[defender]]
        fresh = turned_up
        if self.ruling("saboteur_again", "once"):
            fresh = [s for s in turned_up if self.castle[defender][s] not in self.shown_once]
        for square in turned_up:
            self._show(defender, square)

        if attack.by != BY_COUNTER and any(self._protected(defender, s, attack.suits) for s in squares):  # 4.3
            self.tally["called_off"] += 1
            if self.ruling("called_off_target", "turned_back"):
                self.revealed[defender] -= set(turned_up)
            return Outcome(called_off=True)

        if squares and self._spies_in_defence(self.castle[defender][squares[0]], squares[0] in turned_up):  # 4.4
            yield from self._spy(defender)

        if JOKERS <= target < BARRICADE and self.ruling("joker_defence", "none"):  # C31
            self._falls(attack, target)
            return Outcome(won=True)

        added = {attacker: [], defender: []}
        added[attacker] = yield from self._add(attacker, shunned=self._shunned(attack, defender, squares))
        if self.alive[defender]:
            added[defender] = yield from self._add(defender, under_attack=target - POOL)

        attack_roll = self._roll(L_ATTACK, attack.dice)
        defence_roll = self._roll(L_DEFENCE, self._defence_dice(defender, target, squares))
        bonus, bonus_snake_eyes = self._bonus_dice(defence_roll)
        defence_total = defence_roll.total + bonus + self._defence_value(defender, target, squares, turned_up, fresh)
        attack_total = (
            attack_roll.total + attack.force + attack.boost + self._attack_modifiers(attack, defender, target, squares)
        )
        attack_total += self._support(attack, attacker, added[attacker])
        defence_total += self._support(attack, defender, added[defender]) + self._defence_modifiers(attack)
        attack.boost = 0
        for player, cards in added.items():
            self._reinforcements_used(attack, player, cards)

        self.tally["attacks"] += 1
        outcome = Outcome(won=attack_total > defence_total, tied=attack_total == defence_total, roll=attack_roll)
        struck = self._card_at(target)
        if outcome.won:
            self.tally["attacks_won"] += 1
            if any([self._falls(attack, t) for t in named]):
                self._out(defender, attacker, attack.by)
                outcome.king_fell = True
                return outcome
            attack.won_square = squares[0] if squares else attack.won_square

        if attack_roll.snake_eyes:  # 6.3
            yield from self._remove(defender, attacker)
        if defence_roll.snake_eyes or bonus_snake_eyes:
            yield from self._remove(attacker, defender)
        if self._provokes(attack, struck, outcome):
            yield from self._counter_strike(attack, defender)
            outcome.dead_end = not self.alive[attacker]
        return outcome

    def _defender(self, target: int) -> int:
        if target >= BARRICADE:
            return self.barricades[self.attack.attacker][target - BARRICADE][2]
        if target >= JOKERS:
            return target - JOKERS
        if target >= POOL:
            return next(q for q in self.players if target - POOL in self.pool[q])
        return target // CASTLE

    def _card_at(self, target: int) -> int:
        """The card of a target; a Joker is none (11.5)."""
        if target >= BARRICADE:
            return self.barricades[self.attack.attacker][target - BARRICADE][0]
        if target >= POOL:
            return target - POOL if target < JOKERS else NOTHING
        return self.castle[target // CASTLE][target % CASTLE]

    def _spies_in_defence(self, card: int, turned_up: bool) -> bool:
        """C17"""
        return self.power(card) == "spy" and (turned_up or self.ruling("eight_trigger", "each_defence"))

    # -------------------- reinforcements (4.5)

    def _shunned(self, attack: Attack, defender: int, squares: list[int]) -> set[int]:
        """C21 any_card: suits that would bar a target."""
        if (
            attack.by == BY_COUNTER
            or not self.ruling("royal_rule_suit", "any_card")
            or not self.ruling("royal_rule", "forbidden")
        ):
            return set()
        return {suit_of(self.castle[defender][s]) for s in squares if self.royal_at(defender, s) != NOTHING}

    def _add(self, p: int, shunned: Iterable[int] = (), under_attack: int = NOTHING) -> Decision:
        """Cards of the pool in ascending order, until END; returns them."""
        added: list[int] = []
        while True:
            cards = [
                c
                for c in sorted(self.pool[p])
                if c > max(added, default=NOTHING) and c != under_attack and suit_of(c) not in shunned
            ]
            kind, card = yield from self._ask_or_end(p, S_ADD, [code(ADD, c) for c in cards])
            if kind == END:
                return added
            added.append(card)
            self.pool[p].remove(card)
            self.pool_hidden.discard(card)
            self.table.append(card)
            self.tally["added"] += 1

    def _support(self, attack: Attack, p: int, added: list[int]) -> int:
        """What both sides count: reinforcements, and Jokers (11.1)."""
        jokers = len(self.jokers[p]) * self.data["joker"]["bonus"]
        return sum(self.value(card) for card in added) + attack.kept.get(p, 0) + jokers

    def _reinforcements_used(self, attack: Attack, p: int, added: list[int]) -> None:
        """C8"""
        for card in added:
            if self.ruling("reinforcement_scope", "whole_attack"):
                attack.kept[p] = attack.kept.get(p, 0) + self.value(card)
                attack.cards.append(card)
                attack.support.append(card)
                if p == attack.attacker and self.ruling("royal_rule_suit", "any_card"):
                    attack.suits.add(suit_of(card))
            else:
                self.table.remove(card)
                self._discard(card)

    # -------------------- dice (4.6, 6, 11.9)

    def _throw(self, purpose: int, n: int) -> list[int]:
        if self.ruling("random_source", "cards"):
            return [self._pick(purpose) for _ in range(n)]
        return [self.luck.below(purpose, self.data["dice"]["sides"]) + 1 for _ in range(n)]

    def _pick(self, purpose: int) -> int:
        """11.9, C44: the rank of a card, from 1; 0: a Joker, or none to be had."""
        if self.ruling("cards_from", "full_pack") or purpose == L_CONTEST:
            return self.luck.below(purpose, 13) + 1
        card = self._top_card()
        if card is None:
            return 0
        self._discard(card)
        return rank_of(card) + 1 if card < FIRST_JOKER else 0

    def _worth(self, face: int) -> int:
        return min(face, 12) if self.ruling("random_source", "cards") else face

    def _is_double(self, a: int, b: int) -> bool:
        """Other than 1-1."""
        return self._is_king(a, b) or (a == b and a > 1)

    def _is_king(self, a: int, b: int) -> bool:
        """11.9: a King is a double by itself, and a double six."""
        return self.ruling("random_source", "cards") and 13 in (a, b)

    def _roll(self, purpose: int, n: int) -> Roll:
        """C12"""
        if self.ruling("random_source", "cards") and self.ruling("card_replaces", "throw"):
            return self._roll_by_cards(purpose, n)
        faces = self._throw(purpose, n)
        if n == 2:
            pairs = [(faces[0], faces[1])]
        elif self.ruling("multi_dice_doubles", "never"):
            pairs = []
        elif self.ruling("multi_dice_doubles", "each_pair"):
            pairs = [(faces[i], faces[i + 1]) for i in range(0, n - 1, 2)]
        else:
            pairs = [(faces[i], faces[j]) for j in range(n) for i in range(j)]
        return Roll(
            faces,
            sum(self._worth(face) for face in faces),
            double=any(self._is_double(a, b) for a, b in pairs),
            snake_eyes=(1, 1) in pairs,
            double_six=any((a, b) == (6, 6) or self._is_king(a, b) for a, b in pairs),
        )

    def _roll_by_cards(self, purpose: int, n: int) -> Roll:
        """11.9, C43: a card for two dice, half a card for an odd one."""
        faces = self._throw(purpose, n // 2 + n % 2)
        values = [self._worth(face) for face in faces]
        whole = faces[: n // 2]
        if n % 2:
            values[-1] = (values[-1] + 1) // 2
        counts = n == 2 or not self.ruling("multi_dice_doubles", "never")
        king = counts and 13 in whole
        ace = counts and 1 in whole and self.ruling("ace_as_throw", "snake_eyes")
        return Roll(faces, sum(values), double=king, snake_eyes=ace, double_six=king)

    def _bonus_dice(self, roll: Roll) -> tuple[int, bool]:
        """6.2, C15, C51: what they add, and whether they show snake eyes."""
        bonus, snake_eyes, again = 0, False, roll.double
        own_deck = self.ruling("random_source", "cards") and self.ruling("cards_from", "deck")  # C44: no chain
        while again:
            two = self._roll(L_DEFENCE, 2)
            bonus += two.total
            snake_eyes |= two.snake_eyes
            again = self.ruling("defence_chain", "chain") and not own_deck and two.double
        return bonus, snake_eyes and self.ruling("bonus_snake_eyes", "count")

    # -------------------- numbers of a fight (4.6, table)

    def _equal_cards_beside(self, q: int, first: int) -> list[int]:
        """11.6, C34: revealed equal cards that touch this one add their values."""
        if not self.advanced["same_number_defence"] or self.royal_at(q, first) != NOTHING:
            return []
        group = [first]
        for square in group:
            if square == first or self.ruling("same_number_group", "connected"):
                beside = [square - 1, square + 1] if self.ruling("same_number_sides", "row") else neighbours(square)
                group += [s for s in beside if s not in group and self._same_number(q, s, first)]
        return group[1:]

    def _same_number(self, q: int, square: int, first: int) -> bool:
        castle = self.castle[q]
        return (
            square in castle
            and square in self.revealed[q]
            and self.royal_at(q, square) == NOTHING
            and rank_of(castle[square]) == rank_of(castle[first])
        )

    def _is_saboteur(self, q: int, square: int) -> bool:
        return (
            self.advanced["saboteur"]
            and self.royal_at(q, square) == NOTHING
            and self.named_rank(self.castle[q][square], self.data["saboteur"]["rank"])
        )

    def _defence_dice(self, q: int, target: int, squares: list[int]) -> int:
        if target >= BARRICADE:
            return 0 if self.ruling("barricade_dice", "nobody") else self.data["barricade"]["dice"]
        if target >= JOKERS:
            return self.data["joker"]["defence_dice"]
        if len(squares) == 1:
            if self.royal_at(q, squares[0]) == KING:
                return self.data["king"]["defence_dice" if self.lives(q, QUEEN) else "defence_dice_without_queen"]
            if self._is_saboteur(q, squares[0]):
                return self.data["saboteur"]["defence_dice"]
        return self.data["ordinary"]["defence_dice"]

    def _defence_value(self, q: int, target: int, squares: list[int], turned_up: list[int], fresh: list[int]) -> int:
        """`fresh`: of those the fight turned up, a Saboteur's first time (C52)."""
        if target >= BARRICADE:
            return self.data["barricade"]["add"]
        if target >= JOKERS:
            return self.data["joker"]["defence_add"]
        if target >= POOL:
            return self.value(target - POOL)
        if len(squares) > 1:  # 11.4
            return sum(self.value(self.castle[q][s]) for s in squares)
        first = squares[0]
        value = self.value(self.castle[q][first])
        if self._is_saboteur(q, first):
            value = self.data["saboteur"]["hidden_add" if first in fresh else "revealed_add"]
        if first in turned_up and self.ruling("same_number_shown", "before"):
            return value
        return value + sum(self.value(self.castle[q][s]) for s in self._equal_cards_beside(q, first))

    def _attack_modifiers(self, attack: Attack, defender: int, target: int, squares: list[int]) -> int:
        total = 0
        queen = any(self.royal_at(defender, s) == QUEEN for s in squares)
        if queen or (squares and self.ruling("queen_protects", "all_cards") and self.lives(defender, QUEEN)):  # C24
            total += self.data["queen"]["modifier"]
        if self.advanced["same_suit"] and attack.lead != NOTHING:  # 11.7
            cards = [self.castle[defender][s] for s in squares]
            cards += [target - POOL] if POOL <= target < JOKERS else []
            cards += [self.barricades[attack.attacker][target - BARRICADE][0]] if target >= BARRICADE else []
            if any(suit_of(card) == suit_of(attack.lead) for card in cards):
                total += self.data["same_suit"]["modifier"]
        return total

    def _defence_modifiers(self, attack: Attack) -> int:
        """A Queen who leads, C24."""
        weakened = attack.lead_royal == QUEEN or (
            self.ruling("queen_protects", "all_cards") and self.lives(attack.attacker, QUEEN)
        )
        return self.data["queen"]["modifier"] if weakened else 0

    # -------------------- outcomes (4.8, 6.3, 11.5)

    def _falls(self, attack: Attack, target: int) -> bool:
        """The target leaves and is set aside; True: it was a King."""
        royal = NOTHING
        if target >= BARRICADE:
            card = self.barricades[attack.attacker].pop(target - BARRICADE)[0]
        elif target >= JOKERS:  # 11.2
            card = min(self.jokers[target - JOKERS])
            self.jokers[target - JOKERS].remove(card)
        elif target >= POOL:
            card = target - POOL
            self.pool[self._defender(target)].remove(card)
            self.pool_hidden.discard(card)
        else:
            q, square = divmod(target, CASTLE)
            royal = self.royal_at(q, square)
            card = self.castle[q].pop(square)
            self.revealed[q].discard(square)
            if royal != NOTHING:
                self.royals[q][royal] = NOTHING
                self.tally["royals_lost"] += 1
        self.table.append(card)
        (attack.cards if royal == NOTHING else attack.royals).append(card)
        if attack.by != BY_RAM:  # 7.4
            attack.force -= self.value(card)
        return royal == KING

    def _remove(self, by: int, owner: int) -> Decision:
        """6.3, C16"""
        if not (self.alive[by] and self.alive[owner]):
            return
        outside = [s for s in sorted(self.castle[owner]) if row_of(s) > 0]
        hidden = [s for s in outside if s not in self.revealed[owner]]
        kind, square = yield from self._ask_or_end(
            by, S_REMOVE, [code(REMOVE, s) for s in hidden or outside], may_end=self.ruling("snake_eyes", "may")
        )
        if kind == REMOVE:
            self._discard(self.castle[owner].pop(square))
            self.revealed[owner].discard(square)
            self.tally["removals"] += 1

    def _provokes(self, attack: Attack, struck: int, outcome: Outcome) -> bool:
        """11.5, C33, C42, C50"""
        if not self.advanced["same_number_attack"] or attack.by == BY_COUNTER:
            return False
        if struck == NOTHING or outcome.won:
            return False
        if self.ruling("counter_attacks", "ordinary") and (attack.by != BY_ATTACK or self.target >= POOL):
            return False
        if outcome.tied and self.ruling("counter_on_tie", "no"):
            return False
        if self.ruling("same_number_means", "number"):
            return rank_of(attack.card) == rank_of(struck)
        return self.value(attack.card) == self.value(struck)

    def _counter_strike(self, provoking: Attack, striker: int) -> Decision:
        """11.5: its reinforcements are its own; what it beats lies with the set-aside cards of the attack that provoked it."""
        q = provoking.attacker
        squares = self.reachable(q) if self.ruling("counter_target", "reachable") else sorted(self.castle[q])
        targets = [code(ATTACK, q * CASTLE + s) for s in squares]
        if not targets or not self.alive[striker]:
            return
        _, target = yield from self._ask(striker, S_COUNTER, targets)
        numbers = self.data["counter_strike"]
        counter = Attack(BY_COUNTER, striker, numbers["dice"], numbers["add"], set())
        self.attack = counter
        yield from self._fight(counter, target, [target])
        for card in [card for card in counter.cards if card in counter.support]:
            counter.cards.remove(card)
            self.table.remove(card)
            self._discard(card)
        provoking.cards += counter.cards
        provoking.royals += counter.royals
        self.attack = provoking

    # ------------------------------------------------------------ Jokers (11.1 - 11.3)

    def _contest(self, drawer: int, joker: int) -> Decision:
        self.table.append(joker)
        order = self.living_from(drawer)
        added = {}
        for p in order:
            added[p] = yield from self._add(p)
        contenders = order
        while len(contenders) > 1:
            totals = {
                p: self._roll(L_CONTEST, self.data["joker"]["contest_dice"]).total
                + sum(self.value(c) for c in added[p])
                for p in contenders
            }
            contenders = [p for p in contenders if totals[p] == max(totals.values())]
        winner = contenders[0]
        for card in [card for cards in added.values() for card in cards]:
            self.table.remove(card)
            self._discard(card)
        for q in self.players:
            if q != winner:
                for card in self.jokers[q]:
                    self._discard(card)
                self.jokers[q] = set()
        self.table.remove(joker)
        self.jokers[winner].add(joker)

    # ------------------------------------------------------------ out (10.1)

    def _out(self, q: int, killer: int | None, by: str) -> None:
        """His King is dead. C23: what becomes of his cards."""
        self.place[q] = sum(self.alive)
        self.out[q] = self.turn
        self.tally[f"kings_by_{by}"] += 1
        self.alive[q] = False
        for square in [s for s in self.castle[q] if self.royal_at(q, s) != NOTHING]:
            self._royal_leaves(self.castle[q].pop(square))
            self.revealed[q].discard(square)
        self.royals[q] = [NOTHING] * 3
        if not self.ruling("dead_player_cards", "walls"):
            for card in {*self.pool[q], *self.castle[q].values()}:
                if self.ruling("dead_player_cards", "to_killer") and killer is not None:
                    self.pool[killer].add(card)
                    self.pool_hidden.discard(card)
                else:
                    self._discard(card)
            self.castle[q], self.revealed[q], self.pool[q] = {}, set(), set()
        for card in [*self.jokers[q], *(laid[0] for laid in self.barricades[q].values())]:
            self._discard(card)
        self.jokers[q], self.barricades[q] = set(), {}
        if sum(self.alive) == 1:
            raise _GameEnds(END_LAST_KING)
