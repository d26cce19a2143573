"""Dominion, its first game (Donald X. Vaccarino, Rio Grande 2016, second edition): money buys cards, land."""

from bartizan.short import *

title = "Dominion, first game"
players = (2, 3, 4)
source = "rulebook of Dominion, Rio Grande 2016"
coppers, estates = Number(7, 1, 10, source), Number(3, 0, 5, source)  # what everybody begins with
hand_size = Number(5, 1, 10, source)
victory_cards = Number([8, 12, 12], 1, 12, source)  # of a kind, for 2, 3 and 4 players
curses_each = Number(10, 0, 10, source)  # for each player but one
empty_piles = Number(3, 1, 10, source)  # that end the game
militia_leaves = Number(3, 0, 10, source)
mine_adds, remodel_adds, workshop_pays = (
    Number(3, 0, 9, source),
    Number(2, 0, 9, source),
    Number(4, 0, 9, source),
)
supply = Deck("dominion.csv", shuffled=False, seen="open", low=-20, high=99, source=source)
stock, hand = Pile(supply, each=True, seen="nobody"), Hand(supply)
laid, discards = Pile(supply, each=True), Pile(supply, each=True)
trash, box = Pile(supply), Pile(supply)
left, emptied = Row(17), Counter()  # cards of each kind in the supply; number of empty piles
actions, buys, coins, sifted = Counter(), Counter(), Counter(), Counter()
merchants = Counter()  # number of Merchants in play before the first Silver
phases = [
    "acting",
    "sifting",
    "mining",
    "remodelling",
    "gaining",
    "laying",
    "buying",
    "defending",
    "dropping",
]
stages = ["improve", "replace"]
LAND, TREASURE, ACTION = 0, 1, 2


def setup(s, n):
    for p in range(s.players):
        for _ in range(n.coppers):
            move(s.supply, COPPER, s.stock[p])
        for _ in range(n.estates):
            move(s.supply, ESTATE, s.stock[p])
        shuffle(s, s.stock[p])
        _draw(s, p, n.hand_size)
    for card in range(17):
        most = n.curses_each * (s.players - 1) if card == CURSE else n.victory_cards[s.players - 2]
        s.left[card] = count(s.supply, card)
        while card >= ESTATE and card <= CURSE and s.left[card] > most:
            s.left[card] -= move(s.supply, card, s.box)


def _draw(s, p, number):
    for _ in range(number):
        draw_or_reshuffle(s, s.stock[p], s.discards[p], s.hand[p])


def start_turn(s, n):
    s.actions, s.buys, s.coins, s.merchants, s.phase = 1, 1, 0, 0, ACTING


def can_play(s, n, card):
    return s.phase == ACTING and s.actions > 0 and n.kind[card] == ACTION


def play(s, n, card: hand):
    move(s.hand[s.me], card, s.laid[s.me])
    s.actions += n.actions[card] - 1
    s.buys += n.buys[card]
    s.coins += n.coins[card]
    _draw(s, s.me, n.draws[card])
    if card == MERCHANT:
        s.merchants += 1
    elif card == CELLAR:
        s.phase, s.sifted = SIFTING, 0
    elif card == MINE:
        s.phase = MINING
    elif card == REMODEL and not empty(s.hand[s.me]):
        s.phase = REMODELLING
    elif card == WORKSHOP:
        s.phase = GAINING
    elif card == MILITIA:
        for step in range(1, s.players):
            other = (s.me + step) % s.players
            if size(s.hand[other]) > n.militia_leaves:
                ask_player(s, other, DEFENDING)


def can_sift(s, n, card):
    return s.phase == SIFTING


def sift(s, n, card: hand):
    move(s.hand[s.me], card, s.discards[s.me])
    s.sifted += 1


def _gain(s, card, pile):
    move(s.supply, card, pile)
    s.left[card] -= 1
    s.emptied += s.left[card] == 0


def can_improve(s, n, old, new):
    treasures = s.phase == MINING and n.kind[old] == TREASURE and n.kind[new] == TREASURE
    return treasures and s.left[new] > 0 and n.cost[new] <= n.cost[old] + n.mine_adds


