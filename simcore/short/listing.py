"""Lists of the legal actions of a short game, by loops over arguments that are pruned early.

Plain enumeration calls `can_...` for every combination of arguments. That would take most of the time of a
random game. `can_...` is therefore split into conditions, and each is tested in the outermost loop in which
its arguments are known. This is done only for conditions that can neither fail nor change the game
(`proofs`). From the first condition without such a proof, `can_...` itself is called in the innermost loop.
The list contains the same actions in the same order as plain enumeration; `check` compares both.
"""

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field

from bartizan.simcore.short import components as c
from bartizan.simcore.short.proofs import Known, Proofs, Span, UnprovenError, Value
from bartizan.simcore.short.reading import Action, Argument, ShortGame

MOST_KINDS = 62  # kinds of cards that a 64-bit mask can represent
PASSED = {"s": "state", "n": "tables"}  # names in the rules -> names in the listing of actions


@dataclass
class ActionLoops:
    """The loops over the actions of one kind, as source text. functions: functions that the loops call."""

    lines: list[str] = field(default_factory=list)
    functions: list[str] = field(default_factory=list)
    depth: int = 0
    is_cut: bool = False  # differs from plain enumeration

    def add(self, line: str) -> None:
        """Add a line. All following lines are inside a line that ends with a colon."""
        self.lines.append("    " * self.depth + line)
        self.depth += line.endswith(":")


@dataclass(frozen=True)
class Clause:
    """A part of `can_...`: a required condition, or an assignment to local names.

    level: number of arguments that must be known.
    """

    level: int
    value: ast.expr
    target: ast.expr | None = None


def enumerated(game: ShortGame, action: Action, is_masked: bool = False) -> ActionLoops:
    """Return loops that call `can_...` for every combination of arguments.

    is_masked: use a mask of the kinds seen so far.
    """
    listed = ActionLoops()
    for argument in action.arguments:
        _loop(game, listed, argument, is_masked=is_masked)
    if action.has_condition:
        listed.add(f"if {_asked(action)}:")
    return listed


def cut(game: ShortGame, action: Action, proofs: Proofs) -> ActionLoops:
    """Return loops that list the same actions in the same order as `enumerated`, with fewer tests."""
    listed = enumerated(game, action, is_masked=True)
    return _Cut(game, action, proofs).listed(listed) if action.has_condition else listed


def _asked(action: Action) -> str:
    return f"can_{action.name}({', '.join(['state', 'tables', *(one.name for one in action.arguments)])})"


def _loop(
    game: ShortGame,
    listed: ActionLoops,
    argument: Argument,
    bounds: Sequence[str] = (),
    is_masked: bool = True,
    is_wanted: bool = False,
) -> None:
    """Add the loop over the values of an argument.

    bounds: (first, end) of the range, if conditions restrict it. is_wanted: loop only over the kinds of cards
    in a mask.
    """
    name, over = argument.name, argument.over
    if isinstance(over, c.Stack):
        pile = f"state.{game.name_of(over)}" + ("[state.me]" if over.each else "")
        if argument.values > MOST_KINDS or not is_masked:
            listed.add(f"for {name}_at in range(1, 1 + {pile}[0]):")
            listed.add(f"if words.is_first({pile}, {name}_at):")
            listed.add(f"{name} = {pile}[{name}_at]")
            return
        listed.is_cut = True
        seen = f"~{name}_wanted" if is_wanted else "0"
        listed.add(f"{name}_seen, {name}_before = {seen}, words.NO_CARD  # a bit for each kind")
        listed.add(f"for {name}_at in range(1, 1 + {pile}[0]):")
        if is_wanted:
            listed.add(f"if {name}_seen == -1: break")
        listed.add(f"{name} = {pile}[{name}_at]")
        listed.add(f"if {name} != {name}_before and words.is_unseen({pile}, {name}_at, {name}_seen):")
        listed.add(f"{name}_seen, {name}_before = {name}_seen | words.bit_of({name}), {name}")
    elif isinstance(over, c.Seats):
        listed.add(f"for {name} in range(state.players):")
        listed.add(f"if not state.out[{name}]{'' if over.me else f' and {name} != state.me'}:")
    elif isinstance(over, range) and not bounds:
        listed.add(f"for {name} in {over!r}:")
    elif isinstance(over, c.Places) and isinstance(over.of, c.Stack):
        pile = f"state.{game.name_of(over.of)}" + ("[state.me]" if over.of.each else "")
        listed.add(f"for {name} in range({pile}[0]):")
    else:
        listed.add(f"for {name} in range({', '.join(bounds) or argument.values}):")


