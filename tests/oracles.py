"""Exact answers for the two example games."""

import numpy as np

GOAL, SIDES = 100, 6


def ruin(p: float, start: int, goal: int) -> float:
    """Chance to reach `goal` before 0 with chance p a bet (Feller XIV.2)."""
    if p == 0.5:
        return start / goal
    odds = (1 - p) / p
    return (1 - odds**start) / (1 - odds**goal)


def pig(mine: int, theirs: int) -> float:
    """Chance of the first player who holds at `mine`, or at the goal, against one who holds at `theirs`."""
    return float(pig_turns(mine, theirs)[0, 0, 0])


def pig_turns(mine: int, theirs: int) -> np.ndarray:
    """[who is to move, own points, the other's]: his chance at the start of a turn.

    The two states that only a lost turn joins are solved as a pair.
    """
    turns = [[_turn(min(at, GOAL - have)) for have in range(GOAL)] for at in (mine, theirs)]
    wins = np.ones((2, 2 * GOAL, 2 * GOAL))  # he has won when his own have reached the goal
    for points in range(2 * GOAL - 2, -1, -1):
        for first in range(max(0, points - GOAL + 1), min(GOAL, points + 1)):
            second = points - first
            gains = [_gain(turns[0][first], first, second, wins[1]), _gain(turns[1][second], second, first, wins[0])]
            lost = turns[0][first][0], turns[1][second][0]
            wins[0, first, second] = (gains[0] + lost[0] * (1 - gains[1] - lost[1])) / (1 - lost[0] * lost[1])
            wins[1, second, first] = gains[1] + lost[1] * (1 - wins[0, first, second])
    return wins


def _gain(turn: np.ndarray, own: int, other: int, wins_of_other: np.ndarray) -> float:
    """Chance to win by a turn that brings something."""
    return sum(
        chance * (1 if own + brought >= GOAL else 1 - wins_of_other[other, own + brought])
        for brought, chance in enumerate(turn)
        if brought and chance
    )


def _turn(hold_at: int) -> np.ndarray:
    """Chances of what one turn brings; 0 when a 1 ends it."""
    brings, reaching = np.zeros(hold_at + SIDES), np.zeros(hold_at + SIDES)
    reaching[0] = 1
    for total in range(hold_at):
        brings[0] += reaching[total] / SIDES
        for face in range(2, SIDES + 1):
            reaching[total + face] += reaching[total] / SIDES
    brings[hold_at:] = reaching[hold_at:]
    return brings


def pig_best() -> tuple[np.ndarray, np.ndarray]:
    """[own points, the other's, at stake]: chance to win by rolling and by holding, if both play best after
    that (Neller & Presser 2004: the first wins 0.5306).

    Value iteration over the starts of turns; within a turn the stake only grows, so its states are worked out
    from the highest one down.
    """
    turn = np.full((GOAL, GOAL), 0.5)  # [own, the other's] at the start of a turn
    roll, hold, best = (np.ones((GOAL + SIDES, GOAL, GOAL)) for _ in range(3))  # [at stake, own, the other's]
    while True:
        for stake in reversed(range(GOAL)):
            hold[stake, : GOAL - stake] = 1 - turn[:, stake:].T
            roll[stake] = (1 - turn.T + best[stake + 2 : stake + SIDES + 1].sum(axis=0)) / SIDES
            best[stake] = np.maximum(roll[stake], hold[stake])
        if np.abs(best[0] - turn).max() < 1e-9:
            return tuple(np.moveaxis(one[:GOAL], 0, 2) for one in (roll, hold))
        turn = best[0].copy()
