"""Comparison of people's plays with games of policies.

Solo and cooperative games: posterior predictive checks (Gelman, Meng & Stern 1996). Scores, lengths, losing
streaks and endings of people's plays are compared with simulated plays of the same groups at the same levels,
by the mixture of policies that has the people's skill.

Competitive games: wins by seat, lengths and scores are compared, because a winner does not show skill.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from bartizan.analyses.document import Document, optional
from bartizan.analyses.people.log import counts_as, endings_in
from bartizan.analyses.people.skill import PeoplePlay, PeopleSkill, Yardstick
from bartizan.analyses.people.table import places
from bartizan.analyses.statistics.intervals import Interval, Mean, mean_of, proportion
from bartizan.analyses.statistics.latent_skill import CREDIBLE, TableResult, interval_of, mid_p
from bartizan.analyses.statistics.testing import equivalent_to_known, holm, to_show_equal
from bartizan.simcore.arrays import Floats
from bartizan.simcore.compile.rules import TRUNCATED
from bartizan.simcore.game import Game
from bartizan.simcore.play.batch import Source
from bartizan.simcore.play.match import Match

GROUPS = 2000  # number of simulated groups
ALPHA = 0.05
FEWEST = 3  # minimum number of informative plays for a check
ENDINGS = 6  # maximum number of ways of losing that are checked, the most frequent first


class Check(Document):
    """One statistic of people's plays, compared with groups of policies of the same skill."""

    kind: str  # "score", "turns", "streak", "lost"
    name: str  # the way of losing; "" otherwise
    plays: int  # plays with this statistic
    seen: float
    expected: Interval  # mean over groups, and their central 90 % range
    p: float  # two-sided mid-p
    p_adjusted: float = 1.0  # over all checks (Holm 1979)
    differs: bool = False


class Checked(Document):
    checks: list[Check]
    unmatched_endings: list[str]  # people's words for endings that match no ending of the game
    other_lengths: dict[str, int] = {}  # unit that differs from the game's, such as "round" -> plays


@dataclass(frozen=True, eq=False)
class Groups:
    """Simulated results of the plays in each group: arrays [group, play]."""

    won: np.ndarray
    score: np.ndarray
    turn: np.ndarray
    ended: np.ndarray  # [group, play, 2]


def check(skill: PeopleSkill, seed: int = 1) -> Checked:
    """Run all checks that are possible with these plays, and return their results.

    The checks are one family of comparisons (`PeopleSkill.families`).
    """
    plays = sorted(skill.joined.plays, key=lambda play: play.when)
    groups = draw_groups(skill, plays, seed)
    played = {name for cell in skill.yardstick.cells.values() for name in np.unique(cell.ended)}
    names = sorted({*played, *endings_in(skill.yardstick.question.game)} - {""})
    matched = [match(play.ending, names) for play in plays]
    checks = [*_numbers(plays, groups), *_losses(plays, matched, groups)]
    adjusted = holm([row.p for row in checks], skill.families)
    unmatched = {play.ending for play, name in zip(plays, matched, strict=True) if play.ending and not name}
    return Checked(
        checks=[
            row.model_copy(update={"p_adjusted": p, "differs": p < ALPHA})
            for row, p in zip(checks, adjusted, strict=True)
        ],
        unmatched_endings=sorted(unmatched),
        other_lengths=dict(Counter(play.other_unit for play in plays if play.other_unit)),
    )


def draw_groups(skill_of_people: PeopleSkill, plays: Sequence[PeoplePlay], seed: int) -> Groups:
    """Draw GROUPS groups of simulated games, with one game per play in each.

    Each game comes from one of the two rungs on either side of the group's skill, with a higher probability
    from the nearer rung. Beyond the ends of the scale, it comes from the end rung.
    """
    yard, draws = skill_of_people.yardstick, skill_of_people.draws
    known = [play.first for play in plays if play.first is not None]
    usual = sum(known) / len(known) if known else 0.0
    tables = [TableResult(p.people, 0, 1, 0, usual if p.first is None else p.first) for p in plays]
    skill = draws.tables(tables) + draws.points.first[:, None] * np.array([table.first for table in tables])
    random = np.random.default_rng([seed, len(plays)])
    rows = np.arange(GROUPS) % len(skill)
    places = _places(yard, skill[rows], rows % len(yard.skills))
    parts = [_one(yard, play.level, places[:, index], random) for index, play in enumerate(plays)]
    won, score, turn = (np.column_stack(column) for column in zip(*(part[:3] for part in parts), strict=True))
    return Groups(won, score, turn, np.stack([part[3] for part in parts], axis=1))