class _Cut:
    """One kind of action while its conditions are analysed."""

    def __init__(self, game: ShortGame, action: Action, proofs: Proofs):
        self.game, self.action, self.proofs = game, action, proofs
        self.function = game.functions[f"can_{action.name}"]
        self.names = [one.name for one in action.arguments]
        self.levels = {name: level for level, name in enumerate(self.names, 1)}
        self.known: Known = {one.name: proofs.of_argument(one.over) for one in action.arguments}
        self.stored = [
            one.id
            for one in ast.walk(self.function)
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
        ]
        self.given: dict[str, Clause] = {}  # local names, each assigned once
        self.steps: list[Clause] = []
        self.rest: list[ast.stmt] = []  # statements other than conditions: loops
        self.is_whole = not set(self.stored) & {*self.names, *PASSED}
        if self.is_whole:
            self._read(self.function.body)

    # ------------------------------------------------------------ analysis

    def _read(self, body: Sequence[ast.stmt]) -> None:
        """Fill `steps` with the proved parts of the rule, in its order.

        Sets `is_whole` to False unless the steps and `rest` together are equivalent to the rule.
        """
        for at, statement in enumerate(body):
            match statement:
                case ast.Expr(value=ast.Constant()):
                    continue
                case ast.Assign(targets=[target], value=value) if self._assigns_once(target):
                    if not self._give(target, value):
                        return
                    continue
                case ast.If(test=test, body=[ast.Return(value=ast.Constant(value=False))], orelse=[]):
                    if not self._need(_negated(test)):
                        return
                    continue
            formula = _formula(body[at:])
            if formula is None:
                try:
                    self.proofs.returned(body[at:], dict(self.known))
                    self.rest = list(body[at:])
                except UnprovenError:
                    self.is_whole = False
            else:
                self._need(formula)
            return
        self.is_whole = False  # it ends without a result

    def _assigns_once(self, target: ast.expr) -> bool:
        parts = target.elts if isinstance(target, ast.Tuple) else [target]
        return all(isinstance(one, ast.Name) and self.stored.count(one.id) == 1 for one in parts)

    def _give(self, target: ast.expr, value: ast.expr) -> bool:
        """Add an assignment to a local name. Returns False if no proof is found for its value."""
        try:
            found = self.proofs.value(value, self.known)
        except UnprovenError:
            self.is_whole = False
            return False
        parts = target.elts if isinstance(target, ast.Tuple) else [target]
        if isinstance(target, ast.Tuple) and not (isinstance(found, tuple) and len(found) == len(parts)):
            self.is_whole = False
            return False
        values: tuple[Value, ...] = found if isinstance(target, ast.Tuple) else (found,)  # type: ignore[assignment]
        step = Clause(self._level(value), value, target)
        for one, span in zip(parts, values, strict=True):
            self.known[one.id] = span  # type: ignore[attr-defined]
            self.given[one.id] = step  # type: ignore[attr-defined]
        self.steps.append(step)
        return True

    def _need(self, condition: ast.expr) -> bool:
        """Add a required condition. Returns False if no proof is found for a part of it."""
        for part in self._conjuncts(condition):
            if not self.proofs.is_total(part, self.known):
                self.is_whole = False
                return False
            self.steps.append(Clause(self._level(part), part))
        return True

    def _conjuncts(self, node: ast.expr) -> Iterator[ast.expr]:
        """Split a condition at its `and`, and yield the parts in order of evaluation."""
        match node:
            case ast.BoolOp(op=ast.And(), values=parts):
                for part in parts:
                    yield from self._conjuncts(part)
            case ast.UnaryOp(op=ast.Not(), operand=ast.BoolOp(op=ast.Or(), values=parts)):
                for part in parts:
                    yield from self._conjuncts(_negated(part))
            case ast.UnaryOp(op=ast.Not(), operand=ast.UnaryOp(op=ast.Not(), operand=inner)):
                yield from self._conjuncts(inner)
            case ast.Compare(left=left, ops=[first, second], comparators=[ast.Name() as middle, right]):
                yield ast.Compare(left, [first], [middle])
                yield ast.Compare(middle, [second], [right])
            case ast.Name(id=name) if self._is_conjunction(name):
                yield from self._conjuncts(self.given[name].value)
            case _:
                yield node

    def _is_conjunction(self, name: str) -> bool:
        """Return whether a local name is assigned the value of an `and` and is used only once."""
        step, uses = (
            self.given.get(name),
            [one for one in ast.walk(self.function) if getattr(one, "id", "") == name],
        )
        is_and = (
            step is not None and isinstance(step.value, ast.BoolOp) and isinstance(step.value.op, ast.And)
        )
        return is_and and isinstance(step.target, ast.Name) and len(uses) == 2  # type: ignore[union-attr]

    def _level(self, node: ast.AST) -> int:
        """Return the number of arguments that must be known to evaluate an expression."""
        names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
        return max(
            (self.given[name].level if name in self.given else self.levels.get(name, 0) for name in names),
            default=0,
        )

    # ------------------------------------------------------------ listing

    def listed(self, uncut: ActionLoops) -> ActionLoops:
        listed = ActionLoops()
        last = len(self.names)
        needs = [step for step in self.steps if step.target is None]
        for level in range(last + 1):
            own = [step.value for step in needs if step.level == level]
            if level:
                argument = self.action.arguments[level - 1]
                if own and self._is_searched(argument):
                    self._want(listed, level, argument, own)
                    own = []
                else:
                    bounds = self._bounds(argument, [step for step in needs if step.level == level])
                    listed.is_cut |= bool(bounds)
                    _loop(self.game, listed, argument, bounds)
            hoped = [
                hope for step in needs if step.level > level and (hope := self._hoped(step.value, level))
            ]
            own += [one for one in hoped if not level or not self._was_hoped(one, needs, level - 1)]
            deeper = [step.value for step in needs if step.level > level]
            self._ask(listed, level, own, deeper)
            rest = self._rest(listed, level) if self.rest else ""
            if rest:
                listed.add(f"if {rest}:")
            listed.is_cut |= bool(own or rest)
        if not self.is_whole:
            listed.add(f"if {_asked(self.action)}:")
        return listed if listed.is_cut else uncut

    def _is_searched(self, argument: Argument) -> bool:
        """Return whether an argument is a card of a large pile whose cards all belong to its deck."""
        is_large = (
            isinstance(argument.over, c.Stack) and not argument.over.each and argument.values <= MOST_KINDS
        )
        return is_large and self.proofs.cards_hold

    def _want(self, listed: ActionLoops, level: int, argument: Argument, needs: list[ast.expr]) -> None:
        """Add the loop over the cards of a pile that satisfy conditions.

        The conditions are tested in advance for each kind.
        """
        name = argument.name
        asked = ActionLoops()
        asked.add(f"{name}_wanted = 0")
        asked.add(f"for {name} in range({argument.values}):")
        self._ask(asked, level, needs, [])
        asked.add(f"{name}_wanted |= 1 << {name}")
        listed.lines += ["    " * listed.depth + line for line in asked.lines]
        listed.add(f"if {name}_wanted != 0:")
        _loop(self.game, listed, argument, is_wanted=True)

    def _was_hoped(self, hope: ast.expr, needs: list[Clause], level: int) -> bool:
        """Return whether an outer loop already has the same test."""
        said = ast.dump(hope)
        return any(
            (before := self._hoped(step.value, level)) is not None and ast.dump(before) == said
            for step in needs
            if step.level > level
        )

    def _ask(self, listed: ActionLoops, level: int, needs: list[ast.expr], deeper: list[ast.expr]) -> None:
        """Add lines that test conditions in order.

        They also assign the names needed by these conditions or by inner loops.
        """
        ahead = [step for step in self.steps if step.target is not None and step.level == level]
        together: list[str] = []

        def give(users: Iterable[ast.expr]) -> None:
            wanted = self._names_in(users)
            for step in list(ahead):
                if wanted & _targets(step):
                    if together:
                        listed.add(f"if {' and '.join(together)}:")
                        together.clear()
                    listed.add(f"{self._text(step.target)} = {self._text(step.value)}")
                    ahead.remove(step)

        for need in needs:
            give([need])
            text = self._text(need)
            together.append(
                text if isinstance(need, (ast.Compare, ast.Call, ast.Name, ast.Attribute)) else f"({text})"
            )
        if together:
            listed.add(f"if {' and '.join(together)}:")
            together.clear()
        give(deeper)

    def _names_in(self, nodes: Iterable[ast.AST]) -> set[str]:
        """Return the local names that expressions need, directly or indirectly."""
        found: set[str] = set()
        ahead = list(nodes)
        while ahead:
            for one in ast.walk(ahead.pop()):
                name = getattr(one, "id", "")
                if name in self.given and name not in found:
                    found |= {name, *_targets(self.given[name])}
                    ahead.append(self.given[name].value)
        return found

    def _text(self, node: ast.AST | None) -> str:
        """Return the source text of an expression, with the names that the loops use."""
        names = PASSED | {name: f"{self.action.name}__{name}" for name in self.given}
        return ast.unparse(_Renamed(names).visit(deepcopy(node)))

    def _bounds(self, argument: Argument, steps: list[Clause]) -> tuple[str, ...]:
        """Return (first, end) of the loop over an argument if conditions restrict its range, otherwise ()."""
        if isinstance(argument.over, (c.Stack, c.Seats)) or (
            isinstance(argument.over, range) and argument.over.step != 1
        ):
            return ()
        if isinstance(argument.over, c.Places) and isinstance(argument.over.of, c.Stack):
            return ()
        span = self.known[argument.name]
        assert isinstance(span, Span)
        low, high = int(span.low), int(span.high)
        firsts, ends = [], []
        for step in steps:
            operator, other = _bound(step.value, argument.name) or (None, step.value)
            if not isinstance(other, _PLAIN) or self._level(other) >= self.levels[argument.name]:
                continue
            text = self._text(other)
            match operator:  # none of these sums overflows
                case ast.Eq() | ast.GtE():
                    firsts.append(text)
                case ast.Gt():
                    firsts.append(f"max({low - 1}, {text}) + 1")
            match operator:
                case ast.Eq() | ast.LtE():
                    ends.append(f"min({high}, {text}) + 1")
                case ast.Lt():
                    ends.append(text)
        if not firsts and not ends:
            return ()
        first = f"max({', '.join([str(low), *firsts])})" if firsts else str(low)
        return first, f"min({', '.join([str(high + 1), *ends])})" if ends else str(high + 1)

    # ------------------------------------------------------------ conditions that may still be met

    def _hoped(self, node: ast.expr, level: int) -> ast.expr | None:
        return _hope(node, lambda part: self._level(part) > level)

    def _rest(self, listed: ActionLoops, level: int) -> str:
        """Add a function to `listed` that tests whether the unproved statements may still allow the action.

        Return the source text of its call, or "" if no test is possible.
        """
        unknown = set(self.names[level:])
        body = _Hoping(self, unknown, level).hoped(self.rest)
        is_open = not body or (isinstance(body[0], ast.Return) and ast.unparse(body[0]) == "return True")
        if is_open or (level and not any(self._level(one) == level for one in _asked_in(body))):
            return ""
        known = self.names[:level]
        given = [step for step in self.steps if step.target and step.level <= level]
        wanted = self._names_in(body)
        lets = [ast.Assign([step.target], step.value, lineno=0) for step in given if _targets(step) & wanted]
        name = f"may_{self.action.name}_{level}"
        parameters = ", ".join(["s", "n", *known])
        text = "\n".join(ast.unparse(one) for one in [*lets, *body])
        listed.functions.append(f"def {name}({parameters}):\n    " + text.replace("\n", "\n    "))
        return f"{name}({', '.join(['state', 'tables', *known])})"


