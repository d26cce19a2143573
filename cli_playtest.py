"""The commands under `bartizan playtest`: plays by people, from the form to a folder of plays."""

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from bartizan import api
from bartizan import cli_options as opt
from bartizan.cli_saying import say

people = typer.Typer(
    help="Plays by people: a form to print, and what was written down as a folder of plays.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

File = Annotated[Path, Argument(metavar="FILE", help="a sheet saved as CSV, or .xlsx")]
Files = Annotated[
    list[Path],
    Argument(
        metavar="FILE",
        help="a sheet (CSV), an export of BG Stats (.json, .bgsplay), or saved plays of BoardGameGeek (.xml)",
    ),
]
Folder = Annotated[Path, opt.out("DIR", "folder of plays; more files can be added to it later")]
MappingOut = Annotated[Path, opt.out("FILE.toml", "the mapping; nothing is written over")]
FormOut = Annotated[
    Path | None, opt.out("FILE.csv|.md|.html", "write the form: a sheet to fill in, text, or a page to print")
]
Says = Annotated[
    Path | None,
    Option("--says", metavar="DIR", help="a sweep: its figures fill the column `the simulator says`"),
]
OfGame = Annotated[
    str | None, Option("--game", metavar="GAME", help="whose plays; those of other games are set aside")
]
Mapping = Annotated[
    Path | None,
    Option(
        "--mapping", metavar="FILE.toml", help="what columns and words mean (see: bartizan playtest template)"
    ),
]
Replace = Annotated[
    bool,
    Option(
        "--replace",
        help="a corrected sheet: plays of an earlier file of this name that are no longer in it are dropped",
    ),
]


@people.command("form")
def playtest_form(
    game: opt.GameName, out: FormOut = None, says: Says = None, as_json: opt.AsJson = False
) -> None:
    """The form for a playtest of a game: what to write down, and the headings of its CSV."""
    say(api.playtest_form(game, out=out, says=says), as_json)


@people.command("template")
def playtest_template(file: File, out: MappingOut, game: OfGame = None, as_json: opt.AsJson = False) -> None:
    """Write a mapping for a sheet of your own: what its headings and words may mean, for you to correct."""
    say(api.playtest_template(file, out=out, game=game), as_json)


@people.command("import")
def playtest_import(
    files: Files,
    out: Folder,
    game: OfGame = None,
    mapping: Mapping = None,
    replace: Replace = False,
    as_json: opt.AsJson = False,
) -> None:
    """Read plays into a folder: every row is kept, or set aside with the reason. Names are hashed."""
    say(api.playtest_import(files, out=out, game=game, mapping=mapping, replace=replace), as_json)
