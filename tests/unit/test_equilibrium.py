"""The equilibrium: matrix games of known value, games shared out among opponents, what a round says, damaged files."""

import json
from functools import cache

import numpy as np
import pytest

from bartizan.analyses.experiments.equilibrium import DoubleOracle, Standoff, mixtures_of, parts_of, shares_of
from bartizan.analyses.experiments.training import Course, Evaluator, TrainingVolume, portions
from bartizan.analyses.records import equilibria
from bartizan.analyses.records.equilibria import BestResponse, Hunt, Member, Pair, Round
from bartizan.analyses.statistics.intervals import Interval
from bartizan.analyses.statistics.matrix_game import solve
from bartizan.policies.registry import find_player
from bartizan.simcore.errors import EngineError
from bartizan.simcore.game import load_game
from bartizan.simcore.play.batch import Source
from bartizan.simcore.scenario.loading import load_scenario
from tests.cli.run_cli import ROOT

DOORS = str(ROOT / "tests/games/two_doors/two_doors.py")

# ---------------------------------------------------------------- matrix games


@pytest.mark.parametrize(
    ("payoffs", "worth", "first", "second"),
    [
        ([[0.5, 0, 1], [1, 0.5, 0], [0, 1, 0.5]], 1 / 2, [1 / 3] * 3, [1 / 3] * 3),  # rock, paper, scissors
        ([[0.1, 0.9], [0.8, 0.4]], 0.68 / 1.2, [1 / 3, 2 / 3], [5 / 12, 7 / 12]),
        ([[0.6, 0.7], [0.2, 0.9]], 0.6, [1, 0], [1, 0]),  # a saddle
        ([[0.3, 0.2, 0.4]], 0.2, [1], [0, 1, 0]),
        ([[0.3], [0.7]], 0.7, [0, 1], [1]),
    ],
)
def test_a_matrix_game_is_worth_what_it_is_worth(payoffs, worth, first, second):
    found = solve(np.array(payoffs))
    assert found.value == pytest.approx(worth)
    assert found.first == pytest.approx(first, abs=1e-9) and found.second == pytest.approx(second, abs=1e-9)


# ---------------------------------------------------------------- games shared out


def test_games_are_cut_by_parts_none_lost():
    assert portions(range(10), [1, 1]) == [range(5), range(5, 10)]
    assert portions(range(7), [1, 1, 1]) == [range(2), range(2, 4), range(4, 7)]
    assert portions(range(3), [1, 998, 1]) == [range(0), range(2), range(2, 3)]


def test_an_opponent_who_mixes_gets_games_by_his_shares():
    """A candidate's worth is the mean over the parts, each the same games as against one opponent alone."""
    game = load_game(DOORS)
    scenario = {"": load_scenario(game)}
    mine, left, right = (find_player(game, f"lean:left={share}") for share in (0.3, 1, 0))

    def evaluator(*tables):
        worth = standoff(game).worth_of
        return Evaluator(Course(game, ("left",), scenario, tables[0][0], 0, 7, tables, worth), Source())

    (mixed,) = evaluator(((mine, left), 1), ((mine, right), 3)).means([{"left": 0.3}], 5, range(400))
    (first,) = evaluator(((mine, left), 1)).means([{"left": 0.3}], 5, range(100))
    (then,) = evaluator(((mine, right), 1)).means([{"left": 0.3}], 5, range(100, 400))
    assert mixed == pytest.approx((first + 3 * then) / 4, abs=1e-5)


def standoff(game, draw=0.0):
    return Standoff(
        game, load_scenario(game), ("hider", "seeker"), ({}, {}), ((), ()), draw, 1, TrainingVolume(1, 10, 100)
    )


def test_what_one_side_gets_the_other_pays():
    it = standoff(load_game(DOORS), draw=0.25)
    rows = np.array([(0,), (1,), (-1,), (-2,), (-3,)], [("winner", "i1")])  # -2: cut off; -3: the game itself won
    assert it.worth_of(rows, 0).tolist() == [1, 0, 0.25, 0.25, 0]
    assert it.worth_of(rows, 1).tolist() == [0, 1, 0.75, 0.75, 1]
    assert it.worths("wdlc").tolist() == [1, 0.25, 0, 0.25]


