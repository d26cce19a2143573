"""The answer first, in sentences: is going first worth it, who plays better, what do the settings change, who
goes out, how long does it take.
"""

from collections.abc import Iterator

from bartizan.analyses.records.effects import Comparison
from bartizan.analyses.records.elimination import Elimination, Spread
from bartizan.analyses.records.seat_advantage import ADVANTAGE, NONE_FOUND
from bartizan.analyses.records.skill import Duel, Skill
from bartizan.analyses.statistics.intervals import Interval
from bartizan.analyses.statistics.paired import Effect
from bartizan.reports.pages.free_for_all import ends, names
from bartizan.reports.pages.free_for_all.seatings import MIXED, TURNED, Seating, Share, main, seatings
from bartizan.reports.pages.two_sided.names import sentence, time
from bartizan.reports.pages.verdict import Paragraph, assumptions, paragraph
from bartizan.reports.study import Finding, Study
from bartizan.reports.text import words

MOST, FEW = 6, 3  # what is told one by one; more than FEW of a kind are told in short
CLEAR = 0.05  # adjusted p below which an effect is called one


def verdict(study: Study) -> list[Paragraph]:
    found = seatings(study)
    parts = [
        _seats(found, study),
        _skill(study),
        _ends(study),
        _effects(study),
        _elimination(study),
        _lead(study),
        paragraph("How long?", _length(study)),
    ]
    return [*filter(None, parts), paragraph("How sure", _how_sure(found, study))]


# ---------------------------------------------------------------- what a seat is worth


def _seats(found: list[Seating], study: Study) -> Paragraph | None:
    if not found:
        return None
    quoted = main(found, study)
    if quoted is None:
        return paragraph("Who wins?", _as_seated(found, study))
    others = [seating for seating in found if seating is not quoted]
    heading = "Is going first an advantage?" if len(quoted.seats) == 2 else "Does the seat matter?"
    return paragraph(heading, [_worth(quoted, study), *_all_seats(quoted), *_others(others, quoted, study)])


def _worth(seating: Seating, study: Study) -> str:
    """The sentence to quote."""
    return _first_of_two(seating, study) if len(seating.seats) == 2 else _every_seat(seating, study)


def _first_of_two(seating: Seating, study: Study) -> str:
    share = f"{_where(seating, study)} the first of 2 players wins {_of_games(seating, seating.first)}"
    finding = seating.first.finding
    if finding == NONE_FOUND:
        most = at_most(seating.first.joint)
        return (
            f"No advantage in going first is found: {share}. {sentence(_equal(seating))}, so the first seat "
            f"is worth at most {most}, either way."
        )
    start = "an advantage" if finding == ADVANTAGE else "a disadvantage"
    return f"Going first is {start}: {share}, {_from_equal(seating.first)}."


def _every_seat(seating: Seating, study: Study) -> str:
    """Which seats win more or less than an equal share, and by how much."""
    where, players = _where(seating, study), len(seating.seats)
    if not seating.apart:
        return (
            f"No seat is found to be better than another: {where} each of {players} players wins an equal "
            f"share, give or take at most {_furthest(seating)}."
        )
    furthest, *others = seating.apart
    rest = f"; {words.listing([_stands(share) for share in others])}" if others else ""
    return (
        f"Yes: {where} the {names.seat(furthest.seat)} of {players} players wins "
        f"{_of_games(seating, furthest)}, {_from_equal(furthest)}{rest}."
    )


def _stands(share: Share) -> str:
    return f"the {names.seat(share.seat)} wins {words.share_with_limits(share.share)}, {_from_equal(share)}"


def _from_equal(share: Share) -> str:
    """`1.1 points (0.0–2.1) less than an equal share`"""
    return (
        f"{words.points(share.joint)} {'more' if share.finding == ADVANTAGE else 'less'} than an equal share"
    )


def _furthest(seating: Seating) -> str:
    return at_most(
        max((share.joint for share in seating.seats), key=lambda joint: max(abs(joint.low), abs(joint.high)))
    )


def at_most(difference: Interval) -> str:
    most = max(abs(difference.low), abs(difference.high)) * 100
    digits = words.digits_for(difference.half_width * 100)
    text = f"{most:.{digits}f}"
    return f"{text} {'point' if text == '1' else 'points'}"


def _where(seating: Seating, study: Study) -> str:
    who = f"with {seating.name}"
    under = names.under(seating.finding, study)
    return f"{who} ({under})" if under else who


