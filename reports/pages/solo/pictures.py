"""Pictures for a player against the game: how often it is won, how high, when and how it is lost."""

from bartizan.reports.figures import loss_by_turn, loss_causes, score_bars, theme, win_rates
from bartizan.reports.pages.parts import scores
from bartizan.reports.pages.parts.names import unnamed
from bartizan.reports.pages.parts.pictures import (
    Legend,
    Picture,
    PictureGroup,
    Section,
    left_out,
    limited,
    one_group,
    picture,
)
from bartizan.reports.pages.solo.tables import tier_labels
from bartizan.reports.study import Finding, Study, main_findings
from bartizan.reports.text import words

Colours = dict[str, str]  # of the players
HOLLOW = " Hollow dots: the same policy with another reading or setting."


def sections(found: Study, most: int) -> list[Section]:
    """`most`: pictures in a section."""
    colours = theme.player_colours(found.players)
    return [
        _win_rates(found, colours, most),
        _scores(found, most),
        _losses(found, colours, most),
        _causes(found, colours, most),
    ]


def _hollow(found: Study) -> str:
    return HOLLOW if len(found.variants) > 1 else ""


def _win_rates(found: Study, colours: Colours, most: int) -> Section:
    end = win_rates.axis_end(found.findings)
    pictures = []
    for index, (level, findings) in enumerate(limited(found.levels.items(), most)):
        figure, alt = win_rates.draw(findings, colours, end), win_rates.describe(level, findings)
        pictures.append(picture(_wins_most(level, findings), "", figure, f"win-{index}", alt))
    scale = f" The scale ends at {words.level(end)}." if end < 1 else ""
    caption = (
        f"Share of games won. The line through a dot is its {words.level(found.level)} interval; where the "
        f"line is hidden, the dot is wider than the doubt.{scale}{_hollow(found)}"
    )
    return Section("Win rates", caption, one_group(pictures), left_out=left_out(found.levels, most))


def _wins_most(level: str, findings: list[Finding]) -> str:
    """`Elite: garrison wins most, 10.2 %`"""
    best = _best(findings)
    most = " most" if len({finding.player for finding in findings}) > 1 else ""
    if not best.wins.first.win.estimate:
        return f"{level}: nobody wins a game"
    return f"{level}: {best.player} wins{most}, {words.share(best.wins.first.win)}"


def _best(findings: list[Finding]) -> Finding:
    """Who wins most, as the verdict has it: other readings and settings do not count."""
    return max(main_findings(findings), key=lambda finding: finding.wins.first.win.estimate)


# ---------------------------------------------------------------- scores


def _scores(found: Study, most: int) -> Section:
    drawn = [finding for finding in found.findings if _has_scores(finding, found)]
    if not drawn:
        return Section("Scores", "", ())
    pictures = _score_pictures(drawn, most)
    groups = (_score_group(level, findings, pictures) for level, findings in found.levels.items())
    return Section(
        "Scores and medals" if found.tiers else "Scores",
        _score_caption(found) + _without_scores(found, drawn),
        tuple(group for group in groups if group.pictures),
        _tier_legend(found),
        left_out(drawn, most),
    )


def _has_scores(finding: Finding, found: Study) -> bool:
    """Enough of them to be seen beside those of the other cells."""
    shares = (max(other.scores.counts, default=0) / other.games for other in found.findings)
    mine = max(finding.scores.counts, default=0) / finding.games
    return mine > 0 and mine >= score_bars.VISIBLE * max(shares)


def _without_scores(found: Study, drawn: list[Finding]) -> str:
    left = [
        f"{finding.name} ({words.count(finding.scores.mean.n)} of {words.count(finding.games)})"
        for finding in found.findings
        if finding not in drawn
    ]
    return f" Too few games with a score to draw: {words.listing(left)}." if left else ""


def _score_pictures(drawn: list[Finding], most: int) -> dict[str, Picture]:
    """By the names of the cells."""
    span, highest = scores.axes([finding for finding in drawn if finding.scores.values])
    return {
        finding.name: picture(
            _median(finding),
            _score_note(finding),
            score_bars.draw(finding, span, highest),
            f"score-{index}",
            score_bars.describe(finding),
        )
        for index, finding in enumerate(limited(drawn, most))
    }


def _median(finding: Finding) -> str:
    """`garrison: 12 points in the median`"""
    middle = finding.scores.quantiles.get(50)
    return f"{finding.who}: {words.number(middle.estimate)} in the median" if middle else finding.who


