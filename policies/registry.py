"""Policies by name: a game's own, general ones, learned ones, and policies in Python files.

The general policies are `random`, `newcomer` and lookahead.
"""

import importlib
import re
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path

from bartizan.policies.live import PLAYS, ahead_of, live_policies
from bartizan.policies.protocol import Policy, as_player
from bartizan.policies.restricted import (
    AND_THEN,
    NOISE,
    OMIT,
    Restricted,
    is_kind,
    is_modifier,
    kinds_of,
    restricted,
)
from bartizan.simcore.documentation import page
from bartizan.simcore.errors import PolicyError, as_spelled, did_you_mean
from bartizan.simcore.game import BUILTIN, Game, load_module
from bartizan.simcore.numerals import numeral

LOOKAHEAD, TRUST, NEWCOMER, LEARNED = "lookahead", "trust", "newcomer", "learned"
MODIFIERS = (OMIT, NOISE)
# checks a policy from a file before it plays; None unless a question plays games
first_look: ContextVar[Callable[[Game, Policy], None] | None] = ContextVar("first_look", default=None)
BASE = re.compile(r"(?<=base=)\w+", re.IGNORECASE)  # name of the base policy in the text of a lookahead
SETTING = re.compile(r"(?<=[:,])[^:,=@]+(?==)")  # name of a weight or a modifier in the text of a policy
WEIGHTS = re.compile(r"\.(toml|learned)\b")  # file name endings of weights
FILE_END = re.compile(r"\.(py|toml|learned)\b")
# a comma between settings, not in a path
PAIRS = re.compile(r",(?=\s*(?:base\s*=|[^\W\d][\w-]*\s*=[^/,]*(?:,|$)|[^=/.]*(?:,|$)))")
OWN_FILE = re.compile(r"\.py(?=$|[:@])")  # the end of the path of a policy file
SEPARATED = re.compile(r"[@:,+=]|\.(py|toml|learned)\b")  # parts of a policy's text that no name may contain
ENTRY_POINTS = "bartizan.policies"  # group bartizan.policies.<game>: entry points that load a Policy


@cache
def policies_of(game: Game) -> dict[str, Policy]:
    """Return all policies that can play this game, by name.

    `random` is first, followed by `newcomer` if the game defines hidden information. A newcomer with the
    game's own goal replaces the general newcomer. A live engine has only its own policies.

    Raises PolicyError for a reserved name, or if the game's own policies are invalid.
    """
    from importlib.metadata import entry_points

    from bartizan.policies.newcomer import newcomer
    from bartizan.policies.protocol import RANDOM

    if live := game.compiled.live:
        return {policy.name: policy for policy in live_policies(live)}
    added = [point.load() for point in entry_points(group=f"{ENTRY_POINTS}.{game.name}")]
    own = _by_name([*_own_policies(game), *added], str(game.home))
    if reserved := [name for name in (RANDOM.name, LOOKAHEAD, LEARNED) if name in own]:
        raise PolicyError(
            f'{game.home}: policy "{reserved[0]}": every game has a policy of this name; choose another name'
        )
    general = [RANDOM, *([newcomer()] if game.compiled.can_deal else [])]
    return {policy.name: policy for policy in general} | own


def _by_name(policies: Iterable[Policy], where: str) -> dict[str, Policy]:
    """Map the names of policies to the policies.

    Raises PolicyError if two policies have the same name, or if a name contains a separator such as `@`.

    where: their file.
    """
    found: dict[str, Policy] = {}
    for policy in policies:
        if SEPARATED.search(policy.name):
            raise PolicyError(f'{where}: policy "{policy.name}": write its name with letters, digits and _')
        if policy.name in found:
            raise PolicyError(f'{where}: two policies are named "{policy.name}"; rename one of them')
        found[policy.name] = policy
    return found


