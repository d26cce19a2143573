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
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from bartizan.simcore.documentation import page
from bartizan.simcore.short import components as c
from bartizan.simcore.short.reading import HOOKS, JUDGING, ShortGame, assigned_pairs, calls, nodes_of

Stacks = frozenset[c.Stack]
NO_STACKS: Stacks = frozenset()
READS = ("top", "cards", "count", "has", "most_of_a_kind", "longest_run")  # (pile, ...)
# word -> the argument that is the target, if it has one
TAKES = {"draw": 1, "draw_or_reshuffle": 3, "take": -1}
SHOWING = ("say", "pass_to", "eliminate", "ask_player")  # words that show their arguments
WRITTEN = f"describe what it reveals with a helper, fits=_fits (see {page('short-cards')})"


ME = "s.me"


@dataclass(frozen=True)
class CardTest:
    """A test of hidden cards. whose: `ME`, or a parameter that is a player or a hand; "" for any player."""

    words: str
    whose: str = ""


CardTests = frozenset[CardTest]
NO_TESTS: CardTests = frozenset()


@dataclass(frozen=True)
class Told:
    """A place in the rules where the face of a hidden card affects what players observe."""

    line: int
    what: str


def told_by_rules(game: ShortGame) -> str:
    """Return `FILE:LINE: ...` of the first such place, with the lines of others; "" if there is none."""
    found = {one.line: one.what for one in _Telling(game).found()}
    if not found:
        return ""
    first, *others = sorted(found)
    also = f" (also lines {', '.join(map(str, others))})" if others else ""
    return (
        f"{game.path.name}:{first}: {found[first]} reveals something about cards that players do not "
        f"see{also}, but redealing ignores it: {WRITTEN}"
    )


class _Telling:
    """The known facts about the functions of a game, extended until nothing new is found."""

    def __init__(self, game: ShortGame):
        self.game = game
        self.functions = {name: game.functions[name] for name in self._rules()}
        self.piles: dict[tuple[str, str], Stacks] = {}  # (function, parameter) -> its possible piles
        # (function, parameter) or function -> the tests whose results it may contain or return
        self.tainted: dict[tuple[str, str], CardTests] = {}
        self.returning: dict[str, CardTests] = {}
        # (function, parameter) that may be another player than the one who decides, or that player's hand
        self.others = {
            (action.name, one) for action in game.actions for one in _parameters(self.functions[action.name])
        }

    def _rules(self) -> list[str]:
        """Return the functions that simulations use, without policies, conditions of legal actions, and the
        score.
        """
        game = self.game
        ahead = [action.name for action in game.actions]
        ahead += [name for name in HOOKS if name in game.functions and name not in JUDGING]
        found: list[str] = []
        while ahead:
            name = ahead.pop()
            if name not in found and name not in JUDGING:
                found.append(name)
                called = {
                    one.func.id for one in calls(game.functions[name]) if isinstance(one.func, ast.Name)
                }
                ahead += [one for one in called if one in game.functions]
        return found

    def found(self) -> list[Told]:
        told: list[Told] = []
        known: object = None
        while known != (
            known := (dict(self.piles), dict(self.tainted), dict(self.returning), len(self.others))
        ):
            told = [one for name in self.functions for one in _Function(self, name).told()]
        return told

    def is_hidden(self, stacks: Stacks) -> bool:
        """Return whether a card in these piles may be hidden from a player, without a helper that describes
        the revealed information.
        """
        return any(one.seen != c.Seen.OPEN and one.fits is None for one in stacks)


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
            if self._word(one.value) == "shuffle" and len(one.value.args) == 2
        ]

    def told(self) -> Iterator[Told]:
        self._follow_names()
        self._note_calls()
        for node in nodes_of(self.node):
            if isinstance(node, ast.Return) and node.value and (tests := self._tests_in(node.value)):
                self.all.returning[self.name] = self.all.returning.get(self.name, NO_TESTS) | tests
            is_branch = isinstance(node, (ast.If, ast.While, ast.IfExp))
            for shown in self._shown(node):
                for test in self._tests_in(shown):
                    if not (is_branch and self._is_own(test.whose)):
                        yield Told(shown.lineno, test.words)

    # ------------------------------------------------------------ observable expressions

    def _shown(self, node: ast.AST) -> Iterator[ast.expr]:
        """Yield expressions whose value a player can observe."""
        if isinstance(node, (ast.If, ast.While, ast.IfExp)):
            yield node.test
        elif isinstance(node, (ast.Assign, ast.AugAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                if not isinstance(target, (ast.Name, ast.Tuple)):
                    yield node.value
                    yield from (one.slice for one in ast.walk(target) if isinstance(one, ast.Subscript))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SHOWING:
            yield from node.args[1:]

    # ------------------------------------------------------------ names, and arguments of helpers

    def _follow_names(self) -> None:
        assignments = [one for one in nodes_of(self.node) if isinstance(one, (ast.Assign, ast.AugAssign))]
        loops = [one for one in nodes_of(self.node) if isinstance(one, ast.For)]
        for call in calls(self.node):
            if (
                self._word(call) in ("move", "discard")
                and len(call.args) == 3
                and self._is_open(call.args[2])
            ):
                self.turned_up |= {one.id for one in [call.args[1]] if isinstance(one, ast.Name)}
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
        """Record the arguments of helpers that this function calls."""
        for call in calls(self.node):
            called = self._word(call)
            if called not in self.all.functions:
                continue
            for parameter, value in zip(_parameters(self.all.functions[called]), call.args, strict=False):
                key = called, parameter
                if not self._is_own(self._whose(value)):
                    self.all.others.add(key)
                if stacks := self._stacks(value):
                    self.all.piles[key] = self.all.piles.get(key, NO_STACKS) | stacks
                elif tests := self._tests_in(value):
                    self.all.tainted[key] = self.all.tainted.get(key, NO_TESTS) | tests

    # ------------------------------------------------------------ expressions

    @staticmethod
    def _word(call: ast.Call) -> str:
        return call.func.id if isinstance(call.func, ast.Name) else ""

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
        """Return the player that an expression names, or the owner of its pile, in the form of
        `CardTest.whose`.
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
        word, arguments = self._word(call), call.args
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
            seen = {one.seen for one in self._stacks(arguments[0]) if one.fits is None}
            is_seen_by_some = seen & {c.Seen.OWNER, c.Seen.OTHERS}
            return self._test_of(call, arguments[0]) if is_seen_by_some else NO_TESTS
        if word in self.all.returning:
            return frozenset(self._as_called(test, call) for test in self.all.returning[word])
        return NO_TESTS if word in ("size", "empty", "move_all") else self._tests_in_all(arguments)

    def _as_called(self, test: CardTest, call: ast.Call) -> CardTest:
        """Return a test in a helper that this function calls, with the argument in place of its parameter."""
        given = dict(zip(_parameters(self.all.functions[self._word(call)]), call.args, strict=False))
        return replace(test, whose=self._whose(given[test.whose])) if test.whose in given else test


def _parameters(function: ast.FunctionDef) -> list[str]:
    return [one.arg for one in function.args.args]


def _is_with_none(node: ast.Compare) -> bool:
    return any(isinstance(one, ast.Name) and one.id == "NONE" for one in [node.left, *node.comparators])


def _is_size(index: ast.expr) -> bool:
    return isinstance(index, ast.Constant) and index.value == 0
