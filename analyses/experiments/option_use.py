"""How often does a player use an option, and how often must it although that is forbidden, since nothing else
is legal?

Counted in a few games played again step by step.
"""

from collections.abc import Collection
from dataclasses import dataclass

from bartizan.simcore.play.match import Match
from bartizan.simcore.play.replay import replay

GAMES = 20


@dataclass(frozen=True)
class OptionUse:
    """Times a game, of the first seat."""

    games: int
    free: float  # as it is
    forced: float  # with the option forbidden: nothing else was legal


def analyze(free: Match, restricted: Match, kinds: Collection[str], games: int = GAMES) -> OptionUse:
    """`kinds`: kinds of action that the first seat of `restricted` never chooses unless it must."""
    return OptionUse(
        games,
        *(
            sum(times(match, kinds, number) for number in range(games)) / games
            for match in (free, restricted)
        ),
    )


def times(match: Match, kinds: Collection[str], number: int) -> int:
    forbidden = {match.engine.acts[kind] for kind in kinds}
    return sum(
        ply.seat == 0 and ply.action // match.engine.arguments in forbidden for ply in replay(match, number)
    )
