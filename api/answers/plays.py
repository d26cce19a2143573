"""`playtest import`, `template` and `form`: plays by people, from files into a folder; their form."""

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from bartizan.analyses.people.cells import read_sheet
from bartizan.analyses.people.log import endings_of, words_of
from bartizan.analyses.people.mapping import read_mapping, template_of
from bartizan.analyses.people.readers import kind_of, read_plays
from bartizan.analyses.people.store import Plays, account
from bartizan.api.answer import Answer
from bartizan.api.questions import playtest as questions
from bartizan.api.reading import path_of, paths_of
from bartizan.reports.study import study
from bartizan.reports.views import play_form as form_views
from bartizan.reports.views import plays as views
from bartizan.simcore.errors import UsageError
from bartizan.simcore.files import updating, write_atomic, writing
from bartizan.simcore.game import game_names, load_game
from bartizan.simcore.scenario.loading import load_scenario
from bartizan.simcore.sweep.store import open_sweep

MOST_SHOWN = 8  # words to be moved, on the screen


def bring_in(question: questions.ImportQuestion) -> Answer:
    """Read files of plays into a folder. Nothing is written where one of them cannot be read."""
    files, out = paths_of(question.files), Path(question.out)
    game = str(question.game) if question.game else None
    meanings = read_mapping(Path(question.mapping)) if question.mapping else None
    if game:
        words_of(game)  # one that there is not is refused first
    drafts = [(read_plays(file, game, meanings), file.read_bytes()) for file in files]
    with updating(out), writing(f"-o {out}"):
        plays = Plays(out)
        accounts = [account(plays.add(draft, data, question.replace)) for draft, data in drafts]
        plays.save()
    folder = _folder(out, plays.log)
    document = {"schema": "bartizan.playtest.import/1", "files": accounts, "folder": folder}
    fill = f"Next: write plays into {shlex.join(map(str, files))}, then the same line again"
    known = [each["game"] for each in folder["games"] if each["game"] in game_names()]
    about = game or next(iter(known), None)
    hints: Sequence[str] = ()  # nothing where no game in it is known
    if not folder["plays"]:
        hints = ["", fill]
    elif all(each["game"] is None for each in folder["games"]):
        hints = ["", "Next: the same line again with --game GAME (which there are: bartizan games)"]
    elif about is not None:
        words = ["bartizan", "playtest", "skill", about, "--plays", folder["path"]]
        hints = ["", f"Next: {shlex.join(words)}"]
    return Answer(document, lambda: views.lines(document), rows=lambda: plays.log.lazy(), hints=hints)


def _folder(out: Path, log: pl.DataFrame) -> dict[str, Any]:
    kept = log.filter(pl.col("kept"))
    names = kept["game"].unique(maintain_order=True)
    games = []
    for name in names:
        rows = kept.filter(pl.col("game").eq_missing(pl.lit(name)))
        own = rows.unique("play_id", keep="first", maintain_order=True)
        levels = Counter(level or "no level" for level in own["level"])
        games.append({"game": name, "plays": own.height, "levels": dict(levels.most_common())})
    return {
        "path": str(out),
        "plays": kept["play_id"].n_unique(),
        "people": kept["player_key"].drop_nulls().n_unique(),
        "seats": kept.height,
        "games": games,
    }


def template(question: questions.TemplateQuestion) -> Answer:
    """Write a mapping for a sheet, with what its headings and words may mean."""
    file, out = Path(question.file), Path(question.out)
    game = str(question.game) if question.game else None
    if kind_of(file) != "sheet":
        way = f"bartizan playtest import {file} -o plays"
        raise UsageError(f"{file}: needs no mapping for its columns; {way}")
    if out.suffix != ".toml":
        raise UsageError(f"-o {out}: name a .toml file")
    if out.exists():
        raise UsageError(f"-o {out}: is there already, perhaps with words you moved; choose another name")
    text, guessed = template_of(read_sheet(file), words_of(game) if game else None, game)
    with writing(f"-o {out}"):
        write_atomic(out, text.encode())
    document = {"schema": "bartizan.playtest.template/1", "file": str(out), **guessed}
    named = ["--game", game or "GAME", "-o", "plays"]
    words = ["bartizan", "playtest", "import", str(file), "--mapping", str(out), *named]
    return Answer(document, lambda: _template_lines(document), hints=["", f"Next: {shlex.join(words)}"])


def _template_lines(d: Mapping[str, Any]) -> Sequence[str]:
    guessed = f"{len(d['columns'])} of {d['headings']} columns guessed"
    lines = [f"{d['file']}: {guessed}; read it before you import"]
    lines += [f"  {field:<10} {', '.join(headings)}" for field, headings in d["columns"].items()]
    if d["unused"]:
        lines.append(f"  not used   {', '.join(d['unused'])}")
    for field, texts in d["unknown"].items():
        more = f" and {len(texts) - MOST_SHOWN} more, in the file" if len(texts) > MOST_SHOWN else ""
        lines.append(f"  move       [values.{field}] {', '.join(texts[:MOST_SHOWN])}{more}")
    return lines


# ---------------------------------------------------------------- the form


SUFFIXES = (".csv", ".md", ".html")


def form(question: questions.FormQuestion) -> Answer:
    """The form of a game; written to a file where one is named."""
    named, out, says = str(question.name), path_of(question.out), path_of(question.says)
    if out is not None and out.suffix not in SUFFIXES:
        raise UsageError(f"-o {out}: name a {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]} file")
    game, words = load_game(named), words_of(named)
    document: dict[str, Any] = {
        "schema": "bartizan.playtest.form/1",
        "game": words.name,
        "title": load_scenario(game).model.title,
        "levels": list(words.levels),
        "roles": list(words.roles),
        "endings": list(endings_of(named)),
        "players": max(form_views.ROWS, len(words.roles)),
        "columns": list(form_views.COLUMNS),
    }
    document["fields"] = form_views.fields(document)
    if says is not None:
        sweep = open_sweep(says)
        if sweep.manifest["game"] != words.name:
            raise UsageError(f"--says {says}: is a sweep of {sweep.manifest['game']}, not of {words.name}")
        document["simulator_says"] = form_views.says(study(sweep), str(says))
    if out is not None:
        if out.exists():
            raise UsageError(f"-o {out}: is there already, perhaps filled in; choose another name")
        with writing(f"-o {out}"):
            write_atomic(out, _content(document, out.suffix).encode())
        document["file"] = str(out)
    lines = [f"{out}: the form for {document['title']}"] if out else list(form_views.lines(document))
    sheet = str(out) if out is not None and out.suffix == ".csv" else "FILE.csv"
    command = shlex.join(["bartizan", "playtest", "import", sheet, "--game", named, "-o", "plays"])
    following = f"Next: write plays into {sheet}, a row for each player, then: {command}"
    return Answer(document, lambda: lines, hints=["", following])


def _content(document: Mapping[str, Any], suffix: str) -> str:
    if suffix == ".csv":
        return ",".join(document["columns"]) + "\n"
    return form_views.page(document) if suffix == ".html" else "\n".join(form_views.lines(document)) + "\n"
