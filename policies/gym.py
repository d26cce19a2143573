"""Any game as an environment for reinforcement learning: all seats for PettingZoo, one seat for Gymnasium.

The action space is `Discrete(max_legal)`: action i is the i-th legal action of the current decision. The code
of an action is not its index, because codes run into the millions and few of them are legal at a time. An
action outside `action_mask` ends the game. The player who chose it gets -1, and the other players get 0 (as
with PettingZoo's TerminateIllegalWrapper).

An observation is a dictionary, created at each call. It contains nothing that the seat may not know:

    observation  float32 [number]: the numbers in `Eyes.names`, which are the turn, the seat to move, and the
                 features that the game declares open to this seat (`Features.open_to`)
    action_mask  int8 [max_legal]: 1 for each legal action; all 0 for a seat that is not to move
    actions      int32 [max_legal]: the codes of the legal actions (`Engine.arguments`), then NONE

A reward is given once, at the end of the game: 1 for the winner, -1 for a loss, 0 for a draw or a truncated
game.

`reset(seed=s)` begins game 0 of that seed, as in `bartizan run --seed s`; `reset()` begins the next game. The
same seed and the same actions give the same game. The module needs the extra `gym`.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from bartizan.policies.protocol import NONE
from bartizan.policies.request import Request
from bartizan.simcore.compile.rules import HOUSE, ILLEGAL_ACTION, PLY_CAP, turn_number
from bartizan.simcore.documentation import extra
from bartizan.simcore.errors import UsageError, did_you_mean
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.replay import OneGame

try:
    import gymnasium
    from gymnasium.spaces import Box, Dict, Discrete
    from pettingzoo import AECEnv
except ImportError as error:
    raise ImportError(f"{error}; {extra('gym')}", name=error.name) from error

PUBLIC = ("turn", "seat to move")


def match_of(
    game: str,
    policies: Iterable[str] = (),
    *,
    scenario: str | None = None,
    difficulty: str | None = None,
    sets: Mapping[str, Any] | None = None,
    seed: int = 1,
) -> Match:
    """Return a match from the options of `bartizan run`: a game's name or file, and a policy for each seat.

    Seats without a policy get the best known policy. seed: seed of games before the first `reset(seed=...)`.
    Raises UsageError, ScenarioError or PolicyError.
    """
    request = Request(game, scenario, difficulty, tuple(policies), sets=sets or {})
    return request.match(_checked(seed), "gym")


def _checked(seed: int) -> int:
    """Return a seed. Raises UsageError for numbers that `bartizan run --seed` rejects."""
    if not 0 <= seed < 2**63 or int(seed) != seed:
        raise UsageError(f"seed {seed}: write an integer of at least 0 and below 2^63")
    return int(seed)


class Eyes:
    """The observations of one seat: the numbers that it may know and, on its turn, its legal actions."""

    def __init__(self, match: Match, seat: int):
        engine, features = match.engine, match.engine.features
        numbers = features.names if features else ()
        is_open = set(features.open_to(seat, match.scenario)) if features and features.open_to else set()
        self.seat = seat
        self._open = [i for i, name in enumerate(numbers) if name in is_open]
        self.names = (*PUBLIC, *(numbers[i] for i in self._open))
        n = engine.max_legal
        self.action_space = Discrete(n)
        self.space = Dict(
            {
                "observation": Box(-np.inf, np.inf, (len(self.names),), np.float32),
                "action_mask": Box(0, 1, (n,), np.int8),
                "actions": Box(NONE, np.iinfo(np.int32).max, (n,), np.int32),
            }
        )

    def see(self, game: OneGame, legal: np.ndarray) -> dict[str, np.ndarray]:
        """Return the observation (see the module). legal: the legal actions of the seat to move."""
        shown = legal if game.seat == self.seat and not game.is_over else legal[:0]
        actions = np.full(game.engine.max_legal, NONE, np.int32)
        actions[: len(shown)] = shown
        turn = (game.engine.turn_number or turn_number)(game.state)
        numbers = np.zeros(0)
        if self._open and (features := game.engine.features):
            numbers = features.read(game.state, game.tables)[self._open]
        return {
            "observation": np.array([turn, game.seat, *numbers], np.float32),
            "action_mask": (np.arange(len(actions)) < len(shown)).astype(np.int8),
            "actions": actions,
        }


class Sitting:
    """Consecutive games of a match, with the observations of each seat. Both environments use this class."""

    def __init__(self, match: Match):
        self.roles = match.game.roles_in(match.scenario)
        self.eyes = {role: Eyes(match, seat) for seat, role in enumerate(self.roles)}
        self.game = OneGame(match)
        self._seed, self._next = match.seed, 0

    def begin(self, seed: int | None) -> None:
        """Start game 0 of a seed, or without a seed the next game of the current seed."""
        if seed is not None:
            self._seed, self._next = _checked(seed), 0
        self.game.begin(self._seed, self._next)
        self._next += 1
        self.legal = self.game.legal()

    @property
    def role(self) -> str:
        """Role to move."""
        return self.roles[self.game.seat]

    def play(self, action: int) -> None:
        """Apply the action with this code."""
        self.game.play(action)
        if not self.game.is_over:
            self.legal = self.game.legal()

    def code(self, index: int) -> int:
        """Return the code of the legal action with this index.

        If there is no such index, return NONE, which is never legal.
        """
        return int(self.legal[index]) if 0 <= index < len(self.legal) else NONE

    def see(self, role: str) -> dict[str, np.ndarray]:
        return self.eyes[role].see(self.game, self.legal)

    def reward(self, role: str) -> float:
        """Return the reward so far: 0 until the game is over."""
        seat = self.roles.index(role)
        if not self.game.is_over:
            return 0.0
        if self.game.end_reason == ILLEGAL_ACTION:
            return -1.0 if seat == self.game.seat else 0.0
        winner = int(self.game.record()["winner"])
        if winner == seat:
            return 1.0
        return -1.0 if winner >= 0 or winner == HOUSE else 0.0

    def end(self) -> tuple[bool, bool]:
        """Return (terminated, truncated). A game is truncated by the ply cap."""
        truncated = self.game.end_reason == PLY_CAP
        return self.game.is_over and not truncated, truncated


class AllSeats(AECEnv):
    """All seats of a match, for PettingZoo. The agents are the occupied roles.

    A seat may move several times in a row, and an eliminated seat remains an agent until the end.
    """

    def __init__(self, match: Match):
        super().__init__()
        self.sitting = Sitting(match)
        self.metadata = {"name": f"bartizan_{match.game.name}", "render_modes": []}
        self.possible_agents = list(self.sitting.roles)
        self.render_mode = None

    def observation_space(self, agent: str) -> Dict:
        return self.sitting.eyes[agent].space

    def action_space(self, agent: str) -> Discrete:
        return self.sitting.eyes[agent].action_space

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        return self.sitting.see(agent)

    def reset(self, seed: int | None = None, options: dict | None = None) -> None:
        self.sitting.begin(seed)
        self.agents = list(self.possible_agents)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.infos: dict[str, dict] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._tell()

    def step(self, action: int | None) -> None:
        """Apply the legal action with index `action` for `agent_selection`.

        action: None for an agent whose game is over.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            return self._was_dead_step(action)
        assert action is not None
        self.sitting.play(self.sitting.code(int(action)))
        self._cumulative_rewards[agent] = 0.0
        self._tell()
        self._accumulate_rewards()

    def _tell(self) -> None:
        terminated, truncated = self.sitting.end()
        self.rewards = {agent: self.sitting.reward(agent) for agent in self.agents}
        self.terminations = dict.fromkeys(self.agents, terminated)
        self.truncations = dict.fromkeys(self.agents, truncated)
        if not self.sitting.game.is_over:
            self.agent_selection = self.sitting.role


