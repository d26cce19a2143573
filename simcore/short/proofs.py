"""Proofs about rules of a short game: evaluating an expression ends, cannot fail and changes nothing.

`listing` evaluates such expressions earlier, or less often, than the rules do, without any effect on the
game. Expressions of other kinds are not proved. Values are ranges of numbers, as far as they are known.
Functions that return the range of an expression raise UnprovenError if they find no proof.
"""

import ast
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from bartizan.simcore.short import components as c
from bartizan.simcore.short.piles import Use, pile_uses
from bartizan.simcore.short.reading import ShortGame, assigned_pairs, calls, name_called, nodes_of, taken_in

DEPTH = 6  # maximum depth of nested calls
LARGE = 2.0**62  # sums that may be larger can overflow
READING_METHODS = ("all", "any", "argmax", "argmin", "copy", "max", "mean", "min", "sum")


class UnprovenError(Exception):
    """Raised for an expression for which no proof is found."""


@dataclass(frozen=True)
class Span:
    """A number from `low` to `high`. A truth value is 0 or 1."""

    low: float = -math.inf
    high: float = math.inf

    def joined(self, other: "Span") -> "Span":
        return Span(min(self.low, other.low), max(self.high, other.high))

    def is_within(self, low: float, high: float) -> bool:
        return low <= self.low and self.high <= high


ANY, TRUTH = Span(), Span(0, 1)


@dataclass(frozen=True)
class NumberedCells:
    """Numbers in cells: a component of the state, or a column of a table. lengths: lengths of its dimensions.

    part: the component. numbers: range of the numbers. is_pile: the last dimension is a pile of cards, whose
    first number is its size.
    """

    lengths: tuple[int, ...]
    part: c.TableItem | None = None
    is_pile: bool = False
    numbers: Span = Span()


@dataclass(frozen=True)
class Several:
    """Numbers with unknown indices, such as the cards of a pile or a part of a row."""


Value = Span | NumberedCells | Several | tuple
Known = dict[str, Value]


def joined(one: Value | None, other: Value | None) -> Value | None:
    """Return the smallest range that contains both values; None if nothing is known."""
    if isinstance(one, Span) and isinstance(other, Span):
        return one.joined(other)
    return one if one == other else None


def spanned(*ends: float) -> Span:
    """Return the span from the least to the largest end.

    If a computation may overflow, it is the span of all numbers.
    """
    low, high = min(ends), max(ends)
    return Span(low, high) if low > -LARGE and high < LARGE else ANY


