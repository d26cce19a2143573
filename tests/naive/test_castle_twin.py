"""The compiled engine against the naive twin, action by action and die by die: every legal action in its order, every card, every record."""

import random
from collections import Counter
from dataclasses import dataclass, field

import pytest

from bartizan.policies.castle.plain import PLAIN
from bartizan.simcore.castle import GAME
from bartizan.simcore.castle.components import ARGUMENTS, NONE, SEATS, SQUARES, Act, Stage
from bartizan.simcore.castle.engine import ENGINE
from bartizan.simcore.castle.schema import Advanced
from bartizan.simcore.scenario.loading import load_scenario
from bartizan.simcore.scenario.model import Datum
from tests.naive.castle_plain import plain
from tests.naive.castle_twin import CastleTwin
from tests.naive.compiled import ALL, Compiled, first, play_by

PLAYER_COUNTS = GAME.player_counts
MODEL = load_scenario(GAME).model
SWITCHES = [name for name in Advanced.model_fields if name not in Datum.model_fields and name != "jokers"]
ALL_RULES = {f"advanced.{switch}": True for switch in SWITCHES} | {"advanced.jokers": 2}
ADVANCED = [{f"advanced.{switch}": True} for switch in SWITCHES] + [
    {"advanced.jokers": 1},
    {"advanced.jokers": 2},
    ALL_RULES,
]
NOT_IN_RECORD = {"game", "plies", "end_reason"}  # the loop writes them
SETTING_UP = {Stage.CHOOSE, Stage.SETUP, Stage.HAND}
BETWEEN_ATTACKS = SETTING_UP | {Stage.TURN, Stage.CARD, Stage.OWN}

# What a random player hardly ever sees comes about too: an empty deck and forced rounds, doubles and snake eyes, Aces and eights, a tight grid.
EMPTY_DECK = {"deal.cards": 10}
TWO_SIDES = {"dice.sides": 2}
MANY_ACES = {f"rank.{name}.power": "ace" for name in ("three", "four", "five")} | {
    "rank.six.with_ace": "assassin",
    "rank.seven.with_ace": "ram",
}
MANY_SPIES = {f"rank.{name}.power": "spy" for name in ("three", "four", "six", "nine")}
TIGHT = {"grid.columns": 5, "grid.rows": 2}
COURT_ONLY = {"grid.columns": 5, "grid.rows": 1, "deal.cards": 0, "king.defence_dice": 6} | {
    f"rank.{name}.value": 20 for name in ("jack", "queen", "king")
}
COURT_ONLY |= {
    "rulings.royals_dealt": "same_suit",
    "rulings.royal_rule": "forbidden",
    "rulings.called_off_target": "revealed",
}  # a card without any use
WEAK = {"king.defence_dice": 1, "king.defence_dice_without_queen": 0, "rank.king.value": 2, "rank.queen.value": 4}
SAME_VALUES = {f"rank.{name}.value": 10 for name in ("seven", "nine", "five")} | {
    "counter_strike.add": 14,
    "counter_strike.dice": 3,
}
ONE_DIE_MORE = {"ordinary.attack_dice": 3, "ordinary.defence_dice": 3, "joker.contest_dice": 2, "dice.sides": 3}
PROFILES = {
    "plain": {},
    "empty deck": EMPTY_DECK,
    "two sides": TWO_SIDES,
    "many aces": MANY_ACES,
    "many spies": MANY_SPIES,
    "tight": TIGHT,
    "court only": COURT_ONLY,
    "weak": WEAK,
    "same values": SAME_VALUES,
    "three dice": ONE_DIE_MORE,
    "everything": EMPTY_DECK | TWO_SIDES | MANY_ACES | WEAK,
}

