"""FlipToons once more, in plain Python and from its rulebook: spaces and their stacks of toons (`short_twins.Twin`).

The course of the game is one generator: it yields whose decision it is and what is legal, and is sent the action.
A space is (row, column): row 0 is the lower row, 1 the upper row, and Monkeys make rows 2 and 3 above it.
"""

from collections import Counter
from dataclasses import dataclass
from itertools import count

from tests.naive.short_twins import CARDS, HOUSE, NOBODY, Twin

STARTING = ("Caterpillar", "Skunk", "Dragonfly", "Bee", "Snail")
# By rank, from 1: name, copies, the fame printed
TOONS = (
    ("Ostrich", 3, 1),
    ("Eagle", 2, 4),
    ("Donkey", 2, 1),
    ("Butterfly", 3, 2),
    ("Dog", 4, 0),
    ("Goat", 2, 1),
    ("Sheep", 2, 1),
    ("Camel", 5, 2),
    ("Rabbit", 4, 3),
    ("Horse", 2, 4),
    ("Snake", 2, 1),
    ("Elephant", 2, 7),
    ("Rooster", 2, 0),
    ("Cat", 2, 1),
    ("Alligator", 2, 6),
    ("Lion", 2, 3),
    ("Monkey", 2, 3),
    ("Pig", 1, -1),
    ("Peacock", 2, 5),
    ("Turkey", 2, 5),
    ("Bull", 1, 3),
    ("Tiger", 1, 3),
    ("Deer", 1, 3),
    ("Bear", 1, 1),
    ("Cow", 1, 0),
)
RANK = dict.fromkeys(STARTING, 0) | {name: rank for rank, (name, _, _) in enumerate(TOONS, 1)}
FAME = dict.fromkeys(STARTING, 0) | {"Bee": 1, "Snail": 2} | {name: fame for name, _, fame in TOONS}
UNFLIPPABLE = {"Eagle", "Rabbit", "Elephant", "Bull"}
STAYS = {"Cat", "Tiger"}  # cannot be dismissed
KINDS = [*STARTING, *(name for name, _, _ in TOONS)]  # as the game numbers them
WHEN_HIRED = {"Butterfly", "Horse", "Pig", "Peacock"}
FINISH, RETURN_PIG = ("finish",), ("return_pig",)
TRADING = 1  # the phase of the game in which a player hires and dismisses
SLOTS = [(row, column) for row in (1, 0) for column in range(3)]  # in the order in which they are filled


@dataclass(eq=False)
class Toon:
    """One card in a grid."""

    name: str
    up: bool = True
    is_late: bool = False  # what it does when hired is still to come

    @property
    def may_go(self) -> bool:
        return self.up and self.name not in STAYS


