"""`new`: write a template of a game or policy that runs unchanged, or write the skill for assistants."""

import json
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from string import Template

from bartizan import reports
from bartizan.api.answers.refresh import fetch
from bartizan.api.answers.skill_texts import install
from bartizan.policies.request import name_in_commands
from bartizan.simcore.documentation import page
from bartizan.simcore.errors import UsageError, did_you_mean
from bartizan.simcore.files import quoted, writing
from bartizan.simcore.game import Game, load_game
from bartizan.simcore.scenario.parameters import unit_of
from bartizan.simcore.sheets import WORKBOOKS
from bartizan.simcore.short.card_sheet import POINTS_HEADINGS, column_of
from bartizan.simcore.short.card_table import COPIES, CardSheet, SheetError
from bartizan.simcore.short.components import Deck
from bartizan.simcore.short.reading import readable_columns
from bartizan.simcore.short.writing import written_out

TEMPLATES = Path(reports.__file__).parent / "templates"
KINDS = ("game", "policy", "skill")
SHEETS = (".csv", ".tsv", ".txt", *WORKBOOKS, ".xls", ".ods", ".json")


def new(
    kind: str, name: str, game: str | None = None, source: str | None = None, is_long: bool = False
) -> Iterator[str]:
    """Write a template, and yield the names of the files and the next commands.

    game: the game of a new policy. source: a short game to convert to the full form, or a sheet of cards (a
    file or its link) for a new short game. is_long: whether a new game has the full form. Existing files are
    not overwritten.
    """
    if kind not in KINDS:
        raise UsageError(f"new {kind}: no such kind of file{did_you_mean(kind, KINDS)}")
    for flag, is_given, of in (
        ("--game", game is not None, "policy"),
        ("--from", source is not None, "game"),
        ("--long", is_long, "game"),
    ):
        if is_given and kind != of:
            raise UsageError(f"new {kind}: {flag} is only for: bartizan new {of}; remove {flag}")
    if kind == "skill":
        yield from install(Path(name) if name else None)
        return
    if not name:
        raise UsageError(f"new {kind}: no name given; write, for example: bartizan new {kind} my_{kind}")
    given, name = name, re.sub(r"[ -]+", "_", name.removesuffix(".py").lower())  # "My Game" is my_game.py
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise UsageError(f'new {kind} "{given}": use lower-case letters, digits and _, such as my_{kind}')
    if kind == "game":
        is_link = bool(source and source.startswith("https://"))
        is_sheet = is_link or bool(source and Path(source).suffix.lower() in SHEETS)
        if is_sheet and is_long:
            why = "a game that starts from a sheet of cards has the short form"
            then = f"bartizan new game {name}_long --from {name}.py"
            raise UsageError(f"new game {name}: {why}; remove --long, and convert the game later: {then}")
        if source and is_link:
            path, sheet = _free_path("game", name), Path(f"{name}.csv")
            yield fetch(source, sheet)
            yield from _new_card_game(path, sheet, source)
        elif source and not Path(source).is_file():
            raise UsageError(
                f"--from {source}: no such file; give a card list (such as .csv or .xlsx), its https link, "
                "or the .py file of a short game"
            )
        elif source and is_sheet:
            yield from _new_card_game(_free_path("game", name), Path(source))
        else:
            yield from _new_game(name, source) if source or is_long else _new_short_game(name)
    elif game is None:
        raise UsageError(f"new policy {name}: no game given; add --game, such as --game itter")
    else:
        yield from _new_policy(name, load_game(game))


def _new_short_game(name: str) -> Iterator[str]:
    path = _free_path("game", name)
    yield _write(path, "skeleton_short_game", {"title": _title(name)})
    yield f"next: bartizan run {path}"
    yield f"      bartizan check {path}"


