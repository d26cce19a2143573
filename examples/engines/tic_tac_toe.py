"""Tic-tac-toe as a live engine that takes single decisions (docs/engines.md, "Step by step")."""

import json
import random
import sys

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
CAREFUL = {"name": "careful", "about": "wins or blocks, then takes the middle, then any cell"}
DECLARATION = {
    **{"bartizan": 1, "name": "tic_tac_toe", "title": "Tic-tac-toe", "players": 2},
    **{"policies": [CAREFUL, {"name": "random"}], "time": "mark", "steps": True},
}


def has_row(cells, mark):
    return any(all(cells[cell] == mark for cell in line) for line in LINES)


def position(cells, marks):
    """Return the next decision or the result.

    The state contains nine cells (0 empty, 1, 2) and the number of marks.
    """
    winner = next((mark for mark in (1, 2) if has_row(cells, mark)), None)
    if winner or marks == 9:
        return {"result": {"winner": winner or "draw", "turns": marks}}
    legal = [cell for cell in range(9) if not cells[cell]]
    return {"state": [cells, marks], "seat": 1 + marks % 2, "turn": marks + 1, "legal": legal}


def marked(cells, cell, mark):
    return [*cells[:cell], mark, *cells[cell + 1 :]]


def choose(cells, marks, policy, luck):
    legal, me = [cell for cell in range(9) if not cells[cell]], 1 + marks % 2
    if policy == "careful":
        rows = [cell for mark in (me, 3 - me) for cell in legal if has_row(marked(cells, cell, mark), mark)]
        return rows[0] if rows else 4 if 4 in legal else luck.choice(legal)
    return luck.choice(legal)


def played(cells, marks, policies, luck):
    while "result" not in (now := position(cells, marks)):
        cell = choose(cells, marks, policies[marks % 2], luck)
        cells, marks = marked(cells, cell, 1 + marks % 2), marks + 1
    return now["result"]


for line in sys.stdin:
    message = json.loads(line)
    kind, seed = message["message"], message.get("seed")
    cells, marks = message.get("state") or [[0] * 9, 0]
    if "action" in message:
        cells, marks = marked(cells, message["action"], 1 + marks % 2), marks + 1
    answers = [DECLARATION] if kind == "hello" else [position(cells, marks)]  # of begin and apply
    if kind == "choose":
        answers = [{"action": choose(cells, marks, message["policy"], random.Random(seed))}]
    elif "seeds" in message:  # of play and playout
        seeds, policies = message["seeds"], message["policies"]
        answers = [{"seed": one, **played(cells, marks, policies, random.Random(one))} for one in seeds]
        answers.append({"done": len(seeds)})
    print("\n".join(map(json.dumps, answers)), flush=True)
