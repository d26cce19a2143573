"""A page of a game for one player, or for players together, against the game: how hard is it?"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise, takewhile

from bartizan.analyses.records import comparison
from bartizan.analyses.records.outcomes import Spread
from bartizan.analyses.statistics.intervals import Interval, with_truncated, without_limits
from bartizan.analyses.statistics.testing import jointly
from bartizan.reports import entries
from bartizan.reports.blocks import (
    Band,
    Chart,
    ChartMark,
    Entry,
    Figure,
    FigureGroup,
    Method,
    Paragraph,
    Shape,
    Table,
    Track,
    View,
    paragraph,
    share_mark,
)
from bartizan.reports.figures import curves, dots, theme
from bartizan.reports.pages.parts import certainty, measured, names, outcomes, record
from bartizan.reports.pages.parts.certainty import is_unclear, never_came_up
from bartizan.reports.study import Finding, Study, leading, main_findings
from bartizan.reports.text import differences, words
from bartizan.reports.text.cell_names import grouped
from bartizan.reports.views import bracket, people_skill

NAMED = 3  # policies named after the best one
MOST_MARKS = 4  # policies in a row of the picture that answers
HOPELESS = 0.005  # who wins less everywhere is told in one line
NAME = 52  # letters of a player in the key of a figure
BARS = "A bar for every score, as a share of all games."
HOLLOW = " Hollow dots: the same policy with another reading or setting."

Colours = dict[str, str]  # of the players


def methods(study: Study) -> list[Method]:
    """Every method that the page uses."""
    used = [("Win, draw and loss rates", certainty.share_method(study)), *certainty.truncated(study)]
    if any(finding.scores.tiers or finding.losses.causes for finding in study.findings):
        used.append(("Victory tiers, causes of loss", certainty.GOODMAN))
    used += [*certainty.MEANS, (f"Lost by {names.time(study)}", certainty.DKW)]
    several = [("Differences of win rates", certainty.difference_method(study)), certainty.SEVERAL]
    return [*used, *several] if len(study.findings) > 1 else used


# ================================================================ the picture that answers


def picks(study: Study) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """What a reader may pick, so that all pictures follow."""
    kinds = (("level", tuple(study.levels)), ("player", tuple(study.players)))
    return () if study.is_contest else tuple((kind, names) for kind, names in kinds if len(names) > 1)


def chart(study: Study) -> Chart:
    """The levels as rows: who wins how often, from a newcomer to the best play found."""
    if study.is_about_length:
        return _length_chart(study)
    known = {
        row["scenario_hash"]: bracket.MeasuredBracket.read(row) for row in measured.brackets_of_study(study)
    }
    hopeless, tracks = _hopeless(study), []
    for findings in study.levels.values():
        mains = main_findings(findings)
        variants = grouped([each for each in findings if each not in mains], lambda each: each.variant)
        for index, cells in enumerate((mains, *variants.values())):
            best = _best(cells)
            shown = sorted((each for each in cells if each.player not in hopeless), key=_win_rate)[
                -MOST_MARKS:
            ]
            own = [_mark(each, "own" if each is best else "other") for each in shown]
            own += [] if index else _people(study, best)
            marks = bracket.marks(known.get(best.cell.scenario_hash), own)
            under = ", ".join(dict.fromkeys(filter(None, (best.variant, *best.rests_on))))
            tracks.append(Track(best.level, marks, under, _band(study, best)))
    shares = [mark.interval for track in tracks for mark in track.marks]
    ends = (0.0, curves.axis_end(shares))
    return Chart(
        _difficulty(study, tracks), tuple(tracks), "games won", ends, notes=tuple(_left_out(study, hopeless))
    )


def _mark(finding: Finding, shape: Shape) -> ChartMark:
    about = finding.cell.policies[0].get("about", "")
    return share_mark(finding.player, finding.wins.first.win, finding.games, shape, about)


def _people(study: Study, best: Finding) -> Iterator[ChartMark]:
    for kept in study.kept:
        if kept["kind"] == people_skill.KIND:
            yield from people_skill.marks(people_skill.read(kept["answer"]), best.cell.difficulty)


def _band(study: Study, best: Finding) -> Band | None:
    """What is claimed of the win rate there, or a band that somebody has named."""
    for judged in study.claims:
        claim = judged.claim
        about = [cell.id for cell in judged.case.cells]
        if claim.band and claim.measure == "win_rate" and best.cell.id in about:
            low, high = claim.band
            limits = f"{low * 100:g}–{high * 100:g}{words.NBSP}%"
            return Band(low, high, ", ".join(filter(None, (f"claimed {limits}", claim.preset))))
    return None


def _hopeless(study: Study) -> list[str]:
    """Players who win next to nothing anywhere, in order; the best of a level is none of them."""
    best = {_best(findings).player for findings in study.levels.values()}
    return [name for name in study.players if name not in best and _most_won(name, study) < HOPELESS]


def _most_won(player: str, study: Study) -> float:
    return max(_win_rate(each) for each in study.findings if each.player == player)


def _left_out(study: Study, hopeless: list[str]) -> Iterator[str]:
    """Who has no mark."""
    if cells := [each for each in study.findings if each.player in hopeless]:
        most = max(each.wins.first.wins for each in cells)
        games = words.count(min(each.games for each in cells))
        won = f"at most {words.count(most)}" if most else "none"
        where = " in any level" if len(study.levels) > 1 else ""
        yield f"{words.sentence(words.listing(hopeless))}: {won} of {games} games won{where}."
    more = len(study.players) - len(hopeless) - MOST_MARKS
    if more > 0:
        yield f"{more} more who win less stand in the table."


def _difficulty(study: Study, tracks: list[Track]) -> str:
    """`The policy garrison wins 74.2 % of Novice and 23.5 % of Elite; the best play found 88 % and 43 %.`

    Of the first level that says something, and of the last.
    """
    best = [_best(findings) for findings in study.levels.values()]
    telling = [each for each in best if not each.tally.is_one_game] or best
    first = next((each for each in telling if not any(each.says_little)), telling[0])
    ends = [first] if first is telling[-1] else [first, telling[-1]]
    if not any(map(_win_rate, ends)):
        return f"Nobody wins a game of {words.listing([each.level for each in ends])}."
    wins = [f"{words.share(each.wins.first.win)} of {each.level}" for each in ends]
    if len({each.player for each in ends}) > 1:
        wins = [f"{each.player} wins {share}" for each, share in zip(ends, wins, strict=True)]
        return f"{words.sentence(words.listing(wins))}."
    rows = [next(track for track in tracks if track.label == each.level) for each in ends]
    found = [mark.value for track in rows for mark in track.marks if mark.shape == "best"]
    beyond = f"; the best play found {words.listing(found)}" if len(found) == len(ends) else ""
    return f"The policy {ends[0].player} wins {words.listing(wins)}{beyond}."


def _length_chart(study: Study) -> Chart:
    """How long it takes whom: nine games in ten as the range, the mean as the mark."""
    time, tracks = names.time(study), []
    for each in study.findings:
        length = each.length.ended
        mean, limits = words.mean(length.mean)
        low, high = (
            ChartMark(
                name,
                _seen(length.quantiles[q], length),
                words.whole(length.quantiles[q]),
                "order statistics",
                "other",
            )
            for q, name in ((5, "5 % of games up to"), (95, "95 % up to"))
        )
        own = length.mean.interval() or without_limits(length.mean.mean or 0.0, length.games)
        method = f"{words.CONFIDENCE} {own.method}, " if own.has_limits else ""
        how = f"{method}{words.many(length.games, 'game')}"
        middle = ChartMark("mean", _seen(own, length), mean, how, limits=limits)
        tracks.append(Track(each.name if len(study.findings) > 1 else each.who, (low, middle, high)))
    most = max(mark.interval.high for track in tracks for mark in track.marks)
    first = leading(study.findings)
    mean = tracks[study.findings.index(first)].marks[1].value
    title = f"A game takes {mean} {time}s in the mean with {first.player}."
    return Chart(title, tuple(tracks), f"{time}s", (0.0, most * 1.05 or 1.0), is_share=False)


def _seen(interval: Interval, length: Spread) -> Interval:
    """For a picture: where there is no limit, the shortest or the longest game seen."""
    least, most = length.values[0], length.values[-1]
    return replace(interval, low=max(interval.low, least), high=min(interval.high, most))


# ================================================================ in sentences


def verdict(study: Study) -> list[Paragraph]:
    if study.is_about_length:
        levels = [paragraph(level, _length(findings, study)) for level, findings in study.levels.items()]
    else:
        levels = [paragraph(level, _level(findings, study)) for level, findings in study.levels.items()]
        if steps := list(_steps(study)):
            levels.append(paragraph("From level to level", steps))
    return [*levels, paragraph(certainty.HOW_SURE, _how_sure(study))]


# ---------------------------------------------------------------- one level


def _level(findings: list[Finding], study: Study):
    """The strongest policy's record, the others in one sentence, then what the variants change."""
    mains = main_findings(findings)
    best = _best(findings)
    ranked = [best, *sorted((each for each in mains if each is not best), key=_win_rate, reverse=True)]
    yield _strongest(best, len(ranked), study)
    yield from _other_outcomes(best)
    if others := ranked[1:]:
        named = "; ".join(_short(finding, best, study) for finding in others[:NAMED])
        rest = f"; the other {len(others) - NAMED} win less, see the table" if len(others) > NAMED else ""
        yield f"{words.sentence(named)}{rest}."
    for variant in _variants(findings, best):
        yield _changed(best, variant, study)