def _own_policies(game: Game) -> list[Policy]:
    """Return the game's own policies. Raises PolicyError if they are not a list of policies."""
    if game.is_builtin or (game.policies is list and game.name in BUILTIN):  # or a user's copy of one
        return importlib.import_module(f"bartizan.policies.{game.name}").POLICIES
    own, what = game.policies(), f"{game.home}: {game.name}: its policies"
    if not isinstance(own, (list, tuple)):
        raise PolicyError(
            f"{what} must return a list or tuple, not a {type(own).__name__}; write `lambda: [A, B]`"
        )
    if odd := [type(policy).__name__ for policy in own if not isinstance(policy, Policy)]:
        raise PolicyError(f"{what} must be Policy(...) objects, not {odd[0]}")
    return list(own)


def find_policy(game: Game, text: str) -> Policy:
    """Return the policy that a text names. Raises PolicyError if there is none.

    The text is a name (`garrison`), a name with a weights file or a learned file (`garrison@elite.toml`,
    `learned@my_game.learned`), or a Python file (`my_policy.py`, `my_policy.py:name`). Weights and modifiers
    may follow after a colon (`garrison:alert=2,omit=escape`). The text can also be
    `lookahead:base=garrison,plays=64`, or `P+Q` for the players of a side. Names ignore case.
    """
    text = spelled(game, text)
    if text.partition(":")[0] == LOOKAHEAD:
        return _lookahead(game, text)
    if len(members := at_one_table(game, text)) > 1:
        from bartizan.policies.members import of_members

        return of_members(game, members, [find_policy(game, member) for member in members])
    name, pairs = split_changes(text)
    plain, at, weights_file = weights_apart(name)
    policy = _from_file(game, plain, weights_file) if at else _unchanged(game, plain)
    if unknown := sorted(set(policy.roles) - set(game.roles)):
        raise PolicyError(
            f"policy {policy.name}: declares the roles {', '.join(unknown)}, which {game.name} does not "
            f"have; declare some of {', '.join(game.roles)}"
        )
    pairs = [(as_spelled(key, [*policy.weights, *MODIFIERS]), value) for key, value in pairs]
    modifiers = [pair for pair in pairs if is_modifier(pair[0]) and pair[0] not in policy.weights]
    weights = {key: value for key, value in pairs if (key, value) not in modifiers}
    if len(weights) + len(modifiers) < len(pairs):
        raise PolicyError(f'policy "{text}": a weight is given twice; give it once')
    # reject an unknown name before a value that is not a number
    policy.with_weights({key: policy.weights.get(key, 0.0) for key in weights})
    if weights:
        policy = _weighted(policy, {key: _number(text, key, value) for key, value in weights.items()})
    return restricted(game, policy, modifiers, policies_of(game)) if modifiers else policy


def spelled(game: Game, text: str) -> str:
    """Return a policy's text, in which names of roles, policies and their settings have the game's spelling.

    text: a text that `find_policy` accepts, or `role=POLICY`.
    """
    role, equals, policy = text.partition("=") if is_role(game, text) else ("", "", text)
    members = at_one_table(game, policy)
    if "+".join(members) == policy:  # an extra plus is kept, for the error message
        policy = "+".join(_spelled(game, member) for member in members)
    return f"{as_spelled(role, game.roles)}{equals}{policy}"


def _spelled(game: Game, text: str) -> str:
    """Return the text of one policy in the game's spelling.

    A relative path that contains a plus gets a leading `./`, by which `simcore.sweep.plan.FILES` finds it.
    """
    is_plain = not text.startswith(".") and not Path(text).is_absolute()
    if is_plain and "+" in text.partition(".py")[0] and _names_file(text) and "@" not in text:
        text = f"./{text}"
    name = weights_apart(split_changes(text)[0])[0]
    if ".py" in name:
        return text
    known = [*policies_of(game), LOOKAHEAD, LEARNED, NEWCOMER]
    typed, name = name, as_spelled(name, known)
    text = text.replace(typed, name, 1)
    if name == LOOKAHEAD:
        text = BASE.sub(lambda base: as_spelled(base[0], known), text)
    if "=" not in text:
        return text
    keys = _settings_of(game, name, text)
    return SETTING.sub(lambda key: as_spelled(key[0], keys), text)


