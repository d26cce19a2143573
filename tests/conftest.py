"""Every test runs compiled code with bounds checked: out-of-range indexing is silent otherwise."""

import os

os.environ["BARTIZAN_BOUNDSCHECK"] = "1"
os.environ["BARTIZAN_FIRST_LOOK"] = "off"  # a process of its own for each policy; tests/cli/test_first_look.py has it
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # a worker a core: more threads only wait for each other

from bartizan.simcore.compile import cache

cache.configure()  # before anything imports numba


def pytest_configure(config):
    """Here and not in pyproject.toml: naming a numba class there would import numba before its cache folder is set."""
    config.addinivalue_line("filterwarnings", "ignore::numba.core.errors.NumbaExperimentalFeatureWarning")
