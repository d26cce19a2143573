"""Simultaneous choices of a short game: who chooses, in which order choices are revealed, and that nobody sees a held one."""

import json

import numpy as np
import pytest

import bartizan as bz
from bartizan.api.answers.new import new
from bartizan.policies.registry import find_player
from bartizan.simcore import rng
from bartizan.simcore.arrays import as_records
from bartizan.simcore.compile.loops import new_states
from bartizan.simcore.conformance import check_game
from bartizan.simcore.errors import PolicyError, UsageError
from bartizan.simcore.game import game_from_file, load_game
from bartizan.simcore.learning.layout import layout_of
from bartizan.simcore.play.batch import Batch
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.replay import OneGame
from bartizan.simcore.scenario.loading import load_scenario
from tests.cli.run_cli import ROOT, bartizan
from tests.unit.test_short_games import rows, uncompiled
from tests.unit.test_short_turns import Table

SHORT = ROOT / "examples/short"
BIDS = '''"""Bids: sealed bids for a prize, then the winner may roll; who has no chips waits."""

from bartizan.short import *

players = (3, 2)
phases = ["bidding", "rolling", "answering"]
simultaneous = ["bid", "wait"]
chips, points, last, answers = Tokens(5), Tokens(), Tokens(), Tokens()
prize, reveals, ended = Counter(), Counter(), Counter()


def start_turn(s, n):
    s.phase = BIDDING
    s.prize += 1


def can_bid(s, n, amount):
    return s.phase == BIDDING and amount <= s.chips[s.me]


def bid(s, n, amount: range(1, 6)):
    s.last[s.me] = amount
    if amount == 3:
        ask_player(s, (s.me + 1) % s.players, ANSWERING)


def can_wait(s, n):
    return s.phase == BIDDING and s.chips[s.me] == 0


def wait(s, n):
    s.last[s.me] = 0


def can_answer(s, n):
    return s.phase == ANSWERING


def answer(s, n):
    s.answers[s.me] += 1 + s.reveals
    answered(s)


def after_reveal(s, n):
    s.reveals += 1
    for p in range(s.players):
        s.chips[p] -= s.last[p]
    s.phase = ROLLING


def can_roll(s, n):
    return s.phase == ROLLING


def roll(s, n):
    s.points[s.me] += die(s, 6)
    if s.turn >= 8:
        win(s, leader(s, n), "eight turns")
    else:
        next_player(s)


def after_action(s, n):
    s.ended += 1


def keen(s, n):
    """Bids one chip."""
    if s.phase == ROLLING:
        return ROLL
    if s.phase == ANSWERING:
        return ANSWER
    return BID(1) if s.chips[s.me] > 0 else WAIT
'''
PROGRAM = '''"""Program: two steps and whom to push, chosen one after another and revealed together."""

from bartizan.short import *

players = 3
STEPS = ("left", "right")
stages = ["steer"]
simultaneous = ["steer"]
place, pushed = Tokens(), Tokens()


def steer(s, n, first: STEPS, second: STEPS, target: others):
    s.place[s.me] += 2 * (first + second) - 2
    s.pushed[target] += 1


def after_reveal(s, n):
    if s.turn == 4:
        win(s, leader(s, n))
    else:
        next_player(s)


def score(s, n, who):
    return s.place[who] - s.pushed[who]
'''


class Seats(Table):
    def play(self, *decisions):
        for one in decisions:
            self.apply(self.named()[one])
        return int(self.state.me)


@pytest.fixture
def bids(tmp_path):
    return Seats(tmp_path / "bids.py", BIDS)


def test_choices_are_held_until_all_have_chosen_then_applied_in_turn_order(bids):
    assert bids.play("bid amount 2") == 1 and bids.state.last.tolist() == [0, 0, 0] and not bids.state.done.any()
    assert bids.play("bid amount 1") == 2 and bids.state.ended == bids.state.reveals == 0
    assert bids.play("bid amount 5") == 0 and bids.state.last.tolist() == [2, 1, 5]
    assert bids.state.chips.tolist() == [3, 4, 0] and bids.state.reveals == bids.state.ended == 1
    assert set(bids.named()) == {"roll"} and bids.state.turn == 1 and bids.state.prize == 1


