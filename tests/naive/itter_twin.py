"""The naive twin of the Castle Itter engine: slow, obvious, plain objects, written only from RULES.md and PROTOCOL.md.

The whole game is one generator. It yields (stage, legal action codes) whenever somebody has to decide and is sent the
chosen code. Section numbers (2.4, 4.3 ...) and rulings (R-06 ...) are those of RULES.md; "P 3" is section 3 of PROTOCOL.md.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.naive.luck import Luck

# ---------------------------------------------------------------- action kinds and stages (P 1, P 2)

KIND_UNIT = 65536
PASS, ACTIVATE, PLACE, SHIFT, ATTACK, ATTACK_WEAPON, SUPPRESS, SUPPRESS_WEAPON, MOVE, RECOVER = range(1, 11)
COMMAND, LOAD, ESCAPE, BLANK, GIVE, DONE, SPEND, SACRIFICE, FIRE, LAY, LAY_TACTICS = range(11, 22)

STAGE_OVER, STAGE_ORDERS, STAGE_PLACE, STAGE_ACT, STAGE_COMMAND, STAGE_SPEND, STAGE_SACRIFICE, STAGE_FIRE = range(8)
STAGE_PLAN, STAGE_PLAN_TACTICS = 8, 9

DEFENDER_SEAT, SS_SEAT, NOBODY = 0, 1, -3

END_BREACH, END_DECK, END_RELIEVED = 1, 2, 3

Decision = Generator[tuple[int, list[int]], int, Any]


def code(kind: int, argument: int = 0) -> int:
    return kind * KIND_UNIT + argument


# ---------------------------------------------------------------- luck (P 5)

SETUP, SS_DECK, TACTICS, DEFENDER, SS, SUPPRESSION, REGIMENT, POLICY = range(8)


# ---------------------------------------------------------------- things on the table


@dataclass(eq=False)
class Location:
    index: int
    id: str
    track: list[int]
    escape_from: bool
    destructible: bool
    move_out_to: list[str]
    is_cellar: bool
    step: int = 0  # place on the Defence track
    hit_at_last: bool = False  # R-37 disrupt_first: the hit that only disrupts has happened
    destroyed: bool = False

    @property
    def defence(self) -> int:
        if self.is_cellar or self.destroyed:
            return 0
        return self.track[self.step]

    @property
    def at_last_value(self) -> bool:
        return self.step + 1 >= len(self.track) or self.track[self.step + 1] == 0


@dataclass(eq=False)
class Position:
    index: int
    id: str
    location: Location
    colours: list[str]
    crew: bool
    weapon_attack: int | None
    weapon_suppress: int | None
    needs_load: bool
    keeps_load: bool
    loads: bool


@dataclass(eq=False)
class Defender:
    index: int
    id: str
    nation: str
    attack: int
    suppress: int
    attributes: frozenset[str]
    starter: bool  # one of the 20 that start in the reserve
    reinforcement: bool
    where: str = "reserve"  # reserve, aside, board, killed, escaped
    position: Position | None = None  # when on the board
    turn_start: Position | None = None  # where it stood when the turn began (2.8a)
    exhausted: bool = False
    disrupted: bool = False
    action_token: bool = False
    command_token: bool = False
    no_more_shift: bool = False  # R-07 free: has had its free move of this turn

    @property
    def location(self) -> Location | None:
        return self.position.location if self.position is not None else None

    @property
    def french(self) -> bool:
        return self.nation == "FRA"

    @property
    def spent(self) -> bool:
        """Exhausted or disrupted."""
        return self.exhausted or self.disrupted

    @property
    def has_token(self) -> bool:
        return self.action_token or self.command_token

    @property
    def fit(self) -> bool:
        return not self.spent and not self.has_token

    def has(self, attribute: str) -> bool:
        return attribute in self.attributes

    def clear(self) -> None:
        self.exhausted = self.disrupted = self.action_token = self.command_token = False


@dataclass(eq=False)
class Circle:
    id: int
    colour: str
    next: int  # 0: the castle
    placement: bool


@dataclass(eq=False)
class CounterKind:
    index: int
    id: str
    defence: int
    disrupt_dice: int
    advances: bool
    count: int
    supply: int


@dataclass(eq=False)
class SSCard:
    number: int  # place in [ss_card.*], then the Competitive Sturm, then the 142nd
    deck: int
    kind: str
    category: str
    value: int
    table: str | None = None
    regiment: bool = False  # the 142nd


@dataclass(eq=False)
class TacticsCard:
    index: int
    id: str
    deck: int
    effects: list[dict[str, Any]] = field(default_factory=list)


class _GameEnds(Exception):
    """Raised inside the generator when the game ends; carries how."""

    def __init__(self, how: int) -> None:
        super().__init__(how)
        self.how = how


# ---------------------------------------------------------------- the game


class ItterTwin:
    def __init__(self, data: dict, seed: int, game: int) -> None:
        self.data = data
        self.rule: dict[str, str] = data["rulings"]
        self.mode: dict[str, Any] = data["mode"][data["difficulty"]]
        self.luck = Luck(seed, game)
        self.sides: int = data["turn"]["die_sides"]
        self.competitive: bool = data["difficulty"] == "competitive"
        self.ss_hand: list[SSCard] = []  # 6.2
        self.laid: list[SSCard] = []  # face down, the first to be turned up first
        self.tactics_hand: list[TacticsCard] = []
        self.tactics_laid: TacticsCard | None = None
        self._make_board()
        self._make_defenders()
        self._make_counters()
        self._make_ss_deck()
        self._make_tactics()
        self.turn = 0
        self.over = False
        self.stage = STAGE_OVER
        self.cards_turned_up = 0
        self.top_discard_deck = 0
        self.loaded = False
        self.tank_empty = False
        self.actions_used = 0
        self.acting: Defender | None = None  # the defender activated last
        self.end = 0
        self.tally: dict[str, int] = dict.fromkeys(
            (
                "casualties",
                "disruptions",
                "suppressed",
                "placed",
                "breaches",
                "attacks",
                "counters_shot",
                "suppresses",
                "recovers",
                "commanded",
                "shells",
                "sacrifices",
                "breach_circle",
                "breach_area",
                "tokens_spent",
            ),
            0,
        )
        self._legal: list[int] = []
        self._play = self._game()
        self._run(None)

    # ------------------------------------------------------------ setup (0, 6.1)

    def _make_board(self) -> None:
        data = self.data
        self.locations: list[Location] = []
        for i, (key, row) in enumerate(data["location"].items()):
            place = Location(
                i,
                key,
                list(row["defence_track"]),
                row["escape_from"],
                row["destructible"],
                list(row.get("move_out_to", [])),
                is_cellar=not row["defence_track"],
            )
            if not place.is_cellar:
                place.step = place.track.index(data["setup"]["defence_value"])
            self.locations.append(place)
        by_id = {place.id: place for place in self.locations}
        self.location_by_id = by_id
        self.cellar = next(place for place in self.locations if place.is_cellar)
        self.tank = next(place for place in self.locations if place.destructible)
        self.positions: list[Position] = []
        for i, (key, row) in enumerate(data["position"].items()):
            self.positions.append(
                Position(
                    i,
                    key,
                    by_id[row["location"]],
                    list(row["colours"]),
                    row["crew"],
                    row.get("weapon_attack"),
                    row.get("weapon_suppress"),
                    row.get("needs_load", False),
                    row.get("keeps_load", False),
                    row.get("loads", False),
                )
            )
        self.position_by_id = {p.id: p for p in self.positions}
        self.colours: list[str] = list(data["colour"])
        self.squares: list[str] = [c for c in self.colours if data["colour"][c]["suppression_square"]]
        self.tokens: dict[str, int] = dict.fromkeys(self.squares, 0)
        self.circles: dict[int, Circle] = {}
        for key, row in data["circle"].items():
            self.circles[int(key)] = Circle(int(key), row["colour"], row["next"], row["kind"] == "placement")
        self.areas: list[int] = sorted(c.id for c in self.circles.values() if c.placement)

    def _make_defenders(self) -> None:
        self.defenders: list[Defender] = []
        cellar_positions = [p for p in self.positions if p.location is self.cellar]
        for i, (key, row) in enumerate(self.data["defender"].items()):
            d = Defender(
                i,
                key,
                row["nation"],
                row["attack"],
                row["suppress"],
                frozenset(row["attributes"]),
                starter=row["start"] == "reserve",
                reinforcement=row["start"] == "reinforcement",
            )
            if d.reinforcement:
                d.where = "aside"
            elif row["start"] == "cellar":
                d.where, d.position = "board", cellar_positions.pop(0)
            self.defenders.append(d)

    def _make_counters(self) -> None:
        self.kinds: list[CounterKind] = []
        for i, (key, row) in enumerate(self.data["ss_counter"].items()):
            self.kinds.append(
                CounterKind(i, key, row["defence"], row["disrupt_dice"], row["advances"], row["count"], row["count"])
            )
        self.kind_by_id = {k.id: k for k in self.kinds}
        self.counters: dict[int, CounterKind] = {}  # advancing counter on a circle
        self.guns: dict[str, dict[int, int]] = {
            k.id: dict.fromkeys(self.areas, 0) for k in self.kinds if not k.advances
        }
        start: list[CounterKind] = []
        for kind in self.kinds:
            start += [kind] * self.mode["start"].get(kind.id, 0)
        if self.mode["random_start"]:
            self.luck.shuffle(SETUP, start)
        for area, kind in zip(self.areas, start):
            kind.supply -= 1
            if kind.advances:
                self.counters[area] = kind
            else:
                self.guns[kind.id][area] += 1

    def _make_ss_deck(self) -> None:
        """0.3, 7.6."""
        normal: list[SSCard] = []  # the cards every level plays with, deck 1 first
        listed: list[SSCard] = []  # these and those of the level's sets
        added = 0
        rows = list(self.data["ss_card"].values())
        if self.competitive:  # 6.2a
            rows.append(self.data["competitive_card"])
        self.regiment_number = len(rows)
        for number in range(1, len(self.data["ss_deck"]["sizes"]) + 1):
            for i, row in enumerate(rows):
                if row["deck"] != number:
                    continue
                mine = [
                    SSCard(i, number, row["kind"], row["category"], row["value"], row.get("table"))
                    for _ in range(row["copies"])
                ]
                if not row.get("set"):
                    normal += mine
                    listed += mine
                elif row["set"] in self.mode.get("card_sets", []):
                    listed += mine
                    added += len(mine)
        self.last_full_turn = self.data["turn"]["turns_without_142nd"] + added // self.data["turn"]["ss_cards"]
        cards = (
            listed if self.rule.get("extra_cards", "listed") == "listed" else self._some_twice(normal, added)
        )
        self.deck: list[SSCard] = []  # first card = top
        for number in range(1, len(self.data["ss_deck"]["sizes"]) + 1):
            part = [card for card in cards if card.deck == number]
            self.luck.shuffle(SS_DECK, part)
            self.deck += part

    def _some_twice(self, cards: list[SSCard], added: int) -> list[SSCard]:
        """7.6: `added` of these cards, drawn at random, are played twice."""
        result: list[SSCard] = []
        wanted = added
        for i, card in enumerate(cards):
            result.append(card)
            if self.luck.below(SETUP, len(cards) - i) < wanted:
                wanted -= 1
                result.append(card)
        return result

    def _make_tactics(self) -> None:
        self.tactics_stack: list[TacticsCard] = []  # first card = top
        self.newer: TacticsCard | None = None
        self.older: TacticsCard | None = None
        if self.mode["tactics_per_turn"] == 0:
            return
        cards = [
            TacticsCard(i, key, row["deck"], row["effects"])
            for i, (key, row) in enumerate(self.data["tactics_card"].items())
        ]
        for number, removed in enumerate(self.mode["tactics_removed"], start=1):
            part = [card for card in cards if card.deck == number]
            if self.rule["tactics_shuffled"] == "yes":
                self.luck.shuffle(TACTICS, part)
            self.tactics_stack += part[removed:]

    # ------------------------------------------------------------ interface

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
            stage, legal = self._play.send(action)  # type: ignore[arg-type]
            self.stage, self._legal = stage, sorted(legal)
        except StopIteration:
            self.stage, self._legal, self.over = STAGE_OVER, [], True

    def snapshot(self) -> dict:
        elsewhere = {"reserve": -2, "aside": -3, "killed": -4, "escaped": -5}
        guns = {name: {area: n for area, n in rows.items() if n > 0} for name, rows in self.guns.items()}
        return {
            "stage": self.stage,
            "turn": self.turn,
            "place": [d.position.index if d.position is not None else elsewhere[d.where] for d in self.defenders],
            "status": [
                d.exhausted * 1 + d.disrupted * 2 + d.action_token * 4 + d.command_token * 8 for d in self.defenders
            ],
            "defence": [place.defence for place in self.locations],
            "tank_destroyed": self.tank.destroyed,
            "tank_empty": self.tank_empty,
            "loaded": self.loaded,
            "counter": {circle: kind.index for circle, kind in sorted(self.counters.items())},
            "mg": guns["machine_gunner"],
            "mortar": guns["mortar"],
            "tokens": [self.tokens.get(c, 0) for c in self.colours],
            "deck_left": len(self.deck),
            "tactics": (self.newer.index if self.newer else -1, self.older.index if self.older else -1),
            "to_move": SS_SEAT if self.stage in (STAGE_PLAN, STAGE_PLAN_TACTICS) else DEFENDER_SEAT,
            "deck": [card.number for card in self.deck],
            "ss_hand": sorted(card.number for card in self.ss_hand),
            "tactics_hand": sorted(card.index for card in self.tactics_hand),
            "laid": [card.number for card in self.laid],
            "tactics_laid": self.tactics_laid.index if self.tactics_laid else -1,
        }

    def record(self) -> dict:
        on_board = [d for d in self.defenders if d.where == "board"]
        casualties_count = self.data["victory"].get("counts", "points") == "casualties"
        score = self._casualty_points() if casualties_count else self._score()
        lost_to = SS_SEAT if self.competitive else NOBODY
        if self.end == END_BREACH:
            winner = lost_to
        elif casualties_count:  # 7.5: no draw
            winner = 0
        elif score >= self.data["victory"]["min_score"]:
            winner = 0
        else:
            winner = lost_to if self.rule["draw_is_no_loss"] == "loss" else -1
        return {
            "turn": self.turn,
            "end": self.end,
            "winner": winner,
            "score": None if self.end == END_BREACH else score,
            **self.tally,
            "counters_left": self._counters_on_board(),
            "escaped": sum(d.where == "escaped" for d in self.defenders),
            "tank_destroyed": int(self.tank.destroyed),
            "tank_empty": int(self.tank_empty),
            "french_outside": sum(d.french and d.location is not self.cellar for d in on_board),
            "french_cellar": sum(d.french and d.location is self.cellar for d in on_board),
            "others_on_board": sum(not d.french for d in on_board),
        }

    def _counters_on_board(self) -> int:
        return len(self.counters) + sum(sum(rows.values()) for rows in self.guns.values())

    def _score(self) -> int:
        """5.0b."""
        points = {key: row["points"] for key, row in self.data["score"].items()}
        total = 0
        if self.tank_empty or (self.rule["tank_empty_when"] == "at_end" and self.tank.destroyed):
            total += points["tank_lost_empty"]
        for d in self.defenders:
            if d.where == "escaped":
                total += points["borotra_escaped"]
            elif d.where == "board" and d.french:
                total += points["french_in_cellar" if d.location is self.cellar else "french_outside_cellar"]
            elif d.where == "board":
                total += points["other_on_board"]
            elif d.where == "reserve" and self.rule["reserve_scores"] == "yes":
                total += points["other_on_board"]
        return total + points["ss_counter"] * self._counters_on_board()

    def _casualty_points(self) -> int:
        """7.5: fewest is best."""
        victory = self.data["victory"]
        return sum(
            victory["french_casualty" if d.french else "other_casualty"] for d in self.defenders if d.where == "killed"
        )

    # ------------------------------------------------------------ small questions about the board

    def at(self, position: Position) -> Defender | None:
        for d in self.defenders:
            if d.position is position:
                return d
        return None

    def people_in(self, location: Location) -> list[Defender]:
        """Everybody on the board in this location, in roster order."""
        return [d for d in self.defenders if d.location is location]

    def free(self, position: Position) -> bool:
        return not position.location.destroyed and self.at(position) is None

    def may_stand(self, d: Defender, position: Position) -> bool:
        """R-39 not_allowed: crew positions are for [T] only."""
        return not (self.rule["noncrew_on_crew_position"] == "not_allowed" and position.crew and not d.has("T"))

    def starters_waiting(self) -> bool:
        return any(d.starter and d.where == "reserve" for d in self.defenders)

    def open_positions(self, d: Defender) -> list[Position]:
        """2.1a: where a reserve defender may be put."""
        result = []
        for p in self.positions:
            if p.location is self.cellar and self.rule["deploy_into_cellar"] == "never":
                continue
            if self.free(p) and self.may_stand(d, p):
                result.append(p)
        return result

    def move_targets(self, d: Defender) -> list[Position]:
        """2.5."""
        assert d.location is not None
        result = []
        for p in self.positions:
            if p.location is d.location or not self.may_stand(d, p) or not self.free(p):
                continue
            if d.location is self.cellar and p.location.id not in self.cellar.move_out_to:
                continue
            if p.location is self.cellar and self.rule["enter_cellar"] == "never":
                continue
            result.append(p)
        return result

    def square_colours(self, position: Position) -> list[str]:
        return [c for c in position.colours if c in self.squares]

    def inspire_bonus(self, actor: Defender) -> int:
        """3.1, R-14."""
        assert actor.location is not None
        givers = [d for d in self.people_in(actor.location) if d.has("I") and not d.spent]
        reading = self.rule["inspire_stacks"]
        if reading == "self_too":
            return len(givers)
        others = len([d for d in givers if d is not actor])
        return min(1, others) if reading == "max_one" else others

    def own_values_serve(self, d: Defender) -> bool:
        """R-39 no_fight: a crew position denies the own values to a defender without [T] and to a gunner without Load."""
        p = d.position
        assert p is not None
        if self.rule["noncrew_on_crew_position"] != "no_fight" or not p.crew:
            return True
        if not d.has("T"):
            return False
        return self.loaded or not p.needs_load

    def weapon_serves(self, d: Defender) -> bool:
        """3.6: [T], and the Load token where the weapon needs it."""
        p = d.position
        assert p is not None
        return d.has("T") and (self.loaded or not p.needs_load)

    def seen_targets(self, position: Position) -> list[int]:
        """1.3: target arguments of ATTACK."""
        result = []
        for circle in self.circles.values():
            if circle.colour not in position.colours:
                continue
            if circle.id in self.counters:
                result.append(circle.id)
            if circle.placement and self.guns["machine_gunner"][circle.id] > 0:
                result.append(64 + circle.id)
            if circle.placement and self.guns["mortar"][circle.id] > 0:
                result.append(128 + circle.id)
        return result

    def colour_clear(self, colour: str) -> bool:
        """2.8b, R-26."""
        for circle in self.circles.values():
            if circle.colour != colour:
                continue
            if circle.id in self.counters:
                return False
            if self.rule["escape_counters"] == "all" and circle.placement:
                if any(rows[circle.id] > 0 for rows in self.guns.values()):
                    return False
        return True

    def may_escape(self, d: Defender) -> bool:
        """2.8a, b."""
        if not d.has("E") or not d.fit or d.position is None or d.turn_start is None:
            return False
        if not d.position.location.escape_from or not d.turn_start.location.escape_from:
            return False
        if self.top_discard_deck == 1 and self.rule["competitive_deck_1"] == "not_possible":
            return False
        if self.rule["escape_timing"] == "position_at_turn_start" and d.position is not d.turn_start:
            return False
        if not d.position.colours:
            return self.rule["escape_from_white"] == "yes"
        clear = [self.colour_clear(c) for c in d.position.colours]
        return any(clear) if self.rule["escape_two_colours"] == "one_clear" else all(clear)

    def cannon_gunner(self) -> Defender | None:
        for p in self.positions:
            if p.needs_load:
                return self.at(p)
        return None

    # ------------------------------------------------------------ moving figures

    def _leave(self, d: Defender) -> None:
        """d steps off its position. R-61 no: the Load token goes when the cannon's defender leaves."""
        if d.position is not None and d.position.needs_load and self.rule["load_token_stays"] == "no":
            self.loaded = False
        d.position = None

    def _go(self, d: Defender, position: Position) -> None:
        self._leave(d)
        d.where, d.position = "board", position

    def _remove(self, d: Defender, where: str) -> None:
        """Off the board for good (killed, escaped), or to the reserve (R-32 possible); all its tokens go."""
        self._leave(d)
        d.where = where
        d.clear()

    def _shift(self, argument: int) -> None:
        """2.4: to a free position, or a swap."""
        d, p = self.defenders[argument // 64], self.positions[argument % 64]
        old, other = d.position, self.at(p)
        assert old is not None
        if other is None:
            self._go(d, p)
        else:
            self._leave(d)
            self._leave(other)
            d.position, other.position = p, old

    # ------------------------------------------------------------ dice

    def _dice(self, purpose: int, n: int) -> list[int]:
        return [1 + self.luck.below(purpose, self.sides) for _ in range(n)]

    def _success(self, purpose: int, n: int, value: int) -> bool:
        return any(face >= value for face in self._dice(purpose, n))

    # ------------------------------------------------------------ the whole game (1.1)

    def _game(self) -> Decision:
        try:
            while True:
                self.turn += 1
                self.luck.rekey(DEFENDER, self.turn)
                if self.competitive:
                    yield from self._planning_phase()
                yield from self._defender_phase()
                yield from self._ss_phase()
                self._end_of_turn()
        except _GameEnds as ends:
            self.end = ends.how

    # ------------------------------------------------------------ SS planning (6.2b, P 4)

    def _planning_phase(self) -> Decision:
        if self.turn == 1:
            self._draw_ss(self.mode["ss_first_draw"])
            self._draw_tactics(self.mode["tactics_first_draw"])
        self.laid = []
        while self.ss_hand and len(self.laid) < self.data["turn"]["ss_cards"]:
            action = yield STAGE_PLAN, [code(LAY, number) for number in self._may_lay()]
            card = next(card for card in self.ss_hand if card.number == action % KIND_UNIT)
            self.ss_hand.remove(card)
            self.laid.append(card)
        if self.tactics_hand:
            action = yield STAGE_PLAN_TACTICS, [code(LAY_TACTICS, card.index) for card in self.tactics_hand]
            self.tactics_laid = next(card for card in self.tactics_hand if card.index == action % KIND_UNIT)
            self.tactics_hand.remove(self.tactics_laid)
        self._draw_ss(self.mode["ss_draw"])
        self._draw_tactics(self.mode["tactics_draw"])

    def _draw_ss(self, n: int) -> None:
        for _ in range(min(n, len(self.deck))):
            self.ss_hand.append(self.deck.pop(0))

    def _draw_tactics(self, n: int) -> None:
        for _ in range(min(n, len(self.tactics_stack))):
            self.tactics_hand.append(self.tactics_stack.pop(0))

    def _may_lay(self) -> set[int]:
        """6.2c: which card numbers may be laid next."""
        if (
            not self.laid and self.rule["competitive_142nd"] == "first" and any(card.regiment for card in self.ss_hand)
        ):
            return {self.regiment_number}
        forced = [card for card in self.ss_hand if card.kind in self.mode["must_play"]]
        still_to_lay = self.data["turn"]["ss_cards"] - len(self.laid)
        return {card.number for card in (forced if len(forced) >= still_to_lay else self.ss_hand)}

    # ------------------------------------------------------------ Defender Phase (2)

    def _defender_phase(self) -> Decision:
        for d in self.defenders:
            d.turn_start = d.position
            d.no_more_shift = False
        self.actions_used = 0
        while self.actions_used < self.data["turn"]["defender_actions"]:
            action = yield STAGE_ORDERS, self._orders()
            kind, argument = divmod(action, KIND_UNIT)
            if kind == PASS:
                break
            if kind == SHIFT:  # R-06 any_time
                self._shift(argument)
                continue
            used = yield from self._activation(self.defenders[argument])
            if used:
                self.actions_used += 1
        for d in self.defenders:  # 2.0d
            d.action_token = d.command_token = False

    def _orders(self) -> list[int]:
        activates = [code(ACTIVATE, d.index) for d in self.defenders if self.may_activate(d)]
        result = list(activates)
        if not activates or self.rule["may_pass"] == "yes":
            result.append(code(PASS))
        if self.rule["free_move_when"] == "any_time":
            for d in self.defenders:
                if d.where != "board" or not d.fit:
                    continue
                if self.starters_waiting() and not self.may_activate(d):
                    continue
                if d.location is self.cellar and self.rule["cellar_actions"] == "move_only":
                    continue
                result += self._shift_codes(d)
        return result

    def may_activate(self, d: Defender) -> bool:
        """2.1, P 2."""
        if d.has_token:
            return False
        if d.where == "reserve":
            return bool(self.open_positions(d))
        if d.where != "board":
            return False
        in_cellar = d.location is self.cellar
        if self.starters_waiting() and (self.rule["deployment_lock"] == "reserve_only" or in_cellar):
            return False
        if in_cellar and self.rule["cellar_actions"] == "move_only":
            return d.fit and bool(self.move_targets(d))
        return True

    def _shift_codes(self, d: Defender) -> list[int]:
        """2.4: every free move of d; for an exhausted or disrupted d (R-09 yes) to free positions only."""
        assert d.position is not None
        result = []
        for p in self.positions:
            if p.location is not d.location or p is d.position or not self.may_stand(d, p):
                continue
            if p.location.destroyed:  # 4.2d: nobody moves into the wreck's positions, nor about in it
                continue
            other = self.at(p)
            if other is not None:
                if d.spent or other.spent or not self.may_stand(other, d.position):
                    continue
                if self.rule["swap_partner_acted"] == "no" and other.has_token:
                    continue
            result.append(code(SHIFT, d.index * 64 + p.index))
        return result

    def _activation(self, d: Defender) -> Decision:
        """One action of d: perhaps placing it, perhaps a free move, then what it does. Returns whether an action is used."""
        self.acting = d
        placed = d.where == "reserve"
        if placed:
            action = yield STAGE_PLACE, [code(PLACE, p.index) for p in self.open_positions(d)]
            self._go(d, self.positions[action % KIND_UNIT])
        shifted = False
        while True:
            action = yield STAGE_ACT, self._act_codes(d, placed, shifted)
            kind, argument = divmod(action, KIND_UNIT)
            if kind != SHIFT:
                break
            self._shift(argument)
            shifted = True
        exhausts = True  # 2.0b
        if kind in (ATTACK, ATTACK_WEAPON):
            self._attack(d, argument, weapon=kind == ATTACK_WEAPON)
        elif kind in (SUPPRESS, SUPPRESS_WEAPON):
            self._suppress(d, argument, weapon=kind == SUPPRESS_WEAPON)
        elif kind == MOVE:
            self._go(d, self.positions[argument])
        elif kind == RECOVER:
            self._recover(d, argument)
            self.tally["recovers"] += 1
            exhausts = False
        elif kind == COMMAND:
            yield from self._command(d)
        elif kind == LOAD:
            self.loaded = True
            exhausts = self.rule["load_exhausts"] == "yes"
        elif kind == ESCAPE:
            self._escape(d)
            return True
        elif kind == BLANK:
            exhausts = False
            if shifted and self.rule["free_move_alone"] == "exhausts":
                exhausts = True
            if shifted and self.rule["free_move_alone"] == "free" and not placed:
                d.no_more_shift = True
                return False
        d.action_token = True
        if exhausts and self.rule["exhaustion"] == "yes":
            d.exhausted = True
        return True

    # ------------------------------------------------------------ what an activated defender may do (P 3)

    def _act_codes(self, d: Defender, placed: bool, shifted: bool) -> list[int]:
        assert d.position is not None
        in_cellar = d.location is self.cellar
        cellar_narrow = in_cellar and self.rule["cellar_actions"] == "move_only"
        shifts: list[int] = []
        if self.rule["free_move_when"] == "prelude" and not shifted and not d.no_more_shift and not cellar_narrow:
            if not placed or self.rule["shift_after_placing"] == "yes":
                if not d.spent or self.rule["free_move_and_recover"] == "yes":
                    shifts = self._shift_codes(d)
        if d.spent:
            recovers = []
            if d.exhausted:
                recovers.append(code(RECOVER, 0))
            if d.disrupted:
                recovers.append(code(RECOVER, 1))
            return recovers + shifts
        acts = [code(MOVE, p.index) for p in self.move_targets(d)]
        if not in_cellar:
            acts += self._attack_codes(d) + self._suppress_codes(d) + self._load_codes(d)
            if self.may_escape(d):
                acts.append(code(ESCAPE))
        if not in_cellar or self.rule["command_in_cellar"] == "yes":
            acts += self._command_codes(d)
        blank = shifted or not acts
        if self.rule["blank_action"] == "may_be_blank" and not cellar_narrow:
            blank = True
        if blank:
            acts.append(code(BLANK))
        return acts + shifts

    def _attack_codes(self, d: Defender) -> list[int]:
        assert d.position is not None
        bonus, targets, result = self.inspire_bonus(d), self.seen_targets(d.position), []
        may = d.attack > 0 or self.rule["attack_zero"] == "yes"
        if may and self.own_values_serve(d) and d.attack + bonus >= 1:
            result += [code(ATTACK, t) for t in targets]
        if d.position.weapon_attack is not None and self.weapon_serves(d) and d.position.weapon_attack + bonus >= 1:
            result += [code(ATTACK_WEAPON, t) for t in targets]
        return result

    def _suppress_codes(self, d: Defender) -> list[int]:
        assert d.position is not None
        result = []
        bonus = self.inspire_bonus(d)
        if self.own_values_serve(d):
            result += [code(SUPPRESS, x) for x in self._divisions(d.position, d.suppress + bonus)]
        if d.position.weapon_suppress is not None and self.weapon_serves(d):
            result += [
                code(SUPPRESS_WEAPON, x) for x in self._divisions(d.position, d.position.weapon_suppress + bonus)
            ]
        return result

    def _divisions(self, position: Position, value: int) -> list[int]:
        """2.3, R-15: the arguments of SUPPRESS for so many tokens."""
        squares = self.square_colours(position)
        if self.rule["blank_action"] == "must_act" and (not squares or value < 1):
            return []
        if not squares:
            return [] if self.rule["yellow_tokens"] == "forbidden" else [0]
        if len(squares) == 1:
            return [value]
        return list(range(value + 1))

    def _load_codes(self, d: Defender) -> list[int]:
        assert d.position is not None
        if not d.position.loads or not d.has("T"):
            return []
        if self.loaded and self.rule["load_when_loaded"] == "no_effect":
            return []
        if self.rule["load_token_stays"] == "no":
            gunner = self.cannon_gunner()
            if gunner is None or not gunner.has("T"):
                return []
        return [code(LOAD)]

    def _command_codes(self, d: Defender) -> list[int]:
        if not d.has("C") or self.data["command"]["recovers"] == 0:
            return []
        if self.rule["blank_action"] == "must_act" and not self._give_codes(d, set(), self._commanded()):
            return []
        return [code(COMMAND)]

    # ------------------------------------------------------------ carrying the actions out

    def _attack(self, d: Defender, target: int, weapon: bool) -> None:
        """2.2, 3.6."""
        p = d.position
        assert p is not None
        own = p.weapon_attack if weapon else d.attack
        assert own is not None
        n = own + self.inspire_bonus(d)
        self.tally["attacks"] += 1
        if weapon and p.needs_load:
            self.loaded = p.keeps_load
            self.tally["shells"] += 1
        if target < 64:
            kind = self.counters[target]
        else:
            kind = self.kind_by_id["machine_gunner" if target < 128 else "mortar"]
        if self._success(DEFENDER, n, kind.defence):
            self.tally["counters_shot"] += 1
            kind.supply += 1
            if target < 64:
                del self.counters[target]
            else:
                self.guns[kind.id][target % 64] -= 1

    def _suppress(self, d: Defender, x: int, weapon: bool) -> None:
        """2.3, 3.6, R-17."""
        p = d.position
        assert p is not None
        own = p.weapon_suppress if weapon else d.suppress
        assert own is not None
        value = own + self.inspire_bonus(d)
        self.tally["suppresses"] += 1
        if weapon and p.needs_load:
            self.loaded = p.keeps_load
        squares = self.square_colours(p)
        if len(squares) == 1:
            self._add_tokens(squares[0], value)
        elif len(squares) == 2:
            self._add_tokens(squares[0], x)
            self._add_tokens(squares[1], value - x)

    def _add_tokens(self, colour: str, n: int) -> None:
        if self.rule["token_cap"] == "hard_30":
            n = min(n, self.data["inventory"]["suppression_tokens"]["count"] - sum(self.tokens.values()))
        self.tokens[colour] += max(0, n)

    def _recover(self, d: Defender, what: int) -> None:
        """2.6."""
        if what == 0:
            d.exhausted = False
        else:
            d.disrupted = False

    def _commanded(self) -> set[Defender]:
        return {d for d in self.defenders if d.command_token}

    def _give_codes(self, commander: Defender, given: set[Defender], earlier: set[Defender]) -> list[int]:
        """2.7: `given` have had a Recover of this Command, `earlier` hold the token of an earlier one."""
        assert commander.location is not None
        result = []
        only_reserve_acts = self.starters_waiting() and self.rule["deployment_lock"] == "reserve_only"
        if only_reserve_acts and self.rule["command_in_deployment"] == "no":
            return result
        for d in self.people_in(commander.location):
            if d.has("C") or d.action_token:
                continue
            if d in given and self.rule["command_twice_same"] == "no":
                continue
            if d in earlier and self.rule["command_again"] == "no":
                continue
            if d.exhausted:
                result.append(code(GIVE, d.index * 4))
            if d.disrupted:
                result.append(code(GIVE, d.index * 4 + 1))
            if self.rule["command_useless"] == "any":
                result.append(code(GIVE, d.index * 4 + 2))
        return result

    def _command(self, commander: Defender) -> Decision:
        given: set[Defender] = set()
        earlier = self._commanded()
        for _ in range(self.data["command"]["recovers"]):
            gives = self._give_codes(commander, given, earlier)
            if not gives:
                return
            action = yield STAGE_COMMAND, gives + [code(DONE)]
            kind, argument = divmod(action, KIND_UNIT)
            if kind == DONE:
                return
            d, what = self.defenders[argument // 4], argument % 4
            if what < 2:
                self._recover(d, what)
                self.tally["commanded"] += 1
            d.command_token = True
            given.add(d)

    def _escape(self, d: Defender) -> None:
        """2.8c, d."""
        self._remove(d, "escaped")
        if self.top_discard_deck == 1 and self.rule["competitive_deck_1"] == "no_card":
            return
        line = max(2, self.top_discard_deck)  # R-71 as_deck_2
        n = self.data["regiment_card"]["last_cards"][line - 2]
        if self.competitive and self.rule["competitive_last_cards"] == "with_hand":
            n = max(0, n - len(self.ss_hand))
        if n > len(self.deck) and self.rule["few_cards_left"] == "no_card":
            return
        n = min(n, len(self.deck))
        rest = len(self.deck) - n
        top, bottom = self.deck[:rest], self.deck[rest:]
        bottom.append(SSCard(self.regiment_number, 0, "142nd", "special", 0, regiment=True))
        self.luck.shuffle(REGIMENT, bottom)
        self.deck = top + bottom

    # ------------------------------------------------------------ Tactics (6.1, P 4)

    def _turn_up_tactics(self) -> None:
        if self.competitive:
            self.newer, self.tactics_laid = self.tactics_laid, None
            return
        per_turn = self.mode["tactics_per_turn"]
        if per_turn == 0:
            return
        if per_turn == 1:
            self.older = None
            self.newer = self.tactics_stack.pop(0) if self.tactics_stack else None
        elif self.turn == 1:
            self.older = self.tactics_stack.pop(0)
            self.newer = self.tactics_stack.pop(0)
        elif self.tactics_stack:
            self.older = self.newer
            self.newer = self.tactics_stack.pop(0)
        else:
            self.older = None

    def _effects(self, op: str) -> Iterator[dict[str, Any]]:
        """Effects of one sort in force, the newer card's first (R-58)."""
        reading = self.rule["focus_fire"]
        for card in (self.newer, self.older):
            if card is None or reading == "blank" or (reading == "barrage_only" and card.id != "barrage"):
                continue
            for effect in card.effects:
                if effect["op"] == op:
                    yield effect

    def _sum_of(self, op: str, of: str, name: str) -> int:
        total = sum(effect["n"] for effect in self._effects(op) if name in effect[of])
        return total * 2 if self.rule["focus_fire"] == "assumed_doubled" else total

    def _extra_dice(self, card_kind: str) -> int:
        return self._sum_of("extra_dice", "cards", card_kind)

    def _allowed_areas(self, kind: CounterKind) -> list[int] | None:
        """placement_areas in force for this kind; None when any area will do. R-59."""
        sets = [effect["areas"] for effect in self._effects("placement_areas") if kind.id in effect["counters"]]
        if not sets:
            return None
        if len(sets) > 1 and self.rule["tactics_two_areas"] == "intersection":
            both = [a for a in sets[0] if all(a in other for other in sets[1:])]
            return both or sets[0]
        return sets[0]

    def _suppression_banned(self, colour: str) -> bool:
        return any(colour in effect["colours"] for effect in self._effects("no_suppression"))

    # ------------------------------------------------------------ SS Phase (4.0)

    def _ss_phase(self) -> Decision:
        self._turn_up_tactics()
        turned_up: list[SSCard] = []
        most = self.data["turn"]["ss_cards"]
        if self.competitive:
            self.cards_turned_up = (self.turn - 1) * most
        source = self.laid if self.competitive else self.deck
        for _ in range(most):
            if not source:
                break
            card = source.pop(0)
            self.luck.rekey(SS, self.cards_turned_up)
            self.luck.rekey(SUPPRESSION, self.cards_turned_up)
            self.cards_turned_up += 1
            if card.regiment:  # 5.0a
                raise _GameEnds(END_RELIEVED)
            turned_up.append(card)
            yield from self._resolve(card)
        if turned_up:
            if self.rule["top_discard"] == "lowest_deck":
                self.top_discard_deck = min(card.deck for card in turned_up)
            else:
                self.top_discard_deck = turned_up[-1].deck

    def _end_of_turn(self) -> None:
        if self.rule["tokens_persist"] == "cleared":
            self.tokens = dict.fromkeys(self.squares, 0)
        if self._nothing_to_come():
            raise _GameEnds(END_DECK)
        if self.rule["deck_of_61"] == "end_turn_20" and self.turn >= self.last_full_turn:
            raise _GameEnds(END_DECK)

    def _nothing_to_come(self) -> bool:
        """5.0a; R-52 in the competitive game."""
        if self.competitive and self.rule["competitive_end"] == "after_turn_20":
            return len(self.ss_hand) < self.data["turn"]["ss_cards"]
        return not self.deck

    def _resolve(self, card: SSCard) -> Decision:
        if card.category == "place":
            yield from self._place_card(card)
        elif card.category == "attack_location":
            yield from self._attack_location(card)
        elif card.kind == "sniper":
            yield from self._sniper(card)
        elif card.kind == "flak30":
            yield from self._flak30(card)
        elif card.kind == "suppressive_fire":
            yield from self._suppressive_fire()
        elif card.kind == "ss_squads":
            yield from self._ss_squads()
        elif card.kind == "reinforcements":  # 3.4
            for d in self.defenders:
                if d.reinforcement and d.where == "aside":
                    d.where = "reserve"
        else:
            raise ValueError(f"unknown SS card {card.kind}")

    # ------------------------------------------------------------ placing SS counters (4.3)

    def _place_card(self, card: SSCard) -> Decision:
        kind = self.kind_by_id[card.kind]
        for _ in range(card.value + self._sum_of("extra_counter", "cards", card.kind)):
            if kind.supply <= 0 and self.rule["supply_empty"] == "not_placed":
                continue
            area = self._roll_area(kind)
            colour = self.circles[area].colour
            suppressed = yield from self._suppression(kind, colour)
            if suppressed:
                self.tally["suppressed"] += 1
            elif kind.advances:
                kind.supply -= 1
                self.tally["placed"] += 1
                self._push(area, kind)
            else:
                kind.supply -= 1
                self.tally["placed"] += 1
                self.guns[kind.id][area] += 1
            if not kind.advances and (not suppressed or self.rule["suppressed_mg"] == "yes"):
                n = kind.disrupt_dice + self._extra_dice(kind.id)
                yield from self._disruption_by_colour(colour, n)

    def _roll_area(self, kind: CounterKind) -> int:
        allowed = self._allowed_areas(kind)
        while True:
            area = sum(self._dice(SS, self.data["turn"]["placement_dice"]))
            if allowed is None or area in allowed:
                return area

    def _suppression(self, kind: CounterKind, colour: str) -> Decision:
        """4.3b. Returns whether the counter is suppressed."""
        if colour not in self.squares or self._suppression_banned(colour):
            return False
        value = min(6, kind.defence + self._sum_of("tougher", "counters", kind.id))
        one_by_one = self.rule["suppress_spending"] == "one_by_one"
        while self.tokens[colour] > 0:
            most = 1 if one_by_one else self.tokens[colour]
            action = yield STAGE_SPEND, [code(SPEND, k) for k in range(most + 1)]
            k = action % KIND_UNIT
            if k == 0:
                return False
            self.tokens[colour] -= k
            self.tally["tokens_spent"] += k
            if self._success(SUPPRESSION, k, value):
                if self.rule["tokens_spent_on_success"] == "kept_on_success":
                    self.tokens[colour] += k
                return True
            if not one_by_one:
                return False
        return False

    def _push(self, area: int, kind: CounterKind) -> None:
        """4.3c. The push happens whole, then a breach is looked at."""
        circle, moving = area, kind
        left_from = 0
        while circle != 0:
            there = self.counters.get(circle)
            self.counters[circle] = moving
            if there is None:
                return
            moving, left_from = there, circle
            circle = self.circles[circle].next
        moving.supply += 1
        self.tally["breaches"] += 1
        if self.tally["breaches"] == 1:
            self.tally["breach_circle"] = left_from
            self.tally["breach_area"] = area
        if self.data["breach_ends_game"]:
            raise _GameEnds(END_BREACH)

    # ------------------------------------------------------------ target by colour, disruption

    def _faces(self, colour: str) -> list[Position]:
        """The position of face 1, 2, ...; R-42 yes: the tank's positions of this colour as faces above 6."""
        faces = [self.position_by_id[name] for name in self.data["die_table"][colour]["die"]]
        if self.rule["tank_by_colour"] == "yes":
            faces += [p for p in self.positions if p.location is self.tank and colour in p.colours]
        return faces

    def _target(self, colour: str) -> Defender | None:
        """4.0, R-41."""
        faces = [self.at(p) for p in self._faces(colour)]
        if not any(faces):
            return None
        face = self._dice(SS, 1)[0]
        last = len(faces)
        reading = self.rule["target_search"]
        if reading == "all_up_then_all_down":
            order = [face, *range(face + 1, last + 1), *range(face - 1, 0, -1)]
        elif reading == "one_up_one_down":
            order = [f for f in (face, face + 1, face - 1) if 1 <= f <= last]
        elif reading == "up_only":
            order = list(range(face, last + 1))
        else:  # wrap
            order = [face, *range(face + 1, last + 1), *range(1, face)]
        for f in order:
            if faces[f - 1] is not None:
                return faces[f - 1]
        return None

    def _disruption_by_colour(self, colour: str, n: int) -> Decision:
        d = self._target(colour)
        if d is not None:
            yield from self._disruption_attempt(d, n)

    def _disruption_attempt(self, d: Defender, n: int) -> Decision:
        assert d.location is not None
        if self._success(SS, n, d.location.defence):
            yield from self._disrupt(d)

    def _disrupt(self, d: Defender) -> Decision:
        """A disruption has succeeded: the token, or death when it has one already."""
        assert d.location is not None
        if not d.disrupted:
            d.disrupted = True
            self.tally["disruptions"] += 1
        else:
            yield from self._deaths(d.location, [d], second_disrupt=True)

    # ------------------------------------------------------------ killing (3.2, 3.3, 3.5, P 4)

    def _kill(self, d: Defender) -> None:
        self._remove(d, "killed")
        self.tally["casualties"] += 1

    def _sacrificer(self, location: Location, batch: list[Defender]) -> Defender | None:
        for d in self.people_in(location):
            if not d.has("S"):
                continue
            if d in batch and self.rule["sacrifice_when_dying"] == "no":
                continue
            if d.spent and self.rule["sacrifice_state"] == "yes":
                continue
            return d
        return None

    def _deaths(self, location: Location, batch: list[Defender], second_disrupt: bool) -> Decision:
        victims = list(batch)
        killed: list[Defender] = []  # those that count for Low Morale
        for d in [d for d in self.defenders if d in batch and d.french and d.has("I")]:
            saviour = self._sacrificer(location, victims)
            if saviour is None:
                break
            action = yield STAGE_SACRIFICE, [code(SACRIFICE, 0), code(SACRIFICE, 1)]
            if action == code(SACRIFICE, 1):
                self.tally["sacrifices"] += 1
                self._kill(saviour)
                if self.rule["sacrifice_low_morale"] == "yes":
                    killed.append(saviour)
                victims = [v for v in victims if v is not d and v is not saviour]
                if second_disrupt and self.rule["sacrifice_token"] == "clears":
                    d.disrupted = False
                break
        for d in victims:
            self._kill(d)
            killed.append(d)
        self._low_morale(location, killed)

    def _low_morale(self, location: Location, killed: list[Defender]) -> None:
        """3.2, 3.3."""
        if not killed or any(d.has("O") for d in self.people_in(location)):
            return
        if self.rule["officer_killed"] == "yes" and any(d.has("O") for d in killed):
            return
        for d in self.people_in(location):
            if d.has("M"):
                self._kill(d)

    # ------------------------------------------------------------ Sniper (4.1)

    def _sniper(self, card: SSCard) -> Decision:
        assert card.table is not None
        colour = self.data["target_table"][card.table]["die"][self._dice(SS, 1)[0] - 1]
        d = self._target(colour)
        if d is None:
            return
        assert d.location is not None
        if self._success(SS, card.value + self._extra_dice(card.kind), d.location.defence):
            yield from self._deaths(d.location, [d], second_disrupt=False)

    # ------------------------------------------------------------ attack a location (4.2)

    def _attack_location(self, card: SSCard) -> Decision:
        assert card.table is not None
        table = self.data["target_table"][card.table]["die"]
        name = table[0] if len(set(table)) == 1 else table[self._dice(SS, 1)[0] - 1]
        location = self.location_by_id[name]
        if location.destroyed:
            return
        if not self._success(SS, card.value + self._extra_dice(card.kind), location.defence):
            return
        if not location.at_last_value:
            location.step += 1
        elif not location.destructible:
            yield from self._disrupt_everybody(location)
        elif self.rule["tank_at_4"] == "disrupt_first" and not location.hit_at_last:
            location.hit_at_last = True
            yield from self._disrupt_everybody(location)
        else:
            yield from self._destroy_tank(location)

    def _disrupt_everybody(self, location: Location) -> Decision:
        """4.2c, R-35, R-36."""
        second_kills = self.rule["location_second_disrupt"] == "killed"
        if self.rule["simultaneous"] == "one_by_one":
            for p in [p for p in self.positions if p.location is location]:
                d = self.at(p)
                if d is not None and (not d.disrupted or second_kills):
                    yield from self._disrupt(d)
            return
        batch = [d for d in self.people_in(location) if d.disrupted]
        for d in self.people_in(location):
            if not d.disrupted:
                d.disrupted = True
                self.tally["disruptions"] += 1
        if batch and second_kills:
            yield from self._deaths(location, batch, second_disrupt=True)

    def _destroy_tank(self, location: Location) -> Decision:
        """4.2d."""
        location.destroyed = True
        self.loaded = False
        crew = self.people_in(location)
        self.tank_empty = not crew
        saviours = [d for d in crew if d.has("S") and not (d.spent and self.rule["sacrifice_state"] == "yes")]
        spared: Defender | None = None
        if saviours and self.rule["sacrifice_in_tank"] != "not_possible":
            for d in [d for d in crew if d.french and d.has("I")]:
                action = yield STAGE_SACRIFICE, [code(SACRIFICE, 0), code(SACRIFICE, 1)]
                if action == code(SACRIFICE, 1):
                    self.tally["sacrifices"] += 1
                    if self.rule["sacrifice_in_tank"] == "possible":
                        self._remove(d, "reserve")
                    spared = d
                    break
        for d in crew:  # nobody is left for Low Morale
            if d is not spared:
                self._kill(d)

    # ------------------------------------------------------------ disrupt defenders (4.4)

    def _flak30(self, card: SSCard) -> Decision:
        """4.4; 7.3 when the card's table gives a location."""
        assert card.table is not None
        table = self.data["target_table"][card.table]
        named = table["die"][self._dice(SS, 1)[0] - 1]
        if table["gives"] == "location":
            places = [p for p in self.positions if p.location is self.location_by_id[named]]
        else:
            places = list(dict.fromkeys(self._faces(named)))  # each position once
        n = card.value + self._extra_dice(card.kind)
        if self.rule["flak30_order"] == "all_then_apply":
            hit: list[Defender] = []
            for p in places:
                d = self.at(p)
                if d is not None and self._success(SS, n, p.location.defence):
                    hit.append(d)
            for d in hit:
                if d.where == "board":
                    yield from self._disrupt(d)
            return
        for p in places:
            d = self.at(p)
            if d is not None:
                yield from self._disruption_attempt(d, n)

    def _suppressive_fire(self) -> Decision:
        extra = self._extra_dice("suppressive_fire")
        for area in self.areas:
            left = [self.guns["machine_gunner"][area], self.guns["mortar"][area]]
            while sum(left) > 0:
                which = 0 if left[0] > 0 else 1
                if left[0] > 0 and left[1] > 0:
                    if self.rule["suppressive_fire_order"] == "mortar_first":
                        which = 1
                    elif self.rule["suppressive_fire_order"] == "player":
                        action = yield STAGE_FIRE, [code(FIRE, 0), code(FIRE, 1)]
                        which = action % KIND_UNIT
                left[which] -= 1
                kind = self.kind_by_id["machine_gunner" if which == 0 else "mortar"]
                yield from self._disruption_by_colour(self.circles[area].colour, kind.disrupt_dice + extra)

    def _squad_size(self, colour: str) -> int:
        """7.4: SS counters on circles of this colour, of all kinds, areas and advance circles."""
        advancing = sum(self.circles[circle].colour == colour for circle in self.counters)
        guns = sum(n for rows in self.guns.values() for area, n in rows.items() if self.circles[area].colour == colour)
        return advancing + guns

    def _ss_squads(self) -> Decision:
        """7.4, R-65."""
        squads = self.data["squads"]
        reading, extra = self.rule["ss_squads"], self._extra_dice("ss_squads")
        for colour in squads["colours"]:
            n = self._squad_size(colour)
            if n == 0 or (reading == "threes" and n < squads["least"]):
                continue
            if reading == "everybody":
                for p in dict.fromkeys(self._faces(colour)):  # each position once
                    d = self.at(p)
                    if d is not None:
                        yield from self._disruption_attempt(d, n + extra)
            else:
                yield from self._disruption_by_colour(colour, (squads["dice"] if reading == "threes" else n) + extra)
