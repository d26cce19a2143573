"""The family "k in a row": known answers, and one recorded play of each special rule (Collins et al. 2026, MIT)."""

import numpy as np
import pytest

from bartizan.policies.registry import find_player
from bartizan.simcore.arrays import as_records
from bartizan.simcore.compile.loops import new_states
from bartizan.simcore.compile.rules import PLAYING
from bartizan.simcore.errors import ScenarioError
from bartizan.simcore.game import load_game
from bartizan.simcore.play.batch import Batch
from bartizan.simcore.play.match import Match
from bartizan.simcore.scenario.loading import load_scenario
from tests.cli.run_cli import ROWS

FIRST, SECOND, DRAW = 0, 1, -1


def begin(variant: str):
    engine = load_game(ROWS).compiled
    tables = as_records(engine.build_tables(load_scenario(load_game(ROWS), None, variant)))[0]
    state = as_records(new_states(engine))[0]
    engine.reset(state, tables)
    return engine, state, tables


def played(variant: str, squares):
    engine, state, tables = begin(variant)
    for square in squares:
        assert state.end_reason == PLAYING and state.square[square] == 0
        engine.apply(state, tables, np.int32(square))
    return state


def solved(variant: str) -> tuple[np.ndarray, int]:
    """Chances of (first, second, draw) under random play, and what the first player gets when both play best."""
    engine, start, tables = begin(variant)
    room, known = np.zeros(engine.max_legal, np.int32), {}

    def worth(state):
        if state.end_reason != PLAYING:
            return np.eye(3)[int(state.winner)], (state.winner == FIRST) * 1 - (state.winner == SECOND) * 1
        position = state.square.tobytes()  # whose turn it is follows from the pieces
        if position not in known:
            after = []
            for square in room[: engine.legal_actions(state, tables, room)].copy():
                later = state.copy()
                engine.apply(later, tables, np.int32(square))
                after.append(worth(later))
            best = max if state.to_move == FIRST else min
            known[position] = (np.mean([chances for chances, _ in after], axis=0), best(value for _, value in after))
        return known[position]

    return worth(start)


# ---------------------------------------------------------------- known answers


def test_tic_tac_toe():
    """A draw when both play best; under random play the first wins 737/1260, the second 121/420, 8/63 are drawn."""
    chances, value = solved("3x3-3")
    assert value == 0
    assert chances == pytest.approx([737 / 1260, 121 / 420, 8 / 63])


@pytest.mark.parametrize(
    ("variant", "value"), [("3x3-3-2", -1), ("3x3-3-first-two", 1), ("3x3-3-second-two", 0), ("3x3-3-loses", 0)]
)
def test_what_small_games_are_worth_and_what_random_play_makes_of_them(variant, value):
    """The first player of the game that a row loses draws: the centre, then always the opposite square."""
    chances, best = solved(variant)
    assert best == value
    game, games = load_game(ROWS), 20_000
    rows = Batch(Match(game, load_scenario(game, None, variant), (find_player(game, "random"),) * 2, 3)).play(
        range(games)
    )
    for winner, chance in zip((FIRST, SECOND, DRAW), chances, strict=True):
        assert abs((rows["winner"] == winner).mean() - chance) < 4 * np.sqrt(chance * (1 - chance) / games) + 1e-9


# ---------------------------------------------------------------- plays by people

RECORDED = {
    "3x3-3": ([4, 1, 2, 6, 8, 5, 0], FIRST),
    "3x3-3-2": ([0, 4, 1, 2], SECOND),
    "4x4-3-loses": ([15, 0, 3, 8, 7, 9, 11], SECOND),
    "5x5-4-straight": ([12, 17, 13, 11, 7, 16, 6, 18, 19, 15], SECOND),
    "5x5-4-diagonal": ([12, 8, 18, 6, 24, 7, 9, 13, 14, 19, 11, 1], SECOND),
    "5x5-4-second-two": ([12, 17, 13, 8, 9, 21, 19, 18, 14, 4, 24], SECOND),
    "5x5-4-first-two": ([12, 11, 13, 7, 17, 15, 3, 6, 18, 8, 9, 5], FIRST),
    "5x5-3-first-straight": ([17, 12, 18, 19, 16], FIRST),
    "5x5-3-first-diagonal": ([12, 0, 6, 1, 18], FIRST),
    "1x10-3": ([5, 1, 6, 4, 7], FIRST),
}


@pytest.mark.parametrize("variant", RECORDED)
def test_a_recorded_play_ends_as_recorded(variant):
    squares, winner = RECORDED[variant]
    assert played(variant, squares[:-1]).end_reason == PLAYING
    assert played(variant, squares).winner == winner


# ---------------------------------------------------------------- the family


def test_a_variant_is_a_level_and_every_one_can_be_played():
    game = load_game(ROWS)
    levels = load_scenario(game).model.difficulties()
    assert len(levels) == 41
    for level in levels:
        rows = Batch(Match(game, load_scenario(game, None, level), (find_player(game, "random"),) * 2, 1)).play(
            range(20)
        )
        assert (rows["end_reason"] >= 3).all()


def test_a_row_that_does_not_fit_is_refused():
    with pytest.raises(ScenarioError, match=r"3x3-3\.first.row: no row on this board is longer than 3"):
        load_scenario(load_game(ROWS), sets={"played.variant.3x3-3.first.row": 4})
