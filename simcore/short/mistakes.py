"""Common mistakes in a short game, reported in one line: file, line, rule, and what to write instead.

This module checks the declarations and the parameters of functions; `mistakes_in_rules` checks their bodies.
"""

import ast
import builtins
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain, combinations
from math import prod
from typing import Any

from bartizan.simcore.documentation import page
from bartizan.simcore.errors import did_you_mean
from bartizan.simcore.reporting import CUT_OFF, LOST
from bartizan.simcore.scenario.model import NOT_IN_TABLES, Datum, ScenarioModel
from bartizan.simcore.scenario.parameters import unit_of
from bartizan.simcore.short import components as c
from bartizan.simcore.short import words
from bartizan.simcore.short.card_table import SheetError
from bartizan.simcore.short.card_values import JOINER
from bartizan.simcore.short.mistakes_in_rules import (
    ASKING_FIELDS,
    HOUSE_FIELDS,
    NOT_COMPILED,
    Found,
    of_rules,
)
from bartizan.simcore.short.reading import (
    HOOKS,
    JUDGING,
    RARE,
    SETTINGS,
    ShortGame,
    assigned,
    calls,
    columns_of,
    grouped_columns,
    name_called,
    unusable,
)
from bartizan.simcore.short.sheet_words import WordColumn, constant_of, numbered, word_column
from bartizan.simcore.short.telling import functions_from

# names that every state has
TAKEN = {*HOUSE_FIELDS, "luck", "luck_key", "events", "n_events", "begun"}
TAKEN_BY_ASKING = {*ASKING_FIELDS, "turn_phase", "asked", "n_asked", "n_asked_now", "asked_turn", "answering"}
TAKEN_BY_ASKING |= {"next_turn", "turns_due", "acted"}
TAKEN_BY_STAGES = {"stage", "stage_of", "chosen_so_far"}
TAKEN_BY_SIMULTANEOUS = {"choosing", "first_chooser", "held_choices"}
PARAMETERS = dict.fromkeys(HOOKS, "s, n") | dict.fromkeys(JUDGING, "s, n, who")
KNOWN, FITS = "s, n, seat, owner, at", "s, n, seat, owner, at, card"  # parameters of these helpers of a pile
MOST_PLAYERS = 10
MOST_LOG_LINES = 200
MOST_SCALE = 1000
MOST_CARDS = 10_000
MOST_PLACES = 100_000  # in a row or a grid
MOST_LEGAL = 2**20  # actions in one position
MOST_ACTIONS = 2**31  # an action is a 32-bit integer
READING = re.compile("[a-z][a-z0-9_]*")  # of an unclear rule
LARGEST_WEIGHT = 1e15
RESERVED = "a reserved word of short games"
PLAYERS = ("random", "newcomer", "lookahead", "learned", "trust")  # in every game


def mistakes_in(game: ShortGame) -> list[str]:
    """Return the mistakes of the file as `FILE:LINE: message`, in the order in which they are found.

    Mistakes in rules are looked for only if all declarations are right, because a wrong declaration makes
    right rules look wrong.
    """
    rules = chain.from_iterable(of_rules(game, name) for name in game.functions)
    for found in (_of_declarations(game), _of_signatures(game), _of_names(game), rules, _of_extent(game)):
        if mistakes := list(dict.fromkeys(_until_error(found))):
            return [f"{game.path}:{line}: {what}" for line, what in mistakes]
    return []


def _until_error(found: Iterator[Found]) -> Iterator[Found]:
    """Yield mistakes up to an exception, because later tests may be impossible after a mistake.

    Raises an exception that comes before the first mistake.
    """
    is_any = False
    try:
        for mistake in found:
            is_any = True
            yield mistake
    except Exception:
        if not is_any:
            raise


# ---------------------------------------------------------------- declarations


def _of_declarations(game: ShortGame) -> Iterator[Found]:
    yield from _declared_twice(game)
    for node in game.tree.body:
        yield from _of_statement(game, node)
    lines = lines_of_names(game)
    for name, value in game.settings.items():
        yield from (
            (lines.get(name, 1), f"{name} = {value!r}: {what}")
            for what in _of_setting(name, value, game.score_scale)
        )
    for name, needs in (("tiers", "tiers need"), ("score_scale", "score_scale needs")):
        if name in game.settings and not game.has_score:
            yield lines[name], f"{needs} a score: write def score(s, n, who), or points = Tokens()"
    counts, teams = game.counts, game.settings.get("teams", 0)
    if teams and any(n % teams for n in counts):
        yield (
            lines["teams"],
            f"teams = {teams}: {max(counts)} players cannot form {teams} teams of equal size",
        )
    for name, part in game.components.items():
        yield from ((lines.get(name, 1), f"{name}: {what}") for what in _of_component(game, name, part))
    for name, board in game.declared.items():
        if isinstance(board, c.Board):
            yield from ((lines[name], f"{name}: {what}") for what in _of_board(game, board))
    for name, number in game.numbers.items():
        yield from ((lines.get(name, 1), f"{name}: {what}") for what in _of_number(game, name, number))
    for name, ruling in game.rulings.items():
        yield from ((lines[name], f"{name}: {what}") for what in _of_ruling(name, ruling))


