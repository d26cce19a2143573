"""Changes from the built-in scenario.

They are values set for a run, other readings of rulings, a scenario file of the user, and another deck.

They are plain data, stored in the manifest of a sweep, so that a report needs no scenario file.
`reports.text.changes` writes the text. The level and the number of players are not changes, because the game
offers them as options.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bartizan.simcore.errors import EngineError
from bartizan.simcore.files import read_document
from bartizan.simcore.scenario.loading import Scenario, default_scenario, load_scenario, patches, shipped_name
from bartizan.simcore.scenario.model import PROVENANCE
from bartizan.simcore.scenario.parameters import Parameter, called, find, is_guess, item
from bartizan.simcore.sources import OWN_GAMES, rules_version

if TYPE_CHECKING:
    from bartizan.simcore.game import Game


def changes_of(game: "Game", scenario: Scenario) -> list[dict[str, Any]]:
    """Return the changes from the built-in scenario to `scenario`: [{path, what, from, to, confidence}].

    `scenario` is a version of the built-in one, or extends it. Values set for the run come first, in their
    order.

    confidence: evidence level of the built-in value; "" if there was none. unit: the game's phrase for the
    value, with {} in its place, if declared.
    """
    is_own_file = scenario.path.parent != game.scenarios
    if not scenario.overrides and not is_own_file:
        return []
    base = load_scenario(game, shipped_name(game, scenario.path))
    shipped = {parameter.path: parameter for parameter in base.parameters()}
    values = [(path, find(base.data, path), value) for path, value in scenario.overrides.items()]
    if is_own_file:
        values += _of_file(shipped, base, scenario)
    return _rows(game, scenario, shipped, values)


def differences(game: "Game", before: Scenario, after: Scenario) -> list[dict[str, Any]]:
    """Return the changes between two versions of one scenario, in the form of `changes_of`.

    The versions may be those before and after saving a file.
    """
    known = {parameter.path: parameter for parameter in before.parameters()}
    return _rows(game, after, known, _of_file(known, before, after))


def _rows(
    game: "Game", scenario: Scenario, shipped: Mapping[str, Parameter], values: Iterable[tuple[str, Any, Any]]
) -> list[dict[str, Any]]:
    """Return the changes in the form of `changes_of`. values: (path, old, new) of each value."""
    rows = []
    for path, was, now in values:
        if was != now and path != game.players_path:
            is_record = isinstance(was if now is None else now, Mapping) and path not in shipped
            what = item(path, scenario.data) if is_record else called(path, scenario.data)
            confidence = shipped[path].confidence if path in shipped else ""
            row = {"path": path, "what": what, "from": was, "to": now, "confidence": confidence}
            rows.append(row | unit_of(game, path))
    return rows


def names_of(game: "Game", scenario: Scenario) -> list[list[str]]:
    """Return [path, name] for every value that was set.

    The result is a list in the order in which the values were set, because a manifest sorts its keys.
    """
    return [[path, called(path, scenario.data)] for path in scenario.overrides]


def common(changes: Sequence[Sequence[Mapping[str, Any]]]) -> list[dict[str, Any]]:
    """Return the changes that occur in every list of `changes`."""
    first, *others = changes or [[]]
    return [dict(row) for row in first if all(row in rows for rows in others)]


def _of_file(
    shipped: Mapping[str, Parameter], base: Scenario, scenario: Scenario
) -> Iterator[tuple[str, Any, Any]]:
    """Yield (path, built-in value, value) for all differences in a user's file.

    Differences caused by a reading are listed with the reading.
    """
    here = {parameter.path: parameter.value for parameter in scenario.parameters()}
    by_reading = {*patches(base.data), *patches(scenario.data)}
    whole: set[str] = set()
    for path in dict.fromkeys((*here, *shipped)):
        if path in scenario.overrides or path in by_reading or path == "difficulty":
            continue
        record = _only_in_one(path, base.data, scenario.data)
        if record and record not in whole:
            whole.add(record)
            yield record, _values(find(base.data, record)), _values(find(scenario.data, record))
        elif not record:
            yield path, shipped[path].value if path in shipped else None, here.get(path)


def _only_in_one(path: str, base: Mapping[str, Any], own: Mapping[str, Any]) -> str:
    """Return the path of the table around a value, if only one of two scenarios has this table.

    For example, the table of a new card. Returns "" if both scenarios have the table.
    """
    rooms = path.split(".")[:-1]
    paths = (".".join(rooms[:depth]) for depth in range(1, len(rooms) + 1))
    return next((room for room in paths if (find(base, room) is None) != (find(own, room) is None)), "")


def _values(record: Any) -> Any:
    """Return a record without its origins and its name. Any other value is returned unchanged."""
    if not isinstance(record, Mapping):
        return record
    return {key: value for key, value in record.items() if key not in (*PROVENANCE, "name")}


def unit_of(game: "Game", path: str) -> dict[str, str]:
    """Return the game's phrase for a value, such as {"unit": "{} Allied players"}; {} if it declares none."""
    reporting = game.compiled.reporting
    setting = reporting.settings.get(path) if reporting else None
    return {"unit": setting.value} if setting and setting.value else {}


