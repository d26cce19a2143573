"""Checks for common mistakes in the bodies of a short game's functions.

`mistakes` calls these checks, and checks the rest of the file.
"""

import ast
import builtins
import inspect
from collections.abc import Iterator
from typing import Any

from bartizan.simcore.compile.jit import PLAIN
from bartizan.simcore.errors import did_you_mean
from bartizan.simcore.short import components as c
from bartizan.simcore.short import words
from bartizan.simcore.short.reading import (
    ENDS,
    JUDGING,
    RARE,
    ShortGame,
    assigned_pairs,
    calls,
    is_text,
    name_called,
    named_parts,
    nodes_of,
    texts_in,
    texts_of,
)
from bartizan.simcore.short.sheet_words import constant_of
from bartizan.simcore.short.table import MOST_VALUES, PLACEHOLDER

HOUSE_FIELDS = ("me", "turn", "players", "out", "winner", "to_move", "end_reason", "phase", "done")
ASKING_FIELDS = ("turn_of",)  # in games that ask players
NOT_COMPILED = {  # constructs that numba does not support in rules -> what to write instead
    ast.Try: "try: test the condition with if instead",
    ast.With: "with: rules cannot open files or other resources",
    ast.Lambda: "lambda: write a helper, def _name(s, n)",
    ast.FunctionDef: "a function inside another: write a helper beside it, def _name(s, n)",
    ast.ClassDef: "a class: state that changes in play is a component, such as Counter() or Row(5)",
    ast.Dict: "a dictionary: store numbers in a Row, and card data in columns of their table",
    ast.Set: "a set: write `card in (GUARD, KING)`",
    ast.DictComp: "a dictionary: store numbers in a Row",
    ast.SetComp: "a set: write a loop",
    ast.JoinedStr: 'text: write it with say(s, "{player} loses {}", s.me, 3)',
    ast.Global: "global: state that changes in play is a component, such as Counter()",
    ast.Nonlocal: "nonlocal: state that changes in play is a component, such as Counter()",
    ast.Yield: "yield: a rule runs in one step; use return",
    ast.Await: "await: a rule runs in one step",
    ast.Import: "an import: a short game imports only bartizan.short, in its first lines",
    ast.ImportFrom: "an import: a short game imports only bartizan.short, in its first lines",
    ast.Match: "match: write if and elif",
    ast.Delete: "del: nothing can be deleted; use functions such as move and take for cards",
}
PILES = ("pile", "target", "discards")  # parameters of words that take one pile
ROWS = ("row", "grid", "dice")  # parameters that have places
Found = tuple[int, str]  # line, and message


def of_rules(game: ShortGame, name: str) -> Iterator[Found]:
    """Yield (line, message) for each mistake in one function."""
    function = game.functions[name]
    local = {one.id for one in nodes_of(function) if _is_stored(one)}
    local |= {parameter.arg for parameter in function.args.args}
    known = {*game.constants, *game.functions, *words.__all__, *dir(builtins)} | local
    is_bot = name in game.own and game.returns(name)
    rulings = {parent: part for parent, _, part in named_parts(function) if _ruling_in(game, part)}
    body = [one for statement in function.body for one in ast.walk(statement)]
    for node in body:
        line = getattr(node, "lineno", function.lineno)
        if type(node) in NOT_COMPILED:
            yield line, f"{name} contains {NOT_COMPILED[type(node)]}"
        if node in rulings:
            yield from ((line, what) for what in _of_reading(game, node, rulings[node]))
        if isinstance(node, ast.Compare):
            yield from ((line, what) for what in _of_words(game, node, local))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield from ((line, what) for what in _of_field(game, node))
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in known:
            yield line, _unknown(game, node.id, known)
        elif isinstance(node, ast.Call):
            yield from ((line, what) for what in _of_call(game, node, name, is_bot))
        elif isinstance(node, (ast.Assign, ast.AugAssign)):
            yield from ((line, what) for what in _of_assignment(game, node, is_bot))
        elif isinstance(node, ast.For) and (pile := _pile_in(game, node.iter)):
            yield line, f"{pile} begins with its size: write for card in cards({pile})"
        elif isinstance(node, ast.Compare) and any(is_text(one) for one in [node.left, *node.comparators]):
            yield line, "rules compare numbers, not text: write names of phases, cards and kinds in capitals"
        elif isinstance(node, ast.Subscript):
            yield from ((line, what) for what in _of_subscript(game, node))
        elif isinstance(node, ast.Expr):
            yield from ((line, what) for what in _of_statement(game, node.value))
        if isinstance(node, ast.IfExp):
            yield from ((line, what) for what in _of_alternatives(game, node.test, node.body, node.orelse))
        if isinstance(node, ast.If):
            for before, after in _named_in_both(node, function):
                yield from (
                    (after.lineno, what)
                    for what in _of_alternatives(game, node.test, before.value, after.value)
                )
        if isinstance(node, (ast.If, ast.While, ast.IfExp, ast.Return)):
            yield from ((line, what) for what in _of_condition(game, node))
        if isinstance(node, ast.Return) and is_bot and node.value:
            yield from ((line, what) for what in _of_choice(game, node.value))
    yield from _of_piles(game, function)
    yield from _of_answers(game, function)
    yield from _of_returns(game, name, is_bot)
    yield from _of_looking(game, name)


