"""Value of a game between two different sides, by alternating best responses.

The method is the double oracle (McMahan, Gordon & Blum 2003; with trained responses, PSRO: Lanctot et al.
2017). Each side has a pool of players. In every round, all pairs play on common random numbers. Solving the
table of results as a matrix game gives each side a mixture. Each side's best response to the other's mixture
is trained, and joins the pool if it gains on held-out games.

The first side's payoff is 1 for a win and a fraction for a draw; the second side gets the rest.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from math import prod

import numpy as np

from bartizan.analyses.experiments.training import (
    Course,
    Evaluator,
    TrainingVolume,
    games_of_search,
    portions,
    search,
)
from bartizan.analyses.experiments.tuning import FRESH
from bartizan.analyses.records.equilibria import BestResponse, EndCounts, Hunt, Member, Pair, Round
from bartizan.analyses.records.rung_ends import (
    DRAWN,
    LOST,
    TRUNCATED_END,
    WON,
    ends_of,
    gain,
    win_rate,
    worth,
)
from bartizan.analyses.statistics import matrix_game
from bartizan.analyses.statistics.paired import Effect
from bartizan.analyses.statistics.testing import jointly
from bartizan.simcore.compile.rules import NOBODY, TRUNCATED
from bartizan.simcore.errors import EngineError
from bartizan.simcore.game import Game
from bartizan.simcore.play.batch import Source, Stretch
from bartizan.simcore.play.match import Match, Player
from bartizan.simcore.scenario.loading import Scenario

METHOD = (
    "double oracle (McMahan, Gordon & Blum 2003; PSRO, Lanctot et al. 2017), best responses by CMA-ES; the "
    "value from held-out games of the mixtures; gains of mixture and response on the same held-out seeds"
)
ENDS = {"won": WON, "drawn": DRAWN, "lost": LOST, "cut_off": TRUNCATED_END}
PARTS = 1000  # number of parts into which the games of a mixture are divided
SEEDS = 5  # seeds per round: two for each search, one for the held-out games

Mixture = Mapping[str, float]  # member -> share of the games


@dataclass(frozen=True, eq=False)
class Standoff:
    """A game between two sides, with the policies of each side and the training effort."""

    game: Game
    scenario: Scenario
    roles: tuple[str, str]
    players: tuple[Mapping[str, Player], Mapping[str, Player]]  # per side: policy as named -> player
    trainable: tuple[tuple[str, ...], tuple[str, ...]]  # per side: policies whose weights can be trained
    draw: float  # value of a drawn game for the first side
    seed: int
    volume: TrainingVolume  # games: also those of each pair; fresh: those of each gain

    def seated(self, *members: Member) -> tuple[Player, ...]:
        """Return the players of a match: one member of each side."""
        return tuple(
            replace(players[member.policy], name=member.name, weights=member.weights)
            for players, member in zip(self.players, members, strict=True)
        )

    def luck(self, number: int, use: int) -> int:
        """Return the random seed of one purpose in a round.

        number: the round, counted from 1. use: number of the purpose, below SEEDS. All purposes have
        different games, which also differ from those of the table of results.
        """
        return (self.seed + FRESH * (SEEDS * number + use)) % 2**63

    def worths(self, ends: str) -> np.ndarray:
        """Return float64 [game]: the first side's payoff. A truncated game counts as a draw."""
        return np.array(worth(ends, self.draw, self.draw))

    def worth_of(self, rows: np.ndarray, seat: int) -> np.ndarray:
        """Return float64 [game]: a seat's payoff, which its best response maximises."""
        winner = rows["winner"]
        drawn = (winner == NOBODY) | (winner == TRUNCATED)
        first = np.where(drawn, self.draw, winner == 0)
        return first if seat == 0 else 1.0 - first


