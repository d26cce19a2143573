"""Games, policies, target bands and values: `describe`."""

from bartizan.api import answers
from bartizan.api.answer import Answer
from bartizan.api.options import Archive, Level, Players, ScenarioName, Values
from bartizan.api.question import GameQuestion, HelpSection, opt
from bartizan.api.reading import File


class DescribeQuestion(GameQuestion):
    """Describe a game: levels, rulings, numbers, policies. Without GAME, list the games."""

    command = "describe"
    section = HelpSection.PLAY
    example = "bartizan describe itter --rulings"

    name: str = opt(
        "a game by name, or the path of its .py or engine file",
        default="",
        metavar="GAME",
        is_argument=True,
        kw_only=False,
    )
    scenario: ScenarioName = None
    difficulty: Level = None
    players: Players = None
    set: Values = None
    knobs: bool = opt("list every value that --set can change", default=False)
    rulings: bool = opt("list every unclear rule with its readings", default=False)
    policies: bool = opt(
        "list the policies, their weights, the ways to restrict them, and the best known policy for each "
        "level",
        default=False,
    )
    bands: bool = opt(
        "list target win rates that designers have published, for `preset` in a claim", default=False
    )
    archive: Archive = None
    board: File | None = opt(
        "draw the game's board to this file (.svg, .pdf or .png)", default=None, metavar="FILE.svg"
    )

    def answer(self) -> Answer:
        return answers.catalogue.answer(self)
