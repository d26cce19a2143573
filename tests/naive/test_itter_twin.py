"""The compiled engine against the naive twin, action by action and die by die: every legal action, every piece, every record."""

import random
from functools import lru_cache

import pytest

from bartizan.simcore.game import load_game
from bartizan.simcore.itter.components import ARGUMENTS, NONE, UNFIT, Act, End, Stage
from bartizan.simcore.itter.engine import ENGINE
from bartizan.simcore.itter.record import NO_SCORE
from bartizan.simcore.scenario.loading import load_scenario
from tests.naive.compiled import ALL, Compiled, first
from tests.naive.itter_twin import ItterTwin

GAME = load_game("itter")
LEVELS = ["novice", "veteran", "elite"]
PLAYTEST = "playtest-v0.2"
PLAYTEST_LEVELS = ["normal", "veteran", "elite"]
NOT_IN_RECORD = {"game", "plies", "end_reason"}


class Fast(Compiled):
    """The compiled engine behind the twin's interface."""

    def __init__(self, scenario, seed: int, game: int):
        super().__init__(ENGINE, scenario, seed, game)
        t = self.tables
        self.sizes = int(t.n_defenders), int(t.n_locations), int(t.n_colours), int(t.tactics_dealt.size)
        self.gun_kinds = list(t.gun_kinds)

    def legal(self) -> list[int]:
        return sorted(super().legal())

    def snapshot(self) -> dict:
        s = self.live
        defenders, locations, colours, tactics = self.sizes
        mg, mortar = (s.guns[kind].tolist() for kind in self.gun_kinds)
        hand = int(s.tactics_hand)
        return {
            "stage": int(s.stage),
            "turn": int(s.turn),
            "place": s.place[:defenders].tolist(),
            "status": (s.status[:defenders] & UNFIT).tolist(),
            "defence": s.defence[:locations].tolist(),
            "tank_destroyed": bool(s.tank_destroyed),
            "tank_empty": bool(s.tank_empty),
            "loaded": bool(s.loaded),
            "counter": {c: k for c, k in enumerate(s.counter.tolist()) if k != NONE},
            "mg": {c: n for c, n in enumerate(mg) if n},
            "mortar": {c: n for c, n in enumerate(mortar) if n},
            "tokens": s.tokens[:colours].tolist(),
            "deck_left": int(s.deck_size - s.deck_next),
            "tactics": (int(s.newer), int(s.older)),
            "to_move": int(s.to_move),
            "deck": s.deck[s.deck_next : s.deck_size].tolist(),
            "ss_hand": [c for c, n in enumerate(s.ss_hand.tolist()) for _ in range(n)],
            "tactics_hand": [c for c in range(tactics) if hand >> c & 1],
            **self._laid(),
        }

    def _laid(self) -> dict:
        """What lies face down: in the state it stays when it has been turned up."""
        s = self.live
        turned_up = int(s.stage) in (Stage.SPEND, Stage.SACRIFICE, Stage.FIRE)
        first = int(s.cards_turned) if turned_up else 0
        return {
            "laid": s.planned[first : s.n_planned].tolist(),
            "tactics_laid": NONE if turned_up else int(s.tactics_planned),
        }

    def record(self) -> dict:
        row = super().record()
        record = {name: int(row[name]) for name in row.dtype.names if name not in NOT_IN_RECORD}
        record["end"] = {End.BREACH: 1, End.DECK_EMPTY: 2, End.RELIEVED: 3}[int(self.state.end_reason)]
        record["score"] = None if record["score"] == NO_SCORE else record["score"]
        return record


def at_random(twin: ItterTwin, legal: list[int], choice: random.Random) -> int:
    return choice.choice(legal)


def compare(scenario, seed: int, game: int, pick=at_random, seen: set | None = None) -> int:
    """Play one random game on both and hold everything equal; returns the number of plies."""
    fast, twin = Fast(scenario, seed, game), ItterTwin(scenario.data, seed, game)
    choice = random.Random(1_000_003 * seed + game)
    plies = 0
    while not fast.over:
        where = f"seed {seed} game {game} ply {plies}"
        assert not twin.over, f"{where}: only the twin is over"
        assert fast.snapshot() == twin.snapshot(), where
        legal = fast.legal()
        assert legal == twin.legal(), f"{where}: legal actions, stage {fast.state.stage}"
        action = pick(twin, legal, choice)
        if seen is not None:
            seen.add((twin.stage, action))
        fast.apply(action)
        twin.apply(action)
        plies += 1
    assert twin.over
    record = twin.record()
    assert {key: value for key, value in fast.record().items() if key in record} == record, f"seed {seed} game {game}"
    return plies


