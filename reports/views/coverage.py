"""Coverage: actions, events and values that occurred in the games, and those that never occurred."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from textwrap import wrap

from pydantic import Field

from bartizan.analyses.document import Document, optional
from bartizan.analyses.experiments.coverage import (
    ACTIONS,
    NUMBERS,
    RULINGS,
    ChangedValue,
    Coverage,
    Encounter,
    share_after_looks,
)
from bartizan.analyses.experiments.trials import Condition
from bartizan.analyses.statistics.intervals import Interval, proportion
from bartizan.analyses.statistics.testing import jointly
from bartizan.reports import entries
from bartizan.reports.blocks import Block, Entry, Figure, Lines, Table, View
from bartizan.reports.document import PlayedDocument, setting_of
from bartizan.reports.figures import dots
from bartizan.reports.figures.theme import CLEAR
from bartizan.reports.text import differences, estimates, sentences, words
from bartizan.simcore.scenario.loading import Scenario

RESTS_ON = "Coverage depends on these policies: an option that they never use may be good for other policies"
JOINT = f"The {words.CONFIDENCE} intervals are simultaneous for everything that can occur."
WIDTH = 110  # characters per line
LISTED = 6  # values that are named per section of the scenario
RAREST, NAMED, MOST_ROWS = 15, 12, 80  # rows of the figure; names per sort; rows of the table


class NeverMet(Document):
    """An action, event or value that occurred in no game."""

    sort: str
    name: str
    path: str | None = optional()
    legal: int | None = optional()  # games in which it was possible
    games: int | None = optional()  # games checked, if not all
    said: str | None = optional()


class CoverageDocument(Coverage, PlayedDocument):
    """Result of `coverage`, which is identical for any number of threads."""

    line_up: str = Field(alias="players")
    never: list[NeverMet]
    rests_on: str = RESTS_ON
    sentence: str


def document(condition: Condition, s: Scenario, result: Coverage) -> CoverageDocument:
    line_up = " vs ".join(dict.fromkeys(player.name for player in condition.players))
    sentence = (
        f"{setting_of(condition, s)}: {_counts(result)} (each of them "
        f"{differences.below(result.games)}; seed {condition.seed}; {sentences.rests_on(s.assumed)})."
    )
    never = list(_never(result, line_up))
    fields = {**dict(result), "players": line_up, "never": never, "sentence": sentence}
    return CoverageDocument.about("bartizan.coverage/1", condition, s, **fields)


def _truncated(d: CoverageDocument) -> Iterator[str]:
    if d.capped:
        yield f"{words.many(d.capped, 'game')} truncated; actions and events up to there are counted"


def _refused(d: CoverageDocument) -> Iterator[str]:
    """Yield lines on the values that could not be simulated, each with the reason."""
    for row in d.refused[:LISTED]:
        yield f"not simulated: {row.path} = {sentences.value(row.to)} ({row.reason})"
    if (more := len(d.refused) - LISTED) > 0:
        yield f"... and {words.count(more)} more (--json)"


def _never(result: Coverage, line_up: str) -> Iterator[NeverMet]:
    for group in result.met:
        for met in group.found:
            if not met.games:
                yield NeverMet(sort=group.title, name=met.name, legal=met.legal)
    for value in result.changed:
        if not value.came_up:
            never = differences.never(value.games, line_up)
            yield NeverMet(
                sort=value.sort,
                name=value.what,
                path=value.path,
                legal=value.legal,
                games=value.games,
                said=never,
            )


def _counts(result: Coverage) -> str:
    """Return the numbers of items that never occurred, as text.

    For example: `0 of 3 kinds of action, 2 of 30 rulings and 1 of 12 other items, including endings, never
    came up in 300 games`.
    """
    groups: dict[str, Sequence[Encounter | ChangedValue]] = {}
    groups |= {group.title: group.found for group in result.met if group.title == ACTIONS}
    groups |= {sort: values for sort in (RULINGS, NUMBERS) if (values := result.changed_of(sort))}
    others = [met for group in result.met if group.title != ACTIONS for met in group.found]
    groups["other items, including endings,"] = others
    counts = [
        f"{words.count(sum(not row.came_up for row in rows))} of {words.count(len(rows))} {title}"
        for title, rows in groups.items()
    ]
    return f"{words.listing(counts)} {differences.never(result.games)}"


# ---------------------------------------------------------------- blocks


def view(d: CoverageDocument, top: int = 10) -> View:
    """Return the view of a result. top: number of rows per table on a terminal."""
    blocks: list[Block] = [
        _came_up(d, group.title, group.found, top, _never_met(d, group.found)) for group in d.met
    ]
    for sort in (RULINGS, NUMBERS):
        if values := d.changed_of(sort):
            blocks.append(_came_up(d, f"{sort}, changed", values, top, _never_changed(d, values, sort)))
    unvaried = _listed("without an alternative value", d.unvaried[:LISTED]) if d.changed else []
    lines = (*unvaried, *_refused(d), *_truncated(d), *wrap(f"{JOINT} {d.rests_on}.", WIDTH))
    blocks.append(Lines(lines, tuple(_never_lines(d))))
    if d.never:
        blocks.append(_never_table(d))
    blocks += _figures(d)
    title = f"{words.sentence(_counts(d))} with {d.line_up}{d.at_level}"
    caption = (
        f"The figure shows the rarest items in {words.many(d.games, 'game')} (seed {d.seed}). {JOINT} "
        f"Items that never came up are {differences.below(d.games)}. {d.rests_on}."
    )
    return View(d.sentence, tuple(blocks), ("Coverage", f"{d.method}."), title, caption)


def _rarest_first(rows: Sequence[Encounter | ChangedValue]) -> list[Encounter | ChangedValue]:
    """Return the rows of the items that occurred, rarest first."""
    return sorted((row for row in rows if row.came_up), key=lambda row: row.share.estimate)


def _all_met(d: CoverageDocument) -> list[Encounter | ChangedValue]:
    return [*(met for group in d.met for met in group.found), *d.changed]


def _of_all(d: CoverageDocument, row: Encounter | ChangedValue) -> Interval:
    """Return the share of a row.

    Its interval is simultaneous over all rows, each of which could be the rarest.
    """
    of = len(_all_met(d))
    if isinstance(row, Encounter):
        return jointly(partial(proportion, row.games, d.games), of)
    return jointly(partial(share_after_looks, row.came_up, row.games), of)


def _share(share: Interval) -> str:
    """Return a share with at least one decimal.

    Without the decimal, a small share such as 1 in 300 would look like a round number.
    """
    if share.estimate == 1:
        return f"all ({words.share(share)})"
    return str(estimates.percent(share, words.share_digits(share, 1)))


def _figures(d: CoverageDocument) -> Iterator[Figure]:
    rarest = _rarest_first(_all_met(d))[:RAREST]
    chosen = [(row, _of_all(d, row)) for row in rarest if row.share.estimate < 1]
    rows = [dots.row(row.label, _share(share), (dots.mark(share, CLEAR),)) for row, share in chosen]
    if rows:
        title = f"The {len(rows)} rarest items" if len(rows) > 1 else "The rarest item"
        most = min(max(row.marks[0].interval.high for row in rows) * 1.15, 1.0)
        yield Figure(title, dots.chart(rows, most, "of the games"))


def _came_up(
    d: CoverageDocument, title: str, rows: Sequence[Encounter | ChangedValue], top: int, never: Sequence[str]
) -> Table:
    """Return a table of the rarest rows of one sort, with simultaneous intervals.

    never: lines on the items of this sort that never occurred.
    """
    met = _rarest_first(rows)
    times = [row.times_a_game if isinstance(row, Encounter) else None for row in met]
    counted = any(number is not None for number in times)
    cells = tuple(
        (Entry(row.label), Entry(_share(_of_all(d, row))), *((_times(number),) if counted else ()))
        for row, number in zip(met[:top], times, strict=False)
    )
    rest = len(met) - top
    more = [f"and {words.count(rest)} more frequent ones (--top, --json)"] if rest > 0 else []
    headers = ("Item", "Share of games", *(("Times per game",) if counted else ()))
    heading = f"{title}: {words.count(len(met))} of {words.count(len(rows))} came up"
    return Table(title, "", headers, cells, "\n".join([*more, *never]), heading, "terminal")


def _times(a_game: float | None) -> Entry:
    if a_game is None:
        return Entry("")
    return Entry(f"{a_game:,.2f}" if a_game >= 0.1 else f"{a_game:.2g}")


def _never_met(d: CoverageDocument, rows: Sequence[Encounter]) -> list[str]:
    """Return lines on items that never occurred: legal but never chosen, never legal, or never came up."""
    idle = [row for row in rows if not row.games]
    free = [f"{row.label} ({words.percent(row.legal / d.games)})" for row in idle if row.legal]
    return [
        *_listed("never chosen (share of games in which it was legal)", free),
        *_listed("never legal", [row.label for row in idle if row.legal == 0]),
        *_listed("never came up", [row.name for row in idle if row.legal is None]),
    ]


def _never_changed(d: CoverageDocument, values: Sequence[ChangedValue], sort: str) -> list[str]:
    """Return lines on values that never came up.

    Values that change the legal actions come first. The others are listed by section of the scenario.
    """
    idle = [value for value in values if not value.came_up]
    offers = [f"{value.what} ({words.percent(value.legal / value.games)})" for value in idle if value.legal]
    others = [value for value in idle if not value.legal]
    names = [value.what for value in others]
    if sort == NUMBERS:
        rooms = groupby(others, key=lambda value: value.path.partition(".")[0])
        names = [_of_room([value.what for value in group]) for _, group in rooms]
    return [
        *_listed("never came up, but changes legal actions (share of games)", offers),
        *_listed(differences.never(d.games, d.line_up), names),
    ]


def _of_room(names: Sequence[str]) -> str:
    more = len(names) - LISTED
    return "; ".join(names[:LISTED]) + (f" and {words.count(more)} more like these" if more > 0 else "")


def _listed(what: str, names: Sequence[str]) -> list[str]:
    if not names:
        return []
    between = "; " if any("," in name for name in names) else ", "
    return wrap(f"{what}: {between.join(names)}", WIDTH, subsequent_indent="  ", break_long_words=False)


def _never_lines(d: CoverageDocument) -> Iterator[str]:
    """Yield a line per sort of item, with the items that never came up."""
    for sort in dict.fromkeys(row.sort for row in d.never):
        names = [row.name for row in d.never if row.sort == sort]
        rest = len(names) - NAMED
        more = f" and {words.count(rest)} more" if rest > 0 else ""
        yield f"Never came up, {sort}: {'; '.join(names[:NAMED])}{more}."
    if not d.never:
        yield "Everything came up."


def _never_table(d: CoverageDocument) -> Table:
    caption = (
        "Possible: games in which the item was legal or affected legal actions. An item checked in all games "
        f"is {differences.below(d.games)}."
    )
    if (rest := len(d.never) - MOST_ROWS) > 0:
        caption += f" The table has the first {MOST_ROWS}; the data contain {words.count(rest)} more."
    rows = tuple(
        (
            Entry(row.name, row.path or ""),
            Entry(row.sort),
            entries.count(d.games if row.games is None else row.games),
            entries.NONE if row.legal is None else entries.count(row.legal),
        )
        for row in d.never[:MOST_ROWS]
    )
    title = f"Items that never came up with {d.line_up}{d.at_level}"
    return Table(title, caption, ("Item", "Sort", "Games", "Possible"), rows, place="page")
