"""Dealing anew what nobody has seen (`Engine.determinize`): the rest stays byte for byte, the same cards lie there, and every place is as likely for each."""

from itertools import pairwise

import numpy as np
import pytest

from bartizan.simcore import rng
from bartizan.simcore.play.rules import PLAYING
from tests.redeals import PILES, SCRATCH, dealt_anew, match_of, moments, unseen

CELLS = {
    "itter": ("itter", ("garrison",), "veteran"),
    "itter elite": ("itter", ("random",), "elite"),
    "itter competitive": ("itter", ("garrison", "commander"), None, "competitive"),
    "itter doubled": ("itter", ("random",), "veteran", "playtest-v0.2"),
    "colditz": ("colditz", ("random",) * 2),
    "castle": ("castle", ("steward",) * 2),
    "rampage": ("rampage", ("tactician",) * 2),
}
GAMES, DEALS = 6, 400


@pytest.mark.parametrize("cell", CELLS)
def test_what_is_known_stays(cell):
    match = match_of(*CELLS[cell])
    engine, tables, moved = match.engine, match.tables(), 0
    known = [field for field in engine.state_dtype.names if field not in SCRATCH | set(PILES[match.game.name])]
    for number in range(GAMES):
        for states in moments(match, number):
            other = dealt_anew(match, states, 3)
            assert all(np.array_equal(states[0][field], other[0][field]) for field in known)
            for (pile, (first, _)), before, after in zip(PILES[match.game.name].items(), unseen(match, states).values(), unseen(match, other).values(), strict=True):
                assert np.array_equal(states[0][pile][: states[0][first]], other[0][pile][: states[0][first]])
                assert sorted(before) == sorted(after)
                moved += not np.array_equal(before, after)
            assert engine.check(other.view(np.recarray)[0], tables) == ""
    assert moved > 100


def assert_uniform(seen: np.ndarray, copies: np.ndarray, deals: int) -> None:
    """seen[place, card]: how often. Each place holds each card as often as it lies in the pile; chi-square by place, at most 1 in 10,000 to fail by chance."""
    from scipy.stats import chi2

    expected = deals * copies / copies.sum()
    statistic = ((seen - expected) ** 2 / expected).sum(axis=1)
    assert (statistic < chi2.isf(1e-4 / len(seen), len(copies) - 1)).all(), statistic


