"""One game again, decision by decision, with the same compiled functions and the same luck."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from bartizan.simcore import rng
from bartizan.simcore.batch import Match
from bartizan.simcore.engine import new_states
from bartizan.simcore.play import ILLEGAL_ACTION, PLAYING, PLY_CAP


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
    engine, tables = match.engine, match.tables()
    desk = match.desk().view(np.recarray)[0]
    state = new_states(engine).view(np.recarray)[0]
    buffer = desk.legal
    rng.seed_luck(state, np.uint64(match.seed), game)
    state.end_reason, state.to_move = PLAYING, 0
    engine.reset(state, tables)
    for number in range(match.ply_cap):
        if state.end_reason != PLAYING:
            return
        seat = int(state.to_move)
        n = engine.legal_actions(state, tables, buffer)
        rng.next_policy_luck(state)
        action = int(match.players[seat].function(state, tables, buffer, n, desk.weights[seat]))
        legal = buffer[:n].copy()
        if action not in legal:
            state.end_reason = ILLEGAL_ACTION
            yield Ply(number, seat, legal, action, "an illegal action", [], state)
            return
        text = _text(engine.describe_action, str(action), state, tables, action, match.scenario)
        engine.apply(state, tables, np.int32(action))
        yield Ply(
            number,
            seat,
            legal,
            action,
            text,
            _text(engine.describe_events, [], state, tables, match.scenario),
            state,
        )
    state.end_reason = PLY_CAP


def _text(describe, otherwise, *args):
    return describe(*args) if describe else otherwise


def record_of(match: Match, game: int) -> dict[str, int]:
    """The record row of one game, played alone."""
    from bartizan.simcore.batch import Table

    row = Table(match).play(game, 1)[0]
    return {name: row[name].item() for name in row.dtype.names}
