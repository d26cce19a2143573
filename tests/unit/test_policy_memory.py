"""A policy's memory: whose it is, how long it lasts, and that it is a cache: wiped or filled by another game
it changes nothing.
"""

import numpy as np
import pytest

from bartizan.policies.itter.garrison import GARRISON
from bartizan.policies.lookahead import looking_ahead
from bartizan.policies.protocol import Policy, as_player
from bartizan.policies.registry import find_player, find_policy, policies_of
from bartizan.policies.restricted import restrict
from bartizan.simcore import conformance
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.compile.loops import new_row
from bartizan.simcore.compile.memory import padded
from bartizan.simcore.errors import PolicyError
from bartizan.simcore.game import game_names, load_game
from bartizan.simcore.play.batch import Batch, play_games
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.replay import OneGame
from bartizan.simcore.scenario.loading import load_scenario
from tests.cli.run_cli import PIG, ROOT
from tests.memories import filled_by_others, memories, rows_by_hand, wiped

FILE = ROOT / "tests" / "games" / "rememberers.py"
SHIPPED = [
    (name, policy.name) for name in game_names() for policy in policies_of(load_game(name)).values() if policy.memory
]
CACHES = [(PIG, f"{FILE}:cached"), (PIG, f"{FILE}:widely"), *SHIPPED]
HOLD = 1


def policy(name: str) -> Policy:
    return find_policy(load_game(PIG), f"{FILE}:{name}")


def match_of(*policies: Policy) -> Match:
    pig = load_game(PIG)
    return Match(pig, load_scenario(pig), tuple(as_player(pig, one) for one in policies), 5)


def rows(*policies: Policy, games: int = 400) -> np.ndarray:
    return Batch(match_of(*policies)).play(range(games))


def same(one: np.ndarray, other: np.ndarray) -> bool:
    return one.tobytes() == other.tobytes()


# ---------------------------------------------------------------- whose it is, and how long it lasts


def test_it_lasts_over_decisions_and_games_one_for_each_seat():
    """`third` holds when it is asked a third time, `second` every second time, whatever the game."""
    one, asked = OneGame(match_of(policy("third"), policy("second"))), [0, 0]
    for number in range(3):
        one.begin(5, number)
        while not one.is_over:
            seat = one.seat
            asked[seat] += 1
            holds = asked[seat] % (3 - seat) == 0
            assert one.decide() == holds
            one.apply(int(holds))
    assert min(asked) > 50


def test_it_is_blank_when_games_begin():
    batch = Batch(match_of(policy("third"), policy("second")))
    first = batch.play(range(50))
    assert same(batch.play(range(50)), first)
    alone = np.concatenate([batch.play(range(number, number + 1)) for number in range(50)])
    assert not same(alone, first), "a player who remembers the games before plays otherwise"


def test_two_threads_have_two():
    """A cache is the same on any number of threads."""
    one, two = (
        np.concatenate(list(play_games(match_of(policy("cached"), policy("widely")), range(20_000), jobs)))
        for jobs in (1, 2)
    )
    assert same(one, two) and same(one, rows(policy("plain"), policy("plain"), games=20_000))


# ---------------------------------------------------------------- policies that ask others


@pytest.mark.parametrize(
    ("base", "later"), [("cached", "widely"), ("widely", "cached"), ("cached", "plain"), ("plain", "widely")]
)
def test_two_policies_in_one_do_not_touch_each_others(base, later):
    """Both notice what they have not written themselves."""
    both = restrict(policy(base), {}, 0.2, policy(later), 9)
    plain = restrict(policy("plain"), {}, 0.2, policy("plain"), 9)
    assert same(rows(both, policy("widely")), rows(plain, policy("plain")))


def test_a_restricted_policy_keeps_its_count():
    """`third` from the first turn to the fifth, then `second`: each counts what it is asked."""
    one = OneGame(match_of(restrict(policy("third"), {}, None, policy("second"), 6), policy("plain")))
    asked = {3: 0, 2: 0}
    for number in range(4):
        one.begin(5, number)
        while not one.is_over:
            own, each = one.seat == 0, 2 if one.state.turn >= 6 else 3
            asked[each] += own
            action = one.decide()
            assert not own or (action == HOLD) == (asked[each] % each == 0)
            one.apply(action)
    assert min(asked.values()) > 5


@pytest.mark.parametrize(("base", "other"), [("cached", "widely"), ("cached", "cached")])
def test_looking_ahead_leaves_each_its_own(base, other):
    def ahead(base: str, other: str) -> Policy:
        return looking_ahead(
            policy(base), policy(other), (0,), {"plays": 16.0, "screen": 4.0, "turns": 0.0, "doubt": 1.0}, False, {}
        )

    found = rows(ahead(base, other), policy("plain"), games=12)
    assert same(found, rows(ahead("plain", "plain"), policy("plain"), games=12))


# ---------------------------------------------------------------- it is a cache


def seated(game: str, text: str) -> Match:
    """The policy in every seat that it can play."""
    it = load_game(game)
    scenario = load_scenario(it, difficulty="elite" if game == "itter" else None)
    own = find_policy(it, text)
    players = (text if not own.roles or role in own.roles else it.default_for(role) for role in it.roles_in(scenario))
    return Match(it, scenario, tuple(find_player(it, one) for one in players), 11)


@pytest.mark.parametrize(("game", "text"), CACHES, ids=lambda value: str(value).rsplit("/", 1)[-1])
def test_wiped_or_filled_by_another_game_it_changes_nothing(game, text):
    match, games = seated(game, text), 1 if game == "colditz" else 4  # as many decisions as ten of the others
    played = Batch(match).play(range(games))
    assert same(rows_by_hand(match, games), played)
    assert same(rows_by_hand(match, games, wiped), played)
    assert same(rows_by_hand(match, games, filled_by_others(match)), played)


