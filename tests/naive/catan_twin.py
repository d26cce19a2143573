"""Catan once more, in plain Python and from its rules: a hexagon is (q, r), a corner or edge the set of hexagons that meet there.

The sea around the island counts: a corner is where three hexagons meet, an edge where two do.
"""

from collections import Counter
from itertools import product

from tests.naive.short_twins import CARDS, DICE, NOBODY, Twin

LUMBER, BRICK, WOOL, GRAIN, ORE, DESERT = range(6)
RESOURCES = range(5)
KNIGHT, POINT, BUILDER, PLENTY, MONOPOLY = range(5)
COST = {
    "road": Counter([LUMBER, BRICK]),
    "settlement": Counter([LUMBER, BRICK, WOOL, GRAIN]),
    "city": Counter({GRAIN: 2, ORE: 3}),
    "card": Counter([WOOL, GRAIN, ORE]),
}
PIECES = {"road": 15, "settlement": 5, "city": 4}
WAYS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


def around(hexagon) -> list[tuple[int, int]]:
    """The six neighbours of a hexagon, each beside the next."""
    return [(hexagon[0] + q, hexagon[1] + r) for q, r in WAYS]


LAND = {(q, r) for q, r in product(range(-2, 3), repeat=2) if abs(q + r) <= 2}
EDGES = {frozenset({one, other}) for one in LAND for other in around(one)}
CORNERS = {frozenset({one, around(one)[i - 1], around(one)[i]}) for one in LAND for i in range(6)}
ENDS = {edge: [corner for corner in CORNERS if edge < corner] for edge in EDGES}
BESIDE = {corner: [edge for edge in EDGES if edge < corner] for corner in CORNERS}


def across(corner, edge):
    """The other end of an edge."""
    return next(end for end in ENDS[edge] if end != corner)


def ring(radius, start) -> list[tuple[int, int]]:
    """The hexagons at a distance from the middle, one beside the other, from the corner in a direction."""
    q, r = (radius * way for way in WAYS[start])
    found = []
    for side in range(6):
        for _ in range(radius):
            found.append((q, r))
            q, r = q + WAYS[(start + side + 2) % 6][0], r + WAYS[(start + side + 2) % 6][1]
    return found


SPIRAL = [*ring(2, 0), *ring(1, 0), (0, 0)]
TERRAIN = [LUMBER] * 4 + [BRICK] * 3 + [WOOL] * 4 + [GRAIN] * 4 + [ORE] * 3 + [DESERT]
NUMBERS = (5, 2, 6, 3, 8, 10, 9, 12, 11, 4, 8, 10, 9, 4, 5, 6, 3, 11)


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

    def pays(self, what) -> bool:
        return all(self.hand[resource] >= number for resource, number in COST[what].items())

    def trail(self, corner, gone, blocked) -> int:
        """The most roads that can be walked from a corner, none twice, none through the buildings of another."""
        ahead = [edge for edge in BESIDE[corner] if edge in self.roads - gone]
        if gone and corner in blocked:
            return 0
        return max((1 + self.trail(across(corner, edge), gone | {edge}, blocked) for edge in ahead), default=0)


