"""Every number of a report on alike seats, in tables."""

from bartizan.analyses.records.elimination import Spread
from bartizan.analyses.statistics.intervals import Interval
from bartizan.analyses.statistics.paired import Effect, Estimate
from bartizan.reports.pages.free_for_all import ends, names
from bartizan.reports.pages.free_for_all.seatings import MIXED, TURNED, Seating, seatings
from bartizan.reports.pages.tables import Entry, Table, proportion
from bartizan.reports.pages.tables import lengths as all_lengths
from bartizan.reports.pages.two_sided import tables as contest
from bartizan.reports.pages.two_sided.names import sentence, time
from bartizan.reports.study import Finding, Study, set_text
from bartizan.reports.text import words

NAME = "Players and setting"
FACTOR = "Pairing factor: so many times as many games would be needed"


def all_tables(study: Study) -> list[Table]:
    """The tables this study has something to say in."""
    found = [
        seats(study),
        skill(study),
        duels(study),
        ends.table(study),
        effects(study),
        lengths(study),
        places(study),
        out(study),
        lead(study),
        cells(study),
    ]
    found += [contest.forms(study), *contest.groups(study), *contest.firsts(study), contest.scores(study)]
    return [table for table in found if table and table.rows]


# ---------------------------------------------------------------- seats


def seats(study: Study) -> Table:
    """One row a line-up and setting, one column a seat."""
    found = seatings(study)
    most = max((len(seating.seats) for seating in found), default=0)
    capped = any(seating.capped for seating in found)
    wins = (f"The {names.seat(seat)} wins" for seat in range(most))
    headers = (
        NAME,
        "What it tells of",
        "Games",
        *wins,
        "Equal share",
        "Seats apart from it",
        *(["Cut off"] if capped else []),
    )
    rows = tuple(
        tuple(_seat_row(seating, most, study)) + ((Entry(words.count(seating.capped)),) if capped else ())
        for seating in found
    )
    caption = (
        f"Shares of the games that somebody won, with {words.level(study.level)} intervals; each holds on "
        "its own."
    )
    caption += " Seats apart from an equal share: by intervals that hold for all seats together."
    if any(seating.rotations > 1 for seating in found):
        caption += (
            " A line-up that sat in all its rotations is put together game number by game number; the "
            "interval is Student's t over game numbers."
        )
    if any(seating.kind == TURNED and seating.drawn for seating in found):
        caption += " A game that nobody won is an equal part for each of its seats there."
    if any(seating.kind == MIXED for seating in found):
        caption += (
            " With different policies whose seats were not turned round, seat and player cannot be told "
            "apart."
        )
    if capped:
        caption += " Games cut off: each range runs from none of them won to all of them won."
    return Table("Win share by seat", caption, headers, rows)


def _seat_row(seating: Seating, most: int, study: Study):
    under = names.under(seating.finding, study)
    yield Entry(seating.name, ", ".join(filter(None, [under, *_unnamed(seating.finding, seating.name)])))
    yield Entry("seats and players mixed" if seating.kind == MIXED else "seats", seating.kind)
    yield Entry(
        words.count(seating.games), f"x {seating.rotations} rotations" if seating.rotations > 1 else ""
    )
    for index in range(most):
        yield share_entry(seating.seats[index].share) if index < len(seating.seats) else Entry("–")
    yield Entry(f"{words.number(seating.fair * 100, 1)}{words.NBSP}%")
    yield _apart(seating)


def _apart(seating: Seating) -> Entry:
    """`fourth −1.1 points`, with the limits that hold for all seats together; every one that stands apart
    from an equal share.
    """
    found = [(names.seat(share.seat), *words.change(share.joint, 100)) for share in seating.apart]
    return Entry(
        "; ".join(f"{seat} {by} points" for seat, by, _ in found) or "none found",
        "; ".join(limits for *_, limits in found),
    )


