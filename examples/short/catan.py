"""Catan (Klaus Teuber, Kosmos 1995), without trades between players: dice bring resources to build with."""

from bartizan.short import *

title = "Catan, without trades between players"
players = (4, 3)
source = "rulebook of Catan, Kosmos 2015"
goal = Number(10, 1, 20, source)
roads_each, settlements_each = Number(15, 2, 40, source), Number(5, 2, 20, source)
cities_each = Number(4, 0, 20, source)
of_a_resource = Number(19, 6, 99, source)  # cards in the bank
hand_limit = Number(7, 1, 99, source)  # a player with more cards discards half on a 7
bank_rate, open_rate, special_rate = Number(4, 1, 9, source), Number(3, 1, 9, source), Number(2, 1, 9, source)
road_cost = Number([1, 1, 0, 0, 0], 0, 9, source)  # brick, lumber, wool, grain, ore
settlement_cost = Number([1, 1, 1, 1, 0], 0, 9, source)
city_cost = Number([0, 0, 0, 2, 3], 0, 9, source)
card_cost = Number([0, 0, 1, 1, 1], 0, 9, source)
least_road, least_army = Number(5, 1, 40, source), Number(3, 1, 25, source)
road_points, army_points = Number(2, 0, 9, source), Number(2, 0, 9, source)
city_points = Number(2, 1, 9, source)
letters = Number([5, 2, 6, 3, 8, 10, 9, 12, 11, 4, 8, 10, 9, 4, 5, 6, 3, 11], 2, 12, source)  # A to R
board = Ruling("Which island?", ("variable", "beginners"), "rulebook: variable set-up, map for beginners")
TOKENS = "spiral: A to R from hex 0 inwards; apart: at random, 6 and 8 never adjacent; shuffled: at random"
tokens = Ruling("How do the tokens lie?", ("spiral", "apart", "shuffled"), "rulebook: by letters", TOKENS)
shortage = Ruling("Who gets the rest of a short bank?", ("only_one", "no_one"), "rulebook: a single taker")
robbed = Ruling("Whom may the robber choose?", ("with_cards", "anybody"), "inferred: others give nothing")
before_roll = Ruling("Cards played before the roll?", ("every_card", "knights"), "rulebook: at any time")
trade_again = Ruling(
    "May a player trade after building?", ("yes", "no"), "rulebook: the almanac recommends it"
)
hexes, corners = Board("catan_hexes.csv"), Board("catan_corners.csv")
edges, harbours = Board("catan_edges.csv"), Board("catan_harbours.csv")
terrains = Deck({"brick": 3, "lumber": 4, "wool": 4, "grain": 4, "ore": 3, "desert": 1}, seen="open")
chits = Deck(range(18), seen="open")
signs = Deck({"2 brick": 1, "2 lumber": 1, "2 wool": 1, "2 grain": 1, "2 ore": 1, "3 alike": 4}, seen="open")
stack = Deck({"knight": 14, "victory point": 5, "road building": 2, "year of plenty": 2, "monopoly": 2})
laid, nailed, spent = Pile(terrains), Pile(signs), Pile(stack)
hand = Hand(stack)  # cards bought in this turn are on top
fresh, played, rolled, built = Counter(), Counter(), Counter(), Counter()  # of this turn; fresh: cards bought
land, token, sign = Row(19), Row(19), Row(9)  # terrains and numbers of the hexes, resources of the harbours
bank, held = Row(5), Row(5, each=True)
rate, due = Row(5, each=True), Row(5, each=True)  # cards for one of the bank's; production of the last roll
holder, is_city, road = Row(54), Row(54), Row(72)  # holder, road: player + 1
closed, reach = Row(54), Row(54)  # too near to a settlement; a bit for each player with a road to the corner
roads, settlements, cities = Tokens(), Tokens(), Tokens()  # pieces left
route, knights, owed = Tokens(), Tokens(), Tokens()  # longest route; knights played; cards to discard
road_holder, army_holder = Counter(-1), Counter(-1)
robber, last, placed, free = Counter(), Counter(-1), Counter(), Counter()  # placed: roads of the set-up
phases = ["settling", "paving", "rolling", "acting", "discarding", "robbing", "stealing", "laying"]
OPEN = 5  # a harbour for every resource
RESOURCES = ("brick", "lumber", "wool", "grain", "ore")