class Seat:
    def __init__(self, starting):
        self.deck, self.dismissed = list(starting), []
        self.fame, self.plays = 0, True
        self.clear()

    def clear(self):
        self.grid, self.placed = {}, []  # stacks by their space; all cards, in the order in which they were placed
        self.taxi, self.eagle = None, False  # the Ostrich that waits for the next card; whether that card is flipped
        self.extra = 0  # Peacocks that a Snake stacked

    def stacks(self):
        """Spaces and their stacks, from left to right, the highest row first."""
        return sorted(self.grid.items(), key=lambda item: (-item[0][0], item[0][1]))

    def cards(self):
        return [(space, toon) for space, stack in self.stacks() for toon in stack]

    def face_up(self):
        return [toon.name for toon in self.placed if toon.up]

    def where(self, toon):
        return next(space for space, stack in self.grid.items() if toon in stack)

    def free(self):
        return next((space for space in SLOTS if space not in self.grid), None)

    def is_small(self):
        """p. 8: too small to dismiss a toon."""
        return len(self.deck) + len(self.placed) < 4

    def move(self, toon, space):
        self.lift(toon)
        self.grid.setdefault(space, []).append(toon)

    def lift(self, toon):
        space = self.where(toon)
        self.grid[space].remove(toon)
        if not self.grid[space]:
            del self.grid[space]

    def near(self, space):
        """The face-up cards beside a space."""
        row, column = space
        sides = [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
        return [(side, toon.name) for side in sides for toon in self.grid.get(side, []) if toon.up]


class FlipToons(Twin):
    unique, first_target, second_monkey, fed_card, fed_hired = "names", "in_grid", "above", "acts", "before_check"
    few_cards, lone_lion, cow, critic_again, horse_gap = "action_only", "yes", "generated", "yes", "stays"
    solo_discards, goal, most_rounds, prices = 20, 30, 100, (3, 4, 7, 10, 15)
    starting, copies = (), {}  # starting cards and toons that are not as many as printed

    def begin(self):
        solo = self.players == 1
        numbers = self.starting or ((3, 0, 1, 1, 1) if solo else (2, 1, 1, 1, 1))
        starting = [name for name, number in zip(STARTING, numbers, strict=True) for _ in range(number)]
        self.seats = [Seat(starting) for _ in range(self.players)]
        copies = {name: number for name, number, _ in TOONS} | ({"Pig": 0} if solo else {}) | self.copies
        self.toons = self.pile(name for name, number in copies.items() for _ in range(number))
        self.market = [None] * 5
        self.refill()
        if solo:
            del self.toons[-self.solo_discards :]
        self.first, self.critic, self.ending = 0, None, False
        self.story = self.course()
        self.me, self.now = next(self.story)

    def legal(self):
        return self.now

    def play(self, *action):
        try:
            self.me, self.now = self.story.send(action)
        except StopIteration:
            self.now = set()

    def course(self):
        """The rounds (p. 6 to 11, 16)."""
        for number in count(1):
            yield from self.flip()
            self.check()
            if self.players == 1 and self.seats[0].fame >= self.goal:
                self.end = 0, "30 fame"
                return
            if self.fed_hired == "after_check":
                yield from self.hire_late()
            yield from self.stink()
            for p in self.clockwise():
                yield from self.market_turn(p)
                if self.end:
                    return
            for p in self.clockwise():
                yield from self.leave(p)
            if self.ending or number == self.most_rounds:
                self.ending = True
                yield from self.final()
                return
            self.first = (self.first + 1) % self.players

    def clockwise(self):
        order = [(self.first + step) % self.players for step in range(self.players)]
        return [p for p in order if self.seats[p].plays]

    # 1. Flip (p. 6)

    def flip(self):
        for p in self.clockwise():
            seat = self.seats[p]
            seat.deck += [toon.name for toon in seat.placed]
            seat.clear()
            self.luck.shuffle(CARDS, seat.deck)
            self.deal(seat)
        for p in self.clockwise():
            if "Pig" in self.seats[p].dismissed:  # by a Snake
                self.seats[p].dismissed.remove("Pig")
                yield from self.place_pig(p)
        if self.fed_hired == "before_check":
            yield from self.hire_late()

    def deal(self, seat):
        while seat.deck and seat.free():
            space = seat.where(seat.taxi) if seat.taxi else seat.free()
            seat.taxi = None
            self.arrive(seat, Toon(seat.deck.pop()), space)

    def arrive(self, seat, toon, space, by_snake=False):
        before = seat.placed[-1] if seat.placed else None
        seat.placed.append(toon)
        seat.grid.setdefault(space, []).append(toon)
        flipped, seat.eagle = seat.eagle and toon.name not in UNFLIPPABLE, False
        if flipped:
            toon.up = False
        elif not by_snake:
            self.act(seat, toon, before)
        elif toon.name not in ("Rabbit", "Turkey") and self.fed_card == "acts":  # those stay on the Snake (p. 13)
            self.act(seat, toon, before)

    def act(self, seat, toon, before):
        """The ability of a card that is placed after the card `before`."""
        if toon.name == "Ostrich":
            seat.taxi = toon
        elif toon.name == "Eagle":
            seat.eagle = True
        elif toon.name == "Elephant" and before:
            before.up = before.name in UNFLIPPABLE or not before.up
        elif toon.name == "Turkey" and before:
            seat.move(toon, seat.where(before))
        elif toon.name == "Rabbit":
            others = [other for _, other in seat.cards()] if self.first_target == "in_grid" else seat.placed
            found = [other for other in others if other is not toon and (other.name == "Rabbit" or not other.up)]
            if found:
                seat.move(toon, seat.where(found[0]))
        elif toon.name == "Monkey":
            self.climb(seat, toon)
        elif toon.name == "Snake":
            self.bite(seat, toon)

    def climb(self, seat, monkey):
        row, column = seat.where(monkey)
        if row != 1:
            return
        if self.second_monkey == "below" and (2, column) in seat.grid:
            seat.grid[3, column] = seat.grid.pop((2, column))
        row = next(above for above in (2, 3) if (above, column) not in seat.grid)
        seat.move(monkey, (row, column))

    def bite(self, seat, snake):
        if seat.deck and not self.is_spared(seat):
            if seat.deck[-1] not in STAYS:
                seat.dismissed.append(seat.deck.pop())
            elif seat.free():
                self.arrive(seat, Toon(seat.deck.pop()), seat.free())
        if self.toons:
            toon = Toon(self.toons.pop())
            toon.is_late = toon.name in WHEN_HIRED
            self.arrive(seat, toon, seat.where(snake), by_snake=True)

    # 2. Check fame (p. 7)

    def check(self):
        for seat in self.seats:
            if seat.plays:
                generated = sum(self.worth(seat, space, toon.name) for space, toon in seat.cards() if toon.up)
                seat.fame = generated + 2 * seat.extra * (self.fed_hired == "before_check")
        most = max(seat.fame for seat in self.seats)
        if most >= self.goal and not self.ending:
            best = [p for p, seat in enumerate(self.seats) if seat.fame == most]
            self.critic, self.ending = best[0] if len(best) == 1 else None, True

    def worth(self, seat, space, name):
        near, mine = [name for _, name in seat.near(space)], Counter(seat.face_up())
        rivals = [Counter(other.face_up()) for other in self.seats if other is not seat] + [Counter(self.market)]
        if name == "Cow":
            found = [FAME[n] if self.cow == "printed" else self.worth(seat, s, n) for s, n in seat.near(space)]
            return max(found, default=0)
        bonus = {
            "Dragonfly": len(set(near)) if self.unique == "names" else sum(near.count(one) == 1 for one in near),
            "Donkey": 5 * (space[0] == 0),
            "Dog": 5 * any(rival["Dog"] for rival in rivals),
            "Goat": 3 * (space[0] == 1),
            "Sheep": 4 * (space[1] == 1),
            "Camel": 2 * all(rival["Camel"] <= mine["Camel"] for rival in rivals),
            "Rooster": sum(mine[one] for one in mine if RANK[one] <= 13),
            "Cat": sum(card in STARTING for card in seat.dismissed),
            "Lion": 4 * (all(RANK[one] <= 16 for one in near) and (self.lone_lion == "yes" or bool(near))),
            "Bull": 7 * any(not toon.up for toon in seat.placed),
            "Tiger": len(seat.dismissed),
            "Deer": 5 * (max(mine.values()) == 1),
            "Bear": mine.total(),
        }
        return FAME[name] + bonus.get(name, 0)

    # Special effects

    def stink(self):
        """The player alone with the least fame, if with a Skunk, dismisses a card (p. 12)."""
        least = min(seat.fame for seat in self.seats)
        behind = [p for p, seat in enumerate(self.seats) if seat.fame == least]
        if len(behind) == 1 and "Skunk" in self.seats[behind[0]].face_up():
            yield from self.send_off(behind[0], lambda toon: True)

    def is_spared(self, seat):
        return self.few_cards == "always" and seat.is_small()

    def send_off(self, p, which, or_else=()):
        """Have a player dismiss one of the face-up cards in the grid."""
        seat = self.seats[p]
        places = [i for i, toon in enumerate(seat.placed) if toon.may_go and which(toon)]
        if places and not self.is_spared(seat):
            action = yield p, {("dismiss", i) for i in places} | {*or_else}
            if action != FINISH:
                yield from self.dismiss(p, seat.placed[action[1]])

    def dismiss(self, p, toon):
        seat = self.seats[p]
        seat.lift(toon)
        seat.placed.remove(toon)
        if toon.name == "Pig":
            yield from self.place_pig(p)
        else:
            seat.dismissed.append(toon.name)

    def place_pig(self, p):
        action = yield p, {("give_pig", to) for to in range(self.players)} | {RETURN_PIG}
        if action == RETURN_PIG:
            self.toons.append("Pig")
            self.luck.shuffle(CARDS, self.toons)
        else:
            self.seats[action[1]].deck.append("Pig")

    def hire_late(self):
        """Cards stacked by Snakes are hired (p. 13)."""
        for p in self.clockwise():
            seat = self.seats[p]
            for _, toon in seat.cards():
                if toon.is_late and toon.up and toon in seat.placed:
                    toon.is_late = False
                    if toon.name == "Peacock":
                        seat.extra += 1
                    elif toon.name == "Pig":
                        yield from self.dismiss(p, toon)
                    else:
                        yield from self.hired(p, toon.name)

    def hired(self, p, name):
        if name == "Butterfly":
            yield from self.send_off(p, lambda toon: toon.name == "Caterpillar", [FINISH])
        elif name == "Horse":
            yield from self.renew(p)

    def renew(self, p):
        """Discard cards of the market, from left to right, and reveal as many (p. 12)."""
        taken = [place for place, name in enumerate(self.market) if name]
        shown, least, gone = self.offered(), 0, 0
        while shown or gone:
            action = yield p, {("reject", i) for i in range(least, len(shown))} | {FINISH}
            if action == FINISH:
                break
            least, gone = action[1], gone + 1
            del shown[least]
        while gone and self.toons:
            shown.append(self.toons.pop())
            gone -= 1
        self.arrange(shown, taken if self.horse_gap == "stays" and not gone else None)

    # 3. Market (p. 8, 9)

    def offered(self):
        return [name for name in self.market if name]

    def arrange(self, cards, places=None):
        """By rank, below these price cards or below the highest."""
        places = range(5 - len(cards), 5) if places is None else places
        self.market = [None] * 5
        for place, name in zip(places, sorted(cards, key=RANK.get), strict=True):
            self.market[place] = name

    def refill(self):
        cards = self.offered()
        while len(cards) < 5 and self.toons:
            cards.append(self.toons.pop())
        self.arrange(cards)

    def restock(self, seats_left):
        """After a turn; in games of one or two, the ends of the market are discarded after the last one (p. 11, 16)."""
        for again in (False, True) if self.players < 3 and not seats_left else (False,):
            if again:
                self.arrange(self.offered()[1:-1])
            self.refill()
            if self.players == 1 and None in self.market:
                self.end = HOUSE, "no toons left"
            elif not self.offered():
                self.ending = True

    def market_turn(self, p):
        seat = self.seats[p]
        self.coins, self.actions = seat.fame, 2 + seat.extra
        self.coins += 2 * seat.extra * (self.fed_hired == "after_check")
        while self.actions:
            places = [place for place, name in enumerate(self.market) if name]
            hires = {("hire", i) for i, place in enumerate(places) if self.prices[place] <= self.coins}
            going = [] if seat.is_small() else [i for i, toon in enumerate(seat.placed) if toon.may_go]
            off = {("dismiss", i) for i in going if self.price(seat.placed[i]) <= self.coins}
            verb, *at = yield p, hires | off | {FINISH}
            if verb == "finish":
                break
            self.actions -= 1
            if verb == "dismiss":
                toon = seat.placed[at[0]]
                self.coins -= self.price(toon)
                yield from self.dismiss(p, toon)
                continue
            place = places[at[0]]
            name, self.market[place] = self.market[place], None
            self.coins -= self.prices[place]
            if name == "Pig":
                yield from self.place_pig(p)
                continue
            seat.deck.append(name)
            if name == "Peacock":
                self.coins += 2
                self.actions += 1
            yield from self.hired(p, name)
        self.restock(p != self.clockwise()[-1])

    @staticmethod
    def price(toon):
        return 3 if toon.name == "Caterpillar" else 5

    def leave(self, p):
        """Alligators and Donkeys, after the market (p. 12, 13)."""
        seat = self.seats[p]
        for (row, column), toon in seat.cards():
            if toon not in seat.placed or not toon.up or self.is_spared(seat):
                continue
            if toon.name == "Donkey" and row == 0:
                yield from self.dismiss(p, toon)
            elif toon.name == "Alligator":
                food = [other for other in seat.grid.get((row, column + 1), []) if other.may_go]
                if len({other.name for other in food}) > 1:
                    yield from self.send_off(p, food.__contains__)
                elif food:
                    yield from self.dismiss(p, food[0])

    # Final Flip (p. 11)

    def final(self):
        for flips in range(101):
            yield from self.flip()
            self.check()
            if self.critic is not None and (flips == 0 or self.critic_again == "yes"):
                self.seats[self.critic].fame += 3 * self.seats[self.critic].plays
            most = max(seat.fame for seat in self.seats if seat.plays)
            for seat in self.seats:
                seat.plays = seat.plays and seat.fame == most
            best = [p for p, seat in enumerate(self.seats) if seat.plays]
            if len(best) == 1:
                self.end = best[0], "most fame"
                return
        self.end = NOBODY, "tied again and again"

    def scores(self):
        return [seat.fame for seat in self.seats]

    # The same position in the state of the game

    def agrees(self, state) -> bool:
        def names(pile):
            return [KINDS[kind] for kind in pile[1 : 1 + pile[0]]]

        for p, seat in enumerate(self.seats):
            cells = [9 - 3 * row + column for row, column in map(seat.where, seat.placed)]
            size = len(cells)
            if (
                names(state.grid[p]) != [toon.name for toon in seat.placed]
                or state.cell[p][:size].tolist() != cells
                or state.down[p][:size].tolist() != [not toon.up for toon in seat.placed]
                or (names(state.stock[p]), names(state.dismissed[p])) != (seat.deck, seat.dismissed)
                or state.fame[p] != seat.fame
            ):
                return False
        if state.phase == TRADING:
            gaps = sum(1 << place for place, name in enumerate(self.market) if not name)
            if (names(state.market), state.gaps) != (self.offered(), gaps):
                return False
            if (state.coins, state.actions) != (self.coins, self.actions):
                return False
        return names(state.toons) == self.toons
