"""All trials, and their execution in separate processes.

A process reads one task per line (trial, point, round), and writes one line with the outcome of each.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from queue import Empty, SimpleQueue
from threading import Thread

from bartizan.analyses.validation import cards, means, models, people, shares, verdicts
from bartizan.analyses.validation.trial import (
    CoverageTrial,
    LeastCoverage,
    MeasuredCoverage,
    Outcomes,
    Task,
    findings,
    rounds,
    tasks,
)
from bartizan.simcore.errors import EngineError

# the longest first, so that all processes end at about the same time
TRIALS: tuple[CoverageTrial, ...] = (
    *models.TRIALS,
    *people.TRIALS,
    *verdicts.TRIALS,
    *cards.TRIALS,
    *means.TRIALS,
    *shares.TRIALS,
)

Told = Callable[[str, int, int], None]  # name of the trial, finished points, total points


def run(
    short: bool = True,
    jobs: int | None = None,
    seed: int = 1,
    times: float = 1.0,
    told: Told = lambda name, done, of: None,
    trials: Sequence[CoverageTrial] = TRIALS,
) -> list[LeastCoverage]:
    """Run every trial at every point of its grid and, unless `short`, its least covered points again.

    short: use the short grid of each trial. times: factor for the number of replicates. told: called after
    each task with the trial's name, the number of finished tasks and the number of all tasks. The result does
    not depend on `jobs`. Raises EngineError if a process ends early.
    """
    outcomes: Outcomes = {}
    for turn in rounds(short):
        todo = tasks(trials, short, turn, outcomes)
        of = len(outcomes) + len(todo)
        for task, outcome in _outcomes(todo, short, jobs or os.cpu_count() or 1, seed, times, trials):
            outcomes[task] = outcome
            told(trials[task[0]].name, len(outcomes), of)
    return findings(trials, outcomes, short)


def _outcomes(
    todo: Sequence[Task], short: bool, jobs: int, seed: int, times: float, trials: Sequence[CoverageTrial]
) -> Iterator[tuple[Task, MeasuredCoverage]]:
    """Yield the outcomes. They are computed in this process if `jobs` is 1 or a trial is not in TRIALS."""
    if jobs == 1 or not all(any(trial is one for one in TRIALS) for trial in trials):
        for number, at, turn in todo:
            yield (number, at, turn), trials[number].at(at, short, seed, times, turn)
        return
    waiting: SimpleQueue[Task] = SimpleQueue()
    done: SimpleQueue[tuple[Task, MeasuredCoverage] | None] = SimpleQueue()
    numbers = [next(i for i, one in enumerate(TRIALS) if one is trial) for trial in trials]
    for task in todo:
        waiting.put(task)
    processes = [_started(short, seed, times) for _ in range(min(jobs, len(todo)))]
    try:
        for process in processes:
            Thread(target=_feed, args=(process, waiting, done, numbers), daemon=True).start()
        for _ in todo:
            if (one := done.get()) is None:
                raise EngineError("validation: a process that measures coverage ended early")
            yield one
    finally:
        for process in processes:
            process.kill()
            process.wait()


def _started(short: bool, seed: int, times: float) -> subprocess.Popen[str]:
    """Start a worker process with one thread, because there are as many processes as cores."""
    threads = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMBA")}
    return subprocess.Popen(
        [sys.executable, "-m", __name__, json.dumps([short, seed, times])],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=os.environ | threads | {"POLARS_MAX_THREADS": "1"},
        start_new_session=True,
        text=True,
    )


def _feed(
    process: subprocess.Popen[str],
    waiting: SimpleQueue[Task],
    done: SimpleQueue[tuple[Task, MeasuredCoverage] | None],
    numbers: Sequence[int],
) -> None:
    """Send tasks to a process one by one, and put the outcomes into `done`; None if the process ends early.

    numbers: index of each trial in TRIALS.
    """
    assert process.stdin is not None and process.stdout is not None
    try:
        while True:
            task = waiting.get_nowait()
            process.stdin.write(f"{json.dumps([numbers[task[0]], *task[1:]])}\n")
            process.stdin.flush()
            done.put((task, MeasuredCoverage(**json.loads(process.stdout.readline()))))
    except Empty:
        pass
    except (OSError, ValueError):
        done.put(None)


def main(asked: str) -> None:
    """Read tasks from stdin, and write an outcome for each. Entry point of a separate process."""
    short, seed, times = json.loads(asked)
    for line in sys.stdin:
        number, at, turn = json.loads(line)
        outcome = TRIALS[number].at(at, short, seed, times, turn)
        sys.stdout.write(f"{json.dumps(asdict(outcome))}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
