"""How a free-for-all goes: what ends the games and when, who goes out first, how often the lead changes."""

from collections.abc import Iterator, Mapping

from bartizan.analyses.records.outcomes import Elimination, Ending, Spread
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Figure, Paragraph, Table, View, paragraph
from bartizan.reports.entries import NONE
from bartizan.reports.figures import bars
from bartizan.reports.figures.theme import CLEAR, CUT_OFF_COLOUR
from bartizan.reports.pages.free_for_all import seats
from bartizan.reports.pages.free_for_all.seats import main_finding
from bartizan.reports.pages.parts import names, outcomes, record
from bartizan.reports.pages.parts.outcomes import CUT_OFF, ONE_ROTATION
from bartizan.reports.study import Finding, Study
from bartizan.reports.text import words

# ---------------------------------------------------------------- what ends the games

ENDS = "How games end"


def reasons(study: Study) -> list[str]:
    """Those that happened anywhere, commonest first."""
    games: dict[str, int] = {}
    for finding in study.findings:
        for ending in study.endings[finding.cell.id]:
            games[ending.name] = games.get(ending.name, 0) + ending.games
    return sorted(games, key=lambda name: -games[name])


def ends_answer(study: Study) -> Paragraph | None:
    if len(reasons(study)) < 2:
        return None
    return paragraph("How do games end?", _ends_sentences(main_finding(study), study))


def _ends_sentences(quoted: Finding, study: Study) -> Iterator[str]:
    """First the setting that is quoted, then how often nobody wins in the others."""
    parts = [
        f"{words.share_with_limits(ending.share)} {_called(ending)}"
        for ending in study.endings[quoted.cell.id]
    ]
    yield f"Of {words.count(quoted.games)} games ({names.plain_label(quoted, study)}) {words.listing(parts)}."
    others = [finding for finding in study.findings if finding is not quoted]
    if any(finding.outcomes.draw.games for finding in others):
        least, most = words.ends(others, key=lambda finding: finding.outcomes.draw.games / finding.games)
        low, high = (
            f"{words.share_with_limits(each.outcomes.draw.share)} ({names.plain_label(each, study)})"
            for each in (least, most)
        )
        yield f"Draws elsewhere: {high if least is most else f'from {low} to {high}'}."


def _called(ending: Ending) -> str:
    """`end by "turn limit", a draw`"""
    some = f" ({words.count(ending.drawn)} of them drawn)" if ending.drawn else ""
    return f"end by “{ending.name}”{', a draw' if ending.is_draw else some}"


def ends_section(study: Study) -> View:
    """Bars of who wins, with the draws; none where every game is won by somebody."""
    if not any(finding.outcomes.draw.games for finding in study.findings):
        return View(title=ENDS)
    caption = (
        "Shares of all games, each line-up as it was seated. A dark line where the colour changes is the "
        f"{words.CONFIDENCE} interval of the share up to there. What ends the games, and how often, "
        "is in the table."
    )
    figure = outcomes.outcome_figure("", study.findings[: outcomes.MOST], study)
    rest = max(len(study.findings) - outcomes.MOST, 0)
    legend = outcomes.outcome_legend(study)
    return View(title=ENDS, caption=caption, blocks=(figure,), legend=legend, left_out=rest)


def ends_table(study: Study) -> Table | None:
    """One row a cell, one column a reason."""
    columns = reasons(study)
    if len(columns) < 2:
        return None
    caption = (
        f"Shares of all games. The {words.CONFIDENCE} intervals of the ends of a row hold together "
        "(Goodman unless named); that of the draws holds on its own."
    )
    headers = (names.header(study), "Games", *map(words.title, columns), "Draws, however they end")
    rows = []
    for finding in study.findings:
        shares = {
            each.name: entries.proportion(each.share, each.games) for each in study.endings[finding.cell.id]
        }
        rows.append(
            (
                Entry(names.label(finding, study)),
                entries.count(finding.games),
                *(shares.get(name, Entry("0")) for name in columns),
                entries.proportion(finding.outcomes.draw.share, finding.outcomes.draw.games),
            )
        )
    return Table(ENDS, caption, headers, tuple(rows))


