"""What holds in every state of Castle, whoever plays, whatever the rulings and the choices: cards are conserved, and seen by those who must have seen them.

What is legal, what an action does and what a record says: tests/naive.
"""

import pytest

from bartizan.simcore.castle.components import ARGUMENTS, CARDS, NONE, WIDTH, Act, Stage
from bartizan.simcore.castle.engine import ENGINE
from tests.castle_games import Game, play, variant
from tests.castle_table import SEEN_BY_ALL, cell

GAMES = 3  # of each number of players: all variants together
VARIANTS = 9


def watched(game: Game, legal: list[int], action: int) -> None:
    """Apply one action and look at what must hold."""
    s, t = game.state, game.tables
    assert len(set(legal)) == len(legal), "the same action twice"
    assert s.alive[s.to_move], "a dead player is asked"
    game.apply(action)
    fault = ENGINE.check(s, t)
    assert fault == "", (fault, Act(action // ARGUMENTS), action % ARGUMENTS)
    check_piles(s, t)


def check_piles(s, t) -> None:
    """2.4: the grid's limits and the Court; every card lies in one pile, seen by those who must have seen it."""
    seen_by, shown = s.seen_by.tolist(), int(s.discards)
    for q in range(t.players):
        castle, up, alive = (
            {cell(at): card for at, card in enumerate(s.castle[q].tolist()) if card != NONE},
            int(s.up[q]),
            s.alive[q],
        )
        shown |= int(s.pool[q])
        assert all(r < t.rows and 0 <= c < t.columns for r, c in castle)
        assert not int(s.pool[q]) & (int(s.discards) | int(s.gone))
        for (r, c), card in castle.items():
            assert seen_by[card] >> q & 1 or not alive, "owners know their own cards"
            assert not up >> r * WIDTH + c + 1 & 1 or seen_by[card] == SEEN_BY_ALL
    assert all(seen_by[card] == SEEN_BY_ALL for card in range(CARDS) if shown >> card & 1)
    assert all(seen_by[card] == 0 for card in s.deck[s.deck_next : s.deck_size].tolist()), (
        "nobody has seen what lies in the deck"
    )


@pytest.mark.parametrize("k", [2, 3, 4])
def test_random_games(k):
    for n in range(GAMES):
        play(variant(k, (GAMES * k + n) % VARIANTS), 1000 * k + n, watched)


@pytest.mark.parametrize("k", [2, 3, 4])
def test_the_same_seed_and_choices_are_the_same_game(k):
    for seed in range(4):
        key = variant(k, seed + 2)
        one, two, other = play(key, seed), play(key, seed), play(key, seed + 100)
        assert one.states.tobytes() == two.states.tobytes() != other.states.tobytes()
        assert one.record().tobytes() == two.record().tobytes()


def test_random_games_see_most_of_the_rules():
    """What the games above are worth: every kind of action and every stage comes up in a few dozen of them."""
    seen, stages = set(), set()

    def note(game, legal, action):
        seen.update(code // ARGUMENTS for code in legal)
        stages.add(int(game.state.stage))
        game.apply(action)

    for k in (2, 3, 4):
        for n in range(3, 15):
            play(variant(k, n), 1000 * k + n, note)
    assert set(Act) - {Act(a) for a in seen} <= {Act.DISCARD}, {Act(a).name for a in set(Act) - seen}
    assert stages >= set(Stage) - {Stage.NONE}, {Stage(a).name for a in set(Stage) - stages}
