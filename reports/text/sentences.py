"""Findings as a designer may quote them: one sentence that says what, how much, how sure and on what it
rests; and lines of text under it.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import Any

from bartizan.analyses.records.comparison import Compared
from bartizan.analyses.statistics.intervals import Interval
from bartizan.analyses.statistics.paired import Effect, Measure
from bartizan.reports.text import changes, differences, words

MOVED = 3  # measures that a sentence names

# ---------------------------------------------------------------- a change


def headline(alike: bool, roles: Sequence[str], first: str = "", changed: str = "") -> str:
    """What the headline counts, as the subject of a sentence. first, changed: the player named first, where
    it speaks of players and not of a seat.
    """
    if first:
        who = first if changed in ("", first) else f"{changed} (before: {first})"
        return f"the share of wins a seat of {who}, every seat taken in turn,"
    if len(roles) == 1:
        return "the win rate"
    return "the first seat's share of wins" if alike else f"the {words.plain(roles[0])} player's win rate"


def comparison(
    found: Compared,
    a: Mapping,
    b: Mapping,
    change: Sequence[Mapping],
    levels: bool,
    use: Mapping | None = None,
    alike: bool = False,
    roles: Sequence[str] = (),
) -> str:
    """What was changed, by how many percentage points, interval, n, method, what is assumed.

    a, b: documents of both sides; use: of an option that is left out.
    """
    subject = subject_of(found, alike, roles)
    who = {row["path"] for row in change}
    who_plays = " vs ".join(found.base.names) if "policy" not in who else ""
    setting = changes.titled(a, who_plays, a["difficulty"] if levels and "difficulty" not in who else "")
    changed = words.listing([changes.instead(row) for row in change])
    if found.touched and found.touched.is_none:
        same = _same(found.touched.of, "" if "policy" in who else words.listing(list(found.base.names)))
        rests = rests_on(max(a["assumed"], b["assumed"]))
        return f"{setting}: with {changed} {same}, seed {a['seed']}); {rests}."
    lacks = change[0].get("lacks") if len(change) == 1 else None
    without = f"without {'it' if lacks and len(lacks) == 1 else 'them'} {subject} goes"
    says = (
        f"{worth(found.difference, lacks, found.base.names[0])}; {without}"
        if lacks
        else f"with {changed} {subject} {differences.moves(found.difference)},"
    )
    shares = (
        f" from {words.share(found.headline.base.interval)} to {words.share(found.headline.changed.interval)}"
    )
    if speaks_of_seats(found, alike) and not lacks:
        says, shares = f"with {changed} {what_moved(found, roles)}", ""
    turned = f", {len(found.base.cells)} seatings each" if len(found.base.cells) > 1 else ""
    pairing = (
        "paired on common luck"
        if found.paired
        else "the sides taken as independent, since pairing on common luck did not help"
    )
    told = moved(found)[0].difference.interval if shares == "" and moved(found) else found.difference
    sure = (
        f"{words.level(told.level)} interval, {told.method}, {pairing}, "
        f"{words.count(found.games)} games a side{turned}, seed {a['seed']}"
    )
    must = (
        "; but it still had to be done where nothing else was legal, so this is not the whole worth"
        if use and use["forced"]
        else ""
    )
    return f"{setting}: {says}{shares}{must} ({sure}); {rests_on(max(a['assumed'], b['assumed']))}."


def _same(games: int, players: str) -> str:
    """Of a change that changed no game; no players: they are what is changed, and both play alike."""
    came_up = f": it {differences.never(games, players)}" if players else ""
    played = f"{words.count(games)} games a side, paired on common luck"
    return f"every game is the same{came_up} ({differences.below(games)}; {played}"


def is_idle(d: Mapping) -> bool:
    """Did a change (or one variation) change no game at all? Older documents do not say."""
    return bool(d.get("changed_games")) and not d["changed_games"]["games"]


def subject_of(found: Compared, alike: bool, roles: Sequence[str]) -> str:
    """Whose share the headline is, as the subject of a sentence."""
    first = [side.names[0] for side in (found.base, found.changed)] if found.by_player else []
    return headline(alike, roles, *first)


def speaks_of_seats(found: Compared, alike: bool) -> bool:
    """Does the headline say little of what a change does?

    The first seat's share in a game of alike seats: a change that is the same for everybody hardly moves it.
    A game that always ends alike: only its length can differ.
    """
    ends = {side.interval.estimate for side in (found.headline.base, found.headline.changed)}
    return (alike and not found.by_player) or ends in ({0.0}, {1.0})


def moved(found: Compared) -> list[Effect]:
    """The measures that a change moves distinguishably from zero, p adjusted for all of them; the clearest
    first.
    """
    clear = [
        effect
        for effect in found.effects
        if effect.is_significant(0.05) and not _mirrors_the_first(effect, found)
    ]
    return sorted(clear, key=lambda effect: -abs(effect.difference.ses or inf))


def _mirrors_the_first(effect: Effect, found: Compared) -> bool:
    """Of two seats one says what the other does."""
    return effect.measure.kind == "seat" and effect.measure.name == "1" and found.base.seats == 2


def effect_name(effect: Effect, found: Compared, roles: Sequence[str]) -> str:
    """As the lines of a comparison are called: the first is the headline."""
    return measure(effect.measure, roles) if effect is not found.effects[0] else "win rate"


def what_moved(found: Compared, roles: Sequence[str]) -> str:
    """`turns −3.5 (−3.8 to −3.2), from 24.1 to 20.6`; where nothing moves: what would have been seen."""
    clear = moved(found)
    if clear:
        return words.listing([_moved(effect, roles) for effect in clear[:MOVED]])
    told = [effect for effect in found.effects if not _mirrors_the_first(effect, found)]
    seen = words.listing([f"{measure(effect.measure, roles)} by {_least_seen(effect)}" for effect in told])
    chance = f"; a change of {seen} would have been seen four times in five" if seen else ""
    return f"no measure moves distinguishably from zero{chance}"


def _moved(effect: Effect, roles: Sequence[str]) -> str:
    scale, unit = (1, "") if effect.measure.kind == "column" else (100, f"{words.NBSP}%")
    difference = effect.difference.interval
    estimate, limits = words.change(difference, scale, least=1)
    digits = max(words.digits_for(difference.half_width * scale), 1)
    ends = " to ".join(
        f"{words.number(side.interval.estimate * scale, digits)}{unit}"
        for side in (effect.base, effect.changed)
    )
    told = estimate if scale == 1 else differences.points(estimate)
    return f"{measure(effect.measure, roles)} {told} ({limits}), from {ends}"


def _least_seen(effect: Effect) -> str:
    """The change that a test at 5 % would find with a chance of 80 %: 2.8 standard errors; where no game
    differs, the end of the interval.
    """
    scale = 1 if effect.measure.kind == "column" else 100
    difference = effect.difference
    least = scale * (
        2.8 * difference.se
        if difference.se
        else max(abs(difference.interval.low), abs(difference.interval.high))
    )
    text = words.number(least, words.digits_for(least))
    return text if scale == 1 else differences.points(text)


def value(it: Any) -> str:
    """A value of a scenario as text; a table by what it says: `[draw 1, end_attack]`."""
    if isinstance(it, list):
        return f"[{', '.join(map(value, it))}]"
    if isinstance(it, dict):
        return " ".join(map(value, it.values()))
    return "none" if it is None else str(it).lower() if isinstance(it, bool) else str(it)


def doubt(difference: Interval, adjusted: float | None, among: str) -> str:
    """Why a difference is no finding: its own interval holds 0, or only the adjustment for all that was
    looked at decides; "" for a finding.
    """
    if difference.low <= 0 <= difference.high:
        return "not distinguishable from zero"
    if adjusted is not None and adjusted >= 1 - difference.level:
        return f"not distinguishable from zero once adjusted for {among}"
    return ""


def worth(difference: Interval, kinds: Sequence[str], who: str) -> str:
    """`escape is worth 3.1 percentage points (2.5 to 3.7) to garrison`: the value of an option is what is
    lost without it (Jaffe et al. 2012).
    """
    option = words.listing([kind.replace("_", " ") for kind in kinds])
    gain = differences.reversed_(difference)
    if gain.low <= 0 <= gain.high:
        return (
            f"nobody can tell that {option} {'is' if len(kinds) == 1 else 'are'} worth anything to {who}: "
            f"{differences.signed(gain, least=1)}"
        )
    size = differences.size(gain, least=1)
    are, costs = ("is", "costs") if len(kinds) == 1 else ("are", "cost")
    return f"{option} {are} worth {size} to {who}" if gain.estimate > 0 else f"{option} {costs} {who} {size}"


def option_use(use: Mapping) -> str:
    """How often the option left out was used."""
    forced = (
        f"; left out, it still had to be used {use['forced']:.1f} times, where nothing else was legal"
        if use["forced"]
        else ""
    )
    return f"used {use['free']:.1f} times a game (in {use['games']} games played again){forced}"


def rests_on(assumed: int) -> str:
    if not assumed:
        return "no value is assumed"
    return f"it rests on {words.count(assumed)} assumed {'value' if assumed == 1 else 'values'}"


def measure(it: Measure, roles: Sequence[str]) -> str:
    """The name of its line."""
    if it.kind == "seat":
        return f"{words.plain(roles[int(it.name)])} seat wins"
    if it.kind == "policy":
        return f"{it.name} wins a seat"
    return "turns" if it.name == "turn" else it.name


def effect_table(rows: Sequence[Mapping]) -> Iterator[str]:
    """A line for each measure: as it is, changed, difference with its limits, p adjusted for all lines; then
    what is adjusted for what.
    """
    yield f"{'':<24} {'as it is':>10} {'changed':>10}   {'difference':<28} {'p adjusted':>12}"
    for row in rows:
        scale, unit = (100, " %") if row["kind"] != "column" else (1, "")
        base, changed = (f"{row[side]['estimate'] * scale:,.2f}{unit}" for side in ("base", "changed"))
        difference = Interval(**row["difference"])
        estimate, limits = words.change(difference, scale, least=1)
        p = words.p_value(row["p_adjusted"])
        numbers = f"{base:>10} {changed:>10}   {f'{estimate} ({limits})':<28} {p:>12}"
        yield f"{row['name']:<24} {numbers}   {doubt(difference, row['p_adjusted'], 'all lines')}".rstrip()
    level = words.level(rows[0]["difference"]["level"])
    yield (
        f"Each interval covers {level} by itself, as the sentence above does; p is adjusted for all lines "
        "(Benjamini & Hochberg 1995)."
    )


def pairing(factor: float | None, differing: Mapping) -> str:
    """What common luck was good for."""
    share = f"{words.percent(differing['estimate'])} of the games end differently"
    if factor is None:
        return "no game ends differently"
    if factor < 1.05:
        return (
            f"{share}; pairing factor {factor:.2f}: common luck is {'little' if factor >= 1 else 'no'} help "
            "here"
        )
    return (
        f"{share}; pairing factor {factor:.1f}: without common luck it would take {factor:.1f} times as many "
        "games"
    )


# ---------------------------------------------------------------- step by step, from one edition to another


def steps(document: dict) -> str:
    """What a designer can quote: the largest step, and all of them together."""
    *alone, together = document["steps"]
    most = max(alone, key=lambda step: abs(step["difference"]["estimate"]))
    a = together["headline"]["a"]["estimate"], together["headline"]["b"]["estimate"]
    doubted = doubt(Interval(**most["difference"]), most["p_adjusted"], "all steps")
    unsure = f", {doubted}" if doubted else ""
    largest, whole = (
        differences.signed(Interval(**step["difference"]), least=1) for step in (most, together)
    )
    players = ", ".join(document["a"]["policies"])
    return (
        f"{changes.titled(document, players)}: of {len(alone)} changes, each made by itself, "
        f'"{most["title"]}" moves the win rate most, by {largest}{unsure}; all together by {whole}, '
        f"from {words.percent(a[0])} to {words.percent(a[1])} (95 % intervals, paired on common luck, "
        f"{document['n']:,} games a side, seed {document['seed']}); {rests_on(document['a']['assumed'])}."
    )


def step_table(found: list[dict]) -> list[str]:
    """One line a step: win rate, turns, score, and p adjusted for all steps (Holm 1979)."""
    width = max(len(step["title"]) for step in found)
    lines = [f"{'':<{width}}  win rate, percentage points  turns    score   p adjusted"]
    for step in found:
        effects = {effect["measure"]: effect["difference"]["estimate"] for effect in step["effects"]}
        numbers = f"{effects.get('turn', 0.0):+8.2f} {effects.get('score', 0.0):+8.2f}"
        unsure = doubt(Interval(**step["difference"]), step["p_adjusted"], "all steps")
        if is_idle(step):
            unsure = differences.never(step["changed_games"]["of"])
        moved = differences.numbers(Interval(**step["difference"]), least=1)
        lines.append(
            f"{step['title']:<{width}}  {moved:<24} {numbers}   {words.p_value(step['p_adjusted']):<12}   "
            f"{unsure}".rstrip()
        )
    return lines
