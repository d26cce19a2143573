"""FlipToons beside its twin, and the twin beside the examples and answers of the rulebook (p. 7 to 16)."""

import random

import pytest

from tests.naive.compiled import first
from tests.naive.fliptoons_twin import FINISH, RETURN_PIG, FlipToons, Toon
from tests.naive.test_short_twins import SEED, compare

READINGS = {
    "unique": ("names", "singles"),
    "first_target": ("in_grid", "placed"),
    "second_monkey": ("above", "below"),
    "fed_card": ("acts", "rests"),
    "fed_hired": ("before_check", "after_check"),
    "few_cards": ("action_only", "always"),
    "lone_lion": ("yes", "no"),
    "cow": ("generated", "printed"),
    "critic_again": ("yes", "no"),
    "horse_gap": ("stays", "lowest"),
}


PRINTED: dict = {}
# Many cards that act when placed or hired, and a toon deck that runs out
CROWDED = {
    "Snake": 6,
    "Elephant": 5,
    "Rabbit": 8,
    "Eagle": 4,
    "Lion": 5,
    "Horse": 4,
    "Butterfly": 5,
    "Peacock": 3,
    "Tiger": 2,
}
LONG = {"goal": 60, "most_rounds": 25, "prices": (2, 3, 4, 5, 6), "copies": CROWDED}
# Few cards in a grid, and many ties with the lower goal
SPARSE = {"Lion": 6, "Alligator": 6, "Horse": 6, "Butterfly": 6, "Camel": 0, "Dog": 0, "Rabbit": 0}
FEW = {"goal": 15, "prices": (1, 1, 2, 3, 4), "starting": (0, 0, 0, 1, 1), "copies": SPARSE}
TIED = FEW | {"goal": 5}
LEVELS = ("normal", 20), ("easy", 17), ("hard", 23)


