"""Skill: `train`, `ladder`, `bracket`, `equilibrium`."""

from collections.abc import Mapping
from typing import Any

from bartizan.api import answers, options
from bartizan.api.answer import Answer
from bartizan.api.question import GameQuestion, HelpSection, opt, out_opt
from bartizan.api.reading import File, Names
from bartizan.simcore import MOST_GAMES
from bartizan.simcore.errors import as_spelled


class TrainQuestion(GameQuestion):
    """Find the best weights of a policy.

    The command writes them to a file that --policy P@FILE.toml loads. With --learn, it trains a policy for a
    short game by self-play instead; load it with --policy learned@FILE.learned.
    """

    command = "train"
    section = HelpSection.SKILL
    effort_options = ("games", "fresh")
    example = "bartizan train itter --difficulty elite --policy garrison -o elite.toml"

    out: File = out_opt(
        "FILE.toml|FILE.learned", "write the result; an interrupted training resumes from this file"
    )
    learn: bool = opt("train a policy by self-play (only for short games)", default=False)
    minutes: float | None = opt(
        "minutes of processor time for all seeds together (default: 3)",
        needs=("learn",),
        default=None,
        min=0.01,
        max=10_000,
    )
    rounds: int | None = opt(
        "number of rounds per seed, instead of --minutes; the same number gives the same file",
        needs=("learn",),
        default=None,
        min=1,
        max=1_000_000,
    )
    seeds: int = opt(
        "number of training runs; the policy that is best on held-out games is saved",
        needs=("learn",),
        default=3,
        min=1,
        max=20,
    )
    with_: str | None = opt(
        "policy that the training starts from and the result is compared with",
        needs=("learn",),
        default=None,
        metavar="POLICY",
    )
    objective: str = opt(
        "result to maximise; `score` is the seat's score or, if it has opponents, its lead "
        "over the best of them",
        needs=("learn",),
        default="wins",
        metavar="wins|score",
    )
    mixed: bool = opt(
        "train a policy that chooses actions at random (a mixed strategy), for games with bluffing",
        needs=("learn",),
        default=False,
    )
    vary: Names = opt(
        "a number of the rules that varies in training, so that one policy can play every "
        "variant; repeatable",
        needs=("learn",),
        default=None,
        metavar="PATH=LO:HI|PATH=A,B|PATH",
    )
    scenario: options.ScenarioName = None
    difficulty: Names = opt("level to train for; repeatable, with equal weight", default=None)
    policy: options.Policies = None
    role: str | None = opt("role to train (default: the first)", default=None)
    weight: Names = opt("weight to train; repeatable (default: all weights)", default=None, metavar="NAME")
    generations: int = opt("number of generations of the search", default=60, min=1, max=10_000)
    games: int = opt("number of games per candidate and level", default=2000, min=10, max=1_000_000)
    fresh: int = opt(
        "number of games in the final comparison with the initial weights",
        default=20_000,
        min=100,
        max=10_000_000,
    )
    seed: options.Seed = 1
    set: options.Values = None
    players: options.Players = None
    jobs: options.Jobs = None
    cluster: options.Cluster = None

    def shortened(self, seconds: float) -> str:
        return "--minutes 0.5 --fresh 2000" if self.learn else super().shortened(seconds)

    def spell_names(self) -> None:
        super().spell_names()
        self.objective = as_spelled(self.objective, ("wins", "score"))

    def answer(self) -> Answer:
        return answers.learning.answer_learn(self) if self.learn else answers.training.answer_train(self)


