# ruff: noqa: E501 the text of a page
"""Measure the coverage of every registered method over its whole grid, and write docs/validity.md.

    python benchmarks/coverage.py                  all methods: two hours on two quiet cores
    python benchmarks/coverage.py --times 0.1      with a tenth of the replicates
    python benchmarks/coverage.py --only Goodman   only methods whose names begin with this text
    python benchmarks/coverage.py --page           write the page again from the record

Results are recorded in analyses/validation/recorded.json, which the validity card of a page reads.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from bartizan.analyses.statistics.intervals import clopper_pearson
from bartizan.analyses.statistics.methods import METHODS
from bartizan.analyses.validation.card import RECORDED, read_recorded, recorded
from bartizan.analyses.validation.registry import TRIALS, run
from bartizan.analyses.validation.trial import BELOW, INCONCLUSIVE, ON_TARGET, ROUNDS, SLACK
from bartizan.simcore.reporting import CONFIDENCE

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "validity.md"


def commit() -> str:
    """Return the commit of the checkout, with `+` if files have changed."""
    git = ["git", "-C", str(ROOT)]
    name = subprocess.run([*git, "rev-parse", "--short=8", "HEAD"], capture_output=True, text=True).stdout
    changed = subprocess.run([*git, "diff", "--quiet", "HEAD"]).returncode
    return name.strip() + ("+" if changed else "")


def record(key: str, value: dict[str, Any]) -> None:
    """Store one part of the recorded results, with the date and the commit."""
    read_recorded.cache_clear()  # another process may have recorded another part in the meantime
    stamp = {"date": date.today().isoformat(), "commit": commit()}
    document = {**recorded(), key: {**stamp, **value}}
    RECORDED.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    read_recorded.cache_clear()


def measure(times: float, jobs: int, seed: int, only: list[str]) -> None:
    """Measure the coverage of methods, and record each row with its date, commit and options.

    Rows of trials that no longer exist are dropped.
    """
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

HEAD = f"""# How far can the numbers be trusted?

Every interval, limit and verdict in a result belongs to a registered method (`analyses/statistics/methods.py`).
For each method, a trial (`analyses/validation/`) simulates data with known truth and measures the *coverage*: how often the interval contains the truth, or how often the verdict is right.
Trials call the same functions as the commands.
To repeat short trials on your machine, run `bartizan doctor --validate`.

A trial measures coverage at every point of a grid, such as numbers of games and win rates. The table shows the smallest coverage of each method.
A coverage without ± is exact. Otherwise, it is simulated, and ± is its standard error.
Because the smallest of several simulated coverages is biased downward, a simulated trial measures the three smallest again on new data, with {ROUNDS[1][1]} times the replicates, and the smallest of these three once more, with {ROUNDS[2][1]} times the replicates. The table shows only the last result.

The nominal coverage is 95 %, unless the row states another ("of 90 %").
The target is {SLACK * 100:.0f} percentage points below nominal: 93 % for a 95 % interval.
A row without a note has at least the target coverage. The notes are:

- "{BELOW}": the upper 95 % confidence limit of the coverage is below the target.
- "{INCONCLUSIVE}": the coverage is below the target, but its upper 95 % confidence limit is not.
- "promises nothing": the interval is marked "rough" and claims no coverage.

The grids vary the number of games (5 to 100,000), rates (0.001 to 0.999), ties, truncated games, and games or cards that share random numbers.
They include the best of up to 20 options, up to 60 comparisons at once, and 1 to 8 looks at the results of a growing run (up to 40 for the sequential test).

