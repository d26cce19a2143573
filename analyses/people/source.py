"""Which reader a file needs: a sheet, an export of BG Stats, or plays of BoardGameGeek."""

from collections.abc import Callable
from pathlib import Path

from bartizan.analyses.people import bgg, bgstats, spreadsheet
from bartizan.analyses.people.about import KnownGames
from bartizan.analyses.people.drafts import Drafts, How
from bartizan.analyses.people.mapping import PlayMapping, own_headings
from bartizan.analyses.people.sheet import read_sheet
from bartizan.simcore.errors import UsageError

MOST_BYTES = 200_000_000
MARKUP = ("<?xml", "<plays", "<div", "<html", "<!doctype", "<error")


def read_plays(path: Path, game: str | None, mapping: PlayMapping | None) -> Drafts:
    """What a file says. game: the one asked for; mapping: None for a sheet with the form's headings."""
    known_mapping = mapping or PlayMapping()
    game_asked_for = game or known_mapping.playtest.game or None
    games = KnownGames(game_asked_for, known_mapping.called())
    exports: dict[str, Callable] = {"bgstats": bgstats.read, "bgg": bgg.read}
    kind = kind_of(path)
    if kind in exports:
        return exports[kind](path, How(games, known_mapping))
    sheet = read_sheet(path)
    return spreadsheet.read(sheet, How(games, mapping or own_headings(str(path), sheet.headings)))


def kind_of(path: Path) -> str:
    """ "sheet", "bgstats" or "bgg", by what stands in the file. UsageError for one that is not to be read."""
    if not path.is_file():
        raise UsageError(f"{path}: {'a folder; name the files in it' if path.is_dir() else 'no such file'}")
    size = path.stat().st_size
    if size == 0 or size > MOST_BYTES:
        raise UsageError(f"{path}: {f'larger than {MOST_BYTES:,} bytes' if size else 'an empty file'}")
    with open(path, "rb") as file:
        start = file.read(200).removeprefix(b"\xef\xbb\xbf").lstrip().decode("latin-1").lower()
    if path.suffix.lower() in (".json", ".bgsplay") or start.startswith("{"):
        return "bgstats"
    return "bgg" if path.suffix.lower() == ".xml" or start.startswith(MARKUP) else "sheet"
