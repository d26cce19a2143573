"""The questions that can be asked, a file for each or for those that belong together.

A module that is put here is found: its questions are commands.
"""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from bartizan.api.question import Question

# in the order of the help; a question that is not named here stands last
ORDER = (
    "games policies describe run sweep merge import report export bands trace compare sensitivity tune train "
    "ladder bracket equilibrium workbench mcp best rare losses cards coverage check gate new refresh watch "
    "verify bench warm doctor"
)


@cache
def all_questions() -> dict[str, type[Question]]:
    """The words after `bartizan`, and their question."""
    questions: dict[str, type[Question]] = {}
    for module in iter_modules(__path__, f"{__name__}."):
        for value in vars(import_module(module.name)).values():
            if isinstance(value, type) and issubclass(value, Question) and "command" in vars(value):
                questions[value.command] = value
    return questions
