"""A PettingZoo environment (AEC, with an action mask) as a live engine (docs/engines.md)."""

import json
import os
import random
import sys
from importlib import import_module

stdout = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # environments print to stderr, because stdout is for answers
module = import_module(sys.argv[1])
ENV = module.env()
ENV.reset(seed=0)
SEATS = list(ENV.possible_agents)
DECLARATION = {
    "bartizan": 1,
    "name": sys.argv[1].rpartition(".")[2],
    "players": len(SEATS),
    "policies": [
        {"name": "random", "about": "any legal action"},
        {"name": "first", "about": "the first legal action"},
    ],
    "time": "move",
    "score": "rewards",
}


def play(seed, policies):
    luck, moves = random.Random(seed), 0
    ENV.reset(seed=seed)
    total = dict.fromkeys(SEATS, 0.0)
    for agent in ENV.agent_iter():
        observation, _, termination, truncation, info = ENV.last()
        for one, reward in ENV.rewards.items():
            total[one] += float(reward)
        action = None
        if not (termination or truncation):
            mask = observation["action_mask"] if isinstance(observation, dict) else info.get("action_mask")
            space = range(ENV.action_space(agent).n)
            legal = [one for one in space if mask is None or mask[one]]
            action = legal[0] if policies[SEATS.index(agent)] == "first" else luck.choice(legal)
            moves += 1
        ENV.step(action)
    scores = [total[agent] for agent in SEATS]
    best = [seat + 1 for seat, score in enumerate(scores) if score == max(scores)]
    return {"winner": best[0] if len(best) == 1 else "draw", "turns": moves, "scores": scores}


for line in sys.stdin:
    message = json.loads(line)
    if message["message"] == "hello":
        answers = [DECLARATION]
    else:
        answers = [{"seed": seed, **play(seed, message["policies"])} for seed in message["seeds"]]
        answers.append({"done": len(answers)})
    print("\n".join(map(json.dumps, answers)), file=stdout, flush=True)
