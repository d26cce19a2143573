"""Changes of numbers, cards or piles in a position, with the names used in traces.

Examples with indices are `turn=3` and `hand[2,0]=1`. Examples with names are `points[first]=40`,
`place[Gangl]=escaped` and `hand[second]=guard,priest`. Cards of a short game are exchanged: the new card
changes places with the old card, so that no card is lost. A player who knows the card at a place then knows
the new card.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from bartizan.simcore.errors import UsageError, did_you_mean
from bartizan.simcore.game import BUILTIN
from bartizan.simcore.kit.named import Named, numbered
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.position import GamePosition, check_field, held, number_in, written
from bartizan.simcore.short.table import Spot, Tabletop

PATH = re.compile(r"(?P<name>[A-Za-z_]\w*)(?:\[(?P<places>.*)\])?")
PARTS = re.compile(r",(?![^(]*\))")  # a comma outside brackets
REDEALT = 32  # redeals to find unknown cards: a place with two possible kinds is missed once in 2**31
HIDDEN = "?"
BLANK = ("none", "no card", "nobody", "unused")  # names of an empty place


def named_fields(match: Match) -> dict[str, Named]:
    """Map each field of a game's public table to the names of its places and values."""
    game = match.game
    if game.is_builtin:
        found: dict[str, Named] = import_module(f"{BUILTIN[game.name]}.named").named(match.scenario)
        return found
    table = getattr(match.engine.check, "__self__", None)
    roles = game.roles_in(match.scenario)
    return _of_short(table, match, roles) if isinstance(table, Tabletop) else {}


def _of_short(table: Tabletop, match: Match, roles: Sequence[str]) -> dict[str, Named]:
    """Map the components, turn and seat to move of a short game to the names of their places and values.

    Seats are named by their roles.
    """
    fields = match.engine.state_dtype.fields or {}

    def spot(zone: Spot) -> Named:
        owners = (roles,) if zone.each else ()
        if zone.cards:
            return Named((*owners, ()), numbered(table.decks[zone.cards]), zone.cards)
        return Named((*owners, *[()] * (len(fields[zone.name][0].shape) - len(owners))))

    named = {"turn": Named()} | {zone.name: spot(zone) for zone in table.zones}
    if match.engine.member is None:
        named |= {"me": Named((), numbered(roles))}
    return named


# ---------------------------------------------------------------- changes


def changed(
    position: GamePosition, changes: Mapping[str, str], is_checked: bool = True, also: Sequence[str] = ()
) -> GamePosition:
    """Return a position with changed numbers.

    changes: maps a path (`turn`, `place[3]`, `points[first]`) to a value. is_checked: check that the result
    is possible. also: additional names to suggest for a mistyped name. Raises UsageError for an unknown field
    or name, a number outside the range of its field, a place that the seat to move cannot know, and a state
    that the game rejects as impossible.
    """
    moment, named = position.moment.copy(), named_fields(position.match)
    touched: dict[str, tuple[str, np.ndarray]] = {}
    for path, value in changes.items():
        name, mask = _change(position.match, moment, named, path, value, also)
        touched[path] = name, mask
    new = GamePosition(position.match, moment, position.plies)
    if not is_checked:
        return new
    held(new)
    hidden = hidden_places(new)
    for path, (name, mask) in touched.items():
        if name in hidden and (hidden[name] & mask).any():
            role = position.match.game.roles_in(position.match.scenario)[new.seat]
            raise UsageError(
                f"{path}: {role}, the seat to move, does not know this value; it is redealt in each "
                "future, so setting it has no effect"
            )
    return new


