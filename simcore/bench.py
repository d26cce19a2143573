"""Measure the speed of simulations relative to a reference computation in the same run.

The reference is necessary because the speed of machines varies.
"""

import os
import subprocess
import sys
import time

import numpy as np

from bartizan.simcore.play.batch import CHUNK_GAMES, Batch
from bartizan.simcore.play.match import Match, chunks_of, in_order

WORDS = 50_000_000  # steps of the yardstick
PILOT = 128  # games played to estimate how many fit into the time
YARDSTICK = """
import sys, time
t0 = time.perf_counter()
from bartizan.simcore.compile import cache
cache.configure()
from bartizan.policies.request import Request
from bartizan.simcore.play.batch import Batch
Batch(Request({game!r}, policy=tuple({policy!r})).match(1, "")).play(range(1))
print(time.perf_counter() - t0)
"""


def speed(
    match: Match, jobs: int = 1, repeats: int = 3, seconds: float = 0.6, is_long: bool = False
) -> dict[str, float]:
    """Return the speed of simulations: games per second, plies per second, and nanoseconds per ply.

    It is that of the fastest of `repeats` runs of about `seconds` seconds each, on `jobs` threads.

    is_long: simulate with the code that a long run uses (`simcore.play.tiers`).
    """
    batch = Batch(match)
    if is_long:
        batch.tiers.rise()
    batch.play(range(PILOT))
    since = time.perf_counter()
    batch.play(range(PILOT))
    games = max(2 * PILOT, int(PILOT * seconds / max(time.perf_counter() - since, 1e-6))) * jobs
    best = {"games_per_second": 0.0}
    for _ in range(repeats):
        since = time.perf_counter()
        pieces = in_order(batch.play, chunks_of(range(games), CHUNK_GAMES), jobs)
        plies = sum(int(rows["plies"].sum(dtype=np.int64)) for rows in pieces)
        took = time.perf_counter() - since
        if games / took > best["games_per_second"]:
            best = {
                "games_per_second": games / took,
                "plies_per_second": plies / took,
                "ns_per_ply": 1e9 * took / plies,
            }
    return best


def yardstick() -> float:
    """Return the duration, in seconds, of a fixed piece of compiled work: WORDS steps of SplitMix64."""
    from bartizan.simcore.compile.jit import jit
    from bartizan.simcore.rng import GOLDEN, mix

    @jit
    def stir(n):
        word = np.uint64(1)
        for _ in range(n):
            word = mix(word + GOLDEN)
        return word

    stir(1)
    since = time.perf_counter()
    stir(WORDS)
    return time.perf_counter() - since


def start_seconds(game: str, policy: list[str], cache: str) -> float:
    """Return the time, in seconds, from the first statement of a new process to the end of its first game.

    The start of the interpreter is not included. cache: folder of compiled code (`BARTIZAN_CACHE`).
    """
    environment = {**os.environ, "BARTIZAN_CACHE": cache}
    script = YARDSTICK.format(game=game, policy=policy)
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
    )
    return float(done.stdout.split()[-1])


def peak_memory_mb() -> float:
    """Return the peak resident memory of this process in MiB."""
    try:
        import resource
    except ImportError:  # Windows
        return float("nan")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)
