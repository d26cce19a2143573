"""The deck, the values of its cards and how they are used, as lines of text; and the sentences that a page
says of them too.

Made from the documents of `bartizan cards`.
"""

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap

from bartizan.analyses.experiments.cards import AS_DEALT, CLEAR
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.text import changes, differences, words
from bartizan.simcore.game import CardRow

LINE = 130  # characters
LEAST_ROOM = 40  # for what a card can do, however long the names are
USE = 10  # width of a column of shares


def who(document: dict) -> str:
    players = document["policies"]
    return " vs ".join(players) if len(set(players)) > 1 else f"{players[0]} in all {len(players)} seats"


def players(document: dict) -> str:
    """`steward in every seat, changed: Advanced, Jokers 0 -> 2`"""
    named = list(dict.fromkeys(document["policies"]))
    who = f"{named[0]} in every seat" if len(named) == 1 else "+".join(document["policies"])
    return changes.title(who, document.get("changes", ()))


def moment(document: dict) -> str:
    """`The first player, card 1; steward in every seat`"""
    return f"The {document['seat']} player, card {document['turn']}; {players(document)}"


def _width(names: Sequence[str]) -> int:
    return max(map(len, (*names, "card")))


# ---------------------------------------------------------------- the deck


def deck_head(rows: Sequence[CardRow]) -> str:
    """`118 cards of 23 kinds; 23 kinds rest on an assumed value`"""
    guessed = sum(row.confidence == "assumed" for row in rows)
    rests = (
        f"; {guessed} {'kind rests' if guessed == 1 else 'kinds rest'} on a value that is assumed"
        if guessed
        else ""
    )
    return f"{sum(row.copies for row in rows)} cards of {len(rows)} kinds{rests}"


def deck(rows: Sequence[CardRow], value: str) -> Iterator[str]:
    """A card a line, and more lines where it can do much. `value`: what the number of a card is."""
    name, source = _width([row.name for row in rows]), max(len(row.source) for row in rows)
    with_cost = any(row.cost is not None for row in rows)
    cost = f" {'cost':>4}" if with_cost else ""
    yield (
        f"{'card':<{name}} {'copies':>6} {value:>6}{cost}  {'confidence':<11} {'source':<{max(source, 6)}}  "
        "what it can do"
    )
    for row in rows:
        cost = f" {_or_blank(row.cost):>4}" if with_cost else ""
        head = (
            f"{row.name:<{name}} {row.copies:>6} {_or_blank(row.value):>6}{cost}  {row.confidence:<11} "
            f"{row.source:<{max(source, 6)}}  "
        )
        assumed = f" [assumed: {', '.join(row.assumed)}]" if row.assumed else ""
        first, *rest = wrap(row.does + assumed, max(LINE - len(head), LEAST_ROOM)) or [""]
        yield (head + first).rstrip()
        yield from (" " * len(head) + line for line in rest)


def _or_blank(number: int | None) -> str:
    return "" if number is None else str(number)


# ---------------------------------------------------------------- what a card is worth


def values(d: dict) -> Iterator[str]:
    dealt = Interval(**d["as_dealt"])
    yield (
        f"What is a card worth? {changes.titled(d, d['difficulty'])}; {who(d)}; the {d['seat']} seat, card "
        f"{d['turn']}"
    )
    yield (
        f"{d['reached']:,} of {d['games']:,} games reach that moment, seed {d['seed']}, cut off "
        f"{d['capped']:,}"
    )
    yield (f"with the card as dealt the seat wins {words.share_of(d['as_dealt'])} of these games")
    yield best(d)
    name = _width([card["card"] for card in d["cards"]])
    yield (
        f"\n{'card':<{name}} {'games':>7} {'wins with it':>13}   {'value, percentage points':<26} {'se':>5} "
        f"{'p':>12} {'adjusted':>12} {'differ':>7} {'cut off':>7}"
    )
    for card in d["cards"]:
        error = "" if card["se"] is None else f"{card['se'] * 100:.2f}"
        differing = words.percent(card["differing"]["estimate"])
        numbers = f"{error:>5} {_p_values(card)} {differing:>7} {card['capped']:>7,}"
        yield (
            f"{card['card']:<{name}} {card['pairs']:>7,} {words.percent(card['wins']['estimate']):>13}   "
            f"{differences.numbers(Interval(**card['value']), least=1):<26} {numbers}"
        )
    if d["never_there"]:
        yield f"never to be had: {', '.join(d['never_there'])}"
    yield (
        f"\nValue: wins with the card less wins {_base(d)}. {words.level(dealt.level)} intervals. Method: "
        f"{d['method']}."
    )
    if any(card["pairs"] < d["reached"] for card in d["cards"]):
        yield "Games in which no such card was left are left out of its line."
    yield from prices(d)
    yield f"  rests on {d['rests_on']}."


