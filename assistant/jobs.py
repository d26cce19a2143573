"""Questions in progress. A repeated question joins the existing job, and a later call gets the answer."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from bartizan.assistant.fence import Fence
from bartizan.simcore.errors import UsageError, unforeseen, unreadable

AT_ONCE, WAITING, KEPT = 2, 8, 64  # maximum numbers: questions in progress, waiting questions, kept answers
Told = Callable[[dict[str, Any]], None]


class WorkerDied(Exception):
    """Raised if the process of a question ends without an answer, or writes a line that is not JSON."""


class Worker:
    """A process that answers one question after another (`bartizan.assistant.worker`)."""

    def __init__(self, folder: Path | None, home: Path):
        code = "from bartizan.assistant.worker import main; main()"
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-W", "ignore", "-c", code, str(folder or "")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # output of games
            cwd=folder or home,
            env={**os.environ, "PYTHONSAFEPATH": "1"},
            text=True,
            encoding="utf-8",
        )

    def ask(self, asked: Mapping[str, Any], told: Told) -> dict[str, Any]:
        """Return the reply to a question. told: receives each progress message.

        Raises WorkerDied if the process ends without a reply, or writes a line that is not JSON.
        """
        assert self.process.stdin and self.process.stdout
        try:
            self.process.stdin.write(json.dumps(asked) + "\n")
            self.process.stdin.flush()
            for line in self.process.stdout:
                message: dict[str, Any] = json.loads(line)
                if "reply" in message:
                    return message
                told(message)
        except (OSError, ValueError) as error:
            raise WorkerDied(str(error)) from error
        raise WorkerDied(f"exit code {self.process.wait()}")

    @property
    def is_alive(self) -> bool:
        return self.process.poll() is None

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            with suppress(OSError):
                pipe.close()  # type: ignore[union-attr]


@dataclass(eq=False)
class Job:
    """A question of a tool, with its progress and, at the end, its reply."""

    number: str
    tool: str
    arguments: Mapping[str, Any]
    key: str
    place: Path
    begun: float = field(default_factory=time.monotonic)
    done: threading.Event = field(default_factory=threading.Event)
    message: dict[str, Any] | None = None  # the reply, when there is one
    games: int = 0
    total: int = 0
    doing: str = "waiting"
    known: str = ""
    notes: list[str] = field(default_factory=list)
    asking: int = 0  # number of calls that wait for the job
    has_handle: bool = False  # a caller has the ID of the job
    is_cancelled: bool = False
    is_broken: bool = False  # the process crashed; the same question starts a new job
    worker: Any = None

    def told(self, message: Mapping[str, Any]) -> None:
        if "note" in message:
            self.notes = [*self.notes[-4:], message["note"]]
            return
        self.games, self.total, self.doing = message["done"], message["total"], message["doing"]
        self.known = message["known"] or self.known

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.begun

    @property
    def how_far(self) -> str:
        """Progress as text: `12,000 of 50,000 games of itter, 8 s`."""
        counted = f"{self.games:,} of {self.total:,} {self.doing}, " if self.total else f"{self.doing}, "
        return f"{counted}{self.seconds:.0f} s"


class Jobs:
    """All questions of a server.

    seconds: time limit for each question. worker: function that creates the process that answers a question.
    """

    def __init__(self, fence: Fence, seconds: float, worker: Callable[[Path | None, Path], Any] = Worker):
        self.fence, self.seconds, self.make = fence, seconds, worker
        self.home = tempfile.TemporaryDirectory(prefix="bartizan-mcp-")
        self.jobs: OrderedDict[str, Job] = OrderedDict()
        self._idle: list[Any] = []
        self._lock, self._turn = threading.Lock(), threading.Semaphore(AT_ONCE)

    def ask(self, tool: str, arguments: Mapping[str, Any]) -> Job:
        """Return the existing job of this question, or start a new one.

        Raises UsageError if too many questions are waiting.
        """
        asked = json.dumps([tool, arguments, self.fence.state()], sort_keys=True, default=str)
        key = sha256(asked.encode()).hexdigest()
        with self._lock:
            for job in self.jobs.values():
                if job.key == key and not (job.is_cancelled or job.is_broken):
                    return job
            open_jobs = [job for job in self.jobs.values() if not job.done.is_set()]
            if len(open_jobs) >= AT_ONCE + WAITING:
                numbers = ", ".join(job.number for job in open_jobs)
                raise UsageError(
                    f"{len(open_jobs)} questions are in progress ({numbers}); wait, or stop one of them"
                )
            number = f"{tool}-{key[:8]}"
            while number in self.jobs:
                number += "x"
            place = Path(tempfile.mkdtemp(prefix=f"{tool}-", dir=self.home.name))
            job = self.jobs[number] = Job(number, tool, dict(arguments), key, place)
            self._drop_old()
        try:
            threading.Thread(target=self._work, args=(job,), daemon=True, name=number).start()
        except RuntimeError as error:  # no more threads
            job.message, job.is_broken = self._of_failure(error), True
            job.done.set()
        return job

    def find(self, number: Any) -> Job:
        """Return the job with this ID. Raises UsageError for an unknown ID."""
        job = self.jobs.get(number) if isinstance(number, str) else None
        if job is None:
            known = ", ".join(list(self.jobs)[-5:]) or "none yet"
            raise UsageError(f"no job {str(number)[:60]!r}; the jobs are: {known}. Ask the question again")
        return job

    def stop(self, job: Job) -> None:
        """Stop the work of a job. A finished job keeps its answer."""
        with self._lock:
            if job.done.is_set():
                return
            job.is_cancelled = True
            worker = job.worker
        if worker is not None:
            worker.end()
        job.done.set()

    def close(self) -> None:
        for job in list(self.jobs.values()):
            self.stop(job)
        for worker in self._idle:
            worker.end()
        self._idle.clear()
        self.home.cleanup()

    def _drop_old(self) -> None:
        done = [number for number, job in self.jobs.items() if job.done.is_set()]
        for number in done[: max(0, len(self.jobs) - KEPT)]:
            shutil.rmtree(self.jobs.pop(number).place, ignore_errors=True)

    def _work(self, job: Job) -> None:
        with self._turn:
            try:
                self._answer(job)
            except WorkerDied as died:
                job.message, job.is_broken = job.message or self._of_dead(died), True
            except Exception as error:  # such as no more processes: without a reply, every call would wait
                job.message, job.is_broken = self._of_failure(error), True
            finally:
                job.done.set()

    def _answer(self, job: Job) -> None:
        """Set the reply of a job, from an idle worker or a new one.

        Raises WorkerDied, and OSError or RuntimeError if the system starts no more processes or threads.
        """
        with self._lock:
            if job.is_cancelled:
                return
            self._idle = [worker for worker in self._idle if worker.is_alive]
            idle = self._idle.pop() if self._idle else None
            job.worker = idle or self.make(self.fence.folder, Path(self.home.name))
            job.doing = "reading and compiling the game"
        limit = threading.Timer(self.seconds, self._end_late, [job])
        limit.daemon = True
        try:
            limit.start()
            asked = {"tool": job.tool, "arguments": job.arguments, "place": str(job.place)}
            job.message = job.worker.ask(asked, job.told)
        finally:
            limit.cancel()
            with self._lock:
                worker, job.worker = job.worker, None
                if worker.is_alive and not job.is_cancelled:
                    self._idle.append(worker)

    def _end_late(self, job: Job) -> None:
        why = "ask for fewer games, or check for an endless loop in a rule"
        line = f"no answer within {self.seconds:.0f} s, so the question was stopped: {why}"
        with self._lock:
            if job.worker is not None:  # otherwise the worker may answer another question by now
                job.message = refusal(line, 4)
                job.worker.end()

    def _of_dead(self, died: WorkerDied) -> dict[str, Any]:
        return refusal(
            f"the process of this question ended ({died}), possibly because of endless recursion, too "
            "much memory, or game code that ends Python; call check on the game's file",
            4,
        )

    def _of_failure(self, error: Exception) -> dict[str, Any]:
        if not isinstance(error, (OSError, RuntimeError)):
            return refusal(unforeseen(error), 4)
        why = f"the process of this question cannot start: {unreadable(error)}"
        return refusal(f"{why}; wait until other work on this machine ends, then ask again", 4)


def refusal(line: str, code: int = 2) -> dict[str, Any]:
    """Return the reply for an error. code: exit code that the command line would return."""
    return {"reply": {"state": "refused", "answer": line, "exit_code": code}, "text": f"error: {line}"}