def _settings_of(game: Game, name: str, text: str) -> list[str]:
    """Return the names that a policy's text may set.

    They are weights and modifiers and, for lookahead, its settings and the weights of its base.
    """
    policies = policies_of(game)
    keys = [*MODIFIERS, *(f"{one}{AND_THEN}" for one in policies)]
    if name == LOOKAHEAD:
        from bartizan.policies.lookahead import SETTINGS

        base = BASE.search(text)
        name = base[0] if base else game.default_for(game.roles[0])
        keys += ["base", TRUST, *SETTINGS]
    return [*keys, *(policies[name].weights if name in policies else ())]


def _weighted(policy: Policy, weights: dict[str, float]) -> Policy:
    """Return the policy with changed weights, which become part of its name."""
    written = ",".join(f"{key}={value:.15g}" for key, value in weights.items())
    return replace(policy.with_weights(weights), name=f"{policy.name}:{written}")


def _lookahead(game: Game, text: str) -> Policy:
    """Return the policy for a text such as `lookahead:base=garrison,plays=64`.

    Names that are not settings are weights of the base.
    """
    from bartizan.policies.lookahead import BY_TRIAL, SETTINGS, TO_THE_END, looking_ahead

    if game.compiled.live:
        return _live_lookahead(game, text)
    parts = PAIRS.split(text.partition(":")[2])
    pairs = [part.partition("=")[::2] for part in parts if part]
    given = {key.strip(): value.strip() for key, value in pairs}
    if len(given) < len(pairs):
        raise PolicyError(f'policy "{text}": a setting is given twice; give it once')
    base_name = given.pop("base", game.default_for(game.roles[0]))
    trusted = kinds_of(game, given.pop(TRUST), TRUST) if TRUST in given else {}
    settings = {key: _number(text, key, given.pop(key)) for key in SETTINGS if key in given}
    changes = ",".join(f"{key}={value}" for key, value in given.items())
    base = find_policy(game, f"{base_name}:{changes}" if changes else base_name)
    if type(base) is not Policy and not base.name.startswith(f"{LEARNED}@"):
        raise PolicyError(f'policy "{text}": its base must be a policy without modifiers')
    own = tuple(seat for seat, role in enumerate(game.roles) if not base.roles or role in base.roles)
    others = [role for seat, role in enumerate(game.roles) if seat not in own]
    other = find_policy(game, game.default_for(others[0])) if others else None
    turns = SETTINGS["turns"] if game.is_builtin else BY_TRIAL
    turns = turns if game.compiled.features is not None else TO_THE_END
    return looking_ahead(base, other, own, settings, turns, trusted)


def _live_lookahead(game: Game, text: str) -> Policy:
    """Return the lookahead policy for a text such as `lookahead:base=hold,plays=64`, for a live engine.

    The engine must support single steps.
    """
    _, pairs = split_changes(text)
    given = dict(pairs)
    plays = given.pop(PLAYS, "64")
    if len(pairs) > len(given) + 1 or not plays.isdecimal() or not 1 <= int(plays) <= 10_000:
        raise PolicyError(
            f'policy "{text}": write {LOOKAHEAD}:base=POLICY,plays=64, with plays from 1 to 10000'
        )
    base = given.pop("base", game.default_for(game.roles[0]))
    changes = ",".join(f"{key}={value}" for key, value in given.items())
    return ahead_of(find_policy(game, f"{base}:{changes}" if changes else base), text, int(plays))


def _from_file(game: Game, name: str, file: str) -> Policy:
    """Return a policy with the weights of a file, or a learned policy."""
    if name == LEARNED and file and not file.endswith(".toml"):
        from bartizan.policies.learned import learned

        return learned(game, file)
    from bartizan.policies.weights_file import with_weights_of

    return with_weights_of(_unchanged(game, name), file)


def weights_apart(name: str) -> tuple[str, str, str]:
    """Split `mine.py:p@w.toml` into `mine.py:p`, `@` and `w.toml`.

    An @ in the path of a policy file is not a separator.
    """
    *_, (_, end) = [(0, 0), *(found.span() for found in OWN_FILE.finditer(name))]
    policy, at, weights = name[end:].partition("@")
    return name[:end] + policy, at, weights


