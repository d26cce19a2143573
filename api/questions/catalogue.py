"""What there is: `games`, `policies`, `describe`, `bands`."""

from pathlib import Path

from bartizan.api import answers
from bartizan.api.answer import Answer
from bartizan.api.options import Level, ScenarioName, Values
from bartizan.api.question import GameQuestion, Question, opt
from bartizan.api.reading import File


class GamesQuestion(Question[Answer]):
    """List the games."""

    command = "games"
    example = "bartizan games"

    def answer(self) -> Answer:
        return answers.catalogue.games()


class PoliciesQuestion(Question[Answer]):
    """List the policies, their weights and the ways to restrict them."""

    command = "policies"
    example = "bartizan policies itter"

    name: str | None = opt(None, default=None, metavar="[GAME]", is_argument=True, kw_only=False)

    def answer(self) -> Answer:
        return answers.catalogue.policies(self.name)


class DescribeQuestion(GameQuestion):
    """Describe a game's scenario: levels, rulings, numbers and their evidence levels."""

    command = "describe"
    example = "bartizan describe itter --rulings"

    scenario: ScenarioName = None
    difficulty: Level = None
    set: Values = None
    knobs: bool = opt("list every value that --set can change", default=False)
    rulings: bool = opt("list every unclear rule with its readings", default=False)
    board: File | None = opt(
        "draw the game's board to this file (.svg, .pdf or .png)", default=None, metavar="FILE.svg"
    )

    def answer(self) -> Answer:
        request = self.request()
        if self.board is not None:
            assert request.loaded
            return answers.catalogue.board(request.game.name, Path(self.board))
        return answers.catalogue.describe(request, self.knobs, self.rulings)


class BandsQuestion(Question[Answer]):
    """List target win rates that designers have published, for `preset` in a claim."""

    command = "bands"
    example = "bartizan bands"

    def answer(self) -> Answer:
        return answers.catalogue.bands()
