"""No Thanks! (Thorsten Gimmler, Amigo 2004): take the card with its chips, or pay a chip to refuse it."""

from bartizan.short import *

players = (4, 3, 5)
source = "No Thanks!, Amigo 2004"
removed = Number(9, 0, 32, source)
chips_each = Number(11, 1, 55, source)
deck = Deck(range(3, 36))
offer, box = Pile(deck, 1), Pile(deck, seen="nobody")
taken = Pile(deck, each=True)
pot, chips = Counter(), Tokens()


def setup(s, n):
    s.chips[: s.players] = n.chips_each
    for _ in range(n.removed):
        draw(s.deck, s.box)
    draw(s.deck, s.offer)


def take_card(s, n):
    s.chips[s.me] += s.pot
    s.pot = 0
    draw(s.offer, s.taken[s.me])
    if draw(s.deck, s.offer) == NONE:
        win(s, leader(s, n), "the last card is taken")


def can_refuse(s, n):
    return s.chips[s.me] > 0


def refuse(s, n):
    s.chips[s.me] -= 1
    s.pot += 1
    next_player(s)


def score(s, n, who):
    points = s.chips[who]
    for card in cards(s.taken[who]):
        points -= 0 if has(s.taken[who], card - 1) else card
    return points


def thrifty(s, n):
    """Takes a card that continues a run, or that chips pay by half."""
    card, mine = top(s.offer), s.taken[s.me]
    fits = has(mine, card - 1) or has(mine, card + 1)
    return TAKE_CARD if fits or 2 * s.pot >= card or s.chips[s.me] == 0 else REFUSE
