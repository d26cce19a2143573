"""A match (a game, a scenario and its players), and its compiled form, which every experiment uses."""

from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields, replace
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from bartizan.simcore.arrays import Record, as_records
from bartizan.simcore.compile import mistakes
from bartizan.simcore.compile.cache import is_ours
from bartizan.simcore.compile.jit import PLAIN
from bartizan.simcore.compile.loops import Loop, needs, new_states, new_workspace
from bartizan.simcore.errors import EngineError, UsageError
from bartizan.simcore.game import Engine, Game
from bartizan.simcore.kit.columns import PLIES
from bartizan.simcore.play import failures
from bartizan.simcore.play.tiers import Tiers
from bartizan.simcore.scenario.loading import Scenario
from bartizan.simcore.sources import joined_hash, source_hash
from bartizan.simcore.watch import PLAYERS, current

PLY_CAP = PLIES
DEALING = {"determinize", "shuffle_unseen", "knows_card"}  # rules of games whose hidden cards can be redealt


@dataclass(frozen=True, eq=False)
class Player:
    """The policy of one seat, ready for use: its compiled function and its weights."""

    name: str
    function: Any  # compiled for the game's records
    weights: dict[str, float]
    about: str
    source: Path  # its source file
    roles: tuple[str, ...] = ()  # the roles it can play; () = all
    # (record, seat) -> float: value of the end of a game; None: `simcore.play.worth.win_or_not`
    aim: Callable | None = None
    # its plain function, and the functions that decide with it, as in lookahead
    decided_by: tuple[Callable, ...] = ()
    # (game, scenario, seat) -> float64 numbers that follow its weights, learnt before it plays
    learn: Callable[[Game, Scenario, int], np.ndarray] | None = None
    # Engine -> the function compiled for that engine; None: there is only one
    compiled_for: Callable[[Engine], Any] | None = None
    deals: bool = False  # it redeals hidden cards: its function is compiled for `Engine.followed`
    named: str = ""  # the text that identifies it, also on another machine; "": it has none

    @cached_property
    def source_hash(self) -> str:
        """Hash (16 hex digits) of the sources of the functions that decide for the policy.

        If these are unknown, it is the hash of the policy's source file.
        """
        return joined_hash([source_hash(one) for one in self.decided_by or (self.source,)])


@dataclass(frozen=True, eq=False)
class Match:
    """A game under one scenario, with one player per seat."""

    game: Game
    scenario: Scenario
    players: tuple[Player, ...]
    seed: int
    ply_cap: int = PLY_CAP
    deals: bool = False  # hidden cards are redealt; a live engine plays decision by decision

    @property
    def engine(self) -> Engine:
        engine = self.game.compiled
        return engine.followed() if self.deals or any(player.deals for player in self.players) else engine

    @property
    def seats(self) -> int:
        """Number of seats in the compiled loops: one per role.

        The loops therefore work for any number of players.
        """
        return len(self.game.roles)

    def tables(self) -> Record:
        built, dtype = self.engine.build_tables(self.scenario), self.engine.tables_dtype
        if not isinstance(built, np.ndarray) or built.shape != (1,) or built.dtype != dtype:
            raise EngineError(
                f"{self.game.home}: build_tables must return an array of length 1 of the game's "
                "tables_dtype (tables = np.zeros(1, TABLES), filled and returned)"
            )
        return as_records(built)[0]

    def functions(self) -> tuple:
        """Return the compiled policies, one per seat."""
        return tuple(function_for(player, self.engine, self.game) for player in self.at_all_seats())

    def workspace(self) -> np.ndarray:
        """Return the workspace of one thread: a structured array of length 1, see `loops.workspace_dtype`.

        Raises UsageError for a built-in game in uncompiled simulations (`--plain`).
        """
        if PLAIN and self.game.is_builtin:
            raise UsageError(
                f"--plain: not supported by {self.game.name}, because its rules need the integer "
                "types of compiled code; remove --plain (BARTIZAN_PLAIN), or use it with your own "
                "game"
            )
        weights = [list(player.weights.values()) for player in self.at_all_seats()]
        for own, learnt in zip(weights, self.learnt, strict=False):
            own.extend(learnt)
        workspace = new_workspace(self.engine, weights, self.seed, self.ply_cap)
        workspace["is_guarded"] = not all(is_ours(player.source) for player in self.players)
        return workspace

    @cached_property
    def learnt(self) -> list[np.ndarray]:
        """The values that each player learns about the scenario before the first game.

        There is one float64 array per occupied seat.
        """
        return [
            player.learn(self.game, self.scenario, seat) if player.learn else np.zeros(0)
            for seat, player in enumerate(self.players)
        ]

    def at_all_seats(self) -> tuple[Player, ...]:
        """Return one player for every role of the game; unoccupied seats never have to decide."""
        return self.players + self.players[-1:] * (self.seats - len(self.players))


