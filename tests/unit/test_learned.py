"""Learned players: nothing hidden is seen, the same bytes whoever interrupts the training, the same games from the
file, and one line for what cannot be played.
"""

import json
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest

from bartizan.analyses.experiments import learning
from bartizan.api.answers import learning as answers
from bartizan.policies import learned
from bartizan.policies.registry import at_one_table, find_player, find_policy
from bartizan.policies.request import Request
from bartizan.simcore.errors import PolicyError, UsageError
from bartizan.simcore.game import load_game
from bartizan.simcore.learning import layout as layouts
from bartizan.simcore.learning import observing
from bartizan.simcore.learning.balancing import MixedTable
from bartizan.simcore.learning.network import (
    FINE,
    HIDDEN_UNITS,
    Net,
    chances_of,
    context_of,
    ends_of,
    layer,
    net_of,
    rounded,
    whole_chances,
    whole_worths,
    worth_of,
)
from bartizan.simcore.learning.observing import ABSENT, FEW, HIDDEN, LINE, ONE_OF, PARTS, STEPS, UNIT, Sight, coded
from bartizan.simcore.play.batch import Batch
from bartizan.simcore.play.match import Match
from tests.cli.run_cli import ROOT, bartizan, error_line
from tests.conftest import KEPT

# a trick of one card each: the higher one wins; what is left in the hands counts for the score
HIGHEST = '''"""Highest: play a card of the hand; the higher card wins the trick; three tricks win."""

from bartizan.short import *

players = 2
deck = Deck({"One": 3, "Two": 3, "Three": 3, "Four": 3, "Five": 3, "Six": 3})
hand = Hand(deck, 3)
aside = Pile(deck, seen="nobody")
played = Pile(deck)
shown, points = Tokens(), Tokens()


def setup(s, n):
    draw(s.deck, s.aside)
    draw(s.deck, s.aside)
    deal(s, s.deck, s.hand, 3)


def lay_down(s, n, card: hand):
    move(s.hand[s.me], card, s.played)
    s.shown[s.me] = card + 1
    other = 1 - s.me
    if s.shown[other] > 0:
        if s.shown[s.me] != s.shown[other]:
            s.points[s.me if s.shown[s.me] > s.shown[other] else other] += 1
        s.shown[:] = 0
        if size(s.hand[0]) == 0:
            win(s, leader(s, n), "all cards are played")
    next_player(s)


def lowest(s, n, legal):
    """Plays its lowest card."""
    return legal[0] if legal[0] < legal[-1] else legal[-1]
'''
QUICK = ("--learn", "--rounds", 3, "--seeds", 2, "--fresh", 200)


def written(folder, text=HIGHEST, name="highest"):
    (KEPT / folder).mkdir(parents=True, exist_ok=True)
    path = KEPT / folder / f"{name}.py"
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
    return path


@pytest.fixture(scope="module")
def game_file():
    return written("learned")


