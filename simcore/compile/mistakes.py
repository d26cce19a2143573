"""Errors in a user's game or policy, as one line with place and reason.

numba's message has many lines, most of them about its internals.
"""

import ast
import os
import pickle
import re
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

LOADED = ("bartizan_game_", "bartizan_policy_")  # prefixes of the names of modules from outside
# beginnings of lines in numba's messages that do not help an author
DULL = (
    *("Failed in", "During", "File ", "This error may", "To see Python", "This should not", "For more info"),
    *("<source", "- argument", "[1]", "[2]", "Overload", "There are", "- Of which", "^"),
)
LONGEST = 300  # maximum characters of a reason
# file generated from a designer's -> that file: an error never names a file that its reader did not write
WRITTEN: dict[str, str] = {}


def sentence(error: BaseException, function: Callable | None = None) -> str:
    """Return `FILE:LINE: reason` for an error.

    function: the function that did not compile, if known; its first line is used if no line is reported.
    """
    where = place_of(error) or _name_written(error, function) or head_of(function)
    why = reason_of(error, function)
    return f"{where}: {why}" if where else why


def place_of(error: BaseException) -> str:
    """Return `FILE:LINE` of the last step in a user's file before an error; "" if there is none."""
    for one in _chain(error):
        steps = traceback.extract_tb(one.__traceback__)
        found = [
            _designers(step.filename) or f"{step.filename}:{step.lineno}"
            for step in steps
            if _outside(step.filename)
        ]
        if said := [*_places_said(one), *reversed(found)]:
            return said[0]
    return ""


def reason_of(error: BaseException, function: Callable | None = None) -> str:
    """Return the relevant lines of an error message as one line.

    Frequent errors of authors are described in plain words.

    function: the function that did not compile, if known.
    """
    text = str(error)
    if full := _full_pile(error):
        return full
    if is_division(error):
        divisor = _divisor(error)
        return f"ZeroDivisionError: {divisor} is 0" if divisor else "ZeroDivisionError: division by 0"
    if isinstance(error, (pickle.UnpicklingError, EOFError)):
        return f"compiled code in {os.environ.get('NUMBA_CACHE_DIR')} is damaged: delete that folder"
    if plain := re.search(r"Untyped global name '(\w+)'.*<class 'function'>", text, re.S):
        if function is not None and plain[1] == function.__code__.co_name:
            return f"{plain[1]} calls itself: move the recursion to a helper with @jit above it"
        return f"{plain[1]} is a plain function: write @jit above it (from bartizan import jit)"
    if type(error) is AttributeError and text == "'NoneType' object has no attribute 'args'":
        return "numba cannot change this array of small numbers in place: write a[:] = a + b, not a += b"
    if "runaway recursion" in text:
        what = f"{function.__code__.co_name}, or a function that it calls," if function else "a function"
        return f"{what} calls itself and never returns a value: write a loop, or return one before the call"
    if unknown := re.search(r"NameError: (name '\w+' is not defined)", text):
        return unknown[1]
    if type(error) is KeyError and re.fullmatch(r"'\w+'", text):
        return f"the record has no field {text}"
    if returned := re.search(r"No conversion from (.+) to (\w+) for '\$\w*return_value", text):
        what = {"none": "nothing on at least one path"}.get(returned[1], returned[1])
        return f"it returns {what}, but an action must be an integer ({returned[2]})"
    if constant := re.search(r"No conversion from int\d+ to Literal\[int\]\((-?\d+)\) for '(\w+)'", text):
        name, number = constant[2], constant[1]
        return f"{name} starts as a constant and is assigned another number later: write `{name} = {number}`"
    if field := re.search(r"Unknown attribute '(\w+)' of type u?int\d+", text):
        return (
            f".{field[1]} of a number: actions, cards and players are plain numbers without fields: compare "
            "them with others, such as `action == ROLL` or `PLAY(card) in legal`"
        )
    if mixed := re.search(r"Cannot unify (.*?array\(.*?) for '([^']+)'", text):
        name = "" if mixed[2].startswith("$") else f"{mixed[2].partition('.')[0]} is "
        return (
            f"{name}one of two components or lists of different sizes or kinds ({mixed[1]}), but compiled "
            "code has one type for both: write an if, with the whole statement for each of them"
        )
    if given := re.search(r"(\d+) argument types given, but function takes (\d+) arg", text):
        return f"it takes {given[2]} arguments but is given {given[1]}"
    text = re.sub(r'\n+File "[^"]+", line \d+:\n.*?\^', "", text, flags=re.S)  # source lines
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    telling = [line for line in lines if not line.startswith(DULL)]
    return ": ".join(filter(None, [type(error).__name__, " ".join(telling)[:LONGEST]]))


