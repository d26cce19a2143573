"""2.6, 2.7: Recover and Command."""

from bartizan.simcore.compile.jit import inline, jit
from bartizan.simcore.itter import components as c
from bartizan.simcore.itter.actions import defender_and_gift
from bartizan.simcore.itter.rules.board import has, is_at, location_of
from bartizan.simcore.itter.rules.orders import finish, is_deploying, is_locked

# ---------------------------------------------------------------- 2.6 Recover


@inline
def recover(state, d, what):
    """2.6: turn the exhausted side back, or remove the Disrupt token. Modifies `state`."""
    if what == c.EXHAUSTION:
        state.status[d] &= ~c.Status.EXHAUSTED
    elif what == c.DISRUPTION:
        state.status[d] &= ~c.Status.DISRUPTED


# ---------------------------------------------------------------- 2.7 Command


@jit
def may_command(state, tables, d):
    """2.7: a commander may Command; with R-04 `must_act` only when somebody can Recover by it."""
    if not has(tables, d, c.Attribute.COMMAND) or tables.recovers == 0:
        return False
    return tables.blank_action != c.BlankAction.must_act or anybody_receives(state, tables, d)


@jit
def anybody_receives(state, tables, commander):
    if is_command_locked(state, tables):
        return False
    here = location_of(state, tables, commander)
    for d in range(tables.n_defenders):
        if may_receive(state, tables, d, here) and (
            state.status[d] & (c.Status.EXHAUSTED | c.Status.DISRUPTED)
            or tables.command_useless == c.CommandUseless.any
        ):
            return True
    return False


@jit
def is_command_locked(state, tables):
    """R-72: nobody receives while 2.1 lets only the reserve act."""
    return (
        is_deploying(state, tables)
        and is_locked(tables)
        and tables.command_in_deployment == c.CommandInDeployment.no
    )


@jit
def may_receive(state, tables, d, here):
    """2.7: in the commander's location, not [C], without an Action token."""
    if not is_at(state, tables, d, here):
        return False
    if has(tables, d, c.Attribute.COMMAND) or state.status[d] & c.Status.ACTED:
        return False
    had_already = state.given_to >> d & 1
    if had_already:
        return tables.command_twice_same == c.CommandTwiceSame.yes
    return not (state.status[d] & c.Status.COMMANDED and tables.command_again == c.CommandAgain.no)


@jit
def give(state, tables, argument):
    """2.7: one free Recover; the recipient gets a Command token. Modifies `state`."""
    d, what = defender_and_gift(argument)
    recover(state, d, what)
    if what != c.TOKEN_ONLY:
        state.commanded += 1
    state.status[d] |= c.Status.COMMANDED
    state.given_to |= 1 << d
    state.gives += 1
    go_on_commanding(state, tables)


@jit
def go_on_commanding(state, tables):
    """Up to three free Recovers; the Command is over when no more can be given. Modifies `state`."""
    if state.gives >= tables.recovers or not anybody_receives(state, tables, state.actor):
        finish(state, tables, c.Act.COMMAND, True)
