"""Rules of a short game that reveal information by testing hidden cards, determined from their source text.

A wrong guess shows all players that the card is not in that hand. Hidden cards are redealt according to the
moves that put them in their places (`provenance`). A test is not a move, so the redeal would ignore its
information. A helper of the designer can describe it (`fits=`); otherwise, every question that redeals cards
names the line.

The result of a test is followed through names, helpers and their parameters to everything that a player can
observe: a branch, a number on the table, a line of the log, the player to move. A revealed card gives no
information beyond itself. A branch on the deciding player's own hand is part of that player's choice, like
the conditions of legal actions, and redealing ignores choices. A number computed from that hand does give
information.
"""

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from bartizan.simcore.documentation import page
from bartizan.simcore.short import components as c
from bartizan.simcore.short.reading import (
    HOOKS,
    JUDGING,
    ShortGame,
    assigned_pairs,
    calls,
    name_called,
    nodes_of,
)

Stacks = frozenset[c.Stack]
NO_STACKS: Stacks = frozenset()
Numbers = frozenset[str]  # components that are not piles, and the phase, by name
NO_NUMBERS: Numbers = frozenset()
READS = ("top", "cards", "count", "has", "most_of_a_kind", "longest_run")  # (pile, ...)
# word -> the argument that is the target, if it has one
TAKES = {"draw": 1, "draw_or_reshuffle": 3, "take": -1}
SHOWING = ("say", "pass_to", "eliminate", "ask_player", "lay")  # words that show their arguments
WRITTEN = f"describe what it reveals with a helper, fits=_fits (see {page('short-cards')})"


ME = "s.me"


@dataclass(frozen=True)
class CardTest:
    """A test of hidden cards.

    whose: the owner of the cards: `ME`, or a parameter that is a player or a hand; "" for any player.
    """

    words: str
    whose: str = ""


CardTests = frozenset[CardTest]
NO_TESTS: CardTests = frozenset()


@dataclass(frozen=True)
class Told:
    """A place in the rules where the face of a hidden card affects something that players can observe."""

    line: int
    what: str
    numbers: Numbers = NO_NUMBERS  # written there


def numbers_from_hidden(game: ShortGame) -> dict[str, str]:
    """Map components, and the phase, to the first place where hidden cards affect their value.

    Three kinds of component are left out: piles, components that declare who sees them, and components that
    a helper for hidden cards reads.
    """
    places: dict[str, str] = {}
    for one in sorted(_Telling(game, follows_numbers=True).found(), key=lambda one: one.line):
        for name in one.numbers:
            places.setdefault(name, f"{game.path.name}:{one.line}: {one.what}")
    return places


def described_numbers(game: ShortGame) -> dict[str, bool]:
    """Map each component that a helper for hidden cards reads to True if it is a private note, else False.

    The helpers are `known` and `fits`.

    A component is a private note if a `known` helper reads it, or if a `fits` helper reads the entry of the
    player who asks.
    """
    found: dict[str, bool] = {}
    stacks = [part for part in game.components.values() if isinstance(part, c.Stack)]
    for part, helper in ((one, helper) for one in stacks for helper in (one.known, one.fits) if helper):
        function = game.functions[helper.__name__]
        asker, nodes = _parameters(function)[2], nodes_of(function)
        own = [one for one in nodes if isinstance(one, ast.Subscript) and _first_index(one) == asker]
        for one in nodes:
            if isinstance(one, ast.Attribute):
                is_note = helper is part.known or any(one is of.value for of in own)
                found[one.attr] = found.get(one.attr, False) or is_note
    return found


def told_by_rules(game: ShortGame) -> str:
    """Return `FILE:LINE: ...` of the first place where the rules reveal a hidden card (`Told`).

    The text lists the lines of all other places. Returns "" if there is none.
    """
    found = {one.line: one.what for one in _Telling(game).found()}
    if not found:
        return ""
    first, *others = sorted(found)
    also = f" (also lines {', '.join(map(str, others))})" if others else ""
    return (
        f"{game.path.name}:{first}: {found[first]} reveals something about cards that players do not "
        f"see{also}, but redealing ignores it: {WRITTEN}"
    )


