"""`sensitivity`: find the numbers that affect the result; `tune`: find the values that meet a target."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from bartizan.analyses.experiments.sensitivity import analyze, knobs_of
from bartizan.analyses.experiments.trials import Condition, asked
from bartizan.analyses.experiments.tuning import (
    FRESH,
    INCONCLUSIVE,
    Candidates,
    Knob,
    Target,
    playable,
    read_knob,
    read_target,
    tiers_of,
    tune,
)
from bartizan.analyses.experiments.tuning_many import AGAIN, changes_of, entry_of, screen, tune_many
from bartizan.api.answer import EXIT_INCONCLUSIVE, Answer, plain
from bartizan.api.caveats import caveat_lines, shown
from bartizan.api.effort import Effort
from bartizan.api.keeping import name_of, next_report, place_of
from bartizan.api.looks import KeptLooks, before, looks_said, own_code
from bartizan.api.questions.balance import SensitivityQuestion, TuneQuestion
from bartizan.api.reading import listed, path_of, share_of, texts
from bartizan.policies.registry import find_player
from bartizan.policies.request import Request
from bartizan.reports.blocks import Lines, View
from bartizan.reports.render import terminal
from bartizan.reports.views import interactions
from bartizan.reports.views import sensitivity as sensitivity_views
from bartizan.reports.views import tune as tune_views
from bartizan.simcore.errors import UsageError, did_you_mean
from bartizan.simcore.game import Game
from bartizan.simcore.numerals import numeral
from bartizan.simcore.reporting import Reporting
from bartizan.simcore.scenario.loading import Scenario, load_scenario
from bartizan.simcore.scenario.model import ChangeCost
from bartizan.simcore.scenario.parameters import Parameter, by_path, level_of, path_meant
from bartizan.simcore.sources import rules_version
from bartizan.simcore.sweep.store import SENSITIVITY, Sweep, change_added, open_sweep, read_added


def answer_sensitivity(question: SensitivityQuestion) -> Answer:
    request, spread = question.request(), share_of(question.range)
    effort = question.effort(question.games)
    game, experiment, s = question_of(request, effort, "sensitivity")
    levels = s.model.difficulties() if question.levels and len(s.model.difficulties()) > 1 else []
    knobs = knobs_in_question(game, s, question.assumed, listed(question.path), levels)
    keep = _place_of(question, game, s)
    extent = (spread, question.decks, question.effects, question.settings)
    with effort.source(game) as source:
        result = analyze(experiment, knobs, source, *extent, levels)
    document = sensitivity_views.document(experiment, s, result, spread)
    keep(document.plain())

    def lines() -> Iterator[str]:
        sentence, *rest = terminal.lines(sensitivity_views.view(document, question.top))
        yield sentence
        yield from caveat_lines(game, document.plain())
        yield from rest
        yield ""
        yield from (
            terminal.lines(interactions.view(document.effects))
            if document.effects
            else [sensitivity_views.MORE]
        )

    return Answer(document.plain(), lines, view=partial(_view, document, question.top))


def _view(document: sensitivity_views.SensitivityDocument, top: int) -> View:
    """Return the view of a result, followed by the interactions if they were measured.

    top: number of rows of the table.
    """
    alone = sensitivity_views.view(document, top)
    if not document.effects:
        return alone
    together = interactions.view(document.effects)
    return replace(alone, blocks=(*alone.blocks, Lines((together.sentence,)), *together.blocks))


def question_of(request: Request, effort: Effort, asking: str) -> tuple[Game, Condition, Scenario]:
    """Return the game, the condition whose values are varied, and its unchanged scenario."""
    game = request.game
    line_up = request.line_up(asking)
    s = load_scenario(game, request.scenario, None, request.leveled)
    seats = game.seated(s, line_up)
    players = {named: find_player(game, named) for named in dict.fromkeys(seats)}
    at_table = tuple(players[named] for named in seats)
    volume = (effort.games, effort.seed)
    question = Condition(game, request.scenario, request.leveled, at_table, *volume, jobs=effort.workers)
    return game, question, s


def knobs_in_question(
    game: Game, s: Scenario, assumed: bool, prefixes: Sequence[str], levels: Sequence[str] = ()
) -> list[Parameter]:
    """Return the values to vary: those below the prefixes, or all.

    assumed: only assumed values. levels: the simulated levels (see `knobs_of`).

    Raises UsageError if there are no values to vary, and for an unknown prefix or one of another level.
    """
    paths = [knob.path for knob in knobs_of(s, game, levels=s.model.difficulties())]
    rooms = {".".join(path.split(".")[:depth]) for path in paths for depth in range(1, path.count(".") + 2)}
    prefixes = [path_meant(prefix, s.data) for prefix in prefixes]
    for prefix in prefixes:
        if prefix not in rooms:
            raise UsageError(f"--path {prefix}: {game.name} has no such value{did_you_mean(prefix, rooms)}")
        _refuse_other_level(f"--path {prefix}", prefix, s, levels)
    knobs = knobs_of(s, game, assumed, list(prefixes), levels)
    if not knobs:
        why = (
            "none of these values is assumed; remove --assumed" if assumed else "it has no numbers or rulings"
        )
        raise UsageError(f"{game.name}: nothing to vary: {why}")
    return knobs


def _refuse_other_level(option: str, path: str, s: Scenario, levels: Sequence[str] = ()) -> None:
    """Raise UsageError for a value of a level that is not simulated."""
    level = level_of(path, s.data, s.model.difficulties())
    if level and level not in (levels or [s.difficulty]):
        raise UsageError(
            f"{option}: a value of level {level}, but only {s.difficulty} is simulated; add "
            f"--difficulty {level}"
        )


def _place_of(question: SensitivityQuestion, game: Game, s: Scenario) -> Callable[[Mapping[str, Any]], None]:
    """Return the function that saves a result in a .json file or in the folder of a sweep.

    The sweep must be of the same game and rules, and have a cell with the same values; otherwise UsageError
    is raised before the simulation, as for an invalid path. The first result saved in a sweep has its own
    file, because the banner quotes its effects; a new result of the same question replaces it. Results of
    other questions are saved with the sweep's other results.
    """
    out = path_of(question.out)
    if out is None or not out.is_dir():
        return place_of(question, game)
    opened, command = sweep_of_same(out, game, s), question.command_line()
    beside = place_of(question, game)
    read_added(opened, SENSITIVITY)  # a file that Bartizan did not write is rejected before the simulation

    class Taken(Exception):
        """Raised if the file contains the saved result of another question."""

    def keep(document: Mapping[str, Any]) -> None:
        def unless_taken(before: dict[str, Any]) -> dict[str, Any]:
            if before and name_of(question, before) != name_of(question, document):
                raise Taken
            return {**plain(document), "command": command}

        try:
            path = change_added(opened, SENSITIVITY, unless_taken)
        except Taken:
            return beside(document)
        question.watch.kept(path, next_report(out))

    return keep


def sweep_of_same(folder: Path, game: Game, s: Scenario) -> Sweep:
    """Return the sweep in the folder if a result about this game and scenario can be added to it.

    Raises UsageError if its game, rules or values differ.
    """
    opened = open_sweep(folder)
    for key, value in {"game": game.name, "behaviour": game.behaviour}.items():
        if opened.manifest[key] != value:
            raise UsageError(
                f"{folder}: contains a sweep of another game ({key} {opened.manifest[key]}, now "
                f"{value}); choose another folder"
            )
    if rules_version(opened.manifest) != game.rules_version:
        raise UsageError(
            f"{folder}: contains games that were simulated before the code of {game.name} changed; choose "
            "another folder"
        )
    if s.hash not in {cell.scenario_hash for cell in opened.cells}:
        raise UsageError(
            f"{folder}: none of its cells uses these numbers and rulings (hash {s.hash}); give the "
            "same --set, --players and --difficulty"
        )
    return opened


# ---------------------------------------------------------------- tune


ONE_LOOK = (
    "This verdict is for one look: adding --fresh games of the same seed gives another chance of a wrong "
    "verdict. Use -o to count looks."
)
SEARCHED = {0: 1000, 1: 20_000}  # default number of games per value, by number of --knob; per combination:
OF_SEVERAL = 4000


def answer_tune(question: TuneQuestion) -> Answer:
    named = listed(question.knob)
    if not question.target:
        raise UsageError(
            "tune: no target given; write for example --knob PATH=LO:HI --target win_rate=0.30 "
            "(bartizan describe GAME --knobs lists the paths; without --knob, every value is "
            "varied once)"
        )
    if named and (question.path or question.range is not None):
        raise UsageError(
            "tune: --path and --range are only for tune without --knob; set the range with --knob PATH=LO:HI"
        )
    if len(named) < 2 and question.has("trials"):
        raise UsageError("tune: --trials needs at least two --knob options; remove it or add another --knob")
    request = question.request()
    games = question.games or SEARCHED.get(len(named), OF_SEVERAL)
    effort = question.effort(games)
    game, experiment, s = question_of(request, effort, "tune")
    keep = place_of(question, game)
    knobs = [read_knob(knob_meant(text, s), s.parameters()) for text in named]
    paths = [asked.parameter.path for asked in knobs]
    for path in paths:
        _refuse_other_level(f"--knob {path}", path, s)
        if path in experiment.sets:
            raise UsageError(f"--knob {path}: also set by --set or --difficulty; set it only once")
        if path == game.players_path:
            raise UsageError(f"--knob {path}: set the number of players with --players")
        if paths.count(path) > 1:
            raise UsageError(f"--knob {path}: given twice; give it once")
    reporting = game.compiled.reporting or Reporting()
    target = read_target(question.target, tiers_of(experiment), question.margin, reporting.has_score)
    looks = before(path_of(question.out), question.kept_as, *_identity(question, experiment, s))

    def document_of() -> tune_views.TuneDocument:
        if not knobs:
            return _screened(experiment, s, target, question, effort, looks)
        if len(knobs) == 1:
            return _tuned(experiment, s, knobs[0], target, question, effort, looks)
        return _tuned_many(experiment, s, knobs, target, question, effort, looks)

    document = asked(document_of)
    keep(document.plain())
    code = EXIT_INCONCLUSIVE if document.verdict == INCONCLUSIVE else 0
    one = [ONE_LOOK] if document.verdict == INCONCLUSIVE and not document.looks_counted else []
    hints = [*one, *looks_said(document)]
    return shown(game, document, partial(tune_views.view, document), exit_code=code, hints=hints)


def knob_meant(text: str, s: Scenario) -> str:
    """Return the text of `--knob` with the parameter's path in its standard form."""
    path, *choice = text.split("=", 1)
    return "=".join([path_meant(path.strip(), s.data), *choice])