def function_for(player: Player, engine: Engine, game: Game) -> Any:
    """Return a player's function, compiled for one of the game's two engines (`Engine.following`)."""
    own = game.compiled.followed() if player.deals else game.compiled
    if engine is own or player.compiled_for is None:
        return player.function
    return player.compiled_for(engine)


class CompiledMatch:
    """A match with its tables, its policies and one loop, all compiled or allocated once."""

    def __init__(self, match: Match, loop: Loop):
        self.match = match = as_dealt(match, loop)
        self.tables = match.tables()
        self.tiers = Tiers(loop, match.engine, match.functions())
        _ = match.learnt  # now, because several threads may not do it at once

    def run(self, first_game: int, *arguments, states: int = 1, where: Callable[[Any], str] = lambda _: ""):
        """Call the kernel with the common arguments and `arguments`, and return its result.

        states: number of states. where: a function that maps the kernel's result to a description of the
        simulation in which a policy chose an illegal action; "" for the game itself. Raises PolicyError for
        an illegal action, and EngineError for any other error in a rule or a policy.
        """
        workspaces = self.match.workspace()
        scratch = new_states(self.match.engine, states)
        if PLAIN:  # access fields by name, as compiled code does
            workspaces, scratch = _by_name(workspaces), _by_name(scratch)
            arguments = tuple(_by_name(argument) for argument in arguments)
        try:
            kernel, policies = self.tiers.now
            with np.errstate(**failures.AS_COMPILED):
                returned = kernel(scratch, self.tables, policies, workspaces, first_game, *arguments)
        except Exception as error:
            if mistakes.place_of(error):
                raise EngineError(mistakes.sentence(error) + failures.with_values(self.match)) from error
            if found := failures.in_rules(self.match, int(workspaces["game"][0]), error):
                raise EngineError(found + failures.with_values(self.match)) from error
            homes = [self.match.game.home, *map(failures.written_in, self.match.players)]
            files = dict.fromkeys(map(Path, homes))
            raise EngineError(
                f"{', '.join(map(str, files))}: error in a rule or a policy: {mistakes.reason_of(error)}; "
                f"for details, run bartizan check{failures.with_values(self.match)}"
            ) from error
        if workspaces["is_illegal"][0]:
            if workspaces["n_legal"][0] == 0:
                raise failures.no_legal_action(self.match, workspaces[0], scratch, self.tables)
            raise failures.illegal_action(self.match, workspaces[0], where(returned))
        return returned


def deals_anew(loop: Loop) -> bool:
    """Return whether a loop redeals hidden cards, so that it needs `Engine.followed`."""
    return bool(DEALING & set(needs(loop.kernel)))


def as_dealt(match: Match, loop: Loop) -> Match:
    """Return the match in the form that a loop needs: with `deals` set if the loop redeals hidden cards.

    Shows the user the game's notes about hidden cards. Raises UsageError if the rules do not define how to
    redeal them, or if a live engine cannot continue games.
    """
    if deals_anew(loop):
        if match.engine.live:
            match.engine.live.check_steps(match.players)
        if match.engine.unknowable:
            raise UsageError(match.engine.unknowable)
        match = replace(match, deals=True)
    watch = current.get()
    for player in match.players if watch else ():
        if note := match.engine.peeking.get(player.name.partition(":")[0]):
            watch.note_once(note)
    if match.engine.untold and (match.deals or any(player.deals for player in match.players)):
        if watch:
            watch.note_once(match.engine.untold)
    return match


