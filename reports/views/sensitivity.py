"""Sensitivity of the result to scenario values: effects of values, and robustness of conclusions."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import Field

from bartizan.analyses.document import Document, optional
from bartizan.analyses.experiments.interactions import Interactions, TooFewSettings
from bartizan.analyses.experiments.sensitivity import (
    DUEL,
    FIRST_SEAT,
    HALF,
    LEVELS,
    METHOD,
    Conclusion,
    Influence,
    Sensitivity,
)
from bartizan.analyses.experiments.trials import Condition, Refused
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Figure, Lines, Table, Track, View
from bartizan.reports.document import PlayedDocument, setting_of
from bartizan.reports.figures import dots
from bartizan.reports.figures.theme import CLEAR, UNCLEAR
from bartizan.reports.text import banner, changes, differences, sentences, words
from bartizan.reports.views import interactions
from bartizan.simcore.scenario.loading import Scenario
from bartizan.simcore.scenario.parameters import is_guess

NAMED = 2  # cases that are named in a verdict
OPEN_WHICH = "some values affect the result, but these games do not show which is the most influential"
IDLE = 12  # named values without effect
MORE = "For mean effects and interactions of the most influential values, add --effects 6."
MOST, MOST_ROWS, LABEL = 15, 60, 100  # rows of the figure and of a page's table; letters of a label


# ---------------------------------------------------------------- the document


class Value(Document):
    path: str
    what: str
    value: Any
    confidence: str
    source: str


class Baseline(Document):
    measure: str
    headline: Interval
    turns: Interval


class Joint(Document):
    """The result if all values are drawn at once. se: median of the draws' standard errors.

    With truncated games, the minimum and q5 are lower limits, q95 and the maximum are upper limits, and q50
    is unknown.
    """

    draws: int
    min: float | None = optional()
    q5: float | None = optional()
    q50: float | None = optional()
    q95: float | None = optional()
    max: float | None = optional()
    se: float | None = optional()
    values: list[dict[str, Any]] = []  # draw, headline, changes, left_out


class SensitivityDocument(PlayedDocument):
    """Result of `sensitivity`, which is identical for any number of threads."""

    games: int
    seatings: int = 1
    range: float = 0.25
    sentence: str = ""
    baseline: Baseline | None = None
    knobs: list[Value] = []
    unvaried: list[Value] = []
    influences: list[Influence]
    unclear: list[str] = []  # paths without a significant variation
    never: list[str] = []  # paths whose variations changed no game
    never_said: str = ""
    joint: Joint = Joint(draws=0)
    effects: Interactions | TooFewSettings | None = None
    conclusions: list[Conclusion] = []
    refused: list[Refused] = []
    method: str
    shortened: str = Field(default="", exclude=True)  # shipped results: the keys that are left out

    @property
    def noun(self) -> str:
        """Noun for the varied values: `assumption` if all of them are assumptions, otherwise `number`."""
        guesses = all(is_guess(row.path, row.confidence) for row in self.influences)
        return "assumption" if guesses else "number"


def document(condition: Condition, s: Scenario, result: Sensitivity, spread: float) -> SensitivityDocument:
    game = condition.game
    first = result.line_up.names[0] if result.by_player else ""
    subject = sentences.headline(game.alike, game.roles_in(s), first)
    setting = setting_of(condition, s)
    source = f"seed {condition.seed}; {sentences.rests_on(s.assumed)}"
    conclusions = [
        conclusion.model_copy(
            update={"sentence": statement(conclusion, result.line_up.names), "verdict": verdict(conclusion)}
        )
        for conclusion in result.conclusions
    ]
    effects = result.interactions
    if effects:
        sentence = interactions.sentence(effects, subject, setting, source)
        effects = effects.model_copy(update={"sentence": sentence})
    draws = [
        {
            "draw": draw.case.draw,
            "headline": draw.headline.interval,
            "changes": dict(draw.case.changes),
            "left_out": list(draw.case.left_out),
        }
        for draw in result.draws
    ]
    return SensitivityDocument.about(
        "bartizan.sensitivity/1",
        condition,
        s,
        games=condition.games,
        seatings=len(result.line_up.cells),
        range=spread,
        sentence=_sentence(condition, result, subject, setting, source, conclusions),
        baseline=Baseline(
            measure=subject.rstrip(","), headline=result.headline.interval, turns=result.turns.interval
        ),
        knobs=[Value.model_validate(knob) for knob in result.knobs],
        unvaried=[Value.model_validate(knob) for knob in result.unvaried],
        influences=list(result.influences),
        unclear=[knob.path for knob in result.unclear],
        never=[knob.path for knob in result.never],
        never_said=differences.never(condition.games, words.listing(list(result.line_up.names))),
        joint=Joint(draws=len(draws), values=draws, **result.spread),
        effects=effects,
        conclusions=conclusions,
        refused=list(result.refused),
        method=METHOD,
    )


# ---------------------------------------------------------------- conclusions


def statement(conclusion: Conclusion, players: Sequence[str]) -> str:
    """Return the conclusion that the baseline supports, as a sentence."""
    kind, names, is_positive = conclusion.kind, conclusion.names, conclusion.is_positive
    if kind == HALF:
        return f"{players[0]} wins {'more' if is_positive else 'fewer'} than half of the games"
    if kind == FIRST_SEAT:
        return f"the first seat wins {'more' if is_positive else 'less'} than an equal share"
    if kind == LEVELS:
        easier, harder = names
        return f"{harder} is won {'less' if is_positive else 'more'} often than {easier}"
    better, other = names if is_positive else reversed(names)
    if kind == DUEL:
        return f"{better} wins more often than {other}"
    return f"the {words.plain(better)} player wins more often than the {words.plain(other)} player"


def verdict(conclusion: Conclusion) -> str:
    """Return whether the conclusion holds under all variations and joint draws, as text."""
    single, joint = conclusion.single, conclusion.joint
    looks = f"{words.many(single.looks, 'variation')}, {words.many(joint.looks, 'joint draw')}"
    if conclusion.stands:
        return f"holds under all variations ({looks})"
    parts = []
    if conclusion.is_open:
        parts.append("inconclusive in the baseline")
    elif conclusion.too_few_games:
        parts.append("holds in the baseline, but with too few games for this number of looks (--games)")
    if conclusion.overturned_by:
        parts.append(f"reversed by {_cases(conclusion.overturned_by)}")
    if not (conclusion.is_open or conclusion.too_few_games) and conclusion.open_under:
        parts.append(f"inconclusive under {_cases(conclusion.open_under)}")
    return f"{'; '.join(parts)} ({looks})"


def _cases(cases: Sequence[Mapping[str, Any]]) -> str:
    """Return variations and joint draws as text.

    For example: `card.ogre.count = 4, turn.draw = 3 and 5 more variations and 2 joint draws`.
    """
    single = [f"{case['path']} = {sentences.value(case['to'])}" for case in cases if "path" in case]
    draws, rest = len(cases) - len(single), len(single) - NAMED
    more = f" and {words.many(rest, 'more variation')}" if rest > 0 else ""
    variations = [f"{', '.join(single[:NAMED])}{more}"] if single else []
    return words.listing([*variations, *([words.many(draws, "joint draw")] if draws else [])])


# ---------------------------------------------------------------- the sentence


def _sentence(
    condition: Condition,
    result: Sensitivity,
    subject: str,
    setting: str,
    source: str,
    conclusions: Sequence[Conclusion],
) -> str:
    """Return the finding as a sentence.

    It states the largest effect, the number of values without a significant effect, the range over the joint
    draws (if any), the first conclusion (if any), and the number of games.
    """
    parts = [
        _largest(result, subject),
        _unclear(len(result.unclear), len(result.knobs), len(result.influences)),
    ]
    if result.draws:
        draws = words.many(len(result.draws), "draw")
        of_draws = [draw.headline.interval for draw in result.draws]
        parts.append(f"with all varied at once ({draws}), it {_range(of_draws, result.spread)}")
    parts += [f"{conclusion.sentence}: {conclusion.verdict}" for conclusion in conclusions[:1]]
    seatings = len(result.line_up.cells)
    each = f"in each of {seatings} seatings" if seatings > 1 else "each"
    looked_at = len(result.influences)
    intervals = (
        words.together(result.influences[0].headline.quoted, looked_at, "variations") if looked_at else ""
    )
    sure = ", ".join(
        filter(None, (f"{words.many(condition.games, 'game')} {each}", "paired game by game", intervals))
    )
    return f"{setting}: {'; '.join(parts)} ({sure}, {source})."


def _range(draws: Sequence[Interval], spread: Mapping[str, float | None]) -> str:
    """Return the range of the headline over the joint draws as a predicate."""
    least, most = spread["min"] or 0.0, spread["max"] or 0.0
    if least == most and least in (0, 1):
        return f"is {words.share(max(draws, key=lambda draw: draw.half_width))} in each"
    low, high = (words.number(end * 100, 1) for end in (least, most))
    bounds = " (bounds over truncated games)" if any(draw.is_bounds for draw in draws) else ""
    return f"ranges from {low} to {high}{words.NBSP}%{bounds}"


def _unclear(unclear: int, values: int, variations: int) -> str:
    """Return the number of values without a significant effect, as text."""
    adjusted = f"(adjusted for all {words.many(variations, 'variation')})"
    if not unclear:
        return f"every value has a significant effect {adjusted}"
    have = "has" if unclear == 1 else "have"
    return f"{words.count(unclear)} of {words.many(values, 'value')} {have} no significant effect {adjusted}"


def _largest(result: Sensitivity, subject: str) -> str:
    clear = [influence for influence in result.influences if influence.is_clear]
    if not clear:
        return f"no single value changes {subject} significantly"
    top = next((influence for influence in clear if influence.headline.is_quotable), None)
    first = top or clear[0]
    change = (
        f"with {sentences.value(first.to)} instead of {sentences.value(first.from_)}, {subject} "
        f"{_by(first.headline.quoted)}"
    )
    if top:
        return f"{top.what} is the most influential value: {change}"
    return f"{OPEN_WHICH}; the largest estimate is for {first.what}: {change}"


def _by(difference: Interval) -> str:
    """Return a change with a significant adjusted p-value as a predicate, such as `rises by ...`.

    Its simultaneous interval may still include 0.
    """
    return f"{'rises' if difference.estimate > 0 else 'falls'} by {differences.size(difference, least=1)}"


# ---------------------------------------------------------------- blocks


def view(d: SensitivityDocument, top: int | None = None, is_of_games: bool = True) -> View:
    """Return the view of a result.

    top: number of rows of the table on a terminal; None for a page. is_of_games: whether the result has the
    rules and numbers of the page's games.
    """
    asked = (
        f"Change of the {banner.subject(d.policies)} in percentage points, {words.many(d.games, 'game')} "
        f"each, with {_intervals(d)}."
    )
    if not is_of_games:
        asked += (
            f" These numbers or rules differ from those of the games above: scenario {d.scenario_hash}, "
            f"behaviour {d.behaviour}."
        )
    each = (
        f"Each {d.noun} is changed by itself, paired game by game. Grey: not significant after adjustment "
        "for all of them."
    )
    title = f"Effect of single {d.noun}s on the result"
    conclusions = tuple(f"{words.sentence(row.sentence)}: {row.verdict}." for row in d.conclusions)
    blocks = (_table(d, top, title, asked), _figure(d), Lines((*conclusions, *_rest(d)), conclusions))
    method = (f"Effect of {d.noun}s", f"{d.method}.")
    never = [f"{words.count(len(d.never))} of the values {d.never_said}."] if d.never else []
    caption = " ".join([asked, each, *_all_at_once(d), *never])
    left_out = max(min(len(d.influences), MOST_ROWS) - MOST, 0)
    return View(d.sentence, blocks, method, title, caption, left_out=left_out)


def _intervals(d: SensitivityDocument) -> str:
    if not d.influences:
        return f"{words.CONFIDENCE} intervals"
    first = d.influences[0].headline.quoted
    looked_at = len(d.influences)
    if words.is_together(first) or not d.shortened:
        return words.together(first, looked_at, "variations")
    return f"{words.CONFIDENCE} intervals, not adjusted for choosing the largest"


def _all_at_once(d: SensitivityDocument) -> Iterator[str]:
    if d.joint.q5 is not None:
        low, high = (words.number((end or 0) * 100, 1) for end in (d.joint.q5, d.joint.q95))
        yield (
            f"If all of them are drawn at once, {_median(d.joint, 'the median is ', ' and ')}"
            f"90{words.NBSP}% of draws are between {low} and {high}{words.NBSP}%{_bounds(d.joint)}."
        )


def _median(joint: Joint, before: str, after: str) -> str:
    return "" if joint.q50 is None else f"{before}{words.percent(joint.q50)}{after}"


def _bounds(joint: Joint) -> str:
    """Return the note on truncated games, which leave the median unknown."""
    return " (truncated games count as lost in lower limits, and as won in upper ones)" * (joint.q50 is None)


def _figure(d: SensitivityDocument) -> Figure:
    rows = [_dot(influence) for influence in d.influences[:MOST]]
    is_cut = len(d.influences) > len(rows)
    heading = f"The {len(rows)} most influential changes" if is_cut else "All changes"
    clear = sum(influence.is_clear for influence in d.influences)
    heading += f"; {clear} of {len(d.influences)} {'is' if clear == 1 else 'are'} significant"
    return Figure(heading, dots.differences(rows, differences.POINTS))


def _dot(influence: Influence) -> Track:
    move, alone = influence.headline.quoted.scaled(100), influence.headline.difference
    colour = CLEAR if influence.is_clear and not alone.low <= 0 <= alone.high else UNCLEAR
    point = dots.mark(move, colour)
    # shortened, but always with the new value; the table has the complete text
    label = changes.said(influence.change)
    if len(label) > LABEL:
        becomes = dots.shorten(changes.value(influence.to), LABEL // 2)
        label = f"{dots.shorten(changes.named(influence.change), LABEL - len(becomes) - 2)}: {becomes}"
    return dots.row(label, differences.numbers(move, 1), (point,))


def _table(d: SensitivityDocument, top: int | None, title: str, caption: str) -> Table:
    heading, more, most = "", "", MOST_ROWS if top is None else top
    if (rest := len(d.influences) - most) > 0:
        if top is None:
            caption += f" The table has the {most} largest of {len(d.influences)}; the data have all of them."
        else:
            more = f"and {words.count(rest)} smaller ones (--top, --json)"
    if d.baseline:
        rate = words.share_with_limits(d.baseline.headline)
        heading = (
            f"Baseline: {d.baseline.measure} {rate}, {words.number(d.baseline.turns.estimate, 1)} "
            f"{d.turn_name}s. Effect of each change by itself, largest first:"
        )
    headers = (
        words.title(d.noun),
        "From",
        "To",
        "Effect",
        words.title(f"{d.turn_name}s"),
        "p (adjusted)",
        "",
    )
    rows = tuple(_row(influence) for influence in d.influences[:most])
    return Table(title, caption, headers, rows, more, heading)


def _row(influence: Influence) -> tuple[Entry, ...]:
    move, turns = influence.headline.quoted, influence.turns
    unsure = sentences.doubt(influence.headline.difference, influence.p_adjusted, "all variations")
    return (
        Entry(changes.named(influence.change), influence.path),
        Entry(changes.value(influence.from_)),
        Entry(changes.value(influence.to)),
        Entry("changed no game") if influence.is_idle else entries.points(move),
        Entry(words.signed(turns.difference.estimate, 1)) if turns else entries.NONE,
        entries.p_values(influence.p, influence.p_adjusted),
        Entry("" if influence.is_idle else unsure),
    )


def _rest(d: SensitivityDocument) -> Iterator[str]:
    """Yield lines on the range over joint draws, and on values without effect, not varied, or rejected."""
    joint = d.joint
    if joint.q5 is not None:
        least, most, low, high = (
            words.percent(value or 0) for value in (joint.min, joint.max, joint.q5, joint.q95)
        )
        error = f"; standard error of one draw {words.percent(joint.se)}" if joint.se else ""
        yield (
            f"All varied at once, {words.many(joint.draws, 'draw')}: from {least} to {most}, "
            f"{_median(joint, 'median ', ', ')}90{words.NBSP}% between {low} and {high}{error}"
            f"{_bounds(joint)}."
        )
    if idle := sum(influence.is_idle for influence in d.influences):
        yield f"{words.many(idle, 'variation')} changed no game."
    if d.never:
        named, more = d.never[:IDLE], len(d.never) - IDLE
        rest = f" and {words.count(more)} more (--json)" if more > 0 else ""
        yield f"{words.title(d.never_said)}: {', '.join(named)}{rest} (see bartizan coverage)."
    if paths := [value.path for value in d.unvaried]:
        yield (
            f"{words.many(len(paths), 'value')} cannot be varied (names, text, empty lists): "
            f"{', '.join(paths[:NAMED])}{', ...' if len(paths) > NAMED else ''}."
        )
    if d.refused:
        first = [f"{row.path} = {sentences.value(row.to)} ({row.reason})" for row in d.refused[:NAMED]]
        more = len(d.refused) - len(first)
        others = [f"and {words.count(more)} more (--json)"] if more else []
        yield f"Rejected: {'; '.join([*first, *others])}"
