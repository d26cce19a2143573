"""People beside policies: how strong they are on the policies' scale, what does not fit, what was left out;
where they play each other, seat by seat.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self

from bartizan.analyses.document import Document, optional
from bartizan.analyses.experiments.ladder import LevelPlace
from bartizan.analyses.people.checks import Check, Checked, Contested, PeopleSeatWins
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
from bartizan.reports.text import differences, estimates, sentences, words
from bartizan.reports.text.estimates import Said
from bartizan.reports.views import people_learning, people_minutes
from bartizan.simcore.play.match import Match

MADE_UP = "These plays are made up: nobody played them, and what is said here is true of no tester."
MOST_FILES = 5  # that a line names
HEADING = "People beside policies"
METHOD = (
    "skill of testers normal, half-normal prior on its spread, Gauss-Hermite quadrature on a grid, averaged "
    "over the scale's bootstrap"
)
NUMBERS = {
    "score": "mean score",
    "turns": "mean length in turns",
    "rounds": "mean length in rounds, as people counted them",
    "streak": "longest row of losses",
}
EDGE = 0.5  # chance beyond the scale from which the sentence says so
SHOWN = 0.05  # p up to which the plays alone show something
SEEN, PREDICTED, POLICY = "#c8553d", "#0173b2", "#5b636b"
LEGEND = (
    (SEEN, f"people: share of their plays won, {words.CONFIDENCE}"),
    (PREDICTED, "people: predicted from all their plays, 90 %"),
    (POLICY, "the policy, a computer player"),
)


class PlaysDocument(GameDocument):
    """What is said of every folder of plays by people."""

    folder: str
    plays: int
    games: int  # of policies, a cell
    seed: int
    sources: dict[str, int] = {}  # file -> plays of it in the folder
    made_up: bool = False  # does a play say in its edition that nobody played it?
    why: str | None = optional()  # these policies, where nobody named them
    minutes: Minutes | None = optional()  # None: kept by an earlier version
    sentence: str = ""

    @classmethod
    def of_skill(cls, schema: str, result: PeopleSkill, **others: Any) -> Self:
        """Of people on the scale. others: the fields that a kind of document adds."""
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
        """Which files the plays come from; and whether anybody played them."""
        files = [f"{file} {words.count(n)}" for file, n in list(self.sources.items())[:MOST_FILES]]
        more = len(self.sources) - MOST_FILES
        listed = f"plays of {', '.join(files)}{f' and {more} more files' if more > 0 else ''}"
        return (MADE_UP, listed) if self.made_up else (listed,)


class TesterSkill(Document):
    """In logits."""

    these: Interval  # mean of the people who played
    mean: Interval  # of people like them
    spread: Interval  # between people
    first_play: Interval | None  # what a first play changes; None: not all plays are of one kind


class LevelLeftOut(Document):
    """A level predicted from the plays at all others."""

    level: str
    plays: int
    wins: int
    predicted: Interval
    error: float  # share of wins seen, less predicted
    p: float


class OneScale(Document):
    """Are levels as far apart for people as for policies?"""

    slope: Interval
    # is it below 1, or above, beside all else that the answer says? None: kept by an earlier version
    side: int | None = optional()
    flatter: float  # chance that they are less far apart
    offset: Interval
    left_out: list[LevelLeftOut]


class SkillDocument(Checked, PlaysDocument):
    """Nothing in it depends on time or threads."""

    scenario_hashes: dict[str, str]
    policy: str
    method: str
    people: int
    unnamed: int  # of these: a file each whose plays bear no name
    left_out: dict[str, int]  # reason -> plays
    rungs: list[NoisePlace]
    difficulties: list[LevelPlace]
    noise: Interval  # where the mean skill of these people is on the dial
    above_the_scale: float
    below_the_scale: float
    skill: TesterSkill
    levels: list[AtLevel]
    one_scale: OneScale | None  # None: plays at one level only
    learning: Learning | None = optional()  # None: kept by an earlier version


class ContestDocument(Contested, PlaysDocument):
    """Of a game in which people play each other."""

    scenario_hash: str
    difficulty: str
    policies: list[str]
    skill: None = None  # a winner says nothing of how strong all are


PeopleDocument = SkillDocument | ContestDocument


def read(answer: Mapping[str, Any]) -> PeopleDocument:
    """What was kept."""
    return ContestDocument.read(answer) if "seats" in answer else SkillDocument.read(answer)


def document(result: PeopleSkill, checked: Checked, folder: str, **others: Any) -> SkillDocument:
    """others: sources, made_up, why."""
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
    """others: sources, made_up, why."""
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
    sentence = (
        f"{d.titled}: {words.count(d.plays)} plays of people against people say nothing of how "
        f"strong they are on the policies' scale; seats and length beside {words.count(d.games)} games of "
        f"policies, seed {d.seed}; {sentences.rests_on(d.assumed)}."
    )
    return d.model_copy(update={"sentence": sentence})


# ---------------------------------------------------------------- the sentence


def sentence(d: SkillDocument) -> str:
    """How strong, how sure, of how many plays; on what it rests."""
    sure = f"{_how_sure(d)}; policies {words.count(d.games)} games a cell, seed {d.seed}"
    return f"{d.titled}: your testers play {_like(d)} ({sure}); {sentences.rests_on(d.assumed)}."


def _how_sure(d: SkillDocument) -> str:
    """`90 % posterior interval, 40 plays by 9 testers`"""
    named = d.people - d.unnamed
    people = [f"{words.many(named, 'tester')}"] if named else []
    people += ["unnamed people, counted as one a file"] if d.unnamed else []
    plays = f"{words.many(d.plays, 'play')} by {words.listing(people)}"
    return f"{words.level(d.noise.level)} posterior interval, {plays}"


def _like(d: SkillDocument) -> str:
    """`like garrison with noise 0.08 (0.03 to 0.20)`; beyond the ends of the scale words, not numbers."""
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
    legend: Legend = LEGEND if isinstance(d, SkillDocument) else (LEGEND[0], LEGEND[2])
    method = "; ".join(filter(None, (method, people_minutes.method(d.minutes), _of_learning(d))))
    return View(d.sentence, blocks, (HEADING, f"{method}."), title(d), _caption(d), legend, by_people=True)


def _of_learning(d: PeopleDocument) -> str:
    return people_learning.method(d.learning) if isinstance(d, SkillDocument) else ""


def title(d: PeopleDocument) -> str:
    if isinstance(d, ContestDocument):
        return f"{HEADING}: {words.count(d.plays)} plays, seat by seat"
    return f"Your testers play {_like(d)} ({_how_sure(d)})"


def _caption(d: PeopleDocument) -> str:
    files = words.listing([f"{name} ({words.count(n)})" for name, n in d.sources.items()])
    policy = d.policy if isinstance(d, SkillDocument) else " vs ".join(dict.fromkeys(d.policies))
    parts = (
        MADE_UP if d.made_up else "",
        f"Plays by people, from {files}, beside games of {policy}, a computer player: "
        f"{words.count(d.games)} a cell, seed {d.seed}.",
        d.why or "",
    )
    return " ".join(filter(None, parts))


def _scale(d: SkillDocument) -> Iterator[str]:
    """Which scale, and where these people are on it."""
    rungs = ", ".join(f"{rung.noise:g} {words.signed(rung.logits.estimate, 2)}" for rung in d.rungs)
    yield f"scale, in logits: {d.policy} with noise {rungs}"
    spread = estimates.number(d.skill.spread, 2)
    yield f"skill of these people {differences.numbers(d.skill.these, 1, 2)}; spread between people {spread}"
    if first := d.skill.first_play:
        yield f"a first play changes {differences.numbers(first, 1, 2)} logits; all else is of later plays"
    sure = words.level(d.noise.level)
    yield f"a newcomer: 1 in 10 such people is weaker; an expert: 1 in 10 is stronger; {sure} intervals"


def _findings(d: PeopleDocument) -> Iterator[str]:
    """Whatever is in none of the tables."""
    if isinstance(d, SkillDocument):
        yield from (_equivalent(d, row) for row in d.levels if row.equivalence)
        yield from _one_scale_lines(d)
        if d.unmatched_endings:
            listed = words.listing([f'"{ending}"' for ending in d.unmatched_endings])
            yield f"No ending of the game is called {listed}: these are not counted."
        for unit, plays in d.other_lengths.items():
            yield (
                f"{words.many(plays, 'length')} in {unit}s: the game does not count {unit}s, so these are "
                "not compared."
            )
    if d.left_out:
        yield f"Left out: {words.listing([f'{plays} {reason}' for reason, plays in d.left_out.items()])}."


def _equivalent(d: SkillDocument, row: AtLevel) -> str:
    """`Within 10 percentage points of garrison at veteran: chance 41 %, not shown by the plays alone.`"""
    test = row.equivalence
    assert test is not None
    is_shown = (test.p if test.p_adjusted is None else test.p_adjusted) <= SHOWN
    return (
        f"Within {words.number(test.margin * 100)} percentage points of {d.policy} at {row.level}: chance "
        f"{words.percent(row.within_margin, 0)}, {'shown' if is_shown else 'not shown'} by the plays "
        f"alone ({test.method}, p {words.p_value(test.p)})."
    )


def _one_scale_lines(d: SkillDocument) -> Iterator[str]:
    scale = d.one_scale
    if scale is None:
        yield "One scale: plays at one level only cannot tell whether levels are as far apart for people."
        return
    side = _side(scale.slope) if scale.side is None else scale.side
    if side < 0:
        verdict = "levels are closer together for people than for policies: one scale does not fit"
    elif side > 0:
        verdict = "levels are further apart for people than for policies: one scale does not fit"
    else:
        verdict = "nothing says that levels are not as far apart for people as for policies"
    slope = scale.slope
    less_one = Interval(slope.estimate - 1, slope.low - 1, slope.high - 1, slope.level, slope.method)
    yield f"One scale: {verdict} (slope less 1: {differences.numbers(less_one, 1, 2)})."
    for row in scale.left_out:
        error = f"{words.signed(row.error * 100)} percentage points (p {words.p_value(row.p)})"
        seen = f"{predicted(row.predicted)} predicted, {row.wins} of {row.plays} won"
        yield words.sentence(f"{row.level} from the other levels: {seen}, error {error}.")


def predicted(share: Interval) -> Said:
    """`31 % (12–54 %)`: few plays say no more of a share than whole percents."""
    return estimates.percent(share, 0)


# ---------------------------------------------------------------- the picture


def marks(d: PeopleDocument, level: str) -> Iterator[ChartMark]:
    """Testers at a level, on the picture that answers."""
    if not isinstance(d, SkillDocument):
        return
    for row in d.levels:
        if row.level == level:
            said = predicted(row.these)
            name = "made-up testers" if d.made_up else "your testers"
            how = f"predicted from {words.many(d.plays, 'play')}, {words.level(row.these.level)} posterior"
            yield ChartMark(name, row.these, said.text, how, "beside", said.limits)
            if isinstance(d, SkillDocument) and d.learning:
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
    """The policy, what is predicted for people, what was seen of them, as far as there is any."""
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
        f"Predicted from all plays, with {words.level(d.noise.level)} posterior intervals. A newcomer: 9 of "
        "10 such people are stronger. An expert: 9 of 10 are weaker. The policy is a computer player."
    )
    headers = ("Level", "Seen", "These people", "A new tester", "A newcomer", "An expert", d.policy)
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
        "What people's plays show beside groups of policies of the same skill; p over all lines (Holm). A "
        "line that differs is worth a talk with the testers."
    )
    headers = ("What", "Plays", "People", "Policies: expected", "p", "Differs")
    return Table("What no such policy does", caption, headers, tuple(map(_check, d.checks)))


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
    parts = (shares and f"shares of plays: {shares}", "means: Student's t" if d.numbers else "")
    return "; ".join(filter(None, parts)) or "no play counts"


def _seats(d: ContestDocument) -> Table:
    caption = "Plays of people against people say nothing of how strong they all are."
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
    caption = "Means with their intervals (Student's t)."
    return Table("People and policies, in numbers", caption, ("What", "People", "Policies"), rows)
