"""The scenario file of Escape from Colditz: its structure and its consistency checks."""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from bartizan.simcore.colditz import components as cz
from bartizan.simcore.colditz.board import read_board
from bartizan.simcore.scenario.model import PROVENANCE, Datum, ScenarioModel

Count = Annotated[int, Field(ge=0, le=60)]
EquipmentName = Literal["wire_cutters", "passes", "key", "rope"]
KitItem = Literal["disguise", "food", "compass", "documents"]
TunnelName = Literal["chapel", "canteen", "theatre"]
PLAYER_COUNTS = [str(k) for k in range(1, cz.PLAYERS + 1)]


class Players(Datum):
    allied: Annotated[int, Field(ge=1, le=cz.PLAYERS)]


class Pawns(Datum):
    pows: Annotated[int, Field(ge=1, le=cz.TEAM)]
    guards: Annotated[int, Field(ge=1, le=cz.GUARDS)]


class Posts(Datum):
    outer_min: Annotated[int, Field(ge=0, le=cz.GUARDS)]
    outer_max: Annotated[int, Field(ge=0, le=cz.GUARDS)]


class Dice(Datum):
    count: Annotated[int, Field(ge=2, le=2)]
    sides: Annotated[int, Field(ge=2, le=20)]
    draws_on: list[Annotated[int, Field(ge=2, le=40)]] = Field(max_length=8)


class Hand(Datum):
    limit: Annotated[int, Field(ge=1, le=10)]


class Turn(Datum):
    gives: Annotated[int, Field(ge=0, le=20)]


class Limit(Datum):
    rounds: Annotated[int, Field(ge=1, le=400)]


class Result(Datum):
    form: Literal["summary", "race"]
    target: Annotated[int, Field(ge=1, le=8)]


class StaffCar(Datum):
    throws: Annotated[int, Field(ge=1, le=20)]
    distance: Annotated[int, Field(ge=1, le=200)]


class Wire(Datum):
    cutters: Annotated[int, Field(ge=1, le=1)]


class Drop(Datum):
    feet_per_rope: Annotated[int, Field(ge=10, le=60)]


class Cells(Datum):
    inner: Annotated[int, Field(ge=0, le=40)]
    outer: Annotated[int, Field(ge=0, le=40)]


class BoardData(Datum):
    folder: Literal["board"]


class EquipmentCards(Datum):
    count: Count


class Kit(Datum):
    count: Count
    needs: list[KitItem] = Field(min_length=4, max_length=4)


class Opportunity(Datum):
    does: Literal[
        "advance_warning",
        "bribe",
        "diversion",
        "kit_part",
        "hideaway",
        "inspection",
        "equip",
        "move_fast",
        "release",
        "sabotage",
        "staff_car",
        "talisman",
        "tunnel",
    ]
    count: Count
    cards: Annotated[int, Field(ge=1, le=2)] = 1
    items: list[KitItem] = []
    equipment: EquipmentName | None = None
    room: str = ""
    tunnel: TunnelName | None = None


class Security(Datum):
    does: Literal["appel", "holder", "search", "shoot", "detect"]
    count: Count
    room: str = ""
    equipment: Literal["key", "passes"] | None = None


class DoOrDie(Datum):
    throws: Annotated[int, Field(ge=1, le=20)]
    count: Count


class ColditzScenario(ScenarioModel):
    """A scenario of Escape from Colditz."""

    players: Players
    pawns: dict[str, Pawns]
    posts: Posts
    dice: Dice
    hand: Hand
    turn: Turn
    limit: Limit
    result: Result
    staff_car: StaffCar
    wire: Wire
    drop: Drop
    cells: Cells
    board: BoardData
    equipment: dict[EquipmentName, EquipmentCards]
    kit: Kit
    opportunity: dict[str, Opportunity] = Field(max_length=cz.CARDS)
    security: dict[str, Security] = Field(max_length=cz.SECURITY)
    do_or_die: dict[str, DoOrDie]

    @property
    def team(self) -> Pawns:
        return self.pawns[str(self.players.allied)]

    def assumptions(self) -> list[str]:
        texts = [
            "The rules are a fan summary of the 1973 game with its gaps filled, not the printed rulebook",
            "The board was digitised from a photograph: 141 of its 2,156 links are inferred, and pawns cover "
            "12 of "
            "its 18 guard posts",
            f"The length, {self.limit.rounds} rounds, is an assumption: the rules have a clock of 60 minutes "
            "and no count of rounds",
        ]
        if self.turn.gives != 0:
            texts.append(f"At most {self.turn.gives} cards change hands in a turn; the rules set no limit")
        return texts + self.guessed_readings()

    def problems(self) -> Iterator[tuple[str, str]]:
        yield from _references(self)
        yield from _sizes(self)
        yield from _places(self)


