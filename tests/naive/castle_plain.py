"""Castle as the reference policy `plain` plays it: a second program, written only from the rules and the reference policies' text, never from the engine.

Two programs that follow that text must agree in distribution, so this one is kept slow and literal: a castle is a dict from cell to card, chance is a random.Random.
Section numbers with a word ("section 5.6") are those of the reference policies' text; "rule 5.1" is one of the rules. Cells are (row, column), row 0 is the Court.

`python -m tests.naive.castle_plain` plays the games of tests/castle_data/plain.csv anew and rewrites that file.
"""

from __future__ import annotations

import argparse
import csv
import math
import random
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROWS, COLUMNS = range(4), range(9)
SUITS = ["clubs", "diamonds", "hearts", "spades"]
ACE, JACK, QUEEN, KING = "A", "J", "Q", "K"
ROYALS = [JACK, QUEEN, KING]
VALUES = {ACE: 1, **{str(number): number for number in range(2, 11)}, JACK: 10, QUEEN: 10, KING: 10}
ATTACK_FIRST = ["7", "8", "9", "10"]  # section 3, step 3; of the others but the Ace step 4
TURN_CAP = 500
QUEEN_MODIFIER = -4

Cell = tuple[int, int]
CASTLE_ORDER: list[Cell] = [(row, column) for row in (3, 2, 1, 0) for column in COLUMNS]
OUTER_ORDER: list[Cell] = [(row, column) for row in (3, 2, 1) for column in COLUMNS]
GRID = frozenset((row, column) for row in ROWS for column in COLUMNS)
SIDES = frozenset((row, column) for row in ROWS for column in (-1, len(COLUMNS)))
OUTSIDE = SIDES | {(len(ROWS), column) for column in COLUMNS}
COURT_ORDER: list[Cell] = [(0, column) for column in COLUMNS]
PLACE_ORDER: list[Cell] = [(row, column) for row in (1, 2, 3, 0) for column in COLUMNS]

COUNTED = [
    "royals_lost", "attacks", "attacks_won", "called_off", "placed", "removals", "reshuffles", "no_target",
    "discarded_unused", "forced_rounds",
]  # fmt: skip


@dataclass(eq=False)
class Card:
    """One card; `up` says whether it is revealed, which means something only in a castle."""

    rank: str
    suit: str
    up: bool = False

    @property
    def value(self) -> int:
        return VALUES[self.rank]

    @property
    def royal(self) -> bool:
        return self.rank in ROYALS


Castle = dict[Cell, Card]


@dataclass(frozen=True)
class Fight:
    """What came of one fight (section 5)."""

    won: bool = False
    called_off: bool = False
    owner_out: bool = False
    attackers_double: bool = False  # a double other than 1-1 on a roll of exactly two attack dice

    @property
    def ends_attack(self) -> bool:
        return self.called_off or self.owner_out


def barred(card: Card, suit: str) -> bool:
    """Section 1: a revealed royal of the lead's suit may not be chosen."""
    return card.royal and card.up and card.suit == suit


@cache
def neighbours(cell: Cell) -> list[Cell]:
    row, column = cell
    return [(row, column - 1), (row, column + 1), (row + 1, column), (row - 1, column)]


def open_ground(castle: Castle) -> set[Cell]:
    """Rule 5.1: the ground left, right and above the grid, and every empty cell it spreads to."""
    found = set(OUTSIDE)
    waiting = list(found)
    while waiting:
        for cell in neighbours(waiting.pop()):
            if cell in GRID and cell not in castle and cell not in found:
                found.add(cell)
                waiting.append(cell)
    return found


def reachable_cells(castle: Castle) -> Iterator[Cell]:
    """Rule 5.2, in castle order: open ground to the left, to the right or above."""
    ground = open_ground(castle)
    for row, column in CASTLE_ORDER:
        if (row, column) in castle and not ground.isdisjoint([(row, column - 1), (row, column + 1), (row + 1, column)]):
            yield row, column


def first_reachable(castle: Castle, suit: str) -> Cell | None:
    """The first reachable, not barred card in castle order (sections 3 and 4 d)."""
    return next((cell for cell in reachable_cells(castle) if not barred(castle[cell], suit)), None)


