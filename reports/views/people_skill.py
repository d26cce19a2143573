"""People compared with policies.

For a game with one side, the views show people's skill on the policies' scale, differences from policies of
equal skill, and omitted plays. For competitive games, they show results by seat.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

from bartizan.analyses.document import Document, optional
from bartizan.analyses.experiments.ladder import LevelPlace
from bartizan.analyses.people.checks import EACH, WINNER, Check, Checked, Contested, PeopleSeatWins
from bartizan.analyses.people.learning import Learning
from bartizan.analyses.people.minutes import Minutes
from bartizan.analyses.people.skill import AtLevel, NoisePlace, PeopleSkill
from bartizan.analyses.statistics.intervals import Interval, figure_mark
from bartizan.analyses.statistics.latent_skill import interval_of
from bartizan.analyses.statistics.testing import joint_level
from bartizan.reports import entries
from bartizan.reports.blocks import Block, ChartMark, Entry, Figure, Legend, Lines, Table, Track, View
from bartizan.reports.document import GameDocument
from bartizan.reports.entries import NONE
from bartizan.reports.figures import dots
from bartizan.reports.text import changes, differences, estimates, sentences, words
from bartizan.reports.text.estimates import Said
from bartizan.reports.views import people_learning, people_minutes
from bartizan.simcore.play.match import Match

MADE_UP = "These are synthetic play records. They describe no real tester."
MOST_FILES = 5  # files that are listed
HEADING = "People compared with policies"
METHOD = (
    "normal distribution of testers' skill, half-normal prior on its standard deviation, Gauss-Hermite "
    "quadrature on a grid, averaged over bootstrap samples of the scale"
)
NUMBERS = {
    "score": "mean score",
    "turns": "mean length in turns",
    "rounds": "mean length in rounds, as people counted them",
    WINNER: "mean score of the winner",
    EACH: "mean score of a player",
    "streak": "longest losing streak",
}
EDGE = 0.5  # probability beyond the scale from which the sentence reports it
SHOWN = 0.05  # largest p at which the plays alone are significant
SEEN, PREDICTED, POLICY = "#c8553d", "#0173b2", "#5b636b"
LEGEND = (
    (SEEN, f"people: share of their plays won, {words.CONFIDENCE}"),
    (PREDICTED, "people: predicted from all their plays, 90 %"),
    (POLICY, "policy (computer player)"),
)


class PlaysDocument(GameDocument):
    """Fields of all results from a folder of human plays."""

    folder: str
    plays: int
    games: int  # games of policies per cell
    seed: int
    sources: dict[str, int] = {}  # {file: its plays in the folder}
    made_up: bool = False  # some plays are marked as synthetic in their edition
    edition: str | None = optional()  # the chosen edition; None: not chosen
    # {the only edition that plays state: number of plays that state none}; None: all plays state it, or none
    without_edition: dict[str, int] | None = optional()
    why: str | None = optional()  # reason for these policies, if the command names none
    minutes: Minutes | None = optional()  # None: saved by an earlier version
    sentence: str = ""

    @classmethod
    def of_skill(cls, schema: str, result: PeopleSkill, **others: Any) -> Self:
        """Create a document about people's skill on the scale of policies. others: the other fields."""
        question = result.yardstick.question
        fields = {
            "policy": result.yardstick.policy,
            "games": question.games,
            "seed": question.seed,
            "plays": len(result.joined.plays),
            "people": result.people,
        }
        return cls.of_levels(schema, question.game, question.scenarios, **{**fields, **others})

    @property
    def source_lines(self) -> tuple[str, ...]:
        """The lines that list the files of the plays, and the edition if one is chosen or assumed.

        Notes precede them if some plays are synthetic, and if the policies play a changed game.
        """
        files = [f"{file} {words.count(n)}" for file, n in list(self.sources.items())[:MOST_FILES]]
        left = len(self.sources) - MOST_FILES
        more = f" and {words.many(left, 'more file')}" if left > 0 else ""
        of_edition = f'; only those of edition "{self.edition}"' if self.edition else ""
        for stated, plays in (self.without_edition or {}).items():
            of_edition = f'; {words.count(plays)} without an edition counted as "{stated}"'
        listed = f"plays of {', '.join(files)}{more}{of_edition}"
        return tuple(filter(None, (MADE_UP if self.made_up else "", self.of_changed, listed)))

    @property
    def of_changed(self) -> str:
        """The caveat of policies that play a changed game; "" for the published game."""
        if not self.changes:
            return ""
        return (
            f"The policies play a changed game ({changes.listing(self.changes)}), and the plays do not show "
            "whether people did. If people played without the change, its effect is part of every difference."
        )