def _unchanged(game: Game, name: str) -> Policy:
    """Return one of the game's policies, or a policy from a file, with its own weights."""
    from bartizan.policies.futures import refuse_open

    if live := game.compiled.live:
        if name not in (own := policies_of(game)):
            raise PolicyError(
                f'no policy "{name}" in {live.file.path.name}{did_you_mean(name, own)} (a live engine '
                "plays its own policies only)"
            )
        return own[name]
    if ".py" in name:
        path, _, policy_name = name.rpartition(".py")
        policy = policy_from_file(Path(f"{path}.py"), policy_name.lstrip(":"))
        if look := first_look.get():
            look(game, policy)
        return policy
    known = policies_of(game)
    if name == NEWCOMER and name not in known:
        refuse_open(name, game.compiled)
    if name == LEARNED and name not in known:
        raise PolicyError("policy learned: give its file: learned@FILE (bartizan train --learn writes one)")
    if name not in known:
        raise PolicyError(
            f'no policy "{name}" for {game.name}{did_you_mean(name, known)} (for your own policy, '
            "give the path of its .py file)"
        )
    return known[name]


def split_changes(text: str) -> tuple[str, list[tuple[str, str]]]:
    """Split `name:weight=1.5,omit=escape` into the name and (key, value) pairs of text.

    The word `restrict:` is ignored.
    """
    name = text.removeprefix("restrict:")
    pairs: list[tuple[str, str]] = []
    while ":" in name:
        head, _, tail = name.rpartition(":")
        is_in_path = FILE_END.search(tail) and not tail.startswith("base=")
        if is_in_path or (tail != "restrict" and "=" not in tail):
            break
        name = head
        pairs = [
            (key.strip(), value.strip())
            for key, _, value in (part.partition("=") for part in tail.split(",") if part != "restrict")
        ] + pairs
    return name, pairs


def _number(text: str, key: str, value: str) -> float:
    try:
        return float(numeral(value))
    except ValueError:
        raise PolicyError(
            f'policy "{text}": weight {key} = "{value}" is not a number; write one such as 1.5'
        ) from None


def policy_from_file(path: Path, name: str = "") -> Policy:
    """Return the Policy that a file defines.

    name: selects one of several. Raises PolicyError if there is none, or if there are several and no name.
    """
    module = load_module(path, "policy")
    defined = (
        value
        for value in vars(module).values()
        # defined in this file, not imported into it
        if isinstance(value, Policy) and value.source == path.resolve()
    )
    policies = _by_name(dict.fromkeys(defined), str(path))
    if not policies:
        raise PolicyError(f"{path}: the file defines no Policy (see {page('adding-a-policy')})")
    if not name and len(policies) > 1:
        raise PolicyError(f"{path}: defines {', '.join(policies)}; choose one: {path}:{next(iter(policies))}")
    if name and name not in policies:
        raise PolicyError(f'{path}: no policy "{name}"{did_you_mean(name, policies)}')
    return policies[name] if name else next(iter(policies.values()))


def find_player(game: Game, text: str):
    """Return the named policy compiled for the game, as a `simcore.play.match.Player`."""
    return replace(as_player(game, find_policy(game, text)), named=spelled(game, text))


def line_ups(
    game: Game, texts: list[str], together: bool = False, default: Callable[[str], str] | None = None
) -> list[tuple[str, ...]]:
    """Return one line-up (a policy for each seat) per cell, from policies as named on the command line.

    `P` fills every seat that it can play, and `role=P` one seat. Other seats get the `default` of the role
    (default: the policy that the game declares). Several plain names, or several for one role, are
    alternatives, and each combination is a cell. If all seats are identical, `P+Q` is one line-up, with P in
    the first seat and Q in the second; with `together`, several plain names are also one line-up.
    """
    default = default or game.default_for
    texts = [spelled(game, text) for text in texts]
    if game.alike and not any(is_role(game, text) for text in texts):
        tables = [at_one_table(game, text) for text in texts]
        tables = [sum(tables, ())] if together else tables
        if any(len(table) > 1 for table in tables):
            return [table if len(table) > 1 else table * len(game.roles) for table in tables]
    named: dict[str, list[str]] = {}
    for role, policy in (role_of(game, text) for text in texts if is_role(game, text)):
        named.setdefault(role, []).append(policy)
    plain = [text for text in texts if not is_role(game, text)]
    if named and plain:
        raise PolicyError(
            f'"{plain[0]}": give a role for every policy (role=POLICY) or for none; roles: '
            f"{', '.join(game.roles)}"
        )
    if plain:
        return [
            tuple(text if plays(game, text, role) else default(role) for role in game.roles) for text in plain
        ]
    return list(product(*(named.get(role, [default(role)]) for role in game.roles)))


