"""Simultaneous choices in a short game: held until all players have chosen, then revealed and applied.

Players choose in turn order, but a held choice is not applied, so nothing that rules, policies and
observations read depends on it. `unchoose` removes the choices of other players when a game is redealt for a
seat. All functions modify the state.
"""

from bartizan.simcore.compile.jit import jit
from bartizan.simcore.kit.journal import log
from bartizan.simcore.short.words import NONE, player_after

CHOOSING, REVEALING = 1, 2  # 0: no choice is held
REVEALED = -1  # event of the log: a player, and the action


@jit
def hold(s, action):
    """Hold the choice of the player to move.

    Returns True if another player still has to choose; that player is then to move.
    """
    if s.choosing == 0:
        s.choosing, s.first_chooser = CHOOSING, s.me
    s.held_choices[s.me] = 1 + action
    for step in range(s.players):
        p = (s.first_chooser + step) % s.players
        if s.held_choices[p] == 0 and not s.out[p]:
            s.me = p
            return True
    s.choosing = REVEALING
    for step in range(s.players):
        p = (s.first_chooser + step) % s.players
        if s.held_choices[p] != 0:
            log(s, REVEALED, p, s.held_choices[p] - 1)
    return False


@jit
def next_held(s):
    """Return the next choice to apply, and make its player the player to move.

    After the last choice, return NONE, and make the player who chose first the player to move.
    """
    for step in range(s.players):
        p = (s.first_chooser + step) % s.players
        if s.held_choices[p] != 0:
            action = s.held_choices[p] - 1
            s.me, s.held_choices[p] = p, 0
            return action
    s.choosing, s.me = 0, s.first_chooser
    return NONE


@jit
def skip_eliminated(s):
    """Give the turn after a reveal to a player who is not eliminated."""
    if s.out[s.me]:
        s.me = player_after(s, s.me)


@jit
def unchoose(s, viewer):
    """Remove the held choices that a player does not know; these players choose again."""
    if s.choosing == CHOOSING:
        for p in range(s.players):
            if p != viewer:
                s.held_choices[p] = 0
