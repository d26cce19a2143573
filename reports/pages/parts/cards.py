"""What a report of any kind says of cards: what each is worth, for its price too, and how they are used; a
picture and a table for each moment, or line-up, that `bartizan cards` looked at.
"""

from collections.abc import Iterator

from bartizan.analyses.experiments import card_price, card_usage, card_value
from bartizan.analyses.experiments.card_price import Prices
from bartizan.analyses.statistics.intervals import CONFIDENCE
from bartizan.reports.blocks import Figure, Legend, Method, Table
from bartizan.reports.figures import difference_dots
from bartizan.reports.pages.parts.facts import Assumption
from bartizan.reports.pages.parts.pictures import Section, left_out, limited, one_group, picture
from bartizan.reports.study import Study
from bartizan.reports.text import words
from bartizan.reports.views import cards
from bartizan.reports.views.cards import UsageDocument, ValueDocument

LEVEL = words.level(CONFIDENCE)
CALLED = {"cheap": "cheap for its price", "dear": "dear for its price", "": "not clear"}


def _values(study: Study) -> list[ValueDocument]:
    return [ValueDocument.read(document) for document in study.card_values]


def _usages(study: Study) -> list[UsageDocument]:
    return [UsageDocument.read(document) for document in study.card_usage]


def sections(study: Study, most: int) -> list[Section]:
    """most: pictures in a section."""
    return [*_worth(study, most), *_prices(study, most), *_used(study, most)]


def _worth(study: Study, most: int) -> Iterator[Section]:
    documents = [d for d in _values(study) if d.cards]
    ends = difference_dots.axis(value for d in documents[:most] for value in cards.points_of(d))
    caption = (
        "What this card in hand at that moment adds to the win rate of a seat, all else as it was: each game "
        "is played on once with every card, on the same luck. "
        f"{LEVEL} intervals; a card whose line crosses 0 is not distinguishable from the base. Of many lines "
        "a few miss 0 by chance: the table gives p-values adjusted for that."
    )
    yield from _section(cards.WORTH, caption, [cards.value_figure(d, ends) for d in documents], most, "cards")


def _prices(study: Study, most: int) -> Iterator[Section]:
    priced = [(d, d.price) for d in _values(study) if isinstance(d.price, Prices)]
    caption = (
        f"The value of each card in hand with its {LEVEL} interval, against the cards it costs, and a line "
        "by weighted least squares. Colour marks cards that lie beside the line by more than chance (p "
        f"adjusted for all cards below {card_price.CLEAR:g})."
    )
    legend = tuple((cards.VERDICTS[verdict], called) for verdict, called in CALLED.items())
    figures = [cards.price_figure(d, prices) for d, prices in priced]
    yield from _section(cards.FOR_ITS_PRICE, caption, figures, most, "prices", legend)


def _used(study: Study, most: int) -> Iterator[Section]:
    caption = (
        "What becomes of the copies of each kind of card that came into a hand, over all seats. How sure "
        "each share is stands in the table."
    )
    documents = _usages(study)
    legend = tuple(zip(cards.use_colours(d), d.uses, strict=True) for d in documents[:1])
    figures = [cards.usage_figure(d) for d in documents]
    yield from _section(cards.USED, caption, figures, most, "uses", tuple(legend[0]) if legend else ())


def _section(
    title: str, caption: str, figures: list[Figure], most: int, name: str, legend: Legend = ()
) -> Iterator[Section]:
    """name: makes the ids of its pictures unique in the page."""
    pictures = [
        picture(figure.title, figure.note, figure.draw(), f"{name}-{index}", figure.alt)
        for index, figure in enumerate(limited(figures, most))
    ]
    if pictures:
        yield Section(title, caption, one_group(pictures), legend, left_out(figures, most))


def tables_of(study: Study) -> list[Table]:
    """One a moment, one a line-up."""
    values = [cards.value_table(d) for d in _values(study)]
    return [*values, *(cards.usage_table(d) for d in _usages(study))]


def assumptions(study: Study) -> list[Assumption]:
    """What the answers rest on beyond the games."""
    values = [Assumption(card_value.RESTS_ON, "the card values")] if study.card_values else []
    usages = [Assumption(card_usage.RESTS_ON, "how cards are used")] if study.card_usage else []
    return [*values, *usages]


def methods(study: Study) -> list[Method]:
    methods = [("Card values", card_value.METHOD)] if study.card_values else []
    if any(d.price for d in _values(study)):
        methods.append((cards.FOR_ITS_PRICE, card_price.METHOD))
    return [*methods, *([(cards.USED, card_usage.METHOD)] if study.card_usage else [])]
