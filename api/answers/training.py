"""`train`: find the best weights of a policy; `equilibrium`: estimate the value of a two-sided game."""

import hashlib
import json
import shlex
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from bartizan.analyses.experiments import training
from bartizan.analyses.experiments.equilibrium import DoubleOracle, Standoff
from bartizan.analyses.records import brackets, equilibria
from bartizan.api.answer import Answer, plain
from bartizan.api.caveats import shown
from bartizan.api.effort import Effort, scenarios_at
from bartizan.api.keeping import json_file
from bartizan.api.questions.skill import EquilibriumQuestion, TrainQuestion
from bartizan.api.reading import File, listed, path_of
from bartizan.policies import registry, weights_file
from bartizan.policies.live import LivePolicy
from bartizan.policies.protocol import Policy
from bartizan.policies.request import Request, match_of, name_in_commands
from bartizan.reports.document import head
from bartizan.reports.views import equilibrium as equilibrium_views
from bartizan.reports.views import training as training_views
from bartizan.simcore.errors import UsageError, as_spelled, did_you_mean
from bartizan.simcore.files import check_folder, quoted, updating, write_atomic, writing
from bartizan.simcore.game import Game
from bartizan.simcore.scenario.changes import caveat_of
from bartizan.simcore.scenario.loading import Scenario

SHARED = ("scenario", "difficulty", "policy", "players", "set")  # options of a command for the same question


def answer_train(question: TrainQuestion) -> Answer:
    """Search for better weights, write them to a file, and compare them with the policy's current weights."""
    out = Path(question.out)
    with updating(out, wait=False):
        return _trained(question, out)


def _trained(question: TrainQuestion, out: Path) -> Answer:
    request, effort = question.request(difficulty=None), question.effort(question.games)
    game = request.game
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
    document = training_views.document(course, identity, result, _next(request, course, named, question))
    kept = {"checked": training_views.checked(document), "progress": result.progress}
    _write(out, {**identity, **kept, "weights": {**course.trainee.weights, **result.weights}})
    effort.watch.kept(out)
    return shown(game, document, partial(training_views.view, document))


def _next(request: Request, course: training.Course, named: Sequence[str], question: TrainQuestion) -> str:
    """Return the command that simulates games with the trained weights."""
    game, texts = course.game, list(named)
    texts[course.seat] = with_weights(texts[course.seat], Path(question.out))
    if game.alike:
        texts = ["+".join(texts)]
    elif len(texts) > 1:
        texts = [f"{role}={text}" for role, text in zip(game.roles, texts, strict=False)]
    level = next(iter(listed(question.difficulty)), None)
    words = replace(request, difficulty=level, policy=tuple(texts)).words()
    return shlex.join(["bartizan", "run", name_in_commands(game), *words])


def with_weights(text: str, file: Path) -> str:
    """Return the name of a policy with its weights replaced by those of a file."""
    return f"{registry.weights_apart(registry.split_changes(text)[0])[0]}@{file}"


# ---------------------------------------------------------------- what is asked


def _course(request: Request, question: TrainQuestion) -> tuple[training.Course, tuple[str, ...]]:
    """Return the training setup and the named policies, one per seat.

    The default is the policy that the game declares, because the result is the gain over this policy.
    """
    game = request.game
    levels, s = listed(question.difficulty), request.loaded
    scenarios = scenarios_at(request, levels) if levels else {s.difficulty: s}
    scenario = next(iter(scenarios.values()))
    named = game.seated(scenario, request.line_up("train", game.default_for))
    roles = game.roles_in(scenario)
    if question.role is not None and question.role not in roles:
        raise UsageError(f"--role {question.role}: no such role{did_you_mean(question.role, roles)}")
    seat = roles.index(question.role) if question.role else 0
    policy = registry.find_policy(game, named[seat])
    players = match_of(game, scenario, named, question.seed).players
    return training.Course(
        game, _names(policy, listed(question.weight)), scenarios, players, seat, question.seed
    ), named


