"""No shipped policy of Castle Rampage looks at what its seat may not see: hidden cards are dealt anew, the choice stays."""

from collections import Counter

import numpy as np
import pytest

from bartizan.simcore.rampage.components import (
    KINDS,
    NONE,
    ROOM,
    STRUCTURES,
    Act,
    DiscardChoice,
    RepelledVeteran,
    Stage,
)
from bartizan.simcore.rampage.engine import ENGINE
from bartizan.simcore.rampage.trace import stack
from bartizan.simcore.rng import POLICY
from tests.hidden import acts_without_looking, deciders, decisions, forget
from tests.rampage_games import Game, game_of
from tests.rampage_table import CASTLE, GAME, GATE, add_up, sorted_kinds

GAMES = 5  # of each policy
STEPS = 120  # of each game


def opponent(s) -> int:
    return 1 - int(s.to_move)


def shown_hand(game: Game, p: int) -> np.ndarray:
    """Cards of the other's hand that p sees: all of it while he chooses one (A20), and tired Veterans, which have just come back (A16b)."""
    s, t, q = game.state, game.tables, 1 - p
    if s.stage == Stage.TAKE and p == s.on_turn:
        return s.hand[q].copy()
    if q == s.on_turn and t.repelled_veteran == RepelledVeteran.to_hand:
        return np.minimum(s.hand[q], s.tired)
    return np.zeros(KINDS, np.uint8)


def deal_anew(game: Game, choose) -> Game:
    """The same position as far as the player on move can see: the other's hand and stacks and the pile are dealt again out of each other's cards. His own stacks he
    remembers (1.6), and the top cards that both know stay."""
    other = game.copy()
    s = other.state
    p, q = int(s.to_move), opponent(s)
    kept = shown_hand(game, p)
    known = [stack(s, q, structure)[: int(s.known[q, structure])] for structure in range(STRUCTURES)]
    unseen = s.pile[s.pile_next : s.pile_size].tolist() + sorted_kinds(s.hand[q] - kept) + sorted_kinds(s.dealt[q])
    unseen += [k for structure in range(STRUCTURES) for k in stack(s, q, structure)[len(known[structure]) :]]
    unseen = choose.permutation(np.array(unseen, np.int64)).tolist()

    def deal(n: int) -> list[int]:
        return [unseen.pop() for _ in range(n)]

    s.hand[q] = kept + np.bincount(deal(int(s.hand_size[q] - kept.sum())), minlength=KINDS).astype(np.uint8)
    s.dealt[q] = np.bincount(deal(int(s.dealt[q].sum())), minlength=KINDS)
    for structure in range(STRUCTURES):
        top, size = int(s.top[q, structure]), int(s["size"][q, structure])
        s.stack[q, structure] = 0  # what lay there before is nobody's to read
        s.stack[q, structure, (top + np.arange(size)) % ROOM] = known[structure] + deal(size - len(known[structure]))
    s.pile[: s.pile_next], s.pile[s.pile_next : s.pile_size] = 0, unseen
    add_up(s, game.tables)
    # what was drawn when, the words of the last shuffle, and the log of the last action tell of hidden cards too
    s.word[:] = choose.integers(0, 2**63, len(s.word), np.uint64)
    s.got[:] = choose.integers(0, 99, KINDS)
    if s.on_turn != p:
        s.drawn = NONE
    forget(s, choose)
    return other


@pytest.mark.parametrize("name", deciders(GAME))
def test_a_policy_sees_only_what_its_seat_may_see(name):
    choose = np.random.default_rng(5)
    seen = set()
    for n in range(GAMES):
        seen |= acts_without_looking(GAME, name, game_of(n, 71_000 + n), STEPS, lambda game: deal_anew(game, choose))
    assert seen >= {Act.END, Act.GATE, Act.CASTLE, Act.PLAY, Act.PAY}
    assert len(seen) >= 9, {Act(act).name for act in seen}


