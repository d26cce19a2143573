"""No shipped policy of Castle looks at what its seat may not see: hidden things are dealt anew, the choice stays."""

from collections import Counter

import numpy as np
import pytest

from bartizan.simcore.castle.components import (
    CARDS,
    CASTLE,
    FIRST_JOKER,
    FIRST_ROYAL_RANK,
    NONE,
    POOL_TARGET,
    RANKS,
    ROYALS,
    SUITS,
    WIDTH,
    ReinforcementOrder,
    Royal,
    RoyalsDealt,
    Stage,
)
from bartizan.simcore.rng import POLICY
from tests.castle_games import Game, variant
from tests.castle_table import GAME, tables_of
from tests.hidden import acts_without_looking, deciders, decisions, forget

GAMES = 9  # every other one for a policy, so that two policies see all variants
STEPS = 160  # of each game
VARIANTS = 9


def unseen_squares(s, p: int, q: int) -> list[int]:
    """Squares of q's castle whose card p has never seen."""
    return [square for square, it in enumerate(s.castle[q].tolist()) if it != NONE and not int(s.seen_by[it]) >> p & 1]


def deal_anew(game: Game, choose) -> Game:
    """The same position as far as the player on move can see. Cards he has not seen are dealt again: into the castles of others, where their hidden royals
    stand and of which suits they are, into the hands of those who have yet to build, and into the deck."""
    other = game.copy()
    s, t = other.state, game.tables
    p, k = int(s.to_move), int(t.players)
    setting_up = s.stage in (Stage.SETUP, Stage.HAND, Stage.CHOOSE)
    others = [q for q in range(k) if q != p]
    hidden = {q: unseen_squares(s, p, q) for q in others}
    deal_royals(s, t, p, hidden, choose)
    royals = set(s.royal[:k].ravel().tolist())
    # everything else unseen, dealt again: the cards of the deck, the plain ones in castles, those in hands at the set-up
    hands = {
        q: range(t.dealt) if s.stage == Stage.CHOOSE or (s.stage in (Stage.SETUP, Stage.HAND) and q > p) else []
        for q in others
    }
    before = game.state
    old_royals = set(before.royal[:k].ravel().tolist())
    plain = {q: [square for square in hidden[q] if s.castle[q, square] not in royals] for q in others}
    unseen = [
        int(before.castle[q, square])
        for q in others
        for square in hidden[q]
        if before.castle[q, square] not in old_royals
    ]
    unseen += [int(before.dealt[q, i]) for q in others for i in hands[q]]
    deck = before.deck[before.deck_next : before.deck_size].tolist()
    jokers = [it for it in deck if it >= FIRST_JOKER]
    unseen = choose.permutation(np.array(unseen + [it for it in deck if it < FIRST_JOKER], np.int64)).tolist()
    s.dealt[others] = 0
    for q in others:
        for square in plain[q]:
            s.castle[q, square] = unseen.pop()
            s.seen_by[s.castle[q, square]] = 1 << q
        for i in hands[q]:
            s.dealt[q, i] = unseen.pop()
            s.seen_by[s.dealt[q, i]] = 1 << q
    rest = choose.permutation(np.array(unseen + jokers, np.int64))
    s.deck[: s.deck_next], s.deck[s.deck_next : s.deck_size] = 0, rest
    s.seen_by[rest] = 0
    if 0 <= s.target < POOL_TARGET:
        s.target_card = s.castle[s.target // CASTLE, s.target % CASTLE] if s.stage == Stage.NAME else s.target_card
    if (
        t.reinforcement_order == ReinforcementOrder.simultaneous
        and s.stage == Stage.ADD
        and s.contested == NONE
        and p == s.defender != s.attacker
    ):
        add_anew(s, choose)
    # standings, the last throw of the set-up and the log of the last action tell of hidden cards too
    s.leader, s.lead_changes = choose.integers(-1, k), choose.integers(0, 99)
    if setting_up or s.attacks == 0:
        s.face[:] = 0
    forget(s, choose)
    return other


def deal_royals(s, t, p: int, hidden: dict, choose) -> None:
    """Hidden Queens and Kings: any hidden square of their Court, and any suit (C1 random) that is neither seen nor come back as a plain card. Modifies `s`."""
    sought = [
        (q, k)
        for q in hidden
        for k in range(ROYALS)
        if s.royal[q, k] != NONE and not int(s.seen_by[s.royal[q, k]]) >> p & 1
    ]
    placed = {(q, k): s.royal[q, k] in s.castle[q].tolist() for q, k in sought}
    suits = {pair: int(s.royal[pair]) for pair in sought}
    if t.royals_dealt == RoyalsDealt.random:
        around = (
            set(s.castle.ravel().tolist())
            | set(s.deck[s.deck_next : s.deck_size].tolist())
            | set(s.royal.ravel().tolist())
        )
        shown = {
            it for it in range(FIRST_JOKER) if s.seen_by[it] or int(s.discards | s.gone | s.spent | s.picked) >> it & 1
        }
        for k in range(ROYALS):
            rank = [suit * RANKS + FIRST_ROYAL_RANK + k for suit in range(SUITS)]
            mine = [pair for pair in sought if pair[1] == k]
            free = {it for it in rank if it not in around and it not in shown} | {int(s.royal[pair]) for pair in mine}
            suits |= dict(zip(mine, choose.permutation(np.array(sorted(free), np.int64)).tolist()))
    for q in hidden:
        court = [square for square in hidden[q] if square < WIDTH]
        old = [int(s.royal[q, k]) for k in range(ROYALS) if placed.get(q, k)]
        for square in court:
            if s.castle[q, square] in old:
                s.castle[q, square] = 0  # a plain card comes here, or another royal
        for k in range(ROYALS):
            if (q, k) in placed:
                s.seen_by[s.royal[q, k]] = 0
    for (q, k), it in suits.items():
        s.royal[q, k] = it
    for q in hidden:
        court = choose.permutation(np.array([square for square in hidden[q] if square < WIDTH], np.int64)).tolist()
        for k in range(ROYALS):
            if (q, k) in placed:
                s.seen_by[s.royal[q, k]] = 1 << q
                if placed[q, k]:
                    s.castle[q, court.pop()] = s.royal[q, k]


def add_anew(s, choose) -> None:
    """C8b simultaneous: what the attacker has added lies face down until the defender has chosen. Modifies `s`."""
    a = int(s.attacker)
    cards = int(s.pool[a] | s.added[a])
    s.added[a] = sum(1 << it for it in range(CARDS) if cards >> it & 1 and choose.random() < 0.5)
    s.pool[a] = cards & ~int(s.added[a])


def new_game(k: int, n: int) -> Game:
    return Game(tables_of(variant(k, n % VARIANTS)), 91_000 + 100 * k + n)


@pytest.mark.rotating
@pytest.mark.parametrize(("i", "name"), list(enumerate(deciders(GAME))))
def test_a_policy_sees_only_what_its_seat_may_see(i, name):
    choose = np.random.default_rng(5)
    seen = set()
    for n in range(i % 2, GAMES, 2):
        seen |= acts_without_looking(GAME, name, new_game(2 + n % 3, n), STEPS, lambda game: deal_anew(game, choose))
    assert len(seen) >= 10, seen


def opponent(s) -> int:
    return 1 - int(s.to_move)


def where(s, q: int, royal: Royal) -> int:
    return s.castle[q].tolist().index(int(s.royal[q, royal])) if s.royal[q, royal] in s.castle[q].tolist() else NONE


PEEPS = {
    "the next card": lambda s: int(s.deck[s.deck_next]),
    "the last card": lambda s: int(s.deck[s.deck_size - 1]),
    "a hidden card": lambda s: s.castle[opponent(s)].tobytes(),
    "where the King stands": lambda s: where(s, opponent(s), Royal.KING),
    "where the Queen stands": lambda s: where(s, opponent(s), Royal.QUEEN),
    "the suit of a King": lambda s: int(s.royal[opponent(s), Royal.KING]),
    "what the others know": lambda s: (s.seen_by & (1 << opponent(s))).tobytes(),
    "what was dealt": lambda s: s.dealt[opponent(s)].tobytes(),
    "what was drawn before": lambda s: s.deck[: s.deck_next].tobytes(),
    "who is ahead": lambda s: int(s.leader),
    "the dice": lambda s: s.luck[:POLICY].tobytes(),
}
IN_VIEW = (
    "occupied", "up", "alive", "pool", "jokers", "discards", "gone", "stage", "turn", "drawn", "lead", "force",
    "barricade", "deck_size", "deck_next", "barred",
)  # fmt: skip


@pytest.fixture(scope="module")
def changed() -> Counter:
    """How often the dealing anew changed what each of them would see, and that it changed nothing that is in view."""
    choose, changed = np.random.default_rng(6), Counter()
    for n in range(2):
        game = new_game(2, 9 * n)
        for _ in decisions(GAME, "random", game, STEPS):
            s, p = game.state, int(game.state.to_move)
            if s.deck_next >= s.deck_size:
                continue
            other = deal_anew(game, choose).state
            changed.update(what for what, peep in PEEPS.items() if peep(s) != peep(other))
            assert all(np.array_equal(s[field], other[field]) for field in IN_VIEW)
            assert np.array_equal(s.castle[p], other.castle[p])
            assert np.array_equal(s.royal[p], other.royal[p])
            assert other.luck[POLICY] == s.luck[POLICY]
            known = [
                (q, square)
                for q in range(2)
                for square, it in enumerate(s.castle[q])
                if it != NONE and int(s.seen_by[it]) >> p & 1
            ]
            assert all(s.castle[q, square] == other.castle[q, square] for q, square in known)
            assert all((other.royal[q, Royal.KING] != NONE) == bool(s.alive[q]) for q in range(2))
    return changed


@pytest.mark.parametrize("what", PEEPS)
def test_a_peep_would_be_found(what, changed):
    assert changed[what] > 20


def test_hidden_royals_are_dealt_everywhere():
    """In one position of the first turn: the King comes to every hidden square of the Court, and every free suit."""
    game = Game(tables_of(variant(2, 0)), 4)
    while game.state.stage != Stage.CARD:
        game.apply(game.random_action(game.legal()))
    q = opponent(game.state)
    court = {square for square in unseen_squares(game.state, int(game.state.to_move), q) if square < WIDTH}
    choose, squares, suits = np.random.default_rng(7), set(), set()
    for _ in range(200):
        s = deal_anew(game, choose).state
        squares.add(where(s, q, Royal.KING))
        suits.add(int(s.royal[q, Royal.KING]) // RANKS)
    own = int(game.state.royal[game.state.to_move, Royal.KING]) // RANKS
    assert squares == court and len(court) >= 2 and suits == set(range(SUITS)) - {own}
