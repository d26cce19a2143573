"""Comparison of a change with its baseline."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import Any

from pydantic import Field

from bartizan.analyses.document import Document, optional
from bartizan.analyses.experiments.coverage import OptionUse
from bartizan.analyses.experiments.luck_adjustment import AdjustedDifference
from bartizan.analyses.records.comparison import LENGTH, ChangedGames, Compared, EffectRow
from bartizan.analyses.records.quantities import score_names
from bartizan.analyses.records.tally import MARGIN, reporting_of
from bartizan.analyses.statistics.intervals import Interval
from bartizan.analyses.statistics.paired import Effect, Measure
from bartizan.analyses.statistics.testing import ALPHA, jointly
from bartizan.reports import entries
from bartizan.reports.blocks import (
    Block,
    Chart,
    ChartMark,
    Entry,
    Lines,
    Method,
    Shape,
    Table,
    Track,
    View,
    share_mark,
)
from bartizan.reports.document import Looked
from bartizan.reports.text import changes, differences, estimates, sentences, words
from bartizan.reports.text.estimates import Said
from bartizan.reports.views import luck
from bartizan.simcore.reporting import CONFIDENCE, COUNTER
from bartizan.simcore.scenario.changes import together

LINES = "all rows"  # what p is adjusted for
ALL_MEASURES = "simultaneous for all measures"
PAIRED = (
    f"Paired game by game (common random numbers); a {words.CONFIDENCE} interval for each row by itself, p "
    "adjusted for all rows (Benjamini and Hochberg 1995)."
)

# ---------------------------------------------------------------- documents


class Headline(Document):
    measure: str
    a: Interval
    b: Interval


class MeasureRow(EffectRow):
    """One measure of the comparison; the first row is the headline."""

    name: str

    @property
    def said(self) -> Said:
        """The difference as text, such as `+24.5 percentage points (+23.0 to +26.0)`."""
        return estimates.moved(self.difference, self.is_share)

    def side(self, value: Interval) -> str:
        """Return the value of one side as text."""
        return (estimates.share(value) if self.is_share else estimates.number(value, least=1)).text

    def over(self, games: int) -> str:
        return over(self.measure, self.n, games)

    @property
    def is_moved(self) -> bool:
        return (self.p_adjusted or 0.0) < ALPHA and not self.difference.low <= 0 <= self.difference.high


class MeasuredChange(Document):
    """Effect of a change: the fields that a comparison and a step share."""

    difference: Interval  # difference of the headline
    is_clear: bool  # significant with p adjusted for all rows, or for all steps
    p: float
    pairing_factor: float | None
    headline: Headline
    effects: list[MeasureRow]
    changed_games: ChangedGames | None = None  # missing in JSON of early versions
    # one of several differences: with an interval that is simultaneous for all of them
    joint: Interval | None = optional()

    @property
    def quoted(self) -> Interval:
        """The simultaneous difference if there is one. JSON of early versions has none."""
        return self.joint or self.difference

    @property
    def is_idle(self) -> bool:
        """Whether the change affected no game."""
        return self.changed_games is not None and self.changed_games.is_none


class TwoSides(Document):
    """A comparison of two sides. a, b: the JSON documents of the sides."""

    schema_: str = Field(alias="schema")
    sentence: str = ""
    game: str
    title: str
    changes: list[dict[str, Any]] = []  # against the published game, on both sides
    change: list[dict[str, Any]]
    seed: int
    headline: Headline
    pairing_factor: float | None
    differing: Interval
    a: dict[str, Any]
    b: dict[str, Any]
    banner: dict[str, Any] | None = optional()

    @property
    def sides(self) -> tuple[dict[str, Any], dict[str, Any]]:
        return self.a, self.b

    @property
    def assumed(self) -> int:
        return max(int(side["assumed"]) for side in self.sides)

    @property
    def assumptions(self) -> list[str]:
        """The distinct assumptions of both sides."""
        return list(dict.fromkeys(line for side in self.sides for line in side["assumptions"]))


def fields_of(
    sides: Sequence[dict[str, Any]], change: list[dict[str, Any]], subject: str, effect: Effect
) -> dict[str, Any]:
    """Return the JSON fields of every comparison of two sides.

    subject: the measure of the headline. effect: the effect on this measure.
    """
    a, b = sides
    return {
        **{key: a[key] for key in ("game", "title", "changes", "seed")},
        "change": change,
        "headline": Headline(measure=subject.rstrip(","), a=effect.base.interval, b=effect.changed.interval),
        "pairing_factor": effect.factor,
        "differing": effect.differing,
        "a": a,
        "b": b,
        "banner": together([side["banner"] for side in sides if "banner" in side]),
    }


def setting_of(
    a: Mapping[str, Any], change: Sequence[Mapping[str, Any]], players: Sequence[str], levels: bool
) -> str:
    """Return the setting that both sides share, without the policies and the level if these are changed.

    levels: whether the game has several levels.
    """
    paths = {row["path"] for row in change}
    who_plays = " vs ".join(players) if "policy" not in paths else ""
    level = a["difficulty"] if levels and "difficulty" not in paths else ""
    return changes.titled(a, who_plays, level)


class ComparisonDocument(Looked, MeasuredChange, TwoSides):
    """Result of `compare`. If there are several seatings, each side also has `rotations`.

    method: the method of the interval in the sentence, and the assumptions.
    """

    method: str = ""
    moved: list[str] = []
    n: int
    by_player: bool = False
    paired: bool
    option_use: OptionUse | None = optional()
    luck_adjusted: AdjustedDifference | None = optional()


def document(
    result: Compared,
    sides: Sequence[dict[str, Any]],
    change: list[dict[str, Any]],
    alike: bool,
    levels: bool,
    use: OptionUse | None,
    of: int = 1,
    level: float = CONFIDENCE,
    looks: Mapping[str, Any] | None = None,
) -> ComparisonDocument:
    """Return the document of a comparison.

    sides: JSON of both sides. alike: whether all seats are identical. levels: whether the game has several
    levels. use: how often a left-out option is used. of: number of simultaneous comparisons. level:
    confidence level of this look. looks: fields of `Looked`.
    """
    a, b = sides
    roles = tuple(policy["role"] for policy in result.base.cells[0].policies)
    subject = _subject_of(result, alike, roles)
    sentence, method = _sentence(result, a, b, change, levels, use, alike, roles)
    return ComparisonDocument(
        schema="bartizan.compare/1",
        **fields_of(sides, change, subject, result.headline),
        sentence=sentence,
        method=method,
        moved=[_effect_name(effect, result) for effect in _moved_effects(result)],
        n=result.games,
        by_player=result.by_player,
        difference=result.difference,
        is_clear=result.is_clear,
        paired=result.paired,
        p=result.p,
        changed_games=result.touched,
        option_use=use,
        joint=jointly(at, of, confidence=level) if (at := result.headline.at) and of > 1 else None,
        effects=[MeasureRow.of(effect, name=_effect_name(effect, result)) for effect in result.effects],
        **(looks or {}),
    )


# ---------------------------------------------------------------- the sentence of a comparison


def _sentence(
    result: Compared,
    a: Mapping[str, Any],
    b: Mapping[str, Any],
    change: Sequence[Mapping[str, Any]],
    levels: bool,
    use: OptionUse | None,
    alike: bool,
    roles: Sequence[str],
) -> tuple[str, str]:
    """Return the finding as a sentence of about 35 words, and its method and assumptions.

    The sentence contains the change, the effect with its interval, and the number of games.
    """
    setting = setting_of(a, change, result.base.names, levels)
    changed = words.listing([changes.instead(row) for row in change])
    rests = sentences.rests_on(max(a["assumed"], b["assumed"]))
    if result.touched and result.touched.is_none:
        is_of_players = any(row["path"] == "policy" for row in change)
        players = "" if is_of_players else words.listing(list(result.base.names))
        same = _same(result.touched.of, players)
        return f"{setting}: with {changed}, {same}, seed {a['seed']}).", f"{rests}."
    verdict, interval, family, others = _verdict(result, change, changed, alike, roles, use)
    if use and use.insisted:
        verdict += (
            "; this is not the worth of the action, because each choice of it was replaced by a random action"
        )
    elif use and use.forced:
        verdict += "; it was still used when no other action was legal, so this understates its worth"
    seatings = len(result.base.cells)
    turned = f", {seatings} seatings each" if seatings > 1 else ""
    pairing = "paired game by game" if result.paired else "unpaired, because pairing did not help"
    played = f"{words.many(result.games, 'game')} per side{turned}"
    sure = f"{words.level(interval.level)}{family}, {played}, seed {a['seed']}"
    method = f"{interval.method}, {pairing}; {_least_seen_of_all(result, alike, roles)}{rests}."
    return f"{setting}: {verdict} ({sure}){others}.", method


def _verdict(
    result: Compared,
    change: Sequence[Mapping[str, Any]],
    changed: str,
    alike: bool,
    roles: Sequence[str],
    use: OptionUse | None,
) -> tuple[str, Interval, str, str]:
    """Return (finding, interval, family, end of the sentence).

    family: the comparisons for which the interval is simultaneous. end: text on other measures.

    The finding is the headline, which was chosen before the games, or the worth of a left-out option. If all
    games of both sides have the same winner, it is the clearest effect. The family is "" for an interval that
    is not simultaneous.
    """
    subject, moved = _subject_of(result, alike, roles), _moved_effects(result)
    ends = " to ".join(words.share(side.interval) for side in (result.headline.base, result.headline.changed))
    kinds = change[0].get("lacks") if len(change) == 1 and not (use and use.insisted) else None
    if kinds:
        without = f"without {'it' if len(kinds) == 1 else 'them'} {subject} goes from {ends}"
        worth = _worth(result.difference, result.is_clear, kinds, result.base.names[0])
        return f"{worth}; {without}", result.difference, "", ""
    if _has_one_winner(result):
        shown = moved[0] if moved else result.effects[0]
        family = f", {ALL_MEASURES}" if shown.joint else ""
        return (
            f"with {changed}, {_what_moved(result, subject)}",
            shown.joint or shown.difference.interval,
            family,
            "",
        )
    moves = differences.moves(result.difference, result.is_clear, LINES)
    others = f"; {_other_changes(result, subject)}" if _says_little(result, alike) else ""
    return f"with {changed}, {subject} {moves}, from {ends}", result.difference, "", others


def _same(games: int, players: str) -> str:
    """Return the finding for a change that affected no game. The caller closes its last bracket.

    players: "" if the players are the change.
    """
    came_up = f": the change {differences.never(games, players)}" if players else ""
    played = f"{words.many(games, 'game')} per side, paired game by game"
    return f"every game is identical{came_up} ({differences.below(games)}; {played}"


def _subject_of(result: Compared, alike: bool, roles: Sequence[str]) -> str:
    """Return the measure of the headline as the subject of a sentence."""
    first = [side.names[0] for side in (result.base, result.changed)] if result.by_player else []
    return sentences.headline(alike, roles, *first)


def _says_little(result: Compared, alike: bool) -> bool:
    """Return whether the headline alone is uninformative.

    This is so if every game has the same winner. It is also so if all seats are identical and the headline is
    the first seat's share, because a change affects every seat.
    """
    return (alike and not result.by_player) or _has_one_winner(result)


def _has_one_winner(result: Compared) -> bool:
    ends = {side.interval.estimate for side in (result.headline.base, result.headline.changed)}
    return ends in ({0.0}, {1.0})


def _moved_effects(result: Compared) -> list[Effect]:
    """Return the measures that change significantly (p adjusted for all), largest effect first.

    The size of an effect is measured in standard errors.
    """
    clear = [
        effect
        for effect in result.effects
        if effect.is_significant and not _mirrors_the_first(effect, result)
    ]
    return sorted(clear, key=lambda effect: -abs(effect.difference.ses or inf))


def _mirrors_the_first(effect: Effect, result: Compared) -> bool:
    """Return whether this is the share of the second of two seats, which mirrors the first."""
    return effect.measure.kind == "seat" and effect.measure.name == "1" and result.base.seats == 2


def _effect_name(effect: Effect, result: Compared) -> str:
    """Return the name of a row. The name of the first row, which is the headline, is `win rate`."""
    return _measure(effect.measure, result) if effect is not result.effects[0] else "win rate"


def _what_moved(result: Compared, subject: str) -> str:
    """Return the clearest effect as text, such as `turns −3.5 (−3.8 to −3.2), from 24.1 to 20.6`.

    The text ends with the number of other measures that change significantly. If no measure changes
    significantly, the text states this. Measures that change equally in all games follow. subject: the
    headline.
    """
    parts, moved = [], _moved_effects(result)
    if moved:
        clearest, *others = moved
        parts.append(_moved(clearest, result, subject))
        if others:
            parts.append(f"{words.many(len(others), 'more measure')} change{'s' if len(others) == 1 else ''}")
    else:
        parts.append(f"no measure changes significantly: {_moved(result.headline, result, subject)}")
    return "; ".join([*parts, *_shifts(result, subject)])


def _other_changes(result: Compared, subject: str) -> str:
    """Return the clearest effect besides the headline, with an interval that allows for its selection.

    For example: `clearest other change: turns −3.5 (−3.8 to −3.2, 95 %, simultaneous for all measures), from
    24.1 to 20.6; 2 more measures change`. subject: the headline.
    """
    others = [effect for effect in _moved_effects(result) if effect is not result.headline]
    if not others:
        return "; ".join(["no other measure changes significantly", *_shifts(result, subject)])
    clearest, *more = others
    how = f"{words.level(clearest.joint.level)}, {ALL_MEASURES}" if clearest.joint else ""
    parts = [f"clearest other change: {_moved(clearest, result, subject, how)}"]
    if more:
        parts.append(f"{words.many(len(more), 'more measure')} change{'s' if len(more) == 1 else ''}")
    return "; ".join([*parts, *_shifts(result, subject)])


def _shifts(result: Compared, subject: str) -> list[str]:
    """Return a part of a sentence on the measures that change equally in all games; [] if none does."""
    shifted = [_moved(effect, result, subject) for effect in _shifted_effects(result)]
    return [f"equally in all games, {words.listing(shifted)}"] if shifted else []


def _shifted_effects(result: Compared) -> list[Effect]:
    """Return the measures that change by the same amount in all games, which have no interval."""
    differences = ((effect, effect.difference.interval) for effect in result.effects)
    return [effect for effect, each in differences if not each.has_limits and each.estimate and effect.n > 1]


def _least_seen_of_all(result: Compared, alike: bool, roles: Sequence[str]) -> str:
    """Return the changes that these games detect with 80 % power, as text.

    Returns "" if a measure changes significantly or the headline is informative. Measures whose differences
    are all equal, or depend on truncated games, are left out.
    """
    if _moved_effects(result) or not _says_little(result, alike):
        return ""
    subject = _subject_of(result, alike, roles)
    seen = [
        f"{_called(effect, result, subject)} by {_least_seen(effect)}"
        for effect in result.effects
        if effect.difference.interval.has_limits
        and not effect.difference.interval.is_bounds
        and not _mirrors_the_first(effect, result)
    ]
    if not seen:
        return ""
    return f"power is 80{words.NBSP}% for a change of {words.listing(seen)}; "


def _called(effect: Effect, result: Compared, subject: str) -> str:
    """Return the name of a measure in a sentence. subject: the name of the headline."""
    if effect is result.headline:
        return subject.rstrip(",")
    return _in_words(_measure(effect.measure, result))


def _moved(effect: Effect, result: Compared, subject: str, how: str = "") -> str:
    scale, unit = (1, "") if effect.measure.kind == "column" else (100, f"{words.NBSP}%")
    difference = effect.joint or effect.difference.interval  # joint: chosen from several
    digits = words.digits_for(difference.half_width * scale, 1)
    if not difference.has_limits:
        digits = 2 if any(side.interval.estimate % 1 for side in (effect.base, effect.changed)) else 0
    ends = " to ".join(
        words.share(side.interval)
        if scale == 100 and (side.interval.is_bounds or side.interval.estimate in (0, 1))
        else f"{words.number(side.interval.estimate * scale, digits)}{unit}"
        for side in (effect.base, effect.changed)
    )
    by = estimates.moved(difference, scale == 100)
    text = by.text if not difference.has_limits else by.adding(how)
    counted = over(effect.measure.name, effect.n, result.games)
    return f"{_called(effect, result, subject)} {text}, from {ends}{counted}"


def _least_seen(effect: Effect) -> str:
    """Return the change that a 5 % test detects with 80 % power, which is 2.8 standard errors.

    If no game differs, returns the limit of the interval with the greater absolute value.
    """
    scale = 1 if effect.measure.kind == "column" else 100
    difference = effect.difference
    least = scale * (
        2.8 * difference.se
        if difference.se
        else max(abs(difference.interval.low), abs(difference.interval.high))
    )
    text = words.number(least, words.digits_for(least))
    return text if scale == 1 else differences.points(text)


def _worth(difference: Interval, is_clear: bool, kinds: Sequence[str], who: str) -> str:
    """Return the worth of an option as a clause.

    For example: `escape is worth 3.1 percentage points (2.5 to 3.7) to garrison`. The worth of an option is
    the loss without it (Jaffe et al. 2012).
    """
    option = words.listing([kind.replace("_", " ") for kind in kinds])
    gain = differences.reversed_(difference)
    if not is_clear:
        adjusted = "" if gain.low <= 0 <= gain.high else f" after adjustment for {LINES}"
        return (
            f"these games do not show that {option} {'is' if len(kinds) == 1 else 'are'} worth anything to "
            f"{who}{adjusted}: {differences.signed(gain, least=1)}"
        )
    size = differences.size(gain, least=1)
    are, costs = ("is", "costs") if len(kinds) == 1 else ("are", "cost")
    return f"{option} {are} worth {size} to {who}" if gain.estimate > 0 else f"{option} {costs} {who} {size}"


def _measure(measure: Measure, result: Compared) -> str:
    """Return the name of a measure in the terms of the game."""
    cell = result.base.cells[0]
    if measure.kind == "seat":
        return f"{words.plain(cell.policies[int(measure.name)]['role'])} seat wins"
    if measure.kind == "policy":
        return f"{measure.name} wins per seat"
    if measure.name == LENGTH:
        return f"{reporting_of(cell).time}s"
    return score_names(cell).get(measure.name, measure.name)


def over(measure: str, n: int, games: int) -> str:
    """Return the number of games with a value on both sides, as the end of a sentence; "" if all have one."""
    has = "winner" if measure == MARGIN else "value"
    return "" if n == games else f" in the {words.many(n, 'game')} with a {has} on both sides"


def _in_words(name: str) -> str:
    """Return the name of a row as text, without the column prefix of recorded counters."""
    return words.plain(name.removeprefix(COUNTER)) if name.startswith(COUNTER) else name


# ---------------------------------------------------------------- a comparison, in blocks


def view(d: ComparisonDocument) -> View:
    blocks: list[Block] = [] if d.is_idle else [chart(d), effects_table(d), *_unclear(d)]
    if all(side.get("is_one_game") for side in d.sides):  # missing in JSON of early versions
        blocks.insert(0, Lines((sentences.one_game(d.n, each=True),)))
    return View(d.sentence, (*blocks, Lines(tuple(how_paired(d)))), ("", d.method))


def section(d: ComparisonDocument) -> View:
    """Return the comparison as a section of the page of a sweep."""
    change, whole = changed(d), view(d)
    titles = {Chart: "Before and after the change", Table: f"Paired differences, {change}"}
    blocks = (
        replace(block, title=titles[type(block)]) if isinstance(block, Chart | Table) else block
        for block in whole.blocks
    )
    finding = chart(d).title.rstrip(".")
    return replace(
        whole,
        title=f"{finding}, with {change} ({words.many(d.n, 'game')} per side)",
        caption=f"Before and after the change, {played(d)}",
        blocks=(*blocks, Lines((), (d.sentence,))),
        method=method(d),
        label="Before and after",
        details=(change,),
    )


def changed(d: ComparisonDocument) -> str:
    """Return the change as text, such as `Assault counter, Defence 3 instead of 5`."""
    return words.listing([changes.instead(row) for row in d.change])


def played(d: ComparisonDocument) -> str:
    """Return the number of games, and the level and players that both sides share."""
    who = (
        " against ".join(dict.fromkeys(d.a["policies"]))
        if d.a["policies"] == d.b["policies"]
        else "the policies named in the change"
    )
    seatings = 1 + len(d.a.get("rotations", []))
    turned = f" in each of {seatings} seatings" if seatings > 1 else ""
    return (
        f"{words.many(d.n, 'game')} per side{turned}, on common random numbers, seed {d.seed}: "
        f"{words.title(d.a['difficulty'])} by {who}."
    )


def method(d: ComparisonDocument) -> Method:
    return "Differences", f"{d.difference.method}. Each row of the table states its own method."


def chart(d: ComparisonDocument) -> Chart:
    """Return the chart of the shares before and after the change.

    If all games of both sides have the same winner, the chart shows the mean with the most significant change
    instead. If all seats are identical, this mean is in a note. The interval of this change is simultaneous,
    as in the sentence, because the mean was selected.
    """
    shares = [
        row for row in d.effects if row.is_share and not row.base.estimate == row.changed.estimate in (0, 1)
    ]
    means = [row for row in d.effects if not row.is_share]
    moved = [row for row in sorted(means, key=lambda row: row.p) if row.is_moved]
    chosen = [row.model_copy(update={"difference": row.quoted}) for row in moved[:1]]
    rows = shares or chosen or means[:1] or d.effects[:1]
    is_of_a_seat = d.headline.measure == sentences.headline(True, ())
    notes = tuple(_mean_note(row, d) for row in chosen if shares and is_of_a_seat)
    title, first = "Every game is identical before and after the change.", rows[0]
    if not d.is_idle:
        ends = f"from {first.side(first.base)} to {first.side(first.changed)}{first.over(d.n)}"
        moves = f" {differences.moves(first.difference, first.is_moved, LINES)}"
        if not first.is_share:
            moves = f": {'' if first.is_moved else 'no significant change, '}{first.said}"
        title = f"{words.title(name_of(first, d))}{moves}, {ends}."
    drawn = [side.drawn for row in rows for side in (row.base, row.changed)]
    axis = (0.0, 1.0) if first.is_share else _scale(drawn)
    unit = "of the games" if first.is_share else name_of(first, d)
    return Chart(title, tuple(_track(row, d) for row in rows), unit, axis, first.is_share, notes=notes)


def _mean_note(row: MeasureRow, d: ComparisonDocument) -> str:
    how = f"{words.level(row.difference.level)}{f', {ALL_MEASURES}' * (row.joint is not None)}"
    said = estimates.moved(row.difference, row.is_share).adding(how)
    ends = f"from {row.side(row.base)} to {row.side(row.changed)}{row.over(d.n)}"
    return f"{words.title(name_of(row, d))} {said}, {ends}."


def _scale(drawn: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return the ends of an axis that contains 0 and all intervals, with a margin except at 0."""
    least, most = min(0.0, *(low for low, _ in drawn)), max(0.0, *(high for _, high in drawn))
    room = (most - least) * 0.05 or 1.0
    return least - room * (least < 0), most + room * (most > 0 or least == 0)