def share_entry(interval: Interval) -> Entry:
    """`53.5 %` with `53.2–53.8 %; Wilson`."""
    limits = (
        [] if words.is_bounds(interval) or interval.estimate in (0, 1) else [words.share_limits(interval)]
    )
    odds = [words.one_in(interval)] if words.one_in(interval) else []
    return Entry(words.share(interval), "; ".join([*limits, *odds, interval.method.split(",")[0]]))


def points_entry(interval: Interval, method: bool = False) -> Entry:
    """`+3.5 points` with `+3.2 to +3.8`; of bounds only the limits."""
    text, limits = words.change(interval, 100)
    notes = [limits, *([interval.method.split(",")[0]] if method else [])]
    unit = "point" if text.lstrip("+−") == "1" else "points"
    return (
        Entry(f"{limits} points", "; ".join(notes[1:]))
        if words.is_bounds(interval)
        else Entry(f"{text} {unit}", "; ".join(notes))
    )


def cells(study: Study) -> Table | None:
    """One row a cell as it was seated: wins of each seat, counted."""
    most = max(len(finding.wins.seats) for finding in study.findings)
    rows = []
    for finding in study.findings:
        capped, drawn = finding.outcomes.capped, study.seats[finding.cell.id].drawn
        shares = ((seat.policy, proportion(seat.win, seat.wins)) for seat in finding.wins.seats)
        wins = [Entry(share.text, f"{policy}; {share.note}") for policy, share in shares] + [Entry("–")] * (
            most - len(finding.wins.seats)
        )
        counts = (Entry(words.count(drawn)), Entry(words.count(capped)))
        rows.append(
            (
                _name(finding, study),
                Entry(set_text(finding.cell) or "–"),
                Entry(words.count(finding.games)),
                *wins,
                *counts,
            )
        )
    headers = (
        NAME,
        "Changed setting",
        "Games",
        *(f"Won by the {names.seat(seat)}" for seat in range(most)),
        "Won by nobody",
        "Cut off",
    )
    caption = (
        f"Every cell as it was seated: shares of all games with {words.level(study.level)} intervals; each "
        "holds on its own."
    )
    return Table("Cell by cell", caption, headers, tuple(rows))


# ---------------------------------------------------------------- players


def skill(study: Study) -> Table | None:
    """One row a policy of a line-up."""
    rows = []
    for found in study.skills:
        for standing in found.standings:
            seats = f"{standing.places} of {found.line_up.seats}"
            numbers = (
                Entry(words.count(found.games), f"x {found.rotations} rotations"),
                Entry(seats),
                Entry(words.count(standing.wins)),
                share_entry(standing.share.interval),
            )
            rows.append(
                (
                    Entry(standing.policy, _where(found.line_up, study)),
                    *numbers,
                    points_entry(standing.advantage.interval),
                    Entry(words.count(found.capped)),
                )
            )
    if not rows:
        return None
    caption = (
        "Line-ups that sat in all their rotations, put together game number by game number. Share of games "
        "won by each seat that the policy took, with its"
    )
    caption += (
        f" {words.level(study.level)} interval (Student's t over game numbers; exact tails where few "
        "differ). Wins are of all rotations."
    )
    return Table(
        "Who plays better",
        caption,
        ("Policy", "Game numbers", "Seats", "Wins", "Wins a seat", "Against an equal share", "Cut off"),
        tuple(rows),
    )


def duels(study: Study) -> Table | None:
    """One row for every two policies of a line-up."""
    rows = []
    for found in study.skills:
        for duel in found.duels:
            numbers = (
                Entry(words.count(found.games)),
                points_entry(duel.difference.interval, method=True),
                *_errors(duel.difference),
                _factor(duel.factor),
            )
            rows.append((Entry(f"{duel.better} less {duel.other}", _where(found.line_up, study)), *numbers))
    if not rows:
        return None
    caption = (
        f"Difference of win shares a seat, game number by game number, with its {words.level(study.level)} "
        f"interval. {FACTOR} if each rotation had luck of its own."
    )
    headers = (
        "Difference",
        "Game numbers",
        "Points a seat",
        "Standard error",
        "In standard errors",
        "Pairing factor",
    )
    return Table("Who plays better, two by two", caption, headers, tuple(rows))


