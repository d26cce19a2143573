"""Every number in tables: the same rows for the page, for Markdown and for print.

A cell of a table is a text with a smaller note.
"""

from dataclasses import dataclass

from bartizan.analyses.statistics.intervals import Interval, Mean
from bartizan.reports.study import Finding, Study, set_text
from bartizan.reports.text import words

NAME = "Level and player"


@dataclass(frozen=True)
class Entry:
    text: str
    note: str = ""

    def __str__(self) -> str:
        return f"{self.text} ({self.note})" if self.note else self.text


@dataclass(frozen=True)
class Table:
    title: str
    caption: str  # what is estimated, by which method
    headers: tuple[str, ...]  # the first column names the row
    rows: tuple[tuple[Entry, ...], ...]


def all_tables(study: Study) -> list[Table]:
    """The tables this study has something to say in."""
    tables = [outcomes(study), tiers(study), scores(study), losses(study), causes(study), lengths(study)]
    return [table for table in tables if table and table.rows]


def outcomes(study: Study) -> Table:
    """Win, draw, loss: one row a cell."""
    rows = [_outcome_row(finding) for finding in study.findings]
    capped = any(finding.wins.first.capped for finding in study.findings)
    changed = any(set_text(finding.cell) for finding in study.findings)
    headers = (
        NAME,
        *(["Changed setting"] if changed else []),
        "Games",
        "Won",
        "Drawn",
        "Lost",
        *(["Cut off"] if capped else []),
    )
    caption = f"Shares of all games with {words.level(study.level)} intervals; each holds on its own."
    if capped:
        caption += (
            " Games cut off by the limit on decisions count as neither: each range runs from none of them to "
            "all of them."
        )
    return Table(
        "Won, drawn, lost", caption, headers, tuple(tuple(row[header] for header in headers) for row in rows)
    )


def _outcome_row(finding: Finding) -> dict[str, Entry]:
    seat = finding.wins.first
    shares = (
        proportion(interval, n)
        for interval, n in ((seat.win, seat.wins), (seat.draw, seat.draws), (seat.loss, seat.losses))
    )
    return {
        NAME: _name(finding),
        "Changed setting": Entry(set_text(finding.cell) or "–"),
        "Games": Entry(words.count(seat.games)),
        **dict(zip(("Won", "Drawn", "Lost"), shares, strict=True)),
        "Cut off": Entry(words.count(seat.capped)),
    }


def tiers(study: Study) -> Table | None:
    """One row a cell, one column a tier."""
    findings = [finding for finding in study.findings if finding.scores.tiers]
    names = list(dict.fromkeys(tier.name for finding in findings for tier in finding.scores.tiers))
    if not findings:
        return None
    rows = []
    for finding in findings:
        shares = {tier.name: proportion(tier.share, tier.games) for tier in finding.scores.tiers}
        rows.append(
            (
                Entry(finding.name, ", ".join(_unnamed(finding))),
                Entry(words.count(finding.games)),
                *(shares.get(name, Entry("0")) for name in names),
            )
        )
    labels = tier_labels(study.tiers, study.tier_levels)
    caption = (
        f"Shares of all games. The {words.level(study.level)} intervals of a row hold together (Goodman)."
    )
    return Table(
        "Victory tiers",
        caption,
        (NAME, "Games", *(words.title(labels.get(name, name)) for name in names)),
        tuple(rows),
    )


def tier_labels(tiers: dict[str, int], levels: dict[str, str]) -> dict[str, str]:
    """Tier -> name with its level of victory and its scores: `Silver Star, minor victory (10–19)`.

    `tiers`: best first.
    """
    labels, above = {}, None
    for index, (name, least) in enumerate(tiers.items()):
        is_last = index == len(tiers) - 1
        if above is None:
            scores = f"{least}+"
        elif is_last:
            scores = f"{above - 1} or less"
        else:
            scores = f"{least}–{above - 1}" if least < above - 1 else f"{least}"
        labels[name] = f"{with_level(name, levels.get(name, ''))} ({scores})"
        above = least
    return labels


def with_level(name: str, level: str) -> str:
    """`Silver Star, minor victory`; the name alone where the game has no levels of victory."""
    return f"{name}, {level}" if level else name


def scores(study: Study) -> Table | None:
    """One row a cell: the scores of the games that have one."""
    findings = [finding for finding in study.findings if finding.scores.values]
    rows = []
    for finding in findings:
        score = finding.scores
        quantiles = (_quantile(score.quantiles[q]) for q in (5, 25, 50, 75, 95))
        spread = Entry("–" if score.mean.sd is None else f"{score.mean.sd:.1f}")
        ends = Entry(f"{words.number(score.values[0])} to {words.number(score.values[-1])}")
        rows.append(
            (
                _name(finding),
                Entry(words.count(score.mean.n)),
                _mean(score.mean, study),
                spread,
                *quantiles,
                ends,
            )
        )
    headers = (
        NAME,
        "Games with a score",
        "Mean",
        "Spread (sd)",
        "5 %",
        "25 %",
        "Median",
        "75 %",
        "95 %",
        "Least to greatest",
    )
    caption = f"Only games that ended with a score. {_interval_note(study)}"
    return Table("Scores", caption, headers, tuple(rows))


