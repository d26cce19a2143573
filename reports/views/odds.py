"""Single throws and fights: exact chances beside those of the engine's dice."""

from collections.abc import Mapping, Sequence

from bartizan.analyses.games.castle import FightOdds
from bartizan.analyses.games.colditz import StakeOdds
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Lines, Table, View
from bartizan.reports.text import words


def throws(title: str, short: str, odds: Sequence[StakeOdds], names: Mapping[str, str], seed: int) -> View:
    """A table for each cap on re-rolls. short: the answer in a sentence; names: of the cases."""
    attempts = f"{title}: {words.count(odds[0].attempts)} simulated attempts a line, seed {seed}"
    tables = [_cases(row, names) for row in odds]
    if not short:
        return View(attempts, tuple(tables))
    return View(f"{words.title(short)}.", (Lines((attempts,)), *tables))


def _cases(odds: StakeOdds, names: Mapping[str, str]) -> Table:
    limit = "without limit" if odds.cap is None else f"at most {odds.cap} rolls a throw"
    rows = tuple(
        (Entry(names[case]), Entry(words.percent(odds.exact[case], 2)), Entry(words.share_of(simulated)))
        for case, simulated in odds.simulated.items()
    )
    return Table(f"a double is rolled again, {limit}:", "", ("Case", "Exact", "Simulated"), rows)


def fights(title: str, odds: Sequence[FightOdds], seed: int) -> View:
    """title: Castle, and what is changed in it."""
    volume = f"{words.count(odds[0].attempts)} simulated fights a line, seed {seed}"
    headers = ("Attack", "Defence", "Dice", "Exact", "Simulated", "Goes on by a double")
    table = Table("One roll", "", headers, tuple(map(_fight, odds)))
    method = (
        "Exact: every roll counted, the defender's two more dice after a double (6.2) included. Intervals: "
        "95% Wilson."
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
