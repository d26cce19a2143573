"""A change against its baseline: what moves, by how much, how sure; and several changes, one by one."""

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import Any

from pydantic import Field

from bartizan.analyses.document import Document, optional
from bartizan.analyses.experiments.coverage import OptionUse
from bartizan.analyses.experiments.luck_adjustment import AdjustedDifference
from bartizan.analyses.records.comparison import LENGTH, ChangedGames, Compared, EffectRow
from bartizan.analyses.records.quantities import score_names
from bartizan.analyses.records.tally import reporting_of
from bartizan.analyses.statistics.intervals import CONFIDENCE, Interval
from bartizan.analyses.statistics.paired import Effect, Measure
from bartizan.analyses.statistics.testing import ALPHA, holm, jointly
from bartizan.reports import entries
from bartizan.reports.blocks import (
    Block,
    Chart,
    ChartMark,
    Entry,
    Figure,
    Lines,
    Shape,
    Table,
    Track,
    View,
    share_mark,
)
from bartizan.reports.document import ONLY, Looked
from bartizan.reports.figures import dots
from bartizan.reports.figures.theme import CLEAR, UNCLEAR
from bartizan.reports.text import changes, differences, sentences, words
from bartizan.reports.views import luck
from bartizan.simcore.scenario.changes import together

STEP_MEANS = ("turn", "score")  # of a table of steps
MOVED = 3  # measures that a sentence names
LINES = "all lines"  # that an answer's p is adjusted for
PAIRED = (
    f"The same game numbers on both sides, paired game by game; {words.CONFIDENCE} intervals, p adjusted for "
    "all lines (Benjamini and Hochberg 1995)."
)
STEPS = (
    "Steps between editions",
    "each change by itself against the same base, paired game by game on common luck; p adjusted for all "
    "steps (Holm 1979).",
)

# ---------------------------------------------------------------- documents


class Headline(Document):
    measure: str
    a: Interval
    b: Interval


class MeasureRow(EffectRow):
    """A line of the comparison; the first is the headline."""

    name: str

    @property
    def is_moved(self) -> bool:
        return (self.p_adjusted or 0.0) < ALPHA and not self.difference.low <= 0 <= self.difference.high


class MeasuredChange(Document):
    """What a change does: the part that a comparison and a step have in common."""

    difference: Interval  # of the headline
    is_clear: bool  # p adjusted for all lines, or of a step for all steps
    p: float
    pairing_factor: float | None
    headline: Headline
    effects: list[MeasureRow]
    changed_games: ChangedGames | None = None  # older documents do not say
    # of one of several: the difference with an interval that holds together with theirs
    joint: Interval | None = optional()

    @property
    def quoted(self) -> Interval:
        """As it may be quoted whichever of several leads; by itself in documents of earlier versions."""
        return self.joint or self.difference

    @property
    def is_idle(self) -> bool:
        """Did it change no game at all?"""
        return self.changed_games is not None and self.changed_games.is_none


class TwoSides(Document):
    """What was compared. a, b: documents of the games of either side."""

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
        return max(side["assumed"] for side in self.sides)

    @property
    def assumptions(self) -> list[str]:
        """Those of both sides, each once."""
        return list(dict.fromkeys(line for side in self.sides for line in side["assumptions"]))


def fields_of(sides: Sequence[dict], change: list[dict], subject: str, effect: Effect) -> dict[str, Any]:
    """What every document of two sides holds. subject, effect: of the headline."""
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


def setting_of(a: Mapping, change: Sequence[Mapping], players: Sequence[str], levels: bool) -> str:
    """What was played on both sides: who and at which level are said unless they are what is changed."""
    paths = {row["path"] for row in change}
    who_plays = " vs ".join(players) if "policy" not in paths else ""
    level = a["difficulty"] if levels and "difficulty" not in paths else ""
    return changes.titled(a, who_plays, level)


class ComparisonDocument(Looked, MeasuredChange, TwoSides):
    """Of either side `rotations` too, where there are several seatings."""

    moved: list[str] = []
    n: int
    by_player: bool = False
    paired: bool
    option_use: OptionUse | None = optional()
    luck_adjusted: AdjustedDifference | None = optional()


class StepComparison(MeasuredChange):
    title: str
    set: dict[str, Any]
    p_adjusted: float = 1.0

    @property
    def doubt(self) -> str:
        return sentences.doubt(self.difference, self.p_adjusted, "all steps")

    def effect(self, measure: str) -> Interval | None:
        return next((row.difference for row in self.effects if row.measure == measure), None)