def test_the_next_round_begins_with_the_player_of_the_turn(bids):
    bids.play("bid amount 2", "bid amount 1", "bid amount 5", "roll")
    assert bids.state.me == 1 and bids.play("bid amount 1") == 2
    assert set(bids.named()) == {"wait"}  # one legal choice
    assert bids.play("wait") == 0 and bids.play("bid amount 1") == 1 and bids.state.reveals == 2


def test_eliminated_players_do_not_choose(bids):
    bids.state.out[1] = 1
    assert bids.play("bid amount 2") == 2 and bids.play("bid amount 2") == 0
    assert bids.state.last.tolist() == [2, 0, 2] and bids.state.reveals == 1


def test_after_the_reveal_the_turn_is_not_that_of_an_eliminated_player(tmp_path):
    table = Seats(tmp_path / "out.py", BIDS.replace("s.reveals += 1", "s.reveals += 1\n    eliminate(s, 0)"))
    assert table.play("bid amount 1", "bid amount 1", "bid amount 1") == 1


def test_a_reaction_interrupts_the_reveal(bids):
    """The choice of the third player is applied after the answer, and everything else after the last answer."""
    assert bids.play("bid amount 1", "bid amount 3", "bid amount 2") == 2
    assert set(bids.named()) == {"answer"} and bids.state.last.tolist() == [1, 3, 0] and bids.state.turn_of == 1
    assert bids.state.reveals == bids.state.ended == 0
    assert bids.play("answer") == 0 and bids.state.last.tolist() == [1, 3, 2]
    assert bids.state.reveals == bids.state.ended == 1 and bids.state.answers.tolist() == [0, 0, 1]
    bids.play("roll")
    assert bids.play("bid amount 1", "bid amount 3", "bid amount 1") == 0 and set(bids.named()) == {"answer"}


def test_choices_in_stages_are_held_as_one(tmp_path):
    table = Seats(tmp_path / "program.py", PROGRAM)
    assert table.play("steer first right", "steer second right") == 0
    assert table.play("steer target second player") == 1 and not table.state.place.any()
    assert table.play("steer first left", "steer second left", "steer target first player") == 2
    table.play("steer first left", "steer second right", "steer target first player")
    assert table.state.place.tolist() == [2, -2, 0] and table.state.pushed.tolist() == [2, 1, 0]
    lines = table.engine.describe_events(table.states[0], table.tables, None)
    assert lines == [
        "first player: steer right, right, second player",
        "second player: steer left, left, first player",
        "third player: steer left, right, first player",
    ]


def test_other_actions_wait_until_all_have_chosen(tmp_path):
    """An action that is not simultaneous is not offered while choices are held."""
    table = Seats(tmp_path / "mixed.py", BIDS.replace("return s.phase == ROLLING", "return s.phase != ANSWERING"))
    assert "roll" in table.named()
    table.play("bid amount 1")
    assert "roll" not in table.named() and table.legal() == table.legal("every_action")


# ---------------------------------------------------------------- nobody sees a held choice


def dealt(state, engine, tables, seat):
    """A copy, dealt anew for a seat."""
    states = as_records(new_states(engine))
    states[0] = state
    rng.fresh_luck(states[0], 1)
    engine.determinize(states[0], tables, seat)
    return states[0]


@pytest.fixture(scope="module")
def goofspiel():
    return load_game(str(SHORT / "goofspiel.py"))


def match_of(game, policy, seed=3, sets=None):
    scenario = load_scenario(game, None, None, sets or {})
    return Match(game, scenario, (find_player(game, policy),) * len(game.roles_in(scenario)), seed, deals=True)


def after(match, *actions):
    game = OneGame(match)
    game.begin(match.seed, 0)
    for action in actions:
        game.play(action)
    return game


