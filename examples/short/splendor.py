"""Splendor (Marc André, Space Cowboys 2014): gems buy mines, and mines make mines cheaper."""

from bartizan.short import *

players = (4, 2, 3)
source = "rulebook of Splendor, Space Cowboys 2014"
goal = Number(15, 1, 60, source)
tokens_each = Number([4, 5, 7], 3, 20, source)  # of a colour, for 2, 3 and 4 players
gold_tokens = Number(5, 0, 20, source)
row_length = Number(4, 1, 4, source)
most_tokens = Number(10, 4, 30, source)
most_reserved = Number(3, 0, 3, source)
left_for_a_pair = Number(4, 2, 9, source)  # tokens of a colour of which two may be taken
noble_prestige = Number(3, 0, 20, source)
fewer = Ruling("May a player take fewer colours than possible?", ("no", "yes"), "inferred: it says take 3")
mines = Deck("splendor.csv", shuffled=False, seen="open", source=source)
low, middle, high = Pile(mines, seen="nobody"), Pile(mines, seen="nobody"), Pile(mines, seen="nobody")
market, hand, built = Pile(mines, 12), Hand(mines, 3), Pile(mines, each=True)
nobles = Deck("splendor_nobles.csv", source=source)
court, guests = Pile(nobles, 5), Pile(nobles, 5, each=True)
bank, gems, bonus = Row(6), Row(6, each=True), Row(5, each=True)
points, hosted = Tokens(), Counter()
COLOURS = ("white", "blue", "green", "red", "black")
CHOICES = ("white", "blue", "green", "red", "black", "nothing")
TOKENS = ("white", "blue", "green", "red", "black", "gold")
LEVELS = ("low", "middle", "high")
NOTHING, GOLD = 5, 5
phases = ["acting", "returning", "hosting"]


def setup(s, n):
    s.bank[:] = n.tokens_each[s.players - 2]
    s.bank[GOLD] = n.gold_tokens
    for card in range(len(n.level)):
        while has(s.mines, card):
            if n.level[card] == 1:
                move(s.mines, card, s.low)
            elif n.level[card] == 2:
                move(s.mines, card, s.middle)
            else:
                move(s.mines, card, s.high)
    shuffle(s, s.low)
    shuffle(s, s.middle)
    shuffle(s, s.high)
    for _ in range(n.row_length):
        for level in range(3):
            _draw(s, level, s.market)
    for _ in range(s.players + 1):
        draw(s.nobles, s.court)


def _draw(s, level, pile):
    if level == 0:
        draw(s.low, pile)
    elif level == 1:
        draw(s.middle, pile)
    else:
        draw(s.high, pile)


def after_action(s, n):
    visitors, guest = 0, 0
    for noble in cards(s.court):
        if not s.hosted and _visits(s, n, noble):
            visitors, guest = visitors + 1, noble
    if s.gems[s.me].sum() > n.most_tokens:
        s.phase = RETURNING
    elif visitors > 1:
        s.phase = HOSTING
    else:
        if visitors == 1:
            host(s, n, guest)
        s.phase, s.hosted = ACTING, 0
        if s.me == s.players - 1 and s.points[: s.players].max() >= n.goal:
            win(s, _first(s), "prestige")
        else:
            next_player(s)


def _need(n, noble, colour):
    all_needs = (n.needs_white, n.needs_blue, n.needs_green, n.needs_red, n.needs_black)
    return all_needs[colour][noble]


def _visits(s, n, noble):
    for colour in range(GOLD):
        if s.bonus[s.me, colour] < _need(n, noble, colour):
            return False
    return True


def _first(s):
    """Return the player with the most prestige. Ties: the player with the fewest mines, otherwise NOBODY."""
    best, most, tied = NOBODY, -1, False
    for p in range(s.players):
        value = 100 * s.points[p] - size(s.built[p])
        best, most, tied = (p, value, False) if value > most else (best, most, tied or value == most)
    return NOBODY if tied else best


def can_collect(s, n, first, second, third):
    rising = s.phase == ACTING and first < second and (second < third or third == NOTHING)
    there = s.bank[first] > 0 and (second == NOTHING or s.bank[second] > 0)
    chosen = 1 + (second < NOTHING) + (third < NOTHING)
    can = rising and there and (third == NOTHING or s.bank[third] > 0)
    return can and (n.fewer == YES or chosen == min(3, 5 - times(s.bank[:GOLD], 0)))


def collect(s, n, first: CHOICES, second: CHOICES, third: CHOICES):
    for colour in (first, second, third):
        if colour != NOTHING:
            _give(s, colour, 1)


def _give(s, token, number):
    s.gems[s.me, token] += number
    s.bank[token] -= number


def can_collect_two(s, n, colour):
    return s.phase == ACTING and s.bank[colour] >= n.left_for_a_pair


def collect_two(s, n, colour: COLOURS):
    _give(s, colour, 2)


def can_reserve(s, n, card):
    return s.phase == ACTING and size(s.hand[s.me]) < n.most_reserved


def reserve(s, n, card: market):
    move(s.market, card, s.hand[s.me])
    _draw(s, n.level[card] - 1, s.market)
    _give(s, GOLD, 1 * (s.bank[GOLD] > 0))


def can_reserve_unseen(s, n, level):
    left = (size(s.low), size(s.middle), size(s.high))
    return s.phase == ACTING and left[level] > 0 and size(s.hand[s.me]) < n.most_reserved


def reserve_unseen(s, n, level: LEVELS):
    _draw(s, level, s.hand[s.me])
    _give(s, GOLD, 1 * (s.bank[GOLD] > 0))