class StepsDocument(Looked):
    schema_: str = Field(alias="schema")
    game: str
    title: str
    changes: list[dict[str, Any]] = []
    n: int
    seed: int
    sentence: str = ""
    a: dict[str, Any]
    steps: list[StepComparison]  # the last is all of them together
    banner: dict[str, Any] | None = optional()


def document(
    result: Compared,
    sides: Sequence[dict],
    change: list[dict],
    alike: bool,
    levels: bool,
    use: OptionUse | None,
    of: int = 1,
    level: float = CONFIDENCE,
    looks: Mapping[str, Any] | None = None,
) -> ComparisonDocument:
    """sides: documents of both; levels: does a sentence about this game have to say at which it was played?
    use: of an option that is left out; of: comparisons that are judged together; level: of what this
    look decides; looks: fields of `Looked`.
    """
    a, b = sides
    roles = tuple(policy["role"] for policy in result.base.cells[0].policies)
    subject = _subject_of(result, alike, roles)
    return ComparisonDocument(
        schema="bartizan.compare/1",
        **fields_of(sides, change, subject, result.headline),
        sentence=_sentence(result, a, b, change, levels, use, alike, roles),
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


def steps_document(
    compared: Sequence[tuple[str, dict, ComparisonDocument]],
    level: float = CONFIDENCE,
    looks: Mapping[str, Any] | None = None,
) -> StepsDocument:
    """compared: title, values and comparison of each step; the last is all of them together. level, looks: as
    in `document`.
    """
    adjusted = holm([min(one.p * (1 - CONFIDENCE) / (1 - level), 1.0) for *_, one in compared])
    rows = [
        StepComparison(
            title=title,
            set=values,
            p_adjusted=p,
            **{key: getattr(one, key) for key in MeasuredChange.model_fields if key != "is_clear"},
            is_clear=p < ALPHA,
        )
        for (title, values, one), p in zip(compared, adjusted, strict=True)
    ]
    last = compared[-1][2]
    document = StepsDocument(
        schema="bartizan.steps/1",
        game=last.game,
        title=last.title,
        changes=last.changes,
        n=last.n,
        seed=last.seed,
        a=last.a,
        steps=rows,
        banner=together([last.a["banner"]] if "banner" in last.a else []),
        **(looks or {}),
    )
    return document.model_copy(update={"sentence": _steps_sentence(document)})


# ---------------------------------------------------------------- the sentence of a comparison


def _sentence(
    result: Compared,
    a: Mapping,
    b: Mapping,
    change: Sequence[Mapping],
    levels: bool,
    use: OptionUse | None,
    alike: bool,
    roles: Sequence[str],
) -> str:
    """What was changed, by how many percentage points, interval, n, method, what is assumed."""
    setting = setting_of(a, change, result.base.names, levels)
    changed = words.listing([changes.instead(row) for row in change])
    rests = sentences.rests_on(max(a["assumed"], b["assumed"]))
    if result.touched and result.touched.is_none:
        is_of_players = any(row["path"] == "policy" for row in change)
        players = "" if is_of_players else words.listing(list(result.base.names))
        same = _same(result.touched.of, players)
        return f"{setting}: with {changed} {same}, seed {a['seed']}); {rests}."
    verdict, interval = _verdict(result, change, changed, alike, roles)
    if use and use.forced:
        verdict += (
            "; but it still had to be done where nothing else was legal, so this is not the whole worth"
        )
    seatings = len(result.base.cells)
    turned = f", {seatings} seatings each" if seatings > 1 else ""
    pairing = (
        "paired on common luck"
        if result.paired
        else "the sides taken as independent, since pairing on common luck did not help"
    )
    sure = (
        f"{words.level(interval.level)} interval, {interval.method}, {pairing}, "
        f"{words.count(result.games)} games a side{turned}, seed {a['seed']}"
    )
    return f"{setting}: {verdict} ({sure}); {rests}."


def _verdict(
    result: Compared, change: Sequence[Mapping], changed: str, alike: bool, roles: Sequence[str]
) -> tuple[str, Interval]:
    """What is said, and the interval that it rests on: of the headline, but where that says little."""
    subject, moved = _subject_of(result, alike, roles), _moved_effects(result)
    ends = " to ".join(words.share(side.interval) for side in (result.headline.base, result.headline.changed))
    if kinds := change[0].get("lacks") if len(change) == 1 else None:
        without = f"without {'it' if len(kinds) == 1 else 'them'} {subject} goes from {ends}"
        worth = _worth(result.difference, result.is_clear, kinds, result.base.names[0])
        return f"{worth}; {without}", result.difference
    if _says_little(result, alike):
        interval = moved[0].difference.interval if moved else result.difference
        return f"with {changed} {_what_moved(result)}", interval
    return (
        f"with {changed} {subject} {differences.moves(result.difference, result.is_clear, LINES)}, "
        f"from {ends}",
        result.difference,
    )


def _same(games: int, players: str) -> str:
    """Of a change that changed no game; no players: they are what is changed, and both play alike."""
    came_up = f": it {differences.never(games, players)}" if players else ""
    played = f"{words.count(games)} games a side, paired on common luck"
    return f"every game is the same{came_up} ({differences.below(games)}; {played}"


def _subject_of(result: Compared, alike: bool, roles: Sequence[str]) -> str:
    """Whose share the headline is, as the subject of a sentence."""
    first = [side.names[0] for side in (result.base, result.changed)] if result.by_player else []
    return sentences.headline(alike, roles, *first)


def _says_little(result: Compared, alike: bool) -> bool:
    """Does the headline say little of what a change does?

    The first seat's share in a game of alike seats: a change that is the same for everybody hardly moves it.
    A game that always ends alike: only its length can differ.
    """
    ends = {side.interval.estimate for side in (result.headline.base, result.headline.changed)}
    return (alike and not result.by_player) or ends in ({0.0}, {1.0})


def _moved_effects(result: Compared) -> list[Effect]:
    """The measures that a change moves distinguishably from zero, p adjusted for all of them; the clearest
    first.
    """
    clear = [
        effect
        for effect in result.effects
        if effect.is_significant and not _mirrors_the_first(effect, result)
    ]
    return sorted(clear, key=lambda effect: -abs(effect.difference.ses or inf))


def _mirrors_the_first(effect: Effect, result: Compared) -> bool:
    """Of two seats one says what the other does."""
    return effect.measure.kind == "seat" and effect.measure.name == "1" and result.base.seats == 2


def _effect_name(effect: Effect, result: Compared) -> str:
    """As the lines of a comparison are called: the first is the headline."""
    return _measure(effect.measure, result) if effect is not result.effects[0] else "win rate"


def _what_moved(result: Compared) -> str:
    """`turns −3.5 (−3.8 to −3.2), from 24.1 to 20.6`; where nothing moves: what would have been seen."""
    clear = _moved_effects(result)
    if clear:
        return words.listing([_moved(effect, result) for effect in clear[:MOVED]])
    others = [effect for effect in result.effects if not _mirrors_the_first(effect, result)]
    seen = words.listing(
        [f"{_measure(effect.measure, result)} by {_least_seen(effect)}" for effect in others]
    )
    chance = f"; a change of {seen} would have been seen four times in five" if seen else ""
    return f"no measure moves distinguishably from zero{chance}"


def _moved(effect: Effect, result: Compared) -> str:
    scale, unit = (1, "") if effect.measure.kind == "column" else (100, f"{words.NBSP}%")
    difference = effect.joint or effect.difference.interval  # the clearest of several
    estimate, limits = words.change(difference, scale, least=1)
    digits = max(words.digits_for(difference.half_width * scale), 1)
    ends = " to ".join(
        f"{words.number(side.interval.estimate * scale, digits)}{unit}"
        for side in (effect.base, effect.changed)
    )
    by = estimate if scale == 1 else differences.points(estimate)
    return f"{_measure(effect.measure, result)} {by} ({limits}), from {ends}"


def _least_seen(effect: Effect) -> str:
    """The change that a test at 5 % would find with a chance of 80 %: 2.8 standard errors; where no game
    differs, the end of the interval.
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
    """`escape is worth 3.1 percentage points (2.5 to 3.7) to garrison`: the value of an option is what is
    lost without it (Jaffe et al. 2012).
    """
    option = words.listing([kind.replace("_", " ") for kind in kinds])
    gain = differences.reversed_(difference)
    if not is_clear:
        adjusted = "" if gain.low <= 0 <= gain.high else f" once adjusted for {LINES}"
        return (
            f"these games do not show that {option} {'is' if len(kinds) == 1 else 'are'} worth anything to "
            f"{who}{adjusted}: {differences.signed(gain, least=1)}"
        )
    size = differences.size(gain, least=1)
    are, costs = ("is", "costs") if len(kinds) == 1 else ("are", "cost")
    return f"{option} {are} worth {size} to {who}" if gain.estimate > 0 else f"{option} {costs} {who} {size}"


def _measure(measure: Measure, result: Compared) -> str:
    """The name of its line."""
    cell = result.base.cells[0]
    if measure.kind == "seat":
        return f"{words.plain(cell.policies[int(measure.name)]['role'])} seat wins"
    if measure.kind == "policy":
        return f"{measure.name} wins a seat"
    if measure.name == LENGTH:
        return f"{reporting_of(cell).time}s"
    return score_names(cell).get(measure.name, measure.name)


# ---------------------------------------------------------------- a comparison, in blocks


def view(d: ComparisonDocument) -> View:
    blocks: list[Block] = [] if d.is_idle else [chart(d), effects_table(d), *_unclear(d)]
    if all(side.get("is_one_game") for side in d.sides):  # older documents do not say
        blocks.insert(0, Lines((sentences.one_game(d.n, each=True),)))
    return View(d.sentence, (*blocks, Lines(tuple(how_paired(d)))), ("", ""))


def chart(d: ComparisonDocument) -> Chart:
    """Before and after, with the paired difference: of every share of games; where they say nothing, of the
    mean that moves most clearly.
    """
    shares = [
        row for row in d.effects if row.is_share and not {row.base.estimate, row.changed.estimate} <= {0, 1}
    ]
    means = [row for row in d.effects if not row.is_share]
    moved = [row for row in sorted(means, key=lambda row: row.p) if row.is_moved]
    says_little = d.headline.measure == sentences.headline(True, ()) and not any(r.is_moved for r in shares)
    rows = (moved[:1] if says_little else []) or shares or means[:1] or d.effects[:1]
    title, first = "Every game is the same, before and after.", rows[0]
    if not d.is_idle:
        ends = f"from {side_text(first, first.base)} to {side_text(first, first.changed)}"
        moves = differences.moves(first.difference, first.is_moved, LINES)
        if not first.is_share:
            by = "moves by" if first.is_moved else f"{differences.unclear(first.difference, LINES)}:"
            moves = f"{by} {_by(first)}"
        title = f"{words.title(name_of(first, d))} {moves}, {ends}."
    drawn = [side.drawn for row in rows for side in (row.base, row.changed)]
    axis = (0.0, 1.0) if first.is_share else _scale(drawn)
    unit = "of the games" if first.is_share else name_of(first, d)
    return Chart(title, tuple(_track(row, d) for row in rows), unit, axis, first.is_share)


def _scale(drawn: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Ends that hold 0 and all intervals, with room beyond those; at 0 itself the scale ends."""
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
        else ChartMark(name, side, side_text(row, side), f"{words.level(side.level)} {side.method}", shape)
        for name, side, shape in sides
    ]
    return Track(words.title(name_of(row, d)), tuple(marks), _by(row))


