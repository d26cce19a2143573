"""Learned policies: `learned@my_game.learned`, a file that `bartizan train --learn` writes.

The file identifies the game for which the policy was trained. It contains the policy's evaluation in training
and its network in integers: 8-bit weights, with a power of two for each part. The policy chooses by integer
arithmetic, so its games are the same on every machine. It takes the action of highest value or, if it was
trained for mixed strategies, draws an action by its probability; in a small game, the probabilities are in a
table instead of a network. If the components of the game differ from the components in training, the file is
rejected, and the message contains the first difference.
"""

import base64
import copy
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from bartizan.policies.futures import check_can_determinize, maker
from bartizan.policies.protocol import Policy
from bartizan.policies.trial import note_once
from bartizan.simcore.compile.copies import copy_state
from bartizan.simcore.compile.jit import bind, compiled, jit
from bartizan.simcore.compile.loops import (
    bound,
    called_policy,
    code_tag,
    compiled_rules,
    engine_tag,
    policy_signature,
)
from bartizan.simcore.compile.rules import NO_ACTION, new_scratch, new_trials
from bartizan.simcore.errors import PolicyError, UsageError, unreadable
from bartizan.simcore.game import Game
from bartizan.simcore.learning.balancing import MixedTable, key_of, parts_of
from bartizan.simcore.learning.layout import Layout, layout_of
from bartizan.simcore.learning.network import WholeNet, whole_chances, whole_worths
from bartizan.simcore.learning.observing import (
    HIDDEN,
    PARTS,
    STEPS,
    Coding,
    legal_inputs,
    observe,
    sight_of,
    state_inputs,
)
from bartizan.simcore.learning.self_play import ACTION_DRAW, index_at
from bartizan.simcore.play.match import Player
from bartizan.simcore.rng import policy_below
from bartizan.simcore.scenario.loading import Scenario
from bartizan.simcore.scenario.parameters import get

NAME, SUFFIX, FORMAT = "learned", ".learned", "bartizan.learned/1"
MODEL = "model"  # the weight that identifies the network: 12 hex digits of its digest as a number
AT, CODING, NET = None, None, None  # bound: the layout, the coding and the network of a player
IS_MIXED = False  # bound: actions are drawn by their probabilities
IS_ADVISED = False  # bound: the choice of another policy is an input


def choose(state, tables, legal, n_legal, weights):
    if n_legal == 1:
        return legal[0]
    parts = np.zeros(n_legal, np.int64)
    n = weigh(state, tables, legal, n_legal, weights, parts)
    if IS_MIXED:
        return legal[index_at(policy_below(state, ACTION_DRAW, parts[:n].sum()), parts, n)]
    return legal[parts[:n].argmax()]


def weigh(state, tables, legal, n_legal, weights, parts):
    """Write the network's value of each action (or its probability, if actions are drawn) to `parts`.

    Return the number of actions.
    """
    advice = np.int32(NO_ACTION)
    if IS_ADVISED:
        advice = adviser(state, tables, legal, n_legal, weights)
    states, sight = looked(state, tables, legal, AT, CODING)
    n = state_inputs(sight)
    n_legal = legal_inputs(states, tables, sight, legal, n_legal, advice)
    whole_worths(NET, sight, n, n_legal, parts)
    if IS_MIXED:
        whole_chances(parts, n_legal)
    return n_legal


def adviser(state, tables, legal, n_legal, weights):
    """Placeholder for the policy from which the training started, which `bind` replaces."""
    return legal[0]


def weigh_by_table(state, tables, legal, n_legal, weights, parts):
    """Write the probability of each action in the table to `parts`. Return the number of actions."""
    _, sight = looked(state, tables, legal, AT, CODING)
    parts_of(NET, key_of(sight, legal, n_legal), n_legal, parts)
    return n_legal


def looked(state, tables, legal, at, coding):
    """Return working space, with a copy of the state first, and the observation of the player to move."""
    states, rules = new_trials(), new_scratch()
    copy_state(states[0], state)
    rules[0] = tables
    sight = sight_of(at, coding, rules.view(np.int64), len(legal))
    observe(states, 0, tables, sight, state.me, sight.numbers, sight.all)
    return states, sight


@dataclass(frozen=True)
class Model:
    """The encoding of a game as inputs, and the network, or the table of a mixed strategy."""

    coding: Coding = field(compare=False)
    net: WholeNet | MixedTable = field(compare=False)
    digest: str = field(init=False)  # 24 hex digits

    def __post_init__(self) -> None:
        data = b"".join(array.tobytes() for array in self.arrays.values())
        object.__setattr__(self, "digest", hashlib.sha256(data).hexdigest()[:24])

    @property
    def arrays(self) -> dict[str, np.ndarray]:
        return {**self.coding._asdict(), **self.net._asdict()}


