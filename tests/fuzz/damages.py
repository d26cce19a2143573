"""What can happen to a results folder: files cut, emptied, lost, flipped, swapped, copied, edited."""

import json
import random
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

Damage = tuple[str, Callable[[Path], object]]
EDITS = {
    "seed": 2, "level": 0.5, "title": "Hog", "game": "hog", "behaviour": 99, "precision": 0.01, "alike": True, "shard_games": 5, "schema": "bartizan.sweep/9",
    "command": 5, "versions": [], "cells": [], "game_as_named": "nowhere.py", "scenario_as_named": 5, "source_hash": "x", "rules_source": None, "claims": 5,
}  # fmt: skip
CELL_EDITS = {
    "difficulty": "elite", "policies": [], "games": 5, "tiers": {"Gold": 1}, "end_reasons": {}, "id": "other", "scenario": "x", "scenario_hash": "0", "set": {"goal.points": 5},
    "labels": [], "nulls": {"turn": 1}, "columns": {}, "assumed": -1, "confidence": 5, "reporting": {}, "changes": [{"path": "x"}], "names": 5, "unknown": 1,
}  # fmt: skip


def damages(seed: int, flips: int = 44) -> Iterator[Damage]:
    """As (name, what does it to a folder). flips: of single bits, half of them in footers."""
    for name in ("manifest.json", "SHA256SUMS", "cells/random/00001.parquet", "cells/hold/00000.parquet"):
        yield f"{name}: deleted", lambda folder, name=name: (folder / name).unlink()
        yield f"{name}: a folder", lambda folder, name=name: ((folder / name).unlink(), (folder / name).mkdir())
        for what, content in {
            "emptied": b"",
            "text": b"years of work",
            "binary": bytes(range(256)) * 4,
            "a list": b"[]",
            "nested": b"[" * 9999,
        }.items():
            yield f"{name}: {what}", lambda folder, name=name, content=content: (folder / name).write_bytes(content)
        for share in (0.1, 0.5, 0.9, 0.999):
            yield f"{name}: cut at {share}", lambda folder, name=name, share=share: _cut(folder / name, share)
    for key, value in EDITS.items():
        yield (
            f"manifest: {key}",
            lambda folder, key=key, value=value: _edit(folder, lambda said: said.update({key: value})),
        )
        yield f"manifest: no {key}", lambda folder, key=key: _edit(folder, lambda said: said.pop(key, None))
    for key, value in CELL_EDITS.items():
        yield (
            f"cell: {key}",
            lambda folder, key=key, value=value: _edit(folder, lambda said: said["cells"][0].update({key: value})),
        )
    yield from _moved()
    luck = random.Random(seed)
    for number in range(flips):
        yield f"bit {number}", partial(_flip, draw=luck.random(), bit=luck.randrange(8), foot=number % 2 == 0)


def _moved() -> Iterator[Damage]:
    one, other, next_one = "cells/hold/00000.parquet", "cells/random/00000.parquet", "cells/hold/00001.parquet"
    yield "a shard copied over another", lambda folder: shutil.copy(folder / one, folder / next_one)
    yield "a shard of another cell", lambda folder: shutil.copy(folder / other, folder / one)
    yield "two shards swapped", lambda folder: _swap(folder / one, folder / next_one, folder)
    yield "shards of two cells swapped", lambda folder: _swap(folder / one, folder / other, folder)
    yield "two cells swapped", lambda folder: _swap(folder / "cells/hold", folder / "cells/random", folder)
    yield "a further shard", lambda folder: shutil.copy(folder / one, folder / "cells/hold/00003.parquet")
    yield "a cell lost", lambda folder: shutil.rmtree(folder / "cells/hold")
    yield "a further cell", lambda folder: shutil.copytree(folder / "cells/hold", folder / "cells/other")
    yield "a line of SHA256SUMS lost", lambda folder: _lines(folder / "SHA256SUMS", lambda lines: lines[1:])
    yield "lines of SHA256SUMS swapped", lambda folder: _lines(folder / "SHA256SUMS", lambda lines: lines[::-1])
    yield "a stray file", lambda folder: (folder / "cells/hold/notes.txt").write_text("x")
    yield "a left-over", lambda folder: (folder / "cells/hold/.00000.parquet.99999999.tmp").write_text("x")


def _cut(path: Path, share: float) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])


def _edit(folder: Path, change: Callable[[dict], object]) -> None:
    path = folder / "manifest.json"
    said = json.loads(path.read_text())
    change(said)
    path.write_text(json.dumps(said, indent=2, sort_keys=True))


def _flip(folder: Path, draw: float, bit: int, foot: bool) -> None:
    path = folder / "cells/random/00000.parquet"
    data = bytearray(path.read_bytes())
    first = len(data) - 3000 if foot else 0
    data[first + int(draw * (len(data) - first))] ^= 1 << bit
    path.write_bytes(bytes(data))


def _swap(one: Path, other: Path, folder: Path) -> None:
    one.rename(folder / "aside")
    other.rename(one)
    (folder / "aside").rename(other)


def _lines(path: Path, change: Callable[[list[str]], list[str]]) -> None:
    path.write_text("".join(change(path.read_text().splitlines(keepends=True))))
