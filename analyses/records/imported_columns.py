"""Meaning of the columns of imported game records: guessed from headings, or given by a mapping file."""

import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bartizan.analyses.records.tally import HOUSE, NOBODY, TRUNCATED
from bartizan.simcore import toml
from bartizan.simcore.documentation import page
from bartizan.simcore.errors import UsageError, did_you_mean
from bartizan.simcore.scenario.loading import first_fault
from bartizan.simcore.sweep.plan import Texts

# field -> usual headings, in lower case without spaces and punctuation
HEADINGS = {
    "seed": "seed randomseed rngseed",
    "winner": "winner winners winnername winningseat winningplayer winnerseat winnerindex wonby whowon "
    "victor",
    "result": "result outcome won win iswin success",
    "score": "score points finalscore vp victorypoints",
    "policy": "policy policies policie player bot agent strategy strategies strategie ai",
    "turns": "turns turn rounds round length gamelength ticks steps numberofturns numberofrounds numturns "
    "numrounds turncount roundcount totalturns totalrounds",
    "decisions": "decisions plies moves actions",
    "ending": "ending endreason reason cause endedby endcondition",
    "level": "level difficulty",
    "drawn": "cardsdrawn drawncards drawn",
    "played": "cardsplayed playedcards played",
}
CARDS = ("drawn", "played")  # lists of cards
BY_SEAT = ("result", "score", "policy", *CARDS)  # one column for the game, or one for each seat
SEVERAL = (*BY_SEAT, "seed")  # several columns may form the seed
MOST_SEATS = 100  # a column of winners has room for 128
ALIKE = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")  # names of seats
FIELDS = tuple(HEADINGS)
SETTING = re.compile(r"^(?:set|settings?|params?|options?)[._ :/]+(.+)$", re.IGNORECASE)
# score_1, score 1, score[0], p1_score, player1 score, scores.0
NUMBERED = re.compile(r"^(?:(?P<word>[a-z]+?)s?(?P<n>\d+)|(?:p|player|seat)(?P<m>\d+)(?P<name>[a-z]+))$")
UNITS = ("round", "tick", "step")  # word in the heading of `turns`; otherwise "turn"

# words in the winner column, in lower case
UNDECIDED = {
    **dict.fromkeys(("draw", "tie", "tied", "drawn", "nobody", "none", "-1"), NOBODY),
    **dict.fromkeys(("truncated", "timeout", "timedout", "unfinished", "aborted", "maxturns"), TRUNCATED),
    **dict.fromkeys(("game", "house", "environment"), HOUSE),
}


class FileConventions(BaseModel):
    """Settings for the whole file: the table [records] of a mapping."""

    model_config = ConfigDict(extra="forbid", strict=True)

    title: str = ""  # title of the game (default: the name of the file)
    roles: list[str] = []  # names of the seats if their sides differ: ["attacker", "defender"]
    # number of the first seat in the winner column (default: inferred)
    first_seat: Literal[0, 1] | None = None
    no_winner: Literal["", "draw", "truncated", "game"] = ""  # meaning of an empty winner or result
    wins: Literal["", "highest", "lowest"] = ""  # winning score, if no column contains the winner
    decimal: Literal["", ".", ","] = ""


class RecordMapping(BaseModel):
    """The mapping of a file of game records: settings, the headings of each field, and meanings of words."""

    model_config = ConfigDict(extra="forbid")

    records: FileConventions = FileConventions()
    columns: dict[str, Texts] = {}  # field -> heading, or one heading for each seat
    settings: list[str] = []  # headings of settings that vary between games
    measures: list[str] = []  # headings of other numbers to report
    categories: list[str] = []  # headings of other texts with few values, for `report --over`
    winner_words: dict[Literal["draw", "truncated", "game"], list[str]] = Field(default={})

    @property
    def of_seat(self) -> dict[str, list[str]]:
        """Map each field that has one column per seat to the headings of its columns."""
        return {field: self.columns[field] for field in BY_SEAT if len(self.columns.get(field, ())) > 1}

    def one(self, field: str) -> str:
        """Return the heading of a field; "" if no column has it."""
        return next(iter(self.columns.get(field, ())), "")


