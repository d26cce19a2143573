"""Simulate games of OpenSpiel through its adapter (examples/engines/openspiel.py) with three players.

    python benchmarks/openspiel_games.py --python ~/osp/bin/python      an interpreter with open_spiel

The columns are the win rates of the first seat for random play, lookahead and OpenSpiel's own MCTS (C++, UCT
constant 2) against random play. Lookahead and MCTS have the same budget: `--plays` rollouts for each legal
action of a decision. The last column is lookahead in the first seat against MCTS in the second. The script
prints Markdown, row by row.
"""

import argparse
import datetime
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import bartizan as bz

ROOT = Path(__file__).parent.parent
GAMES = (
    "tic_tac_toe",
    "nim",
    "hex(board_size=3)",
    "y(board_size=3)",
    "connect_four(rows=4,columns=5)",
    "breakthrough(rows=5,columns=4)",
    "clobber(rows=4,columns=4)",
    "dots_and_boxes",
    "pig(players=2,winscore=20)",
    "mancala",
)


def share(found: dict) -> str:
    """Return the win rate of the first seat with its interval, and the share of draws, as text."""
    rate, draws = found["win_rate"], found["draws"] / found["games"]
    drawn = f", {draws * 100:.0f} drawn" if found["draws"] else ""
    return f"{rate['estimate'] * 100:.0f} ({rate['low'] * 100:.0f}–{rate['high'] * 100:.0f}){drawn}"


def rows(names: Sequence[str], python: str, games: int, plays: int, jobs: int) -> None:
    ahead, search = f"lookahead:base=random,plays={plays}", f"mcts:simulations={plays}"
    pairs = ("random+random", f"{ahead}+random", f"{search}+random", f"{ahead}+{search}")
    print("| game | random | lookahead | MCTS | lookahead against MCTS |", "|---|---|---|---|---|", sep="\n")
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            path = Path(folder) / "engine.toml"
            command = [python, str(ROOT / "examples/engines/openspiel.py"), name]
            path.write_text(f"command = {json.dumps(command)}\ntimeout = 600\n")
            game = bz.game(path)
            cells = [share(game.run(policy=pair, games=games, seed=1, jobs=jobs).to_dict()) for pair in pairs]
            print(f"| `{name}` | {' | '.join(cells)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--python", required=True, help="an interpreter with open_spiel")
    parser.add_argument("names", nargs="*", default=GAMES, help="games of OpenSpiel (default: ten)")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--plays", type=int, default=8)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    rows(options.names, options.python, options.games, options.plays, options.jobs)
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True
    ).stdout.strip()
    version = subprocess.run(
        [options.python, "-c", "from importlib.metadata import version; print(version('open_spiel'))"],
        capture_output=True,
        text=True,
    ).stdout.strip()
    print(
        f"\n{datetime.date.today()}, {platform.machine()} with {os.cpu_count()} cores, Python "
        f"{platform.python_version()}, OpenSpiel {version}, commit {commit}, {options.games} games a cell, "
        f"{options.plays} rollouts per legal action: `{' '.join(sys.argv)}`"
    )


if __name__ == "__main__":
    main()