@pytest.fixture(scope="module")
def small():
    """Rounds of 600 decisions, few games to probe and to choose."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(learning, "DECISIONS", 600)
        patch.setattr(learning, "BRANCHED", 2000)
        patch.setattr(learning, "PROBED_GAMES", 100)
        patch.setattr(learning, "LOOK_GAMES", 50)
        patch.setattr(answers, "CHOOSING", 1)
        patch.setattr(answers, "SAVED_AFTER", 0.0)
        yield


@pytest.fixture(scope="module")
def trained(game_file, small, tmp_path_factory):
    """(the file, what the command answered)"""
    out = tmp_path_factory.mktemp("learned") / "highest.learned"
    result = bartizan("train", game_file, *QUICK, "-o", out, "--json")
    assert result.code == 0, result.err
    return out, result.json


def school_of(path, layout=None, names=("lowest",)):
    game = load_game(str(path))
    scenario = Request(str(path)).loaded
    layout = layout or layouts.layout_of(game)
    return learning.School(game, scenario, layout, {name: find_player(game, name) for name in names}, 1)


@cache
def probed_of(names: tuple[str, ...], path, is_advised=False):
    """(the school, what a probe of it found); both are only read."""
    school = replace(school_of(path, names=names), is_advised=is_advised)
    return school, learning.probe(school)


def test_every_variant_of_the_rules_is_played_against_each_kind_of_opponents(game_file, small, monkeypatch):
    school, probed = probed_of(("lowest",), game_file)
    lessons = learning.Lessons(replace(school, varied=(school.scenario,) * answers.VARIANTS), probed)
    played = {learning.ITSELF: set(), learning.POLICIES: set()}

    def run(pupil, variant, nets, settings, *_):
        played[settings.others].add(id(variant))
        return 0, [0]

    monkeypatch.setattr(lessons, "run", run)
    pupil = lessons.pupil(0)
    for pupil.rounds in range(answers.VARIANTS):
        with pytest.raises(UsageError, match="too few decisions"):
            lessons.round(pupil, 20)
    assert all(variants == {*map(id, lessons.school.variants)} for variants in played.values())


# ---------------------------------------------------------------- nothing hidden is seen


def test_planted_leaks_are_found_and_nothing_else(game_file, small):
    """The cards of the other hand, of the deck and of those set aside, seen on purpose: each such number is dropped."""
    game = load_game(str(game_file))
    planted = layouts.layout_of.__wrapped__(game)
    planted.piles = [(*pile[:3], layouts.SEEN, pile[4]) for pile in planted.piles]
    secret = [name for name in planted.names if name.startswith(("hand of seat 1", "aside ", "deck "))]
    assert len(secret) == 3 * (6) and probed_of(("lowest",), game_file)[1].leaks == ()
    found = learning.probe(school_of(game_file, planted))
    # and what is still unseen of the deck, which is counted from these, is not seen either way: it is empty
    assert set(secret) == set(found.leaks)
    hidden = [planted.names.index(name) for name in secret]
    assert (found.coding.numbers[hidden, 0] == 0).all() and not found.coding.certain[:, hidden].any()


# ---------------------------------------------------------------- stages, and advice


TRADE = '''"""Trade: give a card to another player, for a price."""

from bartizan.short import *

players = 3
deck = Deck({"Ore": 6, "Wool": 6, "Grain": 6})
hand = Hand(deck)
chips = Tokens(6)
stages = ["trade"]


def setup(s, n):
    deal(s, s.deck, s.hand, 5)


def can_trade(s, n, card, target, price):
    return price <= s.chips[target]


def trade(s, n, card: hand, target: others, price: range(1, 5)):
    move(s.hand[s.me], card, s.hand[target])
    s.chips[target] -= price
    s.chips[s.me] += price
    next_player(s)


def can_rest(s, n):
    return s.turn > 9 or empty(s.hand[s.me])


def rest(s, n):
    win(s, leader(s, n), "enough")


def score(s, n, who):
    return s.chips[who] + count(s.hand[who], ORE)


def keen(s, n, legal):
    """Sells what lies on top for as much as it can get."""
    for price in range(4, 0, -1):
        for step in (1, 2):
            target = (s.me + step) % 3
            if not empty(s.hand[s.me]) and can_trade(s, n, top(s.hand[s.me]), target, price):
                return TRADE(top(s.hand[s.me]), target, price)
    return REST


def sly(s, n, legal):
    """Peeks."""
    return legal[0] if has(s.hand[(s.me + 1) % 3], ORE) else legal[-1]
'''


@pytest.fixture(scope="module")
def trade():
    return written("learned_stages", TRADE, "trade")


def test_a_later_stage_is_known_by_all_arguments_chosen_so_far(trade, small):
    """The price is chosen for a card and a target: four kinds of decisions, although there are two actions."""
    layout = layouts.layout_of(load_game(str(trade)))
    sizes = [[digit[3] for digit in layout.digits if digit[0] == kind] for kind in range(4)]
    assert sizes == [[3], [3, 3], [3, 3, 5], []] and layout.later == [0, 3, 5, 0]
    _, probed = probed_of(("keen",), trade, is_advised=True)
    assert probed.is_advised and probed.coding.certain.shape == (4, len(layout.names))
    assert probed.coding.numbers[layout.chosen, 3] >= 8  # a card and a target: numbers from 0 to 8


def test_a_score_that_counts_hidden_cards_is_not_seen(trade, small):
    _, probed = probed_of(("keen",), trade, is_advised=True)
    assert probed.leaks == ("score of seat 1", "score of seat 2")


def test_training_starts_from_a_bot_and_a_file_of_no_training_plays_as_it_does(game_file, small):
    school, probed = probed_of(("lowest",), game_file, is_advised=True)
    lessons = learning.Lessons(school, probed)
    player, _ = answers.player_of(lessons, lessons.adviser(0))
    bot = school.others["lowest"]

    def games(one):
        return Batch(Match(school.game, school.scenario, (one, bot), 5)).play(range(60))

    assert (games(player) == games(bot)).all()
    shares = [lessons.pupil(number).arrays["mean"] for number in range(3)]
    assert [float(net_of(one, *lessons.sizes).direct[-1]) for one in shares] == list(learning.TRUSTING)


def test_a_bot_that_sees_hidden_cards_advises_nobody(trade, small):
    """Its choice would tell them to the learned player: planted in a bot."""
    probed = learning.probe(replace(school_of(trade, names=("sly",)), is_advised=True))
    assert not probed.is_advised and probed.coding.sizes[1] == probed.coding.sizes[0] + probed.coding.sizes[2]


# ---------------------------------------------------------------- training


def test_the_answer_says_how_it_was_judged(trained):
    out, d = trained
    assert [one["policy"] for one in d["against"]] == ["lowest", "newcomer", "random"]
    first = d["against"][0]
    assert (
        first["games"] == 200 and first["value"]["difference"]["method"] and d["rounds"] == 3 and len(d["seeds"]) == 3
    )
    assert "200 held-out games" in d["sentence"] and ("beats lowest" in d["sentence"]) == (first["verdict"] == "better")
    assert d["response"]["games"] == 100 and d["response_games"] > 0  # of two sides: how far it can be exploited
    facts = json.loads(out.read_text())
    assert (
        facts["base"] == "lowest"
        and facts["sentence"] == d["sentence"]
        and facts["layout"]
        and facts["rules"]
        and "progress" not in facts
    )


def test_opponents_have_their_part_of_a_memory_that_fills(game_file, small, monkeypatch):
    """In a large game, the games against itself filled it, and none against the bot was learned from."""
    monkeypatch.setattr(learning, "ROOM_STATE", 5)
    lessons, ends = learning.Lessons(*probed_of(("lowest",), game_file, is_advised=True)), []
    run = lessons.run

    def noted(*arguments):
        ends.append(run(*arguments))
        return ends[-1]

    monkeypatch.setattr(lessons, "run", noted)
    monkeypatch.setattr(learning, "BATCH", 50)
    lessons.round(lessons.pupil(0), 100)
    itself, bot = (kept for kept, _ in ends)
    assert bot < learning.DECISIONS and 0.4 < itself / bot < 0.7


def test_the_time_that_is_said_includes_judging_and_the_best_response(monkeypatch):
    monkeypatch.setattr(answers, "CHOOSING", 5)
    school = SimpleNamespace(seats=2, judge="bot", others={"bot": None, "random": None})
    games = 4 * 200 + 1000 + 100  # choosing among four, against the bot, against the other policy
    assert answers.Evaluation(1000, school, 4, False, 10).seconds(0.25, 3.0) == games * 0.25
    assert answers.Evaluation(1000, school, 4, True, 10).seconds(0.25, 3.0) == 5 * 3.0 + (games + 4 * 250) * 0.25
    school.seats = 3  # no best response
    assert answers.Evaluation(1000, school, 4, True, 10).seconds(0.25, 3.0) == games * 0.25


def test_long_games_after_the_training_are_announced_before_it(monkeypatch):
    monkeypatch.setattr(answers, "CHOOSING", 5)
    school = SimpleNamespace(seats=2, judge="bot", others={"bot": None, "random": None})
    assert answers.Evaluation(20_000, school, 4, True, 10).announcement(600.0) == (
        "after the training: 16,000 games choose the best of 4 players, and it plays 20,000 against bot and 1,000 "
        "against random: about 10 min 0 s here; fewer games, with wider intervals: --fresh 2000"
    )


@pytest.mark.parametrize("objective", ["wins", "score"])
def test_the_progress_of_a_training_for_the_score_is_the_mean_score(objective, game_file, small, tmp_path, monkeypatch):
    """`lowest` against itself: one of the three cards scores at most, so the mean is between 0 and 3."""
    from bartizan.api.questions.skill import TrainQuestion
    from bartizan.reports.render.progress import so_far
    from bartizan.simcore.watch import Watch

    told = []

    class Told(Watch):
        @contextmanager
        def progress(self, name, games):
            yield told.append

    monkeypatch.setattr(learning, "LOOKS", 1000)
    options = {"learn": True, "rounds": 3, "seeds": 1, "fresh": 200, "objective": objective}
    question = TrainQuestion(str(game_file), out=tmp_path / "x.learned", **options)
    question.watch = Told()
    answers.answer_learn(question)
    last = [one for one in told if one.unit == "rounds"][-1]
    if objective == "wins":
        assert last.mean_score is None and so_far(last).startswith("win rate")
    else:
        assert 0.5 < last.mean_score < 3 and so_far(last) == f"mean score {last.mean_score:.1f} in 50 games"


def test_the_time_that_is_said_at_the_end_of_training_is_not_zero(game_file, small, tmp_path):
    from bartizan.api.questions.skill import TrainQuestion
    from bartizan.simcore.watch import Watch

    told = []

    class Told(Watch):
        @contextmanager
        def progress(self, name, games):
            yield told.append

    question = TrainQuestion(str(game_file), out=tmp_path / "x.learned", learn=True, rounds=1, seeds=1, fresh=200)
    question.watch = Told()
    answers.answer_learn(question)
    (last,) = (one for one in told if one.unit == "rounds")
    assert last.games_done == last.games_total and last.seconds_left > 0


@pytest.mark.parametrize(("games_of_a_round", "most"), [(300, 17), (3000, learning.LOOKS)])
def test_points_of_the_learning_curve_cost_at_most_a_quarter_of_the_games(games_of_a_round, most, monkeypatch):
    """After 1,600 games, every round ended with one: 400 games for each 300 in Forbidden Island."""
    monkeypatch.setattr(learning, "LOOK_GAMES", 400)
    pupil = learning.Pupil(1, {})
    for pupil.rounds in range(1, 101):
        pupil.games += games_of_a_round
        if pupil.is_due(100):
            pupil.looks.append([pupil.games, 0])
    assert most - 1 <= len(pupil.looks) <= most and pupil.looks[-1][0] == pupil.games


@pytest.mark.parametrize(("seconds", "rounds", "tried"), [(30, learning.LEAST_ROUNDS, 1), (1000, 100, 2)])
def test_no_more_rounds_are_tried_than_show_how_many_fit(seconds, rounds, tried):
    played = []
    lessons = SimpleNamespace(
        pupil=lambda number: SimpleNamespace(rounds=0), round=lambda pupil, of: played.append(pupil)
    )
    assert learning.paced(lessons, seconds, lambda: 10.0 * len(played)) == rounds
    assert len(played) == 1 + tried  # the first one compiles


def test_equal_inputs_of_a_change_cancel():
    luck = np.random.default_rng(1)

    def dense(*numbers):
        inputs, values, total = np.zeros(40, np.int32), np.zeros(40, np.int16), np.zeros(20, int)
        n = coded(code, *numbers, inputs, values, 0, 1)
        np.add.at(total, inputs[:n], values[:n])
        return total, n

    for how in (HIDDEN, LINE, ONE_OF, STEPS):
        for _ in range(200):
            least, span = int(luck.integers(-5, 5)), int(luck.integers(1, 30))
            code = (how, 2, least, span, {HIDDEN: 0, LINE: 1, ONE_OF: span + 1, STEPS: 1 + PARTS}[how])
            if how == ONE_OF and span > FEW:
                continue
            now, then = (int(luck.integers(least - 3, least + span + 4)) for _ in range(2))
            changed, n = dense(then, now)
            before, after = dense(now, ABSENT), dense(then, ABSENT)
            assert (changed == after[0] - before[0]).all()
            assert n <= max(before[1] + after[1], 1)


def test_the_effect_of_an_action_is_what_a_number_gains(monkeypatch):
    """Files trained before would read a loss as a gain."""

    def observe(states, number, tables, sight, *_):
        sight.after[:] = [5, 9]

    for name, stub in (("copy_state", lambda *_: None), ("apply", lambda *_: None), ("observe", observe)):
        monkeypatch.setattr(observing, name, stub)
    coding = SimpleNamespace(
        certain=np.array([[True, False]]), numbers=np.array([(LINE, 0, 0, 10, 1)] * 2), sizes=np.array([20, 0, 0])
    )
    sight = SimpleNamespace(
        coding=coding,
        at=SimpleNamespace(arguments=100),
        numbers=np.array([3, 2]),
        after=np.zeros(2, int),
        act_inputs=np.zeros(4, np.int32),
        act_values=np.zeros(4, np.int16),
    )
    assert observing.effect_inputs([None] * 3, None, sight, 7, 0, 0) == 1
    assert sight.act_values[0] == observing.in_range(5, 0, 10) - observing.in_range(3, 0, 10) > 0


def test_interrupted_and_resumed_is_the_same_file(trained, game_file, tmp_path, monkeypatch):
    out, again = trained[0], tmp_path / "again.learned"
    rounds, played = learning.Lessons.round, []

    def three_rounds(self, pupil, of):
        if len(played) == 4:
            raise KeyboardInterrupt
        played.append(pupil.rounds)
        rounds(self, pupil, of)

    with monkeypatch.context() as patch:
        patch.setattr(learning.Lessons, "round", three_rounds)
        assert bartizan("train", game_file, *QUICK, "-o", again).code == 130
    assert "interrupted" in error_line(bartizan("run", game_file, "--policy", f"learned@{again}"))
    assert bartizan("train", game_file, *QUICK, "-o", again, "--jobs", 2).code == 0
    assert again.read_bytes() == out.read_bytes()
    other = error_line(bartizan("train", game_file, *QUICK, "--seed", 2, "-o", again))
    assert "contains another learned policy (command, seed differ)" in other


def test_a_player_who_never_wins_is_not_called_strong():
    from bartizan.analyses.experiments.training import BeforeAfter
    from bartizan.analyses.statistics.intervals import proportion, without_limits
    from bartizan.reports.views import learned as views

    share = proportion(10, 100)
    same = BeforeAfter(games=100, before=share, after=share, difference=share)
    beside = learning.LearnedBeside(policy="bot", games=100, wins=same, value=same, verdict="unclear")
    seeds = [views.LearnedSeed(seed=seed, games=games, value=0.1, looks=[]) for seed, games in ((1, 50), (2, 0))]
    d = views.LearnDocument.model_construct(title="Game", against=[beside], seeds=seeds, chosen=1)
    assert "does not beat bot" in views.sentence(d) and "Do not use it as a strong player" in views.sentence(d)
    equal = without_limits(0.0, 9)
    nothing = same.model_copy(update={"difference": equal})
    text = views.sentence(d.model_copy(update={"against": [beside.model_copy(update={"value": nothing})]}))
    assert text.count(equal.method) == 1
    never = same.model_copy(update={"before": proportion(0, 100), "after": proportion(0, 100)})
    lost = {"against": [beside.model_copy(update={"wins": never})]}
    assert "train longer" in views.sentence(d) and "train longer" in views.sentence(d.model_copy(update=lost))
    assert "--objective score" in views.sentence(d.model_copy(update={**lost, "has_score": True}))
    mixed = d.model_copy(update={"mixed": True})  # an equilibrium gains nothing over what it mixes
    assert "Judge a mixed strategy by its exploitability" in views.sentence(mixed)
    d = d.model_copy(update={"chosen": 2})
    assert "no training run beats bot, so the saved policy plays as bot does" in views.sentence(d)


def test_a_mixed_strategy_of_a_small_game_is_a_table(game_file, small, tmp_path, monkeypatch):
    """Its probabilities are drawn by the numbers of the file; a larger game gets a network; a damaged table, one line."""
    out = tmp_path / "mixed.learned"
    words = ("--learn", "--mixed", "--rounds", 1, "--seeds", 1, "--fresh", 100, "-o", out)
    result = bartizan("train", game_file, *words, "--json")
    assert result.code == 0 and "regret" in result.json["method"], result.err
    facts = json.loads(out.read_text())
    game = load_game(str(game_file))
    table = learned.learned(game, str(out)).model.net
    assert isinstance(table, MixedTable) and len(table.keys) > 100 and (np.diff(table.ends) > 1).all()
    assert (np.maximum.reduceat(table.parts, table.ends[:-1]) == 255).all()
    assert len(rows(game_file, f"learned@{out}", f"learned@{out}")) == 60
    for name, bad in (("keys", table.keys[::-1]), ("ends", table.ends[:-1]), ("parts", table.parts.astype(np.int64))):
        changed = {**facts, "network": {**facts["network"], name: learned.packed(bad)}}
        (tmp_path / "bad.learned").write_text(json.dumps(changed))
        with pytest.raises(PolicyError, match="damaged"):
            learned.learned(game, str(tmp_path / "bad.learned"))
    school, probed = probed_of(("lowest",), game_file)
    school = replace(school, is_mixed=True)
    assert isinstance(learning.lessons_of(school, probed), learning.Balancing)
    for name in ("MOST_SETS", "ROOM"):
        with monkeypatch.context() as patch:
            patch.setattr(learning, name, 20)
            assert type(learning.lessons_of(school, probed)) is learning.Lessons


# ---------------------------------------------------------------- play


def rows(game_file, *texts, seed=5):
    game = load_game(str(game_file))
    players = tuple(find_player(game, text) for text in texts)
    return Batch(Match(game, Request(str(game_file)).loaded, players, seed)).play(range(60))


def test_the_file_plays_the_same_games_whenever_it_is_read(trained, game_file, tmp_path):
    out, copy = trained[0], tmp_path / "other name.learned"
    copy.write_bytes(out.read_bytes())
    played = rows(game_file, f"learned@{out}", "lowest")
    assert (played == rows(game_file, f"learned@{copy}", "lowest")).all()
    policy, same = (find_policy(load_game(str(game_file)), f"learned@{path}") for path in (out, copy))
    assert policy.weights == same.weights and policy.name == "learned@highest.learned"
    facts = json.loads(out.read_text())
    facts["network"]["direct"] = learned.packed(learned.unpacked(facts["network"]["direct"])[::-1])
    copy.write_text(json.dumps(facts))
    assert find_policy(load_game(str(game_file)), f"learned@{copy}").weights != policy.weights


def test_whole_numbers_choose_as_the_network_does():
    """Of actions with random inputs the one of most worth, except where two are nearly alike."""
    luck, (state, action, hidden) = np.random.default_rng(1), (12, 9, HIDDEN_UNITS)
    flat = luck.normal(0, 0.4, ends_of(state, action)[-1]).astype(np.float32)
    net = net_of(flat, state, action)
    assert isinstance(net, Net)
    room = [np.zeros(hidden, np.float32) for _ in range(3)]
    agreed = 0
    for _ in range(200):
        ends = np.arange(0, 16, 3)
        sight = Sight(
            *[np.zeros((1, 1), np.int64)] * 7,
            luck.integers(0, state, 4).astype(np.int32),
            luck.integers(-UNIT, UNIT + 1, 4).astype(np.int16),
            ends,
            luck.integers(0, action, 15).astype(np.int32),
            luck.integers(-UNIT, UNIT + 1, 15).astype(np.int16),
        )
        layer.py_func(net.first, net.first_bias, sight.state_inputs, sight.state_values, 0, 4, room[0])
        context_of.py_func(net, room[0], room[1])
        worths = np.array(
            [worth_of.py_func(net, room[0], room[1], sight, ends[a], ends[a + 1], room[2]) for a in range(5)],
            np.float32,
        )
        whole = np.zeros(5, np.int64)
        whole_worths.py_func(rounded(net), sight, 4, 5, whole)
        agreed += chances_of.py_func(worths, 5) == whole.argmax()
        exact = np.exp((whole - whole.max()) / (2**FINE * UNIT))
        whole_chances.py_func(whole, 5)
        assert np.abs(whole / whole.sum() - exact / exact.sum()).max() < 0.003
    assert agreed >= 185


def test_names_of_files_are_read():
    class Plain:
        compiled = replace(load_game(str(written("learned"))).compiled, acts={})

    assert at_one_table(Plain, "learned@a.learned+steady") == ("learned@a.learned", "steady")
    assert at_one_table(Plain, "learned@my+game.learned+learned@b.learned") == (
        "learned@my+game.learned",
        "learned@b.learned",
    )


def test_numbers_that_vary_in_training_are_inputs(small, tmp_path):
    """One policy for several goals: it sees the goal, and a caveat is left to goals outside its training."""
    pig, out = ROOT / "examples/short/solo_pig.py", tmp_path / "pig.learned"
    words = ("--learn", "--rounds", 3, "--seeds", 1, "--fresh", 100, "-o", out)
    result = bartizan("train", pig, *words, "--vary", "numbers.goal=20:40", "--vary", "numbers.turns=4,6,8")
    assert result.code == 0, result.err
    facts, game = json.loads(out.read_text()), load_game(str(pig))
    policy = learned.learned(game, str(out))
    goal, turns = (policy.layout.names.index(f"rule {name}[0]") for name in ("goal", "turns"))
    how, _, least, span, _ = policy.model.coding.numbers[[goal, turns]].T
    assert (how != HIDDEN).all() and least.tolist() == [20, 4] and (least + span <= [40, 8]).all() and (span > 3).all()
    scenario = Request(str(pig), sets={"numbers.goal": "20", "numbers.turns": "4"}).loaded
    assert (Batch(Match(game, scenario, (find_player(game, f"learned@{out}"),), 1)).play(range(20))["plies"] > 0).all()

    def caveat(**numbers):
        sets = {f"numbers.{name}": str(number) for name, number in numbers.items()}
        return learned.other_rules(facts, game, Request(str(pig), sets=sets).loaded)

    assert (caveat(goal=30, turns=6), caveat(goal=20, turns=8)) == ("", "")
    assert all("with different numbers" in caveat(**odd) for odd in ({"goal": 50, "turns": 6}, {"goal": 30}, {}))
    line = error_line(bartizan("train", pig, *words[:-1], tmp_path / "b.learned", "--vary", "numbers.gaol=1:2"))
    assert "--vary numbers.gaol=1:2" in line and 'did you mean "numbers.goal"?' in line


# ---------------------------------------------------------------- one line


def test_another_game_is_refused_with_the_component_that_differs(trained, small):
    more = written("learned_more", HIGHEST.replace('"Six": 3', '"Six": 2, "Seven": 1'), "more")
    line = error_line(bartizan("run", more, "--policy", f"learned@{trained[0]}"))
    assert "deck: Deck of 6 kinds" in line and "Deck of 7 kinds" in line and "train it again" in line


def test_other_numbers_are_played_with_a_caveat(trained, game_file):
    facts = {**json.loads(trained[0].read_text())}
    game, scenario = load_game(str(game_file)), Request(str(game_file)).loaded
    assert learned.other_rules(facts, game, scenario) == ""
    changed = Request(str(game_file), sets={"deck.six.copies": "2"}).loaded
    assert "trained with different numbers (standard for 2 players)" in learned.other_rules(facts, game, changed)
    assert "before the rules" in learned.other_rules({**facts, "rules": ""}, game, scenario)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda facts: facts.pop("network"), "was interrupted"),
        (lambda facts: facts.update(format="bartizan.learned/9"), "not a learned policy of this version"),
        (lambda facts: facts["network"]["first"].update(data="AAAA"), "damaged"),
        (lambda facts: facts["network"].pop("shifts"), "damaged"),
        (lambda facts: facts.pop("base"), "damaged"),
        (lambda facts: facts.update(base="gone"), 'the policy that it was trained from is missing: no policy "gone"'),
        (lambda facts: facts["network"].update(numbers=learned.packed(np.full((19, 5), 9))), "damaged"),
        (lambda facts: facts["network"].update(out=learned.packed(np.zeros(32))), "damaged"),
    ],
)
def test_a_damaged_file_is_refused(trained, game_file, tmp_path, change, why):
    facts = json.loads(trained[0].read_text())
    change(facts)
    path = tmp_path / "bad.learned"
    path.write_text(json.dumps(facts))
    with pytest.raises(PolicyError, match=why):
        find_policy(load_game(str(game_file)), f"learned@{path}")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("itter", "--learn", "-o", "x.learned"), "need the declarations of a short game"),
        (("GAME", "--learn", "-o", "x.toml"), "saved in a .learned file"),
        (("GAME", "--learn", "--policy", "lowest", "-o", "x.learned"), "--policy: not supported by --learn"),
        (("GAME", "--learn", "--rounds", "3", "--minutes", "1", "-o", "x.learned"), "are mutually exclusive"),
        (("GAME", "--learn", "--with", "lowes", "-o", "x.learned"), 'did you mean "lowest"?'),
        (("GAME", "--learn", "--objective", "fun", "-o", "x.learned"), "write wins or score"),
    ],
)
def test_what_cannot_be_trained_is_one_line(game_file, words, why, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = bartizan("train", *(game_file if word == "GAME" else word for word in words))
    assert result.code == 2 and why in error_line(result)


def test_a_learned_player_is_named_with_its_file(game_file):
    for text, why in (("learned", "give its file"), ("learned@none.learned", "no such file")):
        with pytest.raises(PolicyError, match=why):
            find_policy(load_game(str(game_file)), text)
    with pytest.raises(UsageError, match="full form"):
        layouts.layout_of(load_game("itter"))


def test_a_pupil_resumes_where_the_one_of_its_seed_was():
    def resumed(seed):
        pupil = SimpleNamespace(seed=seed, arrays={"weights": np.zeros(2)}, rounds=0)
        pupil.facts = lambda: {"rounds": pupil.rounds}
        saved = [{"seed": n, "rounds": 10 * n, "weights": learned.packed(np.full(2, n))} for n in (1, 2)]
        found = answers.LearnRun._resumed(pupil, {"pupils": saved})
        return found.rounds, found.arrays["weights"].tolist()

    assert (resumed(1), resumed(2), resumed(3)) == ((10, [1, 1]), (20, [2, 2]), (0, [0, 0]))
