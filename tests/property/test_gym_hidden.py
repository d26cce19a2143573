"""What a seat observes in an environment stays the same when all it may not see is dealt anew; all of its features do not."""

from collections.abc import Callable
from itertools import islice
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="the extra `gym` is not installed")

from bartizan.policies.gym import Eyes
from bartizan.simcore.arrays import as_records
from bartizan.simcore.castle.components import Stage as CastleStage
from bartizan.simcore.game import load_game
from bartizan.simcore.itter.components import ARGUMENTS
from bartizan.simcore.itter.engine import ENGINE as ITTER
from bartizan.simcore.play.match import Match
from bartizan.simcore.scenario.loading import load_scenario
from tests import castle_games, castle_table, colditz_games, colditz_table, rampage_games, rampage_table
from tests.determinizations import dealt_anew, match_of, moments
from tests.hidden import forget
from tests.property import test_castle_hidden, test_colditz_hidden, test_rampage_hidden
from tests.table import RandomGame

SS = 1


class ItterGame(RandomGame):
    engine, arguments = ITTER, ARGUMENTS


def deal_itter(game: ItterGame, choose) -> ItterGame:
    """What the side to move cannot see (6.2): the order of both piles; for the defender also the hands, and what is laid face down."""
    other = game.copy()
    s = other.state
    laid = slice(min(int(s.cards_turned), int(s.n_planned)), int(s.n_planned))
    deck = slice(int(s.deck_next), int(s.deck_size))
    hand, planned = np.repeat(np.arange(len(s.ss_hand)), s.ss_hand), s.planned[laid]
    if s.to_move == SS:
        s.deck[deck] = choose.permutation(s.deck[deck])
    else:
        unseen = choose.permutation(np.concatenate([s.deck[deck], hand, planned]))
        n, k = len(s.deck[deck]), len(hand)
        s.deck[deck], s.planned[laid] = unseen[:n], unseen[n + k :]
        s.ss_hand[:] = np.bincount(unseen[n : n + k], minlength=len(s.ss_hand))
    pile = slice(int(s.stack_next), int(s.stack_size))
    s.stack[pile] = choose.permutation(s.stack[pile])
    forget(s, choose)
    return other


def deal_colditz(game, choose):
    """One player has the Allied seat, with all the hands of his side."""
    return test_colditz_hidden.deal_anew(game, choose, None if game.state.to_move == test_colditz_hidden.GERMAN else [])


def castle(n: int):
    key = castle_games.variant(2 + n % 3, n)
    return castle_table.scenario_of(key), castle_games.Game(castle_table.tables_of(key), 81_000 + n)


def rampage(n: int):
    key = rampage_games.variant(n)
    return rampage_table.scenario_of(key), rampage_games.Game(rampage_table.tables_of(key), 82_000 + n)


def colditz(n: int):
    key = colditz_games.variant(1 + n % 5, n % 3)
    game = colditz_games.Game(colditz_table.tables_of(key), 83_000 + n)
    if n % 2:
        game.scatter()
    return colditz_table.scenario_of(key), game


def itter(n: int):
    scenario = load_scenario(load_game("itter"), "competitive")
    return scenario, ItterGame(as_records(ITTER.build_tables(scenario))[0], 84_000 + n)


def everywhere(position) -> bool:
    return True


def built(position) -> bool:
    """Castle: who has built, and who has not, can be dealt anew only as the player who builds sees it."""
    return position.state.stage not in (CastleStage.SETUP, CastleStage.HAND, CastleStage.CHOOSE)


CASES = {
    "castle": (castle, test_castle_hidden.deal_anew, built, 3, 60),
    "rampage": (rampage, test_rampage_hidden.deal_anew, everywhere, 4, 100),
    "colditz": (colditz, deal_colditz, everywhere, 2, 60),
    "itter": (itter, deal_itter, everywhere, 2, 100),
}


def seen(eyes: Eyes, position, is_asked: bool) -> dict:
    game = SimpleNamespace(
        engine=position.engine,
        state=position.state,
        tables=position.tables,
        seat=int(position.state.to_move),
        is_over=False,
    )
    return eyes.see(game, np.array(position.legal() if is_asked else [], np.int32))


def as_seen_by(seat: int, position, deal: Callable, choose):
    """The position as this seat sees it, who is asked or not."""
    moved = position.copy()
    moved.state.to_move = seat
    other = deal(moved, choose)
    other.state.to_move = position.state.to_move
    return other


def all_features(position) -> list[float]:
    out = position.engine.features.read(position.state, position.tables)
    return out.tolist()


@pytest.mark.parametrize("name", CASES)
def test_an_observation_holds_nothing_hidden(name):
    begin, deal, for_all, games, steps = CASES[name]
    choose, changed, looked = np.random.default_rng(9), 0, set()
    for n in range(games):
        scenario, position = begin(n)
        match = Match(load_game(name), scenario, (), 1)
        eyes = [Eyes(match, seat) for seat in range(len(match.game.roles_in(scenario)))]
        for _ in range(steps):
            if position.state.end_reason:
                break
            asked = int(position.state.to_move)
            for seat in range(len(eyes)) if for_all(position) else [asked]:
                other = as_seen_by(seat, position, deal, choose)
                before, after = (seen(eyes[seat], it, seat == asked) for it in (position, other))
                for key in before:
                    differ = np.flatnonzero(before[key] != after[key])
                    assert not len(differ), (
                        f"seat {seat}: {[eyes[seat].names[i] for i in differ] if key == 'observation' else key}"
                    )
                changed += all_features(position) != all_features(other)
                looked.add((seat, seat == asked))
            position.apply(position.random_action(position.legal()))
    assert len(looked) >= 4, "every seat, asked and not"
    assert changed > 20 or name == "colditz", "a number that tells of hidden things would have been found"


PILES = {
    "itter": ("itter", ("garrison",), "veteran"),
    "itter competitive": ("itter", ("garrison", "commander"), None, "competitive"),
    "colditz": ("colditz", ("random",) * 2),
    "castle": ("castle", ("random",) * 2),
    "rampage": ("rampage", ("random",) * 2),
}


@pytest.mark.parametrize("name", PILES)
def test_piles_dealt_anew_change_no_observation(name):
    """`Engine.shuffle_unseen`: what nobody has seen, with fresh luck. Over the first part of a game."""
    match = match_of(*PILES[name])
    eyes, tables = [Eyes(match, seat) for seat in range(len(match.players))], match.tables()
    legal = np.zeros(match.engine.max_legal, np.int32)
    for states in islice(moments(match, 0), 80):
        views = []
        for these in (states.copy(), dealt_anew(match, states, 5)):
            state = as_records(these)[0]
            n = match.engine.legal_actions(state, tables, legal) if not state.end_reason else 0
            game = SimpleNamespace(
                engine=match.engine, state=state, tables=tables, seat=int(state.to_move), is_over=bool(state.end_reason)
            )
            views.append([one.see(game, legal[:n]) for one in eyes])
        assert all((before[key] == after[key]).all() for before, after in zip(*views) for key in before)


def test_cards_drawn_at_random_into_the_deck_are_nobodys_to_know():
    """R-66 `drawn`: which cards are there twice is unknown, so how many are left of a kind is too."""
    game = load_game("itter")
    for sets, known in (({}, True), ({"rulings.extra_cards": "drawn"}, False)):
        scenario = load_scenario(game, "playtest-v0.2", "veteran", sets)
        names = Eyes(Match(game, scenario, (), 1), 0).names
        assert any(name.startswith("cards left") and name != "cards left" for name in names) == known
