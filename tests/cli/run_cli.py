"""The command line as a function: arguments in, exit code and both streams out."""

import contextlib
import io
import json
import pickle
import re
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

from bartizan import cli
from bartizan.analyses.statistics.methods import methods_of
from bartizan.api.answer import Answer
from tests.labels import labels_of

ROOT = Path(cli.__file__).parent
PIG = str(ROOT / "examples/pig/pig.py")
RUIN = str(ROOT / "examples/ruin/ruin.py")
ROWS = str(ROOT / "examples/rows/rows.py")
OPTIONS = re.compile(r"--?[a-z][\w-]* \S")  # such as "--games 60 -o"


@dataclass
class Result:
    code: int
    out: str
    err: str
    answer: Any = None  # what was printed: its lines, or with `--json` its document

    @property
    def document(self) -> str:
        """What `--json` prints, whether or not it was asked for."""
        return self.answer.to_json() if self.answer else self.out

    @property
    def json(self) -> dict:
        return json.loads(self.document)


def words(args: tuple[object, ...]) -> list[str]:
    """The words of a command. A text that begins with an option may hold several, with a space between them."""
    return [word for one in map(str, args) for word in (one.split() if OPTIONS.match(one) else [one])]


def bartizan(*args: object) -> Result:
    """Run one command in this process."""
    out, err, answers = io.StringIO(), io.StringIO(), []

    def say(answer, as_json=False):
        for label in labels_of(answer.to_dict()) if hasattr(answer, "to_dict") else ():
            methods_of(label)  # no command answers with an interval of a method that is not registered
        answers.extend([answer] if hasattr(answer, "to_json") and not as_json else [])
        if isinstance(answer, Answer):  # whatever a command answers can be kept, and read as a table
            pickle.dumps(answer)
            answer.to_polars()
        return printed(answer, as_json)

    printed = cli.say
    with (
        mock.patch.object(sys, "argv", ["bartizan", *words(args)]),
        mock.patch.object(cli, "say", say),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            cli.main()
            code = 0
        except SystemExit as stop:
            code = stop.code or 0
    return Result(code, out.getvalue(), err.getvalue(), *answers)


answered = cache(bartizan)
"""As `bartizan`, asked once in a session: for questions that write nothing, in whichever tests look at the answer."""


def answer_of(*args: object, codes: tuple[int, ...] = (0,)) -> dict:
    """The document that answers a question; asked once in a session where it writes nothing."""
    result = (bartizan if "-o" in words(args) else answered)(*args)
    assert result.code in codes, result.err
    return result.json


def few_pilot_games():
    """Luck is taken off by a guess from 1,000 pilot games instead of 16,000: how good it is, is no
    question where this is used.
    """
    from bartizan.analyses.experiments import luck_adjustment

    guess_for = luck_adjustment.guess_for
    return mock.patch.object(
        luck_adjustment,
        "guess_for",
        lambda match, seats, samples, games, jobs: guess_for(match, seats, samples, 1000, jobs),
    )


def process(*args: object) -> subprocess.Popen:
    """Start one command in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "bartizan.cli", *words(args)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


WAITING = """
import os, signal, sys, time
from bartizan import cli
from bartizan.simcore.sweep import run

signal.signal(signal.SIGINT, signal.default_int_handler)  # tests in the background ignore it
run.KEPT_EVERY = float("inf")  # only whole shards are written
replace, shards = os.replace, iter(range(int(sys.argv.pop(1))))

def replaced(source, target, **how):
    replace(source, target, **how)
    if str(target).endswith(".parquet") and next(shards, None) is None:
        time.sleep(600)

os.replace = replaced
cli.main()
"""


def process_that_waits(shards: int, *args: object) -> subprocess.Popen:
    """As `process`; once it has written a shard more than so many it waits to be stopped, however
    busy the machine is.
    """
    command = [sys.executable, "-c", WAITING, str(shards), *words(args)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def error_line(result: Result) -> str:
    """The one line a refusal consists of."""
    lines = [
        line
        for line in result.err.splitlines()
        if not line.startswith("compiling") and " was replaced by: bartizan " not in line
    ]
    assert len(lines) == 1 and lines[0].startswith("error: "), result.err
    assert "Traceback" not in result.err
    return lines[0]


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder with its bytes."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }
