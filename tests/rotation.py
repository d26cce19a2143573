"""A third of the dear comparisons and trials in each run, another one each day, all of them in `make slow`.

BARTIZAN_TURN=0, 1 or 2 chooses a third, BARTIZAN_TURN=all the lot; the end of a run says which it was.
Whoever names a test (`file.py::test`) gets it.
"""

import os
from collections import Counter
from datetime import UTC, datetime
from zlib import crc32

import pytest

TURNS = 3
OPTION = "BARTIZAN_TURN"


def choose() -> None:
    """Once in a session: the workers of xdist inherit the choice, midnight or not."""
    turn = os.environ.setdefault(OPTION, str(datetime.now(UTC).toordinal() % TURNS))
    if turn not in ("all", *map(str, range(TURNS))):
        raise pytest.UsageError(f"{OPTION}={turn}: write all, or a number from 0 to {TURNS - 1}")


def left_out(items: list[pytest.Item]) -> list[pytest.Item]:
    """Tests marked `rotating` whose turn it is not: of the cases of one test two of three, whatever their order."""
    turn, seen, out = os.environ[OPTION], Counter(), []
    for item in items:
        if item.get_closest_marker("rotating") and turn != "all":
            name = item.nodeid.partition("[")[0]
            seen[name] += 1
            if (crc32(name.encode()) + seen[name]) % TURNS != int(turn):
                out.append(item)
    return out


def summary() -> str:
    turn = os.environ[OPTION]
    if turn == "all":
        return "rotating tests: all"
    return f"rotating tests: a third; {OPTION}={turn} plays this one again, {OPTION}=all plays every one"