def kept_numbers(game: ShortGame) -> str:
    """Return `FILE:LINE: ...` of the first private number; "" if there is none.

    Redealing does not change a private number.
    """
    for name, part in game.components.items():
        if not isinstance(part, c.Stack) and part.seen in (c.Seen.OWNER, c.Seen.NOBODY):
            return (
                f'{game.path.name}:{game.line_of(name)}: {name} has seen="{part.seen}", but redealing '
                "changes only cards: lookahead policies use its true value"
            )
    return ""


class _Telling:
    """Facts about the functions of a game, extended until nothing new is found."""

    def __init__(self, game: ShortGame, follows_numbers: bool = False):
        self.game = game
        # also follow what helpers describe, what players choose from their own cards, and written numbers
        self.follows_numbers = follows_numbers
        self.functions = {name: game.functions[name] for name in self._rules()}
        self.piles: dict[tuple[str, str], Stacks] = {}  # (function, parameter) -> its possible piles
        # (function, parameter) or function -> the tests whose results it may contain or return
        self.tainted: dict[tuple[str, str], CardTests] = {}
        self.returning: dict[str, CardTests] = {}
        # (function, parameter) that may be another player than the one who decides, or that player's hand
        self.others = {
            (action.name, one) for action in game.actions for one in _parameters(self.functions[action.name])
        }
        self.rows: dict[tuple[str, str], Numbers] = {}  # (function, parameter) -> components
        self.writes: dict[str, Numbers] = {}  # function -> components that it writes
        self.written: dict[str, CardTests] = {}  # component that is not a pile -> tests that it depends on
        self.numbers = {
            name
            for name, part in game.components.items()
            if not isinstance(part, c.Stack) and not part.seen and name not in described_numbers(game)
        } | {"phase"}
        if follows_numbers:
            for action in game.actions:
                for one in action.arguments:
                    if isinstance(one.over, c.Stack) and self.is_hidden(frozenset([one.over])):
                        self.tainted[action.name, one.name] = frozenset([CardTest(one.name)])

    def _rules(self) -> list[str]:
        """Return the names of the functions that simulations use.

        Policies, conditions of legal actions, and the score are left out.
        """
        game = self.game
        hooks = [name for name in HOOKS if name not in JUDGING]
        return functions_from(game, [*(action.name for action in game.actions), *hooks], JUDGING)

    def found(self) -> list[Told]:
        told: list[Told] = []
        known: object = None
        while known != (
            known := (
                *map(dict, (self.piles, self.tainted, self.returning, self.rows, self.writes, self.written)),
                len(self.others),
            )
        ):
            told = [one for name in self.functions for one in _Function(self, name).told()]
        return told

    def is_hidden(self, stacks: Stacks) -> bool:
        """Return whether a card in these piles may be hidden from a player and no helper describes it.

        The helper would describe the revealed information.
        """
        return any(one.seen != c.Seen.OPEN and (self.follows_numbers or one.fits is None) for one in stacks)