def _is_stored(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def _unknown(game: ShortGame, name: str, known: set[str]) -> str:
    if name in game.components:
        return f"{name} is a component: write s.{name}"
    if name in game.numbers:
        return f"{name} is a number of the rules: write n.{name}"
    if name in game.rulings:
        return f"{name} is a Ruling, so compare it with a reading: write {_compared(game, name)}"
    if name in game.kinds:
        numbers = " and ".join(f"{number} in {deck}" for deck, number in game.kinds[name].items())
        return f"{name} is card {numbers}: rename one of them, or list both decks in the same order"
    if name in game.readings:
        numbers = " and ".join(f"{number} in {ruling}" for ruling, number in game.readings[name].items())
        return f"{name} is reading {numbers}: list the readings of both in the same order, or rename one"
    return f"no name {name}{did_you_mean(name, {one for one in known if not hasattr(builtins, one)})}"


# ---------------------------------------------------------------- names that are read


def _of_field(game: ShortGame, node: ast.Attribute) -> Iterator[str]:
    holder, name = node.value.id, node.attr  # type: ignore[attr-defined]
    columns = {deck: game.columns(deck) for deck in game.decks}
    numbers = {*game.numbers, *game.rulings, *game.board_columns, "players"}
    numbers |= {field for of in columns.values() for field in of.values()}
    numbers |= {f"{deck}_{c.COPIES}" for deck in game.decks}
    fields = {*game.components, *HOUSE_FIELDS, *(ASKING_FIELDS if game.asks else ())}
    if holder == "s" and name == "phase" and not game.phases:
        yield 's.phase: declare the phases, phases = ["draft", "play"]'
    elif holder == "s" and name not in fields:
        yield f"s.{name}: " + (
            f"a number of the rules: write n.{name}"
            if name in numbers
            else f"no such component{did_you_mean(name, fields)}"
        )
    elif holder == "n" and name not in numbers:
        shared = [f"n.{of[name]}" for of in columns.values() if name in of]
        yield f"n.{name}: " + (
            f"it is a component: write s.{name}"
            if name in game.components
            else f"several decks have this column: write {' or '.join(shared)}"
            if shared
            else f"no such number: {game.unread[name]}"
            if name in game.unread
            else f"no such number{did_you_mean(name, numbers)}"
        )
    elif holder in ("random", "np", "numpy"):
        yield (
            f"{holder}.{name}: draw random numbers with die(s, 6), chance(s, 30) or shuffle(s, s.deck), "
            "which depend on the seed"
        )


def _of_reading(game: ShortGame, node: ast.AST, part: ast.expr) -> Iterator[str]:
    """Yield a message for `n.RULING` (part of the node) in any use except a comparison with its readings.

    As a truth value, the first reading would be false.
    """
    name = _ruling_in(game, part)
    compared = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
    others = [other for one in compared if one is not part for other in getattr(one, "elts", [one])]
    named = [one.id for one in others if isinstance(one, ast.Name)]
    own = {reading.upper() for reading in game.rulings[name].readings}
    equal = all(isinstance(op, (ast.Eq, ast.NotEq, ast.In, ast.NotIn)) for op in getattr(node, "ops", ()))
    if not (named and len(named) == len(others) and own.issuperset(named) and equal):
        yield f"n.{name} is a Ruling, so compare it with a reading: write {_compared(game, name)}"


def _ruling_in(game: ShortGame, node: ast.expr) -> str:
    is_number = isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "n"
    return node.attr if is_number and node.attr in game.rulings else ""


def _of_words(game: ShortGame, node: ast.Compare, local: set[str]) -> Iterator[str]:
    """Yield a message for `n.type[card]` in a wrong comparison.

    It is compared with a text, or with a constant that is not a word of its column.
    """
    sides = [node.left, *node.comparators]
    for side in sides:
        of = side.value if isinstance(side, ast.Subscript) else side
        field = of.attr if isinstance(of, ast.Attribute) and _root(of) == "n" else ""
        if field and isinstance(of.value, ast.Name):
            yield from _of_field(game, of)  # first, because its words are unknown names if it is not read
        spelling = game.word_fields.get(field, {})
        others = [part for one in sides if one is not side for part in getattr(one, "elts", [one])]
        for other in others if spelling else ():
            named = other.id if isinstance(other, ast.Name) else ""
            text = other.value if is_text(other) else ""
            constant = constant_of("", text) or named
            if text and constant in spelling:
                yield f'rules compare numbers, not text: write {constant} in place of "{text}"'
            elif text or (named.isupper() and named not in {*spelling, *game.declared, *local, "NONE"}):
                yield f"{text or named} is not a word of n.{field}{did_you_mean(constant, spelling)}"


def _compared(game: ShortGame, name: str) -> str:
    return " or ".join(f"n.{name} == {reading.upper()}" for reading in game.rulings[name].readings)


def _of_subscript(game: ShortGame, node: ast.Subscript) -> Iterator[str]:
    """Yield a message for an index of a single number, of the state, and of the numbers.

    Examples are `s.pot[0]` for a counter, `n.goal[0]` for a number, and `s[3]`, which numba would read as the
    fourth field of a record.
    """
    if isinstance(node.value, ast.Name) and node.value.id in ("s", "n"):
        what = "a component" if node.value.id == "s" else "a number"
        yield f"{ast.unparse(node)}: write {node.value.id}.NAME, with the name of {what}"
    if isinstance(node.value, ast.Attribute) and isinstance(node.value.value, ast.Name):
        holder, name = node.value.value.id, node.value.attr
        part = game.components.get(name)
        if holder == "s" and isinstance(part, c.Counter) and not part.each:
            yield f"s.{name} is one number: write s.{name}, or declare {name} = Tokens(), one per player"
        if holder == "n" and name in {*game.numbers, "players"} - {*game.lists}:
            yield f"n.{name} is one number: write n.{name}"


def _of_condition(game: ShortGame, node: ast.If | ast.While | ast.IfExp | ast.Return) -> Iterator[str]:
    """Yield a message for a condition on several numbers at once.

    Examples are all tokens, and a whole column of cards.
    """
    ahead: list[ast.AST | None] = [node.value if isinstance(node, ast.Return) else node.test]
    while ahead:
        one = ahead.pop()
        if isinstance(one, ast.BoolOp):
            ahead += one.values
        elif isinstance(one, ast.UnaryOp):
            ahead.append(one.operand)
        elif isinstance(one, ast.Compare):
            ahead += [one.left, *one.comparators] if not _is_membership(one) else [one.left]
        elif isinstance(one, ast.BinOp):
            ahead += [one.left, one.right]
        elif isinstance(one, ast.Attribute) and (what := _many(game, one)):
            yield what


def _of_alternatives(game: ShortGame, test: ast.expr, one: ast.expr, other: ast.expr) -> Iterator[str]:
    """Yield a message for alternatives of different types, such as `s.market if early else s.hand[s.me]`.

    Compiled code needs one type for both.
    """
    kinds = [_kind_of(game, one), _kind_of(game, other)]
    if all(kinds) and kinds[0] != kinds[1]:
        first, second = ast.unparse(one), ast.unparse(other)
        yield (
            f"{first} if {ast.unparse(test)}, otherwise {second}: they have different sizes or kinds, so one "
            f"name cannot stand for both: write an if with the whole statement for {first}, and else with "
            f"the one for {second}"
        )


def _named_in_both(node: ast.If, function: ast.FunctionDef) -> Iterator[tuple[ast.Assign, ast.Assign]]:
    """Yield the assignments to a name in both branches, if the name is read after them."""
    branches: list[dict[str, ast.Assign]] = [{}, {}]
    for named, body in zip(branches, (node.body, node.orelse), strict=True):
        for one in (part for statement in body for part in ast.walk(statement)):
            if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name):
                named[one.targets[0].id] = one
    read = (one for one in nodes_of(function) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load))
    later = {one.id for one in read if one.lineno > (node.end_lineno or 0)}
    yield from (
        (branches[0][name], branches[1][name])
        for name in branches[0]
        if name in branches[1] and name in later
    )


