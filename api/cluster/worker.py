"""What a worker of a cluster does: play one shard, or some games in memory, and hand their bytes back.

Functions of text and numbers alone, in a module that imports nothing heavy: a worker finds them by name, and
points the compiler at its cache before anything imports numba.
"""

import hashlib
import json
import socket
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from bartizan.simcore.compile import cache, trees
from bartizan.simcore.errors import EngineError

if TYPE_CHECKING:
    from bartizan.simcore.play.batch import Batch

BATCHES = 16  # of which a worker keeps weights and luck
TABLES = 256  # made ready, half a megabyte each in a large game: a question has many


def play_shard(asked: str, first: int, games: int) -> tuple[bytes, str, str]:
    """Plays the games of one shard. asked: the match and what the shard says it is, as
    `bartizan.api.cluster.client` words it.

    Returns the shard as it is written, its sha256, and who played. Raises EngineError where this worker would
    play otherwise than who asks.
    """
    batch = batch_of(asked)
    from bartizan.simcore.sweep.shards import shard_bytes

    identity = {**json.loads(asked)["shard"], "first_game": first, "games": games}
    content = shard_bytes(batch.play(first, games), batch.match.engine, identity)
    return content, hashlib.sha256(content).hexdigest(), who()


def play_rows(asked: str, first: int, games: int) -> tuple[bytes, str, str]:
    """Plays games whose rows nobody keeps. asked: the match, as `bartizan.api.cluster.client` words it.

    Returns the rows, their sha256, and who played. Raises EngineError as `play_shard` does, and what the
    policies raise.
    """
    content = batch_of(asked).play(first, games).tobytes()
    return content, hashlib.sha256(content).hexdigest(), who()


@lru_cache(BATCHES)
def batch_of(asked: str) -> "Batch":
    """A match with the weights and on the luck that are asked for."""
    wanted = json.loads(asked)
    table = table_of(wanted["table"])
    pairs = zip(table.match.players, wanted["weights"], strict=True)
    return table.with_players([replace(player, weights=weights) for player, weights in pairs], wanted["seed"])


@lru_cache(TABLES)
def table_of(asked: str) -> "Batch":
    """The match as it was named, made ready once a worker; refused where it is another one here."""
    wanted = json.loads(asked)
    cache.configure()
    _refuse("versions", wanted["code"], code_of())
    from bartizan.policies.request import match_of
    from bartizan.simcore.game import load_game
    from bartizan.simcore.play.batch import Batch
    from bartizan.simcore.scenario.loading import load_scenario
    from bartizan.simcore.sweep.manifest import table_identity

    game = load_game(wanted["game"])
    scenario = load_scenario(game, wanted["scenario"], wanted["difficulty"], wanted["sets"])
    match = replace(
        match_of(game, scenario, wanted["policies"], wanted["identity"]["seed"]), ply_cap=wanted["ply_cap"]
    )
    _refuse("match", wanted["identity"], json.loads(json.dumps(table_identity(match))))
    return Batch(match)


def code_of() -> dict[str, str]:
    """What the bytes of a shard depend on beside the cell: versions, and the house's own code."""
    from bartizan.simcore.sweep.manifest import versions

    return {**versions(), "code": trees.house_hash()}


def _refuse(what: str, wanted: dict[str, Any], here: dict[str, Any]) -> None:
    for key in wanted:
        if wanted[key] != here.get(key):
            raise EngineError(
                f"worker {who()}: would simulate other games ({what}: {key} = {here.get(key)} "
                f"instead of {wanted[key]}); install the same bartizan and the same files there"
            )


def who() -> str:
    """This worker, in words."""
    try:
        from distributed import get_worker

        return f"{get_worker().address} on {socket.gethostname()}"
    except (ImportError, ValueError):
        return socket.gethostname()
