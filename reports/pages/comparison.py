"""Before and after: the page of a folder that `bartizan compare -o` has kept.

It shows the document of the comparison, with both sides and the paired differences.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.figures import dots
from bartizan.reports.pages import markdown
from bartizan.reports.pages.free_for_all.tables import p_text
from bartizan.reports.pages.pictures import Picture, Section, one_group, picture
from bartizan.reports.pages.tables import Entry, Table
from bartizan.reports.pages.verdict import Paragraph, paragraph
from bartizan.reports.text import banner, changes, luck, sentences, words
from bartizan.simcore.errors import EngineError
from bartizan.simcore.sweep.store import COMPARISON, open_sweep

SCHEMA = "bartizan.compare/1"
BEFORE, AFTER = "#949494", "#0173b2"
CLEAR = 0.05  # adjusted p below which a measure is said to have moved
ROOM = 0.1  # of an axis, beyond the longest interval


def read(folder: Path) -> dict:
    """The document of the comparison, with the command that made it.

    Raises EngineError when it is damaged, or is not about the games of its two sides.
    """
    path = folder / COMPARISON
    again = "run the same compare again with the same -o"
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        if document["schema"] != SCHEMA:
            raise ValueError(f"its schema is {document['schema']}")
        for side in ("a", "b"):
            opened = open_sweep(folder / side)
            for cell, played in zip(
                opened.cells, [document[side], *document[side].get("rotations", [])], strict=True
            ):
                if (cell.scenario_hash, cell.games) != (played["scenario_hash"], played["games"]):
                    raise EngineError(f"{path}: is not about the games in {folder / side}; {again}")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise EngineError(f"{path}: damaged ({error}); {again}") from error
    return {
        **document,
        "command": opened.manifest["command"],
        "rules_source": opened.manifest["rules_source"],
        "named": opened.manifest["game_as_named"],
    }


def write(d: dict, path: Path) -> Path:
    form = {".html": page, ".md": text, ".json": _data}[path.suffix.lower()]
    path.write_text(form(d), encoding="utf-8")
    return path


def _data(d: dict) -> str:
    return json.dumps(d, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


# ---------------------------------------------------------------- what it says


def change(d: Mapping) -> str:
    """`Assault counter, Defence 3 instead of 5`"""
    return words.listing([changes.instead(row) for row in d["change"]])


def title(d: Mapping) -> str:
    return f"{d['title']}: {change(d)}"


def before(d: Mapping) -> list[str]:
    """What both sides have otherwise than the published game."""
    return [f"Both sides are a changed game: {changes.listing(d['changes'], None)}."] if d["changes"] else []


def deck(d: Mapping) -> list[str]:
    """What another scenario file changes, all of it."""
    return [
        f"The {row['what']} {row['to']}: {changes.listing(row['changes'], None)}."
        for row in d["change"]
        if row.get("changes")
    ]


def played(d: Mapping) -> str:
    sides = (
        " against ".join(dict.fromkeys(d["a"]["policies"]))
        if d["a"]["policies"] == d["b"]["policies"]
        else "the policies named in the change"
    )
    seatings = 1 + len(d["a"].get("rotations", []))
    turned = f" in each of {seatings} seatings" if seatings > 1 else ""
    return (
        f"{words.count(d['n'])} games a side{turned}, on common luck, seed {d['seed']}: "
        f"{words.title(d['a']['difficulty'])} by {sides}."
    )


def verdict(d: Mapping) -> list[Paragraph]:
    moved, still = ([row for row in d["effects"] if _is_moved(row) == clear] for clear in (True, False))
    parts = [paragraph("The answer", [d["sentence"]])]
    if moved:
        parts.append(paragraph("What moves", [f"{words.title('; '.join(_told(row, d) for row in moved))}."]))
    if still:
        seen = "The interval says how large each could be at most."
        parts.append(
            paragraph(
                "What does not",
                [f"Not distinguishable from zero: {'; '.join(_told(row, d) for row in still)}.", seen],
            )
        )
    return [*parts, paragraph("How sure", [f"{words.title(line)}." for line in _how_sure(d)])]


def _how_sure(d: Mapping) -> list[str]:
    more = [luck.difference_line(d["luck_adjusted"])] if "luck_adjusted" in d else []
    more += [sentences.option_use(d["option_use"])] if "option_use" in d else []
    people = "the players are computer policies: people may bring other results"
    return [
        sentences.pairing(d["pairing_factor"], d["differing"]),
        *more,
        people,
        sentences.rests_on(max(d["a"]["assumed"], d["b"]["assumed"])),
    ]


def _is_moved(row: Mapping) -> bool:
    return row["p_adjusted"] < CLEAR and not row["difference"]["low"] <= 0 <= row["difference"]["high"]


def _told(row: Mapping, d: Mapping) -> str:
    text, limits = _difference(row)
    return (
        f"{_name(row, d)} {text}{'' if row['kind'] == 'column' else ' percentage points'} ({limits}), "
        f"{_side(row, 'base')} before and {_side(row, 'changed')} after"
    )


def _name(row: Mapping, d: Mapping) -> str:
    """The headline is named by what it counts."""
    return d["headline"]["measure"] if row is d["effects"][0] else row["name"]


def _difference(row: Mapping) -> tuple[str, str]:
    return words.change(Interval(**row["difference"]), _scale(row), least=1)


def _scale(row: Mapping) -> float:
    return 1 if row["kind"] == "column" else 100


def _side(row: Mapping, side: str) -> str:
    it = Interval(**row[side])
    if row["kind"] != "column":
        return words.share(it)
    return words.number(it.estimate, max(words.digits_for(it.half_width), 1))


# ---------------------------------------------------------------- pictures


def sections(d: Mapping) -> list[Section]:
    shares = [row for row in d["effects"] if row["kind"] != "column"]
    numbers = [row for row in d["effects"] if row["kind"] == "column"]
    level = words.level(d["difference"]["level"])
    sides = [_sides(shares, d, "shares", 100)] + [
        _sides([row], d, f"mean-{index}", 1) for index, row in enumerate(numbers)
    ]
    moves = [_moves(shares, d, "moved-shares", "percentage points")] + [
        _moves([row], d, f"moved-{index}", row["name"]) for index, row in enumerate(numbers)
    ]
    what = f"{change(d)}. "
    both = f"{what}Each side with its {level} interval."
    legend = ((BEFORE, "Before"), (AFTER, "After"))
    paired = (
        f"{what}After less before, game by game on common luck, with {level} intervals; the dashed line is "
        "no difference. Grey: not distinguishable from zero."
    )
    return [
        Section("Before and after", both, one_group(sides), legend),
        Section("What the change does", paired, one_group(moves)),
    ]


def _sides(rows: Sequence[Mapping], d: Mapping, name: str, scale: float) -> Picture:
    shown = []
    for row in rows:
        points = tuple(
            dots.Point(Interval(**row[side]), colour)
            for side, colour in (("base", BEFORE), ("changed", AFTER))
        )
        shown.append(
            dots.Row(words.title(_name(row, d)), f"{_side(row, 'base')} -> {_side(row, 'changed')}", points)
        )
    ends = [point.interval for row in shown for point in row.points]
    low, high = min(0.0, *(i.low for i in ends)), max(i.high for i in ends)
    high = min(high * (1 + ROOM), 1.0) if scale == 100 else high * (1 + ROOM) or 1.0
    figure = dots.draw(
        shown, high, "of the games" if scale == 100 else "mean of a game", percent=scale == 100, least=low
    )
    return picture(
        "Shares of the games" if scale == 100 else words.title(rows[0]["name"]),
        "",
        figure,
        name,
        "; ".join(f"{row.label} {row.value}" for row in shown),
    )


def _moves(rows: Sequence[Mapping], d: Mapping, name: str, unit: str) -> Picture:
    shown = []
    for row in rows:
        scale, (text, limits) = _scale(row), _difference(row)
        estimate, low, high = (row["difference"][end] * scale for end in ("estimate", "low", "high"))
        interval = Interval(estimate, low, high, row["difference"]["level"], row["difference"]["method"])
        shown.append(
            dots.Row(
                words.title(_name(row, d)),
                f"{text} ({limits})",
                (dots.Point(interval, AFTER if _is_moved(row) else BEFORE),),
            )
        )
    ends = [row.points[0].interval for row in shown]
    low, high = min(0.0, *(i.low for i in ends)), max(0.0, *(i.high for i in ends))
    room = (high - low) * ROOM or 1.0
    figure = dots.draw(shown, high + room, unit, percent=False, least=low - room, mark=0.0)
    return picture(
        words.title(unit), "", figure, name, "; ".join(f"{row.label} {row.value}" for row in shown)
    )


# ---------------------------------------------------------------- tables


def tables(d: Mapping) -> list[Table]:
    return [_effects(d), *_ends(d)]


def _effects(d: Mapping) -> Table:
    rows = []
    for row in d["effects"]:
        text, limits = _difference(row)
        unit = "" if row["kind"] == "column" else " percentage points"
        factor = "–" if row["pairing_factor"] is None else words.number(row["pairing_factor"], 1)
        differing = words.share(Interval(**row["differing"]))
        sides = (Entry(_side(row, side)) for side in ("base", "changed"))
        numbers = (
            Entry(f"{text}{unit}", f"{limits}; {row['difference']['method']}"),
            Entry(p_text(row["p"]), p_text(row["p_adjusted"])),
            Entry(factor),
            Entry(differing),
        )
        rows.append((Entry(words.title(_name(row, d))), Entry(words.count(row["n"])), *sides, *numbers))
    level = words.level(d["difference"]["level"])
    caption = (
        f"The same game numbers on both sides, paired game by game; {level} intervals, p adjusted for all "
        "lines (Benjamini and Hochberg 1995)."
    )
    headers = (
        "Measure",
        "Games a side",
        "Before",
        "After",
        "Difference",
        "p (adjusted)",
        "Pairing factor",
        "Games that differ",
    )
    return Table("Paired differences", caption, headers, tuple(rows))


def _ends(d: Mapping) -> list[Table]:
    """How games end on either side, and with which tier, counted."""
    found = []
    for key, name in (("tiers", "Tiers"), ("end_reasons", "How games end")):
        before, after = (d[side].get(key) or {} for side in ("a", "b"))
        kinds = [kind for kind in dict.fromkeys((*before, *after)) if before.get(kind) or after.get(kind)]
        rows = tuple(
            (Entry(words.title(kind)), *(Entry(words.count(side.get(kind, 0))) for side in (before, after)))
            for kind in kinds
        )
        if rows:
            caption = (
                f"Games, of {words.count(d['n'])} a "
                f"side{'; the first seating' if d['a'].get('rotations') else ''}."
            )
            found.append(Table(name, caption, ("", "Before", "After"), rows))
    return found


def assumptions(d: Mapping) -> list[str]:
    said = d.get("banner", {}).get("text")
    return [line for line in dict.fromkeys([*d["a"]["assumptions"], *d["b"]["assumptions"]]) if line != said]


# ---------------------------------------------------------------- pages


def _common(d: Mapping) -> dict[str, Any]:
    return {
        "title": title(d),
        "lines": [*before(d), *deck(d)],
        "played": played(d),
        "banner": banner.lines(d["banner"], d["named"]) if "banner" in d else (),
        "verdict": verdict(d),
        "tables": tables(d),
        "assumptions": assumptions(d),
        "rules_source": f"Rules: {d['rules_source'].rstrip('.')}." if d["rules_source"] else "",
        "command": d["command"],
        "versions": ", ".join(f"{name} {version}" for name, version in d["a"]["versions"].items()),
        "method": f"Differences: {d['difference']['method']}. Each line of the table names its own.",
    }


def page(d: dict) -> str:
    from bartizan.reports.pages.html import environment, with_arrows

    return with_arrows(
        environment().get_template("comparison.html.j2").render(d=d, sections=sections(d), **_common(d))
    )


def text(d: dict) -> str:
    it = _common(d)
    parts = [
        f"# {it['title']}",
        *(f"> **{line}**" for line in (*it["lines"], *(it["banner"][:1]))),
        it["played"],
    ]
    parts += [f"**{paragraph.heading}.** {paragraph.text}" for paragraph in it["verdict"]]
    for table in it["tables"]:
        parts += [f"## {table.title}", f"> {change(d)}.", table.caption, markdown.grid(table)]
    parts += [
        "## What was played, and what is assumed",
        it["rules_source"],
        *(f"- {line}" for line in it["assumptions"]),
        it["method"],
    ]
    parts += ["## Play it again", f"```\n{it['command']}\n```", f"Seed {d['seed']}; {it['versions']}."]
    return "\n\n".join(filter(None, parts)) + "\n"
