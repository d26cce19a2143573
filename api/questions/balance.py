"""Effects of changes: `compare`, `sensitivity`, `tune`."""

from collections.abc import Mapping
from typing import Any

from bartizan.api import answers, options
from bartizan.api.answer import Answer
from bartizan.api.question import GameQuestion, HelpSection, Question, opt, out_opt
from bartizan.api.reading import File, Names, Sets
from bartizan.simcore import MOST_GAMES


class CompareQuestion(GameQuestion):
    """Compare a baseline with one change, on common random numbers."""

    command = "compare"
    section = HelpSection.JUDGE
    example = "bartizan compare itter --policy garrison --change victory.min_score=5"
    kept_as = "steps"

    change: Sets = opt(
        "a change: PATH=VALUE as in --set, or difficulty=LEVEL, scenario=NAME|FILE, policy=P; repeat to "
        "combine several into one change",
        default=None,
        metavar="PATH=VALUE",
        lists=("policy",),
    )
    scenario: options.ScenarioName = None
    difficulty: options.Level = None
    policy: options.Policies = None
    player: options.Player = None
    players: options.Players = None
    set: options.Values = None
    games: options.Games = 20_000
    seed: options.Seed = 1
    jobs: options.Jobs = None
    cluster: options.Cluster = None
    steps: bool = opt(
        "test each step that the scenario lists (a change towards another edition) by itself, then all "
        "steps together",
        default=False,
    )
    test: str | None = opt(
        "simulate pairs of games until this hypothesis is decided (A: the baseline, B: the change); "
        "--games is then the maximum",
        default=None,
        metavar='"B - A > 2pp"',
    )
    margin: str | float | None = opt(
        "half-width of the indifference zone around the tested value",
        needs=("test",),
        default=None,
        metavar="1pp",
    )
    alpha: float | None = opt(
        "Type I error rate (default: 0.05)", needs=("test",), default=None, min=0.0001, max=0.4
    )
    beta: float | None = opt(
        "Type II error rate (default: 0.05)", needs=("test",), default=None, min=0.0001, max=0.4
    )
    luck_adjusted: bool = opt(
        "also report the luck-adjusted difference, which has a narrower interval but takes longer",
        default=False,
    )
    out: File | None = out_opt(
        "DIR",
        "save the games in DIR/a (the baseline) and DIR/b (the change); in the folder of a sweep, and with "
        "--steps, save only the result",
        default=None,
    )

    @property
    def is_about_balance(self) -> bool:
        return True

    @staticmethod
    def key(document: Mapping[str, Any]) -> list[Any]:
        if steps := [step["set"] for step in document.get("steps", ())]:
            return [*Question.key(document["a"]), steps]
        # another seed is another question: its looks are counted separately
        sides = [*Question.key(document["a"]), *Question.key(document["b"])]
        return [*sides, document["change"], document["seed"]]

    def answer(self) -> Answer:
        return answers.compare.answer(self)


