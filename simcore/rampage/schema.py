"""The scenario file of Castle Rampage: its structure, and the terms for effects (RULES.md, section 7)."""

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

from pydantic import Field, field_validator, model_validator

from bartizan.simcore.errors import did_you_mean
from bartizan.simcore.rampage import components as c
from bartizan.simcore.scenario.model import Datum, ScenarioModel, Strict, table, whole

Number, Defence, Few = whole(1, 20), whole(0, 20), whole(0, 10)

COSTS = ("discard", "discard_unit")
UNCOUNTED = ("opp_discard_unit_type", "end_attack")  # effects without `n`
# allowed entries in each list of a card
ALLOWED = {
    "cost": COSTS,
    "place_cost": COSTS,
    "on_play": (*c.WHEN_PLAYED, *c.AS_PERMANENT),
    "on_destroyed_in_attack": c.WHEN_DESTROYED,
}


class Cost(Strict):
    """Part of the cost of a card: a number of cards, of one unit or of any kind (7.1)."""

    op: str
    n: Number
    unit: str | None = None

    def words(self) -> str:
        """Return text such as `1 knight` or `2 cards`."""
        return f"{self.n} {self.unit or ('card' if self.n == 1 else 'cards')}"


class CardEffect(Strict):
    """An effect of a card: the operation, and the number of its cards or repetitions (7.3 - 7.10)."""

    op: str
    n: Number = 1

    @model_validator(mode="after")
    def _counted(self) -> "CardEffect":
        if self.op in UNCOUNTED and "n" in self.model_fields_set:
            raise ValueError(f"{self.op} has no number; remove n")
        return self


class Boost(Strict):
    """A boost of a card: paying n more cards of a unit adds strength (7.2)."""

    unit: str
    n: Number
    strength: whole(1, 50)


class Card(Datum):
    """A kind of card. Each value has its own source."""

    by_value: ClassVar[bool] = True

    name: str
    count: whole(0, c.DECK)
    units: list[str] = []
    gate: Defence
    castle: Defence
    attack: whole(0, 50) = 0  # 0: none
    cost: Annotated[list[Cost], Field(max_length=c.EFFECTS)] = []
    place_cost: Annotated[list[Cost], Field(max_length=c.EFFECTS)] = []
    on_play: Annotated[list[CardEffect], Field(max_length=c.EFFECTS)] = []
    target: Literal["normal", "castle", "choose"] = "normal"
    on_repelled: Literal["discard", "return"] = "discard"
    on_destroyed_in_attack: Annotated[list[CardEffect], Field(max_length=c.EFFECTS)] = []
    permanent: bool = False
    purple: bool = False
    boost: Boost | None = None

    @field_validator(*ALLOWED)
    @classmethod
    def _in_place(cls, entries: list, info) -> list:
        """Reject entries that are not allowed in their field, with the reason."""
        allowed = ALLOWED[info.field_name]
        for entry in entries:
            if entry.op not in allowed:
                places = " or ".join(place for place, ops in ALLOWED.items() if entry.op in ops)
                belongs = (
                    f"it belongs in {places}"
                    if places
                    else f"no card can do that{did_you_mean(entry.op, allowed)}"
                )
                where = info.field_name
                raise ValueError(
                    f'"{entry.op}" is not allowed in {where}: {belongs}; allowed in {where}: '
                    f"{', '.join(allowed)}"
                )
        return entries

    @field_validator("cost", "place_cost")
    @classmethod
    def _units_named(cls, entries: list[Cost]) -> list[Cost]:
        for entry in entries:
            if (entry.unit is not None) != (entry.op == "discard_unit"):
                raise ValueError(f"{entry.op} {'must not name a unit' if entry.unit else 'must name a unit'}")
        return entries

    def mixes(self, cost: str) -> bool:
        """Return whether a cost (with boosts) requires both cards of a unit and cards of any kind."""
        ops = {entry.op for entry in getattr(self, cost)}
        return len(ops | ({"discard_unit"} if self.boost and cost == "cost" else set())) > 1

    def wrong(self, units: list[str]) -> Iterator[tuple[str, str]]:
        """Yield (key, message) for every fault that involves several values."""
        costs = [entry.unit for entry in (*self.cost, *self.place_cost) if entry.unit is not None]
        for unit in (*self.units, *costs, *([self.boost.unit] if self.boost else [])):
            if unit not in units:
                known = f"units.types lists {', '.join(units)}"
                yield "units", f'"{unit}" is not a unit{did_you_mean(unit, units)}; {known}'
        if len(set(self.units)) < len(self.units):
            yield "units", "lists a unit twice"
        if self.boost and not self.attack:
            yield "boost", "a boost needs an attack, but this card has none"
        for entry in self.on_play:
            if entry.op in c.AS_PERMANENT and not self.permanent:
                fault = f"{entry.op} works while the card is in play, so it needs permanent = true"
                yield "on_play", fault
        if self.permanent and not self.on_play:
            yield "permanent", "a permanent without on_play does nothing"


