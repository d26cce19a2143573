"""Catan in plain Python, from its rules: a hexagon is (q, r), a corner a set of three hexagons, an edge a set of two.

Hexagons of the sea around the island count, so every corner has three. Nothing of the board is read from the game's
sheets.
"""

from collections import Counter
from itertools import combinations_with_replacement, product

from tests.naive.short_twins import CARDS, DICE, Twin

BRICK, LUMBER, WOOL, GRAIN, ORE, DESERT = range(6)
OPEN = 5  # a harbour for every resource
RESOURCES = range(5)
KNIGHT, POINT, ROADS, PLENTY, MONOPOLY = range(5)
COST = {
    "road": Counter([LUMBER, BRICK]),
    "settlement": Counter([LUMBER, BRICK, WOOL, GRAIN]),
    "city": Counter({GRAIN: 2, ORE: 3}),
    "card": Counter([WOOL, GRAIN, ORE]),
}
PIECES = {"road": 15, "settlement": 5, "city": 4}
WAYS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))  # clockwise, from the right: q to the right, r downwards


def around(hexagon) -> list[tuple[int, int]]:
    """The six neighbours of a hexagon, each beside the next."""
    return [(hexagon[0] + q, hexagon[1] + r) for q, r in WAYS]


LAND = {(q, r) for q, r in product(range(-2, 3), repeat=2) if abs(q + r) <= 2}


def corner_of(hexagon, i) -> frozenset:
    """A corner of a hexagon: clockwise, 0 at the top."""
    return frozenset({hexagon, around(hexagon)[(i + 4) % 6], around(hexagon)[(i + 5) % 6]})


def reading_order(corner) -> tuple[int, int]:
    """Sort key of corners: from top to bottom, then from left to right."""
    return sum(r for _, r in corner), sum(2 * q + r for q, r in corner)


EDGES = {frozenset({one, other}) for one in LAND for other in around(one)}
CORNERS = sorted({corner_of(one, i) for one in LAND for i in range(6)}, key=reading_order)
ENDS = {edge: [corner for corner in CORNERS if edge < corner] for edge in EDGES}
EDGES = sorted(EDGES, key=lambda edge: [CORNERS.index(corner) for corner in ENDS[edge]])
BESIDE = {corner: {} for corner in CORNERS}  # the edges of a corner, each with its other end
for _edge in EDGES:
    _one, _other = ENDS[_edge]
    BESIDE[_one][_edge], BESIDE[_other][_edge] = _other, _one


def ring(radius) -> list[tuple[int, int]]:
    """The hexagons at a distance from the middle, counter-clockwise from the top left."""
    q, r = (radius * way for way in WAYS[4])
    found = []
    for way in (2, 1, 0, 5, 4, 3):
        for _ in range(radius):
            found.append((q, r))
            q, r = q + WAYS[way][0], r + WAYS[way][1]
    return found


SPIRAL = [*ring(2), *ring(1), (0, 0)]
TERRAINS = [BRICK] * 3 + [LUMBER] * 4 + [WOOL] * 4 + [GRAIN] * 4 + [ORE] * 3 + [DESERT]
SIGNS = [BRICK, LUMBER, WOOL, GRAIN, ORE] + [OPEN] * 4
STACK = [KNIGHT] * 14 + [POINT] * 5 + [ROADS] * 2 + [PLENTY] * 2 + [MONOPOLY] * 2
LETTERS = (5, 2, 6, 3, 8, 10, 9, 12, 11, 4, 8, 10, 9, 4, 5, 6, 3, 11)


def coast() -> list:
    """The edges between land and sea, clockwise from the upper left one of the top left hexagon."""
    edge = frozenset({SPIRAL[0], around(SPIRAL[0])[4]})
    corner, found = corner_of(SPIRAL[0], 0), []
    while edge not in found:
        found.append(edge)
        edge = next(one for one in BESIDE[corner] if one != edge and len(one & LAND) == 1)
        corner = BESIDE[corner][edge]
    return found


HARBOURS = [coast()[i] for i in (0, 3, 7, 10, 13, 17, 20, 23, 27)]

