"""Hanabi (Antoine Bauza, Abacusspiele 2010): five fireworks together, and nobody sees their own cards."""

from bartizan.short import *

players = (4, 2, 3, 5)
together = True
source = "rulebook of Hanabi, Abacusspiele 2010"
most_clues = Number(8, 1, 20, source)
most_fuses = Number(3, 1, 10, source)
COLOURS = ("White", "Yellow", "Green", "Blue", "Red")
TIMES = (3, 2, 2, 2, 1)  # copies of each 1, 2, 3, 4, 5


def _fits(s, n, seat, owner, place, card):
    return (s.may[owner, place] >> card // 5) & (s.may[owner, place] >> 5 + card % 5) & 1


deck = Deck([{"name": f"{c} {i + 1}", "copies": TIMES[i]} for c in COLOURS for i in range(5)], source=source)
hand, discards = Hand(deck, 5, seen="others", fits=_fits), Pile(deck)
shown = Pile(deck)
fireworks = Row(5)  # by colour, how high
may = Row(5, start=1023, each=True)  # of each card in hand, bits of what it may be: 5 colours, 5 ranks
heard = Row(5, each=True, seen="open")  # in which turn a clue last told of it
laid, tried = Row(5), Row(5)  # in which turn a colour last grew, and a rank was last tried
clues, fuses, last_turns = Counter(), Counter(), Counter()


def setup(s, n):
    s.clues, s.fuses = n.most_clues, n.most_fuses
    deal(s, s.deck, s.hand, 5 if s.players < 4 else 4)


def play(s, n, place: places(hand)):
    card = _taken(s, place)
    colour, rank = card // 5, card % 5
    s.tried[rank] = s.turn
    if s.fireworks[colour] == rank:
        put(s.shown, card)
        s.fireworks[colour] += 1
        s.laid[colour] = s.turn
        s.clues += rank == 4 and s.clues < n.most_clues
    else:
        put(s.discards, card)
        s.fuses -= 1
    if s.fuses == 0:
        lose(s, "the last fuse burns")
    elif s.fireworks.sum() == 25:
        win(s, s.me, "five whole fireworks")
    _end_turn(s)


def can_throw(s, n, place):
    return s.clues < n.most_clues


def throw(s, n, place: places(hand)):
    put(s.discards, _taken(s, place))
    s.clues += 1
    _end_turn(s)


def _taken(s, place):
    """Take the card from a place; the clues about the other cards move with them. Return the card."""
    last = size(s.hand[s.me]) - 1
    for i in range(place, last):
        s.may[s.me, i], s.heard[s.me, i] = s.may[s.me, i + 1], s.heard[s.me, i + 1]
    s.may[s.me, last], s.heard[s.me, last] = 1023, 0
    card = take(s.hand[s.me], place)
    draw(s.deck, s.hand[s.me])
    return card


def _end_turn(s):
    s.last_turns += empty(s.deck)
    if s.last_turns > s.players and s.end_reason == 0:
        tie(s, "the deck is used up")
    next_player(s)


def _is(card, what):
    return card // 5 == what or 5 + card % 5 == what


def can_clue(s, n, target, what):
    for card in cards(s.hand[target]):
        if _is(card, what):
            return s.clues > 0
    return False


def clue(s, n, target: others, what: range(10)):  # what: 0 to 4 a colour, 5 to 9 a rank
    frees = what > 4 and s.clues == n.most_clues and s.me == (target + 1) % s.players
    frees = frees and _is(cards(s.hand[target])[0], what)  # said only because nothing may be thrown away
    for place, card in enumerate(cards(s.hand[target])):
        if _is(card, what):
            s.may[target, place] &= 1 << what | (992 if what < 5 else 31)
            s.heard[target, place] = s.heard[target, place] if frees else s.turn
        else:
            s.may[target, place] &= ~(1 << what)
    s.clues -= 1
    _end_turn(s)


def score(s, n, who):
    return s.fireworks.sum()


def _only(bits):
    """Return the only bit that is set; NONE if there is not exactly one."""
    for i in range(5):
        if bits == 1 << i:
            return i
    return NONE


def _ready(s, p, place):
    """Return the rank of a clued card, unless a card played since then may be the same; otherwise 9."""
    colour, rank = _only(s.may[p, place] & 31), _only(s.may[p, place] >> 5)
    if s.heard[p, place] == 0:
        return 9
    if colour != NONE:
        return s.fireworks[colour] if s.laid[colour] < s.heard[p, place] else 9
    return rank if rank == 4 or s.tried[rank] < s.heard[p, place] else 9


def blind(s, n, legal):
    """Plays a card at random."""
    return any_of(s, legal[: size(s.hand[s.me])])  # they are listed first


def simple(s, n):
    """Plays the lowest card that a clue marked; otherwise gives such a clue, or discards the oldest card."""
    best, lowest = NONE, 9
    for place in range(size(s.hand[s.me])):
        if _ready(s, s.me, place) < lowest:
            best, lowest = place, _ready(s, s.me, place)
    if best != NONE:
        return PLAY(best)
    most, action = 0, THROW(0)
    for step in range(1, s.players if s.clues else 1):
        target = (s.me + step) % s.players
        for what in range(10):
            told = 0
            for place, card in enumerate(cards(s.hand[target])):
                if _is(card, what):
                    fits = s.fireworks[card // 5] == card % 5
                    told += (fits and _ready(s, target, place) == 9) if fits else -99
            if told > most:
                most, action = told, CLUE(target, what)
    right = (s.me + s.players - 1) % s.players
    if most == 0 and s.clues == n.most_clues:
        return CLUE(right, 5 + cards(s.hand[right])[0] % 5)
    return action
