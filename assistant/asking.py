"""Run a tool's question in a separate process, and return its progress, answer and files.

The reply to the parent process is plain data. The document, text, page and picture are files in a folder that
the parent chooses.
"""

import re
import shlex
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from bartizan.api.answer import Answer, as_json
from bartizan.api.question import Question
from bartizan.api.questions import playtest, results
from bartizan.api.questions.catalogue import DescribeQuestion
from bartizan.assistant.replies import (
    MOST_SHOWN,
    QUOTED,
    Reply,
    cell,
    mend_of,
    page_of,
    picture_of,
    quoted,
    sentence_of,
    shortened,
    table_of,
)
from bartizan.assistant.tools import BY_NAME, ToolKind, texts_in
from bartizan.reports.text.visible import visible
from bartizan.simcore.compile import mistakes
from bartizan.simcore.errors import BartizanError, UsageError, unforeseen
from bartizan.simcore.sources import is_short
from bartizan.simcore.watch import Watch

Chunk = TypeVar("Chunk")

SUFFIX = re.compile(r"\.(py|toml|csv|tsv|xlsx)\b")  # of the user's files
TOLD = 0.2  # seconds between two progress messages
Tell = Callable[[dict[str, Any]], None]


class ToldWatch(Watch):
    """Watch that sends the progress of a question, including the estimate so far, to the parent process."""

    def __init__(self, tell: Tell):
        self.tell, self.told = tell, 0.0

    def note(self, line: str) -> None:
        self.tell({"note": shortened(visible(line), 300)})

    def compiling(self, what: str, duration: str) -> None:
        self.tell({"note": shortened(f"compiling {what} for this machine: {duration}", 300)})

    def looking(self, line: str) -> None:
        self.note(line)

    @contextmanager
    def progress(self, name: str, games: int) -> Iterator[Callable[[Any], None]]:
        from bartizan.reports.render.progress import so_far

        with super().progress(name, games) as notes:

            def watch(progress: Any) -> None:
                notes(progress)
                doing = f"{progress.unit} of {name}"
                total = progress.games_total or games
                self._tell(progress.games_done, total, doing, lambda: so_far(progress))

            yield watch
        # the statistics, pictures and pages of the answer may take longer than its games
        self.told = 0.0
        self._tell(0, 0, "working on the results", lambda: "")

    def track(self, chunks: Iterable[Chunk], games: int, each: int, doing: str) -> Iterable[Chunk]:
        for number, chunk in enumerate(chunks):
            self._tell(min(number * each, games), games, doing, lambda: "")
            yield chunk

    def _tell(self, done: int, total: int, doing: str, known: Callable[[], str]) -> None:
        if time.monotonic() - self.told >= TOLD:
            self.told = time.monotonic()
            self.tell({"done": done, "total": total, "doing": doing, "known": known()})


def reply_to(
    tool_name: str, arguments: Mapping[str, Any], place: Path, folder: Path | None, tell: Tell
) -> dict[str, Any]:
    """Run a tool and return its reply as plain data: `reply` (structured content) and `text`.

    place: folder for the files of the answer. folder: folder of the user's games, or None. tell: receives
    progress. An error also becomes a reply.
    """
    tool = BY_NAME[tool_name]
    is_data = any(SUFFIX.search(text) for text in texts_in(arguments)) or tool.needs_folder
    try:
        kind, given = tool.read(arguments)
        asking = Asking(kind, given, place, folder, ToldWatch(tell))
        answer, command = ASK.get(tool_name, _plain)(asking)
        return _answered(answer, command, place, folder, is_data)
    except BartizanError as error:
        others = getattr(error, "others", ())
        line, code = "; also ".join((str(error), *others)), error.exit_code
    except MemoryError:
        line, code = "this needs more memory than a call may use; ask for fewer games", 4
    except OSError as error:
        line, code = f"{error.filename or 'output'}: {error.strerror or error}", 2
    except Exception as error:
        line, code = mistakes.sentence(error) if mistakes.place_of(error) else unforeseen(error), 4
    return _refused(" ".join(line.split()), folder if is_data else None, code)


def _refused(line: str, folder: Path | None, code: int) -> dict[str, Any]:
    """Return the reply for an error. folder: folder of the files that the message may quote, or None."""
    line = shortened(visible(line), 2000)
    mend = mend_of(line, folder)
    text = f"error: {line}"
    if mend and mend.source:
        rule = f" in {mend.rule}" if mend.rule else ""
        text += f"\nTo correct: {mend.file}, line {mend.line}{rule}: {mend.source}"
    if folder:
        text += f"\n({QUOTED})"
    reply = Reply(state="refused", answer=line, exit_code=code, mend=mend, is_data_from_files=bool(folder))
    return {"reply": reply.document(), "text": text}


