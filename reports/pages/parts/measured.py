"""Results that do not come from the games of a page.

These are equilibria, brackets, cards, sensitivity to assumptions, and the other results saved in the folder.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any

from bartizan.analyses.document import DocumentError
from bartizan.analyses.records import brackets, equilibria
from bartizan.analyses.records.brackets import Bracket, about
from bartizan.reports import views
from bartizan.reports.blocks import Block, Lines, Method, Paragraph, Table, View, paragraph
from bartizan.reports.pages.parts import names
from bartizan.reports.study import PLAYS_BY_PEOPLE, Study
from bartizan.reports.text import banner, changes, words
from bartizan.reports.views import bracket
from bartizan.simcore.errors import BartizanError, EngineError
from bartizan.simcore.files import file_digest
from bartizan.simcore.game import beside
from bartizan.simcore.sources import rules_version
from bartizan.simcore.sweep.store import CARDS, SENSITIVITY, answers_in

# ---------------------------------------------------------------- between the best players

BETWEEN = "Between the best players"
BETWEEN_METHOD = (
    "alternating best responses (double oracle, McMahan, Gordon & Blum 2003): each side trains a new player "
    "against the other side's mixture and is evaluated on held-out games. The value has a Wilson interval, "
    "from held-out games between the mixtures."
)


def _equilibria(named: str) -> tuple[dict[str, Any], ...]:
    return _beside(named, "equilibria.json", equilibria.shipped)


def _beside(named: str, name: str, read: Callable[[str], Iterable[Bracket]]) -> tuple[Bracket, ...]:
    """Return the results in a file that is saved with the policies of a game.

    named: the game in a command.
    """
    path = beside(named, name).absolute()
    return _read_once(path, file_digest(path) if path.is_file() else "", named, read)


@lru_cache(maxsize=8)  # a page reads the same results several times; a process may outlive the file
def _read_once(
    path: Path, digest: str, named: str, read: Callable[[str], Iterable[Bracket]]
) -> tuple[Bracket, ...]:
    return tuple(read(named))


def equilibria_of(study: Study) -> list[dict[str, Any]]:
    """Return the equilibria known for the scenarios of the cells, in the order of the cells."""
    known = _equilibria(study.named) if study.is_contest else ()
    return about(known, study.scenarios, rules_version(study.manifest))


def between_paragraphs(study: Study) -> list[Paragraph]:
    """Return a paragraph with one sentence per scenario that has a known equilibrium; [] without one.

    If there are several, each sentence begins with its settings.
    """
    first = {finding.cell.scenario_hash: finding for finding in reversed(study.findings)}
    answers = [views.equilibrium.EquilibriumDocument.read(row) for row in equilibria_of(study)]
    sentences = []
    for answer in answers:
        settings = names.settings(first[answer.scenario_hash], study) if len(answers) > 1 else []
        where = f"{words.sentence(', '.join(settings))}: " if settings else ""
        sentences.append(f"{where}{views.equilibrium.brief(answer)}")
    return [paragraph(BETWEEN, [*sentences, views.equilibrium.POLICIES_ONLY])] if answers else []


def between_methods(study: Study) -> list[Method]:
    return [(BETWEEN, BETWEEN_METHOD)] if equilibria_of(study) else []


# ---------------------------------------------------------------- difficulty over skill

SKILL_METHOD = (
    "shares as above, from games with common random numbers for all players; the gain of lookahead is paired "
    "game by game (Student t; exact tails if few games differ)."
)


def _brackets(named: str) -> tuple[Bracket, ...]:
    return _beside(named, "bracket.json", brackets.shipped)


def brackets_of(named: str, version: tuple[int, str], hashes: Iterable[str]) -> list[Bracket]:
    """Return the brackets of the given scenarios, in their order. version: rules version."""
    return about(_brackets(named), hashes, version)


def brackets_of_study(study: Study) -> list[Bracket]:
    """Return the brackets of the cells; [] if all games have the same result, and for imported records."""
    if study.has_one_result or study.is_imported:
        return []
    return brackets_of(study.named, rules_version(study.manifest), study.scenarios)


def skill_paragraphs(study: Study) -> list[Paragraph]:
    """Return a paragraph with one sentence per level and role.

    The last sentence gives the command that measures a variant without a bracket, if there is one. Returns []
    if all games have the same result, for imported records, and without games.
    """
    if study.has_one_result or study.is_imported or not study.findings:
        return []
    return [paragraph(bracket.HEADING, [*skill_sentences(brackets_of_study(study)), *_unmeasured(study)])]


def skill_sentences(known: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return one sentence per bracket, and a note that all players are policies; [] without brackets."""
    return (
        [*(bracket.sentence(bracket.MeasuredBracket.read(row)) for row in known), bracket.POLICIES_ONLY]
        if known
        else []
    )


