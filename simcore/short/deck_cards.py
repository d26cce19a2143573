"""The cards of a short game for `bartizan cards`, as declared by its decks, under a scenario."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bartizan.simcore.game import CardRow, Cards, load_module
from bartizan.simcore.scenario.model import PROVENANCE
from bartizan.simcore.scenario.parameters import unscaled
from bartizan.simcore.short.card_table import COPIES, NAME, CardSheet
from bartizan.simcore.short.components import Deck


@dataclass(frozen=True)
class Listed:
    """A deck: a table of the scenario with one card per key, or a range of numbers.

    copies: for a deck of numbers, the copies of each number from 0, with their source. is_owned: whether
    players receive its cards. uses: actions by which a player uses a card in hand. chosen_with: actions by
    which a player takes a card of their choice from a common pile. piles: piles of players, if none of them
    is a hand.
    """

    deck: str
    copies: tuple[int, ...] = ()
    source: str = ""
    confidence: str = ""
    is_owned: bool = False
    uses: tuple[str, ...] = ()
    chosen_with: tuple[str, ...] = ()
    piles: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Kind:
    """A kind of card, numbered consecutively over all decks."""

    number: int
    deck: Listed
    name: str
    row: CardRow
    path: str  # path of its number of copies; "": cannot be set
    numbers: dict[str, float]  # by column of numbers


def deck_cards(
    *decks: Listed,
    holdings: Callable | None = None,
    take_away: Callable | None = None,
    swap: Callable | None = None,
    named_cards: Callable | None = None,
    simultaneous: tuple[str, ...] = (),
) -> Cards:
    """Return the cards of a game.

    holdings, take_away, swap, named_cards, simultaneous: for games in which players receive cards.
    """

    def kinds(scenario: Any) -> Iterator[_Kind]:
        """Yield the kinds of cards of all decks, with distinct names."""
        rows = [row for deck in decks for row in _rows(deck, scenario)]
        times = Counter(row.name for _, row, *_ in rows)
        for number, (deck, row, path, numbers) in enumerate(rows):
            name = row.name if times[row.name] == 1 else f"{row.name} ({deck.deck})"
            yield _Kind(number, deck, name, row, path, numbers)

    def table(scenario: Any) -> list[CardRow]:
        return [
            CardRow(kind.name, kind.row.copies, None, kind.row.does, kind.row.source, kind.row.confidence)
            for kind in kinds(scenario)
            if kind.path or kind.row.copies
        ]

    def named(scenario: Any, deck: Callable[[Listed], Any] = lambda deck: True) -> dict[int, str]:
        return {kind.number: kind.name for kind in kinds(scenario) if kind.row.copies and deck(kind.deck)}

    def columns(scenario: Any) -> dict[str, dict[int, float]]:
        found: dict[str, dict[int, float]] = {}
        for kind in kinds(scenario):
            for column, number in kind.numbers.items():
                found.setdefault(column, {})[kind.number] = number
        return found

    return Cards(
        table,
        named,
        swap=swap,
        take_away=take_away,
        owned=lambda scenario: named(scenario, lambda deck: deck.is_owned),
        holdings=holdings,
        named_cards=named_cards,
        simultaneous=simultaneous,
        columns=columns,
        used_by=lambda scenario: {kind.number: kind.deck.uses for kind in kinds(scenario)},
        copies=lambda scenario: {kind.number: kind.path for kind in kinds(scenario) if kind.path},
        chosen_with=tuple(dict.fromkeys(act for deck in decks for act in deck.chosen_with)),
        piles_for_hands=tuple(pile for deck in decks for pile in deck.piles) if _no_hands(decks) else (),
    )


def _no_hands(decks: tuple[Listed, ...]) -> bool:
    return not any(deck.is_owned and not deck.piles for deck in decks)


def _rows(deck: Listed, scenario: Any) -> Iterator[tuple[Listed, CardRow, str, dict[str, float]]]:
    """Yield (deck, printed row, path of the copies, numbers by column) of every kind."""
    for number, copies in enumerate(deck.copies):
        yield deck, CardRow(str(number), copies, None, "", deck.source, deck.confidence), "", {}
    if not deck.copies:
        for key, card in getattr(scenario.model, deck.deck).items():
            columns = [one for one in type(card).model_fields if one not in (NAME, COPIES, *PROVENANCE)]
            values = {column: getattr(card, column) for column in columns}
            for column, scale in scenario.model.column_scales.get(deck.deck, {}).items():
                values[column] = unscaled(values[column], scale)
            says = ", ".join(f"{column.replace('_', ' ')} {value}" for column, value in values.items())
            numbers = {column: value for column, value in values.items() if isinstance(value, (int, float))}
            row = CardRow(card.name, card.copies, None, says, card.source, card.confidence)
            yield deck, row, f"{deck.deck}.{key}.{COPIES}", numbers


def sheets_of(path: Path) -> dict[str, CardSheet]:
    """Return the table of cards of each deck of a short game file, with its origin.

    Decks that are ranges of numbers are omitted.
    """
    decks = {name: deck for name, deck in vars(load_module(path, "game")).items() if isinstance(deck, Deck)}
    return {
        name: deck.table(path.parent) for name, deck in decks.items() if not isinstance(deck.kinds, range)
    }