def setup(s, n):
    s.bank[:], s.rate[:] = n.of_a_resource, n.bank_rate
    s.roads[:], s.settlements[:], s.cities[:] = n.roads_each, n.settlements_each, n.cities_each
    for tile in range(19):
        s.land[tile] = n.terrain[tile] if n.board == BEGINNERS else draw(s.terrains, s.laid)
        s.robber = tile if s.land[tile] == DESERT else s.robber
    for i in range(9):
        s.sign[i] = n.kind[i] if n.board == BEGINNERS else draw(s.signs, s.nailed)
    _lay_tokens(s, n)
    while n.board == VARIABLE and n.tokens == APART and _reds_touch(s, n):
        shuffle(s, s.chits)
        _lay_tokens(s, n)


def _lay_tokens(s, n):
    i = 0
    for tile in range(19):
        if s.land[tile] not in (DESERT, NONE) and i < 18:
            letter = n.letters[i if n.tokens == SPIRAL else cards(s.chits)[i]]
            s.token[tile] = n.token[tile] if n.board == BEGINNERS else letter
            i += 1


def _reds_touch(s, n):
    for corner in range(54):
        reds = 0
        for i in range(3):
            reds += n.hex[corner, i] != NONE and s.token[n.hex[corner, i]] in (6, 8)
        if reds > 1:
            return True
    return False


def start_turn(s, n):
    s.phase = SETTLING if s.placed < 2 * s.players else ROLLING
    s.fresh, s.played, s.rolled, s.built = 0, 0, 0, 0


def after_action(s, n):
    if score(s, n, s.me) >= n.goal:
        win(s, s.me, "goal reached")


def score(s, n, who):
    return _shown(s, n, who) + count(s.hand[who], VICTORY_POINT)


def _shown(s, n, who):
    """Return the points that all players see."""
    on_board = n.settlements_each - s.settlements[who] + n.city_points * (n.cities_each - s.cities[who])
    return on_board + n.road_points * (s.road_holder == who) + n.army_points * (s.army_holder == who)


def _affords(s, cost):
    for resource in range(5):
        if s.held[s.me, resource] < cost[resource]:
            return False
    return True


def _pay(s, cost):
    s.built = 1
    for resource in range(5):
        _give(s, s.me, resource, -cost[resource])


def _give(s, p, resource, number):
    s.held[p, resource] += number
    s.bank[resource] -= number


def can_settle(s, n, corner):
    pays = s.phase == ACTING and s.settlements[s.me] > 0 and _affords(s, n.settlement_cost)
    can = s.phase == SETTLING or pays
    return can and s.closed[corner] == 0 and (s.phase == SETTLING or s.reach[corner] >> s.me & 1 == 1)


def settle(s, n, corner: corners):
    s.holder[corner], s.closed[corner] = s.me + 1, 1
    s.reach[corner] |= 1 << s.me
    s.settlements[s.me] -= 1
    for i in range(3):
        if n.near[corner, i] != NONE:
            s.closed[n.near[corner, i]] = 1
    if n.harbour[corner] != NONE:
        _moor(s, n, s.sign[n.harbour[corner]])
    if s.phase == ACTING:
        _pay(s, n.settlement_cost)
        for p in range(s.players):
            if p != s.me and s.reach[corner] >> p & 1:
                s.route[p] = longest_route(n.end, s.road, p + 1, s.holder)
        _award_road(s, n)
        return
    s.last, s.phase = corner, PAVING
    for i in range(3):
        tile = n.hex[corner, i]
        if s.placed >= s.players and tile != NONE and s.token[tile] > 0:
            _give(s, s.me, s.land[tile], 1)


