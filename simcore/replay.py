"""One game by itself, decision by decision, with the same compiled functions and the same luck."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from bartizan.simcore import rng
from bartizan.simcore.batch import Match
from bartizan.simcore.engine import new_states
from bartizan.simcore.play import CAPPED, ILLEGAL_ACTION, PLAYING, PLY_CAP


class OneGame:
    """A game under way: `begin` it, then `ask` and `play` in turn until it `is_over`.

    Whoever plays may choose: `choice` is what the match's own player of the seat would do.
    state: the game's state record, changed in place.
    """

    def __init__(self, match: Match):
        self.match, self.engine, self.tables = match, match.engine, match.tables()
        self.state = new_states(self.engine).view(np.recarray)[0]
        self._desk = match.desk().view(np.recarray)[0]

    def begin(self, seed: int, game: int) -> None:
        """Set up game number `game` of `seed`."""
        self.number, self.plies = game, 0
        rng.seed_luck(self.state, np.uint64(seed), game)
        self.state.end_reason, self.state.to_move = PLAYING, 0
        self.engine.reset(self.state, self.tables)

    @property
    def seat(self) -> int:
        return int(self.state.to_move)

    @property
    def end_reason(self) -> int:
        """PLAYING while it goes on."""
        reason = int(self.state.end_reason)
        return PLY_CAP if reason == PLAYING and self.plies == self.match.ply_cap else reason

    @property
    def is_over(self) -> bool:
        return self.end_reason != PLAYING

    def ask(self) -> np.ndarray:
        """The legal actions (int32) of the seat to move, in the engine's order: once before each `play`."""
        self._n_legal = self.engine.legal_actions(self.state, self.tables, self._desk.legal)
        rng.next_policy_luck(self.state)
        return self._desk.legal[: self._n_legal].copy()

    def choice(self) -> int:
        """The action that the match's own player chooses, having been asked."""
        player, weights = self.match.players[self.seat], self._desk.weights[self.seat]
        return int(player.function(self.state, self.tables, self._desk.legal, self._n_legal, weights))

    def play(self, action: int) -> None:
        """Play one action; one that is not legal ends the game."""
        if action not in self._desk.legal[: self._n_legal]:
            self.state.end_reason = ILLEGAL_ACTION
            return
        self.engine.apply(self.state, self.tables, np.int32(action))
        self.plies += 1

    def record(self) -> np.void:
        """Its record row, as `simcore.play.play_batch` writes it at the end."""
        rows = np.zeros(1, self.engine.record_dtype)
        self.state.end_reason = self.end_reason
        self.engine.write_record(self.state, self.tables, rows.view(np.recarray)[0])
        rows["game"], rows["plies"], rows["end_reason"] = self.number, self.plies, self.end_reason
        if self.end_reason == PLY_CAP:
            rows["winner"] = CAPPED
        return rows[0]


@dataclass(frozen=True)
class Ply:
    """One decision: what was asked of whom, what was chosen, what followed."""

    number: int
    seat: int
    legal: np.ndarray  # int32
    action: int
    text: str  # the action in words
    events: list[str]  # what followed, in words
    state: np.record  # the state after it; the next ply changes it in place


def replay(match: Match, game: int) -> Iterator[Ply]:
    """Yield the plies of one game. An illegal action is the last ply yielded."""
    one = OneGame(match)
    one.begin(match.seed, game)
    while not one.is_over:
        number, seat, legal = one.plies, one.seat, one.ask()
        action = one.choice()
        listed = action in legal
        text = _text(one, one.engine.describe_action, str(action), action) if listed else "an illegal action"
        one.play(action)
        events = _text(one, one.engine.describe_events, []) if listed else []
        yield Ply(number, seat, legal, action, text, events, one.state)


def _text(one: OneGame, describe, otherwise, *action):
    return describe(one.state, one.tables, *action, one.match.scenario) if describe else otherwise


def record_of(match: Match, game: int) -> dict[str, int]:
    """The record row of one game, played alone."""
    from bartizan.simcore.batch import Table

    row = Table(match).play(game, 1)[0]
    return {name: row[name].item() for name in row.dtype.names}