def follow_through(castle: Castle, won: Cell, suit: str) -> Cell | None:
    """Section 4 d: left, right, down from the won cell; only the first card met in a direction counts, and not if it is barred."""
    row, column = won
    left = [(row, c) for c in reversed(range(0, column))]
    right = [(row, c) for c in range(column + 1, len(COLUMNS))]
    down = [(r, column) for r in reversed(range(0, row))]
    for way in (left, right, down):
        met = next((cell for cell in way if cell in castle), None)
        if met is not None and not barred(castle[met], suit):
            return met
    return None


def place_cell(castle: Castle) -> Cell | None:
    """Section 3, "Place": the first empty cell beside, above or below an own card."""
    return next(
        (cell for cell in PLACE_ORDER if cell not in castle and any(near in castle for near in neighbours(cell))), None
    )


def assassins_target(castle: Castle, suit: str) -> Cell | None:
    """Section 6, 8: the first entry of the list that exists and is not barred. Each entry names one card; a barred one is not replaced by its neighbour."""
    court = [cell for cell in COURT_ORDER if cell in castle]
    entries = [
        [cell for cell in court if castle[cell].rank == KING and castle[cell].up],
        [cell for cell in court if castle[cell].rank == QUEEN and castle[cell].up],
        [cell for cell in court if not castle[cell].up],
        court,
    ]
    return next((cells[0] for cells in entries if cells and not barred(castle[cells[0]], suit)), None)


