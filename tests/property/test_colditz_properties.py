"""What holds in every state of Escape from Colditz, whoever plays, whatever the rulings and the choices."""

import pytest

from bartizan.simcore.colditz.components import (
    ALLIED,
    APPEL,
    ARGUMENTS,
    GERMAN,
    NONE,
    POWS,
    TEAM,
    Act,
    End,
    GuardsOutside,
    Place,
    SearchSafe,
    Stage,
    StakeDeck,
    Tunnel,
    Zone,
)
from bartizan.simcore.colditz.engine import ENGINE
from tests.colditz_games import Game, play, variant

CELLS = (Place.CELL_INNER, Place.CELL_OUTER, Place.ON_THE_WAY)
ON_BOARD_OR_CELLS = (Place.CELL_INNER, Place.CELL_OUTER)
BOTH = {Act.END, Act.THROW, Act.PICK, Act.STAY, Act.GO, Act.DISCARD}
PRICE = {
    Act.POST: 1,
    Act.RECALL: 1,
    Act.RELEASE: 1,
    Act.PICK: 0,
    Act.STAY: 0,
    Act.EQUIP: 0,
    Act.KIT: 0,
    Act.BRIBE: 0,
    Act.CONVERT: 0,
    Act.FAST: 0,
    Act.FREE: 0,
    Act.GIVE: 0,
    Act.DISCARD: 0,
    Act.DIVERT: 0,
    Act.TUNNEL: 0,
}
MOVES = {Act.GO, Act.UNDER, Act.CROSS, Act.FORCE, Act.ARREST}
GAMES = 6  # of each number of players and start
VARIANTS = 5


