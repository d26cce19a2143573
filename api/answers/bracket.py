"""`bracket`: difficulty as a curve over skill: how often players of rising skill win each level."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from bartizan.analyses.experiments import bracket as experiment
from bartizan.analyses.experiments.bracket import Rung
from bartizan.analyses.records import brackets
from bartizan.analyses.records.brackets import HEURISTIC, LOOKAHEAD, NEWCOMER, PEEKING, RANDOM, RUNGS, TRAINED
from bartizan.api.answer import Answer
from bartizan.api.caveats import caveat, framed
from bartizan.api.keeping import json_file
from bartizan.api.playing import roles_of, scenarios_at
from bartizan.api.questions.bracket import BracketQuestion
from bartizan.api.reading import listed, path_of
from bartizan.policies import archive, registry
from bartizan.policies.request import Request, match_of, name_in_commands
from bartizan.reports.render import terminal
from bartizan.reports.text import changes, played
from bartizan.reports.views import bracket as views
from bartizan.simcore.errors import PolicyError, UsageError, did_you_mean
from bartizan.simcore.game import Game
from bartizan.simcore.play.batch import Source
from bartizan.simcore.play.match import Match
from bartizan.simcore.scenario.changes import changes_of
from bartizan.simcore.scenario.loading import Scenario
from bartizan.simcore.seats import around

MAY_LACK = (NEWCOMER, LOOKAHEAD, PEEKING)  # rungs that a game need not have


@dataclass(frozen=True, eq=False)
class RungSeat:
    """A level and a role: where a bracket stands."""

    game: Game
    scenario: Scenario
    role: str  # "": all seats are alike
    seed: int

    @property
    def seat(self) -> int:
        return 0 if self.game.alike else self.game.roles.index(self.role)

    @property
    def default(self) -> str:
        """The policy that the game declares, whatever has been found to play better since."""
        return self.game.default_for(self.role or self.game.roles[0])

    def table(self, policy: str, other: str = "") -> list[str]:
        """A policy in its seat; `other`, or the defaults, in the others."""
        named = [other or self.game.default_for(role) for role in self.game.roles_in(self.scenario)]
        return [policy if seat == self.seat else one for seat, one in enumerate(named)]

    def seatings(self, policy: str, other: str = "") -> tuple[tuple[Match, int], ...]:
        """(match, where the policy sits): turned round where seats are alike."""
        table = self.table(policy, other)
        tables = around(table, self.seat) if self.game.alike else [(tuple(table), self.seat)]
        return tuple((match_of(self.game, self.scenario, seats, self.seed), seat) for seats, seat in tables)

    def opponents(self) -> list[str]:
        return [one for seat, one in enumerate(self.table(self.default)) if seat != self.seat]


def answer(question: BracketQuestion) -> Answer:
    """Measure what is asked for and not known yet."""
    request, effort = question.request(difficulty=None, policy=None), question.effort(question.games)
    game, out = request.game, path_of(question.out)
    write = json_file(out) if out else None
    seats = list(seats_of(request, question))
    known = brackets.read(out) if out else brackets.shipped(name_in_commands(game))
    chosen = ("scenario", "difficulty", "role", "rung", "plays", "games", "slow_games", "settings", "archive")
    command = question.command_with(game, *chosen, "seed", "players", "set")
    brackets_asked = [(empty(seat), *rungs_of(seat, question)) for seat in seats]
    with effort.source(game) as source:
        source.expect(_games(brackets_asked, known))
        for bracket, rungs, left_out in brackets_asked:
            grown = _known(bracket, known)
            kinds = {rung.kind for rung in rungs}  # may have been left out by a version that lacked it
            grown["left_out"] = left_out or [one for one in grown["left_out"] if one["rung"] not in kinds]
            for rung in rungs:
                for row in measured(rung, grown, source, command):
                    others = [old for old in grown["rungs"] if rung_key(old) != rung_key(row)]
                    grown["rungs"] = sorted([*others, row], key=rung_key)
                    if write:
                        write(_document(game, _merged(known, grown)))
            known = _merged(known, grown)
    kept = [_known(bracket, known) for bracket, *_ in brackets_asked]
    scenario = seats[0].scenario
    document = {
        **_document(game, kept),
        "title": scenario.model.title,
        "scenario": scenario.name,
        "changes": changes_of(game, scenario),
        "sentences": [views.sentence(views.MeasuredBracket.read(row)) for row in kept],
        **played.tail(scenario),
        **caveat(game, scenario),
    }
    if write and out:
        effort.watch.kept(write(_document(game, known)))
    view = views.view(changes.titled(document), kept)
    return Answer(document, lambda: framed(game, document, terminal.lines(view)))


def _document(game: Game, kept: Sequence[Mapping]) -> dict[str, Any]:
    return {"schema": brackets.SCHEMA, "game": game.name, "brackets": list(kept)}


# ---------------------------------------------------------------- what is asked


def seats_of(request: Request, question: BracketQuestion) -> Iterator[RungSeat]:
    game, base = request.game, request.loaded
    all_levels = [base.difficulty] if "difficulty" in request.values else base.model.difficulties()
    for scenario in scenarios_at(request, listed(question.difficulty) or all_levels).values():
        for role in roles_of(game, scenario, question.role):
            yield RungSeat(game, scenario, role, question.seed)


def rungs_of(seat: RungSeat, question: BracketQuestion) -> tuple[list[Rung], list[dict]]:
    """The rungs asked for, and those that the game has not, with the reason."""
    named = listed(question.rung)
    if unknown := [one for one in named if one not in RUNGS]:
        raise UsageError(f"--rung {unknown[0]}: no such rung{did_you_mean(unknown[0], RUNGS)}")
    rungs, left_out = [], []
    for kind, policy, plays in _players(seat, question):
        if named and kind not in named:
            continue
        try:
            if seat.role and not registry.plays(seat.game, policy, seat.role):
                raise PolicyError(f"policy {policy} does not play {seat.role}")
            rung = Rung(kind, policy, seat.seatings(policy), question.games, plays)
        except PolicyError as error:
            if kind not in MAY_LACK:
                raise
            left_out.append({"rung": kind, "policy": policy, "why": str(error).split(";")[0]})
            continue
        if plays:  # it looks ahead: fewer games, and who it would be without
            best = trained(seat, path_of(question.archive))
            base = Rung(kind, best, seat.seatings(best), question.slow_games)
            rung = replace(rung, games=question.slow_games, base=base)
        rungs.append(rung)
    return rungs, left_out


def _players(seat: RungSeat, question: BracketQuestion) -> Iterator[tuple[str, str, int]]:
    """(rung, policy, plays a decision)"""
    best = trained(seat, path_of(question.archive))
    yield RANDOM, "random", 0
    yield NEWCOMER, "newcomer", 0
    if seat.default != "random":
        yield HEURISTIC, seat.default, 0
    if best != seat.default:
        yield TRAINED, best, 0
    parts = [part.strip() for part in question.plays.split(",")]
    if not all(part.isdigit() and int(part) >= 2 for part in parts):
        raise UsageError(f"--plays {question.plays}: write whole numbers from 2, such as 8,16,32,64")
    plays = sorted({int(part) for part in parts})
    more = f",{question.settings}" if question.settings else ""
    for most in plays:
        yield LOOKAHEAD, f"lookahead:base={best},plays={most}{more}", most
    yield PEEKING, f"lookahead:base={best},plays={plays[-1]}{more},peek=1", plays[-1]


def trained(seat: RungSeat, own: Path | None = None) -> str:
    """The best policy of the archive that does not look ahead; the one that the game declares where there is
    none.
    """
    entries = archive.entries_of(archive.file_of(name_in_commands(seat.game)), *([own] if own else []))
    known = archive.quick(archive.of_seat(entries, seat.game, seat.scenario, seat.role))
    return known[-1] if known else seat.default


# ---------------------------------------------------------------- what is known, and what is measured


def empty(seat: RungSeat) -> dict[str, Any]:
    """A bracket before anything is measured."""
    scenario, game = seat.scenario, seat.game
    return {
        "scenario": scenario.name,
        "scenario_hash": scenario.hash,
        "behaviour": game.behaviour,
        "difficulty": scenario.difficulty,
        "levels": len(scenario.model.difficulties()),
        "role": seat.role,
        "opponents": seat.opponents(),
        "alike": game.alike,
        "draw": 1 / len(game.roles_in(scenario)) if game.alike else 0.0,
        "rungs": [],
        "left_out": [],
    }


def _known(bracket: Mapping, known: Sequence[Mapping]) -> dict[str, Any]:
    """The same bracket with what was measured of it."""
    before = next((one for one in known if brackets.is_same(one, bracket)), bracket)
    return {**bracket, "rungs": list(before["rungs"]), "left_out": list(before["left_out"])}


def _merged(known: Sequence[dict], bracket: dict) -> list[dict]:
    """Known ones with this one in its place, or at the end; those of older rules go."""
    rest = [one for one in known if one["behaviour"] == bracket["behaviour"]]
    if any(brackets.is_same(one, bracket) for one in rest):
        return [bracket if brackets.is_same(one, bracket) else one for one in rest]
    return [*rest, bracket]


def rung_key(row: Mapping) -> tuple[int, int]:
    """The place of a rung in a bracket: by its kind, then by its plays a decision."""
    return RUNGS.index(row["rung"]), row["plays"]


def _old(rung: Rung, bracket: Mapping) -> Mapping[str, Any]:
    """The row of the same players on the same luck; {} if there is none."""
    row = brackets.rung_of(bracket, rung.kind, rung.plays) or {}
    seed = rung.seatings[0][0].seed
    return row if (row.get("player"), row.get("seed")) == (rung.player, seed) else {}


def _games(brackets_asked: Sequence[tuple], known: Sequence[Mapping]) -> int:
    """Games still to be played, but for what a look-ahead is held against."""
    rungs = [
        (rung, _old(rung, _known(bracket, known))) for bracket, rungs, _ in brackets_asked for rung in rungs
    ]
    return sum(max(rung.games - _there(rung, old), 0) for rung, old in rungs)


def _there(rung: Rung, old: Mapping) -> int:
    """Games that need not be played again: of a short rung all or none."""
    games = old.get("games", 0)
    return games if rung.is_slow or games >= rung.games else 0


def measured(rung: Rung, bracket: Mapping, source: Source, command: str) -> Iterator[dict[str, Any]]:
    """The row of a rung, as it grows; nothing where it is known."""
    old = _old(rung, bracket)
    if _there(rung, old) >= rung.games:
        return
    ends = old.get("ends", "")
    below = _below(rung, bracket, source)
    for more in experiment.play(rung, source, len(ends), rung.games):
        ends += more
        if rung.is_slow or len(ends) == rung.games:
            yield row_of(rung, ends, bracket["draw"], below, command)


def row_of(rung: Rung, ends: str, draw: float, below: tuple[str, str] | None, command: str) -> dict[str, Any]:
    """below: the policy of the rung that it is held against, and how its games ended."""
    effect = experiment.gain(below[1], ends, draw) if below else None
    gain = None
    if below and effect:
        gain = {"over": below[0], "games": effect.n, **effect.difference.interval.to_dict()}
    return {
        "rung": rung.kind,
        "policy": rung.policy,
        "plays": rung.plays,
        "playable": rung.kind != PEEKING,
        "games": len(ends),
        "wins": ends.count(experiment.WON),
        "draws": ends.count(experiment.DRAWN),
        "capped": ends.count(experiment.CUT_OFF),
        "win_rate": experiment.win_rate(ends, draw).to_dict(),
        "gain": gain,
        "seed": rung.seatings[0][0].seed,
        "measured": date.today().isoformat(),
        "command": command,
        "player": rung.player,
        **({"ends": ends} if rung.is_slow else {}),
    }


def _below(rung: Rung, bracket: Mapping, source: Source) -> tuple[str, str] | None:
    """What a look-ahead is held against: one with half its plays (one that sees the coming cards: with as
    many), else its base policy, which plays the same games.
    """
    if rung.base is None:
        return None
    plays = rung.plays if rung.kind == PEEKING else rung.plays // 2
    half = brackets.rung_of(bracket, LOOKAHEAD, plays)
    if half and half["seed"] == rung.seatings[0][0].seed:
        return half["policy"], half["ends"]
    base = rung.base
    return base.policy, "".join(experiment.play(base, source, 0, base.games))
