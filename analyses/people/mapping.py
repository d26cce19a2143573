"""Meaning of the columns and words of a file of plays.

It comes from a mapping, which is a TOML file, or from the form's own headings.
"""

import json
import re
import shlex
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Set
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from bartizan.analyses.people import cells
from bartizan.analyses.people.cells import (
    EXPORTED,
    HEADINGS,
    KNOWN_WORDS,
    RESULT,
    VOCABULARY,
    is_harmless,
    letters,
    plain_heading,
    words,
)
from bartizan.analyses.people.log import RATINGS, RESULTS, GameWords
from bartizan.analyses.people.sheet import Sheet
from bartizan.simcore import toml
from bartizan.simcore.documentation import page
from bartizan.simcore.errors import UsageError, did_you_mean
from bartizan.simcore.sheets import letter_of
from bartizan.simcore.sweep import plan

# possible meanings of a column, in the form's order; `winner` contains the winner's name
OF_PLAY = tuple("play date game edition level variant players minutes turns ending winner".split())  # noqa: SIM905
OF_SEAT = tuple("player seat role team result score rank first_play start_player experience".split())  # noqa: SIM905
AT_THE_END = ("simulator_says", "table_says")
FIELDS = (*OF_PLAY, *OF_SEAT, *RATINGS, *AT_THE_END)
OTHER_NAMES = {"version": "edition", "rounds": "turns", "difficulty": "level", "name": "player"}
# fields of [values.*]
WORDED = ("result", "level", "role", "game", "edition", "ending", "experience", "team", "variant")
WRITE_ONE = "write a mapping with: bartizan playtest import {} -o mapping.toml --game GAME"

Texts = dict[str, list[str]]


class Conventions(BaseModel):
    """Settings for the whole file: the table [playtest] of a mapping."""

    model_config = ConfigDict(extra="forbid", strict=True)

    game: str = ""
    edition: str = ""
    level: str = ""
    decimal: Literal["", ".", ","] = ""
    dates: Literal["", "day.month.year", "month/day/year"] = ""
    untouched_means: Literal["unknown", "loss"] = "unknown"
    unit: Literal["", "turn", "round"] = ""
    wins: Literal["", "highest", "lowest"] = ""
    minus: Literal["", "subtract"] = ""
    players_in_a_cell: Literal["several", "one"] = "several"
    player_columns: Literal["", "turn order"] = ""


class PlayMapping(BaseModel):
    """The mapping of a file of plays: settings, the headings of each field, and the meanings of words."""

    model_config = ConfigDict(extra="forbid")

    playtest: Conventions = Conventions()
    columns: dict[str, plan.Texts] = {}  # field -> a heading, or one heading per seat
    values: dict[str, Texts] = {}

    def means(self, field: str, text: str) -> str | None:
        """Return the meaning of a word in [values.FIELD]; None if it is not listed."""
        for meaning, texts in self.values.get(field, {}).items():
            if words(text) in map(words, texts):
                return meaning
        return None

    def called(self) -> dict[str, str]:
        """Map the file's names of games to Bartizan's names."""
        games = self.values.get("game", {}).items()
        return {words(text): name for name, texts in games if name != "unknown" for text in texts}


