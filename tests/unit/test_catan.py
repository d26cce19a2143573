"""Catan in the short form: its board, odds, networks, bonus points and pieces (examples/short/catan.py)."""

from itertools import pairwise, product

import numpy as np
import pytest

from bartizan.policies.registry import find_player
from bartizan.simcore.game import load_game
from bartizan.simcore.play.batch import Batch
from bartizan.simcore.play.match import Match
from bartizan.simcore.scenario.loading import load_scenario
from bartizan.simcore.short.words import longest_route
from tests.naive.compiled import Compiled
from tests.unit.test_short_games import SHORT

GAME = load_game(str(SHORT / "catan.py"))
RULES = GAME.engine.__globals__
ROLLING, ACTING = RULES["ROLLING"], RULES["ACTING"]
CARDS = 19  # of each resource


class Island(Compiled):
    """A game of Catan, by default from the first turn on: everybody has settled at random."""

    def __init__(self, game: int = 0, is_settled: bool = True, players: int = 4, **rulings: str):
        sets = {"numbers.players": players} | {f"rulings.{name}": reading for name, reading in rulings.items()}
        super().__init__(GAME.compiled, load_scenario(GAME, None, None, sets), 5, game)
        self.luck = np.random.default_rng(game)
        while is_settled and self.state.placed < 2 * self.state.players:
            self.apply(self.luck.choice(self.codes()))

    def play(self, name: str, *arguments: int) -> None:
        """Play one action, which must be legal."""
        action = RULES[name.upper()]
        code = action(*arguments) if arguments else action
        assert code in self.codes(), (name, arguments)
        self.apply(code)

    def clear(self) -> None:
        """Take every piece and card away."""
        for name in ("holder", "is_city", "closed", "reach", "road", "held", "route"):
            self.state[name] = 0
        self.state.bank[:] = CARDS

    def pay(self, p: int, *numbers: int) -> None:
        """Give a player resources of the bank."""
        self.state.held[p] += numbers
        self.state.bank[:] -= numbers


def column(name: str) -> np.ndarray:
    return Island(is_settled=False).tables[name]


# ---------------------------------------------------------------- the board


@pytest.mark.parametrize("board", ["variable", "beginners"])
def test_the_island_has_its_tiles_tokens_and_harbours(board):
    state = Island(is_settled=False, board=board).state
    assert np.bincount(state.land).tolist() == [3, 4, 4, 4, 3, 1]
    assert sorted(state.token) == sorted([0, 2, 12, *range(3, 7), *range(3, 7), *range(8, 12), *range(8, 12)])
    assert np.bincount(state.sign).tolist() == [1, 1, 1, 1, 1, 4]
    assert state.land[state.robber] == RULES["DESERT"] and state.token[state.robber] == 0


def test_red_numbers_lie_apart():
    islands = [Island(game, is_settled=False, tokens="apart") for game in range(20)]
    for tokens in (island.state.token for island in islands):
        for around in column("hex").tolist():
            assert sum(tokens[tile] in (6, 8) for tile in around if tile >= 0) <= 1
    assert len({tuple(island.state.token) for island in islands}) == 20


# ---------------------------------------------------------------- dice and resources


def expected(state, corner: int) -> np.ndarray:
    """Cards of each resource that a settlement brings in 36 rolls, counted over all of them."""
    cards = np.zeros(5)
    for tile in column("hex")[corner]:
        if tile >= 0 and state.land[tile] < 5:
            cards[state.land[tile]] += sum(
                one + other == state.token[tile] for one, other in product(range(1, 7), repeat=2)
            )
    return cards


