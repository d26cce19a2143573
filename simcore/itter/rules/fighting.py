"""2.2, 2.3: Attack and Suppress."""

from bartizan.simcore.compile.jit import inline, jit
from bartizan.simcore.itter.actions import gun_and_circle
from bartizan.simcore.itter.components import NONE, AttackZero, Event, Luck, TokenCap
from bartizan.simcore.itter.rules.attributes import inspire_bonus, may_use_own
from bartizan.simcore.itter.rules.dice import roll
from bartizan.simcore.kit.journal import log

# ---------------------------------------------------------------- 2.2 Attack


@inline
def may_attack_own(state, tables, d, p, bonus):
    """2.2: with the defender's own dice, plus Inspire; R-13: also with an own Attack of 0."""
    own = tables.attack[d]
    return (
        may_use_own(state, tables, d, p)
        and own + bonus > 0
        and (own > 0 or tables.attack_zero == AttackZero.yes)
    )


@jit
def attack(state, tables, weapon, argument):
    """2.2: roll against the counter's Defence Value; success removes it. Modifies `state`."""
    d = state.actor
    p = state.place[d]
    dice = inspire_bonus(state, tables, d) + (tables.weapon_attack[p] if weapon else tables.attack[d])
    gun, circle = gun_and_circle(argument)
    kind = tables.gun_kinds[gun - 1] if gun else state.counter[circle]
    state.attacks += 1
    if weapon and tables.needs_load[p]:
        state.loaded = tables.keeps_load[p]
        state.shells += 1
    if roll(state, tables, Luck.DEFENDER, dice, tables.defence[kind]):
        if gun:
            state.guns[kind, circle] -= 1
        else:
            state.counter[circle] = NONE
        state.supply[kind] += 1
        state.counters_shot += 1
        log(state, Event.REMOVED, kind, circle)


# ---------------------------------------------------------------- 2.3 Suppress


@jit
def suppress(state, tables, weapon, x):
    """2.3: x tokens on the first square, the rest on the second; over the supply they are lost (R-17).

    Modifies `state`.
    """
    d = state.actor
    p = state.place[d]
    value = inspire_bonus(state, tables, d) + (tables.weapon_suppress[p] if weapon else tables.suppress[d])
    state.suppresses += 1
    if weapon and tables.needs_load[p]:
        state.loaded = tables.keeps_load[p]
    if tables.n_squares[p] > 0:
        put_tokens(state, tables, tables.squares[p, 0], x)
    if tables.n_squares[p] > 1:
        put_tokens(state, tables, tables.squares[p, 1], value - x)


@jit
def put_tokens(state, tables, colour, n):
    if tables.token_cap == TokenCap.hard_30:
        n = min(n, tables.token_supply - state.tokens.sum())
    state.tokens[colour] += n
