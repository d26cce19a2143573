"""The scenario file of Castle Itter: its shape, and the arithmetic that holds it together
(simcore/itter/CHECKS.md).
"""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field, field_validator

from bartizan.simcore.itter.components import (
    CIRCLES,
    COLOURS,
    DEFENDERS,
    DOES,
    KINDS,
    LOCATIONS,
    POSITIONS,
    READINGS,
    SS_CARDS,
    TACTICS,
    TRACK,
    CardKind,
)
from bartizan.simcore.scenario.model import Datum, Ruling, ScenarioModel, Strict

Small = Annotated[int, Field(ge=0, le=12)]
Pips = Annotated[int, Field(ge=1, le=6)]
Points = Annotated[int, Field(ge=-20, le=20)]
Mode = Literal["novice", "normal", "veteran", "elite", "competitive"]
Category = Literal["place", "attack_location", "disrupt", "attack_defender", "special"]
DEFENCE = Annotated[int, Field(ge=0, le=6)]


class Turn(Datum):
    defender_actions: Annotated[int, Field(ge=1, le=28)]
    ss_cards: Annotated[int, Field(ge=1, le=20)]
    die_sides: Annotated[int, Field(ge=6, le=6)]
    placement_dice: Annotated[int, Field(ge=2, le=2)]
    turns_without_142nd: Annotated[int, Field(ge=1, le=60)]


class Command(Datum):
    recovers: Small


class Victory(Datum):
    min_score: Annotated[int, Field(ge=-60, le=60)]
    counts: Literal["points", "casualties"] = "points"  # 5.0b, or 7.5: fewest is best
    french_casualty: Points = 0
    other_casualty: Points = 0


class Deployment(Datum):
    starters: Annotated[int, Field(ge=0, le=DEFENDERS)]


class Inventory(Datum):
    count: Annotated[int, Field(ge=0, le=200)]


class Colour(Datum):
    suppression_square: bool


class Defender(Datum):
    name: str
    nation: Literal["USA", "GER", "AUS", "FRA"]
    attack: Small
    suppress: Small
    attributes: list[Literal["C", "E", "I", "M", "O", "R", "S", "T"]]
    start: Literal["reserve", "reinforcement", "cellar"]


class AttributeCounts(Datum):
    I: Small
    M: Small
    O: Small
    R: Small
    S: Small
    T: Small
    E: Small
    C: Small


class Location(Datum):
    name: str
    defence_track: list[DEFENCE] = Field(max_length=TRACK)
    escape_from: bool
    destructible: bool
    move_out_to: list[str] = []


class Position(Datum):
    location: str
    colours: list[str] = Field(max_length=2)
    numbers: list[Pips]
    crew: bool
    weapon: str = ""
    weapon_attack: Small | None = None
    weapon_suppress: Small | None = None
    needs_load: bool = False
    keeps_load: bool = False  # firing does not use up the Load token
    loads: bool = False


class DieTable(Datum):
    die: list[str] = Field(min_length=6, max_length=6)


class Circle(Datum):
    kind: Literal["placement", "advance"]
    colour: str
    next: Annotated[int, Field(ge=0, lt=CIRCLES)]


class SSCounter(Datum):
    name: str = ""
    defence: Pips
    disrupt_dice: Small
    advances: bool
    count: Annotated[int, Field(ge=0, le=100)]


class SSDeck(Datum):
    sizes: list[int]


class SSCard(Datum):
    deck: Annotated[int, Field(ge=1, le=4)]
    kind: str
    category: Category
    copies: Annotated[int, Field(ge=0, le=30)]
    value: Small
    table: str = ""
    set: str = ""  # 7.6: only at levels with this set

    @field_validator("kind")
    @classmethod
    def known_kind(cls, kind: str) -> str:
        if kind not in CardKind.__members__:
            raise ValueError(f"must be one of {', '.join(CardKind.__members__)}")
        return kind


class RegimentCard(Datum):
    name: str
    start: str
    # of the pile, by the deck number of the top discard: 2, 3, 4 (2.8d; deck 1: R-71)
    last_cards: list[Small] = Field(min_length=3, max_length=3)


class TargetTable(Datum):
    gives: Literal["colour", "location"]
    die: list[str] = Field(min_length=6, max_length=6)