def _of_statement(game: ShortGame, node: ast.stmt) -> Iterator[Found]:
    is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Import) or (isinstance(node, ast.ImportFrom) and node.module != "bartizan.short"):
        named = node.module if isinstance(node, ast.ImportFrom) else node.names[0].name
        yield (
            node.lineno,
            (
                f"import {named}: a short game imports only bartizan.short; for random numbers use die or "
                "shuffle"
            ),
        )
    elif isinstance(node, ast.ClassDef):
        yield node.lineno, f"class {node.name}: {NOT_COMPILED[ast.ClassDef].partition(': ')[2]}"
    elif isinstance(node, (ast.For, ast.While, ast.If)):
        yield node.lineno, "a loop or a condition outside a function: put rules in functions"
    elif isinstance(node, ast.Assign):
        for name in assigned(node):
            yield from ((node.lineno, what) for what in _of_assigned(game, name, getattr(game.module, name)))
    elif isinstance(node, (ast.AnnAssign, ast.AugAssign)):
        name = ast.unparse(node.target)
        yield node.lineno, f"{name}: write {name} = {getattr(game.module, name, 5)!r}"
    elif isinstance(node, ast.AsyncFunctionDef):
        yield node.lineno, f"async def {node.name}: write def {node.name}(s, n)"
    elif not isinstance(node, (ast.FunctionDef, ast.ImportFrom, ast.Pass)) and not is_docstring:
        yield (
            node.lineno,
            (
                f"{ast.unparse(node)[:60]}: outside functions, a short game only declares numbers and "
                "components"
            ),
        )


def _of_assigned(game: ShortGame, name: str, value: Any) -> Iterator[str]:
    known = isinstance(value, (c.Board, c.TableItem, c.Ruling)) or name in game.numbers or name in SETTINGS
    if isinstance(value, type) and issubclass(value, (c.Board, c.TableItem, c.Number, c.Ruling)):
        yield f"{name} = {value.__name__}: write {name} = {value.__name__}(...)"
    elif name.isupper() and isinstance(value, (c.Board, c.TableItem, c.Number, c.Ruling)):
        yield f"{name}: names in capitals are constants: write {name.lower()} = {type(value).__name__}(...)"
    elif name.isupper() and not _is_constant(value):
        yield f"{name} = {value!r}: a constant is one number or several: {name} = (1, 2, 3)"
    elif not known and not name.isupper():
        yield (
            f"{name} = {value!r}: a number must be an integer (percent, not 0.5), a component is a "
            "Counter, Tokens, Row, Grid, Board, Deck, Pile or Hand, and a constant has a name in capitals"
        )


def _is_constant(value: Any) -> bool:
    return isinstance(value, (int, float, str)) or (
        isinstance(value, tuple) and all(map(_is_constant, value))
    )


def _declared_twice(game: ShortGame) -> Iterator[Found]:
    lines: dict[str, int] = {}
    for node in game.tree.body:
        for name in [node.name] if isinstance(node, ast.FunctionDef) else assigned(node):
            if name in lines:
                yield (
                    node.lineno,
                    f"{name} is also declared in line {lines[name]}, and only the last declaration is used",
                )
            lines[name] = node.lineno
    parts = game.components.items()
    for name, part in parts:
        if (first := game.name_of(part)) != name:
            yield (
                lines[name],
                f"{name} and {first} are the same component: write {name} = {type(part).__name__}(...)",
            )


