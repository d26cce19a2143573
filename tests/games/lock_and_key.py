"""Lock and key: show three cards; who alone shows a lock and a key wins, else a throw decides."""

from bartizan.short import *

players = 2
deck = Deck(
    [
        {"name": "Lock", "copies": 8},
        {"name": "Key", "copies": 8},
        {"name": "Ant", "copies": 8},
        {"name": "Bee", "copies": 8},
    ]
)
hand, laid = Hand(deck), Pile(deck, each=True)


def setup(s, n):
    deal(s, s.deck, s.hand, 3)


def _opens(s, p):
    return 1 if has(s.laid[p], LOCK) and has(s.laid[p], KEY) else 0


def show(s, n):
    move_all(s.hand[s.me], s.laid[s.me])
    if s.me == 0:
        next_player(s)
        return
    lead, thrown = _opens(s, 0) - _opens(s, 1), die(s, 2) - 1
    win(s, 0 if lead > 0 else 1 if lead < 0 else thrown, "opened" if lead else "thrown for")


def plain(s, n):
    """Shows its cards."""
    return SHOW
