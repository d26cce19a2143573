# ruff: noqa: E501 the text of a page
"""Measure the coverage of every registered method over its whole grid, and write docs/validity.md.

    python benchmarks/coverage.py                  the whole grid: half an hour on two quiet cores
    python benchmarks/coverage.py --times 0.1      with a tenth of the replicates
    python benchmarks/coverage.py --only Goodman   only methods whose name begins so; the others stay as they are
    python benchmarks/coverage.py --page           the page again, from what was recorded

What was found is kept in analyses/validation/recorded.json, which the validity card of a page reads.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from datetime import date
from pathlib import Path
from typing import Any

from bartizan.analyses.statistics.methods import METHODS
from bartizan.analyses.validation.card import RECORDED, read_recorded, recorded
from bartizan.analyses.validation.registry import TRIALS, run

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "validity.md"


def commit() -> str:
    """The commit of the checkout; `+` where files are changed."""
    git = ["git", "-C", str(ROOT)]
    name = subprocess.run([*git, "rev-parse", "--short=8", "HEAD"], capture_output=True, text=True).stdout
    changed = subprocess.run([*git, "diff", "--quiet", "HEAD"]).returncode
    return name.strip() + ("+" if changed else "")


def record(key: str, value: dict[str, Any]) -> None:
    """Keep one part of what is recorded, dated."""
    read_recorded.cache_clear()  # another process may have kept the other part meanwhile
    stamp = {"date": date.today().isoformat(), "commit": commit()}
    document = {**recorded(), key: {**stamp, **value}}
    RECORDED.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    read_recorded.cache_clear()


def measure(times: float, jobs: int, seed: int, only: list[str]) -> None:
    """Each row keeps when, and how, it was measured; rows of trials that are no more are dropped."""
    since = time.monotonic()
    chosen = [trial for trial in TRIALS if not only or trial.method.startswith(tuple(only))]

    def told(name: str, done: int, of: int) -> None:
        sys.stderr.write(f"\r{done} of {of}, {time.monotonic() - since:.0f} s: {name[:60]:<60}")

    found = run(short=False, jobs=jobs, seed=seed, times=times, told=told, trials=chosen)
    sys.stderr.write("\n")
    stamp = {"measured": date.today().isoformat(), "at_commit": commit(), "times": times, "seed": seed}
    new = {(least.trial.method, least.trial.about): {**least.row(), **stamp} for least in found}
    rows = {(row["method"], row["about"]): row for row in recorded().get("coverage", {}).get("methods", [])}
    rows |= new
    kept = [row for trial in TRIALS if (row := rows.get((trial.method, trial.about)))]
    record("coverage", {"command": "python benchmarks/coverage.py", "methods": kept})


# ---------------------------------------------------------------- the page

HEAD = """# What stands behind a number

Every interval, limit and verdict that Bartizan prints belongs to a method of the registry (`analyses/statistics/methods.py`).
An interval of any other method cannot be made.
For each method a trial makes data whose truth is known and counts how often the interval holds it, or how often the verdict is right.
Trials call the functions that answers are made with (`analyses/validation/`).
`bartizan doctor --validate` runs them in short form on your machine.

The table shows the smallest coverage over the grid of each trial, which is the least favourable point, and where that is.
The target is 2 percentage points below nominal: 93 % for a 95 % interval.
± is the standard error of the simulation; a coverage without it is exact, summed over all outcomes.
The smallest of several simulated points is lower than the true smallest one by chance: a method counts as below target only where the simulation's own 99.9 % limit, shared among all points, lies below the target.

What the grids hold: 5 to 100,000 games; rates from 0.001 to 0.999; ties; truncated games, as many among the won as among the lost or only among one of them; games or copies that share luck; the best of up to 20, measured again; up to 20 comparisons together; 1 to 8 looks, and 40 of the sequential test.
A method that promises nothing about looks has no looks in its grid: it is not used where a run is watched.
"Rough" intervals promise nothing, and say so where they are printed.

What a trial cannot show: that the policies play as people do, that the rules are the rules of the box, that an assumption about a number is right.
These are the other lines of a page's validity card: the reference implementation, exact results, the share of assumed data, and the error on held-out plays by people.
"""


def page(document: dict[str, Any]) -> str:
    coverage = document["coverage"]
    lines = [HEAD, "## Coverage", ""]
    lines += [
        f"{len(METHODS)} registered methods, {len(coverage['methods'])} trials, "
        f"{sum(row['points'] for row in coverage['methods']):,} points. "
        f"Last measured {coverage['date']} at commit {coverage['commit']} with `{coverage['command']}`; each row "
        "keeps its own date, commit and options in analyses/validation/recorded.json.",
        "",
        "| method | what of | nominal | smallest coverage | replicates a point | points | where | verdict |",
        "|---|---|---|---|---|---|---|---|",
        *map(_row, coverage["methods"]),
        "",
        "Nothing is sampled in: "
        + "; ".join(f"{one.name} ({one.of})" for one in METHODS.values() if one.kind == "exact")
        + ".",
        "",
        "## References",
        "",
        *(f"- {one.name}: {one.source}." for one in METHODS.values() if one.kind in ("interval", "verdict")),
        "",
        *_games(document.get("games", {})),
    ]
    return "\n".join(lines)


def _row(row: dict[str, Any]) -> str:
    name = f"{row['method']}: {row['about']}" if row["about"] else row["method"]
    nominal = f"{row['nominal'] * 100:.0f} %" if row["nominal"] else "none"
    error = f" ± {row['standard_error'] * 100:.1f}" if row["replicates"] else ""
    replicates = f"{row['replicates']:,}" if row["replicates"] else "exact"
    cells = (
        name,
        row["of"],
        nominal,
        f"{row['coverage'] * 100:.1f}{error} %",
        replicates,
        str(row["points"]),
    )
    return f"| {' | '.join((*cells, row['at'], row['verdict']))} |"


def _games(games: dict[str, Any]) -> list[str]:
    """Reference implementations and exact results, as `benchmarks/reference.py` records them."""
    if not games:
        return []
    references, exact = games.get("references", {}), games.get("exact", [])
    stamp = f"{games['date']}, commit {games['commit']}, `{games['command']}`"
    return [
        "## Reference implementations",
        "",
        "Each is written from the rules alone, without sight of the engine; compared are every legal action, every record and most of the state after each action.",
        f"Compared {stamp}.",
        "",
        "| game | reference | games compared | actions | differences |",
        "|---|---|---|---|---|",
        *(
            f"| {name} | {one['file']} | {one['games']:,} | {one['actions']:,} | {one['differences']} |"
            for name, one in references.items()
        ),
        "",
        "## Exact results",
        "",
        "| game | what | exact | simulated | 95 % interval | games | holds the exact value |",
        "|---|---|---|---|---|---|---|",
        *(
            f"| {one['game']} | {one['what']} | {one['exact']:.5f} | {one['estimate']:.5f} | "
            f"{one['low']:.5f} to {one['high']:.5f} | {one['games']:,} | {'yes' if one['holds'] else 'no'} |"
            for one in exact
        ),
        "",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--times", type=float, default=1.0, help="as many replicates")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="+", default=[], metavar="METHOD")
    parser.add_argument("--page", action="store_true", help="only write the page")
    asked = parser.parse_args()
    if not asked.page:
        measure(asked.times, asked.jobs, asked.seed, asked.only)
    PAGE.write_text(page(recorded()), encoding="utf-8")


if __name__ == "__main__":
    main()