class ModeData(Datum):
    start: dict[str, Small]
    random_start: bool
    tactics_per_turn: Annotated[int, Field(ge=0, le=2)]
    tactics_removed: list[Small] = Field(max_length=4)
    tactics_left: Annotated[int, Field(ge=0, le=TACTICS)]
    ss_cards: Annotated[int, Field(ge=0, le=SS_CARDS)]
    ss_first_draw: Small = 0
    ss_play: Small = 0
    ss_draw: Small = 0
    tactics_first_draw: Small = 0
    tactics_play: Small = 0
    tactics_draw: Small = 0
    must_play: list[str] = []
    card_sets: list[str] = []  # 7.6


class Squads(Datum):
    """7.4"""

    colours: list[str]
    least: Annotated[int, Field(ge=1, le=12)]
    dice: Small


class Setup(Datum):
    defence_value: Pips


class Score(Datum):
    what: str
    points: Points


class Scores(Strict):
    tank_lost_empty: Score
    borotra_escaped: Score
    french_outside_cellar: Score
    french_in_cellar: Score
    other_on_board: Score
    ss_counter: Score


class Medal(Datum):
    min: int
    name: str
    level: str


class Tactics(Datum):
    deck_sizes: list[int] = Field(min_length=4, max_length=4)


class Effect(Strict):
    op: Literal["extra_dice", "placement_areas", "extra_counter", "tougher", "no_suppression"]
    cards: list[str] = []
    counters: list[str] = []
    colours: list[str] = []
    areas: list[Annotated[int, Field(ge=2, le=12)]] = []
    n: Small = 0


class TacticsCard(Datum):
    no: int
    deck: Annotated[int, Field(ge=1, le=4)]
    name: str
    effects: list[Effect]


class ItterScenario(ScenarioModel):
    """A scenario of Castle Itter."""

    difficulty: str = "novice"
    levels: list[
        str
        # of `mode`: those this edition has (7.0: v0.2 is data of the same engine; 7.7: what it lacks is left
        # out
        # by data)
    ]
    breach_ends_game: bool
    turn: Turn
    command: Command
    victory: Victory
    deployment: Deployment
    inventory: dict[str, Inventory]
    colour: dict[str, Colour] = Field(max_length=COLOURS)
    defender: dict[str, Defender] = Field(max_length=DEFENDERS)
    attribute_counts: AttributeCounts
    location: dict[str, Location] = Field(max_length=LOCATIONS)
    position: dict[str, Position] = Field(max_length=POSITIONS)
    die_table: dict[str, DieTable]
    circle: dict[str, Circle] = Field(max_length=CIRCLES)
    ss_counter: dict[str, SSCounter] = Field(max_length=KINDS)
    ss_deck: SSDeck
    ss_card: dict[str, SSCard]
    competitive_card: SSCard
    regiment_card: RegimentCard
    target_table: dict[str, TargetTable]
    mode: dict[Mode, ModeData]
    setup: Setup
    score: Scores
    medal: dict[str, Medal]
    tactics: Tactics
    tactics_card: dict[str, TacticsCard] = Field(max_length=TACTICS)
    squads: Squads | None = None

    def difficulties(self) -> list[str]:
        return self.levels

    def is_competitive(self) -> bool:
        """6.2: a second player runs the SS."""
        return self.level.ss_play > 0

    def seats(self) -> int:
        """How many play."""
        return 1 + self.is_competitive()

    def all_cards(self) -> dict[str, SSCard]:
        """Every SS card, with the Competitive Sturm where it is played with (6.2a)."""
        return self.ss_card | ({"competitive": self.competitive_card} if self.is_competitive() else {})

    def base_cards(self) -> dict[str, SSCard]:
        """The SS cards every level plays with."""
        return {key: card for key, card in self.all_cards().items() if not card.set}

    def set_cards(self) -> dict[str, SSCard]:
        """7.6: those this level adds."""
        return {key: card for key, card in self.ss_card.items() if card.set in self.level.card_sets}

    @property
    def level(self) -> ModeData:
        return self.mode[self.difficulty]

    @property
    def areas(self) -> list[int]:
        return [int(key) for key, circle in self.circle.items() if circle.kind == "placement"]

    def assumptions(self) -> list[str]:
        said = []
        if self.level.tactics_per_turn:
            said.append(TACTICS_SETS[self.rulings["focus_fire"]])
        if not self.breach_ends_game:
            said.append(
                "breach_ends_game = false: a test device, not a rule of the game; a counter that enters the "
                "castle does not end it"
            )
        said += [
            f"Ruling {ruling.id}, {key} = {self.rulings[key]}, is a guess: {ruling.question}"
            for key, ruling in self._guessed_rulings()
        ]
        inferred = ", ".join(
            f"{key} = {self.rulings[key]} ({ruling.id})" for key, ruling in self._inferred_rulings()
        )
        if inferred:
            said.append(f"Rulings of high impact that are inferred, not stated in the rulebook: {inferred}")
        return said

    def _guessed_rulings(self) -> Iterator[tuple[str, Ruling]]:
        """Assumed rulings that can matter at this level."""
        for key, ruling in self.ruling.items():
            about_tactics = key in ("focus_fire", "tactics_two_areas")
            elsewhere = key.startswith("competitive") and not self.is_competitive()
            if (
                ruling.confidence == "assumed"
                and ruling.impact != "none"
                and not about_tactics
                and not elsewhere
            ):
                yield key, ruling

    def _inferred_rulings(self) -> Iterator[tuple[str, Ruling]]:
        """Inferred rulings that move the result much: too many to be listed one a line."""
        for key, ruling in self.ruling.items():
            if ruling.confidence == "inferred" and ruling.impact == "high":
                yield key, ruling

    def problems(self) -> Iterator[tuple[str, str]]:
        yield from references(self)
        yield from board(self)
        yield from people(self)
        yield from decks(self)
        yield from counters(self)


