"""What a hurried or hostile user may write: scenario files, plans, options. The same seed writes the same."""

import json
import random
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.cli.run_cli import PIG, ROOT, RUIN
from tests.play_logs import GERMAN, LOGS

CARDS = str(ROOT / "tests/games/highest_card/highest_card.py")
GAMES = {
    PIG: "examples/pig/scenarios/standard.toml",
    RUIN: "examples/ruin/scenarios/standard.toml",
    CARDS: "tests/games/highest_card/scenarios/standard.toml",
}
COUNTS = {"scenario": 400, "plan": 185, "policy": 110, "set": 203, "command": 310, "plays": 200}  # inputs of a full run

ODD = [
    *("0", "1", "-1", "-5", "2", "1.5", "-0.1", "nan", "inf", "-inf", "1e400", "99999999999999999999", "4294967297", "9223372036854775807", "true", "false", "True"),
    *('""', '"x"', '"1pp"', '"none"', '"random"', f'"{"y" * 5000}"', '"\\u2212"', '"../.."', "'''a\nb'''", "2026-01-01", "07:32:00", "1979-05-27T07:32:00Z"),
    *("[]", "[5]", '["a"]', "[[1]]", "[1, 2]", '["a", "a"]', "[{}]", "[1, 'a', {}]", "{}", "{ a = 1 }", "{ a = { b = [] } }", "{ source = 's', confidence = 'rulebook' }"),
    *("[" * 120 + "1" + "]" * 120, "{ a = " * 400 + "1" + " }" * 400, "[" * 3000),
]  # fmt: skip
WORDS = ["random", "hold", "hold:at=15", "bold", "timid", "garrison", "first=hold", "third=hold", "hold+random", "hold:", ":", "=", "+", "", ",", "omit=roll", "noise=0.5", "noise=2", "noise=nan", "hold:noise=nan", "hold:at=nan", "hold:at=1e999", "hold:at=", "hold:at=x", "hold:omit=roll", "hold:omit=", "restrict:hold", "x.py", "nowhere/x.py:name", ".py", "hold.py:", "é", "\u2212", "a" * 300, "*", "[v2]", "hold hold", "hold:at=1,at=2"]  # fmt: skip


def toml(value: Any) -> str:
    """A value in line. An odd one is written as it stands."""
    if isinstance(value, Raw):
        return value.text
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {toml(child)}" for key, child in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


class Raw:
    def __init__(self, text: str):
        self.text = text


def document(data: dict) -> str:
    return "".join(f"{json.dumps(key)} = {toml(value)}\n" for key, value in data.items())


