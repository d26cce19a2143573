"""Beginners' mistakes in short games: one line each, with file, line and what to write instead."""

import ast
import re
from types import SimpleNamespace

import pytest

from bartizan.simcore.errors import BartizanError
from bartizan.simcore.game import game_from_file
from bartizan.simcore.scenario.loading import load_scenario
from bartizan.simcore.short.components import Row
from bartizan.simcore.short.mistakes_in_rules import _is_part

GAME = '''"""Trick: play the higher card, or pay."""

from bartizan.short import *

players = 2
goal = 5
deck = Deck({"Low": 4, "High": 4})
hand = Hand(deck)
seen = Pile(deck)
pot, points = Counter(), Tokens()
track = Row(6)
board = Grid(3, 3)
phases = ["draft", "play"]


def setup(s, n):
    deal(s, s.deck, s.hand, 3)


def can_lead(s, n, card, target):
    return target != s.me


def lead(s, n, card: hand, target: others):
    move(s.hand[s.me], card, s.seen)
    _pay(s, target)
    if s.points[s.me] >= n.goal:
        win(s, s.me, "goal reached")
    else:
        next_player(s)


def _pay(s, who):
    s.points[who] += 1
    s.pot += 1


def start_turn(s, n):
    s.phase = PLAY


def keen(s, n, legal, most=3):
    """Leads what it has."""
    return LEAD(top(s.hand[s.me]), 1 - s.me)
'''
PAY = "    s.pot += 1\n"
MISTAKES = [  # what is written, by what, what is said of it
    (
        PAY,
        PAY + "    draw(s.deck, s.seen if who else s.hand[who])\n",
        "s.seen if who, otherwise s.hand[who]: they have different sizes or kinds",
    ),
    (PAY, PAY + "    s.pot += (s.track if who else s.board)[0]\n", "s.track if who, otherwise s.board: they have"),
    (
        PAY,
        PAY + "    if who:\n        pile = s.seen\n    else:\n        pile = s.hand[who]\n    draw(s.deck, pile)\n",
        "s.seen if who, otherwise s.hand[who]: they have different sizes or kinds",
    ),
    ("goal = 5", "goal = Number(5, players=2)", "players=2: it names the number of players that has the levels"),
    ("goal = 5", 'goal = Number({"low": 5, "high": 6}, players=3)', 'elite": 3}, 0, 9, players=2)'),
    ("goal = 5", 'goal = 5\ntied = Ruling("Who wins a tie?", ("nobody", "last"))', "another name for this reading"),
    ("players = 2", "players = 0", "players = 0: write players = 2"),
    ("    return LEAD(", "    if chance(s, 30):\n        return legal[0]\n    return LEAD(", "in a policy use maybe"),
    ("players = 2", "players = [2, 3]", "usual number first"),
    (
        "goal = 5",
        'goal = 5\n\n\ndef learned(s, n):\n    """Leads."""\n    return LEAD(0)',
        "a policy that every game has",
    ),
    ("players = 2", "players = (2, 11)", "usual number first"),
    ("goal = 5", "goal = 0.5", "a number must be an integer"),
    ("goal = 5", 'goal = "five"', "a number must be an integer"),
    ("goal = 5", "goal = Number(5, 6, 9)", "outside its allowed range, 6 to 9"),
    ("goal = 5", "goal = Number(0.5)", "not an integer"),
    ("goal = 5", 'goal = {"a": 1}\nsteps = {"b": 1}', "its levels are b"),
    ("goal = 5", "goal = Counter", "write goal = Counter(...)"),
    ("goal = 5", "goal = Nummber(5)", "name 'Nummber' is not defined"),
    ("goal = 5", "goal = 5\nimport random", "imports only bartizan.short"),
    ("goal = 5", "goal = 5\nfrom math import sqrt", "imports only bartizan.short"),
    ("goal = 5", "goal = 5\nclass Card:\n    pass", "class Card"),
    ("goal = 5", "goal = 5\nfor i in range(3):\n    pass", "outside a function"),
    ("goal = 5", "goal = [1, 2]", "n.goal has 2 numbers: write n.goal[i]"),
    ("goal = 5", "goal =", "SyntaxError"),
    ("seen = Pile(deck)", "turn = Pile(deck)", "every game already has s.turn"),
    ("seen = Pile(deck)", 'seen = Pile(deck, seen="none")', 'seen="none"'),
    ("seen = Pile(deck)", 'seen = Pile(deck, seen="owner")', "each=True"),
    ("seen = Pile(deck)", "seen = Pile(goal)", "its cards must come from a deck"),
    ('Deck({"Low": 4, "High": 4})', 'Deck({"Low": 4, "High": 4}, each=True)', "a deck is shared by all players"),
    ("seen = Pile(deck)", "seen = Pile()", "missing 1 required positional argument"),
    ("seen = Pile(deck)", 'seen = Pile(Deck({"A": 1}))', "its deck has no name"),
    ('Deck({"Low": 4, "High": 4})', 'Deck("no.csv")', "no file no.csv"),
    ('Deck({"Low": 4, "High": 4})', "Deck({})", "it has no cards"),
    ('Deck({"Low": 4, "High": 4})', 'Deck([{"copies": 2}])', "a card needs a `name`"),
    ('Deck({"Low": 4, "High": 4})', 'Deck({"Low": 4, "low": 4})', "two cards have the name Low"),
    ('Deck({"Low": 4, "High": 4})', 'Deck({"Low": 4, "High": 4, "Lead": 1})', "rename one"),
    ("Row(6)", "Row(0)", "it has no places"),
    ("def setup(s, n)", "def setup(s)", "write def setup(s, n)"),
    ("def setup(s, n)", "def start(n, s)", "write def start(s, n)"),
    ("def setup(s, n)", "def can_fold(s, n)", "can_fold: no action fold"),
    ("def can_lead(s, n, card, target)", "def can_lead(s, n, card)", "the same"),
    ("card: hand", "card", "the values of `card` are not declared"),
    ("card: hand", "card: 5", "must range over cards"),
    ("card: hand", "card: range(-3, 4)", "integers of at least 0"),
    ("def lead(s, n", "def lead(s", "has (s, card, target): use the same"),
    ("def _pay(s, who)", "def shuffle(s, who)", "write def shuffle(s, n, who)"),
    ("def _pay(s, who)", "def pay(s, n, who)", "if pay is a helper"),
    ('    """Leads what it has."""\n', "", "describe in its docstring how it plays"),
    ("most=3", 'most="3"', "must be numbers"),
    (PAY, "    pot += 1\n", "write s.pot"),
    (PAY, "    x = pot\n", "write s.pot"),
    (PAY, "    s.pot += s[3]\n", "s[3]: write s.NAME, with the name of a component"),
    (PAY, '    s.pot += n["goal"]\n', "n['goal']: write n.NAME, with the name of a number"),
    (PAY, "    x = goal\n", "write n.goal"),
    (PAY, "    s.pott += 1\n", 'did you mean "pot"'),
    (PAY, "    s.pot += s.goal\n", "write n.goal"),
    (PAY, "    s.points += 1\n", "s.points[s.me]"),
    (PAY, "    s.track = 1\n", "s.track[i]"),
    (PAY, "    s.seen = 1\n", "move, move_all, draw"),
    (PAY, "    x = len(s.hand[who])\n", "write size(s.hand[who])"),
    (PAY, "    for card in s.hand[who]:\n        s.pot += card\n", "cards(s.hand[who])"),
    (PAY, "    s.pot += s.hand[who][0]\n", "top(s.hand[who])"),
    (PAY, "    s.pot += 1 if s.hand[0][0] > s.hand[1][0] else 2\n", "top(s.hand[0])"),
    (PAY, "    s.seen[0] = 1\n", "top(s.seen)"),
    (PAY, "    mine = s.hand[who]\n    s.pot += mine[0]\n", "top(mine)"),
    (PAY, "    s.pot += _first(s.seen)\n\n\ndef _first(pile):\n    return pile[0]\n", "top(pile)"),
    (PAY, "    s.pot += 1 if 3 in s.hand[who] else 2\n", "has(s.hand[who], card)"),
    (PAY, "    s.pot += 1 if s.hand[0] == s.hand[1] else 2\n", "s.hand[0] is a pile of cards, not a number"),
    (PAY, "    if s.hand[who]:\n        s.pot += 1\n", "size(s.hand[who])"),
    (PAY, "    s.pot += max(s.hand[who])\n", "write cards(s.hand[who])"),
    (PAY, "    s.hand[who].append(1)\n", "put, take, move and draw"),
    (PAY, "    x = die(6)\n", "write die(s, sides)"),
    (PAY, "    next_player()\n", "write next_player(s)"),
    (PAY, "    next_playr(s)\n", 'did you mean "next_player"'),
    (PAY, "    x = random.randint(1, 6)\n", "which depend on the seed"),
    (PAY, "    _pay(s, who)\n", "calls itself"),
    (
        PAY,
        "    try:\n        s.pot += 1\n    except ValueError:\n        s.pot = 0\n",
        "test the condition with if instead",
    ),
    (PAY, '    if s.phase == "draft":\n        s.pot += 1\n', "not text"),
    (PAY, "    d = {}\n", "a dictionary"),
    (PAY, "    f = lambda x: x\n", "write a helper"),
    (PAY, '    print(f"{who}")\n', "print works only with --plain"),
    (PAY, "    global pot\n    s.pot += 1\n", "global"),
    (PAY, "    input()\n", "can read only s and n"),
    ("n.goal:", "n.gaol:", 'did you mean "goal"'),
    ("n.goal:", "n.pot:", "write s.pot"),
    ("    _pay(s, target)\n", "    n.goal = 3\n", "which cannot change"),
    ("    return LEAD(top(s.hand[s.me]), 1 - s.me)", "    return lead", "return LEAD"),
    ("    return LEAD(top(s.hand[s.me]), 1 - s.me)", "    s.pot += 1\n    return legal[0]", "but not change it"),
    ("    return LEAD(top(s.hand[s.me]), 1 - s.me)", "    return LEED(1)", 'did you mean "LEAD"'),
    ('phases = ["draft", "play"]\n', "", "declare the phases"),
    ("goal =", "name = 3\ngoal =", "choose another name for the number"),
    ("deck = Deck(", 'step = Deck({"Low": 4})\ndeck = Deck(', "choose another name for the deck"),
    ("phases =", "log_lines = 0\nphases =", "from 1 to 200: log_lines = 40"),
    ("phases =", 'tiers = {"gold": 3, "Lost": 1}\nphases =', 'use the name "Lost" for games without a score'),
    ("phases =", 'tiers = {"gold": 3, "Gold": 1}\nphases =', "two tiers have the same name: gold and Gold"),
    ("phases =", 'tiers = {"gold": 3, "silver": 3}\nphases =', "have the lowest score 3: gold and silver"),
]


