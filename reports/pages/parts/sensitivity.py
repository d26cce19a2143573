"""How far guesses move the result, where `bartizan sensitivity` has looked into it: in any kind of report."""

from bartizan.reports.blocks import Section
from bartizan.reports.study import Study
from bartizan.reports.views import interactions
from bartizan.reports.views.sensitivity import SensitivityDocument, view


def sections(document: dict, study: Study) -> list[Section]:
    """Every value by itself, then the most influential over each other. document: of `sensitivity`."""
    if not document.get("influences"):
        return []
    d = SensitivityDocument.read(document)
    alone = view(d, is_of_games=study.is_about_its_games(document)).section
    return [alone, interactions.view(d.effects).section] if d.effects else [alone]
