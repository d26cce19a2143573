"""The words of cards for games in which hidden cards differ in where they may have come from.

Hidden piles, and those that are shuffled, carry marks: they have twice the length, and 64 bits. Behind the
cards lies a mark for each of them, and behind the size the seats that see the pile. A mark says

- which seats know the card (a bit each): those who saw it in some pile since it was last shuffled;
- its group: to everybody else, all ways to distribute the cards of a group over its places are equally
likely;
- whether a rule has searched a pile that nobody sees: its order is then no longer uniform.

A card keeps its mark wherever it is moved. A shuffle gives all cards of a pile one group (`regroup`).
"""

from bartizan.simcore.compile.jit import bind, inline, jit
from bartizan.simcore.short import words
from bartizan.simcore.short.words import NONE

ALL = (1 << 10) - 1  # every seat: there are at most ten
GROUP = 1 << 10  # the bits from here on hold the group
SEARCHED = 1 << 30
GROUPS = 1 << 19  # numbers of groups are used again after so many shuffles
NO_GROUP = -1


# ---------------------------------------------------------------- words of rules


@inline
def has_marks(pile):
    """Of every other pile everybody knows every card. Compiled code knows it beforehand."""
    return pile.itemsize == 8


@inline
def mark_at(pile, i):
    """The mark of the card in place `i` (from 1)."""
    return pile[len(pile) // 2 + i] if has_marks(pile) else ALL


@inline
def add(pile, card, mark):
    """Lay a card with its mark on top. Raises IndexError for a full pile. Modifies `pile`."""
    if has_marks(pile):
        room = len(pile) // 2
        if pile[0] + 1 >= room:
            raise IndexError("a card is put onto a full pile: Pile(deck, 5) has room for 5")
        pile[0] += 1
        pile[pile[0]] = card
        pile[room + pile[0]] = mark | pile[room]
    else:
        words.put(pile, card)


@jit
def put(pile, card):
    """Lay a card on top, which everybody knows; NONE is none. Modifies `pile`."""
    if card != NONE:
        add(pile, card, ALL)


@jit
def take(pile, place):
    """Take out the card in a place, 0 the first; the others close up. Returns it. Modifies `pile`."""
    if has_marks(pile):
        room = len(pile) // 2
        for i in range(room + 1 + place, room + pile[0]):
            pile[i] = pile[i + 1]
    return words.take(pile, place)


@jit
def carry(target, pile, place):
    """`put(target, take(pile, place))`. Modifies both."""
    mark = mark_at(pile, 1 + place)
    add(target, take(pile, place), mark)


@jit
def move(pile, card, target):
    """One card of a kind goes from one pile onto another; True if there was one. Modifies both."""
    for i in range(pile[0]):
        if pile[1 + i] == card:
            mark = mark_at(pile, 1 + i)
            take(pile, i)
            if mark_at(pile, 0) == 0:  # nobody sees the pile: the rule looked through it and named the card
                search(pile)
                mark |= ALL
            add(target, card, mark)
            return True
    return False


discard = move


@jit
def search(pile):
    """Note that a rule took a named card out. Modifies `pile`."""
    room = len(pile) // 2
    for i in range(room + 1, room + 1 + pile[0]):
        if pile[i] & ALL != ALL:
            pile[i] |= SEARCHED


@jit
def move_all(pile, target):
    """Every card goes onto another pile; onto the same pile none. Modifies both."""
    n, pile[0] = pile[0], 0
    for i in range(1, 1 + n):  # read and cleared before it is put: the target may be the pile itself
        card, mark, pile[i] = pile[i], mark_at(pile, i), 0
        add(target, card, mark)


@jit
def draw(pile, target):
    """The top card goes onto another pile; returns it, NONE of an empty pile. Modifies both."""
    n = pile[0]
    if n == 0:
        return NONE
    card = pile[n]
    pile[0], pile[n] = n - 1, 0
    add(target, card, mark_at(pile, n))
    return card


deal = jit(bind(getattr(words.deal, "py_func", words.deal), "marks", draw=draw))


# ---------------------------------------------------------------- what a shuffle does to the marks


@jit
def is_uniform(pile):
    """Do all cards have one and the same mark?"""
    room = len(pile) // 2
    for i in range(room + 2, room + 1 + pile[0]):
        if pile[i] != pile[room + 1]:
            return False
    return True


@jit
def is_secret(pile, who):
    """Does no seat of `who` (bits) know any of the cards, and has no rule searched the pile?"""
    room = len(pile) // 2
    for i in range(room + 1, room + 1 + pile[0]):
        if pile[i] & who != 0 or pile[i] >= SEARCHED:
            return False
    return True


@jit
def group_of(mark):
    return (mark & (SEARCHED - 1)) // GROUP


@jit
def group_at(pile, i):
    """The group of the card in place `i` (from 1)."""
    return group_of(mark_at(pile, i))


@jit
def members(pile, group, who):
    """How many cards of a group (NO_GROUP: of any) lie here that no seat of `who` (bits) knows."""
    room, n = len(pile) // 2, 0
    for i in range(room + 1, room + 1 + pile[0]):
        n += pile[i] & who == 0 and (group == NO_GROUP or group_of(pile[i]) == group)
    return n


@jit
def common_group(pile):
    """The group of all cards that somebody does not know, NO_GROUP if they are of several or there are
    none.
    """
    room, group = len(pile) // 2, NO_GROUP
    for i in range(room + 1, room + 1 + pile[0]):
        if pile[i] & ALL != ALL:
            if group != NO_GROUP and group_of(pile[i]) != group:
                return NO_GROUP
            group = group_of(pile[i])
    return group


@jit
def seat_bits(seat):
    """The bit of a seat; of `NONE`: all of them, who put what they know together."""
    return ALL if seat < 0 else 1 << seat


@jit
def seat_place(seat):
    """The bit of a seat, and of `NONE`, in `mixed_for`."""
    return 10 if seat < 0 else seat


@jit
def set_marks(pile, group):
    """All cards become one group that nobody knows. Modifies `pile`."""
    room = len(pile) // 2
    for i in range(room + 1, room + 1 + pile[0]):
        pile[i] = group * GROUP


@jit
def look(pile):
    """Whoever sees the pile knows its cards. Modifies `pile`."""
    room = len(pile) // 2
    for i in range(room + 1, room + 1 + pile[0]):
        pile[i] |= pile[room]


@jit
def fresh_group(s):
    s.last_group = s.last_group % GROUPS + 1
    return s.last_group


# ---------------------------------------------------------------- for generated code


@jit
def set_viewers(pile, seats):
    """Which seats (bits) see the pile. Modifies `pile`."""
    pile[len(pile) // 2] = seats


@jit
def fill(s, pile, copies, is_shuffled):
    """A deck at the start: unless it is shuffled everybody knows it. Modifies `pile` and `s`."""
    for card in range(len(copies)):
        for _ in range(copies[card]):
            put(pile, card)
    if is_shuffled:
        words.shuffle(s, pile)
        set_marks(pile, fresh_group(s))
        s.is_unlooked = 1


@jit
def is_hidden(pile, i, who):
    """Does no seat of `who` (bits) know the card in place `i` (from 1)?"""
    return mark_at(pile, i) & who == 0


@jit
def is_searched(pile, i):
    return mark_at(pile, i) >= SEARCHED


@jit
def lift(pile, i, pool, is_mixed):
    """Note a card that is about to be dealt anew, with its group, and leave its place empty. Modifies
    both.
    """
    words.put(pool, _group(pile, i, is_mixed) << 16 | pile[i])
    pile[i] = NONE


@jit
def may_lie(pile, i, key, is_mixed):
    """Is a card of the pool of the group of an empty place?"""
    return key >> 16 == _group(pile, i, is_mixed)


@jit
def refill(pile, pool, is_mixed):
    """Deal the pool into the empty places, each group into its own. Modifies both."""
    for i in range(1, 1 + pile[0]):
        if pile[i] == NONE:
            k = pool[0]
            while not may_lie(pile, i, pool[k], is_mixed):
                k -= 1
            pile[i] = words.take(pool, k - 1) & 0xFFFF


@jit
def _group(pile, i, is_mixed):
    """The group of a place; 0 of every place where the game says itself what fits."""
    return 0 if is_mixed else group_at(pile, i)
