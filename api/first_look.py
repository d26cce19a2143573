"""Check a user's policy before its first games.

A separate process runs a few games with the tests of `bartizan check`. Each version of a policy is checked
once per version of a game.
"""

import os
import time
from collections.abc import Iterator

import numpy as np

from bartizan.api.child import Died, cause_of, said_by
from bartizan.policies.protocol import Policy, as_player
from bartizan.policies.registry import find_player, find_policy
from bartizan.policies.request import name_in_commands
from bartizan.simcore import conformance, rng
from bartizan.simcore.compile import mistakes
from bartizan.simcore.compile.loops import new_states
from bartizan.simcore.compile.rules import PLAYING
from bartizan.simcore.errors import EngineError, PolicyError
from bartizan.simcore.game import Game, game_names, load_game
from bartizan.simcore.play.failures import follow
from bartizan.simcore.play.match import Match, Player
from bartizan.simcore.play.replay import set_up
from bartizan.simcore.scenario.loading import load_scenario
from bartizan.simcore.sources import is_noted, mark, note, source_hash
from bartizan.simcore.watch import Watch

OPTION = "BARTIZAN_FIRST_LOOK"  # an environment variable: "off" skips the check
GAMES, PLIES, SEED = 6, 400, 20_16  # per check
LONG_ENOUGH = 5.0  # seconds of games, after which a check ends
ANSWER = 10  # maximum seconds of computing per decision


def look_at(watch: Watch, game: Game, policy: Policy) -> None:
    """Raise PolicyError for a policy that fails, changes the game's state, or does not return.

    Errors of the game itself are ignored.
    """
    named = name_in_commands(game)
    if os.environ.get(OPTION) == "off" or not (named.endswith(".py") or named in game_names()):
        return
    version = game.source_hash or str(game.behaviour)
    seen = mark("looked at", game.name, version, str(policy.source), source_hash(policy.choose), policy.name)
    if is_noted(seen):
        return
    watch.looking(f"{policy.source.name} is new: checking its choices in a few games")
    try:
        text = f"{policy.source}:{policy.name}"
        for _ in said_by(f"{__name__}:asked", named, text, BARTIZAN_PLAIN=""):
            pass
    except PolicyError as error:
        raise PolicyError(f"{error} ({OPTION}=off skips this check)") from error
    except Died as died:
        why = f"the process that checked it {cause_of(died.code)}"
        if died.is_late:
            why = f"no answer within {ANSWER} s of computing; it may contain an infinite loop"
        who = f"{mistakes.head_of(policy.choose)}: policy {policy.name}"
        raise PolicyError(f"{who}: {why} ({OPTION}=off skips this check)") from died
    except EngineError:  # the game fails, not the policy; `check` reports how
        return
    note(seen)


# ---------------------------------------------------------------- in a process of its own


def asked(named: str, text: str) -> Iterator[str]:
    """Entry point of the separate process: yield a line per game.

    Raises PolicyError if the policy fails a test.
    """
    game = load_game(named)
    policy, scenario = find_policy(game, text), load_scenario(game)
    player = as_player(game, policy)
    match = Match(game, scenario, (find_player(game, "random"),) * len(game.roles_in(scenario)), SEED)
    place = f"{mistakes.head_of(policy.choose)}: policy"
    try:
        player = conformance.as_played(player, match.engine)
        until = time.monotonic() + LONG_ENOUGH
        for number in range(GAMES):
            _walk(match, number, player, until)
            yield f"game {number}"
    except PolicyError as error:
        raise PolicyError(str(error).replace(f"{player.source}: policy", place, 1)) from error


def _walk(match: Match, number: int, player: Player, until: float) -> None:
    """Simulate one game, and test the policy at every decision.

    In every second game, the policy's own choices are followed. All other actions are random.
    """
    engine, tables = match.engine, match.tables()
    built, states = tables.tobytes(), new_states(engine, 2)
    state = set_up(engine, states, tables, match.seed, number)
    luck, seated = np.random.default_rng(number), conformance.with_rows(engine, [player])
    for ply in range(PLIES):
        if state.end_reason != PLAYING or time.monotonic() > until:
            return
        where = f"{match.game.name}, seed {match.seed}, game {number}, ply {ply}"
        legal = conformance.list_legal(match, state, tables, where)
        rng.next_policy_luck(state)
        _limit_answer()
        conformance.check_policies(match, states, tables, built, legal, seated, where)
        action = int(legal[luck.integers(len(legal))])
        if number % 2 and (not player.roles or match.game.roles[state.to_move] in player.roles):
            action = conformance.ask(player, states, tables, legal, where, seated[0][1])
        follow(engine.apply, where, state, tables, np.int32(action))


def _limit_answer() -> None:
    """Set a limit on processor time, if the system supports this. A process above the limit is ended."""
    try:
        import resource
    except ImportError:
        return
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    soft = int(time.process_time()) + ANSWER + 1
    resource.setrlimit(resource.RLIMIT_CPU, (soft if hard < 0 else min(soft, hard), hard))