class SensitivityQuestion(GameQuestion):
    """Measure which numbers affect the result, and which do not."""

    command = "sensitivity"
    section = HelpSection.JUDGE
    example = "bartizan sensitivity itter --difficulty elite --assumed --one-level --games 2000"
    kept_as = "sensitivity"

    assumed: bool = opt("vary only assumed values, and rulings that are assumed or inferred", default=False)
    path: Names = opt(
        "vary only values below this path, such as turn or card.ogre; repeatable",
        default=None,
        metavar="PREFIX",
    )
    range: str | float = opt("relative change of each number, up and down", default="25%", metavar="25%")
    decks: int = opt(
        "number of random settings in which all values vary together", default=32, min=0, max=10_000
    )
    effects: int = opt(
        "estimate main and interaction effects of the K most influential values (try 6)",
        default=0,
        metavar="K",
        min=0,
        max=20,
    )
    settings: int = opt(
        "number of random settings of these values", needs=("effects",), default=200, min=20, max=100_000
    )
    levels: bool = opt(
        "simulate every level, and test whether harder levels stay harder under every change",
        default=True,
        off="--one-level",
    )
    scenario: options.ScenarioName = None
    difficulty: options.Level = None
    policy: options.Policies = None
    player: options.Player = None
    players: options.Players = None
    set: options.Values = None
    games: int = opt("number of games per variation", default=2000, min=2, max=MOST_GAMES)
    seed: options.Seed = 1
    jobs: options.Jobs = None
    cluster: options.Cluster = None
    top: int = opt("number of values to list", default=20, min=1, is_kept=False)
    out: File | None = out_opt(
        "FILE.json|DIR",
        "write the JSON output to a file, or save it in a sweep's folder for its report",
        default=None,
    )

    @property
    def is_about_balance(self) -> bool:
        return True

    @staticmethod
    def key(document: Mapping[str, Any]) -> list[Any]:
        return [*Question.key(document), document.get("range"), [knob["path"] for knob in document["knobs"]]]

    def answer(self) -> Answer:
        return answers.sensitivity.answer_sensitivity(self)


class TuneQuestion(GameQuestion):
    """Find the value that meets a target.

    The value is verified on held-out seeds. With several parameters, find the Pareto front of
    distance from the target, length and cost of change.

    Without --knob, vary each value in turn, and rerun the changes that come closest to the target.
    """

    command = "tune"
    section = HelpSection.JUDGE
    effort_options = ("games", "fresh")
    example = "bartizan tune itter --knob ss_counter.sturm.defence=3:6 --target win_rate=0.6..0.7"
    kept_as = "tune"

    knob: Names = opt(
        "the parameter to tune and its allowed values; repeatable",
        default=None,
        metavar="PATH=LO:HI[:STEP]|PATH=A,B|PATH",
    )
    path: Names = opt(
        "without --knob: vary only values below this path; repeatable", default=None, metavar="PREFIX"
    )
    range: str | float | None = opt(
        "without --knob: relative change of each number, up and down (default: 25%)",
        default=None,
        metavar="25%",
    )
    target: str | None = opt(
        "win_rate=0.30, win_rate=0.25..0.35 (a range), turns=18, score=10, draws=0.1 or tier:NAME=0.2",
        default=None,
        metavar="WHAT=VALUE",
    )
    margin: str | float | None = opt(
        "accepted distance from a single target number (default: 1pp for shares; for turns and "
        "scores 0.5, or 2 % of the number if that is more)",
        default=None,
        metavar="1pp",
    )
    scenario: options.ScenarioName = None
    difficulty: options.Level = None
    policy: options.Policies = None
    player: options.Player = None
    players: options.Players = None
    set: options.Values = None
    games: int | None = opt(
        "with one --knob: maximum number of games per value (default: 20,000); with several: games per "
        "combination (default: 4,000); with none: games per value (default: 1,000)",
        default=None,
        min=100,
        max=MOST_GAMES,
    )
    cost: Sets = opt(
        "with several --knob options, or none: cost of changing a value below this path; repeatable",
        default=None,
        metavar="PATH=NUMBER",
    )
    length: float | None = opt(
        "with several --knob options: target length in turns (default: the current length)",
        default=None,
        min=0,
    )
    trials: int = opt(
        "with several --knob options: number of combinations to simulate", default=100, min=2, max=10_000
    )
    fresh: int = opt(
        "number of games on held-out seeds that verify the winner", default=40_000, min=100, max=MOST_GAMES
    )
    seed: options.Seed = 1
    jobs: options.Jobs = None
    cluster: options.Cluster = None
    out: options.KeptOut = None

    @property
    def is_about_balance(self) -> bool:
        return True

    @staticmethod
    def key(document: Mapping[str, Any]) -> list[Any]:
        return [*Question.key(document), *map(document.get, ("target", "knob", "knobs", "range"))]

    def answer(self) -> Answer:
        return answers.sensitivity.answer_tune(self)