def _full_pile(error: BaseException) -> str:
    """Describe the pile of a state that has no room for a card, with a correction; "" for other errors.

    This needs uncompiled rules, in whose frames the pile is an array.
    """
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    if type(error) is not IndexError or "onto a full pile" not in str(error) or not frames:
        return ""
    import numpy as np

    pile = frames[-1].f_locals.get("pile")
    for record in (value for frame in frames[::-1] for value in frame.f_locals.values()):
        for name in getattr(getattr(record, "dtype", None), "names", None) or ():
            if isinstance(record, np.void) and np.may_share_memory(record[name], pile):
                room, own = int(pile[0]), f"s.{name}" + ("[player]" if record[name].ndim > 1 else "")
                return (
                    f"a card is put onto a full pile: {name} has room for {room}: declare it with more room "
                    f"(its second argument, {room}), or put a card there only where size({own}) < {room}"
                )
    return ""


def is_division(error: BaseException) -> bool:
    """Return whether an error is a division by 0, which has another type for NumPy's numbers."""
    is_numpys = isinstance(error, FloatingPointError) and "divide by zero" in str(error)
    return is_numpys or isinstance(error, ZeroDivisionError)


def _divisor(error: BaseException) -> str:
    """Return the divisor of a division by 0, as it is written in the user's file; "" if unknown.

    The divisor is known only if the rules run uncompiled, because the traceback of compiled code does not
    contain the column of the division.
    """
    steps = [one for one in traceback.extract_tb(error.__traceback__) if _outside(one.filename)]
    if not steps or steps[-1].lineno is None:
        return ""
    last = steps[-1]
    lines = Path(last.filename).read_bytes().splitlines()[last.lineno - 1 : last.end_lineno]
    if not lines or last.colno is None:
        return ""
    lines[-1] = lines[-1][: last.end_colno]
    lines[0] = lines[0][last.colno :]
    for before, after in ((b"(", b")"), (b"", b"")):  # an expression, or `s.stake //= n.parts`
        with suppress(SyntaxError):
            found = ast.parse(before + b"\n".join(lines) + after).body[0]
            if isinstance(found, ast.AugAssign):
                return ast.unparse(found.value)
            if isinstance(found, ast.Expr) and isinstance(found.value, ast.BinOp):
                return ast.unparse(found.value.right)
    return ""


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _places_said(error: BaseException) -> list[str]:
    """Return the places in users' files that numba's message names, innermost first."""
    named = re.findall(r'File "([^"]+\.py)", line (\d+)|(?:at|from) (\S+\.py) \((\d+)\)', str(error))
    paths = [(Path(a or b), line or other) for a, line, b, other in named]
    return [f"{path.resolve()}:{line}" for path, line in paths if _outside(path) and str(path) not in WRITTEN]


def _designers(file: str) -> str:
    """Return `FILE:LINE` of the source of a generated file; "" for other files."""
    return f"{WRITTEN[file]}:1" if file in WRITTEN else ""


def _outside(path: str | Path) -> bool:
    """Return whether a file is in a folder from which a user's file was loaded."""
    loaded = [module for name, module in sys.modules.items() if name.startswith(LOADED)]
    folders = {Path(module.__file__).parent for module in loaded if getattr(module, "__file__", None)}
    return Path(path).resolve().parent in folders


def _name_written(error: BaseException, function: Callable | None) -> str:
    """Return the place where a function uses an undefined name or field; numba reports only the name."""
    missing = re.search(r"NameError: name '(\w+)'", str(error)) or re.fullmatch(r"'(\w+)'", str(error))
    if function is None or not missing:
        return ""
    code = function.__code__
    lines = Path(code.co_filename).read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        if number >= code.co_firstlineno and re.search(rf"\b{missing[1]}\b", line):
            return f"{code.co_filename}:{number}"
    return ""


def head_of(function: Callable | None) -> str:
    """Return `FILE:LINE` of the first line of a function; "" for None."""
    if function is None:
        return ""
    code = function.__code__
    return _designers(code.co_filename) or f"{code.co_filename}:{code.co_firstlineno}"
