"""Compare the base policy, lookahead over it, and `newcomer` in short games.

    python benchmarks/short_players.py [--games N] [--look-ahead POLICY] FILE...

Each policy plays the first seat, with the base policy in the other seats, on common random numbers.

If a trial finds that lookahead is no better than its base, lookahead chooses as the base does, and both rows
are equal.
"""

import argparse
import os
import time
from pathlib import Path

import numpy as np

from bartizan.policies.registry import find_player
from bartizan.simcore.compile import cache
from bartizan.simcore.errors import BartizanError
from bartizan.simcore.game import load_game
from bartizan.simcore.play.batch import play_games
from bartizan.simcore.play.match import Match
from bartizan.simcore.scenario.loading import load_scenario

SEED = 20_261_128


def row_of(path: str, policy: str, games: int) -> str:
    game = load_game(path)
    scenario = load_scenario(game)
    base = find_player(game, game.default_policy)
    seats = len(game.roles_in(scenario))
    begun = time.monotonic()
    try:
        players = (find_player(game, policy or game.default_policy), *[base] * (seats - 1))
        rows = np.concatenate(
            list(play_games(Match(game, scenario, players, SEED), range(games), os.cpu_count() or 1))
        )
    except BartizanError as error:
        return f"refused: {error}"
    won = float((rows["winner"] == 0).mean())
    half = 1.96 * np.sqrt(max(won * (1 - won), 0.25 / games) / games)
    score = rows["score"]
    error = 1.96 * score.std() / np.sqrt(games)
    taken = time.monotonic() - begun
    return f"wins {won:6.1%} (±{half:.1%})  score {score.mean():9.2f} (±{error:.2f})  {taken:5.1f} s"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="+")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--look-ahead", default="lookahead", help="lookahead:turns=0,plays=8 is quicker")
    given = parser.parse_args()
    cache.configure()
    for path in given.files:
        for who, policy in (("base", ""), ("look-ahead", given.look_ahead), ("newcomer", "newcomer")):
            print(f"{Path(path).stem:18} {who:10} {row_of(path, policy, given.games)}", flush=True)


if __name__ == "__main__":
    main()
