"""Exact probabilities for small games, computed from every possible outcome of the random draws."""

from math import fsum

from bartizan.simcore.compile.rules import PLAYING
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.position import GamePosition
from bartizan.simcore.play.state_space import (
    Listing,
    LuckTree,
    Numbers,
    StateSpace,
    Unlisted,
    run_plainly,
    space_of,
)

NO_SEAT = -1  # all seats are played by their policies
MOST = 3_000_000  # bytes of the states: a few seconds


class EventListing(Listing):
    """The states of games in which policies choose every action.

    A game has value 1 once an event has happened, and 0 once the event is impossible.
    """

    def __init__(self, match: Match, event: str):
        rare = match.engine.rare[event]
        super().__init__(match, NO_SEAT, 0.0, [rare.progress], MOST)
        self.progress, self.top = self.plain.copy(rare.progress), int(rare.top(match.scenario))

    def worth(self, state: Numbers) -> float | None:
        progress = self.progress(state, self.tables)
        if progress >= self.top:
            return 1.0
        return None if progress >= 0 and state.end_reason == PLAYING else 0.0


def event_space(match: Match, event: str) -> StateSpace:
    """Return the states that precede a declared event.

    Raises Unlisted with the reason if they cannot be enumerated.
    """
    return space_of(match, lambda: EventListing(match, event))


def log_chance(position: GamePosition, text: str, action: int) -> float | None:
    """Return the probability that the log directly after an action contains a text, ignoring case.

    Returns None if the log never contains it, if the action has too many random outcomes, or if the game is
    built in or has no log.
    """
    match, luck = position.match, LuckTree()
    engine, plain = match.engine, luck.rules()
    if match.game.is_builtin or engine.describe_events is None:
        return None
    apply, redeal = plain.copy(engine.apply), plain.copy(engine.determinize)
    here, tables = Numbers(engine.state_dtype, position.state), Numbers(engine.tables_dtype, match.tables())

    def has_text() -> bool:
        state = here.twin()
        redeal(state, tables, position.seat)
        apply(state, tables, action)
        record = state.record(engine.state_dtype)[0]
        lines = engine.describe_events(record, match.tables(), match.scenario)
        return text.lower() in "\n".join(lines).lower()

    try:
        with run_plainly():
            return fsum(chance for chance, has in luck.ways(has_text) if has) or None
    except Unlisted:
        return None
