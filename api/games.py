"""A game that questions are asked about: `bz.game("itter").losses(games=500)`."""

from bartizan.api.methods import QuestionMethod, Subject
from bartizan.api.questions.best import BestQuestion
from bartizan.api.questions.bracket import BracketQuestion
from bartizan.api.questions.cards import CardsQuestion
from bartizan.api.questions.catalogue import DescribeQuestion, PoliciesQuestion
from bartizan.api.questions.checking import CheckQuestion
from bartizan.api.questions.compare import CompareQuestion
from bartizan.api.questions.coverage import CoverageQuestion
from bartizan.api.questions.equilibrium import EquilibriumQuestion
from bartizan.api.questions.ladder import LadderQuestion
from bartizan.api.questions.losses import LossesQuestion
from bartizan.api.questions.odds import (
    AppelQuestion,
    DoOrDieQuestion,
    FightOddsQuestion,
    ShootToKillQuestion,
    StaffCarQuestion,
    StakeOrWaitQuestion,
)
from bartizan.api.questions.playtest import DealQuestion, PlanQuestion, SkillQuestion
from bartizan.api.questions.rare import RareQuestion
from bartizan.api.questions.run import RunQuestion
from bartizan.api.questions.sensitivity import SensitivityQuestion
from bartizan.api.questions.sweep import SweepQuestion
from bartizan.api.questions.trace import TraceQuestion
from bartizan.api.questions.train import TrainQuestion
from bartizan.api.questions.tune import TuneQuestion
from bartizan.simcore.watch import Watch


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
