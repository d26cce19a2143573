"""Names and words of options ignore case where this is unambiguous."""

import re

import pytest

from bartizan.analyses.experiments import tuning
from bartizan.api.questions.skill import TrainQuestion
from bartizan.api.questions.sweep import RunQuestion
from bartizan.policies import registry
from bartizan.policies.request import Request
from bartizan.simcore.errors import PolicyError, ScenarioError, UsageError, as_spelled
from bartizan.simcore.game import load_game
from bartizan.simcore.scenario.loading import load_scenario

WORDS = '''"""Words: cards with a column of words."""

from bartizan.short import *

players = 2
deck = Deck("words.csv")
hand, points = Hand(deck), Tokens()
water = Number({"novice": 1, "Elite": 3}, 0, 9)
tied = Ruling("Who wins a tie?", ("no_one", "last"), "inferred: p. 4")


def play(s, n, card: hand):
    s.points[s.me] += n.type[card] == BIRD and n.tied == NO_ONE
    next_player(s)


def bold(s, n, legal):
    """Plays the first card."""
    return legal[0]


def Bold(s, n, legal):
    """Plays the first card, too."""
    return legal[0]


def shy(s, n, legal):
    """Plays the last card."""
    return legal[len(legal) - 1]
'''


MINE = """from bartizan import Policy


def choose(observation, legal, n, weights, memory):
    return legal[0]


POLICY = Policy("mine", choose, "the first action", weights={"at": 20.0})
"""


@pytest.fixture
def words(tmp_path):
    (tmp_path / "words.csv").write_text("name,copies,type\nGull,4,bird\nHerring,5,fish\n", encoding="utf-8")
    (tmp_path / "words.py").write_text(WORDS, encoding="utf-8")
    return load_game(str(tmp_path / "words.py"))


def test_a_word_is_spelled_as_the_only_known_one():
    assert as_spelled("ELITE", ["novice", "Elite"]) == "Elite" and as_spelled(" elite", ["Elite"]) == "Elite"
    assert as_spelled("elite", ["Elite", "ELITE"]) == "elite"  # ambiguous
    assert as_spelled("Elite", ["Elite", "elite"]) == "Elite" and as_spelled("hard", ["Elite"]) == "hard"


def test_words_readings_and_levels_of_values_ignore_case(words):
    sets = {"Deck.Gull.type": "FISH", "rulings.tied": "Last"}
    scenario = load_scenario(words, "Standard", "elite", sets)
    plain = load_scenario(words, None, "Elite", {"deck.gull.type": "fish", "rulings.tied": "last"})
    assert scenario.hash == plain.hash and scenario.overrides == plain.overrides
    assert scenario.difficulty == "Elite" and scenario.path == plain.path
    for path, value in (("deck.gull.type", "whale"), ("rulings.tied", "first"), ("difficulty", "hard")):
        with pytest.raises(ScenarioError, match=value):
            load_scenario(words, None, None, {path: value})


def test_a_reading_in_another_case_has_its_patches():
    itter = load_game("Itter")
    patched = next(
        (key, reading)
        for key, ruling in load_scenario(itter).data["ruling"].items()
        for reading in ruling.get("patch", {})
    )
    key, reading = patched
    scenarios = [load_scenario(itter, None, None, {f"rulings.{key}": one}) for one in (reading, reading.upper())]
    assert scenarios[0].hash == scenarios[1].hash


@pytest.mark.parametrize(
    ("typed", "spelled"),
    [
        ("Garrison", "garrison"),
        ("DEFENDER=Garrison@Elite.toml:token_reserve=8", "defender=garrison@Elite.toml:token_reserve=8"),
        ("Lookahead:base=GARRISON,plays=8", "lookahead:base=garrison,plays=8"),
        ("Mine.py:Garrison", "Mine.py:Garrison"),
        ("garrison:Alert=2,NOISE=0.1", "garrison:alert=2,noise=0.1"),
        ("lookahead:Base=garrison,PLAYS=8,ALERT=2", "lookahead:base=garrison,plays=8,alert=2"),
        ("greedy:Garrison-After=3", "greedy:garrison-after=3"),
        ("nobody", "nobody"),
    ],
)
def test_policies_and_roles_ignore_case(typed, spelled):
    assert registry.spelled(load_game("itter"), typed) == spelled