def _of_games(seating: Seating, share: Share) -> str:
    """`53.5 % (53.2–53.8 %) of 20,000 games`"""
    games = f"{words.count(seating.games)} {'game numbers' if seating.rotations > 1 else 'games'}"
    if seating.rotations > 1:
        games += f" in {seating.rotations} rotations"
    capped = (
        f"; {words.count(seating.capped)} games were cut off, and the range runs from none of them to all of "
        "them"
        if seating.capped
        else ""
    )
    return f"{words.share_with_limits(share.share)} of {games}{capped}"


def _equal(seating: Seating) -> str:
    return f"an equal share is 1 in {len(seating.seats)}, {equal_share(len(seating.seats))}"


def _all_seats(seating: Seating) -> Iterator[str]:
    """Every seat, where there are more than the two that mirror each other."""
    if len(seating.seats) > 2:
        parts = [
            f"the {names.seat(share.seat)} {words.share_with_limits(share.share)}" for share in seating.seats
        ]
        yield f"By seat: {words.listing(parts)}; {_equal(seating)}."
        yield (
            f"Differences from an equal share are judged by intervals that hold for all {len(seating.seats)} "
            "seats together."
        )
    if seating.kind == TURNED:
        yield (
            "Different policies played, but each sat in every seat equally often and with the same luck, so "
            "what is left is the seat."
        )
    if seating.drawn:
        counted = "count as an equal part for each seat" if seating.kind == TURNED else "are not counted"
        yield f"{words.count(seating.drawn)} games that nobody won {counted}."


def _others(found: list[Seating], quoted: Seating, study: Study) -> Iterator[str]:
    """One by one, or many in short; one for each other number of players in any case."""
    told = [seating for seating in found if seating.speaks_of_seats]
    counts = dict.fromkeys(len(seating.seats) for seating in told if len(seating.seats) != len(quoted.seats))
    one_each = [main([seating for seating in told if len(seating.seats) == seats], study) for seats in counts]
    shortly = told if len(told) <= FEW else [seating for seating in one_each if seating]
    yield from (_shortly(seating, study) for seating in shortly)
    if rest := [seating for seating in told if seating not in shortly]:
        yield from _in_short(rest, study)
    if any(seating.kind == MIXED for seating in found):
        yield (
            "Line-ups of different policies that were not played in all rotations say nothing about seats; "
            "the table marks them."
        )


def _shortly(seating: Seating, study: Study) -> str:
    capped = f"; {words.count(seating.capped)} games were cut off" if seating.capped else ""
    if len(seating.seats) == 2:
        return (
            f"{sentence(_where(seating, study))}: "
            f"{words.share_with_limits(seating.first.share)}{_finding(seating)}{capped}."
        )
    found = (
        words.listing([_stands(share) for share in seating.apart])
        or f"no seat is found to be better than another (at most {_furthest(seating)} from an equal share)"
    )
    return f"{sentence(_where(seating, study))}, {len(seating.seats)} players: {found}{capped}."


def _called(seating: Seating, study: Study) -> str:
    return ", ".join(filter(None, [seating.name, names.under(seating.finding, study)]))


def _in_short(told: list[Seating], study: Study) -> Iterator[str]:
    """Many: from the least to the greatest advantage of going first, and where a seat stands apart."""
    least, most = (
        choose(told, key=lambda seating: seating.first.advantage.estimate) for choose in (min, max)
    )
    ends = " to ".join(
        f"{words.change(seating.first.advantage, 100)[0]} points ({_called(seating, study)})"
        for seating in (least, most)
    )
    yield (
        f"In the {len(told)} other line-ups and settings the first seat stands from {ends} against an equal "
        "share."
    )
    places = [
        f"{_called(seating, study)}, the {names.seat(seating.apart[0].seat)}"
        for seating in told
        if seating.apart
    ]
    if places:
        where = "; ".join(places) if len(places) <= MOST else f"{len(places)} of them"
        yield (
            f"Where a seat wins more or less than an equal share: {where}; of {len(told)} looked at, about 1 "
            "in 20 would show one by chance."
        )


def _finding(seating: Seating) -> str:
    first = seating.first
    if first.finding == NONE_FOUND:
        return f", no advantage found (at most {at_most(first.joint)})"
    digits = words.change(first.joint, 100)
    return f", {first.finding} of {digits[0].lstrip('+−')} points ({digits[1]})"


