"""Questions as functions and methods with their options as keywords: the contents of `import bartizan`."""

import inspect
import reprlib
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar

from bartizan.api.answer import Answer
from bartizan.api.question import GameQuestion, OptionField, Question
from bartizan.api.questions import (
    all_questions,
    balance,
    catalogue,
    chance,
    checking,
    in_games,
    odds,
    old_names,
    playtest,
    results,
    skill,
)
from bartizan.api.questions import sweep as sweeping
from bartizan.simcore.compile import cache
from bartizan.simcore.errors import UsageError, did_you_mean
from bartizan.simcore.watch import Watch

if TYPE_CHECKING:
    import polars as pl

P = ParamSpec("P")
T = TypeVar("T")


def function(question: Callable[P, Question[T]], name: str = "") -> Callable[P, T]:
    """Return a function that asks a question.

    name: name of the function, if the command is a Python keyword, such as `import`.
    """
    return _asking(question, name or question.command.replace(" ", "_"))  # type: ignore[attr-defined]


class Subject:
    """A game or a folder to ask about, and an observer of progress."""

    def __init__(self, name: str, watch: Watch):
        self.name, self.watch = name, watch


class QuestionMethod(Generic[P, T]):
    """Descriptor that turns a question into a method of the object or class that the question is about."""

    def __init__(self, question: Callable[Concatenate[Any, P], Question[T]]):
        self.question = question

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, about: Subject | None, owner: type) -> Callable[P, T]:
        return _asking(self.question, self.name, about)


def _asking(question: Any, name: str, about: Subject | None = None) -> Callable[..., Any]:
    """Return a function that asks the question, with the question's options as signature and its help.

    about: the game or folder; None if the function takes it as an argument.
    """
    bound = () if about is None else (about.name,)

    def ask(*args: Any, **given: Any) -> Any:
        refuse_misnamed(name, ask.__signature__, options, args, given)  # type: ignore[attr-defined]
        instance = question(*bound, *args, **given)
        if about is not None:
            instance.watch = about.watch
        return instance.ask()

    options = {option.name: option for option in question.options}
    parameters = list(inspect.signature(question).parameters.values())[len(bound) :]
    plain = [one.replace(annotation=options[one.name].type) for one in parameters]
    helps = [f"{one.name}: {options[one.name].opt.help}" for one in plain if options[one.name].opt.help]
    ask.__name__ = ask.__qualname__ = name
    ask.__module__ = "bartizan.api"  # where `pickle` finds it
    ask.__doc__ = "\n".join([inspect.getdoc(question) or "", "", *helps])
    ask.question = question  # type: ignore[attr-defined]
    ask.__signature__ = inspect.Signature(plain)  # type: ignore[attr-defined]
    return ask


def refuse_misnamed(
    name: str,
    signature: inspect.Signature,
    options: Mapping[str, OptionField],
    args: tuple[Any, ...],
    given: dict[str, Any],
) -> None:
    """Raise UsageError for unknown or missing arguments of the function `name`."""
    parameters = signature.parameters
    by_place = [one.name for one in parameters.values() if one.kind is one.POSITIONAL_OR_KEYWORD]
    if len(args) > len(by_place):
        takes = f"only {', '.join(by_place)}" if by_place else "nothing"
        raise UsageError(
            f"{name}: takes {takes} positional arguments; pass the others by name, such as seed=2"
        )
    for word in given:
        if word not in parameters:
            raise UsageError(f'{name}: unknown option "{word}"{did_you_mean(word, parameters)}')
    placed = by_place[: len(args)]
    for word, one in parameters.items():
        if word in placed and word in given:
            raise UsageError(f"{name}: {word} is given twice, by position and by name; give it once")
        if one.default is one.empty and word not in placed and word not in given:
            option = options.get(word)
            what = f" ({option.opt.help})" if option and option.opt.help else ""
            raise UsageError(f"{name}: {word} is missing{what}; give {option.expected if option else 'it'}")


def strict(function: Callable[P, T]) -> Callable[P, T]:
    """Return the function with a check of its arguments. A wrong call raises UsageError."""
    signature = inspect.signature(function)
    parameters = {name: one for name, one in signature.parameters.items() if name != "self"}
    is_method = len(parameters) < len(signature.parameters)

    @wraps(function)
    def ask(*args: P.args, **given: P.kwargs) -> T:
        named = inspect.Signature(list(parameters.values()))
        refuse_misnamed(function.__name__, named, {}, args[is_method:], given)
        return function(*args, **given)

    return ask