def read_mapping(path: Path) -> PlayMapping:
    """Read a mapping. Raises UsageError with the place of the fault and the reason."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise UsageError(f"{path}: no such mapping; {WRITE_ONE.format('FILE')}") from None
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"{path}: {toml.fault_of(error)}") from error
    try:
        mapping = PlayMapping.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise UsageError(f"{path}: {where}: {_fault_of(first, where)}") from error
    _check(path, mapping)
    return mapping


def _fault_of(error: Mapping[str, Any], where: str) -> str:
    if error["type"] == "extra_forbidden":
        table = Conventions if where.startswith("playtest.") else PlayMapping
        return f"no such key{did_you_mean(where.split('.')[-1], table.model_fields)}"
    return str(error["msg"]).replace("Input should be", "write").lower()


def _check(path: Path, mapping: PlayMapping) -> None:
    for kind, known in (("columns", FIELDS), ("values", WORDED)):
        for field in getattr(mapping, kind):
            if field not in known:
                raise UsageError(f"{path}: {kind}.{field}: unknown field{did_you_mean(field, known)}")
    for field in mapping.columns:
        if not mapping.columns[field]:
            raise UsageError(f"{path}: columns.{field}: no heading given; write one or delete the line")
        if field in OF_PLAY and len(mapping.columns[field]) > 1:
            raise UsageError(
                f"{path}: columns.{field}: has one value per play, not one per seat; give one heading"
            )
    for meaning in mapping.values.get("result", {}):
        if meaning not in RESULTS:
            raise UsageError(f"{path}: values.result.{meaning}: a result must be one of {', '.join(RESULTS)}")
    counts = {field: len(counted) for field, counted in mapping.columns.items() if len(counted) > 1}
    if len(set(counts.values())) > 1:
        counted = ", ".join(f"{field} {count}" for field, count in counts.items())
        raise UsageError(
            f"{path}: columns: fields with one value per seat need the same number of headings, not {counted}"
        )


def own_headings(name: str, headings: list[str]) -> PlayMapping:
    """Return the mapping of a file with the form's own headings or those of a known export.

    Raises UsageError if no heading means a result, a winner or a rank.
    """
    plain = {plain_heading(heading): heading for heading in reversed(headings)}
    fields = {field: [plain[spoken]] for field in FIELDS if (spoken := field.replace("_", " ")) in plain}
    for other, field in (*EXPORTED.items(), *OTHER_NAMES.items()):
        if other in plain and [plain[other]] not in fields.values():
            fields.setdefault(field, [plain[other]])
    if not {"result", "winner", "rank"} & set(fields):
        raise UsageError(
            f'{name}: has no column "result", "winner" or "rank", so it does not match the form; '
            f"{WRITE_ONE.format(shlex.quote(name))}"
        )
    return PlayMapping(columns=fields)


# --------------------------------------------------- a draft mapping for a sheet, for the designer to correct

UNKNOWN = "   # unrecognised words; words left here count as unknown"
AS_WRITTEN = "   # words left here are kept as written and not compared with anything"
Guesses = dict[str, list[tuple[str, str]]]  # field -> [(heading, word that identifies it)]
WORDED_GUESSES = ("game", "result", "level", "role", "ending")  # fields whose cells are listed
OF_A_GAME = ("game", "ending")  # fields without known meanings if no game is given
COMPOUND = 5  # letters; a longer word may be the end of a German compound
STAMPS = ("timestamp", "zeitstempel")  # time at which a form was sent, not the date of the play
MOST_RATING = 5  # highest rating of the form
MOST_WORDS = 40  # maximum number of words listed per column
WORD = re.compile(r"[^\W\d_]+")
NUMBERED = re.compile(
    r"(?<![^\W_])(?:[A-Za-z]?\d+|[A-Za-z])(?![^\W_])"
)  # what tells apart "Score A" and "Score B"


def template_of(
    sheet: Sheet, game: GameWords | None, named: str | None, following: str
) -> tuple[str, dict[str, Any]]:
    """Return the text of a draft mapping, and its guesses as plain data.

    named: the game as the user named it. following: the command that reads the sheet with the mapping. The
    guesses contain no word that may be a person's name. Their field `to_move` counts the unknown words.
    """
    guessed = _with_winner(sheet, _as_filled_in(sheet, guess(sheet.headings)))
    columns = {field: [heading for heading, _ in fits] for field, fits in guessed.items()}
    used = {heading for headings in columns.values() for heading in headings}
    unused = [heading for heading in sheet.headings if heading not in used]
    worded: list[str] = [
        field for field in WORDED_GUESSES if field in columns and (game or field not in OF_A_GAME)
    ]
    people = [heading for field in ("player", "winner") for heading in columns.get(field, [])]
    values = {field: _values(field, sheet, columns[field], game, people) for field in worded}
    lines = [_opening(sheet, columns, named, following), *_columns(guessed, unused), *_tables(values, game)]
    left = {field: fits["unknown"] for field, fits in values.items() if fits["unknown"]}
    document = {
        "headings": len(sheet.headings),
        "columns": {
            field: [_shown(heading, sheet) for heading in headings] for field, headings in columns.items()
        },
        "unused": [_shown(heading, sheet) for heading in unused],
        "unknown": {field: [text for text in texts if is_harmless(text)] for field, texts in left.items()},
        "to_move": {field: len(texts) for field, texts in left.items()},
    }
    return "\n".join(lines) + "\n", document


# ---------------------------------------------------------------- headings


def guess(headings: list[str]) -> Guesses:
    """Map each field to a list of (heading, word that identifies it).

    The list has several items for numbered headings, one per seat.
    """
    known = {heading: fit for heading in headings if (fit := _field_of(heading))}
    guessed: Guesses = {}
    for field in FIELDS:
        fits = [(heading, word) for heading, (its_field, word) in known.items() if its_field == field]
        fits.sort(key=lambda fit: (fit[1] in STAMPS, -len(fit[1])))
        if fits:
            seats = [] if field in OF_PLAY else _numbered(fits)
            guessed[field] = sorted(seats, key=lambda fit: headings.index(fit[0])) if seats else fits[:1]
    if len({len(headings) for headings in guessed.values() if len(headings) > 1}) > 1:
        # the numbers of headings differ, so those that differ from the players' are not one per seat
        players = len(guessed.get("player", ()))
        return {
            field: headings if len(headings) == players else headings[:1]
            for field, headings in guessed.items()
            if players <= 1 or len(headings) in (1, players)
        }
    return guessed


def _numbered(fits: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the longest series of headings that differ only in a number or letter; [] if there is none.

    Examples are "Player 1" and "Player 2", "Score A" and "Score B", and "Name" and "Name (2)".
    """
    series: dict[str, list[tuple[str, str]]] = {}
    for fit in fits:
        *_, (start, end) = [(0, 0), *(match.span() for match in NUMBERED.finditer(fit[0]))]
        series.setdefault(plain_heading(fit[0][:start] + fit[0][end:]), []).append(fit)
    longest = max(series.values(), key=len)
    return longest if len(longest) > 1 else []