def _by(row: MeasureRow) -> str:
    """`+24.5 percentage points (+23.0 to +26.0)`: paired, game by game."""
    text, limits = words.change(row.difference, row.scale, least=1)
    return f"{differences.points(text) if row.is_share else text} ({limits})"


def effects_table(d: ComparisonDocument) -> Table:
    headers = (
        *("Measure", "Games a side", "Before", "After", "Difference"),
        *("p (adjusted)", "Pairing factor", "Games that differ"),
    )
    rows = tuple(_row(row, d) for row in d.effects)
    return Table("Paired differences", PAIRED, headers, rows, heading=PAIRED)


def _row(row: MeasureRow, d: ComparisonDocument) -> tuple[Entry, ...]:
    text, limits = words.change(row.difference, row.scale, least=1)
    unit = f" {differences.PP}" if row.is_share else ""
    return (
        Entry(words.title(name_of(row, d))),
        entries.count(row.n),
        Entry(side_text(row, row.base)),
        Entry(side_text(row, row.changed)),
        Entry(f"{text}{unit}", limits, row.difference.method),
        entries.p_values(row.p, row.p_adjusted),
        entries.factor(row.pairing_factor, digits=1),
        Entry(words.share(row.differing)),
    )


def name_of(row: MeasureRow, d: ComparisonDocument) -> str:
    """The headline is named by what it counts."""
    return d.headline.measure if row is d.effects[0] else row.name


