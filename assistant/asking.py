"""Asks a question for a tool, in a process of its own: progress, the answer, and its files.

The reply goes to the parent as plain data; document, text, page and picture are files in a place that the
parent names.
"""

import re
import shlex
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bartizan.api.answer import Answer, as_json
from bartizan.api.question import Question
from bartizan.api.questions import playtest, results
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
from bartizan.assistant.tools import BY_NAME, Tool, ToolKind, texts_in
from bartizan.reports.text.visible import visible
from bartizan.simcore.compile import mistakes
from bartizan.simcore.errors import BartizanError, UsageError, unforeseen
from bartizan.simcore.watch import Watch

SUFFIX = re.compile(r"\.(py|toml|csv|tsv|xlsx)\b")  # of the files of a user
TOLD = 0.2  # seconds between two lines of progress
Tell = Callable[[dict[str, Any]], None]


class ToldWatch(Watch):
    """Tells the parent how far a question has come, with the estimate so far."""

    def __init__(self, tell: Tell):
        self.tell, self.told = tell, 0.0

    def note(self, line: str) -> None:
        self.tell({"note": shortened(line, 300)})

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
                self._tell(progress.games_done, progress.games_total or games, name, lambda: so_far(progress))

            yield watch

    def track(self, chunks: Iterable, games: int, each: int, doing: str) -> Iterable:
        for number, chunk in enumerate(chunks):
            self._tell(min(number * each, games), games, doing, lambda: "")
            yield chunk

    def _tell(self, done: int, total: int, doing: str, known: Callable[[], str]) -> None:
        if time.monotonic() - self.told >= TOLD:
            self.told = time.monotonic()
            self.tell({"done": done, "total": total, "doing": doing, "known": known()})


def reply_to(
    tool_name: str, arguments: Mapping[str, Any], place: Path, folder: Path | None, tell: Tell
) -> dict:
    """The reply as plain data: the structured content, and its text."""
    tool = BY_NAME[tool_name]
    is_data = any(SUFFIX.search(text) for text in texts_in(arguments)) or tool.needs_folder
    try:
        what, kind, given = tool.read(arguments)
        answer, command = ASK.get(tool_name, _plain)(tool, what, kind, given, place, ToldWatch(tell))
        return _answered(answer, command, place, folder, is_data)
    except BartizanError as error:
        line, code = str(error), error.exit_code
    except MemoryError:
        line, code = "needs more memory than a call may have; ask for fewer games", 4
    except OSError as error:
        line, code = f"{error.filename or 'output'}: {error.strerror or error}", 2
    except Exception as error:
        line, code = mistakes.sentence(error) if mistakes.place_of(error) else unforeseen(error), 4
    return _refused(" ".join(line.split()), folder if is_data else None, code)


def _refused(line: str, folder: Path | None, code: int) -> dict:
    """folder: of the files that the message may quote."""
    line = shortened(visible(line), 2000)
    mend = mend_of(line, folder)
    text = f"error: {line}"
    if mend and mend.source:
        rule = f" in {mend.rule}" if mend.rule else ""
        text += f"\nTo mend: {mend.file}, line {mend.line}{rule}: {mend.source}"
    if folder:
        text += f"\n({QUOTED})"
    reply = Reply(state="refused", answer=line, exit_code=code, mend=mend, is_data_from_files=bool(folder))
    return {"reply": reply.document(), "text": text}


def _answered(answer: Any, command: str, place: Path, folder: Path | None, is_data: bool) -> dict:
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

Asked = tuple[Any, str]  # an answer or lines, and the command that gives the same


def _ask(question: Question, watch: Watch) -> Any:
    question.watch = watch
    answer = question.ask()
    if isinstance(answer, Answer):
        return answer
    lines = []
    for line in answer:  # what `check` has found so far
        lines.append(str(line))
        watch.note(lines[-1])
    return lines


def command_of(question: Question) -> str:
    """The command line that asks the same."""
    return question.command_line().removesuffix(" -o DIR")


def _made(kind: ToolKind, given: Mapping[str, Any]) -> Question:
    options = {option.name for option in kind.question.options}
    return kind.question(**{name: one for name, one in {**kind.fixed, **given}.items() if name in options})


def _plain(
    tool: Tool, what: str, kind: ToolKind, given: Mapping[str, Any], place: Path, watch: Watch
) -> Asked:
    question = _made(kind, given)
    return _ask(question, watch), command_of(question)


def _describe(
    tool: Tool, what: str, kind: ToolKind, given: Mapping[str, Any], place: Path, watch: Watch
) -> Asked:
    if given.get("name"):
        return _plain(tool, what, kind, given, place, watch)
    from bartizan.api.questions.catalogue import GamesQuestion

    return _ask(GamesQuestion(), watch), "bartizan games"


def _trace(
    tool: Tool, what: str, kind: ToolKind, given: Mapping[str, Any], place: Path, watch: Watch
) -> Asked:
    """The log, and the same game as a page."""
    answer, command = _plain(tool, what, kind, given, place, watch)
    _ask(_made(kind, {**given, "html": place / "page.html", "rollouts": 0}), watch)
    return answer, command


def _report(
    tool: Tool, what: str, kind: ToolKind, given: Mapping[str, Any], place: Path, watch: Watch
) -> Asked:
    """A sweep in a folder that is dropped, and its page."""
    if str(given["name"]).endswith(".toml"):
        raise UsageError(
            "report: name a game; a plan file is played in the terminal: bartizan sweep PLAN.toml -o DIR"
        )
    sweep = _made(kind, given)
    command = f"{command_of(sweep)} -o DIR && bartizan report DIR -o report.html"
    with tempfile.TemporaryDirectory(prefix="sweep-", dir=place) as folder:
        sweep.out = folder  # type: ignore[attr-defined]
        played = _ask(sweep, watch)
        _ask(results.ReportQuestion(folder, out=place / "page.html"), watch)
    return played, command


def _plays(
    tool: Tool, what: str, kind: ToolKind, given: Mapping[str, Any], place: Path, watch: Watch
) -> Asked:
    """Plays of a folder; sheets are read into a folder that is dropped."""
    options = dict(given)
    files = options.pop("files")
    if len(files) == 1 and Path(files[0]).is_dir():
        question = _made(ToolKind(kind.question), {**options, "plays": files[0]})
        return _ask(question, watch), command_of(question)
    with tempfile.TemporaryDirectory(prefix="plays-", dir=place) as folder:
        _ask(playtest.ImportQuestion(list(files), out=folder, game=options["name"]), watch)
        question = _made(ToolKind(kind.question), {**options, "plays": folder})
        answer = _ask(question, watch)
    brought = shlex.join(["bartizan", "playtest", "import", *files, "--game", options["name"], "-o", "plays"])
    return answer, f"{brought} && {command_of(question).replace(folder, 'plays')}"


ASK = {"describe": _describe, "trace": _trace, "report": _report, "plays_by_people": _plays}
