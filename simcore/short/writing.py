"""Generate the full form of a short game, store it with compiled code, and load it."""

import ast
import hashlib
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import chain, count
from math import prod
from pathlib import Path
from types import CodeType, MappingProxyType, ModuleType
from typing import Any, get_args

import numpy as np
from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined, Template

from bartizan.simcore import toml
from bartizan.simcore.compile import mistakes, plain_numbers
from bartizan.simcore.compile.cache import cache_root
from bartizan.simcore.compile.identity import BY_CONTENT, MARK
from bartizan.simcore.compile.jit import PLAIN
from bartizan.simcore.errors import BartizanError, UsageError
from bartizan.simcore.files import write_atomic
from bartizan.simcore.game import load_module
from bartizan.simcore.reporting import COUNTER, Reporting
from bartizan.simcore.scenario.model import Confidence
from bartizan.simcore.short import components as c
from bartizan.simcore.short import words
from bartizan.simcore.short.listing import ActionLoops, cut, enumerated
from bartizan.simcore.short.peeking import peeking
from bartizan.simcore.short.piles import pile_uses
from bartizan.simcore.short.proofs import Proofs
from bartizan.simcore.short.reading import (
    END_WORDS,
    HOOKS,
    POINTS,
    RARE,
    Action,
    Argument,
    ShortGame,
    assigned,
    calls,
    columns_of,
    is_clear,
    name_called,
    read,
)
from bartizan.simcore.short.sheet_words import constant_of
from bartizan.simcore.short.telling import kept_numbers, told_by_rules

SEATS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
LOG_LINES = 12  # of one action, unless the game declares `log_lines`
SCENARIO = "scenarios/standard.toml"
PLAYERS = "inferred: for how many the rules are written"
FROM_BARTIZAN = (
    *("LUCK_FIELDS", "Datum", "Engine", "Features", "Game", "Group", "Policy", "Rare", "Reporting"),
    *("ScenarioModel", "jit"),
)
# words that move the marks of cards (`provenance`)
MARKED = ("carry", "deal", "discard", "draw", "move", "move_all", "pass_left", "pass_right", "put", "take")
# the seats that see a pile, as bits
VIEWERS = {
    c.Seen.OPEN: "marks.ALL",
    c.Seen.OWNER: "1 << p",
    c.Seen.OTHERS: "marks.ALL ^ 1 << p",
    c.Seen.NOBODY: "",
}
DEFAULTS = Reporting().document()
SAFE = str.maketrans({"\\": "\\\\", '"': '\\"', "\0": "\\0"})  # for text between three quotation marks
TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent),
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
    undefined=StrictUndefined,
)
TEMPLATES.filters["quoted"] = lambda text: (
    f'"{text}"' if text.isprintable() and not set(text) & set('"\\') else repr(text)
)


def load(
    path: Path, module: ModuleType, lengths: Mapping[c.TableItem, int] = MappingProxyType({})
) -> ModuleType:
    """Return the full form of a short game, as a module.

    Its rules keep their line numbers. Raises UsageError for a mistake in the file.

    module: the loaded module of the file. lengths: lengths of rows that replace the declared lengths.
    """
    game = read(path, module, lengths)
    uses = pile_uses(game)
    scenario = scenario_of(game)
    is_followed = bool(uses.marked) and not uses.first_unknowable()
    long = _executed(game, long_game(game, follows=False), module, "shorter" if lengths else "long")
    if is_followed:

        @cache
        def following():
            """Return the engine that tracks cards.

            It is created on demand, because most simulations do not need it (`piles`).
            """
            again = read(path, module, lengths, is_checked=True)
            if scenario_of(again) != scenario:
                raise UsageError(f"{path}: its cards were edited while the game was running: run it again")
            return _executed(again, long_game(game), module, "marked").ENGINE

        long.ENGINE = replace(long.ENGINE, following=following)
    return long


