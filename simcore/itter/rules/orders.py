"""2.0, 2.1: who may act, placing the reserve, and the end of an action and of the Defender Phase."""

from bartizan.simcore.compile.jit import inline, jit
from bartizan.simcore.itter import components as c
from bartizan.simcore.itter.rules.board import in_cellar, is_fit, is_open, on_board, stand
from bartizan.simcore.itter.rules.moves import has_way

# ---------------------------------------------------------------- who may act


@inline
def is_deploying(state, tables):
    """2.1b: one of the starters has not been placed yet."""
    return state.starters_waiting > 0


@inline
def is_deployable(state, tables, d, p):
    """2.1a: any free position; the Cellar by R-03."""
    return is_open(state, tables, d, p) and not (
        tables.is_cellar[tables.location[p]] and tables.deploy_into_cellar == c.DeployIntoCellar.never
    )


@inline
def is_locked(tables):
    """R-02: while starters wait, only reserve defenders may act."""
    return tables.deployment_lock == c.DeploymentLock.reserve_only


@jit
def may_activate(state, tables, d, deploying):
    """2.0a, 2.0c, 2.1: may d take the next action?"""
    place = state.place[d]
    if place == c.Place.RESERVE:
        for p in range(tables.n_positions):
            if is_deployable(state, tables, d, p):
                return True
        return False
    if place < 0 or state.status[d] & c.SPENT:
        return False
    if deploying and (is_locked(tables) or in_cellar(state, tables, d)):
        return False
    if is_bound(state, tables, d):
        return is_fit(state, d) and has_way(state, tables, d)
    return True


@inline
def is_bound(state, tables, d):
    """R-11 `move_only`: in the Cellar nothing but the Move to the Great Hall."""
    return in_cellar(state, tables, d) and tables.cellar_actions == c.CellarActions.move_only


# ---------------------------------------------------------------- beginning and ending an action


@jit
def activate(state, tables, d):
    """2.0a. Modifies `state`."""
    state.actor = d
    state.shifted = 0
    state.just_placed = 0
    state.given_to = 0
    state.gives = 0
    state.stage = c.Stage.PLACE if state.place[d] == c.Place.RESERVE else c.Stage.ACT


@jit
def place_defender(state, tables, p):
    """2.1a: then the defender acts from there, in the same action. Modifies `state`."""
    if tables.start[state.actor] == c.Place.RESERVE:
        state.starters_waiting -= 1
    stand(state, tables, state.actor, p)
    state.just_placed = 1
    state.stage = c.Stage.ACT


@jit
def finish(state, tables, what, exhausts):
    """The actor's action (an Act) is done: Action token, exhausted or not (7.1, R-64); after the fifth the
    phase ends (2.0). Modifies `state`.
    """
    state.doer[state.actions] = state.actor
    state.did[state.actions] = what
    if on_board(state, state.actor):
        state.status[state.actor] |= c.Status.ACTED
        if exhausts and tables.exhaustion == c.Exhaustion.yes:
            state.status[state.actor] |= c.Status.EXHAUSTED
    state.actions += 1
    state.actor = c.NONE
    state.stage = c.Stage.ORDERS
    if state.actions >= tables.defender_actions:
        end_phase(state, tables)


@jit
def do_nothing(state, tables):
    """R-04; after a free move R-07 says what it costs. A placing is an action in any case.

    Modifies `state`.
    """
    if state.shifted and not state.just_placed and tables.free_move_alone == c.FreeMoveAlone.free:
        state.status[state.actor] |= c.Status.SHIFTED
        state.actor = c.NONE
        state.stage = c.Stage.ORDERS
        return
    finish(state, tables, c.Act.BLANK, state.shifted and tables.free_move_alone == c.FreeMoveAlone.exhausts)


@jit
def end_phase(state, tables):
    """2.0d: Action and Command tokens go, everything else stays; then the SS Phase. Modifies `state`."""
    for d in range(tables.n_defenders):
        state.status[d] &= c.Status.EXHAUSTED | c.Status.DISRUPTED
    state.stage = c.Stage.NONE
    state.step = c.Step.BEGIN
