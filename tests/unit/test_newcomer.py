"""The newcomer: better the more it imagines, the same game on any number of threads, blind to what its seat cannot know; and what makes no sense is refused."""

import re
from contextvars import ContextVar
from dataclasses import replace
from itertools import islice
from types import SimpleNamespace
from unittest.mock import Mock

import numpy as np
import pytest

from bartizan.policies import newcomer as model
from bartizan.policies import trial
from bartizan.policies.newcomer import SETTINGS, WHOLE, drawn, newcomer, note_idle
from bartizan.policies.registry import find_player, find_policy, policies_of
from bartizan.policies.weights_file import shipped
from bartizan.simcore import rng
from bartizan.simcore.arrays import as_records
from bartizan.simcore.compile.loops import new_states
from bartizan.simcore.compile.rules import PLAYING
from bartizan.simcore.errors import PolicyError
from bartizan.simcore.game import game_names, load_game
from bartizan.simcore.play.batch import Batch, play_games
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.replay import replay
from bartizan.simcore.scenario.loading import load_scenario
from tests.cli.run_cli import PIG, ROOT, RUIN

HARVEST = str(ROOT / "tests/games/harvest.py")
GUESS = str(ROOT / "tests/games/guess/guess.py")
HERE = "newcomer:samples=2,horizon=2"


def match(name: str, *texts: str, seed: int = 5, scenario: str | None = None, sets=None) -> Match:
    game = load_game(name)
    return Match(game, load_scenario(game, scenario, sets=sets), tuple(find_player(game, text) for text in texts), seed)


def share(*texts: str, games: int, name: str = PIG) -> float:
    """Of games that the first seat wins."""
    return float((Batch(match(name, *texts)).play(range(games))["winner"] == 0).mean())


# ---------------------------------------------------------------- who has one


@pytest.mark.parametrize("name", game_names())
def test_every_game_of_the_house_has_one_with_a_goal_of_its_own(name):
    known = policies_of(load_game(name))
    assert list(known)[:2] == ["random", "newcomer"] and known["newcomer"].goal is not None
    own = known["newcomer"].weights
    assert SETTINGS.items() < own.items() and "not yet calibrated" in known["newcomer"].about
    assert [*own][: len(SETTINGS)] == [*SETTINGS], "the goal's own stand behind them"


def test_a_game_from_outside_has_one_that_plays_to_the_end():
    own = policies_of(load_game(PIG))["newcomer"]
    assert own.goal is None and own.weights["horizon"] == 20_000


def test_a_game_that_does_not_say_what_is_hidden_has_none():
    assert "newcomer" not in policies_of(load_game(RUIN))
    with pytest.raises(PolicyError, match="does not define hidden information"):
        find_player(load_game(RUIN), "newcomer")


# ---------------------------------------------------------------- how it is named


def test_its_numbers_are_named_as_weights():
    game = load_game(PIG)
    assert find_policy(game, "newcomer:samples=8,temperature=0.2").weights == {
        **SETTINGS,
        "samples": 8,
        "horizon": 20_000,
        "temperature": 0.2,
    }
    with pytest.raises(PolicyError, match=r'no weight "sample"; did you mean "samples"'):
        find_policy(game, "newcomer:sample=8")


@pytest.mark.parametrize(
    "said",
    [
        "samples=0: write a number from 1 to",
        "horizon=-1: write a number from 0 to",
        "temperature=0: write a number from 0.001 to",
        "win=-1: write a number from 0 to",
    ],
)
def test_numbers_that_make_no_sense_are_refused(said):
    with pytest.raises(PolicyError, match=said):
        find_policy(load_game(PIG), f"newcomer:{said.partition(':')[0]}")


def policy_of(path, counted: str, takes: str = "", named: str = "") -> str:
    """A file whose newcomer has a goal; takes: another argument of the goal; named: arguments behind it."""
    goal = f"def goal(state, tables, seat{takes}):\n    return {counted}\n"
    path.write_text(f"from bartizan import newcomer\n\n\n{goal}\n\nCOUNTS = newcomer(goal{named})\n")
    return str(path)


BANKED = "float(state.banked[seat] - state.banked[1 - seat])"


