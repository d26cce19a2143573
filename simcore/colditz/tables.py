"""The numbers of the scenario and the board as one record for compiled rules, constant during a game."""

from functools import cache

import numpy as np

from bartizan.simcore.arrays import as_records
from bartizan.simcore.colditz import components as cz
from bartizan.simcore.colditz.board import Board, read_board
from bartizan.simcore.colditz.board_tables import BOARD, board_tables, narrow_circles
from bartizan.simcore.colditz.schema import ColditzScenario
from bartizan.simcore.kit.dice import at_least, shot_distribution, throw_distribution, total_distribution
from bartizan.simcore.kit.tables import fill, record_of
from bartizan.simcore.scenario.loading import Scenario

CHANCES = 128

FIELDS = [
    ("board", BOARD),
    # scenario
    ("players", "i4", "players.allied"),
    ("pows", "i4", "team.pows"),
    ("guards", "i4", "team.guards"),
    ("outer_min", "i4", "posts.outer_min"),
    ("outer_max", "i4", "posts.outer_max"),
    ("post", "i1", (cz.SPACES,)),  # black circle: 1 inside, 2 outside, 0 not
    ("n_posts", "i4"),
    ("post_circle", "i2", (32,)),
    ("narrow", "u1", (cz.SPACES,)),  # Q14 corridors
    ("die_sides", "i4", "dice.sides"),
    ("roll_cap", "i4"),
    ("n_draws_on", "i4"),
    ("draws_on", "i1", (8,)),
    ("hand_limit", "i4", "hand.limit"),
    ("max_gives", "i4", "turn.gives"),
    ("rounds", "i4", "limit.rounds"),
    ("race", "u1"),  # 10.4
    ("race_target", "i4", "result.target"),
    ("car_throws", "i4", "staff_car.throws"),
    ("car_distance", "i4", "staff_car.distance"),
    ("cells", "i4", (2,)),
    # for policies: probabilities by number of steps
    ("reach", "f8", (CHANCES,)),  # one throw reaches that far
    ("shot", "f8", (CHANCES,)),  # a Shoot to Kill
    ("stake", "f8", (CHANCES,)),  # a Do or Die card drawn from the full deck
    # cards
    ("equipment_count", "i1", (cz.EQUIPMENT,)),
    ("kit_count", "i4", "kit.count"),
    ("n_cards", "i4"),
    ("dealt", "i1", (cz.DECK,)),
    ("n_dealt", "i4"),
    ("half_items", "u1", (2,)),  # of the half Kit cards: bit s of Symbol.disguise + s
    ("half", "i1", (2,)),  # card index of the half Kit cards
    ("warning", "i4"),  # card indices, NONE when the deck has none
    ("bribe", "i1", (3,)),  # by number of cards
    ("diversion", "i4"),
    ("hideaway", "i4"),
    ("inspection", "i4"),
    ("equip", "i1", (cz.EQUIPMENT,)),
    ("fast", "i1", (cz.ROOMS,)),
    ("release", "i4"),
    ("sabotage", "i4"),
    ("car", "i4"),
    ("talisman", "i4"),
    ("open_tunnel", "i1", (cz.TUNNELS,)),
    ("n_orders", "i4"),
    ("order_dealt", "i1", (cz.DECK,)),
    ("n_order_dealt", "i4"),
    ("appel", "i4"),
    ("holder", "i1", (2,)),  # Key, Pass
    ("search", "i1", (cz.ROOMS,)),
    ("shoot", "i4"),
    ("detect", "i4"),
    ("stake_cards", "i1", (cz.STAKES,)),
    ("n_stakes", "i4"),
    # rulings: the index of the current reading
    *((key, "i1") for key in cz.READINGS),
]
TABLES = record_of(FIELDS)


def build_tables(scenario: Scenario) -> np.ndarray:
    """Return the scenario for compiled rules: a structured array (TABLES) of length 1."""
    array = np.zeros(1, TABLES)
    tables = as_records(array)[0]
    model = scenario.model
    array["board"] = board_tables(model.drop.feet_per_rope)
    board = read_board()
    fill(tables, FIELDS, model)
    for key, readings in cz.READINGS.items():
        tables[key] = readings[model.rulings[key]]
    tables.roll_cap = 3 if model.rulings["reroll_cap"] == "three" else 0
    tables.n_draws_on = len(model.dice.draws_on)
    tables.draws_on[: tables.n_draws_on] = model.dice.draws_on
    tables.race = model.result.form == "race"
    tables.cells = [model.cells.inner, model.cells.outer]
    for name, cards in model.equipment.items():
        tables.equipment_count[cz.Equipment[name]] = cards.count
    throws = [card.throws for card in model.do_or_die.values() for _ in range(card.count)]
    tables.n_stakes = len(throws)
    tables.stake_cards[: len(throws)] = throws
    _posts(tables, board)
    _chances(tables, model)
    _opportunity(tables, model, list(board.rooms), list(board.tunnels))
    _security(tables, model, list(board.rooms))
    if tables.guards_block == cz.GuardsBlock.corridors:
        tables.narrow[:] = narrow_circles(array["board"][0])
    return array