def losses(study: Study) -> Table | None:
    """One row a cell: share of games lost by certain turns, with the band that holds
    for all turns together.
    """
    turns = [turn.turn for finding in study.findings for turn in finding.losses.turns]
    marks = sorted({max(round(max(turns) * part / 4), 1) for part in (1, 2, 3, 4)})
    rows = []
    for finding in study.findings:
        if finding.losses.lost:
            rows.append(
                (
                    _name(finding),
                    Entry(words.count(finding.losses.lost)),
                    *(_lost_by(finding, mark) for mark in marks),
                )
            )
    caption = (
        f"Share of all games lost by the end of a turn; the {words.level(study.level)} limits hold for all "
        "turns at once (Dvoretzky-Kiefer-Wolfowitz band)."
    )
    return Table(
        "Lost by turn", caption, (NAME, "Games lost", *(f"By turn {mark}" for mark in marks)), tuple(rows)
    )


def _lost_by(finding: Finding, mark: int) -> Entry:
    reached = [turn for turn in finding.losses.turns if turn.turn <= mark]
    if not reached:
        return Entry("0")
    interval = reached[-1].lost_by
    return Entry(
        f"{interval.estimate * 100:.{words.digits_for(interval.half_width * 100)}f}\u00a0%",
        words.share_limits(interval),
    )


def causes(study: Study) -> Table | None:
    """One row a cell: the commonest causes of its lost games."""
    rows = []
    for finding in study.findings:
        found = finding.losses.causes
        top = [
            Entry(cause.name, f"{words.share_with_limits(cause.share)}, {words.count(cause.games)} games")
            for cause in found[:4]
        ]
        if top:
            rest = sum(cause.games for cause in found[4:])
            rows.append(
                (
                    _name(finding),
                    Entry(words.count(finding.losses.lost)),
                    *(top + [Entry("–")] * (4 - len(top))),
                    Entry(words.count(rest)),
                )
            )
    caption = (
        f"Shares of the lost games; the {words.level(study.level)} intervals of a row hold together "
        "(Goodman)."
    )
    headers = (NAME, "Games lost", "Commonest cause", "Second", "Third", "Fourth", "All others")
    return Table("How games are lost", caption, headers, tuple(rows))


def lengths(study: Study) -> Table:
    rows = []
    for finding in study.findings:
        length = finding.length
        turns = (_mean(length.turns, study), *(_quantile(length.quantiles[q]) for q in (5, 50, 95)))
        rows.append(
            (
                _name(finding),
                Entry(words.count(finding.games)),
                *turns,
                Entry(f"{length.values[0]} to {length.values[-1]}"),
                _mean(length.plies, study),
            )
        )
    headers = (
        NAME,
        "Games",
        "Turns, mean",
        "5 %",
        "Median",
        "95 %",
        "Shortest to longest",
        "Decisions, mean",
    )
    return Table(
        "Length", f"Turns played and decisions made in a game. {_interval_note(study)}", headers, tuple(rows)
    )


def measures(study: Study) -> list[Table]:
    """Means of everything else the game records, one table a level, one column a player and variant."""
    tables = []
    for level, findings in study.levels.items():
        names = list(dict.fromkeys(name for finding in findings for name in finding.means.columns))
        rows = [
            (Entry(words.plain(name)), *(_measure(finding, name, study) for finding in findings))
            for name in names
        ]
        caption = (
            f"Mean of every recorded number over all games that have it, with its {words.level(study.level)} "
            "interval (Student t)."
        )
        tables.append(
            Table(
                level,
                caption,
                ("Measure", *(f"{f.who} (n = {words.count(f.games)})" for f in findings)),
                tuple(rows),
            )
        )
    return tables


def _measure(finding: Finding, name: str, study: Study) -> Entry:
    value = finding.means.columns.get(name)
    if value is None:
        return Entry("–")
    entry = _mean(value, study)
    return (
        entry
        if value.n == finding.games
        else Entry(entry.text, f"{entry.note}, n = {words.count(value.n)}".lstrip(", "))
    )


# ---------------------------------------------------------------- entries


def proportion(interval: Interval, n: int) -> Entry:
    """`31.7 %` with `6,342 games; 31.1–32.3 %; Wilson`. A bound carries its range in the text already."""
    parts = [f"{words.count(n)} {'game' if n == 1 else 'games'}"]
    if not words.is_bounds(interval) and interval.estimate not in (0, 1):
        parts.append(words.share_limits(interval))
    if odds := words.one_in(interval):
        parts.append(odds)
    if interval.method != "Goodman":  # the caption says it for the whole table
        parts.append(interval.method.split(",")[0])
    return Entry(words.share(interval), "; ".join(parts))


def _name(finding: Finding) -> Entry:
    return Entry(finding.name, ", ".join(_unnamed(finding)))


def _unnamed(finding: Finding) -> list[str]:
    """Assumptions every result must carry that the cell's name does not say yet."""
    return [part for part in finding.rests_on if part not in finding.name]


def _quantile(interval: Interval) -> Entry:
    note = "" if interval.low == interval.high else words.span(interval.low, interval.high)
    return Entry(words.number(interval.estimate), note)


def _mean(value: Mean, study: Study) -> Entry:
    return Entry(*words.mean(value, study.level))


def _interval_note(study: Study) -> str:
    return (
        f"{words.level(study.level)} intervals: Student t for means, order statistics for quantiles; no "
        "interval is shown where both limits equal the quantile."
    )
