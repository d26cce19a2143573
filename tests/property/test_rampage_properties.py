"""What holds in every state of Castle Rampage, whatever the deck, the rulings and the choices."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bartizan.policies.registry import find_player, policies_of
from bartizan.simcore.compile.rules import FIRST_GAME_REASON
from bartizan.simcore.play.batch import play_games
from bartizan.simcore.play.match import Match
from bartizan.simcore.rampage.components import (
    ARGUMENTS,
    KINDS,
    NO_SCORE,
    NONE,
    SEATS,
    STRUCTURES,
    Act,
    End,
    Event,
    Stage,
)
from bartizan.simcore.rampage.engine import ENGINE
from bartizan.simcore.rampage.trace import stack
from bartizan.simcore.scenario.loading import load_scenario
from tests.rampage_games import Game, game_of, scenarios, variant
from tests.rampage_table import GAME, scenario_of, sorted_kinds

GAMES = 20
DECKS = 60
ASKED = {
    Stage.SETUP_GATE: {Act.GATE},
    Stage.SETUP_CASTLE: {Act.CASTLE},
    Stage.MAIN: {Act.END, Act.GATE, Act.CASTLE, Act.PLAY},
    Stage.PAY: {Act.PAY},
    Stage.ORDER: {Act.EFFECT, Act.ATTACK},
    Stage.TARGET: {Act.TARGET},
    Stage.LOSE: {Act.LOSE},
    Stage.RAZE: {Act.RAZE},
    Stage.NAME: {Act.NAME},
    Stage.TAKE: {Act.TAKE},
    Stage.OPTIONAL: {Act.END, Act.ATTACK},
    Stage.UNDER: {Act.UNDER},
    Stage.DROP: {Act.DROP},
}


def all_cards(s) -> list[int]:
    """R19, put together here and not by the engine's own check: how many of each kind lie anywhere."""
    counts = (
        s.discards.astype(int)
        + s.resting
        + s.aside
        + sum(s[zone][p] for zone in ("hand", "dealt", "laid", "front") for p in range(SEATS))
    )
    lying = [k for p in range(SEATS) for structure in range(STRUCTURES) for k in stack(s, p, structure)] + s.pile[
        s.pile_next : s.pile_size
    ].tolist()
    counts += np.bincount(np.array([*lying, *([int(s.card)] if s.card != NONE else [])], np.int64), minlength=KINDS)
    return counts.tolist()


