"""What a report says of `bartizan run --luck-adjusted`: the win rate without the luck."""

from collections.abc import Iterator, Mapping

from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Table
from bartizan.reports.figures import dots
from bartizan.reports.pages.parts.kept.told import CLEAR, UNCLEAR, KeptFinding, level_of, players
from bartizan.reports.pages.parts.pictures import Picture, picture
from bartizan.reports.text import luck as text
from bartizan.reports.text import words

METHOD = (
    "control variates from a value function fitted on pilot games of their own, one for each chance event "
    "(AIVAT, Burch et al. 2018); Student t."
)
ROOM = 1.15  # of the axis, beyond the longest interval


def told(d: Mapping, name: str) -> KeptFinding:
    return KeptFinding(
        _title(d),
        _caption(d),
        lambda: (_picture(d, name),),
        tuple(_lines(d)),
        (_table(d),),
        "Win rates without the luck",
        METHOD,
    )


def _seats(d: Mapping) -> list[Mapping]:
    """The numbers of each seat; of one seat those of the answer."""
    return d["luck_adjusted"].get("seats", [d["luck_adjusted"]])


def _who(seat: Mapping, d: Mapping) -> str:
    return f"{d['policies'][seat['seat']]}, {words.plain(seat['role'])}" if "role" in seat else players(d)


def _rate(it: Mapping, prefix: str = "") -> Interval:
    keys = ("estimate", "low", "high", "level", "method")
    return Interval(**{key: it[f"{prefix}{key}"] for key in keys})


def _title(d: Mapping) -> str:
    first = _seats(d)[0]
    share = words.share_with_limits(_rate(first))
    return f"Without the luck {_who(first, d)}{level_of(d)} wins {share} of {words.count(d['games'])} games"


def _caption(d: Mapping) -> str:
    return (
        f"The same {words.count(d['games'])} games, seed {d['seed']}, counted as they ended and less what "
        "chance gave. 95\u00a0% intervals."
    )


def _picture(d: Mapping, name: str) -> Picture:
    rows = [
        dots.Row(f"{_who(seat, d)}, {said}", words.share_with_limits(_rate(seat, prefix)), (point,))
        for seat in _seats(d)
        for said, prefix, colour in (("as they ended", "raw_", UNCLEAR), ("without the luck", "", CLEAR))
        for point in (dots.Point(_rate(seat, prefix), colour),)
    ]
    most = min(max(row.points[0].interval.high for row in rows) * ROOM, 1.0)
    title = f"Win rates with and without the luck{level_of(d)}"
    alt = (
        f"{_title(d)}. {title}, shares of the games: {'; '.join(f'{row.label} {row.value}' for row in rows)}"
    )
    return picture(title, "", dots.draw(rows, most, "games won"), name, alt)


def _lines(d: Mapping) -> Iterator[str]:
    it = d["luck_adjusted"]
    pilot = it["pilot"]
    if not pilot["numbers"]:
        yield f"{words.sentence(text.NOTHING_SHOWN)}."
        return
    games, worth = words.count(it["games"]), words.count(round(it["effective_games"]))
    shares = " and ".join(words.percent(share, 0) for share in pilot["shares"])
    yield f"{games} games tell as much as {worth} plain ones would."
    yield (
        f"The luck is told by a guess at the winner from {pilot['numbers']} numbers, fitted on "
        f"{words.count(pilot['games'])} games of their own and then left as it is; taken off: {shares} of it."
    )


def _table(d: Mapping) -> Table:
    caption = "A game's worth: how many plain games would tell as much as one of these, with its interval."
    headers = ("Who", "Games", "As they ended", "Without the luck", "A game's worth")
    rows = tuple(
        (
            Entry(_who(seat, d)),
            entries.count(seat["games"]),
            entries.share(_rate(seat, "raw_")),
            entries.share(_rate(seat)),
            Entry(f"{seat['multiplier']:.2f}", _limits(seat["multiplier_interval"])),
        )
        for seat in _seats(d)
    )
    return Table(f"Without the luck: {players(d)}{level_of(d)}", caption, headers, rows)


def _limits(it: Mapping) -> str:
    return words.span(it["low"], it["high"], 2)
