"""Verdicts on the claims of a plan: document rows, text lines, and the exit code."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bartizan.analyses.records import claims
from bartizan.api.answer import EXIT_INCONCLUSIVE
from bartizan.reports.text import claims as claim_text
from bartizan.simcore.sweep import looks
from bartizan.simcore.sweep.store import LOOKS, Sweep


def judged_claims(opened: Sweep) -> tuple[list[dict[str, Any]], dict[str, bool]]:
    """Return the rows of the claims, and the field `looks_counted`. Both are empty without claims.

    `looks_counted` states whether the folder could record this look at the games.
    """
    if not (judged := claims.judge(opened)):
        return [], {}
    is_counted = looks.add(opened, [claims.look_at(judged)])  # before the user sees a verdict
    return claim_text.of_judged(judged, opened), {"looks_counted": is_counted}


def verdict_code(judged: Sequence[Mapping[str, Any]]) -> int:
    """Return the exit code: 0 if no claim fails or is inconclusive, 1 if one fails, otherwise 3."""
    codes = {claims.PASS: 0, claims.FAIL: 1, claims.INCONCLUSIVE: EXIT_INCONCLUSIVE}
    return codes[claims.overall(row["verdict"] for row in judged)]


def claim_lines(
    judged: Sequence[Mapping[str, Any]], opened: Sweep, counted: Mapping[str, bool]
) -> Iterator[str]:
    if judged:
        yield from claim_text.lines(judged, opened.manifest)
    if counted.get("looks_counted") is False:
        yield (
            f"{opened.folder / LOOKS}: cannot be written, so looks are not counted: the verdicts are "
            "valid only if this is the first look"
        )