def refuse_pathless(value: Any, what: str) -> None:
    """Raise UsageError for a value that is not a path. what: name of the called function."""
    if not isinstance(value, (str, Path)) or not str(value):
        shown = " ".join(reprlib.repr(value).split())
        raise UsageError(f"{what}: {shown} ({type(value).__name__}); give a path, such as {EXAMPLES[what]}")


EXAMPLES = {"game": '"itter" or "my_game.py"', "open": '"results"', "playtest_log": '"plays"'}


# ---------------------------------------------------------------- a game


class Odds(Subject):
    """Throws and fights, and whether to stake a POW now or wait.

    `castle` is about Castle, and all other methods are about Escape from Colditz.
    `chance(event=...)` gives the same results.
    """

    do_or_die = QuestionMethod(odds.DoOrDieQuestion)
    staff_car = QuestionMethod(odds.StaffCarQuestion)
    appel = QuestionMethod(odds.AppelQuestion)
    shoot_to_kill = QuestionMethod(odds.ShootToKillQuestion)
    castle = QuestionMethod(odds.FightOddsQuestion)
    stake_or_wait = QuestionMethod(odds.StakeOrWaitQuestion)


class Playtest(Subject):
    """A game to ask about, with one method per question. The options of the command are keyword arguments."""

    def __init__(self, name: str, watch: Watch):
        super().__init__(name, watch)
        self.odds = Odds(name, watch)

    def __repr__(self) -> str:
        return f"bartizan.game({self.name!r})"

    # listed for mypy and editors; every other question about a game is also a method
    describe = QuestionMethod(catalogue.DescribeQuestion)
    check = QuestionMethod(checking.CheckQuestion)
    run = QuestionMethod(sweeping.RunQuestion)
    trace = QuestionMethod(in_games.TraceQuestion)
    compare = QuestionMethod(balance.CompareQuestion)
    sensitivity = QuestionMethod(balance.SensitivityQuestion)
    tune = QuestionMethod(balance.TuneQuestion)
    train = QuestionMethod(skill.TrainQuestion)
    ladder = QuestionMethod(skill.LadderQuestion)
    bracket = QuestionMethod(skill.BracketQuestion)
    equilibrium = QuestionMethod(skill.EquilibriumQuestion)
    chance = QuestionMethod(chance.ChanceQuestion)
    losses = QuestionMethod(in_games.LossesQuestion)
    cards = QuestionMethod(in_games.CardsQuestion)
    coverage = QuestionMethod(in_games.CoverageQuestion)
    playtest_skill = QuestionMethod(playtest.SkillQuestion)
    playtest_plan = QuestionMethod(playtest.PlanQuestion)
    deal = QuestionMethod(playtest.DealQuestion)
    # methods of older commands
    policies = QuestionMethod(old_names.PoliciesQuestion)
    sweep = QuestionMethod(old_names.SweepQuestion)
    best = QuestionMethod(old_names.BestQuestion)
    rare = QuestionMethod(old_names.RareQuestion)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            question = all_questions().get(name.replace("_", " "))
            if question is None or not issubclass(question, GameQuestion):
                raise AttributeError(f"bartizan.game has no method {name!r}")
            return _asking(question, name, self)


# ---------------------------------------------------------------- a folder of results


class Results(Subject):
    """A folder of results, with one method per question about its games."""

    report = QuestionMethod(results.ReportQuestion)
    ladder = QuestionMethod(skill.LadderQuestion)
    cards = QuestionMethod(in_games.CardsQuestion)
    verify = QuestionMethod(old_names.VerifyQuestion)

    @property
    def folder(self) -> Path:
        return Path(self.name)

    @strict
    def export(self, out: str | Path = "games.parquet") -> Answer:
        """Write `table()` to a .parquet or .csv file. Raises UsageError for another suffix."""
        return old_names.ExportQuestion(self.folder, out).ask()

    def table(self) -> "pl.LazyFrame":
        """Return all games, one per row, with level, policies, settings and names of codes (docs/data.md).

        Raises EngineError if a file has been changed.
        """
        cache.configure()
        from bartizan.analyses.records.tidy import table

        return table(self.folder)

    def rows(self) -> "pl.LazyFrame":
        """Return all games, one per row, with a column `cell` and names of codes.

        Raises EngineError if a file has been changed.
        """
        cache.configure()
        from bartizan.api.keeping import Folder
        from bartizan.api.playing import rows_of
        from bartizan.simcore.sweep.verify import checked_sweep

        checked_sweep(self.folder)
        return rows_of(Folder(self.folder))