def other_line_up(game: Game, line_up: tuple[str, ...], texts: list[str]) -> tuple[str, ...]:
    """Return the line-up with some seats given to the policies in `texts`.

    `role=P` changes only one seat, and `P` only the seats that it can play.

    Raises PolicyError if the texts give several line-ups.
    """
    texts = [spelled(game, text) for text in texts]
    named = {role_of(game, text)[0] for text in texts if is_role(game, text)}
    seated = dict(zip(game.roles, line_up, strict=False))
    kept = [f"{role}={policy}" for role, policy in seated.items() if role not in named] if named else []
    (other, *more) = line_ups(game, [*kept, *texts], together=True)
    if more:
        raise PolicyError(
            f"{len(more) + 1} line-ups are given ({', '.join(texts)}), but a change has only one; "
            "give one policy for each seat"
        )
    if named or game.alike:
        return other
    return tuple(
        policy if plays(game, policy, role) and policy in texts else seated[role]
        for role, policy in zip(game.roles, other, strict=True)
    )


def at_one_table(game: Game, text: str) -> tuple[str, ...]:
    """Split `P+Q` into (P, Q).

    A plus before a digit belongs to a weight, and a plus in `omit=A+B` or `trust=A+B` joins kinds of action.
    A plus in the path of a file that exists belongs to the path.
    """
    table: list[str] = []
    parts = list(filter(None, re.split(r"\+(?!\d)", text)))
    while parts:
        lengths = range(len(parts), 1, -1)
        length = next((length for length in lengths if _names_file("+".join(parts[:length]))), 1)
        part = "+".join(parts[:length])
        del parts[:length]
        if length > 1:
            table.append(part)
            continue
        before = table[-1] if table else ""
        is_list = re.search(rf"[:,]({OMIT}|{TRUST})=[^,:]*$", before)
        joins = is_list and is_kind(game, part.split(",")[0])
        in_path = "@" in before and not WEIGHTS.search(before.rpartition("@")[2])
        # a part with its own @ is a player
        cuts_path = in_path and WEIGHTS.search(part) and "@" not in part
        cuts_path = cuts_path or ("/" in before and not FILE_END.search(before))
        if joins or cuts_path:
            table[-1] += f"+{part}"
        else:
            table.append(part)
    return tuple(table)


def _names_file(text: str) -> bool:
    """Return whether the text of one policy ends with the path of a file that exists, apart from settings."""
    *_, end = [0, *(found.end() for found in FILE_END.finditer(text))]
    starts = (0, *(found.end() for found in re.finditer("[@=]", text[:end])))
    return any(Path(text[start:end]).is_file() for start in starts) and "+" not in text[end:]


def option_lacked(game: Game, before: tuple[str, ...], after: tuple[str, ...]) -> tuple[str, ...]:
    """Return the kinds of action that the first seat may choose with line-up `before` but not with `after`.

    Returns () if the line-ups differ in anything else.
    """
    policy = find_policy(game, after[0])
    if not isinstance(policy, Restricted) or before[1:] != after[1:]:
        return ()
    return policy.lacks(find_policy(game, before[0]))


def plays(game: Game, text: str, role: str) -> bool:
    roles = find_policy(game, text).roles
    return not roles or role in roles


def is_role(game: Game, text: str) -> bool:
    head = text.split("=", 1)[0]
    return "=" in text and not re.search(r"[:@/]|\.py", head)


def role_of(game: Game, text: str) -> tuple[str, str]:
    role, policy = spelled(game, text).split("=", 1)
    if role not in game.roles:
        raise PolicyError(f'no role "{role}" in {game.name}{did_you_mean(role, game.roles)}')
    if not plays(game, policy, role):
        raise PolicyError(
            f'policy "{policy}" plays {", ".join(find_policy(game, policy).roles)}, not {role}; '
            f"choose a policy that plays {role}"
        )
    return role, policy
