"""Detection of cycles in games that do not end.

A cycle is a recurring position, with the actions between its occurrences.
"""

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from bartizan.simcore.compile.loops import naming_mistakes
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.replay import OneGame, action_words
from bartizan.simcore.rng import LUCK_FIELDS

WATCHED = 1_000  # decisions of a game that are examined
LEAST = 3  # minimum occurrences of a position
LONGEST = 8  # decisions of a cycle that are listed
SMALL = 64  # largest field in which each number is examined
# fields that change in every game
ALWAYS = {name for name, *_ in LUCK_FIELDS} | {"events", "n_events", "done", "turn", "begun"}


@dataclass(frozen=True)
class Cycle:
    """One cycle of a game that repeats a position.

    times: number of occurrences of the position in the first `WATCHED` decisions. growing: fields of the
    state that only increase, and are ignored.
    """

    game: int
    first: int  # the decision before which the position first occurs
    times: int
    actions: tuple[str, ...]  # from the position back to it, in words
    growing: tuple[str, ...]

    def words(self) -> str:
        shown = ", ".join(self.actions[:LONGEST])
        left = len(self.actions) - LONGEST
        more = f", and {left} more decision{'s' * (left > 1)}" if left > 0 else ""
        grew = f" (only {', '.join(self.growing)} grew)".replace("_", " ") if self.growing else ""
        return (
            f"game {self.game} runs in a cycle: the position before decision {self.first} occurs "
            f"{self.times} times within {WATCHED:,} decisions{grew}; the cycle: {shown}{more}"
        )


def cycle_of(match: Match, game: int) -> Cycle | None:
    """Return the shortest cycle from the most frequent position of a game.

    Returns None if no position occurs LEAST times in the first WATCHED decisions, or if the engine is live.
    """
    if match.engine.live:
        return None
    states, actions = _watched(match, game)
    fields = [name for name in states.dtype.names if name not in ALWAYS]
    for left_out in ([], _growing(states, fields)):
        keys = [name for name in fields if name not in left_out]
        positions = [b"".join(state[name].tobytes() for name in keys) for state in states]
        position, times = Counter(positions).most_common(1)[0]
        if times >= LEAST:
            at = [i for i, one in enumerate(positions) if one == position]
            start, end = min(pairwise(at), key=lambda pair: pair[1] - pair[0])
            return Cycle(game, at[0], times, tuple(actions[start:end]), tuple(left_out))
    return None


def _watched(match: Match, game: int) -> tuple[np.ndarray, list[str]]:
    """Return the states before each of the first WATCHED decisions of a game, and the actions as text."""
    played, states, actions = OneGame(match), [], []
    roles = match.game.roles_in(match.scenario)
    with naming_mistakes(match.engine):
        played.begin(match.seed, game)
        while not played.is_over and len(actions) < WATCHED:
            states.append(played.state.copy())
            action = played.decide()
            if not played.is_over:
                who = f"{roles[int(states[-1]['to_move'])]}: " if len(roles) > 1 else ""
                actions.append(who + action_words(played, action))
                played.apply(action)
    return np.array(states), actions


def _growing(states: np.ndarray, fields: list[str]) -> list[str]:
    """Return the fields of at most SMALL numbers that change but never decrease."""
    found = []
    for name in fields:
        values = states[name].reshape(len(states), -1).astype(np.int64)
        steps = np.diff(values, axis=0)
        if values.shape[1] <= SMALL and steps.any() and (steps >= 0).all():
            found.append(name)
    return found