def _references(s: ColditzScenario) -> Iterator[tuple[str, str]]:
    yield from cz.READINGS.problems(s)
    for k in PLAYER_COUNTS:
        if k not in s.pawns:
            yield f"pawns.{k}", "is missing"
    for name in cz.Equipment.__members__:
        if name not in s.equipment:
            yield f"equipment.{name}", "is missing"
    rooms = read_board().rooms
    for deck in ("opportunity", "security"):
        for key, card in getattr(s, deck).items():
            needs_room = card.does in ("move_fast", "search")
            if needs_room and card.room not in rooms:
                yield f"{deck}.{key}.room", f'no room "{card.room}"; rooms: {", ".join(rooms)}'
    names = {"equip": "equipment", "tunnel": "tunnel", "holder": "equipment"}  # required key of such a card
    for deck in ("opportunity", "security"):
        for key, card in getattr(s, deck).items():
            if card.does == "kit_part" and len(card.items) != 2:
                yield f"{deck}.{key}.items", "a half card must show two items"
            if card.does in names and getattr(card, names[card.does]) is None:
                yield f"{deck}.{key}.{names[card.does]}", "is missing"


def _sizes(s: ColditzScenario) -> Iterator[tuple[str, str]]:
    if sum(card.count for card in s.opportunity.values()) > cz.DECK:
        yield "opportunity", f"more than {cz.DECK} cards"
    if sum(card.count for card in s.security.values()) > cz.DECK:
        yield "security", f"more than {cz.DECK} cards"
    if sum(card.count for card in s.do_or_die.values()) > cz.STAKES:
        yield "do_or_die", f"more than {cz.STAKES} cards"
    halves = [card for card in s.opportunity.values() if card.does == "kit_part"]
    if len(halves) != 2 or {i for card in halves for i in card.items} != set(s.kit.needs):
        yield "opportunity", "two half Kit cards must show the four items of a Kit between them"
    for deck in ("opportunity", "security"):
        seen = {}
        for key, card in getattr(s, deck).items():
            what = card.model_dump_json(exclude={"count", *PROVENANCE})
            if what in seen:
                yield f"{deck}.{key}", f"the same card as {deck}.{seen[what]}; raise its count instead"
            seen[what] = key
    if s.posts.outer_min > s.posts.outer_max:
        yield "posts.outer_min", f"{s.posts.outer_min} is more than posts.outer_max = {s.posts.outer_max}"


def _places(s: ColditzScenario) -> Iterator[tuple[str, str]]:
    """Yield (key, fault) if black circles inside, or guards for them, are missing (2.4)."""
    board = read_board()
    black = ("guard_post",) if s.rulings["covered_posts"] == "plain" else ("guard_post", "guard_post?")
    inner = [c for c in board.circles.values() if c.kind in black and c.zone == "courtyard"]
    if s.players.allied > len(inner):
        yield (
            "players.allied",
            (
                f"{s.players.allied} players need the same number of black circles in the Inner Courtyard, "
                f"but there are {len(inner)} (ruling covered_posts)"
            ),
        )
    if s.players.allied > s.team.guards:
        yield f"pawns.{s.players.allied}.guards", "fewer guards than Allied players (2.4)"


SYMBOLS = {"Wire Cutters": cz.Symbol.wire_cutters, "Pass": cz.Symbol.passes} | {
    s.name.title(): s for s in cz.Symbol if s > cz.Symbol.passes
}
