"""Readings of unclear rules, declared in a short game: they are rulings of its scenario."""

import re

import pytest

from bartizan.simcore.errors import ScenarioError, UsageError
from bartizan.simcore.game import load_game
from bartizan.simcore.scenario.loading import load_scenario

GAME = '''"""Roll to three."""

from bartizan.short import *

players = 2
starts_with = Ruling("Does a player start with a point?", ("no", "yes"), "inferred: the example on p. 2")
at_three = Ruling("Who wins at three?", ["roller", "other"], meaning="other: the player who did not roll")
points = Tokens()


def setup(s, n):
    if n.starts_with == YES:
        s.points[:] = 1


def roll(s, n):
    s.points[s.me] += 1
    if s.points[s.me] == 3:
        win(s, s.me if n.at_three == ROLLER else 1 - s.me, "three points")
    else:
        next_player(s)
'''


@pytest.fixture
def path(kept_folder):
    path = kept_folder / "three.py"
    path.write_text(GAME)
    return path


def test_readings_are_rulings_of_the_scenario_and_guesses_are_assumptions(path):
    game = load_game(str(path))
    model = load_scenario(game).model
    assert model.rulings == {"starts_with": "no", "at_three": "roller"}
    assert model.ruling["starts_with"].confidence == "inferred"
    assert model.ruling["starts_with"].source == "the example on p. 2"
    assert model.assumptions() == ['The reading at_three = roller of ruling R2 is assumed: "Who wins at three?"']
    other = load_scenario(game, None, None, {"rulings.at_three": "other"})
    assert game.compiled.build_tables(other)["at_three"].tolist() == [1]
    assert [one.choices for one in other.parameters() if one.path == "rulings.at_three"] == [("roller", "other")]


def test_a_reading_that_there_is_not_is_named(path):
    with pytest.raises(ScenarioError, match=r"rulings\.at_three = .*must be one of roller, other"):
        load_scenario(load_game(str(path)), None, None, {"rulings.at_three": "nobody"})


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("if n.starts_with == YES:", "if n.starts_with:", "n.starts_with == NO or n.starts_with == YES"),
        ("if n.starts_with == YES:", "if n.starts_with == 1:", "n.starts_with == NO or n.starts_with == YES"),
        ("if n.starts_with == YES:", "if n.starts_with == ROLLER:", "n.starts_with == NO or n.starts_with == YES"),
        ("if n.starts_with == YES:", "if n.starts_with > NO:", "n.starts_with == NO or n.starts_with == YES"),
        ("if n.starts_with == YES:", "if starts_with == YES:", "starts_with is a Ruling"),
        ("s.points[:] = 1", "s.points[:] = n.starts_with", "n.starts_with == NO or n.starts_with == YES"),
        ("if n.starts_with == YES:", "if n.start_with == YES:", 'did you mean "starts_with"'),
        ('"roller", "other"', '"roller", "no"', None),
        ('"roller", "other"', '"yes", "no"', "YES is reading 1 in starts_with and 0 in at_three"),
        ('"roller", "other"', '"roller"', "at least two readings"),
        ('"roller", "other"', '"roller", "roller"', "at least two readings"),
        ('"roller", "other"', '"roller", "The Other"', "lower-case letters"),
        ('"roller", "other"', '"roller", "roll"', "ROLL is a reading and an action"),
        ('Ruling("Who wins at three?", ["roller", "other"]', 'Ruling(["roller", "other"]', "in one line"),
        ("at_three = Ruling", "AT_THREE = Ruling", "names in capitals are constants"),
        ("def roll(", "def starts_with(", "is also declared in line 6"),
    ],
)
def test_mistakes_in_them_are_named(path, old, new, says):
    assert old in GAME
    path.write_text(GAME.replace(old, new))
    if says is None:  # NO is 0 in one and 1 in the other: an error only where a rule names it
        path.write_text(path.read_text().replace("== YES", "== NO"))
        says = "NO is reading 0 in starts_with and 1 in at_three"
    with pytest.raises(UsageError, match=rf"^{re.escape(str(path))}:\d+: .*{re.escape(says)}"):
        load_game(str(path))
