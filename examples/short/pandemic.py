"""Pandemic (Matt Leacock, Z-Man Games 2013): find four cures before the diseases spread too far."""

from bartizan.short import *

players = (2, 3, 4)
together = True
source = "rulebook of Pandemic, Z-Man Games 2013"
epidemics = Number({"introductory": 4, "standard": 5, "heroic": 6}, 1, 6, source)
actions_each = Number(4, 1, 10, source)
cards_each = Number([4, 3, 2], 0, 6, source)  # at the start, for 2, 3 and 4 players
hand_limit = Number(7, 1, 20, source)
to_cure, scientist_needs = Number(5, 1, 7, source), Number(4, 1, 7, source)
rates = Number([2, 2, 2, 3, 3, 4, 4], 0, 9, source)  # cities infected each turn, by epidemics so far
cubes_each = Number(24, 10, 48, source)
most_outbreaks = Number(8, 1, 20, source)
most_stations = Number(6, 1, 48, source)
interrupt = Ruling(
    "Which events may be played between the second and third step of an epidemic?",
    ("resilient", "all"),
    "inferred: none between drawing and resolving a card; Resilient Population names these steps",
)

infections = Deck(
    "pandemic.csv", source=source
)  # a card for each city, and its neighbours from 1, 0 for none
dumped, immune = Pile(infections), Pile(infections)
outlook = Pile(infections, 6)  # cards that the Forecast shows
library = Deck("pandemic_players.csv", shuffled=False, source=source)  # the same cities in the same order
stock, heap = Pile(library, seen="nobody"), Pile(library, seen="nobody")
hand, discards, box = Hand(library, seen="open"), Pile(library), Pile(library)
planned = Pile(library, 1)  # the event on the card of the Contingency Planner
roles = Deck("pandemic_roles.csv", source=source)
role = Pile(roles, 1, each=True)
place, roads, station = Tokens(), Row(48), Row(48)  # roads: a bit for each neighbour
cubes, supply, cured = Grid(48, 4), Row(4), Row(4)
owed = Row(4)  # cards of a colour still to discard for its cure
outbreaks, struck = Counter(), Counter()  # struck: epidemics so far
active, left, flown = Counter(), Counter(), Counter()  # whose turn, actions left, the Expert's flight
drawn, pending, spreading = Counter(), Counter(), Counter()  # pending: epidemics that are not resolved
infected, quiet, passed = Counter(), Counter(), Counter()  # quiet: 2 for a night after the next
COLOURS = ("blue", "yellow", "black", "red")
phases = ["acting", "discarding", "paying", "arranging"]


