"""Which numbers move the result: the sentence first, then influences, then which conclusions stand."""

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

NAMED = 2  # cases that a verdict names
OPEN_WHICH = "some values move the result, but these games do not show which moves it most"
IDLE = 12  # values that never came up, by name
MORE = "What the most influential do on average over each other, and what only together: --effects 6."
MOST, MOST_ROWS, LABEL = 15, 60, 100  # in the picture, in the table of a page; letters of a label


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
    """The headline under draws of all values at once; se: the median standard error of a draw."""

    draws: int
    min: float | None = optional()
    q5: float | None = optional()
    q50: float | None = optional()
    q95: float | None = optional()
    max: float | None = optional()
    se: float | None = optional()
    values: list[dict[str, Any]] = []  # draw, headline, changes, left_out


class SensitivityDocument(PlayedDocument):
    """Nothing in it depends on time or threads."""

    games: int
    seatings: int = 1
    range: float = 0.25
    sentence: str = ""
    baseline: Baseline | None = None
    knobs: list[Value] = []
    unvaried: list[Value] = []
    influences: list[Influence]
    unclear: list[str] = []  # paths of which no variation is distinguishable from zero
    never: list[str] = []  # paths of which no variation changed a game
    never_said: str = ""
    joint: Joint = Joint(draws=0)
    effects: Interactions | TooFewSettings | None = None
    conclusions: list[Conclusion] = []
    refused: list[Refused] = []
    method: str
    shortened: str = Field(default="", exclude=True)  # of a document that ships: what it leaves out

    @property
    def noun(self) -> str:
        """What was varied: only guesses, or other numbers too."""
        guesses = all(is_guess(row.path, row.confidence) for row in self.influences)
        return "guess" if guesses else "number"


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
    """The conclusion as the baseline has it."""
    kind, names, is_positive = conclusion.kind, conclusion.names, conclusion.is_positive
    if kind == HALF:
        return f"{players[0]} wins {'more' if is_positive else 'fewer'} than half of the games"
    if kind == FIRST_SEAT:
        return f"the first seat wins {'more' if is_positive else 'less'} than its fair share"
    if kind == LEVELS:
        easier, harder = names
        return f"{harder} is won {'less' if is_positive else 'more'} often than {easier}"
    better, other = names if is_positive else reversed(names)
    if kind == DUEL:
        return f"{better} wins more often than {other}"
    return f"the {words.plain(better)} player wins more often than the {words.plain(other)} player"


def verdict(conclusion: Conclusion) -> str:
    """How a conclusion fares, in words."""
    single, joint = conclusion.single, conclusion.joint
    looks = f"{words.many(single.looks, 'variation')}, {words.many(joint.looks, 'joint draw')}"
    if conclusion.stands:
        return f"stands whatever they are ({looks})"
    parts = []
    if conclusion.is_open:
        parts.append("open as the numbers are now")
    elif conclusion.too_few_games:
        parts.append("stands as the numbers are now, but on too few games to be looked at so often (--games)")
    if conclusion.overturned_by:
        parts.append(f"overturned by {_cases(conclusion.overturned_by)}")
    if not (conclusion.is_open or conclusion.too_few_games) and conclusion.open_under:
        parts.append(f"open under {_cases(conclusion.open_under)}")
    return f"{'; '.join(parts)} ({looks})"


def _cases(cases: Sequence[Mapping[str, Any]]) -> str:
    """`card.ogre.count = 4, turn.draw = 3 and 5 more variations, and 2 joint draws`"""
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
    """What moves the result most, how many do not, what all of them do, what stands; n, method, seed."""
    parts = [
        _largest(result, subject),
        _unclear(len(result.unclear), len(result.knobs), len(result.influences)),
    ]
    if result.draws:
        low, high = (result.spread[end] * 100 for end in ("min", "max"))
        parts.append(
            f"all varied at once ({words.many(len(result.draws), 'draw')}) it runs from {low:.1f} to "
            f"{high:.1f}{words.NBSP}%"
        )
    parts += [f"{conclusion.sentence}: {conclusion.verdict}" for conclusion in conclusions[:1]]
    seatings = len(result.line_up.cells)
    each = f"in each of {seatings} seatings" if seatings > 1 else "each"
    looked_at = len(result.influences)
    intervals = (
        words.together(result.influences[0].headline.quoted, looked_at, "variations") if looked_at else ""
    )
    sure = ", ".join(
        filter(None, (f"{words.count(condition.games)} games {each}", "paired on common luck", intervals))
    )
    return f"{setting}: {'; '.join(parts)} ({sure}, {source})."


def _unclear(unclear: int, values: int, variations: int) -> str:
    are = "is" if unclear == 1 else "are"
    return (
        f"{words.count(unclear)} of {words.many(values, 'value')} {are} not distinguishable from zero, "
        f"adjusted for all {words.many(variations, 'variation')}"
    )


def _largest(result: Sensitivity, subject: str) -> str:
    clear = [influence for influence in result.influences if influence.is_clear]
    if not clear:
        return f"no single value moves {subject} by an amount that is distinguishable from zero"
    top = next((influence for influence in clear if influence.headline.is_quotable), None)
    first = top or clear[0]
    change = (
        f"with {sentences.value(first.to)} instead of {sentences.value(first.from_)} {subject} "
        f"{_by(first.headline.quoted)}"
    )
    if top:
        return f"{top.what} moves the result most: {change}"
    return f"{OPEN_WHICH}; the largest estimate is that of {first.what}: {change}"


def _by(difference: Interval) -> str:
    """Of a move that is clear by adjusted p. Its interval holds for all variations, so it may include 0."""
    return f"{'rises' if difference.estimate > 0 else 'falls'} by {differences.size(difference, least=1)}"


