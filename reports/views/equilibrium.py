"""An equilibrium: what the game is worth between the best players found, and how far training may still move
it.
"""

from collections.abc import Mapping
from typing import Any

from bartizan.analyses.document import Document
from bartizan.analyses.experiments.equilibrium import METHOD, Standoff, shares_of
from bartizan.analyses.records import rung_ends
from bartizan.analyses.records.equilibria import Hunt, Member, Round
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.blocks import Entry, Hint, Lines, Table, View
from bartizan.reports.document import PlayedDocument, tail
from bartizan.reports.text import changes, differences, words
from bartizan.simcore.scenario.changes import caveat_of

LAST = 3  # rounds of training that the sentence looks back on
TABLE_VALUE = (
    "from the games that chose the mixtures: an interval of an earlier version, which covers less than it "
    "states; play the command again"
)
POLICIES_ONLY = "The players are policies: one that nobody has found may still move the value."


class PairResult(Document):
    """What the first of two members gets of the second."""

    first: str
    second: str
    games: int
    wins: int
    draws: int
    capped: int
    share: Interval


class EndShares(Document):
    """By the first side, where both play their mixtures."""

    won: float
    drawn: float
    lost: float
    cut_off: float


class EquilibriumDocument(PlayedDocument):
    """By role, the first side first; without how each game ended."""

    roles: tuple[str, str]
    games: int  # a pair
    generations: int
    fresh: int  # games a gain
    draw: float  # what a drawn game counts for the first side
    command: str
    sources: str  # digest over the code and the weights
    levels: int
    value: Interval  # what the first side gets a game
    gap: tuple[float, float]  # where the second side plays its best response, and where the first does
    shares: EndShares
    mixtures: dict[str, dict[str, float]]
    pools: dict[str, list[Member]]
    table: list[PairResult]
    rounds: list[Round]
    settled: bool
    method: str
    sentence: str = ""
    next: str = ""  # the command that plays the mixtures' most frequent members

    @property
    def value_games(self) -> int:
        """Games behind the value; 0: it is a bootstrap of the table."""
        last = self.rounds[-1].ends if self.rounds else None
        return last.games if last else 0


def document(standoff: Standoff, asked: Mapping[str, Any], hunt: Hunt, following: str) -> EquilibriumDocument:
    last, scenario = hunt.rounds[-1], standoff.scenario
    fields = {
        **asked,
        **tail(scenario),
        "banner": caveat_of(standoff.game, scenario),
        "levels": len(scenario.model.difficulties()),
        "value": last.value,
        "gap": last.gap,
        "shares": shares_of(hunt, last),
        "mixtures": last.mixtures,
        "pools": hunt.pools,
        "table": [
            PairResult(
                first=pair.first,
                second=pair.second,
                games=len(pair.ends),
                wins=pair.ends.count(rung_ends.WON),
                draws=pair.ends.count(rung_ends.DRAWN),
                capped=pair.ends.count(rung_ends.TRUNCATED_END),
                share=rung_ends.win_rate(pair.ends, standoff.draw),
            )
            for pair in hunt.table
        ],
        "rounds": hunt.rounds,
        "settled": hunt.is_settled,
        "method": METHOD,
        "next": following,
    }
    d = EquilibriumDocument.model_validate(fields)
    return d.model_copy(update={"sentence": sentence(d)})


def checked(hunt: Hunt, role: str, member: Member) -> str:
    """The worth of somebody who joined, for the weights file."""
    response = hunt.rounds[member.round - 1].responses[role]
    gain = differences.signed(response.gain, least=1)
    games = f"{words.count(response.games)} fresh games"
    return f"round {member.round}: {gain} over the mixture of {role}, {games}"


# ---------------------------------------------------------------- the sentence


def sentence(d: EquilibriumDocument) -> str:
    """`Escape from Colditz: Allied wins 55–68 % between the best players found (value 61 % (58–64 %)); the
    last 3 rounds of training moved the value by 2.0 percentage points.`
    """
    return f"{changes.title(d.title, d.changes, _level(d))}: {_worth(d)}."


def brief(d: EquilibriumDocument) -> str:
    """For a page that names the game: what is otherwise, level, worth."""
    lead = ", ".join(filter(None, (changes.with_these(d.changes), _level(d))))
    return f"{lead}: {_worth(d)}." if lead else f"{_worth(d)}."


def _level(d: EquilibriumDocument) -> str:
    return words.title(d.difficulty) if d.levels > 1 else ""


def _worth(d: EquilibriumDocument) -> str:
    value, gap = words.share_with_limits(d.value), span(d.value, d.gap)
    worth, beside = (gap, f" (value {value})") if gap else (value, "")
    role = words.title(d.roles[0])
    return f"{role} {gets(d)} {worth} between the best players found{beside}; {_moved(d)}"


