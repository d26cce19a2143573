"""Page of a free-for-all: advantage of the seats, and comparison of the players."""

from collections.abc import Iterator

from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Table
from bartizan.reports.entries import NONE
from bartizan.reports.pages.free_for_all import seats
from bartizan.reports.pages.parts import certainty, names, outcomes
from bartizan.reports.study import Finding, Study
from bartizan.reports.text import seat_worth, words
from bartizan.reports.text.cell_names import set_text

chart = seats.chart


def how_sure(study: Study) -> Iterator[str]:
    shares = [share.share for seating in seats.seatings(study) for share in seating.seats]
    if not shares:
        yield "No game had a winner."
    others = "Other policies, and people, may get different results."
    yield from certainty.how_sure(study, "win share of the games", shares, others, "shares")


class CellByCell(outcomes.WhoWins):
    """Table with the wins of each seat, separately for every cell and rotation."""

    def tables(self, study: Study) -> Iterator[Table]:
        most = max(len(finding.wins.seats) for finding in study.findings)
        won = (f"Won by the {seat_worth.seat(seat)}" for seat in range(most))
        headers = ("Changed setting", "Games", *won, "No winner", "Truncated")
        caption = (
            f"Every cell, with its players in their given seats: shares of all games with {words.CONFIDENCE} "
            "intervals, not simultaneous."
        )

        def row(finding: Finding) -> Iterator[Entry]:
            yield Entry(set_text(finding.cell) or "–")
            yield entries.count(finding.games)
            for seat in finding.wins.seats:
                share = entries.proportion(seat.win, seat.wins)
                yield Entry(share.text, f"{seat.policy}; {share.note}")
            yield from [NONE] * (most - len(finding.wins.seats))
            yield entries.count(study.seats[finding.cell.id].drawn)
            yield entries.count(finding.outcomes.capped)

        yield names.table(study, "Cell by cell", caption, headers, row)
