"""FlipToons (Jordy Adan, Renato Simões; Thunderworks Games 2025): flip a deck into a grid, spend its fame."""

from bartizan.short import *

players = (2, 1, 3, 4)
turn_name = "round"
log_lines = 60  # four players flip their decks at once
source = "rulebook of FlipToons, version 2, Thunderworks Games 2025"
prices = Number([3, 4, 7, 10, 15], 0, 30, source)
goal, critics_choice = Number(30, 1, 99, source), Number(3, 0, 30, source)
market_actions = Number(2, 1, 5, source)
least_cards = Number(4, 1, 6, source)  # in deck and grid, to dismiss one
peacock_fame, peacock_actions = Number(2, 0, 9, source), Number(1, 0, 3, source)
rooster_counts, lion_bears = Number(13, 0, 25, source), Number(16, 0, 25, source)  # ranks up to this one
deck_of_each, deck_alone = Number([2, 1, 1, 1, 1], 0, 2, source), Number([3, 0, 1, 1, 1], 0, 4, source)
market_shrinks = Number(2, 0, 4, source)  # at most so many players discard from the market after each round
solo_discards = Number({"normal": 20, "easy": 17, "hard": 23}, 0, 40, source, players=1)
most_ties = Number(100, 1, 1000, "inferred: the rulebook repeats the flip without a limit")
most_rounds = Number(100, 1, 10_000, "inferred: without toons, a game in which nobody earns 30 has no end")
unique = Ruling("What is unique beside a Dragonfly?", ("names", "singles"), "inferred: example of Check Fame")
first_target = Ruling("First card for a Rabbit?", ("in_grid", "placed"), "inferred: order of abilities")
second_monkey = Ruling("A second Monkey in a column?", ("above", "below"), "inferred: FAQ of the Monkey")
fed_card = Ruling("Does a card on a Snake act as placed?", ("acts", "rests"), "inferred: FAQ of the Snake")
fed_hired = Ruling("When is it hired?", ("before_check", "after_check"), "inferred: FAQ of the Snake")
few_cards = Ruling("What needs four cards?", ("action_only", "always"), "inferred: rules of the action")
lone_lion = Ruling("Bonus of a Lion beside nobody?", ("yes", "no"), "inferred: none has a higher rank")
cow = Ruling("Which fame does a Cow copy?", ("generated", "printed"), "inferred: FAQ of the Cow")
critic_again = Ruling("Does Critic's Choice count in ties?", ("yes", "no"), "inferred: ties repeat the flip")
horse_gap = Ruling("Free price after a Horse?", ("stays", "lowest"), "inferred: FAQ of the Horse")

CARDS = "public-port: photographs of the cards in exp111/Fliptoons, and the list of nickv2002/FlipToons"
# starting cards first, then by rank; dismissal: its price, 0 if impossible; fixed: cannot be turned
toons = Deck("fliptoons.csv", shuffled=False, low=-20, high=99, source=CARDS)
market = Pile(toons, 5)  # by rank
stock, grid = Pile(toons, each=True, seen="nobody"), Pile(toons, 24, each=True)  # grid: as placed
cell, down, owed = Row(24, each=True), Row(24, each=True), Row(24, each=True)  # of each card in the grid
dismissed, box = Pile(toons, each=True), Pile(toons)
aside = Pile(toons, 1, each=True)  # a Pig for which the player chooses a deck
gaps = Counter()  # bits of prices without a card
fame, extra, playing = Tokens(), Tokens(), Tokens(1)  # extra: Peacocks on Snakes
first, critic, final, ending = Counter(), Counter(-1), Counter(), Counter()  # final: number of final flips
step, seat, coins, actions = Counter(), Counter(), Counter(), Counter(-1)
target, rejected, kept = Counter(), Counter(), Counter()
phases = ["moving", "trading", "stinking", "freeing", "biting", "rejecting", "giving"]
FLIPPING, EARLY, CHECKING, LATE, LEAST, MARKET, CLEARING, ENDING = 0, 1, 2, 3, 4, 5, 6, 7  # steps of a round
COLUMNS, UPPER, LOWER, CELLS = 3, 6, 9, 12  # space 6 is the first of the upper row; Monkeys climb above it