def side_text(row: MeasureRow, value: Interval) -> str:
    if row.is_share:
        return words.share(value)
    return words.number(value.estimate, max(words.digits_for(value.half_width), 1))


def _unclear(d: ComparisonDocument) -> Iterator[Lines]:
    """A page says it in its verdict."""
    doubts = [(row.name, sentences.doubt(row.difference, row.p_adjusted, LINES)) for row in d.effects]
    for doubt in dict.fromkeys(doubt for _, doubt in doubts if doubt):
        names = words.listing([name for name, other in doubts if other == doubt])
        yield Lines((f"{words.sentence(doubt)}: {names}.",), ())


def how_paired(d: ComparisonDocument) -> Iterator[str]:
    """What common luck was good for, and what else was found out on the way."""
    yield sentences.pairing(d.pairing_factor, d.differing)
    if d.luck_adjusted:
        yield luck.difference_line(d.luck_adjusted)
    if use := d.option_use:
        forced = f"; left out, it still had to be used {use.forced:.1f} times, where nothing else was legal"
        yield (
            f"used {use.free:.1f} times a game (in {use.games} games played again)"
            f"{forced if use.forced else ''}"
        )


# ---------------------------------------------------------------- step by step, from one edition to another


def _players(d: StepsDocument) -> str:
    return " against ".join(dict.fromkeys(d.a["policies"]))


