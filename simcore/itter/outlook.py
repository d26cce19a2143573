"""What a guess at the winner looks at (`simcore.game.Outlook`): the clock, the points so far, how near the SS
are, and what the defenders have left.
"""

from bartizan.simcore.compile.jit import jit
from bartizan.simcore.game import Outlook
from bartizan.simcore.itter.components import (
    CARD_KINDS,
    COLOURS,
    LOCATIONS,
    NONE,
    Attribute,
    CardKind,
    Stage,
    Status,
)
from bartizan.simcore.itter.rules.board import has, location_of, on_board
from bartizan.simcore.itter.rules.counters import usable_tokens
from bartizan.simcore.itter.rules.planning import SS
from bartizan.simcore.itter.scoring import (
    count_french,
    count_others,
    count_reserve,
    counters_left,
    final_score,
    has_escaped,
)
from bartizan.simcore.itter.tables import AREAS

CLOCK = (
    "time gone",
    "cards left",
    "actions left",
    "cards of the turn left",
    "142nd shuffled in",
    "cards it may be",
    "somebody acts",
    "SS plans",
    "SS hand",
)
POINTS = (
    "score",
    "counters",
    "French outside",
    "French in the Cellar",
    "others",
    "reserve",
    "escaped",
    "tank destroyed",
    "tank destroyed empty",
    "loaded",
)
DANGER = (
    "tracks full",
    "tracks with 1 free",
    "2 free",
    "3 free",
    "leak",
    "leak of 1 free",
    "asked for tokens",
    "for a full track",
    "for one with 1 free",
    "tokens may fail",
    "guns",
)
PEOPLE = ("fit", "disrupted", "exhausted", "spent", "officers", "inspirers", "dice", "suppression")
COLOUR = ("tokens", "full tracks", "tracks with 1 free")
LOCATION = ("people", "disrupted", "defence")
MOST_DICE = 39


@jit
def write(state, tables, out):
    """Modifies `out`."""
    n = write_clock(state, tables, out, 0)
    n = write_points(state, tables, out, n)
    n = write_people(state, tables, out, n)
    n = write_danger(state, tables, out, n)
    write_cards(state, tables, out, n)


@jit
def write_clock(state, tables, out, n):
    left = state.deck_size - state.deck_next
    out[n] = state.deck_next / max(state.deck_size, 1)
    out[n + 1] = left
    out[n + 2] = tables.defender_actions - state.actions
    out[n + 3] = (
        tables.ss_cards - state.cards_turned
        if state.stage == Stage.SPEND or state.stage >= Stage.SACRIFICE
        else 0
    )
    out[n + 4] = state.regiment_in
    out[n + 5] = state.deck_size - max(state.deck_next, state.regiment_from) if state.regiment_in else 0
    out[n + 6] = state.stage == Stage.ACT or state.stage == Stage.COMMAND
    out[n + 7] = state.to_move
    out[n + 8] = state.ss_hand_size
    return n + len(CLOCK)


@jit
def write_points(state, tables, out, n):
    out[n] = final_score(state, tables)
    out[n + 1] = counters_left(state, tables)
    out[n + 2] = count_french(state, tables, False)
    out[n + 3] = count_french(state, tables, True)
    out[n + 4] = count_others(state, tables)
    out[n + 5] = count_reserve(state, tables)
    out[n + 6] = has_escaped(state, tables)
    out[n + 7] = state.tank_destroyed
    out[n + 8] = state.tank_empty
    out[n + 9] = state.loaded
    return n + len(POINTS)


@jit
def write_people(state, tables, out, n):
    places = n + len(PEOPLE)
    for i in range(n, places + len(LOCATION) * LOCATIONS):
        out[i] = 0.0
    for location in range(tables.n_locations):
        out[places + 2 * LOCATIONS + location] = state.defence[location]
    for d in range(tables.n_defenders):
        if on_board(state, d):
            status = state.status[d]
            is_disrupted = (status & Status.DISRUPTED) != 0
            out[n] += status == 0
            out[n + 1] += is_disrupted
            out[n + 2] += (status & Status.EXHAUSTED) != 0
            out[n + 3] += (status & (Status.ACTED | Status.COMMANDED)) != 0
            out[n + 4] += has(tables, d, Attribute.OFFICER)
            out[n + 5] += has(tables, d, Attribute.INSPIRE)
            out[n + 6] += tables.attack[d]
            out[n + 7] += tables.suppress[d]
            location = location_of(state, tables, d)
            out[places + location] += 1
            out[places + LOCATIONS + location] += is_disrupted
    return places + len(LOCATION) * LOCATIONS


