"""An equilibrium: the value of the game between the best players found.

The view also shows the change of this value in the last rounds of training.
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

LAST = 3  # number of last training rounds in the sentence
TABLE_VALUE = (
    "this interval is too narrow, because an earlier version computed it from the games that selected the "
    "mixtures; run the command again"
)
POLICIES_ONLY = "The players are policies; a better policy that was not found may change the value."


class PairResult(Document):
    """Result of a pair of policies, from the first side's point of view."""

    first: str
    second: str
    games: int
    wins: int
    draws: int
    capped: int
    share: Interval


class EndShares(Document):
    """Shares of endings for the first side, if both sides play their mixtures."""

    won: float
    drawn: float
    lost: float
    cut_off: float


class EquilibriumDocument(PlayedDocument):
    """Result of `equilibrium`, without the results of single games.

    Mappings by role begin with the first side.
    """

    roles: tuple[str, str]
    games: int  # per pair
    generations: int
    fresh: int  # held-out games per gain
    draw: float  # value of a draw for the first side
    command: str
    sources: str  # digest over the code and the weights
    levels: int
    value: Interval  # value of a game for the first side
    gap: tuple[float, float]  # value if the second, or the first side plays its best response
    shares: EndShares
    mixtures: dict[str, dict[str, float]]
    pools: dict[str, list[Member]]
    table: list[PairResult]
    rounds: list[Round]
    settled: bool
    method: str
    sentence: str = ""
    next: str = ""  # command that simulates the most frequent members of the mixtures

    @property
    def value_games(self) -> int:
        """Number of games behind the value; 0 if the value comes from a bootstrap of the table."""
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
    """Return the gain of a policy that joined the pool, as a line for its weights file."""
    response = hunt.rounds[member.round - 1].responses[role]
    gain = differences.signed(response.gain, least=1)
    games = f"{words.count(response.games)} held-out games"
    return f"round {member.round}: {gain} over the mixture of {role}, {games}"


# ---------------------------------------------------------------- the sentence


def sentence(d: EquilibriumDocument) -> str:
    """Return a sentence on the value of the game and its change in the last rounds of training.

    For example: `Escape from Colditz: Allied wins 55–68 % between the best players found (value 61 % (58–64
    %)); the last 3 rounds of training changed the value by 2.0 percentage points.`
    """
    return f"{changes.title(d.title, d.changes, _level(d))}: {_worth(d)}."


def brief(d: EquilibriumDocument) -> str:
    """Return changes, level and value as a sentence, for a page that already names the game."""
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
    """Return the gap as a range such as `55–68 %`; "" if both ends are equal.

    The range has as many decimals as the value.
    """
    limits = words.span(100 * gap[0], 100 * gap[1], words.digits_for(100 * value.half_width))
    return f"{limits}{words.NBSP}%" if len(set(limits.split("–"))) > 1 else ""


def _moved(d: EquilibriumDocument) -> str:
    """Return the change of the value in the last rounds of training, as text."""
    values = [row.value.estimate for row in d.rounds][-LAST - 1 :]
    trained = len(values) - 1
    if not trained:
        if d.settled:
            return "training has not changed the value"
        return "the policies found by training are not in the value yet"
    rounds = "the last round" if trained == 1 else f"the last {trained} rounds"
    moved = words.number(100 * (max(values) - min(values)), 1)
    return f"{rounds} of training changed the value by {differences.points(moved)}"


# ---------------------------------------------------------------- blocks


def view(d: EquilibriumDocument) -> View:
    outlook = (
        "Neither side's newest best response has a significant gain."
        if d.settled
        else "The newest best responses still gain; more --rounds may change the value."
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
    """Return the value with its interval and its number of held-out games, as text.

    Example: `62 % (60–64 %, 95 % Wilson), 10,000 held-out games`. Without held-out games, a warning that the
    interval is too narrow replaces the number.
    """
    value = words.share_of(d.value)
    if games := d.value_games:
        return f"{value}, {words.count(games)} held-out games"
    return f"{value} ({TABLE_VALUE})"


def _ends(d: EquilibriumDocument) -> str:
    """Return the shares of endings as text: `allied wins 62.0 %, draws 5.1 %, loses 32.9 %`."""
    shares = d.shares
    ends = {"wins": shares.won, "draws": shares.drawn, "loses": shares.lost}
    listed = ", ".join(f"{verb} {words.percent(share)}" for verb, share in ends.items())
    return f"{d.roles[0]} {listed}{f', {words.percent(shares.cut_off)} truncated' if shares.cut_off else ''}"


def _how_sure(d: EquilibriumDocument) -> str:
    return (
        f"{words.many(d.games, 'game')} per pair (common random numbers) and per candidate, "
        f"{words.many(d.generations, 'generation')} per search, "
        f"{words.count(d.fresh)} held-out games per gain, seed {d.seed}; {words.level(d.value.level)} "
        "intervals"
    )


def _pool(d: EquilibriumDocument, role: str) -> str:
    """Return the pool of a side as text: `allied: [1] garrison 62.0 %, [2] garrison (round 1) 38.0 %`."""
    mixture = d.mixtures[role]
    members = []
    for number, member in enumerate(d.pools[role], 1):
        share = f" {words.percent(mixture[member.name])}" if member.name in mixture else ""
        members.append(f"[{number}] {member.name}{share}")
    return f"{role}: {', '.join(members)}"


def _table(d: EquilibriumDocument) -> Table:
    """Return the table of results: rows for members of the first side, columns for the second."""
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
    return Table("Results by pair of policies", f"{words.level(d.value.level)} intervals.", headers, rows)


def _round(row: Round) -> str:
    """Return a training round as text: its value, the gains of the best responses, and the gap."""
    responses = [
        f"{role} from {response.begins} {differences.signed(response.gain, least=1)}"
        f"{' joins' if response.joins else ''}"
        for role, response in row.responses.items()
    ]
    gap = span(row.value, row.gap)
    value = words.share_with_limits(row.value)
    return f"value {value}; best responses gain: {', '.join(responses)}{f'; gap {gap}' if gap else ''}"
