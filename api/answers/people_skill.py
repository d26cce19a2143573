"""`playtest skill`: how well people play, on the policies' scale; and what their plays say besides."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from bartizan.analyses.people import checks, skill
from bartizan.analyses.people.log import read
from bartizan.analyses.people.skill import PeopleSkill, Yardstick, analyze, join
from bartizan.api.answer import Answer
from bartizan.api.caveats import shown
from bartizan.api.effort import Effort
from bartizan.api.keeping import place_of
from bartizan.api.playing import scenarios_at
from bartizan.api.questions.playtest import PlanQuestion, SkillQuestion
from bartizan.policies.modifiers import chance_of
from bartizan.policies.registry import find_player
from bartizan.policies.request import Request, match_of, name_in_commands
from bartizan.reports.views import people_skill as views
from bartizan.simcore.errors import UsageError
from bartizan.simcore.game import Game
from bartizan.simcore.play.batch import BATCH
from bartizan.simcore.scenario.loading import Scenario, load_scenario

MADE_UP = "made up"  # in the edition of a play
NO_SCALE = "win all games or none, so there is no scale"


def answer(
    question: SkillQuestion, why: str = "", others: str = "name others with --policy and --noise"
) -> Answer:
    """The answer of one game, whatever its seats. why: these policies, where nobody named them; others: how
    other policies are named.
    """
    request, effort = question.request(), question.effort(question.games)
    log, game, plays = read(Path(question.plays)), request.game, str(question.plays)
    first, keep = request.loaded, place_of(question, game)
    refuse_without_plays(log, game, Path(plays))
    effort.compiles(game, BATCH)
    hints: Sequence[str] = ()
    sources = {**sources_of(log, game), "why": why or None}
    document: views.PeopleDocument
    if len(game.roles_in(first)) > 1:
        document = _contested(request, effort, log, plays, sources)
    else:
        result = skill_of(request, effort, question, log, others)
        document = views.document(result, checks.check(result, effort.seed), plays, **sources)
        hints = ["", f"Next: {shlex.join(_planning(request, question))}"]
    keep(document.plain())
    return shown(game, document, views.view(document), hints=hints)


def _planning(request: Request, question: SkillQuestion) -> Sequence[str]:
    """How many plays more, asked of the same policies and the same number of games."""
    words = ["bartizan", "playtest", "plan", name_in_commands(request.game), "--plays", str(question.plays)]
    changed = [
        word
        for option in question.options
        if option.name in ("noise", "games", "seed") and getattr(question, option.name) != option.default
        for word in (option.flag, str(getattr(question, option.name)))
    ]
    return [*words, *replace(request, players=None).words(), *changed]


def sources_of(log: pl.DataFrame, game: Game) -> dict:
    """What every answer rests on: `sources`, file -> plays of it in the folder; `made_up`, whether a play
    says in its edition that nobody played it.
    """
    played = log.filter(pl.col("kept") & (pl.col("game") == game.name))
    counted = played.group_by("source").agg(pl.col("play_id").n_unique()).sort("source")
    made_up = bool(played["edition"].str.contains(MADE_UP).any())
    return {"sources": dict(counted.iter_rows()), "made_up": made_up}


def skill_of(
    request: Request,
    effort: Effort,
    question: SkillQuestion | PlanQuestion,
    log: pl.DataFrame,
    others: str = "name others with --policy and --noise",
) -> PeopleSkill:
    """People on the scale; UsageError where no play can be laid against it."""
    scenarios = scenarios_at(request, request.loaded.model.difficulties())
    yard = _played(request, effort, scenarios, question.noise, others)
    joined = join(log, request.game.name, yard.levels, list(scenarios))
    if not joined.plays:
        why = ", ".join(f"{reason}: {plays}" for reason, plays in joined.left_out.items())
        raise UsageError(
            f"{question.plays}: no play of {request.game.name} can be used ({why}); write down the result "
            "and the level"
        )
    margin = 0.1 if question.margin is None else question.margin
    return analyze(joined, yard, margin, seed=effort.seed)


def refuse_without_plays(log, game: Game, folder: Path) -> None:
    if log.is_empty():
        form = f"bartizan playtest form {name_in_commands(game)} -o form.csv"
        raise UsageError(f"{folder}: holds no play yet; fill in a form ({form}) and import it again")
    kept_plays = log.filter(log["kept"])
    names = sorted(set(kept_plays["game"].drop_nulls()))
    if game.name not in names:
        unnamed = f"its plays name no game: import the files again with --game {name_in_commands(game)}"
        nothing = "every play in it is set aside" if kept_plays.is_empty() else unnamed
        kept = f"there are plays of {', '.join(names)}" if names else nothing
        raise UsageError(f"{folder}: no play of {game.name} in it; {kept}")


def _played(
    request: Request, effort: Effort, scenarios: Mapping[str, Scenario], noise: str, others: str
) -> Yardstick:
    game = request.game
    refusal = "playtest skill: name one policy, whose copies with noise are the scale"
    line_up = request.line_up(refusal, request.best(*scenarios.values()))
    (policy,) = game.seated(request.loaded, line_up)
    chances = sorted({0.0, *(chance_of(one) for one in noise.split(","))})
    dial = {chance: find_player(game, _noisy(policy, chance)) for chance in chances}
    zero = load_scenario(game, request.scenario).difficulty
    question = skill.question_of(game, scenarios, dial, effort.games, effort.seed, zero)
    with effort.source(game) as source:
        yard = skill.play_yardstick(question, source)
    if len(yard.noises) < skill.FEWEST or not yard.levels:
        copies = f"{policy} and its copies with noise {noise}"
        raise UsageError(f"playtest skill: {copies} {NO_SCALE}; {others}")
    return yard


def _noisy(policy: str, chance: float) -> str:
    if not chance:
        return policy
    if policy == "random" or "noise=" in policy:
        raise UsageError(f"playtest skill: --policy {policy} plays at random already; name one without noise")
    return f"{policy}{',' if '=' in policy else ':'}noise={chance:g}"


def _contested(
    request: Request, effort: Effort, log: pl.DataFrame, plays: str, sources: Mapping
) -> views.ContestDocument:
    game, scenario = request.game, request.loaded
    roles: Sequence[str] = game.roles_in(scenario)
    seated = game.seated(scenario, request.line_up("playtest skill: name one line-up"))
    match = match_of(game, scenario, seated, effort.seed)
    with effort.source(game) as source:
        result = checks.contest(log, match, roles, effort.games, source)
    if not result.plays:
        raise UsageError(
            f"{plays}: no play of {name_in_commands(game)} with {len(roles)} players; --players says how "
            "many played"
        )
    return views.contest_document(result, match, seated, plays, **sources)
