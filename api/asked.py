"""Questions as functions and as methods, with their options as keywords: what `import bartizan` offers."""

import inspect
from collections.abc import Callable
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from bartizan.api.question import Question
from bartizan.simcore.watch import Watch

P = ParamSpec("P")
T = TypeVar("T")


def asked(question: Callable[P, Question[T]]) -> Callable[P, T]:
    """A function that asks a question."""
    return _asking(question)


class Subject:
    """What questions are asked about, and who sees how far they have come."""

    def __init__(self, subject: str, watch: Watch):
        self.subject, self.watch = subject, watch


class Asked(Generic[P, T]):
    """A method that asks a question about its object."""

    def __init__(self, question: Callable[Concatenate[Any, P], Question[T]]):
        self.question = question

    def __get__(self, about: Subject | None, owner: type) -> Callable[P, T]:
        return _asking(self.question, about)


def _asking(question: Any, about: Subject | None = None) -> Callable:
    """The function, with the signature and the help of the question; of `about` what it is asked about."""
    bound = () if about is None else (about.subject,)

    def ask(*args: Any, **options: Any) -> Any:
        instance = question(*bound, *args, **options)
        if about is not None:
            instance.watch = about.watch
        return instance.ask()

    signature = inspect.signature(question)
    ask.__name__ = ask.__qualname__ = question.command.replace(" ", "_").replace("-", "_")
    ask.__doc__ = help_of(question)
    ask.question = question  # type: ignore[attr-defined]
    ask.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=list(signature.parameters.values())[len(bound) :],
        return_annotation=inspect.Signature.empty,
    )
    return ask


def help_of(question: type[Question]) -> str:
    """The docstring, and each option with its help."""
    options = [f"{one.name}: {one.opt.help}" for one in question.options if one.opt.help]
    return "\n".join([inspect.getdoc(question) or "", "", *options])
