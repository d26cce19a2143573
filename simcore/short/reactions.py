"""Turns of short games in which players are asked during another player's turn (`words.ask_player`).

While answers are due, the turn stays with `s.turn_of`. An action or an answer may pass the turn on, which
takes effect after the last answer. All functions modify the state.
"""

from bartizan.simcore.compile.jit import jit
from bartizan.simcore.compile.rules import PLAYING
from bartizan.simcore.short import words
from bartizan.simcore.short.words import ANSWERING, answered, pass_to, player_after


@jit
def next_player(s):
    """Give the turn to the next player who is not eliminated, counted from the player whose turn it is.

    In an answer, the first call counts from `s.turn_of`, so several players may pass the turn on. A further
    call in the same decision skips a player.
    """
    is_answer = s.answering != 0 and s.turn == s.asked_turn
    pass_to(s, player_after(s, s.turn_of if is_answer else s.me))


@jit
def hand_over(s):
    """Determine the next decision after an action or an answer.

    If players were asked, the first of them decides. Otherwise, the player whose turn it is decides, in the
    phase in which the action ended.
    """
    if s.end_reason != PLAYING:
        return
    drop_eliminated(s)
    is_passed = s.asked_turn != 0 and s.turn != s.asked_turn
    if s.answering == ANSWERING:
        if is_passed:
            answered(s)
        else:  # the answer continues in its current phase
            s.asked[s.n_asked_now, 1] = s.phase
    elif s.answering == 0:
        s.turn_phase = s.phase
        if s.n_asked == 0 or not is_passed:
            s.turn_of, s.asked_turn = s.me, s.turn
    if is_passed and (s.n_asked > 0 or s.answering != 0):
        s.next_turn, s.turns_due, s.turn = 1 + s.me, s.turn - s.asked_turn, s.asked_turn
    if s.n_asked > 0:
        s.me, s.phase, s.answering = s.asked[0, 0], s.asked[0, 1], ANSWERING
    elif s.answering != 0:
        s.me, s.phase, s.answering = s.turn_of, s.turn_phase, 0
        if s.next_turn != 0:
            s.me, s.turn = s.next_turn - 1, s.turn + s.turns_due
            if s.out[s.me]:  # by a later answer
                s.me = player_after(s, s.me)
            s.turn_of, s.asked_turn, s.next_turn, s.turns_due = s.me, s.turn, 0, 0
    s.n_asked_now = 0


@jit
def drop_eliminated(s):
    """Drop the questions to eliminated players, and end the answer of such a player."""
    if s.answering == ANSWERING and s.out[s.asked[s.n_asked_now, 0]]:
        answered(s)
    left = left_now = 0
    for i in range(s.n_asked):
        if not s.out[s.asked[i, 0]]:
            s.asked[left, 0], s.asked[left, 1] = s.asked[i, 0], s.asked[i, 1]
            left += 1
            left_now += i < s.n_asked_now
    s.n_asked, s.n_asked_now = left, left_now


@jit
def pass_from_eliminated(s):
    """Pass the turn from an eliminated player to the next player, once all players have answered."""
    if s.n_asked == 0:
        words.pass_from_eliminated(s)
        s.turn_of, s.asked_turn = s.me, s.turn
