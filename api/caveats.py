"""Text that accompanies every result: the caveat of a reconstruction, changes, assumptions."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from textwrap import shorten
from typing import Any

from bartizan.analyses.document import Document
from bartizan.api.answer import Answer
from bartizan.policies import weights_file
from bartizan.policies.registry import split_changes, weights_apart
from bartizan.policies.request import command_of, name_in_commands
from bartizan.reports.blocks import View
from bartizan.reports.render import terminal
from bartizan.reports.text import banner, changes
from bartizan.simcore.game import Game
from bartizan.simcore.scenario.changes import caveat_of, together
from bartizan.simcore.scenario.loading import Scenario, default_scenario, load_scenario, scenario_names
from bartizan.simcore.scenario.parameters import as_text

ASSUMED = 90  # maximum number of characters of an assumption in a result


def caveat(game: Game, scenario: Scenario) -> dict[str, Any]:
    """Return the field `banner` about a reconstruction; {} for a published game."""
    banner_text = caveat_of(game, scenario)
    return {"banner": banner_text} if banner_text else {}


def common_caveat(documents: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the field `banner` with one caveat for all cells; {} if no cell has a caveat."""
    common = together([document["banner"] for document in documents if "banner" in document])
    return {"banner": common} if common else {}


def banner_lines(game: Game, document: Mapping[str, Any]) -> Iterator[str]:
    """Yield the caveat of a reconstruction in one line; nothing for other results."""
    if "banner" in document:
        yield banner.line(document["banner"], name_in_commands(game))


def caveat_lines(game: Game, document: Mapping[str, Any]) -> Iterator[str]:
    """Yield the caveat and all changes, for results whose titles are too short to state them."""
    yield from banner_lines(game, document)
    yield from changes.lines(document.get("changes", ()))


def assumed(document: Mapping[str, Any], assumptions: Iterable[str] | None = None) -> list[str]:
    """Return the assumptions to list: all except the one that the banner already states."""
    listed = document["assumptions"] if assumptions is None else assumptions
    return [line for line in listed if line != document.get("banner", {}).get("text")]


def framed(
    game: Game,
    document: Mapping[str, Any],
    lines: Iterable[str],
    assumptions: Iterable[str] | None = None,
    played: Sequence[Mapping[str, Any]] = (),
) -> Iterator[str]:
    """Yield the lines of a result in this order: summary, caveat and changes, other lines, assumptions.

    assumptions, played: see `assumed_lines`.
    """
    sentence, *rest = lines
    yield sentence
    yield from caveat_lines(game, document)
    yield from rest
    yield from assumed_lines(game, document, assumptions, played)


def shown(
    game: Game,
    document: Document,
    view: Callable[[], View],
    assumptions: Iterable[str] | None = None,
    played: Sequence[Mapping[str, Any]] = (),
    **others: Any,
) -> Answer:
    """Return an answer from a document and a function that returns its view.

    assumptions, played: see `assumed_lines`. others: `hints`, `exit_code` and `rows` of the `Answer`.
    """
    plain = document.plain()

    def lines() -> Iterator[str]:
        return framed(game, plain, terminal.lines(view()), assumptions, played)

    return Answer(plain, lines, view=view, **others)


def copied_weights(line_up: Sequence[str]) -> list[str]:
    """Return a caveat for each weights file of `bartizan train` that is used in several seats.

    Weights are trained for one seat, against other policies.
    """
    files = {text: weights_apart(split_changes(text)[0])[2] for text in line_up if line_up.count(text) > 1}
    return [
        f"{text} was trained for one seat but plays in {line_up.count(text)}, which may affect the "
        f"balance between the seats; compare it with {weights_apart(text)[0]} in every seat"
        for text, file in files.items()
        if file.endswith(weights_file.SUFFIX) and "role" in weights_file.read(Path(file))
    ]


def assumed_lines(
    game: Game,
    document: Mapping[str, Any],
    assumptions: Iterable[str] | None = None,
    played: Sequence[Mapping[str, Any]] = (),
) -> Iterator[str]:
    """Yield the assumptions of a result in one line, with the commands that list them in full.

    assumptions: the assumptions, if the document does not contain them. played: documents of the simulated
    games, if they differ from `document`.
    """
    lines = assumed(document, assumptions)
    if lines:
        more = f" (and {len(lines) - 1} more)" if len(lines) > 1 else ""
        first = shorten(lines[0], ASSUMED, placeholder=" ...")
        commands = _describing(game, played or [document], lines)
        yield f"  assumed  {first}{more}; full list: {' and '.join(commands)}"


def _describing(game: Game, played: Iterable[Mapping[str, Any]], assumptions: Iterable[str]) -> list[str]:
    """Return the fewest commands that together show all these assumptions, most informative command first."""
    shown = [(command, set(lines)) for one in played for command, lines in _described(game, one)]
    commands: list[str] = []
    missing = set(assumptions)
    while not commands or any(lines & missing for _, lines in shown):
        command, lines = max(shown, key=lambda pair: len(pair[1] & missing))
        commands.append(command)
        missing -= lines
    return commands


def _described(game: Game, document: Mapping[str, Any]) -> Iterator[tuple[str, Iterable[str]]]:
    """Yield (command, assumptions shown by the command) for the level of a document, or for every level."""
    level, sets = document.get("difficulty"), document.get("overrides", {})
    name = document.get("scenario")
    shipped = name if name in scenario_names(game.scenarios) else None
    if isinstance(level, str) or (name and not shipped):
        lines = document.get("assumptions", ())
        yield _describe(game, shipped, level if shipped else None, sets), lines
        return
    texts = {path: as_text(value) for path, value in sets.items()}
    for level in load_scenario(game, shipped, None, texts).model.difficulties():
        lines = load_scenario(game, shipped, level, texts).model.assumptions()
        yield _describe(game, shipped, level, sets), lines


def _describe(game: Game, scenario: str | None, level: str | None, sets: Mapping[str, Any]) -> str:
    """Return the `describe` command for a scenario, without options that equal the defaults."""
    if level == load_scenario(game, scenario).model.difficulty:
        level = None
    if scenario == default_scenario(game):
        scenario = None
    return command_of(
        "describe", name_in_commands(game), scenario=scenario, difficulty=level or None, set=sets
    )
