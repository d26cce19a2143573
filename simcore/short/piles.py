"""Use of hidden cards by the rules of a short game, determined from their source text.

There are three cases. In most games, all hidden cards come face down from one shuffled deck, so a player who
does not see them cannot distinguish them. In other games, hidden cards differ in the places from which they
may have come, so every card has a mark (`provenance`). If a rule handles cards as plain numbers, hidden cards
cannot be tracked. Such a game can be simulated, but every question that would redeal its hidden cards is an
error (`PileUses.first_unknowable`).
"""

import ast
from dataclasses import dataclass
from functools import lru_cache

from bartizan.simcore.short import components as c
from bartizan.simcore.short.reading import (
    ShortGame,
    assigned_pairs,
    calls,
    is_on_one_line,
    name_called,
    named_parts,
    nodes_of,
    taken_in,
)

OUT, IN, READ, NO_PILE = "out", "in", "read", ""  # how a word uses a pile
OF_ALL = "hands"  # an argument that contains the piles of all players
USES: dict[str, tuple[str, ...]] = {  # word -> the use of each of its arguments
    "draw": (OUT, IN),
    "move": (OUT, NO_PILE, IN),
    "discard": (OUT, NO_PILE, IN),
    "move_all": (OUT, IN),
    "draw_or_reshuffle": (NO_PILE, OUT, OUT, IN),
    "deal": (NO_PILE, OUT, OF_ALL, NO_PILE),
    "put": (IN, NO_PILE),
    "take": (OUT, NO_PILE),
    **dict.fromkeys(("pass_left", "pass_right"), (NO_PILE, OF_ALL)),
    "shuffle": (NO_PILE, READ),
}
READING: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("size", "empty", "cards", "top", "most_of_a_kind", "longest_run"), (READ,)),
    **dict.fromkeys(("count", "has"), (READ, NO_PILE)),
    "who_has": (NO_PILE, OF_ALL, NO_PILE),
}
USES |= READING
FOLLOWED = "write it with draw, move, move_all, or put(pile, take(other, place)) on one line"


@dataclass(frozen=True)
class Use:
    """A call of a function that uses piles.

    source, target: None if there is none, or if the source text does not identify the pile.
    """

    word: str
    line: int
    source: c.Stack | None
    target: c.Stack | None
    carries: bool  # put(pile, take(other, place))


@dataclass(frozen=True)
class Found:
    """A pile in an expression.

    part: None if the source text does not identify it. whole: whether the expression refers to the piles of
    all players.
    """

    part: c.Stack | None
    whole: bool = False


@lru_cache(maxsize=1)
def pile_uses(game: ShortGame) -> "PileUses":
    """Return `PileUses(game)`. The last result is cached."""
    return PileUses(game)


class PileUses:
    """Uses of piles in the functions of a short game.

    raw: lines in which cards are handled as plain numbers.
    """

    def __init__(self, game: ShortGame):
        self.game = game
        self.uses: list[Use] = []
        self.raw: dict[int, tuple[c.Stack | None, str]] = {}
        # parameters of helpers that are piles: found from their callers, until nothing new is found
        self.parameters: set[tuple[str, str]] = set()
        known = None
        while known != self.parameters:
            known = set(self.parameters)
            self.uses.clear()
            self.raw.clear()
            for name, function in game.functions.items():
                _FunctionPiles(self, name, function).read()

    @property
    def hidden(self) -> list[c.Stack]:
        stacks = [one for one in self.game.components.values() if isinstance(one, c.Stack)]
        return [one for one in stacks if one.seen != c.Seen.OPEN]

    @property
    def differing(self) -> list[c.Deck]:
        """Decks whose hidden cards may be distinguishable, because players know more about some of them."""
        mixing = [use for use in self.uses if self._mixes(use)]
        of = {self.game.deck_of(one) for use in mixing for one in (use.source, use.target) if one is not None}
        everything = any(use.source is None and use.target is None for use in mixing)
        return [
            deck
            for deck in {self.game.deck_of(one): 0 for one in self.hidden}
            if deck in of or everything or (deck in self.hidden and not deck.shuffled)
        ]

    @property
    def marked(self) -> list[c.Stack]:
        """Piles whose cards need marks.

        They are piles of the decks in `differing` that are hidden, or shuffled in view of all players.
        """
        decks = self.differing
        shuffled = [use.source for use in self.uses if use.word in ("shuffle", "draw_or_reshuffle")]
        stacks = [one for one in self.game.components.values() if isinstance(one, c.Stack)]
        return [
            one
            for one in stacks
            if self.game.deck_of(one) in decks and (one in self.hidden or one in shuffled or None in shuffled)
        ]

    def _mixes(self, use: Use) -> bool:
        """Return whether a call may let players know more about some hidden cards than about others.

        A call does not if it only reveals or deals cards of a pile that nobody sees.
        """
        parts = [one for one in (use.source, use.target) if one is not None]
        hiding = [self.game.deck_of(one) for one in self.hidden]
        if parts and not any(self.game.deck_of(one) in hiding for one in parts):
            return False
        source_is_secret = use.source is not None and use.source.seen == c.Seen.NOBODY
        if use.word == "shuffle":
            return not source_is_secret
        if use.word == "draw_or_reshuffle":  # harmless if only the deck is hidden
            return not source_is_secret or hiding.count(self.game.deck_of(parts[0])) > 1 or parts[0].each
        if use.word in ("draw", "deal") and source_is_secret:
            return False
        into_open = use.target is not None and use.target.seen == c.Seen.OPEN
        if use.word in ("move", "discard", "move_all", "take"):
            from_open = use.source is not None and use.source.seen != c.Seen.NOBODY
            return not (from_open and (into_open or use.word == "take"))
        return not into_open

    def first_unknowable(self) -> str:
        """Return `FILE:LINE: message` of the first line that makes hidden cards impossible to track.

        Returns "" if there is none.
        """
        marked = {None, *self.marked} if self.marked else set()
        lines = {line: what for line, (part, what) in self.raw.items() if part in marked}
        for use in self.uses:
            if use.word == "put" and not use.carries and use.target in marked:
                lines[use.line] = "put() puts a card from an unknown place into a pile that may be hidden"
        return f"{self.game.path.name}:{min(lines)}: {lines[min(lines)]}: {FOLLOWED}" if lines else ""


