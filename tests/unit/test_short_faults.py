"""Short games whose fault shows only in play: one line with file and line, no traceback, no generated file."""

import json
import os
import re
import subprocess
import sys
from functools import cache

import numpy as np
import pytest

from bartizan.policies.gym import Sitting
from bartizan.policies.registry import find_player
from bartizan.simcore.arrays import Record, as_records
from bartizan.simcore.compile.plain_numbers import NAME, as_compiled, as_compiled_number
from bartizan.simcore.conformance import walk
from bartizan.simcore.errors import EngineError, ScenarioError, UsageError
from bartizan.simcore.game import load_game
from bartizan.simcore.play import failures
from bartizan.simcore.play.batch import play_games
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.replay import replay
from bartizan.simcore.scenario.loading import load_scenario
from tests.cli.run_cli import bartizan
from tests.unit.test_short_rulings import GAME as THREE

GAME = '''"""Play cards until the deck is used up."""

from bartizan.short import *

players = 2
few = Number(2, 0, 100)
deck = Deck([{"name": "Low", "copies": 4, "worth": 1}, {"name": "High", "copies": 4, "worth": 3}])
hand, shown, market = Hand(deck, 4), Pile(deck), Pile(deck, 2)
left, points = Counter(), Tokens()
track, board = Row(4), Grid(2, 3)


def setup(s, n):
    deal(s, s.deck, s.hand, n.few)


def start_turn(s, n):
    s.left = 1


def can_play(s, n, card):
    return s.left > 0


def play(s, n, card: hand):
    move(s.hand[s.me], card, s.shown)
    _pay(s, n, card)
    if empty(s.hand[s.me]) and empty(s.hand[1 - s.me]):
        win(s, leader(s, n), "all cards played")
    else:
        next_player(s)


def _pay(s, n, card):
    s.points[s.me] += n.worth[card]


def score(s, n, who):
    return s.points[who]


def keen(s, n, legal, most=3):
    """Plays what it has."""
    return legal[0]
'''
PAY = "    s.points[s.me] += n.worth[card]\n"
SETUP = "    deal(s, s.deck, s.hand, n.few)\n"
PLAY = "    move(s.hand[s.me], card, s.shown)\n"
NEXT = "        next_player(s)\n"
LOOK = "    return legal[0]\n"
FAULTS = {  # name -> (what stands there, what is written instead, what is said of it)
    "past a row": (PAY, "    s.track[s.turn + 3] += 1\n", "index"),
    "past a row by a card": (PAY, "    s.track[card + 4] = 1\n", "index"),
    "a column of no card": (PAY, "    s.points[s.me] += n.worth[card + 9]\n", "index"),
    "no such player": (PAY, "    s.points[s.me + 2] += 1\n", "index"),
    "no such cell laid": (PAY, "    lay(s.board, 6, 1)\n", "no such cell"),
    "no cell laid": (PAY, "    lay(s.board, neighbour(s.board, 0, 0), 1)\n", "no such cell"),
    "no cell read": (PAY, "    s.points[s.me] += at(s.board, neighbour(s.board, 0, 3))\n", "no such cell"),
    "a full pile, put": (
        PAY,
        "    put(s.market, card)\n    put(s.market, card)\n    put(s.market, card)\n",
        "full pile",
    ),
    "a division by 0": (PAY, "    s.left = 5 // (s.left - s.left)\n", "ZeroDivisionError: s.left - s.left is 0"),
    "a remainder": (PAY, "    s.left = 5 % (\n        s.track[3]\n    )\n", r"ZeroDivisionError: s.track\[3\] is 0"),
    "a division in place": (PAY, "    s.left //= s.track[3]\n", r"ZeroDivisionError: s.track\[3\] is 0"),
    "a full pile, drawn": (PAY, "    for _ in range(3):\n        draw(s.deck, s.market)\n", "full pile"),
    "a full pile, moved": (PAY, "    for _ in range(3):\n        move(s.deck, LOW, s.market)\n", "full pile"),
    "a full pile, all": (PAY, "    move_all(s.deck, s.market)\n", "full pile"),
    "a full hand, dealt": (
        SETUP,
        "    deal(s, s.deck, s.hand, 2)\n    for _ in range(3):\n        draw(s.deck, s.hand[0])\n",
        "full pile",
    ),
    "taken from an empty pile": (PAY, "    put(s.shown, take(s.market, 0))\n", "no card in this place"),
    "taken past the end": (PAY, "    put(s.market, take(s.shown, 7))\n", "no card in this place"),
    "taken before the start": (PAY, "    put(s.market, take(s.shown, NONE))\n", "no card in this place"),
    "a turn for nobody": (NEXT, "        pass_to(s, who_has(s, s.hand, 7))\n", "no player"),
    "a turn for a third": (NEXT, "        pass_to(s, s.me + 1)\n", "no player"),
    "a third is out": (PAY, "    eliminate(s, s.me + 2)\n", "no player"),
    "a third wins": (PAY, '    win(s, s.me + 2, "over")\n', "no player"),
    "a helper fails": (PAY, PAY + "    _more(s)\n\n\ndef _more(s):\n    s.track[9] = 1\n", "index"),
    "the start fails": (SETUP, SETUP + "    s.track[4] = 1\n", "index"),
    "a turn's start fails": ("    s.left = 1\n", "    s.left = 1 + s.track[s.turn + 2]\n", "index"),
    "a condition fails": ("    return s.left > 0\n", "    return s.track[s.turn + 2] == 0\n", "index"),
    "the score fails": ("    return s.points[who]\n", "    return s.points[who] + s.track[s.turn + 2]\n", "index"),
    "a player fails": (LOOK, "    return legal[s.track[s.turn + 2]]\n", "index"),
    "a player chooses what is not legal": (LOOK, "    return PLAY(9)\n", "not legal"),
    "a die without sides": (PAY, "    s.left = die(s, 0)\n", "a die has"),
    "one of nothing": (PAY, "    s.left = any_of(s, cards(s.market))\n", "call it with at least one action"),
    "nothing is allowed": (
        "    return s.left > 0\n",
        "    return s.turn < 3\n",
        "no legal action.*turn 3, first player to move; left 1",
    ),
    "nothing at the start": (
        "    s.left = 1\n",
        "    s.left = 0\n",
        "no legal action.*turn 1, first player to move; left 0",
    ),
    "nobody has cards": ("Number(2, 0, 100)", "Number(0, 0, 100)", "no legal action.*hand of first player: nothing"),
}
ADDS = {
    "(a == 1) - (a == 2)": lambda a: (a == 1) - (a == 2),
    "(a > 0) + (a > 1) + (a > 2)": lambda a: (a > 0) + (a > 1) + (a > 2),
    "-(a > 1) * 5": lambda a: -(a > 1) * 5,
    "a * 1_000_000_000 % 7": lambda a: a * 1_000_000_000 % 7,
}