class _Hoping:
    """Conversion of statements into a test.

    The test returns True if the statements return True for some value of the unknown arguments.
    """

    def __init__(self, cut: _Cut, unknown: set[str], level: int):
        self.cut, self.level = cut, level
        self.unknown = unknown | {name for name, step in cut.given.items() if step.level > level}
        self.is_unknown_loop = False

    def hoped(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        before: set[str] = set()
        while before != self.unknown:  # names assigned under unknown conditions are unknown
            before = set(self.unknown)
            for statement in body:
                self._spread(statement)
        return self._statements(body)

    def _is_unknown(self, node: ast.AST) -> bool:
        return any(getattr(one, "id", "") in self.unknown for one in ast.walk(node))

    def _spread(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign(value=value) | ast.AugAssign(value=value) if self._is_unknown(value):
                self.unknown |= _stored(node)
            case ast.If(test=test) if self._is_unknown(test):
                self.unknown |= _stored(node)
            case ast.For(iter=over) if self._is_unknown(over):
                self.unknown |= _stored(node)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt):
                self._spread(child)

    def _statements(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        for statement in body:
            found += self._statement(statement)
            if found and isinstance(found[-1], ast.Return):
                break
        return found

    def _statement(self, node: ast.stmt) -> list[ast.stmt]:
        match node:
            case ast.Return(value=ast.expr() as value):
                hope = _hope(value, self._is_unknown)
                if hope is None or not self.is_unknown_loop:
                    return [ast.Return(hope if hope is not None else ast.Constant(True))]
                return [ast.If(hope, [ast.Return(ast.Constant(True))], [])]
            case ast.If(test=test, body=body, orelse=orelse) if not self._is_unknown(test):
                then, other = self._statements(body), self._statements(orelse)
                return [ast.If(test, then or [ast.Pass()], other)] if then or other else []
            case ast.If(test=test, body=[ast.Return(value=ast.Constant(value=False))], orelse=[]):
                sure = _hope(test, self._is_unknown, is_certain=True)
                return [ast.If(sure, node.body, [])] if sure is not None and not self.is_unknown_loop else []
            case ast.If(test=test, body=[ast.Return(value=ast.expr() as value)], orelse=[]):
                hopes = [
                    one
                    for one in (_hope(test, self._is_unknown), _hope(value, self._is_unknown))
                    if one is not None
                ]
                if not hopes:
                    return [ast.Return(ast.Constant(True))]
                return [ast.If(_together(ast.And(), hopes), [ast.Return(ast.Constant(True))], [])]
            case ast.For(target=target, iter=over, body=body, orelse=[]) if not self._is_unknown(over):
                inner = self._statements(body)
                return [ast.For(target, over, inner, [], lineno=0)] if inner else []
            case ast.For(target=target, iter=over, body=body, orelse=[]):
                before, self.is_unknown_loop = self.is_unknown_loop, True
                inner = self._statements(body)
                self.is_unknown_loop = before
                return inner
            case ast.Assign() | ast.AugAssign() if not self._is_unknown(node.value):
                return [node] if not self.is_unknown_loop else []
            case ast.Assign() | ast.AugAssign() | ast.Pass():
                return []
            case ast.Expr(value=ast.Constant()):
                return []
        return [ast.Return(ast.Constant(True))]


# ---------------------------------------------------------------- expressions

_PLAIN = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant)
_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    **{ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt, ast.Eq: ast.NotEq},
    **{ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In},
}
_MIRRORED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt,
    ast.Gt: ast.Lt,
    ast.LtE: ast.GtE,
    ast.GtE: ast.LtE,
    ast.Eq: ast.Eq,
}


