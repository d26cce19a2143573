"""The form for a playtest: what to write down of a play, as text, as a page, as headings of a sheet."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from bartizan.reports.text import simulator_says

TEMPLATES = Path(__file__).parent.parent / "templates"
ROWS = 6  # for players, on paper

OF_THE_PLAY = {  # column -> what is asked; {} stands for what there is to choose from
    "play": "Number of the play: the same in each row of one play; may stay empty where a play is one row",
    "date": "Date",
    "game": "Game",
    "edition": "Version: of the rules and of the prototype",
    "level": "Level: {}",
    "players": "How many people played",
    "minutes": "Minutes, without explaining the rules",
    "turns": "Turns played",
    "ending": "How it ended: {}, or in your own words",
}
OF_A_PLAYER = {
    "player": "Name, or any sign that stays the same; it is hashed when the form is imported",
    "role": "Side or seat: {}",
    "result": "Result: win, loss or draw; empty where nobody knows",
    "score": "Score",
    "experience": "Experience: first play of this game, a few plays, many",
}
RATINGS = {  # Unpub's seven, 1 to 5
    "length": "Length: 1 wrong, 5 right",
    "learning": "Learning: 1 hard, 5 easy",
    "decisions": "Decisions: 1 none that matter, 5 many",
    "downtime": "Downtime: 1 long waits, 5 none",
    "interactivity": "Interactivity: 1 alone, 5 with the others",
    "originality": "Originality: 1 known, 5 new",
    "fun": "Fun: 1 none, 5 much",
}
AT_THE_END = {
    "simulator_says": "What the simulator says of it, written down before the play",
    "table_says": "What the table says of it, after the play",
}
BESIDE = {  # what the simulator can say too
    "win": "Who wins, how often?",
    "score": "What score?",
    "turns": "How many turns?",
    "ending": "How does it end?",
    "close": "Was it close? From which turn on was it decided?",
}
ASKED = OF_THE_PLAY | OF_A_PLAYER | RATINGS | AT_THE_END
CHOICES = {"level": "levels", "role": "roles", "ending": "endings"}


def fields(d: Mapping[str, Any]) -> list[dict[str, str]]:
    """Every column with what is asked, in the form's order."""
    return [{"column": column, "asked": asked.format(_choices(d, column))} for column, asked in ASKED.items()]


def _choices(d: Mapping[str, Any], column: str) -> str:
    return ", ".join(d[CHOICES[column]]) if column in CHOICES else ""


def columns() -> list[str]:
    return list(ASKED)


def lines(d: Mapping[str, Any]) -> Iterator[str]:
    """The form as Markdown, which reads as text too."""
    asked = {one["column"]: one["asked"] for one in d["fields"]}
    yield f"# Playtest of {d['title']}"
    yield ""
    yield "## The play"
    yield ""
    for column in OF_THE_PLAY:
        if column not in ("play", "game"):
            yield f"- {asked[column]}: ______"
    yield ""
    yield "## The players"
    yield ""
    for column in OF_A_PLAYER | RATINGS:
        yield f"- {asked[column]}"
    yield ""
    yield from _table([*OF_A_PLAYER, *RATINGS], d["players"])
    yield ""
    yield "## Before and after"
    yield ""
    yield "| | the simulator says | the table says |"
    yield "|---|---|---|"
    for question, says in beside(d).items():
        yield f"| {question} | {'; '.join(says)} | |"
    yield ""
    for line in _method(d):
        yield from (line, "")
    yield "## The sheet, one row a player"
    yield ""
    yield ",".join(d["columns"])


def beside(d: Mapping[str, Any]) -> dict[str, list[str]]:
    """Each question of the last table with what the simulator says, nothing where no sweep was named."""
    told = d["simulator_says"]["lines"] if "simulator_says" in d else {}
    return {question: told.get(key, []) for key, question in BESIDE.items()}


def _method(d: Mapping[str, Any]) -> list[str]:
    return list(simulator_says.method(d["simulator_says"])) if "simulator_says" in d else []


def _table(headings: list[str], rows: int) -> Iterator[str]:
    yield f"| {' | '.join(headings)} |"
    yield "|" + "---|" * len(headings)
    for _ in range(rows):
        yield "|" + " |" * len(headings)


def page(d: Mapping[str, Any]) -> str:
    """The form as a page to print; it asks nothing of the network."""
    loader = FileSystemLoader(TEMPLATES)
    template = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    asked = {one["column"]: one["asked"] for one in d["fields"]}
    of_play = [asked[column] for column in OF_THE_PLAY if column not in ("play", "game")]
    columns = {"of_player": list(OF_A_PLAYER), "ratings": list(RATINGS)}
    form = template.get_template("play_form.html.j2")
    said = {"beside": beside(d), "method": _method(d)}
    return form.render(d=d, asked=asked, of_play=of_play, **said, **columns)
