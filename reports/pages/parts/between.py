"""What a game is worth between the best players found of its two sides: the equilibria that were measured of
what a page reports.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from bartizan.analyses.records import equilibria
from bartizan.analyses.records.shipped import about
from bartizan.reports.blocks import Paragraph, paragraph
from bartizan.reports.pages.parts import names
from bartizan.reports.pages.parts.methods import Method
from bartizan.reports.study import Study
from bartizan.reports.text import equilibrium as text
from bartizan.reports.text import words

HEADING = "Between the best players"
METHOD = (
    "best responses in turn (double oracle, McMahan, Gordon & Blum 2003): each side's newest player is "
    "trained against the other's mixture and judged on fresh games; bootstrap over blocks of games."
)


@lru_cache(maxsize=8)
def _shipped(named: str) -> tuple[dict, ...]:
    return tuple(equilibria.shipped(named))


def of_study(study: Study) -> list[dict]:
    """Those of exactly the scenarios of its cells, in their order."""
    if not study.is_contest:
        return []
    return about(_shipped(study.named), study.scenarios, study.manifest["behaviour"])


def paragraphs(study: Study) -> list[Paragraph]:
    found = of_study(study)
    return [paragraph(HEADING, [*_told(found, study), text.POLICIES_ONLY])] if found else []


def _told(found: Sequence[Mapping], study: Study) -> Iterator[str]:
    """A sentence each; of several, with what tells their games apart."""
    first = {finding.cell.scenario_hash: finding for finding in reversed(study.findings)}
    for one in found:
        settings = names.settings(first[one["scenario_hash"]], study) if len(found) > 1 else []
        yield f"{words.sentence(', '.join(settings))}: {text.brief(one)}" if settings else text.brief(one)


def methods(study: Study) -> list[Method]:
    return [(HEADING, METHOD)] if of_study(study) else []