def _of_setting(name: str, value: Any, scale: int) -> Iterator[str]:
    if name == "players":
        counts = [value] if isinstance(value, int) else value
        if not isinstance(value, (int, tuple)) or not (
            counts and all(type(n) is int and 1 <= n <= MOST_PLAYERS for n in counts)
        ):
            yield "write players = 2, or players = (4, 2, 3) with the usual number first"
    elif name == "turn_name":
        if not (isinstance(value, str) and value.replace(" ", "").isalpha()):
            yield 'write the name of one turn in the singular: turn_name = "round"'
    elif name == "score_scale":
        if type(value) is not int or not 2 <= value <= MOST_SCALE:
            yield f"write an integer from 2 to {MOST_SCALE}: score_scale = 10 if the rules count tenths"
    elif name == "log_lines":
        if type(value) is not int or not 1 <= value <= MOST_LOG_LINES:
            yield f"write the most lines that one action logs, from 1 to {MOST_LOG_LINES}: log_lines = 40"
    elif name == "phases":
        if not isinstance(value, (list, tuple)) or not all(
            isinstance(one, str) and one.isidentifier() for one in value
        ):
            yield 'write one word for each phase: phases = ["draft", "play"]'
    elif name == "stages":
        if not isinstance(value, (list, tuple)) or not all(isinstance(one, str) for one in value):
            yield 'list the actions whose arguments are chosen one after another: stages = ["trade"]'
    elif name == "simultaneous":
        if not isinstance(value, (list, tuple)) or not all(isinstance(one, str) for one in value):
            yield 'list the actions that all players choose at the same time: simultaneous = ["bid"]'
    elif name in ("title", "source"):
        if not isinstance(value, str) or "\n" in value:
            yield f'write one line of text: {name} = "..."'
    elif name == "together":
        if not isinstance(value, bool):
            yield "write together = True for a cooperative game"
    elif name == "tiers":
        if isinstance(value, dict) and (parts := [one for one in value.values() if isinstance(one, float)]):
            fits = (each for each in (scale, 10, 100) if round(parts[0] * each, 6).is_integer())
            scale = next(fits, MOST_SCALE)
            yield (
                f"rules count integers: write score_scale = {scale} and count {unit_of(scale)}, "
                f"here {parts[0] * scale:.0f}"
            )
        elif not isinstance(value, dict) or not all(
            isinstance(tier, str) and tier.strip() and type(least) is int and abs(least) < 2**62
            for tier, least in value.items()
        ):
            yield 'write the lowest score of each tier, best first: tiers = {"gold": 50, "silver": 30}'
            return
        for name in value:
            if name.lower() in (LOST, CUT_OFF):
                yield f'results use the name "{name}" for games without a score: name this tier differently'
        for one, other in combinations(value, 2):
            if one.lower() == other.lower():
                yield f"two tiers have the same name: {one} and {other}"
            elif value[one] == value[other]:
                yield f"two tiers have the lowest score {value[one]}: {one} and {other}; change one of them"
    elif name == "teams" and not (type(value) is int and value >= 2):
        yield "write teams = 2 for players 0 and 2 against 1 and 3"


def _of_component(game: ShortGame, name: str, part: c.TableItem) -> Iterator[str]:
    asking, stages = TAKEN_BY_ASKING if game.asks else (), TAKEN_BY_STAGES if game.stages else ()
    simultaneous = TAKEN_BY_SIMULTANEOUS if game.simultaneous else ()
    if name in {*TAKEN, *asking, *stages, *simultaneous}:
        yield f"every game already has s.{name}: choose another name"
    if not isinstance(part.each, bool):
        yield f"each={part.each!r}: write each=True for one per player"
    start = getattr(part, "start", 0)
    if type(start) is not int:
        yield f"its initial value {start!r} is not an integer"
    if part.each and getattr(part, "recorded", False):
        yield "recorded=True is for a Counter that all players share"
    if isinstance(part, c.Stack):
        yield from _of_stack(game, part)
    elif part.seen not in ("", c.Seen.OPEN, c.Seen.OWNER, c.Seen.NOBODY):
        yield f'seen="{part.seen}": write "open", "owner" or "nobody"'
    elif part.seen == c.Seen.OWNER and not part.each:
        yield 'seen="owner" needs a number of each player: write each=True, or seen="nobody"'
    if isinstance(part, c.Deck):
        if name == "numbers" or ScenarioModel.has_taken(name):
            yield "choose another name for the deck: a table of a scenario already has this one"
        if part.each:
            yield "a deck is shared by all players: deal its cards to Hand(deck) or Pile(deck, each=True)"
        if not (type(part.low) is int and type(part.high) is int and part.low <= part.high):
            yield (
                f"low={part.low!r}, high={part.high!r}: write the smallest and the largest allowed "
                "card value as integers"
            )
        if not isinstance(part.source, str):
            yield f'source={part.source!r}: write the source of its numbers: source="rulebook, p. 3"'
        yield from _of_deck(game, name, part)
    if isinstance(part, c.Grid):
        sizes = (part.rows, part.columns)
        if not all(type(size) is int and size > 0 for size in sizes):
            yield "it has no cells: write Grid(3, 3)"
    elif isinstance(part, c.Row) and not (type(part.length) is int and part.length > 0):
        yield "it has no places: write Row(5) or Grid(3, 3)"
    if isinstance(part, (c.Row, c.Grid)) and part.length > MOST_PLACES:
        yield f"it has {part.length:,} places, but at most {MOST_PLACES:,} are allowed"


