"""Bartizan: Monte Carlo balance and difficulty analysis for board games.

    import bartizan as bz

    itter = bz.game("itter")
    answer = itter.run(difficulty="elite", games=20_000)
    print(answer)
    answer.win_rate.low, answer.win_rate.high

Every question of the command line is a method, with the command's options as keywords; `answer.to_dict()` is
the output of the command with `--json`. This package also has `Game`, `Engine`, `Policy`, `jit` and other
names for authors of games and policies. Names are loaded when they are first used.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # for mypy and editors
    from bartizan.api import *  # noqa: F403
    from bartizan.api.answer import Answer as Answer

_ROOMS = {
    "bartizan.api": "Odds Playtest Results bands bench best check doctor game games gate import_records "
    "merge new open policies playtest_form playtest_import playtest_log playtest_plan playtest_template "
    "refresh warm",
    "bartizan.api.answer": "Answer",
    "bartizan.simcore.errors": "BartizanError EngineError PolicyError ScenarioError UsageError",
    # what authors of games and policies need
    "bartizan.policies.newcomer": "newcomer",
    "bartizan.policies.protocol": "Policy",
    "bartizan.simcore.game": "CardRow Cards Engine Game Rare acts_of",
    "bartizan.simcore.features": "Features",
    "bartizan.simcore.kit.piles": "all_open",
    "bartizan.simcore.compile.jit": "inline jit",
    "bartizan.simcore.compile.rules": "HOUSE NOBODY NO_ACTION PLAYING",
    "bartizan.simcore.reporting": "Form Group Ranking Reporting Setting",
    "bartizan.simcore.rng": "LUCK_FIELDS die policy_below",
    "bartizan.simcore.scenario.model": "Datum ScenarioModel",
}
_NAMES = {name: room for room, names in _ROOMS.items() for name in names.split()}
__all__ = sorted(_NAMES)


def __getattr__(name: str) -> Any:
    if name not in _NAMES:
        raise AttributeError(f"module 'bartizan' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_NAMES[name]), name)


def __dir__() -> list[str]:
    return __all__