def _cost(s, n, card, colour):
    """Return the tokens of a colour that the player to move pays for a mine."""
    all_costs = (n.white, n.blue, n.green, n.red, n.black)
    return max(0, all_costs[colour][card] - s.bonus[s.me, colour])


def _missing(s, n, card, colour):
    return max(0, _cost(s, n, card, colour) - s.gems[s.me, colour])


def _lacks(s, n, card):
    lacks = 0
    for colour in range(GOLD):
        lacks += _missing(s, n, card, colour)
    return lacks


def can_buy(s, n, card):
    return s.phase == ACTING and _lacks(s, n, card) <= s.gems[s.me, GOLD]


def buy(s, n, card: market):
    move(s.market, card, s.built[s.me])
    _draw(s, n.level[card] - 1, s.market)
    _pay(s, n, card)


def can_buy_reserved(s, n, card):
    return can_buy(s, n, card)


def buy_reserved(s, n, card: hand):
    move(s.hand[s.me], card, s.built[s.me])
    _pay(s, n, card)


def _pay(s, n, card):
    """Pay tokens of the colours first, then gold."""
    for colour in range(GOLD):
        gold = _missing(s, n, card, colour)
        _give(s, GOLD, -gold)
        _give(s, colour, gold - _cost(s, n, card, colour))
    s.bonus[s.me, n.gem[card] % GOLD] += 1
    s.points[s.me] += n.prestige[card]


def can_put_back(s, n, token):
    return s.phase == RETURNING and s.gems[s.me, token] > 0


def put_back(s, n, token: TOKENS):
    _give(s, token, -1)
    s.phase = ACTING


def can_host(s, n, noble):
    return s.phase == HOSTING and _visits(s, n, noble)


def host(s, n, noble: court):
    move(s.court, noble, s.guests[s.me])
    s.points[s.me] += n.noble_prestige
    s.hosted, s.phase = 1, ACTING


def can_sit_out(s, n):
    """Return whether the player may sit out: only if no other action is possible."""
    can_reserve_one = size(s.hand[s.me]) < n.most_reserved and not empty(s.market)
    if s.phase != ACTING or s.bank[:GOLD].sum() > 0 or can_reserve_one:
        return False
    return _affordable(s, n, s.market) == NONE and _affordable(s, n, s.hand[s.me]) == NONE


def _affordable(s, n, pile):
    """Return the first mine in a pile that the player to move can pay for; NONE if there is none."""
    for card in cards(pile):
        if _lacks(s, n, card) <= s.gems[s.me, GOLD]:
            return card
    return NONE


def sit_out(s, n):
    say(s, "{player} can do nothing", s.me)


def _worth(s, n, card):
    """Return the value of a mine for the player to move, in hundredths: prestige, and savings by its gem."""
    worth, gem = 100 * n.prestige[card], n.gem[card] % GOLD
    for other in cards(s.market):
        worth += 8 * (_cost(s, n, other, gem) > 0) * (1 + n.prestige[other])
    for noble in cards(s.court):
        worth += 25 * (_need(n, noble, gem) > s.bonus[s.me, gem])
    return worth


def _spare(s, n, card):
    """Return the token that the player to move needs least when aiming at a mine."""
    spare, least = GOLD, 100
    for colour in range(GOLD):
        needed = _cost(s, n, card, colour) - s.gems[s.me, colour]
        if s.gems[s.me, colour] > 0 and needed < least:
            spare, least = colour, needed
    return spare


def _aim(s, n, patience):
    """Return the visible mine with the best value for the tokens it lacks; tokens out of reach count more."""
    aim, best, mine = 0, -1.0, s.hand[s.me]
    for i in range(size(s.market) + size(mine)):
        card = cards(s.market)[i] if i < size(s.market) else cards(mine)[i - size(s.market)]
        lacks, price = max(0, _lacks(s, n, card) - s.gems[s.me, GOLD]), 0
        for colour in range(GOLD):
            price += _cost(s, n, card, colour)
            lacks += 4 * max(0, _missing(s, n, card, colour) - s.bank[colour]) * (lacks > 0)
        worth = _worth(s, n, card) / (patience + lacks + 20 * (price > n.most_tokens))
        aim, best = (card, worth) if worth > best else (aim, best)
    return aim


def builder(s, n, legal, patience=2):
    """Aims at the mine with the highest value per missing token: buys it, takes tokens, or reserves it."""
    aim, useful, chosen = _aim(s, n, patience), 0, 0
    if s.phase == RETURNING:
        return PUT_BACK(_spare(s, n, aim))
    if s.phase == ACTING and can_buy(s, n, aim):
        return BUY(aim) if has(s.market, aim) else BUY_RESERVED(aim)
    for _ in range(min(3, 5 - times(s.bank[:GOLD], 0))):
        colour, most = NONE, -100
        for other in range(GOLD):
            wish = 20 * (_missing(s, n, aim, other) > 0) - s.gems[s.me, other]
            if s.bank[other] > 0 and not chosen >> other & 1 and wish > most:
                colour, most = other, wish
        chosen, useful = chosen | 1 << colour, useful + (_missing(s, n, aim, colour) > 0)
    if useful == 0 and can_reserve(s, n, aim) and has(s.market, aim):
        return RESERVE(aim)
    first, second, third = NOTHING, NOTHING, NOTHING
    for colour in range(4, -1, -1):
        if useful == 1 and _missing(s, n, aim, colour) > 1 and can_collect_two(s, n, colour):
            return COLLECT_TWO(colour)
        if chosen >> colour & 1:
            first, second, third = colour, first, second
    return COLLECT(first, second, third) if useful > 0 and s.phase == ACTING else any_of(s, legal)
