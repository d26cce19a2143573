"""Look-ahead: stronger than its base, the same game on any number of threads, blind to what its seat cannot know."""

import subprocess
import sys
from itertools import islice

import numpy as np
import pytest

from bartizan.policies import trial, value_model
from bartizan.policies.lookahead import BY_TRIAL, NEVER, SETTINGS
from bartizan.policies.registry import find_player, find_policy, line_ups
from bartizan.simcore import conformance, rng
from bartizan.simcore.arrays import as_records
from bartizan.simcore.compile.rules import PLAYING
from bartizan.simcore.errors import PolicyError
from bartizan.simcore.game import load_game
from bartizan.simcore.play.batch import Batch, play_games
from bartizan.simcore.play.luck_adjusted import Pilot
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.replay import replay
from bartizan.simcore.scenario.loading import load_scenario
from bartizan.simcore.watch import Watch
from tests.cli.run_cli import PIG, ROOT, RUIN

HARVEST = str(ROOT / "tests/games/harvest.py")
GUESS = str(ROOT / "tests/games/guess/guess.py")
LOOKS = "lookahead:base=hold,at=8,plays=256,doubt=2.5,turns=0"


def match(name: str, *texts: str, seed: int = 5, sets=None) -> Match:
    it = load_game(name)
    scenario = load_scenario(it, sets=sets)
    (seats,) = line_ups(it, list(texts), together=True)
    return Match(it, scenario, tuple(find_player(it, text) for text in it.seated(scenario, seats)), seed)


def share(name: str, *texts: str, games: int, sets=None) -> float:
    """Of games that the first seat wins."""
    return float((Batch(match(name, *texts, sets=sets)).play(range(games))["winner"] == 0).mean())


# ---------------------------------------------------------------- strength


def test_it_beats_its_base_where_the_base_is_timid():
    """Pig to 40: holding at 4 wins too little; trying both finds that out. 200 games on common luck."""
    timid, looks = "hold:at=4", "lookahead:base=hold,at=4,plays=512,doubt=2.5,turns=0"
    base, looks = (
        Batch(match(PIG, text, "hold", sets={"goal.points": 40})).play(range(200))["winner"] == 0
        for text in (timid, looks)
    )
    gain = looks.astype(float) - base
    assert gain.mean() > 3 * gain.std() / np.sqrt(len(gain)) > 0


def test_with_endless_doubt_it_is_its_base():
    sure = "lookahead:base=hold,plays=8,screen=2,doubt=1e9,turns=0"
    ours, bases = (Batch(match(PIG, text, "hold")).play(range(20)) for text in (sure, "hold"))
    assert (ours == bases).all()


def test_where_its_base_is_trusted_it_does_not_look():
    """`hold` at 8 rolls below 8 points, which nothing beats, and holds too soon: only that is left."""
    rows = {
        trusted: Batch(match(PIG, f"{LOOKS}{trusted}", "hold")).play(range(20))
        for trusted in ("", ",trust=roll+hold", ",trust=roll", ",trust=hold")
    }
    base = Batch(match(PIG, "hold:at=8", "hold")).play(range(20))
    assert (rows[",trust=roll+hold"] == base).all() and (rows[",trust=hold"] == base).all()
    assert (rows[",trust=roll"] == rows[""]).all() and (rows[""] != base).any()
    name = find_policy(load_game(PIG), "lookahead:base=hold,plays=16,trust=hold").name
    assert name == "lookahead:base=hold,plays=16,trust=hold"


def test_settings_come_before_weights_of_the_base():
    it = load_game(PIG)
    policy = find_policy(it, "lookahead:base=hold,plays=32,at=8")
    assert list(policy.weights) == [*SETTINGS, "at"] and policy.weights["plays"] == 32 and policy.weights["at"] == 8
    assert policy.name == "lookahead:base=hold,at=8,plays=32"
    with pytest.raises(PolicyError, match=r'no weight "att"; did you mean "at"'):
        find_policy(it, "lookahead:base=hold,att=8")
    with pytest.raises(PolicyError, match="plays=1: write a number from 2 to"):
        find_policy(it, "lookahead:base=hold,plays=1")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("lookahead:base=lookahead,plays=64", "its base must be a policy without modifiers"),
        ("lookahead:base=hold:noise=0.1", "its base must be a policy without modifiers"),
        ("lookahead:base=hold,noise=0.1", "its base must be a policy without modifiers"),
        ("lookahead:base=hold,base=random", "a setting is given twice"),
        ("lookahead:base=hold,plays=1e300", "plays=1e\\+300: write a number from 2 to 1,000,000"),
        ("lookahead:base=nobody", 'no policy "nobody"'),
        ("lookahead:base=hold,trust=hodl", 'trust=hodl: pig has no kind of action "hodl"; did you mean "hold"'),
    ],
)
def test_what_makes_no_sense_is_refused(text, said):
    with pytest.raises(PolicyError, match=said):
        find_policy(load_game(PIG), text)


