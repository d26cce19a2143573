"""Values in TOML notation, for `--set`, scenario files and weights files."""

import ast
import json
import re
import tomllib
from collections.abc import Callable, Mapping
from math import isfinite
from pathlib import Path
from typing import Any

from bartizan.simcore.errors import UsageError, unreadable

# start of a message of `tomllib`, or several -> what to write instead
CORRECTIONS: dict[str | tuple[str, ...], str] = {
    "Expected '='": "write KEY = VALUE, with quotation marks around a key that contains other characters "
    "than letters, digits, _ and -",
    "Expected ']": "write [NAME], or [[NAME]], on a line of its own",
    "Expected newline": "write one KEY = VALUE per line; numbers look like 1000 or 0.5, and text is in "
    "quotation marks",
    "Invalid statement": "write KEY = VALUE, [NAME], or # before a remark",
    "Invalid value": 'write a number such as 0.5, true, false, text as "text", or a list as [1, 2]',
    "Unclosed array": "end the list with ], and separate its values by commas",
    "Unclosed inline table": "write { KEY = VALUE, ... } on one line, and separate its entries by commas",
    ('Expected "\'"', "Unterminated string"): "end the text with the quotation mark with which it begins",
    (
        r"Illegal character '\n'",
        r"Found invalid character '\n'",
    ): "end the text on its line with the quotation mark with which it begins",
    ("Illegal character", "Found invalid character"): "remove this character",
    ("Invalid hex value", "Unescaped"): "write \\\\ for each \\ in a text, or write the text between '...'",
    "Cannot overwrite": "the key or table is given twice: give it once",
    "Cannot declare": "the table is given twice: give it once",
    "Duplicate": "the key is given twice: give it once",
}


def read(path: Path, missing: str, kind: type[UsageError] = UsageError) -> dict[str, Any]:
    """Read a TOML document.

    Raises an error of class `kind` if it cannot be read. missing: message if there is no file.
    """
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))  # some editors begin with a mark
    except FileNotFoundError:
        raise kind(f"{path}: {missing}") from None
    except (OSError, ValueError, RecursionError) as error:
        raise kind(f"{path}: {fault_of(error)}") from None


def fault_of(error: Exception) -> str:
    """Return why and where a text cannot be read as TOML, and what to write instead."""
    why = re.sub(r"(\(['\"].*\)) twice", _dotted, unreadable(error))
    if isinstance(error, RecursionError):
        correction = "write its tables and lists on fewer levels"
    elif isinstance(error, UnicodeDecodeError):
        correction = "save it as UTF-8"
    elif isinstance(error, OSError):
        correction = "check the path and its permissions"
    else:
        correction = next(
            (text for start, text in CORRECTIONS.items() if why.startswith(start)), "correct it"
        )
    return f"cannot be read as TOML: {why}; {correction}"


def _dotted(names: re.Match[str]) -> str:
    """Return a table named twice in TOML notation, such as `[a.b] twice`.

    `tomllib` names it as `('a', 'b') twice`.
    """
    return f"[{'.'.join(ast.literal_eval(names[1]))}] twice"


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
    """Return a name as a TOML key, without quotes if possible."""
    is_bare = name.isascii() and name.replace("_", "a").replace("-", "a").isalnum()
    return name if is_bare else json.dumps(name, ensure_ascii=False).replace("\x7f", "\\u007f")


def document(
    head: Mapping[str, Any], tables: Mapping[str, Mapping[str, Any]], text: Callable[[Any], str] = inline
) -> str:
    """Return the text of a document: plain values, followed by tables by path (`mode.elite`).

    The values of the table with the path "" are added to `head`.
    """
    lines = [f"{key(name)} = {text(value)}" for name, value in {**head, **tables.get("", {})}.items()]
    for path, table in tables.items():
        if path:
            rows = (f"{key(name)} = {text(value)}" for name, value in table.items())
            lines += ["", f"[{'.'.join(map(key, path.split('.')))}]", *rows]
    return "\n".join(lines) + "\n"