class Game:
    """One game, from the deal to the last King or the cap."""

    def __init__(self, players: int, rng: random.Random):
        """Section 2: deck, royals of random and different suits, five cards each in fixed cells."""
        self.players = players
        self.rng = rng
        self.counts = dict.fromkeys(COUNTED, 0)
        self.turns = 0
        self.discard: list[Card] = []
        self.deck = [
            Card(rank, suit) for suit in SUITS for rank in VALUES if rank not in ROYALS
        ]  # its top is the end of the list
        rng.shuffle(self.deck)
        self.castles: dict[int, Castle] = {seat: {} for seat in range(players)}  # only of the living
        for column, rank in zip((4, 5, 6), ROYALS):
            for seat, suit in enumerate(rng.sample(SUITS, players)):
                self.castles[seat][0, column] = Card(rank, suit, up=rank == JACK)
        for seat in range(players):
            for cell in [(1, 4), (1, 5), (1, 6), (0, 3), (0, 7)]:
                self.castles[seat][cell] = self.deck.pop()

    # ---------------------------------------------------------------- terms (section 1)

    @property
    def over(self) -> bool:
        """Section 7."""
        return len(self.castles) == 1 or self.turns >= TURN_CAP

    def opponents(self, p: int) -> list[int]:
        return [seat % self.players for seat in range(p + 1, p + self.players) if seat % self.players in self.castles]

    def take(self) -> Card | None:
        """The top of the deck, of the shuffled discard pile if the deck is empty; None if both are."""
        if not self.deck and self.discard:
            self.deck, self.discard = self.discard, []
            self.rng.shuffle(self.deck)
            self.counts["reshuffles"] += 1
        return self.deck.pop() if self.deck else None

    def put_away(self, cards: Iterable[Card]) -> None:
        """To the discard pile; a dead royal comes back as a plain card of value 10."""
        self.discard.extend(Card("10", card.suit) if card.royal else card for card in cards)

    def roll(self, dice: int) -> list[int]:
        return [self.rng.randint(1, 6) for _ in range(dice)]

    # ---------------------------------------------------------------- the turn (section 3)

    def turn(self, p: int, card: Card) -> None:
        """Section 3, steps 2 to 4, with the card already taken."""
        cell, target = place_cell(self.castles[p]), self.ordinary_target(p, card.suit)
        if card.rank == ACE:
            self.ace(p, card)
        elif target is not None and (card.rank in ATTACK_FIRST or cell is None):
            self.attack(p, card, *target)
        elif cell is not None:
            card.up = False
            self.castles[p][cell] = card
            self.counts["placed"] += 1
        else:
            self.discard.append(card)
            self.counts["discarded_unused"] += 1

    def ordinary_target(self, p: int, suit: str) -> tuple[int, Cell] | None:
        """Section 3: the first opponent who has a reachable, not barred card, and that card."""
        for q in self.opponents(p):
            cell = first_reachable(self.castles[q], suit)
            if cell is not None:
                return q, cell
        return None

    # ---------------------------------------------------------------- ordinary attack (section 4)

    def attack(self, p: int, lead: Card, q: int, target: Cell) -> None:
        used = [lead]  # lead, extra cards and set-aside cards
        force = lead.value
        last_won: Cell | None = None
        following: tuple[int, Cell] | None = (q, target)
        while following is not None:
            q, target = following
            castle = self.castles[q]
            defender = castle[target]
            fight = self.fight(p, lead, q, target, 2, force, used)  # a
            if fight.called_off or len(self.castles) == 1 or not (fight.won or fight.attackers_double):
                break
            if fight.won:  # b
                force -= defender.value
                last_won = target
            if fight.attackers_double:  # c
                extra = self.take()
                if extra is not None:
                    force += extra.value
                    used.append(extra)
            if fight.owner_out:  # d
                last_won = None
                following = self.ordinary_target(p, lead.suit) if fight.attackers_double else None
            elif not fight.won and target in castle:
                following = q, target
            else:
                if last_won is None:
                    cell = first_reachable(castle, lead.suit)
                else:
                    cell = follow_through(castle, last_won, lead.suit)
                following = None if cell is None else (q, cell)
        self.put_away(used)  # e

    # ---------------------------------------------------------------- one fight (section 5)

    def fight(
        self, p: int, lead: Card, q: int, target: Cell, attack_dice: int, strength: int, set_aside: list[Card]
    ) -> Fight:
        castle = self.castles[q]
        card = castle[target]
        card.up = True  # 5.1
        if card.royal and card.suit == lead.suit:
            self.counts["called_off"] += 1
            return Fight(called_off=True)

        attack = self.roll(attack_dice)  # 5.3
        attack_total = sum(attack) + strength
        if card.rank == QUEEN:
            attack_total += QUEEN_MODIFIER
        queen_stands = any(own.rank == QUEEN for own in castle.values())
        defence = self.roll(3 if card.rank == KING and queen_stands else 2)
        defence_total = sum(defence) + card.value
        if lead.rank == QUEEN:
            defence_total += QUEEN_MODIFIER
        bonus = self.roll(2) if len(defence) == 2 and defence[0] == defence[1] != 1 else []
        defence_total += sum(bonus)

        self.counts["attacks"] += 1
        won = attack_total > defence_total  # 5.4
        double = len(attack) == 2 and attack[0] == attack[1] != 1
        if won:
            self.counts["attacks_won"] += 1
            self.counts["royals_lost"] += card.royal
            set_aside.append(castle.pop(target))
            if card.rank == KING:  # 5.5
                self.put_away(castle.values())
                del self.castles[q]
                return Fight(won=True, owner_out=True, attackers_double=double)

        if attack == [1, 1]:  # 5.6
            self.remove(p)
        if [1, 1] in (defence, bonus):
            self.remove(q)
        return Fight(won=won, attackers_double=double)

    def remove(self, seat: int) -> None:
        """Section 5.6: the first hidden card in outer order, else the first revealed one, else nothing."""
        castle = self.castles[seat]
        outer = [cell for cell in OUTER_ORDER if cell in castle]
        hidden = [cell for cell in outer if not castle[cell].up]
        if outer:
            self.discard.append(castle.pop((hidden or outer)[0]))
            self.counts["removals"] += 1

    # ---------------------------------------------------------------- an Ace as attack (section 6)

    def ace(self, p: int, lead: Card) -> None:
        drawn = [card for card in (self.take(), self.take()) if card is not None]
        used = [lead, *drawn]
        for card in drawn:
            if len(self.castles) == 1:
                break
            device = {"2": self.ram, "8": self.assassin}.get(card.rank, self.archers)
            if device(p, lead, card, used):
                break
        self.put_away(used)

    def ram(self, p: int, lead: Card, card: Card, set_aside: list[Card]) -> bool:
        """Section 6, 2; like its two neighbours it says whether the Royal rule has ended the turn."""
        q = self.opponents(p)[0]
        castle = self.castles[q]
        for target in COURT_ORDER:
            if target not in castle:
                continue
            if barred(castle[target], lead.suit):
                return False
            fight = self.fight(p, lead, q, target, 4, card.value, set_aside)
            if fight.ends_attack or not fight.won:
                return fight.called_off
        return False

    def assassin(self, p: int, lead: Card, card: Card, set_aside: list[Card]) -> bool:
        """Section 6, 8."""
        q = self.opponents(p)[0]
        target = assassins_target(self.castles[q], lead.suit)
        if target is None:
            self.counts["no_target"] += 1
            return False
        return self.fight(p, lead, q, target, 4, card.value, set_aside).called_off

    def archers(self, p: int, lead: Card, card: Card, set_aside: list[Card]) -> bool:
        """Section 6, any other value."""
        for q in self.opponents(p):
            castle = self.castles[q]
            for target in OUTER_ORDER:
                if target in castle and castle[target].up:
                    return self.fight(p, lead, q, target, 4, card.value, set_aside).called_off
        self.counts["no_target"] += 1
        return False

    # ---------------------------------------------------------------- forced round (section 8)

    def forced_round(self, p: int) -> None:
        self.counts["forced_rounds"] += 1
        for seat in [seat % self.players for seat in range(p, p + self.players)]:
            if seat in self.castles:
                self.turns += 1
                self.forced_turn(seat)
            if self.over:
                return
        self.deck += self.discard
        self.discard = []
        self.rng.shuffle(self.deck)

    def forced_turn(self, p: int) -> None:
        castle = self.castles[p]
        own = next((cell for cell in CASTLE_ORDER if cell in castle and castle[cell].rank != KING), None)
        if own is None:
            return
        lead = castle.pop(own)
        if lead.rank == ACE and len(self.deck) + len(self.discard) >= 2:
            self.ace(p, lead)
            return
        target = self.ordinary_target(p, lead.suit)
        if target is not None:
            self.attack(p, lead, *target)
        else:
            self.put_away([lead])

    # ---------------------------------------------------------------- the game (section 7)

    def run(self) -> None:
        p = 0
        while not self.over:
            card = self.take()
            if card is None:
                self.forced_round(p)
                if p not in self.castles:
                    p = self.opponents(p)[0]
            else:
                self.turns += 1
                self.turn(p, card)
                p = [*self.opponents(p), p][0]


