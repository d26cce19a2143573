"""Simulated games: `run`."""

from typing import Any

from bartizan.api import answers, options
from bartizan.api.answer import Answer
from bartizan.api.question import GameQuestion, HelpSection, opt, out_opt
from bartizan.api.reading import File, Sets
from bartizan.simcore import MOST_GAMES


class RunQuestion(GameQuestion):
    """Simulate games and print the results.

    Several levels, policies or values make one cell per combination; a plan file lists them all. If all seats
    are identical, several --policy P fill the seats of one line-up, and several --policy P+Q are one line-up
    each.

    Exit codes: 0, all claims of the plan hold; 1, a claim fails; 3, a claim is inconclusive.
    """

    command = "run"
    section = HelpSection.PLAY
    example = "bartizan run itter --difficulty veteran --difficulty elite --games 20000 -o levels"
    kept_as = "luck"

    name: str = opt(
        "a game by name (see: bartizan describe), the path of its .py or engine file, or a plan",
        metavar="GAME|PLAN.toml",
        is_argument=True,
        kw_only=False,
    )
    out: File | None = out_opt(
        "DIR",
        "save the games, and the result of --luck-adjusted, in this folder; run the command again to resume",
        default=None,
    )
    scenario: options.ScenarioName = None
    difficulty: options.Levels = None
    policy: options.Policies = None
    games: int | None = opt(
        "number of games per cell; with --precision the maximum (default: the plan's number, or 10,000)",
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
        "change a number or a ruling (`bartizan describe GAME --knobs` lists them); with several values, "
        "each makes one cell",
        default=None,
        metavar="PATH=A,B,C",
    )
    jobs: options.Jobs = None
    players: options.Counts = None
    precision: options.Precision = None
    rotate: bool = opt("simulate each line-up (P+Q) in every rotation of the seats", default=False)
    luck_adjusted: bool = opt(
        "also report the luck-adjusted win rate, which has a narrower interval", default=False
    )
    samples: int = opt(
        "number of sampled outcomes per chance event", needs=("luck_adjusted",), default=32, min=1, max=1000
    )
    dry_run: bool = opt(
        "print the planned simulations and the expected time, and simulate nothing", default=False
    )
    shards: str | None = opt(
        "simulate one part of the shards, such as 3/16 for the third of 16 parts; `bartizan import` combines "
        "the parts",
        default=None,
        metavar="PART/PARTS",
        is_kept=False,
    )
    cluster: options.Cluster = None

    @property
    def is_about_balance(self) -> bool:
        return not (self.dry_run or self.shards)

    def values(self) -> dict[str, str]:
        """Map each path to its values, written as `a,b,c`."""
        return answers.sweep.values_of(self)

    def written(self, name: str) -> Any:
        return self.values() if name == "set" else super().written(name)

    def answer(self) -> Answer:
        return answers.sweep.answer(self)
