"""Stake now, or not this turn: as one document and as text. What is compared; a table a distance."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, takewhile

from bartizan.analyses.games.stake_or_wait import (
    ESCAPE,
    METHOD,
    OPEN,
    OWN,
    RESULT,
    STAKE,
    WAIT,
    WIN,
    Moments,
    Situation,
)
from bartizan.analyses.statistics.intervals import Interval
from bartizan.analyses.statistics.paired import Effect
from bartizan.reports.text import differences, played, sentences, words
from bartizan.simcore.colditz.schema import ColditzScenario
from bartizan.simcore.play.match import Match

FAR = 400  # the end of an open span


def document(
    match: Match, asked: Situation, futures: int, games: int, found: Sequence[Moments], chance: float | None
) -> dict:
    """Plain data; chance: exact, of a stake at the distance that was asked about."""
    rows = [_row(row) for row in found]
    model = match.scenario.model
    assert isinstance(model, ColditzScenario)
    return {
        "schema": "bartizan.stake-or-wait/2",
        **played.head(match, match.scenario),
        "players": model.players.allied,
        "asked": vars(asked),
        "chance": chance,
        "games": games,
        "futures": futures,
        "sentence": sentence(match, asked, rows),
        "rows": rows,
        "thresholds": [threshold(list(group)) for _, group in groupby(rows, key=_steps)],
        **played.tail(match.scenario),
        "method": METHOD,
    }


def _row(row: Moments) -> dict:
    result = row.effects[RESULT]
    return {
        "rounds_left": list(row.left),
        "steps": list(row.steps),
        "met": row.met,
        "moments": row.moments,
        "distance": row.mean_steps,
        "now": row.chance,
        **_compared(result),
        "verdict": row.verdict,
        "hangs_on_draws": row.hangs_on_draws,
        "more_moments": row.more,
        "outcomes": {name: _compared(row.effects[name]) for name in (WIN, ESCAPE, OWN)},
    }


def _compared(effect: Effect) -> dict:
    return {
        "stake": effect.changed.interval.to_dict(),
        "wait": effect.base.interval.to_dict(),
        "difference": effect.difference.interval.to_dict(),
        "p": effect.difference.p,
        "pairing_factor": effect.factor,
    }


def sentence(match: Match, asked: Situation, rows: Sequence[Mapping]) -> str:
    """What staking at once does to the result for the Allies."""
    where = f"{played.setting(match)}, {situation(asked)}"
    if len(rows) == 1:
        (row,) = rows
        advice = {STAKE: "stake now", WAIT: "wait", OPEN: "these games cannot tell whether to stake"}[
            row["verdict"]
        ]
        gain = Interval(**row["difference"])
        estimate, limits = words.change(gain, 100, least=1)
        sure = f"{words.level(gain.level)} interval {limits}"
        does = f"a stake moves the result for the Allies by {differences.points(estimate)} ({sure})"
        return f"{where}: {advice}: {does}; {sentences.rests_on(match.scenario.assumed)}."
    told = {verdict: sum(row["verdict"] == verdict for row in rows) for verdict in (STAKE, WAIT, OPEN)}
    right = f"staking at once is right in {told[STAKE]} of {len(rows)} situations, waiting in {told[WAIT]}"
    counts = f"{right}; these games cannot tell in {told[OPEN]}"
    return f"{where}: {counts}; {sentences.rests_on(match.scenario.assumed)}."


def threshold(rows: Sequence[Mapping]) -> dict:
    """What the rows of one distance, latest rounds first, say as a rule to keep in mind.

    Nothing is said of a row that is not told: a rule holds from the first round it names to the last.
    """
    told = [row["verdict"] for row in rows]
    stakes, waits = _run_of(STAKE, told), _run_of(WAIT, told[::-1])
    is_simple = all(verdict == OPEN for verdict in told[stakes : len(told) - waits])
    stake_up_to = rows[stakes - 1]["rounds_left"][1] if stakes and is_simple else None
    wait_from = rows[-waits]["rounds_left"][0] if waits and is_simple else None
    return {
        "steps": rows[0]["steps"],
        "stake_up_to": stake_up_to,
        "wait_from": wait_from,
        "text": _rule(stake_up_to, wait_from) if is_simple else "no simple rule: see the table",
    }


def _run_of(verdict: str, told: Sequence[str]) -> int:
    """How many rows in succession, from the first, have this verdict."""
    return len(list(takewhile(lambda one: one == verdict, told)))


def _rule(stake_up_to: int | None, wait_from: int | None) -> str:
    """`stake with 2 rounds left or fewer, wait with 6 or more`"""
    parts = []
    if stake_up_to is not None:
        late = (
            "in the last round" if stake_up_to == 0 else f"with {number(stake_up_to, 'round')} left or fewer"
        )
        parts.append("stake at any time" if stake_up_to == FAR else f"stake {late}")
    if wait_from is not None:
        parts.append(f"wait with {number(wait_from, 'round')} left or more" if wait_from else "wait")
    if not parts:
        return "these games cannot tell"
    told_all = (
        wait_from == 0 or stake_up_to == FAR or (stake_up_to is not None and stake_up_to + 1 == wait_from)
    )
    return ", ".join(parts) + ("" if told_all else "; else these games cannot tell")


def _steps(row: Mapping) -> list[int]:
    return row["steps"]


def situation(asked: Situation) -> str:
    """`37 to 43 steps, 2 Rope cards, 5 rounds left`"""
    parts = (
        []
        if asked.steps is None
        else [f"{_span(max(asked.steps - asked.within, 0), asked.steps + asked.within)} steps"]
    )
    parts += [] if asked.ropes is None else [number(asked.ropes, "Rope card")]
    parts += [] if asked.cutters is None else [number(asked.cutters, "Wire Cutter")]
    parts += [] if asked.left is None else [f"{number(asked.left, 'round')} left"]
    return ", ".join(parts) or "any distance, any round"


def lines(d: Mapping) -> Iterator[str]:
    """A document for a reader at a terminal."""
    yield d["sentence"]
    yield (
        "Compared: the same moments, played on with a stake of the player's best POW and without a stake "
        "in this turn, on the same luck; the rest of the table plays on in both."
    )
    who = f"{number(d['players'], 'Allied player')}, {words.count(d['games'])} games, seed {d['seed']}"
    how = f"one moment a game in each row, {number(d['futures'], 'future')} each way"
    yield f"{who}; nobody has escaped yet; {how}."
    if d["chance"] is not None:
        chance = words.percent(d["chance"])
        yield f"The stake itself, {d['asked']['steps']} steps, card drawn blind: {chance} (exact)."
    for rule in d["thresholds"]:
        yield f"  {open_span(*rule['steps'])} steps to go: {rule['text']}"
    for steps, rows in groupby(d["rows"], key=_steps):
        yield ""
        yield f"{open_span(*steps)} steps to go"
        yield _line(
            "rounds left", "moments", "succeeds", "staked", "not now", "difference", "own escapes", "verdict"
        )
        yield from (_of_row(row) for row in rows)
    yield ""
    yield (
        "succeeds: exact chance of the stake, mean. staked, not now: result for the Allies, win 1, draw 0.5, "
        "loss 0 (10.2 to 10.4), in percent; difference in percentage points. own escapes: of "
        "this player, staked less not."
    )
    if any(row["hangs_on_draws"] for row in d["rows"]):
        yield "* Wins and losses point in opposite ways: it depends on what a draw is worth, half a win here."
    yield "A verdict is about these players: after either choice they go on as they always play."
    together = (
        f", so that all {len(d['rows'])} hold together with 95 % (Bonferroni)" if len(d["rows"]) > 1 else ""
    )
    yield f"Intervals: {words.level(_level(d))}{together}. Method: {d['method']}."


def _level(d: Mapping) -> float:
    return round(d["rows"][0]["difference"]["level"], 5)


def _of_row(row: Mapping) -> str:
    difference, own = _change(row["difference"], 100), _change(row["outcomes"][OWN]["difference"], 1)
    more = (
        f": {words.count(words.two_figures(row['more_moments']))} more moments would"
        if row["more_moments"]
        else ""
    )
    verdict = row["verdict"] + more + (" *" if row["hangs_on_draws"] else "")
    return _line(
        open_span(*row["rounds_left"]),
        words.count(row["moments"]),
        words.percent(row["now"]),
        words.percent(row["stake"]["estimate"]),
        words.percent(row["wait"]["estimate"]),
        difference,
        own,
        verdict,
    )


def _line(
    left: str, moments: str, chance: str, staked: str, waited: str, difference: str, own: str, verdict: str
) -> str:
    shares = f"{moments:>8} {chance:>9} {staked:>8} {waited:>8}"
    return f"  {left:<12} {shares}   {difference:<24} {own:<26} {verdict}"


def _change(interval: Mapping, scale: float) -> str:
    estimate, limits = words.change(Interval(**interval), scale, least=1 if scale > 1 else 2)
    return f"{estimate} ({limits})"


def open_span(least: int, most: int) -> str:
    """`up to 40`, `41 to 50`, `61 or more`, `0`"""
    if least == most:
        return str(least)
    return f"{least} or more" if most == FAR else f"up to {most}" if least == 0 else _span(least, most)


def _span(least: int, most: int) -> str:
    return str(least) if least == most else f"{least} to {most}"


def number(n: int, what: str) -> str:
    return f"{n} {what}{'' if n == 1 else 's'}"
