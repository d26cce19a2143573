"""The choices that the page offers (games, scenarios, policies, and every value that can be changed).

`read_setting` checks each request of the page. Games, scenarios, levels, policies and paths of values must be
in these lists, and each value must be allowed for its path. Anything else is rejected with a one-line error.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from math import isfinite
from pathlib import Path
from typing import Any

from bartizan.analyses.records import brackets
from bartizan.analyses.records.claims import Claim, presets
from bartizan.policies.registry import NEWCOMER, find_policy, policies_of
from bartizan.policies.request import Request, best_player
from bartizan.policies.weights_file import shipped
from bartizan.reports.text import printed, words
from bartizan.reports.views.bracket import MeasuredBracket, RungRow
from bartizan.simcore.errors import UsageError, did_you_mean
from bartizan.simcore.game import Game, load_game
from bartizan.simcore.scenario.changes import shipped_sensitivity
from bartizan.simcore.scenario.loading import Scenario, default_scenario, load_scenario, scenario_names
from bartizan.simcore.scenario.parameters import Parameter, as_text, column, item, title
from bartizan.simcore.sources import joined_hash, source_hash
from bartizan.simcore.sweep.plan import FILES

RANDOM = "random"
MOST_INFLUENCES = 12  # values
RUNG_WORDS = {
    brackets.RANDOM: "plays at random",
    brackets.NEWCOMER: "plays for the first time",
    brackets.HEURISTIC: "plays well by simple heuristics",
    brackets.TRAINED: "the best fast policy",
}


Setup = tuple[str | None, str | None, int | None]  # scenario, level, players


@dataclass(frozen=True, eq=False)
class OfferedGame:
    """A game that the page offers, with the user's own scenarios and policies."""

    named: str  # as in a command: a name, or the path of a .py file
    game: Game
    files: Mapping[str, Path] = field(default_factory=dict)  # the user's own scenarios, by name
    players: tuple[str, ...] = ()  # the user's own policies: with weights, a weights file, or learned
    _unchanged: dict[Setup, Request] = field(default_factory=dict, repr=False)
    _values: dict[Setup, dict[str, Parameter]] = field(default_factory=dict, repr=False)

    @property
    def name(self) -> str:
        return self.game.name

    @cached_property
    def version(self) -> str:
        """Digest of the rules and of all numbers that the user can edit: scenarios, and sheets of cards."""
        return _version(self.game, self.files)

    def as_now(self) -> "OfferedGame":
        """Return this offer, or a new one if the game or a scenario file has been edited."""
        game = load_game(self.named)
        is_same = game is self.game and _version(game, self.files) == self.version
        return self if is_same else OfferedGame(self.named, game, self.files, self.players)

    @cached_property
    def scenarios(self) -> list[str]:
        return [*scenario_names(self.game.scenarios), *self.files]

    def request(self, scenario: str, **asked: Any) -> Request:
        return Request(self.named, str(self.files.get(scenario, scenario)), **asked)

    def unchanged(self, scenario: str, level: str | None, players: int | None) -> Request:
        """Return the request for a scenario with all values as in its file. Requests are cached."""
        key = (scenario, level, players)
        if key not in self._unchanged:
            self._unchanged[key] = self.request(scenario, difficulty=level, players=players)
        return self._unchanged[key]

    def values(self, unchanged: Request) -> dict[str, Parameter]:
        """Map the path of each value that the page can change to its parameter. Results are cached."""
        key = (unchanged.scenario, unchanged.difficulty, unchanged.players)
        if key not in self._values:
            elsewhere = {"difficulty", self.game.players_path}  # the page has separate controls for these
            parameters = unchanged.loaded.parameters()
            self._values[key] = {each.path: each for each in parameters if each.path not in elsewhere}
        return self._values[key]

    def policies(self, role: str) -> dict[str, str]:
        """Map each policy that can play a role to its description, in the order of `policies_of`.

        Trained weights are included. The user's own policies are last.
        """
        policies = {}
        for policy in policies_of(self.game).values():
            if not policy.roles or role in policy.roles:
                policies[policy.name] = policy.about
                for level in shipped(policy):
                    about = f"{policy.name} with weights trained at {level}: {policy.about}"
                    policies[f"{policy.name}@{level}"] = about
        return policies | dict.fromkeys(self.players, "Given with --policy.")


def _version(game: Game, files: Mapping[str, Path]) -> str:
    names = [] if game.is_builtin else scenario_names(game.scenarios)
    data = (load_scenario(game, name).data for name in (*names, *map(str, files.values())))
    return joined_hash([game.source_hash, *(sha256(repr(one).encode()).hexdigest()[:16] for one in data)])


