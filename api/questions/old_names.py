"""Commands of older versions, with their own options and JSON documents.

They still work, but the help does not list them. Each prints the command that replaces it.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from bartizan.api import answers, options
from bartizan.api.answer import Answer
from bartizan.api.question import GameQuestion, Question, opt, out_opt
from bartizan.api.questions.chance import ChanceQuestion
from bartizan.api.questions.sweep import RunQuestion
from bartizan.api.reading import File, Names, listed, paths_of, trusted_of, varied
from bartizan.simcore import MOST_GAMES

# ---------------------------------------------------------------- describe


class GamesQuestion(Question[Answer]):
    """List the games."""

    command = "games"
    instead = "describe"
    example = "bartizan games"

    def answer(self) -> Answer:
        return answers.catalogue.games()


class PoliciesQuestion(Question[Answer]):
    """List the policies, their weights and the ways to restrict them."""

    command = "policies"
    instead = "describe [GAME] --policies"
    example = "bartizan policies itter"

    name: str | None = opt(None, default=None, metavar="GAME", is_argument=True, kw_only=False)

    def answer(self) -> Answer:
        return answers.catalogue.policies(self.name)


class BandsQuestion(Question[Answer]):
    """List target win rates that designers have published, for `preset` in a claim."""

    command = "bands"
    instead = "describe --bands"
    example = "bartizan bands"

    def answer(self) -> Answer:
        return answers.catalogue.bands()


# ---------------------------------------------------------------- run, import, report


class SweepQuestion(RunQuestion):
    """Simulate every combination of levels, policies and settings, save the games in a folder, and test the
    plan's claims.

    Exit codes: 0, all claims hold; 1, a claim fails; 3, a claim is inconclusive.
    """

    command = "sweep"
    instead = "run"
    example = "bartizan sweep itter --difficulty novice --difficulty elite --policy garrison -o levels"

    def values(self) -> dict[str, str]:
        return varied(self.set)

    def answer(self) -> Answer:
        return answers.sweep.answer(self, is_sweep=True)


class MergeQuestion(Question[Answer]):
    """Combine the parts of a sweep into one folder. It is byte-identical to a sweep on one machine."""

    command = "merge"
    instead = "import PART... -o DIR"
    example = "bartizan merge part1 part2 part3 part4 -o levels"

    folders: Sequence[File] = opt(
        "folders of all parts of one sweep", metavar="PART", is_argument=True, kw_only=False
    )
    out: File = out_opt("DIR", "folder of the whole sweep; run the command again to resume", kw_only=False)

    def answer(self) -> Answer:
        return answers.sweep.merge(paths_of(self.folders), Path(self.out), self.watch)


class ExportQuestion(Question[Answer]):
    """Export all games of a result folder as one table with one row per game, for pandas, DuckDB, R or a
    spreadsheet.
    """

    command = "export"
    instead = "report DIR -o games.csv"
    example = "bartizan export levels -o games.csv"

    folder: File = opt(
        "folder that run, sweep or compare wrote with -o", metavar="DIR", is_argument=True, kw_only=False
    )
    out: File = out_opt("FILE", "games.parquet or games.csv", kw_only=False)

    def answer(self) -> Answer:
        return answers.results.export(Path(self.folder), Path(self.out))


# ---------------------------------------------------------------- skill and chance


class BestQuestion(GameQuestion):
    """List the best known policy for each level, number of players and role. With --admit, test another
    policy on held-out seeds.
    """

    command = "best"
    instead = "describe [GAME] --policies, or ladder GAME --admit POLICY"
    example = "bartizan best itter --difficulty elite --admit garrison@elite.toml --archive mine.toml"

    name: str = opt(None, default="", metavar="GAME", is_argument=True, kw_only=False)
    admit: str | None = opt(
        "add this policy to the archive if a sequential test shows that it is better",
        default=None,
        metavar="POLICY",
    )
    difficulty: options.Level = None
    role: str | None = opt("role of the policy (default: all roles; with --admit: the first)", default=None)
    scenario: options.ScenarioName = None
    players: options.Players = None
    margin: str | float = opt(
        "half of the smallest gain in win rate that the test detects",
        needs=("admit",),
        default="0.5pp",
        metavar="0.5pp",
    )
    games: int = opt(
        "maximum number of pairs of games", needs=("admit",), default=40_000, min=16, max=MOST_GAMES
    )
    archive: options.Archive = None
    jobs: options.Jobs = None
    cluster: options.Cluster = None

    def answer(self) -> Answer:
        return answers.best.answer_best(self)


class RareQuestion(ChanceQuestion):
    """Estimate the probability of a rare event by multilevel splitting and by direct simulation."""

    command = "rare"
    instead = "chance GAME --event NAME"
    example = "bartizan rare itter --event no-casualty --difficulty veteran --policy garrison"

    def answer(self) -> Answer:
        return answers.chance.rare(self)


# ---------------------------------------------------------------- check and doctor


class VerifyQuestion(Question[Iterator[str]]):
    """Verify the files of a sweep by their checksums, and simulate some of its games again."""

    command = "verify"
    instead = "check DIR"
    example = "bartizan verify levels"

    folder: File = opt("folder of a sweep", metavar="DIR", is_argument=True, kw_only=False)
    trust: options.Trust = None

    def answer(self) -> Iterator[str]:
        return answers.replaying.verify(Path(self.folder), trusted_of(self.trust))


class RefreshQuestion(Question[Iterator[str]]):
    """Fetch the sheets of cards that a game links to with Deck("cards.csv", link="https://...").

    Nothing else uses the network.
    """

    command = "refresh"
    instead = "check FILE.py --refresh"
    example = "bartizan refresh my_game.py"

    game: str = opt("the .py file of a short game", metavar="FILE.py", is_argument=True, kw_only=False)

    def answer(self) -> Iterator[str]:
        return answers.refresh.refresh(Path(self.game))


class BenchQuestion(Question[Answer]):
    """Measure the speed of each game on this machine, and of a reference computation in the same run. Without
    --policy, measure the random policy and the game's own policy.
    """

    command = "bench"
    instead = "doctor [GAME]... --bench"
    example = "bartizan bench itter"

    games: Names = opt(None, default=None, metavar="GAME", is_argument=True, kw_only=False)
    policy: options.Policies = None
    quick: bool = opt("skip the timing of cold and warm starts", default=False)

    def answer(self) -> Answer:
        return answers.machine.bench(listed(self.games), listed(self.policy), self.quick)


class WarmQuestion(Question[Answer]):
    """Compile games, play loops and policies in advance, so that later commands start at once."""

    command = "warm"
    instead = "doctor [GAME]... --warm"
    example = "bartizan warm itter"

    games: Names = opt(
        "games by name or by the path of a .py file (default: all built-in games)",
        default=None,
        metavar="GAME",
        is_argument=True,
        kw_only=False,
    )
    jobs: options.Jobs = None

    def answer(self) -> Answer:
        from bartizan.api.cluster.warming import warm

        return warm(listed(self.games), self.jobs or os.cpu_count() or 1, self.watch)


# ---------------------------------------------------------------- playtest import


class TemplateQuestion(Question[Answer]):
    """Write a draft mapping for your own sheet: the likely meaning of its headings and words, for you to
    correct.
    """

    command = "playtest template"
    instead = "playtest import FILE -o mapping.toml"
    example = "bartizan playtest template evening.csv -o mapping.toml --game itter"

    file: File = opt("a sheet in CSV or .xlsx format", metavar="FILE", is_argument=True, kw_only=False)
    out: File = out_opt("FILE.toml", "write the mapping to this new file; existing files are not overwritten")
    game: File | None = opt(
        "game of the plays; plays of other games are set aside", default=None, metavar="GAME"
    )

    def answer(self) -> Answer:
        return answers.plays.template(Path(self.file), Path(self.out), str(self.game) if self.game else None)