class LadderQuestion(GameQuestion):
    """Rank policies, with skill and difficulty on one scale.

    For a folder of results, such as imported records, rank its policies from its games. With --admit, also
    test whether another policy is better than the best known policy.
    """

    command = "ladder"
    section = HelpSection.SKILL
    example = "bartizan ladder castle --policy steward --policy greedy"
    kept_as = "ladder"

    scenario: options.ScenarioName = None
    difficulty: options.Levels = None
    policy: Names = opt(
        "policies to rank; repeatable (default: all policies of the game)",
        default=None,
        metavar="P|role=P|FILE.py",
    )
    noise: str | None = opt(
        "add copies of the game's own policy that act at random with these probabilities",
        default="0.1,0.2,0.4",
        metavar="0.1,0.2|none",
    )
    games: options.Games = 4000
    seed: options.Seed = 1
    set: options.Values = None
    players: options.Players = None
    jobs: options.Jobs = None
    cluster: options.Cluster = None
    admit: str | None = opt(
        "also rank this policy, and add it to --archive if a sequential test on held-out seeds shows that it "
        "is better than the best known policy",
        default=None,
        metavar="POLICY",
    )
    archive: File | None = opt(
        "your own archive of best policies", needs=("admit",), default=None, metavar="FILE.toml"
    )
    role: str | None = opt("role of the policy (default: the first)", needs=("admit",), default=None)
    margin: str | float = opt(
        "half of the smallest gain in win rate that the test detects",
        needs=("admit",),
        default="0.5pp",
        metavar="0.5pp",
    )
    pairs: int = opt(
        "maximum number of pairs of games", needs=("admit",), default=40_000, min=16, max=MOST_GAMES
    )
    out: options.KeptOut = None

    @staticmethod
    def key(document: Mapping[str, Any]) -> list[Any]:
        players = [[player["policy"], player["weights"]] for player in document["players"]]
        return [document.get("scenario_hashes"), document.get("roles"), players]

    def answer(self) -> Answer:
        return answers.recorded.ladder(self) if self.is_folder else answers.ladder.answer_ladder(self)


class BracketQuestion(GameQuestion):
    """Measure how win rates rise with skill, from random to lookahead policies."""

    command = "bracket"
    section = HelpSection.SKILL
    effort_options = ("games", "slow_games")
    example = "bartizan bracket itter --difficulty elite --slow-games 100 -o elite.json"

    scenario: options.ScenarioName = None
    difficulty: options.Levels = None
    role: str | None = opt("measure only this role (default: all roles)", default=None)
    rung: Names = opt(
        "measure only this kind of policy: random, newcomer, heuristic, trained, lookahead, peeking; "
        "repeatable",
        default=None,
        metavar="NAME",
    )
    plays: str = opt(
        "numbers of simulations per decision of the lookahead policies",
        default="8,16,32,64",
        metavar="8,16,32",
    )
    games: options.Games = 20_000
    slow_games: int = opt("number of games per lookahead policy", default=40, min=1, max=1_000_000)
    settings: str = opt("settings that all lookahead policies share", default="", metavar="NAME=V,...")
    upper: bool = opt(
        "prove an upper bound for all players, if all states of the game can be enumerated", default=False
    )
    archive: options.Archive = None
    seed: options.Seed = 1
    set: options.Values = None
    players: options.Players = None
    jobs: options.Jobs = None
    cluster: options.Cluster = None
    out: File | None = out_opt(
        "FILE.json",
        "save the bracket; results that the file already contains are not simulated again",
        default=None,
    )

    def answer(self) -> Answer:
        return answers.bracket.answer_bracket(self)


class EquilibriumQuestion(GameQuestion):
    """Estimate the value of a game if both sides play their best.

    Each side is trained against the other side's best play.
    """

    command = "equilibrium"
    section = HelpSection.SKILL
    effort_options = ("games", "fresh")
    example = "bartizan equilibrium itter --scenario competitive -o itter.json"

    scenario: options.ScenarioName = None
    difficulty: options.Level = None
    policy: Names = opt(
        "policies to add to the default policy of each side; repeatable", default=None, metavar="role=P|P"
    )
    rounds: int = opt(
        "maximum number of training rounds; training stops earlier if neither side improves",
        default=3,
        min=1,
        max=1000,
    )
    generations: int = opt("number of generations of the search", default=30, min=1, max=10_000)
    games: int = opt(
        "number of games per pair of policies, and per candidate of a search",
        default=2000,
        min=10,
        max=1_000_000,
    )
    fresh: int = opt(
        "number of games that measure the gain of a best response", default=10_000, min=100, max=10_000_000
    )
    draw: float = opt(
        "value of a draw for the first side, from 0 to 1; the second side gets the rest",
        default=0.0,
        min=0,
        max=1,
    )
    seed: options.Seed = 1
    set: options.Values = None
    players: options.Players = None
    jobs: options.Jobs = None
    cluster: options.Cluster = None
    out: File | None = out_opt(
        "FILE.json",
        "save the result; run the same command again to resume, or with more --rounds to continue",
        default=None,
    )
    weights: File | None = opt(
        "folder for the weights of new policies (default: beside -o)", default=None, metavar="DIR"
    )

    def answer(self) -> Answer:
        return answers.training.answer_equilibrium(self)
