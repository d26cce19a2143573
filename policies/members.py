"""Several policies for one seat that is a side of several players: `allied=escape_officer+greedy`.

Each member of the side has its own policy. The last policy listed also plays all remaining members. The game
defines which member decides (`Engine.member`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np

from bartizan.policies.protocol import Policy
from bartizan.simcore.compile.jit import bind, compiled
from bartizan.simcore.errors import PolicyError
from bartizan.simcore.game import Game
from bartizan.simcore.scenario.loading import Scenario
from bartizan.simcore.scenario.parameters import get

MOST = 5  # maximum number of distinct policies
# bound: policy of each member; start of each policy's weights; words of memory of the policies after it
WHO, FIRST, BEHIND = (0,), (0,) * MOST, (0,) * MOST


def member(state):
    """Placeholder for the function that returns the deciding member of the side, which `bind` replaces."""
    raise NotImplementedError


def one(state, tables, legal, n_legal, weights):
    """Placeholder for the first policy. `bind` replaces it, and also the other policies."""
    raise NotImplementedError


two = three = four = five = one


def choose(state, tables, legal, n_legal, weights):
    which = WHO[min(member(state), len(WHO) - 1)]
    own = weights[FIRST[which] : len(weights) - BEHIND[which]]
    if which == 0:
        return one(state, tables, legal, n_legal, own)
    if which == 1:
        return two(state, tables, legal, n_legal, own)
    if which == 2:
        return three(state, tables, legal, n_legal, own)
    if which == 3:
        return four(state, tables, legal, n_legal, own)
    return five(state, tables, legal, n_legal, own)


@dataclass(frozen=True, eq=False)
class Members(Policy):
    """Policies of the members of a side, created by `of_members`."""

    bases: tuple[Policy, ...] = field(kw_only=True)  # distinct policies
    who: tuple[int, ...] = field(kw_only=True)  # index of the policy of each member

    @property
    def room(self) -> int:
        return sum(base.room for base in self.bases)

    @property
    def source(self) -> Path:
        return self.bases[0].source

    def decided_by(self) -> tuple[Callable, ...]:
        first, *others = (function for base in self.bases for function in base.decided_by())
        return (first, choose, *others)

    def learn(self, game: Game, scenario: Scenario, seat: int) -> np.ndarray:
        """Return an empty array. Raises PolicyError if there are more policies than members."""
        players = get(scenario.data, game.players_path) if game.players_path else 1
        if len(self.who) > players:
            raise PolicyError(
                f"policy {self.name}: names {len(self.who)} policies, but {players} players play "
                f"{game.roles[seat]}; give at most one policy per player (the last one plays all others)"
            )
        return np.zeros(0)

    def compiled_for(self, engine):
        functions = tuple(base.compiled_for(engine) for base in self.bases)
        weights, rooms = [len(base.weights) for base in self.bases], [base.room for base in self.bases]
        return compiled_members(functions, self.who, _before(weights), _before(rooms), engine)


def _before(sizes: Sequence[int]) -> tuple[int, ...]:
    """Return the sum of the sizes before each of MOST parts; 0 for missing parts."""
    return tuple(sum(sizes[:i]) if i < len(sizes) else 0 for i in range(MOST))


def of_members(game: Game, texts: Sequence[str], named: Sequence[Policy]) -> Members:
    """Return one policy for a side of several players.

    texts: the policies as the user wrote them. named: the same policies.

    Raises PolicyError if the seat is one player, or the policies cannot be combined (`refuse_odd`) or have no
    role in common.
    """
    name = "+".join(texts)
    if game.compiled.member is None:
        raise PolicyError(f'policy "{name}": a seat is one player in {game.name}; give one policy for it')
    names = list(dict.fromkeys(texts))
    bases = tuple(named[texts.index(text)] for text in names)
    refuse_odd(name, bases)
    roles = tuple(role for role in game.roles if all(not base.roles or role in base.roles for base in bases))
    if not roles:
        raise PolicyError(
            f'policy "{name}": the policies have no role in common; choose policies that play the same role'
        )
    return Members(
        "+".join(policy.name for policy in named),
        bases[0].choose,
        "one policy for each player in turn order, the last one for the rest",
        {f"{i} {key}": value for i, base in enumerate(bases, 1) for key, value in base.weights.items()},
        roles,
        bases[0].aim,
        bases=bases,
        who=tuple(names.index(text) for text in texts),
    )


def refuse_odd(name: str, bases: Sequence[Policy]) -> None:
    """Raise PolicyError for policies that cannot be combined.

    These are too many policies, a policy for a side of several players, and a policy that learns before the
    first game, such as lookahead.
    """
    if len(bases) > MOST:
        raise PolicyError(
            f'policy "{name}": {len(bases)} different policies for one side; give at most {MOST}'
        )
    for base in bases:
        if base.learns or isinstance(base, Members):
            raise PolicyError(
                f'policy "{name}": {base.name} cannot be one of several players of a '
                "side; choose another policy"
            )


@cache
def compiled_members(functions: tuple[Callable, ...], who: tuple, first: tuple, behind: tuple, engine):
    """Compile `choose` for these policies of one game. Its tag identifies the policies and their members."""
    from bartizan.simcore.compile.loops import called_policy, code_tag, engine_tag, policy_signature

    called = [called_policy(function, engine) for function in functions]
    called += called[:1] * (MOST - len(called))
    names = dict(zip(("one", "two", "three", "four", "five"), called, strict=True))
    seated = "_".join(map(str, (*who, *first, *behind)))
    tag = f"{code_tag((*functions, engine.member))}_{engine_tag(engine)}_{seated}"
    bound = bind(choose, tag, member=engine.member, WHO=who, FIRST=first, BEHIND=behind, **names)
    return compiled(bound, policy_signature(engine))