def mutant(name: str) -> str:
    old, new, _ = FAULTS[name]
    assert old in GAME
    return GAME.replace(old, new, 1)


def file_of(name: str) -> str:
    """The name of a faulty game's file."""
    return f"faulty_{name}".replace(" ", "_").replace(",", "").replace("'", "")


@cache
def uncompiled() -> dict:
    """What all games of this file answer, in one uncompiled process."""
    asked = {"right": {"file": GAME, "games": 3}}
    asked |= {file_of(name): {"file": mutant(name), "games": 3} for name in FAULTS}
    asked |= {name: {"file": WEATHER} | question for name, question in QUESTIONS.items()}
    done = subprocess.run(
        [sys.executable, "-m", "tests.plain_games"],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        env=os.environ | {"BARTIZAN_PLAIN": "1"},
    )
    assert done.returncode == 0, done.stderr
    answers: dict = json.loads(done.stdout)
    assert answers["right"][0] == ""
    return answers


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_that_shows_in_play_is_one_line_that_names_the_designers_file(name):
    kind, said = uncompiled()[file_of(name)]
    assert kind in ("EngineError", "PolicyError")
    found = re.match(r"(\S+)\.py:(\d+): ", said)
    assert found and "/short/" not in said and "\n" not in said, said
    assert re.search(FAULTS[name][2], said), said
    lines = mutant(name).splitlines()
    changed = {line for line in lines if line not in GAME.splitlines()} | {
        line for line in lines if line.startswith("def ")
    }
    assert lines[int(found[2]) - 1] in changed, (said, lines[int(found[2]) - 1])