class _FunctionPiles:
    """One function of a game: its expressions that are piles, and their uses."""

    def __init__(self, found: PileUses, name: str, function: ast.FunctionDef):
        self.all, self.game, self.name, self.function = found, found.game, name, function
        self.arguments = {one.arg for one in function.args.args}
        self.named: list[ast.expr] = []  # values that are assigned to names
        self.names = {parameter: Found(None) for owner, parameter in found.parameters if owner == name}

    def read(self) -> None:
        assignments = [one for one in nodes_of(self.function) if isinstance(one, ast.Assign)]
        for target, value in (pair for one in assignments for pair in assigned_pairs(one)):
            self.named.append(value)
            if isinstance(target, ast.Name) and (pile := self.pile(value)):
                several = target.id in self.names and self.names[target.id] != pile
                self.names[target.id] = Found(None) if several else pile
        for parent, field, node in named_parts(self.function):
            if pile := self.pile(node):
                self._use(parent, field, node, pile)
        for call in calls(self.function):
            self._call(call)

    def pile(self, node: ast.expr | None) -> Found | None:
        if isinstance(node, ast.Name):
            return self.names.get(node.id)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            part = self.game.components.get(node.attr)
            return Found(part, part.each) if isinstance(part, c.Stack) else None
        if isinstance(node, ast.Subscript) and not _has_slice(node.slice):
            of = self.pile(node.value)
            return Found(of.part) if of and of.whole and not isinstance(node.slice, ast.Tuple) else None
        return None

    def _use(self, parent: ast.AST, field: str, node: ast.expr, pile: Found) -> None:
        """Record a use of a pile, either as a pile or as plain numbers."""
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            return
        if isinstance(parent, ast.Subscript) and field == "value":
            is_one = not _has_slice(parent.slice) and not _is_negative(parent.slice)
            if self.pile(parent) or (is_one and isinstance(parent.ctx, ast.Load)):
                return
        elif (called := name_called(parent)) and field.startswith("args"):
            place = int(field[4:])
            if called in self.game.functions:
                parameters = self.game.functions[called].args.args
                if place < len(parameters) and not pile.whole:
                    self.all.parameters.add((called, parameters[place].arg))
                    return
            elif USES.get(called, ())[place : place + 1] not in ((), (NO_PILE,)):
                return
        elif isinstance(parent, ast.Assign) or (
            isinstance(parent, ast.Tuple) and isinstance(parent.ctx, ast.Load)
        ):
            if not pile.whole and node in self.named:
                return
        what = ast.unparse(parent if isinstance(parent, ast.expr) else node)
        self.all.raw[node.lineno] = (
            pile.part,
            f"{what} handles hidden cards as numbers, so they cannot be tracked",
        )

    def _call(self, call: ast.Call) -> None:
        word = name_called(call)
        if word not in USES:
            return
        piles: dict[str, Found | None] = {}
        for how, node in zip(USES[word], call.args, strict=False):
            pile = self.pile(node)
            if how and pile is None and isinstance(node, ast.Name) and node.id in self.arguments:
                self.all.parameters.add((self.name, node.id))
            piles.setdefault(how, pile)
        if word in READING:
            return
        taken = taken_in(call)
        source = self.pile(taken.args[0]) if taken else piles.get(OUT) or piles.get(READ)
        target = piles.get(IN) or piles.get(OF_ALL)
        parts = (one.part if one else None for one in (source, target))
        self.all.uses.append(Use(word, call.lineno, *parts, carries=bool(taken) and is_on_one_line(call)))


def _has_slice(index: ast.expr) -> bool:
    return any(isinstance(one, ast.Slice) for one in ast.walk(index))


def _is_negative(index: ast.expr) -> bool:
    return isinstance(index, ast.UnaryOp) and isinstance(index.op, ast.USub)
