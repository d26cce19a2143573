"""A job disturbed, and what is wrong with what came of it.

Each job ends as its clean folder: a sweep, a part, a merge of two parts, an answer kept beside a sweep. Whatever
happened, the commands read what is there or refuse it in one line, and the job run again makes the clean bytes.
"""

import json
import multiprocessing
import os
import random
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.cli.run_cli import PIG, Result, bartizan, tree
from tests.fuzz.trials import wrong_with
from tests.soak import child
from tests.soak.mishaps import Case

GAMES = 70_000  # three shards a cell
SWEEP = ["sweep", PIG, "--policy", "hold", "--policy", "random", "--games", str(GAMES), "--jobs", "1"]
ANSWER = ["coverage", PIG, "--games", "40", "--jobs", "1"]
PARTS = 2
PATIENCE = 120  # seconds until a command counts as hung
SET_ASIDE = (".damaged", ".unused")  # what is moved out of the way and stays


@dataclass
class Bench:
    """Clean folders of every job, and a place to spoil copies of them."""

    root: Path
    seconds: dict[str, float] = field(default_factory=dict)  # that each job takes
    processes: Any = None
    not_permitted: int = 0

    def __post_init__(self) -> None:
        self.processes = multiprocessing.get_context("forkserver")
        self.processes.set_forkserver_preload(["tests.soak.warmed"])
        self.start(["games"], {}).join()
        for job in ("part", "sweep", "merge", "answer"):
            here = self.clean(job)
            self.lay(job, here)
            since = time.monotonic()
            process = self.start(self.command(job, here), {})
            process.join()
            self.seconds[job] = time.monotonic() - since
            assert self.said(process).code == 0, self.said(process).err

    def clean(self, job: str) -> Path:
        return self.root / f"clean-{job}"

    def part(self, number: int) -> Path:
        return self.clean("part") if number == 1 else self.root / f"clean-part{number}"

    def lay(self, job: str, here: Path) -> None:
        """What the job begins with."""
        if job == "answer":
            shutil.copytree(self.clean("sweep"), here)
        if job == "merge":
            for number in range(1, PARTS + 1):
                if not self.part(number).exists():
                    assert bartizan(*SWEEP, "--shards", f"{number}/{PARTS}", "-o", self.part(number)).code == 0
                shutil.copytree(self.part(number), self.beside(here, number))

    def beside(self, here: Path, number: int) -> Path:
        """The part that a merge into `here` reads."""
        return here.with_name(f"{here.name}-part{number}")

    def command(self, job: str, here: Path) -> list[str]:
        """-o and its folder stand last."""
        if job == "merge":
            return ["merge", *(str(self.beside(here, n)) for n in range(1, PARTS + 1)), "-o", str(here)]
        if job == "answer":
            return [*ANSWER, "-o", str(here)]
        return [*SWEEP, *(["--shards", f"1/{PARTS}"] if job == "part" else []), "-o", str(here)]

    def start(self, command: list[str], mishap: dict) -> Any:
        said = str(self.root / f"said-{time.monotonic_ns()}")
        process = self.processes.Process(target=child.run, args=(command, mishap, said))
        process.start()
        process.said = Path(said)
        return process

    def end(self, process: Any) -> Result:
        process.join(PATIENCE)
        if process.is_alive():
            process.kill()
            process.join()
            return Result(1, "", f"no end within {PATIENCE} s")
        return self.said(process)

    def said(self, process: Any) -> Result:
        """What a process wrote; of one that was killed nothing."""
        return (
            Result(*json.loads(process.said.read_text())) if process.said.exists() else Result(process.exitcode, "", "")
        )


def tried(case: Case, bench: Bench) -> list[str]:
    """What is wrong with a case."""
    here = bench.root / "here"
    for path in bench.root.glob("here*"):
        shutil.rmtree(path, ignore_errors=True)
    bench.lay(case.job, here)
    wrong = [*HAPPENS[case.kind](case, bench, here)]
    return [f"{case}: {one}" for one in [*wrong, *_readers(case, bench, here), *_mended(case, bench, here)]]


# ---------------------------------------------------------------- what happens


def _ended(result: Result, may_die: bool = False) -> Iterator[str]:
    if may_die and result.code == -signal.SIGKILL:
        return
    if wrong := "" if result.code is None else wrong_with(result):
        yield f"{wrong}: {result.err[-300:]}"