def test_a_corner_brings_what_its_pips_promise():
    """12,000 rolls of a settlement and of a city against the 36 results of two dice; within 4 standard errors."""
    island, rolls = Island(3), 12_000
    state, city = island.state, 1
    corners = [one for one in range(54) if expected(island.state, one).sum() >= 11][:2]
    island.clear()
    for p, corner in enumerate(corners):
        state.holder[corner] = p + 1
    state.is_city[corners[city]] = 1
    brought = np.zeros((2, 5))
    for _ in range(rolls):
        state.held[:], state.bank[:], state.phase = 0, CARDS, ROLLING
        island.apply(RULES["ROLL"])
        brought += state.held[:2]
        assert (state.held.sum(0) + state.bank == CARDS).all()
    for p, corner in enumerate(corners):
        cards = (1 + (p == city)) * expected(state, corner) / 36
        assert (abs(brought[p] / rolls - cards) <= 4 * np.sqrt(4 * cards / rolls)).all() and cards.sum() > 0.3


@pytest.mark.parametrize(
    ("shortage", "owners", "brought"),
    [("only_one", (0, 0), [1, 0]), ("only_one", (0, 1), [0, 0]), ("no_one", (0, 0), [0, 0])],
)
def test_a_bank_that_is_short_gives_to_one_player_or_to_nobody(shortage, owners, brought):
    island = Island(shortage=shortage)
    state = island.state
    island.clear()
    tile = next(tile for tile in range(19) if state.land[tile] < 5)
    for owner, corner in zip(owners, column("corner")[tile][::3], strict=True):
        state.holder[corner] = owner + 1
    state.bank[state.land[tile]] = 1
    for _ in range(500):
        state.phase = ROLLING
        island.apply(RULES["ROLL"])
        if state.due.sum() and state.due[:, state.land[tile]].sum() == 2:
            break
        state.held[:], state.bank[:] = 0, CARDS
        state.bank[state.land[tile]] = 1
    assert state.held[:2, state.land[tile]].tolist() == brought


def test_a_seven_takes_half_and_the_robber_a_card():
    island = Island(2)
    state = island.state
    island.clear()
    island.pay(0, 3, 3, 2, 1, 0)
    island.pay(2, 4, 4, 0, 0, 0)
    island.pay(3, 0, 0, 7, 0, 0)
    while state.phase == ROLLING:
        before = state.held.copy()
        island.apply(RULES["ROLL"])
        if state.phase == ACTING:
            state.held[:], state.phase = before, ROLLING
    for p, left in ((0, 5), (2, 4)):
        while (state.me, state.phase) == (p, RULES["DISCARDING"]):
            island.apply(island.codes()[0])
        assert state.held[p].sum() == left
    assert state.me == 0 and state.phase == RULES["ROBBING"] and state.held[3].sum() == 7
    tile = int(np.flatnonzero(np.arange(19) != state.robber)[0])
    state.holder[column("corner")[tile][0]] = 4
    island.play("place_robber", tile)
    assert state.held[3].sum() == 6 and state.held[0].sum() == 6 and state.phase == ACTING


@pytest.mark.parametrize(("robbed", "targets"), [("with_cards", []), ("anybody", [1, 2])])
def test_the_robber_may_choose_who_has_no_cards_if_the_ruling_says_so(robbed, targets):
    island = Island(robbed=robbed)
    state = island.state
    island.clear()
    tile = (int(state.robber) + 1) % 19
    for p, corner in ((1, 0), (2, 3)):
        state.holder[column("corner")[tile][corner]] = p + 1
    island.pay(1, 1, 0, 0, 0, 0)
    state.phase, state.rolled = RULES["ROBBING"], 1
    island.play("place_robber", tile)
    if targets:
        assert island.codes() == [RULES["STEAL"](p) for p in targets]
        island.play("steal", 2)
    assert state.phase == ACTING and state.held[:, 0].tolist() == ([0, 1, 0, 0] if targets else [1, 0, 0, 0])


# ---------------------------------------------------------------- routes and armies


