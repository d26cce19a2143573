"""Compiled code on disk: never another game's, never an older source's; and what an edit leaves as it is."""

import importlib
import json
import os
import pkgutil
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from inspect import isfunction, ismodule, unwrap
from pathlib import Path

import numba
import numpy as np
import pytest
from numba.core.caching import IndexDataCacheFile

from bartizan.policies.registry import find_player, policies_of
from bartizan.simcore import play
from bartizan.simcore.compile import cache, habits, identity, index, trees
from bartizan.simcore.compile.identity import content_hash
from bartizan.simcore.game import BUILTIN, load_game
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
    path = pig_at(
        folder,
        ("state.at_stake += pips", "state.at_stake += gain(pips)"),
        ("from bartizan import (", "from step import gain\nfrom bartizan import ("),
    )
    (folder / "step.py").write_text(STEP.format(""))
    return path


def rows(path: Path) -> np.ndarray:
    game = load_game(str(path))
    return Batch(Match(game, load_scenario(game), (find_player(game, "hold"),) * 2, 1)).play(range(200))


def run(*args) -> dict:
    """One command in a process of its own, on the cache folder of the tests."""
    child = process(*args)
    out, err = child.communicate()
    assert child.returncode == 0, err
    return json.loads(out)


@pytest.fixture
def compiled_here(tmp_path, monkeypatch):
    monkeypatch.setenv("BARTIZAN_CACHE", str(tmp_path / "compiled"))


@pytest.mark.parametrize("is_beside", [True, False])
def test_games_with_like_records_keep_their_own_rules(kept_folder, is_beside):
    """In one folder, and in two."""
    plain, twice = kept_folder / "plain", ("state.at_stake += pips", "state.at_stake += 2 * pips")
    plain = plain / "plain.py" if plain.exists() else pig_at(plain)
    double = pig_at(kept_folder / f"double{is_beside:d}", twice)
    if is_beside:
        double = double.rename(plain.with_name("double.py"))
    assert rows(plain)["turn"].mean() > 1.5 * rows(double)["turn"].mean()


def test_a_plan_plays_the_game_as_it_now_stands(kept_path, tmp_path):
    game = pig_with_a_neighbour(kept_path / "pig2")
    plan = tmp_path / "plan.toml"
    plan.write_text(f'game = "{game}"\ngames = 200\nseed = 1\n')
    (before,) = bartizan("sweep", plan, "-o", tmp_path / "before").json["cells"]
    (game.parent / "step.py").write_text(STEP.format(" * 2"))
    (after,) = run("sweep", plan, "-o", tmp_path / "after", "--json")["cells"]
    assert before["turns"]["mean"] > 1.5 * after["turns"]["mean"]
    child = process("verify", tmp_path / "before")  # this process has the game as it was
    err = child.communicate()[1]
    assert child.returncode == 4 and "has changed since the run, so its games cannot be reproduced" in err


def test_one_folder_serves_all_games(tmp_path, monkeypatch):
    monkeypatch.setenv("BARTIZAN_CACHE", str(tmp_path))
    monkeypatch.setitem(os.environ, "NUMBA_CACHE_DIR", os.environ["NUMBA_CACHE_DIR"])
    for words in (("describe", "itter"), ("describe", PIG), ("games",)):
        assert bartizan(*words).code == 0
        assert os.environ["NUMBA_CACHE_DIR"] == str(tmp_path / cache.OWN / cache.folder_name())


def test_numba_looks_where_it_is_told(tmp_path, monkeypatch):
    """Else it would look in the folder of the game before until it compiles, and what is compiled would
    seem not to be.
    """
    monkeypatch.setattr(cache, "cache_root", lambda: tmp_path)
    monkeypatch.setenv("NUMBA_CACHE_DIR", "before")
    monkeypatch.setattr(numba.config, "CACHE_DIR", "before")
    folder = str(cache.configure())
    assert Path(folder).parent == tmp_path and numba.config.CACHE_DIR == os.environ["NUMBA_CACHE_DIR"] == folder


def test_another_clone_finds_what_was_compiled_of_an_example_and_nobody_that_of_a_file_elsewhere(tmp_path, monkeypatch):
    """One text in two clones is one code, and in two folders of a user two: what fails names its own file."""
    tags, rooms = [], []
    for clone in ("one", "two"):
        path = pig_at(tmp_path / clone)
        path = path.rename(path.with_name("pig.py"))
        elsewhere = (identity.Code(path).tag, index._room.__wrapped__(str(path)))
        monkeypatch.setattr(trees, "location_of", lambda file, home=path.parent: file.relative_to(home).as_posix())
        monkeypatch.setattr(index, "HOUSE", tmp_path / clone)
        tags.append((elsewhere[0], identity.Code(path).tag))
        rooms.append((elsewhere[1], index._room.__wrapped__(str(path))))
        monkeypatch.undo()
    for (one, shared), (two, also) in (tags, rooms):
        assert one != two and shared == also != one
    assert trees.location_of(Path(PIG).resolve()) == "examples/pig/pig.py"
    assert trees.location_of(tmp_path) == str(tmp_path)


