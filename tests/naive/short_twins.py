"""Short games once more, in plain Python and from their rules: lists and sets, nothing of the engine.

A twin says `me`, `legal()` as {(action, arguments ...)}, and `play(action, ...)`; `end` is (winner, how) once it is over.
Luck is drawn in the order in which the rules ask for it: stream 0 for dice, 1 for shuffles; the top of a pile is its end.
"""

from itertools import product

from tests.naive.luck import Luck

DICE, CARDS = 0, 1
NOBODY, HOUSE = -1, -3


class Twin:
    def __init__(self, players: int, seed: int, game: int):
        self.luck, self.players, self.me, self.end = Luck(seed, game), players, 0, None
        self.begin()

    def pile(self, cards) -> list:
        cards = list(cards)
        self.luck.shuffle(CARDS, cards)
        return cards

    def agrees(self, state) -> bool:
        """Whether that lies on the table which the legal actions do not show."""
        return True

    def scores(self) -> list[int]:
        """The points of each seat at the end, if the record has them."""
        return []


class NoThanks(Twin):
    def begin(self):
        self.deck = self.pile(range(3, 36))
        del self.deck[-9:]
        self.offer, self.pot, self.chips = self.deck.pop(), 0, [11] * self.players
        self.taken = [[] for _ in range(self.players)]

    def legal(self):
        return {("take_card",)} | ({("refuse",)} if self.chips[self.me] else set())

    def play(self, action):
        if action == "refuse":
            self.chips[self.me] -= 1
            self.pot += 1
            self.me = (self.me + 1) % self.players
            return
        self.chips[self.me] += self.pot
        self.taken[self.me].append(self.offer)
        self.pot = 0
        if not self.deck:  # the lowest card of each run counts, chips are worth one
            points = [
                sum(card for card in mine if card - 1 not in mine) - chips
                for mine, chips in zip(self.taken, self.chips, strict=True)
            ]
            best = [p for p in range(self.players) if points[p] == min(points)]
            self.end = best[0] if len(best) == 1 else NOBODY, "the last card is taken"
        else:
            self.offer = self.deck.pop()


class CantStop(Twin):
    HEIGHT = dict(zip(range(2, 13), (3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3), strict=True))

    def begin(self):
        self.camps, self.topped = [dict.fromkeys(self.HEIGHT, 0) for _ in range(self.players)], {}
        self.turn()

    def turn(self):
        self.runners = {}
        self.throw()

    def throw(self):
        self.dice, self.rolled = [self.luck.below(DICE, 6) + 1 for _ in range(4)], True
        if not self.legal():
            self.me = (self.me + 1) % self.players
            self.turn()

    def climbed(self, columns):
        """Where the runners stand when they climb these columns, one after the other, as far as that is possible."""
        runners = dict(self.runners)
        for column in columns:
            stands = runners.get(column, 0)
            if column not in self.topped and stands < self.HEIGHT[column] and (stands or len(runners) < 3):
                runners[column] = (stands or self.camps[self.me][column]) + 1
        return runners

    def sums(self, pairing, first):
        a, b, c, d = self.dice
        one, other = ((a + b, c + d), (a + c, b + d), (a + d, b + c))[pairing]
        return (one, other) if first else (other, one)

    def legal(self):
        if not self.rolled:
            return {("go_on",), ("stop",)}
        found = set()
        for pairing in range(3):
            one, other = (self.climbed(self.sums(pairing, first)) for first in (1, 0))
            can = [self.climbed(self.sums(pairing, first)[:1]) != self.runners for first in (1, 0)]
            found |= {("climb", pairing, 1)} if can[0] else set()
            found |= {("climb", pairing, 0)} if can[1] and not (can[0] and one == other) else set()
        return found

    def play(self, action, *chosen):
        if action == "climb":
            self.runners, self.rolled = self.climbed(self.sums(*chosen)), False
        elif action == "go_on":
            self.throw()
        else:
            self.camps[self.me] |= self.runners
            self.topped |= {column: self.me for column, at in self.runners.items() if at == self.HEIGHT[column]}
            if list(self.topped.values()).count(self.me) >= 3:
                self.end = self.me, "columns topped"
            else:
                self.me = (self.me + 1) % self.players
                self.turn()


