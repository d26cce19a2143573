"""`tune`: which value, or which values together, hit a target."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from bartizan.analyses.experiments.candidates import Candidates, playable, tiers_of
from bartizan.analyses.experiments.targets import Asked, Target, read_knob, read_target
from bartizan.analyses.experiments.trials import Condition
from bartizan.analyses.experiments.tuning import FRESH, OPEN, tune
from bartizan.analyses.experiments.tuning_many import SearchVolume, changes_of, entry_of, screen, tune_many
from bartizan.api.answer import Answer
from bartizan.api.answers.sensitivity import knobs_in_question, question_of
from bartizan.api.caveats import shown
from bartizan.api.keeping import place_of
from bartizan.api.playing import INCONCLUSIVE, Effort
from bartizan.api.questions.tune import TuneQuestion
from bartizan.api.reading import listed, share_of, texts
from bartizan.reports.views import tune as views
from bartizan.simcore.errors import UsageError, did_you_mean
from bartizan.simcore.scenario.loading import Scenario
from bartizan.simcore.scenario.model import ChangeCost

SEARCHED = {0: 1000, 1: 20_000}  # games of a value unless a number is given; of a combination:
OF_SEVERAL = 4000


def answer(question: TuneQuestion) -> Answer:
    named = listed(question.knob)
    if not question.target:
        raise UsageError(
            "tune: say what to change and what to hit: --knob PATH=LO:HI --target win_rate=0.30 (bartizan "
            "describe GAME --knobs lists the paths; without --knob every value is varied once)"
        )
    if named and (question.path or question.range):
        raise UsageError(
            "tune: --path and --range are for tune without --knob, where every value is varied once; "
            "--knob PATH=LO:HI says its own range"
        )
    request = question.request()
    games = question.games or SEARCHED.get(len(named), OF_SEVERAL)
    with question.efforts(games) as effort:
        game, experiment, s = question_of(request, effort, "tune: name one policy for each seat")
        keep = place_of(question, game)
        knobs = [read_knob(text, s.parameters()) for text in named]
        paths = [asked.knob.path for asked in knobs]
        for path in paths:
            if path in experiment.sets:
                raise UsageError(f"--knob {path}: --set or --difficulty says what it is; name it once")
            if path == game.players_path:
                raise UsageError(f"--knob {path}: how many play is for --players")
            if paths.count(path) > 1:
                raise UsageError(f"--knob {path}: named twice")
        target = read_target(question.target, tiers_of(experiment))
        if not knobs:
            document: views.TuneDocument = _screened(experiment, s, target, question, effort)
        elif len(knobs) == 1:
            document = _tuned(experiment, s, knobs[0], target, question, effort)
        else:
            document = _tuned_many(experiment, s, knobs, target, question, effort)
    keep(document.plain())
    code = INCONCLUSIVE if document.verdict == OPEN else 0
    return shown(game, document, views.view(document), exit_code=code)


def _costs(s: Scenario, paths: Sequence[str], named: Mapping[str, str]) -> dict[str, ChangeCost]:
    """What the scenario says changes cost, and `--cost` beside it."""
    costs = dict(s.model.change_cost)
    for path, number in named.items():
        if not any(entry_of(one, [path]) for one in paths):
            raise UsageError(f"--cost {path}: no --knob lies there{did_you_mean(path, paths)}")
        try:
            costs[path] = ChangeCost(cost=float(number), why="--cost")
        except ValueError:
            raise UsageError(f"--cost {path}={number}: give a number, 0 or more") from None
    return costs


@contextmanager
def _two_seeds(
    experiment: Condition, wanted: Target, effort: Effort, games: int
) -> Iterator[tuple[Candidates, Candidates, int]]:
    """What plays the search, what plays the check, and the seed of the check. games: of each seating, at
    most.
    """
    fresh = replace(experiment, seed=(experiment.seed + FRESH) % 2**63)
    with effort.source(experiment.game) as source:
        source.expect(games * len(experiment.seatings()))
        yield Candidates(experiment, wanted, source), Candidates(fresh, wanted, source), fresh.seed


def _tuned(
    experiment: Condition, s: Scenario, knob: Asked, wanted: Target, question: TuneQuestion, effort: Effort
) -> views.TunedValue:
    """One knob: stochastic root finding."""
    if question.cost or question.length is not None:
        raise UsageError(
            "tune: --cost and --length weigh several parameters against each other; with one there is "
            "nothing to weigh"
        )
    path = knob.knob.path
    values, refused = playable(experiment, knob)
    most = experiment.games * len(values) + 2 * question.fresh
    with _two_seeds(experiment, wanted, effort, most) as (candidates, check, fresh_seed):
        play, again = (lambda value, n, on=on: on.play({path: value}, n) for on in (candidates, check))
        result = tune(
            play, again, values, wanted, knob.is_ordered, experiment.games, question.fresh, knob.knob.value
        )
    knob = replace(knob, values=values)
    return views.of_value(experiment, s, knob, result, fresh_seed, refused, s.model.change_cost)


def _screened(
    experiment: Condition, s: Scenario, wanted: Target, question: TuneQuestion, effort: Effort
) -> views.ScreenedValues:
    """No knob: every value is varied once, and the nearest are played again."""
    if question.length is not None:
        raise UsageError(
            "tune: --length weighs several parameters against each other; without --knob changes are "
            "ranked by nearness and cost"
        )
    spread = share_of(question.range or "25%")
    parameters = knobs_in_question(experiment.game, s, False, listed(question.path))
    knobs = [knob for knob in parameters if knob.path not in experiment.sets]
    changes, unvaried = changes_of(knobs, spread)
    costs = _costs(s, [knob.path for knob in knobs], texts(question.cost))
    most = experiment.games * (len(changes) + 1)
    with _two_seeds(experiment, wanted, effort, most) as (candidates, check, fresh_seed):
        volume = (experiment.games, question.fresh)
        result = screen(candidates.play, check.play, changes, wanted, costs, *volume, unvaried)
    if result is None:
        raise UsageError("tune: no value can be varied and played; name one with --knob")
    return views.of_screen(experiment, s, result, costs, spread, fresh_seed)


def _tuned_many(
    experiment: Condition,
    s: Scenario,
    knobs: list[Asked],
    wanted: Target,
    question: TuneQuestion,
    effort: Effort,
) -> views.TunedCombination:
    """Several knobs: the Pareto front of distance, length and cost."""
    costs = _costs(s, [one.knob.path for one in knobs], texts(question.cost))
    most = question.trials * experiment.games + question.fresh
    with _two_seeds(experiment, wanted, effort, most) as (candidates, check, fresh_seed):
        result = tune_many(
            candidates.play,
            check.play,
            knobs,
            wanted,
            costs,
            question.length,
            SearchVolume(question.trials, experiment.games, question.fresh),
            experiment.seed,
        )
    return views.of_combinations(experiment, s, knobs, result, costs, fresh_seed)
