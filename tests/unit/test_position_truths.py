"""Chances from a position beside what is known exactly, beside games that are played on by another path, and after hidden cards change places."""

from functools import cache
from math import sqrt

import numpy as np
import pytest

import bartizan
from bartizan.analyses.games.castle import attack_chance
from bartizan.analyses.games.colditz import stake_chance
from bartizan.api.answers.position import dealt
from bartizan.policies.request import Request
from bartizan.simcore.colditz.components import ALLIED, GERMAN
from bartizan.simcore.game import BUILTIN
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.position import Futures, GamePosition, reached, told
from bartizan.simcore.play.replay import OneGame, action_words
from bartizan.simcore.rng import PURPOSES, fresh_luck

FAR = 4.5  # standard errors
TIC_TAC_TOE = "examples/short/tic_tac_toe.py"


@cache
def match_of(name: str, *policies: str, **sets: str) -> Match:
    return dealt(Request(name, None, None, policies, None, {}).match(1, "one policy a seat"))


def hold_share(wins: int, n: int, exact: float) -> None:
    assert abs(wins / n - exact) <= FAR * sqrt(exact * (1 - exact) / n) + 1e-12, (wins, n, exact)


# ---------------------------------------------------------------- tic-tac-toe: every way to the end

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


@cache
def ends(board: tuple[int, ...], seat: int) -> tuple[float, float]:
    """Chances that the first and the second seat win, if each free cell is as likely."""
    for mark in (1, 2):
        if any(all(board[cell] == mark for cell in line) for line in LINES):
            return float(mark == 1), float(mark == 2)
    free = [cell for cell in range(9) if board[cell] == 0]
    if not free:
        return 0.0, 0.0
    after = [ends(marked(board, cell, seat), 1 - seat) for cell in free]
    return tuple(sum(one[i] for one in after) / len(free) for i in range(2))


def marked(board: tuple[int, ...], cell: int, seat: int) -> tuple[int, ...]:
    return (*board[:cell], seat + 1, *board[cell + 1 :])


@pytest.mark.parametrize(("game", "decision"), [(0, 1), (1, 3), (2, 5)])
def test_chances_in_tic_tac_toe_are_exact_within_error(game: int, decision: int):
    found = bartizan.game(TIC_TAC_TOE).chance(at=f"game {game}, decision {decision}", policy="random", games=2000)
    position = reached(match_of(TIC_TAC_TOE, "random"), game, decision)
    board, seat = tuple(position.state.board.ravel().tolist()), position.seat
    exact = ends(board, seat)
    for chance, right in zip(found.chances.values(), exact, strict=True):
        hold_share(round(chance.estimate * 2000), 2000, right)
    free = [cell for cell in range(9) if board[cell] == 0]
    values = {one.action: one for one in found.actions}
    assert len(values) == len(free)
    for cell, action in zip(free, sorted(values), strict=True):
        hold_share(round(values[action].wins.estimate * 2000), 2000, ends(marked(board, cell, seat), 1 - seat)[seat])


def test_look_ahead_is_shown_beside_the_policy():
    """Who can win at once does so with look-ahead; at random in one of as many ways as cells are free."""
    line = "tic_tac_toe/1 standard standard players=2 ply=4 turn=5 winner=-1 players=2 done=4 board=1,1,0,2,2"
    ahead = "lookahead:base=random,plays=16,turns=9"
    found = bartizan.game(TIC_TAC_TOE).chance(at=line, policy="random", games=100, beside=[ahead])
    (beside,) = found.other_policies
    assert beside.chances["first"].estimate > 0.9 > found.chances["first"].high
    assert ahead.partition(",")[0] in str(found)


# ---------------------------------------------------------------- Do or Die, and fights in Castle


def throws_of(position: GamePosition, exact, log: str, n: int) -> dict[str, float]:
    """Exact chances by the words of the action, each held against n futures."""
    known = {}
    game = position.begun()
    for action in map(int, game.legal()):
        if (chance := exact(position, action)) is not None:
            hold_share(sum(log in text for text in told(position, range(n), action)), n, chance)
            known[action_words(game, action)] = chance
    return known


def test_do_or_die_from_a_position_is_the_question_by_distance():
    position = reached(match_of("colditz"), 0, decision=75)
    found = throws_of(position, stake_chance, "ESCAPED by Do or Die", 500)
    assert len(found) == 4 and len({*found.values()}) == 4
    place = int(position.state.pow_at[1])
    asked = bartizan.game("colditz").chance(event="do-or-die", with_={"from": str(place), "ropes": 0}, games=100)
    assert found["British: stakes British 2: Do or Die"] == pytest.approx(asked.exact["any"])


def test_fights_in_castle_from_a_position_are_the_question_by_card():
    position = reached(match_of("castle"), 0, decision=42)
    found = throws_of(position, attack_chance, "the attack wins", 1000)
    asked = bartizan.game("castle").chance(
        event="fight", with_={"attack": "7", "defend": "6", "queen": "alive"}, games=100
    )
    assert len(found) == 3
    assert found["A attacks 6 of hearts at (1, 5) of B with 7 of spades"] == pytest.approx(asked.exact["wins"])


# ---------------------------------------------------------------- nothing hidden leaks

HIDING = [*BUILTIN, "examples/short/love_letter.py", "examples/short/leduc.py"]


