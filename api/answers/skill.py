"""`bracket`, `best` and `ladder`: win rates by skill, the archive of best policies, and ranked policies.

A policy enters the archive by a sequential test, whose seed is derived from the question.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bartizan.analyses.experiments import bracket as experiment
from bartizan.analyses.experiments import sequential
from bartizan.analyses.experiments.ceiling import ceiling
from bartizan.analyses.experiments.ladder import WON_BYTES, LadderExperiment, analyze, pairings_of, play
from bartizan.analyses.records import brackets, rung_ends
from bartizan.analyses.statistics.looks import plain_level_of
from bartizan.api.answer import EXIT_INCONCLUSIVE, Answer
from bartizan.api.caveats import caveat, framed, shown
from bartizan.api.effort import Effort, roles_of, scenarios_at
from bartizan.api.keeping import json_file, place_of
from bartizan.api.questions.skill import BracketQuestion, LadderQuestion
from bartizan.api.reading import half_width, listed, path_of
from bartizan.policies import archive, registry
from bartizan.policies.protocol import as_player
from bartizan.policies.request import Request, command_of, match_of, name_in_commands
from bartizan.policies.restricted import chance_of
from bartizan.policies.weights_file import shipped as shipped_weights
from bartizan.policies.weights_file import text_of
from bartizan.reports.blocks import View
from bartizan.reports.document import tail
from bartizan.reports.render import terminal
from bartizan.reports.text import changes, words
from bartizan.reports.views import best as best_views
from bartizan.reports.views import bracket as bracket_views
from bartizan.reports.views import ladder as ladder_views
from bartizan.simcore.compile.trees import is_ours
from bartizan.simcore.errors import PolicyError, UsageError, as_spelled, did_you_mean
from bartizan.simcore.files import updating, write_atomic, writing
from bartizan.simcore.game import Game, around, game_names
from bartizan.simcore.play.batch import Source
from bartizan.simcore.play.match import Match
from bartizan.simcore.scenario.changes import changes_of
from bartizan.simcore.scenario.loading import Scenario, load_scenario
from bartizan.simcore.sources import joined_hash, rules_version, source_of

if TYPE_CHECKING:
    from bartizan.api.questions.old_names import BestQuestion

FITTED = f"{brackets.NEWCOMER}@people"
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
    write = json_file(out) if out else None
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
    brackets_asked = [(empty(seat), *rungs_of(seat, question)) for seat in seats]
    with effort.source(game) as source:
        rungs_asked = [
            (rung, _old(rung, _known(bracket, known)))
            for bracket, rungs, _ in brackets_asked
            for rung in rungs
        ]  # games of the policies compared with lookahead policies are not counted
        plan = [
            stretch
            for rung, old in rungs_asked
            for stretch in experiment.stretches(rung, source, range(_there(rung, old), rung.games))
        ]
        source.expect(sum(len(stretch.games) for stretch in plan), plan)
        for bracket, rungs, left_out in brackets_asked:
            grown = _known(bracket, known)
            kinds = {rung.kind for rung in rungs}  # an earlier version may have left out one of these
            grown["left_out"] = left_out or [one for one in grown["left_out"] if one["rung"] not in kinds]
            for rung in rungs:
                for row in measured(rung, grown, source, command):
                    place = brackets.place_of(row)
                    others = [old for old in grown["rungs"] if brackets.place_of(old) != place]
                    grown["rungs"] = sorted([*others, row], key=brackets.place_of)
                    if out and write:
                        _keep(out, write, game, grown, [row])
            known = _merged(known, grown)
    for bracket, *_ in brackets_asked:  # showing a row counts as a look
        shown_now = _known(bracket, known)
        shown_now["rungs"] = [{**row, "looks": brackets.looks_with(row)} for row in shown_now["rungs"]]
        known = _merged(known, shown_now)
    kept = [
        rung_ends.judged(_beyond(_known(bracket, known), ceiling))
        for (bracket, *_), ceiling in zip(brackets_asked, ceilings, strict=True)
    ]
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
    if write and out:
        for bracket, *_ in brackets_asked:
            own = _known(bracket, known)
            _keep(out, write, game, own, own["rungs"])
        effort.watch.kept(out)
    return _seen(game, document, partial(bracket_views.view, changes.titled(document), kept))


def _seen(game: Game, document: Mapping[str, Any], view: Callable[[], View]) -> Answer:
    return Answer(document, lambda: framed(game, document, terminal.lines(view())), view=view)


def _keep(
    out: Path,
    write: Callable[[Mapping[str, Any]], Path],
    game: Game,
    bracket: dict[str, Any],
    measured: Sequence[dict[str, Any]] = (),
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


# ---------------------------------------------------------------- what is asked


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

    Raises UsageError for an unknown rung.
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


# ---------------------------------------------------------------- what is known, and what is measured


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
    """Yield the row of a rung; for a slow rung, after each batch of games.

    For a rung that is already measured, yield at most one row, to add missing games of the base policy.
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


