"""Inputs and damages tried, and what is wrong with what came of them: an answer nobody foresaw, more than one line, a wrong page."""

import contextlib
import random
import re
import shutil
import signal
import zlib
from collections.abc import Iterator
from pathlib import Path

from tests.cli.run_cli import PIG, Result, bartizan, tree
from tests.fuzz.damages import Damage
from tests.fuzz.inputs import KINDS
from tests.fuzz.mutants import MUTANTS

CODES = {0, 1, 2, 3, 4}
GAMES = 40_000  # two shards
PATIENCE = 60  # seconds until an input counts as hung
NO_NUMBER = re.compile(r"(?<![\w.-])-?(nan|inf|NaN|Infinity)(?![\w.-])")  # where a result stands
ALL = {**KINDS, **MUTANTS}


def wrong_with(result: Result) -> str:
    """ "" for a result, or a refusal in one line."""
    lines = [line for line in result.err.splitlines() if line.startswith("error: ")]
    if result.code not in CODES:
        return f"exit code {result.code}"
    if "unforeseen" in result.err or "Traceback" in result.err:
        return result.err.strip().splitlines()[-1][:300]
    return f"{len(lines)} error lines" if len(lines) != (result.code in (2, 4)) else ""


def inputs(kind: str, count: int, seed: int, folder: Path) -> Iterator[tuple[list[str], str]]:
    """(arguments, what is wrong with their answer) of each input that is not well answered."""
    for number in range(count):
        luck = random.Random(zlib.crc32(f"{kind} {seed} {number}".encode()))
        here = folder / f"{kind}-{number}"
        here.mkdir()
        with contextlib.chdir(here):
            arguments = ALL[kind](luck, here)
            if wrong := tried(arguments):
                yield arguments, wrong
        shutil.rmtree(here)


def tried(arguments: list[str]) -> str:
    def hung(*_: object) -> None:
        raise TimeoutError(f"no end within {PATIENCE} s")

    signal.signal(signal.SIGALRM, hung)
    signal.alarm(PATIENCE)
    try:
        result = bartizan(*arguments)
        return wrong_with(result) or nonsense(arguments, result)
    except BaseException as error:  # past the last line of defence
        return f"raised {type(error).__name__}: {error}"[:300]
    finally:
        signal.alarm(0)


def nonsense(arguments: list[str], result: Result) -> str:
    """A number that is none, in what a command says or writes."""
    written = Path(arguments[-1]) if arguments[-1].startswith(("page.", "rows.")) else None
    page = written.read_text(encoding="utf-8") if written and written.exists() else ""
    found = NO_NUMBER.search(result.out) or NO_NUMBER.search(
        re.sub(r"<(style|script|svg).*?</\1>", "", page, flags=re.S)
    )
    return (
        f"accepted, and says {found.string[max(0, found.start() - 60) : found.end() + 20]!r}"
        if result.code == 0 and found
        else ""
    )


def sweep(folder: Path) -> Result:
    return bartizan("sweep", PIG, "--policy", "hold", "--policy", "random", "--games", GAMES, "-o", folder)


def report(folder: Path) -> tuple[Result, str]:
    page = folder.parent / "page.md"
    page.unlink(missing_ok=True)
    result = bartizan("report", folder, "-o", page)
    return result, page.read_text(encoding="utf-8") if page.exists() else ""


def damaged(damage: Damage, good: Path, folder: Path) -> list[str]:
    """What is wrong with what the tool makes of a damaged copy of a good folder: at `report`, at `verify`, and after the same sweep was run again."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(good, folder)
    right = report(folder)[1]
    name, spoil = damage
    spoil(folder)
    found = []
    result, page = report(folder)
    found += [f"report: {wrong}" for wrong in [wrong_with(result)] if wrong]
    if page and page != right and "sweep is incomplete" not in page:  # of an unfinished sweep it says how far it is
        found.append("report: a wrong page")
    found += [f"verify: {wrong}" for wrong in [wrong_with(bartizan("verify", folder))] if wrong]
    again = sweep(folder)
    found += [f"sweep: {wrong}" for wrong in [wrong_with(again)] if wrong]
    if again.code == 0:
        found += _not_mended(good, folder, right)
    return [f"{name}: {wrong}" for wrong in found]


def _not_mended(good: Path, folder: Path, right: str) -> Iterator[str]:
    result, page = report(folder)
    if result.code != 0 or page != right:
        yield f"after the sweep: another page {result.err.strip()[:200]}"
    there, wanted = tree(folder), tree(good)
    if any(there.get(name) != data for name, data in wanted.items()):
        yield f"after the sweep: other files {[name for name in wanted if there.get(name) != wanted[name]]}"
