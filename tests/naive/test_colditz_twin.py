"""The compiled engine against the naive twin, action by action and die by die: every legal action, every pawn and card, every record."""

import heapq
import random
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import combinations, pairwise

import numpy as np
import pytest

from bartizan.simcore.colditz.components import (
    APPEL,
    ARGUMENTS,
    GERMAN,
    NONE,
    PLAYERS,
    TEAM,
    Act,
    Arc,
    Equipment,
    Place,
    Stage,
    Symbol,
    Tunnel,
)
from bartizan.simcore.colditz.engine import ENGINE
from bartizan.simcore.game import load_game
from bartizan.simcore.scenario.loading import load_scenario
from tests.colditz_table import Table
from tests.naive.colditz_twin import A_DOWN, A_KEY, A_PASS, A_UP, A_WIRE, Board, ColditzTwin, Decision
from tests.naive.compiled import ALL, Compiled, first

GAME = load_game("colditz")
PLAYER_COUNTS = range(1, PLAYERS + 1)
DATA = load_scenario(GAME).data


def only(deck: str, **counts: int) -> dict[str, int]:
    """A deck of these cards; a key is the beginning of a card's name."""
    return {
        f"{deck}.{card}.count": next((n for key, n in counts.items() if card.startswith(key)), 0) for card in DATA[deck]
    }


# What a random player hardly ever sees comes about too: a card every turn, long legs, few guards, and decks of one kind.
RICH = {
    "dice.draws_on": [3, 5, 7, 9, 11],
    **only(
        "opportunity",
        kit=4,
        bribe=4,
        advance=4,
        staff=3,
        talisman=3,
        tunnel=2,
        hideaway=5,
        diversion=2,
        inspection=1,
        equip=2,
        release=5,
        sabotage=1,
        move=1,
    ),
    **only("security", shoot=4, tunnel=4, arrest=3, appel=2, search=1),
}
LONG_LEGS = {"dice.sides": 12, "dice.draws_on": list(range(7, 22, 2))}
WILD = RICH | LONG_LEGS | {f"pawns.{k}.guards": 7 for k in PLAYER_COUNTS}
MOLES = LONG_LEGS | only("opportunity", tunnel=8, release=6, talisman=2, kit=4) | only("security", tunnel=8, shoot=4)
RAIDS = (
    LONG_LEGS
    | only("opportunity", bribe=8, advance=12, diversion=8, hideaway=4, equip=1)
    | only("security", search=4, appel=6)
)
RUNS = (
    LONG_LEGS
    | only("opportunity", kit=5, bribe=10, staff=8, release=4, hideaway=6, talisman=8)
    | only("security", shoot=8, arrest=4)
)
RUNS |= {"cells.inner": 1, "cells.outer": 2, "staff_car.distance": 90, "posts.outer_max": 2} | {
    f"pawns.{k}.guards": 6 for k in PLAYER_COUNTS
}
PROFILES = {"plain": {}, "rich": RICH, "wild": WILD, "moles": MOLES, "raids": RAIDS, "runs": RUNS}


WAYS: list[tuple] = []
FIELDS: dict[tuple[int, ...], dict[int, int]] = {}  # of `Wanderer._field`; every scenario has the same board


def ways_of(board) -> list[tuple]:
    """Gates, drops and wires in the order of the bits of `opened`; every scenario has the same board."""
    if not WAYS:
        first = board.arc_first.tolist()
        ways = {}
        for start in range(len(first) - 1):
            for arc in range(first[start], first[start + 1]):
                kind, end = board.arc_kind[arc], int(board.arc_to[arc])
                if kind == Arc.WIRE:
                    ways[int(board.arc_way[arc])] = ("wire", min(start, end), max(start, end))
                elif kind in (Arc.KEY, Arc.PASS):
                    ways[int(board.arc_way[arc])] = ("gate", end)
                elif kind == Arc.DOWN:
                    ways[int(board.arc_way[arc])] = ("drop", start, end)
        WAYS.extend(ways[number] for number in sorted(ways))
    return WAYS