# the island for beginners, row by row from the top left
FIRST_ISLAND = dict(
    zip(
        sorted(LAND, key=lambda hexagon: hexagon[::-1]),
        [(ORE, 10), (WOOL, 2), (LUMBER, 9)]
        + [(GRAIN, 12), (BRICK, 6), (WOOL, 4), (BRICK, 10)]
        + [(GRAIN, 9), (LUMBER, 11), (DESERT, 0), (LUMBER, 3), (ORE, 8)]
        + [(LUMBER, 8), (ORE, 3), (GRAIN, 4), (WOOL, 5)]
        + [(BRICK, 5), (GRAIN, 6), (WOOL, 11)],
        strict=True,
    )
)
FIRST_SIGNS = (OPEN, GRAIN, ORE, OPEN, WOOL, OPEN, OPEN, BRICK, LUMBER)
PARTS = {"settle": CORNERS, "pave": EDGES, "enlarge": CORNERS, "place_robber": SPIRAL}
NUMBER = {part: number for parts in (CORNERS, EDGES, SPIRAL) for number, part in enumerate(parts)}


class Seat:
    def __init__(self):
        self.hand, self.roads, self.settlements, self.cities = Counter(), set(), set(), set()
        self.cards, self.new, self.knights = [], [], 0

    @property
    def buildings(self):
        return self.settlements | self.cities

    @property
    def size(self):
        return sum(self.hand.values())

    def passes(self, corner) -> bool:
        """Whether two of the player's roads meet there."""
        return len(self.roads & BESIDE[corner].keys()) == 2

    def trail(self, corner, gone, blocked) -> int:
        """The most roads that can be walked from a corner, none twice, none through the buildings of another."""
        ahead = [(edge, end) for edge, end in BESIDE[corner].items() if edge in self.roads and edge not in gone]
        if gone and corner in blocked:
            return 0
        return max((1 + self.trail(end, gone | {edge}, blocked) for edge, end in ahead), default=0)