# ---------------------------------------------------------------- numbers that spread over the games

NUMBERS = ("Games", "Mean", "5 %", "Median", "95 %")
NOTE = f"{words.CONFIDENCE} intervals: Student t for means, order statistics for quantiles."


def spread_section(
    title: str,
    caption: str,
    unit: str,
    colour: str,
    cells: Mapping[str, Spread | None],
    study: Study,
    truncated: Mapping[str, int] | None = None,
) -> View:
    """Bars, a figure for each cell, all with the same axes. cells: cell id -> what spreads, if anything;
    truncated: cell id -> games without a value, which have a bar apart.
    """
    spreads = {cell: spread for cell, spread in cells.items() if spread and spread.values}
    if not spreads:
        return View(title=title)
    span = bars.robust_span((spread.values, spread.counts) for spread in spreads.values())
    width, cut = bars.width_for(span), truncated or {}
    games = {cell: spread.games + cut.get(cell, 0) for cell, spread in spreads.items()}
    heights = {
        cell: bars.shares(spread.values, spread.counts, width, span[1], games[cell])
        for cell, spread in spreads.items()
    }
    asides = {cell: _asides(spread, span[1], games[cell], colour) for cell, spread in spreads.items()}
    highest = max(max(shares.values()) for shares in heights.values())
    highest = max(highest, *(bar.share for aside in asides.values() for bar in aside), 0.0)
    labels = {finding.cell.id: names.label(finding, study) for finding in study.findings}
    figures = []
    for cell, spread in spreads.items():
        label = f"{labels[cell]}: median {words.whole(spread.quantiles[50])}"
        note = f"{words.count(spread.games)} games; mean {words.mean(spread.mean)[0]}"
        note += "".join(f"; {bar.label} {unit}: {words.percent(bar.share, 2)}" for bar in asides[cell][:1])
        if n := cut.get(cell):
            note += f"; {words.count(n)} more truncated"
        shown = {colour: heights[cell]}
        beyond = (*asides[cell], *_truncated_bar(n or 0, games[cell]))
        picture = bars.Histogram(shown, span, highest, unit, width, "of these games", beyond=beyond)
        figures.append(Figure(label, picture, note))
    each = f" Each bar holds {width} {unit}." if width > 1 else ""
    if any(asides.values()):
        each += " Behind the dashed line one bar holds all games beyond the axis."
    caption = (
        f"{caption}{each}{ONE_ROTATION if study.skills else ''} In brackets the {words.CONFIDENCE} interval "
        "of the median (order statistics)."
    )
    return View(title=title, caption=caption, blocks=tuple(figures))


def _asides(spread: Spread, end: int, games: int, colour: str) -> tuple[bars.Beyond, ...]:
    """The values beyond the end of the axis, in one bar."""
    over = sum(n for value, n in zip(spread.values, spread.counts, strict=True) if value > end)
    return (bars.Beyond(f"{words.count(end + 1)}+", colour, over / games),) if over else ()


def _truncated_bar(truncated: int, games: int) -> tuple[bars.Beyond, ...]:
    return (bars.Beyond(CUT_OFF, CUT_OFF_COLOUR, truncated / games),) if truncated else ()


# ---------------------------------------------------------------- how long they take

FEW = 3  # settings told one by one


def length_sentences(study: Study) -> Iterator[str]:
    first, time = main_finding(study), names.time(study)
    where = f" ({names.plain_label(first, study)})" if len(study.findings) > 1 else ""
    if first.length.ended.values:
        of = words.count(first.length.ended.games)
        yield f"{words.sentence(_half(first, time))}{where}, of {of} games that ended."
    yield from record.truncated_sentences(first, study)
    others = [
        other
        for other in study.findings
        if other is not first and other.player == first.player and other.length.ended.values
    ]
    if len(others) <= FEW:
        yield from (f"{names.label(finding, study)}: {_half(finding, time)}." for finding in others)
    else:  # from the shortest to the longest median
        least, most = (
            f"{time} {words.whole(each.length.ended.quantiles[50])} "
            f"({', '.join(names.settings(each, study))})"
            for each in words.ends(others, key=lambda finding: finding.length.ended.quantiles[50].estimate)
        )
        yield f"With other settings half of the games are over by {least} to {most}."
    if len(study.findings) > 1 + len(others):
        yield "The table below has every cell."


