"""Features: every name stands for its own field of the record."""

from pathlib import Path

import numpy as np
import pytest

from bartizan.simcore.errors import EngineError
from bartizan.simcore.features import Features
from bartizan.simcore.game import load_game
from bartizan.simcore.scenario.loading import load_scenario

ROOT = Path(__file__).parent.parent.parent
GAMES = ["itter", "colditz", "castle", "rampage"]
OTHERS = [
    str(ROOT / path)
    for path in ("examples/pig/pig.py", "examples/ruin/ruin.py", "tests/games/highest_card/highest_card.py")
]


def features_of(name: str) -> Features:
    return load_game(name).compiled.features


@pytest.mark.parametrize("name", GAMES + OTHERS)
def test_every_name_reaches_its_own_field(name):
    """A number written by field and place is read by the name of that place, and no other name reads it."""
    features = features_of(name)
    names = features.names
    assert len(set(names)) == len(names) == features.dtype.itemsize // 8
    numbers = np.full(len(names), np.nan)
    record = numbers.view(features.dtype)[0]
    written = {}
    for field in features.dtype.names:
        for place, said in zip(np.ndindex(*features.dtype[field].shape), features.names_of(field), strict=True):
            written[said] = len(written) + 0.5
            if place:
                record[field][place] = written[said]
            else:
                record[field] = written[said]
    assert dict(zip(names, numbers, strict=True)) == written


@pytest.mark.parametrize("name", GAMES)
def test_words_and_what_is_open_name_what_there_is(name):
    game = load_game(name)
    features = features_of(name)
    assert set(features.words) <= set(features.dtype.names)
    for seat in range(len(game.roles)):
        shown = features.open_to(seat, load_scenario(game))
        assert len(set(shown)) == len(shown) and set(shown) <= set(features.names)


def test_a_field_of_players_is_named_by_player():
    castle = features_of("castle")
    assert castle.names_of("king_in_reach") == tuple(f"King in reach of player {p}" for p in (1, 2, 3, 4))
    rampage = features_of("rampage")
    assert rampage.names_of("units_in_hand")[:3] == (
        "unit 1 in hand of player 1",
        "unit 1 in hand of player 2",
        "unit 2 in hand of player 1",
    )
    assert "top of the Gate of player 1" in rampage.open_to(0, None)
    assert "top of the Gate of player 2" not in rampage.open_to(0, None)


@pytest.mark.parametrize("fields", [[("a", "f8"), ("b", "i4")], [("a", "f4")], [("a", "f8"), ("b", "f4"), ("c", "f4")]])
def test_only_float64_is_a_feature(fields):
    with pytest.raises(EngineError, match="float64"):
        Features(np.dtype(fields), print)