PEEPS = {
    "the next card": lambda s: int(s.pile[s.pile_next]),
    "the last card": lambda s: int(s.pile[s.pile_size - 1]),
    "the other's hand": lambda s: s.hand[opponent(s)].tobytes(),
    "an Ogre in the other's hand": lambda s: int(s.hand[opponent(s), 14]),
    "whether he holds a card": lambda s: int(s.held[opponent(s)]),
    "the units of the other's hand": lambda s: s.shows[opponent(s)].tobytes(),
    "the other's Castle": lambda s: stack(s, opponent(s), CASTLE),
    "the bottom of the other's Gate": lambda s: stack(s, opponent(s), GATE)[-1:],
    "the first card of the Gate": lambda s: stack(s, opponent(s), GATE)[:1],
    "what was dealt": lambda s: s.dealt[opponent(s)].tobytes(),
    "what was drawn before": lambda s: s.pile[: s.pile_next].tobytes(),
    "the words of the shuffle": lambda s: s.word.tobytes(),
    "who got what": lambda s: s.got.tobytes(),
    "the dice": lambda s: s.luck[:POLICY].tobytes(),
}
IN_VIEW = (
    "size", "hand_size", "known", "laid", "perm", "front", "tired", "discards", "resting", "aside", "pile_size",
    "pile_next", "stage", "turn", "plays", "strengthened", "card",
)  # fmt: skip
IN_VIEW += ("need", "left", "strength", "attacked", "placed", "batch")


@pytest.fixture(scope="module")
def changed() -> Counter:
    """How often the dealing anew changed what each of them would see, and that it changed nothing that is in view."""
    choose, changed = np.random.default_rng(6), Counter()
    for n in (0, 4):
        game = game_of(n, 72_000 + n)
        for _ in decisions(GAME, "random", game, STEPS):
            s, p = game.state, int(game.state.to_move)
            other = deal_anew(game, choose).state
            if s.pile_next < s.pile_size:
                changed.update(what for what, peep in PEEPS.items() if peep(s) != peep(other))
            assert all(np.array_equal(s[field], other[field]) for field in IN_VIEW)
            assert np.array_equal(s.hand[p], other.hand[p])
            assert np.array_equal(s.dealt[p], other.dealt[p])
            assert other.luck[POLICY] == s.luck[POLICY]
            assert all(stack(s, p, structure) == stack(other, p, structure) for structure in range(STRUCTURES))
            for structure in np.flatnonzero(s.known[1 - p]):
                assert stack(s, 1 - p, structure)[0] == stack(other, 1 - p, structure)[0], "both know it"
    return changed


@pytest.mark.parametrize("what", PEEPS)
def test_a_peep_would_be_found(what, changed):
    assert changed[what] > 10


def test_the_hand_that_is_looked_at_is_shown():
    """A20 look_and_choose, stage TAKE: what is listed is in view; anywhere else the hand is not."""
    choose, looked, hidden = np.random.default_rng(7), 0, 0
    for n in range(2, 16):
        game = game_of(n, 73_000 + n)
        for _ in decisions(GAME, "random", game, STEPS):
            s, q = game.state, opponent(game.state)
            same = np.array_equal(deal_anew(game, choose).state.hand[q], s.hand[q])
            if s.stage == Stage.TAKE and game.tables.discard_choice == DiscardChoice.look_and_choose:
                assert same and s.to_move == s.on_turn
                looked += 1
            hidden += not same
    assert looked > 3 and hidden > 200


def test_hidden_cards_are_dealt_everywhere():
    """In one position of the first turns: a card of the pile comes to the other's hand, Gate and Castle, and the other way round."""
    game = game_of(0, 4)
    while game.state.stage != Stage.MAIN:
        game.apply(game.random_action(game.legal()))
    q, choose = opponent(game.state), np.random.default_rng(8)
    places = [set(), set(), set(), set()]
    for _ in range(150):
        s = deal_anew(game, choose).state
        for place, cards in zip(
            places,
            (
                sorted_kinds(s.hand[q]),
                stack(s, q, GATE),
                stack(s, q, CASTLE),
                s.pile[s.pile_next : s.pile_size].tolist(),
            ),
        ):
            place |= set(cards)
    assert all(len(place) > 18 for place in places), [len(place) for place in places]


@pytest.mark.parametrize("why", ["chosen from", "tired"])
def test_what_lies_open_is_not_dealt_anew_by_the_engine(why):
    """A20: the hand a card is chosen from; A16b: Veterans that came back to the hand. Of another hand cards change."""
    game, others = game_of(0, 73_000), 0
    tables = game.tables.copy()
    for _ in decisions(GAME, "random", game, 80):
        for is_open in (True, False):
            them = game.copy()
            state, p = them.state, int(game.state.to_move)
            hand = state.hand[1 - p].copy()
            if why == "chosen from":
                state.stage, state.on_turn = (Stage.TAKE if is_open else Stage.MAIN), p
            else:
                tables.repelled_veteran, state.on_turn = RepelledVeteran.to_hand, 1 - p
                state.tired[:] = hand if is_open else 0
            ENGINE.determinize(state, tables, np.int32(p))
            assert not is_open or np.array_equal(state.hand[1 - p], hand)
            others += not np.array_equal(state.hand[1 - p], hand)
    assert others > 10