# ---------------------------------------------------------------- best


# Type I error rate; Type II error rate for a policy that is better by twice the margin
ALPHA, BETA = 0.01, 0.05
HEAD = "# The best players found, by level and role: `bartizan ladder GAME --admit POLICY` adds an entry.\n"


OF_ONE_GAME = ("difficulty", "role", "scenario", "players")


def answer_best(question: "BestQuestion") -> Answer:
    """Answer the older command `best`: list the best policies, or test one policy."""
    if question.admit and not question.name:
        raise UsageError(
            f"best --admit {question.admit}: no game given; write "
            f"bartizan ladder GAME --admit {question.admit}"
        )
    half_width(question.margin, "--margin")
    if not question.name:
        for option in question.options:
            if option.name in OF_ONE_GAME and getattr(question, option.name) != option.default:
                raise UsageError(
                    f"best {option.flag}: no game given; write bartizan describe GAME --policies"
                )
        return best_of_all()
    request, own = question.request(), path_of(question.archive)
    if question.admit is None:
        return of_game(request, question.role, own)
    margin = half_width(question.margin, "--margin")
    contender = Contender(question.admit, request, question.role, margin, question.games, own)
    return _admitted(contender, question.effort(question.games, seed=0), "best", "games")


def best_of_all() -> Answer:
    """List the best policies of every built-in game, each in its default scenario."""
    answers = [of_game(Request(name), None, None) for name in game_names()]
    document = {
        "schema": "bartizan.best/1",
        "best": [row for each in answers for row in each.to_dict()["best"]],
        "history": [entry for each in answers for entry in each.to_dict()["history"]],
    }
    view = partial(_together, answers)
    return Answer(document, lambda: (line for each in answers for line in each.lines()), view=view)


def _together(answers: Sequence[Answer]) -> View:
    """Combine the tables of all games, each below the sentence about its game."""
    views = [each.view for each in answers if each.view]
    tables = [replace(table, title=view.sentence) for view in views for table in view.tables]
    return View("Best known policies", tuple(tables))


def _files(request: Request, own: Path | None) -> list[Path]:
    if own and own.suffix != ".toml":
        raise UsageError(f"--archive {own}: use a .toml file")
    return [archive.file_of(name_in_commands(request.game)), *([own] if own else [])]


# ---------------------------------------------------------------- what there is


def of_game(request: Request, role: str | None, own: Path | None) -> Answer:
    """Return the best policy for each level and role under the request's scenario."""
    game, base = request.game, request.loaded
    entries = archive.entries_of(*_files(request, own))
    rows = []
    tables = [request.values]
    if request.players is None and any("players" in entry for entry in entries):
        # each number of players, if the archive distinguishes them
        tables = [replace(request, players=players).values for players in game.player_counts]
    for values in tables:
        for level in [request.difficulty] if request.difficulty else base.model.difficulties():
            for one in roles_of(game, base, role):
                seat = RungSeat(game, load_scenario(game, request.scenario, level, values), one, 0)
                rows.append(_row(seat, archive.of_seat(entries, game, seat.scenario, one)))
    document = {
        "schema": "bartizan.best/1",
        "game": game.name,
        "title": base.model.title,
        "scenario": base.name,
        "changes": changes_of(game, base),
        "best": rows,
        "history": [entry for entry in entries if entry["scenario"] == base.name],
        **tail(base),
        **caveat(game, base),
    }
    players = [best_views.BestPlayer.read(row) for row in rows]
    return _seen(game, document, partial(best_views.view, changes.titled(document), players))