def read_mapping(path: Path) -> RecordMapping:
    """Read a mapping. Raises UsageError with file, key and reason."""
    data = toml.read(path, "no such mapping file")
    try:
        mapping = RecordMapping.model_validate(data)
    except ValidationError as error:
        raise UsageError(f"{path}: {first_fault(error, data, RecordMapping)}") from error
    for field, named in mapping.columns.items():
        if field not in FIELDS:
            raise UsageError(f"{path}: columns: {field}: unknown field{did_you_mean(field, FIELDS)}")
        if len(named) > 1 and "" in named:
            raise UsageError(f"{path}: columns: {field}: contains an empty heading; give one for each seat")
        if len(named) > 1 and field not in SEVERAL:
            raise UsageError(
                f"{path}: columns: {field}: give one column; only {', '.join(SEVERAL)} may have several "
                "columns"
            )
    return mapping


def guessed(
    headings: Sequence[str], given: RecordMapping | None = None, by: Sequence[str] = ()
) -> RecordMapping:
    """Return the mapping with missing fields guessed from the headings. by: headings of additional settings.

    Raises UsageError for a missing column.
    """
    mapping = given or RecordMapping()
    named = [*(heading for each in mapping.columns.values() for heading in each), *mapping.settings]
    others = (*mapping.measures, *mapping.categories, *by)
    for heading in (*named, *others):
        if heading and heading not in headings:
            raise UsageError(f"no column {heading!r}{did_you_mean(heading, headings)}")
    taken = {*named, *others}
    free = [heading for heading in headings if heading not in taken]
    columns = dict(mapping.columns)
    for field in FIELDS:
        if field not in columns and (found := _guess(field, free)):
            columns[field] = found
    columns = {field: kept for field, each in columns.items() if (kept := [one for one in each if one])}
    used = {heading for each in columns.values() for heading in each}
    settings = [*mapping.settings, *by]
    settings += [one for one in free if SETTING.match(one) and one not in used]
    settings = list(dict.fromkeys(settings))
    return mapping.model_copy(update={"columns": columns, "settings": settings})


def setting_name(heading: str) -> str:
    """Return the name of the setting in a heading, without a prefix such as `settings.`."""
    match = SETTING.match(heading)
    return match[1] if match else heading


def is_heading(heading: str, field: str) -> bool:
    """Return whether a heading is one of the usual names of this field."""
    return _plain(heading) in HEADINGS[field].split()


def guessed_by_values(
    texts: Mapping[str, Collection[str]], undecided: Collection[str]
) -> dict[str, list[str]]:
    """Guess the headings of the winner column and of the policy columns from their values; {} if none fit.

    The heading of the winner column contains a word for winning. There are at least two policy columns, which
    share values with it. Every value of the winner column is in a policy column, or means that nobody wins.
    texts: maps headings to their values. undecided: lower-case words for a game that nobody wins.
    """
    for heading, listed in texts.items():
        named = {word for word in listed if word.lower() not in undecided}
        seats = [other for other in texts if other != heading and named & set(texts[other])]
        known = {word for seat in seats for word in texts[seat]}
        if re.search(r"win|won|victor", heading.lower()) and len(seats) > 1 and named <= known:
            return {"winner": [heading], "policy": seats}
    return {}


def lists_cards(heading: str) -> bool:
    """Return whether a column with this heading contains lists of cards, of the game or of a seat."""
    return any(_guess(field, [heading]) or _seat_of(heading, field) is not None for field in CARDS)


def unit_of(mapping: RecordMapping) -> str:
    """Return the unit of column `turn`: `turn`, `round`, `tick`, `step` or `decision`.

    It is `decision` if only decisions are recorded.
    """
    if not mapping.one("turns"):
        return "decision"
    return next((unit for unit in UNITS if unit in _plain(mapping.one("turns"))), "turn")


