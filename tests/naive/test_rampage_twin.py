"""The compiled engine against the naive twin, action by action and card by card: every legal action in its order, every zone, every record."""

import random
from collections import Counter
from dataclasses import dataclass, field
from itertools import product

import pytest

from bartizan.simcore.game import load_game
from bartizan.simcore.rampage.components import (
    ANY,
    ARGUMENTS,
    AS_PERMANENT,
    DECK,
    KINDS,
    NEED,
    ROOM,
    SEATS,
    STRUCTURES,
    UNITS,
    WHEN_DESTROYED,
    WHEN_PLAYED,
    Act,
    End,
    Op,
    Stage,
)
from bartizan.simcore.scenario.loading import load_scenario
from tests.naive.compiled import Compiled, first
from tests.naive.rampage_twin import RampageTwin

GAME = load_game("rampage")
SCENARIO = load_scenario(GAME)
MODEL = SCENARIO.model
NOT_IN_RECORD = {"game", "plies", "end_reason"}  # the loop writes them
READINGS = [
    (key, reading)
    for key, ruling in MODEL.ruling.items()
    for reading in ruling.readings
    if reading != MODEL.rulings[key]
]


class Fast(Compiled):
    """The compiled engine behind the twin's interface."""

    log_may_overflow = True

    def __init__(self, scenario, seed: int, game: int):
        super().__init__(GAME.compiled, scenario, seed, game)
        self.kinds = len(scenario.model.card)

    def stack(self, p: int, structure: int) -> list[int]:
        s = self.live
        ring, top, size = s.stack[p, structure].tolist(), int(s.top[p, structure]), int(s.size[p, structure])
        return [ring[(top + i) % ROOM] for i in range(size)]

    def snapshot(self) -> dict:
        s, k = self.live, self.kinds
        stage = int(s.stage)
        shot = {
            "stage": stage,
            "to_move": int(s.to_move),
            "turn": int(s.turn),
            "hand": s.hand[:, :k].tolist(),
            "dealt": s.dealt[:, :k].tolist(),
            "stacks": [[self.stack(p, structure) for structure in range(STRUCTURES)] for p in range(SEATS)],
            "known": [[bool(known) for known in seat] for seat in s.known.tolist()],
            "laid": s.laid[:, :k].tolist(),
            "front": s.front[:, :k].tolist(),
            "discards": s.discards[:k].tolist(),
            "resting": s.resting[:k].tolist(),
            "aside": s.aside[:k].tolist(),
            "pile": s.pile[s.pile_next : s.pile_size].tolist(),
            "shuffles": int(s.shuffles),
        }
        if stage == Stage.MAIN:
            shot |= {"plays": int(s.plays), "strengthened": int(s.strengthened), "tired": s.tired[:k].tolist()}
        elif stage > Stage.MAIN:
            shot |= {"tired": s.tired[:k].tolist()} | ({} if stage == Stage.DROP else {"table": int(s.card)})
        if stage == Stage.PAY:
            shot |= {"need": [int(s.need) >> shift & (1 << NEED) - 1 for shift in (*range(0, ANY, NEED), ANY)]}
        return shot

    def end(self) -> tuple[int, int]:
        return int(self.state.end_reason), int(self.state.loser)

    def record(self) -> dict:
        row = super().record()
        return {name: int(row[name]) for name in row.dtype.names if name not in NOT_IN_RECORD}


def snapshot(twin: RampageTwin) -> dict:
    """The same of the twin."""

    def counts(zone: list[int]) -> list[int]:
        held = [0] * len(twin.kinds)
        for k in zone:
            held[k] += 1
        return held

    shot = {
        "stage": twin.stage,
        "to_move": twin.to_move,
        "turn": twin.turn,
        "hand": [counts(hand) for hand in twin.hand],
        "dealt": [counts(dealt) for dealt in twin.dealt],
        "stacks": twin.stacks,
        "known": twin.known,
        "laid": [counts(laid) for laid in twin.laid],
        "front": [counts(front) for front in twin.front],
        "discards": counts(twin.discards),
        "resting": counts(twin.resting),
        "aside": counts(twin.aside),
        "pile": twin.pile,
        "shuffles": twin.shuffles,
    }
    if twin.stage == Stage.MAIN:
        shot |= {"plays": twin.plays, "strengthened": twin.strengthened, "tired": counts(twin.tired)}
    elif twin.stage > Stage.MAIN:
        shot |= {"tired": counts(twin.tired)} | ({} if twin.stage == Stage.DROP else {"table": twin.table[0]})
    if twin.stage == Stage.PAY:
        shot |= {"need": [*twin.need[:-1], *[0] * (UNITS - len(twin.units)), twin.need[-1]]}
    return shot


