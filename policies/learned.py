"""Learned players: `learned@my_game.learned`, a file that `bartizan train --learn` writes.

The file identifies the game that the player was trained for. It contains the evaluation of the player, and
its network in integers: 8-bit weights, with a power of two for each part. The player chooses by integer
arithmetic, so its games are the same on every machine. It takes the action of highest value or, if it was
trained for mixed strategies, draws an action by its probability; in a small game, the probabilities are in a
table instead of a network. If the components of the game differ from the components in training, the file is
rejected, and the message contains the first difference.
"""

import base64
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np

from bartizan.policies.futures import hold_dealing, maker
from bartizan.policies.protocol import Policy
from bartizan.policies.trial import note_once
from bartizan.simcore.compile.copies import copy_state
from bartizan.simcore.compile.jit import bind, compiled
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
from bartizan.simcore.learning.self_play import ACTION_DRAW
from bartizan.simcore.play.match import Player
from bartizan.simcore.rng import policy_below
from bartizan.simcore.scenario.loading import Scenario
from bartizan.simcore.scenario.parameters import get

NAME, SUFFIX, FORMAT = "learned", ".learned", "bartizan.learned/1"
MODEL = "model"  # the weight that identifies the network: 12 hex digits of its digest as a number
# bound: the layout, the coding and the network of a player, and the number of the game's features
AT, CODING, NET, SHOWN = (None, None, None, 1)
IS_MIXED = False  # bound: actions are drawn by their probabilities
IS_ADVISED = False  # bound: the choice of another policy is an input


def choose(state, tables, legal, n_legal, weights):
    if n_legal == 1:
        return legal[0]
    worths = np.zeros(n_legal, np.int64)
    advice = np.int32(NO_ACTION)
    if IS_ADVISED:
        advice = adviser(state, tables, legal, n_legal, weights)
    trials, scratch = new_trials(), new_scratch()
    n = considered(state, tables, legal, n_legal, advice, trials, scratch, AT, CODING, NET, SHOWN, worths)
    if IS_MIXED:
        return legal[drawn(state, worths, n, whole_chances(worths, n))]
    return legal[worths[:n].argmax()]


def adviser(state, tables, legal, n_legal, weights):
    """Placeholder for the policy from which the training started, which `bind` replaces."""
    return legal[0]


def choose_from_table(state, tables, legal, n_legal, weights):
    if n_legal == 1:
        return legal[0]
    parts = np.zeros(n_legal, np.int64)
    total = looked_up(
        state, tables, legal, n_legal, new_trials(), new_scratch(), AT, CODING, NET, SHOWN, parts
    )
    return legal[drawn(state, parts, n_legal, total)]


def drawn(state, parts, n, total):
    """Return a random index below `n` with probabilities in the proportions of `parts`, whose sum is
    `total`.
    """
    left = policy_below(state, ACTION_DRAW, total)
    for a in range(n):
        left -= parts[a]
        if left < 0:
            return a
    return 0


def considered(state, tables, legal, n_legal, advice, states, rules, at, coding, net, shown, worths):
    """Write the network's values of the actions into `worths`, and return their number. Modifies `states` and
    `rules`, which are working space.
    """
    sight = looked(state, tables, legal, states, rules, at, coding, shown)
    n = state_inputs(sight)
    n_legal = legal_inputs(states, tables, sight, legal, n_legal, advice)
    whole_worths(net, sight, n, n_legal, worths)
    return n_legal


def looked_up(state, tables, legal, n_legal, states, rules, at, coding, table, shown, parts):
    """Write the probabilities of the actions in the table into `parts`, and return their sum. Modifies
    `states` and `rules`, which are working space.
    """
    sight = looked(state, tables, legal, states, rules, at, coding, shown)
    return parts_of(table, key_of(sight, legal, n_legal), n_legal, parts)


