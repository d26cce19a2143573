"""Pig as a live engine (docs/engines.md). Replace DECLARATION and `play` with your own game."""

import json
import random
import sys

DECLARATION = {
    "bartizan": 1,
    "name": "pig",
    "title": "Pig",
    "players": 2,
    "settings": [
        {"name": "goal", "default": 100, "min": 1, "max": 1000, "about": "points that win"},
        {"name": "sides", "default": 6, "min": 2, "max": 20, "about": "sides of the die"},
    ],
    "policies": [
        {"name": "hold", "about": "holds when a turn brought `at` points", "weights": {"at": 20}},
        {"name": "random", "about": "rolls or holds with equal chance"},
    ],
    "score": "points",
    "columns": {"busts": "turns lost to a 1"},
}


def play(seed, settings, policies, weights):
    """Play one game, and return its result with the names of the declaration.

    All random numbers come from the seed.
    """
    luck = random.Random(seed)
    banked, busts, turns, mover, at_stake = [0, 0], 0, 1, 0, 0
    while True:
        if policies[mover] == "random":
            holds = luck.random() < 0.5
        else:
            has_enough = banked[mover] + at_stake >= settings["goal"]
            holds = at_stake >= weights[mover]["at"] or has_enough
        pips = 0 if holds else luck.randint(1, settings["sides"])
        if pips > 1:
            at_stake += pips
            continue
        banked[mover] += at_stake if holds else 0
        busts += not holds
        if banked[mover] >= settings["goal"]:
            return {"winner": mover + 1, "turns": turns, "scores": banked, "busts": busts}
        mover, at_stake, turns = 1 - mover, 0, turns + 1


for line in sys.stdin:
    message = json.loads(line)
    if message["message"] == "hello":
        answers = [DECLARATION]
    else:
        match = message["settings"], message["policies"], message["weights"]
        answers = [{"seed": seed, **play(seed, *match)} for seed in message["seeds"]]
        answers.append({"done": len(answers)})
    for answer in answers:
        print(json.dumps(answer))
    sys.stdout.flush()