@dataclass(frozen=True, eq=False)
class Learned(Policy):
    """A learned player, created by `of_model`."""

    model: Model = field(kw_only=True)
    layout: Layout = field(kw_only=True)
    facts: Mapping[str, Any] | None = field(default=None, kw_only=True)  # content of its file, if it has one
    is_mixed: bool = field(default=False, kw_only=True)  # it draws its actions by their probabilities
    base: Player | None = field(default=None, kw_only=True)  # the policy whose choice is an input

    def with_weights(self, changes: dict[str, float]) -> "Learned":
        for name in changes:
            raise PolicyError(
                f"policy {self.name}: no weight {name}, because a learned policy has no weights to set"
            )
        return self

    def learn(self, game: Game, scenario: Scenario, seat: int) -> np.ndarray:
        """Return an empty array. Show a note if the rules differ from the rules in training."""
        if self.facts and (stale := other_rules(self.facts, game, scenario)):
            note_once(f"{self.name}: {stale}; it may play worse than a policy trained under these rules")
        return np.zeros(0)

    def compiled_for(self, engine):
        check_can_determinize(self.name, engine)
        base = self.base.compiled_for(engine) if self.base and self.base.compiled_for else None
        return compiled_learned(self.layout, self.model, self.is_mixed, base, engine)

    def decided_by(self) -> tuple[Callable, ...]:
        return (self.choose, *(self.base.decided_by if self.base else ()))


def other_rules(facts: Mapping[str, Any], game: Game, scenario: Scenario) -> str:
    """Describe how the rules in training differ from the current rules; "" if they are the same."""
    if facts["rules"] != game.source_hash:
        return "trained before the rules of this game were edited"
    if not _has_trained_with(facts, scenario):
        under = f"{facts['scenario']}, {facts['difficulty']}" if facts["difficulty"] else facts["scenario"]
        players = f" for {facts['players']} players" if facts["players"] else ""
        played = {**facts["changes"], **{path: _listed(of) for path, of in facts.get("vary", {}).items()}}
        changes = "".join(f", {path} = {value}" for path, value in played.items())
        return f"trained with different numbers ({under}{players}{changes})"
    return ""


def _listed(values: Sequence[Any]) -> str:
    return f"{values[0]} to {values[-1]}" if len(values) > 3 else " or ".join(map(str, values))


def _has_trained_with(facts: Mapping[str, Any], scenario: Scenario) -> bool:
    """Return whether a policy was trained with the current numbers of the rules.

    Every number that varied in training must have one of its training values, and all others their value in
    training.
    """
    before, now, varied = facts["changes"], scenario.overrides, facts.get("vary", {})
    if not varied:
        return facts["scenario_hash"] == scenario.hash
    level = scenario.difficulty if len(scenario.model.difficulties()) > 1 else ""
    moved = {path for path in {**before, **now} if before.get(path) != now.get(path)}
    return (
        (scenario.name, level) == (facts["scenario"], facts["difficulty"])
        and moved <= set(varied)
        and all(get(scenario.data, path) in values for path, values in varied.items())
    )


@cache
def compiled_learned(layout: Layout, model: Model, is_mixed: bool, base: Callable | None, engine):
    """Return the compiled choice of a learned policy for one engine."""
    weighing, tag = weighing_of(layout, model, is_mixed, base, engine)
    return compiled(bound(bind(choose, tag, weigh=weighing, IS_MIXED=is_mixed), {}), policy_signature(engine))


def weighing_of(layout: Layout, model: Model, is_mixed: bool, base: Callable | None, engine):
    """Return the compiled function `weigh` of a policy, and a tag for functions that call it.

    The network is a constant of the compiled code, and its digest is in the tag.
    """
    rules = compiled_rules(engine) | {
        "new_trials": maker(engine.state_dtype, 3),
        "new_scratch": maker(engine.tables_dtype),
        "knows_card": layout.knower(engine),
    }
    parts = (layout.addresses(engine), model.coding, model.net)
    constants = dict(zip(("AT", "CODING", "NET"), map(_fixed, parts), strict=True))
    constants |= {"IS_MIXED": is_mixed, "IS_ADVISED": base is not None}
    constants["adviser"] = called_policy(base, engine) if base else jit(adviser)
    tag = f"{model.digest}_{is_mixed}_{code_tag((base,)) if base else ''}_{layout.hash}_{engine_tag(engine)}"
    function = weigh_by_table if isinstance(model.net, MixedTable) else weigh
    return jit(bound(bind(function, tag, **constants), rules)), tag


def _fixed(arrays: Any) -> Any:
    """Return a named tuple with read-only copies of its arrays, as constants of compiled code are."""
    copies = copy.deepcopy(arrays)
    for array in copies:
        if isinstance(array, np.ndarray):
            array.flags.writeable = False
    return copies


# ---------------------------------------------------------------- the file


def read(path: Path) -> dict[str, Any]:
    """Return the document in a file. Raises PolicyError if the file is invalid."""
    if not path.is_file():
        raise PolicyError(f"{path}: no such file of a learned policy; bartizan train --learn writes one")
    try:
        document = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise PolicyError(
            f"{path}: not a learned policy: {unreadable(error)}; give a file that bartizan train "
            "--learn wrote"
        ) from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise PolicyError(
            f"{path}: not a learned policy of this version (its format is not {FORMAT}); train it again"
        )
    return document


