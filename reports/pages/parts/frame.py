"""Parts of every page besides its sections: answer, claims, all numbers, background, and commands."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from bartizan.reports.blocks import (
    VALIDITY_HEADING,
    Answers,
    Block,
    Chart,
    Claims,
    CommandLine,
    Definition,
    Definitions,
    Lines,
    Method,
    Paragraph,
    Table,
    Text,
    View,
)
from bartizan.reports.text import words

NUMBERS, BACKGROUND = "Every number", "Simulated games and assumptions"
TRACE = (
    "One of the games as a page to step through, with the level, players and settings of its row; bartizan "
    "losses --pages selects a typical loss, the largest fall and the best comeback:"
)


def answer(chart: Chart, played: str, front: Sequence[Paragraph]) -> View:
    return View(blocks=(chart, Text(played, is_note=True), Answers(tuple(front))))


def claims(sentence: str, rows: Sequence[Mapping[str, Any]]) -> list[View]:
    return [View(title="The claims", blocks=(Claims(sentence, tuple(rows)),))] if rows else []


def in_words(verdict: Sequence[Paragraph]) -> View:
    return View(title="In words", blocks=(Answers(tuple(verdict)),), is_folded=True, anchor="verdict")


def sections(views: Iterable[View]) -> list[View]:
    """Return the views as sections of a report, without views that have only tables."""
    return [section for view in views if (section := view.section).blocks]


def numbers(tables: Iterable[Table]) -> View:
    shown = tuple(table for table in tables if table.rows)
    return View(title=NUMBERS, blocks=shown, is_appendix=True, anchor="numbers")


def background(
    facts: Iterable[str],
    players: Sequence[Definition],
    scenarios: Table | None,
    assumed: Sequence[str],
    assumptions: Sequence[str],
    methods: Sequence[Method],
    validity: Sequence[str],
) -> View:
    """Return the part about the simulated games: players, scenarios, assumptions, methods and validity.

    facts: sentences about the rules and about stopping. assumed: names of the assumed values. assumptions:
    sentences about the assumptions behind the results.
    """
    jobs: dict[str, list[str]] = {}
    for job, method in methods:
        jobs.setdefault(method, []).append(job)
    used = tuple(Definition("; ".join(shared), method) for method, shared in jobs.items())
    folded: list[tuple[str, Block | None]] = [
        ("Players", Definitions(tuple(players)) if players else None),
        (words.many(len(assumed), "assumed value"), Lines(tuple(_grouped(assumed))) if assumed else None),
        ("Notes on the assumptions", Lines(tuple(assumptions)) if assumptions else None),
        ("How the intervals were computed", Definitions(used) if used else None),
        (VALIDITY_HEADING, Lines(tuple(validity)) if validity else None),
    ]
    views = [View(title=title, blocks=(block,), is_folded=True) for title, block in folded if block]
    source = [scenarios] if scenarios else []
    text = Text(" ".join(filter(None, facts)))
    return View(
        title=BACKGROUND,
        blocks=(text, *views[:1], *source, *views[1:]),
        is_appendix=True,
        anchor="background",
    )


def _grouped(names: Iterable[str]) -> Iterator[str]:
    """Yield one line for each record with its values, such as `Knight card: attack, cost`."""
    records: dict[str, list[str]] = {}
    for name in names:
        record, _, value = name.rpartition(", ")
        records.setdefault(record, []).append(value)
    for record, values in records.items():
        yield f"{record}: {', '.join(values)}" if record else ", ".join(values)


def again(command: str, versions: str, seed: int | None, behaviour: int, trace: str = "") -> View:
    """Return the part with the commands that repeat the games.

    seed: None if another program simulated the games. trace: the command that shows one game; "" for none.
    """
    if seed is None:
        same = Text("The same command with the same file writes an identical folder.")
        stamp = Text(f"{versions}.", is_note=True)
        return View(
            title="Import it again",
            blocks=(same, CommandLine(command), stamp),
            is_appendix=True,
            anchor="again",
        )
    same = Text("The same command gives the same games, on any computer and with any number of processors.")
    stamp = Text(f"Seed {seed}; {versions}; behaviour version {behaviour} of the game's rules.", is_note=True)
    watched = (Text(TRACE), CommandLine(trace)) if trace else ()
    return View(
        title="Reproduce these games",
        blocks=(same, CommandLine(command), *watched, stamp),
        is_appendix=True,
        anchor="again",
    )