def _variants(findings: Sequence[Finding], best: Finding) -> list[Finding]:
    return [finding for finding in findings if finding.player == best.player and finding is not best]


def _difference(before: Finding, after: Finding, study: Study, of: int = 1) -> Interval:
    """Of two win rates, by an interval that holds with those of all differences that the page tells. of:
    players among which this one was chosen.
    """
    told = sum(
        min(len(main_findings(findings)) - 1, NAMED) + len(_variants(findings, _best(findings)))
        for findings in study.levels.values()
    )
    looks = (told + len(study.levels) - 1) * of
    return comparison.of_cells(before.cell, after.cell, looks=looks, families=study.families)


def _length(findings: list[Finding], study: Study) -> Iterator[str]:
    """Where every game ends alike: how long it takes each player."""
    for finding in findings:
        length, time = finding.length.ended, names.time(study)
        mean, limits = words.mean(length.mean)
        low, middle, high = (words.number(length.quantiles[q].estimate) for q in (5, 50, 95))
        yield (
            f"{words.title(finding.who)}: a game takes {mean} {time}s in the mean ({limits}), {middle} in "
            f"the median; nine games in ten take {low} to {high}, over {words.count(length.games)} games."
        )
        yield from record.truncated_sentences(finding, study)
    how = "is won" if findings[0].wins.first.win.estimate else "is lost"
    yield f"Every game {how}, so that length is what differs."


