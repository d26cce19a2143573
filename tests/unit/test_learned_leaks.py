"""Planted leaks: hidden information in numbers that the rules write never reaches a learned player, and what all see
does.
"""

import pytest

from bartizan.simcore.errors import UsageError
from bartizan.simcore.game import load_module
from bartizan.simcore.learning.layout import Layout
from bartizan.simcore.short.reading import read

# HEAD % (declarations, helpers, rules at the start, rules of the action)
GAME = """from bartizan.short import *

players = 2
phases = ["one", "two"]
deck = Deck(range(1, 9))
%s
hand, aside, played = Hand(deck, 3), Pile(deck, seen="nobody"), Pile(deck)
chosen = Pile(deck, 1, each=True, seen="owner")
last, wins = Counter(), Tokens()


%s


def setup(s, n):
    deal(s, s.deck, s.hand, 2)
    draw(s.deck, s.aside)
    other = 1 - s.me
    %s


def lay_down(s, n, card: hand):
    other = 1 - s.me
    s.last = card
    move(s.hand[s.me], card, s.played)
    %s
    if empty(s.hand[s.me]):
        win(s, s.me)
    next_player(s)
"""
TOKENS, ROW, COUNTER = "note = Tokens()", "note = Row(9, each=True)", "note = Counter()"
PLANTED = {  # what leaks: declarations, helpers, rules at the start, rules of the action, number that is hidden
    "a card of the hand": (TOKENS, "", "s.note[s.me] = top(s.hand[s.me])", "", "note"),
    "sum of the other hand": (
        TOKENS,
        "",
        "for card in cards(s.hand[other]):\n        s.note[other] += card",
        "",
        "note",
    ),
    "next card of the deck": (COUNTER, "", "", "s.note = top(s.deck)", "note"),
    "card set aside": (COUNTER, "", "s.note = 2 * cards(s.aside)[0]", "", "note"),
    "drawn card": (TOKENS, "", "", "new = draw(s.deck, s.hand[s.me])\n    s.note[s.me] = new", "note"),
    "drawn cards by kind": (ROW, "", "", "new = draw(s.deck, s.hand[s.me])\n    s.note[s.me, new] += 1", "note"),
    "cell of a grid": ("note = Grid(2, 2)", "", "lay(s.note, 1, top(s.deck))", "", "note"),
    "row by player": ("note = Row(2)", "", "", "s.note[other] = count(s.hand[other], 3)", "note"),
    "row that has another name": (ROW, "", "", "mine = s.note[other]\n    mine[top(s.hand[other])] = 1", "note"),
    "two numbers at once": (TOKENS, "", "s.note[0], s.note[1] = top(s.hand[0]), top(s.hand[1])", "", "note"),
    "unpacked by a helper": (
        TOKENS,
        "def _two(s):\n    return top(s.deck), 1",
        "a, b = _two(s)\n    s.note[0] = a",
        "",
        "note",
    ),
    "by way of another number": (
        f"{COUNTER}\nbetween = Counter()",
        "",
        "s.between = top(s.deck)\n    s.note = 2 + s.between",
        "",
        "note",
    ),
    "written by a helper": (
        ROW,
        "def _count(row, card):\n    row[card] += 1",
        "",
        "_count(s.note[other], top(s.deck))",
        "note",
    ),
    "read by a helper": (
        TOKENS,
        "def _sum(pile):\n    return sum(cards(pile))",
        "",
        "s.note[other] = _sum(s.hand[other])",
        "note",
    ),
    "branch": (TOKENS, "", "", "if has(s.hand[other], 3):\n        s.note[other] = 1", "note"),
    "branch on the own hand": (TOKENS, "", "", "if has(s.hand[s.me], 3):\n        s.note[s.me] = 1", "note"),
    "local value of a branch": (
        TOKENS,
        "",
        "",
        "x = 0\n    if has(s.hand[other], 3):\n        x = 1\n    s.note[0] = x",
        "note",
    ),
    "helper in a branch": (
        TOKENS,
        "def _mark(s):\n    s.note[0] = 1",
        "",
        "if top(s.deck) == 3:\n        _mark(s)",
        "note",
    ),
    "early return": (
        TOKENS,
        "def _mark(s, p):\n    if not has(s.hand[p], 3):\n        return\n    s.note[p] = 1",
        "",
        "_mark(s, other)",
        "note",
    ),
    "end of a loop": (
        TOKENS,
        "",
        "",
        "for p in range(2):\n        if has(s.hand[p], 3):\n            break\n        s.note[p] = 1",
        "note",
    ),
    "phase": ("", "", "", "s.phase = top(s.deck) > 4", "phase"),
    "one value or another": (COUNTER, "", "", "s.note = 1 if has(s.hand[other], 3) else 2", "note"),
    "card of a face-down choice": (
        TOKENS,
        "def choose(s, n, card: hand):\n    move(s.hand[s.me], card, s.chosen[s.me])\n    s.note[s.me] = card",
        "",
        "",
        "note",
    ),
    "position of a card": (TOKENS, "", "s.note[0] = who_has(s, s.hand, 3)", "", "note"),
    "a note that nobody sees": ('note = Counter(seen="nobody")', "", "s.note = die(s, 6)", "", "note"),
    "score of a private number": (
        'note = Tokens(seen="owner")',
        "def score(s, n, who):\n    return s.note[who]",
        "s.note[0] = die(s, 6)",
        "",
        "score",
    ),
}
OWN = {  # a player sees its own number, and no other
    "dice below a cup": ('note = Row(2, each=True, seen="owner")', "", "", "s.note[s.me, 0] = die(s, 6)"),
    "sealed bid": (
        'note = Tokens(seen="owner")',
        "def bid(s, n, amount: range(9)):\n    s.note[s.me] = amount",
        "",
        "",
    ),
    "card that was looked at": ('note = Tokens(seen="owner")', "", "", "s.note[s.me] = top(s.hand[other])"),
    "read by a helper for hidden cards": (
        "note = Row(9, each=True)\ndef _fits(s, n, seat, owner, place, card):\n    return s.note[seat, card] == 0\n"
        "secret = Hand(deck, fits=_fits)",
        "",
        "",
        "s.note[s.me, top(s.secret[other])] = 1",
    ),
}
PUBLIC = {  # what all players see, and stays an input
    "revealed card": (TOKENS, "", "", "s.note[s.me] = card"),
    "revealed draw": (COUNTER, "", "", "s.note = draw(s.deck, s.played)"),
    "number of cards": (TOKENS, "", "", "s.note[other] = size(s.hand[other])"),
    "declared": ('note = Tokens(seen="open")', "", "", "if has(s.hand[other], 3):\n        s.note[other] += 1"),
    "played by a helper": (TOKENS, "def _play(s, card):\n    s.note[s.me] += card", "", "_play(s, card)"),
    "read by a helper for hidden cards": (
        "note = Row(9, each=True)\ndef _fits(s, n, seat, owner, place, card):\n    return s.note[owner, card] == 0\n"
        "secret = Hand(deck, fits=_fits)", "", "", "s.note[other, top(s.secret[other])] = 1"),
}  # fmt: skip