def setup(s, n):
    for p in range(s.players):
        for card in range(len(n.deck_of_each)):
            for _ in range(n.deck_alone[card] if s.players == 1 else n.deck_of_each[card]):
                move(s.toons, card, s.stock[p])
    for card in range(len(n.deck_of_each)):
        while move(s.toons, card, s.box):
            pass
    if s.players == 1:
        move(s.toons, PIG, s.box)
    shuffle(s, s.toons)
    _refill(s, n)
    for _ in range(n.solo_discards if s.players == 1 else 0):
        draw(s.toons, s.box)


def start_turn(s, n):
    s.first, s.step, s.seat, s.phase = s.me, FLIPPING, 0, MOVING
    _go_on(s, n)


def after_action(s, n):
    _go_on(s, n)


def _go_on(s, n):
    """Play up to the next decision; seats act in turn order from the first player."""
    while s.phase == MOVING and s.end_reason == 0:
        p, pig_of = (s.first + s.seat) % s.players, who_has(s, s.aside, PIG)
        if pig_of != NONE and s.step > FLIPPING:
            s.me, s.phase = pig_of, GIVING
        elif s.seat == s.players:
            s.step, s.seat = s.step + 1, 0
        elif s.step == FLIPPING:
            s.seat += 1
            if s.playing[p]:
                move_all(s.grid[p], s.stock[p])
                shuffle(s, s.stock[p])
                _flip(s, n, p)
        elif s.step in (EARLY, LATE, CLEARING):
            at = _next_owed(s, p)
            if at == NONE or s.step == (LATE if n.fed_hired == BEFORE_CHECK else EARLY):
                s.seat += 1
            else:
                s.me, s.owed[p, at] = p, 0
                _act(s, n, at)
        elif s.step == CHECKING:
            s.seat = s.players
            _check_fame(s, n)
        elif s.step == LEAST:
            s.seat = s.players
            _stink(s, n)
        elif s.step == MARKET:
            _market_turn(s, n, p)
        elif s.ending or s.turn >= n.most_rounds:
            s.final, s.step, s.seat = 1, FLIPPING, 0
        else:
            pass_to(s, (s.first + 1) % s.players)
            return


# ---------------------------------------------------------------- the flip


def _card(s, p, at):
    return cards(s.grid[p])[at]


def _flip(s, n, p):
    s.down[p, :], s.owed[p, :], s.extra[p] = 0, 0, 0
    on, is_turned, is_fed = NONE, False, False  # what an Ostrich, an Eagle, a Snake do to the next card
    while True:
        to = _free_cell(s, p)
        if not is_fed and (to == NONE or empty(s.stock[p])):
            return
        to = on if on != NONE else to
        card = draw(s.toons, s.grid[p]) if is_fed else draw(s.stock[p], s.grid[p])
        at, was_fed = size(s.grid[p]) - 1, is_fed
        s.cell[p, at], s.down[p, at] = to, is_turned and not n.fixed[card]
        s.owed[p, at] = is_fed and card in (BUTTERFLY, HORSE, PIG, PEACOCK)
        on, is_turned, is_fed = NONE, False, False
        if s.down[p, at]:
            say(s, "{player} turns a card face down: {toons}", p, card)
            continue
        say(s, "{player} places {toons} in space {}", p, card, to)
        if was_fed and n.fed_card == RESTS:
            continue
        if card == OSTRICH:
            on = to
        elif card == EAGLE:
            is_turned = True
        elif card == RABBIT and not was_fed:
            s.cell[p, at] = _rabbit_cell(s, n, p, at)
        elif card == SNAKE:
            _swallow(s, n, p)
            is_fed = not empty(s.toons)
            on = to if is_fed else NONE
        elif card == ELEPHANT and at > 0 and (s.down[p, at - 1] or not n.fixed[_card(s, p, at - 1)]):
            s.down[p, at - 1] = 1 - s.down[p, at - 1]
            say(s, "{player} turns over {toons}", p, _card(s, p, at - 1))
        elif card == TURKEY and not was_fed and at > 0:
            s.cell[p, at] = s.cell[p, at - 1]
        elif card == MONKEY and UPPER <= to < LOWER:
            _climb(s, n, p, at)
        if s.cell[p, at] != to:
            say(s, "{toons} of {player} moves to space {}", card, p, s.cell[p, at])


