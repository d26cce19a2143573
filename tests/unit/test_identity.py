"""Twelve ways to edit a file from outside: what is compiled answers as the source that was executed."""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
from enum import IntEnum
from pathlib import Path

import numpy as np
import pytest
from openpyxl import Workbook

from bartizan.policies.registry import find_policy
from bartizan.simcore.compile import fence, trees
from bartizan.simcore.compile.identity import content_hash
from bartizan.simcore.compile.loops import _kernel_of
from bartizan.simcore.errors import UsageError
from bartizan.simcore.game import game_from_file, load_game, load_module
from bartizan.simcore.play.batch import BATCH
from bartizan.simcore.play.match import Player
from bartizan.simcore.scenario.loading import load_scenario
from bartizan.simcore.short.writing import load
from bartizan.simcore.sources import source_hash
from tests.cli.run_cli import PIG, ROOT

MINE = "from bartizan.simcore.compile.jit import jit\n{}\n\n@jit\ndef answer(n):\n    return n * {}\n"
HELPER = "from bartizan.simcore.compile.jit import jit\n\n@jit\ndef factor():\n    return {}\n"
CLOSURE = "def made(k):\n    def factor():\n        return k\n    return jit(factor)\n\nfactor = made({})\n"
DATA = "from pathlib import Path\nAT = int(Path(__file__).with_name('data.csv').read_text())\n"
TABLE = "from pathlib import Path\nTABLE = Path(__file__).with_name('data.csv').read_text()\n"
EDITS = "from pathlib import Path\nPath(__file__).with_name('helper.py').write_text({!r})\nfrom helper import factor"
LATER = "from helper import factor\n"  # the test edits the helper between loading and compiling

# way -> (files, the file that is edited, its text afterwards); the answer is 2 before and 3 after
WAYS = {
    "file": ({"mine.py": MINE.format("", 2)}, "mine.py", MINE.format("", 3)),
    "helper": ({"mine.py": MINE.format("from helper import factor", "factor()"), "helper.py": HELPER.format(2)}, "helper.py", HELPER.format(3)),
    "helper in a sub-folder": ({"mine.py": MINE.format("from rules.attack import factor", "factor()"), "rules/attack.py": HELPER.format(2)}, "rules/attack.py", HELPER.format(3)),
    "data in code": ({"mine.py": MINE.format(DATA, "AT"), "data.csv": "2"}, "data.csv", "3"),
    "constant": ({"mine.py": MINE.format("from helper import AT", "AT"), "helper.py": "AT = 2\n"}, "helper.py", "AT = 3\n"),
    "closure": ({"mine.py": MINE.format("from helper import K\n" + CLOSURE.format("K"), "factor()"), "helper.py": "K = 2\n"}, "helper.py", "K = 3\n"),
    "default argument": ({"mine.py": MINE.format(DATA + "@jit\ndef factor(k=AT):\n    return k\n", "factor()"), "data.csv": "2"}, "data.csv", "3"),
    "package": ({"mine.py": MINE.format("import kit", "kit.inner.factor()"), "kit/__init__.py": "from . import inner\n", "kit/inner.py": HELPER.format(2)}, "kit/inner.py", HELPER.format(3)),
    "symlink": ({"mine.py": MINE.format("from helper import factor", "factor()"), "helper.py": Path("two.py"), "two.py": HELPER.format(2), "three.py": HELPER.format(3)}, "helper.py", Path("three.py")),
    "edit while loading": ({"mine.py": MINE.format(EDITS.format(HELPER.format(3)), "factor()"), "helper.py": HELPER.format(2)}, "", ""),
    "edit while compiling": ({"mine.py": MINE.format(LATER, "factor()"), "helper.py": HELPER.format(2)}, "", ""),
    "equal names, here": ({"mine.py": MINE.format("from helper import factor", "factor()"), "helper.py": HELPER.format(2)}, "helper.py", HELPER.format(3)),
    "equal names, there": ({"mine.py": MINE.format("from helper import factor", "factor()"), "helper.py": HELPER.format(20)}, "helper.py", HELPER.format(30)),
    "numbers of a table": ({"mine.py": MINE.format(TABLE, 2), "data.csv": "2"}, "data.csv", "3"),
}  # fmt: skip

