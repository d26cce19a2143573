"""A table to set up positions of Castle on, with loaded dice: for tests that put one position into one rule.

Cards are written 8C, 10H, AS, JS, QH, KS (suits clubs, diamonds, hearts, spades), Jokers *1 and *2. A castle is drawn as a picture, the Court in the last line:

    8C+ 2D  .
    9C  JS QH KS

`.` is an empty cell, `+` a card that lies face up (a royal Jack always does, with `-` not), `~` a Jack, Queen or King that is nobody's royal (C11).
"""

from functools import cache

from bartizan.simcore.arrays import as_records
from bartizan.simcore.castle.components import (
    ARGUMENTS,
    BARRICADE_TARGET,
    CARDS,
    CASTLE,
    FIRST_JOKER,
    FIRST_ROYAL_RANK,
    JOKER_TARGET,
    NONE,
    POOL_TARGET,
    RANKS,
    ROYALS,
    SIDES,
    SQUARES,
    SUITS,
    WIDTH,
    Act,
    Event,
    Luck,
    Side,
    Stage,
    Step,
)
from bartizan.simcore.castle.engine import ENGINE
from bartizan.simcore.castle.rules.grid import lay_bars, put
from bartizan.simcore.castle.schema import Advanced
from bartizan.simcore.game import load_game
from bartizan.simcore.scenario.loading import load_scenario
from tests.loaded_dice import word_for
from tests.table import BaseTable

GAME = load_game("castle")
RANK_NAMES = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUIT_NAMES = "CDHS"
SEEN_BY_ALL = 255
CARD_FACES = 13  # C37
FIRST_COLUMN = 3  # where the castles begin that a test says nothing of


@cache
def scenario_of(changes: frozenset):
    return load_scenario(GAME, sets=dict(changes))


@cache
def tables_of(changes: frozenset):
    return as_records(ENGINE.build_tables(scenario_of(changes)))[0]


def path_of(key: str) -> str:
    """`jokers` is an advanced rule, other names without a dot are rulings."""
    return key if "." in key else f"advanced.{key}" if key in Advanced.model_fields else f"rulings.{key}"


def card(name: str) -> int:
    if name.startswith("*"):
        return FIRST_JOKER + int(name[1:]) - 1
    return SUIT_NAMES.index(name[-1]) * RANKS + RANK_NAMES.index(name[:-1])


