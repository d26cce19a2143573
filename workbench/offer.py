"""What the page offers: games, their scenarios, who plays, every value that can be changed.

The page sends names from these lists and nothing else: never a path of a file.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from bartizan.analyses.records import brackets
from bartizan.analyses.records.brackets import about
from bartizan.analyses.records.claims import presets
from bartizan.policies.protocol import Policy
from bartizan.policies.registry import NEWCOMER, policies_of
from bartizan.policies.request import Request, best_player
from bartizan.policies.weights_file import shipped
from bartizan.simcore.errors import UsageError
from bartizan.simcore.game import Game, load_game
from bartizan.simcore.scenario.loading import Scenario, load_scenario, scenario_names
from bartizan.simcore.scenario.names import item, title
from bartizan.simcore.scenario.parameters import Parameter

RANDOM = "random"
RUNG_WORDS = {
    brackets.RANDOM: "plays at random",
    brackets.NEWCOMER: "plays for the first time",
    brackets.HEURISTIC: "plays well by rules of thumb",
    brackets.TRAINED: "the best that plays fast",
}


@dataclass(frozen=True, eq=False)
class OfferedGame:
    """A game that the page may ask about."""

    named: str  # as a command names it: a name, or the path of a .py file
    game: Game
    files: Mapping[str, Path] = field(default_factory=dict)  # scenarios of the user's own, by name
    _unchanged: dict[tuple, Request] = field(default_factory=dict, repr=False)
    _values: dict[tuple, dict[str, Parameter]] = field(default_factory=dict, repr=False)

    @property
    def name(self) -> str:
        return self.game.name

    @cached_property
    def scenarios(self) -> list[str]:
        return [*scenario_names(self.game.scenarios), *self.files]

    def request(self, scenario: str, **asked: Any) -> Request:
        return Request(self.named, str(self.files.get(scenario, scenario)), **asked)

    def unchanged(self, scenario: str, level: str | None, players: int | None) -> Request:
        """A scenario with every value as its file says; read once."""
        key = (scenario, level, players)
        if key not in self._unchanged:
            self._unchanged[key] = self.request(scenario, difficulty=level, players=players)
        return self._unchanged[key]

    def values(self, unchanged: Request) -> dict[str, Parameter]:
        """Path -> every value that can be changed in a scenario as it is shipped; read once."""
        key = (unchanged.scenario, unchanged.difficulty, unchanged.players)
        if key not in self._values:
            self._values[key] = {one.path: one for one in changeable(unchanged)}
        return self._values[key]

    def policies(self, role: str) -> dict[str, str]:
        """What can be named for a seat -> what it does, weakest first, trained weights among them."""
        found = {}
        for policy in policies_of(self.game).values():
            if not policy.roles or role in policy.roles:
                found[policy.name] = policy.about
                found |= {f"{policy.name}@{name}": _trained(policy, name) for name in shipped(policy)}
        return found


def _trained(policy: Policy, name: str) -> str:
    return f"{policy.name} with weights trained at {name}: {policy.about}"


def offered(named: Sequence[str], files: Sequence[str] = ()) -> dict[str, OfferedGame]:
    """By the game's name, in the order they are named. files: scenarios of the first one.

    Raises UsageError at a game, or a scenario, that there is not.
    """
    games = [OfferedGame(text, load_game(text)) for text in named]
    first = games[0]
    games[0] = replace(first, files={Path(file).stem: _own_file(first, file) for file in files})
    return {offer.name: offer for offer in games}


def _own_file(offer: OfferedGame, file: str) -> Path:
    """Refuses what cannot be played, and what is called like a scenario of the game."""
    load_scenario(offer.game, file)
    path = Path(file).resolve()
    if path.stem in offer.scenarios:
        raise UsageError(
            f"--scenario {file}: {offer.name} has a scenario {path.stem}: call the file otherwise"
        )
    return path


# ---------------------------------------------------------------- as documents for the page


def games_document(offers: Mapping[str, OfferedGame]) -> list[dict]:
    return [{"game": offer.name, "title": load_scenario(offer.game).model.title} for offer in offers.values()]


def game_document(offer: OfferedGame, named: str, request: Request) -> dict[str, Any]:
    """Everything that can be chosen and changed under one scenario, as it is named, and number of players."""
    scenario, game = request.loaded, offer.game
    return {
        "game": offer.name,
        "title": scenario.model.title,
        "scenario": named,
        "scenarios": offer.scenarios,
        "level": scenario.difficulty,
        "levels": scenario.model.difficulties(),
        "players": request.players,
        "player_counts": list(game.player_counts),
        "seats": [_seat(offer, role, scenario) for role in game.roles_in(scenario)],
        "groups": _groups(offer, scenario, request),
        "bands": [_band(name, one) for name, one in presets().items()],
        "reconstruction": scenario.model.reconstruction,
    }


def _band(name: str, preset: Any) -> dict[str, Any]:
    low, high = preset.band
    words = f"{title(name.replace('-', ' '))}: {low:.0%} to {high:.0%}"
    return {"name": name, "words": words, "low": low, "high": high, "whose": preset.whose}


# ---------------------------------------------------------------- who plays


def _seat(offer: OfferedGame, role: str, scenario: Scenario) -> dict[str, Any]:
    policies = offer.policies(role)
    bracket = _bracket(offer, role, scenario)
    declared, best = offer.game.default_for(role), best_player(offer.game, role, scenario)
    usual = {brackets.RANDOM: RANDOM, brackets.NEWCOMER: NEWCOMER, brackets.HEURISTIC: declared}
    usual |= {brackets.TRAINED: best} if best != declared else {}
    return {
        "role": role,
        "default": best,
        "policies": [{"policy": name, "about": about} for name, about in policies.items()],
        "dial": list(_dial(policies, usual, bracket)),
        "slow": [row["policy"] for row in bracket.get("rungs", []) if row["rung"] == brackets.LOOKAHEAD],
    }


def _bracket(offer: OfferedGame, role: str, scenario: Scenario) -> dict[str, Any]:
    """That of this level as it is shipped; {} where none was measured."""
    known = about(brackets.shipped(offer.named), [scenario.hash], offer.game.behaviour)
    first = role == offer.game.roles[0]
    return next((one for one in known if one["role"] == role or (one["alike"] and first)), {})


def _dial(
    policies: Mapping[str, str], usual: Mapping[str, str], bracket: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    """From the weakest rung to the best that plays fast; with its win rate where it was measured. usual: rung
    -> who stands there where it was not.
    """
    measured = {row["rung"]: row for row in bracket.get("rungs", [])}
    for rung, words in RUNG_WORDS.items():
        row = measured.get(rung)
        policy = row["policy"] if row else usual.get(rung)
        if policy in policies:
            rate = row["win_rate"] | {"n": row["games"]} if row else None
            yield {"rung": rung, "policy": policy, "words": words, "win_rate": rate}


# ---------------------------------------------------------------- what can be changed


def _groups(offer: OfferedGame, scenario: Scenario, request: Request) -> list[dict[str, Any]]:
    """Values by the thing they belong to, and things by their sort: units, cards, board, rulings."""
    sorts: dict[str, dict[str, list[dict]]] = {}
    for parameter in offer.values(request).values():
        room, *inside = parameter.path.split(".")
        record = ".".join([room, *inside[:1]]) if len(inside) > 1 else room
        sorts.setdefault(room, {}).setdefault(record, []).append(_value(parameter, scenario))
    return [
        {
            "sort": room,
            "title": title(room),
            "records": [_record(path, rows, scenario) for path, rows in records.items()],
        }
        for room, records in sorts.items()
    ]


def changeable(request: Request) -> list[Parameter]:
    """The values of a scenario less those that the page chooses elsewhere: level and number of players."""
    elsewhere = {"difficulty", request.game.players_path}
    return [one for one in request.loaded.parameters() if one.path not in elsewhere]


def _record(path: str, rows: list[dict], scenario: Scenario) -> dict[str, Any]:
    return {"path": path, "title": item(path, scenario.data), "values": rows}


def _value(parameter: Parameter, scenario: Scenario) -> dict[str, Any]:
    return {
        "path": parameter.path,
        "what": parameter.what,
        "name": title(parameter.path.rpartition(".")[2]),
        "kind": kind_of(parameter),
        "value": parameter.value,
        "allowed": parameter.allowed,
        "low": parameter.low,
        "high": parameter.high,
        "choices": list(parameter.choices),
        "source": parameter.source,
        "confidence": parameter.confidence,
        **_ruling(parameter, scenario),
    }


def _ruling(parameter: Parameter, scenario: Scenario) -> dict[str, str]:
    """Of an unclear rule: what is asked, and what the readings mean."""
    room, _, key = parameter.path.partition(".")
    if room != "rulings":
        return {}
    ruling = scenario.model.ruling[key]
    return {"question": ruling.question, "meaning": ruling.meaning, "impact": ruling.impact}


def kind_of(parameter: Parameter) -> str:
    """How a value is moved: `choice`, `switch`, `whole`, `number`, `text` or `list` (a list or a table)."""
    value = parameter.value
    if isinstance(value, bool):
        return "switch"
    if parameter.choices:
        return "choice"
    kinds = {int: "whole", float: "number", str: "text"}
    return kinds.get(type(value), "list")
