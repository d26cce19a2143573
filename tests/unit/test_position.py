"""A position: its line, its futures, and what they know."""

from functools import cache

import numpy as np
import pytest

import bartizan
from bartizan.api.answers import position
from bartizan.api.answers.position import dealt
from bartizan.policies.request import Request
from bartizan.simcore.errors import UsageError
from bartizan.simcore.game import BUILTIN
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.position import reached, read
from bartizan.simcore.play.position_changes import changed
from bartizan.simcore.play.replay import OneGame

PIG = "examples/short/pig.py"
HIGHER = """from bartizan.short import *

players = 2
deck = Deck(range(1, 7))
hand, shown = Hand(deck), Pile(deck)


def setup(s, n):
    deal(s, s.deck, s.hand, 1)
    draw(s.deck, s.shown)


def pick(s, n):  # everybody knows it in the hand
    draw(s.shown, s.hand[s.me])
    next_player(s)


def can_pick(s, n):
    return not empty(s.shown)


def show(s, n):
    win(s, 0 if top(s.hand[0]) > top(s.hand[1]) else 1, "higher card")


def give_up(s, n):
    win(s, 1 - s.me, "given up")
"""


@cache
def match_of(name: str) -> Match:
    return Request(name, None, None, (), None, {}).match(1, "one policy a seat")


def chances(name: str, **options) -> dict:
    """The document of `chance`."""
    return bartizan.game(name).chance(**options).to_dict()


@pytest.fixture(scope="module")
def higher(kept_folder) -> str:
    path = kept_folder / "higher.py"
    path.write_text(HIGHER)
    return str(path)


# ---------------------------------------------------------------- the line


@pytest.mark.parametrize("name", [*BUILTIN, PIG])
def test_game_goes_on_from_its_line_as_it_went(name: str):
    """A line holds all that later decisions read: with the luck put back, the same game follows."""
    match = match_of(name)
    played = OneGame(match)
    for game, decision in ((0, 0), (1, 23), (2, 60)):
        played.begin(match.seed, game)
        while played.plies < decision and not played.is_over:
            played.apply(played.decide())
        if played.is_over:
            continue
        again = read(match, reached(match, game, played.plies).line()).begun()
        for luck in ("luck_key", "luck"):
            again.state[luck] = played.state[luck]
        for _ in range(40):
            actions = played.decide(), again.decide()
            assert actions[0] == actions[1], (game, played.plies)
            if played.is_over:
                break
            played.apply(actions[0])
            again.apply(actions[1])
            if played.is_over:
                break
        assert played.end_reason == again.end_reason


def test_line_read_and_written_again_is_the_same():
    match = match_of("itter")
    line = reached(match, 3, turn=3).line()
    assert read(match, line).line() == line
    assert line.startswith("itter/") and "luck" not in line and "events" not in line


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("", "begins with GAME/VERSION"),
        ("chess/1 published novice players=1 ply=3", "for game chess"),
        ("itter/1 published novice players=1 ply=3", "for version 1"),
        ("itter/{b} other novice players=1 ply=3", "--scenario other"),
        ("itter/{b} published elite players=1 ply=3", "--difficulty elite"),
        ("itter/{b} published novice players=3 ply=3", "--players 3"),
        ("itter/{b} published novice players=1 ply=3 trun=4", 'did you mean "turn"'),
        ("itter/{b} published novice players=1 ply=3 turn=4,5", "has 1 number"),
        ("itter/{b} published novice players=1 ply=3 turn=x", "turn=x: write an integer"),
        ("itter/{b} published novice players=1 ply=3 place=999", "place=999: write a number from -128 to 127"),
        ("itter/{b} published novice players=1 ply=3 place=1*x", "VALUE*TIMES"),
        ("itter/{b} published novice players=1 ply=3 place=1*99999999999", "has 32 numbers"),
        ("itter/{b} published novice players=1 ply=3 end_reason=4", "the game is over"),
        ("itter/{b} published novice players=1 ply=3 to_move=7", "no such seat"),
        ("itter/{b} published novice players=1 ply=3 luck=7", "no such field"),
        ("itter/{b} published novice players=1 ply=3 turn=2", "the position is impossible"),
    ],
)
def test_line_that_does_not_fit_says_why(line: str, wrong: str):
    match = match_of("itter")
    with pytest.raises(UsageError, match=None) as refused:
        read(match, line.format(b=match.game.behaviour))
    assert wrong in str(refused.value) and "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"place": "3"}, "write place[0..31]"),
        ({"place[40]": "3"}, "write place[0..31]"),
        ({"turn[0]": "3"}, "write turn alone"),
        ({"turn+1": "3"}, "FIELD[PLACE]=VALUE"),
        ({"place[3]": "5"}, "the position is impossible"),
    ],
)
def test_change_that_does_not_fit_says_why(changes: dict[str, str], wrong: str):
    with pytest.raises(UsageError) as refused:
        changed(reached(dealt(match_of("itter")), 7, decision=54), changes)
    assert wrong in str(refused.value)


# ---------------------------------------------------------------- the chances


