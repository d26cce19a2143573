"""The scenario file of Castle Itter: its structure and its consistency checks."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator
from itertools import pairwise
from operator import gt
from typing import Annotated, Literal

from pydantic import Field, field_validator

from bartizan.simcore.itter import components as c
from bartizan.simcore.scenario.model import Datum, ScenarioModel, Strict

Small = Annotated[int, Field(ge=0, le=12)]
Pips = Annotated[int, Field(ge=1, le=6)]
Points = Annotated[int, Field(ge=-20, le=20)]
Mode = Literal["novice", "normal", "veteran", "elite", "competitive"]
Category = Literal["place", "attack_location", "disrupt", "attack_defender", "special"]
DEFENCE = Annotated[int, Field(ge=0, le=6)]


class Turn(Datum):
    defender_actions: Annotated[int, Field(ge=1, le=28)]
    ss_cards: Annotated[int, Field(ge=1, le=c.PLANNED)]
    die_sides: Annotated[int, Field(ge=6, le=6)]
    placement_dice: Annotated[int, Field(ge=2, le=2)]
    turns_without_142nd: Annotated[int, Field(ge=1, le=60)]


class Command(Datum):
    recovers: Small


class Victory(Datum):
    min_score: Annotated[int, Field(ge=-60, le=60)]
    counts: Literal["points", "casualties"] = "points"  # 5.0b, or 7.5: the fewest is best
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
    """Numbers of the SS Squads card (7.4)."""

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
    # values of `mode` in this edition (7.0: v0.2 is data for the same engine; 7.7: missing things are
    # omitted)
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
        """Return whether a second player plays the SS (6.2)."""
        return self.level.ss_play > 0

    def seats(self) -> int:
        return 1 + self.is_competitive()

    def all_cards(self) -> dict[str, SSCard]:
        """Return every SS card, including the Competitive Sturm if it is used (6.2a)."""
        return self.ss_card | ({"competitive": self.competitive_card} if self.is_competitive() else {})

    def base_cards(self) -> dict[str, SSCard]:
        """Return the SS cards that every level uses."""
        return {key: card for key, card in self.all_cards().items() if not card.set}

    def set_cards(self) -> dict[str, SSCard]:
        """Return the SS cards that this level adds (7.6)."""
        return {key: card for key, card in self.ss_card.items() if card.set in self.level.card_sets}

    @property
    def level(self) -> ModeData:
        return self.mode[self.difficulty]

    @property
    def areas(self) -> list[int]:
        return [int(key) for key, circle in self.circle.items() if circle.kind == "placement"]

    def track(self, circle: int) -> list[int]:
        """Return the circles of a track, from this circle to the castle."""
        track = [circle]
        while following := self.circle[str(track[-1])].next:
            track.append(following)
        return track

    def assumptions(self) -> list[str]:
        texts = [TACTICS_SETS[self.rulings["focus_fire"]]] if self.level.tactics_per_turn else []
        if not self.breach_ends_game:
            texts.append(NO_BREACH)
        inferred = []
        for key, ruling in self.ruling.items():
            reading = f"{key} = {self.rulings[key]}"
            elsewhere = key.startswith("competitive") and not self.is_competitive()
            is_left_out = elsewhere or key in ("focus_fire", "tactics_two_areas")
            if ruling.confidence == "assumed" and ruling.impact != "none" and not is_left_out:
                texts.append(ruling.assumption(key, self.rulings[key]))
            if ruling.confidence == "inferred" and ruling.impact == "high":
                inferred.append(f"{reading} ({ruling.id})")
        if inferred:  # too many for one line each
            about = "Rulings of high impact that are inferred, not stated in the rulebook"
            texts.append(f"{about}: {', '.join(inferred)}")
        return texts

    def problems(self) -> Iterator[tuple[str, str]]:
        """Yield (path, message) for each inconsistency. CHECKS.md lists the checks."""
        for check in (references, board, people, tracks, decks, counters, lists):
            yield from check(self)


TACTICS_SETS = {
    "assumed_set": (
        "Tactics: the assumed set (R-58). Only Barrage is a rulebook effect; the other 32 cards are "
        "assumptions"
    ),
    "blank": (
        "Tactics: blank (R-58). None of the 33 cards has an effect, so only the start counters make this "
        "level harder; the real cards would add to it"
    ),
    "barrage_only": (
        "Tactics: Barrage alone (R-58). This is the only effect stated in the rulebook; the other 32 "
        "cards are blank"
    ),
    "assumed_doubled": (
        "Tactics: the assumed set doubled (R-58). A stress test with the assumed effects twice as strong"
    ),
}
NO_BREACH = (
    "breach_ends_game = false: a test device, not a rule of the game; a counter that enters the castle does "
    "not end it"
)


# ---------------------------------------------------------------- consistency checks: CHECKS.md

# (path of the faulty value, message), in the order in which users see them
Faults = Iterator[tuple[str, str]]


# ---------------------------------------------------------------- names


def references(s: ItterScenario) -> Faults:
    """Check that every name used by a record exists."""
    yield from c.READINGS.problems(s)
    for key, position in s.position.items():
        yield from unknown([position.location], s.location, f"position.{key}.location", "location")
        yield from unknown(position.colours, s.colour, f"position.{key}.colours", "colour")
    order = [position.location for position in s.position.values()]
    for key in s.location:
        if key in order and order.count(key) != len(order) - order[::-1].index(key) - order.index(key):
            yield "position", f"the positions of {key} must be consecutive"
    for key, location in s.location.items():
        yield from unknown(location.move_out_to, s.location, f"location.{key}.move_out_to", "location")
    for key, table in s.target_table.items():
        known = s.colour if table.gives == "colour" else s.location
        for face, name in enumerate(table.die, 1):
            if name not in known:
                yield (
                    f"target_table.{key}.die",
                    f'face {face} refers to "{name}", which is not a {table.gives}',
                )
    yield from unknown(s.squads.colours if s.squads else (), s.colour, "squads.colours", "colour")
    yield from unknown(s.levels, s.mode, "levels", "mode")
    if len(set(s.levels)) < len(s.levels):
        yield "levels", "a level is named twice"
    for key, card in s.ss_card.items():
        yield from card_names(s, f"ss_card.{key}", card)
    yield from card_names(s, "competitive_card", s.competitive_card)
    for key, card in s.tactics_card.items():
        path = f"tactics_card.{key}.effects"
        for effect in card.effects:
            yield from unknown(effect.cards, c.CardKind.__members__, path, "kind of SS card")
            yield from unknown(effect.counters, s.ss_counter, path, "SS counter")
            yield from unknown(effect.colours, s.colour, path, "colour")


def unknown(names: Iterable[str], known: Container[str], path: str, what: str) -> Faults:
    for name in names:
        if name not in known:
            yield path, f'no {what} "{name}"'


def must_be(path: str, value: object, actual: object, but: str) -> Faults:
    """Yield a fault if `value`, which repeats a sum of other records, differs from `actual`."""
    if value != actual:
        yield path, f"{value}, but {but}"


def card_names(s: ItterScenario, path: str, card: SSCard) -> Faults:
    if card.kind == "ss_squads" and not s.squads:
        yield f"{path}.kind", "ss_squads needs the table squads"
    if card.category not in ("place", "attack_location") and card.kind not in c.DOES:
        only = f"only of {', '.join(c.DOES)}"
        yield f"{path}.category", f"{card.category} is not a category of a {card.kind} card: {only}"
    if card.category == "place":
        yield from unknown([card.kind], s.ss_counter, f"{path}.kind", "SS counter")
    if card.category == "attack_location":
        yield from unknown([card.table], s.target_table, f"{path}.table", "target table")


# ---------------------------------------------------------------- B, C: positions, die tables, tracks


def board(s: ItterScenario) -> Faults:
    """Check the board, and stop at a fault that makes later checks meaningless."""
    for colour, table in s.die_table.items():
        path = f"die_table.{colour}.die"
        for face, name in enumerate(table.die, 1):
            if name not in s.position:
                yield path, f'face {face} refers to "{name}", which is not one of the [position] tables'
                return
            position = s.position[name]
            if colour not in position.colours:
                yield path, f"face {face} refers to {name}, which does not see {colour}"
            if face not in position.numbers:
                yield path, f"face {face} refers to {name}, whose numbers are {position.numbers}"
        for name, position in s.position.items():
            if position.numbers and colour in position.colours and name not in table.die:
                yield path, f"{name} sees {colour} and has numbers, but no face refers to it"
    for colour in s.colour:
        if colour not in s.die_table:
            yield f"die_table.{colour}", "is missing"
    if any(not key.isdecimal() or not 2 <= int(key) < c.CIRCLES for key in s.circle):
        yield "circle", f"circles are named by numbers from 2 to {c.CIRCLES - 1}"
        return
    if sorted(s.areas) != list(range(2, 13)):
        yield "circle", f"placement areas must be 2 .. 12, the sums of two dice; they are {sorted(s.areas)}"
    for key, circle in s.circle.items():
        yield from unknown([circle.colour], s.colour, f"circle.{key}.colour", "colour")
        if circle.next and str(circle.next) not in s.circle:
            yield f"circle.{key}.next", f"no circle {circle.next}"
            return
    if cycle := cycle_of(s):
        loop = " -> ".join(map(str, cycle))
        yield f"circle.{cycle[0]}.next", f"the track runs in a cycle ({loop}) and never reaches the castle"
        return
    for key, circle in s.circle.items():
        name = circle.colour
        if circle.kind == "placement" and not s.colour[name].suppression_square:
            yield f"circle.{key}.colour", f"placement area of colour {name}, which has no suppression square"


def cycle_of(s: ItterScenario) -> list[int]:
    """Return the circles of a track that returns to its first circle; [] if there is none."""
    for key in s.circle:
        path, here = [], int(key)
        while here:
            if here in path:
                return [*path[path.index(here) :], here]
            path.append(here)
            here = s.circle[str(here)].next
    return []


# ---------------------------------------------------------------- A: defenders and their start places


def people(s: ItterScenario) -> Faults:
    starts = Counter(d.start for d in s.defender.values())
    n, starters, count = len(s.defender), starts["reserve"], s.inventory["defenders"].count
    yield from must_be("inventory.defenders.count", count, n, f"there are {n} defenders")
    text = f"{starters} defenders start in the reserve"
    yield from must_be("deployment.starters", s.deployment.starters, starters, text)
    cellar = sum(not s.location[p.location].defence_track for p in s.position.values())
    if starts["cellar"] > cellar:
        yield "defender", f"{starts['cellar']} start in the Cellar, which has {cellar} positions"
    letters = Counter(letter for d in s.defender.values() for letter in d.attributes)
    for letter in "IMORSTEC":
        n, want = letters[letter], getattr(s.attribute_counts, letter)
        yield from must_be(f"attribute_counts.{letter}", want, n, f"{n} defenders have [{letter}]")


def tracks(s: ItterScenario) -> Faults:
    first = s.setup.defence_value
    for key, location in s.location.items():
        track = location.defence_track
        if track and (track[0] != first or any(a <= b for a, b in pairwise(track))):
            fault = f"must start at setup.defence_value ({first}) and decrease; it is {track}"
            yield f"location.{key}.defence_track", fault
    if sum(location.destructible for location in s.location.values()) > 1:
        yield "location", "only one location can be destructible (Besotten Jenny)"


# ---------------------------------------------------------------- D, G: sums of cards


def decks(s: ItterScenario) -> Faults:
    sizes = [
        sum(card.copies for card in s.ss_card.values() if card.deck == deck and not card.set)
        for deck in (1, 2, 3, 4)
    ]
    yield from must_be("ss_deck.sizes", s.ss_deck.sizes, sizes, f"the cards add up to {sizes}")
    yield from ss_cards(s, sum(sizes))
    yield from tactics(s)


def ss_cards(s: ItterScenario, held: int) -> Faults:
    """Check the SS cards. held: number of cards in the four decks."""
    total = s.inventory["ss_cards"].count
    if held != total - 1:  # the Competitive Sturm is out of the game
        fault = f"{total} with the Competitive Sturm, but the four decks hold {held} + 1"
        yield "inventory.ss_cards.count", fault
    added = sum(card.copies for card in s.set_cards().values())
    added += s.competitive_card.copies if s.is_competitive() else 0
    if held + added + 2 > c.SS_CARDS:
        yield "ss_deck.sizes", f"at most {c.SS_CARDS - 2} cards"
    text = f"the four decks hold {held}" + (f" and the level adds {added}" if added else "")
    yield from must_be(f"mode.{s.difficulty}.ss_cards", s.level.ss_cards, held + added, text)
    turns, each = s.turn.turns_without_142nd, s.turn.ss_cards
    if held != turns * each:
        fault = f"{turns} turns of {each} cards do not use up {held} cards"
        yield "turn.turns_without_142nd", fault


def tactics(s: ItterScenario) -> Faults:
    held = [sum(card.deck == deck for card in s.tactics_card.values()) for deck in (1, 2, 3, 4)]
    n = sum(held)
    yield from must_be("tactics.deck_sizes", s.tactics.deck_sizes, held, f"the cards add up to {held}")
    count = s.inventory["tactics_cards"].count
    yield from must_be("inventory.tactics_cards.count", count, n, f"there are {n} Tactics cards")
    for name, mode in s.mode.items():
        if mode.tactics_per_turn:
            removed, gone = mode.tactics_removed, sum(mode.tactics_removed)
            if any(map(gt, removed, held)):
                yield f"mode.{name}.tactics_removed", f"{removed} are more than the decks hold ({held})"
            text = f"{n} - {gone} cards leave {n - gone}"
            yield from must_be(f"mode.{name}.tactics_left", mode.tactics_left, n - gone, text)
    for key, card in s.tactics_card.items():
        added: Counter[tuple[str, str]] = Counter()
        for effect in card.effects:
            for kind in (*effect.cards, *effect.counters):
                added[effect.op, kind] += effect.n
        for (op, kind), total in added.items():
            if total > c.EXTRA:
                fault = f"{op} adds up to {total} for {kind}; one card adds at most {c.EXTRA}"
                yield f"tactics_card.{key}.effects", fault


# ---------------------------------------------------------------- E: counters


def counters(s: ItterScenario) -> Faults:
    """Check that there are enough counters, and that they sum to the printed total."""
    total, count = sum(kind.count for kind in s.ss_counter.values()), s.inventory["ss_counters"].count
    yield from must_be("inventory.ss_counters.count", count, total, f"the kinds add up to {total}")
    for name, mode in s.mode.items():
        path, n = f"mode.{name}.start", sum(mode.start.values())
        yield from unknown(mode.start, s.ss_counter, path, "SS counter")
        if n not in (0, len(s.areas)):
            yield (
                path,
                f"{n} counters, but {len(s.areas)} placement areas; give one counter per area, or none",
            )
    if s.rulings["supply_empty"] == "not_placed" and not s.reconstruction and not s.is_competitive():
        yield from supply(s)


def supply(s: ItterScenario) -> Faults:
    """Check that the supply contains the counters that every card places."""
    placed: Counter[str] = Counter()
    for card in (*s.base_cards().values(), *s.set_cards().values()):
        if card.category == "place":
            placed[card.kind] += card.copies * card.value
    for kind, data in s.ss_counter.items():
        start, need = s.level.start.get(kind, 0), s.level.start.get(kind, 0) + placed[kind]
        if need > data.count:
            fault = f"{data.count}, but {start} at the start and {placed[kind]} on cards need {need}"
            yield f"ss_counter.{kind}.count", fault


# ---------------------------------------------------------------- capacities of the rules' arrays


def lists(s: ItterScenario) -> Faults:
    """Check the capacities of arrays, such as MAX_LEGAL for lists of legal actions."""
    if s.is_competitive() and s.level.ss_draw == 0:
        yield f"mode.{s.difficulty}.ss_draw", "0, but the SS player draws at least 1 card per turn"
    if len(s.target_table) > c.TARGET_TABLES:
        yield "target_table", f"{len(s.target_table)} tables; at most {c.TARGET_TABLES} are supported"
    if len(s.all_cards()) >= c.SS_CARDS:
        yield "ss_card", f"{len(s.all_cards())} kinds of cards; at most {c.SS_CARDS - 1} are supported"
    if s.squads and len(s.squads.colours) > c.COLOURS:
        yield "squads.colours", f"{len(s.squads.colours)} colours; at most {c.COLOURS} are supported"
    for colour, table in s.die_table.items():
        faces = len(table.die) + sum(colour in p.colours for p in tank_positions(s))
        if faces > c.FACES:
            fault = f"6 faces and {faces - 6} positions of the tank (R-42); at most {c.FACES} are supported"
            yield f"die_table.{colour}", fault
    if (most := most_tokens(s)) >= c.MAX_LEGAL:
        fault = f"unlimited: up to {most:,} tokens on one square; at most {c.MAX_LEGAL - 1:,} are supported"
        yield "rulings.token_cap", f'{fault}: lower turn.defender_actions, or write token_cap = "hard_30"'


def tank_positions(s: ItterScenario) -> list[Position]:
    """Return the positions that R-42 adds to the die tables."""
    if s.rulings["tank_by_colour"] == "no":
        return []
    return [p for p in s.position.values() if s.location[p.location].destructible]


def most_tokens(s: ItterScenario) -> int:
    """Return the maximum number of tokens on one square (2.3, R-16, R-17).

    Every action is assumed to add the maximum that any action can add.
    """
    if s.rulings["token_cap"] == "hard_30":
        return s.inventory["suppression_tokens"].count
    own = [defender.suppress for defender in s.defender.values()]
    inspired = sum("I" in defender.attributes for defender in s.defender.values())
    if s.rulings["inspire_stacks"] == "max_one":
        inspired = min(inspired, 1)
    each = (
        max([*own, *(position.weapon_suppress or 0 for position in s.position.values())], default=0)
        + inspired
    )
    cards_a_turn, turns = s.turn.ss_cards, 0
    if s.is_competitive():
        cards_a_turn, turns = min(cards_a_turn, s.level.ss_draw), 1
    turns += -(-(s.level.ss_cards + 1) // cards_a_turn)  # the 142nd is an additional card
    return (1 if s.rulings["tokens_persist"] == "cleared" else turns) * s.turn.defender_actions * each
