"""Good files with one to three things changed: keys lost, doubled or renamed, other types, numbers past every edge, deep nests, long text, bytes.

A kind is (arguments of a command, written for a spoiled copy); the same seed spoils the same way.
"""

import json
import random
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from bartizan.policies.weights_file import text_of
from bartizan.simcore.files import file_digest
from tests.cli.run_cli import PIG, ROOT, RUIN, bartizan
from tests.fuzz.inputs import GAMES, Raw, document
from tests.play_logs import GERMAN, LOGS

NESTED: Any = 1
for _ in range(300):
    NESTED = [NESTED]
VALUES: list[Any] = [
    *(None, True, False, 0, 1, -1, 2, 1e-320, 0.5, -0.0, 1e308, -1e308, 10**30, -(10**19), 2**63, 2**31),
    *(float("nan"), float("inf"), float("-inf"), "", "x", "0", "nan", "é\u202e\u0000", "\ud800", "y" * 50_000, "../../etc/passwd", "/dev/zero", "<script>alert(1)</script>"),
    *([], [[]], [None], {}, {"": {}}, {"a": None}, [1, "a", {}], NESTED),
]  # fmt: skip


def rooms(data: Any) -> Iterator[tuple[Any, Any]]:
    """(container, key) of everything inside."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in list(items):
        yield data, key
        yield from rooms(value)


def spoil(data: Any, luck: random.Random) -> Any:
    """A copy of a document with one to three changes."""
    data = json.loads(json.dumps(data))
    for _ in range(luck.choice([1, 1, 2, 3])):
        where = list(rooms(data))
        if not where:
            return luck.choice(VALUES)
        room, key = luck.choice(where)
        how = luck.random()
        if how < 0.5:
            room[key] = luck.choice(VALUES)
        elif how < 0.7:
            del room[key]
        elif how < 0.8 and isinstance(room[key], (int, float)):
            room[key] = luck.choice([-room[key], room[key] * 1e9, room[key] + 0.5, str(room[key])])
        elif isinstance(room, dict):
            room[luck.choice(["x", key + "x", key.upper()])] = room.pop(key)
        else:
            room.extend(room[:2] * luck.choice([1, 50]))
    return data


def flipped(data: bytes, luck: random.Random) -> bytes:
    """Bytes changed, cut out, put in."""
    data = bytearray(data)
    for _ in range(luck.choice([1, 1, 3, 20])):
        at, how = luck.randrange(len(data) or 1), luck.random()
        if how < 0.6 and data:
            data[at] ^= 1 << luck.randrange(8)
        elif how < 0.8:
            del data[at : at + luck.choice([1, 2, 40])]
        else:
            data[at:at] = luck.choice([b"\x00", b"\xff\xfe", b"[" * 3000, b"-", b"9" * 400, b"\n", b'"', "ß".encode()])
    return bytes(data)


def as_json(said: Any, luck: random.Random) -> bytes:
    """Spoiled as a document, or as bytes."""
    if luck.random() < 0.7:
        return json.dumps(spoil(said, luck)).encode()
    return flipped(json.dumps(said, indent=2).encode(), luck)


# ---------------------------------------------------------------- good files


@cache
def good() -> Path:
    """A sweep with an answer of each kind, two parts of one, and the weights of a policy."""
    root = Path(mkdtemp(prefix="bartizan-fuzz-"))
    asked: list[list[object]] = [
        ["sweep", RUIN, "--games", 60, "-o", root / "sweep"],
        ["ladder", RUIN, "--policy", "random", "--policy", "random:noise=0.5", "--games", 60, "-o", root / "sweep"],
        [
            "tune",
            RUIN,
            "--knob",
            "bets.goal=18:24",
            "--target",
            "win_rate=0.4",
            "--games",
            200,
            "--fresh",
            200,
            "--margin",
            "30pp",
            "-o",
            root / "sweep",
        ],
        ["coverage", RUIN, "--games", 60, "-o", root / "sweep"],
        ["run", RUIN, "--luck-adjusted", "--games", 60, "-o", root / "sweep"],
        ["losses", RUIN, "--games", 300, "--pilot", 10, "--rollouts", 200, "-o", root / "sweep"],
        *(["sweep", PIG, "--games", 70_000, "--shards", f"{n}/2", "-o", root / f"part{n}"] for n in (1, 2)),
    ]
    for command in asked:
        result = bartizan(*command)
        assert result.code == 0, result.err
    return root


def laid(folder: Path, *names: str) -> None:
    for name in names:
        shutil.copytree(good() / name, folder / name, dirs_exist_ok=True)


def signed_anew(folder: Path) -> None:
    """SHA256SUMS as if the spoiled files had been written so."""
    sums = folder / "SHA256SUMS"
    names = [line.partition("  ")[2] for line in sums.read_text().splitlines()]
    sums.write_text("".join(f"{file_digest(folder / name)}  {name}\n" for name in names))


# ---------------------------------------------------------------- kinds


def part(luck: random.Random, folder: Path) -> list[str]:
    laid(folder, "part1", "part2")
    file = folder / luck.choice(["part1", "part2"]) / luck.choice(["part.json", "part.json", "manifest.json"])
    file.write_bytes(as_json(json.loads(file.read_text()), luck))
    return luck.choice(
        [
            ["merge", "part1", "part2", "-o", "out"],
            ["merge", "part1", "part2", "-o", "out"],
            ["report", "part1", "-o", "p.md"],
            ["sweep", PIG, "--games", "70000", "--shards", "1/2", "-o", "part1"],
        ]
    )


def kept(luck: random.Random, folder: Path) -> list[str]:
    laid(folder, "sweep")
    file = luck.choice(sorted((folder / "sweep/answers").iterdir()))
    file.write_bytes(as_json(json.loads(file.read_text()), luck))
    signed_anew(folder / "sweep")
    return ["report", "sweep", "-o", luck.choice(["page.md", "page.html", "page.json"])]


def manifest(luck: random.Random, folder: Path) -> list[str]:
    laid(folder, "sweep")
    file = folder / "sweep/manifest.json"
    file.write_bytes(as_json(json.loads(file.read_text()), luck))
    signed_anew(folder / "sweep")
    return luck.choice(
        [
            ["report", "sweep", "-o", "page.md"],
            ["report", "sweep", "-o", "page.html"],
            ["export", "sweep", "-o", "rows.csv"],
            ["verify", "sweep"],
        ]
    )


def parquet(luck: random.Random, folder: Path) -> list[str]:
    """Bytes of a shard, or its table: columns lost, renamed, of another type; rows lost, values no game has."""
    laid(folder, "sweep")
    file = luck.choice(sorted((folder / "sweep").rglob("*.parquet")))
    if luck.random() < 0.5:
        file.write_bytes(flipped(file.read_bytes(), luck))
    else:
        pq.write_table(_other_table(pq.read_table(file), luck), file)
    signed_anew(folder / "sweep")
    return luck.choice(
        [
            ["report", "sweep", "-o", "page.md"],
            ["report", "sweep", "-o", "page.html"],
            ["export", "sweep", "-o", "rows.csv"],
            ["verify", "sweep"],
        ]
    )


def _other_table(table: pa.Table, luck: random.Random) -> pa.Table:
    at = luck.randrange(table.num_columns)
    name = table.column_names[at]
    ways: list[Callable[[], pa.Table]] = [
        lambda: table.drop_columns([name]),
        lambda: table.slice(0, luck.choice([0, 1, 59])),
        lambda: table.rename_columns([*table.column_names[:at], "other", *table.column_names[at + 1 :]]),
        lambda: table.set_column(at, name, pa.array([luck.choice(["x", "1"])] * table.num_rows)),
        lambda: table.set_column(at, name, pa.array([float("nan")] * table.num_rows)),
        lambda: table.set_column(at, name, pa.array([None] * table.num_rows, table.column(at).type)),
        lambda: table.set_column(
            at,
            name,
            pa.array([luck.choice([-1, -5, 99, 127])] * table.num_rows).cast(table.column(at).type, safe=False),
        ),
        lambda: table.replace_schema_metadata(
            {
                key: as_json(json.loads(value), luck) if key == b"bartizan.identity" else value
                for key, value in table.schema.metadata.items()
            }
        ),
    ]
    return luck.choice(ways)()


def weights(luck: random.Random, folder: Path) -> list[str]:
    data = {"policy": "hold", "weights": {"at": 20.0}, "progress": {"round": 3, "centre": [1.0, 2.0]}}
    text = text_of(data).encode()
    if luck.random() < 0.5:
        data["weights"]["at"] = Raw(
            luck.choice(
                [
                    "nan",
                    "inf",
                    "-inf",
                    "1e400",
                    "9" * 400,
                    "true",
                    '"20"',
                    "[]",
                    "-1e300",
                    "1_0",
                    "0x10",
                    "2026-01-01",
                    "{}",
                    "20.0\nat = 3",
                ]
            )
        )
        text = document(data).encode()
    else:
        text = flipped(text, luck)
    (folder / "w.toml").write_bytes(text)
    return ["run", PIG, "--games", "20", "--policy", "hold@w.toml"]


def scenario_(luck: random.Random, folder: Path) -> list[str]:
    """A scenario spoiled in its text."""
    game = luck.choice(list(GAMES))
    (folder / "odd.toml").write_bytes(flipped((ROOT / GAMES[game]).read_bytes(), luck))
    return luck.choice([["run", game, "--scenario", "odd.toml", "--games", "20"], ["check", "odd.toml"]])


def plan_(luck: random.Random, folder: Path) -> list[str]:
    text = f'game = "{PIG}"\ngames = 20\nseed = 1\npolicy = ["hold", "random"]\n[set]\n"goal.points" = [20, 30]\n[[claim]]\nband = [0.1, 0.9]\n'
    (folder / "plan.toml").write_bytes(flipped(text.encode(), luck))
    return ["sweep", "plan.toml", *luck.choice([["--dry-run"], ["-o", "out"]])]


def log(luck: random.Random, folder: Path) -> list[str]:
    """Exports spoiled as documents and as bytes, with a good mapping; or a good log with a spoiled mapping."""
    one = luck.choice(LOGS)
    data, mapping = one.content(), one.mapping or GERMAN
    if luck.random() < 0.3:
        mapping = flipped(mapping.encode(), luck).decode(errors="replace")
    elif isinstance(one.data, dict) and luck.random() < 0.8:
        data = json.dumps(spoil(one.data, luck)).encode()
    else:
        data = flipped(data, luck)
    (folder / one.file).write_bytes(data)
    (folder / "mapping.toml").write_text(mapping, encoding="utf-8", errors="replace")
    with_mapping = ["--mapping", "mapping.toml"] if luck.random() < 0.6 else []
    return [
        "playtest",
        "import",
        one.file,
        "-o",
        "plays",
        *with_mapping,
        *luck.choice([[], ["--game", one.game or "itter"]]),
    ]


MUTANTS = {
    "part file": part,
    "kept answer": kept,
    "manifest": manifest,
    "parquet": parquet,
    "weights": weights,
    "scenario text": scenario_,
    "plan text": plan_,
    "log": log,
}
MUTANT_COUNTS = {
    "part file": 200,
    "kept answer": 500,
    "manifest": 400,
    "parquet": 400,
    "weights": 200,
    "scenario text": 300,
    "plan text": 200,
    "log": 1000,
}
