"""Exceptions with their exit codes.

The text of an exception is one line that states the fault, its place, its reason, and a correction.
"""

from collections.abc import Iterable
from typing import Any


class BartizanError(Exception):
    """Base class of the errors that a user sees without a traceback."""

    exit_code = 1
    played = 0  # completed games in the task where the error occurred
    match: Any = None  # the `simcore.play.match.Match` in which the error occurred, if several were played


class UsageError(BartizanError):
    """A wrong command line, scenario, plan or policy, which the user can correct.

    others: further mistakes in the same file, each a line as the text of the exception is.
    """

    exit_code = 2
    others: tuple[str, ...] = ()


class ScenarioError(UsageError):
    """A scenario file, or a value of `--set`, that cannot be simulated."""


class PolicyError(UsageError):
    """A policy that is unknown, cannot be loaded or breaks a rule, for example by an illegal action."""


class EngineError(BartizanError):
    """A failed check of an engine or of stored data."""

    exit_code = 4


def unforeseen(error: Exception) -> str:
    """Return the message for an unexpected error."""
    why = "a bug in Bartizan: run again with --debug and report the output"
    return f"unexpected error: {type(error).__name__}: {error} ({why})"


def unreadable(error: Exception) -> str:
    """Return the reason why a text file cannot be read, in terms that users know."""
    if isinstance(error, RecursionError):
        return "nested too deeply"
    if isinstance(error, UnicodeDecodeError):
        return "not text in UTF-8"
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)


def fault_in_saved(error: Any) -> str:
    """Return the first fault of a pydantic `ValidationError` in a saved document, with its place."""
    fault = error.errors(include_url=False)[0]
    where = ".".join(map(str, fault["loc"])) or "the whole"
    if fault["type"] == "missing":
        return f"{where}: missing"
    return f"{where}: {fault['msg']}, not {str(fault['input'])[:40]!r}"


def as_spelled(word: str, known: Iterable[str]) -> str:
    """Return the known word that equals `word` except for case.

    Return `word` itself if there is none, or if several known words differ only in case.
    """
    known = list(known)
    alike = [one for one in known if one.casefold() == word.strip().casefold()]
    return alike[0] if word not in known and len(alike) == 1 else word


def did_you_mean(word: str, known) -> str:
    """Return `; did you mean "x"?` for the nearest known word.

    If no known word is near, return the list of known words, or "" if there are none or more than 20.
    """
    from difflib import get_close_matches

    known = sorted(map(str, known))
    near = get_close_matches(str(word), known, 1, 0.5)
    if near:
        return f'; did you mean "{near[0]}"?'
    return f"; choose from: {', '.join(known)}" if 0 < len(known) <= 20 else ""
