"""`playtest import` and `playtest form`: import plays by people, and write the form for recording plays."""

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from bartizan.analyses.people.checks import OTHER_COUNT, other_count
from bartizan.analyses.people.log import endings_of, words_of
from bartizan.analyses.people.mapping import read_mapping, template_of
from bartizan.analyses.people.readers import kind_of, read_plays
from bartizan.analyses.people.sheet import read_sheet
from bartizan.analyses.people.store import Plays, account
from bartizan.api.answer import Answer
from bartizan.api.questions import playtest as questions
from bartizan.api.reading import path_of, paths_of, unused
from bartizan.reports.study import study
from bartizan.reports.views import play_form as form_views
from bartizan.reports.views import plays as views
from bartizan.simcore.errors import UsageError
from bartizan.simcore.files import quoted, updating, write_atomic, writing
from bartizan.simcore.game import Game, game_names, load_game
from bartizan.simcore.scenario.loading import load_scenario
from bartizan.simcore.sweep.store import open_sweep

MOST_SHOWN = 8  # maximum number of unknown words per field in the text


def answer_import(question: questions.ImportQuestion) -> Answer:
    """Import plays into a folder, or write a draft mapping if the output is a .toml file."""
    out = Path(question.out)
    if out.suffix != ".toml" or out.is_dir():
        return bring_in(question)
    file, *more = paths_of(question.files)
    if more or question.mapping or question.replace:
        raise UsageError(f"-o {out}: a draft mapping describes one sheet; give one file, without --mapping")
    return template(file, out, str(question.game) if question.game else None)


def bring_in(question: questions.ImportQuestion) -> Answer:
    """Read files of plays into a folder. Nothing is written if a file cannot be read."""
    files, out = paths_of(question.files), Path(question.out)
    game = str(question.game) if question.game else None
    meanings = read_mapping(Path(question.mapping)) if question.mapping else None
    if game:
        words_of(game)  # rejects an unknown game before the files are read
    drafts = [(read_plays(file, game, meanings), file.read_bytes()) for file in files]
    with updating(out), writing(f"-o {out}"):
        plays = Plays(out)
        accounts = [account(plays.add(draft, data, question.replace)) for draft, data in drafts]
        plays.save()
    folder = _folder(out, plays.log)
    document = {"schema": "bartizan.playtest.import/1", "files": accounts, "folder": folder}
    known = [each["game"] for each in folder["games"] if each["game"] in game_names()]
    mapped = meanings.playtest.game if meanings else ""
    for one in dict.fromkeys(filter(None, (game, mapped, *known))):
        _count_misfits(load_game(one), plays.log, folder)
    hints: Sequence[str] = ()  # none if no game in the folder is known
    if not any(each["records"] for each in accounts) and not folder["plays"]:
        fill = f"Next: write plays into {shlex.join(map(str, files))}, then run the same command again"
        hints = ["", fill]
    elif folder["plays"] and all(each["game"] is None for each in folder["games"]):
        hints = ["", "Next: run the same command again with --game GAME (bartizan describe lists them)"]
    elif about := game or mapped or next(iter(known), None):
        hints = _skill_next(about, plays.log, folder["path"])
    return Answer(document, lambda: views.lines(document), rows=plays.log.lazy, hints=hints)


def _skill_next(named: str, log: pl.DataFrame, folder: str) -> Sequence[str]:
    """Return lines with the command that analyses these plays; () if no play of the game can be analysed."""
    game = load_game(named)
    scenario = load_scenario(game)
    mine = log.filter(pl.col("kept") & (pl.col("game") == game.name) & (pl.col("result") != "unknown"))
    people: Sequence[str] = ()
    if len(game.roles_in(scenario)) == 1:
        mine = mine.filter(pl.lit(len(words_of(named).levels) == 1) | pl.col("level").is_not_null())
    elif game.alike and game.players_path:
        mine = mine.filter(pl.col("players").is_in(game.player_counts))
        usual = mine["players"].mode().sort().to_list()[:1]
        people = ["--players", str(usual[0])] if usual and usual[0] != len(game.roles_in(scenario)) else ()
    if mine.is_empty():
        return ()
    return ["", f"Next: {shlex.join(['bartizan', 'playtest', 'skill', named, '--plays', folder, *people])}"]


def _count_misfits(game: Game, log: pl.DataFrame, folder: dict[str, Any]) -> None:
    """Add to a folder's account the number of plays with a number of players that the game does not have."""
    counts = game.player_counts if game.players_path else (len(game.roles),)
    mine = log.filter(pl.col("kept") & (pl.col("game") == game.name))
    tables = [table.to_dicts() for _, table in mine.group_by("play_id")]
    misfits = sum(all(other_count(one, game, n) == OTHER_COUNT for n in counts) for one in tables)
    for each in folder["games"]:
        if each["game"] == game.name and misfits:
            each |= {"other_players": misfits, "players": list(counts)}


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


