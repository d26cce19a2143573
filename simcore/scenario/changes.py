"""What differs from the scenario as it is shipped: values set for a run, other readings of rulings, a
scenario file of the user's, another deck.

It is plain data, kept in the manifest of a sweep: a report needs no scenario file. How it reads is said in
`reports.text.changes`. A level, and how many play, are choices that the game itself offers: they are no
change of it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bartizan.simcore.scenario.loading import Scenario, load_scenario, patches, shipped_name
from bartizan.simcore.scenario.model import PROVENANCE
from bartizan.simcore.scenario.names import called, item
from bartizan.simcore.scenario.parameters import Parameter

if TYPE_CHECKING:
    from bartizan.simcore.game import Game

MISSING = object()


def changes_of(game: "Game", scenario: Scenario) -> list[dict]:
    """[{path, what, from, to, confidence}] against the shipped scenario that this one is, or extends; set
    values first, in the order they were named.

    confidence: how sure the shipped value is, "" where there was none. unit: how the game says such a value,
    with {} for it, where it does.
    """
    is_own_file = scenario.path.parent != game.scenarios
    if not scenario.overrides and not is_own_file:
        return []
    base = load_scenario(game, shipped_name(game, scenario.path))
    there = {parameter.path: parameter for parameter in base.parameters()}
    set_here = [(path, _at(base.data, path), value) for path, value in scenario.overrides.items()]
    found = [*set_here, *(_of_file(there, base, scenario) if is_own_file else ())]
    return [
        _row(path, was, now, there, scenario, game)
        for path, was, now in found
        if was != now and path != game.players_path
    ]


def names_of(game: "Game", scenario: Scenario) -> list[list[str]]:
    """[[path, what it is called]] of every value that was set, in the order they were named: a manifest sorts
    its keys.
    """
    return [[path, called(path, scenario.data)] for path in scenario.overrides]


def common(changes: Sequence[Sequence[Mapping]]) -> list[dict]:
    """The changes that all of several games have."""
    first, *others = changes or [[]]
    return [dict(row) for row in first if all(row in rows for rows in others)]


def _of_file(
    there: Mapping[str, Parameter], base: Scenario, scenario: Scenario
) -> Iterator[tuple[str, Any, Any]]:
    """(path, shipped value, value) of all that a file of the user's has otherwise; what a reading brings with
    it is said by the reading.
    """
    here = {parameter.path: parameter.value for parameter in scenario.parameters()}
    by_reading = {*patches(base.data), *patches(scenario.data)}
    whole: set[str] = set()
    for path in dict.fromkeys((*here, *there)):
        if path in scenario.overrides or path in by_reading or path == "difficulty":
            continue
        record = _only_in_one(path, base.data, scenario.data)
        if record and record not in whole:
            whole.add(record)
            yield record, _values(_at(base.data, record)), _values(_at(scenario.data, record))
        elif not record:
            yield path, there[path].value if path in there else None, here.get(path)


def _only_in_one(path: str, base: Mapping, own: Mapping) -> str:
    """The record around a value, where only one of the two has it: a new card, or one left out; "" where both
    do.
    """
    rooms = path.split(".")[:-1]
    paths = (".".join(rooms[:depth]) for depth in range(1, len(rooms) + 1))
    return next((room for room in paths if (_at(base, room) is None) != (_at(own, room) is None)), "")


def _at(data: Any, path: str) -> Any:
    """The value at a path; None where there is none."""
    for key in path.split("."):
        data = data.get(key, MISSING) if isinstance(data, Mapping) else MISSING
    return None if data is MISSING else data


def _values(record: Any) -> Any:
    """A record without where it comes from."""
    return (
        {key: value for key, value in record.items() if key not in (*PROVENANCE, "name")}
        if isinstance(record, Mapping)
        else record
    )


def _row(
    path: str, was: Any, now: Any, there: Mapping[str, Parameter], scenario: Scenario, game: "Game"
) -> dict:
    is_record = isinstance(was if now is None else now, Mapping) and path not in there
    what = item(path, scenario.data) if is_record else called(path, scenario.data)
    confidence = there[path].confidence if path in there else ""
    return {
        "path": path,
        "what": what,
        "from": was,
        "to": now,
        "confidence": confidence,
        **unit_of(game, path),
    }


def unit_of(game: "Game", path: str) -> dict[str, str]:
    """{"unit": "{} Allied players"}: how the game says such a value, {} for it; {} where it says nothing."""
    reporting = game.compiled.reporting
    setting = reporting.settings.get(path) if reporting else None
    return {"unit": setting.value} if setting and setting.value else {}
