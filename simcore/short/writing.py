"""The long game file of a short one: written, kept beside compiled code, and loaded."""

import ast
import hashlib
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from math import prod
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, get_args

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from bartizan.simcore import toml
from bartizan.simcore.compile.cache import cache_root
from bartizan.simcore.compile.identity import MARK
from bartizan.simcore.files import write_atomic
from bartizan.simcore.game import load_module
from bartizan.simcore.reporting import Reporting
from bartizan.simcore.scenario.model import Confidence
from bartizan.simcore.short import components as c
from bartizan.simcore.short import words
from bartizan.simcore.short.reading import (
    END_WORDS,
    HOOKS,
    POINTS,
    Action,
    Argument,
    ShortGame,
    assigned,
    constant_of,
    read,
)

SEATS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
SCENARIO = "scenarios/standard.toml"
PLAYERS = "inferred: for how many the rules are written"
FROM_BARTIZAN = (
    *("LUCK_FIELDS", "Datum", "Engine", "Features", "Game", "Group", "Policy", "Reporting", "ScenarioModel"),
    "jit",
)
DEFAULTS = Reporting().document()
TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent),
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
    undefined=StrictUndefined,
)


def load(path: Path, module: ModuleType) -> ModuleType:
    """The long game of a short file whose module is loaded; its rules keep the lines they stand in."""
    game = read(path, module)
    text, scenario = long_game(game), scenario_of(game)
    # the place of the code stays when only a number of a card changes, and so does what is compiled of it
    file, numbers = _kept_in(text) / path.name, _kept_in(text + scenario) / SCENARIO
    for target, content in ((numbers, scenario), (file, text)):
        if not target.exists() or target.read_bytes() != content.encode():
            target.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(target, content.encode())
    long = ModuleType(f"{module.__name__}_long")
    long.__file__ = str(file)
    sys.modules[long.__name__] = long  # numba looks a function's module up by name
    vars(long)[MARK] = vars(module)[MARK]
    exec(_with_places(game, text, file), vars(long))
    long.GAME = replace(long.GAME, scenarios=numbers.parent)
    return long


def written_out(path: Path, name: str) -> tuple[str, str]:
    """The long game file and the scenario file of a short game, under a name of their own."""
    game = read(path.resolve(), load_module(path, "game"))
    return long_game(game, name), scenario_of(game, name)


def _kept_in(text: str) -> Path:
    root = Path(os.environ.get("NUMBA_CACHE_DIR") or cache_root())
    return root / "short" / hashlib.sha256(text.encode()).hexdigest()[:16]


def _with_places(game: ShortGame, text: str, file: Path) -> CodeType:
    """The long game as code, in which every function of the short one says file and line of the short one:
    what is said of a mistake, and a debugger, know no other.
    """
    places = {name: node.lineno for name, node in game.functions.items()}
    places |= {f"choose_{bot.name}": places[bot.name] for bot in game.bots}
    tree = ast.parse(text)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name in places:
            ast.increment_lineno(node, places[node.name] - node.lineno)
            for decorator in node.decorator_list:
                decorator.lineno = decorator.end_lineno = node.lineno
    code = compile(tree, file, "exec")
    constants = [
        _moved(one, str(game.path)) if isinstance(one, CodeType) and one.co_name in places else one
        for one in code.co_consts
    ]
    return code.replace(co_consts=tuple(constants))


def _moved(code: CodeType, file: str) -> CodeType:
    inner = [_moved(one, file) if isinstance(one, CodeType) else one for one in code.co_consts]
    return code.replace(co_filename=file, co_consts=tuple(inner))


# ---------------------------------------------------------------- the long game


