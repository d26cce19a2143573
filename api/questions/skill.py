"""How well can it be played? `train`, `ladder`, `bracket`, `best`, `equilibrium`."""

from collections.abc import Mapping
from typing import Any

from bartizan.api import answers, options
from bartizan.api.answer import Answer
from bartizan.api.question import GameQuestion, opt, out_opt
from bartizan.api.reading import File, Names
from bartizan.simcore import MOST_GAMES


class TrainQuestion(GameQuestion):
    """With which weights does a policy play best? A file of weights, that --policy P@FILE.toml loads."""

    command = "train"
    effort_options = ("games", "fresh")
    example = "bartizan train itter --difficulty elite --policy garrison -o elite.toml"

    out: File = out_opt("FILE.toml", "write the weights; a search that was interrupted goes on from there")
    scenario: options.ScenarioName = None
    difficulty: Names = opt("a level that counts; repeat for several, which count the same", default=None)
    policy: options.Policies = None
    role: str | None = opt("whose policy is trained; the first role's unless given", default=None)
    weight: Names = opt(
        "a weight that may change; all of them unless given; repeat", default=None, metavar="NAME"
    )
    generations: int = opt("steps of the search", default=60, min=1, max=10_000)
    games: int = opt("games of a candidate, at each level", default=2000, min=10, max=1_000_000)
    fresh: int = opt(
        "games of the comparison with the weights at the start", default=20_000, min=100, max=10_000_000
    )
    seed: options.Seed = 1
    set: options.Values = None
    players: options.Players = None
    jobs: options.Jobs = None
    cluster: options.Cluster = None

    def answer(self) -> Answer:
        return answers.training.answer_train(self)


class LadderQuestion(GameQuestion):
    """Policies from weakest to strongest, with skill and difficulty on one scale."""

    command = "ladder"
    example = "bartizan ladder castle --policy steward --policy greedy"
    kept_as = "ladder"

    scenario: options.ScenarioName = None
    difficulty: options.Levels = None
    policy: Names = opt(
        "who is to stand on the ladder; all of the game's policies unless given; repeat for several",
        default=None,
        metavar="P|role=P|FILE.py",
    )
    noise: str | None = opt(
        "copies of the game's own policy that play at random with these chances",
        default="0.1,0.2,0.4",
        metavar="0.1,0.2|none",
    )
    games: options.Games = 4000
    seed: options.Seed = 1
    set: options.Values = None
    players: options.Players = None
    jobs: options.Jobs = None
    cluster: options.Cluster = None
    out: options.KeptOut = None

    @staticmethod
    def key(document: Mapping) -> list[Any]:
        players = [[player["policy"], player["weights"]] for player in document["players"]]
        return [document.get("scenario_hashes"), document.get("roles"), players]

    def answer(self) -> Answer:
        return answers.skill.answer_ladder(self)


class BracketQuestion(GameQuestion):
    """Difficulty as a curve over skill: how often chance, heuristics, trained and looking players win."""

    command = "bracket"
    effort_options = ("games", "slow_games")
    example = "bartizan bracket itter --difficulty elite --slow-games 100 -o elite.json"

    scenario: options.ScenarioName = None
    difficulty: options.Levels = None
    role: str | None = opt("only this role; each of them unless given", default=None)
    rung: Names = opt(
        "only this rung: random, newcomer, heuristic, trained, lookahead, peeking; repeat for several",
        default=None,
        metavar="NAME",
    )
    plays: str = opt("plays a decision of the rungs that look ahead", default="8,16,32,64", metavar="8,16,32")
    games: options.Games = 20_000
    slow_games: int = opt("games of a rung that looks ahead", default=40, min=1, max=1_000_000)
    settings: str = opt("settings of all rungs that look ahead", default="", metavar="NAME=V,...")
    upper: bool = opt("prove what no player surpasses: games whose states can all be listed", default=False)
    archive: options.Archive = None
    seed: options.Seed = 1
    set: options.Values = None
    players: options.Players = None
    jobs: options.Jobs = None
    out: File | None = out_opt(
        "FILE.json", "keep the bracket; what is in it already is not played again", default=None
    )

    def answer(self) -> Answer:
        return answers.skill.answer_bracket(self)


class BestQuestion(GameQuestion):
    """The best policy found for each level, table and role; --admit tests another on fresh seeds."""

    command = "best"
    example = "bartizan best itter --difficulty elite --admit garrison@elite.toml --archive mine.toml"

    name: str = opt(None, default="", metavar="[GAME]", is_argument=True, kw_only=False)
    admit: str | None = opt(
        "write it down as the best if a sequential test says so", default=None, metavar="POLICY"
    )
    difficulty: options.Level = None
    role: str | None = opt("which role; with --admit the first unless given", default=None)
    scenario: options.ScenarioName = None
    players: options.Players = None
    margin: str | float = opt(
        "with --admit: a gain of twice this is found; less may not be", default="0.5pp", metavar="0.5pp"
    )
    games: int = opt("with --admit: most pairs of games", default=40_000, min=16, max=MOST_GAMES)
    archive: options.Archive = None
    jobs: options.Jobs = None

    def answer(self) -> Answer:
        return answers.skill.answer_best(self)


class EquilibriumQuestion(GameQuestion):
    """What is a game between two unlike sides worth, when each answers the other's best play?"""

    command = "equilibrium"
    effort_options = ("games", "fresh")
    example = "bartizan equilibrium itter --scenario competitive -o itter.json"

    scenario: options.ScenarioName = None
    difficulty: options.Level = None
    policy: Names = opt(
        "who else is there, beside each side's default; repeat for several", default=None, metavar="role=P|P"
    )
    rounds: int = opt(
        "rounds of training; fewer where neither side gains any more", default=3, min=1, max=1000
    )
    generations: int = opt("steps of the search", default=30, min=1, max=10_000)
    games: int = opt("games of a pair, and of a candidate of a search", default=2000, min=10, max=1_000_000)
    fresh: int = opt("games that tell what a best response gains", default=10_000, min=100, max=10_000_000)
    draw: float = opt(
        "what a draw counts for the first side; the second gets the rest", default=0.0, min=0, max=1
    )
    seed: options.Seed = 1
    set: options.Values = None
    players: options.Players = None
    jobs: options.Jobs = None
    out: File | None = out_opt(
        "FILE.json",
        "keep everything; the same command goes on from there, with more --rounds further",
        default=None,
    )
    weights: File | None = opt(
        "where the weights of those who join are written; beside -o unless given", default=None, metavar="DIR"
    )

    def answer(self) -> Answer:
        return answers.training.answer_equilibrium(self)