class _Renamed(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]):
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.copy_location(ast.Name(self.names.get(node.id, node.id), node.ctx), node)


def _hope(node: ast.expr, is_unknown: Callable[[ast.AST], bool], is_certain: bool = False) -> ast.expr | None:
    """Return a condition that is true whenever `node` is true for some value of its unknown parts.

    Returns None if there is none. is_certain: instead, return a condition that implies `node` for every
    value.
    """
    if not is_unknown(node):
        return node
    match node:
        case ast.BoolOp(op=operator, values=parts):
            found = [_hope(part, is_unknown, is_certain) for part in parts]
            one_is_enough = isinstance(operator, ast.And) != is_certain
            return _together(operator, found) if one_is_enough or None not in found else None
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            hope = _hope(inner, is_unknown, not is_certain)
            return _negated(hope) if hope is not None else None
    return None


def _negated(node: ast.expr) -> ast.expr:
    match node:
        case ast.Compare(left=left, ops=[operator], comparators=other) if type(operator) in _OPPOSITE:
            return ast.Compare(left, [_OPPOSITE[type(operator)]()], other)
    return ast.UnaryOp(ast.Not(), node)


def _together(operator: ast.boolop, parts: Sequence[ast.expr | None]) -> ast.expr | None:
    """Join the known parts by an operator; None if no part is known."""
    found = [one for one in parts if one is not None]
    return ast.BoolOp(operator, found) if len(found) > 1 else found[0] if found else None