class OneSeat(gymnasium.Env):
    """One seat of a match against the match's policies, for Gymnasium. A solo game has no other seats.

    A step continues until the seat is to move again or the game is over. Steps after the end have no effect.
    """

    metadata = {"render_modes": []}

    def __init__(self, match: Match, role: str | None = None):
        """Create the environment. role: the controlled role (default: the first).

        Raises UsageError for an unknown role.
        """
        self.sitting = Sitting(match)
        self.role = role or self.sitting.roles[0]
        if self.role not in self.sitting.roles:
            raise UsageError(f'no role "{self.role}"{did_you_mean(self.role, self.sitting.roles)}')
        self.observation_space = self.sitting.eyes[self.role].space
        self.action_space = self.sitting.eyes[self.role].action_space

    def reset(self, *, seed: int | None = None, options: dict | None = None) -> tuple[dict, dict]:
        super().reset(seed=seed)
        self.sitting.begin(seed)
        self._others()
        return self.sitting.see(self.role), {}

    def step(self, action: int) -> tuple[dict, float, bool, bool, dict]:
        if not self.sitting.game.is_over:
            self.sitting.play(self.sitting.code(int(action)))
            self._others()
        return self.sitting.see(self.role), self.sitting.reward(self.role), *self.sitting.end(), {}

    def _others(self) -> None:
        """Simulate the decisions of the other seats until this seat is to move."""
        sitting = self.sitting
        while not sitting.game.is_over and sitting.role != self.role:
            sitting.play(sitting.game.choice())
