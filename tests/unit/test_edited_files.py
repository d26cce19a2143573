"""A process that answers many questions reads a file again once it has been edited."""

import pytest

import bartizan as bz
from bartizan.policies.registry import find_policy
from bartizan.simcore.game import load_game, read_once
from bartizan.workbench.live import GameCache
from bartizan.workbench.setting import offered, read_setting

GAME = """
from bartizan.short import *

players = 2
goal = Number(3, 1, 50)
deck = Deck("cards.csv")
points = Tokens()


def step(s, n):
    s.points[s.me] += n.worth[0]
    if s.points[s.me] >= n.goal:
        win(s, s.me, "goal reached")
    else:
        next_player(s)
"""
SHEET = "name,copies,worth\nstone,1,{}\n"
POLICY = """
from bartizan import Policy


def choose(state, tables, legal, n_legal, weights):
    return legal[0]


P = Policy("{}", choose)
"""


@pytest.fixture
def path(kept_path):
    (kept_path / "cards.csv").write_text(SHEET.format(1))
    (kept_path / "steps.py").write_text(GAME)
    return kept_path / "steps.py"


def turns(name) -> float:
    return bz.game(name).run(games=20).to_dict()["turns"]["mean"]


def goal(name) -> int:
    return next(row["value"] for row in bz.game(name).describe(knobs=True).to_dict()["knobs"] if "goal" in row["path"])


def test_edited_numbers_cards_and_rules_count_from_the_next_question_on(path):
    before = turns(path)
    path.write_text(GAME.replace("Number(3", "Number(9"))
    more = turns(path)
    path.with_name("cards.csv").write_text(SHEET.format(3))
    fewer = turns(path)
    path.write_text(GAME.replace("Number(3", "Number(9").replace("+= n.worth[0]", "+= 1"))
    slow = turns(path)
    assert (before, more, fewer, slow) == (5, 17, 5, 17)
    path.write_text(GAME.replace("points = Tokens()", "points = Token()"))
    with pytest.raises(bz.UsageError, match="Token"):
        turns(path)


def test_an_edited_policy_is_read_again(path):
    own = path.with_name("mine.py")
    for name in ("first", "second"):
        own.write_text(POLICY.format(name))
        assert find_policy(load_game(str(path)), str(own)).name == name


def test_a_name_is_that_of_the_folder_in_which_it_is_asked(path, tmp_path, monkeypatch):
    (tmp_path / "steps.py").write_text(GAME.replace("Number(3", "Number(9"))
    (tmp_path / "cards.csv").write_text(SHEET.format(1))
    found = []
    for folder in (path.parent, tmp_path):
        monkeypatch.chdir(folder)
        found.append(goal("steps.py"))
    assert found == [3, 9]


def test_one_question_has_one_version(path):
    with read_once():
        before = load_game(str(path))
        path.write_text(GAME.replace("Number(3", "Number(9"))
        assert load_game(str(path)) is before
    after = load_game(str(path))
    assert after.source_hash != before.source_hash and load_game(str(path)) is after


def test_the_workbench_plays_the_rules_as_they_are(path):
    offers, cache = offered([str(path)], []), GameCache()
    asked = {"game": "steps", "set": {}}
    before = read_setting(offers, asked)
    path.write_text(GAME.replace("Number(3", "Number(9"))
    after = read_setting(offers, asked)
    lengths = []
    for setting in (before, after):
        cached = cache.games_of(setting)
        cached.play_to(20)
        lengths.append(cached.cell(20).frame["turn"].mean())
    assert lengths == [5, 17] and before.offer.version != after.offer.version == offers["steps"].version