# Numbers nobody would print: a rule that leans on one of the published values gives itself away.
NUMBERS = {
    "jack.jump": [0, 1, 2, 3],
    "ace.draw": [0, 1, 2],
    "ordinary.attack_dice": [0, 1, 3, 4],
    "ordinary.defence_dice": [0, 1, 3, 4],
    "archers.dice": [0, 2, 3, 5],
    "ram.dice": [2, 6],
    "ram.add": [-3, 5],
    "assassin.dice": [2, 3],
    "assassin.add": [0, 12],
    "joker.bonus": [-2, 3],
    "joker.contest_dice": [1, 2, 3],
    "joker.defence_dice": [0, 3, 4],
    "joker.defence_add": [-5, 4],
    "berserker.extra_cards": [1, 2, 3, 4],
    "counter_strike.dice": [0, 2, 4],
    "counter_strike.add": [-4, 9],
    "same_suit.modifier": [-6, 0, 6],
    "saboteur.rank": ["ace", "two", "five", "eight", "nine", "queen"],
    "saboteur.attack_dice": [2, 4],
    "saboteur.defence_dice": [0, 2],
    "saboteur.hidden_add": [0, 12],
    "saboteur.revealed_add": [-2, 8],
    "barricade.rank": ["ace", "four", "eight", "king"],
    "barricade.dice": [0, 3, 4],
    "barricade.add": [-6, 0],
    "queen.modifier": [-10, 0, 4],
    "king.defence_dice": [0, 2, 6],
    "king.defence_dice_without_queen": [0, 4],
    "dice.sides": [2, 3, 4, 20],
    "deal.cards": [0, 1, 3, 8, 10],
    "grid.columns": [5, 6, 7, 8],
    "grid.rows": [1, 2, 3],
    "rank.ace.with_ace": ["ram", "assassin"],
    "rank.ace.value": [0, 11],
    "rank.two.power": ["spy", "ace"],
    "rank.three.with_ace": ["ram", "assassin"],
    "rank.eight.power": ["none", "ace"],
    "rank.ten.with_ace": ["ram", "assassin"],
    "rank.jack.value": [1, 2],
    "rank.king.value": [0, 15],
}


def bits(mask: int) -> set[int]:
    mask = int(mask)
    return {i for i in range(64) if mask >> i & 1}


class Fast(Compiled):
    """The compiled engine behind the twin's interface."""

    def __init__(self, scenario, seed: int, game: int):
        super().__init__(ENGINE, scenario, seed, game)
        self.n = scenario.model.players.count

    def snapshot(self) -> dict:
        s = self.live
        players = range(self.n)
        castle = s.castle.tolist()
        laid = s.barricade.tolist()
        side = s.barricade_side.tolist()
        by = s.barricade_by.tolist()
        stage = int(s.stage)
        shot = {
            "stage": stage,
            "to_move": int(s.to_move),
            "turn": int(s.turn),
            "castle": [{q: card for q, card in enumerate(castle[p]) if card != NONE} for p in players],
            "revealed": [bits(s.up[p]) for p in players],
            "royals": s.royal[: self.n].tolist(),
            "gone": bits(s.gone),
            "alive": [bool(lives) for lives in s.alive[: self.n]],
            "pool": [bits(s.pool[p] & ~s.added[p]) for p in players],
            "pool_hidden": bits(s.pool_hidden),
            "jokers": [bits(s.jokers[p]) for p in players],
            "barricades": [
                {q: (laid[p][q], side[p][q], by[p][q]) for q in range(SQUARES) if laid[p][q] != NONE} for p in players
            ],
            "discards": bits(s.discards),
            "shuffles": int(s.shuffles),
            "drawn": int(s.drawn) if stage == Stage.CARD else NONE,
            "placed_ones": [p for p in range(self.n, SEATS) if s.alive[p]],
        }
        if stage != Stage.CHOOSE:
            shot |= {"deck": s.deck[s.deck_next : s.deck_size].tolist()}
        return comparable(shot)

    def record(self) -> dict:
        row = super().record()
        return {name: int(row[name]) for name in row.dtype.names if name not in NOT_IN_RECORD} | {
            "end_reason": int(self.state.end_reason)
        }


