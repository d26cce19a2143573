"""Games played with an eye on their cards: how many of each kind came into a hand, and how each of them
ended.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from bartizan.simcore.compile.loops import Loop, array
from bartizan.simcore.errors import EngineError, UsageError
from bartizan.simcore.game import cards_of
from bartizan.simcore.play.match import CompiledMatch, Match, chunks_of, in_order
from bartizan.simcore.play.rules import NO_ACTION, PLAYING, apply, note
from bartizan.simcore.play.step import begin_game, decide

CHUNK_GAMES = 256  # counts of 256 games are small beside the games


def play_noting(state, tables, policies, workspace, plies, seen):
    """Play a game that has begun to its end and count its cards in `seen`. Modifies `state` and `seen`.

    A truncated game counts the cards that are left as one that has ended.
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
    """Play `len(out)` games numbered from `first_game` and count how their cards end.

    out: int32 [game, kind, 1 + use], zeros: see `note`.
    """
    state, workspace = states[0], workspaces[0]
    for i in range(out.shape[0]):
        plies = begin_game(states, tables, workspace, first_game + i)
        play_noting(state, tables, policies, workspace, plies, out[i])
        if workspace.is_illegal:
            return


CARD_USAGE = Loop(play_card_usage, lambda engine, seats: (array("i4", 3),))


@dataclass(frozen=True, eq=False)
class CardUsage:
    """What is counted: the cards of all seats."""

    match: Match
    kinds: dict[int, str]
    uses: tuple[str, ...]
    printed_for: dict[int, tuple[str, ...]]  # kind -> the uses that are what it is printed for

    def play(self, games: int, jobs: int = 1, first_game: int = 0) -> Iterator[np.ndarray]:
        """Chunks of int32 [game, kind, 1 + use] in game order, the kinds in the order of `kinds`: cards that
        came to a hand, then those that ended in each use.
        """
        compiled = CompiledMatch(self.match, CARD_USAGE)
        chunks = chunks_of(games, first_game, CHUNK_GAMES)
        yield from in_order(lambda n, first: self._play(compiled, n, first), chunks, jobs)

    def _play(self, compiled: CompiledMatch, games: int, first_game: int) -> np.ndarray:
        seen = np.zeros((games, 1 + max(self.kinds), 1 + len(self.uses)), np.int32)
        compiled.run(first_game, seen)
        self._hold(seen, first_game)
        return seen[:, list(self.kinds)]

    def _hold(self, seen: np.ndarray, first_game: int) -> None:
        """Raise EngineError unless every card that came to a hand ended in one use."""
        wrong = np.argwhere((seen[:, :, 1:].sum(axis=2) != seen[:, :, 0]) | (seen < 0).any(axis=2))
        if not len(wrong):
            return
        game, kind = wrong[0]
        counts = ", ".join(
            f"{name} {n}" for name, n in zip(("came", *self.uses), seen[game, kind].tolist(), strict=True)
        )
        raise EngineError(
            f"{self.match.game.name}: cards of kind {kind} do not add up in game {first_game + game} of seed "
            f"{self.match.seed}: {counts}"
        )


def card_usage_of(match: Match) -> CardUsage:
    """Raises UsageError for a game without cards, and for one that does not say how they are used."""
    cards = cards_of(match.game)
    if cards.note is None:
        raise UsageError(
            f"{match.game.name}: how its cards are used cannot be counted (the game declares no uses)"
        )
    kinds = cards.kinds(match.scenario)
    meant = cards.printed_for(match.scenario) if cards.printed_for else dict.fromkeys(kinds, cards.uses)
    return CardUsage(match, kinds, cards.uses, meant)
