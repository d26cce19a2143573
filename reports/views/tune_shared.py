"""Parts that all results of `tune` share: JSON fields, sentence, figure and table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import polars as pl

from bartizan.analyses.document import Document, optional
from bartizan.analyses.experiments import tuning
from bartizan.analyses.experiments.trials import Condition
from bartizan.analyses.experiments.tuning import (
    DRAWS,
    HIT,
    INCONCLUSIVE,
    SCORE,
    TIER,
    TURNS,
    WIN_RATE,
    Knob,
    Sample,
    Target,
    Verified,
)
from bartizan.analyses.experiments.tuning_many import ValueCombination, VerifiedCombination, entry_of
from bartizan.analyses.records.comparison import is_by_player
from bartizan.analyses.records.quantities import score_names
from bartizan.analyses.records.seating import InMemoryCell, LineUp
from bartizan.analyses.statistics.intervals import Interval
from bartizan.analyses.statistics.looks import next_wider
from bartizan.reports import entries
from bartizan.reports.blocks import Band, Block, Chart, ChartMark, Entry, Figure, Lines, Table, Track, View
from bartizan.reports.document import Looked, PlayedDocument
from bartizan.reports.figures.theme import CLEAR, UNCLEAR
from bartizan.reports.text import changes, estimates, sentences, words
from bartizan.reports.text.estimates import Said
from bartizan.simcore.scenario.loading import Scenario
from bartizan.simcore.scenario.model import ChangeCost
from bartizan.simcore.scenario.parameters import called

SCHEMA = "bartizan.tune/1"
COST_UNIT = "a cost of 1 is one sentence or number changed in the rulebook"
HELD_ONLY = (
    "An earlier version computed this result. It counted a target as hit if the interval contained it, "
    "which is nearly always true with few games. Run the command again."
)


REFUSED = 2  # rejected values that are listed
MOST, ROOM = 24, 0.08  # rows of the figure; margin of the axis beyond the longest interval


# ---------------------------------------------------------------- documents


class ListedCost(Document):
    path: str | None  # path of the entry in the scenario; None: no cost is given
    cost: float
    sheet: str
    why: str


class CostedValue(Document):
    path: str
    what: str
    cost: ListedCost

    def __str__(self) -> str:
        why = f" ({self.cost.why})" if self.cost.why else ""
        return f"{self.what} {words.exact(self.cost.cost)}{why}"


class VariedValue(CostedValue):
    present: Any
    values: list[Any]
    ordered: bool
    source: str | None = optional()  # only for a search over one value


class TuneDocument(Looked, PlayedDocument):
    """Fields of all results of `tune`, which are identical for any number of threads."""

    levels: int  # number of levels in the scenario
    seatings: int
    target: Target
    subject: str
    fresh_seed: int
    chosen_seed: int | None = optional()  # of the held-out games of the chosen change (`held_out_seed`)
    cost_unit: str = COST_UNIT
    verdict: str
    reached: bool
    games_needed: int | None = None  # held-out games that would decide whether the nearest value hits
    sentence: str = ""
    method: str

    @property
    def measure(self) -> str:
        """The measure of the target as text for headings and captions.

        It is `subject` without the comma that may end it.
        """
        return self.subject.rstrip(",")

    @property
    def wanted(self) -> str:
        """The target as text, such as `to 30 % (±1 percentage point)` or `between 28 and 32 %`."""
        low, high, margin = self.target.low, self.target.high, self.target.margin
        scale, unit = (100, f"{words.NBSP}%") if self.target.is_share else (1, "")
        if low == high and not margin:  # JSON of an earlier version
            return f"to {words.exact(low * scale)}{unit}"
        if low == high:
            points = f"{words.NBSP}percentage point{'s' * (margin != 0.01)}" * self.target.is_share
            return f"to {words.exact(low * scale)}{unit} (±{words.exact(margin * scale)}{points})"
        return f"between {words.exact(low * scale)} and {words.exact(high * scale)}{unit}"

    @property
    def players_at_level(self) -> str:
        is_shared = len(self.policies) > 1 and len(set(self.policies)) == 1
        players = f"{len(self.policies)} players ({self.players})" if is_shared else self.players
        return f"{players}{self.at_level if self.levels > 1 else ''}"

    def said(self, interval: Interval) -> Said:
        """Return a share of games, or a mean, as text."""
        return (estimates.share if self.target.is_share else estimates.number)(interval, least=1)

    def both_results(self, chosen: Verified) -> str:
        before = {"in the search": chosen.search.estimate}
        if isinstance(chosen, VerifiedCombination) and chosen.check:
            before["in the games that selected it"] = chosen.check.estimate
        listed = [f"{self.said(one).text} {where}" for where, one in before.items()]
        return f"{', '.join(listed)}, {self.said(chosen.fresh.estimate)} on held-out seeds"

    def how_sure(self, chosen: Verified) -> str:
        fresh, seed = chosen.fresh, held_out_seed(self.fresh_seed, chosen)
        turned = f" in each of {self.seatings} seatings" if self.seatings > 1 else ""
        level = f"{words.level(fresh.estimate.level)} interval, " if fresh.estimate.has_limits else ""
        return (
            f"{words.count(fresh.games)} held-out games{turned}, {level}{fresh.estimate.method}, seed "
            f"{self.seed}, held-out seed {seed}; {sentences.rests_on(self.assumed)}"
        )

    def with_sentence(self, rest: str) -> Self:
        """Return a copy of the result with a sentence that gives game, players and level before `rest`."""
        players = " vs ".join(dict.fromkeys(self.policies))
        level = self.difficulty if self.levels > 1 else ""
        setting = changes.title(self.title, self.changes, players, level)
        return self.model_copy(update={"sentence": f"{setting}: {rest}"})

    @property
    def would_tell(self) -> str:
        """Number of games that would give a verdict, as text; "" if unknown.

        For example: `About 35,000 held-out games would give a verdict (--fresh)`.
        """
        if not self.games_needed:
            return ""
        return f"About {words.two_figures(self.games_needed):,} held-out games would give a verdict (--fresh)"

    def remedy(self, fresh: Interval, otherwise: str) -> str:
        """Return advice on an inconclusive result, or the reason why more games do not settle it.

        fresh: result of the best change on held-out seeds. otherwise: the text if nothing is known.
        """
        if fresh.is_bounds:
            return "More games narrow these limits, but never below the share of truncated games"
        if not fresh.has_limits:
            return "More games give no verdict as long as all games have the same value"
        return self.would_tell or otherwise


def held_out_seed(fresh_seed: int, chosen: Verified) -> int:
    """Return the seed of `chosen.fresh`.

    It differs from `fresh_seed` if games on that seed selected the change.
    """
    is_selected = isinstance(chosen, VerifiedCombination) and chosen.check
    return (fresh_seed + tuning.FRESH) % 2**63 if is_selected else fresh_seed


def common(
    condition: Condition,
    s: Scenario,
    target: Target,
    verdict: str,
    chosen: Verified,
    fresh_seed: int,
    looks: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the fields that every result has.

    chosen: the best change. looks: fields of `Looked`.
    """
    fresh = chosen.fresh
    wider = next_wider(looks["look_number"], fresh.estimate.level) if looks else 1.0
    needed = target.games_to_tell(fresh.estimate, fresh.games, wider)
    return {
        "levels": len(s.model.difficulties()),
        "seatings": len(condition.seatings()),
        "target": target,
        "subject": _subject(target, condition, s),
        "fresh_seed": fresh_seed,
        "chosen_seed": held_out_seed(fresh_seed, chosen),
        "reached": verdict == HIT,
        "games_needed": needed if verdict == INCONCLUSIVE else None,
        **looks,
    }


