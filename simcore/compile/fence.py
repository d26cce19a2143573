"""Versions of numba that the patches of its internals support.

`index`, `inner` and `lean` replace about twenty private functions of numba, to compile faster and to find
code on disk by its content. These patches are used only with tested versions of numba. With any other
version, numba's own cache stores the code of built-in games, in a folder for that version and these sources,
and each process compiles users' code. `wraps`, which detects numbers that do not fit, replaces one function
of every version.
"""

import hashlib
from functools import cache

TESTED = ("0.68",)  # each tested with the whole test suite


@cache
def version() -> str:
    """Return the version of numba without importing it."""
    from importlib import metadata  # `--help` does not need it

    return metadata.version("numba")


def is_tested() -> bool:
    return ".".join(version().split(".")[:2]) in TESTED


def warning() -> str:
    """Return a warning for the user; "" if the version is tested."""
    if is_tested():
        return ""
    return (
        f"numba {version()} is untested: less compiled code is cached, and starts are slower; for fast "
        f"starts: pip install 'numba=={TESTED[-1]}.*'"
    )


def folder_of_its_own() -> str:
    """Return a hash (16 hex digits) of the numba version and all built-in sources.

    It names a separate folder, because numba detects edits only in the file of a function.
    """
    from bartizan.simcore.compile.trees import HOUSE, OURS

    digest = hashlib.sha256(version().encode())
    for path in sorted(path for folder in OURS for path in folder.rglob("*.py")):
        digest.update(f"{path.relative_to(HOUSE)}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:16]
