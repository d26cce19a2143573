"""Difficulty over skill: the brackets that were measured of what a page reports."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from bartizan.analyses.records import brackets
from bartizan.analyses.records.brackets import HEURISTIC, NEWCOMER, PEEKING, RANDOM, TRAINED, Bracket
from bartizan.analyses.records.shipped import about
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Table
from bartizan.reports.figures import over_skill, theme
from bartizan.reports.pages.parts.methods import Method
from bartizan.reports.pages.parts.paragraphs import Paragraph, paragraph
from bartizan.reports.pages.parts.pictures import Section, one_group, picture
from bartizan.reports.study import Study
from bartizan.reports.text import bracket as text
from bartizan.reports.text import words

HEADING = "Over skill"
METHOD = (
    "shares as above, of games on common luck for all rungs; the gain of a look-ahead is paired game by game "
    "(Student's t; exact tails where few games differ)."
)
CAPTION = (
    "Share of games won by computer players of rising skill. The line through a dot is its 95 % interval."
)
AHEAD = " Numbers are plays a decision of a player that looks ahead."
BEYOND = " A hollow dot: a player that sees the coming cards, which nobody can."


@lru_cache(maxsize=8)
def _shipped(named: str) -> tuple[Bracket, ...]:
    return tuple(brackets.shipped(named))


def measured(named: str, behaviour: int, hashes: Iterable[str]) -> list[Bracket]:
    """The brackets of some scenarios, in their order."""
    return about(_shipped(named), hashes, behaviour)


def of_study(study: Study) -> list[Bracket]:
    """Of its cells; none where nobody can win more than another."""
    if study.is_about_length:
        return []
    return measured(study.named, study.manifest["behaviour"], study.scenarios)


def documents(study: Study) -> list[dict]:
    return [text.document(one) for one in of_study(study)]


# ---------------------------------------------------------------- in words


def paragraphs(study: Study) -> list[Paragraph]:
    """A sentence a level and role; for what was not measured, what would measure it."""
    if study.is_about_length or not study.findings:
        return []
    return [paragraph(HEADING, [*told(of_study(study)), *_unmeasured(study)])]


def told(found: Sequence[Bracket]) -> list[str]:
    return [*map(text.sentence, found), text.POLICIES_ONLY] if found else []


def _unmeasured(study: Study) -> Iterator[str]:
    """Of the first cell that no bracket is of."""
    known, manifest = {one["scenario_hash"] for one in of_study(study)}, study.manifest
    cells = [finding.cell for finding in study.findings if finding.cell.scenario_hash not in known]
    if cells:
        scenario = manifest.get("scenario_as_named")
        line = text.unmeasured(study.named, scenario, cells[0].difficulty, cells[0].set)
        some = [finding.name for finding in study.findings if finding.cell is cells[0]]
        yield line if not known else line.replace("this variant", f"every variant, such as {some[0]}")


def methods(study: Study) -> list[Method]:
    return [("Over skill", METHOD)] if of_study(study) else []


# ---------------------------------------------------------------- picture and table


def sections(study: Study) -> list[Section]:
    found = of_study(study)
    if not found:
        return []
    places = _places(found)
    names = [_name(*place) for place in places]
    colours = theme.player_colours([text.heading(one) for one in found])
    curves = [_curve(one, places, colours[text.heading(one)]) for one in found]
    drawn = over_skill.draw(names, curves)
    alt = over_skill.describe(names, curves)
    ahead = AHEAD if any(plays for _, plays in places) else ""
    beyond = BEYOND if any(curve.beyond for curve in curves) else ""
    pictures = [picture("How far skill carries", "", drawn, "over-skill", alt)]
    return [Section(HEADING, CAPTION + ahead + beyond, one_group(pictures))]


def _places(found: Sequence[Bracket]) -> list[tuple[str, int]]:
    """(rung, plays) along the axis; one place for all that see the coming cards."""
    order = {kind: place for place, kind in enumerate(brackets.RUNGS)}
    there = {
        (row["rung"], 0 if row["rung"] == PEEKING else row["plays"]) for one in found for row in one["rungs"]
    }
    return sorted(there, key=lambda place: (order[place[0]], place[1]))


def _name(kind: str, plays: int) -> str:
    said = {RANDOM: "chance", NEWCOMER: "newcomer", HEURISTIC: "heuristic", TRAINED: "trained"}
    return said.get(kind, "sees cards" if kind == PEEKING else f"{plays:,}")


def _curve(bracket: Bracket, places: Sequence[tuple[str, int]], colour: str) -> over_skill.SkillCurve:
    rows = [row for row in bracket["rungs"] if row["rung"] != PEEKING]
    seeing = [Interval(**row["win_rate"]) for row in bracket["rungs"] if row["rung"] == PEEKING]
    return over_skill.SkillCurve(
        text.heading(bracket),
        colour,
        tuple(places.index((row["rung"], row["plays"])) for row in rows),
        tuple(Interval(**row["win_rate"]) for row in rows),
        seeing[-1] if seeing else None,
    )


def tables_of(study: Study) -> list[Table]:
    found = of_study(study)
    if not found:
        return []
    caption = (
        "Computer players of rising skill on common luck; the gain of one that looks ahead is over half its "
        "plays, or over its policy without, in the same games."
    )
    headers = ("Level or role", "Player", "Games won", "Gain", "Measured")
    rows = (_row(bracket, row) for bracket in found for row in bracket["rungs"])
    return [Table(HEADING, caption, headers, tuple(rows))]


def _row(bracket: Bracket, row: Mapping) -> tuple[Entry, ...]:
    note = text.UNPLAYABLE if row["rung"] == PEEKING else ""
    return (
        Entry(text.heading(bracket)),
        Entry(words.sentence(text.row_name(row)), note),
        entries.share(Interval(**row["win_rate"])),
        _gain(row["gain"]) if row["gain"] else entries.NONE,
        Entry(row["measured"], f"{words.count(row['games'])} games"),
    )


def _gain(gain: Mapping) -> Entry:
    """And over whom: half the plays, or the policy without looking ahead."""
    said = entries.points(text.interval_of(gain), with_method=True)
    return Entry(said.text, f"{said.note}; over {text.policy_name(gain['over'])}")
