"""The reference policy `plain` of Castle, written from simcore/castle/REFERENCE_POLICY.md for the naive twin only.

Section numbers are those of that text. The policy looks at the twin's objects and returns the next action code.
"""

from tests.naive import castle_twin as twins
from tests.naive.castle_twin import CastleTwin, code, row_of, square_at, suit_of

COLUMNS = range(9)
CASTLE_ORDER = [square_at(row, column) for row in (3, 2, 1, 0) for column in COLUMNS]
PLACE_ORDER = [square_at(row, column) for row in (1, 2, 3, 0) for column in COLUMNS]
COURT = [square_at(0, column) for column in COLUMNS]
LAYOUT = [square_at(*cell) for cell in [(0, 4), (0, 5), (0, 6), (1, 4), (1, 5), (1, 6), (0, 3), (0, 7)]]
ATTACK_FIRST = range(7, 11)  # 3, step 3, and a dead royal with its value of 10; of the others but the Ace step 4


def plain(twin: CastleTwin) -> int:
    p = twin.to_move
    if twin.stage == twins.S_SETUP:  # 2
        return code(twins.PLACE, LAYOUT[len(twin.castle[p])])
    if twin.stage == twins.S_CARD:
        return drawn_card(twin, p)
    if twin.stage == twins.S_TARGET:
        target = next_target(twin, p)
        return code(twins.END) if target is None else code(twins.ATTACK, target)
    if twin.stage == twins.S_RAM:  # 6: the next opponent, from left to right
        return code(twins.RAM, 2 * twin.next_living(p))
    if twin.stage in (twins.S_REMOVE, twins.S_OWN):  # 5.6, 8: the first in castle order
        kind = twins.REMOVE if twin.stage == twins.S_REMOVE else twins.OWN
        return next(action for action in (code(kind, s) for s in CASTLE_ORDER) if action in twin.legal_actions())
    # what is never done (no spying, rallying or closing of gaps), and the order in which cards came, are listed first
    return twin.legal_actions()[0]


def drawn_card(twin: CastleTwin, p: int) -> int:
    """3, steps 2 to 4."""
    card = twin.drawn
    if twin.power(card) == "ace":
        return code(twins.LEAD)
    target, square = ordinary_target(twin, p, suit_of(card)), free_square(twin, p)
    if target is not None and (twin.value(card) in ATTACK_FIRST or square is None):
        return code(twins.LEAD) if twin.power(card) == "spy" else code(twins.ATTACK, target)
    return code(twins.DISCARD) if square is None else code(twins.PLACE, square)


def free_square(twin: CastleTwin, p: int) -> int | None:
    """3, "Place"."""
    castle = twin.castle[p]
    beside_one = (s for s in PLACE_ORDER if s not in castle and any(near in castle for near in twins.neighbours(s)))
    return next(beside_one, None)


def ordinary_target(twin: CastleTwin, p: int, suit: int) -> int | None:
    """3, "Ordinary target"."""
    found = (q * twins.CASTLE + s for q in twin.opponents(p) for s in [first_reachable(twin, q, suit)] if s is not None)
    return next(found, None)


def first_reachable(twin: CastleTwin, q: int, suit: int) -> int | None:
    reachable = twin.reachable(q)
    return next((s for s in CASTLE_ORDER if s in reachable and not is_barred(twin, q, s, suit)), None)


def is_barred(twin: CastleTwin, q: int, square: int, suit: int) -> bool:
    """1: a revealed royal of the lead's suit."""
    is_royal = twin.royal_at(q, square) != twins.NOTHING
    return is_royal and square in twin.revealed[q] and suit_of(twin.castle[q][square]) == suit


def next_target(twin: CastleTwin, p: int) -> int | None:
    attack = twin.attack
    suit = suit_of(attack.lead)
    if attack.by == twins.BY_ASSASSIN:
        return assassins_target(twin, twin.next_living(p), suit)
    if attack.by == twins.BY_ARCHERS:  # 6: the first revealed card in outer order
        revealed = (q * twins.CASTLE + s for q in twin.opponents(p) for s in CASTLE_ORDER if s in twin.revealed[q])
        return next(target for target in revealed if row_of(target % twins.CASTLE) > 0)
    if attack.heading == twins.NOTHING:  # the first target of a lead that is named before it: an eight, an own card
        return ordinary_target(twin, p, suit)
    return follow_up(twin, p, suit)


def follow_up(twin: CastleTwin, p: int, suit: int) -> int | None:
    """4 d."""
    q, fought = divmod(twin.target, twins.CASTLE)
    won = twin.attack.won_square
    if not twin.alive[q]:
        return ordinary_target(twin, p, suit)
    if fought in twin.castle[q]:
        return twin.target
    square = first_reachable(twin, q, suit) if won == twins.NOTHING else card_met(twin, q, won, suit)
    return None if square is None else q * twins.CASTLE + square


def card_met(twin: CastleTwin, q: int, won: int, suit: int) -> int | None:
    """4 d: the first card met to the left, to the right or downward of W."""
    row, column = row_of(won), twins.column_of(won)
    ways = (
        [square_at(row, c) for c in range(column - 1, -1, -1)],
        [square_at(row, c) for c in range(column + 1, len(COLUMNS))],
        [square_at(r, column) for r in range(row - 1, -1, -1)],
    )
    met = (next((s for s in way if s in twin.castle[q]), None) for way in ways)
    return next((s for s in met if s is not None and not is_barred(twin, q, s, suit)), None)


def assassins_target(twin: CastleTwin, q: int, suit: int) -> int | None:
    """6, 8: each entry of the list names one card; a barred one is not replaced by its neighbour."""
    court = [s for s in COURT if s in twin.castle[q]]
    revealed = [s for s in court if s in twin.revealed[q]]
    entries = (
        [s for s in revealed if twin.royal_at(q, s) == twins.KING],
        [s for s in revealed if twin.royal_at(q, s) == twins.QUEEN],
        [s for s in court if s not in revealed],
        court,
    )
    square = next((cards[0] for cards in entries if cards and not is_barred(twin, q, cards[0], suit)), None)
    return None if square is None else q * twins.CASTLE + square
