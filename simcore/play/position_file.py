"""A position as an editable file.

`position` is the line of the position; [seen] contains the values that the seat to move sees, under the names
that `--if` uses.

A value in [seen] that differs from the line is a change; an omitted value changes nothing. [seen] contains
only values that the seat to move knows; the line contains the complete state.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from bartizan.simcore import toml
from bartizan.simcore.errors import UsageError
from bartizan.simcore.files import quoted
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.position import GamePosition, read
from bartizan.simcore.play.position_changes import HIDDEN, as_seen, changed

KEYS = {"position", "seen"}


def template(position: GamePosition, named: str, file: str) -> str:
    """Return the text of the file.

    named: the game and its options, as in a command. file: name of the file.
    """
    role = position.match.game.roles_in(position.match.scenario)[position.seat]
    head = [
        f"# {position.match.scenario.model.title}, before decision {position.plies}: {role} is to move.",
        "# Change values of [seen], then:",
        f"#   bartizan chance {named} --at {quoted(file)}",
        (
            f'# "{HIDDEN}": {role} does not know it. It is redealt in each future, as is everything that '
            "[seen] omits."
        ),
        "",
    ]
    body = toml.document({"position": position.line()}, {"seen": as_seen(position)}, _value)
    return "\n".join(head) + "\n" + body


def _value(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else toml.inline(value)


def read_file(match: Match, text: str, name: str) -> GamePosition:
    """Read a position from the text of the file.

    Raises UsageError with file, line and reason if it does not fit the match.
    """
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{name}: {toml.fault_of(error)}") from None
    if unknown := sorted(set(document) - KEYS):
        raise UsageError(f"{_at(text, name, unknown[0])}: {unknown[0]}: write only `position` and [seen]")
    line, seen = document.get("position"), document.get("seen", {})
    if not isinstance(line, str) or not isinstance(seen, dict):
        raise UsageError(
            f'{name}: write position = "..." as `bartizan trace --position` prints it, and [seen]'
        )
    try:
        position = read(match, line)
    except UsageError as error:
        raise UsageError(f"{_at(text, name, 'position')}: {error}") from None
    changes: dict[str, str] = {}
    known = as_seen(position)
    for path, value in seen.items():
        changes |= dict(_changes(path, value, known.get(path), _at(text, name, path)))
    for path, value in changes.items():
        try:
            changed(position, {path: value}, is_checked=False)
        except UsageError as error:
            raise UsageError(f"{_at(text, name, path)}: {_plain(error)}") from None
    try:
        return changed(position, changes) if changes else position
    except UsageError as error:
        raise UsageError(f"{name}: {_plain(error)}") from None


def _changes(path: str, value: Any, known: Any, place: str) -> Iterator[tuple[str, str]]:
    """Yield (path, text) for each value that differs from the known value.

    Raises UsageError for a value that cannot be changed.
    """
    if value == known:
        return
    if isinstance(value, Mapping):
        raise UsageError(f'{place}: write one line for each value, such as "points[first]" = 3')
    if not isinstance(value, list):
        yield path, str(value)
        return
    if (
        isinstance(known, list)
        and len(known) == len(value)
        and not any(isinstance(one, str) for one in known)
    ):
        for at, (new, old) in enumerate(zip(value, known, strict=True)):
            inner = f"{path[:-1]},{at}]" if path.endswith("]") else f"{path}[{at}]"
            yield from _changes(inner, new, old, place)
        return
    olds = known if isinstance(known, list) else []
    if any((new == HIDDEN) != (old == HIDDEN) for new, old in zip(value, olds, strict=False)):
        raise UsageError(
            f'{place}: a card that is "{HIDDEN}" is redealt in each future; do not change it, '
            "and name only the other cards"
        )
    yield path, ",".join(map(str, value))


def _plain(error: UsageError) -> str:
    return str(error).removeprefix("--if ")


def _at(text: str, name: str, key: str) -> str:
    """Return the file and line of a key, such as `position.toml:7`.

    For a place in a list, it is the line of the list; for a missing key, only the file.
    """
    for wanted in (key, key.partition("[")[0]):
        written = re.escape(wanted)
        for number, line in enumerate(text.splitlines(), 1):
            if re.match(rf'\s*("?{written}"?\s*=|\[{written}\])', line):
                return f"{name}:{number}"
    return name