def _row(seat: RungSeat, entries: Sequence[archive.Entry]) -> dict[str, Any]:
    """Return the row of the last admitted policy.

    Without one, return the default policy with its bracket result.
    """
    if entries:
        current = {"is_current": _is_current(entries[-1], seat)}
        return {"game": seat.game.name, **_players_of(seat), **entries[-1], **current}
    known = brackets.of_scenario(name_in_commands(seat.game), seat.scenario.hash, seat.game)
    rungs = [row for one in known if one["role"] == seat.role for row in one["rungs"]]
    rung: Mapping[str, Any] = next((row for row in rungs if row["policy"] == seat.default), {})
    return {
        "game": seat.game.name,
        "scenario": seat.scenario.name,
        "difficulty": seat.scenario.difficulty,
        "role": seat.role,
        **_players_of(seat),
        "policy": seat.default,
        "before": None,
        "opponent": _opponent(seat, seat.default),
        "win_rate": rung.get("win_rate"),
        "margin": None,
        "found": rung.get("measured"),
        "command": rung.get("command"),
        "is_current": True,
    }


def _players_of(seat: RungSeat) -> dict[str, int]:
    """Return the number of players as a field of the document; {} if the number is fixed."""
    players = archive.players_in(seat.game, seat.scenario)
    return {} if players is None else {"players": players}


def _is_current(entry: archive.Entry, seat: RungSeat) -> bool:
    """Return whether a policy was admitted under the current scenario, rules, weights and files."""
    now = {"scenario_hash": seat.scenario.hash, "behaviour": seat.game.behaviour}
    now |= hashes_of(seat.game, entry["policy"])
    return all(entry.get(key, value) == value for key, value in now.items())


def hashes_of(game: Game, policy: str) -> dict[str, str]:
    """Return hashes (16 hex digits) of a policy: `weights`, and `files` for code of the user.

    The files are those with the policy's code and with the rules; `files` is "" if both are built in. For an
    unknown policy, only `weights` is returned, as "".
    """
    try:
        found = registry.find_policy(game, policy)
    except PolicyError:
        return {"weights": ""}
    player = as_player(game, found, found.choose)  # nothing is compiled for its hashes
    weights = hashlib.sha256(repr(sorted(player.weights.items())).encode()).hexdigest()[:16]
    files = [game.source_hash, "" if is_ours(player.source) else player.source_hash]
    return {"weights": weights, "files": joined_hash(files) if any(files) else ""}


def _opponent(seat: RungSeat, incumbent: str) -> str:
    """Return the policy of the opposing side; "" if the players' only opponent is the game."""
    return incumbent if seat.game.alike else " + ".join(dict.fromkeys(seat.opponents()))


# ---------------------------------------------------------------- one more


@dataclass(frozen=True)
class Contender:
    """A policy to test against the best known policy.

    request: a game at one level. role: role of the policy (default: the first). margin: the test detects
    gains of at least twice this margin. pairs: maximum number of pairs of games. archive: the user's archive
    file.
    """

    policy: str
    request: Request
    role: str | None
    margin: float
    pairs: int
    archive: Path | None


