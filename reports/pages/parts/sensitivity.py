"""How far guesses move the result, where `bartizan sensitivity` has looked into it: in any kind of report."""

from bartizan.reports.blocks import Method, Table, View
from bartizan.reports.pages.parts.pictures import Section, section_of
from bartizan.reports.study import Study
from bartizan.reports.views import interactions
from bartizan.reports.views.sensitivity import SensitivityDocument, view


def views_of(document: dict, study: Study) -> list[View]:
    """Every value by itself, then the most influential over each other. document: of `sensitivity`."""
    if not document.get("influences"):
        return []
    d = SensitivityDocument.read(document)
    first = view(d, is_of_games=study.is_about_its_games(document))
    return [first, *([interactions.view(d.effects)] if d.effects else [])]


def sections(study: Study) -> list[Section]:
    return sections_of(study.sensitivity, study)


def sections_of(document: dict, study: Study) -> list[Section]:
    views = zip(views_of(document, study), ("guesses", "effects"), strict=False)
    return [section_of(view, name) for view, name in views if view.figures]


def tables_of(study: Study) -> list[Table]:
    return [table for view in views_of(study.sensitivity, study) for table in view.tables]


def conclusions(study: Study) -> list[str]:
    """Which of them stand whatever the numbers are."""
    return [line for view in views_of(study.sensitivity, study)[:1] for line in view.findings]


def methods(study: Study) -> list[Method]:
    return [view.method for view in views_of(study.sensitivity, study)]
