"""What holds in every state of Escape from Colditz, whoever plays, whatever the rulings and the choices: pawns and cards are conserved.

What is legal, what an action costs and does and what a record says: tests/naive.
"""

import pytest

from bartizan.simcore.colditz.components import APPEL, ARGUMENTS, Act, Place, Stage
from bartizan.simcore.colditz.engine import ENGINE
from tests.colditz_games import Game, play, variant

GAMES = 3  # of each number of players and start
VARIANTS = 5


def watched(game: Game, legal: list[int], action: int) -> None:
    """Apply one action and look at what must hold."""
    s, t = game.state, game.tables
    assert len(set(legal)) == len(legal), "the same action twice"
    pow_at, escaped = s.pow_at.copy(), s.escaped.copy()
    game.apply(action)
    fault = ENGINE.check(s, t)
    assert fault == "", (fault, Act(action // ARGUMENTS), action % ARGUMENTS)
    assert s.n_events < len(s.events), "the log of one apply overflows"
    assert s.points >= 0
    assert (s.escaped >= escaped).all()
    for gone in (Place.ESCAPED, Place.DEAD):
        assert (s.pow_at[pow_at == gone] == gone).all()
    assert not t.board.safe[s.guard_at[s.guard_at > APPEL]].any(), "a guard on a safe circle"


def check_record(game: Game) -> None:
    """Everybody is somewhere when a game is over."""
    s, t, row = game.state, game.tables, game.record()
    at = s.pow_at.tolist()
    by_place = {place: at.count(place) for place in Place}
    playing = (
        sum(a >= APPEL for a in at)
        + by_place[Place.CELL_INNER]
        + by_place[Place.CELL_OUTER]
        + by_place[Place.ON_THE_WAY]
    )
    assert by_place[Place.ESCAPED] == row["score"] == row["escapes"] + row["stake_escapes"]
    assert by_place[Place.DEAD] == row["shot"] + row["stakes_failed"]
    assert by_place[Place.ESCAPED] + by_place[Place.DEAD] + by_place[Place.OUT] + playing == t.players * t.pows


@pytest.mark.parametrize("scattered", [False, True], ids=["from the start", "from anywhere"])
@pytest.mark.parametrize("k", [1, 2, 3, 4, 5])
def test_random_games(k, scattered):
    for n in range(GAMES):
        check_record(play(variant(k, (n + k) % VARIANTS), 1000 * k + n, scattered, watched))


@pytest.mark.parametrize("k", [1, 3, 5])
def test_the_same_seed_and_choices_are_the_same_game(k):
    for seed in range(2):
        key = variant(k, seed)
        one, two = play(key, seed, True), play(key, seed, True)
        assert one.states.tobytes() == two.states.tobytes()
        assert one.record().tobytes() == two.record().tobytes()


def test_random_games_see_most_of_the_rules():
    """What the games above are worth: every kind of action and every stage comes up in some dozens of them, the rarest (SAVE) in the last ones."""
    seen, stages = set(), set()

    def note(game, legal, action):
        seen.update(code // ARGUMENTS for code in legal)
        stages.add(int(game.state.stage))
        game.apply(action)

    for k in (1, 2, 3, 5):
        for n in range(24, 40):
            play(variant(k, n % VARIANTS), 1000 * k + n, n % 4 > 0, note)
    rare = {Act.CAR, Act.TUNNEL, Act.UNDER, Act.DETECT, Act.NEXT, Act.GIVE_EQUIPMENT, Act.KIT}
    assert set(Act) - {Act(a) for a in seen} <= rare, {Act(a).name for a in set(Act) - seen}
    assert stages >= {stage for stage in Stage if stage not in (Stage.NONE, Stage.NEXT)}