def _admitted(contender: Contender, effort: Effort, asked: str, pairs: str) -> Answer:
    """Test the contender against the best known policy, and add it to the archive if it is better.

    asked: name of the command. pairs: the command's option for the number of pairs.
    """
    policy, request, margin = contender.policy, contender.request, contender.margin
    game, files = request.game, _files(request, contender.archive)
    entries = archive.entries_of(*files)
    role = roles_of(game, request.loaded, contender.role)[0]
    seat = RungSeat(game, request.loaded, role, 0)
    before = archive.of_seat(entries, game, request.loaded, role)
    incumbent = before[-1]["policy"] if before else seat.default
    if before and incumbent == policy and not _is_current(before[-1], seat):
        incumbent = seat.default  # the name now stands for another player, which may be tested again
    if policy == incumbent:
        raise UsageError(f"--admit {policy}: is already the best known policy; test another one")
    if role and not registry.plays(game, policy, role):
        roles = ", ".join(registry.find_policy(game, policy).roles)
        raise UsageError(f"--admit {policy}: plays {roles}; choose one with --role")
    seat = replace(seat, seed=seed_of(request, role, policy, incumbent, entries))
    # Identical seats: the contender plays among copies of the best policy in each seat, compared with a table
    # of these copies alone. Otherwise: both play in the same seat against the same opponents.
    claim = sequential.Hypothesis("B - A > 0", 1, margin, margin, ALPHA, BETA)
    other = incumbent if game.alike else ""
    base, changed = ([match for match, _ in seat.seatings(player, other)] for player in (incumbent, policy))
    if incumbent == other:
        base = base[:1]  # one policy has all seats, so every seating has the same games
    with effort.source(game, effort.games) as source:
        tested = sequential.analyze(claim, base, changed, effort.games, source, seat.seat)
    options = {
        "admit": policy,
        "scenario": request.scenario,
        "difficulty": request.difficulty,
        "role": contender.role,
        "margin": f"{margin * 100:g}pp",
        pairs: contender.pairs,
        "players": request.players,
    }
    command = command_of(asked, name_in_commands(game), **options)
    document = _admission(seat, policy, margin, incumbent, tested, command)
    if tested.answer == sequential.YES:
        plain = document.plain()
        entry = {key: plain[key] for key in (*archive.KEYS, "players") if key in plain}
        _write(files[-1], entry | hashes_of(game, policy) | {"method": best_views.METHOD})
        effort.watch.kept(files[-1])
    code = {"yes": 0, "no": 1}.get(tested.answer, EXIT_INCONCLUSIVE)
    return shown(game, document, partial(best_views.admission_view, document), exit_code=code)


def seed_of(
    request: Request, role: str, policy: str, incumbent: str, entries: Sequence[archive.Entry]
) -> int:
    """Return a seed derived from the question.

    The user cannot choose it, and no archive entry has used it.
    """
    players = [registry.find_player(request.game, name) for name in (policy, incumbent)]
    identity = [request.loaded.hash, request.game.behaviour, role]
    identity += [(one.name, one.source_hash, one.weights) for one in players]
    used = {entry["seed"] for entry in entries}
    for turn in range(len(used) + 1):
        digest = hashlib.sha256(repr((identity, turn)).encode()).digest()
        seed = int.from_bytes(digest[:6], "big")
        if seed not in used:
            return seed
    raise AssertionError("no unused seed was found")


def _admission(
    seat: RungSeat, policy: str, margin: float, incumbent: str, tested: sequential.Answered, command: str
) -> best_views.Admission:
    scenario, raw = seat.scenario, tested.raw
    document = best_views.Admission.of_levels(
        "bartizan.best-admit/1",
        seat.game,
        {scenario.difficulty: scenario},
        levels=len(scenario.model.difficulties()),
        role=seat.role,
        **_players_of(seat),
        policy=policy,
        before=incumbent,
        opponent=_opponent(seat, incumbent),
        alike=seat.game.alike,
        admitted=tested.answer == sequential.YES,
        answer=tested.answer,
        pairs=tested.pairs,
        limit=tested.limit,
        looks=tested.looks,
        test=best_views.AdmissionTest(margin=margin, alpha=ALPHA, beta=BETA),
        seed=seat.seed,
        win_rate=raw.changed.interval,
        win_rate_before=raw.base.interval,
        margin=tested.adjusted or raw.difference.interval,
        capped=tested.capped,
        found=date.today().isoformat(),
        command=command,
    )
    return document.model_copy(update={"sentence": best_views.admission(document)})