def long_game(game: ShortGame, name: str = "") -> str:
    """The text of the long game file. name: the game's, if not that of the short one."""
    functions = [game.text(name) for name in game.functions]  # first: it finds reasons and sayings
    actions, teams, counts = game.actions, game.teams, game.counts
    most, arguments = max(counts), max(prod(a.values for a in action.arguments) for action in actions)
    hidden = [deck for name in game.decks if (deck := _hidden(game, name))["piles"]]
    reasons = {i: text for i, text in enumerate(game.reasons, words.FIRST_REASON)}
    has_score = game.has_score
    wanted = {"HOUSE": False, "NOBODY": True, "all_open": not hidden, "newcomer": has_score}
    wanted["inline"] = any(action.arguments for action in actions)
    roles = tuple(f"team_{i + 1}" for i in range(teams)) if teams > 1 else SEATS[:most]
    if teams == 1:
        roles = ("player",) if most == 1 else ("players",)
    leveled = {name: number for name, number in game.numbers.items() if number.levels}
    reported = {"time": game.settings.get("turn_name", "turn"), **_scores(game)}
    return TEMPLATES.get_template("long_game.jinja").render(
        name=name or game.path.stem,
        title=title_of(game),
        doc=(game.module.__doc__ or title_of(game)).strip(),
        file=game.path.name,
        source=repr(game.settings.get("source", "")),
        imports=sorted([*FROM_BARTIZAN, *(name for name, is_wanted in wanted.items() if is_wanted)]),
        words=_words_used(functions, has_score),
        numbers={"players": c.Number(counts[0], min(counts), most)}
        | {name: number for name, number in game.numbers.items() if not number.levels},
        leveled=leveled,
        levels=list(next(iter(leveled.values())).value) if leveled else [],
        decks=[_deck(game, name) for name in game.decks],
        counts=tuple(sorted(counts)),
        most_players=most,
        actions=[_action(game, action) for action in actions],
        arguments=arguments,
        phases=game.phases,
        parts=[_part(game, name) for name in game.components],
        constants=_constants(game),
        statements=list(_statements(game)),
        functions=functions,
        has_score=has_score,
        scores_points="score" not in game.functions,
        scored_seats=len(roles) if has_score and len(roles) > 1 else 0,
        reported={key: repr(value) for key, value in reported.items() if value != DEFAULTS[key]},
        hooks=[name for name in HOOKS if name in game.functions],
        side=f"state.me % {teams}" if teams else "state.me",
        winner=f"state.winner % {teams} if state.winner >= 0 else state.winner" if teams else "state.winner",
        teams=teams,
        hidden=hidden,
        sayings=tuple(game.sayings),
        bots=[
            {
                "name": bot.name,
                "about": repr(bot.about),
                "weights": bot.weights,
                "legal": ", legal[:n_legal]" if bot.sees_legal else "",
            }
            for bot in game.bots
        ],
        end_reasons={code: END_WORDS[code] for code in sorted(game.used_ends)} | reasons,
        max_legal=sum(prod(a.most for a in action.arguments) for action in actions),
        acts={action.name: action.kind for action in actions},
        counted={f"times_{action.name}": action.name.replace("_", " ") for action in actions},
        roles=roles,
        alike=len(roles) > 1,
    )


def _scores(game: ShortGame) -> dict[str, Any]:
    """What `Reporting` says of the score: whether there is one, whose it is, and the columns by seat."""
    if not game.has_score:
        return {"has_score": False}
    if game.teams > 1:  # its players may have points of their own
        return {"score": "points of the first player of a team", "scores": "score_{}"}
    if game.teams == 1 and max(game.counts) > 1 and "score" not in game.functions:
        return {"scored": "the first player"}  # tokens of each player, who play together
    return {} if game.teams == 1 else {"scores": "score_{}"}


def title_of(game: ShortGame) -> str:
    """As the file says, or the first words of its docstring."""
    first = re.split(r"[:.\n]", (game.module.__doc__ or "").strip())[0]
    return game.settings.get("title") or first or game.path.stem.replace("_", " ").capitalize()


def _words_used(functions: list[str], has_score: bool) -> list[str]:
    named = {name for text in functions for name in re.findall(r"\b\w+\b", text)}
    own = {"leader"} if has_score else set()
    return sorted(named & set(words.__all__) - own - {"NOBODY"}) or ["NONE"]


