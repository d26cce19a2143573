"""What numba compiles in a run of the tests, and what of it more than once.

BARTIZAN_COMPILES=FILE lets every worker add a line for each function that it finds in no cache (tests/conftest.py);
`python -m tests.compiles FILE` counts them. What processes of their own compile is not seen.
"""

import json
import os
import sys
import time
from collections import defaultdict
from pathlib import Path

from numba.core import event


class Compiles(event.Listener):
    """Writes down what is compiled from outside, not what is compiled within it."""

    def __init__(self, file: str):
        self.file, self.begun = file, []

    def on_start(self, event) -> None:
        self.begun.append(time.process_time())

    def on_end(self, event) -> None:
        since = self.begun.pop()
        if self.begun:
            return
        function = event.data["dispatcher"].py_func
        line = {
            "function": f"{function.__module__}.{function.__qualname__}",
            "types": str(event.data["args"]),
            "where": os.environ["NUMBA_CACHE_DIR"],
            "test": os.environ.get("PYTEST_CURRENT_TEST", ""),
            "seconds": time.process_time() - since,
        }
        with open(self.file, "a", encoding="utf-8") as out:
            out.write(json.dumps(line) + "\n")


def listen(file: str) -> None:
    event.register("numba:compile", Compiles(file))


def main(file: str) -> None:
    lines = [json.loads(line) for line in Path(file).read_text(encoding="utf-8").splitlines()]
    alike = defaultdict(list)
    for line in lines:
        alike[line["function"], line["types"]].append(line)
    again = {key: found for key, found in alike.items() if len(found) > 1}
    seconds = sum(line["seconds"] for line in lines)
    lost = sum(line["seconds"] for found in again.values() for line in found[1:])
    print(
        f"{len(lines)} functions compiled in {seconds:.0f} s of processor time; {len(again)} of them more than once, {lost:.0f} s"
    )
    for (function, _), found in sorted(again.items(), key=lambda item: -sum(line["seconds"] for line in item[1][1:])):
        print(
            f"{len(found)} x {found[0]['seconds']:5.1f} s {function}, first in {found[0]['test']}, then in {found[1]['test']}"
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