def _kind_of(game: ShortGame, node: ast.expr) -> tuple:
    """Return the properties that determine the compiled type of a component, or of a player's part of it.

    Returns () if they are unknown.
    """
    is_part = isinstance(node, ast.Subscript)
    of = node.value if is_part else node  # type: ignore[attr-defined]
    part = game.components.get(of.attr) if isinstance(of, ast.Attribute) else None
    if part is None or getattr(of.value, "id", "") != "s" or (is_part and not part.each):  # type: ignore[union-attr]
        return ()
    if isinstance(part, c.Stack):
        size: tuple = (game.room(part),)
    elif isinstance(part, c.Grid):
        size = (part.rows, part.columns)
    else:
        size = (game.length(part),) if isinstance(part, c.Row) else ()
    if not size and (is_part or not part.each):
        return ("number",)
    whole = ("each", *size) if part.each else size
    return (
        ("part", isinstance(part, c.Stack), len(size))
        if is_part
        else ("whole", isinstance(part, c.Stack), whole)
    )


def _is_membership(node: ast.Compare) -> bool:
    return any(isinstance(one, (ast.In, ast.NotIn)) for one in node.ops)


def _many(game: ShortGame, node: ast.Attribute) -> str:
    """Return advice for an expression that means several numbers but is used as one.

    Returns "" for a single number.
    """
    holder, name = getattr(node.value, "id", ""), node.attr
    part = game.components.get(name)
    if holder == "s" and part is not None:
        if isinstance(part, c.Stack):
            pile = f"s.{name}[s.me]" if part.each else f"s.{name}"
            return f"s.{name} is a pile of cards: write size({pile}), empty({pile}) or top({pile})"
        if part.each:
            return f"s.{name} has one value per player: write s.{name}[s.me]"
        if isinstance(part, (c.Row, c.Grid)):
            return f"s.{name} has places: write s.{name}[i], or times(s.{name}, value)"
    if holder == "n" and name in game.lists:
        return f"n.{name} has {game.lists[name]} numbers: write n.{name}[i]"
    if holder == "n" and any(name in game.columns(deck).values() for deck in game.decks):
        return f"n.{name} is a column with one number for each kind of card: write n.{name}[card]"
    return ""