def watched(game: Game, legal: list[int], action: int) -> None:
    """Apply one action and look at what must hold."""
    s, t = game.state, game.tables
    assert len(set(legal)) == len(legal), "the same action twice"
    act, argument = Act(action // ARGUMENTS), action % ARGUMENTS
    check_side(s.to_move, {Act(code // ARGUMENTS) for code in legal})
    turn, points, stage, picked, seat = (int(s["round"]), int(s.on_turn)), int(s.points), s.stage, int(s.picked), s.to_move
    pow_at, under, guard_at, escaped = s.pow_at.copy(), s.under.copy(), s.guard_at.copy(), s.escaped.copy()
    drops = int(s.guard_drops) != 0 or (s.tunnel == Tunnel.TAKEN).any() or s.detected.any() or s.carded.any()
    game.apply(action)
    said = ENGINE.check(s, t)
    assert said == "", (said, act, argument)
    assert s.n_events < len(s.events), "the log of one apply overflows"
    assert s.points >= 0
    if (int(s["round"]), int(s.on_turn)) == turn and stage == Stage.TURN and act in PRICE:
        assert points - s.points == PRICE[act], act
    if stage == Stage.GOTO and act in MOVES and (int(s["round"]), int(s.on_turn)) == turn:
        cost = points - s.points
        assert cost >= 1, act
        if seat == GERMAN and not drops:
            assert cost >= t.board.steps[guard_at[picked], argument], "shorter than the board allows"
    taken = [w for w in range(POWS) if pow_at[w] >= APPEL and s.pow_at[w] in CELLS]
    for w in taken:
        forced = act == Act.FORCE and w == picked
        if under[w] == NONE and t.board.safe[pow_at[w]]:
            searched = t.search_safe == SearchSafe.taken and t.board.room[pow_at[w]] == s.search_room
            assert act == Act.HOLDER or forced or searched, "taken from a safe circle"
        if pow_at[w] == APPEL:
            assert act == Act.HOLDER or forced, "taken from the Appel"
    assert (s.escaped >= escaped).all() and (s.pow_at[pow_at == Place.ESCAPED] == Place.ESCAPED).all() and (s.pow_at[pow_at == Place.DEAD] == Place.DEAD).all()
    assert not t.board.safe[s.guard_at[s.guard_at > APPEL]].any(), "a guard on a safe circle"
    check_guards_outside(s, t, stage, act, seat)


def check_guards_outside(s, t, stage, act, seat: int) -> None:
    """5.3, Q37: when the German's turn is over no guard is Outside with nobody on the run there or on the way."""
    if stage == Stage.TURN and act == Act.END and seat == GERMAN and s.end_reason == 0 and t.guards_outside <= 1:
        zones = [int(t.board.zone[c]) for w, c in enumerate(s.pow_at) if c >= 0 and s.under[w] == NONE and not s.returning[w]]
        out = max(zones, default=0) >= (Zone.OUTSIDE if t.guards_outside == GuardsOutside.while_outside else Zone.OUTER)
        assert out or not any(c > 0 and t.board.zone[c] == Zone.OUTSIDE for c in s.guard_at)


def check_side(seat: int, kinds: set[Act]) -> None:
    german = {act for act in Act if act >= Act.POST} | BOTH
    assert kinds <= german if seat == GERMAN else not kinds & (german - BOTH)


def check_record(game: Game, key: frozenset) -> None:
    """The row of a finished game against its last state: everybody is somewhere, and 10.1 to 10.4."""
    s, t, row, sets = game.state, game.tables, game.record(), dict(key)
    k, each = int(t.players), int(t.pows)
    at = s.pow_at.tolist()
    by_place = {place: sum(a == place for a in at) for place in Place}
    alive = sum(a >= APPEL for a in at) + sum(by_place[place] for place in ON_BOARD_OR_CELLS) + by_place[Place.ON_THE_WAY]
    assert by_place[Place.ESCAPED] == row["score"] == row["escapes"] + row["stake_escapes"]
    assert by_place[Place.DEAD] == row["shot"] + row["stakes_failed"]
    assert by_place[Place.ESCAPED] + by_place[Place.DEAD] + by_place[Place.OUT] + alive == k * each
    by_player = [sum(a == Place.ESCAPED for a in at[p * TEAM : (p + 1) * TEAM]) for p in range(5)]
    assert [row[f"escapes_{p + 1}"] for p in range(5)] == by_player
    assert sum(row[f"target_{i}"] for i in range(1, 8)) == row["escapes"]
    assert row["stake_tries"] == row["stake_escapes"] + row["stakes_failed"]
    assert row["stake_tries"] <= 5 or t.stake_deck == StakeDeck.remade
    assert row["turn"] <= sets["limit.rounds"]
    assert row["car_escapes"] <= row["car_tries"]
    check_result(row, sets, [int(n) for n in s.escaped[:k]], [int(n) for n in s.staked_out[:k]], int(s.end_reason))
    if s.end_reason == End.NOBODY_LEFT:
        assert alive == 0
    if s.end_reason == End.LIMIT:
        assert row["turn"] == sets["limit.rounds"]


def check_result(row, sets: dict, ordinary: list[int], staked: list[int], reason: int) -> None:
    total = [a + b for a, b in zip(ordinary, staked)]
    if sets.get("result.form") == "race":
        won = max(total) >= sets["result.target"]
        assert row["winner"] == (ALLIED if won else GERMAN) and won == (reason == End.RACE_WON)
    else:
        assert row["winner"] == (ALLIED if sum(ordinary) else NONE if sum(staked) else GERMAN)
    counted = ordinary if sets.get("rulings.rank_counts") == "ordinary" else total
    first = [p for p, n in enumerate(counted) if n == max(counted) > 0]
    assert row["first_player"] == (first[0] if len(first) == 1 else NONE)
    for goal in (1, 2):
        assert bool(row[f"race_{goal}"]) == (max(total) >= goal) == (row[f"racer_{goal}"] != NONE)
    assert bool(row["first_escape"]) == (sum(ordinary) > 0) and bool(row["first_stake_escape"]) == (sum(staked) > 0)


@pytest.mark.parametrize("scattered", [False, True], ids=["from the start", "from anywhere"])
@pytest.mark.parametrize("k", [1, 2, 3, 4, 5])
def test_random_games(k, scattered):
    for n in range(GAMES):
        key = variant(k, n % VARIANTS)
        check_record(play(key, 1000 * k + n, scattered, watched), key)


@pytest.mark.parametrize("k", [1, 3, 5])
def test_the_same_seed_and_choices_are_the_same_game(k):
    for seed in range(3):
        key = variant(k, seed)
        one, two = play(key, seed, True), play(key, seed, True)
        assert one.states.tobytes() == two.states.tobytes()
        assert one.record().tobytes() == two.record().tobytes()


def test_random_games_see_most_of_the_rules():
    """What the games above are worth: every kind of action and every stage comes up in a few hundred of them."""
    seen, stages = set(), set()

    def note(game, legal, action):
        seen.update(code // ARGUMENTS for code in legal)
        stages.add(int(game.state.stage))
        game.apply(action)

    for k in (1, 2, 3, 5):
        for n in range(40):
            play(variant(k, n % VARIANTS), 1000 * k + n, n % 4 > 0, note)
    rare = {Act.CAR, Act.TUNNEL, Act.UNDER, Act.DETECT, Act.NEXT, Act.GIVE_EQUIPMENT, Act.KIT}
    assert set(Act) - {Act(a) for a in seen} <= rare, {Act(a).name for a in set(Act) - seen}
    assert stages >= {stage for stage in Stage if stage not in (Stage.NONE, Stage.NEXT)}
