"""Splendor once more, in plain Python and from its rules: dictionaries of tokens, lists of mines (`short_twins.Twin`)."""

import csv
from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path

from tests.naive.short_twins import CARDS, NOBODY, Twin

SHORT = Path(__file__).parents[2] / "examples" / "short"
COLOURS = ("white", "blue", "green", "red", "black")
GOLD = NOTHING = 5


@dataclass(frozen=True)
class Card:
    """A mine, or a noble: of neither level nor colour."""

    number: int
    price: tuple[int, ...]
    level: int = 0
    colour: int = 0
    prestige: int = 3


@cache
def printed(file: str, prefix: str = "") -> tuple[Card, ...]:
    with (SHORT / file).open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    prices = [tuple(int(row[prefix + colour]) for colour in COLOURS) for row in rows]
    if prefix:
        return tuple(Card(i, price) for i, price in enumerate(prices))
    return tuple(
        Card(i, price, int(row["level"]), int(row["gem"]), int(row["prestige"]))
        for i, (row, price) in enumerate(zip(rows, prices, strict=True))
    )


class Player:
    def __init__(self):
        self.tokens, self.mines, self.reserved, self.nobles = Counter(), [], [], []

    @property
    def prestige(self) -> int:
        return sum(card.prestige for card in [*self.mines, *self.nobles])

    def discounts(self) -> Counter:
        return Counter(mine.colour for mine in self.mines)

    def bill(self, mine: Card) -> Counter | None:
        """The tokens that a mine costs, gold for those that are not there; None: too few."""
        bonus, bill = self.discounts(), Counter()
        for colour, price in enumerate(mine.price):
            due = max(price - bonus[colour], 0)
            bill[colour] = min(due, self.tokens[colour])
            bill[GOLD] += due - bill[colour]
        return bill if bill[GOLD] <= self.tokens[GOLD] else None


class Splendor(Twin):
    def begin(self):
        self.waiting = self.pile(printed("splendor_nobles.csv", "needs_"))
        self.decks = {level: [mine for mine in printed("splendor.csv") if mine.level == level] for level in (1, 2, 3)}
        for deck in self.decks.values():
            self.luck.shuffle(CARDS, deck)
        self.rows = {level: [deck.pop() for _ in range(4)] for level, deck in self.decks.items()}
        self.nobles = [self.waiting.pop() for _ in range(self.players + 1)]
        self.bank = Counter(dict.fromkeys(range(5), {2: 4, 3: 5, 4: 7}[self.players]) | {GOLD: 5})
        self.seats = [Player() for _ in range(self.players)]
        self.stage = "act"

    @property
    def mine(self) -> Player:
        return self.seats[self.me]

    def visitors(self):
        bonus = self.mine.discounts()
        return [one for one in self.nobles if all(bonus[c] >= need for c, need in enumerate(one.price))]

    def legal(self):
        if self.stage == "return":
            return {("put_back", token) for token, held in self.mine.tokens.items() if held}
        if self.stage == "host":
            return {("host", noble.number) for noble in self.visitors()}
        left = [colour for colour in range(5) if self.bank[colour]]
        size = min(3, len(left))
        found = {("collect", *(*some, NOTHING, NOTHING)[:3]) for some in combinations(left, size)} if size else set()
        found |= {("collect_two", colour) for colour in left if self.bank[colour] >= 4}
        shown = [mine for row in self.rows.values() for mine in row]
        if len(self.mine.reserved) < 3:
            found |= {("reserve", mine.number) for mine in shown}
            found |= {("reserve_unseen", level - 1) for level, deck in self.decks.items() if deck}
        found |= {("buy", mine.number) for mine in shown if self.mine.bill(mine) is not None}
        found |= {("buy_reserved", mine.number) for mine in self.mine.reserved if self.mine.bill(mine) is not None}
        return found or {("sit_out",)}

    def play(self, action, *chosen):
        getattr(self, "do_" + action)(*chosen)
        if sum(self.mine.tokens.values()) > 10:
            self.stage = "return"
            return
        if action != "host" and (guests := self.visitors()):
            if len(guests) > 1:
                self.stage = "host"
                return
            self.do_host(guests[0].number)
        self.stage = "act"
        self.me = (self.me + 1) % self.players
        if self.me == 0 and any(seat.prestige >= 15 for seat in self.seats):
            ranks = [(seat.prestige, -len(seat.mines)) for seat in self.seats]
            best = max(ranks)
            self.end = (ranks.index(best) if ranks.count(best) == 1 else NOBODY), "prestige"

    def move(self, token, number):
        self.mine.tokens[token] += number
        self.bank[token] -= number

    def do_collect(self, *colours):
        for colour in colours:
            if colour != NOTHING:
                self.move(colour, 1)

    def do_collect_two(self, colour):
        self.move(colour, 2)

    def do_put_back(self, token):
        self.move(token, -1)

    def taken(self, number):
        """Take a mine out of its row; the next of its level lies there instead."""
        mine = printed("splendor.csv")[number]
        self.rows[mine.level].remove(mine)
        if self.decks[mine.level]:
            self.rows[mine.level].append(self.decks[mine.level].pop())
        return mine

    def kept(self, mine):
        self.mine.reserved.append(mine)
        if self.bank[GOLD]:
            self.move(GOLD, 1)

    def do_reserve(self, number):
        self.kept(self.taken(number))

    def do_reserve_unseen(self, level):
        self.kept(self.decks[level + 1].pop())

    def built(self, mine):
        for token, number in self.mine.bill(mine).items():
            self.move(token, -number)
        self.mine.mines.append(mine)

    def do_buy(self, number):
        self.built(self.taken(number))

    def do_buy_reserved(self, number):
        mine = printed("splendor.csv")[number]
        self.mine.reserved.remove(mine)
        self.built(mine)

    def do_host(self, number):
        noble = next(one for one in self.nobles if one.number == number)
        self.nobles.remove(noble)
        self.mine.nobles.append(noble)

    def do_sit_out(self):
        pass
