"""Brackets: win rates of players of increasing skill, and the gain from the last doubling of effort."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import Any, Self

from bartizan.analyses.document import Document, optional
from bartizan.analyses.records import rung_ends
from bartizan.analyses.records.brackets import (
    HEURISTIC,
    LOOKAHEAD,
    NEWCOMER,
    PEEKING,
    RANDOM,
    RUNGS,
    TRAINED,
    Ceiling,
)
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports import entries
from bartizan.reports.blocks import Block, ChartMark, Entry, Figure, Lines, Table, View, share_mark
from bartizan.reports.figures import curves, theme
from bartizan.reports.text import differences, words
from bartizan.simcore.commands import command_of
from bartizan.simcore.game import beside
from bartizan.simcore.sources import OWN_GAMES

HEADING = "Difficulty by skill"
ENDS = ("ends", "base_ends")  # the result of each game, which is not shown
SHOWN = 10_000  # a ceiling is rounded up to a multiple of 1 / SHOWN
UNPLAYABLE = "not playable: sees hidden cards"
POLICIES_ONLY = "All players here are computer policies. Only games with people can show where people rank."
CAPTION = (
    "Share of games won by computer players of increasing skill. The line through a dot is its "
    f"{words.CONFIDENCE} interval."
)
AHEAD = " Numbers are simulations per decision of a lookahead policy."
BEYOND = " The hollow dot is a policy that sees hidden cards, which no player can."
AXIS = {
    RANDOM: "chance",
    NEWCOMER: "newcomer",
    HEURISTIC: "heuristic",
    TRAINED: "trained",
    PEEKING: "sees cards",
}


@dataclass(frozen=True)
class Gain(Interval):
    """Gain in the share of wins, paired game by game."""

    over: str  # the policy it is compared with
    games: int


class RungRow(Document):
    rung: str
    policy: str
    plays: int  # simulations per decision; 0: no lookahead
    games: int
    win_rate: Interval
    gain: Gain | None  # None: no lookahead
    measured: str  # date
    models: int = 1  # number of newcomer models in this band
    joint: Interval | None = optional()  # win rate, simultaneous for all playable policies
    # gain of a lookahead policy over its base policy, simultaneous for all lookahead policies
    over_base: Gain | None = optional()

    @property
    def beats_its_base(self) -> bool:
        """Whether a lookahead policy wins significantly more than its base policy in the same games.

        Always True for policies without lookahead.
        """
        return not self.plays or (self.over_base is not None and self.over_base.low > 0)

    @property
    def name(self) -> str:
        """The policy in words: `garrison`, `lookahead with garrison@elite, 64 simulations per decision`."""
        return policy_name(self.policy)


class MeasuredBracket(Document):
    """Win rates by skill at one level and in one role."""

    difficulty: str
    levels: int
    role: str  # "": all seats are alike
    opponents: list[str]
    alike: bool
    rungs: list[RungRow]
    left_out: list[dict[str, str]] = []
    upper: Ceiling | None = None
    extrapolated: Interval | None = None

    @property
    def heading(self) -> str:
        """Level and role in words: `Elite`, `Allied against security_officer`, `A seat against steward`."""
        level = [words.title(self.difficulty)] if self.levels > 1 else []
        others = words.listing(list(dict.fromkeys(self.opponents)))
        if self.alike:
            return ", ".join([*level, f"a seat against {others}" if level else f"A seat against {others}"])
        if others:
            level.append(f"{words.title(self.role)} against {others}")
        return ", ".join(level) or "Win rate"

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Self:
        """Read a bracket from a shipped file or from JSON output."""
        return super().read(rung_ends.judged(document))

    @cached_property
    def best_found(self) -> RungRow:
        """The best playable policy. The interval of its win rate is simultaneous over all candidates.

        The best policy is the one with the greatest lower limit, because selecting the greatest estimate
        would bias the estimate. A lookahead policy must also beat its base policy in the same games.
        """
        quoted = [
            row.model_copy(update={"win_rate": row.joint or row.win_rate})
            for row in self.rungs
            if row.rung != PEEKING
        ]
        # if only lookahead was measured, it may not beat its base: then sentences do not call it best
        return max(quoted, key=lambda row: (row.beats_its_base, row.win_rate.low))

    def is_best(self, row: RungRow) -> bool:
        best = self.best_found
        return row.models == 1 and (row.rung, row.policy) == (best.rung, best.policy)

    @property
    def doubled(self) -> RungRow | None:
        """The row of a lookahead policy that was compared with one of half as many simulations per decision.

        If there are several such policies, it is the one with the most simulations; if there are none, None.
        """
        policies = {row.plays: row.policy for row in self.rungs if row.rung == LOOKAHEAD}
        pairs = [
            row
            for row in self.rungs
            if row.rung == LOOKAHEAD and row.gain and policies.get(row.plays // 2) == row.gain.over
        ]
        return max(pairs, key=lambda row: row.plays, default=None)

    @property
    def shown(self) -> list[RungRow]:
        """The rows of the bracket that tables and figures show.

        All models of a newcomer are merged into one band, from the weakest to the strongest.
        """
        models = [row for row in self.rungs if row.rung == NEWCOMER]
        if len(models) < 2:
            return self.rungs
        low, high = min(row.win_rate.low for row in models), max(row.win_rate.high for row in models)
        level, games = models[0].win_rate.level, sum(row.games for row in models)
        band = Interval((low + high) / 2, low, high, level, f"bounds over {len(models)} models of a newcomer")
        row = models[0].model_copy(update={"win_rate": band, "games": games, "models": len(models)})
        at = self.rungs.index(models[0])
        return [*self.rungs[:at], row, *(one for one in self.rungs[at:] if one.rung != NEWCOMER)]

    def quoted(self, row: RungRow) -> Interval:
        """Return the interval that sentences, tables and figures give for a row.

        For the best policy, the interval is adjusted for the selection.
        """
        return self.best_found.win_rate if self.is_best(row) else row.win_rate

    @property
    def named(self) -> list[RungRow]:
        """The rows that a sentence names: newcomer (or random play), heuristic, and the best policy."""
        rows = {row.rung: row for row in self.shown}
        others = rows.get(NEWCOMER, rows.get(RANDOM)), rows.get(HEURISTIC)
        return [*(row for row in others if row and not self.is_best(row)), self.best_found]


def document(bracket: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON of a bracket for a reader, with its sentence and without results of single games."""
    known = rung_ends.judged(bracket)
    rungs = [{key: value for key, value in row.items() if key not in ENDS} for row in known["rungs"]]
    return {**bracket, "rungs": rungs, "sentence": sentence(MeasuredBracket.read(bracket))}


