"""What a policy promises, as checks that can fail: it chooses a legal action, the same one whenever it is
asked, and changes nothing but its memory.
"""

from dataclasses import replace

import numpy as np
from numba import types

from bartizan.simcore.compile import mistakes
from bartizan.simcore.compile.cache import is_ours
from bartizan.simcore.compile.habits import PLAYERS_LUCK, bad_habit
from bartizan.simcore.compile.jit import compiled
from bartizan.simcore.compile.loops import new_row, policy_signature
from bartizan.simcore.compile.memory import MEMORY
from bartizan.simcore.errors import PolicyError
from bartizan.simcore.game import Engine
from bartizan.simcore.play.fingerprints import checksum
from bartizan.simcore.play.match import Match, Player

BEYOND = 4096  # room behind a list, to see what is written there
UNWRITTEN = np.int32(-(2**31))


def whole_answers(player: Player, engine: Engine) -> Player:
    """A policy from outside with its answers as it gives them: in play they are cut to 32 bits.

    Raises PolicyError where they are no integers, and for luck from a generator that no seed reaches.
    """
    if is_ours(player.source):
        return player
    function, who = player.function.py_func, f"{player.source}: policy {player.name}"
    habit = bad_habit(function, PLAYERS_LUCK)
    _hold_policy(not habit, f"{who}: {habit}")
    whole = compiled(function, policy_signature(engine).args)
    kind = whole.nopython_signatures[0].return_type
    _hold_policy(isinstance(kind, types.Integer), f"{who}: it returns {kind}, and an action is an integer")
    return replace(player, function=whole)


def with_rows(engine: Engine, players: list[Player]) -> list[tuple[Player, np.ndarray]]:
    """Each with a row of weights and memory that lasts over decisions."""
    return [(player, new_row(engine, player.weights.values())) for player in players]


def check_policies(
    match: Match, states: np.ndarray, tables: np.record, legal: np.ndarray, seated: list, where: str
) -> None:
    """Every policy that may play this seat chooses a legal action, twice the same, and changes nothing.

    seated: as `with_rows`. The first time its memory is blank, the second time it holds what it kept of other
    decisions, and of this one the third.
    """
    state = states.view(np.recarray)[0]
    for player, kept in seated:
        if player.roles and match.game.roles[state.to_move] not in player.roles:
            continue
        who = f"{player.source}: policy {player.name}"
        rows = [new_row(match.engine, player.weights.values()), kept, kept]
        chosen = [ask(player, states, tables, legal, f"{who}: {where}", row) for row in rows]
        listed = ", ".join(map(str, legal[:8].tolist()))
        _hold_policy(
            chosen[0] in legal, f"{who}: {where}: chose {chosen[0]}, which is not legal (legal: {listed})"
        )
        other = next((action for action in chosen if action != chosen[0]), chosen[0])
        _hold_policy(
            other == chosen[0],
            f"{who}: {where}: chose {chosen[0]}, then {other} in the same state: {_why_another(kept)}",
        )


def _why_another(row: np.ndarray) -> str:
    """What makes a policy choose otherwise the second time; row: with the memory it had then."""
    if row[-MEMORY:].any():
        return "what stands in its memory may change no choice"
    return "draw luck with policy_below(state, i, n) only"


def ask(
    player: Player, states: np.ndarray, tables: np.record, legal: np.ndarray, where: str, row: np.ndarray
) -> int:
    """What a policy chooses. Raises PolicyError when it changes what it is shown; it may put `legal` into
    another order, and change the memory at the end of its row.
    """
    room = np.full(len(legal) + BEYOND, UNWRITTEN, np.int32)
    room[: len(legal)] = legal
    given = {"the state": states, "the tables": tables, "its weights": row[:-MEMORY]}
    before = {what: checksum(one) for what, one in given.items()}
    try:
        action = player.function(states.view(np.recarray)[0], tables, room, len(legal), row)
    except Exception as error:
        raise PolicyError(f"{where}: it fails: {mistakes.reason_of(error)}") from error
    for what, one in given.items():
        _hold_policy(checksum(one) == before[what], f"{where}: it changed {what}")
    kept = sorted(room[: len(legal)]) == sorted(legal) and (room[len(legal) :] == UNWRITTEN).all()
    _hold_policy(kept, f"{where}: it wrote into the list of legal actions")
    return int(action)


def _hold_policy(condition: bool, otherwise: str) -> None:
    if not condition:
        raise PolicyError(otherwise)
