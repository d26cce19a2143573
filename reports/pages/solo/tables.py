"""Every number of a report on a player against the game, in tables."""

from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Table
from bartizan.reports.pages.parts import lengths, loss_causes, names, scores
from bartizan.reports.study import Finding, Study
from bartizan.reports.text import words
from bartizan.reports.text.cell_names import set_text

NAME = "Level and player"
QUARTERS = 4  # of the longest game: by when it is lost


def all_tables(study: Study) -> list[Table]:
    """The tables this study has something to say in."""
    found = [_outcomes(study), _tiers(study), _scores(study), _losses(study), _causes(study), _lengths(study)]
    return [table for table in found if table and table.rows]


def _name(finding: Finding) -> Entry:
    return Entry(finding.name, ", ".join(names.unnamed(finding, finding.name)))


# ---------------------------------------------------------------- won, drawn, lost


def _outcomes(study: Study) -> Table:
    """Win, draw, loss: one row a cell."""
    capped = any(finding.wins.first.capped for finding in study.findings)
    changed = any(set_text(finding.cell) for finding in study.findings)
    rows = [_outcome_row(finding) for finding in study.findings]
    told = {"Changed setting": changed, "Cut off": capped}
    headers = tuple(header for header in rows[0] if told.get(header, True))
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
    """Header -> entry."""
    seat = finding.wins.first
    return {
        NAME: _name(finding),
        "Changed setting": Entry(set_text(finding.cell) or "–"),
        "Games": entries.count(seat.games),
        "Won": entries.proportion(seat.win, seat.wins),
        "Drawn": entries.proportion(seat.draw, seat.draws),
        "Lost": entries.proportion(seat.loss, seat.losses),
        "Cut off": entries.count(seat.capped),
    }


# ---------------------------------------------------------------- tiers and scores


def _tiers(study: Study) -> Table | None:
    """One row a cell, one column a tier."""
    findings = [finding for finding in study.findings if finding.scores.tiers]
    if not findings:
        return None
    tiers = list(dict.fromkeys(tier.name for finding in findings for tier in finding.scores.tiers))
    labels = tier_labels(study.tiers, study.tier_levels)
    caption = (
        f"Shares of all games. The {words.level(study.level)} intervals of a row hold together (Goodman)."
    )
    return Table(
        "Victory tiers",
        caption,
        (NAME, "Games", *(words.title(labels.get(name, name)) for name in tiers)),
        tuple(_tier_row(finding, tiers) for finding in findings),
    )


def _tier_row(finding: Finding, tiers: list[str]) -> tuple[Entry, ...]:
    shares = {tier.name: entries.proportion(tier.share, tier.games) for tier in finding.scores.tiers}
    return (_name(finding), entries.count(finding.games), *(shares.get(name, Entry("0")) for name in tiers))


def tier_labels(tiers: dict[str, int], levels: dict[str, str]) -> dict[str, str]:
    """Tier -> name with its level of victory and its scores: `Silver Star, minor victory (10–19)`.

    `tiers`: best first.
    """
    labels, above = {}, None
    for index, (name, least) in enumerate(tiers.items()):
        scores = _scores_of(least, above, is_last=index == len(tiers) - 1)
        labels[name] = f"{with_level(name, levels.get(name, ''))} ({scores})"
        above = least
    return labels


def _scores_of(least: int, above: int | None, is_last: bool) -> str:
    """`20+`, `10–19`, `9 or less`; above: the least score of the next better tier."""
    if above is None:
        return f"{least}+"
    if is_last:
        return f"{above - 1} or less"
    return f"{least}–{above - 1}" if least < above - 1 else f"{least}"


def with_level(name: str, level: str) -> str:
    """`Silver Star, minor victory`; the name alone where the game has no levels of victory."""
    return f"{name}, {level}" if level else name


def _scores(study: Study) -> Table:
    """One row a cell: the scores of the games that have one."""
    scored = [finding for finding in study.findings if finding.scores.values]
    rows = tuple((_name(finding), *scores.row(finding.scores, study)) for finding in scored)
    headers = (NAME, "Games with a score", *scores.NUMBERS)
    return Table("Scores", scores.caption(study), headers, rows)


# ---------------------------------------------------------------- losses, length


def _losses(study: Study) -> Table:
    """One row a cell: share of games lost by certain turns; the band holds for all turns together."""
    last = max(turn.turn for finding in study.findings for turn in finding.losses.turns)
    marks = sorted({max(round(last * part / QUARTERS), 1) for part in range(1, QUARTERS + 1)})
    rows = tuple(_loss_row(finding, marks) for finding in study.findings if finding.losses.lost)
    caption = (
        f"Share of all games lost by the end of a turn; the {words.level(study.level)} limits hold for all "
        "turns at once (Dvoretzky-Kiefer-Wolfowitz band)."
    )
    return Table("Lost by turn", caption, (NAME, "Games lost", *(f"By turn {mark}" for mark in marks)), rows)


def _loss_row(finding: Finding, marks: list[int]) -> tuple[Entry, ...]:
    return (_name(finding), entries.count(finding.losses.lost), *(_lost_by(finding, mark) for mark in marks))


def _lost_by(finding: Finding, mark: int) -> Entry:
    reached = [turn for turn in finding.losses.turns if turn.turn <= mark]
    if not reached:
        return Entry("0")
    interval = reached[-1].lost_by
    digits = words.digits_for(interval.half_width * 100)
    return Entry(f"{interval.estimate * 100:.{digits}f}{words.NBSP}%", words.share_limits(interval))


def _causes(study: Study) -> Table:
    """One row a cell: the commonest causes of its lost games."""
    losing = [finding for finding in study.findings if finding.losses.causes]
    rows = tuple((_name(finding), *loss_causes.row(finding.losses)) for finding in losing)
    return Table("How games are lost", loss_causes.caption(study), (NAME, *loss_causes.HEADERS), rows)


def _lengths(study: Study) -> Table:
    rows = tuple((_name(finding), *lengths.row(finding, study)) for finding in study.findings)
    return Table("Length", lengths.caption("Turns", study), lengths.headers(NAME, "Turns"), rows)