def _as_seated(found: list[Seating], study: Study) -> Iterator[str]:
    """No cell can tell seats from players."""
    for seating in found[:MOST]:
        seated = zip(seating.seats, seating.finding.cell.policies, strict=True)
        parts = [
            f"{policy['name']} in the {names.seat(share.seat)} seat wins "
            f"{words.share_with_limits(share.share)}"
            for share, policy in seated
        ]
        under = names.under(seating.finding, study)
        capped = (
            f"; {words.count(seating.capped)} were cut off, and each range runs from none of them to all of "
            "them"
            if seating.capped
            else ""
        )
        yield (
            f"{sentence(under) + ': of' if under else 'Of'} {words.count(seating.games)} games "
            f"{words.listing(parts)}{capped}."
        )
    if len(found) > MOST:
        yield "The table below has every line-up."
    yield (
        "Whether that is the seat or the player these games cannot say: the seats are played by different "
        "policies. Play the same policy in every seat, or sweep with --rotate."
    )


# ---------------------------------------------------------------- who plays better


def _skill(study: Study) -> Paragraph | None:
    if not study.skills:
        return None
    told = study.skills if len(study.skills) <= FEW else study.skills[:1]
    lines = [line for skill in told for line in _of_line_up(skill, study)]
    if rest := study.skills[len(told) :]:
        least, most = (
            choose(rest, key=lambda skill: abs(skill.duels[0].difference.interval.estimate))
            for choose in (min, max)
        )
        ends = " to ".join(
            f"{_by_how_much(skill.duels[0])} ({_table(skill, study)})" for skill in (least, most)
        )
        lines.append(
            f"In the {len(rest)} other line-ups and settings the difference between the two best goes from "
            f"{ends}."
        )
    return paragraph(
        "Who plays better?",
        [
            *lines,
            "Everybody sat in every seat equally often, with the same luck: a difference is the players', "
            "not the seats'.",
        ],
    )


def _table(skill: Skill, study: Study) -> str:
    """Which line-up under which setting."""
    finding = next(finding for finding in study.findings if finding.cell.id == skill.line_up.cells[0].id)
    names_of = [skill.line_up.name] if len({other.line_up.name for other in study.skills}) > 1 else []
    return ", ".join(filter(None, [*names_of, names.under(finding, study)])) or skill.line_up.name


def _of_line_up(skill: Skill, study: Study) -> Iterator[str]:
    finding = next(finding for finding in study.findings if finding.cell.id == skill.line_up.cells[0].id)
    under = names.under(finding, study)
    several = skill.line_up.seats > len(skill.standings)
    shares = words.listing(
        [
            f"{'a seat of ' if several else ''}{standing.policy} wins "
            f"{words.share_with_limits(standing.share.interval)}"
            for standing in skill.standings
        ]
    )
    table = f" ({skill.line_up.name})" if several or len(skill.standings) > 2 else ""
    capped = (
        f"; {words.count(skill.capped)} games were cut off, and each range runs from none of them to all of "
        "them"
        if skill.capped
        else ""
    )
    equal = f"an equal share is {equal_share(skill.line_up.seats)}{_nobody(skill, study)}{capped}"
    yield (
        f"{f'{sentence(under)}: ' if under else ''}{_better(skill.duels[0])}{table}: {shares} of the games; "
        f"{equal}."
    )
    games = f"{words.count(skill.games)} game numbers, each played in {skill.rotations} rotations"
    yield f"The difference: {_by_how_much(skill.duels[0])}; {games}."
    for other in skill.duels[1:MOST]:
        yield f"{sentence(_better(other))}: {_by_how_much(other)}."


def _nobody(skill: Skill, study: Study) -> str:
    cells = {cell.id for cell in skill.line_up.cells}
    findings = [finding for finding in study.findings if finding.cell.id in cells]
    drawn = sum(study.seats[finding.cell.id].drawn for finding in findings)
    return (
        f"; nobody won {words.count(drawn)} of {words.count(sum(finding.games for finding in findings))} "
        "games"
        if drawn
        else ""
    )


def equal_share(seats: int) -> str:
    return f"{words.number(100 / seats, 0 if 100 % seats == 0 else 1)}{words.NBSP}%"


def _better(duel: Duel) -> str:
    if not duel.difference.is_clear:
        return f"these games cannot tell {duel.better} from {duel.other}"
    return f"{duel.better} plays better than {duel.other}"


def _by_how_much(duel: Duel) -> str:
    text, limits = words.change(duel.difference.interval, 100)
    errors = (
        f", {words.number(abs(duel.difference.ses), 1)} standard errors"
        if duel.difference.ses and not words.is_bounds(duel.difference.interval)
        else ""
    )
    return f"{text} points a seat ({limits}){errors}"


# ---------------------------------------------------------------- how games end


def _ends(study: Study) -> Paragraph | None:
    found = list(ends.sentences(_main_finding(study), study))
    return paragraph("How do games end?", found) if found else None


# ---------------------------------------------------------------- what settings change