def _moor(s, n, kind):
    """Set the exchange rates of a harbour: `open_rate` for any resource, or `special_rate` for one."""
    for resource in range(5):
        if kind in (OPEN, resource):
            price = n.open_rate if kind == OPEN else n.special_rate
            s.rate[s.me, resource] = min(s.rate[s.me, resource], price)


def _open(s, corner):
    """Return whether the player to move may continue roads from a corner."""
    return s.reach[corner] >> s.me & 1 == 1 and (s.holder[corner] == 0 or s.holder[corner] == s.me + 1)


def _connects(s, n, edge):
    one, other = n.end[edge, 0], n.end[edge, 1]
    if s.phase == PAVING:
        return one == s.last or other == s.last
    return _open(s, one) or _open(s, other)


def can_pave(s, n, edge):
    pays = s.phase == ACTING and s.roads[s.me] > 0 and _affords(s, n.road_cost)
    return (s.phase == PAVING or s.phase == LAYING or pays) and s.road[edge] == 0 and _connects(s, n, edge)


def pave(s, n, edge: edges):
    s.road[edge] = s.me + 1
    s.roads[s.me] -= 1
    for i in range(2):
        s.reach[n.end[edge, i]] |= 1 << s.me
    s.route[s.me] = longest_route(n.end, s.road, s.me + 1, s.holder)
    _award_road(s, n)
    if s.phase == PAVING:
        s.last = NONE
        s.placed += 1
        pass_to(s, s.placed if s.placed < s.players else max(0, 2 * s.players - 1 - s.placed))
    elif s.phase == ACTING:
        _pay(s, n.road_cost)
    else:
        s.free -= 1
        if s.free == 0 or not _has_way(s, n):
            _resume(s)


def _has_way(s, n):
    for edge in range(72):
        if s.road[edge] == 0 and _connects(s, n, edge):
            return s.roads[s.me] > 0
    return False


def _award_road(s, n):
    """Award the longest road. In a tie, a tied holder keeps it; otherwise, nobody has it."""
    longest = s.route[: s.players].max()
    if s.road_holder == NONE or s.route[s.road_holder] < longest:
        s.road_holder = s.route[: s.players].argmax() if times(s.route[: s.players], longest) == 1 else NONE
    if longest < n.least_road:
        s.road_holder = NONE


def can_enlarge(s, n, corner):
    can = s.phase == ACTING and s.cities[s.me] > 0 and _affords(s, n.city_cost)
    return can and s.holder[corner] == s.me + 1 and s.is_city[corner] == 0


def enlarge(s, n, corner: corners):
    s.is_city[corner] = 1
    s.cities[s.me] -= 1
    s.settlements[s.me] += 1
    _pay(s, n.city_cost)


def can_roll(s, n):
    return s.phase == ROLLING


def roll(s, n):
    pips = die(s, 6)
    pips += die(s, 6)
    s.rolled, s.phase = 1, ACTING
    if pips != 7:
        _produce(s, n, pips)
        return
    s.phase = ROBBING
    for step in range(s.players):
        p = (s.me + step) % s.players
        if s.held[p].sum() > n.hand_limit:
            s.owed[p] = s.held[p].sum() // 2
            ask_player(s, p, DISCARDING)


def _produce(s, n, pips):
    s.due[:] = 0
    for tile in range(19):
        if s.token[tile] == pips and tile != s.robber:
            for i in range(6):
                corner = n.corner[tile, i]
                if s.holder[corner] > 0:
                    s.due[s.holder[corner] - 1, s.land[tile]] += 1 + s.is_city[corner]
    for resource in range(5):
        left, wanted = s.bank[resource], s.due[:, resource].sum()
        for p in range(s.players):
            number = s.due[p, resource]
            if wanted > left:
                number = left if number == wanted and n.shortage == ONLY_ONE else 0
            _give(s, p, resource, number)