def _free_cell(s, p):
    """Return the first of the six spaces without a card; NONE if there is none."""
    for space in range(UPPER, CELLS):
        if not _any_in(s, p, space):
            return space
    return NONE


def _any_in(s, p, space):
    for at in range(size(s.grid[p])):
        if s.cell[p, at] == space:
            return True
    return False


def _rabbit_cell(s, n, p, rabbit):
    """Return the space of the first other Rabbit or face-down card, or the Rabbit's own if there is none."""
    best = NONE
    for at in range(rabbit):
        if s.down[p, at] or _card(s, p, at) == RABBIT:
            if best == NONE or (n.first_target == IN_GRID and s.cell[p, at] < best):
                best = s.cell[p, at]
    return s.cell[p, rabbit] if best == NONE else best


def _climb(s, n, p, monkey):
    above = s.cell[p, monkey] - COLUMNS
    if _any_in(s, p, above) and n.second_monkey == ABOVE:
        above -= COLUMNS
    elif _any_in(s, p, above):
        for at in range(monkey):
            s.cell[p, at] -= COLUMNS * (s.cell[p, at] == above)
    s.cell[p, monkey] = above


def _swallow(s, n, p):
    """Let a Snake dismiss the top card, or place a card that cannot be dismissed in the next free space."""
    if empty(s.stock[p]) or not _may_lose_one(s, n, p):
        return
    card, space = draw(s.stock[p], s.dismissed[p]), _free_cell(s, p)
    if n.dismissal[card] > 0:
        say(s, "{player} loses {toons} to the Snake", p, card)
        move(s.dismissed[p], PIG, s.aside[p])
    elif space != NONE:
        draw(s.dismissed[p], s.grid[p])
        s.cell[p, size(s.grid[p]) - 1] = space
        say(s, "{player} places {toons} in space {}", p, card, space)
    else:
        draw(s.dismissed[p], s.stock[p])


def _may_lose_one(s, n, p):
    return n.few_cards == ACTION_ONLY or size(s.stock[p]) + size(s.grid[p]) >= n.least_cards


# ---------------------------------------------------------------- fame


def _check_fame(s, n):
    most, leader_of, tied = -9999, NOBODY, False
    for p in range(s.players):
        if s.playing[p]:
            s.fame[p] = _fame(s, n, p) + s.extra[p] * n.peacock_fame * (n.fed_hired == BEFORE_CHECK)
            if s.critic == p and (s.final == 1 or (s.final > 1 and n.critic_again == YES)):
                s.fame[p] += n.critics_choice
            say(s, "{player} generates {} fame", p, s.fame[p])
            tied = s.fame[p] == most or (tied and s.fame[p] < most)
            if s.fame[p] > most:
                most, leader_of = s.fame[p], p
    if s.final == 0 and most >= n.goal:
        s.ending, s.critic = 1, NOBODY if tied else leader_of
        if s.players == 1:
            win(s, 0, "30 fame")
    elif s.final > 0 and not tied:
        win(s, leader_of, "most fame")
    elif s.final > n.most_ties:
        tie(s, "tied again and again")
    elif s.final > 0:
        for p in range(s.players):
            s.playing[p] *= s.fame[p] == most
        s.final, s.step, s.seat = s.final + 1, FLIPPING, 0


def _fame(s, n, p):
    total = 0
    for at in range(size(s.grid[p])):
        total += _fame_of(s, n, p, at)
        if _card(s, p, at) == COW and not s.down[p, at]:
            total += _copied(s, n, p, at)
    return total


def _copied(s, n, p, cow):
    """Return the most fame of a card beside the Cow; 0 if there is none."""
    most, is_alone = 0, True
    for at in range(size(s.grid[p])):
        if _is_beside(s, p, cow, at):
            worth = _fame_of(s, n, p, at) if n.cow == GENERATED else n.fame[_card(s, p, at)]
            most, is_alone = worth if is_alone else max(most, worth), False
    return most


