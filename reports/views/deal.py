"""A deal to stack for a playtest, the win rate of policies with this deal, and the gain in precision."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from bartizan.analyses.document import Document
from bartizan.analyses.experiments.luck_adjustment import DEAL_METHOD, Dealt, Share
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.blocks import Lines, View
from bartizan.reports.document import PlayedDocument
from bartizan.reports.text import changes, estimates, words
from bartizan.simcore.play.match import Match

PEOPLE = 50  # plays by people in the example of the saving


class Pile(Document):
    pile: str
    cards: list[str]  # top first


class Saving(Document):
    """Number of human plays on unknown deals, and the number on known deals that gives the same precision."""

    plays: int
    on_known_deals: int


class OtherDeal(Document):
    """A deal that is printed but not simulated."""

    number: int
    piles: list[Pile]


class DealDocument(PlayedDocument):
    number: int
    seat: str
    piles: list[Pile]
    win_rate: Interval
    win_rate_of_all_deals: float
    share_of_the_deal: Share
    people: Saving
    method: str = DEAL_METHOD
    more: list[OtherDeal] = []


def document(match: Match, deals: Mapping[int, Sequence[Any]], result: Dealt) -> DealDocument:
    """Return the document of a deal. deals: maps numbers to piles; the first deal is the simulated one."""
    (number, piles), *more = deals.items()
    return DealDocument.about(
        "bartizan.deal/1",
        match,
        match.scenario,
        number=number,
        seat=match.game.roles_in(match.scenario)[result.seat],
        piles=list(piles),
        more=[{"number": number, "piles": list(piles)} for number, piles in more],
        win_rate=result.rate,
        win_rate_of_all_deals=result.overall,
        share_of_the_deal=result.share,
        people=Saving(plays=PEOPLE, on_known_deals=result.share.fewer(PEOPLE)),
    )


def view(d: DealDocument) -> View:
    title = changes.title(d.title, d.changes, d.difficulty, " vs ".join(d.policies))
    games = f"games {d.number} to {d.more[-1].number}" if d.more else f"game {d.number}"
    sentence = f"{title}: the deal of seed {d.seed}, {games}, top card first"
    own = "Dice and shuffles during the game remain random."
    piles = [Lines(tuple(line for pile in d.piles for line in _pile(pile)))]
    for other in d.more:
        lines = (line for pile in other.piles for line in _pile(pile))
        piles.append(Lines((f"Game {other.number}", *lines)))
    return View(sentence, (*piles, Lines((own, *_worth(d)))), ("The deal", f"{d.method}."))


def _pile(pile: Pile) -> Iterator[str]:
    """Yield the cards of a pile with their positions. Consecutive equal cards share a line."""
    yield f"{pile.pile} ({len(pile.cards)})"
    place = 1
    for card, equal in groupby(pile.cards):
        n = len(list(equal))
        yield f"{f'{place}-{place + n - 1}' if n > 1 else place:>5}  {card}"
        place += n


def _worth(d: DealDocument) -> Iterator[str]:
    share = d.share_of_the_deal
    yield (
        f"On this deal the {d.seat} seat wins {estimates.percent(d.win_rate)} of {share.plays:,} "
        f"games with new dice and shuffles; over {share.deals:,} deals it wins "
        f"{words.percent(d.win_rate_of_all_deals)}. The players are policies, not people."
    )
    yield (
        f"Differences between deals explain {estimates.percent(share)} of the variance of a result: "
        f"{d.people.on_known_deals} plays by people on known deals are as precise as {d.people.plays} on "
        "unknown deals, if a deal helps people as it helps the policy (not measured)."
    )