def test_a_policy_that_differs_from_another_in_case_only_is_itself(words):
    assert [registry.find_policy(words, name).name for name in ("bold", "Bold", "SHY")] == ["bold", "Bold", "shy"]
    with pytest.raises(PolicyError, match='no policy "BOLD"'):
        registry.find_policy(words, "BOLD")
    line_up = Request(str(words.home), policy=("First=SHY", "second=Bold")).line_up("run")
    assert line_up == ("shy", "Bold") and registry.find_player(words, "SHY").named == "shy"


def test_a_question_names_level_and_scenario_as_the_game_does(words):
    question = RunQuestion(str(words.home), difficulty=["ELITE", "Novice"], scenario="STANDARD")
    question.spell_names()
    assert question.difficulty == ["Elite", "novice"] and question.scenario == "standard"
    question = RunQuestion("Itter", difficulty=["hard"])
    question.typed = "bartizan run Itter --difficulty hard -o DIR"
    question.spell_names()
    assert question.difficulty == ["hard"]  # the answer rejects it
    assert question.command_line() == "bartizan run itter --difficulty hard -o DIR" and question.name == "itter"


def test_roles_objectives_and_weights_ignore_case(tmp_path):
    question = TrainQuestion("Colditz", out="a.toml", objective="Score", role="Allied")
    question.spell_names()
    assert (question.name, question.objective, question.role) == ("colditz", "score", "allied")
    itter = load_game("itter")
    policy = registry.find_policy(itter, "garrison:ALERT=2")
    assert policy.name == registry.find_policy(itter, "garrison:alert=2").name
    mine = tmp_path / "mine.py"
    mine.write_text(MINE, encoding="utf-8")
    assert registry.find_policy(itter, f"{mine}:AT=3,Noise=0.5").name == "mine:at=3:noise=0.5"
    with pytest.raises(PolicyError, match='no weight "reserve"'):
        registry.find_policy(itter, "garrison:reserve=8")


def test_targets_ignore_case():
    assert tuning.read_target("Win_Rate=0.3", ()) == tuning.read_target("win_rate=0.3", ())
    assert tuning.read_target("TIER:Gold=0.3", ("gold",)) == tuning.read_target("tier:gold=0.3", ("gold",))


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ('A, B = Policy("a", choose), Policy("a", other)', 'two policies are named "a"; rename one of them'),
        ('A = Policy("a@b", choose)', 'policy "a@b": write its name with letters, digits and _'),
        ('A = Policy("a+b.py", choose)', "write its name with letters"),
        ('A = Policy("a", choose, weights={"w=1": 2.0})', "weight 'w=1': write its name with letters"),
    ],
)
def test_a_name_that_no_text_can_select_is_one_line(tmp_path, lines, said):
    """Two policies of one name: the first could not be selected, and nothing told."""
    file = tmp_path / "odd.py"
    file.write_text(
        f"{MINE.partition('POLICY')[0]}\ndef other(state, tables, legal, n, weights):\n    return 0\n\n\n{lines}\n"
    )
    with pytest.raises((PolicyError, UsageError), match=re.escape(said)):
        registry.policy_from_file(file)


def test_a_copy_of_a_built_in_game_is_a_game_of_the_user(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "from dataclasses import replace\n\nfrom bartizan.simcore.rampage import GAME as BUILT_IN\n\n"
        'GAME = replace(BUILT_IN, title="Mine")\n'
    )
    game = load_game(str(file))
    assert not game.is_builtin and game.source_hash and game.home == file
    assert "greedy" in registry.policies_of(game)
