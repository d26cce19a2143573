"""Text for a terminal, or a file, of another encoding than ours."""

import codecs
import sys
import unicodedata

DASHES = {"\N{MINUS SIGN}": "-", "\N{EN DASH}": "-", "\N{EM DASH}": "-"}


def encode_what_can_be() -> None:
    """A character that stdout or stderr cannot encode becomes the nearest they can: Windows redirects to
    files as cp1252.
    """
    codecs.register_error("bartizan.nearest", _nearest)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # not where Python code has put its own
            stream.reconfigure(errors="bartizan.nearest")


def _nearest(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    near = (DASHES.get(c, unicodedata.normalize("NFKD", c)) for c in error.object[error.start : error.end])
    return "".join(text.encode("ascii", "ignore").decode() or "?" for text in near), error.end