@pytest.mark.parametrize("written", ADDS)
def test_plain_arithmetic_is_that_of_compiled_code(written):
    """Truth values are numbers, and cards have 64 bits."""
    import ast

    names = {NAME: as_compiled_number}
    exec(
        compile(as_compiled(ast.parse(f"def f(a):\n    b = a > 5\n    b += {written}\n    return b")), "f", "exec"),
        names,
    )
    for a in range(5):
        assert names["f"](np.int32(a)) == ADDS[written](a)


WEATHER = '''"""Four days."""

from bartizan.short import *

players = 1
deck = Deck({"Rain": 2, "Sun": 2})
road, used = Pile(deck, 4, seen="nobody"), Pile(deck)


def setup(s, n):
    while not empty(s.deck):
        draw(s.deck, s.road)


def start_turn(s, n):
    if not empty(s.road):
        say(s, "the weather: {deck}", draw(s.road, s.used))


def rare_dry(s, n):
    """Two days of sun come first."""
    return 50 * count(s.used, SUN) if count(s.used, RAIN) == 0 or count(s.used, SUN) == 2 else -1


def walk(s, n):
    if empty(s.road):
        win(s, s.me, "walked")
        lose(s, "too late")
    next_player(s)
'''
RICH = '''"""More points than 32 bits hold."""

from bartizan.short import *

players = 2
points = Tokens()


def setup(s, n):
    s.points[1] = 3_000_000_000
    say(s, "{} points", s.points[1])


def stop(s, n):
    s.points[0] -= 3_000_000_000
    win(s, 1, "rich")


def idle(s, n):
    """Stops."""
    return STOP
'''
LEVELS = '''"""Four days of weather, worse for experts."""

from bartizan.short import *

players = 1
is_elite = Number({"novice": 0, "elite": 1}, 0, 1)
deck = Deck(
    [
        {"name": "Rain", "copies": 3, "novice": 1, "elite": 3},
        {"name": "Sun", "copies": 3, "novice": 3, "elite": 1},
    ]
)
box, used = Pile(deck), Pile(deck)


def setup(s, n):
    for card in range(len(n.novice)):
        wanted = n.elite[card] if n.is_elite else n.novice[card]
        while count(s.deck, card) > wanted:
            move(s.deck, card, s.box)
    shuffle(s, s.deck)


def turn_up(s, n):
    if draw(s.deck, s.used) == NONE:
        win(s, s.me, "over")
'''
SHOP = '''"""Buy twice."""

from bartizan.short import *

players = 1
price, coins = Number(1, 0, 2), Tokens(2)


def can_buy(s, n):
    return n.price < 2


def buy(s, n):
    s.coins[s.me] -= 1
    if s.coins[s.me] == 0:
        win(s, s.me, "bought")


def leave(s, n):
    lose(s, "left")


def keen(s, n):
    """Buys."""
    return BUY
'''
CYCLE = '''"""Two walk to and fro for ever."""

from bartizan.short import *

players = 2
place, paces = Tokens(), Counter()


def forward(s, n):
    s.place[s.me] += 1
    if s.place[s.me] == 9:
        win(s, s.me, "there")
    next_player(s)


def back(s, n):
    s.place[s.me] -= 1
    next_player(s)


def shy(s, n):
    """Turns round."""
    return BACK if s.place[s.me] > 1 else FORWARD
'''
DUEL = '''"""The first to draw wins."""

from bartizan.short import *

players = 2


def draw_first(s, n):
    eliminate(s, s.me)
    win(s, 1 - s.me, "alive")
'''
QUESTIONS = {
    "no cards to buy": {"file": GAME, "games": 1, "set": {"numbers.few": 0}},
    "after an elimination": {"command": "after the end", "file": DUEL, "games": 1},
    "rich": {"file": RICH, "games": 1},
    "rich log": {"file": RICH, "command": "opening"},
    "in a cycle": {"command": "cycle", "file": CYCLE},
    "in a cycle that counts": {
        "command": "cycle",
        "file": CYCLE.replace("    s.place[s.me] -= 1\n", "    s.paces += 1\n    s.place[s.me] -= 1\n"),
    },
    "in no cycle": {"command": "cycle"},
    "opening": {"command": "opening"},
    "dealt": {"command": "dealt"},
    "progress": {"command": "progress"},
    "after": {"command": "after the end", "games": 2},
    "refused": {"command": "refused", "games": 20, "knobs": ["deck.rain.copies", "deck.sun.copies"]},
    "a player fails": {"command": "refused", "file": SHOP, "games": 20, "knobs": ["numbers.price"]},
    "more": {"command": "playable", "games": 20, "values": {"deck.rain.copies": 3}},
    "novice": {"command": "dealt", "file": LEVELS, "set": {"difficulty": "novice"}},
    "elite": {"command": "dealt", "file": LEVELS, "set": {"difficulty": "elite"}},
    "roller": {"file": THREE, "games": 1},
    "with a point": {"file": THREE, "games": 1, "set": {"rulings.starts_with": "yes"}},
    "other": {"file": THREE, "games": 1, "set": {"rulings.at_three": "other"}},
    "fewer": {"command": "playable", "games": 20, "values": {"deck.rain.copies": 1}},
}