class TesterSkill(Document):
    """The estimated skill of testers, in logits: its mean, its spread, and the effect of a first play."""

    these: Interval  # mean of the people who played
    mean: Interval  # mean of people like them
    spread: Interval  # standard deviation between people
    first_play: Interval | None  # effect of a first play; None if not estimated


class LevelLeftOut(Document):
    """Prediction of the win rate at one level from the plays at all other levels."""

    level: str
    plays: int
    wins: int
    predicted: Interval
    error: float  # observed minus predicted share of wins
    p: float


class OneScale(Document):
    """Test of whether levels are as far apart for people as for policies (slope 1)."""

    slope: Interval
    # -1 or 1 if the slope is significantly below or above 1; None: saved by an earlier version
    side: int | None = optional()
    flatter: float  # probability that the slope is below 1
    offset: Interval
    left_out: list[LevelLeftOut]


class SkillDocument(Checked, PlaysDocument):
    """Result of `playtest skill`, which is identical for any number of threads."""

    scenario_hashes: dict[str, str]
    policy: str
    method: str
    people: int
    unnamed: int  # number of people that stand for files without names
    left_out: dict[str, int]  # {reason: plays}
    rungs: list[NoisePlace]
    difficulties: list[LevelPlace]
    noise: Interval  # noise of the policy that corresponds to the mean skill of these people
    above_the_scale: float
    below_the_scale: float
    skill: TesterSkill
    levels: list[AtLevel]
    one_scale: OneScale | None  # None: plays at one level only
    learning: Learning | None = optional()  # None: saved by an earlier version

    @property
    def hashes(self) -> set[str]:
        """Hashes of the scenarios of all levels."""
        return set(self.scenario_hashes.values())


class ContestDocument(Contested, PlaysDocument):
    """Result of `playtest skill` for a competitive game."""

    scenario_hash: str
    difficulty: str
    policies: list[str]
    skill: None = None  # wins against each other do not determine skill

    @property
    def hashes(self) -> set[str]:
        return {self.scenario_hash}


PeopleDocument = SkillDocument | ContestDocument


def read(answer: Mapping[str, Any]) -> PeopleDocument:
    """Convert the JSON document of a saved result to its document class."""
    return ContestDocument.read(answer) if "seats" in answer else SkillDocument.read(answer)


def document(result: PeopleSkill, checked: Checked, folder: str, **others: Any) -> SkillDocument:
    """Return the document of people's skill on the scale of policies.

    others: the fields about the files of the plays, `minutes` and `learning`.
    """
    yard, posterior = result.yardstick, result.posterior
    above, below = result.beyond
    d = SkillDocument.of_skill(
        "bartizan.playtest.skill/1",
        result,
        folder=folder,
        method=METHOD,
        unnamed=sum(name.startswith("unnamed, ") for name in result.draws.people),
        left_out=result.joined.left_out,
        rungs=yard.places,
        difficulties=yard.difficulties,
        noise=result.noise,
        above_the_scale=above,
        below_the_scale=below,
        skill=TesterSkill(
            these=interval_of(result.draws.skill()),
            mean=posterior.interval("mu"),
            spread=posterior.interval("tau"),
            first_play=posterior.interval("first") if result.has_first else None,
        ),
        levels=result.levels,
        one_scale=_one_scale(result),
        **dict(checked),
        **others,
    )
    return d.model_copy(update={"sentence": sentence(d)})


def _one_scale(result: PeopleSkill) -> OneScale | None:
    if result.calibration is None or result.flatter is None:
        return None
    return OneScale(
        slope=result.calibration.interval("slope"),
        side=_side(result.calibration.interval("slope", joint_level(1, families=result.families))),
        flatter=result.flatter,
        offset=result.calibration.interval("mu"),
        left_out=[
            LevelLeftOut(**{**vars(row), "level": result.yardstick.levels[row.level], "error": row.error})
            for row in result.left_out
        ],
    )


def _side(slope: Interval) -> int:
    return -1 if slope.high < 1 else 1 if slope.low > 1 else 0