def _constants(game: ShortGame) -> dict[str, int]:
    """Names for numbers: phases, kinds of cards, ends, sayings."""
    named = {phase.upper(): i for i, phase in enumerate(game.phases)}
    named |= {constant_of("END", text): i for i, text in enumerate(game.reasons, words.FIRST_REASON)}
    named |= {constant_of("SAID", text): i for i, text in enumerate(game.sayings, words.SAID)}
    for deck in game.decks.values():
        if not isinstance(deck.kinds, range):
            names = [constant_of("", row[c.NAME]) for row in game.rows(deck)]
            named |= {name: i for i, name in enumerate(names) if name.isidentifier()}
    return named


def _statements(game: ShortGame) -> Iterator[str]:
    """Constants in capitals, as they are written."""
    for node in game.tree.body:
        if (names := assigned(node)) and all(map(str.isupper, names)):
            yield b"\n".join(game.lines[node.lineno - 1 : node.end_lineno]).decode()


# ---------------------------------------------------------------- state


def _part(game: ShortGame, name: str) -> dict[str, Any]:
    """A component as the template lays it out: its place in the state, how it starts, what it shows."""
    part = game.components[name]
    is_cards, shape = isinstance(part, c.Stack), ["PLAYERS"] if part.each else []
    if isinstance(part, c.Stack):
        shape.append(str(game.room(part) + 1))
    elif isinstance(part, c.Grid):
        shape += [str(part.rows), str(part.columns)]
    elif isinstance(part, c.Row):
        shape.append(str(part.length))
    return {
        "name": name,
        "each": part.each,
        # 64 bits, as literals have to numba: (s.me, 1 - s.me) holds two numbers of one type; cards are many,
        # and a state is copied often
        "kind": "i4" if is_cards else "i8",
        "shape": ", ".join(shape),
        "start": getattr(part, "start", 0),
        "shuffled": getattr(part, "shuffled", None),
        "cards": game.name_of(game.deck_of(part)) if isinstance(part, c.Stack) else "",
        "columns": getattr(part, "columns", 0),
        "is_feature": not isinstance(part, (c.Row, c.Grid)) and name != POINTS,
    }


# ---------------------------------------------------------------- actions


def _action(game: ShortGame, action: Action) -> dict[str, Any]:
    names = [argument.name for argument in action.arguments]
    packed, unpacked, below = "", "", prod(a.values for a in action.arguments)
    for i, argument in enumerate(action.arguments):
        packed = f"({packed}) * {argument.values} + {argument.name}" if i else argument.name
        below //= argument.values
        taken = f"argument // {below}" if below > 1 else "argument"
        unpacked += f", {taken} % {argument.values}" if i else f", {taken}"
    return {
        "name": action.name,
        "kind": action.kind,
        "names": names,
        "packed": packed,
        "unpacked": unpacked,
        "arguments": [{"name": a.name, "size": a.values, "word": _named(game, a)} for a in action.arguments],
        "loops": [line for argument in action.arguments for line in _loop(game, argument)],
        "has_condition": action.has_condition,
    }


def _named(game: ShortGame, argument: Argument) -> str:
    """What a value of an argument names, as `table.Table.word` takes it."""
    over = argument.over
    if isinstance(over, c.Seats):
        return "player"
    if isinstance(over, c.Kinds):
        return game.name_of(over.of)
    if isinstance(over, c.Stack):
        return game.name_of(game.deck_of(over))
    of = over.of if isinstance(over, c.Places) else over
    return f"cell {game.name_of(of)}" if isinstance(of, c.Grid) else ""


def _loop(game: ShortGame, argument: Argument) -> Iterator[str]:
    """Loop over what an argument can be. A line that ends in a colon holds all that follow."""
    name, over = argument.name, argument.over
    if isinstance(over, range):
        yield f"for {name} in {over!r}:"
    elif isinstance(over, c.Seats):
        yield f"for {name} in range(state.players):"
        yield f"if not state.out[{name}]{'' if over.me else f' and {name} != state.me'}:"
    elif isinstance(over, c.Stack):
        pile = f"state.{game.name_of(over)}" + ("[state.me]" if over.each else "")
        yield f"for {name}_at in range(1, 1 + {pile}[0]):"
        yield f"if words.is_first({pile}, {name}_at):"
        yield f"{name} = {pile}[{name}_at]"
    elif isinstance(over, c.Places) and isinstance(over.of, c.Stack):
        pile = f"state.{game.name_of(over.of)}" + ("[state.me]" if over.of.each else "")
        yield f"for {name} in range({pile}[0]):"
    else:
        yield f"for {name} in range({argument.values}):"


