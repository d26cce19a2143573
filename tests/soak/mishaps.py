"""What happens to a job, by kind: drawn from a seed, so that the same seed brings the same."""

import random
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

JOBS = ("sweep", "part", "merge", "answer")
COUNTS = {  # of a full run
    "killed at a moment": 20,
    "killed at a touch of the disk": 30,
    "disk of its own, full": 4,
    "no space left": 10,
    "file too large": 6,
    "bytes flipped": 24,
    "bytes missing": 16,
    "files lost": 10,
    "shards swapped": 10,
    "two at once": 8,
    "two sweeps at once": 6,
    "clock jumps": 6,
    "files of another time": 6,
}
YEARS = 365.25 * 86_400


@dataclass(frozen=True)
class Case:
    kind: str
    job: str
    number: int
    mishap: dict[str, Any] = field(default_factory=dict)  # what `tests.soak.child` does, and how

    def __str__(self) -> str:
        return f"{self.kind}, {self.job}, number {self.number} {self.mishap}"


def cases(kind: str, count: int, seed: int) -> Iterator[Case]:
    for number in range(count):
        luck = random.Random(zlib.crc32(f"{kind} {seed} {number}".encode()))
        job, mishap = DRAWN[kind](luck, number)
        yield Case(kind, job, number, mishap)


Drawn = tuple[str, dict[str, Any]]


def _moment(luck: random.Random, _: int) -> Drawn:
    """share: of the time that the job takes undisturbed."""
    return luck.choices(JOBS, [5, 2, 2, 1])[0], {"share": luck.random()}


def _touch(luck: random.Random, number: int) -> Drawn:
    """Each job in turn; touches of the disk are few in a merge and in an answer that is kept."""
    job = JOBS[number % len(JOBS)]
    most = {"sweep": 33, "part": 20, "merge": 30, "answer": 6}[job]
    return job, {"kill_at": [luck.randrange(most), luck.random() < 0.5]}


def _own_disk(luck: random.Random, number: int) -> Drawn:
    return ("sweep", "part")[number % 2], {"small_disk": [luck.randrange(20_000, 600_000), 16_000_000]}


def _no_space(luck: random.Random, number: int) -> Drawn:
    return JOBS[number % len(JOBS)], {"full_after": luck.choice([0, 1, 5_000, luck.randrange(1_000_000)])}


def _too_large(luck: random.Random, number: int) -> Drawn:
    return JOBS[number % len(JOBS)], {"largest_file": luck.choice([0, 100, 6_000, 200_000])}


def _damage(luck: random.Random, number: int) -> Drawn:
    """file: by its place among those of the folder, 0 to 1; again: is the job killed while it mends?"""
    again = {"kill_at": [luck.randrange(8), luck.random() < 0.5]} if luck.random() < 0.3 else {}
    return JOBS[number % len(JOBS)], {"luck": luck.random(), "again": again}


def _two(luck: random.Random, number: int) -> Drawn:
    """later: seconds between the two."""
    return JOBS[number % len(JOBS)], {"later": luck.choice([0, 0, luck.random() * 0.3])}


def _two_sweeps(luck: random.Random, _: int) -> Drawn:
    return "sweep", {"later": luck.choice([0, 0, luck.random() * 0.3])}


def _clock(luck: random.Random, number: int) -> Drawn:
    return JOBS[number % len(JOBS)], {
        "clock": luck.choice([-1, 1]) * luck.choice([3_600, 30 * YEARS, luck.random() * YEARS])
    }


def _other_time(luck: random.Random, number: int) -> Drawn:
    return JOBS[number % len(JOBS)], {"luck": luck.random(), "mtime": luck.choice([0, 1, 4_000_000_000, 2**33])}


DRAWN: dict[str, Callable[[random.Random, int], Drawn]] = {
    "killed at a moment": _moment,
    "killed at a touch of the disk": _touch,
    "disk of its own, full": _own_disk,
    "no space left": _no_space,
    "file too large": _too_large,
    "bytes flipped": _damage,
    "bytes missing": _damage,
    "files lost": _damage,
    "shards swapped": _damage,
    "two at once": _two,
    "two sweeps at once": _two_sweeps,
    "clock jumps": _clock,
    "files of another time": _other_time,
}
