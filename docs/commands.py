"""Run the commands of the documentation: `make docs`, or `make docs DOCS=--all` for all of them.

A command after `$ ` is run unchanged, and it must print the lines quoted below it. Other commands in fences
are run with few games (FEW) and must not end in an error. Both kinds run in the order of the page, each in a
temporary folder that contains `examples`. The folder of the second kind also contains the page's FILES and
the output of its commands in BEFORE.
"""

import contextlib
import io
import os
import re
import shlex
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted((ROOT / "docs").rglob("*.md"))


@dataclass(frozen=True)
class Command:
    """A command of a page. words: without `bartizan`. expected: quoted output lines, or None."""

    words: list[str]
    expected: list[str] | None


def commands_of(text: str) -> Iterator[Command]:
    """Yield each command in the fences of a page, in order."""
    for language, block in re.findall(r"^```(\w*)\n(.*?)^```", text, re.M | re.S):
        if language:
            continue
        lines = block.replace("\\\n", " ").splitlines()
        if lines[0].startswith("$ bartizan "):
            yield Command(shlex.split(lines[0])[2:], lines[1:])
            continue
        for line in lines:
            if line.startswith("bartizan "):
                yield Command(shlex.split(re.split(r"  +", line)[0])[1:], None)


def stale(expected: list[str], printed: str) -> list[str]:
    """Return the quoted lines that were not printed in this order. A quoted line may end in dots.

    It may also be a part of a printed line, whose rest may contain the next quoted line.
    """
    have, missing = [_plain(line) for line in printed.splitlines()], []
    for line in expected:
        wanted = _plain(line).removesuffix("...").rstrip()
        if not wanted:
            continue
        place = next((at for at, one in enumerate(have) if wanted in one), None)
        if place is None:
            missing.append(line)
        else:
            have = [have[place].partition(wanted)[2], *have[place + 1 :]]
    return missing


def _plain(line: str) -> str:
    return " ".join(line.replace("\u00a0", " ").split())


def run(pages: Sequence[Path], everything: bool) -> int:
    """Run the commands with quoted output, or all commands. Return the number of failures."""
    here, failed = Path.cwd(), 0
    for page in [page.resolve() for page in pages]:
        name = page.relative_to(ROOT / "docs").as_posix()
        found = list(commands_of(page.read_text(encoding="utf-8")))
        quoted = [one for one in found if one.expected is not None]
        others = [one for one in found if one.expected is None and not reason(one.words)]
        for chosen in (quoted, others) if everything else (quoted,):
            with tempfile.TemporaryDirectory() as folder:
                (Path(folder) / "examples").symlink_to(ROOT / "examples")
                os.chdir(folder)
                try:
                    failed += _run_page(name, chosen)
                finally:
                    os.chdir(here)
    return failed


def _run_page(name: str, commands: Sequence[Command]) -> int:
    """Run the commands of a page in the current folder. Return the number of failures."""
    failed = 0
    if any(one.expected is None for one in commands):
        _prepare(name)
    for command in commands:
        since = time.monotonic()
        code, out, err = call(command.words if command.expected is not None else few(command.words))
        if command.expected is None:
            problems = [] if code in (0, 1, 3) else [err.strip()]
        else:
            problems = [f"not printed: {line}" for line in stale(command.expected, out)]
        took = f"{time.monotonic() - since:.0f} s"
        shown = shlex.join(command.words)[:100]
        print(f"{'wrong' if problems else 'ok':5} {took:>5}  {name}: {shown}", flush=True)
        for problem in problems:
            print(f"             {problem}", flush=True)
        failed += bool(problems)
    return failed


