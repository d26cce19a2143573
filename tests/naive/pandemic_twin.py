"""Pandemic (2013) once more, in plain Python and from its rulebook: sets, dictionaries, lists of cards (`short_twins.Twin`)."""

import csv
from collections import Counter
from functools import cache
from itertools import combinations
from pathlib import Path

from tests.naive.short_twins import CARDS, HOUSE, Twin

SHEET = Path(__file__).parents[2] / "examples" / "short" / "pandemic.csv"
PLANNER, DISPATCHER, MEDIC, OPERATIONS, QUARANTINE, RESEARCHER, SCIENTIST = range(7)
AIRLIFT, FORECAST, GRANT, QUIET, RESILIENT, EPIDEMIC = range(48, 54)
RATES = (2, 2, 2, 3, 3, 4, 4)


class Pandemic(Twin):
    epidemics, limit, cubes_each, outbreaks_lost, stations_most = 4, 7, 24, 8, 6

    # --- the diseases ---

    def on_board(self, colour):
        return sum(count for (_, kind), count in self.cubes.items() if kind == colour)

    def eradicated(self, colour):
        return colour in self.cured and not self.on_board(colour)

    def where(self, role):
        """Where the pawn with a role is."""
        return self.at[self.roles.index(role)] if role in self.roles else None

    def protected(self, city, colour):
        quarantined = self.where(QUARANTINE)
        if quarantined is not None and (city == quarantined or city in self.links[quarantined]):
            return True
        return (colour in self.cured and self.where(MEDIC) == city) or self.eradicated(colour)

    def infect(self, city, number=1):
        """Cubes of the city's colour, and the outbreaks that follow: each city at most once."""
        colour = self.colour[city]
        if self.protected(city, colour):
            return
        fits = min(number, 3 - self.cubes[city, colour])
        self.place(city, colour, fits)
        burst, coming = [], [city] * (fits < number)
        while coming and not self.end:
            city = coming.pop(0)
            burst.append(city)
            self.outbreaks += 1
            if self.outbreaks == self.outbreaks_lost:
                self.lose("outbreaks")
            for near in self.links[city]:
                if near in burst or near in coming or self.protected(near, colour):
                    continue
                if self.cubes[near, colour] == 3:
                    coming.append(near)
                else:
                    self.place(near, colour, 1)

    def place(self, city, colour, number):
        if self.on_board(colour) + number > self.cubes_each:
            self.lose("no cubes")
        self.cubes[city, colour] += number

    def lose(self, how):
        self.end = self.end or (HOUSE, how)

    def medicate(self):
        """The Medic removes cubes of cured diseases merely by being there."""
        for colour in self.cured:
            self.cubes[self.where(MEDIC), colour] = 0

    # --- the turn ---

    def epidemic(self):
        self.rate += 1
        city = self.infection.pop(0)
        self.infected.append(city)
        self.infect(city, 3)

    def intensify(self):
        self.luck.shuffle(CARDS, self.infected)
        self.infection += self.infected
        self.infected = []

    # --- what can be done ---

    def mates(self, player):
        return [p for p in range(self.players) if p != player and self.at[p] == self.at[player]]

    def walks(self, pawn):
        """Moves without a card."""
        here = self.at[pawn]
        return {("drive", pawn, to) for to in self.links[here]} | {
            ("shuttle", pawn, to) for to in self.stations if here in self.stations and to != here
        }

    def flights(self, pawn):
        """Moves with a card of the player at turn."""
        here, cards = self.at[pawn], [card for card in self.hands[self.me] if card < 48]
        found = {("fly", pawn, to) for to in cards if to != here}
        return found | {("charter", pawn, to) for to in range(48) if here in cards and to != here}

    def actions(self):
        me, here = self.me, self.at[self.me]
        role, hand = self.roles[me], self.hands[me]
        found = set()
        for pawn in range(self.players) if role == DISPATCHER else [me]:
            found |= self.walks(pawn) | self.flights(pawn)
            if role == DISPATCHER:
                found |= {("dispatch", pawn, to) for to in {*self.at} - {self.at[pawn]}}
        if role == OPERATIONS and here in self.stations and not self.flown:
            found |= {("lift", card, to) for card in hand if card < 48 for to in range(48) if to != here}
        if here not in self.stations and (here in hand or role == OPERATIONS):
            gone = self.stations if len(self.stations) == self.stations_most else [here]
            found |= {("build", one) for one in gone}
        found |= {("treat", colour) for colour in range(4) if self.cubes[here, colour]}
        for mate in self.mates(me):
            found |= {("give", card, mate) for card in self.shared(me)}
            found |= {("take", card, mate) for card in self.shared(mate)}
        if here in self.stations:
            for colour in {0, 1, 2, 3} - self.cured:
                mine = sorted(card for card in hand if card < 48 and self.colour[card] == colour)
                found |= {("cure", *cards) for cards in combinations(mine, 5 - (role == SCIENTIST))}
        if role == PLANNER and self.stored is None:
            found |= {("plan", card) for card in self.used if 48 <= card < EPIDEMIC}
        return found

    def shared(self, giver):
        """The cards that a player can give to a player in the same city."""
        return [
            card for card in self.hands[giver] if card < 48 and (self.roles[giver] == RESEARCHER or card == self.at[giver])
        ]

    def events(self):
        held = {card for hand in self.hands for card in hand if card >= 48} | {self.stored} - {None}
        found = set()
        if AIRLIFT in held:
            found |= {("airlift", pawn, to) for pawn in range(self.players) for to in range(48) if to != self.at[pawn]}
        if GRANT in held:
            gone = self.stations if len(self.stations) == self.stations_most else [None]
            found |= {("grant", to, one) for to in set(range(48)) - self.stations for one in gone}
        if FORECAST in held:
            found.add(("forecast",))
        if QUIET in held:
            found.add(("quiet",))
        if RESILIENT in held:
            found |= {("resilient", card) for card in self.infected}
        return found

    # --- what is done ---

    def discard(self, player, card):
        self.hands[player].remove(card)
        self.used.append(card)

    def go(self, pawn, to):
        self.at[pawn] = to
        self.medicate()

    def do_drive(self, pawn, to):
        self.go(pawn, to)

    do_shuttle = do_dispatch = do_drive

    def do_fly(self, pawn, to):
        self.discard(self.me, to)
        self.go(pawn, to)

    def do_charter(self, pawn, to):
        self.discard(self.me, self.at[pawn])
        self.go(pawn, to)

    def do_lift(self, card, to):
        self.discard(self.me, card)
        self.flown = True
        self.go(self.me, to)

    def do_build(self, gone):
        here = self.at[self.me]
        if self.roles[self.me] != OPERATIONS:
            self.discard(self.me, here)
        self.raise_station(here, gone)

    def raise_station(self, city, gone):
        self.stations -= {gone}
        self.stations.add(city)

    def do_treat(self, colour):
        everything = self.roles[self.me] == MEDIC or colour in self.cured
        self.cubes[self.at[self.me], colour] -= self.cubes[self.at[self.me], colour] if everything else 1

    def do_give(self, card, mate):
        self.hands[self.me].remove(card)
        self.hands[mate].append(card)

    def do_take(self, card, mate):
        self.hands[mate].remove(card)
        self.hands[self.me].append(card)

    def do_cure(self, *cards):
        for card in cards:
            self.discard(self.me, card)
        self.cured.add(self.colour[cards[0]])
        self.medicate()
        if len(self.cured) == 4:
            self.end = 0, "cures"

    def do_plan(self, card):
        self.used.remove(card)
        self.stored = card

    def event(self, card):
        """Discard an event; the one that the Contingency Planner has stored leaves the game."""
        holder = [player for player in range(self.players) if card in self.hands[player]]
        if holder:
            self.discard(holder[0], card)
        else:
            self.stored = None

    def do_airlift(self, pawn, to):
        self.event(AIRLIFT)
        self.go(pawn, to)

    def do_grant(self, to, gone):
        self.event(GRANT)
        self.raise_station(to, gone)

    def do_quiet(self):
        self.event(QUIET)
        self.quiet = True

    def do_resilient(self, card):
        self.event(RESILIENT)
        self.infected.remove(card)

    def do_forecast(self):
        self.event(FORECAST)
        self.seen = [self.infection.pop() for _ in range(min(6, len(self.infection)))]