def _effects(study: Study) -> Paragraph | None:
    if not study.effects:
        return None
    clear = [
        (comparison, [effect for effect in comparison.effects if is_effect(effect)])
        for comparison in study.effects
    ]
    told = _told([(comparison, effects) for comparison, effects in clear if effects], study)
    more = [f"Further settings with effects in the table: {len(told) - MOST}."] if len(told) > MOST else []
    who = list(dict.fromkeys(names.line_up(comparison.changed) for comparison in study.effects))
    played = f", played by {who[0]}" if len(who) == 1 else ""
    if all(comparison.base_value is None for comparison in study.effects):
        more.append(f"Each is compared with the same games as in the scenario{played}.")
    elif played:
        more.append(f"{sentence(played[2:])}.")
    unclear = [
        (comparison, effect)
        for comparison in study.effects
        for effect in comparison.effects
        if not is_effect(effect)
    ]
    number = sum(len(effects) for _, effects in clear)
    return paragraph(
        "What do the settings change?",
        [
            *map(sentence, told[:MOST]),
            *more,
            _count_of(number, number + len(unclear)),
            *_unclear(unclear, study),
        ],
    )


def _count_of(clear: int, of: int) -> str:
    if not clear:
        return (
            f"Nothing that these games show: none of {of} effects looked at can be told from chance, p "
            "adjusted for all of them."
            if of > 1
            else "Nothing that these games show."
        )
    return (
        f"{clear} of {of} effects looked at can be told from chance, p adjusted for all of them."
        if of > 1
        else "One effect was looked at, and it is real."
    )


def is_effect(effect: Effect) -> bool:
    return effect.is_told(CLEAR)


def _told(found: list[tuple[Comparison, list[Effect]]], study: Study) -> list[str]:
    """A sentence a setting; line-ups, where there are several, behind what happens to them."""
    plain = all(other.base_value is None for other in study.effects)
    settings: dict[str, list[str]] = {}
    for comparison, effects in found:
        where = names.apart(comparison, study)
        told = words.listing([_changes(effect, study) for effect in effects])
        settings.setdefault(names.changed(comparison) if plain else names.change(comparison), []).append(
            f"{told}{f' ({where})' if where else ''}"
        )
    return [f"{setting}: {'; '.join(told)}." for setting, told in settings.items()]


def _changes(effect: Effect, study: Study) -> str:
    difference = effect.difference.interval
    if effect.measure.kind == "column":
        digits = words.digits_for(difference.half_width)
        low, high = sorted((abs(difference.low), abs(difference.high)))
        size = f"{words.number(abs(difference.estimate), digits)} ({words.span(low, high, digits)})"
        ends = (
            f"{words.number(effect.base.interval.estimate, digits)} to "
            f"{words.number(effect.changed.interval.estimate, digits)}"
        )
        if effect.measure.name == "turn":
            return (
                f"games are {size} {time(study)}s {'longer' if difference.estimate > 0 else 'shorter'}, from "
                f"{ends} on average"
            )
        return (
            f"{size} {'more' if difference.estimate > 0 else 'fewer'} "
            f"{names.measure('column', effect.measure.name, time(study))} a game, from {ends}"
        )
    what = names.measure(effect.measure.kind, effect.measure.name, time(study))
    return f"the {what} {'rises' if difference.estimate > 0 else 'falls'} by {words.points(difference)}"


def _unclear(found: list[tuple[Comparison, Effect]], study: Study) -> Iterator[str]:
    """A few by name, many by what they are effects on."""
    if found:
        told = (
            [_called_unclear(*one, study) for one in found]
            if len(found) <= FEW
            else _by_measure(found, study)
        )
        yield (
            f"Not told from chance by the adjusted p: {'; '.join(told)}. The table says how large each could "
            "be at most."
        )


def _called_unclear(comparison: Comparison, effect: Effect, study: Study) -> str:
    where = names.apart(comparison, study)
    return f"{names.changed(comparison)}{f' ({where})' if where else ''}, {_measure(effect, study)}"


def _measure(effect: Effect, study: Study) -> str:
    return names.measure(effect.measure.kind, effect.measure.name, time(study))


def _by_measure(found: list[tuple[Comparison, Effect]], study: Study) -> list[str]:
    """`length in turns under 5 of 9 changes`"""
    all_of: dict[str, int] = {}
    unclear: dict[str, int] = {}
    for counts, effects in (
        (all_of, (effect for comparison in study.effects for effect in comparison.effects)),
        (unclear, (effect for _, effect in found)),
    ):
        for effect in effects:
            counts[_measure(effect, study)] = counts.get(_measure(effect, study), 0) + 1
    return [
        f"{measure} under {'all' if n == all_of[measure] > 1 else f'{n} of'} {all_of[measure]} changes"
        for measure, n in unclear.items()
    ]