def gets(d: EquilibriumDocument) -> str:
    return f"scores (a draw counts {d.draw:g})" if d.draw else "wins"


def span(value: Interval, gap: tuple[float, float]) -> str:
    """`55–68 %`: the gap, as finely as the value, whose noise it shares; "" where it is one number."""
    limits = words.span(100 * gap[0], 100 * gap[1], words.digits_for(100 * value.half_width))
    return f"{limits}{words.NBSP}%" if len(set(limits.split("–"))) > 1 else ""


def _moved(d: EquilibriumDocument) -> str:
    """What the last rounds of training did: each shows in the value of the next."""
    values = [row.value.estimate for row in d.rounds][-LAST - 1 :]
    trained = len(values) - 1
    if not trained:
        return "training has not moved the value" if d.settled else "what training found has yet to be met"
    rounds = "the last round" if trained == 1 else f"the last {trained} rounds"
    moved = words.number(100 * (max(values) - min(values)), 1)
    return f"{rounds} of training moved the value by {differences.points(moved)}"


# ---------------------------------------------------------------- blocks


def view(d: EquilibriumDocument) -> View:
    outlook = (
        "Neither side's newest best response gains beyond noise."
        if d.settled
        else "The newest best responses still gain: more --rounds may move the value."
    )
    blocks = (
        Lines((f"Value: {_value(d)}; {_ends(d)}", *(_pool(d, role) for role in d.roles))),
        _table(d),
        Lines(tuple(f"Round {number}: {_round(row)}" for number, row in enumerate(d.rounds, 1))),
        Lines((_how_sure(d), f"{outlook} {POLICIES_ONLY}")),
        Hint(f"next: {d.next}"),
    )
    return View(d.sentence, blocks, ("Between the best players", f"{d.method}."))


def _value(d: EquilibriumDocument) -> str:
    """`62 % (60–64 %, 95 % Wilson), 10,000 games that did not choose the mixtures`"""
    value = words.share_of(d.value)
    if games := d.value_games:
        return f"{value}, {words.count(games)} games that did not choose the mixtures"
    return f"{value}, {TABLE_VALUE}"


def _ends(d: EquilibriumDocument) -> str:
    """`allied wins 62.0 %, draws 5.1 %, loses 32.9 %`"""
    shares = d.shares
    ends = {"wins": shares.won, "draws": shares.drawn, "loses": shares.lost}
    listed = ", ".join(f"{verb} {words.percent(share)}" for verb, share in ends.items())
    return f"{d.roles[0]} {listed}{f', {words.percent(shares.cut_off)} cut off' if shares.cut_off else ''}"


def _how_sure(d: EquilibriumDocument) -> str:
    return (
        f"{words.count(d.games)} games a pair on common luck, as many a candidate, "
        f"{words.many(d.generations, 'generation')} a search, "
        f"{words.count(d.fresh)} fresh games a gain, seed {d.seed}; {words.level(d.value.level)} intervals"
    )


def _pool(d: EquilibriumDocument, role: str) -> str:
    """`allied: [1] garrison 62 %, [2] garrison (round 1) 38 %`"""
    mixture = d.mixtures[role]
    members = []
    for number, member in enumerate(d.pools[role], 1):
        share = f" {words.percent(mixture[member.name])}" if member.name in mixture else ""
        members.append(f"[{number}] {member.name}{share}")
    return f"{role}: {', '.join(members)}"


def _table(d: EquilibriumDocument) -> Table:
    """A row for each of the first side, a column for each of the second, those who have met."""
    shares = {(pair.first, pair.second): pair.share for pair in d.table}
    first, second = (
        {
            member.name: f"[{number}]"
            for number, member in enumerate(d.pools[role], 1)
            if any(member.name == names[side] for names in shares)
        }
        for side, role in enumerate(d.roles)
    )
    rows = tuple(
        (Entry(number), *(Entry(words.share_with_limits(shares[name, other])) for other in second))
        for name, number in first.items()
    )
    role, other = d.roles
    headers = (f"{role} {gets(d)}", *(f"against {other} {number}" for number in second.values()))
    return Table("Who gets what of whom", f"{words.level(d.value.level)} intervals.", headers, rows)


def _round(row: Round) -> str:
    """`value 38 % (36–40 %); best responses: defender from garrison +3.1 ... joins, ...; gap 36–42 %`"""
    responses = [
        f"{role} from {response.begins} {differences.signed(response.gain, least=1)}"
        f"{' joins' if response.joins else ''}"
        for role, response in row.responses.items()
    ]
    gap = span(row.value, row.gap)
    value = words.share_with_limits(row.value)
    return f"value {value}; best responses gain: {', '.join(responses)}{f'; gap {gap}' if gap else ''}"
