"""Kuhn and Leduc poker exactly: the tree of a game file, and what a best response wins against a policy."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from bartizan.policies import learned
from bartizan.policies.registry import find_player
from bartizan.policies.request import Request
from bartizan.simcore.arrays import as_records
from bartizan.simcore.compile.loops import new_states
from bartizan.simcore.compile.rules import PLAYING
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.replay import set_up

History = tuple[str, ...]  # actions and shared cards: "a1", "s2"
Chooser = Callable[[Any, np.ndarray], np.ndarray]  # state and legal actions -> chances


def uniform(state: Any, legal: np.ndarray) -> np.ndarray:
    return np.full(len(legal), 1 / len(legal))


def match_of(path: str) -> Match:
    game = Request(path).game
    return Match(game, Request(path).loaded, (find_player(game, game.default_policy),) * 2, 3, deals=True)


def chooser_of(policy: learned.Learned, match: Match) -> Chooser:
    """The chances with which a learned player takes each action."""
    engine, tables, row = match.engine, match.tables(), np.zeros(1)
    weigh, _ = learned.weighing_of(policy.layout, policy.model, policy.is_mixed, None, engine)

    def chances(state: Any, legal: np.ndarray) -> np.ndarray:
        parts = np.zeros(len(legal), np.int64)
        n = weigh(state, tables, legal, len(legal), row, parts)
        return parts / parts.sum() if policy.is_mixed else np.eye(n)[parts.argmax()]

    return chances


@dataclass
class Tree:
    """copies: cards of each kind; chances: (mover, own card, history) -> {action: chance}; ends: (both cards, history)
    -> chips of the first player.
    """

    copies: tuple[int, ...]
    chances: dict[tuple[int, int, History], dict[str, float]]
    ends: dict[tuple[tuple[int, int], History], float]

    def __post_init__(self) -> None:
        self.movers = {history: mover for mover, _, history in self.chances}
        self.after: dict[History, set[str]] = {}
        for _, history in self.ends:
            for i in range(len(history)):
                self.after.setdefault(history[:i], set()).add(history[i])

    def best_response(self, me: int) -> float:
        """Chips that the best player in seat `me` wins a game."""
        total = sum(self.copies)
        chances = [
            [have * (left - (own == other)) / (total * (total - 1)) for other, left in enumerate(self.copies)]
            for own, have in enumerate(self.copies)
        ]
        return sum(self._worth(me, own, (), np.array(reach)) for own, reach in enumerate(chances))

    def _worth(self, me: int, own: int, history: History, reach: np.ndarray) -> float:
        """reach: chance of each card of the other player, and that all of this happens."""
        if not reach.any():
            return 0.0
        if history not in self.after:
            hands = [(own, other) if me == 0 else (other, own) for other in range(len(reach))]
            chips = (r * self.ends[hand, history] for r, hand in zip(reach, hands, strict=True) if r)
            return float(sum(chips)) * (1 if me == 0 else -1)
        ways = {}
        for step in self.after[history]:
            if history not in self.movers:  # a card is shared
                card = int(step[1:])
                left = np.array([self.copies[card] - (own == card) - (o == card) for o in range(len(reach))])
                part = left.clip(0) / (sum(self.copies) - 2)
            elif self.movers[history] == me:
                part = np.ones(len(reach))
            else:
                part = np.array(
                    [self.chances[1 - me, o, history].get(step, 0) if r else 0 for o, r in enumerate(reach)]
                )
            ways[step] = self._worth(me, own, (*history, step), reach * part)
        return max(ways.values()) if self.movers.get(history) == me else sum(ways.values())

    @property
    def exploitability(self) -> float:
        """Chips a game that best responses win on average over both seats."""
        return (self.best_response(0) + self.best_response(1)) / 2


def tree_of(match: Match, chances: Chooser, copies: tuple[int, ...], games: int) -> Tree:
    """The tree as it is met by every action in so many games; these must include every deal."""
    engine, tables = match.engine, match.tables()
    states = as_records(new_states(engine, 16))
    has_shared = "shared" in engine.state_dtype.names
    found: dict[tuple[int, int, History], dict[str, float]] = {}
    ends: dict[tuple[tuple[int, int], History], float] = {}

    def walk(depth: int, cards: tuple[int, int], history: History) -> None:
        state = states[depth]
        if state.end_reason != PLAYING:
            ends[cards, history] = float(state.points[0])
            return
        legal = np.zeros(engine.max_legal, np.int32)
        n = engine.legal_actions(state, tables, legal)
        key = int(state.to_move), cards[state.to_move], history
        if key not in found:
            share = chances(state, legal[:n].copy()) if n > 1 else np.ones(1)
            found[key] = {f"a{a}": float(c) for a, c in zip(legal[:n], share, strict=True)}
        for action in legal[:n]:
            states[depth + 1] = state
            before = int(state.shared[0]) if has_shared else 0
            engine.apply(states[depth + 1], tables, np.int32(action))
            after = states[depth + 1]
            is_dealt = has_shared and int(after.shared[0]) > before
            walk(depth + 1, cards, (*history, f"a{action}", *([f"s{after.shared[1]}"] if is_dealt else [])))

    for game in range(games):
        first = set_up(engine, states, tables, match.seed, game)
        walk(0, (int(first.hand[0][1]), int(first.hand[1][1])), ())
    return Tree(copies, found, ends)
