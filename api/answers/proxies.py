"""`playtest deal -o cards.html`: write the dealt cards as sheets to print and cut."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from bartizan.policies.request import Request
from bartizan.reports.render.proxies import ON_A_PAGE, SUFFIXES, Proxy, html, pdf
from bartizan.reports.views.deal import DealDocument, Pile
from bartizan.simcore.errors import UsageError
from bartizan.simcore.files import write_atomic, writing
from bartizan.simcore.scenario.model import PROVENANCE
from bartizan.simcore.short.card_table import COPIES, NAME
from bartizan.simcore.short.deck_cards import sheets_of
from bartizan.simcore.sources import is_short

Facts = tuple[tuple[str, str], ...]
NOT_PRINTED = {NAME, COPIES, *PROVENANCE}


def check_target(out: Path) -> None:
    """Raise UsageError, before the simulation, for a file that exists or is not .html or .pdf."""
    if out.suffix.lower() not in SUFFIXES:
        raise UsageError(f"-o {out}: the file name must end in .html or .pdf")
    if out.exists():
        raise UsageError(f"-o {out}: already exists; choose another name")


def write(request: Request, document: DealDocument, out: Path) -> str:
    """Write a printable card for each dealt card, and return the message about the file."""
    facts = _facts(request)
    deals = {document.number: document.piles, **{other.number: other.piles for other in document.more}}
    cards = [card for number, piles in deals.items() for card in _cards(number, piles, facts)]
    title = f"{document.title}: cards of seed {document.seed}"
    content = html(title, cards).encode() if out.suffix.lower() == ".html" else pdf(title, cards)
    with writing(f"-o {out}"):
        write_atomic(out, content)
    pages = -(-len(cards) // ON_A_PAGE)
    return f"wrote {out}: {len(cards):,} cards on {pages} page{'s' * (pages > 1)}, to print and cut"


def _cards(number: int, piles: list[Pile], facts: Mapping[str, Facts]) -> Iterator[Proxy]:
    for pile in piles:
        for place, name in enumerate(pile.cards, 1):
            where = f"{pile.pile}, {place} of {len(pile.cards)}; game {number}"
            yield Proxy(name, facts.get(name, ()), where)


def _facts(request: Request) -> dict[str, Facts]:
    """Map the name of each card to its printed facts, as (label, value) pairs.

    Names that occur more than once are omitted.
    """
    game, found = request.game, []
    if game.home.suffix == ".py" and is_short(game.home, game.home.read_bytes()):
        for sheet in sheets_of(game.home).values():
            for row in sheet.rows:
                columns = {column: value for column, value in row.items() if column not in NOT_PRINTED}
                words = [
                    (sheet.headings.get(column, column.replace("_", " ").capitalize()), str(value))
                    for column, value in columns.items()
                    if value != ""
                ]
                found.append((str(row[NAME]), tuple(words)))
    elif game.compiled.cards is not None:
        of = game.compiled.cards
        for row in of.table(request.loaded):
            numbers = {of.value: row.value, "cost": row.cost, "": row.does}
            words = [
                (what or "does", str(value)) for what, value in numbers.items() if value not in (None, "")
            ]
            found.append((row.name, tuple(words)))
    times = Counter(name for name, _ in found)
    return {name: words for name, words in found if times[name] == 1}
