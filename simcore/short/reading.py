"""The content of a short game file: the declarations of its module, and the source text of its functions."""

import ast
import keyword
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import decode_source
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, TypeGuard

from bartizan.simcore.compile.identity import MARK
from bartizan.simcore.errors import UsageError
from bartizan.simcore.scenario.model import Datum
from bartizan.simcore.short import components as c
from bartizan.simcore.short import words
from bartizan.simcore.short.card_table import CardSheet
from bartizan.simcore.short.sheet_words import WordColumn, constant_of, numbered, word_column

ENDS = {"win": words.WON, "lose": words.LOST, "tie": words.TIED}
END_WORDS = {words.WON: "won", words.LOST: "lost", words.TIED: "drawn"}
HOOKS = ("setup", "start_turn", "after_action", "after_reveal", "score", "aim")
PARTS = (ast.Name, ast.Attribute, ast.Subscript)  # see `named_parts`
JUDGING = ("score", "aim")  # hooks that evaluate a game and change nothing
RARE = "rare_"  # prefix of functions that measure the progress of a game towards a rare event
SETTINGS = ("players", "together", "teams", "phases", "stages", "simultaneous", "title", "source")
SETTINGS += ("turn_name", "tiers", "log_lines", "score_scale")
POINTS = "points"  # tokens of this name are the score of a game without a function `score`


@dataclass(frozen=True)
class Argument:
    """A parameter of an action. over: its range; values: the number of its values."""

    name: str
    over: Any
    values: int
    most: int  # maximum number that can be legal at a time


@dataclass(frozen=True)
class Action:
    """A function that is an action.

    kind: its number. stages: numbers of the decisions that choose its arguments one after another; () if all
    are chosen at once.
    """

    name: str
    kind: int
    arguments: tuple[Argument, ...]
    has_condition: bool
    stages: tuple[int, ...] = ()

    @property
    def decisions(self) -> dict[str, int]:
        """Map the name of each decision of a player to its number."""
        chosen = zip(self.arguments, self.stages, strict=False)
        return {f"{self.name}_{one.name}": kind for one, kind in chosen} or {self.name: self.kind}


@dataclass(frozen=True)
class Bot:
    """A function that is a policy. weights: its parameters with a default."""

    name: str
    about: str
    weights: dict[str, float]
    sees_legal: bool


