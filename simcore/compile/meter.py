"""Progress of a compilation, by the number of functions.

It is compared with the last compilation of its kind on this machine.
"""

import atexit
import gc
import json
import threading
from collections.abc import Callable
from contextlib import suppress
from time import perf_counter
from typing import Any

from bartizan.simcore.compile.cache import cache_root, claim
from bartizan.simcore.files import write_atomic

RARELY = 400_000  # new objects before garbage is collected: imports and numba create permanent ones
KEPT = "compilations.json"  # in the cache folder; losing the file only loses an estimate
listeners: list[Callable[[], None]] = []  # called for each function that is compiled in this process


class Compilation:
    """Context manager that counts the functions compiled for one purpose.

    Functions compiled in other processes are counted by calling `one_more`.
    """

    def __init__(self, what: str, reached: int = 0, tell: Callable[["Compilation"], None] = lambda _: None):
        """Create the counter of a compilation.

        what: the purpose. reached: estimated number of functions, used if no earlier compilation is on
        record. tell: called for each function.
        """
        self.what, self.tell, self.functions, self.since = what, tell, 0, perf_counter()
        self.doing = "functions compiled"  # as text
        self.last: dict[str, float] | None = _kept().get(what)
        self.expected = int(self.last["functions"]) if self.last else reached

    @property
    def usual(self) -> str:
        """Text about the expected duration, such as `12 s last time`."""
        if self.last:
            return f"{self.last['seconds']:.0f} s last time"
        about = "seconds for a small game, a minute for a large one"
        return f"{about} (about {self.expected} functions)" if self.expected else about

    def one_more(self) -> None:
        self.functions += 1
        self.tell(self)

    def __enter__(self) -> "Compilation":
        _collect_less()
        listeners.append(self.one_more)
        return self

    def __exit__(self, kind: type | None, *_: Any) -> None:
        listeners.remove(self.one_more)
        _collect_as_before()
        if kind is None:
            self.keep()

    def state(self) -> dict[str, float]:
        """Return {"seconds": elapsed time, "functions": number of compiled functions}."""
        return {"seconds": round(perf_counter() - self.since), "functions": self.functions}

    def keep(self) -> None:
        """Store the duration and the number of functions, if any function was compiled."""
        with suppress(OSError):
            if self.functions:
                kept = json.dumps({**_kept(), self.what: self.state()})
                claim(cache_root())
                write_atomic(cache_root() / KEPT, kept.encode())


def collect_rarely() -> None:
    """Reduce the frequency of garbage collection in this process, and omit it at the exit.

    At the exit, searching the objects of numba and of the imports takes half a second.
    """
    gc.set_threshold(RARELY)
    atexit.register(gc.freeze)


# Compilations overlap in threads: the first one reduces garbage collection, and the last one restores it.
_lock = threading.Lock()
_under_way = 0
_usual = gc.get_threshold()


def _collect_less() -> None:
    """Reduce the frequency of garbage collection, because numba creates millions of permanent objects.

    At Python's default frequency, searching these takes a tenth of the time.
    """
    global _under_way, _usual
    with _lock:
        if _under_way == 0:
            _usual = gc.get_threshold()
            gc.set_threshold(RARELY)
        _under_way += 1


def _collect_as_before() -> None:
    global _under_way
    with _lock:
        _under_way -= 1
        if _under_way == 0:
            gc.set_threshold(*_usual)


def _kept() -> dict[str, dict[str, float]]:
    try:
        return dict(json.loads((cache_root() / KEPT).read_bytes()))
    except (OSError, ValueError):
        return {}
