"""A table to set up positions of Castle Rampage on: for tests that put one position into one rule.

Cards are named as in the scenario file, several of them in one text: "axe_man knight knight". Stacks are written top first.
"""

from collections.abc import Iterator
from functools import cache

import numpy as np

from bartizan.simcore.arrays import as_records
from bartizan.simcore.game import load_game
from bartizan.simcore.rampage.actions import play, play_of
from bartizan.simcore.rampage.components import (
    ANY,
    ARGUMENTS,
    KINDS,
    NEED,
    NONE,
    SEATS,
    SHOWN,
    STRUCTURES,
    Act,
    Event,
    Stage,
    Step,
    Structure,
)
from bartizan.simcore.rampage.engine import ENGINE
from bartizan.simcore.rampage.trace import stack
from bartizan.simcore.scenario.loading import load_scenario
from tests.table import BaseTable

GAME = load_game("rampage")
GATE, CASTLE = Structure.GATE, Structure.CASTLE


@cache
def scenario_of(changes: frozenset):
    return load_scenario(GAME, sets=dict(changes))


@cache
def tables_of(changes: frozenset):
    return as_records(ENGINE.build_tables(scenario_of(changes)))[0]


def sorted_kinds(counts) -> list[int]:
    """The cards of a zone without an order, kinds ascending."""
    return np.repeat(np.arange(KINDS), counts).tolist()


def add_up(s, t) -> None:
    """Sums that go with hands and permanents. Modifies `s`."""
    for p in range(SEATS):
        s.hand_size[p], s.n_laid[p] = s.hand[p].sum(), s.laid[p].sum()
        s.held[p] = sum(1 << int(k) for k in np.flatnonzero(s.hand[p]))
        s.shows[p] = np.bincount(t.shows, s.hand[p], SHOWN)
        s.perm[p] = s.laid[p] @ t.perm


