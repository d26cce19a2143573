"""Values in TOML notation, for `--set`, scenario files and weights files."""

import json
import tomllib
from collections.abc import Callable, Mapping
from math import isfinite
from pathlib import Path
from typing import Any

from bartizan.simcore.errors import UsageError, unreadable


def read(path: Path, missing: str, kind: type[UsageError] = UsageError) -> dict[str, Any]:
    """Read a TOML document. Raises an error of class `kind` if it cannot be read. missing: message if there
    is no file.
    """
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise kind(f"{path}: {missing}") from None
    except (OSError, ValueError, RecursionError) as error:
        raise kind(f"{path}: cannot be read as TOML: {unreadable(error)}") from None


def inline(value: Any) -> str:
    """Return a value in TOML: `4`, `true`, `"no"`, `[1, 2]`, `{ rifleman = 4 }`."""
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{key(name)} = {inline(part)}" for name, part in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(inline, value))}]"
    if isinstance(value, float) and not isfinite(value):
        return str(float(value))  # nan, inf and -inf
    return json.dumps(value, ensure_ascii=False, default=str).replace("\x7f", "\\u007f")


def key(name: str) -> str:
    """Return a TOML key, without quotes if possible."""
    is_bare = name.isascii() and name.replace("_", "a").replace("-", "a").isalnum()
    return name if is_bare else json.dumps(name, ensure_ascii=False).replace("\x7f", "\\u007f")


def document(
    head: Mapping[str, Any], tables: Mapping[str, Mapping[str, Any]], text: Callable[[Any], str] = inline
) -> str:
    """Return the text of a document: plain values, followed by tables by path (`mode.elite`). Values with the
    path "" are in the head.
    """
    lines = [f"{key(name)} = {text(value)}" for name, value in {**head, **tables.get("", {})}.items()]
    for path, table in tables.items():
        if path:
            rows = (f"{key(name)} = {text(value)}" for name, value in table.items())
            lines += ["", f"[{'.'.join(map(key, path.split('.')))}]", *rows]
    return "\n".join(lines) + "\n"
