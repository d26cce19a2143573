"""Rare events of Castle Itter, and the progress of a game towards them.

Progress is -1 if the event can no longer occur.
"""

from bartizan.simcore.compile.jit import jit
from bartizan.simcore.compile.rules import FIRST_GAME_REASON, PLAYING
from bartizan.simcore.game import Rare
from bartizan.simcore.itter.components import End
from bartizan.simcore.itter.scoring import final_score

HELD = 100  # more than the turns of any game


@jit
def unhurt(state, tables):
    """Return the number of turns played while all defenders are alive.

    Returns HELD at the end of a game won without casualties, and -1 after a casualty or a lost game.
    """
    if state.casualties > 0:
        return -1
    if state.end_reason == PLAYING:
        return max(state.turn - 1, 0)
    if state.end_reason < FIRST_GAME_REASON or state.end_reason == End.BREACH:
        return -1
    is_won = tables.counts_casualties or final_score(state, tables) >= tables.min_score  # 5.0
    return HELD if is_won else -1


RARE = {"no-casualty": Rare("the defenders win and none of them dies", unhurt, lambda scenario: HELD)}
