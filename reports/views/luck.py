"""The luck-adjusted win rate: a part of the output of `run` and `compare`, and a section of a report."""

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
from bartizan.simcore.documentation import page

NOTHING_SHOWN = f"not available, because the game has no features for a value function (see {page('luck')})"
METHOD = (
    "one control variate per chance event, from a value function fitted on separate pilot games (AIVAT, "
    "Burch et al. 2018); Student t."
)
ROOM = 1.15  # length of the axis relative to the longest interval


class WithoutLuck(Rates):
    """The field `luck_adjusted` of `run --json`.

    Its own numbers are those of the first seat. If there are several seats, `seats` has the numbers of each.
    """

    samples: int  # sampled outcomes per chance event
    pilot: PilotModel
    # measured times; saved results omit them
    seconds: float | None = None
    multiplier_per_second: float | None = None
    seats: list[Rates] | None = optional()

    @property
    def by_seat(self) -> list[Rates]:
        return self.seats or [self]


def document(result: LuckAdjusted, roles: tuple[str, ...], seconds_raw: float | None = None) -> WithoutLuck:
    """Return the document of a luck adjustment.

    seconds_raw: duration of the simulation without the adjustment.
    """
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
        return f"luck-adjusted: {NOTHING_SHOWN}"
    said = estimates.points(d.difference, least=1).with_method
    factor = (
        ""
        if d.pairing_factor is None
        else f"; pairing factor {words.factor(d.pairing_factor)}: without pairing and adjustment, "
        f"{words.factor(d.pairing_factor)} times as many games would be needed"
    )
    return f"luck-adjusted estimate of the same difference: {said}{factor}"


def lines(d: WithoutLuck) -> Iterator[str]:
    """Yield lines with the raw and adjusted win rates, and the gain in precision."""
    for seat in d.by_seat:
        who = f"{seat.role}: " if seat.role else ""
        worth = estimates.number(seat.multiplier_interval, 2)
        yield f"  raw      {who}{_rate(seat.raw)}"
        yield f"  adjusted {who}{_rate(seat.adjusted)}; each game as precise as {worth} unadjusted games"
    if not d.pilot.numbers:
        yield f"  luck     {NOTHING_SHOWN}"
        return
    yield f"  luck     {_estimated(d)}"
    speed = ""
    if (gain := d.multiplier_per_second) is not None:  # below 1, more unadjusted games cost less
        verdict = "faster than more games" if gain > 1 else "more games would be faster"
        speed = f"; one second is worth {gain:.2f} seconds of unadjusted games (without the pilot): {verdict}"
    effective = words.count(round(d.effective_games))
    yield f"  worth    {words.count(d.games)} games are as precise as {effective} unadjusted games{speed}"


def _estimated(d: WithoutLuck) -> str:
    """Return the method of estimating luck as text: the value function, its fit, and the subtracted share."""
    pilot = d.pilot
    return (
        f"estimated by a value function of {pilot.numbers} features, fitted on {words.count(pilot.games)} "
        f"pilot games (seed {pilot.seed}, R2 {pilot.r2:.2f} on held-out games); {d.samples} sampled outcomes "
        f"per chance event; {_taken_off(pilot)}"
    )


def _rate(rate: Interval) -> str:
    return estimates.percent(rate, 2, words.how(rate)).with_method


def _taken_off(pilot: PilotModel) -> str:
    """Return the subtracted share of luck by seat, such as `97 % and 98 % of it is subtracted`."""
    if not any(pilot.shares):
        return "the pilot games show no luck in chance events, so nothing is subtracted"
    return f"{' and '.join(words.percent(share, 0) for share in pilot.shares)} of it is subtracted"


# ---------------------------------------------------------------- a section of a report


class LuckDocument(PlayedDocument):
    """Saved result of `run --luck-adjusted`."""

    games: int
    luck_adjusted: WithoutLuck

    def who(self, seat: Rates) -> str:
        if seat.seat is None or seat.role is None:
            return self.players
        return f"{self.policies[seat.seat]}, {words.plain(seat.role)}"


def view(d: LuckDocument) -> View:
    first = d.luck_adjusted.by_seat[0]
    share = words.share_with_limits(first.adjusted)
    title = f"Luck-adjusted win rate of {d.who(first)}{d.at_level}: {share} ({words.many(d.games, 'game')})"
    caption = (
        f"Win rate of the same {words.many(d.games, 'game')} (seed {d.seed}), raw and after the effect of "
        f"chance events is subtracted. {words.CONFIDENCE} intervals."
    )
    blocks = (_figure(d), Lines(tuple(_findings(d.luck_adjusted))), _table(d))
    return View(title, blocks, ("Luck-adjusted win rates", METHOD), title, caption)


def _figure(d: LuckDocument) -> Figure:
    rows = [
        dots.share_row(f"{d.who(seat)}, {how}", (dots.mark(rate, colour),))
        for seat in d.luck_adjusted.by_seat
        for how, rate, colour in (("raw", seat.raw, UNCLEAR), ("luck-adjusted", seat.adjusted, CLEAR))
    ]
    most = min(max(row.marks[0].interval.high for row in rows) * ROOM, 1.0)
    title = f"Raw and luck-adjusted win rates{d.at_level}"
    return Figure(title, dots.chart(rows, most, "games won"))


def _findings(d: WithoutLuck) -> Iterator[str]:
    if not d.pilot.numbers:
        yield f"Luck adjustment: {NOTHING_SHOWN}."
        return
    worth = words.count(round(d.effective_games))
    yield f"{words.count(d.games)} games are as precise as {worth} unadjusted games."
    yield f"Luck is {_estimated(d)}."


def _table(d: LuckDocument) -> Table:
    caption = "Worth of a game: number of unadjusted games with the same precision, with its interval."
    headers = ("Player", "Games", "Raw", "Luck-adjusted", "Worth of a game")
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
    return Table(f"Luck-adjusted win rates: {d.players}{d.at_level}", caption, headers, rows)