@pytest.mark.parametrize(("game", "text"), CACHES, ids=lambda value: str(value).rsplit("/", 1)[-1])
def test_it_is_used(game, text):
    one = OneGame(seated(game, text))
    one.begin(11, 0)
    assert not memories(one).any()
    for _ in range(20):
        one.play(one.decide())
    assert memories(one).any()


def forgetful() -> Policy:
    """garrison with a blank memory at every decision, in trials of others too."""
    garrison = jit(GARRISON.choose)

    @jit
    def with_blank(state, tables, legal, n_legal, weights, blank):
        return garrison(state, tables, legal, n_legal, weights, blank[0])

    def choose(state, tables, legal, n_legal, weights):
        return with_blank(state, tables, legal, n_legal, weights, np.zeros(1, MEMORY))

    MEMORY = padded(GARRISON.memory)
    return Policy("forgetful", choose, weights=GARRISON.weights, roles=GARRISON.roles, aim=GARRISON.aim)


@pytest.mark.slow
@pytest.mark.parametrize("difficulty", ["novice", "elite"])
def test_garrison_plays_the_same_without_one(difficulty):
    """By itself, restricted, after another, and as the base of one that looks ahead, whose trials share its memory."""
    it = load_game("itter")
    scenario = load_scenario(it, difficulty=difficulty)

    def played(one: Policy, games: int) -> np.ndarray:
        return Batch(Match(it, scenario, (as_player(it, one),), 3)).play(range(games))

    def both(around, games: int) -> bool:
        return same(played(around(GARRISON), games), played(around(forgetful()), games))

    fight, ahead = find_policy(it, "fight"), {"plays": 8.0, "screen": 1.0, "turns": 0.0, "doubt": 1.0}
    assert both(lambda one: one, 2_000)
    assert both(lambda one: restrict(one, {"escape": 7}, 0.3, fight, 6), 500)
    assert both(lambda one: restrict(fight, {}, 0.3, one, 3), 500)
    assert both(lambda one: looking_ahead(one, None, (0,), ahead, 0.0, {}), 2)


def test_a_memory_of_other_weights_changes_nothing():
    """garrison decides with one row at every moment of two games, under two sets of weights in turn."""
    match = seated("itter", "garrison")
    choose, one = match.functions()[0], OneGame(match)
    plain = list(GARRISON.weights.values())
    other = [*reversed(plain)]
    kept, differ = new_row(match.engine, plain), 0
    for number in range(2):
        one.begin(11, number)
        while not one.is_over:
            legal, found = one.legal(), []
            for weights in (plain, other):
                kept[: len(weights)] = weights
                rows = (kept, new_row(match.engine, weights))
                used, blank = (choose(one.state, one.tables, legal.copy(), len(legal), row) for row in rows)
                assert used == blank
                found.append(used)
            differ += found[0] != found[1]
            one.play(found[0])
    assert differ > 20, "the weights tell two players"


def test_wiping_would_show():
    """The tests above can fail: `stale` compares too little."""
    match = match_of(policy("stale"), policy("stale"))
    played = Batch(match).play(range(4))
    assert same(rows_by_hand(match, 4), played)
    assert not same(rows_by_hand(match, 4, wiped), played)
    assert not same(rows_by_hand(match, 4, filled_by_others(match)), played)


@pytest.mark.parametrize("name", ["third", "stale"])
def test_check_names_a_memory_that_matters(name):
    match = match_of(policy("plain"), policy("plain"))
    player = find_player(match.game, f"{FILE}:{name}")
    with pytest.raises(
        PolicyError,
        match=rf"rememberers.py: policy {name}: .* in the same state: the contents of its memory must not change a choice",
    ):
        conformance.walk(match, 0, [conformance.as_played(player, match.engine)])


def test_check_lets_a_cache_pass():
    match = match_of(policy("plain"), policy("plain"))
    players = [
        conformance.as_played(find_player(match.game, f"{FILE}:{name}"), match.engine) for name in ("cached", "widely")
    ]
    assert conformance.walk(match, 0, players) == {0, 1}


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("memory", "says"),
    [
        (np.dtype("f8"), "its memory must be the dtype of a record"),
        ([("a", "i4")], "its memory must be the dtype of a record"),
        (np.dtype([("a", "O")]), "its memory must contain only numbers"),
        (np.dtype([("a", "f8", (2049,))]), "its memory has 16,392 bytes, but at most 16,384"),
    ],
)
def test_a_memory_that_is_none(memory, says):
    with pytest.raises(PolicyError, match=says):
        Policy("p", policy("third").choose, memory=memory)


def test_two_that_find_no_room_together():
    large = Policy("large", policy("third").choose, memory=np.dtype([("a", "f8", (1500,))]))
    with pytest.raises(PolicyError, match="its memory has 24,000 bytes, but at most 16,384"):
        restrict(large, {}, None, large, 3)


def test_a_policy_without_its_sixth_parameter():
    it = Policy("p", policy("plain").choose, memory=np.dtype([("a", "f8")]))
    with pytest.raises(PolicyError, match=r"rememberers.py:\d+: policy function choose_plainly does not compile: .*6"):
        as_player(load_game(PIG), it)


def test_a_row_that_is_too_short_is_refused():
    """From Python: what stands before the row would be overwritten."""
    pig = load_game(PIG)
    one, function = OneGame(match_of(policy("cached"), policy("cached"))), policy("cached").compiled_for(pig.compiled)
    one.begin(5, 0)
    legal = one.legal()
    with pytest.raises(ValueError, match="a full row of weights"):
        function(one.state, one.tables, legal, len(legal), np.zeros(2)[:0])