def contest_document(
    result: Contested, match: Match, seated: Sequence[str], folder: str, **others: Any
) -> ContestDocument:
    """Return the document for a competitive game.

    others: the fields about the files of the plays, and `minutes`.
    """
    d = ContestDocument.of_levels(
        "bartizan.playtest.contest/1",
        match.game,
        {match.scenario.difficulty: match.scenario},
        folder=folder,
        policies=list(seated),
        seed=match.seed,
        **dict(result),
        **others,
    )
    scores = ", scores" if any(row.name == WINNER for row in d.numbers) else ""
    sentence = (
        f"{d.titled}: {words.many(d.plays, 'play')} of people against people do not show their skill on the "
        f"policies' scale. Seats{scores} and length are compared with {words.many(d.games, 'game')} of "
        f"policies, seed {d.seed}; {sentences.rests_on(d.assumed)}."
    )
    return d.model_copy(update={"sentence": sentence})


# ---------------------------------------------------------------- the sentence


def sentence(d: SkillDocument) -> str:
    """Return the finding as a sentence: skill with interval, number of plays, and assumptions."""
    sure = f"{_how_sure(d)}; policies {words.many(d.games, 'game')} per cell, seed {d.seed}"
    return f"{d.titled}: your testers play {_like(d)} ({sure}); {sentences.rests_on(d.assumed)}."


def _how_sure(d: SkillDocument) -> str:
    """Return level and number of plays: `90 % posterior interval, 40 plays by 9 testers`."""
    named = d.people - d.unnamed
    people = [f"{words.many(named, 'tester')}"] if named else []
    people += ["unnamed people, counted as one per file"] if d.unnamed else []
    plays = f"{words.many(d.plays, 'play')} by {words.listing(people)}"
    return f"{words.level(d.noise.level)} posterior interval, {plays}"


def _like(d: SkillDocument) -> str:
    """Return people's skill in words, such as `like garrison with noise 0.08 (0.03 to 0.20)`.

    If people are probably beyond the scale, the text compares them with its end.
    """
    policy, noise, most = d.policy, d.noise, d.rungs[-1].noise
    if d.above_the_scale > EDGE:
        return f"better than {policy}, or like it with noise up to {noise.high:.2f}"
    if d.below_the_scale > EDGE:
        return f"worse than {policy} with noise {most:g}, or like it with noise down to {noise.low:.2f}"
    low = f"{noise.low:.2f}" if noise.low > 0 else "0, or better,"
    high = f"{noise.high:.2f}" if noise.high < most else f"{most:.2f} or more"
    return f"like {policy} with noise {noise.estimate:.2f} ({low} to {high})"


# ---------------------------------------------------------------- blocks


def view(d: PeopleDocument) -> View:
    tables, method = (
        ((_levels(d), _checks(d)), d.method)
        if isinstance(d, SkillDocument)
        else ((_seats(d), _numbers(d)), _contest_method(d))
    )
    scale = Lines((*d.source_lines, *(_scale(d) if isinstance(d, SkillDocument) else ())), ())
    blocks: tuple[Block, ...] = (
        scale,
        _figure(d),
        *(table for table in tables if table.rows),
        Lines(tuple(_findings(d))),
        *(
            people_learning.blocks(d.learning, d.policy)
            if isinstance(d, SkillDocument) and d.learning
            else ()
        ),
        *(people_minutes.blocks(d.minutes) if d.minutes else ()),
    )
    if note := d.of_changed:  # tables may be read separately
        blocks = tuple(
            replace(block, caption=f"{note} {block.caption}") if isinstance(block, Table) else block
            for block in blocks
        )
    legend: Legend = LEGEND if isinstance(d, SkillDocument) else (LEGEND[0], LEGEND[2])
    method = "; ".join(filter(None, (method, people_minutes.method(d.minutes), _of_learning(d))))
    return View(d.sentence, blocks, (HEADING, f"{method}."), title(d), _caption(d), legend, by_people=True)


def _of_learning(d: PeopleDocument) -> str:
    return people_learning.method(d.learning) if isinstance(d, SkillDocument) else ""


def title(d: PeopleDocument) -> str:
    if isinstance(d, ContestDocument):
        return f"{HEADING}: {words.many(d.plays, 'play')}, seat by seat"
    return f"Your testers play {_like(d)} ({_how_sure(d)})"


def _caption(d: PeopleDocument) -> str:
    files = words.listing([f"{name} ({words.count(n)})" for name, n in d.sources.items()])
    policy = d.policy if isinstance(d, SkillDocument) else " vs ".join(dict.fromkeys(d.policies))
    parts = (
        MADE_UP if d.made_up else "",
        d.of_changed,
        f"Plays by people from {files}, compared with games of {policy}, a computer player "
        f"({words.count(d.games)} per cell, seed {d.seed}).",
        d.why or "",
    )
    return " ".join(filter(None, parts))


