"""A table to set up positions of Escape from Colditz on, with loaded dice: for tests that put one position into one rule."""

from functools import cache

import numpy as np

from bartizan.simcore import rng
from bartizan.simcore.arrays import as_records
from bartizan.simcore.colditz.components import (
    APPEL,
    ARGUMENTS,
    GERMAN,
    GUARDS,
    NONE,
    TEAM,
    Act,
    Equipment,
    Luck,
    Place,
    Stage,
    Step,
    Tunnel,
)
from bartizan.simcore.colditz.engine import ENGINE
from bartizan.simcore.game import load_game
from bartizan.simcore.scenario.loading import load_scenario
from tests.loaded_dice import word_for
from tests.table import BaseTable

GAME = load_game("colditz")
GERMAN_TURN = 7  # PROTOCOL.md 4: index of his turn in the luck of a round
GUARD = 64  # `on`: guard g as GUARD + g
MASK = (1 << 64) - 1
M1, M2, GOLDEN = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB, int(rng.GOLDEN)


@cache
def scenario_of(changes: frozenset):
    return load_scenario(GAME, sets=dict(changes))


@cache
def tables_of(changes: frozenset):
    return as_records(ENGINE.build_tables(scenario_of(changes)))[0]


class Table(BaseTable):
    """One game. Table(2, lone_pow="either_end") plays with two Allied players and a reading; keys with a dot are any number of the scenario.

    After `Table()` the set-up is over: everybody in the Appel, no guard posted, round 1, player 0 has thrown 10 points. `Table(begun=False)` stands at the set-up.
    """

    engine, arguments, acts, stages = ENGINE, ARGUMENTS, Act, Stage

    def __init__(self, players: int = 1, begun: bool = True, seed: int = 1, game: int = 0, **sets):
        changes = {key if "." in key else f"rulings.{key}": value for key, value in sets.items()}
        key = frozenset({"players.allied": players, **changes}.items())
        self.scenario = scenario_of(key)
        model = self.scenario.model
        self.cards, self.orders = list(model.opportunity), list(model.security)
        super().__init__(tables_of(key), seed, game)
        if begun:
            self.state["round"] = 1
            self.turn(0)

    # ------------------------------------------------------------ setting up

    def turn(self, player: int, points: int = 10, releases: int = 0) -> "Table":
        """An Allied player has made his throw and is asked what to do."""
        return self._turn(player, 0, points, releases)

    def german(self, points: int = 10) -> "Table":
        """The German has made his throw and is asked what to do."""
        return self._turn(int(self.tables.players), GERMAN, points, 0)

    def _turn(self, player: int, seat: int, points: int, releases: int) -> "Table":
        s = self.state
        s.on_turn, s.to_move, s.points, s.releases = player, seat, points, releases
        s.player = 0 if seat == GERMAN else player
        s.moved = (1 << player) - 1 if seat == GERMAN else (2 << player) - 1
        s.stage, s.after, s.picked, s.mover, s.chaser = Stage.TURN, Step.TURN, NONE, NONE, NONE
        s.stayed = s.halted = s.gives = s.claims = s.posted = s.no_posting = 0
        return self

    def pows(self, places: dict[int, int]) -> "Table":
        """{w: circle or Place}, on the surface."""
        for w, c in places.items():
            self._lift(w)
            self.state.pow_at[w] = c
            if c > APPEL:
                assert self.state.on[c] == 0
                self.state.on[c] = w + 1
        return self

    def below(self, tunnel: str, places: dict[int, int], had_two: bool = True) -> "Table":
        """{w: circle} inside a tunnel, which is open."""
        t = self.t(tunnel)
        self.state.tunnel[t] = Tunnel.OPEN
        self.state.had_two[t] = had_two
        for w, c in places.items():
            self._lift(w)
            assert self.tables.board.tunnel_of[c] == t and self.state.below[c] == 0
            self.state.pow_at[w], self.state.under[w], self.state.below[c] = c, t, w + 1
        return self

    def _lift(self, w: int) -> None:
        s = self.state
        if s.pow_at[w] > APPEL:
            (s.on if s.under[w] == NONE else s.below)[s.pow_at[w]] = 0
        s.under[w] = NONE

    def guards(self, *circles: int) -> "Table":
        """Guards 0, 1, ... on circles; the others in the barracks."""
        s = self.state
        for g in range(GUARDS):
            if s.guard_at[g] > APPEL:
                s.on[s.guard_at[g]] = 0
            if s.guard_at[g] != Place.UNUSED:
                s.guard_at[g] = Place.BARRACKS
        for g, c in enumerate(circles):
            assert s.guard_at[g] == Place.BARRACKS and s.on[c] == 0
            s.guard_at[g] = c
            if c > APPEL:
                s.on[c] = GUARD + g
        return self

    def equipment(self, player: int = 0, **cards: int) -> "Table":
        """equipment(0, rope=2, key=1): out of the supply."""
        for name, n in cards.items():
            self.state.supply[Equipment[name]] -= n
            self.state.equipment[player, Equipment[name]] += n
        return self

    def kit(self, *players: int) -> "Table":
        for p in players:
            self.state.kit_supply -= 1
            self.state.kit[p] = 1
        return self

    def hand(self, player: int, *names: str) -> "Table":
        """Opportunity cards out of the deck."""
        for name in names:
            card = self.c(name)
            self._take(self.state.deck, "deck", card)
            self.state.hand[player, card] += 1
        return self

    def security(self, *names: str) -> "Table":
        """Security cards out of the deck, to the German."""
        for name in names:
            card = self.o(name)
            self._take(self.state.order_deck, "order", card)
            self.state.orders[card] += 1
        return self

    def _take(self, deck, name: str, card: int) -> None:
        s = self.state
        where = list(deck[: s[f"{name}_size"]]).index(card, int(s[f"{name}_next"]))
        deck[where : s[f"{name}_size"] - 1] = deck[where + 1 : s[f"{name}_size"]].copy()
        s[f"{name}_size"] -= 1

    def all_discarded(self) -> "Table":
        """Both draw piles are used up: every card in them lies on the discards."""
        s = self.state
        for deck, name, pile in ((s.deck, "deck", s.discards), (s.order_deck, "order", s.order_discards)):
            for card in deck[s[f"{name}_next"] : s[f"{name}_size"]]:
                pile[card] += 1
            s[f"{name}_next"] = s[f"{name}_size"]
        return self

    def stakes_drawn(self) -> "Table":
        """The Do or Die deck has run out."""
        self.state.stakes_next = self.state.stakes_size
        return self

    def next_stake(self, throws: int) -> "Table":
        """The next Do or Die card has so many throws."""
        s = self.state
        where = list(s.stakes[: s.stakes_size]).index(throws, int(s.stakes_next))
        s.stakes[where], s.stakes[s.stakes_next] = s.stakes[s.stakes_next], throws
        return self

    # ------------------------------------------------------------ dice

    def dice(self, stream: Luck, *faces: int) -> "Table":
        """Load the dice of a stream: the next ones show these faces."""
        self.state.luck[stream] = word_for(faces)
        return self

    def total(self, stream: Luck, throws: int, wanted: int) -> "Table":
        """Load the dice of a stream: the next throws add up to this (3.1, re-rolls included)."""
        self.state.luck[stream] = np.uint64(
            next(word for word in range(1, 1 << 24) if total_of(word, throws) == wanted)
        )
        return self

    def end(self, *faces: int) -> "Table":
        """End the turn; the movement throw of the next player shows these faces (none said: a 1 and a 4, five points and no card)."""
        s, k = self.state, int(self.tables.players)
        if s.on_turn == k:
            index = (int(s["round"]) + 1) * 8 + next(p for p in range(k) if self.in_play(p))
        else:
            waiting = [p for p in range(k) if not s.moved >> p & 1 and self.in_play(p)]
            index = int(s["round"]) * 8 + (waiting[0] if waiting else GERMAN_TURN)
        s.luck_key = key_for(Luck.THROW, index, faces or (1, 4))
        return self.play(Act.END)

    def appel(self, *faces: int) -> "Table":
        """It is the start of the German's turn and he calls an Appel; the range is thrown with these faces."""
        self.security("appel").turn(int(self.tables.players) - 1).end().play(Act.APPEL)
        return self.dice(Luck.RANGE, *faces)

    def in_play(self, player: int) -> bool:
        return any(
            at >= APPEL or at in (Place.CELL_INNER, Place.CELL_OUTER)
            for at in self.state.pow_at[player * TEAM : (player + 1) * TEAM]
        )

    # ------------------------------------------------------------ playing

    def args(self, kind: Act) -> set[int]:
        return set(super().args(kind))

    def pick(self, i: int) -> "Table":
        return self.play(Act.PICK, i)

    def go(self, i: int, c: int) -> "Table":
        """Pick pawn i and let it go to c."""
        return self.pick(i).play(Act.GO, c)

    def cell(self, *blocks: int) -> "Table":
        """The German's choice for POWs on their way to Solitary."""
        for block in blocks:
            self.play(Act.CELL, block)
        return self

    # ------------------------------------------------------------ looking

    def at(self, w: int) -> int:
        return int(self.state.pow_at[w])

    def guard(self, g: int) -> int:
        return int(self.state.guard_at[g])

    def points(self) -> int:
        return int(self.state.points)

    def goals(self, i: int, kind: Act = Act.GO) -> set[int]:
        """Where pawn i may go; the position is left as it was."""
        return self.copy().pick(i).args(kind)

    def cost(self, i: int, kind: Act, argument: int) -> int:
        """Points that a move of pawn i costs; the position is left as it was."""
        after = self.copy().pick(i).play(kind, argument)
        return self.points() - after.points()

    def holds(self, player: int, name: str) -> int:
        return int(self.state.hand[player, self.c(name)])

    def has(self, player: int, name: str) -> int:
        return int(self.state.equipment[player, Equipment[name]])

    def left(self, name: str) -> int:
        return int(self.state.supply[Equipment[name]])

    # ------------------------------------------------------------ numbers of things

    def c(self, name: str) -> int:
        return self.cards.index(name)

    def o(self, name: str) -> int:
        return self.orders.index(name)

    def t(self, name: str) -> int:
        return ("chapel", "canteen", "theatre").index(name)

    def room(self, name: str) -> int:
        from bartizan.simcore.colditz.board import read_board

        return list(read_board().rooms).index(name)