def improve(s, n, old: hand, new: kinds(supply)):
    move(s.hand[s.me], old, s.trash)
    _gain(s, new, s.hand[s.me])
    s.phase = ACTING


def can_replace(s, n, old, new):
    return s.phase == REMODELLING and s.left[new] > 0 and n.cost[new] <= n.cost[old] + n.remodel_adds


def replace(s, n, old: hand, new: kinds(supply)):
    move(s.hand[s.me], old, s.trash)
    _gain(s, new, s.discards[s.me])
    s.phase = ACTING


def can_gain(s, n, card):
    return s.phase == GAINING and s.left[card] > 0 and n.cost[card] <= n.workshop_pays


def gain(s, n, card: kinds(supply)):
    _gain(s, card, s.discards[s.me])
    s.phase = ACTING


def can_reveal(s, n):
    return s.phase == DEFENDING and has(s.hand[s.me], MOAT)


def reveal(s, n):  # a reaction: the Militia does nothing
    say(s, "{player} reveals the Moat", s.me)
    answered(s)


def can_drop(s, n, card):
    return s.phase in (DEFENDING, DROPPING)


def drop(s, n, card: hand):
    move(s.hand[s.me], card, s.discards[s.me])
    s.phase = DROPPING
    if size(s.hand[s.me]) <= n.militia_leaves:
        answered(s)


def can_lay_treasure(s, n, card):
    return s.phase == LAYING and n.kind[card] == TREASURE


def lay_treasure(s, n, card: hand):
    move(s.hand[s.me], card, s.laid[s.me])
    s.coins += n.coins[card]
    if card == SILVER:
        s.coins += s.merchants
        s.merchants = 0


def can_buy(s, n, card):
    return s.phase in (LAYING, BUYING) and s.buys > 0 and s.left[card] > 0 and n.cost[card] <= s.coins


def buy(s, n, card: kinds(supply)):
    _gain(s, card, s.discards[s.me])
    s.coins -= n.cost[card]
    s.buys -= 1
    s.phase = BUYING
    if s.buys == 0:
        _clean_up(s, n)


def can_finish(s, n):
    """Return whether a phase may be finished: not if cards must be dropped, or a card can be gained."""
    if s.phase not in (GAINING, REMODELLING):
        return s.phase < DEFENDING
    most = n.workshop_pays
    if s.phase == REMODELLING:
        most = 0
        for card in cards(s.hand[s.me]):
            most = max(most, n.cost[card] + n.remodel_adds)
    for card in range(17):
        if s.left[card] > 0 and n.cost[card] <= most:
            return False
    return True


def finish(s, n):
    if s.phase in (LAYING, BUYING):
        _clean_up(s, n)
    elif s.phase == ACTING:
        s.phase = LAYING
    else:
        _draw(s, s.me, s.sifted * (s.phase == SIFTING))
        s.phase = ACTING


def _clean_up(s, n):
    move_all(s.hand[s.me], s.discards[s.me])
    move_all(s.laid[s.me], s.discards[s.me])
    _draw(s, s.me, n.hand_size)
    if s.left[PROVINCE] == 0 or s.emptied >= n.empty_piles:
        win(s, _first(s, n), "no Provinces" if s.left[PROVINCE] == 0 else "empty piles")
    else:
        next_player(s)


def _points(n, pile):
    points = 0
    for card in cards(pile):
        points += n.points[card]
    return points


def score(s, n, who):
    in_deck = _points(n, s.stock[who]) + _points(n, s.discards[who])
    return in_deck + _points(n, s.hand[who]) + _points(n, s.laid[who])


def _first(s, n):
    """Return the player with the most points. Ties: the player with fewer turns, otherwise NOBODY."""
    best, most, tied = NOBODY, -9999, False
    for p in range(s.players):
        value = 2 * score(s, n, p) + (p > s.me)
        best, most, tied = (p, value, False) if value > most else (best, most, tied or value == most)
    return NOBODY if tied else best


def _owned(s, card):
    """Return the number of cards of a kind that the player to move owns."""
    p = s.me
    return (
        count(s.stock[p], card) + count(s.hand[p], card) + count(s.laid[p], card) + count(s.discards[p], card)
    )