def name_of(c: int) -> str:
    return f"*{c - FIRST_JOKER + 1}" if c >= FIRST_JOKER else RANK_NAMES[c % RANKS] + SUIT_NAMES[c // RANKS]


def cards(*names: str) -> int:
    """A bit mask over cards."""
    return sum(1 << card(name) for name in names)


def names_of(mask: int) -> set[str]:
    return {name_of(c) for c in range(CARDS) if int(mask) >> c & 1}


def sq(r: int, c: int) -> int:
    """PROTOCOL.md 1: a square by row and column, both counted from 0; column -1 is the border."""
    return r * WIDTH + c + 1


def cell(s: int) -> tuple[int, int]:
    return s // WIDTH, s % WIDTH - 1


def at(q: int, r: int, c: int) -> int:
    """A castle square as target."""
    return q * CASTLE + sq(r, c)


def pooled(name: str) -> int:
    """A reinforcement as target."""
    return POOL_TARGET + card(name)


def joker_of(q: int) -> int:
    return JOKER_TARGET + q


def barricade(r: int, c: int) -> int:
    """A barricade in the own castle as target."""
    return BARRICADE_TARGET + sq(r, c)


def laid(q: int, r: int, c: int, side: Side) -> int:
    """The argument of LAY."""
    return at(q, r, c) * SIDES + side


class Table(BaseTable):
    """One game. Table(3, jokers=1, snake_eyes="must") plays with three players, an advanced rule and a reading; keys with a dot are any number of the scenario.

    After `Table()` the set-up is over and player 0 is at the beginning of turn 1. Every castle is Queen, Jack, King in the middle of the Court, of clubs, diamonds,
    hearts, spades for players 0 to 3; all number cards are in the deck, the ace of clubs on top. `Table(begun=False)` stands at the set-up.
    """

    engine, arguments, acts, stages = ENGINE, ARGUMENTS, Act, Stage

    def __init__(self, players: int = 2, begun: bool = True, seed: int = 1, game: int = 0, **sets):
        key = frozenset({"players.count": players, **{path_of(name): value for name, value in sets.items()}}.items())
        self.scenario = scenario_of(key)
        super().__init__(tables_of(key), seed, game)
        if begun:
            self._begin(players)

    # ------------------------------------------------------------ setting up

    def _begin(self, players: int) -> None:
        s = self.state
        s.seen_by[:] = 0
        s.castle[:], s.occupied[:], s.up[:], s.royal[:] = NONE, 0, 0, NONE
        self._stack(
            [c for c in range(FIRST_JOKER) if c % RANKS < FIRST_ROYAL_RANK]
            + [FIRST_JOKER + i for i in range(self.tables.jokers)]
        )
        for p in range(players):
            self.castle(
                p,
                " ".join(f"{rank}{SUIT_NAMES[p]}" for rank in "QJK"),
                at=min(FIRST_COLUMN, int(self.tables.columns) - ROYALS),
            )
        s.turn = 1
        self.turn(0)

    def turn(self, p: int) -> "Table":
        """Player p is at the beginning of his turn; a card that somebody has just drawn goes back onto the deck."""
        s = self.state
        if s.stage == Stage.CARD:
            self._stack([int(s.drawn)] + self._deck())
        s.on_turn = s.to_move = p
        s.stage, s.after, s.drawn = Stage.TURN, Step.DRAW, NONE
        return self

    def castle(self, p: int, picture: str, at: int = 0) -> "Table":
        """Lay out a castle; `at` is the column of the picture's left edge. Its former number cards go under the deck."""
        s = self.state
        rows = [line.split() for line in reversed(picture.strip().splitlines())]
        wanted = {card(text.rstrip("+-~")) for row in rows for text in row if text != "."}
        old = [int(c) for c in s.castle[p] if c != NONE]
        s.castle[p], s.occupied[p], s.up[p], s.royal[p] = NONE, 0, 0, NONE
        self._stack(self._deck() + [c for c in old if c % RANKS < FIRST_ROYAL_RANK])
        self._give_way(p, wanted)
        for r, row in enumerate(rows):
            for c, text in enumerate(row, at):
                if text != ".":
                    self._put(p, sq(r, c), text)
        assert ENGINE.check(s, self.tables) == ""
        return self

    def _put(self, p: int, square: int, text: str) -> None:
        s, it = self.state, card(text.rstrip("+-~"))
        royal = it % RANKS - FIRST_ROYAL_RANK if "~" not in text else NONE
        self._lift(it)
        s.seen_by[it] = 1 << p
        put(s, p, square, it, "+" in text or (royal == 0 and "-" not in text))
        if royal >= 0:
            assert square < WIDTH and s.royal[p, royal] == NONE, "royals stand in the Court, one of each"
            s.royal[p, royal] = it

    def _give_way(self, p: int, wanted: set[int]) -> None:
        """Royals of other castles get another suit where this castle is to have theirs."""
        s = self.state
        for q in range(int(self.tables.players)):
            for k in range(ROYALS):
                royal = int(s.royal[q, k])
                if q != p and royal in wanted:
                    taken = wanted | {int(c) for c in s.castle.ravel()}
                    other = next(
                        suit * RANKS + royal % RANKS
                        for suit in range(SUITS)
                        if suit * RANKS + royal % RANKS not in taken
                    )
                    s.castle[q][s.castle[q] == royal] = other
                    s.seen_by[other], s.royal[q, k] = s.seen_by[royal], other

    def _lift(self, c: int) -> None:
        """Out of the deck or the discards; spare court cards are out of the game before."""
        deck = self._deck()
        if c in deck:
            deck.remove(c)
            self._stack(deck)
        elif int(self.state.discards) >> c & 1:
            self.state.discards &= ~(1 << c)
        else:
            assert FIRST_ROYAL_RANK <= c % RANKS and c < FIRST_JOKER, f"{name_of(c)} is in use"

    def _deck(self) -> list[int]:
        return self.state.deck[self.state.deck_next : self.state.deck_size].tolist()

    def _stack(self, deck: list[int]) -> None:
        s = self.state
        s.deck[: len(deck)], s.deck_next, s.deck_size = deck, 0, len(deck)
        for c in deck:
            s.seen_by[c] = 0

    def deck(self, *names: str) -> "Table":
        """The next cards of the deck."""
        for name in reversed(names):
            self._lift(card(name))
            self._stack([card(name)] + self._deck())
        return self

    def only(self, *names: str, discards: tuple[str, ...] = ()) -> "Table":
        """The deck has these cards and no more, the discard pile those; everything else that lay there is out of the game."""
        s = self.state
        for name in (*names, *discards):
            self._lift(card(name))
        s.gone |= sum(1 << c for c in self._deck()) | s.discards
        s.discards = 0
        self._stack([card(name) for name in names])
        return self.discard(*discards, lifted=True)

    def discard(self, *names: str, lifted: bool = False) -> "Table":
        for name in names:
            if not lifted:
                self._lift(card(name))
            self.state.discards |= 1 << card(name)
            self.state.seen_by[card(name)] = SEEN_BY_ALL
        return self

    def pool(self, p: int, *names: str) -> "Table":
        """Reinforcements of a player."""
        for name in names:
            self._lift(card(name))
            self.state.pool[p] |= 1 << card(name)
            self.state.seen_by[card(name)] = SEEN_BY_ALL
        return self

    def jokers(self, p: int, *names: str) -> "Table":
        for name in names:
            self._lift(card(name))
            self.state.jokers[p] |= 1 << card(name)
            self.state.seen_by[card(name)] = SEEN_BY_ALL
        return self

    def barricade(self, q: int, r: int, c: int, name: str, side: Side, by: int) -> "Table":
        """A barricade in q's castle, laid by another player."""
        s = self.state
        self._lift(card(name))
        s.barricade[q, sq(r, c)], s.barricade_side[q, sq(r, c)], s.barricade_by[q, sq(r, c)] = card(name), side, by
        s.seen_by[card(name)] = SEEN_BY_ALL
        lay_bars(s, self.tables, q)
        return self

    # ------------------------------------------------------------ dice

    def dice(
        self, attack: tuple[int, ...] = (), defence: tuple[int, ...] = (), contest: tuple[int, ...] = ()
    ) -> "Table":
        """Load the dice: the next ones show these faces (C37: 1 to 13, King 13)."""
        cut_from_cards = self.scenario.model.rulings["random_source"] == "cards"
        for stream, faces in ((Luck.ATTACK, attack), (Luck.DEFENCE, defence), (Luck.CONTEST, contest)):
            if faces:
                self.state.luck[stream] = word_for(
                    tuple(faces), CARD_FACES if cut_from_cards else self.scenario.model.dice.sides
                )
        return self

    # ------------------------------------------------------------ playing

    def targets(self) -> set[int]:
        """What may be attacked."""
        return set(self.args(Act.ATTACK))

    def cells(self, q: int = 1, kind: Act = Act.ATTACK) -> set[tuple[int, int]]:
        """(row, column) of the cards of castle q that may be attacked (or turned)."""
        return {cell(t % CASTLE) for t in self.args(kind) if t // CASTLE == q and t < POOL_TARGET}

    def spots(self, kind: Act = Act.PLACE) -> set[tuple[int, int]]:
        """(row, column) of actions that name a square and no castle."""
        return {cell(s) for s in self.args(kind)}

    def draw(self, name: str) -> "Table":
        """The player on turn draws this card."""
        return self.deck(name).play(Act.DRAW)

    def attack(self, r: int, c: int, q: int = 1) -> "Table":
        return self.play(Act.ATTACK, at(q, r, c))

    def place(self, r: int, c: int) -> "Table":
        return self.play(Act.PLACE, sq(r, c))

    def end(self) -> "Table":
        return self.play(Act.END)

    def add(self, *names: str) -> "Table":
        """Reinforcements, one after the other."""
        for name in names:
            self.play(Act.ADD, card(name))
        return self

    # ------------------------------------------------------------ looking

    @property
    def rolls(self) -> list[tuple[int, int, bool]]:
        """(attack total, defence total, won) of the rolls that the last action brought about."""
        return [(a, b, bool(c)) for event, a, b, c in self.events() if event == Event.ROLL]

    @property
    def roll(self) -> tuple[int, int, bool]:
        assert len(self.rolls) == 1, f"{len(self.rolls)} rolls"
        return self.rolls[0]

    def card(self, q: int, r: int, c: int) -> str:
        """The card of a cell, "" if it is empty."""
        it = int(self.state.castle[q, sq(r, c)])
        return "" if it == NONE else name_of(it)

    def layout(self, q: int) -> dict[tuple[int, int], str]:
        return {cell(s): name_of(int(it)) for s, it in enumerate(self.state.castle[q]) if it != NONE}

    def up(self, q: int, r: int, c: int) -> bool:
        return bool(int(self.state.up[q]) >> sq(r, c) & 1)

    def shown(self, q: int) -> set[tuple[int, int]]:
        """The cells of castle q whose cards lie face up."""
        return {cell(s) for s in range(SQUARES) if int(self.state.up[q]) >> s & 1}

    def seen_by(self, name: str) -> set[int]:
        """Players who know the card."""
        return {p for p in range(int(self.tables.players)) if int(self.state.seen_by[card(name)]) >> p & 1}

    def discarded(self) -> set[str]:
        return names_of(self.state.discards)

    def gone(self) -> set[str]:
        return names_of(self.state.gone)

    def pool_of(self, p: int) -> set[str]:
        return names_of(self.state.pool[p])

    def jokers_of(self, p: int) -> set[str]:
        return names_of(self.state.jokers[p])

    def next_cards(self) -> list[str]:
        """The deck, next card first."""
        return [name_of(c) for c in self._deck()]

    def lives(self, p: int) -> bool:
        return bool(self.state.alive[p])

    def is_over(self) -> bool:
        return bool(self.state.end_reason)
