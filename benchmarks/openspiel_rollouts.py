"""Measure random games of OpenSpiel (C++) in decisions per second, for benchmarks/beside.py.

    pip install open_spiel
    python benchmarks/openspiel_rollouts.py pig 4000

The games are the rollouts of one simulation of `MCTSBot`, which runs entirely in C++. The number of decisions
per game is the mean of 300 games simulated from Python, without dice rolls.
"""

import random
import sys
import time

import pyspiel

COUNTED = 300


def decisions_of(game: pyspiel.Game, luck: random.Random) -> int:
    """Return the number of players' decisions in one random game."""
    state, decisions = game.new_initial_state(), 0
    while not state.is_terminal():
        decisions += not state.is_chance_node()
        state.apply_action(luck.choice(state.legal_actions()))
    return decisions


def main(name: str, games: int) -> None:
    game, luck = pyspiel.load_game(name), random.Random(1)
    a_game = sum(decisions_of(game, luck) for _ in range(COUNTED)) / COUNTED
    start = game.new_initial_state()
    while start.is_chance_node():
        start.apply_action(luck.choice(start.legal_actions()))
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(games, 1), 1.0, 1, 100, False, 1, False)
    since = time.perf_counter()
    bot.step(start)
    print(f"{games * a_game / (time.perf_counter() - since):.0f}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