# ---------------------------------------------------------------- cards in place of a number


def _of_piles(game: ShortGame, function: ast.FunctionDef) -> Iterator[Found]:
    """Yield (line, message) for each pile that is used as a number.

    A pile begins with its size, so `s.hand[0][0]` would be a size and not a card.
    """
    named = _names_of_piles(game, function)
    for parent, _, node in named_parts(function):
        pile = _cards_in(game, node, named)
        if pile and not _is_for_cards(game, parent, node):
            yield node.lineno, _instead_of(parent, pile)


def _names_of_piles(game: ShortGame, function: ast.FunctionDef) -> set[str]:
    """Return local names of piles: names assigned from piles, and parameters that receive piles."""
    parameters = [one.arg for one in function.args.args]
    named = {
        name
        for other in game.functions.values()
        for call in calls(other)
        if name_called(call) == function.name
        for name, given in [
            *zip(parameters, call.args, strict=False),
            *((keyword.arg, keyword.value) for keyword in call.keywords),
        ]
        if name in parameters and _cards_in(game, given, set())
    }
    for node in nodes_of(function):
        for target, value in assigned_pairs(node) if isinstance(node, ast.Assign) else ():
            if isinstance(target, ast.Name) and _cards_in(game, value, set()):
                named.add(target.id)
    return named


def _cards_in(game: ShortGame, node: ast.AST, named: set[str]) -> str:
    """Return `s.hand[s.me]`, `s.deck`, or a local name of a pile; "" for anything else."""
    if isinstance(node, ast.Name):
        return node.id if node.id in named and isinstance(node.ctx, ast.Load) else ""
    of = node.value if isinstance(node, ast.Subscript) else node
    part = game.components.get(of.attr) if isinstance(of, ast.Attribute) and _root(of) == "s" else None
    if not isinstance(part, c.Stack) or part.each != isinstance(node, ast.Subscript):
        return ""
    return ast.unparse(node)


def _is_for_cards(game: ShortGame, parent: ast.AST, node: ast.AST) -> bool:
    """Return whether a pile is allowed at this place.

    It is allowed in the arguments of a function, for example, or in an assignment to a name.
    """
    if called := name_called(parent):
        return called in words.__all__ or called in game.functions
    if isinstance(parent, ast.Assign):
        return all(isinstance(target, ast.Name) for target in parent.targets)
    if isinstance(parent, ast.IfExp):
        return node is not parent.test
    return isinstance(parent, (ast.Return, ast.keyword, ast.For, ast.Expr, ast.Tuple))


def _instead_of(parent: ast.AST, pile: str) -> str:
    looks = f"size({pile}), top({pile}), has({pile}, card) or count({pile}, card)"
    if isinstance(parent, ast.Subscript):
        return f"{pile} is a pile of cards and cannot be indexed: write {looks}, or cards({pile})"
    if isinstance(parent, ast.Call):
        return f"{ast.unparse(parent.func)} receives {pile}, which begins with its size: write cards({pile})"
    return f"{pile} is a pile of cards, not a number: write {looks}"


