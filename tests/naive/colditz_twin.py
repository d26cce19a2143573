"""The naive twin of the Escape from Colditz engine: slow, obvious, plain objects, written only from RULES.md and PROTOCOL.md.

The whole game is one generator. It yields (stage, player, legal action codes) whenever somebody has to decide and is sent the
chosen code. Section numbers (4.3, 9.1 ...) and rulings (Q14 ...) are those of RULES.md; "P 3" is section 3 of PROTOCOL.md.
"""

from __future__ import annotations

import csv
import math
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from tests.naive.luck import Luck

# ---------------------------------------------------------------- action kinds, stages, places (P 1, P 2)

KIND_UNIT = 65536
END, THROW, PICK, STAY, GO, UNDER, CROSS, FORCE, EQUIP, KIT, RELEASE, STAKE, NEXT = range(1, 14)
BRIBE, CONVERT, DIVERT, INSPECT, SABOTAGE, FAST, FREE, CAR, TUNNEL, GIVE, GIVE_EQUIPMENT, DISCARD = range(20, 32)
COME, WARN, HIDE, LOSE, SAVE = range(40, 45)
POST, RECALL, ARREST, APPEL_CARD, SEARCH, HOLDER, SHOOT, DETECT, MATCH, CELL = range(50, 60)

(
    STAGE_OVER,
    STAGE_SETUP,
    STAGE_NEXT,
    STAGE_START,
    STAGE_TURN,
    STAGE_GOTO,
    STAGE_ROOM,
    STAGE_ANSWER,
    STAGE_LOSE,
    STAGE_SAVE,
    STAGE_MATCH,
    STAGE_CELL,
) = range(12)

CELL_INNER, CELL_OUTER, ESCAPED, DEAD, OUT, BARRACKS, UNUSED, ON_THE_WAY = -1, -2, -3, -4, -5, -6, -7, -8
BLOCKS = [CELL_INNER, CELL_OUTER]

WIRE_CUTTERS, PASS, KEY, ROPE = range(4)
EQUIPMENT = ["wire_cutters", "passes", "key", "rope"]
NOTHING = 7  # second choice of a Bribe that brings one card; LOSE: Hideaway instead
EVERYBODY = 63  # COME, MATCH

TUNNEL_NAMES = ["chapel", "canteen", "theatre"]
T_UNUSED, T_OPEN, T_LONE, T_DEAD, T_TAKEN = range(5)

END_LIMIT, END_NOBODY, END_RACE = 3, 4, 5
ALLIED, GERMAN = 0, 1
NOBODY = -1

MAX_TEAM, MAX_POWS, MAX_GUARDS = 8, 40, 16
APPEL = 0  # the space

Decision = Generator[tuple[int, int, list[int]], int, Any]
Node = tuple[int, int]  # (level, circle); level 0 is the surface, 1 the inside of a tunnel
SURFACE, BELOW = 0, 1


def code(kind: int, argument: int = 0) -> int:
    return kind * KIND_UNIT + argument


# ---------------------------------------------------------------- luck (P 4)

L_THROW, L_OPPORTUNITY, L_SECURITY, L_STAKE_CARD, L_STAKE, L_CAR, L_RANGE = range(7)
GERMAN_TURN = 7  # his place in the index of a turn's throws


# ---------------------------------------------------------------- the board (1.2 - 1.4)

HOME = Path(__file__).resolve().parents[2] / "simcore" / "colditz"
Z_APPEL, Z_COURTYARD, Z_ROOM, Z_OUTER, Z_OUTSIDE, Z_UNDERGROUND = range(6)
GREY = (Z_APPEL, Z_COURTYARD, Z_ROOM)
ZONES = {
    "appel": Z_APPEL,
    "courtyard": Z_COURTYARD,
    "room": Z_ROOM,
    "outside_green": Z_OUTSIDE,
    "tunnel": Z_UNDERGROUND,
}
NO_SPACE = ("cell", "barracks", "staff_car")
A_WALK, A_KEY, A_PASS, A_WIRE, A_DOWN, A_UP = range(6)
LEVEL_ARCS = (A_WALK, A_KEY, A_PASS, A_WIRE)
SPACING = 17.3  # pixels between the centres of touching circles
SYMBOLS = ["wire cutters", "pass", "key", "rope", "disguise", "food", "compass", "documents"]
NO_SYMBOL = -1


@dataclass(frozen=True)
class Arc:
    to: int
    kind: int
    way: tuple = ()
    feet: int = 0
    free: bool = False  # the PASS circle into the Inner Courtyard, from outside the grey zone (4.4)