def test_a_neighbour_of_the_game_counts(tmp_path):
    game = pig_with_a_neighbour(tmp_path / "pig3")
    before = identity.Code(game).tag
    assert before == identity.Code(game).tag
    (game.parent / "step.py").write_text(STEP.format(" * 2"))
    assert before != identity.Code(game).tag


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
    return (
        Batch(Match(game, load_scenario(game), (find_player(game, str(policy)),) * 2, 1))
        .play(range(200))["turn"]
        .mean()
    )


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


# ---------------------------------------------------------------- edits in the house

PROBE = """
from bartizan.simcore.compile import cache
cache.configure()
from bartizan.policies.castle.greedy import probe
from bartizan.simcore.compile import loops
from bartizan.simcore.game import load_game
from bartizan.simcore.play.batch import BATCH
import json
value = int(probe(5))
names = {}
for name in ("castle", "rampage"):
    engine = load_game(name).compiled
    names[name] = [loops.compiled_rules(engine)["apply"].symbol, loops._kernel_of(BATCH, engine).__qualname__]
print(json.dumps([value, len(probe.stats.cache_hits), len(probe.stats.cache_misses), names]))
"""
PLANTED = {  # file of the house -> what is added: a policy that reaches a helper, a rule, a constant, the kit and luck
    "policies/castle/greedy.py": """
from bartizan.simcore.compile.jit import jit as _jit
from bartizan.policies.castle import aids as _aids
@_jit
def probe(n):
    \"\"\"Doc.\"\"\"
    return _aids.probe_helper(n) + 1
""",
    "policies/castle/aids.py": """
from bartizan.simcore.compile.jit import jit as _jit
from bartizan.simcore.castle.rules.targets import probe_rule as _rule
@_jit
def probe_helper(n):
    return _rule(n) * 10
""",
    "simcore/castle/rules/targets.py": """
from bartizan.simcore.compile.jit import jit as _jit
from bartizan.simcore.castle import components as _c
from bartizan.simcore.kit.dice import probe_kit as _kit
@_jit
def probe_rule(n):
    return n + _c.PROBE + _kit(n)
""",
    "simcore/castle/components.py": "\nPROBE = 100\n",
    "simcore/kit/dice.py": """
from bartizan.simcore.compile.jit import jit as _jit
from bartizan.simcore.rng import probe_luck as _luck
@_jit
def probe_kit(n):
    return _luck(n)
""",
    "simcore/rng.py": """
from bartizan.simcore.compile.jit import jit as _jit


@_jit
def probe_luck(n):
    return n * 2
""",
    "simcore/rampage/components.py": "\nPROBE = 100\n",
}


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A copy of the house with the probe in it, and its own compiled code."""
    home = tmp_path_factory.mktemp("house") / "bartizan"
    for room in ("simcore", "policies"):
        shutil.copytree(trees.HOUSE / room, home / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(trees.FRONT, home)
    for name, text in PLANTED.items():
        with (home / name).open("a") as file:
            file.write(text)
    return home, probed(home)


def probed(home: Path) -> tuple[int, int, int, dict]:
    """(what the probe answers, hits of the cache, misses, names of castle's and rampage's compiled code),
    in a process of its own.
    """
    environment = {
        **os.environ,
        "BARTIZAN_CACHE": str(home.parent / "compiled"),
        "PYTHONPATH": str(home.parent),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    said = subprocess.run(
        [sys.executable, "-c", PROBE], cwd=home.parent, env=environment, capture_output=True, text=True
    )
    assert said.returncode == 0, said.stderr
    return tuple(json.loads(said.stdout))


SIBLINGS = """
import sys
from bartizan.simcore.compile import cache
cache.configure()
import numba
from bartizan.simcore.kit.actions import packed

_, by_seven = packed(first=1, second=7)
_, by_ten = packed(first=1, second=10)


@numba.njit
def first(n):
    return n


@numba.njit
def both(n):
    return by_seven(n), by_ten(n)