def _half(finding: Finding, time: str) -> str:
    """Median and the middle nine tenths."""
    quantiles = finding.length.ended.quantiles
    ends = f"9 in 10 between {time} {words.whole(quantiles[5])} and {time} {words.whole(quantiles[95])}"
    return f"half of the games are over by {time} {words.whole(quantiles[50])}, {ends}"


def length_section(study: Study) -> View:
    time = f"{names.time(study)}s"
    caption = f"How many {time} a game takes, as a share of all games."
    if any(finding.length.capped for finding in study.findings):
        caption += (
            " Games truncated at the limit on decisions have a bar of their own: how long they would have "
            "been is unknown, and no mean or median counts them."
        )
    lengths = {finding.cell.id: finding.length.ended for finding in study.seated_once}
    truncated = {finding.cell.id: finding.length.capped for finding in study.seated_once}
    return spread_section("Length", caption, time, CLEAR, lengths, study, truncated)


# ---------------------------------------------------------------- who goes out first, and changes of the lead

OUT, LEAD = "#c8553d", "#029e73"
FIRST_TITLE = "Who goes out first"
WHEN_TITLE = "When somebody first goes out"
LEAD_TITLE = "Changes of the lead"


def _ranked(findings: tuple[Finding, ...], study: Study) -> list[tuple[Finding, Elimination]]:
    """Those that record who goes out."""
    return [(f, study.eliminations[f.cell.id]) for f in findings if f.cell.id in study.eliminations]


def out_answer(study: Study) -> Paragraph | None:
    """Of two players the first to go out is the loser: there is nothing to say."""
    for finding in (main_finding(study), *study.findings):
        ranks = study.eliminations.get(finding.cell.id)
        if ranks and ranks.seats > 2 and ranks.first_out and ranks.first_out.games:
            return paragraph(f"{FIRST_TITLE}, and when?", _goes_out(ranks, ranks.first_out, finding, study))
    return None


def _goes_out(ranks: Elimination, first: Spread, finding: Finding, study: Study) -> Iterator[str]:
    start = f"In half of the games somebody is out by {names.time(study)} {words.whole(first.quantiles[50])}"
    yield (
        f"{start} ({names.plain_label(finding, study)}), over {words.count(first.games)} games in "
        "which somebody goes out."
    )
    if ranks.places:
        parts = [
            f"the {names.seat(place.seat)} {words.share_with_limits(place.share)}"
            for place in ranks.first_to_go()
        ]
        yield f"First to go out, by seat: {words.listing(parts)} of {words.count(ranks.games)} games."
    if ranks.nobody_out and ranks.nobody_out.estimate:
        yield f"In {words.share_with_limits(ranks.nobody_out)} of all games nobody goes out."


def lead_answer(study: Study) -> Paragraph | None:
    finding = main_finding(study)
    ranks = study.eliminations.get(finding.cell.id)
    if not ranks or not ranks.lead_changes or not ranks.lead_changes.games or not ranks.no_change:
        return None
    spread = ranks.lead_changes
    mean, limits = words.mean(spread.mean)
    often = (
        f"The lead changes hands {mean} times a game ({limits}), {words.whole(spread.quantiles[50])} in the "
        f"median one ({names.plain_label(finding, study)}); over {words.count(spread.games)} games."
    )
    never = f"It never does in {words.share_with_limits(ranks.no_change)} of them."
    return paragraph("Does the lead change?", [often, never])


def out_sections(study: Study) -> list[View]:
    ranked, time = _ranked(study.seated_once, study), names.time(study)
    first_out = {f.cell.id: ranks.first_out for f, ranks in ranked if ranks.seats > 2}
    when = f"The {time} in which somebody first goes out, as a share of the games in which one does."
    changes = {f.cell.id: ranks.lead_changes for f, ranks in ranked}
    often = "How often the lead passes to another player in a game, as a share of all games."
    return [
        _first_section(study),
        spread_section(WHEN_TITLE, when, time, OUT, first_out, study),
        spread_section(LEAD_TITLE, often, "changes of the lead", LEAD, changes, study),
    ]


