"""How far a compilation has come: functions, beside what the last one of its kind took on this machine."""

import gc
import json
import threading
from collections.abc import Callable
from contextlib import suppress
from time import perf_counter
from typing import Any

from bartizan.simcore.compile.cache import cache_root, claim
from bartizan.simcore.files import write_atomic

KEPT = "compilations.json"  # in the cache folder; a lost file costs an estimate
listeners: list[Callable[[], None]] = []  # told of each function that is compiled in this process


class Compilation:
    """What is compiled for one purpose from now on, here and by processes that call `one_more`."""

    def __init__(self, what: str, reached: int = 0, tell: Callable[["Compilation"], None] = lambda _: None):
        """reached: functions that may have to be compiled, where none of its kind was; tell: told of each."""
        self.what, self.tell, self.functions, self.since = what, tell, 0, perf_counter()
        self.doing = "functions compiled"  # in words
        self.last: dict[str, float] | None = _kept().get(what)
        self.expected = int(self.last["functions"]) if self.last else reached

    @property
    def usual(self) -> str:
        """What to expect, in words."""
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
        """Seconds, and functions that were compiled in them."""
        return {"seconds": round(perf_counter() - self.since), "functions": self.functions}

    def keep(self) -> None:
        """Note what it took, if anything was compiled."""
        with suppress(OSError):
            if self.functions:
                kept = json.dumps({**_kept(), self.what: self.state()})
                claim(cache_root())
                write_atomic(cache_root() / KEPT, kept.encode())


# Compilations overlap in threads: the first to begin changes how often garbage is collected, the last to end
# restores it.
_lock = threading.Lock()
_under_way = 0
_usual = gc.get_threshold()


def _collect_less() -> None:
    """numba makes millions of objects that stay: looking through them for garbage as often as Python does by
    itself is a tenth of the time.
    """
    global _under_way, _usual
    with _lock:
        if _under_way == 0:
            _usual = gc.get_threshold()
            gc.set_threshold(100_000)
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
