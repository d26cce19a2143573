"""The scenario file of Castle: its structure and its consistency checks."""

from collections.abc import Iterator
from typing import Literal

from bartizan.simcore.castle import components as c
from bartizan.simcore.scenario.model import Datum, ScenarioModel, table, whole

RANK_NAMES = (
    *("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("jack", "queen", "king"),
)
RankName = Literal[RANK_NAMES]
Dice, Add = whole(0, c.DICE), whole(-20, 20)


RULE_OF = {  # rulings that matter only for an advanced rule
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
UNPLAYED = {  # rules that the built-in policies do not use
    "berserker": (
        "the built-in policies never name several cards in one attack, so the result shows only the "
        "effect of the second extra card"
    ),
    "jokers": "the built-in policies add no reinforcements to the contest for a Joker",
}


class Rank(Datum):
    value: whole(0, 20)
    power: Literal["none", "spy", "ace"]
    with_ace: Literal["archers", "ram", "assassin"]


class Advanced(Datum):
    jokers: whole(0, 2)
    berserker: bool
    same_number_attack: bool
    same_number_defence: bool
    same_suit: bool
    saboteur: bool
    barricade: bool


Combination = table(dice=Dice, add=Add)


class CastleScenario(ScenarioModel):
    """A scenario of Castle."""

    players: table(count=whole(2, c.SEATS))
    limit: table(turns=whole(1, 10_000))
    dice: table(sides=whole(2, 20))
    grid: table(rows=whole(1, c.ROWS), columns=whole(c.ROYALS, c.COLUMNS))
    deal: table(cards=whole(0, 10))
    rank: dict[RankName, Rank]
    ordinary: table(attack_dice=Dice, defence_dice=Dice)
    jack: table(jump=whole(0, 8))
    queen: table(modifier=Add)
    king: table(defence_dice=Dice, defence_dice_without_queen=Dice)
    ace: table(draw=whole(0, c.PAIR))
    archers: table(dice=Dice)
    ram: Combination
    assassin: Combination
    advanced: Advanced
    joker: table(bonus=Add, contest_dice=whole(1, c.DICE), defence_dice=Dice, defence_add=Add)
    berserker: table(extra_cards=whole(1, 4))
    counter_strike: Combination
    same_suit: table(modifier=Add)
    saboteur: table(rank=RankName, attack_dice=Dice, defence_dice=Dice, hidden_add=Add, revealed_add=Add)
    barricade: table(rank=RankName, dice=Dice, add=Add)

    def switched_on(self) -> list[str]:
        return [
            name
            for name in Advanced.model_fields
            if name not in Datum.model_fields and getattr(self.advanced, name)
        ]

    def assumptions(self) -> list[str]:
        texts = [
            (
                f"A game without a winner after {self.limit.turns} turns is truncated; the rules have no "
                "such limit"
            )
        ]
        for rule in self.switched_on():
            texts += [
                f"Advanced rule {rule}: {getattr(self, table).why}" for table in GUESSED_NUMBERS.get(rule, ())
            ]
            texts += [f"Advanced rule {rule}: {UNPLAYED[rule]}"] if rule in UNPLAYED else []
        in_force = ("", *self.switched_on())
        return texts + self.guessed_readings(
            [key for key in self.ruling if RULE_OF.get(key, "") not in in_force]
        )

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
                f"{self.players.count} players are dealt {self.players.count * self.deal.cards} cards, "
                f"but the deck has {deck}",
            )
        if c.ROYALS + self.deal.cards > self.grid.rows * self.grid.columns:
            yield "deal.cards", "more cards than cells of the grid"