def _of_stack(game: ShortGame, part: c.Stack) -> Iterator[str]:
    if part.seen not in list(c.Seen):
        yield f'seen="{part.seen}"{did_you_mean(part.seen, c.Seen)}'
    elif part.seen in (c.Seen.OWNER, c.Seen.OTHERS) and not part.each:
        yield f'seen="{part.seen}" needs cards of each player: write each=True, or seen="nobody"'
    if isinstance(part, c.Pile):
        of = type(part).__name__
        if not isinstance(part.of, c.Deck):
            yield f"its cards must come from a deck, {of}(deck), not from {part.of!r}"
        elif part.of not in game.decks.values():
            yield "its deck has no name: write deck = Deck(...) before the pile"
        if type(part.room) is not int or part.room < 0:
            yield f"{of}(deck, {part.room!r}): write the most cards it can hold as an integer"
    for option, helper, takes in (("known", part.known, KNOWN), ("fits", part.fits, FITS)):
        if helper is not None:
            yield from _of_helper(game, option, helper, takes)


def _of_helper(game: ShortGame, option: str, helper: Any, takes: str) -> Iterator[str]:
    name = getattr(helper, "__name__", "")
    write = f"{option}={name if name.isidentifier() else '_' + option}, and above it def "
    if name not in game.functions or getattr(game.module, name) is not helper:
        yield f"{option}={helper!r} is not a helper in this file: write {write}_{option}({takes})"
    elif len(game.functions[name].args.args) != len(takes.split(", ")):
        yield f"{option}={name} has different parameters: write {write}{name}({takes})"


def _of_deck(game: ShortGame, name: str, deck: c.Deck) -> Iterator[str]:
    is_file = isinstance(deck.kinds, str)
    try:
        table = game.table(deck)
    except (OSError, SheetError) as error:
        yield _unreadable(deck.kinds, error)
        return
    except (TypeError, ValueError) as error:
        written = 'Deck({"Guard": 5}), Deck(range(1, 11)) or Deck("cards.csv")'
        yield (
            (f"{deck.kinds} cannot be read as a table: {error}")
            if is_file
            else f"{deck.kinds!r} is not a deck: {written}"
        )
        return
    rows = table.rows
    of_kinds = deck.kinds.values() if isinstance(deck.kinds, Mapping) else ()
    if any(isinstance(one, (str, Mapping)) for one in of_kinds):
        yield (
            "a deck has one number of copies for each kind of card; for a deck that differs by level, "
            f"see {page('short-cards')}"
        )
        return
    if not rows or not any(row.get(c.COPIES) for row in rows):
        yield 'it has no cards: write Deck({"Guard": 5}), Deck(range(1, 11)) or Deck("cards.csv")'
        return
    if isinstance(deck.kinds, range) and min(deck.kinds) < 0:
        yield f"{deck.kinds!r}: a card must be an integer of at least 0"
        return
    names, bounds = [str(row.get(c.NAME)) for row in rows], game.bounds(deck)
    for place, row in zip(table.places, rows, strict=True):
        at = f"{place}: " if place else ""
        yield from (f"{at}{what}" for what in _of_card(deck, row, rows, bounds))
    if (cards := sum(row[c.COPIES] for row in rows)) > MOST_CARDS:
        yield f"it has {cards:,} cards, but a deck can have at most {MOST_CARDS:,}"
    times = Counter(name.casefold() for name in names)
    if twice := next((name for name in names if times[name.casefold()] > 1), ""):
        yield f"two cards have the name {twice}"
    yield from (f'column "{column}": {why}' for column in columns_of(rows) if (why := unusable(column)))


def _unreadable(file: Any, error: OSError | SheetError) -> str:
    if isinstance(error, FileNotFoundError):
        return f"no file {file} beside the game"
    return f"{file}: {error.strerror}" if isinstance(error, OSError) else str(error)


def _of_board(game: ShortGame, board: c.Board) -> Iterator[str]:
    try:
        rows = board.table(game.path.parent).rows
    except (OSError, SheetError) as error:
        yield _unreadable(board.sheet, error)
        return
    columns = grouped_columns(rows)
    others = [column for column in rows[0] if column not in (c.NAME, c.COPIES)]
    if not columns and not any(word_column(row[column] for row in rows) for column in others):
        yield f"{board.sheet} has no numbers: write a column `name`, and columns of integers or words"
    yield from (f'column "{column}": {why}' for column in columns if (why := unusable(column)))


