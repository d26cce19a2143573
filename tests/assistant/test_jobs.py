"""Questions that take long: a job to come back to, the same question joins it, and a cancelled call ends the work."""

import threading

import anyio
import pytest

from bartizan.assistant import jobs
from bartizan.assistant.asking import ToldWatch
from bartizan.assistant.fence import Fence
from bartizan.assistant.jobs import Jobs, WorkerDied
from bartizan.simcore.play.batch import Progress
from tests.assistant.here import SHORT, Said, assistant, call, client


class Slow:
    """Works until it is let go, or ended."""

    made: list["Slow"] = []

    def __init__(self, folder, home):
        self.let_go, self.begun, self.asked, self.is_alive = threading.Event(), threading.Event(), 0, True
        Slow.made.append(self)

    def ask(self, asked, told):
        self.asked += 1
        told({"done": 10, "total": 40, "doing": "games", "known": "win rate 30.0% to 70.0% so far (95% at every look)"})
        self.begun.set()
        assert self.let_go.wait(20)
        if not self.is_alive:
            raise WorkerDied("killed")
        return {"reply": {"state": "answered", "answer": "done", "command": "bartizan run"}, "text": "done"}

    def end(self):
        self.is_alive = False
        self.let_go.set()


def test_the_work_after_the_games_is_named():
    """A job stood at `19,352 of 20,000 masks` for 100 seconds: nobody knew what it was doing."""
    told = []
    with ToldWatch(told.append).progress("pig", 40) as draw:
        draw(Progress(games_done=20, games_total=40))
    assert told[0]["doing"] == "games of pig"
    assert told[-1]["doing"] == "working on the results" and not told[-1]["total"]


@pytest.fixture
def slow(monkeypatch):
    monkeypatch.setattr(Slow, "made", [])
    made = assistant(SHORT, patience=0, worker=Slow)
    yield made
    made.jobs.close()


async def until(happened):
    with anyio.fail_after(20):
        while not happened():
            await anyio.sleep(0.005)


def has_begun():
    return Slow.made and Slow.made[0].begun.is_set()


def session(server, steps):
    async def asked(connected):
        async def ask(tool, /, progress=None, **arguments):
            return Said(await connected.call_tool(tool, arguments, progress_callback=progress))

        return await steps(ask)

    return client(asked, server)


def test_what_is_known_so_far_then_the_result(slow):
    async def steps(ask):
        told = []

        async def progress(done, total, message):
            told.append((done, total, message))

        first = await ask("play", name="pig.py", games=40)
        assert first.reply["state"] == "working" and not first.failed
        await until(has_begun)
        slow.patience = 0.1
        again = await ask("play", progress, name="pig.py", games=40)
        assert "30.0% to 70.0% so far" in again.reply["known_so_far"] and "10 of 40 games" in again.text
        assert any(done == 10 and total == 40 and "so far" in message for done, total, message in told)
        assert again.reply["job"] == first.reply["job"] and len(Slow.made) == 1 and Slow.made[0].asked == 1
        assert (await ask("progress", job=first.reply["job"])).reply["state"] == "working"
        Slow.made[0].let_go.set()
        last = await ask("result", job=first.reply["job"])
        assert last.reply["state"] == "answered" and last.text.startswith("done")
        assert (await ask("play", name="pig.py", games=40)).reply["state"] == "answered"

    session(slow, steps)
    assert Slow.made[0].asked == 1


def test_a_question_about_an_edited_game_is_asked_again(tmp_path):
    game = tmp_path / "pig.py"
    game.write_text("first")
    made = Jobs(Fence(tmp_path), 600, Slow)
    first, same = made.ask("play", {}), made.ask("play", {})
    game.write_text("other rules")
    other = made.ask("play", {})
    made.close()
    assert first is same and first is not other


def test_a_job_that_is_stopped_ends_its_process(slow):
    async def steps(ask):
        job = (await ask("play", name="pig.py", games=40)).reply["job"]
        await until(has_begun)
        assert (await ask("progress", job=job, stop=True)).reply["state"] == "cancelled"
        assert not Slow.made[0].is_alive
        assert (await ask("play", name="pig.py", games=40)).reply["job"] != job  # asked again, it is tried again

    session(slow, steps)


def test_a_cancelled_call_ends_the_work(slow):
    slow.patience = 20

    async def steps(ask):
        async with anyio.create_task_group() as group:
            group.start_soon(lambda: ask("play", name="pig.py", games=40))
            await until(has_begun)
            group.cancel_scope.cancel()
        await until(lambda: not Slow.made[0].is_alive)

    session(slow, steps)


def test_another_call_keeps_the_work_going(slow):
    slow.patience = 20

    async def steps(ask):
        said = []

        async def stays():
            said.append(await ask("play", name="pig.py", games=40))

        async with anyio.create_task_group() as group:
            group.start_soon(stays)
            await until(has_begun)
            (job,) = slow.jobs.jobs.values()
            async with anyio.create_task_group() as leaves:
                leaves.start_soon(lambda: ask("play", name="pig.py", games=40))
                await until(lambda: job.asking == 2)
                leaves.cancel_scope.cancel()
            await until(lambda: job.asking == 1)
            assert Slow.made[0].is_alive
            Slow.made[0].let_go.set()
        assert said[0].reply["state"] == "answered"

    session(slow, steps)


def test_too_late_is_said_in_one_line(slow):
    slow.jobs.seconds, slow.patience = 0.05, 20

    async def steps(ask):
        said = await ask("play", name="pig.py", games=40)
        assert said.failed and "so the question was stopped" in said.text

    session(slow, steps)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (
            BlockingIOError(11, "Resource temporarily unavailable"),
            "cannot start: Resource temporarily unavailable; wait",
        ),
        (KeyError("x"), "unexpected error: KeyError"),
    ],
)
def test_a_process_that_cannot_start_ends_its_question(error, words):
    def worker(folder, home):
        raise error

    server = assistant(SHORT, patience=20, worker=worker)
    for _ in range(2):  # asked again, it is tried again
        said = call(server, "play", name="pig.py", games=40)
        assert said.failed and words in said.text
    assert len(server.jobs.jobs) == 2
    server.jobs.close()


def test_a_thread_that_cannot_start_ends_its_question(slow, monkeypatch):
    def start(thread):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(jobs.threading.Thread, "start", start)
    job = slow.jobs.ask("play", {"name": "pig.py"})
    assert job.done.is_set() and "can't start new thread; wait" in job.message["text"]


def test_too_many_questions_at_once_are_refused(slow):
    async def steps(ask):
        states = [(await ask("play", name="pig.py", games=games)).reply["state"] for games in range(1, 12)]
        assert states == ["working"] * 10 + ["refused"]

    session(slow, steps)


def test_old_answers_leave_no_files(monkeypatch):
    monkeypatch.setattr(jobs, "KEPT", 2)
    server = assistant(SHORT)
    first, *_, last = (call(server, "describe", name=name).reply["job"] for name in ("pig.py", "kuhn.py", "leduc.py"))
    assert call(server, "result", job=first).failed and not call(server, "result", job=last).failed
    assert {job.place for job in server.jobs.jobs.values()} == set(server.jobs.jobs[last].place.parent.iterdir())
    server.jobs.close()
