"""The same games played on with another card in hand: up to one seat's n-th card, then once for each kind of
card, all on the luck that is left.

An intervention on common random numbers: between two ways to play on nothing differs but where two cards lie.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from bartizan.simcore.batch import Match, in_order
from bartizan.simcore.engine import new_states, swap_player
from bartizan.simcore.errors import PolicyError, UsageError, did_you_mean
from bartizan.simcore.game import Cards, Game
from bartizan.simcore.play import BROKEN

CHUNK_GAMES = 32  # each is played on a dozen times: short enough for a progress line


@dataclass(frozen=True, eq=False)
class Swaps:
    """Whose card changes, and into what."""

    match: Match
    seat: int
    card: int  # 1: the first that this seat gets
    kinds: dict[int, str]

    def play(self, games: int, jobs: int = 1, first_game: int = 0) -> Iterator[np.ndarray]:
        """Chunks of int8 [game, 1 + kind] in game order: who won as dealt, then with each kind
        (`simcore.play` names what is no seat).
        """
        swap_player(self.match.engine, len(self.match.game.roles))
        out = np.zeros((games, 1 + len(self.kinds)), np.int8)
        chunks = ((out[i : i + CHUNK_GAMES], first_game + i) for i in range(0, games, CHUNK_GAMES))
        yield from in_order(self._play_into, chunks, jobs)

    def _play_into(self, out: np.ndarray, first_game: int) -> np.ndarray:
        match, engine = self.match, self.match.engine
        kinds = np.array(list(self.kinds), np.int32)
        functions = tuple(player.function for player in match.at_all_seats())
        table = (
            new_states(engine, 2),
            match.tables(),
            functions,
            match.desk(),
            np.uint64(match.seed),
            first_game,
        )
        swap_player(engine, len(match.game.roles))(
            *table, self.seat, self.card, kinds, np.zeros(1, engine.record_dtype), out, match.ply_cap
        )
        for game, arm in np.argwhere(out == BROKEN):
            held = "as dealt" if arm == 0 else f"with {list(self.kinds.values())[arm - 1]} in hand"
            raise PolicyError(
                f"a policy chose an action that is not legal (seed {match.seed}, game {first_game + game}, "
                f"{held})"
            )
        return out


def swaps_of(match: Match, seat: str, card: int) -> Swaps:
    """Raises UsageError for a seat nobody takes and for a game without cards that can change."""
    cards, roles = cards_of(match.game), match.game.roles_in(match.scenario)
    if seat not in roles:
        raise UsageError(
            f'no seat "{seat}"{did_you_mean(seat, roles)}: {match.game.name} has {", ".join(roles)}'
        )
    if card < 1:
        raise UsageError(f"card {card}: count the cards of a seat from 1")
    if cards.due is None or cards.swap is None:
        raise UsageError(f"{match.game.name}: its cards cannot change places (the game declares no swap)")
    return Swaps(match, roles.index(seat), card, cards.kinds(match.scenario))


def cards_of(game: Game) -> Cards:
    """Raises UsageError for a game without cards."""
    if game.compiled.cards is None:
        raise UsageError(f"{game.name}: no cards in this game (its engine declares none)")
    return game.compiled.cards