def _as_filled_in(sheet: Sheet, guessed: Guesses) -> Guesses:
    """Return the guesses, corrected by the contents of the columns.

    Columns that are numbered by seat and contain no number are names of players. A length above 5 is not a
    rating but minutes.
    """

    def texts(field: str) -> str:
        return " ".join(text for heading, _ in guessed.get(field, ()) for text in sheet.column(heading))

    moved = {}
    seats = texts("seat")
    if len(guessed.get("seat", ())) > 1 and seats.strip() and not re.search(r"\d", seats):
        moved["seat"] = "player"
    if max(map(int, re.findall(r"\d+", texts("length"))), default=0) > MOST_RATING:
        moved["length"] = "minutes"
    moved = {field: to for field, to in moved.items() if to not in guessed}
    return {moved.get(field, field): fits for field, fits in guessed.items()}


def _with_winner(sheet: Sheet, guessed: Guesses) -> Guesses:
    """Return the guesses, with the column of results as `winner` if its contents require this.

    This is the case if a cell contains a player's name, or if most of its distinct words are unknown.
    """
    if "result" not in guessed or "winner" in guessed or len(guessed["result"]) > 1:
        return guessed
    players = {words(text) for heading, _ in guessed.get("player", []) for text in sheet.column(heading)}
    results = {words(text).rstrip(".!") for text in sheet.column(guessed["result"][0][0])} - cells.BLANK
    unknown = results - RESULT.keys()
    if not unknown & (players - cells.BLANK) and 2 * len(unknown) <= len(results):
        return guessed
    return {"winner" if field == "result" else field: headings for field, headings in guessed.items()}


