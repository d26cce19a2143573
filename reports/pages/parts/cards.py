"""What a report of any kind says of cards: what each is worth, for its price too, and how they are used; a
figure and a table for each moment, or line-up, that `bartizan cards` looked at.
"""

from bartizan.analyses.experiments.cards import (
    CLEAR,
    PRICE_METHOD,
    USE_METHOD,
    USE_RESTS_ON,
    VALUE_METHOD,
    VALUE_RESTS_ON,
    Prices,
)
from bartizan.reports.blocks import Section
from bartizan.reports.figures import difference_dots
from bartizan.reports.page import Assumption
from bartizan.reports.study import Study
from bartizan.reports.text import words
from bartizan.reports.views import cards
from bartizan.reports.views.cards import UsageDocument, ValueDocument

CALLED = {"cheap": "cheap for its price", "dear": "dear for its price", "": "not clear"}


def _values(study: Study) -> list[ValueDocument]:
    return [ValueDocument.read(document) for document in study.card_values]


def sections(study: Study) -> list[Section]:
    return [section for section in (_worth(study), _prices(study), _used(study)) if section]


def _worth(study: Study) -> Section | None:
    documents = _values(study)
    if not documents:
        return None
    ends = difference_dots.axis(value for d in documents for value in cards.points_of(d))
    caption = (
        "What this card in hand at that moment adds to the win rate of a seat, all else as it was: each game "
        "is played on once with every card, on the same luck. "
        f"{words.CONFIDENCE} intervals; a card whose line crosses 0 is not distinguishable from the base. Of "
        "many lines a few miss 0 by chance: the table gives p-values adjusted for that."
    )
    return Section(
        cards.WORTH,
        caption,
        tuple(cards.value_figure(d, ends) for d in documents if d.cards),
        tables=tuple(cards.value_table(d) for d in documents if d.cards),
        method=("Card values", VALUE_METHOD),
    )


def _prices(study: Study) -> Section | None:
    documents = [d for d in _values(study) if d.price]
    if not documents:
        return None
    caption = (
        f"The value of each card in hand with its {words.CONFIDENCE} interval, against the cards it costs, "
        "and a line by weighted least squares. Colour marks cards that lie beside the line by more than "
        f"chance (p adjusted for all cards below {CLEAR:g})."
    )
    figures = tuple(cards.price_figure(d, d.price) for d in documents if isinstance(d.price, Prices))
    legend = tuple((cards.VERDICTS[verdict], called) for verdict, called in CALLED.items())
    method = (cards.FOR_ITS_PRICE, PRICE_METHOD)
    return Section(cards.FOR_ITS_PRICE, caption, figures, legend, method=method)


def _used(study: Study) -> Section | None:
    documents = [UsageDocument.read(document) for document in study.card_usage]
    if not documents:
        return None
    caption = (
        "What becomes of the copies of each kind of card that came into a hand, over all seats. How sure "
        "each share is stands in the table."
    )
    return Section(
        cards.USED,
        caption,
        tuple(map(cards.usage_figure, documents)),
        tuple(zip(cards.use_colours(documents[0]), documents[0].uses, strict=True)),
        tables=tuple(map(cards.usage_table, documents)),
        method=(cards.USED, USE_METHOD),
    )


def assumptions(study: Study) -> list[Assumption]:
    """What the answers rest on beyond the games."""
    values = [Assumption(VALUE_RESTS_ON, "the card values")] if study.card_values else []
    usages = [Assumption(USE_RESTS_ON, "how cards are used")] if study.card_usage else []
    return [*values, *usages]
