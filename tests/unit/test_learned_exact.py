"""Learned players beside exact answers: poker by its whole tree, games of one player by best play."""

import json

import numpy as np
import pytest

from bartizan.policies.registry import find_player, find_policy
from bartizan.policies.request import Request
from bartizan.simcore.play.batch import Batch
from bartizan.simcore.play.match import Match
from tests.cli.run_cli import ROOT, bartizan
from tests.poker import Tree, chooser_of, match_of, tree_of, uniform

SHORT = ROOT / "examples/short"
KUHN, LEDUC, BOX = (str(SHORT / f"{name}.py") for name in ("kuhn", "leduc", "shut_the_box"))
DEALS = {KUHN: ((1, 1, 1), 60), LEDUC: ((2, 2, 2), 400)}  # cards of each kind; games that include every deal


def tree(path, policy=None) -> Tree:
    match = match_of(path)
    return tree_of(match, chooser_of(policy, match) if policy else uniform, *DEALS[path])


@pytest.mark.parametrize(("path", "nodes", "published"), [(KUHN, 12, 11 / 12), (LEDUC, 288, 4.747222222)])
def test_poker_is_the_published_game(path, nodes, published):
    """The sum of both best responses against uniform play is the published one (OpenSpiel, `exploitability_test.py`)."""
    exact = tree(path)
    assert len([one for one in exact.chances.values() if len(one) > 1]) == nodes
    assert 2 * exact.exploitability == pytest.approx(published, abs=1e-8)


def test_a_player_of_leduc_sees_all_that_the_published_game_remembers():
    """Each of the 288 information sets is another position: who bet first counts in the second round too."""
    seen = set()

    def chooser(state, legal):
        shared = int(state.shared[1]) if state.shared[0] else None
        chips = *state.pot.tolist(), int(state.bets), int(state.asked), int(state.opener)
        seen.add((int(state.to_move), int(state.hand[state.to_move][1]), shared, chips))
        return uniform(state, legal)

    tree_of(match_of(LEDUC), chooser, *DEALS[LEDUC])
    assert len(seen) == 288


def test_kuhn_is_worth_an_eighteenth_to_the_second_player():
    game = Request(KUHN).game
    match = Match(game, Request(KUHN).loaded, (find_player(game, "kuhn"),) * 2, 5)
    chips = Batch(match).play(range(200_000))["score_0"]
    assert abs(chips.mean() + 1 / 18) < 4 * chips.std() / np.sqrt(len(chips))


def best_box():
    """Chance to shut the box by best play: by backward induction over the sets of tiles that stand."""
    sums = [sum(tile + 1 for tile in range(9) if tiles >> tile & 1) for tiles in range(512)]
    by_sum = [[tiles for tiles in range(512) if sums[tiles] == total] for total in range(13)]
    best = np.ones(512)
    for tiles in sorted(range(1, 512), key=sums.__getitem__):
        ways = [max((best[tiles ^ c] for c in by_sum[total] if c & ~tiles == 0), default=0.0) for total in range(13)]
        two = [a + b for a in range(1, 7) for b in range(1, 7)]
        best[tiles] = np.mean([ways[roll] for roll in (range(1, 7) if sums[tiles] <= 6 else two)])
    return best[511]


def test_best_play_of_shut_the_box():
    """The highest tiles come near to it."""
    game = Request(BOX).game
    wins = Batch(Match(game, Request(BOX).loaded, (find_player(game, "highest"),), 1)).play(range(5000))["winner"] == 0
    best = best_box()
    assert best == pytest.approx(0.0976137, abs=1e-6) and abs(best - wins.mean()) < 4 * (best / 5000) ** 0.5


# ---------------------------------------------------------------- trainings


def trained(path, tmp_path, *words):
    out = tmp_path / "player.learned"
    assert bartizan("train", path, "--learn", "-o", out, "--fresh", 100, *words).code == 0
    return find_policy(Request(path).game, f"learned@{out}"), json.loads(out.read_text())


@pytest.mark.parametrize(
    ("path", "rounds", "seed", "most"),
    [
        pytest.param(KUHN, 2, 1, 0.05, marks=pytest.mark.rotating),
        *(pytest.param(LEDUC, 60, seed, 0.2, marks=pytest.mark.slow) for seed in (1, 2, 3)),
    ],
)
def test_a_mixing_player_of_poker_is_hard_to_exploit(path, rounds, seed, most, tmp_path):
    words = ("--mixed", "--objective", "score", "--rounds", rounds, "--seeds", 1, "--seed", seed)
    policy, facts = trained(path, tmp_path, *words)
    assert "keys" in facts["network"] and tree(path, policy).exploitability < most
