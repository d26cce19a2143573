"""Games of a live engine step by step, for lookahead policies: flat Monte Carlo over the protocol.

Each legal action is tried in the same simulated futures, which the engine plays to the end with the base
policy in all seats. The action with the highest share of wins is chosen.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bartizan.simcore.compile.rules import NOBODY
from bartizan.simcore.live.process import EngineProcess
from bartizan.simcore.live.seeds import seed_of

if TYPE_CHECKING:
    from bartizan.simcore.play.match import Player

LONGEST = 100_000  # maximum decisions of a game, after which the engine is assumed to loop
PLAYS = "plays"  # the weight of a lookahead player: number of futures per action

Winner = Callable[[Mapping[str, Any], int], int]  # a result and its seed -> its code; raises EngineError


@dataclass(frozen=True)
class LivePlayer:
    """The player of a seat: a policy of the engine or, with `looks_ahead`, the base policy of a lookahead."""

    policy: str
    looks_ahead: bool = False


def asked_of(player: "Player") -> tuple[str, dict[str, float]]:
    """Return the engine's policy that a player uses or is based on, and its weights."""
    weights = {name: value for name, value in player.weights.items() if name != PLAYS}
    return player.function.policy, weights


def looks_ahead(players: Sequence["Player"]) -> bool:
    return any(player.function.looks_ahead for player in players)


def play_game(
    process: EngineProcess,
    begin: Mapping[str, Any],
    players: Sequence["Player"],
    seed: int,
    winner_of: Winner,
) -> dict[str, Any]:
    """Return the result of one game. begin: the message that sets it up. Raises EngineError."""
    where = f"the game with seed {seed}"
    process.ask({**begin, "message": "begin", "seed": seed})
    position = _position(process, process.answer(where), where, len(players))
    for decision in range(1, LONGEST):
        if "result" in position:
            return {"seed": seed, **position["result"]}
        luck = seed_of(seed, decision)
        player, legal = players[position["seat"] - 1], position["legal"]
        if player.function.looks_ahead:
            action = (
                _best(process, position, player, len(players), luck, winner_of)
                if len(legal) > 1
                else legal[0]
            )
        else:
            policy, weights = asked_of(player)
            asked = {"state": position["state"], "policy": policy, "weights": weights, "seed": luck}
            process.ask({"message": "choose", **asked})
            action = process.answer(where).get("action")
            if action not in legal:
                process.fail(f"{where}: policy {policy} chooses {action!r}, which is not in legal")
        process.ask({"message": "apply", "state": position["state"], "action": action, "seed": luck})
        position = _position(process, process.answer(where), where, len(players))
    process.fail(f"{where}: no end within {LONGEST:,} decisions; the rules must end such a game as truncated")


def _position(process: EngineProcess, said: Mapping[str, Any], where: str, seats: int) -> dict[str, Any]:
    """Return a position after a check. Raises EngineError for an answer that is not a position."""
    result, legal, seat = said.get("result"), said.get("legal"), said.get("seat")
    if isinstance(result, dict) and "seed" not in result:
        return {"result": result}
    if "result" in said:
        process.fail(f"{where}: the result in a last position must be an object without seed")
    if type(seat) is not int or not 1 <= seat <= seats:
        process.fail(f"{where}: the seat of a position is {seat!r}; write the seat to move, 1 to {seats}")
    if not isinstance(legal, list) or not legal or "state" not in said:
        process.fail(f"{where}: a position must have state, seat and legal, a list of at least one action")
    return {"state": said["state"], "seat": seat, "legal": legal}


def _best(
    process: EngineProcess,
    position: Mapping[str, Any],
    player: "Player",
    seats: int,
    luck: int,
    winner_of: Winner,
) -> Any:
    """Return the action that wins most of its futures, the first one in a tie."""
    (policy, weights), seat, legal = asked_of(player), position["seat"], position["legal"]
    if len(legal) == 1:
        return legal[0]
    seeds = [seed_of(luck, number) for number in range(int(player.weights[PLAYS]))]
    asked = {
        "state": position["state"],
        "policies": [policy] * seats,
        "weights": [weights] * seats,
        "seeds": seeds,
    }
    best, most = None, -1.0
    for action in legal:
        process.ask({"message": "playout", **asked, "action": action})
        results = [process.answer(f"the future with seed {seed}") for seed in seeds]
        process.hold_done(len(seeds))
        codes = list(map(winner_of, results, seeds))
        won = sum(1.0 if code == seat - 1 else 0.5 if code == NOBODY else 0.0 for code in codes)
        if won > most:
            best, most = action, won
    return best
