"""What a manifest must look like before anything is read from it: the types of what every command uses."""

import json
import re
from typing import Any

TEXT, WHOLE, NUMBER, NOTHING = (str,), (int,), (int, float), (type(None),)
MANIFEST_TYPES: dict[str, tuple[type, ...]] = {
    "game": TEXT,
    "game_as_named": TEXT,
    "title": TEXT,
    "command": TEXT,
    "behaviour": WHOLE,
    "seed": WHOLE,
    "level": NUMBER,
    "cells": (list,),
    "versions": (dict,),
}
OPTIONAL_TYPES: dict[str, tuple[type, ...]] = {
    "scenario_as_named": TEXT + NOTHING,
    "rules_source": TEXT + NOTHING,
    "precision": NUMBER + NOTHING,
    "claims": (list,),
}
CELL_TYPES: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("id", "difficulty", "scenario", "scenario_hash"), TEXT),
    **dict.fromkeys(("set", "tiers", "end_reasons", "labels", "nulls", "columns", "confidence"), (dict,)),
    **dict.fromkeys(("policies", "assumptions"), (list,)),
    **dict.fromkeys(("games", "assumed"), WHOLE),
    "cause_column": TEXT + NOTHING,
}
POLICY_TYPES: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("role", "name", "as_named", "source_hash"), TEXT),
    "weights": (dict,),
}
VALUE_TYPES = {"end_reasons": TEXT, "columns": TEXT, "nulls": WHOLE, "tiers": NUMBER, "confidence": WHOLE}


def refuse_misshapen(manifest: Any) -> None:
    """Raises ValueError that names the first key which is missing, or of another type."""
    hold_letters(manifest)
    _hold(manifest, MANIFEST_TYPES, "")
    _hold(manifest, {key: types for key, types in OPTIONAL_TYPES.items() if key in manifest}, "")
    if not 0 < manifest["level"] < 1:
        raise ValueError(f"level is {manifest['level']}")
    if (precision := manifest.get("precision")) is not None and not 0 < precision < 1:
        raise ValueError(f"precision is {precision}")
    if not manifest["cells"]:
        raise ValueError("no cells")
    for i, cell in enumerate(manifest["cells"], 1):
        _hold(cell, CELL_TYPES, f"cell {i}: ")
        if cell["games"] < 1:
            raise ValueError(f"cell {i}: games is {cell['games']}")
        for key, types in VALUE_TYPES.items():
            _hold(cell[key], dict.fromkeys(cell[key], types), f"cell {i}: {key}: ")
        _hold_codes(cell, f"cell {i}: ")
        for policy in cell["policies"]:
            _hold(policy, POLICY_TYPES, f"cell {i}: a policy: ")
            _hold({"about": "", **policy}, {"about": TEXT}, f"cell {i}: a policy: ")
            _hold(policy["weights"], dict.fromkeys(policy["weights"], NUMBER), f"cell {i}: a weight: ")


def hold_letters(document: Any) -> None:
    """Raises ValueError: half of a pair of surrogates stands for no letter, and no page could be written."""
    try:
        json.dumps(document, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"\\u{ord(error.object[error.start]):04x} is no letter") from None


def _hold_codes(cell: dict, where: str) -> None:
    """Codes are whole numbers, written as text; what they mean, and what is assumed, is text; columns have
    types.
    """
    named = {"end_reasons": cell["end_reasons"]}
    named |= {f"labels: {column}": words for column, words in cell["labels"].items()}
    for key, words in named.items():
        _hold(words, dict.fromkeys(words, TEXT) if isinstance(words, dict) else {}, f"{where}{key}: ")
        for code in words:
            if not (code.removeprefix("-").isdecimal() and code.isascii()):
                raise ValueError(f"{where}{key}: code {code[:40]!r}")
    for column, kind in cell["columns"].items():
        if not re.fullmatch(r"[<>=|]?[biufSU]\d+", kind):
            raise ValueError(f"{where}columns: {column} is {kind[:40]!r}")
    for text in cell["assumptions"]:
        _hold({"assumption": text}, {"assumption": TEXT}, where)


def _hold(said: Any, types: dict[str, tuple[type, ...]], where: str) -> None:
    if not isinstance(said, dict):
        raise ValueError(f"{where}is no table")
    for key, wanted in types.items():
        if key not in said:
            raise ValueError(f"{where}{key} is missing")
        value = said[key]
        if not isinstance(value, wanted) or isinstance(value, bool):
            raise ValueError(f"{where}{key} is {str(value)[:40]!r}")
