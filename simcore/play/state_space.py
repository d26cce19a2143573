"""All states that a small game can reach, and the results of each action with exact probabilities.

The rules run as plain Python. Each random draw is answered with every possible value in turn, so
probabilities are exact for fair dice. `simcore.rng` approximates them to within 2**-32 per draw.
"""

import ast
import inspect
import operator
import textwrap
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial, partialmethod
from itertools import count
from math import prod
from operator import itemgetter
from types import CellType, CodeType, FunctionType, MappingProxyType, ModuleType
from typing import Any, NoReturn

import numpy as np

from bartizan.simcore import rng
from bartizan.simcore.arrays import Record, as_records
from bartizan.simcore.compile.habits import called
from bartizan.simcore.compile.rules import NOBODY, PLAYING
from bartizan.simcore.errors import UsageError
from bartizan.simcore.kit import journal
from bartizan.simcore.play.match import Match

MOST = 100_000_000  # bytes of the states, counted with repetition: a minute or two
MOST_WAYS = 10_000  # outcomes of one action: enough for five dice, but not for a shuffled deck
OTHER_LUCK = (rng.fresh_luck, rng.rekey, rng.named_word, rng.aside)
State = tuple  # the values that are read: numbers, and arrays as bytes
Chances = dict[int, float]  # number of a state -> probability of reaching it


@dataclass(frozen=True, eq=False)
class StateSpace:
    """The states at which a decision is made.

    One seat may choose any action; policies choose for the other seats.
    """

    begins: Chances
    decided: float  # value of games that end before any decision, times their probability
    first: list[int]  # of each state: index of its first action
    follows: list[Chances]  # of each action
    gains: np.ndarray  # of each action: value of games that end with it, times their probability


class Unlisted(Exception):
    """Raised with the reason why the states of a game cannot be enumerated."""


def listed(match: Match, seat: int, draw: float) -> StateSpace:
    """Return all states that a seat can reach, for any choice of actions.

    draw: value of a drawn game if a win is 1.
    Raises UsageError if the states cannot be enumerated (see `space_of`).
    """
    try:
        return space_of(match, lambda: Listing(match, seat, draw))
    except Unlisted as error:
        raise UsageError(
            f"bracket --upper: {match.game.name}: {error}, so no upper bound for all players can be "
            "proved; remove --upper to measure the best play found at several levels of effort"
        ) from error


def space_of(match: Match, listing: "Callable[[], Listing]") -> StateSpace:
    """Return the states of a match. listing: function that creates the `Listing`.

    Raises Unlisted if the states cannot be enumerated, for example for a built-in game, for too many states,
    or for rules that use other random numbers than Bartizan's.
    """
    if match.game.is_builtin:
        raise Unlisted("it has far too many states to enumerate")
    with run_plainly():
        return listing().all()


@contextmanager
def run_plainly() -> Iterator[None]:
    """Turn errors of rules that run uncompiled into Unlisted (context manager)."""
    try:
        yield
    except (ArithmeticError, AttributeError, LookupError, NameError, TypeError, ValueError) as error:
        raise Unlisted(f"its rules do not run uncompiled ({error})") from error


def not_drawn(*_: Any) -> NoReturn:
    raise Unlisted("it uses random numbers that are not drawn by below() or die()")


