"""The functions for the rules of short games. All are compiled, and are also available in the full form.

A pile is an array whose first number is its size. A kind of card is an integer from 0.

Functions that draw random numbers, move cards, write numbers or change the course of a game modify the state,
piles, rows and grids that they receive. The functions for policies, `any_of` and `maybe`, change nothing.
"""

import numpy as np

from bartizan.simcore import rng
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.compile.rules import HOUSE, NOBODY, PLAYING
from bartizan.simcore.kit.journal import log
from bartizan.simcore.kit.piles import shuffle as shuffle_part

__all__ = [
    *("NOBODY", "NONE", "adjacent", "answered", "any_of", "ask_player", "at", "cards", "chance", "column_of"),
    *("count", "deal", "die"),
    *("discard", "distance", "draw", "draw_or_reshuffle", "eliminate", "empty", "has", "in_a_row", "lay"),
    *(
        "leader",
        "line_through",
        "longest_route",
        "longest_run",
        "lose",
        "maybe",
        "most_of_a_kind",
        "move",
        "move_all",
    ),
    *(
        "neighbour",
        "next_player",
        "pass_to",
        "player_after",
        "pass_left",
        "pass_right",
        "players_left",
        "put",
        "region",
        "roll_all",
        "row_of",
    ),
    *("say", "shuffle", "size", "steps", "take", "tie", "times", "top", "who_has", "win"),
]
NONE = -1  # no card, no cell, no player
DICE, CARDS = 0, 1  # random streams
WON, LOST, TIED, FIRST_REASON = 3, 4, 5, 6  # end reasons
ANSWERING, DONE = 1, 2  # the player to move was asked, or is done; 0: the player whose turn it is decides
MASKED = 62  # largest number of cells of a set that is a bit mask
ATTEMPTS = 20_000  # attempts to find a deal that fits
NO_CARD = -(1 << 62)  # a number that no pile contains
THROWN, SAID = 0, 1  # events of the log; texts are numbered from SAID


# ---------------------------------------------------------------- luck


@jit
def die(s, sides):
    """Return a die roll from 1 to `sides`. Raises ValueError for a die without sides."""
    if sides < 1:
        raise ValueError("die(s, sides): a die has at least 1 side: give sides of 1 or more")
    pips = rng.die(s, DICE, sides)
    log(s, THROWN, pips)
    return pips


@jit
def roll_all(s, dice, sides):
    """Roll every die of a pool (a Row)."""
    for i in range(len(dice)):
        dice[i] = die(s, sides)


@jit
def chance(s, percent):
    """Return True with a probability of `percent` / 100."""
    return rng.below(s, DICE, 100) < percent


@jit
def any_of(s, legal):
    """Return a uniformly random action for a policy.

    Repeated calls return the same action. Raises IndexError if no action is legal.
    """
    if len(legal) == 0:
        raise IndexError("any_of(s, legal): the list of actions is empty: call it with at least one action")
    return legal[rng.policy_below(s, 0, len(legal))]


@jit
def maybe(s, percent, toss=0):
    """Return True with a probability of `percent` / 100, for a policy.

    Repeated calls return the same value. toss: a different number for each draw within one decision.
    """
    return rng.policy_below(s, 1 + toss, 100) < percent


# ---------------------------------------------------------------- cards


@jit
def size(pile):
    """Return the number of cards in a pile."""
    return pile[0]


@jit
def empty(pile):
    return pile[0] == 0


@jit
def cards(pile):
    """Return the cards, top card last, for loops such as `for card in cards(s.hand[s.me])`."""
    return pile[1 : 1 + pile[0]]


@jit
def top(pile):
    """Return the top card; NONE for an empty pile."""
    return pile[pile[0]] if pile[0] > 0 else NONE


@jit
def count(pile, card):
    """Return the number of cards of a kind in a pile."""
    n = 0
    for i in range(1, 1 + pile[0]):
        n += pile[i] == card
    return n


@jit
def has(pile, card):
    i, end = 1, 1 + pile[0]
    while i + 8 <= end:  # eight at a time, compared together
        is_there = False
        for k in range(i, i + 8):
            is_there |= pile[k] == card
        if is_there:
            return True
        i += 8
    while i < end:
        if pile[i] == card:
            return True
        i += 1
    return False


