"""`sensitivity`: which numbers move the result, and which conclusions stand whatever they are."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from bartizan.analyses.experiments.sensitivity import Extent, analyze, knobs_of
from bartizan.analyses.experiments.trials import Condition
from bartizan.api.answer import Answer, plain
from bartizan.api.caveats import caveat_lines
from bartizan.api.keeping import name_of, next_report, place_of
from bartizan.api.playing import Effort
from bartizan.api.questions.sensitivity import SensitivityQuestion
from bartizan.api.reading import listed, path_of, share_of
from bartizan.policies.registry import find_player
from bartizan.policies.request import Request
from bartizan.reports.render import terminal
from bartizan.reports.views import interactions
from bartizan.reports.views import sensitivity as views
from bartizan.simcore.errors import UsageError, did_you_mean
from bartizan.simcore.game import Game
from bartizan.simcore.scenario.caveat import read_sensitivity
from bartizan.simcore.scenario.loading import Scenario, load_scenario
from bartizan.simcore.scenario.parameters import Parameter
from bartizan.simcore.sweep.store import SENSITIVITY, Sweep, open_sweep, write_added


def answer(question: SensitivityQuestion) -> Answer:
    request, spread = question.request(), share_of(question.range)
    with question.efforts(question.games) as effort:
        game, experiment, s = question_of(request, effort, "sensitivity: name one policy for each seat")
        knobs = knobs_in_question(game, s, question.assumed, listed(question.path))
        keep = _place_of(question, game, s)
        levels = s.model.difficulties() if question.levels and len(s.model.difficulties()) > 1 else []
        extent = Extent(spread, question.decks, question.effects, question.settings)
        with effort.source(game) as source:
            result = analyze(experiment, knobs, source, extent, levels)
    document = views.document(experiment, s, result, spread)
    keep(document.plain())

    def lines() -> Iterator[str]:
        sentence, *rest = terminal.lines(views.view(document, question.top))
        yield sentence
        yield from caveat_lines(game, document.plain())
        yield from rest
        yield ""
        yield from terminal.lines(interactions.view(document.effects)) if document.effects else [views.MORE]

    return Answer(document.plain(), lines)


def question_of(request: Request, effort: Effort, refusal: str) -> tuple[Game, Condition, Scenario]:
    """A game whose values are varied: the question, and the scenario as it stands."""
    game = request.game
    line_up = request.line_up(refusal)
    s = load_scenario(game, request.scenario, None, request.leveled)
    seats = game.seated(s, line_up)
    players = {named: find_player(game, named) for named in dict.fromkeys(seats)}
    at_table = tuple(players[named] for named in seats)
    question = Condition(game, request.scenario, request.leveled, at_table, effort.games, effort.seed)
    return game, question, s


def knobs_in_question(game: Game, s: Scenario, assumed: bool, prefixes: Sequence[str]) -> list[Parameter]:
    """The values to vary; refused when there are none."""
    paths = [knob.path for knob in knobs_of(s, game)]
    rooms = {".".join(path.split(".")[:depth]) for path in paths for depth in range(1, path.count(".") + 2)}
    for prefix in prefixes:
        if prefix not in rooms:
            raise UsageError(
                f"--path {prefix}: no value of {game.name} lies there{did_you_mean(prefix, rooms)}"
            )
    knobs = knobs_of(s, game, assumed, list(prefixes))
    if not knobs:
        no_guess = "none of these values is assumed; leave out --assumed"
        raise UsageError(
            f"sensitivity: nothing to vary: {no_guess if assumed else f'{game.name} has no values'}"
        )
    return knobs


def _place_of(question: SensitivityQuestion, game: Game, s: Scenario) -> Callable[[Mapping], None]:
    """What writes a document to a .json file, or into a sweep of the same game and values; refused before
    anything is played.

    The first answer of a sweep says how far its guesses move it, in its banner too: it has a file of its own.
    Answers to other questions stand beside the other ones that are kept.
    """
    out = path_of(question.out)
    if out is None or not out.is_dir():
        return place_of(question, game)
    opened, command = sweep_of_same(out, game, s), question.command_line()
    beside = place_of(question, game)

    def keep(document: Mapping) -> None:
        before = read_sensitivity(out / SENSITIVITY)
        if before and name_of(question, before) != name_of(question, document):
            beside(document)
            return
        path = write_added(opened, SENSITIVITY, {**plain(document), "command": command})
        question.watch.kept(path, next_report(out))

    return keep


def sweep_of_same(folder: Path, game: Game, s: Scenario) -> Sweep:
    """A finished sweep of the same game under the same numbers, to add to."""
    opened = open_sweep(folder)
    for key, value in {"game": game.name, "behaviour": game.behaviour}.items():
        if opened.manifest[key] != value:
            raise UsageError(
                f"{folder}: holds a sweep of another game ({key} {opened.manifest[key]}, now {value})"
            )
    if s.hash not in {cell.scenario_hash for cell in opened.cells}:
        raise UsageError(
            f"{folder}: none of its cells was played under these numbers and rulings (hash {s.hash}); give "
            "the same --set, --players and --difficulty"
        )
    return opened