@pytest.fixture
def counts(kept_folder):
    """Another goal, the points banked; several tests play what is compiled of it once."""
    return policy_of(kept_folder / "counts.py", BANKED, named=", 'points'")


def test_a_goal_of_ones_own(counts, tmp_path):
    """Who counts the points banked holds at four or so."""
    assert find_policy(load_game(PIG), f"{counts}:newcomer:horizon=4").weights["horizon"] == 4
    assert share(counts, "random", games=400) > 0.6
    with pytest.raises(PolicyError, match="`goal` does not compile"):
        find_player(load_game(PIG), policy_of(tmp_path / "wrong.py", "state.bank[seat]"))


def test_what_a_goal_counts_are_weights_where_it_takes_them(counts, kept_path):
    """At weight 1 the games of the goal without weights; at 0 it counts nothing and plays as random does."""
    weighed = policy_of(kept_path / "weighed.py", f"weights[0] * {BANKED}", ", weights", ", point=1.0")
    game, how = load_game(PIG), "horizon=4,win=0,temperature=2"
    assert find_policy(game, f"{weighed}:newcomer:point=3").weights["point"] == 3
    with pytest.raises(PolicyError, match='no weight "points"; did you mean "point"'):
        find_policy(game, f"{weighed}:newcomer:points=3")
    played = {
        text: Batch(match(PIG, text, "hold")).play(range(40)).copy()
        for text in (f"{counts}:newcomer:{how}", f"{weighed}:newcomer:{how}", f"{weighed}:newcomer:{how},point=0")
    }
    same, weighs, counts_nothing = played.values()
    assert (same == weighs).all() and not (same == counts_nothing).all()


@pytest.mark.parametrize("name", game_names())
def test_the_goals_that_come_with_a_game_are_models_too(name):
    """Each changes something that its newcomer has, and says that it is assumed or what it was fitted to."""
    game = load_game(name)
    plain = find_policy(game, "newcomer")
    for named, file in shipped(plain).items():
        assert find_policy(game, f"newcomer@{named}").weights != plain.weights
        assert "assumed" in (text := file.read_text(encoding="utf-8")) or "Fitted" in text


def test_modifiers_work_for_it():
    """With noise 1 it plays as random with noise 1 does; handed over to from the first turn on, another policy is it."""
    game = load_game(PIG)
    noisy, random = (Batch(match(PIG, f"{name}:noise=1", "hold")).play(range(50)) for name in ("newcomer", "random"))
    assert (noisy == random).all()
    late, itself = (Batch(match(PIG, text, "hold")).play(range(50)) for text in ("hold:newcomer-after=0", "newcomer"))
    assert (late == itself).all()
    assert find_policy(game, "newcomer:omit=roll").lacks(find_policy(game, "newcomer")) == ("roll",)


# ---------------------------------------------------------------- how it chooses


def test_an_action_is_drawn_by_softmax():
    """Worth 0, 1 and 2 at a temperature of 1: chances in the proportion 1 : e : e squared."""
    states = new_states(load_game(PIG).compiled)
    state, counts, draws = as_records(states)[0], np.zeros(3), 20_000
    worth = np.array([0.0, 1.0, 2.0])
    for k in range(draws):
        state.luck[rng.POLICY] = rng.mix(np.uint64(k))
        counts[drawn(state, worth, 3, 1.0)] += 1
    expected = np.exp(worth) / np.exp(worth).sum()
    assert (abs(counts / draws - expected) < 4 * np.sqrt(expected * (1 - expected) / draws)).all()
    assert WHOLE == 1 << 31


@pytest.mark.parametrize("samples", [1, 4])
def test_a_temperature_is_that_of_one_future(samples, monkeypatch):
    """Every future is worth 2, at a temperature of 0.1."""
    monkeypatch.setattr(model, "begin_future", lambda *_: None)
    monkeypatch.setattr(model, "looks", lambda *_: 2.0)
    monkeypatch.setattr(model, "drawn", lambda state, worth, n, heat: [one / heat for one in worth].index(20.0))
    weights, work = [*(SETTINGS | {"samples": samples}).values()], SimpleNamespace(total=[0.0, 0.0])
    assert model.imagined(SimpleNamespace(to_move=0), None, (7, 8), 2, weights, (None,), (work,)) == 7


