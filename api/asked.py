"""What all questions about a game share."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from bartizan.api.odds import Odds
from bartizan.api.reading import Names, Sets, listed, prepare, texts
from bartizan.simcore.watch import Watch

if TYPE_CHECKING:
    from bartizan.policies.request import Request
    from bartizan.reports.answers.answer import Effort


class AskedGame:
    """A game, and who watches what is played of it."""

    def __init__(self, name: str, watch: Watch):
        prepare(name)
        self.name, self.watch = name, watch
        self.odds = Odds(self)

    def __repr__(self) -> str:
        return f"bartizan.game({self.name!r})"

    def request(
        self,
        scenario: str | None = None,
        difficulty: str | None = None,
        policy: Names = None,
        players: int | None = None,
        set: Sets = None,
    ) -> "Request":
        """What is asked about, read."""
        from bartizan.policies.request import Request

        named = str(scenario) if scenario is not None else None
        return Request(self.name, named, difficulty, listed(policy), players, texts(set))

    def effort(self, games: int, seed: int, jobs: int | None = None) -> "Effort":
        """How much is played, on which luck. From here on policies from outside are looked at first."""
        from bartizan.policies.registry import first_look
        from bartizan.reports.answers.answer import Effort
        from bartizan.reports.answers.first_look import look_at

        first_look.set(partial(look_at, self.watch))

        return Effort(games, seed, jobs, self.watch)

    @contextmanager
    def efforts(self, games: int, seed: int, jobs: int | None, cluster: str | None) -> "Iterator[Effort]":
        """`effort`, where the workers of a cluster may play: at this address, unless it is None."""
        effort = self.effort(games, seed, jobs)
        if cluster is None:
            yield effort
            return
        from bartizan.api.cluster import Cluster
        from bartizan.api.crew import Crew

        with Crew(Cluster(cluster, self.name), self.watch.note) as crew:
            yield replace(effort, elsewhere=crew)