def _formula(body: Sequence[ast.stmt]) -> ast.expr | None:
    """Return the result of statements as one expression; None if they do more than test and return."""
    match body:
        case [ast.Return(value=ast.expr() as value), *_]:
            return value
        case [ast.If(test=test, body=then, orelse=orelse), *others]:
            if (first := _formula(then)) is not None and (last := _formula([*orelse, *others])) is not None:
                return ast.IfExp(test, first, last)
    return None


def _bound(node: ast.expr, name: str) -> tuple[ast.cmpop, ast.expr] | None:
    """Return (operator, other side) of a condition that compares a name with a value, otherwise None."""
    match node:
        case ast.Compare(left=ast.Name(id=left), ops=[operator], comparators=[other]) if left == name:
            return operator, other
        case ast.Compare(left=other, ops=[operator], comparators=[ast.Name(id=right)]) if right == name:
            mirrored = _MIRRORED.get(type(operator))
            return (mirrored(), other) if mirrored else None
    return None


def _asked_in(body: Sequence[ast.stmt]) -> list[ast.expr]:
    """Return the conditions of branches and the results of `return` in statements."""
    nodes = [one for statement in body for one in ast.walk(statement)]
    tests = [one.test for one in nodes if isinstance(one, (ast.If, ast.IfExp))]
    return tests + [one.value for one in nodes if isinstance(one, ast.Return) and one.value]


def _targets(step: Clause) -> set[str]:
    return {one.id for one in ast.walk(step.target) if isinstance(one, ast.Name)} if step.target else set()


def _stored(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