def _killed_at_a_moment(case: Case, bench: Bench, here: Path) -> Iterator[str]:
    process = bench.start(bench.command(case.job, here), {})
    process.join(case.mishap["share"] * bench.seconds[case.job])
    process.kill()
    yield from _ended(bench.end(process), may_die=True)


def _disturbed(case: Case, bench: Bench, here: Path) -> Iterator[str]:
    yield from _ended(
        bench.end(bench.start(bench.command(case.job, here), case.mishap)), may_die="kill_at" in case.mishap
    )


def _on_own_disk(case: Case, bench: Bench, here: Path) -> Iterator[str]:
    """Full, then larger: the same command goes on, on the same disk. Where nobody may mount one: no space left."""
    process = bench.start(bench.command(case.job, here), case.mishap)
    first = bench.end(process)
    if process.exitcode == child.NOT_PERMITTED:
        bench.not_permitted += 1
        yield from _disturbed(
            Case(case.kind, case.job, case.number, {"full_after": case.mishap["small_disk"][0]}), bench, here
        )
        return
    yield from _ended(first)
    if first.code != 2 or "No space left" not in first.err:
        yield f"a full disk is not named: {first.code} {first.err[-300:]}"
    again = process.said.with_name(f"{process.said.name}.again")
    yield from _ended(Result(*json.loads(again.read_text())) if again.exists() else Result(1, "", "not run again"))
    shutil.rmtree(here)
    here.with_suffix(".kept").rename(here)


def _spoiled(case: Case, bench: Bench, here: Path) -> Iterator[str]:
    """A finished folder, or a part that is to be merged, is damaged; then the job is run, and killed at times."""
    luck = random.Random(case.mishap["luck"])
    if case.job != "merge":
        shutil.rmtree(here, ignore_errors=True)
        shutil.copytree(bench.clean(case.job), here)
    folder = bench.beside(here, luck.randint(1, PARTS)) if case.job == "merge" else here
    SPOILS[case.kind](folder, luck, case.mishap)
    if case.mishap.get("again"):
        yield from _ended(bench.end(bench.start(bench.command(case.job, here), case.mishap["again"])), may_die=True)


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _flip(folder: Path, luck: random.Random, _: dict) -> None:
    path = luck.choice(_files(folder))
    data = bytearray(path.read_bytes())
    for _ in range(luck.choice([1, 1, 8])):
        data[luck.randrange(len(data))] ^= 1 << luck.randrange(8)
    path.write_bytes(bytes(data))


def _cut(folder: Path, luck: random.Random, _: dict) -> None:
    path = luck.choice(_files(folder))
    data = path.read_bytes()
    at = luck.randrange(len(data))
    path.write_bytes(data[:at] + data[at + luck.choice([1, 100, len(data)]) :])


def _lose(folder: Path, luck: random.Random, _: dict) -> None:
    for path in luck.sample(_files(folder), luck.choice([1, 2])):
        path.unlink()


def _swap(folder: Path, luck: random.Random, _: dict) -> None:
    shards = sorted(folder.rglob("*.parquet"))
    if luck.random() < 0.3:  # one takes the other's place
        shutil.copy(*luck.sample(shards, 2))
        return
    one, other = luck.sample(shards, 2)
    aside = one.with_suffix(".aside")
    one.rename(aside)
    other.rename(one)
    aside.rename(other)


def _date(folder: Path, luck: random.Random, mishap: dict) -> None:
    for path in luck.sample(_files(folder), 3):
        os.utime(path, (mishap["mtime"],) * 2)


SPOILS: dict[str, Callable[[Path, random.Random, dict], None]] = {
    "bytes flipped": _flip, "bytes missing": _cut, "files lost": _lose, "shards swapped": _swap, "files of another time": _date,
}  # fmt: skip


def _two_at_once(case: Case, bench: Bench, here: Path, other: tuple[str, ...] = ()) -> Iterator[str]:
    """Of the same job, or with options that make it another."""
    commands = [bench.command(case.job, here), [*bench.command(case.job, here)[:-2], *other, "-o", str(here)]]
    processes = []
    for command in commands:
        processes.append(bench.start(command, {}))
        time.sleep(case.mishap["later"])
    results = [bench.end(process) for process in processes]
    for result in results:
        yield from _ended(result)
    if not any(result.code == 0 for result in results):
        yield f"neither came to its end: {[result.err[-200:] for result in results]}"
    if other and results[0].code:  # the other one has the folder: it is whole, and refused to this one
        yield from _is_whole(here)
        yield from _refused(bartizan(*commands[0]))
        shutil.rmtree(here)


