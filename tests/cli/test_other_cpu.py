"""Workers of other kinds of CPU play the same bytes: no decision hangs on how a number is rounded.

Compiled for the generic CPU there is no fused multiply-add and no AVX; the C library is told to take its other exp and log, BLAS to add in another order.
"""

import json
import platform

import pytest

from tests.cli.run_cli import PIG
from tests.other_cpu import main, played

x86 = pytest.mark.skipif(platform.machine().lower() not in ("x86_64", "amd64"), reason="only x86-64 has these features")


def check_same(here: dict, there: dict) -> None:
    assert there["cpu"] == "generic" and here["cpu"] != "generic" and not there["fma"]
    assert there["digest"] == here["digest"]


@x86
def test_pig_plays_the_same_on_another_cpu(capsys):
    """With noise, so that choices hang on drawn numbers too."""
    words = (PIG, "hold:noise=0.3+random", "3000")
    main(*words)
    check_same(json.loads(capsys.readouterr().out), played(*words, old=True))


@x86
@pytest.mark.slow
def test_itter_plays_the_same_on_another_cpu():
    words = ("itter", "garrison", 1000, "elite")
    check_same(*(played(*words, old=old, BARTIZAN_BOUNDSCHECK="") for old in (False, True)))
