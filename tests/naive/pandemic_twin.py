"""Pandemic (2013) once more, in plain Python and from its rulebook: sets and lists of cards (`short_twins.Twin`).

A city has the number of its card; diseases are counted as {(city, colour): cubes}.
"""

import csv
from collections import Counter
from functools import cache
from pathlib import Path

from tests.naive.short_twins import CARDS, HOUSE, Twin

SHORT = Path(__file__).parents[2] / "examples" / "short"
PLANNER, DISPATCHER, MEDIC, OPERATIONS, QUARANTINE, RESEARCHER, SCIENTIST = range(7)
AIRLIFT, FORECAST, GRANT, QUIET, RESILIENT, EPIDEMIC = range(48, 54)
CITIES, COLOURS, ATLANTA = range(48), range(4), 5


@cache
def printed(file: str) -> list[dict[str, str]]:
    with (SHORT / file).open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


@cache
def roads() -> list[set[int]]:
    rows = printed("pandemic.csv")
    return [{int(row[f"road_{i}"]) - 1 for i in range(1, 7)} - {-1} for row in rows]


@cache
def populations() -> list[int]:
    return [int(row["population"]) for row in printed("pandemic_players.csv")]


def disease(city: int) -> int:
    return city // 12


class Pandemic(Twin):
    # the numbers of the rulebook; the test plays other ones, too
    epidemics, rates, cubes_each, most_outbreaks, most_stations = 4, (2, 2, 2, 3, 3, 4, 4), 24, 8, 6
    actions_each, cards_each, hand_limit, to_cure, scientist_needs, interrupt = 4, (4, 3, 2), 7, 5, 4, "resilient"

    def begin(self):
        self.infections, self.library = self.pile(CITIES), self.pile(range(EPIDEMIC))
        self.roles = self.pile(range(7))[: -self.players - 1 : -1]
        self.dumped, self.cubes, self.cured, self.rate, self.outbreaks = [], Counter(), set(), 0, 0
        for number in (3, 3, 3, 2, 2, 2, 1, 1, 1):
            self.dumped.append(self.infections.pop())
            self.cubes[self.dumped[-1], disease(self.dumped[-1])] = number
        self.at, self.stations, self.discards, self.planned = [ATLANTA] * self.players, {ATLANTA}, [], None
        self.deal()
        self.owed, self.outlook, self.quiet = None, [], 0
        richest = [max((populations()[card] for card in hand), default=0) for hand in self.hands]
        self.turn(richest.index(max(richest)))
        self.count_up()
        self.go_on()

    def deal(self):
        """Hands, and where the epidemics lie in the deck: one in each of several heaps of about the same size."""
        self.hands = [[] for _ in range(self.players)]
        for _ in range(self.cards_each[self.players - 2]):
            for hand in self.hands:
                hand.append(self.library.pop())
        self.course, rest = [], len(self.library)
        for heaps in range(self.epidemics, 0, -1):
            self.course += self.pile([False] * (rest // heaps) + [True])
            rest -= rest // heaps

    def turn(self, player):
        self.active = self.me = player
        self.left, self.drawn, self.infected = self.actions_each, False, 0
        self.flown = self.passed = self.spreading = False
        self.pending = 0

    # diseases

    def on_board(self, colour):
        return sum(self.cubes[city, colour] for city in CITIES)

    def place_of(self, role):
        return self.at[self.roles.index(role)] if role in self.roles else None

    def protected(self, city, colour):
        """By the Quarantine Specialist in or next to the city, by the Medic or because the disease is eradicated."""
        guard = self.place_of(QUARANTINE)
        if guard is not None and city in roads()[guard] | {guard}:
            return True
        return colour in self.cured and (city == self.place_of(MEDIC) or not self.on_board(colour))

    def infect(self, city, number):
        """Cubes, and the outbreaks that follow: each city at most once."""
        colour, bursting, burst = disease(city), set(), set()
        if not self.protected(city, colour):
            fits = min(number, 3 - self.cubes[city, colour])
            self.cubes[city, colour] += fits
            bursting |= {city} if fits < number else set()
        while bursting:
            city = bursting.pop()
            burst.add(city)
            self.outbreaks += 1
            for near in roads()[city] - burst:
                if self.protected(near, colour):
                    continue
                if self.cubes[near, colour] < 3:
                    self.cubes[near, colour] += 1
                else:
                    bursting.add(near)
        self.count_up()

    def count_up(self):
        if self.outbreaks >= self.most_outbreaks:
            self.lose("too many outbreaks")
        elif any(self.on_board(each) > self.cubes_each for each in COLOURS):
            self.lose("no cubes are left")

    def lose(self, how):
        self.end = self.end or (HOUSE, how)

    def agrees(self, state):
        return state.cubes.tolist() == [[self.cubes[city, colour] for colour in COLOURS] for city in CITIES]

    # what can be done

    def laden(self):
        return [p for p in range(self.players) if len(self.hands[p]) > self.hand_limit]

    @property
    def phase(self):
        if self.owed is not None:
            return "paying"
        if self.outlook:
            return "arranging"
        return "discarding" if self.laden() and not self.pending else "acting"

    def legal(self):
        hand = self.hands[self.me]
        if self.phase == "paying":
            return {("drop", card) for card in hand if disease(card) == self.owed}
        if self.phase == "arranging":
            return {("arrange", card) for card in self.outlook}
        if self.phase == "discarding":
            return {("drop", card) for card in hand} | self.specials()
        return {("rest",)} | self.specials() | (self.actions() if self.left else set())

    def events(self):
        """The events that may be played now: all that are held or planned, but one inside an epidemic."""
        held = {card for hand in self.hands for card in hand if AIRLIFT <= card < EPIDEMIC} | {self.planned} - {None}
        return held & {RESILIENT} if self.spreading and self.interrupt == "resilient" else held

    def sites(self, city):
        """(city, station that moves there); the city itself while there are stations in the supply."""
        if city in self.stations:
            return set()
        return {(city, old) for old in (self.stations if len(self.stations) >= self.most_stations else [city])}

    def specials(self):
        held, found = self.events(), set()
        if AIRLIFT in held:
            found |= {("lift", p, city) for p in range(self.players) for city in CITIES if city != self.at[p]}
        if GRANT in held:
            found |= {("grant", *site) for city in CITIES for site in self.sites(city)}
        if RESILIENT in held:
            found |= {("protect", card) for card in self.dumped}
        return found | ({("keep_quiet",)} if QUIET in held else set()) | ({("foresee",)} if FORECAST in held else set())

    def actions(self):
        me, role, hand = self.me, self.roles[self.me], self.hands[self.me]
        here, found = self.at[me], set()
        for pawn in range(self.players) if role == DISPATCHER else [me]:
            start = self.at[pawn]
            near = roads()[start] | (self.stations if start in self.stations else set())
            near |= {*self.at} if role == DISPATCHER else set()
            found |= {("travel", pawn, city) for city in near - {start}}
            anywhere = [start] if start in hand else []
            if role == OPERATIONS and start in self.stations and not self.flown:
                anywhere = CITIES
            for card in hand:
                if card in CITIES:
                    found |= {("fly", pawn, card, city) for city in (CITIES if card in anywhere else [card])}
            found -= {("fly", pawn, card, start) for card in hand}
        if here in hand or role == OPERATIONS:
            found |= {("build", old) for _, old in self.sites(here)}
        found |= {("treat", colour) for colour in COLOURS if self.cubes[here, colour]}
        for mate in range(self.players):
            if mate != me and self.at[mate] == here:
                for giver, taker in ((me, mate), (mate, me)):
                    gifts = [card for card in self.hands[giver] if card in CITIES]
                    found |= {
                        ("give", giver, taker, card)
                        for card in gifts
                        if card == here or self.roles[giver] == RESEARCHER
                    }
        if here in self.stations:
            held = Counter(disease(card) for card in hand if card in CITIES)
            found |= {("cure", colour) for colour in held if colour not in self.cured and held[colour] >= self.price()}
        if role == PLANNER and self.planned is None:
            found |= {("plan", card) for card in self.discards if AIRLIFT <= card < EPIDEMIC}
        return found

    def price(self):
        return self.scientist_needs if self.roles[self.me] == SCIENTIST else self.to_cure

    # what is done

    def play(self, action, *chosen):
        getattr(self, "do_" + action)(*chosen)
        if action in ("travel", "fly", "build", "treat", "give", "cure", "plan"):
            self.left -= 1
        if MEDIC in self.roles:
            for colour in self.cured:
                self.cubes[self.place_of(MEDIC), colour] = 0
        self.go_on()

    def discard(self, card):
        self.hands[self.me].remove(card)
        self.discards.append(card)

    def use(self, event):
        """Discard an event; the planned one leaves the game."""
        for hand in self.hands:
            if event in hand:
                hand.remove(event)
                self.discards.append(event)
                return
        self.planned = None

    def do_travel(self, pawn, city):
        self.at[pawn] = city

    def do_fly(self, pawn, card, city):
        self.flown |= card not in (self.at[pawn], city)
        self.discard(card)
        self.at[pawn] = city

    def move_station(self, city, old):
        self.stations = self.stations - {old} | {city}

    def do_build(self, old):
        here = self.at[self.me]
        if self.roles[self.me] != OPERATIONS:
            self.discard(here)
        self.move_station(here, old)

    def do_treat(self, colour):
        spot = self.at[self.me], colour
        self.cubes[spot] -= self.cubes[spot] if colour in self.cured or self.roles[self.me] == MEDIC else 1

    def do_give(self, giver, taker, card):
        self.hands[giver].remove(card)
        self.hands[taker].append(card)

    def do_cure(self, colour):
        self.cured.add(colour)
        self.owed, self.to_pay = colour, self.price()
        if len(self.cured) == 4:
            self.end = 0, "four cures"

    def do_drop(self, card):
        self.discard(card)
        if self.owed is not None:
            self.to_pay -= 1
            self.owed = self.owed if self.to_pay else None

    def do_plan(self, card):
        self.discards.remove(card)
        self.planned = card

    def do_rest(self):
        self.left, self.passed = 0, True

    def do_lift(self, pawn, city):
        self.use(AIRLIFT)
        self.at[pawn] = city

    def do_grant(self, city, old):
        self.use(GRANT)
        self.move_station(city, old)

    def do_keep_quiet(self):
        self.use(QUIET)
        self.quiet = 2 if self.infected else 1

    def do_protect(self, card):
        self.use(RESILIENT)
        self.dumped.remove(card)

    def do_foresee(self):
        self.use(FORECAST)
        self.outlook = [self.infections.pop() for _ in range(min(6, len(self.infections)))]

    def do_arrange(self, card):
        self.outlook.remove(card)
        self.infections.append(card)

    # what follows

    def go_on(self):
        """Player cards, epidemics, infections, the next player: until somebody has to decide."""
        while not self.end:
            self.me = self.laden()[0] if self.phase == "discarding" else self.active
            if self.phase != "acting" or self.left or (self.events() and not self.passed):
                return
            self.passed = False
            self.step()

    def step(self):
        if self.spreading:
            self.luck.shuffle(CARDS, self.dumped)
            self.infections += self.dumped
            self.dumped, self.spreading = [], False
            self.pending -= 1
        elif self.pending:
            self.spreading = True
            self.rate += 1
            self.reveal(0, 3)
        elif not self.drawn:
            self.draw()
        elif self.infected < self.rates[self.rate] and self.quiet != 1 and len(self.infections) > 1:
            self.infected += 1
            self.reveal(-1, 1)
        else:
            self.quiet = max(self.quiet - 1, 0)
            self.turn((self.active + 1) % self.players)

    def draw(self):
        if len(self.course) < 2:
            self.lose("no player cards are left")
            return
        self.drawn = True
        for _ in range(2):
            if self.course.pop():
                self.pending += 1
            else:
                self.hands[self.me].append(self.library.pop())
        self.passed = self.pending > 0

    def reveal(self, end, number):
        self.dumped.append(self.infections.pop(end))
        self.infect(self.dumped[-1], number)
