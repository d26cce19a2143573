"""Number of plays needed, computed from the power of exact tests or from existing plays."""

from collections.abc import Sequence
from typing import Any

from bartizan.analyses.document import Document, keyed, optional
from bartizan.analyses.people.checks import Contested, SeatPlan
from bartizan.analyses.people.skill import LevelPlan, PeopleSkill, PlaysNeeded
from bartizan.analyses.statistics.testing import ALPHA, MOST
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Lines, Table, View
from bartizan.reports.entries import NONE
from bartizan.reports.text import sentences, words
from bartizan.reports.views.people_skill import PlaysDocument
from bartizan.simcore.play.match import Match

SCHEMA = "bartizan.playtest.plan/1"
TITLES = {
    "notice": "To detect a difference between people and simulation (exact binomial test)",
    "apart": "To distinguish two levels, plays per level (test of two shares, enumerated power)",
    "same": "To show that people and simulation win equally often (exact binomial TOST)",
}
USUAL = 0.8  # assurance in the sentence


class PlannedPlays(Document):
    """The number of plays that one test needs, with one play per tester and with several."""

    kind: str  # a key of TITLES
    rates: tuple[float, float]  # two shares; for "same", a share and the margin
    plays_once_each: int | None  # None: more than MOST
    power: float | None
    icc: float  # intraclass correlation of plays of one tester
    design_effect: float
    plays: int | None
    testers: int | None


class PlanDocument(Document):
    schema_: str = keyed("schema", default=SCHEMA)
    alpha: float = ALPHA
    power: float
    plays_of_each_tester: int
    spread: float
    rows: list[PlannedPlays]
    sentence: str = ""


class MorePlaysDocument(PlaysDocument):
    """Result of `playtest plan` with existing plays: how many more plays are needed for a verdict.

    Each level has the numbers of plays for several probabilities of a verdict (assurance).
    """

    policy: str
    people: int
    plays_of_each_tester: int
    levels: list[LevelPlan]


# ---------------------------------------------------------------- without plays


def document(rows: Sequence[PlannedPlays], power: float, each: int, spread: float) -> PlanDocument:
    played = "each tester plays once" if each == 1 else f"each tester plays {each} times"
    alike = "" if each == 1 else f", standard deviation of skill {spread:g} logits between testers"
    sentence = f"Plays needed for a power of {words.percent(power, 0)} at the 5 % level ({played}{alike}):"
    return PlanDocument(
        power=power, plays_of_each_tester=each, spread=spread, rows=list(rows), sentence=sentence
    )


def view(d: PlanDocument) -> View:
    kinds = {kind: [row for row in d.rows if row.kind == kind] for kind in TITLES}
    tables = [_table(kind, rows) for kind, rows in kinds.items() if rows]
    advice = Lines(("More testers help more than more plays per tester.",))
    return View(d.sentence, (*tables, *([advice] if d.plays_of_each_tester > 1 else [])))


def _table(kind: str, rows: Sequence[PlannedPlays]) -> Table:
    headers = {
        "notice": ("Simulation", "People"),
        "apart": ("One level", "The other"),
        "same": ("Simulation", "Margin"),
    }
    more = ("Plays", "Testers", "If each played once", "Power")
    return Table(TITLES[kind], "", (*headers[kind], *more), tuple(map(_row, rows)))


def _row(row: PlannedPlays) -> tuple[Entry, ...]:
    first, second = (f"{words.exact(rate * 100)} %" for rate in row.rates)
    if row.kind == "same":
        second = f"{second.removesuffix(' %')} pp"
    if row.plays is None or row.power is None:
        return Entry(first), Entry(second), Entry(f"more than {MOST:,} plays"), NONE, NONE, NONE
    counts = (row.plays, row.testers or 0, row.plays_once_each or 0)
    return Entry(first), Entry(second), *map(entries.count, counts), Entry(words.percent(row.power, 0))


# ---------------------------------------------------------------- from plays


def more_document(
    result: PeopleSkill, levels: Sequence[LevelPlan], folder: str, each: int, **others: Any
) -> MorePlaysDocument:
    """Return the document of a plan from existing plays. others: the fields about the files of the plays."""
    first = next(iter(result.yardstick.question.scenarios.values()))
    d = MorePlaysDocument.of_skill(
        SCHEMA,
        result,
        folder=folder,
        plays_of_each_tester=each,
        levels=list(levels),
        assumptions=first.model.assumptions(),
        **others,
    )
    sentence = (
        f"{d.titled}: {words.listing(list(map(_would, d.levels)))} (assurance {words.percent(USUAL, 0)}, "
        f"from {d.plays} plays; verdict at {words.CONFIDENCE} posterior probability; seed {d.seed}); "
        f"{sentences.rests_on(d.assumed)}."
    )
    return d.model_copy(update={"sentence": sentence})