def test_dealt_anew_the_others_choose_again(goofspiel):
    match = match_of(goofspiel, "matching", sets={"numbers.players": 3})
    game = after(match, 5, 6)
    assert game.state.held_choices.tolist()[:3] == [6, 7, 0] and game.seat == 2
    for seat, kept in enumerate(([6, 0, 0], [0, 7, 0], [0, 0, 0])):
        state = dealt(game.state, game.engine, game.tables, seat)
        assert state.held_choices.tolist()[:3] == kept and state.me == 2 and state.choosing == 1
    state = dealt(game.state, game.engine, game.tables, 2)
    order = []
    for action in (9, 1, 2):
        order.append(int(state.me))
        game.engine.apply(state, game.tables, np.int32(action))
    assert order == [2, 0, 1] and state.choosing == 0
    assert [np.flatnonzero(hand == 0).tolist() for hand in state.hand] == [[1], [2], [9]]


@pytest.mark.parametrize("policy", ["newcomer", "lookahead:base=matching,turns=0", "matching"])
def test_no_policy_depends_on_a_held_choice(policy, goofspiel):
    match = match_of(goofspiel, policy)
    assert len({after(match, first).choice() for first in (1, 7, 13)}) == 1


def test_a_learned_policy_sees_no_held_choice(goofspiel):
    """Every number that it sees is declared, and held choices are not."""
    layout = layout_of(goofspiel)
    assert not {"held_choices", "choosing", "first_chooser"} & {field[2] for field in layout.fields}
    assert layout.parts["simultaneous"] == "bid"


PEEK = '''def peeks(state, tables, legal, n_legal, weights):
    """Reads what the first player holds."""
    return legal[(state.held_choices[0] + state.held_choices[1]) % n_legal]
'''


def test_a_policy_of_the_full_form_that_reads_a_held_choice_is_named(kept_folder, monkeypatch):
    monkeypatch.chdir(kept_folder)
    list(new("game", "goofs", source=str(SHORT / "goofspiel.py")))
    path = kept_folder / "goofs/goofs.py"
    text = path.read_text().replace("POLICIES = [", PEEK + '\n\nPOLICIES = [Policy("peeks", peeks, "peeks"),', 1)
    path.write_text(text)
    game = load_game(str(path))
    with pytest.raises(PolicyError, match=r"policy peeks: .*cannot know were redealt"):
        list(check_game(game, [find_player(game, "peeks")], find_player(game, "random")))


def test_the_log_shows_choices_when_they_are_revealed():
    out = bartizan("trace", SHORT / "goofspiel.py", "--seed", 3).out.splitlines()
    said = [line.split(": ", 1)[1] for line in out if ": " in line][1:5]
    assert said == ["chooses", "chooses", said[2], said[3]] and said[2].startswith("bid card ")
    page = json.loads(bartizan("trace", SHORT / "goofspiel.py", "--seed", 3, "--json").out)
    assert "held_choices" not in json.dumps(page)


def test_cards_are_exchanged_before_anybody_has_chosen():
    """`cards --without`: a held choice stays legal, and games end."""
    answer = bartizan("cards", SHORT / "sushi_go.py", "--without", "--games", 20, "--players", 2, "--json")
    assert answer.code == 0 and len(json.loads(answer.out)["cards"]) == 12


# ---------------------------------------------------------------- the same games in every form


@pytest.mark.parametrize(("name", "policy"), [("goofspiel", "matching"), ("sushi_go", "gourmet")])
def test_the_full_form_plays_the_same_games(name, policy, kept_folder, monkeypatch):
    monkeypatch.chdir(kept_folder)
    list(new("game", f"long_{name}", source=str(SHORT / f"{name}.py")))
    path = kept_folder / f"long_{name}/long_{name}.py"
    assert (rows(path, policy, 200) == rows(SHORT / f"{name}.py", policy, 200)).all()