def _write(path: Path, entry: archive.Entry) -> None:
    """Append an entry to an archive file."""
    tables = {key: value for key, value in entry.items() if isinstance(value, Mapping)}  # intervals
    text = f"\n[[best]]\n{text_of({key: value for key, value in entry.items() if key not in tables})}"
    text += "".join(f"\n[best.{key}]\n{text_of(value)}" for key, value in tables.items())
    with updating(path), writing(str(path)):
        archived = path.read_text(encoding="utf-8") if path.exists() else HEAD
        write_atomic(path, (archived + text).encode())


# ---------------------------------------------------------------- ladder


def answer_ladder(question: LadderQuestion) -> Answer:
    """Rank the policies on one scale. If the question names a contender, also test it for the archive."""
    contender = _contender_of(question)
    request = question.request(difficulty=None)
    game = request.game
    scenarios = _levels(request, listed(question.difficulty))
    first = next(iter(scenarios.values()))
    policies = list(request.policy)
    if contender:
        policies = [*(policies or everybody(game, game.roles_in(first))), contender.policy]
    sides = _sides(game, game.roles_in(first), policies, question.noise or "none")
    if len(scenarios) < 2 and all(
        len(side) < 2 for side in sides
    ):  # a scale needs two policies or two levels
        alone = " and ".join(dict.fromkeys(name for side in sides for name in side))
        raise UsageError(
            f"ladder: requires several policies, but there is only {alone}; add others with --policy: "
            "your own file (--policy FILE.py), or other weights (--policy P:weight=2)"
        )
    keep = place_of(question, game)
    default = load_scenario(game, request.scenario).difficulty
    anchors = _anchors(game, game.has_rivals(first), sides, [default, *scenarios])
    effort = question.effort(question.games)
    with effort.source(game) as source:
        experiment = LadderExperiment(game, scenarios, sides, anchors, effort.games, effort.seed)
        effort.holds(WON_BYTES, effort.games * len(pairings_of(experiment)))
        cells = [pairing.contest(rows) for pairing, rows in play(experiment, source)]
    result = analyze(cells, anchors, list(scenarios) if len(scenarios) > 1 else [], effort.seed)
    document = ladder_views.document(experiment, result, **_brackets(request, scenarios))
    keep(document.plain())
    view = partial(ladder_views.view, document)
    answer = shown(game, document, view)
    if contender is None:
        return answer
    tested = _admitted(contender, question.effort(contender.pairs, seed=0), "ladder", "pairs")
    both = {**answer.to_dict(), "admission": tested.to_dict()}
    return Answer(both, lambda: [*answer.lines(), "", *tested.lines()], view=view, exit_code=tested.exit_code)


def _contender_of(question: LadderQuestion) -> Contender | None:
    """Return the policy to test; None if the question names none.

    Raises UsageError for options that cannot be combined with `--admit`.
    """
    margin = half_width(question.margin, "--margin")
    if question.admit is None:
        return None
    if question.set:
        raise UsageError("ladder: --admit tests the unchanged game; remove --set")
    levels = listed(question.difficulty)
    if len(levels) > 1:
        raise UsageError("ladder: --admit tests one level; give --difficulty once")
    request = question.request(difficulty=levels[0] if levels else None, policy=None)
    own = path_of(question.archive)
    return Contender(question.admit, request, question.role, margin, question.pairs, own)


def _brackets(request: Request, scenarios: Mapping[str, Scenario]) -> dict[str, Any]:
    """Return the fields `brackets` and `unmeasured` of the document.

    `brackets` lists the known brackets in the game's order of levels. `unmeasured` contains the command that
    measures the first level without a bracket, or nothing.
    """
    named = name_in_commands(request.game)
    by_level = {
        level: brackets.of_scenario(named, one.hash, request.game) for level, one in scenarios.items()
    }
    lacking = [
        bracket_views.unmeasured(named, request.scenario, level, request.values)
        for level, shipped in by_level.items()
        if not shipped
    ]
    documents = [bracket_views.document(one) for shipped in by_level.values() for one in shipped]
    return {"brackets": documents, "unmeasured": lacking[:1]}