def _unmeasured(study: Study) -> Iterator[str]:
    """Yield a sentence with the command that measures the first cell without a bracket."""
    known, manifest = {row["scenario_hash"] for row in brackets_of_study(study)}, study.manifest
    cells = [finding.cell for finding in study.findings if finding.cell.scenario_hash not in known]
    if cells:
        scenario = manifest.get("scenario_as_named")
        level = study.named_level(cells[0])
        line = bracket.unmeasured(study.named, scenario, level, cells[0].set)
        some = [finding.name for finding in study.findings if finding.cell is cells[0]]
        yield line if not known else line.replace("this variant", f"some variants, such as {some[0]}")


def skill_sections(study: Study) -> list[View]:
    """Return the section with the curve and its sentences.

    Without a bracket, the section has only the command.
    """
    known, said = brackets_of_study(study), skill_paragraphs(study)
    lines = Lines(tuple(line for paragraph in said for line in (paragraph.answer, *paragraph.details)))
    if not known:
        return [View(title=bracket.HEADING, blocks=(lines,) if lines.lines else ())]
    view = bracket.view("", known)
    shown: tuple[Block, ...] = (*view.figures, lines, *view.tables)
    return [replace(view, blocks=shown, method=(bracket.HEADING, SKILL_METHOD))]


# ---------------------------------------------------------------- cards


def card_sections(study: Study) -> list[View]:
    return card_parts().sections(study) if study.is_about_cards else []


def card_assumptions(study: Study) -> list[str]:
    """Return the assumptions behind the results on cards; [] for a page without cards."""
    return card_parts().assumptions(study) if study.is_about_cards else []


def card_parts() -> ModuleType:
    """Return the module of the page part about cards.

    The module is imported only when needed, because it imports the card experiments.
    """
    from bartizan.reports.pages.parts import cards

    return cards


# ---------------------------------------------------------------- sensitivity to assumptions


def sensitivity_sections(document: dict[str, Any], study: Study) -> list[View]:
    """Return a section with the effect of each value, and one with the interactions if they were measured.

    document: the JSON output of `sensitivity`. Returns [] if it has no effects.
    """
    if not document.get("influences"):
        return []
    d = views.sensitivity.SensitivityDocument.read(document)
    alone = views.sensitivity.view(d, is_of_games=study.is_about_its_games(document))
    alone = replace(alone, caption=" ".join([alone.caption, *study.edited_players(document)]))
    return [alone, views.interactions.view(d.effects)] if d.effects else [alone]


# ---------------------------------------------------------------- results saved in the folder


KINDS: dict[str, Callable[[Mapping[str, Any]], View]] = {
    PLAYS_BY_PEOPLE: lambda answer: views.people_skill.view(views.people_skill.read(answer)),
    "losses": lambda answer: views.losses.view(views.losses.LossesDocument.read(answer)),
    "luck": lambda answer: views.luck.view(views.luck.LuckDocument.read(answer)),
    "ladder": lambda answer: views.ladder.view(views.ladder.LadderDocument.read(answer)),
    "tune": lambda answer: views.tune.view(views.tune.read(answer)),
    "coverage": lambda answer: views.coverage.view(views.coverage.CoverageDocument.read(answer)),
    "do-or-die": lambda answer: views.odds.throws(answer),
    "compare": lambda answer: views.compare.section(views.compare.ComparisonDocument.read(answer)),
    "steps": lambda answer: views.steps.view(views.steps.StepsDocument.read(answer)),
}
LABELS = {"losses": "Win probability by turn"}  # overrides the label of the view or its method
NOT_PEOPLE = "All games were played by computer policies, not by people."


def _views(study: Study) -> Iterator[tuple[Mapping[str, Any], View]]:
    """Yield each saved result with its view, in the order of KINDS. Other kinds of result are skipped."""
    for kind, view in KINDS.items():
        yield from ((kept, view(kept["answer"])) for kept in study.kept if kept["kind"] == kind)


def kept_sections(study: Study) -> list[View]:
    """Return a section per saved result, followed by `sensitivity` results with other options or levels."""
    others = [kept["answer"] for kept in study.kept if kept["kind"] == "sensitivity"]
    return _told_apart(
        [
            *(_kept_section(kept, view, study) for kept, view in _views(study)),
            *(section for other in others for section in sensitivity_sections(other, study)),
        ]
    )


def _told_apart(sections: Sequence[View]) -> list[View]:
    """Return the sections, with details added to labels that would otherwise be identical."""
    labels = [section.contents_label for section in sections]
    for depth in range(max((len(section.details) for section in sections), default=0)):
        details = ["".join(section.details[depth : depth + 1]) for section in sections]
        found: dict[str, set[str]] = {}
        for label, detail in zip(labels, details, strict=True):
            found.setdefault(label, set()).add(detail)
        labels = [
            f"{label}, {detail}" if detail and len(found[label]) > 1 else label
            for label, detail in zip(labels, details, strict=True)
        ]
    pairs = zip(sections, labels, strict=True)
    return [one if label == one.contents_label else replace(one, label=label) for one, label in pairs]


