"""A twin is worth nothing on a ruling that it never reads."""

from pathlib import Path

import pytest

from bartizan.simcore.game import load_game
from bartizan.simcore.scenario.loading import load_scenario

GAMES = [
    ("itter", None),
    ("itter", "playtest-v0.2"),
    ("itter", "competitive"),
    ("colditz", None),
    ("castle", None),
    ("rampage", None),
]
INERT = {"tactics_scope"}  # no effect in the vocabulary touches the Defender Phase


@pytest.mark.parametrize(("game", "scenario"), GAMES)
def test_a_twin_reads_every_ruling_that_can_change_the_play(game, scenario):
    """All but those that patch the numbers of the scenario, which the twin reads from there."""
    rulings = load_scenario(load_game(game), scenario).model.ruling
    source = (Path(__file__).parent / f"{game}_twin.py").read_text(encoding="utf-8")
    live = {
        key
        for key, ruling in rulings.items()
        if len(ruling.readings) > 1 and not ruling.patch and ruling.impact != "none"
    }
    assert {key for key in live - INERT if f'"{key}"' not in source} == set()