def _is_beside(s, p, at, other):
    """Return whether the other card is face up and shares a side with the first card."""
    one, two = s.cell[p, at], s.cell[p, other]
    in_row = one // COLUMNS == two // COLUMNS and abs(one - two) == 1
    return not s.down[p, other] and (in_row or abs(one - two) == COLUMNS)


def _fame_of(s, n, p, at):
    """Return the fame that a card generates; a Cow generates none of its own."""
    card = _card(s, p, at)
    return 0 if s.down[p, at] else n.fame[card] + n.bonus[card] * _times(s, n, p, at, card)


def _times(s, n, p, at, card):
    """Return the number of times that a card gets its bonus."""
    space = s.cell[p, at]
    if card == DONKEY:
        return space >= LOWER
    if card == GOAT:
        return UPPER <= space < LOWER
    if card == SHEEP:
        return space % COLUMNS == 1
    if card == DOG:
        return _most_elsewhere(s, p, DOG) > 0
    if card == CAMEL:
        return _most_elsewhere(s, p, CAMEL) <= _face_up(s, p, CAMEL)
    if card == BULL:
        return s.down[p, : size(s.grid[p])].any()
    if card == CAT:
        return (cards(s.dismissed[p]) < OSTRICH).sum()
    if card == TIGER:
        return size(s.dismissed[p])
    return _times_of_others(s, n, p, at, card)


def _most_elsewhere(s, p, card):
    """Return the most face-up copies of a card in the market or in one other player's grid."""
    most = count(s.market, card)
    for other in range(s.players):
        most = max(most, _face_up(s, other, card) * (other != p))
    return most


def _face_up(s, p, card):
    copies = 0
    for at in range(size(s.grid[p])):
        copies += _card(s, p, at) == card and not s.down[p, at]
    return copies


def _times_of_others(s, n, p, at, card):
    """Return `_times` of a card that depends on others in the grid. once, twice: bits of the kinds found."""
    once, twice, up, low, high = 0, 0, 0, 0, 0
    for other in range(size(s.grid[p])):
        if s.down[p, other] or (card in (DRAGONFLY, LION) and not _is_beside(s, p, at, other)):
            continue
        kind = _card(s, p, other)
        twice |= once & 1 << kind
        once |= 1 << kind
        up += 1
        low += n.rank[kind] <= n.rooster_counts
        high += n.rank[kind] > n.lion_bears
    if card == DRAGONFLY:
        unique_kinds = once if n.unique == NAMES else once & ~twice
        return sum([unique_kinds >> kind & 1 for kind in range(30)])
    if card == LION:
        return high == 0 and (up > 0 or n.lone_lion == YES)
    if card == DEER:
        return twice == 0
    return low if card == ROOSTER else up


# ---------------------------------------------------------------- abilities outside of the flip


def _next_owed(s, p):
    """Return the card whose ability is next: in the order of the spaces, and from the bottom of a stack."""
    best = NONE
    for at in range(size(s.grid[p])):
        if s.owed[p, at] and not s.down[p, at] and (best == NONE or s.cell[p, at] < s.cell[p, best]):
            best = at
    return best


def _act(s, n, at):
    card = _card(s, s.me, at)
    if s.step == CLEARING:
        _clear(s, n, at)
    elif card == PIG:
        _dismiss(s, s.me, at)
    elif card == PEACOCK:
        s.extra[s.me] += 1
    else:
        _when_hired(s, n, card)


def _when_hired(s, n, card):
    if card == PEACOCK:
        s.coins += n.peacock_fame
        s.actions += n.peacock_actions
    elif card == HORSE and not empty(s.market):
        s.phase, s.rejected, s.kept = REJECTING, 0, 0
    elif card == PIG:
        move(s.stock[s.me], PIG, s.aside[s.me])
    elif card == BUTTERFLY and _face_up(s, s.me, CATERPILLAR) > 0 and _may_lose_one(s, n, s.me):
        s.phase = FREEING


def _stink(s, n):
    """Ask the only player with the least fame to dismiss a card, if this player has a face-up Skunk."""
    p, tied = 0, False
    for other in range(1, s.players):
        tied = s.fame[other] == s.fame[p] or (tied and s.fame[other] > s.fame[p])
        p = other if s.fame[other] < s.fame[p] else p
    if not tied and _face_up(s, p, SKUNK) > 0 and _may_lose_one(s, n, p):
        s.me, s.phase = p, STINKING


