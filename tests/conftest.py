"""Every test runs compiled code with bounds checked: out-of-range indexing is silent otherwise."""

import gc
import os

os.environ["BARTIZAN_BOUNDSCHECK"] = "1"
os.environ["BARTIZAN_FIRST_LOOK"] = "off"  # a process of its own for each policy; tests/cli/test_first_look.py has it
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # a worker a core: more threads only wait for each other

from bartizan.simcore.compile import cache

cache.configure()  # before anything imports numba


def pytest_configure(config):
    """Here and not in pyproject.toml: naming a numba class there would import numba before its cache folder is set."""
    config.addinivalue_line("filterwarnings", "ignore::numba.core.errors.NumbaExperimentalFeatureWarning")


def pytest_runtest_setup():
    """A command on a game from outside has left numba in that game's folder, where all of the house would be compiled again."""
    cache.configure()


def pytest_collection_finish():
    """Tests, modules and what numba makes of them stay: they need not be looked through for garbage over and over (as in api/cluster/warming.py)."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000)
