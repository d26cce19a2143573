"""Goofspiel and Sushi Go! once more, from their rules alone: choices are kept in a list until everybody has chosen."""

from collections import Counter
from itertools import product

from tests.naive.short_twins import NOBODY, Twin


class Simultaneous(Twin):
    """Everybody chooses, in turn order from the seat after the one that began before."""

    def begin(self):
        self.starts, self.chosen = -1, {}
        self.deal()
        self.ask()

    def ask(self):
        self.starts = (self.starts + 1) % self.players
        self.order = [(self.starts + step) % self.players for step in range(self.players)]
        self.chosen, self.me = {}, self.starts

    def play(self, *action):
        self.chosen[self.me] = action
        waiting = [p for p in self.order if p not in self.chosen]
        if waiting:
            self.me = waiting[0]
            return
        self.reveal()
        if not self.end:
            self.ask()

    def ranked(self, standing: list) -> int:
        return standing.index(max(standing)) if standing.count(max(standing)) == 1 else NOBODY


class Goofspiel(Simultaneous):
    carried = False

    def deal(self):
        self.prizes = self.pile(range(1, 14))
        self.hands = [set(range(1, 14)) for _ in range(self.players)]
        self.points, self.stake = [0] * self.players, [self.prizes.pop()]

    def legal(self):
        return {("bid", card) for card in self.hands[self.me]}

    def reveal(self):
        bids = [self.chosen[p][1] for p in range(self.players)]
        for hand, card in zip(self.hands, bids, strict=True):
            hand.remove(card)
        winner = self.ranked(bids)
        if winner != NOBODY:
            self.points[winner] += sum(self.stake)
        if winner != NOBODY or not self.carried:
            self.stake = []
        if self.prizes:
            self.stake.append(self.prizes.pop())
        else:
            self.end = self.ranked(self.points), "the last prize"

    def agrees(self, state) -> bool:
        stake = [int(card) for card in state.stake[1 : 1 + state.stake[0]]]
        return stake == self.stake and [*state.points[: self.players]] == self.points

    def scores(self):
        return self.points


TEMPURA, SASHIMI, DUMPLING, MAKI1, MAKI2, MAKI3, PUDDING, CHOPSTICKS, WASABI, EGG, SALMON, SQUID = range(12)
COPIES = (14, 14, 14, 6, 12, 8, 10, 4, 6, 5, 10, 5)  # 108 cards
NIGIRI, ROLLS = {EGG: 1, SALMON: 2, SQUID: 3}, {MAKI1: 1, MAKI2: 2, MAKI3: 3}


class SushiGo(Simultaneous):
    at_once, no_maki = "possible", "with_maki"

    def deal(self):
        self.deck = self.pile([kind for kind, copies in enumerate(COPIES) for _ in range(copies)])
        self.round, self.points, self.puddings = 1, [0] * self.players, [0] * self.players
        self.hand_out()

    def hand_out(self):
        self.hands = [[] for _ in range(self.players)]
        self.laid = [[] for _ in range(self.players)]  # cards, in the order in which they were laid
        for _ in range(12 - self.players):
            for hand in self.hands:
                hand.append(self.deck.pop())

    def legal(self):
        hand = Counter(self.hands[self.me])
        found = {("take_card", card) for card in hand}
        if CHOPSTICKS not in self.laid[self.me]:
            return found
        for one, two in product(hand, hand):
            if one == two:
                allowed = hand[one] > 1
            elif one == WASABI and two in NIGIRI:
                allowed = self.at_once == "possible"
            elif two == WASABI and one in NIGIRI:
                allowed = True
            else:
                allowed = one < two  # the order does not matter
            if allowed:
                found.add(("take_two", one, two))
        return found

    def reveal(self):
        for p in range(self.players):
            _, *cards = self.chosen[p]
            for card in cards:
                self.hands[p].remove(card)
            if len(cards) == 2:
                self.laid[p].remove(CHOPSTICKS)
                self.hands[p].append(CHOPSTICKS)
            self.laid[p] += cards
        if any(self.hands):
            self.hands = [self.hands[p - 1] for p in range(self.players)]
            return
        self.count()
        if self.round < 3:
            self.round += 1
            self.hand_out()
            return
        self.desserts()
        self.end = self.ranked(list(zip(self.points, self.puddings, strict=True))), "the last round"

    def count(self):
        rolls = [sum(ROLLS.get(card, 0) for card in laid) for laid in self.laid]
        places = sorted(set(rolls), reverse=True)
        first = [p for p in range(self.players) if rolls[p] == places[0] > 0]
        for p in first:
            self.points[p] += 6 // len(first)
        if len(first) == 1 and len(places) > 1 and (places[1] > 0 or self.no_maki == "anybody"):
            second = [p for p in range(self.players) if rolls[p] == places[1]]
            for p in second:
                self.points[p] += 3 // len(second)
        for p, laid in enumerate(self.laid):
            self.points[p] += self.of_cards(laid)
            self.puddings[p] += laid.count(PUDDING)

    @staticmethod
    def of_cards(laid: list) -> int:
        points = laid.count(TEMPURA) // 2 * 5 + laid.count(SASHIMI) // 3 * 10
        points += sum(range(min(laid.count(DUMPLING), 5) + 1))
        wasabi = 0
        for card in laid:
            if card == WASABI:
                wasabi += 1
            elif card in NIGIRI:
                points += NIGIRI[card] * (3 if wasabi else 1)
                wasabi -= wasabi > 0
        return points

    def desserts(self):
        most, least = max(self.puddings), min(self.puddings)
        if most == least:
            return
        for p, own in enumerate(self.puddings):
            if own == most:
                self.points[p] += 6 // self.puddings.count(most)
            if own == least and self.players > 2:
                self.points[p] -= 6 // self.puddings.count(least)

    def agrees(self, state) -> bool:
        for p in range(self.players):
            belt, dipped = (pile[1 : 1 + pile[0]].tolist() for pile in (state.belt[p], state.dipped[p]))
            hand = state.hand[p]
            is_same = sorted(belt + dipped) == sorted(self.laid[p]) and state.points[p] == self.points[p]
            if not is_same or sorted(hand[1 : 1 + hand[0]].tolist()) != sorted(self.hands[p]):
                return False
        return True

    def scores(self):
        return self.points
