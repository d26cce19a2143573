"""Forbidden Island (Matt Leacock, Gamewright 2010): take four treasures and fly off before it sinks."""

from bartizan.short import *

players = (4, 2, 3)
together = True
source = "Forbidden Island, Gamewright 2010"
water = Number({"novice": 1, "normal": 2, "elite": 3, "legendary": 4}, 1, 9, source)
actions_each = Number(3, 1, 10, source)
hand_limit = Number(5, 1, 20, source)
to_capture = Number(4, 1, 5, source)
tiles = Deck("forbidden_island.csv", source=source)  # the flood deck
washed, gone = Pile(tiles), Pile(tiles)
treasures = Deck("forbidden_island_treasures.csv", source=source)
hand, discards = Hand(treasures, seen="open"), Pile(treasures)
roles = Deck({"Explorer": 1, "Pilot": 1, "Engineer": 1, "Messenger": 1, "Navigator": 1, "Diver": 1})
role = Pile(roles, 1, each=True)
land = Grid(6, 6)  # 0: sea, else as follows
SUNK, FLOODED, DRY = 1, 2, 3
tile = Grid(6, 6)  # which tile lies in a cell
cell_of = Row(24)  # and where a tile lies
place = Tokens()  # the cell of each pawn
captured = Row(4)
mark = Counter()  # on the water meter
turn_of, left, floods = Counter(), Counter(), Counter()  # actions left, flood cards to come
acting, second, flown = Counter(), Counter(), Counter()  # second: an Engineer may shore up once more
phases = ["acting", "discarding", "swimming"]


def setup(s, n):
    s.mark = n.water
    cell = 0
    for card in cards(s.tiles):
        while abs(2 * row_of(s.land, cell) - 5) + abs(2 * column_of(s.land, cell) - 5) > 6:
            cell += 1
        lay(s.land, cell, DRY)
        lay(s.tile, cell, card)
        s.cell_of[card] = cell
        cell += 1
    shuffle(s, s.tiles)
    for _ in range(6):
        lay(s.land, s.cell_of[draw(s.tiles, s.washed)], FLOODED)
    deal(s, s.roles, s.role, 1)
    for p in range(s.players):
        s.place[p] = s.cell_of[top(s.role[p])]  # the first six tiles are where the six roles begin
        while size(s.hand[p]) < 2:
            if draw(s.treasures, s.hand[p]) == WATERS_RISE:
                move(s.hand[p], WATERS_RISE, s.treasures)
                shuffle(s, s.treasures)


def start_turn(s, n):
    s.turn_of, s.left, s.acting = s.me, n.actions_each, 1
    s.second, s.flown, s.floods = 0, 0, 0


def after_action(s, n):
    while s.end_reason == 0 and not _waits(s, n):
        if s.acting:
            s.acting = 0
            _draw_treasures(s)
            s.floods = 2 + (s.mark > 2) + (s.mark > 5) + (s.mark > 7)
        elif s.floods > 0:
            s.floods -= 1
            _flood(s, n)
        else:
            pass_to(s, player_after(s, s.turn_of))
            return


def _waits(s, n):
    for p in range(s.players):
        if at(s.land, s.place[p]) == SUNK:
            s.me, s.phase = p, SWIMMING
            return True
    for p in range(s.players):
        if size(s.hand[p]) > n.hand_limit:
            s.me, s.phase = p, DISCARDING
            return True
    s.me, s.phase = s.turn_of, ACTING
    special = who_has(s, s.hand, SANDBAGS) != NONE or who_has(s, s.hand, HELICOPTER_LIFT) != NONE
    return s.acting == 1 and s.left >= 0 and (s.left > 0 or s.second == 1 or special)


def _draw_treasures(s):
    for _ in range(2):
        if draw_or_reshuffle(s, s.treasures, s.discards, s.hand[s.me]) == WATERS_RISE:
            move(s.hand[s.me], WATERS_RISE, s.discards)
            s.mark += 1
            shuffle(s, s.washed)
            move_all(s.washed, s.tiles)
    if s.mark > 9:
        lose(s, "the water is too high")


