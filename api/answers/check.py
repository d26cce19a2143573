"""`check`: validate a game, a policy or a scenario file against its contract.

A user's game or policy is checked in a separate process with bounds checking, so that writes outside an
array, crashes and infinite loops are also reported in one line. This process then only passes on the lines.
So that the other process starts early, this module imports nothing that compiles or reads a game.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from bartizan.api.child import DOING, said_by
from bartizan.api.questions.checking import CheckQuestion
from bartizan.api.reading import listed, trusted_of
from bartizan.simcore import errors
from bartizan.simcore.sources import is_engine, refuse_absent
from bartizan.simcore.watch import Watch


def answer(question: CheckQuestion) -> Iterator[str]:
    """Check a game, a scenario file, or a folder of results, and yield the lines of the report.

    Except for a folder, the last line is the verdict.
    """
    target, policies = str(question.target), listed(question.policy)
    if Path(target).is_dir() and not _is_builtin(target):
        for option in ("policy", "ends", "refresh"):
            if getattr(question, option):
                raise errors.UsageError(f"--{option}: {target} is a folder of results; remove --{option}")
        from bartizan.api.answers.replaying import verify

        return verify(Path(target), trusted_of(question.trust))
    if question.trust:
        raise errors.UsageError(
            f"--trust: requires a folder of results, and {target} is not one; remove --trust"
        )
    if target.endswith(".toml") and not is_engine(target):
        for option in ("policy", "ends", "refresh"):
            if getattr(question, option):
                raise errors.UsageError(f"--{option}: {target} is a scenario file; remove --{option}")
    new: Iterable[str] = ()
    if question.refresh:
        if not target.endswith(".py"):
            raise errors.UsageError(
                f"--refresh: the game {target} has no links to sheets; give the .py file of a short game"
            )
        from bartizan.api.answers.refresh import refresh

        new = refresh(Path(target))
    return _judged(chain(new, check(target, policies, question.ends)), question.watch)


def _is_builtin(name: str) -> bool:
    from bartizan.simcore.game import BUILTIN

    return name in BUILTIN


def _judged(lines: Iterable[str], watch: Watch) -> Iterator[str]:
    """Yield the lines, and then the verdict. After a mistake, yield the other mistakes and raise the first.

    watch: receives a description of the current check.
    """
    notes = 0
    try:
        for line in lines:
            watch.doing(line.removeprefix(DOING) if line.startswith(DOING) else "")
            if not line.startswith(DOING):
                notes += is_note(line)
                yield line
    except errors.UsageError as error:
        yield from (f"mistake  {one}" for one in error.others)
        raise
    finally:
        watch.doing("")
    count = f" with {notes:,} note{'s' * (notes > 1)}: no failure, but read the lines that begin with `note`"
    yield f"passed{count if notes else ''}"


def is_note(line: str) -> bool:
    return line.startswith("note")


def check(target: str, policies: Sequence[str] = (), every_end: bool = False) -> Iterator[str]:
    """Validate a game, its policies, or a scenario file, and yield one line per check that passed.

    policies: the policies to check, named as in a command (default: all policies of the game). every_end:
    test both ends of the range of every value that `--set` can change. Raises at the first failure, and at
    once for an unknown name or a missing file.
    """
    if is_engine(target):
        from bartizan.api.answers.check_engine import check_engine

        return check_engine(target, policies, every_end)
    if target.endswith(".toml"):
        from bartizan.api.answers.check_here import check_scenario_file

        return check_scenario_file(target)
    refuse_unknown(target, policies)
    if any(".py" in text for text in (target, *policies)):
        return _check_alone(target, policies, every_end)
    from bartizan.api.answers.check_here import check_here

    return check_here(target, policies, every_end)


def refuse_unknown(target: str, policies: Sequence[str]) -> None:
    """Raise UsageError for a missing game or policy file, PolicyError for an unknown policy name."""
    if target.endswith(".py"):
        refuse_absent(Path(target).resolve(), "game")
    for name in policies:
        if ".py" not in name:
            from bartizan.policies.registry import find_policy
            from bartizan.simcore.game import load_game

            find_policy(load_game(target), name)
        elif re.fullmatch(r"[^:=+]+\.py", name):
            refuse_absent(Path(name).resolve(), "policy")


def _check_alone(target: str, policies: Sequence[str], every_end: bool) -> Iterator[str]:
    words = (target, "every end" if every_end else "", *policies)
    yield from said_by("bartizan.api.answers.check_here:in_child", *words, BARTIZAN_PLAIN="")