# ---------------------------------------------------------------- loaded dice


def mix(z: int) -> int:
    z = ((z ^ z >> 30) * M1) & MASK
    z = ((z ^ z >> 27) * M2) & MASK
    return z ^ z >> 31


def unmix(z: int) -> int:
    z = unshift(z, 31) * pow(M2, -1, 1 << 64) & MASK
    z = unshift(z, 27) * pow(M1, -1, 1 << 64) & MASK
    return unshift(z, 30)


def unshift(z: int, n: int) -> int:
    """The x of z = x ^ x >> n."""
    x = z
    for _ in range(64 // n):
        x = z ^ x >> n
    return x


def faces_of(word: int):
    """The dice that a stream word shows one after the other."""
    while True:
        word = (word + GOLDEN) & MASK
        yield ((mix(word) >> 32) * 6 >> 32) + 1


def total_of(word: int, throws: int) -> int:
    dice, total = faces_of(word), 0
    for _ in range(throws):
        a = b = 0
        while a == b:
            a, b = next(dice), next(dice)
            total += a + b
    return total


def key_for(stream: Luck, index: int, faces: tuple[int, ...]) -> np.uint64:
    """A luck_key with which the stream, started afresh with this index, shows these faces (PROTOCOL.md 4)."""
    base = unmix(int(word_for(faces))) - (index + 1) * GOLDEN & MASK
    return np.uint64(unmix(base) - (int(stream) + 1) * GOLDEN & MASK)
