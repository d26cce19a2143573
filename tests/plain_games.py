"""Games played uncompiled in one process: `python -m tests.plain_games < games.json` with BARTIZAN_PLAIN=1.

{name: {file, games, command, set}} -> {name: [kind of error or "", answer]}. command: one of COMMANDS, "run" unless
given; set: path -> value.
"""

import json
import sys
import tempfile
from pathlib import Path

from bartizan.analyses.experiments.coverage import analyze
from bartizan.analyses.experiments.trials import Condition
from bartizan.policies.registry import find_player
from bartizan.simcore.game import load_game
from bartizan.simcore.play.batch import Batch
from bartizan.simcore.play.cycles import cycle_of
from bartizan.simcore.play.failures import after_the_end
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.replay import opening
from bartizan.simcore.scenario.loading import load_scenario


def run(match, asked):
    rows = Batch(match).play(range(asked["games"]))
    return [[row[name].item() for name in ("winner", "turn", "score")] for row in rows]


def refused(match, asked):
    """Values that coverage could not play, with the reason."""
    condition = Condition(match.game, None, {}, match.players, asked["games"], match.seed)
    knobs = [knob for knob in match.scenario.parameters() if knob.path in asked["knobs"]]
    found = analyze(condition, match.scenario, knobs)
    return [[one.path, one.to, one.reason] for one in found.refused]


def playable(match, asked):
    """May a sweep of values hold this one?"""
    condition = Condition(match.game, None, {}, match.players, asked["games"], match.seed)
    condition.load_playable(asked["values"])
    return True


def dealt(match, asked):
    return match.engine.scene.deal(*opened(match), match.scenario)


def cycle(match, asked):
    found = cycle_of(match, 0)
    return found and found.words()


def opened(match):
    from bartizan.simcore.play.replay import OneGame

    game = OneGame(match)
    game.begin(match.seed, 0)
    return game.state, game.tables


def progress(match, asked):
    """Of each rare event, in a new game and at the end of the first one."""
    from bartizan.simcore.play.replay import OneGame

    game = OneGame(match)
    game.begin(match.seed, 0)
    first = {name: int(event.progress(game.state, game.tables)) for name, event in match.engine.rare.items()}
    while not game.is_over:
        game.play(int(game.legal()[-1]))
    last = {name: int(event.progress(game.state, game.tables)) for name, event in match.engine.rare.items()}
    return {
        name: [first[name], last[name], int(event.top(match.scenario)), event.title]
        for name, event in match.engine.rare.items()
    }


COMMANDS = {
    "cycle": cycle,
    "run": run,
    "refused": refused,
    "playable": playable,
    "dealt": dealt,
    "progress": progress,
    "opening": lambda match, asked: opening(match, 0).events,
    "after the end": lambda match, asked: after_the_end(match, asked["games"]),
}


def answer(path: Path, asked: dict):
    game = load_game(str(path))
    scenario = load_scenario(game, None, None, asked.get("set"))
    players = (find_player(game, game.default_policy),) * len(game.roles_in(scenario))
    return COMMANDS[asked.get("command", "run")](Match(game, scenario, players, 1), asked)


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
