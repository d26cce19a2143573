"""The first games of a short game, played uncompiled in a process of its own while its code is compiled: the
same ones that are played again when it is (docs/adr/0047).
"""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from threading import Thread

from bartizan.policies.request import Request
from bartizan.simcore.compile.rules import HOUSE, NOBODY
from bartizan.simcore.play.batch import BATCH, Batch
from bartizan.simcore.sources import is_short

LOOKS = (1, 3, 10, 30, 100)  # games after which something is said
OTHERWISE = {HOUSE: "lost", NOBODY: "drawn"}


@contextmanager
def first_games(request: Request, seed: int, known: Callable[[str], None]) -> Iterator[None]:
    """While the block lasts, `known` is told how the first games went; where somebody watches, and where
    there is something to compile and a game small enough to be played without.
    """
    game = request.game
    is_small = request.named.endswith(".py") and is_short(Path(request.named))
    if not sys.stderr.isatty() or not is_small or BATCH.is_compiled(game.compiled, len(game.roles)):
        yield
        return
    process = started(request, seed)
    Thread(target=_tell, args=(process.stdout, known), daemon=True).start()
    try:
        yield
    finally:
        process.kill()
        process.wait()


def started(request: Request, seed: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", __name__, json.dumps(asdict(request)), str(seed)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"BARTIZAN_PLAIN": "1"},
        start_new_session=True,
        text=True,
    )


def _tell(lines: Iterable[str], known: Callable[[str], None]) -> None:
    for line in lines:
        known(line.strip())


def main(asked: str, seed: str) -> None:
    """In the process of its own: a line after each of `LOOKS`."""
    match = Request(**json.loads(asked)).match(int(seed), "one line-up")
    batch, ended = Batch(match), Counter[str]()
    for game in range(LOOKS[-1]):
        winner = int(batch.play(game, 1)["winner"][0])
        ended[match.game.roles[winner] if winner >= 0 else OTHERWISE.get(winner, "cut off")] += 1
        if game + 1 in LOOKS:
            said = ", ".join(f"{who} {number}" for who, number in sorted(ended.items()))
            sys.stdout.write(f"the first games, played uncompiled: {said}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
