"""Bartizan deletes and overwrites only what it made, and what two processes write to one file is all kept."""

import json
import os
import shutil
import subprocess
import sys
import threading
import time

import pytest

from bartizan import cli
from bartizan.api.questions import all_questions
from bartizan.simcore.compile import cache
from bartizan.simcore.errors import UsageError
from bartizan.simcore.files import drop_abandoned, is_made_here, updating, whole, write_atomic
from tests.cli.run_cli import PIG, ROOT, bartizan
from tests.conftest import KEPT

DAYS = 3 * 24 * 3600
ENDED = 99_999_999  # no process has this number


def aged(path, age=DAYS):
    os.utime(path, (time.time() - age, time.time() - age))
    return path


def fill(folder, names):
    for name in names:
        (folder / name).mkdir(parents=True)
        (folder / name / "precious.txt").write_text("x")
        aged(folder / name)


@pytest.fixture
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("BARTIZAN_CACHE", str(tmp_path))
    monkeypatch.setenv("NUMBA_CACHE_DIR", "")
    return tmp_path / cache.OWN


@pytest.fixture
def warm_cache(own_cache):
    """A cache folder of its own, through which the code is found that other tests have compiled."""
    compiled = cache.configure()
    shutil.rmtree(compiled)
    compiled.symlink_to(KEPT.parent)
    return own_cache


# ---------------------------------------------------------------- the cache


def test_foreign_folders_in_the_cache_folder_stay(own_cache, tmp_path):
    foreign = ["Documents", "thesis", "mail", "src", "music", "keys", "py311", "py311-bounds", "py312"]
    fill(tmp_path, foreign)
    cache.configure()
    fill(own_cache, foreign[:6])
    cache.configure()
    assert all((tmp_path / name / "precious.txt").exists() for name in foreign)
    assert all((own_cache / name / "precious.txt").exists() for name in foreign[:6])


def test_old_folders_of_compiled_code_go(own_cache):
    cache.configure()
    fill(own_cache, [f"py3{number}" for number in range(20, 28)])
    for number in range(20, 28):
        aged(own_cache / f"py3{number}", DAYS + 60 * (30 - number))
    cache.configure()
    left = {path.name for path in own_cache.glob("py*")}
    assert left == {cache.folder_name(), *(f"py3{number}" for number in range(23, 28))}


def test_nothing_is_deleted_in_a_folder_of_that_name_which_somebody_else_made(own_cache):
    fill(own_cache, [f"py3{number}" for number in range(20, 28)])
    cache.configure()
    assert len(list(own_cache.glob("py32?/precious.txt"))) == 8


@pytest.mark.skipif(os.name != "posix", reason="only POSIX has these permissions")
def test_other_users_cannot_write_to_the_cache(own_cache):
    own_cache.mkdir()
    own_cache.chmod(0o777)
    cache.configure()
    assert own_cache.stat().st_mode & 0o022 == 0


@pytest.mark.skipif(os.name != "posix", reason="only POSIX has owners")
def test_a_cache_of_another_user_is_rejected(own_cache, monkeypatch):
    own_cache.mkdir()
    owner = own_cache.stat().st_uid
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    with pytest.raises(UsageError, match=r"belongs to another user.*BARTIZAN_CACHE"):
        cache.configure()


@pytest.mark.skipif(os.name != "posix", reason="only POSIX has these permissions")
def test_a_cache_that_other_users_can_replace_or_could_fill_is_rejected(own_cache):
    around = own_cache.parent
    around.chmod(0o777)
    with pytest.raises(UsageError, match=r"other users can write there.*BARTIZAN_CACHE"):
        cache.configure()
    around.chmod(0o1777)  # as /tmp: what is in there is its owner's
    cache.configure()
    assert any(own_cache.iterdir())
    own_cache.chmod(0o777)
    with pytest.raises(UsageError, match=r"every user can write there.*BARTIZAN_CACHE"):
        cache.configure()


# ---------------------------------------------------------------- temporary files


def test_threads_that_write_one_file_do_not_share_a_temporary_name(tmp_path):
    path = tmp_path / "one.json"
    with whole(path) as first, whole(path) as second:
        assert first != second
        first.write_text("1")
        second.write_text("2")
    assert path.read_text() == "1" and list(tmp_path.iterdir()) == [path]


def test_only_temporary_files_of_ended_processes_are_deleted(tmp_path):
    with whole(tmp_path / "mine.json") as mine:
        mine.write_text("x")
        over = [tmp_path / f".a.json.{ENDED}.tmp", aged_file(tmp_path / ".b.json.1.00000000-12345678.tmp")]
        stay = [tmp_path / ".b.json.1.00000000-12345679.tmp", tmp_path / "notes.tmp", tmp_path / ".draft.tmp"]
        for path in (over[0], *stay):
            path.write_text("x")
        drop_abandoned(tmp_path)
        assert mine.exists() and all(path.exists() for path in stay) and not any(path.exists() for path in over)


def aged_file(path):
    path.write_text("x")
    return aged(path)


# ---------------------------------------------------------------- one file, several processes

ADD = """
import json, sys
from pathlib import Path
from bartizan.simcore.files import updating, write_atomic
path = Path(sys.argv[1])
for number in range(20):
    with updating(path):
        there = json.loads(path.read_text()) if path.exists() else []
        write_atomic(path, json.dumps([*there, [sys.argv[2], number]]).encode())
"""


def test_two_processes_that_add_to_one_file_lose_nothing(tmp_path):
    path = tmp_path / "list.json"
    both = [subprocess.Popen([sys.executable, "-c", ADD, path, name]) for name in "ab"]
    assert [process.wait() for process in both] == [0, 0]
    assert sorted(map(tuple, json.loads(path.read_text()))) == [(name, n) for name in "ab" for n in range(20)]
    assert list(tmp_path.iterdir()) == [path]


