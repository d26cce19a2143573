"""How actions are written as numbers: PROTOCOL.md, section 1."""

from bartizan.simcore.compile.jit import inline
from bartizan.simcore.rampage.components import ARGUMENTS, BOOST, IN_FRONT


@inline
def action(kind, argument):
    return kind * ARGUMENTS + argument


@inline
def kind_of(action):
    return action // ARGUMENTS


@inline
def argument_of(action):
    return action % ARGUMENTS


# ---------------------------------------------------------------- PLAY: a card, with boosts, from where


@inline
def play(card, boosts, in_front):
    """The argument of PLAY; `in_front`: 1 for a card that lies in front, 0 for one of the hand."""
    return in_front * IN_FRONT + boosts * BOOST + card


@inline
def card_of(argument):
    """The kind of the card that a PLAY plays."""
    return argument % BOOST


@inline
def boosts_of(argument):
    return argument % IN_FRONT // BOOST


@inline
def is_in_front(argument):
    return argument >= IN_FRONT
