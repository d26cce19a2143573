"""What is installed is named by its hash, and a results folder holds data, never code."""

import ast
import re
import tomllib
from pathlib import Path

from bartizan.simcore.sweep import shards, store
from tests.cli.run_cli import PIG, bartizan, tree

ROOT = Path(__file__).parent.parent.parent
LOCKS = "requirements-all.lock", "requirements.lock", "requirements-uv.lock", "requirements-docs.lock"
READERS = {"dill", "cloudpickle", "joblib", "shelve", "marshal"}


def test_every_pin_has_its_hashes_and_setup_asks_for_them():
    pins, few, installer, docs = (
        re.split(r"\n(?=\S)", (ROOT / name).read_text(encoding="utf-8").strip()) for name in LOCKS
    )
    assert len(pins) > 60 and len(few) > 30 and len(installer) == 1
    assert set(few) <= set(pins)  # what plays is what the tests hold
    for pin in pins + installer + docs:
        assert re.match(r"[\w.-]+==\S+", pin), pin[:80]
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", pin), pin[:80]
    for name in LOCKS:
        assert f"--require-hashes -r {name}" in (ROOT / "Makefile").read_text(encoding="utf-8")


def test_the_lock_names_what_is_asked_for():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    for lock, extra in zip(LOCKS[:2], ([*extras["test"], *extras["cluster"]], extras["workbench"])):
        pinned = {
            re.split("==", line)[0].lower()
            for line in (ROOT / lock).read_text(encoding="utf-8").splitlines()
            if "==" in line
        }
        names = {re.match(r"[\w-]+", one)[0].lower() for one in [*project["dependencies"], *extra]} - {"bartizan"}
        assert names <= pinned, names - pinned


def sources():
    for room in ("simcore", "policies", "analyses", "reports", "api", "workbench", "assistant"):
        yield from (ROOT / room).rglob("*.py")
    yield from ROOT.glob("*.py")


def test_nothing_unpickles():
    """A pickle runs code when it is read; numpy and pandas can read them too.

    numba keeps compiled code as pickles in its own cache folder, and so does `pieces`, in one place.
    """
    for path in sources():
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text if any(name in text for name in READERS) else "")):
            names = (
                [alias.name for alias in node.names]
                if isinstance(node, ast.Import)
                else [node.module or ""]
                if isinstance(node, ast.ImportFrom)
                else []
            )
            assert not READERS & {name.split(".")[0] for name in names}, path
        found = re.finditer(
            r"pickle\.(loads?\b|Unpickler)|from pickle|read_pickle|allow_pickle|np\.load\(|yaml\.(unsafe_)?load\(|serialize\.loads",
            text,
        )
        assert [one[0] for one in found] == ["pickle.loads"] * (path == ROOT / "simcore/compile/pieces.py"), path


def test_a_results_folder_holds_parquet_and_text(tmp_path):
    assert bartizan("sweep", PIG, "--games", 40_000, "--shards", "1/1", "-o", tmp_path / "part").code == 0
    assert bartizan("merge", tmp_path / "part", "-o", tmp_path / "out").code == 0
    assert {Path(name).name for name in tree(tmp_path / "part")} == {
        store.MANIFEST,
        shards.PART,
        "00000.parquet",
        "00001.parquet",
    }
    for name, content in tree(tmp_path / "out").items():
        if name.endswith(".parquet"):
            assert content[:4] == content[-4:] == b"PAR1"
        else:
            assert name in (store.MANIFEST, store.SUMS)
            assert content.decode("utf-8").startswith(
                ("{", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "a", "b", "c", "d", "e", "f")
            )