def _strongest(finding: Finding, of: int, study: Study) -> str:
    """The best of several looks better than it is: its interval holds together with those of the others."""
    seat, method = finding.wins.first, finding.tally.method(study.method)

    def at(confidence: float) -> Interval:
        return with_truncated(seat.wins, seat.capped, finding.games, confidence, method)

    win = jointly(at, of)
    under = f" ({'; '.join(_rests(finding))})" if _rests(finding) else ""
    best = f", the best of the {of} policies played," if of > 1 else ""
    adjusted = " (interval adjusted for choosing the best)" if of > 1 else ""
    rough = words.in_ten(win)
    about = f"{rough}: " if rough else ""
    return f"{words.sentence(finding.player)}{under}{best} wins {about}{_chance(finding, win)}{adjusted}."


def _rests(finding: Finding) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part for part in (finding.variant, *finding.rests_on) if part))


def _chance(finding: Finding, win: Interval) -> str:
    odds = f", {words.one_in(win)}," if words.one_in(win) else ""
    return f"{words.share_with_limits(win)}{odds} of {words.count(finding.games)} games"


def _other_outcomes(finding: Finding):
    seat = finding.wins.first
    if seat.draws:
        least = getattr(finding.cell, "min_win_score", None)
        meaning = "" if least is None else f" (not lost, but a score below {least})"
        yield f"Not won: {words.share(seat.loss)} lost, {words.share(seat.draw)} drawn{meaning}."
    if seat.capped:
        yield (
            f"{words.count(seat.capped)} {'game was' if seat.capped == 1 else 'games were'} cut off before "
            "the end: the range covers both, all of them won and all of them lost."
        )
    if (middle := finding.scores.quantiles.get(50)) and finding.cell.tiers:
        yield f"The median score of the games not lost is {words.whole(middle)}."


def _short(finding: Finding, best: Finding, study: Study) -> str:
    win = finding.wins.first.win
    odds = f", {words.one_in(win)}" if words.one_in(win) else ""
    who = finding.player if finding.variant == best.variant else finding.who
    if not win.estimate:
        return f"{who} won none of {words.count(finding.games)}: {words.share(win)}{odds}"
    # the best was chosen by its games
    tied = is_unclear(_difference(finding, best, study, len(study.players)))
    return f"{who} wins {words.share_with_limits(win)}{odds}{' (not distinguishable in these games)' * tied}"