@pytest.mark.rotating
def test_it_plays_better_the_more_it_imagines():
    few, many = (share(f"newcomer:samples={n}", "random", games=600) for n in (1, 32))
    assert many - few > 4 * np.sqrt(0.5 / 600)


def test_it_does_not_see_the_card_on_top():
    """Guess which of four cards lies on top: who looks wins always, everybody else one game in four."""
    looked = share("newcomer:samples=32,temperature=0.01", name=GUESS, games=2000)
    assert abs(looked - 0.25) < 4 * np.sqrt(0.25 * 0.75 / 2000)


def test_a_slip_is_an_action_at_random_and_none_leaves_every_game_as_it_was():
    """Who always slips plays as random does; who never slips draws no luck for it."""
    slips, random = (share(f"{text}", "hold", games=4000) for text in ("newcomer:slip=1", "random"))
    assert abs(slips - random) < 4 * np.sqrt(2 * max(random, 0.002) / 4000)
    plain, never = (Batch(match(PIG, text, "hold")).play(range(50)) for text in ("newcomer", "newcomer:slip=0"))
    assert (plain == never).all()


def test_a_relative_temperature_knows_no_units(counts, kept_path):
    """A goal in other units: the same games, where the temperature is relative; others, where it is in steps."""
    played = {}
    for unit, path in ((1, counts), (64, policy_of(kept_path / "goal64.py", f"64.0 * {BANKED}", named=", 'points'"))):
        for relative in (0, 1):
            text = f"{path}:newcomer:horizon=4,win=0,temperature=2,relative={relative}"
            played[unit, relative] = Batch(match(PIG, text, "hold")).play(range(40))
    assert (played[1, 1] == played[64, 1]).all() and not (played[1, 0] == played[64, 0]).all()


@pytest.mark.parametrize("name", [*game_names(), PIG])
def test_the_numbers_fitted_to_people_come_with_every_newcomer(name):
    policy = find_policy(load_game(name), "newcomer@people")
    assert policy.name == "newcomer@people" and policy.weights["relative"] == 1
    own = find_policy(load_game(name), "newcomer").weights
    assert {key for key in own if own[key] != policy.weights[key]} == {"relative", "temperature", "slip"}


# ---------------------------------------------------------------- nobody is measured

PERSON = re.compile(r"\b(real|actual|measured|human|typical) (newcomer|beginner|first-time player)s?\b", re.IGNORECASE)


def test_no_page_calls_the_model_a_measured_person():
    """In any sentence or template of a page; and what the policy says of itself names the model."""
    assert PERSON.search("a measured newcomer wins 3 %") and not PERSON.search("a newcomer wins 3 %")
    pages = [
        path
        for room in ("reports", "workbench", "api", "policies")
        for path in (ROOT / room).rglob("*")
        if path.suffix in (".py", ".html", ".toml", ".js", ".typ")
    ]
    assert len(pages) > 100
    assert [str(path) for path in pages if PERSON.search(path.read_text(encoding="utf-8"))] == []
    assert "a model" in newcomer().about and "not yet calibrated by plays of this game" in newcomer().about


# ---------------------------------------------------------------- the same games, the same rules


def test_any_number_of_threads_plays_the_same_games():
    one, two = (np.concatenate(list(play_games(match(PIG, "newcomer", "hold"), range(130), jobs))) for jobs in (1, 2))
    assert (one == two).all()


CELLS = {
    "itter": ("itter", (HERE,)),
    "itter competitive": ("itter", (HERE, HERE), "competitive"),
    "castle": ("castle", (HERE, HERE)),
    "rampage": ("rampage", (HERE, HERE)),
    "colditz": ("colditz", ("newcomer:samples=1,horizon=1",) * 2, None, {"limit.rounds": 2}),
}


SHORTER = {"castle": {"limit.turns": 8}}


def cell(name: str, shorter=None) -> Match:
    game, texts, scenario, sets = (*CELLS[name], None, None)[:4]
    return match(game, *texts, scenario=scenario, sets=sets or shorter)


