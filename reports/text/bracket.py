"""A bracket in words: how often players of rising skill win one level, in one role, and what the last
doubling of effort added.
"""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bartizan.analyses.records.brackets import (
    HEURISTIC,
    LOOKAHEAD,
    NEWCOMER,
    PEEKING,
    RANDOM,
    best_found,
    doubled,
)
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.text import differences, words
from bartizan.simcore.scenario.parameters import as_text

UNPLAYABLE = "not playable: sees the coming cards"
POLICIES_ONLY = "The rungs are computer policies: where a person stands on them, games with people would say."


def document(bracket: Mapping) -> dict[str, Any]:
    """A bracket for a reader: with its sentence, without how each game ended."""
    rungs = [{key: value for key, value in row.items() if key != "ends"} for row in bracket["rungs"]]
    return {**bracket, "rungs": rungs, "sentence": sentence(bracket)}


def unmeasured(named: str, scenario: str | None, difficulty: str, sets: Mapping[str, Any]) -> str:
    """The line of a scenario that no bracket is of. named: the game, in commands."""
    said = shlex.join(["bartizan", "bracket", named, *options(scenario, difficulty, sets)])
    return f"No bracket has been measured for this variant; `{said}` measures one."


def options(scenario: str | None, difficulty: str | None, sets: Mapping[str, Any]) -> Iterator[str]:
    """Of a command that is to be about these numbers."""
    for option, value in (("--scenario", scenario), ("--difficulty", difficulty)):
        yield from (option, value) if value else ()
    for path, value in sets.items():
        yield from ("--set", f"{path}={as_text(value)}")


def heading(bracket: Mapping) -> str:
    """`Elite`; `Allied against security_officer`; `A seat among copies of steward`."""
    level = [words.title(bracket["difficulty"])] if bracket["levels"] > 1 else []
    others = words.listing(list(dict.fromkeys(bracket["opponents"])))
    if bracket["alike"]:
        return ", ".join([*level, f"a seat against {others}" if level else f"A seat against {others}"])
    if others:
        level.append(f"{words.title(bracket['role'])} against {others}")
    return ", ".join(level) or "Win rate"


def sentence(bracket: Mapping) -> str:
    """`Elite: 2 % for a newcomer, 9 % for garrison, 21 % for the best play found, ...; the last doubling of
    effort ...`.
    """
    told = [f"{_share(row)} for {_who(row, bracket)}" for row in _told(bracket)]
    last = doubled(bracket)
    effort = f"; {_doubling(last)}" if last else ""
    return f"{heading(bracket)}: {', '.join(told)}{effort} ({_how_sure(bracket)})."


def brief(bracket: Mapping) -> str:
    """`Elite: from 2 % (...) for a newcomer to 31 % (...) for the best play found, ...`: its two ends."""
    told = [f"{_share(row)} for {_who(row, bracket)}" for row in _told(bracket)]
    ends = f"from {told[0]} to {told[-1]}" if len(told) > 1 else told[0]
    return f"{heading(bracket)}: {ends}."


def _told(bracket: Mapping) -> list[Mapping]:
    """The rungs that a sentence names: the first-time player, or else chance; the heuristic; the best."""
    rows = {row["rung"]: row for row in bracket["rungs"]}
    named = [rows.get(NEWCOMER, rows.get(RANDOM)), rows.get(HEURISTIC), best_found(bracket)]
    return [row for i, row in enumerate(named) if row and row not in named[:i]]


def _who(row: Mapping, bracket: Mapping) -> str:
    plain = {RANDOM: "random play", NEWCOMER: "a newcomer", HEURISTIC: row["policy"]}
    best = f"the best play found, {row_name(row)}"
    if row is not best_found(bracket):
        return plain[row["rung"]]
    return f"{plain[row['rung']]}, the best play found" if row["rung"] in plain else best


def row_name(row: Mapping) -> str:
    """`garrison`; `look-ahead with garrison@elite, 64 plays a decision`."""
    return policy_name(row["policy"])


def policy_name(policy: str) -> str:
    """The same of a policy as it is named on a rung."""
    base, _, said = policy.partition("base=")[2].partition(",plays=")
    if not said:
        return policy
    plays, *more = said.split(",")
    return ", ".join([f"look-ahead with {base}, {words.count(int(plays))} plays a decision", *more])


def _share(row: Mapping) -> str:
    return words.share_with_limits(Interval(**row["win_rate"]))


def _doubling(row: Mapping) -> str:
    difference = interval_of(row["gain"])
    return (
        f"the last doubling of effort, to {words.count(row['plays'])} plays a decision, added "
        f"{differences.signed(difference, least=1)}"
    )


def interval_of(gain: Mapping) -> Interval:
    return Interval(**{key: gain[key] for key in ("estimate", "low", "high", "level", "method")})


def _how_sure(bracket: Mapping) -> str:
    """`95 % intervals; 20,000 games, look-ahead 40`"""
    rungs = bracket["rungs"]
    plain = sorted({row["games"] for row in rungs if not row["plays"]})
    ahead = sorted({row["games"] for row in rungs if row["plays"]})
    parts = [f"{_span(plain)} games"] if plain else []
    parts += [f"look-ahead {_span(ahead)}{'' if plain else ' games'}"] if ahead else []
    level = rungs[0]["win_rate"]["level"]
    return f"{words.level(level)} intervals; {', '.join(parts)}"


def _span(numbers: Sequence[int]) -> str:
    return " to ".join(words.count(n) for n in dict.fromkeys((numbers[0], numbers[-1])))


# ---------------------------------------------------------------- every rung


def lines(bracket: Mapping) -> Iterator[str]:
    """The sentence, a line a rung, and who is not there."""
    yield sentence(bracket)
    for row in bracket["rungs"]:
        yield f"  {row_name(row):<56} {_share(row):<22} {'; '.join(notes(row))}"
    for one in bracket["left_out"]:
        yield f"  no rung {one['rung']}: {one['why']}"


def notes(row: Mapping[str, Any]) -> Iterator[str]:
    """`40 games`, `+9.3 percentage points (...) over garrison on the same games`"""
    yield f"{words.count(row['games'])} {'game' if row['games'] == 1 else 'games'}"
    if row["rung"] in (LOOKAHEAD, PEEKING) and row["gain"]:
        gain = differences.signed(interval_of(row["gain"]), least=1)
        yield f"{gain} over {policy_name(row['gain']['over'])}"
    if row["rung"] == PEEKING:
        yield UNPLAYABLE
