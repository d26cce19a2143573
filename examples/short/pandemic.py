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
cubes_each = Number(24, 18, 48, source)
most_outbreaks = Number(8, 1, 20, source)
most_stations = Number(6, 1, 48, source)
interrupt = Ruling(
    "Which events may interrupt an epidemic?", ("resilient", "all"), "inferred: one card says so"
)

infections = Deck(
    "pandemic.csv", source=source
)  # twelve cities of each colour; neighbours from 1, 0 for none
dumped, immune = Pile(infections), Pile(infections)
outlook = Pile(infections, 6)  # cards shown by the Forecast
library = Deck("pandemic_players.csv", source=source)  # the same cities in the same order, and events
hand, discards, box = Hand(library, seen="open"), Pile(library), Pile(library)
planned = Pile(library, 1)  # the event on the card of the Contingency Planner
roles = Deck("pandemic_roles.csv", source=source)
role = Pile(roles, 1, each=True)
signs = Deck({"Calm": 53, "Epidemic": 6}, shuffled=False, seen="open", source=source)
course, heap, past = (
    Pile(signs, seen="nobody"),
    Pile(signs, seen="nobody"),
    Pile(signs),
)  # where epidemics lie
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
    deal(s, s.library, s.hand, n.cards_each[s.players - 2])
    rest = size(s.library)
    for i in range(n.epidemics):  # equal heaps and an epidemic in each, the smaller ones at the bottom
        for _ in range(rest // (n.epidemics - i)):
            move(s.signs, CALM, s.heap)
        rest -= size(s.heap)
        move(s.signs, EPIDEMIC, s.heap)
        shuffle(s, s.heap)
        move_all(s.heap, s.course)
    first, most = 0, 0
    for p in range(s.players):
        for card in cards(s.hand[p]):
            first, most = (p, n.population[card]) if n.population[card] > most else (first, most)
    pass_to(s, first)


def start_turn(s, n):
    s.active, s.left, s.flown, s.drawn, s.infected, s.passed = s.me, n.actions_each, 0, 0, 0, 0
    _waits(s, n)


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
        if s.outbreaks >= n.most_outbreaks:
            lose(s, "too many outbreaks")
        elif s.supply.min() < 0:
            lose(s, "no cubes are left")


def _waits(s, n):
    """Return whether a player has to decide. Sets the deciding player and the phase."""
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
    for event in range(AIRLIFT, RESILIENT_POPULATION + 1):
        if not s.passed and _may_play(s, n, event):
            return True
    return False


def _draw_cards(s):
    if size(s.course) < 2:
        lose(s, "no player cards are left")
    for _ in range(2):
        if draw(s.course, s.past) == EPIDEMIC:
            s.pending += 1
        else:
            draw(s.library, s.hand[s.active])
    s.drawn, s.passed = 1, s.pending > 0  # no event between a draw and its epidemic


def _infect(s, n, city, number):
    """Place cubes in a city, and one on each neighbour of an outbreak; a city has at most one outbreak."""
    colour, waiting, done = city // 12, 0, 0
    for _ in range(number):
        waiting |= _cube(s, n, city, colour)
    while waiting:
        burst = waiting & -waiting  # the bit of the first city that waits
        waiting, done = waiting ^ burst, done | burst
        s.outbreaks += 1
        for other in range(48):
            if s.roads[other] & burst and not done >> other & 1:
                waiting |= _cube(s, n, other, colour)


def _cube(s, n, city, colour):
    """Place a cube unless it is prevented. Return the city's bit if an outbreak follows instead."""
    medic, guard = _city_of(s, MEDIC), _city_of(s, QUARANTINE_SPECIALIST)
    eradicated = s.cured[colour] and s.supply[colour] == n.cubes_each
    guarded = guard == city or (guard != NONE and s.roads[city] >> guard & 1)
    if eradicated or guarded or (medic == city and s.cured[colour]):
        return 0
    if s.cubes[city, colour] == 3:
        return 1 << city
    _remove(s, city, colour, -1)
    return 0


def _remove(s, city, colour, most):
    removed = min(most, s.cubes[city, colour])
    s.cubes[city, colour] -= removed
    s.supply[colour] += removed


def _is(s, p, who):
    return top(s.role[p]) == who


def _city_of(s, who):
    """Return the city of a role; NONE without this role."""
    p = who_has(s, s.role, who)
    return NONE if p == NONE else s.place[p]


def _acts(s):
    return s.phase == ACTING and s.left > 0


def _may_move(s, pawn, city):
    """Return whether a pawn may move to a city: one's own pawn, or any pawn for a Dispatcher."""
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
    return _may_move(s, pawn, city) and card < AIRLIFT and (card in (city, here) or expert)


def fly(s, n, pawn: everyone, card: hand, city: kinds(infections)):  # direct or charter flight
    s.flown = s.flown or card not in (city, s.place[pawn])
    move(s.hand[s.me], card, s.discards)
    _go(s, pawn, city)


def _may_have(s, n, city, old):
    """Return whether a city may get a station. old: the moved station if all are used, otherwise the city."""
    all_used = s.station.sum() >= n.most_stations
    return not s.station[city] and (s.station[old] if all_used else old == city)


def can_build(s, n, old):
    here = s.place[s.me]
    can = _acts(s) and (_is(s, s.me, OPERATIONS_EXPERT) or has(s.hand[s.me], here))
    return can and _may_have(s, n, here, old)


def build(s, n, old: kinds(infections)):
    if not _is(s, s.me, OPERATIONS_EXPERT):
        move(s.hand[s.me], s.place[s.me], s.discards)
    s.station[old], s.station[s.place[s.me]] = 0, 1
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
    """Return the number of cards that a player lacks for a cure."""
    held = 0
    for card in cards(s.hand[p]):
        held += card // 12 == colour
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
    return s.phase == DISCARDING or (s.phase == PAYING and card < AIRLIFT and s.owed[card // 12] > 0)


def drop(s, n, card: hand):  # above the hand limit, or for a cure
    move(s.hand[s.me], card, s.discards)
    if s.phase == PAYING:
        s.owed[card // 12] -= 1


def can_rest(s, n):
    return s.phase == ACTING


def rest(s, n):  # ends the actions, or lets the turn go on without an event
    s.left, s.passed = 0, 1


def _may_play(s, n, event):
    """Return whether the event may be played. The player who decides may play the events of all players."""
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
    return _may_play(s, n, GOVERNMENT_GRANT) and _may_have(s, n, city, old)


def grant(s, n, city: kinds(infections), old: kinds(infections)):
    _use(s, GOVERNMENT_GRANT)
    s.station[old], s.station[city] = 0, 1


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


def _stations(s):
    stations = 0
    for city in range(48):
        stations |= s.station[city] << city
    return stations


def _around(s, cities):
    """Return the neighbours of cities, and all stations if one of the cities has one, as a bit mask."""
    around = _stations(s) * (cities & _stations(s) != 0)
    for city in range(48):
        around |= s.roads[city] * (cities >> city & 1)
    return around


def _away(s, start, goals):
    """Return the number of actions to the nearest of some cities (bits), without cards."""
    reached, away = 1 << start, 0
    while not reached & goals:
        reached |= _around(s, reached)
        away += 1
    return away


def _collectors(s, n):
    """Return the collector of each colour, two bits each, assigned from the colour nearest to a cure."""
    who, taken, done = 0, 0, 0
    for _ in range(4):
        chosen, best, fewest = 0, 0, 99
        for colour in range(4):
            for p in range(s.players):
                lacks = _lacks(s, n, p, colour) + (taken >> p & 1)
                if not done >> colour & 1 and not s.cured[colour] and lacks < fewest:
                    chosen, best, fewest = colour, p, lacks
        who, taken, done = who | best << 2 * chosen, taken | 1 << best, done | 1 << chosen
    return who


def _is_ready(s, n):
    """Return whether the player to move has the cards of a cure."""
    for colour in range(4):
        if not s.cured[colour] and _lacks(s, n, s.me, colour) <= 0:
            return True
    return False


def _value(s, n, who, card):
    """Return the value of keeping a card: 6 for an event, at least 6 for a colour that the player collects, 1
    to 5 for another one, and 0 for a cured colour or cards beyond those that a cure needs.
    """
    if card >= AIRLIFT:
        return 6
    lacks = _lacks(s, n, s.me, card // 12)
    useful = not s.cured[card // 12] and lacks >= 0
    return useful * (max(1, 5 - lacks) + 5 * (who >> 2 * (card // 12) & 3 == s.me))


def _is_spare(s, n, who, card, spare_from):
    """Return whether the player to move has a card that may be spent on travel or a station."""
    value = _value(s, n, who, card) if has(s.hand[s.me], card) else 99
    return value == 0 or (value < 5 and size(s.hand[s.me]) >= spare_from)


def _trade(s, n, who, p, city):
    """Return the best gift between the player to move and another in a city: value, giver, taker, card."""
    best, most = (0, 0, 0, 0), 0
    for giver, taker in ((p, s.me), (s.me, p)):
        for card in cards(s.hand[giver]):
            fits = card < AIRLIFT and (card == city or _is(s, giver, RESEARCHER)) and p != s.me
            if fits and not s.cured[card // 12] and who >> 2 * (card // 12) & 3 == taker:
                worth = (0, 10, 6, 4, 3, 2, 1, 1)[max(0, _lacks(s, n, taker, card // 12))]
                best, most = ((worth, giver, taker, card), worth) if worth > most else (best, most)
    return best


def _worth(s, n, who, city, away, share, calm, crowd):
    """Return how urgently a city needs a visit by the player to move. Three cubes count less if its infection
    card is discarded, because that card returns only with an epidemic.
    """
    worth, gift = 0.0, 0.0
    for colour in range(4):
        cubes_here = s.cubes[city, colour]
        danger = (0, 2, 5, 16)[cubes_here] + 2 * cubes_here * (s.supply[colour] < 9)
        worth = max(worth, danger / calm if has(s.dumped, city) and cubes_here == 3 else danger)
    for p in range(s.players):
        other = _away(s, s.place[p], 1 << city)
        worth /= crowd if p != s.me and away > 0 and other <= min(away, 2) else 1
        gift = max(gift, share * _trade(s, n, who, p, city)[0] / (1 + other) * (1 if other == 0 else 0.7))
    return max(worth, gift)


def _goal(s, n, who, share, calm, spare_from, crowd):
    """Return the city with the highest need for the player to move, given the distance."""
    here, goal, most = s.place[s.me], s.place[s.me], 0.0
    for city in range(48):
        flies = _is_spare(s, n, who, here, spare_from) or _is_spare(s, n, who, city, spare_from)
        away = 1 * (city != here) if flies else _away(s, here, 1 << city)
        worth = _worth(s, n, who, city, away, share, calm, crowd)
        worth = (100 if s.station[city] and _is_ready(s, n) else worth) / (1 + away)
        goal, most = (city, worth) if worth > most else (goal, most)
    return goal


def _step(s, n, who, goal, spare_from):
    """Return a step towards a city: a flight with a spare card, by road, or between stations."""
    away = _away(s, s.place[s.me], 1 << goal)
    for card in (goal, s.place[s.me]):
        if away > 2 and _is_spare(s, n, who, card, spare_from):
            return FLY(s.me, card, goal)
    for city in range(48):
        if can_travel(s, n, s.me, city) and _away(s, city, 1 << goal) < away:
            return TRAVEL(s.me, city)
    return REST


def _hottest(s, pile):
    """Return the infection card with the most cubes in its city; NONE without cards."""
    worst, most = NONE, -1
    for card in cards(pile):
        number = s.cubes[card, card // 12]
        worst, most = (card, number) if number > most else (worst, most)
    return worst


def _event(s, n):
    """Return an event worth playing now, or NONE: before an infection, or to find a cure."""
    here, is_before = s.place[s.me], s.drawn and s.pending == 0 and s.infected == 0 and s.struck > 0
    if s.spreading and can_protect(s, n, NONE):
        return PROTECT(_hottest(s, s.dumped))
    if is_before and can_keep_quiet(s, n):
        return KEEP_QUIET
    if is_before and not s.quiet and can_foresee(s, n):
        return FORESEE
    if _acts(s) and _is_ready(s, n) and not s.station[here]:
        if can_grant(s, n, here, here):
            return GRANT(here, here)
        if s.station[ATLANTA] and can_lift(s, n, s.me, ATLANTA):
            return LIFT(s.me, ATLANTA)
    return NONE


def _lesser(s, n, who):
    """Return the action in other phases: put back the most dangerous card first, or discard a card."""
    if s.phase == ARRANGING:
        return ARRANGE(_hottest(s, s.outlook))
    worst, least = NONE, 99
    for card in cards(s.hand[s.me]):
        value = _value(s, n, who, card)
        worst, least = (card, value) if can_drop(s, n, card) and value < least else (worst, least)
    return DROP(worst)


def team(s, n, share=3, calm=2, spare_from=5, crowd=3):
    """Cures when ready, treats the most dangerous cities, brings cards to the collector of their colour."""
    event, who, here, worst, most = _event(s, n), _collectors(s, n), s.place[s.me], 0, 0
    if event != NONE:
        return event
    if s.phase != ACTING or s.left == 0:
        return REST if s.phase == ACTING else _lesser(s, n, who)
    for colour in range(4):
        if can_cure(s, n, colour):
            return CURE(colour)
        worst, most = (colour, s.cubes[here, colour]) if s.cubes[here, colour] > most else (worst, most)
    is_ready = _is_ready(s, n)
    if can_build(s, n, here) and (is_ready or _away(s, here, _stations(s)) >= 3):
        if _is(s, s.me, OPERATIONS_EXPERT) or _is_spare(s, n, who, here, spare_from):
            return BUILD(here)
    for p in range(s.players):
        worth, giver, taker, card = _trade(s, n, who, p, here)
        if worth > 0 and s.place[p] == here and not is_ready:
            return GIVE(giver, taker, card)
    goal = _goal(s, n, who, share, calm, spare_from, crowd)
    if most > 0 and (goal == here or (most > 1 and not is_ready)):
        return TREAT(worst)
    for card in cards(s.discards):
        if s.left == 1 and can_plan(s, n, card):
            return PLAN(card)
    return _step(s, n, who, goal, spare_from) if goal != here else REST