@pytest.mark.parametrize("difficulty", LEVELS)
def test_random_games_agree(difficulty):
    scenario = load_scenario(GAME, difficulty=difficulty)
    for game in first(10, of=200):
        compare(scenario, 11, game)


@pytest.mark.parametrize("difficulty", LEVELS)
def test_whole_games_agree(difficulty):
    """With the no-loss test device, so that late cards, the tank, reinforcements and the end are compared as well."""
    scenario = load_scenario(GAME, difficulty=difficulty, sets={"breach_ends_game": "false"})
    for game in first(5, of=100):
        compare(scenario, 12, game)


def other_readings() -> list[tuple[str, str]]:
    model = load_scenario(GAME).model
    return [
        (key, reading)
        for key, ruling in model.ruling.items()
        for reading in ruling.readings
        if reading != model.rulings[key]
    ]


@pytest.mark.rotating
@pytest.mark.parametrize(("key", "reading"), other_readings())
def test_every_reading_of_every_ruling_agrees(key, reading):
    """Each ruling by itself, in whole games at the hardest level; `attack_zero` is felt at a level below. A twin that ignores suppress_spending, tokens_spent_on_success or command_useless is found out by the readings in combination."""
    for difficulty in LEVELS if ALL else ["veteran" if key == "attack_zero" else "elite"]:
        scenario = load_scenario(
            GAME, difficulty=difficulty, sets={f"rulings.{key}": reading, "breach_ends_game": "false"}
        )
        for game in first(1, of=5):
            compare(scenario, 13, game)


def test_readings_agree_in_combination():
    """Readings drawn at random, all at once: where two rulings meet."""
    choice = random.Random(14)
    model = load_scenario(GAME).model
    for game in first(15, of=120):
        sets = {f"rulings.{key}": choice.choice(ruling.readings) for key, ruling in model.ruling.items()}
        sets["breach_ends_game"] = choice.choice(["true", "false"])
        compare(load_scenario(GAME, difficulty=choice.choice(LEVELS), sets=sets), 14, game)


@pytest.mark.slow
@pytest.mark.parametrize("difficulty", LEVELS)
def test_thousands_of_games_agree(difficulty):
    for sets in ({}, {"breach_ends_game": "false"}):
        scenario = load_scenario(GAME, difficulty=difficulty, sets=sets)
        for game in range(4000):
            compare(scenario, 15, game)


# ---------------------------------------------------------------- the playtest version v0.2 (7.0 - 7.7)


def playtest(difficulty: str, **sets: str):
    """The scenario with some rulings set; `breach_ends_game` is no ruling."""
    paths = {key if key == "breach_ends_game" else f"rulings.{key}": value for key, value in sets.items()}
    return load_scenario(GAME, PLAYTEST, difficulty, paths)


@pytest.mark.parametrize("difficulty", PLAYTEST_LEVELS)
def test_playtest_random_games_agree(difficulty):
    scenario = playtest(difficulty)
    for game in first(5, of=60):
        compare(scenario, 16, game)


@pytest.mark.parametrize("difficulty", PLAYTEST_LEVELS)
def test_playtest_whole_games_agree(difficulty):
    """With the no-loss test device: every SS card is resolved, the last one too."""
    scenario = playtest(difficulty, breach_ends_game="false")
    for game in first(3, of=25):
        compare(scenario, 17, game)


def other_playtest_readings() -> list[tuple[str, str]]:
    model = load_scenario(GAME, PLAYTEST).model
    return [
        (key, reading)
        for key, ruling in model.ruling.items()
        for reading in ruling.readings
        if reading != model.rulings[key]
    ]