def offered(
    named: Sequence[str], files: Sequence[str] = (), players: Sequence[str] = ()
) -> dict[str, OfferedGame]:
    """Map each game's name to its offer, in the given order.

    files, players: scenarios and policies for the first game.

    Raises UsageError or PolicyError for an unknown game, scenario or policy, and for two games or two
    scenarios with the same name.
    """
    games = [OfferedGame(text, load_game(text)) for text in named]
    first = games[0]
    for text in players:
        find_policy(first.game, text)
    own_files: dict[str, Path] = {}
    for file in dict.fromkeys(files):
        if (path := _own_file(first, file)).stem in own_files:
            raise UsageError(
                f"--scenario {file}: {own_files[path.stem]} has the same name; rename one of the two files"
            )
        own_files[path.stem] = path
    games[0] = replace(first, files=own_files, players=tuple(dict.fromkeys(players)))
    offers: dict[str, OfferedGame] = {}
    for offer in games:
        other = offers.setdefault(offer.name, offer)
        if other is not offer and not offer.game.is_builtin:  # a user's game hides a built-in one
            raise UsageError(
                f"{offer.named}: {other.named} has the same name, {offer.name}; rename one of the two games"
            )
    return offers


def _own_file(offer: OfferedGame, file: str) -> Path:
    """Return the path of a user's scenario file.

    Raises UsageError if the file is invalid, or if the game already has a scenario with this name.
    """
    load_scenario(offer.game, file)
    path = Path(file).resolve()
    if path.stem in offer.scenarios:
        raise UsageError(
            f"--scenario {file}: {offer.name} already has a scenario {path.stem}; rename the file"
        )
    return path


# ---------------------------------------------------------------- documents for the page


def games_document(offers: Mapping[str, OfferedGame]) -> list[dict[str, Any]]:
    return [{"game": offer.name, "title": load_scenario(offer.game).model.title} for offer in offers.values()]


def game_document(offer: OfferedGame, named: str, request: Request) -> dict[str, Any]:
    """Return everything that can be chosen and changed for one scenario and number of players."""
    scenario, game = request.loaded, offer.game
    bands = []
    for name, preset in presets().items():
        low, high = preset.band
        band = f"{title(name.replace('-', ' '))}: {low:.0%} to {high:.0%}"
        bands.append({"name": name, "words": band, "low": low, "high": high, "whose": preset.whose})
    return {
        "game": offer.name,
        "version": offer.version,
        "title": scenario.model.title,
        "scenario": named,
        "scenarios": offer.scenarios,
        "level": scenario.difficulty,
        "levels": scenario.model.difficulties(),
        "players": request.players,
        "player_counts": list(game.player_counts),
        "seats": [_seat(offer, role, scenario) for role in game.roles_in(scenario)],
        "groups": _groups(offer, scenario, request),
        "rows": list(_rows(offer, named, request)),
        "influences": _shipped_influences(offer, named, scenario),
        "bands": bands,
        "reconstruction": scenario.model.reconstruction,
    }


# ---------------------------------------------------------------- players


def _seat(offer: OfferedGame, role: str, scenario: Scenario) -> dict[str, Any]:
    policies = offer.policies(role)
    rungs = _rungs(_bracket(offer, role, scenario))
    declared, best = offer.game.default_for(role), best_player(offer.game, role, scenario)
    usual = {brackets.RANDOM: RANDOM, brackets.NEWCOMER: NEWCOMER, brackets.HEURISTIC: declared}
    usual |= {brackets.TRAINED: best} if best != declared else {}
    return {
        "role": role,
        "default": best,
        "policies": [{"policy": name, "about": about} for name, about in policies.items()],
        "weighted": _weighted(offer, role),
        "dial": list(_dial(policies, usual, rungs)),
        "slow": [row.policy for row in rungs if row.rung == brackets.LOOKAHEAD],
    }


def _weighted(offer: OfferedGame, role: str) -> str:
    """Return an example of a policy with other weights, such as `hold:at=20`."""
    for policy in policies_of(offer.game).values():
        if policy.name != NEWCOMER and policy.weights and (not policy.roles or role in policy.roles):
            name, value = next(iter(policy.weights.items()))
            return f"{policy.name}:{name}={value:.15g}"
    return f"{offer.game.default_for(role)}:noise=0.1"


