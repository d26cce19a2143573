"""Rules that test hidden cards and go on are found in the text of a short game, and told of."""

import re

import pytest

from bartizan.simcore.game import load_game, load_module
from bartizan.simcore.short.reading import read
from bartizan.simcore.short.telling import told_by_rules

HEAD = """from bartizan.short import *

players = 2
deck = Deck({"Key": 2, "Stone": 3})


def _fits(s, n, seat, owner, place, card):
    return not s.no[owner, card]


hand, shown = Hand(deck%s), Pile(deck)
backs = Hand(deck, seen="others")
hits, no = Tokens(), Row(2, each=True)


def setup(s, n):
    deal(s, s.deck, s.hand, 2)


def _holds(s, p, kind):
    return has(s.hand[p], kind)


def _gloat(s, who):
    if has(s.hand[who], KEY):
        next_player(s)


def _note(s, found):
    s.hits[s.me] += found


"""
TELLS = {  # rule -> what is named of it
    "if has(s.hand[1 - s.me], KEY):\n        next_player(s)": r"has\(s.hand\[1 - s.me\], KEY\)",
    "if _holds(s, 1 - s.me, KEY):\n        next_player(s)": r"has\(s.hand\[p\], kind\)",
    "_note(s, count(s.hand[1 - s.me], KEY))": "count",
    "other = s.hand[1 - s.me]\n    s.hits[s.me] += top(other)": r"top\(other\)",
    's.hits[s.me] += 1\n    say(s, "{deck}", draw(s.deck, s.hand[s.me]))': "draw",
    "if cards(s.hand[0])[0] == KEY:\n        tie(s)": "cards",
    "for card in cards(s.hand[0]):\n        s.hits[0] += card": "cards",
    "if not move(s.hand[1 - s.me], KEY, s.shown):\n        next_player(s)": "move",
    "pass_to(s, who_has(s, s.hand, KEY))": "who_has",
    "if _holds(s, s.me, KEY) and _holds(s, 1 - s.me, KEY):\n        next_player(s)": r"has\(s.hand\[p\], kind\)",
    "me = s.me\n    me = 1 - me\n    if has(s.hand[me], KEY):\n        next_player(s)": r"has\(s.hand\[me\], KEY\)",
    "_gloat(s, 0)\n    _gloat(s, s.me)": "has",
    "for p in range(s.players):\n        if has(s.hand[p], KEY):\n            s.hits[p] += 1": "has",
    # the own hand, as a number that everybody sees
    "s.hits[s.me] += count(s.hand[s.me], KEY)": "count",
    'say(s, "{deck}", top(s.hand[s.me]))': "top",
    "_note(s, _holds(s, s.me, KEY))": "has",
    "found = 2 if has(s.hand[s.me], KEY) else 1\n    s.hits[s.me] += found": "has",
    "if has(s.backs[s.me], KEY):\n        next_player(s)": "backs",  # of which the owner sees nothing
    "while top(s.deck) == KEY:\n        draw(s.deck, s.shown)": r"top\(s.deck\)",
}
TELLS_NOTHING = [
    "if draw(s.deck, s.shown) == KEY:\n        next_player(s)",  # it is turned up
    "card = top(s.hand[0])\n    move(s.hand[0], card, s.shown)\n    if card == KEY:\n        next_player(s)",
    "if draw(s.deck, s.hand[s.me]) == NONE:\n        tie(s)",  # everybody can count
    "if size(s.hand[0]) > 3 or empty(s.deck) or top(s.shown) == KEY:\n        tie(s)",
    "if top(s.deck) == KEY:\n        s.hits[0] += 1\n    shuffle(s, s.deck)",  # void at once
    "put(s.hand[0], take(s.hand[1], 0))",
    # who decides knows the own hand
    "if has(s.hand[s.me], KEY):\n        next_player(s)",
    "me = s.me\n    mine = s.hand[me]\n    if count(mine, KEY) == 2:\n        win(s, me)",
    "if _holds(s, s.me, KEY) and not move(s.hand[s.me], KEY, s.shown):\n        next_player(s)",
    "for card in cards(s.hand[s.me]):\n        if card == KEY:\n            tie(s)",
    "_gloat(s, s.me)",
]


def told(folder, rule: str, option: str = "") -> str:
    path = folder / "game.py"
    path.write_text(HEAD % option + f"def act(s, n):\n    {rule}\n")
    return told_by_rules(read(path, load_module(path, "game")))


@pytest.mark.parametrize("rule", TELLS)
def test_a_rule_that_tells_is_named_with_its_line(rule, tmp_path):
    said = told(tmp_path, rule)
    line = (tmp_path / "game.py").read_text().splitlines()[int(re.match(r"game\.py:(\d+): ", said)[1]) - 1]
    assert re.search(TELLS[rule], said) and "fits=" in said
    assert any(word in line for word in ("if", "while", "+=", "say", "pass_to", "hits"))


def test_a_private_number_that_redealing_keeps_is_named_with_its_line(tmp_path):
    path = tmp_path / "dice.py"
    text = "from bartizan.short import *\n\nplayers = 2\ncup = Tokens(%s)\n\n\n"
    rule = "def roll(s, n):\n    s.cup[s.me] = die(s, 6)\n    if s.turn > 9:\n        tie(s)\n    next_player(s)\n"
    for declared, line in (
        ("", ""),
        ('seen="open"', ""),
        ('seen="owner"', "dice.py:4: cup"),
        ('seen="nobody"', "dice.py:4: cup"),
    ):
        path.write_text(text % declared + rule)
        untold = load_game(str(path)).compiled.untold
        assert untold.startswith(line) and bool(untold) == bool(line)


@pytest.mark.parametrize("rule", TELLS_NOTHING)
def test_what_tells_nothing_is_not_named(rule, tmp_path):
    assert told(tmp_path, rule) == ""


def test_where_the_designer_says_what_fits_nothing_is_named(tmp_path):
    rule = "if has(s.hand[1 - s.me], KEY):\n        next_player(s)"
    assert told(tmp_path, rule) and not told(tmp_path, rule, ", fits=_fits")


def test_players_and_the_score_may_look_at_everything(tmp_path):
    score = '\n\ndef score(s, n, who):\n    return top(s.hand[who])\n\n\ndef bot(s, n, legal):\n    """Looks."""\n    return legal[has(s.hand[s.me], KEY)]'
    assert told(tmp_path, "next_player(s)" + score) == ""
