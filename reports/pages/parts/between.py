"""What a game is worth between the best players found of its two sides: the equilibria that were measured of
what a page reports.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from bartizan.analyses.records import equilibria
from bartizan.analyses.records.brackets import about
from bartizan.reports.blocks import Method, Paragraph, paragraph
from bartizan.reports.pages.parts import names
from bartizan.reports.study import Study
from bartizan.reports.text import words
from bartizan.reports.views.equilibrium import POLICIES_ONLY, EquilibriumDocument, brief

HEADING = "Between the best players"
METHOD = (
    "best responses in turn (double oracle, McMahan, Gordon & Blum 2003): each side's newest player is "
    "trained against the other's mixture and judged on fresh games; bootstrap over blocks of games."
)


@lru_cache(maxsize=8)
def _shipped(named: str) -> tuple[dict, ...]:
    return tuple(equilibria.shipped(named))


def documents(study: Study) -> list[dict]:
    """Those of exactly the scenarios of its cells, in their order."""
    if not study.is_contest:
        return []
    return about(_shipped(study.named), study.scenarios, study.manifest["behaviour"])


def paragraphs(study: Study) -> list[Paragraph]:
    answers = [EquilibriumDocument.read(row) for row in documents(study)]
    return [paragraph(HEADING, [*_sentences(answers, study), POLICIES_ONLY])] if answers else []


def _sentences(answers: Sequence[EquilibriumDocument], study: Study) -> Iterator[str]:
    """A sentence each; of several, with what tells their games apart."""
    first = {finding.cell.scenario_hash: finding for finding in reversed(study.findings)}
    for answer in answers:
        settings = names.settings(first[answer.scenario_hash], study) if len(answers) > 1 else []
        where = f"{words.sentence(', '.join(settings))}: " if settings else ""
        yield f"{where}{brief(answer)}"


def methods(study: Study) -> list[Method]:
    return [(HEADING, METHOD)] if documents(study) else []
