"""Changes since an earlier sweep (`bartizan report DIR --since EARLIER`).

The changes concern win rates, scenario values, players and rules code. Cells that cannot be compared are
listed.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from bartizan.analyses.records.comparison import Moved, SinceThen
from bartizan.reports import entries
from bartizan.reports.blocks import Block, Entry, Figure, Lines, Table, Track, View
from bartizan.reports.entries import NONE
from bartizan.reports.figures import dots
from bartizan.reports.figures.theme import CLEAR, UNCLEAR
from bartizan.reports.pages.parts import names
from bartizan.reports.study import Study
from bartizan.reports.text import changes, differences, words
from bartizan.reports.text.cell_names import cell_names, changes_in

LABEL = "Changes since the earlier sweep"
MOST = 24  # settings in the figure: those that changed most
METHOD = (
    "now minus earlier: paired game by game (common random numbers) if both sweeps have the same seed, "
    "otherwise as independent samples (Newcombe 1998); p adjusted for all rows (Holm 1979)."
)
HEADERS = ("Setting", "Games earlier, now", "Earlier", "Now", "Difference")


def sections(study: Study) -> list[View]:
    if study.since is None:
        return []
    since, title = study.since, "Change of the win rate"
    caption = _caption(study, since)
    shown = sorted(since.moved, key=lambda moved: -abs(moved.difference.estimate))[:MOST]
    rows = [_row(moved, study) for moved in since.moved if moved in shown]
    figure = Figure(title, dots.differences(rows, differences.POINTS))
    headers = (*HEADERS, words.sentence(f"{names.time(study)}s"), "p (adjusted)")
    numbers = tuple(_entries(move, study) for move in since.moved)
    table = Table(f"Changes since {since.before.folder}", caption, headers, numbers)
    shown_rows: tuple[Block, ...] = (figure, table) if rows else ()
    return [
        View(
            title=_title(study, since),
            caption=caption,
            blocks=(*shown_rows, Lines(tuple(_lines(study, since)))),
            left_out=max(len(since.moved) - MOST, 0),
            method=(LABEL, METHOD) if rows else ("", ""),
            label=LABEL,
        )
    ]


def documents(study: Study) -> dict[str, Any]:
    """Return the comparison for the report's JSON output; {} without an earlier sweep."""
    if study.since is None:
        return {}
    since = study.since
    return {
        "folder": str(since.before.folder),
        **{key: since.before.manifest[key] for key in ("behaviour", "seed", "command")},
        "moved": [
            {
                "cell": move.after.id,
                "cell_then": move.before.id,
                "name": study.names[move.after.id],
                "games": {"then": move.games[0], "now": move.games[1]},
                "win_rate": {"then": move.shares[0].to_dict(), "now": move.shares[1].to_dict()},
                "difference": move.difference.to_dict(),
                "joint": move.quoted.to_dict(),
                "turns": move.turns and move.turns.to_dict(),
                "p": move.p,
                "p_adjusted": move.adjusted,
                "is_clear": move.is_clear,
                "is_paired": move.is_paired,
                "every_game_the_same": move.is_same,
            }
            for move in since.moved
        ],
        "differs": list(_lines(study, since)),
        "only_then": [_then(since)[cell.id] for cell in since.only_before],
        "only_now": [study.names[cell.id] for cell in since.only_after],
    }


def differing(study: Study) -> list[str]:
    """Return one line per difference between the sweeps other than their results.

    Examples are rules code, seed, values and players. Each cell that cannot be compared also has a line.
    Returns [] without an earlier sweep.
    """
    return list(_lines(study, study.since)) if study.since else []


def _then(since: SinceThen) -> dict[str, str]:
    """Map the ids of the earlier sweep's cells to names."""
    return cell_names(since.before.cells, bool(since.before.manifest.get("alike")))


# ---------------------------------------------------------------- changed win rates


def _title(study: Study, since: SinceThen) -> str:
    """Return the title of the section: the number of changed win rates and the largest change."""
    of, moved = len(since.moved), [move for move in since.moved if move.is_clear]
    rates = f"{of} win {'rate' if of == 1 else 'rates'}"
    if not of:
        result = "no setting can be compared"
    elif not moved:
        games = words.count(max(move.games[1] for move in since.moved))
        result = f"none of {rates} changed significantly (up to {games} games each)"
    else:
        most = max(moved, key=lambda move: abs(move.difference.estimate))
        result = (
            f"{len(moved)} of {rates} changed, most for {study.names[most.after.id]}: "
            f"{differences.signed(most.quoted, least=1)} ({words.many(most.games[1], 'game')})"
        )
    return f"Since {since.before.folder}: {result}"


