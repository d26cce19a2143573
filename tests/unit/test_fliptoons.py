"""FlipToons in the short form: its cards, examples of the rulebook, and its FAQ (examples/short/fliptoons.py)."""

from itertools import permutations

import numpy as np
import pytest

from bartizan.analyses.people.log import words_of
from bartizan.policies.registry import find_player
from bartizan.policies.request import Request
from bartizan.simcore.errors import ScenarioError
from bartizan.simcore.game import load_game
from bartizan.simcore.play.batch import Batch
from bartizan.simcore.play.match import Match
from bartizan.simcore.scenario.loading import load_scenario
from tests.cli.run_cli import bartizan
from tests.naive.compiled import Compiled
from tests.unit.test_short_games import SHORT

GAME = load_game(str(SHORT / "fliptoons.py"))
RULES = GAME.engine.__globals__
STARTING = ["CATERPILLAR", "CATERPILLAR", "SKUNK", "DRAGONFLY", "BEE", "SNAIL"]
TRADING, STINKING, FREEING, BITING, REJECTING, GIVING = (
    RULES[phase] for phase in ("TRADING", "STINKING", "FREEING", "BITING", "REJECTING", "GIVING")
)
FILLERS = ["BEE", "SNAIL", "HORSE", "PEACOCK", "BUTTERFLY", "DRAGONFLY"]  # without abilities in the flip


def fill(pile: np.ndarray, *names: str) -> None:
    """Cards for a pile, from the bottom."""
    pile[:] = 0
    pile[: len(names) + 1] = len(names), *(RULES[name] for name in names)


