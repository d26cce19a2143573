"""Games as environments: the test suites of PettingZoo and of Gymnasium, and the same games as a run plays."""

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="the extra `gym` is not installed")

from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from bartizan import cli
from bartizan.policies.gym import PUBLIC, AllSeats, Eyes, OneSeat, match_of
from bartizan.simcore.compile.rules import ILLEGAL_ACTION, PLY_CAP, TRUNCATED
from bartizan.simcore.errors import UsageError
from bartizan.simcore.game import Game
from bartizan.simcore.play.batch import Batch
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.replay import replay
from bartizan.simcore.sweep.shards import rows_digest
from tests.cli.run_cli import PIG, RUIN, bartizan

CASES = {
    "pig": (PIG, {}),
    "castle": ("castle", {}),
    "castle, three": ("castle", {"sets": {"players.count": 3}}),
    "rampage": ("rampage", {}),
    "colditz": ("colditz", {}),
    "itter": ("itter", {}),
    "itter competitive": ("itter", {"scenario": "competitive"}),
}
# both suites warn of what is a matter of taste: a dictionary as observation, numbers without bounds, no picture
pytestmark = [pytest.mark.filterwarnings("ignore::UserWarning")]


@cache
def match(case: str) -> Match:
    """Everybody at random: that needs the engines alone, and shows whether the players' luck is the same."""
    game, settings = CASES[case]
    return match_of(game, ["random"], **settings)


class Legal(OneSeat):
    """For a suite that draws actions without the mask: every action is turned into a legal one."""

    def step(self, action: int):
        return super().step(action % len(self.sitting.legal))


@pytest.mark.parametrize("case", CASES)
def test_pettingzoos_tests_hold(case):
    api_test(AllSeats(match(case)), num_cycles=60)
    seed_test(lambda: AllSeats(match(case)), num_cycles=60)


@pytest.mark.parametrize("case", CASES)
def test_gymnasiums_tests_hold_for_each_seat(case):
    for role in AllSeats(match(case)).possible_agents:
        check_env(OneSeat(match(case), role))
        check_env(Legal(match(case), role))


def play_out(env: AllSeats) -> list[int]:
    """The match's own players choose; the codes of their actions."""
    actions = []
    for agent in env.agent_iter():
        seen, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.step(None)
            continue
        actions.append(env.sitting.game.choice())
        (index,) = np.flatnonzero(seen["actions"] == actions[-1])
        assert seen["action_mask"][index] == 1 and not env.observe(other_than(env, agent))["action_mask"].any()
        env.step(index)
    return actions


def other_than(env: AllSeats, agent: str) -> str:
    """Somebody who is not asked; who plays alone is taken from another seat's eyes."""
    if len(env.possible_agents) == 1:
        env.sitting.eyes["nobody"] = Eyes(env.sitting.game.match, 1)
        return "nobody"
    return next(other for other in env.possible_agents if other != agent)


@pytest.mark.rotating
@pytest.mark.parametrize("case", CASES)
def test_a_wrapped_game_is_the_game_of_a_run(case):
    env, records = AllSeats(match(case)), []
    games = 1 if case == "colditz" else 2  # one of Colditz has as many decisions as ten of the others
    for number in range(games):
        env.reset(seed=1 if number == 0 else None)
        assert play_out(env) == [ply.action for ply in replay(match(case), number)]
        records.append(env.sitting.game.record())
    rows = np.array(records, match(case).engine.record_dtype)
    assert rows_digest(rows) == rows_digest(Batch(match(case)).play(range(games)))


def test_the_digest_is_that_of_a_run():
    env, records = AllSeats(match_of(PIG, ["hold"])), []
    for number in range(5):
        env.reset(seed=7 if number == 0 else None)
        play_out(env)
        records.append(env.sitting.game.record())
    run = bartizan("run", PIG, "--policy", "hold", "--games", 5, "--seed", 7, "--json")
    assert rows_digest(np.array(records, env.sitting.game.engine.record_dtype)) == run.json["digest"]


@pytest.mark.parametrize("role", ["first", "second"])
def test_one_seat_plays_in_the_same_game(role):
    env = OneSeat(match("pig"), role)
    env.reset(seed=1)
    over, rewards = False, []
    while not over:
        legal = env.sitting.legal.tolist()
        _, reward, terminated, truncated, _ = env.step(legal.index(env.sitting.game.choice()))
        over = terminated or truncated
        rewards.append(reward)
    row = Batch(match("pig")).play(range(1))[0]
    assert env.sitting.game.record() == row and not truncated
    assert rewards[-1] == (1 if env.sitting.roles[row["winner"]] == role else -1) and not any(rewards[:-1])