def _executed(game: ShortGame, text: str, module: ModuleType, name: str) -> ModuleType:
    """Execute the full form of a short game, and return its module.

    It is executed from a file that is stored with compiled code.
    """
    scenario = scenario_of(game)
    # if only a number of a card changes, the code and its compiled code keep their places
    file, numbers = _kept_in(text) / game.path.name, _kept_in(text + scenario) / SCENARIO
    for target, content in ((numbers, scenario), (file, text)):
        if not target.exists() or target.read_bytes() != content.encode():
            target.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(target, content.encode())
    long = ModuleType(f"{module.__name__}_{name}")
    long.__file__ = str(file)
    mistakes.WRITTEN |= dict.fromkeys((str(file), str(numbers)), str(game.path))
    if PLAIN:
        vars(long)[plain_numbers.NAME] = plain_numbers.as_compiled_number
    sys.modules[long.__name__] = long  # numba looks up a function's module by name
    vars(long).update({MARK: vars(module)[MARK], BY_CONTENT: True})
    code = _with_places(game, text, file)
    try:
        exec(code, vars(long))
    except BartizanError as error:  # a fault that Bartizan found in a policy
        named = [node.lineno for name, node in game.functions.items() if f"policy {name}:" in str(error)]
        raise type(error)(f"{game.path}:{(named or [1])[0]}: {error}") from error
    long.GAME = replace(long.GAME, scenarios=numbers.parent)
    return long


def written_out(path: Path, name: str) -> tuple[str, str]:
    """Return the text of the game file and of the scenario file of a short game in full form.

    name: name of the game in full form.
    """
    module = load_module(path, "game")
    game = read(path.resolve(), module)
    return long_game(game, name, is_cut=False), scenario_of(game, name)


def _kept_in(text: str) -> Path:
    root = Path(os.environ.get("NUMBA_CACHE_DIR") or cache_root())
    return root / "short" / hashlib.sha256(text.encode()).hexdigest()[:16]


def _with_places(game: ShortGame, text: str, file: Path) -> CodeType:
    """Compile the full form of a short game.

    Every function that comes from the short file keeps its file and line, for error messages and debuggers.
    Raises UsageError for a name that the generated code also uses.
    """
    places = {name: node.lineno for name, node in game.functions.items()}
    lines = _lines_of_rules(game) | {f"choose_{bot.name}": places[bot.name] for bot in game.bots}
    tree = ast.parse(text)
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef):
            continue
        if node.name in places:
            ast.increment_lineno(node, places[node.name] - node.lineno)
            for decorator in node.decorator_list:
                decorator.lineno = decorator.end_lineno = node.lineno
        else:  # of the form: all of it is written from one line
            for part in (one for one in ast.walk(node) if hasattr(one, "lineno")):
                part.lineno = part.end_lineno = lines.get(node.name, 1)
    if PLAIN:
        plain_numbers.as_compiled(tree)
    code = compile(tree, file, "exec")
    own = {*game.functions, *_constants(game), *(name for name in game.declared if name.isupper())}
    bound = Counter(name for node in tree.body for name in _bound_by(node))
    if twice := next((name for name in own if bound[name] > 1), ""):
        line = places.get(twice) or next(iter(game.functions.values())).lineno
        instead = "choose another name"
        for name, columns in game.word_columns.items():
            if any(twice in of.spelling for of in columns.values()):
                line, instead = game.line_of(name), f"write another word in the sheet of {name}"
        raise UsageError(
            f"{game.path}:{line}: {twice} is also a name in the code that Bartizan generates from this file: "
            f"{instead}"
        )
    constants = [_moved(one, str(game.path)) if isinstance(one, CodeType) else one for one in code.co_consts]
    return code.replace(co_consts=tuple(constants))


def _lines_of_rules(game: ShortGame) -> dict[str, int]:
    """Map each generated function to the line of its source."""
    lines = {name: node.lineno for name, node in game.functions.items()}
    acts = [action.name for action in game.actions]
    asking = [f"can_{name}" for name in acts if f"can_{name}" in lines]
    first = {"legal_actions": [*asking, *acts], "apply": acts, "reset": ["setup"], "leader": ["score"]}
    first |= {"every_action": [*asking, *acts]}
    first |= {f"may_{name}_{level}": [f"can_{name}"] for name in acts for level in range(9)}
    first |= {f"list_{name}": [f"can_{name}", name] for name in acts}
    first |= {"begin_turns": ["start_turn"], "write_record": ["score"], "write_features": ["score"]}
    named = {name: [lines[one] for one in froms if one in lines][:1] for name, froms in first.items()}
    return {name: found[0] for name, found in named.items() if found}


def _bound_by(node: ast.stmt) -> list[str]:
    """Return the module-level names that a statement defines."""
    if isinstance(node, ast.ImportFrom):
        return [one.asname or one.name for one in node.names]
    return [node.name] if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else assigned(node)


def _moved(code: CodeType, file: str) -> CodeType:
    inner = [_moved(one, file) if isinstance(one, CodeType) else one for one in code.co_consts]
    return code.replace(co_filename=file, co_consts=tuple(inner))


# ---------------------------------------------------------------- the full form