# ---------------------------------------------------------------- cards


def _deck(game: ShortGame, name: str) -> dict[str, Any]:
    deck = game.decks[name]
    rows = game.rows(deck)
    return {
        "name": name,
        "is_range": isinstance(deck.kinds, range),
        "copies": [row[c.COPIES] for row in rows],
        "names": tuple(row[c.NAME] for row in rows),
        "slugs": [key_of(row) for row in rows],
        "kinds": rows,
        "columns": columns_of(rows),
        "room": game.room(deck),
        "low": deck.low,
        "high": deck.high,
    }


def key_of(row: dict) -> str:
    """What a kind of card is called in the scenario file."""
    return re.sub(r"\W+", "_", row[c.NAME]).strip("_").lower()


def columns_of(rows: list[dict]) -> list[str]:
    """Columns of numbers beside `copies`."""
    return [key for key, value in rows[0].items() if key not in (c.NAME, c.COPIES) and type(value) is int]


def _hidden(game: ShortGame, deck: str) -> dict[str, Any]:
    """The hidden cards of a deck, dealt anew for a seat, and those that nobody has seen."""
    piles = [
        {"name": name, "each": part.each, "known": part.known, "fits": part.fits, "seen": str(part.seen)}
        for name, part in game.components.items()
        if isinstance(part, c.Stack) and game.deck_of(part) is game.decks[deck] and part.seen != c.Seen.OPEN
    ]
    unseen = [pile for pile in piles if pile["seen"] == c.Seen.NOBODY and not pile["known"]]
    return {"room": game.room(game.decks[deck]), "piles": piles, "unseen": unseen}


# ---------------------------------------------------------------- the scenario


def scenario_of(game: ShortGame, name: str = "") -> str:
    """The scenario file: every number with its source."""
    head = {"schema_version": 1, "game": name or game.path.stem, "name": "standard", "title": title_of(game)}
    numbers = {name: number for name, number in game.numbers.items() if not number.levels}
    leveled = {name: number for name, number in game.numbers.items() if number.levels}
    source = game.settings.get("source", "")
    tables: dict[str, dict] = {
        "numbers": {"players": game.counts[0]}
        | {name: number.value for name, number in numbers.items()}
        | _origin("")
        | {"origins": {"players": _origin(source or PLAYERS)} | _origins(numbers)}
    }
    for level in next(iter(leveled.values())).levels if leveled else ():
        values = {name: number.value[level] for name, number in leveled.items()}
        tables[f"level.{level}"] = values | _origin("") | {"origins": _origins(leveled)}
    for name, deck in game.decks.items():
        if not isinstance(deck.kinds, range):
            for row in game.rows(deck):
                shown = {c.NAME: row[c.NAME], c.COPIES: row[c.COPIES]}
                shown |= {key: row[key] for key in columns_of(game.rows(deck))}
                tables[f"{name}.{key_of(row)}"] = shown | _origin(deck.source or source)
    return toml.document(head, tables)


def _origins(numbers: dict[str, c.Number]) -> dict[str, dict]:
    return {name: _origin(number.source) for name, number in numbers.items() if number.source}


def _origin(source: str) -> dict[str, str]:
    """How sure a number is, the first word of its source says; any other source is the designer's."""
    told = source.removeprefix("the ")
    sure = next((one for one in get_args(Confidence) if told.startswith(one)), "assumed")
    whys = {"inferred": source, "assumed": "a number of the designer's own"}
    why = {"why": whys[sure]} if sure in whys else {}
    return {"source": source or "the designer", "confidence": sure, **why}
