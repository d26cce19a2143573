"""Attributes of defenders, which are always in force (3.0).

These are Inspire, tank crew and its weapons, and Reinforcements. Low Morale, Officer and Sacrifice apply when
defenders die. Functions that return nothing modify `state`.
"""

from bartizan.simcore.compile.bits import lowest, where_bits
from bartizan.simcore.compile.jit import inline, jit_module
from bartizan.simcore.itter import components as c
from bartizan.simcore.itter.rules.board import has, is_at, location_of, remove
from bartizan.simcore.kit.actions import ask
from bartizan.simcore.kit.journal import log

# ---------------------------------------------------------------- 3.1 Inspire


def inspire_bonus(state, tables, actor):
    """Return the number of additional dice or tokens of the defender `actor` (3.1; R-14).

    It is one for each other [I] in his location who is neither exhausted nor disrupted.
    """
    here = location_of(state, tables, actor)
    inspirers = tables.inspirers & ~where_bits(state.status, c.Status.EXHAUSTED | c.Status.DISRUPTED)
    if tables.inspire_stacks != c.InspireStacks.self_too:
        inspirers &= ~(1 << actor)
    bonus = 0
    while inspirers:
        bonus += is_at(state, tables, lowest(inspirers), here)
        inspirers &= inspirers - 1
    if tables.inspire_stacks == c.InspireStacks.max_one:
        return min(bonus, 1)
    return bonus


# ---------------------------------------------------------------- 3.6 Tank crew


@inline
def may_use_weapon(state, tables, d, p):
    """Return whether d may use the printed values of position p: a [T] may (3.6).

    The cannon also needs the Load token.
    """
    return (
        tables.weapon_attack[p] != c.NONE
        and has(tables, d, c.Attribute.TANK_CREW)
        and (not tables.needs_load[p] or state.loaded)
    )


@inline
def may_use_own(state, tables, d, p):
    """Return whether d may use his own values on position p.

    With R-39 `no_fight`, a defender without [T], or a gunner without the Load token, may not use them on a
    crew position (3.6).
    """
    if tables.noncrew_on_crew_position != c.NoncrewOnCrewPosition.no_fight or not tables.crew[p]:
        return True
    return has(tables, d, c.Attribute.TANK_CREW) and (not tables.needs_load[p] or state.loaded)


def may_load(state, tables, d, p):
    """Return whether d, a [T] on the loader's position, may load (3.6).

    With R-40 `allowed`, he may load a cannon that is already loaded; with R-61 `no`, the cannon needs a
    gunner.
    """
    if not tables.loads[p] or not has(tables, d, c.Attribute.TANK_CREW):
        return False
    if state.loaded and tables.load_when_loaded == c.LoadWhenLoaded.no_effect:
        return False
    if tables.load_token_stays == c.LoadTokenStays.no:
        gunner = state.occupant[tables.cannon]
        return gunner != c.NONE and has(tables, gunner, c.Attribute.TANK_CREW)
    return True


# ---------------------------------------------------------------- 3.4 Reinforcements


def reinforce(state, tables):
    """Move the defenders set aside to the reserve (3.4)."""
    log(state, c.Event.REINFORCED)
    for d in range(tables.n_defenders):
        if state.place[d] == c.Place.ASIDE:
            state.place[d] = c.Place.RESERVE


# ------------------------------------------------- deaths: 3.2 Low Morale, 3.3 Officer, 3.5 Sacrifice

# in addition to the Attribute bits of those who died
HIT = 1 << 14  # a defender died whose death can affect the others
GIVEN = 1 << 15  # the [S] defender has sacrificed himself in this batch


def open_deaths(state, victims, location, cause):
    """Register defenders in one location who are to die.

    `settle_deaths` removes them after the offers of Sacrifices.

    victims: bit mask. cause: Cause.
    """
    state.deaths_open = 1
    state.victims = victims
    state.death_location = location
    state.cause = cause
    state.offer = 0
    state.sacrificed = 0


