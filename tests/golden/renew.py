"""Write the golden traces anew: python -m tests.golden.renew. Read the difference before committing it."""

from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
SEED, NUMBER = 2016, 7
POLICIES = {"itter": ["fight", "garrison"], "colditz": ["greedy", "escape_officer"]}  # besides random, which every game has


def names() -> Iterator[tuple[str, str, str, str]]:
    """(game, scenario, difficulty, policy) of every trace that must exist."""
    from simcore.conformance import each_scenario
    from simcore.game import game_names, load_game

    for game in game_names():
        for scenario in each_scenario(load_game(game)):
            for policy in ["random", *POLICIES.get(game, [])]:
                yield game, scenario.name, scenario.difficulty, policy


def path_of(game: str, scenario: str, difficulty: str, policy: str) -> Path:
    return HERE / f"{game}.{scenario}.{difficulty}.{policy}.txt"


def trace(game: str, scenario: str, difficulty: str, policy: str) -> str:
    """The game as text: every decision, everything that followed, and the record."""
    from policies.registry import find_player, line_ups
    from simcore.batch import Match
    from simcore.game import load_game
    from simcore.replay import record_of, replay
    from simcore.scenario import load_scenario

    it = load_game(game)
    (seats,) = line_ups(it, [policy])  # an officer of one side meets the default player of the other
    match = Match(it, load_scenario(it, scenario, difficulty), tuple(find_player(it, text) for text in seats), SEED)
    lines = [f"{game} {scenario} {difficulty} {policy}, behaviour {it.behaviour}, seed {SEED}, game {NUMBER}"]
    for ply in replay(match, NUMBER):
        lines.append(f"{ply.number}: {ply.text}")
        lines += [f"    {event}" for event in ply.events]
    lines.append(", ".join(f"{key} {value}" for key, value in record_of(match, NUMBER).items()))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    from simcore import cache

    cache.configure()
    for name in names():
        path_of(*name).write_text(trace(*name), encoding="utf-8")
