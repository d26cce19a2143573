"""Goofspiel with few cards, exactly: best replies on the tree of the game file, and the equilibrium by backward induction."""

from collections.abc import Callable
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from bartizan.policies.registry import find_player, find_policy
from bartizan.policies.request import Request
from bartizan.simcore.arrays import as_records
from bartizan.simcore.compile.loops import new_states
from bartizan.simcore.play.batch import Batch
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.replay import set_up
from tests.cli.run_cli import ROOT, bartizan
from tests.poker import chooser_of, match_of, uniform

GOOFSPIEL = ROOT / "examples/short/goofspiel.py"
Chooser = Callable[[Any, np.ndarray], np.ndarray]


def worth_of(matrix: np.ndarray) -> tuple[float, np.ndarray]:
    """Value and an optimal mixture of the first player of a matrix game: the square submatrices are tried (Shapley and Snow 1950)."""
    rows, columns = matrix.shape
    shifted = matrix - matrix.min() + 1
    for size in range(1, min(rows, columns) + 1):
        for chosen in combinations(range(rows), size):
            for against in combinations(range(columns), size):
                square = shifted[np.ix_(chosen, against)]
                if abs(np.linalg.det(square)) < 1e-9:
                    continue
                one, other = np.linalg.solve(square.T, np.ones(size)), np.linalg.solve(square, np.ones(size))
                if one.sum() <= 0 or (one < -1e-9).any() or (other < -1e-9).any():
                    continue
                value, mixture, reply = 1 / one.sum(), np.zeros(rows), np.zeros(columns)
                mixture[list(chosen)], reply[list(against)] = one / one.sum(), other / other.sum()
                if (mixture @ shifted).min() > value - 1e-9 and (shifted @ reply).max() < value + 1e-9:
                    return value + matrix.min() - 1, mixture
    raise AssertionError("every matrix game has a value")


@cache
def best_play(mine: tuple, theirs: tuple, prize: int, left: tuple) -> tuple[float, np.ndarray]:
    """Points more than the other's from here on under best play of both, and how to mix. left: prizes not turned up."""
    payoffs = np.array([[float(np.sign(a - b) * prize) for b in theirs] for a in mine])
    for i, a in enumerate(mine):
        for j, b in enumerate(theirs):
            rest = tuple(c for c in mine if c != a), tuple(c for c in theirs if c != b)
            ways = [best_play(*rest, other, tuple(c for c in left if c != other))[0] for other in left]
            payoffs[i, j] += np.mean(ways) if ways else 0
    return worth_of(payoffs)


class Tree:
    """A game file whose two players both follow `chances`; what the best reply of each seat gains against it."""

    def __init__(self, match: Match, chances: Chooser):
        self.match, self.engine, self.tables, self.chances = match, match.engine, match.tables(), chances
        self.states = as_records(new_states(self.engine, 40))
        self.known: dict[bytes, np.ndarray] = {}

    def copy(self, depth: int):
        self.states[depth + 1] = self.states[depth]
        return self.states[depth + 1]

    def legal(self, state) -> np.ndarray:
        room = np.zeros(self.engine.max_legal, np.int32)
        return room[: self.engine.legal_actions(state, self.tables, room)].copy()

    def replies(self) -> np.ndarray:
        """Points that the best reply in each seat wins, by the mean over the first prize."""
        set_up(self.engine, self.states[:1], self.tables, 1, 1)
        first, gains = self.states[0], []
        cards = sorted([int(first.stake[1]), *first.prizes[1 : 1 + first.prizes[0]].tolist()])
        for prize in cards:
            others = [card for card in cards if card != prize]
            first.stake[1], first.prizes[1 : 1 + len(others)] = prize, others
            gains.append(self.gain(0))
        return np.mean(gains, axis=0)

    def gain(self, depth: int) -> np.ndarray:
        here = self.states[depth]
        if here.end_reason:
            return np.zeros(2)
        left = sorted(here.prizes[1 : 1 + here.prizes[0]].tolist())
        key = b"".join(part.tobytes() for part in (here.hand, here.points, here.stake, np.array(left)))
        if key not in self.known:
            self.known[key] = self.computed(depth, left)
        return self.known[key]

    def computed(self, depth: int, left: list[int]) -> np.ndarray:
        here = self.states[depth]
        first, before = int(here.me), here.points.copy()
        legal, mixed = [self.legal(here)], [self.chances(here, self.legal(here))]
        for held in legal[0][[0, -1]]:
            second = self.copy(depth)
            self.engine.apply(second, self.tables, np.int32(held))
            assert int(second.me) == 1 - first
            legal.append(self.legal(second))
            mixed.append(self.chances(second, legal[-1]))
        # whatever the first player holds, the second one does the same
        assert (legal[1] == legal[2]).all() and (mixed[1] == mixed[2]).all()
        worths = np.zeros((2, len(legal[0]), len(legal[1])))
        for i, one in enumerate(legal[0]):
            for j, other in enumerate(legal[1]):
                for prize in left or [0]:
                    second = self.copy(depth)
                    others = [card for card in left if card != prize]
                    second.prizes[1 : 1 + len(left)] = [*others, prize][: len(left)]
                    self.engine.apply(second, self.tables, np.int32(one))
                    self.engine.apply(second, self.tables, np.int32(other))
                    lead = (second.points - before)[0] - (second.points - before)[1]
                    after = self.gain(depth + 1) + lead * np.array([1, -1])
                    worths[:, i, j] += after / len(left or [0])
        replies = np.zeros(2)
        replies[first] = (worths[first] @ mixed[1]).max()
        replies[1 - first] = (mixed[0] @ worths[1 - first]).max()
        return replies