def long_game(game: ShortGame, name: str = "", follows: bool = True, is_cut: bool = True) -> str:
    """Return the text of the game file in full form.

    name: name of the game, if it differs from the name of the short game. follows: add marks to the cards if
    the knowledge of hidden cards differs; without marks, such a game cannot redeal hidden cards. is_cut: list
    legal actions with loops that are pruned early (`listing`), which are valid only while the rules are not
    edited.
    """
    uses = pile_uses(game)
    unknowable = uses.first_unknowable()
    game.marked = uses.marked if follows and not unknowable else []
    cannot_deal = bool(uses.marked) and not game.marked
    functions = [game.text(name) for name in game.functions]  # first, because it finds reasons and texts
    actions, teams, counts = game.actions, game.teams, game.counts
    most, arguments = max(counts), max(prod(a.values for a in action.arguments) for action in actions)
    hidden = [deck for name in game.decks if (deck := _hidden(game, name))["piles"]]
    dealt = [] if cannot_deal else hidden
    untold = "; ".join(filter(None, [told_by_rules(game) if hidden else "", kept_numbers(game)]))
    reasons = {i: text for i, text in enumerate(game.reasons, words.FIRST_REASON)}
    proofs = Proofs(game, _constants(game))
    parts = [_part(game, name, proofs) for name in game.components]
    listed = [cut(game, one, proofs) if is_cut else enumerated(game, one) for one in actions]
    has_score = game.has_score
    wanted = {
        "HOUSE": False,
        "NOBODY": True,
        "all_open": not hidden and not game.simultaneous,
        "newcomer": has_score or "aim" in game.functions,
    }
    listed_apart = _listed_apart(actions, listed) if is_cut else []
    wanted["inline"] = bool(listed_apart) or any(action.arguments for action in actions)
    roles = tuple(f"team_{i + 1}" for i in range(teams)) if teams > 1 else SEATS[:most]
    if teams == 1:
        roles = ("player",) if most == 1 else ("players",)
    leveled = {name: number for name, number in game.numbers.items() if number.levels}
    recorded = {
        f"{COUNTER}{name}": name for name, part in game.components.items() if getattr(part, "recorded", False)
    }
    reported = {"time": game.settings.get("turn_name", "turn"), "score_scale": game.score_scale}
    reported |= _scores(game)
    if teams > 1:
        reported["sides"] = tuple(f"team {i + 1}" for i in range(teams))
    return _template().render(
        name=name or game.path.stem,
        title=title_of(game),
        doc=(game.module.__doc__ or title_of(game)).strip().translate(SAFE),
        file=game.path.name.translate(SAFE),
        source=repr(game.settings.get("source", "")),
        imports=sorted([*FROM_BARTIZAN, *(name for name, is_wanted in wanted.items() if is_wanted)]),
        **_words_used(game, functions),
        numbers={"players": c.Number(counts[0], min(counts), most)}
        | {name: number for name, number in game.numbers.items() if not number.levels},
        lists=game.lists,
        board_columns={name: (np.shape(of), of) for name, of in game.board_columns.items()},
        rulings={name: ruling.readings for name, ruling in game.rulings.items()},
        leveled=leveled,
        levels=list(next(iter(leveled.values())).value) if leveled else [],
        levels_for=sorted({number.players for number in leveled.values()}),
        decks=[_deck(game, name) for name in game.decks],
        counts=tuple(sorted(counts)),
        most_players=most,
        actions=[_action(game, action) for action in actions],
        loops=listed,
        listed_apart=listed_apart,
        enumerated=[enumerated(game, one) for one in actions] if any(one.is_cut for one in listed) else [],
        arguments=arguments,
        phases=game.phases,
        parts=parts,
        constants=_constants(game),
        statements=list(_statements(game)),
        functions=functions,
        has_score=has_score,
        scores_points="score" not in game.functions,
        scored_seats=len(roles) if has_score and len(roles) > 1 else 0,
        reported={key: repr(value) for key, value in reported.items() if value != DEFAULTS[key]},
        aim=repr(" ".join((ast.get_docstring(game.functions["aim"]) or "its aim").split()).rstrip("."))
        if "aim" in game.functions
        else "",
        tiers=repr(_tiers(game.settings.get("tiers", {}))),
        names=_names(game),
        hooks=[name for name in HOOKS if name in game.functions],
        side=f"state.me % {teams}" if teams else "state.me",
        winner=f"state.winner % {teams} if state.winner >= 0 else state.winner" if teams else "state.winner",
        teams=teams,
        log_lines=game.settings.get("log_lines", LOG_LINES) + (most if game.simultaneous else 0),
        hidden=dealt,
        cannot_deal=cannot_deal,
        tracked=bool(game.marked),
        unknowable=repr(unknowable) if unknowable else "",
        untold=repr(untold) if untold else "",
        peeking=repr(notes) if (notes := peeking(game)) else "",
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
        rare=_rare(game, reasons),
        end_reasons={code: END_WORDS[code] for code in sorted(game.used_ends)} | reasons,
        max_legal=sum(prod(a.most for a in action.arguments) for action in actions),
        acts={name: kind for action in actions for name, kind in action.decisions.items()},
        asks=game.asks,
        eliminates=game.eliminates,
        staged=[_staged(action) for action in actions if action.stages],
        simultaneous=[action.kind for action in actions if action.name in game.simultaneous],
        is_mixed=0 < len(game.simultaneous) < len(actions),
        staged_acts=[_action(game, action) for action in actions if action.stages],
        secret=tuple(name for one in actions if one.name in game.simultaneous for name in one.decisions),
        decisions=[act for action in actions for act in _decisions(game, action)],
        counted={f"times_{action.name}": action.name.replace("_", " ") for action in actions},
        recorded=recorded,
        recorded_words={column: name.replace("_", " ") for column, name in recorded.items()},
        roles=roles,
        alike_seats=not teams and most > 1,
        alike=len(roles) > 1,
        **_cards_of_players(game),
    )


