"""The caveat of a reconstruction: what must be said wherever a result is shown, how many data are guesses,
and what the most influential guess known does.

It is plain data, kept in the manifest of a sweep: a report needs no scenario file. How it reads is said in
`reports.text.banner`.
"""

import json
from pathlib import Path
from typing import TYPE_CHECKING

from bartizan.simcore.errors import EngineError
from bartizan.simcore.scenario.loading import Scenario, default_scenario
from bartizan.simcore.scenario.parameters import is_guess

if TYPE_CHECKING:
    from bartizan.simcore.game import Game

SCHEMA = "bartizan.sensitivity/1"  # what `bartizan sensitivity GAME --json` writes


def caveat_of(game: "Game", scenario: Scenario) -> dict | None:
    """{text, scenario, assumed, of, changed, influence}; None for a scenario that is no reconstruction.

    `scenario`: as a command has to name it, or "".
    """
    if not scenario.model.reconstruction:
        return None
    counts = scenario.confidence
    shipped = sensitivity_beside(scenario.path)
    return {
        "text": scenario.model.reconstruction,
        "scenario": _named(game, scenario),
        "assumed": counts.get("assumed", 0),
        "of": sum(counts.values()),
        "changed": counts.get("changed", 0),
        "influence": influence_of(shipped)
        if is_about(shipped, game.name, game.behaviour, {scenario.hash})
        else None,
    }


def _named(game: "Game", scenario: Scenario) -> str:
    if scenario.path.parent != game.scenarios:
        return str(scenario.path)
    return "" if scenario.path.stem == default_scenario(game) else scenario.path.stem


def sensitivity_beside(path: Path) -> dict:
    """`deck.sensitivity.json` beside `deck.toml`; {} without one."""
    return read_sensitivity(path.with_suffix(".sensitivity.json"))


def read_sensitivity(path: Path) -> dict:
    """A document of `bartizan sensitivity`; {} when there is no such file.

    Raises EngineError when it holds something else.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise EngineError(f"{path}: damaged ({error}); delete it and make it anew") from error
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise EngineError(f"{path}: is no {SCHEMA} document; delete it and make it anew")
    return document


def is_about(document: dict, game: str, behaviour: int, hashes: set[str]) -> bool:
    """Was it made with these rules and one of these sets of numbers?"""
    return (
        bool(document)
        and (document["game"], document["behaviour"]) == (game, behaviour)
        and document["scenario_hash"] in hashes
    )


def influence_of(document: dict) -> dict | None:
    """The most influential guess of a document, and in which games it was found; None where it has none."""
    largest = next(
        (found for found in document["influences"] if is_guess(found["path"], found["confidence"])), None
    )
    if largest is None:
        return None
    told = {key: largest[key] for key in ("path", "what", "from", "to", "is_clear") if key in largest}
    return {
        **told,
        "difference": largest["headline"]["difference"],
        **{key: document[key] for key in ("policies", "games", "seed")},
    }


def together(caveats: list[dict]) -> dict | None:
    """One caveat for cells of one scenario: the most of each count."""
    if not caveats:
        return None
    counts = {key: max(caveat[key] for caveat in caveats) for key in ("assumed", "of", "changed")}
    return {
        **caveats[0],
        **counts,
        "influence": next((caveat["influence"] for caveat in caveats if caveat["influence"]), None),
    }
