"""Every test runs compiled code with bounds checked: out-of-range indexing is silent otherwise."""

import gc
import hashlib
import importlib
import os
import random
import re
import shutil
import sys
import tempfile
from collections import defaultdict
from contextlib import ExitStack, suppress
from itertools import count
from pathlib import Path
from unittest.mock import patch

import pytest

os.environ["BARTIZAN_BOUNDSCHECK"] = "1"
os.environ["BARTIZAN_FIRST_LOOK"] = "off"  # a process of its own for each policy; tests/cli/test_first_look.py has it
os.environ["BARTIZAN_PRACTICE"] = "off"  # no training of ten seconds; tests/unit/test_practice.py has it
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # a worker a core: more threads only wait for each other

from bartizan.simcore.compile import cache
from tests import rotation

KEPT = cache.configure() / "of tests"  # before anything imports numba
ROOT = Path(__file__).parent.parent
gc.set_threshold(100_000)  # modules and tests stay: searching them for garbage takes a seventh of their collection


def pytest_configure(config):
    """Here and not in pyproject.toml: naming a numba class there would import numba before its cache folder is set."""
    config.addinivalue_line("filterwarnings", "ignore::numba.core.errors.NumbaExperimentalFeatureWarning")
    rotation.choose()
    if "BARTIZAN_COSTS" in os.environ:
        from tests.costs import Costs

        config.pluginmanager.register(Costs(os.environ["BARTIZAN_COSTS"]))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Two workers do not both load the compiled code of all games."""
    from tests.by_game import ByGame, Lengths

    if config.option.dist != "loadfile":
        return None
    config.pluginmanager.register(Lengths(config))
    return ByGame(config, log)


def pytest_sessionstart():
    if "BARTIZAN_COMPILES" in os.environ:
        from tests.compiles import listen

        listen(os.environ["BARTIZAN_COMPILES"])


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session):
    """In a new clone, two workers would both rewrite the asserts of every file, and compile every module that it
    imports. Every second worker therefore imports the files in reverse order, so that each rewrites half of them.
    """
    worker, config = os.environ.get("PYTEST_XDIST_WORKER", ""), session.config
    if worker[-1:] in {*"13579"} and config.args_source is config.ArgsSource.TESTPATHS:
        for file in sorted((ROOT / "tests").rglob("test_*.py"), reverse=True):
            with suppress(Exception, pytest.skip.Exception):  # reported when the file is collected
                importlib.import_module(".".join(file.relative_to(ROOT).with_suffix("").parts))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    if config.option.random_order is not None:
        shuffle(items, config.option.random_order)
    is_named = any("::" in str(argument) for argument in config.args)
    out = [] if is_named else rotation.left_out(items)
    if out:
        config.hook.pytest_deselected(items=out)
        items[:] = [item for item in items if item not in {*out}]


def shuffle(items, seed):
    """Files, and the tests in each, in another order."""
    luck, files = random.Random(seed), defaultdict(list)
    for item in items:
        files[item.path].append(item)
    for tests in files.values():
        luck.shuffle(tests)
    groups = list(files.values())
    luck.shuffle(groups)
    items[:] = [item for group in groups for item in group]


def pytest_addoption(parser):
    parser.addoption(
        "--random-order", type=int, metavar="SEED", help="run files, and the tests in each, in another order"
    )


def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line(rotation.summary())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    return missed((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    return missed((yield))


def missed(report):
    """With CI set a test is not skipped because something is not installed; what only some systems have is another matter."""
    if report.outcome == "skipped" and "CI" in os.environ and isinstance(report.longrepr, tuple):
        reason = report.longrepr[2].removeprefix("Skipped: ")
        if not reason.startswith(("only ", "got empty parameter set")):
            report.outcome, report.longrepr = (
                "failed",
                f"skipped although CI is set: {reason}. `.ci/run` installs what tests need",
            )
    return report


def pytest_runtest_setup():
    """A test of this folder may have left numba in another."""
    numba, folder = sys.modules.get("numba"), str(KEPT.parent)
    if os.environ.get("NUMBA_CACHE_DIR") != folder or (numba and numba.config.CACHE_DIR != folder):
        cache.configure()


@pytest.fixture
def wording(snapshot, tmp_path):
    """A line as it was accepted last; `make snapshots` writes it anew. Folders and hashes, which differ from run to run, are left out."""
    plain = [
        (re.escape(str(tmp_path)), "TMP"),
        (re.escape(str(tmp_path.parent)) + r"/(\w*?)\d+\b", r"TMP/\1"),  # of a module's fixture
        (re.escape(str(KEPT)) + r"/\w+", "KEPT"),
        (re.escape(str(Path(__file__).parent.parent)), "ROOT"),
        (r"\b(?=\w*\d)[0-9a-f]{8,}\b", "HASH"),
        (r"line \d+ column \d+ \(char \d+\)", "PLACE"),
    ]

    def matcher(data, path):
        for pattern, name in plain:
            data = re.sub(pattern, name, data)
        return data

    return snapshot.with_defaults(matcher=matcher)


@pytest.fixture
def kept_path(request):
    """As `tmp_path`, at the same place in every run: what is compiled of a file that a test writes is found again."""
    yield from kept(request)


@pytest.fixture(scope="module")
def kept_folder(request):
    """As `kept_path`, for all tests of a file."""
    yield from kept(request)


def kept(request):
    """A place that all clones on a machine use, so that each finds what another has compiled.

    A clone that runs the same test at the same time uses the next place.
    """
    from bartizan.simcore.files import held

    name = hashlib.sha256(request.node.nodeid.encode()).hexdigest()[:12]
    KEPT.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        for number in count():
            folder, lock = KEPT / f"{name}{number}", KEPT / f"{name}{number}.lock"
            lock.touch()
            with suppress(BlockingIOError):
                stack.enter_context(held(lock, wait=False))
                break
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        yield folder


def pytest_collection_finish():
    """Tests, modules and what numba makes of them stay: they need not be looked through for garbage over and over (as in api/cluster/warming.py)."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True, scope="session")
def no_temporary_folder_returns():
    """A folder that is deleted while games are still written to it is made anew, and nobody deletes it again."""
    made, begin = [], tempfile.TemporaryDirectory.__init__

    def noted(self, *args, **options):
        begin(self, *args, **options)
        made.append((self._finalizer, Path(self.name)))

    with patch.object(tempfile.TemporaryDirectory, "__init__", noted):
        yield
    left = [path for finalizer, path in made if not finalizer.alive and path.exists()]
    assert not left, [(path, sorted(path.rglob("*"))[:5]) for path in left]