def _listed_apart(actions: list[Action], loops: list[ActionLoops]) -> list[str]:
    """Return the actions that have a function of their own in the listing.

    After an edit of one of them, only this function is compiled again.
    """
    long = [action.name for action, of in zip(actions, loops, strict=True) if of.lines]
    return long if len(long) > 1 else []


@cache
def _template() -> Template:
    """Return the template of the full form. Its compiled code is stored with the compiled code of games."""
    folder = Path(os.environ.get("NUMBA_CACHE_DIR") or cache_root()) / "template"
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        TEMPLATES.bytecode_cache = FileSystemBytecodeCache(str(folder))
    return TEMPLATES.get_template("long_game.jinja")


LEAST_SCORE = -(2**63)


def _tiers(tiers: Mapping[str, int]) -> dict[str, int]:
    """Return the tiers, with one more for scores below all of them; {} if there are none."""
    return {**tiers, f"below {min(tiers, key=tiers.__getitem__)}": LEAST_SCORE} if tiers else {}


def _names(game: ShortGame) -> dict[str, tuple[str, ...]]:
    """Map arguments, columns of words and boards to the names of their values.

    An argument is given by the meaning of its values (`_named`).
    """
    return (
        _spelling(game)
        | {
            _named(game, argument): argument.over
            for action in game.actions
            for argument in action.arguments
            if isinstance(argument.over, tuple)
        }
        | {name: tuple(row[c.NAME] for row in board.rows) for name, board in game.boards.items()}
    )


def _spelling(game: ShortGame) -> dict[str, tuple[str, ...]]:
    """Map each column of words to its words, in the order of their numbers."""
    spelling = {one: word for of in game.word_fields.values() for one, word in of.items()}
    groups = [tuple(spelling[one] for one in group) for group in game.word_groups]
    return {
        field: next(group for group in groups if set(of.values()) <= set(group))
        for field, of in game.word_fields.items()
        if field not in {*game.decks, *game.boards, "player"}
    }


def _rare(game: ShortGame, reasons: dict[int, str]) -> list[dict[str, Any]]:
    """Return the rare events for `bartizan chance`: the events that the file declares, and every ending.

    `code` is the end reason of an ending, otherwise 0.
    """
    declared = [
        {"name": event, "title": repr(title), "code": 0, "function": f"{RARE}{event}"}
        for event, title in game.rare.items()
    ]
    ends = {code: END_WORDS[code] for code in sorted(game.used_ends)} | reasons
    names = {code: constant_of("", text).lower() or f"end_{code}" for code, text in ends.items()}
    return declared + [
        {
            "name": name
            if name not in game.rare and list(names.values()).count(name) == 1
            else f"{name}_{code}",
            "title": repr(f"the game ends with “{ends[code]}”"),
            "code": code,
            "function": f"ending_{code}",
        }
        for code, name in names.items()
    ]


def _scores(game: ShortGame) -> dict[str, Any]:
    """Return the arguments of `Reporting` for the score.

    They are whether there is one, its owner, and the columns by seat.
    """
    if not game.has_score:
        return {"has_score": False}
    if game.teams == 1 and max(game.counts) > 1 and "score" not in game.functions:
        return {"scored": "the first player"}  # each player's tokens, although they play together
    return {} if game.teams == 1 else {"scores": "score_{}"}