# ---------------------------------------------------------------- the caveat of a reconstruction

# The caveat of a reconstruction, which every result shows: the number of assumed data, and the effect of the
# most influential assumption known.
#
# It is plain data, stored in the manifest of a sweep, so that a report needs no scenario file.
# `reports.text.banner` writes the text.


SCHEMA = "bartizan.sensitivity/1"  # written by `bartizan sensitivity GAME --json`


def caveat_of(game: "Game", scenario: Scenario) -> dict[str, Any] | None:
    """Return the caveat of a reconstruction; None for any other scenario.

    Keys: text, scenario, assumed, of, changed, influence.

    scenario: name of the scenario, or path of the user's file; "" for the game's default.
    """
    if not scenario.model.reconstruction:
        return None
    counts = scenario.confidence
    shipped = shipped_sensitivity(game, scenario, scenario.hash)
    return {
        "text": scenario.model.reconstruction,
        "scenario": _named(game, scenario),
        "assumed": counts.get("assumed", 0),
        "of": sum(counts.values()),
        "changed": counts.get("changed", 0),
        "influence": influence_of(shipped) if shipped else None,
    }


def _named(game: "Game", scenario: Scenario) -> str:
    if scenario.path.parent != game.scenarios:
        return str(scenario.path)
    return "" if scenario.path.stem == default_scenario(game) else scenario.path.stem


def read_sensitivity(path: Path) -> dict[str, Any]:
    """Return a document of `bartizan sensitivity`; {} if there is none.

    Raises EngineError for an invalid document.
    """
    document = read_document(path)
    if path.exists() and document.get("schema") != SCHEMA:
        raise EngineError(f"{path}: not a {SCHEMA} document; delete it and create it again")
    return document


def shipped_sensitivity(game: "Game", scenario: Scenario, scenario_hash: str) -> dict[str, Any]:
    """Return the content of the sensitivity file of a scenario, such as `deck.sensitivity.json`.

    Returns {} if there is none, or if it belongs to other numbers.
    """
    document = read_sensitivity(scenario.path.with_suffix(".sensitivity.json"))
    return document if is_about(document, game.name, game.rules_version, {scenario_hash}) else {}


def shipped_sensitivities(named: str) -> list[dict[str, Any]]:
    """Return the `sensitivity` documents that come with the scenarios of a game.

    named: the game's name in a command.
    """
    home = Path(named).parent if named.endswith(OWN_GAMES) else Path(__file__).parent.parent / named
    return [read_sensitivity(path) for path in sorted(home.glob("scenarios/*.sensitivity.json"))]


def is_about(document: dict[str, Any], game: str, version: tuple[int, str], hashes: set[str]) -> bool:
    """Return whether a document is about a game, a version of its rules, and some scenarios.

    version: see `rules_version`. hashes: hashes of the scenarios, one of which must match.
    """
    if not document or document["scenario_hash"] not in hashes:
        return False
    return (document["game"], rules_version(document)) == (game, version)


def influence_of(document: dict[str, Any]) -> dict[str, Any] | None:
    """Return the most influential assumption in a document; None if there is no assumption.

    It includes the policies, games and seed of its measurement.
    """
    guesses = (row for row in document["influences"] if is_guess(row["path"], row["confidence"]))
    largest = next(guesses, None)
    if largest is None:
        return None
    return {
        **{key: largest[key] for key in ("path", "what", "from", "to", "is_clear") if key in largest},
        # the largest of many, so with the simultaneous interval, if the document has it
        "difference": largest["headline"].get("joint") or largest["headline"]["difference"],
        **{key: document[key] for key in ("policies", "games", "seed")},
    }


def together(caveats: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Combine the caveats of cells of one scenario.

    Each count is the maximum over the cells. Returns None for no cells.
    """
    if not caveats:
        return None
    counts = {key: max(caveat[key] for caveat in caveats) for key in ("assumed", "of", "changed")}
    influences = (caveat["influence"] for caveat in caveats if caveat["influence"])
    return {**caveats[0], **counts, "influence": next(influences, None)}
