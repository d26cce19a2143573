"""Write the sample files of public record formats in this folder: random games, in the form of each program.

    python examples/records/make_up.py

`tag_game_over.csv`: a race of three rounds by two random players, in the form of TAG's GAME_OVER.csv.
`boardgame_io.jsonl`: random tic-tac-toe, one match of boardgame.io per line; one match is unfinished.
"""

import csv
import json
import random
from pathlib import Path

FOLDER = Path(__file__).parent
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
SEATS = (0, 1)
HEAD = ["GameID", "GameName", "PlayerCount", "GameSeed", "Tick", "Turn", "Round", "Event"]
SCORES = [f"FinalScore({name}-{seat})" for seat in SEATS for name in ("Player", "PlayerName")]
PLACES = [
    f"OrdinalPosition(Player{name})"
    for seat in SEATS
    for name in (f"-{seat}", f"-{seat} rank", f"Name-{seat}")
]
TYPES = [f"PlayerType(PlayerType-{seat})" for seat in SEATS]


def tag() -> None:
    with (FOLDER / "tag_game_over.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow([*HEAD, *SCORES, *PLACES, *TYPES])
        for line_up in (("Careful", "Random"), ("Random", "Careful"), ("Random", "Random")):
            for seed in range(40):
                luck = random.Random(seed)
                scores = [luck.randint(3, 18) + 3 * (name == "Careful") for name in line_up]
                places = [1 + sum(other > score for other in scores) for score in scores]
                row = [seed, "Race", 2, seed, 6, 0, 3, "GAME_OVER"]
                row += [
                    value
                    for score, name in zip(scores, line_up, strict=True)
                    for value in (float(score), name)
                ]
                row += [
                    value
                    for place, name in zip(places, line_up, strict=True)
                    for value in (place, place, name)
                ]
                rows.writerow([*row, *line_up])


def match(number: int) -> dict:
    luck, cells, log, over, turn = random.Random(number), [None] * 9, [], None, 0
    while over is None and not (number == 7 and turn == 3):
        me, turn = str(turn % 2), turn + 1
        cell = luck.choice([at for at in range(9) if cells[at] is None])
        cells[cell] = me
        move = {"type": "clickCell", "args": [cell], "playerID": me}
        log.append(
            {
                "action": {"type": "MAKE_MOVE", "payload": move},
                "_stateID": turn - 1,
                "turn": turn,
                "phase": None,
            }
        )
        if any(all(cells[at] == me for at in line) for line in LINES):
            over = {"winner": me}
        elif None not in cells:
            over = {"draw": True}
    ended = {"gameover": over} if over else {}
    ctx = {
        "numPlayers": 2,
        "turn": turn,
        "currentPlayer": me,
        "playOrder": ["0", "1"],
        "phase": None,
        **ended,
    }
    random_data = {"data": {"seed": f"match{number}"}}
    state = {"G": {"cells": cells}, "ctx": ctx, "plugins": {"random": random_data}, "_stateID": turn}
    players = {str(seat): {"id": seat, "name": name} for seat, name in enumerate(("Ann", "Ben"))}
    times = {"createdAt": 1_700_000_000_000, "updatedAt": 1_700_000_000_000 + 4000 * turn}
    metadata = {"gameName": "tic-tac-toe", "players": players, "setupData": {"size": 3}, **times, **ended}
    return {"matchID": f"m{number}", "state": state, "metadata": metadata, "log": log}


if __name__ == "__main__":
    tag()
    lines = [json.dumps(match(number), separators=(",", ":")) for number in range(40)]
    (FOLDER / "boardgame_io.jsonl").write_text("\n".join(lines) + "\n")