def _changed(main: Finding, variant: Finding, study: Study) -> str:
    """Side by side: what the other reading or setting does to the same policy."""
    change = _difference(main, variant, study)
    effect = "" if change.estimate else never_came_up(main.cell, variant.cell, main.player)
    if not effect and is_unclear(change):
        effect = f"no difference that these games show ({differences.limits(change, least=1)})"
    elif not effect:
        effect = f"{differences.size(change)} {'more' if change.estimate > 0 else 'fewer'}"
    return (
        f"{words.sentence(variant.variant)} instead of {_without_subject(main.variant, variant.variant)}: "
        f"{variant.player} wins {words.share_with_limits(variant.wins.first.win)}, {effect}."
    )


def _without_subject(text: str, beside: str) -> str:
    """`Tactics cards: assumed set` beside `Tactics cards: blank` -> `assumed set`; of several settings all is
    said.
    """
    if ";" in text + beside:
        return text
    own, others = text.split(" "), beside.split(" ")
    shared = takewhile(lambda pair: pair[0] == pair[1], zip(own[:-1], others, strict=False))
    return " ".join(own[len(list(shared)) :])


# ---------------------------------------------------------------- between levels


def _steps(study: Study):
    """For the strongest player of each level that the next level has too: what the step costs."""
    for (lower, before), (upper, after) in pairwise(study.levels.items()):
        above = {finding.player: finding for finding in main_findings(after)}
        shared = [finding for finding in main_findings(before) if finding.player in above]
        if shared:
            best = max(shared, key=_win_rate)
            yield _step(lower, upper, best, above[best.player], len(shared), study)


def _step(lower: str, upper: str, before: Finding, after: Finding, of: int, study: Study) -> str:
    """of: players among which this one was chosen as the best before."""
    change = _difference(before, after, study, of)
    if is_unclear(change):
        return (
            f"For {after.player}, these games do not distinguish {upper} from {lower} (win rate "
            f"{differences.limits(change, least=1)})."
        )
    harder, way = ("harder", "lower") if change.estimate < 0 else ("easier", "higher")
    rests = _rests(after)
    under = f", with {', '.join(rests)}" if rests else ""
    return (
        f"For {after.player}, {upper} is {harder} than {lower}: the win rate is {differences.size(change)} "
        f"{way}{under}."
    )


# ---------------------------------------------------------------- how sure


def _how_sure(study: Study) -> Iterator[str]:
    shares = [] if study.is_about_length else [finding.wins.first.win for finding in study.findings]
    return certainty.how_sure(
        study, "win rate of the games", shares, "a person may do better or worse", "rates"
    )


# ================================================================ figures


def sections(study: Study) -> list[View]:
    colours = theme.player_colours(study.players)
    return [_scores(study), _losses(study, colours), _causes(study, colours)]


def _hollow(study: Study) -> str:
    return HOLLOW if len(study.variants) > 1 else ""


def _win_rate(finding: Finding) -> float:
    return finding.wins.first.win.estimate


def _best(findings: list[Finding]) -> Finding:
    """Who wins most, as the verdict has it: other readings and settings do not count. A cell without luck is
    one game and leads only where there is no other.
    """
    return max(main_findings(findings), key=lambda each: (not each.tally.is_one_game, _win_rate(each)))


def _scores(study: Study) -> View:
    title = record.scores_title(study) + (" and medals" if study.tiers else "")
    hopeless = _hopeless(study)
    drawn = [each for each in study.findings if each.player not in hopeless and _has_scores(each, study)]
    if not drawn:
        return View(title=title)
    ends = record.score_axes(drawn)
    groups = (_score_group(level, findings, drawn, ends) for level, findings in study.levels.items())
    shown = tuple(group for group in groups if group.figures)
    caption = _score_caption(study, drawn)
    return View(title=title, caption=caption, blocks=shown, legend=_tier_legend(study))


def _has_scores(finding: Finding, study: Study) -> bool:
    """Enough of them to be seen beside those of the other cells."""
    highest = [max(other.scores.counts, default=0) / other.games for other in (finding, *study.findings)]
    return highest[0] > 0 and highest[0] >= record.VISIBLE * max(highest)