def looked(state, tables, legal, states, rules, at, coding, shown):
    """Return the view of the player to move, as a `Sight`."""
    copy_state(states[0], state)
    rules[0] = tables
    sight = sight_of(at, coding, rules.view(np.int64), shown, len(legal))
    observe(states, 0, tables, sight, state.me, sight.numbers, sight.all)
    return sight


@dataclass(frozen=True, eq=False)
class Model:
    """The encoding of a game as inputs, and the network, or the table of a mixed strategy."""

    coding: Coding
    net: WholeNet | MixedTable

    @cached_property
    def arrays(self) -> dict[str, np.ndarray]:
        return {**self.coding._asdict(), **self.net._asdict()}

    @cached_property
    def digest(self) -> str:
        """Hash (24 hex digits) of the model. Models with the same digest are equal."""
        data = b"".join(np.ascontiguousarray(one).tobytes() for one in self.arrays.values())
        return hashlib.sha256(data).hexdigest()[:24]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)


@dataclass(frozen=True, eq=False)
class Learned(Policy):
    """A learned player, created by `learned`."""

    model: Model = field(kw_only=True)
    layout: Layout = field(kw_only=True)
    facts: Mapping[str, Any] | None = field(kw_only=True)  # of its file
    is_mixed: bool = field(default=False, kw_only=True)  # it draws its actions by their probabilities
    base: Player | None = field(default=None, kw_only=True)  # the policy whose choice is an input

    def with_weights(self, changes: dict[str, float]) -> "Learned":
        for name in changes:
            raise PolicyError(
                f"policy {self.name}: no weight {name}, because a learned policy has no weights to set"
            )
        return self

    def learn(self, game: Game, scenario: Scenario, seat: int) -> np.ndarray:
        """Return an empty array. Report if the current rules differ from the rules used in training."""
        if self.facts and (stale := other_rules(self.facts, game, scenario)):
            note_once(f"{self.name}: {stale}; it may play worse than a policy trained under these rules")
        return np.zeros(0)

    def compiled_for(self, engine):
        hold_dealing(self.name, engine)
        base = self.base.compiled_for(engine) if self.base and self.base.compiled_for else None
        return compiled_learned(self.layout, self.model, self.is_mixed, base, engine)

    def decided_by(self) -> tuple[Callable, ...]:
        return (self.choose, *(self.base.decided_by if self.base else ()))


