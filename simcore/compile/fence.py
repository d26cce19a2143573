"""Which versions of numba the changes to its inside fit.

`index`, `inner` and `lean` replace some twenty private functions of numba, to compile faster and to find
code on disk by its content. They are used only with numba versions that were tested. With any other version
numba's own cache keeps the code of built-in games, in a folder for that version and these sources, and each
process compiles code that users bring.
"""

import hashlib
from functools import cache

TESTED = ("0.68",)  # each with the whole test suite


@cache
def version() -> str:
    """Of numba, which need not be imported for it."""
    from importlib import metadata  # `--help` does without

    return metadata.version("numba")


def is_tested() -> bool:
    return ".".join(version().split(".")[:2]) in TESTED


def warning() -> str:
    """What a user should know; "" where the version is a tested one."""
    if is_tested():
        return ""
    return (
        f"numba {version()} is untested: less compiled code is cached, and starts are slower; for fast "
        f"starts: pip install 'numba=={TESTED[-1]}.*'"
    )


def folder_of_its_own() -> str:
    """16 hex digits of the version of numba and of all built-in sources, of which numba sees edits of one
    file alone.
    """
    from bartizan.simcore.compile.trees import HOUSE, OURS

    digest = hashlib.sha256(version().encode())
    for path in sorted(path for folder in OURS for path in folder.rglob("*.py")):
        digest.update(f"{path.relative_to(HOUSE)}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:16]