def _score_group(
    level: str, findings: list[Finding], drawn: list[Finding], ends: tuple[tuple[int, int], float]
) -> FigureGroup:
    """A level's figures; where policies have variants, those of one policy share a row."""
    variants = {sum(other.player == finding.player for other in findings) for finding in findings}
    columns = variants.pop() if len(variants) == 1 else 0
    figures = []
    for finding in (finding for finding in findings if finding in drawn):
        middle, scored = finding.scores.quantiles.get(50), finding.scores.mean.n
        title = f"{finding.who}: {words.number(middle.estimate)} in the median" if middle else finding.who
        some = "" if scored == finding.games else f", {words.count(scored)} with a score"
        games = f"{words.count(finding.games)} games{some}"
        note = "; ".join([games, *names.unnamed(finding, finding.name)])
        figures.append(record.score_figure(finding, title, note, ends))
    return FigureGroup(level, tuple(figures), columns if columns in (2, 3) else 0)


def _score_caption(study: Study, drawn: list[Finding]) -> str:
    what = names.scores(study)
    caption = f"A bar for every number of {what}, as a share of all games." if what != "score" else BARS
    if study.tiers:
        caption = (
            "The strip holds all games, the worst outcome at the left, the best at the right. The bars are "
            "the scores of the games that were not lost, each as a share of all games."
        )
    if any(finding.scores.mean.n > finding.scores.won.n > 0 for finding in drawn) and not study.tiers:
        caption += " Games that are not won count too."
    left = [
        f"{finding.name} ({words.count(finding.scores.mean.n)} of {words.count(finding.games)})"
        for finding in study.findings
        if finding not in drawn and finding.player not in _hopeless(study)
    ]
    return f"{caption} Too few games with a score to draw: {words.listing(left)}." if left else caption


def _tier_legend(study: Study) -> tuple[tuple[str, str], ...]:
    colours, labels = theme.tier_colours(study.tiers), tier_labels(study.tiers, study.tier_levels)
    seen = {tier.name: tier for finding in study.findings for tier in finding.scores.tiers}
    return tuple(
        (colours[tier.name], words.title(labels.get(tier.name, tier.name)))
        for tier in record.worst_first(list(seen.values()))
    )


def _losses(study: Study, colours: Colours) -> View:
    title = "When games are lost"
    if not any(finding.losses.lost for finding in study.findings) or record.last_turn(study.findings) < 2:
        return View(title=title)
    last, time = record.last_turn(study.findings), names.time(study)
    figures = []
    for level, findings in study.levels.items():
        drawn = [_loss_curve(finding, findings, colours, last) for finding in findings]
        picture = curves.Bands(drawn, time, "games lost so far", last, steps=True)
        figures.append(Figure(_half_lost(level, findings, time), picture))
    caption = (
        f"Share of all games lost by the end of each {time}. The shaded band holds the whole line at "
        f"{words.CONFIDENCE}.{record.ends_early(study.findings, study)}"
    )
    return View(title=title, caption=caption, blocks=tuple(figures))


def _loss_curve(finding: Finding, findings: list[Finding], colours: Colours, last: int) -> curves.DrawnCurve:
    """Variants of a policy have its colour and other dashes. last: turn that is drawn."""
    drawn = [turn for turn in finding.losses.turns if turn.turn <= last] or finding.losses.turns[:1]
    variant = [other for other in findings if other.player == finding.player].index(finding)
    return curves.DrawnCurve(
        dots.shorten(finding.who, NAME),
        colours[finding.player],
        tuple(turn.turn for turn in drawn),
        tuple(turn.lost_by for turn in drawn),
        curves.DASHES[variant % len(curves.DASHES)],
    )


def _half_lost(level: str, findings: list[Finding], time: str) -> str:
    """`Elite: garrison has lost half of its games by turn 17`: of the best player."""
    best = _best(findings)
    for turn in best.losses.turns:
        if turn.lost_by.estimate >= 0.5:
            return f"{level}: {best.player} has lost half of the games by {time} {turn.turn}"
    lost = best.losses.turns[-1].lost_by if best.losses.turns else None
    return f"{level}: {best.player} loses {words.share(lost)} of the games" if lost else level


