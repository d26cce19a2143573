"""The first game of Dominion once more, in plain Python and from its rules: lists of names (`short_twins.Twin`)."""

import csv
from collections import Counter
from functools import cache
from pathlib import Path

from tests.naive.short_twins import CARDS, NOBODY, Twin

SHEET = Path(__file__).parents[2] / "examples" / "short" / "dominion.csv"
TREASURES = {"Copper": 1, "Silver": 2, "Gold": 3}
LAND = {"Estate": 1, "Duchy": 3, "Province": 6, "Curse": -1}
# cards, actions, buys and coins that an action brings; what else it does is in `Dominion.effect`
BRINGS = {
    "Cellar": (0, 1, 0, 0),
    "Market": (1, 1, 1, 1),
    "Merchant": (1, 1, 0, 0),
    "Militia": (0, 0, 0, 2),
    "Mine": (0, 0, 0, 0),
    "Moat": (2, 0, 0, 0),
    "Remodel": (0, 0, 0, 0),
    "Smithy": (3, 0, 0, 0),
    "Village": (1, 2, 0, 0),
    "Workshop": (0, 0, 0, 0),
}


@cache
def prices() -> dict[str, int]:
    """Name -> cost, in the order of the sheet."""
    with SHEET.open(encoding="utf-8") as lines:
        return {row["name"]: int(row["cost"]) for row in csv.DictReader(lines)}


class Seat:
    def __init__(self):
        self.deck = ["Copper"] * 7 + ["Estate"] * 3
        self.hand, self.discard, self.played, self.turns = [], [], [], 0

    @property
    def points(self) -> int:
        return sum(LAND.get(card, 0) for card in self.deck + self.hand + self.discard + self.played)


class Dominion(Twin):
    def begin(self):
        self.names = list(prices())
        few = self.players == 2
        land = dict.fromkeys(("Estate", "Duchy", "Province"), 8 if few else 12)
        coins = {"Copper": 60 - 7 * self.players, "Silver": 40, "Gold": 30}
        self.supply = Counter(coins | land | {"Curse": 10 * (self.players - 1)} | dict.fromkeys(BRINGS, 10))
        self.seats = [Seat() for _ in range(self.players)]
        for seat in self.seats:
            self.luck.shuffle(CARDS, seat.deck)
            self.draw(seat, 5)
        self.turn(0)

    def turn(self, owner):
        self.owner = self.me = owner
        self.seats[owner].turns += 1
        self.actions = self.buys = 1
        self.coins = self.merchants = 0
        self.effect, self.chosen, self.step = "", None, "actions"
        self.attacked, self.gives = [], False

    def draw(self, seat, number):
        for _ in range(number):
            if not seat.deck:
                seat.deck, seat.discard = seat.discard, []
                self.luck.shuffle(CARDS, seat.deck)
            if seat.deck:
                seat.hand.append(seat.deck.pop())

    @property
    def mine(self) -> Seat:
        return self.seats[self.me]

    def affordable(self, most, among=None):
        return [card for card in among or self.names if self.supply[card] and prices()[card] <= most]

    def options(self, card):
        """What a card in hand can be exchanged for."""
        if self.effect == "Mine":
            return self.affordable(prices()[card] + 3, TREASURES) if card in TREASURES else []
        return self.affordable(prices()[card] + 2)

    def legal(self):
        return {(action, *map(self.names.index, cards)) for action, *cards in self.named()}

    def named(self):
        hand, finish = self.mine.hand, {("finish",)}
        if self.attacked:
            reveals = {("reveal",)} if "Moat" in hand and not self.gives else set()
            return {("drop", card) for card in hand} | reveals
        if self.effect in ("Mine", "Remodel"):
            verb = {"Mine": "improve", "Remodel": "replace"}[self.effect]
            if self.chosen:
                return {(f"{verb}_new", card) for card in self.options(self.chosen)}
            found = {(f"{verb}_old", card) for card in hand if self.options(card)}
            return found | finish if self.effect == "Mine" else found or finish
        if self.effect == "Cellar":
            return {("sift", card) for card in hand} | finish
        if self.effect == "Workshop":
            return {("gain", card) for card in self.affordable(4)} or finish
        if self.step != "actions":
            laid = {("lay_treasure", card) for card in hand if card in TREASURES and self.step == "treasures"}
            return laid | {("buy", card) for card in self.affordable(self.coins)} | finish
        return {("play", card) for card in hand if card in BRINGS and self.actions} | finish

    def play(self, action, *chosen):
        getattr(self, "do_" + action)(*(self.names[card] for card in chosen))

    def do_play(self, card):
        self.mine.hand.remove(card)
        self.mine.played.append(card)
        cards, actions, buys, coins = BRINGS[card]
        self.draw(self.mine, cards)
        self.actions += actions - 1
        self.buys += buys
        self.coins += coins
        if card == "Merchant":
            self.merchants += 1
        elif card == "Militia":
            others = [(self.owner + i) % self.players for i in range(1, self.players)]
            self.attacked = [p for p in others if len(self.seats[p].hand) > 3]
            self.next_victim()
        elif card in ("Cellar", "Mine", "Workshop") or (card == "Remodel" and self.mine.hand):
            self.effect, self.sifted = card, 0

    def next_victim(self):
        self.me, self.gives = self.attacked[0] if self.attacked else self.owner, False

    def do_reveal(self):
        del self.attacked[0]
        self.next_victim()

    def do_drop(self, card):
        self.mine.hand.remove(card)
        self.mine.discard.append(card)
        self.gives = True
        if len(self.mine.hand) == 3:
            self.do_reveal()

    def do_sift(self, card):
        self.mine.hand.remove(card)
        self.mine.discard.append(card)
        self.sifted += 1

    def take(self, card, to):
        self.supply[card] -= 1
        to.append(card)

    def choose(self, card):
        self.chosen = card

    do_improve_old = do_replace_old = choose

    def exchange(self, card, to):
        self.mine.hand.remove(self.chosen)
        self.take(card, to)
        self.effect, self.chosen = "", None

    def do_improve_new(self, card):
        self.exchange(card, self.mine.hand)

    def do_replace_new(self, card):
        self.exchange(card, self.mine.discard)

    def do_gain(self, card):
        self.take(card, self.mine.discard)
        self.effect = ""

    def do_buy(self, card):
        self.take(card, self.mine.discard)
        self.coins -= prices()[card]
        self.buys, self.step = self.buys - 1, "buys"
        if not self.buys:
            self.clean_up()

    def do_finish(self):
        if self.step != "actions":
            self.clean_up()
        elif self.effect:
            if self.effect == "Cellar":
                self.draw(self.mine, self.sifted)
            self.effect = ""
        else:
            self.step = "treasures"

    def do_lay_treasure(self, card):
        self.mine.hand.remove(card)
        self.mine.played.append(card)
        self.coins += TREASURES[card]
        if card == "Silver":
            self.coins, self.merchants = self.coins + self.merchants, 0

    def clean_up(self):
        seat = self.mine
        seat.discard += seat.hand + seat.played
        seat.hand, seat.played = [], []
        self.draw(seat, 5)
        if self.supply["Province"] and list(self.supply.values()).count(0) < 3:
            self.turn((self.owner + 1) % self.players)
            return
        ranks = [(seat.points, -seat.turns) for seat in self.seats]
        best = max(ranks)
        how = "empty piles" if self.supply["Province"] else "no Provinces"
        self.end = (ranks.index(best) if ranks.count(best) == 1 else NOBODY), how
