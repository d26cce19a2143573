"""`best`: the archive of best players, and how one gets into it: by a sequential test on seeds of its own."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from bartizan.analyses.experiments import sequential
from bartizan.analyses.experiments.sequential import YES, Answered
from bartizan.analyses.records import brackets
from bartizan.analyses.records.shipped import about
from bartizan.policies import archive, registry
from bartizan.policies.archive import Entry
from bartizan.policies.request import Request, command_of, name_in_commands
from bartizan.policies.weights_file import text_of
from bartizan.reports.answers.answer import INCONCLUSIVE, Answer, Effort, caveat, framed, writing
from bartizan.reports.answers.answer import shown as answer_of
from bartizan.reports.answers.bracket import RungSeat
from bartizan.reports.render import terminal
from bartizan.reports.text import changes, played
from bartizan.reports.views import best as views
from bartizan.simcore.errors import PolicyError, UsageError, did_you_mean
from bartizan.simcore.files import write_atomic
from bartizan.simcore.game import Game, game_names
from bartizan.simcore.play.match import Match
from bartizan.simcore.scenario.changes import changes_of
from bartizan.simcore.scenario.loading import load_scenario

# chances of letting one in that is no better, and of turning one away that is better by twice the margin
ALPHA, BETA = 0.01, 0.05
HEAD = "# The best players found, by level and role: `bartizan best --admit` adds an entry.\n"


@dataclass(frozen=True)
class Candidacy:
    """Who wants to be the best of what, and how sure that must be."""

    policy: str
    role: str | None = None  # the first role's unless given
    margin: float = 0.005
    own: Path | None = None  # an archive of the user's own


def _files(request: Request, own: Path | None) -> list[Path]:
    if own and own.suffix != ".toml":
        raise UsageError(f"--archive {own}: name a .toml file")
    return [archive.file_of(name_in_commands(request.game)), *([own] if own else [])]


# ---------------------------------------------------------------- what there is


def shown(request: Request, role: str | None, own: Path | None) -> Answer:
    """The best of each level and role under the request's scenario."""
    game, base = request.game, request.loaded
    entries = archive.entries_of(*_files(request, own))
    rows = []
    for values in _tables(request, entries):
        for level in base.model.difficulties():
            for one in _roles(request, role):
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
        **played.tail(base),
        **caveat(game, base),
    }
    players = [views.BestPlayer.read(row) for row in rows]
    view = views.view(changes.titled(document), players)
    return Answer(document, lambda: framed(game, document, terminal.lines(view)))


def of_all_games() -> Answer:
    """The best of each level and role of the games there are, each under its own scenario."""
    found = [shown(Request(name), None, None) for name in game_names()]
    document = {
        "schema": "bartizan.best/1",
        "best": [row for one in found for row in one.to_dict()["best"]],
        "history": [entry for one in found for entry in one.to_dict()["history"]],
    }
    return Answer(document, lambda: (line for one in found for line in one.lines()))


def _tables(request: Request, entries: Sequence[Entry]) -> list[dict[str, str]]:
    """What is set for each number of players that is asked about: the one that is named, or all there are
    where the archive tells them apart.
    """
    if request.players is not None or not any("players" in entry for entry in entries):
        return [request.values]
    return [replace(request, players=players).values for players in request.game.player_counts]


def _roles(request: Request, role: str | None) -> tuple[str, ...]:
    """Those asked about: "" where all seats are alike."""
    game = request.game
    roles = ("",) if game.alike else game.roles_in(request.loaded)
    if role is None or role in roles:
        return roles if role is None else (role,)
    why = "all seats are alike" if game.alike else f"no such role{did_you_mean(role, roles)}"
    raise UsageError(f"--role {role}: {why}")


def _row(seat: RungSeat, entries: Sequence[Entry]) -> dict[str, Any]:
    """The last admitted, or the game's default: what a bracket knows of it."""
    if entries:
        current = {"is_current": _is_current(entries[-1], seat)}
        return {"game": seat.game.name, **_players_of(seat), **entries[-1], **current}
    known = about(brackets.shipped(name_in_commands(seat.game)), [seat.scenario.hash], seat.game.behaviour)
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
    """How many play, where that can vary."""
    players = archive.players_in(seat.game, seat.scenario)
    return {} if players is None else {"players": players}


def _is_current(entry: Entry, seat: RungSeat) -> bool:
    """Was it admitted to the scenario as it is now, under the rules as they are, with the weights it has?"""
    weights = weights_hash(seat.game, entry["policy"])
    return (entry["scenario_hash"], entry["behaviour"]) == (
        seat.scenario.hash,
        seat.game.behaviour,
    ) and entry.get("weights", weights) == weights


def weights_hash(game: Game, policy: str) -> str:
    """16 hex digits over the weights of a policy: a name may come to stand for others, or for nobody ("")."""
    try:
        weights = registry.find_policy(game, policy).weights
    except PolicyError:
        return ""
    return hashlib.sha256(repr(sorted(weights.items())).encode()).hexdigest()[:16]


def _opponent(seat: RungSeat, incumbent: str) -> str:
    """Who it plays against; "": nobody but the game."""
    return incumbent if seat.game.alike else " + ".join(dict.fromkeys(seat.opponents()))


# ---------------------------------------------------------------- one more


