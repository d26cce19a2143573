"""How cards are used: a picture and a table for each line-up that `bartizan cards --usage` looked at."""

from collections.abc import Iterator

from bartizan.analyses.experiments.cards import USE_METHOD, USE_RESTS_ON
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.blocks import Entry, Table
from bartizan.reports.figures import theme, uses
from bartizan.reports.pages.parts.facts import Assumption
from bartizan.reports.pages.parts.pictures import Picture, Section, left_out, limited, one_group, picture
from bartizan.reports.study import Study
from bartizan.reports.text import card_text, words

TITLE = "How cards are used"
CAPTION = (
    "What becomes of the copies of each kind of card that came into a hand, over all seats. How sure each "
    "share is stands in the table."
)


def sections(study: Study, most: int) -> list[Section]:
    """`most`: pictures in a section."""
    found = study.card_usage
    if not found:
        return []
    pictures = [_picture(document, f"uses-{index}") for index, document in enumerate(limited(found, most))]
    legend = tuple(zip(_colours(found[0]), found[0]["uses"], strict=True))
    return [Section(TITLE, CAPTION, one_group(pictures), legend, left_out(found, most))]


def _colours(document: dict) -> list[str]:
    """One a use, the last one faint: what the deck is for comes first, what came to nothing last."""
    return [*theme.player_colours(document["uses"][:-1]).values(), theme.NONE_COLOUR]


def _picture(document: dict, name: str) -> Picture:
    rows = [_bar(card) for card in document["cards"]]
    said = card_text.dead(document)
    figure = uses.draw(rows, _colours(document))
    return picture(
        card_text.players(document),
        f"{words.count(document['games'])} games. {said}",
        figure,
        name,
        f"{TITLE}: {said}",
    )


def _bar(card: dict) -> uses.UseBar:
    shares = tuple(share["share"]["estimate"] for share in card["uses"])
    return uses.UseBar(
        words.title(card["card"]),
        f"{words.count(card['copies'])} copies{', dead' if card['dead'] else ''}",
        shares,
    )


def tables_of(study: Study) -> list[Table]:
    """One a line-up."""
    return [_table(document, study) for document in study.card_usage]


def _table(document: dict, study: Study) -> Table:
    caption = (
        f"{card_text.dead(document)} Shares of the copies that came into a hand in "
        f"{words.count(document['games'])} games (seed {document['seed']}), all seats together, with "
        f"{words.level(study.level)} intervals, each on its own. As printed: "
        f"{card_text.printed_for(document)}."
    )
    if document["never_there"]:
        caption += f" Never in a hand: {', '.join(document['never_there'])}."
    caption = " ".join([caption, *made_by(document)])
    headers = ("Card", "Copies", *map(words.title, document["uses"]), "As printed")
    return Table(
        f"{TITLE}: {card_text.players(document)}", caption, headers, tuple(map(_row, document["cards"]))
    )


def made_by(document: dict) -> Iterator[str]:
    """The command of an answer that was kept; one of before 2026-11 does not say."""
    if command := document.get("command"):
        yield f"Made by: {command}"


def _row(card: dict) -> tuple[Entry, ...]:
    shares = [_share(share) for share in (*card["uses"], card["as_printed"])]
    return (
        Entry(words.title(card["card"]), "dead" if card["dead"] else ""),
        Entry(words.count(card["copies"]), f"{words.count(card['games'])} games"),
        *shares,
    )


def _share(share: dict) -> Entry:
    interval = Interval(**share["share"])
    return Entry(words.share(interval), "" if interval.estimate in (0, 1) else words.share_limits(interval))


def assumptions(study: Study) -> list[Assumption]:
    return [Assumption(USE_RESTS_ON, "how cards are used")] if study.card_usage else []


def methods(study: Study) -> list[tuple[str, str]]:
    return [(TITLE, USE_METHOD)] if study.card_usage else []