def _causes(study: Study, colours: Colours) -> View:
    rows = {
        level: record.cause_rows(findings, partial(_cause_point, findings, colours))
        for level, findings in study.levels.items()
        if record.causes(findings)
    }
    end = record.cause_axis_end([row for level in rows.values() for row in level]) if rows else 1.0
    figures = tuple(
        Figure(f"{level}: most often {shown[0].label}", dots.chart(shown, end, "of the lost games"))
        for level, shown in rows.items()
    )
    caption = (
        f"What ended the lost games, commonest first, each with its {words.CONFIDENCE} interval. Players "
        f"with fewer than {record.FEWEST_LOSSES} lost games are left out.{_hollow(study)}"
    )
    players = dict.fromkeys(finding.player for finding in record.eligible(study.findings))
    legend = tuple((colours[name], name) for name in players)
    return View(title="How games are lost", caption=caption, blocks=figures, legend=legend)


def _cause_point(findings: list[Finding], colours: Colours, finding: Finding, share: Interval) -> ChartMark:
    """A variant of a policy is hollow."""
    first = next(other for other in record.eligible(findings) if other.player == finding.player)
    return dots.mark(share, colours[finding.player], is_filled=finding is first)


# ================================================================ tables


def tables(study: Study) -> list[Table]:
    return [
        _outcomes(study),
        _tiers(study),
        record.scores_table(study),
        _losses_by_turn(study),
        record.causes_table(study, "How games are lost"),
        record.lengths_table(study),
    ]


def _outcomes(study: Study) -> Table:
    """Win, draw, loss: one row a cell."""

    def shares(finding: Finding) -> Iterator[Entry]:
        seat = finding.wins.first
        for share, games in ((seat.win, seat.wins), (seat.draw, seat.draws), (seat.loss, seat.losses)):
            yield entries.proportion(share, games)

    headers = ("Won", "Drawn", "Lost")
    return outcomes.outcome_table(study, "Won, drawn, lost", headers, shares, none_of="neither")


def _tiers(study: Study) -> Table:
    """One row a cell, one column a tier."""
    findings = [finding for finding in study.findings if finding.scores.tiers]
    tiers = list(dict.fromkeys(tier.name for finding in findings for tier in finding.scores.tiers))
    labels = tier_labels(study.tiers, study.tier_levels)
    headers = ("Games", *(words.title(labels.get(name, name)) for name in tiers))
    together = f"The {words.CONFIDENCE} intervals of a row hold together (Goodman unless named)."
    caption = f"Shares of all games. {together}"

    def row(finding: Finding) -> Iterator[Entry]:
        shares = {tier.name: entries.proportion(tier.share, tier.games) for tier in finding.scores.tiers}
        yield entries.count(finding.games)
        yield from (shares.get(name, Entry("0")) for name in tiers)

    return names.table(study, "Victory tiers", caption, headers, row, findings)


def tier_labels(tiers: dict[str, int], levels: dict[str, str]) -> dict[str, str]:
    """Tier -> name with its level of victory and its scores: `Silver Star, minor victory (10–19)`.

    `tiers`: best first.
    """
    labels, above = {}, None  # the least score of the next better tier
    for name, least in tiers.items():
        if above is None:
            span = f"{least}+"
        elif len(labels) == len(tiers) - 1:
            span = f"{above - 1} or less"
        else:
            span = f"{least}–{above - 1}" if least < above - 1 else f"{least}"
        level = f", {levels[name]}" if levels.get(name) else ""
        labels[name] = f"{name}{level} ({span})"
        above = least
    return labels


def _losses_by_turn(study: Study) -> Table:
    """One row a cell: share of games lost by certain turns; the band holds for all turns together."""
    marks, time = record.quarters(record.last_turn(study.findings)), names.time(study)
    lost = [finding for finding in study.findings if finding.losses.lost and len(marks) > 1]
    headers = ("Games lost", *(f"By {time} {mark}" for mark in marks))
    caption = (
        f"Share of all games lost by the end of a {time}; the {words.CONFIDENCE} limits hold for all "
        f"{time}s at once (Dvoretzky-Kiefer-Wolfowitz band)."
    )

    def row(finding: Finding) -> Iterator[Entry]:
        yield entries.count(finding.losses.lost)
        yield from (_lost_by(finding, mark) for mark in marks)

    return names.table(study, f"Lost by {time}", caption, headers, row, lost)


def _lost_by(finding: Finding, mark: int) -> Entry:
    reached = [turn for turn in finding.losses.turns if turn.turn <= mark]
    if not reached:
        return Entry("0")
    interval = reached[-1].lost_by
    digits = words.digits_for(interval.half_width * 100)
    return Entry(f"{interval.estimate * 100:.{digits}f}{words.NBSP}%", words.share_limits(interval))
