"""The form for a playtest: the fields of a play as text, as a page to print, and as headings of a sheet."""

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from bartizan.reports.study import Finding, Study, main_findings
from bartizan.reports.text import changes, words
from bartizan.reports.text.marked import escape, grid
from bartizan.reports.text.visible import visible

TEMPLATES = Path(__file__).parent.parent / "templates"
ROWS = 6  # rows for players on paper
MOST_ENDINGS = 3

OF_THE_PLAY = {  # {column: label}; {} stands for the choices
    "play": "Number of the play: the same in each row of a play (may be empty if a play has one row)",
    "date": "Date",
    "game": "Game",
    "edition": "Version of the rules and the prototype",
    "level": "Level: {}",
    "players": "Number of players",
    "minutes": "Minutes, without explaining the rules",
    "turns": "{} played",
    "ending": "Ending: {}, or in your own words",
}
OF_A_PLAYER = {
    "player": "Name or a fixed code for the person (it is hashed on import)",
    "seat": "Place in turn order: 1 begins ({})",
    "role": "Side: {}",
    "result": "Result: win, loss or draw (empty if unknown)",
    "score": "Score",
    "experience": "Experience: first play of this game, a few plays, many",
}
RATINGS = {  # Unpub's seven, 1 to 5
    "length": "Length: 1 wrong, 5 right",
    "learning": "Learning: 1 hard, 5 easy",
    "decisions": "Decisions: 1 no important ones, 5 many",
    "downtime": "Downtime: 1 long waits, 5 none",
    "interactivity": "Interaction between players: 1 none, 5 a lot",
    "originality": "Originality: 1 familiar, 5 new",
    "fun": "Fun: 1 none, 5 a lot",
}
AT_THE_END = {
    "simulator_says": "Prediction of the simulator, written down before the play",
    "table_says": "Comments of the players after the play",
}
BESIDE = {  # questions that the simulator can answer too
    "win": "Who wins, and how often?",
    "score": "What is the score?",
    "turns": "How many turns?",
    "ending": "How does it end?",
    "close": "Was it close? In which turn was it decided?",
}
COLUMNS = OF_THE_PLAY | OF_A_PLAYER | RATINGS | AT_THE_END
CHOICES = {"level": "levels", "role": "roles", "seat": "roles", "ending": "endings"}


def fields(d: Mapping[str, Any], unasked: Collection[str] = ()) -> list[dict[str, str]]:
    """Return the fields of the form in order, as [{column, asked}].

    column: heading of the sheet. asked: question to the tester. unasked: columns to omit.
    """
    choices = {column: ", ".join(d[key]) for column, key in CHOICES.items()}
    choices["turns"] = f"{d['unit'].capitalize()}s"
    return [
        {"column": column, "asked": question.format(choices.get(column, ""))}
        for column, question in COLUMNS.items()
        if column not in unasked
    ]


def lines(d: Mapping[str, Any]) -> Iterator[str]:
    """Yield the form as Markdown, which is also readable as plain text."""
    asked, headings = _asked(d), [*_of_a_player(d), *RATINGS]
    yield from (f"# Playtest of {escape(d['title'])}", "", "## The play", "")
    yield from (f"- {escape(question)}: ______" for question in _of_the_play(asked))
    yield from ("", "## The players", "", *(f"- {escape(asked[column])}" for column in headings), "")
    yield from grid(headings, [[""] * len(headings)] * d["players"])
    yield from ("", "## Before and after", "")
    says = ([question, "; ".join(lines), ""] for question, lines in _beside(d).items())
    yield from grid(("", "Simulator", "Players"), says)
    yield ""
    for line in _method(d):
        yield from (escape(line), "")
    yield from ("## The sheet, one row per player", "", ",".join(d["columns"]))