def unmeasured(named: str, scenario: str | None, difficulty: str | None, sets: Mapping[str, Any]) -> str:
    """Return the line for a scenario without a bracket, with the command that measures one.

    named: name or path of the game in commands. For a user's own game, the command saves the bracket where
    reports look for it.
    """
    out = str(beside(named, "bracket.json")) if named.endswith(OWN_GAMES) else None
    command = command_of(
        "bracket", named, scenario=scenario, difficulty=difficulty or None, set=sets, out=out
    )
    return f"No bracket has been measured for this variant. To measure one, run `{command}`."


# ---------------------------------------------------------------- sentences


def sentence(bracket: MeasuredBracket) -> str:
    """Return the win rates by skill as a sentence, with the gain from the last doubling of effort.

    For example: `Elite: 2 % (...) for a newcomer, 9 % (...) for garrison, 21 % (...) for the best play found,
    NAME; the last doubling of effort, to 64 simulations per decision, added ... (95 % intervals; ...).`
    """
    last, effort = bracket.doubled, ""
    if last and last.gain:
        effort = (
            f"; the last doubling of effort, to {words.count(last.plays)} simulations per decision, added "
            f"{differences.signed(last.gain, least=1)}"
        )
    return f"{bracket.heading}: {', '.join(_wins(bracket))}{effort} ({_how_sure(bracket)})."


