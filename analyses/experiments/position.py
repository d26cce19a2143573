"""Win probabilities from a position, and the value of each legal action there.

Each future has its own random numbers and redeals all information that the player to move cannot know. All
actions use the same futures, so their differences are paired. A reader looks at the best action, so the
intervals of all differences are simultaneous (Bonferroni), and p-values are adjusted (Holm 1979).
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from bartizan.analyses.document import Document, optional
from bartizan.analyses.experiments.cards import effect_on_wins
from bartizan.analyses.statistics.intervals import Interval, proportion, with_truncated
from bartizan.analyses.statistics.testing import ALPHA, holm, jointly
from bartizan.simcore.compile.rules import HOUSE, NOBODY, TRUNCATED
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.position import GamePosition

Exact = Callable[[int], float | None]  # action -> exact probability of the throw that it begins, if known

METHOD = (
    "share of futures: new random numbers, unknown cards redealt, every seat played by its policy; actions "
    "paired on common random numbers, a draw counts half; each difference from the policy's own play, "
    "simultaneous over all actions (Bonferroni); p adjusted for all actions (Holm 1979)"
)
RESTS_ON = "Probabilities are those of these policies; for better players they may differ"


class ActionValue(Document):
    """One legal action. The policies choose all later actions.

    wins: win rate of the player to move. worth: wins plus half the draws with this action, minus the same sum
    with the policy's choice. chosen: share of futures in which the policy chooses it.
    """

    action: int
    text: str
    wins: Interval
    worth: Interval
    p: float
    p_adjusted: float
    chosen: Interval
    capped: int  # truncated futures with this action, plus those with the policy's choice

    @property
    def is_better(self) -> bool:
        return self.worth.low > 0 and self.p_adjusted < ALPHA

    @property
    def is_worse(self) -> bool:
        return self.worth.high < 0 and self.p_adjusted < ALPHA


class FutureCondition(Document):
    """Restriction to futures in which the next decision's log contains this text.

    tried: number of futures tested; share: fraction with the text.
    """

    text: str
    tried: int
    share: Interval


class ThrowChance(Document):
    """Probability that the log after a legal action contains a text.

    exact: the exact value, if it is known for this game.
    """

    action: int
    text: str
    share: Interval
    exact: float | None = None


class ThrowChances(Document):
    """Probabilities of an event by action.

    event: its name. log: the text to find. futures: number of futures for each action.
    """

    event: str
    log: str
    futures: int
    actions: list[ThrowChance]


class OtherPlayers(Document):
    """The same futures with other policies, one per seat. chances: share of wins of each role."""

    policies: list[str]
    chances: dict[str, Interval]
    capped: int


class PositionChances(Document):
    """Win probabilities from a position.

    chances: share of wins of each role. actions: the legal actions, best first; empty if there is only one,
    or if futures are restricted by a condition.
    """

    position: str  # the position as one line
    position_changes: dict[str, str]  # changes made to the position
    turn: int
    decision: int
    role: str  # role of the player to move
    futures: int
    chances: dict[str, Interval]
    draws: Interval | None = optional()
    lost_to_game: Interval | None = optional()
    capped: int = 0
    when: FutureCondition | None = optional()
    actions: list[ActionValue]
    throws: ThrowChances | None = optional()
    other_policies: list[OtherPlayers] | None = optional()
    method: str = METHOD
    rests_on: str = RESTS_ON


def chances_of(winners: np.ndarray, roles: Sequence[str]) -> dict[str, Interval]:
    """Return each role's share of wins. winners: one column of `simcore.play.position.Futures.play`."""
    n, cut = len(winners), int((winners == TRUNCATED).sum())
    return {role: with_truncated(int((winners == seat).sum()), cut, n) for seat, role in enumerate(roles)}


def _share_of(winners: np.ndarray, end: int) -> Interval | None:
    count = int((winners == end).sum())
    return with_truncated(count, int((winners == TRUNCATED).sum()), len(winners)) if count else None


def action_values(
    winners: np.ndarray, chosen: np.ndarray, moves: Mapping[int, str], seat: int
) -> list[ActionValue]:
    """Return the actions, best first; [] for fewer than two actions.

    winners: int8 [future, 1 + move]; column 0 is the policy's own choice. chosen: int32 [future].
    """
    if len(moves) < 2:
        return []
    effects = [
        effect_on_wins(winners[:, 0], winners[:, column], seat, text, of="action", draw=0.5)
        for column, text in enumerate(moves.values(), 1)
    ]
    adjusted = holm([effect.difference.p for effect in effects])
    cut = (winners == TRUNCATED).sum(axis=0)
    values = [
        ActionValue(
            action=action,
            text=text,
            wins=with_truncated(int((winners[:, column] == seat).sum()), int(cut[column]), len(winners)),
            worth=jointly(effect.at, len(effects)) if effect.at else effect.difference.interval,
            p=effect.difference.p,
            p_adjusted=p,
            chosen=proportion(int((chosen == action).sum()), len(chosen)),
            capped=int(cut[0] + cut[column]),
        )
        for column, ((action, text), effect, p) in enumerate(
            zip(moves.items(), effects, adjusted, strict=True), 1
        )
    ]
    return sorted(values, key=lambda one: -one.worth.estimate)


def throw_chances(
    event: str, log: str, moves: Mapping[int, str], told: Mapping[int, Sequence[str]], exact: Exact
) -> ThrowChances:
    """Return the probabilities of an event by action.

    An action is omitted if the event never occurs after it and has no exact probability.

    moves: text of each action. told: log after each action, one text per future.
    """
    rows = [
        ThrowChance(
            action=action,
            text=moves[action],
            share=proportion(sum(log.lower() in text.lower() for text in texts), len(texts)),
            exact=exact(action),
        )
        for action, texts in told.items()
    ]
    seen = [row for row in rows if row.exact is not None or row.share.estimate > 0]
    return ThrowChances(event=event, log=log, futures=max(map(len, told.values()), default=0), actions=seen)


def other_players(match: Match, winners: np.ndarray) -> OtherPlayers:
    """Return the win shares with other policies. winners: see `chances_of`."""
    return OtherPlayers(
        policies=[player.name for player in match.players],
        chances=chances_of(winners, match.game.roles_in(match.scenario)),
        capped=int((winners == TRUNCATED).sum()),
    )


def condition(text: str, tried: int, met: int) -> FutureCondition:
    return FutureCondition(text=text, tried=tried, share=proportion(met, tried))


def chances(
    position: GamePosition,
    changes: Mapping[str, str],
    played: tuple[np.ndarray, np.ndarray],
    moves: Mapping[int, str],
    when: FutureCondition | None = None,
    throws: ThrowChances | None = None,
    beside: Sequence[OtherPlayers] = (),
) -> PositionChances:
    """Return the win probabilities from a position. played: result of `Futures.play`."""
    winners, chosen = played
    roles = position.match.game.roles_in(position.match.scenario)
    return PositionChances(
        position=position.line(),
        position_changes=dict(changes),
        turn=position.turn,
        decision=position.plies,
        role=roles[position.seat],
        futures=len(winners),
        chances=chances_of(winners[:, 0], roles),
        when=when,
        throws=throws,
        other_policies=list(beside) or None,
        actions=action_values(winners, chosen, moves, position.seat),
        draws=_share_of(winners[:, 0], NOBODY),
        lost_to_game=_share_of(winners[:, 0], HOUSE),
        capped=int((winners[:, 0] == TRUNCATED).sum()),
    )
