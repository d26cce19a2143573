"""The functions for cards in games whose hidden cards differ in the places they may have come from.

Hidden piles and shuffled piles have marks. Their arrays have 64-bit numbers and twice the length. In the
second half, the first number contains the seats that see the pile (a bit each), and each further number is
the mark of the card at the same place in the first half. A mark contains

- the seats (a bit each) that know the card, because they have seen it in a pile since it was last shuffled;
- its group: to all other seats, all distributions of the cards of a group over its places are equally likely;
- whether a rule has searched a pile that nobody sees: its order is then no longer uniform.

A card keeps its mark when it is moved. A shuffle gives all cards of a pile one group (`regroup`). Functions
that move cards or change marks modify the piles, and the state, that they receive.
"""

from bartizan.simcore.compile.jit import bind, inline, jit
from bartizan.simcore.short import words
from bartizan.simcore.short.words import NONE

ALL = (1 << 10) - 1  # every seat: there are at most ten
GROUP = 1 << 10  # the bits from here contain the group
SEARCHED = 1 << 30
GROUPS = 1 << 19  # group numbers are reused after this many shuffles
NO_GROUP = -1


# ---------------------------------------------------------------- words of rules


@inline
def has_marks(pile):
    """Return whether a pile has marks.

    In a pile without marks, all players know all cards. The result is a constant in compiled code.
    """
    return pile.itemsize == 8


