"""The Python interface: `import bartizan as bz` provides the names in this module.

Each question of the command line is a method or function. It takes the command's options as keyword
arguments, returns an `Answer`, and raises the command's errors with the same messages. All of them are
derived from the questions (`api/questions/`).
"""

from pathlib import Path
from typing import TYPE_CHECKING

from bartizan.api.methods import Odds, Playtest, Results, function, refuse_pathless, strict
from bartizan.api.questions import checking, imported, old_names, playtest
from bartizan.api.questions import gate as gating
from bartizan.simcore.compile import cache
from bartizan.simcore.errors import UsageError
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
    "gate",
    "import_records",
    "merge",
]
__all__ += ["new", "open", "playtest_form", "playtest_import", "playtest_log", "playtest_plan"]
__all__ += ["playtest_template", "policies", "refresh", "version", "warm"]

games = function(old_names.GamesQuestion)
policies = function(old_names.PoliciesQuestion)
bands = function(old_names.BandsQuestion)
best = function(old_names.BestQuestion)
check = function(checking.CheckQuestion)
gate = function(gating.GateQuestion)
merge = function(old_names.MergeQuestion)
refresh = function(old_names.RefreshQuestion)
import_records = function(imported.ImportRecordsQuestion, name="import_records")
new = function(checking.NewQuestion)
bench = function(old_names.BenchQuestion)
doctor = function(checking.DoctorQuestion)
warm = function(old_names.WarmQuestion)
playtest_form = function(playtest.FormQuestion)
playtest_template = function(old_names.TemplateQuestion)
playtest_import = function(playtest.ImportQuestion)
playtest_plan = function(playtest.PlanQuestion)


@strict
def game(name: str | Path, *, watch: Watch | None = None) -> Playtest:
    """Return a built-in game by name, or your own game by the path of its .py file.

    watch: observer of progress (default: none). The file is read when a question is asked. Raises UsageError
    for a game that does not exist.
    """
    refuse_pathless(name, "game")
    cache.configure()
    from bartizan.simcore.game import refuse_unknown

    if not (str(name).endswith(".toml") and Path(name).is_file()):  # a plan, or a scenario to check
        refuse_unknown(str(name))
    return Playtest(str(name), _watching(watch))


@strict
def open(folder: str | Path, *, watch: Watch | None = None) -> Results:
    """Open a results folder that `run` or `compare` wrote with `out`.

    watch: observer of progress (default: none). Raises UsageError if there is no such folder.
    """
    refuse_pathless(folder, "open")
    if not Path(str(folder)).is_dir():
        cache.configure()
        from bartizan.simcore.sweep.store import open_sweep

        open_sweep(Path(str(folder)))
    return Results(str(folder), _watching(watch))


def _watching(watch: Watch | None) -> Watch:
    if watch is not None and not isinstance(watch, Watch):
        raise UsageError(
            f"watch: {watch!r} ({type(watch).__name__}) is not a Watch; pass a "
            "bartizan.simcore.watch.Watch, or omit it"
        )
    return watch or Watch()


@strict
def playtest_log(folder: str | Path) -> "pl.DataFrame":
    """Return the play records of a folder, one row per seat and play (docs/data.md).

    The column `kept` is false for rows that the import set aside. Raises UsageError if the folder has no
    records.
    """
    refuse_pathless(folder, "playtest_log")
    from bartizan.analyses.people.log import read

    return read(folder)


def version() -> str:
    """Return the version of the installed package, such as `0.1.0`."""
    from importlib.metadata import version as installed

    return installed("bartizan")