def test_without_a_mistake_it_loads(tmp_path):
    path = tmp_path / "trick.py"
    path.write_text(GAME)
    assert game_from_file(path).title == "Trick"


def test_a_number_may_have_the_name_of_a_key_of_scenario_files(tmp_path):
    """A number named step, levels or sources was missing in every list of values, and not part of the hash."""
    path = tmp_path / "trick.py"
    names = ("step", "levels", "sources", "game")
    path.write_text(GAME.replace("goal = 5\n", "goal = 5\n" + "".join(f"{name} = 1\n" for name in names)))
    game = game_from_file(path)
    as_is, *changed = (
        load_scenario(game, sets={} if name is None else {f"numbers.{name}": 2}) for name in (None, *names)
    )
    assert {f"numbers.{name}" for name in names} <= {one.path for one in as_is.parameters()}
    assert len({s.hash for s in (as_is, *changed)}) == 1 + len(names)
    assert all(
        one.model.numbers.origins[name].confidence == "changed" for one, name in zip(changed, names, strict=True)
    )


def test_either_of_two_components_of_one_kind_is_none(tmp_path):
    path = tmp_path / "trick.py"
    either = """    s.pot += s.points[who] if who else s.pot
    pile = s.hand[who] if who else s.hand[s.me]
    if who:
        other = s.seen
        draw(other, pile)
    else:
        other = s.hand[s.me]
        draw(other, pile)
"""
    path.write_text(GAME.replace(PAY, PAY + either), encoding="utf-8")
    assert game_from_file(path).title == "Trick"


@pytest.mark.parametrize(("written", "instead", "said"), MISTAKES)
def test_a_mistake_is_one_line_that_says_where_and_what_instead(written, instead, said, tmp_path):
    assert GAME.count(written) >= 1
    path = tmp_path / "trick.py"
    path.write_text(GAME.replace(written, instead, 1))
    with pytest.raises(BartizanError) as caught:
        game_from_file(path).compiled  # noqa: B018
    text = str(caught.value)
    assert said in text and "\n" not in text
    assert re.match(rf"{re.escape(str(path))}:\d+: ", text), text


def test_a_number_in_a_row_is_no_part_of_the_game_that_a_policy_could_change():
    game = SimpleNamespace(components={"row": Row(3), "rows": Row(3, each=True)})
    for text, is_part in (("s.row", True), ("s.row[0]", False), ("s.rows[0]", True), ("s.rows[s.me, 1]", False)):
        assert _is_part(game, ast.parse(text, mode="eval").body) == is_part