def learned(game: Game, named: str) -> Learned:
    """Return the learned policy in a file. Raises PolicyError if it cannot play this game."""
    from bartizan.policies.registry import find_player

    path = Path(named)
    facts = read(path)
    if "network" not in facts:
        raise PolicyError(
            f"{path}: its training was interrupted; run the same bartizan train command again to finish it"
        )
    try:
        layout = layout_of(game, tuple(facts.get("vary", ())))
    except UsageError as error:
        raise PolicyError(f"{path}: {error}") from None
    try:
        parts, whole = facts["parts"], facts["network"]
        if different := layout.difference(parts):
            raise PolicyError(
                f"{path}: trained for different components of {game.name}: {different}; train it again"
            )
        arrays = {name: unpacked(one) for name, one in whole.items()}
        coding = Coding(*map(arrays.pop, Coding._fields))
        model = Model(coding, (MixedTable if "keys" in arrays else WholeNet)(**arrays))
        check_shapes(model, layout, "base" in facts)
        about = f"learned by playing {facts['games']:,} games; {facts['checked'][0]}"
    except (KeyError, ValueError, TypeError, AttributeError, IndexError) as error:
        raise PolicyError(f"{path}: damaged file of a learned policy ({error!r}); train it again") from None
    try:
        base = find_player(game, facts["base"]) if "base" in facts else None
    except PolicyError as error:
        raise PolicyError(f"{path}: the policy that it was trained from is missing: {error}") from None
    policy = of_model(layout, model, bool(facts.get("mixed")), base)
    return replace(policy, name=f"{NAME}@{path.name}", about=about, facts=facts)


def of_model(layout: Layout, model: Model, is_mixed: bool, base: Player | None) -> Learned:
    """Return a policy with this network.

    base: the policy whose choice is an input; its weights come first.
    """
    weights = {**(base.weights if base else {}), MODEL: float(int(model.digest[:12], 16) + is_mixed)}
    return Learned(NAME, choose, weights=weights, model=model, layout=layout, is_mixed=is_mixed, base=base)


def check_shapes(model: Model, layout: Layout, is_advised: bool) -> None:
    """Raise ValueError if the arrays do not fit together, because compiled code does not check bounds."""
    coding, net, arrays = model.coding, model.net, model.arrays
    numbers, kinds = len(layout.names), layout.kinds
    state, act, static = (int(size) for size in coding.sizes[:3])
    wanted = {
        "numbers": (numbers, 5),
        "pointers": (len(layout.pointers), 5),
        "certain": (kinds, numbers),
        "sizes": (3 + kinds,),
    }
    small: dict[str, Any] = {"parts": np.uint8}
    if isinstance(net, MixedTable):
        sets = len(net.keys)
        wanted |= {"keys": (sets,), "ends": (sets + 1,), "parts": (int(net.ends[-1]),)}
        if (np.diff(net.ends) < 1).any() or (np.diff(net.keys) < 1).any() or net.ends[0] != 0:
            raise ValueError("its information sets are not in order")
    else:
        small, hidden = dict.fromkeys(net._fields[:8], np.int8), len(net.first_bias)
        wanted |= dict.fromkeys(("first_bias", "second_bias", "out"), (hidden,))
        wanted |= dict.fromkeys(("action", "meeting"), (act, hidden))
        wanted |= {"first": (state, hidden), "second": (hidden, hidden), "direct": (act,), "shifts": (8,)}
        if (net.shifts < 0).any():
            raise ValueError("its shifts are negative")
    for name, array in arrays.items():
        if array.shape != wanted[name]:
            raise ValueError(f"{name} has shape {array.shape}, not {wanted[name]}")
        if array.dtype != small.get(name, np.int64):
            raise ValueError(f"{name} consists of {array.dtype}")
    if act != static + state + is_advised:
        raise ValueError("its network does not match the components of the game")
    for codes, inputs in ((coding.numbers, state), (coding.pointers, static - layout.inputs)):
        how, first, _, span, width = codes.T
        least = np.select([how == HIDDEN, how == STEPS], [0, 1 + PARTS], 1)
        is_right = (width >= least) & (first >= 0) & (first + width <= inputs) & (span >= (how == STEPS))
        if not is_right.all():
            raise ValueError("its network lacks an input; train it again")


def packed(array: np.ndarray) -> dict[str, Any]:
    """Return an array as JSON-compatible data: its dtype, its shape, and its bytes in base64."""
    data = base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()
    return {"dtype": array.dtype.str, "shape": list(array.shape), "data": data}


def unpacked(document: Mapping[str, Any]) -> np.ndarray:
    """Return the array in the output of `packed`."""
    data = base64.b64decode(document["data"], validate=True)
    return np.frombuffer(data, np.dtype(document["dtype"])).reshape(document["shape"]).copy()


def packed_arrays(arrays: Mapping[str, np.ndarray]) -> dict[str, Any]:
    return {name: packed(array) for name, array in arrays.items()}
