"""What do changes do? `compare`, `sensitivity`, `tune`."""

from collections.abc import Mapping
from typing import Any

from bartizan.api import answers, options
from bartizan.api.answer import Answer
from bartizan.api.question import GameQuestion, Question, opt, out_opt
from bartizan.api.reading import File, Names, Sets
from bartizan.simcore import MOST_GAMES


class CompareQuestion(GameQuestion):
    """A baseline against one change of it, the same games on common luck."""

    command = "compare"
    example = "bartizan compare itter --policy garrison --change victory.min_score=5"
    kept_as = "steps"

    change: Sets = opt(
        "as --set; also difficulty=LEVEL, scenario=NAME|FILE, policy=P; repeat: all together are one change",
        default=None,
        metavar="PATH=VALUE",
        lists=("policy",),
    )
    scenario: options.ScenarioName = None
    difficulty: options.Level = None
    policy: options.Policies = None
    players: options.Players = None
    set: options.Values = None
    games: options.Games = 20_000
    seed: options.Seed = 1
    jobs: options.Jobs = None
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

    @staticmethod
    def key(document: Mapping) -> list[Any]:
        return [*Question.key(document["a"]), [step["set"] for step in document["steps"]]]

    def answer(self) -> Answer:
        return answers.compare.answer(self)


class SensitivityQuestion(GameQuestion):
    """Which numbers move the result, and which conclusions stand whatever they are?"""

    command = "sensitivity"
    example = "bartizan sensitivity itter --difficulty elite --assumed --one-level --games 2000"
    kept_as = "sensitivity"

    assumed: bool = opt(
        "only guesses: values that are assumed, rulings that are assumed or inferred", default=False
    )
    path: Names = opt(
        "only values below this path, such as turn or card.ogre; repeat for several",
        default=None,
        metavar="PREFIX",
    )
    range: str | float = opt("how far numbers are varied, up and down", default="25%", metavar="25%")
    decks: int = opt("random draws of all values at once", default=32, min=0, max=10_000)
    effects: int = opt(
        "the K most influential: what each does over the others, and together; try 6",
        default=0,
        metavar="K",
        min=0,
        max=20,
    )
    settings: int = opt("random settings of these, with --effects", default=200, min=20, max=100_000)
    levels: bool = opt(
        "play every level too, where there are several: are harder ones harder whatever the values?",
        default=True,
        off="--one-level",
    )
    scenario: options.ScenarioName = None
    difficulty: options.Level = None
    policy: options.Policies = None
    players: options.Players = None
    set: options.Values = None
    games: int = opt("games a variation", default=2000, min=2, max=MOST_GAMES)
    seed: options.Seed = 1
    jobs: options.Jobs = None
    cluster: options.Cluster = None
    top: int = opt("influences that are listed", default=20, min=1, is_kept=False)
    out: File | None = out_opt(
        "FILE.json|DIR", "write the document, or add it to this sweep's folder, for its report", default=None
    )

    @staticmethod
    def key(document: Mapping) -> list[Any]:
        return [*Question.key(document), document.get("range"), [knob["path"] for knob in document["knobs"]]]

    def answer(self) -> Answer:
        return answers.sensitivity.answer_sensitivity(self)


class TuneQuestion(GameQuestion):
    """Which value hits a target? It is searched for, and played again on fresh seeds. Several parameters: the
    Pareto front of distance, length and cost of change.

    Without --knob every value is varied once, and the nearest are played again.
    """

    command = "tune"
    effort_options = ("games", "fresh")
    example = "bartizan tune itter --knob ss_counter.sturm.defence=3:6 --target win_rate=0.6..0.7"
    kept_as = "tune"

    knob: Names = opt(
        "the value to tune, and what it may be; repeat for several",
        default=None,
        metavar="PATH=LO:HI[:STEP]|PATH=A,B|PATH",
    )
    path: Names = opt(
        "without --knob: only values below this path; repeat for several", default=None, metavar="PREFIX"
    )
    range: str | float | None = opt(
        "without --knob: how far numbers are varied, up and down; 25% unless given",
        default=None,
        metavar="25%",
    )
    target: str | None = opt(
        "win_rate=0.30, win_rate=0.25..0.35 (a range), turns=18, score=10, draws=0.1 or tier:NAME=0.2",
        default=None,
        metavar="WHAT=VALUE",
    )
    margin: str | float | None = opt(
        "how far from a single number still hits it: 1pp of a share; 0.5 of turns and scores, or 2 % of the "
        "number where that is more",
        default=None,
        metavar="1pp",
    )
    scenario: options.ScenarioName = None
    difficulty: options.Level = None
    policy: options.Policies = None
    players: options.Players = None
    set: options.Values = None
    games: int | None = opt(
        "one parameter: most games of a value, 20,000 unless given; several: games of a combination, "
        "4,000; none: of a value, 1,000",
        default=None,
        min=100,
        max=MOST_GAMES,
    )
    cost: Sets = opt(
        "several parameters, or none: what it costs to change values below this path",
        default=None,
        metavar="PATH=NUMBER",
    )
    length: float | None = opt("several parameters: wished turns; as now unless given", default=None, min=0)
    trials: int = opt("several parameters: combinations that are played", default=100, min=2, max=10_000)
    fresh: int = opt("games that check the winner, on other seeds", default=40_000, min=100, max=MOST_GAMES)
    seed: options.Seed = 1
    jobs: options.Jobs = None
    cluster: options.Cluster = None
    out: options.KeptOut = None

    @staticmethod
    def key(document: Mapping) -> list[Any]:
        return [*Question.key(document), *map(document.get, ("target", "knob", "knobs", "range"))]

    def answer(self) -> Answer:
        return answers.sensitivity.answer_tune(self)
