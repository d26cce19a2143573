"""What a card is worth: a game whose values are known, and the exchange of a drawn card in Castle and
in Castle Rampage.
"""

import copy
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from bartizan.analyses.experiments.cards import card_values
from bartizan.policies.registry import find_player
from bartizan.simcore.castle.components import FIRST_JOKER, NONE, RANKS, Stage
from bartizan.simcore.castle.trace import check_state
from bartizan.simcore.compile.rules import NO_CARD, NOT_THERE, TRUNCATED
from bartizan.simcore.errors import PolicyError, UsageError
from bartizan.simcore.game import load_game
from bartizan.simcore.play.batch import Batch
from bartizan.simcore.play.cards import interventions_of
from bartizan.simcore.play.match import Match, Player
from bartizan.simcore.play.replay import replay
from bartizan.simcore.rampage import trace as rampage
from bartizan.simcore.rampage.components import Stage as RampageStage
from bartizan.simcore.scenario.loading import load_scenario
from tests.matches import match_of

HIGHEST = str(Path(__file__).parent.parent / "games/highest_card/highest_card.py")
DUCK, GOOSE, SWAN = 0, 1, 2
GAMES = 20_000


def played(match, seat="first", card=1, games=GAMES, jobs=1):
    swaps = interventions_of(match, seat, card)
    return swaps, np.concatenate(list(swaps.play(range(games), jobs)))


def valued(match, seat="first", games=GAMES, against=None):
    swaps, outcomes = played(match, seat, games=games)
    return card_values(outcomes, swaps.seat, swaps.kinds, against)


def near(interval, wanted):
    """Within four standard errors of what was worked out by hand."""
    return abs(interval.estimate - wanted) <= 4 * interval.half_width / 1.96 + 1e-12


# ---------------------------------------------------------------- known answers: 2 ducks, 2 geese, 1 swan; the higher of two cards wins


def test_values_of_the_first_card_are_those_worked_out_by_hand():
    """A swan always wins, a goose against 2 of the 4 cards left, a duck never: 1/5 + 2/5 * 1/2 = 2/5 as dealt."""
    found = valued(match_of(HIGHEST))
    assert [value.card for value in found.cards] == ["swan", "goose", "duck"]
    for value, wins in zip(found.cards, (1.0, 0.5, 0.0)):
        assert value.pairs == found.reached == GAMES and value.capped == 0
        assert near(value.wins, wins) and near(value.value, wins - 0.4)
        assert value.wins.low <= wins <= value.wins.high
    assert abs(found.as_dealt.estimate - 0.4) < 4 * np.sqrt(0.4 * 0.6 / GAMES)
    assert found.against == "as dealt" and not found.never_there


def test_values_of_the_second_card_leave_the_first_player_what_he_has_shown():
    """He has shown a duck in 2 of 5 games, which a goose beats (among owners of a goose it is 2 of 4: that is what a conditional rate would say).

    There is a swan to be had unless he has shown it: in those games the second wins 1/2 of (duck: 3/4, goose: 1/4) as dealt.
    """
    found = {value.card: value for value in valued(match_of(HIGHEST), "second").cards}
    assert near(found["goose"].wins, 0.4) and near(found["goose"].value, 0.0)
    assert near(found["duck"].wins, 0.0) and near(found["duck"].value, -0.4)
    assert abs(found["swan"].pairs - 0.8 * GAMES) < 4 * np.sqrt(0.16 * GAMES)
    assert near(found["swan"].wins, 1.0) and near(found["swan"].base_wins, 0.5) and near(found["swan"].value, 0.5)


def test_the_difference_of_two_cards_is_one_on_common_luck():
    found = valued(match_of(HIGHEST), against=GOOSE)
    assert found.against == "goose" and [value.card for value in found.cards] == ["swan", "duck"]
    swan, duck = found.cards
    assert near(swan.value, 0.5) and near(duck.value, -0.5)
    assert near(swan.base_wins, 0.5)


def test_games_cut_off_are_bounds():
    """With two swans, two geese and two ducks: a swan meets the other one in 1 of 5 games, which are never decided."""
    found = valued(match_of(HIGHEST, deck__copies="[2, 2, 2]", rounds__unfinished="true"), games=4000)
    swan = found.cards[0]
    assert swan.card == "swan" and swan.capped > 700 and "bounds" in swan.wins.method and "bounds" in swan.value.method
    assert swan.wins.low < 0.8 < swan.wins.high and swan.wins.high > 0.99
    assert found.capped > 0 and swan.value.high - swan.value.low > 0.2