def _pays(s, n, card):
    return s.coins >= n.cost[card] and s.left[card] > 0


def _money(s, n, duchies, estates_from):
    """Return the card that Big Money buys."""
    if _pays(s, n, PROVINCE):
        return PROVINCE
    if _pays(s, n, DUCHY) and s.left[PROVINCE] <= duchies:
        return DUCHY
    if _pays(s, n, ESTATE) and s.left[PROVINCE] <= estates_from:
        return ESTATE
    return GOLD if _pays(s, n, GOLD) else SILVER if _pays(s, n, SILVER) else NONE


def _answer(s, n, legal):
    """Return an answer to an attack: a Moat, or land first, then the cheapest cards; otherwise any action."""
    if s.phase == DEFENDING and has(s.hand[s.me], MOAT):
        return REVEAL
    if s.phase in (DEFENDING, DROPPING):
        worst, least = 0, 99
        for card in cards(s.hand[s.me]):
            value = n.cost[card] - 50 * (n.kind[card] == LAND)
            worst, least = (card, value) if value < least else (worst, least)
        return DROP(worst)
    return any_of(s, legal)


def _treasure(s):
    """Return the most valuable treasure in hand; NONE if there is none."""
    mine = s.hand[s.me]
    return GOLD if has(mine, GOLD) else SILVER if has(mine, SILVER) else COPPER if has(mine, COPPER) else NONE


def _big_money(s, n, legal, duchies, estates_from):
    if s.phase == LAYING and _treasure(s) != NONE:
        return LAY_TREASURE(_treasure(s))
    if s.phase in (LAYING, BUYING):
        card = _money(s, n, duchies, estates_from)
        return FINISH if card == NONE else BUY(card)
    return FINISH if s.phase == ACTING else _answer(s, n, legal)


def big_money(s, n, legal, duchies=0, estates_from=0):
    """Big Money: a Province with 8 coins, Gold with 6, Silver with 3; late Duchies and Estates if wanted."""
    return _big_money(s, n, legal, duchies, estates_from)


def engine(s, n, legal, smithies=2, militias=2, markets=5, duchies=4, estates_from=2):
    """Villages and Smithies draw the deck, a Militia attacks, and Markets and Gold pay for the cards."""
    if s.phase == ACTING:
        for card in (VILLAGE, MARKET, MERCHANT, SMITHY, MILITIA, MOAT):
            if has(s.hand[s.me], card) and can_play(s, n, card):
                return PLAY(card)
    is_buying = s.phase == BUYING or (s.phase == LAYING and _treasure(s) == NONE)
    if not is_buying or _pays(s, n, PROVINCE) or s.left[PROVINCE] <= duchies:
        return _big_money(s, n, legal, duchies, estates_from)
    terminals = _owned(s, SMITHY) + _owned(s, MILITIA)
    if _pays(s, n, GOLD) and _owned(s, GOLD) < 2:
        return BUY(GOLD)
    if _pays(s, n, MARKET) and _owned(s, MARKET) < markets:
        return BUY(MARKET)
    if _pays(s, n, MILITIA) and _owned(s, MILITIA) < militias:
        return BUY(MILITIA)
    if _pays(s, n, SMITHY) and _owned(s, SMITHY) < smithies and terminals <= _owned(s, VILLAGE) + 1:
        return BUY(SMITHY)
    if _pays(s, n, VILLAGE) and _owned(s, VILLAGE) < terminals:
        return BUY(VILLAGE)
    return _big_money(s, n, legal, duchies, estates_from)


def smithy(s, n, legal, most=1, duchies=4, estates_from=2):
    """Big Money with a Smithy for exactly 4 coins, up to `most` in all; Duchies and Estates late."""
    if s.phase == ACTING and can_play(s, n, SMITHY) and has(s.hand[s.me], SMITHY):
        return PLAY(SMITHY)
    is_buying = s.phase == BUYING or (s.phase == LAYING and _treasure(s) == NONE)
    if is_buying and s.coins == n.cost[SMITHY] and s.left[SMITHY] > 0 and _owned(s, SMITHY) < most:
        return BUY(SMITHY)
    return _big_money(s, n, legal, duchies, estates_from)
