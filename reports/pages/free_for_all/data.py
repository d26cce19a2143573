"""What a game of alike seats adds to the report as data."""

from dataclasses import asdict

from bartizan.analyses.records.comparison import effect_row
from bartizan.analyses.records.outcomes import Elimination, Spread
from bartizan.analyses.records.seating import Skill
from bartizan.analyses.statistics.paired import Estimate
from bartizan.reports.pages.free_for_all.seatings import Seating, seatings
from bartizan.reports.study import Finding, Study


def of_cell(finding: Finding, study: Study) -> dict:
    """Seats of a cell as it was seated, and who goes out when."""
    found = study.seats[finding.cell.id]
    seats = [
        {"seat": s.seat, "role": s.role, "policy": s.policy, "wins": s.wins, **_of_seat(s)}
        for s in found.seats
    ]
    counts = {"counted": found.counted, "drawn": found.drawn, "capped": found.capped}
    advantage = {
        **counts,
        "same_policy_everywhere": found.mirror,
        "fair_share": 1 / len(finding.cell.policies),
        "seats": seats,
    }
    ranked = study.eliminations.get(finding.cell.id)
    endings = [
        {"name": e.name, "games": e.games, "drawn": e.drawn, "share": e.share.to_dict()}
        for e in study.endings[finding.cell.id]
    ]
    return {
        "seat_advantage": advantage,
        "endings": endings,
        **({"elimination": _elimination(ranked)} if ranked else {}),
    }


def of_sweep(study: Study) -> dict:
    """What several cells say together."""
    return {
        "seatings": list(map(_seating, seatings(study))),
        "skill": list(map(_skill, study.skills)),
        "effects": list(map(_comparison, study.effects)),
    }


def _seating(found: Seating) -> dict:
    head = {
        "name": found.name,
        "kind": found.kind,
        "about_seats": found.speaks_of_seats,
        "set": dict(found.finding.cell.set),
        "games": found.games,
        "rotations": found.rotations,
    }
    seats = [{"seat": s.seat, "role": s.role, **_of_seat(s)} for s in found.seats]
    return {**head, "capped": found.capped, "drawn": found.drawn, "fair_share": found.fair, "seats": seats}


def _of_seat(seat) -> dict:
    """joint: the advantage with an interval that holds for all seats together; the finding is
    judged by it.
    """
    return {
        "share": seat.share.to_dict(),
        "advantage": seat.advantage.to_dict(),
        "joint": seat.joint.to_dict(),
        "finding": seat.finding,
    }


def _skill(found: Skill) -> dict:
    return {
        "line_up": found.line_up.name,
        "cells": [cell.id for cell in found.line_up.cells],
        "set": dict(found.line_up.cells[0].set),
        "games": found.games,
        "rotations": found.rotations,
        "left_out": found.left_out,
        "capped": found.capped,
        "fair_share": found.fair,
        "policies": [
            {
                "policy": s.policy,
                "seats": s.places,
                "wins": s.wins,
                "share": _estimate(s.share),
                "advantage": _estimate(s.advantage),
            }
            for s in found.standings
        ],
        "differences": [
            {
                "policy": d.better,
                "other": d.other,
                **_estimate(d.difference),
                "p": d.difference.p,
                "ses": d.difference.ses,
                "pairing_factor": d.factor,
            }
            for d in found.duels
        ],
    }


def _comparison(found) -> dict:
    cells = {
        "base": [cell.id for cell in found.base.cells],
        "changed": [cell.id for cell in found.changed.cells],
    }
    head = {
        "path": found.path,
        "value": found.value,
        "base_value": found.base_value,
        "cells": cells,
        "games": found.games,
        "left_out": found.left_out,
        "capped": found.capped,
    }
    return {**head, "effects": list(map(effect_row, found.effects))}


def _estimate(found: Estimate) -> dict:
    return {**found.interval.to_dict(), "se": found.se, "n": found.n}


def _elimination(found: Elimination) -> dict:
    return {
        "games": found.games,
        "undecided": found.undecided,
        "places": [
            {"seat": p.seat, "role": p.role, "place": p.place, "games": p.games, **p.share.to_dict()}
            for p in found.places
        ],
        "first_out": _spread(found.first_out),
        "nobody_out": found.nobody_out and found.nobody_out.to_dict(),
        "lead_changes": _spread(found.lead_changes),
        "no_lead_change": found.no_change and found.no_change.to_dict(),
    }


def _spread(found: Spread | None) -> dict | None:
    if not found:
        return None
    quantiles = {str(q): interval.to_dict() for q, interval in found.quantiles.items()}
    return {
        "games": found.games,
        **asdict(found.mean),
        "quantiles": quantiles,
        "counts": dict(zip(map(str, found.values), found.counts, strict=True)),
    }
