"""Love Letter (Seiji Kanai, Alderac 2012): hold the highest card at the end of the round, or be the last."""

from bartizan.short import *

players = (4, 3, 2)
source = "rulebook of Love Letter, Alderac 2012"
favour = Number(13, 1, 60, source)  # tokens that win: favour // players + 1, so 7, 5 or 4


def _saw(s, n, seat, owner, place):
    return s.saw[seat, owner] and place == 0


def _fits(s, n, seat, owner, place, card):
    return place > 0 or not s.never[owner, card]


deck = Deck("love_letter.csv", source=source)
hand = Hand(deck, 2, known=_saw, fits=_fits)
aside, removed = Pile(deck, seen="nobody"), Pile(deck)
played = Pile(deck, each=True)
safe, points = Tokens(), Tokens(seen="open")
saw = Row(4, each=True)  # by owner, 1 if a player knows the card in the first place: the other one is drawn
never = Row(8, each=True)  # by kind, 1 if all know that the card in the first place is another


def setup(s, n):
    s.out[:] = 0
    s.safe[:] = 0
    s.saw[:] = 0
    s.never[:] = 0
    draw(s.deck, s.aside)
    if s.players == 2:
        for _ in range(3):
            draw(s.deck, s.removed)
    deal(s, s.deck, s.hand, 1)


def start_turn(s, n):
    s.safe[s.me] = 0
    draw(s.deck, s.hand[s.me])


def _free(s, p):
    return p != s.me and not s.out[p] and not s.safe[p]


def _anybody_free(s):
    for p in range(s.players):
        if _free(s, p):
            return True
    return False


def can_play(s, n, card, target, guess):
    mine = s.hand[s.me]
    if card != COUNTESS and has(mine, COUNTESS) and (has(mine, KING) or has(mine, PRINCE)):
        return False
    if guess != PRIEST and (card != GUARD or guess == GUARD or target == s.me):
        return False  # only a Guard guesses; for all others the guess stands still
    if card == PRINCE:
        return target == s.me or _free(s, target)
    if card in (GUARD, PRIEST, BARON, KING) and _anybody_free(s):
        return _free(s, target)
    return target == s.me


def play(s, n, card: hand, target: everyone, guess: kinds(deck)):
    mine, other = s.hand[s.me], s.hand[target]
    _forget(s, s.me, card)
    move(mine, card, s.played[s.me])
    if card in (KING, PRINCE):
        s.never[s.me, COUNTESS] = 1  # who holds her with one of them must play her
    if card == HANDMAID:
        s.safe[s.me] = 1
    elif card == PRINCESS:
        _out(s, s.me)
    elif card == PRINCE:
        gone = top(other)
        _forget(s, target, gone)
        move(other, gone, s.played[target])
        if gone == PRINCESS:
            _out(s, target)
        elif draw(s.deck, other) == NONE:
            draw(s.aside, other)
    elif target != s.me:
        _ask(s, n, card, target, guess)
    if players_left(s) == 1 or empty(s.deck):
        _end_round(s, n)
    else:
        next_player(s)


def _ask(s, n, card, target, guess):
    mine, other = s.hand[s.me], s.hand[target]
    if card == GUARD and has(other, guess):
        _out(s, target)
    elif card == GUARD:
        s.never[target, guess] = 1
    else:
        s.saw[s.me, target] = 1
    if card == BARON and n.value[top(mine)] != n.value[top(other)]:
        loser = target if n.value[top(mine)] > n.value[top(other)] else s.me
        for kind in range(8):  # the winner's card is higher
            if n.value[kind] <= n.value[top(s.hand[loser])]:
                s.never[s.me + target - loser, kind] = 1
        _out(s, loser)
    elif card == BARON:
        s.saw[target, s.me] = 1
    elif card == KING:
        given = top(mine)
        draw(other, mine)
        move(mine, given, other)
        s.saw[:, s.me], s.saw[:, target] = 0, 0
        s.saw[s.me, target], s.saw[target, s.me] = 1, 1
        for kind in range(8):
            mine_never = s.never[s.me, kind]
            s.never[s.me, kind] = s.never[target, kind]
            s.never[target, kind] = mine_never


def _forget(s, p, card):
    if cards(s.hand[p])[0] == card:
        s.saw[:, p] = 0
    if not s.never[p, card]:  # else the card that was drawn is played
        s.never[p, :] = 0


def _out(s, p):
    move_all(s.hand[p], s.played[p])
    eliminate(s, p)


def _standing(s, n, p):
    total = 0
    for card in cards(s.played[p]):
        total += n.value[card]
    return -1 if s.out[p] else 1000 * n.value[top(s.hand[p])] + total


def _end_round(s, n):
    best = s.me
    for p in range(s.players):
        if _standing(s, n, p) > _standing(s, n, best):
            best = p
    s.points[best] += 1
    for p in range(s.players):
        move_all(s.hand[p], s.deck)
        move_all(s.played[p], s.deck)
    if s.points[best] > n.favour // s.players:
        win(s, best, "enough tokens of affection")
    move_all(s.aside, s.deck)
    move_all(s.removed, s.deck)
    shuffle(s, s.deck)
    setup(s, n)
    pass_to(s, best)


def sage(s, n):
    """Accuses a player whose card it knows, or guesses the most common unseen card; plays its lower card."""
    mine, common, most = s.hand[s.me], PRIEST, 0
    for kind in range(PRIEST, PRINCESS + 1):
        left = n.deck_copies[kind] - count(mine, kind) - count(s.removed, kind)
        for p in range(s.players):
            left -= count(s.played[p], kind)
        if left > most:
            common, most = kind, left
    for step in range(1, s.players):
        target = (s.me + step) % s.players
        known = top(s.hand[target]) if s.saw[s.me, target] else NONE
        if known > GUARD and has(mine, GUARD) and can_play(s, n, GUARD, target, known):
            return PLAY(GUARD, target, known)
    for card in (cards(mine).min(), cards(mine).max()):
        for step in range(1, s.players + 1):
            target = (s.me + step) % s.players
            guess = common if card == GUARD and target != s.me else PRIEST
            if not s.out[target] and can_play(s, n, card, target, guess):
                return PLAY(card, target, guess)
    return PLAY(top(mine), s.me, PRIEST)
