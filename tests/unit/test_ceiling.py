"""What no player surpasses: exact values, the dual bound it is the best case of, and what is refused."""

import numpy as np
import pytest

from bartizan.analyses.experiments.ceiling import bounds, ceiling
from bartizan.policies.registry import find_player
from bartizan.simcore.errors import UsageError
from bartizan.simcore.game import load_game
from bartizan.simcore.play.batch import Batch
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.state_space import LuckTree, listed
from bartizan.simcore.scenario.loading import load_scenario
from tests.cli.run_cli import PIG, ROOT, RUIN, bartizan
from tests.oracles import pig, ruin

SECRETARY = str(ROOT / "tests/games/secretary/secretary.py")
SOLO_PIG = str(ROOT / "examples/short/solo_pig.py")
BEST_SECRETARY = 3 / 10 * sum(1 / k for k in range(3, 10))  # Ferguson 1989
NOBODY_CHOOSES = -1  # a seat that is not there: all seats play as their policies do


def match(name, policy=None, **sets):
    game = load_game(name)
    scenario = load_scenario(game, sets={path.replace("__", "."): value for path, value in sets.items()})
    players = tuple(find_player(game, policy or game.default_for(role)) for role in game.roles_in(scenario))
    return Match(game, scenario, players, 1)


def solo_pig(goal, turns):
    """Best chance to reach the goal: [turns left, banked, stake], by backward induction."""
    best = np.zeros((turns + 1, goal, goal))
    for left in range(1, turns + 1):
        for banked in range(goal):
            for stake in range(goal - banked - 1, -1, -1):
                ahead = [
                    1.0 if banked + stake + pips >= goal else best[left, banked, stake + pips] for pips in range(2, 7)
                ]
                best[left, banked, stake] = max(
                    best[left - 1, banked + stake, 0], (best[left - 1, banked, 0] + sum(ahead)) / 6
                )
    return best


# ---------------------------------------------------------------- exact values


@pytest.mark.parametrize(
    ("name", "sets", "exact"),
    [
        (SECRETARY, {}, BEST_SECRETARY),
        (RUIN, {}, ruin(0.49, 10, 20)),
        (SOLO_PIG, {"numbers__goal": 40, "numbers__turns": 4}, solo_pig(40, 4)[4, 0, 0]),
    ],
    ids=["secretary", "ruin", "solitaire Pig"],
)
def test_the_ceiling_is_the_exact_value(name, sets, exact):
    draw = 0.0 if name == SECRETARY else 0.5  # nothing is drawn in the others: a loss to the game is no draw
    low, high = bounds(listed(match(name, **sets), 0, draw))
    assert low <= exact + 1e-12 and exact - 1e-12 <= high and high - low < 2e-9


def test_a_policy_s_own_chance_is_what_the_oracle_says(monkeypatch):
    """Both hold at 20, nobody chooses: every chance of every roll is in it."""
    monkeypatch.setattr("tests.oracles.GOAL", 30)
    game = match(PIG, "hold", goal__points=30)
    space = listed(game, NOBODY_CHOOSES, 0.0)
    assert not space.gains.any(), "nobody is there to win"
    first, second = (bounds(_seen_by(game, seat))[1] for seat in (0, 1))
    assert first == pytest.approx(pig(20, 20), abs=1e-8) and first + second == pytest.approx(1, abs=1e-8)


def _seen_by(game, seat):
    """The games of policies alone, valued as one seat sees them."""
    from bartizan.simcore.play import state_space

    listing = state_space.Listing(game, NOBODY_CHOOSES, 0.0)
    listing.seat, actions = seat, listing._actions

    def answered(here):
        listing.seat = NOBODY_CHOOSES
        try:
            return actions(here)
        finally:
            listing.seat = seat

    listing._actions = answered
    return listing.all()


def test_a_response_is_as_good_as_its_policy_in_each_seat():
    """Against hold at 20: at least what hold at 20 wins, and what hold at 25 wins of compiled games."""
    game = match(PIG, "hold", goal__points=40)
    low, high = bounds(listed(game, 0, 0.0))
    other = Match(game.game, game.scenario, (find_player(game.game, "hold:at=15"), game.players[1]), 3)
    share = (Batch(other).play(range(20_000))["winner"] == 0).mean()
    assert share < high + 3 * np.sqrt(0.25 / 20_000) and high - low < 2e-9 and high > 0.55


# ---------------------------------------------------------------- the dual bound


def paths(space, worth, luck):
    """The greatest sum of A along any course of actions, where luck says beforehand what follows from
    each: Brown, Smith & Sun (2010), by brute recursion.
    """
    last = [*space.first[1:], len(space.follows)]

    def best(state):
        sums = []
        for action in range(space.first[state], last[state]):
            follows, gain = space.follows[action], space.gains[action]
            expected = gain + sum(chance * worth[to] for to, chance in follows.items())
            draw, to = luck.random(), None
            for to_, chance in follows.items():
                draw -= chance
                if draw < 0:
                    to = to_
                    break
            sums.append(expected - worth[state] + (best(to) if to is not None else 0.0))
        return max(sums)

    (start,) = space.begins
    return worth[start] + best(start)