@dataclass(eq=False)
class ShortGame:
    """A short game file and all its declarations."""

    path: Path
    module: ModuleType
    tree: ast.Module
    lines: list[bytes]  # in UTF-8, in which positions in the tree are counted
    # reasons for the end, in order of occurrence -> constant
    reasons: dict[str, str] = field(default_factory=dict)
    sayings: dict[str, str] = field(default_factory=dict)
    used_ends: set[int] = field(default_factory=set)  # end reasons without text
    marked: list[c.Stack] = field(default_factory=list)  # piles whose cards carry marks (`provenance`)
    # lengths of rows that replace the declared lengths
    lengths: Mapping[c.TableItem, int] = field(default_factory=dict)
    _tables: dict[c.Deck, CardSheet] = field(default_factory=dict)

    # ------------------------------------------------------------ declarations of the module

    @cached_property
    def settings(self) -> dict[str, Any]:
        return {name: getattr(self.module, name) for name in SETTINGS if hasattr(self.module, name)}

    @cached_property
    def declared(self) -> dict[str, Any]:
        """Every name that the file itself assigns, with its value."""
        return {name: getattr(self.module, name) for node in self.tree.body for name in assigned(node)}

    @cached_property
    def numbers(self) -> dict[str, c.Number]:
        """Map the lower-case names in the file to the numbers of the rules.

        A plain number is an assumption of the designer.
        """
        return {
            name: value if isinstance(value, c.Number) else c.Number(value)
            for name, value in self.declared.items()
            if name not in SETTINGS and not name.isupper() and _is_number(value)
        }

    @cached_property
    def rulings(self) -> dict[str, c.Ruling]:
        """Map the names of unclear rules to their rulings. Rules read them as n.NAME == READING."""
        return {name: value for name, value in self.declared.items() if isinstance(value, c.Ruling)}

    @cached_property
    def lists(self) -> dict[str, int]:
        """Length of each list of numbers, which rules read as n.NAME[i]."""
        return {name: len(one.value) for name, one in self.numbers.items() if isinstance(one.value, list)}

    @cached_property
    def components(self) -> dict[str, c.TableItem]:
        return {name: v for name, v in self.declared.items() if isinstance(v, c.TableItem)}

    @cached_property
    def decks(self) -> dict[str, c.Deck]:
        return {name: v for name, v in self.components.items() if isinstance(v, c.Deck)}

    @cached_property
    def boards(self) -> dict[str, CardSheet]:
        boards = {name: one for name, one in self.declared.items() if isinstance(one, c.Board)}
        return {name: board.table(self.path.parent) for name, board in boards.items()}

    @cached_property
    def board_columns(self) -> dict[str, list[Any]]:
        """Map each column of a board, n.COLUMN, to its numbers."""
        return {name: of for board in self.boards for name, of in self.columns_of_board(board).items()}

    def columns_of_board(self, name: str) -> dict[str, list[Any]]:
        """Return the columns of a board that rules can read. Words are replaced by their numbers."""
        rows = self.boards[name].rows
        for column, of in self.word_columns[name].items():
            codes = (self.word_codes.get(constant, words.NONE) for constant in of.cells)
            rows = [row | {column: code} for row, code in zip(rows, codes, strict=True)]
        return grouped_columns(rows)

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """Possible numbers of players; the first is the default."""
        players = self.settings.get("players", 1)
        return (players,) if isinstance(players, int) else tuple(players)

    @cached_property
    def teams(self) -> int:
        """Number of sides if several players form a side; 0 if each player is a side."""
        return 1 if self.settings.get("together") or self.counts == (1,) else self.settings.get("teams", 0)

    @cached_property
    def phases(self) -> list[str]:
        return list(self.settings.get("phases", ()))

    # ------------------------------------------------------------ functions of the module

    @cached_property
    def functions(self) -> dict[str, ast.FunctionDef]:
        return {node.name: node for node in self.tree.body if isinstance(node, ast.FunctionDef)}

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """All AST nodes of all functions."""
        return [node for function in self.functions.values() for node in nodes_of(function)]

    @property
    def score_scale(self) -> int:
        scale: int = self.settings.get("score_scale", 1)
        return scale

    @cached_property
    def has_score(self) -> bool:
        return "score" in self.functions or isinstance(self.components.get(POINTS), c.Tokens)

    @cached_property
    def bots(self) -> list[Bot]:
        """The policies in the file: functions that return an action."""
        return [self._bot(name) for name in self.own if self.returns(name)]

    def _bot(self, name: str) -> Bot:
        bot = getattr(self.module, name)
        code, defaults = bot.__code__, bot.__defaults__ or ()
        names = code.co_varnames[: code.co_argcount]
        weights = dict(zip(names[len(names) - len(defaults) :], map(float, defaults), strict=True))
        about = " ".join((bot.__doc__ or name).split()).rstrip(".")
        return Bot(name, about, weights, "legal" in names)

    @cached_property
    def stages(self) -> list[str]:
        """Names of the actions whose arguments are chosen one after another."""
        return list(self.settings.get("stages", ()))

    @cached_property
    def simultaneous(self) -> list[str]:
        """Names of the actions that are held until all players have chosen."""
        return list(self.settings.get("simultaneous", ()))

    @cached_property
    def asks(self) -> bool:
        """Whether another player decides during a turn, by `ask_player`."""
        return "ask_player" in self._called

    @cached_property
    def eliminates(self) -> bool:
        """Whether the rules eliminate players, by `eliminate` or in `s.out`."""
        stored = (
            one.value
            for one in self.nodes
            if isinstance(one, ast.Subscript) and not isinstance(one.ctx, ast.Load)
        )
        return "eliminate" in self._called or any(getattr(one, "attr", "") == "out" for one in stored)

    @cached_property
    def _called(self) -> set[str]:
        return {name_called(one) for function in self.functions.values() for one in calls(function)} - {""}

    @cached_property
    def actions(self) -> list[Action]:
        """The actions: functions that return nothing.

        The numbers of decisions come first, followed by the numbers of actions in stages, which players do
        not choose directly.
        """
        found: list[Action] = []
        arguments = {name: tuple(self._arguments(name)) for name in self.action_names}
        sizes = [len(of) if name in self.stages else 1 for name, of in arguments.items()]
        kind, last = 0, sum(sizes)
        for (name, of), size in zip(arguments.items(), sizes, strict=True):
            has_condition = f"can_{name}" in self.functions
            if name in self.stages:
                found.append(Action(name, last, of, has_condition, tuple(range(kind, kind + size))))
                last += 1
            else:
                found.append(Action(name, kind, of, has_condition))
            kind += size
        return found

    @cached_property
    def own(self) -> list[str]:
        """Functions that are not assigned to another list.

        They are neither hooks, nor conditions (`can_...`), nor helpers (`_...`), nor rare events.
        """
        others = ("_", "can_", RARE)
        return [name for name in self.functions if name not in HOOKS and not name.startswith(others)]

    @cached_property
    def rare(self) -> dict[str, str]:
        """Map each rare event that a function declares to its description."""
        named = {name.removeprefix(RARE): name for name in self.functions if name.startswith(RARE)}
        return {
            event: " ".join((ast.get_docstring(self.functions[name]) or event).split()).rstrip(".")
            for event, name in named.items()
        }

    def returns(self, name: str) -> bool:
        return name in self._returning

    @cached_property
    def _returning(self) -> set[str]:
        return {
            name
            for name, function in self.functions.items()
            if any(isinstance(one, ast.Return) and one.value for one in nodes_of(function))
        }

    @cached_property
    def action_names(self) -> list[str]:
        return [name for name in self.own if not self.returns(name)]

    @cached_property
    def constants(self) -> set[str]:
        """Names in capitals that rules can read."""
        named = {name.upper() for name in [*self.action_names, *self.phases]}
        named |= {name for name in self.declared if name.isupper()}
        named |= {name for name, numbers in self.readings.items() if is_clear(numbers)}
        return (
            named | {*self.word_codes} | {name for name, numbers in self.kinds.items() if is_clear(numbers)}
        )

    def _arguments(self, name: str) -> Iterator[Argument]:
        annotated = getattr(self.module, name).__annotations__
        for parameter in self.functions[name].args.args[2:]:
            over = annotated[parameter.arg]
            yield Argument(parameter.arg, over, *self._extent(over))

    def _extent(self, over: Any) -> tuple[int, int]:
        """Return the number of values of a range, and how many of them can be legal at a time."""
        players = max(self.counts)
        if isinstance(over, range):
            return max(over) + 1, len(over)
        if isinstance(over, tuple):
            return len(over), len(over)
        if isinstance(over, c.Seats):
            return players, players
        if isinstance(over, c.Board):
            return (len(self.boards[self.name_of(over)].rows),) * 2
        if isinstance(over, c.Kinds):
            return (len(self.rows(over.of)),) * 2
        if isinstance(over, c.Stack):
            kinds = len(self.rows(self.deck_of(over)))
            return kinds, min(kinds, self.room(over))
        of = over.of if isinstance(over, c.Places) else over
        length = self.room(of) if isinstance(of, c.Stack) else self.length(of)
        return length, length

    def text(self, name: str) -> str:
        """Return a function's source without constructs that compiled code does not support.

        Annotations are removed, and constants replace text. Adds the text to `reasons` and `sayings`.
        """
        node = self.functions[name]
        lines = self.lines[node.lineno - 1 : node.end_lineno]
        for first, last, new in sorted(self._changes(node), reverse=True):
            row, last_row = first[0] - node.lineno, last[0] - node.lineno
            rest = lines[last_row][last[1] :]
            lines[row] = lines[row][: first[1]] + new.encode()
            lines[row + 1 : last_row + 1] = [b""] * (last_row - row)  # every rule keeps its line
            lines[last_row] += rest
        return b"\n".join(line.rstrip() for line in lines).decode()

    def _changes(self, function: ast.FunctionDef) -> Iterator[tuple[tuple, tuple, str]]:
        """Yield (start, end, replacement) for each change of a function's source."""
        for parameter in function.args.args:
            if parameter.annotation:
                start = parameter.col_offset + len(parameter.arg.encode())
                yield (parameter.lineno, start), _end(parameter.annotation), ""
        for call in calls(function):
            called, texts = name_called(call), texts_of(call)
            if called in ENDS and not texts:
                self.used_ends.add(ENDS[called])
            for text in texts:
                if called in ENDS:
                    yield _start(text), _end(text), _noted(self.reasons, "END", text.value)
                elif called == "say":
                    yield _start(text), _end(text), _noted(self.sayings, "SAID", text.value)
            if self.marked and (taken := taken_in(call)) and is_on_one_line(call):
                yield _start(call.func), _end(call.func), "carry"
                yield _start(taken), _start(taken.args[0]), ""
                yield _end(taken.args[-1]), _end(taken), ""

    # ------------------------------------------------------------ cards

    def table(self, deck: c.Deck) -> CardSheet:
        if deck not in self._tables:
            table = deck.table(self.path.parent)
            if isinstance(deck.kinds, str):  # a sheet has columns that are not meant for rules
                for column in columns_of(table.rows):
                    if why := unusable(column):
                        table.unread[column] = f"{column!r} of {deck.kinds}: {why}"
                        for row in table.rows:
                            row[column] = str(row[column])
            self._tables[deck] = table
        return self._tables[deck]

    def rows(self, deck: c.Deck) -> list[dict[str, Any]]:
        return self.table(deck).rows

    def bounds(self, deck: c.Deck) -> tuple[int, int]:
        """Return the allowed range of a number on a card.

        If the deck declares none, the range is widened to include the values in the file.
        """
        low, high = deck.low, deck.high
        if isinstance(deck.kinds, str) and (low, high) == (c.LOW, c.HIGH):
            rows = self.rows(deck)
            values = [row[column] for column in columns_of(rows) for row in rows]
            least, most = min([low, *values]), max([high, *values])
            return low if least == low else -steady(-least), high if most == high else steady(most)
        return low, high

    @cached_property
    def sheet_notes(self) -> list[str]:
        """Notes on values in sheets that are not read as written."""
        tables = {name: self.table(deck) for name, deck in self.decks.items()} | self.boards
        blank = [
            f"{table.origin.path.name}: blank cells of {table.headings.get(column, column)!r} are NONE"
            for name, table in tables.items()
            for column, of in self.word_columns[name].items()
            if table.origin and "" in of.cells
        ]
        return [note for table in tables.values() for note in table.notes] + blank

    @cached_property
    def unread(self) -> dict[str, str]:
        """Map columns of sheets that rules cannot read to the reason."""
        tables = [*self.boards.values(), *map(self.table, self.decks.values())]
        return {column: why for table in tables for column, why in table.unread.items()}

    @cached_property
    def word_columns(self) -> dict[str, dict[str, WordColumn]]:
        """Map each deck and board to its columns of words that the rules read.

        Omits columns whose name is also the name of a number.
        """
        tables = {name: self.rows(deck) for name, deck in self.decks.items()}
        numbers = {*self.numbers, *self.rulings, "players"}
        for name, rows in tables.items():
            numbers |= {one for column in columns_of(rows) for one in (column, f"{name}_{column}")}
        numbers.update(*(grouped_columns(board.rows) for board in self.boards.values()))
        read = {
            node.attr
            for node in self.nodes
            if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "n"
        } - numbers
        prefixes = ["", *(f"{name}_" for name in tables)]  # n.type, or n.dawn_type if several decks have it
        tables |= {name: board.rows for name, board in self.boards.items()}
        found: dict[str, dict[str, WordColumn]] = {}
        for name, rows in tables.items():
            found[name] = {}
            for column in (rows or [{}])[0]:
                named = [group_of(column)] if name in self.boards else [one + column for one in prefixes]
                is_read = column not in (c.NAME, c.COPIES) and not read.isdisjoint(named)
                if is_read and not unusable(column) and (of := word_column(row.get(column) for row in rows)):
                    found[name][column] = of
        return found

    @cached_property
    def word_groups(self) -> list[list[str]]:
        """Constants of words, in groups. The number of a word is its index in its group.

        If all words of a group name rows of a board, the numbers are those of the rows.
        """
        groups = numbered(of for columns in self.word_columns.values() for of in columns.values())
        rows = self.rows_of_boards.values()
        named = (next((of for of in rows if set(group) <= set(of)), group) for group in groups)
        return list(map(list, dict.fromkeys(map(tuple, named))))

    @cached_property
    def rows_of_boards(self) -> dict[str, list[str]]:
        """Map each board to the constants of the names of its rows."""
        return {
            name: [constant_of("", row[c.NAME]) for row in board.rows] for name, board in self.boards.items()
        }

    @cached_property
    def word_codes(self) -> dict[str, int]:
        """Map each constant of a word to its number."""
        return {constant: code for group in self.word_groups for code, constant in enumerate(group)}

    @cached_property
    def word_fields(self) -> dict[str, dict[str, str]]:
        """Map each column of words, n.COLUMN, to {constant: word as written}."""
        found: dict[str, dict[str, str]] = {}
        for name, columns in self.word_columns.items():
            for column, of in columns.items():
                field = group_of(column) if name in self.boards else self.columns(name)[column]
                found[field] = found.get(field, {}) | of.spelling
        return found

    def columns(self, name: str) -> dict[str, str]:
        """Map each column of a deck that rules can read to its name in the rules, n.COLUMN.

        If several decks have the column, the name begins with the deck's name.
        """
        return self._columns[name]

    @cached_property
    def _columns(self) -> dict[str, dict[str, str]]:
        read = {
            name: [*columns_of(self.rows(deck)), *self.word_columns[name]]
            for name, deck in self.decks.items()
        }
        decks = Counter(column for columns in read.values() for column in set(columns))
        return {
            name: {column: f"{name}_{column}" if decks[column] > 1 else column for column in columns}
            for name, columns in read.items()
        }

    @cached_property
    def kinds(self) -> dict[str, dict[str, int]]:
        """Map each constant for a kind of card to its number in each deck."""
        found: dict[str, dict[str, int]] = {}
        for name, deck in self.decks.items():
            rows = [] if isinstance(deck.kinds, range) else self.rows(deck)
            constants = [constant_of("", row[c.NAME]) for row in rows]
            times = Counter(constants)
            for i, constant in enumerate(constants):
                if constant.isidentifier() and times[constant] == 1:
                    found.setdefault(constant, {})[name] = i
        return found

    @cached_property
    def readings(self) -> dict[str, dict[str, int]]:
        """Map each constant for a reading to its number in each ruling."""
        found: dict[str, dict[str, int]] = {}
        for name, ruling in self.rulings.items():
            for i, reading in enumerate(ruling.readings):
                found.setdefault(reading.upper(), {})[name] = i
        return found

    def deck_of(self, cards: c.Stack) -> c.Deck:
        return cards if isinstance(cards, c.Deck) else cards.of  # type: ignore[attr-defined]

    def room(self, cards: c.Stack) -> int:
        """Return the capacity of a pile.

        A capacity that is not declared leaves room for additional cards, unless the deck is a range of
        numbers.
        """
        deck = self.deck_of(cards)
        copies = sum(row[c.COPIES] for row in self.rows(deck))
        most = copies if isinstance(deck.kinds, range) else steady(max(copies + copies // 2, c.ROOM))
        return getattr(cards, "room", 0) or most

    def length(self, row: c.Row | c.Grid) -> int:
        return self.lengths.get(row, row.length)

    def line_of(self, name: str) -> int:
        """Return the number of the line in which a name is declared."""
        return next((node.lineno for node in self.tree.body if name in assigned(node)), 1)

    def name_of(self, component: c.TableItem | c.Board) -> str:
        return next(name for name, value in self.declared.items() if value is component)


def steady(number: int) -> int:
    """Return the smallest power of two that is at least `number`.

    Compiled sizes therefore rarely change when a designer edits a number.
    """
    return 1 << (number - 1).bit_length()


def _is_number(value: Any) -> bool:
    plain = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else [value]
    return isinstance(value, c.Number) or (value != [] and all(type(number) is int for number in plain))


def _noted(texts: dict[str, str], prefix: str, text: str) -> str:
    """Return the constant for a text, and add a new text to `texts`.

    Different texts, such as "a tie" and "a tie!", get different constants.
    """
    if text not in texts:
        constant = constant_of(prefix, text)
        while constant in texts.values():
            constant += "_"
        texts[text] = constant
    return texts[text]


def texts_of(call: ast.Call) -> list[ast.Constant]:
    """Return the string constants among the arguments of a call."""
    return texts_in(*call.args, *(keyword.value for keyword in call.keywords))


def texts_in(*values: ast.expr) -> list[ast.Constant]:
    """Return the string constants among values: `"a"`, and both constants in `"a" if x else "b"`."""
    found, ahead = [], list(values)
    while ahead:
        node = ahead.pop(0)
        if isinstance(node, ast.IfExp):
            ahead += [node.body, node.orelse]
        elif is_text(node):
            found.append(node)
    return found


def is_text(node: ast.AST) -> TypeGuard[ast.Constant]:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def assigned(statement: ast.stmt) -> list[str]:
    """Return the names that a statement of the file assigns.

    For example, `points, pot = Tokens(), Counter()` assigns two names.
    """
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return [one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)]


def _start(node: ast.expr) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _end(node: ast.expr) -> tuple[int, int]:
    return node.end_lineno or node.lineno, node.end_col_offset or 0


def nodes_of(function: ast.AST) -> list[ast.AST]:
    """Return all nodes of a function of the file, as `ast.walk` does. The result is cached."""
    if not hasattr(function, "bartizan_nodes"):
        function.bartizan_nodes = list(ast.walk(function))  # type: ignore[attr-defined]
    return function.bartizan_nodes


def named_parts(function: ast.AST) -> list[tuple[ast.AST, str, ast.expr]]:
    """Return (parent, field of the parent, node) of each expression that may name a component or a number.

    Such an expression is `x`, `s.x` or `s.x[i]`. The result is cached.

    If the field is a list, the node's index is appended to the field's name: `args1` is the second argument.
    """
    if not hasattr(function, "bartizan_parts"):
        found = [(parent, *of) for parent in nodes_of(function) for of in _parts_of(parent)]
        function.bartizan_parts = found  # type: ignore[attr-defined]
    return function.bartizan_parts  # type: ignore[attr-defined]


def _parts_of(parent: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    for name in parent._fields:
        value = getattr(parent, name)
        if type(value) is list:
            yield from ((f"{name}{i}", one) for i, one in enumerate(value) if isinstance(one, PARTS))
        elif isinstance(value, PARTS):
            yield name, value


def calls(function: ast.AST) -> list[ast.Call]:
    """Return all calls in a function of the file. The result is cached."""
    if not hasattr(function, "bartizan_calls"):
        found = [one for one in nodes_of(function) if isinstance(one, ast.Call)]
        function.bartizan_calls = found  # type: ignore[attr-defined]
    return function.bartizan_calls  # type: ignore[attr-defined]


def name_called(node: ast.AST | None) -> str:
    """Return the name of the function that a node calls; "" for a call of a method, and for other nodes."""
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""


def taken_in(call: ast.Call) -> ast.Call | None:
    """Return the `take(other, place)` in `put(pile, take(other, place))`; None for any other call."""
    if name_called(call) == "put" and len(call.args) == 2 and name_called(taken := call.args[1]) == "take":
        assert isinstance(taken, ast.Call)
        return taken if len(taken.args) == 2 else None
    return None


def is_on_one_line(node: ast.expr) -> bool:
    return node.lineno == node.end_lineno


def assigned_pairs(node: ast.Assign) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield the pairs (target, value) of an assignment.

    Tuples are split: `a, b = s.x, s.y` gives two pairs.
    """
    for target in node.targets:
        both = isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple)
        if both and len(target.elts) == len(node.value.elts):
            yield from zip(target.elts, node.value.elts, strict=True)
        else:
            yield target, node.value


def columns_of(rows: list[dict]) -> list[str]:
    """Return the columns of numbers, except `copies`."""
    return [
        key
        for key, value in (rows or [{}])[0].items()
        if key not in (c.NAME, c.COPIES) and type(value) is int
    ]


def grouped_columns(rows: list[dict]) -> dict[str, list[Any]]:
    """Return the columns of numbers of a board.

    Columns that differ in a final number, `end_1` and `end_2`, are one column, `end`, with a list for each
    row.
    """
    groups: dict[str, list[str]] = {}
    for column in columns_of(rows):
        groups.setdefault(group_of(column), []).append(column)
    return {
        name: [row[name] if keys == [name] else [row[key] for key in keys] for row in rows]
        for name, keys in groups.items()
    }


def group_of(column: str) -> str:
    """Return the name of a column of a board in rules: `end` for `end_1`."""
    return re.sub(r"_\d+$", "", column)


def readable_columns(table: CardSheet) -> list[str]:
    """Return the columns of numbers that rules can read by name."""
    return [column for column in columns_of(table.rows) if not unusable(column)]


def unusable(column: str) -> str:
    """Return the reason why rules cannot read a column by its name; "" if they can."""
    if not column.isidentifier() or keyword.iskeyword(column) or column[0] == "_":
        return "rules read it as n.COLUMN[card]: use letters, digits and _"
    if hasattr(Datum, column) or column in Datum.model_fields:
        return "every table already has this name: choose another"
    return ""


def is_clear(numbers: Mapping[str, int]) -> bool:
    """Return whether a constant has the same number wherever it is declared.

    The constant stands for a kind of card, or for a reading.
    """
    return len(set(numbers.values())) == 1


def read(
    path: Path,
    module: ModuleType,
    lengths: Mapping[c.TableItem, int] = MappingProxyType({}),
    is_checked: bool = False,
) -> ShortGame:
    """Read a short game file whose module is loaded, and return its content.

    Raises UsageError for the first mistake, with further mistakes as `others`.

    is_checked: whether an earlier call has already looked for mistakes.
    """
    source = decode_source(vars(module)[MARK].source)  # the executed source
    game = ShortGame(path, module, ast.parse(source), source.encode().splitlines(), lengths=lengths)
    from bartizan.simcore.short.mistakes import mistakes_in

    if not is_checked and (mistakes := mistakes_in(game)):
        error = UsageError(mistakes[0])
        error.others = tuple(mistakes[1:])
        raise error
    return game