BRACKETS = """
import sys, time
from pathlib import Path
from tests.cli.run_cli import PIG, bartizan
folder, own, other = Path(sys.argv[1]), *sys.argv[2:]
for number in range(8):
    (folder / f"{number}-{own}").touch()
    while not (folder / f"{number}-{other}").exists():
        time.sleep(0.001)
    asked = "--rung", "random", "--games", 10, "--set", f"goal.points={own}", "-o", folder / f"{number}.json"
    result = bartizan("bracket", PIG, *asked)
    assert result.code == 0, result.err
"""


def test_two_commands_that_write_one_file_lose_nothing(tmp_path):
    """Both begin each time when the other is ready."""
    words = [sys.executable, "-c", BRACKETS, tmp_path]
    both = [subprocess.Popen([*words, *goals], cwd=ROOT) for goals in (("30", "40"), ("40", "30"))]
    try:
        assert [process.wait(300) for process in both] == [0, 0]
    finally:
        for process in both:
            process.kill()
    files = [json.loads((tmp_path / f"{number}.json").read_text()) for number in range(8)]
    hashes = {bracket["scenario_hash"] for bracket in files[0]["brackets"]}
    assert len(hashes) == 2
    for file in files:
        assert {bracket["scenario_hash"] for bracket in file["brackets"]} == hashes
        assert all(len(bracket["rungs"]) == 1 for bracket in file["brackets"])


def test_threads_that_add_to_one_file_lose_nothing(tmp_path):
    path = tmp_path / "count"
    path.write_text("0")

    def add():
        for _ in range(20):
            with updating(path):
                write_atomic(path, str(int(path.read_text()) + 1).encode())

    threads = [threading.Thread(target=add) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert path.read_text() == "80"


def test_a_file_that_is_being_written_is_named(tmp_path):
    path = tmp_path / "weights.toml"
    refused = pytest.raises(UsageError, match=r"weights\.toml: another process is writing this file")
    with updating(path), refused, updating(path, wait=False):
        raise AssertionError("both hold it")


# ---------------------------------------------------------------- the command in a manifest


@pytest.mark.parametrize(
    "out", [["-o", "DIR1"], ["-oDIR1"], ["-o=DIR1"], ["-o", "DIR1", "--jobs", "2"], ["-o=DIR1", "--jobs=2"]]
)
def test_a_manifest_does_not_know_its_folder(monkeypatch, out):
    question = all_questions()["run"]
    monkeypatch.setattr(sys, "argv", ["bartizan", "run", "itter", *out, "--seed", "3"])
    assert cli.as_typed(question) == "bartizan run itter --seed 3 -o DIR"


# ---------------------------------------------------------------- files that the user names


@pytest.fixture(scope="module")
def swept(tmp_path_factory):
    folder = tmp_path_factory.mktemp("own") / "kept"
    assert bartizan("sweep", PIG, "--policy", "hold", "--games", 200, "-o", folder).code == 0
    return folder


OUTPUTS = {
    "page.html": ("report", "FOLDER", "-o", "FILE"),
    "page.md": ("report", "FOLDER", "-o", "FILE"),
    "page.json": ("report", "FOLDER", "-o", "FILE"),
    "page.pdf": ("report", "FOLDER", "-o", "FILE"),
    "games.csv": ("export", "FOLDER", "-o", "FILE"),
    "games.parquet": ("export", "FOLDER", "-o", "FILE"),
    "game.html": ("trace", PIG, "--policy", "hold", "--html", "FILE"),
    "bracket.json": ("bracket", PIG, "--rung", "random", "--games", "40", "-o", "FILE"),
}


@pytest.mark.parametrize("name", OUTPUTS)
def test_an_output_is_replaced_and_a_foreign_file_is_left_as_it_is(name, tmp_path, swept):
    path = tmp_path / name
    words = [{"FOLDER": swept, "FILE": path}.get(word, word) for word in OUTPUTS[name]]
    for _ in range(2):
        result = bartizan(*words)
        assert result.code == 0, result.err
    assert is_made_here(path)
    path.write_text('name,copies\nguard,5\n{"name": "made by hand"}\n')
    refused = bartizan(*words)
    assert refused.code in (2, 4) and name in refused.err and "Traceback" not in refused.err
    assert path.read_text().startswith("name,copies")


@pytest.mark.parametrize("suffix", [".svg", ".png", ".pdf"])
def test_a_picture_says_who_made_it(suffix, tmp_path):
    from matplotlib.figure import Figure

    from bartizan.reports.figures import files

    path = tmp_path / f"board{suffix}"
    files.write(Figure, path, "--board")
    files.write(Figure, path, "--board")
    assert is_made_here(path)
    path.write_bytes(b"drawn by hand")
    with pytest.raises(UsageError, match="did not write this file"):
        files.write(Figure, path, "--board")


def test_after_ten_commands_all_foreign_folders_are_there(warm_cache, tmp_path, swept):
    names = ["Documents", "Pictures", "thesis", "mail", "src", "photos", "music", "keys", "py311"]
    fill(tmp_path, names)
    out = tmp_path / "out"
    out.mkdir()
    ten = [
        ("games",),
        ("policies", PIG),
        ("describe", PIG),
        ("doctor",),
        ("report", swept, "-o", out / "page.md"),
        ("export", swept, "-o", out / "games.csv"),
        ("bands",),
        ("playtest", "form", PIG, "-o", out / "form.csv"),
        ("best",),
        ("odds", "do-or-die", "--help"),
    ]
    for words in ten:
        assert bartizan(*words).code == 0, words
        for name in names:
            aged(tmp_path / name)
    assert all((tmp_path / name / "precious.txt").exists() for name in names)
