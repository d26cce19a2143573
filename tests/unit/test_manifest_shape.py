"""A manifest that somebody changed: what is of another type is refused by its name before anything is read from it."""

import copy
import json
from pathlib import Path

import pytest

from bartizan.simcore.sweep.cells import CellEntry, refuse_misshapen
from bartizan.simcore.sweep.store import sweep_of

CELL = {
    **dict.fromkeys(("id", "difficulty", "scenario", "scenario_hash"), "x"),
    **{key: {} for key in ("set", "tiers", "nulls", "confidence")},
    **{"end_reasons": {"3": "won"}, "labels": {"undoing": {"-1": "none"}}, "columns": {"turn": "<i2"}, "policies": [], "assumptions": ["a guess"], "games": 1, "assumed": 0, "cause_column": None},
}  # fmt: skip
GOOD = {
    **dict.fromkeys(("game", "game_as_named", "title", "command"), "x"),
    "behaviour": 1,
    "seed": 1,
    "level": 0.95,
    "cells": [CELL],
    "versions": {},
    "precision": 0.01,
}
BAD = {
    "a code that is no number": (
        ("cells", 0, "end_reasons"),
        {"x": "won"},
        "cells.0.end_reasons.x.[key]: String should match pattern",
    ),
    "a label's code": (
        ("cells", 0, "labels"),
        {"undoing": {"": "none"}},
        "cells.0.labels.undoing..[key]: String should match pattern",
    ),
    "a label that is no text": (
        ("cells", 0, "labels"),
        {"undoing": {"1": 5}},
        "cells.0.labels.undoing.1: Input should be a valid string, not '5'",
    ),
    "labels that are no table": (
        ("cells", 0, "labels"),
        {"undoing": []},
        "cells.0.labels.undoing: Input should be a valid dictionary, not '[]'",
    ),
    "a guess that is no text": (
        ("cells", 0, "assumptions"),
        [5],
        "cells.0.assumptions.0: Input should be a valid string, not '5'",
    ),
    "a column of no type": (
        ("cells", 0, "columns"),
        {"turn": "../x"},
        "cells.0.columns.turn: String should match pattern",
    ),
    "a policy that is about a number": (
        ("cells", 0, "policies"),
        [{**dict.fromkeys(("role", "name", "as_named", "source_hash"), "x"), "weights": {}, "about": 5}],
        "cells.0.policies.0.about: Input should be a valid string, not '5'",
    ),
    "a count of games that is a truth": (
        ("cells", 0, "games"),
        True,
        "cells.0.games: Input should be a valid integer, not 'True'",
    ),
    "no cells": (("cells",), [], "cells: List should have at least 1 item"),
    "half a letter": (("title",), "\ud800", r"\ud800 is not a character"),
    "an endless precision": (("precision",), float("-inf"), "precision: Input should be"),
}


def test_a_good_one():
    refuse_misshapen(GOOD)


@pytest.mark.parametrize("name", BAD)
def test_what_is_wrong_is_named(name):
    (*rooms, last), value, says = BAD[name]
    manifest = copy.deepcopy(GOOD)
    room = manifest
    for key in rooms:
        room = room[key]
    room[last] = value
    with pytest.raises(ValueError) as said:
        refuse_misshapen(json.loads(json.dumps(manifest)))
    assert says in str(said.value) and "\ud800" not in str(said.value)


def test_a_cell_is_written_as_it_was_read_and_keys_of_later_versions_are_no_damage():
    later = {**GOOD, "cells": [{**CELL, "set": {"b": 1, "a": 2}, "names": [["b", "B"], ["a", "A"]], "of_later": 1}]}
    refuse_misshapen(later)
    (cell,) = sweep_of(Path("folder"), later).cells
    assert list(cell.set) == ["b", "a"] and cell.precision == 0.01 and cell.folder == Path("folder/cells/x")
    assert cell.written() == {
        **CELL, "set": cell.set, "names": cell.names, "min_win_score": None, "tier_levels": {}
    }  # fmt: skip
    assert CellEntry(**CELL).draws_luck and not CellEntry(**CELL, draws_luck=False).written()["draws_luck"]
