"""Playing on while the memory of policies is wiped, or filled by other games."""

from collections.abc import Callable

import numpy as np

from bartizan.simcore.compile.memory import MEMORY
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.replay import OneGame
from bartizan.simcore.rng import next_policy_luck


def rows_by_hand(match: Match, games: int, before: Callable[[OneGame], None] = lambda one: None) -> np.ndarray:
    """Record rows of the first games, as a batch plays them; `before` is called before each decision."""
    one, rows = OneGame(match), []
    for number in range(games):
        one.begin(match.seed, number)
        while not one.is_over:
            before(one)
            action = one.decide()
            if not one.is_over:
                one.apply(action)
        rows.append(one.record())
    return np.array(rows)


def memories(one: OneGame) -> np.ndarray:
    """The memory of each seat, float64 [seat, word]; changing it changes theirs."""
    return one._workspace.weights[:, -MEMORY:]


def wiped(one: OneGame) -> None:
    memories(one)[:] = 0


def filled_by_others(match: Match) -> Callable[[OneGame], None]:
    """Before each decision the policies decide at a moment of another game, with the memory they have."""
    other, number = OneGame(match), 10_000
    other.begin(match.seed + 1, number)

    def think_of_another_game(one: OneGame) -> None:
        nonlocal number
        if other.is_over:
            number += 1
            other.begin(match.seed + 1, number)
        legal, seat = other.legal(), other.seat
        next_policy_luck(other.state)
        row = one._workspace.weights[seat]
        other.play(int(match.functions()[seat](other.state, other.tables, legal.copy(), len(legal), row)))

    return think_of_another_game
