"""Policies by name: a game's own, `random`, and any Python file named on the command line."""

from functools import cache
from pathlib import Path

from policies.protocol import Policy
from simcore.errors import PolicyError, did_you_mean
from simcore.game import Game, load_module

ENTRY_POINTS = "bartizan.policies"  # group bartizan.policies.<game>: entry points that load a Policy


@cache
def policies_of(game: Game) -> dict[str, Policy]:
    """Every policy that can play this game, by name: `random` first."""
    from importlib.metadata import entry_points

    from policies.random_legal import RANDOM

    found = [RANDOM, *game.policies(), *(point.load() for point in entry_points(group=f"{ENTRY_POINTS}.{game.name}"))]
    return {policy.name: policy for policy in found}


def find_policy(game: Game, text: str) -> Policy:
    """`garrison`, `garrison:token_reserve=8,shoot_near=2`, `my_policy.py`, `my_policy.py:name`, each with weights after a further colon."""
    name, changes = split_weights(text)
    if ".py" in name:
        path, _, wanted = name.partition(".py")
        policy = policy_from_file(Path(f"{path}.py"), wanted.lstrip(":"))
    else:
        known = policies_of(game)
        if name not in known:
            raise PolicyError(f'no policy "{name}" for {game.name}{did_you_mean(name, known)} (a policy of your own: give the path of its .py file)')
        policy = known[name]
    return policy.with_weights(changes) if changes else policy


def split_weights(text: str) -> tuple[str, dict[str, float]]:
    """Cut `name:weight=1.5,other=2` into the name and {weight: value}."""
    name, colon, tail = text.rpartition(":")
    if not colon or "=" not in tail:
        return text, {}
    changes = {}
    for part in tail.split(","):
        key, _, value = part.partition("=")
        try:
            changes[key.strip()] = float(value)
        except ValueError:
            raise PolicyError(f'policy "{text}": weight {key.strip()} = "{value}" is not a number') from None
    return name, changes


def policy_from_file(path: Path, name: str = "") -> Policy:
    """The Policy defined in a file; `name` picks one when there are several."""
    module = load_module(path, "policy")
    found = {value.name: value for value in vars(module).values() if isinstance(value, Policy)}
    if not found:
        raise PolicyError(f"{path}: defines no Policy (see docs/adding-a-policy.md)")
    if not name and len(found) > 1:
        raise PolicyError(f"{path}: defines {', '.join(found)}; say which: {path}:{next(iter(found))}")
    if name and name not in found:
        raise PolicyError(f'{path}: no policy "{name}"{did_you_mean(name, found)}')
    return found[name] if name else next(iter(found.values()))
