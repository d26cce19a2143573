"""What dealing anew must keep and what it may change: shared by the tests of `Engine.shuffle_unseen`."""

from collections.abc import Iterator
from functools import cache

import numpy as np

from bartizan.policies.registry import find_player
from bartizan.simcore import rng
from bartizan.simcore.arrays import Record, as_records
from bartizan.simcore.compile.loops import new_row, new_states
from bartizan.simcore.compile.rules import PLAYING
from bartizan.simcore.game import Game, load_game
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.replay import set_up
from bartizan.simcore.scenario.loading import load_scenario

PILES = {  # pile -> (where its unseen part begins, where it ends)
    "itter": {"deck": ("deck_next", "deck_size"), "stack": ("stack_next", "stack_size")},
    "colditz": {
        "deck": ("deck_next", "deck_size"),
        "order_deck": ("order_next", "order_size"),
        "stakes": ("stakes_next", "stakes_size"),
    },
    "castle": {"deck": ("deck_next", "deck_size")},
    "rampage": {"pile": ("pile_next", "pile_size")},
}
SCRATCH = {"scratch", "luck", "luck_key"}


def match_of(
    name: str,
    policies: tuple[str, ...],
    difficulty: str | None = None,
    scenario: str | None = None,
    seed: int = 1,
    sets: dict | None = None,
) -> Match:
    game: Game = load_game(name)
    return Match(
        game,
        load_scenario(game, scenario, difficulty, sets or {}),
        tuple(find_player(game, policy) for policy in policies),
        seed,
    )


@cache
def tables_of(match: Match) -> Record:
    """Built once: they cost more than a decision."""
    return match.tables()


def moments(match: Match, number: int, renew: bool = False) -> Iterator[np.ndarray]:
    """The states (arrays of length 1, in use) of one game at each decision, and at its end. `renew`: each with fresh luck and unseen piles dealt anew."""
    engine, tables = match.engine, tables_of(match)
    states = new_states(engine)
    state = set_up(engine, states, tables, match.seed, number)
    legal = np.zeros(engine.max_legal, np.int32)
    weights = [new_row(engine, player.weights.values()) for player in match.at_all_seats()]
    while state.end_reason == PLAYING:
        if renew:
            rng.fresh_luck(state, 0)
            engine.shuffle_unseen(state, tables)
        yield states
        n = engine.legal_actions(state, tables, legal)
        rng.next_policy_luck(state)
        mover = int(state.to_move)
        action = match.at_all_seats()[mover].function(state, tables, legal, n, weights[mover])
        engine.apply(state, tables, np.int32(action))  # as in a loop: for another type it would be compiled again
    yield states


def dealt_anew(match: Match, states: np.ndarray, branch: int) -> np.ndarray:
    other = states.copy()
    state = as_records(other)[0]
    rng.fresh_luck(state, branch)
    match.engine.shuffle_unseen(state, tables_of(match))
    return other


def unseen(match: Match, states: np.ndarray) -> dict[str, np.ndarray]:
    """pile -> its cards that nobody has seen, next first."""
    row = states[0]
    return {pile: row[pile][row[first] : row[end]] for pile, (first, end) in PILES[match.game.name].items()}


def row_of(match: Match, states: np.ndarray) -> np.ndarray:
    rows = np.zeros(1, match.engine.record_dtype)
    match.engine.write_record(as_records(states)[0], tables_of(match), as_records(rows)[0])
    return rows
