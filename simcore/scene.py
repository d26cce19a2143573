"""The content of a game's page: the table after each decision, and the section of the rules for each action.

Simulations do not use it.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Shape(StrEnum):
    """Arrangement of the things in a zone."""

    LIST = "list"  # unordered
    PILE = "pile"  # stacked, the first on top
    GRID = "grid"  # `at` is "(row, column)", row 0 at the bottom
    BOARD = "board"  # `at` begins with the name of a place on the board


class Shown(StrEnum):
    """Kind of an event for a page: dice, card, loss or none of them."""

    DICE = "dice"
    CARD = "card"
    LOSS = "loss"
    NONE = ""


@dataclass(frozen=True, eq=False)
class Scene:
    """The functions that show a game on a page.

    `snapshot` returns the same keys for every game (see `table`).
    """

    snapshot: Callable  # (state, tables, scenario) -> dict: `table`
    act_rule: Callable  # (state, action) -> str: the section of RULES.md for an action
    event_line: Callable  # (scenario, event, a, b, c) -> str: one log entry, "" for an internal event
    event_rules: dict[int, str]  # event -> section of RULES.md
    # (state, tables, scenario) -> list[dict]: a `pile` for each prepared pile after the set-up; None: nothing
    deal: Callable | None = None
    marks: dict[int, Shown] = field(default_factory=dict)  # event -> what the page shows for it
    # (state, action) -> bool: whether the choice is hidden until all players have chosen; then events reveal
    # it
    is_held: Callable | None = None
    # (state before, state after) -> list[str]: changed components in words; None: the log describes them
    changed: Callable | None = None

    def describe_events(self, state, tables, scenario) -> list[str]:
        """Describe the effects of the last `apply`, one line per event; internal events are omitted.

        See `simcore.game.Engine`.
        """
        log = state["events"][: state["n_events"]]
        return [line for row in log if (line := self.event_line(scenario, *map(int, row)))]


def table(
    turn: int, deciding: str, counters: dict[str, float | str], zones: Iterable[dict]
) -> dict[str, Any]:
    """Return a state as a table with all cards face up.

    deciding: the next player to decide; "" after the end.
    """
    return {"turn": int(turn), "deciding": deciding, "counters": counters, "zones": list(zones)}


def zone(name: str, things: Iterable[dict], *, note: str = "", shape: Shape = Shape.LIST) -> dict[str, Any]:
    """Return a zone: a hand, a pile, a castle, or a place with its pawns."""
    return {"zone": name, "note": note, "shape": shape.value, "things": list(things)}


def thing(name: str, short: str = "", *, at: str = "", look: str = "") -> dict[str, str]:
    """Return a card or a piece for a zone of a page.

    short: a few letters for a small picture. at: its place; "" if the zone shows it.

    look: words for its appearance (`side-0` to `side-5`, `spent`, `hurt`, `hidden`), separated by spaces.
    """
    return {"name": name, "short": short or name, "at": at, "look": look}


def copies(name: str, n: int, short: str = "", look: str = "") -> Iterable[dict]:
    """Yield one thing that represents `n` equal things, such as `Axe man x2`. Yields nothing if `n` is 0."""
    n = int(n)
    if n:
        times = f" x{n}" if n > 1 else ""
        yield thing(name + times, (short or name) + times, look=look)


def pile(name: str, cards: Iterable[str]) -> dict[str, Any]:
    """Return a pile that a tester stacks before the game, top card first."""
    return {"pile": name, "cards": list(cards)}