class Proofs:
    """Facts about the rules of one game."""

    def __init__(self, game: ShortGame, constants: dict[str, int]):
        self.game, self.players = game, max(game.counts)
        self.constants: dict[str, Any] = constants | {
            name: value for name, value in game.declared.items() if name.isupper()
        }
        self.depth = 0

    # ------------------------------------------------------------ facts that hold throughout the game

    @cached_property
    def piles_hold(self) -> bool:
        """Whether the rules change piles only with the functions for cards.

        The size of every pile is then right.
        """
        for node in self.game.nodes:
            stored = isinstance(node, (ast.Subscript, ast.Attribute)) and not isinstance(node.ctx, ast.Load)
            if stored and not self._is_no_pile(node):
                return False
            if isinstance(node, ast.Call):
                if isinstance(node.func, ast.Attribute) and node.func.attr not in READING_METHODS:
                    return False
                changed = {"lay": 0, "roll_all": 1}.get(name_called(node), len(node.args))
                if any(not self._is_no_pile(one) for one in node.args[changed : changed + 1]):
                    return False
        return True

    @cached_property
    def cards_exist(self) -> bool:
        """Whether every pile contains only numbers of cards, possibly of another deck."""
        least = min((len(self.game.rows(deck)) for deck in self.game.decks.values()), default=0)
        for call in (one for function in self.game.functions.values() for one in calls(function)):
            if name_called(call) == "put" and not taken_in(call):
                try:
                    if not self.span(call.args[1], {}).is_within(-1, least - 1):
                        return False
                except UnprovenError:
                    return False
        return self.piles_hold

    @cached_property
    def cards_hold(self) -> bool:
        """Whether every pile contains only cards of its own deck."""
        for call in (one for function in self.game.functions.values() for one in calls(function)):
            if name_called(call) == "draw_or_reshuffle":
                named = [
                    next((n.attr for n in ast.walk(one) if isinstance(n, ast.Attribute)), "")
                    for one in call.args[1:]
                ]
                piles = [self.game.components.get(one) for one in named]
                if (
                    len(
                        {self.game.deck_of(one) if isinstance(one, c.Stack) else None for one in piles}
                        | {None}
                    )
                    > 2
                ):
                    return False
        return self.cards_exist and (
            len(self.game.decks) == 1 or all(map(self._stays, pile_uses(self.game).uses))
        )

    def _stays(self, use: Use) -> bool:
        """Return whether the cards that a function moves stay in piles of their deck."""
        if use.word in ("shuffle", "pass_left", "pass_right"):
            return True
        if use.source is None or use.target is None:
            return False
        return self.game.deck_of(use.source) is self.game.deck_of(use.target)

    def _is_no_pile(self, node: ast.expr) -> bool:
        """Return whether an expression is a field of the state, or a part of one, and not a pile or deck."""
        while isinstance(node, ast.Subscript):
            node = node.value
        is_field = (
            isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "s"
        )
        return is_field and not isinstance(self.game.components.get(node.attr), c.Stack)  # type: ignore[attr-defined]

    @cached_property
    def number_of_players_holds(self) -> bool:
        return not self._stores("players")

    @cached_property
    def player_fields(self) -> frozenset[str]:
        """Names of the fields that always contain a player.

        They are `me`, and the counters to which the rules assign only players.
        """
        counters = {name for name, part in self.game.components.items() if self._begins_as_player(part)}
        whose = {"me", "turn_of"} if self.game.asks else {"me"}
        found, before = frozenset({*whose, *counters}), None
        if not self.number_of_players_holds or self._stores_elsewhere():
            return frozenset()
        while found != before:
            before = found
            found = frozenset(name for name in found if self._holds_player(name, before))
        return found

    def _begins_as_player(self, part: c.TableItem) -> bool:
        return type(part) is c.Counter and not part.each and 0 <= part.start < min(self.game.counts)

    @cached_property
    def _stored(self) -> list[ast.Attribute]:
        """Nodes of the fields to which the rules assign, one for each assignment."""
        nodes = self.game.nodes
        return [one for one in nodes if isinstance(one, ast.Attribute) and not isinstance(one.ctx, ast.Load)]

    def _stores(self, field: str) -> list[ast.Attribute]:
        return [one for one in self._stored if one.attr == field]

    def _stores_elsewhere(self) -> bool:
        """Return whether the rules assign to a field of an object not called `s`."""
        return any(not isinstance(one.value, ast.Name) or one.value.id != "s" for one in self._stored)

    @cached_property
    def _assigned(self) -> list[tuple[str, ast.expr, set[str]]]:
        """For each assignment by `=`: (field, value, names of players in the same function)."""
        return [
            (target.attr, value, players)
            for name, function in self.game.functions.items()
            for players in [self._player_names(name, function)]
            for node in nodes_of(function)
            if isinstance(node, ast.Assign)
            for target, value in assigned_pairs(node)
            if isinstance(target, ast.Attribute)
        ]

    def _holds_player(self, field: str, fields: frozenset[str]) -> bool:
        assigned = sum(
            self._is_player(value, of, fields) for name, value, of in self._assigned if name == field
        )
        return assigned == len(self._stores(field))

    def _player_names(self, name: str, function: ast.FunctionDef) -> set[str]:
        """Return the names whose value is a player throughout a function.

        They are variables of `for p in range(s.players)`, and arguments that range over players.
        """
        nodes = nodes_of(function)
        stored = [one.id for one in nodes if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)]
        looped = [
            one.target.id
            for one in nodes
            if isinstance(one, ast.For) and isinstance(one.target, ast.Name)
            if ast.unparse(one.iter) in ("range(s.players)", "range(1, s.players)")
        ]
        found = {one for one in looped if stored.count(one) == looped.count(one)}
        for action in self.game.actions:
            if action.name == name:
                found |= {
                    one.name
                    for one in action.arguments
                    if isinstance(one.over, c.Seats) and one.name not in stored
                }
        return found

    def _is_player(self, node: ast.expr, players: set[str], fields: frozenset[str]) -> bool:
        if isinstance(node, ast.IfExp):
            return self._is_player(node.body, players, fields) and self._is_player(
                node.orelse, players, fields
            )
        if isinstance(node, ast.Name):
            return node.id in players
        if isinstance(node, ast.Constant):
            return type(node.value) is int and 0 <= node.value < min(self.game.counts)
        if isinstance(node, ast.BinOp):
            return isinstance(node.op, ast.Mod) and ast.unparse(node.right) == "s.players"
        if isinstance(node, ast.Call):
            return ast.unparse(node.func) == "player_after" and self._is_player(
                node.args[-1], players, fields
            )
        return isinstance(node, ast.Attribute) and ast.unparse(node.value) == "s" and node.attr in fields

    # ------------------------------------------------------------ arguments

    def of_argument(self, over: Any) -> Span:
        """Return the span of the values of an argument. over: the range of the argument."""
        if isinstance(over, range):
            return Span(min(over), max(over))
        if isinstance(over, tuple):
            return Span(0, len(over) - 1)
        if isinstance(over, c.Board):
            return Span(0, len(self.game.boards[self.game.name_of(over)].rows) - 1)
        if isinstance(over, c.Seats):
            return Span(0, self.players - 1) if self.number_of_players_holds else ANY
        if isinstance(over, c.Kinds):
            return Span(0, len(self.game.rows(over.of)) - 1)
        if isinstance(over, c.Stack):
            kinds = len(self.game.rows(self.game.deck_of(over)))
            return Span(0, kinds - 1) if self.cards_hold else ANY
        of = over.of if isinstance(over, c.Places) else over
        if isinstance(of, c.Stack):
            return Span(0, self.game.room(of) - 1) if self.piles_hold else ANY
        return Span(0, self.game.length(of) - 1)

    # ------------------------------------------------------------ expressions

    def is_total(self, node: ast.expr, known: Known) -> bool:
        try:
            self.value(node, known)
        except UnprovenError:
            return False
        return True

    def value(self, node: ast.expr, known: Known) -> Value:
        """Return the range of an expression's value.

        Raises UnprovenError if it might fail or change something.

        known: ranges of local names.
        """
        match node:
            case ast.Constant(value=bool() | int() as number):
                return Span(number, number)
            case ast.Name(id=name):
                return self._named(name, known)
            case ast.Attribute(value=ast.Name(id="s"), attr=field) if "s" not in known:
                return self._field(field)
            case ast.Attribute(value=ast.Name(id="n"), attr=field) if "n" not in known:
                return self._number(field)
            case ast.Subscript():
                return self._place(node, known)
            case ast.Tuple(elts=parts):
                return tuple(self.value(one, known) for one in parts)
            case ast.BoolOp(values=parts):
                spans = [self.span(one, known) for one in parts]
                return Span(min(one.low for one in spans), max(one.high for one in spans))
            case ast.UnaryOp(op=operator, operand=operand):
                return self._unary(operator, self.span(operand, known))
            case ast.BinOp(left=left, op=operator, right=right):
                return self._binary(operator, self.span(left, known), self.span(right, known))
            case ast.Compare():
                return self._comparison(node, known)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                self.span(test, known)
                both = joined(self.value(body, known), self.value(orelse, known))
                if both is not None:
                    return both
            case ast.Call(func=ast.Name(id=called), args=arguments, keywords=[]):
                return self._call(called, arguments, known)
            case ast.Call(func=ast.Attribute(value=of, attr="sum" | "any" | "all"), args=[], keywords=[]):
                if isinstance(self.value(of, known), (NumberedCells, Several)):
                    return ANY
        raise UnprovenError(ast.unparse(node))

    def span(self, node: ast.expr, known: Known) -> Span:
        """Return the range of an expression that is one number.

        Raises UnprovenError as `value` does, and for an expression that is not one number.
        """
        value = self.value(node, known)
        if not isinstance(value, Span):
            raise UnprovenError(ast.unparse(node))
        return value

    def _named(self, name: str, known: Known) -> Value:
        if name in known:
            return known[name]
        value = self.constants.get(name)
        if isinstance(value, int):
            return Span(value, value)
        if isinstance(value, tuple) and all(isinstance(one, int) for one in value):
            return tuple(Span(one, one) for one in value)
        if name == "NONE":
            return Span(-1, -1)
        raise UnprovenError(name)

    def _field(self, field: str) -> Value:
        part = self.game.components.get(field)
        if field in self.player_fields:
            return Span(0, self.players - 1)
        if field == "players":
            return Span(1, self.players) if self.number_of_players_holds else ANY
        if field == "out":
            return NumberedCells((self.players,))
        if field in ("me", "turn", "turn_of", "phase", "winner", "to_move", "end_reason") or (
            type(part) is c.Counter and not part.each
        ):
            return ANY
        if part is None:
            raise UnprovenError(field)
        each = (self.players,) if part.each else ()
        if isinstance(part, c.Stack):
            if not self.piles_hold:
                raise UnprovenError(field)
            return NumberedCells((*each, self.game.room(part) + 1), part, is_pile=True)
        if isinstance(part, c.Grid):
            return NumberedCells((*each, part.rows, part.columns), part)
        return NumberedCells((*each, self.game.length(part)) if isinstance(part, c.Row) else each, part)

    def _number(self, field: str) -> Value:
        number = self.game.numbers.get(field)
        if number is not None:
            of = Span(number.low, number.high)
            return NumberedCells((self.game.lists[field],)) if field in self.game.lists else of
        if field in self.game.rulings:
            return ANY
        if field == "players":
            return Span(1, self.players)
        if field in self.game.board_columns:
            numbers = np.array(self.game.board_columns[field])
            return NumberedCells(numbers.shape, numbers=Span(numbers.min(), numbers.max()))
        for name, deck in self.game.decks.items():
            if field in self.game.columns(name).values() or field == f"{name}_{c.COPIES}":
                return NumberedCells((len(self.game.rows(deck)),))
        raise UnprovenError(field)

    def _place(self, node: ast.Subscript, known: Known) -> Value:
        """Return the range of an indexed value.

        Examples are `s.place[p]`, `s.saw[p, q]`, `s.hand[p]` and `s.place[: s.players]`.
        """
        of = self.value(node.value, known)
        indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if any(isinstance(one, ast.Slice) for one in indices):
            for one in indices:
                ends = [one.lower, one.upper, one.step] if isinstance(one, ast.Slice) else [one]
                if isinstance(one, ast.Slice) and one.step is not None:
                    raise UnprovenError(ast.unparse(node))
                if (
                    not isinstance(one, ast.Slice)
                    or not isinstance(of, NumberedCells)
                    or len(indices) > len(of.lengths)
                ):
                    raise UnprovenError(ast.unparse(node))
                for end in filter(None, ends):
                    self.span(end, known)
            return Several()
        if not isinstance(of, NumberedCells) or len(indices) > len(of.lengths):
            raise UnprovenError(ast.unparse(node))
        if of.is_pile and len(indices) == len(of.lengths):
            raise UnprovenError(ast.unparse(node))  # a card by its place
        for index, length in zip(indices, of.lengths, strict=False):
            if not self.span(index, known).is_within(-length, length - 1):
                raise UnprovenError(ast.unparse(node))
        left = of.lengths[len(indices) :]
        return NumberedCells(left, of.part, of.is_pile, of.numbers) if left else of.numbers

    def _unary(self, operator: ast.unaryop, of: Span) -> Span:
        if isinstance(operator, ast.Not):
            return TRUTH
        return (
            spanned(-of.low, -of.high)
            if isinstance(operator, ast.USub)
            else ANY
            if isinstance(operator, ast.Invert)
            else of
        )

    def _binary(self, operator: ast.operator, one: Span, other: Span) -> Span:
        match operator:
            case ast.Add():
                return spanned(one.low + other.low, one.high + other.high)
            case ast.Sub():
                return spanned(one.low - other.high, one.high - other.low)
            case ast.Mult():
                if math.inf in map(abs, (one.low, one.high, other.low, other.high)):
                    return ANY
                return spanned(*(a * b for a in (one.low, one.high) for b in (other.low, other.high)))
            case ast.Mod() if other.low > 0:
                return Span(0, other.high - 1)
            case ast.FloorDiv() if other.low > 0:
                return Span(min(0, one.low), max(0, one.high))
            case ast.BitAnd() if one.low >= 0 or other.low >= 0:
                return Span(0, min(of.high for of in (one, other) if of.low >= 0))
            case ast.BitAnd() | ast.BitOr() | ast.BitXor():
                return ANY
            case ast.LShift() | ast.RShift() if other.is_within(0, 62):
                return ANY
        raise UnprovenError(type(operator).__name__)

    def _comparison(self, node: ast.Compare, known: Known) -> Span:
        operands = [node.left, *node.comparators]
        for operator, operand in zip([None, *node.ops], operands, strict=True):
            value = self.value(operand, known)
            if isinstance(operator, (ast.In, ast.NotIn)):
                if not (isinstance(value, tuple) and all(isinstance(one, Span) for one in value)):
                    raise UnprovenError(ast.unparse(node))
            elif not isinstance(value, Span) or isinstance(operator, (ast.Is, ast.IsNot)):
                raise UnprovenError(ast.unparse(node))
        return TRUTH

    # ------------------------------------------------------------ calls

    def _call(self, called: str, arguments: Sequence[ast.expr], known: Known) -> Value:
        if called in self.game.functions:
            return self._function(called, arguments, known)
        passed = (
            arguments[1:]
            if arguments and ast.unparse(arguments[0]) == "s" and "s" not in known
            else arguments
        )
        values = [self.value(one, known) for one in passed]
        word = _WORDS.get(called)
        if word is None or (called in _ASKING_ALL and not self.number_of_players_holds):
            raise UnprovenError(called)
        shapes, result = word
        if not any(self._fits(shape, values) for shape in shapes):
            raise UnprovenError(called)
        return result(values)

    def _fits(self, shape: str, values: list[Value]) -> bool:
        """Return whether values match a shape, which has a letter of `_SHAPES` for each argument."""
        if len(shape) != len(values):
            return False
        return all(_SHAPES[letter](value, values) for letter, value in zip(shape, values, strict=True))

    def _function(self, called: str, arguments: Sequence[ast.expr], known: Known) -> Value:
        function = self.game.functions[called]
        parameters = [one.arg for one in function.args.args]
        if len(parameters) != len(arguments) or function.args.defaults or self.depth >= DEPTH:
            raise UnprovenError(called)
        local: Known = {}
        for parameter, argument in zip(parameters, arguments, strict=True):
            if parameter in ("s", "n"):
                if ast.unparse(argument) != parameter or parameter in known:
                    raise UnprovenError(called)
            else:
                local[parameter] = self.value(argument, known)
        self.depth += 1
        try:
            returned = self.returned(function.body, local)
        finally:
            self.depth -= 1
        if returned is None:
            raise UnprovenError(called)
        return returned

    # ------------------------------------------------------------ statements

    def returned(self, body: Sequence[ast.stmt], known: Known) -> Value | None:
        """Return the range of the result of statements; None if nothing is known.

        Raises UnprovenError as `value` does.

        Modifies `known`.
        """
        found: list[Value] = []
        self._run(body, known, found)
        value: Value | None = found[0] if found else None
        for one in found[1:]:
            value = joined(value, one) if value is not None else None
        return value

    def _run(self, body: Sequence[ast.stmt], known: Known, found: list[Value]) -> None:
        for statement in body:
            match statement:
                case ast.Return(value=ast.expr() as value):
                    found.append(self.value(value, known))
                case ast.Assign(targets=[target], value=value):
                    _bind(target, self.value(value, known), known)
                case ast.AugAssign(target=ast.Name(id=name) as target, op=operator, value=value):
                    before = ast.copy_location(ast.Name(name, ast.Load()), target)
                    known[name] = self._binary(operator, self.span(before, known), self.span(value, known))
                case ast.If(test=test, body=then, orelse=orelse):
                    self.span(test, known)
                    other = dict(known)
                    self._run(then, known, found)
                    self._run(orelse, other, found)
                    _join(known, other)
                case ast.For(target=target, iter=over, body=inner, orelse=orelse):
                    _forget(inner, known)
                    within = dict(known)
                    _bind(target, self._each(over, known), within)
                    self._run(inner, within, found)
                    self._run(orelse, dict(known), found)
                    _forget(orelse, known)
                    for one in ast.walk(target):
                        known.pop(getattr(one, "id", ""), None)
                case ast.Expr(value=ast.Constant()) | ast.Pass() | ast.Break() | ast.Continue():
                    pass
                case _:
                    raise UnprovenError(ast.unparse(statement))

    def _each(self, over: ast.expr, known: Known) -> Value:
        """Return the range of the elements over which a loop runs."""
        match over:
            case ast.Call(func=ast.Name(id="range"), args=ends, keywords=[]):
                spans = [self.span(one, known) for one in ends]
                if len(spans) == 1:
                    return Span(0, max(0, spans[0].high - 1))
                if len(spans) == 2:
                    return Span(spans[0].low, max(spans[0].low, spans[1].high - 1))
                if spans[2].low > 0 or spans[2].high < 0:
                    return Span(min(one.low for one in spans[:2]), max(one.high for one in spans[:2]))
            case ast.Call(func=ast.Name(id="enumerate"), args=[inner], keywords=[]):
                return Span(0, math.inf), self._each(inner, known)
            case _:
                value = self.value(over, known)
                if isinstance(value, tuple) and value and all(isinstance(one, Span) for one in value):
                    return Span(min(one.low for one in value), max(one.high for one in value))
                if isinstance(value, Several) or (
                    isinstance(value, NumberedCells) and len(value.lengths) == 1 and not value.is_pile
                ):
                    return ANY
        raise UnprovenError(ast.unparse(over))


