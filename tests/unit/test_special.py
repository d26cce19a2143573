"""The functions of `scipy.special` are SciPy's own, and are loaded without the rest of their package."""

import subprocess
import sys

import numpy as np
import pytest

from bartizan.analyses.statistics import special
from bartizan.policies.newcomer import spread
from bartizan.simcore.short import words

LIGHT = """
import sys
from bartizan.analyses.statistics import intervals, special, testing
from bartizan.analyses.statistics.special import ndtri
assert "scipy.special" not in sys.modules and "numpy.f2py" not in sys.modules
import scipy.special
for name in "bdtr bdtrc bdtrik betaincinv betaln chdtri expit fdtrc gammaln ndtr ndtri stdtr stdtrit xlogy".split():
    assert getattr(special, name) is getattr(scipy.special, name), name
assert special.softmax is scipy.special.softmax and scipy.special._ufuncs.ndtri is special.ndtri
from scipy import optimize, stats
assert abs(stats.norm.ppf(0.975) - special.ndtri(0.975)) < 1e-12 and optimize.brentq
"""


def test_the_package_is_not_loaded_and_can_be_loaded_afterwards():
    subprocess.run([sys.executable, "-c", LIGHT], check=True)


def test_an_unknown_function_is_an_attribute_error():
    with pytest.raises(AttributeError):
        special.no_such_function  # noqa: B018


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 5, 13, 14, 15, 40, 41, 42, 200])
def test_cards_are_sorted_within_their_pool_only(n):
    pool = np.random.default_rng(n).integers(0, 50, n + 4)
    expected = pool.copy()
    expected[1 : 1 + n].sort()
    words._sort(pool, 1 + n)
    assert pool.tolist() == expected.tolist()


def test_the_spread_of_values_is_their_standard_deviation():
    values = np.random.default_rng(1).normal(3.0, 2.0, 20)
    assert spread(values, 12) == pytest.approx(np.std(values[:12]))
    assert spread(np.full(3, 7.0), 3) == 0.0
