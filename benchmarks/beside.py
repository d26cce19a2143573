"""Compare speeds in one run: `python benchmarks/beside.py [--openspiel PYTHON] [--threads N]`.

The programs run alternately on one core each, so that a temporary slowdown of the machine affects both sides
of a ratio. The script prints medians with the minimum and maximum, and the median of the ratios of the
rounds. It needs gcc. OpenSpiel is not a dependency of Bartizan: give an interpreter that has it (`pip install
open_spiel`).
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median

from bartizan.policies.request import Request
from bartizan.simcore.bench import WORDS, speed, yardstick

HEAD = "| | a second | {} | {} | ratio |\n|---|---|---|---|---|"
HERE = Path(__file__).resolve().parent
PIG = str(HERE.parent / "examples/pig/pig.py")
OURS = {  # row -> (game, policy, level or players)
    "Pig, random": (PIG, "random", {}),
    "Castle Itter, random": ("itter", "random", {"difficulty": "novice"}),
    "Castle, 2, random": ("castle", "random", {"players": 2}),
    "Castle Rampage, random": ("rampage", "random", {}),
    "Escape from Colditz, 3 Allies, random": ("colditz", "random", {"players": 3}),
}
ON_THREADS = {  # row -> (game, policy, level or players); None: the game's own players
    "Pig, hold": (PIG, "hold", {}),
    "Castle Itter, Novice, random": ("itter", "random", {"difficulty": "novice"}),
    "Castle Itter, Elite, garrison": ("itter", None, {"difficulty": "elite"}),
    "Castle, 2, steward": ("castle", "steward", {"players": 2}),
    "Castle Rampage, tactician": ("rampage", None, {}),
    "Escape from Colditz, 3 Allies, both officers": ("colditz", None, {"players": 3}),
}
LONG = 4.0  # seconds of simulation on threads, because the last task runs on one thread alone
BESIDE = {  # row -> OpenSpiel's game, rollouts
    "Pig, random": ("pig", 20_000),
    **dict.fromkeys(list(OURS)[1:], ("backgammon", 200)),
}


def in_c(games: int) -> Callable[[], float]:
    """Return a function that measures Pig compiled by gcc -O3, in games per second."""
    path = Path(tempfile.mkdtemp()) / "pig"
    subprocess.run(["gcc", "-O3", "-o", path, HERE / "pig.c"], check=True)
    return lambda: float(
        subprocess.run([path, str(games)], capture_output=True, check=True).stdout.split()[1]
    )


def in_openspiel(python: str, game: str, rollouts: int) -> Callable[[], float]:
    """Return a function that measures OpenSpiel, in decisions per second."""
    command = [python, HERE / "openspiel_rollouts.py", game, str(rollouts)]
    return lambda: float(_said(command))


def _said(command: list) -> str:
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout


def ours(name: str, policy: str | None, setting: dict, unit: str, **effort: float) -> Callable[[], float]:
    """Return a function that measures Bartizan, in `unit` (games or plies) per second.

    effort: the options `jobs`, `seconds` and `is_long` of `speed`.
    """
    match = Request(name, policy=(policy,) if policy else (), **setting).match(1, "benchmark")
    return lambda: speed(match, repeats=1, **effort)[f"{unit}_per_second"]


def row(title: str, unit: str, mine: Callable[[], float], theirs: Callable[[], float], rounds: int) -> str:
    pairs = [(mine(), theirs()) for _ in range(rounds)]
    both = zip(*pairs, strict=True)
    sides = [f"{_short(median(side))} ({_short(min(side))} to {_short(max(side))})" for side in both]
    return f"| {title} | {unit} | {sides[0]} | {sides[1]} | {median(a / b for a, b in pairs):.2f} |"


def _short(value: float) -> str:
    return f"{value / 1e6:.2f} million" if value >= 1e6 else f"{value:,.0f}"


def of_the_machine(threads: int) -> Callable[[], float]:
    """Return a function that measures the yardstick on several threads at once, in words per second.

    The ratio to one thread is an upper bound on the speedup by threads. The yardsticks do not start at
    exactly the same time, and each measures its own time, so the total is slightly too high.
    """
    pool = ThreadPoolExecutor(threads)
    return lambda: sum(WORDS / seconds for seconds in pool.map(lambda _: yardstick(), range(threads)))


def beside_one_thread(options: argparse.Namespace) -> None:
    print(HEAD.format(f"{options.threads} threads", "one thread"))
    yardstick()  # compiles it
    many, one = of_the_machine(options.threads), of_the_machine(1)
    print(row("the yardstick", "words", many, one, options.rounds), flush=True)
    for title, asked in ON_THREADS.items():
        if options.only in title:
            many, one = (ours(*asked, "games", jobs=n, seconds=LONG) for n in (options.threads, 1))
            print(row(title, "games", many, one, options.rounds), flush=True)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--openspiel", metavar="PYTHON", help="an interpreter that has open_spiel")
    asked.add_argument("--rounds", type=int, default=5)
    asked.add_argument("--only", default="", help="measure only rows whose title contains this text")
    asked.add_argument("--threads", type=int, help="the game's own players on so many threads beside one")
    options = asked.parse_args()
    if options.threads:
        return beside_one_thread(options)
    print(HEAD.format("Bartizan", "the other"))
    title = "Pig, hold at 20, beside gcc -O3"
    if options.only in title:
        mine = ours(PIG, "hold", {}, "games", is_long=True)
        print(row(title, "games", mine, in_c(3_000_000), options.rounds), flush=True)
    for name, (game, policy, setting) in OURS.items() if options.openspiel else ():
        other, rollouts = BESIDE[name]
        title = f"{name}, beside OpenSpiel's {other}"
        if options.only in title:
            theirs = in_openspiel(options.openspiel, other, rollouts)
            mine = ours(game, policy, setting, "plies", is_long=game == PIG)
            print(row(title, "decisions", mine, theirs, options.rounds), flush=True)


if __name__ == "__main__":
    sys.exit(main())
