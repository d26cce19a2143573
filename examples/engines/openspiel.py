"""A game of OpenSpiel as a live engine (docs/engines.md): `python3 openspiel.py tic_tac_toe`."""

import json
import re
import sys

import numpy as np
import pyspiel

GAME = pyspiel.load_game(sys.argv[1])
IS_OPEN = GAME.get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION
MCTS = {"name": "mcts", "about": "simulations for each action", "weights": {"simulations": 16}}
DECLARATION = {
    **{"bartizan": 1, "name": re.sub(r"\W+", "_", str(GAME)).strip("_")[:40], "version": str(GAME)},
    **{"players": GAME.num_players(), "time": "move", "score": "returns", "steps": IS_OPEN},
    "policies": [{"name": "random"}, *([MCTS] if IS_OPEN else [])],  # MCTS would see hidden cards
}


def choose(state, policy, weights, luck):
    legal, seed = state.legal_actions(), luck.randint(1 << 30)
    if policy == "random":
        return legal[seed % len(legal)]
    search = pyspiel.RandomRolloutEvaluator(1, seed), 2.0, int(weights["simulations"]) * len(legal)
    return pyspiel.MCTSBot(GAME, *search, 100, False, seed, False).step(state)


def position(state, luck, policies=(), weights=()):
    """Return the next decision or, with policies, the end of the game. A state is sent as text."""
    while not state.is_terminal():
        seat, turn = state.current_player() + 1, state.move_number() + 1
        if state.is_chance_node():
            actions, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(luck.choice(actions, p=chances)))
        elif policies:
            state.apply_action(choose(state, policies[seat - 1], weights and weights[seat - 1], luck))
        else:
            return {"state": state.serialize(), "seat": seat, "turn": turn, "legal": state.legal_actions()}
    won = state.returns()
    winner = "draw" if won.count(max(won)) > 1 else won.index(max(won)) + 1
    return {"result": {"winner": winner, "turns": state.move_number(), "scores": won}}


def answer(message, seed):
    luck, state = np.random.RandomState(seed), GAME.new_initial_state()
    if "state" in message:
        state = GAME.deserialize_state(message["state"])
    if message["message"] == "choose":
        return {"action": choose(state, message["policy"], message["weights"], luck)}
    if "action" in message:
        state.apply_action(message["action"])
    found = position(state, luck, message.get("policies", ()), message.get("weights", ()))
    return {"seed": seed, **found["result"]} if "seeds" in message else found


for message in map(json.loads, sys.stdin):
    seeds = message.get("seeds") or [message.get("seed")]
    answers = [DECLARATION] if message["message"] == "hello" else [answer(message, one) for one in seeds]
    answers += [{"done": len(answers)}] if "seeds" in message else []
    print("\n".join(map(json.dumps, answers)), flush=True)