def snapshot(twin: CastleTwin) -> dict:
    """The same of the twin."""
    shot = {
        "stage": twin.stage,
        "to_move": twin.to_move,
        "turn": twin.turn,
        "castle": twin.castle,
        "revealed": twin.revealed,
        "royals": twin.royals,
        "gone": twin.gone - twin.spare,
        "alive": twin.alive,
        "pool": twin.pool,
        "pool_hidden": twin.pool_hidden,
        "jokers": twin.jokers,
        "barricades": twin.barricades,
        "discards": twin.discards,
        "shuffles": twin.shuffles,
        "drawn": twin.drawn if twin.stage == Stage.CARD else NONE,
        "placed_ones": [],
    }
    if twin.stage != Stage.CHOOSE:
        shot |= {"deck": twin.deck}
    return comparable(shot)


def comparable(shot: dict) -> dict:
    """What of a snapshot both must say.

    At set-up royals and Jacks may be noted down at once or one after the other: only the castles already begun are looked at.
    While an attack runs its cards lie on the table, already with the discards or not: it shows when the deck is made anew.
    """
    if shot["stage"] in SETTING_UP:
        begun = shot["to_move"] + 1 if shot["stage"] != Stage.CHOOSE else 0
        shot = {key: value for key, value in shot.items() if key != "royals"}
        shot |= {key: shot[key][:begun] for key in ("castle", "revealed")}
    if shot["stage"] not in BETWEEN_ATTACKS:
        shot = {key: value for key, value in shot.items() if key not in ("gone", "discards")}
    return shot


# ---------------------------------------------------------------- a random player