def middle(match, number: int, wanted=lambda row: True) -> np.ndarray:
    """A state in the middle of a game."""
    found = [states.copy() for states in moments(match, number) if states[0]["end_reason"] == PLAYING and wanted(states[0])]
    return found[len(found) // 2]


@pytest.mark.parametrize("cell", ["colditz", "castle", "rampage"])
def test_each_place_is_as_likely_for_each_card(cell):
    match = match_of(*CELLS[cell])
    states = middle(match, 2)
    deals = [unseen(match, dealt_anew(match, states, k)) for k in range(DEALS)]
    for pile, cards in unseen(match, states).items():
        if len(cards) < 2:
            continue
        kinds, copies = np.unique(cards, return_counts=True)
        if len(kinds) > 1:
            seen = sum((deal[pile][:, None] == kinds).astype(int) for deal in deals)
            assert_uniform(seen, copies, DEALS)


def test_the_ss_deck_stays_stacked():
    """0.3, 6.1: a card never leaves its part of the deck, and within it goes everywhere."""
    match = match_of(*CELLS["itter elite"])
    states = next(moments(match, 1)).copy()
    tables = match.tables()
    deals = [unseen(match, dealt_anew(match, states, k)) for k in range(DEALS)]
    deck, ends = unseen(match, states)["deck"], np.cumsum([0, *np.diff(tables.deck_end)])
    for first, end in pairwise(ends):
        kinds, copies = np.unique(deck[first:end], return_counts=True)
        assert_uniform(sum((deal["deck"][first:end, None] == kinds).astype(int) for deal in deals), copies, DEALS)
    first = 0
    for k in range(4):
        end = first + tables.tactics_end[k + 1] - tables.tactics_end[k] - tables.tactics_removed[k + 1]
        kinds, copies = np.unique(unseen(match, states)["stack"][first:end], return_counts=True)
        if len(kinds) > 1:
            assert_uniform(sum((deal["stack"][first:end, None] == kinds).astype(int) for deal in deals), copies, DEALS)
        first = end


def test_the_142nd_lies_anywhere_among_the_last_cards():
    """2.8d: it was shuffled into the last cards, all of which change places; those above them stay in their parts."""
    match = match_of("itter", ("garrison",), "veteran")
    states, tables = middle(match, 1).copy(), match.tables()
    state = states.view(np.recarray)[0]
    state.deck[state.deck_size] = tables.n_cards
    state.deck_size += 1
    state.regiment_in, state.regiment_from = 1, state.deck_size - 10  # as `escape` leaves it
    row = states[0]
    first = row["regiment_from"] - row["deck_next"]
    deals = [unseen(match, dealt_anew(match, states, k))["deck"] for k in range(DEALS)]
    assert all((tables.deck_of[deal[:first]] == tables.deck_of[deals[0][:first]]).all() for deal in deals)
    places = np.array([int(np.flatnonzero(deal == tables.n_cards)[0]) for deal in deals])
    assert set(places) == set(range(first, len(deals[0])))
    assert_uniform(np.bincount(places - first)[None, :], np.ones(len(deals[0]) - first), DEALS)
    cards, copies = np.unique(np.concatenate([deal[first:] for deal in deals]), return_counts=True)
    assert len(cards) > 2 and copies.sum() == DEALS * (len(deals[0]) - first)


CLOSE = {
    "itter": ("turn", "placed", "suppressed", "disruptions"),
    "castle": ("turn", "attacks", "royals_lost"),
    "rampage": ("turn", "plays", "repelled"),
    "colditz": ("cards_drawn", "escapes"),
}


def spread(match, games: int, renew: bool) -> dict[str, tuple[float, float]]:
    """column -> (mean, standard error) over games played out by hand."""
    from tests.redeals import row_of

    rows = []
    for number in range(games):
        for states in moments(match, number, renew):
            last = states
        rows.append(row_of(match, last)[0])
    values = {"won": np.array([row["winner"] == 0 for row in rows], float)} | {name: np.array([row[name] for row in rows], float) for name in CLOSE[match.game.name]}
    return {name: (column.mean(), column.std(ddof=1) / games**0.5) for name, column in values.items()}


@pytest.mark.slow
@pytest.mark.parametrize("cell", ["itter", "itter competitive", "castle", "rampage", "colditz"])
def test_games_with_all_luck_renewed_at_every_decision_come_out_alike(cell):
    """Fresh luck and unseen piles dealt anew on the way: another game, of the same distribution. Other seeds, so the two samples are independent."""
    games = 300 if cell == "colditz" else 2000
    plain, renewed = spread(match_of(*CELLS[cell]), games, False), spread(match_of(*CELLS[cell], seed=77), games, True)
    for name in plain:
        (a, sa), (b, sb) = plain[name], renewed[name]
        assert abs(a - b) < 4 * max((sa**2 + sb**2) ** 0.5, 1e-9), f"{name}: {a:.3f} against {b:.3f}"


# ---------------------------------------------------------------- Engine.redeal: what one seat cannot know

IN_HAND = {"ss_hand", "planned", "tactics_hand", "tactics_planned"}


def hidden_from(seat: int, row) -> list[int]:
    """The SS cards that the seat has not seen: the pile, and for the defender the SS player's hand and what lies face down (6.2)."""
    cards = row["deck"][row["deck_next"] : row["deck_size"]].tolist()
    if seat == 0:
        cards += np.repeat(np.arange(len(row["ss_hand"])), row["ss_hand"]).tolist() + row["planned"][row["cards_turned"] : row["n_planned"]].tolist()
    return sorted(cards)


@pytest.mark.parametrize("cell", ["itter", "itter competitive"])
def test_what_a_seat_cannot_know_is_dealt_anew_and_nothing_else(cell):
    """6.2: the SS player keeps his own cards; the defender's view keeps all but those, and the number of cards everywhere."""
    match = match_of(*CELLS[cell])
    engine, tables, moved = match.engine, match.tables(), 0
    for number in range(3):
        for states in moments(match, number):
            if states[0]["end_reason"] != PLAYING:
                continue
            seat, other = int(states[0]["to_move"]), states.copy()
            state = other.view(np.recarray)[0]
            rng.fresh_luck(state, 5)
            engine.redeal(state, tables, seat)
            changed = SCRATCH | {"deck", "stack"} | (IN_HAND if seat == 0 else set())
            assert all(np.array_equal(states[0][field], other[0][field]) for field in engine.state_dtype.names if field not in changed)
            assert hidden_from(seat, states[0]) == hidden_from(seat, other[0])
            assert states[0]["ss_hand"].sum() == other[0]["ss_hand"].sum()
            assert int(states[0]["tactics_hand"]).bit_count() == int(other[0]["tactics_hand"]).bit_count()
            assert (states[0]["tactics_planned"] < 0) == (other[0]["tactics_planned"] < 0)
            assert engine.check(state, tables) == ""
            moved += seat == 0 and not np.array_equal(states[0]["ss_hand"], other[0]["ss_hand"])
    assert moved > 100 or cell == "itter"