def test_uncompiled_they_are_the_same_games(tmp_path):
    games = [str(SHORT / f"{name}.py") for name in ("goofspiel", "sushi_go")]
    done = uncompiled(tmp_path, *(["run", game, "--games", "4", "--policy", "random"] for game in games))
    said = done.stdout.split("exit code 0\n")
    for game, text in zip(games, said[:-1], strict=True):
        assert bz.game(game).run(games=4, policy="random").to_dict()["digest"][:16] in text


# ---------------------------------------------------------------- passing hands

DRAFT = '''"""Draft: everybody takes a card, and passes the hand."""

from bartizan.short import *

players = (4, 3)
simultaneous = ["pick"]
deck = Deck(range(1, 21))
hand, taken = Hand(deck), Pile(deck, each=True)


def setup(s, n):
    deal(s, s.deck, s.hand, 5)


def pick(s, n, card: hand):
    move(s.hand[s.me], card, s.taken[s.me])


def after_reveal(s, n):
    DIRECTION(s, s.hand)
    if empty(s.hand[s.me]):
        tie(s, "all cards are taken")
    else:
        next_player(s)
'''


@pytest.mark.parametrize(("direction", "step"), [("pass_left", 1), ("pass_right", -1)])
def test_hands_pass_to_the_next_player_who_is_not_eliminated(direction, step, tmp_path):
    table = Seats(tmp_path / "draft.py", DRAFT.replace("DIRECTION", direction))
    state = table.state
    state.out[2] = 1
    sizes, others = [3, 5, 2, 4], [0, 1, 3]
    for p, size in enumerate(sizes):
        state.hand[p][1 + size :], state.hand[p][0] = 0, size
    before = state.hand.copy()
    word = table.engine.apply.py_func.__globals__[direction]
    getattr(word, "py_func", word)(state, state.hand)
    for i, p in enumerate(others):
        to = others[(i + step) % 3]
        assert state.hand[to][: 1 + sizes[p]].tolist() == before[p][: 1 + sizes[p]].tolist()
        assert not state.hand[to][1 + sizes[p] :].any()
    assert (state.hand[2] == before[2]).all()


def test_a_player_knows_the_cards_that_were_passed_on(tmp_path):
    """Dealt anew, the hand that one gave away has the cards that one knows; two hands further cards may differ."""
    path = tmp_path / "draft.py"
    path.write_text(DRAFT.replace("DIRECTION", "pass_left"))
    game = load_game(str(path))
    match = match_of(game, "random")
    played = after(match)
    for _ in range(4):
        played.play(played.legal()[0])
    hands = [set(hand[1 : 1 + hand[0]].tolist()) for hand in played.state.hand]
    me, differ = int(played.state.me), 0
    for number in range(30):
        states = as_records(new_states(played.engine))
        states[0] = played.state
        rng.fresh_luck(states[0], number)
        played.engine.determinize(states[0], played.tables, me)
        now = [set(hand[1 : 1 + hand[0]].tolist()) for hand in states[0].hand]
        assert now[me] == hands[me] and now[(me + 1) % 4] == hands[(me + 1) % 4]
        differ += now[(me + 2) % 4] != hands[(me + 2) % 4]
    assert differ > 20


# ---------------------------------------------------------------- open auctions, as in docs/short-games.md

AUCTION = '''"""Auction: one card for the highest bid."""

from bartizan.short import *

players = 4
highest, leading, seller, sold = Counter(), Counter(), Counter(), Counter()
passed = Tokens()


def setup(s, n):
    next_player(s)


def can_bid(s, n, amount):
    return amount > s.highest


def bid(s, n, amount: range(1, 101)):
    s.highest, s.leading = amount, s.me
'''
ONCE_AROUND = """    next_player(s)


def decline(s, n):
    next_player(s)


def after_action(s, n):
    if s.me == s.seller:
        win(s, s.leading, "sold")
"""
ENGLISH = """

def drop(s, n):
    s.passed[s.me] = 1


def after_action(s, n):
    next_player(s)
    while s.passed[s.me]:
        next_player(s)
    if s.me == s.leading:
        win(s, s.me, "sold")
"""