def values(space, steps=60):
    worth = np.ones(len(space.first))
    for _ in range(steps):
        actions = [
            gain + sum(chance * worth[to] for to, chance in follows.items())
            for follows, gain in zip(space.follows, space.gains)
        ]
        worth = np.maximum.reduceat(np.array(actions), space.first)
    return worth


def test_the_dual_bound_is_above_for_any_guess_and_tight_for_the_worth_itself():
    """The least W has no sum above 0: its bound has no noise. A guess that errs pays for it, and stays a bound."""
    space = listed(match(SECRETARY), 0, 0.0)
    worth, luck = values(space), np.random.default_rng(5)
    exact = np.array([paths(space, worth, luck) for _ in range(30)])
    assert exact.max() <= BEST_SECRETARY + 1e-9 and worth[0] == pytest.approx(BEST_SECRETARY)
    rough = worth + luck.normal(0, 0.2, len(worth))
    sampled = np.array([paths(space, rough, luck) for _ in range(300)])
    assert sampled.mean() - 3 * sampled.std() / np.sqrt(300) > BEST_SECRETARY


@pytest.mark.parametrize("policy", ["random", "eager", "eager:let_pass=6"])
def test_what_a_policy_wins_is_the_ceiling_less_what_it_gives_away(policy):
    """V = W(s0) + E sum A for every policy: its share of compiled games, beside a W that is the ceiling everywhere."""
    game = match(SECRETARY, policy)
    space = listed(game, NOBODY_CHOOSES, 0.0)
    share = (Batch(game).play(range(20_000))["winner"] == 0).mean()
    exact = bounds(_seen_by(game, 0))[1]
    assert abs(share - exact) < 4 * np.sqrt(exact * (1 - exact) / 20_000) and len(space.first) <= 19


# ---------------------------------------------------------------- luck


def test_a_draw_falls_in_as_many_ways_as_are_told_apart():
    luck = LuckTree()
    ways = list(luck.ways(lambda: luck.below(None, 0, 1000) < 490))
    assert ways == [(0.49, True), (0.51, False)]
    both = list(luck.ways(lambda: (luck.below(None, 0, 6) + 1) * (luck.below(None, 0, 2) + 1)))
    assert len(both) == 12 and sum(chance for chance, _ in both) == pytest.approx(1)
    asked = list(luck.ways(lambda: luck.policy_below(None, 0, 3) == luck.policy_below(None, 0, 3)))
    assert all(same for _, same in asked)


# ---------------------------------------------------------------- what is said, and refused


def test_the_command_says_it_and_keeps_its_keys():
    quick = ("bracket", SECRETARY, "--games", 200, "--plays", "4,8,16", "--slow-games", 20, "--upper")
    result = bartizan(*quick)
    (it,) = result.json["brackets"]
    assert it["upper"]["win_rate"]["high"] == pytest.approx(BEST_SECRETARY) and it["upper"]["states"] == 19
    assert it["extrapolated"]["low"] <= it["extrapolated"]["estimate"] <= it["extrapolated"]["high"]
    said = result.out.replace("\u00a0", " ")
    assert "no player wins more than 39.87 %" in said and "some player wins that" in said
    assert "an extrapolation, not a bound" in said


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("itter", "it has far too many states to enumerate"),
        ("colditz", "it has far too many states to enumerate"),
        (str(ROOT / "examples/short/love_letter.py"), "such as a shuffled deck, has over 10,000 outcomes"),
    ],
)
def test_a_game_that_is_not_small_is_refused_in_one_line(name, why):
    result = bartizan("bracket", name, "--upper")
    (line,) = (
        line
        for line in result.err.splitlines()
        if not line.endswith("enumerating all states first, which takes seconds to minutes")
    )
    assert result.code == 2 and why in line
    assert "so no upper bound for all players can be proved; remove --upper" in line


def test_other_luck_than_draws_is_refused(tmp_path):
    own = tmp_path / "ruin.py"
    text = (ROOT / "examples/ruin/ruin.py").read_text()
    own.write_text(
        text.replace("import below", "import aside, below").replace(
            "below(state, 0, 1000)", "aside(state, state.turn, 1000)"
        )
    )
    (tmp_path / "scenarios").symlink_to(ROOT / "examples/ruin/scenarios")
    with pytest.raises(UsageError, match="it uses random numbers that are not drawn by below"):
        listed(match(str(own)), 0, 0.0)


def test_seats_that_are_alike_count_the_same():
    game = match(PIG, "hold", goal__points=15)
    seats = [bounds(listed(game, seat, 0.5))[1] for seat in (0, 1)]
    both = ceiling([(game, 0), (game, 1)], 0.5).win_rate
    assert both.high == pytest.approx(np.mean(seats)) and both.level == 1.0
