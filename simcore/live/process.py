"""Communication with the process of an engine, in lines of JSON.

A process that ends early, answers late, or writes an invalid line is ended with an EngineError.
"""

import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NoReturn

from bartizan.simcore import strict_json
from bartizan.simcore.errors import EngineError
from bartizan.simcore.live.engine_file import EngineFile
from bartizan.simcore.strict_json import UnclearJson

LONGEST = 1_000_000  # maximum bytes of a line
SHOWN = 120  # maximum characters of an engine's output in a message
LAST_WORDS = 4_000  # bytes of stderr that are kept
ENDING = 0.5  # seconds within which a process that closes its stdout must end
GRACE = 1.0  # seconds within which a process must end after its stdin is closed


class EngineProcess:
    """The process of an engine.

    It is started without a shell, in its own session, and is ended together with this process.
    """

    def __init__(self, file: EngineFile):
        """Start the process. Raises UsageError or EngineError if this fails."""
        self.file, self.timeout = file, file.keys.timeout
        file.check_unchanged()
        try:
            self.process = subprocess.Popen(
                file.words(),
                cwd=file.folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise EngineError(
                f"{file.path}: command: cannot be started: {error.strerror or error}; check its path "
                "and its permissions"
            ) from error
        assert self.process.stdin and self.process.stdout
        self.stdin, self.stdout = self.process.stdin, self.process.stdout
        self.last_words, self.is_late, self.is_over = b"", False, False
        self.deadline: float | None = None
        self.changed = threading.Condition()
        self.listener = threading.Thread(target=self._listen, daemon=True)
        self.listener.start()
        threading.Thread(target=self._watch, daemon=True).start()

    # ------------------------------------------------------------ one line each way

    def ask(self, message: Mapping[str, Any]) -> None:
        """Send a message that the engine must answer. Raises EngineError if the process has ended."""
        with self.changed:
            self.deadline = time.monotonic() + self.timeout
            self.changed.notify()
        try:
            self.stdin.write(json.dumps(message).encode() + b"\n")
            self.stdin.flush()
        except OSError:  # it has ended; its last output explains why
            self._refuse_end(b"", "before it answered")

    def answer(self, due: str) -> dict[str, Any]:
        """Return the next line as a dict.

        Raises EngineError if the line is missing, late, not a JSON object, or an error message of the engine.
        due: expected content, for the message.
        """
        line = self.stdout.readline(LONGEST)
        if not line.endswith(b"\n"):
            self._refuse_end(line, due)
        self.deadline = time.monotonic() + self.timeout
        try:
            said = strict_json.loads(line, parse_constant=_refuse_constant)
        except (ValueError, RecursionError) as error:
            if isinstance(error, UnclearJson):
                self.fail(f"{due}: {error}")
            self.fail(
                f"{due}: stdout contains {_shown(line)}, which is not JSON; write one JSON object per "
                "line there, and text for people to stderr"
            )
        if not isinstance(said, dict):
            self.fail(f"{due}: stdout contains {_shown(line)}; write one JSON object per line there")
        if "error" in said:
            self.fail(f"{due}: the engine reports: {_plain(str(said['error']))}")
        return said

    def check_done(self, results: int) -> None:
        """Raise EngineError unless the next line confirms the end of the batch.

        results: number of results that the line must state.
        """
        last = self.answer(f"the end of {results} results")
        if last != {"done": results}:
            self.fail(
                f"after {results} results the engine answers {_shown(json.dumps(last).encode())}; end "
                f'them with {{"done": {results}}}'
            )

    def rest(self) -> None:
        """Record that no answer is due."""
        self.deadline = None

    def fail(self, why: str) -> NoReturn:
        """Raise EngineError with the file's name and end the process, because later output is unreliable."""
        self.close(0)
        raise EngineError(f"{self.file.path}: {why}")

    def _refuse_end(self, line: bytes, due: str) -> NoReturn:
        if len(line) >= LONGEST:
            self.fail(
                f"{due}: a line is longer than {LONGEST:,} bytes ({_shown(line)}); write one JSON "
                "object per line"
            )
        if self.is_late:
            cut = (
                f" after {_shown(line)}, which has no line ending (does the engine flush its output?)"
                if line
                else ""
            )
            self.fail(
                f"{due}: no answer within {self.timeout:g} s{cut}; if the engine needs more time, "
                f"write a larger timeout in {self.file.path.name}"
            )
        self.rest()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(ENDING)
        self.listener.join(ENDING)
        code = self.process.poll()
        how = "it closed its stdout" if code is None else _ended(code)
        cut = f" in the middle of a line ({_shown(line)})" if line else ""
        words = [one for one in self.last_words.decode(errors="replace").splitlines() if one.strip()]
        said = f"; its last line on stderr: {_plain(words[-1])}" if words else "; stderr is empty"
        self.fail(f"{due}: {how}{cut}{said}")

    # ------------------------------------------------------------ additional threads

    def _listen(self) -> None:
        """Read stderr, so that its buffer never fills up, and keep the last lines."""
        assert self.process.stderr
        with suppress(OSError, ValueError):
            while chunk := os.read(self.process.stderr.fileno(), 65_536):
                self.last_words = (self.last_words + chunk)[-LAST_WORDS:]

    def _watch(self) -> None:
        """End the process if an answer is late. This also ends the reading of its output."""
        with self.changed:
            while not self.is_over:
                due = self.deadline
                if due is None:
                    self.changed.wait()
                elif (left := due - time.monotonic()) > 0:
                    self.changed.wait(left)
                else:
                    self.is_late = True
                    self._kill()
                    return

    # ------------------------------------------------------------ ending the process

    def hang_up(self) -> None:
        """Close the engine's stdin, so that the engine ends."""
        with suppress(OSError, ValueError):
            self.stdin.close()

    def close(self, patience: float = GRACE) -> None:
        """End the process by closing its stdin, and by force after `patience` seconds."""
        with self.changed:
            self.is_over = True
            self.changed.notify()
        self.hang_up()
        if patience:
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(patience)
        self._kill()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(GRACE)

    def _kill(self) -> None:
        with suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self.process.pid, signal.SIGKILL)
            else:
                self.process.kill()


def _refuse_constant(word: str) -> NoReturn:
    raise UnclearJson(f"{word} is not a number; write a finite number")


def _ended(code: int) -> str:
    return (
        f"the process was ended by signal {-code}" if code < 0 else f"the process ended with exit code {code}"
    )


def _shown(line: bytes) -> str:
    text = _plain(line[: 4 * SHOWN].decode(errors="replace"))
    return f"'{text}'" if text else "an empty line"


def _plain(text: str) -> str:
    text = "".join(letter if letter.isprintable() else " " for letter in text).strip()
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."
