"""`sweep`: every combination of levels, line-ups and values; and `merge`, which puts its parts together."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bartizan.api.answer import Answer
from bartizan.api.options import Cluster, Jobs, Levels, Players, Policies, Precision, ScenarioName
from bartizan.api.question import GameQuestion, Question, opt, out_opt
from bartizan.api.reading import File, Sets, games_for, half_width, listed, paths_of, varied
from bartizan.simcore.errors import UsageError
from bartizan.simcore.limits import MOST_GAMES

if TYPE_CHECKING:
    from bartizan.api.effort import Effort
    from bartizan.simcore.sweep.plan import Plan


class SweepQuestion(GameQuestion):
    """Play every combination of levels, policies and settings into a folder, and judge what the plan claims: exit code 0 all hold, 1 one fails, 3 one is open."""  # noqa: E501

    command = "sweep"
    example = "bartizan sweep itter --difficulty novice --difficulty elite --policy garrison -o levels"

    name: str = opt(
        "a game, or a plan file that says everything",
        metavar="GAME|PLAN.toml",
        is_argument=True,
        kw_only=False,
    )
    out: File | None = out_opt("DIR", "folder of the results; run again to resume", default=None)
    scenario: ScenarioName = None
    difficulty: Levels = None
    policy: Policies = None
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
    jobs: Jobs = None
    players: Players = None
    precision: Precision = None
    rotate: bool = opt("play each line-up (P+Q) in every rotation of the seats", default=False)
    dry_run: bool = opt("say what would be played, and how long it would take", default=False)
    shards: str | None = opt(
        "play one part of the sweep, such as 3/16 the third of 16; `bartizan merge` puts them together",
        default=None,
        metavar="PART/PARTS",
        is_kept=False,
    )
    cluster: Cluster = None

    def answer(self) -> Answer:
        from bartizan.api.answers import parts, sweep
        from bartizan.api.cluster.scheduler import Cluster
        from bartizan.simcore.game import load_game

        width = None if self.precision is None else half_width(self.precision)
        effort = self.effort(games_for(self.games, width), 1 if self.seed is None else self.seed)
        plan = self._plan(effort, width)
        game = load_game(plan.game)
        if self.dry_run and (self.shards or self.cluster):
            raise UsageError(
                "sweep --dry-run: speaks of the whole sweep on this machine; leave out --shards and --cluster"
            )
        if self.dry_run:
            return sweep.dry_run(plan, game, effort, self.name)
        if self.out is None:
            raise UsageError(
                "sweep: where to? give a folder with -o DIR (or --dry-run to see what would be played)"
            )
        out = Path(self.out)
        elsewhere = None if self.cluster is None else Cluster(self.cluster, plan.game, plan.scenario)
        if self.shards is not None:
            return parts.ask(plan, game, effort, out, self.name, self.shards, elsewhere)
        return sweep.ask(plan, game, effort, out, self.name, elsewhere)

    def _plan(self, effort: "Effort", width: float | None) -> "Plan":
        from bartizan.api.answers import sweep

        self.set = varied(self.set)  # several values as the command line writes them
        command = self.command_line()
        if self.name.endswith(".toml"):
            return sweep.plan_of_file(self.name, self.players, self.games, self.seed, command)
        request = self.request(difficulty=None, set=None)
        levels = listed(self.difficulty)
        return sweep.plan_of_request(request, levels, self.set, effort, self.rotate, width, command)


class MergeQuestion(Question[Answer]):
    """Put the parts of a sweep together: the folder that one machine would have made, byte for byte."""

    command = "merge"
    example = "bartizan merge part1 part2 part3 part4 -o levels"

    folders: Sequence[File] = opt(
        "the folders of all parts of one sweep", metavar="PART...", is_argument=True, kw_only=False
    )
    out: File = out_opt("DIR", "folder of the whole sweep; run again to resume", kw_only=False)

    def named(self) -> tuple[str, ...]:
        return tuple(str(folder / "manifest.json") for folder in paths_of(self.folders)[:1])

    def answer(self) -> Answer:
        from bartizan.api.answers import parts

        return parts.merge(paths_of(self.folders), Path(self.out), self.watch)