class Listing:
    """Enumeration of all states of a match.

    also: functions that read states, besides the rules. most: maximum size of all states, in bytes.
    """

    def __init__(self, match: Match, seat: int, draw: float, also: Sequence[Callable] = (), most: int = MOST):
        engine, self.match, self.seat, self.draw, self.most = match.engine, match, seat, draw, most
        others = [function for at, function in enumerate(match.functions()) if at != seat]
        read = _read([engine.legal_actions, engine.apply, *others, *also], engine.write_record)
        if {"luck", "luck_key"} & read:
            not_drawn()
        self.kept = [name for name in engine.state_dtype.names if name in {"end_reason", "to_move"} | read]
        self.size = sum(engine.state_dtype[name].itemsize for name in self.kept)
        self.luck = LuckTree()
        self.plain = self.luck.rules()
        rules = (engine.reset, engine.legal_actions, engine.apply, engine.write_record)
        self.reset, self.legal_actions, self.apply, self.write_record = map(self.plain.copy, rules)
        self.policies = [self.plain.copy(function) for function in match.functions()]
        self.weights = match.workspace()["weights"][0]
        self.tables = Numbers(engine.tables_dtype, match.tables())
        self.record = as_records(np.zeros(1, engine.record_dtype))[0]
        self.numbers: dict[State, int] = {}
        self.order: list[State] = []
        self.played = 0

    def all(self) -> StateSpace:
        blank = Numbers(self.match.engine.state_dtype)
        begun, decided = self._follow(blank, lambda state: self.reset(state, self.tables))
        begins, first, follows, gains = self._numbered(begun), [], [], []
        for key in self.order:  # it grows during the loop
            here = blank.twin(dict(zip(self.kept, key, strict=True)))
            first.append(len(follows))
            ways = [self._follow(here, play) for play in self._actions(here)]
            sure = max(ways, key=itemgetter(1))
            # an action that cannot be better even with certain wins afterwards is not examined: a seat that
            # can end the game as its winner need not be followed further
            others = [way for way in ways if way is not sure and way[1] + sum(way[0].values()) > sure[1]]
            for chances, gain in [sure, *others]:
                follows.append(self._numbered(chances))
                gains.append(gain)
        return StateSpace(begins, decided, first, follows, np.array(gains))

    def _numbered(self, chances: dict[State, float]) -> Chances:
        for state in chances:
            if state not in self.numbers:
                self.numbers[state] = len(self.order)
                self.order.append(state)
        return {self.numbers[state]: chance for state, chance in chances.items()}

    def _actions(self, here: "Numbers") -> list[Callable[["Numbers"], None]]:
        """Return a function for each legal action, which applies the action to a state.

        For another seat, return one function, which applies the choice of its policy.
        """
        legal = np.zeros(self.match.engine.max_legal, np.int32)
        n_legal = self.legal_actions(here, self.tables, legal)
        if here.to_move == self.seat:
            return [partial(self._act, action) for action in legal[:n_legal].tolist()]
        return [partial(self._answer, legal[:n_legal], n_legal)]

    def _act(self, action: int, state: "Numbers") -> None:
        self.apply(state, self.tables, action)

    def _answer(self, legal: np.ndarray, n_legal: int, state: "Numbers") -> None:
        weights = self.weights[state.to_move]
        self._act(self.policies[state.to_move](state, self.tables, legal.copy(), n_legal, weights), state)

    def _follow(self, here: "Numbers", play: Callable[["Numbers"], None]) -> tuple[dict[State, float], float]:
        """Return the probability of each next state, and the expected value of the games that end."""
        chances, gain = defaultdict[State, float](float), 0.0
        for chance, state in self.luck.ways(lambda: self._played(here, play)):
            worth = self.worth(state)
            if worth is None:
                chances[state.key(self.kept)] += chance
            else:
                gain += chance * worth
        return chances, gain

    def _played(self, here: "Numbers", play: Callable[["Numbers"], None]) -> "Numbers":
        self.played += self.size
        if self.played > self.most:
            raise Unlisted(f"it has too many states to enumerate (over {self.most // 10**6} MB)")
        state = here.twin()
        play(state)
        return state

    def worth(self, state: "Numbers") -> float | None:
        """Return the value of a finished game; None before its end."""
        if state.end_reason == PLAYING:
            return None
        self.write_record(state, self.tables, self.record)
        winner = self.record.winner
        return 1.0 if winner == self.seat else self.draw if winner == NOBODY else 0.0


