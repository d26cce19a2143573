"""`cards -o cards.xlsx`: write the findings into a copy of the designer's own sheet, beside each card."""

from collections.abc import Sequence
from pathlib import Path

from bartizan.analyses.statistics.testing import ALPHA
from bartizan.policies.request import Request
from bartizan.reports.render.card_sheet import (
    SUFFIXES,
    WORTH,
    CardFinding,
    check_card_sheet,
    write_card_sheet,
)
from bartizan.reports.views import cards as views
from bartizan.simcore.game import cards_of
from bartizan.simcore.short.card_table import COPIES, NAME, CardSheet
from bartizan.simcore.short.deck_cards import sheets_of
from bartizan.simcore.sources import is_short


def is_card_sheet(out: Path | None) -> bool:
    return out is not None and out.suffix.lower() in SUFFIXES


def decks_of(request: Request) -> dict[str, CardSheet]:
    """Return the sheet of each deck of a short game, or one sheet with the listed cards of any other game."""
    game = request.game
    if game.home.suffix == ".py" and is_short(game.home, game.home.read_bytes()):
        return sheets_of(game.home)
    rows = cards_of(game).table(request.loaded)
    with_cost = any(row.cost is not None for row in rows)
    kinds = [
        {
            NAME: row.name,
            COPIES: row.copies,
            **({"cost": "" if row.cost is None else row.cost} if with_cost else {}),
        }
        for row in rows
    ]
    return {"cards": CardSheet(kinds, [""] * len(kinds))}


def check_target(request: Request, out: Path) -> None:
    """Raise UsageError before the simulation starts if the file cannot be written."""
    check_card_sheet(out, decks_of(request))


def write(request: Request, found: Sequence[CardFinding], method: Sequence[str], out: Path) -> list[str]:
    """Write the findings into a copy of the sheet, and return the lines of the message about the file."""
    notes = write_card_sheet(decks_of(request), found, method, out)
    return [f"wrote {out}", *notes]


# ---------------------------------------------------------------- from answers


def of_values(d: views.ValueDocument) -> list[CardFinding]:
    """Return the value of each card, with intervals that are simultaneous over all cards."""
    prices = {} if d.price is None else {one.card: one.verdict for one in getattr(d.price, "cards", ())}
    return [
        CardFinding(
            card.card,
            value=card.joint or card.value,
            in_points=d.by != "wins",
            verdict=views.in_words(prices.get(card.card, "")) or _worth(card.p_adjusted, card.value.estimate),
        )
        for card in d.cards
    ]


def _worth(p: float, value: float) -> str:
    if p >= ALPHA:
        return ""
    return "worth more" if value > 0 else "worth less"


def of_usage(d: views.UsageDocument) -> list[CardFinding]:
    """Return, for each card, the share of its copies that were used as printed.

    If measured, the finding also has the win rate of players who drew the card. A card that is hardly ever
    used has the verdict "rarely used".
    """
    drawn = {one.card: one.won_if_drawn for one in d.drawn or ()}
    return [
        CardFinding(
            one.card,
            used=one.as_printed.share.estimate,
            drawn=drawn.get(one.card),
            verdict="rarely used" if one.dead else "",
        )
        for one in d.cards
    ]


def of_without(d: views.WithoutDocument) -> list[CardFinding]:
    """Return the effect of each kind, with intervals that are simultaneous over all kinds."""
    return [
        CardFinding(
            one.card,
            value=one.ranked(d.by),
            in_points=d.by != "wins",
            value_is=WORTH,
            verdict=views.in_words(one.verdict),
        )
        for one in d.cards
    ]


def method_lines(
    d: views.ValueDocument | views.UsageDocument | views.WithoutDocument,
    sentences: Sequence[str],
    command: str,
    out: Path,
) -> list[str]:
    """Return the lines of the method sheet: the results, their method and assumptions, and the command."""
    return [*sentences, f"Method: {d.method}", d.rests_on, made_by(command, out)]


def made_by(command: str, out: Path) -> str:
    """Return the line of the method sheet that contains the command and its output file."""
    return f"Command: {command.replace('-o DIR', f'-o {out.name}')}"