def _subject(target: Target, condition: Condition, s: Scenario) -> str:
    """Return the measure of the target as the subject of a sentence."""
    if target.measure == SCORE:
        return f"the mean {score_names(_held(condition))['score']}"
    if target.measure != WIN_RATE:
        return {
            TURNS: f"the mean number of {condition.game.turn_name}s",
            DRAWS: "the share of draws",
            TIER: f"the share of {target.name}",
        }[target.measure]
    line_up = LineUp(tuple(InMemoryCell(policies, pl.DataFrame()) for policies in condition.described()))
    first = line_up.names[0] if is_by_player(line_up) else ""
    return sentences.headline(condition.game.alike, condition.game.roles_in(s), first)


def _held(condition: Condition) -> InMemoryCell:
    """Return the first seating as an in-memory cell without games."""
    reporting = condition.game.compiled.reporting
    return InMemoryCell(condition.described()[0], pl.DataFrame(), reporting.document() if reporting else None)


def names_of(tried: Iterable[ValueCombination], s: Scenario) -> dict[str, str]:
    return {path: called(path, s.data) for combination in tried for path in combination.changes}


def varied(searched: Knob, costs: Mapping[str, ChangeCost], s: Scenario) -> VariedValue:
    return VariedValue(
        **costed(searched.parameter.path, costs, s),
        present=searched.parameter.value,
        values=list(searched.values),
        ordered=searched.is_ordered,
    )


def costed(path: str, costs: Mapping[str, ChangeCost], s: Scenario) -> dict[str, Any]:
    entry = entry_of(path, costs)
    given = costs[entry] if entry else ChangeCost(cost=1.0, why="no cost is given")
    return {"path": path, "what": called(path, s.data), "cost": ListedCost(path=entry, **given.model_dump())}


# ---------------------------------------------------------------- blocks


@dataclass(frozen=True)
class TriedRow:
    """One evaluated change: a row of the table and of the figure."""

    label: str
    mark: str  # current, chosen, hits
    sample: Sample  # on held-out seeds, if evaluated there
    is_good: bool
    columns: tuple[Entry, ...]  # table cells in addition to label, mark and games


