"""A table to set up positions of Castle Itter on, with loaded dice: for tests that put one state into one rule."""

import json
from functools import cache

import numpy as np

from bartizan.simcore.arrays import as_records
from bartizan.simcore.compile.loops import new_states
from bartizan.simcore.game import load_game
from bartizan.simcore.itter.components import ARGUMENTS, NONE, Act, Luck, Place, Stage, Step
from bartizan.simcore.itter.engine import ENGINE, apply, legal_actions
from bartizan.simcore.itter.rules.board import stand
from bartizan.simcore.itter.rules.defenders import activate
from bartizan.simcore.itter.turns import begin_turn, resolve
from bartizan.simcore.play.replay import set_up
from bartizan.simcore.scenario.loading import load_scenario
from tests.loaded_dice import word_for

GAME = load_game("itter")


@cache
def scenario_of(name: str | None, difficulty: str | None, changes: str):
    """changes: as JSON, for a list has no hash."""
    return load_scenario(GAME, name, difficulty, json.loads(changes))


@cache
def tables_of(name: str | None, difficulty: str | None, changes: str):
    return as_records(ENGINE.build_tables(scenario_of(name, difficulty, changes)))[0]


class Table:
    """One game, set up as a test wants it. Names are those of the scenario file. A test may end a Defender Phase early (R-01 `yes`) unless it says otherwise."""

    def __init__(
        self, difficulty: str | None = None, seed: int = 1, game: int = 0, scenario: str | None = None, **sets
    ):
        changes = {
            key if "." in key else f"rulings.{key}": value for key, value in ({"may_pass": "yes"} | sets).items()
        }
        if "rulings.breach_ends_game" in changes:
            changes["breach_ends_game"] = changes.pop("rulings.breach_ends_game")
        which = scenario, difficulty, json.dumps(changes, sort_keys=True)
        self.scenario = scenario_of(*which)
        model = self.scenario.model
        self.defenders, self.positions = list(model.defender), list(model.position)
        self.locations, self.colours, self.kinds = list(model.location), list(model.colour), list(model.ss_counter)
        self.cards = list(model.ss_card)
        self.tables = tables_of(*which)
        self.buffer = np.zeros(ENGINE.max_legal, np.int32)
        self.state = set_up(ENGINE, new_states(ENGINE), self.tables, seed, game)

    # ------------------------------------------------------------ setting up

    def clear_board(self) -> "Table":
        """No SS counters; every starter out of the way (killed), so that nobody waits in the reserve."""
        self.remove_counters()
        s, t = self.state, self.tables
        for d in range(t.n_defenders):
            if s.place[d] == Place.RESERVE:
                s.place[d] = Place.KILLED
        s.starters_waiting = 0
        return self

    def remove_counters(self) -> "Table":
        s, t = self.state, self.tables
        s.counter[:] = NONE
        s.guns[:] = 0
        s.supply[: t.n_kinds] = t.count[: t.n_kinds]
        return self

    def put(self, **places: str) -> "Table":
        """put(dietrich="NT5", gamelin="NT2")."""
        for name, position in places.items():
            stand(self.state, self.tables, self.d(name), self.p(position))
        return self

    def counters(self, **by_kind: int) -> "Table":
        """counters(rifleman=9, mortar=5): one counter of a kind on a circle."""
        for name, circle in by_kind.items():
            kind = self.kinds.index(name)
            if self.tables.advances[kind]:
                self.state.counter[circle] = kind
            else:
                self.state.guns[kind, circle] += 1
            self.state.supply[kind] -= 1
        return self

    def status(self, name: str, bits: int) -> "Table":
        self.state.status[self.d(name)] |= bits
        return self

    def turn(self, number: int) -> "Table":
        """Begin a turn: positions at its start are those of now."""
        self.state.turn = number - 1
        begin_turn(self.state, self.tables)
        return self

    def dice(self, stream: Luck, *faces: int) -> "Table":
        """Load the dice of a stream: the next ones show these faces."""
        self.state.luck[stream] = word_for(faces)
        return self

    # ------------------------------------------------------------ playing

    def legal(self) -> set[int]:
        n = legal_actions(self.state, self.tables, self.buffer)
        return set(map(int, self.buffer[:n]))

    def legal_kinds(self, kind: Act) -> set[int]:
        """Arguments of the legal actions of one kind."""
        return {code % ARGUMENTS for code in self.legal() if code // ARGUMENTS == kind}

    def play(self, kind: Act, argument: int = 0) -> "Table":
        code = kind * ARGUMENTS + argument
        assert code in self.legal(), f"{kind.name} {argument} is not legal"
        apply(self.state, self.tables, np.int32(code))
        return self

    def activate(self, name: str) -> "Table":
        return self.play(Act.ACTIVATE, self.d(name))

    def ask(self, name: str) -> "Table":
        """Straight to the ACT decision of one defender."""
        activate(self.state, self.tables, self.d(name))
        return self

    def ss_card(self, name: str, *faces: int) -> "Table":
        """Turn up one named SS card with loaded dice and resolve it up to the next decision or to the end of the card."""
        s = self.state
        s.cards_turned = self.tables.ss_cards  # no further card after this one
        s.stage, s.card, s.item = Stage.NONE, self.cards.index(name), 0
        s.n_events = 0
        self.dice(Luck.SS, *faces)
        resolve(s, self.tables, s.card)
        self.run_card()
        return self

    def run_card(self) -> None:
        """Let the card run until a decision is asked or the card is done."""
        s = self.state
        from bartizan.simcore.itter.rules.attributes import settle_deaths
        from bartizan.simcore.itter.turns import take_step

        while s.stage == Stage.NONE and s.end_reason == 0 and (s.deaths_open or s.step != Step.NEXT_CARD):
            if s.deaths_open:
                settle_deaths(s, self.tables)
            else:
                take_step(s, self.tables)

    # ------------------------------------------------------------ looking

    def args(self, name: str) -> tuple:
        """(state, tables, defender) for a rule about one defender."""
        return self.state, self.tables, self.d(name)

    def d(self, name: str) -> int:
        return self.defenders.index(name)

    def p(self, name: str) -> int:
        return self.positions.index(name)

    def tokens(self, colour: str) -> int:
        return int(self.state.tokens[self.colours.index(colour)])

    def set_tokens(self, **by_colour: int) -> "Table":
        for colour, n in by_colour.items():
            self.state.tokens[self.colours.index(colour)] = n
        return self

    def defence(self, location: str) -> int:
        return int(self.state.defence[self.locations.index(location)])

    def set_defence(self, **by_location: int) -> "Table":
        for location, value in by_location.items():
            self.state.defence[self.locations.index(location)] = value
        return self

    def where(self, name: str) -> str:
        place = int(self.state.place[self.d(name)])
        return self.positions[place] if place >= 0 else Place(place).name.lower()

    def has(self, name: str, bits: int) -> bool:
        return bool(self.state.status[self.d(name)] & bits)

    def on_circle(self, circle: int) -> str | None:
        kind = int(self.state.counter[circle])
        return self.kinds[kind] if kind != NONE else None