def _identity(question: TuneQuestion, experiment: Condition, s: Scenario) -> list[Any]:
    """Return the key that identifies a search, independent of its number of games."""
    asked = [
        *(listed(question.knob), listed(question.path), question.range, question.target, question.margin),
        *(texts(question.cost), question.length),
    ]
    game, players = experiment.game, [player.name for player in experiment.players]
    own = own_code(game, experiment.players)
    return [game.name, game.behaviour, s.hash, players, experiment.seed, *asked, *own]


def _costs(s: Scenario, paths: Sequence[str], named: Mapping[str, str]) -> dict[str, ChangeCost]:
    """Map each path to the cost of changing it, from the scenario and `--cost`.

    Raises UsageError for a path that is not varied, and for an invalid cost.
    """
    costs = dict(s.model.change_cost)
    for path, number in by_path(named, s.data, "--cost").items():
        if not any(entry_of(one, [path]) for one in paths):
            raise UsageError(f"--cost {path}: no such --knob{did_you_mean(path, paths)}")
        try:
            costs[path] = ChangeCost(cost=float(numeral(number)), why="--cost")
        except ValueError:
            raise UsageError(f"--cost {path}={number}: give a number, 0 or more") from None
    return costs


@contextmanager
def _three_seeds(
    experiment: Condition, wanted: Target, effort: Effort, games: int
) -> Iterator[tuple[Candidates, Candidates, Candidates]]:
    """Yield candidates with three seeds: for the search, the verification, and the best value.

    games: maximum number of games per seating.
    """
    with effort.source(experiment.game) as source:
        source.expect(games * len(experiment.seatings()))
        search, check, last = (
            Candidates(replace(experiment, seed=(experiment.seed + use * FRESH) % 2**63), wanted, source)
            for use in range(3)
        )
        yield search, check, last