def _of_card(
    deck: c.Deck, row: Mapping[str, Any], rows: list[dict[str, Any]], bounds: tuple[int, int]
) -> Iterator[str]:
    shown = dict(row)
    name, copies = row.get(c.NAME), row.get(c.COPIES)
    if name in (None, "") or type(copies) is not int or copies < 0:
        yield f"a card needs a `name` and an integer number of `copies`: {shown}"
    elif not isinstance(deck.kinds, range) and not (
        isinstance(name, str) and name == name.strip() and name.replace(JOINER, "").isprintable()
    ):
        yield f"a card needs a name on one line: {shown}"
    elif len(row) < len(rows[0]):
        yield f"{name} has fewer values than columns: write one value for each column"
    else:
        numbers = {key: type(rows[0][key]) is int for key in rows[0] if key != c.NAME}
        for key, is_number in numbers.items():
            value = row.get(key)
            if (type(value) is int) != is_number and (is_number or type(value) is int):
                yield f'{key} of {name} is "{value}", but a column must contain only integers or only words'
            elif is_number and key != c.COPIES and not bounds[0] <= value <= bounds[1]:
                yield (
                    f"{key} of {name} is {value}, not within {deck.low} to {deck.high}: write Deck(..., "
                    f"low={min(deck.low, value)}, high={max(deck.high, value)})"
                )


def _of_ruling(name: str, ruling: c.Ruling) -> Iterator[str]:
    write = 'Ruling("May a player pass twice?", ("no", "yes"), "inferred: ...")'
    readings = ruling.readings
    if not isinstance(ruling.question, str) or not ruling.question.strip() or "\n" in ruling.question:
        yield f"describe in one line what the rulebook leaves open: write {write}"
    elif not isinstance(readings, (tuple, list)) or len(set(map(str, readings))) != max(2, len(readings)):
        yield (
            f"{readings!r}: an unclear rule needs at least two readings, the first of which is the "
            f"default: write {write}"
        )
    elif odd := [one for one in readings if not (isinstance(one, str) and READING.fullmatch(one))]:
        yield (
            f"reading {odd[0]!r}: use lower-case letters, digits and _; rules refer to it in capitals: "
            f"write {write}"
        )
    elif not isinstance(ruling.source, str) or not isinstance(ruling.meaning, str):
        yield f"its source and its meaning must be text: write {write}"
    elif hasattr(Datum, name) or name[0] == "_":
        yield "choose another name for the ruling: this one is taken"


def _of_number(game: ShortGame, name: str, number: c.Number) -> Iterator[str]:
    values = number.value if isinstance(number.value, list) else [number.value]
    if isinstance(number.value, Mapping):
        values = list(number.value.values())
    if name[0] == "_" or hasattr(Datum, name) or name in NOT_IN_TABLES:
        yield (
            "choose another name for the number: "
            f"{'it must not begin with _' if name[0] == '_' else 'this one is taken'}"
        )
    elif type(number.low) is not int or type(number.high) is not int or number.low > number.high:
        yield f"its allowed range is {number.low!r} to {number.high!r}: write Number(5, 1, 10) with integers"
    elif not isinstance(number.source, str):
        yield (
            f"its source is {number.source!r}: write the source of the number: Number(5, 1, 10, "
            '"rulebook, p. 3")'
        )
    elif not values or any(type(value) is not int for value in values):
        yield f"{number.value!r} is not an integer: use percent or hundredths"
    elif not all(number.low <= value <= number.high for value in values):
        yield f"{number.value} is outside its allowed range, {number.low} to {number.high}"
    if number.players and not (number.levels and number.players in game.counts):
        yield (
            f"players={number.players!r}: it names the number of players that has the levels: write "
            f'Number({{"novice": 1, "elite": 3}}, 0, 9, players={min(game.counts)})'
        )
    odd = [
        level for level in number.levels if not (isinstance(level, str) and re.fullmatch(r"[\w -]+", level))
    ]
    if odd:
        yield (
            f'level {odd[0]!r}: the name of a level has letters, digits and _: {{"novice": 3, "elite": 5}}'
        )
    others = [one.levels for one in game.numbers.values() if one.levels]
    if number.levels and number.levels != others[0]:
        yield (
            f"its levels are {', '.join(number.levels)}, but those of another number are "
            f"{', '.join(others[0])}: use the same levels"
        )


