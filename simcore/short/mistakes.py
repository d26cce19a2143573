"""What a beginner gets wrong in a short game, in one line: file, line, rule, and what to write instead."""

import ast
import builtins
import inspect
from collections.abc import Iterator

from bartizan.simcore.errors import did_you_mean
from bartizan.simcore.short import components as c
from bartizan.simcore.short import words
from bartizan.simcore.short.reading import HOOKS, SETTINGS, ShortGame, assigned, constant_of

HOUSE_FIELDS = ("me", "turn", "players", "out", "winner", "to_move", "end_reason", "phase", "done")
TAKEN = {*HOUSE_FIELDS, "luck", "luck_key", "events", "n_events", "begun"}  # names that a state has already
PARAMETERS = dict.fromkeys(HOOKS, "s, n") | {"score": "s, n, who"}
NOT_COMPILED = {  # what numba cannot read in rules -> what to write instead
    ast.Try: "try: test beforehand with if",
    ast.With: "with: rules open nothing",
    ast.Lambda: "lambda: write a helper, def _name(s, n)",
    ast.FunctionDef: "a function inside another: write a helper beside it, def _name(s, n)",
    ast.ClassDef: "a class: what changes in play is a component, such as Counter() or Row(5)",
    ast.Dict: "a dictionary: keep numbers in a Row, and columns of cards in their table",
    ast.Set: "a set: write `card in (GUARD, KING)`",
    ast.DictComp: "a dictionary: keep numbers in a Row",
    ast.SetComp: "a set: write a loop",
    ast.JoinedStr: 'text: say(s, "{player} loses {}", s.me, 3) is for words',
    ast.Global: "global: what changes in play is a component, such as Counter()",
    ast.Nonlocal: "nonlocal: what changes in play is a component, such as Counter()",
    ast.Yield: "yield: a rule is played at once",
    ast.Await: "await: a rule is played at once",
}
Found = tuple[int, str]  # line, what is wrong and what to write instead


def first_mistake(game: ShortGame) -> str:
    """`FILE:LINE: what`, or ""."""
    for line, what in _mistakes(game):
        return f"{game.path}:{line}: {what}"
    return ""


def _mistakes(game: ShortGame) -> Iterator[Found]:
    yield from _of_declarations(game)
    yield from _of_signatures(game)
    for name in game.functions:
        yield from _of_rules(game, name)


# ---------------------------------------------------------------- what is declared


def _of_declarations(game: ShortGame) -> Iterator[Found]:
    for node in game.tree.body:
        yield from _of_statement(game, node)
    counts, lines = game.settings.get("players", 1), _lines_of_names(game)
    at = lines.get("players", 1)
    if not isinstance(counts, (int, tuple)) or not all(
        type(n) is int and 1 <= n <= 10 for n in ([counts] if isinstance(counts, int) else counts)
    ):
        yield at, f"players = {counts!r}: write players = 2, or players = (4, 2, 3), the usual number first"
    unit = game.settings.get("turn_name", "turn")
    if not (isinstance(unit, str) and unit.replace(" ", "").isalpha()):
        at = lines.get("turn_name", 1)
        yield at, f'turn_name = {unit!r}: write what one turn is called, in the singular: turn_name = "round"'
    for name, part in game.components.items():
        yield from ((lines.get(name, 1), f"{name}: {what}") for what in _of_component(game, name, part))
    for name, number in game.numbers.items():
        yield from ((lines.get(name, 1), f"{name}: {what}") for what in _of_number(game, name, number))


def _of_statement(game: ShortGame, node: ast.stmt) -> Iterator[Found]:
    if isinstance(node, ast.Import) or (isinstance(node, ast.ImportFrom) and node.module != "bartizan.short"):
        named = node.module if isinstance(node, ast.ImportFrom) else node.names[0].name
        yield node.lineno, f"import {named}: a short game imports bartizan.short alone; die, shuffle are luck"
    elif isinstance(node, ast.ClassDef):
        yield node.lineno, f"class {node.name}: {NOT_COMPILED[ast.ClassDef].partition(': ')[2]}"
    elif isinstance(node, (ast.For, ast.While, ast.If)):
        yield node.lineno, "a loop or a condition outside a function: rules stand in functions"
    elif isinstance(node, ast.Assign):
        for name in assigned(node):
            value = getattr(game.module, name)
            known = isinstance(value, c.TableItem) or name in game.numbers or name in SETTINGS
            if isinstance(value, type) and issubclass(value, (c.TableItem, c.Number)):
                yield node.lineno, f"{name} = {value.__name__}: write {name} = {value.__name__}(...)"
            elif not known and not name.isupper():
                yield (
                    node.lineno,
                    f"{name} = {value!r}: a number is whole (percent, not 0.5), a component is a Counter, "
                    "Tokens, Row, Grid, Deck, Pile or Hand, a constant in capitals",
                )


