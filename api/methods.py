"""Questions as functions and as methods, with their options as keywords: what `import bartizan` offers."""

import inspect
from collections.abc import Callable
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from bartizan.api.question import Question
from bartizan.simcore.watch import Watch

P = ParamSpec("P")
T = TypeVar("T")


def function(question: Callable[P, Question[T]]) -> Callable[P, T]:
    """A function that asks a question."""
    return _asking(question, question.command.replace(" ", "_"))  # type: ignore[attr-defined]


class Subject:
    """What questions are asked about, a game or a folder, and who sees how far they have come."""

    def __init__(self, name: str, watch: Watch):
        self.name, self.watch = name, watch


class QuestionMethod(Generic[P, T]):
    """A method that asks a question about its object."""

    def __init__(self, question: Callable[Concatenate[Any, P], Question[T]]):
        self.question = question

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, about: Subject | None, owner: type) -> Callable[P, T]:
        return _asking(self.question, self.name, about)


def _asking(question: Any, name: str, about: Subject | None = None) -> Callable:
    """The function, with the signature and the help of the question; of `about` what it is asked about."""
    bound = () if about is None else (about.name,)

    def ask(*args: Any, **options: Any) -> Any:
        instance = question(*bound, *args, **options)
        if about is not None:
            instance.watch = about.watch
        return instance.ask()

    options = {option.name: option for option in question.options}
    parameters = list(inspect.signature(question).parameters.values())[len(bound) :]
    plain = [one.replace(annotation=options[one.name].type) for one in parameters]
    helps = [f"{one.name}: {options[one.name].opt.help}" for one in plain if options[one.name].opt.help]
    ask.__name__ = ask.__qualname__ = name
    ask.__doc__ = "\n".join([inspect.getdoc(question) or "", "", *helps])
    ask.question = question  # type: ignore[attr-defined]
    ask.__signature__ = inspect.Signature(plain)  # type: ignore[attr-defined]
    return ask