def lines_of_names(game: ShortGame) -> dict[str, int]:
    return {name: node.lineno for node in game.tree.body for name in assigned(node)}


# ---------------------------------------------------------------- one name for one thing


def _of_names(game: ShortGame) -> Iterator[Found]:
    """Yield (line, message) for each name with two meanings in rules.

    Checks numbers (n.NAME), constants and words of sheets.
    """
    lines = lines_of_names(game)
    numbers = [*game.numbers, *game.rulings, "players"]
    fields = Counter(numbers)
    columns = {name: list(game.columns(name).values()) for name in game.decks}
    columns |= {name: list(game.columns_of_board(name)) for name in game.boards}
    for name, of in columns.items():
        fields.update(of + [f"{name}_{c.COPIES}"])
        if twice := next((one for one in [f"{name}_{c.COPIES}", *of] if fields[one] > 1), ""):
            at = f"column {twice} of {name}" if twice in of else twice
            yield lines[name], f"{at}: n.{twice} is already another number: rename one"
    meanings = {
        RESERVED: {name: None for name in words.__all__ if name.isupper()},
        "an action": dict.fromkeys(map(str.upper, game.action_names)),
        "a phase": {phase.upper(): None for phase in game.phases},
        "a constant": {name: None for name in game.declared if name.isupper()},
        "a card": {name: deck for name, numbers in game.kinds.items() for deck in numbers},
        "a reading": {name: ruling for name, numbers in game.readings.items() for ruling in numbers},
    }
    found: dict[str, tuple[str, str | None]] = {}
    for what, names in meanings.items():
        for name, deck in names.items():
            if name in found:
                other, _ = found[name]
                line = lines.get(deck or name) or lines.get("phases", 1)
                both = f"{what} and {other}" if other != what else f"{what} twice"
                advice = (
                    f"choose another name for this {what.split()[-1]}" if other == RESERVED else "rename one"
                )
                yield line, f"{name} is {both}: {advice}"
            found[name] = what, deck
    yield from _of_words(game, {name: _placed(game, name, *of) for name, of in found.items()})


def _placed(game: ShortGame, constant: str, what: str, of: str | None) -> str:
    """Return the meaning of a constant with its place: `an action (line 12)`."""
    if what == RESERVED:
        return what
    if what == "a card" and of:
        table, i = game.table(game.decks[of]), game.kinds[constant][of]
        return f"{what} ({table.places[i] or of})"
    function = game.functions.get(constant.lower()) if what == "an action" else None
    line = function.lineno if function else game.line_of(of or ("phases" if what == "a phase" else constant))
    return f"{what} (line {line})"


def _of_words(game: ShortGame, meanings: Mapping[str, str]) -> Iterator[Found]:
    """Yield (line, message) for each word of a sheet whose constant already has a meaning.

    The constant may also be that of another word. meanings: maps constants to their meaning with its place.
    """
    words_of: dict[str, tuple[str, str]] = {}  # constant -> word without case, and its place
    for name, columns in game.word_columns.items():
        table = game.boards[name] if name in game.boards else game.table(game.decks[name])
        for column, of in columns.items():
            heading = table.headings.get(column, column)
            yield from (
                (game.line_of(name), f"column {heading!r} of {name} {why}") for why in _of_row_names(game, of)
            )
            for place, row, constant in zip(table.places, table.rows, of.cells, strict=True):
                if not constant:
                    continue
                word, at = " ".join(row[column].split()), f"column {heading!r} of {place or name}"
                bare, first = words_of.setdefault(constant, (word.casefold(), at))
                if constant in meanings:
                    other = meanings[constant]
                    advice = "write another word" if other == RESERVED else "rename one of them"
                    yield (
                        game.line_of(name),
                        f"{at}: {word!r} gives the constant {constant}, which is also {other}: {advice}",
                    )
                elif bare != word.casefold():
                    yield (
                        game.line_of(name),
                        f"{at}: {word!r} gives the constant {constant}, as another word in {first} does: "
                        "rename one of them",
                    )


def _of_row_names(game: ShortGame, of: WordColumn) -> Iterator[str]:
    """Yield the fault of a column with names of a board's rows that also contains other words."""
    groups = numbered(column for columns in game.word_columns.values() for column in columns.values())
    (group,) = (set(group) for group in groups if not of.spelling.keys().isdisjoint(group))
    for board, rows in game.rows_of_boards.items():
        others = {word: spelt for word, spelt in of.spelling.items() if word not in rows}
        for text in others.values():
            if {constant_of("", part) for part in re.split("[,;/|]", text)} <= set(rows):
                yield (
                    f"names several rows of {board} in a cell, {text!r}: write one name in each column, such "
                    "as near_1 and near_2, which rules read as n.near[row, 0] and n.near[row, 1]"
                )
                return
        if others and 2 * len(group - set(rows)) < len(group):
            word, text = next(iter(others.items()))
            yield f"names rows of {board}, but {text!r} is none of them{did_you_mean(word, rows)}"