class DoubleOracle:
    """The rounds of a double oracle. Games that are already known are not simulated again.

    hunt: extended in place. keep: called after each extension. The result does not depend on the workers.
    """

    def __init__(
        self, standoff: Standoff, hunt: Hunt, source: Source, keep: Callable[[], None] = lambda: None
    ):
        self.standoff, self.hunt, self.source, self.keep = standoff, hunt, source, keep

    def play(self, rounds: int) -> None:
        """Run rounds until there are `rounds` of them, or the last round found no significant gain."""
        self.source.expect(self._most_games(rounds - len(self.hunt.rounds)))
        while len(self.hunt.rounds) < rounds and not self.hunt.is_settled:
            self._meet()
            first, second = self._pools()
            met = [[self.hunt.ends(member.name, other.name) or "" for other in second] for member in first]
            payoffs = np.array([[self.standoff.worths(ends).mean() for ends in row] for row in met])
            mixtures = mixtures_of(matrix_game.solve(payoffs), self._pools())
            begins = [self._begins(side, mixtures, payoffs) for side in (0, 1)]
            for side in range(len(self.hunt.found), 2):
                self._respond(side, begins[side], mixtures[1 - side])
            self._close(self._judged(begins, mixtures))

    def _most_games(self, rounds: int) -> int:
        """Return the maximum number of games if each of `rounds` rounds adds two policies."""
        volume, pools = self.standoff.volume, self._pools()
        searches = [
            games_of_search(
                volume, max((len(one.weights) for one in pool if one.policy in trainable), default=1)
            )
            for pool, trainable in zip(pools, self.standoff.trainable, strict=True)
        ]
        pairs = prod(len(pool) + max(rounds - 1, 0) for pool in pools) - len(self.hunt.table)
        return pairs * volume.games + rounds * (sum(searches) + 3 * volume.fresh)

    def _pools(self) -> list[list[Member]]:
        return list(self.hunt.pools.values())

    # ------------------------------------------------------------ the table

    def _meet(self) -> None:
        """Simulate the games of every pair of members that is not in the table yet."""
        games = self.standoff.volume.games
        pools = product(*self._pools())
        pairs = [(one, two) for one, two in pools if self.hunt.ends(one.name, two.name) is None]
        stretches = (self._stretch(pair, self.standoff.seed, range(games)) for pair in pairs)
        for stretch, rows in self.source.play(stretches):
            first, second = stretch.key
            self.hunt.table.append(Pair(first=first.name, second=second.name, ends=ends_of(rows, 0)))
            self.keep()

    def _stretch(self, pair: tuple[Member, Member], seed: int, games: range) -> Stretch:
        match = Match(self.standoff.game, self.standoff.scenario, self.standoff.seated(*pair), seed)
        name = " against ".join(member.name for member in pair)
        return Stretch(self.source.ready(match), games, name, key=pair)

    # ------------------------------------------------------------ best responses

    def _begins(self, side: int, mixtures: Sequence[Mixture], payoffs: np.ndarray) -> Member:
        """Return the trainable member that does best against the other side's mixture."""
        mine, others = self._pools()[side], self._pools()[1 - side]
        shares = np.array([mixtures[1 - side].get(member.name, 0.0) for member in others])
        gets = payoffs @ shares if side == 0 else -(shares @ payoffs)
        able = [i for i, member in enumerate(mine) if member.policy in self.standoff.trainable[side]]
        return mine[max(able, key=lambda i: (round(float(gets[i]), 6), i))]

    def _respond(self, side: int, begins: Member, against: Mixture) -> None:
        """Train the best response of a side, or resume an interrupted search."""
        others = [member for member in self._pools()[1 - side] if member.name in against]
        pairs = [(begins, member) if side == 0 else (member, begins) for member in others]
        tables = [
            (self.standoff.seated(*pair), parts_of(against[member.name]))
            for pair, member in zip(pairs, others, strict=True)
        ]
        course = Course(
            self.standoff.game,
            tuple(begins.weights),
            {self.standoff.scenario.difficulty: self.standoff.scenario},
            tables[0][0],
            side,
            self.standoff.luck(self._number, 2 * side),
            tuple(tables),
            self.standoff.worth_of,
        )
        name = f"round {self._number}: {self.standoff.roles[side]} trains"
        evaluator = Evaluator(course, self.source)
        weights, _ = search(evaluator, self.standoff.volume, self.hunt.progress, self._keep_progress, name)
        self.hunt.found.append(weights)
        self._keep_progress([])

    def _keep_progress(self, progress: list[list[float]]) -> None:
        self.hunt.progress = [list(values) for values in progress]
        self.keep()

    @property
    def _number(self) -> int:
        return len(self.hunt.rounds) + 1

    # --------------------------------------------------------------- their gains

    def _judged(self, begins: Sequence[Member], mixtures: Sequence[Mixture]) -> Round:
        """Evaluate the mixtures and both responses on the same held-out games.

        Raises EngineError if fewer than two of these games end.
        """
        newest = [
            Member(policy=one.policy, weights={**one.weights, **trained}, round=self._number)
            for one, trained in zip(begins, self.hunt.found, strict=True)
        ]
        ends = partial(self._fresh, mixtures)
        base, first, second = ends(None, None), ends(newest[0], None), ends(None, newest[1])
        gains = [gain(base, first, self.standoff.draw), gain(second, base, self.standoff.draw)]
        if None in gains:
            raise EngineError(
                "equilibrium: fewer than two of the held-out games ended, and the others were truncated; "
                "use more games, or raise the limit that truncates them"
            )
        differences = [effect.difference for effect in gains if effect is not None]
        clear = [_is_clear(effect) for effect in gains if effect is not None]
        responses = {
            role: BestResponse(
                begins=begun.name,
                weights=one.weights,
                gain=difference.interval,
                games=difference.n,
                joins=is_clear
                and difference.interval.estimate > 0
                and all(one.weights != member.weights for member in pool),
            )
            for role, begun, one, difference, is_clear, pool in zip(
                self.standoff.roles, begins, newest, differences, clear, self._pools(), strict=True
            )
        }
        return Round(
            value=win_rate(base, self.standoff.draw),
            ends=EndCounts(**{name: base.count(letter) for name, letter in ENDS.items()}),
            mixtures=dict(zip(self.standoff.roles, map(dict, mixtures), strict=True)),
            responses=responses,
        )

    def _fresh(self, mixtures: Sequence[Mixture], first: Member | None, second: Member | None) -> str:
        """Return the ends of held-out games between mixtures, or with a response in place of a mixture.

        Each pair of members has a fixed part of the games, even if a response replaces a member.
        """
        pools = [
            [one for one in pool if one.name in mixture]
            for pool, mixture in zip(self._pools(), mixtures, strict=True)
        ]
        pairs = list(product(*pools))
        parts = [parts_of(mixtures[0][one.name]) * parts_of(mixtures[1][two.name]) for one, two in pairs]
        seed = self.standoff.luck(self._number, SEEDS - 1)
        stretches = (
            self._stretch((first or one, second or two), seed, games)
            for (one, two), games in zip(
                pairs, portions(range(self.standoff.volume.fresh), parts), strict=True
            )
            if games
        )
        return "".join(ends_of(rows, 0) for _, rows in self.source.play(stretches))

    def _close(self, played: Round) -> None:
        """Close the round. Responses with a significant gain join the pools."""
        for pool, response in zip(self._pools(), played.responses.values(), strict=True):
            if response.joins:
                policy = next(member.policy for member in pool if member.name == response.begins)
                pool.append(Member(policy=policy, weights=response.weights, round=self._number))
        self.hunt.rounds.append(played)
        self.hunt.found = []
        self.keep()


