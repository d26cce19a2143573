"""`playtest skill`: skill of people on the policies' scale; `playtest plan`: the number of plays needed."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from bartizan.analyses.people import checks, learning, minutes, skill
from bartizan.analyses.people.log import of_edition, read, unit_of
from bartizan.analyses.statistics import testing
from bartizan.api.answer import Answer
from bartizan.api.caveats import shown
from bartizan.api.effort import Effort, scenarios_at
from bartizan.api.keeping import place_of
from bartizan.api.questions.playtest import PlanQuestion, SkillQuestion
from bartizan.api.reading import pair_of, unused
from bartizan.policies.registry import find_player
from bartizan.policies.request import Request, match_of, name_in_commands
from bartizan.policies.restricted import chance_of
from bartizan.reports.render import terminal
from bartizan.reports.views import people_plan as plan_views
from bartizan.reports.views import people_skill as views
from bartizan.simcore.errors import UsageError
from bartizan.simcore.game import Game
from bartizan.simcore.play import waits
from bartizan.simcore.play.batch import BATCH
from bartizan.simcore.play.match import Match
from bartizan.simcore.scenario.loading import Scenario, load_scenario

MADE_UP = "made up"  # in the edition of a play
NO_SCALE = "win all games or none, so they form no scale"


def answer(
    question: SkillQuestion, why: str = "", others: str = "choose others with --policy and --noise"
) -> Answer:
    """Estimate people's skill or, for a competitive game, compare the seats.

    why: the reason for the choice of the default policies. others: text of error messages that explains how
    to choose other policies.
    """
    request, effort = question.request(), question.effort(question.games)
    log, game, plays = read(Path(question.plays)), request.game, str(question.plays)
    first, keep = request.loaded, place_of(question, game)
    refuse_without_plays(log, game, Path(plays))
    log = of_edition(log, game.name, question.edition)
    effort.compiles(game, BATCH)
    sources = {**sources_of(log, question.edition), "why": why or None}
    document: views.PeopleDocument
    if len(game.roles_in(first)) > 1:
        document = _contested(request, effort, log, plays, sources)
    else:
        result = skill_of(request, effort, question, log, others)
        lengths = minutes.of_skill(log, result, effort.seed)
        checked = checks.check(result, effort.seed)
        learnt = learning.analyze(result.joined.plays, result.yardstick, effort.seed, result.families)
        document = views.document(result, checked, plays, minutes=lengths, learning=learnt, **sources)
    keep(document.plain())
    return shown(game, document, partial(views.view, document), hints=_plan_next(request, question))


def _plan_next(request: Request, question: SkillQuestion) -> Sequence[str]:
    """Return lines with the command that computes how many more plays are needed.

    The command uses the same policies and number of games.
    """
    same = ("edition", "noise", "games", "seed", "margin")
    changed = [
        word
        for option in question.options
        if option.name in same and getattr(question, option.name) != option.default
        for word in (option.flag, str(getattr(question, option.name)))
    ]
    words = ["playtest", "plan", name_in_commands(request.game), "--plays", str(question.plays)]
    return ["", f"Next: {shlex.join(['bartizan', *words, *request.words(), *changed])}"]


def sources_of(played: pl.DataFrame, edition: str | None) -> dict[str, Any]:
    """Return the document fields about the files of the plays. edition: the edition that was chosen.

    `sources` maps each file to its number of plays. `made_up` is true if the edition of a play marks the play
    as synthetic. `without_edition` counts the plays that state no edition, if others state one.
    """
    counted = played.group_by("source").agg(pl.col("play_id").n_unique()).sort("source")
    made_up = bool(played["edition"].str.contains(MADE_UP).any())
    stated = played["edition"].drop_nulls()
    unstated = played.filter(pl.col("edition").is_null())["play_id"].n_unique() if len(stated) else 0
    return {
        "sources": dict(counted.iter_rows()),
        "made_up": made_up,
        "edition": edition,
        "without_edition": {stated[0]: unstated} if unstated else None,
    }


def skill_of(
    request: Request,
    effort: Effort,
    question: SkillQuestion | PlanQuestion,
    log: pl.DataFrame,
    others: str = "choose others with --policy and --noise",
) -> skill.PeopleSkill:
    """Estimate people's skill on the policies' scale. Raises UsageError if no play can be used for it."""
    scenarios = scenarios_at(request, request.loaded.model.difficulties())
    yard = _played(request, effort, scenarios, question.noise, others)
    unit = unit_of(request.game)
    joined = skill.join(log, request.game.name, yard.levels, list(scenarios), unit)
    if not joined.plays:
        why = ", ".join(f"{reason}: {plays}" for reason, plays in joined.left_out.items())
        raise UsageError(
            f"{question.plays}: {request.game.name} has no usable plays ({why}); record the result and "
            "the level of each play"
        )
    margin = 0.1 if question.margin is None else question.margin
    return skill.analyze(joined, yard, margin, seed=effort.seed)


def refuse_without_plays(log: "pl.DataFrame", game: Game, folder: Path) -> None:
    if log.is_empty():
        form = shlex.join(["bartizan", "playtest", "form", name_in_commands(game), "-o", unused("form.csv")])
        raise UsageError(f"{folder}: contains no plays; fill in a form ({form}), then import it")
    kept_plays = log.filter(log["kept"])
    names = sorted(set(kept_plays["game"].drop_nulls()))
    if game.name not in names:
        unnamed = f"its plays do not name a game; import the files again with --game {name_in_commands(game)}"
        nothing = "all its plays are set aside" if kept_plays.is_empty() else unnamed
        kept = f"it contains plays of {', '.join(names)}" if names else nothing
        raise UsageError(f"{folder}: contains no plays of {game.name}; {kept}")


def _played(
    request: Request, effort: Effort, scenarios: Mapping[str, Scenario], noise: str, others: str
) -> skill.Yardstick:
    game = request.game
    line_up = request.line_up("playtest skill", request.best(*scenarios.values()))
    (policy,) = game.seated(request.loaded, line_up)
    chances = sorted({0.0, *(chance_of(one) for one in noise.split(","))})
    dial = {chance: find_player(game, _noisy(policy, chance)) for chance in chances}
    zero = load_scenario(game, request.scenario).difficulty
    question = skill.question_of(game, scenarios, dial, effort.games, effort.seed, zero)
    with effort.source(game) as source:
        yard = skill.play_yardstick(question, source)
    if len(yard.noises) < skill.FEWEST or not yard.levels:
        copies = f"{policy} and its noisy copies ({noise})"
        raise UsageError(f"playtest skill: {copies} {NO_SCALE}; {others}")
    return yard


def _noisy(policy: str, chance: float) -> str:
    if not chance:
        return policy
    if policy == "random" or "noise=" in policy:
        raise UsageError(
            f"playtest skill: --policy {policy} already acts at random; choose a policy without noise"
        )
    return f"{policy}{',' if '=' in policy else ':'}noise={chance:g}"


def _contested(
    request: Request, effort: Effort, log: pl.DataFrame, plays: str, sources: Mapping[str, Any]
) -> views.ContestDocument:
    match, result, seated = _contest(request, effort, log, plays, "playtest skill")
    timed = minutes.timed(log, request.game, [match.scenario.difficulty], len(seated))
    shared = None
    if len(timed.plays) >= minutes.FEWEST:
        effort.compiles(request.game, waits.WAITS)
        shared = waits.play(match, min(effort.games, minutes.MOST_GAMES), effort.workers)
    lengths = minutes.of_match(timed, match, seated, shared)
    return views.contest_document(result, match, seated, plays, minutes=lengths, **sources)


def _contest(
    request: Request, effort: Effort, log: pl.DataFrame, plays: str, asking: str
) -> tuple[Match, checks.Contested, Sequence[str]]:
    """Compare plays of a competitive game with simulated games, and return match, comparison and policies."""
    game, scenario = request.game, request.loaded
    roles: Sequence[str] = game.roles_in(scenario)
    seated = game.seated(scenario, request.line_up(asking))
    match = match_of(game, scenario, seated, effort.seed)
    effort.holds(2 * match.engine.record_dtype.itemsize)
    with effort.source(game) as source:
        result = checks.contest(log, match, roles, effort.games, source)
    if not result.plays:
        how = "; set the number of players with --players" if game.players_path else ""
        raise UsageError(f"{plays}: no plays of {name_in_commands(game)} with {len(roles)} players{how}")
    return match, result, seated


# ---------------------------------------------------------------- how many plays


NOTICED = ((0.7, 0.5), (0.7, 0.4), (0.7, 0.3), (0.5, 0.3), (0.5, 0.4), (0.3, 0.15), (0.3, 0.1), (0.2, 0.05))
APART = ((0.7, 0.5), (0.6, 0.3), (0.5, 0.3), (0.4, 0.2), (0.3, 0.1))
MARGINS = (0.2, 0.15, 0.1)


def of_shares(question: PlanQuestion) -> Answer:
    """Compute the number of plays from given win rates, by the power of exact tests."""
    levels, each = pair_of(question.levels, ",", "--levels"), question.each or 1
    if question.people is not None and question.sim is None:
        raise UsageError(f"--people {question.people:g}: requires --sim (the simulated win rate)")
    if question.sim is not None and question.people is None and question.margin is None:
        raise UsageError(
            f"--sim {question.sim:g}: requires --people (a win rate to detect) or --margin (an "
            "equivalence margin)"
        )
    pairs = {"--sim and --people": (question.sim, question.people), "--levels": levels or (0, 1)}
    for name, (first, second) in pairs.items():
        if first is not None and first == second:
            raise UsageError(
                f"{name} {first:g}: the two win rates must differ; to show that two are equivalent, "
                "use --margin"
            )
    rows = list(_rows(question, levels, each))
    document = plan_views.document(rows, question.power, each, question.spread)
    view = partial(plan_views.view, document)
    return Answer(
        document.plain(), lambda: terminal.lines(view()), view=view, hints=["", "Next: bartizan describe"]
    )


def _form(game: str) -> Sequence[str]:
    out = unused("form.html")
    return ["", f"Next: {shlex.join(['bartizan', 'playtest', 'form', game, '-o', out])}"]


def _rows(
    question: PlanQuestion, levels: tuple[float, float] | None, each: int
) -> Iterator[plan_views.PlannedPlays]:
    usual = all(one is None for one in (question.sim, question.people, levels, question.margin))
    own = (
        [(question.sim, question.people)] if question.sim is not None and question.people is not None else []
    )
    spread, sure = question.spread, question.power

    def row(
        kind: str, rates: tuple[float, float], need: testing.Need | None, rate: float
    ) -> plan_views.PlannedPlays:
        plays, testers = testing.with_testers(need.plays, each, rate, spread) if need else (None, None)
        alike = testing.alike(rate, spread)
        return plan_views.PlannedPlays(
            kind=kind,
            rates=rates,
            plays_once_each=need.plays if need else None,
            power=need.power if need else None,
            icc=alike,
            design_effect=testing.design_effect(each, alike),
            plays=plays,
            testers=testers,
        )

    for sim, people in NOTICED if usual else own:
        yield row("notice", (sim, people), testing.plays_against_known(sim, people, sure), people)
    for pair in APART if usual else [levels] if levels else []:
        yield row("apart", pair, testing.between(*pair, sure), sum(pair) / 2)
    rate = 0.5 if question.sim is None else question.sim
    for margin in MARGINS if usual else [question.margin] if question.margin else []:
        yield row("same", (rate, margin), testing.to_show_equal(rate, margin, None, sure), rate)


# ---------------------------------------------------------------- from plays


def of_plays(question: PlanQuestion) -> Answer:
    """Compute the probability that a number of further plays shows people's win rate to be in a band.

    The default band is the policy's win rate plus or minus the margin.
    """
    request, effort, each = question.request(), question.effort(question.games), question.each or 4
    band, plays = pair_of(question.band, "..", "--band"), Path(str(question.plays))
    log, game = read(plays), request.game
    refuse_without_plays(log, game, plays)
    log = of_edition(log, game.name, question.edition)
    if len(game.roles_in(request.loaded)) > 1:
        return _of_rivals(request, effort, question, log)
    result = skill_of(request, effort, question, log)
    wanted = [request.difficulty] if request.difficulty else [row.level for row in result.levels]
    missing = [level for level in wanted if level not in result.yardstick.levels]
    if missing:
        raise UsageError(
            f"--difficulty {missing[0]}: not on the scale; choose from {', '.join(result.yardstick.levels)}"
        )
    rows = []
    for level in wanted:
        index = result.yardstick.levels.index(level)
        policy = result.levels[index].policy
        at = band or (max(policy - result.margin, 0.0), min(policy + result.margin, 1.0))
        rows.append(skill.more_plays(result.posterior, level, index, at, each, effort.seed))
    document = plan_views.more_document(result, rows, str(plays), each, **sources_of(log, question.edition))
    return shown(game, document, partial(plan_views.more_view, document), hints=_form(name_in_commands(game)))


def _of_rivals(request: Request, effort: Effort, question: PlanQuestion, log: pl.DataFrame) -> Answer:
    """Compute the number of plays for a competitive game.

    The plays must be able to show that people win from each seat as often as the policies do, within the
    margin.
    """
    game, plays = request.game, str(question.plays)
    for option, value in (("--band", question.band), ("--each", question.each)):
        if value is not None:
            raise UsageError(
                f"playtest plan: {option} applies only to games with one side; for {game.name}, the plan "
                "tests whether people win from each seat as often as policies do, within --margin; remove "
                f"{option}"
            )
    margin = 0.1 if question.margin is None else question.margin
    effort.compiles(game, BATCH)
    match, result, seated = _contest(request, effort, log, plays, "playtest plan")
    document = plan_views.seat_document(
        result,
        checks.seat_plans(result, margin, question.power),
        match,
        plays,
        policies=list(seated),
        margin=margin,
        power=question.power,
        **sources_of(log, question.edition),
    )
    view = partial(plan_views.seat_view, document)
    return shown(game, document, view, hints=_form(name_in_commands(game)))