def _largest(d: StepsDocument) -> tuple[str, str]:
    """`"Actions exhaust" moves the win rate most`, and by how much."""
    most = max(d.steps[:-1], key=lambda step: abs(step.difference.estimate))
    unsure = f", {most.doubt}" if most.doubt else ""
    by = differences.signed(most.quoted, least=1)
    return f'"{most.title}" moves the win rate most', f"by {by}{unsure}"


def _steps_sentence(d: StepsDocument) -> str:
    """What a designer can quote: the largest step, and all of them together."""
    together, (largest, by) = d.steps[-1], _largest(d)
    before, after = (words.percent(side.estimate) for side in (together.headline.a, together.headline.b))
    return (
        f"{changes.title(d.title, d.changes, ', '.join(d.a['policies']))}: of {len(d.steps) - 1} changes, "
        f"each made by itself, {largest}, {by}; all together by "
        f"{differences.signed(together.quoted, least=1)}, from {before} to {after} "
        f"({words.together(together.quoted, len(d.steps), 'steps')}, paired on common luck, {d.n:,} games a "
        f"side, seed {d.seed}); "
        f"{sentences.rests_on(d.a['assumed'])}."
    )


def steps_view(d: StepsDocument) -> View:
    largest, by = _largest(d)
    level = f" at {level}" if (level := d.a["difficulty"]) not in ONLY else ""
    caption = (
        f"What each change does to the win rate of {_players(d)}{level}: after less before, "
        f"{words.count(d.n)} games a side on common luck, seed {d.seed}, "
        f"{words.together(d.steps[-1].quoted, len(d.steps), 'steps')}. Grey: not "
        "distinguishable from zero once adjusted for all steps."
    )
    title = (
        f"Of {len(d.steps) - 1} changes {largest}, {by}, in {words.count(d.n)} games a side by {_players(d)}"
    )
    blocks = (_steps_table(d), _steps_figure(d), Lines((), (d.sentence,)))
    return View(d.sentence, blocks, STEPS, title, caption)


def _steps_figure(d: StepsDocument) -> Figure:
    rows = []
    for step in d.steps:
        points = step.quoted.scaled(100)
        beside = "never came up" if step.is_idle else differences.numbers(points, 1, 1)
        rows.append(dots.row(step.title, beside, (dots.mark(points, UNCLEAR if step.doubt else CLEAR),)))
    title = "What each change does to the win rate"
    return Figure(title, dots.differences(rows, differences.POINTS))


def _steps_table(d: StepsDocument) -> Table:
    means = {row.measure: words.title(row.name) for row in d.steps[0].effects if row.measure in STEP_MEANS}
    of = f"; {words.listing([name.lower() for name in means.values()])}: means of a game" if means else ""
    caption = (
        f"Win rates: {words.together(d.steps[-1].quoted, len(d.steps), 'steps')}{of}, each with its "
        f"{words.CONFIDENCE} interval."
    )
    headers = ("Change", "Win rate", *means.values(), "p (adjusted)", "Pairing factor")
    rows = tuple(
        (
            Entry(step.title),
            Entry(differences.never(step.changed_games.of))
            if step.is_idle and step.changed_games
            else entries.points(step.quoted),
            *(
                Entry(*words.change(effect, least=1)) if effect else entries.NONE
                for effect in map(step.effect, means)
            ),
            entries.p_values(step.p, step.p_adjusted),
            entries.factor(step.pairing_factor),
        )
        for step in d.steps
    )
    return Table(f"Steps between editions, {_players(d)}", caption, headers, rows)
