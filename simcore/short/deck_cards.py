"""The cards of a short game as `bartizan cards` lists them: what its decks declare, under a scenario."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bartizan.simcore.game import CardRow, Cards, load_module
from bartizan.simcore.scenario.model import PROVENANCE
from bartizan.simcore.short.card_table import COPIES, NAME, CardSheet
from bartizan.simcore.short.components import Deck


def deck_cards(*decks: str) -> Cards:
    """decks: tables of a scenario, each key -> a card."""

    def named(scenario: Any) -> Iterator[tuple[str, Any]]:
        cards = [(deck, card) for deck in decks for card in getattr(scenario.model, deck).values()]
        times = Counter(card.name for _, card in cards)
        for deck, card in cards:  # no two names alike
            yield card.name if times[card.name] == 1 else f"{card.name} ({deck})", card

    def table(scenario: Any) -> list[CardRow]:
        return [
            CardRow(name, card.copies, None, _says(card), card.source, card.confidence)
            for name, card in named(scenario)
        ]

    return Cards(table, lambda scenario: dict(enumerate(name for name, _ in named(scenario))))


def sheets_of(path: Path) -> dict[str, CardSheet]:
    """Deck of a short game file -> its table of cards, with where it was read; ranges of numbers left out."""
    decks = {name: deck for name, deck in vars(load_module(path, "game")).items() if isinstance(deck, Deck)}
    return {
        name: deck.table(path.parent) for name, deck in decks.items() if not isinstance(deck.kinds, range)
    }


def _says(card: Any) -> str:
    """Its numbers by their columns."""
    columns = [key for key in type(card).model_fields if key not in (NAME, COPIES, *PROVENANCE)]
    return ", ".join(f"{column.replace('_', ' ')} {getattr(card, column)}" for column in columns)
