"""The shape of a scenario file of Castle Itter; `checks` holds the arithmetic that holds one together."""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field, field_validator

from bartizan.simcore.itter import checks
from bartizan.simcore.itter import components as c
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
    starters: Annotated[int, Field(ge=0, le=c.DEFENDERS)]


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
    defence_track: list[DEFENCE] = Field(max_length=c.TRACK)
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


class TargetCircle(Datum):
    kind: Literal["placement", "advance"]
    colour: str
    next: Annotated[int, Field(ge=0, lt=c.CIRCLES)]


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
        if kind not in c.CardKind.__members__:
            raise ValueError(f"must be one of {', '.join(c.CardKind.__members__)}")
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
    tactics_left: Annotated[int, Field(ge=0, le=c.TACTICS)]
    ss_cards: Annotated[int, Field(ge=0, le=c.SS_CARDS)]
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


class ScoreValues(Strict):
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


class CardEffect(Strict):
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
    effects: list[CardEffect]


class ItterScenario(ScenarioModel):
    """A scenario of Castle Itter."""

    difficulty: str = "novice"
    # of `mode`: those this edition has (7.0: v0.2 is data of the same engine; 7.7: what it lacks is left out)
    levels: list[str]
    breach_ends_game: bool
    turn: Turn
    command: Command
    victory: Victory
    deployment: Deployment
    inventory: dict[str, Inventory]
    colour: dict[str, Colour] = Field(max_length=c.COLOURS)
    defender: dict[str, Defender] = Field(max_length=c.DEFENDERS)
    attribute_counts: AttributeCounts
    location: dict[str, Location] = Field(max_length=c.LOCATIONS)
    position: dict[str, Position] = Field(max_length=c.POSITIONS)
    die_table: dict[str, DieTable]
    circle: dict[str, TargetCircle] = Field(max_length=c.CIRCLES)
    ss_counter: dict[str, SSCounter] = Field(max_length=c.KINDS)
    ss_deck: SSDeck
    ss_card: dict[str, SSCard]
    competitive_card: SSCard
    regiment_card: RegimentCard
    target_table: dict[str, TargetTable]
    mode: dict[Mode, ModeData]
    setup: Setup
    score: ScoreValues
    medal: dict[str, Medal]
    tactics: Tactics
    tactics_card: dict[str, TacticsCard] = Field(max_length=c.TACTICS)
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
            said.append(NO_BREACH)
        said += [
            f"Ruling {ruling.id}, {key} = {self.rulings[key]}, is a guess: {ruling.question}"
            for key, ruling in self._guessed_rulings()
        ]
        inferred = [f"{key} = {self.rulings[key]} ({ruling.id})" for key, ruling in self._inferred_rulings()]
        if inferred:
            said.append(
                f"Rulings of high impact that are inferred, not stated in the rulebook: {', '.join(inferred)}"
            )
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
        return checks.problems(self)


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
NO_BREACH = (
    "breach_ends_game = false: a test device, not a rule of the game; a counter that enters the castle does "
    "not end it"
)