def other_rules(facts: Mapping[str, Any], game: Game, scenario: Scenario) -> str:
    """Describe the different rules under which a player was trained; "" if they are the same."""
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
    """Return whether every number that varied in training has one of its training values, and all other
    numbers are as in training.
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
    """Compile a player. The network is a constant of the compiled code, and its digest is in the function's
    name.
    """
    from bartizan.simcore.compile.jit import jit
    from bartizan.simcore.compile.loops import (
        bound,
        called_policy,
        code_tag,
        compiled_rules,
        engine_tag,
        policy_signature,
    )

    at = layout.addresses(engine)
    rules = compiled_rules(engine) | {
        "new_trials": maker(engine.state_dtype, 3),
        "new_scratch": maker(engine.tables_dtype),
        "knows_card": jit(layout.knower(engine)),
    }
    constants = {"AT": _fixed(at), "CODING": _fixed(model.coding), "NET": _fixed(model.net)}
    shown = engine.features.dtype.itemsize // 8 if engine.features else 1
    constants |= {"SHOWN": shown, "IS_MIXED": is_mixed, "IS_ADVISED": base is not None}
    constants |= {"adviser": called_policy(base, engine)} if base else {"adviser": jit(adviser)}
    base_tag = f"{code_tag((base,))}_" if base else ""
    tag = f"{model.digest}_{'mixed_' if is_mixed else ''}{base_tag}{layout.hash}_{engine_tag(engine)}"
    function = choose_from_table if isinstance(model.net, MixedTable) else choose
    return compiled(bound(bind(function, tag, **constants), rules), policy_signature(engine))


def _fixed(arrays: Any) -> Any:
    """Return a read-only copy of a tuple of arrays, because constants of compiled code are read-only."""
    copies = type(arrays)(*(array.copy() for array in arrays))
    for array in copies:
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
    """Return the learned player in a file. Raises PolicyError if it cannot play this game."""
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
        hold_shapes(model, layout, "base" in facts)
        about = f"learned by playing {facts['games']:,} games; {facts['checked'][0]}"
    except (KeyError, ValueError, TypeError, AttributeError, IndexError) as error:
        raise PolicyError(f"{path}: damaged file of a learned policy ({error!r}); train it again") from None
    try:
        base = find_player(game, facts["base"]) if "base" in facts else None
    except PolicyError as error:
        raise PolicyError(f"{path}: the policy that it was trained from is missing: {error}") from None
    return of_model(layout, model, f"{NAME}@{path.name}", about, facts, bool(facts.get("mixed")), base)


def of_model(
    layout: Layout,
    model: Model,
    name: str = NAME,
    about: str = "",
    facts: Mapping[str, Any] | None = None,
    is_mixed: bool = False,
    base: Player | None = None,
) -> Learned:
    """Return a player with this network. facts: content of its file; None if there is no file yet. base: the
    policy whose choice is an input; its weights come first.
    """
    weights = {**(base.weights if base else {}), MODEL: float(int(model.digest[:12], 16) + is_mixed)}
    return Learned(
        name, choose, about, weights, model=model, layout=layout, facts=facts, is_mixed=is_mixed, base=base
    )


def hold_shapes(model: Model, layout: Layout, is_advised: bool) -> None:
    """Raise ValueError if the arrays do not fit together, because compiled code does not check bounds."""
    coding, net = model.coding, model.net
    numbers, actions = len(layout.names), layout.kinds
    state, act, static = (int(size) for size in coding.sizes[:3])
    wanted: dict[str, tuple[int, ...]] = {
        "numbers": (numbers, 5),
        "pointers": (len(layout.pointers), 5),
        "certain": (actions, numbers),
        "sizes": (3 + actions,),
    }
    if isinstance(net, MixedTable):
        is_small, sets = net.parts.dtype == np.uint8, len(net.keys)
        wanted |= {"keys": (sets,), "ends": (sets + 1,), "parts": (int(net.ends[-1]),)}
        if (np.diff(net.ends) < 1).any() or (np.diff(net.keys) < 1).any() or net.ends[0] != 0:
            raise ValueError("its information sets are not in order")
    else:
        is_small, hidden = {one.dtype for one in net[:8]} == {np.dtype(np.int8)}, len(net.first_bias)
        wanted |= {
            "first": (state, hidden),
            "second": (hidden, hidden),
            "second_bias": (hidden,),
            "out": (hidden,),
            "direct": (act,),
            "action": (act, hidden),
            "meeting": (act, hidden),
            "shifts": (8,),
        }
    arrays = model.arrays
    for name, shape in wanted.items():
        if arrays[name].shape != shape:
            raise ValueError(f"{name} has shape {arrays[name].shape}, not {shape}")
    if not is_small or act != static + state + is_advised:
        raise ValueError("its network does not match the components of the game")
    if any(one.dtype != np.int64 for one in arrays.values() if one.dtype.itemsize > 1):
        raise ValueError("its numbers are not 64-bit integers")
    if not isinstance(net, MixedTable) and (net.shifts < 0).any():
        raise ValueError("its shifts are negative")
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
    """Return the array that `packed` converted, as a copy."""
    data = base64.b64decode(document["data"], validate=True)
    return np.frombuffer(data, np.dtype(document["dtype"])).reshape(document["shape"]).copy()


def network(model: Model) -> dict[str, Any]:
    """Return the arrays of a model as JSON-compatible data."""
    return {name: packed(one) for name, one in model.arrays.items()}