@jit
def who_has(s, hands, card):
    """Return the first player who holds a card of a kind; NONE if there is none."""
    for p in range(s.players):
        if has(hands[p], card):
            return p
    return NONE


@jit
def put(pile, card):
    """Put a card on top. NONE puts no card. Raises IndexError for a full pile."""
    if card != NONE:
        if pile[0] + 1 >= len(pile):
            raise IndexError("a card is put onto a full pile: Pile(deck, 5) has room for 5")
        pile[0] += 1
        pile[pile[0]] = card


@jit
def take(pile, place):
    """Take out the card at an index, from 0, and close the gap.

    Returns the card. Raises IndexError for an index without a card.
    """
    if place < 0 or place >= pile[0]:
        raise IndexError("take(pile, place): no card in this place; use 0 to size(pile) - 1")
    card, last, one = pile[1 + place], pile[0], np.uint64(1)
    # unsigned indices need no check for negative values: two at a time
    for i in range(np.uint64(1 + place), np.uint64(last)):
        pile[i] = pile[i + one]
    pile[last] = 0
    pile[0] = last - 1
    return card


@jit
def move(pile, card, target):
    """Move one card of a kind from one pile onto another. Return whether there was one."""
    for i in range(pile[0]):
        if pile[1 + i] == card:
            put(target, take(pile, i))
            return True
    return False


discard = move


@jit
def move_all(pile, target):
    """Move every card onto another pile. Does nothing if both are the same pile."""
    n, pile[0] = pile[0], 0
    if target[0] + n >= len(target):
        for i in range(n):
            card, pile[1 + i] = pile[1 + i], 0
            put(target, card)
        return
    last = target[0]
    for i in range(n):  # read and cleared before it is put: the target may be the pile itself
        card, pile[1 + i] = pile[1 + i], 0
        if card != NONE:
            last += 1
            target[last] = card
    target[0] = last


@jit
def draw(pile, target):
    """Move the top card onto another pile. Return the card, or NONE for an empty pile."""
    if pile[0] == 0:
        return NONE
    card = take(pile, pile[0] - 1)
    put(target, card)
    return card


@jit
def shuffle(s, pile):
    """Shuffle a pile uniformly."""
    shuffle_part(s, CARDS, pile, 1, 1 + pile[0])


@jit
def draw_or_reshuffle(s, pile, discards, target):
    """Draw as `draw` does. If the pile is empty, first shuffle the discards into it."""
    if pile[0] == 0:
        move_all(discards, pile)
        shuffle(s, pile)
    return draw(pile, target)


@jit
def deal(s, pile, hands, number):
    """Deal `number` cards, one at a time, to every player who is not eliminated."""
    for _ in range(number):
        for p in range(s.players):
            if not s.out[p]:
                draw(pile, hands[p])


@jit
def pass_left(s, hands):
    """Pass the cards of every player to the next player in turn order. Eliminated players are skipped."""
    first = player_after(s, s.players - 1)
    p = player_after(s, first)
    while p != first:
        swap_piles(hands[first], hands[p])
        p = player_after(s, p)


@jit
def pass_right(s, hands):
    """Pass the cards of every player to the previous player, as `pass_left` does."""
    first = player_after(s, s.players - 1)
    p, other = first, player_after(s, first)
    while other != first:
        swap_piles(hands[p], hands[other])
        p, other = other, player_after(s, other)


@jit
def most_of_a_kind(pile):
    """Return the size of the largest set of equal cards: 3 for three of a kind."""
    most = 0
    for i in range(1, 1 + pile[0]):
        most = max(most, count(pile, pile[i]))
    return most


@jit
def longest_run(pile):
    """Return the length of the longest run of consecutive kinds: 4 for the cards 3, 4, 5, 6."""
    longest = 0
    for i in range(1, 1 + pile[0]):
        n = 1
        while has(pile, pile[i] + n):
            n += 1
        longest = max(longest, n)
    return longest


# ---------------------------------------------------------------- rows and grids


@jit
def times(row, value):
    """Return the number of entries of a row or grid that equal `value`.

    Examples are dice that show 6, and free cells.
    """
    n = 0
    for i in range(row.size):
        n += row.flat[i] == value
    return n