@inline
def mark_at(pile, i):
    """Return the mark of the card at index `i`, from 1."""
    return pile[len(pile) // 2 + i] if has_marks(pile) else ALL


@inline
def add(pile, card, mark):
    """Put a card with its mark on top. Raises IndexError for a full pile."""
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
    """Put a card on top of a pile; all players know which card it is. Do nothing if `card` is NONE."""
    if card != NONE:
        add(pile, card, ALL)


@jit
def take(pile, place):
    """Take out the card at an index, from 0, and close the gap. Returns the card."""
    if has_marks(pile):
        room = len(pile) // 2
        for i in range(room + 1 + place, room + pile[0]):
            pile[i] = pile[i + 1]
    return words.take(pile, place)


@jit
def carry(target, pile, place):
    """Move the card at `place` to `target`, with its mark."""
    mark = mark_at(pile, 1 + place)
    add(target, take(pile, place), mark)


@jit
def move(pile, card, target):
    """Move one card of a kind from one pile onto another; return whether there was one."""
    for i in range(pile[0]):
        if pile[1 + i] == card:
            mark = mark_at(pile, 1 + i)
            take(pile, i)
            if mark_at(pile, 0) == 0:  # nobody sees the pile: the rule searched it and named the card
                search(pile)
                mark |= ALL
            add(target, card, mark)
            return True
    return False


discard = move


@jit
def search(pile):
    """Record that a rule took a named card out of the pile."""
    room = len(pile) // 2
    for i in range(room + 1, room + 1 + pile[0]):
        if pile[i] & ALL != ALL:
            pile[i] |= SEARCHED


@jit
def move_all(pile, target):
    """Move every card onto another pile. Does nothing if both are the same pile."""
    n, pile[0] = pile[0], 0
    for i in range(1, 1 + n):  # read and cleared before it is put: the target may be the pile itself
        card, mark, pile[i] = pile[i], mark_at(pile, i), 0
        add(target, card, mark)


@jit
def draw(pile, target):
    """Move the top card onto another pile. Return the card, or NONE for an empty pile."""
    n = pile[0]
    if n == 0:
        return NONE
    card = pile[n]
    pile[0], pile[n] = n - 1, 0
    add(target, card, mark_at(pile, n))
    return card


deal = jit(bind(getattr(words.deal, "py_func", words.deal), "marks", draw=draw))


@jit
def swap_piles(pile, other):
    """Exchange the cards of two piles, with their marks."""
    n = max(pile[0], other[0])
    words.swap_piles(pile, other)
    if has_marks(pile):
        room = len(pile) // 2
        for i in range(room + 1, room + 1 + n):
            pile[i], other[i] = other[i], pile[i]


@jit
def look_at_hands(s, hands):
    """Record that each seat that sees a player's pile knows the cards in it."""
    for p in range(s.players):
        if has_marks(hands[p]):
            look(hands[p])


@jit
def pass_left(s, hands):
    """Pass the cards of every player to the next player.

    The seats that see a player's pile then know its cards.
    """
    moved_left(s, hands)
    look_at_hands(s, hands)


@jit
def pass_right(s, hands):
    """Pass the cards of every player to the previous player, as `pass_left` does."""
    moved_right(s, hands)
    look_at_hands(s, hands)


moved_left, moved_right = (
    jit(bind(getattr(word, "py_func", word), "marks", swap_piles=swap_piles))
    for word in (words.pass_left, words.pass_right)
)


# ---------------------------------------------------------------- effects of a shuffle on the marks


@jit
def is_uniform(pile):
    """Return whether all cards have the same mark."""
    room = len(pile) // 2
    for i in range(room + 2, room + 1 + pile[0]):
        if pile[i] != pile[room + 1]:
            return False
    return True


@jit
def is_secret(pile, who):
    """Return whether no seat of `who` (bits) knows any of the cards, and no rule has searched the pile."""
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
    """Return the group of the card at index `i`, from 1."""
    return group_of(mark_at(pile, i))


@jit
def members(pile, group, who):
    """Return the number of cards of a group in the pile that no seat of `who` (bits) knows.

    group: NO_GROUP for any group.
    """
    room, n = len(pile) // 2, 0
    for i in range(room + 1, room + 1 + pile[0]):
        n += pile[i] & who == 0 and (group == NO_GROUP or group_of(pile[i]) == group)
    return n


@jit
def common_group(pile):
    """Return the group of all cards that some seat does not know.

    Returns NO_GROUP if there are several groups or none.
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
    """Return the bit of a seat. For `NONE`, return all bits, which combine the knowledge of all seats."""
    return ALL if seat < 0 else 1 << seat


@jit
def seat_place(seat):
    """Return the index of a seat's bit in `mixed_for`; `NONE` has a bit of its own."""
    return 10 if seat < 0 else seat


@jit
def set_marks(pile, group):
    """Put all cards into one group, and record that no seat knows them."""
    room = len(pile) // 2
    for i in range(room + 1, room + 1 + pile[0]):
        pile[i] = group * GROUP


@jit
def look(pile):
    """Record that the seats that see the pile know its cards."""
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
    """Set the seats (bits) that see the pile."""
    pile[len(pile) // 2] = seats


@jit
def fill(s, pile, copies, is_shuffled):
    """Fill a deck with `copies[kind]` cards of each kind at the start.

    All players know its cards unless it is shuffled.
    """
    for card in range(len(copies)):
        for _ in range(copies[card]):
            put(pile, card)
    if is_shuffled:
        words.shuffle(s, pile)
        set_marks(pile, fresh_group(s))
        s.is_unlooked = 1


@jit
def is_hidden(pile, i, who):
    """Return whether no seat of `who` (bits) knows the card at index `i`, from 1."""
    return mark_at(pile, i) & who == 0


@jit
def is_searched(pile, i):
    return mark_at(pile, i) >= SEARCHED


@jit
def lift(pile, i, pool, is_mixed):
    """Move a card, with its group, to the pool of cards to be redealt; its place becomes empty (NONE)."""
    words.put(pool, _group(pile, i, is_mixed) << 16 | pile[i])
    pile[i] = NONE


@jit
def belongs_at(pile, i, key, is_mixed):
    """Return whether a card of the pool (`key`) belongs to the group of the empty place at index `i`."""
    return key >> 16 == _group(pile, i, is_mixed)


@jit
def refill(pile, pool, is_mixed):
    """Deal the cards of the pool into the empty places, each group into its own places."""
    for i in range(1, 1 + pile[0]):
        if pile[i] == NONE:
            k = pool[0]
            while not belongs_at(pile, i, pool[k], is_mixed):
                k -= 1
            pile[i] = words.take(pool, k - 1) & 0xFFFF


@jit
def _group(pile, i, is_mixed):
    """Return the group of the card at a place.

    If `is_mixed`, return 0, because the helper `fits` alone decides where cards may be.
    """
    return 0 if is_mixed else group_at(pile, i)
