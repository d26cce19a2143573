"""Games played uncompiled in one process: `python -m tests.plain_games < games.json` with BARTIZAN_PLAIN=1.

{name: {file, games, command}} -> {name: [kind of error or "", text]}. command: what is asked of it, "run" unless given.
"""

import json
import sys
import tempfile
from pathlib import Path

from bartizan.policies.registry import find_player
from bartizan.simcore.conformance import walk
from bartizan.simcore.game import load_game
from bartizan.simcore.play.batch import Batch
from bartizan.simcore.play.match import Match
from bartizan.simcore.scenario.loading import load_scenario


def answer(path: Path, asked: dict) -> str:
    game = load_game(str(path))
    scenario = load_scenario(game)
    match = Match(game, scenario, (find_player(game, game.default_policy),) * len(game.roles_in(scenario)), 1)
    if asked.get("command") == "check":
        for number in range(asked["games"]):
            walk(match, number, [])
        return ""
    rows = Batch(match).play(0, asked["games"])
    return json.dumps([[row[name].item() for name in ("winner", "turn", "score")] for row in rows])


def main():
    answers = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, asked in json.load(sys.stdin).items():
            path = Path(folder) / f"{name}.py"
            path.write_text(asked["file"], encoding="utf-8")
            try:
                answers[name] = "", answer(path, asked)
            except Exception as error:
                answers[name] = type(error).__name__, str(error)
    print(json.dumps(answers))


if __name__ == "__main__":
    main()