def _track(row: MeasureRow, d: ComparisonDocument) -> Track:
    sides: tuple[tuple[str, Interval, Shape], ...] = (
        ("before", row.base, "first"),
        ("after", row.changed, "best"),
    )
    marks = [
        share_mark(name, side, row.n, shape)
        if row.is_share
        else ChartMark(name, side, row.side(side), f"{words.level(side.level)} {side.method}", shape)
        for name, side, shape in sides
    ]
    return Track(words.title(name_of(row, d)), tuple(marks), str(row.said))


def effects_table(d: ComparisonDocument) -> Table:
    headers = (
        *("Measure", "Games per side", "Before", "After", "Difference"),
        *("p (adjusted)", "Pairing factor", "Games that differ"),
    )
    rows = tuple(_row(row, d) for row in d.effects)
    caption = PAIRED
    if fewer := [name_of(row, d) for row in d.effects if row.n < d.n]:
        verb = "is" if len(fewer) == 1 else "are"
        caption += (
            f" {words.sentence(words.listing(fewer))} {verb} over the games that have a value on both sides: "
            "a truncated game has no final values, and a game without a winner has no margin."
        )
    return Table("Paired differences", caption, headers, rows, heading=caption)


def _row(row: MeasureRow, d: ComparisonDocument) -> tuple[Entry, ...]:
    said = estimates.change(row.difference, row.scale, least=1)
    unit = f" {differences.PP}" if row.is_share else ""
    is_shift = row.difference.estimate and not row.difference.has_limits  # by the same amount in all games
    return (
        Entry(words.title(name_of(row, d))),
        entries.count(row.n),
        Entry(row.side(row.base)),
        Entry(row.side(row.changed)),
        Entry(f"{said.text}{unit}", said.limits, row.difference.method),
        entries.NONE if is_shift else entries.p_values(row.p, row.p_adjusted),
        entries.factor(row.pairing_factor, digits=1),
        Entry(words.share(row.differing)),
    )