def title_of(game: ShortGame) -> str:
    """Return the title in the file, else the first words of its docstring, else the name of the file."""
    first = re.split(r"[:.\n]", (game.module.__doc__ or "").strip())[0]
    return game.settings.get("title") or first or game.path.stem.replace("_", " ").capitalize()


def _words_used(game: ShortGame, functions: list[str]) -> dict[str, list[str]]:
    """Return the functions for rules that the game's functions use.

    They are grouped by the module from which the full form imports them.
    """
    named = {name for text in functions for name in re.findall(r"\b\w+\b", text)}
    own, marked = {"leader"} if game.has_score else set(), set()
    if game.marked:
        marked = named & set(MARKED)
        own |= marked | {"shuffle", "draw_or_reshuffle"}
    turns = named & {"next_player"} if game.asks else set()
    return {
        "words": sorted(named & set(words.__all__) - own - turns - {"NOBODY"}) or ["NONE"],
        "card_words": sorted(marked),
        "turn_words": sorted(turns),
    }


def _constants(game: ShortGame) -> dict[str, int]:
    """Map each constant of the rules to its number: phases, words, kinds of cards, end reasons and texts."""
    named = {phase.upper(): i for i, phase in enumerate(game.phases)} | game.word_codes
    named |= {constant: i for i, constant in enumerate(game.reasons.values(), words.FIRST_REASON)}
    named |= {constant: i for i, constant in enumerate(game.sayings.values(), words.SAID)}
    meanings = [*game.kinds.items(), *game.readings.items()]
    clear = ((name, numbers) for name, numbers in meanings if is_clear(numbers))
    return named | {name: next(iter(numbers.values())) for name, numbers in clear}


def _statements(game: ShortGame) -> Iterator[str]:
    """Yield the source text of each definition of upper-case constants in the file."""
    for node in game.tree.body:
        if (names := assigned(node)) and all(map(str.isupper, names)):
            yield b"\n".join(game.lines[node.lineno - 1 : node.end_lineno]).decode()


# ---------------------------------------------------------------- state


def _width(game: ShortGame, part: c.Stack, proofs: Proofs) -> str:
    """Return the integer type of a pile.

    It has 16 bits if no rule can put anything except cards of its deck there.
    """
    most = max(len(game.rows(game.deck_of(part))), game.room(part))
    return "i2" if proofs.cards_hold and most < 2**15 else "i4"