# ---------------------------------------------------------------- who goes out, who leads


def _main_finding(study: Study) -> Finding:
    quoted = main(seatings(study), study)
    return quoted.finding if quoted else study.findings[0]


def _elimination(study: Study) -> Paragraph | None:
    """Of two players the first to go out is the loser: there is nothing to say."""
    for finding in (_main_finding(study), *study.findings):
        found = study.eliminations.get(finding.cell.id)
        if found and found.seats > 2 and found.first_out and found.first_out.games:
            return paragraph(
                "Who goes out first, and when?", _goes_out(found, found.first_out, finding, study)
            )
    return None


def _goes_out(found: Elimination, first: Spread, finding: Finding, study: Study) -> Iterator[str]:
    middle = first.quantiles[50]
    start = f"In half of the games somebody is out by {time(study)} {words.whole(middle)}"
    yield (
        f"{start} ({names.plain_label(finding, study)}), over {words.count(first.games)} games in "
        "which somebody goes out."
    )
    if found.places:
        parts = [
            f"the {names.seat(place.seat)} {words.share_with_limits(place.share)}"
            for place in found.first_to_go()
        ]
        yield f"First to go out, by seat: {words.listing(parts)} of {words.count(found.games)} games."
    if found.nobody_out and found.nobody_out.estimate:
        yield f"In {words.share_with_limits(found.nobody_out)} of all games nobody goes out."


def _lead(study: Study) -> Paragraph | None:
    finding = _main_finding(study)
    found = study.eliminations.get(finding.cell.id)
    if not found or not found.lead_changes or not found.lead_changes.games or not found.no_change:
        return None
    spread = found.lead_changes
    mean, limits = words.mean(spread.mean, study.level)
    never = words.share_with_limits(found.no_change)
    first = (
        f"The lead changes hands {mean} times a game ({limits}), {words.whole(spread.quantiles[50])} in the "
        f"median one ({names.plain_label(finding, study)})"
    )
    return paragraph(
        "Does the lead change?",
        [f"{first}; over {words.count(spread.games)} games.", f"It never does in {never} of them."],
    )


# ---------------------------------------------------------------- how long


def _length(study: Study) -> Iterator[str]:
    first, what = _main_finding(study), time(study)
    others = [
        finding for finding in study.findings if finding is not first and finding.player == first.player
    ]
    where = f" ({names.plain_label(first, study)})" if len(study.findings) > 1 else ""
    yield f"{sentence(_half(first, what))}{where}, of {words.count(first.games)} games."
    if first.length.capped:
        yield (
            f"{words.count(first.length.capped)} of them were cut off; they count with the length they had "
            "reached."
        )
    if len(others) <= FEW:
        yield from (f"{names.label(finding, study)}: {_half(finding, what)}." for finding in others)
    else:
        ends = [
            choose(others, key=lambda finding: finding.length.quantiles[50].estimate) for choose in (min, max)
        ]
        least, most = (
            f"{what} {words.whole(finding.length.quantiles[50])} "
            f"({', '.join(names.settings(finding, study))})"
            for finding in ends
        )
        yield f"With other settings half of the games are over by {least} to {most}."
    if len(study.findings) > 1 + len(others):
        yield "The table below has every cell."


def _half(finding: Finding, what: str) -> str:
    """Median and the middle nine tenths."""
    quantiles = finding.length.quantiles
    ends = f"9 in 10 between {what} {words.whole(quantiles[5])} and {what} {words.whole(quantiles[95])}"
    return f"half of the games are over by {what} {words.whole(quantiles[50])}, {ends}"


# ---------------------------------------------------------------- how sure


def _how_sure(found: list[Seating], study: Study) -> Iterator[str]:
    if found:
        half = max(share.share.half_width for seating in found for share in seating.seats) * 100
        margin = f"{half:.{words.digits_for(half)}f}"
        points = "point" if margin == "1" else "points"
        yield (
            f"Every win share above is known to within {margin} {points} or better, at "
            f"{words.level(study.level)} each; ranges in brackets show it."
        )
    else:
        yield "No game was won by anybody."
    yield (
        "That is the luck of cards and dice only. The players are computer policies: other players, and "
        "people, may bring other results."
    )
    if assumed := assumptions(study):
        yield (
            f"{assumed}; those that bear on these games are listed below: if they are wrong, the shares move "
            "by more than the ranges say."
        )
