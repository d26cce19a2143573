"""A learned player's view of a state and of an action, derived from the declarations of a short game.

A state is viewed from the player to act: seat 0 is that player, seat 1 the next in turn order, and so on.
Piles are counted by kind of card as far as the player sees them, with sums of the numbers on the cards. For
hidden cards, only their number is visible, and the unseen cards of each deck are counted. An action consists
of its kind, its arguments, and the numbers of the state that they refer to.

Nothing here reads cards that a seat does not see, or numbers that the rules derive from them, unless the game
declares who sees them (`Layout.hidden`). `observing.probe` also redeals hidden cards and drops every number
that changes, such as a score that counts hidden cards.

`Layout` consists of names and declarations, so two versions of a game can be compared part by part.
`Layout.addresses` locates the numbers in the states of one engine.
"""

import ast
import hashlib
import json
import re
from collections.abc import Callable, Sequence
from functools import cache, cached_property
from math import prod
from typing import Any, NamedTuple

import numpy as np

from bartizan.simcore.compile.jit import jit
from bartizan.simcore.documentation import page
from bartizan.simcore.errors import UsageError
from bartizan.simcore.game import Engine, Game, load_module
from bartizan.simcore.short import components as c
from bartizan.simcore.short.reading import Argument, ShortGame, nodes_of, read
from bartizan.simcore.short.telling import described_numbers, functions_from, numbers_from_hidden
from bartizan.simcore.sources import is_short

# where a number is read: 32, 16 or 8 bits of the state, the scores, or the numbers of the rules
WORD, HALF, BYTE, SCORE, RULES = range(5)
NO_SCORE = -1  # address of the scores in a game without a score
UNSEEN, SEEN, ASKED = range(3)  # cards of a pile: not seen, seen, or according to the game's `known` helper
RULE, CELLS = 0, 1  # source of a pointer: a number on a card, or a number that the player sees
ONE_HOT = 64  # an argument with at most this many values has one input per value
JOINT = 128  # as have combinations of arguments with at most this many values
MOST_NUMBERS = 3000  # maximum numbers of a state that a player sees
DECLARED = "declared"
NOT_SHORT = (
    f"learned policies need the declarations of a short game (see {page('short-games')}), but this game is "
    "{}; train the weights of its policies instead (bartizan train without --learn)"
)


class Addresses(NamedTuple):
    """A layout for one engine, as integers and int64 arrays for compiled code."""

    fields: np.ndarray  # [n, (out, source, place, stride, k, inner, j, is_owner)]
    # [n, (out, place, step, stride, k, is_each, sight, kinds, first sum, sums, unseen, zone, source)]
    piles: np.ndarray
    sums: np.ndarray  # [n]: index of a column among the rules' numbers, or -1: the number of the card
    decks: np.ndarray  # [n, (output for the unseen cards, kinds, index of the copies)]
    digits: np.ndarray  # [n, (kind of action, first input or -1, divisor, values, is_player)]
    joints: np.ndarray  # [n, (kind of action, first input)]
    # [n, (kind of action, source, base, divisor, values, is_player, stride, and the last four again)]
    pointers: np.ndarray
    later: np.ndarray  # for each kind of decision, `Layout.later`
    chosen: int  # number of the arguments that earlier stages of an action chose
    numbers: int  # of a state
    inputs: int  # of actions, without pointers
    arguments: int  # of a kind of action
    features: int  # of the game, at least 1
    scores: int  # first of the features that are scores, or NO_SCORE


class Block(NamedTuple):
    """Numbers of a state to which the arguments of actions can refer."""

    base: int  # first number
    step: int  # between seats; 0 if the seats share the numbers
    length: int  # numbers of one seat
    shown: int  # number of seats whose numbers the acting player sees, counted from the acting seat
    deck: c.Deck | None = None  # the numbers count the cards of this deck by kind


