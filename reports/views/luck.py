"""The win rate without the luck: a part of what `run` and `compare` say, and a section of a report."""

from collections.abc import Iterator

from bartizan.analyses.document import optional
from bartizan.analyses.experiments.luck_adjustment import AdjustedDifference, LuckAdjusted, PilotModel, Rates
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Figure, Lines, Table, View
from bartizan.reports.document import PlayedDocument
from bartizan.reports.figures import dots
from bartizan.reports.figures.theme import CLEAR, UNCLEAR
from bartizan.reports.text import estimates, words

NOTHING_SHOWN = "the game shows nothing that a guess at the winner could look at (see docs/luck.md)"
METHOD = (
    "control variates from a value function fitted on pilot games of their own, one for each chance event "
    "(AIVAT, Burch et al. 2018); Student t."
)
ROOM = 1.15  # of the axis, beyond the longest interval


class WithoutLuck(Rates):
    """Key `luck_adjusted` of `run --json`: the first seat's numbers, and those of each of several seats."""

    samples: int  # outcomes of a chance event
    pilot: PilotModel
    # what the clock said; a kept answer leaves it out
    seconds: float | None = None
    multiplier_per_second: float | None = None
    seats: list[Rates] | None = optional()

    @property
    def by_seat(self) -> list[Rates]:
        return self.seats or [self]


def document(result: LuckAdjusted, roles: tuple[str, ...], seconds_raw: float | None = None) -> WithoutLuck:
    """seconds_raw: how long the plain games took."""
    first = result.seats[0]
    per_second = seconds_raw and result.seconds and first.multiplier * seconds_raw / result.seconds
    seats = [
        rates.model_copy(update={"seat": seat, "role": roles[seat]})
        for seat, rates in enumerate(result.seats)
    ]
    return WithoutLuck(
        **dict(first),
        samples=result.samples,
        pilot=PilotModel.model_validate(result.guess),
        seconds=result.seconds,
        multiplier_per_second=per_second or None,
        seats=seats if len(seats) > 1 else None,
    )


# ---------------------------------------------------------------- a part of `compare` and of `run`


def difference_line(d: AdjustedDifference) -> str:
    if not any(pilot.numbers for pilot in d.pilots):
        return f"without the luck: {NOTHING_SHOWN}"
    said = estimates.points(d.difference, least=1).with_method
    factor = (
        ""
        if d.pairing_factor is None
        else f"; pairing factor {d.pairing_factor:.1f}: without common luck and adjustment it would take "
        f"{d.pairing_factor:.1f} times as many games"
    )
    return f"without the luck: {said}{factor}"


def lines(d: WithoutLuck) -> Iterator[str]:
    """Raw and adjusted, one under the other; then what it was worth."""
    for seat in d.by_seat:
        who = f"{seat.role}: " if seat.role else ""
        worth = estimates.number(seat.multiplier_interval, 2)
        yield f"  raw      {who}{_rate(seat.raw)}"
        yield (f"  adjusted {who}{_rate(seat.adjusted)}; each game worth {worth}")
    if not d.pilot.numbers:
        yield f"  luck     {NOTHING_SHOWN}"
        return
    yield f"  luck     {_estimated(d)}"
    speed = ""
    if (gain := d.multiplier_per_second) is not None:  # below 1 more plain games are the better buy
        verdict = "cheaper than more games" if gain > 1 else "more games would be the cheaper way"
        speed = f"; a second of it is worth {gain:.2f} seconds of plain games, pilot left out: {verdict}"
    yield f"  worth    {words.count(round(d.effective_games))} games for {words.count(d.games)}{speed}"


def _estimated(d: WithoutLuck) -> str:
    """By which guess, and what was taken off."""
    pilot = d.pilot
    return (
        f"estimated by a guess at the winner from {pilot.numbers} numbers, fitted on "
        f"{words.count(pilot.games)} pilot games (seed {pilot.seed}, R2 {pilot.r2:.2f} on held-out ones) and "
        f"frozen; {d.samples} outcomes of each chance event; {_taken_off(pilot)}"
    )


def _rate(rate: Interval) -> str:
    return estimates.percent(rate, 2, words.how(rate)).with_method


def _taken_off(pilot: PilotModel) -> str:
    """By seat: `taken off: 97 % and 98 % of it`"""
    if not any(pilot.shares):
        return "the pilot games show no luck in chance events, so nothing is taken off"
    return f"taken off: {' and '.join(words.percent(share, 0) for share in pilot.shares)} of it"


# ---------------------------------------------------------------- a section of a report


class LuckDocument(PlayedDocument):
    """What `run --luck-adjusted` keeps."""

    games: int
    luck_adjusted: WithoutLuck

    def who(self, seat: Rates) -> str:
        if seat.seat is None or seat.role is None:
            return self.players
        return f"{self.policies[seat.seat]}, {words.plain(seat.role)}"


def view(d: LuckDocument) -> View:
    first = d.luck_adjusted.by_seat[0]
    share = words.share_with_limits(first.adjusted)
    title = f"Without the luck {d.who(first)}{d.at_level} wins {share} of {words.count(d.games)} games"
    caption = (
        f"The same {words.count(d.games)} games, seed {d.seed}, counted as they ended and less what "
        f"chance gave. {words.CONFIDENCE} intervals."
    )
    blocks = (_figure(d), Lines(tuple(_findings(d.luck_adjusted))), _table(d))
    return View(title, blocks, ("Win rates without the luck", METHOD), title, caption)


def _figure(d: LuckDocument) -> Figure:
    rows = [
        dots.row(f"{d.who(seat)}, {how}", words.share_with_limits(rate), (dots.mark(rate, colour),))
        for seat in d.luck_adjusted.by_seat
        for how, rate, colour in (
            ("as they ended", seat.raw, UNCLEAR),
            ("without the luck", seat.adjusted, CLEAR),
        )
    ]
    most = min(max(row.marks[0].interval.high for row in rows) * ROOM, 1.0)
    title = f"Win rates with and without the luck{d.at_level}"
    return Figure(title, dots.chart(rows, most, "games won"))


def _findings(d: WithoutLuck) -> Iterator[str]:
    if not d.pilot.numbers:
        yield f"{words.sentence(NOTHING_SHOWN)}."
        return
    worth = words.count(round(d.effective_games))
    yield f"{words.count(d.games)} games tell as much as {worth} plain ones would."
    yield f"The luck is {_estimated(d)}."


def _table(d: LuckDocument) -> Table:
    caption = "A game's worth: how many plain games would tell as much as one of these, with its interval."
    headers = ("Who", "Games", "As they ended", "Without the luck", "A game's worth")
    rows = tuple(
        (
            Entry(d.who(seat)),
            entries.count(seat.games),
            entries.share(seat.raw),
            entries.share(seat.adjusted),
            Entry(
                f"{seat.multiplier:.2f}",
                words.span(seat.multiplier_interval.low, seat.multiplier_interval.high, 2),
            ),
        )
        for seat in d.luck_adjusted.by_seat
    )
    return Table(f"Without the luck: {d.players}{d.at_level}", caption, headers, rows)