def with_cards(folder, cards: int) -> str:
    path = folder / f"goofspiel_{cards}.py"
    path.write_text(GOOFSPIEL.read_text().replace("CARDS = 13 ", f"CARDS = {cards} "))
    return str(path)


def equilibrium(state, legal) -> np.ndarray:
    me = int(state.me)
    mine, theirs = (tuple(np.flatnonzero(state.hand[p][1:]) + 1) for p in (me, 1 - me))
    left = tuple(sorted(state.prizes[1 : 1 + state.prizes[0]].tolist()))
    return best_play(mine, theirs, int(state.stake[1]), left)[1]


@pytest.mark.parametrize("cards", [3, 4])
def test_the_best_reply_to_random_play_wins_as_much_as_matching_the_prize(cards, kept_folder):
    """(n² - 1) / 6 points (Ross 1971), and nobody wins against best play."""
    match = match_of(with_cards(kept_folder, cards))
    assert Tree(match, uniform).replies() == pytest.approx([(cards**2 - 1) / 6] * 2)
    assert Tree(match, equilibrium).replies() == pytest.approx([0, 0], abs=1e-9)


@pytest.mark.parametrize(("cards", "mixes"), [(3, []), (4, [2, 3])])
def test_best_play_matches_the_prize_with_three_cards_and_mixes_with_four(cards, mixes):
    hand = tuple(range(1, cards + 1))
    for prize in hand:
        value, mixture = best_play(hand, hand, prize, tuple(card for card in hand if card != prize))
        assert value == pytest.approx(0, abs=1e-9)
        assert (mixture.max() < 0.9) if prize in mixes else (mixture[prize - 1] == pytest.approx(1))


def test_matching_the_prize_beats_random_by_28_points():
    game = Request(str(GOOFSPIEL)).game
    players = find_player(game, "matching"), find_player(game, "random")
    rows = Batch(Match(game, Request(str(GOOFSPIEL)).loaded, players, 1)).play(range(20_000))
    lead = rows["score_0"] - rows["score_1"]
    assert abs(lead.mean() - 28) < 4 * lead.std() / np.sqrt(len(lead))
    players = find_player(game, "matching:over=1"), find_player(game, "matching")
    rows = Batch(Match(game, Request(str(GOOFSPIEL)).loaded, players, 1)).play(range(20))
    assert set(rows["score_0"]) == {sum(range(1, 13))} and set(rows["score_1"]) == {13}


def trained(path: str, out, rounds: int, seed: int = 1):
    words = ("--mixed", "--objective", "score", "--rounds", rounds, "--seeds", 1, "--seed", seed)
    assert bartizan("train", path, "--learn", "-o", out, "--fresh", 100, *words).code == 0
    return find_policy(Request(path).game, f"learned@{out}")


@pytest.mark.parametrize(
    ("cards", "rounds", "most"),
    [pytest.param(3, 2, 0.1, marks=pytest.mark.rotating), pytest.param(4, 30, 0.4, marks=pytest.mark.slow)],
)
def test_mixed_training_approaches_the_equilibrium(cards, rounds, most, kept_folder, tmp_path):
    """Uniform play loses 1.33 points to a best reply with three cards, and 2.5 with four."""
    path = with_cards(kept_folder, cards)
    policy = trained(path, tmp_path / "player.learned", rounds)
    match = match_of(path)
    assert Tree(match, chooser_of(policy, match)).replies().mean() < most