def call(words: list[str]) -> tuple[int, str, str]:
    """Run a command in this process. Return its exit code, stdout and stderr."""
    from bartizan import cli

    out, err = io.StringIO(), io.StringIO()
    code: object = 0
    with (
        mock.patch.object(sys, "argv", ["bartizan", *words]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            cli.main()
        except SystemExit as end:
            code = end.code or 0
    return code if isinstance(code, int) else 4, out.getvalue(), err.getvalue()


# ---------------------------------------------------------------- commands without quoted output


# Options that make a command small. The last value of an option counts.
FEW = {
    "run": ["--games", "40"],
    "compare": ["--games", "40"],
    "cards": ["--games", "40"],
    "ladder": ["--games", "40", "--noise", "0.2"],
    "losses": ["--games", "40", "--pilot", "1", "--rollouts", "200"],
    "coverage": ["--games", "10"],
    "sensitivity": ["--games", "2", "--decks", "0"],
    "tune": ["--games", "100", "--fresh", "100", "--trials", "8"],
    "train": ["--generations", "1", "--games", "20", "--fresh", "100"],
    "equilibrium": ["--generations", "1", "--games", "20", "--fresh", "100", "--rounds", "1"],
    "bracket": ["--plays", "8", "--games", "20", "--slow-games", "2"],
    "playtest deal": ["--plays", "20"],
    "playtest skill": ["--games", "40"],
    "playtest plan": [],
}
# Commands that are not run: part of a word of the command -> reason.
LEFT_OUT = {
    "mcp": "serves until it is stopped",
    "workbench": "serves until it is stopped",
    "--plain": "applies to a whole process",
    "tcp://": "needs other machines",
    "/16": "is one part of 16",
    "part1": "needs 16 parts",
    "part{1..16}": "needs 16 parts",
    "here": "needs a part from another machine",
}
LEVELS = "run itter --difficulty novice --difficulty elite --policy garrison --games 40 -o "
# Commands that run before those of a page, to create the folders that the page uses.
BEFORE = {
    "card-values.md": ["run castle --policy steward --games 40 -o results"],
    "claims.md": ["run examples/itter-claims.toml --games 40 -o results"],
    "kept-answers.md": [f"{LEVELS}levels-of-may"],
    "paper.md": [
        f"{LEVELS}levels",
        "compare examples/short/pig.py --change numbers.goal=50 --games 40 -o change",
    ],
    "people.md": [
        "playtest import examples/plays/made-up-itter.csv --game itter -o plays",
        f"{LEVELS}results",
    ],
}
# Files that a page assumes: their text, or the path of an example.
PLAN = 'game = "examples/short/pig.py"\ngames = 40\nseed = 1\n'
BG_STATS = """{"players": [{"id": 1, "name": "Ada"}], "games": [{"id": 1, "name": "Castle Itter"}],
"plays": [{"uuid": "a", "gameRefId": 1, "playDate": "2026-03-04 20:00:00",
"playerScores": [{"playerRefId": 1, "winner": true}]}]}"""
RECORDS = (
    "seed,player_1,player_2,deck_size,winner,score_1,score_2,rounds,weather,dice,cards_drawn\n"
    + "".join(
        f"{n},careful,bold,40,{1 + n % 3 % 2},31,50,12,sun,7,Sword\n"
        f"{n + 1},bold,careful,40,{2 - n % 5 % 2},50,44,15,rain,9,Shield;Sword\n"
        for n in range(0, 40, 2)
    )
)
FILES = {
    "card-values.md": {
        "my_game.py": "examples/short/love_letter.py",
        "love_letter.csv": "examples/short/love_letter.csv",
    },
    "claims.md": {"other.toml": "examples/itter-claims.toml"},
    "cluster.md": {"plan.toml": PLAN},
    "coverage.md": {"my_game.py": "examples/short/pig.py"},
    "gate.md": {"plan.toml": PLAN},
    "ladder.md": {"my_policy.py": "examples/policies/settler.py"},
    "learned-players.md": {"my_game.py": "examples/short/solo_pig.py"},
    "playtests.md": {
        "form.csv": "examples/plays/made-up-itter.csv",
        "evening.csv": "examples/plays/made-up-deutsch.csv",
        "BGStatsExport.json": BG_STATS,
    },
    "records.md": {"games.csv": RECORDS},
}


def reason(words: list[str]) -> str | None:
    """Return the reason why a command is not run; None if it is run."""
    return next((why for part, why in LEFT_OUT.items() if any(part in one for one in words)), None)


def few(words: list[str]) -> list[str]:
    """Return the command with few games. Commands about a folder of results are unchanged."""
    if len(words) > 1 and Path(words[1]).is_dir():
        return words
    found = next((more for name, more in FEW.items() if words[: len(name.split())] == name.split()), [])
    if "lookahead" in " ".join(words):
        found = ["--games", "2"]
    if "stake-or-wait" in words:
        found = ["--games", "100"]
    if "--admit" in words:
        found = [*found, "--pairs", "64"]
    if "--learn" in words:
        found = ["--rounds", "2", "--seeds", "1", "--fresh", "100"]
    return [*words, *found]


def _prepare(name: str) -> None:
    """Write the files that a page assumes into the current folder, and run the commands of BEFORE."""
    for file, text in FILES.get(name, {}).items():
        if text.startswith("examples/"):
            shutil.copy(ROOT / text, file)
        else:
            Path(file).write_text(text, encoding="utf-8")
    for command in BEFORE.get(name, []):
        code, _, err = call(shlex.split(command))
        if code not in (0, 1, 3):
            raise RuntimeError(f"{name}: {command}: {err}")