def can_drop(s, n, resource):
    return s.phase == DISCARDING and s.held[s.me, resource] > 0


def drop(s, n, resource: RESOURCES):
    _give(s, s.me, resource, -1)
    s.owed[s.me] -= 1
    if s.owed[s.me] == 0:
        answered(s)


def can_place_robber(s, n, tile):
    return s.phase == ROBBING and tile != s.robber


def place_robber(s, n, tile: hexes):
    s.robber = tile
    victims, victim = 0, -1
    for p in range(s.players):
        if _is_victim(s, n, p):
            victims, victim = victims + 1, p
    if victims > 1:
        s.phase = STEALING
    else:
        if victims == 1:
            _steal(s, victim)
        _resume(s)


def _is_robbed(s, n, p):
    """Return whether a player has a settlement or city beside the robber."""
    for i in range(6):
        if s.holder[n.corner[s.robber, i]] == p + 1:
            return True
    return False


def _is_victim(s, n, p):
    return p != s.me and (s.held[p].sum() > 0 or n.robbed == ANYBODY) and _is_robbed(s, n, p)


def _steal(s, p):
    """Move a random card of the victim to the player to move."""
    if s.held[p].sum() == 0:
        return
    place, resource = die(s, s.held[p].sum()), 0
    while place > s.held[p, resource]:
        place -= s.held[p, resource]
        resource += 1
    s.held[p, resource] -= 1
    s.held[s.me, resource] += 1
    say(s, "{player} steals {terrains} from {player}", s.me, resource, p)


def _resume(s):
    s.phase = ACTING if s.rolled else ROLLING


def can_steal(s, n, target):
    return s.phase == STEALING and _is_victim(s, n, target)


def steal(s, n, target: others):
    _steal(s, target)
    _resume(s)


def can_trade(s, n, give, want):
    can = s.phase == ACTING and (s.built == 0 or n.trade_again == YES)
    return can and s.held[s.me, give] >= s.rate[s.me, give] and give != want and s.bank[want] > 0


def trade(s, n, give: RESOURCES, want: RESOURCES):
    _give(s, s.me, give, -s.rate[s.me, give])
    _give(s, s.me, want, 1)


def can_buy_card(s, n):
    return s.phase == ACTING and not empty(s.stack) and _affords(s, n.card_cost)


def buy_card(s, n):
    _pay(s, n.card_cost)
    draw(s.stack, s.hand[s.me])
    s.fresh += 1


def _plays(s, n, card):
    """Return whether the player may play a card of a kind: one per turn, and none bought in the same turn."""
    early = s.phase == ROLLING and (card == KNIGHT or n.before_roll == EVERY_CARD)
    if s.played == 1 or not (early or s.phase == ACTING):
        return False
    for i in range(size(s.hand[s.me]) - s.fresh):
        if cards(s.hand[s.me])[i] == card:
            return True
    return False


def _play(s, card):
    move(s.hand[s.me], card, s.spent)
    s.played = 1


def can_play_knight(s, n):
    return _plays(s, n, KNIGHT)


def play_knight(s, n):
    _play(s, KNIGHT)
    s.knights[s.me] += 1
    s.phase = ROBBING
    rival = s.knights[s.army_holder] if s.army_holder != NONE else n.least_army - 1
    s.army_holder = s.me if s.knights[s.me] > rival else s.army_holder


def can_play_roads(s, n):
    return _plays(s, n, ROAD_BUILDING) and _has_way(s, n)


def play_roads(s, n):
    _play(s, ROAD_BUILDING)
    s.free, s.phase = 2, LAYING


def can_play_plenty(s, n, first, second):
    can = _plays(s, n, YEAR_OF_PLENTY) and first <= second
    return can and s.bank[first] > 0 and s.bank[second] > (first == second)