def line_of(text: str) -> int:
    return next(i for i, line in enumerate(WEATHER.splitlines(), 1) if text in line)


def test_what_is_said_before_the_first_decision_is_in_the_log():
    kind, said = uncompiled()["opening"]
    assert not kind and len(said) == 1 and said[0] in ("the weather: Rain", "the weather: Sun")


def test_scores_and_what_is_said_have_64_bits():
    """They were -1,294,967,296 in columns of 32 bits."""
    assert uncompiled()["rich"] == ["", [[1, 1, -3_000_000_000]]]
    assert uncompiled()["rich log"] == ["", ["3000000000 points"]]


def test_every_pile_can_be_stacked_after_the_set_up():
    kind, piles = uncompiled()["dealt"]
    assert not kind and {pile["pile"]: len(pile["cards"]) for pile in piles} == {"road": 3, "used": 1}
    assert sorted(card for pile in piles for card in pile["cards"]) == ["Rain", "Rain", "Sun", "Sun"]


def test_rules_play_the_reading_in_force():
    played = {name: uncompiled()[name][1][0][:2] for name in ("roller", "with a point", "other")}
    assert played == {"roller": [0, 5], "with a point": [0, 3], "other": [1, 5]}


def test_a_game_without_an_end_names_its_cycle():
    found = {name: uncompiled()[f"in {name}"][1] for name in ("a cycle", "a cycle that counts", "no cycle")}
    position = "game 0 runs in a cycle: the position before decision 2 occurs 250 times within 1,000 decisions"
    round_ = "; the cycle: first: forward, second: forward, first: back, second: back"
    assert found["no cycle"] is None and found["a cycle"] == position + round_
    assert found["a cycle that counts"] == f"{position} (only paces grew){round_}"


def test_a_value_under_which_a_player_fails_ends_no_command_that_varies_values():
    kind, found = uncompiled()["a player fails"]
    assert not kind, found
    (path, to, why), *others = found
    assert (path, to) == ("numbers.price", 2) and not others and "policy keen chose action 0, which is not legal" in why


def test_a_deck_for_each_level():
    found = {
        level: {one["pile"]: sorted(one["cards"]) for one in uncompiled()[level][1]} for level in ("novice", "elite")
    }
    rainy, sunny = ["Rain", "Rain", "Rain", "Sun"], ["Rain", "Sun", "Sun", "Sun"]
    assert found == {
        "novice": {"deck": sunny, "box": ["Rain", "Rain"]},
        "elite": {"deck": rainy, "box": ["Sun", "Sun"]},
    }