def admit(request: Request, effort: Effort, trial: Candidacy) -> Answer:
    """The candidate against the best there is; it is written down if the test says yes. effort.games: most
    pairs.
    """
    game, files = request.game, _files(request, trial.own)
    entries = archive.entries_of(*files)
    role = _roles(request, trial.role)[0]
    seat = RungSeat(game, request.loaded, role, 0)
    before = archive.of_seat(entries, game, request.loaded, role)
    incumbent = before[-1]["policy"] if before else seat.default
    if before and incumbent == trial.policy and not _is_current(before[-1], seat):
        incumbent = seat.default  # its name has come to stand for another player: it may ask again
    _refuse(request, trial.policy, role, incumbent)
    seat = replace(seat, seed=seed_of(request, role, trial.policy, incumbent, entries))
    found = _tested(seat, trial, incumbent, effort)
    document = _document(request, seat, trial, incumbent, found, effort)
    if found.answer == YES:
        _write(files[-1], _entry(document.plain(), seat))
        effort.watch.kept(files[-1])
    code = {"yes": 0, "no": 1}.get(found.answer, INCONCLUSIVE)
    return answer_of(game, document, views.admission_view(document), exit_code=code)


def _refuse(request: Request, policy: str, role: str, incumbent: str) -> None:
    """A candidate that cannot be one."""
    game = request.game
    if policy == incumbent:
        raise UsageError(f"--admit {policy}: is the best found already")
    if role and not registry.plays(game, policy, role):
        roles = ", ".join(registry.find_policy(game, policy).roles)
        raise UsageError(f"--admit {policy}: plays {roles}; say --role")


def seed_of(request: Request, role: str, policy: str, incumbent: str, entries: Sequence[Entry]) -> int:
    """A seed that follows from what is asked: no earlier admission had it, no search has met it, and nobody
    can pick a kind one.
    """
    players = [registry.find_player(request.game, name) for name in (policy, incumbent)]
    said = [request.loaded.hash, request.game.behaviour, role]
    said += [(one.name, one.source_hash, one.weights) for one in players]
    used = {entry["seed"] for entry in entries}
    for turn in range(len(used) + 1):
        digest = hashlib.sha256(repr((said, turn)).encode()).digest()
        seed = int.from_bytes(digest[:6], "big")
        if seed not in used:
            return seed
    raise AssertionError("more seeds were tried than were used")


def _tested(seat: RungSeat, trial: Candidacy, incumbent: str, effort: Effort) -> Answered:
    """Seats that are alike: the candidate among copies of the best there is, turned round, against a table of
    these alone. Else: each of the two in the same seat, against the same opponents.
    """
    claim = sequential.Hypothesis("B - A > 0", 1, trial.margin, trial.margin, ALPHA, BETA)
    other = incumbent if seat.game.alike else ""
    base, changed = (_matches(seat, policy, other) for policy in (incumbent, trial.policy))
    with effort.source(seat.game, effort.games) as source:
        return sequential.analyze(claim, base, changed, effort.games, source, seat.seat)


def _matches(seat: RungSeat, policy: str, other: str) -> list[Match]:
    """One a seating; one where the same policy has all seats."""
    matches = [match for match, _ in seat.seatings(policy, other)]
    return matches[:1] if policy == other else matches


def _document(
    request: Request, seat: RungSeat, trial: Candidacy, incumbent: str, result: Answered, effort: Effort
) -> views.Admission:
    scenario, raw = seat.scenario, result.raw
    document = views.Admission.of_levels(
        "bartizan.best-admit/1",
        seat.game,
        {scenario.difficulty: scenario},
        levels=len(scenario.model.difficulties()),
        role=seat.role,
        **_players_of(seat),
        policy=trial.policy,
        before=incumbent,
        opponent=_opponent(seat, incumbent),
        alike=seat.game.alike,
        admitted=result.answer == YES,
        answer=result.answer,
        pairs=result.pairs,
        limit=result.limit,
        looks=result.looks,
        test=views.AdmissionTest(margin=trial.margin, alpha=ALPHA, beta=BETA),
        seed=seat.seed,
        win_rate=raw.changed.interval,
        win_rate_before=raw.base.interval,
        margin=result.adjusted or raw.difference.interval,
        capped=result.capped,
        found=date.today().isoformat(),
        command=_command(request, trial, effort),
    )
    return document.model_copy(update={"sentence": views.admission(document)})


def _command(request: Request, trial: Candidacy, effort: Effort) -> str:
    return command_of(
        "best",
        name_in_commands(request.game),
        admit=trial.policy,
        scenario=request.scenario,
        difficulty=request.difficulty,
        role=trial.role,
        margin=f"{trial.margin * 100:g}pp",
        games=effort.games,
        players=request.players,
    )


def _entry(document: Mapping[str, Any], seat: RungSeat) -> Entry:
    """What an archive says of an admission."""
    kept = {key: document[key] for key in (*archive.KEYS, "players") if key in document}
    return kept | {"weights": weights_hash(seat.game, document["policy"]), "method": views.METHOD}


def _write(path: Path, entry: Entry) -> None:
    """One more entry at the end of an archive."""
    with writing(str(path)):
        there = path.read_text(encoding="utf-8") if path.exists() else HEAD
        write_atomic(path, (there + "".join(_toml(entry))).encode())


def _toml(entry: Entry) -> Iterator[str]:
    """`[[best]]` and its values; intervals as tables of their own."""
    plain = {key: value for key, value in entry.items() if not isinstance(value, Mapping)}
    yield f"\n[[best]]\n{text_of(plain)}"
    for key, value in entry.items():
        if isinstance(value, Mapping):
            yield f"\n[best.{key}]\n{text_of(value)}"