@jit
def at(grid, cell):
    """Return the number in a cell. Raises IndexError for NONE, and for a cell outside the grid."""
    if cell < 0 or cell >= grid.size:
        raise IndexError("at(grid, cell): no such cell: use cells of the grid, and test for NONE first")
    return grid.flat[cell]


@jit
def lay(grid, cell, value):
    """Put a number into a cell. Raises IndexError as `at` does."""
    if cell < 0 or cell >= grid.size:
        raise IndexError(
            "lay(grid, cell, value): no such cell: use cells of the grid, and test for NONE first"
        )
    grid.flat[cell] = value


@jit
def _check_cell(grid, cell):
    if cell < 0 or cell >= grid.size:
        raise IndexError("no such cell: use cells of the grid, and test for NONE first")


@jit
def row_of(grid, cell):
    """Return the row of a cell. Raises IndexError as `at` does."""
    _check_cell(grid, cell)
    return cell // grid.shape[1]


@jit
def column_of(grid, cell):
    """Return the column of a cell. Raises IndexError as `at` does."""
    _check_cell(grid, cell)
    return cell % grid.shape[1]


@jit
def neighbour(grid, cell, direction):
    """Return the neighbour of a cell in a direction; NONE outside the grid, and for a cell outside.

    direction: 0 up, 1 right, 2 down, 3 left, 4 to 7 the diagonals.
    """
    if cell < 0 or cell >= grid.size:
        return NONE
    row, column = cell // grid.shape[1], cell % grid.shape[1]
    if direction in (0, 4, 7):
        row -= 1
    elif direction in (2, 5, 6):
        row += 1
    if direction in (1, 4, 5):
        column += 1
    elif direction in (3, 6, 7):
        column -= 1
    if row < 0 or column < 0 or row >= grid.shape[0] or column >= grid.shape[1]:
        return NONE
    return row * grid.shape[1] + column


@jit
def distance(grid, one, other):
    """Return the number of steps (up, down, left and right) from one cell to another."""
    return abs(row_of(grid, one) - row_of(grid, other)) + abs(column_of(grid, one) - column_of(grid, other))


@jit
def line_through(grid, cell, value):
    """Return the length of the longest straight or diagonal line of cells with `value` through a cell.

    The cell must contain this value.
    """
    longest, rows, columns = 0, grid.shape[0], grid.shape[1]
    row, column = row_of(grid, cell), column_of(grid, cell)
    for down, right in ((1, 0), (0, 1), (1, 1), (1, -1)):
        n = 1
        for way in (1, -1):
            i, j = row + way * down, column + way * right
            while 0 <= i < rows and 0 <= j < columns and grid.flat[i * columns + j] == value:
                n += 1
                i, j = i + way * down, j + way * right
        longest = max(longest, n)
    return longest


@jit
def in_a_row(grid, cell, value, length):
    """Return whether a line of at least `length` cells with `value` runs through a cell.

    The line is straight or diagonal. The cell must contain this value.
    """
    return line_through(grid, cell, value) >= length


