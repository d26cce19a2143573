"""Effort of a question: games, seed, threads or workers, and progress."""

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

MUCH = 1e9  # bytes of games in memory from which a command says so


@dataclass(frozen=True)
class Effort:
    """Number of games, seed and progress of a question."""

    games: int
    seed: int = 1
    jobs: int | None = None
    watch: Watch = field(default_factory=Watch)
    elsewhere: Elsewhere | None = None  # workers that play instead of this machine
    known: Callable[[], Iterable[str]] = tuple  # what is known without playing, for who waits

    def __post_init__(self) -> None:
        if self.games > MOST_GAMES:
            raise UsageError(f"games = {self.games:,}: use at most {MOST_GAMES:,}")

    @property
    def threads(self) -> int:
        """Number of threads (default: all cores); does not affect results."""
        return self.jobs or os.cpu_count() or 1

    @property
    def workers(self) -> Jobs:
        """Threads of this machine, or workers elsewhere; does not affect results."""
        return self.elsewhere or self.threads

    def holds(self, size: float, games: int | None = None) -> None:
        """Says before anything is played that all games stay in memory, where that is much. size: bytes a
        game; games: how many, as many as are asked for unless given.
        """
        games = self.games if games is None else games
        if (most := size * games) >= MUCH:
            self.watch.note(
                f"all {games:,} games are kept in memory: up to {most / 1000000000.0:,.1f} GB; use "
                "fewer --games to need less"
            )

    def compiles(self, game: Game, loop: Loop, named: str = "", policies: Iterable[str] = ()) -> None:
        """Compiles the loop if this machine plays and has yet to compile it, and says how far it has come.
        A large game's policies are compiled too, in two processes where there is a second core.

        named: the game as the user named it; policies: as they are named.
        """
        engine, seats = game.compiled.followed() if deals_anew(loop) else game.compiled, len(game.roles)
        if self.elsewhere or loop.is_compiled(engine, seats):
            return
        names = sorted(set(policies))
        found = [find_policy(game, name) for name in names]  # a misspelt name is refused at once
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
        """Where a question's games come from, while somebody watches. games: how many there will be, 0
        unknown.
        """
        self.compiles(game, BATCH)
        with self.watch.progress(game.name, games) as watch:
            yield Source(self.workers, partial(_watched, watch))


ENDLESS = f"no game so far has ended within {PLY_CAP:,} decisions: does a rule ever end one?"


def _watched(watch: Callable[[Progress], None], progress: Progress) -> None:
    """Says so where games do not end, as soon as that shows: all that are asked for may take long."""
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
    """Requested roles: the named one, or all; "" if seats are identical."""
    roles = ("",) if game.alike else game.roles_in(scenario)
    if role is None or role in roles:
        return roles if role is None else (role,)
    why = "all seats are alike" if game.alike else f"no such role{did_you_mean(role, roles)}"
    raise UsageError(f"--role {role}: {why}")
