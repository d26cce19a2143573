"""What a report says of `bartizan losses`: the chance to win turn by turn, and games worth looking at."""

from collections.abc import Iterator, Mapping, Sequence

from bartizan.analyses.statistics.intervals import Interval, proportion
from bartizan.reports.figures import by_turn
from bartizan.reports.pages.parts import tables
from bartizan.reports.pages.parts.kept.told import CLEAR, KeptFinding, level_of, players
from bartizan.reports.pages.parts.pictures import Picture, picture
from bartizan.reports.pages.parts.tables import Entry, Table
from bartizan.reports.text import losses as text
from bartizan.reports.text import words

LOST = "#c8553d"
CAPTION = (
    "The chance to win of a game still on at the start of a turn, and the hazard: the chance to lose in that "
    "turn. Bands are 95\u00a0% intervals."
)


def told(d: Mapping, name: str) -> KeptFinding:
    return KeptFinding(
        _title(d),
        f"{CAPTION} {_played(d)}",
        lambda: tuple(_pictures(d, name)),
        tuple(_lines(d)),
        (_table(d),) if d["lost"] else (),
        "When games are lost",
        f"{d['method']}.",
    )


def _title(d: Mapping) -> str:
    where = f"{players(d)}{level_of(d)}"
    hope = d["hopeless"]["never"]
    if not hope:
        return f"{where}: none of {words.count(d['games'])} games is lost"
    share = words.share_with_limits(Interval(**hope))
    lost = words.count(d["pilot"]["lost"])
    return f"{where}: in {share} of {lost} lost games there is hope when the last turn begins"


def _played(d: Mapping) -> str:
    pilot = d["pilot"]
    return (
        f"{words.count(d['games'])} games, seed {d['seed']}, {words.count(d['lost'])} of them lost; "
        f"{words.count(pilot['games'])} of these games were played on {words.count(pilot['rollouts'])} times "
        "from the start of every turn. Hope is a chance of 5\u00a0% or more."
    )


def _pictures(d: Mapping, name: str) -> Iterator[Picture]:
    shown = text.spans(d)
    if not d["lost"] or len(shown) < 2:
        return
    turns = tuple(span[0]["turn"] for span in shown)
    wins = tuple(Interval(**span[0]["win_if_alive"]) for span in shown)
    hazards = tuple(_hazard(span) for span in shown)
    within = f"these {most} turns" if (most := len(shown[0])) > 1 else "this turn"
    curves = [
        by_turn.TurnCurve("wins, if still on", CLEAR, turns, wins),
        by_turn.TurnCurve(f"loses in {within}", LOST, turns, hazards, "--"),
    ]
    title = f"Chances by turn, {players(d)}{level_of(d)}"
    alt = f"{_title(d)}. {by_turn.describe(title, curves)}"
    yield picture(title, "", by_turn.draw(curves), name, alt)


def _hazard(turns: Sequence[Mapping]) -> Interval:
    """The chance to lose in one of these turns, of a game still on at the start of the first."""
    return proportion(sum(turn["lost"] for turn in turns), turns[0]["alive"])


def _lines(d: Mapping) -> Iterator[str]:
    yield d["sentence"]
    for chosen in d["chosen"]:
        said, command = (part.strip() for part in text.told(chosen))
        yield f"{said} To see it: {command} --html game.html"
    yield from text.checks(d)


def _table(d: Mapping) -> Table:
    headers = ("Turn", "Games on", "Lost in it", "Hazard", "Wins if on", "Hopeless by now", "Decisive in")
    rows = tuple(_row(turns, d) for turns in text.spans(d))
    caption = (
        f"{CAPTION} Hopeless: lost games whose chance was below 5\u00a0% for good; decisive: lost games "
        f"whose chance fell most in this turn; both of the {words.count(d['pilot']['lost'])} looked at."
    )
    causes = ("Commonest cause",) if d["causes"] else ()
    return Table(f"When games are lost: {players(d)}{level_of(d)}", caption, (*headers, *causes), rows)


def _row(turns: Sequence[Mapping], d: Mapping) -> tuple[Entry, ...]:
    first, lost = turns[0], d["pilot"]["lost"]
    gone, decisive = (sum(turn[key] for turn in turns) for key in ("lost", "decisive"))
    hopeless, falls = (
        [words.percent(first["hopeless_by"]["estimate"], 0), words.percent(decisive / lost, 0)]
        if lost
        else ["–", "–"]
    )
    return (
        Entry(text.span_name(turns)),
        tables.count(first["alive"]),
        tables.count(gone),
        tables.share(_hazard(turns)),
        tables.share(Interval(**first["win_if_alive"])),
        Entry(hopeless),
        Entry(falls),
        *((Entry(text.commonest(turns)),) if d["causes"] else ()),
    )
