"""The archive of best policies: its entries, and the test that admits a policy.

The test is sequential, and its seed is derived from the question.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bartizan.analyses.experiments import sequential
from bartizan.analyses.records import brackets
from bartizan.api.answer import EXIT_INCONCLUSIVE, Answer
from bartizan.api.answers.bracket import RungSeat, answered
from bartizan.api.caveats import caveat, shown
from bartizan.api.effort import Effort, roles_of
from bartizan.api.reading import half_width, path_of
from bartizan.policies import archive, registry
from bartizan.policies.protocol import as_player
from bartizan.policies.request import Request, command_of, name_in_commands
from bartizan.policies.weights_file import text_of
from bartizan.reports.blocks import View
from bartizan.reports.document import tail
from bartizan.reports.text import changes
from bartizan.reports.views import best as best_views
from bartizan.simcore.compile.trees import is_ours
from bartizan.simcore.errors import PolicyError, UsageError
from bartizan.simcore.files import updating, write_atomic, writing
from bartizan.simcore.game import Game, game_names
from bartizan.simcore.scenario.changes import changes_of
from bartizan.simcore.scenario.loading import load_scenario
from bartizan.simcore.sources import joined_hash

if TYPE_CHECKING:
    from bartizan.api.questions.old_names import BestQuestion

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
    return admitted(contender, question.effort(question.games, seed=0), "best", "games")


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


# ---------------------------------------------------------------- archived policies


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
    return answered(game, document, partial(best_views.view, changes.titled(document), players))


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


# ---------------------------------------------------------------- a new policy


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


def admitted(contender: Contender, effort: Effort, asked: str, pairs: str) -> Answer:
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
