"""Dealing anew what nobody has seen (`Engine.shuffle_unseen`): the rest stays byte for byte, the same cards lie there, and every place is as likely for each."""

from itertools import pairwise

import numpy as np
import pytest

from bartizan.simcore import rng
from bartizan.simcore.arrays import as_records
from bartizan.simcore.castle.components import Stage as CastleStage
from bartizan.simcore.compile.rules import PLAYING
from tests.determinizations import PILES, SCRATCH, dealt_anew, match_of, moments, tables_of, unseen

CELLS = {
    "itter": ("itter", ("garrison",), "veteran"),
    "itter elite": ("itter", ("random",), "elite"),
    "itter competitive": ("itter", ("garrison", "commander"), None, "competitive"),
    "itter doubled": ("itter", ("random",), "veteran", "playtest-v0.2"),
    "colditz": ("colditz", ("random",) * 2),
    "castle": ("castle", ("steward",) * 2),
    "rampage": ("rampage", ("tactician",) * 2),
}
GAMES = {"rampage": 2, "itter doubled": 3}  # the others have more decisions
DEALS = 400


@pytest.mark.parametrize("cell", CELLS)
def test_what_is_known_stays(cell):
    match = match_of(*CELLS[cell])
    engine, tables, moved = match.engine, match.tables(), 0
    known = [field for field in engine.state_dtype.names if field not in SCRATCH | set(PILES[match.game.name])]
    for number in range(GAMES.get(cell, 1)):
        for states in moments(match, number):
            other = dealt_anew(match, states, 3)
            assert all(np.array_equal(states[0][field], other[0][field]) for field in known)
            for (pile, (first, _)), before, after in zip(
                PILES[match.game.name].items(),
                unseen(match, states).values(),
                unseen(match, other).values(),
                strict=True,
            ):
                assert np.array_equal(states[0][pile][: states[0][first]], other[0][pile][: states[0][first]])
                assert sorted(before) == sorted(after)
                moved += not np.array_equal(before, after)
            assert engine.check(as_records(other)[0], tables) == ""
    assert moved > 100


def assert_uniform(seen: np.ndarray, copies: np.ndarray, deals: int) -> None:
    """seen[place, card]: how often. Each place holds each card as often as it lies in the pile; chi-square by place, at most 1 in 10,000 to fail by chance."""
    from scipy.stats import chi2

    expected = deals * copies / copies.sum()
    statistic = ((seen - expected) ** 2 / expected).sum(axis=1)
    assert (statistic < chi2.isf(1e-4 / len(seen), len(copies) - 1)).all(), statistic


def middle(match, number: int, wanted=lambda row: True) -> np.ndarray:
    """A state in the middle of a game."""
    found = [
        states.copy() for states in moments(match, number) if states[0]["end_reason"] == PLAYING and wanted(states[0])
    ]
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
    state = as_records(states)[0]
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
    from tests.determinizations import row_of

    rows = []
    for number in range(games):
        for states in moments(match, number, renew):
            last = states
        rows.append(row_of(match, last)[0])
    values = {"won": np.array([row["winner"] == 0 for row in rows], float)} | {
        name: np.array([row[name] for row in rows], float) for name in CLOSE[match.game.name]
    }
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


# ---------------------------------------------------------------- Engine.determinize: what one seat cannot know


def counts(hand) -> list[int]:
    """How many of each kind -> the kinds, one a card."""
    return np.repeat(np.arange(hand.size), hand.ravel()).tolist()


def hidden_in_itter(seat: int, row) -> tuple[set[str], list]:
    """6.2: the SS player's hand and what he has laid face down, but for himself."""
    piles = row["deck"][row["deck_next"] : row["deck_size"]].tolist()
    if seat == 1:
        return {"deck", "stack"}, [sorted(piles)]
    laid = row["planned"][row["cards_turned"] : row["n_planned"]].tolist()
    fields = {"deck", "stack", "ss_hand", "planned", "tactics_hand", "tactics_planned"}
    sizes = [row["ss_hand"].sum(), int(row["tactics_hand"]).bit_count(), row["tactics_planned"] < 0]
    return fields, [sorted(piles + counts(row["ss_hand"]) + laid), *sizes]


def hidden_in_rampage(seat: int, row) -> tuple[set[str], list]:
    """The other's hand, what he has to place, and his stacks but for a top card that both know; his own stay."""
    q, ring = 1 - seat, row["stack"].shape[-1]
    stacks = [
        [int(row["stack"][p, i, (row["top"][p, i] + j) % ring]) for j in range(row["size"][p, i])]
        for p in range(2)
        for i in range(2)
    ]
    theirs = [stacks[2 * q + i][row["known"][q, i] :] for i in range(2)]
    known = [stacks[2 * q + i][: row["known"][q, i]] for i in range(2)]
    pile = row["pile"][row["pile_next"] : row["pile_size"]].tolist()
    unseen = sorted(pile + counts(row["hand"][q]) + counts(row["dealt"][q]) + sum(theirs, []))
    own = [
        row["hand"][seat].tolist(),
        row["dealt"][seat].tolist(),
        stacks[2 * seat : 2 * seat + 2],
        row["shows"][seat].tolist(),
    ]
    return {"pile", "hand", "held", "shows", "dealt", "stack"}, [
        unseen,
        known,
        own,
        row["hand"][q].sum(),
        row["dealt"][q].sum(),
    ]