def _places(yard: Yardstick, skill: Floats, replicate: np.ndarray) -> Floats:
    """Return the place of each skill on the scale, 0 for the first rung.

    skill: array [group, play]. replicate: array [group], the replicate of the scale for each group.
    """
    places = np.empty_like(skill)
    for index, rungs in enumerate(yard.skills):
        here = replicate == index
        places[here] = np.interp(-skill[here], -rungs, np.arange(len(rungs)))
    return places


def _one(yard: Yardstick, level: str, place: Floats, random: np.random.Generator) -> list[np.ndarray]:
    """Return four arrays [group] for one play: won, score, turn and ended."""
    rung = np.floor(place + random.random(len(place))).astype(int).clip(0, len(yard.noises) - 1)
    luck = random.random(len(place))
    cells = [yard.cells[noise, level] for noise in yard.noises]
    picks = [(luck * len(cell.won)).astype(int) for cell in cells]

    def column(name: str) -> np.ndarray:
        options = [getattr(cell, name)[pick] for cell, pick in zip(cells, picks, strict=True)]
        chosen: np.ndarray = np.stack(options)[rung, np.arange(len(place))]
        return chosen

    return [column(name) for name in ("won", "score", "turn", "ended")]


def match(text: str, names: Sequence[str]) -> str:
    """Return the game's name for an ending that a person wrote; case and punctuation are ignored.

    An exact match takes precedence; otherwise one text must contain the other. Returns "" if no name or
    several names match in this way.
    """
    word = _plain(text)
    if not word:
        return ""
    same = [name for name in names if _plain(name) == word]
    near = [name for name in names if word in _plain(name) or _plain(name) in word]
    return same[0] if same else near[0] if len(near) == 1 else ""


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", " ", text.casefold()).strip()


def _numbers(plays: Sequence[PeoplePlay], groups: Groups) -> Iterator[Check]:
    won = np.array([play.won for play in plays])
    for kind, values, drawn in (
        ("score", [play.score for play in plays], groups.score),
        ("turns", [play.turns for play in plays], groups.turn),
    ):
        with_value = [index for index, value in enumerate(values) if value is not None]
        whole = len(with_value) == len(plays) and not np.isnan(drawn).any()
        beside = drawn if whole else _as_ended(drawn, groups, plays, with_value)
        if len(with_value) >= FEWEST and not np.isnan(beside).all():
            seen = sum(value for value in values if value is not None) / len(with_value)
            yield _check(kind, "", len(with_value), seen, _means(beside))
    if len(plays) >= FEWEST and all(play.when for play in plays):
        yield _check("streak", "", len(plays), longest(~won[None])[0], longest(~groups.won))


def _as_ended(
    drawn: np.ndarray, groups: Groups, plays: Sequence[PeoplePlay], with_value: Sequence[int]
) -> np.ndarray:
    """Return the values of games that ended as the plays did: float64 [group, play with a value].

    For a play that was won, these are the values of won games, otherwise of lost games, repeated to fill all
    groups. They are nan for a play without such a game.

    Scores recorded only for wins must not be compared with losses. A scored loss must not be compared with
    losses without a score (Castle Itter's breach), because their omission would leave only wins in the mean.
    """
    has_value = ~np.isnan(drawn)
    columns = [drawn[has_value[:, i] & (groups.won[:, i] == plays[i].won), i] for i in with_value]
    none = np.full(1, np.nan)
    return np.column_stack(
        [np.resize(column if len(column) else none, GROUPS) for column in columns] or [none]
    )


def _means(drawn: Floats) -> Floats:
    """Return the mean of each group over games with a value; groups without one are omitted."""
    has_value = ~np.isnan(drawn)
    some = has_value.any(axis=1)
    total: Floats = np.where(has_value, drawn, 0.0)[some].sum(axis=1)
    number: Floats = has_value[some].sum(axis=1)
    return total / number


def longest(lost: np.ndarray) -> np.ndarray:
    """Return the longest losing streak in each group."""
    most = now = np.zeros(len(lost))
    for column in lost.T:
        now = np.where(column, now + 1, 0)
        most = np.maximum(most, now)
    return most


