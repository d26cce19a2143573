"""How the options of a question are read; the same for Python and the command line."""

import os
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

from bartizan.simcore.compile import cache
from bartizan.simcore.errors import UsageError

Names = str | Sequence[str] | None  # one name, several, or none
Sets = Mapping[str, Any] | None  # path -> value
USUAL_GAMES, MOST_GAMES = 10_000, 10_000_000


def prepare(*named: str) -> None:
    """Point the compiler's cache at the folder for these games, before anything imports numba."""
    cache.prepare(named)


def answers(command: str, *named: str) -> ModuleType:
    """The module that answers a command; heavy, so it is loaded when it is asked for."""
    from importlib import import_module

    if named or "NUMBA_CACHE_DIR" not in os.environ:
        prepare(*named)
    return import_module(f"bartizan.reports.answers.{command}")


def listed(names: Names) -> tuple[str, ...]:
    return () if names is None else (names,) if isinstance(names, str) else tuple(map(str, names))


def texts(values: Sets) -> dict[str, str]:
    """Values as `--set` takes them."""
    from bartizan.simcore.scenario.parameters import as_text

    return {path: as_text(value) for path, value in (values or {}).items()}


def varied(values: Mapping[str, Any] | None) -> dict[str, str]:
    """Values to sweep over: a list is several."""
    from bartizan.simcore.scenario.parameters import as_text

    return {
        path: ",".join(map(as_text, value)) if isinstance(value, (list, tuple)) else as_text(value)
        for path, value in (values or {}).items()
    }


def half_width(said: str | float, option: str = "--precision") -> float:
    """`0.5pp` or `0.005` -> 0.005."""
    text = str(said)
    try:
        value = float(text.removesuffix("pp")) / (100 if text.endswith("pp") else 1)
    except ValueError:
        value = 0.0
    if not 0 < value < 0.5:
        raise UsageError(f"{option} {text}: give a half-width such as 0.5pp (percentage points)")
    return value


def games_for(games: int | None, width: float | None) -> int:
    """How many games are played at most: `games`; where none are named as many as a half-width can need, or
    10,000.
    """
    if games is not None or width is None:
        return games or USUAL_GAMES
    from bartizan.analyses.statistics.stagewise import most_needed
    from bartizan.simcore.play.batch import CHUNK_GAMES

    return most_needed(width, CHUNK_GAMES, MOST_GAMES)


def share_of(said: str | float) -> float:
    """`25%` or `0.25` -> 0.25."""
    text = str(said)
    try:
        value = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        value = 0.0
    if not 0 < value <= 1:
        raise UsageError(f"--range {text}: give a share of each number, such as 25%")
    return value


def claim_of(test: str | None, margin, alpha: float | None, beta: float | None, keeps: bool):
    """What `test` asks, with its margin and errors; None without it."""
    options = (("--margin", margin), ("--alpha", alpha), ("--beta", beta))
    given = [name for name, value in options if value is not None]
    if test is None and given:
        raise UsageError(f'{given[0]}: belongs to --test; say what is asked, such as --test "B - A > 2pp"')
    if test is None:
        return None
    if keeps:
        raise UsageError(
            "compare --test: keeps no games; leave out -o, or leave out --test to play and keep a fixed "
            "number"
        )
    from bartizan.analyses.experiments.sequential import read_claim

    return read_claim(test, half_width(margin or "1pp", "--margin"), alpha or 0.05, beta or 0.05)


def command_line(command: str, name: str, options: Mapping[str, Any], unsaid: Sequence[str]) -> str:
    """The command line that asks the same, for the manifest; without what does not change the results."""
    if options.get("command"):
        return options["command"]
    from bartizan.policies.request import command_of

    skipped = {"self", "command", *unsaid}
    said = {key: value for key, value in options.items() if key not in skipped}
    return command_of(command, name, **said) + " -o DIR"
