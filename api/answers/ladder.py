"""`ladder`: policies and levels on one scale of skill."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from bartizan.analyses.experiments.ladder import WON_BYTES, LadderExperiment, analyze, pairings_of, play
from bartizan.analyses.records import brackets
from bartizan.api.answer import Answer
from bartizan.api.answers.best import Contender, admitted
from bartizan.api.caveats import shown
from bartizan.api.keeping import place_of
from bartizan.api.questions.skill import LadderQuestion
from bartizan.api.reading import half_width, listed, path_of
from bartizan.policies import registry
from bartizan.policies.request import Request, name_in_commands
from bartizan.policies.restricted import chance_of
from bartizan.reports.views import bracket as bracket_views
from bartizan.reports.views import ladder as ladder_views
from bartizan.simcore.errors import UsageError
from bartizan.simcore.game import Game
from bartizan.simcore.scenario.loading import Scenario, load_scenario

FITTED = f"{brackets.NEWCOMER}@people"


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
    tested = admitted(contender, question.effort(contender.pairs, seed=0), "ladder", "pairs")
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