def _of_extent(game: ShortGame) -> Iterator[Found]:
    """Yield a fault if the actions have too many arguments.

    The legal actions of a position must fit into their list, and an action into 32 bits.
    """
    actions = game.actions
    largest = max(prod(a.values for a in action.arguments) for action in actions)
    legal = {action.name: prod(a.most for a in action.arguments) for action in actions}
    name = max(legal, key=lambda one: legal[one])
    line = game.functions[name].lineno
    if len(actions) * largest >= MOST_ACTIONS or sum(legal.values()) > MOST_LEGAL:
        yield (
            line,
            (
                f"{name}: its arguments give {legal[name]:,} actions in one position: split the choice "
                "into several actions, one after the other"
            ),
        )


# ---------------------------------------------------------------- parameters of functions


def _of_signatures(game: ShortGame) -> Iterator[Found]:
    functions = game.functions
    for name, node in functions.items():
        yield from ((node.lineno, what) for what in _of_form(name, node))
    yield from _odd_defaults(game)
    bots = {bot.name for bot in game.bots}
    for name, node in functions.items():
        names = [parameter.arg for parameter in node.args.args]
        own = not name.startswith("_")
        if own and name not in HOOKS and names[:2] != ["s", "n"]:
            shown = ", ".join(["s", "n", *(one for one in names if one not in ("s", "n"))])
            yield node.lineno, f"{name} has the parameters ({', '.join(names)}): write def {name}({shown})"
        if name in HOOKS and names != PARAMETERS[name].split(", "):
            yield (
                node.lineno,
                (f"{name} has the parameters ({', '.join(names)}): write def {name}({PARAMETERS[name]})"),
            )
        if name.startswith("can_") and name[4:] not in functions:
            yield node.lineno, f"{name}: no action {name[4:]}{did_you_mean(name[4:], functions)}"
        elif name.startswith("can_") and names != [one.arg for one in functions[name[4:]].args.args]:
            of = ", ".join(one.arg for one in functions[name[4:]].args.args)
            yield (
                node.lineno,
                (f"{name} has the parameters ({', '.join(names)}), but {name[4:]} has ({of}): use the same"),
            )
        if name.startswith(RARE) and (names != ["s", "n"] or not game.returns(name)):
            yield (
                node.lineno,
                (
                    f"{name} measures the progress of a game from 0 to 100: write def {name}(s, n), with a "
                    "return"
                ),
            )
        if name.startswith(RARE) and not ast.get_docstring(node):
            yield (
                node.lineno,
                f"{name} is a rare event: describe the event in its docstring, such as `nobody is lost`",
            )
        if name in bots:
            yield from ((node.lineno, what) for what in _of_player(name, node))
        if hasattr(words, name) and name in words.__all__:
            yield node.lineno, f"{name} is {RESERVED}: choose another name"
        if hasattr(builtins, name):
            yield node.lineno, f"{name} is a built-in function of Python: choose another name"
        if name in game.components or name in game.numbers or name in game.rulings:
            yield node.lineno, f"{name} is both a function and a declaration above: rename one"
    yield from _of_arguments(game)
    yield from _of_stages(game)
    yield from _of_simultaneous(game)
    if not game.action_names:
        yield 1, "no action: an action is a function that returns nothing, such as def roll(s, n)"


def _of_form(name: str, node: ast.FunctionDef) -> Iterator[str]:
    """Yield faults in the head of a function: decorators, and parameters with * or /."""
    given = node.args
    if node.decorator_list:
        yield f"@{ast.unparse(node.decorator_list[0])}: remove it, because {name} is compiled without it"
    if given.vararg or given.kwarg or given.kwonlyargs or given.posonlyargs:
        yield f"{name} has the parameters ({ast.unparse(given)}): write plain parameters, without * or /"


def _odd_defaults(game: ShortGame) -> list[Found]:
    return [
        (node.lineno, f"{name}: the weights of a policy must be numbers, such as {name}(s, n, at=20)")
        for name, node in game.functions.items()
        for default in getattr(game.module, name).__defaults__ or ()
        if not isinstance(default, (int, float)) or not abs(default) < LARGEST_WEIGHT
    ]