def _answered(answer: Any, command: str, place: Path, folder: Path | None, is_data: bool) -> dict[str, Any]:
    if isinstance(answer, Answer):
        lines = [line for one in answer.lines() for line in str(one).splitlines() or [""]]
        view, code = answer.view, answer.exit_code
        (place / "document.json").write_text(as_json(answer.to_dict()), encoding="utf-8")
        if not (place / "page.html").exists():
            page_of(answer, command, place / "page.html")
        picture_of(answer, place / "picture.png")
        failure = " ".join(str(answer.failure).split()) if answer.failure else ""
    else:
        lines, view, code, failure = answer, None, 0, ""
    (place / "text.txt").write_text("\n".join(lines), encoding="utf-8")
    sentence = shortened(sentence_of(view, lines), 1200)
    table = table_of(view)
    reply = Reply(
        state="answered",
        answer=sentence,
        table=table,
        lines=[] if table else [cell(line) for line in lines[1:] if line.strip()],
        method=shortened(view.method[1], 400) if view else "",
        exit_code=code,
        command=shortened(command, 600),
        is_data_from_files=is_data,
    )
    shown = [sentence, *lines[1:], *([f"failed: {failure}"] if failure else [])]
    return {"reply": reply.document(), "text": quoted(shown, is_data, MOST_SHOWN)}


# ---------------------------------------------------------------- the questions of a tool

Found = tuple[Any, str]  # an answer or lines, and the equivalent command


@dataclass(frozen=True)
class Asking:
    """A question to run: its kind, the given options by name, and its folders.

    place: folder for output files. folder: folder of the user's games, or None.
    """

    kind: ToolKind
    given: Mapping[str, Any]
    place: Path
    folder: Path | None
    watch: Watch

    def made(self, **others: Any) -> Question[Any]:
        """Return the question with the given options that it supports.

        others: options that override the given ones.
        """
        options = {option.name for option in self.kind.question.options}
        values = {**self.kind.fixed, **self.given, **others}
        return self.kind.question(**{name: value for name, value in values.items() if name in options})

    def ask(self, question: Question[Any]) -> Any:
        """Return the answer to a question, or a list of output lines if the question has no document."""
        question.watch = self.watch
        answer = question.ask()
        if isinstance(answer, Answer):
            return answer
        lines = []
        for line in answer:  # results of `check` so far
            lines.append(str(line))
            self.watch.note(lines[-1])
        return lines


def command_of(question: Question[Any]) -> str:
    """Return the equivalent command line, without `-o DIR`."""
    return question.command_line().removesuffix(" -o DIR")


def _plain(asking: Asking) -> Found:
    question = asking.made()
    return asking.ask(question), command_of(question)


def _describe(asking: Asking) -> Found:
    """Return the description of a game.

    Without a name, list all games, including the short games in the folder.
    """
    if asking.given.get("name"):
        return _plain(asking)
    lines = list(asking.ask(DescribeQuestion()).lines())
    if asking.folder:
        own = sorted(path.name for path in asking.folder.glob("*.py") if is_short(path))
        lines.append(f"short games in the folder: {', '.join(own) or 'none yet'}")
    return lines, "bartizan describe"


def _check(asking: Asking) -> Found:
    """Return the lines of a check, with the verdict first."""
    lines, command = _plain(asking)
    return [lines[-1], *lines[:-1]], command


def _trace(asking: Asking) -> Found:
    """Return the log of a game, and write a page that shows the game."""
    found = _plain(asking)
    asking.ask(asking.made(html=asking.place / "page.html", rollouts=0))
    return found


def _report(asking: Asking) -> Found:
    """Run a sweep in a temporary folder, write its report page, and return the answer of the sweep.

    Raises UsageError for a plan file.
    """
    if str(asking.given["name"]).endswith(".toml"):
        why = "run a plan file in the terminal: bartizan run PLAN.toml -o DIR"
        raise UsageError(f"report: give a game; {why}")
    command = f"{command_of(asking.made())} -o DIR && bartizan report DIR -o report.html"
    with tempfile.TemporaryDirectory(prefix="sweep-", dir=asking.place) as folder:
        played = asking.ask(asking.made(out=folder))
        asking.ask(results.ReportQuestion(folder, out=asking.place / "page.html"))
    return played, command


def _plays(asking: Asking) -> Found:
    """Return the answer about a folder of plays. Other files are first imported into a temporary folder."""
    files, game = asking.given["files"], asking.given["name"]
    if len(files) == 1 and Path(files[0]).is_dir():
        question = asking.made(plays=files[0])
        return asking.ask(question), command_of(question)
    with tempfile.TemporaryDirectory(prefix="plays-", dir=asking.place) as folder:
        asking.ask(playtest.ImportQuestion(list(files), out=folder, game=game))
        question = asking.made(plays=folder)
        answer = asking.ask(question)
    brought = shlex.join(["bartizan", "playtest", "import", *files, "--game", game, "-o", "plays"])
    return answer, f"{brought} && {command_of(question).replace(folder, 'plays')}"


ASK: dict[str, Callable[[Asking], Found]] = {
    "describe": _describe,
    "check": _check,
    "trace": _trace,
    "report": _report,
    "plays_by_people": _plays,
}