def _losses(plays: Sequence[PeoplePlay], matched: Sequence[str], groups: Groups) -> Iterator[Check]:
    """Yield checks of the endings, compared with the mixture's games.

    Yields nothing if fewer than FEWEST losses have a known ending. If every loss has one, the checks use all
    plays. Otherwise they compare lost games with the losses that have a known ending.
    """
    named = [i for i, play in enumerate(plays) if not play.won and matched[i]]
    if len(named) < FEWEST:
        return
    whole = len(named) == sum(not play.won for play in plays)
    compared = list(range(len(plays))) if whole else named
    ended = groups.ended[:, compared] if whole else _lost_only(groups, named)
    seen = {name: sum(matched[i] == name for i in named) for name in {matched[i] for i in named}}
    counts = {name: (ended == name).any(axis=2).sum(axis=1) for name in {*seen, *np.unique(ended)} - {""}}
    kinds = {_column(ended, name) for name in seen}
    of_kind = [name for name in counts if _column(ended, name) in kinds]
    for name in sorted(of_kind, key=lambda end: (-seen.get(end, 0), -counts[end].mean(), end))[:ENDINGS]:
        yield _check("lost", name, len(compared), seen.get(name, 0), counts[name])


def _lost_only(groups: Groups, named: Sequence[int]) -> np.ndarray:
    """Return the endings of lost games, an array [group, play, 2].

    Each play's games are repeated to fill all groups.
    """
    columns = [groups.ended[~groups.won[:, i], i] for i in named]
    none = np.full((1, 2), "")
    return np.stack([np.resize(column if len(column) else none, (GROUPS, 2)) for column in columns], axis=1)


def _column(ended: np.ndarray, name: str) -> int:
    """Return the column of an end reason (0) or a cause (1); -1 if no policy lost in this way."""
    columns = np.flatnonzero((ended == name).any(axis=(0, 1)))
    return int(columns[0]) if len(columns) else -1


def _check(kind: str, name: str, plays: int, seen: float, drawn: np.ndarray) -> Check:
    p = mid_p(drawn, seen)
    return Check(kind=kind, name=str(name), plays=plays, seen=float(seen), expected=predicted(drawn), p=p)


def predicted(drawn: np.ndarray) -> Interval:
    """Return the mean of a statistic over the drawn groups, with the central 90 % range."""
    middle = interval_of(drawn)
    mean = float(drawn.mean())
    ends = min(middle.low, mean), max(middle.high, mean)
    return Interval(mean, *ends, CREDIBLE, f"{len(drawn):,} groups drawn")


# ------------------- competitive games: comparison of seats and lengths, because a winner does not show skill


class PeopleSeatWins(Document):
    """Wins from one seat or side: share of the plays won by people, and of the games won by policies."""

    seat: str
    plays: int
    wins: int
    share: Interval | None
    policies: float


class NumberBeside(Document):
    """One quantity, compared between plays by people and simulated games."""

    # "turns": the game's unit of length; "rounds": another unit, counted by an app; WINNER and EACH: scores
    name: str
    people: Mean
    policies: Mean | None = None  # None: simulated games do not record this unit


class Contested(Document):
    """Plays in which people played all seats, compared with games of policies."""

    plays: int
    named: int | None = optional()  # distinct people named in these plays; None: saved by an earlier version
    most: int | None = optional()  # maximum number of plays by one person
    left_out: dict[str, int]  # reason -> plays
    games: int
    seats: list[PeopleSeatWins]
    numbers: list[NumberBeside]
    no_scores: str | None = optional()  # why people's scores are not compared; None: they are, or none exist


OTHER_COUNT = "other number of players"
NO_COUNT = "number of players unknown"
NO_RESULT = "result unknown"
SEVERAL_WON = "won by several players"
NO_SEATS = "seats unknown"
ONE_SEAT = "only one player's seat known: counted for that seat alone"
FIRST_ONLY = "only the start player known: counted for the first seat alone"