def layout_of(folder, parts) -> Layout:
    path = folder / "game.py"
    path.write_text(GAME % parts)
    return Layout(read(path, load_module(path, "game")))


def seen(layout: Layout, name: str) -> set[str]:
    """The numbers of a component that the acting player sees, by owner."""
    return {one.partition("[")[0] for one in layout.names if one.startswith((name, f"owner of {name}"))}


@pytest.mark.parametrize("leak", PLANTED)
def test_a_planted_leak_is_found(leak, tmp_path):
    *parts, name = PLANTED[leak]
    layout = layout_of(tmp_path, tuple(parts))
    assert not seen(layout, name) and layout.hidden[name][0] == 0
    assert {"last", "wins of seat 0", "wins of seat 1"} <= seen(layout, "last") | seen(layout, "wins")


@pytest.mark.parametrize("leak", OWN)
def test_a_private_number_is_seen_by_its_owner_alone(leak, tmp_path):
    layout = layout_of(tmp_path, OWN[leak])
    assert seen(layout, "note") == {"note of seat 0"}


@pytest.mark.parametrize("number", PUBLIC)
def test_what_all_players_see_stays_an_input(number, tmp_path):
    layout = layout_of(tmp_path, PUBLIC[number])
    assert "note" not in layout.hidden and seen(layout, "note") in ({"note"}, {"note of seat 0", "note of seat 1"})


@pytest.mark.parametrize(
    ("declared", "why"),
    [
        ('note = Tokens(seen="others")', 'write "open", "owner" or "nobody"'),
        ('note = Counter(seen="owner")', "write each=True"),
    ],
)
def test_who_sees_a_number_is_declared_in_one_line(declared, why, tmp_path):
    with pytest.raises(UsageError, match=why):
        layout_of(tmp_path, (declared, "", "", ""))
