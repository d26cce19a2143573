"""The short examples beside their naive twins: under the same choices the same legal actions at every decision, the same end."""

import random

import numpy as np
import pytest

from bartizan.simcore.game import load_game
from bartizan.simcore.scenario.loading import load_scenario
from tests.naive.compiled import Compiled, first
from tests.naive.dominion_twin import Dominion
from tests.naive.pandemic_twin import Pandemic
from tests.naive.short_twins import CantStop, ForbiddenIsland, LoveLetter, NoThanks
from tests.naive.splendor_twin import Splendor
from tests.unit.test_short_games import SHORT

SEED = 11


class Shown(Compiled):
    """A short game behind the interface of its twin."""

    def __init__(self, name: str, sets: dict, game: int):
        loaded = load_game(str(SHORT / f"{name}.py"))
        self.bots = loaded.engine.__globals__
        super().__init__(loaded.compiled, load_scenario(loaded, None, None, sets), SEED, game)
        self.table = self.engine.describe_action.__self__

    def named(self) -> dict[tuple, int]:
        """What is legal as (action, arguments ...) -> its code."""
        acts = {code: self.table.acts[code // self.table.arguments] for code in self.legal()}
        return {(act.name, *act.values(code % self.table.arguments)): code for code, act in acts.items()}

    def advised(self, bot: str) -> int:
        """What one of the game's own bots would do."""
        policy = self.bots[bot]
        sees_legal = "legal" in policy.py_func.__code__.co_varnames
        legal = (np.array(self.legal(), np.int32),) if sees_legal else ()
        weights = policy.py_func.__defaults__ or ()  # numba types a call that omits them anew each time
        return int(policy(self.state, self.tables, *legal, *weights))

    @property
    def end(self) -> tuple[int, str]:
        return int(self.record()["winner"]), self.engine.end_reasons[int(self.live.end_reason)]


def compare(name: str, twin, sets: dict, game: int, bot: str = "") -> str:
    """Play one game on both, at random or, four times out of five, as a bot of the game advises. Returns how it ended."""
    shown, choice = Shown(name, sets, game), random.Random(game)
    for ply in range(3000):
        assert shown.over == bool(twin.end), (game, ply)
        if shown.over:
            assert shown.end == twin.end, (game, ply)
            return twin.end[1]
        named = shown.named()
        assert (int(shown.live.me), set(named)) == (twin.me, twin.legal()), (game, ply)
        assert twin.agrees(shown.state), (game, ply)
        action = choice.choice(sorted(named))
        if bot and choice.random() < 0.8:
            advised = shown.advised(bot)
            action = next(action for action, code in named.items() if code == advised)
        shown.apply(np.int32(named[action]))
        twin.play(*action)
    raise AssertionError("no end in sight")


@pytest.mark.parametrize(
    ("name", "twin", "counts"),
    [("no_thanks", NoThanks, (3, 4, 5)), ("cant_stop", CantStop, (2, 3, 4)), ("love_letter", LoveLetter, (2, 3, 4))],
)
def test_a_short_game_is_its_twin(name, twin, counts):
    for game in first(18, of=1000):
        players = counts[game % 3]
        compare(name, twin(players, SEED, game), {"numbers.players": players}, game)


def test_forbidden_island_is_its_twin():
    """Half of the games need one card for a treasure, and are played as `crew` advises: all of them are captured in some.

    Every sixth game has a hand limit below the cards dealt: the first decisions are what to drop.
    """
    ends = set()
    for game in first(36, of=1000):
        players, need, limit = 2 + game % 3, (4, 1)[game % 2], 5 if game % 6 else 1
        twin = type("Twin", (ForbiddenIsland,), {"need": need, "limit": limit})(players, SEED, game)
        sets = {"numbers.players": players, "numbers.to_capture": need, "numbers.hand_limit": limit}
        ends.add(compare("forbidden_island", twin, sets, game, "crew" if need == 1 else ""))
    assert "away with all treasures" in ends and len(ends) >= 4


@pytest.mark.rotating
@pytest.mark.parametrize("players", [2, 3, 4])
def test_splendor_is_its_twin(players):
    """As `builder` advises, and every fourth game at random alone."""
    for game in first(24, of=334):
        twin = Splendor(players, SEED, game)
        compare("splendor", twin, {"numbers.players": players}, game, "builder" if game % 4 else "")


@pytest.mark.rotating
@pytest.mark.parametrize("players", [2, 3, 4])
def test_dominion_is_its_twin(players):
    """Three times out of four four decisions in five as `engine` advises, else at random alone."""
    for game in first(12, of=334):
        twin = Dominion(players, SEED, game)
        compare("dominion", twin, {"numbers.players": players}, game, "engine" if game % 4 else "")


@pytest.mark.rotating
@pytest.mark.parametrize("players", [2, 3, 4])
def test_pandemic_is_its_twin(players):
    """The levels in turn; as `team` advises, every fourth game at random alone.

    Every second game has numbers with which it is longer, and cures, full hands and moved stations are frequent.
    """
    easy = {
        "cubes_each": 48,
        "most_outbreaks": 20,
        "most_stations": 2,
        "hand_limit": 5,
        "to_cure": 3,
        "scientist_needs": 2,
    }
    ends = set()
    for game in first(18, of=334):
        level, epidemics = (("introductory", 4), ("standard", 5), ("heroic", 6))[game % 3]
        numbers = easy if game % 2 else {}
        twin = type("Twin", (Pandemic,), {"epidemics": epidemics, **numbers})(players, SEED, game)
        sets = {
            "numbers.players": players,
            "difficulty": level,
            **{f"numbers.{name}": numbers[name] for name in numbers},
        }
        ends.add(compare("pandemic", twin, sets, game, "team" if game % 4 else ""))
    assert {"four cures", "too many outbreaks"} <= ends
