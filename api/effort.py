"""Effort of a question: number of games, seed, threads or workers, and progress."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial

from bartizan.policies.registry import find_policy
from bartizan.policies.request import Request
from bartizan.simcore import MOST_GAMES
from bartizan.simcore.compile.loops import LARGE, Loop, functions_of
from bartizan.simcore.errors import UsageError, did_you_mean
from bartizan.simcore.game import Game
from bartizan.simcore.play.batch import BATCH, Progress, Source
from bartizan.simcore.play.match import PLY_CAP, Elsewhere, Jobs, deals_anew
from bartizan.simcore.scenario.loading import Scenario, load_scenario
from bartizan.simcore.watch import Watch

MUCH = 1e9  # bytes of games in memory from which a note is printed


@dataclass(frozen=True)
class Effort:
    """Number of games, seed, threads or workers, and progress observer of a question.

    Raises UsageError for too many games.
    """

    games: int
    seed: int = 1
    jobs: int | None = None
    watch: Watch = field(default_factory=Watch)
    elsewhere: Elsewhere | None = None  # workers that simulate instead of this machine
    known: Callable[[], Iterable[str]] = tuple  # lines of known results, shown during compilation

    def __post_init__(self) -> None:
        if self.games > MOST_GAMES:
            raise UsageError(f"games = {self.games:,}: use at most {MOST_GAMES:,}")

    @property
    def threads(self) -> int:
        """Number of threads (default: all cores). It does not affect results."""
        return self.jobs or os.cpu_count() or 1

    @property
    def workers(self) -> Jobs:
        """The workers that simulate instead of this machine, or the number of threads if there are none.

        The choice does not affect results.
        """
        return self.elsewhere or self.threads

    def holds(self, size: float, games: int | None = None) -> None:
        """Print a note about memory before the simulation, if the games need a gigabyte or more.

        size: bytes per game. games: number of games (default: the requested number).
        """
        games = self.games if games is None else games
        if (most := size * games) >= MUCH:
            self.watch.note(
                f"all {games:,} games are kept in memory: up to {most / 1e9:,.1f} GB; to use "
                "less memory, lower --games"
            )

    def compiles(self, game: Game, loop: Loop, named: str = "", policies: Iterable[str] = ()) -> None:
        """Compile the loop if this machine simulates and the loop is not compiled yet, and report progress.

        With several threads, the rules and policies of a large game are first compiled in two processes.
        named, policies: the game and the policies as the user named them.
        """
        engine, seats = game.compiled.followed() if deals_anew(loop) else game.compiled, len(game.roles)
        if self.elsewhere or loop.is_compiled(engine, seats):
            return
        names = sorted(set(policies))
        found = [find_policy(game, name) for name in names]  # reject a misspelt name at once
        reached = functions_of(engine, [one.choose for one in found])
        with self.watch.compilation(f"{game.name} {loop.kernel.__name__}", game.name, reached) as compilation:
            for line in self.known():
                self.watch.known(line)
            if names and self.threads > 1 and engine.state_dtype.itemsize >= LARGE:
                from bartizan.api.cluster.warming import in_two

                in_two(named, game, names, compilation.one_more)
            loop.compiled_for(engine, seats)

    @contextmanager
    def source(self, game: Game, games: int = 0) -> Iterator[Source]:
        """Yield the source of a question's games, and report the progress of the games.

        games: expected number of games, 0 if unknown.
        """
        self.compiles(game, BATCH)
        with self.watch.progress(game.name, games) as watch:
            yield Source(self.workers, partial(_watched, watch))


ENDLESS = f"no game has ended so far within {PLY_CAP:,} decisions; check that a rule can end the game"


def _watched(watch: Callable[[Progress], None], progress: Progress) -> None:
    """Pass `progress` to `watch`, with a note if all games so far are truncated: the game may never end."""
    if 0 < progress.truncated == progress.played and ENDLESS not in progress.notes:
        progress.notes.append(ENDLESS)
    watch(progress)


def scenarios_at(request: Request, levels: Iterable[str]) -> dict[str, Scenario]:
    """Map each level to its scenario with the requested changes."""
    return {
        level: load_scenario(request.game, request.scenario, level, request.values)
        for level in dict.fromkeys(levels)
    }


def roles_of(game: Game, scenario: Scenario, role: str | None) -> tuple[str, ...]:
    """Return the requested role, or all roles if none is requested; ("",) if the seats are identical.

    Raises UsageError for a role that the scenario does not have.
    """
    roles = ("",) if game.alike else game.roles_in(scenario)
    if role is None or role in roles:
        return roles if role is None else (role,)
    if game.alike:
        raise UsageError(f"--role {role}: all seats are identical; remove --role")
    raise UsageError(f"--role {role}: no such role{did_you_mean(role, roles)}")
