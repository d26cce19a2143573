"""What a game shows to who watches one: the table after each decision, and the section of the rules it is
played by.

Plain Python: play never reads it.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Shape(StrEnum):
    """How the things of a zone lie."""

    LIST = "list"  # in no order
    PILE = "pile"  # one on the other, the first on top
    GRID = "grid"  # `at` is "(row, column)", row 0 at the bottom
    BOARD = "board"  # `at` begins with the name of a place of the board


class Shown(StrEnum):
    """What an event shows."""

    DICE = "dice"
    CARD = "card"
    LOSS = "loss"
    NONE = ""


@dataclass(frozen=True, eq=False)
class Scene:
    """A game for a page to watch. `snapshot` gives the same keys for every game (`table`)."""

    snapshot: Callable  # (state, tables, scenario) -> dict: `table`
    act_rule: Callable  # (state, action) -> str: the section of RULES.md that an action is played by
    event_line: Callable  # (scenario, event, a, b, c) -> str: one entry of the log, "" for one nobody is told
    event_rules: dict[int, str]  # event -> section of RULES.md
    # (state, tables, scenario) -> list[dict]: `pile` of all that lies ready after the set-up; None: nothing
    deal: Callable | None = None
    marks: dict[int, Shown] = field(default_factory=dict)  # event -> what it shows

    def describe_events(self, state, tables, scenario) -> list[str]:
        """What the last `apply` set in motion, one line an event (`simcore.game.Engine`)."""
        log = state["events"][: state["n_events"]]
        return [line for row in log if (line := self.event_line(scenario, *map(int, row)))]


def table(turn: int, deciding: str, counters: dict[str, int | str], zones: Iterable[dict]) -> dict[str, Any]:
    """A state as it lies on the table, everything face up. deciding: who decides next, "" when it is over."""
    return {"turn": int(turn), "deciding": deciding, "counters": counters, "zones": list(zones)}


def zone(name: str, things: Iterable[dict], *, note: str = "", shape: Shape = Shape.LIST) -> dict[str, Any]:
    """A hand, a pile, a castle, a place with its pawns."""
    return {"zone": name, "note": note, "shape": shape.value, "things": list(things)}


def thing(name: str, short: str = "", *, at: str = "", look: str = "") -> dict[str, str]:
    """A card or a piece. short: a few letters for a small picture; at: where, "" where the zone says so.

    look: words for its appearance (`side-0` to `side-5`, `spent`, `hurt`, `hidden`), parted by a space.
    """
    return {"name": name, "short": short or name, "at": at, "look": look}


def copies(name: str, n: int, short: str = "", look: str = "") -> Iterable[dict]:
    """As many of a kind as there are, in one thing: `Axe man x2`."""
    n = int(n)
    if n:
        times = f" x{n}" if n > 1 else ""
        yield thing(name + times, (short or name) + times, look=look)


def pile(name: str, cards: Iterable[str]) -> dict[str, Any]:
    """A pile for a table to stack, top card first."""
    return {"pile": name, "cards": list(cards)}