# ---------------------------------------------------------------- calls


def _of_statement(game: ShortGame, node: ast.expr) -> Iterator[str]:
    """Yield a message for an expression whose value is not used."""
    if isinstance(node, ast.Name) and (node.id in words.__all__ or node.id in game.functions):
        yield f"{node.id} is used but not called: write {node.id}(s)"
    elif isinstance(node, (ast.Compare, ast.BinOp)):
        written = ast.unparse(node).replace("==", "=", 1)
        yield f"{ast.unparse(node)} has no effect: write {written}, or test it with if"


def _of_call(game: ShortGame, node: ast.Call, inside: str, is_bot: bool) -> Iterator[str]:
    called = name_called(node)
    if is_bot and called in ("die", "roll_all", "chance", "shuffle"):
        yield (
            f"{called} draws from the random numbers of the game: in a policy use maybe(s, 30) or "
            "any_of(s, legal)"
        )
    if isinstance(node.func, ast.Attribute) and node.func.attr in ("append", "pop", "remove", "insert"):
        yield f".{node.func.attr}(): move cards with the functions put, take, move and draw"
    if called == inside:
        yield f"{called} calls itself: write a loop"
    if called == "len" and node.args and (pile := _pile_in(game, node.args[0])):
        yield f"len({pile}) is its capacity: write size({pile})"
    if called in ("ask_player", "answered") and not game.phases:
        yield f'{called}: declare what a player is asked for, phases = ["acting", "defending"]'
    elif called == "answered" and not game.asks:
        yield "answered: no player is asked: write ask_player(s, p, DEFENDING) first"
    if called == "leader" and not game.has_score:
        yield "leader needs a score: write def score(s, n, who)"
    if called == "print" and not PLAIN:
        yield 'print works only with --plain: write say(s, "{}", s.turn) for a line in `bartizan trace`'
    if called in ("input", "open", "eval", "exec"):
        yield f"{called}: a rule can read only s and n"
    if called in game.components or called in game.numbers or called in game.rulings:
        yield _unknown(game, called, set())
    yield from _of_action_named(game, node, called)
    function = getattr(words, called, None) if called in words.__all__ else None
    if called in words.__all__ and not callable(function):
        yield f"{called} is a number, not a function: write {called}"
    if callable(function):
        signature = inspect.signature(getattr(function, "py_func", function))
    elif called in game.functions:
        signature = inspect.signature(getattr(game.module, called))
    else:
        return
    yield from _of_given(game, node, called, signature)
    if called in game.functions and not called.startswith("_") and called not in JUDGING:
        if called not in game.action_names and not called.startswith("can_") and game.returns(called):
            yield f"{called} is a policy, which rules cannot call: write a helper, def _{called}"
    if called in ENDS:
        yield from _of_end(node, called)
    elif called == "say":
        yield from _of_saying(game, node)
    elif called in words.__all__ and texts_of(node):
        yield f"{called} is called with text: players and cells are numbers, and cards have names in capitals"


def _of_given(game: ShortGame, node: ast.Call, called: str, signature: inspect.Signature) -> Iterator[str]:
    """Yield messages about the arguments of a call of a built-in function or of a function of the file."""
    needed = list(signature.parameters)
    form = f"{called}({', '.join(needed)})"
    if any(isinstance(one, ast.Starred) for one in node.args) or any(not one.arg for one in node.keywords):
        yield f"{called} is called with * arguments: write {form}"
        return
    if unknown := [one.arg for one in node.keywords if one.arg not in needed]:
        yield f"{called} has no parameter {unknown[0]}=: write {form}"
        return
    try:
        given = signature.bind(*node.args, **{str(one.arg): one.value for one in node.keywords}).arguments
    except TypeError:
        yield f"{called} receives {len(node.args) + len(node.keywords)} values: write {form}"
        return
    for first in ("s", "n"):
        if first in needed[:2] and not (isinstance(given[first], ast.Name) and given[first].id == first):
            begins = "begins with" if first == "s" else "has second"
            yield f"{called} {begins} {first}: write {form}"
            return
    if called in words.__all__:
        for parameter, value in given.items():
            yield from (f"{called}: {what}" for what in _of_value(game, called, parameter, value))