def template(file: Path, out: Path, game: str | None) -> Answer:
    """Write a draft mapping for a sheet, with the likely meaning of its headings and words.

    Raises UsageError if the sheet needs no mapping or the output file exists.
    """
    if kind_of(file) != "sheet":
        way = f"bartizan playtest import {quoted(file)} -o plays"
        raise UsageError(f"{file}: does not need a mapping; {way}")
    if out.suffix != ".toml":
        raise UsageError(f"-o {out}: use a .toml file")
    if out.exists():
        raise UsageError(f"-o {out}: already exists and may contain your corrections; choose another name")
    named = [*(["--game", game] if game else []), "-o", "plays"]
    words = ["bartizan", "playtest", "import", str(file), "--mapping", str(out), *named]
    following = shlex.join(words)
    text, guessed = template_of(read_sheet(file), words_of(game) if game else None, game, following)
    with writing(f"-o {out}"):
        write_atomic(out, text.encode())
    document = {"schema": "bartizan.playtest.template/1", "file": str(out), **guessed}
    return Answer(document, lambda: _template_lines(document), hints=["", f"Next: {following}"])


def _template_lines(d: Mapping[str, Any]) -> Sequence[str]:
    guessed = f"{d['headings'] - len(d['unused'])} of {d['headings']} columns guessed"
    lines = [f"{d['file']}: {guessed}; check the file before you import"]
    lines += [f"  {field:<10} {', '.join(headings)}" for field, headings in d["columns"].items()]
    if d["unused"]:
        lines.append(f"  not used   {', '.join(d['unused'])}")
    for field, count in d["to_move"].items():
        shown = d["unknown"][field][:MOST_SHOWN]
        more = count - len(shown)
        rest = [f"{more} word{'s' if more > 1 else ''} in the file"] if more else []
        lines.append(f"  sort       [values.{field}] {', '.join([*shown, *rest])}")
    return lines


# ---------------------------------------------------------------- the form


SUFFIXES = (".csv", ".md", ".html")


def form(question: questions.FormQuestion) -> Answer:
    """Return the play form of a game, and write it to a file if the question names one."""
    named, out, says = str(question.name), path_of(question.out), path_of(question.says)
    if out is not None and out.suffix not in SUFFIXES:
        raise UsageError(f"-o {out}: use a {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]} file")
    game, words = load_game(named), words_of(named)
    document: dict[str, Any] = {
        "schema": "bartizan.playtest.form/1",
        "game": words.name,
        "title": load_scenario(game).model.title,
        "levels": list(words.levels),
        "roles": list(words.roles),
        "endings": list(endings_of(named)),
        "players": max(form_views.ROWS, len(words.roles)),
        "unit": words.unit,
    }
    # the form asks for the place in turn order if seats are identical, or for the side
    sides = len(words.roles) > 1 and not words.has_places
    unasked = {column for column, asks in (("seat", words.has_places), ("role", sides)) if not asks}
    document["fields"] = form_views.fields(document, unasked)
    document["columns"] = [field["column"] for field in document["fields"]]
    if says is not None:
        sweep = open_sweep(says)
        if sweep.manifest["game"] != words.name:
            raise UsageError(
                f"--says {says}: this is a sweep of {sweep.manifest['game']}; choose a sweep of {words.name}"
            )
        document["simulator_says"] = form_views.says(study(sweep), str(says))
    if out is not None:
        if out.exists():
            raise UsageError(f"-o {out}: already exists and may be filled in; choose another name")
        with writing(f"-o {out}"):
            write_atomic(out, _content(document, out.suffix).encode())
        document["file"] = str(out)
    lines = [f"{out}: the form for {document['title']}"] if out else list(form_views.lines(document))
    if out is not None and out.suffix == ".csv":
        command = shlex.join(["bartizan", "playtest", "import", str(out), "--game", named, "-o", "plays"])
        following = f"Next: write plays into {out}, a row for each player, then: {command}"
    else:
        command = shlex.join(["bartizan", "playtest", "form", named, "-o", unused("form.csv")])
        following = f"Next: fill in the sheet, then:  {command}"
    return Answer(document, lambda: lines, hints=["", following])


def _content(document: Mapping[str, Any], suffix: str) -> str:
    if suffix == ".csv":
        return ",".join(document["columns"]) + "\n"
    return form_views.page(document) if suffix == ".html" else "\n".join(form_views.lines(document)) + "\n"
