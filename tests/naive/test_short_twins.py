"""The short examples beside their naive twins: under the same choices the same legal actions at every decision, the same end."""

import csv
import random
from collections import Counter
from copy import deepcopy

import numpy as np
import pytest

from bartizan.simcore.game import load_game
from bartizan.simcore.scenario.loading import load_scenario
from tests.naive import catan_twin
from tests.naive.catan_twin import Catan
from tests.naive.clever_twin import LENGTHS, SEEN, Clever
from tests.naive.compiled import Compiled, first
from tests.naive.dominion_twin import Dominion
from tests.naive.pandemic_twin import Pandemic
from tests.naive.short_twins import CantStop, ForbiddenIsland, LoveLetter, NoThanks
from tests.naive.simultaneous_twins import Goofspiel, SushiGo
from tests.naive.splendor_twin import Splendor
from tests.unit.test_catan import ACTING, Island
from tests.unit.test_short_games import SHORT

SEED = 11


class Shown(Compiled):
    """A short game behind the interface of its twin."""

    log_may_overflow = True  # several players of Can't Stop may throw in vain within one action

    def __init__(self, name: str, sets: dict, game: int):
        loaded = load_game(str(SHORT / f"{name}.py"))
        self.bots = loaded.engine.__globals__
        super().__init__(loaded.compiled, load_scenario(loaded, None, None, sets), SEED, game)
        self.table = self.engine.describe_action.__self__

    def named(self) -> dict[tuple, int]:
        """What is legal as (action, arguments ...) -> its code."""
        acts = {code: self.table.acts[code // self.table.arguments] for code in self.legal()}
        return {(act.name, *act.values(code % self.table.arguments)): code for code, act in acts.items()}

    def advised(self, bot: str) -> int:
        """What one of the game's own bots would do."""
        policy = self.bots[bot]
        sees_legal = "legal" in policy.py_func.__code__.co_varnames
        legal = (np.array(self.legal(), np.int32),) if sees_legal else ()
        weights = policy.py_func.__defaults__ or ()  # numba types a call that omits them anew each time
        return int(policy(self.state, self.tables, *legal, *weights))

    @property
    def end(self) -> tuple[int, str]:
        return int(self.record()["winner"]), self.engine.end_reasons[int(self.live.end_reason)]


def compare(name: str, twin, sets: dict, game: int, bot: str = "", most: int | None = None) -> str:
    """Play one game on both, at random or, four times out of five, as a bot of the game advises. Returns how it ended.

    `most`: the decisions after which a game that may never end is left.
    """
    shown, choice = Shown(name, sets, game), random.Random(game)
    for ply in range(most or 9000):
        assert shown.over == bool(twin.end), (game, ply)
        if shown.over:
            assert shown.end == twin.end, (game, ply)
            points = twin.scores()
            assert points == [int(shown.record()[f"score_{seat}"]) for seat in range(len(points))], (game, ply)
            return twin.end[1]
        named = shown.named()
        assert (int(shown.live.me), set(named)) == (twin.me, twin.legal()), (game, ply)
        assert twin.agrees(shown.state), (game, ply)
        action = choice.choice(sorted(named))
        if bot and choice.random() < 0.8:
            advised = shown.advised(bot)
            action = next(action for action, code in named.items() if code == advised)
        shown.apply(np.int32(named[action]))
        twin.play(*action)
    assert most, "no end in sight"
    return "left"


@pytest.mark.parametrize(
    ("name", "twin", "counts"),
    [("no_thanks", NoThanks, (3, 4, 5)), ("cant_stop", CantStop, (2, 3, 4)), ("love_letter", LoveLetter, (2, 3, 4))],
)
def test_a_short_game_is_its_twin(name, twin, counts):
    for game in first(18, of=1000):
        players = counts[game % 3]
        compare(name, twin(players, SEED, game), {"numbers.players": players}, game)


def test_forbidden_island_is_its_twin():
    """Half of the games need one card for a treasure, and are played as `crew` advises: all of them are captured in some.

    Every sixth game has a hand limit below the cards dealt: the first decisions are what to drop.
    """
    ends = set()
    for game in first(36, of=1000):
        players, need, limit = 2 + game % 3, (4, 1)[game % 2], 5 if game % 6 else 1
        twin = type("Twin", (ForbiddenIsland,), {"need": need, "limit": limit})(players, SEED, game)
        sets = {"numbers.players": players, "numbers.to_capture": need, "numbers.hand_limit": limit}
        ends.add(compare("forbidden_island", twin, sets, game, "crew" if need == 1 else ""))
    assert "away with all treasures" in ends and len(ends) >= 4


@pytest.mark.parametrize(("players", "tied"), [(2, "discarded"), (2, "carried_over"), (3, "carried_over")])
def test_goofspiel_is_its_twin(players, tied):
    for game in first(8, of=334):
        twin = type("Twin", (Goofspiel,), {"carried": tied == "carried_over"})(players, SEED, game)
        compare("goofspiel", twin, {"numbers.players": players, "rulings.tied": tied}, game)


@pytest.mark.rotating
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_sushi_go_is_its_twin(players):
    """As `gourmet` advises, and every fourth game at random alone; every second with the other readings."""
    for game in first(12, of=250):
        readings = {"at_once": "never", "no_maki": "anybody"} if game % 2 else {}
        twin = type("Twin", (SushiGo,), readings)(players, SEED, game)
        sets = {"numbers.players": players} | {f"rulings.{name}": reading for name, reading in readings.items()}
        compare("sushi_go", twin, sets, game, "gourmet" if game % 4 else "")


@pytest.mark.rotating
@pytest.mark.parametrize("players", [2, 3, 4])
def test_splendor_is_its_twin(players):
    """As `builder` advises, and every fourth game at random alone."""
    for game in first(24, of=334):
        twin = Splendor(players, SEED, game)
        compare("splendor", twin, {"numbers.players": players}, game, "builder" if game % 4 else "")


@pytest.mark.rotating
@pytest.mark.parametrize("players", [2, 3, 4])
def test_dominion_is_its_twin(players):
    """Three times out of four four decisions in five as `engine` advises, else at random alone."""
    for game in first(12, of=334):
        twin = Dominion(players, SEED, game)
        compare("dominion", twin, {"numbers.players": players}, game, "engine" if game % 4 else "")


@pytest.mark.rotating
@pytest.mark.parametrize("players", [2, 3, 4])
def test_pandemic_is_its_twin(players):
    """The levels in turn; as `team` advises, every fourth game at random alone.

    Every second game has numbers with which it is longer, and cures, full hands and moved stations are frequent.
    """
    easy = {
        "cubes_each": 48,
        "most_outbreaks": 20,
        "most_stations": 2,
        "hand_limit": 5,
        "to_cure": 3,
        "scientist_needs": 2,
    }
    ends = set()
    for game in first(18, of=334):
        level, epidemics = (("introductory", 4), ("standard", 5), ("heroic", 6))[game % 3]
        numbers = easy if game % 2 else {}
        twin = type("Twin", (Pandemic,), {"epidemics": epidemics, **numbers})(players, SEED, game)
        sets = {
            "numbers.players": players,
            "difficulty": level,
            **{f"numbers.{name}": numbers[name] for name in numbers},
        }
        ends.add(compare("pandemic", twin, sets, game, "team" if game % 4 else ""))
    assert {"four cures", "too many outbreaks"} <= ends


RULINGS = {
    "board": ("variable", "beginners"),
    "tokens": ("spiral", "apart", "shuffled"),
    "shortage": ("only_one", "no_one"),
    "before_roll": ("every_card", "knights"),
    "trade_again": ("yes", "no"),
    "robbed": ("with_cards", "anybody"),
}
SCARCE = {"goal": 13, "of_a_resource": 8}  # the bank is often empty, pieces and cards run out; some games never end


@pytest.mark.rotating
@pytest.mark.parametrize("players", [3, 4])
def test_catan_is_its_twin(players):
    """Every fourth game at random, else as `settler` advises; others with other readings, and half of those scarce."""
    for game in first(4, of=500):
        choice, changed = random.Random(game), SCARCE if game % 4 == 3 else {}
        readings = {name: choice.choice(known) if game % 2 else known[0] for name, known in RULINGS.items()}
        sets = {f"numbers.{name}": value for name, value in ({"players": players} | changed).items()}
        sets |= {f"rulings.{name}": reading for name, reading in readings.items()}
        twin = type("Twin", (Catan,), readings | changed)(players, SEED, game)
        compare("catan", twin, sets, game, "settler" if game % 4 else "", most=2000 if changed else None)


OTHERWISE = {
    "free_skip": ("yes", "no"),
    "white_for_blue": ("yes", "no"),
    "solo_fallback": ("nothing", "others"),
    "solo_polish": ("yes", "no"),
    "partner_polish": ("yes", "no"),
    "fox_below_zero": ("yes", "no"),
}
PRINTED: dict = {}
# Areas fill up, ? are lost, and a black ? is owed beside another one.
LONG = {"rounds": [14] * 4, "round_bonus": [10, 1, 7, 5, 10, 9], "diagonal_bonus": 10}
BRIEF = {"rounds": [2] * 4, "round_bonus": [4] * 6, "rolls_each": 1}  # ties, and foxes with points below 0


@pytest.mark.rotating
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_clever_4ever_is_its_twin(players):
    """Every fourth game at random, else as `clever` advises; every second with other readings.

    Of three games one is long and one is brief.
    """
    for game in first(18, of=1000):
        choice, changed = random.Random(game), (PRINTED, LONG, BRIEF)[game % 3]
        readings = {name: choice.choice(known) if game % 2 else known[0] for name, known in OTHERWISE.items()}
        sets = {f"numbers.{name}": value for name, value in ({"players": players} | changed).items()}
        sets |= {f"rulings.{name}": reading for name, reading in readings.items()}
        twin = type("Twin", (Clever,), readings | changed)(players, SEED, game)
        compare("clever_4ever", twin, sets, game, "clever" if game % 4 else "")


def test_a_tie_of_clever_4ever_ends_as_in_the_twin():
    """Random sheets of equal points, then a round of skips: too rare in games."""
    choice, numbers, outcomes = random.Random(SEED), {"rounds": [1] * 4}, Counter()
    sets = {"numbers.players": 3} | {f"numbers.{name}": value for name, value in numbers.items()}
    while min(outcomes["won"], outcomes["shared"]) < 5:
        twin = type("Twin", (Clever,), numbers)(3, SEED, 1)
        for sheet in twin.sheets:
            sheet.lines = [choice.choices(range(1, 7), k=choice.randrange(min(size, 6))) for size in LENGTHS]
            sheet.blue = {(choice.randrange(6), choice.randrange(6)) for _ in range(12)}
            sheet.grey, sheet.foxes = {*choice.sample(range(17), 8)}, choice.randrange(2)
        if outcomes["won"] >= 5:
            twin.sheets[2] = deepcopy(twin.sheets[0])
        if twin.scores().count(max(twin.scores())) < 2:
            continue
        shown = Shown("clever_4ever", sets, 1)
        for seat, sheet in enumerate(twin.sheets):
            for name, value in zip(SEEN, sheet.seen(), strict=True):
                getattr(shown.state, name)[seat] = value
        while not twin.end:
            shown.apply(np.int32(shown.named()[("skip",)]))
            twin.play("skip")
        assert shown.over and shown.end == twin.end
        outcomes["won" if twin.end[0] >= 0 else "shared"] += 1


def test_a_cut_longest_road_counts_as_in_the_twin():
    """Random roads of four players, then a settlement that cuts the longest: too rare in games, so laid here.

    The others have nine points: whoever has the longest road then wins, but not before their own turn.
    """
    island, choice, outcomes, t = Island(1), random.Random(SEED), Counter(), catan_twin
    while sum(outcomes.values()) < 200:
        island = Island(1) if island.over else island
        twin, free, state = Catan(4, SEED, 1), {*t.EDGES}, island.state
        for seat in twin.seats * 2:
            corner = choice.choice(t.CORNERS)
            for _ in range(choice.randrange(2, 7)):
                if ahead := sorted(free & t.BESIDE[corner].keys(), key=t.EDGES.index):
                    edge = choice.choice(ahead)
                    free.remove(edge)
                    seat.roads.add(edge)
                    corner = t.BESIDE[corner][edge]
        twin.order.clear()
        twin.turn(int(state.me))
        lengths = [twin.longest(p) for p in range(4)]
        before = twin.road_holder = choice.choice([p for p in range(4) if lengths[p] == max(lengths)])
        cuts = sorted(map(t.NUMBER.get, filter(twin.seats[before].passes, twin.settlement_sites())))
        if before == twin.me or max(lengths) < 5 or not cuts:
            continue
        island.clear()
        for p, seat in enumerate(twin.seats):
            for edge in seat.roads:
                state.road[t.NUMBER[edge]] = p + 1
                state.reach[[t.NUMBER[end] for end in t.ENDS[edge]]] |= 1 << p
        state.route[:4], state.settlements[:4], state.cities[:4], state.road_holder = lengths, 5, 4, before
        for p in {*range(4)} - {twin.me}:
            state.settlements[p], state.cities[p] = 0, 2
            twin.seats[p].settlements, twin.seats[p].cities = set(range(5)), set(range(5, 7))  # nowhere
        state.phase, state.rolled = ACTING, 1
        island.pay(twin.me, 1, 1, 1, 1, 0)
        twin.mine.hand.update(range(4))
        corner = choice.choice(cuts)
        for action in ("settle", corner), ("end_turn",):
            assert not island.over
            island.play(*action)
            twin.play(*action)
        after = [twin.longest(p) for p in range(4)]
        assert [*state.route[:4]] == after
        assert state.road_holder == (-1 if twin.road_holder is None else twin.road_holder)
        if twin.road_holder is None:
            outcomes["too short" if max(after) < 5 else "several"] += 1
        else:
            outcomes["kept" if twin.road_holder == before else "passed"] += 1
        assert island.over == bool(twin.end) == (twin.road_holder == twin.me)
        outcomes["wins" if twin.end else "waits"] += 1
    assert min(outcomes[name] for name in ("too short", "several", "kept", "passed", "wins", "waits")) >= 2, outcomes


def sheet(part: str) -> list[dict[str, int]]:
    """Rows of one of the sheets of the island, without their names."""
    with (SHORT / f"catan_{part}.csv").open(encoding="utf-8") as lines:
        return [{key: int(cell) for key, cell in row.items() if key != "name"} for row in csv.DictReader(lines)]


def test_the_island_of_the_sheets_is_that_of_the_twin():
    """Every neighbour, and what is printed on the island for beginners, from coordinates alone."""
    t = catan_twin

    def numbers(parts) -> list[int]:
        found = [t.NUMBER[part] for part in parts if part in t.NUMBER]
        return sorted(found) + [-1] * (3 - len(found))

    harbours = {corner: i for i, edge in enumerate(t.HARBOURS) for corner in t.ENDS[edge]}
    for corner, row in zip(t.CORNERS, sheet("corners"), strict=True):
        beside = [*numbers(corner), *numbers(t.BESIDE[corner]), *numbers(t.BESIDE[corner].values())]
        assert list(row.values()) == [harbours.get(corner, -1), *beside]
    for edge, row in zip(t.EDGES, sheet("edges"), strict=True):
        assert list(row.values()) == numbers(t.ENDS[edge])[:2]
    for one, row in zip(t.SPIRAL, sheet("hexes"), strict=True):
        around = [t.NUMBER[t.corner_of(one, i)] for i in range(6)]
        assert list(row.values()) == [*t.FIRST_ISLAND[one], *around]
    assert [row["kind"] for row in sheet("harbours")] == list(t.FIRST_SIGNS)