def play_plenty(s, n, first: RESOURCES, second: RESOURCES):
    _play(s, YEAR_OF_PLENTY)
    _give(s, s.me, first, 1)
    _give(s, s.me, second, 1)


def can_play_monopoly(s, n, resource):
    return _plays(s, n, MONOPOLY)


def play_monopoly(s, n, resource: RESOURCES):
    _play(s, MONOPOLY)
    total = s.held[: s.players, resource].sum()
    s.held[:, resource] = 0
    s.held[s.me, resource] = total


def can_end_turn(s, n):
    return s.phase == ACTING


def end_turn(s, n):
    next_player(s)


def _pips(s, tile):
    """Return the number of rolls, out of 36, in which a hex produces."""
    return 6 - abs(7 - s.token[tile]) if s.token[tile] > 0 else 0


def _income(s, n, resource):
    """Return the cards of a resource that the player to move expects from 36 rolls."""
    income = 0
    for tile in range(19):
        for i in range(6 if s.land[tile] == resource else 0):
            corner = n.corner[tile, i]
            income += _pips(s, tile) * (s.holder[corner] == s.me + 1) * (1 + s.is_city[corner])
    return income


def _worth(s, n, corner, diversity):
    """Return the value of a settlement: its production, more for scarce resources, and its harbour."""
    worth = 1.0 * (n.harbour[corner] != NONE)
    for i in range(3):
        tile = n.hex[corner, i]
        if tile != NONE and s.token[tile] > 0:
            pips = _pips(s, tile)
            worth += pips + diversity * pips / (3 + _income(s, n, s.land[tile]))
    return worth


def _best_corner(s, n, diversity):
    """Return the best place for a settlement; NONE if there is none."""
    best, most = -1, -1.0
    for corner in range(54):
        if s.closed[corner] == 0 and (s.phase == SETTLING or s.reach[corner] >> s.me & 1):
            worth = _worth(s, n, corner, diversity)
            best, most = (corner, worth) if worth > most else (best, most)
    return best


def _best_edge(s, n, diversity, least):
    """Return the road to the best place for a settlement within two roads; NONE if none is worth `least`."""
    best, most = -1, least
    for edge in range(72):
        worth = 0.0
        for i in range(2 if s.road[edge] == 0 and _connects(s, n, edge) else 0):
            corner = n.end[edge, i]
            if s.reach[corner] >> s.me & 1 == 0 and s.holder[corner] == 0:
                worth = max(worth, 2 * _worth(s, n, corner, diversity) * (s.closed[corner] == 0))
                for k in range(3):
                    beyond = n.near[corner, k]
                    if beyond != NONE and s.closed[beyond] == 0 and s.road[n.edge[corner, k]] == 0:
                        worth = max(worth, _worth(s, n, beyond, diversity))
        if worth > most and s.road[edge] == 0 and _connects(s, n, edge):
            best, most = edge, worth
    return best


def _best_city(s, n):
    """Return the settlement with the largest production; NONE without a settlement."""
    best, most = -1, -1.0
    for corner in range(54):
        if s.holder[corner] == s.me + 1 and s.is_city[corner] == 0:
            worth = _worth(s, n, corner, 0.0)
            best, most = (corner, worth) if worth > most else (best, most)
    return best


def _completes(s, n, cost):
    """Return whether the cards in hand, and trades with the bank, pay a cost."""
    lacks, spare = 0, 0
    for resource in range(5):
        left = s.held[s.me, resource] - cost[resource]
        if left < -s.bank[resource]:
            return False
        lacks -= min(left, 0)
        spare += left // s.rate[s.me, resource] if left > 0 else 0
    return lacks == 0 or (lacks <= spare and (s.built == 0 or n.trade_again == YES))


def _swap(s, cost):
    """Return the trade of the most plentiful resource for a resource that a purchase lacks."""
    give, want, most = 0, 0, 0
    for resource in range(5):
        left = s.held[s.me, resource] - cost[resource]
        want = resource if left < 0 else want
        if left // s.rate[s.me, resource] > most:
            give, most = resource, left // s.rate[s.me, resource]
    return TRADE(give, want)


