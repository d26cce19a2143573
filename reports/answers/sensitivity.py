"""`sensitivity`: which numbers move the result, and which conclusions stand whatever they are."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bartizan.analyses.experiments.sensitivity import Extent, analyze, knobs_of
from bartizan.analyses.experiments.trials import Condition
from bartizan.policies.registry import find_player
from bartizan.policies.request import Request
from bartizan.reports.answers.answer import Answer, Effort, caveat_lines, json_file, plain
from bartizan.reports.answers.keeping import folder_of, name_of, next_report
from bartizan.reports.render import terminal
from bartizan.reports.views import interactions
from bartizan.reports.views import sensitivity as views
from bartizan.simcore.errors import UsageError, did_you_mean
from bartizan.simcore.game import Game
from bartizan.simcore.scenario.changes import read_sensitivity
from bartizan.simcore.scenario.loading import Scenario, load_scenario
from bartizan.simcore.scenario.parameters import Parameter
from bartizan.simcore.sweep.store import SENSITIVITY, Sweep, open_sweep, write_added


@dataclass(frozen=True)
class Varied:
    """What is varied, and how far."""

    assumed: bool = False  # only guesses
    prefixes: tuple[str, ...] = ()  # only values below these paths
    spread: float = 0.25  # share of a number, up and down
    draws: int = 32  # random draws of all values at once
    effects: int = 0  # so many of the most influential are looked at once more
    settings: int = 200  # random settings of these
    levels: bool = True  # every level too, where there are several


def ask(
    request: Request,
    effort: Effort,
    varied: Varied,
    top: int = 20,
    out: Path | None = None,
    command: str = "",
) -> Answer:
    """top: influences that the text lists; out: a .json file, or the folder of a sweep."""
    game, question, s = question_of(request, effort, "sensitivity: name one policy for each seat")
    knobs = knobs_in_question(game, s, varied.assumed, varied.prefixes)
    keep = _place_of(out, game, s, command) if out else None
    levels = s.model.difficulties() if varied.levels and len(s.model.difficulties()) > 1 else []
    extent = Extent(varied.spread, varied.draws, varied.effects, varied.settings)
    with effort.source(game) as source:
        found = analyze(question, knobs, source, extent, levels)
    document = views.document(question, s, found, varied.spread)
    if keep:
        effort.watch.kept(keep(document.plain()), next_report(out))
    return Answer(document.plain(), lambda: _lines(game, document, top))


def _lines(game: Game, d: views.SensitivityDocument, top: int) -> Iterator[str]:
    sentence, *rest = terminal.lines(views.view(d, top))
    yield sentence
    yield from caveat_lines(game, d.plain())
    yield from rest
    yield ""
    yield from terminal.lines(interactions.view(d.effects)) if d.effects else [views.MORE]


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
    there = [knob.path for knob in knobs_of(s, game)]
    rooms = {".".join(path.split(".")[:depth]) for path in there for depth in range(1, path.count(".") + 2)}
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


def _place_of(out: Path, game: Game, s: Scenario, asked: str) -> Callable[[Mapping], Path]:
    """What writes a document to a .json file, or into a sweep of the same game and values; refused before
    anything is played.

    The first answer of a sweep says how far its guesses move it, in its banner too: it has a file of its own.
    Answers to other questions stand beside the other ones that are kept.
    """
    if not out.is_dir():
        if out.suffix != ".json":
            raise UsageError(f"-o {out}: name a .json file, or the folder of a sweep")
        return json_file(out)
    opened, beside = sweep_of_same(out, game, s), folder_of(out, "sensitivity", game, asked)

    def keep(document: Mapping) -> Path:
        there = read_sensitivity(out / SENSITIVITY)
        if there and name_of("sensitivity", there) != name_of("sensitivity", document):
            return beside(document)
        return write_added(opened, SENSITIVITY, {**plain(document), "command": asked})

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