def settle_deaths(state, tables):
    """Settle the deaths in a location (4.0 Killing).

    Ask for a Sacrifice if one is possible, remove the victims, then apply Low Morale. Stops at a SACRIFICE
    decision, and continues at the next call.
    """
    while state.offer < tables.n_defenders:
        if is_offered(state, tables, state.offer):
            ask(state, c.DEFENDER, c.Stage.SACRIFICE)
            return
        state.offer += 1
    state.deaths_open = 0
    killed = state.sacrificed
    for d in range(tables.n_defenders):
        if state.victims >> d & 1:
            killed |= tables.attributes[d] | HIT
            kill(state, tables, d)
    if killed & HIT:
        low_morale(state, tables, state.death_location, killed)


def is_offered(state, tables, d):
    """Return whether the location's [S] defender could die instead of d (3.5; R-32, R-34, R-63).

    d must be a French [I] among the victims.
    """
    if (
        not state.victims >> d & 1
        or not has(tables, d, c.Attribute.INSPIRE)
        or not has(tables, d, c.Attribute.FRENCH)
    ):
        return False
    if state.cause == c.Cause.TANK and tables.sacrifice_in_tank == c.SacrificeInTank.not_possible:
        return False
    return sacrificer(state, tables) != c.NONE


def sacrificer(state, tables):
    """Return the [S] defender who can still sacrifice himself (3.5); NONE if there is none.

    He must be in the location of the deaths.
    """
    if state.sacrificed:
        return c.NONE
    for d in range(tables.n_defenders):
        if not has(tables, d, c.Attribute.SACRIFICE) or not is_at(state, tables, d, state.death_location):
            continue
        dying = state.victims >> d & 1
        if dying and state.cause != c.Cause.TANK and tables.sacrifice_when_dying == c.SacrificeWhenDying.no:
            continue
        unable = state.status[d] & (c.Status.EXHAUSTED | c.Status.DISRUPTED)
        if not (unable and tables.sacrifice_state == c.SacrificeState.yes):
            return d
    return c.NONE


def sacrifice(state, tables):
    """Remove the [S] defender instead of the victim `state.offer` (3.5; R-31, R-33).

    With R-32 `possible`, a defender saved in the destroyed tank goes to the reserve.
    """
    saved = state.offer
    giver = sacrificer(state, tables)
    state.sacrifices += 1
    counts_as_killed = tables.sacrifice_low_morale == c.SacrificeLowMorale.yes
    state.sacrificed = GIVEN | HIT | tables.attributes[giver] if counts_as_killed else GIVEN
    state.victims &= ~(1 << saved)
    state.victims &= ~(1 << giver)
    kill(state, tables, giver)
    log(state, c.Event.SPARED, saved, 0, 0)
    if state.cause == c.Cause.TANK:
        if tables.sacrifice_in_tank == c.SacrificeInTank.possible:
            remove(state, tables, saved, c.Place.RESERVE)
    elif state.cause == c.Cause.SECOND_DISRUPT and tables.sacrifice_token == c.SacrificeToken.clears:
        state.status[saved] &= ~c.Status.DISRUPTED


def answer_offer(state, tables, accepted):
    """Accept or decline a Sacrifice for the current victim (SACRIFICE)."""
    state.stage = c.Stage.NONE
    if accepted:
        sacrifice(state, tables)
    state.offer += 1


def kill(state, tables, d):
    remove(state, tables, d, c.Place.KILLED)
    state.casualties += 1
    log(state, c.Event.KILLED, d, 0, 0)


def low_morale(state, tables, location, killed):
    """Kill every [M] in a location, unless an [O] is there or, with R-30, was among the dead (3.2, 3.3).

    These deaths cause no further Low Morale. killed: Attribute bits of the dead.
    """
    if tables.officer_killed == c.OfficerKilled.yes and killed & c.Attribute.OFFICER:
        return
    for d in range(tables.n_defenders):
        if has(tables, d, c.Attribute.OFFICER) and is_at(state, tables, d, location):
            return
    for d in range(tables.n_defenders):
        if has(tables, d, c.Attribute.LOW_MORALE) and is_at(state, tables, d, location):
            log(state, c.Event.LOW_MORALE, d, 0, 0)
            kill(state, tables, d)


jit_module(__name__)