print((first(1), by_ten(25)) if sys.argv[1] == "one" else both(25))
"""


def test_functions_of_one_maker_are_told_apart_when_one_of_them_was_kept(tmp_path):
    """numba numbers them as it meets them, in each process anew, and links by name and number: the second one of
    the first process would stand for the second one of another.
    """
    environment = {**os.environ, "BARTIZAN_CACHE": str(tmp_path), "PYTHONPATH": str(trees.HOUSE.parent)}
    (tmp_path / "siblings.py").write_text(SIBLINGS)
    for way, value in ("one", (1, (2, 5))), ("both", ((3, 4), (2, 5))):
        command = [sys.executable, str(tmp_path / "siblings.py"), way]
        said = subprocess.run(command, env=environment, capture_output=True, text=True)
        assert said.stdout.strip() == str(value), said.stderr


@pytest.mark.parametrize(
    "file, old, new, value",
    [
        ("policies/castle/aids.py", "_rule(n) * 10", "_rule(n) * 20", 2301),
        ("simcore/castle/components.py", "PROBE = 100", "PROBE = 200", 2151),
        ("simcore/rng.py", "return n * 2", "return n * 3", 1201),
    ],
)
def test_an_edit_in_what_is_called_takes_effect(house, file, old, new, value):
    home, (before, _, _, names) = house
    assert before == 1151
    text = (home / file).read_text()
    assert text.count(old) == 1
    (home / file).write_text(text.replace(old, new))
    try:
        after, hits, misses, renamed = probed(home)
    finally:
        (home / file).write_text(text)
    assert (after, hits, misses) == (value, 0, 1)
    is_rule = "aids" not in file  # no rule asks a policy
    assert all((old != new) == is_rule for old, new in zip(names["castle"], renamed["castle"], strict=True))
    assert (names["rampage"] != renamed["rampage"]) == (file == "simcore/rng.py")  # which throws no dice of the kit


def test_an_edit_of_another_game_or_of_a_comment_leaves_what_is_compiled(house):
    home, before = house
    texts = {name: (home / name).read_text() for name in PLANTED}
    (home / "simcore/rampage/components.py").write_text(
        texts["simcore/rampage/components.py"].replace("PROBE = 100", "PROBE = 200")
    )
    for name in ("simcore/rng.py", "policies/castle/greedy.py", "simcore/castle/rules/targets.py"):
        text = texts[name].replace('"""Doc."""', "# not a docstring").replace("@_jit\n", "# moves all lines\n@_jit\n")
        assert text != texts[name]
        (home / name).write_text(text)
    try:
        value, hits, misses, names = probed(home)
    finally:
        for name, text in texts.items():
            (home / name).write_text(text)
    assert (value, hits, misses) == (before[0], 1, 0)
    assert names["castle"] == before[3]["castle"] and names["rampage"] != before[3]["rampage"]


def reached(function) -> set[Path]:
    """A function of the house, and all of the house that it reaches by name: functions, modules."""
    seen, ahead = {}, [function]
    while ahead:
        one = ahead.pop()
        one = getattr(one, "py_func", one)
        file = getattr(one, "__file__", "") if ismodule(one) else one.__code__.co_filename if isfunction(one) else ""
        if file and id(one) not in seen and trees.is_ours(Path(file)):
            seen[id(one)] = Path(file).resolve()
            ahead += habits.meanings_of(one) if isfunction(one) else []
    return set(seen.values())


@pytest.mark.parametrize("name", ["itter", "colditz", "castle", "rampage"])
def test_compiled_code_reaches_nothing_but_what_its_file_imports(name):
    """Else an edit there would go unseen: what is kept on disk is named by the files that a file imports."""
    game = load_game(name)
    engine = game.compiled
    rules = [
        one
        for owner in (engine, engine.cards, engine.features, *engine.rare.values())
        if owner
        for one in vars(owner).values()
        if hasattr(one, "py_func")
    ]
    players = [
        one
        for policy in policies_of(game).values()
        for one in vars(policy).values()
        if isfunction(one) and one.__module__.startswith("bartizan.policies")
    ]
    kernels = [
        one
        for module in pkgutil.iter_modules(play.__path__)
        for one in vars(importlib.import_module(f"{play.__name__}.{module.name}")).values()
        if isfunction(one) and one.__module__.startswith(play.__name__)
    ]
    assert len(rules) > 6 and len(players) > 3 and len(kernels) > 50
    for root in (*rules, *players, *kernels):
        root = unwrap(getattr(root, "py_func", root))
        files = set(trees.closure((), Path(root.__code__.co_filename).resolve()))
        assert reached(root) <= files, f"{root.__module__}.{root.__name__} reaches {reached(root) - files}"


def test_all_that_the_house_imports_is_seen():
    """A package is imported for the modules in it by their names, and what is imported by a string is known."""
    by_string = {"simcore/game.py", "policies/registry.py", "simcore/compile/identity.py"}
    # for a reader, and a module of numba: compiled code is not made of them
    by_string |= {"simcore/play/failures.py", "simcore/play/position_changes.py", "simcore/compile/lean.py"}
    for folder in trees.OURS:
        for path in folder.rglob("*.py"):
            name, tree = path.relative_to(trees.HOUSE).as_posix(), trees.tree_of(path)
            assert name in by_string or not re.search(r"import_module|__import__", path.read_text()), name
            for imported in tree.imports:
                assert imported.split(".")[0] != "bartizan" or trees.FRONT not in trees.files_of(imported), (
                    name,
                    imported,
                )
                last = [path, *trees.files_of(imported)][-1]
                package = ".".join(("bartizan", *last.parent.relative_to(trees.HOUSE).parts))
                if last != path and last.name == "__init__.py" and imported != package:
                    assert hasattr(importlib.import_module(package), imported.rpartition(".")[2]), (name, imported)


def test_what_is_imported_is_found():
    def files(name, package=""):
        return [file.relative_to(trees.HOUSE).as_posix() for file in trees.files_of(name, package)]

    assert files("bartizan.simcore.rng.mix") == ["simcore/__init__.py", "simcore/rng.py"]
    assert files("..kit.dice.d6", "bartizan.simcore.castle") == [
        "simcore/__init__.py",
        "simcore/kit/__init__.py",
        "simcore/kit/dice.py",
    ]
    assert files(".setup", "bartizan.simcore.castle") == [
        "simcore/__init__.py",
        "simcore/castle/__init__.py",
        "simcore/castle/setup.py",
    ]
    assert files("bartizan.jit") == files("bartizan") == ["__init__.py"] and files("numpy.random") == []
    pig = {
        file.relative_to(trees.HOUSE).as_posix()
        for file in trees.closure([name for kind in trees.said(Path(PIG).read_bytes())[2:4] for name in kind])
    }
    assert {"simcore/rng.py", "simcore/kit/piles.py", "policies/protocol.py"} <= pig
    assert not any("castle" in file for file in pig)


@pytest.mark.parametrize(
    "file", [*(f"simcore/{name}/engine.py" for name in BUILTIN), "simcore/play/batch.py", "policies/lookahead.py"]
)
def test_an_edit_of_how_other_games_are_read_compiles_nothing_anew(file):
    reached = {path.relative_to(trees.HOUSE).parts[:2] for path in trees.closure((), trees.HOUSE / file)}
    assert ("simcore", "compile") in reached and not {("simcore", "short"), ("simcore", "live")} & reached


def test_what_only_type_checkers_import_is_not_followed():
    branches = b"if {}:\n    from bartizan.simcore import watch\nelse:\n    from bartizan.simcore import rng\n"
    seen = [trees._parsed(branches.replace(b"{}", test)).imports for test in (b"TYPE_CHECKING", b"TYPED")]
    assert seen == [["bartizan.simcore.rng"], ["bartizan.simcore.rng", "bartizan.simcore.watch"]]


def test_room_is_made_by_what_was_read_longest_ago_once_an_hour(tmp_path, monkeypatch):
    """A folder of 137,000 files took each process that compiled something 2 s."""
    monkeypatch.setattr(cache, "KEEP_BYTES", 250)
    room, names = tmp_path / "room", ("new", "used", "old", "older", "oldest")
    room.mkdir()

    def left(names):
        for days, name in enumerate(names):
            path = room / f"{name}.nbc"
            path.write_bytes(bytes(100))
            os.utime(path, (time.time() - days * 86400 - 60,) * 2)
        cache.drop_unused(tmp_path)
        return {path.stem for path in room.iterdir()}

    assert left(names) == {"new", "used"}
    assert left(names) == {*names}
    for hour in (-2, 2):  # a clock that was wrong does not stop it for long
        os.utime(tmp_path / cache.CLEANED, (time.time() + hour * 3600,) * 2)
        assert left(names) == {"new", "used"}


def test_a_large_table_that_is_enclosed_is_told_in_full():
    """What numpy writes of an array leaves out the middle from a thousand numbers on."""

    def reading(table):
        def read(i):
            return table[i]

        return read

    one, two = np.zeros((2, 2000))
    two[1000] = 1.0
    assert repr(one) == repr(two)
    assert content_hash(reading(one)) != content_hash(reading(two)) == content_hash(reading(two.copy()))