def play(players: int, rng: random.Random) -> dict[str, int]:
    """One game; what section 9 measures."""
    game = Game(players, rng)
    game.run()
    capped = len(game.castles) > 1
    wins = {f"seat{seat}_wins": int(not capped and seat in game.castles) for seat in range(players)}
    return {**wins, "turns": game.turns, "capped": int(capped), **game.counts}


# ---------------------------------------------------------------- the table of means

TABLE = Path(__file__).parent.parent / "castle_data" / "plain.csv"
GAMES = 20_000
SEED = 20_130_919


def means(players: int, games: int, seed: int) -> list[tuple[int, str, str, str, int]]:
    """Rows of the table: mean and standard error of every quantity over games of one stream of luck."""
    rng = random.Random(seed * 10 + players)
    played = [play(players, rng) for _ in range(games)]
    rows = []
    for quantity in played[0]:
        values = [game[quantity] for game in played]
        mean = sum(values) / games
        error = math.sqrt(sum((value - mean) ** 2 for value in values) / (games - 1) / games)
        rows.append((players, quantity, f"{mean:.8g}", f"{error:.6g}", games))
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description="Play Castle by the policy plain and rewrite the table of means.")
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--output", type=Path, default=TABLE)
    options = parser.parse_args()
    rows = []
    for players in (2, 3, 4):
        started = time.perf_counter()
        rows += means(players, options.games, options.seed)
        print(f"{players} players: {options.games} games in {time.perf_counter() - started:.0f} s")
    with options.output.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["players", "quantity", "mean", "standard_error", "games"])
        writer.writerows(rows)


if __name__ == "__main__":
    main()
