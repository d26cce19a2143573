"""The scenario file of Castle: its shape, and the arithmetic that holds it together."""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from bartizan.simcore.castle import components as c
from bartizan.simcore.scenario.model import Datum, ScenarioModel

RANK_NAMES = (
    "ace",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "jack",
    "queen",
    "king",
)
RankName = Literal[RANK_NAMES]
Dice = Annotated[int, Field(ge=0, le=c.DICE)]
Add = Annotated[int, Field(ge=-20, le=20)]


RULE_OF = {  # rulings that bear on an advanced rule alone
    "joker_turn": "jokers",
    "joker_defence": "jokers",
    "berserk_group": "berserker",
    "counter_on_tie": "same_number_attack",
    "same_number_means": "same_number_attack",
    "same_number_group": "same_number_defence",
    "saboteur_attack": "saboteur",
    "barricade_dice": "barricade",
    "barricade_above": "barricade",
    "counter_target": "same_number_attack",
    "counter_attacks": "same_number_attack",
    "saboteur_again": "saboteur",
    "same_number_sides": "same_number_defence",
    "same_number_shown": "same_number_defence",
}
GUESSED_NUMBERS = {"jokers": ("joker",), "barricade": ("barricade",)}
UNPLAYED = {  # what the players that come with the game leave unused
    "berserker": "the policies that come with the game never name several cards in one attack, so what shows "
    "is the effect of the second extra card",
    "jokers": "the policies that come with the game add no reinforcements to the contest for a Joker",
}


class Players(Datum):
    count: Annotated[int, Field(ge=2, le=c.SEATS)]


class Limit(Datum):
    turns: Annotated[int, Field(ge=1, le=10_000)]


class OneDie(Datum):
    sides: Annotated[int, Field(ge=2, le=20)]


class Grid(Datum):
    rows: Annotated[int, Field(ge=1, le=c.ROWS)]
    columns: Annotated[int, Field(ge=c.ROYALS, le=c.COLUMNS)]


class Deal(Datum):
    cards: Annotated[int, Field(ge=0, le=10)]


class Rank(Datum):
    value: Annotated[int, Field(ge=0, le=20)]
    power: Literal["none", "spy", "ace"]
    with_ace: Literal["archers", "ram", "assassin"]


class Ordinary(Datum):
    attack_dice: Dice
    defence_dice: Dice


class Jack(Datum):
    jump: Annotated[int, Field(ge=0, le=8)]


class Queen(Datum):
    modifier: Add


class King(Datum):
    defence_dice: Dice
    defence_dice_without_queen: Dice


class Ace(Datum):
    draw: Annotated[int, Field(ge=0, le=c.PAIR)]


class Archers(Datum):
    dice: Dice


class Combination(Datum):
    dice: Dice
    add: Add


class Advanced(Datum):
    jokers: Annotated[int, Field(ge=0, le=2)]
    berserker: bool
    same_number_attack: bool
    same_number_defence: bool
    same_suit: bool
    saboteur: bool
    barricade: bool


class Joker(Datum):
    bonus: Add
    contest_dice: Annotated[int, Field(ge=1, le=c.DICE)]
    defence_dice: Dice
    defence_add: Add


class Berserker(Datum):
    extra_cards: Annotated[int, Field(ge=1, le=4)]


class SameSuit(Datum):
    modifier: Add


class Saboteur(Datum):
    rank: RankName
    attack_dice: Dice
    defence_dice: Dice
    hidden_add: Add
    revealed_add: Add


class Barricade(Datum):
    rank: RankName
    dice: Dice
    add: Add


class CastleScenario(ScenarioModel):
    """A scenario of Castle."""

    players: Players
    limit: Limit
    dice: OneDie
    grid: Grid
    deal: Deal
    rank: dict[RankName, Rank]
    ordinary: Ordinary
    jack: Jack
    queen: Queen
    king: King
    ace: Ace
    archers: Archers
    ram: Combination
    assassin: Combination
    advanced: Advanced
    joker: Joker
    berserker: Berserker
    counter_strike: Combination
    same_suit: SameSuit
    saboteur: Saboteur
    barricade: Barricade

    def switched_on(self) -> list[str]:
        """The advanced rules in force."""
        return [
            name
            for name in Advanced.model_fields
            if name not in Datum.model_fields and getattr(self.advanced, name)
        ]

    def assumptions(self) -> list[str]:
        texts = [
            f"A game without a winner after {self.limit.turns} turns is cut off; the rules have no such limit"
        ]
        for rule in self.switched_on():
            texts += [
                f"Advanced rule {rule}: {getattr(self, table).why}" for table in GUESSED_NUMBERS.get(rule, ())
            ]
            texts += [f"Advanced rule {rule}: {UNPLAYED[rule]}"] if rule in UNPLAYED else []
        in_force = ("", *self.switched_on())
        return texts + [
            f"Ruling {r.id}, {key} = {self.rulings[key]}, is a guess: {r.question}"
            for key, r in self.ruling.items()
            if r.confidence == "assumed" and r.impact != "none" and RULE_OF.get(key, "") in in_force
        ]

    def problems(self) -> Iterator[tuple[str, str]]:
        yield from c.READINGS.problems(self)
        for name in RANK_NAMES:
            if name not in self.rank:
                yield f"rank.{name}", "is missing"
        for name in RANK_NAMES[c.FIRST_ROYAL_RANK :]:
            if name in self.rank and (self.rank[name].power, self.rank[name].with_ace) != ("none", "archers"):
                yield f"rank.{name}", 'a royal has power = "none" and with_ace = "archers"'
        deck = c.SUITS * c.FIRST_ROYAL_RANK
        if self.players.count * self.deal.cards >= deck:
            yield (
                "deal.cards",
                f"{self.players.count} players are dealt {self.players.count * self.deal.cards} cards, the "
                f"deck has {deck}",
            )
        if c.ROYALS + self.deal.cards > self.grid.rows * self.grid.columns:
            yield "deal.cards", "more cards than cells of the grid"
