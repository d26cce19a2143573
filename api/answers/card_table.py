"""Findings for each kind of card, one row per kind, in the form written into a sheet of cards."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from bartizan.analyses.experiments import without as left_out
from bartizan.analyses.statistics.intervals import Interval
from bartizan.api.answer import Answer
from bartizan.api.answers import cards
from bartizan.api.answers.card_sheets import made_by, write
from bartizan.api.questions.in_games import CardsQuestion
from bartizan.policies.request import Request
from bartizan.reports.render.card_sheet import WORTH, CardFinding
from bartizan.reports.text.words import listing
from bartizan.reports.views.cards import in_words
from bartizan.simcore.game import cards_of
from bartizan.simcore.scenario.parameters import find


@dataclass(frozen=True)
class CardSummary:
    """Findings for one kind of card.

    Shares and values are fractions of 1, scores are points; None means unknown.
    """

    deck: str  # name of the deck in a short game; "" if the copies are not a scenario value
    key: str  # KEY of the scenario value `deck.KEY.copies`
    name: str  # as in the sheet
    copies: int
    value: Interval | None  # wins (or score) with the card minus without it; simultaneous for all kinds
    used: Interval | None  # share of the copies in hand that were used
    won_if_drawn: Interval | None  # win rate of players who drew it: a correlation
    verdict: str  # "carries wins", "costs wins", "raises the score", "lowers the score" or ""


@dataclass(frozen=True)
class CardTable:
    """Findings for all kinds of card.

    rows: one per kind, in deck order. value_is: unit of the values, `wins` or `score`. methods: one sentence
    per method.
    """

    rows: list[CardSummary]
    value_is: str
    methods: list[str]


def card_table(question: CardsQuestion, request: Request) -> CardTable:
    """Return the findings of `cards --without` and `cards --usage`, simulated as the question asks.

    Raises UsageError for a game without cards.
    """
    of, s = cards_of(request.game), request.loaded
    without = cards.without_document(question, request)
    usage = cards.usage_document(question, request) if of.holdings or of.note else None
    values = {card.card: card for card in without.cards}
    used = {card.card: card.as_printed.share for card in usage.cards} if usage else {}
    drawn = {card.card: card.won_if_drawn for card in usage.drawn or ()} if usage else {}
    names, copies = of.kinds(s), {row.name: row.copies for row in of.table(s)}
    paths = of.copies(s)
    rows = []
    for kind, name in names.items():
        path = paths.get(kind, "")
        row = _row(name, path, copies[name], values.get(name), without.by, used, drawn)
        record = find(s.data, path.rpartition(".")[0]) or {}
        rows.append(
            replace(row, name=record.get("name", name))
        )  # without the name of the deck, if two decks share the name
    return CardTable(rows, without.by, [without.method, *([usage.method] if usage else [])])


def whole_sheet(question: CardsQuestion, request: Request, out: Path) -> Answer:
    """Write the findings of `--without` and `--usage` beside the cards in a copy of the designer's sheet."""
    table = card_table(question, request)
    times = Counter(row.name for row in table.rows)
    found = [
        CardFinding(
            row.name if times[row.name] == 1 else f"{row.name} ({row.deck})",
            value=row.value,
            in_points=table.value_is != "wins",
            value_is=WORTH,
            used=row.used.estimate if row.used else None,
            drawn=row.won_if_drawn,
            verdict=in_words(row.verdict),
        )
        for row in table.rows
    ]
    method = [*table.methods, made_by(question.command_line(), out)]
    notes = write(request, found, method, out)
    document = {
        "schema": "bartizan.card-table/1",
        "game": request.game.name,
        "value_is": table.value_is,
        "cards": [asdict(row) for row in table.rows],
        "methods": table.methods,
        "file": str(out),
    }
    named = [f"{row.name} {in_words(row.verdict)}" for row in table.rows if row.verdict]

    def lines() -> Iterator[str]:
        yield (f"{listing(named)}." if named else "These games do not show that any card affects wins.")
        yield from notes

    return Answer(document, lines)


def _row(
    name: str,
    path: str,
    copies: int,
    value: left_out.CardLeftOut | None,
    by: str,
    used: Mapping[str, Interval],
    drawn: Mapping[str, Interval | None],
) -> CardSummary:
    deck, _, rest = path.partition(".")
    return CardSummary(
        deck=deck,
        key=rest.rpartition(".")[0],
        name=name,
        copies=copies,
        value=value.ranked(by) if value else None,
        used=used.get(name),
        won_if_drawn=drawn.get(name),
        verdict=value.verdict if value else "",
    )