def hidden_places(position: GamePosition) -> dict[str, np.ndarray]:
    """Map each field to a bool array of its shape: True where the seat to move does not know the number.

    Omits fields without unknown places. The result comes from REDEALT redeals, which can miss a place that
    rarely changes.
    """
    engine, game = position.match.engine, position.begun()
    varied: dict[str, np.ndarray] = {}
    for number in range(REDEALT):
        game.go_on_from(position.moment, position.plies)
        game.redeal(number, position.seat)
        moment = game.moment()
        for name in written(engine):
            differs = np.asarray(moment[name][0] != position.moment[name][0])
            if differs.any():
                varied[name] = varied.get(name, False) | differs
    return varied


def _change(
    match: Match, moment: np.ndarray, named: Mapping[str, Named], path: str, value: str, also: Sequence[str]
) -> tuple[str, np.ndarray]:
    """Change one value in `moment`.

    Return the field, and a bool array of its shape that marks the changed numbers. Raises UsageError for an
    invalid path or value.
    """
    found = PATH.fullmatch(path)
    if not found:
        raise UsageError(f"--if {path}: write FIELD=VALUE or FIELD[PLACE]=VALUE, such as hand[2]=0")
    name = found["name"]
    fields = written(match.engine)
    if name not in fields:
        near = did_you_mean(name, [*named, *also, *fields])
        known = f"; it has {', '.join(named)}" if named else ""
        raise UsageError(f"{name}: the position has no such field{near or known}")
    check_field(fields, name)
    names = named.get(name, Named())
    field, shape = moment[name][0], moment.dtype[name].shape
    parts = PARTS.split(found["places"]) if found["places"] is not None else []
    index = tuple(_place(path, part.strip(), axis, names) for axis, part in enumerate(parts))
    mask = np.zeros(shape, bool)
    if names.cards and len(index) == len(shape) - 1:
        row = field[index] if index else field
        _exchange(moment, named, path, names, row, _listed(value))
        mask[(*index, slice(1, 1 + int(row[0])))] = True
        return name, mask
    if len(index) != len(shape) or any(i >= size for i, size in zip(index, shape, strict=True)):
        raise UsageError(f"--if {path}: write {_form(name, names, shape)}")
    moment[name][(0, *index)] = _value(path, value, names, moment.dtype[name].base)
    mask[index] = True
    return name, mask


def _form(name: str, names: Named, shape: Sequence[int]) -> str:
    """Return the form of a path, such as `place[0..31]`, with an example if its indices have names.

    The form for a field that is a single number is `turn alone`.
    """
    if not shape:
        return f"{name} alone"
    axes = [*names.axes, *[()] * (len(shape) - len(names.axes))]
    places = ",".join(f"0..{size - 1}" for size in shape)
    examples = ",".join(axis[0] if axis else "0" for axis in axes)
    return f"{name}[{places}]" + (f", such as {name}[{examples}]" if any(axes) else "")


def _place(path: str, text: str, axis: int, names: Named) -> int:
    known = names.axes[axis] if axis < len(names.axes) else ()
    by_name = {name.lower(): number for number, name in enumerate(known)}
    if text.lower() in by_name:
        return by_name[text.lower()]
    if text.isdecimal():
        return int(text)
    if not known:
        raise UsageError(f"--if {path}: {text!r} is not a place; write FIELD[NUMBER]")
    raise UsageError(f"--if {path}: no place is named {text!r}{_near(text, known)}")


def _near(text: str, known: Sequence[str]) -> str:
    """Return advice on a mistyped name: the nearest known name, or a list of known names."""
    return did_you_mean(text, known) or f"; write one of {', '.join(dict.fromkeys(known[:12]))}"


def _value(path: str, text: str, names: Named, dtype: np.dtype) -> int | float:
    """Return the number for a text, which is a name or a number.

    Raises UsageError for an unknown name or an invalid number.
    """
    by_name = {name.lower(): number for number, name in names.values.items()}
    if text.lower() in by_name:
        return by_name[text.lower()]
    if names.values and re.search(r"[A-Za-z]", text):
        raise UsageError(f"--if {path}={text}: no such value{_near(text, list(names.values.values()))}")
    return number_in(path, text, dtype)


