"""Competitive Castle Itter: section 6.2 of simcore/itter/RULES.md, and what its players may see."""

import numpy as np
import pytest

from bartizan.policies.registry import find_player
from bartizan.simcore.arrays import as_records
from bartizan.simcore.compile.loops import new_row
from bartizan.simcore.game import load_game
from bartizan.simcore.itter.components import ARGUMENTS, NONE, Act, End, Event, Stage
from bartizan.simcore.itter.engine import ENGINE
from bartizan.simcore.itter.record import NO_SCORE
from bartizan.simcore.itter.rules.siege import breach
from bartizan.simcore.play.batch import play_games
from bartizan.simcore.play.match import Match
from bartizan.simcore.scenario.loading import load_scenario
from tests.itter_table import Table

GAME = load_game("itter")
SS = 1


def opened(**sets) -> Table:
    return Table(scenario="competitive", **sets)


def legal(table) -> list[int]:
    n = ENGINE.legal_actions(table.state, table.tables, table.buffer)
    return table.buffer[:n].tolist()


def apply(table, action: int) -> None:
    assert action in legal(table)
    ENGINE.apply(table.state, table.tables, np.int32(action))


def plan(table) -> list[int]:
    """The SS player lays the first cards he may; the cards laid."""
    while table.state.stage in (Stage.PLAN, Stage.PLAN_TACTICS):
        apply(table, legal(table)[0])
    return table.state.planned[: table.state.n_planned].tolist()


def hold(table, *cards: int) -> None:
    """Just these SS cards in hand."""
    table.state.ss_hand[:] = 0
    for card in cards:
        table.state.ss_hand[card] += 1
    table.state.ss_hand_size = len(cards)


def card_of(table, kind: str) -> int:
    return next(i for i, card in enumerate(table.scenario.model.all_cards().values()) if card.kind == kind)


@pytest.mark.rule("6.2")
def test_61_cards_22_tactics_and_two_hands():
    table = opened()
    s = table.state
    assert s.deck_size == 61 and s.ss_hand_size == s.ss_hand.sum() == 4 and s.deck_next == 4
    assert s.stack_size == 22 and int(s.tactics_hand).bit_count() == 3
    assert (s.stage, s.to_move, s.turn) == (Stage.PLAN, SS, 1)
    assert legal(table) == [Act.LAY * ARGUMENTS + card for card in np.flatnonzero(s.ss_hand)]
    sturm = len(table.scenario.model.ss_card)
    assert s.deck[:14].tolist().count(sturm) == 1, "the Competitive Sturm is in deck 1"


@pytest.mark.rule("6.2")
def test_three_cards_and_a_tactics_card_are_laid_then_the_hands_are_filled():
    table = opened()
    s = table.state
    for n in range(3):
        apply(table, legal(table)[-1])
        assert s.n_planned == n + 1
    assert s.stage == Stage.PLAN_TACTICS and s.ss_hand_size == 1
    tactics = [t for t in range(table.tables.tactics_end[4]) if int(s.tactics_hand) >> t & 1]
    assert legal(table) == [Act.LAY_TACTICS * ARGUMENTS + t for t in tactics]
    apply(table, legal(table)[0])
    assert (s.stage, s.to_move) == (Stage.ORDERS, 0)
    assert s.ss_hand_size == 4 and int(s.tactics_hand).bit_count() == 3 and s.deck_next == 7


@pytest.mark.rule("6.2")
def test_the_cards_are_turned_up_in_the_order_they_were_laid_under_the_tactics_card():
    table = opened()
    laid = plan(table)
    tactics = table.state.tactics_planned
    assert table.state.newer == NONE, "face down"
    apply(table, Act.PASS * ARGUMENTS)
    events = table.state.events[: table.state.n_events]
    assert [int(row[1]) for row in events if row[0] == Event.CARD] == laid
    assert [int(row[1]) for row in events if row[0] == Event.TACTICS] == [tactics]
    assert table.state.turn == 2 and table.state.stage == Stage.PLAN


@pytest.mark.rule("6.2")
def test_reinforcements_cannot_be_kept_back():
    table = opened()
    must, other = card_of(table, "reinforcements"), card_of(table, "flak37")
    hold(table, other, other, other, must)
    for _ in range(2):
        apply(table, Act.LAY * ARGUMENTS + other)
    assert legal(table) == [Act.LAY * ARGUMENTS + must]


@pytest.mark.rule("6.2")
@pytest.mark.parametrize(("reading", "first"), [("must_be_among_three_any_order", False), ("first", True)])
def test_the_142nd_in_hand(reading, first):
    """R-54"""
    table = opened(competitive_142nd=reading)
    regiment, other = table.tables.n_cards, card_of(table, "flak37")
    hold(table, other, other, other, regiment)
    assert legal(table) == [Act.LAY * ARGUMENTS + card for card in ([regiment] if first else [other, regiment])]


@pytest.mark.rule("6.2")
@pytest.mark.parametrize(
    ("reading", "turns", "cards", "tactics"), [("after_turn_20", 20, 1, 2), ("after_turn_19", 19, 4, 3)]
)
def test_the_game_ends_when_no_three_cards_are_left(reading, turns, cards, tactics):
    """R-52: turn 20 is played from a hand of four; 1 SS and 2 Tactics cards remain."""
    table = opened(competitive_end=reading, breach_ends_game=False)
    while not table.state.end_reason:
        stage = table.state.stage
        passing = Act.PASS * ARGUMENTS
        actions = legal(table)
        apply(table, passing if stage == Stage.ORDERS and passing in actions else actions[0])
    assert table.state.end_reason == End.DECK_EMPTY and table.state.turn == turns
    assert table.state.ss_hand_size == cards and int(table.state.tactics_hand).bit_count() == tactics