def _of_value(game: ShortGame, called: str, parameter: str, node: Any) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, float):
        yield f"{parameter} is {node.value}, but rules use integers"
    of, is_indexed = (node.value, True) if isinstance(node, ast.Subscript) else (node, False)
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        return
    if not (isinstance(of, ast.Attribute) and isinstance(of.value, ast.Name) and of.value.id == "s"):
        if parameter in (*PILES, "hands") and isinstance(node, ast.Constant):
            yield f"{parameter} is {ast.unparse(node)}, but cards are in a pile: s.deck, s.hand[s.me]"
        return
    part, shown = game.components.get(of.attr), ast.unparse(node)
    if part is None:
        return
    if parameter in PILES:
        if not isinstance(part, c.Stack):
            yield f"{shown} is not a pile of cards"
        elif part.each and not is_indexed:
            yield f"{shown} has one pile per player: write {shown}[s.me]"
        elif is_indexed and not part.each:
            yield f"{shown} is one card: write s.{of.attr}"
    elif parameter == "hands" and not (isinstance(part, c.Stack) and part.each and not is_indexed):
        yield f"{shown} does not hold the cards of all players: write s.hand, declared as hand = Hand(deck)"
    elif parameter in ROWS and isinstance(part, c.Counter) and not (part.each and not is_indexed):
        yield f"{shown} is one number, but {parameter} needs places: a Row or a Grid"
    elif parameter == "grid" and not isinstance(part, c.Grid) and called not in ("at", "lay"):
        yield f"{shown} is not a Grid"
    elif parameter in ("card", "cell", "who", "p", "sides", "percent", "number", "place", "value", "length"):
        if not is_indexed and (isinstance(part, (c.Stack, c.Row, c.Grid)) or part.each):
            yield _many(game, of)


def _of_action_named(game: ShortGame, node: ast.Call, called: str) -> Iterator[str]:
    """Yield a message if an action is used with the wrong number of arguments.

    An example is `PLAY(card)` instead of `PLAY(card, target)`.
    """
    if called.isupper() and called.lower() in game.action_names:
        needed = [one.arg for one in game.functions[called.lower()].args.args[2:]]
        form = f"{called}({', '.join(needed)})" if needed else called
        if not needed or len(node.args) != len(needed) or node.keywords:
            yield f"{called} receives {len(node.args) + len(node.keywords)} values: write {form}"


def _of_end(node: ast.Call, called: str) -> Iterator[str]:
    """Yield a message about a call of `win`, `lose` or `tie`.

    Its reason must be text, and no other argument may be text.
    """
    named = {keyword.arg: keyword.value for keyword in node.keywords}
    place = 2 if called == "win" else 1
    reason = named.get("reason") or (node.args[place] if len(node.args) > place else None)
    form = 'win(s, who, "reason")' if called == "win" else f'{called}(s, "reason")'
    if reason is not None and not _is_words(reason):
        yield f"{called}: give the reason as text: write {form}"
    elif any(text not in ast.walk(reason or ast.Pass()) for text in texts_of(node)):
        yield f"{called}: the winner must be a player: write {form}"


def _is_words(node: ast.expr) -> bool:
    if isinstance(node, ast.IfExp):
        return _is_words(node.body) and _is_words(node.orelse)
    return is_text(node) and bool(node.value.strip())


def _of_saying(game: ShortGame, node: ast.Call) -> Iterator[str]:
    """Yield a message about a line of the log.

    The number of values must equal the number of {}, and names must be valid.
    """
    form = 'say(s, "{player} pays {}", s.me, 3)'
    named = {keyword.arg: keyword.value for keyword in node.keywords}
    line = named.get("text") or node.args[1]
    if not _is_words(line):
        yield f"say: give the line as text: write {form}"
        return
    said = texts_in(line)
    if len(texts_of(node)) > len(said):
        yield f"say: its values must be numbers: {{deck}} shows a card, {{player}} a player: write {form}"
    grids = (f"cell {name}" for name, part in game.components.items() if isinstance(part, c.Grid))
    known = {"player", *game.decks, *game.boards, *grids, *game.word_fields}
    given = len(node.args) + len(node.keywords) - 2
    for text in said:
        whats = PLACEHOLDER.findall(text.value)
        if odd := [what for what in whats if what and what not in known]:
            yield f'say: no {{{odd[0]}}} in "{text.value}"{did_you_mean(odd[0], known)}'
        elif set("{}") & set(PLACEHOLDER.sub("", text.value)):
            yield f'say: "{text.value}" has an unmatched brace: write {{}} in place of each number'
        elif len(whats) > MOST_VALUES:
            yield (
                f'say: "{text.value}" has {len(whats)} values, but at most {MOST_VALUES} are allowed: '
                "write two lines"
            )
        elif len(whats) != given:
            yield f'say: "{text.value}" has {len(whats)} {{}} but receives {given} values'