def _listed(value: str) -> list[str]:
    return [part.strip() for part in PARTS.split(value)] if value.strip() else []


def _exchange(
    moment: np.ndarray, named: Mapping[str, Named], path: str, names: Named, row: np.ndarray, cards: list[str]
) -> None:
    """Put these cards in a pile of a short game, each in exchange for the current card.

    row: the pile in `moment`, changed in place.

    Raises UsageError if the number of cards differs, or if the game has no such card.
    """
    n = int(row[0])
    if len(cards) != n:
        holds = f"{n} card{'s' * (n != 1)}"
        raise UsageError(
            f"--if {path}: contains {holds}, not {len(cards)}; give the same number of cards, bottom first, "
            "or use a position before another decision (bartizan trace GAME --position N)"
        )
    wanted = [
        int(row[at]) if card == HIDDEN else int(_value(path, card, names, row.dtype))
        for at, card in enumerate(cards, 1)
    ]
    for place, card in enumerate(wanted, 1):
        if row[place] == card:
            continue
        for other, at in _lying(moment, named, names.cards):
            is_done = np.shares_memory(other, row) and at <= place
            if other[at] == card and not is_done:
                other[at], row[place] = row[place], card
                break
        else:
            raise UsageError(
                f"--if {path}: the game has no further card {cards[place - 1]}; name another card, or "
                "name this one fewer times"
            )


def _lying(moment: np.ndarray, named: Mapping[str, Named], deck: str) -> Iterator[tuple[np.ndarray, int]]:
    """Yield (pile, index) for every card of a deck. The cards of the deck's own pile come first."""
    order = sorted((name for name in named if named[name].cards == deck), key=lambda name: name != deck)
    for name in order:
        for pile in moment[name][0].reshape(-1, moment.dtype[name].shape[-1]):
            yield from ((pile, at) for at in range(1, 1 + int(pile[0])))


# ---------------------------------------------------------------- text for people


def as_seen(position: GamePosition) -> dict[str, Any]:
    """Map each field or `field[place]` to its value as the seat to move sees it.

    Names replace numbers, and HIDDEN stands for unknown cards.

    Omits fully unknown piles, unknown numbers and empty places.
    """
    hidden, found = hidden_places(position), {}
    for name, names in named_fields(position.match).items():
        if not names.is_in_template:
            continue
        field, shape = np.asarray(position.moment[name][0]), position.moment.dtype[name].shape
        unknown = hidden.get(name, np.zeros(shape, bool))
        if names.cards:
            owners = names.axes[0] if len(shape) == 2 else [""]
            piles = zip(owners, field.reshape(-1, shape[-1]), unknown.reshape(-1, shape[-1]), strict=False)
            for owner, pile, dark in piles:
                cards = [
                    HIDDEN if dark[at] else names.values[int(pile[at])] for at in range(1, 1 + int(pile[0]))
                ]
                if cards and set(cards) != {HIDDEN}:
                    found[f"{name}[{owner}]" if owner else name] = cards
        else:
            found |= dict(_numbers(name, names, field, unknown))
    return found


def _numbers(name: str, names: Named, field: Any, unknown: np.ndarray) -> Iterator[tuple[str, Any]]:
    """Yield (path, number or name) for each number of a field; for a field without names, (field, list)."""
    if not names.values and not any(names.axes):
        if not unknown.any():
            yield name, field.tolist()
        return
    for index in np.ndindex(np.shape(field)):
        value, axes = field[index].item(), list(zip(index, names.axes, strict=True))
        word = names.values.get(value, value)
        is_named = all(at < len(axis) for at, axis in axes if axis)
        is_blank = word in BLANK or (names.is_count and value == 0)
        if is_named and not is_blank and not unknown[index]:
            places = ",".join(str(axis[at]) if axis else str(at) for at, axis in axes)
            yield (f"{name}[{places}]" if index else name), word