class Numbers:
    """A copy of a record with Python numbers, which are ten times as fast to read as numpy numbers.

    Without a record to copy, all numbers are 0.
    """

    def __init__(self, dtype: np.dtype, like: Record | None = None):
        kinds = {"f": float, "b": bool}
        for name in dtype.names or ():
            of, value = dtype[name], 0 if like is None else like[name]
            one = np.array(value, of.base) if of.shape else kinds.get(of.kind, int)(value)
            self.__dict__[name] = np.broadcast_to(one, of.shape).copy() if of.shape else one

    def __setattr__(self, name: str, value: Any) -> None:
        old = self.__dict__[name]
        if isinstance(old, np.ndarray):
            old[...] = value
        else:
            self.__dict__[name] = type(old)(value)

    def key(self, names: list[str]) -> State:
        values = map(self.__dict__.__getitem__, names)
        return tuple(one.tobytes() if isinstance(one, np.ndarray) else one for one in values)

    def twin(self, changed: Mapping[str, Any] = MappingProxyType({})) -> "Numbers":
        """Return a copy in which some numbers are replaced.

        changed: maps the name of a field to its new value.
        """
        twin = object.__new__(Numbers)
        for name, old in self.__dict__.items():
            value = changed.get(name, old)
            if isinstance(old, np.ndarray):
                raw = value if isinstance(value, bytes) else old.tobytes()
                value = np.frombuffer(bytearray(raw), old.dtype).reshape(old.shape)
            twin.__dict__[name] = value
        return twin

    def record(self, dtype: np.dtype) -> np.ndarray:
        """Return the numbers as a numpy record array of length 1."""
        record = np.zeros(1, dtype)
        for name, value in self.__dict__.items():
            record[name] = value
        return as_records(record)


# ---------------------------------------------------------------- all outcomes of draws


class LuckTree:
    """Replacement for the random draws of rules, which `ways` answers in every possible way.

    For example, a draw from ten numbers that a rule only compares with 3 has two answers of different
    probability.
    """

    def __init__(self) -> None:
        self.script: list[tuple[int, tuple[int, ...]]] = []  # (answer, number of cases for each answer)
        self.asked = 0
        self.policies: dict[int, tuple[int, OpenNumber]] = {}  # a policy that asks twice gets the same answer

    def below(self, state: Any, purpose: int, n: int) -> "OpenNumber":
        return OpenNumber(self, n)

    def policy_below(self, state: Any, draw: int, n: int) -> "OpenNumber":
        of, number = self.policies.setdefault(draw, (n, OpenNumber(self, n)))
        if of != n:
            raise ValueError(f"a policy asks for draw {draw} of {of} and for draw {draw} of {n} numbers")
        return number

    def answer(self, cases: tuple[int, ...]) -> int:
        if self.asked == len(self.script):
            self.script.append((0, cases))
        self.asked += 1
        return self.script[self.asked - 1][0]

    def rules(self) -> "Uncompiled":
        """Return plain copies of rules and policies whose draws this tree answers."""
        draws = {rng.below: self.below, rng.policy_below: self.policy_below}
        return Uncompiled({**draws, **dict.fromkeys(OTHER_LUCK, not_drawn)})

    def ways(self, play: Callable[[], Any]) -> Iterator[tuple[float, Any]]:
        """Yield (probability, result) for each possible outcome of the draws in `play`.

        Raises Unlisted if there are more than MOST_WAYS.
        """
        self.script = []
        for ways in count(1):
            if ways > MOST_WAYS:
                raise Unlisted(
                    f"a single chance event, such as a shuffled deck, has over {MOST_WAYS:,} outcomes"
                )
            self.asked, self.policies = 0, {}
            came = play()
            yield prod(cases[which] / sum(cases) for which, cases in self.script), came
            while self.script and self.script[-1][0] + 1 == len(self.script[-1][1]):
                self.script.pop()
            if not self.script:
                return
            which, cases = self.script[-1]
            self.script[-1] = which + 1, cases