def _scale(d: SkillDocument) -> Iterator[str]:
    """Yield lines on the scale and on the skill of the testers."""
    rungs = ", ".join(f"{rung.noise:g} {words.signed(rung.logits.estimate, 2)}" for rung in d.rungs)
    yield f"scale, in logits: {d.policy} with noise {rungs}"
    spread = estimates.number(d.skill.spread, 2)
    yield (
        f"skill of these people {differences.numbers(d.skill.these, 1, 2)}; standard deviation between "
        f"people {spread}"
    )
    if first := d.skill.first_play:
        yield (
            f"effect of a first play {differences.numbers(first, 1, 2)} logits; all other results describe "
            "later plays"
        )
    sure = words.level(d.noise.level)
    people = "newcomer: 10th percentile of skill among people like these; expert: 90th percentile"
    yield f"{people}; {sure} intervals"


def _findings(d: PeopleDocument) -> Iterator[str]:
    """Yield lines with the findings that are not in the tables."""
    if isinstance(d, SkillDocument):
        yield from (_equivalent(d, row) for row in d.levels if row.equivalence)
        yield from _one_scale_lines(d)
        if d.unmatched_endings:
            listed = words.listing([f'"{ending}"' for ending in d.unmatched_endings])
            yield f"Not counted: {listed}, because no ending of the game has this name."
        for unit, plays in d.other_lengths.items():
            yield (
                f"{words.many(plays, 'length')} in {unit}s: not compared, because the game does not count "
                f"{unit}s."
            )
    elif d.no_scores:
        yield f"Scores are not compared, because {d.no_scores}."
    if d.left_out:
        yield f"Left out: {words.listing([f'{plays} {reason}' for reason, plays in d.left_out.items()])}."


def _equivalent(d: SkillDocument, row: AtLevel) -> str:
    """Return a sentence on whether people win about as often as the policy at a level.

    The sentence gives the probability that the difference is within the margin, and states whether the plays
    alone show this.
    """
    test = row.equivalence
    assert test is not None
    is_shown = (test.p if test.p_adjusted is None else test.p_adjusted) <= SHOWN
    return (
        f"Within {words.number(test.margin * 100)} percentage points of {d.policy} at {row.level}: "
        f"probability {words.percent(row.within_margin, 0)}; the plays alone "
        f"{'show' if is_shown else 'do not show'} this ({test.method}, p {words.p_value(test.p)})."
    )


def _one_scale_lines(d: SkillDocument) -> Iterator[str]:
    scale = d.one_scale
    if scale is None:
        yield "Common scale: not tested, because all plays are at one level."
        return
    side = _side(scale.slope) if scale.side is None else scale.side
    if side < 0:
        verdict = "does not fit; levels are closer together for people than for policies"
    elif side > 0:
        verdict = "does not fit; levels are further apart for people than for policies"
    else:
        verdict = "no significant misfit between people and policies"
    slope = scale.slope
    less_one = Interval(slope.estimate - 1, slope.low - 1, slope.high - 1, slope.level, slope.method)
    yield f"Common scale: {verdict} (slope minus 1: {differences.numbers(less_one, 1, 2)})."
    for row in scale.left_out:
        error = f"{words.signed(row.error * 100)} percentage points (p {words.p_value(row.p)})"
        seen = f"{predicted(row.predicted)}, observed {row.wins} of {row.plays}"
        yield words.sentence(f"{row.level}: win rate predicted from the other levels {seen}, error {error}.")


def predicted(share: Interval) -> Said:
    """Return a predicted share such as `31 % (12–54 %)`, without decimals because there are few plays."""
    return estimates.percent(share, 0)


# ---------------------------------------------------------------- the picture


def marks(d: PeopleDocument, level: str, scenario: str) -> Iterator[ChartMark]:
    """Yield marks of testers at a level, for the main chart of a page.

    scenario: hash of the scenario of the row. There are no marks for a competitive game, or for testers who
    were compared with policies under other values.
    """
    if not isinstance(d, SkillDocument) or scenario not in d.hashes:
        return
    for row in d.levels:
        if row.level == level:
            said = predicted(row.these)
            name = "synthetic testers" if d.made_up else "your testers"
            how = f"predicted from {words.many(d.plays, 'play')}, {words.level(row.these.level)} posterior"
            how += ", compared with the changed game" if d.changes else ""
            yield ChartMark(name, row.these, said.text, how, "beside", said.limits)
            if d.learning:
                yield from people_learning.marks(d.learning, level, name)