def _would(row: LevelPlan) -> str:
    if row.decided:
        return (
            f"the verdict for {row.level} is already known: "
            f"{'inside' if row.chance_inside > 0.5 else 'outside'} the band"
        )
    usual = next(needs for needs in row.more if needs.assurance == USUAL)
    if usual.plays is None:
        return f"no feasible number of plays would give a verdict for {row.level}"
    people = "1 person" if usual.testers == 1 else f"{usual.testers} people"
    return f"{words.many(usual.plays, 'more play')} by {people} or more would give a verdict for {row.level}"


def more_view(d: MorePlaysDocument) -> View:
    return View(d.sentence, (Lines(d.source_lines), *map(_level, d.levels)))


def _level(row: LevelPlan) -> Lines:
    """Return lines on one level: the probability of being in the band, and the plays needed by assurance."""
    low, high = (words.percent(end, 0) for end in row.band)
    chance = words.percent(row.chance_inside, 0)
    now = f"{row.level}: people like these win {low} to {high} with probability {chance}"
    return Lines((now, *(_needs(needs) for needs in row.more if not row.decided)))


def _needs(needs: PlaysNeeded) -> str:
    plays = (
        "more than feasible" if needs.plays is None else f"{needs.plays} plays by {needs.testers} new testers"
    )
    return f"  verdict with assurance {words.percent(needs.assurance, 0)}: {plays}"


# ---------------------------------------------------------------- from plays of competitive games


class SeatPlanDocument(PlaysDocument):
    """Number of plays needed to show that people and policies win equally often from each seat."""

    policies: list[str]
    margin: float
    power: float
    alpha: float = ALPHA
    named: int | None = optional()  # number of named people
    most: int | None = optional()  # plays of the most frequent person
    left_out: dict[str, int]
    seats: list[SeatPlan]


def seat_document(
    result: Contested, seats: Sequence[SeatPlan], match: Match, folder: str, **others: Any
) -> SeatPlanDocument:
    """Return the document of a plan by seat.

    others: the fields `policies`, `margin` and `power`, and those about the files of the plays.
    """
    d = SeatPlanDocument.of_levels(
        "bartizan.playtest.seat-plan/1",
        match.game,
        {match.scenario.difficulty: match.scenario},
        folder=folder,
        plays=result.plays,
        games=result.games,
        seed=match.seed,
        named=result.named,
        most=result.most,
        left_out=result.left_out,
        seats=list(seats),
        **others,
    )
    margin = words.number(d.margin * 100)
    sentence = (
        f"{d.titled}: plays needed to show that people and policies win equally often from each seat, within "
        f"{margin} percentage points (exact binomial TOST, power {words.percent(d.power, 0)} at 5 %), from "
        f"{words.many(d.plays, 'play')} and {words.many(d.games, 'game')} of policies, seed {d.seed}; "
        f"{sentences.rests_on(d.assumed)}."
    )
    return d.model_copy(update={"sentence": sentence})


def seat_view(d: SeatPlanDocument) -> View:
    left = [f"{plays} {reason}" for reason, plays in d.left_out.items()]
    lines = (*d.source_lines, *([f"Left out: {words.listing(left)}."] if left else []), _independent(d))
    headers = ("Seat", "People won", "Policies won", "Plays needed", "More plays")
    table = Table("Plays for each seat", "", headers, tuple(map(_seat, d.seats)))
    return View(d.sentence, (Lines(lines), table))


def _independent(d: SeatPlanDocument) -> str:
    """Return a sentence on the assumption that plays are independent."""
    by = ""
    if d.named and (d.most or 0) > 1:
        most = words.count(d.most or 0)
        by = f" The {words.count(d.named)} named people of these plays have up to {most} plays each."
    return (
        "Plays are assumed to be independent. Several plays by one person contain less information, so plan "
        f"for different people.{by}"
    )


def _seat(row: SeatPlan) -> tuple[Entry, ...]:
    won = f"{row.wins} of {row.plays}" if row.plays else "no play"
    share = words.share_with_limits(row.share) if row.share else ""
    needed = Entry(f"more than {MOST:,}") if row.needed is None else entries.count(row.needed)
    more = NONE if row.more is None else entries.count(row.more) if row.more else Entry("already shown")
    if row.more == 0 and (row.p is None or row.p > ALPHA):
        more = Entry("not shown by these plays")
    return Entry(row.seat), Entry(won, share), Entry(words.percent(row.policies)), needed, more
