"""Games played with an eye on their cards: how many of each kind came into a hand, and how each of them
ended.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from bartizan.simcore.batch import Match, illegal_action, in_order
from bartizan.simcore.engine import new_states, use_player
from bartizan.simcore.errors import EngineError, UsageError
from bartizan.simcore.swaps import cards_of

CHUNK_GAMES = 256  # counts of 256 games are small beside the games


@dataclass(frozen=True, eq=False)
class Uses:
    """What is counted: the cards of all seats."""

    match: Match
    kinds: dict[int, str]
    uses: tuple[str, ...]
    printed_for: dict[int, tuple[str, ...]]  # kind -> the uses that are what it is printed for

    def play(self, games: int, jobs: int = 1, first_game: int = 0) -> Iterator[np.ndarray]:
        """Chunks of int32 [game, kind, 1 + use] in game order, the kinds in the order of `kinds`: cards that
        came to a hand, then those that ended in each use.
        """
        use_player(self.match.engine, len(self.match.game.roles))
        chunks = ((min(CHUNK_GAMES, games - i), first_game + i) for i in range(0, games, CHUNK_GAMES))
        yield from in_order(self._play, chunks, jobs)

    def _play(self, games: int, first_game: int) -> np.ndarray:
        match, engine, seats = self.match, self.match.engine, len(self.match.game.roles)
        seen = np.zeros((games, 1 + max(self.kinds), 1 + len(self.uses)), np.int32)
        functions = tuple(player.function for player in match.at_all_seats())
        played = use_player(engine, seats)(
            new_states(engine),
            match.tables(),
            functions,
            match.desk(),
            np.uint64(match.seed),
            first_game,
            seen,
            match.ply_cap,
        )
        if played < games:
            raise illegal_action(match, first_game + played)
        wrong = np.argwhere((seen[:, :, 1:].sum(axis=2) != seen[:, :, 0]) | (seen < 0).any(axis=2))
        if len(wrong):
            game, kind = wrong[0]
            counts = ", ".join(
                f"{name} {n}" for name, n in zip(("came", *self.uses), seen[game, kind].tolist(), strict=True)
            )
            raise EngineError(
                f"{match.game.name}: cards of kind {kind} do not add up in game {first_game + game} of seed "
                f"{match.seed}: {counts}"
            )
        return seen[:, list(self.kinds)]


def uses_of(match: Match) -> Uses:
    """Raises UsageError for a game without cards, and for one that does not say how they are used."""
    cards = cards_of(match.game)
    if cards.note is None:
        raise UsageError(
            f"{match.game.name}: how its cards are used cannot be counted (the game declares no uses)"
        )
    kinds = cards.kinds(match.scenario)
    meant = cards.printed_for(match.scenario) if cards.printed_for else dict.fromkeys(kinds, cards.uses)
    return Uses(match, kinds, cards.uses, meant)
