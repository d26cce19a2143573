"""Files written whole or not at all."""

import hashlib
import os
from pathlib import Path


def write_atomic(path: Path, content: bytes) -> None:
    """The whole file or none of it, whatever happens meanwhile."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with open(temporary, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def is_left_over(path: Path) -> bool:
    """Is it what a process left that was killed in `write_atomic`?"""
    return path.name.startswith(".") and path.name.endswith(".tmp")


def file_digest(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