def name_of(row: MeasureRow, d: ComparisonDocument) -> str:
    """Return the name of a row. The headline has the name of its measure."""
    return d.headline.measure if row is d.effects[0] else _in_words(row.name)


def _unclear(d: ComparisonDocument) -> Iterator[Lines]:
    """Yield a line for each reason why measures do not change significantly, with these measures.

    Pages show a verdict instead.
    """
    doubts = [(name_of(row, d), sentences.doubt(row.difference, row.p_adjusted, LINES)) for row in d.effects]
    for doubt in dict.fromkeys(doubt for _, doubt in doubts if doubt):
        names = words.listing([name for name, other in doubts if other == doubt])
        yield Lines((f"{words.sentence(doubt)}: {names}.",), ())


def how_paired(d: ComparisonDocument) -> Iterator[str]:
    """Yield notes on the pairing, the luck adjustment, and the use of a left-out option."""
    yield sentences.pairing(d.pairing_factor, d.differing, d.headline.measure)
    if d.luck_adjusted:
        yield luck.difference_line(d.luck_adjusted)
    if use := d.option_use:
        forced = f"; left out, still used {use.forced:.1f} times because no other action was legal"
        yield (
            f"used {use.free:.1f} times per game (in {use.games} replayed games)"
            f"{forced if use.forced else ''}"
        )
        if use.insisted:
            yield (
                f"left out, the policy still chose it {use.insisted:.1f} times per game, and a random action "
                "replaced it: to measure its worth, give the policy a weight that switches the action off"
            )
