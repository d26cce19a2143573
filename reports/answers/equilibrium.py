"""`equilibrium`: what a game between two unlike sides is worth, by best responses in turn."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bartizan.analyses.experiments.equilibrium import DoubleOracle, Standoff
from bartizan.analyses.experiments.training import TrainingVolume
from bartizan.analyses.records import equilibria
from bartizan.analyses.records.equilibria import Hunt, Member
from bartizan.policies import registry, weights_file
from bartizan.policies.protocol import Policy
from bartizan.policies.request import Request, command_of, match_of, name_in_commands
from bartizan.reports.answers.answer import Answer, Effort, json_file, plain, shown, writing
from bartizan.reports.answers.train import with_weights
from bartizan.reports.text import played
from bartizan.reports.views import equilibrium as views
from bartizan.simcore.errors import UsageError
from bartizan.simcore.files import write_atomic
from bartizan.simcore.game import Game
from bartizan.simcore.scenario.loading import Scenario


@dataclass(frozen=True)
class Quest:
    """How far the best responses go, and where they are kept."""

    rounds: int = 3
    generations: int = 30  # of each search
    fresh: int = 10_000  # games that tell what a best response gains
    draw: float = 0.0  # what a drawn game counts for the first side
    out: Path | None = None  # a .json file that grows
    weights: Path | None = None  # the folder of the weights that join; that of `out` unless given


def ask(request: Request, effort: Effort, quest: Quest) -> Answer:
    """Play the rounds that are not known yet. effort.games: of a pair, and of a candidate of a search."""
    _refuse_other_games(request.game, request.loaded)
    if not 0 <= quest.draw <= 1:
        raise UsageError(f"--draw {quest.draw:g}: a draw counts from 0 to 1 for the first side, such as 0.5")
    write, folder = json_file(quest.out) if quest.out else None, _folder(quest)
    named = _named(request)
    it = _standoff(request, effort, quest, named)
    asked = _question(request, it, effort, quest)
    hunt = _there(quest, asked) or _beginning(it, named)

    def keep() -> None:
        if write:
            write({**asked, **hunt.model_dump()})

    with effort.source(it.game) as source:
        DoubleOracle(it, hunt, source, keep).play(quest.rounds)
    keep()
    if quest.out:
        effort.watch.kept(quest.out)
    files = _files(it, hunt, folder, quest) if folder else {}
    for (role, name), file in files.items():
        _write_weights(file, it, asked, role, hunt.member(role, name), hunt)
        effort.watch.kept(file)
    document = views.document(it, asked, hunt, _next(request, it, hunt, files))
    return shown(it.game, document, views.view(document))


# ---------------------------------------------------------------- what is asked


def _refuse_other_games(game: Game, scenario: Scenario) -> None:
    """Two sides that are not alike, or one line that says what to ask instead."""
    named, roles = name_in_commands(game), game.roles_in(scenario)
    if len(roles) == 1:
        other = "" if len(game.roles) == 1 else f" (a --scenario may seat {' and '.join(game.roles)})"
        raise UsageError(
            f"equilibrium: {scenario.model.title} has one side, {roles[0]}{other}: bartizan train {named} "
            f"searches better play, bartizan bracket {named} shows how far skill carries"
        )
    if game.alike:
        raise UsageError(
            f"equilibrium: all seats of {scenario.model.title} are alike, so that by symmetry each is worth "
            f"the same: bartizan ladder {named} says who beats whom, bartizan train {named} whether somebody "
            "plays better"
        )
    if len(roles) > 2:
        raise UsageError(f"equilibrium: is for two sides; {scenario.model.title} has {', '.join(roles)}")


def _named(request: Request) -> tuple[tuple[str, ...], ...]:
    """Of each side the policies it begins with: its default, then those named for it."""
    game, roles = request.game, request.game.roles_in(request.loaded)
    said: dict[str, list[str]] = {role: [game.default_for(role)] for role in roles}
    for one in request.policy:
        if registry.is_role(game, one):
            role, policy = registry.role_of(game, one)
            said[role].append(policy)
            continue
        for role in roles:
            if registry.plays(game, one, role):
                said[role].append(one)
    return tuple(tuple(dict.fromkeys(policies)) for policies in said.values())


def _standoff(request: Request, effort: Effort, quest: Quest, named: Sequence[Sequence[str]]) -> Standoff:
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
        quest.draw,
        effort.seed,
        TrainingVolume(quest.generations, effort.games, quest.fresh),
    )


def _trainable(game: Game, role: str, named: Sequence[str]) -> tuple[str, ...]:
    """Those with weights, neither restricted nor looking ahead."""
    found = [(one, registry.find_policy(game, one)) for one in named]
    able = tuple(one for one, policy in found if type(policy) is Policy and policy.weights)
    if not able:
        raise UsageError(
            f"equilibrium: no best response of {role} can be trained, for {', '.join(named)} has no weights "
            f"to train; name a policy that has some: --policy {role}=NAME (bartizan policies "
            f"{name_in_commands(game)} lists them)"
        )
    return able


def _beginning(it: Standoff, named: Sequence[Sequence[str]]) -> Hunt:
    pools = {
        role: [Member(policy=one, weights=players[one].weights) for one in side]
        for role, side, players in zip(it.roles, named, it.players, strict=True)
    }
    return Hunt(pools=pools)


def _question(request: Request, it: Standoff, effort: Effort, quest: Quest) -> dict[str, Any]:
    """What the file says of the question; rounds are added only where all of it is the same."""
    defaults = [next(iter(players)) for players in it.players]
    head = played.head(match_of(it.game, it.scenario, defaults, it.seed), it.scenario)
    return plain(
        {
            "schema": equilibria.SCHEMA,
            **head,
            "roles": it.roles,
            "games": effort.games,
            "generations": quest.generations,
            "fresh": quest.fresh,
            "draw": quest.draw,
            "command": _command(request, effort, quest),
            "sources": _digest(it),
        }
    )


def _command(request: Request, effort: Effort, quest: Quest) -> str:
    """What asks the same, the files and the number of rounds aside."""
    return command_of(
        "equilibrium",
        name_in_commands(request.game),
        scenario=request.scenario,
        difficulty=request.difficulty,
        policy=list(request.policy),
        players=request.players,
        set=dict(request.sets),
        draw=quest.draw or None,
        generations=quest.generations,
        games=effort.games,
        fresh=quest.fresh,
        seed=effort.seed,
    )


def _digest(it: Standoff) -> str:
    """16 hex digits over the code and the weights that all results hang on."""
    said = {
        "players": [
            [[text, player.source_hash, player.weights] for text, player in side.items()]
            for side in it.players
        ],
        "rules": it.game.source_hash,
    }
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:16]


# ---------------------------------------------------------------- files


def _there(quest: Quest, asked: Mapping[str, Any]) -> Hunt | None:
    """What the file has of the same question; None where there is no file. Refuses a file of another."""
    found = equilibria.read(quest.out) if quest.out else None
    if found is None:
        return None
    document, hunt = found
    if other := [key for key, value in asked.items() if document.get(key) != value]:
        raise UsageError(
            f"-o {quest.out}: holds another equilibrium ({', '.join(other)} differ); name another file"
        )
    if (done := len(hunt.rounds)) > quest.rounds:
        raise UsageError(
            f"-o {quest.out}: holds {done} rounds: name at least as many with --rounds, or another file"
        )
    return hunt


def _folder(quest: Quest) -> Path | None:
    """Where the weights of those who join go; None: nowhere."""
    if quest.weights and not quest.weights.is_dir():
        raise UsageError(f"--weights {quest.weights}: there is no such folder; make it first")
    return quest.weights or (quest.out.parent if quest.out else None)


def _files(it: Standoff, hunt: Hunt, folder: Path, quest: Quest) -> dict[tuple[str, str], Path]:
    """(role, name) -> weights file, of everybody who was trained and joined."""
    stem = quest.out.stem if quest.out else it.game.name
    return {
        (role, one.name): folder / f"{stem}-{role}-{one.round}{weights_file.SUFFIX}"
        for role, pool in hunt.pools.items()
        for one in pool
        if one.round
    }


def _write_weights(file: Path, it: Standoff, asked: Mapping, role: str, member: Member, hunt: Hunt) -> None:
    """What `--policy NAME@FILE` plays."""
    document = {
        "policy": it.players[it.roles.index(role)][member.policy].name.partition("@")[0],
        **{key: asked[key] for key in ("game", "command")},
        "role": role,
        "round": member.round,
        "behaviour": asked["behaviour"],
        "checked": [views.checked(hunt, role, member)],
        "weights": member.weights,
    }
    with writing(str(file)):
        write_atomic(file, weights_file.text_of(document).encode())


def _next(request: Request, it: Standoff, hunt: Hunt, files: Mapping[tuple[str, str], Path]) -> str:
    """The command that plays the most frequent member of each side's mixture, with the weights kept."""
    texts = []
    for role, mixture in hunt.rounds[-1].mixtures.items():
        most = max(mixture, key=lambda name: mixture[name])
        member, file = hunt.member(role, most), files.get((role, most))
        texts.append(f"{role}={with_weights(member.policy, file) if file else member.policy}")
    return command_of(
        "run",
        name_in_commands(it.game),
        scenario=request.scenario,
        difficulty=request.difficulty,
        policy=texts,
        players=request.players,
        set=dict(request.sets),
    )