def _score_group(level: str, findings: list[Finding], pictures: dict[str, Picture]) -> PictureGroup:
    """A level's pictures; where policies have variants, those of one policy share a row."""
    variants = {sum(other.player == finding.player for other in findings) for finding in findings}
    columns = variants.pop() if len(variants) == 1 else 0
    return PictureGroup(
        level,
        tuple(pictures[finding.name] for finding in findings if finding.name in pictures),
        columns if columns in (2, 3) else 0,
    )


def _score_caption(found: Study) -> str:
    if not found.tiers:
        return "A bar for every score, as a share of all games."
    return (
        "The strip holds all games, the worst outcome at the left, the best at the right. The bars are the "
        "scores of the games that were not lost, each as a share of all games."
    )


def _score_note(finding: Finding) -> str:
    scored = finding.scores.mean.n
    with_score = "" if scored == finding.games else f", {words.count(scored)} with a score"
    note = f"{words.count(finding.games)} games{with_score}"
    return "; ".join([note, *unnamed(finding, finding.name)])


def _tier_legend(found: Study) -> Legend:
    colours, labels = theme.tier_colours(found.tiers), tier_labels(found.tiers, found.tier_levels)
    seen = {tier.name: tier for finding in found.findings for tier in finding.scores.tiers}
    return tuple(
        (colours[tier.name], words.title(labels.get(tier.name, tier.name)))
        for tier in score_bars.worst_first(list(seen.values()))
    )


# ---------------------------------------------------------------- losses


def _losses(found: Study, colours: Colours, most: int) -> Section:
    title = "When games are lost"
    if not any(finding.losses.lost for finding in found.findings):
        return Section(title, "", ())
    last = max(turn.turn for finding in found.findings for turn in finding.losses.turns)
    pictures = []
    for index, (level, findings) in enumerate(limited(found.levels.items(), most)):
        figure, alt = loss_by_turn.draw(findings, colours, last), loss_by_turn.describe(level, findings)
        pictures.append(picture(_half_lost(level, findings), "", figure, f"loss-{index}", alt))
    caption = (
        "Share of all games lost by the end of each turn. The shaded band holds the whole line at "
        f"{words.level(found.level)}."
    )
    return Section(title, caption, one_group(pictures), left_out=left_out(found.levels, most))


def _half_lost(level: str, findings: list[Finding]) -> str:
    """`Elite: garrison has lost half of its games by turn 17`: of the best player."""
    best = _best(findings)
    for turn in best.losses.turns:
        if turn.lost_by.estimate >= 0.5:
            return f"{level}: {best.player} has lost half of the games by turn {turn.turn}"
    lost = best.losses.turns[-1].lost_by if best.losses.turns else None
    return f"{level}: {best.player} loses {words.share(lost)} of the games" if lost else level


def _causes(found: Study, colours: Colours, most: int) -> Section:
    title = "How games are lost"
    levels = {level: findings for level, findings in found.levels.items() if loss_causes.causes(findings)}
    if not levels:
        return Section(title, "", ())
    widest = _widest_cause(levels)
    pictures = []
    for index, (level, findings) in enumerate(limited(levels.items(), most)):
        figure, alt = loss_causes.draw(findings, colours, widest), loss_causes.describe(level, findings)
        commonest = f"{level}: most often {loss_causes.causes(findings)[0]}"
        pictures.append(picture(commonest, "", figure, f"cause-{index}", alt))
    caption = (
        f"What ended the lost games, commonest first, each with its {words.level(found.level)} interval. "
        f"Players with fewer than {loss_causes.FEWEST_LOSSES} lost games are left out.{_hollow(found)}"
    )
    drawn = dict.fromkeys(
        finding.player for findings in levels.values() for finding in loss_causes.eligible(findings)
    )
    legend = tuple((colours[player], player) for player in drawn)
    return Section(title, caption, one_group(pictures), legend, left_out(levels, most))


def _widest_cause(levels: dict[str, list[Finding]]) -> float:
    """End of the axis of all pictures of causes."""
    shown = (
        loss_causes.share_of(cause, finding)
        for findings in levels.values()
        for cause in loss_causes.causes(findings)
        for finding in loss_causes.eligible(findings)
    )
    return min(max(interval.high for interval in shown) * 1.05, 1.0)