def above(bracket: MeasuredBracket) -> Iterator[str]:
    """Yield sentences on limits above the best policy found: the proven bound, and the extrapolated limit."""
    if bracket.upper:
        rate = bracket.upper.win_rate
        most = words.percent(ceil(rate.high * SHOWN) / SHOWN, 2)
        reached = "that" if rate.high - rate.low < 1 / SHOWN else words.percent(rate.low, 2)
        yield (
            f"{bracket.heading}: no player wins more than {most}, even with hidden information; some player "
            f"wins {reached} (proved by {rate.method}, {words.many(bracket.upper.states, 'state')})."
        )
    if leads := bracket.extrapolated:
        end = f"{words.percent(leads.estimate, words.share_digits(leads))} ({words.share_limits(leads)})"
        where = end if leads.high < 1 else f"{words.percent(leads.low, 0)} or more (no upper limit)"
        yield (
            f"{bracket.heading}: as the number of simulations grows, this lookahead policy would win "
            f"{where}. This is an extrapolation, not a bound."
        )


def weak(bracket: MeasuredBracket) -> Iterator[str]:
    """Yield a warning if the default policy is not shown to be better than a newcomer or random play."""
    heuristic = next((row for row in bracket.rungs if row.rung == HEURISTIC), None)
    below = [row for row in bracket.named if row.rung in (NEWCOMER, RANDOM)]
    if heuristic and below and heuristic.win_rate.low <= below[0].win_rate.high:
        yield (
            f"{bracket.heading}: {heuristic.policy} is not shown to win more than {_who(below[0], bracket)}. "
            "The results of its games are those of a weak player."
        )


def brief(bracket: MeasuredBracket) -> str:
    """Return the range of win rates by skill as a sentence.

    For example: `Elite: from 2 % (...) for a newcomer to 31 % (...) for the best play found, NAME.`
    """
    first, *others = _wins(bracket)
    return f"{bracket.heading}: {f'from {first} to {others[-1]}' if others else first}."


def _wins(bracket: MeasuredBracket) -> list[str]:
    return [f"{words.share_with_limits(row.win_rate)} for {_who(row, bracket)}" for row in bracket.named]


def _who(row: RungRow, bracket: MeasuredBracket) -> str:
    plain = {RANDOM: "random play", NEWCOMER: "a newcomer", HEURISTIC: row.policy}
    if row.models > 1:
        return f"{plain[row.rung]} ({row.models} models)"
    if not bracket.is_best(row):
        return plain[row.rung]
    if not row.beats_its_base:
        return f"{row.name} (not shown to win more than its base policy)"
    return (
        f"{plain[row.rung]}, the best play found" if row.rung in plain else f"the best play found, {row.name}"
    )


def policy_name(policy: str) -> str:
    """Return a policy's name for a sentence: `lookahead with garrison, 64 simulations per decision`."""
    base, _, settings = policy.partition("base=")[2].partition(",plays=")
    if not settings:
        return policy
    plays, *more = settings.split(",")
    return ", ".join([f"lookahead with {base}, {words.count(int(plays))} simulations per decision", *more])


def _how_sure(bracket: MeasuredBracket) -> str:
    """Return level and numbers of games, such as `95 % intervals; 20,000 games, lookahead 40`."""
    plain = sorted({row.games for row in bracket.rungs if not row.plays})
    ahead = sorted({row.games for row in bracket.rungs if row.plays})
    parts = [f"{_span(plain)} games"] if plain else []
    parts += [f"lookahead {_span(ahead)}{'' if plain else ' games'}"] if ahead else []
    levels = sorted({row.win_rate.level for row in bracket.rungs})
    later = "; 99 % or more for policies with a second look" if levels[1:] else ""
    return f"{words.level(levels[0])} intervals{later}; {', '.join(parts)}"


def _span(numbers: Sequence[int]) -> str:
    return " to ".join(words.count(n) for n in dict.fromkeys((numbers[0], numbers[-1])))


# ---------------------------------------------------------------- marks of the main chart


def marks(bracket: MeasuredBracket | None, played: Sequence[ChartMark] = ()) -> tuple[ChartMark, ...]:
    """Return marks from the newcomer to the best play found, in ascending order of the win rate.

    played: marks of simulated policies. They replace the bracket's mark of the heuristic and marks with the
    same name.
    """
    names = {mark.name for mark in played}
    rows = [row for row in bracket.named if row.policy not in names] if bracket else []
    ends = [_mark(row, bracket) for row in rows if bracket and not (played and row.rung == HEURISTIC)]
    return tuple(sorted((*ends, *played), key=lambda mark: mark.interval.estimate))