def test_ends_and_events_of_the_file_are_rare_events():
    kind, events = uncompiled()["progress"]
    assert not kind and events["walked"] == [0, 1, 1, "the game ends with “walked”"]
    assert events["too_late"][:3] == [0, -1, 1]
    assert events["dry"][1] in (-1, 100) and events["dry"][2:] == [100, "Two days of sun come first"]


def test_what_is_called_after_the_end_is_named_with_its_line():
    kind, places = uncompiled()["after"]
    named = {int(place.rpartition(":")[2]): word for place, word in places.items()}
    assert not kind and named == {line_of("lose(s"): "lose", line_of("    next_player(s)"): "next_player"}


def test_a_value_at_which_nothing_is_allowed_is_named():
    """`check` tries the ends of all ranges: without the value, the position came from no game of the designer's."""
    kind, said = uncompiled()["no cards to buy"]
    assert kind == "EngineError" and re.search(r"no legal action.* ply \d+, with numbers\.few=0\)", said), said


def test_what_no_rule_calls_after_the_end_is_not_named():
    """The generated code passes the turn of an eliminated player on: a note about line 1 helped nobody."""
    assert uncompiled()["after an elimination"] == ["", {}]


def test_a_value_that_overfills_a_pile_ends_no_command_that_varies_values():
    kind, refused = uncompiled()["refused"]
    assert not kind and [[path, to] for path, to, _ in refused] == [["deck.rain.copies", 3], ["deck.sun.copies", 3]]
    assert all(
        f".py:{line_of('draw(s.deck')}: a card is put onto a full pile: road has room for 4: " in why
        for _, _, why in refused
    )
    assert uncompiled()["fewer"] == ["", True] and uncompiled()["more"][0] == "ScenarioError"


ROADS = '''"""Build one of four roads; each takes its strength."""

from bartizan.short import *

players = 1
strength = [4, 3, 5, 4]
reward = Number([1, 2, 3, 4], 0, 9, "rulebook, p. 2")
tiers = {"gold": 6, "silver": 3}
ROADS = ("north", "east", "south", "west")
built = Row(4)


def can_build(s, n, road):
    return s.built[road] == 0


def build(s, n, road: ROADS):
    s.built[road] = n.strength[road]
    if times(s.built, 0) == 0:
        win(s, s.me, "all roads")
    else:
        next_player(s)


def score(s, n, who):
    return s.built[0] * n.reward[0] + s.built[3] * n.reward[3]


def aim(s, n, who):
    """Roads built."""
    return 4 - times(s.built, 0)
'''


@pytest.fixture
def roads(tmp_path):
    path = tmp_path / "roads.py"
    path.write_text(ROADS)
    return path


def test_lists_of_numbers_names_of_values_tiers_and_an_aim(roads):
    game = load_game(str(roads))
    scenario = load_scenario(game, None, None, {"numbers.strength": "[1, 2, 3, 9]"})
    assert game.compiled.build_tables(scenario)["strength"].tolist() == [[1, 2, 3, 9]]
    assert game.compiled.build_tables(scenario)["reward"].tolist() == [[1, 2, 3, 4]]
    assert game.compiled.describe_action(None, None, 2, scenario) == "build south"
    assert game.compiled.tiers(scenario) == {"gold": 6, "silver": 3, "below silver": -(2**63)}
    # every game has a score of 1: it is below the lowest tier, and no row counts games without a score
    run = ("run", roads, "--games 40 --set numbers.strength=[1,1,1,1] --set numbers.reward=[1,0,0,0]", "--json")
    assert bartizan(*run).json["tiers"] == {"gold": 0, "silver": 0, "below silver": 40}
    newcomer = next(policy for policy in game.policies() if policy.name == "newcomer")
    assert "Roads built" in newcomer.about and newcomer.goal.__name__ == "goal"