def score_of(mapping: RecordMapping) -> str:
    """Return "points" if the heading of the first score begins with this word; "" otherwise.

    The name of the seat may precede it, as in `p1_points`.
    """
    return "points" if _plain(mapping.one("score")).startswith(("points", "p1points")) else ""


def _seat_of(heading: str, field: str) -> int | None:
    """Return the number of the seat in a heading; None for a heading without a seat or of another field.

    A number is returned as written: 1 for `score_1` and `p1_score`. A word is counted from 0: 0 for
    `score_first`.
    """
    words, plain = HEADINGS[field].split(), _plain(heading)
    match = NUMBERED.match(plain)
    if match and (match["word"] or match["name"]) in words:
        return int(match["n"] or match["m"])
    places = [at for at, seat in enumerate(ALIKE) if plain in [f"{word}{seat}" for word in words]]
    return places[0] if places else None


def _guess(field: str, headings: Sequence[str]) -> list[str]:
    words = HEADINGS[field].split()
    numbered: dict[int, str] = {}
    for heading in headings if field in BY_SEAT else ():
        if (seat := _seat_of(heading, field)) is not None:
            numbered[seat] = heading
    if len(numbered) > 1 and sorted(numbered) == list(range(min(numbered), max(numbered) + 1)):
        return [numbered[number] for number in sorted(numbered)]
    plain = {_plain(heading): heading for heading in reversed(headings)}
    # one column `players` is their number, because a list of them has become several columns
    plural = {word for word in words if field in BY_SEAT and word != "player"}
    several = {word: plain.get(word) or (plain.get(f"{word}s") if word in plural else None) for word in words}
    return [found for found in several.values() if found][:1]


def _plain(heading: str) -> str:
    return re.sub(r"[^a-z0-9]+", "", heading.lower())


def as_toml(mapping: RecordMapping, file: str, unread: Mapping[str, str]) -> str:
    """Return the text of a mapping file with the guesses.

    unread: maps ignored headings to a description of their content.
    """
    about = mapping.records
    empty = [field for field in FIELDS if field not in mapping.columns]
    lines = [
        f"# Meaning of the columns of {toml.inline(file)}. Every line is a suggestion: check and correct it.",
        f"# Then: bartizan import FILE --mapping THIS -o records   (see {page('records')})",
        "",
        "[records]",
        f"title = {toml.inline(about.title)}",
        "roles = []   # names of the seats, if their sides differ",
        "# first_seat = 1   # number of the first seat in the column of the winner: 0 or 1",
        f"no_winner = {toml.inline(about.no_winner)}"
        '   # meaning of an empty winner: "draw", "truncated" or "game"',
        f'wins = {toml.inline(about.wins)}   # "highest" or "lowest" score, if no column has the winner',
        "",
        "[columns]   # field = heading, or a list of headings, one per seat",
        *(
            f"{field} = {toml.inline(named[0] if len(named) == 1 else named)}"
            for field, named in mapping.columns.items()
        ),
        f"# not guessed: {', '.join(empty)}" if empty else "# all fields are guessed",
    ]
    tables = [
        "",
        "[winner_words]   # other words in the column of the winner or the result",
        "draw = []",
        "truncated = []",
        "game = []   # the game itself won: all players lost",
    ]
    others = [f"#   {toml.inline(heading)}: {what}" for heading, what in unread.items()]
    top = [
        f"settings = {toml.inline(mapping.settings)}   # columns that were varied between games",
        f"measures = {toml.inline(mapping.measures)}   # other numbers to report",
        f"categories = {toml.inline(mapping.categories)}   # other texts with few values",
        *(["# columns left out:", *others] if others else []),
        "",
    ]
    return "\n".join([*lines[:2], "", *top, *lines[3:], *tables]) + "\n"