def page(d: Mapping[str, Any]) -> str:
    """Return the form as a self-contained HTML page to print."""
    loader = FileSystemLoader(TEMPLATES)
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    asked = _asked(d)
    text = environment.get_template("play_form.html.j2").render(
        d=d,
        asked=asked,
        of_play=_of_the_play(asked),
        of_player=_of_a_player(d),
        ratings=list(RATINGS),
        beside=_beside(d),
        method=_method(d),
    )
    return visible(text)


def _asked(d: Mapping[str, Any]) -> dict[str, str]:
    return {field["column"]: field["asked"] for field in d["fields"]}


def _of_a_player(d: Mapping[str, Any]) -> list[str]:
    return [column for column in OF_A_PLAYER if column in d["columns"]]


def _of_the_play(asked: Mapping[str, str]) -> list[str]:
    return [asked[column] for column in OF_THE_PLAY if column not in ("play", "game")]


def _beside(d: Mapping[str, Any]) -> dict[str, list[str]]:
    """Map each question to the simulator's answers; the answers are empty without a sweep."""
    says = d["simulator_says"]["lines"] if "simulator_says" in d else {}
    return {question: says.get(key, []) for key, question in BESIDE.items()}


def _method(d: Mapping[str, Any]) -> list[str]:
    """Return the note below the table; [] without a sweep."""
    if "simulator_says" not in d:
        return []
    says = d["simulator_says"]
    games = f"{words.count(says['games'])} in {says['folder']}, {words.level(says['level'])} intervals"
    changed = changes.listing(says["changes"])
    note = [f"These predictions are for a changed game: {changed}. Play with this change."] if changed else []
    return [f"Games by computer policies, not people: {games}.", *note]


# ---------------------------------------------------------------- answers of the simulator


def says(study: Study, folder: str) -> dict[str, Any]:
    """Return the simulator's answers, with the folder, the number of games and the confidence level.

    `lines` maps each question of the form to lines of text, one per level and player. Cells in which all
    policies are random, and other variants of a cell, are left out.
    """
    of_levels = (main_findings(findings) for findings in study.levels.values())
    findings = [
        finding
        for level in of_levels
        for finding in level
        if {seat.policy for seat in finding.wins.seats} != {"random"}
    ]
    return {
        "folder": folder,
        "games": sum(finding.games for finding in findings),
        "level": study.level,
        "changes": study.changes,
        "lines": {
            "win": [f"{finding.name}: {_wins(finding, study)}" for finding in findings],
            "score": [
                f"{finding.name}: {_middle(finding.scores)}"
                for finding in findings
                if finding.scores.quantiles
            ],
            "turns": [
                f"{finding.name}: {_middle(finding.length.ended)}"
                for finding in findings
                if finding.length.ended.quantiles
            ],
            "ending": [f"{finding.name}: {_ends(finding, study)}" for finding in findings],
        },
    }


def _wins(finding: Finding, study: Study) -> str:
    """Return the win rate of the player of a solo game, or of each seat, as text."""
    if len(finding.wins.seats) == 1:
        return f"wins {words.share_with_limits(finding.wins.first.win)}"
    seats = range(1, len(finding.wins.seats) + 1)
    called = [f"seat {n}" if study.is_alike else finding.wins.seats[n - 1].role for n in seats]
    won = (words.share_with_limits(seat.win) for seat in finding.wins.seats)
    return ", ".join(f"{who} wins {share}" for who, share in zip(called, won, strict=True))


def _middle(values: Any) -> str:
    """Return the median and the quartiles of scores or turns, as text."""
    low, median, high = (values.quantiles[percent].estimate for percent in (25, 50, 75))
    digits = words.decimals(low, median, high)
    return f"median {words.number(median, digits)}, half of the games {words.span(low, high, digits)}"


def _ends(finding: Finding, study: Study) -> str:
    ends = study.endings[finding.cell.id][:MOST_ENDINGS]
    return ", ".join(f"{end.name} {words.share_with_limits(end.share)}" for end in ends)