TACTICS_SETS = {
    "assumed_set": "Tactics: the assumed set (R-58). Only Barrage is a rulebook effect; the other 32 cards "
    "are guesses",
    "blank": "Tactics: blank (R-58). All 33 cards without effect, so only the start counters make this level "
    "harder; the real cards would",
    "barrage_only": "Tactics: Barrage alone (R-58). The one effect the rulebook tells; the other 32 cards "
    "are blank",
    "assumed_doubled": "Tactics: the assumed set doubled (R-58). A stress test: the guessed effects twice as "
    "strong",
}


def references(s: ItterScenario) -> Iterator[tuple[str, str]]:
    """Every name one record uses for another exists."""
    yield from READINGS.problems(s)
    for key, position in s.position.items():
        if position.location not in s.location:
            yield f"position.{key}.location", f'no location "{position.location}"'
        for colour in position.colours:
            if colour not in s.colour:
                yield f"position.{key}.colours", f'no colour "{colour}"'
    order = [position.location for position in s.position.values()]
    for key in s.location:
        if key in order and order.count(key) != len(order) - order[::-1].index(key) - order.index(key):
            yield "position", f"the positions of {key} must stand together"
    for key, location in s.location.items():
        for other in location.move_out_to:
            if other not in s.location:
                yield f"location.{key}.move_out_to", f'no location "{other}"'
    for key, table in s.target_table.items():
        known = s.colour if table.gives == "colour" else s.location
        for face, name in enumerate(table.die, 1):
            if name not in known:
                yield f"target_table.{key}.die", f'face {face} names "{name}", which is no {table.gives}'
    for colour in s.squads.colours if s.squads else ():
        if colour not in s.colour:
            yield "squads.colours", f'no colour "{colour}"'
    for name in s.levels:
        if name not in s.mode:
            yield "levels", f'no mode "{name}"'
    for key, card in s.ss_card.items():
        if card.kind == "ss_squads" and not s.squads:
            yield f"ss_card.{key}.kind", "ss_squads needs the table squads"
        if card.category not in ("place", "attack_location") and card.kind not in DOES:
            yield (
                f"ss_card.{key}.category",
                f"{card.category} is no category of a {card.kind} card: only of {', '.join(DOES)}",
            )
        if card.category == "place" and card.kind not in s.ss_counter:
            yield f"ss_card.{key}.kind", f'no SS counter "{card.kind}"'
        if card.category == "attack_location" and s.target_table.get(card.table) is None:
            yield f"ss_card.{key}.table", f'no target table "{card.table}"'
    for key, card in s.tactics_card.items():
        for effect in card.effects:
            for name in effect.cards:
                if name not in CardKind.__members__:
                    yield f"tactics_card.{key}.effects", f'no kind of SS card "{name}"'
            for name in effect.counters:
                if name not in s.ss_counter:
                    yield f"tactics_card.{key}.effects", f'no SS counter "{name}"'
            for name in effect.colours:
                if name not in s.colour:
                    yield f"tactics_card.{key}.effects", f'no colour "{name}"'