def field_of(heading: str) -> str:
    """Return the field that a heading suggests; "" if there is none."""
    return (_field_of(heading) or ("",))[0]


def _field_of(heading: str) -> tuple[str, str] | None:
    """Return the field of a heading, and the word that identifies it; None if there is no field.

    The word is the heading of an export, or the longest word of the vocabulary in the heading. In a heading
    that has a number, or that means a winner or a result, the field `player` counts only if no other fits.
    """
    plain = plain_heading(heading)
    numberless = re.sub(r"\s*\d+$", "", plain)
    if numberless in EXPORTED:
        return EXPORTED[numberless], numberless
    if plain.split()[-1:] in (["id"], ["ids"]):
        return None
    fits: list[tuple[str, str]] = []
    for field, names in HEADINGS.items():
        for word in names:
            bare = words(re.sub(r"[_.-]", " ", word))
            start = r"\w*" if len(bare) > COMPOUND else r"\b"  # Spielversion, Prototypfassung
            if re.search(rf"{start}{re.escape(bare)}\b", plain):
                fits.append((field, word))
    if NUMBERED.search(plain) or {"winner", "result"} & {field for field, _ in fits}:
        # "Score of player 1", "Which player won?"
        fits = [fit for fit in fits if fit[0] != "player"] or fits
    return max(fits, key=lambda fit: len(fit[1]), default=None)


# ---------------------------------------------------------------- words in cells


def _shown(heading: str, sheet: Sheet) -> str:
    names = _people_in(sheet, sheet.headings)
    return heading if is_harmless(plain_heading(heading), names) else column_name(heading, sheet, names)


def column_name(heading: str, sheet: Sheet, names: Set[str]) -> str:
    """Return the letter of a column with the harmless words of its heading.

    Words that may name a person are replaced: column B "Score B", column C "Score …". A heading without a
    known word is left out. names: names of people, in lower case.
    """
    at = f"column {letter_of(sheet.headings.index(heading))}"
    if not {word for word in letters(heading) if len(word) > 1} & KNOWN_WORDS - names:
        return at

    def shown(match: re.Match[str]) -> str:
        word = match[0].casefold()
        return match[0] if len(word) == 1 or word in KNOWN_WORDS - names else "…"

    return f'{at} "{WORD.sub(shown, heading)}"'


def _people_in(sheet: Sheet, headings: Iterable[str]) -> set[str]:
    """Return the contents of some columns, in lower case."""
    return {words(text) for heading in headings for text in sheet.column(heading)} - cells.BLANK


def _values(
    field: str, sheet: Sheet, headings: list[str], game: GameWords | None, people: list[str]
) -> dict[str, list[str]]:
    """Map each meaning to the words found, and "unknown" to all other words.

    Names of people are left out, and at most MOST_WORDS distinct words are used. If the field has no known
    meanings, each word is its own meaning. people: headings of the columns with names of people.
    """
    names = _people_in(sheet, people)
    cell = (text.strip() for heading in headings for text in sheet.column(heading))
    cell = (text for text in cell if words(text) not in names)
    texts = list(dict.fromkeys(text for text in cell if not cells.is_blank(text)))[:MOST_WORDS]
    known = _meanings(field, game)
    meanings: dict[str, list[str]] = {name: [] for name in (*known, "unknown")}
    for text in texts:
        meanings.setdefault(_meaning(field, text, known), []).append(text)
    if game and field == "game":
        its = texts if len(texts) == 1 else [text for text in texts if game.is_called(text)]
        return {game.name: its, "unknown": [text for text in texts if text not in its]}
    return meanings


def _meanings(field: str, game: GameWords | None) -> tuple[str, ...]:
    if field == "result":
        return ("win", "loss", "draw")
    if game is None or (field == "role" and game.alike):
        return ()
    return {"level": game.levels, "role": game.roles, "ending": game.endings}.get(field, ())


