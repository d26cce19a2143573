"""The Python door: every question of the command line. `import bartizan as bz` gives these names.

A method or function takes the command's options as keywords, returns an `Answer`, and raises the command's
errors with the same words. Both are derived from the question (`api/questions/`).
"""

from pathlib import Path
from typing import TYPE_CHECKING

from bartizan.api.methods import Odds, Playtest, Results, function
from bartizan.api.questions.catalogue import BandsQuestion, GamesQuestion, PoliciesQuestion
from bartizan.api.questions.checking import (
    BenchQuestion,
    CheckQuestion,
    DoctorQuestion,
    NewQuestion,
    WarmQuestion,
)
from bartizan.api.questions.playtest import FormQuestion, ImportQuestion, PlanQuestion, TemplateQuestion
from bartizan.api.questions.skill import BestQuestion
from bartizan.api.questions.sweep import MergeQuestion
from bartizan.simcore.watch import Watch

if TYPE_CHECKING:
    import polars as pl

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
]
__all__ += ["new", "open", "playtest_form", "playtest_import", "playtest_log", "playtest_plan"]
__all__ += ["playtest_template", "policies", "version", "warm"]

games = function(GamesQuestion)
policies = function(PoliciesQuestion)
bands = function(BandsQuestion)
best = function(BestQuestion)
check = function(CheckQuestion)
merge = function(MergeQuestion)
new = function(NewQuestion)
bench = function(BenchQuestion)
doctor = function(DoctorQuestion)
warm = function(WarmQuestion)
playtest_form = function(FormQuestion)
playtest_template = function(TemplateQuestion)
playtest_import = function(ImportQuestion)
playtest_plan = function(PlanQuestion)


def game(name: str | Path, *, watch: Watch | None = None) -> Playtest:
    """A built-in game by name, or one of your own by the path of its .py file."""
    return Playtest(str(name), watch or Watch())


def open(folder: str | Path, *, watch: Watch | None = None) -> Results:
    """A folder of results: of `sweep`, or of `compare` with `out`."""
    return Results(str(folder), watch or Watch())


def playtest_log(folder: str | Path) -> "pl.DataFrame":
    """Every row of a folder of plays, a seat a play; `kept` is false for those set aside (docs/data.md)."""
    from bartizan.analyses.people.log import read

    return read(folder)


def version() -> str:
    """Which bartizan this is."""
    from importlib.metadata import version as installed

    return installed("bartizan")