def _part(game: ShortGame, name: str, proofs: Proofs) -> dict[str, Any]:
    part = game.components[name]
    is_cards, shape = isinstance(part, c.Stack), ["PLAYERS"] if part.each else []
    if isinstance(part, c.Stack):
        shape.append(str((game.room(part) + 1) * (2 if part in game.marked else 1)))
    elif isinstance(part, c.Grid):
        shape += [str(part.rows), str(part.columns)]
    elif isinstance(part, c.Row):
        shape.append(str(game.length(part)))
    return {
        "name": name,
        "each": part.each,
        # 64 bits, as numba types literals: (s.me, 1 - s.me) contains two numbers of one type; cards are
        # numerous, and a state is copied often
        "kind": _width(game, part, proofs) if is_cards and part not in game.marked else "i8",
        "shape": ", ".join(shape),
        "start": getattr(part, "start", 0),
        "shuffled": getattr(part, "shuffled", None),
        "cards": game.name_of(game.deck_of(part)) if isinstance(part, c.Stack) else "",
        "columns": getattr(part, "columns", 0),
        "scale": game.score_scale if name == POINTS and "score" not in game.functions else 1,
        "marked": part in game.marked,
        "viewers": VIEWERS[part.seen] if isinstance(part, c.Stack) else "",
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
    codes = [f"{action.kind} * ARGUMENTS"] if action.kind else []
    codes += [f"({packed})" if action.kind else packed] if packed else []
    return {
        "name": action.name,
        "kind": action.kind,
        "names": names,
        "code": " + ".join(codes) or "0",
        "packed": packed,
        "unpacked": unpacked,
        "arguments": [{"name": a.name, "size": a.values, "word": _named(game, a)} for a in action.arguments],
    }


def _staged(action: Action) -> dict[str, Any]:
    """Return an action whose arguments are chosen one after another.

    value: source text that unpacks the argument of a stage. of: number of packed arguments that share the
    arguments chosen in earlier stages.
    """
    choices, of = [], prod(one.values for one in action.arguments)
    for argument, kind in zip(action.arguments, action.stages, strict=True):
        below = of // argument.values
        value = f"argument // {below} % {argument.values}" if below > 1 else f"argument % {argument.values}"
        choices.append({"kind": kind, "size": argument.values, "of": of, "value": value})
        of = below
    return {"kind": action.kind, "choices": choices}


def _decisions(game: ShortGame, action: Action) -> list[dict[str, Any]]:
    arguments = _action(game, action)["arguments"]
    if not action.stages:
        return [{"name": action.name, "arguments": arguments}]
    return [{"name": name, "arguments": [one]} for name, one in zip(action.decisions, arguments, strict=True)]


def _named(game: ShortGame, argument: Argument) -> str:
    """Return the meaning of an argument's values in the form that `table.Tabletop.word` takes."""
    over = argument.over
    if isinstance(over, c.Seats):
        return "player"
    if isinstance(over, tuple):
        return f"one of {', '.join(over)}"
    if isinstance(over, c.Board):
        return game.name_of(over)
    if isinstance(over, c.Kinds):
        return game.name_of(over.of)
    if isinstance(over, c.Stack):
        return game.name_of(game.deck_of(over))
    of = over.of if isinstance(over, c.Places) else over
    return f"cell {game.name_of(of)}" if isinstance(of, c.Grid) else ""


# ---------------------------------------------------------------- cards


def _deck(game: ShortGame, name: str) -> dict[str, Any]:
    deck = game.decks[name]
    rows = game.rows(deck)
    return {
        "name": name,
        "is_range": isinstance(deck.kinds, range),
        "copies": [row[c.COPIES] for row in rows],
        "names": tuple(row[c.NAME] for row in rows),
        "slugs": keys_of(rows),
        "kinds": rows,
        "columns": game.columns(name),
        "words": {column: of.choices(game.word_codes) for column, of in game.word_columns[name].items()},
        "room": game.room(deck),
        **dict(zip(("low", "high"), game.bounds(deck), strict=True)),
    }


def keys_of(rows: list[dict]) -> list[str]:
    """Return a distinct scenario-file key for each kind of card."""
    keys: dict[str, None] = {}
    for row in rows:
        key = re.sub(r"\W+", "_", row[c.NAME]).strip("_").lower() or "card"
        keys[next(one for one in chain([key], (f"{key}_{i}" for i in count(2))) if one not in keys)] = None
    return list(keys)


def _hidden(game: ShortGame, name: str) -> dict[str, Any]:
    """Return the hidden piles of a deck for the template.

    They are the piles that are redealt for a seat, and the piles that nobody has seen.
    """
    deck = game.decks[name]
    parts = {
        name: part
        for name, part in game.components.items()
        if isinstance(part, c.Stack) and game.deck_of(part) is deck and part.seen != c.Seen.OPEN
    }
    return {
        "room": game.room(deck),
        "tracked": any(part in game.marked for part in parts.values()),
        "piles": [_hidden_pile(name, part, "viewer") for name, part in parts.items()],
        "unseen": [_hidden_pile(name, part) for name, part in parts.items() if part.seen == c.Seen.NOBODY],
        "fits": any(part.fits for part in parts.values()),
        "mixed": repr(
            f"{game.path.name}:{game.line_of(name)}: {name}: known cards were shuffled into others, so "
            f"the possible places of cards are unknown: define them with a helper, Hand({name}, "
            "fits=_fits)"
        ),
        "searched": repr(
            f"{game.path.name}:{game.line_of(name)}: {name}: a rule took a card by its kind from a "
            f"pile that nobody sees: shuffle the pile afterwards, or define what fits: Pile({name}, "
            "fits=_fits)"
        ),
    }


def _hidden_pile(name: str, part: c.Stack, viewer: str = "") -> dict[str, Any]:
    """Return a hidden pile for the template.

    known, fits: source text that calls the helpers for a viewer; without a viewer, calls for all seats
    together.
    """
    at = f"state, tables, {viewer + ', ' if viewer else ''}@owner, i - 1"
    known, fits = (helper.__name__ if helper else "" for helper in (part.known, part.fits))
    return {
        "name": name,
        "each": part.each,
        "seen": str(part.seen),
        "known_by": known,
        "fits_for": fits,
        "known": known and f"{known if viewer else f'anybody_knows_{name}'}({at})",
        "fits": fits and f"{fits if viewer else f'fits_for_all_{name}'}({at}, card)",
    }


def _cards_of_players(game: ShortGame) -> dict[str, list[dict[str, Any]]]:
    """Return the decks for the template.

    held: decks whose cards players own, with their piles. listed: arguments of `deck_cards`. naming: the
    result of `_naming`.
    """
    found, listed, first = [], [], 0
    for name, deck in game.decks.items():
        rows = game.rows(deck)
        parts = {
            other: part
            for other, part in game.components.items()
            if isinstance(part, c.Stack) and game.deck_of(part) is deck
        }
        owned = [other for other, part in parts.items() if part.each]
        hands = [other for other in owned if isinstance(parts[other], c.Hand)]
        # exchanged for cards without an owner: cards of the deck, and of piles that nobody sees
        pool = [
            o for o, part in parts.items() if not part.each and (part is deck or part.seen == c.Seen.NOBODY)
        ]
        if owned:
            found.append(
                {
                    "name": name,
                    "first": first,
                    "kinds": len(rows),
                    "owned": owned,
                    "hands": hands or owned,
                    "pool": pool,
                    "others": [o for o in hands or owned if parts[o].seen != c.Seen.OPEN],
                    "empty": " and ".join(f"state.{o}[0] == 0" for o in pool) or "True",
                }
            )
        shown: dict[str, Any] = {}
        if isinstance(deck.kinds, range):
            origin = _origin(deck.source or game.settings.get("source", ""))
            shown |= {"copies": tuple(row[c.COPIES] for row in rows)}
            shown |= {key: origin[key] for key in ("source", "confidence")}
        if owned:
            shown["is_owned"] = True
            if chosen_with := tuple(_choosing(game, deck, parts)):
                shown["chosen_with"] = chosen_with
        if hands:
            shown["uses"] = _uses_of(game, {other: parts[other] for other in hands})
        elif owned:
            shown["piles"] = tuple(owned)
        listed.append({"name": name, "shown": ", ".join(f"{key}={value!r}" for key, value in shown.items())})
        first += len(rows)
    return {"held": found, "listed": listed, "naming": list(_naming(game, found))}


def _naming(game: ShortGame, held: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield {kind, card} for each argument that names a card in the player's hand.

    kind: number of the action. card: source text that computes the number of the card.
    """
    first = {zone: deck["first"] for deck in held for zone in deck["hands"]}
    for action in game.actions:
        values = _action(game, action)["unpacked"].removeprefix(", ").split(", ")
        kinds = action.stages or [action.kind] * len(values)
        for argument, kind, value in zip(action.arguments, kinds, values, strict=False):
            value = "argument" if action.stages else value
            over = argument.over.of if isinstance(argument.over, c.Places) else argument.over
            zone = next((name for name in first if game.components[name] is over), "")
            if zone:
                card = f"state.{zone}[state.me][1 + {value}]" if over is not argument.over else value
                yield {"kind": kind, "card": f"{first[zone]} + {card}"}


def _choosing(game: ShortGame, deck: c.Deck, parts: dict[str, c.TableItem]) -> Iterator[str]:
    """Yield the names of the actions by which a player takes a chosen card from a common pile.

    An example is a purchase. deck: the deck of the pile. parts: the piles of the deck.
    """
    common = {name for name, part in parts.items() if not part.each}

    def takes(call: ast.Call) -> bool:
        called = name_called(call)
        places = {"move": (0, 2), "put": (1, 0)}.get(called, (0, 0))
        if len(call.args) <= max(places) or not any(places):
            return False
        source, target = (
            {node.attr for node in ast.walk(call.args[at]) if isinstance(node, ast.Attribute)}
            for at in places
        )
        return bool(source & common) and not target & common

    for action in game.actions:
        over = [argument.over for argument in action.arguments]
        named = [one.of if isinstance(one, (c.Places, c.Kinds)) else one for one in over]
        if any(one is deck or (one in parts.values() and not one.each) for one in named):
            if _does(game, action.name, takes, set()):
                yield action.name.replace("_", " ")


def _does(game: ShortGame, function: str, is_it: Callable[[ast.Call], bool], seen: set[str]) -> bool:
    """Return whether a function, or a helper that it calls, contains a call for which `is_it` is true.

    seen: functions already searched, modified.
    """
    seen.add(function)
    for call in calls(game.functions[function]):
        called = name_called(call)
        if is_it(call) or (
            called in game.functions and called not in seen and _does(game, called, is_it, seen)
        ):
            return True
    return False


def _uses_of(game: ShortGame, hands: dict[str, c.TableItem]) -> tuple[str, ...]:
    """Return the names of the actions that can use a card in hand.

    An action is left out only if it empties a hand and none of its arguments is a card in hand. For an action
    in stages, the name is that of its first stage.
    """
    naming = {
        action.name
        for action in game.actions
        for argument in action.arguments
        if (argument.over.of if isinstance(argument.over, c.Places) else argument.over) in hands.values()
    }
    clearing = {action.name for action in game.actions if _clears(game, action.name, set(hands))}
    uses = [one for one in game.actions if one.name in naming or one.name not in clearing]
    return tuple(next(iter(one.decisions)) for one in uses)  # of an action in stages, the first


def _clears(game: ShortGame, function: str, hands: set[str]) -> bool:
    """Return whether a function, or a helper that it calls, moves all cards of a hand."""

    def clears(call: ast.Call) -> bool:
        moved = ast.walk(call.args[0]) if name_called(call) == "move_all" and call.args else ()
        return any(isinstance(one, ast.Attribute) and one.attr in hands for one in moved)

    return _does(game, function, clears, set())


# ---------------------------------------------------------------- the scenario


def scenario_of(game: ShortGame, name: str = "") -> str:
    """Return the text of the scenario file, which gives every number its source."""
    head: dict[str, Any] = {"schema_version": 1, "game": name or game.path.stem, "name": "standard"}
    head |= {"title": title_of(game)} | ({"read_otherwise": notes} if (notes := game.sheet_notes) else {})
    if headings := _headings(game):
        head["headings"] = headings
    if scales := {name: dict(deck.scale) for name, deck in game.decks.items() if deck.scale}:
        head["column_scales"] = scales
    numbers = {name: number for name, number in game.numbers.items() if not number.levels}
    leveled = {name: number for name, number in game.numbers.items() if number.levels}
    source = game.settings.get("source", "")
    tables: dict[str, dict] = {
        "numbers": {"players": game.counts[0]}
        | {name: number.value for name, number in numbers.items()}
        | _origin("")
        | {"origins": {"players": _origin(source or PLAYERS)} | _origins(numbers)}
    }
    if game.rulings:
        tables["rulings"] = {name: ruling.readings[0] for name, ruling in game.rulings.items()}
    for i, (name, ruling) in enumerate(game.rulings.items(), 1):
        shown = {"id": f"R{i}", "question": ruling.question, "readings": list(ruling.readings)}
        tables[f"ruling.{name}"] = shown | {"meaning": ruling.meaning} | _origin(ruling.source)
    for level in next(iter(leveled.values())).levels if leveled else ():
        values = {name: number.value[level] for name, number in leveled.items()}
        tables[f"level.{level}"] = values | _origin("") | {"origins": _origins(leveled)}
    for name, deck in game.decks.items():
        if not isinstance(deck.kinds, range):
            rows = game.rows(deck)
            texts = {column: of.texts for column, of in game.word_columns[name].items()}
            for i, (key, row) in enumerate(zip(keys_of(rows), rows, strict=True)):
                shown = {c.NAME: row[c.NAME], c.COPIES: row[c.COPIES]}
                shown |= {column: row[column] for column in columns_of(rows)}
                shown |= {column: of[i] for column, of in texts.items()}
                tables[f"{name}.{key}"] = shown | _origin(deck.source or source)
    return toml.document(head, tables)


def _headings(game: ShortGame) -> dict[str, dict[str, str]]:
    """Map each deck from a sheet to {column: heading} for the columns that rules read.

    A column without a heading has its capitalised name instead.
    """
    tables = {name: game.table(deck) for name, deck in game.decks.items() if isinstance(deck.kinds, str)}
    return {
        name: {
            column: table.headings.get(column, column.capitalize())
            for column in (c.COPIES, *columns_of(table.rows), *game.word_columns[name])
        }
        for name, table in tables.items()
    }


def _origins(numbers: dict[str, c.Number]) -> dict[str, dict]:
    return {name: _origin(number.source) for name, number in numbers.items() if number.source}


def _origin(source: str) -> dict[str, str]:
    """Return {source, confidence} of a number, with `why` for inferred and assumed numbers.

    The evidence level is the first word of `source`. With any other first word, the number is assumed.
    """
    told = source.removeprefix("the ")
    sure = next((one for one in get_args(Confidence) if told.startswith(one)), "assumed")
    whys = {"inferred": source, "assumed": "a number of the designer's own"}
    why = {"why": whys[sure]} if sure in whys else {}
    where = told.removeprefix(f"{sure}:").strip()  # results write the evidence level before it
    return {"source": where or "the designer", "confidence": sure, **why}