@pytest.mark.rotating
@pytest.mark.parametrize(("key", "reading"), other_playtest_readings())
def test_every_reading_of_every_ruling_agrees_in_the_playtest_version(key, reading):
    """Each ruling by itself in whole games at the hardest level, which finds out a twin that ignores a reading if any level does."""
    hardest = (
        ["normal"] if key == "supply_empty" else ["elite"]
    )  # with further cards a count that does not suffice is refused
    own = ALL and (
        load_scenario(GAME, PLAYTEST).model.ruling[key].id >= "R-64" or key in ("target_search", "flak30_order")
    )
    for difficulty in PLAYTEST_LEVELS if own else hardest:
        scenario = playtest(difficulty, **{key: reading}, breach_ends_game="false")
        for game in first(1, of=5):
            compare(scenario, 18, game)


def test_readings_agree_in_combination_in_the_playtest_version():
    choice = random.Random(19)
    model = load_scenario(GAME, PLAYTEST).model
    for game in first(8, of=45):
        sets = {key: choice.choice(ruling.readings) for key, ruling in model.ruling.items()} | {
            "supply_empty": "unlimited"
        }
        scenario = playtest(choice.choice(PLAYTEST_LEVELS), **sets, breach_ends_game=choice.choice(["true", "false"]))
        compare(scenario, 19, game)


@pytest.mark.slow
@pytest.mark.parametrize("difficulty", PLAYTEST_LEVELS)
def test_thousands_of_playtest_games_agree(difficulty):
    for ends in ("true", "false"):
        scenario = playtest(difficulty, breach_ends_game=ends)
        for game in range(2000):
            compare(scenario, 20, game)


# ---------------------------------------------------------------- the Competitive game (6.2)

# Readings under which a steered Escape is common, so that the 142nd comes into the SS player's hand.
EASY_ESCAPE = {"escape_two_colours": "one_clear", "escape_from_white": "yes", "escape_counters": "advancing_only"}
ABOUT_THE_HANDS = {"R-27", "R-28", "R-29", "R-51", "R-52", "R-53", "R-54", "R-55", "R-60", "R-71"}


@lru_cache(maxsize=4)
def competitive(**sets: str):
    """The scenario with some rulings set; `breach_ends_game` is no ruling."""
    paths = {key if key == "breach_ends_game" else f"rulings.{key}": value for key, value in sets.items()}
    return load_scenario(GAME, "competitive", "competitive", paths)