class Catan(Twin):
    board, tokens, shortage, before_roll, trade_again = "variable", "spiral", "only_one", "every_card", "yes"
    robbed, goal, of_a_resource = "with_cards", 10, 19

    def begin(self):
        terrains, chits, signs, self.deck = (self.pile(cards) for cards in (TERRAINS, range(18), SIGNS, STACK))
        self.build_board(terrains[::-1], chits, signs[::-1])
        self.bank = Counter(dict.fromkeys(RESOURCES, self.of_a_resource))
        self.seats = [Seat() for _ in range(self.players)]
        self.road_holder = self.army_holder = None
        self.order = [*range(self.players), *reversed(range(self.players))]  # of the set-up
        self.me, self.step = self.order[0], "settle"

    def build_board(self, terrains, chits, signs):
        """The terrain and the number of each hexagon, the robber's place, the harbours of the corners."""
        if self.board == "beginners":
            self.terrain, self.numbers = ({one: both[i] for one, both in FIRST_ISLAND.items()} for i in (0, 1))
            signs = FIRST_SIGNS
        else:
            self.terrain = dict(zip(SPIRAL, terrains, strict=True))
            self.lay(range(18) if self.tokens == "spiral" else chits)
            while self.tokens == "apart" and self.reds_touch():
                self.luck.shuffle(CARDS, chits)
                self.lay(chits)
        self.robber = next(one for one in SPIRAL if self.terrain[one] == DESERT)
        self.harbours = {end: sign for edge, sign in zip(HARBOURS, signs, strict=True) for end in ENDS[edge]}

    def lay(self, chits):
        fertile = [one for one in SPIRAL if self.terrain[one] != DESERT]
        self.numbers = {one: LETTERS[chit] for one, chit in zip(fertile, chits, strict=True)}

    def reds_touch(self):
        reds = {one for one, number in self.numbers.items() if number in (6, 8)}
        return any(reds & set(around(one)) for one in reds)

    @property
    def mine(self) -> Seat:
        return self.seats[self.me]

    def owners(self, corner) -> set[int]:
        return {p for p, seat in enumerate(self.seats) if corner in seat.buildings}

    # what can be built where

    def roomy(self):
        """Corners without building, there and at the ends of their edges."""
        taken = set().union(*(seat.buildings for seat in self.seats))
        return {corner for corner in CORNERS if corner not in taken and taken.isdisjoint(BESIDE[corner].values())}

    def open_edges(self):
        """Edges without road that touch a road or a building of mine, not past the building of another."""
        taken = set().union(*(seat.roads for seat in self.seats))
        reached = {corner for road in self.mine.roads for corner in ENDS[road]}
        joined = self.mine.buildings | {corner for corner in reached if not self.owners(corner) - {self.me}}
        return {edge for corner in joined for edge in BESIDE[corner]} - taken

    def road_sites(self):
        return self.open_edges() if len(self.mine.roads) < PIECES["road"] else set()

    def settlement_sites(self):
        if len(self.mine.settlements) == PIECES["settlement"]:
            return set()
        return self.roomy() & {corner for road in self.mine.roads for corner in ENDS[road]}

    def city_sites(self):
        return self.mine.settlements if len(self.mine.cities) < PIECES["city"] else set()

    def rate(self, resource) -> int:
        """How many cards of a resource the bank takes for one of another."""
        harbours = {self.harbours.get(corner) for corner in self.mine.buildings}
        return 2 if resource in harbours else 3 if OPEN in harbours else 4

    # points

    def points(self, p) -> int:
        seat = self.seats[p]
        shown = len(seat.settlements) + 2 * len(seat.cities) + 2 * (p == self.road_holder) + 2 * (p == self.army_holder)
        return shown + (seat.cards + seat.new).count(POINT)

    def longest(self, p) -> int:
        blocked = set().union(*(seat.buildings for q, seat in enumerate(self.seats) if q != p))
        starts = {corner for road in self.seats[p].roads for corner in ENDS[road]}
        return max((self.seats[p].trail(corner, frozenset(), blocked) for corner in starts), default=0)

    def award_road(self):
        lengths = [self.longest(p) for p in range(self.players)]
        best = [p for p in range(self.players) if lengths[p] == max(lengths)]
        if max(lengths) < 5:
            self.road_holder = None
        elif self.road_holder not in best:
            self.road_holder = best[0] if len(best) == 1 else None

    def award_army(self):
        most = 2 if self.army_holder is None else self.seats[self.army_holder].knights
        if self.mine.knights > most:
            self.army_holder = self.me

    # what moves

    def can_pay(self, what) -> bool:
        return all(self.mine.hand[resource] >= number for resource, number in COST[what].items())

    def buy(self, what):
        self.pay(COST[what])
        self.built = True

    def pay(self, hand: Counter, sign=-1):
        """From the hand at turn to the bank (or back with sign 1)."""
        for resource, number in hand.items():
            self.mine.hand[resource] += sign * number
            self.bank[resource] -= sign * number

    def produce(self, number):
        due = [Counter() for _ in self.seats]
        for hexagon in LAND:
            if self.numbers.get(hexagon) == number and hexagon != self.robber:
                for wanted, seat in zip(due, self.seats, strict=True):
                    wanted[self.terrain[hexagon]] += sum(hexagon in corner for corner in seat.settlements)
                    wanted[self.terrain[hexagon]] += 2 * sum(hexagon in corner for corner in seat.cities)
        for resource in RESOURCES:
            wants = [p for p in range(self.players) if due[p][resource]]
            short = sum(due[p][resource] for p in wants) > self.bank[resource]
            for p in wants if not short or (len(wants) == 1 and self.shortage == "only_one") else []:
                given = min(due[p][resource], self.bank[resource])
                self.seats[p].hand[resource] += given
                self.bank[resource] -= given

    def turn(self, player):
        self.owner = self.me = player
        self.mine.cards += self.mine.new
        self.mine.new, self.developed, self.rolled, self.built, self.step = [], False, False, False, "turn"

    def do_roll(self):
        self.rolled = True
        number = self.luck.below(DICE, 6) + self.luck.below(DICE, 6) + 2
        if number != 7:
            self.produce(number)
            return
        self.owing = {p: seat.size // 2 for p, seat in enumerate(self.seats) if seat.size > 7}
        self.next_debtor()

    def next_debtor(self):
        """The next player with cards to discard, clockwise from the one who rolled; then the robber."""
        clockwise = [(self.owner + i) % self.players for i in range(self.players)]
        self.me = next((p for p in clockwise if self.owing.get(p)), self.owner)
        self.step = "discard" if self.owing.get(self.me) else "robber"

    def victims(self):
        corners = [corner for corner in CORNERS if self.robber in corner]
        there = set().union(*map(self.owners, corners)) - {self.me}
        return {p for p in there if self.robbed == "anybody" or self.seats[p].size}

    # decisions

    def legal(self):
        return {(action, *(NUMBER.get(part, part) for part in parts)) for action, *parts in self.options()}

    def play(self, action, *chosen):
        parts = PARTS.get(action)
        getattr(self, "do_" + action)(*([parts[number] for number in chosen] if parts else chosen))
        if not self.order and self.points(self.owner) >= self.goal:
            self.end = self.owner, "goal reached"

    def options(self):
        return getattr(self, "at_" + self.step)()

    def at_settle(self):
        return {("settle", corner) for corner in self.roomy()}

    def at_pave(self):
        return {("pave", edge) for edge in BESIDE[self.settled]}

    def at_turn(self):
        found = self.developments()
        if not self.rolled:
            return found | {("roll",)}
        found |= {("settle", corner) for corner in self.settlement_sites() if self.can_pay("settlement")}
        found |= {("pave", edge) for edge in self.road_sites() if self.can_pay("road")}
        found |= {("enlarge", corner) for corner in self.city_sites() if self.can_pay("city")}
        if self.deck and self.can_pay("card"):
            found.add(("buy_card",))
        if not self.built or self.trade_again == "yes":
            found |= {
                ("trade", given, taken)
                for given, taken in product(RESOURCES, repeat=2)
                if given != taken and self.mine.hand[given] >= self.rate(given) and self.bank[taken]
            }
        return found | {("end_turn",)}

    def developments(self):
        """Cards that can be played now: one a turn, none that was bought in it."""
        can = set() if self.developed else set(self.mine.cards)
        found = {("play_knight",)} if KNIGHT in can else set()
        if not self.rolled and self.before_roll == "knights":
            return found
        if ROADS in can and self.road_sites():
            found.add(("play_roads",))
        if MONOPOLY in can:
            found |= {("play_monopoly", resource) for resource in RESOURCES}
        if PLENTY in can:
            pairs = combinations_with_replacement(RESOURCES, 2)
            found |= {("play_plenty", *pair) for pair in pairs if all(self.bank[r] >= pair.count(r) for r in pair)}
        return found

    def at_discard(self):
        return {("drop", resource) for resource in RESOURCES if self.mine.hand[resource]}

    def at_robber(self):
        return {("place_robber", hexagon) for hexagon in LAND - {self.robber}}

    def at_steal(self):
        return {("steal", victim) for victim in self.victims()}

    def at_roads(self):
        return {("pave", edge) for edge in self.road_sites()}

    def do_settle(self, corner):
        self.mine.settlements.add(corner)
        if self.step == "turn":
            self.buy("settlement")
            self.award_road()
            return
        self.settled, self.step = corner, "pave"
        if len(self.order) <= self.players:  # the second settlement brings a card of each hexagon beside it
            self.pay(Counter(self.terrain[one] for one in corner & LAND if self.terrain[one] != DESERT), 1)

    def do_pave(self, edge):
        self.mine.roads.add(edge)
        if self.step == "pave":
            del self.order[0]
            if self.order:
                self.me, self.step = self.order[0], "settle"
            else:
                self.turn(0)
            return
        self.award_road()
        if self.step == "turn":
            self.buy("road")
            return
        self.free -= 1
        if not self.free or not self.road_sites():
            self.step = "turn"

    def do_enlarge(self, corner):
        self.buy("city")
        self.mine.settlements.remove(corner)
        self.mine.cities.add(corner)

    def do_buy_card(self):
        self.buy("card")
        self.mine.new.append(self.deck.pop())

    def do_trade(self, given, taken):
        self.pay(Counter({given: self.rate(given)}))
        self.pay(Counter({taken: 1}), 1)

    def do_end_turn(self):
        self.turn((self.owner + 1) % self.players)

    def develop(self, kind):
        self.mine.cards.remove(kind)
        self.developed = True

    def do_play_knight(self):
        self.develop(KNIGHT)
        self.mine.knights += 1
        self.award_army()
        self.step = "robber"

    def do_play_roads(self):
        self.develop(ROADS)
        self.step, self.free = "roads", 2

    def do_play_monopoly(self, resource):
        self.develop(MONOPOLY)
        for seat in self.seats:
            if seat is not self.mine:
                self.mine.hand[resource] += seat.hand.pop(resource, 0)

    def do_play_plenty(self, one, other):
        self.develop(PLENTY)
        self.pay(Counter([one, other]), 1)

    def do_drop(self, resource):
        self.pay(Counter({resource: 1}))
        self.owing[self.me] -= 1
        self.next_debtor()

    def do_place_robber(self, hexagon):
        self.robber = hexagon
        victims = self.victims()
        self.step = "steal" if len(victims) > 1 else "turn"
        if len(victims) == 1:
            self.do_steal(*victims)

    def do_steal(self, victim):
        self.step = "turn"
        hand = self.seats[victim].hand
        if cards := sorted(hand.elements()):
            card = cards[self.luck.below(DICE, len(cards))]
            hand[card] -= 1
            self.mine.hand[card] += 1
