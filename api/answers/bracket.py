"""`bracket`: win rates by skill, from random to lookahead policies."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from bartizan.analyses.experiments import bracket as experiment
from bartizan.analyses.experiments.ceiling import ceiling
from bartizan.analyses.records import brackets, rung_ends
from bartizan.analyses.statistics.looks import plain_level_of
from bartizan.api.answer import Answer
from bartizan.api.caveats import caveat, framed
from bartizan.api.effort import roles_of, scenarios_at
from bartizan.api.keeping import json_file
from bartizan.api.questions.skill import BracketQuestion
from bartizan.api.reading import listed, path_of
from bartizan.policies import archive, registry
from bartizan.policies.request import Request, match_of, name_in_commands
from bartizan.policies.weights_file import shipped as shipped_weights
from bartizan.reports.blocks import View
from bartizan.reports.document import tail
from bartizan.reports.render import terminal
from bartizan.reports.text import changes, words
from bartizan.reports.views import bracket as bracket_views
from bartizan.simcore.errors import PolicyError, UsageError, as_spelled, did_you_mean
from bartizan.simcore.files import updating
from bartizan.simcore.game import Game, around
from bartizan.simcore.play.batch import Source, Stretch
from bartizan.simcore.play.match import Match
from bartizan.simcore.scenario.changes import changes_of
from bartizan.simcore.scenario.loading import Scenario
from bartizan.simcore.sources import rules_version, source_of

Keep = Callable[[dict[str, Any], Sequence[dict[str, Any]]], None]  # saves a bracket and its new rows
MAY_LACK = (brackets.NEWCOMER, brackets.LOOKAHEAD, brackets.PEEKING)  # rungs that a game need not have


@dataclass(frozen=True, eq=False)
class RungSeat:
    """The game, scenario and role for which a bracket is measured. The policies of this role are compared."""

    game: Game
    scenario: Scenario
    role: str  # "": all seats are alike
    seed: int

    @property
    def seat(self) -> int:
        return 0 if self.game.alike else self.game.roles.index(self.role)

    @property
    def default(self) -> str:
        """The default policy that the game declares, even if a better policy is known."""
        return self.game.default_for(self.role or self.game.roles[0])

    def table(self, policy: str, other: str = "") -> list[str]:
        """Return the policy of each seat: `policy` in the seat `self.seat`, and `other` in all other seats.

        If `other` is "", the default policies play the other seats.
        """
        named = [other or self.game.default_for(role) for role in self.game.roles_in(self.scenario)]
        return [policy if seat == self.seat else one for seat, one in enumerate(named)]

    def seatings(self, policy: str, other: str = "") -> tuple[tuple[Match, int], ...]:
        """Return (match, seat of the policy) pairs.

        If all seats are identical, there is one pair for each seat that the policy can take.
        """
        table = self.table(policy, other)
        tables = around(table, self.seat) if self.game.alike else [(tuple(table), self.seat)]
        return tuple((match_of(self.game, self.scenario, seats, self.seed), seat) for seats, seat in tables)

    def opponents(self) -> list[str]:
        return [one for seat, one in enumerate(self.table(self.default)) if seat != self.seat]


def answer_bracket(question: BracketQuestion) -> Answer:
    """Measure the requested rungs that are not yet known."""
    request, effort = question.request(difficulty=None, policy=None), question.effort(question.games)
    game, out = request.game, path_of(question.out)
    keep: Keep = partial(_keep, out, json_file(out), game) if out else lambda bracket, rows: None
    seats = list(_able(seats_of(request, question), question))
    if question.upper and not game.is_builtin:  # a built-in game is rejected at once
        effort.watch.looking(f"{game.name}: enumerating all states first, which takes seconds to minutes")
    ceilings = [
        ceiling(seat.seatings(seat.default), empty(seat)["draw"]) if question.upper else None
        for seat in seats
    ]
    known = brackets.read(out) if out else brackets.shipped(name_in_commands(game))
    chosen = ("scenario", "difficulty", "role", "rung", "plays", "games", "slow_games", "settings", "archive")
    command = question.command_with(game, *chosen, "seed", "players", "set")
    asked = [AskedBracket(empty(seat), *rungs_of(seat, question)) for seat in seats]
    with effort.source(game) as source:
        plan = [stretch for one in asked for stretch in one.stretches(known, source)]
        source.expect(sum(len(stretch.games) for stretch in plan), plan)
        for one in asked:
            known = _merged(known, one.measured(known, source, command, keep))
    own = [_looked_at(_known(one.empty, known)) for one in asked]
    kept = [rung_ends.judged(_beyond(*pair)) for pair in zip(own, ceilings, strict=True)]
    scenario = seats[0].scenario
    document = {
        **_document(game, kept),
        "title": scenario.model.title,
        "scenario": scenario.name,
        "changes": changes_of(game, scenario),
        "sentences": [bracket_views.sentence(bracket_views.MeasuredBracket.read(row)) for row in kept],
        **tail(scenario),
        **caveat(game, scenario),
    }
    for bracket in own:
        keep(bracket, bracket["rungs"])
    if out:
        effort.watch.kept(out)
    return answered(game, document, partial(bracket_views.view, changes.titled(document), kept))


@dataclass(frozen=True)
class AskedBracket:
    """A requested bracket.

    empty: its document without rungs. rungs: the requested rungs. left_out: a row with the reason for each
    rung that the game does not support.
    """

    empty: dict[str, Any]
    rungs: list[experiment.Rung]
    left_out: list[dict[str, Any]]

    def stretches(self, known: Sequence[dict[str, Any]], source: Source) -> Iterator[Stretch]:
        """Yield the games that are not known yet.

        The games of the policies with which lookahead policies are compared are omitted.
        """
        before = _known(self.empty, known)
        for rung in self.rungs:
            missing = range(_there(rung, _old(rung, before)), rung.games)
            yield from experiment.stretches(rung, source, missing)

    def measured(
        self, known: Sequence[dict[str, Any]], source: Source, command: str, keep: Keep
    ) -> dict[str, Any]:
        """Return the bracket with its measured rungs."""
        grown = _known(self.empty, known)
        kinds = {rung.kind for rung in self.rungs}  # an earlier version may have left out one of these
        grown["left_out"] = self.left_out or [one for one in grown["left_out"] if one["rung"] not in kinds]
        for rung in self.rungs:
            for row in measured(rung, grown, source, command):
                place = brackets.place_of(row)
                others = [old for old in grown["rungs"] if brackets.place_of(old) != place]
                grown["rungs"] = sorted([*others, row], key=brackets.place_of)
                keep(grown, [row])
        return grown


def _looked_at(bracket: dict[str, Any]) -> dict[str, Any]:
    """Return the bracket with one more look at each rung, because it is shown."""
    return {**bracket, "rungs": [{**row, "looks": brackets.looks_with(row)} for row in bracket["rungs"]]}


def answered(game: Game, document: Mapping[str, Any], view: Callable[[], View]) -> Answer:
    return Answer(document, lambda: framed(game, document, terminal.lines(view())), view=view)


def _keep(
    out: Path,
    write: Callable[[Mapping[str, Any]], Path],
    game: Game,
    bracket: dict[str, Any],
    measured: Sequence[dict[str, Any]],
) -> None:
    """Write rungs of a bracket into its file, and keep rungs that other processes have measured meanwhile.

    If a rung was measured twice, the measurement with more games is kept.
    """
    with updating(out):
        there = brackets.read(out)
        rows = {brackets.place_of(row): row for row in _known(bracket, there)["rungs"]}
        for row in measured:
            held = rows.get(place := brackets.place_of(row), row)
            is_older = held["player"] != row["player"] or held["seed"] != row["seed"]
            rows[place] = row if is_older or row["games"] >= held["games"] else held
        rungs = sorted(rows.values(), key=brackets.place_of)
        write(_document(game, _merged(there, {**bracket, "rungs": rungs})))


def _document(game: Game, kept: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {"schema": brackets.SCHEMA, "game": game.name, "brackets": list(kept)}


def _beyond(bracket: dict[str, Any], ceiling: brackets.Ceiling | None) -> dict[str, Any]:
    """Return the bracket with the proven upper bound for all players and the extrapolated effort curve."""
    leads = rung_ends.extrapolated(bracket["rungs"], bracket["draw"])
    return {**bracket, "upper": ceiling and ceiling.plain(), "extrapolated": leads and leads.to_dict()}


# ---------------------------------------------------------------- requested rungs


def seats_of(request: Request, question: BracketQuestion) -> Iterator[RungSeat]:
    game, base = request.game, request.loaded
    all_levels = [base.difficulty] if "difficulty" in request.values else base.model.difficulties()
    for scenario in scenarios_at(request, listed(question.difficulty) or all_levels).values():
        for role in roles_of(game, scenario, question.role):
            yield RungSeat(game, scenario, role, question.seed)


def _able(seats: Iterable[RungSeat], question: BracketQuestion) -> Iterator[RungSeat]:
    """Yield the seats that have a requested rung. Raises UsageError if there is none."""
    lacking, is_any = [], not question.rung
    for seat in seats:
        rungs, left_out = rungs_of(seat, question) if question.rung else ([], [])
        lacking += [one["why"] for one in left_out]
        is_any = is_any or bool(rungs)
        if rungs or not question.rung:
            yield seat
    if not is_any:
        kinds = words.listing([as_spelled(one, brackets.RUNGS) for one in listed(question.rung)])
        why = lacking[0] if lacking else f"{seat.game.name} has no policy of this kind"
        raise UsageError(f"--rung {kinds}: {why}; choose another --rung, or omit it")


def rungs_of(seat: RungSeat, question: BracketQuestion) -> tuple[list[experiment.Rung], list[dict[str, Any]]]:
    """Return the requested rungs, and a row with the reason for each rung that the game does not support.

    Raises UsageError for an unknown rung, and PolicyError for a requested policy that cannot play.
    """
    named = [as_spelled(rung, brackets.RUNGS) for rung in listed(question.rung)]
    if unknown := [one for one in named if one not in brackets.RUNGS]:
        raise UsageError(
            f"--rung {unknown[0]}: no such kind of policy{did_you_mean(unknown[0], brackets.RUNGS)}"
        )
    rungs, left_out = [], []
    more = f",{question.settings}" if question.settings else ""
    for kind, policy, plays in _players(seat, question):
        if named and kind not in named:
            continue
        try:
            if seat.role and not registry.plays(seat.game, policy, seat.role):
                raise PolicyError(
                    f"policy {policy} does not play the role {seat.role}; choose another "
                    "policy, or another --role"
                )
            rung = experiment.Rung(kind, policy, seat.seatings(policy), question.games, plays)
        except PolicyError as error:
            if kind not in MAY_LACK or (more and _can_play(seat, policy.replace(more, ""))):
                raise
            left_out.append({"rung": kind, "policy": policy, "why": str(error).split(";")[0]})
            continue
        if plays:  # a lookahead policy: fewer games, and its base policy for comparison
            best = trained(seat, existing_archive(question.archive))
            base = experiment.Rung(kind, best, seat.seatings(best), question.slow_games)
            rung = replace(rung, games=question.slow_games, base=base)
        rungs.append(rung)
    return rungs, left_out


def _can_play(seat: RungSeat, policy: str) -> bool:
    try:
        seat.seatings(policy)
    except PolicyError:
        return False
    return True


def _players(seat: RungSeat, question: BracketQuestion) -> Iterator[tuple[str, str, int]]:
    """Yield (rung, policy, simulations per decision) for each rung."""
    best = trained(seat, existing_archive(question.archive))
    live = seat.game.compiled.live
    if live is None or "random" in registry.policies_of(seat.game):
        yield brackets.RANDOM, "random", 0
    for newcomer in () if live else newcomers_of(seat.game):
        yield brackets.NEWCOMER, newcomer, 0
    if seat.default != "random":
        yield brackets.HEURISTIC, seat.default, 0
    if best != seat.default:
        yield brackets.TRAINED, best, 0
    if live and not live.declared.steps:
        return
    parts = [part.strip() for part in question.plays.split(",")]
    if not all(part.isdecimal() and int(part) >= 2 for part in parts):
        raise UsageError(f"--plays {question.plays}: write integers of at least 2, such as 8,16,32,64")
    plays = sorted({int(part) for part in parts})
    more = f",{question.settings}" if question.settings else ""
    for most in plays:
        yield brackets.LOOKAHEAD, f"lookahead:base={best},plays={most}{more}", most
    if live:
        return
    yield brackets.PEEKING, f"lookahead:base={best},plays={plays[-1]}{more},peek=1", plays[-1]


def newcomers_of(game: Game) -> list[str]:
    """Return the default newcomer, followed by a newcomer for each of its shipped weight files."""
    known = registry.policies_of(game).get(brackets.NEWCOMER)
    return [
        brackets.NEWCOMER,
        *(f"{brackets.NEWCOMER}@{name}" for name in (shipped_weights(known) if known else ())),
    ]


def trained(seat: RungSeat, own: Path | None = None) -> str:
    """Return the best policy without lookahead in the archives, or the game's default policy.

    own: the user's archive file.
    """
    entries = archive.entries_of(archive.file_of(name_in_commands(seat.game)), *([own] if own else []))
    known = archive.quick(archive.of_seat(entries, seat.game, seat.scenario, seat.role))
    return known[-1] if known else seat.default


def existing_archive(text: str | Path | None) -> Path | None:
    """Return the path of `--archive`; None without the option.

    Raises UsageError for a missing file, because its policies would be silently left out.
    """
    if (own := path_of(text)) and not own.is_file():
        raise UsageError(
            f"--archive {own}: no such file; check the path (bartizan ladder --admit writes it when it "
            "admits a policy)"
        )
    return own


# ---------------------------------------------------------------- known and measured rungs


def empty(seat: RungSeat) -> dict[str, Any]:
    """Return the document of a bracket that has no measured rungs yet."""
    scenario, game = seat.scenario, seat.game
    return {
        "scenario": scenario.name,
        "scenario_hash": scenario.hash,
        "behaviour": game.behaviour,
        **source_of(game),
        "difficulty": scenario.difficulty,
        "levels": len(scenario.model.difficulties()),
        "role": seat.role,
        "opponents": seat.opponents(),
        "alike": game.alike,
        "draw": game.draw_in(scenario),
        "rungs": [],
        "left_out": [],
    }


def _known(bracket: dict[str, Any], known: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the bracket with the rungs that were measured earlier."""
    before = next((one for one in known if brackets.is_same(one, bracket)), bracket)
    before = brackets.with_current_rungs(before)
    return {**bracket, "rungs": list(before["rungs"]), "left_out": list(before["left_out"])}