def _by_name(argument: Any) -> Any:
    """Return a structured array as records with fields as attributes; anything else unchanged."""
    is_structured = isinstance(argument, np.ndarray) and argument.dtype.names
    return as_records(argument, hides_numpy=True) if is_structured else argument


def chunks_of(games: range, chunk: int) -> Iterator[tuple[range]]:
    """Yield the argument tuple of each piece: one range of up to `chunk` consecutive games."""
    return ((games[i : i + chunk],) for i in range(0, len(games), chunk))


# ---------------------------------------------------------------- where games are simulated


class Elsewhere(Protocol):
    """Workers that simulate in place of this process, on this machine or on other machines."""

    @property
    def threads(self) -> int:
        """Maximum number of tasks in flight.

        Each task blocks one thread of this process until its result arrives.
        """

    def play(self, piece: Callable[..., Any], *chunk: range | int) -> Any:
        """Return `piece(*chunk)`, computed by a worker with the same result as here.

        Called by several threads.

        piece: a method of a `Batch` or an `Experiment`.
        """


Jobs = int | Elsewhere  # a number of threads in this process, or workers elsewhere


def threads_of(jobs: Jobs) -> int:
    """Return the number of pieces that are computed at the same time."""
    return jobs if isinstance(jobs, int) else jobs.threads


def played_by(jobs: Jobs, piece: Callable[..., Any], *chunk: range | int) -> Any:
    """Return `piece(*chunk)`, computed in this thread, or by a worker while this thread waits."""
    return piece(*chunk) if isinstance(jobs, int) else jobs.play(piece, *chunk)


@dataclass(frozen=True, eq=False)
class Experiment:
    """Games of a match, simulated chunk by chunk with the subclass's own loop.

    A method of the subclass simulates each chunk and returns its results (see `pieces`). Workers
    (`Elsewhere`) receive the fields, not the compiled loop, which they compile themselves. A field may
    therefore contain only what `api.cluster.wording.in_bytes` can encode, such as the match, numbers, arrays
    and jitted functions of this package.
    """

    match: Match

    @property
    def loop(self) -> Loop:
        raise NotImplementedError

    @cached_property
    def compiled(self) -> CompiledMatch:
        return CompiledMatch(self.match, self.loop)

    def prepare(self, jobs: Jobs) -> None:
        """Compile the code for pieces that are computed in this process, before several threads need it."""
        if isinstance(jobs, int):
            self.compiled  # noqa: B018
        else:
            as_dealt(self.match, self.loop)

    def pieces(self, piece: Callable[[range], Any], games: range, chunk: int, jobs: Jobs) -> Iterator[Any]:
        """Yield the results of `piece` for consecutive games, `chunk` at a time, in order."""
        self.prepare(jobs)
        return in_order(piece, chunks_of(games, chunk), jobs)

    def __getstate__(self) -> dict[str, Any]:
        return {one.name: getattr(self, one.name) for one in fields(self)}


def in_order(
    play: Callable[..., Any], chunks: Iterator[tuple[Any, ...]], jobs: Jobs
) -> Generator[Any, None, None]:
    """Yield `play(*chunk)` for each chunk, in the order of the chunks, computed by threads or by workers.

    Only a few chunks are in flight at a time. A single job needs no thread. If the games are no longer
    needed, threads are abandoned, because compiled code does not react to Ctrl-C; a policy might never end.
    """
    play, threads = partial(played_by, jobs, play), threads_of(jobs)
    if threads == 1:
        for chunk in chunks:
            yield play(*chunk)
        return
    pool = ThreadPoolExecutor(threads, PLAYERS)
    try:
        waiting = deque(pool.submit(play, *chunk) for chunk in islice(chunks, 2 * threads))
        while waiting:
            played = waiting.popleft().result()
            waiting.extend(pool.submit(play, *chunk) for chunk in islice(chunks, 1))
            yield played
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
