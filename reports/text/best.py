"""The archive of best players in words, and what became of one that wanted to be in it."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.text import changes, differences, words

METHOD = (
    "sequential test of pairs of games on common luck (GSPRT, as `compare --test`), on a seed that follows "
    "from what is asked; the gain is adjusted for when the test stopped"
)
ANSWERS = {
    "yes": "is admitted",
    "no": "is not admitted: a gain is not there, or below twice the margin",
    "not told": "is not admitted: the games do not tell",
}


def lines(d: Mapping) -> Iterator[str]:
    """A line a level, number of players and role, then how each came in."""
    yield f"{changes.titled(d)}: the best players found"
    told = {key for key in ("difficulty", "players") if len({row.get(key) for row in d["best"]}) > 1}
    for row in d["best"]:
        yield f"  {_where(row, told):<18} {row['policy']:<24} {'; '.join(_known(row))}".rstrip()
        if row["margin"]:
            yield f"    {row['command']}"
    yield "  --admit POLICY lets in a better one, after a sequential test on fresh seeds."


def _where(row: Mapping[str, Any], told: Collection[str]) -> str:
    """told: what differs between the rows."""
    level = [words.title(row["difficulty"])] if "difficulty" in told else []
    players = [f"{row['players']} players"] if "players" in told else []
    role = [row["role"]] if row["opponent"] and row["role"] else []
    return ", ".join([*level, *players, *role]) or ("every seat" if row["opponent"] else "alone")


def _known(row: Mapping[str, Any]) -> Iterator[str]:
    if row["win_rate"] and row["opponent"] != row["policy"]:
        against = f" against {row['opponent']}" if row["opponent"] else ""
        yield f"wins {words.share_with_limits(Interval(**row['win_rate']))}{against}"
    if not row["margin"]:
        yield "the game's own policy: none better was admitted"
        return
    gain = differences.signed(Interval(**row["margin"]), least=1)
    yield f"{gain} over {row['before']}, {words.count(row['pairs'])} pairs of games, {row['found']}"
    if not row["is_current"]:
        yield "admitted under other rules or numbers than today's: admit it again"


# ---------------------------------------------------------------- one that wanted to be in it


def admission(d: Mapping) -> str:
    """Who is admitted, or not, with the figures."""
    level = [words.title(d["difficulty"])] if d["levels"] > 1 else []
    players = [f"{d['players']} players"] if "players" in d else []
    role = [d["role"]] if d["role"] and d["opponent"] else []
    setting = changes.title(d["title"], d["changes"], *level, *players, *role)
    shares = " against ".join(words.share(Interval(**d[key])) for key in ("win_rate", "win_rate_before"))
    gain = Interval(**d["margin"])
    how = (
        f"{words.level(gain.level)} {gain.method}; {words.count(d['pairs'])} pairs of games, seed {d['seed']}"
    )
    return (
        f"{setting}: {d['policy']} {ANSWERS[d['answer']]}: it wins {shares} of {d['before']}, "
        f"{differences.signed(gain, least=1)} ({how})."
    )


def admission_lines(d: Mapping) -> Iterator[str]:
    yield d["sentence"]
    test = d["test"]
    gain = differences.points(f"{200 * test['margin']:g}")
    yield (
        f"  test     one that is no better is let in with a chance of {words.level(test['alpha'])} at most, "
        f"one better by {gain} turned away with {words.level(test['beta'])}; "
        f"{words.count(d['limit'])} pairs at most"
    )
    yield f"  table    {_table(d)}"
    if not d["admitted"]:
        yield "  The archive stays as it is."


def _table(d: Mapping) -> str:
    if d["alike"]:
        return f"{d['policy']} among copies of {d['before']}, in each seat in turn; shares are of one seat"
    return f"both against {d['opponent']}" if d["opponent"] else "both against the game"