def _first_section(study: Study) -> View:
    shown = [(f, ranks) for f, ranks in _ranked(study.seated_once, study) if ranks.seats > 2 and ranks.places]
    # else it is the players' doing as much as the seats'
    shown = [(finding, ranks) for finding, ranks in shown if study.seats[finding.cell.id].mirror] or shown
    if not shown:
        return View(title=FIRST_TITLE)
    places = [ranks.first_to_go() for _, ranks in shown]
    ends = seats.share_axis(
        (place.share for row in places for place in row), (1 / len(row) for row in places)
    )
    caption = (
        f"How often each seat is the first to go out, with its {words.CONFIDENCE} interval; the dashed line "
        "is an equal share."
    )
    figures = tuple(_first_figure(finding, ranks, ends, study) for finding, ranks in shown)
    return View(title=FIRST_TITLE, caption=caption, blocks=figures)


def _first_figure(finding: Finding, ranks: Elimination, ends: tuple[float, float], study: Study) -> Figure:
    """ends: of the axis."""
    places, label = ranks.first_to_go(), names.label(finding, study)
    rows = [
        seats.share_row(words.sentence(names.seat(place.seat)), (seats.share_point(place.share, OUT),))
        for place in places
    ]
    mixed = "" if study.seats[finding.cell.id].mirror else "; different policies"
    note = f"{words.count(finding.games)} games{mixed}"
    return seats.share_figure(label, rows, "of all games", ends, 1 / len(places), note)


def places(study: Study) -> Table | None:
    """One row a cell and seat, one column a place."""
    ranked = [(f, ranks) for f, ranks in _ranked(study.findings, study) if ranks.places and ranks.seats > 2]
    if not ranked:
        return None
    most = max(ranks.seats for _, ranks in ranked)
    rows = []
    for finding, ranks in ranked:
        for seat in range(ranks.seats):
            shares = [
                entries.proportion(each.share, each.games) for each in ranks.places if each.seat == seat
            ]
            place = Entry(f"The {names.seat(seat)}", names.label(finding, study))
            rows.append((place, entries.count(ranks.games), *shares, *[NONE] * (most - len(shares))))
    headers = ("Seat", "Games", "Wins", *(f"Place {place}" for place in range(2, most + 1)))
    caption = (
        "Share of all games in which a seat came to a place: place 1 wins, the last place of as many as play "
        f"goes out first. {words.CONFIDENCE} intervals; each holds on its own."
    )
    if any(ranks.undecided for _, ranks in ranked):
        caption += " Games that end with places open make each share a range."
    return Table("Places by seat", caption, headers, tuple(rows))


def out(study: Study) -> Table:
    """One row a cell: when somebody first goes out."""
    rows = tuple(
        (names.row_name(f, study), *spread_row(ranks.first_out), entries.share(ranks.nobody_out))
        for f, ranks in _ranked(study.findings, study)
        if ranks.seats > 2 and ranks.first_out and ranks.nobody_out
    )
    caption = (
        f"{words.sentence(names.time(study))} in which somebody first goes out, over the games in which one "
        f"does. {NOTE}"
    )
    return Table(WHEN_TITLE, caption, (names.header(study), *NUMBERS, "Nobody goes out"), rows)


def spread_row(spread: Spread) -> Iterator[Entry]:
    yield entries.count(spread.games)
    yield entries.mean(spread.mean)
    yield from map(entries.quantile, spread.quantiles.values()) if spread.quantiles else [NONE] * 3


def lead(study: Study) -> Table:
    """One row a cell: how often the lead changes hands."""
    rows = tuple(
        (names.row_name(f, study), *spread_row(ranks.lead_changes), entries.share(ranks.no_change))
        for f, ranks in _ranked(study.findings, study)
        if ranks.lead_changes and ranks.no_change
    )
    caption = f"How often the lead passes to another player in a game. {NOTE}"
    return Table(LEAD_TITLE, caption, (names.header(study), *NUMBERS, "Never changes"), rows)
