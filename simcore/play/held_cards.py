"""The cards that players hold, observed from the state.

The module measures how they are used, and the effect of another card in hand.

The cards of each player are counted before and after each action. The differences show which cards arrived
and left, without any declaration in the rules. Two cases are not detected: a card that arrives and leaves
within one action, and a card that another card of its kind replaces. A card that passes from one player to
another neither arrives nor leaves, unless the action uses it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import types

from bartizan.simcore.compile.copies import copy_state
from bartizan.simcore.compile.loops import Loop, array
from bartizan.simcore.compile.rules import PLAYING, apply, holdings, named_cards, write_record
from bartizan.simcore.errors import UsageError
from bartizan.simcore.game import cards_of
from bartizan.simcore.play.cards import Interventions, interventions_of, with_kind
from bartizan.simcore.play.match import Experiment, Jobs, Match
from bartizan.simcore.play.step import begin_game, decide, outcome, step, winner_of

CHUNK = 128
MOST_NAMED = 16  # maximum cards that an action names
PUT_AWAY, BY_OTHERS, KEPT = "put away unused", "in another player's turn", "held at the end"


class Watched(NamedTuple):
    """Working space of a game, and the meaning of its actions."""

    before: np.ndarray  # int32 [player, 1 + kind], as `holdings` writes it
    after: np.ndarray
    # int32 [player, 2 + MOST_NAMED]: 1 + kind of action of the next choice to apply (0: none), number of
    # cards that it names, and these cards
    chosen: np.ndarray
    is_simultaneous: np.ndarray  # int8 [kind of action]: 1 if all players' choices are applied together
    # int8 [kind of action, kind of card]: 1 if it uses cards in hand that it does not name
    is_use: np.ndarray
    arguments: int  # an action is kind * arguments + argument


def play_watching(states, tables, policies, workspaces, first_game, watched, ends, drew, winners):
    """Simulate games and count how cards end.

    ends: int32 [game, kind, 1 + kind of action + 3], initially 0. Its columns count the cards that a player
    received, the cards that left by each kind of action of that player, then PUT_AWAY, BY_OTHERS and KEPT.
    drew: int8 [game, kind, seat], initially 0, set to 1 if a player of the seat held the kind. winners: int8
    [game], filled.
    """
    state, workspace = states[0], workspaces[0]
    for i in range(winners.shape[0]):
        plies = begin_game(states, tables, workspace, first_game + i)
        mover = holdings(state, tables, watched.after)
        watched.before[:] = watched.chosen[:] = 0
        note_change(watched, -1, ends[i], drew[i])
        while state.end_reason == PLAYING:
            action = decide(state, tables, policies, workspace, plies)
            if state.end_reason != PLAYING:
                break
            watched.chosen[mover, 0] = 1 + action // watched.arguments
            watched.chosen[mover, 1] = named_cards(state, action, watched.chosen[mover, 2:])
            apply(state, tables, action)
            plies += 1
            next_mover = holdings(state, tables, watched.after)
            note_change(watched, mover, ends[i], drew[i])
            mover = next_mover
        if workspace.is_illegal:
            return
        kept = ends.shape[2] - 1
        for p in range(watched.before.shape[0]):
            for k in range(ends.shape[1]):
                ends[i, k, kept] += watched.before[p, 1 + k]
        winners[i] = winner_of(state, tables, workspace)


def note_change(watched, mover, ends, drew):
    """Count the changes from `watched.before` to `watched.after`, then copy `after` to `before`.

    mover: the player whose choice in `watched.chosen` was the last; -1: at the start of the game. After a
    simultaneous choice, nothing changes until all choices are applied; then every player is a mover.

    Modifies `ends`, `drew` and `watched`.
    """
    before, after, chosen = watched.before, watched.after, watched.chosen
    together = mover >= 0 and watched.is_simultaneous[chosen[mover, 0] - 1] == 1
    if together and (before == after).all():
        return
    for p in range(after.shape[0]):
        if chosen[p, 0] > 0 and (together or p == mover):
            note_uses(watched, p, together, ends)
            chosen[p, 0] = 0
    for k in range(ends.shape[0]):
        came, put_away, by_others = 0, 0, 0
        for p in range(after.shape[0]):
            change = after[p, 1 + k] - before[p, 1 + k]
            if change > 0:
                came += change
                drew[k, after[p, 0]] = 1
            elif together or p == mover:
                put_away -= change
            else:
                by_others -= change
        passed = min(came, put_away + by_others)
        from_others = min(passed, by_others)
        ends[k, 0] += came - passed
        ends[k, ends.shape[1] - 3] += put_away - (passed - from_others)
        ends[k, ends.shape[1] - 2] += by_others - from_others
    before[:] = after


def note_uses(watched, player, together, ends):
    """Count the cards that a player's choice in `watched.chosen` uses, and take them from `watched.before`.

    together: the other players' choices were applied at the same time. A named card then counts as used if
    all hands together have fewer cards of its kind, because the player may have received another one.
    Modifies `ends` and `watched`.
    """
    before, after, act = watched.before, watched.after, watched.chosen[player, 0] - 1
    n_named = watched.chosen[player, 1]
    for i in range(n_named):
        k = watched.chosen[player, 2 + i]
        lost = before[player, 1 + k] - after[player, 1 + k]
        if together:
            lost = (before[:, 1 + k] - after[:, 1 + k]).sum()
        if lost > 0:
            before[player, 1 + k] -= 1
            ends[k, 1 + act] += 1
    if n_named == 0:
        for k in range(ends.shape[0]):
            lost = before[player, 1 + k] - after[player, 1 + k]
            if lost > 0 and watched.is_use[act, k]:
                before[player, 1 + k] -= lost
                ends[k, 1 + act] += lost


WATCHED = types.NamedTuple(
    [array("i4", 2), array("i4", 2), array("i4", 2), array("i1"), array("i1", 2), types.int64], Watched
)
HELD_CARDS = Loop(play_watching, lambda engine, seats: (WATCHED, array("i4", 3), array("i1", 3), array("i1")))


@dataclass(frozen=True, eq=False)
class HeldCards:
    """Use and owners of cards in consecutive games."""

    ends: np.ndarray  # int32 [game, kind, 1 + use]: cards that arrived, then cards that ended in each use
    drew: np.ndarray  # int8 [game, kind, seat]: 1 where a player of the seat held the kind
    winners: np.ndarray  # int8 [game]


@dataclass(frozen=True, eq=False)
class HeldCardGames(Experiment):
    """Games in which the cards that players hold are observed."""

    kinds: dict[int, str]
    uses: tuple[str, ...]
    printed_for: dict[int, tuple[str, ...]]  # kind -> the uses that count as intended
    loop = HELD_CARDS

    def play(self, games: range, jobs: Jobs = 1) -> Iterator[HeldCards]:
        """Yield chunks in game order, with kinds in the order of `kinds`."""
        yield from self.pieces(self._piece, games, CHUNK, jobs)

    def _piece(self, games: range) -> HeldCards:
        every, seats = 1 + _last_kind(self.match), self.match.seats
        engine = self.match.engine
        players = engine.state_dtype["out"].shape[0]
        is_use = np.zeros((len(engine.acts), every), np.int8)
        for kind, acts in cards_of(self.match.game).used_by(self.match.scenario).items():
            for act in acts:
                is_use[engine.acts[act], kind] = 1
        is_simultaneous = np.zeros(len(engine.acts), np.int8)
        is_simultaneous[[engine.acts[act] for act in cards_of(self.match.game).simultaneous]] = 1
        before, after = np.zeros((2, players, 1 + every), np.int32)
        chosen = np.zeros((players, 2 + MOST_NAMED), np.int32)
        watched = Watched(before, after, chosen, is_simultaneous, is_use, engine.arguments)
        ends = np.zeros((len(games), every, 1 + len(self.uses)), np.int32)
        drew, winners = np.zeros((len(games), every, seats), np.int8), np.zeros(len(games), np.int8)
        self.compiled.run(games.start, watched, ends, drew, winners)
        kinds = list(self.kinds)
        return HeldCards(ends[:, kinds], drew[:, kinds], winners)


# ---------------------------------------------------------------- cards that each seat drew


def play_drawing(states, tables, policies, workspaces, first_game, held, drew, winners):
    """Simulate games, and note the kinds of cards that each player holds at a decision.

    held: int32 [player, 1 + kind], working space for `holdings`. drew: int8 [game, kind, seat], initially 0,
    set to 1 if a player of the seat held the kind. winners: int8 [game], filled.
    """
    state, workspace = states[0], workspaces[0]
    for i in range(winners.shape[0]):
        plies = begin_game(states, tables, workspace, first_game + i)
        while state.end_reason == PLAYING:
            holdings(state, tables, held)
            for p in range(held.shape[0]):
                for k in range(drew.shape[1]):
                    if held[p, 1 + k] > 0:
                        drew[i, k, held[p, 0]] = 1
            plies = step(state, tables, policies, workspace, plies)
        if workspace.is_illegal:
            return
        winners[i] = winner_of(state, tables, workspace)


DRAWING = Loop(play_drawing, lambda engine, seats: (array("i4", 2), array("i1", 3), array("i1")))


@dataclass(frozen=True, eq=False)
class DrawingGames(Experiment):
    """Games in which the kinds of cards that players hold are noted.

    They are for games whose own rules count card usage.
    """

    kinds: dict[int, str]
    loop = DRAWING

    def play(self, games: range, jobs: Jobs = 1) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield (drew, winners) in chunks, in game order.

        drew: int8 [game, kind, seat], 1 if the seat held the kind. winners: int8 [game].
        """
        yield from self.pieces(self._piece, games, CHUNK, jobs)

    def _piece(self, games: range) -> tuple[np.ndarray, np.ndarray]:
        every, seats = 1 + _last_kind(self.match), self.match.seats
        drew, winners = np.zeros((len(games), every, seats), np.int8), np.zeros(len(games), np.int8)
        self.compiled.run(games.start, np.zeros((seats, 1 + every), np.int32), drew, winners)
        return drew[:, list(self.kinds)], winners