CHILD = """
import json, sys
from pathlib import Path
from bartizan.simcore.compile import cache, fence
if sys.argv[3:]:
    fence.TESTED = ("0.1",)
cache.configure()
from bartizan.simcore.game import load_module
from bartizan.simcore.short.writing import load
from bartizan.simcore.sources import source_hash
home, late = Path(sys.argv[1]), sys.argv[2]
modules = {folder.name: load_module(folder / "mine.py", "policy") for folder in sorted(home.iterdir())}
(home / "edit while compiling" / "helper.py").write_text(late)
print(json.dumps({
    name: [
        int(module.answer(1)),
        len(module.answer.stats.cache_misses) if hasattr(module.answer, "stats") else 0,
        source_hash(getattr(module.answer, "py_func", module.answer)),
        load_module(home / name / "mine.py", "policy") is module,
    ]
    for name, module in modules.items()
}))
"""


def put(path: Path, text: str | Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    if isinstance(text, Path):
        path.symlink_to(text)
    else:
        path.write_text(text)


@pytest.fixture(scope="module")
def answers(tmp_path_factory) -> list[dict]:
    """Before the edits, after them (compiled; uncompiled), once more, and under a numba that was not tested."""
    folder = tmp_path_factory.mktemp("edits")
    home = folder / "home"
    for way, (files, _, _) in WAYS.items():
        for name, text in files.items():
            put(home / way / name, text)

    def asked(*words, **settings) -> dict:
        environment = {**os.environ, "BARTIZAN_CACHE": str(folder), "BARTIZAN_BOUNDSCHECK": ""}
        environment |= {"PYTHONPATH": str(trees.HOUSE.parent)} | settings
        command = [sys.executable, "-c", CHILD, str(home), HELPER.format(3), *words]
        said = subprocess.run(command, env=environment, capture_output=True, text=True)
        assert said.returncode == 0, said.stderr
        return json.loads(said.stdout)

    before = asked()
    for way, (_, name, text) in WAYS.items():
        if name:
            put(home / way / name, text)
    return [before, asked(), asked(BARTIZAN_PLAIN="1"), asked(), asked("untested")]


@pytest.mark.parametrize("way", WAYS)
def test_compiled_code_is_that_of_the_executed_source(answers, way):
    before, after, plain, again, untested = (one[way] for one in answers)
    times = 10 if way == "equal names, there" else 1
    assert before[0] == 2 * times
    assert after[0] == plain[0] == again[0] == untested[0] == (2 if way == "numbers of a table" else 3 * times)
    assert before[1] == 1 and again[1] == 0
    assert before[2] != after[2] == plain[2] == again[2]  # what a manifest names


def test_a_number_that_only_fills_tables_compiles_nothing(answers):
    assert answers[1]["numbers of a table"][1] == 0


def test_the_oldest_numba_that_is_installed_is_a_tested_one():
    """0.63 to 0.67 compile no built-in game."""
    least = re.search(r'"numba>=([\d.]+)"', (ROOT / "pyproject.toml").read_text())
    assert least and least[1] == min(fence.TESTED)


def test_an_unchanged_file_is_executed_once(answers):
    changed = {"edit while loading", "edit while compiling"}
    assert all(row[3] for way, row in answers[0].items() if way not in changed)
    assert not any(answers[0][way][3] for way in changed)


def test_a_file_imported_by_a_string_is_named(tmp_path):
    put(tmp_path / "helper.py", "AT = 2\n")
    put(tmp_path / "mine.py", "import importlib\nimportlib.import_module('helper')\n")
    with pytest.raises(UsageError, match=r"mine.py:2: .*\(to import the file beside it, write: import helper\)"):
        load_module(tmp_path / "mine.py", "policy")


# ---------------------------------------------------------------- what is loaded

POLICY = """
from bartizan import Policy
from helper import AT

def choose(state, tables, legal, n_legal, weights):
    return legal[AT % n_legal]

MINE = Policy("mine", choose)
"""


def version_of(policy) -> str:
    """What manifests and answers name."""
    return Player(policy.name, None, {}, "", policy.source, decided_by=policy.decided_by()).source_hash


def test_a_player_names_the_version_that_was_executed(tmp_path):
    put(tmp_path / "mine.py", POLICY)
    put(tmp_path / "helper.py", "AT = 0\n")
    pig, file = load_game(PIG), str(tmp_path / "mine.py")
    old = find_policy(pig, file)
    assert find_policy(pig, file) is old
    put(tmp_path / "helper.py", "AT = 1\n")
    new = find_policy(pig, file)
    assert version_of(new) == source_hash(tmp_path / "mine.py") != version_of(old)
    assert content_hash(old.choose) != content_hash(new.choose)
    put(tmp_path / "helper.py", "AT = 0\n")
    assert version_of(old) == source_hash(tmp_path / "mine.py")


def test_data_that_were_read_in_any_way_are_read_again(tmp_path):
    put(tmp_path / "mine.py", "import polars\nAT = polars.read_csv(__file__[:-7] + 'data.csv').item()\n")
    put(tmp_path / "data.csv", "at\n2\n")
    assert load_module(tmp_path / "mine.py", "policy").AT == 2
    put(tmp_path / "data.csv", "at\n30\n")
    assert load_module(tmp_path / "mine.py", "policy").AT == 30


def as_workbook(path: Path) -> None:
    """Write the sheet of a .csv file into an .xlsx file beside it."""
    book = Workbook()
    for row in csv.reader(path.read_text().splitlines()):
        book.active.append([int(cell) if cell.isdigit() else cell for cell in row])
    book.save(path.with_suffix(".xlsx"))


@pytest.mark.parametrize("kind", [".csv", ".xlsx"])
def test_a_number_in_the_sheet_of_a_short_game_compiles_nothing(tmp_path, kind):
    """Neither a number of a card nor how many copies there are, up to a deck of 42 cards."""
    for file in (ROOT / "examples" / "short").glob("love_letter.*"):
        shutil.copy(file, tmp_path)
    table, rules = tmp_path / "love_letter.csv", tmp_path / "love_letter.py"
    rules.write_text(rules.read_text().replace("love_letter.csv", f"love_letter{kind}"))
    cards = table.read_text()

    def code_and_guard(row: str) -> tuple[str, tuple[int, int]]:
        table.write_text(cards.replace("Guard,5,1", row))
        if kind == ".xlsx":
            as_workbook(table)
        game = game_from_file(rules)
        assert list(game.policies())
        guard = load_scenario(game).model.deck["guard"]
        return _kernel_of(BATCH, game.compiled).__qualname__, (guard.copies, guard.value)

    name, _ = code_and_guard("Guard,5,1")
    assert code_and_guard("Guard,5,3") == (name, (5, 3))
    assert code_and_guard("Guard,2,1") == (name, (2, 1))
    assert code_and_guard("Guard,31,1") == (name, (31, 1))


def test_a_short_game_is_the_file_that_was_executed(tmp_path):
    source = (ROOT / "examples" / "short" / "pig.py").read_text()
    path = tmp_path / "pig.py"
    put(path, source)
    module = load_module(path, "game")
    put(path, "no Python")
    assert load(path, module).GAME.name == "pig"


# ---------------------------------------------------------------- what a function is made of


class Colour(IntEnum):
    RED = 1


class Other(IntEnum):
    RED = 2


def made(value, default=None):
    def function(n=default):
        return value

    return function


VALUES = [
    1,
    1.0,
    True,
    None,
    "1",
    b"1",
    (1,),
    [1],
    (1, None),
    (None, 1),
    ((1,),),
    {"a": 1},
    {1},
    Colour,
    Other,
    Colour.RED,
]
VALUES += [
    np.int32(1),
    np.int64(1),
    np.array([1]),
    np.array([[1]]),
    np.array([1.0]),
    np.dtype("i4"),
    np.dtype([("a", "i4")]),
]
VALUES += [made(1), made(2), (made(1),), np.linalg, np.sum]


def test_other_values_are_other_code():
    assert len({content_hash(made(value)) for value in VALUES}) == len(VALUES)
    assert len({content_hash(made(1, value)) for value in (1, 2, None)}) == 3


def test_equal_values_are_one_code():
    assert [content_hash(made(value)) for value in VALUES] == [content_hash(made(value)) for value in VALUES]
    table, one, two = np.arange(3000), {"a", "b", "c"}, {"c", "b", "a"}
    assert content_hash(made((table, one))) == content_hash(made((table.copy(), two)))


def test_functions_that_call_each_other_end():
    functions = []
    functions += [made(functions), made(functions)]
    assert content_hash(functions[0])


@pytest.mark.parametrize(
    "edit, says, decides",
    [
        (("one pawn", "one meeple"), True, False),
        (("# why", "# because"), False, False),
        (("2 * x", "3 * x"), True, True),
        (("x < 0", "x < 1"), True, True),
    ],
)
def test_a_player_stays_the_same_under_another_message(edit, says, decides):
    text = 'def f(x):\n    if x < 0:  # why\n        raise ValueError("one pawn")\n    return 2 * x\n'
    assert edit[0] in text
    before, after = (trees.said(one.encode()) for one in (text, text.replace(*edit)))
    assert (before.says != after.says, before.decides != after.decides) == (says, decides)
