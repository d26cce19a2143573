"""A command's options as keywords of a question, and its answer as lines or as a document."""

import shlex
import sys
from collections.abc import Iterable
from typing import Any

from bartizan import api
from bartizan.cli_terminal import Terminal
from bartizan.simcore.errors import UsageError

UNSAID = ("-o", "--out", "--jobs", "--shards", "--cluster")  # options that change no result


def playtest(name: str) -> api.Playtest:
    return api.game(name, watch=Terminal())


def given(options: dict[str, Any]) -> dict[str, Any]:
    """A command's options as keywords of the question with the same name."""
    called = {"set_": "set", "range_": "range", "number": "game"}
    said = {name: value for name, value in options.items() if name not in ("game", "as_json")}
    options = {called.get(name, name): value for name, value in said.items()}
    for name in ("set", "change", "cost"):
        if name in options:
            options[name] = _pairs(options[name], f"--{name}")
    return options


def _pairs(texts: list[str] | None, option: str) -> dict[str, str | list[str]]:
    """`PATH=VALUE` texts as {path: value}; a policy may be named several times."""
    values: dict[str, str | list[str]] = {}
    for text in texts or []:
        path, equals, value = (part.strip() for part in text.partition("="))
        if option == "--change" and path == "policy":
            said = values.get(path, [])
            values[path] = [*said, value]
            continue
        if not equals or not path or not value:
            raise UsageError(f'{option} "{text}": write PATH=VALUE, such as turn.ss_cards=4')
        if path in values:
            raise UsageError(f"{option} {path}: is named twice, {values[path]} and {value}; name it once")
        values[path] = value
    return values


def say(answer, as_json: bool = False) -> int:
    """Print an answer; its exit code."""
    if as_json:
        print(answer.to_json())
    else:
        print_lines([*answer.lines(), *answer.hints])
    return answer.exit_code


def print_lines(lines: Iterable[str]) -> None:
    for line in lines:
        print(line)


def as_typed() -> str:
    """The command line as typed, for the manifest; without what does not change the results: folder, threads,
    parts, output form.
    """
    words, skip = ["bartizan"], False
    for word in sys.argv[1:]:
        if skip or word in UNSAID:
            skip = not skip
        elif word != "--json" and not word.startswith(tuple(f"{option}=" for option in UNSAID)):
            words.append(word)
    return shlex.join([*words, "-o", "DIR"])
