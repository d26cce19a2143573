"""While a game is being written: `refresh`."""

from collections.abc import Iterator
from pathlib import Path

from bartizan.api import answers
from bartizan.api.question import Question, opt


class RefreshQuestion(Question[Iterator[str]]):
    """Fetch the sheets of cards that a game links to with Deck("cards.csv", link="https://...").

    Nothing else uses the network.
    """

    command = "refresh"
    example = "bartizan refresh my_game.py"
    has_document = False

    game: str = opt("the .py file of a short game", metavar="FILE.py", is_argument=True, kw_only=False)

    def answer(self) -> Iterator[str]:
        return answers.refresh.refresh(Path(self.game))
