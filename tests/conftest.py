"""Every test runs compiled code with bounds checked: out-of-range indexing is silent otherwise."""

import os

os.environ["BARTIZAN_BOUNDSCHECK"] = "1"

from simcore import cache

cache.configure()  # before anything imports numba