def _figure(d: PeopleDocument) -> Figure:
    if isinstance(d, SkillDocument):
        by, rows = "level", [_dot(row, row.seen, row.policy, row.these) for row in d.levels]
    else:
        by, rows = "seat", [_dot(row, row.share, row.policies) for row in d.seats]
    return Figure(f"Share of games won, by {by}", dots.chart(rows, unit="games won"))


def _dot(
    row: AtLevel | PeopleSeatWins, seen: Interval | None, policy: float, these: Interval | None = None
) -> Track:
    """Return a row with the policy's win rate, the prediction for people, and their observed win rate."""
    where = row.level if isinstance(row, AtLevel) else row.seat
    label = f"{where}: {f'{row.wins} of {row.plays} plays won' if row.plays else 'no play'}"
    value = f"predicted {predicted(these)}" if these else f"policies {words.percent(policy)}"
    points = [dots.mark(figure_mark(policy), POLICY)]
    points += [dots.mark(these, PREDICTED)] if these else []
    points += [dots.mark(seen, SEEN)] if seen else []
    return dots.row(label, value, tuple(points))


# ---------------------------------------------------------------- tables


def _levels(d: SkillDocument) -> Table:
    caption = (
        f"Predicted from all plays, with {words.level(d.noise.level)} posterior intervals. Newcomer: 10th "
        "percentile of such people. Expert: 90th percentile. The policy is a computer player."
    )
    headers = ("Level", "Observed", "These people", "New tester", "Newcomer", "Expert", d.policy)
    return Table(HEADING, caption, headers, tuple(map(_level, d.levels)))


def _level(row: AtLevel) -> tuple[Entry, ...]:
    people = (row.these, row.new_tester, row.newcomer, row.expert)
    shares = (Entry(said.text, said.limits) for said in map(predicted, people))
    return (Entry(row.level), _wins(row.wins, row.plays, row.seen), *shares, Entry(words.percent(row.policy)))


def _wins(wins: int, plays: int, share: Interval | None) -> Entry:
    if not plays:
        return Entry("no play")
    return Entry(f"{wins} of {plays}", words.share_with_limits(share) if share else "")


def _checks(d: SkillDocument) -> Table:
    caption = (
        "Plays by people compared with policies of the same skill; p adjusted for all rows (Holm). If a row "
        "differs, ask the testers about it."
    )
    headers = ("Measure", "Plays", "People", "Policies: expected", "p", "Differs")
    return Table("Differences in play", caption, headers, tuple(map(_check, d.checks)))


def _check(row: Check) -> tuple[Entry, ...]:
    expected = estimates.number(row.expected, 1)
    return (
        Entry(f"lost: {row.name}" if row.kind == "lost" else NUMBERS[row.kind]),
        entries.count(row.plays),
        Entry(words.number(row.seen, 1 if row.kind in ("score", "turns") else 0)),
        Entry(expected.text, expected.limits),
        entries.p_values(row.p, row.p_adjusted),
        Entry("yes" if row.differs else "no"),
    )


def _contest_method(d: ContestDocument) -> str:
    shares = words.methods(row.share for row in d.seats if row.share)
    parts = (shares and f"shares of plays: {shares}", "means: Student t" if d.numbers else "")
    return "; ".join(filter(None, parts)) or "no valid plays"


def _seats(d: ContestDocument) -> Table:
    caption = "Plays of people against people do not show their skill."
    rows = tuple(
        (Entry(row.seat), _wins(row.wins, row.plays, row.share), Entry(words.percent(row.policies)))
        for row in d.seats
    )
    return Table(HEADING, caption, ("Seat", "People won", "Policies won"), rows)


def _numbers(d: ContestDocument) -> Table:
    rows = tuple(
        (
            Entry(NUMBERS.get(row.name, row.name)),
            entries.mean(row.people),
            entries.mean(row.policies) if row.policies else NONE,
        )
        for row in d.numbers
    )
    caption = "Means with their intervals (Student t)."
    if any(row.name in (WINNER, EACH) for row in d.numbers):
        caption += " Scores: games with the scores of all players and one winner; each is one value."
    return Table("Scores and lengths", caption, ("Measure", "People", "Policies"), rows)
