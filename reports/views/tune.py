"""Which change hits a target: one value, several together, or the nearest of all single ones.

The sentence comes first, then what was played, then what would decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor
from typing import Any, Self

import polars as pl

from bartizan.analyses.document import Document, optional
from bartizan.analyses.experiments import tuning
from bartizan.analyses.experiments.trials import Condition
from bartizan.analyses.experiments.tuning import (
    BETWEEN,
    BEYOND,
    DRAWS,
    HIT,
    NONE_OF_THEM,
    OPEN,
    SCORE,
    TIER,
    TURNS,
    WIN_RATE,
    Knob,
    Sample,
    Target,
    Tuning,
    Verified,
)
from bartizan.analyses.experiments.tuning_many import (
    Front,
    PlayedCombination,
    Screen,
    ValueCombination,
    VerifiedCombination,
    cost_of,
    entry_of,
)
from bartizan.analyses.records.comparison import is_by_player
from bartizan.analyses.records.quantities import score_names
from bartizan.analyses.records.seating import Held, LineUp
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
    "An earlier version gave this answer: it called a number hit when the interval held it, which few games "
    "always do. Ask again."
)
NEAREST = 12  # changes that are listed beside those that were played again
REFUSED = 2  # values refused that are told one by one
MOST, ROOM = 24, 0.08  # rows of the picture; room of the axis beyond the longest interval


# ---------------------------------------------------------------- documents


class ListedCost(Document):
    path: str | None  # of the scenario's entry; None: no cost is given
    cost: float
    sheet: str
    why: str


class CostedValue(Document):
    path: str
    what: str
    cost: ListedCost

    def __str__(self) -> str:
        why = f" ({self.cost.why})" if self.cost.why else ""
        return f"{self.what} {self.cost.cost:g}{why}"


class VariedValue(CostedValue):
    present: Any
    values: list[Any]
    ordered: bool
    source: str | None = optional()  # where it is searched by itself


class TuneDocument(Looked, PlayedDocument):
    """What all answers hold. Nothing in it depends on time or threads."""

    levels: int  # that the scenario has
    seatings: int
    target: Target
    subject: str
    fresh_seed: int
    cost_unit: str = COST_UNIT
    verdict: str
    reached: bool
    games_needed: int | None = None  # fresh games that would decide whether the nearest hits
    sentence: str = ""
    method: str

    @property
    def measure(self) -> str:
        """The subject without the comma that goes on in a sentence."""
        return self.subject.rstrip(",")

    @property
    def wanted(self) -> str:
        """`to 30 % (±1 percentage point)`, `between 28 and 32 %`"""
        low, high, margin = self.target.low, self.target.high, self.target.margin
        scale, unit = (100, f"{words.NBSP}%") if self.target.is_share else (1, "")
        if low == high and not margin:  # a document of an earlier version
            return f"to {low * scale:g}{unit}"
        if low == high:
            points = f"{words.NBSP}percentage point{'s' * (margin != 0.01)}" * self.target.is_share
            return f"to {low * scale:g}{unit} (±{margin * scale:g}{points})"
        return f"between {low * scale:g} and {high * scale:g}{unit}"

    @property
    def players_at_level(self) -> str:
        return f"{self.players}{self.at_level if self.levels > 1 else ''}"

    def said(self, interval: Interval) -> Said:
        """A share of games, or a mean."""
        return (estimates.share if self.target.is_share else estimates.number)(interval, least=1)

    def both_results(self, chosen: Verified) -> str:
        before = {"in the search": chosen.search.estimate}
        if isinstance(chosen, VerifiedCombination) and chosen.check:
            before["in the games that chose it"] = chosen.check.estimate
        listed = [f"{self.said(one).text} {where}" for where, one in before.items()]
        return f"{', '.join(listed)}, {self.said(chosen.fresh.estimate)} on fresh seeds"

    def how_sure(self, chosen: Verified) -> str:
        fresh, seed = chosen.fresh, self.fresh_seed
        if isinstance(chosen, VerifiedCombination) and chosen.check:
            seed = (seed + tuning.FRESH) % 2**63
        turned = f" in each of {self.seatings} seatings" if self.seatings > 1 else ""
        return (
            f"{words.count(fresh.games)} fresh games{turned}, {words.level(fresh.estimate.level)} interval, "
            f"{fresh.estimate.method}, seed {self.seed}, fresh seed {seed}; "
            f"{sentences.rests_on(self.assumed)}"
        )

    def with_sentence(self, rest: str) -> Self:
        """rest: what follows game, players and level."""
        players = " vs ".join(dict.fromkeys(self.policies))
        level = self.difficulty if self.levels > 1 else ""
        setting = changes.title(self.title, self.changes, players, level)
        return self.model_copy(update={"sentence": f"{setting}: {rest}"})

    @property
    def would_tell(self) -> str:
        """`About 35,000 fresh games would tell (--fresh)`; "" where no number can be said."""
        if not self.games_needed:
            return ""
        return f"About {words.two_figures(self.games_needed):,} fresh games would decide (--fresh)"


class TunedValue(Tuning, TuneDocument):
    """One value was searched."""

    knob: VariedValue
    cost: float
    refused: list[dict[str, Any]]  # value, reason


class TunedCombination(Front, TuneDocument):
    """Several values were searched together."""

    knobs: list[VariedValue]
    names: dict[str, str]  # path -> the value in words


class ScreenedValues(Screen, TuneDocument):
    """Every value was varied by itself."""

    range: float
    names: dict[str, str]
    costs: list[CostedValue]


def read(document: Mapping[str, Any]) -> TuneDocument:
    """An answer that was kept."""
    kind = TunedValue if "winner" in document else TunedCombination if "front" in document else ScreenedValues
    return kind.read(document)


# ---------------------------------------------------------------- documents of results


def of_value(
    condition: Condition,
    s: Scenario,
    target: Target,
    searched: Knob,
    result: Tuning,
    fresh_seed: int,
    refused: Sequence[tuple[Any, str]],
    costs: Mapping[str, ChangeCost],
    looks: Mapping[str, Any],
) -> TunedValue:
    knob, winner = searched.knob, result.winner
    fields = {
        **dict(result),
        **_common(condition, s, target, result.verdict, winner.fresh, fresh_seed, looks),
        "knob": _varied(searched, costs, s).model_copy(update={"source": knob.source}),
        "cost": cost_of([knob.path] if winner.value != knob.value else [], costs),
        "refused": [{"value": value, "reason": reason} for value, reason in refused],
        "method": tuning.METHOD,
    }
    d = TunedValue.about(SCHEMA, condition, s, **fields)
    numbers = f"{d.both_results(winner)} ({d.how_sure(winner)})"
    return d.with_sentence(f"{_value_finding(d)}. Value {changes.value(winner.value)}: {numbers}.")


def of_combinations(
    condition: Condition,
    s: Scenario,
    target: Target,
    knobs: Sequence[Knob],
    result: Front,
    costs: Mapping[str, ChangeCost],
    fresh_seed: int,
    looks: Mapping[str, Any],
) -> TunedCombination:
    best = result.best
    fields = {
        **dict(result),
        **_common(condition, s, target, result.verdict, best.fresh, fresh_seed, looks),
        "knobs": [_varied(searched, costs, s) for searched in knobs],
        "names": _names(result.tried, s),
    }
    d = TunedCombination.about(SCHEMA, condition, s, **fields)
    now = next((row.fresh.turns for row in d.front if not row.changes), d.length.present)
    turns = f"{best.fresh.turns.estimate:.1f} {d.turn_name}s, now {now.estimate:.1f}"
    return d.with_sentence(
        f"{_combination_finding(d)}, at a cost of {best.cost:g}: {d.both_results(best)}, {turns} "
        f"({d.how_sure(best)})."
    )


def of_screen(
    condition: Condition,
    s: Scenario,
    target: Target,
    result: Screen,
    costs: Mapping[str, ChangeCost],
    spread: float,
    fresh_seed: int,
    looks: Mapping[str, Any],
) -> ScreenedValues:
    best = result.best
    changed = dict.fromkeys(path for winner in result.ranked for path in winner.changes)
    fields = {
        **dict(result),
        **_common(condition, s, target, result.verdict, best.fresh, fresh_seed, looks),
        "range": spread,
        "names": _names([*result.ranked, *result.others], s),
        "costs": [CostedValue(**_cost(path, costs, s)) for path in changed],
    }
    d = ScreenedValues.about(SCHEMA, condition, s, **fields)
    numbers = f"{d.both_results(best)} ({d.how_sure(best)})"
    return d.with_sentence(f"{_screen_finding(d)}, at a cost of {best.cost:g}: {numbers}.")


def _common(
    condition: Condition,
    s: Scenario,
    target: Target,
    verdict: str,
    fresh: Sample,
    fresh_seed: int,
    looks: Mapping[str, Any],
) -> dict[str, Any]:
    """What every answer holds. fresh: the games that checked the best; looks: fields of `Looked`."""
    wider = next_wider(looks["look_number"], fresh.estimate.level) if looks else 1.0
    return {
        "levels": len(s.model.difficulties()),
        "seatings": len(condition.seatings()),
        "target": target,
        "subject": _subject(target, condition, s),
        "fresh_seed": fresh_seed,
        "reached": verdict == HIT,
        "games_needed": target.games_to_tell(fresh.estimate, fresh.games, wider) if verdict == OPEN else None,
        **looks,
    }


def _subject(target: Target, condition: Condition, s: Scenario) -> str:
    """What the target is about, as the subject of a sentence."""
    if target.measure == SCORE:
        return f"the mean {score_names(_held(condition))['score']}"
    if target.measure != WIN_RATE:
        return {
            TURNS: f"the mean number of {condition.game.turn_name}s",
            DRAWS: "the share of draws",
            TIER: f"the share of {target.name}",
        }[target.measure]
    line_up = LineUp(tuple(Held(policies, pl.DataFrame()) for policies in condition.described()))
    first = line_up.names[0] if is_by_player(line_up) else ""
    return sentences.headline(condition.game.alike, condition.game.roles_in(s), first)


def _held(condition: Condition) -> Held:
    """The first seating, without games."""
    reporting = condition.game.compiled.reporting
    return Held(condition.described()[0], pl.DataFrame(), reporting.document() if reporting else None)


def _names(tried: Iterable[ValueCombination], s: Scenario) -> dict[str, str]:
    return {path: called(path, s.data) for combination in tried for path in combination.changes}


def _varied(searched: Knob, costs: Mapping[str, ChangeCost], s: Scenario) -> VariedValue:
    return VariedValue(
        **_cost(searched.knob.path, costs, s),
        present=searched.knob.value,
        values=list(searched.values),
        ordered=searched.is_ordered,
    )


def _cost(path: str, costs: Mapping[str, ChangeCost], s: Scenario) -> dict[str, Any]:
    entry = entry_of(path, costs)
    given = costs[entry] if entry else ChangeCost(cost=1.0, why="no cost is given")
    return {"path": path, "what": called(path, s.data), "cost": ListedCost(path=entry, **given.model_dump())}


# ---------------------------------------------------------------- findings, without their numbers


def _value_finding(d: TunedValue) -> str:
    what, wanted = d.knob.what, f"{d.subject} {d.wanted}"
    value = changes.value(d.winner.value)
    if d.verdict == HIT:
        now = sentences.value(d.knob.present)
        return f"{what} {value} (now {now}) brings {wanted}, at a cost of {d.cost:g}"
    if d.verdict == OPEN:
        played = "the values played" if d.bends else "these games"
        return f"{played} do not decide whether a value of {what} brings {wanted}; {value} comes nearest"
    values = [sentences.value(value) for value in d.knob.values]
    ends = f" from {values[0]} to {values[-1]}" if d.knob.ordered else ""
    none = f"no value of {what}{ends} brings {wanted}"
    if d.verdict == BETWEEN:
        return f"{none}: {_neighbours(d)}; {value} is nearest"
    straight = d.verdict == BEYOND and d.played < d.values
    return f"{none}{', if it only rises or only falls on the way' if straight else ''}; {value} comes nearest"


def _neighbours(d: TunedValue) -> str:
    pair = [(d.winner.value, d.winner.fresh.estimate)]
    if d.neighbour:
        pair.append((d.neighbour.value, d.neighbour.estimate))
    return " and ".join(
        f"{sentences.value(value)} gives {d.said(interval).text}"
        for value, interval in sorted(pair, key=lambda both: both[0])
    )


def _combination_finding(d: TunedCombination) -> str:
    best, wanted = _changed(d.best, d), f"{d.subject} {d.wanted}"
    finding = {
        HIT: f"the cheapest that brings {wanted} is {best}",
        OPEN: f"these games do not decide whether one on the front brings {wanted}; nearest is {best}",
        NONE_OF_THEM: f"none of those on the front brings {wanted}; nearest is {best}",
    }[d.verdict]
    return f"of {len(d.tried)} combinations played {finding}"


def _screen_finding(d: ScreenedValues) -> str:
    best, wanted = _changed(d.best, d), f"{d.subject} {d.wanted}"
    finding = {
        HIT: f"the cheapest that brings {wanted} is {best}",
        OPEN: f"these games do not decide whether one brings {wanted}; nearest is {best}",
        NONE_OF_THEM: f"none brings {wanted}; nearest is {best}",
    }[d.verdict]
    return f"of {words.count(d.values)} changes of one value each, {finding}"


def _changed(row: ValueCombination, d: TunedCombination | ScreenedValues) -> str:
    named = [f"{d.names[path]} {changes.value(value)}" for path, value in row.changes.items()]
    return words.listing(named) or "to change nothing"


# ---------------------------------------------------------------- blocks


@dataclass(frozen=True)
class TriedRow:
    """A line of the table, and of the picture."""

    label: str
    mark: str  # present, chosen, hits
    sample: Sample  # on fresh seeds, where it was played there
    is_good: bool
    columns: tuple[Entry, ...]  # of the table, beside the label, the mark and the games


def view(d: TuneDocument) -> View:
    match d:
        case TunedValue():
            columns: tuple[str, ...] = (words.sentence(d.measure), _time(d), "Monotone fit")
            heading = f"{d.knob.path}, every value that was played; {d.measure}:"
            table = (words.sentence(d.knob.what), columns, "", heading)
            return _view(d, _value_finding(d), d.winner, list(_value_rows(d)), table, _value_lines(d))
        case TunedCombination():
            heading = "What nothing else beats at distance, length and cost together"
            again: Sequence[ValueCombination] = d.front
            others: Sequence[ValueCombination] = [] if any(not row.changes for row in again) else [d.present]
            finding, more = _combination_finding(d), _combination_lines(d)
        case ScreenedValues():
            heading = "The nearest changes of one value"
            again, others = d.ranked, [*d.others[:NEAREST], d.present]
            finding, more = _screen_finding(d), _screen_lines(d)
        case _:
            raise TypeError(type(d))
    rows = [_row(row, d) for row in (*again, *others)]
    columns = ("In the search", "On fresh seeds", _time(d), "Cost")
    heading = f"{heading}; {d.measure} in the search and on fresh seeds:"
    table = ("Changes", columns, f"{words.sentence(d.measure)} in the search and on fresh seeds. ", heading)
    return _view(d, finding, d.best, rows, table, more)


def _view(
    d: TuneDocument,
    finding: str,
    best: Verified,
    rows: Sequence[TriedRow],
    table: tuple[str, tuple[str, ...], str, str],
    more: Iterable[str],
) -> View:
    """table: what names the rows, the other columns, what the caption adds, and the heading at a terminal."""
    share = d.said(best.fresh.estimate)
    games = words.count(best.fresh.games)
    title = f"{words.sentence(finding)}: {share} in {games} fresh games by {d.players_at_level}"
    caption = (
        f"{words.sentence(d.measure)} after each change that was played, with its interval: "
        f"{words.CONFIDENCE} by itself in the search and of the chosen one on fresh seeds, "
        f"{words.CONFIDENCE} together for all that were checked. Green: what is wanted ({d.wanted}). Search "
        f"on seed {d.seed}; the chosen change was played again on fresh seeds from {d.fresh_seed} on."
    )
    name, columns, about, heading = table
    lines = [d.sentence, *([f"{d.would_tell}."] if d.would_tell else [])]
    if d.verdict == HIT and d.target.low == d.target.high and not d.target.margin:
        lines.append(HELD_ONLY)
    if (rest := len(rows) - MOST) > 0:
        lines.append(f"{words.count(rest)} more are in the table only.")
    played = Table(
        f"What was tried by {d.players_at_level}",
        f"{about}Wanted: {d.wanted.removeprefix('to ')}. {words.sentence(d.cost_unit)}.",
        (name, "", "Games", *columns),
        tuple(
            (Entry(row.label), Entry(row.mark), entries.count(row.sample.games), *row.columns) for row in rows
        ),
        heading=heading,
    )
    blocks: tuple[Block, ...] = (*_figures(d, rows[:MOST]), played, Lines(tuple(more), tuple(lines)))
    return View(d.sentence, blocks, ("The search for a value", f"{d.method}."), title, caption)


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
            Band(*target, f"wanted {d.wanted}"),
        )
        for row in rows
    )
    picture = Chart("", tracks, unit, (least, most), d.target.is_share)
    yield Figure(words.sentence(f"{d.measure} by what is changed"), picture)


def _estimate(interval: Interval, d: TuneDocument) -> Entry:
    return entries.share(interval) if d.target.is_share else entries.of(estimates.number(interval, least=1))


def _time(d: TuneDocument) -> str:
    """Heads the column of lengths: `Turns`, `Rounds`."""
    return words.sentence(f"{d.turn_name}s")


def _turns(turns: Interval) -> Entry:
    return Entry(words.number(turns.estimate, 2), method=words.span(turns.low, turns.high, 2))


# ---------------------------------------------------------------- one value


def _value_rows(d: TunedValue) -> Iterator[TriedRow]:
    is_outside = d.present is not None and all(row.value != d.present.value for row in d.points)
    for row in [*d.points, *([d.present] if d.present and is_outside else [])]:
        is_chosen = row.value == d.winner.value
        marks = [
            *(["present, not in the search" if is_outside else "present"] if row.present else []),
            *(["chosen"] if is_chosen else []),
        ]
        fit = entries.NONE if row.fit is None else Entry(d.said(replace(row.estimate, estimate=row.fit)).text)
        columns = (_estimate(row.estimate, d), _turns(row.turns), fit)
        yield TriedRow(sentences.value(row.value), ", ".join(marks), row, is_chosen, columns)


def _value_lines(d: TunedValue) -> Iterator[str]:
    """What the search could not tell, and what would; what the change costs, what was refused."""
    if d.bends:
        every = (
            "so every value was played and the nearest was taken by its own games"
            if d.played == d.values
            else "give fewer values, or a step, to have all of them played"
        )
        yield f"The result rises and falls from value to value by more than noise: {every}."
    if len(d.checked) > 1:
        checked = words.listing([sentences.value(value) for value in d.checked])
        yield f"{checked} were as likely by the search: both were played on fresh seeds."
    if d.verdict == BETWEEN and d.target.low == d.target.high:
        yield f"To accept results further off, give a --margin or a range, such as --target {_range(d)}."
    if d.verdict == OPEN and not d.bends:
        yield f"{d.would_tell or 'More games tell more: --games'}."
    yield f"Cost of change: {d.knob}; {d.cost_unit}."
    yield f"{d.played} of {d.values} values played."
    yield from _refused([f"{sentences.value(row['value'])}: {row['reason']}" for row in d.refused])


def _refused(values: Sequence[str]) -> Iterator[str]:
    """values: each with the reason."""
    for value in values[:REFUSED]:
        yield f"Refused: {value}"
    if len(values) > REFUSED:
        yield f"and {len(values) - REFUSED} more values refused (--json)"


def _range(d: TunedValue) -> str:
    """A target that the winner would be expected to hit."""
    fresh = d.winner.fresh.estimate
    ends = (d.target.low, fresh.low, fresh.high)
    step = 0.01 if d.target.is_share else 1
    low, high = floor(min(ends) / step) * step, ceil(max(ends) / step) * step
    high = min(high, 1.0) if d.target.is_share else high
    return f"{d.target.measure}{':' + d.target.name if d.target.name else ''}={low:g}..{high:g}"


# ---------------------------------------------------------------- combinations


def _row(row: ValueCombination, d: TunedCombination | ScreenedValues) -> TriedRow:
    marks = [] if row.changes else ["present"]
    fresh, is_good = entries.NONE, False
    if isinstance(row, VerifiedCombination):
        sample, search = row.fresh, row.search
        fresh, is_good = _estimate(sample.estimate, d), row.hits
        marks += [*(["chosen"] if row.check else []), *(["hits"] if row.hits else [])]
        marks += ["inconclusive"] if row.open else []
    elif isinstance(row, PlayedCombination):
        sample = search = row
    result = d.said(search.estimate).text
    columns = (Entry(result), fresh, _turns(sample.turns), Entry(f"{row.cost:g}"))
    return TriedRow(_changed(row, d), ", ".join(marks), sample, is_good, columns)


def _combination_lines(d: TunedCombination) -> Iterator[str]:
    if d.front_left_out:
        yield f"and {d.front_left_out} more on the front that were not played again (--json)"
    yield from _more_games(d)
    yield f"Cost of change: {'; '.join(map(str, d.knobs))}; {d.cost_unit}."
    refused = f", {d.refused} refused" if d.refused else ""
    yield (
        f"{len(d.tried)} of {words.count(d.combinations)} combinations played{refused}; length wished: "
        f"{d.length.wished:.1f} {d.turn_name}s."
    )
    yield from _refused(d.reasons)


def _screen_lines(d: ScreenedValues) -> Iterator[str]:
    if (rest := len(d.others) - NEAREST) > 0:
        yield f"and {words.count(rest)} further from the target (--json)"
    if d.not_ruled_out:
        yield (
            f"{words.count(d.not_ruled_out)} of those not played again are not ruled out by their games "
            "(--games)."
        )
    yield from _more_games(d)
    yield f"Cost of change: {'; '.join(map(str, d.costs))}; {d.cost_unit}."
    refused = f", {words.count(len(d.refused))} refused" if d.refused else ""
    unvaried = f", {words.count(len(d.unvaried))} values that no rule varies (names, text, empty lists)"
    yield (
        f"{words.count(d.values)} changes played, numbers varied by {d.range:.0%}{refused}"
        f"{unvaried if d.unvaried else ''}."
    )
    changes = [
        ", ".join(f"{path}={sentences.value(to)}" for path, to in row["changes"].items()) for row in d.refused
    ]
    reasons = [f"{what}: {row['reason']}" for what, row in zip(changes, d.refused, strict=True)]
    yield from _refused(reasons)
    ((path, value),) = d.best.changes.items()
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    between = f"values between these: --knob {path}=LO:HI; " if is_number else ""
    yield words.sentence(f"{between}several together: --knob more than once.")


def _more_games(d: TunedCombination | ScreenedValues) -> Iterator[str]:
    """What would settle an answer that is open."""
    if d.verdict == OPEN:
        edge = "The nearest lies too near to an edge of the target: perhaps no number of games would decide"
        yield f"{d.would_tell or (edge if d.best.open else 'More games tell more: --games')}."