def _bracket(offer: OfferedGame, role: str, scenario: Scenario) -> MeasuredBracket | None:
    """Return the shipped bracket of a scenario and role; None if the bracket was not measured."""
    known = brackets.of_scenario(offer.named, scenario.hash, offer.game)
    first = role == offer.game.roles[0]
    own = (one for one in known if one["role"] == role or (one["alike"] and first))
    return next(map(MeasuredBracket.read, own), None)


def _rungs(bracket: MeasuredBracket | None) -> Sequence[RungRow]:
    return bracket.rungs if bracket else ()


def _dial(
    policies: Mapping[str, str], usual: Mapping[str, str], rungs: Sequence[RungRow]
) -> Iterator[dict[str, Any]]:
    """Yield the skill scale from the weakest rung to the best fast policy, with measured win rates.

    usual: maps each rung to the policy that is used if the rung was not measured.
    """
    measured = {row.rung: row for row in reversed(rungs)}  # the first one of several newcomers
    for rung, doing in RUNG_WORDS.items():
        row = measured.get(rung)
        policy = row.policy if row else usual.get(rung)
        if policy in policies:
            rate = {**asdict(row.win_rate), "n": row.games} if row else None
            yield {"rung": rung, "policy": policy, "words": doing, "win_rate": rate}


# ---------------------------------------------------------------- existing measurements


def _rows(offer: OfferedGame, named: str, request: Request) -> Iterator[dict[str, Any]]:
    """Yield the rows of the chart: one per level, or one per seat in a game without levels.

    The marks come from the shipped bracket.
    """
    roles, levels = offer.game.roles_in(request.loaded), request.loaded.model.difficulties()
    if len(levels) > 1:
        for level in levels:
            scenario = offer.unchanged(named, level, request.players).loaded
            yield {
                "level": level,
                "title": title(level),
                "marks": _marks(_bracket(offer, roles[0], scenario)),
            }
        return
    for role in roles:
        name = f"{title(role)} wins" if len(roles) > 1 else "Win rate"
        yield {"level": None, "title": name, "marks": _marks(_bracket(offer, role, request.loaded))}


def _marks(bracket: MeasuredBracket | None) -> list[dict[str, Any]]:
    """Return the marks of a chart row: the newcomer, the heuristic and the best play found, if measured."""
    kinds = (brackets.NEWCOMER, brackets.HEURISTIC)
    shown = bracket.shown if bracket else ()
    marks = {row.rung: row for row in shown if row.rung in kinds}
    marks |= {"best": bracket.best_found} if bracket else {}
    return [
        {
            "mark": mark,
            "policy": row.policy,
            "n": row.games,
            "text": words.share(row.win_rate),
            "models": row.models,
            **asdict(row.win_rate),
        }
        for mark, row in marks.items()
    ]


def _shipped_influences(offer: OfferedGame, named: str, scenario: Scenario) -> dict[str, Any] | None:
    """Return the largest effects in the shipped `sensitivity` result of a scenario.

    Returns None if there is none, or if it belongs to other numbers. Its level is the default level of the
    scenario.
    """
    as_shipped = offer.unchanged(named, None, None).loaded
    document = shipped_sensitivity(offer.game, scenario, as_shipped.hash)
    return influences(document) if document else None