class Table(BaseTable):
    """One game. Table(attack_compulsory="optional") plays with a reading; keys with a dot are any number of the scenario (lists as text, as after `--set`).

    After `Table()` the set-up is over and seat 0 is in turn 1, with nothing done yet. Hands, Gates and discards are empty, both Castles are three Knights, all other
    cards are in the pile, in the order of the file. `Table(begun=False)` stands at the set-up.
    """

    engine, arguments, acts, stages = ENGINE, ARGUMENTS, Act, Stage

    def __init__(self, begun: bool = True, seed: int = 1, game: int = 0, **sets):
        key = frozenset({name if "." in name else f"rulings.{name}": value for name, value in sets.items()}.items())
        self.scenario = scenario_of(key)
        self.names = list(self.scenario.model.card)
        super().__init__(tables_of(key), seed, game)
        if begun:
            self._begin()

    # ------------------------------------------------------------ setting up

    def _begin(self) -> None:
        s = self.state
        for zone in ("hand", "dealt", "laid", "front", "discards", "resting", "aside", "tired", "top", "size", "known"):
            s[zone] = 0
        self._pile([k for k in range(len(self.names)) for _ in range(int(self.tables.count[k]))])
        s.batch, s.placed = self.tables.batches, 0
        for p in range(SEATS):
            self.castle(p, "knight knight knight")
        self.turn(1)

    def turn(self, t: int) -> "Table":
        """The player of turn t is asked what to do, and has done nothing yet."""
        s = self.state
        s.turn, s.on_turn = t, (t - 1) % SEATS
        s.to_move, s.stage, s.after = s.on_turn, Stage.MAIN, Step.MAIN
        s.plays = s.strengthened = 0
        s.card = s.to_place = s.drawn = NONE
        return self

    def hand(self, p: int, names: str = "") -> "Table":
        return self._zone(self.state.hand[p], names)

    def before(self, p: int, names: str = "") -> "Table":
        """Permanents."""
        return self._zone(self.state.laid[p], names)

    def front(self, p: int, names: str = "") -> "Table":
        """A16: Veterans in front of their owner."""
        return self._zone(self.state.front[p], names)

    def discards(self, names: str = "") -> "Table":
        return self._zone(self.state.discards, names)

    def gate(self, p: int, names: str = "") -> "Table":
        return self._stack(p, GATE, names)

    def castle(self, p: int, names: str) -> "Table":
        return self._stack(p, CASTLE, names)

    def pile(self, names: str) -> "Table":
        """The next cards of the pile."""
        kinds = self.ks(names)
        for k in kinds:
            self._lift(k)
        return self._pile(kinds + self._rest())

    def last(self, names: str = "", discards: str = "") -> "Table":
        """The pile has these cards and no more, the discards those. All others lie at the bottom of seat 1's Castle. To be said after everything else."""
        s = self.state
        self.discards(discards).pile(names)
        n = len(self.ks(names))
        for k in self._rest()[n:]:
            s.stack[1, CASTLE, s["size"][1, CASTLE]] = k
            s["size"][1, CASTLE] += 1
        return self._pile(self._rest()[:n])

    def _zone(self, counts, names: str) -> "Table":
        """What lay there goes under the pile. Modifies `counts`."""
        old = sorted_kinds(counts)
        counts[:] = 0
        self._pile(self._rest() + old)
        for k in self.ks(names):
            self._lift(k)
            counts[k] += 1
        add_up(self.state, self.tables)
        return self

    def _stack(self, p: int, structure: Structure, names: str) -> "Table":
        s, kinds = self.state, self.ks(names)
        self._pile(self._rest() + stack(s, p, structure))
        for i, k in enumerate(kinds):
            self._lift(k)
            s.stack[p, structure, i] = k
        s.top[p, structure], s["size"][p, structure], s.known[p, structure] = 0, len(kinds), 0
        return self

    def _lift(self, k: int) -> None:
        """A card out of the pile, the last there is of its kind."""
        rest = self._rest()
        assert k in rest, f"no {self.names[k]} is left"
        del rest[len(rest) - 1 - rest[::-1].index(k)]
        self._pile(rest)

    def _rest(self) -> list[int]:
        return self.state.pile[self.state.pile_next : self.state.pile_size].tolist()

    def _pile(self, kinds: list[int]) -> "Table":
        s = self.state
        s.pile[: len(kinds)], s.pile_next, s.pile_size = kinds, 0, len(kinds)
        return self

    # ------------------------------------------------------------ playing

    def end(self) -> "Table":
        return self.play(Act.END)

    def put(self, structure: Structure, name: str) -> "Table":
        """Strengthen, or place a card at the set-up."""
        return self.play(Act.GATE if structure == GATE else Act.CASTLE, self.k(name))

    def use(self, name: str, boosts: int = 0, front: bool = False, pay: str = "") -> "Table":
        """Play a card and pay for it."""
        return self.play(Act.PLAY, play.py_func(front, boosts, self.k(name))).pay(pay)

    def pay(self, names: str) -> "Table":
        for k in self.ks(names):
            self.play(Act.PAY, k)
        return self

    # ------------------------------------------------------------ looking

    def ks(self, names: str) -> list[int]:
        return [self.k(name) for name in names.split()]

    def k(self, name: str) -> int:
        return self.names.index(name)

    def u(self, unit: str) -> int:
        return self.scenario.model.units.types.index(unit)

    def _named(self, kinds) -> str:
        return " ".join(self.names[k] for k in kinds)

    def asks(self, act: Act) -> str:
        """The cards that actions of one kind name, in their order."""
        return self._named(self.args(act))

    def plays(self) -> list[str]:
        """What may be played: name, name+boosts, name! from in front."""
        return [
            self.names[card] + (f"+{boosts}" if boosts else "") + "!" * in_front
            for in_front, boosts, card in map(play_of.py_func, self.args(Act.PLAY))
        ]

    def hand_of(self, p: int) -> str:
        """In the order of the file."""
        return self._named(sorted_kinds(self.state.hand[p]))

    def laid_by(self, p: int) -> str:
        return self._named(sorted_kinds(self.state.laid[p]))

    def front_of(self, p: int) -> str:
        return self._named(sorted_kinds(self.state.front[p]))

    def discarded(self) -> str:
        """A24: those of this turn too."""
        return self._named(sorted_kinds(self.state.discards + self.state.resting))

    def gate_of(self, p: int) -> str:
        return self._named(stack(self.state, p, GATE))

    def castle_of(self, p: int) -> str:
        return self._named(stack(self.state, p, CASTLE))

    def pile_of(self) -> list[str]:
        return [self.names[k] for k in self._rest()]

    def cards(self) -> list[int]:
        """The kinds of all cards in all zones, put together here and not by the engine's own check."""
        s = self.state
        zones = [s.discards, s.resting, s.aside, *s.hand, *s.dealt, *s.laid, *s.front]
        stacks = [k for p in range(SEATS) for structure in range(STRUCTURES) for k in stack(s, p, structure)]
        return sorted(
            [k for zone in zones for k in sorted_kinds(zone)]
            + stacks
            + self._rest()
            + ([int(s.card)] if s.card != NONE else [])
        )

    def known(self, p: int, structure: Structure) -> bool:
        """5.3: do both know the top card?"""
        return bool(self.state.known[p, structure])

    def _logged(self, event: Event) -> Iterator[tuple[int, int, int]]:
        return ((a, b, c) for e, a, b, c in self.events() if e == event)

    @property
    def strength(self) -> int:
        """What the last attack began with."""
        ((strength, _, _),) = self._logged(Event.STRIKES)
        return strength

    @property
    def revealed(self) -> list[tuple[Structure, str, int]]:
        """(structure, card, defence) of every card that the last action revealed."""
        return [(Structure(structure), self.names[k], d) for structure, k, d in self._logged(Event.REVEALED)]

    @property
    def texts(self) -> list[str]:
        """The cards whose text worked, one name for each line of it."""
        return [self.names[k] for k, _, _ in self._logged(Event.TEXT)]

    @property
    def is_over(self) -> bool:
        return bool(self.state.end_reason)

    @property
    def winner(self) -> int:
        """-1: a draw, or nobody yet."""
        return int(self.record()["winner"])


def need_of(units: list[int], plain: int = 0) -> int:
    """A demand as the engine packs it."""
    return sum(n << unit * NEED for unit, n in enumerate(units)) + (plain << ANY)