class Catan(Twin):
    def begin(self):
        self.build_board()
        self.deck = self.pile([KNIGHT] * 14 + [POINT] * 5 + [BUILDER] * 2 + [PLENTY] * 2 + [MONOPOLY] * 2)
        self.bank = Counter(dict.fromkeys(RESOURCES, 19))
        self.seats = [Seat() for _ in range(self.players)]
        self.road_holder = self.army_holder = None
        self.order = [*range(self.players), *reversed(range(self.players))]  # whose settlements come at the start
        self.me, self.step = self.order[0], "first"

    def build_board(self):
        """The terrain and the number of each hexagon, the robber's place, the harbours of the corners."""
        self.terrain = dict(zip(SPIRAL, self.pile(TERRAIN), strict=True))
        numbers = iter(NUMBERS)
        self.numbers = {one: next(numbers) for one in SPIRAL if self.terrain[one] != DESERT}
        self.robber = next(one for one in SPIRAL if self.terrain[one] == DESERT)
        self.harbours = {}

    @property
    def mine(self) -> Seat:
        return self.seats[self.me]

    def owners(self, corner) -> set[int]:
        return {p for p, seat in enumerate(self.seats) if corner in seat.buildings}

    # what can be built where

    def roomy(self):
        """Corners without building, there and at the ends of their edges."""
        taken = set().union(*(seat.buildings for seat in self.seats))
        return {c for c in CORNERS if c not in taken and not any(across(c, edge) in taken for edge in BESIDE[c])}

    def open_edges(self):
        """Edges without road that touch a road or a building of mine, not past the building of another."""
        taken = set().union(*(seat.roads for seat in self.seats))
        joined = {c for c in self.mine.buildings}
        joined |= {c for road in self.mine.roads for c in ENDS[road] if not self.owners(c) - {self.me}}
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
        return 2 if resource in harbours else 3 if "any" in harbours else 4

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
            for p in wants if len(wants) == 1 or not short else []:
                given = min(due[p][resource], self.bank[resource])
                self.seats[p].hand[resource] += given
                self.bank[resource] -= given

    def turn(self, player):
        self.owner = self.me = player
        self.mine.cards += self.mine.new
        self.mine.new, self.developed, self.rolled, self.step = [], False, False, "turn"

    def roll(self):
        self.rolled = True
        number = self.luck.below(DICE, 6) + self.luck.below(DICE, 6) + 2
        if number != 7:
            self.produce(number)
            return
        self.owing = {p: seat.size // 2 for p, seat in enumerate(self.seats) if seat.size > 7}
        self.next_debtor()

    def next_debtor(self):
        """Who has more than seven cards discards, the robber moves after that."""
        self.me = next((p for p in self.seats_from_owner() if self.owing.get(p)), self.owner)
        self.step = "discard" if self.owing.get(self.me) else "robber"

    def seats_from_owner(self):
        return [(self.owner + i) % self.players for i in range(self.players)]

    def victims(self):
        corners = [corner for corner in CORNERS if self.robber in corner]
        return {p for corner in corners for p in self.owners(corner) if p != self.me and self.seats[p].size}

    # decisions

    def legal(self):
        return getattr(self, "at_" + self.step)()

    def play(self, action, *chosen):
        getattr(self, "do_" + action)(*chosen)
        if self.step not in ("first", "first_road") and self.points(self.owner) >= 10:
            self.end = self.owner, "ten points"

    def at_first(self):
        return {("found", corner) for corner in self.roomy()}

    def do_found(self, corner):
        self.mine.settlements.add(corner)
        self.placed, self.step = corner, "first_road"
        if len(self.order) <= self.players:  # the second one brings a card of each hexagon beside it
            self.pay(Counter(self.terrain[one] for one in corner & LAND if self.terrain[one] != DESERT), 1)

    def at_first_road(self):
        return {("pave", edge) for edge in BESIDE[self.placed]}

    def do_pave(self, edge):
        self.mine.roads.add(edge)
        del self.order[0]
        self.me, self.step = (self.order or [0])[0], "first"
        if not self.order:
            self.turn(0)

    def at_turn(self):
        found = self.developments()
        if not self.rolled:
            return found | {("roll",)}
        found.add(("pass_dice",))
        for what, sites in self.sites().items():
            found |= {(what, site) for site in sites if self.mine.pays(what)}
        if self.deck and self.mine.pays("card"):
            found.add(("buy_card",))
        return found | {
            ("trade", mine, other)
            for mine, other in product(RESOURCES, repeat=2)
            if mine != other and self.mine.hand[mine] >= self.rate(mine) and self.bank[other]
        }

    def sites(self):
        return {"road": self.road_sites(), "settlement": self.settlement_sites(), "city": self.city_sites()}

    def developments(self):
        """Cards that can be played now: one a turn, none that was bought in it."""
        can = set() if self.developed else set(self.mine.cards)
        found = {("knight",)} if KNIGHT in can else set()
        found |= {("road_building",)} if BUILDER in can and self.road_sites() else set()
        found |= {("monopoly", resource) for resource in RESOURCES if MONOPOLY in can}
        if PLENTY in can:
            pairs = [(a, b) for a, b in product(RESOURCES, repeat=2) if a <= b]
            found |= {("plenty", *pair) for pair in pairs if all(self.bank[r] >= pair.count(r) for r in pair)}
        return found

    def spend_card(self, kind):
        self.mine.cards.remove(kind)
        self.developed = True

    def do_roll(self):
        self.roll()

    def do_pass_dice(self):
        self.turn((self.owner + 1) % self.players)

    def do_road(self, edge):
        if self.step == "roads":
            self.free -= 1
        else:
            self.pay(COST["road"])
        self.mine.roads.add(edge)
        self.award_road()
        if self.step == "roads" and not (self.free and self.road_sites()):
            self.step = "turn"

    def do_settlement(self, corner):
        self.pay(COST["settlement"])
        self.mine.settlements.add(corner)
        self.award_road()

    def do_city(self, corner):
        self.pay(COST["city"])
        self.mine.settlements.remove(corner)
        self.mine.cities.add(corner)

    def do_buy_card(self):
        self.pay(COST["card"])
        self.mine.new.append(self.deck.pop())

    def do_trade(self, given, taken):
        self.pay(Counter({given: self.rate(given)}))
        self.pay(Counter({taken: 1}), 1)

    def do_knight(self):
        self.spend_card(KNIGHT)
        self.mine.knights += 1
        self.award_army()
        self.step = "robber"

    def do_road_building(self):
        self.spend_card(BUILDER)
        self.step, self.free = "roads", 2

    def at_roads(self):
        return {("road", edge) for edge in self.road_sites()}

    def do_monopoly(self, resource):
        self.spend_card(MONOPOLY)
        for seat in self.seats:
            if seat is not self.mine:
                self.mine.hand[resource] += seat.hand.pop(resource, 0)

    def do_plenty(self, one, other):
        self.spend_card(PLENTY)
        self.pay(Counter([one, other]), 1)

    def at_discard(self):
        return {("discard", resource) for resource in RESOURCES if self.mine.hand[resource]}

    def do_discard(self, resource):
        self.pay(Counter({resource: 1}))
        self.owing[self.me] -= 1
        self.next_debtor()

    def at_robber(self):
        return {("rob", hexagon) for hexagon in LAND - {self.robber}}

    def do_rob(self, hexagon):
        self.robber = hexagon
        victims = self.victims()
        self.step = "steal" if len(victims) > 1 else "turn"
        if len(victims) == 1:
            self.do_steal(*victims)

    def at_steal(self):
        return {("steal", victim) for victim in self.victims()}

    def do_steal(self, victim):
        hand = self.seats[victim].hand
        card = sorted(hand.elements())[self.luck.below(DICE, self.seats[victim].size)]
        hand[card] -= 1
        self.mine.hand[card] += 1
        self.step = "turn"