def _flood(s, n):
    card = draw_or_reshuffle(s, s.tiles, s.washed, s.washed)
    cell = s.cell_of[card]
    lay(s.land, cell, at(s.land, cell) - 1)
    if at(s.land, cell) == FLOODED:
        return
    move(s.washed, card, s.gone)
    other = s.cell_of[card ^ 1]  # the two tiles of a treasure follow one another
    if _matters(s, n, cell) and card != FOOLS_LANDING and at(s.land, other) == SUNK:
        lose(s, "a treasure is lost")
    if card == FOOLS_LANDING:
        lose(s, "Fools' Landing is lost")
    for p in range(s.players):
        if s.place[p] == cell and _shore(s, p) == NONE:
            lose(s, "a player drowns")


def _shore(s, p):
    """A tile that a player can swim to."""
    for to in range(36):
        if _swims(s, p, to):
            return to
    return NONE


def _swims(s, p, to):
    if at(s.land, to) < FLOODED or _is(s, p, PILOT) or _near(s, p, to):
        return at(s.land, to) >= FLOODED
    for cell in range(36):
        nearer = distance(s.land, s.place[p], cell) < distance(s.land, s.place[p], to)
        if nearer and at(s.land, cell) >= FLOODED:
            return False
    return _is(s, p, DIVER)


def _is(s, p, role):
    return top(s.role[p]) == role


def _near(s, p, cell):
    """Is a cell next to a pawn, aslant for the Explorer?"""
    return adjacent(s.land, s.place[p], cell, _is(s, p, EXPLORER))


def _can_act(s):
    return s.phase == ACTING and s.left > 0


def _spend(s):
    s.left -= 1
    s.second = 0


def can_walk(s, n, to):
    if not _can_act(s) or at(s.land, to) < FLOODED or to == s.place[s.me]:
        return False
    if _near(s, s.me, to) or (_is(s, s.me, PILOT) and not s.flown):
        return True
    return _is(s, s.me, DIVER) and steps(s.land, s.place[s.me], to, SUNK, FLOODED) != NONE


def walk(s, n, to: land):
    s.flown = s.flown or (_is(s, s.me, PILOT) and not _near(s, s.me, to))
    s.place[s.me] = to
    _spend(s)


def can_shore_up(s, n, cell):
    can = _can_act(s) or (s.phase == ACTING and s.second)
    return can and at(s.land, cell) == FLOODED and (cell == s.place[s.me] or _near(s, s.me, cell))


def shore_up(s, n, cell: land):
    lay(s.land, cell, DRY)
    s.left -= not s.second
    s.second = not s.second and _is(s, s.me, ENGINEER)


def can_give(s, n, card, target):
    together = s.place[target] == s.place[s.me] or _is(s, s.me, MESSENGER)
    return _can_act(s) and card <= OCEANS_CHALICE and together


def give(s, n, card: hand, target: others):
    move(s.hand[s.me], card, s.hand[target])
    _spend(s)


def can_capture(s, n, treasure):
    here = n.treasure[at(s.tile, s.place[s.me])] == treasure and not s.captured[treasure]
    return _can_act(s) and here and count(s.hand[s.me], treasure) >= n.to_capture


def capture(s, n, treasure: range(4)):
    for _ in range(n.to_capture):
        move(s.hand[s.me], treasure, s.discards)
    s.captured[treasure] = 1
    _spend(s)


def can_steer(s, n, target, to):
    if not _can_act(s) or not _is(s, s.me, NAVIGATOR) or at(s.land, to) < FLOODED:
        return False
    return 1 <= steps(s.land, s.place[target], to, FLOODED, DRY) <= 2


def steer(s, n, target: others, to: land):
    s.place[target] = to
    _spend(s)


def can_sandbag(s, n, cell):
    return s.phase != SWIMMING and at(s.land, cell) == FLOODED and who_has(s, s.hand, SANDBAGS) != NONE


def sandbag(s, n, cell: land):
    move(s.hand[who_has(s, s.hand, SANDBAGS)], SANDBAGS, s.discards)
    lay(s.land, cell, DRY)


def can_lift(s, n, group, to):
    if s.phase == SWIMMING or at(s.land, to) < FLOODED or who_has(s, s.hand, HELICOPTER_LIFT) == NONE:
        return False
    for p in range(s.players):
        for q in range(s.players):
            if group >> p & group >> q & 1 and (s.place[p] != s.place[q] or s.place[p] == to):
                return False
    return group < 1 << s.players


def lift(s, n, group: range(1, 16), to: land):  # group: a bit for each pawn, all of one tile
    move(s.hand[who_has(s, s.hand, HELICOPTER_LIFT)], HELICOPTER_LIFT, s.discards)
    for p in range(s.players):
        s.place[p] = to if group >> p & 1 else s.place[p]


