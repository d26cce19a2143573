"""Kuhn poker (Harold Kuhn 1950): one card of three each, one bet; the higher card or the last bet wins."""

from bartizan.short import *

players = 2
source = "article: Kuhn 1950, A simplified two-person poker"
ante, stake = Number(1, 1, 100, source), Number(1, 1, 100, source)


def _fits(s, n, seat, owner, place, card):
    return True  # cards are compared when the game ends


deck = Deck({"Jack": 1, "Queen": 1, "King": 1})
hand = Hand(deck, 1, fits=_fits)
pot, points = Tokens(), Tokens(seen="open")  # chips in the middle; chips won


def setup(s, n):
    s.pot[:] = n.ante
    deal(s, s.deck, s.hand, 1)


def _end(s, n, best):
    s.points[best] += s.pot[1 - best]
    s.points[1 - best] -= s.pot[1 - best]
    win(s, best, "the pot is won")


def _show(s, n):
    _end(s, n, int(top(s.hand[1]) > top(s.hand[0])))


def check(s, n):  # or fold, after a bet
    if s.pot[1 - s.me] > s.pot[s.me]:
        _end(s, n, 1 - s.me)
    elif s.me == 1:
        _show(s, n)
    else:
        next_player(s)


def bet(s, n):  # or call
    s.pot[s.me] += n.stake
    if s.pot[0] == s.pot[1]:
        _show(s, n)
    else:
        next_player(s)


def kuhn(s, n):
    """Plays one of the optimal strategies that Kuhn found, with probabilities in whole percent."""
    card, is_called = top(s.hand[s.me]), s.pot[1 - s.me] > s.pot[s.me]
    if card == QUEEN:
        return BET if is_called and maybe(s, 67 if s.me == 0 else 33) else CHECK
    return BET if card == KING or (not is_called and maybe(s, 33)) else CHECK
