"""One command in a process of its own, to which something happens: it is killed, its disk is full, its clock jumps.

Processes are forked from one that has loaded Pig, so that each begins within a moment.
"""

import ctypes
import errno
import json
import os
import resource
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bartizan.policies.registry import find_player
from bartizan.simcore import files
from bartizan.simcore.game import load_game
from bartizan.simcore.play.batch import BATCH
from tests.cli.run_cli import PIG, bartizan

NEW_USER, NEW_MOUNTS = 0x10000000, 0x00020000  # of unshare(2)
REMOUNT, PRIVATE = 0x20, 0x44000  # of mount(2)
NOT_PERMITTED = 77  # exit code: this system lets nobody mount a disk of their own


def warm() -> None:
    """Load what every command needs, and start no thread: processes are forked from here."""
    game = load_game(PIG)
    for name in ("hold", "random"):
        find_player(game, name)
    BATCH.compiled_for(game.compiled, len(game.roles))


def run(command: list[str], mishap: dict[str, Any], said: str) -> None:
    """Play a command while something happens; `said` becomes a file with its exit code and what it wrote."""
    if "small_disk" in mishap:
        _on_small_disk(Path(command[-1]), *mishap["small_disk"], command, said)
    else:
        prepare(mishap)
        _answer(command, said)


def _answer(command: list[str], said: str) -> None:
    result = bartizan(*command)
    _limit_files(resource.RLIM_INFINITY)
    Path(said).write_text(json.dumps([result.code, result.out, result.err]))


def prepare(mishap: dict[str, Any]) -> None:
    if "kill_at" in mishap:
        _die_at(*mishap["kill_at"])
    if "full_after" in mishap:
        _fill_up(mishap["full_after"])
    if "largest_file" in mishap:
        _limit_files(mishap["largest_file"])
    if "clock" in mishap:
        _jump(mishap["clock"])


def _die_at(number: int, after: bool) -> None:
    """SIGKILL before or after the `number`th touch of the disk: a write (torn in the middle), a flush, a rename, a deletion."""
    touches = iter(range(10**9))

    def deadly(touch: Callable, half: Callable | None = None) -> Callable:
        def touched(*args: Any, **named: Any) -> Any:
            if next(touches) != number:
                return touch(*args, **named)
            if after:
                touch(*args, **named)
            elif half:
                half(*args, **named)
            os.kill(os.getpid(), signal.SIGKILL)

        return touched

    os.fsync, os.replace, os.unlink = deadly(os.fsync), deadly(os.replace), deadly(os.unlink)
    _every_write(lambda file: deadly(file.write, lambda data: (file.write(data[: len(data) // 2]), file.flush())))


def _limit_files(largest: int) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, resource.RLIM_INFINITY))


def _fill_up(room: int) -> None:
    """No space is left after so many bytes; what fits is written, as a kernel does."""
    left = [room]

    def limited(file: Any) -> Callable:
        write = file.write

        def written(data: bytes) -> int:
            fits = min(left[0], len(data))
            left[0] -= fits
            write(data[:fits])
            if fits < len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return fits

        return written

    _every_write(limited)


class _Watched:
    """A file whose writes go another way."""

    def __init__(self, file: Any, write: Callable):
        self.file, self.write = file, write

    def __enter__(self) -> "_Watched":
        return self

    def __exit__(self, *_: Any) -> None:
        self.file.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)


def _every_write(how: Callable[[Any], Callable]) -> None:
    def opened(path: Path, mode: str = "r") -> Any:
        file = open(path, mode)  # noqa: SIM115
        return _Watched(file, how(file)) if "w" in mode else file

    files.open = opened  # type: ignore[attr-defined]


def _jump(seconds: float) -> None:
    """The clock of the wall is wrong, and jumps to and fro at each look."""
    right, sign = time.time, iter(range(10**9))
    time.time = lambda: right() + seconds * (-1) ** next(sign)
    time.time_ns = lambda: int(time.time() * 1e9)


def _on_small_disk(folder: Path, small: int, large: int, command: list[str], said: str) -> None:
    """A disk of `small` bytes (tmpfs) that only this process sees; grown to `large`, the command is run again. What stands on it at the end goes to `FOLDER.kept`."""
    libc = ctypes.CDLL(None, use_errno=True)
    folder.mkdir(parents=True, exist_ok=True)
    user, group = os.getuid(), os.getgid()
    _hold(libc.unshare(NEW_USER | NEW_MOUNTS))
    for name, text in (("setgroups", "deny"), ("uid_map", f"0 {user} 1"), ("gid_map", f"0 {group} 1")):
        Path(f"/proc/self/{name}").write_text(text)
    _hold(libc.mount(b"none", b"/", None, PRIVATE, None))
    where = str(folder).encode()
    _hold(libc.mount(b"t", where, b"tmpfs", 0, f"size={small}".encode()))
    _answer(command, said)
    _hold(libc.mount(b"t", where, b"tmpfs", REMOUNT, f"size={large}".encode()))
    _answer(command, f"{said}.again")
    shutil.copytree(folder, folder.with_suffix(".kept"))


def _hold(refused: int) -> None:
    if refused:
        os._exit(NOT_PERMITTED)