# ---------------------------------------------------------------- blocks


def view(d: SensitivityDocument, top: int | None = None, is_of_games: bool = True) -> View:
    """top: rows of the table at a terminal; None: of a page. is_of_games: made by the rules and with the
    numbers of the games beside which a report shows it.
    """
    asked = (
        f"Percentage points by which the {banner.subject(d.policies)} moves, {words.count(d.games)} games "
        f"each, with {_intervals(d)}."
    )
    if not is_of_games:
        asked += (
            f" Not the numbers or rules of the games above: scenario {d.scenario_hash}, behaviour "
            f"{d.behaviour}."
        )
    each = (
        f"Each {d.noun} is changed by itself, game by game on common luck; grey: not distinguishable "
        "from zero once adjusted for all of them."
    )
    title = (
        "How far the guesses move the result"
        if d.noun == "guess"
        else "How far single numbers move the result"
    )
    conclusions = tuple(f"{words.sentence(row.sentence)}: {row.verdict}." for row in d.conclusions)
    blocks = (_table(d, top, title, asked), _figure(d), Lines((*conclusions, *_rest(d)), conclusions))
    method = (f"What a {d.noun} moves", f"{d.method}.")
    never = [f"{words.count(len(d.never))} of them {d.never_said}."] if d.never else []
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
    return f"{words.CONFIDENCE} intervals, each by itself: not adjusted for choosing the largest of all"


def _all_at_once(d: SensitivityDocument) -> Iterator[str]:
    ends = (d.joint.q5, d.joint.q50, d.joint.q95)
    if None not in ends:
        low, middle, high = (words.number((end or 0) * 100, 1) for end in ends)
        yield (
            f"With all of them drawn at once it is {middle}{words.NBSP}% in the median and lies between "
            f"{low} and {high}{words.NBSP}% nine times in ten."
        )


def _figure(d: SensitivityDocument) -> Figure:
    rows = [_dot(influence) for influence in d.influences[:MOST]]
    is_cut = len(d.influences) > len(rows)
    heading = f"The {len(rows)} changes that move it most" if is_cut else "Every change looked at"
    clear = sum(influence.is_clear for influence in d.influences)
    heading += f"; {clear} of {len(d.influences)} are distinguishable from zero"
    return Figure(heading, dots.differences(rows, differences.POINTS))


def _dot(influence: Influence) -> Track:
    move, alone = influence.headline.quoted.scaled(100), influence.headline.difference
    colour = CLEAR if influence.is_clear and not alone.low <= 0 <= alone.high else UNCLEAR
    point = dots.mark(move, colour)
    # as much of the change as there is room for, always with what it becomes; all of it is in the table
    label = changes.said(influence.change)
    if len(label) > LABEL:
        becomes = dots.shorten(changes.value(influence.to), LABEL // 2)
        label = f"{dots.shorten(changes.named(influence.change), LABEL - len(becomes) - 2)}: {becomes}"
    return dots.row(label, differences.numbers(move, 1), (point,))


def _table(d: SensitivityDocument, top: int | None, title: str, caption: str) -> Table:
    heading, more, most = "", "", MOST_ROWS if top is None else top
    if (rest := len(d.influences) - most) > 0:
        if top is None:
            caption += f" The first {most} of {len(d.influences)}, largest first; the others are in the data."
        else:
            more = f"and {words.count(rest)} smaller ones (--top, --json)"
    if d.baseline:
        rate = words.share_with_limits(d.baseline.headline)
        heading = (
            f"As it is: {d.baseline.measure} {rate}, {d.baseline.turns.estimate:.1f} {d.turn_name}s. What "
            "each change does by itself, largest first:"
        )
    headers = (
        words.title(d.noun),
        "From",
        "To",
        "Moves it by",
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
        Entry("never came up") if influence.is_idle else entries.points(move),
        Entry(words.signed(turns.difference.estimate, 1)) if turns else entries.NONE,
        entries.p_values(influence.p, influence.p_adjusted),
        Entry("" if influence.is_idle else unsure),
    )


def _rest(d: SensitivityDocument) -> Iterator[str]:
    """What all do at once, what was not varied, and how to read it all."""
    joint = d.joint
    if joint.q5 is not None:
        least, most, median, low, high, se = (
            words.percent(value or 0)
            for value in (joint.min, joint.max, joint.q50, joint.q5, joint.q95, joint.se)
        )
        yield (
            f"All varied at once, {words.many(joint.draws, 'draw')}: from {least} to {most}, median "
            f"{median}, nine in ten between {low} and {high}; one draw is known to {se} (standard error)."
        )
    idle = sum(influence.is_idle for influence in d.influences)
    unclear = _unclear(len(d.unclear), len(d.knobs), len(d.influences))
    yield f"{unclear}; {words.many(idle, 'variation')} changed no game at all."
    if d.never:
        named, more = d.never[:IDLE], len(d.never) - IDLE
        rest = f" and {words.count(more)} more (--json)" if more > 0 else ""
        yield f"{words.title(d.never_said)}: {', '.join(named)}{rest} (bartizan coverage says more)."
    if paths := [value.path for value in d.unvaried]:
        yield (
            f"No rule varies {words.many(len(paths), 'value')} (names, text, empty lists): "
            f"{', '.join(paths[:NAMED])}{', ...' if len(paths) > NAMED else ''}"
        )
    if d.refused:
        first = [f"{row.path} = {sentences.value(row.to)} ({row.reason})" for row in d.refused[:NAMED]]
        more = len(d.refused) - len(first)
        yield f"Refused: {'; '.join([*first, *([f'and {words.count(more)} more (--json)'] if more else [])])}"