def can_escape(s, n):
    here = times(s.place[: s.players], s.cell_of[FOOLS_LANDING]) == s.players
    return (
        here and s.phase != SWIMMING and s.captured.sum() == 4 and who_has(s, s.hand, HELICOPTER_LIFT) != NONE
    )


def escape(s, n):
    move(s.hand[who_has(s, s.hand, HELICOPTER_LIFT)], HELICOPTER_LIFT, s.discards)
    win(s, s.me, "away with all treasures")


def can_drop(s, n, card):
    return s.phase == DISCARDING


def drop(s, n, card: hand):
    move(s.hand[s.me], card, s.discards)


def can_swim(s, n, to):
    return s.phase == SWIMMING and _swims(s, s.me, to)


def swim(s, n, to: land):
    s.place[s.me] = to


def can_rest(s, n):
    return s.phase == ACTING


def rest(s, n):
    s.left = NONE


def _matters(s, n, cell):
    treasure = n.treasure[at(s.tile, cell)]
    return cell == s.cell_of[FOOLS_LANDING] or (treasure < 4 and not s.captured[treasure])


def _collector(s, treasure):
    """Who has most cards of a treasure."""
    best = 0
    for p in range(1, s.players):
        if count(s.hand[p], treasure) > count(s.hand[best], treasure):
            best = p
    return best


def _urgent(s, n, cell):
    last = cell == s.cell_of[FOOLS_LANDING] or at(s.land, s.cell_of[at(s.tile, cell) ^ 1]) == SUNK
    return last and _matters(s, n, cell) and at(s.land, cell) == FLOODED


def _wish(s, n, cell):
    """How much a player wants to be in a cell: with a set on its tile, where it floods, with a collector."""
    tile, wish = at(s.tile, cell), 1 + 9 * s.captured.sum() // 4 * (cell == s.cell_of[FOOLS_LANDING])
    if at(s.land, cell) == FLOODED:
        wish = max(wish, 2 + _matters(s, n, cell) + 3 * _urgent(s, n, cell))
    for card in cards(s.hand[s.me]):
        if card <= OCEANS_CHALICE and not s.captured[card]:
            ready = n.treasure[tile] == card and count(s.hand[s.me], card) >= n.to_capture
            other = _collector(s, card)
            wish = max(wish, 7 * ready, 4 * (other != s.me and s.place[other] == cell))
    return 2 * wish - distance(s.land, s.place[s.me], cell)


def _toward(s, n):
    """The cell one can go or swim to that is nearest to the one most wished for; NONE where one stays."""
    best, goal, most = NONE, NONE, 0
    for cell in range(36):
        if at(s.land, cell) > SUNK and cell != s.place[s.me] and _wish(s, n, cell) > most:
            goal, most = cell, _wish(s, n, cell)
    for to in range(36):
        if can_walk(s, n, to) or can_swim(s, n, to):
            away = steps(s.land, to, goal, FLOODED, DRY)
            if best == NONE or 0 <= away < steps(s.land, best, goal, FLOODED, DRY):
                best = to
    return best


def crew(s, n):
    """Captures, shores up what matters, gives cards to who collects them, and goes where it is needed."""
    if can_escape(s, n):
        return ESCAPE
    for treasure in range(4):
        if can_capture(s, n, treasure):
            return CAPTURE(treasure)
    for cell in range(36):
        if can_shore_up(s, n, cell) and (_matters(s, n, cell) or s.left == 1):
            return SHORE_UP(cell)
        if can_sandbag(s, n, cell) and (_urgent(s, n, cell) or s.phase == DISCARDING):
            return SANDBAG(cell)
    worst, least = NONE, 99
    for card in cards(s.hand[s.me]):
        target = _collector(s, card)
        if target != s.me and can_give(s, n, card, target) and count(s.hand[target], card) < n.to_capture:
            return GIVE(card, target)
        worth = 9 if card > OCEANS_CHALICE else 2 * count(s.hand[target], card) + (target == s.me)
        if worth < least or (card <= OCEANS_CHALICE and s.captured[card]):
            worst, least = card, worth
    if s.phase == DISCARDING:
        return DROP(worst)
    to = _toward(s, n)
    if s.phase == SWIMMING:
        return SWIM(to)
    waits = s.captured.sum() == 4 and s.place[s.me] == s.cell_of[FOOLS_LANDING]
    return REST if waits or to == NONE or not can_walk(s, n, to) else WALK(to)
