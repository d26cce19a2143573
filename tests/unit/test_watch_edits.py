"""`watch`: a save is played and compared with the start, an error is one line, and Ctrl-C ends it."""

from contextlib import nullcontext

import pytest

from bartizan.api.answers import watch as watching
from bartizan.api.questions.editing import WatchQuestion
from bartizan.simcore.errors import UsageError
from bartizan.simcore.watch import Watch
from tests.cli.run_cli import PIG, ROOT, bartizan

RULES = '''
"""Highest of two: both play a card; the higher one wins."""

from bartizan.short import *

players = 2
bonus = 0
deck = Deck("cards.csv")
hand = Hand(deck)
played = Pile(deck)
points = Tokens()


def setup(s, n):
    for p in range(s.players):
        deal(s, s.deck, s.hand, 1)


def play(s, n, card: hand):
    s.points[s.me] = n.power[card] + (n.bonus if s.me == 0 else 0)
    discard(s.hand[s.me], card, s.played)
    if s.me == 1:
        if s.points[0] != s.points[1]:
            win(s, 0 if s.points[0] > s.points[1] else 1, "higher card")
        else:
            tie(s, "equal cards")
    else:
        next_player(s)
'''
SHEET = "Name,Qty,Power\nSquire,6,1\nKnight,3,5\nKing,1,9\n"


class Recorder(Watch):
    """Counts what is compiled."""

    def __init__(self):
        self.compiled = []

    def compiling(self, what, duration):
        self.compiled.append(what)


@pytest.fixture
def game(kept_path):
    (kept_path / "cards.csv").write_text(SHEET)
    (kept_path / "highest.py").write_text(RULES)
    return kept_path / "highest.py"


def watched(game, **options):
    few = {} if "against" in options else {"games": 300}
    question = WatchQuestion(str(game), **few, **options)
    question.watch = Recorder()
    return watching.watch(question, tick=0.01), question.watch


def begun(lines):
    """The lines before the first save."""
    said = []
    for line in lines:
        said.append(line)
        if line.startswith("watching"):
            return said
    raise AssertionError(said)


def saved(file, old, new):
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def test_a_session(game):
    sheet = game.with_name("cards.csv")
    lines, recorder = watched(game)
    first = begun(lines)
    assert first[0].startswith("Highest of two, standard, random vs random: 300 games")
    assert first[-1].startswith(
        "watching highest.py and cards.csv; press Ctrl-C to stop. Each interval is valid for one change"
    )

    recorder.compiled.clear()
    saved(sheet, "King,1,9", "King,1,1")  # a number: named as in the sheet, paired, nothing compiled
    assert next(lines) == "saved: King, Power 9 -> 1"
    answer = next(lines)
    assert "with King, Power 1 instead of 9" in answer and "300 games per side, seed 1" in answer
    assert recorder.compiled == []

    saved(sheet, "King,1,1", "King,x,1")  # a mistake while the sheet is edited
    assert next(lines).endswith("cards.csv, B4: 'x' is not a number of copies: write an integer")
    saved(game, "bonus = 0", "bonus = 9")
    assert "'x' is not a number of copies" in next(lines)
    saved(sheet, "King,x,1", "King,1,9")  # back again, with the number of the rules that was saved meanwhile
    assert next(lines) == "saved: Bonus 0 -> 9; King, Power 1 -> 9"
    assert "with Bonus 9 instead of 0, the first seat's win rate rises by " in next(
        lines
    )  # a new text of the rules compiles

    saved(game, "bonus = 9", "bonus = 0  # as before")
    assert next(lines) == "saved: Bonus 9 -> 0"
    assert next(lines) == "the same as at the start"

    saved(game, "if s.points[0] != s.points[1]", "if s.points[1] != s.points[0]")  # a rule
    assert next(lines) == "saved: play edited"
    assert "with play as edited instead of as before, every game is identical" in next(lines)
    saved(game, "def setup(s, n):", "def setup(s, n)")
    assert "SyntaxError" in (line := next(lines)) and line.startswith("error: ") and "\n" not in line
    assert lines.throw(KeyboardInterrupt) == watching.ENDED
    assert next(lines, None) is None


def test_a_file_that_is_gone_for_a_moment_is_watched_on(game):
    """Some programs replace a file in two steps, and git removes the files of another branch."""
    lines, _ = watched(game)
    begun(lines)
    game.rename(game.with_name("elsewhere.py"))
    assert "no such game file" in next(lines)
    game.write_text(RULES.replace("bonus = 0", "bonus = 9"))
    assert next(lines) == "saved: Bonus 0 -> 9"
    assert "with Bonus 9 instead of 0" in next(lines)
    lines.close()


def test_against_games_that_were_kept(game, tmp_path):
    kept = tmp_path / "kept"
    assert bartizan("run", game, "--games", 200, "--seed", 7, "-o", kept).code == 0
    saved(game.with_name("cards.csv"), "King,1,9", "King,6,9")
    lines, _ = watched(game, against=kept)
    answer = next(lines)
    assert "with the current game instead of as saved in kept" in answer
    assert "200 games per side, seed 7" in answer
    lines.close()
    with pytest.raises(UsageError, match="--seed has no effect with --against"):
        begun(watched(game, against=kept, seed=3)[0])
    with pytest.raises(UsageError, match="contains games of pig, not of highest"):
        bartizan("run", PIG, "--games", 20, "-o", tmp_path / "pig")
        next(watched(game, against=tmp_path / "pig")[0])


@pytest.mark.parametrize(
    ("policies", "says"),
    [
        (["steady", "random"], "Pig, steady vs random: with the current game instead of as saved in kept, "),
        (["steady+random", "steady+steady"], "contains several line-ups"),
    ],
)
def test_kept_games_are_compared_in_their_seating(policies, says, tmp_path):
    game, kept = ROOT / "examples/short/pig.py", tmp_path / "kept"
    options = [word for policy in policies for word in ("--policy", policy)]
    assert bartizan("run", game, *options, "--games", 200, "-o", kept).code == 0
    lines, _ = watched(game, against=kept)
    with pytest.raises(UsageError, match=says) if "several" in says else nullcontext():
        assert says in begun(lines)[0]


def test_a_built_in_game_has_nothing_to_edit():
    with pytest.raises(UsageError, match=r"watch pig_of_nobody|no game"):
        begun(watched("pig_of_nobody")[0])
