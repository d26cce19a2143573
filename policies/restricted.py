"""Restricted play: any policy without some of its choices.

Source: Jaffe et al. 2012, "Evaluating Competitive Game Balance with Restricted Play".

One function, wrapped around the policy's own function, implements all modifiers. The modifiers are numbers
after the policy's weights, so the function is compiled once per policy, and the weights of a player in a
manifest show its restrictions.

Modifiers:

omit=escape      a kind of action that is never chosen
noise=0.2        a random legal action with this probability
greedy-after=10  another policy of the game plays from turn 10, with the same restrictions
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import ClassVar

from bartizan.policies.protocol import NONE, Policy
from bartizan.simcore.compile.jit import bind, compiled, jit
from bartizan.simcore.documentation import page
from bartizan.simcore.errors import PolicyError, did_you_mean
from bartizan.simcore.game import Game
from bartizan.simcore.numerals import numeral
from bartizan.simcore.play.match import Match
from bartizan.simcore.rng import policy_below

# indices of the modifiers after the policy's own weights; the omitted kinds and the weights of the later
# policy follow
CHANCE, AFTER, COUNT = range(3)
MODIFIERS = 3
INSISTS = -1.0  # in place of a probability of noise: the policy's choice is returned even if it is omitted
NOISE_DRAW, OTHER_DRAW = 1 << 40, 1 + (1 << 40)  # draws that no policy uses
WHOLE = 1 << 31
# bound: number of the policy's own weights, number of arguments of a kind of action, words of the policy's
# memory
FIRST, ARGUMENTS, KEPT = (0, 1, 0)


def base(state, tables, legal, n_legal, weights):
    """Placeholder for the restricted policy.

    `bind` replaces it, and also `later`, the policy from turn `after` on.
    """
    raise NotImplementedError


later = base


def turn_number(state):
    """Return the turn of a state. `bind` replaces this function."""
    return state.turn


def no_turn(state):
    return 0


def choose(state, tables, legal, n_legal, weights):
    """Return the policy's choice among the allowed actions. Reorders `legal`: allowed actions come first.

    With the probability of noise, it is a random allowed action. If a policy still chooses an omitted action
    (because it reads the state, not the list), a random allowed action replaces it, except in a match of
    `insisting`. If every legal action is omitted, all are allowed.
    """
    n = allowed_first(legal, n_legal, weights, FIRST, ARGUMENTS)
    if policy_below(state, NOISE_DRAW, WHOLE) < weights[FIRST + CHANCE] * WHOLE:
        # draws as `random` does: with noise=1, both play the same game
        return legal[policy_below(state, 0, n)]
    if 0 <= weights[FIRST + AFTER] <= turn_number(state):
        behind = FIRST + MODIFIERS + int(weights[FIRST + COUNT])
        action = later(state, tables, legal, n, weights[behind : len(weights) - KEPT])
    else:
        action = base(state, tables, legal, n, weights)
    is_replaced = n < n_legal and weights[FIRST + CHANCE] != INSISTS
    if is_replaced and is_omitted(action // ARGUMENTS, weights, FIRST):
        return legal[policy_below(state, OTHER_DRAW, n)]
    return action


@jit
def allowed_first(legal, n_legal, weights, first, arguments):
    """Move the allowed actions to the front of `legal`, in place.

    The order within both parts does not change.

    Returns the number of allowed actions, or the number of all actions if none is allowed.
    """
    allowed = 0
    for i in range(n_legal if weights[first + COUNT] > 0 else 0):
        action = legal[i]
        if is_omitted(action // arguments, weights, first):
            continue
        for j in range(i, allowed, -1):
            legal[j] = legal[j - 1]
        legal[allowed] = action
        allowed += 1
    return allowed if allowed > 0 else n_legal


@jit
def is_omitted(kind, weights, first):
    for i in range(int(weights[first + COUNT])):
        if weights[first + MODIFIERS + i] == kind:
            return True
    return False


@dataclass(frozen=True, eq=False)
class Restricted(Policy):
    """A policy with modifiers, created by `restrict`."""

    base: Policy = field(kw_only=True)
    omitted: tuple[str, ...] = ()  # kinds of action
    reserved: ClassVar[frozenset[str]] = frozenset()  # its modifiers are weights
    later: Policy | None = None

    def compiled_for(self, engine):
        then = self.later or self.base
        sizes = (len(self.base.weights), self.base.room)
        return compiled_restricted(self.base.compiled_for(engine), then.compiled_for(engine), sizes, engine)

    @property
    def room(self) -> int:
        return self.base.room + (self.later.room if self.later else 0)

    @property
    def source(self) -> Path:
        return self.base.source

    def decided_by(self) -> tuple[Callable, ...]:
        return (*self.base.decided_by(), *(self.later.decided_by() if self.later else ()))

    def lacks(self, other: Policy) -> tuple[str, ...]:
        """Return the kinds of action that `other` may choose and this policy may not.

        Returns () if they differ in anything else.
        """
        theirs = other if isinstance(other, Restricted) else restrict(other, {})
        kinds = tuple(kind for kind in self.omitted if kind not in theirs.omitted)
        followers = [policy.later and policy.later.name for policy in (self, theirs)]
        is_same = self.base.choose is theirs.base.choose and followers[0] == followers[1]
        is_less = set(theirs.omitted) <= set(self.omitted) and self._others() == theirs._others()
        return kinds if is_same and is_less else ()

    def _others(self) -> dict[str, float]:
        """Return all weights except those that omit kinds of action."""
        return {key: w for key, w in self.weights.items() if key != "omitted" and not key.startswith("omit ")}


def restrict(
    policy: Policy,
    omitted: dict[str, int],
    noise: float | None = None,
    later: Policy | None = None,
    after: int = NONE,
) -> Restricted:
    """Return a policy with modifiers.

    omitted: kinds of action (name -> number) that it never chooses. noise: probability of a random action.
    later: policy that replaces it from turn `after` on.
    """
    modifiers = {
        "noise": noise or 0.0,
        "after": float(after),
        "omitted": float(len(omitted)),
        **{f"omit {name}": float(kind) for name, kind in omitted.items()},
    }
    behind = {f"{later.name} {name}": value for name, value in later.weights.items()} if later else {}
    words = [f"omit={'+'.join(omitted)}"] if omitted else []
    words += [f"noise={noise:.15g}"] if noise is not None else []
    words += [f"{later.name}-after={after}"] if later else []
    name = f"{policy.name}:{','.join(words)}" if words else policy.name
    about = f"{policy.about}; restricted: {', '.join(words)}" if words else policy.about
    return Restricted(
        name,
        policy.choose,
        about,
        {**policy.weights, **modifiers, **behind},
        policy.roles,
        policy.aim,
        omitted=tuple(omitted),
        later=later,
        base=policy,
    )


def insisting(match: Match) -> Match:
    """Return a match of restricted players whose omitted choices are not replaced."""
    players = (
        replace(one, weights={**one.weights, "noise": INSISTS}) if "omitted" in one.weights else one
        for one in match.players
    )
    return replace(match, players=tuple(players))


@cache
def compiled_restricted(plain: Callable, then: Callable, sizes: tuple[int, int], engine):
    """Compile `choose` for two policies of one game.

    sizes: number of weights of the first policy, and words of its memory.

    The tag of the function identifies the policies, because numba's cache on disk finds a function only by
    its name.
    """
    from bartizan.simcore.compile.loops import called_policy, code_tag, engine_tag, policy_signature

    clock = engine.turn_number or jit(turn_number if "turn" in engine.state_dtype.names else no_turn)
    names = {
        "base": called_policy(plain, engine),
        "later": called_policy(then, engine),
        "turn_number": clock,
        "FIRST": sizes[0],
        "ARGUMENTS": engine.arguments,
        "KEPT": sizes[1],
    }
    which = f"{sizes[0]}_{sizes[1]}_{engine.arguments}"
    tag = f"{code_tag((plain, then, clock))}_{engine_tag(engine)}_{which}"
    return compiled(bind(choose, tag, **names), policy_signature(engine))


# ---------------------------------------------------------------- modifiers as text

# The modifiers of a policy as written on the command line: `garrison:omit=escape+command,noise=0.2`,
# `greedy-after=10`.


OMIT, NOISE, AND_THEN = "omit", "noise", "-after"
WORDS = {
    "omit=KIND": "never chooses this kind of action (omit=A+B omits both)",
    "noise=0.2": "probability of a random legal action at each decision",
    "POLICY-after=10": "POLICY plays from turn 10",
}


def is_modifier(key: str) -> bool:
    return key in (OMIT, NOISE) or key.endswith(AND_THEN)


def restricted(
    game: Game, policy: Policy, pairs: Sequence[tuple[str, str]], known: Mapping[str, Policy]
) -> Policy:
    """Return the policy with the modifiers `pairs` (key, value as text).

    known: the game's policies by name.
    """
    _refuse_twice(policy, [key for key, _ in pairs if key != OMIT])
    omitted = {
        kind: number for key, value in pairs if key == OMIT for kind, number in kinds_of(game, value).items()
    }
    noise = next((chance_of(value) for key, value in pairs if key == NOISE), None)
    later, after = next(
        (follower(game, policy, key, value, known) for key, value in pairs if key.endswith(AND_THEN)),
        (None, NONE),
    )
    return restrict(policy, omitted, noise, later, after)


def _refuse_twice(policy: Policy, keys: Sequence[str]) -> None:
    for key in set(keys):
        follows_another = key.endswith(AND_THEN) and any(k.endswith(AND_THEN) and k != key for k in keys)
        if keys.count(key) > 1 or follows_another:
            raise PolicyError(
                f"policy {policy.name}: {key} is given twice, or two modifiers name a later policy; give one"
            )


def kinds_of(game: Game, text: str, key: str = OMIT) -> dict[str, int]:
    """Map each kind of action in a text such as `escape+command` to its number.

    Raises PolicyError for an unknown kind, or if the game has no names for them.
    """
    acts = game.compiled.acts
    if not acts:
        raise PolicyError(
            f"{key}={text}: {game.name} has no names for its kinds of action (Engine.acts, see "
            f"{page('adding-a-game')})"
        )
    known = {_plain(name): (name, number) for name, number in acts.items()}
    kinds = {}
    for word in text.split("+"):
        plain = _plain(word)
        if plain not in known:
            near = did_you_mean(plain, known).removesuffix("?").rstrip()
            guess = f"{near}?" if near.startswith("; did") else ""
            raise PolicyError(
                f'{key}={word}: {game.name} has no kind of action "{word}"{guess}; choose from: '
                f"{', '.join(acts)}"
            )
        name, number = known[plain]
        kinds[name] = number
    return kinds


def _plain(word: str) -> str:
    return word.strip().lower().replace("-", "_").replace(" ", "_")


def chance_of(text: str) -> float:
    try:
        chance = float(numeral(text))
    except ValueError:
        chance = -1.0
    if not 0 <= chance <= 1:
        raise PolicyError(f"noise={text}: write a probability from 0 to 1, such as noise=0.2")
    return chance


def is_kind(game: Game, word: str) -> bool:
    return _plain(word) in {_plain(name) for name in game.compiled.acts}


def follower(
    game: Game, policy: Policy, key: str, value: str, known: Mapping[str, Policy]
) -> tuple[Policy, int]:
    """Return the policy and the turn in a modifier such as `greedy-after=10`.

    Raises PolicyError if it is invalid.
    """
    name = key.removesuffix(AND_THEN)
    if name not in known:
        raise PolicyError(f'{key}={value}: no policy "{name}" for {game.name}{did_you_mean(name, known)}')
    if not value.isdecimal():
        raise PolicyError(f"{key}={value}: write the turn from which {name} plays, such as {key}=10")
    if known[name].roles and not set(policy.roles or game.roles) <= set(known[name].roles):
        raise PolicyError(
            f"{key}={value}: {name} plays only the role {', '.join(known[name].roles)}, but {policy.name} "
            f"plays {', '.join(policy.roles or game.roles)}; choose a policy for the same role"
        )
    engine = game.compiled
    if engine.turn_number is None and "turn" not in engine.state_dtype.names:
        raise PolicyError(
            f"{key}={value}: {game.name} does not define the turn number; define Engine.turn_number"
        )
    return known[name], int(value)