def _base(d: dict) -> str:
    return AS_DEALT if d["against"] == AS_DEALT else f"with {d['against']}"


def _as_good(rivals: Sequence[str]) -> str:
    return f"{words.title(words.listing(list(rivals)))} may be as good"


def is_clear(d: dict) -> bool:
    """Is a card found that is better to hold?"""
    first = d["cards"][0]
    return first["p_adjusted"] < CLEAR and first["value"]["estimate"] > 0


def best(d: dict) -> str:
    """The best card to hold at that moment, how much it is worth, and which others may be as good."""
    card = d["cards"][0]
    value, moment = Interval(**card["value"]), f"card {d['turn']} of the {d['seat']} player"
    estimate, limits = words.change(value, 100, 1)
    by = (
        limits
        if words.is_bounds(value)
        else f"{differences.points(estimate.lstrip('+−'))} {'more' if value.estimate >= 0 else 'fewer'} games"
    )
    than = "than the card as dealt" if d["against"] == AS_DEALT else f"than {d['against']}"
    shown = (
        f"{words.level(value.level)} {limits}; {words.count(card['pairs'])} games, p "
        f"{words.p_value(card['p_adjusted'])} adjusted for {len(d['cards'])} cards"
    )
    if not is_clear(d):
        return (
            f"No card to hold at {moment} is clearly better {than}; the first of the list, "
            f"{card['card']}, wins {by} ({shown})."
        )
    rivals = d.get("not_told_from_best", [])
    others = f" {_as_good(rivals)} (all pairs compared, Bonferroni)." if rivals else ""
    return f"The best card to hold at {moment} is {card['card']}: it wins {by} {than} ({shown}).{others}"


def _p_values(card: Mapping) -> str:
    """Alone and adjusted, as two columns."""
    return f"{words.p_value(card['p']):>12} {words.p_value(card['p_adjusted']):>12}"


# ---------------------------------------------------------------- and for its price


def prices(d: dict) -> Iterator[str]:
    """Value against cost; nothing for a game without costs."""
    price = d.get("price")
    if not price:
        return
    yield f"\n{price_line(price)}"
    if price["why_not"]:
        return
    yield price_verdict(price)
    name = _width([card["card"] for card in price["cards"]])
    yield (
        f"{'card':<{name}} {'cost':>4} {'value':>7}   {'beside the line':<26} {'se':>5} {'p':>12} "
        f"{'adjusted':>12}"
    )
    for card in price["cards"]:
        error = "" if card["se"] is None else f"{card['se'] * 100:.2f}"
        numbers = f"{error:>5} {_p_values(card)} {card['verdict']}"
        residual = f"{differences.numbers(Interval(**card['residual']), least=1):<26} {numbers}".rstrip()
        yield f"{card['card']:<{name}} {card['cost']:>4} {card['value'] * 100:>+7.1f}   {residual}"
    yield f"Method: {price['method']}."


def price_line(price: dict) -> str:
    """The line in words."""
    if price["why_not"]:
        return f"Value against cost: no line can be drawn, {price['why_not']}."
    slope, start = Interval(**price["each_card_of_cost"]), Interval(**price["at_cost_0"])
    each, limits = words.change(slope, 100, 1)
    free, free_limits = words.change(start, 100, 1)
    told = "" if price["p"] < CLEAR else ", which is not distinguishable from zero"
    return (
        f"Value against cost: a card that costs nothing is worth {differences.points(free)} ({free_limits}), "
        f"and each card of cost goes with {differences.points(each)} ({limits}){told}."
    )