def test_an_auction_once_around(tmp_path):
    table = Seats(tmp_path / "once.py", AUCTION + ONCE_AROUND)
    assert table.play("bid amount 3", "decline") == 3 and not table.state.end_reason
    table.play("bid amount 4")
    assert table.state.end_reason and table.state.winner == 3


def test_an_english_auction_goes_on_without_those_who_passed(tmp_path):
    table = Seats(tmp_path / "english.py", AUCTION + ENGLISH)
    assert table.play("bid amount 3", "drop", "bid amount 4", "bid amount 5") == 1
    assert table.play("bid amount 7") == 3 and "bid amount 7" not in table.named()
    assert table.play("drop", "bid amount 9") == 1
    table.play("drop")
    assert table.state.end_reason and table.state.winner == 0


# ---------------------------------------------------------------- a campaign, as in docs/short-games.md

CAMPAIGN = '''"""Campaign: find the path twice; wounds stay."""

from bartizan.short import *

players = 1
deck = Deck({"Orc": 2, "Path": 1})
laid = Pile(deck)
scenario, wounds = Counter(1), Counter()


def explore(s, n):
    card = draw(s.deck, s.laid)
    s.wounds += card == ORC
    if s.wounds > 2:
        lose(s, "wounded")
    elif card == PATH and s.scenario == 2:
        win(s, s.me, "home")
    elif card == PATH:
        _next_scenario(s)


def _next_scenario(s):
    s.scenario += 1
    move_all(s.laid, s.deck)
    shuffle(s, s.deck)
'''


def test_a_campaign_keeps_what_no_scenario_resets(kept_path):
    """The number of orcs before the path is 0, 1 or 2 in each scenario, and their sum at most 2 in six of nine."""
    path = kept_path / "campaign.py"
    path.write_text(CAMPAIGN)
    wins = rows(path, "random", 4_500)["winner"] == 0
    assert abs(wins.mean() - 6 / 9) < 4 * (2 / 9 / 4_500) ** 0.5


# ---------------------------------------------------------------- mistakes

MISTAKES = [
    ('simultaneous = ["bid", "wait"]', "simultaneous = 3", 'write simultaneous = ["bid"]'),
    ('simultaneous = ["bid", "wait"]', 'simultaneous = ["bit"]', 'simultaneous: no action bit; did you mean "bid"?'),
    ('simultaneous = ["bid", "wait"]\n', "", "after_reveal: declare which choices are revealed together"),
    ("    s.last[s.me] = 0", "    next_player(s)", "next_player: a simultaneous choice does not pass the turn"),
    ("prize, reveals", "choosing, reveals", "every game already has s.choosing"),
    ("    s.last[s.me] = amount", "    s.last[s.me] = s.held_choices[0]", "s.held_choices: no such component"),
    ("def after_reveal(s, n)", "def after_reveal(s)", "write def after_reveal(s, n)"),
]


@pytest.mark.parametrize(("written", "instead", "wanted"), MISTAKES)
def test_a_mistake_is_named(written, instead, wanted, tmp_path):
    path = tmp_path / "wrong.py"
    text = BIDS.replace("s.prize += 1", "s.prize = 1") if "choosing" in instead else BIDS
    assert written in text
    path.write_text(text.replace(written, instead, 1), encoding="utf-8")
    with pytest.raises(UsageError, match=r"wrong.py:\d+: ") as caught:
        game_from_file(path).compiled  # noqa: B018
    assert wanted in str(caught.value).replace("list the actions that all players choose at the same time:", "write")


def test_simultaneous_games_are_the_same_alone_and_in_a_batch(goofspiel):
    match = match_of(goofspiel, "random")
    together = Batch(match).play(range(50))
    assert all(Batch(match).play(range(i, i + 1))[0] == together[i] for i in (0, 7, 49))
    assert set(together["turn"]) == {13} and set(together["plies"]) == {26}
