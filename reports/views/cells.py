"""Chart and tables of simulated cells, for `run` in a notebook."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from bartizan.analyses.statistics.intervals import Interval, Mean
from bartizan.reports import entries
from bartizan.reports.blocks import Block, Chart, ChartMark, Entry, Shape, Table, Track, View, share_mark
from bartizan.reports.text import words
from bartizan.reports.views import run

WON = "Games won"
MOST_ROWS = 36  # rows per chart


def view(
    sentence: str,
    documents: Sequence[Mapping[str, Any]],
    names: Sequence[str],
    known: Sequence[Mapping[str, Any]] = (),
) -> View:
    """Return the view of cells. names: one name per cell. known: brackets, for a single cell."""
    blocks: list[Block] = []
    if not all(map(run.has_one_result, documents)):
        one = documents[0]
        chart = run.chart(one, known) if len(documents) == 1 else _chart(documents, names)
        blocks.append(replace(chart, title=WON))
    blocks.append(_results(documents, names))
    ways = list(dict.fromkeys(way for d in documents for way, n in d["end_reasons"].items() if n))
    if len(ways) > 1:
        blocks.append(_endings(documents, names, ways))
    return View(sentence, tuple(blocks))


def _chart(documents: Sequence[Mapping[str, Any]], names: Sequence[str]) -> Chart:
    tracks = [Track(name, tuple(_marks(d)), is_range=False) for d, name in zip(documents, names, strict=True)]
    more = len(tracks) - MOST_ROWS
    notes = (f"The table contains {words.count(more)} more.",) if more > 0 else ()
    return Chart(WON, tuple(tracks[:MOST_ROWS]), "games won", notes=notes)


def _marks(d: Mapping[str, Any]) -> Iterator[ChartMark]:
    if not d.get("seats"):
        yield share_mark(" ".join(d["policies"]), Interval(**d["win_rate"]), d["games"])
        return
    for seat in d["seats"]:
        shape: Shape = "own" if seat is d["seats"][0] else "other"
        yield share_mark(seat["role"], Interval(**seat["win_rate"]), d["games"], shape, about=seat["policy"])


def _results(documents: Sequence[Mapping[str, Any]], names: Sequence[str]) -> Table:
    """Return a table with one row per cell: win rates, score, length."""
    roles = list(dict.fromkeys(seat["role"] for d in documents for seat in d.get("seats") or ()))
    unit = documents[0]["turns"].get("unit", "turn")

    def row(d: Mapping[str, Any], name: str) -> tuple[Entry, ...]:
        won = {seat["role"]: seat["win_rate"] for seat in d.get("seats") or ()}
        shares = [won.get(role) for role in roles] if roles else [d["win_rate"]]
        return (
            Entry(name),
            entries.count(d["games"]),
            *(entries.share(Interval(**share)) if share else entries.NONE for share in shares),
            _mean(d["score"]),
            _mean(d["turns"].get("ended", d["turns"])),
        )

    won = [f"{words.title(words.plain(role))} wins" for role in roles] or ["Won"]
    of = {d["score"].get("of") for d in documents}
    score = f"Mean score, {of.pop()}" if len(of) == 1 and None not in of else "Mean score"
    headers = ("Setting", "Games", *won, score, f"Mean {unit}s")
    caption = f"{words.CONFIDENCE} intervals."
    return Table("Results", caption, headers, tuple(map(row, documents, names)))


def _mean(value: Mapping[str, Any]) -> Entry:
    if value.get("mean") is None:
        return entries.NONE
    return entries.mean(Mean(value["mean"], value["se"], value["n"]))


def _endings(documents: Sequence[Mapping[str, Any]], names: Sequence[str], ways: Sequence[str]) -> Table:
    """Return a table with the number of games by ending, one row per cell."""

    def row(d: Mapping[str, Any], name: str) -> tuple[Entry, ...]:
        return (Entry(name), *(entries.count(d["end_reasons"].get(way, 0)) for way in ways))

    headers = ("Setting", *(words.title(words.plain(way)) for way in ways))
    return Table("How games end", "Number of games.", headers, tuple(map(row, documents, names)))
