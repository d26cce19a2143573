"""Progress of a command at a terminal: notes and a progress line on stderr."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from bartizan.reports.text.visible import visible
from bartizan.simcore.compile import cache
from bartizan.simcore.watch import Watch

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import ProgressColumn, TaskID

    from bartizan.simcore.play.batch import Progress

Chunk = TypeVar("Chunk")

REDRAWN = 0.1  # seconds between updates of a progress line
# seconds: until the first and the second forecast; shortest remaining time that is reported
SOON, MINUTE, LONG = 1.0, 60.0, 60.0
EACH = 60.0  # seconds between two lines of what is known so far


def note(line: str) -> None:
    sys.stderr.write(f"{visible(line)}\n")
    sys.stderr.flush()


class Terminal(Watch):
    """A `Watch` that writes notes to stderr.

    If stderr is a terminal, it also shows a progress line; otherwise, it writes the results so far once a
    minute. shortened: maps remaining seconds to options that shorten the command to about a minute ("" if
    there are none).
    """

    def __init__(self, shortened: Callable[[float], str] = lambda seconds: ""):
        self.shortened = shortened

    def is_seen(self) -> bool:
        return sys.stderr.isatty()

    def note(self, line: str) -> None:
        note(line)

    def kept(self, path: Path, advice: str = "") -> None:
        note(f"{path}: saved{advice}")

    def compiling(self, what: str, duration: str) -> None:
        note(f"compiling {what} for this machine: {duration}; needed once per version of the code")
        if cache.not_shipped:
            note(cache.not_shipped)

    def known(self, line: str) -> None:
        if sys.stderr.isatty():
            note(f"so far: {line}")

    def doing(self, what: str) -> None:
        if sys.stderr.isatty():  # the next text replaces it
            sys.stderr.write(f"\r\x1b[2K{visible(what)}{' ...' if what else ''}")
            sys.stderr.flush()

    def looking(self, line: str) -> None:
        note(line)

    @contextmanager
    def progress(self, name: str, games: int) -> "Iterator[Callable[[Progress], None]]":
        with super().progress(name, games) as say_notes:
            foretell = forecast(self.shortened)

            def told(progress: "Progress") -> None:
                say_notes(progress)
                foretell(progress.seconds_left)

            if not sys.stderr.isatty():
                yield _as_lines(told)
                return
            from rich.console import Console
            from rich.progress import Progress

            console = Console(stderr=True)
            with Progress(*_columns(), console=console, transient=True, expand=True) as bars:
                task = bars.add_task(name, total=games or None, cell="", rate="", now="", left="")
                said = so_far if games else lambda progress: ""
                yield _drawn(bars, task, told, said)

    def track(self, chunks: Iterable[Chunk], games: int, each: int, doing: str) -> Iterable[Chunk]:
        chunks = _foretold(chunks, -(-games // each), forecast(self.shortened))
        if not sys.stderr.isatty():
            return chunks
        from rich.console import Console
        from rich.progress import track

        return track(chunks, doing, -(-games // each), console=Console(stderr=True), transient=True)


def _columns() -> "list[ProgressColumn]":
    """Return the columns of a progress line. Counts, speed and remaining time are never shortened."""
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.table import Column

    whole = Column(no_wrap=True)
    cell, now = (Column(no_wrap=True, overflow="ellipsis", ratio=ratio) for ratio in (2, 3))
    return [
        MofNCompleteColumn(table_column=whole),
        BarColumn(bar_width=10),
        TextColumn("{task.fields[left]}", table_column=whole),
        TextColumn("{task.fields[rate]}", table_column=whole),
        TextColumn("{task.fields[cell]}", markup=False, table_column=cell),  # `[...]` in a name is text
        TextColumn("{task.fields[now]}", table_column=now),
    ]


def _as_lines(told: "Callable[[Progress], None]") -> "Callable[[Progress], None]":
    """Return a callback that prints the estimate once a minute, for output that is not a terminal."""
    begun = shown = time.monotonic()

    def watch(p: "Progress") -> None:
        nonlocal shown
        told(p)
        now = time.monotonic()
        if now >= shown + EACH and p.games_done < p.games_total and (known := so_far(p)):
            shown = now
            note(f"after {duration(now - begun)}: {p.games_done:,} of {p.games_total:,} {p.unit}, {known}")

    return watch


def _drawn(
    bars: "Bars", task: "TaskID", told: "Callable[[Progress], None]", so_far: "Callable[[Progress], str]"
) -> "Callable[[Progress], None]":
    """Return a callback that draws progress at most ten times per second.

    told: also called with each progress. so_far: returns the estimate as text.
    """
    seen = 0.0

    def watch(p: "Progress") -> None:
        nonlocal seen
        told(p)
        if p.games_done < p.games_total and time.monotonic() < seen + REDRAWN:
            return
        seen = time.monotonic()
        rate = f"{p.played / p.seconds:,.0f} games/s" if p.seconds > 0.05 else ""
        done, total = p.games_done, p.games_total
        left = "" if p.seconds_left is None else duration(p.seconds_left)
        bars.update(
            task, completed=done, total=total, cell=visible(p.cell), rate=rate, now=so_far(p), left=left
        )

    return watch


def forecast(shortened: Callable[[float], str]) -> Callable[[float | None], None]:
    """Return a callback that takes the remaining seconds and reports the duration of a long command.

    The callback reports once after a second, with options that shorten the command, and once more after a
    minute. It ignores an estimate that has been long for less than a second, because the first games of each
    stage are slow. shortened: see `Terminal`.
    """
    begun = long_since = None
    due = [(SOON, "this takes about {} here"), (MINUTE, "about {} left after one minute")]

    def foretell(left: float | None) -> None:
        nonlocal begun, long_since
        now = time.monotonic()
        begun = begun or now
        long_since = (long_since or now) if left is not None and left >= LONG else None
        if due and left is not None and long_since and now >= max(begun + due[0][0], long_since + SOON):
            options = shortened(left) if len(due) > 1 else ""
            shorter = f"; for a result in about a minute, with wider intervals: {options}" if options else ""
            note(due.pop(0)[1].format(duration(left)) + shorter)

    return foretell


def _foretold(
    chunks: Iterable[Chunk], number: int, foretell: Callable[[float | None], None]
) -> Iterator[Chunk]:
    """Yield the chunks. Before each, pass the estimated remaining seconds to `foretell`.

    number: number of chunks.
    """
    begun = time.monotonic()
    for done, chunk in enumerate(chunks, 1):
        foretell((number - done) * (time.monotonic() - begun) / done)
        yield chunk


def duration(seconds: float) -> str:
    """Return a duration as text, such as `50 s`, `3 min 20 s`, `2 h 10 min`."""
    minutes, left = divmod(round(seconds / 10) * 10 if seconds >= MINUTE else round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {left} s" if minutes else f"{left} s"


def so_far(p: "Progress") -> str:
    """Return the current win rate of a cell, or its mean score, as text; "" before the first game.

    The interval of the win rate is a confidence sequence, which is valid at every look. For the latest
    version of a policy in training, it is a Wilson interval.
    """
    from bartizan.analyses.statistics.intervals import confidence_sequence, with_truncated

    if not p.games_of_cell:
        return ""
    if p.mean_score is not None:
        return f"mean score {p.mean_score:.1f} in {p.games_of_cell} games"
    if p.is_latest:
        now = with_truncated(p.wins, p.truncated, p.games_of_cell)
        return f"win rate {now.low:.1%} to {now.high:.1%} in the latest {p.games_of_cell} games (95%)"
    interval = with_truncated(p.wins, p.truncated, p.games_of_cell, method=confidence_sequence)
    return f"win rate {interval.low:.1%} to {interval.high:.1%} so far (95% at every look)"
