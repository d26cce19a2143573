"""What can go wrong, each with its exit code. The text is one line: what, where, why, what would work."""

from typing import Any


class BartizanError(Exception):
    """Base of every error a user may see without a traceback."""

    exit_code = 1
    played = 0  # games of the piece in which it came up that are whole
    match: Any = None  # `simcore.play.match.Match` in whose games it came up, where many were played


class UsageError(BartizanError):
    """A wrong command line, scenario, plan or policy: the user can mend it."""

    exit_code = 2


class ScenarioError(UsageError):
    """A scenario file or a `--set` that cannot be played."""


class PolicyError(UsageError):
    """A policy that is unknown, does not load, or chose an illegal action."""


class EngineError(BartizanError):
    """A check of the engine or of stored data failed."""

    exit_code = 4


def unforeseen(error: Exception) -> str:
    """What is said of an error that nobody thought of."""
    why = "a bug in Bartizan: run again with --debug and report the output"
    return f"unexpected error: {type(error).__name__}: {error} ({why})"


def did_you_mean(word: str, known) -> str:
    """` (did you mean "x"?)` for the nearest known word, or the list of what there is."""
    from difflib import get_close_matches

    known = sorted(map(str, known))
    near = get_close_matches(str(word), known, 1, 0.5)
    if near:
        return f'; did you mean "{near[0]}"?'
    return f"; choose from: {', '.join(known)}" if 0 < len(known) <= 20 else ""