class Fugitive:
    """Random play, but Borotra makes for a place to Escape from, best a white one, kept free for him, and goes from turn `after` on."""

    def __init__(self, after: int):
        self.after = after

    def __call__(self, twin: ItterTwin, legal: list[int], choice: random.Random) -> int:
        runner = next(d for d in twin.defenders if d.has("E"))
        activate = Act.ACTIVATE * ARGUMENTS + runner.index
        if activate in legal:
            return activate
        if twin.stage == Stage.ORDERS and twin.starters_waiting():
            return choice.choice([a for a in legal if a // ARGUMENTS != Act.PASS] or legal)
        if twin.stage not in (Stage.PLACE, Stage.ACT):
            return choice.choice(legal)
        hideouts = [p for p in twin.positions if p.location.escape_from and not p.colours]
        if twin.acting is not runner:
            taken = [kind * ARGUMENTS + p.index for kind in (Act.PLACE, Act.MOVE) for p in hideouts]
            return choice.choice([a for a in legal if a not in taken] or legal)
        if Act.ESCAPE * ARGUMENTS in legal and twin.turn >= self.after:
            return Act.ESCAPE * ARGUMENTS
        stay = [a for a in legal if a // ARGUMENTS in (Act.RECOVER, Act.BLANK)]
        hide = [a for a in legal if a in [Act.MOVE * ARGUMENTS + p.index for p in hideouts]]
        if runner.position.location.escape_from:
            return choice.choice((hide if runner.position.colours else []) or stay or legal)
        near = [a for a in legal if a // ARGUMENTS == Act.MOVE and twin.positions[a % ARGUMENTS].location.escape_from]
        return choice.choice(hide or near or [a for a in legal if a // ARGUMENTS == Act.MOVE] or stay or legal)


class Hoarder(Fugitive):
    """And the SS player keeps a deck-1 card, to lay it last before Borotra may go (R-71)."""

    def __init__(self, after: int):
        super().__init__(after)
        self.escaped_under: list[int] = []  # deck of the top discard

    def __call__(self, twin: ItterTwin, legal: list[int], choice: random.Random) -> int:
        if twin.stage == Stage.PLAN:
            deck_1 = {card.number for card in twin.ss_hand if card.deck == 1}
            kept = [a for a in legal if a % ARGUMENTS in deck_1]
            others = [a for a in legal if a not in kept]
            now = twin.turn >= self.after - 1 and len(twin.laid) == 2
            return choice.choice((kept if now else others) or legal)
        action = super().__call__(twin, legal, choice)
        if action == Act.ESCAPE * ARGUMENTS:
            self.escaped_under.append(twin.top_discard_deck)
        return action


@pytest.mark.parametrize(("reading", "escapes"), [("as_deck_2", True), ("no_card", True), ("not_possible", False)])
def test_escape_under_a_deck_1_card_agrees(reading, escapes):
    """R-71"""
    scenario = competitive(**EASY_ESCAPE, breach_ends_game="false", competitive_deck_1=reading)
    under = []
    for game in first(4, of=10):
        pick = Hoarder(after=11 + game % 4)
        compare(scenario, 27, game, pick)
        under += pick.escaped_under
    assert (1 in under) == escapes and under


def other_competitive_readings() -> list[tuple[str, str]]:
    model = competitive().model
    return [
        (key, reading)
        for key, ruling in model.ruling.items()
        for reading in ruling.readings
        if reading != model.rulings[key]
    ]


def test_competitive_random_games_agree():
    for game in first(8, of=20):
        compare(competitive(), 21, game)


def test_competitive_whole_games_agree():
    """With the no-loss test device: the hands run low, the draw deck runs out."""
    scenario = competitive(breach_ends_game="false")
    for game in first(5, of=12):
        compare(scenario, 22, game)


def test_every_stage_and_act_of_the_competitive_game_is_compared():
    seen: set = set()
    scenario = competitive(**EASY_ESCAPE, breach_ends_game="false", suppressive_fire_order="player", may_pass="yes")
    for game in first(16, of=30):
        compare(scenario, 23, game, Fugitive(after=5 + game % 16), seen)
    assert {stage for stage, _ in seen} >= set(Stage) - {Stage.NONE, Stage.SACRIFICE}
    rare = {Act.SACRIFICE, Act.LOAD, Act.SUPPRESS_WEAPON}  # they are compared at the other levels
    assert {action // ARGUMENTS for _, action in seen} >= set(Act) - rare
    the_142nd = len(scenario.model.all_cards())
    assert (Stage.PLAN, Act.LAY * ARGUMENTS + the_142nd) in seen


@pytest.mark.rotating
@pytest.mark.parametrize(("key", "reading"), other_competitive_readings())
def test_every_reading_of_every_ruling_agrees_in_the_competitive_game(key, reading):
    """Each ruling by itself; those about hands, decks and the end with an Escape early and one late, which find out a twin that ignores a reading if any game of six does."""
    about_the_hands = competitive().model.ruling[key].id in ABOUT_THE_HANDS
    if ALL or not about_the_hands:
        compare(competitive(**{key: reading}, breach_ends_game="false"), 24, 0)
    if about_the_hands:
        scenario = competitive(**EASY_ESCAPE | {key: reading}, breach_ends_game="false")
        for game in range(6) if ALL else (0, 2):
            compare(scenario, 24, game, Fugitive(after=5 + 3 * game))


def test_readings_agree_in_combination_in_the_competitive_game():
    choice = random.Random(25)
    model = competitive().model
    for game in first(12, of=24):
        sets = {key: choice.choice(ruling.readings) for key, ruling in model.ruling.items()}
        pick = at_random
        if choice.random() < 0.7:
            sets, pick = sets | EASY_ESCAPE, Fugitive(after=choice.randint(5, 20))
        compare(competitive(**sets, breach_ends_game=choice.choice(["true", "false", "false"])), 25, game, pick)


@pytest.mark.slow
def test_thousands_of_competitive_games_agree():
    for game in range(2000):
        compare(competitive(), 26, game)
    easy = competitive(**EASY_ESCAPE, breach_ends_game="false")
    for game in range(2000):
        compare(easy, 26, game, Fugitive(after=5 + game % 16))