class OpenNumber:
    """A random number from 0 to n - 1, determined only as far as comparisons require."""

    __array_ufunc__ = None  # numpy leaves comparisons and sums to this class

    def __init__(self, luck: LuckTree, n: int):
        self.luck, self.left = luck, list(range(n))

    def _holds(self, test: Callable[[int, Any], bool], other: Any) -> bool:
        sides = [[one for one in self.left if test(one, other) == is_so] for is_so in (True, False)]
        sides = [side for side in sides if side]
        if len(sides) > 1:
            self.left = sides[self.luck.answer(tuple(map(len, sides)))]
        return bool(test(self.left[0], other))

    def __index__(self) -> int:
        if len(self.left) > 1:
            self.left = [self.left[self.luck.answer((1,) * len(self.left))]]
        return self.left[0]

    def __bool__(self) -> bool:
        return self._holds(operator.ne, 0)


for name in ("eq", "ne", "lt", "le", "gt", "ge"):
    setattr(OpenNumber, f"__{name}__", partialmethod(OpenNumber._holds, getattr(operator, name)))
for name in ("add", "sub", "mul", "floordiv", "truediv", "mod"):
    sum_of = getattr(operator, name)
    setattr(OpenNumber, f"__{name}__", lambda self, other, of=sum_of: of(int(self), other))
    setattr(OpenNumber, f"__r{name}__", lambda self, other, of=sum_of: of(other, int(self)))


class Uncompiled:
    """Plain copies of functions, compiled or not, with some functions replaced.

    All functions that they call are copied too.
    """

    def __init__(self, instead: dict[Callable, Callable]):
        self.copies = {getattr(one, "py_func", one): other for one, other in instead.items()}

    def copy(self, meaning: Any) -> Any:
        """Return a copy of a function, or of a module whose functions are copied on demand."""
        one = getattr(meaning, "py_func", meaning)
        if isinstance(one, ModuleType) and one.__name__.partition(".")[0] not in ("numpy", "numba", "math"):
            return _Module(one, self)
        if not isinstance(one, FunctionType) or one.__module__.partition(".")[0] in ("numpy", "numba"):
            return meaning
        if one not in self.copies:
            meanings, named = dict(one.__globals__), set(_names(one.__code__))
            cells = tuple(CellType(self.copy(cell.cell_contents)) for cell in one.__closure__ or ())
            self.copies[one] = FunctionType(one.__code__, meanings, one.__name__, one.__defaults__, cells)
            meanings.update((name, self.copy(meanings[name])) for name in named & meanings.keys())
        return self.copies[one]


@dataclass
class _Module:
    module: ModuleType
    uncompiled: Uncompiled

    def __getattr__(self, name: str) -> Any:
        return self.uncompiled.copy(getattr(self.module, name))


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from _names(one)


# ---------------------------------------------------------------- relevant numbers of a state


def _read(functions: list[Callable], write_record: Callable) -> set[str]:
    """Return all names that may be read from states.

    Values that are only written or incremented (a turn, a log) do not distinguish states, and neither do
    columns of the record other than the winner.
    """
    record = _tree(write_record)
    (body,) = (node.body for node in record.body if isinstance(node, ast.FunctionDef))
    body[:] = [line for line in body if _column(line) in ("", "winner")]
    if any(isinstance(node, ast.Call) for node in ast.walk(record)):
        functions = [*functions, write_record]
    rules = (one for one in called(*functions) if one.__module__ not in (rng.__name__, journal.__name__))
    return set().union(*map(_read_in, [record, *map(_tree, rules)]))


def _tree(function: Callable) -> ast.Module:
    return ast.parse(textwrap.dedent(inspect.getsource(getattr(function, "py_func", function))))


def _column(line: ast.stmt) -> str:
    """Return the column of a record that a line fills (`record.turn = ...`); "" for any other line."""
    target = line.targets[0] if isinstance(line, ast.Assign) else None
    return target.attr if isinstance(target, ast.Attribute) else ""


def _read_in(tree: ast.AST) -> set[str]:
    nodes = list(ast.walk(tree))
    items = [node for node in nodes if isinstance(node, ast.Subscript)]
    filled = [node.value for node in items if isinstance(node.ctx, ast.Store)]
    fields = [node for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)]
    keys = {node.slice.value for node in items if isinstance(node.slice, ast.Constant)}
    return {node.attr for node in fields if node not in filled} | {str(key) for key in keys}
