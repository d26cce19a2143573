"""Odds of single throws and fights: `game("colditz").odds.do_or_die(distance=40)`."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bartizan.api.reading import Names, Sets, answers
from bartizan.simcore.errors import UsageError

if TYPE_CHECKING:
    from bartizan.api.asked import AskedGame
    from bartizan.reports.answers.answer import Answer

MANY = 200_000  # simulated attempts, for each line


class Odds:
    """Exact, and simulated with the engine's dice. `castle` is about Castle, the others about Escape from
    Colditz; cap: at most so many rolls a throw, None for both readings.
    """

    def __init__(self, about: "AskedGame"):
        self._about = about

    def _asking(self, game: str):
        if self._about.name != game:
            raise UsageError(f"odds: that question is about {game}, not about {self._about.name}")
        return answers("odds", game)

    def do_or_die(
        self,
        *,
        distance: int | None = None,
        from_: str | None = None,
        ropes: int | None = None,
        cutters: int | None = None,
        card: Sequence[int] | None = None,
        cap: int | None = None,
        games: int = MANY,
        seed: int = 1,
    ) -> "Answer":
        """A Do or Die: chance of success by card, and with a card drawn blind.

        distance: steps with what is held; or from_: a place of the board, with the ropes and cutters held
        there; card: only cards with so many throws.
        """
        odds = self._asking("colditz")
        held = odds.Start(from_, ropes, cutters)
        return odds.do_or_die(self._about.effort(games, seed), distance, held, card or (), cap)

    def staff_car(
        self, *, distance: int | None = None, cap: int | None = None, games: int = MANY, seed: int = 1
    ) -> "Answer":
        """The Staff Car: chance of reaching the target over the main bridge."""
        return self._asking("colditz").staff_car(self._about.effort(games, seed), distance, cap)

    def appel(self, *, distance: int, cap: int | None = None, games: int = MANY, seed: int = 1) -> "Answer":
        """An Appel: chance that its range, one throw, reaches a POW so many steps away."""
        return self._asking("colditz").appel(self._about.effort(games, seed), distance, cap)

    def shoot_to_kill(
        self,
        *,
        distance: int,
        talisman: bool = False,
        cap: int | None = None,
        games: int = MANY,
        seed: int = 1,
    ) -> "Answer":
        """A Shoot to Kill: chance that the shot kills over so many steps; talisman: one is played."""
        effort = self._about.effort(games, seed)
        return self._asking("colditz").shoot_to_kill(effort, distance, talisman, cap)

    def castle(
        self,
        *,
        attack: str | None = None,
        defend: str | None = None,
        queen: str = "alive",
        revealed: bool = False,
        same_suit: bool = False,
        add: int = 0,
        defence_add: int = 0,
        set: Sets = None,
        games: int = MANY,
        seed: int = 1,
    ) -> "Answer":
        """A fight in Castle: chance that the attacker wins one roll; without attack and defend a table.

        queen: `alive` or `dead`, the defender's; revealed: the target already lies face up; same_suit: lead
        and target share it; add, defence_add: reinforcements.
        """
        odds = self._asking("castle")
        if queen not in ("alive", "dead"):
            raise UsageError(f"--queen {queen}: alive or dead")
        if (attack is None) != (defend is None):
            raise UsageError("odds castle: give --attack and --defend, or neither for a table")
        fight = None
        if attack and defend:
            alive = queen == "alive"
            fight = odds.FightRequest(attack, defend, alive, not revealed, add, defence_add, same_suit)
        return odds.castle(self._about.request(set=set), self._about.effort(games, seed), fight)

    def stake_or_wait(
        self,
        *,
        distance: int | None = None,
        within: int | None = None,
        from_: str | None = None,
        ropes: int | None = None,
        cutters: int | None = None,
        rounds_left: int | None = None,
        players: int | None = None,
        policy: Names = None,
        set: Sets = None,
        games: int = 1000,
        futures: int = 2,
        seed: int = 1,
        jobs: int | None = None,
        chart: str | Path | None = None,
    ) -> "Answer":
        """Stake a POW now, or not this turn? Both ways played on from the same moments.

        distance: steps of the best POW, `within` so many more or fewer; or from_: a place of the board;
        ropes, cutters, rounds_left: only with so many; futures: how often each way from a moment; chart: an
        .svg, .pdf or .png file to draw the verdicts into.
        """
        odds = self._asking("colditz")
        request = self._about.request(None, None, policy, players, set)
        asked = odds.Situation(distance, ropes, cutters, rounds_left)
        effort = self._about.effort(games, seed, jobs)
        return odds.stake_or_wait(
            request, effort, asked, from_, within, futures, Path(chart) if chart else None
        )