def test_no_two_uses_of_luck_share_a_seed():
    it = standoff(load_game(DOORS))
    seeds = [it.luck(number, use) for number in range(1, 20) for use in range(5)]
    assert len({*seeds, it.seed}) == len(seeds) + 1


# ---------------------------------------------------------------- what a round says


def interval(estimate, reach=0.01):
    return Interval(estimate, estimate - reach, estimate + reach, 0.95, "Student t")


def response(gain, joins=False):
    return BestResponse(begins="lean", weights={"left": 0.2}, gain=interval(gain), games=100, joins=joins)


def found(first, second, value=0.5, mixtures=None):
    mixtures = mixtures or {"hider": {"lean": 1.0}, "seeker": {"lean": 1.0}}
    responses = {"hider": response(first, first > 0.01), "seeker": response(second, second > 0.01)}
    return Round(value=interval(value), mixtures=mixtures, responses=responses)


def test_the_gap_is_what_both_best_responses_gain_and_never_inside_out():
    assert found(0.1, 0.2).gap == pytest.approx((0.3, 0.6))
    assert found(-0.1, -0.2).gap == (0.5, 0.5)
    assert found(0.7, 0.7).gap == (0.0, 1.0)


def hunt(**more):
    members = [Member(policy="lean", weights={"left": 0.9}), Member(policy="lean", weights={"left": 0.2}, round=1)]
    return Hunt(pools={"hider": members, "seeker": members[:1]}, **more)


def test_a_hunt_is_settled_when_nobody_gained():
    assert not hunt().is_settled
    assert not hunt(rounds=[found(0.0, 0.1)]).is_settled and hunt(rounds=[found(0.0, 0.0)]).is_settled


def test_shares_of_wins_and_draws_are_weighted_by_both_mixtures():
    mixtures = {"hider": {"lean": 0.25, "lean (round 1)": 0.75}, "seeker": {"lean": 1.0}}
    table = [Pair(first="lean", second="lean", ends="wwll"), Pair(first="lean (round 1)", second="lean", ends="wddc")]
    shares = shares_of(hunt(table=table), found(0, 0, mixtures=mixtures))
    assert shares == pytest.approx({"won": 0.125 + 0.1875, "drawn": 0.375, "lost": 0.125, "cut_off": 0.1875})


def test_a_share_that_is_hardly_played_is_left_out():
    solution = solve(np.array([[0.1, 0.9], [0.8, 0.4]]))
    first, second = mixtures_of(solution, [hunt().pools["hider"]] * 2)
    assert first == {"lean": 0.333, "lean (round 1)": 0.667} and second == {"lean": 0.417, "lean (round 1)": 0.583}
    saddle = solve(np.array([[0.6, 0.7], [0.2, 0.9]]))
    assert mixtures_of(saddle, [hunt().pools["hider"]] * 2) == [{"lean": 1.0}, {"lean": 1.0}]


# ---------------------------------------------------------------- the value of a round


class Payoffs:
    """A source whose games are won with known chances: [hider, seeker], each player known by its weight.

    Games of one seed and number have half of their luck in common.
    """

    def __init__(self, chances):
        self.chances = chances

    def expect(self, games):
        pass

    def ready(self, match):
        return match

    def play(self, stretches):
        for stretch in stretches:
            match = stretch.batch
            row, column = (int(player.weights["left"]) for player in match.players)
            games = np.array(stretch.games)
            luck = np.random.default_rng((match.seed, 0)).random((2, games[-1] + 1))[:, games]
            own = np.random.default_rng((match.seed, 1, row, column)).random(games[-1] + 1)[games]
            wins = np.where(luck[0] < 0.5, luck[1], own) < self.chances[row, column]
            yield stretch, np.array([(0 if win else 1,) for win in wins], [("winner", "i1")])


