"""Recompute the documents of `bartizan sensitivity` that are shipped beside the scenarios.

    python -m benchmarks.influences castle colditz rampage itter

Each document contains the largest effects, each in its larger direction, with simultaneous intervals, which
account for the selection. Castle Itter takes about an hour on one core.
"""

import argparse
import datetime
import json
from pathlib import Path
from typing import Any

import bartizan as bz
from bartizan.api import version

SCENARIOS = Path(__file__).parents[1] / "simcore"
KEPT = 12
HEAD = [
    "schema",
    "game",
    "title",
    "scenario",
    "scenario_hash",
    "behaviour",
    "difficulty",
    "policies",
    "policy_sources",
    "seed",
    "games",
    "seatings",
    "range",
]
ROW = ["path", "what", "confidence", "source", "from", "to", "is_clear"]
OF_ROW = ["kind", "measure", "n", "difference", "joint", "p_adjusted"]
# file -> (game, options)
DOCUMENTS: dict[str, tuple[str, dict[str, Any]]] = {
    "castle/scenarios/published": ("castle", {"games": 3000}),
    "colditz/scenarios/summary": ("colditz", {"games": 100}),
    "rampage/scenarios/assumed-v1": (
        "rampage",
        {"games": 2000, "assumed": True, "policy": ["tactician", "rusher"]},
    ),
    "itter/scenarios/published": ("itter", {"games": 600}),
    "itter/scenarios/published.veteran": ("itter", {"games": 600, "difficulty": "veteran"}),
    "itter/scenarios/published.elite": ("itter", {"games": 600, "difficulty": "elite"}),
}


def shortened(document: dict[str, Any], command: str) -> dict[str, Any]:
    """Return the part of a `sensitivity` document that is stored."""
    largest: dict[str, dict] = {}
    for row in document["influences"]:  # from the largest to the smallest
        largest.setdefault(row["path"], row)
    rows = [
        {key: row[key] for key in ROW}
        | {"headline": {key: row["headline"][key] for key in OF_ROW if key in row["headline"]}}
        for row in list(largest.values())[:KEPT]
    ]
    kept = {key: document[key] for key in HEAD}
    for key in ("joint", "conclusions"):  # only if all values varied together
        kept |= {key: document[key]} if document.get(key) else {}
    return kept | {
        "baseline": {key: document["baseline"][key] for key in ("measure", "headline")},
        "influences": rows,
        "method": document["method"],
        "command": command,
        "version": version(),
        "measured": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "shortened": f"the {KEPT} values that move the headline most, each in its larger direction; without "
        "their turns, the lists of knobs, draws and refusals",
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="+")
    chosen = parser.parse_args().games
    for file, (game, options) in DOCUMENTS.items():
        if game in chosen:
            decks = {} if options.get("assumed") else {"decks": 0}
            asked = {"seed": 1, "levels": False, **decks, **options}
            words = [word for name, value in options.items() for word in _words(name, value)]
            command = " ".join(
                ["bartizan sensitivity", game, *words, "--seed 1 --one-level", *_words_of(decks)]
            )
            document = bz.game(game).sensitivity(**asked).to_dict()
            path = SCENARIOS / f"{file}.sensitivity.json"
            text = json.dumps(shortened(document, command), indent=1, ensure_ascii=False)
            path.write_text(text + "\n", encoding="utf-8")
            print(path)


def _words_of(options: dict[str, Any]) -> list[str]:
    return [word for name, value in options.items() for word in _words(name, value)]


def _words(name: str, value: Any) -> list[str]:
    if value is True:
        return [f"--{name}"]
    values = value if isinstance(value, list) else [value]
    return [word for one in values for word in (f"--{name}", str(one))]


if __name__ == "__main__":
    main()
