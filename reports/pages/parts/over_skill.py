"""Difficulty over skill: the brackets that were measured of what a page reports."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from bartizan.analyses.records import brackets
from bartizan.analyses.records.brackets import Bracket, about
from bartizan.reports.blocks import Paragraph, Section, paragraph
from bartizan.reports.study import Study
from bartizan.reports.views import bracket as views
from bartizan.reports.views.bracket import HEADING, POLICIES_ONLY, MeasuredBracket

METHOD = (
    "shares as above, of games on common luck for all rungs; the gain of a look-ahead is paired game by game "
    "(Student's t; exact tails where few games differ)."
)


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


def paragraphs(study: Study) -> list[Paragraph]:
    """A sentence a level and role; for what was not measured, what would measure it."""
    if study.is_about_length or not study.findings:
        return []
    return [paragraph(HEADING, [*sentences(of_study(study)), *_unmeasured(study)])]


def sentences(known: Sequence[Mapping], sentence=views.sentence) -> list[str]:
    """One a bracket, and who stands on its rungs."""
    return [*(sentence(MeasuredBracket.read(row)) for row in known), POLICIES_ONLY] if known else []


def _unmeasured(study: Study) -> Iterator[str]:
    """Of the first cell that no bracket is of."""
    known, manifest = {row["scenario_hash"] for row in of_study(study)}, study.manifest
    cells = [finding.cell for finding in study.findings if finding.cell.scenario_hash not in known]
    if cells:
        scenario = manifest.get("scenario_as_named")
        line = views.unmeasured(study.named, scenario, cells[0].difficulty, cells[0].set)
        some = [finding.name for finding in study.findings if finding.cell is cells[0]]
        yield line if not known else line.replace("this variant", f"every variant, such as {some[0]}")


def sections(study: Study) -> list[Section]:
    """What the verdict has said in sentences, as a curve and a table."""
    known = of_study(study)
    if not known:
        return []
    return [replace(views.view("", known).section, lines=(), method=(HEADING, METHOD))]
