"""Every test runs compiled code with bounds checked: out-of-range indexing is silent otherwise."""

import gc
import hashlib
import os
import shutil

import pytest

os.environ["BARTIZAN_BOUNDSCHECK"] = "1"
os.environ["BARTIZAN_FIRST_LOOK"] = "off"  # a process of its own for each policy; tests/cli/test_first_look.py has it
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # a worker a core: more threads only wait for each other

from bartizan.simcore.compile import cache

KEPT = cache.configure() / "of tests"  # before anything imports numba


def pytest_configure(config):
    """Here and not in pyproject.toml: naming a numba class there would import numba before its cache folder is set."""
    config.addinivalue_line("filterwarnings", "ignore::numba.core.errors.NumbaExperimentalFeatureWarning")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Two workers do not both load the compiled code of all games."""
    from tests.by_game import ByGame

    return ByGame(config, log) if config.option.dist == "loadfile" else None


def pytest_sessionstart():
    if "BARTIZAN_COMPILES" in os.environ:
        from tests.compiles import listen

        listen(os.environ["BARTIZAN_COMPILES"])


def pytest_runtest_setup():
    """A test of this folder may have left numba in another."""
    cache.configure()


@pytest.fixture
def kept_path(request):
    """As `tmp_path`, at the same place in every run: what is compiled of a file that a test writes is found again."""
    folder = KEPT / hashlib.sha256(f"{__file__} {request.node.nodeid}".encode()).hexdigest()[:12]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def pytest_collection_finish():
    """Tests, modules and what numba makes of them stay: they need not be looked through for garbage over and over (as in api/cluster/warming.py)."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000)
