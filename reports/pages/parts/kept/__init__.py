"""Answers of other commands that stand beside the games: a section and tables each, after those of the games.

What can be kept is a table here: kind of answer -> what it says (`told.KeptFinding`).
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from bartizan.reports.blocks import Table, View
from bartizan.reports.entries import grid
from bartizan.reports.pages.parts import sensitivity
from bartizan.reports.pages.parts.kept import steps
from bartizan.reports.pages.parts.kept.told import KeptFinding, of_view
from bartizan.reports.pages.parts.methods import Method
from bartizan.reports.pages.parts.pictures import Section, one_group
from bartizan.reports.study import Study
from bartizan.reports.text import banner, changes, words
from bartizan.reports.views import coverage, ladder, losses, luck, people_skill, tune
from bartizan.simcore.errors import BartizanError, EngineError
from bartizan.simcore.sweep.store import answers_in

KINDS: dict[str, Callable[[Mapping, str], KeptFinding]] = {
    people_skill.KIND: lambda answer, name: of_view(people_skill.view(people_skill.read(answer)), name),
    "losses": lambda answer, name: of_view(losses.view(losses.LossesDocument.read(answer)), name),
    "luck": lambda answer, name: of_view(luck.view(luck.LuckDocument.read(answer)), name),
    "ladder": lambda answer, name: of_view(ladder.view(ladder.LadderDocument.read(answer)), name),
    "tune": lambda answer, name: of_view(tune.view(tune.read(answer)), name),
    "coverage": lambda answer, name: of_view(coverage.view(coverage.CoverageDocument.read(answer)), name),
    "steps": steps.told,
}
NOT_PEOPLE = "Computer policies played, not people."


def _told(study: Study) -> Iterator[tuple[Mapping, KeptFinding]]:
    """Every kept answer with what it says, in the order of KINDS."""
    order = list(KINDS)
    known = [kept for kept in study.kept if kept["kind"] in order]
    for index, kept in enumerate(sorted(known, key=lambda kept: order.index(kept["kind"]))):
        yield kept, KINDS[kept["kind"]](kept["answer"], f"kept-{index}")


def _other_sensitivities(study: Study) -> list[dict]:
    """The documents of each sensitivity that is not about its question."""
    return [kept["answer"] for kept in study.kept if kept["kind"] == "sensitivity"]


def _other_views(study: Study) -> list[View]:
    return [view for other in _other_sensitivities(study) for view in sensitivity.views_of(other, study)]


def refuse_damaged(folder: Path, study: Study) -> None:
    """Raises EngineError for a kept answer that cannot be shown: edited by hand, or of another version."""
    for path, one in zip(answers_in(folder), study.kept, strict=True):
        alone = replace(study, kept=(one,))
        try:
            shown = [sections(alone), tables_of(alone), methods(alone), list(in_markdown(alone))]
            json.dumps([documents(alone), str(shown)])
        except BartizanError:
            raise
        except Exception as error:  # whatever a wrong type or a lost key brings about
            why = f"{type(error).__name__}: {str(error)[:80]}"
            raise EngineError(f"{path}: damaged ({why}); delete it and ask for it again") from error


def sections(study: Study) -> list[Section]:
    found = [_section(kept, told, study) for kept, told in _told(study)]
    return [
        *found,
        *(one for other in _other_sensitivities(study) for one in sensitivity.sections_of(other, study)),
    ]


def _section(kept: Mapping, told: KeptFinding, study: Study) -> Section:
    caption = " ".join([*_before(kept, study), _caption(kept, told, study)])
    pictures = one_group(list(told.pictures()))
    return Section(words.sentence(told.title), caption, pictures, told.legend, lines=_lines(kept, told))


def _caption(kept: Mapping, told: KeptFinding, study: Study) -> str:
    who = "" if told.by_people else NOT_PEOPLE
    return " ".join(filter(None, [told.caption, who, *_unlike(kept, study)]))


def _lines(kept: Mapping, told: KeptFinding) -> tuple[str, ...]:
    return *told.lines, f"Made by: {kept['command']}"


def _before(kept: Mapping, study: Study) -> Iterator[str]:
    """What must be said before any number: that it is of a reconstruction, that the game is changed."""
    answer = _about(kept)
    caveat = kept["answer"].get("banner") or answer.get("banner")
    if caveat:
        yield banner.lines(caveat, study.named)[0]
    if answer.get("changes") or answer["title"] != study.manifest["title"]:
        yield f"{changes.titled(answer)}."


def _about(kept: Mapping) -> Mapping:
    """What was played: of steps the base."""
    answer = kept["answer"]
    return answer.get("a", answer) if kept["kind"] == "steps" else answer


def _unlike(kept: Mapping, study: Study) -> Iterator[str]:
    """Whether it is about the games above."""
    answer, played = _about(kept), {finding.cell.scenario_hash for finding in study.findings}
    hashes = set(answer.get("scenario_hashes", {}).values()) or {answer["scenario_hash"]}
    if not hashes & played:
        yield f"Not the numbers and rules of the games above: scenario {words.listing(sorted(hashes))}."
    before = study.manifest["behaviour"]
    if kept["behaviour"] != before:
        yield (
            f"Not the rules code of the games above either way: this is behaviour {kept['behaviour']} of it, "
            f"those are behaviour {before}; the same seed plays differently."
        )


def tables_of(study: Study) -> list[Table]:
    found = [_said_of(table, kept, study) for kept, told in _told(study) for table in told.tables]
    return [*found, *(table for view in _other_views(study) for table in view.tables)]


def _said_of(table: Table, kept: Mapping, study: Study) -> Table:
    """A table may be read by itself."""
    before = list(_before(kept, study))
    return replace(table, caption=" ".join([*before, table.caption])) if before else table


def methods(study: Study) -> list[Method]:
    return list(dict.fromkeys((told.job, told.method) for _, told in _told(study)))


def in_markdown(study: Study) -> Iterator[str]:
    """A heading each, with what must be said before any number of it."""
    for kept, told in _told(study):
        yield f"## {words.sentence(told.title)}"
        yield from (f"> {line}" for line in _before(kept, study))
        yield _caption(kept, told, study)
        yield "\n".join(f"- {line}" for line in _lines(kept, told))
        for table in told.tables:
            said = _said_of(table, kept, study)
            yield from (f"### {said.title}", said.caption, grid(said))
    for view in _other_views(study):
        for table in view.tables:
            yield from (f"## {table.title}", table.caption, grid(table))


def documents(study: Study) -> list[dict]:
    """For the report's data: each kept answer, with what it is called on the page."""
    titles = {id(kept): told.title for kept, told in _told(study)}
    return [{"title": titles.get(id(kept), kept["kind"]), **kept} for kept in study.kept]
