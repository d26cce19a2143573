"""Weights files such as `garrison@elite.toml`, written by `bartizan train` or by hand.

Without the suffix, `garrison@elite` names included weights. They are in the folder `trained` next to the
policy.

    policy = "garrison"

    [weights]
    patience = 0.91

Weights that are not in the file keep the policy's own values. Other content is for readers, and for resuming
a training run.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from bartizan.policies.protocol import Policy
from bartizan.simcore import toml
from bartizan.simcore.compile.identity import path_of
from bartizan.simcore.errors import PolicyError, did_you_mean

SUFFIX = ".toml"
MOST = 1e300  # TOML allows inf, nan and integers of any length


def parsed(path: Path) -> dict[str, Any]:
    """Return the document in a TOML file. Raises PolicyError if the file is invalid."""
    return toml.read(path, "no such weights file; bartizan train writes one", PolicyError)


def read(path: Path) -> dict[str, Any]:
    """Return the document in a weights file. Raises PolicyError if the file is invalid."""
    document = parsed(path)
    if "progress" in document and "weights" not in document:
        raise PolicyError(
            f"{path}: its training was interrupted; run the same bartizan train command again to finish it"
        )
    weights = document.get("weights")
    if not isinstance(document.get("policy"), str) or not isinstance(weights, dict):
        raise PolicyError(f'{path}: not a weights file; it needs policy = "..." and a table [weights]')
    for name, value in weights.items():
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) <= MOST:
            raise PolicyError(
                f"{path}: weights.{name} = {str(value)[:40]} is not a finite number; write one such as 1.5"
            )
    return document


def plain_name(name: str) -> str:
    """Return the name of a policy without weights, such as `garrison` for `garrison@elite3`.

    `garrison:alert=2` also becomes `garrison`.
    """
    return re.split("[@:]", name, maxsplit=1)[0]


def with_weights_of(policy: Policy, named: str) -> Policy:
    """Return the policy with the weights of a file or with included weights.

    Its name contains the name of the weights. Raises PolicyError if they are missing or not for this policy.
    """
    path = Path(named)
    if not named.endswith(SUFFIX):
        files = shipped(policy)
        if named not in files:
            near = did_you_mean(named, files) if files else ""
            raise PolicyError(
                f"policy {policy.name}@{named}: no such weights{near} (the name of your own file must "
                f"end in {SUFFIX})"
            )
        path = files[named]
    document = read(path)
    if document["policy"] != policy.name:
        raise PolicyError(
            f"{path}: contains weights of {document['policy']}, not of {policy.name}; "
            f"name {document['policy']} instead"
        )
    try:
        changed = policy.with_weights({name: float(value) for name, value in document["weights"].items()})
    except PolicyError as error:
        raise PolicyError(f"{path}: {error}") from None
    return replace(changed, name=f"{policy.name}@{Path(named).name}")


def shipped(policy: Policy) -> dict[str, Path]:
    """Return the weights files that are included with a policy, by name.

    If two have the same name, the file in the folder of the first function in `decided_by` takes precedence.
    """
    homes = dict.fromkeys(path_of(one).parent for one in reversed(policy.decided_by()))
    return {
        file.stem: file
        for home in homes
        for file in sorted((home / "trained" / policy.name).glob(f"*{SUFFIX}"))
    }


def text_of(document: Mapping[str, Any]) -> str:
    """Return a document (plain values, and tables of plain values) as TOML."""
    tables = {key: value for key, value in document.items() if isinstance(value, Mapping)}
    head = {key: value for key, value in document.items() if key not in tables}
    return toml.document(head, tables, _value)


def _value(value: Any) -> str:
    """Return a value on one line. A list of lists has one line for each inner list."""
    if isinstance(value, list) and value and isinstance(value[0], list):
        return "[\n" + "".join(f"  {toml.inline(row)},\n" for row in value) + "]"
    return toml.inline(value)
