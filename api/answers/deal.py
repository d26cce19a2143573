"""`playtest deal`: a deal for a table to stack, how the policies do on it, and what that is worth."""

from collections.abc import Iterator, Mapping
from itertools import groupby

from bartizan.analyses.experiments.deals import METHOD, Dealt, dealt
from bartizan.api.answer import Answer
from bartizan.api.caveats import banner_lines, caveat
from bartizan.api.questions.playtest import DealQuestion
from bartizan.api.reading import seat_of
from bartizan.policies.request import Request
from bartizan.reports.text import changes, played, words
from bartizan.simcore.errors import UsageError
from bartizan.simcore.play.deals import DEALS, deal_of

PEOPLE = 50  # plays by people that the saving is said for


def answer(question: DealQuestion) -> Answer:
    request, effort = question.request(), question.effort(question.plays)
    game, roles = request.game, request.game.roles_in(request.loaded)
    scene = game.compiled.scene
    if scene is None or scene.deal is None:
        raise UsageError(f"playtest deal: {game.name} has no deck to stack: its luck is the table's own")
    seat, number = seat_of(question.seat, game.name, roles), question.game
    match = request.match(effort.seed, "playtest deal: name one policy for each seat")
    effort.compiles(game, DEALS)
    result = dealt(match, number, question.deals, effort.games, seat, effort.threads)
    document = {
        "schema": "bartizan.deal/1",
        **played.head(match, match.scenario),
        **caveat(game, request.loaded),
        "number": number,
        "seat": roles[result.seat],
        "piles": deal_of(match, number),
        **_numbers(result),
        "people": {"plays": PEOPLE, "on_known_deals": result.share.fewer(PEOPLE)},
        **played.tail(match.scenario),
        "method": METHOD,
    }
    return Answer(document, lambda: _lines(request, document))


def _numbers(result: Dealt) -> dict:
    share = result.share
    return {
        "win_rate": result.rate.to_dict(),
        "win_rate_of_all_deals": result.overall,
        "share_of_the_deal": {
            "estimate": share.estimate,
            "low": share.low,
            "high": share.high,
            "deals": share.deals,
            "plays": share.plays,
        },
    }


def _lines(request: Request, d: Mapping) -> Iterator[str]:
    yield from banner_lines(request.game, d)
    title = changes.titled(d, d["difficulty"], " vs ".join(d["policies"]))
    yield f"{title}: the deal of seed {d['seed']}, game {d['number']}, top card first"
    for pile in d["piles"]:
        yield f"{pile['pile']} ({len(pile['cards'])})"
        yield from (f"{line:>5}  {text}" for line, text in _numbered(pile["cards"]))
    yield "All other luck is the table's own: dice, and every shuffle during the game."
    yield from _worth(d)
    yield f"Method: {d['method']}."


def _numbered(cards: list[str]) -> Iterator[tuple[str, str]]:
    """(place or places in the pile, card): equal cards one after the other in one line."""
    place = 1
    for card, same in groupby(cards):
        n = len(list(same))
        yield (f"{place}-{place + n - 1}" if n > 1 else str(place)), card
        place += n


def _worth(d: Mapping) -> Iterator[str]:
    rate, share, people = d["win_rate"], d["share_of_the_deal"], d["people"]
    yield (
        f"On this deal the {d['seat']} seat wins {_between(rate)} of {share['plays']:,} plays under other "
        f"luck; over {share['deals']:,} deals {words.percent(d['win_rate_of_all_deals'])}. Policies play, "
        "not people."
    )
    yield (
        f"Of the variance of a result {_between(share)} lies between deals: {people['plays']} plays by "
        f"people on unknown deals tell as much as {people['on_known_deals']} on known ones, if a deal helps "
        "people as it helps the policy, which nothing here measures."
    )


def _between(interval: Mapping) -> str:
    numbers = [words.percent(interval[key]) for key in ("estimate", "low", "high")]
    return f"{numbers[0]} ({numbers[1]} to {numbers[2]})"