@jit
def write_danger(state, tables, out, n):
    """A counter that comes to a track without a free circle breaks through (4.3c), unless the tokens of its
    colour stop it.
    """
    colours = n + len(DANGER)
    areas = colours + len(COLOUR) * COLOURS
    for i in range(n, areas):
        out[i] = 0.0
    for colour in range(tables.n_colours):
        out[colours + colour] = state.tokens[colour]
    for i in range(len(tables.areas)):
        area = tables.areas[i]
        free, colour, landing = (
            free_circles(state, tables, area),
            tables.circle_colour[area],
            tables.landing[area],
        )
        out[areas + i] = free
        if free < 4:
            out[n + free] += landing
        if free < 2:
            out[n + 4 + free] += landing * miss(state, tables, colour)
            out[colours + (1 + free) * COLOURS + colour] += landing
        out[n + 10] += state.guns[tables.gun_kinds[0], area] + state.guns[tables.gun_kinds[1], area]
    if state.stage == Stage.SPEND:
        free = free_circles(state, tables, state.area)
        out[n + 6] = 1.0
        out[n + 7], out[n + 8] = free == 0, free == 1
        out[n + 9] = (free == 0) * (
            1.0 - tables.hit[min(usable_tokens(state, tables), MOST_DICE), tables.defence[state.kind]]
        )
    return areas + AREAS


@jit
def write_cards(state, tables, out, n):
    """What is still to come, by kind of card: the draw pile, and the cards of the SS player."""
    for i in range(CARD_KINDS):
        out[n + i] = 0.0
    for i in range(state.deck_next, state.deck_size):
        if state.deck[i] < tables.n_cards:
            out[n + tables.card_kind[state.deck[i]]] += 1
    for card in range(tables.n_cards):
        out[n + tables.card_kind[card]] += state.ss_hand[card]


@jit
def free_circles(state, tables, area):
    """From an area to the castle, its own included."""
    free, circle = 0, area
    while circle != 0:
        free += state.counter[circle] == NONE
        circle = tables.next[circle]
    return free


@jit
def miss(state, tables, colour):
    """Chance that all tokens of a colour together do not stop the next counter, of any kind that is left."""
    dice = min(state.tokens[colour], MOST_DICE)
    missed, there = 0.0, 0.001
    for kind in range(tables.n_kinds):
        if tables.advances[kind]:
            missed += state.supply[kind] * (1.0 - tables.hit[dice, tables.defence[kind]])
            there += state.supply[kind]
    return missed / there


def _numbered(names: tuple[str, ...], what: str, n: int) -> list[str]:
    return [f"{name} of {what} {i + 1}" for name in names for i in range(n)]


CARDS = tuple(
    f"cards left: {CardKind(kind).name}" if kind in list(CardKind) else f"cards left of kind {kind}"
    for kind in range(CARD_KINDS)
)


def open_to(seat, scenario):
    """What a player may know: all but, at times, which cards are still to come.

    What the SS player lays face down (6.2b) would show by its absence; with R-66 `drawn` nobody knows which
    cards are in the deck twice.
    """
    unknown = scenario.model.rulings.get("extra_cards") == "drawn"
    planned = scenario.model.is_competitive() and seat != SS
    return tuple(name for name in OUTLOOK.names if name not in CARDS or not (unknown or planned))


OUTLOOK = Outlook(
    (
        *CLOCK,
        *POINTS,
        *PEOPLE,
        *_numbered(LOCATION, "location", LOCATIONS),
        *DANGER,
        *_numbered(COLOUR, "colour", COLOURS),
        *_numbered(("free circles",), "area", AREAS),
        *CARDS,
    ),
    write,
    open_to,
)