def test_a_seat_that_gets_no_such_card():
    _, outcomes = played(match_of(HIGHEST), card=2, games=100)
    assert (outcomes[:, 1:] == NO_CARD).all() and (outcomes[:, 0] >= -1).all()
    found = card_values(outcomes, 0, dict(enumerate("abc")))
    assert (found.games, found.reached, found.cards, found.as_dealt) == (100, 0, [], None)
    _, outcomes = played(match_of(HIGHEST, rounds__count="2", deck__copies="[4, 4, 1]"), card=2, games=500)
    assert (outcomes[:, 1:] != NO_CARD).all() and (outcomes[:, 1 + SWAN] == NOT_THERE).any()


def test_a_kind_that_is_never_there_is_named():
    outcomes = np.array([[0, NOT_THERE, 1], [1, NOT_THERE, 0]] * 20, np.int8)
    found = card_values(outcomes, 0, {0: "duck", 1: "goose"})
    assert found.never_there == ["duck"] and [value.card for value in found.cards] == ["goose"]


# ---------------------------------------------------------------- the batch


def test_rows_depend_on_nothing_but_the_seed():
    match = match_of(HIGHEST)
    _, once = played(match, games=500)
    assert (once == played(match, games=500, jobs=3)[1]).all()
    assert (once[100:150] == np.concatenate(list(interventions_of(match, "first", 1).play(range(100, 150))))).all()
    assert (once != played(match_of(HIGHEST, seed=2), games=500)[1]).any()
    assert (once[:, 0] == Batch(match).play(range(500))["winner"]).all()


def test_a_card_already_held_changes_nothing():
    match = match_of(HIGHEST)
    _, outcomes = played(match, games=300)
    shown = Batch(match).play(range(300))["score"]  # the first player's card
    for kind in (DUCK, GOOSE, SWAN):
        assert (outcomes[shown == kind, 1 + kind] == outcomes[shown == kind, 0]).all()


def test_a_policy_that_breaks_the_rules_is_named():
    match = match_of(HIGHEST)
    outlaw = find_player(match.game, str(Path(HIGHEST).with_name("outlaw.py")))
    assert isinstance(outlaw, Player)
    with pytest.raises(PolicyError, match="policy outlaw chose action 7, which is not legal"):
        list(interventions_of(Match(match.game, match.scenario, (outlaw, outlaw), 1), "first", 1).play(range(10)))


def test_refusals():
    match = match_of(HIGHEST)
    for seat, card, words in (("third", 1, 'unknown seat "third"'), ("first", 0, "from 1")):
        with pytest.raises(UsageError, match=words):
            interventions_of(match, seat, card)
    with pytest.raises(UsageError, match="the game declares no cards"):
        interventions_of(match_of("itter"), "player", 1)


# ---------------------------------------------------------------- Castle


def moments(match, seat, games):
    """States in which the seat has just drawn a card."""
    due = match.engine.cards.due
    for game in range(games):
        for ply in replay(match, game):
            if ply.state.end_reason == 0 and due(ply.state, match.tables(), seat):
                yield ply.state


@pytest.mark.parametrize(("seat", "sets"), [(0, {}), (1, {"players.count": "3", "advanced.jokers": "2"})])
def test_castle_keeps_its_cards(seat, sets):
    """52 cards before and after, the two that changed places apart nothing else moves, and who knows
    of them moves with them.
    """
    game = load_game("castle")
    scenario = load_scenario(game, sets=sets)
    match = Match(game, scenario, (find_player(game, "greedy"),) * len(game.roles_in(scenario)), 4)
    tables, swap, seen = match.tables(), match.engine.cards.swap, 0
    for state in moments(match, seat, 1):
        assert state.stage == Stage.CARD and state.to_move == seat
        pile = state.deck[state.deck_next : state.deck_size].copy()
        for kind in match.engine.cards.kinds(scenario):
            held, trial = int(state.drawn), copy.deepcopy(state)
            there = [card for card in (held, *pile.tolist()) if card < FIRST_JOKER and card % RANKS == kind]
            assert swap(trial, tables, seat, kind) == bool(there)
            new = int(trial.drawn)
            assert check_state(trial, tables) == ""
            changed = {name for name in state.dtype.names if (trial[name] != state[name]).any()}
            if held % RANKS == kind or not there:
                assert not changed
                continue
            seen += 1
            after = trial.deck[trial.deck_next : trial.deck_size]
            assert new in there and after[list(pile).index(new)] == held and (after != pile).sum() == 1
            assert trial.suits == 1 << new // RANKS and trial.seen_by[new] == state.seen_by[held]
            assert trial.seen_by[held] == state.seen_by[new]
            assert changed <= {"drawn", "deck", "seen_by", "suits"}
    assert seen > 20


