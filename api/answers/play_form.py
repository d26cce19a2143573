"""`playtest form`: what to write down of a play, to print or as a sheet."""

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bartizan.analyses.people.log import endings_of, words_of
from bartizan.api.answer import Answer
from bartizan.api.files import writing
from bartizan.api.questions.playtest import FormQuestion
from bartizan.api.reading import path_of
from bartizan.reports.study import study
from bartizan.reports.views import play_form as views
from bartizan.simcore.errors import UsageError
from bartizan.simcore.files import write_atomic
from bartizan.simcore.game import load_game
from bartizan.simcore.scenario.loading import load_scenario
from bartizan.simcore.sweep.store import open_sweep

SUFFIXES = (".csv", ".md", ".html")


def form(question: FormQuestion) -> Answer:
    """The form of a game; written to a file where one is named."""
    named, out, says = str(question.name), path_of(question.out), path_of(question.says)
    if out is not None and out.suffix not in SUFFIXES:
        raise UsageError(f"-o {out}: name a {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]} file")
    document = _document(named)
    if says is not None:
        document["simulator_says"] = _said(says, document["game"])
    if out is not None:
        if out.exists():
            raise UsageError(f"-o {out}: is there already, perhaps filled in; choose another name")
        with writing(f"-o {out}"):
            write_atomic(out, _content(document, out.suffix).encode())
        document["file"] = str(out)
    lines = [f"{out}: the form for {document['title']}"] if out else list(views.lines(document))
    words = ["bartizan", "playtest", "import", _filled(out), "--game", named, "-o", "plays"]
    following = f"Next: write plays into {_filled(out)}, a row for each player, then: {shlex.join(words)}"
    return Answer(document, lambda: lines, hints=["", following])


def _said(folder: Path, game: str) -> dict[str, Any]:
    """What the column of the simulator holds."""
    sweep = open_sweep(folder)
    if sweep.manifest["game"] != game:
        raise UsageError(f"--says {folder}: is a sweep of {sweep.manifest['game']}, not of {game}")
    return views.says(study(sweep), str(folder))


def _filled(out: Path | None) -> str:
    return str(out) if out is not None and out.suffix == ".csv" else "FILE.csv"


def _document(named: str) -> dict[str, Any]:
    game, words = load_game(named), words_of(named)
    document: dict[str, Any] = {
        "schema": "bartizan.playtest.form/1",
        "game": words.name,
        "title": load_scenario(game).model.title,
        "levels": list(words.levels),
        "roles": list(words.roles),
        "endings": list(endings_of(named)),
        "players": max(views.ROWS, len(words.roles)),
        "columns": list(views.COLUMNS),
    }
    return document | {"fields": views.fields(document)}


def _content(document: Mapping[str, Any], suffix: str) -> str:
    if suffix == ".csv":
        return ",".join(document["columns"]) + "\n"
    return views.page(document) if suffix == ".html" else "\n".join(views.lines(document)) + "\n"