GUARD, PRIEST, BARON, HANDMAID, PRINCE, KING, COUNTESS, PRINCESS = range(8)


class LoveLetter(Twin):
    CARDS_OF = (5, 2, 2, 2, 2, 1, 1, 1)

    def begin(self):
        self.tokens, self.deck = (
            [0] * self.players,
            self.pile(card for card in range(8) for _ in range(self.CARDS_OF[card])),
        )
        self.deal()

    def deal(self):
        self.aside = [self.deck.pop()]
        self.removed = [self.deck.pop() for _ in range(3 if self.players == 2 else 0)]
        self.hands = [[self.deck.pop()] for _ in range(self.players)]
        self.played, self.out, self.safe = [[] for _ in self.hands], set(), set()
        self.turn(self.me)

    def turn(self, player):
        self.me = player
        self.safe.discard(player)
        self.hands[player].append(self.deck.pop())

    def open_to(self):
        return [p for p in range(self.players) if p != self.me and p not in self.out | self.safe]

    def legal(self):
        hand, found = self.hands[self.me], set()
        for card in hand:
            if COUNTESS in hand and card in (PRINCE, KING):
                continue
            if card == PRINCE:
                found |= {("play", card, target, PRIEST) for target in [*self.open_to(), self.me]}
            elif card in (GUARD, PRIEST, BARON, KING) and self.open_to():
                guesses = range(PRIEST, PRINCESS + 1) if card == GUARD else [PRIEST]
                found |= {("play", card, *rest) for rest in product(self.open_to(), guesses)}
            else:
                found.add(("play", card, self.me, PRIEST))
        return found

    def play(self, _, card, target, guess):
        mine, other = self.hands[self.me], self.hands[target]
        mine.remove(card)
        self.played[self.me].append(card)
        if card == HANDMAID:
            self.safe.add(self.me)
        elif card == PRINCESS:
            self.leave(self.me)
        elif card == PRINCE:
            gone = other.pop()
            self.played[target].append(gone)
            if gone == PRINCESS:
                self.leave(target)
            else:
                other.append((self.deck or self.aside).pop())
        elif target != self.me:
            if card == GUARD and other[0] == guess:
                self.leave(target)
            elif card == BARON and mine[0] != other[0]:
                self.leave(target if mine[0] > other[0] else self.me)
            elif card == KING:
                mine[:], other[:] = other[:], mine[:]
        left = [p for p in range(self.players) if p not in self.out]
        if len(left) == 1 or not self.deck:
            self.close(left)
        else:
            self.turn(next((self.me + i) % self.players for i in range(1, 5) if (self.me + i) % self.players in left))

    def leave(self, player):
        self.out.add(player)
        self.played[player] += self.hands[player]
        self.hands[player] = []

    def close(self, left):
        def standing(p):  # the highest card; then what was played; then who is at turn, then the order of seats
            return self.hands[p][0], sum(card + 1 for card in self.played[p]), p == self.me, -p

        best = max(left, key=standing)
        self.tokens[best] += 1
        if self.tokens[best] == {2: 7, 3: 5, 4: 4}[self.players]:
            self.end = best, "enough tokens of affection"
            return
        self.deck = self.gathered()
        self.luck.shuffle(CARDS, self.deck)
        self.me = best
        self.deal()

    def gathered(self):
        """All cards, the deck below, then hand and played cards of each player, then those laid aside."""
        lying = [*self.deck]
        for hand, played in zip(self.hands, self.played, strict=True):
            lying += [*hand, *played]
        return [*lying, *self.aside, *self.removed]


EXPLORER, PILOT, ENGINEER, MESSENGER, NAVIGATOR, DIVER = range(6)
RISE, SANDBAGS, LIFT = 4, 5, 6
HOME = 1  # Fools' Landing
TREASURE = {6: 0, 7: 0, 8: 1, 9: 1, 10: 2, 11: 2, 12: 3, 13: 3}


