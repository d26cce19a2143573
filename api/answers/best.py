"""`best`: the archive of best players, and how one gets into it: by a sequential test on seeds of its own."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from bartizan.analyses.experiments import sequential
from bartizan.analyses.experiments.sequential import YES, Answered
from bartizan.analyses.records import brackets
from bartizan.analyses.records.shipped import about
from bartizan.api.answer import Answer
from bartizan.api.answers.bracket import RungSeat
from bartizan.api.caveats import caveat, framed
from bartizan.api.caveats import shown as answer_of
from bartizan.api.keeping import writing
from bartizan.api.playing import INCONCLUSIVE, Effort, roles_of
from bartizan.api.questions.best import BestQuestion
from bartizan.api.reading import half_width, path_of
from bartizan.policies import archive, registry
from bartizan.policies.archive import Entry
from bartizan.policies.request import Request, command_of, name_in_commands
from bartizan.policies.weights_file import text_of
from bartizan.reports.render import terminal
from bartizan.reports.text import changes, played
from bartizan.reports.views import best as views
from bartizan.simcore.errors import PolicyError, UsageError
from bartizan.simcore.game import Game, game_names
from bartizan.simcore.scenario.changes import changes_of
from bartizan.simcore.scenario.loading import load_scenario
from bartizan.simcore.sweep.files import write_atomic

# chances of letting one in that is no better, and of turning one away that is better by twice the margin
ALPHA, BETA = 0.01, 0.05
HEAD = "# The best players found, by level and role: `bartizan best --admit` adds an entry.\n"


def answer(question: BestQuestion) -> Answer:
    if question.admit and not question.name:
        raise UsageError(
            f"best --admit {question.admit}: to which game? bartizan best GAME --admit {question.admit}"
        )
    if not question.name:
        answers = [shown(Request(name), None, None) for name in game_names()]  # each under its own scenario
        document = {
            "schema": "bartizan.best/1",
            "best": [row for each in answers for row in each.to_dict()["best"]],
            "history": [entry for each in answers for entry in each.to_dict()["history"]],
        }
        return Answer(document, lambda: (line for each in answers for line in each.lines()))
    if question.admit is None:
        return shown(question.request(difficulty=None), question.role, path_of(question.archive))
    return _admitted(question, question.admit)


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
        **played.tail(base),
        **caveat(game, base),
    }
    players = [views.BestPlayer.read(row) for row in rows]
    view = views.view(changes.titled(document), players)
    return Answer(document, lambda: framed(game, document, terminal.lines(view)))


def _tables(request: Request, entries: Sequence[Entry]) -> list[dict[str, str]]:
    """What is set for each number of players that is asked about: the one that is named, or all there are
    where the archive tells them apart.
    """
    if request.players is not None or not any("players" in entry for entry in entries):
        return [request.values]
    return [replace(request, players=players).values for players in request.game.player_counts]


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


def _admitted(question: BestQuestion, policy: str) -> Answer:
    """The candidate against the best there is; it is written down if the test says yes."""
    request, margin = question.request(), half_width(question.margin, "--margin")
    effort = question.effort(question.games, seed=0)
    game, files = request.game, _files(request, path_of(question.archive))
    entries = archive.entries_of(*files)
    role = roles_of(game, request.loaded, question.role)[0]
    seat = RungSeat(game, request.loaded, role, 0)
    before = archive.of_seat(entries, game, request.loaded, role)
    incumbent = before[-1]["policy"] if before else seat.default
    if before and incumbent == policy and not _is_current(before[-1], seat):
        incumbent = seat.default  # its name has come to stand for another player: it may ask again
    if policy == incumbent:
        raise UsageError(f"--admit {policy}: is the best found already")
    if role and not registry.plays(game, policy, role):
        roles = ", ".join(registry.find_policy(game, policy).roles)
        raise UsageError(f"--admit {policy}: plays {roles}; say --role")
    seat = replace(seat, seed=seed_of(request, role, policy, incumbent, entries))
    tested = _tested(seat, policy, margin, incumbent, effort)
    command = command_of(
        "best",
        name_in_commands(game),
        admit=policy,
        scenario=request.scenario,
        difficulty=request.difficulty,
        role=question.role,
        margin=f"{margin * 100:g}pp",
        games=question.games,
        players=request.players,
    )
    document = _document(seat, policy, margin, incumbent, tested, command)
    if tested.answer == YES:
        plain = document.plain()
        entry = {key: plain[key] for key in (*archive.KEYS, "players") if key in plain}
        _write(files[-1], entry | {"weights": weights_hash(game, policy), "method": views.METHOD})
        effort.watch.kept(files[-1])
    code = {"yes": 0, "no": 1}.get(tested.answer, INCONCLUSIVE)
    return answer_of(game, document, views.admission_view(document), exit_code=code)


def seed_of(request: Request, role: str, policy: str, incumbent: str, entries: Sequence[Entry]) -> int:
    """A seed that follows from what is asked: no earlier admission had it, no search has met it, and nobody
    can pick a kind one.
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
    raise AssertionError("more seeds were tried than were used")


def _tested(seat: RungSeat, policy: str, margin: float, incumbent: str, effort: Effort) -> Answered:
    """Seats that are alike: the candidate among copies of the best there is, turned round, against a table of
    these alone. Else: each of the two in the same seat, against the same opponents.
    """
    claim = sequential.Hypothesis("B - A > 0", 1, margin, margin, ALPHA, BETA)
    other = incumbent if seat.game.alike else ""
    base, changed = ([match for match, _ in seat.seatings(player, other)] for player in (incumbent, policy))
    if incumbent == other:
        base = base[:1]  # one policy has all seats: every seating plays the same games
    with effort.source(seat.game, effort.games) as source:
        return sequential.analyze(claim, base, changed, effort.games, source, seat.seat)


def _document(
    seat: RungSeat, policy: str, margin: float, incumbent: str, tested: Answered, command: str
) -> views.Admission:
    scenario, raw = seat.scenario, tested.raw
    document = views.Admission.of_levels(
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
        admitted=tested.answer == YES,
        answer=tested.answer,
        pairs=tested.pairs,
        limit=tested.limit,
        looks=tested.looks,
        test=views.AdmissionTest(margin=margin, alpha=ALPHA, beta=BETA),
        seed=seat.seed,
        win_rate=raw.changed.interval,
        win_rate_before=raw.base.interval,
        margin=tested.adjusted or raw.difference.interval,
        capped=tested.capped,
        found=date.today().isoformat(),
        command=command,
    )
    return document.model_copy(update={"sentence": views.admission(document)})


def _write(path: Path, entry: Entry) -> None:
    """One more entry at the end of an archive."""
    tables = {key: value for key, value in entry.items() if isinstance(value, Mapping)}  # intervals
    text = f"\n[[best]]\n{text_of({key: value for key, value in entry.items() if key not in tables})}"
    text += "".join(f"\n[best.{key}]\n{text_of(value)}" for key, value in tables.items())
    with writing(str(path)):
        archived = path.read_text(encoding="utf-8") if path.exists() else HEAD
        write_atomic(path, (archived + text).encode())
