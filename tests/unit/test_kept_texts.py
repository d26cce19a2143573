"""Names that read like numbers, values that are none, paths written otherwise, compilations that overlap."""

import gc
import tomllib
from math import inf, isnan, nan
from pathlib import Path

import pytest

from bartizan.simcore import toml
from bartizan.simcore.compile import meter
from bartizan.simcore.compile.meter import Compilation
from bartizan.simcore.errors import EngineError
from bartizan.simcore.game import load_game
from bartizan.simcore.scenario.changes import changes_of
from bartizan.simcore.scenario.loading import load_scenario
from bartizan.simcore.sweep import store

KEPT = {
    "schema": store.KEPT_SCHEMA,
    **{
        "game": "itter",
        "kind": "losses",
        "command": "bartizan losses itter",
        "versions": {},
        "behaviour": 1,
        "seed": 1,
    },
}


@pytest.mark.parametrize("name", ["Inf", "NaN", "-inf", "Infinity"])
def test_a_thing_may_be_called_like_a_number_that_is_none(name, tmp_path):
    answer = {"name": name, "cards": ["Axe man", name], "counts": {"Axe man": 1, name: 2}}
    store.keep(tmp_path, "one", KEPT | {"answer": answer})
    (kept,) = store.read_kept(tmp_path, "itter")
    assert kept["answer"] == answer


def test_a_number_that_was_written_as_text_is_damage_still(tmp_path):
    path = store.keep(tmp_path, "one", KEPT | {"answer": {"share": 0.5}})
    path.write_text(path.read_text().replace("0.5", '"NaN"'))
    with pytest.raises(EngineError, match="damaged"):
        store.read_kept(tmp_path, "itter")


def test_toml_holds_what_is_no_finite_number_and_every_character():
    read = tomllib.loads(toml.document({"a": inf, "b": -inf, "c": nan, "d": "x\x7fy", "e\x7f": [inf]}, {}))
    assert (read["a"], read["b"], read["d"], read["e\x7f"]) == (inf, -inf, "x\x7fy", [inf]) and isnan(read["c"])


def test_a_shipped_scenario_is_itself_however_its_path_is_written(monkeypatch):
    game = load_game("itter")
    name = next(path for path in sorted(game.scenarios.glob("*.toml")) if path.stem != "published")
    monkeypatch.chdir(game.scenarios.parent)
    for path in (name, Path("scenarios") / name.name, Path("scenarios/../scenarios") / name.name):
        scenario = load_scenario(game, str(path))
        assert changes_of(game, scenario) == [] and scenario.path == name


def test_no_garbage_is_collected_at_the_exit(request, monkeypatch):
    usual, at_exit = gc.get_threshold(), []
    request.addfinalizer(lambda: gc.set_threshold(*usual))
    monkeypatch.setattr(meter.atexit, "register", at_exit.append)
    meter.collect_rarely()
    assert at_exit == [gc.freeze] and gc.get_threshold()[0] == meter.RARELY


def test_compilations_that_overlap_leave_garbage_collection_as_it_was(request):
    usual = gc.get_threshold()
    request.addfinalizer(lambda: gc.set_threshold(*usual))
    gc.set_threshold(before := 700)
    one, other = Compilation("one"), Compilation("other")
    one.__enter__()
    other.__enter__()
    assert gc.get_threshold()[0] != before
    one.__exit__(ValueError)
    assert gc.get_threshold()[0] != before
    other.__exit__(ValueError)
    assert gc.get_threshold()[0] == before
