"""Questions as functions and as methods, with their options as keywords: what `import bartizan` offers."""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar

from bartizan.api.answer import Answer
from bartizan.api.question import Question
from bartizan.api.questions.balance import CompareQuestion, SensitivityQuestion, TuneQuestion
from bartizan.api.questions.catalogue import DescribeQuestion, PoliciesQuestion
from bartizan.api.questions.checking import CheckQuestion
from bartizan.api.questions.in_games import (
    CardsQuestion,
    CoverageQuestion,
    LossesQuestion,
    RareQuestion,
    TraceQuestion,
)
from bartizan.api.questions.odds import (
    AppelQuestion,
    DoOrDieQuestion,
    FightOddsQuestion,
    ShootToKillQuestion,
    StaffCarQuestion,
    StakeOrWaitQuestion,
)
from bartizan.api.questions.playtest import DealQuestion, PlanQuestion, SkillQuestion
from bartizan.api.questions.results import ExportQuestion, ReportQuestion, VerifyQuestion, manifests
from bartizan.api.questions.skill import (
    BestQuestion,
    BracketQuestion,
    EquilibriumQuestion,
    LadderQuestion,
    TrainQuestion,
)
from bartizan.api.questions.sweep import RunQuestion, SweepQuestion
from bartizan.simcore.compile import cache
from bartizan.simcore.watch import Watch

if TYPE_CHECKING:
    import polars as pl

P = ParamSpec("P")
T = TypeVar("T")


def function(question: Callable[P, Question[T]]) -> Callable[P, T]:
    """A function that asks a question."""
    return _asking(question, question.command.replace(" ", "_"))  # type: ignore[attr-defined]


class Subject:
    """What questions are asked about, a game or a folder, and who sees how far they have come."""

    def __init__(self, name: str, watch: Watch):
        self.name, self.watch = name, watch


class QuestionMethod(Generic[P, T]):
    """A method that asks a question about its object."""

    def __init__(self, question: Callable[Concatenate[Any, P], Question[T]]):
        self.question = question

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, about: Subject | None, owner: type) -> Callable[P, T]:
        return _asking(self.question, self.name, about)


def _asking(question: Any, name: str, about: Subject | None = None) -> Callable:
    """The function, with the signature and the help of the question; of `about` what it is asked about."""
    bound = () if about is None else (about.name,)

    def ask(*args: Any, **options: Any) -> Any:
        instance = question(*bound, *args, **options)
        if about is not None:
            instance.watch = about.watch
        return instance.ask()

    options = {option.name: option for option in question.options}
    parameters = list(inspect.signature(question).parameters.values())[len(bound) :]
    plain = [one.replace(annotation=options[one.name].type) for one in parameters]
    helps = [f"{one.name}: {options[one.name].opt.help}" for one in plain if options[one.name].opt.help]
    ask.__name__ = ask.__qualname__ = name
    ask.__doc__ = "\n".join([inspect.getdoc(question) or "", "", *helps])
    ask.question = question  # type: ignore[attr-defined]
    ask.__signature__ = inspect.Signature(plain)  # type: ignore[attr-defined]
    return ask


# ---------------------------------------------------------------- a game


class Odds(Subject):
    """Single throws and fights, exact and simulated: `castle` is about Castle, the others about Colditz."""

    do_or_die = QuestionMethod(DoOrDieQuestion)
    staff_car = QuestionMethod(StaffCarQuestion)
    appel = QuestionMethod(AppelQuestion)
    shoot_to_kill = QuestionMethod(ShootToKillQuestion)
    castle = QuestionMethod(FightOddsQuestion)
    stake_or_wait = QuestionMethod(StakeOrWaitQuestion)


class Playtest(Subject):
    """A game to be asked about: one method a question, with the options of its command as keywords."""

    def __init__(self, name: str, watch: Watch):
        super().__init__(name, watch)
        self.odds = Odds(name, watch)

    def __repr__(self) -> str:
        return f"bartizan.game({self.name!r})"

    describe = QuestionMethod(DescribeQuestion)
    policies = QuestionMethod(PoliciesQuestion)
    check = QuestionMethod(CheckQuestion)
    run = QuestionMethod(RunQuestion)
    sweep = QuestionMethod(SweepQuestion)
    trace = QuestionMethod(TraceQuestion)
    compare = QuestionMethod(CompareQuestion)
    sensitivity = QuestionMethod(SensitivityQuestion)
    tune = QuestionMethod(TuneQuestion)
    train = QuestionMethod(TrainQuestion)
    ladder = QuestionMethod(LadderQuestion)
    bracket = QuestionMethod(BracketQuestion)
    equilibrium = QuestionMethod(EquilibriumQuestion)
    best = QuestionMethod(BestQuestion)
    rare = QuestionMethod(RareQuestion)
    losses = QuestionMethod(LossesQuestion)
    cards = QuestionMethod(CardsQuestion)
    coverage = QuestionMethod(CoverageQuestion)
    playtest_skill = QuestionMethod(SkillQuestion)
    playtest_plan = QuestionMethod(PlanQuestion)
    deal = QuestionMethod(DealQuestion)


# ---------------------------------------------------------------- a folder of results


class Results(Subject):
    """A folder of results."""

    report = QuestionMethod(ReportQuestion)
    verify = QuestionMethod(VerifyQuestion)

    @property
    def folder(self) -> Path:
        return Path(self.name)

    def export(self, out: str | Path = "games.parquet") -> Answer:
        """Write `table()` to a .parquet or .csv file."""
        return ExportQuestion(self.folder, out).ask()

    def table(self) -> "pl.LazyFrame":
        """Every game, one a row, with its level, policies and settings, and codes in words (docs/data.md).

        Raises EngineError when a file is not what was written.
        """
        cache.prepare(manifests(self.folder))
        from bartizan.analyses.records.tidy import table

        return table(self.folder)

    def rows(self) -> "pl.LazyFrame":
        """Every game, one a row, with a column `cell`.

        Raises EngineError when a file is not what was written.
        """
        cache.prepare((str(self.folder / "manifest.json"),))
        from bartizan.api.keeping import Folder
        from bartizan.api.playing import rows_of
        from bartizan.simcore.sweep.verify import checked_sweep

        checked_sweep(self.folder)
        return rows_of(Folder(self.folder))