def rewards_of(env: AllSeats) -> dict[str, float]:
    """What each agent is told when its game is over."""
    found = {}
    for agent in env.agent_iter():
        _, reward, terminated, truncated, _ = env.last()
        assert terminated or truncated
        found[agent] = reward
        env.step(None)
    return found


@pytest.mark.parametrize("seed", [-1, 1.5, 2**63])
def test_a_seed_that_run_rejects_is_rejected(seed):
    with pytest.raises(UsageError, match=f"seed {seed}: write an integer"):
        AllSeats(match_of(str(PIG))).reset(seed=seed)


def test_a_seed_begins_anew_and_no_seed_goes_on():
    env = AllSeats(match("rampage"))
    seen = []
    for seed in (4, None, 4, None):
        env.reset(seed=seed)
        seen.append(env.last()[0])
    assert env.sitting.game.number == 1
    assert all(
        np.array_equal(seen[0][key], seen[2][key]) and np.array_equal(seen[1][key], seen[3][key]) for key in seen[0]
    )
    assert not np.array_equal(seen[0]["actions"], seen[1]["actions"]), "other cards are dealt"


def test_an_action_outside_the_mask_loses_at_once():
    env = AllSeats(match("castle, three"))
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(env.action_space(agent).n - 1)
    assert env.sitting.game.end_reason == ILLEGAL_ACTION
    assert rewards_of(env) == {role: -1 if role == agent else 0 for role in env.possible_agents}
    alone = OneSeat(match("itter"))
    alone.reset(seed=1)
    for _ in range(2):  # a step after the end changes nothing
        seen, *rest = alone.step(alone.action_space.n - 1)
        assert rest == [-1.0, True, False, {}] and not seen["action_mask"].any() and (seen["actions"] == -1).all()


def test_the_ply_cap_truncates():
    short = replace(match("pig"), ply_cap=3)
    env = AllSeats(short)
    env.reset(seed=1)
    for _ in range(3):
        env.step(0)
    assert env.sitting.game.end_reason == PLY_CAP and env.sitting.game.record()["winner"] == TRUNCATED
    assert all(env.truncations.values()) and not any(env.terminations.values())
    assert rewards_of(env) == {"first": 0, "second": 0}
    cut, play = Batch(replace(short, seed=2)).play(range(1))[0], AllSeats(short)
    play.reset(seed=2)
    play_out(play)
    assert play.sitting.game.record() == cut


def test_who_loses_to_the_game_itself_loses():
    env = OneSeat(match_of(RUIN))
    told = set()
    for seed in range(8):
        env.reset(seed=seed)
        over = False
        while not over:
            _, reward, over, _, _ = env.step(0)
        told.add((int(env.sitting.game.record()["winner"]), reward))
    assert told == {(0, 1.0), (-3, -1.0)}


def test_a_game_that_does_not_say_what_is_open_shows_nothing():
    whole = match("rampage")
    engine = replace(whole.engine, features=replace(whole.engine.features, open_to=None))
    closed = replace(whole, game=replace(whole.game, engine=lambda: engine))
    assert isinstance(closed.game, Game) and Eyes(closed, 0).names == PUBLIC


def test_hands_and_stacks_are_the_owners_to_see():
    first, second = (Eyes(match("rampage"), seat).names for seat in range(2))
    assert set(first) ^ set(second) == {
        name for name in match("rampage").engine.features.names if name not in first or name not in second
    }
    assert "attack in hand of player 1" in first and "attack in hand of player 1" not in second
    assert "hand of player 1" in second, "how many cards it is lies open"


def test_line_ups_are_those_of_the_command_line():
    assert [player.name for player in match_of("itter", scenario="competitive").players] == ["garrison", "commander"]
    assert [player.name for player in match_of(PIG, ["hold", "random"]).players] == ["hold", "random"]
    with pytest.raises(UsageError, match='no role "third"; choose from: first, second'):
        OneSeat(match("pig"), "third")


def test_the_example_of_the_page_runs(monkeypatch):
    root = Path(cli.__file__).parent
    monkeypatch.chdir(root)
    for example in re.findall(r"```python\n(.*?)```", (root / "docs/gym.md").read_text(encoding="utf-8"), re.S):
        exec(example, {})
