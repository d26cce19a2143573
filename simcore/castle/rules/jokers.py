"""11.1 - 11.3: a Joker is drawn, and everybody rolls for it."""

from bartizan.simcore.castle.components import NONE, Event, Luck, Stage, Step
from bartizan.simcore.castle.rules.decks import added_worth, discard_all, use_up
from bartizan.simcore.castle.rules.dice import best_of, roll
from bartizan.simcore.castle.rules.grid import bit, count
from bartizan.simcore.castle.rules.targets import addable
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.kit.actions import ask
from bartizan.simcore.kit.journal import log


@jit
def meet_joker(state, tables, card, then):
    """Everybody alive may add reinforcements, then rolls for it. Modifies `state`."""
    state.contested = card
    state.after_draw = then
    state.adder = state.on_turn
    state.last_added = NONE
    state.asked = 0
    log(state, Event.DREW, state.on_turn, card)
    state.after = Step.CONTEST


@jit
def contest(state, tables):
    """11.1: the next player who may add; after the last one the dice. Modifies `state`."""
    while state.asked < tables.players:
        p = (state.on_turn + state.asked) % tables.players
        if state.alive[p] and addable(state, tables, p):
            ask(state, p, Stage.ADD)
            return
        next_contestant(state)
    award(state, tables)


@jit
def next_contestant(state):
    state.asked += 1
    state.last_added = NONE


@jit
def award(state, tables):
    """11.1, 11.3: the highest has the Joker; the Jokers of all others are discarded. Modifies `state`."""
    among = 0
    for p in range(tables.players):
        among |= state.alive[p] << p
    while count(among) > 1:
        among = roll_contest(state, tables, among)
    for p in range(tables.players):
        if among >> p & 1:
            state.jokers[p] |= bit(state.contested)
            log(state, Event.JOKER, p, count(state.jokers[p]))
        else:
            discard_all(state, state.jokers[p])
            state.jokers[p] = 0
    state.seen_by[state.contested] = 255
    use_up(state)
    state.contested = NONE
    state.after = state.after_draw


@jit
def roll_contest(state, tables, among):
    """11.1: players of a bit mask roll; returns the highest of them, as a bit mask. Modifies `state`."""
    for i in range(tables.players):
        p = (state.on_turn + i) % tables.players
        if among >> p & 1:
            roll(state, tables, Luck.CONTEST, tables.contest_dice)
            state.contest[p] = state.total + added_worth(state, tables, p)
            log(state, Event.CONTEST, p, state.contest[p])
    return best_of(state.contest, among)
