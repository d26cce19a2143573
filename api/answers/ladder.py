"""`ladder`: policies from weakest to strongest, with skill and difficulty on one scale."""

from collections.abc import Mapping, Sequence
from typing import Any

from bartizan.analyses.experiments.ladder import LadderQuestion as LadderExperiment
from bartizan.analyses.experiments.ladder import analyze, play
from bartizan.analyses.records import brackets
from bartizan.analyses.records.shipped import about
from bartizan.api.answer import Answer
from bartizan.api.caveats import shown
from bartizan.api.keeping import place_of
from bartizan.api.questions.skill import LadderQuestion
from bartizan.api.reading import listed
from bartizan.policies.modifiers import chance_of
from bartizan.policies.registry import find_player, is_role, plays, policies_of, role_of
from bartizan.policies.request import Request, name_in_commands
from bartizan.reports.views import bracket as bracket_views
from bartizan.reports.views import ladder as views
from bartizan.simcore.errors import UsageError
from bartizan.simcore.game import Game
from bartizan.simcore.scenario.loading import Scenario, load_scenario


def answer(question: LadderQuestion) -> Answer:
    request = question.request(difficulty=None)
    game = request.game
    scenarios = _levels(request, listed(question.difficulty))
    first = next(iter(scenarios.values()))
    sides = _sides(game, game.roles_in(first), list(request.policy), question.noise or "none")
    if len(scenarios) < 2 and all(len(side) < 2 for side in sides):  # a scale needs two of something
        alone = " and ".join(dict.fromkeys(name for side in sides for name in side))
        raise UsageError(
            f"ladder: there is only {alone}: name others with --policy, such as a file of your own (--policy "
            "FILE.py) or weights (--policy P:weight=2)"
        )
    keep = place_of(question, game)
    default = load_scenario(game, request.scenario).difficulty
    anchors = _anchors(game, sides, [default, *scenarios])
    with question.efforts(question.games) as effort, effort.source(game) as source:
        experiment = LadderExperiment(game, scenarios, sides, anchors, effort.games, effort.seed)
        cells = [pairing.contest(rows) for pairing, rows in play(experiment, source)]
    result = analyze(cells, anchors, list(scenarios) if len(scenarios) > 1 else [], effort.seed)
    document = views.document(experiment, result, **_brackets(request, scenarios))
    keep(document.plain())
    return shown(game, document, views.view(document))


def _brackets(request: Request, scenarios: Mapping[str, Scenario]) -> dict[str, Any]:
    """What is known of each level over skill, in the order of the levels; and how more would be."""
    named = name_in_commands(request.game)
    known, behaviour = brackets.shipped(named), request.game.behaviour
    by_level = {level: about(known, [one.hash], behaviour) for level, one in scenarios.items()}
    lacking = [
        bracket_views.unmeasured(named, request.scenario, level, request.values)
        for level, shipped in by_level.items()
        if not shipped
    ]
    documents = [bracket_views.document(one) for shipped in by_level.values() for one in shipped]
    return {"brackets": documents, "unmeasured": lacking[:1]}


def _levels(request: Request, difficulties: Sequence[str]) -> dict[str, Scenario]:
    """Level -> scenario, in the order of the game. Where all seats are alike a level is no opponent: one is
    played.
    """
    game = request.game
    sets = dict(request.values)
    if game.alike and 2 in game.player_counts:  # two players: every game is a meeting of two policies
        sets = {game.players_path: "2", **sets}
    base = load_scenario(game, request.scenario, None, sets)
    if game.alike and len(difficulties) > 1:
        raise UsageError(
            f"ladder: in {game.name} players meet each other and not a level: name one --difficulty"
        )
    one_level = game.alike or "difficulty" in sets
    named = difficulties or ([base.difficulty] if one_level else base.model.difficulties())
    scenarios = {level: load_scenario(game, request.scenario, level, sets) for level in named}
    return {level: scenarios[level] for level in base.model.difficulties() if level in scenarios}


def _sides(game: Game, roles: tuple[str, ...], policy: list[str], noise: str) -> tuple[dict, ...]:
    """The players of each role (of all roles together where they are alike), noisy copies of
    the best added.
    """
    if not game.alike and len(roles) > 2:
        raise UsageError(
            f"ladder: for one role, two roles, or seats that are alike; {game.name} has {len(roles)} roles"
        )
    chances = [] if noise == "none" else [f"{chance_of(one):g}" for one in noise.split(",")]
    named = [role_of(game, one) if is_role(game, one) else (None, one) for one in policy]
    for role, one in named:
        if role not in (None, *roles) or (role is None and not any(plays(game, one, seat) for seat in roles)):
            verb = "play" if len(roles) > 1 else "plays"
            raise UsageError(f"ladder: {one} has no seat here, where {' and '.join(roles)} {verb}")
    sides = []
    for role in roles[:1] if game.alike else roles:
        mine = [one for of, one in named if of in (None, role) and plays(game, one, role)]
        mine = list(dict.fromkeys(mine or [one for one in policies_of(game) if plays(game, one, role)]))
        best = game.default_for(role) if game.default_for(role) in mine else mine[-1]
        copies = chances if best != "random" and "noise=" not in best else []
        noisy = [f"{best}{',' if '=' in best else ':'}noise={chance}" for chance in copies]
        sides.append({policy: find_player(game, policy) for policy in dict.fromkeys([*mine, *noisy])})
    return tuple(sides)


def _anchors(game: Game, sides: Sequence[Mapping], levels: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """What is 0 on the scale: the default level, and the default policy of the side that is played against;
    else the first that has a place.
    """
    if game.alike:
        return tuple(("policy", name) for name in [game.default_policy, *reversed(sides[0])])
    opponents = [game.default_for(game.roles[1]), *reversed(sides[1])] if len(sides) > 1 else []
    return (*(("level", name) for name in levels), *(("opponent", name) for name in opponents))