class _Function:
    def __init__(self, telling: _Telling, name: str):
        self.all, self.game, self.name = telling, telling.game, name
        self.node = telling.functions[name]
        self.piles = {
            parameter: stacks for (owner, parameter), stacks in telling.piles.items() if owner == name
        }
        # name -> the tests whose results it may contain
        self.names = {
            parameter: tests for (owner, parameter), tests in telling.tainted.items() if owner == name
        }
        self.values: dict[str, list[ast.expr]] = {}  # name -> its assigned values
        self.turned_up: set[str] = set()  # names of revealed cards
        # (line, piles) of shuffles on all branches: earlier information about those piles is void
        self.shuffles = [
            (one.lineno, self._stacks(one.value.args[1]))
            for one in self.node.body
            if isinstance(one, ast.Expr) and isinstance(one.value, ast.Call)
            if name_called(one.value) == "shuffle" and len(one.value.args) == 2
        ]

    def told(self) -> Iterator[Told]:
        self._follow_names()
        self._note_calls()
        if self.all.follows_numbers:
            self.all.writes[self.name] = self._writes([self.node])
        for node in nodes_of(self.node):
            if isinstance(node, ast.Return) and node.value and (tests := self._tests_in(node.value)):
                self.all.returning[self.name] = self.all.returning.get(self.name, NO_TESTS) | tests
            is_branch = isinstance(node, (ast.If, ast.While, ast.IfExp))
            for shown, numbers in self._shown(node):
                for test in self._tests_in(shown):
                    if self.all.follows_numbers or not (is_branch and self._is_own(test.whose)):
                        yield Told(shown.lineno, test.words, numbers)
                        for name in numbers:
                            self.all.written[name] = self.all.written.get(name, NO_TESTS) | {test}

    # ------------------------------------------------------------ observable expressions

    def _shown(self, node: ast.AST) -> Iterator[tuple[ast.expr, Numbers]]:
        """Yield expressions whose value a player can observe, and the components that depend on it."""
        if isinstance(node, (ast.If, ast.While, ast.IfExp)):
            yield node.test, self._written_under(node) if self.all.follows_numbers else NO_NUMBERS
        elif isinstance(node, (ast.Assign, ast.AugAssign)):
            pairs = assigned_pairs(node) if isinstance(node, ast.Assign) else [(node.target, node.value)]
            for targets, value in pairs:
                for target in _elements(targets):
                    if not isinstance(target, ast.Name):
                        numbers = self._numbers(target)
                        yield value, numbers
                        indices = (one.slice for one in ast.walk(target) if isinstance(one, ast.Subscript))
                        yield from ((index, numbers) for index in indices)
        elif isinstance(node, ast.Call) and name_called(node) in SHOWING:
            numbers = self._numbers(node.args[0]) if name_called(node) == "lay" else NO_NUMBERS
            yield from ((argument, numbers) for argument in node.args[1:])

    def _written_under(self, branch: ast.If | ast.While | ast.IfExp) -> Numbers:
        """Return the components whose values depend on a branch.

        If the branch may leave the function or a loop, they include everything that is written after it.
        """
        later: list[ast.AST] = []
        if any(isinstance(one, (ast.Return, ast.Break, ast.Continue)) for one in ast.walk(branch)):
            later = [one for one in nodes_of(self.node) if getattr(one, "lineno", 0) > branch.lineno]
        return self._writes([branch, *later])

    def _writes(self, nodes: Iterable[ast.AST]) -> Numbers:
        """Return the state components that the given nodes assign, directly or in helpers that they call."""
        found = NO_NUMBERS
        for node in (one for of in nodes for one in ast.walk(of)):
            if isinstance(node, (ast.Assign, ast.AugAssign)):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                written = (one for of in targets for one in _elements(of) if not isinstance(one, ast.Name))
                found = found.union(*map(self._numbers, written))
            elif isinstance(node, ast.Call):
                found |= self.all.writes.get(name_called(node), NO_NUMBERS)
                found |= self._numbers(node.args[0]) if name_called(node) == "lay" else NO_NUMBERS
        return found

    def _numbers(self, node: ast.AST, aliases: tuple[str, ...] = ()) -> Numbers:
        """Return the components that are not piles, or the phase, to which an expression may refer."""
        if isinstance(node, ast.Subscript):
            return self._numbers(node.value, aliases)
        if isinstance(node, ast.Attribute):
            return frozenset([node.attr]) & self.all.numbers
        if not isinstance(node, ast.Name) or node.id in aliases:
            return NO_NUMBERS
        values = self.values.get(node.id, ())
        return self.all.rows.get((self.name, node.id), NO_NUMBERS).union(
            *(self._numbers(one, (*aliases, node.id)) for one in values)
        )

    # ------------------------------------------------------------ names, and arguments of helpers

    def _follow_names(self) -> None:
        assignments = [one for one in nodes_of(self.node) if isinstance(one, (ast.Assign, ast.AugAssign))]
        loops = [one for one in nodes_of(self.node) if isinstance(one, ast.For)]
        branches = [
            one
            for one in nodes_of(self.node)
            if isinstance(one, (ast.If, ast.While)) and self.all.follows_numbers
        ]
        for call in calls(self.node):
            is_put = name_called(call) == "put" and len(call.args) == 2
            is_moved = name_called(call) in ("move", "discard") and len(call.args) == 3
            if (is_put or is_moved) and self._is_open(call.args[0 if is_put else 2]):
                self.turned_up |= {one.id for one in [call.args[1]] if isinstance(one, ast.Name)}
        self.names = {name: tests for name, tests in self.names.items() if name not in self.turned_up}
        pairs = [(loop.target, loop.iter) for loop in loops]
        for one in assignments:
            pairs += assigned_pairs(one) if isinstance(one, ast.Assign) else [(one.target, one.value)]
        for target, value in pairs:
            for name in ast.walk(target):
                if isinstance(name, ast.Name):
                    self.values.setdefault(name.id, []).append(value)
        before = None
        while before != (before := (dict(self.names), dict(self.piles))):
            for target, value in pairs:
                self._assign(target, value)
            for branch in branches:
                for one in ast.walk(branch):
                    if isinstance(one, (ast.Assign, ast.AugAssign)):
                        self._assign(
                            one.targets[0] if isinstance(one, ast.Assign) else one.target, branch.test
                        )

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name) and (stacks := self._stacks(value)):
            self.piles[target.id] = self.piles.get(target.id, NO_STACKS) | stacks
        elif tests := self._tests_in(value):
            for one in ast.walk(target):
                if (
                    isinstance(one, ast.Name)
                    and one.id not in self.turned_up
                    and isinstance(one.ctx, ast.Store)
                ):
                    self.names[one.id] = self.names.get(one.id, NO_TESTS) | tests

    def _note_calls(self) -> None:
        for call in calls(self.node):
            called = name_called(call)
            if called not in self.all.functions:
                continue
            for parameter, value in zip(_parameters(self.all.functions[called]), call.args, strict=False):
                key = called, parameter
                if not self._is_own(self._whose(value)):
                    self.all.others.add(key)
                self.all.rows[key] = self.all.rows.get(key, NO_NUMBERS) | self._numbers(value)
                if stacks := self._stacks(value):
                    self.all.piles[key] = self.all.piles.get(key, NO_STACKS) | stacks
                elif tests := self._tests_in(value):
                    self.all.tainted[key] = self.all.tainted.get(key, NO_TESTS) | tests

    # ------------------------------------------------------------ expressions

    def _stacks(self, node: ast.expr) -> Stacks:
        """Return the piles that an expression may refer to: `s.hand`, `s.hand[p]`, or a variable."""
        if isinstance(node, ast.Name):
            return self.piles.get(node.id, NO_STACKS)
        if isinstance(node, ast.IfExp):
            return self._stacks(node.body) | self._stacks(node.orelse)
        if isinstance(node, ast.Attribute):
            part = self.game.components.get(node.attr)
            return frozenset([part]) if isinstance(part, c.Stack) else NO_STACKS
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute):
            of = self._stacks(node.value)
            return of if all(one.each for one in of) and not isinstance(node.slice, ast.Tuple) else NO_STACKS
        return NO_STACKS

    def _is_hidden(self, node: ast.expr) -> bool:
        stacks = self._stacks(node)
        stacks -= {one for line, shuffled in self.shuffles if line > node.lineno for one in shuffled}
        return self.all.is_hidden(stacks)

    def _is_open(self, node: ast.expr) -> bool:
        stacks = self._stacks(node)
        return bool(stacks) and all(one.seen == c.Seen.OPEN for one in stacks)

    def _whose(self, node: ast.expr) -> str:
        """Return the player that an expression names, or the owner of its pile.

        The form is that of `CardTest.whose`.
        """
        if isinstance(node, ast.Subscript):
            return self._whose(node.slice)
        if isinstance(node, ast.Attribute):
            return ME if ast.unparse(node) == ME else ""
        if not isinstance(node, ast.Name):
            return ""
        if node.id not in self.values:
            return node.id if node.id in _parameters(self.node) else ""
        values = self.values[node.id]
        is_me = all(
            isinstance(one, (ast.Attribute, ast.Subscript)) and self._whose(one) == ME for one in values
        )
        return ME if is_me else ""

    def _is_own(self, whose: str) -> bool:
        return whose == ME or (whose != "" and (self.name, whose) not in self.all.others)

    def _test_of(self, words: ast.expr, pile: ast.expr) -> CardTests:
        is_theirs = all(one.seen == c.Seen.OWNER for one in self._stacks(pile))
        return frozenset([CardTest(ast.unparse(words), self._whose(pile) if is_theirs else "")])

    def _tests_in(self, node: ast.AST) -> CardTests:
        """Return the tests of hidden cards that an expression depends on."""
        if isinstance(node, ast.Name):
            return self.names.get(node.id, NO_TESTS)
        if isinstance(node, ast.Attribute) and node.attr in self.all.written:
            return self.all.written[node.attr] if self.all.follows_numbers else NO_TESTS
        if isinstance(node, ast.Compare) and _is_with_none(node):
            return NO_TESTS  # whether there is a card: all players can count the cards there
        if isinstance(node, ast.Call):
            return self._tests_in_call(node)
        if isinstance(node, ast.Subscript):
            of = self._stacks(node.value)
            if of and not self._stacks(node) and self._is_hidden(node.value) and not _is_size(node.slice):
                return self._test_of(node, node.value)
        return self._tests_in_all(ast.iter_child_nodes(node))

    def _tests_in_all(self, nodes: Iterable[ast.AST]) -> CardTests:
        return NO_TESTS.union(*map(self._tests_in, nodes))

    def _tests_in_call(self, call: ast.Call) -> CardTests:
        word, arguments = name_called(call), call.args
        if word in READS and arguments and self._is_hidden(arguments[0]):
            return self._test_of(call, arguments[0])
        if word == "who_has" and len(arguments) > 1 and self._is_hidden(arguments[1]):
            return frozenset([CardTest(ast.unparse(call))])
        if word in TAKES and arguments:
            source = arguments[1] if word == "draw_or_reshuffle" and len(arguments) > 1 else arguments[0]
            into = arguments[TAKES[word]] if 0 <= TAKES[word] < len(arguments) else None
            hides = into is None or not self._is_open(into)
            return self._test_of(call, source) if hides and self._is_hidden(source) else NO_TESTS
        if word in ("move", "discard") and arguments:
            seen = {one.seen for one in self._stacks(arguments[0]) if self.all.is_hidden(frozenset([one]))}
            is_seen_by_some = seen & {c.Seen.OWNER, c.Seen.OTHERS}
            return self._test_of(call, arguments[0]) if is_seen_by_some else NO_TESTS
        if word in self.all.returning:
            return frozenset(self._as_called(test, call) for test in self.all.returning[word])
        return NO_TESTS if word in ("size", "empty", "move_all") else self._tests_in_all(arguments)

    def _as_called(self, test: CardTest, call: ast.Call) -> CardTest:
        """Return a test in a helper that this function calls, with the argument in place of its parameter."""
        given = dict(zip(_parameters(self.all.functions[name_called(call)]), call.args, strict=False))
        return replace(test, whose=self._whose(given[test.whose])) if test.whose in given else test


def functions_from(game: ShortGame, names: Iterable[str], ignored: Sequence[str] = ()) -> list[str]:
    """Return the names of the given functions that exist, and of all functions that they call.

    Calls may be direct or indirect. Functions in `ignored` are left out.
    """
    ahead, found = list(names), []
    while ahead:
        name = ahead.pop()
        if name in game.functions and name not in found and name not in ignored:
            found.append(name)
            ahead += map(name_called, calls(game.functions[name]))
    return found


def _first_index(node: ast.Subscript) -> str:
    return ast.unparse(node.slice.elts[0] if isinstance(node.slice, ast.Tuple) else node.slice)


def _elements(target: ast.expr) -> list[ast.expr]:
    return target.elts if isinstance(target, ast.Tuple) else [target]


def _parameters(function: ast.FunctionDef) -> list[str]:
    return [one.arg for one in function.args.args]


def _is_with_none(node: ast.Compare) -> bool:
    return any(isinstance(one, ast.Name) and one.id == "NONE" for one in [node.left, *node.comparators])


def _is_size(index: ast.expr) -> bool:
    return isinstance(index, ast.Constant) and index.value == 0