def setup(s, n):
    for road in (n.road_1, n.road_2, n.road_3, n.road_4, n.road_5, n.road_6):
        for city in range(48):
            s.roads[city] |= 1 << road[city] >> 1
    s.supply[:], s.place[:], s.station[ATLANTA] = n.cubes_each, ATLANTA, 1
    for turn in range(9):
        _infect(s, n, draw(s.infections, s.dumped), 3 - turn // 3)
    deal(s, s.roles, s.role, 1)
    while move(s.library, EPIDEMIC, s.box):
        pass
    shuffle(s, s.library)
    deal(s, s.library, s.hand, n.cards_each[s.players - 2])
    for i in range(n.epidemics):  # equal heaps with an epidemic each, the smaller ones at the bottom
        for _ in range(size(s.library) // (n.epidemics - i)):
            draw(s.library, s.heap)
        move(s.box, EPIDEMIC, s.heap)
        shuffle(s, s.heap)
        move_all(s.heap, s.stock)
    first, most = 0, 0
    for p in range(s.players):
        for card in cards(s.hand[p]):
            first, most = (p, n.population[card]) if n.population[card] > most else (first, most)
    pass_to(s, first)


def start_turn(s, n):
    s.active, s.left, s.flown, s.drawn, s.infected, s.passed = s.me, n.actions_each, 0, 0, 0, 0


def after_action(s, n):
    medic = _city_of(s, MEDIC)
    for colour in range(4):
        if medic != NONE and s.cured[colour]:
            _remove(s, medic, colour, 3)
    while s.end_reason == 0 and not _waits(s, n):
        s.passed = 0
        if s.spreading:
            s.spreading, s.pending = 0, s.pending - 1
            shuffle(s, s.dumped)
            move_all(s.dumped, s.infections)
        elif s.pending > 0:
            s.spreading, s.struck = 1, s.struck + 1
            put(s.dumped, take(s.infections, 0))
            _infect(s, n, top(s.dumped), 3)
        elif not s.drawn:
            _draw_cards(s)
        elif s.infected < n.rates[s.struck] and s.quiet != 1 and size(s.infections) > 1:
            s.infected += 1
            _infect(s, n, draw(s.infections, s.dumped), 1)
        else:
            s.quiet //= 2
            pass_to(s, player_after(s, s.active))
            return


def _waits(s, n):
    """Is there anything to decide? Sets who decides, and the phase."""
    s.me, s.phase = s.active, ACTING
    if s.owed.sum() > 0:
        s.phase = PAYING
    elif not empty(s.outlook):
        s.phase = ARRANGING
    for p in range(s.players):
        if size(s.hand[p]) > n.hand_limit and s.phase == ACTING and s.pending == 0:
            s.me, s.phase = p, DISCARDING
    if s.phase != ACTING or s.left > 0:
        return True
    for event in range(AIRLIFT, EPIDEMIC):
        if not s.passed and _may_play(s, n, event):
            return True
    return False


def _draw_cards(s):
    if size(s.stock) < 2:
        lose(s, "no player cards are left")
    draw(s.stock, s.hand[s.active])
    draw(s.stock, s.hand[s.active])
    while move(s.hand[s.active], EPIDEMIC, s.box):
        s.pending += 1
    s.drawn, s.passed = 1, s.pending > 0  # no event between a draw and its epidemic


def _infect(s, n, city, number):
    """Place cubes in a city, and one on each neighbour of an outbreak; a city has one outbreak at most."""
    colour, waiting, done = n.colour[city], 0, 0
    for _ in range(number):
        waiting |= _cube(s, n, city, colour)
    while waiting and s.end_reason == 0:
        burst = waiting & -waiting  # the bit of the first city that waits
        waiting, done = waiting ^ burst, done | burst
        s.outbreaks += 1
        if s.outbreaks == n.most_outbreaks:
            lose(s, "too many outbreaks")
        for other in range(48):
            if s.roads[other] & burst and not done >> other & 1:
                waiting |= _cube(s, n, other, colour)


def _cube(s, n, city, colour):
    """Place a cube unless it is prevented. Returns the city's bit where an outbreak follows instead."""
    medic, guard = _city_of(s, MEDIC), _city_of(s, QUARANTINE_SPECIALIST)
    eradicated = s.cured[colour] and s.supply[colour] == n.cubes_each
    guarded = guard == city or (guard != NONE and s.roads[city] >> guard & 1)
    if eradicated or guarded or (medic == city and s.cured[colour]):
        return 0
    if s.cubes[city, colour] == 3:
        return 1 << city
    _remove(s, city, colour, -1)
    if s.supply[colour] == -1:
        lose(s, "no cubes are left")
    return 0


def _remove(s, city, colour, most):
    removed = min(most, s.cubes[city, colour])
    s.cubes[city, colour] -= removed
    s.supply[colour] += removed


def _is(s, p, who):
    return top(s.role[p]) == who


def _city_of(s, who):
    """The city of a role, NONE without."""
    p = who_has(s, s.role, who)
    return NONE if p == NONE else s.place[p]


def _acts(s):
    return s.phase == ACTING and s.left > 0


def _may_move(s, pawn, city):
    """A pawn of one's own; a Dispatcher's any."""
    return _acts(s) and city != s.place[pawn] and (pawn == s.me or _is(s, s.me, DISPATCHER))


def _go(s, pawn, city):
    s.place[pawn] = city
    s.left -= 1


def can_travel(s, n, pawn, city):
    here = s.place[pawn]
    meets = _is(s, s.me, DISPATCHER) and times(s.place[: s.players], city) > 0
    near = s.roads[here] >> city & 1 or (s.station[here] and s.station[city])
    return _may_move(s, pawn, city) and (near or meets)


def travel(s, n, pawn: everyone, city: kinds(infections)):  # drive, ferry, shuttle; a Dispatcher to any pawn
    _go(s, pawn, city)


def can_fly(s, n, pawn, card, city):
    here = s.place[pawn]
    expert = pawn == s.me and _is(s, pawn, OPERATIONS_EXPERT) and s.station[here] and not s.flown
    return _may_move(s, pawn, city) and card < AIRLIFT and (card == city or card == here or expert)


def fly(s, n, pawn: everyone, card: hand, city: kinds(infections)):  # direct or charter flight
    s.flown = s.flown or (card != city and card != s.place[pawn])
    move(s.hand[s.me], card, s.discards)
    _go(s, pawn, city)


def _may_found(s, n, city, old):
    """old: the station that moves when all are on the board, else the city itself."""
    all_used = s.station.sum() >= n.most_stations
    return not s.station[city] and (s.station[old] if all_used else old == city)


def _found(s, city, old):
    s.station[old] = 0
    s.station[city] = 1


def can_build(s, n, old):
    here = s.place[s.me]
    can = _acts(s) and (_is(s, s.me, OPERATIONS_EXPERT) or has(s.hand[s.me], here))
    return can and _may_found(s, n, here, old)


def build(s, n, old: kinds(infections)):
    if not _is(s, s.me, OPERATIONS_EXPERT):
        move(s.hand[s.me], s.place[s.me], s.discards)
    _found(s, s.place[s.me], old)
    s.left -= 1


def can_treat(s, n, colour):
    return _acts(s) and s.cubes[s.place[s.me], colour] > 0


def treat(s, n, colour: COLOURS):
    _remove(s, s.place[s.me], colour, 3 if s.cured[colour] or _is(s, s.me, MEDIC) else 1)
    s.left -= 1


def can_give(s, n, giver, taker, card):
    met = giver != taker and s.me in (giver, taker) and s.place[giver] == s.place[taker]
    right = card == s.place[giver] or _is(s, giver, RESEARCHER)
    return _acts(s) and met and right and has(s.hand[giver], card)


def give(s, n, giver: everyone, taker: everyone, card: kinds(infections)):  # share knowledge
    move(s.hand[giver], card, s.hand[taker])
    s.left -= 1


def _lacks(s, n, p, colour):
    """How many cards a player lacks for a cure."""
    held = 0
    for card in cards(s.hand[p]):
        held += n.colour[card] == colour
    return (n.scientist_needs if _is(s, p, SCIENTIST) else n.to_cure) - held


def can_cure(s, n, colour):
    return _acts(s) and s.station[s.place[s.me]] and not s.cured[colour] and _lacks(s, n, s.me, colour) <= 0


def cure(s, n, colour: COLOURS):
    s.cured[colour] = 1
    s.owed[colour] = n.scientist_needs if _is(s, s.me, SCIENTIST) else n.to_cure
    s.left -= 1
    if s.cured.sum() == 4:
        win(s, s.me, "four cures")


def can_plan(s, n, card):
    return _acts(s) and _is(s, s.me, CONTINGENCY_PLANNER) and empty(s.planned) and card >= AIRLIFT


def plan(s, n, card: discards):  # Contingency Planner
    move(s.discards, card, s.planned)
    s.left -= 1


def can_drop(s, n, card):
    colour = n.colour[card]
    return s.phase == DISCARDING or (s.phase == PAYING and colour < 4 and s.owed[colour % 4] > 0)


def drop(s, n, card: hand):  # above the hand limit, or for a cure
    move(s.hand[s.me], card, s.discards)
    if s.phase == PAYING:
        s.owed[n.colour[card]] -= 1


def can_rest(s, n):
    return s.phase == ACTING


def rest(s, n):  # ends the actions, or lets the turn go on without an event
    s.left, s.passed = 0, 1


def _may_play(s, n, event):
    """Whoever decides may play the events of all."""
    can = s.phase in (ACTING, DISCARDING) and (has(s.planned, event) or who_has(s, s.hand, event) != NONE)
    return can and (not s.spreading or event == RESILIENT_POPULATION or n.interrupt == ALL)


def _use(s, event):
    holder = who_has(s, s.hand, event)
    if holder == NONE:
        move(s.planned, event, s.box)
    else:
        move(s.hand[holder], event, s.discards)


def can_lift(s, n, pawn, city):
    return _may_play(s, n, AIRLIFT) and s.place[pawn] != city


def lift(s, n, pawn: everyone, city: kinds(infections)):
    _use(s, AIRLIFT)
    s.place[pawn] = city


def can_grant(s, n, city, old):
    return _may_play(s, n, GOVERNMENT_GRANT) and _may_found(s, n, city, old)


def grant(s, n, city: kinds(infections), old: kinds(infections)):
    _use(s, GOVERNMENT_GRANT)
    _found(s, city, old)


def can_keep_quiet(s, n):
    return _may_play(s, n, ONE_QUIET_NIGHT)


def keep_quiet(s, n):
    _use(s, ONE_QUIET_NIGHT)
    s.quiet = 1 + (s.infected > 0)


def can_protect(s, n, card):
    return _may_play(s, n, RESILIENT_POPULATION)


def protect(s, n, card: dumped):
    _use(s, RESILIENT_POPULATION)
    move(s.dumped, card, s.immune)


def can_foresee(s, n):
    return _may_play(s, n, FORECAST)


def foresee(s, n):
    _use(s, FORECAST)
    for _ in range(6):
        draw(s.infections, s.outlook)


def can_arrange(s, n, card):
    return s.phase == ARRANGING


def arrange(s, n, card: outlook):  # the last one lies on top
    move(s.outlook, card, s.infections)


def team(s, n, legal):
    """At random."""
    return any_of(s, legal)