# ---------------------------------------------------------------- a player, and what was seen


class Lively:
    """Chooses at random, and as often as `keen` says plays a card rather than anything else: castles fall, and every effect happens."""

    EAGER = {Act.PLAY, Act.ATTACK}
    PASSIVE = {Act.END}

    def __init__(self, seed: int, game: int, keen: float | None = None):
        self.random = random.Random(1_000_003 * seed + game)
        self.keen = self.random.choice([0, 0.5, 0.8, 0.95]) if keen is None else keen

    def choose(self, legal: list[int]) -> int:
        if self.random.random() < self.keen:
            plays = [action for action in legal if action // ARGUMENTS in self.EAGER]
            others = [action for action in legal if action // ARGUMENTS not in self.PASSIVE]
            return self.random.choice(plays or (legal if len(legal) == 1 or self.random.random() < 0.5 else others))
        if self.random.random() < 0.5:
            act = self.random.choice(sorted({action // ARGUMENTS for action in legal}))
            legal = [action for action in legal if action // ARGUMENTS == act]
        return self.random.choice(legal)


@dataclass
class Seen:
    """What happened in a number of games."""

    games: int = 0
    plies: int = 0
    acts: Counter = field(default_factory=Counter)
    stages: Counter = field(default_factory=Counter)
    ops: Counter = field(default_factory=Counter)
    ends: Counter = field(default_factory=Counter)
    columns: Counter = field(default_factory=Counter)

    def action(self, stage: int, action: int) -> None:
        self.plies += 1
        self.acts[action // ARGUMENTS] += 1
        self.stages[stage] += 1

    def game(self, twin: RampageTwin) -> None:
        self.games += 1
        self.ops.update(twin.seen)
        self.ends[twin.end_reason] += 1
        self.columns.update({column: int(value > 0) for column, value in twin.record().items()})

    def missing(self) -> dict[str, set[str]]:
        """What of the game was never seen."""
        ops = {*WHEN_PLAYED, *AS_PERMANENT, *WHEN_DESTROYED}
        assert ops == {op.name for op in Op if op != Op.none}
        missing = {
            "acts": {act.name for act in Act if not self.acts[act]},
            "stages": {stage.name for stage in Stage if stage != Stage.NONE and not self.stages[stage]},
            "ops": {op for op in ops if not self.ops[op]},
            "ends": {end.name for end in End if not self.ends[end]},
            "columns": {column for column, count in self.columns.items() if not count},
        }
        return {what: names for what, names in missing.items() if names}


def play_alone(scenario, seed: int, game: int, seen: Seen, keen: float | None = None) -> RampageTwin:
    """The twin by itself: its cards are always those of the deck (R19)."""
    twin, player = RampageTwin(scenario.model, seed, game), Lively(seed, game, keen)
    deck = [k for k, card in enumerate(scenario.model.card.values()) for _ in range(card.count)]
    while not twin.over:
        assert sorted(twin.all_cards()) == deck
        legal = twin.legal_actions()
        assert len(set(legal)) == len(legal)
        action = player.choose(legal)
        seen.action(twin.stage, action)
        twin.apply(action)
    assert sorted(twin.all_cards()) == deck
    seen.game(twin)
    return twin


def compare(scenario, seed: int, game: int, seen: Seen | None = None, keen: float | None = None) -> RampageTwin:
    """Play one game on both and hold everything equal; returns the twin."""
    seen = Seen() if seen is None else seen
    sets = {path: value for path, value in scenario.overrides.items() if path != "card"}
    fast, twin, player = Fast(scenario, seed, game), RampageTwin(scenario.model, seed, game), Lively(seed, game, keen)
    plies = 0
    while not fast.over:
        where = f"seed {seed} game {game} ply {plies} sets {sets}"
        assert not twin.over, f"{where}: only the twin is over"
        mine, theirs = snapshot(twin), fast.snapshot()
        assert theirs == mine, f"{where}: {[key for key in mine if mine[key] != theirs.get(key)]}"
        legal = fast.legal()
        assert legal == twin.legal_actions(), f"{where}: legal actions, stage {twin.stage}"
        action = player.choose(legal)
        seen.action(twin.stage, action)
        fast.apply(action)
        twin.apply(action)
        plies += 1
    where = f"seed {seed} game {game} sets {sets}"
    assert twin.over, f"{where}: only the engine is over"
    assert fast.end() == (twin.end_reason, twin.loser), where
    assert fast.record() == twin.record(), f"{where}: record"
    seen.game(twin)
    return twin


# ---------------------------------------------------------------- scenarios


def scenario_with(*sets: dict):
    return load_scenario(GAME, None, None, {path: value for some in sets for path, value in some.items()})


def short(turns: int = 60) -> dict:
    return {"limit.turns": turns}


def random_readings(choice: random.Random) -> dict[str, str]:
    return {f"rulings.{key}": choice.choice(ruling.readings) for key, ruling in MODEL.ruling.items()}


# Numbers nobody would print: a rule that leans on one of the published values gives itself away.
NUMBERS = {
    "turn.draw": [0, 1, 3, 4, 10],
    "turn.first_draw": [0, 2, 3],
    "turn.strengthen": [0, 2, 3],
    "turn.hand_limit": [0, 1, 3, 5],
    "limit.turns": [1, 2, 7, 30],
    "limit.plays": [1, 2, 3, 5],
}
SETUPS = [
    (1, 4, 0, 1),
    (1, 6, 2, 3),
    (3, 3, 1, 2),
    (4, 2, 0, 1),
    (2, 5, 3, 2),
    (2, 7, 2, 4),
    (6, 1, 0, 1),
    (6, 7, 3, 3),
]


def odd_numbers(choice: random.Random) -> dict:
    sets = short(choice.choice([20, 40, 60])) | {"turn.hand_limit": choice.choice([2, 4])}
    for path in choice.sample(sorted(NUMBERS), choice.randrange(4)):
        sets[path] = choice.choice(NUMBERS[path])
    if choice.random() < 0.4:
        sets |= dict(
            zip(
                ("setup.batches", "setup.batch_size", "setup.gate_per_batch", "setup.castle_per_batch"),
                choice.choice(SETUPS),
            )
        )
    return sets


def a_mixture(choice: random.Random) -> dict:
    return odd_numbers(choice) | random_readings(choice)


# ---------------------------------------------------------------- random decks


def a_deck(choice: random.Random, sets: dict) -> dict:
    """Sets for a deck of made-up cards, which goes with other sets: anything section 7 can say."""
    units = ["axe", "knight", "archer", "drummer"][: choice.randint(1, 4)]
    mixed = (
        sets.get("rulings.several_symbols") != "yes"
    )  # A9 `yes`: no card with both units and other cards in one cost
    few = choice.random() < 0.5  # a small deck: the pile runs out
    kinds = choice.randint(6, 10) if few else choice.randint(10, 30)
    cards = {f"k{i:02}": a_card(choice, units, mixed) for i in range(kinds)}
    for name in choice.sample(sorted(cards), kinds // 3):
        cards[name]["count"] = choice.randint(0, 3)
    cards["plain"] = a_card(choice, units, mixed) | {
        "purple": False,
        "count": max(
            SEATS * sets.get("setup.batches", 2) * sets.get("setup.batch_size", 5), choice.choice([20, 30, 60])
        ),
    }
    if choice.random() < 0.5:
        _walls(choice, cards)
    return {"units.types": units, "card": cards}


def _walls(choice: random.Random, cards: dict) -> None:
    """Attacks are repelled more often, and games last longer. Modifies `cards`."""
    for card in cards.values():
        card["gate"], card["castle"] = card["gate"] + choice.randint(0, 4), card["castle"] + choice.randint(0, 6)
        card["on_play"] = [
            entry for entry in card["on_play"] if "destroy_t" not in entry["op"] and "own_top" not in entry["op"]
        ]
        if card["permanent"] and not card["on_play"]:
            card["on_play"] = [{"op": choice.choice(AS_PERMANENT), "n": 1}]


def a_card(choice: random.Random, units: list[str], mixed: bool) -> dict:
    attack = choice.choice([0, 0, 1, 2, 3, 4, 6, 9, 14])
    permanent = choice.random() < 0.25
    by_units = choice.random() < 0.5
    cost = a_cost(choice, units, mixed, by_units) if choice.random() < 0.4 else []
    card = {
        "name": "made up",
        "count": choice.randint(1, 5),
        "units": choice.sample(units, choice.randint(0, len(units))),
        "gate": choice.choice([0, 1, 1, 2, 2, 3, 4, 6]),
        "castle": choice.choice([0, 1, 1, 2, 2, 3, 4, 6]),
        "attack": attack,
        "cost": cost,
        "place_cost": a_cost(choice, units, mixed, choice.random() < 0.3) if choice.random() < 0.2 else [],
        "on_play": a_list(
            choice,
            (*WHEN_PLAYED, *AS_PERMANENT, *AS_PERMANENT) if permanent else WHEN_PLAYED,
            permanent or choice.random() < 0.5,
        ),
        "target": choice.choice(["normal", "normal", "castle", "choose"]),
        "on_repelled": choice.choice(["discard", "discard", "return"]),
        "on_destroyed_in_attack": a_list(choice, WHEN_DESTROYED, choice.random() < 0.35),
        "permanent": permanent,
        "purple": choice.random() < 0.15,
        "source": "made up",
        "confidence": "assumed",
    }
    if attack and choice.random() < 0.35 and (mixed or not any(entry["op"] == "discard" for entry in cost)):
        card["boost"] = {"unit": choice.choice(units), "n": choice.choice([1, 1, 2]), "strength": choice.randint(1, 6)}
    return card


def a_cost(choice: random.Random, units: list[str], mixed: bool, by_units: bool) -> list[dict]:
    entries = []
    for _ in range(choice.choice([1, 1, 2, 3])):
        if mixed:
            by_units = choice.random() < 0.5
        entry = {"op": "discard_unit", "unit": choice.choice(units)} if by_units else {"op": "discard"}
        entries.append(entry | {"n": choice.choice([1, 1, 1, 2])})
    return entries


def a_list(choice: random.Random, ops: tuple[str, ...], some: bool) -> list[dict]:
    entries = []
    for _ in range(choice.choice([1, 1, 2, 4]) if some else 0):
        op = choice.choice(ops)
        entries.append(
            {"op": op}
            if op in ("opp_discard_unit_type", "end_attack")
            else {"op": op, "n": choice.choice([1, 1, 2, 3])}
        )
    return entries


def a_full_deck(choice: random.Random) -> dict:
    """As many kinds, cards and units as there is room for, and numbers as large as may be; most cards are walls, so that stacks and hands grow."""
    units = ["axe", "knight", "archer", "drummer"]
    cards = {f"f{i:02}": a_card(choice, units, mixed=False) | {"count": 4, "purple": False} for i in range(KINDS)}
    _walls(choice, cards)
    for card in choice.sample(list(cards.values()), KINDS // 3):
        card["gate"], card["castle"] = choice.randint(0, 20), choice.randint(0, 20)
        for entry in (*card["on_play"], *card["on_destroyed_in_attack"]):
            if "n" in entry:
                entry["n"] = choice.randint(1, 20)
    for card in choice.sample(list(cards.values()), KINDS // 2):
        card.pop("boost", None)
        card["attack"] = 0
    cards["f00"]["count"] += DECK - 4 * KINDS
    return {"units.types": units, "card": cards}


def a_strange_game(choice: random.Random):
    """A made-up deck under a mixture of readings and numbers."""
    sets = a_mixture(choice)
    return scenario_with(sets, a_deck(choice, sets))


# ---------------------------------------------------------------- the twin by itself


@pytest.mark.rule("1.1")
def test_the_twin_plays_alone():
    """R19, and games end."""
    seen = Seen()
    for game in range(20):
        play_alone(SCENARIO, 40, game, seen, keen=0.9)
    assert seen.ends[End.CASTLE_FELL] > 5


def can_pay_by_trying(twin: RampageTwin, hand: list[int], need: list[int]) -> bool:
    """4.3 without any formula: give each demanded card one from the hand, in all ways."""
    if not any(need):
        return True
    which = next(i for i, n in enumerate(need) if n)
    payers = {k for k in hand if which == len(twin.units) or twin.shows(k, twin.units[which])}
    return any(
        can_pay_by_trying(twin, twin._without(hand, k), [n - (i == which) for i, n in enumerate(need)]) for k in payers
    )


@pytest.mark.rule("4.3")
def test_what_can_be_paid_is_what_can_be_paid_by_trying():
    choice = random.Random(41)
    scenario = scenario_with({"units.types": ["axe", "knight", "archer"]})
    twin = RampageTwin(scenario.model, 41, 0)
    for need in product(range(3), repeat=len(twin.units) + 1):
        for size in (1, 2, 3, 4, 5):
            hand = choice.choices(twin.kinds, k=size)
            assert twin._can_pay(hand, list(need)) == can_pay_by_trying(twin, hand, list(need)), (hand, need)


# ---------------------------------------------------------------- both


@pytest.mark.rule("3.1")
@pytest.mark.parametrize("keen", [0, 0.5, 0.8, 0.95])
def test_the_deck_agrees(keen):
    scenario = scenario_with(short(80))
    for game in first(10, of=60):
        compare(scenario, 42, game, keen=keen)


@pytest.mark.rule("6.4")
def test_whole_games_agree():
    """With the limits as they are."""
    for game in first(6, of=12):
        compare(SCENARIO, 43, game, keen=[0, 0.9][game % 2])


@pytest.mark.rotating
@pytest.mark.parametrize(("key", "reading"), READINGS)
def test_every_reading_of_every_ruling_agrees(key, reading):
    """Each ruling by itself, with the deck as it is and with made-up ones. A twin that ignores a reading is found out by the sixth game, or by none of ten; of `empty_pile` by the tenth."""
    games = first(10 if key == "empty_pile" else 6, of=30)
    choice = random.Random(f"{key} {reading}")
    seen = Seen()
    for game in games:
        sets = odd_numbers(choice) | {f"rulings.{key}": reading}
        deck = a_deck(choice, sets) if game % 2 else {}
        compare(scenario_with(sets, deck), 44, game, seen)
    assert seen.games == len(games)


@pytest.mark.rule("8")
def test_mixtures_agree():
    """Readings and numbers drawn at random, all at once: where two rulings meet."""
    choice, seen = random.Random(45), Seen()
    for game in first(150, of=300):
        compare(scenario_with(a_mixture(choice)), 45, game, seen)
    assert seen.missing() == {}


@pytest.mark.rule("7")
def test_made_up_decks_agree():
    """Any deck the vocabulary can say; everything the game knows is seen."""
    choice, seen = random.Random(46), Seen()
    for game in first(60, of=500):
        compare(a_strange_game(choice), 46, game, seen)
    assert seen.missing() == {}


@pytest.mark.rule("7")
def test_full_decks_agree():
    """Sixty kinds and 250 cards, large hands and stacks."""
    choice, largest = random.Random(48), Counter()
    for game in first(20, of=40):
        sets = (
            random_readings(choice)
            | short(40)
            | {"turn.draw": choice.choice([2, 10]), "turn.strengthen": choice.choice([1, 10]), "turn.hand_limit": 100}
        )
        twin = compare(scenario_with(sets, a_full_deck(choice)), 48, game, keen=choice.choice([0, 0.5]))
        largest["hand"] = max(largest["hand"], *map(len, twin.hand))
        largest["stack"] = max(largest["stack"], *(len(stack) for seat in twin.stacks for stack in seat))
    assert largest["hand"] > 60
    assert largest["stack"] > 30


@pytest.mark.slow
@pytest.mark.parametrize("part", range(6))
def test_thousands_of_games_agree(part):
    choice = random.Random(470 + part)
    for game in range(1000):
        scenario = [SCENARIO, scenario_with(a_mixture(choice)), a_strange_game(choice), a_strange_game(choice)][
            game % 4
        ]
        compare(scenario, 470 + part, game)