def _new_card_game(path: Path, sheet: Path, link: str = "") -> Iterator[str]:
    """Write a short game that deals and plays the cards of a sheet by minimal rules.

    Yields the lines of the message. link: link of the sheet, if it was fetched.
    """
    beside = Path(os.path.relpath(sheet)).as_posix()
    try:
        table, scales = _table(beside)
    except OSError as error:
        raise UsageError(f"--from {sheet}: {error.strerror}") from error
    except ValueError as error:
        raise UsageError(f"--from {error}") from error
    columns = readable_columns(table)
    cards = sum(row[COPIES] for row in table.rows)
    points = next((column for column in map(column_of, POINTS_HEADINGS) if column in columns), "")
    todo = "  # TODO: no column of points was found; write what the card scores, such as n.COLUMN[card]"
    ends = "the deck is empty" if points else "the deck is empty: no scoring yet (TODO)"
    scale = scales.get(points, 1)
    given = [f'"{beside}"', *[f'link="{link}"'] * bool(link), *[f"scale={json.dumps(scales)}"] * bool(scales)]
    words = {
        "title": _title(path.stem),
        "sheet": sheet.name,
        "deck": ", ".join(given),
        "score_scale": f"\nscore_scale = {scale}  # rules count {unit_of(scale)}" if scale > 1 else "",
        "columns": f"  # n.{'[card], n.'.join(columns)}[card]" if columns else "",
        "held": max(1, min(5, cards // 4)),
        "most": max(1, cards // 2),
        "ends": ends,
        "worth": f"n.{points}[card]" if points else f"1{todo}",
    }
    yield _write(path, "skeleton_card_game", {key: str(value) for key, value in words.items()})
    yield from table.notes
    for column in scales:
        yield f"{sheet.name}: {table.headings[column]!r} has decimals: rules read {unit_of(scales[column])}"
    yield from (why for why in table.unread.values() if "contains decimals" in why)
    if points:
        yield f"{sheet.name}: points are read from {table.headings.get(points, points)!r}"
    else:
        yield (
            f"{sheet.name}: no column of points, so each card scores 1 and all games end alike (a draw, or a "
            f"win of whoever plays a card more); edit the line with TODO in {path} before you read a result"
        )
    yield f"next: bartizan run {path}"
    yield f"      bartizan check {path}"
    if link:
        yield f"      bartizan check {path} --refresh: fetch the sheet again"


def _table(beside: str) -> tuple[CardSheet, dict[str, int]]:
    """Return a sheet of cards, and the scales of its columns with decimals. Raises SheetError and OSError."""
    table = Deck(beside).table(Path())
    with suppress(SheetError):  # more decimals than any scale has
        return Deck(beside, scale=table.scales).table(Path()), table.scales
    return table, {}


def _free_path(kind: str, name: str) -> Path:
    path = Path(f"{name}.py")
    if path.exists():
        raise UsageError(f"new {kind} {name}: {path} already exists; choose another name")
    return path


def _new_game(name: str, short: str | None) -> Iterator[str]:
    """Write a game in the full form into its own folder: the skeleton, or a converted short game.

    Yields the lines of the message.
    """
    folder, words = Path(name), {"name": name, "title": _title(name), "page": page("adding-a-game")}
    if folder.exists():
        raise UsageError(f"new game {name}: {folder} already exists; choose another name")
    files = {folder / f"{name}.py": "skeleton_game", folder / "scenarios/standard.toml": "skeleton_scenario"}
    if short:
        for path, text in zip(files, written_out(Path(short), name), strict=True):
            yield _write_text(path, text)
    else:
        for path, template in files.items():
            yield _write(path, template, words)
    file = quoted(folder / f"{name}.py")
    yield f"next: bartizan run {file}"
    yield f"      bartizan check {file}"


def _new_policy(name: str, game: Game) -> Iterator[str]:
    path, command = _free_path("policy", name), quoted(name_in_commands(game))
    # constant -> kind of action; a game without named kinds gets one constant for all actions
    acts = game.compiled.acts or {"any": 0}
    kinds = {re.sub(r"\W", "_", kind).upper(): number for kind, number in acts.items()}
    roles = () if game.alike or len(game.roles) == 1 else game.roles[:1]
    policy = f"{roles[0]}={path}" if roles else str(path)
    yield _write(
        path,
        "skeleton_policy",
        {
            "name": name,
            "constant": name.upper(),
            "title": _title(name),
            "page": page("adding-a-policy"),
            "game": game.title,
            "command": command,
            "policy": policy,
            "kinds": f"{', '.join(kinds)} = {', '.join(map(str, kinds.values()))}  # kinds of action\n"
            f"ARGUMENTS = {game.compiled.arguments}  # an action is kind * ARGUMENTS + argument\n",
            "kind": list(kinds)[-1],
            "roles": f"\n    roles={roles!r}," if roles else "",
        },
    )
    yield f"next: bartizan run {command} --policy {policy} --games 2000"
    yield f"      bartizan check {command} --policy {path}"


def _title(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _write(path: Path, template: str, words: dict[str, str]) -> str:
    text = (TEMPLATES / f"{template}.txt").read_text(encoding="utf-8")
    return _write_text(path, Template(text).substitute(words))


def _write_text(path: Path, text: str) -> str:
    with writing(str(path)):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return f"wrote {path}"