def test_a_base_of_a_file_is_named_as_elsewhere_and_its_weights_are_no_settings(tmp_path):
    path = tmp_path / "mine.py"
    policy = "def choose(state, tables, legal, n_legal, weights):\n    return legal[0]\n"
    path.write_text(
        f'from bartizan import Policy\n{policy}A = Policy("a", choose, weights={{"x": 1.0}})\n'
        'B = Policy("b", choose, weights={"width": 1.0})\n'
    )
    assert find_policy(load_game(PIG), f"lookahead:base={path}:a,plays=8,x=2").weights["x"] == 2
    with pytest.raises(PolicyError, match="its base b has a weight width, which is also a setting"):
        find_policy(load_game(PIG), f"lookahead:base={path}:b")


def test_the_compiled_function_has_the_same_name_in_every_process():
    """numba keeps what it compiled by name: another name would compile it anew each time."""
    name = (
        "from bartizan.simcore.compile.cache import configure; configure(); "
        "from bartizan.policies.registry import find_player; from bartizan.simcore.game import load_game; "
        "print(find_player(load_game(PIG), 'lookahead:base=hold').function.py_func.__qualname__)"
    )
    command = [sys.executable, "-c", name.replace("PIG", repr(PIG))]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    here = find_player(load_game(PIG), "lookahead:base=hold").function.py_func.__qualname__
    assert said.strip() == here


# ---------------------------------------------------------------- the same games, the same rules


def test_any_number_of_threads_plays_the_same_games():
    looks = LOOKS.replace("plays=256", "plays=16")
    one, two = (np.concatenate(list(play_games(match(PIG, looks, "hold"), range(130), jobs))) for jobs in (1, 2))
    assert (one == two).all()


def test_it_keeps_what_is_asked_of_a_policy():
    """As `bartizan check` looks at it: legal, twice the same choice, nothing changed."""
    player = find_player(load_game(PIG), "lookahead:base=hold,plays=4,screen=2")
    for number in range(2):
        assert conformance.walk(match(PIG, "random", "random"), number, [player]) == {0, 1}


# ---------------------------------------------------------------- a few turns ahead, then judged


AHEAD = "lookahead:base=hold,at=8,plays=256,turns=2,doubt=2.5"


def test_judging_after_two_turns_beats_a_timid_base():
    """Pig: the linear guess knows enough of the scores. 400 games on common luck."""
    base = Batch(match(PIG, "hold:at=8", "hold")).play(range(400))["winner"] == 0
    ahead = Batch(match(PIG, AHEAD, "hold")).play(range(400))["winner"] == 0
    gain = ahead.astype(float) - base
    assert gain.mean() > 3 * gain.std() / np.sqrt(len(gain)) > 0


def test_what_it_learns_depends_on_the_scenario_alone():
    first, other, target = (
        match(PIG, AHEAD, "hold", seed=seed, sets=sets)
        for seed, sets in ((1, None), (2, None), (1, {"goal.points": 60}))
    )
    assert (first.learnt[0] == other.learnt[0]).all() and len(first.learnt[1]) == 0
    assert (first.learnt[0] != target.learnt[0]).any()
    few = AHEAD.replace("plays=256", "plays=16")
    one, two = (np.concatenate(list(play_games(match(PIG, few, "hold"), range(130), jobs))) for jobs in (1, 2))
    assert (one == two).all()


def test_to_the_end_nothing_is_learnt_but_that():
    assert [learnt.tolist() for learnt in match(PIG, LOOKS, "hold").learnt] == [[0.0], []]


def test_a_game_that_shows_no_numbers_is_looked_at_to_its_end():
    assert find_policy(load_game(GUESS), "lookahead:base=random").weights["turns"] == 0
    assert find_policy(load_game(PIG), "lookahead:base=hold").weights["turns"] == BY_TRIAL
    assert find_policy(load_game("castle"), "lookahead").weights["turns"] == SETTINGS["turns"]  # measured
    with pytest.raises(PolicyError, match=r"has no features of a state .*turns=0"):
        Batch(match(GUESS, "lookahead:base=random,turns=1"))


def test_pilot_games_without_a_decision_are_one_line(monkeypatch):
    nothing = Pilot(np.zeros((0, 3), np.float32), np.zeros(0, np.int64), np.zeros(0, np.int8))
    monkeypatch.setattr(value_model, "play_pilot_games", lambda match, games: nothing)
    game = load_game(PIG)
    with pytest.raises(PolicyError, match="too few of 12,000 pilot games have a decision"):
        value_model.fit(game, load_scenario(game), (find_player(game, "hold"),) * 2, 0)


# ---------------------------------------------------------------- tried beside its base


class Listener(Watch):
    def __init__(self):
        self.notes = []

    def note(self, line):
        self.notes.append(line)


@pytest.fixture
def listener():
    token = trial.watch.set(listener := Listener())
    yield listener
    trial.watch.reset(token)


