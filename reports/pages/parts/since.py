"""What changed since an earlier sweep (`bartizan report DIR --since EARLIER`): what moved, what differs in
numbers, players and rules code, and what cannot be compared.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from bartizan.analyses.records.comparison import Moved, SinceThen
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Table
from bartizan.reports.entries import NONE
from bartizan.reports.figures import difference_dots, dots
from bartizan.reports.pages.parts.methods import Method
from bartizan.reports.pages.parts.pictures import Section, left_out, one_group, picture
from bartizan.reports.study import Study
from bartizan.reports.text import changes, differences, words
from bartizan.reports.text.cell_names import cell_names, changes_in

CLEAR, UNCLEAR = "#0173b2", "#949494"
MOST = 24  # in the picture: those that moved most
METHOD = (
    "now less then: game by game on common luck where both were played with one seed, else as independent "
    "samples (Newcombe 1998); p adjusted for all lines (Holm 1979)."
)
HEADERS = ("Setting", "Games then, now", "Then", "Now", "Difference", "Turns", "p (adjusted)")


def sections(study: Study) -> list[Section]:
    if study.since is None:
        return []
    since = study.since
    shown = sorted(since.moved, key=lambda one: -abs(one.difference.estimate))[:MOST]
    rows = [_row(one, study) for one in since.moved if one in shown]
    pictures = []
    if rows:
        title = "Win rates now less then"
        figure = difference_dots.draw(rows, differences.POINTS)
        alt = difference_dots.in_words(f"{_title(study, since)}. {title}, {differences.POINTS}", rows)
        pictures = [picture(title, "", figure, "since", alt)]
    others, lines = left_out(since.moved, MOST), tuple(_lines(study))
    return [Section(_title(study, since), _caption(study), one_group(pictures), (), others, lines)]


def tables_of(study: Study) -> list[Table]:
    if study.since is None or not study.since.moved:
        return []
    rows = tuple(_entries(one, study) for one in study.since.moved)
    return [Table(f"What changed since {study.since.before.folder}", _caption(study), HEADERS, rows)]


def methods(study: Study) -> list[Method]:
    return [("What changed since then", METHOD)] if study.since and study.since.moved else []


def documents(study: Study) -> dict[str, Any]:
    """For the report's data."""
    if study.since is None:
        return {}
    since = study.since
    return {
        "folder": str(since.before.folder),
        **{key: since.before.manifest[key] for key in ("behaviour", "seed", "command")},
        "moved": [_document(one, study) for one in since.moved],
        "differs": list(_lines(study)),
        "only_then": [_then(since)[cell.id] for cell in since.only_before],
        "only_now": [study.names[cell.id] for cell in since.only_after],
    }


def _then(since: SinceThen) -> dict[str, str]:
    """What the cells were called."""
    return cell_names(since.before.cells, bool(since.before.manifest.get("alike")))


def _document(one: Moved, study: Study) -> dict[str, Any]:
    return {
        "cell": one.after.id,
        "cell_then": one.before.id,
        "name": study.names[one.after.id],
        "games": {"then": one.games[0], "now": one.games[1]},
        "win_rate": {"then": one.shares[0].to_dict(), "now": one.shares[1].to_dict()},
        "difference": one.difference.to_dict(),
        "turns": one.turns and one.turns.to_dict(),
        "p": one.p,
        "p_adjusted": one.adjusted,
        "is_clear": one.is_clear,
        "is_paired": one.is_paired,
        "every_game_the_same": one.is_same,
    }


# ---------------------------------------------------------------- what moved


def _title(study: Study, since: SinceThen) -> str:
    """How many moved, and which of them most."""
    moved = [one for one in since.moved if one.is_clear]
    of = len(since.moved)
    if not of:
        return f"Since {since.before.folder}: no setting can be compared"
    games = words.count(max(one.games[1] for one in since.moved))
    if not moved:
        none = f"of {_rates(of)} none moved clearly (up to {games} games each)"
        return f"Since {since.before.folder}: {none}"
    most = max(moved, key=lambda one: abs(one.difference.estimate))
    return (
        f"Since {since.before.folder}: {len(moved)} of {_rates(of)} moved, most "
        f"{study.names[most.after.id]}: {differences.signed(most.difference, least=1)} "
        f"({words.count(most.games[1])} games)"
    )


def _rates(n: int) -> str:
    return f"{n} win {'rate' if n == 1 else 'rates'}"


