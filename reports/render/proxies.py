"""Printable sheets of proxy cards, nine per page, as HTML or PDF. Each dealt card has one proxy."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from bartizan.reports.render.html import FOLDER
from bartizan.reports.text.visible import visible

ON_A_PAGE = 9  # cards of 63 x 88 mm: three by three fit on A4 and Letter
SUFFIXES = (".html", ".pdf")
SMALL, SMALLEST = 180, 380  # number of letters above which the type is smaller
MOST = 700  # letters per card


@dataclass(frozen=True)
class Proxy:
    """One card. where: the card's pile, its position in the pile, and the deal."""

    name: str
    facts: tuple[tuple[str, str], ...]  # (heading, value) of each column
    where: str

    @property
    def size(self) -> str:
        letters = sum(len(heading) + len(value) for heading, value in self.facts) + len(self.name)
        return "" if letters < SMALL else "small" if letters < SMALLEST else "smallest"


def sheets_of(cards: Sequence[Proxy]) -> list[list[dict[str, object]]]:
    """Return the cards grouped by page, in the form that the templates expect."""
    plain = [asdict(_shortened(card)) | {"size": card.size} for card in cards]
    return [plain[i : i + ON_A_PAGE] for i in range(0, len(plain), ON_A_PAGE)]


def _shortened(card: Proxy) -> Proxy:
    """Return the card with its text truncated to MOST letters."""
    left, facts = MOST, []
    for heading, value in card.facts:
        facts.append((heading, value if len(value) <= left else f"{value[: max(left - 1, 0)]}…"))
        left = max(left - len(heading) - len(value), 0)
        if not left:
            break
    return Proxy(card.name, tuple(facts), card.where)


def html(title: str, cards: Sequence[Proxy]) -> str:
    """Return the sheets as a self-contained HTML page."""
    environment = Environment(
        loader=FileSystemLoader(FOLDER), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    text = environment.get_template("proxies.html.j2").render(title=title, sheets=sheets_of(cards))
    return visible(text)


def pdf(title: str, cards: Sequence[Proxy]) -> bytes:
    """Return the sheets as an A4 PDF. Raises UsageError if typst is not installed."""
    from bartizan.reports.render import pdf as paper  # which loads matplotlib

    compiled: bytes = paper.compiler("PDF sheets of cards").compile(
        (FOLDER / "proxies.typ").read_bytes(),
        font_paths=paper.fonts(),
        sys_inputs={"data": json.dumps({"title": title, "sheets": sheets_of(cards)}, ensure_ascii=False)},
    )
    return compiled
