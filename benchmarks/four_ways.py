"""Compare one game in four forms: a short game, engines in Python and TypeScript, and imported records.

    python benchmarks/four_ways.py --node node         win rates, claims, pages, cost of the protocol
    python benchmarks/four_ways.py --rows 5000000      time and memory of an import instead

The records are the games of the TypeScript engine, exported and imported. The cost is processor time of this
process for each game, without the engine's own time. The pages are compared by their headings.
"""

import argparse
import json
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl

import bartizan as bz

ROOT = Path(__file__).parent.parent
ENGINES, TWINS = ROOT / "examples/engines", ROOT / "tests/games/engines"
PYTHON = {
    "pig": ENGINES / "pig.py",
    "tic_tac_toe": ENGINES / "tic_tac_toe.py",
    "no_thanks": TWINS / "no_thanks.py",
}
POLICY = {
    "pig": ("steady", "hold"),
    "tic_tac_toe": ("careful", "careful"),
    "no_thanks": ("thrifty", "thrifty"),
}
CLAIMS = {
    "pig": (0.50, 0.56),
    "tic_tac_toe": (0.25, 0.35),
    "no_thanks": (0.20, 0.28),
}  # of the first seat's wins
WAYS = ("short game", "Python engine", "TypeScript engine", "records")


def engine(folder: Path, name: str, language: str, node: str) -> Path:
    """Write the engine file that runs a game in a programming language, and return its path."""
    program = (
        PYTHON[name] if language == "python" else ENGINES / "pig.ts" if name == "pig" else TWINS / "known.ts"
    )
    command = [sys.executable if language == "python" else node, str(program), name]
    path = folder / f"{name}_{language}.toml"
    path.write_text(f"command = {json.dumps(command)}\n")
    return path


def played(name: str, games: int, folder: Path, node: str) -> Iterator[tuple[str, Path, float]]:
    """Simulate the games in each form.

    Yield (form, folder of results, µs of processor time of this process per game).
    """
    short, live = POLICY[name]
    sources = {
        "short game": (ROOT / f"examples/short/{name}.py", short),
        "Python engine": (engine(folder, name, "python", node), live),
        "TypeScript engine": (engine(folder, name, "typescript", node), live),
    }
    for way, (path, policy) in sources.items():
        game, out = bz.game(path), folder / way
        game.sweep(policy=policy, games=64, seed=2, jobs=1, out=folder / f"{way} first")  # compiled, started
        since = time.process_time()
        game.sweep(policy=policy, games=games, seed=1, jobs=1, out=out)
        yield way, out, (time.process_time() - since) / games * 1e6
    bz.open(out).export(folder / "games.csv")
    mapping = folder / "mapping.toml"
    mapping.write_text(
        '[records]\nfirst_seat = 0\n[columns]\nseed = ["seed", "game"]\nending = "end_reason_name"\n'
    )
    since = time.process_time()
    bz.import_records(folder / "games.csv", mapping=mapping, out=folder / "records")
    yield "records", folder / "records", (time.process_time() - since) / games * 1e6


def beside(name: str, games: int, folder: Path, node: str) -> Iterator[dict]:
    """Yield the win rate, draws, length, verdict of a claim, cost and page headings of each form."""
    low, high = CLAIMS[name]
    claims = folder / "claims.toml"
    claims.write_text(f'[[claim]]\ntitle = "the first seat"\nband = [{low}, {high}]\n')
    for way, out, cost in played(name, games, folder, node):
        answer = bz.open(out).report(folder / f"{way}.json", claims=claims)
        bz.open(out).report(folder / f"{way}.html", claims=claims)
        (cell,) = json.loads((folder / f"{way}.json").read_text())["cells"]
        (claim,) = answer.to_dict()["claims"]
        headings = re.findall(r"<h[23][^>]*>(.*?)</h[23]>", (folder / f"{way}.html").read_text(), re.DOTALL)
        yield {
            **{"game": name, "way": way, "games": cell["games"], "win_rate": cell["win_rate"]},
            **{"draws": cell["draws"], "turns": cell["turns"]["mean"], "claim": claim["verdict"]},
            **{"cost": cost, "headings": [re.sub(r"<[^>]+>", "", one).strip() for one in headings]},
        }


def four_ways(games: int, node: str) -> None:
    print(
        "| game | way | first seat wins | draws | turns | claim | µs per game | headings of one page only |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for name in POLICY:
        with tempfile.TemporaryDirectory() as folder:
            rows = list(beside(name, games, Path(folder), node))
        for row in rows:
            rate, others = row["win_rate"], set(rows[0]["headings"])
            odd = ", ".join(sorted(others ^ set(row["headings"]))) or "none"
            wins = f"{rate['estimate']:.1%} ({rate['low']:.1%} to {rate['high']:.1%})"
            draws = f"{row['draws'] / row['games']:.1%}"
            cells = (
                name,
                row["way"],
                wins,
                draws,
                f"{row['turns']:.2f}",
                row["claim"],
                f"{row['cost']:.1f}",
                odd,
            )
            print(f"| {' | '.join(cells)} |")


def imported(rows: int) -> None:
    """Import synthetic records and write their report, in two processes. Print their time and peak memory."""
    with tempfile.TemporaryDirectory() as folder:
        path, luck = Path(folder) / "games.csv", np.random.default_rng(1)
        with path.open("wb") as file:
            for first in range(0, rows, 500_000):
                n = min(500_000, rows - first)
                first_wins = luck.random(n) < 0.52
                frame = pl.DataFrame(
                    {
                        "seed": np.arange(first, first + n),
                        "player_1": luck.choice(["careful", "bold"], n),
                        "player_2": luck.choice(["careful", "bold"], n),
                        "deck_size": luck.choice([40, 50, 60], n),
                        "winner": np.where(first_wins, 1, 2),
                        "score_1": luck.integers(10, 90, n),
                        "score_2": luck.integers(10, 90, n),
                        "rounds": luck.integers(8, 30, n),
                        "cards": luck.integers(20, 200, n),
                    }
                )
                frame.write_csv(file, include_header=first == 0)
        print(f"{rows:,} rows, {path.stat().st_size / 1e6:,.0f} MB of CSV")
        for name, *words in (
            ("import", path, "--by", "deck_size", "-o"),
            ("report", Path(folder) / "out", "-o"),
        ):
            target = Path(folder) / ("out" if name == "import" else "page.html")
            since, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
            code = (
                "import atexit, resource; from bartizan.cli import main; usage = resource.getrusage; "
                "atexit.register(lambda: print(usage(resource.RUSAGE_SELF).ru_maxrss)); main()"
            )
            done = subprocess.run(
                [sys.executable, "-c", code, name, *map(str, words), str(target)],
                capture_output=True,
                text=True,
            )
            if done.returncode:
                raise SystemExit(done.stderr)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            peak = int(done.stdout.split()[-1]) / 1024
            took = time.perf_counter() - since
            print(f"{name}: {took:.1f} s, {cpu:.1f} s of processor time, {peak:,.0f} MB at most")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--node", default="node", help="Node 22.18 or later")
    parser.add_argument("--rows", type=int)
    options = parser.parse_args()
    if options.rows:
        imported(options.rows)
    else:
        four_ways(options.games, shutil.which(options.node) or options.node)


if __name__ == "__main__":
    main()