class ForbiddenIsland(Twin):
    level, need, limit = 1, 4, 5

    def begin(self):
        self.flood = self.pile(range(24))
        self.cards = self.pile(card for card in range(7) for _ in range((5, 5, 5, 5, 3, 2, 3)[card]))
        roles = self.pile(range(6))
        land = [r * 6 + c for r in range(6) for c in range(abs(2 * r - 5) // 2, 6 - abs(2 * r - 5) // 2)]
        self.where = dict(zip(self.flood, land, strict=True))
        self.tile = {cell: tile for tile, cell in self.where.items()}
        self.dry, self.wet, self.water = set(land), set(), self.level
        self.luck.shuffle(CARDS, self.flood)
        self.drawn, self.used, self.got = [], [], set()
        for _ in range(6):
            self.drawn.append(self.flood.pop())
            self.drench(self.where[self.drawn[-1]])
        self.roles = [roles.pop() for _ in range(self.players)]
        self.at, self.hands = [self.where[role] for role in self.roles], []
        for _ in range(self.players):
            hand = []
            while len(hand) < 2:
                hand.append(self.cards.pop())
                if hand[-1] == RISE:
                    self.cards.append(hand.pop())
                    self.luck.shuffle(CARDS, self.cards)
            self.hands.append(hand)
        self.turn(0)
        self.go_on()

    def drench(self, cell):
        self.dry.discard(cell)
        self.wet.add(cell)

    def turn(self, player):
        self.owner = self.me = player
        self.left, self.flown, self.again, self.to_come = 3, False, False, None

    @property
    def stands(self):
        return self.dry | self.wet

    def beside(self, cell, aslant=False):
        r, c = divmod(cell, 6)
        ways = [(0, 1), (1, 0), (0, -1), (-1, 0)] + [(1, 1), (1, -1), (-1, 1), (-1, -1)] * aslant
        return {(r + i) * 6 + c + j for i, j in ways if 0 <= r + i < 6 and 0 <= c + j < 6}

    def near(self, p):
        return self.beside(self.at[p], self.roles[p] == EXPLORER)

    def reached(self, start, through, most=99):
        """Cells that are so many steps away, over cells of `through`."""
        found, edge = {start}, {start}
        for _ in range(most):
            ahead = set().union(*(self.beside(cell) for cell in edge if cell == start or cell in through)) - found
            found, edge = found | ahead, ahead
            if not ahead:
                break
        return found - {start}

    def shores(self, p):
        """Where a player who stands in the water can swim to."""
        if self.roles[p] == PILOT:
            return self.stands
        if self.roles[p] == DIVER:
            far = {cell: abs(cell // 6 - self.at[p] // 6) + abs(cell % 6 - self.at[p] % 6) for cell in self.stands}
            return {cell for cell in far if far[cell] == min(far.values())} | self.near(p) & self.stands
        return self.near(p) & self.stands

    def holders(self, card):
        return [hand for hand in self.hands if card in hand]

    def swimmer(self):
        return next((p for p in range(self.players) if self.at[p] not in self.stands), None)

    def laden(self):
        return next((p for p in range(self.players) if len(self.hands[p]) > self.limit), None)

    def legal(self):
        if self.swimmer() is not None:
            return {("swim", cell) for cell in self.shores(self.me)}
        me, here, found = self.me, self.at[self.me], set()
        mine, role = self.hands[me], self.roles[me]
        if self.holders(SANDBAGS):
            found |= {("sandbag", cell) for cell in self.wet}
        if self.holders(LIFT):
            groups = [
                (mask, {self.at[p] for p in range(self.players) if mask >> p & 1})
                for mask in range(1, 1 << self.players)
            ]
            found |= {("lift", mask, cell) for mask, cells in groups if len(cells) == 1 for cell in self.stands - cells}
            if len(self.got) == 4 and set(self.at) == {self.where[HOME]}:
                found.add(("escape",))
        if self.laden() is not None:
            return found | {("drop", card) for card in mine}
        found.add(("rest",))
        if self.left or self.again:
            found |= {("shore_up", cell) for cell in (self.near(me) | {here}) & self.wet}
        if self.left:
            walks = self.near(me) & self.stands
            walks |= self.stands - {here} if role == PILOT and not self.flown else set()
            walks |= self.reached(here, set(self.tile) - self.dry) & self.stands if role == DIVER else set()
            found |= {("walk", cell) for cell in walks}
            mates = [p for p in range(self.players) if p != me and (self.at[p] == here or role == MESSENGER)]
            found |= {("give", card, p) for p in mates for card in mine if card < 4}
            treasure = TREASURE.get(self.tile[here])
            if treasure is not None and treasure not in self.got and mine.count(treasure) >= self.need:
                found.add(("capture", treasure))
            if role == NAVIGATOR:
                found |= {
                    ("steer", p, cell)
                    for p in range(self.players)
                    if p != me
                    for cell in self.reached(self.at[p], self.stands, 2) & self.stands
                }
        return found

    def play(self, action, *chosen):
        getattr(self, "do_" + action)(*chosen)
        if action != "escape":
            self.go_on()

    def spend(self):
        self.left, self.again = self.left - 1, False

    def discard(self, hand, card):
        hand.remove(card)
        self.used.append(card)

    def do_walk(self, cell):
        self.flown |= self.roles[self.me] == PILOT and cell not in self.near(self.me)
        self.at[self.me] = cell
        self.spend()

    def do_shore_up(self, cell):
        self.wet.remove(cell)
        self.dry.add(cell)
        if self.again:
            self.again = False
        else:
            self.spend()
            self.again = self.roles[self.me] == ENGINEER

    def do_give(self, card, target):
        self.hands[self.me].remove(card)
        self.hands[target].append(card)
        self.spend()

    def do_capture(self, treasure):
        for _ in range(self.need):
            self.discard(self.hands[self.me], treasure)
        self.got.add(treasure)
        self.spend()

    def do_steer(self, target, cell):
        self.at[target] = cell
        self.spend()

    def do_sandbag(self, cell):
        self.discard(self.holders(SANDBAGS)[0], SANDBAGS)
        self.wet.remove(cell)
        self.dry.add(cell)

    def do_lift(self, mask, cell):
        self.discard(self.holders(LIFT)[0], LIFT)
        self.at = [cell if mask >> p & 1 else self.at[p] for p in range(self.players)]

    def do_escape(self):
        self.end = 0, "away with all treasures"

    def do_drop(self, card):
        self.discard(self.hands[self.me], card)

    def do_swim(self, cell):
        self.at[self.me] = cell

    def do_rest(self):
        self.left, self.again = -1, False

    def go_on(self):
        """Treasure cards, flood cards, the next player: until somebody has to decide."""
        while not self.end:
            for asked in (self.swimmer(), self.laden()):
                if asked is not None:
                    self.me = asked
                    return
            self.me = self.owner
            if self.to_come is None:
                if self.left > 0 or (self.left == 0 and (self.again or self.holders(SANDBAGS) or self.holders(LIFT))):
                    return
                self.draw()
                self.to_come = (2, 2, 3, 3, 3, 4, 4, 5, 5, 5, 5, 5)[self.water - 1]
            elif self.to_come:
                self.to_come -= 1
                self.rise()
            else:
                self.turn((self.owner + 1) % self.players)
                return

    def draw(self):
        for _ in range(2):
            if not self.cards:
                self.cards, self.used = self.pile(self.used), []
            card = self.cards.pop()
            if card == RISE:
                self.used.append(card)
                self.water += 1
                self.flood, self.drawn = [*self.flood, *self.pile(self.drawn)], []
            else:
                self.hands[self.owner].append(card)
        if self.water >= 10:
            self.end = HOUSE, "the water is too high"

    def rise(self):
        if not self.flood:
            self.flood, self.drawn = self.pile(self.drawn), []
        tile = self.flood.pop()
        cell = self.where[tile]
        if cell in self.dry:
            self.drawn.append(tile)
            self.drench(cell)
            return
        self.wet.remove(cell)
        lost = TREASURE.get(tile)
        if (
            lost is not None
            and lost not in self.got
            and not any(TREASURE.get(self.tile[other]) == lost for other in self.stands)
        ):
            self.end = HOUSE, "a treasure is lost"
        if tile == HOME:
            self.end = HOUSE, "Fools' Landing is lost"
        if any(self.at[p] == cell and not self.shores(p) for p in range(self.players)):
            self.end = HOUSE, "a player drowns"
