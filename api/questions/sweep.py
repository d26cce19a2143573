"""Games played: `run` one cell, `sweep` every combination of levels and values, `merge` its parts."""

from collections.abc import Sequence

from bartizan.api import answers, options
from bartizan.api.answer import Answer
from bartizan.api.question import GameQuestion, Question, opt, out_opt
from bartizan.api.reading import File, Sets
from bartizan.simcore import MOST_GAMES


class RunQuestion(GameQuestion):
    """Simulate one cell and print the result."""

    command = "run"
    example = "bartizan run itter --difficulty veteran --policy garrison --games 20000"
    kept_as = "luck"

    scenario: options.ScenarioName = None
    difficulty: options.Level = None
    policy: options.Policies = None
    games: int | None = opt(
        "number of games; with --precision the maximum (default: 10,000)", default=None, min=1, max=MOST_GAMES
    )
    seed: options.Seed = 1
    set: options.Values = None
    jobs: options.Jobs = None
    cluster: options.Cluster = None
    players: options.Players = None
    precision: options.Precision = None
    out: File | None = out_opt(
        "DIR",
        "save the games in this folder; with --luck-adjusted also save the result for the report",
        default=None,
    )
    luck_adjusted: bool = opt(
        "also report the luck-adjusted win rate, which has a narrower interval", default=False
    )
    samples: int = opt("with --luck-adjusted: sampled outcomes per chance event", default=32, min=1, max=1000)

    def answer(self) -> Answer:
        return answers.sweep.answer_run(self)


class SweepQuestion(GameQuestion):
    """Simulate every combination of levels, policies and settings into a folder, and test the plan's claims.
    Exit codes: 0, all claims hold; 1, a claim fails; 3, a claim is inconclusive.
    """

    command = "sweep"
    example = "bartizan sweep itter --difficulty novice --difficulty elite --policy garrison -o levels"

    name: str = opt("a game, or a plan file", metavar="GAME|PLAN.toml", is_argument=True, kw_only=False)
    out: File | None = out_opt("DIR", "folder for the results; run the command again to resume", default=None)
    scenario: options.ScenarioName = None
    difficulty: options.Levels = None
    policy: options.Policies = None
    games: int | None = opt(
        "games per cell; with --precision the maximum (default: the plan's number, or 10,000)",
        default=None,
        min=1,
        max=MOST_GAMES,
    )
    seed: int | None = opt(
        "random seed; the same seed gives the same games (default: the plan's seed, or 1)",
        default=None,
        min=0,
        max=2**63 - 1,
    )
    set: Sets = opt(
        "values of a number or ruling; each value makes a cell", default=None, metavar="PATH=A,B,C"
    )
    jobs: options.Jobs = None
    players: options.Counts = None
    precision: options.Precision = None
    rotate: bool = opt("simulate each line-up (P+Q) in every rotation of the seats", default=False)
    dry_run: bool = opt("print what would be simulated and the expected time", default=False)
    shards: str | None = opt(
        "simulate one part of the sweep, such as 3/16 for the third of 16; `bartizan merge` "
        "combines the parts",
        default=None,
        metavar="PART/PARTS",
        is_kept=False,
    )
    cluster: options.Cluster = None

    def answer(self) -> Answer:
        return answers.sweep.answer_sweep(self)


class MergeQuestion(Question[Answer]):
    """Combine the parts of a sweep into one folder, byte-identical to that of a single machine."""

    command = "merge"
    example = "bartizan merge part1 part2 part3 part4 -o levels"

    folders: Sequence[File] = opt(
        "folders of all parts of one sweep", metavar="PART...", is_argument=True, kw_only=False
    )
    out: File = out_opt("DIR", "folder of the whole sweep; run the command again to resume", kw_only=False)

    def answer(self) -> Answer:
        return answers.sweep.merge(self)