def held_cards_of(match: Match) -> HeldCardGames:
    """Return the experiment that observes the cards held in a match.

    Raises UsageError if no player holds cards.
    """
    of, s, acts = cards_of(match.game), match.scenario, match.engine.acts
    if of.holdings is None:
        raise UsageError(
            f"{match.game.name}: players hold no cards, so there is no usage to report; declare their "
            "cards, hand = Hand(deck) or Pile(deck, each=True), or use --without, which removes each kind "
            "from the deck"
        )
    kinds = of.owned(s)
    by_act = {name: name.replace("_", " ") for name in acts}
    uses = (*by_act.values(), PUT_AWAY, BY_OTHERS, KEPT)
    using = of.used_by(s)
    meant = {kind: tuple(by_act[act] for act in using[kind]) for kind in kinds}
    return HeldCardGames(match, kinds, uses, meant)


# ---------------------------------------------------------------- interventions


class HandChange(NamedTuple):
    """The exchanged card and the new kinds, as in `simcore.play.cards.Intervention`, with working space."""

    seat: int
    card: int  # 1: the first time that a card of `kinds` has come to the deciding player of this seat
    kinds: np.ndarray  # int32
    before: np.ndarray  # int32 [player, 1 + kind], as `holdings` writes it
    after: np.ndarray