@pytest.mark.parametrize("value", ["[1, 2, 3]", "[1, 2, 3, 4, 5]", "[1, 2, 3, -1]"])
def test_a_list_that_does_not_fit_is_an_error_of_the_designers_file(roads, value):
    game = load_game(str(roads))
    with pytest.raises(ScenarioError, match=rf"^{re.escape(str(roads))}: numbers\.strength"):
        load_scenario(game, None, None, {"numbers.strength": value})


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("n.strength[road]\n", "n.strength\n", r"n\.strength has 4 numbers: write n\.strength\[i\]"),
        ("road: ROADS", "road: (1, 2)", "names of its values"),
        ('"south", "west"', '"south", "south"', "have the same name"),
        ("strength = [4, 3, 5, 4]", "strength = [4, 3.5, 5, 4]", "a number must be an integer"),
        ('{"gold": 6, "silver": 3}', '{"gold": "six"}', "lowest score of each"),
        ("def aim(s, n, who)", "def aim(s, n)", r"write def aim\(s, n, who\)"),
    ],
)
def test_mistakes_in_them_are_named(roads, old, new, says):
    assert old in ROADS
    roads.write_text(ROADS.replace(old, new))
    with pytest.raises(UsageError, match=rf"^{re.escape(str(roads))}:\d+: .*{says}"):
        load_game(str(roads))


CROWD = '''"""Four cards for a market of two."""

from bartizan.short import *

players = 1
deck = Deck({"Rain": 4})
market, track = Pile(deck, 2), Row(2)


def setup(s, n):
    for _ in range(2):
        draw(s.deck, s.market)


def can_wait(s, n):
    return s.turn > 0


def wait(s, n):
    win(s, s.me, "waited")


def score(s, n, who):
    return size(s.market)
'''
CROWDED = {  # where it fails -> (what stands there, what is written instead, what is said)
    "setup": ("range(2)", "range(3)", r":12: a card is put onto a full pile: market has room for 2: .*s\.market.*< 2"),
    "can_": ("return s.turn > 0", "return s.track[s.turn + 1] == 0", ":16: .*index"),
    "score": ("return size(s.market)", "return s.track[size(s.market)]", ":24: .*index"),
    "win": ("    win(s, s.me", "    s.track[s.turn + 1] = 1\n    win(s, s.me", ":20: .*index"),
}
ASKED = {
    "run": lambda match: list(play_games(match, range(1))),
    "trace": lambda match: list(replay(match, 0)),
    "check": lambda match: walk(match, 0, list(match.players)),
    "gym": lambda match: Sitting(match).begin(0),
}


@pytest.mark.parametrize("where", CROWDED)
def test_a_fault_in_compiled_rules_is_the_designers_line_whoever_asks(where, kept_path):
    old, new, said = CROWDED[where]
    path = kept_path / "crowd.py"
    path.write_text(CROWD.replace(old, new))
    game = load_game(str(path))
    match = Match(game, load_scenario(game, "standard"), (find_player(game, "random"),), 1)
    never = {"score": ("trace", "gym"), "win": ("gym",)}.get(where, ())
    for ask in (ASKED[one] for one in ASKED if one not in never):
        with pytest.raises(EngineError, match=f"crowd.py{said}"):
            ask(match)


# ---------------------------------------------------------------- arguments of a rule that fails


def test_a_failing_rule_is_called_again_with_what_it_was_given(monkeypatch):
    """The state as it was; the tables themselves, which no rule changes."""
    state, tables = (as_records(np.zeros(2, [("n", "i4"), ("row", "u1", (3,))]))[1] for _ in range(2))
    state.row[1], seen = 5, []
    monkeypatch.setattr(failures.mistakes, "place_of", lambda error: "")
    monkeypatch.setattr(failures, "in_rule", lambda rule, before, error: seen.extend(before) or "FILE:1: why")

    def rule(state, tables):
        state.n = 7
        state.row[:] = 9
        raise IndexError

    with pytest.raises(EngineError, match="FILE:1: why"):
        failures.follow(rule, "game 1", state, tables)
    assert isinstance(seen[0], Record) and (seen[0].n, seen[0].row.tolist()) == (0, [0, 5, 0])
    assert seen[1] is tables and state.n == 7