class Layout:
    """A learned player's view of a short game. Raises UsageError for more than MOST_NUMBERS numbers.

    varied: paths of numbers of the rules that vary in training.
    """

    def __init__(self, game: ShortGame, varied: tuple[str, ...] = ()):
        self.game, self.varied, self.seats = game, varied, max(game.counts)
        self.names: list[str] = []  # names of the numbers of a state
        self.parts: dict[str, str] = {}  # part of the game -> its description, for comparison
        self.blocks: list[Block] = []  # possible targets of arguments
        self.fields: list[tuple[int, int, str, int, int, int]] = []
        self.piles: list[tuple[str, int, int, int, int]] = []
        self.decks: list[tuple[str, int]] = []
        self.digits: list[tuple[int, ...]] = []
        self.joints: list[tuple[int, int]] = []
        self.pointers: list[tuple[Any, ...]] = []
        self.chosen = 0  # number of the arguments that earlier stages of an action chose
        self.inputs = self.kinds  # of actions, without pointers
        self.see()
        self.act()

    @cached_property
    def hash(self) -> str:
        """Hash (16 hex digits) of all parts of the layout."""
        return hashlib.sha256(json.dumps(self.parts, sort_keys=True).encode()).hexdigest()[:16]

    # ------------------------------------------------------------ a state

    def see(self) -> None:
        """Add every number of a state, in the order of declaration."""
        game, seats = self.game, self.seats
        self.parts["players"] = f"{'together, ' if game.teams == 1 else ''}teams {game.teams}, seats {seats}"
        self.add("turn", WORD, "turn")
        words = (word for path in self.varied for word in re.split(r"[.\[]", path))
        for name in dict.fromkeys(words):
            if name in game.numbers or name in game.rulings:  # numbers of cards are in the piles
                self.parts[f"rule {name}"] = "varied"
                for cell in range(game.lists.get(name, 1)):
                    self.add(f"rule {name}[{cell}]", RULES, name, 0, cell)
        if seats > 1:
            self.each("out", BYTE, "out")
            self.add("seat", WORD, "me")
        if game.simultaneous:
            self.parts["simultaneous"] = ", ".join(game.simultaneous)
        if game.phases:
            if "phase" not in self.hidden:
                self.add("phase", WORD, "phase")
            self.parts["phases"] = ", ".join(game.phases)
        if any(self.later):
            self.chosen = len(self.names)
            self.add("chosen so far", WORD, "chosen_so_far")
        if "score" in game.functions and "score" not in self.hidden:
            self.each("score", SCORE, "points")
            self.parts["score"] = "declared"
        for name, part in game.components.items():
            if not isinstance(part, c.Stack):
                self.see_numbers(name, part)
        for name, deck in game.decks.items():
            self.see_cards(name, deck)
        if len(self.names) > MOST_NUMBERS:
            raise UsageError(
                f"{game.path}: a state has {len(self.names):,} numbers, but a learned policy supports at "
                f"most {MOST_NUMBERS:,}; declare fewer kinds of cards or cells"
            )

    def add(self, name: str, source: int, field: str, k: int = 0, cell: int = 0, turned: int = 0) -> None:
        """Add one number of the state.

        field: field of the state. k: seat of the number, counted from the acting player. cell: index in a
        row. turned: 1 if cells belong to seats, 2 if cells contain 1 + a seat.
        """
        self.fields.append((len(self.names), source, field, k, cell, turned))
        self.names.append(name)

    def each(self, name: str, source: int, field: str) -> None:
        """Add one number for each seat."""
        self.blocks.append(Block(len(self.names), 1, 1, self.seats))
        for k in range(self.seats):
            self.add(f"{name} of seat {k}", source, field, k)

    def see_numbers(self, name: str, part: c.TableItem) -> None:
        """Add the numbers of a counter, tokens, a row or a grid."""
        length = getattr(part, "length", 1)
        shown, _ = self.hidden.get(name, (self.seats, ""))
        if not shown:
            self.parts[name] = f"{type(part).__name__} that nobody sees"
            return
        by_owner = length == self.seats > 1 and isinstance(part, c.Row)
        self.parts[name] = f"{type(part).__name__} of {length}{' for each player' if part.each else ''}"
        self.blocks.append(Block(len(self.names), length if part.each else 0, length, shown))
        for k in range(shown if part.each else 1):
            for cell in range(length):
                whose = f" of seat {k}" if part.each else ""
                self.add(f"{name}{whose}[{cell}]", WORD, name, k, cell, int(by_owner))
        if not part.each and length > 1 and self.seats > 1 and self.game.teams != 1:
            self.blocks.append(Block(len(self.names), 0, length, shown))
            for cell in range(length):
                self.add(f"owner of {name}[{cell}]", WORD, name, 0, cell, 2)

    @cached_property
    def hidden(self) -> dict[str, tuple[int, str]]:
        """Map components that are not piles, the phase and the score to (seats, reason).

        Omits items that all players see. seats: 1 if the owner of a value sees it, otherwise 0.
        """
        found = {name: (0, why) for name, why in numbers_from_hidden(self.game).items()}
        notes = described_numbers(self.game)
        for name, part in self.game.components.items():
            if isinstance(part, c.Stack) or part.seen == c.Seen.OPEN:
                continue
            if part.seen:
                found[name] = int(part.seen == c.Seen.OWNER), f'{DECLARED} seen="{part.seen}"'
            elif part.each and notes.get(name):
                found[name] = 1, "notes about cards"
        of_score = (self.game.functions[name] for name in functions_from(self.game, ["score"]))
        read = {one.attr for of in of_score for one in nodes_of(of) if isinstance(one, ast.Attribute)}
        if secret := sorted(read & set(found)):
            found["score"] = 0, f"computed from {', '.join(secret)}"
        return found

    def unseen_numbers(self) -> list[str]:
        """Return the numbers that nobody sees, each with its reason, except declared numbers."""
        return [
            f"{name} ({why})"
            for name, (seats, why) in self.hidden.items()
            if not seats and DECLARED not in why
        ]

    def see_cards(self, deck_name: str, deck: c.Deck) -> None:
        """Add the unseen cards of a deck, then the cards of its piles."""
        kinds = len(self.game.rows(deck))
        columns = self.columns(deck)
        self.parts[deck_name] = f"Deck of {kinds} kinds, columns {', '.join(columns) or 'none'}"
        unseen = len(self.names)
        self.blocks.append(Block(unseen, 0, kinds, self.seats, deck))
        self.decks.append((deck_name, unseen))
        self.names += [f"unseen {deck_name} {kind}" for kind in range(kinds)]
        for name, part in self.game.components.items():
            if isinstance(part, c.Stack) and self.game.deck_of(part) is deck:
                stride = 1 + kinds + len(columns)
                each = " for each player" if part.each else ""
                if part is not deck:
                    self.parts[name] = f"{type(part).__name__} of {deck_name}{each}, seen {part.seen}"
                first, step = len(self.names), stride if part.each else 0
                self.blocks.append(Block(first, step, 1, self.seats))
                self.blocks.append(Block(first + 1, step, kinds, self.seats, deck))
                for k in range(self.seats if part.each else 1):
                    self.piles.append((name, len(self.names), k, self.sight(part, k), unseen))
                    whose = f" of seat {k}" if part.each else ""
                    self.names.append(f"size of {name}{whose}")
                    self.names += [f"{name}{whose} {kind}" for kind in range(kinds)]
                    self.names += [f"{name}{whose} sum of {column or 'numbers'}" for column in columns]

    def columns(self, deck: c.Deck) -> list[str]:
        """Return the columns whose sums are visible, by their names in the rules.

        The name "" represents the numbers of the cards in a deck of numbers.
        """
        named = list(self.game.columns(self.game.name_of(deck)).values())
        return [*([""] if isinstance(deck.kinds, range) else []), *named]

    def sight(self, part: c.Stack, k: int) -> int:
        """Return whether the acting player sees the cards of a pile: SEEN, UNSEEN or ASKED.

        k: the pile belongs to the k-th next seat. ASKED means that the pile's `known` helper decides.
        """
        seen = part.seen == c.Seen.OPEN
        if part.each:
            seen = seen or (part.seen == c.Seen.OWNER and k == 0) or (part.seen == c.Seen.OTHERS and k > 0)
        return SEEN if seen else ASKED if part.known is not None else UNSEEN

    # ------------------------------------------------------------ actions

    def act(self) -> None:
        """Add the inputs of every kind of action."""
        for action in self.game.actions:
            for k, (name, kind) in enumerate(action.decisions.items()):
                arguments = action.arguments[: k + 1] if action.stages else action.arguments
                named = ", ".join(f"{one.name} of {one.values}" for one in arguments)
                self.parts[f"action {name}"] = f"number {kind}, arguments {named or 'none'}"
                self.point(kind, arguments)

    @cached_property
    def kinds(self) -> int:
        """Number of kinds of decisions."""
        return sum(len(action.decisions) for action in self.game.actions)

    @property
    def later(self) -> list[int]:
        """For each kind of decision, the number of values of its argument.

        It is 0 for decisions that are not later stages.
        """
        values = {
            kind: one.values
            for action in self.game.actions
            for one, kind in list(zip(action.arguments, action.stages, strict=False))[1:]
        }
        return [values.get(kind, 0) for kind in range(self.kinds)]

    def point(self, kind: int, arguments: Sequence[Argument]) -> None:
        """Add the arguments of a kind of decision, and the numbers that they refer to.

        Arguments are added one by one and together. Those of earlier stages come first.
        """
        below = prod(one.values for one in arguments)
        together, places = below, []
        for one in arguments:
            below //= one.values
            places.append((one, (below, one.values, int(isinstance(one.over, c.Seats)))))
        for one, place in places:
            is_one_of = one.values <= ONE_HOT
            self.digits.append((kind, self.inputs if is_one_of else -1, *place))
            self.inputs += one.values if is_one_of else 0
        if len(places) > 1 and together <= JOINT:
            self.joints.append((kind, self.inputs))
            self.inputs += together
        for one, place in places:
            for source, base, stride in self.targets(one):
                self.pointers.append((kind, source, base, *place, stride, 1, 1, 0, 0))
            for other, second in places:
                if isinstance(one.over, c.Seats) and (deck := self.deck_named(other)) is not None:
                    self.pointers += [
                        (kind, CELLS, block.base, *place, block.step, *second, 1)
                        for block in self.blocks
                        if block.step and block.deck is deck
                    ]

    def targets(self, argument: Argument) -> list[tuple[int, Any, int]]:
        """Return (source, base, stride) of the numbers to which a value of an argument refers."""
        if isinstance(argument.over, c.Seats):
            return [
                (CELLS, block.base, block.step)
                for block in self.blocks
                if block.step and block.length == 1 and block.shown > 1
            ]
        deck = self.deck_named(argument)
        columns = self.columns(deck) if deck is not None else []
        found: list[tuple[int, Any, int]] = [(RULE, column, 1) for column in columns if column]
        for block in self.blocks:
            if block.deck is deck and (deck is not None or block.length == argument.values > 1):
                whose = block.shown if block.step else 1
                found += [(CELLS, block.base + k * block.step, 1) for k in range(whose)]
        return found

    def deck_named(self, argument: Argument) -> c.Deck | None:
        """Return the deck whose kinds of cards an argument names; None if it names no cards."""
        if isinstance(argument.over, c.Kinds):
            return argument.over.of
        return self.game.deck_of(argument.over) if isinstance(argument.over, c.Stack) else None

    # ------------------------------------------------------------ in the states of an engine

    def addresses(self, engine: Engine) -> Addresses:
        """Return the places of the layout's numbers in the states and tables of an engine."""
        game, state, rules = self.game, engine.state_dtype, engine.tables_dtype
        features = engine.features.dtype if engine.features else None
        scores = _rule(features, "points") if features and game.has_score else NO_SCORE
        fields, piles, sums = [], [], []
        for out, source, name, k, cell, turned in self.fields:
            if source == RULES:
                fields.append((out, source, _rule(rules, name) + cell, 0, k, 0, 0, 0))
                continue
            source, place, stride, step = (SCORE, scores, 1, 1) if source == SCORE else _place(state, name)
            part = game.components.get(name)
            is_each = source == SCORE or name == "out" or (part is not None and part.each)
            inner = step if turned == 1 else 0
            own = place + (0 if inner else cell * step)
            fields.append((out, source, own, stride if is_each else 0, k, inner, cell, int(turned == 2)))
        zones = [name for name, part in game.components.items() if isinstance(part, c.Stack)]
        for name, out, k, sight, unseen in self.piles:
            part = game.components[name]
            source, place, stride, step = _place(state, name)
            deck = game.deck_of(part)  # type: ignore[arg-type]
            columns = [_rule(rules, column) if column else -1 for column in self.columns(deck)]
            kinds = len(game.rows(deck))
            shape = (out, place, step, stride if part.each else 0, k, int(part.each), sight, kinds)
            piles.append((*shape, len(sums), len(columns), unseen, zones.index(name), source))
            sums += columns
        decks = [(out, len(game.rows(game.decks[d])), _rule(rules, f"{d}_copies")) for d, out in self.decks]
        pointers = [(p[0], p[1], _rule(rules, p[2]) if p[1] == RULE else p[2], *p[3:]) for p in self.pointers]
        return Addresses(
            _table(fields, 8),
            _table(piles, 13),
            np.array(sums or [0], np.int64),
            _table(decks, 3),
            _table(self.digits, 5),
            _table(self.joints, 2),
            _table(pointers, 11),
            np.array(self.later, np.int64),
            self.chosen,
            len(self.names),
            self.inputs,
            engine.arguments,
            features.itemsize // 8 if features else 1,
            scores,
        )

    def knower(self, engine: Engine) -> Callable:
        """Return a compiled function that calls the `known` helpers.

        Its signature is (state, tables, seat, owner, at, zone) -> bool.
        """
        knows = jit(nobody_knows)
        if engine.determinize is None:
            return knows
        compiled = getattr(engine.determinize, "py_func", engine.determinize).__globals__
        zones = (part for part in self.game.components.values() if isinstance(part, c.Stack))
        for number, part in enumerate(zones):
            if part.known is not None:
                knows = _asking(number, compiled[part.known.__name__], knows)
        return knows

    def difference(self, parts: dict[str, str]) -> str:
        """Describe the first difference from the layout in training; "" if there is none.

        parts: that layout.
        """
        for name in {**parts, **self.parts}:
            before, now = parts.get(name), self.parts.get(name)
            if before != now:
                return f"{name}: {before or 'absent'} in training, {now or 'absent'} now"
        return ""


