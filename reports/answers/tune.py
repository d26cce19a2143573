"""`tune`: which value, or which values together, hit a target."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from bartizan.analyses.experiments.trials import Condition
from bartizan.analyses.experiments.tuning import (
    FRESH,
    OPEN,
    Candidates,
    Knob,
    Target,
    playable,
    read_knob,
    read_target,
    tiers_of,
    tune,
)
from bartizan.analyses.experiments.tuning_many import SearchVolume, changes_of, entry_of, screen, tune_many
from bartizan.policies.request import Request
from bartizan.reports.answers.answer import INCONCLUSIVE, Answer, Effort, shown
from bartizan.reports.answers.keeping import next_report, place_of
from bartizan.reports.answers.sensitivity import knobs_in_question, question_of
from bartizan.reports.views import tune as views
from bartizan.simcore.errors import UsageError, did_you_mean
from bartizan.simcore.scenario.loading import Scenario
from bartizan.simcore.scenario.model import ChangeCost

SEARCHED = {0: 1000, 1: 20_000}  # games of a value unless a number is given; of a combination:
OF_SEVERAL = 4000


@dataclass(frozen=True)
class Search:
    """What may change, what is to be hit, and what it may cost."""

    knobs: tuple[str, ...]  # PATH=LO:HI[:STEP], PATH=A,B or PATH; none: every value is varied once
    target: str  # win_rate=0.30
    costs: Mapping[str, str]  # path -> cost of a change there
    length: float | None = None  # wished turns
    trials: int = 100  # combinations that are played
    fresh: int = 20_000  # games that check the winner, on other seeds
    prefixes: tuple[str, ...] = ()  # without knobs: only values below these paths
    spread: float = 0.25  # without knobs: how far numbers are varied


def games_of(knobs: Sequence[str]) -> int:
    """How many games a value, or a combination, is worth unless a number is given."""
    return SEARCHED.get(len(knobs), OF_SEVERAL)


def refuse_unclear(target: str | None, knobs: Sequence[str], is_screen: bool) -> None:
    """No target, or options of the search without knobs beside one. is_screen: these are named."""
    if not target:
        raise UsageError(
            "tune: say what to change and what to hit: --knob PATH=LO:HI --target win_rate=0.30 (bartizan "
            "describe GAME --knobs lists the paths; without --knob every value is varied once)"
        )
    if knobs and is_screen:
        raise UsageError(
            "tune: --path and --range are for tune without --knob, where every value is varied once; "
            "--knob PATH=LO:HI says its own range"
        )


def ask(
    request: Request, effort: Effort, search: Search, out: Path | None = None, command: str = ""
) -> Answer:
    """Search, and play the winner again on fresh seeds. out: a .json file, or a folder to keep the answer
    in.
    """
    game, question, s = question_of(request, effort, "tune: name one policy for each seat")
    keep = place_of(out, "tune", game, command)
    knobs = [_knob(text, question, s) for text in search.knobs]
    _refuse_twice(knobs, question)
    wanted = read_target(search.target, tiers_of(question))
    if not knobs:
        document: views.TuneDocument = _screened(question, s, wanted, search, effort)
    elif len(knobs) == 1:
        document = _tuned(question, s, knobs[0], wanted, search, effort)
    else:
        document = _tuned_many(question, s, knobs, wanted, search, effort)
    if keep:
        effort.watch.kept(keep(document.plain()), next_report(out))
    code = INCONCLUSIVE if document.verdict == OPEN else 0
    return shown(game, document, views.view(document), exit_code=code)


def _knob(said: str, question: Condition, s: Scenario) -> Knob:
    return read_knob(said, s.parameters())


def _refuse_twice(knobs: Sequence[Knob], question: Condition) -> None:
    paths = [one.knob.path for one in knobs]
    for path in paths:
        if path in question.sets:
            raise UsageError(f"--knob {path}: --set or --difficulty says what it is; name it once")
        if path == question.game.players_path:
            raise UsageError(f"--knob {path}: how many play is for --players")
        if paths.count(path) > 1:
            raise UsageError(f"--knob {path}: named twice")


def _costs(s: Scenario, paths: Sequence[str], said: Mapping[str, str]) -> dict[str, ChangeCost]:
    """What the scenario says changes cost, and `--cost` beside it."""
    costs = dict(s.model.change_cost)
    for path, number in said.items():
        if not any(entry_of(one, [path]) for one in paths):
            raise UsageError(f"--cost {path}: no --knob lies there{did_you_mean(path, paths)}")
        try:
            costs[path] = ChangeCost(cost=float(number), why="--cost")
        except ValueError:
            raise UsageError(f"--cost {path}={number}: give a number, 0 or more") from None
    return costs


@contextmanager
def _two_seeds(
    question: Condition, wanted: Target, effort: Effort, games: int
) -> Iterator[tuple[Candidates, Candidates, int]]:
    """What plays the search, what plays the check, and the seed of the check. games: of each seating, at
    most.
    """
    fresh = replace(question, seed=(question.seed + FRESH) % 2**63)
    with effort.source(question.game) as source:
        source.expect(games * len(question.seatings()))
        yield Candidates(question, wanted, source), Candidates(fresh, wanted, source), fresh.seed


def _tuned(
    question: Condition, s: Scenario, asked: Knob, wanted: Target, search: Search, effort: Effort
) -> views.TunedValue:
    """One knob: stochastic root finding."""
    if search.costs or search.length is not None:
        raise UsageError(
            "tune: --cost and --length weigh several parameters against each other; with one there is "
            "nothing to weigh"
        )
    path = asked.knob.path
    values, refused = playable(question, asked)
    most = question.games * len(values) + 2 * search.fresh
    with _two_seeds(question, wanted, effort, most) as (candidates, check, fresh_seed):
        play, again = (lambda value, n, on=on: on.play({path: value}, n) for on in (candidates, check))
        found = tune(
            play, again, values, wanted, asked.is_ordered, question.games, search.fresh, asked.knob.value
        )
    asked = replace(asked, values=values)
    return views.of_value(question, s, asked, found, fresh_seed, refused, s.model.change_cost)


def _screened(
    question: Condition, s: Scenario, wanted: Target, search: Search, effort: Effort
) -> views.ScreenedValues:
    """No knob: every value is varied once, and the nearest are played again."""
    if search.length is not None:
        raise UsageError(
            "tune: --length weighs several parameters against each other; without --knob changes are "
            "ranked by nearness and cost"
        )
    there = knobs_in_question(question.game, s, False, search.prefixes)
    knobs = [knob for knob in there if knob.path not in question.sets]
    changes, unvaried = changes_of(knobs, search.spread)
    costs = _costs(s, [knob.path for knob in knobs], search.costs)
    most = question.games * (len(changes) + 1)
    with _two_seeds(question, wanted, effort, most) as (candidates, check, fresh_seed):
        volume = (question.games, search.fresh)
        found = screen(candidates.play, check.play, changes, wanted, costs, *volume, unvaried)
    if found is None:
        raise UsageError("tune: no value can be varied and played; name one with --knob")
    return views.of_screen(question, s, found, costs, search.spread, fresh_seed)


def _tuned_many(
    question: Condition, s: Scenario, knobs: list[Knob], wanted: Target, search: Search, effort: Effort
) -> views.TunedCombination:
    """Several knobs: the Pareto front of distance, length and cost."""
    costs = _costs(s, [one.knob.path for one in knobs], search.costs)
    most = search.trials * question.games + search.fresh
    with _two_seeds(question, wanted, effort, most) as (candidates, check, fresh_seed):
        found = tune_many(
            candidates.play,
            check.play,
            knobs,
            wanted,
            costs,
            search.length,
            SearchVolume(search.trials, question.games, search.fresh),
            question.seed,
        )
    return views.of_combinations(question, s, knobs, found, costs, fresh_seed)
