"""Stamps anew what ships, playing nothing: `BARTIZAN_PLAIN=1 python -m tests.restamp`.

The rungs of a bracket name who played by a hash over their sources. Where code moved and the golden digests and the twins prove that
the players are the same, the rungs are theirs; where a player became another, measure again (the commands are in the files).
"""

import json
import os

os.environ["BARTIZAN_PLAIN"] = "1"  # a hash asks for no compiled code

from bartizan.analyses.experiments.bracket import Rung
from bartizan.api.answers.bracket import RungSeat
from bartizan.simcore.game import beside, game_names, load_game
from bartizan.simcore.scenario.loading import load_scenario


def restamp(name: str) -> int:
    """How many rungs of a game's brackets got another stamp."""
    game, path, changed = load_game(name), beside(name, "bracket.json"), 0
    document = json.loads(path.read_text(encoding="utf-8"))
    for it in document["brackets"]:
        sets = {game.players_path: 1 + len(it["opponents"])} if it["alike"] and len(it["opponents"]) > 1 else {}
        scenario = load_scenario(game, it["scenario"], it["difficulty"], sets)
        for one in it["rungs"]:
            tables = RungSeat(game, scenario, it["role"], one["seed"]).seatings(one["policy"])
            stamp = Rung(one["rung"], one["policy"], tables, one["games"], one["plays"]).player
            changed += stamp != one["player"]
            one["player"] = stamp
    path.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    return changed


if __name__ == "__main__":
    for name in game_names():
        if beside(name, "bracket.json").is_file():
            print(f"{name}: {restamp(name)} rungs")
