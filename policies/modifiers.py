"""The modifiers of a policy as they are written on the command line:
`garrison:omit=escape+command,noise=0.2`, `greedy-after=10`.

What they do: `policies.restricted`.
"""

from collections.abc import Mapping, Sequence

from bartizan.policies.protocol import NONE, Policy
from bartizan.simcore.errors import PolicyError, did_you_mean
from bartizan.simcore.game import Game

OMIT, NOISE, AFTER = "omit", "noise", "-after"
WORDS = {
    "omit=KIND": "never chooses this kind of action (omit=A+B: neither of two)",
    "noise=0.2": "with this chance a random legal action",
    "POLICY-after=10": "from turn 10 on POLICY plays",
}


def is_modifier(key: str) -> bool:
    return key in (OMIT, NOISE) or key.endswith(AFTER)


def restricted(
    game: Game, policy: Policy, pairs: Sequence[tuple[str, str]], known: Mapping[str, Policy]
) -> Policy:
    """The policy with what `pairs` (key, value as text) asks for; `known`: the policies of the
    game, by name.
    """
    from bartizan.policies.restricted import restrict

    _refuse_twice(policy, [key for key, _ in pairs if key != OMIT])
    omitted = {
        kind: number for key, value in pairs if key == OMIT for kind, number in kinds_of(game, value).items()
    }
    noise = next((chance_of(value) for key, value in pairs if key == NOISE), None)
    later, after = next(
        (follower(game, policy, key, value, known) for key, value in pairs if key.endswith(AFTER)),
        (None, NONE),
    )
    return restrict(policy, omitted, noise, later, after)


def _refuse_twice(policy: Policy, keys: Sequence[str]) -> None:
    for key in set(keys):
        follows_another = key.endswith(AFTER) and any(k.endswith(AFTER) and k != key for k in keys)
        if keys.count(key) > 1 or follows_another:
            raise PolicyError(
                f"policy {policy.name}: {key} is given twice, or two policies are to follow: name one"
            )


def kinds_of(game: Game, text: str) -> dict[str, int]:
    """`escape+command` -> the kinds of action with their numbers."""
    acts = game.compiled.acts
    if not acts:
        raise PolicyError(
            f"omit={text}: {game.name} does not name its kinds of action (Engine.acts, see "
            "docs/adding-a-game.md)"
        )
    known = {_plain(name): (name, number) for name, number in acts.items()}
    kinds = {}
    for word in text.split("+"):
        plain = _plain(word)
        if plain not in known:
            near = did_you_mean(plain, known).removesuffix("?").rstrip()
            guess = f"{near}?" if near.startswith("; did") else ""
            raise PolicyError(
                f'omit={word}: {game.name} has no kind of action "{word}"{guess}; there is: {", ".join(acts)}'
            )
        name, number = known[plain]
        kinds[name] = number
    return kinds


def _plain(word: str) -> str:
    return word.strip().lower().replace("-", "_").replace(" ", "_")


def chance_of(text: str) -> float:
    try:
        chance = float(text)
    except ValueError:
        chance = -1.0
    if not 0 <= chance <= 1:
        raise PolicyError(f"noise={text}: give a chance from 0 to 1, such as noise=0.2")
    return chance


def is_kind(game: Game, word: str) -> bool:
    """Does a word name a kind of action?"""
    return _plain(word) in {_plain(name) for name in game.compiled.acts}


def follower(
    game: Game, policy: Policy, key: str, value: str, known: Mapping[str, Policy]
) -> tuple[Policy, int]:
    """`greedy-after=10` -> the policy and the turn."""
    name = key.removesuffix(AFTER)
    if name not in known:
        raise PolicyError(f'{key}={value}: no policy "{name}" for {game.name}{did_you_mean(name, known)}')
    if not value.isdecimal():
        raise PolicyError(f"{key}={value}: give the turn from which {name} plays, such as {key}=10")
    if known[name].roles and not set(policy.roles or game.roles) <= set(known[name].roles):
        raise PolicyError(
            f"{key}={value}: {name} plays {', '.join(known[name].roles)}, and {policy.name} "
            f"{', '.join(policy.roles or game.roles)}"
        )
    engine = game.compiled
    if engine.turn_number is None and "turn" not in engine.state_dtype.names:
        raise PolicyError(f"{key}={value}: {game.name} does not say which turn it is (Engine.turn_number)")
    return known[name], int(value)