def _tuned(
    experiment: Condition,
    s: Scenario,
    knob: Knob,
    wanted: Target,
    question: TuneQuestion,
    effort: Effort,
    looks: KeptLooks,
) -> tune_views.TunedValue:
    """Tune one parameter by stochastic root finding (`tune` with one `--knob`)."""
    if question.cost or question.length is not None:
        raise UsageError(
            "tune: --cost and --length need at least two --knob options; remove them or add another --knob"
        )
    path = knob.parameter.path
    values, refused = playable(experiment, knob)
    most = experiment.games * len(values) + 2 * question.fresh
    with _three_seeds(experiment, wanted, effort, most) as (candidates, check, _):
        play, again = (lambda value, n, on=on: on.play({path: value}, n) for on in (candidates, check))
        result = tune(
            play,
            again,
            values,
            wanted,
            knob.is_ordered,
            experiment.games,
            question.fresh,
            knob.parameter.value,
            looks.level(question.fresh),
        )
    knob = replace(knob, values=values)
    seed = check.condition.seed
    costs, seen = s.model.change_cost, looks.fields(question.fresh)
    return tune_views.of_value(experiment, s, wanted, knob, result, seed, refused, costs, seen)


def _screened(
    experiment: Condition,
    s: Scenario,
    wanted: Target,
    question: TuneQuestion,
    effort: Effort,
    looks: KeptLooks,
) -> tune_views.ScreenedValues:
    """Vary every value once, and rerun the changes closest to the target (`tune` without `--knob`)."""
    if question.length is not None:
        raise UsageError(
            "tune: --length requires several --knob; without --knob, changes are ranked by distance and cost"
        )
    spread = share_of("25%" if question.range is None else question.range)
    parameters = knobs_in_question(experiment.game, s, False, listed(question.path))
    knobs = [knob for knob in parameters if knob.path not in experiment.sets]
    changes, unvaried = changes_of(knobs, spread)
    costs = _costs(s, [knob.path for knob in knobs], texts(question.cost))
    most = experiment.games * (len(changes) + 1) + question.fresh * (AGAIN + 1)
    with _three_seeds(experiment, wanted, effort, most) as (candidates, check, last):
        volume = (experiment.games, question.fresh)
        plays = (candidates.play, check.play, last.play)
        result = screen(*plays, changes, wanted, costs, *volume, unvaried, looks.level(question.fresh))
    if result is None:
        raise UsageError(
            "tune: no value can be varied automatically; name a value and its range with --knob PATH=LO:HI"
        )
    seed, seen = check.condition.seed, looks.fields(question.fresh)
    return tune_views.of_screen(experiment, s, wanted, result, costs, spread, seed, seen)


def _tuned_many(
    experiment: Condition,
    s: Scenario,
    knobs: list[Knob],
    wanted: Target,
    question: TuneQuestion,
    effort: Effort,
    looks: KeptLooks,
) -> tune_views.TunedCombination:
    """Return the Pareto front of distance from the target, length and cost (`tune` with several `--knob`)."""
    costs = _costs(s, [one.parameter.path for one in knobs], texts(question.cost))
    most = question.trials * experiment.games + 2 * question.fresh
    with _three_seeds(experiment, wanted, effort, most) as (candidates, check, last):
        result = tune_many(
            candidates.play,
            check.play,
            last.play,
            knobs,
            wanted,
            costs,
            question.length,
            question.trials,
            experiment.games,
            question.fresh,
            experiment.seed,
            looks.level(question.fresh),
        )
    seed, seen = check.condition.seed, looks.fields(question.fresh)
    return tune_views.of_combinations(experiment, s, wanted, knobs, result, costs, seed, seen)
