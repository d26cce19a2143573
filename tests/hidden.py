"""Does a policy look at what its seat may not see? Hidden things are dealt anew, and the choice has to stay."""

from collections.abc import Callable, Iterator

import numpy as np

from bartizan.policies.registry import find_player, policies_of
from bartizan.policies.weights_file import shipped
from bartizan.simcore.compile.loops import new_row
from bartizan.simcore.game import Game
from bartizan.simcore.rng import POLICY, next_policy_luck
from tests.table import RandomGame


def deciders(game: Game) -> list[str]:
    """The policies that decide by what they see alone, and each with the weights that come with it: some judgements are made by these alone. newcomer decides by chance, over futures that it imagines: tests/unit/test_newcomer.py compares distributions."""
    return [
        name
        for policy in policies_of(game).values()
        if policy.name != "newcomer"
        for name in (policy.name, *(f"{policy.name}@{weights}" for weights in shipped(policy)))
    ]


def decisions(game: Game, name: str, position: RandomGame, steps: int) -> Iterator[tuple[list[int], int, Callable]]:
    """(legal actions, what the policy chooses, how it chooses) at the decisions of a policy; it plays half of them itself, the rest is random."""
    player = find_player(game, name)
    weights = new_row(game.compiled, player.weights.values())

    def decide(position: RandomGame, legal: list[int]) -> int:
        return player.function(position.state, position.tables, np.array(legal, np.int32), len(legal), weights)

    for _ in range(steps):
        if position.state.end_reason:
            return
        legal = position.legal()
        next_policy_luck(position.state)
        action = position.random_action(legal)
        if not player.roles or game.roles[position.state.to_move] in player.roles:
            before = position.states.tobytes()
            own = decide(position, legal)
            assert own in legal and position.states.tobytes() == before
            yield legal, own, decide
            action = own if position.choose.random() < 0.5 else action
        position.apply(action)


def acts_without_looking(
    game: Game, name: str, position: RandomGame, steps: int, deal_anew: Callable, listed=lambda position, legal: legal
) -> set[int]:
    """Plays a game and holds that the policy does not look; the kinds of actions it chose. `listed`: the legal actions less those that name hidden things."""
    acts = set()
    for legal, action, decide in decisions(game, name, position, steps):
        acts.add(action // position.arguments)
        other = deal_anew(position)
        assert other.engine.check(other.state, other.tables) == ""
        assert listed(other, other.legal()) == listed(position, legal)
        assert decide(other, legal) == action, (
            f"{name} has looked at something hidden: action {action}, stage {position.state.stage}"
        )
    return acts


def forget(state, choose) -> None:
    """What was logged and all luck to come are hidden, but for the policies' own. Modifies `state`."""
    state.n_events = 0
    state.events[:] = 0
    policy_luck = state.luck[POLICY]
    state.luck[:] = choose.integers(0, 2**63, len(state.luck), np.uint64)
    state.luck_key = choose.integers(0, 2**63, dtype=np.uint64)
    state.luck[POLICY] = policy_luck