def by_hand(end, owner, who, holder) -> int:
    """The longest route by trying every order of connections."""

    def beyond(corner, left):
        lengths = [0]
        if holder[corner] in (0, who):
            for link in left:
                if corner in end[link]:
                    lengths.append(1 + beyond(sum(end[link]) - corner, left - {link}))
        return max(lengths)

    mine = frozenset(np.flatnonzero(owner == who))
    starts = ((link, corner) for link in mine for corner in end[link])
    return max((1 + beyond(corner, mine - {link}) for link, corner in starts), default=0)


def test_the_longest_route_of_hand_made_networks():
    end, owner, holder = column("end"), np.zeros(72, np.int64), np.zeros(54, np.int64)
    ring = column("corner")[18].tolist()
    links = [{*ends} for ends in end.tolist()]

    def lay(*corners):
        for one, other in pairwise(corners):
            owner[links.index({one, other})] = 1

    def length():
        return longest_route(end, owner, 1, holder)

    assert length() == 0
    lay(*ring[:4])
    assert length() == 3
    lay(*ring[3:], ring[0])
    assert length() == 6  # a loop
    out = [next(one for one in column("near")[corner].tolist() if one not in ring) for corner in ring]
    lay(ring[0], out[0])
    assert length() == 7  # a loop with a branch
    lay(ring[3], out[3])
    assert length() == 7  # a second branch opposite adds nothing
    holder[ring[0]] = 2
    assert length() == 6  # still the loop, from the other's settlement to it
    holder[ring[0]], holder[ring[1]], holder[ring[2]] = 0, 2, 2
    assert length() == 5
    holder[:] = 0
    holder[ring] = 1
    assert length() == 7  # one's own settlements do not break it


def test_the_longest_route_is_that_of_every_order():
    """On random networks of up to 15 roads, with settlements of two players."""
    luck, end = np.random.default_rng(1), column("end")
    found = set()
    for _ in range(150):
        owner, holder = np.zeros(72, np.int64), np.zeros(54, np.int64)
        reached = {int(luck.integers(54))}
        for _ in range(int(luck.integers(1, 16))):  # roads that hang together, and now and then one elsewhere
            links = [i for i in range(72) if owner[i] == 0 and (reached & {*end[i].tolist()} or luck.random() < 0.01)]
            link = luck.choice(links)
            owner[link] = 1
            reached |= {*end[link].tolist()}
        for corner in luck.integers(54, size=8):
            holder[corner] = luck.integers(3)
        lengths = longest_route(end, owner, 1, holder), by_hand(end, owner, 1, holder)
        assert lengths[0] == lengths[1]
        found.add(lengths[0])
    assert len(found) > 6


def test_a_settlement_breaks_the_longest_road_and_passes_it_on():
    island = Island(1)
    state, me = island.state, int(island.state.me)
    other, third = (me + 1) % 4, (me + 2) % 4
    links = [{*ends} for ends in column("end").tolist()]
    island.clear()

    def lay(p, *corners):
        for one, beyond in pairwise(corners):
            state.road[links.index({one, beyond})] = p + 1
            state.reach[one] |= 1 << p
            state.reach[beyond] |= 1 << p

    ring, outer = column("corner")[18].tolist(), column("corner")[0].tolist()
    lay(other, *ring, ring[0])
    lay(third, *outer)
    state.route[other], state.route[third], state.road_holder = 6, 5, other
    gate = next(one for one in column("near")[ring[0]].tolist() if one not in ring)
    lay(me, gate, ring[0])
    state.phase, state.rolled = ACTING, 1
    island.pay(me, 1, 1, 1, 1, 0)
    assert RULES["score"](state, island.tables, other) - RULES["score"](state, island.tables, third) >= 0
    island.play("settle", ring[0])
    assert state.route[other] == 6 and state.road_holder == other  # the loop is still whole from end to end
    island.clear()
    lay(other, *ring)
    lay(third, *outer)
    lay(me, next(one for one in column("near")[ring[2]].tolist() if one not in ring), ring[2])
    state.route[other], state.route[third], state.road_holder = 5, 5, other
    island.pay(me, 1, 1, 1, 1, 0)
    island.play("settle", ring[2])
    assert state.route[other] == 3 and state.road_holder == third


