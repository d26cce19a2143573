"""`cards`: the deck with its sources, what each card in hand is worth, and how cards are used."""

from bartizan.api.answer import Answer
from bartizan.api.options import Games, Jobs, Level, Players, Policies, ScenarioName, Seed, Values
from bartizan.api.question import GameQuestion, opt, out_opt
from bartizan.api.reading import File


class CardsQuestion(GameQuestion):
    """The deck with its sources, or what each card in hand is worth (--value), or how cards are used (--usage)."""  # noqa: E501

    command = "cards"
    example = "bartizan cards castle --value --policy steward"

    value: bool = opt("play on with each card in hand: what is it worth?", default=False)
    usage: bool = opt("what becomes of the cards in hand: which are hardly ever used?", default=False)
    scenario: ScenarioName = None
    difficulty: Level = None
    set: Values = None
    players: Players = None
    policy: Policies = None
    seat: str | None = opt("with --value: whose card; the first seat unless given", default=None)
    turn: int = opt("with --value: which of the cards this seat gets, from 1", default=1, min=1)
    against: str | None = opt(
        "with --value: compare with this card instead of the card as dealt", default=None, metavar="CARD"
    )
    games: Games = 2000
    seed: Seed = 1
    jobs: Jobs = None
    out: File | None = out_opt(
        "DIR", "with --value, --usage: add it to this sweep's folder, for its report", default=None
    )

    def answer(self) -> Answer:
        from bartizan.api.answers import cards

        return cards.answer(self)