def _merged(known: Sequence[dict[str, Any]], bracket: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the known brackets with this one replaced or appended.

    Brackets of other versions of the rules are dropped.
    """
    rest = [one for one in known if rules_version(one) == rules_version(bracket)]
    if any(brackets.is_same(one, bracket) for one in rest):
        return [bracket if brackets.is_same(one, bracket) else one for one in rest]
    return [*rest, bracket]


def _old(rung: experiment.Rung, bracket: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the saved row of a rung with the same players and seed; {} if there is none."""
    row = brackets.rung_of(bracket, rung.kind, rung.plays, rung.policy) or {}
    seed = rung.seatings[0][0].seed
    return row if (row.get("player"), row.get("seed")) == (rung.player, seed) else {}


def _there(rung: experiment.Rung, old: Mapping[str, Any]) -> int:
    """Return the number of games that need no new simulation.

    A lookahead rung reuses all saved games. Any other rung reuses them only if there are enough.
    """
    games = old.get("games", 0)
    return games if rung.is_slow or games >= rung.games else 0


def measured(
    rung: experiment.Rung, bracket: Mapping[str, Any], source: Source, command: str
) -> Iterator[dict[str, Any]]:
    """Yield the row of a rung when all its games are simulated, or, with lookahead, after each batch.

    If the rung already has enough games, yield at most one row, which adds missing games of the base policy.
    """
    old = _old(rung, bracket)
    if _there(rung, old) >= rung.games:
        if rung.kind == brackets.LOOKAHEAD and len(old.get("base_ends", "")) < old["games"]:
            yield {**old, "base_ends": _of_base(rung, old["games"], source)}
        return
    ends, earlier = old.get("ends", ""), brackets.looks_at(old)
    of_base = _of_base(rung, rung.games, source) if rung.kind == brackets.LOOKAHEAD else ""
    below = _below(rung, bracket, source)
    for more in experiment.play(rung, source, range(len(ends), rung.games)):
        ends += more
        if rung.is_slow or len(ends) == rung.games:
            row = row_of(rung, ends, bracket["draw"], below, command, earlier)
            yield {**row, "base_ends": of_base[: len(ends)]} if of_base else row


def row_of(
    rung: experiment.Rung,
    ends: str,
    draw: float,
    below: tuple[str, str] | None,
    command: str,
    earlier: Sequence[int] = (),
) -> dict[str, Any]:
    """Return the row of a rung.

    ends: the end of each game, one letter per game. below: the policy of the rung to compare with, and the
    ends of its games. earlier: number of games at each earlier look.
    """
    level = plain_level_of(len(earlier) + 1)
    effect = rung_ends.gain(below[1], ends, draw, level) if below else None
    gain = None
    if below and effect:
        gain = {"over": below[0], "games": effect.n, **effect.difference.interval.to_dict()}
    return {
        "rung": rung.kind,
        "policy": rung.policy,
        **brackets.files_of(rung.policy),
        "plays": rung.plays,
        "playable": rung.kind != brackets.PEEKING,
        "games": len(ends),
        "wins": ends.count(rung_ends.WON),
        "draws": ends.count(rung_ends.DRAWN),
        "capped": ends.count(rung_ends.TRUNCATED_END),
        "win_rate": rung_ends.win_rate(ends, draw, level).to_dict(),
        "gain": gain,
        "seed": rung.seatings[0][0].seed,
        "measured": date.today().isoformat(),
        "command": command,
        "player": rung.player,
        "looks": list(earlier),
        **({"ends": ends} if rung.is_slow else {}),
    }


def _of_base(rung: experiment.Rung, games: int, source: Source) -> str:
    """Return the ends of the same games with the base policy of a lookahead policy, one letter per game."""
    assert rung.base
    return "".join(experiment.play(rung.base, source, range(games)))


def _below(rung: experiment.Rung, bracket: Mapping[str, Any], source: Source) -> tuple[str, str] | None:
    """Return the policy with which a lookahead policy is compared, and the ends of its games.

    This is the policy with half the simulations or, for a policy that uses hidden information, the policy
    with the same number. If that rung was not measured, the base policy is used. Returns None for rungs
    without lookahead.
    """
    if rung.base is None:
        return None
    plays = rung.plays if rung.kind == brackets.PEEKING else rung.plays // 2
    half = brackets.rung_of(bracket, brackets.LOOKAHEAD, plays)
    if half and half["seed"] == rung.seatings[0][0].seed:
        return half["policy"], half["ends"]
    base = rung.base
    return base.policy, "".join(experiment.play(base, source, range(base.games)))
