"""What the page asks for, read: a game under a scenario, who plays, and what is changed. Whatever it does not
offer is refused in one line.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isfinite
from typing import Any

from bartizan.analyses.records.claims import Claim
from bartizan.policies.request import Request
from bartizan.simcore.errors import UsageError, did_you_mean
from bartizan.simcore.scenario.loading import Scenario, default_scenario
from bartizan.simcore.scenario.parameters import Parameter, as_text
from bartizan.workbench.offer import OfferedGame, kind_of

KEYS = {"game", "scenario", "level", "players", "policies", "set"}
MOST_SET, LONGEST = 200, 2000  # values that are changed; letters of one of them


@dataclass(frozen=True, eq=False)
class PageSetting:
    """One setting of the page."""

    offer: OfferedGame
    scenario: str
    level: str | None = None
    players: int | None = None
    policies: Mapping[str, str] = field(default_factory=dict)  # role -> policy; in the others the best found
    sets: Mapping[str, Any] = field(default_factory=dict)  # path -> value

    @cached_property
    def request(self) -> Request:
        """The same as commands have it."""
        texts = {path: as_text(value) for path, value in self.sets.items()}
        policy = tuple(f"{role}={text}" for role, text in self.policies.items())
        if len(self.roles) == 1:
            policy = tuple(self.policies.values())
        return self.offer.request(
            self.scenario, difficulty=self.level, policy=policy, players=self.players, sets=texts
        )

    @cached_property
    def roles(self) -> tuple[str, ...]:
        """The seats that are taken."""
        return self.offer.game.roles_in(self.unchanged.loaded)

    @cached_property
    def unchanged(self) -> Request:
        """The same scenario, level and number of players with every value as it is shipped."""
        return self.offer.unchanged(self.scenario, self.level, self.players)

    @property
    def loaded(self) -> Scenario:
        return self.request.loaded

    @cached_property
    def seated(self) -> tuple[str, ...]:
        """A policy for each seat."""
        best = self.unchanged.best()
        return tuple(self.policies.get(role) or best(role) for role in self.roles)

    @cached_property
    def key(self) -> str:
        """The same for two settings that play the same games."""
        return json.dumps([self.offer.name, self.loaded.hash, self.seated, self.players])

    @cached_property
    def levels(self) -> list[str]:
        return self.unchanged.loaded.model.difficulties()

    def at(self, level: str) -> "PageSetting":
        """The same at another level."""
        return replace(self, level=level)


def read_setting(offers: Mapping[str, OfferedGame], said: Any) -> PageSetting:
    """Raises UsageError at whatever the page does not offer."""
    if not isinstance(said, dict):
        raise UsageError("a setting is a JSON object with game, scenario, level, players, policies and set")
    if unknown := sorted(set(said) - KEYS):
        raise UsageError(f"a setting has no {unknown[0]}{did_you_mean(unknown[0], KEYS)}")
    offer = offers[_one_of(said.get("game"), offers, "game")]
    scenario = _one_of(said.get("scenario") or _first(offer), offer.scenarios, "scenario")
    setting = PageSetting(offer, scenario, players=_players(offer, said.get("players")))
    if said.get("level") is not None:
        setting = replace(setting, level=_one_of(said["level"], setting.levels, "level"))
    setting = replace(setting, policies=_policies(setting, said.get("policies") or {}))
    setting = replace(setting, sets=_values(setting, said.get("set") or {}))
    _ = setting.loaded  # the scenario's own arithmetic
    return setting


def _one_of(value: Any, known: Any, what: str) -> str:
    if not isinstance(value, str) or value not in known:
        raise UsageError(f'{what}: the page offers no "{_short(value)}"{did_you_mean(_short(value), known)}')
    return value


def _first(offer: OfferedGame) -> str:
    """A scenario of the user's own, where one is named."""
    return next(iter(offer.files), default_scenario(offer.game))


def _short(value: Any) -> str:
    return str(value)[:80]


def _players(offer: OfferedGame, said: Any) -> int | None:
    counts = offer.game.player_counts
    if said is None or not counts:
        return None
    if isinstance(said, bool) or said not in counts:
        raise UsageError(f"players: {offer.name} is for {counts[0]} to {counts[-1]}, not {_short(said)}")
    return int(said)


def _policies(setting: PageSetting, said: Any) -> dict[str, str]:
    if not isinstance(said, dict):
        raise UsageError("policies: is an object of seat and policy")
    found = {}
    for role, text in said.items():
        _one_of(role, setting.roles, "seat")
        found[role] = _one_of(text, setting.offer.policies(role), f"policy of {role}")
    best = setting.unchanged.best()
    return {role: text for role, text in found.items() if text != best(role)}


# ---------------------------------------------------------------- values


def _values(setting: PageSetting, said: Any) -> dict[str, Any]:
    """Of those that differ from the shipped ones."""
    if not isinstance(said, dict) or len(said) > MOST_SET:
        raise UsageError(f"set: is an object of path and value, at most {MOST_SET}")
    known = setting.offer.values(setting.unchanged)
    return {
        path: value
        for path, value in said.items()
        if _is_other(known[_one_of(path, known, "value")], _fitting(known[path], value))
    }


def _is_other(parameter: Parameter, value: Any) -> bool:
    return value != parameter.value


def _fitting(parameter: Parameter, value: Any) -> Any:
    """A value as the page's own controls can make it. What more the scenario asks, its model says."""
    fits = {
        "switch": isinstance(value, bool),
        "choice": value in parameter.choices and type(value) in map(type, parameter.choices),
        "whole": isinstance(value, int) and not isinstance(value, bool),
        "number": isinstance(value, (int, float)) and not isinstance(value, bool) and isfinite(value),
        "text": isinstance(value, str),
        "list": isinstance(value, type(parameter.value)),
    }[kind_of(parameter)]
    if not fits or len(as_text(value)) > LONGEST or not _is_within(parameter, value):
        raise UsageError(
            f"{parameter.path}: {_short(as_text(value))} is not offered; it can be {parameter.allowed}"
        )
    return value


def _is_within(parameter: Parameter, value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return True
    low, high = parameter.low, parameter.high
    return (low is None or value >= low) and (high is None or value <= high)


# ---------------------------------------------------------------- what is aimed at


def read_band(said: Any) -> Claim | None:
    """A target for the win rate of the first seat, as a claim of a plan has it: [0.35, 0.45]."""
    if said is None:
        return None
    is_pair = isinstance(said, list) and len(said) == 2
    if not is_pair or not all(isinstance(end, (int, float)) and not isinstance(end, bool) for end in said):
        raise UsageError("target: two shares, the lower one first, such as [0.35, 0.45]")
    if not 0 <= said[0] < said[1] <= 1:
        raise UsageError(f"target: {_short(said)}: two shares from 0 to 1, the lower one first")
    return Claim("", band=(float(said[0]), float(said[1])))
