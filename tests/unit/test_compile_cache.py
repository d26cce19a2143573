"""Compiled code on disk: never another game's, never an older source's."""

import json
import os
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numba
import numpy as np
import pytest
from numba.core.caching import IndexDataCacheFile

from bartizan.policies.registry import find_player
from bartizan.simcore.compile import cache
from bartizan.simcore.game import load_game
from bartizan.simcore.play.batch import Batch
from bartizan.simcore.play.match import Match
from bartizan.simcore.scenario.loading import load_scenario
from tests.cli.run_cli import PIG, bartizan, process

PIG_SOURCE = Path(PIG).read_text(encoding="utf-8")
STEP = "from bartizan.simcore.compile.jit import jit\n\n\n@jit\ndef gain(pips):\n    return pips{}\n"


def pig_at(folder: Path, *changes: tuple[str, str]) -> Path:
    """A copy of Pig with some of its source changed; its records stay alike."""
    folder.mkdir()
    shutil.copytree(Path(PIG).parent / "scenarios", folder / "scenarios")
    source = PIG_SOURCE
    for old, new in changes:
        assert old in source
        source = source.replace(old, new)
    path = folder / f"{folder.name}.py"
    path.write_text(source, encoding="utf-8")
    return path


def pig_with_a_neighbour(folder: Path) -> Path:
    """Pig whose pips are counted in a second file, `step.py`."""
    path = pig_at(folder, ("state.at_stake += pips", "state.at_stake += gain(pips)"), ("from bartizan import (", "from step import gain\nfrom bartizan import ("))
    (folder / "step.py").write_text(STEP.format(""))
    return path


def rows(path: Path) -> np.ndarray:
    game = load_game(str(path))
    return Batch(Match(game, load_scenario(game), (find_player(game, "hold"),) * 2, 1)).play(0, 200)


def run(*args) -> dict:
    """One command in a process of its own, on the cache folder of the tests."""
    child = process(*args)
    out, err = child.communicate()
    assert child.returncode == 0, err
    return json.loads(out)


@pytest.fixture
def compiled_here(tmp_path, monkeypatch):
    monkeypatch.setenv("BARTIZAN_CACHE", str(tmp_path / "compiled"))


def test_games_with_like_records_keep_their_own_rules(tmp_path):
    plain = pig_at(tmp_path / "plain")
    double = pig_at(tmp_path / "double", ("state.at_stake += pips", "state.at_stake += 2 * pips"))
    assert rows(plain)["turn"].mean() > 1.5 * rows(double)["turn"].mean()


def test_two_games_in_one_folder_keep_their_own_rules(tmp_path):
    plain = pig_at(tmp_path / "one")
    double = plain.with_name("other.py")
    double.write_text(PIG_SOURCE.replace("state.at_stake += pips", "state.at_stake += 2 * pips"))
    assert rows(plain)["turn"].mean() > 1.5 * rows(double)["turn"].mean()


def test_a_plan_plays_the_game_as_it_now_stands(tmp_path, compiled_here):
    game = pig_with_a_neighbour(tmp_path / "pig2")
    plan = tmp_path / "plan.toml"
    plan.write_text(f'game = "{game}"\ngames = 200\nseed = 1\n')
    (before,) = run("sweep", plan, "-o", tmp_path / "before", "--json")["cells"]
    (game.parent / "step.py").write_text(STEP.format(" * 2"))
    (after,) = run("sweep", plan, "-o", tmp_path / "after", "--json")["cells"]
    assert before["turns"]["mean"] > 1.5 * after["turns"]["mean"]
    child = process("verify", tmp_path / "before")
    _, err = child.communicate()
    assert child.returncode == 4 and "the code of pig has changed since" in err


def chosen_for(tmp_path, monkeypatch, *args) -> str:
    """The name of the cache folder a command asks for."""
    monkeypatch.setattr(cache, "cache_root", lambda: tmp_path / "root")
    monkeypatch.setitem(os.environ, "NUMBA_CACHE_DIR", os.environ["NUMBA_CACHE_DIR"])
    bartizan(*args)
    return Path(os.environ["NUMBA_CACHE_DIR"]).name