def _errors(estimate: Estimate) -> tuple[Entry, Entry]:
    if estimate.se is None or estimate.ses is None or words.is_bounds(estimate.interval):
        return Entry("–"), Entry("–")
    return Entry(f"{estimate.se * 100:.{words.digits_for(estimate.se * 100) + 1}f} points"), Entry(
        words.signed(estimate.ses, 1)
    )


def _factor(value: float | None) -> Entry:
    return Entry("–" if value is None else words.number(value, 2))


def _where(line_up, study: Study) -> str:
    finding = next(finding for finding in study.findings if finding.cell.id == line_up.cells[0].id)
    return ", ".join(filter(None, [line_up.name, names.under(finding, study)]))


# ---------------------------------------------------------------- settings


def effects(study: Study) -> Table | None:
    """One row a setting and measure."""
    rows = []
    for comparison in study.effects:
        apart = names.apart(comparison, study)
        for effect in comparison.effects:
            rows.append(
                (
                    Entry(sentence(names.change(comparison)), apart),
                    Entry(names.measure(effect.measure.kind, effect.measure.name, time(study))),
                    *_effect_row(effect),
                )
            )
    if not rows:
        return None
    games = sum(comparison.left_out for comparison in study.effects)
    caption = (
        "The same game numbers with and without the setting, compared game by game on common luck, with "
        f"{words.level(study.level)} intervals. p of no change, and"
    )
    caption += (
        f" adjusted for all {len(rows)} rows (Benjamini and Hochberg). {FACTOR} with luck of their own. "
        "Games that differ: in which the measure comes out otherwise at all."
    )
    if games:
        caption += " Game numbers that only one side has are left out."
    if any(comparison.capped for comparison in study.effects):
        caption += (
            " Games cut off count with the length they had reached; win shares run from none of them won to "
            "all of them won."
        )
    headers = (
        "Setting",
        "Effect on",
        "Game numbers",
        "Without",
        "With",
        "Difference",
        "p (adjusted)",
        "Pairing factor",
        "Games that differ",
    )
    return Table("What the settings change", caption, headers, tuple(rows))


def _effect_row(effect: Effect):
    scale = 1 if effect.measure.kind == "column" else 100
    unit = "" if scale == 1 else " points"
    yield Entry(words.count(effect.n))
    yield _level_entry(effect.base, scale)
    yield _level_entry(effect.changed, scale)
    difference = effect.difference.interval
    if effect.factor is None and not difference.estimate and difference.low == difference.high:
        yield Entry("none", "no game differs")
    else:
        text, limits = words.change(difference, scale)
        yield (
            Entry(f"{limits}{unit}", difference.method.split(",")[0])
            if words.is_bounds(difference)
            else Entry(f"{text}{unit}", f"{limits}; {difference.method}")
        )
    yield Entry(p_text(effect.difference.p), "" if effect.adjusted is None else p_text(effect.adjusted))
    yield _factor(effect.factor)
    yield share_entry(effect.differing)


def _level_entry(estimate: Estimate, scale: int) -> Entry:
    interval = estimate.interval
    if scale == 1:
        digits = words.digits_for(interval.half_width)
        return Entry(words.number(interval.estimate, digits), words.span(interval.low, interval.high, digits))
    digits = words.digits_for(interval.half_width * 100)
    limits = f"{words.span(interval.low * 100, interval.high * 100, digits)}{words.NBSP}%"
    return (
        Entry(limits)
        if words.is_bounds(interval)
        else Entry(f"{words.number(interval.estimate * 100, digits)}{words.NBSP}%", limits)
    )


def p_text(p: float) -> str:
    return "below 0.0001" if p < 0.0001 else f"{p:.2g}" if p < 0.1 else f"{p:.2f}"


# ---------------------------------------------------------------- places, the lead, length


