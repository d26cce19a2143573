"""`train`: with which weights does a policy play best? Writes them to a file that names a policy."""

import hashlib
import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from bartizan.analyses.experiments import training
from bartizan.analyses.experiments.training import Course
from bartizan.api.answer import Answer
from bartizan.api.caveats import shown
from bartizan.api.keeping import writing
from bartizan.api.playing import scenarios_at
from bartizan.api.questions.train import TrainQuestion
from bartizan.api.reading import listed
from bartizan.policies import weights_file
from bartizan.policies.protocol import Policy
from bartizan.policies.registry import find_policy, split_changes, weights_apart
from bartizan.policies.request import Request, match_of, name_in_commands
from bartizan.reports.views import training as views
from bartizan.simcore.errors import UsageError, did_you_mean
from bartizan.simcore.sweep.files import write_atomic

SHARED = ("scenario", "difficulty", "policy", "players", "set")  # options of a command that asks the same


def answer(question: TrainQuestion) -> Answer:
    """Search, write the weights, and compare them with those that the policy has now."""
    request, out = question.request(difficulty=None), Path(question.out)
    game = request.game
    with question.efforts(question.games) as effort:
        course, named = _course(request, question)
        identity = _identity(course, question)
        before = _there(question, identity)
        volume = training.TrainingVolume(question.generations, question.games, question.fresh)
        with effort.source(game) as source:
            result = training.train(
                course,
                volume,
                source,
                before.get("progress", []),
                lambda progress: _write(out, {**identity, **before, "progress": progress}),
            )
    document = views.document(course, identity, result, _next(request, course, named, question))
    kept = {"checked": views.checked(document), "progress": result.progress}
    _write(out, {**identity, **kept, "weights": {**course.trainee.weights, **result.weights}})
    effort.watch.kept(out)
    return shown(game, document, views.view(document))


def _next(request: Request, course: Course, named: Sequence[str], question: TrainQuestion) -> str:
    """The command that plays with the weights."""
    game, texts = course.game, list(named)
    texts[course.seat] = with_weights(texts[course.seat], Path(question.out))
    if not game.alike and len(texts) > 1:
        texts = [f"{role}={text}" for role, text in zip(game.roles, texts, strict=False)]
    level = next(iter(listed(question.difficulty)), None)
    words = replace(request, difficulty=level, policy=tuple(texts)).words()
    return shlex.join(["bartizan", "run", name_in_commands(game), *words])


def with_weights(text: str, file: Path) -> str:
    """A policy as it is named, with the weights of a file instead of its own."""
    return f"{weights_apart(split_changes(text)[0])[0]}@{file}"


# ---------------------------------------------------------------- what is asked


def _course(request: Request, question: TrainQuestion) -> tuple[Course, tuple[str, ...]]:
    """What is trained, and the policies as they were named, one a seat: unless named the one that the game
    declares, for a training says what better weights are worth to it.
    """
    game = request.game
    levels, s = listed(question.difficulty), request.loaded
    scenarios = scenarios_at(request, levels) if levels else {s.difficulty: s}
    scenario = next(iter(scenarios.values()))
    named = game.seated(scenario, request.line_up("train: name one policy for each seat", game.default_for))
    roles = game.roles_in(scenario)
    if question.role is not None and question.role not in roles:
        raise UsageError(f"--role {question.role}: no such role here{did_you_mean(question.role, roles)}")
    seat = roles.index(question.role) if question.role else 0
    policy = find_policy(game, named[seat])
    players = match_of(game, scenario, named, question.seed).players
    return Course(
        game, _names(policy, listed(question.weight)), scenarios, players, seat, question.seed
    ), named


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


def _identity(course: Course, question: TrainQuestion) -> dict[str, Any]:
    """What the file says of the question; a training goes on only where all of it is the same."""
    return {
        "policy": course.trainee.name.partition("@")[0],
        "game": name_in_commands(course.game),
        "command": question.command_with(course.game, *SHARED, "role", "weight", "games", "seed"),
        "role": course.game.roles[course.seat],
        "levels": list(course.scenarios),
        "seed": question.seed,
        "games": question.games,
        "behaviour": course.game.behaviour,
        "sources": digest_of(
            scenarios={level: scenario.hash for level, scenario in course.scenarios.items()},
            players=[[player.name, player.source_hash, player.weights] for player in course.players],
            rules=course.game.source_hash,
        ),
    }


def digest_of(**sources: Any) -> str:
    """16 hex digits over all that the games of a search hang on."""
    return hashlib.sha256(json.dumps(sources, sort_keys=True).encode()).hexdigest()[:16]


# ---------------------------------------------------------------- the file


def _there(question: TrainQuestion, identity: Mapping[str, Any]) -> dict[str, Any]:
    """What the file has of the same question, from before; {} if it is not there.

    Refuses a file of anything else.
    """
    out = Path(question.out)
    if out.suffix != weights_file.SUFFIX:
        raise UsageError(f"-o {out}: name a {weights_file.SUFFIX} file")
    if not out.parent.is_dir():
        raise UsageError(f"-o {out}: there is no folder {out.parent}")
    if not out.exists():
        return {}
    content = weights_file.parsed(out)
    if other := [key for key, value in identity.items() if content.get(key) != value]:
        raise UsageError(f"-o {out}: holds another training ({', '.join(other)} differ); name another file")
    if (done := len(content["progress"])) > question.generations:
        raise UsageError(
            f"-o {out}: holds {done} generations of this training: name at least as many with "
            "--generations, or another file"
        )
    return content


def _write(out: Path, content: Mapping[str, Any]) -> None:
    """The weights, what they were made by, and how far the search has come: enough to go on."""
    with writing(f"-o {out}"):
        write_atomic(out, weights_file.text_of(content).encode())
