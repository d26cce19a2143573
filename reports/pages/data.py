"""The report as data: a JSON document with every number of the page, unrounded."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bartizan.analyses.records import quantities
from bartizan.analyses.records.outcomes import FirstTime, FormResult, Part
from bartizan.analyses.records.seating import Series, series
from bartizan.analyses.statistics.intervals import Interval, confidence_sequence, proportion
from bartizan.reports.pages.free_for_all import data as of_all
from bartizan.reports.pages.parts import between, front, kept, over_skill, since
from bartizan.reports.pages.parts.paragraphs import Paragraph
from bartizan.reports.pages.views import verdict_of
from bartizan.reports.study import Finding, Study, study
from bartizan.reports.text import claims, glossary
from bartizan.reports.views import bracket

SCHEMA = "bartizan.report/1"


def write(sweep, path: Path) -> Path:
    text = json.dumps(document(study(sweep)), indent=2, ensure_ascii=False, allow_nan=False)
    path.write_text(text + "\n", encoding="utf-8")
    return path


def document(found: Study) -> dict:
    """Plain dicts and lists; keys as in a run's JSON document where they mean the same."""
    verdict = verdict_of(found)
    told = {"front": _told(front.of_study(found, verdict)), "verdict": _told(verdict)}
    manifest = {
        key: value for key, value in found.manifest.items() if key not in ("cells", "schema", "since")
    }
    return {
        "schema": SCHEMA,
        "title": manifest["title"],
        "changes": found.changes,
        "changed_in_some": found.varied,
        **manifest,
        **({"banner": found.banner} if found.banner else {}),
        **told,
        "glossary": [vars(term) for term in glossary.used_in(told)],
        "cells": [_of_cell(finding, found) for finding in found.findings],
        **_of_sweep(found),
        "not_played": list(found.unplayed),
    }


def _told(paragraphs: Iterable[Paragraph]) -> list[dict[str, str]]:
    return [{"heading": one.heading, "text": one.text} for one in paragraphs]


def _of_cell(finding: Finding, found: Study) -> dict:
    """With what a game for several players adds."""
    return (
        _cell(finding, found)
        | (_sides(finding) if found.is_contest else {})
        | (of_all.of_cell(finding, found) if found.is_alike else {})
    )


def _of_sweep(found: Study) -> dict[str, Any]:
    """What the cells say together, and what was added to the folder."""
    curves = series(finding.cell for finding in found.findings) if found.is_contest else []
    added = {
        "card_values": list(found.card_values),
        "card_usage": list(found.card_usage),
        "sensitivity": found.sensitivity,
        "claims": claims.of_study(found) if found.claims else [],
        "brackets": [bracket.document(row) for row in over_skill.of_study(found)],
        "equilibria": between.documents(found),
        "answers": kept.documents(found),
        "since": since.documents(found),
    }
    return {
        **({"by_setting": [_curve(line) for line in curves]} if found.is_contest else {}),
        **(of_all.of_sweep(found) if found.is_alike else {}),
        **{key: value for key, value in added.items() if value},
    }


def _cell(finding: Finding, found: Study) -> dict:
    cell = finding.cell
    return {
        "id": cell.id,
        "name": finding.name,
        "changes": finding.changes,
        "level": finding.level,
        "player": finding.player,
        "variant": finding.variant,
        "rests_on": list(finding.rests_on),
        "difficulty": cell.difficulty,
        "scenario": cell.scenario,
        "scenario_hash": cell.scenario_hash,
        "set": dict(cell.set),
        "policies": list(cell.policies),
        "games": finding.games,
        **_results(finding, found),
        "assumed": cell.assumed,
        "confidence": dict(cell.confidence),
        "assumptions": list(cell.assumptions),
        **({"banner": finding.banner} if finding.banner else {}),
    }


def _results(finding: Finding, found: Study) -> dict:
    method = confidence_sequence if found.watched else proportion
    seat, scores, losses = finding.wins.first, finding.scores, finding.losses
    return {
        **quantities.summary_of(finding.tally, finding.cell, method),
        "draw_rate": seat.draw.to_dict(),
        "loss_rate": seat.loss.to_dict(),
        "score_counts": dict(zip(map(str, scores.values), scores.counts, strict=True)),
        "score_quantile_intervals": _intervals(scores.quantiles),
        "turn_quantile_intervals": _intervals(finding.length.quantiles),
        "loss_by_turn": losses.rows(),
        "loss_causes": [
            {"cause": cause.cause, "games": cause.games, **cause.share.to_dict()} for cause in losses.causes
        ],
    }


def _sides(finding: Finding) -> dict:
    """What a game for several sides adds."""
    outcomes = finding.outcomes
    return {
        "outcomes": [_part(part) for part in outcomes.parts],
        "forms": [_form(form) for form in outcomes.forms],
        "marks": [
            {"column": mark.column, "label": mark.label, "games": mark.games, **mark.share.to_dict()}
            for mark in outcomes.marks
        ],
        "groups": [
            {"title": group.title, "note": group.note, "counts": group.rows()} for group in finding.groups
        ],
        "first_times": [_first_time(first) for first in finding.firsts],
    }


def _form(form: FormResult) -> dict:
    return {"title": form.title, "note": form.note, "parts": [_part(form.winner), _part(form.otherwise)]}


def _first_time(first: FirstTime) -> dict:
    return {
        "column": first.column,
        "label": first.label,
        "games": first.happened,
        "ever": first.ever.to_dict(),
        "by_turn": first.rows(),
    }


def _part(part: Part) -> dict:
    return {"seat": part.seat, "name": part.name, "games": part.games, **part.share.to_dict()}


def _curve(line: Series) -> dict:
    return {
        "path": line.path,
        "name": line.setting.name,
        "note": line.setting.note,
        "values": list(line.values),
        "cells": [cell.id for cell in line.cells],
    }


def _intervals(quantiles: dict[int, Interval]) -> dict[str, dict]:
    return {str(q): interval.to_dict() for q, interval in quantiles.items()}