def _meaning(field: str, text: str, names: tuple[str, ...]) -> str:
    if field == "result":
        return RESULT.get(words(text).rstrip(".!"), "unknown")
    if not names:
        return text
    plain = words(text)
    near = get_close_matches(plain, names, 1, 0.6) or [name for name in names if name[:3] == plain[:3]]
    called: dict[str, list[str]] = VOCABULARY["levels"] | VOCABULARY["endings"]
    near = near or [name for name in names if any(word in plain for word in called.get(name, ()))]
    return near[0] if near else "unknown"


# ---------------------------------------------------------------- the file


OPENING = """\
# Meaning of the columns and words of {file}. Every line is a suggestion: check and correct it.
# Then: {following}   (see {page})

[playtest]
game = {game}   # a name that `bartizan describe` lists, or a .py file
edition = ""   # version of the prototype, if no column has it
level = ""   # level, if no column has it
decimal = "{decimal}"   # decimal mark: "," or "."; "": 1,5 is read, and 1,234 is set aside as ambiguous
dates = "{order}"   # order in dates such as 3/4/2026: "day.month.year" or "month/day/year"
untouched_means = "unknown"   # meaning of an empty result; "loss" if only wins were recorded
unit = "{unit}"   # unit of the column `turns`: "turn" or "round"; "": the unit of the game
wins = ""   # score that wins, if no column has the winner: "highest" or "lowest"
minus = ""   # "subtract" if 66-5 means 61; otherwise such a score is set aside, as it may be a range
players_in_a_cell = "several"   # "one" if names contain "," or "/"
player_columns = ""   # "turn order" if the first of several columns of players contains the start player
"""


def _opening(sheet: Sheet, columns: dict[str, list[str]], named: str | None, following: str) -> str:
    def texts(*fields: str) -> list[str]:
        headings = [heading for field in fields for heading in columns.get(field, [])]
        return [text for heading in headings for text in sheet.column(heading)]

    unit = next(filter(None, map(cells.unit_of_heading, columns.get("turns", []))), "")
    return OPENING.format(
        file=_quoted(sheet.name),
        following=following,
        page=page("playtests"),
        game=_quoted(named or ""),
        decimal=cells.decimal_of(texts("score", "minutes")),
        order=cells.order_of(texts("date")),
        unit=unit,
    )


def _columns(guessed: Guesses, unused: list[str]) -> Iterator[str]:
    yield "[columns]   # field = heading, or a list of headings, one per seat"
    for field, fits in guessed.items():
        headings = [_quoted(heading) for heading, _ in fits]
        value = headings[0] if len(headings) == 1 else f"[{', '.join(headings)}]"
        yield f'{field} = {value}   # guessed from "{fits[0][1]}"'
    free = [field for field in FIELDS if field not in guessed]
    yield f"# not guessed; if a column contains one of these, name it here: {', '.join(free)}"
    for heading in unused:
        yield f"# not used: {_quoted(heading)}"
    yield ""


def _tables(values: dict[str, dict[str, list[str]]], game: GameWords | None) -> Iterator[str]:
    """Yield the lines of the [values] tables, for the user to correct.

    They list the words found, by meaning.
    """
    for field, meanings in values.items():
        yield f"[values.{field}]   # words in the file; move each to its meaning"
        for meaning, texts in meanings.items():
            left = AS_WRITTEN if field == "ending" else UNKNOWN
            why = left if meaning == "unknown" and texts else ""
            listed = ", ".join(_quoted(text) for text in texts)
            key = meaning if re.fullmatch(r"[A-Za-z0-9_-]+", meaning) else _quoted(meaning)
            yield f"{key} = [{listed}]{why}"
        yield ""


def _quoted(text: str) -> str:
    """Return a text as a TOML string, which is a JSON string except for one character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