@dataclass(frozen=True)
class ShownChanges:
    """Content of the view of a result.

    finding: sentence without numbers. best: the change that the finding describes. name: heading of the first
    column. columns: the other headings. about: text added to the caption. heading, lines: text above and
    below the table on a terminal.
    """

    finding: str
    best: Verified
    rows: Sequence[TriedRow]
    name: str
    columns: tuple[str, ...]
    heading: str
    lines: tuple[str, ...]
    about: str = ""


def view_of(d: TuneDocument, shown: ShownChanges) -> View:
    share, games = d.said(shown.best.fresh.estimate), words.count(shown.best.fresh.games)
    rows = shown.rows
    title = f"{words.sentence(shown.finding)}: {share} in {games} held-out games by {d.players_at_level}"
    caption = (
        f"{words.sentence(d.measure)} after each change, with {words.CONFIDENCE} intervals (simultaneous for "
        f"the checked changes). Green: target ({d.wanted}). The search uses seed {d.seed}; the chosen change "
        f"was evaluated on held-out seeds from {held_out_seed(d.fresh_seed, shown.best)}."
    )
    lines = [d.sentence, *([f"{d.would_tell}."] if d.would_tell else [])]
    if d.verdict == HIT and d.target.low == d.target.high and not d.target.margin:
        lines.append(HELD_ONLY)
    if (rest := len(rows) - MOST) > 0:
        lines.append(f"The table contains {words.count(rest)} more.")
    played = Table(
        f"Evaluated changes, {d.players_at_level}",
        f"{shown.about}Target: {d.wanted.removeprefix('to ')}. {words.sentence(d.cost_unit)}.",
        (shown.name, "", "Games", *shown.columns),
        tuple(
            (Entry(row.label), Entry(row.mark), entries.count(row.sample.games), *row.columns) for row in rows
        ),
        heading=shown.heading,
    )
    truncated = tuple(_truncated(shown.best.fresh, d))
    notes = Lines((*shown.lines, *truncated), (*lines, *truncated))
    blocks: tuple[Block, ...] = (*_figures(d, rows[:MOST]), played, notes)
    method = ("The search for a value", f"{d.method}.")
    details = (f"target {d.wanted.removeprefix('to ')}", d.measure, d.players_at_level)
    return View(d.sentence, blocks, method, title, caption, label=f"Tuning: {shown.name}", details=details)


def _truncated(fresh: Sample, d: TuneDocument) -> Iterator[str]:
    """Yield a note on truncated games, which have no length and no score."""
    if fresh.capped:
        games = words.count(fresh.games * d.seatings)
        yield (
            f"Truncated: {words.count(fresh.capped)} of the {games} held-out games. Lengths and scores "
            "are means over the games that ended."
        )


def _figures(d: TuneDocument, rows: Sequence[TriedRow]) -> Iterator[Figure]:
    if not rows:
        return
    target = d.target.band
    intervals = [row.sample.estimate for row in rows]
    low = min(*(interval.drawn[0] for interval in intervals), *target)
    high = max(*(interval.drawn[1] for interval in intervals), *target)
    room = (high - low) * ROOM or 1.0
    least, most = low - room, high + room
    if d.target.is_share:
        least, most = max(least, 0.0), min(most, 1.0)
    unit = "shares of the games" if d.target.is_share else "mean of a game"
    tracks = tuple(
        Track(
            f"{row.label} ({row.mark})" if row.mark else row.label,
            (ChartMark("", row.sample.estimate, colour=CLEAR if row.is_good else UNCLEAR),),
            str(d.said(row.sample.estimate)),
            Band(*target, f"target {d.wanted.removeprefix('to ')}"),
        )
        for row in rows
    )
    picture = Chart("", tracks, unit, (least, most), d.target.is_share)
    yield Figure(words.sentence(f"{d.measure} by change"), picture)


def estimated(interval: Interval, d: TuneDocument) -> Entry:
    return entries.share(interval) if d.target.is_share else entries.of(estimates.number(interval, least=1))


def time_of(d: TuneDocument) -> str:
    """Return the heading of the column of lengths, such as `Turns` or `Rounds`."""
    return words.sentence(f"{d.turn_name}s")


def turns_of(turns: Interval) -> Entry:
    limits = words.span(turns.low, turns.high, 2) if turns.has_limits else turns.method
    return Entry(words.number(turns.estimate, 2), method=limits)


def refused_lines(values: Sequence[str]) -> Iterator[str]:
    """Yield lines on rejected values. values: each value with the reason for its rejection."""
    for value in values[:REFUSED]:
        yield f"Rejected: {value}"
    if len(values) > REFUSED:
        yield f"and {words.many(len(values) - REFUSED, 'more rejected value')} (--json)"