def _two_sweeps_at_once(case: Case, bench: Bench, here: Path) -> Iterator[str]:
    yield from _two_at_once(case, bench, here, ("--seed", "2"))


def _is_whole(here: Path) -> Iterator[str]:
    if (result := bartizan("verify", here)).code:
        yield f"not whole: {result.err}"


def _refused(result: Result) -> Iterator[str]:
    if result.code != 2 or wrong_with(result):
        yield f"another sweep is not refused: {result.code} {result.err}"


HAPPENS: dict[str, Callable[[Case, Bench, Path], Iterator[str]]] = {
    "killed at a moment": _killed_at_a_moment,
    "killed at a touch of the disk": _disturbed,
    "disk of its own, full": _on_own_disk,
    "no space left": _disturbed,
    "file too large": _disturbed,
    "clock jumps": _disturbed,
    **dict.fromkeys(SPOILS, _spoiled),
    "two at once": _two_at_once,
    "two sweeps at once": _two_sweeps_at_once,
}


# ---------------------------------------------------------------- what comes of it


def _readers(case: Case, bench: Bench, here: Path) -> Iterator[str]:
    """`report` and `verify` answer, or refuse in one line; a folder that is not what was written is not verified."""
    page = bench.root / "page.json"
    for command in (["verify", str(here)], ["report", str(here), "-o", str(page)]):
        result = bartizan(*command)
        if wrong := wrong_with(result):
            yield f"{command[0]}: {wrong}: {result.err[-300:]}"
        if result.code == 0 and command[0] == "verify" and not _is_clean(bench, here):
            yield "verify passes a folder that is not what was written"


def _is_clean(bench: Bench, here: Path) -> bool:
    """Is everything there the clean folder's of a sweep, with or without the answer?"""
    there = {name: data for name, data in tree(here).items() if not name.endswith((".tmp", *SET_ASIDE))}
    return there in (tree(bench.clean("sweep")), tree(bench.clean("answer")))


def _mended(case: Case, bench: Bench, here: Path) -> Iterator[str]:
    """The job again; where it refuses what it found, after what its line asks for. Then the bytes are the clean ones."""
    result = _again(case, bench, here)
    for _ in range(4):
        if wrong := wrong_with(result):
            yield f"again: {wrong}: {result.err[-300:]}"
            return
        if result.code == 0:
            break
        if not _follow(result.err, case, bench, here):
            yield f"again: {result.err[-400:]}"
            return
        result = _again(case, bench, here)
    there, wanted = tree(here), tree(bench.clean(case.job))
    extra = {name for name in there.keys() - wanted.keys() if not name.endswith(SET_ASIDE)}
    if result.code or extra or any(there.get(name) != data for name, data in wanted.items()):
        yield f"another folder: {sorted(extra)} {[name for name in wanted if there.get(name) != wanted[name]]} {result.err[-300:]}"


def _again(case: Case, bench: Bench, here: Path) -> Result:
    """An answer mends no games: the sweep does."""
    if case.job == "answer" and (result := bartizan(*SWEEP, "-o", here)).code:
        return result
    return bartizan(*bench.command(case.job, here))


def _follow(error: str, case: Case, bench: Bench, here: Path) -> bool:
    """Do what a refusal asks for; False: it asks for nothing that can be done."""
    named = [path for path in bench.root.glob("here*/**/*") if path.is_file() and f"{path}: " in error]
    if "move it elsewhere" in error or "delete it" in error or "choose a new folder" in error:
        for path in named:
            path.unlink()
    elif (
        "simulate it again" in error
        or "simulate this part again" in error
        or "is not finished" in error
        or "contains no sweep" in error
        or "no such folder" in error
        or "missing" in error
        or "run the same sweep again" in error
    ):
        pass
    else:
        return False
    if case.job == "merge":
        for number in range(1, PARTS + 1):
            bartizan(*SWEEP, "--shards", f"{number}/{PARTS}", "-o", bench.beside(here, number))
    return True
