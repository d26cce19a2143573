"""The questions, one module for each group of related questions.

Modules in this package are found automatically. Each question is a command, and each question about a game is
also a method of the object that `bartizan.game` returns (`bartizan.api.methods`).
"""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

from bartizan.api.question import Question


@cache
def all_questions() -> dict[str, type[Question[Any]]]:
    """Map the words of each command after `bartizan` to its question class."""
    modules = (import_module(module.name) for module in iter_modules(__path__, f"{__name__}."))
    return {question.command: question for module in modules for question in questions_of(module)}


def questions_of(module: ModuleType) -> Iterator[type[Question[Any]]]:
    """Yield the question classes that a module declares, in the order of their declaration."""
    for value in vars(module).values():
        if isinstance(value, type) and issubclass(value, Question) and "command" in vars(value):
            yield value