def influences(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values with the largest effects on the result, from a document of `bartizan sensitivity`."""
    largest: dict[str, Mapping[str, Any]] = {}  # by path; the document lists the largest first
    for row in document["influences"]:
        largest.setdefault(row["path"], row)
    rows = [
        {
            "path": path,
            "change": f"{as_text(row['from'])} → {as_text(row['to'])}",
            "n": row["headline"]["n"],
            "difference": row["headline"].get("joint") or row["headline"]["difference"],
        }
        for path, row in list(largest.items())[:MOST_INFLUENCES]
    ]
    policies = " against ".join(dict.fromkeys(document["policies"]))
    level = f", {document['difficulty']}" if document["difficulty"] else ""
    return {
        "rows": rows,
        "measured": f"{document['baseline']['measure']}, {policies}{level}, {document['games']:,} games each",
        "command": document.get("command", ""),
    }


# ---------------------------------------------------------------- values that can be changed


def _groups(offer: OfferedGame, scenario: Scenario, request: Request) -> list[dict[str, Any]]:
    """Return the values grouped by object, and the objects grouped by type: units, cards, board, rulings."""
    sorts: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for parameter in offer.values(request).values():
        room, *inside = parameter.path.split(".")
        record = ".".join([room, *inside[:1]]) if len(inside) > 1 else room
        sorts.setdefault(room, {}).setdefault(record, []).append(_value(parameter, scenario))
    return [
        {
            "sort": room,
            "title": title(room),
            "cost": printed.COSTS.get(printed.part_of(room), ""),
            "records": [
                {"path": path, "title": item(path, scenario.data), "values": rows}
                for path, rows in records.items()
            ],
        }
        for room, records in sorts.items()
    ]


def _value(parameter: Parameter, scenario: Scenario) -> dict[str, Any]:
    room, _, key = parameter.path.partition(".")
    unclear: dict[str, str] = {}  # for an unclear rule: the question, and the meanings of the readings
    if room == "rulings":
        ruling = scenario.model.ruling[key]
        unclear = {"question": ruling.question, "meaning": ruling.meaning, "impact": ruling.impact}
    return {
        "path": parameter.path,
        "what": parameter.what,
        "name": column(parameter.path, scenario.data),
        "kind": kind_of(parameter),
        "value": parameter.value,
        "allowed": parameter.allowed,
        "low": parameter.low,
        "high": parameter.high,
        "choices": list(parameter.choices),
        "source": parameter.source,
        "confidence": parameter.confidence,
        **unclear,
    }


def kind_of(parameter: Parameter) -> str:
    """Return the type of control for a value: `choice`, `switch`, `whole`, `number`, `text` or `list`.

    `list` stands for a list or a table.
    """
    value = parameter.value
    if isinstance(value, bool):
        return "switch"
    if parameter.choices:
        return "choice"
    kinds = {int: "whole", float: "number", str: "text"}
    return kinds.get(type(value), "list")


# ---------------------------------------------------------------- settings of the page


KEYS = {"game", "scenario", "level", "players", "policies", "set"}
# a policy with weights as words and numbers: no file path has this form
WEIGHTED = re.compile(r"(?P<policy>[^:]{1,200}):(\w{1,40}=[\w.+-]{1,40})(,\w{1,40}=[\w.+-]{1,40}){0,40}")
MOST_SET, LONGEST = 200, 2000  # maximum number of changed values; maximum characters of a value


@dataclass(frozen=True, eq=False)
class PageSetting:
    """The choices on the page: scenario, level, players, policies and changed values."""

    offer: OfferedGame
    scenario: str
    level: str | None = None
    players: int | None = None
    # role -> policy (default: the best policy found)
    policies: Mapping[str, str] = field(default_factory=dict)
    sets: Mapping[str, Any] = field(default_factory=dict)  # path -> value

    @cached_property
    def request(self) -> Request:
        """The setting as the request of a command."""
        texts = {path: as_text(value) for path, value in self.sets.items()}
        policy = tuple(f"{role}={text}" for role, text in self.policies.items())
        if len(self.roles) == 1:
            policy = tuple(self.policies.values())
        return self.offer.request(
            self.scenario, difficulty=self.level, policy=policy, players=self.players, sets=texts
        )

    @cached_property
    def roles(self) -> tuple[str, ...]:
        """Roles of the occupied seats."""
        return self.offer.game.roles_in(self.unchanged.loaded)

    @cached_property
    def unchanged(self) -> Request:
        """The same scenario, level and number of players with the original values."""
        return self.offer.unchanged(self.scenario, self.level, self.players)

    @property
    def loaded(self) -> Scenario:
        return self.request.loaded

    @cached_property
    def seated(self) -> tuple[str, ...]:
        """The policy of each seat."""
        best = self.unchanged.best()
        return tuple(self.policies.get(role) or best(role) for role in self.roles)

    @cached_property
    def key(self) -> str:
        """Key of the setting. Settings with the same key have the same games."""
        files = [Path(name["file"]) for text in self.seated for name in FILES.finditer(text)]
        version = [self.offer.game.source_hash, *(source_hash(file) for file in files if file.is_file())]
        return json.dumps([self.offer.name, version, self.loaded.hash, self.seated, self.players])

    @cached_property
    def levels(self) -> list[str]:
        return self.unchanged.loaded.model.difficulties()

    def at(self, level: str) -> "PageSetting":
        """Return the same setting at another level."""
        return replace(self, level=level)


def read_setting(offers: dict[str, OfferedGame], asked: Any) -> PageSetting:
    """Read a setting, and renew an offer whose files were edited.

    Raises UsageError for anything that the page does not offer.
    """
    if not isinstance(asked, dict):
        raise UsageError(
            "a setting must be a JSON object with game, scenario, level, players, policies and set"
        )
    if unknown := sorted(set(asked) - KEYS):
        raise UsageError(f"unknown key {unknown[0]} in a setting{did_you_mean(unknown[0], KEYS)}")
    name = _one_of(asked.get("game"), offers, "game")
    offer = offers[name] = offers[name].as_now()
    first = next(iter(offer.files), default_scenario(offer.game))  # the user's own scenario, if one is given
    scenario = _one_of(asked.get("scenario") or first, offer.scenarios, "scenario")
    players, counts = asked.get("players"), offer.game.player_counts
    if players is not None and counts and (isinstance(players, bool) or players not in counts):
        raise UsageError(f"players: {offer.name} supports {counts[0]} to {counts[-1]}, not {_short(players)}")
    setting = PageSetting(offer, scenario, players=int(players) if players and counts else None)
    if asked.get("level") is not None:
        setting = replace(setting, level=_one_of(asked["level"], setting.levels, "level"))
    setting = replace(setting, policies=_policies(setting, asked.get("policies") or {}))
    setting = replace(setting, sets=_values(setting, asked.get("set") or {}))
    _ = setting.loaded  # runs the scenario's own checks
    return setting


def _one_of(value: Any, known: Any, what: str) -> str:
    if not isinstance(value, str) or value not in known:
        raise UsageError(f'{what}: the page has no "{_short(value)}"{did_you_mean(_short(value), known)}')
    return value


def _short(value: Any) -> str:
    return str(value)[:80]


def _policies(setting: PageSetting, asked: Any) -> dict[str, str]:
    if not isinstance(asked, dict):
        raise UsageError("policies: must be an object of seat and policy")
    policies = {}
    for role, text in asked.items():
        _one_of(role, setting.roles, "seat")
        policies[role] = _policy(text, setting.offer, role)
    best = setting.unchanged.best()
    return {role: text for role, text in policies.items() if text != best(role)}


def _policy(text: Any, offer: OfferedGame, role: str) -> str:
    """Return a policy that the page offers, possibly with other weights, such as `hold:at=20`."""
    known, is_text = offer.policies(role), isinstance(text, str)
    if is_text and text not in known and (weighted := WEIGHTED.fullmatch(text)):
        _one_of(weighted["policy"], known, f"policy of {role}")
        find_policy(offer.game, text)
        return str(text)
    return _one_of(text, known, f"policy of {role}")


# ---------------------------------------------------------------- values


def _values(setting: PageSetting, asked: Any) -> dict[str, Any]:
    """Return the requested values that differ from the original ones.

    Raises UsageError for a path or a value that the page does not offer.
    """
    if not isinstance(asked, dict) or len(asked) > MOST_SET:
        raise UsageError(f"set: must be an object that maps paths to values, with at most {MOST_SET} entries")
    known = setting.offer.values(setting.unchanged)
    return {
        path: value
        for path, value in asked.items()
        if _fitting(known[_one_of(path, known, "value")], value) != known[path].value
    }


def _fitting(parameter: Parameter, value: Any) -> Any:
    """Return the value if the page's own controls can produce it. Raises UsageError otherwise.

    The scenario's model makes further checks.
    """
    fits = {
        "switch": isinstance(value, bool),
        "choice": value in parameter.choices and type(value) in map(type, parameter.choices),
        "whole": isinstance(value, int) and not isinstance(value, bool),
        "number": isinstance(value, (int, float)) and not isinstance(value, bool) and isfinite(value),
        "text": isinstance(value, str),
        "list": isinstance(value, type(parameter.value)),
    }[kind_of(parameter)]
    is_within = True
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        low, high = parameter.low, parameter.high
        is_within = (low is None or value >= low) and (high is None or value <= high)
    if not fits or len(as_text(value)) > LONGEST or not is_within:
        raise UsageError(
            f"{parameter.path}: {_short(as_text(value))} is not allowed; allowed: {parameter.allowed}"
        )
    return value


# ---------------------------------------------------------------- targets


def read_band(band: Any) -> Claim | None:
    """Return the claim that the first seat's win rate is in a band, such as [0.35, 0.45]; None for no band.

    Raises UsageError for anything but two ascending shares.
    """
    if band is None:
        return None
    is_pair = isinstance(band, list) and len(band) == 2
    if not is_pair or not all(isinstance(end, (int, float)) and not isinstance(end, bool) for end in band):
        raise UsageError("target: write two shares, the lower one first, such as [0.35, 0.45]")
    if not 0 <= band[0] < band[1] <= 1:
        raise UsageError(
            f"target: {_short(band)}: write two shares from 0 to 1, the lower one first, such as [0.35, 0.45]"
        )
    return Claim("", band=(float(band[0]), float(band[1])))
