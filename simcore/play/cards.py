"""Simulation of games to study their cards: how cards are used, and the effect of another card in hand."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import types

from bartizan.simcore.compile.copies import copy_state
from bartizan.simcore.compile.loops import Loop, array
from bartizan.simcore.compile.rules import NO_ACTION, NO_CARD, NOT_THERE, PLAYING, apply, is_due, note, swap
from bartizan.simcore.errors import EngineError, UsageError, as_spelled, did_you_mean
from bartizan.simcore.game import cards_of
from bartizan.simcore.play.match import Experiment, Jobs, Match
from bartizan.simcore.play.step import begin_game, decide, outcome, step

# ---------------------------------------------------------------- usage

# Games in which cards are counted: how many of each kind entered a hand, and how each of them ended.


USAGE_CHUNK = 256  # counts of 256 games take little memory beside the games


def play_noting(state, tables, policies, workspace, plies, seen):
    """Simulate a game to its end, and count in `seen` how its cards are used.

    In a truncated game, the remaining cards are counted as at a normal end.
    """
    while state.end_reason == PLAYING:
        action = decide(state, tables, policies, workspace, plies)
        if state.end_reason != PLAYING:
            break
        note(state, tables, action, seen)
        apply(state, tables, action)
        plies += 1
    note(state, tables, NO_ACTION, seen)


def play_card_usage(states, tables, policies, workspaces, first_game, out):
    """Simulate `len(out)` games numbered from `first_game`, and count how their cards end.

    out: int32 [game, kind, 1 + use], initially 0; see `note`.
    """
    state, workspace = states[0], workspaces[0]
    for i in range(out.shape[0]):
        plies = begin_game(states, tables, workspace, first_game + i)
        play_noting(state, tables, policies, workspace, plies, out[i])
        if workspace.is_illegal:
            return


CARD_USAGE = Loop(play_card_usage, lambda engine, seats: (array("i4", 3),))


@dataclass(frozen=True, eq=False)
class CardUsage(Experiment):
    """Simulation that counts how the cards of all seats are used."""

    kinds: dict[int, str]
    uses: tuple[str, ...]
    printed_for: dict[int, tuple[str, ...]]  # kind -> the uses that the card is meant for
    loop = CARD_USAGE

    def play(self, games: range, jobs: Jobs = 1) -> Iterator[np.ndarray]:
        """Yield chunks of int32 [game, kind, 1 + use] in game order, with kinds in the order of `kinds`.

        Column 0 counts cards that entered a hand; the other columns count cards that ended in each use.
        """
        yield from self.pieces(self._piece, games, USAGE_CHUNK, jobs)

    def _piece(self, games: range) -> np.ndarray:
        seen = np.zeros((len(games), 1 + max(self.kinds), 1 + len(self.uses)), np.int32)
        self.compiled.run(games.start, seen)
        self._hold(seen, games.start)
        return seen[:, list(self.kinds)]

    def _hold(self, seen: np.ndarray, first_game: int) -> None:
        """Raise EngineError unless every card that entered a hand ended in exactly one use."""
        wrong = np.argwhere((seen[:, :, 1:].sum(axis=2) != seen[:, :, 0]) | (seen < 0).any(axis=2))
        if not len(wrong):
            return
        game, kind = wrong[0]
        counts = ", ".join(
            f"{name} {n}"
            for name, n in zip(("entered a hand", *self.uses), seen[game, kind].tolist(), strict=True)
        )
        raise EngineError(
            f"{self.match.game.name}: the counted uses of cards of kind {kind} do not add up to the cards "
            f"that entered a hand in game {first_game + game} of seed {self.match.seed}: {counts}"
        )


def card_usage_of(match: Match) -> CardUsage:
    """Return the simulation that counts the card usage of a match.

    Raises UsageError for a game without cards, or without declared uses.
    """
    cards = cards_of(match.game)
    if cards.note is None:
        raise UsageError(
            f"{match.game.name}: card usage cannot be counted, because the game does not declare how cards "
            "are used; in a short game, declare the players' cards, hand = Hand(deck); in the full form, "
            "Cards(note=...)"
        )
    kinds = cards.kinds(match.scenario)
    meant = cards.printed_for(match.scenario) if cards.printed_for else dict.fromkeys(kinds, cards.uses)
    return CardUsage(match, kinds, cards.uses, meant)


# ---------------------------------------------------------------- interventions

# The same games continued with another card in hand: up to one seat's n-th card, then once for each kind of
# card, all with the same remaining random numbers.
#
# An intervention with common random numbers: two continuations differ only in the places of two cards.


INTERVENTION_CHUNK = 32  # each is continued a dozen times: small enough for the progress display


class Intervention(NamedTuple):
    """The card that is exchanged, its owner, and the new kinds."""

    seat: int
    card: int  # 1: the first card of this seat
    kinds: np.ndarray  # int32


def play_to_card(state, tables, policies, workspace, plies, seat, card):
    """Simulate a game until `seat` receives its `card`-th card, or to its end.

    Returns the plies of the game so far.
    """
    while state.end_reason == PLAYING:
        if is_due(state, tables, seat):
            card -= 1
            if card == 0:
                break
        plies = step(state, tables, policies, workspace, plies)
    return plies


def play_interventions(states, tables, policies, workspaces, first_game, change, out):
    """Simulate games up to a card, then to the end with this card and with each other kind.

    states: array of length 2 for the decision point and the continuation. change: an `Intervention`. out:
    int8 [game, 1 + kind], filled with the winner as dealt and with each kind. All columns continue from the
    same state, so they share the remaining random numbers. Returns the column of `out` in which a policy
    chose an illegal action, otherwise 0.
    """
    moment, trial, workspace = states[0], states[1], workspaces[0]
    for i in range(out.shape[0]):
        plies = begin_game(states, tables, workspace, first_game + i)
        plies = play_to_card(moment, tables, policies, workspace, plies, change.seat, change.card)
        copy_state(states[1], states[0])
        out[i, 0] = outcome(trial, tables, policies, workspace, plies)
        if workspace.is_illegal:
            return 0
        for k, kind in enumerate(change.kinds):
            out[i, 1 + k] = with_kind(states, tables, policies, workspace, plies, change.seat, kind)
            if workspace.is_illegal:
                return 1 + k
    return 0


def with_kind(states, tables, policies, workspace, plies, seat, kind):
    """Return the winner if the card that `seat` has just received is replaced by a card of `kind`.

    The card is received in states[0].

    Returns NO_CARD if the game was already over, and NOT_THERE if no such card is left. Uses states[1] as
    working space.
    """
    if states[0].end_reason != PLAYING:
        return NO_CARD
    copy_state(states[1], states[0])
    if not swap(states[1], tables, seat, kind):
        return NOT_THERE
    return outcome(states[1], tables, policies, workspace, plies)


CHANGE = types.NamedTuple([types.int64, types.int64, array("i4")], Intervention)
INTERVENTIONS = Loop(play_interventions, lambda engine, seats: (CHANGE, array("i1", 2)))


@dataclass(frozen=True, eq=False)
class Interventions(Experiment):
    """Simulation in which one card of a seat is exchanged for each kind of card."""

    seat: int
    card: int  # 1: the first card of this seat
    kinds: dict[int, str]
    loop = INTERVENTIONS

    def play(self, games: range, jobs: Jobs = 1) -> Iterator[np.ndarray]:
        """Yield chunks of int8 [game, 1 + kind] in game order: the winner as dealt, then with each kind."""
        yield from self.pieces(self._piece, games, INTERVENTION_CHUNK, jobs)

    def _piece(self, games: range) -> np.ndarray:
        out = np.zeros((len(games), 1 + len(self.kinds)), np.int8)
        change = Intervention(self.seat, self.card, np.array(list(self.kinds), np.int32))
        self.compiled.run(games.start, change, out, states=2, where=self.where)
        return out

    def where(self, column: int) -> str:
        """Return the change of the simulation in a column of the chunks, as text.

        Column 0 is `as dealt`; the others name the kind in hand.
        """
        return ["as dealt", *(f"with {kind} in hand" for kind in self.kinds.values())][column]


def interventions_of(match: Match, seat: str, card: int, is_seen: bool = False) -> Interventions:
    """Return the simulation in which the `card`-th card of a seat is exchanged.

    is_seen: detect arriving cards from the state, without declarations. Raises UsageError for an unknown or
    unoccupied seat, for a card number below 1, and for a game whose cards cannot be exchanged.
    """
    cards, roles = cards_of(match.game), match.game.roles_in(match.scenario)
    seat = as_spelled(seat, roles)
    if seat not in roles:
        raise UsageError(f'{match.game.name}: unknown seat "{seat}"{did_you_mean(seat, roles)}')
    if card < 1:
        raise UsageError(f"card {card}: number the cards of a seat from 1")
    if cards.swap is None or (cards.due is None and not is_seen):
        raise UsageError(
            f"{match.game.name}: its cards cannot be exchanged: in a short game, declare the players' "
            "cards, hand = Hand(deck); in the full form, Cards(due=..., swap=...)"
        )
    return Interventions(match, roles.index(seat), card, cards.kinds(match.scenario))