def _is_clear(gain: Effect) -> bool:
    """Return whether a response gains or loses significantly, with intervals simultaneous over both sides."""
    interval = jointly(gain.at, 2) if gain.at else gain.difference.interval
    return gain.difference.is_clear and not interval.low <= 0 <= interval.high


def mixtures_of(solution: matrix_game.Solution, pools: Sequence[Sequence[Member]]) -> list[dict[str, float]]:
    """Return the nonzero shares of the members of each side, rounded to multiples of 1 / PARTS."""
    shares = zip(pools, (solution.first, solution.second), strict=True)
    return [
        {member.name: round(share, 3) for member, share in zip(pool, side, strict=True) if parts_of(share)}
        for pool, side in shares
    ]


def parts_of(share: float) -> int:
    return round(share * PARTS)


def shares_of(hunt: Hunt, played: Round) -> dict[str, float]:
    """Return the share of each ending if both sides play a round's mixtures.

    Endings are from the first side's point of view.

    The shares come from the games that estimate the value or, without such games, from the games of the
    table.
    """
    if played.ends:
        return {name: getattr(played.ends, name) / played.ends.games for name in ENDS}
    first, second = played.mixtures.values()
    whole = sum(first.values()) * sum(second.values())  # rounding leaves it near 1
    met = [
        (mine * theirs / whole, hunt.ends(member, other) or "")
        for (member, mine), (other, theirs) in product(first.items(), second.items())
    ]
    return {
        name: sum(share * ends.count(letter) / len(ends) for share, ends in met)
        for name, letter in ENDS.items()
    }