def _of_player(name: str, node: ast.FunctionDef) -> Iterator[str]:
    """Yield faults in the name, docstring and parameters of a function that returns an action."""
    if name in PLAYERS:
        yield f"{name} is a policy that every game has: choose another name"
    if not ast.get_docstring(node):
        yield f"{name} returns a value, so it is a policy: describe in its docstring how it plays"
    given = [one.arg for one in node.args.args]
    without = given[2 : len(given) - len(node.args.defaults)]
    if odd := next((one for one in without if one != "legal" or given.index(one) != 2), ""):
        yield f"{name}: {odd} is a weight of the policy, a number that --policy can change: write {odd}=20"


def _of_simultaneous(game: ShortGame) -> Iterator[Found]:
    names = game.action_names
    for name in game.simultaneous:
        if name not in names:
            line = lines_of_names(game)["simultaneous"]
            yield line, f"simultaneous: no action {name}{did_you_mean(name, names)}"
    if "after_reveal" in game.functions and not game.simultaneous:
        line = game.functions["after_reveal"].lineno
        yield line, 'after_reveal: declare which choices are revealed together, simultaneous = ["bid"]'
    for name in functions_from(game, game.simultaneous):
        for call in calls(game.functions[name]):
            if (called := name_called(call)) in ("next_player", "pass_to"):
                yield (
                    call.lineno,
                    f"{called}: a simultaneous choice does not pass the turn: call it in "
                    "def after_reveal(s, n), which runs after all choices",
                )


def _of_stages(game: ShortGame) -> Iterator[Found]:
    line, names = lines_of_names(game).get("stages", 1), game.action_names
    for name in game.stages:
        if name not in names:
            yield line, f"stages: no action {name}{did_you_mean(name, names)}"
        elif len(game.functions[name].args.args) < 4:
            yield line, f"stages: {name} has fewer than two arguments: remove it"
    decided = Counter(one for action in game.actions for one in {*action.decisions, action.name})
    if twice := next((one for one, times in decided.items() if times > 1), ""):
        yield line, f"stages: {twice} is both an action and an argument of another action: rename one"


def _of_arguments(game: ShortGame) -> Iterator[Found]:
    for name in game.action_names:
        annotated = getattr(game.module, name).__annotations__
        if game.functions[name].args.defaults:
            yield (
                game.functions[name].lineno,
                (f"{name}: an action cannot have default values; only a helper, def _{name}, can"),
            )
        for parameter in game.functions[name].args.args[2:]:
            over, what = annotated.get(parameter.arg), parameter.arg
            at = parameter.lineno
            if over is None:
                yield (
                    at,
                    (
                        f"{name}: the values of `{what}` are not declared: write {what}: hand, {what}: "
                        f"others or {what}: range(1, 7); if {name} is a helper and not an action, rename it "
                        f"_{name}"
                    ),
                )
            elif isinstance(over, (tuple, list)):
                if not isinstance(over, tuple) or not (over and all(isinstance(one, str) for one in over)):
                    yield (
                        at,
                        (
                            f'{name}: `{what}`: write the names of its values, {what.upper()}S = ("red", '
                            '"blue")'
                        ),
                    )
                elif len(set(over)) < len(over) or not all(one.isprintable() and one.strip() for one in over):
                    yield (
                        at,
                        (
                            f"{name}: `{what}`: two of its values have the same name, or one has no name: "
                            f"{over!r}"
                        ),
                    )
            elif not isinstance(over, (range, c.Board, c.Seats, c.Kinds, c.Places, c.Stack, c.Row, c.Grid)):
                yield (
                    at,
                    (f"{name}: `{what}` must range over cards, cells, players or a range, not over {over!r}"),
                )
            elif isinstance(over, range):
                if not over or min(over) < 0:
                    yield at, f"{name}: `{what}` ranges over {over!r}: use integers of at least 0"
            elif isinstance(over, c.Kinds):
                if not isinstance(over.of, c.Deck):
                    yield at, f"{name}: `{what}` ranges over kinds of a deck: write {what}: kinds(deck)"
            elif isinstance(over, c.Places) and not isinstance(over.of, (c.Stack, c.Row, c.Grid)):
                yield (
                    at,
                    (
                        f"{name}: `{what}` ranges over places of cards, of a Row or of a Grid: write {what}: "
                        "places(hand)"
                    ),
                )
            of = getattr(over, "of", over) if isinstance(over, (c.Kinds, c.Places)) else over
            if isinstance(of, c.TableItem) and not any(of is part for part in game.components.values()):
                yield at, f"{name}: `{what}` ranges over something without a name: declare it above"
