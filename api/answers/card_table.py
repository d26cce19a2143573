"""What is known of each kind of card, one row a kind: what a sheet of cards is given back."""

from dataclasses import dataclass

from bartizan.analyses.statistics.intervals import Interval
from bartizan.api.playing import Effort
from bartizan.policies.request import Request


@dataclass(frozen=True)
class CardSummary:
    """One kind of card. Shares and values are fractions of 1; None: not known."""

    deck: str  # of a short game: the name of its deck; "" in built-in games
    key: str  # in the scenario: `deck.KEY.copies`; "" where the deck is a range of numbers
    name: str  # as in the sheet
    copies: int
    value: Interval | None  # wins with the card less wins without it; holds together with those of all kinds
    used: Interval | None  # share of the copies in hand that were used
    won_if_drawn: Interval | None  # win rate of players who drew it: a correlation
    verdict: str  # "carries wins", "costs wins", or "" where the games show neither


def card_table(request: Request, effort: Effort) -> tuple[list[CardSummary], list[str]]:
    """Plays what `cards --without` and `cards --usage` play. Returns the rows in the order of the deck, and
    the methods in sentences. Raises UsageError for a game without cards.
    """
    raise NotImplementedError
