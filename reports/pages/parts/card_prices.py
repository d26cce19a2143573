"""Are cards worth their price?

A picture for each moment whose cards cost cards: value against cost, and the line through them.
"""

from bartizan.analyses.experiments import cards
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.figures import price
from bartizan.reports.figures.dots import shorten
from bartizan.reports.pages.parts.pictures import Picture, Section, left_out, limited, one_group, picture
from bartizan.reports.study import Study
from bartizan.reports.text import card_text, words

TITLE = "Value against cost"
COLOURS = {"cheap": "#029e73", "dear": "#d55e00", "": "#0173b2"}
CALLED = {"cheap": "cheap for its price", "dear": "dear for its price", "": "not clear"}
LONGEST_NAME = 14


def sections(study: Study, most: int) -> list[Section]:
    """`most`: pictures in a section."""
    asked = [document for document in study.card_values if document.get("price")]
    found = [document for document in asked if not document["price"]["why_not"]]
    if not found:
        return []
    pictures = [_picture(document, f"prices-{index}") for index, document in enumerate(limited(found, most))]
    caption = (
        f"The value of each card in hand with its {words.level(study.level)} interval, against the cards it "
        "costs, and a line by weighted least squares. Colour marks cards that lie beside the line by more "
        f"than chance (p adjusted for all cards below {cards.CLEAR:g})."
    )
    legend = tuple((COLOURS[verdict], called) for verdict, called in CALLED.items())
    return [Section(TITLE, caption, one_group(pictures), legend, left_out(found, most))]


def _picture(document: dict, name: str) -> Picture:
    found = document["price"]
    values = {card["card"]: card["value"] for card in document["cards"]}
    dots = [_dot(card, values.get(card["card"])) for card in found["cards"]]
    start, slope = (found[key]["estimate"] * 100 for key in ("at_cost_0", "each_card_of_cost"))
    figure = price.draw(dots, start, slope, "percentage points")
    said = f"{card_text.price_line(found)} {card_text.price_verdict(found)}"
    return picture(card_text.moment(document), said, figure, name, f"{TITLE}: {said}")


def _dot(card: dict, value: dict | None) -> price.Dot:
    """`value`: None for the card that all others are compared with."""
    low, high = (value["low"], value["high"]) if value else (card["value"], card["value"])
    interval = Interval(card["value"] * 100, low * 100, high * 100, card["residual"]["level"], "")
    name = words.title(card["card"]).removeprefix("[assumed] ") if card["verdict"] else ""
    return price.Dot(
        shorten(name, LONGEST_NAME),
        card["verdict"] == "cheap",
        card["cost"],
        interval,
        COLOURS[card["verdict"]],
    )


def methods(study: Study) -> list[tuple[str, str]]:
    return (
        [("Value against cost", cards.PRICE_METHOD)]
        if any(document.get("price") for document in study.card_values)
        else []
    )