def test_the_largest_army_goes_to_more_knights():
    island = Island(4)
    state = island.state

    def knight(p):
        state.me, state.phase, state.played, state.rolled = p, ACTING, 0, 1
        state.stack[0] -= 1
        state.hand[p][0], state.hand[p][1], state.fresh = 1, RULES["KNIGHT"], 0
        island.play("play_knight")

    holders = []
    for p in (0, 0, 0, 1, 1, 1, 1):
        knight(p)
        holders.append(int(state.army_holder))
    assert holders == [-1, -1, 0, 0, 0, 0, 1]


def test_a_card_is_not_played_in_the_turn_it_is_bought_and_only_one_a_turn():
    island = Island(4)
    state, me = island.state, int(island.state.me)
    state.phase, state.rolled = ACTING, 1
    state.hand[me][:4] = [3, *[RULES["MONOPOLY"]] * 3]
    for fresh, played, may in ((3, 0, False), (2, 0, True), (0, 1, False)):
        state.fresh, state.played = fresh, played
        assert (RULES["PLAY_MONOPOLY"](0) in island.codes()) == may


# ---------------------------------------------------------------- whole games


def test_pieces_and_cards_are_never_lost():
    """In random games: 19 of each resource, pieces within their limits, and no two settlements side by side."""
    near = column("near")
    for game, players, board in ((0, 4, "variable"), (1, 3, "beginners")):
        island = Island(game, is_settled=False, players=players, board=board)
        state = island.state
        while not island.over:
            island.apply(island.luck.choice(island.codes()))
            assert (state.bank + state.held.sum(0) == CARDS).all() and state.bank.min() >= 0 and state.held.min() >= 0
            for p in range(state.players):
                mine = state.holder == p + 1
                cities = (mine & (state.is_city == 1)).sum()
                pieces = (state.road == p + 1).sum(), mine.sum() - cities, cities
                left = state.roads[p], state.settlements[p], state.cities[p]
                assert tuple(map(sum, zip(pieces, left, strict=True))) == (15, 5, 4) and min(left) >= 0
        built = np.flatnonzero(state.holder)
        assert not any(state.holder[other] for one in built for other in near[one] if other >= 0)
        assert island.record()["winner"] == state.me and RULES["score"](state, island.tables, state.me) >= 10


def test_random_games_are_those_of_another_program():
    """Settlements and cities built, development cards bought, knights played in a game of four random players of
    Catanatron 3.2.1, mean of 900 games. It discards in one step, which may be why turns differ: 2 % are left to such
    causes.
    """
    scenario = load_scenario(GAME, None, None, {"rulings.before_roll": "knights"})
    played = Batch(Match(GAME, scenario, (find_player(GAME, "random"),) * 4, 3)).play(range(1500))
    for action, theirs in (("settle", 12.65), ("enlarge", 3.2), ("buy_card", 20.18), ("play_knight", 11.24)):
        ours = played[f"times_{action}"]
        assert abs(ours.mean() - theirs) < theirs / 50 + 4 * ours.std() * np.sqrt(1 / 1500 + 1 / 900), action
    wins = np.bincount(played["winner"], minlength=4) / 1500
    assert (abs(wins - 0.25) < 4 * np.sqrt(0.25 * 0.75 / 1500)).all()  # random players have no use for a seat


def test_the_last_of_four_settlers_chooses_best():
    """Who settles last takes two places at once. 2,000 games: above a quarter by more than 4 standard errors."""
    match = Match(GAME, load_scenario(GAME), (find_player(GAME, "settler"),) * 4, 3)
    played = Batch(match).play(range(2000))
    assert (played["winner"] == 3).mean() > 0.25 + 4 * np.sqrt(0.25 * 0.75 / 2000)
    assert played["turn"].max() < 400