def _levels(request: Request, difficulties: Sequence[str]) -> dict[str, Scenario]:
    """Map levels to scenarios, in the game's order of levels.

    If players compete with each other, only one level is simulated.
    """
    game = request.game
    sets = dict(request.values)
    if game.alike and 2 in game.player_counts:  # two players: every game is a meeting of two policies
        sets = {game.players_path: "2", **sets}
    base = load_scenario(game, request.scenario, None, sets)
    if game.has_rivals(base) and len(difficulties) > 1:
        raise UsageError(
            f"ladder: in {game.name}, players compete with each other and not with a level; choose "
            "one --difficulty"
        )
    one_level = game.has_rivals(base) or "difficulty" in sets
    named = difficulties or ([base.difficulty] if one_level else base.model.difficulties())
    scenarios = {level: load_scenario(game, request.scenario, level, sets) for level in named}
    return {level: scenarios[level] for level in base.model.difficulties() if level in scenarios}


def _sides(game: Game, roles: tuple[str, ...], policy: list[str], noise: str) -> tuple[dict[str, Any], ...]:
    """Map policies to players for each role, with noisy copies of the best policy.

    Identical seats count as one role. Raises UsageError for more than two roles, and for a policy that plays
    none of them.
    """
    if not game.alike and len(roles) > 2:
        raise UsageError(
            f"ladder: supports one role, two roles, or identical seats; {game.name} has {len(roles)} roles"
        )
    chances = (
        [] if noise == "none" or game.compiled.live else [f"{chance_of(one):g}" for one in noise.split(",")]
    )
    policy = [registry.spelled(game, one) for one in policy]
    named = [registry.role_of(game, one) if registry.is_role(game, one) else (None, one) for one in policy]
    for role, one in named:
        if role and game.alike:
            raise UsageError(
                f"ladder: {role}={one}: all seats are identical, and every policy plays in each of them; "
                f"write --policy {one}"
            )
        if role not in (None, *roles) or (
            role is None and not any(registry.plays(game, one, seat) for seat in roles)
        ):
            verb = "play" if len(roles) > 1 else "plays"
            raise UsageError(f"ladder: {one} has no role to play, because only {' and '.join(roles)} {verb}")
    sides = []
    for role in roles[:1] if game.alike else roles:
        mine = [one for of, one in named if of in (None, role) and registry.plays(game, one, role)]
        mine = list(dict.fromkeys(mine or everybody(game, [role])))
        best = game.default_for(role) if game.default_for(role) in mine else mine[-1]
        copies = chances if best != "random" and "noise=" not in best else []
        noisy = [f"{best}{',' if '=' in best else ':'}noise={chance}" for chance in copies]
        sides.append(
            {policy: registry.find_player(game, policy) for policy in dict.fromkeys([*mine, *noisy])}
        )
    return tuple(sides)


def everybody(game: Game, roles: Sequence[str]) -> list[str]:
    """Return the policies that play at least one of these roles.

    If they include `newcomer`, they also include `newcomer@people`, so that newcomers form a band.
    """
    fitted = {brackets.NEWCOMER: [brackets.NEWCOMER, FITTED]}
    names = [name for policy in registry.policies_of(game) for name in fitted.get(policy, [policy])]
    return [name for name in names if any(registry.plays(game, name, role) for role in roles)]


def _anchors(
    game: Game, has_rivals: bool, sides: Sequence[dict[str, Any]], levels: Sequence[str]
) -> tuple[tuple[str, str], ...]:
    """Return (kind, name) candidates for the reference point of the scale, preferred ones first.

    The candidates are the levels, followed by the opposing side's policies with the default policy first.
    has_rivals: whether players in identical seats compete; the candidates are then the policies.
    """
    if has_rivals:
        return tuple(("policy", name) for name in [game.default_policy, *reversed(sides[0])])
    opponents = [game.default_for(game.roles[1]), *reversed(sides[1])] if len(sides) > 1 else []
    return (*(("level", name) for name in levels), *(("opponent", name) for name in opponents))