def play_to_held_card(state, tables, policies, workspace, plies, change):
    """Simulate a game until `change.seat` decides with a new card in hand, or until the game ends.

    The card is the `change.card`-th new card of this seat.

    Modifies `state` and `change.before`; returns the plies of the game so far.
    """
    card = change.card
    change.before[:] = 0
    while state.end_reason == PLAYING:
        if state.to_move == change.seat:
            player = holdings(state, tables, change.after)
            came = False
            for kind in change.kinds:
                came = came or change.after[player, 1 + kind] > change.before[player, 1 + kind]
            change.before[player] = change.after[player]
            card -= came
            if card == 0:
                break
        plies = step(state, tables, policies, workspace, plies)
    return plies


def play_hand_changes(states, tables, policies, workspaces, first_game, change, out, scores):
    """Simulate games as `simcore.play.cards.play_interventions` does, for cards observed from the state.

    scores: int32 [game, 1 + kind], the game's `score` at each end.
    """
    moment, workspace = states[0], workspaces[0]
    for i in range(out.shape[0]):
        plies = begin_game(states, tables, workspace, first_game + i)
        plies = play_to_held_card(moment, tables, policies, workspace, plies, change)
        copy_state(states[1], states[0])
        out[i, 0] = outcome(states[1], tables, policies, workspace, plies)
        scores[i, 0] = score_of(states[1], tables, workspace)
        if workspace.is_illegal:
            return 0
        for k, kind in enumerate(change.kinds):
            out[i, 1 + k] = with_kind(states, tables, policies, workspace, plies, change.seat, kind)
            scores[i, 1 + k] = score_of(states[1], tables, workspace)
            if workspace.is_illegal:
                return 1 + k
    return 0


def score_of(state, tables, workspace):
    """Return the score of a finished game, truncated or not. Modifies `workspace.record`."""
    write_record(state, tables, workspace.record)
    return workspace.record.score


HAND_CHANGE = types.NamedTuple(
    [types.int64, types.int64, array("i4"), array("i4", 2), array("i4", 2)], HandChange
)
HAND_CHANGES = Loop(play_hand_changes, lambda engine, seats: (HAND_CHANGE, array("i1", 2), array("i4", 2)))


class HandChanges(Interventions):
    """Exchanges of the card that a seat has just received.

    Chunks are int32 [game, 1 + kind, 2]; the last axis contains the winner and the score.
    """

    loop = HAND_CHANGES

    def _piece(self, games: range) -> np.ndarray:
        winners = np.zeros((len(games), 1 + len(self.kinds)), np.int8)
        scores = np.zeros(winners.shape, np.int32)
        self.compiled.run(games.start, self._change(), winners, scores, states=2, where=self.where)
        return np.stack([winners, scores], axis=2)

    def _change(self) -> HandChange:
        kinds = np.array(list(self.kinds), np.int32)
        players = self.match.engine.state_dtype["out"].shape[0]
        before, after = np.zeros((2, players, 2 + _last_kind(self.match)), np.int32)
        return HandChange(self.seat, self.card, kinds, before, after)


def _last_kind(match: Match) -> int:
    return max(cards_of(match.game).kinds(match.scenario))


def hand_changes_of(match: Match, seat: str, card: int) -> Interventions:
    """Return the simulation in which the `card`-th card of a seat is exchanged.

    Raises UsageError for an unknown or unoccupied seat, and for a game whose cards cannot be exchanged.
    """
    of = cards_of(match.game)
    found = interventions_of(match, seat, card, of.due is None and of.holdings is not None)
    if of.due is not None:
        return found
    owned, using = of.owned(match.scenario), of.used_by(match.scenario)
    in_hand = {kind: name for kind, name in owned.items() if using[kind]}
    return HandChanges(match, found.seat, card, in_hand or owned)
