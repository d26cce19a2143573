"""Games played: `run` one cell, `sweep` every combination of levels and values, `merge` its parts."""

from collections.abc import Sequence

from bartizan.api import answers, options
from bartizan.api.answer import Answer
from bartizan.api.question import GameQuestion, Question, opt, out_opt
from bartizan.api.reading import File, Sets
from bartizan.simcore import MOST_GAMES


class RunQuestion(GameQuestion):
    """Play one cell and say what came out."""

    command = "run"
    example = "bartizan run itter --difficulty veteran --policy garrison --games 20000"
    kept_as = "luck"

    scenario: options.ScenarioName = None
    difficulty: options.Level = None
    policy: options.Policies = None
    games: int | None = opt(
        "10,000 unless given; with --precision at most so many", default=None, min=1, max=MOST_GAMES
    )
    seed: options.Seed = 1
    set: options.Values = None
    jobs: options.Jobs = None
    players: options.Players = None
    precision: options.Precision = None
    out: File | None = out_opt(
        "DIR",
        "keep the games in this folder; with --luck-adjusted also the answer, for the report",
        default=None,
    )
    luck_adjusted: bool = opt("also the win rate without the luck: the same games, worth more", default=False)
    samples: int = opt(
        "with --luck-adjusted: outcomes drawn of each chance event", default=32, min=1, max=1000
    )

    def answer(self) -> Answer:
        return answers.sweep.answer_run(self)


class SweepQuestion(GameQuestion):
    """Play every combination of levels, policies and settings into a folder, and judge what the plan claims:
    exit code 0 all hold, 1 one fails, 3 one is open.
    """

    command = "sweep"
    example = "bartizan sweep itter --difficulty novice --difficulty elite --policy garrison -o levels"

    name: str = opt(
        "a game, or a plan file that says everything",
        metavar="GAME|PLAN.toml",
        is_argument=True,
        kw_only=False,
    )
    out: File | None = out_opt("DIR", "folder of the results; run again to resume", default=None)
    scenario: options.ScenarioName = None
    difficulty: options.Levels = None
    policy: options.Policies = None
    games: int | None = opt(
        "games a cell; 10,000 unless given, or as the plan says; with --precision at most so many",
        default=None,
        min=1,
        max=MOST_GAMES,
    )
    seed: int | None = opt(
        "the same seed plays the same games; 1 unless given, or as the plan says",
        default=None,
        min=0,
        max=2**63 - 1,
    )
    set: Sets = opt("values of a number or ruling, each makes a cell", default=None, metavar="PATH=A,B,C")
    jobs: options.Jobs = None
    players: options.Counts = None
    precision: options.Precision = None
    rotate: bool = opt("play each line-up (P+Q) in every rotation of the seats", default=False)
    dry_run: bool = opt("say what would be played, and how long it would take", default=False)
    shards: str | None = opt(
        "play one part of the sweep, such as 3/16 the third of 16; `bartizan merge` puts them together",
        default=None,
        metavar="PART/PARTS",
        is_kept=False,
    )
    cluster: options.Cluster = None

    def answer(self) -> Answer:
        return answers.sweep.answer_sweep(self)


class MergeQuestion(Question[Answer]):
    """Put the parts of a sweep together: the folder that one machine would have made, byte for byte."""

    command = "merge"
    example = "bartizan merge part1 part2 part3 part4 -o levels"

    folders: Sequence[File] = opt(
        "the folders of all parts of one sweep", metavar="PART...", is_argument=True, kw_only=False
    )
    out: File = out_opt("DIR", "folder of the whole sweep; run again to resume", kw_only=False)

    def answer(self) -> Answer:
        return answers.sweep.merge(self)
