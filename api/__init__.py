"""The Python door: every question of the command line as a method. `import bartizan as bz` gives these names.

A method takes the command's options as keywords, returns an `Answer`, and raises the command's errors with
the same words. The command line is written on top of this room.
"""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from bartizan.api.odds import Odds
from bartizan.api.people import playtest_form, playtest_import, playtest_log, playtest_template
from bartizan.api.people_skill import playtest_plan, playtest_plan_of
from bartizan.api.playtest import Playtest
from bartizan.api.reading import Names, answers, listed
from bartizan.api.results import Results
from bartizan.simcore.compile import cache
from bartizan.simcore.errors import UsageError
from bartizan.simcore.watch import Watch

if TYPE_CHECKING:
    from bartizan.reports.answers.answer import Answer

__all__ = [
    "Odds",
    "Playtest",
    "Results",
    "bands",
    "bench",
    "best",
    "check",
    "doctor",
    "game",
    "games",
    "merge",
    "open",
]
__all__ += ["new", "playtest_form", "playtest_import", "playtest_log", "playtest_plan", "playtest_plan_of"]
__all__ += ["playtest_template"]
__all__ += ["policies", "version", "warm"]


def game(name: str | Path, *, watch: Watch | None = None) -> "Playtest":
    """A built-in game by name, or one of your own by the path of its .py file."""
    return Playtest(str(name), watch or Watch())


def games() -> "Answer":
    """The games that can be played."""
    return answers("catalogue").games()


def policies(game: str | None = None) -> "Answer":
    """Who can play: policies, their weights, and how they can be restricted; of one game, or of all."""
    return answers("catalogue", game or "").policies(game)


def version() -> str:
    """Which bartizan this is."""
    from importlib.metadata import version as installed

    return installed("bartizan")


def bands() -> "Answer":
    """Win rates to aim at that designers have named, for `preset` in a claim."""
    return answers("catalogue").bands()


def best(*, admit: str | None = None) -> "Answer":
    """The best policy found for each level and role of every game; `game(NAME).best` can admit another."""
    if admit:
        raise UsageError(f"best --admit {admit}: to which game? bartizan best GAME --admit {admit}")
    return answers("best").of_all_games()


def check(target: str | Path, *, policy: Names = None) -> Iterator[str]:
    """Checks a game, policies of it, or a scenario file.

    Yields a line for each check passed; raises at the first that fails.
    """
    return answers("check", str(target)).check(str(target), listed(policy))


def merge(folders: Iterable[str | Path], out: str | Path, *, watch: Watch | None = None) -> "Answer":
    """Put the parts of a sweep (`sweep` with `shards`) together in the folder `out`."""
    parts = [Path(folder) for folder in folders]
    manifests = [str(folder / "manifest.json") for folder in parts[:1]]
    return answers("parts", *manifests).merge(parts, Path(out), watch or Watch())


def new(kind: str, name: str, *, game: str | None = None) -> Iterator[str]:
    """Writes a skeleton into the working folder: a "game", or a "policy" of `game`.

    Yields what was written, and what to try first.
    """
    return answers("new", game or "").new(kind, name, game)


def bench(games: Names = None, *, policy: Names = None, quick: bool = False) -> "Answer":
    """How fast each game plays here, beside a yardstick measured in the same run."""
    return answers("machine", *listed(games)).bench(listed(games), listed(policy), quick)


def doctor() -> "Answer":
    """Versions, cores, cache folder, and a computation with a known answer."""
    folder = cache.configure()
    return answers("machine").doctor(folder)


def warm(games: Names = None, *, jobs: int | None = None, watch: Watch | None = None) -> "Answer":
    """Compile the play loops and policies of games ahead; of all games of the house unless some are named."""
    from bartizan.api.warming import warm as compiled

    return compiled(listed(games), jobs or os.cpu_count() or 1, watch or Watch())


def open(folder: str | Path, *, watch: Watch | None = None) -> "Results":
    """A folder of results: of `sweep`, or of `compare` with `out`."""
    return Results(Path(folder), watch or Watch())
