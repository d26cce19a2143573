"""`playtest skill`: how well people play, on the policies' scale; and what their plays say besides."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from bartizan.analyses.people import checks, contest, yardstick
from bartizan.analyses.people.log import read
from bartizan.analyses.people.skill import PeopleSkill, analyze, join
from bartizan.analyses.people.yardstick import Yardstick
from bartizan.policies.registry import find_player
from bartizan.policies.request import Request, match_of, name_in_commands
from bartizan.policies.restricted import chance_of
from bartizan.reports.answers.answer import Answer, Effort, shown
from bartizan.reports.answers.keeping import next_report, place_of
from bartizan.reports.views import people_skill as views
from bartizan.simcore.errors import UsageError
from bartizan.simcore.game import Game
from bartizan.simcore.play.batch import BATCH
from bartizan.simcore.scenario.loading import Scenario, load_scenario

NOISE, GAMES = "0.05,0.1,0.2,0.4", 4000  # unless they are named
MADE_UP = "made up"  # in the edition of a play
NO_SCALE = "win all games or none, so there is no scale"


@dataclass(frozen=True)
class Laying:
    """Which plays, and what they are laid against."""

    plays: Path
    noise: str = NOISE
    margin: float = 0.1
    out: Path | None = None  # a .json file, or a folder to keep the answer in
    command: str = ""
    why: str = ""  # these policies, where nobody named them
    others: str = "name others with --policy and --noise"


def ask(request: Request, effort: Effort, laying: Laying) -> Answer:
    """The answer of one game, whatever its seats."""
    log, game = read(laying.plays), request.game
    first, keep = request.loaded, place_of(laying.out, "playtest-skill", game, laying.command)
    refuse_without_plays(log, game, laying.plays)
    effort.compiles(game, BATCH)
    hints: Sequence[str] = ()
    sources = {**sources_of(log, game), "why": laying.why or None}
    document: views.PeopleDocument
    if len(game.roles_in(first)) > 1:
        document = _contested(request, effort, log, laying, sources)
    else:
        result = found_of(request, effort, laying, log)
        checked = checks.check(result, effort.seed)
        document = views.document(result, checked, str(laying.plays), **sources)
        hints = ["", f"Next: {shlex.join(_planning(request, effort, laying))}"]
    if keep:
        effort.watch.kept(keep(document.plain()), next_report(laying.out))
    return shown(game, document, views.view(document), hints=hints)


def _planning(request: Request, effort: Effort, laying: Laying) -> Sequence[str]:
    """How many plays more, asked of the same policies and the same number of games."""
    asked = ["bartizan", "playtest", "plan", name_in_commands(request.game), "--plays", str(laying.plays)]
    said = {"--noise": (laying.noise, NOISE), "--games": (effort.games, GAMES), "--seed": (effort.seed, 1)}
    more = [word for name, (value, plain) in said.items() if value != plain for word in (name, str(value))]
    return [*asked, *replace(request, players=None).words(), *more]


def sources_of(log: pl.DataFrame, game: Game) -> dict:
    """What every answer rests on: `sources`, file -> plays of it in the folder; `made_up`, whether a play
    says in its edition that nobody played it.
    """
    played = log.filter(pl.col("kept") & (pl.col("game") == game.name))
    counted = played.group_by("source").agg(pl.col("play_id").n_unique()).sort("source")
    made_up = bool(played["edition"].str.contains(MADE_UP).any())
    return {"sources": dict(counted.iter_rows()), "made_up": made_up}


def found_of(request: Request, effort: Effort, laying: Laying, log=None) -> PeopleSkill:
    """People on the scale; UsageError where no play can be laid against it."""
    log = read(laying.plays) if log is None else log
    scenarios = levels_of(request)
    yard = _played(request, effort, scenarios, laying)
    joined = join(log, request.game.name, yard.levels, list(scenarios))
    if not joined.plays:
        why = ", ".join(f"{reason}: {plays}" for reason, plays in joined.left_out.items())
        raise UsageError(
            f"{laying.plays}: no play of {request.game.name} can be used ({why}); write down the result and "
            "the level"
        )
    return analyze(joined, yard, laying.margin, seed=effort.seed)


def levels_of(request: Request) -> Mapping[str, Scenario]:
    """Level -> scenario, in the order of the game."""
    base = request.loaded
    return {
        level: load_scenario(request.game, request.scenario, level, request.values)
        for level in base.model.difficulties()
    }


def refuse_without_plays(log, game: Game, folder: Path) -> None:
    if log.is_empty():
        form = f"bartizan playtest form {name_in_commands(game)} -o form.csv"
        raise UsageError(f"{folder}: holds no play yet; fill in a form ({form}) and import it again")
    kept_plays = log.filter(log["kept"])
    there = sorted(set(kept_plays["game"].drop_nulls()))
    if game.name not in there:
        unnamed = f"its plays name no game: import the files again with --game {name_in_commands(game)}"
        nothing = "every play in it is set aside" if kept_plays.is_empty() else unnamed
        kept = f"there are plays of {', '.join(there)}" if there else nothing
        raise UsageError(f"{folder}: no play of {game.name} in it; {kept}")


def _played(request: Request, effort: Effort, scenarios: Mapping[str, Scenario], laying: Laying) -> Yardstick:
    game = request.game
    refusal = "playtest skill: name one policy, whose copies with noise are the scale"
    line_up = request.line_up(refusal, request.best(*scenarios.values()))
    (policy,) = game.seated(request.loaded, line_up)
    chances = sorted({0.0, *(chance_of(one) for one in laying.noise.split(","))})
    dial = {chance: find_player(game, _noisy(policy, chance)) for chance in chances}
    zero = load_scenario(game, request.scenario).difficulty
    question = yardstick.question_of(game, scenarios, dial, effort.games, effort.seed, zero)
    with effort.source(game) as source:
        yard = yardstick.play(question, source)
    if len(yard.noises) < yardstick.FEWEST or not yard.levels:
        copies = f"{policy} and its copies with noise {laying.noise}"
        raise UsageError(f"playtest skill: {copies} {NO_SCALE}; {laying.others}")
    return yard


def _noisy(policy: str, chance: float) -> str:
    if not chance:
        return policy
    if policy == "random" or "noise=" in policy:
        raise UsageError(f"playtest skill: --policy {policy} plays at random already; name one without noise")
    return f"{policy}{',' if '=' in policy else ':'}noise={chance:g}"


def _contested(
    request: Request, effort: Effort, log, laying: Laying, sources: Mapping
) -> views.ContestDocument:
    game, scenario = request.game, request.loaded
    roles: Sequence[str] = game.roles_in(scenario)
    seated = game.seated(scenario, request.line_up("playtest skill: name one line-up"))
    match = match_of(game, scenario, seated, effort.seed)
    with effort.source(game) as source:
        found = contest.analyze(log, match, roles, effort.games, source)
    if not found.plays:
        raise UsageError(
            f"{laying.plays}: no play of {name_in_commands(game)} with {len(roles)} players; "
            f"--players says how "
            "many played"
        )
    return views.contest_document(found, match, seated, str(laying.plays), **sources)