def test_a_plan_and_a_results_folder_say_which_game(tmp_path, monkeypatch):
    plan, results = tmp_path / "plan.toml", tmp_path / "results"
    plan.write_text(f'game = "{PIG}"\ngames = 50\nseed = 1\n')
    own = cache.source_hash((Path(PIG),))
    assert own != cache.source_hash()
    assert chosen_for(tmp_path, monkeypatch, "sweep", plan, "-o", results) == own
    assert chosen_for(tmp_path, monkeypatch, "games") == own  # plays nothing: leaves the folder as it was
    assert chosen_for(tmp_path, monkeypatch, "describe", "itter") == cache.source_hash()
    assert chosen_for(tmp_path, monkeypatch, "verify", results) == own
    assert chosen_for(tmp_path, monkeypatch, "describe", "itter") == cache.source_hash()
    assert chosen_for(tmp_path, monkeypatch, "report", results, "-o", tmp_path / "report.md") == own


def test_numba_looks_where_it_is_told(tmp_path, monkeypatch):
    """Else it would look in the folder of the game before until it compiles, and what is compiled would seem not to be."""
    monkeypatch.setattr(cache, "cache_root", lambda: tmp_path)
    monkeypatch.setenv("NUMBA_CACHE_DIR", "before")
    monkeypatch.setattr(numba.config, "CACHE_DIR", "before")
    folder = str(cache.configure())
    assert Path(folder).parent == tmp_path and numba.config.CACHE_DIR == os.environ["NUMBA_CACHE_DIR"] == folder


def test_a_neighbour_of_the_game_counts(tmp_path):
    game = pig_with_a_neighbour(tmp_path / "pig3")
    before = cache.source_hash((game,)), cache.source_tag(game)
    assert before == (cache.source_hash((game,)), cache.source_tag(game))
    (game.parent / "step.py").write_text(STEP.format(" * 2"))
    assert before[0] != cache.source_hash((game,)) and before[1] != cache.source_tag(game)


# ---------------------------------------------------------------- policies of the user

POLICY = """
from bartizan.policies.protocol import Policy
from bartizan.simcore.compile.jit import jit
{}

@jit
def limit():
    return {}


def choose(state, tables, legal, n_legal, weights):
    return 1 if state.at_stake >= limit() else 0


MINE = Policy("mine", choose)
"""


def turns(policy: Path) -> float:
    """Mean length of games of Pig by a policy file, here and now."""
    game = load_game(PIG)
    return Batch(Match(game, load_scenario(game), (find_player(game, str(policy)),) * 2, 1)).play(0, 200)["turn"].mean()


def test_a_policy_file_shares_the_cache_folder_of_its_game(tmp_path, monkeypatch):
    policy = tmp_path / "mine.py"
    policy.write_text(POLICY.format("", 20))
    without = chosen_for(tmp_path, monkeypatch, "run", PIG, "--games", 10)
    assert without == cache.source_hash((Path(PIG),))
    assert chosen_for(tmp_path, monkeypatch, "run", PIG, "--games", 10, "--policy", policy) == without
    assert chosen_for(tmp_path, monkeypatch, "trace", PIG, "--policy", f"first={policy}:mine") == without


def test_an_edited_policy_of_the_same_size_and_time_plays_differently(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", False)  # Python's own .pyc goes by size and time too
    policy = tmp_path / "mine.py"
    policy.write_text(POLICY.format("", 20))
    stamp = policy.stat().st_mtime_ns
    before = turns(policy)
    policy.write_text(POLICY.format("", 10))
    os.utime(policy, ns=(stamp, stamp))
    assert turns(policy) > 1.2 * before


def test_an_edited_neighbour_of_a_policy_plays_differently(tmp_path, compiled_here):
    policy, neighbour = tmp_path / "mine.py", tmp_path / "my_numbers.py"
    policy.write_text(POLICY.format("from my_numbers import LIMIT", "LIMIT"))
    command = ("run", PIG, "--games", 200, "--policy", policy, "--json")
    neighbour.write_text("LIMIT = 20\n")
    before = run(*command)
    neighbour.write_text("LIMIT = 10  # bolder\n")
    after = run(*command)
    assert after["turns"]["mean"] > 1.2 * before["turns"]["mean"]
    assert len([path for path in (tmp_path / "compiled").iterdir() if path.is_dir()]) == 1
    assert len(list((tmp_path / "compiled").rglob("*play_batch*.nbi"))) == 1


def test_writers_at_once_lose_no_line_of_the_index(tmp_path):
    """Without a lock about every third line goes, and two signatures share a file."""
    def write(writer: int) -> None:
        index = IndexDataCacheFile(str(tmp_path), "helper", "stamp")
        for turn in range(50):
            index.save((writer, turn), f"code {writer} {turn}")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(4)))
    kept = IndexDataCacheFile(str(tmp_path), "helper", "stamp")
    assert all(kept.load((writer, turn)) == f"code {writer} {turn}" for writer in range(4) for turn in range(50))