def _bind(target: ast.expr, value: Value, known: Known) -> None:
    """Bind a local name in `known`. Raises UnprovenError for any other target."""
    if isinstance(target, ast.Name) and target.id not in ("s", "n"):
        known[target.id] = value
    elif isinstance(target, ast.Tuple) and isinstance(value, tuple) and len(target.elts) == len(value):
        for one, part in zip(target.elts, value, strict=True):
            _bind(one, part, known)
    else:
        raise UnprovenError(ast.unparse(target))


def _join(known: Known, other: Known) -> None:
    """Merge the ranges of `other` into `known` after two branches."""
    for name in list(known):
        both = joined(known[name], other.get(name))
        if both is None:
            del known[name]
        else:
            known[name] = both


def _forget(body: Sequence[ast.stmt], known: Known) -> None:
    """Set the numbers in `known` that a loop assigns to ANY, and remove all other names that it assigns."""
    for node in (one for statement in body for one in ast.walk(statement)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in known:
            if isinstance(known[node.id], Span):
                known[node.id] = ANY
            else:
                del known[node.id]


# ---------------------------------------------------------------- words that change nothing

_SHAPES: dict[str, Callable[[Any, list[Value]], bool]] = {
    "i": lambda value, values: isinstance(value, Span),
    "p": lambda value, values: isinstance(value, NumberedCells) and value.is_pile and len(value.lengths) == 1,
    "h": lambda value, values: isinstance(value, NumberedCells) and value.is_pile and len(value.lengths) == 2,
    "r": lambda value, values: isinstance(value, (NumberedCells, Several)),
    "t": lambda value, values: isinstance(value, tuple),
    "g": lambda value, values: (
        isinstance(value, NumberedCells) and isinstance(value.part, c.Grid) and len(value.lengths) == 2
    ),
    "a": lambda value, values: isinstance(value, NumberedCells) and not value.is_pile,
    # a cell of the grid that is the first argument
    "c": lambda value, values: (
        isinstance(value, Span) and value.is_within(0, math.prod(values[0].lengths) - 1)
    ),  # type: ignore[union-attr]
}


def _cell(values: list[Value]) -> Span:
    return Span(-1, math.prod(values[0].lengths) - 1)  # type: ignore[union-attr]


def _extreme(values: list[Value]) -> Span:
    """Return the span that contains the result of `min` or `max` of some values."""
    spans = [one for one in values if isinstance(one, Span)]
    return Span(min(one.low for one in spans), max(one.high for one in spans))


_ASKING_ALL = ("who_has", "player_after", "players_left")  # they loop over `s.players`
# word -> (possible shapes of its arguments besides `s`; its result)
_WORDS: dict[str, tuple[tuple[str, ...], Callable[[list[Value]], Value]]] = {
    "size": (("p",), lambda values: Span(0, values[0].lengths[0] - 1)),  # type: ignore[union-attr]
    "empty": (("p",), lambda values: TRUTH),
    "cards": (("p",), lambda values: Several()),
    "top": (("p",), lambda values: ANY),
    "count": (("pi",), lambda values: Span(0, values[0].lengths[0])),  # type: ignore[union-attr]
    "has": (("pi",), lambda values: TRUTH),
    "who_has": (("hi",), lambda values: Span(-1, values[0].lengths[0] - 1)),  # type: ignore[union-attr]
    "most_of_a_kind": (("p",), lambda values: ANY),
    "longest_run": (("p",), lambda values: ANY),
    "times": (("ri",), lambda values: Span(0, LARGE)),
    "at": (("ac",), lambda values: ANY),
    "row_of": (("gi",), lambda values: ANY),
    "column_of": (("gi",), lambda values: Span(0, values[0].lengths[1] - 1)),  # type: ignore[union-attr]
    "neighbour": (("gii",), _cell),
    "distance": (("gii",), lambda values: ANY),
    "adjacent": (("gii", "giii"), lambda values: TRUTH),
    "in_a_row": (("giii",), lambda values: TRUTH),
    "line_through": (("gii",), lambda values: ANY),
    "region": (("gc",), lambda values: ANY),
    "steps": (("gciii",), lambda values: ANY),
    "player_after": (("i",), lambda values: ANY),
    "players_left": (("",), lambda values: ANY),
    "abs": (("i",), lambda values: ANY),
    "int": (("i",), lambda values: values[0]),
    "bool": (("i",), lambda values: TRUTH),
    "min": (("ii", "iii", "iiii"), _extreme),
    "max": (("ii", "iii", "iiii"), _extreme),
    "len": (("r", "t"), lambda values: Span(0, LARGE)),
}
