"""What the tests cost in processor time, child processes included.

BARTIZAN_COSTS=FILE lets every worker add a line for each test (tests/conftest.py); `python -m tests.costs FILE` sums
them by file. A fixture is counted with the first test that asks for it. `python -m tests.costs FILE keep` writes the
long ones to tests/seconds.json, by which the first run in a clone is planned (tests/by_game.py).
"""

import json
import os
import sys
from collections import Counter
from pathlib import Path

import pytest


class Costs:
    """Writes down what each test took."""

    def __init__(self, file: str):
        self.file = file

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item):
        own, children = spent()
        result = yield
        now, now_children = spent()
        line = {"test": item.nodeid, "own": now - own, "children": now_children - children}
        with open(self.file, "a", encoding="utf-8") as out:
            out.write(json.dumps(line) + "\n")
        return result


def spent() -> tuple[float, float]:
    """Seconds of user and system time: of this process, and of its children that have ended."""
    times = os.times()
    return times.user + times.system, times.children_user + times.children_system


SECONDS, LONG = Path(__file__).with_name("seconds.json"), 5  # seconds from which a file of tests is named there


def main(file: str, most: str = "40") -> None:
    own, children, tests = Counter(), Counter(), Counter()
    for line in map(json.loads, Path(file).read_text(encoding="utf-8").splitlines()):
        name = line["test"].partition("::")[0]
        own[name] += line["own"]
        children[name] += line["children"]
        tests[name] += 1
    total = own + children
    if most == "keep":
        long = {name: round(seconds) for name, seconds in sorted(total.items()) if seconds >= LONG}
        SECONDS.write_text(json.dumps(long, indent=1) + "\n", encoding="utf-8")
        return
    print(f"{tests.total()} tests of {len(tests)} files: {own.total():.0f} s, their children {children.total():.0f} s")
    for name, seconds in total.most_common(int(most)):
        print(f"{seconds:6.1f} s ({children[name]:5.1f} s of children) {tests[name]:4} tests {name}")


if __name__ == "__main__":
    main(*sys.argv[1:])