def contest(log: pl.DataFrame, match: Match, roles: Sequence[str], games: int, source: Source) -> Contested:
    """Compare simulated games with plays in which people play all seats.

    Whether a play counts for a seat does not depend on its winner. Plays in which every seat is known count
    for all seats; plays in which only the start player is known count for the first seat. A play with only
    the winner recorded counts if every such play of its file records the winner's seat.
    """
    rows = source.rows(match, range(games))
    rows = rows[rows["winner"] != TRUNCATED]
    game = match.game
    mine = log.filter((pl.col("game") == game.name) & pl.col("kept"))
    tables, left = [], Counter[str]()
    for _, table in mine.sort("play_id", "row").group_by("play_id", maintain_order=True):
        seats = table.to_dicts()
        if why := other_count(seats, game, len(roles)):
            left[why] += 1
        else:
            tables.append(seats)
    counts = [[0, 0] for _ in roles]  # plays, wins
    for known, won in _standings(tables, roles, game, left):
        for seat in known:
            counts[seat][0] += 1
            counts[seat][1] += won == seat
    sat = Counter(seat["player_key"] for table in tables for seat in table if seat["player_key"])
    scores = _scores(tables, match, rows, len(roles))
    return Contested(
        plays=len(tables),
        named=len(sat),
        most=max(sat.values(), default=0),
        left_out=dict(left),
        games=len(rows),
        seats=[
            PeopleSeatWins(
                seat=role,
                plays=plays,
                wins=wins,
                share=proportion(wins, plays) if plays else None,
                policies=float((rows["winner"] == index).mean()),
            )
            for index, (role, (plays, wins)) in enumerate(zip(roles, counts, strict=True))
        ],
        numbers=[*_lengths(tables, game, rows), *(scores if isinstance(scores, list) else ())],
        no_scores=scores if isinstance(scores, str) else None,
    )


def other_count(seats: Sequence[dict[str, Any]], game: Game, wanted: int) -> str:
    """Return the reason if a play has another number of players; "" otherwise.

    Games whose seats are different sides always return "", because a side may consist of several people.
    """
    if not game.alike:
        return ""
    fixed = not game.players_path  # a game with a fixed number of players
    people = seats[0]["players"] or (len(seats) if len(seats) > 1 else wanted if fixed else None)
    return NO_COUNT if people is None else OTHER_COUNT if people != wanted else ""


# seats that a play counts for; the winning seat (None: no winner)
Standing = tuple[Sequence[int], int | None]


def _standings(
    tables: Sequence[Sequence[dict[str, Any]]], roles: Sequence[str], game: Game, left: Counter[str]
) -> Iterator[Standing]:
    """Yield, for each play, the seats for which it counts and the winning seat (None: no winner).

    left: counter of the incomplete plays by reason.
    """
    placed = [places(table, roles, game.alike) for table in tables]
    alone = _winners_alone(tables, placed)
    for table, where in zip(tables, placed, strict=True):
        results = Counter(seat["result"] for seat in table)
        winners = {place for place, seat in zip(where, table, strict=True) if seat["result"] == "win"}
        begins = [place for place, seat in zip(where, table, strict=True) if seat["start_player"]]
        if results["unknown"] and not results["win"]:
            left[NO_RESULT] += 1
        elif len(winners) > 1 or (results["win"] > 1 and game.alike):
            left[SEVERAL_WON] += 1
        elif None not in where and set(where) == set(range(len(roles))):
            yield range(len(roles)), next(iter(winners), None)
        elif len(table) == 1 and (always := alone.get(table[0]["source"])) is not None:
            if always:
                yield range(len(roles)), where[0] if results["win"] else None
            else:
                left[NO_SEATS] += 1
        elif len(set(where)) == 1 and where[0] is not None and len(results) == 1 and len(roles) == 2:
            yield range(2), None if results["draw"] else where[0] if winners else 1 - where[0]
        elif len(table) == 1 and where[0] is not None:
            left[ONE_SEAT] += 1
            yield [where[0]], where[0] if winners else None
        elif begins == [0] and game.alike:
            left[FIRST_ONLY] += 1
            yield [0], 0 if 0 in winners else None
        else:
            left[NO_SEATS] += 1


def _winners_alone(
    tables: Sequence[Sequence[dict[str, Any]]], placed: Sequence[Sequence[int | None]]
) -> dict[str, bool]:
    """Map each file that records only winners to whether it always records the winner's seat.

    A file that sometimes omits the seat may do so for some seats only.
    """
    files: dict[str, bool] = {}
    for table, where in zip(tables, placed, strict=True):
        seat, source = table[0], table[0]["source"]
        if len(table) == 1:
            files[source] = files.get(source, True) and (seat["result"] != "win" or where[0] is not None)
    losers = {
        table[0]["source"]
        for table, where in zip(tables, placed, strict=True)
        if len(table) == 1
        and table[0]["result"] == "loss"
        and (table[0]["player_key"] or where[0] is not None)
    }
    return {source: always for source, always in files.items() if source not in losers}


