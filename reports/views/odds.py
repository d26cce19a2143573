"""Exact and simulated probabilities of throws and fights, and the comparison of a stake now with waiting.

The comparison has a rule and a table for each distance.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import groupby, takewhile
from typing import TYPE_CHECKING, Any

from bartizan.analyses.document import Document, keyed, optional
from bartizan.analyses.games.castle import FightOdds
from bartizan.analyses.games.colditz import (
    ANY,
    FAR,
    INCONCLUSIVE,
    METHOD,
    OWN,
    STAKE,
    WAIT,
    Moments,
    Situation,
)
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports import entries
from bartizan.reports.blocks import Block, Chart, ChartMark, Entry, Lines, Shape, Table, Track, View
from bartizan.reports.document import PlayedDocument, setting_of
from bartizan.reports.text import differences, sentences, words
from bartizan.simcore.colditz.schema import ColditzScenario
from bartizan.simcore.play.match import Match
from bartizan.simcore.reporting import CONFIDENCE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHARES = ("Positions", "Succeeds", "Staked", "Not now")
HEADERS = ("Rounds left", *SHARES, "Difference", "Own escapes", "Verdict")


# ---------------------------------------------------------------- throws and fights


NAMES = {ANY: "any card", "staff-car": "arrives", "appel": "in range", "shoot-to-kill": "kills"}
DO_OR_DIE = "Do or Die: probability of success by distance"
SHOWN = "inconclusive"  # in text, for the verdict INCONCLUSIVE, whose value in JSON is older


def throws(d: Mapping[str, Any]) -> View:
    """Return the view with a table per limit on re-rolls.

    For a Do or Die, the view also has a chart by distance.
    """
    attempts = f"{d['setting']}: {words.count(d['games'])} simulated attempts per row, seed {d['seed']}"
    tables = [_cases(row) for row in d["by_cap"]]
    if "over_distance" not in d:
        return View(attempts, tuple(tables))
    sentence = f"{words.title(_in_short(d['exact']))}."
    caption = "Exact values enumerate all rolls, including chains of doubles."
    if shown := [_interval(found) for row in d["by_cap"] for found in row["simulated"].values()]:
        caption += f" Intervals of simulated shares: {words.CONFIDENCE}, {words.methods(shown)}."
    return View(
        sentence, (_over_distance(d, sentence), Lines((attempts,)), *tables), title=DO_OR_DIE, caption=caption
    )


def _in_short(exact: Mapping[str, float]) -> str:
    """Return the probability with a random card, and the cards with a probability above 50 %, as text."""
    even = [f"x{case}" for case, chance in exact.items() if case != ANY and chance > 0.5]
    better = (
        f"above 50{words.NBSP}% with a card {words.listing(even, 'or')}"
        if even
        else f"no card reaches 50{words.NBSP}%"
    )
    blind = [f"a random card succeeds in {words.percent(exact[ANY])}"] if ANY in exact else []
    return f"{'; '.join([*blind, better])} (doubles are rolled again)"


def _over_distance(d: Mapping[str, Any], title: str) -> Chart:
    """Return the chart by distance.

    Each row shows the first and the last card and, if known, a random card. Unless the command lists cards,
    the first card has the fewest throws and the last card the most.
    """
    tracks = []
    for row in d["over_distance"]:
        cards = [case for case in row["exact"] if case != ANY]
        shapes: dict[str, Shape] = {cards[0]: "first", ANY: "own", cards[-1]: "best"}
        marks = tuple(
            _chance(case, row["exact"][case], shape) for case, shape in shapes.items() if case in row["exact"]
        )
        is_asked = row["distance"] == d["distance"]
        tracks.append(Track(f"{row['distance']} steps", marks, "as asked" if is_asked else ""))
    return Chart(title, tuple(tracks), "probability of success, exact", line=(0.5, "even"))


def _chance(case: str, chance: float, shape: Shape) -> ChartMark:
    exact = Interval(chance, chance, chance, CONFIDENCE, "exact")
    return ChartMark(_name(case), exact, words.percent(chance), "exact", shape)


def _name(case: str) -> str:
    return NAMES.get(case, f"card x{case}")


def _cases(row: Mapping[str, Any]) -> Table:
    limit = "without limit" if row["cap"] is None else f"at most {row['cap']} rolls per throw"
    rows = tuple(
        (Entry(_name(case)), Entry(words.percent(row["exact"][case], 2)), Entry(_simulated(found)))
        for case, found in row["simulated"].items()
    )
    return Table(f"Doubles are rolled again, {limit}:", "", ("Case", "Exact", "Simulated"), rows)


def _simulated(found: Mapping[str, Any]) -> str:
    return words.share_of(_interval(found))


def _interval(found: Mapping[str, Any]) -> Interval:
    return Interval(*(found[key] for key in ("estimate", "low", "high", "level", "method")))


def fights(title: str, odds: Sequence[FightOdds], seed: int) -> View:
    """Return the view with the table of fights. title: name of the game with its changes."""
    volume = f"{words.count(odds[0].attempts)} simulated fights per row, seed {seed}"
    headers = ("Attack", "Defence", "Dice", "Exact", "Simulated", "Continues after a double")
    table = Table("One roll", "", headers, tuple(map(_fight, odds)))
    method = (
        "Exact values enumerate all rolls, including the defender's two extra dice after a double (6.2). "
        f"Intervals: {words.CONFIDENCE}, {words.methods(row.simulated for row in odds)}."
    )
    sentence = f"{title}: one roll, {volume}; the attacker needs the higher total"
    return View(sentence, (table, Lines((method,))))


def _fight(odds: FightOdds) -> tuple[Entry, ...]:
    fight = odds.fight
    return (
        Entry(fight.attack),
        Entry(f"{fight.defend}{'' if fight.queen else ', Queen dead'}"),
        Entry(f"{odds.attack_dice} dice {odds.edge:+d} against {odds.defence_dice}"),
        Entry(words.percent(odds.wins, 2)),
        Entry(words.share_with_limits(odds.simulated)),
        Entry(words.percent(odds.double)) if odds.double else entries.NONE,
    )


# ---------------------------------------------------------------- stake now, or wait


class StakeRule(Document):
    """The verdicts for one distance, as a rule of thumb."""

    steps: tuple[int, int]
    stake_up_to: int | None  # rounds left
    wait_from: int | None
    text: str


class StakeDocument(PlayedDocument):
    seats: int = keyed("players")  # Allied players
    asked: dict[str, Any]
    chance: float | None  # exact probability of success at the requested distance
    games: int
    futures: int  # per choice and position
    rows: list[Moments]
    thresholds: list[StakeRule]
    method: str = METHOD
    sentence: str
    chart: str | None = optional()  # file of the chart


def document(
    match: Match, asked: Situation, futures: int, games: int, rows: Sequence[Moments], chance: float | None
) -> StakeDocument:
    """Return the document of stake-or-wait. chance: exact success probability at the requested distance."""
    model = match.scenario.model
    assert isinstance(model, ColditzScenario)
    return StakeDocument.about(
        "bartizan.stake-or-wait/2",
        match,
        match.scenario,
        seats=model.players.allied,
        asked=asdict(asked),
        chance=chance,
        games=games,
        futures=futures,
        rows=list(rows),
        thresholds=[rule_of(list(group)) for _, group in groupby(rows, key=lambda row: row.steps)],
        sentence=sentence(match, asked, rows),
    )


# ---------------------------------------------------------------- the sentence


def sentence(match: Match, asked: Situation, rows: Sequence[Moments]) -> str:
    """Return a sentence on how staking now, instead of waiting, changes the result for the Allies."""
    where = f"{setting_of(match, match.scenario)}, {situation(asked)}"
    rests = sentences.rests_on(match.scenario.assumed)
    if len(rows) == 1:
        (row,) = rows
        advice = {STAKE: "stake now", WAIT: "wait", INCONCLUSIVE: SHOWN}
        estimate, limits = words.change(row.difference, 100, least=1)
        sure = f"{words.level(row.difference.level)} interval {limits}"
        moves = f"a stake changes the result for the Allies by {differences.points(estimate)} ({sure})"
        return f"{where}: {advice[row.verdict]}: {moves}; {rests}."
    verdicts = [row.verdict for row in rows]
    right = f"an immediate stake is better in {verdicts.count(STAKE)} of {len(rows)} situations"
    others = f"waiting in {verdicts.count(WAIT)}; {verdicts.count(INCONCLUSIVE)} are {SHOWN}"
    return f"{where}: {right}, {others}; {rests}."


def situation(asked: Situation) -> str:
    """Return the requested situation as text, such as `37 to 43 steps, 2 Rope cards, 5 rounds left`."""
    parts = []
    if asked.steps is not None:
        least, most = max(asked.steps - asked.within, 0), asked.steps + asked.within
        parts.append(f"{least} to {most} steps" if least < most else f"{least} steps")
    if asked.ropes is not None:
        parts.append(words.many(asked.ropes, "Rope card"))
    if asked.cutters is not None:
        parts.append(words.many(asked.cutters, "Wire Cutter"))
    if asked.left is not None:
        parts.append(f"{words.many(asked.left, 'round')} left")
    return ", ".join(parts) or "any distance, any round"


# ---------------------------------------------------------------- rules


def rule_of(rows: Sequence[Moments]) -> StakeRule:
    """Return the rule for one distance. rows: the rows of this distance, fewest rounds left first.

    The rule is simple only if stakes come first, waits last, and all verdicts between them are inconclusive.
    """
    verdicts = [row.verdict for row in rows]
    stakes, waits = _run_of(STAKE, verdicts), _run_of(WAIT, verdicts[::-1])
    is_simple = all(verdict == INCONCLUSIVE for verdict in verdicts[stakes : len(verdicts) - waits])
    stake_up_to = rows[stakes - 1].rounds_left[1] if stakes and is_simple else None
    wait_from = rows[-waits].rounds_left[0] if waits and is_simple else None
    text = _rule(stake_up_to, wait_from) if is_simple else "no simple rule: see the table"
    return StakeRule(steps=rows[0].steps, stake_up_to=stake_up_to, wait_from=wait_from, text=text)


def _run_of(verdict: str, verdicts: Sequence[str]) -> int:
    """Return the number of verdicts at the beginning that equal `verdict`."""
    return len(list(takewhile(lambda other: other == verdict, verdicts)))


def _rule(stake_up_to: int | None, wait_from: int | None) -> str:
    """Return a rule of thumb for the numbers of rounds left.

    For example: `stake with 2 rounds left or fewer, wait with 6 rounds left or more; otherwise inconclusive`.
    """
    parts = []
    if stake_up_to == FAR:
        parts.append("stake at any time")
    elif stake_up_to == 0:
        parts.append("stake in the last round")
    elif stake_up_to is not None:
        parts.append(f"stake with {words.many(stake_up_to, 'round')} left or fewer")
    if wait_from is not None:
        parts.append(f"wait with {words.many(wait_from, 'round')} left or more" if wait_from else "wait")
    if not parts:
        return SHOWN
    meets = stake_up_to is not None and stake_up_to + 1 == wait_from
    is_whole = wait_from == 0 or stake_up_to == FAR or meets
    return ", ".join(parts) + ("" if is_whole else f"; otherwise {SHOWN}")


# ---------------------------------------------------------------- blocks


def view(d: StakeDocument) -> View:
    caption = (
        "Difference in percentage points. Own escapes: effect of the stake on the number of this player's "
        "escapes."
    )
    tables = [
        Table(f"{words.open_span(least, most, FAR)} steps to go", caption, HEADERS, tuple(map(_row, rows)))
        for (least, most), rows in groupby(d.rows, key=lambda row: row.steps)
    ]
    blocks: tuple[Block, ...] = (Lines(tuple(_setting(d))), *tables, Lines(tuple(_reading(d))))
    return View(d.sentence, blocks, ("Stake now, or wait", f"{d.method}."))


def _setting(d: StakeDocument) -> Iterator[str]:
    """Yield the method of the comparison and the rule of each distance."""
    yield (
        "The comparison continues the same positions with a stake of the player's best POW, and without a "
        "stake in this turn, on common random numbers. The other players continue as usual."
    )
    who = f"{words.many(d.seats, 'Allied player')}, {words.many(d.games, 'game')}, seed {d.seed}"
    how = f"one position per game and row, {words.many(d.futures, 'rollout')} per choice"
    yield f"{who}; no POW has escaped yet; {how}."
    if d.chance is not None:
        steps, chance = d.asked["steps"], words.percent(d.chance)
        yield (
            f"The stake itself succeeds over {steps} steps with a random card with probability "
            f"{chance} (exact)."
        )
    for rule in d.thresholds:
        yield f"  {words.open_span(*rule.steps, FAR)} steps to go: {rule.text}"


def _row(row: Moments) -> tuple[Entry, ...]:
    more = row.more_moments
    verdict = SHOWN if row.verdict == INCONCLUSIVE else row.verdict
    needs = f": about {words.many(words.two_figures(more), 'more position')} needed" if more else ""
    return (
        Entry(words.open_span(*row.rounds_left, FAR)),
        Entry(words.count(row.moments)),
        Entry(words.percent(row.now)),
        Entry(words.percent(row.stake.estimate)),
        Entry(words.percent(row.wait.estimate)),
        Entry(*words.change(row.difference, 100, least=1)),
        Entry(*words.change(row.outcomes[OWN].difference, least=2)),
        Entry(f"{verdict}{needs}{' *' if row.hangs_on_draws else ''}"),
    )


def _reading(d: StakeDocument) -> Iterator[str]:
    """Yield explanations of the tables."""
    yield (
        "Succeeds: mean exact probability of success. Staked, Not now: result for the Allies in percent (win "
        "1, draw 0.5, loss 0; rules 10.2 to 10.4). Difference: in percentage points. Own escapes: effect of "
        "the stake on the number of this player's escapes."
    )
    if any(row.hangs_on_draws for row in d.rows):
        yield "* Wins and losses favour opposite choices: the verdict depends on a draw counting half a win."
    yield "The verdicts assume that these policies play the rest of the game after either choice."
    all_rows = (
        f", simultaneous for all {len(d.rows)} rows at {words.CONFIDENCE} (Bonferroni)"
        if len(d.rows) > 1
        else ""
    )
    yield f"Intervals: {words.level(round(d.rows[0].difference.level, 5))}{all_rows}."


# ---------------------------------------------------------------- chart to print


def chart(d: StakeDocument) -> "Figure":
    from bartizan.reports.figures import stake_chart  # matplotlib takes a while to import

    title = f"Do or Die: stake now, or wait? {words.many(d.seats, 'Allied player')}"
    foot = (
        f"{d.title}. No POW has escaped yet. Numbers: effect of a stake now on the Allies' result, in "
        f"percentage points (win 1, draw 0.5). ?: {SHOWN} in {d.games:,} simulated games "
        f"({words.CONFIDENCE}, simultaneous). Both sides are policies: {' against '.join(d.policies)}."
    )
    return stake_chart.draw(d.rows, title, foot)
