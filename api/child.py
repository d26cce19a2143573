"""Run a call in a separate process that reports its results line by line.

Exceptions of the call are raised in this process. The child ends with this process, and ignores Ctrl-C.
"""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from bartizan.simcore import errors
from bartizan.simcore.compile.meter import collect_rarely

# sets the cache of compiled code before anything imports numba
SCRIPT = """
import sys
from bartizan.simcore.compile import cache
cache.configure()
from bartizan.api import child
child.become_child()
from {module} import {function}
child.tell({function}(*sys.argv[1:]))
"""
PATIENCE = 900  # seconds of computing, including compilation
ERROR = "error: "  # prefix of the line with an error
DOING = "doing: "  # prefix of lines that describe the current work and are not results


class Died(errors.EngineError):
    """Raised if a child process crashed. code: exit code of the process, as in `Popen`."""

    def __init__(self, code: int, text: str):
        super().__init__(text)
        self.code = code

    @property
    def is_late(self) -> bool:
        """Whether the process was ended by the limit on computing time."""
        return is_late(self.code)


class Child:
    """A process that calls a function of this package, which returns lines.

    called: `module:function`. words: text arguments of the function. environment: variables to set. The
    process starts at once. As a context manager, it ends on exit.
    """

    def __init__(self, called: str, *words: str, **environment: str):
        module, _, function = called.partition(":")
        self.words = words
        self.process = subprocess.Popen(
            [sys.executable, "-c", SCRIPT.format(module=module, function=function), *words],
            stdin=subprocess.PIPE,  # nothing is written to it; it closes when this process ends
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env={**os.environ, **environment, "PYTHONIOENCODING": "utf-8"},
            start_new_session=True,
        )

    def __enter__(self) -> "Child":
        return self

    def __exit__(self, *error: Any) -> None:
        self.end()
        assert self.process.stdout
        self.process.stdout.close()

    def __iter__(self) -> Iterator[str]:
        """Yield each line when the process writes it.

        Raises the exception of the call, or Died if the process crashed.
        """
        assert self.process.stdout
        doing = ""
        for line in map(str.rstrip, self.process.stdout):
            if line.startswith(ERROR):
                error = json.loads(line.removeprefix(ERROR))
                raised = getattr(errors, error["kind"])(error["text"])
                raised.others = tuple(error["others"])
                raise raised
            if line.startswith(DOING):
                doing = line.removeprefix(DOING)
            yield line
        check_exit(self.process.wait(), " ".join(filter(None, self.words)), doing)

    def end(self) -> None:
        """End the process, so that a thread that reads its lines also ends."""
        assert self.process.stdin
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()


def results_of(child: Child, doing: Callable[[str], None]) -> Iterator[str]:
    """Yield the results of a child. doing: receives the descriptions of its current work."""
    for line in child:
        if line.startswith(DOING):
            doing(line.removeprefix(DOING))
        else:
            yield line


def said_by(called: str, *words: str, **environment: str) -> Iterator[str]:
    """Run a function in a child process, and yield its lines as they arrive.

    Arguments as for `Child`. Raises the errors of the function, and Died if the process crashed.
    """
    with Child(called, *words, **environment) as child:
        yield from child


def check_exit(code: int, what: str, doing: str = "") -> None:
    """Raise Died if a process crashed; return if its exit code is 0.

    code: exit code of the process, as in `Popen`. what, doing: its check and its last activity, for the
    message.
    """
    if code == 0:
        return
    what += f", {doing}" if doing else ""
    if is_late(code):
        raise Died(
            code,
            f"{what}: not finished after {PATIENCE} s of computing; a rule or a policy may contain an "
            "infinite loop",
        )
    raise Died(code, f"{what}: the process that checked it {cause_of(code)}")


def is_late(code: int) -> bool:
    """Return whether a process was ended by its limit on processor time."""
    return -code == getattr(signal, "SIGXCPU", None)


def cause_of(code: int) -> str:
    """Return a phrase on the death of a process, with the probable cause."""
    if code >= 0:
        return f"died (exit code {code}): its code exits Python"
    if -code == getattr(signal, "SIGKILL", None):
        return f"was killed (signal {-code}): too much memory, or another program ended it"
    return f"died (signal {-code}): endless recursion, or a write far outside an array"


# ---------------------------------------------------------------- in the child


def tell(lines: Iterable[str]) -> None:
    """Write every line to stdout, followed by the error, if there is one."""
    try:
        for line in lines:
            write(line)
    except errors.BartizanError as error:
        others = getattr(error, "others", ())
        write(ERROR + json.dumps({"kind": _kind_of(error), "text": str(error), "others": others}))
    except Exception as error:
        from bartizan.simcore.compile import mistakes

        text = mistakes.sentence(error) if mistakes.place_of(error) else errors.unforeseen(error)
        write(ERROR + json.dumps({"kind": "EngineError", "text": text, "others": []}))


def _kind_of(error: errors.BartizanError) -> str:
    """Return the name of an error's class in `simcore.errors`.

    `Died` is not defined there; it becomes EngineError, and occurs here if a child of this child crashed.
    """
    return "EngineError" if isinstance(error, Died) else type(error).__name__


def tell_doing(what: str) -> None:
    """Report the current work of this process to the parent process."""
    write(DOING + what)


def write(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def become_child() -> None:
    """End this process when its parent ends or its computing time is used up, if the system supports this.

    Also reduces garbage collection, as `simcore.compile.meter` does.
    """
    collect_rarely()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE + 5))


def _end_with_parent() -> None:
    """Wait until stdin closes, which means that the parent has ended; then end this process."""
    os.read(0, 1)
    os._exit(1)
