"""Escapes of unsafe characters in output.

Names come from a designer's tables, file names and scenarios. In a terminal, an escape sequence in a name
moves the cursor or sets the title of the window; a direction override reverses the text after it. Every
renderer shows such a character as its escape (`\\x1b`, `\\u202e`), which is visible and has no effect.
"""

import re
from collections.abc import Mapping
from typing import Any

# control characters except tab and line feed; line separators; direction overrides; lone surrogates, which
# occur in file names that are not UTF-8 and cannot be written to a file
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def visible(text: str) -> str:
    """Return the text with unsafe characters escaped."""
    return UNSAFE.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def one_line(text: str) -> str:
    """Return the text on one line with unsafe characters escaped, so that its width is known."""
    return visible(text.replace("\n", " "))


def all_visible(content: Any) -> Any:
    """Return the content with unsafe characters escaped in all texts and keys. Tuples become lists."""
    if isinstance(content, str):
        return visible(content)
    if isinstance(content, Mapping):
        return {all_visible(key): all_visible(each) for key, each in content.items()}
    return [all_visible(each) for each in content] if isinstance(content, (list, tuple)) else content
