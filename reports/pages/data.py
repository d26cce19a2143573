"""The report as a JSON document with every number of the page, unrounded."""

from typing import Any

from bartizan.reports.blocks import paragraph
from bartizan.reports.pages.parts import facts, front, measured, since, validity
from bartizan.reports.pages.parts.measure import fields_of
from bartizan.reports.pages.sweep import Kind, chart_of, kind_of, verdict_of
from bartizan.reports.study import Finding, Study
from bartizan.reports.text import claims, glossary
from bartizan.reports.views import bracket

SCHEMA = "bartizan.report/1"


def document(study: Study) -> dict[str, Any]:
    """Return the report as plain dicts and lists.

    A value that is also in the JSON document of a run has the same key in both documents.
    """
    chart, kind = chart_of(study), kind_of(study)
    short = paragraph(front.SHORT, (chart.title, *(f"{line}." for line in chart.in_words)))
    parts = {"front": [short, *front.of_study(study)], "verdict": verdict_of(study)}
    texts = {key: [fields_of(part, "heading", "text") for part in listed] for key, listed in parts.items()}
    unsaid = ("cells", "schema", "since", "over")
    added = {  # results saved in the folder, and other known results
        "card_values": list(study.card_values),
        "card_usage": list(study.card_usage),
        "card_without": list(study.card_without),
        "sensitivity": study.sensitivity,
        "claims": claims.of_study(study) if study.claims else [],
        "brackets": [bracket.document(row) for row in measured.brackets_of_study(study)],
        "equilibria": measured.equilibria_of(study),
        "answers": measured.kept_documents(study),
        "since": since.documents(study),
        "over": [rate.plain() for rate in study.over],
        "validity": validity.of_study(study).plain(),
    }
    document = {
        "schema": SCHEMA,
        "title": study.manifest["title"],
        "changes": study.changes,
        "changed_in_some": study.varied,
        "played_by": facts.whose(study),
        **{key: value for key, value in study.manifest.items() if key not in unsaid},
        **({"banner": study.banner} if study.banner else {}),
        **texts,
        "glossary": [vars(term) for term in glossary.used_in(texts)],
        "cells": [_cell(finding, study, kind) for finding in study.findings],
    }
    for measure in kind.measures:
        document |= measure.of_study(study)
    added = {key: value for key, value in added.items() if value}
    return {**document, **added, "not_played": list(study.unplayed)}


def _cell(finding: Finding, study: Study, kind: Kind) -> dict[str, Any]:
    cell = finding.cell
    document = {
        "id": cell.id,
        **fields_of(finding, "name", "changes", "level", "player", "variant"),
        "rests_on": list(finding.rests_on),
        **fields_of(cell, "difficulty", "scenario", "scenario_hash"),
        "set": dict(cell.set),
        "policies": list(cell.policies),
        "games": finding.games,
        "assumed": cell.assumed,
        "confidence": dict(cell.confidence),
        "assumed_values": list(cell.assumed_values),
        "assumptions": list(cell.assumptions),
        **({"banner": finding.banner} if finding.banner else {}),
    }
    for measure in kind.measures:
        document |= measure.of_cell(finding, study)
    return document
