"""`compare`: a baseline against one change of it, on common luck; tested one by one, or step by step."""

from typing import TYPE_CHECKING

from bartizan.api.answer import Answer
from bartizan.api.options import Games, Jobs, Level, Players, Policies, ScenarioName, Seed, Values
from bartizan.api.question import GameQuestion, opt, out_opt
from bartizan.api.reading import File, Sets, half_width, listed, path_of, texts
from bartizan.simcore.errors import UsageError

if TYPE_CHECKING:
    from bartizan.analyses.experiments.sequential import Hypothesis


class CompareQuestion(GameQuestion):
    """A baseline against one change of it, the same games on common luck."""

    command = "compare"
    example = "bartizan compare itter --policy garrison --change victory.min_score=5"

    change: Sets = opt(
        "as --set; also difficulty=LEVEL, scenario=NAME|FILE, policy=P; repeat: all together are one change",
        default=None,
        metavar="PATH=VALUE",
        lists=("policy",),
    )
    scenario: ScenarioName = None
    difficulty: Level = None
    policy: Policies = None
    players: Players = None
    set: Values = None
    games: Games = 20_000
    seed: Seed = 1
    jobs: Jobs = None
    steps: bool = opt(
        "each change that the scenario lists as a step (another edition), by itself, then all together",
        default=False,
    )
    test: str | None = opt(
        "play pairs until this is answered (B: the change); --games is then the limit",
        default=None,
        metavar='"B - A > 2pp"',
    )
    margin: str | float | None = opt(
        "with --test: differences so near to what is asked may be answered either way",
        default=None,
        metavar="1pp",
    )
    alpha: float | None = opt(
        "with --test: chance of a wrong yes; 0.05 unless given", default=None, min=0.0001, max=0.4
    )
    beta: float | None = opt(
        "with --test: chance of a wrong no; 0.05 unless given", default=None, min=0.0001, max=0.4
    )
    luck_adjusted: bool = opt(
        "also the difference without the luck of either side: narrower, for more time", default=False
    )
    out: File | None = out_opt(
        "DIR",
        "keep the games in DIR/a (the baseline) and DIR/b (the change); with --steps the answer, in a "
        "sweep's folder",
        default=None,
    )

    def answer(self) -> Answer:
        from bartizan.api.answers import compare

        command, out = self.command_line(), path_of(self.out)
        request = self.request(self.scenario, self.difficulty, self.policy, self.players, self.set)
        effort = self.effort(self.games, self.seed, self.jobs)
        claim = self._claim()
        if self.steps:
            if self.change or claim or self.luck_adjusted:
                raise UsageError(
                    "compare --steps: the scenario says what is changed; leave out --change, --test and "
                    "--luck-adjusted"
                )
            return compare.ask_steps(request, effort, command, out)
        if not self.change:
            raise UsageError(
                "compare: what is changed? say --change PATH=VALUE (bartizan describe GAME --knobs lists the "
                "paths; also scenario=, difficulty=, policy=)"
            )
        changes = dict(self.change)
        policies, scenario = listed(changes.pop("policy", None)), changes.pop("scenario", None)
        sides = compare.sides_of(request, effort, texts(changes), scenario, policies, command)
        if self.luck_adjusted and claim:
            raise UsageError("compare --test: stops by the results as they come; leave out --luck-adjusted")
        if claim:
            return compare.ask_until(sides, claim, effort)
        return compare.ask(sides, effort, out, self.luck_adjusted)

    def _claim(self) -> "Hypothesis | None":
        """What `test` asks, with its margin and errors; None without it."""
        options = {"--margin": self.margin, "--alpha": self.alpha, "--beta": self.beta}
        needless = [name for name, value in options.items() if value is not None]
        if self.test is None and needless:
            raise UsageError(
                f'{needless[0]}: belongs to --test; say what is asked, such as --test "B - A > 2pp"'
            )
        if self.test is None:
            return None
        if self.out:
            raise UsageError(
                "compare --test: keeps no games; leave out -o, or leave out --test to play and keep a fixed "
                "number"
            )
        from bartizan.analyses.experiments.sequential import read_claim

        margin = half_width(self.margin or "1pp", "--margin")
        return read_claim(self.test, margin, self.alpha or 0.05, self.beta or 0.05)
