"""Rules of a short game that test hidden cards and go on, read from their text.

A wrong guess tells everybody that the card is not in that hand. Hidden cards are dealt anew by the moves that
put them where they lie (`provenance`), and a test is no move: what is dealt would be what players think of a
game without the test. A helper of the designer's can say it (`fits=`); else every answer that deals cards
anew names the line.

The result of a test is followed through names, helpers and their parameters to what a player may notice: a
branch, a number on the table, a line of the log, whose turn it is. A card that is turned up tells nothing
more than itself.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from bartizan.simcore.short import components as c
from bartizan.simcore.short.reading import HOOKS, JUDGING, ShortGame, assigned_pairs, calls, nodes_of

Stacks = frozenset[c.Stack]
NO_STACKS: Stacks = frozenset()
READS = ("top", "cards", "count", "has", "most_of_a_kind", "longest_run")  # (pile, ...)
TAKES = {"draw": 1, "draw_or_reshuffle": 3, "take": -1}  # word -> argument that is the target, if it has one
SHOWING = ("say", "pass_to", "eliminate", "ask_player")  # words that show their values
WRITTEN = "say what it tells with a helper, fits=_fits (docs/short-games.md)"


@dataclass(frozen=True)
class Told:
    """A place in the rules where the face of a hidden card decides what players notice."""

    line: int
    what: str


def told_by_rules(game: ShortGame) -> str:
    """`FILE:LINE: ...` of the first such place, with the lines of others; "" if there is none."""
    found = {one.line: one.what for one in _Telling(game).found()}
    if not found:
        return ""
    first, *others = sorted(found)
    also = f" (so do lines {', '.join(map(str, others))})" if others else ""
    return (
        f"{game.path.name}:{first}: {found[first]} tells players something about cards that they do not see"
        f"{also}, and cards are dealt anew as if it had not: {WRITTEN}"
    )


class _Telling:
    """What is known so far of the functions of a game, until nothing new is found."""

    def __init__(self, game: ShortGame):
        self.game = game
        self.functions = {name: game.functions[name] for name in self._rules()}
        self.piles: dict[tuple[str, str], Stacks] = {}  # (function, parameter) -> piles it may be
        # (function, parameter) that may hold what a test has shown -> that test; functions that may return it
        self.tainted: dict[tuple[str, str], str] = {}
        self.returning: dict[str, str] = {}

    def _rules(self) -> list[str]:
        """Functions that play reaches: not players, nor what asks about the legal actions, nor the score."""
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
        while known != (known := (dict(self.piles), len(self.tainted), len(self.returning))):
            told = [one for name in self.functions for one in _Function(self, name).told()]
        return told

    def is_hidden(self, stacks: Stacks) -> bool:
        """May a card there be one that somebody does not see, of which no helper says what was told?"""
        return any(one.seen != c.Seen.OPEN and one.fits is None for one in stacks)


class _Function:
    def __init__(self, telling: _Telling, name: str):
        self.all, self.game, self.name = telling, telling.game, name
        self.node = telling.functions[name]
        self.piles = {
            parameter: stacks for (owner, parameter), stacks in telling.piles.items() if owner == name
        }
        # name -> the test whose result it may hold
        self.names = {
            parameter: test for (owner, parameter), test in telling.tainted.items() if owner == name
        }
        self.turned_up: set[str] = set()  # names of cards that are laid open
        # (line, piles) of shuffles that no branch leaves out: what was seen of those piles before is void
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
            if isinstance(node, ast.Return) and node.value and (test := self._test_in(node.value)):
                self.all.returning.setdefault(self.name, test)
            for shown in self._shown(node):
                if test := self._test_in(shown):
                    yield Told(shown.lineno, test)

    # ------------------------------------------------------------ what is shown

    def _shown(self, node: ast.AST) -> Iterator[ast.expr]:
        """Expressions whose value a player may notice."""
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

    # ------------------------------------------------------------ names, and what helpers are given

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
        before = None
        while before != (before := (len(self.names), dict(self.piles))):
            for one in assignments:
                pairs = assigned_pairs(one) if isinstance(one, ast.Assign) else [(one.target, one.value)]
                for target, value in pairs:
                    self._assign(target, value)
            for loop in loops:
                self._assign(loop.target, loop.iter)

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name) and (stacks := self._stacks(value)):
            self.piles[target.id] = self.piles.get(target.id, NO_STACKS) | stacks
        elif test := self._test_in(value):
            for one in ast.walk(target):
                if (
                    isinstance(one, ast.Name)
                    and one.id not in self.turned_up
                    and isinstance(one.ctx, ast.Store)
                ):
                    self.names.setdefault(one.id, test)

    def _note_calls(self) -> None:
        """What the helpers that this function calls are given."""
        for call in calls(self.node):
            called = self._word(call)
            if called not in self.all.functions:
                continue
            parameters = [one.arg for one in self.all.functions[called].args.args]
            for parameter, value in zip(parameters, call.args, strict=False):
                key = called, parameter
                if stacks := self._stacks(value):
                    self.all.piles[key] = self.all.piles.get(key, NO_STACKS) | stacks
                elif test := self._test_in(value):
                    self.all.tainted.setdefault(key, test)

    # ------------------------------------------------------------ expressions

    @staticmethod
    def _word(call: ast.Call) -> str:
        return call.func.id if isinstance(call.func, ast.Name) else ""

    def _stacks(self, node: ast.expr) -> Stacks:
        """The piles that an expression may be: `s.hand`, `s.hand[p]`, a name of one."""
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

    def _test_in(self, node: ast.AST) -> str:
        """The words of the test of hidden cards that an expression depends on; "" if it does on none."""
        if isinstance(node, ast.Name):
            return self.names.get(node.id, "")
        if isinstance(node, ast.Compare) and _is_with_none(node):
            return ""  # whether there is a card: as many lie there as everybody can count
        if isinstance(node, ast.Call):
            return self._test_in_call(node)
        if isinstance(node, ast.Subscript):
            of = self._stacks(node.value)
            if of and not self._stacks(node) and self._is_hidden(node.value) and not _is_size(node.slice):
                return ast.unparse(node)
        inner = (self._test_in(one) for one in ast.iter_child_nodes(node))
        return next(filter(None, inner), "")

    def _test_in_call(self, call: ast.Call) -> str:
        word, arguments = self._word(call), call.args
        if word in READS and arguments and self._is_hidden(arguments[0]):
            return ast.unparse(call)
        if word == "who_has" and len(arguments) > 1 and self._is_hidden(arguments[1]):
            return ast.unparse(call)
        if word in TAKES and arguments:
            source = arguments[1] if word == "draw_or_reshuffle" and len(arguments) > 1 else arguments[0]
            into = arguments[TAKES[word]] if 0 <= TAKES[word] < len(arguments) else None
            hides = into is None or not self._is_open(into)
            return ast.unparse(call) if hides and self._is_hidden(source) else ""
        if word in ("move", "discard") and arguments:
            seen = {one.seen for one in self._stacks(arguments[0]) if one.fits is None}
            return ast.unparse(call) if seen & {c.Seen.OWNER, c.Seen.OTHERS} else ""
        if word in self.all.returning:
            return self.all.returning[word]
        inner = (self._test_in(one) for one in arguments)
        return next(filter(None, inner), "") if word not in ("size", "empty", "move_all") else ""


def _is_with_none(node: ast.Compare) -> bool:
    return any(isinstance(one, ast.Name) and one.id == "NONE" for one in [node.left, *node.comparators])


def _is_size(index: ast.expr) -> bool:
    return isinstance(index, ast.Constant) and index.value == 0