def _dismiss(s, p, at):
    card = _card(s, p, at)
    say(s, "{toons} of {player} leaves", card, p)
    put(s.dismissed[p], take(s.grid[p], at))
    move(s.dismissed[p], PIG, s.aside[p])  # goes into a deck
    for i in range(at, size(s.grid[p])):
        s.cell[p, i], s.down[p, i], s.owed[p, i] = s.cell[p, i + 1], s.down[p, i + 1], s.owed[p, i + 1]


def _clear(s, n, at):
    """Dismiss a Donkey, or the card to the right of an Alligator."""
    if not _may_lose_one(s, n, s.me):
        return
    if _card(s, s.me, at) == DONKEY:
        _dismiss(s, s.me, at)
        return
    s.target, victim, is_choice = s.cell[s.me, at] + 1, NONE, False
    if s.target % COLUMNS == 0:
        return
    for other in range(size(s.grid[s.me]) - 1, -1, -1):
        if _can_lose(s, n, other) and s.cell[s.me, other] == s.target:
            is_choice = is_choice or (victim != NONE and _card(s, s.me, other) != _card(s, s.me, victim))
            victim = other
    if is_choice:
        s.phase = BITING
    elif victim != NONE:
        _dismiss(s, s.me, victim)


def _can_lose(s, n, at):
    return not s.down[s.me, at] and n.dismissal[_card(s, s.me, at)] > 0


# ---------------------------------------------------------------- the market


def _market_turn(s, n, p):
    if s.actions == NONE:
        s.me, s.phase = p, TRADING
        s.actions = n.market_actions + s.extra[p] * n.peacock_actions
        s.coins = s.fame[p] + s.extra[p] * n.peacock_fame * (n.fed_hired == AFTER_CHECK)
    elif s.actions > 0:
        s.phase = TRADING
    else:
        s.actions, s.seat = NONE, s.seat + 1
        _refill(s, n)
        if s.seat == s.players:
            _end_market(s, n)


def _end_market(s, n):
    if s.players <= n.market_shrinks and not empty(s.market):
        put(s.box, take(s.market, 0))
        draw(s.market, s.box)
        _refill(s, n)
    for p in range(s.players):
        for at in range(size(s.grid[p])):
            is_low_donkey = _card(s, p, at) == DONKEY and s.cell[p, at] >= LOWER
            s.owed[p, at] = is_low_donkey or _card(s, p, at) == ALLIGATOR


def _refill(s, n):
    while size(s.market) < len(n.prices) and draw(s.toons, s.market) != NONE:
        pass
    _sort(s)
    s.gaps = (1 << len(n.prices) - size(s.market)) - 1
    s.ending = s.ending or empty(s.market)
    if s.players == 1 and s.gaps:
        lose(s, "no toons left")


def _sort(s):
    for left in range(size(s.market), 0, -1):  # the lowest of the others goes on top
        lowest = 0
        for at in range(left):
            lowest = at if cards(s.market)[at] < cards(s.market)[lowest] else lowest
        put(s.market, take(s.market, lowest))


def _price(s, n, at):
    for i in range(len(n.prices)):
        at -= not s.gaps >> i & 1
        if at < 0:
            return i
    return 0


def can_hire(s, n, at):
    return s.phase == TRADING and n.prices[_price(s, n, at)] <= s.coins


def hire(s, n, at: places(market)):
    card, price = cards(s.market)[at], _price(s, n, at)
    say(s, "{player} hires {toons} for {}", s.me, card, n.prices[price])
    s.phase, s.gaps = MOVING, s.gaps | 1 << price
    s.coins -= n.prices[price]
    s.actions -= 1
    put(s.stock[s.me], take(s.market, at))
    _when_hired(s, n, card)


def can_dismiss(s, n, at):
    if s.phase not in (TRADING, STINKING, FREEING, BITING) or not _can_lose(s, n, at):
        return False
    if s.phase == TRADING:
        owns = size(s.stock[s.me]) + size(s.grid[s.me])
        return owns >= n.least_cards and n.dismissal[_card(s, s.me, at)] <= s.coins
    if s.phase == FREEING:
        return _card(s, s.me, at) == CATERPILLAR
    return s.phase == STINKING or s.cell[s.me, at] == s.target