def test_castle_arms():
    """As dealt is the very game that a batch plays; the card already drawn changes nothing; the
    exchanges together change nothing on average.
    """
    match = match_of("castle", "plain", seed=3)
    _, outcomes = played(match, "first", 1, games=400, jobs=2)
    assert (outcomes[:, 0] == Batch(match).play(range(400))["winner"]).all()
    assert ((outcomes >= 0) | (outcomes == TRUNCATED) | (outcomes == NOT_THERE)).all()
    for game in range(20):
        drawn = next(
            int(ply.state.drawn)
            for ply in replay(match, game)
            if ply.state.stage == Stage.CARD and ply.state.to_move == 0
        )
        assert drawn != NONE and outcomes[game, 1 + drawn % RANKS] == outcomes[game, 0]
    whole = outcomes[(outcomes != NOT_THERE).all(axis=1)] == 0
    gain = whole[:, 1:].mean(axis=1) - whole[:, 0]
    assert abs(gain.mean()) < 4 * gain.std() / np.sqrt(len(gain))


# ---------------------------------------------------------------- Castle Rampage


@pytest.mark.parametrize(
    ("seat", "sets"),
    [
        (0, {}),
        (1, {"rulings.empty_pile": "reshuffle", "card.dragon.count": "0", "rulings.repelled_veteran": "under_a_stack"}),
    ],
)
def test_rampage_keeps_its_cards(seat, sets):
    """The seat has drawn and done nothing; all cards of the deck before and after; nothing moves but
    the card drawn last and one of the pile.
    """
    game = load_game("rampage")
    scenario = load_scenario(game, sets=sets)
    match = Match(game, scenario, (find_player(game, "random"),) * 2, 4)
    tables, swap, seen, turns = match.tables(), match.engine.cards.swap, 0, []
    for state in moments(match, seat, 1):
        assert state.stage == RampageStage.MAIN and state.to_move == seat and state.plays == state.strengthened == 0
        turns.append(int(state.turn))
        held, pile = int(state.drawn), state.pile[state.pile_next : state.pile_size].copy()
        assert state.hand[seat, held] > 0
        for kind in match.engine.cards.kinds(scenario):
            trial = copy.deepcopy(state)
            there = kind in (held, *pile.tolist())
            assert swap(trial, tables, seat, kind) == there
            assert rampage.check_state(trial, tables) == ""
            changed = {name for name in state.dtype.names if (trial[name] != state[name]).any()}
            if kind == held or not there:
                assert not changed
                continue
            seen += 1
            after = trial.pile[trial.pile_next : trial.pile_size]
            (place,) = np.flatnonzero(after != pile)
            assert pile[place] == kind and after[place] == held and trial.drawn == kind
            assert trial.hand[seat, kind] == state.hand[seat, kind] + 1
            assert trial.hand[seat, held] == state.hand[seat, held] - 1
            assert (trial.hand[1 - seat] == state.hand[1 - seat]).all()
            assert changed <= {"pile", "drawn", "hand", "held", "shows", "got"}
    assert seen > 20 and all(turn % 2 == (seat + 1) % 2 for turn in turns)
    assert all(here != there for here, there in pairwise(turns))


def test_rampage_arms():
    """Card n is that of the seat's n-th turn; as dealt is the very game that a batch plays; the card
    already drawn changes nothing.
    """
    match = match_of("rampage", "random", seed=3)
    _, outcomes = played(match, "second", 2, games=200, jobs=2)
    assert (outcomes[:, 0] == Batch(match).play(range(200))["winner"]).all()
    kinds = list(match.engine.cards.kinds(match.scenario))
    reached = np.flatnonzero((outcomes[:, 1:] != NO_CARD).all(axis=1))
    assert len(reached) > 100
    for game in reached[:10]:
        drawn = next(
            int(ply.state.drawn)
            for ply in replay(match, game)
            if ply.state.stage == RampageStage.MAIN and ply.state.turn == 4 and ply.state.fresh
        )
        assert outcomes[game, 1 + kinds.index(drawn)] == outcomes[game, 0]
