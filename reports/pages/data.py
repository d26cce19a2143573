"""The report as data: a JSON document with every number of the page, unrounded."""

from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from typing import Any

from bartizan.analyses.records import quantities
from bartizan.analyses.records.comparison import Comparison, EffectRow
from bartizan.analyses.records.outcomes import Elimination, Spread
from bartizan.analyses.records.seating import Skill, series
from bartizan.analyses.statistics.intervals import Interval
from bartizan.analyses.statistics.paired import Estimate
from bartizan.reports.blocks import paragraph
from bartizan.reports.pages.free_for_all.seats import MIXED, Seating, seatings
from bartizan.reports.pages.parts import front, measured, since, validity
from bartizan.reports.pages.sweep import chart_of, verdict_of
from bartizan.reports.study import Finding, Study
from bartizan.reports.text import claims, glossary
from bartizan.reports.views import bracket

SCHEMA = "bartizan.report/1"


def document(study: Study) -> dict:
    """Plain dicts and lists; keys as in a run's JSON document where they mean the same."""
    chart = chart_of(study)
    short = paragraph(front.SHORT, (chart.title, *(f"{line}." for line in chart.in_words)))
    parts = {"front": [short, *front.of_study(study)], "verdict": verdict_of(study)}
    texts = {key: [_fields(part, "heading", "text") for part in listed] for key, listed in parts.items()}
    unsaid = ("cells", "schema", "since")
    together = {"by_setting": _by_setting(study)} if study.is_contest else {}
    if study.is_alike:
        together |= {
            "seatings": list(map(_seating, seatings(study))),
            "skill": list(map(_skill, study.skills)),
            "effects": list(map(_comparison, study.effects)),
        }
    added = {  # to the folder, and what is known beside it
        "card_values": list(study.card_values),
        "card_usage": list(study.card_usage),
        "card_without": list(study.card_without),
        "sensitivity": study.sensitivity,
        "claims": claims.of_study(study) if study.claims else [],
        "brackets": [bracket.document(row) for row in measured.brackets_of_study(study)],
        "equilibria": measured.equilibria_of(study),
        "answers": measured.kept_documents(study),
        "since": since.documents(study),
        "validity": validity.of_study(study).plain(),
    }
    return {
        "schema": SCHEMA,
        "title": study.manifest["title"],
        "changes": study.changes,
        "changed_in_some": study.varied,
        **{key: value for key, value in study.manifest.items() if key not in unsaid},
        **({"banner": study.banner} if study.banner else {}),
        **texts,
        "glossary": [vars(term) for term in glossary.used_in(texts)],
        "cells": [_cell(finding, study) for finding in study.findings],
        **together,
        **{key: value for key, value in added.items() if value},
        "not_played": list(study.unplayed),
    }


def _fields(source: Any, *names: str) -> dict[str, Any]:
    values = {name: getattr(source, name) for name in names}
    return {
        name: asdict(value) if is_dataclass(value) else value  # type: ignore[arg-type]
        for name, value in values.items()
    }


def _with_share(source: Any, *names: str) -> dict[str, Any]:
    """The keys of its share beside its own."""
    return {**_fields(source, *names, "games"), **asdict(source.share)}


# ---------------------------------------------------------------- the sweep


def _by_setting(study: Study) -> list[dict[str, Any]]:
    """The cells of a contest that lie along a setting."""
    return [
        {
            "path": line.path,
            **_fields(line.setting, "name", "note"),
            "values": list(line.values),
            "cells": [cell.id for cell in line.cells],
        }
        for line in series(finding.cell for finding in study.findings)
    ]


# ---------------------------------------------------------------- a cell


def _cell(finding: Finding, study: Study) -> dict[str, Any]:
    cell = finding.cell
    return {
        "id": cell.id,
        **_fields(finding, "name", "changes", "level", "player", "variant"),
        "rests_on": list(finding.rests_on),
        **_fields(cell, "difficulty", "scenario", "scenario_hash"),
        "set": dict(cell.set),
        "policies": list(cell.policies),
        "games": finding.games,
        **_results(finding, study),
        "assumed": cell.assumed,
        "confidence": dict(cell.confidence),
        "assumptions": list(cell.assumptions),
        **({"banner": finding.banner} if finding.banner else {}),
        **(_sides(finding) if study.is_contest else {}),
        **(_seats(finding, study) if study.is_alike else {}),
    }


def _results(finding: Finding, study: Study) -> dict[str, Any]:
    seat, scores, losses = finding.wins.first, finding.scores, finding.losses
    return {
        **quantities.summary_of(finding.tally, finding.cell, study.method),
        "draw_rate": asdict(seat.draw),
        "loss_rate": asdict(seat.loss),
        "score_counts": dict(zip(map(str, scores.values), scores.counts, strict=True)),
        "score_quantile_intervals": _quantiles(scores.quantiles),
        "turn_quantile_intervals": _quantiles(finding.length.quantiles),
        "loss_by_turn": losses.rows(),
        "loss_causes": [_with_share(cause, "cause") for cause in losses.causes],
    }


