"""One game again, decision by decision, with the same rules and the same luck."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from bartizan.simcore.compile.loops import bound, new_states, rules_of
from bartizan.simcore.play.batch import Batch
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.rules import ILLEGAL_ACTION, PLAYING, PLY_CAP
from bartizan.simcore.play.step import begin_game, decide


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
    engine, tables, functions = match.engine, match.tables(), match.functions()
    begin, ask = (bound(part, rules_of(engine), in_python=True) for part in (begin_game, decide))
    workspace = match.workspace().view(np.recarray)[0]
    state = new_states(engine).view(np.recarray)[0]
    begin(state, tables, workspace, game)
    number = 0
    while state.end_reason == PLAYING:
        seat = int(state.to_move)
        action = int(ask(state, tables, functions, workspace, number))
        if state.end_reason == PLY_CAP:
            return
        legal = workspace.legal[: workspace.n_legal].copy()
        if state.end_reason == ILLEGAL_ACTION:
            yield Ply(number, seat, legal, action, "an illegal action", [], state)
            return
        text = _text(engine.describe_action, str(action), state, tables, action, match.scenario)
        engine.apply(state, tables, np.int32(action))
        events = _text(engine.describe_events, [], state, tables, match.scenario)
        yield Ply(number, seat, legal, action, text, events, state)
        number += 1


def _text(describe, otherwise, *args):
    return describe(*args) if describe else otherwise


def record_of(match: Match, game: int) -> dict[str, int]:
    """The record row of one game, played alone."""
    row = Batch(match).play(game, 1)[0]
    return {name: row[name].item() for name in row.dtype.names}