@cache
def doors():
    game = load_game(DOORS)
    return game, load_scenario(game), {"lean": find_player(game, "lean")}


def a_round(chances, seed, games, fresh):
    """A round of the double oracle over pools of known payoffs; its responses are the first of each pool."""
    game, scenario, players = doors()
    roles = ("hider", "seeker")
    pools = {
        role: [Member(policy="lean", weights={"left": float(i)}, round=i) for i in range(size)]
        for role, size in zip(roles, chances.shape, strict=True)
    }
    hunt = Hunt(pools=pools, found=[{}, {}])  # both searches are over
    trainable = (("lean",), ("lean",))
    it = Standoff(game, scenario, roles, (players, players), trainable, 0.0, seed, TrainingVolume(1, games, fresh))
    DoubleOracle(it, hunt, Payoffs(chances)).play(1)
    return hunt.rounds[0]


NEAR = np.linspace(0.47, 0.50, 5)


@pytest.mark.rotating
@pytest.mark.parametrize(
    "chances",
    [
        np.full((1, 8), 0.5),
        np.full((5, 1), 0.5),
        np.full((5, 5), 0.5),
        NEAR[None],
        NEAR[:, None],
        np.linspace(0.2, 0.8, 4).reshape(2, 2),
    ],
    ids=["1x8 equal", "5x1 equal", "5x5 equal", "1x5 near", "5x1 near", "2x2 distinct"],
)
def test_the_interval_of_the_value_holds_what_the_mixtures_get(chances):
    """A pool of equals makes the table's own value the best of several noisy ones: off by up to 2.6 points."""
    held, off, tables = 0, [], 60
    for seed in range(tables):
        found = a_round(chances, 10**12 * seed, 200, 400)
        shares = [np.zeros(size) for size in chances.shape]
        for share, mixture in zip(shares, found.mixtures.values(), strict=True):
            for name, part in mixture.items():
                share[int(name.removesuffix(")").rpartition("round ")[2]) if "round" in name else 0] = parts_of(part)
        truth = shares[0] @ chances @ shares[1] / (shares[0].sum() * shares[1].sum())
        held += found.value.low <= truth <= found.value.high
        off.append(found.value.estimate - truth)
    assert held >= 52, "of 60 at 95 %: fewer once in 350 times; at 80 %: 87 of 100 times"
    assert abs(np.mean(off)) < 3.5 * np.std(off) / tables**0.5
    assert found.ends.games == 400 and found.value.method == "Wilson"


def test_where_nobody_ever_wins_the_value_is_a_bound():
    found = a_round(np.zeros((2, 2)), 1, 100, 100)
    assert found.value.low == 0.0 and 0.02 < found.value.high < 0.05 and found.value.method == "Clopper-Pearson"


def test_a_round_of_an_earlier_version_still_reads_and_says_that_it_has_no_such_games():
    old = {key: it for key, it in found(0, 0).model_dump().items() if key != "ends"}
    assert Round.model_validate(old).ends is None


# ---------------------------------------------------------------- files


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "Expecting value"),
        ("[]", "its schema is not bartizan.equilibrium/1"),
        ('{"schema": "bartizan.bracket/1"}', "its schema is not"),
        ('{"schema": "bartizan.equilibrium/1"}', "pools: missing"),
        (
            json.dumps(
                {
                    "schema": "bartizan.equilibrium/1",
                    "pools": {"a": [], "b": []},
                    "table": [{"first": "x", "second": "y", "ends": "wx"}],
                }
            ),
            "table.0.ends",
        ),
    ],
)
def test_a_file_that_holds_no_equilibrium_is_refused_in_one_line(tmp_path, content, said):
    path = tmp_path / "e.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(EngineError, match=r"e\.json: contains no equilibrium \(.*" + said) as refused:
        equilibria.read(path)
    assert "\n" not in str(refused.value)
    assert equilibria.read(tmp_path / "none.json") is None
