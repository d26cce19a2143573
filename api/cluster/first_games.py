"""Simulate the first games of a short game uncompiled, in a separate process, while its code is compiled.

The same games are simulated again with compiled code (docs/adr/0014). For code that is already compiled, the
process starts only if games take long: uncompiled code can report the line of a rule that never ends.
"""

import json
import os
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from threading import Timer
from types import CodeType, FrameType

from bartizan.api.child import Child, write
from bartizan.policies.request import Request
from bartizan.simcore.compile.rules import HOUSE, NOBODY
from bartizan.simcore.errors import BartizanError, EngineError
from bartizan.simcore.play.batch import BATCH, Batch
from bartizan.simcore.sources import is_short

LOOKS = (1, 3, 10, 30, 100)  # numbers of games after which a line is printed
OTHERWISE = {HOUSE: "lost", NOBODY: "drawn"}
STUCK = "a decision does not end"  # text of a line that is always passed to `note`
PATIENCE = 20.0  # seconds after which slow games are examined
LONG = 5.0  # seconds between two checks of the running rules
SOON = 0.05  # seconds until the next check if no rule was running


@contextmanager
def first_games(
    request: Request, seed: int, known: Callable[[str], None], note: Callable[[str], None]
) -> Iterator[None]:
    """Context manager that reports on the first games of a short game.

    known: receives lines about the first games, if the code is not compiled yet and stderr is a terminal.
    note: receives the name of a rule or policy that does not end. If `known` receives nothing, the games are
    simulated only after PATIENCE seconds.
    """
    if not (request.named.endswith(".py") and is_short(Path(request.named))):
        yield
        return
    game, children = request.game, list[Child]()
    is_new = sys.stderr.isatty() and not BATCH.is_compiled(game.compiled, len(game.roles))

    def look() -> None:
        children.append(child := started(request, seed))
        if later.finished.is_set():  # the code was compiled while the process started
            child.process.kill()
        with suppress(BartizanError, ValueError):  # errors there also occur here; or the child was ended
            for line in child:
                if STUCK in line:
                    note(f"{line}; press Ctrl-C to stop")
                elif is_new:
                    known(line)

    later = Timer(0 if is_new else PATIENCE, look)
    later.daemon = True
    later.start()
    try:
        yield
    finally:
        later.cancel()
        for child in children:
            child.end()


def started(request: Request, seed: int, games: int = LOOKS[-1]) -> Child:
    return Child(f"{__name__}:played", json.dumps(asdict(request)), str(seed), str(games), BARTIZAN_PLAIN="1")


def first_random_game(named: str) -> Child:
    """Start a process that simulates the first random game of a short game, for `check_ending`."""
    return started(Request(named, policy=("random",)), 1, games=1)


def check_ending(child: Child) -> None:
    """Wait for the first random game to end. Raises EngineError if a rule in the game does not end."""
    said = ""
    with suppress(BartizanError):
        said = next(iter(child), "")
    if STUCK in said:
        raise EngineError(said)


class Stuck:
    """Periodic check of the running rules.

    If the same call of a rule is still running after some seconds, the process reports it as endless and
    ends.
    """

    def __init__(self, file: Path):
        self.file, self.before = str(file), list[FrameType]()
        signal.signal(signal.SIGALRM, self.look)
        signal.setitimer(signal.ITIMER_REAL, LONG, LONG)

    def look(self, _: int, frame: FrameType | None) -> None:
        calls = []
        while frame:
            calls += [frame] * (frame.f_code.co_filename == self.file)
            frame = frame.f_back
        if not any(call in self.before for call in calls):
            self.before = calls
            return
        rules = [call for call in calls if _is_written(call.f_code)]
        if not rules:  # between two calls of a rule that begins a turn: check again soon
            signal.setitimer(signal.ITIMER_REAL, SOON, LONG)
            return
        at = next((call for call in rules if call in self.before), rules[0])
        write(f"{self.file}:{at.f_lineno}: {STUCK}: {at.f_code.co_name} loops for ever here")
        os._exit(0)


def _is_written(code: CodeType) -> bool:
    """Return whether the game's author wrote this function. Generated functions, on one line, cannot loop."""
    return len({line for *_, line in code.co_lines() if line}) > 1


def played(asked: str, seed: str, games: str) -> Iterator[str]:
    """Entry point of the separate process: yield a line after each number of games in `LOOKS`."""
    match = Request(**json.loads(asked)).match(int(seed), "run")
    batch, ended = Batch(match), Counter[str]()
    if hasattr(signal, "setitimer"):
        Stuck(match.game.home)
    for game in range(int(games)):
        winner = int(batch.play(range(game, game + 1))["winner"][0])
        ended[match.game.roles[winner] if winner >= 0 else OTHERWISE.get(winner, "cut off")] += 1
        if game + 1 in LOOKS:
            said = ", ".join(f"{who} {number}" for who, number in sorted(ended.items()))
            yield f"the first games, simulated uncompiled: {said}"