def dismiss(s, n, at: places(grid)):
    if s.phase == TRADING:
        s.coins -= n.dismissal[_card(s, s.me, at)]
        s.actions -= 1
    s.phase = MOVING
    _dismiss(s, s.me, at)


def can_reject(s, n, at):
    return s.phase == REJECTING and at >= s.kept


def reject(s, n, at: places(market)):  # from the lowest rank, so that no choice occurs twice
    say(s, "{player} rejects {toons}", s.me, cards(s.market)[at])
    put(s.box, take(s.market, at))
    s.rejected, s.kept = s.rejected + 1, at


def can_give_pig(s, n, to):
    return s.phase == GIVING


def give_pig(s, n, to: everyone):
    draw(s.aside[s.me], s.stock[to])
    s.phase = MOVING


def can_return_pig(s, n):
    return s.phase == GIVING


def return_pig(s, n):
    draw(s.aside[s.me], s.toons)
    shuffle(s, s.toons)
    s.phase = MOVING


def can_finish(s, n):
    return s.phase in (TRADING, FREEING, REJECTING)


def finish(s, n):
    if s.phase == TRADING:
        s.actions = 0
    if s.phase == REJECTING:
        for _ in range(s.rejected):
            draw(s.toons, s.market)
        _sort(s)
        n_gaps = len(n.prices) - size(s.market)
        if n.horse_gap == LOWEST or sum([s.gaps >> i & 1 for i in range(5)]) != n_gaps:
            s.gaps = (1 << n_gaps) - 1
    s.phase = MOVING


def score(s, n, who):
    return s.fame[who]


# Fame that a card is worth in a grid, in halves; fitted to the wins of solo games
WORTH = (-4, 1, 4, 0, 2, 2, 4, 7, 7, 3, 7, 7, 9, 7, 10, 9, 11, 9, 4, 13, 14, 5, -2, 10, 14, 12, 9, 13, 17, 14)


def _worth(s, n, p, card):
    if card in (CAT, TIGER):
        return WORTH[card] + 3 * _times(s, n, p, 0, card)
    if card == RABBIT:
        return WORTH[card] + _owns(s, p, RABBIT)
    if card == DOG and _most_elsewhere(s, p, DOG) == 0:
        return 2
    return WORTH[card]


def _owns(s, p, card):
    return count(s.stock[p], card) + count(s.grid[p], card)


def _expected(total, n_cards):
    """Return the expected fame of a flip, in hundredths of halves. total: fame of `n_cards` cards."""
    return 100 * total * min(6, n_cards) // max(1, n_cards)


def producer(s, n, legal):
    """Hires and dismisses to maximise the expected fame of a flip; gives a Pig to the strongest rival."""
    if s.phase == GIVING:
        rival = (s.me + 1) % s.players
        for p in range(s.players):
            rival = p if p != s.me and s.fame[p] > s.fame[rival] else rival
        return GIVE_PIG(rival)
    n_cards, total = size(s.stock[s.me]) + size(s.grid[s.me]), 0
    for card in cards(s.stock[s.me]):
        total += _worth(s, n, s.me, card)
    for card in cards(s.grid[s.me]):
        total += _worth(s, n, s.me, card)
    choice, most = FINISH, _expected(total, n_cards) if FINISH in legal else -999_999
    for at in range(size(s.market)):
        value = _expected(total + _worth(s, n, s.me, cards(s.market)[at]), n_cards + 1)
        choice, most = (HIRE(at), value) if HIRE(at) in legal and value > most else (choice, most)
    for at in range(size(s.grid[s.me])):
        value = _expected(total - _worth(s, n, s.me, _card(s, s.me, at)), n_cards - 1)
        choice, most = (DISMISS(at), value) if DISMISS(at) in legal and value > most else (choice, most)
    if choice == FINISH and HIRE(0) in legal and s.players > n.market_shrinks and n_cards <= 6:
        return FINISH if s.ending else HIRE(0)  # or the market would stay as it is
    return choice
