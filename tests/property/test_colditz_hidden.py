"""No shipped policy of Escape from Colditz looks at what its seat may not see: hidden things are dealt anew, the choice stays."""

from collections import Counter

import numpy as np
import pytest

from bartizan.simcore.colditz.components import ARGUMENTS, GERMAN, PLAYERS, Act
from bartizan.simcore.rng import POLICY
from tests.colditz_games import Game, variant
from tests.colditz_table import GAME, tables_of
from tests.hidden import acts_without_looking, deciders, decisions, forget

GAMES = 5  # of each policy
STEPS = 150  # of each game


def deal_anew(game: Game, choose, hidden: list[int] | None = None) -> Game:
    """The same position as far as the side to move can see (an Allied player: without his allies' hands, or those of `hidden`). Everything else is drawn again."""
    other = game.copy()
    s = other.state
    if hidden is None:
        hidden = [p for p in range(PLAYERS) if s.to_move == GERMAN or p != s.player]
    unseen = list(s.deck[s.deck_next : s.deck_size]) + [card for p in hidden for card in held(s.hand[p])]
    unseen = choose.permutation(np.array(unseen, np.int64)).tolist()
    for p in hidden:
        n = int(s.hand[p].sum())
        s.hand[p] = np.bincount(unseen[:n], minlength=s.hand.shape[1])
        unseen = unseen[n:]
    s.deck[s.deck_next : s.deck_size] = unseen
    orders = list(s.order_deck[s.order_next : s.order_size])
    if s.to_move != GERMAN:
        orders += held(s.orders)
        orders = choose.permutation(np.array(orders, np.int64)).tolist()
        n = int(s.orders.sum())
        s.orders[:] = np.bincount(orders[:n], minlength=s.orders.shape[0])
        orders = orders[n:]
    s.order_deck[s.order_next : s.order_size] = choose.permutation(np.array(orders, np.int64))
    s.stakes[s.stakes_next : s.stakes_size] = choose.permutation(s.stakes[s.stakes_next : s.stakes_size])
    # what was drawn in which order, and the log of the last action, tell of hands too
    s.deck[: s.deck_next], s.order_deck[: s.order_next] = 0, 0
    forget(s, choose)
    return other


def held(hand) -> list[int]:
    return [card for card, n in enumerate(hand) for _ in range(n)]


def without_allies_cards(game: Game, legal: list[int]) -> list[int]:
    """GIVE (Q3) and CONVERT (9.7) of another player's card are listed by what he holds: left out of comparisons."""
    holder = {Act.GIVE: 256, Act.CONVERT: 8}
    return [
        code
        for code in legal
        if code // ARGUMENTS not in holder or code % ARGUMENTS // holder[code // ARGUMENTS] == game.state.player
    ]


def new_game(k: int, n: int) -> Game:
    game = Game(tables_of(variant(k, n % 3)), 77_000 + 100 * k + n)
    if n % 2:
        game.scatter()
    return game


@pytest.mark.parametrize("name", deciders(GAME))
def test_a_policy_sees_only_what_its_seat_may_see(name):
    choose = np.random.default_rng(5)
    seen = set()
    for n in range(GAMES):
        seen |= acts_without_looking(
            GAME, name, new_game(1 + n % 5, n), STEPS, lambda game: deal_anew(game, choose), without_allies_cards
        )
    assert len(seen) >= 8, seen


@pytest.mark.parametrize("name", [name for name in deciders(GAME) if name != "random"])
def test_no_policy_takes_cards_out_of_an_allys_hand(name):
    """The list of legal gifts and of cards to be turned in names the cards of allies (Q3, 9.7); a considered policy does not act on them (Q28)."""
    for n in range(GAMES):
        game = new_game(2 + n % 4, n)
        for legal, action, decide in decisions(GAME, name, game, STEPS):
            if game.state.to_move != GERMAN:
                assert decide(game, without_allies_cards(game, legal)) == action


PEEPS = {
    "the next Opportunity card": lambda s: int(s.deck[s.deck_next]),
    "the next Security card": lambda s: int(s.order_deck[s.order_next]),
    "the next Do or Die card": lambda s: int(s.stakes[s.stakes_next]),
    "the other side's hand": lambda s: s.hand.tobytes() if s.to_move == GERMAN else s.orders.tobytes(),
    "an ally's hand": lambda s: np.delete(s.hand, s.player, axis=0).tobytes(),
    "the dice": lambda s: s.luck[:POLICY].tobytes(),
}
IN_VIEW = (
    "pow_at", "guard_at", "equipment", "kit", "supply", "discards", "order_discards", "points", "stage", "on",
    "below", "goal", "n_goals",
)  # fmt: skip


@pytest.fixture(scope="module")
def changed() -> Counter:
    """How often the dealing anew changed what each of them would see, and that it changed nothing that is in view."""
    choose, changed = np.random.default_rng(6), Counter()
    game = new_game(3, 1)
    for _ in decisions(GAME, "random", game, 200):
        s = game.state
        if s.deck_next < s.deck_size and s.order_next < s.order_size and s.stakes_next < s.stakes_size:
            other = deal_anew(game, choose).state
            changed.update(what for what, peep in PEEPS.items() if peep(s) != peep(other))
            assert all((s[field] == other[field]).all() for field in IN_VIEW)
            own = other.orders == s.orders if s.to_move == GERMAN else other.hand[s.player] == s.hand[s.player]
            assert own.all() and other.luck[POLICY] == s.luck[POLICY]
    return changed


@pytest.mark.parametrize("what", PEEPS)
def test_a_peep_would_be_found(what, changed):
    assert changed[what] > 20