def _mark(row: RungRow, bracket: MeasuredBracket) -> ChartMark:
    if bracket.is_best(row) and row.beats_its_base:
        return share_mark("best play found", row.win_rate, row.games, "best", row.name)
    if row.rung == HEURISTIC:
        return share_mark(row.policy, row.win_rate, row.games)
    return share_mark(row.name if row.plays else row.rung, row.win_rate, row.games, "first")


# ---------------------------------------------------------------- blocks


def view(title: str, documents: Sequence[Mapping[str, Any]]) -> View:
    """Return the view of a game's brackets. title: name of the game with its changes."""
    brackets = [MeasuredBracket.read(row) for row in documents]
    places = _places(brackets)
    sees_cards = any(kind == PEEKING for kind, _ in places)
    left_out = [f"not measured: {row['rung']} ({row['why']})" for one in brackets for row in one.left_out]
    blocks: tuple[Block, ...] = (
        Lines((*map(sentence, brackets), *(line for one in brackets for line in (*weak(one), *above(one))))),
        *_figures(brackets, places),
        _table(brackets),
        Lines((*left_out, *([f"peek=1: {UNPLAYABLE}."] if sees_cards else []), POLICIES_ONLY)),
    )
    ahead = AHEAD if any(plays for _, plays in places) else ""
    beyond = BEYOND if sees_cards else ""
    lead = f"{title}: win rates of players of increasing skill"
    return View(lead, blocks, title=HEADING, caption=f"{CAPTION}{ahead}{beyond}")


def _places(brackets: Sequence[MeasuredBracket]) -> list[tuple[str, int]]:
    """Return (rung, simulations) along the axis. All policies that see hidden cards share one place."""
    rows = [row for bracket in brackets for row in bracket.rungs]
    places = {(row.rung, 0 if row.rung == PEEKING else row.plays) for row in rows}
    return sorted(places, key=lambda place: (RUNGS.index(place[0]), place[1]))


def _figures(brackets: Sequence[MeasuredBracket], places: Sequence[tuple[str, int]]) -> Iterator[Figure]:
    if not places:
        return
    names = [AXIS.get(kind, f"{plays:,}") for kind, plays in places]
    colours = theme.player_colours([bracket.heading for bracket in brackets])
    drawn = [_curve(bracket, places, colours[bracket.heading]) for bracket in brackets]
    picture = curves.Dotted(drawn, of="games won", names=names, with_key=len(drawn) > 1)
    yield Figure("Win rate by skill", picture)


def _curve(bracket: MeasuredBracket, places: Sequence[tuple[str, int]], colour: str) -> curves.DrawnCurve:
    rows = [row for row in bracket.shown if row.rung != PEEKING]
    seeing = [row.win_rate for row in bracket.rungs if row.rung == PEEKING]
    along = tuple(places.index((row.rung, row.plays)) for row in rows)
    shares = tuple(bracket.quoted(row) for row in rows)
    return curves.DrawnCurve(bracket.heading, colour, along, shares, beyond=seeing[-1] if seeing else None)


def _table(brackets: Sequence[MeasuredBracket]) -> Table:
    caption = (
        "Computer players of increasing skill, on common random numbers. The gain of lookahead is the "
        "difference from the same policy with half as many simulations or without lookahead, in the same "
        "games."
    )
    headers = ("Level or role", "Player", "Games won", "Gain", "Measured")
    rows = tuple(_row(bracket, row) for bracket in brackets for row in bracket.rungs)
    return Table(HEADING, caption, headers, rows)


def _row(bracket: MeasuredBracket, row: RungRow) -> tuple[Entry, ...]:
    games = words.many(row.games, "game")
    return (
        Entry(bracket.heading),
        Entry(words.sentence(row.name), method=UNPLAYABLE if row.rung == PEEKING else ""),
        entries.share(bracket.quoted(row)),
        _gain(row.gain) if row.gain else entries.NONE,
        Entry(row.measured, games),
    )


def _gain(gain: Gain) -> Entry:
    """Return a cell with a gain and the policy with which it is compared."""
    points = entries.points(gain, with_method=True)
    return Entry(points.text, points.limits, f"{points.method}; over {policy_name(gain.over)}")
