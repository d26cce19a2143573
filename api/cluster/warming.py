"""`warm`: compile games ahead of time, several at a time, each in a separate process.

The processes are separate because the cache of compiled code must be set before numba is imported, and
because numba compiles only one function at a time per process.
"""

import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

from bartizan.api.answer import Answer
from bartizan.api.child import Child, write
from bartizan.simcore.compile import cache
from bartizan.simcore.errors import BartizanError
from bartizan.simcore.files import held
from bartizan.simcore.watch import Watch

if TYPE_CHECKING:
    from bartizan.simcore.game import Game

LOOP, POLICIES = "play loop", "policies"
TICK = 0.1  # seconds between two progress checks
FEW = 30  # number of functions that one process compiles while a second one would start


@dataclass
class Unit:
    """The part of a game that one process compiles."""

    game: str  # as the user named it
    what: str  # LOOP or POLICIES
    policies: tuple[str, ...] = ()  # as the user named them; () for all policies of the game
    since: float = 0.0
    seconds: float = 0.0
    one_more: Callable[[], None] = lambda: None  # called after each function
    child: Child | None = None
    error: BartizanError | None = None  # error of the process

    def start(self) -> None:
        self.since = time.monotonic()
        self.child = Child(f"{__name__}:compile_unit", self.game, self.what, *self.policies)
        self.thread = Thread(target=self._count, args=(self.child,), daemon=True)
        self.thread.start()

    def _count(self, child: Child) -> None:
        """Call `one_more` for each function that the process compiles. Records an error of the process."""
        try:
            for _ in child:
                self.one_more()
        except BartizanError as error:
            self.error = error

    def is_done(self) -> bool:
        """Return whether the process has ended. Raises the error of the process, if there is one."""
        if self.thread.is_alive():
            return False
        self.seconds = time.monotonic() - self.since
        if self.error:
            raise self.error
        return True

    def stop(self) -> None:
        if self.child is not None:
            self.child.end()


def in_two(named: str, game: "Game", policies: Sequence[str], one_more: Callable[[], None]) -> None:
    """Compile the rules of a large game and some policies in two processes.

    The processes start at opposite ends of one list. The second one starts only if there is much to compile,
    which is rare after an edit. Its errors also occur in this process, which reports them. one_more: called
    for each function that the second process compiles.
    """
    from bartizan.simcore.compile.meter import listeners

    unit, compiled = Unit(named, POLICIES, tuple(policies), one_more=one_more), 0

    def counted() -> None:
        nonlocal compiled
        compiled += 1
        if compiled == FEW:
            unit.start()

    listeners.append(counted)
    try:
        compile_parts(game, policies)
    finally:
        listeners.remove(counted)
        unit.stop()


def compile_parts(game: "Game", policies: Iterable[str], is_second: bool = False) -> None:
    """Compile the rules of a large game and some policies. is_second: start at the end of the list.

    If both processes reach the same part, one of them waits and then reads the part from the cache. Policies
    that differ only in weights, noise or lookahead are one part, because their function is the same.
    """
    from bartizan.policies.registry import find_player, find_policy
    from bartizan.simcore.compile.loops import LARGE, naming_mistakes, rule_arguments

    by_function: dict[Callable[..., Any], list[str]] = {}
    for text in policies:
        by_function.setdefault(find_policy(game, text).choose, []).append(text)
    parts: list[Callable[[], Any]] = [
        partial(list, map(partial(find_player, game), texts)) for texts in by_function.values()
    ]
    if game.compiled.state_dtype.itemsize >= LARGE:
        rules = (partial(rule.compile, kinds) for rule, kinds in rule_arguments(game.compiled))
        reset, legal_actions, apply, *others = rules
        parts = [apply, reset, *others, legal_actions, *parts]  # longest compilation first
    for number, part in list(enumerate(parts))[:: -1 if is_second else 1]:
        lock = Path(os.environ["NUMBA_CACHE_DIR"]) / f"{game.name}-{number}.lock"
        lock.touch()
        with held(lock), naming_mistakes(game.compiled):
            part()


def warm(games: Sequence[str], jobs: int, watch: Watch) -> Answer:
    """Compile the play loop and the policies of games in advance.

    games: names or files; () for all built-in games. jobs: number of processes at the same time.
    """
    from bartizan.simcore.game import game_names, refuse_unknown

    named = list(dict.fromkeys(map(str, games))) or list(game_names())
    for name in named:
        refuse_unknown(name)
    folder = cache.configure()
    since = time.monotonic()
    stems = ", ".join(Path(name).stem for name in named)
    with watch.compilation(f"warm {stems}", stems) as compilation:
        units = [Unit(one, what, one_more=compilation.one_more) for what in (LOOP, POLICIES) for one in named]
        for under_way in _compiled(units, jobs):
            compilation.doing = ", ".join(
                f"{Path(one.game).stem}: {one.what} {time.monotonic() - one.since:.0f} s" for one in under_way
            )
            compilation.tell(compilation)
    document = {
        "schema": "bartizan.warm/1",
        "cache": str(folder),
        "seconds": time.monotonic() - since,
        "compiled": [{"game": one.game, "what": one.what, "seconds": one.seconds} for one in units],
    }
    lines = [f"{Path(unit.game).stem:<12} {unit.what:<10} {unit.seconds:6.1f} s" for unit in units]
    lines.append(f"all compiled in {document['seconds']:.0f} s; saved in {folder}")
    return Answer(document, lambda: lines)


def _compiled(units: Sequence[Unit], jobs: int) -> Iterator[list[Unit]]:
    """Yield the units that are being compiled, ten times per second, until all are compiled."""
    waiting, under_way = deque(units), list[Unit]()
    try:
        while waiting or under_way:
            while waiting and len(under_way) < jobs:
                under_way.append(waiting.popleft())
                under_way[-1].start()
            time.sleep(TICK)
            under_way = [one for one in under_way if not one.is_done()]
            yield under_way
    finally:
        for one in units:
            one.stop()


def compile_unit(game: str, what: str, *policies: str) -> Iterator[str]:
    """Entry point of the separate process: yield an empty line for each compiled function."""
    from bartizan.policies.registry import policies_of
    from bartizan.simcore.compile.meter import listeners
    from bartizan.simcore.game import load_game
    from bartizan.simcore.play.batch import BATCH

    listeners.append(partial(write, ""))
    loaded = load_game(game)
    if what == LOOP:
        compile_parts(loaded, ())
        BATCH.compiled_for(loaded.compiled, len(loaded.roles))
    else:
        compile_parts(loaded, policies or policies_of(loaded), is_second=True)
    yield ""
