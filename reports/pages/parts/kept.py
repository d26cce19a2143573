"""Answers of other commands that stand beside the games: a section and tables each, after those of the games.

What can be kept is a table here: kind of answer -> what it says.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from bartizan.reports.blocks import Section, View
from bartizan.reports.pages.parts import sensitivity
from bartizan.reports.study import Study
from bartizan.reports.text import banner, changes, words
from bartizan.reports.views import compare, coverage, ladder, losses, luck, people_skill, tune
from bartizan.simcore.errors import BartizanError, EngineError
from bartizan.simcore.sweep.store import answers_in

KINDS: dict[str, Callable[[Mapping], View]] = {
    people_skill.KIND: lambda answer: people_skill.view(people_skill.read(answer)),
    "losses": lambda answer: losses.view(losses.LossesDocument.read(answer)),
    "luck": lambda answer: luck.view(luck.LuckDocument.read(answer)),
    "ladder": lambda answer: ladder.view(ladder.LadderDocument.read(answer)),
    "tune": lambda answer: tune.view(tune.read(answer)),
    "coverage": lambda answer: coverage.view(coverage.CoverageDocument.read(answer)),
    "steps": lambda answer: compare.steps_view(compare.StepsDocument.read(answer)),
}
NOT_PEOPLE = "Computer policies played, not people."


def _views(study: Study) -> Iterator[tuple[Mapping, View]]:
    """Every kept answer with what it says, in the order of KINDS."""
    for kind, view in KINDS.items():
        yield from ((kept, view(kept["answer"])) for kept in study.kept if kept["kind"] == kind)


def sections(study: Study) -> list[Section]:
    """Sensitivities are those that are not about the sweep's question."""
    others = [kept["answer"] for kept in study.kept if kept["kind"] == "sensitivity"]
    return [
        *(_section(kept, view, study) for kept, view in _views(study)),
        *(section for other in others for section in sensitivity.sections(other, study)),
    ]


def _section(kept: Mapping, view: View, study: Study) -> Section:
    """A figure and a table may be read by themselves."""
    before, who = list(_before(kept, study)), "" if view.by_people else NOT_PEOPLE
    return replace(
        view.section,
        title=words.sentence(view.title),
        caption=" ".join(filter(None, [*before, view.caption, who, *_unlike(kept, study)])),
        lines=(*view.findings, f"Made by: {kept['command']}"),
        tables=tuple(replace(table, caption=" ".join([*before, table.caption])) for table in view.tables),
    )


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


def refuse_damaged(folder: Path, study: Study) -> None:
    """Raises EngineError for a kept answer that cannot be shown: edited by hand, or of another version."""
    for path, kept in zip(answers_in(folder), study.kept, strict=True):
        alone = replace(study, kept=(kept,))
        try:
            for section in sections(alone):
                for figure in section.figures:
                    figure.draw()
            json.dumps(documents(alone))
        except BartizanError:
            raise
        except Exception as error:  # whatever a wrong type or a lost key brings about
            why = f"{type(error).__name__}: {str(error)[:80]}"
            raise EngineError(f"{path}: damaged ({why}); delete it and ask for it again") from error


def documents(study: Study) -> list[dict]:
    """For the report's data: each kept answer, with what it is called on the page."""
    titles = {id(kept): view.title for kept, view in _views(study)}
    return [{"title": titles.get(id(kept), kept["kind"]), **kept} for kept in study.kept]
