"""Duration of a game, of a turn, and of the wait between a player's turns, in plays by people."""

from collections.abc import Iterator
from dataclasses import replace

from bartizan.analyses.people.minutes import FEWEST, SIMULATED, LevelMinutes, Minutes
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.blocks import Block, Entry, Lines, Table
from bartizan.reports.text import estimates, words

HEADING = "Duration of a game"
MOST_ROWS = 3  # listed plays that are left out


def blocks(m: Minutes) -> tuple[Block, ...]:
    """Return the estimates by level, as lines of text and, for several levels, a table.

    Without estimates, returns a single line.
    """
    if not m.levels:
        return (Lines((headline(m),)),)
    table = (_table(m),) if len(m.levels) > 1 else ()
    return (*table, Lines((headline(m), *_lines(m))))


def headline(m: Minutes) -> str:
    """Return the duration of a game as a sentence, by level if there are several.

    For example: `Duration of a game: 86 minutes (82–91) on average, 9 games in 10 take 65 to 112; 95 %
    intervals of the mean`. Without estimates, the sentence states how many plays are needed.
    """
    if not m.levels:
        return _needed(m)
    several = len(m.levels) > 1
    listed = [f"{f'{row.level} ' if several else ''}{_of_level(row)}" for row in m.levels]
    at = f" with {words.many(m.players, 'player')}" if m.players else ""
    waits = f"; a player waits {words.percent(m.waiting.estimate, 0)} of the time" if m.waiting else ""
    level = words.level(m.levels[0].mean.level)
    return f"{HEADING}{at}: {'; '.join(listed)}{waits}; {level} intervals{'' if waits else ' of the mean'}."


def _of_level(row: LevelMinutes) -> str:
    one, share = row.one_game, words.number(10 * row.one_game.level)
    span = f"{words.number(one.low)} to {words.number(one.high)}"
    return f"{minutes(row.mean)} on average, {share} games in 10 take {span}"


def _needed(m: Minutes) -> str:
    if not m.needed:
        return f"{HEADING}: not estimated, because no simulated game of {m.policy} ends."
    have = words.many(m.plays, "play") if m.plays else "no play"
    return (
        f"{HEADING}: {have} with recorded minutes; an estimate needs {FEWEST}. Record the minutes of "
        f"{words.many(m.needed, 'more play' if m.plays else 'play')}."
    )


def _table(m: Minutes) -> Table:
    level, one = words.level(m.levels[0].mean.level), words.level(m.levels[0].one_game.level)
    at = f" with {words.many(m.players, 'player')}" if m.players else ""
    whose = "for the one group that played" if m.groups == 1 else "for groups like these"
    caption = (
        f"Minutes per game{at} {whose}: mean with a {level} interval, and the range of {one} of single "
        f"games. {_source(m)}"
    )
    return Table(HEADING, caption, ("Level", "Plays", "Mean minutes", "One game"), tuple(map(_row, m.levels)))


def _source(m: Minutes) -> str:
    """Return a sentence on the source of the number of turns."""
    if m.turns_from == "plays":
        return (
            f"The number of {m.unit}s is estimated from people's plays at the level, plus games of "
            f"{m.policy} with the weight of {SIMULATED} plays."
        )
    return (
        "A level without recorded minutes is predicted from the other levels, assuming that people take as "
        f"many {m.unit}s there as {m.policy}."
    )


def _row(row: LevelMinutes) -> tuple[Entry, ...]:
    middle, low, high = (words.number(value) for value in (row.mean.estimate, row.mean.low, row.mean.high))
    one = words.span(row.one_game.low, row.one_game.high)
    return Entry(row.level), Entry(words.count(row.plays)), Entry(middle, f"{low}–{high}"), Entry(one)


def _lines(m: Minutes) -> Iterator[str]:
    assert m.per_turn is not None and m.turns is not None
    players = f", {minutes(m.per_turn_and_player)} for each of {m.players} players" if _several(m) else ""
    assumed = (
        "" if m.turns_from == "plays" else f"; assumes that people take as many {m.unit}s as {m.turns_from}"
    )
    yield (
        f"A {m.unit} takes {minutes(m.per_turn)}{players}, including set-up, in a game of "
        f"{words.number(m.turns)} {m.unit}s{assumed}."
    )
    if m.wait and m.own_turn and m.longest_wait:
        own = "choice, which is the whole turn," if m.choices == 1 else "turn"
        yield (
            f"A player's own {own} takes {minutes(m.own_turn)}; the wait between two of them is "
            f"{minutes(m.wait)}, and the longest wait of a game {minutes(m.longest_wait)}. This assumes that "
            "all choices take equally long, that a turn without a choice takes no time, and that people make "
            f"as many as {m.policy} in {words.many(m.games, 'game')}."
        )
    if m.by_players:
        low, middle, high = (2**end for end in (m.by_players.low, m.by_players.estimate, m.by_players.high))
        factor = Interval(middle, low, high, m.by_players.level, m.by_players.method)
        yield f"With twice as many players, a game takes {_numbers(factor, 'times', 2)} as long."
    if m.turns_from == "plays" or len(m.levels) > 1:
        yield _source(m)
    yield _rests_on(m)
    if m.implausible:
        listed = [f"{words.number(one.minutes)} minutes ({one.place})" for one in m.implausible[:MOST_ROWS]]
        more = len(m.implausible) - len(listed)
        listed += [f"{more} more"] if more else []
        yield f"Left out as implausible (was the clock left running?): {words.listing(listed)}."


def _several(m: Minutes) -> bool:
    return m.own_turn is None and m.per_turn_and_player is not None and (m.players or 1) > 1


def _rests_on(m: Minutes) -> str:
    """Return the data behind the estimates as a sentence: numbers of plays and groups, and omitted plays."""
    without = f" ({m.unnamed} without names, each counted as one group)" if m.unnamed else ""
    by = f"by {words.many(m.groups, 'group')} of people{without}"
    alone = "; other groups may be faster or slower" if m.groups == 1 else ""
    left = words.listing([f"{number} {reason}" for reason, number in m.left_out.items()])
    sure = f"; {words.level(m.levels[0].mean.level)} intervals"
    left = f"; left out: {left}" if left else ""
    return f"{words.many(m.plays, 'play')} with minutes, {by}{alone}{left}{sure}."


def method(m: Minutes | None) -> str:
    """Return the method of the estimates; "" without estimates."""
    if not m or not m.levels:
        return ""
    return f"minutes: {m.method}, with groups of people, half-normal priors on both standard deviations"


def minutes(value: Interval | None) -> str:
    """Return a duration such as `4.6 minutes (4.2–5.1)`, in seconds if it is below one minute."""
    assert value is not None
    return _numbers(value.scaled(60), "seconds") if value.estimate < 1 else _numbers(value, "minutes")


def _numbers(value: Interval, unit: str, least: int = 0) -> str:
    said = estimates.number(value, least=least)
    return str(replace(said, text=f"{said.text} {unit}"))