def play(players: int, game: int, twin=FlipToons) -> str:
    """As `producer` advises, and every third game at random alone.

    Four games out of five have other readings, three out of four have other numbers.
    """
    choice, changed = random.Random(game), ({}, LONG, FEW, TIED)[game % 4]
    readings = {name: choice.choice(known) if game % 5 else known[0] for name, known in READINGS.items()}
    level, discards = LEVELS[game // 4 % 3]
    sets = {"numbers.players": players} | ({"difficulty": level} if players == 1 else {})
    sets |= {f"rulings.{name}": reading for name, reading in readings.items()}
    for name, value in changed.items():
        if name == "copies":
            sets |= {f"toons.{toon.lower()}.copies": number for toon, number in value.items()}
        elif name == "starting":
            sets["numbers.deck_alone" if players == 1 else "numbers.deck_of_each"] = list(value)
        else:
            sets[f"numbers.{name}"] = list(value) if name == "prices" else value
    twin = type("Twin", (twin,), readings | changed | {"solo_discards": discards})(players, SEED, game)
    return compare("fliptoons", twin, sets, game, "producer" if game % 3 else "")


@pytest.mark.rotating
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_fliptoons_is_its_twin(players):
    for game in first(25, of=250):
        play(players, game)


def table(*deck: str, toons=(), market=(), players=2, **readings) -> FlipToons:
    """A game in which the first player flips these cards, in this order; the toon deck is given from its top."""
    twin = type("Twin", (FlipToons,), readings)(players, SEED, 1)
    seat = twin.seats[0]
    seat.deck, seat.dismissed, twin.toons = list(reversed(deck)), [], list(reversed(toons))
    for other in twin.seats:
        other.clear()
    twin.arrange(list(market))
    twin.deal(seat)
    return twin


def laid(twin: FlipToons) -> list[str]:
    """The stacks of the first player's grid, card on card, `-` before those that are face down."""
    seat = twin.seats[0]
    return ["+".join("-" * (not toon.up) + toon.name for toon in stack) for _, stack in seat.stacks()]


def fame(twin: FlipToons) -> list[int]:
    seat = twin.seats[0]
    return [twin.worth(seat, space, toon.name) for space, toon in seat.cards() if toon.up]


def run(asked, *actions):
    """Answer what is asked; the options at each decision. What is left to ask is None at the end."""
    options, answers = [], iter(actions)
    try:
        found = next(asked)
        while True:
            options.append(found[1])
            answer = next(answers, None)
            if answer is None:
                return options
            assert answer in found[1]
            found = asked.send(answer)
    except StopIteration:
        assert next(answers, None) is None
        return [*options, None]


FULL = ("Bee", "Snail", "Dog", "Horse", "Camel")  # five cards that do nothing when placed


@pytest.mark.parametrize(
    ("deck", "toons", "grid"),
    [
        # Ostrich
        ((*FULL, "Ostrich", "Deer"), (), [*FULL, "Ostrich"]),
        (("Ostrich", "Bee", "Snail"), (), ["Ostrich+Bee", "Snail"]),
        (("Ostrich", "Ostrich", "Bee", "Snail"), (), ["Ostrich+Ostrich+Bee", "Snail"]),
        (("Rabbit", "Ostrich", "Rabbit", "Bee"), (), ["Rabbit+Rabbit", "Ostrich", "Bee"]),
        (("Ostrich", "Monkey", "Bee"), (), ["Monkey", "Ostrich", "Bee"]),
        # Eagle
        ((*FULL, "Eagle", "Deer"), (), [*FULL, "Eagle"]),
        (("Eagle", "Ostrich", "Bee"), (), ["Eagle", "-Ostrich", "Bee"]),
        (("Bee", "Eagle", "Turkey"), (), ["Bee", "Eagle", "-Turkey"]),
        (("Eagle", "Bull", "Bee"), (), ["Eagle", "Bull", "Bee"]),
        (("Eagle", "Eagle", "Bee"), (), ["Eagle", "Eagle", "-Bee"]),
        # Rabbit
        (("Rabbit", "Bee"), (), ["Rabbit", "Bee"]),
        (("Eagle", "Bee", "Rabbit", "Snail"), (), ["Eagle", "-Bee+Rabbit", "Snail"]),
        # Snake
        (("Snake", "Dog", "Bee"), ("Goat",), ["Snake+Goat", "Bee"]),
        (("Snake", "Cat", "Bee"), ("Goat",), ["Snake+Goat", "Cat", "Bee"]),
        ((*FULL, "Snake", "Tiger"), ("Goat",), [*FULL, "Snake+Goat"]),
        (("Bee", "Rabbit", "Snake"), ("Rabbit",), ["Bee", "Rabbit", "Snake+Rabbit"]),
        (("Snake", "Cat"), ("Turkey",), ["Snake+Turkey", "Cat"]),
        (("Bee", "Snake"), ("Goat",), ["Bee", "Snake+Goat"]),
        (("Bee", "Snake", "Dog", "Cat"), (), ["Bee", "Snake", "Cat"]),
        (("Snake", "Dog", "Bee"), ("Ostrich",), ["Snake+Ostrich+Bee"]),
        (("Snake", "Dog", "Bee", "Cat"), ("Snake", "Goat"), ["Snake+Snake+Goat", "Cat"]),
        # Elephant
        (("Elephant", "Bee"), (), ["Elephant", "Bee"]),
        (("Bee", "Elephant"), (), ["-Bee", "Elephant"]),
        (("Monkey", "Elephant"), (), ["-Monkey", "Elephant"]),
        (("Rabbit", "Elephant"), (), ["Rabbit", "Elephant"]),
        (("Eagle", "Monkey", "Elephant"), (), ["Eagle", "Monkey", "Elephant"]),
        (("Ostrich", "Elephant", "Bee"), (), ["-Ostrich+Elephant", "Bee"]),
        # Monkey
        (("Bee", "Monkey", "Snail"), (), ["Monkey", "Bee", "Snail"]),
        ((*FULL[:3], "Monkey"), (), [*FULL[:3], "Monkey"]),
        (("Monkey", *FULL, "Snail", "Deer"), (), ["Monkey", *FULL, "Snail"]),
        # Turkey
        (("Turkey", "Bee"), (), ["Turkey", "Bee"]),
        (("Bee", "Turkey", "Turkey"), (), ["Bee+Turkey+Turkey"]),
        (("Bee", "Monkey", "Turkey", "Snail"), (), ["Monkey+Turkey", "Bee", "Snail"]),
        (("Rabbit", "Bee", "Rabbit", "Turkey"), (), ["Rabbit+Rabbit+Turkey", "Bee"]),
    ],
)
def test_placing(deck, toons, grid):
    assert laid(table(*deck, toons=toons)) == grid


def test_a_cat_after_a_snake_in_the_last_space_stays_in_the_deck():
    twin = table(*FULL, "Snake", "Tiger", toons=["Goat"])
    assert (twin.seats[0].deck, twin.seats[0].dismissed) == (["Tiger"], [])


@pytest.mark.parametrize(
    ("deck", "market", "points"),
    [
        (("Caterpillar", "Sheep", "Caterpillar", "Dragonfly", "Bee", "Camel"), (), [0, 5, 0, 2, 1, 4]),  # p. 7
        ((*FULL[:3], "Donkey"), ("Camel",), [1, 2, 0, 6]),
        (("Donkey",), ("Camel",), [1]),
        (("Dog",), ("Dog",), [5]),
        (("Goat", "Monkey", "Bee"), (), [3, 4, 1]),
        (("Camel", "Camel"), ("Camel", "Camel"), [4, 4]),
        (("Camel",), ("Camel", "Camel"), [2]),
        (("Ostrich", "Bee", "Bear"), (), [1, 1, 4]),
        (("Elephant", "Cow", "Sheep"), (), [7, 7, 1]),
        (("Cow", "Ostrich", "Elephant"), (), [7, 7]),  # the Ostrich is face down
        (("Cow", "Ostrich", "Bee", "Elephant"), (), [1, 1, 7]),  # the Bee is
        (("Cow", "Pig"), (), [-1, -1]),
        (("Pig", "Eagle", "Bull"), (), [-1, 4, 3]),
        (("Bull", "Eagle", "Bee"), (), [10, 4]),
        (("Deer", "Bee", "Snail"), (), [8, 1, 2]),
        (("Deer", "Bee", "Bee"), (), [3, 1, 1]),
        (("Lion", "Turkey"), (), [7, 5]),  # not adjacent in one stack
        (("Turkey", "Lion"), (), [5, 3]),
        (("Rooster", "Bee", "Rooster", "Cat"), (), [3, 1, 3, 1]),
        (("Dragonfly", "Ostrich", "Bee", "Snail", "Bee"), (), [2, 1, 1, 2, 1]),
    ],
)
def test_points(deck, market, points):
    assert fame(table(*deck, market=market)) == points


def test_dismissed_cards_count_for_cat_and_tiger():
    twin = table("Cat", "Tiger")
    twin.seats[0].dismissed = ["Bee", "Skunk", "Goat"]
    assert fame(twin) == [3, 6]


def with_fame(twin, *points):
    for seat, value in zip(twin.seats, points, strict=True):
        seat.fame = value
    return twin


def test_the_skunk_dismisses_a_card_of_the_player_alone_with_least_fame():
    twin = with_fame(table("Cat", "Skunk", "Eagle", "Bee"), 2, 3)
    assert run(twin.stink(), ("dismiss", 1)) == [{("dismiss", 1), ("dismiss", 2)}, None]
    assert twin.seats[0].dismissed == ["Skunk"]
    for deck, points in ((("Skunk", "Bee"), (3, 3)), (("Skunk", "Bee"), (4, 3)), (("Bee",), (2, 3))):
        assert run(with_fame(table(*deck), *points).stink()) == [None]


def test_a_donkey_leaves_from_the_lower_row_only():
    twin = table("Donkey", "Bee", "Snail", "Donkey")
    assert run(twin.leave(0)) == [None]
    assert laid(twin) == ["Donkey", "Bee", "Snail"]


def test_an_alligator_dismisses_one_card_of_the_stack_to_its_right():
    twin = table("Alligator", "Ostrich", "Cat")
    assert run(twin.leave(0)) == [None]
    assert laid(twin) == ["Alligator", "Cat"]
    twin = table("Alligator", "Bee", "Turkey", "Snail")
    assert run(twin.leave(0), ("dismiss", 2)) == [{("dismiss", 1), ("dismiss", 2)}, None]
    assert laid(twin) == ["Alligator", "Bee", "Snail"]
    twin = table("Bee", "Alligator", "Alligator", "Snail")  # the second one is dismissed before it dismisses
    assert run(twin.leave(0)) == [None]
    assert laid(twin) == ["Bee", "Alligator", "Snail"]


def test_a_butterfly_dismisses_a_face_up_caterpillar_if_the_player_likes():
    twin = table("Caterpillar", "Eagle", "Caterpillar")
    assert run(twin.hired(0, "Butterfly"), FINISH) == [{("dismiss", 0), FINISH}, None]
    assert run(twin.hired(0, "Butterfly"), ("dismiss", 0)) == [{("dismiss", 0), FINISH}, None]
    assert run(twin.hired(0, "Butterfly")) == [None]


def test_a_horse_renews_cards_of_the_market():
    market = ["Dog", "Camel", "Camel", "Cow", "Deer"]
    twin = table(toons=["Bear", "Ostrich", "Eagle"], market=market)
    run(twin.renew(0), ("reject", 1), ("reject", 1), FINISH)
    assert (twin.market, twin.toons) == (["Ostrich", "Dog", "Deer", "Bear", "Cow"], ["Eagle"])


def test_the_pig_goes_into_any_deck():
    twin = table("Pig", "Bee", toons=["Dog", "Goat"])
    assert run(twin.dismiss(0, twin.seats[0].placed[0]), ("give_pig", 1)) == [
        {("give_pig", 0), ("give_pig", 1), RETURN_PIG},
        None,
    ]
    assert (twin.seats[0].dismissed, twin.seats[1].deck[-1]) == ([], "Pig")
    run(twin.place_pig(1), RETURN_PIG)
    assert sorted(twin.toons) == ["Dog", "Goat", "Pig"]


def test_a_card_stacked_by_a_snake_is_hired_after_the_flip():
    twin = table("Snake", "Bee", toons=["Peacock"])
    run(twin.hire_late())
    twin.check()
    assert twin.seats[0].fame == 1 + 5 + 2
    run(twin.market_turn(0), FINISH)
    assert (twin.actions, twin.coins) == (3, 8)
    twin = table("Snake", "Bee", "Snail", toons=["Pig"])
    run(twin.hire_late(), ("give_pig", 1))
    assert laid(twin) == ["Snake", "Snail"]
    twin = table("Snake", "Bee", "Elephant", toons=["Butterfly"])  # face down: no special effect (p. 14)
    twin.seats[0].deck += ["Caterpillar"]
    twin.deal(twin.seats[0])
    assert run(twin.hire_late()) == [None]


def test_the_market_of_page_10():
    deck = ("Caterpillar", "Sheep", "Caterpillar", "Dragonfly", "Bee", "Camel")
    twin = with_fame(table(*deck, toons=["Bull"], market=["Eagle", "Butterfly", "Goat", "Rooster", "Alligator"]), 13, 0)
    run(twin.market_turn(0), ("hire", 2), ("dismiss", 2))
    assert (twin.coins, twin.seats[0].deck, twin.seats[0].dismissed) == (3, ["Goat"], ["Caterpillar"])
    assert twin.market == ["Eagle", "Butterfly", "Rooster", "Alligator", "Bull"]


def test_who_has_three_cards_dismisses_none_and_nobody_dismisses_a_cat():
    twin = with_fame(table("Bee", "Snail", "Dog"), 30, 0)
    assert run(twin.market_turn(0), FINISH)[0] == {FINISH}
    twin = with_fame(table("Bee", "Snail", "Dog", "Cat", "Eagle", "Dog"), 5, 0)
    assert run(twin.market_turn(0), FINISH)[0] == {FINISH} | {("dismiss", i) for i in (0, 1, 2, 4)}


def test_a_peacock_brings_two_fame_and_an_action():
    twin = with_fame(table(market=["Peacock"], toons=["Bee"]), 15, 0)
    run(twin.market_turn(0), ("hire", 0))
    assert (twin.coins, twin.actions) == (2, 2)


@pytest.mark.parametrize(("players", "left"), [(2, ["Eagle", "Dog", "Goat", "Camel", "Bear"]), (3, None)])
def test_two_players_lose_the_ends_of_the_market(players, left):
    market = ["Ostrich", "Dog", "Goat", "Camel", "Cow"]
    twin = table(market=market, toons=["Eagle", "Bear"], players=players)
    twin.restock(seats_left=True)
    assert twin.market == market
    twin.restock(seats_left=False)
    assert twin.market == (left or market)


def test_an_empty_toon_deck_leaves_the_highest_prices_and_ends_a_solo_game():
    twin = table(market=["Dog", "Cow"], players=3)
    twin.restock(seats_left=False)
    assert (twin.market, twin.ending) == ([None, None, None, "Dog", "Cow"], False)
    twin = table(players=3)
    twin.restock(seats_left=False)
    assert twin.ending
    twin = table(market=["Dog", "Cow"], players=1)
    twin.restock(seats_left=False)
    assert twin.end


@pytest.mark.parametrize(
    ("points", "critic", "ending"), [((29, 3), None, False), ((30, 3), 0, True), ((30, 30), None, True)]
)
def test_the_critics_choice(points, critic, ending):
    twin = table(players=2)
    twin.worth = lambda seat, *_: points[twin.seats.index(seat)]
    for seat in twin.seats:
        seat.placed = [Toon("Bee")]
        seat.grid = {(1, 0): seat.placed}
    twin.check()
    assert (twin.critic, twin.ending) == (critic, ending)


def test_a_solo_deck_has_neither_skunk_nor_pig():
    twin = FlipToons(1, SEED, 1)
    seat = twin.seats[0]
    assert sorted(seat.deck + [toon.name for toon in seat.placed]) == ["Bee"] + ["Caterpillar"] * 3 + [
        "Dragonfly",
        "Snail",
    ]
    assert len(twin.toons) == 52 - 5 - 20
    assert "Pig" not in twin.toons + twin.market
