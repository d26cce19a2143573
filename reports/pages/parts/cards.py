"""What a report of any kind says of cards: what each is worth, a picture and a table for each moment that
`bartizan cards --value` looked at.

What cards are worth for their price (`card_prices`) and how they are used (`card_uses`) follow.
"""

from collections.abc import Iterator

from bartizan.analyses.experiments.cards import AS_DEALT, VALUE_METHOD, VALUE_RESTS_ON
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Table
from bartizan.reports.figures import difference_dots, dots
from bartizan.reports.pages.parts import card_prices, card_uses
from bartizan.reports.pages.parts.facts import Assumption
from bartizan.reports.pages.parts.pictures import Picture, Section, left_out, limited, one_group, picture
from bartizan.reports.study import Study
from bartizan.reports.text import card_text, differences, words

TITLE = "What each card is worth"
COLOUR = "#0173b2"
HEADERS = (
    "Card",
    "Games",
    "Wins with it",
    "Value",
    "Standard error",
    "p (adjusted)",
    "Pairing factor",
    "Games that differ",
    "Cut off",
)
PRICE_HEADERS = ("Cost", "Beside the line")


def sections(study: Study, most: int) -> list[Section]:
    """`most`: pictures in a section."""
    return [*_worth(study, most), *card_prices.sections(study, most), *card_uses.sections(study, most)]


# ---------------------------------------------------------------- pictures


def _worth(study: Study, most: int) -> Iterator[Section]:
    found = [document for document in study.card_values if document["cards"]]
    drawn = limited(found, most)
    ends = difference_dots.axis(_value(card) for document in drawn for card in document["cards"])
    pictures = [_picture(document, ends, f"cards-{index}") for index, document in enumerate(drawn)]
    caption = (
        "What this card in hand at that moment adds to the win rate of a seat, all else as it was: each game "
        "is played on once with every card, on the same luck. "
        f"{words.level(study.level)} intervals; a card whose line crosses 0 is not distinguishable "
        "from the base. Of many lines a few miss 0 by chance: the table gives p-values adjusted for that."
    )
    if found:
        yield Section(TITLE, caption, one_group(pictures), left_out=left_out(found, most))


def _value(card: dict) -> Interval:
    """In percentage points."""
    return Interval(**card["value"]).scaled(100)


def _picture(document: dict, ends: tuple[float, float], name: str) -> Picture:
    """ends: of the axis, the same in all pictures."""
    rows = [
        dots.Row(
            words.title(card["card"]),
            differences.numbers(_value(card), 1),
            (dots.Point(_value(card), COLOUR),),
        )
        for card in document["cards"]
    ]
    figure = difference_dots.draw(rows, f"percentage points, against {_base(document)}", ends)
    title = card_text.moment(document)
    note = f"{words.count(document['reached'])} games. {card_text.best(document)}"
    return picture(title, note, figure, name, difference_dots.in_words(f"{TITLE}: {title}", rows))


def _base(document: dict) -> str:
    return "the card as dealt" if document["against"] == AS_DEALT else document["against"]


# ---------------------------------------------------------------- tables


def tables_of(study: Study) -> list[Table]:
    """One a moment, one a line-up."""
    return [*(_table(document, study) for document in study.card_values), *card_uses.tables_of(study)]


def _table(document: dict, study: Study) -> Table:
    caption = f"{_reached(document)}. {' '.join(_caption(document, study))}"
    rows = [_row(card) for card in document["cards"]]
    headers: tuple[str, ...] = HEADERS
    if (price := document.get("price")) and not price["why_not"]:
        headers += PRICE_HEADERS
        priced = {card["card"]: _priced(card) for card in price["cards"]}
        rows = [(*row, *priced[card["card"]]) for row, card in zip(rows, document["cards"], strict=True)]
    return Table(f"{TITLE}: {card_text.moment(document)}", caption, headers, tuple(rows))


def _reached(document: dict) -> str:
    """In how many games that moment comes, and how many of them the seat wins as dealt."""
    games, of = words.count(document["reached"]), words.count(document["games"])
    reached = f"{games} of {of} games (seed {document['seed']}) reach that moment"
    if not document["as_dealt"]:
        return reached
    wins = words.share_with_limits(Interval(**document["as_dealt"]))
    return f"{reached}; with the card as dealt this seat wins {wins} of them"


def _caption(document: dict, study: Study) -> Iterator[str]:
    yield (
        f"Value: wins with the card less wins with {_base(document)}, game by game, in percentage points, "
        f"with its {words.level(study.level)} interval. p of no value, and adjusted for all "
        f"{len(document['cards'])} rows (Holm). {entries.FACTOR} with luck of its own for each."
    )
    if any(card["pairs"] < document["reached"] for card in document["cards"]):
        yield "Games in which no such card was left are left out of its row."
    if any(card["capped"] for card in document["cards"]):
        yield "Games cut off: values run from none of them won to all of them won."
    if document["never_there"]:
        yield f"Never to be had: {', '.join(document['never_there'])}."
    if price := document.get("price"):
        yield card_text.price_line(price)
        if not price["why_not"]:
            yield (
                "Beside the line: value less what the line gives for the cost; p adjusted for all "
                f"{len(price['cards'])} cards (Holm)."
            )
    yield from card_uses.made_by(document)


def _priced(card: dict) -> tuple[Entry, ...]:
    beside = entries.points(Interval(**card["residual"]))
    verdict = [f"{card['verdict']} for its price"] if card["verdict"] else []
    said = [beside.note, f"p adjusted {words.p_value(card['p_adjusted'])}", *verdict]
    return Entry(str(card["cost"])), Entry(beside.text, "; ".join(said))


def _row(card: dict) -> tuple[Entry, ...]:
    wins, value, differing = (Interval(**card[key]) for key in ("wins", "value", "differing"))
    return (
        Entry(words.title(card["card"])),
        entries.count(card["pairs"]),
        Entry(words.share(wins), words.share_limits(wins)),
        entries.difference(value, 100),
        entries.standard_error(card["se"]),
        entries.p_values(card["p"], card["p_adjusted"]),
        entries.factor(card["pairing_factor"]),
        Entry(words.share(differing), words.share_limits(differing)),
        entries.count(card["capped"]),
    )


def assumptions(study: Study) -> list[Assumption]:
    """What card values rest on beyond the games."""
    values = [Assumption(VALUE_RESTS_ON, "the card values")] if study.card_values else []
    return [*values, *card_uses.assumptions(study)]


def methods(study: Study) -> list[tuple[str, str]]:
    values = [("Card values", VALUE_METHOD)] if study.card_values else []
    return [*values, *card_prices.methods(study), *card_uses.methods(study)]