def hidden_in_colditz(seat: int, row) -> tuple[set[str], list]:
    """Hands of the other side; one player has the Allied seat, with all the hands of his."""
    deck, orders = (
        row[pile][row[first] : row[end]].tolist() for pile, (first, end) in list(PILES["colditz"].items())[:2]
    )
    if seat == 1:
        return {*PILES["colditz"], "hand"}, [
            sorted(deck + sum((counts(hand) for hand in row["hand"]), [])),
            row["hand"].sum(axis=1).tolist(),
            sorted(orders),
        ]
    return {*PILES["colditz"], "orders"}, [sorted(orders + counts(row["orders"])), row["orders"].sum(), sorted(deck)]


def hidden_in_castle(seat: int, row) -> tuple[set[str], list]:
    """Cards face down that he has not seen: where they are stays, and which squares hold a card he knows."""
    alive = [q for q in range(len(row["royal"])) if (row["royal"][q] >= 0).any() or (row["castle"][q] >= 0).any()]
    royals = set(row["royal"].ravel().tolist()) - {-1}
    known = [row["castle"][seat].tolist(), row["dealt"][seat].tolist(), row["royal"][seat].tolist()]
    plain = []
    standing = []
    for q in alive:
        for square, card in enumerate(row["castle"][q].tolist() if q != seat else []):
            if card >= 0 and not int(row["seen_by"][card]) >> seat & 1:
                plain += [card] if card not in royals else []
                standing += [q] if card in royals else []
            else:
                known.append((q, square, card))
    building = row["stage"] in (CastleStage.SETUP, CastleStage.HAND)
    hands = [q for q in alive if q != seat and (row["stage"] == CastleStage.CHOOSE or (building and q > seat))]
    plain += [card for q in hands for card in row["dealt"][q].tolist()]
    fields = {"castle", "royal", "seen_by", "dealt", "deck", "target_card", "added", "pool"}
    return fields, [
        known,
        sorted(standing),
        len(plain),
        sorted(card for card in [*plain, *row["deck"][row["deck_next"] : row["deck_size"]].tolist()]),
    ]


HIDDEN = {
    "castle": hidden_in_castle,
    "itter": hidden_in_itter,
    "rampage": hidden_in_rampage,
    "colditz": hidden_in_colditz,
}


@pytest.mark.parametrize("cell", ["itter", "itter competitive", "castle", "rampage", "colditz"])
def test_what_a_seat_cannot_know_is_dealt_anew_and_nothing_else(cell):
    match = match_of(*CELLS[cell])
    engine, tables, moved = match.engine, match.tables(), 0
    legal = np.zeros((2, engine.max_legal), np.int32)
    for number in range(GAMES.get(cell, 1)):
        for states in moments(match, number):
            if states[0]["end_reason"] != PLAYING:
                continue
            seat, other = int(states[0]["to_move"]), states.copy()
            state = as_records(other)[0]
            rng.fresh_luck(state, 5)
            engine.determinize(state, tables, np.int32(seat))
            fields, held = HIDDEN[match.game.name](seat, states[0])
            assert HIDDEN[match.game.name](seat, other[0]) == (fields, held)
            assert all(
                np.array_equal(states[0][field], other[0][field])
                for field in engine.state_dtype.names
                if field not in fields | SCRATCH
            )
            n = [
                engine.legal_actions(as_records(them.copy())[0], tables, legal[i])
                for i, them in enumerate((states, other))
            ]
            assert n[0] == n[1] and (legal[0, : n[0]] == legal[1, : n[0]]).all()
            assert engine.check(state, tables) == ""
            moved += any(
                not np.array_equal(states[0][field], other[0][field]) for field in fields - set(PILES[match.game.name])
            )
    assert moved > 100 or cell == "itter"


def test_each_card_is_as_likely_to_be_held_by_the_other():
    """Castle Rampage: over many deals every kind is held in proportion to how many of its cards are unseen."""
    match = match_of(*CELLS["rampage"])
    states = middle(match, 2, lambda row: row["hand"][1 - row["to_move"]].sum() > 0)
    row, deals = states[0], 2000
    q = 1 - int(row["to_move"])
    seen = np.zeros(row["hand"].shape[1])
    for k in range(deals):
        other = states.copy()
        state = as_records(other)[0]
        rng.fresh_luck(state, k)
        match.engine.determinize(state, tables_of(match), np.int32(row["to_move"]))
        seen += state.hand[q]
    ((unseen, *_),) = [HIDDEN["rampage"](1 - q, row)[1]]
    copies = np.bincount(unseen, minlength=len(seen))
    expected = deals * row["hand"][q].sum() * copies / copies.sum()
    there = copies > 0
    assert (seen[~there] == 0).all()
    # each deal draws without replacement: a count varies less than a binomial one
    assert (abs(seen - expected)[there] < 5 * np.sqrt(expected[there])).all()