class Fast(Compiled):
    """The compiled engine behind the twin's interface."""

    def __init__(self, scenario, seed: int, game: int):
        super().__init__(ENGINE, scenario, seed, game)
        self.ways = ways_of(self.tables.board)

    def legal(self) -> list[int]:
        return sorted(super().legal())

    def snapshot(self) -> dict:
        s, t = self.live, self.tables
        k = int(t.players)
        return {
            "stage": int(s.stage),
            "player": NONE if s.to_move == GERMAN else int(s.player),
            "turn_of": int(s.on_turn),
            "round": int(s.round),
            "pow_at": s.pow_at.tolist(),
            "under": s.under.tolist(),
            "guard_at": s.guard_at.tolist(),
            "hands": s.hand[:k, : t.n_cards].tolist(),
            "equipment": s.equipment[:k].tolist(),
            "kits": s.kit[:k].tolist(),
            "supply": s.supply.tolist(),
            "kit_supply": int(s.kit_supply),
            "orders": s.orders[: t.n_orders].tolist(),
            "discards": s.discards[: t.n_cards].tolist(),
            "order_discards": s.order_discards[: t.n_orders].tolist(),
            "deck_left": int(s.deck_size - s.deck_next),
            "order_left": int(s.order_size - s.order_next),
            "stakes_left": int(s.stakes_size - s.stakes_next),
            "points": int(s.points),
            "releases": int(s.releases),
            "tunnel": s.tunnel.tolist(),
            "opened": sorted(way for i, way in enumerate(self.ways) if int(s.opened) >> i & 1),
            "no_posting": bool(s.no_posting),
            "returning": np.flatnonzero(s.returning).tolist(),
            "escaped": s.escaped[:k].tolist(),
            "staked_out": s.staked_out[:k].tolist(),
            "out": s.out[:k].tolist(),
            "to_lose": s.to_lose[:k].tolist(),
        }

    def record(self) -> dict:
        row = super().record()
        return {name: int(row[name]) for name in row.dtype.names} | {"end_reason": int(self.state.end_reason)}


# ---------------------------------------------------------------- a random player with a sense of direction

WEIGHTS = {
    Act.END: 0.5, Act.STAY: 1, Act.DISCARD: 2, Act.GIVE: 0.1, Act.FORCE: 0.5, Act.RECALL: 0.3, Act.STAKE: 0.4, Act.FAST: 1, Act.SABOTAGE: 3, Act.CONVERT: 4,
    Act.PICK: 40, Act.GO: 10, Act.UNDER: 60, Act.CROSS: 25, Act.EQUIP: 40, Act.KIT: 80, Act.TUNNEL: 40, Act.CAR: 100, Act.WARN: 20, Act.HIDE: 20,
    Act.POST: 2, Act.ARREST: 2, Act.HOLDER: 4, Act.SEARCH: 20, Act.SHOOT: 40, Act.DETECT: 40,
}  # fmt: skip