def _kept_section(kept: Mapping[str, Any], view: View, study: Study) -> View:
    """Return the view with its caveats in the caption.

    Each table also repeats the caveat of a reconstruction and the changes, because it may be read separately.
    """
    before, who = list(_before(kept, study)), "" if view.by_people else NOT_PEOPLE
    blocks = (
        replace(block, caption=" ".join([*before, block.caption])) if isinstance(block, Table) else block
        for block in view.blocks
    )
    return replace(
        view,
        title=words.sentence(view.title),
        caption=" ".join(filter(None, [*before, view.caption, who, *_unlike(kept, study)])),
        blocks=(*blocks, Lines((f"Command: {kept['command']}",))),
        label=LABELS.get(kept["kind"], view.label),
        details=view.details or _details(kept),
    )


def _details(kept: Mapping[str, Any]) -> tuple[str, ...]:
    """Return texts that distinguish a result from others of its kind: the level and the policies."""
    answer = _about(kept)
    policies = [one for one in answer.get("policies", ()) if isinstance(one, str)]
    return (str(answer.get("difficulty", "")), " vs ".join(policies))


def _before(kept: Mapping[str, Any], study: Study) -> Iterator[str]:
    """Yield the text that must precede any number: the caveat of a reconstruction, and the game's changes."""
    answer = _about(kept)
    caveat = kept["answer"].get("banner") or answer.get("banner")
    if caveat:
        yield banner.lines(caveat, study.named)[0]
    if answer.get("changes") or answer["title"] != study.manifest["title"]:
        yield f"{changes.titled(answer)}."


def _about(kept: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the part of a result that describes the game.

    This is the base side of `compare` and `steps`, and otherwise the whole result.
    """
    answer: Mapping[str, Any] = kept["answer"]
    return answer.get("a", answer) if kept["kind"] in ("compare", "steps") else answer


def _unlike(kept: Mapping[str, Any], study: Study) -> Iterator[str]:
    """Yield warnings if the scenario, rules or players of a result differ from those of the page's games."""
    answer, played = _about(kept), {finding.cell.scenario_hash for finding in study.findings}
    hashes = set(answer.get("scenario_hashes", {}).values()) or {answer["scenario_hash"]}
    if not hashes & played:
        yield (
            "These numbers and rules differ from those of the games above: scenario "
            f"{words.listing(sorted(hashes))}."
        )
    before = study.manifest["behaviour"]
    if kept["behaviour"] != before:
        yield (
            f"The rules code differs: behaviour version {kept['behaviour']} here, {before} in the games "
            "above. The same seed gives different games."
        )
    elif rules_version(kept) != rules_version(study.manifest):
        yield "The game's code differs from the code of the games above."
    yield from study.edited_players(answer)


def refuse_damaged(folder: Path, study: Study) -> None:
    """Raise EngineError with the path of the file if a saved result cannot be shown.

    The usual cause is that the file was edited, or that another version wrote it.
    """
    for path, show in _shown(folder, study):
        try:
            show()
        except Exception as error:  # a wrong type or a missing key can raise anything
            if isinstance(error, BartizanError) and not isinstance(error, DocumentError):
                raise
            is_told = isinstance(error, DocumentError)
            why = str(error) if is_told else f"{type(error).__name__}: {str(error)[:80]}"
            raise EngineError(
                f"{path}: damaged ({why}); delete it and run the command that wrote it again"
            ) from error


def _shown(folder: Path, study: Study) -> Iterator[tuple[Path, Callable[[], object]]]:
    """Yield each file with results that the page shows, and a function that shows its content."""
    for path, kept in zip(answers_in(folder), study.kept, strict=True):
        yield path, partial(_show, replace(study, kept=(kept,)))
    yield folder / CARDS, partial(card_sections, study)
    yield folder / SENSITIVITY, partial(sensitivity_sections, study.sensitivity, study)
    yield beside(study.named, "bracket.json"), partial(skill_sections, study)
    yield beside(study.named, "equilibria.json"), partial(between_paragraphs, study)


def _show(study: Study) -> None:
    for section in kept_sections(study):
        for figure in section.figures:
            figure.svg()
    json.dumps(kept_documents(study))


def kept_documents(study: Study) -> list[dict[str, Any]]:
    """Return the JSON of the saved results, each with its title on the page."""
    titles = {id(kept): view.title for kept, view in _views(study)}
    return [{"title": titles.get(id(kept), kept["kind"]), **kept} for kept in study.kept]
