"""A match: who plays what; and the same with everything compiled, ready for any experiment."""

from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields, replace
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

import numpy as np

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
DEALING = {"determinize", "shuffle_unseen"}  # rules that deal hidden cards anew


@dataclass(frozen=True, eq=False)
class Player:
    """One seat's policy, ready to play: its compiled function and its weights."""

    name: str
    function: Any  # compiled for the game's records
    weights: dict[str, float]
    about: str
    source: Path  # the file it was written in
    roles: tuple[str, ...] = ()  # the roles it can play; () = all
    # (record, seat) -> float: what the end of a game is worth to it; None: `simcore.play.worth.win_or_not`
    aim: Callable | None = None
    # its function as it is written, and those of what decides with it, as looking ahead does
    decided_by: tuple[Callable, ...] = ()
    # (game, scenario, seat) -> float64 numbers that it reads behind its weights: learnt before it plays
    learn: Callable[[Game, Scenario, int], np.ndarray] | None = None
    # Engine -> the function as it is compiled for that one; None: there is no other
    compiled_for: Callable[[Engine], Any] | None = None
    deals: bool = False  # it deals hidden cards anew: its function is compiled for `Engine.followed`
    named: str = ""  # the text that finds it again, on another machine too; "": it has none

    @cached_property
    def source_hash(self) -> str:
        """16 hex digits over the sources of what decides, as they were executed: an edit since then is none
        of its games'.
        """
        return joined_hash([source_hash(one) for one in self.decided_by or (self.source,)])


@dataclass(frozen=True, eq=False)
class Match:
    """What is played: a game under one scenario, with one player a seat."""

    game: Game
    scenario: Scenario
    players: tuple[Player, ...]
    seed: int
    ply_cap: int = PLY_CAP
    deals: bool = False  # hidden cards are dealt anew

    @property
    def engine(self) -> Engine:
        engine = self.game.compiled
        return engine.followed() if self.deals or any(player.deals for player in self.players) else engine

    @property
    def seats(self) -> int:
        """Of the compiled loops: one for every role, so that they serve any number of players."""
        return len(self.game.roles)

    def tables(self) -> np.record:
        built, dtype = self.engine.build_tables(self.scenario), self.engine.tables_dtype
        if not isinstance(built, np.ndarray) or built.shape != (1,) or built.dtype != dtype:
            raise EngineError(
                f"{self.game.home}: build_tables must return an array of length 1 of the game's "
                "tables_dtype (tables = np.zeros(1, TABLES), filled and returned)"
            )
        return built.view(np.recarray)[0]

    def functions(self) -> tuple:
        """The policies by seat."""
        return tuple(function_for(player, self.engine, self.game) for player in self.at_all_seats())

    def workspace(self) -> np.ndarray:
        """What one thread plays with: a record array of length 1, see `loops.workspace_dtype`."""
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
        """By seat taken, what its player learns of the scenario before it plays."""
        return [
            player.learn(self.game, self.scenario, seat) if player.learn else np.zeros(0)
            for seat, player in enumerate(self.players)
        ]

    def at_all_seats(self) -> tuple[Player, ...]:
        """One player for every role of the game: seats not taken are never asked."""
        return self.players + self.players[-1:] * (self.seats - len(self.players))


def function_for(player: Player, engine: Engine, game: Game) -> Any:
    """A player's function, compiled for one of the game's two engines (`Engine.following`)."""
    own = game.compiled.followed() if player.deals else game.compiled
    if engine is own or player.compiled_for is None:
        return player.function
    return player.compiled_for(engine)


class CompiledMatch:
    """A match with its tables, its policies and one loop, all compiled and allocated once."""

    def __init__(self, match: Match, loop: Loop):
        self.match = match = as_dealt(match, loop)
        self.tables = match.tables()
        self.tiers = Tiers(loop, match.engine, match.functions())
        _ = match.learnt  # now, not in several threads at a time

    def run(self, first_game: int, *arguments, states: int = 1, where: Callable[[Any], str] = lambda _: ""):
        """Call the kernel with what every kernel gets and `arguments`; returns what it returns.

        states: how many it works on; where: from what the kernel returned, in words what was played when a
        policy broke the rules, if that was not simply the game. Raises PolicyError at an illegal action,
        EngineError where a rule or a policy fails otherwise.
        """
        workspaces = self.match.workspace()
        scratch = new_states(self.match.engine, states)
        if PLAIN:  # fields by their names, as compiled code reads them
            workspaces, scratch = workspaces.view(np.recarray), scratch.view(np.recarray)
            arguments = tuple(_by_name(argument) for argument in arguments)
        try:
            kernel, policies = self.tiers.now
            returned = kernel(scratch, self.tables, policies, workspaces, first_game, *arguments)
        except Exception as error:
            if mistakes.place_of(error):
                raise EngineError(mistakes.sentence(error)) from error
            if found := failures.in_rules(self.match, int(workspaces["game"][0]), error):
                raise EngineError(found + failures.with_values(self.match)) from error
            files = dict.fromkeys([self.match.game.home, *map(failures.written_in, self.match.players)])
            raise EngineError(
                f"{', '.join(map(str, files))}: error in a rule or a policy: "
                f"{mistakes.reason_of(error)}; bartizan check finds "
                f"more{failures.with_values(self.match)}"
            ) from error
        if workspaces["is_illegal"][0]:
            if workspaces["n_legal"][0] == 0:
                raise failures.no_legal_action(self.match, workspaces[0], scratch, self.tables)
            raise failures.illegal_action(self.match, workspaces[0], where(returned))
        return returned


