"""Text of `playtest import`: plays that were read, saved and set aside."""

from collections.abc import Iterator, Mapping
from typing import Any

from bartizan.reports.text.words import count, listing, many

NO_WINNER = (
    'no play has a winner: fill in a column "result", "winner" or "rank", or write wins = "highest" (or '
    '"lowest") under [playtest] in the mapping if the score decides'
)
MOST_ROWS, MOST_REASONS, MOST_GAMES = 8, 12, 5  # listed in one line


def lines(d: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of text for the JSON document of `playtest import`."""
    for file in d["files"]:
        yield from _file(file)
    folder = d["folder"]
    people = f" by {many(folder['people'], 'known player')}" if folder["people"] else " without names"
    held = f"{many(folder['plays'], 'play')}{people}" if folder["plays"] else "contains no plays"
    yield f"{folder['path']}: {held}"
    for game in folder["games"]:
        levels = ", ".join(f"{name} {count(n)}" for name, n in game["levels"].items())
        plays = f"{many(game['plays'], 'play')}{': ' * bool(levels)}{levels}"
        yield f"  {game['game'] or 'no game named':<10} {plays}"
        if others := game.get("other_players"):
            has = listing([str(n) for n in game["players"]], "or")
            yield f"  note       {many(others, 'play')} not for {has} players: left out of every comparison"


def _file(d: Mapping[str, Any]) -> Iterator[str]:
    kept, aside = count(d["kept"]), count(d["aside"])
    yield f"{d['file']}: {many(d['records'], d['unit'])} read = {kept} saved + {aside} set aside"
    for reason in d["reasons"][:MOST_REASONS]:
        yield f"  set aside  {_where(reason, d['unit'])}: {reason['reason']}"
    if hidden := d["reasons"][MOST_REASONS:]:
        more = sum(reason["count"] for reason in hidden)
        yield f"  set aside  {count(more)} more for {many(len(hidden), 'other reason')} (--json)"
    for seats in d["seats_aside"]:
        yield f"  set aside  {many(seats['count'], 'seat')} of {_where(seats, d['unit'])}: {seats['reason']}"
    if d["other_games"]:
        yield f"  other game {_others(d['other_games'])}; to include one, map its name in [values.game]"
    for cell in d["unread"]:
        examples = ", ".join(f'"{example}"' for example in cell["examples"])
        listed = f" ({examples})" if examples else ""
        where = f"{many(cell['count'], 'cell')}{listed}, {_where(cell, d['unit'])}"
        yield f"  left out   {cell['column']}: {where}: {cell['why']}"
    if d["unticked"]:
        yield f"  note       in {count(d['unticked'])} of the losses, no winner is marked"
    if d["by_rank"]:
        yield f"  note       {many(d['by_rank'], 'play')} without a winner decided by rank"
    if d["by_score"]:
        yield f"  note       {many(d['by_score'], 'play')} without a winner decided by score"
    for note in d["notes"]:
        yield f"  note       {note}"
    if {name for name, n in d["results"].items() if n} == {"unknown"}:
        yield f"  note       {NO_WINNER}"
    yield f"  results    {', '.join(f'{name} {count(n)}' for name, n in d['results'].items() if n) or 'none'}"
    yield f"  plays      {_news(d)}"


def _news(d: Mapping[str, Any]) -> str:
    plays, gone = d["plays"], d["dropped"]
    if not plays["new"] and not plays["replaced"] and not gone:
        already = plays["already"]
        return f"nothing added: {many(already, 'play')} already present" if already else "none"
    changes = (
        (plays["new"], "new"),
        (plays["replaced"], "replaced"),
        (plays["already"], "already present"),
        (gone, "dropped because no longer in the file"),
    )
    return ", ".join(f"{count(n)} {words}" for n, words in changes if n)


def _others(games: Mapping[str, int]) -> str:
    named = ", ".join(f"{name} {count(n)}" for name, n in list(games.items())[:MOST_GAMES])
    more = len(games) - MOST_GAMES
    return f"{named} and {many(more, 'other game')}" if more > 0 else named


def _where(reason: Mapping[str, Any], unit: str) -> str:
    rows = reason["rows"]
    named = ", ".join(map(str, rows[:MOST_ROWS]))
    more = f" and {count(len(rows) - MOST_ROWS)} more" if len(rows) > MOST_ROWS else ""
    return f"{unit}{'s' if len(rows) > 1 else ''} {named}{more}"