class Board:
    """Spaces, the arcs between them, rooms and tunnels. The circles of the Appel are one space, number 0 (4.3)."""

    def __init__(self, folder: Path) -> None:
        circles = [row for row in self._rows(folder / "nodes.csv") if row["kind"] not in NO_SPACE]
        rooms = self._rows(folder / "rooms.csv")
        self.room_names = [row["room"] for row in rooms]
        self.symbol = [
            SYMBOLS.index(row["symbol"].lower()) if row["symbol"].lower() in SYMBOLS else NO_SYMBOL for row in rooms
        ]
        self.space = {int(row["id"]): APPEL if row["zone"] == "appel" else int(row["id"]) for row in circles}
        self.spots: dict[int, list[tuple[float, float]]] = {}
        self.zone: dict[int, int] = {}
        self.kind: dict[int, str] = {}
        self.room: dict[int, int] = {}
        self.marks: dict[int, list[str]] = {}
        for row in circles:
            self._add_circle(row, self.space[int(row["id"])])
        self.arcs: dict[int, list[Arc]] = {c: [] for c in self.zone}
        self.door_ends: set[int] = set()
        tunnel_links: set[frozenset[int]] = set()
        for row in self._rows(folder / "edges.csv"):
            self._add_edge(int(row["a"]), int(row["b"]), row["type"], tunnel_links)
        self.chains = [self._chain(name, tunnel_links) for name in TUNNEL_NAMES]
        self.targets = {c for c, kind in self.kind.items() if kind == "target"}
        self._name_places(circles)
        self.grey = {
            c: {arc.to for arc in self.arcs[c] if arc.kind in LEVEL_ARCS and self.zone[arc.to] in GREY}
            for c in self.zone
            if self.zone[c] in GREY
        }

    @staticmethod
    def _rows(path: Path) -> list[dict[str, str]]:
        with path.open(newline="") as file:
            return list(csv.DictReader(line for line in file if not line.startswith("#")))

    def _add_circle(self, row: dict[str, str], c: int) -> None:
        self.spots.setdefault(c, []).append((float(row["x"]), float(row["y"])))
        self.zone[c] = Z_OUTER if row["zone"].startswith("outer_") else ZONES[row["zone"]]
        self.kind[c] = row["kind"]
        self.room[c] = self.room_names.index(row["room"]) if row["zone"] == "room" else NOBODY
        self.marks[c] = row["marking"].split(";")

    def _add_edge(self, a: int, b: int, kind: str, tunnel_links: set[frozenset[int]]) -> None:
        if a not in self.space or b not in self.space:
            return
        a, b = self.space[a], self.space[b]
        if a == b:
            return
        if kind == "tunnel":
            tunnel_links.add(frozenset((a, b)))
        elif kind.startswith("rope"):
            feet, way = int(kind.removeprefix("rope")), ("drop", a, b)
            self.arcs[a].append(Arc(b, A_DOWN, way, feet))
            self.arcs[b].append(Arc(a, A_UP, way, feet))
        else:
            if kind == "door":
                self.door_ends |= {a, b}
            for one, other in ((a, b), (b, a)):
                arc = self._level_arc(one, other, kind)
                if arc not in self.arcs[one]:
                    self.arcs[one].append(arc)

    def _level_arc(self, a: int, b: int, kind: str) -> Arc:
        if kind == "wire":
            return Arc(b, A_WIRE, ("wire", min(a, b), max(a, b)))
        if kind in ("key", "pass") and kind in self.marks[b]:
            free = "free_into_courtyard" in self.marks[b] and self.zone[a] not in GREY
            return Arc(b, A_KEY if kind == "key" else A_PASS, ("gate", b), 0, free)
        return Arc(b, A_WALK)

    def _chain(self, name: str, links: set[frozenset[int]]) -> list[int]:
        """Circles of a tunnel from the one in the room to the far end."""
        inside = [c for c in self.zone if f"tunnel:{name}" in self.marks[c]]
        chain = [c for c in inside if "tunnel_entrance" in self.marks[c]]
        while "tunnel_exit" not in self.marks[chain[-1]]:
            chain += [c for c in inside if c not in chain and frozenset((c, chain[-1])) in links]
        return chain

    def _name_places(self, circles: list[dict[str, str]]) -> None:
        names = {self.space[int(row["id"])]: row["room"] for row in circles}
        self.beyond_moat = {c for c in self.targets if "beyond_moat" in names[c]}
        self.car_target = next(c for c in self.targets if names[c].startswith("T7"))
        self.car_circles = {c for c in self.zone if "staff_car_adjacent" in self.marks[c]}
        self.pass_circle = next(c for c in self.zone if "free_into_courtyard" in self.marks[c])
        doors = [c for c in self.zone if self.kind[c] == "cell_door"]
        self.cell_door = [
            next(c for c in doors if self.zone[c] in GREY),
            next(c for c in doors if self.zone[c] == Z_OUTER),
        ]

    def may_stop(self, c: int) -> bool:
        """P 3, a POW on the surface: any circle but searchlights and tunnel circles (4.8)."""
        return self.kind[c] not in ("searchlight", "tunnel")

    @cache  # noqa: B019
    def steps(self, source: int) -> dict[int, int]:
        """P 3, distances: gates, doors and wire free, no drops, pawns ignored."""
        distance = {source: 0}
        queue = deque([source])
        while queue:
            c = queue.popleft()
            for arc in self.arcs[c]:
                if arc.kind in LEVEL_ARCS and arc.to not in distance:
                    distance[arc.to] = distance[c] + 1
                    queue.append(arc.to)
        return distance

    def straight(self, a: int, b: int) -> int:
        """As the crow flies, in circle spacings (Q19, Q21)."""
        return math.ceil(min(math.dist(p, q) for p in self.spots[a] for q in self.spots[b]) / SPACING)

    @cache  # noqa: B019
    def stake_ways(
        self, ropes: int, cutters: int, feet_per_rope: int, cutters_each: int
    ) -> dict[int, tuple[int, int, int]]:
        """5.4 a, b: (steps, Ropes, Cutters) from every space to the nearest target beyond the moat; searched from the targets back."""
        back: dict[int, list[tuple[int, int, int]]] = {c: [] for c in self.zone}
        for a, arcs in self.arcs.items():
            for arc in arcs:
                if arc.kind != A_UP:
                    back[arc.to].append((a, -(-arc.feet // feet_per_rope), cutters_each if arc.kind == A_WIRE else 0))
        distance = {(c, 0, 0): 0 for c in self.beyond_moat}
        queue = deque(distance)
        while queue:
            c, r, w = queue.popleft()
            for a, rope, cut in back[c]:
                there = (a, r + rope, w + cut)
                if r + rope <= ropes and w + cut <= cutters and there not in distance:
                    distance[there] = distance[c, r, w] + 1
                    queue.append(there)
        best: dict[int, tuple[int, int, int]] = {}
        for (c, r, w), d in distance.items():
            best[c] = min(best.get(c, (d, r, w)), (d, r, w))
        return best

    @cache  # noqa: B019
    def near(self, c: int) -> list[int]:
        """Other circles, nearest first (ties: lower id)."""
        distance = self.steps(c)
        return sorted((s for s in distance if s != c and s != APPEL), key=lambda s: (distance[s], s))


@cache
def read_board(folder: Path) -> Board:
    return Board(folder)


# ---------------------------------------------------------------- things on the table


@dataclass(frozen=True)
class Card:
    does: str
    cards: int = 1  # of a Bribe
    items: tuple[str, ...] = ()
    equipment: int = NOBODY
    room: int = NOBODY
    tunnel: int = NOBODY


@dataclass
class Option:
    """Somewhere the picked POW may go."""

    cost: int
    path: list[Node]
    arc: Arc | None = None  # the last step, when it is paid for


@dataclass
class Deck:
    purpose: int
    left: list[int] = field(default_factory=list)  # first card = top
    discards: list[int] = field(default_factory=list)  # by card index


class _GameEnds(Exception):
    """Raised inside the generator when the game ends; carries how."""

    def __init__(self, how: int) -> None:
        super().__init__(how)
        self.how = how


TALLIES = ("escapes", "stake_escapes", "stake_tries", "stakes_failed", "first_escape", "first_stake_escape", "race_1", "race_2", "arrested", "forced", "searched",
           "taken_by_appel", "holders", "tunnellers", "shot", "cards_drawn", "equipment_taken", "kits")  # fmt: skip

# ---------------------------------------------------------------- the game


class ColditzTwin:
    def __init__(self, data: dict, seed: int, game: int) -> None:
        self.data = data
        self.rule: dict[str, str] = data["rulings"]
        self.board = read_board(HOME / data["board"]["folder"])
        self.luck = Luck(seed, game)
        self.k: int = data["players"]["allied"]
        self.players = range(self.k)
        self._make_pawns()
        self._make_cards()
        self._make_tunnels()
        self._make_ways()
        self.round = 0
        self.turn_of = 0
        self.points = self.releases = 0
        self.no_posting = False
        self.over = False
        self.end_reason = 0
        self.tally: dict[str, int] = dict.fromkeys(TALLIES, 0)
        self._new_turn()
        self.stage, self.player = STAGE_OVER, NOBODY
        self._legal: list[int] = []
        self._play = self._game()
        self._run(None)

    # ------------------------------------------------------------ set-up (2.1, 2.2)

    def _make_pawns(self) -> None:
        pawns = self.data["pawns"][str(self.k)]
        self.pow_at = [UNUSED] * MAX_POWS
        self.under = [NOBODY] * MAX_POWS
        self.pows = [p * MAX_TEAM + i for p in self.players for i in range(pawns["pows"])]
        for w in self.pows:
            self.pow_at[w] = APPEL
        self.guards = range(pawns["guards"])
        self.guard_at = [BARRACKS if g in self.guards else UNUSED for g in range(MAX_GUARDS)]
        self.black = {
            c
            for c, kind in self.board.kind.items()
            if kind == "guard_post" or (kind == "guard_post?" and self.rule["covered_posts"] == "black")
        }  # Q35
        self.returning: dict[int, int] = {}  # POW -> his distance when his player's turn began (4.14)
        self.used: dict[int, set[int]] = {PASS: set(), KEY: set()}  # Q20: POWs by what they used

    def _make_cards(self) -> None:
        data = self.data
        self.cards = [self._card(row) for row in data["opportunity"].values()]
        self.orders_shown = [self._card(row) for row in data["security"].values()]
        self.deck = self._deck(L_OPPORTUNITY, data["opportunity"])
        self.order_deck = self._deck(L_SECURITY, data["security"])
        self.stakes: list[int] = []
        self._remake_stakes()
        self.hands = [[0] * len(self.cards) for _ in self.players]
        self.orders = [0] * len(self.orders_shown)
        self.equipment = [[0] * len(EQUIPMENT) for _ in self.players]
        self.supply: list[int] = [data["equipment"][name]["count"] for name in EQUIPMENT]
        self.kits = [0] * self.k
        self.kit_supply: int = data["kit"]["count"]
        self.escaped = [0] * self.k
        self.staked_out = [0] * self.k
        self.out = [0] * self.k
        self.to_lose = [0] * self.k

    def _card(self, row: dict) -> Card:
        equipment, room, tunnel = row.get("equipment"), row.get("room"), row.get("tunnel")
        return Card(row["does"], row.get("cards", 1), tuple(row.get("items", ())), EQUIPMENT.index(equipment) if equipment else NOBODY,
                    self.board.room_names.index(room) if room else NOBODY, TUNNEL_NAMES.index(tunnel) if tunnel else NOBODY)  # fmt: skip

    def _deck(self, purpose: int, rows: dict) -> Deck:
        deck = Deck(purpose, discards=[row["count"] for row in rows.values()])
        self._remake(deck)
        return deck

    def _make_tunnels(self) -> None:
        self.chains = self.board.chains
        self.tunnel = [T_UNUSED] * len(TUNNEL_NAMES)
        self.had_two = [False] * len(TUNNEL_NAMES)
        self.broken_out = [False] * len(TUNNEL_NAMES)  # since the last German turn began
        self.detected = [False] * len(TUNNEL_NAMES)  # by a break-out (8.4)
        self.carded = [False] * len(TUNNEL_NAMES)  # by the card (8.5)
        self.enacted = [False] * len(TUNNEL_NAMES)  # the card has been played (Q40)
        self.digger = [NOBODY] * len(TUNNEL_NAMES)  # who opened it (Q38)
        self.opened: set[tuple] = set()
        self.guard_drops: set[tuple] = set()

    def _make_ways(self) -> None:
        """Arcs a POW may take with what they cost, upwards only by Q7; circles by what leads to them; tunnels by their first circle."""
        climbs = self.rule["climb_drops"] == "yes"
        self.pow_arcs = {c: [arc for arc in arcs if climbs or arc.kind != A_UP] for c, arcs in self.board.arcs.items()}
        firsts = [chain[0] for chain in self.chains]
        self.under_circle = {c: [t for t, first in enumerate(firsts) if first == c] for c in firsts}
        self.next_to = {
            first: [c for c, arcs in self.pow_arcs.items() if any(arc.to == first for arc in arcs)] for first in firsts
        }

    def _new_turn(self) -> None:
        self.stayed: set[int] = set()
        self.halted: set[int] = set()  # Q8
        self.gives = self.claims = 0
        self.given: list[
            int
        ] = []  # who has been given a card by the player whose turn it is, and has not given one back
        self.posted: set[int] = set()  # Q31
        self.movers: set[int] = set()  # guards that have moved this turn
        self.chaser = NOBODY

    # ------------------------------------------------------------ interface

    @property
    def seat(self) -> int:
        return GERMAN if self.player == NOBODY else ALLIED

    def legal(self) -> list[int]:
        return list(self._legal)

    def apply(self, action: int) -> None:
        if self.over:
            raise ValueError("the game is over")
        if action not in self._legal:
            raise ValueError(
                f"action {action} (kind {action // KIND_UNIT}, argument {action % KIND_UNIT}) is not legal at stage {self.stage}"
            )
        self._run(action)

    def _run(self, action: int | None) -> None:
        try:
            stage, player, legal = self._play.send(action)  # type: ignore[arg-type]
            self.stage, self.player, self._legal = stage, player, sorted(legal)
        except StopIteration:
            self.stage, self.player, self._legal, self.over = STAGE_OVER, NOBODY, [], True

    def snapshot(self) -> dict:
        return {
            "stage": self.stage,
            "player": self.player,
            "turn_of": self.turn_of,
            "round": self.round,
            "pow_at": list(self.pow_at),
            "under": list(self.under),
            "guard_at": list(self.guard_at),
            "hands": [list(hand) for hand in self.hands],
            "equipment": [list(held) for held in self.equipment],
            "kits": list(self.kits),
            "supply": list(self.supply),
            "kit_supply": self.kit_supply,
            "orders": list(self.orders),
            "discards": list(self.deck.discards),
            "order_discards": list(self.order_deck.discards),
            "deck_left": len(self.deck.left),
            "order_left": len(self.order_deck.left),
            "stakes_left": len(self.stakes),
            "points": self.points,
            "releases": self.releases,
            "tunnel": list(self.tunnel),
            "opened": sorted(self.opened),
            "no_posting": self.no_posting,
            "returning": sorted(self.returning),
            "escaped": list(self.escaped),
            "staked_out": list(self.staked_out),
            "out": list(self.out),
            "to_lose": list(self.to_lose),
        }

    def record(self) -> dict:
        return {
            "winner": self._winner(),
            "score": sum(self.escaped) + sum(self.staked_out),
            "turn": self.round,
            "end_reason": self.end_reason,
            "first_player": self._first_player(),
            **self.tally,
        }

    def _first_player(self) -> int:
        """10.2, Q22: the player with the most escapes, nobody when two share the place."""
        all_count = self.rule["rank_counts"] == "all"
        counts = [self.escaped[p] + (self.staked_out[p] if all_count else 0) for p in range(self.k)]
        first = [p for p, n in enumerate(counts) if n == max(counts)]
        return first[0] if max(counts) and len(first) == 1 else -1

    def _winner(self) -> int:
        if self.data["result"]["form"] == "race":  # 10.4
            return ALLIED if self.end_reason == END_RACE else GERMAN
        if self.tally["escapes"] > 0:  # 10.2
            return ALLIED
        return -1 if self.tally["stake_escapes"] > 0 else GERMAN  # 10.3

    # ------------------------------------------------------------ who is where

    def team(self, p: int) -> list[int]:
        return [w for w in self.pows if w // MAX_TEAM == p]

    def on_surface(self, w: int) -> bool:
        return self.pow_at[w] >= 0 and self.under[w] == NOBODY

    def in_play(self, p: int) -> bool:
        """P 2, round: a POW on the board or in a cell."""
        return any(self._lives(w) for w in self.team(p))

    def _lives(self, w: int) -> bool:
        return self.pow_at[w] >= 0 or self.pow_at[w] in (*BLOCKS, ON_THE_WAY)

    def on_board(self) -> list[int]:
        """Guards out of the barracks."""
        return [g for g in self.guards if self.guard_at[g] >= 0]

    def barracks(self) -> list[int]:
        return [g for g in self.guards if self.guard_at[g] == BARRACKS]

    def zone_of(self, w: int) -> int:
        """Of a POW on the surface."""
        return self.board.zone[self.pow_at[w]]

    def is_safe(self, w: int) -> bool:
        return self.board.kind[self.pow_at[w]] == "safe"

    def inside(self, t: int) -> list[int]:
        return [w for w in self.pows if self.under[w] == t]

    def in_block(self, place: int) -> int:
        return sum(self.pow_at[w] == place for w in self.pows)

    def _pow_on(self, c: int) -> int | None:
        """Who stands on circle c."""
        return next((w for w in self.pows if self.pow_at[w] == c and self.under[w] == NOBODY), None)

    def _above(self, but: int | None = None) -> set[int]:
        """Circles of the surface with a pawn on them; `but`: a POW that does not count."""
        pows = {self.pow_at[w] for w in self.pows if w != but and self.on_surface(w)}
        return (pows | self._guard_circles()) - {APPEL}

    def _guard_on(self, c: int) -> bool:
        return c != APPEL and c in self.guard_at

    def _guard_circles(self, but: int | None = None) -> set[int]:
        return {self.guard_at[g] for g in self.on_board() if g != but} - {APPEL}

    def _free(self, c: int) -> bool:
        return c not in self._above()

    def _lowest_of_appel(self, pows: Iterable[int]) -> list[int]:
        """Of several POWs in the Appel the lowest number only (P 3)."""
        pows = list(pows)
        appel = [w for w in pows if self.on_surface(w) and self.pow_at[w] == APPEL]
        return [w for w in pows if w not in appel[1:]]

    # ------------------------------------------------------------ moving a pawn about

    def _place(self, w: int, place: int, under: int = NOBODY) -> None:
        """Everything that putting a POW somewhere brings with it, but for the tunnel he leaves."""
        before = self._escapers()
        self.pow_at[w], self.under[w] = place, under
        if under != NOBODY and len(self.inside(under)) >= 2:
            self.had_two[under] = True
        self._still_returning(w)
        if before and not self._escapers():
            self._guards_come_in()

    def _still_returning(self, w: int) -> None:
        """4.14, P 3: until he leaves the Outer Area."""
        if w in self.returning and not (self.on_surface(w) and self.zone_of(w) == Z_OUTER):
            del self.returning[w]

    def _escapers(self) -> list[int]:
        """5.3, Q37: who is neither caught nor away. S sends guards through a tunnel "to chase escapers" who came up in the Outer Area."""
        zones = (
            [Z_OUTSIDE] if self.rule["guards_outside"] in ("while_outside", "last_outside") else [Z_OUTSIDE, Z_OUTER]
        )
        return [w for w in self.pows if self.on_surface(w) and self.zone_of(w) in zones and w not in self.returning]

    def _guards_come_in(self) -> None:
        """5.3."""
        for g in self.on_board():
            if self.board.zone[self.guard_at[g]] == Z_OUTSIDE:
                self.guard_at[g] = BARRACKS

    def _left_tunnel(self, t: int) -> None:
        """8.3, 8.6, P 3: a POW has left tunnel t."""
        if t == NOBODY:
            return
        if self.tunnel[t] == T_OPEN and self.had_two[t]:
            self._settle_tunnel(t)
        elif self.tunnel[t] == T_LONE:
            self.tunnel[t] = T_DEAD

    def _settle_tunnel(self, t: int) -> None:
        inside = self.inside(t)
        if not inside:
            self.tunnel[t] = T_DEAD
        elif len(inside) == 1 and self.rule["lone_pow"] == "either_end":
            self.tunnel[t] = T_LONE
        elif len(inside) == 1:
            self.tunnel[t] = T_DEAD
            first = self.chains[t][0]
            self._place(inside[0], first if self._free(first) else self._nearest_stop(first))

    def _nearest_stop(self, c: int) -> int:
        return next(s for s in self.board.near(c) if self._free(s) and self.board.may_stop(s))

    # ------------------------------------------------------------ throws and cards (section 3)

    def _roll(self, purpose: int) -> list[int]:
        return [1 + self.luck.below(purpose, self.data["dice"]["sides"]) for _ in range(self.data["dice"]["count"])]

    def _throw(self, purpose: int) -> list[list[int]]:
        """3.1: a double is rolled again and added."""
        rolls = [self._roll(purpose)]
        while len(set(rolls[-1])) == 1 and not (self.rule["reroll_cap"] == "three" and len(rolls) == 3):  # Q2
            rolls.append(self._roll(purpose))
        return rolls

    def _draws(self, rolls: list[list[int]]) -> bool:
        return sum(rolls[-1]) in self.data["dice"]["draws_on"]  # 3.3

    def _movement_throw(self, who: int) -> None:
        """3.2, 3.3."""
        index = GERMAN_TURN if who == self.k else who
        self.luck.rekey(L_THROW, self.round * 8 + index)
        rolls = self._throw(L_THROW)
        self.points = sum(map(sum, rolls))
        self.releases = sum(len(set(roll)) == 1 for roll in rolls)
        if self._draws(rolls):
            self._draw(self.order_deck, self.orders) if who == self.k else self._draw(self.deck, self.hands[who])

    def _remake(self, deck: Deck) -> None:
        """3.7."""
        deck.left = [card for card, n in enumerate(deck.discards) for _ in range(n)]
        deck.discards = [0] * len(deck.discards)
        self.luck.shuffle(deck.purpose, deck.left)

    def _remake_stakes(self) -> None:
        """2.2; 3.7: all of them are back when the deck has run out."""
        self.stakes = [row["throws"] for row in self.data["do_or_die"].values() for _ in range(row["count"])]
        self.luck.shuffle(L_STAKE_CARD, self.stakes)

    def _draw(self, deck: Deck, hand: list[int]) -> None:
        if not deck.left:
            self._remake(deck)
        if deck.left:
            hand[deck.left.pop(0)] += 1
            self.tally["cards_drawn"] += 1

    def _held(self, p: int, does: str) -> list[int]:
        """Kinds of Opportunity card of player p that do this."""
        return [i for i, card in enumerate(self.cards) if card.does == does and self.hands[p][i] > 0]

    def _ordered(self, does: str) -> list[int]:
        """The same for the German's cards."""
        return [i for i, card in enumerate(self.orders_shown) if card.does == does and self.orders[i] > 0]

    def _spend(self, p: int, card: int) -> None:
        self.hands[p][card] -= 1
        self.deck.discards[card] += 1

    def _spend_order(self, card: int) -> None:
        self.orders[card] -= 1
        self.order_deck.discards[card] += 1

    def _take(self, p: int, e: int, n: int = 1) -> None:
        """Equipment from the supply (n < 0: back to it)."""
        self.supply[e] -= n
        self.equipment[p][e] += n

    # ------------------------------------------------------------ the whole game

    def _game(self) -> Decision:
        try:
            yield from self._setup()
            for _ in range(self.data["limit"]["rounds"]):
                yield from self._one_round()
            yield from self._last_stakes()
            self.end_reason = END_LIMIT
        except _GameEnds as ends:
            self.end_reason = ends.how

    def _setup(self) -> Decision:
        """2.4."""
        inner = [c for c in self.black if self.board.zone[c] == Z_COURTYARD]
        outer = [c for c in self.black if self.board.zone[c] == Z_OUTER]
        yield from self._post_some(inner, self.k, self.k)
        yield from self._post_some(outer, self.data["posts"]["outer_min"], self.data["posts"]["outer_max"])
        self.turn_of = self.k

    def _post_some(self, posts: list[int], least: int, most: int) -> Decision:
        for n in range(most):
            free = [c for c in posts if self._free(c)]
            if not free or not self.barracks():
                return
            action = yield STAGE_SETUP, NOBODY, [code(POST, c) for c in free] + ([code(END)] if n >= least else [])
            if action == code(END):
                return
            self.guard_at[self.barracks()[0]] = action % KIND_UNIT

    def _one_round(self) -> Decision:
        self.round += 1
        waiting = list(self.players)
        while any(self.in_play(p) for p in waiting):
            p = yield from self._whose_turn([p for p in waiting if self.in_play(p)])
            waiting.remove(p)
            yield from self._allied_turn(p)
        yield from self._german_turn()

    def _whose_turn(self, waiting: list[int]) -> Decision:
        """2.5, Q1."""
        if self.rule["allied_order"] == "clockwise" or len(waiting) == 1:
            return waiting[0]
        action = yield STAGE_NEXT, waiting[0], [code(NEXT, p) for p in waiting]
        return action % KIND_UNIT

    def _last_stakes(self) -> Decision:
        """Q24 at_limit: one attempt for each player after the last round."""
        if self.rule["stake_when"] != "at_limit":
            return
        for p in self.players:
            if self._stakeable(p):
                self.turn_of = p
                action = code(CONVERT)
                while action // KIND_UNIT == CONVERT:
                    stakes = [code(STAKE, w % MAX_TEAM) for w in self._stakeable(p)]
                    action = yield STAGE_START, p, [code(END), *self._turnable(p), *stakes]
                    if action // KIND_UNIT == CONVERT:
                        self._turn_in(action)
                if action != code(END):
                    self._stake(p, action % KIND_UNIT)

    def _nobody_left(self) -> None:
        """10.1: at once."""
        if not any(self.in_play(p) for p in self.players):
            raise _GameEnds(END_NOBODY)

    # ------------------------------------------------------------ escapes (section 5)

    def _has_escaped(self, w: int, staked: bool = False) -> None:
        p = w // MAX_TEAM
        (self.staked_out if staked else self.escaped)[p] += 1
        self.tally["stake_escapes" if staked else "escapes"] += 1
        first = "first_stake_escape" if staked else "first_escape"
        self.tally[first] = self.tally[first] or self.round
        best = max(a + b for a, b in zip(self.escaped, self.staked_out))
        for n in (1, 2):
            if best >= n:
                self.tally[f"race_{n}"] = self.tally[f"race_{n}"] or self.round
        self._place(w, ESCAPED)
        if self.data["result"]["form"] == "race" and best >= self.data["result"]["target"]:
            raise _GameEnds(END_RACE)
        self._nobody_left()

    def _reached(self, w: int) -> None:
        """5.1: at a target with a Kit."""
        if self.on_surface(w) and self.pow_at[w] in self.board.targets and self.kits[w // MAX_TEAM]:
            self._has_escaped(w)

    def _stakeable(self, p: int) -> list[int]:
        """5.4, P 2: POWs that may be staked."""
        if not self.kits[p] or (not self.stakes and self.rule["stake_deck"] == "used_up"):  # Q45
            return []
        return self._lowest_of_appel(
            w for w in self.team(p) if self.on_surface(w) and self._stake_from(w) and self._stake_way(w) is not None
        )

    def _stake_from(self, w: int) -> bool:
        if self.zone_of(w) == Z_APPEL:
            return self.rule["stake_from_appel"] == "allowed"  # Q11
        return self.zone_of(w) in GREY or (self.zone_of(w) == Z_OUTER and w in self.returning)

    def _stake_way(self, w: int) -> tuple[int, int, int] | None:
        held = self.equipment[w // MAX_TEAM]
        ways = self.board.stake_ways(
            held[ROPE], held[WIRE_CUTTERS], self.data["drop"]["feet_per_rope"], self.data["wire"]["cutters"]
        )
        return ways.get(self.pow_at[w])

    def _stake(self, p: int, i: int) -> None:
        """5.4 a - d."""
        w = p * MAX_TEAM + i
        way = self._stake_way(w)
        assert way is not None
        distance, ropes, cutters = way
        if not self.stakes:
            self._remake_stakes()
        total = sum(sum(map(sum, self._throw(L_STAKE))) for _ in range(self.stakes.pop(0)))
        self._take(p, ROPE, -ropes)
        self._take(p, WIRE_CUTTERS, -cutters)
        self.tally["stake_tries"] += 1
        if total >= distance:
            self._has_escaped(w, staked=True)
        else:
            self._stake_failed(p, w)

    def _stake_failed(self, p: int, w: int) -> None:
        self.tally["stakes_failed"] += 1
        self.out[p] = 1
        self._place(w, DEAD)
        tunnels = {self.under[v] for v in self.team(p)} - {NOBODY}
        for v in self.team(p):
            if self._lives(v):
                self._place(v, OUT)
        for t in sorted(tunnels):
            self._left_tunnel(t)
        for card, n in enumerate(self.hands[p]):
            for _ in range(n):
                self._spend(p, card)
        for e, n in enumerate(self.equipment[p]):
            self._take(p, e, -n)
        self.kit_supply += self.kits[p]
        self.kits[p] = 0
        self._nobody_left()

    # ------------------------------------------------------------ an Allied turn (section 4)

    def _allied_turn(self, p: int) -> Decision:
        self._new_turn()
        self.turn_of = p
        self.points = self.releases = 0
        if self.rule["just_used"] == "last_allied_turn":  # Q20
            self._forget_uses()
        for w in self.returning:
            self.returning[w] = self._way_back(w)
        yield from self._allied_turn_itself(p)
        self._no_longer_returning(p)

    def _allied_turn_itself(self, p: int) -> Decision:
        while (
            self.rule["stake_and_throw"] == "replaces" and self.rule["stake_when"] == "any_turn" and self._stakeable(p)
        ):
            action = yield STAGE_START, p, [code(THROW), *self._turnable(p), *self._stakes_or_discards(p)]
            kind, argument = divmod(action, KIND_UNIT)
            if kind == THROW:
                break
            if kind == STAKE:
                self._stake(p, argument)
                return
            if kind == CONVERT:
                self._turn_in(action)
            else:
                self._spend(p, argument)
        self._movement_throw(p)
        while True:
            action = yield STAGE_TURN, p, self._allied_choices(p)
            kind, argument = divmod(action, KIND_UNIT)
            if kind == END:
                return
            if kind == PICK:
                yield from self._move(p * MAX_TEAM + argument)
                continue
            self.stayed.clear()
            if kind == STAKE:
                self._stake(p, argument)
                return
            yield from self._allied_action(p, kind, argument)

    def _stakes_or_discards(self, p: int) -> list[int]:
        """5.4; 3.4: a stake ends the turn, so a hand over the limit comes down first."""
        over = [action for action in self._hand_choices(self.hands[p]) if action != code(END)]
        return over or [code(STAKE, w % MAX_TEAM) for w in self._stakeable(p)]

    def _forget_uses(self) -> None:
        for pows in self.used.values():
            pows.clear()

    def _way_back(self, w: int) -> float:
        return self.board.steps(self.board.pass_circle).get(self.pow_at[w], math.inf)

    def _no_longer_returning(self, p: int) -> None:
        """4.14: a turn of his player that did not bring him nearer."""
        if self.rule["return_immunity"] == "any":  # Q9
            return
        for w in self.team(p):
            if w in self.returning and self._way_back(w) >= self.returning[w]:
                del self.returning[w]

    # ------------------------------------------------------------ what an Allied player may do (P 3)

    def _allied_choices(self, p: int) -> list[int]:
        legal = list(self._hand_choices(self.hands[p]))
        if self.points > 0:
            legal += [code(PICK, w % MAX_TEAM) for w in self._pickable(p)]
            if self.releases > 0:
                legal += [
                    code(RELEASE, b) for b, place in enumerate(BLOCKS) if self._first_in_block(p, place) is not None
                ]
        legal += [code(EQUIP, w * 64 + v) for w, v in self._pairs(p)]
        legal += [code(KIT, mask) for mask in range(4) if self._kit_with(p, mask)]
        if (
            self.rule["stake_and_throw"] == "after" and self.rule["stake_when"] == "any_turn" and code(END) in legal
        ):  # Q12
            legal += [code(STAKE, w % MAX_TEAM) for w in self._stakeable(p)]
        legal += self._gifts(p)
        legal += self._card_choices(p)
        return legal

    def _hand_choices(self, hand: list[int]) -> Iterator[int]:
        """3.4: both sides."""
        if sum(hand) <= self.data["hand"]["limit"]:
            yield code(END)
        else:
            yield from (code(DISCARD, card) for card, n in enumerate(hand) if n > 0)

    def _pickable(self, p: int) -> list[int]:
        return self._lowest_of_appel(
            w for w in self.team(p) if self.pow_at[w] >= 0 and w not in self.stayed and w not in self.halted
        )

    def _first_in_block(self, p: int, place: int) -> int | None:
        return next((w for w in self.team(p) if self.pow_at[w] == place), None)

    def _symbol_under(self, w: int) -> int:
        """The symbol of the room where a POW stands."""
        if not self.on_surface(w) or self.board.room[self.pow_at[w]] == NOBODY:
            return NO_SYMBOL
        return self.board.symbol[self.board.room[self.pow_at[w]]]

    def _pairs(self, p: int) -> Iterator[tuple[int, int]]:
        """4.11."""
        if self.rule["after_claim"] == "stop" and self.claims > 0:  # Q8
            return
        for w in self.team(p):
            e = self._symbol_under(w)
            if e in range(len(EQUIPMENT)) and self.supply[e] > 0:
                for v in self.pows:
                    his = v // MAX_TEAM == p
                    may = w < v if his else self.rule["equipment_pair"] == "two_allies"  # Q27
                    if may and self._symbol_under(v) == e:
                        yield w, v

    def _half_cards(self) -> list[int]:
        return [i for i, card in enumerate(self.cards) if card.does == "kit_part"]

    def _kit_with(self, p: int, mask: int) -> bool:
        """4.10."""
        halves = [card for bit, card in enumerate(self._half_cards()) if mask >> bit & 1]
        if self.kits[p] or self.kit_supply == 0 or any(self.hands[p][card] == 0 for card in halves):
            return False
        if self.rule["kit_claim"] == "all_or_none" and len(halves) == 1:  # Q26
            return False
        shown = {item for card in halves for item in self.cards[card].items}
        shown |= {SYMBOLS[self._symbol_under(w)] for w in self.team(p) if self._symbol_under(w) != NO_SYMBOL}
        return shown >= set(self.data["kit"]["needs"])

    def _gifts(self, p: int) -> Iterator[int]:
        """3.5, Q3, Q4."""
        if self.gives >= self.data["turn"]["gives"]:
            return
        playing = [q for q in self.players if self.in_play(q)]
        for giver in playing:
            for to in playing:
                exchange = to == p and giver in self.given
                if to != giver and (self.rule["card_gifts"] == "any_allied_turn" or giver == p or exchange):
                    yield from (
                        code(GIVE, (giver * 8 + to) * 32 + card) for card, n in enumerate(self.hands[giver]) if n > 0
                    )
        if self.rule["equipment_gifts"] == "yes" and p in playing:
            for to in playing:
                if to != p:
                    yield from (code(GIVE_EQUIPMENT, to * 8 + e) for e, n in enumerate(self.equipment[p]) if n > 0)

    def _card_choices(self, p: int) -> Iterator[int]:
        """9.6 - 9.13."""
        for q in self.players:
            if self.in_play(q):
                yield from self._turnable(q)
        for i, card in enumerate(self.cards):
            if self.hands[p][i] > 0:
                yield from self._uses_of(p, card)

    def _turnable(self, p: int) -> list[int]:
        """9.7: at any time, even out of turn."""
        kinds = [self.cards[i].equipment for i in self._held(p, "equip")]
        return [code(CONVERT, p * 8 + e) for e in kinds if self.supply[e] > 0]

    def _turn_in(self, action: int) -> None:
        p, e = divmod(action % KIND_UNIT, 8)
        self._spend(p, next(i for i in self._held(p, "equip") if self.cards[i].equipment == e))
        self._take(p, e)

    def _uses_of(self, p: int, card: Card) -> Iterator[int]:
        if card.does == "bribe":
            yield from self._bribes(card.cards)
        elif card.does == "diversion":
            yield from (code(DIVERT, g) for g in self.on_board())
        elif card.does == "inspection":
            yield from self._inspections()
        elif card.does == "sabotage":
            yield code(SABOTAGE)
        elif card.does == "move_fast" and self._room_for_a_pow(card.room):
            fast = self._lowest_of_appel(w for w in self.team(p) if self._may_be_taken_out(w))
            yield from (code(FAST, card.room * 8 + w % MAX_TEAM) for w in fast)
        elif card.does == "release":
            yield from self._releases_by_card(p)
        elif card.does == "staff_car" and self._car_may_go(p):
            yield from (
                code(CAR, w % MAX_TEAM)
                for w in self.team(p)
                if self.on_surface(w) and self.pow_at[w] in self.board.car_circles
            )
        elif card.does == "tunnel" and self.tunnel[card.tunnel] == T_UNUSED and self._can_start(p, card.tunnel):
            yield code(TUNNEL, card.tunnel)

    def _may_be_taken_out(self, w: int) -> bool:
        """Q39."""
        return self.pow_at[w] >= 0 and (self.under[w] == NOBODY or self.rule["leave_tunnel"] == "cards_too")

    def _can_start(self, p: int, t: int) -> bool:
        """9.13, Q38: two POWs of his can be moved into it, each by itself, the first a circle further."""
        if self.rule["tunnel_start"] == "any_two":
            return True
        first = self.chains[t][0]
        last_steps = [(SURFACE, c) for c in self.next_to[first] if self._leads_freely(c, first)]
        ways = []
        for w in self.team(p):
            if self.on_surface(w):
                reach = self._reach(w, (SURFACE, self.pow_at[w]), self.points)
                steps = [len(reach[node]) for node in last_steps if node in reach]
                ways += [min(steps)] if steps else []
        return len(ways) >= 2 and sum(sorted(ways)[:2]) + 1 <= self.points

    def _leads_freely(self, c: int, to: int) -> bool:
        return any(arc.to == to and self._price(arc) is None for arc in self.pow_arcs[c])

    def _bribes(self, n: int) -> Iterator[int]:
        kinds = [e for e, left in enumerate(self.supply) if left > 0]
        if n == 1 or sum(self.supply) == 1:
            yield from (code(BRIBE, n * 64 + e * 8 + NOTHING) for e in kinds)
            return
        for e in kinds:
            yield from (code(BRIBE, n * 64 + e * 8 + f) for f in kinds if e < f or (e == f and self.supply[e] >= 2))

    def _inspections(self) -> Iterator[int]:
        guards = self.on_board()
        if len(guards) == 1:
            yield code(INSPECT, guards[0] * 16 + guards[0])
        yield from (code(INSPECT, g * 16 + h) for g in guards for h in guards if g < h)

    def _room_for_a_pow(self, room: int) -> list[int]:
        taken = self._above()
        return [c for c in self.board.zone if self.board.room[c] == room and self.board.may_stop(c) and c not in taken]

    def _releases_by_card(self, p: int) -> Iterator[int]:
        for b, place in enumerate(BLOCKS):
            if self._first_in_block(p, place) is not None:
                yield code(FREE, b * 2)
                if place == CELL_OUTER and self.rule["released_by_card"] == "nearer":  # Q36
                    yield code(FREE, b * 2 + 1)

    def _car_may_go(self, p: int) -> bool:
        if self.rule["car_pass"] == "yes" and self.equipment[p][PASS] == 0:  # Q30
            return False
        return bool(self.kits[p]) or (self._free(self.board.car_target) and self.rule["target_without_kit"] == "waits")

    # ------------------------------------------------------------ doing it

    def _allied_action(self, p: int, kind: int, argument: int) -> Decision:
        if kind == DISCARD:
            self._spend(p, argument)
        elif kind == EQUIP:
            self._claim(p, *divmod(argument, 64))
        elif kind == KIT:
            self._take_kit(p, argument)
        elif kind == RELEASE:
            self.points -= 1
            self.releases -= 1
            self._let_out(p, argument, nearer=False)
        elif kind == GIVE:
            self._give(argument)
        elif kind == GIVE_EQUIPMENT:
            self.gives += 1
            to, e = divmod(argument, 8)
            self.equipment[p][e] -= 1
            self.equipment[to][e] += 1
        else:
            yield from self._play_card(p, kind, argument)

    def _claim(self, p: int, w: int, v: int) -> None:
        """4.11."""
        self._take(p, self._symbol_under(w))
        self.claims += 1
        self.tally["equipment_taken"] += 1
        for pow_ in (w, v):
            self._place(pow_, APPEL)
            if self.rule["after_claim"] == "stop":  # Q8
                self.halted.add(pow_)

    def _take_kit(self, p: int, mask: int) -> None:
        """4.10, 5.2."""
        for bit, card in enumerate(self._half_cards()):
            if mask >> bit & 1:
                self._spend(p, card)
        self.kits[p] = 1
        self.kit_supply -= 1
        self.tally["kits"] += 1
        for w in self.team(p):
            self._reached(w)

    def _let_out(self, p: int, block: int, nearer: bool) -> None:
        """4.13, 9.10, P 3 Solitary."""
        w = self._first_in_block(p, BLOCKS[block])
        assert w is not None
        door = self.board.cell_door[block]
        back = self.board.steps(self.board.pass_circle)
        circles = [c for c in [door, *self.board.near(door)] if self._free(c) and self.board.may_stop(c)]
        if nearer:
            circles = [c for c in circles if back[c] < back[door]]
        self._place(w, circles[0])
        if BLOCKS[block] == CELL_OUTER and self.zone_of(w) == Z_OUTER:
            step = 0 if self.rule["return_immunity"] == "at_once" else 1  # Q9: "counting as if he moved there"
            self.returning[w] = self._way_back(w) + step

    def _give(self, argument: int) -> None:
        self.gives += 1
        who, card = divmod(argument, 32)
        giver, taker = divmod(who, 8)
        self.hands[giver][card] -= 1
        self.hands[taker][card] += 1
        if giver == self.turn_of:
            self.given.append(taker)
        elif taker == self.turn_of and giver in self.given:
            self.given.remove(giver)

    def _play_card(self, p: int, kind: int, argument: int) -> Decision:
        if kind == BRIBE:
            self._bribe(p, argument)
        elif kind == CONVERT:
            self._turn_in(code(kind, argument))
        elif kind == DIVERT:
            self._divert(p, argument)
        elif kind == INSPECT:
            self._spend(p, self._held(p, "inspection")[0])
            for g in divmod(argument, 16):
                self.guard_at[g] = BARRACKS
        elif kind == SABOTAGE:
            self._spend(p, self._held(p, "sabotage")[0])
            self._sabotage()
        elif kind == FAST:
            yield from self._move_fast(p, *divmod(argument, 8))
        elif kind == FREE:
            self._spend(p, self._held(p, "release")[0])
            self._let_out(p, argument // 2, nearer=argument % 2 == 1)
        elif kind == CAR:
            self._spend(p, self._held(p, "staff_car")[0])
            yield from self._staff_car(p * MAX_TEAM + argument)
        elif kind == TUNNEL:
            self._spend(p, next(i for i in self._held(p, "tunnel") if self.cards[i].tunnel == argument))
            self.tunnel[argument] = T_OPEN
            self.digger[argument] = p

    def _bribe(self, p: int, argument: int) -> None:
        n, choice = divmod(argument, 64)
        self._spend(p, next(i for i in self._held(p, "bribe") if self.cards[i].cards == n))
        for e in divmod(choice, 8):
            if e != NOTHING:
                self._take(p, e)

    def _divert(self, p: int, g: int) -> None:
        self._spend(p, self._held(p, "diversion")[0])
        self.guard_at[g] = BARRACKS

    def _sabotage(self) -> None:
        """9.8."""
        had = sum(self.orders)
        for _ in range(min(2, had)):
            hand = [card for card, n in enumerate(self.orders) for _ in range(n)]
            self._spend_order(hand[self.luck.below(L_SECURITY, len(hand))])
        if had >= 2:
            self._draw(self.order_deck, self.orders)

    def _move_fast(self, p: int, room: int, i: int) -> Decision:
        """9.10."""
        self._spend(p, next(c for c in self._held(p, "move_fast") if self.cards[c].room == room))
        action = yield STAGE_ROOM, p, [code(GO, c) for c in self._room_for_a_pow(room)]
        tunnel = self.under[p * MAX_TEAM + i]
        self._place(p * MAX_TEAM + i, action % KIND_UNIT)
        self._left_tunnel(tunnel)

    def _staff_car(self, w: int) -> Decision:
        """9.11."""
        if self.rule["car_pass"] == "yes":
            self._take(w // MAX_TEAM, PASS, -1)
        total = sum(sum(map(sum, self._throw(L_CAR))) for _ in range(self.data["staff_car"]["throws"]))
        if total < self.data["staff_car"]["distance"]:
            yield from self._to_solitary(self._that_can_be_taken([w]))
        elif self.kits[w // MAX_TEAM]:
            self._has_escaped(w)
        else:
            self._place(w, self.board.car_target)

    # ------------------------------------------------------------ moving a POW (4.2 - 4.9, P 3 GOTO)

    def _move(self, w: int) -> Decision:
        crossed = False  # has come over a paid way and may be where he cannot stop
        while True:
            options = self._options(w)
            may_stay = not crossed or self.board.may_stop(self.pow_at[w])
            action = yield STAGE_GOTO, w // MAX_TEAM, list(options) + ([code(STAY)] if may_stay else [])
            if action == code(STAY):
                self.stayed.add(w)
                return
            self.stayed.clear()
            self.points -= options[action].cost
            yield from self._go(w, action, options[action])
            crossed = action // KIND_UNIT == CROSS
            if not crossed or self.pow_at[w] < 0 or self.points == 0:
                return

    def _go(self, w: int, action: int, option: Option) -> Decision:
        kind, c = divmod(action, KIND_UNIT)
        if option.arc is not None:
            self._pay(w, self._price(option.arc))
            self.opened.add(option.arc.way)
        if kind == FORCE:
            yield from self._force(w, c, option)
            return
        tunnel = self._leaves(w, option)
        self._place(w, c, self.tunnel_of(c) if kind == UNDER else NOBODY)
        self._left_tunnel(tunnel)
        self._reached(w)

    def tunnel_of(self, c: int) -> int:
        return next(t for t, chain in enumerate(self.chains) if c in chain)

    def _leaves(self, w: int, option: Option) -> int:
        """The tunnel this way leads out of, even when he was above before; by the far end it is a break-out (8.4)."""
        below = [c for level, c in option.path if level == BELOW]
        if not below or option.path[-1][0] == BELOW:
            return NOBODY
        t = self.tunnel_of(below[-1])
        if below[-1] == self.chains[t][-1]:
            self.broken_out[t] = True
        return t

    def _force(self, w: int, c: int, option: Option) -> Decision:
        """4.12."""
        self.tally["forced"] += 1
        self.guard_at[next(g for g in self.on_board() if self.guard_at[g] == c)] = BARRACKS
        self._leaves(w, option)
        yield from self._to_solitary([w])

    def _pay(self, w: int, price: tuple[int, int]) -> None:
        e, n = price
        self._take(w // MAX_TEAM, e, -n)
        if e in self.used:
            self.used[e].add(w)  # Q20

    def _price(self, arc: Arc) -> tuple[int, int] | None:
        """4.4 - 4.7: (Equipment, how many), or nothing."""
        if arc.kind == A_WALK or arc.free or arc.way in self.opened:
            return None
        if arc.kind == A_WIRE:
            return WIRE_CUTTERS, self.data["wire"]["cutters"]
        if arc.kind in (A_KEY, A_PASS):
            return (KEY if arc.kind == A_KEY else PASS), 1
        return ROPE, -(-arc.feet // self.data["drop"]["feet_per_rope"])

    def _steps_from(self, p: int, node: Node) -> Iterator[tuple[Node, Arc | None]]:
        level, c = node
        if level == BELOW:
            chain = self.chains[self.tunnel_of(c)]
            at = chain.index(c)
            yield from (((BELOW, chain[i]), None) for i in (at - 1, at + 1) if 0 <= i < len(chain))
            if 0 < at < len(chain) - 1:
                return
        for arc in self.pow_arcs[c]:
            yield (SURFACE, arc.to), arc
            for t in self.under_circle.get(arc.to, ()):
                if self._is_open_to(p, t):
                    yield (BELOW, arc.to), arc

    def _is_open_to(self, p: int, t: int) -> bool:
        """8.1, 8.2: "as long as there are at least two POWs in the tunnel, other POWs may join them" (Q38), and until it is detected (Q40)."""
        if self.tunnel[t] != T_OPEN or (self.enacted[t] and self.rule["detect_closes"] == "when_played"):
            return False
        return self.rule["tunnel_start"] == "any_two" or self.digger[t] == p or len(self.inside(t)) >= 2

    def _may_enter(self, p: int, node: Node) -> bool:
        """Q10."""
        level, c = node
        return (
            level == BELOW
            or c not in self.board.targets
            or bool(self.kits[p])
            or self.rule["target_without_kit"] == "waits"
        )

    def _taken_nodes(self, w: int) -> set[Node]:
        above = {(SURFACE, c) for c in self._above(but=w)}
        return above | {(BELOW, self.pow_at[v]) for v in self.pows if v != w and self.under[v] != NOBODY}

    def _reach(self, w: int, start: Node, points: int) -> dict[Node, list[Node]]:
        """Shortest ways over free places and open or free ways: node -> the way there, start included."""
        p = w // MAX_TEAM
        taken = self._taken_nodes(w)
        ways = {start: [start]}
        queue = deque([start])
        while queue:
            node = queue.popleft()
            if len(ways[node]) > points or self._ends_way(p, node):
                continue
            for there, arc in self._steps_from(p, node):
                if (
                    there in ways
                    or there in taken
                    or (arc is not None and self._price(arc))
                    or not self._may_enter(p, there)
                ):
                    continue
                ways[there] = [*ways[node], there]
                queue.append(there)
        return ways

    def _ends_way(self, p: int, node: Node) -> bool:
        return bool(self.kits[p]) and node[0] == SURFACE and node[1] in self.board.targets

    def _options(self, w: int) -> dict[int, Option]:
        p = w // MAX_TEAM
        start = (SURFACE if self.under[w] == NOBODY else BELOW, self.pow_at[w])
        ways = self._reach(w, start, self.points)
        options: dict[int, Option] = {}
        guards = self._guard_circles()
        for node, way in ways.items():
            if node != start and self._is_stop(node):
                options[code(GO if node[0] == SURFACE else UNDER, node[1])] = Option(len(way) - 1, way)
        for node, way in ways.items():
            if len(way) <= self.points and not self._ends_way(p, node):
                for there, arc in self._steps_from(p, node):
                    if arc is None or there[0] != SURFACE or there == start or not self._may_enter(p, there):
                        continue
                    if arc.to in guards or self._price(arc):  # else he goes on, as above
                        self._last_step(w, [*way, there], arc, options)
        return options

    def _is_stop(self, node: Node) -> bool:
        return node[0] == BELOW or self.board.may_stop(node[1])

    def _last_step(self, w: int, way: list[Node], arc: Arc, options: dict[int, Option]) -> None:
        """FORCE and CROSS; ways come shortest first. A FORCE that costs no card goes before one that does (Q43)."""
        price, c = self._price(arc), arc.to
        known = options.get(code(FORCE, c))
        if price is None:
            if self._guard_on(c) and (known is None or known.arc) and not self._nobody_can_be_taken():
                options[code(FORCE, c)] = Option(len(way) - 1, way)
        elif self._guard_on(c):
            can_pay = self.rule["force_pays"] == "yes" and self.equipment[w // MAX_TEAM][price[0]] >= price[1]
            if can_pay and known is None and not self._nobody_can_be_taken():
                options[code(FORCE, c)] = Option(len(way) - 1, way, arc)
        elif (
            code(CROSS, c) not in options
            and self.equipment[w // MAX_TEAM][price[0]] >= price[1]
            and c not in self._above(but=w)
        ):
            if self.board.may_stop(c) or self._can_go_on(w, way[-1], self.points - len(way) + 1, arc):
                options[code(CROSS, c)] = Option(len(way) - 1, way, arc)

    def _can_go_on(self, w: int, start: Node, points: int, arc: Arc) -> bool:
        self.opened.add(arc.way)
        ways = self._reach(w, start, points)
        self.opened.discard(arc.way)
        return any(node != start and self._is_stop(node) for node in ways)

    def _nobody_can_be_taken(self) -> bool:
        """Q16 no_arrest."""
        return not self._that_can_be_taken([NOBODY])

    # ------------------------------------------------------------ Solitary (7.2 - 7.4, P 3)

    def _blocks_with_room(self) -> list[int]:
        sizes = [self.data["cells"]["inner"], self.data["cells"]["outer"]]
        return [b for b, place in enumerate(BLOCKS) if self.in_block(place) < sizes[b]]

    def _that_can_be_taken(self, pows: list[int]) -> list[int]:
        """Q16 no_arrest: as many as the cells hold; the others stay where they are."""
        if self.rule["full_cells"] == "unlimited":
            return pows
        free = (
            self.data["cells"]["inner"] + self.data["cells"]["outer"] - sum(self.pow_at[w] in BLOCKS for w in self.pows)
        )
        return pows[: max(0, free)]

    def _to_solitary(self, pows: list[int]) -> Decision:
        """Of POWs who can be taken."""
        tunnels = {self.under[w] for w in pows} - {NOBODY}
        for w in pows:
            self._place(w, ON_THE_WAY)
        for t in sorted(tunnels):
            self._left_tunnel(t)
        for p in self.players:
            yield from self._lose(p)
        for w in pows:
            blocks = self._blocks_with_room() or [0]
            if len(blocks) == 1:
                block = blocks[0]
            else:
                action = yield STAGE_CELL, NOBODY, [code(CELL, b) for b in blocks]
                block = action % KIND_UNIT
            self._place(w, BLOCKS[block])

    def _lose(self, p: int) -> Decision:
        """7.3, 9.9."""
        while self.to_lose[p] > 0:
            kinds = [e for e, n in enumerate(self.equipment[p]) if n > 0]
            hideaway = self._held(p, "hideaway")
            if not kinds:
                self.to_lose[p] = 0
                return
            e = kinds[0]
            if len(kinds) > 1 or hideaway or self._turnable(p):
                legal = [code(LOSE, e) for e in kinds] + ([code(LOSE, NOTHING)] if hideaway else [])
                action = yield STAGE_LOSE, p, [*legal, *self._turnable(p)]
                if action // KIND_UNIT == CONVERT:
                    self._turn_in(action)
                    continue
                e = action % KIND_UNIT
            self.to_lose[p] -= 1
            if e == NOTHING:
                self._spend(p, hideaway[0])
            else:
                self._take(p, e, -1)

    # ------------------------------------------------------------ the German's turn (section 6)

    def _german_turn(self) -> Decision:
        self._new_turn()
        self.turn_of = self.k
        self.points = self.releases = 0
        if self.rule["no_posting_after"] == "turn":  # Q13
            self.no_posting = False
        self.guard_drops = {way for way in self.opened if way[0] == "drop"}  # 4.7, 6.7
        self.opened = set()
        self._tunnels_at_german_turn()
        while self.rule["appel_when"] == "before_throw" and self._ordered("appel"):  # Q19
            action = yield STAGE_START, NOBODY, [code(THROW), code(APPEL_CARD)]
            if action == code(THROW):
                break
            yield from self._appel()
        self._movement_throw(self.k)
        while True:
            action = yield STAGE_TURN, NOBODY, list(self._german_choices())
            kind, argument = divmod(action, KIND_UNIT)
            if kind == END:
                break
            if kind == PICK:
                yield from self._move_guard(argument)
            else:
                self.stayed.clear()
                yield from self._german_action(kind, argument)
        self.guard_drops = set()
        self._forget_uses()
        if self.rule["guards_outside"].startswith("while_") and not self._escapers():  # Q37
            self._guards_come_in()
        if self.rule["detect_lasts"] == "turn":  # Q41
            self.carded = [False] * len(TUNNEL_NAMES)

    def _tunnels_at_german_turn(self) -> None:
        """8.1, 8.3, 8.4, 8.6."""
        for t in range(len(TUNNEL_NAMES)):
            if self.tunnel[t] == T_OPEN:
                self._settle_tunnel(t)
            if self.broken_out[t]:
                self.detected[t] = True
            self.broken_out[t] = False

    def _german_choices(self) -> Iterator[int]:
        yield from self._hand_choices(self.orders)
        if self.points > 0:
            yield from (code(PICK, g) for g in self.on_board() if self._may_pick(g))
            alone = self.chaser if self.rule["chase_alone"] == "teleports_too" else NOBODY  # Q46
            if self.barracks() and not self.no_posting and alone == NOBODY:
                yield from (code(POST, c) for c in self.black - self._above())
            recallable = [g for g in self.on_board() if self.guard_at[g] in self.black and self._may_recall(g)]
            yield from (code(RECALL, g) for g in recallable if alone in (NOBODY, g))
        if self.rule["appel_when"] == "any_time" and self._ordered("appel"):
            yield code(APPEL_CARD)
        for i, card in enumerate(self.orders_shown):
            if self.orders[i] > 0:
                yield from self._uses_of_order(card)

    def _may_pick(self, g: int) -> bool:
        if g in self.stayed or self.chaser not in (NOBODY, g):
            return False
        return self.rule["post_and_arrest"] == "yes" or g not in self.posted  # Q31

    def _may_recall(self, g: int) -> bool:
        outer = [h for h in self.on_board() if self.board.zone[self.guard_at[h]] == Z_OUTER]
        return self.rule["outer_minimum"] == "setup_only" or g not in outer or len(outer) > 2  # Q32

    def _uses_of_order(self, card: Card) -> Iterator[int]:
        if card.does == "search":
            if any(self._in_room(w, card.room) for w in self.pows):
                yield from (
                    code(SEARCH, card.room * 16 + g)
                    for g in self.on_board()
                    if self._search_cost(g, card.room) <= self.points
                )
        elif card.does == "holder":
            yield from (
                code(HOLDER, w * 2 + (card.equipment == PASS))
                for w in sorted(self.used[card.equipment])
                if self.on_surface(w)
            )
        elif card.does == "shoot":
            outside = [w for w in self.pows if self.on_surface(w) and self.zone_of(w) == Z_OUTSIDE]
            yield from (code(SHOOT, g * 64 + w) for g in self.on_board() for w in outside if self._sees(g, w))
        elif card.does == "detect":
            yield from (code(DETECT, t) for t in range(len(TUNNEL_NAMES)) if self.inside(t))

    def _distance(self, ruling: str, g: int, w: int) -> float:
        """From guard to POW on the surface: Q19, Q21."""
        if self.rule[ruling] == "straight":
            return self.board.straight(self.guard_at[g], self.pow_at[w])
        return self.board.steps(self.guard_at[g]).get(self.pow_at[w], math.inf)

    def _sees(self, g: int, w: int) -> bool:
        """9.4: "there must not be a wall (needing rope) between". Straight: over open ground and wire, as far as the next gate (Q21)."""
        if self.rule["shot_distance"] == "steps":
            return self._distance("shot_distance", g, w) < math.inf
        ground = {self.pow_at[w]}
        queue = deque(ground)
        while queue:
            c = queue.popleft()
            if {"key", "pass"} & set(self.board.marks[c]):
                continue
            new = {arc.to for arc in self.board.arcs[c] if arc.kind not in (A_DOWN, A_UP)} - ground
            ground |= new
            queue.extend(new)
        return self.guard_at[g] in ground

    def _german_action(self, kind: int, argument: int) -> Decision:
        if kind == DISCARD:
            self._spend_order(argument)
        elif kind == POST:
            yield from self._post(argument)
        elif kind == RECALL:
            self.points -= 1
            self.guard_at[argument] = BARRACKS
            self.no_posting = True  # 6.4
            self._teleports(argument)
        elif kind == APPEL_CARD:
            yield from self._appel()
        elif kind == SEARCH:
            yield from self._search(*divmod(argument, 16))
        elif kind == HOLDER:
            yield from self._arrest_holder(argument // 2, PASS if argument % 2 else KEY)
        elif kind == SHOOT:
            yield from self._shoot(*divmod(argument, 64))
        elif kind == DETECT:
            self._spend_order(self._ordered("detect")[0])
            self.carded[argument] = self.enacted[argument] = True
            yield from self._look_at_tunnels()

    def _post(self, c: int) -> Decision:
        """6.3."""
        self.points -= 1
        g = self.barracks()[0]
        self.guard_at[g] = c
        self.posted.add(g)
        self._teleports(g)
        yield from self._look_at_tunnels()

    def _teleports(self, g: int) -> None:
        if self.rule["chase_alone"] == "teleports_too":  # Q46
            self.movers.add(g)

    def _captured(self, how: str) -> None:
        """6.4, Q44: "once an arrest has been made"."""
        if how == "holder" or self.rule["posting_stops"] == "captures":
            self.no_posting = True

    def _may_be_dug(self, t: int) -> bool:
        """8.4, 8.5: guards enter it "by any circle", and move "anywhere onto the tunnel", once they may look for it."""
        return self.tunnel[t] == T_TAKEN or self.detected[t] or (self.carded[t] and self.tunnel[t] != T_DEAD)

    def _look_at_tunnels(self) -> Decision:
        """8.4, 8.5, P 3 Tunnels."""
        for t, chain in enumerate(self.chains):
            guards = [g for g in self.on_board() if self.guard_at[g] in chain]
            pows = self.inside(t)
            if len(guards) < 2 or self.tunnel[t] == T_TAKEN:
                continue
            if self.detected[t]:
                self.tunnel[t] = T_TAKEN
                yield from self._dig_out(pows)
            elif self.carded[t] and pows:
                stay = self.rule["detection"] == "one_rule"  # Q18
                self.tunnel[t] = T_TAKEN if stay else T_DEAD
                if not stay:
                    for g in guards[:2]:
                        self.guard_at[g] = BARRACKS
                yield from self._dig_out(pows)

    def _dig_out(self, pows: list[int]) -> Decision:
        pows = self._that_can_be_taken(pows)
        self.tally["tunnellers"] += len(pows)
        yield from self._to_solitary(pows)

    # ------------------------------------------------------------ moving a guard (6.2 - 6.8, 7.1)

    def _move_guard(self, g: int) -> Decision:
        options = self._guard_options(g)
        action = yield STAGE_GOTO, NOBODY, [*options, code(STAY)]
        if action == code(STAY):
            self.stayed.add(g)
            return
        self.stayed.clear()
        kind, c = divmod(action, KIND_UNIT)
        if self._needs_chase(g, action, options[action]):
            self.chaser = g
        self.points -= options[action]
        self.movers.add(g)
        if kind == GO:
            self.guard_at[g] = c
            yield from self._look_at_tunnels()
        else:
            yield from self._arrest(g, c)

    def _may_chase(self, g: int) -> bool:
        """6.5, P 3."""
        loose = any(
            self.on_surface(w) and self.zone_of(w) in (Z_OUTER, Z_OUTSIDE) and w not in self.returning
            for w in self.pows
        )
        return loose and self.movers <= {g}

    def _needs_chase(self, g: int, action: int, cost: int) -> bool:
        """6.5: he enters a room, at the end or on the way, unless a way as short keeps out of rooms; or he stops where he blocks."""
        kind, c = divmod(action, KIND_UNIT)
        without = self._guard_options_by(g, [self.board.room[self.guard_at[g]]], chase=True)
        return without.get(action) != cost or (kind == GO and self._blocks(g, c))

    def _guard_arcs(self, c: int, tunnels: bool = True) -> Iterator[int]:
        """6.2, 6.6, 6.7, 8.4; Q29: up the ropes of the POWs too."""
        ropes = (A_DOWN, A_UP) if self.rule["guard_ropes"] == "both" else (A_DOWN,)
        for arc in self.board.arcs[c]:
            if arc.kind in LEVEL_ARCS or (arc.kind in ropes and arc.way in self.guard_drops):
                yield arc.to
        for t, chain in enumerate(self.chains if tunnels else ()):
            if self._may_be_dug(t) and c in chain:
                at = chain.index(c)
                yield from (chain[i] for i in (at - 1, at + 1) if 0 <= i < len(chain))

    def _guard_may_enter(self, c: int, rooms: Iterable[int]) -> bool:
        return self.board.kind[c] != "safe" and (self.board.room[c] == NOBODY or self.board.room[c] in rooms)

    def _guard_reach(self, g: int, rooms: Iterable[int], tunnels: bool = True) -> dict[int, int]:
        """Steps to every free place he can come to."""
        start, taken = self.guard_at[g], self._above()
        distance = {start: 0}
        queue = deque([start])
        while queue:
            c = queue.popleft()
            if distance[c] == self.points:
                continue
            for there in self._guard_arcs(c, tunnels):
                if there not in distance and there not in taken and self._guard_may_enter(there, rooms):
                    distance[there] = distance[c] + 1
                    queue.append(there)
        return distance

    def _guard_options(self, g: int) -> dict[int, int]:
        """Action -> cost."""
        chase = self._may_chase(g)
        return self._guard_options_by(
            g, range(len(self.board.room_names)) if chase else [self.board.room[self.guard_at[g]]], chase
        )

    def _guard_options_by(self, g: int, rooms: Iterable[int], chase: bool) -> dict[int, int]:
        reach = self._guard_reach(g, rooms)
        options = {code(GO, c): d for c, d in reach.items() if d > 0 and self._guard_may_stop(g, c, chase)}
        for c, d in reach.items():
            if d < self.points:
                for there in self._guard_arcs(c):
                    if self._guard_may_enter(there, rooms) and self._may_arrest_at(there):
                        options.setdefault(code(ARREST, there), d + 1)
        return options

    def _guard_may_stop(self, g: int, c: int, chase: bool) -> bool:
        if c == APPEL:
            return self.rule["guards_in_appel"] == "free"  # Q15
        return chase or not self._blocks(g, c)

    def _may_arrest_at(self, c: int) -> bool:
        """7.1."""
        w = None if c == APPEL else self._pow_on(c)
        if w is None or self.is_safe(w) or self._nobody_can_be_taken():
            return False
        if self.zone_of(w) in GREY:
            return self._has_equipment(w)
        return w not in self.returning

    def _has_equipment(self, w: int) -> bool:
        return sum(self.equipment[w // MAX_TEAM]) > 0

    def _arrest(self, g: int, c: int) -> Decision:
        """7.1 - 7.3."""
        w = self._pow_on(c)
        assert w is not None
        self.tally["arrested"] += 1
        self.guard_at[g] = BARRACKS
        self.no_posting = True
        if self.zone_of(w) not in GREY:
            self.to_lose[w // MAX_TEAM] = 1
        yield from self._to_solitary([w])

    # ------------------------------------------------------------ blocking (6.5, Q14)

    def _blocks(self, g: int, c: int) -> bool:
        if c == APPEL or self.board.zone[c] not in GREY:
            return False
        if self.rule["guards_block"] == "corridors":
            return c in self.board.door_ends or len(self._parts(c, set())) > 1
        parts = self._parts(c, self._guard_circles(but=g))
        pows = {self.pow_at[w] for w in self.pows if self.on_surface(w)}
        return any(self._cuts_off(part, other) for part in parts if part & pows for other in parts if other is not part)

    def _cuts_off(self, part: set[int], other: set[int]) -> bool:
        rooms, others = ({self.board.room[c] for c in some} - {NOBODY} for some in (part, other))
        return (APPEL in other and APPEL not in part) or not others <= rooms

    def _parts(self, c: int, walls: set[int]) -> list[set[int]]:
        """What is left of c's piece of the grey zone without c."""
        starts = self.board.grey[c] - walls
        parts: list[set[int]] = []
        for start in starts:
            if not any(start in part for part in parts):
                parts.append(self._flood(start, walls | {c}, starts))
        return parts

    def _flood(self, start: int, walls: set[int], starts: set[int]) -> set[int]:
        """The part with `start` in it; it need not be finished when there is no other."""
        part = edge = {start}
        while edge and not starts <= part:
            edge = set().union(*(self.board.grey[c] for c in edge)) - walls - part
            part = part | edge
        return part

    # ------------------------------------------------------------ Search, Key and Pass Holder, Shoot to Kill (9.2 - 9.4)

    def _in_room(self, w: int, room: int) -> bool:
        return self.on_surface(w) and self.board.room[self.pow_at[w]] == room

    def _search_cost(self, g: int, room: int) -> float:
        """9.2, "by any door": through other rooms too. P 3: no tunnel chains; circles of the room may hold POWs; its safe ones do not count."""
        if self.board.room[self.guard_at[g]] == room:
            return 0
        pows = {self.pow_at[w] for w in self.pows if self.on_surface(w)}
        free = pows - self._guard_circles()
        distance = self._guard_reach(g, range(len(self.board.room_names)), tunnels=False)
        best = math.inf
        for c, d in distance.items():
            for there in self._guard_arcs(c, tunnels=False):
                if (
                    self.board.room[there] == room
                    and self._guard_may_enter(there, [room])
                    and (there in free or self._free(there))
                ):
                    best = min(best, d + 1)
        return best

    def _threatened(self, room: int, p: int) -> list[int]:
        takes_all = self.rule["search_safe"] == "taken"  # Q42
        return [
            w
            for w in self.team(p)
            if self._in_room(w, room) and (takes_all or not self.is_safe(w)) and self._has_equipment(w)
        ]

    def _search(self, room: int, g: int) -> Decision:
        """9.2."""
        self._spend_order(next(i for i in self._ordered("search") if self.orders_shown[i].room == room))
        self.points -= int(self._search_cost(g, room))
        for p in self.players:
            if self._threatened(room, p) and self._held(p, "advance_warning"):
                yield from self._answer_search(p, room)
        if self.guard_at[g] == BARRACKS:
            return
        self.guard_at[g] = BARRACKS
        taken = self._that_can_be_taken([w for p in self.players for w in self._threatened(room, p)])
        for w in taken:
            self.to_lose[w // MAX_TEAM] += 1
        if taken:
            self._captured("search")
        self.tally["searched"] += len(taken)
        yield from self._to_solitary(taken)

    def _answer_search(self, p: int, room: int) -> Decision:
        warned = False
        while True:
            legal = [code(END), *self._turnable(p)]
            legal += [*self._hiding(p, self._threatened(room, p)), *self._diversions(p)] if warned else [code(WARN)]
            if len(legal) == 1:
                return
            action = yield STAGE_ANSWER, p, legal
            if action == code(END):
                return
            if action == code(WARN):
                warned = True
                self._spend(p, self._held(p, "advance_warning")[0])
            else:
                self._answer_by(p, action)

    def _arrest_holder(self, w: int, e: int) -> Decision:
        """9.3: the Key or Pass he used is in the supply already; Hideaway brings it back."""
        p = w // MAX_TEAM
        self._spend_order(next(i for i in self._ordered("holder") if self.orders_shown[i].equipment == e))
        taken = self._that_can_be_taken([w])
        if taken:
            self._captured("holder")
        self.tally["holders"] += len(taken)
        yield from self._to_solitary(taken)
        if self._held(p, "hideaway") and self.supply[e] > 0:
            action = yield STAGE_SAVE, p, [code(SAVE, 0), code(SAVE, 1)]
            if action == code(SAVE, 1):
                self._spend(p, self._held(p, "hideaway")[0])
                self._take(p, e)

    def _range_throw(self) -> list[list[int]]:
        rolls = self._throw(L_RANGE)
        if self.rule["range_throws_draw"] == "yes" and self._draws(rolls):  # Q5
            self._draw(self.order_deck, self.orders)
        return rolls

    def _shoot(self, g: int, w: int) -> Decision:
        """9.4, 9.12."""
        p = w // MAX_TEAM
        self._spend_order(self._ordered("shoot")[0])
        distance = self._distance("shot_distance", g, w)
        self.guard_at[g] = BARRACKS
        rolls = self._range_throw()
        reach = sum(map(sum, rolls)) + sum(rolls[0])
        if reach >= distance and self._held(p, "talisman"):
            action = yield STAGE_SAVE, p, [code(SAVE, 0), code(SAVE, 1)]
            if action == code(SAVE, 1):
                self._spend(p, self._held(p, "talisman")[0])
                reach -= sum(rolls[0])
        if reach >= distance:
            self.tally["shot"] += 1
            self._place(w, DEAD)
            self._nobody_left()

    # ------------------------------------------------------------ Appel (9.1)

    def _appel(self) -> Decision:
        self._spend_order(self._ordered("appel")[0])
        for p in self.players:
            yield from self._answer_appel(p)
        r = sum(map(sum, self._range_throw()))
        while True:
            pairs = [
                (g, w)
                for g in self.on_board()
                for w in self.pows
                if self._is_missing(w) and self._distance("appel_range", g, w) <= r
            ]
            if not pairs or self._nobody_can_be_taken():  # Q16
                return
            action = yield STAGE_MATCH, NOBODY, list(self._matches(pairs))
            g, w = divmod(action % KIND_UNIT, 64)
            yield from self._match(g, [v for h, v in pairs if h == g and w in (v, EVERYBODY)])

    def _matches(self, pairs: list[tuple[int, int]]) -> set[int]:
        if self.rule["appel_match"] == "guard_takes_all":
            return {code(MATCH, g * 64 + EVERYBODY) for g, _ in pairs}
        return {code(MATCH, g * 64 + w) for g, w in pairs}

    def _match(self, g: int, pows: list[int]) -> Decision:
        self.guard_at[g] = BARRACKS
        self._captured("appel")
        pows = self._that_can_be_taken(pows)
        self.tally["taken_by_appel"] += len(pows)
        yield from self._to_solitary(pows)

    def _is_missing(self, w: int) -> bool:
        return self.on_surface(w) and self.zone_of(w) not in (Z_APPEL, Z_OUTSIDE) and not self.is_safe(w)

    def _absent(self, p: int) -> list[int]:
        return [w for w in self.team(p) if self._may_be_taken_out(w) and self.pow_at[w] != APPEL]

    def _answer_appel(self, p: int) -> Decision:
        warned = False
        while self._absent(p):
            legal = [code(END), *self._comings(p), *self._turnable(p)]
            missing = [w for w in self.team(p) if self._is_missing(w)]
            if warned:
                legal += [*self._hiding(p, missing), *self._diversions(p)]
            elif missing and self._held(p, "advance_warning"):
                legal.append(code(WARN))
            action = yield STAGE_ANSWER, p, legal
            if action == code(END):
                return
            if action == code(WARN):
                warned = True
                self._spend(p, self._held(p, "advance_warning")[0])
            else:
                self._answer_by(p, action)

    def _comings(self, p: int) -> list[int]:
        if self.rule["appel_choice"] == "whole_team":  # Q19
            return [code(COME, EVERYBODY)] if self._absent(p) else []
        return [code(COME, w % MAX_TEAM) for w in self._absent(p)]

    def _come(self, p: int, i: int) -> None:
        tunnels = set()
        for w in self._absent(p):
            if i in (w % MAX_TEAM, EVERYBODY):
                tunnels.add(self.under[w])
                self._place(w, APPEL)
        for t in sorted(tunnels):
            self._left_tunnel(t)

    # ------------------------------------------------------------ Advance Warning (9.6, P 3)

    def _diversions(self, p: int) -> list[int]:
        return [code(DIVERT, g) for g in self.on_board()] if self._held(p, "diversion") else []

    def _hiding(self, p: int, pows: list[int]) -> list[int]:
        return [code(HIDE, (w % MAX_TEAM) * 2048 + c) for w in pows for c in self._hideouts(w)]

    def _answer_by(self, p: int, action: int) -> None:
        kind, argument = divmod(action, KIND_UNIT)
        if kind == COME:
            self._come(p, argument)
        elif kind == DIVERT:
            self._divert(p, argument)
        elif kind == CONVERT:
            self._turn_in(action)
        else:
            self._hide(p, argument)

    def _hide(self, p: int, argument: int) -> None:
        i, c = divmod(argument, 2048)
        w = p * MAX_TEAM + i
        price = self._hideouts(w)[c]
        if price is not None:
            self._pay(w, price)
        self._place(w, c)

    def _hideouts(self, w: int) -> dict[int, tuple[int, int] | None]:
        """Free safe circles he can reach, and what the way costs: the first of none, Wire Cutters, Pass, Key, one Rope, two Ropes."""
        hideouts: dict[int, tuple[int, int] | None] = {}
        for price in (None, (WIRE_CUTTERS, 1), (PASS, 1), (KEY, 1), (ROPE, 1), (ROPE, 2)):
            if price is None or self.equipment[w // MAX_TEAM][price[0]] >= price[1]:
                for c in self._safe_with(w, price):
                    hideouts.setdefault(c, price)
        return hideouts

    def _safe_with(self, w: int, price: tuple[int, int] | None) -> list[int]:
        """Any number of steps; guards block, POWs do not; at most one way at this price."""
        walls = self._guard_circles()
        start = (self.pow_at[w], False)
        seen = {start}
        queue = deque([start])
        while queue:
            c, paid = queue.popleft()
            for arc in self.pow_arcs[c]:
                cost = self._price(arc)
                if (
                    arc.to in walls
                    or (cost is not None and (paid or cost != price))
                    or not self._may_enter(w // MAX_TEAM, (SURFACE, arc.to))
                ):
                    continue
                there = (arc.to, paid or cost is not None)
                if there not in seen:
                    seen.add(there)
                    queue.append(there)
        return sorted({c for c, _ in seen if self.board.kind[c] == "safe" and self._free(c)})
