"""Luck adjustment on the real games: no bias on any, and worth twice the games on Castle Itter with garrison."""

import numpy as np
import pytest

from bartizan.analyses.experiments import luck_adjustment as luck
from bartizan.simcore.play import luck_adjusted as games_of
from bartizan.simcore.play.batch import play_games
from tests.determinizations import match_of

CELLS = {
    "itter": ("itter", ("garrison",), "veteran"),
    "itter, random": ("itter", ("random",), "novice"),
    "itter competitive": ("itter", ("garrison", "commander"), None, "competitive"),
    "colditz": ("colditz", ("escape_officer", "security_officer")),
    "castle": ("castle", ("steward",) * 2),
    "castle, three": ("castle", ("plain",) * 3, None, None, 1, {"players.count": 3}),
    "rampage": ("rampage", ("tactician",) * 2),
}
GAMES = {"colditz": 300}


@pytest.mark.slow
@pytest.mark.parametrize("cell", CELLS)
def test_luck_has_mean_0(cell):
    """Within 4 standard errors, for every seat; the games are those of a plain run."""
    match, games = match_of(*CELLS[cell]), GAMES.get(cell, 2000)
    seats = len(match.players)
    guess = luck.fit_guess(match, seats, games // 2)
    winners, given = (
        np.concatenate(column)
        for column in zip(*games_of.play_adjusted_games(match, guess.model, 4, range(games)), strict=True)
    )
    for seat in range(seats):
        spread = given[:, seat].std(ddof=1)
        assert abs(given[:, seat].mean()) <= 4 * spread / games**0.5, f"seat {seat}"
    rows = np.concatenate(list(play_games(match, range(games))))
    assert np.array_equal(rows["winner"], winners)


@pytest.mark.slow
def test_worth_twice_the_games_on_itter_with_garrison():
    found = luck.adjust_luck(match_of("itter", ("garrison",), "veteran"), 4000)
    first = found.seats[0]
    assert first.multiplier > 2 and first.multiplier_interval.low > 1.8
    assert first.estimate.low <= first.raw.high and first.raw.low <= first.estimate.high