class Table(Compiled):
    log_may_overflow = True

    def __init__(self, players: int = 2, game: int = 0, level: str | None = None, **rulings: str):
        sets = {"numbers.players": players} | {f"rulings.{name}": reading for name, reading in rulings.items()}
        super().__init__(GAME.compiled, load_scenario(GAME, None, level, sets), 5, game)
        self.names = {RULES[name.upper()]: name.upper() for name in self.kinds()}

    def kinds(self) -> list[str]:
        lines = (SHORT / "fliptoons.csv").read_text(encoding="utf-8").splitlines()
        return [line.split(",")[0] for line in lines[1:]]

    def cards(self, pile: np.ndarray) -> list[str]:
        return [self.names[card] for card in pile[1 : 1 + pile[0]]]

    def flip(self, *names: str, p: int = 0) -> list[tuple[str, int, int]]:
        """Reveal these cards, the first of them first. Return each card as placed, with its space and side."""
        fill(self.state.grid[p])
        fill(self.state.stock[p], *reversed(names))
        RULES["_flip"](self.state, self.tables, p)
        return self.grid(p)

    def grid(self, p: int = 0) -> list[tuple[str, int, int]]:
        names = self.cards(self.state.grid[p])
        return [(name, int(self.state.cell[p, i]), int(self.state.down[p, i])) for i, name in enumerate(names)]

    def ending(self) -> str:
        return self.engine.end_reasons[int(self.state.end_reason)]

    def fame(self, p: int = 0) -> int:
        return int(RULES["_fame"](self.state, self.tables, p))

    def check(self) -> None:
        """Go on from Check Fame, with the grids as they are."""
        self.go_on("CHECKING")

    def earn(self, *fame: int) -> None:
        """Give players fame to spend, and begin the first one's turn in the market."""
        self.state.fame[: len(fame)] = fame
        self.go_on("MARKET")

    def go_on(self, step: str) -> None:
        """Go on from a step of the round."""
        self.state.step, self.state.seat, self.state.phase, self.state.actions = RULES[step], 0, 0, -1
        RULES["_go_on"](self.state, self.tables)

    def sell(self, *names: str) -> None:
        """Cards in the market, by rank."""
        fill(self.state.market, *names)
        self.state.gaps = (1 << 5 - len(names)) - 1

    @property
    def actions(self) -> set[tuple]:
        acts = self.engine.describe_action.__self__
        legal = ((acts.acts[code // acts.arguments], code % acts.arguments) for code in self.legal())
        return {(act.name, *act.values(rest)) for act, rest in legal}

    def play(self, name: str, *arguments: int) -> None:
        action = RULES[name.upper()]
        code = action(*arguments) if arguments else action
        assert code in self.codes(), (name, arguments, self.actions)
        self.apply(np.int32(code))


def spaces(placed: list[tuple[str, int, int]]) -> list[int]:
    return [space for _, space, _ in placed]


# ---------------------------------------------------------------- the box


def test_the_sheet_has_24_starting_cards_and_53_toons_of_ranks_1_to_25():
    lines = (SHORT / "fliptoons.csv").read_text(encoding="utf-8").splitlines()[1:]
    copies, ranks = zip(*((int(cells[1]), int(cells[2])) for cells in (line.split(",") for line in lines)), strict=True)
    assert ranks == (0,) * 5 + tuple(range(1, 26))
    assert (sum(copies[:5]), sum(copies[5:])) == (24, 53)


def test_only_the_solo_game_has_levels():
    assert load_scenario(GAME).model.difficulties() == ["normal"]
    assert load_scenario(GAME, None, "Hard", {"numbers.players": "1"}).difficulty == "hard"
    for level in ("hard", "Easy"):
        with pytest.raises(ScenarioError, match=f'no difficulty "{level}": it applies only to 1 player .--players 1.'):
            load_scenario(GAME, None, level, {"numbers.players": "3"})
    asked = Request(str(GAME.home), None, "easy", players=1)
    assert asked.words() == ["--difficulty", "easy", "--players", "1"]


def test_plays_and_descriptions_know_the_levels_of_the_solo_game():
    words = words_of(str(GAME.home))
    assert (set(words.levels), words.only_level) == ({"normal", "easy", "hard"}, "normal")
    shown = bartizan("describe", GAME.home)
    assert "\n  also, for 1 player (--players 1): easy, hard\n" in shown.out
    near = bartizan("describe", GAME.home, "--set", "solo_discards=1").err + shown.err
    assert 'did you mean "level' in near
    alone = bartizan("describe", GAME.home, "--players", 1, "--difficulty", "hard").out
    assert "also, for" not in alone and "--difficulty hard --players 1" in alone


@pytest.mark.parametrize(
    ("players", "level", "toons"), [(2, None, 48), (4, None, 48), (1, "easy", 30), (1, "hard", 24)]
)
def test_setup_leaves_toons_beside_the_market(players, level, toons):
    """Alone without the Pig, after 17 or 23 discards."""
    state = Table(players, level=level).state
    assert state.toons[0] == toons and state.market[0] == 5
    assert all(state.stock[p, 0] + state.grid[p, 0] == 6 for p in range(players))


def test_the_log_has_room_for_four_flips():
    state = Table(4).state
    assert state.n_events == 4 * 6 + 4 < len(state.events)


def test_the_market_is_sorted_by_rank():
    for game in range(20):
        market = Table(game=game).state.market[1:6].tolist()
        assert market == sorted(market)


# ---------------------------------------------------------------- known truths


def by_hand(names: tuple[str, ...]) -> int:
    """Fame of starting cards in reading order: Bee 1, Snail 2, and the different names beside the Dragonfly."""
    at = names.index("DRAGONFLY")
    beside = {names[i] for i in range(6) if abs(i // 3 - at // 3) + abs(i % 3 - at % 3) == 1}
    return 3 + len(beside)


def test_the_first_flip_brings_31_sixths_on_average():
    """By enumeration of the 720 orders: 3, and 1.9 beside a corner or 2.7 beside the middle: 31/6 in all.

    A Dragonfly in a corner (4 of 6 spaces) has two neighbours among five cards: both Caterpillars in 1 of 10 cases.
    In the middle it has three, with both Caterpillars in 3 of 10.
    """
    table, orders = Table(), list(permutations(STARTING))
    assert sum(map(by_hand, orders)) * 6 == 31 * len(orders)
    for order in orders[::7]:
        table.flip(*order)
        assert table.fame() == by_hand(order)


def test_alone_the_first_flip_brings_73_fifteenths_on_average():
    orders = list(permutations(["CATERPILLAR"] * 3 + STARTING[3:]))
    assert sum(map(by_hand, orders)) * 15 == 73 * len(orders)
    first = np.array([Table(1, game).state.fame[0] for game in range(600)])
    assert abs(first.mean() - 73 / 15) < 4 * first.std() / 600**0.5


# ---------------------------------------------------------------- examples of the rulebook


def example() -> Table:
    """Page 7."""
    table = Table()
    table.sell("EAGLE", "BUTTERFLY", "GOAT", "ROOSTER", "BULL")
    fill(table.state.grid[1])
    table.flip("CATERPILLAR", "SHEEP", "CATERPILLAR", "DRAGONFLY", "BEE", "CAMEL")
    return table


def test_the_example_of_check_fame():
    table = example()
    worth = [int(RULES["_fame_of"](table.state, table.tables, 0, at)) for at in range(6)]
    assert worth == [0, 5, 0, 2, 1, 4] and table.fame() == 12


def test_the_example_of_the_market():
    """Page 10: with 13 fame a Goat for 7, then a Caterpillar for 3; then the market is full and sorted again."""
    table = example()
    table.earn(13, 0)
    assert (
        table.actions >= {("hire", 0), ("hire", 3), ("dismiss", 0), ("dismiss", 1)} and ("hire", 4) not in table.actions
    )
    toons = int(table.state.toons[0])
    table.play("hire", 2)
    assert table.cards(table.state.stock[0])[-1] == "GOAT" and table.state.coins == 6 and table.state.market[0] == 4
    assert {action for action in table.actions if action[0] == "hire"} == {("hire", 0), ("hire", 1)}
    table.state.actions += 1  # so that the turn goes on
    table.play("dismiss", 2)
    assert table.cards(table.state.dismissed[0]) == ["CATERPILLAR"] and table.state.coins == 3
    table.play("finish")
    market = table.state.market[1:6].tolist()
    assert table.state.me == 1 and table.state.toons[0] == toons - 1 and market == sorted(market)


# ---------------------------------------------------------------- cards in the flip


def test_an_ostrich_carries_the_next_card_which_then_acts():
    table = Table()
    placed = table.flip("OSTRICH", "ELEPHANT", "BEE", "SNAIL", "HORSE", "PEACOCK", "BUTTERFLY", "SKUNK")
    assert spaces(placed) == [6, 6, 7, 8, 9, 10, 11] and placed[0] == ("OSTRICH", 6, 1)


def test_an_ostrich_in_the_last_space_ends_the_flip():
    table = Table()
    assert spaces(table.flip(*FILLERS[:5], "OSTRICH", "SKUNK")) == [6, 7, 8, 9, 10, 11]


def test_a_card_that_leaves_an_ostrich_is_not_followed_by_another():
    table = Table()
    placed = table.flip("OSTRICH", "MONKEY", "BEE", "SNAIL", "HORSE", "PEACOCK", "BUTTERFLY", "SKUNK")
    assert spaces(placed) == [6, 3, 7, 8, 9, 10, 11]
    assert spaces(table.flip("RABBIT", "OSTRICH", "RABBIT", "BEE", *FILLERS[1:4])) == [6, 7, 6, 8, 9, 10, 11]


def test_an_eagle_turns_the_next_card_down_and_its_ability_off():
    table = Table()
    placed = table.flip("EAGLE", "OSTRICH", "BEE", "SNAIL", "HORSE", "PEACOCK", "SKUNK")
    assert placed[1] == ("OSTRICH", 7, 1) and spaces(placed) == [6, 7, 8, 9, 10, 11]
    assert table.flip("EAGLE", "RABBIT", "RABBIT")[1:] == [("RABBIT", 7, 0), ("RABBIT", 7, 0)]
    assert spaces(table.flip(*FILLERS[:5], "EAGLE", "SKUNK")) == [6, 7, 8, 9, 10, 11]


def test_a_rabbit_joins_the_first_rabbit_or_face_down_card():
    table = Table()
    assert table.flip("BEE", "RABBIT", "EAGLE", "SNAIL", "RABBIT")[4] == ("RABBIT", 7, 0)
    assert table.flip("EAGLE", "SNAIL", "RABBIT", "BEE")[2:] == [("RABBIT", 7, 0), ("BEE", 8, 0)]
    order = ("BEE", "MONKEY", "ELEPHANT", "EAGLE", "SNAIL", "RABBIT")  # the Monkey is face down above the Elephant
    assert table.flip(*order)[5] == ("RABBIT", 4, 0)
    assert table.flip("BEE", "EAGLE", "SNAIL", "SNAIL", "RABBIT")[4] == ("RABBIT", 8, 0)
    order = (
        "RABBIT",
        "MONKEY",
        "ELEPHANT",
        "RABBIT",
    )  # the first in the grid is the Monkey above, the first placed a Rabbit
    assert Table(first_target="in_grid").flip(*order)[3] == ("RABBIT", 4, 0)
    assert Table(first_target="placed").flip(*order)[3] == ("RABBIT", 6, 0)


def test_an_elephant_turns_the_card_before_it():
    table = Table()
    assert table.flip("ELEPHANT", "BEE") == [("ELEPHANT", 6, 0), ("BEE", 7, 0)]
    assert table.flip("BEE", "ELEPHANT")[0] == ("BEE", 6, 1)
    assert table.flip("RABBIT", "ELEPHANT")[0] == ("RABBIT", 6, 0)
    assert table.flip("MONKEY", "ELEPHANT") == [("MONKEY", 3, 1), ("ELEPHANT", 6, 0)]
    assert table.flip("EAGLE", "OSTRICH", "ELEPHANT", "BEE")[1:] == [
        ("OSTRICH", 7, 0),
        ("ELEPHANT", 8, 0),
        ("BEE", 9, 0),
    ]


def test_a_turkey_lies_on_the_card_before_it():
    table = Table()
    assert spaces(table.flip("TURKEY", "BEE", "TURKEY", "SNAIL")) == [6, 7, 7, 8]
    assert spaces(table.flip("MONKEY", "TURKEY", "SNAIL")) == [3, 3, 6]


def test_a_monkey_of_the_upper_row_climbs():
    table = Table()
    assert spaces(table.flip("BEE", "MONKEY", "GOAT", *FILLERS[1:6])) == [6, 4, 7, 8, 9, 10, 11]
    assert table.fame() == 1 + 3 + 4 + 2 + 4 + 5 + 2  # the Goat is in the upper row
    assert spaces(table.flip(*FILLERS[:3], "MONKEY")) == [6, 7, 8, 9]
    order = ("MONKEY", "MONKEY", "BEE")
    assert spaces(Table(second_monkey="above").flip(*order)) == [3, 0, 6]
    assert spaces(Table(second_monkey="below").flip(*order)) == [0, 3, 6]


def test_a_snake_swallows_a_card_and_carries_a_toon():
    table = Table()
    fill(table.state.toons, "SHEEP", "HORSE")
    assert table.flip("SNAKE", "SKUNK", "BEE") == [("SNAKE", 6, 0), ("HORSE", 6, 0), ("BEE", 7, 0)]
    assert table.cards(table.state.dismissed[0]) == ["SKUNK"] and table.cards(table.state.toons) == ["SHEEP"]
    assert table.flip("SNAKE") == [("SNAKE", 6, 0), ("SHEEP", 6, 0)]
    assert table.flip("SNAKE", "BEE", "SNAIL") == [("SNAKE", 6, 0), ("SNAIL", 7, 0)]  # no toon is left


def test_a_snake_places_what_cannot_be_dismissed():
    table = Table()
    fill(table.state.toons, "GOAT")
    assert table.flip("SNAKE", "TIGER", "BEE") == [("SNAKE", 6, 0), ("TIGER", 7, 0), ("GOAT", 6, 0), ("BEE", 8, 0)]
    table.flip(*FILLERS[:5], "SNAKE", "CAT", "BEE")
    assert table.cards(table.state.stock[0]) == ["BEE", "CAT"]


@pytest.mark.parametrize("toon", ["RABBIT", "TURKEY"])
def test_a_rabbit_or_turkey_stays_on_the_snake(toon):
    table = Table()
    fill(table.state.toons, toon)
    assert table.flip("RABBIT", "SNAKE", "BEE", "SNAIL") == [
        ("RABBIT", 6, 0),
        ("SNAKE", 7, 0),
        (toon, 7, 0),
        ("SNAIL", 8, 0),
    ]


@pytest.mark.parametrize(("reading", "down"), [("acts", 1), ("rests", 0)])
def test_another_card_on_the_snake_acts_or_rests(reading, down):
    table = Table(fed_card=reading)
    fill(table.state.toons, "ELEPHANT")
    assert table.flip("SNAKE", "BEE") == [("SNAKE", 6, down), ("ELEPHANT", 6, 0)]


@pytest.mark.parametrize(("reading", "fame", "coins"), [("before_check", 8, 8), ("after_check", 6, 8)])
def test_a_peacock_on_the_snake_brings_fame_and_an_action(reading, fame, coins):
    table = Table(fed_hired=reading)
    fill(table.state.toons, "BEAR", "COW", "DEER", "PEACOCK")
    table.flip("SNAKE", p=0)
    table.flip("BEE", "BEE", "BEE", "BEE", "BEE", "BEE", p=1)
    table.go_on("EARLY")
    assert table.state.me == 0 and table.state.phase == TRADING
    assert (table.state.fame[0], table.state.coins, table.state.actions) == (fame, coins, 3)


def test_a_pig_that_the_snake_swallows_goes_into_a_deck_after_the_flip():
    table = Table()
    table.flip("SNAKE", "PIG")
    assert table.cards(table.state.aside[0]) == ["PIG"] and table.cards(table.state.dismissed[0]) == []
    table.go_on("EARLY")
    assert table.actions == {("give_pig", 0), ("give_pig", 1), ("return_pig",)}
    table.play("give_pig", 1)
    assert "PIG" in table.cards(table.state.stock[1])


# ---------------------------------------------------------------- fame


def worth(table: Table, name: str, p: int = 0) -> int:
    at = table.cards(table.state.grid[p]).index(name)
    return int(RULES["_fame_of"](table.state, table.tables, p, at))


def test_a_row_or_a_column_brings_fame():
    table = Table()
    table.flip("GOAT", "SHEEP", "DONKEY", "BEE", "SNAIL", "HORSE")
    assert [worth(table, name) for name in ("GOAT", "SHEEP", "DONKEY")] == [4, 5, 1]
    table.flip("BEE", "SNAIL", "SHEEP", "DONKEY", "GOAT")
    assert [worth(table, name) for name in ("GOAT", "SHEEP", "DONKEY")] == [1, 1, 6]


def test_dogs_and_camels_look_at_the_market_and_at_other_grids():
    table = Table(3)
    table.sell("BEAR")
    table.flip("DOG", "DOG", "CAMEL", p=0)
    table.flip("CAMEL", "EAGLE", "DOG", p=1)
    table.flip("CAMEL", p=2)
    assert worth(table, "DOG") == 0  # the other one is face down
    assert worth(table, "CAMEL") == worth(table, "CAMEL", 1) == worth(table, "CAMEL", 2) == 4
    table.sell("DOG", "CAMEL", "CAMEL")
    assert worth(table, "DOG") == 5 and worth(table, "CAMEL") == 2


def test_cats_and_tigers_count_dismissed_cards():
    table = Table()
    table.flip("CAT", "TIGER")
    fill(table.state.dismissed[0], "BEE", "CATERPILLAR", "HORSE")
    assert worth(table, "CAT") == 3 and worth(table, "TIGER") == 6


def test_cards_that_look_at_their_grid():
    table = Table()
    table.flip("ROOSTER", "BEAR", "EAGLE", "BEE", "BULL", "SNAIL")
    assert worth(table, "ROOSTER") == 3 and worth(table, "BULL") == 10 and worth(table, "BEAR") == 1 + 5
    table.flip("BULL", "DEER", "OSTRICH", "BEE", "BEAR", "SNAIL", "HORSE")  # the Bee lies on the Ostrich
    assert worth(table, "BULL") == 3 and worth(table, "DEER") == 8 and worth(table, "BEAR") == 8
    table.flip("DEER", "BEE", "BEE")
    assert worth(table, "DEER") == 3


def test_a_lion_looks_at_its_neighbours():
    table = Table()
    table.flip("ALLIGATOR", "LION", "BEE", "PEACOCK", "LION", "SNAIL")
    assert [int(RULES["_fame_of"](table.state, table.tables, 0, at)) for at in (1, 4)] == [7, 3]
    for reading, fame in (("yes", 7), ("no", 3)):
        alone = Table(lone_lion=reading)
        alone.flip("LION")
        assert alone.fame() == fame


def test_a_dragonfly_counts_different_neighbours():
    for reading, fame in (("names", 2), ("singles", 1)):
        table = Table(unique=reading)
        table.flip("BEE", "DRAGONFLY", "BEE", "SKUNK", "SNAIL", "SKUNK")
        assert worth(table, "DRAGONFLY") == fame


def test_a_cow_copies_the_best_neighbour_in_a_stack_too():
    for reading, fame in (("generated", 5), ("printed", 4)):
        table = Table(cow=reading)
        table.flip("BEE", "SHEEP", "COW", "SNAIL", "OSTRICH", "GOAT", "HORSE")
        assert (
            table.fame() - sum(worth(table, name) for name in table.cards(table.state.grid[0]) if name != "COW") == fame
        )

    table.flip("BEE", "ELEPHANT", "COW")
    assert table.fame() == 14
    table.flip("COW", "PIG")
    assert table.fame() == -2
    table.flip("COW", "BEE", "ELEPHANT")  # the Bee is face down
    assert table.fame() == 7


# ---------------------------------------------------------------- after Check Fame


def test_the_skunk_of_the_only_player_with_least_fame_dismisses_a_card():
    table = Table()
    table.flip("SKUNK", "CAT", "EAGLE", "BEE", p=0)
    table.flip("HORSE", "HORSE", p=1)
    table.check()
    assert (table.state.me, table.state.phase) == (0, STINKING)
    assert table.actions == {("dismiss", 0), ("dismiss", 2)}  # itself or the Eagle
    table.play("dismiss", 0)
    assert table.cards(table.state.dismissed[0]) == ["SKUNK"] and table.state.phase == TRADING
    assert table.state.coins == 5 and table.state.actions == 2


def test_a_tie_or_a_skunk_face_down_has_no_effect():
    for mine, theirs in ((["SKUNK", "BEE"], ["SKUNK", "BEE"]), (["SNAIL", "ELEPHANT"], ["EAGLE", "SKUNK"])):
        table = Table()
        table.flip(*mine, p=0)
        table.flip(*theirs, p=1)
        table.check()
        assert table.state.phase == TRADING


@pytest.mark.parametrize(("reading", "phase"), [("action_only", STINKING), ("always", TRADING)])
def test_with_fewer_than_four_cards_only_abilities_may_dismiss(reading, phase):
    table = Table(few_cards=reading)
    table.flip("SKUNK", "SNAIL", "BEE", p=0)
    table.flip("HORSE", p=1)
    table.check()
    assert table.state.phase == phase
    table.earn(20, 0)
    assert not [action for action in table.actions if action[0] == "dismiss"]


def test_a_butterfly_may_dismiss_a_caterpillar_that_is_face_up():
    table = Table()
    table.sell("BUTTERFLY", "BUTTERFLY", "HORSE", "BULL", "COW")
    table.flip("CATERPILLAR", "EAGLE", "CATERPILLAR", "BEE")
    table.earn(20, 0)
    table.play("hire", 1)
    assert table.state.phase == FREEING and table.actions == {("dismiss", 0), ("finish",)}
    table.play("dismiss", 0)
    assert table.state.coins == 16 and table.state.phase == TRADING and table.state.actions == 1


def test_a_peacock_brings_two_fame_and_an_action():
    table = Table()
    table.sell("BUTTERFLY", "HORSE", "PEACOCK", "BULL", "COW")
    table.earn(9, 0)
    table.play("hire", 2)
    assert table.state.coins == 4 and table.state.actions == 2


@pytest.mark.parametrize(("reading", "gaps"), [("stays", 0b10), ("lowest", 0b1)])
def test_a_horse_rejects_any_number_of_cards(reading, gaps):
    table = Table(horse_gap=reading)
    table.sell("BUTTERFLY", "HORSE", "PEACOCK", "BULL", "COW")
    fill(table.state.toons, "BEAR", "SHEEP", "OSTRICH")
    table.earn(30, 0)
    table.play("hire", 1)
    assert table.state.phase == REJECTING
    table.play("reject", 1)  # the Peacock
    assert table.actions == {("reject", 1), ("reject", 2), ("finish",)}
    table.play("reject", 2)  # the Cow
    table.play("finish")
    assert table.cards(table.state.market) == ["OSTRICH", "BUTTERFLY", "SHEEP", "BULL"] and table.state.gaps == gaps
    table.play("finish")
    assert table.cards(table.state.market) == ["OSTRICH", "BUTTERFLY", "SHEEP", "BULL", "BEAR"]


def test_a_hired_pig_may_go_back_into_the_toon_deck():
    table = Table()
    table.sell("PIG")
    toons = int(table.state.toons[0])
    table.earn(20, 0)
    table.play("hire", 0)
    assert table.state.phase == GIVING and table.state.coins == 5
    table.play("return_pig")
    assert table.state.toons[0] == toons + 1 and table.state.phase == TRADING


def test_donkeys_and_alligators_act_after_the_market():
    table = Table()
    table.flip("DONKEY", "ALLIGATOR", "BEE", "DONKEY", "ALLIGATOR", "ALLIGATOR", p=0)
    fill(table.state.grid[1])
    table.earn(0, 0)
    table.play("finish")
    table.play("finish")
    assert sorted(table.cards(table.state.dismissed[0])) == ["ALLIGATOR", "BEE", "DONKEY"]


def test_an_alligator_dismisses_one_card_of_a_stack():
    table = Table()
    table.flip("ALLIGATOR", "OSTRICH", "HORSE", p=0)
    fill(table.state.grid[1])
    table.earn(0, 0)
    table.play("finish")
    table.play("finish")
    assert table.state.phase == BITING and table.actions == {("dismiss", 1), ("dismiss", 2)}
    table.play("dismiss", 2)
    assert table.cards(table.state.dismissed[0]) == ["HORSE"]


def test_an_alligator_that_is_dismissed_does_nothing():
    table = Table()
    table.flip("ALLIGATOR", "HORSE", "BEE", "SNAIL", p=0)
    fill(table.state.grid[1])
    table.earn(5, 0)
    table.play("dismiss", 0)
    table.play("finish")
    table.play("finish")
    assert table.cards(table.state.dismissed[0]) == ["ALLIGATOR"]


# ---------------------------------------------------------------- the market and the end


def test_without_toons_the_market_moves_to_the_highest_prices():
    table = Table(3)
    table.sell("BUTTERFLY", "HORSE", "PEACOCK", "BULL", "COW")
    fill(table.state.toons)
    table.earn(15, 15, 0)
    table.play("hire", 4)
    table.play("finish")
    assert table.state.me == 1 and table.state.gaps == 1
    assert {action for action in table.actions if action[0] == "hire"} == {
        ("hire", 0),
        ("hire", 1),
        ("hire", 2),
        ("hire", 3),
    }
    table.play("hire", 0)
    assert table.state.coins == 11


def test_an_empty_market_ends_the_game_after_the_round():
    table = Table(3)
    table.sell("COW")
    fill(table.state.toons)
    table.earn(15, 0, 0)
    table.play("hire", 0)
    table.play("finish")
    assert table.state.me == 1 and not table.over
    table.play("finish")
    table.play("finish")
    assert table.over and table.state.final >= 1 and table.state.critic == -1


def test_after_100_rounds_the_game_ends():
    """Nobody hires or dismisses: the book has no end for that."""
    table = Table(3)
    for p, card in enumerate(("BEE", "SNAIL", "GOAT")):
        table.flip(card, p=p)
    table.earn(1, 2, 4)
    for _ in range(300):
        assert not table.over
        table.play("finish")
    assert table.over and table.state.final >= 1 and table.state.turn == 100


def test_two_players_discard_from_the_market_after_each_round():
    table = Table()
    table.sell("BUTTERFLY", "HORSE", "PEACOCK", "BULL", "COW")
    boxed = int(table.state.box[0])
    table.earn(0, 0)
    table.play("finish")
    assert table.state.box[0] == boxed
    table.play("finish")
    assert table.cards(table.state.box)[boxed:] == ["BUTTERFLY", "COW"] and table.state.market[0] == 5


def test_30_fame_end_the_game_and_the_critic_favours_the_most():
    table = Table()
    table.flip(*["ELEPHANT", "BULL"] * 3, p=0)
    table.flip("HORSE", p=1)
    table.check()
    assert table.state.ending == 1 and table.state.critic == 0 and not table.over
    while table.state.phase != TRADING:
        table.apply(np.int32(table.codes()[0]))
    tied = Table()
    tied.flip(*["ELEPHANT", "BULL"] * 3, p=0)
    tied.flip(*["ELEPHANT", "BULL"] * 3, p=1)
    tied.check()
    assert tied.state.ending == 1 and tied.state.critic == -1


@pytest.mark.parametrize(("reading", "winner"), [("yes", 0), ("no", -1)])
def test_a_tie_of_the_final_flip_is_flipped_again(reading, winner):
    """Equal cards tie for ever; a critic's three fame that are lost in the first flip decide the second."""
    table = Table(critic_again=reading)
    for p in (0, 1):
        fill(table.state.grid[p])
        fill(table.state.stock[p], "BEE")
    table.state.final, table.state.critic = 2, 0
    table.go_on("FLIPPING")
    assert table.over and table.state.winner == winner


def test_alone_30_fame_win_and_an_empty_deck_loses():
    table = Table(1)
    table.flip(*["ELEPHANT", "BULL"] * 3)
    table.check()
    assert table.over and table.ending() == "30 fame"
    table = Table(1)
    fill(table.state.toons, "BEE")
    table.play("finish")
    assert table.over and table.ending() == "no toons left"


# ---------------------------------------------------------------- the policy


def test_the_producer_beats_random_play():
    """In 99.1 % of 10,000 games (docs/gallery.md)."""
    scenario = load_scenario(GAME)
    match = Match(GAME, scenario, (find_player(GAME, "producer"), find_player(GAME, "random")), 3)
    assert (Batch(match).play(range(300))["winner"] == 0).mean() > 0.95
