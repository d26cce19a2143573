"""A table of one game, by names."""

from bartizan.policies.registry import find_player
from bartizan.simcore.game import load_game
from bartizan.simcore.play.match import Match
from bartizan.simcore.scenario.loading import load_scenario


def match_of(name: object, *policies: str, seed: int = 1, **sets: object) -> Match:
    """A policy for each seat, or one for all of them; `deck__copies="[4, 4, 1]"` sets deck.copies."""
    game = load_game(str(name))
    scenario = load_scenario(game, sets={path.replace("__", "."): value for path, value in sets.items()})
    players = tuple(find_player(game, policy) for policy in policies or ("random",))
    return Match(game, scenario, players if len(players) > 1 else players * len(game.roles_in(scenario)), seed)