def _caption(study: Study, since: SinceThen) -> str:
    whose = "of the first seat" if study.is_contest else "of the player"
    same = since.before.manifest["seed"] == study.manifest["seed"]
    luck = "paired game by game" if same else "as independent samples (different seeds)"
    if same and any(move.games[0] != move.games[1] for move in since.moved):
        luck += " over the game numbers that both sweeps have"
    return (
        f"Win rates {whose} now minus those in {since.before.folder}, {luck}, with {_intervals(since)}. "
        "Grey: not significant after adjustment for all rows. Computer policies played both sweeps, not "
        "people."
    )


def _intervals(since: SinceThen) -> str:
    lines = len(since.moved)
    return words.together(since.moved[0].quoted, lines, "lines") if lines else f"{words.CONFIDENCE} intervals"


def _row(move: Moved, study: Study) -> Track:
    points = move.quoted.scaled(100)
    same = f"all {words.count(min(move.games))} games identical"
    value = same if move.is_same else differences.numbers(points, 1, 1)
    point = dots.mark(points, CLEAR if move.is_clear else UNCLEAR)
    return dots.row(study.names[move.after.id], value, (point,))


def _entries(move: Moved, study: Study) -> tuple[Entry, ...]:
    then, now = move.shares
    return (
        Entry(study.names[move.after.id]),
        Entry(f"{words.count(move.games[0])}, {words.count(move.games[1])}"),
        entries.share(then),
        entries.share(now),
        Entry("0", "all games identical") if move.is_same else entries.points(move.quoted, with_method=True),
        NONE if move.turns is None else entries.difference(move.turns, 1, least=1),
        entries.p_values(move.p, move.adjusted),
    )


# ---------------------------------------------------------------- other differences


def _lines(study: Study, since: SinceThen) -> Iterator[str]:
    yield from _of_all(since.before.manifest, study.manifest)
    for move in since.moved:
        name = study.names[move.after.id]
        yield from (f"{name}: {line}" for line in (*_numbers(move), *_players(move)))
    yield from (
        f"Only in {since.before.folder}, so not compared: {_then(since)[cell.id]}."
        for cell in since.only_before
    )
    yield from (
        f"Not in {since.before.folder}, so not compared: {study.names[cell.id]}." for cell in since.only_after
    )


def _of_all(then: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    if then["behaviour"] != now["behaviour"]:
        yield (
            f"The rules code changed: behaviour version {now['behaviour']}, earlier {then['behaviour']}. "
            "The same seed gives different games, so a difference may be due to the rules code alone."
        )
    elif then.get("source_hash") != now.get("source_hash"):
        yield "The game's code changed, but its behaviour version did not."
    before, after = (manifest.get("versions", {}).get("bartizan") for manifest in (then, now))
    if before != after:
        yield f"Bartizan {after}, earlier {before}."
    if then["seed"] != now["seed"]:
        yield f"Seed {now['seed']}, earlier {then['seed']}: the games are independent."


def _numbers(move: Moved) -> Iterator[str]:
    """Yield sentences on the scenario and the values that differ between two cells.

    The values are those that each cell changes in its shipped scenario.
    """
    if move.before.scenario != move.after.scenario:
        yield f"scenario {move.after.scenario}, earlier {move.before.scenario}."
    then, now = ({row["path"]: row for row in changes_in(cell)} for cell in (move.before, move.after))
    others = [
        f"{changes.named(now.get(path) or then[path])}: "
        f"{_value(path, now, then)}, earlier {_value(path, then, now)}"
        for path in dict.fromkeys((*now, *then))
        if _value(path, now, then) != _value(path, then, now)
    ]
    if others:
        yield f"{'; '.join(others)}."
    elif move.before.scenario_hash != move.after.scenario_hash:
        yield (
            "its numbers or readings changed (fingerprint "
            f"{move.after.scenario_hash}, earlier {move.before.scenario_hash}); the folders do not record "
            "which."
        )


def _value(path: str, mine: Mapping[str, Mapping[str, Any]], other: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the value of one side as text.

    A side that does not change the value has the value that the other side replaced.
    """
    return changes.value(mine[path]["to"] if path in mine else other[path]["from"])


def _players(move: Moved) -> Iterator[str]:
    for then, now in zip(move.before.policies, move.after.policies, strict=False):
        name = now["name"]
        if then["name"] != name:
            yield f"{name} plays {now['role']}, earlier {then['name']}."
        elif weights := list(_weights(then.get("weights", {}), now.get("weights", {}))):
            yield f"{name} has different weights: {'; '.join(weights)}."
        elif then.get("source_hash") != now.get("source_hash"):
            yield f"The code of {name} changed."


def _weights(then: Mapping[str, float], now: Mapping[str, float]) -> Iterator[str]:
    for key in dict.fromkeys((*now, *then)):
        if then.get(key) != now.get(key):
            mine, before = (words.exact(each[key]) if key in each else "none" for each in (now, then))
            yield f"{words.plain(key)} {mine}, earlier {before}"