@pytest.mark.rule("2.8")
@pytest.mark.rule("6.2")
def test_a_card_of_deck_1_can_be_the_top_discard_when_borotra_may_first_escape():
    """The SS player keeps one from turn 1 and lays it last in turn 8: on top in turn 9 lies no card of decks 2 to 4, which is all that 2.8 lists."""
    table = opened(breach_ends_game=False)
    s, t = table.state, table.tables
    while s.turn < 9:
        actions = legal(table)
        if s.stage == Stage.PLAN:
            kept = [a for a in actions if t.deck_of[a % ARGUMENTS] == 1]
            others = [a for a in actions if a not in kept]
            actions = (kept if s.turn == 8 and s.n_planned == 2 else others) or actions
        apply(table, Act.PASS * ARGUMENTS if s.stage == Stage.ORDERS else actions[0])
    assert s.top_deck == 1


@pytest.mark.rule("2.8")
@pytest.mark.parametrize(("reading", "last"), [("as_deck_2", 9), ("no_card", 0), ("not_possible", None)])
def test_escape_under_a_deck_1_card(reading, last):
    """R-71"""
    table = opened(competitive_deck_1=reading).clear_board().put(borotra="ST2").turn(9)
    s = table.state
    s.top_deck, s.deck_next = 1, 31
    table.ask("borotra")
    assert bool(table.legal_kinds(Act.ESCAPE)) == (last is not None)
    if last is not None:
        table.play(Act.ESCAPE)
        assert table.where("borotra") == "escaped" and s.deck_size == 61 + bool(last)
        assert not last or s.regiment_from == 61 - last
    other = opened(competitive_deck_1=reading).clear_board().put(borotra="ST2").turn(9)
    other.state.top_deck, other.state.deck_next = 2, 31
    assert other.ask("borotra").legal_kinds(Act.ESCAPE) and other.play(Act.ESCAPE).state.regiment_from == 52


@pytest.mark.rule("6.2")
def test_a_breach_is_won_by_the_ss_player():
    table = opened()
    breach(table.state, table.tables, 0, 2)
    record = as_records(np.zeros(1, ENGINE.record_dtype))[0]
    ENGINE.write_record(table.state, table.tables, record)
    assert record.winner == SS and record.score == NO_SCORE


@pytest.mark.rule("6.2")
@pytest.mark.parametrize(
    ("reading", "start"), [("novice", {0: 11}), ("veteran", {0: 5, 1: 6}), ("elite", {0: 4, 1: 4, 2: 3})]
)
def test_start_counters(reading, start):
    """R-53"""
    table = opened(competitive_start=reading)
    counters = [int(kind) for kind in table.state.counter if kind != NONE]
    assert {kind: counters.count(kind) for kind in set(counters)} == start


@pytest.mark.rule("6.2")
def test_the_competitive_sturm_places_one_or_two():
    """R-60"""
    assert [
        int(opened(competitive_sturm=n).tables.value[len(opened().scenario.model.ss_card)]) for n in ("1", "2")
    ] == [1, 2]


@pytest.mark.parametrize("policy", ["random", "greedy", "garrison", "commander"])
def test_policies_do_not_look_at_what_their_seat_may_not_see(policy):
    """The planning is hidden from the defender, the draw pile from both: dealt anew, the choice stays."""
    player = find_player(GAME, policy)
    weights = new_row(GAME.compiled, player.weights.values())
    choose = np.random.default_rng(62)
    asked = 0
    for game in range(6):
        table = Table(scenario="competitive", game=game)
        other = Table(scenario="competitive", game=game)
        for _ in range(250):
            if table.state.end_reason:
                break
            actions = legal(table)
            seat = GAME.roles[table.state.to_move]
            if not player.roles or seat in player.roles:
                action = player.function(table.state, table.tables, np.array(actions, np.int32), len(actions), weights)
                for field in table.state.dtype.names:
                    other.state[field] = table.state[field]
                deal_anew(other.state, choose, table.state.to_move)
                assert (
                    player.function(other.state, table.tables, np.array(actions, np.int32), len(actions), weights)
                    == action
                )
                asked += 1
                if choose.random() < 0.5:
                    actions = [action]
            apply(table, int(choose.choice(actions)))
    assert asked > 50


def deal_anew(state, choose, seat: int) -> None:
    """Modifies `state`."""
    n = len(state.deck)
    state.deck[:] = choose.permutation(state.deck)
    state.stack[:] = choose.permutation(state.stack)
    if seat != SS:
        state.ss_hand[:] = 0
        state.ss_hand[choose.integers(0, n, 4)] = 1
        state.planned[:] = choose.integers(0, 30, len(state.planned))
        state.tactics_hand = int(choose.integers(0, 2**30))
        state.tactics_planned = int(choose.integers(0, 30))


def wins(ss: str, games: int) -> np.ndarray:
    """Did the SS player win? By game number."""
    players = (find_player(GAME, "garrison"), find_player(GAME, ss))
    match = Match(GAME, load_scenario(GAME, "competitive"), players, 90210)
    return np.concatenate(list(play_games(match, range(games), 2)))["winner"] == SS


@pytest.mark.parametrize(
    ("better", "worse", "games"),
    [
        ("greedy", "random", 4000),
        ("commander", "random", 4000),
        pytest.param("commander", "greedy", 16_000, marks=pytest.mark.slow),
    ],
)
def test_a_better_ss_player_wins_more_often_against_the_same_garrison(better, worse, games):
    """32, 39 and 42 % of games: what commander adds to greedy is little against a garrison that runs for it."""
    more, fewer = (wins(name, games).astype(float) for name in (better, worse))
    error = np.sqrt(more.var(ddof=1) / games + fewer.var(ddof=1) / games)
    assert (more.mean() - fewer.mean()) / error > 5