Trials do not show that policies play like people, that the rules match the rulebook, or that assumed values are right.
For these, a report also states the reference implementation, exact results, the share of assumed data, and the error on held-out plays by people.
"""


def page(document: dict[str, Any]) -> str:
    coverage = document["coverage"]
    lines = [HEAD, "## Coverage", ""]
    lines += [
        f"{len(METHODS)} registered methods, {len(coverage['methods'])} trials, "
        f"{sum(row['points'] for row in coverage['methods']):,} grid points: {_verdicts(coverage['methods'])}. "
        f"Last measured {coverage['date']} at commit {coverage['commit']} with `{coverage['command']}`. "
        "The date, commit, options, replicates, grid size and worst point of each row are in "
        "`analyses/validation/recorded.json`.",
        "",
        "| method | estimates | smallest coverage |",
        "|---|---|---|",
        *map(_row, coverage["methods"]),
        "",
        "The following methods are exact, so there is no coverage to measure:",
        "",
        *(f"- {one.name}: {one.of}" for one in METHODS.values() if one.kind == "exact"),
        "",
        f"The following methods have no trial of their own: {', '.join(_untried(coverage['methods']))}.",
        "The documentation site lists the source of each method (Reference, Methods).",
        "",
        *_alarms(document.get("alarms", {})),
        *_games(document.get("games", {})),
    ]
    return "\n".join(lines)


def _verdicts(rows: list[dict[str, Any]]) -> str:
    """Return the number of rows by verdict, such as `52 "at or above target", 1 "open"`."""
    found = Counter(row["verdict"] for row in rows)
    return ", ".join(f'{number} "{verdict}"' for verdict, number in found.most_common())


def _row(row: dict[str, Any]) -> str:
    name = f"{row['method']}: {row['about']}" if row["about"] else row["method"]
    error = f" ± {row['standard_error'] * 100:.1f}" if row["replicates"] else ""
    other = f" of {row['nominal'] * 100:.0f} %" if row["nominal"] not in (None, 0, CONFIDENCE) else ""
    note = "" if row["verdict"] == ON_TARGET else f", {row['verdict']}"
    return f"| {name} | {METHODS[row['method']].of} | {row['coverage'] * 100:.1f}{error} %{other}{note} |"


def _untried(rows: list[dict[str, Any]]) -> list[str]:
    """Return the names of registered intervals and verdicts without a trial."""
    tried = {row["method"] for row in rows}
    return [
        one.name for one in METHODS.values() if one.kind in ("interval", "verdict") and one.name not in tried
    ]


def _alarms(alarms: dict[str, Any]) -> list[str]:
    """Return the lines of the page about the false alarms that `benchmarks/wrong_alarms.py` counts."""
    if not alarms:
        return []
    return [
        "## False alarms",
        "",
        "Each run is one command with its own seed. In its game, no choice or value makes a difference.",
        "A result that claims any difference is a false alarm.",
        "If a result contains several kinds of comparison, they share the allowed 5 % equally.",
        f"Last measured {alarms['date']} with `{alarms['command']}`; commit, seeds and claims of each row are in "
        "`analyses/validation/recorded.json`.",
        "",
        *alarm_table(alarms["rows"]),
        "",
    ]


def alarm_table(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a table as lines of Markdown, with Clopper-Pearson intervals."""
    lines = ["| command | runs | false alarms | 95 % interval |", "|---|---|---|---|"]
    for row in rows:
        share = clopper_pearson(row["wrong"], row["runs"])
        limits = f"{share.low * 100:.1f}–{share.high * 100:.1f} %"
        wrong = f"{row['wrong']} ({share.estimate * 100:.1f} %)"
        lines.append(f"| {row['question']} | {row['runs']} | {wrong} | {limits} |")
    return lines


def _games(games: dict[str, Any]) -> list[str]:
    """Return the lines of the page about the results of `benchmarks/reference.py`."""
    if not games:
        return []
    references, exact = games.get("references", {}), games.get("exact", [])
    stamp = f"{games['date']}, commit {games['commit']}, `{games['command']}`"
    return [
        "## Reference implementations",
        "",
        "Each reference implementation (`tests/naive/`) is written from the rules alone, independently of the engine.",
        "The comparison covers every legal action, every record and most of the state after each action.",
        f"Last compared {stamp}.",
        "",
        "| game | games compared | actions | differences |",
        "|---|---|---|---|",
        *(
            f"| `{name}` | {one['games']:,} | {one['actions']:,} | {one['differences']} |"
            for name, one in references.items()
        ),
        "",
        "## Exact results",
        "",
        "| game | result | exact | simulated | 95 % interval | games |",
        "|---|---|---|---|---|---|",
        *(
            f"| `{one['game']}` | {one['what']} | {one['exact']:.5f} | {one['estimate']:.5f} | "
            f"{one['low']:.5f} to {one['high']:.5f}{'' if one['holds'] else ' (misses)'} | {one['games']:,} |"
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
