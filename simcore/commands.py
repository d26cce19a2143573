"""Build the command line that repeats a question."""

import shlex
from collections.abc import Mapping
from typing import Any

from bartizan.simcore.scenario.parameters import as_text


def command_of(name: str, *arguments: Any, **options: Any) -> str:
    """Return the command line of a question, such as `bartizan run itter --games 500`.

    Options that are None or False are omitted. A sequence or a mapping repeats its option; a mapping gives
    `PATH=VALUE` for each item.
    """
    words = ["bartizan", *name.split(), *map(str, arguments)]
    for option, value in options.items():
        name = f"--{option.strip('_').replace('_', '-')}"
        if value is True:
            words.append(name)
        elif isinstance(value, Mapping):
            words += [word for path, each in value.items() for word in (name, f"{path}={as_text(each)}")]
        elif isinstance(value, (list, tuple)):
            words += [word for each in value for word in (name, as_text(each))]
        elif value is not None and value is not False:
            words += [name, as_text(value)]
    return shlex.join(words)