def board(s: ItterScenario) -> Iterator[tuple[str, str]]:
    """Checks B and C: positions, die tables, tracks."""
    for colour, table in s.die_table.items():
        on_table = set(table.die)
        for face, name in enumerate(table.die, 1):
            if name not in s.position:
                yield f"die_table.{colour}.die", f'face {face} names "{name}", which is no position'
                return
            position = s.position[name]
            if colour not in position.colours:
                yield f"die_table.{colour}.die", f"face {face} names {name}, which does not see {colour}"
            if face not in position.numbers:
                yield (
                    f"die_table.{colour}.die",
                    f"face {face} names {name}, whose numbers are {position.numbers}",
                )
        for name, position in s.position.items():
            reachable = position.numbers and colour in position.colours
            if reachable and name not in on_table:
                yield f"die_table.{colour}.die", f"{name} sees {colour} and has numbers, but no face names it"
    for colour in s.colour:
        if colour not in s.die_table:
            yield f"die_table.{colour}", "is missing"
    if any(not key.isdigit() or not 2 <= int(key) < CIRCLES for key in s.circle):
        yield "circle", f"circles are named by numbers from 2 to {CIRCLES - 1}"
        return
    if sorted(s.areas) != list(range(2, 13)):
        yield "circle", f"placement areas must be 2 .. 12, the sums of two dice; they are {sorted(s.areas)}"
    for key, circle in s.circle.items():
        if circle.colour not in s.colour:
            yield f"circle.{key}.colour", f'no colour "{circle.colour}"'
        if circle.next and str(circle.next) not in s.circle:
            yield f"circle.{key}.next", f"no circle {circle.next}"
            return
    for key in s.circle:
        path, here = [], int(key)
        while here:
            if here in path:
                loop = " -> ".join(map(str, [*path[path.index(here) :], here]))
                yield (
                    f"circle.{here}.next",
                    f"the track runs in a cycle ({loop}) and never reaches the castle",
                )
                return
            path.append(here)
            here = s.circle[str(here)].next
    for key, circle in s.circle.items():
        if circle.kind == "placement" and not s.colour[circle.colour].suppression_square:
            yield (
                f"circle.{key}.colour",
                f"placement area of colour {circle.colour}, which has no suppression square",
            )


def people(s: ItterScenario) -> Iterator[tuple[str, str]]:
    """Checks A: who there is and where they start."""
    starts = Counter(d.start for d in s.defender.values())
    want = s.inventory["defenders"].count
    if len(s.defender) != want:
        yield "inventory.defenders.count", f"{want}, but there are {len(s.defender)} defenders"
    if starts["reserve"] != s.deployment.starters:
        yield (
            "deployment.starters",
            f"{s.deployment.starters}, but {starts['reserve']} defenders start in the reserve",
        )
    cellar = sum(not s.location[p.location].defence_track for p in s.position.values())
    if starts["cellar"] > cellar:
        yield "defender", f"{starts['cellar']} start in the Cellar, which has {cellar} positions"
    letters = Counter(letter for d in s.defender.values() for letter in d.attributes)
    for letter in "IMORSTEC":
        if letters[letter] != getattr(s.attribute_counts, letter):
            yield (
                f"attribute_counts.{letter}",
                f"{getattr(s.attribute_counts, letter)}, but {letters[letter]} defenders have [{letter}]",
            )
    for key, location in s.location.items():
        track = location.defence_track
        if track and (track[0] != s.setup.defence_value or any(a <= b for a, b in pairwise(track))):
            yield (
                f"location.{key}.defence_track",
                f"must start at setup.defence_value ({s.setup.defence_value}) and fall; it is {track}",
            )
    if sum(location.destructible for location in s.location.values()) > 1:
        yield "location", "only one location can be destructible (Besotten Jenny)"