def exact_pig(goal: int, at: int = 20) -> np.ndarray:
    """[own points, points of the other] -> chance to win of who begins a turn, where both hold at `at`.

    A turn that brings nothing leaves the two with the same points and the other one to play: two equations.
    """
    wins = np.zeros((goal, goal))
    for total in range(2 * goal - 2, -1, -1):
        for own in range(max(0, total - goal + 1), min(goal, total + 1)):
            other = total - own
            (a, b), (c, d) = turn_of(wins, own, other, 0, goal, at), turn_of(wins, other, own, 0, goal, at)
            wins[own, other] = (a + b * (1 - c - d)) / (1 - b * d)
    return wins


def turn_of(wins: np.ndarray, own: int, other: int, stake: int, goal: int, at: int) -> tuple[float, float]:
    """(chance to win by a turn that brings something, chance that it brings nothing), from `stake` on."""
    values: dict[int, tuple[float, float]] = {}
    for now in range(goal + 6, stake - 1, -1):
        if own + now >= goal:
            values[now] = 1.0, 0.0
        elif now >= at:
            values[now] = 1 - wins[other, own + now], 0.0
        else:
            later = [values[now + pips] for pips in range(2, 7)]
            values[now] = sum(win for win, _ in later) / 6, (1 + sum(lost for _, lost in later)) / 6
    return values[stake]


def test_chances_in_pig_are_exact_within_error():
    """Goal 40, so that the recursion is small."""
    asked = {"set": {"numbers.goal": 40}, "policy": "steady", "games": 4000}
    found = chances(PIG, at="game 2, decision 3", **asked)
    position = dict(part.split("=") for part in found["position"].split()[4:])
    points = [int(float(p)) for p in (position.get("points", "0") + ",0").split(",")[:2]]
    seat = int(position.get("to_move", 0))
    own, other = points[seat], points[1 - seat]
    wins, stake = exact_pig(40), int(position.get("stake", 0))
    later = [turn_of(wins, own, other, stake + pips, 40, 20) for pips in range(2, 7)]
    lost = (1 + sum(nothing for _, nothing in later)) / 6
    by_action = {
        "roll": sum(win for win, _ in later) / 6 + lost * (1 - wins[other, own]),
        "hold": 1.0 if own + stake >= 40 else 1 - wins[other, own + stake],
    }
    for action in found["actions"]:
        near = 4.5 * np.sqrt(0.25 / found["futures"])
        assert action["wins"]["estimate"] == pytest.approx(by_action[action["text"]], abs=near)
    assert {action["text"] for action in found["actions"]} == set(by_action)


@pytest.mark.filterwarnings("ignore:.*reveals something")
def test_hidden_cards_do_not_matter(higher: str):
    """With a 6 face up, a 3 of the cards 1 to 6 wins half the time, whichever card the other player holds."""
    match, found = match_of(higher), {}
    assert match.engine.following
    begun = OneGame(match)
    for game in range(600):
        begun.begin(match.seed, game)
        own, other = (int(hand[1]) for hand in begun.state.hand)
        if (own, int(begun.state.shown[1])) == (3, 6):
            found.setdefault(other, game)
    assert set(found) == {1, 2, 4, 5}
    for game in found.values():
        asked = chances(higher, at=f"game {game}, decision 0", policy="random", games=2000)
        wins = {action["text"]: action["wins"]["estimate"] for action in asked["actions"]}
        assert wins["give up"] == 0
        assert wins["show"] == pytest.approx(0.5, abs=0.05)  # 4.5 standard errors
    assert asked["actions"][0]["worth"]["low"] > 0


def test_condition_keeps_the_futures_that_meet_it(higher: str, monkeypatch):
    """In Pig a roll brings each face of the die once in six times."""
    found = chances(PIG, at="game 2, decision 0", when="shows 6", games=300, policy="steady")
    assert found["when"]["share"]["low"] < 1 / 6 < found["when"]["share"]["high"]
    assert found["futures"] == 300 and found["actions"] == []
    monkeypatch.setattr(position, "MOST_TRIED", 1000)
    with pytest.raises(UsageError, match="0 of 1,000 futures"):
        chances(PIG, at="game 2, decision 0", when="shows 7")


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        ({"at": "game 2, decision 900"}, "ends earlier"),
        ({"at": "game 2"}, "decision 12"),
        ({"at": "decision 2"}, "game 7"),
        ({"at": "game 2, dcision 3"}, "decision 12"),
        ({"at": "game 2 of seed 3, decision 1", "seed": 4}, "seed 3"),
        ({"at": "game 2, decision 1", "event": "x"}, "has no such throw"),
        ({"at": "game 2, decision 1", "if_": {"points[7]": "1"}}, "write points[0..1]"),
        ({"when": "x"}, "give one with --at"),
    ],
)
def test_wrong_question_gets_one_line(options: dict, wrong: str):
    with pytest.raises(UsageError) as refused:
        chances(PIG, **options)
    assert wrong in str(refused.value)


def test_answer_does_not_depend_on_threads_or_on_how_the_position_is_named():
    named = {"policy": "steady", "games": 300}
    line = bartizan.game(PIG).trace(game=2, position=3, policy="steady").position
    asked = [
        chances(PIG, at=at, jobs=jobs, **named)
        for at, jobs in (("game 2, decision 3", 1), ("game 2, decision 3", 2), (line, 2))
    ]
    assert asked[0] == asked[1] == asked[2]
