"""The report as data: a JSON document with every number of the page, unrounded."""

import json
from pathlib import Path

from analyses import summary
from analyses.intervals import Interval, confidence_sequence, proportion
from reports.study import Finding, Study, study
from reports.verdict import verdict

SCHEMA = "bartizan.report/1"


def write(sweep, path: Path) -> Path:
    text = json.dumps(document(study(sweep)), indent=2, ensure_ascii=False, allow_nan=False)
    path.write_text(text + "\n", encoding="utf-8")
    return path


def document(found: Study) -> dict:
    """Plain dicts and lists; keys as in a run's JSON document where they mean the same."""
    manifest = {key: value for key, value in found.manifest.items() if key not in ("cells", "schema")}
    cells = [_cell(finding, found) for finding in found.findings]
    sentences = [{"heading": paragraph.heading, "text": paragraph.text} for paragraph in verdict(found)]
    return {"schema": SCHEMA, **manifest, "verdict": sentences, "cells": cells, "not_played": list(found.unplayed)}


def _cell(finding: Finding, found: Study) -> dict:
    cell = finding.cell
    method = confidence_sequence if found.watched else proportion
    seat = finding.wins.first
    return {
        "id": cell.id,
        "name": finding.name,
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
        **summary.from_tally(finding.tally, cell, found.level, method),
        "draw_rate": seat.draw.to_dict(),
        "loss_rate": seat.loss.to_dict(),
        "score_counts": dict(zip(map(str, finding.scores.values), finding.scores.counts, strict=True)),
        "score_quantile_intervals": _intervals(finding.scores.quantiles),
        "turn_quantile_intervals": _intervals(finding.length.quantiles),
        "loss_by_turn": finding.losses.to_frame().to_dicts(),
        "loss_causes": [{"cause": cause.name, "games": cause.games, **cause.share.to_dict()} for cause in finding.losses.causes],
        "assumed": cell.assumed,
        "confidence": dict(cell.confidence),
        "assumptions": list(cell.assumptions),
    }


def _intervals(quantiles: dict[int, Interval]) -> dict[str, dict]:
    return {str(q): interval.to_dict() for q, interval in quantiles.items()}
