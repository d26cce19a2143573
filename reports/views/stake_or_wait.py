"""Stake now, or not this turn: what is compared; a rule and a table for each distance."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import groupby, takewhile
from typing import TYPE_CHECKING, Any

from bartizan.analyses.document import Document, keyed, optional
from bartizan.analyses.games.colditz import FAR, METHOD, OPEN, OWN, STAKE, WAIT, Moments, Situation
from bartizan.reports.blocks import Block, Entry, Lines, Table, View
from bartizan.reports.document import PlayedDocument
from bartizan.reports.text import differences, played, sentences, words
from bartizan.simcore.colditz.schema import ColditzScenario
from bartizan.simcore.play.match import Match

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHARES = ("Moments", "Succeeds", "Staked", "Not now")
HEADERS = ("Rounds left", *SHARES, "Difference", "Own escapes", "Verdict")


class StakeRule(Document):
    """What the rows of one distance say as a rule to keep in mind."""

    steps: tuple[int, int]
    stake_up_to: int | None  # rounds left
    wait_from: int | None
    text: str


class StakeDocument(PlayedDocument):
    seats: int = keyed("players")  # Allied players
    asked: dict[str, Any]
    chance: float | None  # exact, of a stake at the distance that was asked about
    games: int
    futures: int  # each way from a moment
    rows: list[Moments]
    thresholds: list[StakeRule]
    method: str = METHOD
    sentence: str
    chart: str | None = optional()  # the file it was drawn into


def document(
    match: Match, asked: Situation, futures: int, games: int, rows: Sequence[Moments], chance: float | None
) -> StakeDocument:
    """chance: exact, of a stake at the distance that was asked about."""
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
    """What staking at once does to the result for the Allies."""
    where = f"{played.setting(match)}, {situation(asked)}"
    rests = sentences.rests_on(match.scenario.assumed)
    if len(rows) == 1:
        (row,) = rows
        advice = {STAKE: "stake now", WAIT: "wait", OPEN: "these games cannot tell whether to stake"}
        estimate, limits = words.change(row.difference, 100, least=1)
        sure = f"{words.level(row.difference.level)} interval {limits}"
        moves = f"a stake moves the result for the Allies by {differences.points(estimate)} ({sure})"
        return f"{where}: {advice[row.verdict]}: {moves}; {rests}."
    verdicts = [row.verdict for row in rows]
    right = f"staking at once is right in {verdicts.count(STAKE)} of {len(rows)} situations"
    others = f"waiting in {verdicts.count(WAIT)}; these games cannot tell in {verdicts.count(OPEN)}"
    return f"{where}: {right}, {others}; {rests}."


def situation(asked: Situation) -> str:
    """`37 to 43 steps, 2 Rope cards, 5 rounds left`"""
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
    """The rule of one distance, latest rounds first.

    Nothing is said of a row that is not clear: a rule holds from the first round it names to the last.
    """
    verdicts = [row.verdict for row in rows]
    stakes, waits = _run_of(STAKE, verdicts), _run_of(WAIT, verdicts[::-1])
    is_simple = all(verdict == OPEN for verdict in verdicts[stakes : len(verdicts) - waits])
    stake_up_to = rows[stakes - 1].rounds_left[1] if stakes and is_simple else None
    wait_from = rows[-waits].rounds_left[0] if waits and is_simple else None
    text = _rule(stake_up_to, wait_from) if is_simple else "no simple rule: see the table"
    return StakeRule(steps=rows[0].steps, stake_up_to=stake_up_to, wait_from=wait_from, text=text)


def _run_of(verdict: str, verdicts: Sequence[str]) -> int:
    """How many rows in succession, from the first, have this verdict."""
    return len(list(takewhile(lambda other: other == verdict, verdicts)))


def _rule(stake_up_to: int | None, wait_from: int | None) -> str:
    """`stake with 2 rounds left or fewer, wait with 6 or more`"""
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
        return "these games cannot tell"
    meets = stake_up_to is not None and stake_up_to + 1 == wait_from
    is_whole = wait_from == 0 or stake_up_to == FAR or meets
    return ", ".join(parts) + ("" if is_whole else "; else these games cannot tell")


# ---------------------------------------------------------------- blocks


def view(d: StakeDocument) -> View:
    tables = [_table(steps, list(rows)) for steps, rows in groupby(d.rows, key=lambda row: row.steps)]
    blocks: tuple[Block, ...] = (Lines(tuple(_setting(d))), *tables, Lines(tuple(_reading(d))))
    return View(d.sentence, blocks, ("Stake now, or wait", f"{d.method}."))


def _setting(d: StakeDocument) -> Iterator[str]:
    """What is compared, and the rule of each distance."""
    yield (
        "Compared: the same moments, played on with a stake of the player's best POW and without a stake "
        "in this turn, on the same luck; the rest of the table plays on in both."
    )
    who = f"{words.many(d.seats, 'Allied player')}, {words.count(d.games)} games, seed {d.seed}"
    how = f"one moment a game in each row, {words.many(d.futures, 'future')} each way"
    yield f"{who}; nobody has escaped yet; {how}."
    if d.chance is not None:
        steps, chance = d.asked["steps"], words.percent(d.chance)
        yield f"The stake itself, {steps} steps, card drawn blind: {chance} (exact)."
    for rule in d.thresholds:
        yield f"  {words.open_span(*rule.steps, FAR)} steps to go: {rule.text}"


def _table(steps: tuple[int, int], rows: Sequence[Moments]) -> Table:
    caption = "Difference in percentage points; own escapes: of this player, staked less not."
    return Table(f"{words.open_span(*steps, FAR)} steps to go", caption, HEADERS, tuple(map(_row, rows)))


def _row(row: Moments) -> tuple[Entry, ...]:
    more = row.more_moments
    needs = f": {words.count(words.two_figures(more))} more moments would" if more else ""
    return (
        Entry(words.open_span(*row.rounds_left, FAR)),
        Entry(words.count(row.moments)),
        Entry(words.percent(row.now)),
        Entry(words.percent(row.stake.estimate)),
        Entry(words.percent(row.wait.estimate)),
        Entry(*words.change(row.difference, 100, least=1)),
        Entry(*words.change(row.outcomes[OWN].difference, least=2)),
        Entry(f"{row.verdict}{needs}{' *' if row.hangs_on_draws else ''}"),
    )


def _reading(d: StakeDocument) -> Iterator[str]:
    """How the tables are read."""
    yield (
        "succeeds: exact chance of the stake, mean. staked, not now: result for the Allies, win 1, draw 0.5, "
        "loss 0 (10.2 to 10.4), in percent; difference in percentage points. own escapes: of "
        "this player, staked less not."
    )
    if any(row.hangs_on_draws for row in d.rows):
        yield "* Wins and losses point in opposite ways: it depends on what a draw is worth, half a win here."
    yield "A verdict is about these players: after either choice they go on as they always play."
    all_rows = f", so that all {len(d.rows)} hold together with 95 % (Bonferroni)" if len(d.rows) > 1 else ""
    yield f"Intervals: {words.level(round(d.rows[0].difference.level, 5))}{all_rows}."


# ---------------------------------------------------------------- beside the board


def chart(d: StakeDocument) -> "Figure":
    from bartizan.reports.figures import stake_chart  # matplotlib takes a while to import

    title = f"Do or Die: stake now, or wait? {words.many(d.seats, 'Allied player')}"
    foot = (
        f"{d.title}. Nobody has escaped yet. Numbers: percentage points by which a stake now moves the "
        f"Allies' result (win 1, draw 0.5). ?: {d.games:,} simulated games cannot tell; 95 %, all cells "
        f"together. Both sides are policies: {' against '.join(d.policies)}."
    )
    return stake_chart.draw(d.rows, title, foot)