def _chances(t, m: ColditzScenario) -> None:
    stakes = tuple(map(int, t.stake_cards[: t.n_stakes]))
    t.reach[:], t.shot[:], t.stake[:] = _chances_of(m.dice.sides, t.roll_cap or None, stakes)


@cache
def _chances_of(sides: int, cap: int | None, stakes: tuple[int, ...]) -> tuple[np.ndarray, ...]:
    """Return the probabilities that three kinds of throw reach each distance: float64 [CHANCES] each.

    The throws are a single throw (an Appel), a Shoot to Kill, and a random Do or Die.

    stakes: number of throws of each Do or Die card.
    """
    throw = throw_distribution(sides, cap)
    cards = [at_least(total_distribution(throw, n), CHANCES) for n in stakes]
    return (
        at_least(throw, CHANCES),
        at_least(shot_distribution(sides, cap), CHANCES),
        np.mean(cards, axis=0) if cards else np.zeros(CHANCES),
    )


def _posts(t, board: Board) -> None:
    black = ["guard_post"] if t.covered_posts == cz.CoveredPosts.plain else ["guard_post", "guard_post?"]
    posts = sorted(c.id for c in board.circles.values() if c.kind in black)
    t.n_posts = len(posts)
    t.post_circle[: len(posts)] = posts
    for c in posts:
        t.post[c] = 1 if t.board.grey[c] else 2


# Fields of TABLES with the index of an Opportunity card, NONE if the deck has none
SINGLE = {  # cards with only one kind: effect -> field
    "advance_warning": "warning",
    "diversion": "diversion",
    "hideaway": "hideaway",
    "inspection": "inspection",
    "release": "release",
    "sabotage": "sabotage",
    "staff_car": "car",
    "talisman": "talisman",
}
OPPORTUNITY = (*SINGLE.values(), "bribe", "half", "equip", "fast", "open_tunnel")
SECURITY = ("appel", "holder", "search", "shoot", "detect")  # as OPPORTUNITY, of Security cards


def _opportunity(t, m: ColditzScenario, rooms: list[str], tunnels: list[str]) -> None:
    t.n_cards = len(m.opportunity)
    for field in OPPORTUNITY:
        t[field] = cz.NONE
    for i, card in enumerate(m.opportunity.values()):
        if card.does in SINGLE:
            t[SINGLE[card.does]] = i
        elif card.does == "bribe":
            t.bribe[card.cards] = i
        elif card.does == "equip":
            t.equip[cz.Equipment[card.equipment]] = i
        elif card.does == "move_fast":
            t.fast[rooms.index(card.room)] = i
        elif card.does == "tunnel":
            t.open_tunnel[tunnels.index(card.tunnel)] = i
    # 4.10: the half Kit cards
    parts = [(i, card) for i, card in enumerate(m.opportunity.values()) if card.does == "kit_part"]
    for half, (i, card) in enumerate(parts):
        t.half[half] = i
        t.half_items[half] = sum(1 << (cz.Symbol[item] - cz.Symbol.disguise) for item in card.items)
    t.n_dealt = _deal(t.dealt, m.opportunity)


def _deal(dealt: np.ndarray, cards: dict) -> int:
    """Write the index of each card to `dealt`, once for each copy, and return the number of cards."""
    copies = [i for i, card in enumerate(cards.values()) for _ in range(card.count)]
    dealt[: len(copies)] = copies
    return len(copies)


def _security(t, m: ColditzScenario, rooms: list[str]) -> None:
    t.n_orders = len(m.security)
    for field in SECURITY:
        t[field] = cz.NONE
    for i, card in enumerate(m.security.values()):
        if card.does == "holder":
            t.holder[int(card.equipment == "passes")] = i
        elif card.does == "search":
            t.search[rooms.index(card.room)] = i
        else:
            t[card.does] = i
    t.n_order_dealt = _deal(t.order_dealt, m.security)
