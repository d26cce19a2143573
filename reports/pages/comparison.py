"""The page of a comparison: before and after a change, from a folder saved by `bartizan compare -o`."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Figure, Page, Paragraph, Table, View, paragraph
from bartizan.reports.figures import dots
from bartizan.reports.figures.theme import CLEAR, UNCLEAR
from bartizan.reports.pages.parts import certainty, facts, frame, front, measured, validity
from bartizan.reports.text import banner, changes, differences, estimates, sentences, words
from bartizan.reports.views import bracket, compare
from bartizan.reports.views.compare import ComparisonDocument, MeasureRow, name_of
from bartizan.simcore.errors import EngineError
from bartizan.simcore.sources import rules_version
from bartizan.simcore.sweep.store import COMPARISON, open_sweep

SCHEMA = "bartizan.compare/1"
AGAIN = "run the same compare command with the same -o again"
ROOM = 0.1  # margin of an axis beyond the longest interval


@dataclass(frozen=True)
class KeptComparison:
    """A saved comparison. data: its JSON document, with information from the manifests of both sides."""

    document: ComparisonDocument
    data: dict[str, Any]

    @property
    def named(self) -> str:
        """The game as named in commands."""
        return str(self.data["named"])


def read(folder: Path) -> KeptComparison:
    """Read a comparison from its folder.

    Raises EngineError if the file is damaged, or does not match the games of the two sides.
    """
    path = folder / COMPARISON
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["schema"] != SCHEMA:
            raise ValueError(f"its schema is {data['schema']}, not {SCHEMA}")
        manifests = {side: _manifest_of(folder / side, data[side], path) for side in ("a", "b")}
        manifest = manifests["b"]
        document = ComparisonDocument.read(data)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise EngineError(f"{path}: damaged ({error}); {AGAIN}") from error
    more = {
        "command": manifest["command"],
        "signed": facts.signed(manifest),
        "rules_source": manifest["rules_source"],
        "rules_version": rules_version(manifest),
        "named": manifest["game_as_named"],
        "assumed_values": {
            side: each["cells"][0].get("assumed_values", []) for side, each in manifests.items()
        },
        "scenarios_named": {side: each.get("scenario_as_named") for side, each in manifests.items()},
    }
    return KeptComparison(document, {**data, **more})


def _manifest_of(folder: Path, side: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """Return the manifest of one side, whose games are in `folder`.

    side: the document of this side. path: the file with the document, for the message. Raises EngineError if
    the document does not describe the games in the folder.
    """
    opened = open_sweep(folder)
    for cell, played in zip(opened.cells, [side, *side.get("rotations", [])], strict=True):
        if (cell.scenario_hash, cell.games) != (played["scenario_hash"], played["games"]):
            raise EngineError(f"{path}: does not describe the games in {folder}; {AGAIN}")
    return opened.manifest


def page(comparison: KeptComparison) -> Page:
    d, data = comparison.document, comparison.data
    caveat = banner.lines(d.banner, comparison.named) if d.banner else ()
    change = compare.changed(d)
    versions = ", ".join(f"{name} {version}" for name, version in d.a["versions"].items())
    most = max(d.sides, key=lambda side: int(side["assumed"]))  # as in the sentences
    known = validity.lines(validity.of(d.game, comparison.named, most.get("confidence", {})))
    return Page(
        title=f"{d.title}: {change}",
        headline="Before and after: effect of the change",
        caveat=caveat[0] if caveat else "",
        reminders=(*caveat[:1], f"{change}."),
        changed=tuple(_changed(d)),
        whose=facts.NOT_PEOPLE,
        parts=(
            frame.answer(
                compare.chart(d),
                " ".join([compare.played(d), facts.NOT_PEOPLE, *caveat[1:]]),
                front.of_two(d.change, f"{words.title(sentences.rests_on(d.assumed))}."),
            ),
            frame.in_words(
                [*_verdict(d), paragraph(certainty.HOW_SURE, _how_sure(d)), _over_skill(comparison)]
            ),
            *frame.sections(_sections(d, words.title(change))),
            frame.numbers([compare.effects_table(d), *_ends(d)]),
            frame.background(
                [f"Rules: {data['rules_source'].rstrip('.')}."] if data["rules_source"] else [],
                (),
                None,
                data["assumed_values"]["a" if most is d.a else "b"],
                [line for line in d.assumptions if line != (d.banner or {}).get("text")],
                [compare.method(d)],
                known,
            ),
            frame.again(data["command"], versions, d.seed, d.a["behaviour"]),
        ),
        signed=data["signed"],
    )


# ---------------------------------------------------------------- what it says


def _changed(d: ComparisonDocument) -> Iterator[str]:
    """Yield sentences on the changes of both sides, and on the contents of another scenario file."""
    if d.changes:
        yield f"Both sides use a changed game: {changes.listing(d.changes, None)}."
    for row in d.change:
        if row.get("changes"):
            yield f"The {row['what']} {row['to']}: {changes.listing(row['changes'], None)}."


def _verdict(d: ComparisonDocument) -> Iterator[Paragraph]:
    moved, still, untested = (
        "; ".join(
            f"{name_of(row, d)} {row.said}, {row.side(row.base)} before and {row.side(row.changed)} after"
            f"{row.over(d.n)}"
            for row in d.effects
            if row.is_moved == clear and row.difference.has_limits == tested
        )
        for clear, tested in ((True, True), (False, True), (False, False))
    )
    yield paragraph("The answer", list(filter(None, [d.sentence, d.method])))
    if moved:
        level = words.level(d.effects[0].difference.level)
        alone = f"Each interval is a {level} interval for its measure alone."
        yield paragraph("Significant effects", [f"{words.title(moved)}.", alone])
    if still and not d.is_idle:
        limits = "The intervals show the largest effects that are still possible."
        yield paragraph("No significant effect", [f"{words.title(still)}.", limits])
    if untested and not d.is_idle:
        heading = "The same difference in all games" if d.n > 1 else "Not tested"
        yield paragraph(heading, [f"{words.title(untested)}."])


def _how_sure(d: ComparisonDocument) -> Iterator[str]:
    for line in compare.how_paired(d):
        yield f"{words.title(line)}."


def _over_skill(comparison: KeptComparison) -> Paragraph:
    """Return the win rates by skill of both sides, with the command that measures a missing bracket."""
    d, named = comparison.document, comparison.named
    sides = {side["scenario_hash"]: name for name, side in (("b", d.b), ("a", d.a))}
    known = measured.brackets_of(named, comparison.data["rules_version"], sides)
    lines = measured.skill_sentences(known)
    if lacking := sorted(sides[key] for key in sides.keys() - {row["scenario_hash"] for row in known}):
        scenario, side = comparison.data["scenarios_named"][lacking[0]], comparison.data[lacking[0]]
        lines.append(bracket.unmeasured(named, scenario, side["difficulty"], side["overrides"]))
    return paragraph(bracket.HEADING, lines)


# ---------------------------------------------------------------- figures


def _sections(d: ComparisonDocument, change: str) -> list[View]:
    """Return one section with a figure of all shares and a figure of each mean."""
    shares = [row for row in d.effects if row.is_share]
    groups = [shares, *([row] for row in d.effects if not row.is_share)]
    paired = (
        f"{change}. After minus before, paired game by game, each with its own "
        f"{words.level(d.difference.level)} interval. The dashed line is no difference. Grey: not "
        "significant."
    )
    figures = tuple(_moves(rows, d) for rows in groups if rows)
    return [View(title="Effect of the change", caption=paired, blocks=figures)]


def _moves(rows: Sequence[MeasureRow], d: ComparisonDocument) -> Figure:
    shown = []
    for row in rows:
        point = dots.mark(row.difference.scaled(row.scale), CLEAR if row.is_moved else UNCLEAR)
        said = str(estimates.change(row.difference, row.scale, least=1))
        shown.append(dots.row(words.title(name_of(row, d)), said, (point,)))
    ends = dots.axis_of((row.marks[0].interval for row in shown), ROOM)
    unit = differences.POINTS if rows[0].is_share else rows[0].name
    moved = [row for row in rows if row.is_moved]
    title = (
        words.title(f"{name_of(moved[0], d)} {moved[0].said}") if moved else "These games show no difference"
    )
    return Figure(title, dots.differences(shown, unit, ends), f"Differences in {unit}")


# ---------------------------------------------------------------- tables


def _ends(d: ComparisonDocument) -> Iterator[Table]:
    """Yield the tables of tiers and of endings on both sides."""
    of = "; the first seating" if d.a.get("rotations") else ""
    caption = f"Games, of {words.count(d.n)} per side{of}."
    for key, name in (("tiers", "Tiers"), ("end_reasons", "How games end")):
        sides = [side.get(key) or {} for side in d.sides]
        kinds = dict.fromkeys(kind for side in sides for kind in side)
        rows = tuple(
            (Entry(words.title(kind)), *(entries.count(side.get(kind, 0)) for side in sides))
            for kind in kinds
            if any(side.get(kind) for side in sides)
        )
        if rows:
            yield Table(name, caption, ("", "Before", "After"), rows)
