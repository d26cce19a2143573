"""`check` of a live engine: validate it against the protocol (docs/engines.md)."""

import time
from collections.abc import Iterator, Mapping, Sequence

from bartizan.policies.registry import find_policy, policies_of
from bartizan.policies.request import match_of
from bartizan.reports.text import words
from bartizan.simcore.game import Game, load_game
from bartizan.simcore.play.batch import Batch
from bartizan.simcore.play.match import Match
from bartizan.simcore.scenario.loading import load_scenario

GAMES, ENDS = 32, 4  # games of each policy and level, and at each end of a setting
SEED = 1


def check_engine(target: str, policies: Sequence[str] = (), every_end: bool = False) -> Iterator[str]:
    """Yield a line for each check that passed. Raises EngineError or UsageError at the first failure.

    policies: the policies to check (default: all that the engine declares). every_end: test each setting at
    both ends of its range.
    """
    game = load_game(target)
    live = game.compiled.live
    assert live
    declared = live.declared
    yield (
        f"ok  hello: {declared.name}, protocol {declared.bartizan}, seats {', '.join(game.roles)}, "
        f"{words.many(len(declared.settings), 'setting')}, policies {', '.join(policies_of(game))}"
    )
    named = list(policies or policies_of(game))
    played, seconds = 0, 0.0
    for level in declared.levels:
        for name in named:
            since = time.perf_counter()
            match = _match(game, level, name, {})
            rows = Batch(match).play(range(GAMES))
            seconds += time.perf_counter() - since
            live.repeat(match, rows)
            played += GAMES
    yield f"ok  {played} games: each result has the declared fields ({', '.join(named)})"
    yield f"ok  {played} games simulated again by another process in reverse order: identical"
    if every_end:
        ends = 0
        for knob in load_scenario(game).parameters():
            values = knob.choices or [value for value in (knob.low, knob.high) if value is not None]
            for value in values if knob.path != "difficulty" else ():
                Batch(_match(game, declared.levels[0], named[0], {knob.path: value})).play(range(ENDS))
                ends += 1
        yield f"ok  {ends} values at the ends of the settings: {ENDS} games each"
    yield f"note: {played / seconds:,.0f} games/s by one process, in small batches"


def _match(game: Game, level: str, policy: str, sets: Mapping[str, object]) -> Match:
    """Return a match with the policy in all seats that it can play. Default policies play the other seats."""
    scenario = load_scenario(game, None, level, sets)
    able = find_policy(game, policy).roles or game.roles
    seated = [policy if role in able else game.default_for(role) for role in game.roles_in(scenario)]
    return match_of(game, scenario, seated, SEED)