def _is_stored(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def _of_component(game: ShortGame, name: str, part: c.TableItem) -> Iterator[str]:
    if name in TAKEN:
        yield f"every game has s.{name} already: choose another name"
    if isinstance(part, c.Stack):
        if part.seen not in list(c.Seen):
            yield f'seen="{part.seen}"{did_you_mean(part.seen, c.Seen)}'
        elif part.seen in (c.Seen.OWNER, c.Seen.OTHERS) and not part.each:
            yield f'seen="{part.seen}" is for cards of every player: write each=True, or seen="nobody"'
    if isinstance(part, c.Pile) and not isinstance(part.of, c.Deck):
        yield f"its cards are of a deck, {type(part).__name__}(deck), not of {part.of!r}"
    elif isinstance(part, c.Pile) and part.of not in game.decks.values():
        yield "its deck has no name: write deck = Deck(...) first, then the pile of it"
    if isinstance(part, c.Deck):
        if part.each:
            yield "a deck is one for all: deal its cards to Hand(deck) or Pile(deck, each=True)"
        yield from _of_deck(game, part)
    if isinstance(part, (c.Row, c.Grid)) and not (type(part.length) is int and part.length > 0):
        yield "it has no places: Row(5), Grid(3, 3)"


def _of_deck(game: ShortGame, deck: c.Deck) -> Iterator[str]:
    try:
        rows = game.rows(deck)
    except OSError:
        yield f"no file {deck.kinds} beside the game"
        return
    if not rows:
        yield 'it has no cards: Deck({"Guard": 5}), Deck(range(1, 11)) or Deck("cards.csv")'
        return
    odd = [row for row in rows if not row.get(c.NAME) or type(row.get(c.COPIES)) is not int]
    if odd:
        yield f"a card needs `name` and a whole number of `copies`: {odd[0]}"
        return
    names = [constant_of("", row[c.NAME]) for row in rows]
    if twice := next((one for one in names if names.count(one) > 1), ""):
        yield f"two cards are called {twice}"
    own = {action.upper() for action in game.functions}
    if both := next((one for one in names if one in own), ""):
        yield f"a card and an action are both called {both}: rename one"


def _of_number(game: ShortGame, name: str, number: c.Number) -> Iterator[str]:
    values = list(number.value.values()) if number.levels else [number.value]
    if any(type(value) is not int for value in values):
        yield f"{number.value!r} is no whole number: write percent, or hundredths"
    elif not all(number.low <= value <= number.high for value in values):
        yield f"{number.value} is not within {number.low} to {number.high}, what it may be set to"
    others = [one.levels for one in game.numbers.values() if one.levels]
    if number.levels and number.levels != others[0]:
        yield f"its levels are {', '.join(number.levels)}, and those of another {', '.join(others[0])}"


def _lines_of_names(game: ShortGame) -> dict[str, int]:
    return {name: node.lineno for node in game.tree.body for name in assigned(node)}


# ---------------------------------------------------------------- what functions take


def _of_signatures(game: ShortGame) -> Iterator[Found]:
    functions = game.functions
    bots = {bot.name for bot in game.bots} if not _odd_defaults(game) else set()
    for name, node in functions.items():
        names = [parameter.arg for parameter in node.args.args]
        own = not name.startswith("_")
        if own and name not in HOOKS and names[:2] != ["s", "n"]:
            shown = ", ".join(["s", "n", *(one for one in names if one not in ("s", "n"))])
            yield node.lineno, f"{name} takes ({', '.join(names)}): write def {name}({shown})"
        if name in HOOKS and names != PARAMETERS[name].split(", "):
            yield node.lineno, f"{name} takes ({', '.join(names)}): write def {name}({PARAMETERS[name]})"
        if name.startswith("can_") and name[4:] not in functions:
            yield node.lineno, f"{name} has no action {name[4:]}{did_you_mean(name[4:], functions)}"
        elif name.startswith("can_") and names != [one.arg for one in functions[name[4:]].args.args]:
            of = ", ".join(one.arg for one in functions[name[4:]].args.args)
            yield node.lineno, f"{name} takes ({', '.join(names)}), and {name[4:]} takes ({of}): the same"
        if name in bots and not ast.get_docstring(node):
            yield node.lineno, f"{name} returns something, so it is a player: say in a docstring how it plays"
        if hasattr(words, name) and name in words.__all__:
            yield node.lineno, f"{name} is a word of short games: choose another name"
        if name in game.components or name in game.numbers:
            yield node.lineno, f"{name} is a function and something declared above: rename one"
    yield from _odd_defaults(game)
    yield from _of_arguments(game, bots)
    if not any(True for _ in _action_names(game)):
        yield 1, "no action: an action is a function that returns nothing, def roll(s, n)"


def _odd_defaults(game: ShortGame) -> list[Found]:
    return [
        (node.lineno, f"{name}: the weights of a player are numbers, {name}(s, n, at=20)")
        for name, node in game.functions.items()
        for default in getattr(game.module, name).__defaults__ or ()
        if not isinstance(default, (int, float))
    ]


def _action_names(game: ShortGame) -> Iterator[str]:
    bots = {bot.name for bot in game.bots}
    return (
        one for one in game.functions if one[0] != "_" and one[:4] != "can_" and one not in {*HOOKS, *bots}
    )


def _of_arguments(game: ShortGame, bots: set[str]) -> Iterator[Found]:
    for name in _action_names(game):
        annotated = getattr(game.module, name).__annotations__
        for parameter in game.functions[name].args.args[2:]:
            over, what = annotated.get(parameter.arg), parameter.arg
            at = parameter.lineno
            if over is None:
                yield (
                    at,
                    f"{name}: what can `{what}` be? write {what}: hand, {what}: others, {what}: range(1, 7), "
                    f"or _{name} if it is no action but a helper",
                )
            elif not isinstance(over, (range, c.Seats, c.Kinds, c.Places, c.Stack, c.Row, c.Grid)):
                yield at, f"{name}: `{what}` ranges over cards, cells, players or a range, not over {over!r}"
            elif isinstance(over, range) and (not over or min(over) < 0):
                yield at, f"{name}: `{what}` ranges over {over!r}: numbers from 0 up"


# ---------------------------------------------------------------- what rules say


def _of_rules(game: ShortGame, name: str) -> Iterator[Found]:
    function = game.functions[name]
    local = {one.id for one in ast.walk(function) if _is_stored(one)}
    local |= {parameter.arg for parameter in function.args.args}
    known = {*_constants(game), *game.functions, *words.__all__, *dir(builtins)} | local
    is_bot = name in {bot.name for bot in game.bots}
    body = [one for statement in function.body for one in ast.walk(statement)]
    for node in body:
        line = getattr(node, "lineno", function.lineno)
        for kind, instead in NOT_COMPILED.items():
            if isinstance(node, kind):
                yield line, f"{name} holds {instead}"
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
        elif isinstance(node, ast.Compare) and any(_is_text(one) for one in [node.left, *node.comparators]):
            yield line, "rules compare numbers, not text: phases, cards and kinds have names in capitals"
        elif isinstance(node, ast.Return) and is_bot and isinstance(node.value, ast.Name):
            if node.value.id in set(_action_names(game)):
                yield line, f"a player returns what it does in capitals: return {node.value.id.upper()}"


def _constants(game: ShortGame) -> set[str]:
    named = {name.upper() for name in _action_names(game)} | {phase.upper() for phase in game.phases}
    named |= {name for name in game.declared if name.isupper()}
    for deck in game.decks.values():
        named |= {constant_of("", row[c.NAME]) for row in game.rows(deck)}
    return named


def _unknown(game: ShortGame, name: str, known: set[str]) -> str:
    if name in game.components:
        return f"{name} lies on the table: write s.{name}"
    if name in game.numbers:
        return f"{name} is a number of the rules: write n.{name}"
    return f"no name {name}{did_you_mean(name, {one for one in known if not hasattr(builtins, one)})}"


def _of_field(game: ShortGame, node: ast.Attribute) -> Iterator[str]:
    holder, name = node.value.id, node.attr  # type: ignore[attr-defined]
    columns = {key for deck in game.decks.values() for key in game.rows(deck)[0]} - {c.NAME, c.COPIES}
    numbers = {*game.numbers, "players", *columns, *(f"{deck}_{c.COPIES}" for deck in game.decks)}
    fields = {*game.components, *HOUSE_FIELDS}
    if holder == "s" and name == "phase" and not game.phases:
        yield 's.phase: say which there are, phases = ["draft", "play"]'
    elif holder == "s" and name not in fields:
        yield f"s.{name}: " + (
            f"a number of the rules: write n.{name}"
            if name in numbers
            else f"no such component{did_you_mean(name, fields)}"
        )
    elif holder == "n" and name not in numbers:
        yield f"n.{name}: " + (
            f"it lies on the table: write s.{name}"
            if name in game.components
            else f"no such number{did_you_mean(name, numbers)}"
        )
    elif holder in ("random", "np", "numpy"):
        yield f"{holder}.{name}: luck is die(s, 6), chance(s, 30) or shuffle(s, s.deck), which a seed reaches"


def _of_call(game: ShortGame, node: ast.Call, inside: str, is_bot: bool) -> Iterator[str]:
    called = node.func.id if isinstance(node.func, ast.Name) else ""
    if is_bot and called in ("die", "roll_all", "chance", "shuffle"):
        yield f"{called} is the game's luck: a player has its own, maybe(s, 30) or any_of(s, legal)"
    if isinstance(node.func, ast.Attribute) and node.func.attr in ("append", "pop", "remove", "insert"):
        yield f".{node.func.attr}(): cards go by words: put, take, move, draw"
    if called == inside:
        yield f"{called} calls itself: write a loop"
    if called == "len" and node.args and (pile := _pile_in(game, node.args[0])):
        yield f"len({pile}) is the room there is: write size({pile})"
    if called == "leader" and not game.has_score:
        yield "leader needs points: write def score(s, n, who)"
    if called in ("input", "open", "eval", "exec"):
        yield f"{called}: a rule reads nothing but s and n"
    function = getattr(words, called, None) if called in words.__all__ else None
    takes = inspect.signature(getattr(function, "py_func", function)).parameters if function else None
    if takes is None and called in game.functions:
        needed = [one.arg for one in game.functions[called].args.args]
        least = len(needed) - len(game.functions[called].args.defaults)
    elif takes is not None:
        needed = list(takes)
        least = sum(one.default is inspect.Parameter.empty for one in takes.values())
    else:
        return
    if not least <= len(node.args) + len(node.keywords) <= len(needed):
        yield f"{called} is given {len(node.args)} values: write {called}({', '.join(needed)})"
    elif needed[:1] == ["s"] and not (isinstance(node.args[0], ast.Name) and node.args[0].id == "s"):
        yield f"{called} begins with s: write {called}({', '.join(needed)})"


def _of_assignment(game: ShortGame, node: ast.Assign | ast.AugAssign, is_bot: bool) -> Iterator[str]:
    for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
        if isinstance(target, ast.Name) and target.id in {*game.components, *game.numbers}:
            yield _unknown(game, target.id, set())
        holder = target
        while isinstance(holder, (ast.Subscript, ast.Attribute)) and not isinstance(
            getattr(holder, "value", None), ast.Name
        ):
            holder = holder.value  # type: ignore[assignment]
        inside = getattr(getattr(holder, "value", None), "id", "")
        if inside == "n" and isinstance(holder, ast.Attribute):
            yield f"n.{holder.attr} is a number of the rules, which do not change: keep it in a Counter()"
        if inside == "s" and is_bot:
            yield "a player looks at s and changes nothing in it"
        if inside == "s" and isinstance(target, ast.Attribute):
            part = game.components.get(target.attr)
            if isinstance(part, c.Stack):
                yield f"s.{target.attr} is cards: move, move_all, draw and put change them"
            elif part is not None and part.each:
                yield f"whose s.{target.attr}? write s.{target.attr}[s.me]"
            elif isinstance(part, (c.Row, c.Grid)):
                yield f"s.{target.attr} has places: write s.{target.attr}[i], or s.{target.attr}[:] for all"


def _pile_in(game: ShortGame, node: ast.expr) -> str:
    """`s.hand[s.me]` where an expression is cards, else ""."""
    of = node.value if isinstance(node, ast.Subscript) else node
    if isinstance(of, ast.Attribute) and isinstance(game.components.get(of.attr), c.Stack):
        return ast.unparse(node)
    return ""


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
