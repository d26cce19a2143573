"""Before and after: the page of a folder that `bartizan compare -o` has kept.

It shows the document of the comparison, with both sides and the paired differences.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Table
from bartizan.reports.entries import grid
from bartizan.reports.figures import dots
from bartizan.reports.pages.parts import difference_dots, facts, front, over_skill
from bartizan.reports.pages.parts.facts import signed
from bartizan.reports.pages.parts.paragraphs import Paragraph, paragraph
from bartizan.reports.pages.parts.pictures import Picture, Section, one_group, picture
from bartizan.reports.pages.parts.templates import render
from bartizan.reports.text import banner, bracket, changes, differences, glossary, sentences, words
from bartizan.reports.views import luck
from bartizan.simcore.errors import EngineError
from bartizan.simcore.sweep.store import COMPARISON, open_sweep

SCHEMA = "bartizan.compare/1"
AGAIN = "run the same compare again with the same -o"
BEFORE, AFTER = "#949494", "#0173b2"
CLEAR = 0.05  # adjusted p below which a measure is said to have moved
ROOM = 0.1  # of an axis, beyond the longest interval


def read(folder: Path) -> dict:
    """The document of the comparison, with the command that made it.

    Raises EngineError when it is damaged, or is not about the games of its two sides.
    """
    path = folder / COMPARISON
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        if document["schema"] != SCHEMA:
            raise ValueError(f"its schema is {document['schema']}")
        manifests = {side: _manifest_of(folder / side, document[side], path) for side in ("a", "b")}
        manifest = manifests["b"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise EngineError(f"{path}: damaged ({error}); {AGAIN}") from error
    return {
        **document,
        "command": manifest["command"],
        "signed": signed(manifest, folder.glob("[ab]/cells/*")),
        "rules_source": manifest["rules_source"],
        "named": manifest["game_as_named"],
        "scenarios_named": {side: one.get("scenario_as_named") for side, one in manifests.items()},
    }


def _manifest_of(folder: Path, side: Mapping, path: Path) -> dict:
    """Of the games of one side; raises EngineError when the document at `path` is about other games."""
    opened = open_sweep(folder)
    for cell, played in zip(opened.cells, [side, *side.get("rotations", [])], strict=True):
        if (cell.scenario_hash, cell.games) != (played["scenario_hash"], played["games"]):
            raise EngineError(f"{path}: is not about the games in {folder}; {AGAIN}")
    return opened.manifest


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
    if still and not sentences.is_idle(d):
        seen = "The interval says how large each could be at most."
        parts.append(
            paragraph(
                "What does not",
                [f"Not distinguishable from zero: {'; '.join(_told(row, d) for row in still)}.", seen],
            )
        )
    how_sure = [f"{words.title(line)}." for line in _how_sure(d)]
    return [*parts, paragraph("How sure", how_sure), _over_skill(d)]


def _over_skill(d: Mapping) -> Paragraph:
    """What is known of either side over skill; of what is not, how it would be."""
    sides = {d[side]["scenario_hash"]: side for side in ("b", "a")}
    known = over_skill.measured(d["named"], d["a"]["behaviour"], sides)
    lacking = set(sides) - {bracket["scenario_hash"] for bracket in known}
    side = min((sides[one] for one in lacking), default="")
    return paragraph(over_skill.HEADING, [*over_skill.told(known), *_unmeasured(d, side)])


def _unmeasured(d: Mapping, side: str) -> Iterator[str]:
    if side:
        it, scenario = d[side], d["scenarios_named"][side]
        yield bracket.unmeasured(d["named"], scenario, it["difficulty"], it["overrides"])


def _how_sure(d: Mapping) -> list[str]:
    without_luck = d.get("luck_adjusted")
    more = [luck.difference_line(luck.DifferenceWithoutLuck.read(without_luck))] if without_luck else []
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
    return f"{_moved(row, d)}, {_side(row, 'base')} before and {_side(row, 'changed')} after"


def _moved(row: Mapping, d: Mapping) -> str:
    """`the win rate +9.0 percentage points (6.5 to 12.2)`"""
    text, limits = _difference(row)
    return f"{_name(row, d)} {text if row['kind'] == 'column' else differences.points(text)} ({limits})"


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
    means = [row for row in d["effects"] if row["kind"] == "column"]
    sides = [_sides(shares, d, "shares", 100)]
    sides += [_sides([row], d, f"mean-{index}", 1) for index, row in enumerate(means)]
    moves = [_moves(shares, d, "moved-shares", differences.POINTS)]
    moves += [_moves([row], d, f"moved-{index}", row["name"]) for index, row in enumerate(means)]
    level = words.level(d["difference"]["level"])
    both = f"{words.title(change(d))}. Each side with its {level} interval."
    paired = (
        f"{words.title(change(d))}. After less before, game by game on common luck, with {level} "
        "intervals; the dashed line is no difference. Grey: not distinguishable from zero."
    )
    return [
        Section("Before and after", both, one_group(sides), ((BEFORE, "Before"), (AFTER, "After"))),
        Section("What the change does", paired, one_group(moves)),
    ]


def _sides(rows: Sequence[Mapping], d: Mapping, name: str, scale: float) -> Picture:
    """One picture; scale: 100 for shares, 1 for a mean."""
    shown = [
        dots.Row(
            words.title(_name(row, d)),
            f"{_side(row, 'base')} -> {_side(row, 'changed')}",
            (dots.Point(Interval(**row["base"]), BEFORE), dots.Point(Interval(**row["changed"]), AFTER)),
        )
        for row in rows
    ]
    intervals = [point.interval for row in shown for point in row.points]
    low, high = min(0.0, *(it.low for it in intervals)), max(it.high for it in intervals) * (1 + ROOM)
    figure = (
        dots.draw(shown, min(high, 1.0), "of the games", least=low)
        if scale == 100
        else dots.draw(shown, high or 1.0, "mean of a game", percent=False, least=low)
    )
    first, unit = rows[0], "shares of the games" if scale == 100 else "means of a game"
    title = f"{words.title(_name(first, d))}: {_side(first, 'base')} before, {_side(first, 'changed')} after"
    return picture(title, words.title(unit), figure, name, _in_words(shown))


def _moves(rows: Sequence[Mapping], d: Mapping, name: str, unit: str) -> Picture:
    shown = []
    for row in rows:
        move = Interval(**row["difference"]).scaled(_scale(row))
        point = dots.Point(move, AFTER if _is_moved(row) else BEFORE)
        shown.append(dots.Row(words.title(_name(row, d)), "{} ({})".format(*_difference(row)), (point,)))
    ends = difference_dots.axis((row.points[0].interval for row in shown), ROOM)
    moved = [row for row in rows if _is_moved(row)]
    title = words.title(_moved(moved[0], d)) if moved else "Nothing moves that these games can show"
    note = f"Differences in {unit}"
    return picture(title, note, difference_dots.draw(shown, unit, ends), name, _in_words(shown))


def _in_words(rows: Sequence[dots.Row]) -> str:
    return "; ".join(f"{row.label} {row.value}" for row in rows)


# ---------------------------------------------------------------- tables


HEADERS = (
    "Measure",
    "Games a side",
    "Before",
    "After",
    "Difference",
    "p (adjusted)",
    "Pairing factor",
    "Games that differ",
)


def tables_of(d: Mapping) -> list[Table]:
    return [_effects(d), *_ends(d)]


def _effects(d: Mapping) -> Table:
    caption = (
        "The same game numbers on both sides, paired game by game; "
        f"{words.level(d['difference']['level'])} intervals, p adjusted for all lines (Benjamini and "
        "Hochberg 1995)."
    )
    return Table("Paired differences", caption, HEADERS, tuple(_row(row, d) for row in d["effects"]))


def _row(row: Mapping, d: Mapping) -> tuple[Entry, ...]:
    text, limits = _difference(row)
    unit = "" if row["kind"] == "column" else f" {differences.PP}"
    return (
        Entry(words.title(_name(row, d))),
        entries.count(row["n"]),
        Entry(_side(row, "base")),
        Entry(_side(row, "changed")),
        Entry(f"{text}{unit}", f"{limits}; {row['difference']['method']}"),
        entries.p_values(row["p"], row["p_adjusted"]),
        entries.factor(row["pairing_factor"], digits=1),
        Entry(words.share(Interval(**row["differing"]))),
    )


def _ends(d: Mapping) -> Iterator[Table]:
    """How games end on either side, and with which tier, counted."""
    of = "; the first seating" if d["a"].get("rotations") else ""
    caption = f"Games, of {words.count(d['n'])} a side{of}."
    for key, name in (("tiers", "Tiers"), ("end_reasons", "How games end")):
        sides = [d[side].get(key) or {} for side in ("a", "b")]
        kinds = dict.fromkeys(kind for side in sides for kind in side)
        rows = tuple(
            (Entry(words.title(kind)), *(entries.count(side.get(kind, 0)) for side in sides))
            for kind in kinds
            if any(side.get(kind) for side in sides)
        )
        if rows:
            yield Table(name, caption, ("", "Before", "After"), rows)


def assumptions(d: Mapping) -> list[str]:
    said = d.get("banner", {}).get("text")
    return [line for line in dict.fromkeys([*d["a"]["assumptions"], *d["b"]["assumptions"]]) if line != said]


# ---------------------------------------------------------------- pages


def _common(d: Mapping) -> dict[str, Any]:
    return {
        "title": title(d),
        "lines": [*before(d), *deck(d)],
        "played": played(d),
        "whose": facts.NOT_PEOPLE,
        "banner": banner.lines(d["banner"], d["named"]) if "banner" in d else (),
        "front": front.of_two(d["change"], d["sentence"], f"{words.title(_how_sure(d)[-1])}."),
        "verdict": verdict(d),
        "tables": tables_of(d),
        "assumptions": assumptions(d),
        "rules_source": f"Rules: {d['rules_source'].rstrip('.')}." if d["rules_source"] else "",
        "command": d["command"],
        "signed": d["signed"],
        "versions": ", ".join(f"{name} {version}" for name, version in d["a"]["versions"].items()),
        "method": f"Differences: {d['difference']['method']}. Each line of the table names its own.",
    }


def page(d: dict) -> str:
    return render("comparison.html.j2", **content(d))


def content(d: dict) -> dict[str, Any]:
    """What the page holds, on a screen or on paper."""
    parts = {"sections": sections(d), **_common(d)}
    return {"d": d, "glossary": glossary.used_in(parts), **parts}


def text(d: dict) -> str:
    parts = list(filter(None, _parts(d, _common(d))))
    return "\n\n".join([*parts, *glossary.in_markdown(parts)]) + "\n"


def _parts(d: Mapping, it: Mapping) -> Iterator[str]:
    """Of the page as Markdown."""
    yield f"# {it['title']}"
    yield from (f"> **{line}**" for line in (*it["lines"], *it["banner"][:1]))
    yield it["played"]
    yield from (f"**{paragraph.heading}.** {paragraph.text}" for paragraph in it["verdict"])
    for table in it["tables"]:
        yield from (f"## {table.title}", f"> {change(d)}.", table.caption, grid(table))
    yield "## What was played, and what is assumed"
    yield it["rules_source"]
    yield from (f"- {line}" for line in it["assumptions"])
    yield it["method"]
    yield from ("## Play it again", f"```\n{it['command']}\n```", f"Seed {d['seed']}; {it['versions']}.")