def paths_of(data: dict, above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for key, value in data.items():
        yield (*above, key)
        if isinstance(value, dict):
            yield from paths_of(value, (*above, key))


def spoiled(data: dict, luck: random.Random, extra: list[str]) -> str:
    """The document with one to three changes: a value, a key, or a piece of the text."""
    data = json.loads(json.dumps(data))
    for _ in range(luck.choice([1, 1, 2, 3])):
        *rooms, last = luck.choice(list(paths_of(data)) or [("game",)])
        room = data
        for key in rooms:
            room = room[key]
        how = luck.random()
        if how < 0.6:
            room[last] = Raw(luck.choice(ODD))
        elif how < 0.7:
            room.pop(last, None)
        elif how < 0.8:
            room[last[:-1] + "x"] = room.pop(last, 1)
        else:
            data[luck.choice(extra)] = Raw(luck.choice(ODD))
        data = {key: value for key, value in data.items() if not isinstance(value, Raw)} | {
            key: value for key, value in data.items() if isinstance(value, Raw)
        }
        if any(isinstance(value, Raw) for value in _values(data)):
            break  # what is odd has no paths inside
    text = document(data)
    if luck.random() < 0.15:
        at = luck.randrange(len(text))
        text = text[:at] + luck.choice(["", "[", '"', "\x00", "\n[x]\n", "é"]) + text[at + luck.randrange(9) :]
    return text


def _values(data: dict) -> Iterator[Any]:
    for value in data.values():
        yield value
        if isinstance(value, dict):
            yield from _values(value)


def scenario(luck: random.Random, folder: Path) -> list[str]:
    game = luck.choice(list(GAMES))
    data = tomllib.loads((ROOT / GAMES[game]).read_text())
    extra = [
        "extends", "taken_over", "rulings", "ruling", "step", "change_cost", "levels", "difficulty",
        "schema_version", "sources", "reconstruction", "name", "game", "origins", "unknown",
    ]  # fmt: skip
    file = folder / "odd.toml"
    text = spoiled(data, luck, extra)
    if luck.random() < 0.1:
        text = luck.choice(
            [
                'extends = "odd.toml"\n',
                f"extends = {json.dumps(str(file))}\n",
                f"extends = {luck.choice(ODD)}\n",
                f'extends = "{Path(GAMES[game]).stem}"\nname = "mine"\n{luck.choice(list(data))} = {luck.choice(ODD)}\n',
            ]
        )
    file.write_text(text, encoding="utf-8")
    return luck.choice(
        [
            ["run", game, "--scenario", str(file), "--games", "20"],
            ["describe", game, "--scenario", str(file), "--knobs"],
            ["check", str(file)],
        ]
    )


def plan(luck: random.Random, folder: Path) -> list[str]:
    game = luck.choice([PIG, RUIN])
    path = {PIG: "goal.points", RUIN: "bets.win_per_mille"}[game]
    data = {
        "game": game,
        "games": 20,
        "seed": 1,
        "precision": 0.1,
        "policy": "random",
        "difficulty": "standard",
        "rotate": False,
        "set": {path: [20, 30]},
        "claim": [{"band": [0.1, 0.9]}],
    }
    if luck.random() < 0.4:
        data["cells"] = [{"policy": "random"}, {"set": {path: 40}}]
    text = spoiled(data, luck, ["scenario", "cells", "claim", "set", "rotate", "precision", "polcy", "title"])
    if "cells" in data and luck.random() < 0.5:
        text = (
            document({key: value for key, value in data.items() if key != "cells"})
            + f"[[cells]]\n{luck.choice(['polcy', 'games', 'seed', 'set', 'policy', 'scenario', 'rotate', 'precision'])} = {luck.choice(ODD)}\n"
        )
    file = folder / "plan.toml"
    file.write_text(text, encoding="utf-8")
    return ["sweep", str(file), *luck.choice([["--dry-run"], ["-o", str(folder / "out")]])]


def policy(luck: random.Random, _: Path) -> list[str]:
    said = luck.choice(["", ":", "+", ",", "="]).join(luck.sample(WORDS, luck.choice([1, 1, 2, 3])))
    return ["run", luck.choice([PIG, RUIN]), "--games", "20", f"--policy={said}"]


def set_(luck: random.Random, _: Path) -> list[str]:
    game = luck.choice(list(GAMES))
    data = tomllib.loads((ROOT / GAMES[game]).read_text())
    path = luck.choice(
        [
            *(".".join(path) for path in paths_of(data)),
            "",
            ".",
            "..",
            "x",
            "difficulty",
            "rulings",
            "rulings.x",
            "board.0.1",
        ]
    )
    value = luck.choice([*ODD, "[" * 2000, "x", "1,2", "=", "a=b"])
    return [
        luck.choice(["run", "describe", "trace"]),
        game,
        "--set",
        luck.choice([f"{path}={value}", path, f"={value}", f"{path} = {value}"]),
    ]


def command(luck: random.Random, folder: Path) -> list[str]:
    game = luck.choice([PIG, RUIN])
    odd = luck.choice([*ODD[:30], "", "x", "0.5pp", "25%", "a,b", "1:2", "-", "\u2212", "y" * 300])
    numbers = ["--games", "--seed", "--jobs", "--players", "--precision"]
    kinds: list[Callable[[], list[str]]] = [
        lambda: ["run", game, "--games", "20", f"{luck.choice(numbers)}={odd}"],
        lambda: ["run", game, "--games", "1", "--seed", str(luck.randrange(99)), *luck.choice([[], ["--json"]])],
        lambda: [
            "compare",
            game,
            "--games",
            "50",
            "--change",
            f"{luck.choice(['goal.points', 'bets.start', 'policy', 'difficulty', 'scenario'])}={odd}",
        ],
        lambda: [
            "compare",
            game,
            "--games",
            "50",
            "--change",
            "goal.points=50",
            luck.choice(["--test", "--margin", "--alpha", "--beta"]),
            odd,
        ],
        lambda: [
            "tune",
            game,
            "--games",
            "50",
            "--fresh",
            "50",
            "--knob",
            f"goal.points={odd}",
            "--target",
            luck.choice(["win_rate=0.5", f"turns={odd}", odd]),
        ],
        lambda: ["ladder", game, "--games", "50", luck.choice(["--noise", "--policy", "--difficulty", "--out"]), odd],
        lambda: ["trace", game, luck.choice(["--seed", "--game", "--policy", "--scenario", "--difficulty"]), odd],
        lambda: ["describe", luck.choice([game, odd, str(folder), "y" * 300]), *luck.choice([[], ["--scenario", odd]])],
        lambda: [
            luck.choice(["report", "verify"]),
            luck.choice([odd, str(folder), str(folder / "plan.toml"), f"{folder}/plan.toml/manifest.json", "y" * 300]),
        ],
        lambda: [
            "sensitivity",
            game,
            "--games",
            "50",
            "--decks",
            "2",
            luck.choice(["--range", "--path", "--top", "--settings"]),
            odd,
        ],
        lambda: [
            luck.choice(["policies", "games", "bands", "check", "cards", "rare", "doctors"]),
            *luck.choice([[], [odd], [game, odd]]),
        ],
        lambda: [
            "sweep",
            game,
            "--games",
            "20",
            luck.choice(["--set", "--difficulty", "--policy", "--precision", "--out"]),
            odd,
        ],
    ]
    return luck.choice(kinds)()


def plays(luck: random.Random, folder: Path) -> list[str]:
    """A log with its mapping, one of the two spoiled."""
    log = luck.choice(LOGS)
    data, mapping = log.content(), tomllib.loads(log.mapping or GERMAN)
    if luck.random() < 0.5:
        at = luck.randrange(len(data))
        data = data[:at] + luck.choice(ODD).encode() + data[at + luck.randrange(30) :]
    (folder / log.file).write_bytes(data)
    (folder / "mapping.toml").write_text(
        spoiled(mapping, luck, ["columns", "values", "playtest", "x"]), encoding="utf-8"
    )
    if luck.random() < 0.2:
        return [
            "playtest",
            "template",
            log.file,
            "-o",
            "new.toml",
            *luck.choice([[], ["--game", "itter"], ["--game", luck.choice(WORDS)]]),
        ]
    return [
        "playtest",
        "import",
        log.file,
        "-o",
        "plays",
        *luck.choice([[], ["--mapping", "mapping.toml"], ["--mapping", "mapping.toml", "--game", "itter"]]),
    ]


KINDS = {"scenario": scenario, "plan": plan, "policy": policy, "set": set_, "command": command, "plays": plays}