def price_verdict(price: dict) -> str:
    """Which cards are cheap or dear for what they cost."""
    parts = []
    for verdict in ("cheap", "dear"):
        found = [
            f"{card['card']} {words.change(Interval(**card['residual']), 100, 1)[0]}"
            for card in price["cards"]
            if card["verdict"] == verdict
        ]
        if verdict == "dear":
            found.reverse()
        parts.append(
            f"{verdict} for its price ({differences.POINTS} beside the line): "
            f"{', '.join(found) or 'none clearly'}"
        )
    return words.title(f"{'; '.join(parts)}.")


# ---------------------------------------------------------------- how cards are used


def usage(d: dict) -> Iterator[str]:
    yield (
        f"How are cards used? {changes.titled(d, d['difficulty'])}; {who(d)}; {d['games']:,} games, seed "
        f"{d['seed']}"
    )
    yield dead(d)
    heads = [wrap(use, USE) for use in (*d["uses"], "as printed")]
    name, deep = _width([card["card"] for card in d["cards"]]), max(map(len, heads))
    yield ""
    for line in range(deep):
        parts = [(head[line - deep + len(head)] if line >= deep - len(head) else "") for head in heads]
        left = f"{'card':<{name}} {'copies':>9}" if line == deep - 1 else " " * (name + 10)
        yield f"{left}   {' '.join(f'{part:>{USE}}' for part in parts)}".rstrip()
    for card in d["cards"]:
        shares = [share["share"] for share in (*card["uses"], card["as_printed"])]
        yield (
            f"{card['card']:<{name}} {card['copies']:>9,}   "
            f"{' '.join(f'{_percent(share):>{USE}}' for share in shares)}{'  dead' if card['dead'] else ''}"
        )
    if d["never_there"]:
        yield f"never in a hand: {', '.join(d['never_there'])}"
    yield (
        "\nPercent of the copies that came into a hand, with the half-width of the 95 % interval. As "
        f"printed: {printed_for(d)}."
    )
    yield f"Method: {d['method']}."
    yield f"  rests on {d['rests_on']}."


def _percent(share: dict) -> str:
    """`45.0 ±1.1`; a bound where no copy was used so, or every one."""
    if share["estimate"] == 0:
        return f"<{share['high'] * 100:.2g}"
    if share["estimate"] == 1:
        return f">{share['low'] * 100:.1f}"
    return f"{share['estimate'] * 100:.1f} ±{(share['high'] - share['low']) * 50:.1f}"


def printed_for(d: dict) -> str:
    """What cards are for: the commonest answer, then the kinds of another."""
    ways: dict[tuple, list[str]] = {}
    for card in d["cards"]:
        ways.setdefault(tuple(card["printed_for"]), []).append(card["card"])
    ordered = sorted(ways.items(), key=lambda way: -len(way[1]))
    return "; ".join(
        words.listing(list(uses), "or") + (f" ({', '.join(cards)})" if index else "")
        for index, (uses, cards) in enumerate(ordered)
    )


def dead(d: dict) -> str:
    """Which kinds are hardly ever used for what they are printed for, and by how much."""
    bound = words.level(d["dead_below"])
    found = [card for card in d["cards"] if card["dead"]]
    if found:
        said = [f"{card['card']} {_of_copies(card)}" for card in found]
        return (
            f"Dead under these policies, used as printed for less than {bound} of the copies (upper limit): "
            f"{'; '.join(said)}."
        )
    least = min(d["cards"], key=lambda card: card["as_printed"]["share"]["estimate"])
    return (
        f"No kind is dead under these policies (used as printed for less than {bound} of its copies, upper "
        f"limit); the least used is {least['card']}: {_of_copies(least)}."
    )


def _of_copies(card: dict) -> str:
    share = Interval(**card["as_printed"]["share"])
    return f"{words.share_with_limits(share)} of {words.count(card['copies'])} copies"