def deals_anew(loop: Loop) -> bool:
    """Does it deal hidden cards anew, and so play with `Engine.followed`?"""
    return bool(DEALING & set(needs(loop.kernel)))


def as_dealt(match: Match, loop: Loop) -> Match:
    """The match as a loop plays it: with hidden cards dealt anew where the loop does that, which is noted.

    Raises UsageError where the rules do not tell how.
    """
    if deals_anew(loop):
        if match.engine.unknowable:
            raise UsageError(match.engine.unknowable)
        match = replace(match, deals=True)
    if match.engine.untold and (match.deals or any(player.deals for player in match.players)):
        if watch := current.get():
            watch.note_once(match.engine.untold)
    return match


def _by_name(argument: Any) -> Any:
    is_record = isinstance(argument, np.ndarray) and argument.dtype.names
    return argument.view(np.recarray) if is_record else argument


def chunks_of(games: range, chunk: int) -> Iterator[tuple[range]]:
    """Consecutive games, `chunk` at a time: each the one argument of a piece."""
    return ((games[i : i + chunk],) for i in range(0, len(games), chunk))


# ---------------------------------------------------------------- who plays


class Elsewhere(Protocol):
    """Workers that play instead of this process, on this machine or others."""

    @property
    def threads(self) -> int:
        """How many pieces may be asked for at a time; each is waited for by a thread of its own."""

    def play(self, piece: Callable[..., Any], *chunk: range | int) -> Any:
        """`piece(*chunk)` as a worker computes it: the same as here. Called by several threads.

        piece: a method of a `Batch` or an `Experiment`.
        """


Jobs = int | Elsewhere  # who plays: so many threads of this process, or workers elsewhere


def threads_of(jobs: Jobs) -> int:
    """How many pieces are played at a time."""
    return jobs if isinstance(jobs, int) else jobs.threads


def played_by(jobs: Jobs, piece: Callable[..., Any], *chunk: range | int) -> Any:
    """`piece(*chunk)`: in this thread, or elsewhere while it waits."""
    return piece(*chunk) if isinstance(jobs, int) else jobs.play(piece, *chunk)


@dataclass(frozen=True, eq=False)
class Experiment:
    """Games of a match that a loop of its own plays, some at a time.

    A piece is a method of it. The fields travel to a worker where one plays (`Elsewhere`), so they are
    numbers, texts and arrays beside the match; a worker compiles the loop itself.
    """

    match: Match

    @property
    def loop(self) -> Loop:
        raise NotImplementedError

    @cached_property
    def compiled(self) -> CompiledMatch:
        return CompiledMatch(self.match, self.loop)

    def prepare(self, jobs: Jobs) -> None:
        """Compile what the pieces need if they are played here, before several threads ask for it."""
        if isinstance(jobs, int):
            self.compiled  # noqa: B018
        else:
            as_dealt(self.match, self.loop)

    def pieces(self, piece: Callable[[range], Any], games: range, chunk: int, jobs: Jobs) -> Iterator[Any]:
        """What `piece` makes of consecutive games, `chunk` at a time, in order."""
        self.prepare(jobs)
        return in_order(piece, chunks_of(games, chunk), jobs)

    def __getstate__(self) -> dict[str, Any]:
        return {one.name: getattr(self, one.name) for one in fields(self)}


def in_order(
    play: Callable[..., Any], chunks: Iterator[tuple[Any, ...]], jobs: Jobs
) -> Generator[Any, None, None]:
    """What `play` makes of each chunk, in the order of the chunks, on a pool of threads or elsewhere.

    Only a few are in flight at a time. A single job needs no thread. Nobody waits for a thread when its games
    are no longer wanted: compiled code does not hear Ctrl-C, least of all a policy that loops for ever.
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
