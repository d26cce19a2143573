"""Sections about the cards of a game: effect on wins, value in hand, price, and use."""

from collections.abc import Sequence
from dataclasses import replace

from bartizan.analyses.experiments.cards import (
    PRICE_METHOD,
    USE_METHOD,
    USE_RESTS_ON,
    VALUE_METHOD,
    VALUE_RESTS_ON,
    Prices,
)
from bartizan.analyses.experiments.without import METHOD as WITHOUT_METHOD
from bartizan.analyses.experiments.without import RESTS_ON as WITHOUT_RESTS_ON
from bartizan.analyses.statistics.testing import ALPHA
from bartizan.reports.blocks import Block, Legend, Method, View
from bartizan.reports.figures import dots
from bartizan.reports.study import Study
from bartizan.reports.text import words
from bartizan.reports.views import cards

CALLED = {
    **{verdict: f"{word} for its price" for verdict, word in cards.WORDS.items()},
    "": "not significant",
}


def sections(study: Study) -> list[View]:
    values = [cards.ValueDocument.read(document) for document in study.card_values]
    usages = [cards.UsageDocument.read(document) for document in study.card_usage]
    without = [cards.WithoutDocument.read(document) for document in study.card_without]
    priced = [d for d in values if d.price]
    return [
        *([_told(study, without, _without(without))] if without else []),
        *([_told(study, values, _worth(values))] if values else []),
        *([_told(study, priced, _prices(priced))] if priced else []),
        *([_told(study, usages, _used(usages))] if usages else []),
    ]


def _told(study: Study, documents: Sequence[cards.PlayedCards], section: View) -> View:
    """Return the section; its caption names policies that were edited after the games of the page."""
    lines = dict.fromkeys(line for d in documents for line in study.edited_players(d.plain()))
    return replace(section, caption=" ".join([section.caption, *lines]))


def _without(documents: list[cards.WithoutDocument]) -> View:
    """Return the section with the effects of the cards. Effects on wins and on scores have separate axes."""
    axes = {
        by: dots.axis_of(value for d in documents if d.by == by for value in cards.points_without(d))
        for by in {d.by for d in documents if d.cards}
    }
    caption = (
        "Effect of each kind of card on wins (or points of score): the same games are simulated without it, "
        f"on common random numbers. {words.CONFIDENCE} intervals, simultaneous over all kinds; a kind whose "
        "line crosses 0 has no significant effect."
    )
    figures = (cards.without_figure(d, axes[d.by]) for d in documents if d.cards)
    tables = (cards.without_table(d) for d in documents if d.cards)
    return _section(cards.WITHOUT, caption, (*figures, *tables), (cards.WITHOUT, WITHOUT_METHOD))


def _worth(documents: list[cards.ValueDocument]) -> View:
    ends = dots.axis_of(value for d in documents for value in cards.points_of(d))
    caption = (
        "Effect of holding this card at the given decision on the win rate of a seat. Each game is continued "
        f"once with every card, on common random numbers. {words.CONFIDENCE} intervals, simultaneous over "
        "all cards; a card whose line crosses 0 does not differ significantly from the base."
    )
    figures = (cards.value_figure(d, ends) for d in documents if d.cards)
    tables = (cards.value_table(d) for d in documents if d.cards)
    return _section(cards.WORTH, caption, (*figures, *tables), ("Card values", VALUE_METHOD))


def _prices(documents: list[cards.ValueDocument]) -> View:
    caption = (
        f"The value of each card in hand with its {words.CONFIDENCE} interval (not simultaneous), against "
        "what it costs, and a line by weighted least squares. Cards of the same cost are side by side, the "
        "most valuable on the right. Colour marks cards that are significantly off the line (p "
        f"adjusted for all cards below {ALPHA:g})."
    )
    figures = tuple(cards.price_figure(d, d.price) for d in documents if isinstance(d.price, Prices))
    legend = tuple((cards.VERDICTS[verdict], called) for verdict, called in CALLED.items())
    method = (cards.FOR_ITS_PRICE, PRICE_METHOD)
    return _section(cards.FOR_ITS_PRICE, caption, figures, method, legend)


def _used(documents: list[cards.UsageDocument]) -> View:
    caption = (
        "Use of the copies of each kind of card that were in a hand, over all seats. The table has the "
        "interval of each share."
    )
    used = [d for d in documents if d.uses]
    blocks: tuple[Block, ...] = (
        *map(cards.usage_figure, used),
        *map(cards.usage_table, used),
        *(cards.drawn_table(d, d.drawn) for d in documents if d.has_contrast and d.drawn),
    )
    legend = tuple(zip(cards.use_colours(used[0]), used[0].uses, strict=True)) if used else ()
    return _section(cards.USED, caption, blocks, (cards.USED, USE_METHOD), legend)


def _section(
    title: str, caption: str, blocks: tuple[Block, ...], method: Method, legend: Legend = ()
) -> View:
    return View(title=title, caption=caption, blocks=blocks, method=method, legend=legend)


def assumptions(study: Study) -> list[str]:
    """Return the assumptions of the results on cards, each with the results that depend on it."""
    used = (
        (study.card_without, WITHOUT_RESTS_ON, "games without a card"),
        (study.card_values, VALUE_RESTS_ON, "the card values"),
        (study.card_usage, USE_RESTS_ON, "the use of cards"),
    )
    return [f"{text} (used by {name})" for documents, text, name in used if documents]