def _lengths(
    tables: Sequence[Sequence[dict[str, Any]]], game: Game, rows: np.ndarray
) -> Iterator[NumberBeside]:
    """Yield the lengths of plays, compared with simulated games if they are in the game's unit.

    Lengths in other units, such as an app's rounds, are listed without a comparison.
    """
    lengths = ((table[0]["rounds"], table[0]["rounds_unit"]) for table in tables)
    told = [(length, unit) for length, unit in lengths if length is not None]
    turns = [length for length, unit in told if counts_as(unit, game)]
    if turns:
        yield NumberBeside(name="turns", people=mean_of(turns), policies=mean_of(rows["turn"]))
    for unit in sorted({unit for _, unit in told if not counts_as(unit, game)}):
        others = [length for length, its_unit in told if its_unit == unit]
        yield NumberBeside(name=f"{unit}s", people=mean_of(others))


WINNER, EACH = "winner's score", "score of a player"
NO_OWN = "the simulated games have no score of each player"
NO_WINNER = "no simulated game has one winner"
NOT_ALL = "no play has the scores of all players and one winner"
OTHER_WAY = "the winner has the highest score only in the plays, or only in the simulated games"


def _scores(
    tables: Sequence[Sequence[dict[str, Any]]], match: Match, rows: np.ndarray, seats: int
) -> list[NumberBeside] | str:
    """Return the winner's score and the mean score of the players, compared with simulated games.

    Each play is one value, and only plays with the scores of all players and one winner count, on both sides.
    Returns the reason as text if scores are not compared, for example because people write penalty points as
    positive numbers and the game counts them below 0. Returns [] for plays without scores.
    """
    if not any(seat["score"] is not None for table in tables for seat in table):
        return []
    reporting = match.game.compiled.reporting
    if not reporting or not (columns := reporting.seat_scores(seats)):
        return NO_OWN
    won = [[seat["result"] == "win" for seat in table] for table in tables]
    full = [
        ([seat["score"] for seat in table], wins.index(True))
        for table, wins in zip(tables, won, strict=True)
        if len(table) == seats and sum(wins) == 1 and all(seat["score"] is not None for seat in table)
    ]
    ended = rows[rows["winner"] >= 0]
    if not full:
        return NOT_ALL
    if not len(ended):
        return NO_WINNER
    people = np.array([scores for scores, _ in full], float), np.array([winner for _, winner in full])
    played = np.column_stack([reporting.in_points(ended[column]) for column in columns]), ended["winner"]
    if _wins_high(*people) != _wins_high(*played):
        return OTHER_WAY
    return [
        NumberBeside(name=name, people=mean_of(of(*people).tolist()), policies=mean_of(of(*played)))
        for name, of in ((WINNER, _of_winner), (EACH, lambda scores, _: scores.mean(axis=1)))
    ]


def _of_winner(scores: Floats, winner: np.ndarray) -> Floats:
    own: Floats = scores[np.arange(len(scores)), winner]
    return own


def _wins_high(scores: Floats, winner: np.ndarray) -> bool:
    """Return whether the winner has the highest score more often than the lowest one."""
    own = _of_winner(scores, winner)
    return bool((own >= scores.max(axis=1)).sum() > (own <= scores.min(axis=1)).sum())


class SeatPlan(Document):
    """Number of plays needed to show that people win from a seat as often as policies, within a margin."""

    seat: str
    plays: int
    wins: int
    share: Interval | None
    policies: float
    needed: int | None  # total number of plays; None: more than `testing.MOST`
    more: int | None
    power: float | None
    p: float | None  # p of the exact TOST on the existing plays; None without plays


def seat_plans(contested: Contested, margin: float, power: float) -> list[SeatPlan]:
    """Return the number of plays needed for each seat, if each group plays once.

    The method is the exact equivalence test (TOST).
    """
    plans = []
    for seat in contested.seats:
        rate = min(max(seat.policies, 0.001), 0.999)
        need = to_show_equal(rate, margin, None, power)
        p = max(equivalent_to_known(seat.wins, seat.plays, rate, margin)) if seat.plays else None
        more = (
            None if need is None else 0 if p is not None and p <= ALPHA else max(need.plays - seat.plays, 0)
        )
        plans.append(
            SeatPlan(
                **dict(seat),
                needed=need.plays if need else None,
                more=more,
                power=need.power if need else None,
                p=p,
            )
        )
    return plans
