"""Print the actions and values that the built-in policies never use, as the table of docs/coverage.md.

It takes a minute with compiled code.

python benchmarks/never_used.py
"""

from typing import Any

import bartizan as bz
from bartizan.analyses.experiments.coverage import ACTIONS

GAMES = (  # title, game, options
    (
        "Castle Itter at Novice, `garrison`",
        "itter",
        {"difficulty": "novice", "policy": "garrison", "games": 200},
    ),
    ("Escape from Colditz, three Allied players", "colditz", {"players": 3, "games": 400}),
    ("Castle, `steward`", "castle", {"policy": "steward", "games": 300}),
    ("Castle Rampage (a reconstruction), `tactician`", "rampage", {"policy": "tactician", "games": 300}),
)


def row(title: str, found: dict[str, Any]) -> str:
    """Return a row of the table from the document of `coverage`."""
    idle = [value for value in found["changed"] if not value["came_up"]]
    legal = sum(value["legal"] > 0 for value in idle)
    unchosen = [one["name"] for one in found["never"] if one["sort"] == ACTIONS and one["legal"]]
    rulings = f"{len(idle)} of {len(found['changed'])} | {legal}"
    return f"| {title} | {found['games']} | {rulings} | {', '.join(unchosen) or 'none'} |"


if __name__ == "__main__":
    for title, game, options in GAMES:
        answer = bz.game(game).coverage(path=["rulings"], seed=1, **options)
        print(row(title, answer.to_dict()), flush=True)