class RampageScenario(ScenarioModel):
    """A scenario of Castle Rampage."""

    setup: table(batches=whole(1, 6), batch_size=Number, gate_per_batch=Few, castle_per_batch=whole(1, 10))
    turn: table(draw=Few, first_draw=Few, strengthen=Few, hand_limit=whole(0, 100))
    limit: table(turns=whole(1, 10_000), plays=whole(1, 1_000))
    units: table(types=Annotated[list[str], Field(min_length=1, max_length=c.UNITS)])
    card: dict[str, Card]

    def deck_size(self) -> int:
        return sum(card.count for card in self.card.values())

    def labels(self) -> dict[str, str]:
        """Map the key of each kind of card to its name.

        If several kinds have the same name, the cost is added or, if this is not enough, the key.
        """
        labels = {key: card.name for key, card in self.card.items()}
        for tell in (lambda key: ", ".join(entry.words() for entry in self.card[key].cost), lambda key: key):
            shared = [key for key, name in labels.items() if list(labels.values()).count(name) > 1]
            labels |= {key: f"{self.card[key].name} ({tell(key) or 'free'})" for key in shared}
        return labels

    def assumptions(self) -> list[str]:
        guessed = [
            f"{r.id} {key} = {self.rulings[key]}"
            for key, r in self.ruling.items()
            if r.confidence == "assumed" and r.impact != "none"
        ]
        readings = [f"Assumed readings of unclear rules: {', '.join(guessed)}"] if guessed else []
        return [self.reconstruction, *readings] if self.reconstruction else readings

    def problems(self) -> Iterator[tuple[str, str]]:
        yield from c.READINGS.problems(self)
        if len(set(self.units.types)) < len(self.units.types):
            yield "units.types", "lists a unit twice"
        if len(self.card) > c.KINDS:
            yield "card", f"{len(self.card)} kinds of cards; at most {c.KINDS} are supported"
        for key, card in self.card.items():
            for value, fault in card.wrong(self.units.types):
                yield f"card.{key}.{value}", fault
            for value in ("cost", "place_cost"):
                if self.rulings.get("several_symbols") == "yes" and card.mixes(value):
                    fault = "units and other cards in one cost cannot be paid under"
                    yield f"card.{key}.{value}", f"{fault} rulings.several_symbols = yes"
        setup = self.setup
        if setup.gate_per_batch + setup.castle_per_batch > setup.batch_size:
            placed = f"{setup.gate_per_batch} + {setup.castle_per_batch} cards of {setup.batch_size}"
            yield "setup.batch_size", f"{placed} cannot be placed"
        dealt = c.SEATS * setup.batches * setup.batch_size
        plain = sum(card.count for card in self.card.values() if not card.purple)
        if plain < dealt:
            yield "card", f"the set-up deals {dealt} cards that are not purple; the deck has {plain}"
        if self.deck_size() > c.DECK:
            yield "card", f"{self.deck_size()} cards; at most {c.DECK} are supported"