class Wild:
    """Chooses at random: now uniformly among actions, now among kinds of action, and as often as `keen` says an attack, so that Kings die."""

    ATTACKS = {Act.ATTACK, Act.LEAD, Act.RAM, Act.NAME}

    def __init__(self, seed: int, game: int, keen: float | None = None):
        self.random = random.Random(1_000_003 * seed + game)
        self.keen = self.random.choice([0, 0.3, 0.6, 0.9]) if keen is None else keen

    def choose(self, legal: list[int]) -> int:
        attacks = [action for action in legal if action // ARGUMENTS in self.ATTACKS]
        if attacks and self.random.random() < self.keen:
            return self.random.choice(attacks)
        if self.random.random() < 0.5:
            kind = self.random.choice(sorted({action // ARGUMENTS for action in legal}))
            legal = [action for action in legal if action // ARGUMENTS == kind]
        return self.random.choice(legal)


def conserved(twin: CastleTwin) -> None:
    """Nothing comes from nowhere and nothing is lost."""
    if twin.stage != Stage.CHOOSE:
        assert sorted(twin.cards_in_the_game()) == list(range(52 + twin.advanced["jokers"]))


@dataclass
class Seen:
    """What happened in a number of games."""

    games: int = 0
    acts: Counter = field(default_factory=Counter)
    stages: Counter = field(default_factory=Counter)
    columns: Counter = field(default_factory=Counter)

    def action(self, stage: int, action: int) -> None:
        self.acts[action // ARGUMENTS] += 1
        self.stages[stage] += 1

    def game(self, record: dict) -> None:
        self.games += 1
        self.columns.update({column: int(value > 0) for column, value in record.items()})

    def missing(self) -> dict[str, set[str]]:
        """What of the game was never seen."""
        missing = {
            "acts": {act.name for act in Act if not self.acts[act]},
            "stages": {stage.name for stage in Stage if stage != Stage.NONE and not self.stages[stage]},
            "columns": {column for column, count in self.columns.items() if not count},
        }
        return {what: names for what, names in missing.items() if names}


def play_alone(scenario, seed: int, game: int) -> CastleTwin:
    """The twin by itself: its cards are always those of the pack."""
    twin, wild = CastleTwin(scenario.data, seed, game), Wild(seed, game)
    while not twin.over:
        conserved(twin)
        legal = twin.legal_actions()
        assert len(set(legal)) == len(legal)
        twin.apply(wild.choose(legal))
    return twin


def compare(scenario, seed: int, game: int, seen: Seen | None = None) -> None:
    """Play one game on both and hold everything equal."""
    seen = Seen() if seen is None else seen
    fast, twin, wild = Fast(scenario, seed, game), CastleTwin(scenario.data, seed, game), Wild(seed, game)
    plies = 0
    while not fast.over:
        where = f"seed {seed} game {game} ply {plies}"
        assert not twin.over, f"{where}: only the twin is over"
        assert fast.snapshot() == snapshot(twin), where
        legal = fast.legal()
        assert legal == twin.legal_actions(), f"{where}: legal actions, stage {fast.state.stage}"
        action = wild.choose(legal)
        seen.action(twin.stage, action)
        fast.apply(action)
        twin.apply(action)
        plies += 1
    assert twin.over, f"seed {seed} game {game}: only the engine is over"
    record, fast_record = twin.record(), fast.record()
    assert set(record) == set(fast_record)
    assert fast_record == record, f"seed {seed} game {game}: record"
    seen.game(record)


def scenario_with(*sets: dict, **more):
    return load_scenario(GAME, None, None, {path: value for some in (*sets, more) for path, value in some.items()})


def players(k: int, turns: int = 60) -> dict:
    return {"players.count": k, "limit.turns": turns}


def fitting(sets: dict) -> dict:
    """A deck of forty, and a grid with cells for all that is dealt."""
    k, cards = sets.get("players.count", 2), sets.get("deal.cards", 5)
    cells = sets.get("grid.columns", 9) * sets.get("grid.rows", 4)
    return sets | {"deal.cards": min(cards, 39 // k, cells - 3)}


def random_readings(choice: random.Random) -> dict[str, str]:
    return {f"rulings.{key}": choice.choice(ruling.readings) for key, ruling in MODEL.ruling.items()}


def random_rules(choice: random.Random) -> dict:
    return {f"advanced.{switch}": choice.random() < 0.5 for switch in SWITCHES} | {
        "advanced.jokers": choice.randrange(3)
    }


def odd_numbers(choice: random.Random) -> dict:
    if choice.random() < 0.5:
        return {}
    return {path: choice.choice(NUMBERS[path]) for path in choice.sample(sorted(NUMBERS), choice.randrange(1, 7))}


def a_mixture(choice: random.Random) -> dict:
    """Profile, readings, advanced rules and some numbers drawn at random."""
    sets = random_readings(choice) | random_rules(choice) | choice.choice(list(PROFILES.values())) | odd_numbers(choice)
    return fitting(sets | players(choice.choice(PLAYER_COUNTS), choice.choice([20, 40, 80])))


def other_readings() -> list[tuple[str, str]]:
    return [
        (key, reading)
        for key, ruling in MODEL.ruling.items()
        for reading in ruling.readings
        if reading != MODEL.rulings[key]
    ]


# ---------------------------------------------------------------- the twin by itself


@pytest.mark.rotating
@pytest.mark.parametrize("k", PLAYER_COUNTS)
def test_the_twin_plays_alone(k):
    for game, sets in enumerate(PROFILES.values()):
        play_alone(scenario_with(fitting(sets | players(k))), 20, game)
        play_alone(scenario_with(fitting(sets | players(k) | ALL_RULES)), 20, 100 + game)


# ---------------------------------------------------------------- both


@pytest.mark.parametrize("k", PLAYER_COUNTS)
def test_published_games_agree(k):
    scenario = scenario_with({"players.count": k})
    for game in first(3, of=30):
        compare(scenario, 21, game)


@pytest.mark.rotating
@pytest.mark.parametrize("k", PLAYER_COUNTS)
@pytest.mark.parametrize("profile", PROFILES)
def test_profiles_agree(k, profile):
    for game, rules in enumerate([{}, {}, ALL_RULES, ALL_RULES]):
        compare(scenario_with(fitting(PROFILES[profile] | players(k) | rules)), 22, game)


# The game of the first three that finds out a twin that ignores a reading of this ruling, where the first does not.
FOUND_BY = dict.fromkeys(
    (
        "called_off_lead",
        "called_off_target",
        "reinforcement_scope",
        "follow_directions",
        "snake_eyes",
        "joker_turn",
        "berserk_group",
    ),
    1,
)
FOUND_BY |= dict.fromkeys(
    ("counter_on_tie", "saboteur_attack", "barricade_above", "counter_target", "bonus_snake_eyes"), 1
)
FOUND_BY |= dict.fromkeys(
    ("extra_card_scope", "assassin_follow", "dead_player_cards", "double_anew", "same_number_shown"), 2
)


@pytest.mark.rotating
@pytest.mark.parametrize(("key", "reading"), other_readings())
def test_every_reading_of_every_ruling_agrees(key, reading):
    """Each ruling by itself, with and without the advanced rules."""
    choice = random.Random(23)
    for game in first(3, of=9):
        profile = choice.choice(list(PROFILES.values()))
        rules = [{}, ALL_RULES, random_rules(choice)][game % 3]
        if not ALL and game not in (0, FOUND_BY.get(key)):
            continue
        compare(
            scenario_with(
                fitting(profile | players(PLAYER_COUNTS[game % 3 - game // 3]) | rules | {f"rulings.{key}": reading})
            ),
            23,
            game,
        )


# what `plain` hardly ever meets comes about too: doubles and snake eyes, forced rounds, castles of three rows
PLAIN_RULES = {
    "published": {},
    "two sides": TWO_SIDES,
    "forced rounds": {"rulings.forced_round": "deck_empty"},
    "high castles": {"ordinary.attack_dice": 0},
}


@pytest.mark.parametrize("sets", PLAIN_RULES.values(), ids=PLAIN_RULES)
@pytest.mark.parametrize("k", PLAYER_COUNTS)
def test_every_choice_of_plain_agrees(k, sets):
    """The policy of REFERENCE_POLICY.md, compiled, against the same written for the twin."""
    scenario = scenario_with({"players.count": k}, sets)
    for game in first(3, of=200):
        play_by(PLAIN, plain, Fast(scenario, 31, game), CastleTwin(scenario.data, 31, game))


@pytest.mark.parametrize(
    "rules", ADVANCED, ids=lambda rules: "+".join(path.removeprefix("advanced.") for path in rules)
)
def test_every_advanced_rule_agrees(rules):
    choice = random.Random(24)
    for game in first(4, of=15):
        profile = choice.choice(list(PROFILES.values())) if game % 2 else {}
        compare(scenario_with(fitting(profile | players(PLAYER_COUNTS[game % 3]) | rules)), 24, game)


def test_mixtures_agree():
    """Readings, advanced rules and profiles drawn at random, all at once: where two rulings meet. Every action, stage and counted column occurs."""
    choice, seen = random.Random(25), Seen()
    for _ in first(80, of=500):
        compare(scenario_with(a_mixture(choice)), 25, seen.games, seen)
    assert seen.missing() == {}


@pytest.mark.slow
@pytest.mark.parametrize("part", range(6))
def test_thousands_of_games_agree(part):
    choice = random.Random(260 + part)
    for game in range(1000):
        if game % 5:
            scenario = scenario_with(a_mixture(choice))
        else:
            scenario = scenario_with({"players.count": choice.choice(PLAYER_COUNTS)}, choice.choice([{}, *ADVANCED]))
        compare(scenario, 260 + part, game)
