"""Sushi Go! (Phil Walker-Harding, Gamewright 2013): choose a card, reveal all choices, pass the hand."""

from bartizan.short import *

players = (4, 2, 3, 5)
source = "rulebook of Sushi Go!, Gamewright 2013"
turn_name = "pick"
simultaneous = ["take_card", "take_two"]
hand_size = Number([10, 9, 8, 7], 1, 12, source)  # of 2, 3, 4 and 5 players
rounds = Number(3, 1, 3, source)
tempura_pair, sashimi_set = Number(5, 0, 20, source), Number(10, 0, 30, source)
dipped_worth = Number(3, 1, 9, source)  # times the nigiri
dumplings = Number([0, 1, 3, 6, 10, 15], 0, 30, source)
most_maki, second_maki = Number(6, 0, 30, source), Number(3, 0, 30, source)
most_puddings, fewest_puddings = Number(6, 0, 30, source), Number(6, 0, 30, source)
at_once = Ruling("Is a nigiri dipped in a wasabi of the same turn?", ("possible", "never"), "inferred: rules")
no_maki = Ruling("Who scores for the second most maki?", ("with_maki", "anybody"), "inferred: rules of maki")
deck = Deck("sushi_go.csv", source=source)
hand, belt, dipped = Hand(deck), Pile(deck, each=True), Pile(deck, each=True)
dessert, box = Pile(deck, each=True), Pile(deck)
dealt, points = Counter(1), Tokens()  # dealt: rounds begun


def setup(s, n):
    _deal_round(s, n)


def _deal_round(s, n):
    deal(s, s.deck, s.hand, min(n.hand_size[s.players - 2], size(s.deck) // s.players))


def take_card(s, n, card: hand):
    _lay(s, n, card)


def can_take_two(s, n, one, two):  # `one` is laid first, which matters for a wasabi and a nigiri
    is_held = has(s.belt[s.me], CHOPSTICKS) and (one != two or count(s.hand[s.me], one) > 1)
    if one == WASABI and n.nigiri[two] > 0:
        return is_held and n.at_once == POSSIBLE
    return is_held and (one <= two or (two == WASABI and n.nigiri[one] > 0))


def take_two(s, n, one: hand, two: hand):
    _lay(s, n, one)
    _lay(s, n, two)
    move(s.belt[s.me], CHOPSTICKS, s.hand[s.me])


def _lay(s, n, card):
    is_dipped = n.nigiri[card] > 0 and _free_wasabi(s, s.me) > 0
    move(s.hand[s.me], card, s.dipped[s.me] if is_dipped else s.belt[s.me])


def _free_wasabi(s, p):
    return count(s.belt[p], WASABI) - size(s.dipped[p])


def after_reveal(s, n):
    if not empty(s.hand[s.me]):
        pass_left(s, s.hand)
        next_player(s)
        return
    _score_maki(s, n)
    for p in range(s.players):
        s.points[p] += _worth(s, n, p)
        while move(s.belt[p], PUDDING, s.dessert[p]):
            pass
        move_all(s.belt[p], s.box)
        move_all(s.dipped[p], s.box)
    if s.dealt == n.rounds or size(s.deck) < s.players:
        _score_puddings(s, n)
        win(s, _winner(s), "the last round")
    else:
        s.dealt += 1
        _deal_round(s, n)
        next_player(s)


def _worth(s, n, p):
    worth = count(s.belt[p], TEMPURA) // 2 * n.tempura_pair + count(s.belt[p], SASHIMI) // 3 * n.sashimi_set
    for card in cards(s.belt[p]):
        worth += n.nigiri[card]
    for card in cards(s.dipped[p]):
        worth += n.dipped_worth * n.nigiri[card]
    return worth + n.dumplings[min(count(s.belt[p], DUMPLING), 5)]


def aim(s, n, who):
    """The points, the points of cards laid in this round, and one for each maki roll and pudding."""
    puddings = size(s.dessert[who]) + count(s.belt[who], PUDDING)
    return s.points[who] + _worth(s, n, who) + _maki(s, n, who) + puddings


def _maki(s, n, p):
    rolls = 0
    for card in cards(s.belt[p]):
        rolls += n.maki[card]
    return rolls


def _score_maki(s, n):
    best, second, n_best, n_second = 0, 0, 0, 0  # the second number is below the first
    for p in range(s.players):
        best = max(best, _maki(s, n, p))
    for p in range(s.players):
        n_best += _maki(s, n, p) == best
        second = max(second, _maki(s, n, p) * (_maki(s, n, p) < best))
    for p in range(s.players):
        n_second += _maki(s, n, p) == second
    for p in range(s.players):
        if _maki(s, n, p) == best and best > 0:
            s.points[p] += n.most_maki // n_best
        elif _maki(s, n, p) == second and n_best == 1 and (second > 0 or n.no_maki == ANYBODY):
            s.points[p] += n.second_maki // n_second


def _score_puddings(s, n):
    least, most, n_least, n_most = size(s.dessert[0]), 0, 0, 0
    for p in range(s.players):
        least, most = min(least, size(s.dessert[p])), max(most, size(s.dessert[p]))
    for p in range(s.players):
        n_least += size(s.dessert[p]) == least
        n_most += size(s.dessert[p]) == most
    for p in range(s.players):
        if least < most and size(s.dessert[p]) == most:
            s.points[p] += n.most_puddings // n_most
        if least < most and size(s.dessert[p]) == least and s.players > 2:
            s.points[p] -= n.fewest_puddings // n_least


def _winner(s):
    best, n_best = 0, 0
    for p in range(s.players):
        best = max(best, _standing(s, p))
    for p in range(s.players):
        n_best += _standing(s, p) == best
    for p in range(s.players):
        if n_best == 1 and _standing(s, p) == best:
            return p
    return NOBODY


def _standing(s, p):  # of tied players, the one with most puddings wins
    return (s.points[p] + 100) * 100 + size(s.dessert[p])


def _appeal(s, n, card, left):  # in tenths of a point; left: further picks of this round
    mine = s.belt[s.me]
    if card == TEMPURA:
        return 40 if count(mine, TEMPURA) % 2 == 1 else 20 if left > 2 else 0
    if card == SASHIMI:
        missing = 2 - count(mine, SASHIMI) % 3
        return 80 if missing == 0 else 35 if missing == 1 and left > 1 else 22 if left > 4 else 0
    if card == DUMPLING:
        return 10 * min(1 + count(mine, DUMPLING), 5) * (count(mine, DUMPLING) < 5) + 5
    if card == WASABI:
        return 30 if left > 3 and _free_wasabi(s, s.me) == 0 else 0
    if card == CHOPSTICKS:
        return 12 if left > 4 else 0
    if card == PUDDING:
        return 18
    return 10 * n.nigiri[card] * (n.dipped_worth if _free_wasabi(s, s.me) > 0 else 1) + 6 * n.maki[card]


def gourmet(s, n, twice=22):
    """Takes the card with the highest value; with chopsticks, also a second of at least `twice` tenths."""
    left, first, second = size(s.hand[s.me]) - 1, NONE, NONE
    for card in cards(s.hand[s.me]):
        if first == NONE or _appeal(s, n, card, left) > _appeal(s, n, first, left):
            first, second = card, first
        elif second == NONE or _appeal(s, n, card, left) > _appeal(s, n, second, left):
            second = card
    if second != NONE and has(s.belt[s.me], CHOPSTICKS) and _appeal(s, n, second, left) >= twice:
        for one, two in ((first, second), (second, first)):
            if can_take_two(s, n, one, two):
                return TAKE_TWO(one, two)
    return TAKE_CARD(first)