def decks(s: ItterScenario) -> Iterator[tuple[str, str]]:
    """Checks D and G: cards add up."""
    sizes = [
        sum(c.copies for c in s.ss_card.values() if c.deck == deck and not c.set) for deck in (1, 2, 3, 4)
    ]
    added = sum(card.copies for card in s.set_cards().values()) + (
        s.competitive_card.copies if s.is_competitive() else 0
    )
    if sizes != s.ss_deck.sizes:
        yield "ss_deck.sizes", f"{s.ss_deck.sizes}, but the cards add up to {sizes}"
    total = s.inventory["ss_cards"].count - 1  # the Competitive Sturm is out of the game
    if sum(sizes) != total:
        yield (
            "inventory.ss_cards.count",
            f"{total + 1} with the Competitive Sturm, but the four decks hold {sum(sizes)} + 1",
        )
    if sum(sizes) + added + 2 > SS_CARDS:
        yield "ss_deck.sizes", f"at most {SS_CARDS - 2} cards"
    if sum(sizes) + added != s.level.ss_cards:
        yield (
            f"mode.{s.difficulty}.ss_cards",
            f"{s.level.ss_cards}, but the four decks hold {sum(sizes)}"
            + (f" and the level adds {added}" if added else ""),
        )
    if sum(sizes) != s.turn.turns_without_142nd * s.turn.ss_cards:
        yield (
            "turn.turns_without_142nd",
            f"{s.turn.turns_without_142nd} turns of {s.turn.ss_cards} cards do not use up {sum(sizes)} cards",
        )
    tactics = [sum(c.deck == deck for c in s.tactics_card.values()) for deck in (1, 2, 3, 4)]
    if tactics != s.tactics.deck_sizes:
        yield "tactics.deck_sizes", f"{s.tactics.deck_sizes}, but the cards add up to {tactics}"
    if sum(tactics) != s.inventory["tactics_cards"].count:
        yield (
            "inventory.tactics_cards.count",
            f"{s.inventory['tactics_cards'].count}, but there are {sum(tactics)} Tactics cards",
        )
    for name, mode in s.mode.items():
        if mode.tactics_per_turn == 0:
            continue
        if any(gone > held for gone, held in zip(mode.tactics_removed, tactics, strict=False)):
            yield (
                f"mode.{name}.tactics_removed",
                f"{mode.tactics_removed} are more than the decks hold ({tactics})",
            )
        left = sum(tactics) - sum(mode.tactics_removed)
        if left != mode.tactics_left:
            yield (
                f"mode.{name}.tactics_left",
                f"{mode.tactics_left}, but {sum(tactics)} - {sum(mode.tactics_removed)} cards leave {left}",
            )


def counters(s: ItterScenario) -> Iterator[tuple[str, str]]:
    """Checks E: the counters suffice, and make the printed total."""
    total = sum(kind.count for kind in s.ss_counter.values())
    if total != s.inventory["ss_counters"].count:
        yield (
            "inventory.ss_counters.count",
            f"{s.inventory['ss_counters'].count}, but the kinds add up to {total}",
        )
    for name, mode in s.mode.items():
        for kind in mode.start:
            if kind not in s.ss_counter:
                yield f"mode.{name}.start", f'no SS counter "{kind}"'
        if sum(mode.start.values()) not in (0, len(s.areas)):
            yield (
                f"mode.{name}.start",
                f"{sum(mode.start.values())} counters for {len(s.areas)} placement areas",
            )
    for kind, data in s.ss_counter.items():
        in_play = [*s.base_cards().values(), *s.set_cards().values()]
        placed = sum(c.copies * c.value for c in in_play if c.category == "place" and c.kind == kind)
        start = s.level.start.get(kind, 0)
        if (
            placed + start > data.count
            and s.rulings["supply_empty"] == "not_placed"
            and not s.reconstruction
            and not s.is_competitive()
        ):
            yield (
                f"ss_counter.{kind}.count",
                f"{data.count}, but {start} at the start and {placed} on cards need {placed + start}",
            )
