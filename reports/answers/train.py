"""`train`: with which weights does a policy play best? Writes them to a file that names a policy."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bartizan.analyses.experiments import training
from bartizan.analyses.experiments.training import Course
from bartizan.policies import weights_file
from bartizan.policies.protocol import Policy
from bartizan.policies.registry import find_policy, split_changes, weights_apart
from bartizan.policies.request import Request, command_of, match_of, name_in_commands
from bartizan.reports.answers.answer import Answer, Effort, shown, writing
from bartizan.reports.views import training as views
from bartizan.simcore.errors import UsageError, did_you_mean
from bartizan.simcore.files import write_atomic
from bartizan.simcore.scenario.loading import Scenario, load_scenario


@dataclass(frozen=True)
class Lesson:
    """What of a policy is trained, and how long."""

    out: Path  # the weights file
    difficulties: Sequence[str] = ()  # levels that count, each the same; none: the scenario's own
    role: str | None = None  # whose policy; the first one's unless given
    weights: Sequence[str] = ()  # those that may change; none: all of them
    generations: int = 60
    fresh: int = 20_000  # games of the comparison with the weights it began with


def ask(request: Request, effort: Effort, lesson: Lesson) -> Answer:
    """Search, write the weights, and compare them with those that the policy has now. effort.games: of a
    candidate, at each level.
    """
    game = request.game
    course, named = _course(request, effort.seed, lesson)
    asked = _question(request, course, effort, lesson)
    there = _there(lesson, asked)
    volume = training.TrainingVolume(lesson.generations, effort.games, lesson.fresh)
    with effort.source(game) as source:
        found = training.train(
            course,
            volume,
            source,
            there.get("progress", []),
            lambda progress: _write(lesson.out, {**asked, **there, "progress": progress}),
        )
    document = views.document(course, asked, found, _next(request, course, named, lesson))
    kept = {"checked": views.checked(document), "progress": found.progress}
    _write(lesson.out, {**asked, **kept, "weights": {**course.trainee.weights, **found.weights}})
    effort.watch.kept(lesson.out)
    return shown(game, document, views.view(document))


def _next(request: Request, course: Course, named: Sequence[str], lesson: Lesson) -> str:
    """The command that plays with the weights."""
    game, texts = course.game, list(named)
    texts[course.seat] = with_weights(texts[course.seat], lesson.out)
    if not game.alike and len(texts) > 1:
        texts = [f"{role}={text}" for role, text in zip(game.roles, texts, strict=False)]
    return command_of(
        "run",
        name_in_commands(game),
        scenario=request.scenario,
        difficulty=next(iter(lesson.difficulties), None),
        policy=texts,
        players=request.players,
        set=dict(request.sets),
    )


def with_weights(text: str, file: Path) -> str:
    """A policy as it is named, with the weights of a file instead of its own."""
    return f"{weights_apart(split_changes(text)[0])[0]}@{file}"


# ---------------------------------------------------------------- what is asked


def _course(request: Request, seed: int, lesson: Lesson) -> tuple[Course, tuple[str, ...]]:
    """What is trained, and the policies as they were named, one a seat: unless named the one that the game
    declares, for a training says what better weights are worth to it.
    """
    game = request.game
    scenarios = _levels(request, lesson.difficulties)
    scenario = next(iter(scenarios.values()))
    named = game.seated(scenario, request.line_up("train: name one policy for each seat", game.default_for))
    roles = game.roles_in(scenario)
    if lesson.role is not None and lesson.role not in roles:
        raise UsageError(f"--role {lesson.role}: no such role here{did_you_mean(lesson.role, roles)}")
    seat = roles.index(lesson.role) if lesson.role else 0
    policy = find_policy(game, named[seat])
    players = match_of(game, scenario, named, seed).players
    return Course(game, _names(policy, lesson.weights), scenarios, players, seat, seed), named


def _levels(request: Request, difficulties: Sequence[str]) -> dict[str, Scenario]:
    if not difficulties:
        return {request.loaded.difficulty: request.loaded}
    return {
        level: load_scenario(request.game, request.scenario, level, request.values)
        for level in dict.fromkeys(difficulties)
    }


def _names(policy: Policy, wanted: Sequence[str]) -> tuple[str, ...]:
    """The weights that may change."""
    if type(policy) is not Policy:
        raise UsageError(
            f"train: {policy.name} is restricted, looks ahead, or is a newcomer; train a plain policy"
        )
    if not policy.weights:
        raise UsageError(f"train: {policy.name} has no weights")
    for name in wanted:
        if name not in policy.weights:
            near = did_you_mean(name, policy.weights)
            raise UsageError(f"--weight {name}: {policy.name} has no such weight{near}")
    return tuple(dict.fromkeys(wanted or policy.weights))


def _question(request: Request, course: Course, effort: Effort, lesson: Lesson) -> dict[str, Any]:
    """What the file says of the question; a training goes on only where all of it is the same."""
    return {
        "policy": course.trainee.name.partition("@")[0],
        "game": name_in_commands(course.game),
        "command": _command(request, course, effort, lesson),
        "role": course.game.roles[course.seat],
        "levels": list(course.scenarios),
        "seed": effort.seed,
        "games": effort.games,
        "behaviour": course.game.behaviour,
        "sources": _digest(course),
    }


def _command(request: Request, course: Course, effort: Effort, lesson: Lesson) -> str:
    """What asks the same, the file and the length of the search aside."""
    return command_of(
        "train",
        name_in_commands(course.game),
        scenario=request.scenario,
        difficulty=list(lesson.difficulties),
        policy=list(request.policy),
        players=request.players,
        set=dict(request.sets),
        role=lesson.role,
        weight=list(lesson.weights),
        games=effort.games,
        seed=effort.seed,
    )


def _digest(course: Course) -> str:
    """16 hex digits over all that the values of the candidates hang on."""
    said = {
        "scenarios": {level: scenario.hash for level, scenario in course.scenarios.items()},
        "players": [[player.name, player.source_hash, player.weights] for player in course.players],
        "rules": course.game.source_hash,
    }
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:16]


# ---------------------------------------------------------------- the file


def _there(lesson: Lesson, asked: Mapping[str, Any]) -> dict[str, Any]:
    """What the file has of the same question, from before; {} if it is not there.

    Refuses a file of anything else.
    """
    out = lesson.out
    if out.suffix != weights_file.SUFFIX:
        raise UsageError(f"-o {out}: name a {weights_file.SUFFIX} file")
    if not out.parent.is_dir():
        raise UsageError(f"-o {out}: there is no folder {out.parent}")
    if not out.exists():
        return {}
    there = weights_file.parsed(out)
    if other := [key for key, value in asked.items() if there.get(key) != value]:
        raise UsageError(f"-o {out}: holds another training ({', '.join(other)} differ); name another file")
    if (done := len(there["progress"])) > lesson.generations:
        raise UsageError(
            f"-o {out}: holds {done} generations of this training: name at least as many with "
            "--generations, or another file"
        )
    return there


def _write(out: Path, content: Mapping[str, Any]) -> None:
    """The weights, what they were made by, and how far the search has come: enough to go on."""
    with writing(f"-o {out}"):
        write_atomic(out, weights_file.text_of(content).encode())
