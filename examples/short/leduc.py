"""Leduc poker (Southey and others 2005): six cards, two rounds of bets, one card for both players."""

from bartizan.short import *

players = 2
source = "article: Southey and others 2005, Bayes' bluff"
ante, low_bet, high_bet = Number(1, 1, 100, source), Number(2, 1, 100, source), Number(4, 1, 100, source)
most_bets = Number(2, 1, 10, source)  # of a round


def _fits(s, n, seat, owner, place, card):
    return True  # cards are compared when the game ends


deck = Deck({"Jack": 2, "Queen": 2, "King": 2})
hand, shared = Hand(deck, 1, fits=_fits), Pile(deck)
pot, points = Tokens(), Tokens(seen="open")  # chips in the middle; chips won
bets, asked = Counter(), Counter()  # of this round; 1 if one player has been asked
opener = Counter()  # who bet first before the card was shared: 0 nobody, 1 or 2; players remember it


def setup(s, n):
    s.pot[:] = n.ante
    deal(s, s.deck, s.hand, 1)


def _end(s, n, best):
    s.points[best] += s.pot[1 - best]
    s.points[1 - best] -= s.pot[1 - best]
    win(s, best, "the pot is won")


def _strength(s, p):
    card = top(s.hand[p])
    return card + 10 * (card == top(s.shared))


def _close(s, n):
    s.bets, s.asked = 0, 0
    if empty(s.shared):
        draw(s.deck, s.shared)
        pass_to(s, 0)
    elif _strength(s, 0) == _strength(s, 1):
        tie(s, "the pot is split")
    else:
        _end(s, n, int(_strength(s, 1) > _strength(s, 0)))


def can_fold(s, n):
    return s.pot[1 - s.me] > s.pot[s.me]


def fold(s, n):
    _end(s, n, 1 - s.me)


def call(s, n):  # or check
    s.pot[s.me] = s.pot[1 - s.me]
    if s.asked:
        _close(s, n)
    else:
        s.asked = 1
        next_player(s)


def can_bet(s, n):
    return s.bets < n.most_bets


def bet(s, n):  # or raise
    s.pot[s.me] = s.pot[1 - s.me] + (n.low_bet if empty(s.shared) else n.high_bet)
    if empty(s.shared) and s.bets == 0:
        s.opener = 1 + s.me
    s.bets += 1
    s.asked = 1
    next_player(s)


def honest(s, n):
    """Bets with a pair or a King, folds a Jack without a pair after a bet, otherwise calls."""
    card = top(s.hand[s.me])
    if (card == KING or card == top(s.shared)) and can_bet(s, n):
        return BET
    return FOLD if card == JACK and card != top(s.shared) and can_fold(s, n) else CALL