def _caption(study: Study) -> str:
    since = study.since
    assert since is not None
    whose = "of the first seat" if study.is_contest else "of the player"
    same = since.before.manifest["seed"] == study.manifest["seed"]
    luck = "game by game on common luck" if same else "with other luck on the two sides"
    if same and any(one.games[0] != one.games[1] for one in since.moved):
        luck += ", over the game numbers that both have"
    return (
        f"Win rates {whose} now less those in {since.before.folder}, {luck}, with {words.level(study.level)} "
        "intervals. Grey: not distinguishable from zero once adjusted for all of them. Both were played by "
        "computer policies, not people."
    )


def _row(one: Moved, study: Study) -> dots.Row:
    it = one.difference.scaled(100)
    said = (
        f"all {words.count(min(one.games))} games the same" if one.is_same else differences.numbers(it, 1, 1)
    )
    point = dots.Point(it, CLEAR if one.is_clear else UNCLEAR, dot=not words.is_bounds(it))
    return dots.Row(study.names[one.after.id], said, (point,))


def _entries(one: Moved, study: Study) -> tuple[Entry, ...]:
    then, now = one.shares
    return (
        Entry(study.names[one.after.id]),
        Entry(f"{words.count(one.games[0])}, {words.count(one.games[1])}"),
        entries.share(then),
        entries.share(now),
        Entry("0", "every game the same")
        if one.is_same
        else entries.points(one.difference, with_method=True),
        NONE if one.turns is None else entries.difference(one.turns, 1, least=1),
        entries.p_values(one.p, one.adjusted),
    )


# ---------------------------------------------------------------- what differs


def _lines(study: Study) -> Iterator[str]:
    since = study.since
    assert since is not None
    yield from _of_all(since.before.manifest, study.manifest)
    for one in since.moved:
        name = study.names[one.after.id]
        yield from (f"{name}: {said}" for said in (*_numbers(one), *_players(one)))
    yield from (
        f"Only in {since.before.folder}, so not compared: {_then(since)[cell.id]}."
        for cell in since.only_before
    )
    yield from (
        f"Not in {since.before.folder}, so not compared: {study.names[cell.id]}." for cell in since.only_after
    )


def _of_all(then: Mapping, now: Mapping) -> Iterator[str]:
    if then["behaviour"] != now["behaviour"]:
        yield (
            f"The rules code is another: behaviour {now['behaviour']}, then {then['behaviour']}; the same "
            "seed plays differently, and a difference may come from that alone."
        )
    elif then.get("source_hash") != now.get("source_hash"):
        yield "The game's code has changed since, its behaviour version has not."
    before, after = (it.get("versions", {}).get("bartizan") for it in (then, now))
    if before != after:
        yield f"Bartizan {after}, then {before}."
    if then["seed"] != now["seed"]:
        yield f"Seed {now['seed']}, then {then['seed']}: other luck."


def _numbers(one: Moved) -> Iterator[str]:
    """Values that are otherwise than then: as each side differs from the shipped scenario."""
    if one.before.scenario != one.after.scenario:
        yield f"scenario {one.after.scenario}, then {one.before.scenario}."
    then, now = ({row["path"]: row for row in changes_in(cell)} for cell in (one.before, one.after))
    told = [
        f"{changes.named(now.get(path) or then[path])}: "
        f"{_value(path, now, then)}, then {_value(path, then, now)}"
        for path in dict.fromkeys((*now, *then))
        if _value(path, now, then) != _value(path, then, now)
    ]
    if told:
        yield f"{'; '.join(told)}."
    elif one.before.scenario_hash != one.after.scenario_hash:
        yield (
            "its numbers or readings are others than then (fingerprint "
            f"{one.after.scenario_hash}, then {one.before.scenario_hash}); the folders do not say which."
        )


def _value(path: str, mine: Mapping[str, Mapping], other: Mapping[str, Mapping]) -> str:
    """Of one side; where it has not changed it, what the other side changed it from."""
    return changes.value(mine[path]["to"] if path in mine else other[path]["from"])


def _players(one: Moved) -> Iterator[str]:
    for then, now in zip(one.before.policies, one.after.policies, strict=False):
        name = now["name"]
        if then["name"] != name:
            yield f"{name} plays {now['role']}, then {then['name']}."
        elif weights := list(_weights(then.get("weights", {}), now.get("weights", {}))):
            yield f"{name} has other weights: {'; '.join(weights)}."
        elif then.get("source_hash") != now.get("source_hash"):
            yield f"{name} plays by other code than then."


def _weights(then: Mapping[str, float], now: Mapping[str, float]) -> Iterator[str]:
    for key in dict.fromkeys((*now, *then)):
        if then.get(key) != now.get(key):
            mine, before = (f"{it[key]:g}" if key in it else "none" for it in (now, then))
            yield f"{words.plain(key)} {mine}, then {before}"
