"""Effects of the single changes between two editions of a game."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import Field

from bartizan.analyses.document import optional
from bartizan.analyses.statistics.intervals import CONFIDENCE, Interval
from bartizan.analyses.statistics.testing import ALPHA, holm
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Figure, Lines, Table, View
from bartizan.reports.document import ONLY, Looked
from bartizan.reports.figures import dots
from bartizan.reports.figures.theme import CLEAR, UNCLEAR
from bartizan.reports.text import changes, differences, sentences, words
from bartizan.reports.views.compare import ComparisonDocument, MeasuredChange
from bartizan.simcore.scenario.changes import together

STEP_MEANS = ("turn", "score")  # means in the table
STEPS = (
    "Steps between editions",
    "each change by itself against the same base, paired game by game; p adjusted for all steps (Holm 1979).",
)

# ---------------------------------------------------------------- the document


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
    steps: list[StepComparison]  # the last one combines all of them
    banner: dict[str, Any] | None = optional()


def document(
    compared: Sequence[tuple[str, dict[str, Any], ComparisonDocument]],
    level: float = CONFIDENCE,
    looks: Mapping[str, Any] | None = None,
) -> StepsDocument:
    """Return the document of the steps.

    compared: title, values and comparison of each step; the last step combines all others. level, looks: see
    `compare.document`.
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
    return document.model_copy(update={"sentence": _sentence(document)})


# ---------------------------------------------------------------- blocks


def _players(d: StepsDocument) -> str:
    return " against ".join(dict.fromkeys(d.a["policies"]))


def _largest(d: StepsDocument) -> tuple[str, str]:
    """Return two parts of a sentence: the largest effect and its size.

    For example: `"Actions exhaust" changes the win rate most` and `by +3.1 percentage points (+2.5 to +3.7)`.
    """
    most = max(d.steps[:-1], key=lambda step: abs(step.difference.estimate))
    unsure = f", {most.doubt}" if most.doubt else ""
    by = differences.signed(most.quoted, least=1)
    return f'"{most.title}" changes the win rate most', f"by {by}{unsure}"


def _sentence(d: StepsDocument) -> str:
    """Return the finding as a sentence: the largest step, and the effect of all steps combined."""
    together, (largest, by) = d.steps[-1], _largest(d)
    before, after = (
        words.share(side) if side.is_bounds else words.percent(side.estimate)
        for side in (together.headline.a, together.headline.b)
    )
    return (
        f"{changes.title(d.title, d.changes, ', '.join(d.a['policies']))}: of {len(d.steps) - 1} changes, "
        f"each made by itself, {largest}, {by}; all combined change it by "
        f"{differences.signed(together.quoted, least=1)}, from {before} to {after} "
        f"({words.together(together.quoted, len(d.steps), 'steps')}, paired game by game, "
        f"{words.many(d.n, 'game')} per side, seed {d.seed}); "
        f"{sentences.rests_on(d.a['assumed'])}."
    )


def view(d: StepsDocument) -> View:
    largest, by = _largest(d)
    level = f" at {level}" if (level := d.a["difficulty"]) not in ONLY else ""
    caption = (
        f"Effect of each change on the win rate of {_players(d)}{level} (after minus before), "
        f"{words.many(d.n, 'game')} per side, paired game by game, seed {d.seed}, "
        f"{words.together(d.steps[-1].quoted, len(d.steps), 'steps')}. Grey: not "
        "significant after adjustment for all steps."
    )
    title = (
        f"Of {len(d.steps) - 1} changes, {largest}, {by}, in {words.many(d.n, 'game')} per side by "
        f"{_players(d)}"
    )
    blocks = (_table(d), _figure(d), Lines((), (d.sentence,)))
    return View(d.sentence, blocks, STEPS, title, caption)


def _figure(d: StepsDocument) -> Figure:
    rows = []
    for step in d.steps:
        points = step.quoted.scaled(100)
        beside = "changed no game" if step.is_idle else differences.numbers(points, 1, 1)
        rows.append(dots.row(step.title, beside, (dots.mark(points, UNCLEAR if step.doubt else CLEAR),)))
    title = "Effect of each change on the win rate"
    return Figure(title, dots.differences(rows, differences.POINTS))


def _table(d: StepsDocument) -> Table:
    means = {row.measure: words.title(row.name) for row in d.steps[0].effects if row.measure in STEP_MEANS}
    of = f"; {words.listing([name.lower() for name in means.values()])}: means per game" if means else ""
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
