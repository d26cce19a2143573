"""What a report of any kind says of cards: what each is worth, a picture and a table for each moment that
`bartizan cards --value` looked at.

What cards are worth for their price (`card_prices`) and how they are used (`card_uses`) follow.
"""

from bartizan.analyses.experiments.card_value import AS_DEALT, METHOD, RESTS_ON
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.figures import dots
from bartizan.reports.pages import card_prices, card_uses
from bartizan.reports.pages.facts import Assumption
from bartizan.reports.pages.free_for_all.tables import p_text
from bartizan.reports.pages.pictures import Picture, Section, left_out, limited, one_group, picture
from bartizan.reports.pages.tables import Entry, Table
from bartizan.reports.study import Study
from bartizan.reports.text import card_text, words

TITLE = "What each card is worth"
COLOUR = "#0173b2"
ROOM = 0.08  # of the axis, beyond the longest interval


def sections(study: Study, most: int) -> list[Section]:
    """`most`: pictures in a section."""
    return [*_worth(study, most), *card_prices.sections(study, most), *card_uses.sections(study, most)]


def _worth(study: Study, most: int) -> list[Section]:
    found = [document for document in study.card_values if document["cards"]]
    if not found:
        return []
    drawn = limited(found, most)
    ends = _axis(drawn)
    pictures = [_picture(document, ends, f"cards-{index}") for index, document in enumerate(drawn)]
    caption = (
        "How many more of 100 games a seat wins with this card in hand at that moment, all else as it was: "
        "each game is played on once with every card, on the same"
    )
    caption += (
        f" luck. {words.level(study.level)} intervals; a line that crosses 0 cannot be told from chance."
    )
    caption += " Of many that do not, some would by chance: the table has p-values adjusted for that."
    return [Section(TITLE, caption, one_group(pictures), left_out=left_out(found, most))]


def _axis(documents: list[dict]) -> tuple[float, float]:
    """Ends of the axis, the same in all pictures, in percentage points."""
    values = [card["value"] for document in documents for card in document["cards"]]
    low, high = (
        min(0.0, *(value["low"] for value in values)) * 100,
        max(0.0, *(value["high"] for value in values)) * 100,
    )
    room = (high - low) * ROOM or 1.0
    return low - room, high + room


def _picture(document: dict, ends: tuple[float, float], name: str) -> Picture:
    rows = []
    for card in document["cards"]:
        value = Interval(**card["value"])
        text, limits = words.change(value, 100)
        scaled = Interval(value.estimate * 100, value.low * 100, value.high * 100, value.level, value.method)
        rows.append(
            dots.Row(
                words.title(card["card"]),
                limits if words.is_bounds(value) else f"{text} ({limits})",
                (dots.Point(scaled, COLOUR),),
            )
        )
    figure = dots.draw(
        rows, ends[1], f"percentage points, against {_base(document)}", percent=False, least=ends[0], mark=0.0
    )
    title = card_text.moment(document)
    note = f"{words.count(document['reached'])} games. {card_text.best(document)}"
    alt = f"{TITLE}: {title}: " + "; ".join(f"{row.label} {row.value}" for row in rows)
    return picture(title, note, figure, name, alt)


def _base(document: dict) -> str:
    return "the card as dealt" if document["against"] == AS_DEALT else document["against"]


def tables(study: Study) -> list[Table]:
    """One a moment, one a line-up."""
    return [*(_table(document, study) for document in study.card_values), *card_uses.tables(study)]


def _table(document: dict, study: Study) -> Table:
    caption = (
        f"{words.count(document['reached'])} of {words.count(document['games'])} games (seed "
        f"{document['seed']}) reach that moment"
    )
    if document["as_dealt"]:
        caption += (
            "; with the card as dealt this seat wins "
            f"{words.share_with_limits(Interval(**document['as_dealt']))} of them"
        )
    caption += (
        f". Value: wins with the card less wins with {_base(document)}, game by game, in percentage points, "
        f"with its {words.level(study.level)} interval."
    )
    caption += (
        f" p of no value, and adjusted for all {len(document['cards'])} rows (Holm). Pairing factor: so many "
        "times as many games would be needed with luck of its own for each."
    )
    if any(card["pairs"] < document["reached"] for card in document["cards"]):
        caption += " Games in which no such card was left are left out of its row."
    if any(card["capped"] for card in document["cards"]):
        caption += " Games cut off: values run from none of them won to all of them won."
    if document["never_there"]:
        caption += f" Never to be had: {', '.join(document['never_there'])}."
    headers: tuple[str, ...] = (
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
    rows = [_row(card) for card in document["cards"]]
    if price := document.get("price"):
        caption += f" {card_text.price_line(price)}"
    if price and not price["why_not"]:
        caption += (
            " Beside the line: value less what the line gives for the cost; p adjusted for all "
            f"{len(price['cards'])} cards (Holm)."
        )
        headers += ("Cost", "Beside the line")
        priced = {card["card"]: card for card in price["cards"]}
        rows = [
            (*row, *_priced(priced[card["card"]])) for row, card in zip(rows, document["cards"], strict=True)
        ]
    return Table(f"{TITLE}: {card_text.moment(document)}", caption, headers, tuple(rows))


def _priced(card: dict) -> tuple[Entry, ...]:
    text, limits = words.change(Interval(**card["residual"]), 100)
    said = [
        limits,
        f"p adjusted {p_text(card['p_adjusted'])}",
        *([f"{card['verdict']} for its price"] if card["verdict"] else []),
    ]
    return Entry(str(card["cost"])), Entry(f"{text} points", "; ".join(said))


def _row(card: dict) -> tuple[Entry, ...]:
    wins, value, differing = (Interval(**card[key]) for key in ("wins", "value", "differing"))
    text, limits = words.change(value, 100)
    shown = (
        Entry(f"{limits} points", value.method)
        if words.is_bounds(value)
        else Entry(f"{text} points", f"{limits}; {value.method}")
    )
    error = "–" if card["se"] is None else f"{card['se'] * 100:.{words.digits_for(card['se'] * 100) + 1}f}"
    factor = "–" if card["pairing_factor"] is None else words.number(card["pairing_factor"], 2)
    return (
        Entry(words.title(card["card"])),
        Entry(words.count(card["pairs"])),
        Entry(words.share(wins), words.share_limits(wins)),
        shown,
        Entry(error),
        Entry(p_text(card["p"]), p_text(card["p_adjusted"])),
        Entry(factor),
        Entry(words.share(differing), words.share_limits(differing)),
        Entry(words.count(card["capped"])),
    )


def assumptions(study: Study) -> list[Assumption]:
    """What card values rest on beyond the games."""
    values = [Assumption(RESTS_ON, "the card values")] if study.card_values else []
    return [*values, *card_uses.assumptions(study)]


def methods(study: Study) -> list[tuple[str, str]]:
    values = [("Card values", METHOD)] if study.card_values else []
    return [*values, *card_prices.methods(study), *card_uses.methods(study)]