def _of_answers(game: ShortGame, function: ast.FunctionDef) -> Iterator[Found]:
    """Yield (line, message) for each assignment of the phase in a block that ends an answer.

    Such an assignment has no effect, because the turn continues in its earlier phase.
    """
    blocks = [getattr(node, name, None) for node in nodes_of(function) for name in ("body", "orelse")]
    for block in (one for one in blocks if isinstance(one, list)):
        if not any(isinstance(one, ast.Expr) and name_called(one.value) == "answered" for one in block):
            continue
        for node in (one for one in block if isinstance(one, ast.Assign)):
            if any(ast.unparse(target) == "s.phase" for target, _ in assigned_pairs(node)):
                yield (
                    node.lineno,
                    f"{ast.unparse(node)} has no effect if answered(s) ends the answer, because the "
                    "turn then continues in the phase in which its action ended: set the phase in that "
                    "action, or in start_turn",
                )


# ---------------------------------------------------------------- functions that must not change the game

# words that change the game: their pile or row argument, or `s` itself
CHANGING = ("put", "take", "move", "discard", "move_all", "draw", "lay", "roll_all")
CHANGING_ALL = ("die", "chance", "shuffle", "deal", "draw_or_reshuffle", "say")
CHANGING_ALL += ("pass_left", "pass_right", "next_player", "pass_to", "ask_player", "answered", "eliminate")
CHANGING_ALL += ("win", "lose", "tie")


def _of_looking(game: ShortGame, name: str) -> Iterator[Found]:
    """Yield (line, message) for each change of the game by a function that must not change it.

    Changes by its helpers count too.
    """
    looks = _looks(game, name)
    if not looks:
        return
    for line, what in _changes(game, name):
        yield line, f"{looks} must not change anything, but {what} changes the game"
    for call in calls(game.functions[name]):
        for of in _asked(game, name_called(call)):
            if change := next(_changes(game, of), None):
                line, what = change
                yield (
                    call.lineno,
                    f"{looks} must not change anything, but {of} changes the game in line {line}: {what}",
                )


def _looks(game: ShortGame, name: str) -> str:
    """Return the beginning of a message about a function that must not change the game.

    Returns "" for a rule and for a helper.
    """
    stacks = [part for part in game.components.values() if isinstance(part, c.Stack)]
    if name in game.own:
        return f"{name} is a policy: it" if game.returns(name) else ""
    if name.startswith("can_"):
        return f"{name} defines what is allowed: it"
    if name in JUDGING or name.startswith(RARE):
        return f"{name} evaluates a game: it"
    if any(getattr(game.module, name) in (part.known, part.fits) for part in stacks):
        return f"{name} describes what is known: it"
    return ""