def _target(s, n):
    """Return the best hex for the robber: production of others, weighted by points; no own buildings."""
    best, most = -1, -1
    for tile in range(19):
        worth = 0
        for i in range(6):
            owner, number = s.holder[n.corner[tile, i]] - 1, 1 + s.is_city[n.corner[tile, i]]
            if owner >= 0:
                worth += _pips(s, tile) * number * (2 + _shown(s, n, owner)) if owner != s.me else -1000
        if tile != s.robber and (worth > most or best == NONE):
            best, most = tile, worth
    return best


def _victim(s, n):
    """Return the victim with the most points."""
    best, most = -1, -1
    for p in range(s.players):
        best, most = (p, _shown(s, n, p)) if _is_victim(s, n, p) and _shown(s, n, p) > most else (best, most)
    return best


def _missing(s, cost):
    """Return PLAY_PLENTY for the one or two cards that a purchase lacks, otherwise NONE."""
    first, second, lacks = 0, 0, 0
    for resource in range(5):
        for _ in range(max(0, cost[resource] - s.held[s.me, resource])):
            first, second, lacks = (resource, resource, 1) if lacks == 0 else (first, resource, lacks + 1)
    return PLAY_PLENTY(first, second) if 1 <= lacks <= 2 else -1


def _card(s, n, legal):
    """Return the action that plays a card now, or NONE: a knight if robbed, other cards after the roll."""
    if can_play_knight(s, n) and (s.phase == ACTING or _is_robbed(s, n, s.me)):
        return PLAY_KNIGHT
    if s.phase == ACTING and can_play_roads(s, n):
        return PLAY_ROADS
    resource, most = 0, 0
    for other in range(5):
        total = s.held[: s.players, other].sum() - s.held[s.me, other]
        resource, most = (other, total) if total > most else (resource, most)
    if s.phase == ACTING and most > 4 and can_play_monopoly(s, n, resource):
        return PLAY_MONOPOLY(resource)
    for action in legal if s.phase == ACTING else legal[:0]:
        if action in (_missing(s, n.city_cost), _missing(s, n.settlement_cost)):
            return action
    return -1


def settler(s, n, legal, diversity=10):
    """Builds settlements, cities and roads to good places, then buys cards; trades to complete a purchase."""
    if s.phase == SETTLING:
        return SETTLE(_best_corner(s, n, diversity))
    if s.phase == PAVING or s.phase == LAYING:
        return PAVE(_best_edge(s, n, diversity, -1.0))
    if s.phase == ROBBING:
        return PLACE_ROBBER(_target(s, n))
    if s.phase == STEALING:
        return STEAL(_victim(s, n))
    if s.phase == DISCARDING:
        return DROP(s.held[s.me].argmax())
    card = _card(s, n, legal)
    if card != NONE or s.phase == ROLLING:
        return card if card != NONE else ROLL
    corner, city = _best_corner(s, n, diversity), _best_city(s, n)
    corner = corner if s.settlements[s.me] > 0 else -1
    if corner != NONE and _completes(s, n, n.settlement_cost):
        return SETTLE(corner) if _affords(s, n.settlement_cost) else _swap(s, n.settlement_cost)
    if city != NONE and s.cities[s.me] > 0 and _completes(s, n, n.city_cost):
        return ENLARGE(city) if _affords(s, n.city_cost) else _swap(s, n.city_cost)
    if corner == NONE and s.roads[s.me] > 0 and _completes(s, n, n.road_cost):
        edge = _best_edge(s, n, diversity, 0.0)
        if edge != NONE:
            return PAVE(edge) if _affords(s, n.road_cost) else _swap(s, n.road_cost)
    if not empty(s.stack) and _completes(s, n, n.card_cost):
        return BUY_CARD if _affords(s, n.card_cost) else _swap(s, n.card_cost)
    return END_TURN