@pytest.mark.parametrize("name", HIDING)
def test_hidden_cards_that_change_places_change_nothing(name: str):
    """What is dealt anew has the same distribution, cell by cell, whichever hidden cards are the true ones."""
    match, tried = match_of(name), 0
    for game in range(20):
        try:
            position = reached(match, game, 1 + game * 3 % 11)
        except bartizan.UsageError:
            continue
        other = GamePosition(match, next(redealt(position, [10_000])), position.plies)
        own, changed = (cells(match, at.moment) for at in (position, other))
        if (own == changed).all():
            continue  # the seat knows everything by now
        samples = [np.array([cells(match, one) for one in redealt(at, range(300))]) for at in (position, other)]
        hidden = samples[0].std(axis=0) > 0
        assert (own[~hidden] == changed[~hidden]).all()
        means, variances = zip(*((one.mean(axis=0), one.var(axis=0) / len(one)) for one in samples), strict=True)
        far = np.abs(means[0] - means[1])[hidden] / np.sqrt(sum(variances))[hidden]
        assert far.max() < 5.5, (name, game, far.max())
        tried += 1
        if tried == 2:
            return
    raise AssertionError(f"{name}: no two positions with hidden cards")


@pytest.mark.parametrize("seat", ["german", "allied"])
def test_each_unseen_card_of_colditz_is_as_likely_in_each_place(seat: str):
    """Cards of a kind in a hand and on the deck are hypergeometric, those dealt first as well."""
    match, futures = match_of("colditz"), 500
    hand, pile, first, size = ("hand", "deck", "deck_next", "deck_size")
    if seat == "allied":
        hand, pile, first, size = ("orders", "order_deck", "order_next", "order_size")
    mover = GERMAN if seat == "german" else ALLIED
    positions = (reached(match, 0, decision) for decision in range(40, 400, 5))
    position = next(one for one in positions if one.seat == mover and one.moment[0][hand].any())
    moment = position.moment[0]
    hands = np.atleast_2d(moment[hand]).astype(int)
    rest = slice(int(moment[first]), int(moment[size]))
    held = hands.sum(axis=0)
    unseen = held + np.bincount(moment[pile][rest], minlength=held.size)
    n = unseen.sum()
    share = unseen / n
    fresh = [one[0] for one in redealt(position, range(futures))]
    for p, cards in enumerate(hands.sum(axis=1)):
        found = np.mean([np.atleast_2d(one[hand])[p] for one in fresh], axis=0)
        spread = np.sqrt(cards * share * (1 - share) * (n - cards) / (n - 1) / futures)
        assert (np.abs(found - cards * share) <= FAR * spread + 1e-12).all(), (p, found, cards * share)
    for i in range(rest.start, rest.stop):
        found = np.bincount([one[pile][i] for one in fresh], minlength=share.size) / futures
        spread = np.sqrt(share * (1 - share) / futures)
        assert (np.abs(found - share) <= FAR * spread + 1e-12).all(), (i, found, share)


def redealt(position: GamePosition, numbers):
    """The state, dealt anew for the seat to move with the luck of each number."""
    game = position.begun()
    for number in numbers:
        game.go_on_from(position.moment, position.plies)
        fresh_luck(game.state, number)
        position.match.engine.determinize(game.state, game.tables, position.seat)
        yield game.moment()


def cells(match: Match, moment: np.ndarray) -> np.ndarray:
    """All numbers that a rule may read, in one row."""
    names = [
        name for name in moment.dtype.names if name not in ("luck", "luck_key", "events", "n_events", "scratch", "word")
    ]
    return np.concatenate([np.asarray(moment[name], float).reshape(-1) for name in names])


# ---------------------------------------------------------------- Castle Itter, played on by another path

FIVE = ((7, 54), (0, 10), (3, 90), (11, 30), (20, 70))  # games and decisions of seed 1


def played_on(position: GamePosition, n: int, seed: int) -> int:
    """Wins of n games from the seed's own replay of the position on, one decision after the other.

    Neither `determinize` nor the streams of luck of `Futures` are used: the piles are shuffled here, by deck
    (0.3) and below the 142nd (2.8d), and each game has random words of its own.
    """
    luck, match, wins = np.random.default_rng(seed), position.match, 0
    deck_of = match.tables().deck_of
    game = OneGame(match)
    for _ in range(n):
        game.begin(match.seed, 0)
        game.go_on_from(position.moment, position.plies)
        s = game.state
        lies = s.deck[s.deck_next : s.deck_size]
        for k in range(1, 5):
            of = np.flatnonzero(deck_of[lies] == k)
            lies[of] = luck.permutation(lies[of])
        if s.regiment_in:
            last = s.deck[max(s.regiment_from, s.deck_next) : s.deck_size]
            last[:] = luck.permutation(last)
        stack = s.stack[s.stack_next : s.stack_size]
        stack[:] = luck.permutation(stack)
        s.luck_key = luck.integers(2**63, dtype=np.uint64)
        s.luck[:] = luck.integers(2**63, size=PURPOSES, dtype=np.uint64)
        while not game.is_over:
            game.apply(game.decide())
        wins += int(game.record()["winner"]) == 0
    return wins


@pytest.mark.parametrize("n", [pytest.param(60, marks=pytest.mark.rotating), pytest.param(400, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("number", "decision"), FIVE)
def test_chances_in_castle_itter_are_those_of_games_played_on(number: int, decision: int, n: int):
    position = reached(match_of("itter"), number, decision)
    winners, _ = Futures(
        position.match, position.moment, position.plies, 0, np.arange(4 * n), np.zeros(0, np.int32)
    ).play()
    share, other = (winners[:, 0] == 0).mean(), played_on(position, n, 5) / n
    spread = sqrt(max(share * (1 - share), 1 / n) * (1 / n + 1 / (4 * n)))
    assert abs(share - other) <= FAR * spread