def places(study: Study) -> Table | None:
    """One row a cell and seat, one column a place."""
    found = [
        (finding, study.eliminations[finding.cell.id])
        for finding in _ranked(study)
        if study.eliminations[finding.cell.id].places
    ]
    found = [(finding, elimination) for finding, elimination in found if elimination.seats > 2]
    if not found:
        return None
    most = max(elimination.seats for _, elimination in found)
    rows = []
    for finding, elimination in found:
        for seat in range(elimination.seats):
            mine = [place for place in elimination.places if place.seat == seat]
            shares = [proportion(place.share, place.games) for place in mine] + [Entry("–")] * (
                most - len(mine)
            )
            rows.append(
                (
                    Entry(f"The {names.seat(seat)}", names.label(finding, study)),
                    Entry(words.count(elimination.games)),
                    *shares,
                )
            )
    headers = ("Seat", "Games", "Wins", *(f"Place {place}" for place in range(2, most + 1)))
    caption = (
        "Share of all games in which a seat came to a place: place 1 wins, the last place of as many as play "
        "goes out first."
    )
    caption += f" {words.level(study.level)} intervals; each holds on its own."
    if any(elimination.undecided for _, elimination in found):
        caption += " Games that end with places open make each share a range."
    return Table("Places by seat", caption, headers, tuple(rows))


def out(study: Study) -> Table | None:
    """One row a cell: when somebody first goes out."""
    found = [(finding, study.eliminations[finding.cell.id]) for finding in _ranked(study)]
    rows = [
        (_name(finding, study), *_spread_row(ranked.first_out, study), share_entry(ranked.nobody_out))
        for finding, ranked in found
        if ranked.seats > 2 and ranked.first_out and ranked.nobody_out
    ]
    if not rows:
        return None
    what = sentence(time(study))
    caption = (
        f"{what} in which somebody first goes out, over the games in which one does. {_spread_note(study)}"
    )
    return Table(
        "When somebody first goes out",
        caption,
        (NAME, "Games", "Mean", "5 %", "Median", "95 %", "Nobody goes out"),
        tuple(rows),
    )


def lead(study: Study) -> Table | None:
    """One row a cell: how often the lead changes hands."""
    found = [(finding, study.eliminations[finding.cell.id]) for finding in _ranked(study)]
    rows = [
        (_name(finding, study), *_spread_row(ranked.lead_changes, study), share_entry(ranked.no_change))
        for finding, ranked in found
        if ranked.lead_changes and ranked.no_change
    ]
    if not rows:
        return None
    caption = f"How often the lead passes to another player in a game. {_spread_note(study)}"
    return Table(
        "Changes of the lead",
        caption,
        (NAME, "Games", "Mean", "5 %", "Median", "95 %", "Never changes"),
        tuple(rows),
    )


def _spread_note(study: Study) -> str:
    return f"{words.level(study.level)} intervals: Student t for means, order statistics for quantiles."


def _spread_row(spread: Spread, study: Study):
    quantiles = (
        Entry(words.number(q.estimate), "" if q.low == q.high else words.span(q.low, q.high))
        for q in spread.quantiles.values()
    )
    yield Entry(words.count(spread.games))
    yield Entry(*words.mean(spread.mean, study.level))
    yield from quantiles if spread.quantiles else [Entry("–")] * 3


def _ranked(study: Study) -> list[Finding]:
    return [finding for finding in study.findings if finding.cell.id in study.eliminations]


def lengths(study: Study) -> Table:
    found, what = all_lengths(study), sentence(f"{time(study)}s")
    rows = tuple(
        (_name(finding, study), *row[1:]) for finding, row in zip(study.findings, found.rows, strict=True)
    )
    return Table(
        found.title,
        found.caption.replace("Turns", what, 1),
        (NAME, *(header.replace("Turns", what) for header in found.headers[1:])),
        rows,
    )


def _name(finding: Finding, study: Study) -> Entry:
    label = names.label(finding, study)
    return Entry(label, ", ".join(_unnamed(finding, label)))


def _unnamed(finding: Finding, label: str) -> list[str]:
    return [part for part in finding.rests_on if part not in label]