def _sides(finding: Finding) -> dict[str, Any]:
    """What a game for several sides adds."""
    outcomes, part = finding.outcomes, ("seat", "name")
    return {
        "outcomes": [_with_share(each, *part) for each in outcomes.parts],
        "forms": [
            {
                **_fields(form, "title", "note"),
                "parts": [_with_share(each, *part) for each in (form.winner, form.otherwise)],
            }
            for form in outcomes.forms
        ],
        "marks": [_with_share(mark, "column", "label") for mark in outcomes.marks],
        "groups": [{**_fields(group, "title", "note"), "counts": group.rows()} for group in finding.groups],
        "first_times": [
            {**_fields(first, "column", "label", "ever"), "games": first.happened, "by_turn": first.rows()}
            for first in finding.firsts
        ],
    }


def _quantiles(quantiles: Mapping[int, Interval]) -> dict[str, dict]:
    return {str(q): asdict(interval) for q, interval in quantiles.items()}


# ---------------------------------------------------------------- seats that are alike

SEAT = ("seat", "role", "share", "advantage", "joint", "finding")  # judged by the joint interval


def _seats(finding: Finding, study: Study) -> dict[str, Any]:
    """Seats of a cell as it was seated, and who goes out when."""
    advantage, ranked = study.seats[finding.cell.id], study.eliminations.get(finding.cell.id)
    return {
        "seat_advantage": {
            **_fields(advantage, "counted", "drawn", "capped"),
            "same_policy_everywhere": advantage.mirror,
            "fair_share": 1 / len(finding.cell.policies),
            "seats": [_fields(seat, *SEAT, "policy", "wins") for seat in advantage.seats],
        },
        "endings": [
            _fields(ending, "name", "games", "drawn", "share") for ending in study.endings[finding.cell.id]
        ],
        **({"elimination": _elimination(ranked)} if ranked else {}),
    }


def _elimination(ranked: Elimination) -> dict[str, Any]:
    return {
        **_fields(ranked, "games", "undecided", "nobody_out"),
        "places": [_with_share(place, "seat", "role", "place") for place in ranked.places],
        "first_out": _spread(ranked.first_out),
        "lead_changes": _spread(ranked.lead_changes),
        "no_lead_change": ranked.no_change and asdict(ranked.no_change),
    }


def _spread(spread: Spread | None) -> dict[str, Any] | None:
    if not spread:
        return None
    return {
        "games": spread.games,
        **asdict(spread.mean),
        "quantiles": _quantiles(spread.quantiles),
        "counts": dict(zip(map(str, spread.values), spread.counts, strict=True)),
    }


def _seating(seating: Seating) -> dict[str, Any]:
    return {
        **_fields(seating, "name", "kind", "games", "rotations", "capped", "drawn"),
        "about_seats": seating.kind != MIXED,
        "set": dict(seating.finding.cell.set),
        "fair_share": seating.fair,
        "seats": [_fields(seat, *SEAT) for seat in seating.seats],
    }


def _skill(skill: Skill) -> dict[str, Any]:
    return {
        "line_up": skill.line_up.name,
        "cells": [cell.id for cell in skill.line_up.cells],
        "set": dict(skill.line_up.cells[0].set),
        **_fields(skill, "games", "rotations", "left_out", "capped"),
        "fair_share": skill.fair,
        "policies": [
            {
                **_fields(standing, "policy", "wins"),
                "seats": standing.places,
                "share": _estimate(standing.share),
                "advantage": _estimate(standing.advantage),
            }
            for standing in skill.standings
        ],
        "differences": [
            {
                "policy": duel.better,
                "other": duel.other,
                **_estimate(duel.difference),
                **_fields(duel.difference, "p", "ses"),
                "joint": asdict(duel.joint),
                "is_clear": duel.is_clear,
                "pairing_factor": duel.factor,
            }
            for duel in skill.duels
        ],
    }


def _estimate(estimate: Estimate) -> dict[str, Any]:
    return {**asdict(estimate.interval), **_fields(estimate, "se", "n")}


def _comparison(comparison: Comparison) -> dict[str, Any]:
    sides = {"base": comparison.base, "changed": comparison.changed}
    return {
        **_fields(comparison, "path", "value", "base_value", "games", "left_out", "capped"),
        "cells": {side: [cell.id for cell in line_up.cells] for side, line_up in sides.items()},
        "effects": [EffectRow.of(effect).plain() for effect in comparison.effects],
    }
