"""Answers that stay beside a sweep's games, for its report: what can be kept, and under which name."""

import json
import re
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from bartizan.reports.answers.answer import json_file, plain
from bartizan.simcore.errors import UsageError
from bartizan.simcore.game import Game
from bartizan.simcore.sweep.manifest import versions
from bartizan.simcore.sweep.store import KEPT_SCHEMA, MANIFEST, keep, refuse_unfit

PLAYED = ("scenario_hash", "policies", "policy_weights")
# kind of answer -> what of its document makes the question: another answer to the same one takes its place
QUESTIONS: dict[str, Callable[[Mapping], list]] = {
    "losses": lambda d: [*_of(d, *PLAYED), d["seat"]],
    "luck": lambda d: _of(d, *PLAYED),
    "ladder": lambda d: [
        *_of(d, "scenario_hashes", "roles"),
        [[player["policy"], player["weights"]] for player in d["players"]],
    ],
    "tune": lambda d: _of(d, *PLAYED, "target", "knob", "knobs", "range"),
    "coverage": lambda d: [*_of(d, *PLAYED), [row["path"] for row in d["changed"]]],
    "steps": lambda d: [*_of(d["a"], *PLAYED), [step["set"] for step in d["steps"]]],
    "playtest-skill": lambda d: [
        *_of(d, "scenario_hashes", "scenario_hash", "policy", "policies"),
        Path(d["folder"]).name,
    ],
    "sensitivity": lambda d: [*_of(d, *PLAYED, "range"), [knob["path"] for knob in d["knobs"]]],
}
CLOCK = {
    "seconds",
    "games_per_second",
    "multiplier_per_second",
    "jobs",
}  # what the computer did, not the game
LETTERS = 48  # of a name, before what makes it unique


def _of(d: Mapping, *keys: str) -> list:
    return [d.get(key) for key in keys]


def place_of(out: Path | None, kind: str, game: Game, asked: str) -> Callable[[Mapping], Path] | None:
    """What writes a document into a .json file, or keeps it in a folder; None: nowhere. A place that is no
    good is refused before anything is played. asked: the command line.
    """
    if out is None:
        return None
    if out.suffix == ".json" and not out.is_dir():
        return json_file(out)
    if out.suffix[1:].isalpha() and not out.exists():
        raise UsageError(f"-o {out}: name a .json file, or the folder of a sweep")
    return folder_of(out, kind, game, asked)


def next_report(out: Path | None) -> str:
    """What shows an answer that was kept; "" of a .json file."""
    if out is None or not out.is_dir():
        return ""
    if (out / MANIFEST).exists():
        return f"; show it with: bartizan report {out}"
    return f"; a report shows it beside games: play them with bartizan sweep GAME -o {out}"


def folder_of(out: Path, kind: str, game: Game, asked: str) -> Callable[[Mapping], Path]:
    """The same where only a folder will do."""
    refuse_unfit(out, game.name)
    return lambda document: keep(out, name_of(kind, document), kept(kind, game, asked, document))


def kept(kind: str, game: Game, asked: str, document: Mapping) -> dict:
    """A document with the command that made it. Nothing in it depends on time, threads or the folder."""
    found = _without_clock(plain(document))
    seed = found.get("seed", found.get("a", {}).get("seed"))
    return {
        "schema": KEPT_SCHEMA,
        "kind": kind,
        "command": asked,
        "versions": versions(),
        "game": game.name,
        "behaviour": game.behaviour,
        "seed": seed,
        "answer": found,
    }


def name_of(kind: str, document: Mapping) -> str:
    """`losses-veteran-garrison-1f3a5c7e`: the same for the same question, whatever the number of games."""
    one = plain(document)
    question = json.dumps(QUESTIONS[kind](one), sort_keys=True)
    about = one.get("a", one)
    # a ladder has neither one level nor one line-up, and people meet several levels
    levels = [level] if isinstance(level := about.get("difficulty"), str) else []
    players = dict.fromkeys(about.get("policies", [about.get("policy", "")]))
    said = " ".join([kind, *levels, *players])
    slug = re.sub(r"[^a-z0-9]+", "-", said.lower())[:LETTERS].strip("-")
    return f"{slug}-{sha256(question.encode()).hexdigest()[:8]}"


def _without_clock(it: Any) -> Any:
    if isinstance(it, dict):
        return {key: _without_clock(value) for key, value in it.items() if key not in CLOCK}
    return [_without_clock(one) for one in it] if isinstance(it, list) else it
