"""A game of OpenSpiel as a live engine (docs/engines.md): python3 openspiel.py tic_tac_toe"""

import json
import re
import sys

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

GAME = pyspiel.load_game(sys.argv[1])
DECLARATION = {
    "bartizan": 1,
    "name": re.sub(r"\W+", "_", str(GAME)).strip("_")[:40],
    "title": GAME.get_type().long_name,
    "version": str(GAME),
    "players": GAME.num_players(),
    "policies": [
        {"name": "random", "about": "any legal action"},
        {"name": "mcts", "about": "tree search of OpenSpiel", "weights": {"simulations": 50}},
    ],
    "time": "move",
    "score": "returns",
}


def player(name, weights, luck):
    """A function from a state to an action."""
    is_open = GAME.get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION
    if name == "random" or not is_open:  # a tree search would see hidden cards
        return lambda state: luck.choice(state.legal_actions())
    rollouts = mcts.RandomRolloutEvaluator(1, luck)
    return mcts.MCTSBot(GAME, 2.0, int(weights["simulations"]), rollouts, random_state=luck).step


def play(seed, policies, weights):
    luck = np.random.RandomState(seed)
    players = [player(name, own, luck) for name, own in zip(policies, weights, strict=True)]
    state, moves = GAME.new_initial_state(), 0  # games of turns, not of simultaneous moves
    while not state.is_terminal():
        if state.is_chance_node():
            actions, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(luck.choice(actions, p=chances)))
        else:
            state.apply_action(int(players[state.current_player()](state)))
            moves += 1
    returns = state.returns()
    best = [seat + 1 for seat, one in enumerate(returns) if one == max(returns)]
    return {"winner": best[0] if len(best) == 1 else "draw", "turns": moves, "scores": returns}


for line in sys.stdin:
    message = json.loads(line)
    if message["message"] == "hello":
        answers = [DECLARATION]
    else:
        match = message["policies"], message["weights"]
        answers = [{"seed": seed, **play(seed, *match)} for seed in message["seeds"]]
        answers.append({"done": len(answers)})
    print("\n".join(map(json.dumps, answers)), flush=True)
