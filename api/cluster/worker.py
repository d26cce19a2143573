"""A worker of a cluster: simulate one task and return the result.

All arguments are text, bytes and numbers, and the module imports nothing heavy. A worker finds its functions
by name and sets the compiler's cache before anything imports numba.
"""

import hashlib
import json
import socket
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from bartizan.simcore.compile import cache, trees
from bartizan.simcore.errors import EngineError

if TYPE_CHECKING:
    from bartizan.simcore.play.batch import Batch
    from bartizan.simcore.play.match import Match

PIECES = 16  # maximum number of cached functions, with their matches and compiled code
TABLES = 256  # maximum number of cached matches, half a megabyte each for a large game

Weights = Sequence[Mapping[str, float]]  # weights of each seat


def play_piece(code: str, piece: bytes, chunk: tuple[range | int, ...]) -> tuple[bytes, str, str]:
    """Simulate the games of one task.

    code: the result of `code_of` on the client, as JSON. piece: a function, encoded by
    `bartizan.api.cluster.wording`. chunk: the arguments of the function.

    Returns the result in the same encoding, the sha256 of these bytes, and the name of the worker. Raises
    EngineError if this worker would simulate different games, and the exceptions of the policies.
    """
    cache.configure()
    _check_code(code)
    from bartizan.api.cluster.wording import in_bytes

    content = in_bytes(piece_of(piece)(*chunk))
    return content, hashlib.sha256(content).hexdigest(), who()


@lru_cache(PIECES)
def piece_of(piece: bytes) -> Callable[..., Any]:
    """Return the decoded function of a task, together with its match."""
    from bartizan.api.cluster.wording import read

    function: Callable[..., Any] = read(piece)
    return function


def match_of(table: str, weights: Weights, seed: int) -> "Match":
    """Return a match with the requested weights and seed. table: the encoded match, see `table_of`."""
    return _with(table_of(table), weights, seed)


def batch_of(table: str, weights: Weights, seed: int) -> "Batch":
    """Return a match that is compiled to simulate whole games. Arguments as for `match_of`."""
    batch = _batch_at(table)
    match = _with(batch.match, weights, seed)
    return batch.with_players(match.players, seed)


def _with(match: "Match", weights: Weights, seed: int) -> "Match":
    pairs = zip(match.players, weights, strict=True)
    players = tuple(replace(player, weights=dict(own)) for player, own in pairs)
    return replace(match, players=players, seed=seed)


@lru_cache(TABLES)
def _batch_at(table: str) -> "Batch":
    from bartizan.simcore.play.batch import Batch

    return Batch(table_of(table))


@lru_cache(TABLES)
def table_of(table: str) -> "Match":
    """Return the encoded match, with default weights and seed 0.

    table: encoding by `bartizan.api.cluster.wording`. Raises EngineError if the match differs on this
    machine.
    """
    wanted = json.loads(table)
    from bartizan.policies.request import match_of as named_match
    from bartizan.simcore.game import load_game
    from bartizan.simcore.scenario.loading import load_scenario
    from bartizan.simcore.sweep.manifest import table_identity

    game = load_game(wanted["game"])
    scenario = load_scenario(game, wanted["scenario"], wanted["difficulty"], wanted["sets"])
    match = named_match(game, scenario, wanted["policies"], 0)
    match = replace(match, ply_cap=wanted["ply_cap"], deals=wanted["deals"])
    _refuse("match", wanted["identity"], json.loads(json.dumps(table_identity(match))))
    return match


@lru_cache(PIECES)
def _check_code(code: str) -> None:
    _refuse("versions", json.loads(code), code_of())


def code_of() -> dict[str, str]:
    """Return the versions of packages and the hash of built-in code, because games depend on both."""
    from bartizan.simcore.sweep.manifest import versions

    return {**versions(), "code": trees.house_hash()}


def _refuse(what: str, wanted: dict[str, Any], here: dict[str, Any]) -> None:
    for key in wanted:
        if wanted[key] != here.get(key):
            raise EngineError(
                f"worker {who()}: would simulate different games ({what}: {key} = {here.get(key)} instead "
                f"of {wanted[key]}); install the same version of bartizan and the same files there"
            )


def who() -> str:
    """Return the name of this worker for messages."""
    try:
        from distributed import get_worker

        return f"{get_worker().address} on {socket.gethostname()}"
    except (ImportError, ValueError):
        return socket.gethostname()