def test_where_its_guess_misleads_it_looks_to_the_end(listener):
    """Sowing pays after the six turns that it would look ahead, and its base always sows alike, so that the
    games which the guess is fitted to tell nothing of fields.
    """
    looks = "lookahead:base=farmer,plays=16"
    base, misled, chosen = (
        (Batch(match(HARVEST, text)).play(range(100))["winner"] == 0).mean()
        for text in ("farmer", f"{looks},turns=6", looks)
    )
    assert misled < base - 0.2 and chosen >= base
    assert match(HARVEST, looks).learnt[0][0] == 0
    (line,) = [line for line in listener.notes if line.startswith("lookahead")]
    assert "so it looks to the end of the game" in line and "The error of its estimate" in line


def test_where_all_looking_misleads_it_plays_as_its_base(listener, monkeypatch):
    """A choice that is worse than the base's beyond doubt is never made."""
    monkeypatch.setattr(trial.TrialGames, "is_clearly_below", lambda self, other: True)
    looks = "lookahead:base=farmer,plays=16,screen=2"
    rows = [Batch(match(HARVEST, text)).play(range(20)) for text in ("farmer", looks)]
    assert (rows[0] == rows[1]).all() and match(HARVEST, looks).learnt[0].tolist() == [NEVER]
    assert "so it plays as farmer does" in listener.notes[0]


def test_a_trial_is_one_choice_for_any_number_of_plays(listener):
    for plays in (8, 32):
        Batch(match(HARVEST, f"lookahead:base=farmer,plays={plays},width=3"))
    assert len(listener.notes) == 1


# ---------------------------------------------------------------- no leak


def test_it_does_not_see_the_card_on_top():
    """Guess which of four cards lies on top: who looks wins always, everybody else one game in four."""
    looked = share(GUESS, "lookahead:base=random,plays=64,screen=16,doubt=0", games=2000)
    assert abs(looked - 0.25) < 4 * np.sqrt(0.25 * 0.75 / 2000)


def test_only_who_peeks_does():
    """Nobody can play so; it is named as what it is."""
    peeks = "lookahead:base=random,plays=64,screen=16,doubt=0,peek=1"
    assert share(GUESS, peeks, games=200) == 1.0
    assert "no player can" in find_policy(load_game(GUESS), peeks).about


@pytest.mark.slow
def test_what_the_defender_cannot_know_moves_no_decision_of_his():
    """Castle Itter with a second player: piles, hand and plan dealt anew, he decides differently no more often
    than under other luck of his own.
    """
    it = load_game("itter")
    (seats,) = line_ups(it, ["defender=lookahead:base=garrison,plays=8,screen=2,width=2,doubt=0.5"])
    scenario = load_scenario(it, "competitive")
    playing = Match(it, scenario, tuple(find_player(it, text) for text in it.seated(scenario, seats)), 11)
    choose = playing.functions()[0]
    tables = playing.tables()
    weights = playing.workspace()["weights"][0, 0]
    legal = np.zeros(it.compiled.max_legal, np.int32)

    def decides(state, other_cards: bool, luck: int) -> int:
        """The decision at a state, with other cards where he cannot see them, under luck of his own."""
        them = np.zeros(1, it.compiled.state_dtype)
        them[0] = state
        one = as_records(them)[0]
        if other_cards:
            rng.fresh_luck(one, 1000 + luck)
            it.compiled.determinize(one, tables, 0)
        one.luck[rng.POLICY] = luck
        n = it.compiled.legal_actions(one, tables, legal)
        return choose(one, tables, legal.copy(), n, weights)

    asked = (ply.state for ply in replay(playing, 3) if ply.state.to_move == 0 and ply.state.end_reason == PLAYING)
    moments = [state.copy() for state in islice(asked, 60)][5::6]
    changed = [
        sum(
            decides(state, other, luck) != decides(state, False, 77 + luck)
            for state in moments
            for luck in range(1, 13)
        )
        for other in (False, True)
    ]
    n = 12 * len(moments)
    assert abs(changed[0] - changed[1]) < 4 * np.sqrt(2 * n * 0.25), changed


def test_a_game_that_does_not_say_what_is_hidden_is_refused():
    with pytest.raises(PolicyError, match="does not define hidden information"):
        find_player(load_game(RUIN), "lookahead:base=random")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("castle", ["lookahead:base=steward,plays=64,screen=4", "steward"]),
        ("rampage", ["lookahead:base=tactician,plays=64,screen=4", "tactician"]),
        ("colditz", ["allied=lookahead:base=escape_officer,plays=16,screen=2,width=2", "german=security_officer"]),
        ("colditz", ["allied=escape_officer", "german=lookahead:base=security_officer,plays=16,screen=2,width=2"]),
    ],
)
def test_it_plays_every_game_of_the_house_by_the_rules(name, texts):
    """An illegal action would raise; it does not always act as its base does.

    In the first rounds of Escape from Colditz nobody escapes, so that no action is better than another.
    """
    plain = [text.replace("lookahead:base=", "").split(",")[0] for text in texts]
    sets, games = ({"limit.rounds": 15}, 2) if name == "colditz" else (None, 6)
    looks, base = (Batch(match(name, *line_up, sets=sets)).play(range(games)) for line_up in (texts, plain))
    assert (looks != base).any()
