"""`bracket`: difficulty as a curve over skill: how often players of rising skill win each level."""

from bartizan.api.answer import Answer
from bartizan.api.options import Archive, Games, Jobs, Levels, Players, ScenarioName, Seed, Values
from bartizan.api.question import GameQuestion, opt, out_opt
from bartizan.api.reading import File, Names


class BracketQuestion(GameQuestion):
    """Difficulty as a curve over skill: how often chance, heuristics, trained and looking players win."""

    command = "bracket"
    example = "bartizan bracket itter --difficulty elite --slow-games 100 -o elite.json"

    scenario: ScenarioName = None
    difficulty: Levels = None
    role: str | None = opt("only this role; each of them unless given", default=None)
    rung: Names = opt(
        "only this rung: random, newcomer, heuristic, trained, lookahead, peeking; repeat for several",
        default=None,
        metavar="NAME",
    )
    plays: str = opt("plays a decision of the rungs that look ahead", default="8,16,32,64", metavar="8,16,32")
    games: Games = 20_000
    slow_games: int = opt("games of a rung that looks ahead", default=40, min=1, max=1_000_000)
    settings: str = opt("settings of all rungs that look ahead", default="", metavar="NAME=V,...")
    archive: Archive = None
    seed: Seed = 1
    set: Values = None
    players: Players = None
    jobs: Jobs = None
    out: File | None = out_opt(
        "FILE.json", "keep the bracket; what is in it already is not played again", default=None
    )

    def answer(self) -> Answer:
        from bartizan.api.answers import bracket

        return bracket.answer(self)