def _asked(game: ShortGame, name: str, asked: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the names of a function of the file and of all functions that it calls, each once."""
    if name not in game.functions or name in asked:
        return asked
    asked += (name,)
    for call in calls(game.functions[name]):
        asked = _asked(game, name_called(call), asked)
    return asked


def _changes(game: ShortGame, name: str) -> Iterator[Found]:
    """Yield (line, source text) of each statement in a function itself that changes the game."""
    function = game.functions[name]
    own = {"s"}  # and names for parts of it: hand = s.hand[s.me]
    for node in nodes_of(function):
        if isinstance(node, ast.Assign):
            for target, value in assigned_pairs(node):
                if isinstance(target, ast.Name) and _root(value) == "s" and _is_part(game, value):
                    own.add(target.id)
    for node in nodes_of(function):
        if isinstance(node, (ast.Assign, ast.AugAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            parts = [one for target in targets for one in getattr(target, "elts", [target])]
            for part in parts:
                if not isinstance(part, ast.Name) and _root(part) in own:
                    yield node.lineno, ast.unparse(part)
        elif called := name_called(node):
            given = [_root(one) for one in node.args]  # type: ignore[attr-defined]
            if called in CHANGING_ALL or (called in CHANGING and own.intersection(given)):
                yield node.lineno, ast.unparse(node)  # type: ignore[attr-defined]


def _root(node: ast.expr) -> str:
    """Return the name at the root of an expression; "" for a computed value.

    For example, it is `s` for `s.hand[s.me]`.
    """
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _is_part(game: ShortGame, node: ast.expr) -> bool:
    """Return whether an expression refers to a whole stack of cards, row or grid.

    `s.pile` and `s.hand[p]` do; a number in them does not.
    """
    is_of_player = isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Tuple)
    part = node.value if is_of_player else node
    component = game.components.get(part.attr) if isinstance(part, ast.Attribute) else None
    is_part = isinstance(component, (c.Stack, c.Row, c.Grid))
    return is_part and (not is_of_player or getattr(component, "each", False))


def _of_choice(game: ShortGame, node: ast.expr) -> Iterator[str]:
    """Yield a message if a policy returns anything other than an action."""
    if isinstance(node, ast.IfExp):
        yield from _of_choice(game, node.body)
        yield from _of_choice(game, node.orelse)
    elif isinstance(node, ast.Name) and node.id in game.action_names:
        yield f"a policy returns the name of an action in capitals: return {node.id.upper()}"
    elif isinstance(node, ast.Name) and node.id.isupper() and node.id.lower() in game.action_names:
        needed = [one.arg for one in game.functions[node.id.lower()].args.args[2:]]
        if needed:
            yield f"{node.id} needs its arguments: return {node.id}({', '.join(needed)})"
    elif isinstance(node, ast.Constant) and type(node.value) is not int:
        first = game.action_names[0].upper()
        yield f"a policy returns an action, not {node.value!r}: return {first}"


# ---------------------------------------------------------------- changes


def _of_assignment(game: ShortGame, node: ast.Assign | ast.AugAssign, is_bot: bool) -> Iterator[str]:
    for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
        if isinstance(target, ast.Name) and target.id in {*game.components, *game.numbers, *game.rulings}:
            yield _unknown(game, target.id, set())
        if isinstance(target, ast.Name) and target.id in ("s", "n"):
            yield (
                f"{target.id} is reserved for the {'state' if target.id == 's' else 'numbers'}: choose "
                "another name"
            )
        holder = target
        while isinstance(holder, (ast.Subscript, ast.Attribute)) and not isinstance(
            getattr(holder, "value", None), ast.Name
        ):
            holder = holder.value  # type: ignore[assignment]
        inside = getattr(getattr(holder, "value", None), "id", "")
        if inside == "n" and isinstance(holder, ast.Attribute):
            yield f"n.{holder.attr} is a number of the rules, which cannot change: store it in a Counter()"
        if inside == "s" and is_bot:
            yield "a policy can read s but not change it"
        if inside == "s" and is_text(node.value):
            yield f"{ast.unparse(target)} is a number, not text: write a phase or card in capitals"
        if inside == "s" and isinstance(target, ast.Attribute):
            part = game.components.get(target.attr)
            if isinstance(part, c.Stack):
                yield f"s.{target.attr} is a pile of cards: change it with move, move_all, draw and put"
            elif part is not None and part.each:
                yield f"s.{target.attr} has one value per player: write s.{target.attr}[s.me]"
            elif isinstance(part, (c.Row, c.Grid)):
                yield f"s.{target.attr} has places: write s.{target.attr}[i], or s.{target.attr}[:] for all"
        if inside == "s" and isinstance(node.value, ast.Attribute) and (what := _many(game, node.value)):
            if not isinstance(target, ast.Subscript) or not isinstance(target.slice, ast.Slice):
                yield what


def _pile_in(game: ShortGame, node: ast.expr) -> str:
    """Return `s.hand[s.me]` if an expression is a pile, otherwise ""."""
    of = node.value if isinstance(node, ast.Subscript) else node
    if isinstance(of, ast.Attribute) and isinstance(game.components.get(of.attr), c.Stack):
        return ast.unparse(node)
    return ""


# ---------------------------------------------------------------- return values


def _of_returns(game: ShortGame, name: str, is_bot: bool) -> Iterator[Found]:
    function = game.functions[name]
    line = function.lineno
    answers = is_bot or name in JUDGING or name.startswith(("can_", RARE))
    if name.startswith("can_") and not game.returns(name):
        yield line, f"{name} returns nothing: return True if {name[4:]} is allowed"
    elif name in JUDGING and not game.returns(name):
        yield line, f"{name} returns nothing: return a number, for the player `who`"
    elif (answers or game.returns(name)) and _may_fall_off(function.body):
        last = function.body[-1].lineno
        yield last, f"{name} returns nothing on at least one path: end it with return"
    for node in nodes_of(function) if game.returns(name) else ():
        if isinstance(node, ast.Return) and node.value is None:
            yield node.lineno, f"{name} returns a value elsewhere, but nothing here: return a value"
    statements = {node.value for node in nodes_of(function) if isinstance(node, ast.Expr)}
    for call in calls(function):
        called = name_called(call) if call not in statements else ""
        if called in game.functions and not game.returns(called):
            yield call.lineno, f"{called} returns nothing, but its value is used"


def _may_fall_off(body: list[ast.stmt]) -> bool:
    """Return whether the end of some statements can be reached."""
    last = body[-1]
    if isinstance(last, (ast.Return, ast.Raise)):
        return False
    if isinstance(last, ast.If):
        return not last.orelse or _may_fall_off(last.body) or _may_fall_off(last.orelse)
    if isinstance(last, ast.While) and isinstance(last.test, ast.Constant) and last.test.value:
        return any(isinstance(node, ast.Break) for node in ast.walk(last))
    return True
