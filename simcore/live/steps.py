"""Games of a live engine step by step, and their futures, which the engine plays to the end.

A lookahead policy (flat Monte Carlo) tries each legal action in the same futures, with the base policy in all
seats, and chooses the action with the highest share of wins (a draw counts half). Rollouts
(`simcore.play.rollouts`) continue the game from each turn.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bartizan.simcore.compile.rules import NOBODY
from bartizan.simcore.live.process import EngineProcess
from bartizan.simcore.live.seeds import MASK, seed_of

if TYPE_CHECKING:
    from bartizan.simcore.play.match import Player

LONGEST = 100_000  # maximum decisions of a game, after which the engine is assumed to loop
PLAYS = "plays"  # the weight of a lookahead player: number of futures per action

Winner = Callable[[Mapping[str, Any], int], int]  # a result and its seed -> its code; raises EngineError
Look = Callable[
    [Mapping[str, Any], int], None
]  # sees the first position of a turn, and the seed of its futures


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
    at_turn: Look | None = None,
) -> dict[str, Any]:
    """Return the result of one game.

    begin: the message that sets it up. at_turn: function called at the start of every turn; positions must
    then contain the turn. Raises EngineError.
    """
    where = f"the game with seed {seed}"
    process.ask({**begin, "message": "begin", "seed": seed})
    position, turn = _position(process, process.answer(where), where, len(players)), -1
    for decision in range(1, LONGEST):
        if "result" in position:
            result = position["result"]
            turns = result.get("turns")
            if isinstance(turns, int) and turn > turns:
                process.fail(
                    f"{where}: turn {turn} has begun, but the result has turns = {turns}; count both alike"
                )
            return {"seed": seed, **result}
        luck = seed_of(seed, decision)
        if at_turn:
            turn, before = _turn_of(process, position, turn, where), turn
            if turn > before:
                at_turn(position, luck)
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
                process.fail(
                    f"{where}: policy {policy} chooses {action!r}, which is not in legal; choose an action "
                    "of that list"
                )
        # differs from the random numbers of the choice and of all futures
        chance = seed_of(luck, MASK)
        process.ask({"message": "apply", "state": position["state"], "action": action, "seed": chance})
        position = _position(process, process.answer(where), where, len(players))
    process.fail(f"{where}: no end within {LONGEST:,} decisions; the rules must end such a game as truncated")


def _position(process: EngineProcess, said: Mapping[str, Any], where: str, seats: int) -> dict[str, Any]:
    """Check an answer, and return its position or its final result.

    Raises EngineError for any other answer.
    """
    result, legal, seat = said.get("result"), said.get("legal"), said.get("seat")
    if isinstance(result, dict) and "seed" not in result:
        return {"result": result}
    if "result" in said:
        process.fail(f"{where}: the result in the last position must be an object without a seed")
    if type(seat) is not int or not 1 <= seat <= seats:
        process.fail(f"{where}: the seat of a position is {seat!r}; write the seat to move, 1 to {seats}")
    if not isinstance(legal, list) or not legal or "state" not in said:
        process.fail(f"{where}: a position must have state, seat, and legal (a list of at least one action)")
    return {"state": said["state"], "seat": seat, "legal": legal, "turn": said.get("turn")}


def _turn_of(process: EngineProcess, position: Mapping[str, Any], before: int, where: str) -> int:
    """Return the turn of a position.

    before: the turn of the previous position. Raises EngineError if the turn is not an integer, or is lower
    than before.
    """
    turn = position["turn"]
    if type(turn) is not int or turn < max(before, 0):
        process.fail(
            f"{where}: the turn of a position is {turn!r}; write the number of the turn, counted as in turns "
            "of the result, in each position"
        )
    return turn


def futures(
    process: EngineProcess,
    position: Mapping[str, Any],
    asked: Mapping[str, Any],
    seeds: Sequence[int],
    winner_of: Winner,
) -> list[int]:
    """Return the winners of the position's futures, one per seed.

    asked: the policies, their weights and, unless the policies choose it, the action. Raises EngineError.
    """
    process.ask({"message": "playout", "state": position["state"], **asked, "seeds": seeds})
    results = [process.answer(f"the future with seed {seed}") for seed in seeds]
    process.check_done(len(seeds))
    return list(map(winner_of, results, seeds))


def _best(
    process: EngineProcess,
    position: Mapping[str, Any],
    player: "Player",
    seats: int,
    luck: int,
    winner_of: Winner,
) -> Any:
    """Return the action with the highest score over its futures (win 1, draw 0.5); the first one in a tie."""
    (policy, weights), seat, legal = asked_of(player), position["seat"], position["legal"]
    seeds = [seed_of(luck, number) for number in range(int(player.weights[PLAYS]))]
    asked = {"policies": [policy] * seats, "weights": [weights] * seats}
    best, most = None, -1.0
    for action in legal:
        codes = futures(process, position, {**asked, "action": action}, seeds, winner_of)
        won = sum(1.0 if code == seat - 1 else 0.5 if code == NOBODY else 0.0 for code in codes)
        if won > most:
            best, most = action, won
    return best
