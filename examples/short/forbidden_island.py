"""Forbidden Island (Matt Leacock, Gamewright 2010): take four treasures and fly off before it sinks."""

from bartizan.short import *

players = (4, 2, 3)
together = True
source = "rulebook of Forbidden Island, Gamewright 2010"
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
land, tile = Grid(6, 6), Grid(6, 6)  # 0: sea, else as follows; and which tile lies in a cell
SUNK, FLOODED, DRY = 1, 2, 3
cell_of, captured, place = Row(24), Row(4), Tokens()  # cells of tiles, treasure by treasure, and of pawns
turn_of, left, floods, mark = Counter(), Counter(), Counter(), Counter()  # mark: on the water meter
acting, second, flown = Counter(), Counter(), Counter()  # second: an Engineer may shore up once more
phases = ["acting", "discarding", "swimming"]


def setup(s, n):
    s.mark, cell = n.water, 0
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
    s.turn_of, s.left, s.acting, s.second, s.flown, s.floods = s.me, n.actions_each, 1, 0, 0, 0
    _waits(s, n)  # hands may be above the limit from the start


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
    if _matters(s, n, cell) and card != FOOLS_LANDING and at(s.land, s.cell_of[card ^ 1]) == SUNK:
        lose(s, "a treasure is lost")
    if card == FOOLS_LANDING:
        lose(s, "Fools' Landing is lost")
    for p in range(s.players):
        if s.place[p] == cell and _shore(s, p) == NONE:
            lose(s, "a player drowns")


def _shore(s, p):
    """Return a tile that a player can swim to; NONE if there is none."""
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
    """Return whether a cell is next to a pawn; for the Explorer, diagonally too."""
    return adjacent(s.land, s.place[p], cell, _is(s, p, EXPLORER))


def _can_act(s):
    return s.phase == ACTING and s.left > 0


def _spend(s):
    s.left -= 1
    s.second = 0


def can_walk(s, n, to):
    can = _can_act(s) and at(s.land, to) >= FLOODED and to != s.place[s.me]
    near = _near(s, s.me, to) or (_is(s, s.me, PILOT) and not s.flown)
    return can and (near or (_is(s, s.me, DIVER) and steps(s.land, s.place[s.me], to, SUNK, FLOODED) != NONE))


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
    can = _can_act(s) and _is(s, s.me, NAVIGATOR) and at(s.land, to) >= FLOODED
    return can and 1 <= steps(s.land, s.place[target], to, FLOODED, DRY) <= 2


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
    here = times(s.place[: s.players], s.cell_of[FOOLS_LANDING]) == s.players and s.captured.sum() == 4
    return here and s.phase != SWIMMING and who_has(s, s.hand, HELICOPTER_LIFT) != NONE


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
    """Return the player with the most cards of a treasure."""
    best = 0
    for p in range(1, s.players):
        best = p if count(s.hand[p], treasure) > count(s.hand[best], treasure) else best
    return best


def _worry(s, n, cell):
    """Return the urgency of shoring up a flooded cell; it is higher if its card is back in the deck."""
    card, here = at(s.tile, cell), times(s.place[: s.players], cell) > 0
    worry, other = 4 if here else 2, at(s.land, s.cell_of[card ^ 1])
    if _matters(s, n, cell):
        worry = 20 if card == FOOLS_LANDING or other == SUNK else 3 if other == DRY else 6
    return worry * (3 if has(s.tiles, card) else 2) * (at(s.land, cell) == FLOODED)


def _gift(s, n, p, card):
    """Return the value of giving a card to its collector."""
    q = _collector(s, card)
    held, full = count(s.hand[q], card), size(s.hand[q]) >= n.hand_limit
    useful = card <= OCEANS_CHALICE and q != p and not s.captured[card % 4] and held < n.to_capture
    return (6 + 4 * held) * (useful and (not full or held == n.to_capture - 1))


def _gain(s, n, p, cell):
    """Return the value of the best action of a player in a cell: fly off, shore up, capture or give."""
    gain = 30 * (s.captured.sum() == 4 and cell == s.cell_of[FOOLS_LANDING])
    for near in range(36):
        if at(s.land, near) == FLOODED and (near == cell or adjacent(s.land, cell, near)):
            gain = max(gain, _worry(s, n, near))
    for card in cards(s.hand[p]):
        ready = n.treasure[at(s.tile, cell)] == card and count(s.hand[p], card) >= n.to_capture
        meets = s.place[_collector(s, card)] == cell or _is(s, p, MESSENGER)
        gain = max(gain, 40 * (ready and not s.captured[card % 4]), meets * _gift(s, n, p, card))
    return gain


def _away(s, p, start, cell):
    """Return the number of actions that a player needs from one cell to another; 9 if there is no way."""
    away = steps(s.land, start, cell, SUNK if _is(s, p, DIVER) else FLOODED, DRY)
    return 1 * (start != cell) if _is(s, p, PILOT) and not s.flown else 9 if away == NONE else away


def _goal(s, n, p):
    """Return the cell with the highest value minus the cost of the way."""
    goal, most = s.place[p], _gain(s, n, p, s.place[p])
    for cell in range(36):
        worth = _gain(s, n, p, cell) if at(s.land, cell) > SUNK else 0
        worth -= 2 * _away(s, p, s.place[p], cell) if worth > most else 0
        goal, most = (cell, worth) if worth > most else (goal, most)
    return goal


def crew(s, n):
    """Goes where it can capture, shore up an important tile, or give cards to their collector."""
    goal, shore, step, lifts = _goal(s, n, s.me), s.place[s.me], NONE, times(s.hand[:, 1:], HELICOPTER_LIFT)
    if can_escape(s, n):
        return ESCAPE
    for cell in range(36):
        if cell < 4 and can_capture(s, n, cell):
            return CAPTURE(cell)
        if can_sandbag(s, n, cell) and (_worry(s, n, cell) >= 40 or s.phase == DISCARDING):
            return SANDBAG(cell)
        if can_shore_up(s, n, cell) and _worry(s, n, cell) > _worry(s, n, shore):
            shore = cell
        if can_walk(s, n, cell) or can_swim(s, n, cell):
            step = cell if step == NONE or _away(s, s.me, cell, goal) < _away(s, s.me, step, goal) else step
    for p in range(s.players if lifts > (s.captured.sum() > 1) else 0):
        to = _goal(s, n, p)
        if can_lift(s, n, 1 << p, to) and _gain(s, n, p, to) >= 30 and _away(s, p, s.place[p], to) > 2:
            return LIFT(1 << p, to)
    worst, least, best, most = NONE, 99, NONE, 0
    for card in cards(s.hand[s.me]):
        held = count(s.hand[_collector(s, card)], card)
        worth = 0 if s.captured[card % 4] or held > n.to_capture else 2 * held + (_collector(s, card) == s.me)
        worth = 30 - 25 * (lifts > 1) if card == HELICOPTER_LIFT else 5 if card == SANDBAGS else worth
        worst, least = (card, worth) if worth < least else (worst, least)
        gift = _gift(s, n, s.me, card) * can_give(s, n, card, _collector(s, card))
        best, most = (card, gift) if gift > most else (best, most)
    stays = s.phase == ACTING and (step == NONE or goal == s.place[s.me])
    if can_shore_up(s, n, shore) and (s.second or (stays and _worry(s, n, shore) >= most)):
        return SHORE_UP(shore)
    if stays:
        return REST if best == NONE else GIVE(best, _collector(s, best))
    return DROP(worst) if s.phase == DISCARDING else SWIM(step) if s.phase == SWIMMING else WALK(step)
