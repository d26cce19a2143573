"""Where a value comes from once a file or a run has changed it."""

from typing import Any

from bartizan.simcore.scenario.model import NOT_PARAMETERS, PROVENANCE


def take_over(base: dict, over: dict, why: str) -> None:
    """What a file of another edition leaves as it was is no statement about that edition: surer records
    become inferred.

    Modifies `base`.
    """
    for key, value in base.items():
        if not isinstance(value, dict) or key in PROVENANCE:
            continue
        own = over.get(key, {})
        if (
            _is_record(value)
            and "confidence" not in own
            and value["confidence"] not in ("inferred", "assumed")
        ):
            value |= {"confidence": "inferred", "why": why}
        take_over(value, own if isinstance(own, dict) else {}, why)


def note_changes(before: dict, after: dict, who: str) -> None:
    """What a user changed does not come from where the old value came from: its origin says so, unless the
    user gives one.

    Modifies `after`.
    """
    records = any(_is_record(value) for value in before.values())
    for key, value in list(after.items()):
        old = before.get(key)
        if key in NOT_PARAMETERS or value == old:
            continue
        if isinstance(value, dict) and isinstance(old, dict) and not (_is_record(after) and _is_plain(value)):
            note_changes(old, value, who)
        elif isinstance(value, dict) and old is None and records:
            value.setdefault("source", who)
            value.setdefault("confidence", "changed")
        elif _is_record(after) and _same_origin(before, after, key):
            was = before.get("origins", {}).get(key, before)
            why = (
                f"was {old} ({was.get('confidence')}: {was.get('source')})"
                if old is not None
                else "not there before"
            )
            after["origins"] = after.get("origins", {}) | {
                key: {"source": who, "confidence": "changed", "why": why}
            }


def _is_record(value: Any) -> bool:
    return isinstance(value, dict) and "confidence" in value


def _is_plain(table: dict) -> bool:
    """A table that is one value, with no records in it."""
    return not any(map(_is_record, (table, *table.values())))


def _same_origin(before: dict, after: dict, key: str) -> bool:
    """Does a value still claim the origin it had?"""
    if before.get("origins", {}).get(key) != after.get("origins", {}).get(key):
        return False
    return key in after.get("origins", {}) or all(
        before.get(name) == after.get(name) for name in ("source", "confidence")
    )
