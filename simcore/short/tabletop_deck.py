"""Decks of Tabletop Simulator: the names and copies of their cards, from a saved object or a saved game.

The file is JSON. `ObjectStates` contains the objects, `ContainedObjects` the cards of a deck or the contents
of a bag, and `Nickname` the name of a card. `CardID` is the number of the sheet of pictures times 100, plus
the place of the card on the sheet.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bartizan.simcore import strict_json
from bartizan.simcore.errors import did_you_mean
from bartizan.simcore.short.card_table import COPIES, NAME, CardSheet, SheetError

TEXT = "description"
MARKUP = re.compile(r"\[/?(?:[0-9a-fA-F]{6}|b|i|u|s|sub|sup|-)\]")  # [ff0000]red[-], [b]bold[/b]
LARGEST = 64 * 2**20  # maximum bytes of a saved game


def read_tabletop_deck(path: Path, deck: str = "") -> CardSheet:
    """Read a deck from a file of Tabletop Simulator. Raises SheetError or OSError.

    deck: its nickname, if the file has several (default: the first).
    """
    if path.stat().st_size > LARGEST:
        raise SheetError(
            f"{path.name}: larger than {LARGEST // 2**20} MB: save only the deck (right-click it, Save "
            "Object)"
        )
    try:
        data = strict_json.loads(path.read_bytes().decode("utf-8-sig"))
        decks = list(_decks(data))
    except (ValueError, RecursionError) as error:
        raise SheetError(f"{path.name}: not valid JSON: {error}") from error
    if not decks:
        raise SheetError(
            f"{path.name}: contains no deck of Tabletop Simulator: right-click the deck there, choose "
            "Save Object, and use that file; a table of cards can be read as .csv or .xlsx"
        )
    chosen = _chosen(path, deck, decks)
    cards = _cards(path, chosen)
    notes = []
    if unnamed := sum(not _text_of(card, "Nickname") for card in cards):
        notes.append(f"{unnamed} of {len(cards)} cards have no name; their number is used instead")
    if len(decks) > 1 and not deck:
        others = ", ".join(_called(one) for one in decks if one is not chosen)
        notes.append(f"read from its first deck, {_called(chosen)}; other decks: {others}")
    rows = _kinds(path, cards)
    places = [f"{path.name}, {row[NAME]}" for row in rows]
    unread = {TEXT: f"{TEXT!r} of {path.name} contains words"}
    headings = {NAME: "Nickname", COPIES: "copies", TEXT: "Description"}
    return CardSheet(rows, places, [f"{path.name}: {note}" for note in notes], unread, headings)


def _decks(data: Any) -> Iterator[dict]:
    """Yield every object that contains cards, also in bags, in the order of the file."""
    if isinstance(data, list):
        for one in data:
            yield from _decks(one)
    elif isinstance(data, dict):
        inside = data.get("ContainedObjects")
        if isinstance(data.get("DeckIDs"), list) or (isinstance(inside, list) and any(map(_is_card, inside))):
            yield data
        else:
            for key in ("ObjectStates", "ContainedObjects"):
                yield from _decks(data.get(key))


def _is_card(data: Any) -> bool:
    return isinstance(data, dict) and "CardID" in data


def _chosen(path: Path, deck: str, decks: list[dict]) -> dict:
    if not deck:
        return decks[0]
    for one in decks:
        if _called(one).casefold() == deck.casefold():
            return one
    raise SheetError(f"{path.name}: no deck {deck!r}{did_you_mean(deck, map(_called, decks))}")


def _called(deck: dict) -> str:
    return _text_of(deck, "Nickname") or "a deck without a name"


def _cards(path: Path, deck: dict) -> list[dict]:
    """Return one entry per card.

    For a deck without a list of cards, use the numbers in `DeckIDs`. Raises SheetError for a deck without
    cards, and for a CardID that is not an integer.
    """
    cards = [card for card in deck.get("ContainedObjects") or [] if _is_card(card)]
    cards = cards or [{"CardID": number} for number in deck.get("DeckIDs") or []]
    if not cards:
        raise SheetError(f"{path.name}: {_called(deck)} has no cards: choose another deck")
    for card in cards:
        if type(card["CardID"]) is not int:
            raise SheetError(
                f"{path.name}: CardID is {card['CardID']!r}, but Tabletop Simulator writes a number: "
                "save the deck there again"
            )
    return cards


def _kinds(path: Path, cards: list[dict]) -> list[dict[str, Any]]:
    """Return a row for each name.

    Cards without a name are named by their number. Raises SheetError for two cards of one name with different
    descriptions.
    """
    rows: dict[str, dict[str, Any]] = {}
    for card in cards:
        name = _text_of(card, "Nickname") or f"card {card['CardID']}"
        text = _text_of(card, "Description")
        row = rows.setdefault(name.casefold(), {NAME: name, COPIES: 0, TEXT: text})
        if row[TEXT] != text:
            raise SheetError(
                f"{path.name}: two cards {name!r} have different descriptions, {row[TEXT]!r} and {text!r}: "
                "rename one"
            )
        row[COPIES] += 1
    return list(rows.values())


def _text_of(data: dict, key: str) -> str:
    """Return a text on one line, without the markup of Tabletop Simulator, such as colours."""
    value = data.get(key)
    return " ".join(MARKUP.sub("", value).split()) if isinstance(value, str) else ""
