"""What came up and what never did, as one document and as text."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from textwrap import wrap

from bartizan.analyses.experiments.coverage import METHOD, ChangedValue, CoveredGames, share
from bartizan.analyses.experiments.encounters import ACTIONS, Encounter, EncounterGroup
from bartizan.analyses.experiments.trials import Condition
from bartizan.analyses.statistics.intervals import Interval, limit_of_none
from bartizan.reports.text import changes, differences, played, sentences, words
from bartizan.simcore.scenario.changes import changes_of
from bartizan.simcore.scenario.loading import Scenario

RULINGS, NUMBERS = "rulings", "numbers"
RESTS_ON = (
    "What comes up is what these policies bring about: an option they leave alone may be a good one in other "
    "hands"
)
WIDTH = 110  # letters of a line
LISTED = 6  # values of one room of the scenario that are named
TWO_LOOKS = 2


# ---------------------------------------------------------------- document


def document(question: Condition, s: Scenario, found: CoveredGames) -> dict:
    """Plain data. Nothing in it depends on time or threads."""
    met = [_group(group, found.games) for group in found.groups]
    changed = [_changed(one) for one in found.changed]
    players = " vs ".join(dict.fromkeys(player.name for player in question.players))
    d = {
        "schema": "bartizan.coverage/1",
        **played.head(question, s),
        "games": found.games,
        "players": players,
        "actions": {row["name"]: row["games"] for row in _rows_of(met, ACTIONS)},
        "rulings": {row["key"]: row["came_up"] for row in changed if row["sort"] == RULINGS},
        "numbers": {row["path"]: row["came_up"] for row in changed if row["sort"] == NUMBERS},
        "never": _never(met, changed, players),
        "below": limit_of_none(found.games),
        "met": met,
        "changed": changed,
        "unvaried": [knob.path for knob in found.unvaried],
        "refused": [{"path": one.path, "to": one.value, "reason": one.reason} for one in found.refused],
        "rests_on": RESTS_ON,
        "method": METHOD,
        **played.tail(s),
    }
    return {**d, "sentence": _sentence(question, s, d)}


def _group(group: EncounterGroup, games: int) -> dict:
    return {"title": group.title, "found": [_encounter(one, games) for one in group.found]}


def _encounter(one: Encounter, games: int) -> dict:
    row = {"name": one.name, "games": one.games, "share": share(one.games, games).to_dict()}
    if one.times is not None:
        row["times_a_game"] = one.times / games
    return row | ({} if one.legal is None else {"legal": one.legal, "words": one.words})


def _changed(one: ChangedValue) -> dict:
    knob = one.knob
    return {
        "path": knob.path,
        "key": knob.path.rpartition(".")[2],
        "sort": RULINGS if one.is_ruling else NUMBERS,
        "what": f"{knob.source.partition(':')[0]} {words.plain(knob.path.rpartition('.')[2])}"
        if one.is_ruling
        else knob.what,
        "value": knob.value,
        "to": list(one.values),
        "games": one.games,
        "came_up": one.came_up,
        "share": share(one.came_up, one.games, TWO_LOOKS).to_dict(),
        "ended": one.ended,
        "legal": one.offers,
    }


def _rows_of(met: Sequence[Mapping], title: str) -> Sequence[Mapping]:
    return next((group["found"] for group in met if group["title"] == title), [])


def _never(met: Sequence[Mapping], changed: Sequence[Mapping], players: str) -> list[dict]:
    """Everything that came up in no game; `legal`: games in which it could have."""
    found = [
        {"sort": group["title"], **{key: row[key] for key in ("name", "legal") if key in row}}
        for group in met
        for row in group["found"]
        if not row["games"]
    ]
    idle = [
        {
            "sort": row["sort"],
            "name": row["what"],
            "path": row["path"],
            "legal": row["legal"],
            "games": row["games"],
        }
        for row in changed
        if not row["came_up"]
    ]
    return [*found, *({**row, "said": differences.never(row["games"], players)} for row in idle)]


def _sentence(question: Condition, s: Scenario, d: Mapping) -> str:
    level = [s.difficulty] if len(s.model.difficulties()) > 1 else []
    setting = changes.title(s.model.title, changes_of(question.game, s), d["players"], *level)
    return (
        f"{setting}: {never_told(d)} (each of them {differences.below(d['games'])}; seed {d['seed']}; "
        f"{sentences.rests_on(s.assumed)})."
    )


def never_told(d: Mapping) -> str:
    """`0 of 3 kinds of action, 2 of 30 rulings and 1 of 5 other things never came up in 300 games`"""
    groups = {group["title"]: group["found"] for group in d["met"]}
    groups |= {sort: rows for sort in (RULINGS, NUMBERS) if (rows := of_sort(d, sort))}
    told = [
        f"{words.count(sum(not came_up(row) for row in rows))} of {words.count(len(rows))} {title}"
        for title, rows in groups.items()
        if title in (ACTIONS, RULINGS, NUMBERS)
    ]
    others = [
        row for title, rows in groups.items() if title not in (ACTIONS, RULINGS, NUMBERS) for row in rows
    ]
    lacking = sum(not came_up(row) for row in others)
    told.append(f"{words.count(lacking)} of {words.count(len(others))} other things, ends among them,")
    return f"{words.listing(told)} {differences.never(d['games'])}"


def of_sort(d: Mapping, sort: str) -> list[Mapping]:
    return [row for row in d["changed"] if row["sort"] == sort]


def came_up(row: Mapping) -> int:
    return row.get("came_up", row["games"])


# ---------------------------------------------------------------- text


def lines(d: Mapping, top: int) -> Iterator[str]:
    """A document for a reader at a terminal: group by group, the rarest first, then what never came up."""
    yield d["sentence"]
    for group in d["met"]:
        yield ""
        yield from _table(group["title"], group["found"], top, "times_a_game")
        yield from _never_met(d, group["found"])
    for sort in (RULINGS, NUMBERS):
        if rows := of_sort(d, sort):
            yield ""
            yield from _table(f"{sort}, changed", rows, top, "")
            yield from _never_changed(d, rows, sort)
    yield ""
    if d["changed"]:
        yield from _listed("have no other value that can be played", d["unvaried"][:LISTED])
    yield from wrap(f"{d['rests_on']}. Method: {d['method']}.", WIDTH)


def _table(title: str, rows: Sequence[Mapping], top: int, times: str) -> Iterator[str]:
    """The rarest first of those that came up."""
    found = sorted((row for row in rows if came_up(row)), key=lambda row: row["share"]["estimate"])
    counted = any(times in row for row in found)
    head = f"{title}: {words.count(len(found))} of {words.count(len(rows))} came up"
    names = [name_of(row) for row in found[:top]]
    width = max([len(head) - 2, *map(len, names)], default=0)
    yield f"{head:<{width + 2}}   {'share of games':<24}{'times a game' if counted else ''}".rstrip()
    for name, row in zip(names, found, strict=False):
        often = f"{_times(row[times]):>12}" if times in row else ""
        yield f"  {name:<{width}}   {share_of(Interval(**row['share'])):<24}{often}".rstrip()
    if (rest := len(found) - top) > 0:
        yield f"  and {words.count(rest)} that came up more often (--top, --json)"


def share_of(it: Interval) -> str:
    """At least one decimal: what came up in 1 of 300 games did not come up in 0 %."""
    if it.estimate == 1:
        return f"all (above {words.percent(it.low)})"
    digits = max(words.digits_for(it.half_width * 100), 1)
    estimate, low, high = (words.number(share * 100, digits) for share in (it.estimate, it.low, it.high))
    return f"{estimate}{words.NBSP}% ({low}–{high}{words.NBSP}%)"


def _times(a_game: float) -> str:
    return f"{a_game:,.2f}" if a_game >= 0.1 else f"{a_game:.2g}"


def name_of(row: Mapping) -> str:
    if "what" in row:
        return row["what"]
    return f"{row['name']}: {row['words']}" if row.get("words") else row["name"]


def _never_met(d: Mapping, rows: Sequence[Mapping]) -> Iterator[str]:
    """Of kinds of action: those that could have been chosen, and those that were never legal."""
    idle = [row for row in rows if not row["games"]]
    free = [
        f"{name_of(row)} ({words.percent(row['legal'] / d['games'])})" for row in idle if row.get("legal")
    ]
    yield from _listed("legal in so many games, and never chosen", free)
    yield from _listed("never legal", [name_of(row) for row in idle if row.get("legal") == 0])
    yield from _listed("never came up", [row["name"] for row in idle if "legal" not in row])


def _never_changed(d: Mapping, rows: Sequence[Mapping], sort: str) -> Iterator[str]:
    """By room of the scenario; first those that change what is legal."""
    idle = [row for row in rows if not row["came_up"]]
    offers = [f"{row['what']} ({words.percent(row['legal'] / row['games'])})" for row in idle if row["legal"]]
    yield from _listed("change what is legal in so many games, and nothing that is done", offers)
    others = [row for row in idle if not row["legal"]]
    if sort == RULINGS:
        yield from _listed(differences.never(d["games"], d["players"]), [row["what"] for row in others])
        return
    rooms = [
        _of_room([row["what"] for row in group])
        for _, group in groupby(others, key=lambda row: row["path"].partition(".")[0])
    ]
    yield from _listed(differences.never(d["games"], d["players"]), rooms)


def _of_room(names: Sequence[str]) -> str:
    more = len(names) - LISTED
    return "; ".join(names[:LISTED]) + (f" and {words.count(more)} more like these" if more > 0 else "")


def _listed(what: str, names: Sequence[str]) -> Iterator[str]:
    if names:
        between = "; " if any("," in name for name in names) else ", "
        text = f"{what}: {between.join(names)}"
        yield from wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ", break_long_words=False)