@jit
def adjacent(grid, one, other, aslant=False):
    """Return whether two cells share a side or, with `aslant`, a corner."""
    columns, size = grid.shape[1], grid.size
    if 0 <= one < size and 0 <= other < size:
        apart = abs(one - other)
        if apart == columns:
            return True
        if not (aslant and columns - 1 <= apart <= columns + 1):
            return apart == 1 and max(one, other) % columns != 0
        rows = abs(one // columns - other // columns)
        return rows <= 1 and abs(one % columns - other % columns) <= 1 and apart != 0
    return False


@jit
def region(grid, cell):
    """Return the number of cells connected to a cell by sides through cells with the same number.

    Raises IndexError as `at` does.
    """
    _check_cell(grid, cell)
    if grid.size > MASKED:
        return _flood(grid, cell, NONE, grid.flat[cell], grid.flat[cell])[0]
    alike, ahead, n = _cells_with(grid, grid.flat[cell], grid.flat[cell]), 1 << cell, 1
    while ahead != 0:
        alike &= ~ahead
        ahead = _beside(grid, ahead) & alike
        left = ahead
        while left != 0:
            left &= left - 1
            n += 1
    return n


@jit
def steps(grid, cell, goal, least, most):
    """Return the smallest number of steps from one cell to another; NONE if there is no way.

    Steps go by sides, through cells with values from `least` to `most`. Raises IndexError for a start outside
    the grid.
    """
    _check_cell(grid, cell)
    if grid.size > MASKED:
        return _flood(grid, cell, goal, least, most)[1]
    if cell == goal:
        return 0
    if goal < 0 or goal >= grid.size:
        return NONE
    free, ahead, n = _cells_with(grid, least, most), 1 << cell, 0
    while ahead != 0:
        free &= ~ahead
        near = _beside(grid, ahead)
        n += 1
        if near >> goal & 1:
            return n
        ahead = near & free
    return NONE


# sets of cells as bit masks


@jit
def _cells_with(grid, least, most):
    """Return the cells with values from `least` to `most`, as a bit mask."""
    found = 0
    for i in range(grid.size):
        found |= (least <= grid.flat[i] <= most) << i
    return found


@jit
def _beside(grid, cells):
    """Return the cells that share a side with some cells. Both are bit masks."""
    columns, all_cells = grid.shape[1], (1 << grid.size) - 1
    first = 0
    for row in range(grid.shape[0]):
        first |= 1 << row * columns
    last = first << columns - 1
    found = cells << columns | cells >> columns | (cells & ~last) << 1 | (cells & ~first) >> 1
    return found & all_cells


@jit
def _flood(grid, cell, goal, least, most):
    """Return the number of connected cells, and the number of steps to the goal (NONE if there is no way).

    Only cells with values from `least` to `most` are connected.
    """
    away, ahead = np.full(grid.size, NONE), np.zeros(grid.size, np.int64)
    ahead[0], away[cell], n, at = cell, 0, 1, 0
    while at < n:
        for direction in range(4):
            other = neighbour(grid, ahead[at], direction)
            if other != NONE and away[other] == NONE:
                if other == goal:
                    return n, away[ahead[at]] + 1
                if least <= grid.flat[other] <= most:
                    away[other], ahead[n] = away[ahead[at]] + 1, other
                    n += 1
        at += 1
    return n, np.int64(0 if cell == goal else NONE)


# ---------------------------------------------------------------- networks on a board


@jit
def longest_route(ends, owner, who, holder):
    """Return the number of connections in the longest route of one owner.

    A route uses a connection at most once. It cannot pass through a space whose holder is neither 0 nor
    `who`. ends: the two spaces of each connection, as read from a `Board`. owner: the number of the owner of
    each connection. who: the number of the owner of the route. holder: the number of the holder of each
    space.
    """
    mine, n = np.zeros(len(ends), np.int64), 0
    for link in range(len(ends)):
        if owner[link] == who:
            mine[n] = link
            n += 1
    is_used, path, place = np.zeros(n, np.bool_), np.zeros(n, np.int64), np.zeros(n, np.int64)
    tried, longest = np.zeros(n, np.int64), 0  # by length of the route: the connections tried after it
    for start in range(2 * n):
        path[0], place[0], tried[0], length = start // 2, ends[mine[start // 2], start % 2], 0, 1
        is_used[path[0]] = True
        while length > 0 and longest < n:  # depth first
            longest = max(longest, length)
            here, k = place[length - 1], tried[length - 1]
            if holder[here] != 0 and holder[here] != who:
                k = n
            while k < n and (is_used[k] or (ends[mine[k], 0] != here and ends[mine[k], 1] != here)):
                k += 1
            if k < n:
                tried[length - 1], is_used[k] = k + 1, True
                path[length], tried[length] = k, 0
                place[length] = ends[mine[k], 0] + ends[mine[k], 1] - here
                length += 1
            else:
                length -= 1
                is_used[path[length]] = False
    return longest


# ---------------------------------------------------------------- turns


@jit
def player_after(s, p):
    """Return the next player after `p` who is not eliminated; `p` if there is none."""
    other = p if 0 <= p < s.players else p % s.players  # a division takes longer than the rest
    for _ in range(s.players):
        other = other + 1 if other + 1 < s.players else 0
        if not s.out[other]:
            return other
    return p


@jit
def next_player(s):
    """Give the turn to the next player who is not eliminated."""
    pass_to(s, player_after(s, s.me))


@jit
def pass_to(s, p):
    """Give the turn to a player, possibly the same player.

    Does nothing after the end of the game. Raises IndexError for an unknown player.
    """
    if p < 0 or p >= s.players:
        raise IndexError("pass_to(s, p): no player has this number; use 0 to s.players - 1")
    if s.end_reason == PLAYING:
        s.me = p
        s.turn += 1


@jit
def ask_player(s, p, phase):
    """Let a player decide next, in a phase, before the turn continues (a reaction).

    Several players decide in the order of the calls. A player who is asked during another player's answer
    decides first. Eliminated players are not asked. Raises IndexError for an unknown player, and for more
    than 32 questions without an answer.
    """
    if p < 0 or p >= s.players:
        raise IndexError("ask_player(s, p, phase): no player has this number; use 0 to s.players - 1")
    if s.out[p]:
        return
    if s.n_asked == len(s.asked):
        raise IndexError(
            "ask_player(s, p, phase): 32 players have been asked and have not answered: call answered(s)"
        )
    for i in range(s.n_asked, s.n_asked_now, -1):
        s.asked[i, 0], s.asked[i, 1] = s.asked[i - 1, 0], s.asked[i - 1, 1]
    s.asked[s.n_asked_now, 0], s.asked[s.n_asked_now, 1] = p, phase
    s.n_asked += 1
    s.n_asked_now += 1


@jit
def answered(s):
    """End the answer of a player.

    The next player decides, or the turn continues in its phase. Does nothing if nobody was asked.
    """
    if s.answering == ANSWERING:
        s.answering = DONE
        s.n_asked -= 1
        for i in range(s.n_asked_now, s.n_asked):
            s.asked[i, 0], s.asked[i, 1] = s.asked[i + 1, 0], s.asked[i + 1, 1]


@jit
def eliminate(s, p):
    """Eliminate a player: the turn passes on, and open questions to the player lapse.

    Raises IndexError for an unknown player.
    """
    if p < 0 or p >= s.players:
        raise IndexError("eliminate(s, p): no player has this number; use 0 to s.players - 1")
    s.out[p] = 1


@jit
def players_left(s):
    n = 0
    for p in range(s.players):
        n += not s.out[p]
    return n


# ---------------------------------------------------------------- the end, and the log


@jit
def win(s, who, reason=WON):
    """End the game with a player (or NOBODY) as the winner. Raises IndexError for an unknown player."""
    if who < NOBODY or who >= s.players:
        raise IndexError("win(s, who): no player has this number; use 0 to s.players - 1, or NOBODY")
    _end(s, who, reason)


@jit
def lose(s, reason=LOST):
    """End the game as a loss for all players, which counts as a win for the game itself."""
    _end(s, HOUSE, reason)


@jit
def tie(s, reason=TIED):
    """End the game without a winner."""
    _end(s, NOBODY, reason)


@jit
def _end(s, winner, reason):
    if s.end_reason == PLAYING:
        s.winner = winner
        s.end_reason = reason


@jit
def say(s, text, a=0, b=0, c=0):
    """Write a line for `trace`: say(s, "{player} loses {} chips", s.me, 3)."""
    log(s, text, a, b, c)


def leader(s, n):
    """Return the player with the most points by the game's `score`; NOBODY for a tie.

    The generated game implements this function.
    """
    raise NotImplementedError


# ---------------------------------------------------------------- for generated code


@jit
def pass_from_eliminated(s):
    """Pass the turn from an eliminated player to the next player, unless all are eliminated."""
    other = player_after(s, s.me)
    if s.out[s.me] and other != s.me:
        pass_to(s, other)


@jit
def swap_piles(pile, other):
    """Exchange the contents of two piles."""
    for i in range(1 + max(pile[0], other[0])):
        pile[i], other[i] = other[i], pile[i]


@jit
def is_first(pile, i):
    """Return whether the card at index `i`, from 1, is the first of its kind in the pile."""
    for k in range(1, i):
        if pile[k] == pile[i]:
            return False
    return True


@jit
def bit_of(card):
    """Return the bit of a kind of card in a mask; 0 for a number outside the mask."""
    return 1 << card if 0 <= card < 62 else 0


@jit
def is_unseen(pile, i, seen):
    """Return whether the card at index `i` is the first of its kind, as `is_first` does.

    seen: mask of the kinds below the card (`bit_of`).
    """
    bit = bit_of(pile[i])
    return seen & bit == 0 if bit != 0 else is_first(pile, i)


@jit
def fill(s, pile, copies, is_shuffled):
    """Fill a deck with `copies[kind]` cards of each kind at the start.

    is_shuffled: whether to shuffle it.
    """
    for card in range(len(copies)):
        for _ in range(copies[card]):
            put(pile, card)
    if is_shuffled:
        shuffle(s, pile)


@jit
def tradable(pile, card, wanted):
    """Return the number of cards in a pile that may be exchanged for `card`.

    They are cards of kind `wanted` or, for NONE, cards of any other kind.
    """
    n = 0
    for i in range(1, 1 + pile[0]):
        n += pile[i] == wanted if wanted != NONE else pile[i] != card
    return n


@jit
def trade(pile, hand, place, wanted, which):
    """Exchange the card at index `place` (from 1) of `hand` for a card that `tradable` counts.

    which: index of that card, from 0, among these cards. Returns -1 if the exchange is done, otherwise
    `which` minus the number of such cards in this pile.
    """
    card = hand[place]
    for i in range(1, 1 + pile[0]):
        if which >= 0 and (pile[i] == wanted if wanted != NONE else pile[i] != card):
            if which == 0:
                hand[place], pile[i] = pile[i], card
            which -= 1
    return which


@jit
def lift(pile, place, pool):
    """Move a card to the pool of cards to be redealt; its place becomes empty (NONE)."""
    put(pool, pile[place])
    pile[place] = NONE


@jit
def refill(pile, pool):
    """Deal the cards of the pool into the empty places."""
    for i in range(1, 1 + pile[0]):
        if pile[i] == NONE:
            pile[i] = take(pool, pool[0] - 1)


@jit
def _sort(pool, end):
    """Sort pool[1:end] in ascending order (Shell sort).

    The `sort` of numba takes longer to compile than most rules.
    """
    gap = 1
    while 3 * gap < end:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(1 + gap, end):
            value, to = pool[i], i
            while to > gap and pool[to - gap] > value:
                pool[to] = pool[to - gap]
                to -= gap
            pool[to] = value
        gap //= 3


@jit
def mix(s, pool):
    """Sort the pool by group and shuffle it within each group.

    Its order then depends only on its cards and the random numbers. A card of the pool is group << 16 | card.
    """
    end = 1 + pool[0]
    _sort(pool, end)
    first = 1
    for i in range(2, end + 1):
        if i == end or pool[i] >> 16 != pool[first] >> 16:
            shuffle_part(s, CARDS, pool, first, i)
            first = i


@jit
def matched(s, may, n, picked):
    """Write a card for each of `n` places into `picked`, uniformly over all assignments that fit.

    may: bool [place, card], True if the card fits the place. The method is rejection sampling: each place
    draws from the cards that fit it, and all places are redrawn until no two have the same card. If the cards
    of a place include the cards of all earlier places, it draws only from cards not yet taken. Raises
    ValueError after many attempts.
    """
    most = np.zeros(n, np.int64)
    for i in range(n):
        most[i] = may[i].sum()
        for j in range(i):
            most[i] -= not (may[j] & ~may[i]).any()
        if most[i] <= 0:
            raise ValueError(
                "no card fits a place: the helper `fits` rejects the card that is there: correct `fits`"
            )
    free = np.ones(may.shape[1], np.bool_)
    for _ in range(ATTEMPTS):
        free[:] = True
        if _draws(s, may, n, most, free, picked):
            return
    raise ValueError(
        "no deal that `fits` allows was found, because such deals are too rare: let `fits` allow more cards"
    )


@jit
def _draws(s, may, n, most, free, picked):
    """Make one attempt of `matched`.

    Return False if a place finds no card. free: bool [card], the cards not yet taken.
    """
    for i in range(n):
        which = rng.below(s, CARDS, most[i])
        picked[i] = NONE
        for k in range(len(free)):
            if may[i, k] and free[k]:
                if which == 0:
                    picked[i] = k
                    break
                which -= 1
        if picked[i] == NONE:
            return False
        free[picked[i]] = False
    return True


@jit
def picked_out(pool, picked, n):
    """Remove the picked cards from the pool. The other cards stay in their order."""
    left = 0
    for k in range(pool[0]):
        is_left = True
        for i in range(n):
            is_left = is_left and picked[i] != k
        if is_left:
            left += 1
            pool[left] = pool[1 + k]
    pool[0] = left