def _names(policy: Policy, wanted: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the weights to train.

    Raises UsageError for a policy without trainable weights, and for an unknown weight.
    """
    if type(policy) not in (Policy, LivePolicy):
        raise UsageError(
            f"train: {policy.name} is a restricted policy, a lookahead policy or a newcomer, which cannot "
            "be trained; choose another policy"
        )
    if not policy.weights:
        raise UsageError(f"train: {policy.name} has no weights to train; choose another policy")
    wanted = [as_spelled(name, policy.weights) for name in wanted]
    for name in wanted:
        if name not in policy.weights:
            near = did_you_mean(name, policy.weights)
            raise UsageError(f"--weight {name}: {policy.name} has no such weight{near}")
    return tuple(dict.fromkeys(wanted or policy.weights))


def _identity(course: training.Course, question: TrainQuestion) -> dict[str, Any]:
    """Return the description of the question, which is stored in the file.

    Training resumes only if the stored description is identical.
    """
    return {
        "policy": weights_file.plain_name(course.trainee.name),
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
    """Return a hash (16 hex digits) of `sources`: everything on which the games of a search depend."""
    return hashlib.sha256(json.dumps(sources, sort_keys=True).encode()).hexdigest()[:16]


# ---------------------------------------------------------------- the file


def _there(question: TrainQuestion, identity: Mapping[str, Any]) -> dict[str, Any]:
    """Return the content of the output file; {} if the file does not exist.

    Raises UsageError if the file has another suffix, is damaged, is from another training run, or contains
    more generations than requested, and if its folder does not exist.
    """
    out = Path(question.out)
    if out.suffix != weights_file.SUFFIX:
        raise UsageError(f"-o {out}: use a {weights_file.SUFFIX} file")
    check_folder(out)
    if not out.exists():
        return {}
    content = weights_file.parsed(out)
    check_same(out, identity, content, "training")
    if not isinstance(content.get("progress"), list):
        raise UsageError(f"-o {out}: damaged (it has no list `progress`); delete it, and train again")
    if (done := len(content["progress"])) > question.generations:
        raise UsageError(
            f"-o {out}: contains {done} generations of this training run; set --generations to at least this "
            "number, or use another file"
        )
    return content


def check_same(out: File | None, identity: Mapping[str, Any], content: Mapping[str, Any], what: str) -> None:
    """Raise UsageError if the description in a file differs from `identity`, which describes the question."""
    if other := [key for key, value in identity.items() if content.get(key) != value]:
        differ = "differ" if len(other) > 1 else "differs"
        raise UsageError(
            f"-o {out}: contains another {what} ({', '.join(other)} {differ}); choose another file"
        )


def _write(out: Path, content: Mapping[str, Any]) -> None:
    """Write the weights, their origin, and the state from which the search can resume."""
    with writing(f"-o {out}"):
        write_atomic(out, weights_file.text_of(content).encode())


# ---------------------------------------------------------------- equilibrium


ABOUT_THE_GAME = ("name", "scenario", "difficulty", "players", "set")
VOLUME = (
    "draw",
    "generations",
    "games",
    "fresh",
    "seed",
)  # without `rounds`, because more rounds can continue from a file


def answer_equilibrium(question: EquilibriumQuestion) -> Answer:
    """Run the rounds that the file does not contain yet.

    Without options for the search, show the shipped result, if there is one.
    """
    request, effort, out = question.request(), question.effort(question.games), path_of(question.out)
    _refuse_other_games(request.game, request.loaded)
    if answer := _shipped(question, request):
        return answer
    with updating(out, wait=False) if out else nullcontext():
        return _hunted(question, request, effort, out)


def _hunted(question: EquilibriumQuestion, request: Request, effort: Effort, out: Path | None) -> Answer:
    write, weights = json_file(out) if out else None, path_of(question.weights)
    if weights and not weights.is_dir():
        raise UsageError(f"--weights {weights}: no such folder; create it first")
    folder = weights or (out.parent if out else None)  # folder for the weights of policies that join the pool
    named = _named(request)
    standoff = _standoff(request, effort, question, named)
    identity = _identity_of_rounds(standoff, question)
    hunt = _rounds_before(question, identity)
    if hunt is None:
        pools = {
            role: [equilibria.Member(policy=policy, weights=players[policy].weights) for policy in side]
            for role, side, players in zip(standoff.roles, named, standoff.players, strict=True)
        }
        hunt = equilibria.Hunt(pools=pools)

    def keep() -> None:
        if write:
            write({**identity, **hunt.model_dump()})

    with effort.source(standoff.game) as source:
        DoubleOracle(standoff, hunt, source, keep).play(question.rounds)
    keep()
    if out:
        effort.watch.kept(out)
    files = _files(standoff, hunt, folder, out) if folder else {}
    for (role, name), file in files.items():
        _write_weights(file, standoff, identity, role, hunt.member(role, name), hunt)
        effort.watch.kept(file)
    document = equilibrium_views.document(
        standoff, identity, hunt, _next_of_both(request, standoff, hunt, files)
    )
    return shown(standoff.game, document, partial(equilibrium_views.view, document))


def _shipped(question: EquilibriumQuestion, request: Request) -> Answer | None:
    """Return the answer with the shipped equilibrium; None if there is none for this game and scenario.

    Also returns None if an option sets policies, effort or an output file.
    """
    about_playing = (
        option for option in question.options if option.name not in (*ABOUT_THE_GAME, "jobs", "cluster")
    )
    if any(getattr(question, option.name) != option.default for option in about_playing):
        return None
    game, scenario = request.game, request.loaded
    known = equilibria.shipped(name_in_commands(game))
    fitting = brackets.about(known, [scenario.hash], game.rules_version)
    if not fitting:
        return None
    question.watch.note("this result comes with the game; nothing was simulated")
    document = equilibrium_views.EquilibriumDocument.read(fitting[0])
    fields = {
        "sentence": equilibrium_views.sentence(document),
        "banner": caveat_of(game, scenario),
        "next": f"{question.command_with(game, *ABOUT_THE_GAME[1:])} -o {game.name}.json",
    }
    document = document.model_copy(update=fields)
    return shown(game, document, partial(equilibrium_views.view, document))


# ---------------------------------------------------------------- what is asked


def _refuse_other_games(game: Game, scenario: Scenario) -> None:
    """Raise UsageError, with the command to use instead, unless the game has two different sides."""
    named, roles = quoted(name_in_commands(game)), game.roles_in(scenario)
    if len(roles) == 1:
        other = (
            ""
            if len(game.roles) == 1
            else f" (another --scenario may have two sides: {' and '.join(game.roles)})"
        )
        raise UsageError(
            f"equilibrium: {scenario.model.title} has one side, {roles[0]}{other}. To search for better "
            f"play, run: bartizan train {named}. To measure difficulty over skill, run: bartizan bracket "
            f"{named}"
        )
    if game.alike:
        raise UsageError(
            f"equilibrium: all seats of {scenario.model.title} have the same role, and only games between "
            f"two different sides are supported. To rank policies, run: bartizan ladder {named}. To search "
            f"for better play, run: bartizan train {named}"
        )
    if len(roles) > 2:
        raise UsageError(
            f"equilibrium: only games with two sides are supported; {scenario.model.title} has "
            f"{', '.join(roles)}"
        )


def _named(request: Request) -> tuple[tuple[str, ...], ...]:
    """Return each side's initial policies: its default policy, then the policies named for it."""
    game, roles = request.game, request.game.roles_in(request.loaded)
    by_role: dict[str, list[str]] = {role: [game.default_for(role)] for role in roles}
    for one in request.policy:
        if registry.is_role(game, one):
            role, policy = registry.role_of(game, one)
            by_role[role].append(policy)
            continue
        for role in roles:
            if registry.plays(game, one, role):
                by_role[role].append(one)
    return tuple(tuple(dict.fromkeys(policies)) for policies in by_role.values())


def _standoff(
    request: Request, effort: Effort, question: EquilibriumQuestion, named: Sequence[Sequence[str]]
) -> Standoff:
    game, scenario = request.game, request.loaded
    first, second = game.roles_in(scenario)
    trainable = [_trainable(game, role, side) for role, side in zip((first, second), named, strict=True)]
    players = [{one: registry.find_player(game, one) for one in side} for side in named]
    return Standoff(
        game,
        scenario,
        (first, second),
        (players[0], players[1]),
        (trainable[0], trainable[1]),
        question.draw,
        effort.seed,
        training.TrainingVolume(question.generations, effort.games, question.fresh),
    )


def _trainable(game: Game, role: str, named: Sequence[str]) -> tuple[str, ...]:
    """Return the policies with weights, except those with restrictions or lookahead.

    Raises UsageError if there are none.
    """
    players = [(one, registry.find_policy(game, one)) for one in named]
    able = tuple(one for one, policy in players if type(policy) is Policy and policy.weights)
    if not able:
        raise UsageError(
            f"equilibrium: no best response of {role} can be trained, because {', '.join(named)} "
            f"has no weights; choose a policy with weights: --policy {role}=NAME (bartizan describe "
            f"{name_in_commands(game)} --policies lists them)"
        )
    return able


def _identity_of_rounds(standoff: Standoff, question: EquilibriumQuestion) -> dict[str, Any]:
    """Return the description of the question, which is stored in the file.

    Rounds are added only if the stored description is identical.
    """
    defaults = [next(iter(players)) for players in standoff.players]
    played = head(match_of(standoff.game, standoff.scenario, defaults, standoff.seed), standoff.scenario)
    identity: dict[str, Any] = plain(
        {
            "schema": equilibria.SCHEMA,
            **played,
            "roles": standoff.roles,
            "games": question.games,
            "generations": question.generations,
            "fresh": question.fresh,
            "draw": question.draw,
            "command": question.command_with(standoff.game, *SHARED, *VOLUME),
            "sources": digest_of(
                players=[
                    [[text, player.source_hash, player.weights] for text, player in side.items()]
                    for side in standoff.players
                ],
                rules=standoff.game.source_hash,
            ),
        }
    )
    return identity


# ---------------------------------------------------------------- files


def _rounds_before(question: EquilibriumQuestion, identity: Mapping[str, Any]) -> equilibria.Hunt | None:
    """Return the earlier rounds from the file; None if there is no file.

    Raises UsageError if the file answers another question or contains more rounds than requested.
    """
    out = path_of(question.out)
    content = equilibria.read(out) if out else None
    if content is None:
        return None
    document, hunt = content
    check_same(question.out, identity, document, "equilibrium")
    if (done := len(hunt.rounds)) > question.rounds:
        raise UsageError(
            f"-o {out}: contains {done} rounds; set --rounds to at least this number, or use another file"
        )
    return hunt


def _files(
    standoff: Standoff, hunt: equilibria.Hunt, folder: Path, out: Path | None
) -> dict[tuple[str, str], Path]:
    """Map (role, name) of each trained policy in the pool to its weights file."""
    stem = out.stem if out else standoff.game.name
    return {
        (role, one.name): folder / f"{stem}-{role}-{one.round}{weights_file.SUFFIX}"
        for role, pool in hunt.pools.items()
        for one in pool
        if one.round
    }


def _write_weights(
    file: Path,
    standoff: Standoff,
    identity: Mapping[str, Any],
    role: str,
    member: equilibria.Member,
    hunt: equilibria.Hunt,
) -> None:
    """Write the weights file of a trained policy, which `--policy NAME@FILE` loads."""
    document = {
        "policy": weights_file.plain_name(standoff.players[standoff.roles.index(role)][member.policy].name),
        **{key: identity[key] for key in ("game", "command")},
        "role": role,
        "round": member.round,
        "behaviour": identity["behaviour"],
        "checked": [equilibrium_views.checked(hunt, role, member)],
        "weights": member.weights,
    }
    with writing(str(file)):
        write_atomic(file, weights_file.text_of(document).encode())


def _next_of_both(
    request: Request, standoff: Standoff, hunt: equilibria.Hunt, files: Mapping[tuple[str, str], Path]
) -> str:
    """Return the command that simulates games of each side's most probable policy, with saved weights."""
    texts = []
    for role, mixture in hunt.rounds[-1].mixtures.items():
        most = max(mixture, key=lambda name: mixture[name])
        member, file = hunt.member(role, most), files.get((role, most))
        texts.append(f"{role}={with_weights(member.policy, file) if file else member.policy}")
    words = replace(request, policy=tuple(texts)).words()
    return shlex.join(["bartizan", "run", name_in_commands(standoff.game), *words])
