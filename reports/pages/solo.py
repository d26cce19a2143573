"""Pictures for a player against the game: how often it is won, how high, when and how it is lost."""

from bartizan.reports.figures import loss_by_turn, loss_causes, score_bars, theme, win_rates
from bartizan.reports.pages import tables
from bartizan.reports.pages.pictures import Group, Picture, Section, left_out, limited, one_group, picture
from bartizan.reports.study import Finding, Study
from bartizan.reports.text import words


def sections(found: Study, most: int) -> list[Section]:
    colours = theme.player_colours(found.players)
    return [
        _win_rates(found, colours, most),
        _scores(found, most),
        _losses(found, colours, most),
        _causes(found, colours, most),
    ]


def _win_rates(found: Study, colours: dict, most: int) -> Section:
    end = win_rates.axis_end(found.findings)
    pictures = [
        picture(
            level,
            "",
            win_rates.draw(findings, colours, end),
            f"win-{index}",
            win_rates.describe(level, findings),
        )
        for index, (level, findings) in enumerate(limited(found.levels.items(), most))
    ]
    caption = (
        f"Share of games won. The line through a dot is its {words.level(found.level)} interval; where the "
        "line is hidden, the dot is wider than the doubt."
    )
    if end < 1:
        caption += f" The scale ends at {words.level(end)}."
    if len(found.variants) > 1:
        caption += " Hollow dots: the same policy with another reading or setting."
    return Section("Win rates", caption, one_group(pictures), left_out=left_out(found.levels, most))


def _scores(found: Study, most: int) -> Section:
    drawn = [finding for finding in found.findings if finding.scores.values or finding.scores.tiers]
    scored = [finding for finding in drawn if finding.scores.values]
    if not scored:
        return Section("Scores", "", ())
    span = min(f.scores.values[0] for f in scored), max(f.scores.values[-1] for f in scored)
    highest = max(max(f.scores.counts) / f.games for f in scored)
    pictures = {
        finding.name: picture(
            finding.who,
            _score_note(finding),
            score_bars.draw(finding, span, highest),
            f"score-{index}",
            score_bars.describe(finding),
        )
        for index, finding in enumerate(limited(drawn, most))
    }
    groups = [_score_group(level, findings, pictures) for level, findings in found.levels.items()]
    title = "Scores and medals" if found.tiers else "Scores"
    return Section(
        title,
        _score_caption(found),
        tuple(group for group in groups if group.pictures),
        _tier_legend(found),
        left_out(drawn, most),
    )


def _score_group(level: str, findings: list[Finding], pictures: dict[str, Picture]) -> Group:
    """A level's pictures; where policies have variants, those of one policy share a row."""
    variants = {sum(other.player == finding.player for other in findings) for finding in findings}
    columns = variants.pop() if len(variants) == 1 else 0
    return Group(
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
    note = (
        f"{words.count(finding.games)} games"
        if scored == finding.games
        else f"{words.count(finding.games)} games, {words.count(scored)} with a score"
    )
    unnamed = [part for part in finding.rests_on if part not in finding.name]
    return "; ".join([note, *unnamed])


def _tier_legend(found: Study) -> tuple[tuple[str, str], ...]:
    colours, labels = theme.tier_colours(found.tiers), tables.tier_labels(found.tiers, found.tier_levels)
    seen = {tier.name: tier for finding in found.findings for tier in finding.scores.tiers}
    return tuple(
        (colours[tier.name], words.title(labels.get(tier.name, tier.name)))
        for tier in score_bars.worst_first(list(seen.values()))
    )


def _losses(found: Study, colours: dict, most: int) -> Section:
    if not any(finding.losses.lost for finding in found.findings):
        return Section("When games are lost", "", ())
    last = max(turn.turn for finding in found.findings for turn in finding.losses.turns)
    pictures = [
        picture(
            level,
            "",
            loss_by_turn.draw(findings, colours, last),
            f"loss-{index}",
            loss_by_turn.describe(level, findings),
        )
        for index, (level, findings) in enumerate(limited(found.levels.items(), most))
    ]
    caption = (
        "Share of all games lost by the end of each turn. The shaded band holds the whole line at "
        f"{words.level(found.level)}."
    )
    return Section("When games are lost", caption, one_group(pictures), left_out=left_out(found.levels, most))


def _causes(found: Study, colours: dict, most: int) -> Section:
    levels = {level: findings for level, findings in found.levels.items() if loss_causes.causes(findings)}
    shown = [
        loss_causes.share_of(cause, finding)
        for findings in levels.values()
        for cause in loss_causes.causes(findings)
        for finding in loss_causes.eligible(findings)
    ]
    if not shown:
        return Section("How games are lost", "", ())
    widest = min(max(interval.high for interval in shown) * 1.05, 1.0)
    pictures = [
        picture(
            level,
            "",
            loss_causes.draw(findings, colours, widest),
            f"cause-{index}",
            loss_causes.describe(level, findings),
        )
        for index, (level, findings) in enumerate(limited(levels.items(), most))
    ]
    drawn = dict.fromkeys(
        finding.player for findings in levels.values() for finding in loss_causes.eligible(findings)
    )
    caption = (
        f"What ended the lost games, commonest first, each with its {words.level(found.level)} interval."
    )
    caption += f" Players with fewer than {loss_causes.FEWEST_LOSSES} lost games are left out."
    if len(found.variants) > 1:
        caption += " Hollow dots: the same policy with another reading or setting."
    return Section(
        "How games are lost",
        caption,
        one_group(pictures),
        tuple((colours[player], player) for player in drawn),
        left_out(levels, most),
    )