class Watch:
    """Looks at every step of one game; counts what the record is to say."""

    def __init__(self, game: Game, every: int = 1):
        self.deck, self.every, self.ply = game.tables.count.tolist(), every, 0
        self.seen = Counter()
        self.stages = Counter()

    def __call__(self, game: Game, legal: list[int], action: int) -> None:
        s, t = game.state, game.tables
        stage, act, argument = Stage(int(s.stage)), Act(action // ARGUMENTS), action % ARGUMENTS
        assert len(set(legal)) == len(legal), "the same action twice"
        assert {Act(code // ARGUMENTS) for code in legal} <= ASKED[stage]
        assert s.to_move == s.on_turn or stage in (Stage.SETUP_GATE, Stage.SETUP_CASTLE, Stage.TAKE), "who is asked"
        self.ply += 1
        if self.ply % self.every == 0:
            self.try_all(game, legal)
        before = [s.hand_size.tolist(), s["size"].tolist(), int(s.turn)]
        game.apply(action)
        assert all_cards(s) == self.deck
        if self.ply % self.every == 0:
            assert ENGINE.check(s, t) == ""
        self.stages[stage] += 1
        self.note(game, stage, act, argument, before)

    def try_all(self, game: Game, legal: list[int]) -> None:
        """Every legal action can be applied."""
        for code in legal:
            other = game.copy()
            other.apply(code)
            assert all_cards(other.state) == self.deck and (other.state.end_reason or other.legal())

    def note(self, game: Game, stage: Stage, act: Act, argument: int, before: list) -> None:
        """Compare what was done with what is there."""
        s, (hands, sizes, turn) = game.state, before
        p = (turn - 1) % SEATS
        self.seen["plays"] += act == Act.PLAY
        self.seen["paid"] += act == Act.PAY
        self.seen["strengthened"] += stage == Stage.MAIN and act in (Act.GATE, Act.CASTLE)
        if s.n_events < len(s.events):
            events = Counter(event for event, *_ in game.events())
            for column, event in {
                "drawn": Event.DREW,
                "attacks": Event.STRIKES,
                "repelled": Event.REPELLED,
                "razed": Event.RAZED,
                "raised": Event.LAID,
            }.items():
                self.seen[column] += events[event]
        else:
            self.seen["overflow"] += 1
        if stage == s.stage == Stage.PAY and not s.end_reason:
            assert s.hand_size[p] == hands[p] - 1, "one card a payment"
        assert s["size"].sum() <= sum(map(sum, sizes)) + 1, "one card more at the most"
        assert turn <= s.turn <= turn + 1


def check_record(game: Game, watch: Watch) -> None:
    """The row of a finished game against its last state and what was seen (section 6, PROTOCOL.md 3)."""
    s, t, row = game.state, game.tables, game.record()
    winner, castles = int(row["winner"]), [int(row[f"castle_{p}"]) for p in range(SEATS)]
    assert castles == [len(stack(s, p, 1)) for p in range(SEATS)] and [row[f"gate_{p}"] for p in range(SEATS)] == [
        len(stack(s, p, 0)) for p in range(SEATS)
    ]
    assert [row["seat0_wins"], row["seat1_wins"]] == [winner == 0, winner == 1]
    assert (
        row["score"] == (castles[winner] if winner >= 0 else NO_SCORE)
        and row["turn"] == row["turns"] == s.turn <= t.turn_limit
    )
    mover = (int(s.turn) - 1) % SEATS
    if s.end_reason == End.CASTLE_FELL:
        assert castles[1 - winner] == 0 < castles[winner] and winner == mover and row["own_turn"] == 0
    elif s.end_reason == End.OWN_TURN:
        assert castles[mover] == 0 and winner == 1 - mover and row["own_turn"] == 1
    else:
        assert min(castles) > 0 and row["own_turn"] == 0 and (s.end_reason != End.TURN_LIMIT or s.turn == t.turn_limit)
        assert s.end_reason != End.PLAY_LIMIT or (winner == NONE and s.plays == t.play_limit)
        assert winner == NONE or (castles[winner], row[f"gate_{winner}"]) > (
            castles[1 - winner],
            row[f"gate_{1 - winner}"],
        )
    assert s.plays <= t.play_limit and s.end_reason >= FIRST_GAME_REASON
    columns = ["plays", "paid", "strengthened"] + (
        [] if watch.seen["overflow"] else ["drawn", "attacks", "repelled", "razed", "raised"]
    )
    assert {column: int(row[column]) for column in columns} == {column: watch.seen[column] for column in columns}
    assert (
        row["repelled"] + row["traded"] <= row["attacks"]
        and row["traded"] <= row["felled"]
        and row["texts"] <= row["felled"]
    )
    assert (
        row["to_castle"] <= row["attacks"] <= row["plays"]
        and row["razed"] <= row["raised"]
        and row["stuck"] <= row["turns"]
    )


def watched(game: Game, every: int = 1) -> Watch:
    watch = Watch(game, every)
    game.play(watch)
    assert ENGINE.check(game.state, game.tables) == ""
    check_record(game, watch)
    return watch


# ---------------------------------------------------------------- random games


@pytest.mark.parametrize("part", range(4))
def test_random_games(part):
    for n in range(part, GAMES, 4):
        watched(game_of(n, 2000 + n), every=5)


@settings(
    max_examples=DECKS,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(scenario=scenarios(), seed=st.integers(0, 2**31))
def test_random_decks(scenario, seed):
    """Any costs, effects, boosts and permanents: every legal action applies, all cards stay, the game ends within its limits."""
    watched(Game(ENGINE.build_tables(scenario).view(np.recarray)[0], seed), every=10)


@pytest.mark.slow
@settings(max_examples=1000, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(scenario=scenarios(), seed=st.integers(0, 2**31))
def test_many_random_decks(scenario, seed):
    watched(Game(ENGINE.build_tables(scenario).view(np.recarray)[0], seed))


def test_random_games_see_most_of_the_rules():
    """What the games above are worth: every kind of action and every stage comes up."""
    acts, stages, ends = set(), set(), set()

    def note(game, legal, action):
        acts.update(code // ARGUMENTS for code in legal)
        stages.add(int(game.state.stage))
        game.apply(action)

    for n in range(60):
        ends.add(int(game_of(n, 3000 + n).play(note).state.end_reason))
    assert acts == set(Act) and stages == set(Stage) - {Stage.NONE} and ends >= set(End) - {End.PILE_EMPTY}, (
        acts,
        stages,
        ends,
    )


def test_a_cost_once_begun_can_be_paid_to_the_end():
    """4.2: whichever cards are given, the rest can be paid; as many cards as the cost says leave the hand."""
    costs = {
        "card.giant.cost": "[{ op = 'discard_unit', unit = 'axe', n = 1 }, { op = 'discard_unit', unit = 'knight', n = 1 }, { op = 'discard', n = 1 }]"
    }
    game = Game(ENGINE.build_tables(scenario_of(frozenset(costs.items()))).view(np.recarray)[0], 1)
    paid = 0
    for seed in range(20):
        game = Game(game.tables, seed)
        while not game.state.end_reason and game.state.turn < 40:
            legal = game.legal()
            plays = [code for code in legal if code // ARGUMENTS == Act.PLAY and game.tables.need[code % 64]]
            action = int(game.choose.choice(plays)) if plays else game.random_action(legal)
            card, held = action % 64, int(game.state.hand_size[game.state.to_move])
            game.apply(action)
            if plays:
                need, boosts, given = int(game.tables.cost[card]), action % ARGUMENTS // 64 % 8, 0
                while game.state.stage == Stage.PAY:
                    assert game.state.hand_size[game.state.to_move] == held - 1 - given
                    game.apply(game.random_action(game.legal()))
                    given += 1
                assert given == need + boosts
                paid += 1
    assert paid > 100


def test_luck_and_choices_make_the_game():
    for n in range(6):
        one, two, other = (game_of(n, seed).play() for seed in (50 + n, 50 + n, 90 + n))
        assert one.states.tobytes() == two.states.tobytes() != other.states.tobytes()
        assert one.record().tobytes() == two.record().tobytes()


def test_hands_are_sorted_kinds():
    """The helper that reads hands for the tests on rules."""
    assert sorted_kinds(np.array([2, 0, 1] + [0] * (KINDS - 3))) == [0, 0, 2]


# ---------------------------------------------------------------- batches


def rows_of(scenario, name: str, first: int, games: int, jobs: int = 1) -> np.ndarray:
    match = Match(GAME, scenario, (find_player(GAME, name),) * SEATS, seed=5)
    return np.concatenate([chunk.copy() for chunk in play_games(match, range(first, first + games), jobs)])


@pytest.mark.parametrize("name", policies_of(GAME))
def test_a_game_alone_is_the_same_in_a_batch(name):
    scenario = load_scenario(GAME, sets={"limit.turns": 60})
    rows = rows_of(scenario, name, 0, 40)
    assert rows["game"].tolist() == list(range(40))
    for game in (0, 7, 39):
        assert rows_of(scenario, name, game, 1)[0].tobytes() == rows[game].tobytes()


@pytest.mark.parametrize(
    "name", [name for name in policies_of(GAME) if name != "newcomer"]
)  # it plays a hundredth of their games a second: tests/unit/test_newcomer.py
def test_one_thread_plays_as_two(name):
    scenario = load_scenario(GAME, sets={"limit.turns": 40})
    one, two = (rows_of(scenario, name, 0, 3000, jobs) for jobs in (1, 2))
    assert one.tobytes() == two.tobytes() and len(np.unique(one)) > 1000


def test_readings_and_decks_play_in_batches():
    for n in range(3, 9):
        rows = rows_of(scenario_of(variant(n)), "random", 0, 60)
        assert (rows["end_reason"] >= FIRST_GAME_REASON).all()
        assert ((rows["winner"] >= 0) == (rows["seat0_wins"] + rows["seat1_wins"] == 1)).all()
        over = np.isin(rows["end_reason"], [End.CASTLE_FELL, End.OWN_TURN])
        assert (np.where(rows["winner"] == 0, rows["castle_1"], rows["castle_0"])[over] == 0).all() and (
            rows["winner"][over] >= 0
        ).all()
        assert (
            np.where(rows["winner"] == 0, rows["castle_0"], rows["castle_1"])[over & (rows["own_turn"] == 0)] > 0
        ).all()