class Wanderer:
    """Chooses at random, but POWs and guards mostly walk towards something."""

    def __init__(self, twin: ColditzTwin, seed: int, game: int):
        self.twin, self.board = twin, twin.board
        self.random = random.Random(1_000_003 * seed + game)
        self.back = ways_back(twin.board)
        self.picked = 0

    def choose(self, legal: list[int]) -> int:
        if self.twin.stage == Stage.GOTO and self.random.random() < 0.8:
            return self._walk(legal)
        kinds = sorted({action // ARGUMENTS for action in legal})
        weights = [self._weight(kind, kinds) for kind in kinds]
        kind = self.random.choices(kinds, weights)[0]
        action = self.random.choice([action for action in legal if action // ARGUMENTS == kind])
        if kind == Act.PICK:
            if self.random.random() < 0.7:
                action = self._favourite(legal) or action
            self.picked = action % ARGUMENTS
        return action

    def _favourite(self, legal: list[int]) -> int | None:
        """One pawn goes on for some rounds; the one nearest to a tunnel in use goes there first."""
        twin = self.twin
        numbers = [action % ARGUMENTS for action in legal if action // ARGUMENTS == Act.PICK]
        german = twin.player == NONE
        places = {i: twin.guard_at[i] if german else twin.pow_at[twin.player * TEAM + i] for i in numbers}
        diggers = [
            i
            for i in numbers
            if places[i] not in self._diggings() and (german or twin.under[twin.player * TEAM + i] == NONE)
        ]
        number = twin.round // 6 % (len(twin.pows) // twin.k)
        if self._diggings() and diggers:
            number = min(diggers, key=lambda i: (self._way_to_tunnel(places[i])[0], i))
        return Act.PICK * ARGUMENTS + number if number in numbers else None

    def _diggings(self) -> list[int]:
        """Where tunnels are to be entered, or to be found out."""
        twin, chains = self.twin, self.board.chains
        if twin.player != NONE:
            return [chain[0] for t, chain in enumerate(chains) if twin.tunnel[t] == Tunnel.OPEN]
        return [
            c
            for t, chain in enumerate(chains)
            if twin.inside(t) or (twin.detected[t] and twin.tunnel[t] != Tunnel.TAKEN)
            for c in chain
            if self.board.arcs[c]
        ]

    def _way_to_tunnel(self, place: int) -> tuple[int, int]:
        """Steps to the nearest circle of a tunnel, and that circle."""
        return min((self.board.steps(c).get(place, 999), c) for c in self._diggings())

    def _weight(self, kind: int, kinds: list[int]) -> float:
        if kind == Act.END and Act.PICK not in kinds:
            return 4
        if kind == Act.TUNNEL and not (
            self.twin.points >= 10 and any(self._crowd(t) for t in range(len(self.board.chains)))
        ):
            return 0.01
        return WEIGHTS.get(kind, 8)

    def _crowd(self, t: int) -> bool:
        """Are there two POWs of the player near the first circle of a tunnel?"""
        near = self.board.steps(self.board.chains[t][0])
        twin = self.twin
        return sum(twin.on_surface(w) and near.get(twin.pow_at[w], 99) <= 6 for w in twin.team(twin.player)) >= 2

    def _walk(self, legal: list[int]) -> int:
        """As near to the goal as may be; now and then a guard arrests somebody on the way."""
        twin = self.twin
        german = twin.player == NONE
        here = twin.guard_at[self.picked] if german else twin.pow_at[twin.player * TEAM + self.picked]
        field = self.board.steps(self._prey(here)) if german else self._field(self._goal(twin.player, self.picked))
        arrests = [action for action in legal if action // ARGUMENTS == Act.ARREST]
        if arrests and self.random.random() < 0.3:
            return self.random.choice(arrests)
        tunnel = NONE if german else twin.under[twin.player * TEAM + self.picked]
        if tunnel != NONE and not twin.had_two[tunnel] and Act.STAY * ARGUMENTS in legal:
            return Act.STAY * ARGUMENTS
        deeper = [action for action in legal if action // ARGUMENTS == Act.UNDER]
        if deeper and tunnel == NONE:
            return max(
                deeper,
                key=lambda action: self.board.chains[twin.tunnel_of(action % ARGUMENTS)].index(action % ARGUMENTS),
            )
        places = {
            action: here if action // ARGUMENTS == Act.STAY else action % ARGUMENTS
            for action in legal
            if action // ARGUMENTS not in (Act.ARREST, Act.FORCE)
        }
        return min(places, key=lambda action: (field.get(places[action], 999), action)) if places else legal[0]

    def _prey(self, here: int) -> int:
        """Where a guard goes: to a tunnel in use, or to some POW."""
        twin = self.twin
        if self._diggings() and self.random.random() < 0.8:
            return self._way_to_tunnel(here)[1]
        loose = [c for w, c in enumerate(twin.pow_at) if c > APPEL and twin.under[w] == NONE]
        return self.random.choice(loose or [self.board.pass_circle])

    def _goal(self, p: int, i: int) -> list[int]:
        twin, board = self.twin, self.board
        aim = (p + twin.round // 5) % 4
        kept = [card for card, n in zip(twin.cards, twin.hands[p]) if n]
        mine = [card.tunnel for card in kept if card.does == "tunnel" and twin.tunnel[card.tunnel] == Tunnel.UNUSED]
        diggings = [board.chains[t][0] for t in range(len(board.chains)) if twin.tunnel[t] == Tunnel.OPEN or t in mine]
        if diggings and i != p and twin.under[p * TEAM + i] == NONE:
            return diggings
        if any(card.does == "staff_car" for card in kept):
            return sorted(board.car_circles)
        if twin.kits[p] or aim == 3 or twin.under[p * TEAM + i] != NONE:
            return sorted(board.targets)
        symbol = Symbol.disguise + i % 4 if aim % 2 == 0 else (i // 2 + twin.round) % len(Equipment)
        return [c for c, room in board.room.items() if room != NONE and board.symbol[room] == symbol]

    def _field(self, goal: list[int]) -> dict[int, int]:
        """How far it is from everywhere to these circles; a way that takes a card he has not is long."""
        held = [n > 0 for n in self.twin.equipment[self.twin.player]]
        key = (*goal, *held)
        if key not in FIELDS:
            field = dict.fromkeys(goal, 0)
            heap = [(0, c) for c in goal]
            while heap:
                d, c = heapq.heappop(heap)
                for a, card in self.back[c] if d == field[c] else ():
                    there = d + (1 if card is None or held[card] else 30)
                    if there < field.get(a, there + 1):
                        field[a] = there
                        heapq.heappush(heap, (there, a))
            FIELDS[key] = field
        return FIELDS[key]


@cache
def ways_back(board: Board) -> dict[int, list[tuple[int, Equipment | None]]]:
    """Every way of the board backwards, tunnels included, with the card it takes."""
    cards = {A_KEY: Equipment.key, A_PASS: Equipment.passes, A_WIRE: Equipment.wire_cutters, A_DOWN: Equipment.rope}
    back: dict[int, list[tuple[int, Equipment | None]]] = {c: [] for c in board.arcs}
    for a, arcs in board.arcs.items():
        for arc in arcs:
            if arc.kind != A_UP:
                back[arc.to].append((a, None if arc.free else cards.get(arc.kind)))
    for chain in board.chains:
        for a, b in pairwise(chain):
            back[b].append((a, None))
    return back


def conserved(twin: ColditzTwin) -> None:
    """12: nothing comes from nowhere and nothing is lost."""
    data, shot = twin.data, twin.snapshot()
    above = [c for c, under in zip(shot["pow_at"], shot["under"]) if c > APPEL and under == NONE] + [
        c for c in shot["guard_at"] if c > APPEL
    ]
    below = [c for c, under in zip(shot["pow_at"], shot["under"]) if under != NONE]
    assert len(set(above)) == len(above) and len(set(below)) == len(below)
    for e, name in enumerate(data["equipment"]):
        assert shot["supply"][e] + sum(held[e] for held in shot["equipment"]) == data["equipment"][name]["count"]
    assert shot["kit_supply"] + sum(shot["kits"]) == data["kit"]["count"]
    assert shot["deck_left"] + sum(shot["discards"]) + sum(map(sum, shot["hands"])) == sum(
        card["count"] for card in data["opportunity"].values()
    )
    assert shot["order_left"] + sum(shot["order_discards"]) + sum(shot["orders"]) == sum(
        card["count"] for card in data["security"].values()
    )


def agreed(fast: Fast, twin: ColditzTwin, where: str) -> list[int]:
    """The same position, and the same legal actions: these."""
    assert not twin.over, f"{where}: only the twin is over"
    assert fast.snapshot() == twin.snapshot(), where
    assert fast.seat == twin.seat, where
    legal = fast.legal()
    assert legal == twin.legal(), f"{where}: legal actions, stage {fast.state.stage}"
    return legal


def compare(scenario, seed: int, game: int) -> tuple[Counter, dict]:
    """Play one game on both and hold everything equal, and lose nothing; returns how often each kind of action occurred, and the record."""
    fast, twin = Fast(scenario, seed, game), ColditzTwin(scenario.data, seed, game)
    wanderer, acts = Wanderer(twin, seed, game), Counter()
    while not fast.over:
        where = f"seed {seed} game {game} ply {acts.total()}"
        action = wanderer.choose(agreed(fast, twin, where))
        acts[action // ARGUMENTS] += 1
        fast.apply(action)
        twin.apply(action)
        if twin.stage == Stage.TURN:
            conserved(twin)
    conserved(twin)
    assert twin.over, f"seed {seed} game {game}: only the engine is over"
    record = twin.record()
    assert {key: value for key, value in fast.record().items() if key in record} == record, f"seed {seed} game {game}"
    return acts, record


def scenario_with(*sets: dict, **more):
    return load_scenario(GAME, None, None, {path: value for some in (*sets, more) for path, value in some.items()})


def other_readings() -> list[tuple[str, str]]:
    model = load_scenario(GAME).model
    return [
        (key, reading)
        for key, ruling in model.ruling.items()
        for reading in ruling.readings
        if reading != model.rulings[key]
    ]


def random_readings(choice: random.Random) -> dict[str, str]:
    model = load_scenario(GAME).model
    return {f"rulings.{key}": choice.choice(ruling.readings) for key, ruling in model.ruling.items()}


def most_players(sets: dict, k: int) -> int:
    """With `covered_posts = plain` there is one black circle in the Inner Courtyard (2.4)."""
    return 1 if sets.get("rulings.covered_posts") == "plain" else k


def a_mixture(choice: random.Random, k: int, rounds: int) -> tuple[dict, ...]:
    """Decks, readings and form of the game drawn at random."""
    readings = random_readings(choice)
    if k > 1:
        readings["rulings.covered_posts"] = "black"
    form = {"result.form": choice.choice(["summary", "summary", "race"]), "result.target": choice.choice([1, 2])}
    return choice.choice(list(PROFILES.values())), readings, form, {"players.allied": k, "limit.rounds": rounds}


# ---------------------------------------------------------------- both


@pytest.mark.rotating
@pytest.mark.parametrize(
    ("k", "profile"), [(k, profile) for i, profile in enumerate(PROFILES) for k in PLAYER_COUNTS if ALL or (i + k) % 2]
)
def test_short_games_agree(k, profile):
    """Each profile with every other number of players."""
    scenario = scenario_with(PROFILES[profile], {"players.allied": k, "limit.rounds": 10})
    for game in first(1, of=5):
        compare(scenario, 11, game)


@pytest.mark.parametrize("k", PLAYER_COUNTS if ALL else (1, 3, 5))
def test_whole_games_agree(k):
    scenario = scenario_with({"players.allied": k})
    for game in first(1, of=3):
        compare(scenario, 12, game)


ROUNDS = {
    "climb_drops": 8,
    "no_posting_after": 8,
    "chase_alone": 9,
    "leave_tunnel": 11,
    "range_throws_draw": 12,
    "detect_closes": 12,
}


@pytest.mark.rotating
@pytest.mark.parametrize(("key", "reading"), other_readings())
def test_every_reading_of_every_ruling_agrees(key, reading):
    """Each ruling by itself, in an eventful game that goes on until a twin that ignores the reading is found out: in the sixth round, or in the one before that of `ROUNDS`.

    If it is not found out in the first twelve rounds, those of a second game do not do it either.
    Then the combinations do it, or a position (`all_readings_agree`); `doubling_back` (Q6) and `allied_hands` (Q28) have no effect on play.
    """
    counts = (3, 1, 5, 2)
    for game in first(1, of=len(counts)):
        k = counts[game]
        sets = {f"rulings.{key}": reading}
        compare(
            scenario_with(
                WILD, sets, {"players.allied": most_players(sets, k), "limit.rounds": 12 if ALL else ROUNDS.get(key, 7)}
            ),
            13,
            game,
        )


def test_readings_agree_in_combination():
    """Readings drawn at random, all at once: where two rulings meet. Over all games every kind of action and of loss occurs."""
    acts, tally, choice = Counter(), Counter(), random.Random(16)
    for game in first(12, of=90):
        done, record = compare(scenario_with(*a_mixture(choice, 1 + game % PLAYERS, 14)), 16, game)
        acts.update(done)
        tally.update(record)
    losses = (
        "escapes", "stake_escapes", "stakes_failed", "arrested", "forced", "searched", "taken_by_appel", "holders",
        "tunnellers", "shot",
    )  # fmt: skip
    assert not ALL or (all(acts[act] for act in Act) and all(tally[name] for name in losses))
    assert sum(acts[act] > 0 for act in Act) > 0.8 * len(Act) and sum(tally[name] > 0 for name in losses) >= 5


# ---------------------------------------------------------------- positions that hardly any game comes to


class Placed(ColditzTwin):
    """The twin in a position of the engine, in which player 0 has made his throw in the first round.

    What is not copied stands as at the beginning of the game; a position where it does not is refused by the first comparison.
    """

    def __init__(self, scenario, fast: Fast):
        self.fast, self.thrown = fast, False
        super().__init__(scenario.data, 1, 0)

    def _setup(self) -> Decision:
        """In the place of 2.4."""
        s, shot = self.fast.live, self.fast.snapshot()
        for name in ("pow_at", "under", "guard_at", "equipment", "kits", "supply", "kit_supply", "orders", "tunnel"):
            setattr(self, name, shot[name])
        self.had_two = s.had_two.tolist()
        self.order_deck.left = s.order_deck[s.order_next : s.order_size].tolist()
        self.stakes = s.stakes[s.stakes_next : s.stakes_size].tolist()
        yield from ()

    def _movement_throw(self, who: int) -> None:
        if self.thrown:
            super()._movement_throw(who)
        else:
            self.thrown, self.points = True, int(self.fast.live.points)


def every_answer(table: Table, before: tuple) -> dict[int, dict]:
    """After these actions every legal one is played on both; returns what came of each."""

    def placed() -> tuple[Fast, ColditzTwin]:
        fast = Fast(table.scenario, 1, 0)
        fast.states[:] = table.states
        twin = Placed(table.scenario, fast)
        for act, argument in before:
            assert act * ARGUMENTS + argument in agreed(fast, twin, f"before {act.name}")
            fast.apply(act * ARGUMENTS + argument)
            twin.apply(act * ARGUMENTS + argument)
        return fast, twin

    answers = {}
    for action in agreed(*placed(), f"after {before}"):
        fast, twin = placed()
        fast.apply(action)
        twin.apply(action)
        where = f"{Act(action // ARGUMENTS).name} {action % ARGUMENTS}"
        agreed(fast, twin, where)
        answers[action] = fast.snapshot()
    return answers


def all_readings_agree(key: str, position: Callable[[Table], Table], *before: tuple, **sets) -> None:
    """A position in which a ruling is felt: no two readings play alike, so who does not read the key disagrees under one of them."""
    readings = load_scenario(GAME).model.ruling[key].readings
    answers = [every_answer(position(Table(**{key: reading}, **sets)), before) for reading in readings]
    assert all(one != other for one, other in combinations(answers, 2)), f"{key} is not felt here"


@pytest.mark.rule("3.7")
def test_a_do_or_die_deck_that_has_run_out_agrees():
    """Q45"""
    all_readings_agree(
        "stake_deck", lambda table: table.kit(0).pows({0: 899}).stakes_drawn(), players=2, stake_and_throw="after"
    )


@pytest.mark.rule("4.12")
def test_a_forced_arrest_over_a_way_that_costs_a_card_agrees():
    """Q43: a guard on the KEY circle 1002."""
    all_readings_agree(
        "force_pays", lambda table: table.pows({0: 1001}).guards(1002).equipment(0, key=1), (Act.PICK, 0)
    )


@pytest.mark.rule("7.4")
def test_full_cells_agree():
    """Q16: a POW next to a guard, and no cell is free."""
    locked = {1: Place.CELL_INNER, 2: Place.CELL_OUTER}
    all_readings_agree(
        "full_cells",
        lambda table: table.pows({0: 971, **locked}).guards(952),
        (Act.PICK, 0),
        **{"cells.inner": 1, "cells.outer": 1},
    )


@pytest.mark.rule("8.5")
def test_a_tunnel_found_by_the_card_agrees():
    """Q18: two guards stand on the Canteen tunnel when the card is played."""
    all_readings_agree(
        "detection",
        lambda table: table.below("canteen", {1: 222, 2: 221}).guards(223, 167).security("tunnel_detected"),
        (Act.END, 0),
    )


@pytest.mark.rule("9.2")
def test_a_search_of_the_room_with_a_safe_circle_agrees():
    """Q42: the POW stands on it, 558 in the Chapel."""
    all_readings_agree(
        "search_safe",
        lambda table: table.pows({0: 558}).equipment(0, rope=1).guards(527).security("search_chapel"),
        (Act.END, 0),
    )


@pytest.mark.slow
@pytest.mark.parametrize("k", PLAYER_COUNTS)
def test_thousands_of_games_agree(k):
    choice = random.Random(16 + k)
    for game in range(600):
        if game % 10:
            scenario = scenario_with(*a_mixture(choice, k, choice.choice([8, 12, 16])))
        else:
            scenario = scenario_with({"players.allied": k})
        compare(scenario, 16, game)