@pytest.mark.parametrize("name", CELLS)
def test_its_game_is_the_same_alone_and_on_two_threads(name):
    """An illegal action would stop it."""
    playing = cell(name, SHORTER.get(name))
    one, two = (np.concatenate([rows.copy() for rows in play_games(playing, range(66), jobs)]) for jobs in (1, 2))
    assert (one == two).all()
    assert (Batch(playing).play(range(65, 66))[0] == one[65]).all()


# ---------------------------------------------------------------- no leak

LUCKS = 40  # of its own, at each moment


@pytest.mark.parametrize("name", CELLS)
def test_what_a_seat_cannot_know_moves_no_decision(name):
    """Hidden cards dealt anew and all coming luck changed, its decisions have the same distribution: over many draws of its own luck they differ no more than two sets of draws at the state as it is."""
    playing = cell(name)
    engine = playing.game.compiled
    tables = playing.tables()
    legal = np.zeros(playing.game.compiled.max_legal, np.int32)

    def decided(state, first: int, hidden: bool) -> np.ndarray:
        """How often each legal action is chosen, of LUCKS times; `hidden`: each time under other hidden cards."""
        them = np.zeros(1, engine.state_dtype)
        counts = {}
        for k in range(first, first + LUCKS):
            them[0] = state
            one = as_records(them)[0]
            if hidden:
                rng.fresh_luck(one, 1000 + k)
                engine.determinize(one, tables, np.int32(one.to_move))
            one.luck[rng.POLICY] = rng.mix(np.uint64(k))
            n = engine.legal_actions(one, tables, legal)
            seat = int(one.to_move)
            chosen = int(
                playing.functions()[seat](one, tables, legal.copy(), n, playing.workspace()["weights"][0, seat])
            )
            counts[chosen] = counts.get(chosen, 0) + 1
        return counts

    states = (ply.state for ply in replay(playing, 3) if ply.state.end_reason == PLAYING)
    moments = [state.copy() for state in islice(states, 60)][3::16]
    distances = []
    for hidden in (False, True):
        apart = 0
        for state in moments:
            plain, other = decided(state, 0, False), decided(state, LUCKS, hidden)
            apart += sum(abs(plain.get(action, 0) - other.get(action, 0)) for action in {*plain, *other}) / 2
        distances.append(apart)
    n = LUCKS * len(moments)
    assert distances[1] - distances[0] < 4 * np.sqrt(n / 2), distances


def test_the_newcomer_function_leaves_a_goal_to_its_author():
    assert newcomer().goal is None and "who wins" in newcomer().about


# ---------------------------------------------------------------- somebody who never begins


@pytest.fixture
def untold(monkeypatch):
    """It is told once a process, and to whoever watched the last question of a test before."""
    monkeypatch.setattr("bartizan.policies.newcomer._tried", set())
    monkeypatch.setattr(trial, "watch", ContextVar("watch", default=None))


def test_a_newcomer_who_never_begins_is_told_of(untold):
    """Harvest: a field costs points for more turns than a newcomer looks ahead."""
    with pytest.warns(UserWarning, match="every one of its games ends with score 60: .*newcomer:horizon=20"):
        rows = Batch(match(HARVEST, "newcomer")).play(range(10))
    assert (rows["score"] == 60).all() and (rows["times_sow"] == 0).all()


def test_a_newcomer_whose_goal_was_edited_is_tried_again(untold, monkeypatch):
    monkeypatch.setattr("bartizan.policies.newcomer.as_player", Mock(side_effect=ZeroDivisionError))
    game = load_game(str(HARVEST))
    policy, scenario = find_policy(game, "newcomer"), load_scenario(game)
    for one in (policy, replace(policy, goal=lambda state, tables, seat: 0.0)):
        with pytest.raises(ZeroDivisionError):
            note_idle(one, game, scenario, 0)
        note_idle(one, game, scenario, 0)  # tried before


def test_one_who_looks_far_enough_is_not_told_of(untold, recwarn):
    Batch(match(HARVEST, "newcomer:horizon=20"))
    assert not [warning for warning in recwarn if "newcomer" in str(warning.message)]