def nobody_knows(state, tables, seat, owner, at, zone):
    return False


def _asking(number: int, helper: Callable, rest: Callable) -> Callable:
    def knows(state, tables, seat, owner, at, zone):
        if zone == number:
            return bool(helper(state, tables, seat, owner, at))
        return rest(state, tables, seat, owner, at, zone)

    return jit(knows)


def _place(state: np.dtype, name: str) -> tuple[int, int, int, int]:
    """Return (size, address, step between seats, step between cells) of a field.

    size: WORD, HALF or BYTE, the unit of the other numbers.

    Only the lower 32 of 64 bits are read.
    """
    assert state.fields is not None
    dtype, offset = state.fields[name][:2]
    size = dtype.base.itemsize
    unit = min(size, 4)
    step = size // unit
    return {4: WORD, 2: HALF, 1: BYTE}[unit], offset // unit, prod(dtype.shape[1:]) * step, step


def _rule(rules: np.dtype, name: str) -> int:
    """Return the index of a number of the rules, in 64-bit words."""
    assert rules.fields is not None
    return rules.fields[name][1] // 8


def _table(rows: Sequence[tuple[int, ...]], columns: int) -> np.ndarray:
    return np.array(rows, np.int64).reshape(len(rows), columns)


@cache
def layout_of(game: Game, varied: tuple[str, ...] = ()) -> Layout:
    """Return the layout of a game. Raises UsageError for a game without the declarations of a short game.

    varied: see `Layout`.
    """
    if not str(game.home).endswith(".py") or not is_short(game.home):
        form = "a live engine" if game.compiled.live else "in the full form"
        raise UsageError(f"{game.name}: {NOT_SHORT.format(form)}")
    return Layout(read(game.home, load_module(game.home, "game")), varied)
