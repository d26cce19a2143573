"""Who decides in a short game, and in how many steps: players who are asked during a turn, and arguments chosen one after another."""

import numpy as np
import pytest

from bartizan.simcore.arrays import as_records
from bartizan.simcore.compile.loops import new_states
from bartizan.simcore.errors import UsageError
from bartizan.simcore.game import game_from_file
from bartizan.simcore.rng import seed_luck
from bartizan.simcore.scenario.loading import load_scenario
from tests.unit.test_short_listing import uncompiled

RAID = '''"""Raid: everybody pays or parries; a parry is answered at once."""

from bartizan.short import *

players = (3, 2)
goal = 9
chips, points, parried = Tokens(5), Tokens(), Tokens()
raids = Counter()
phases = ["acting", "paying", "bleeding", "answering"]


def start_turn(s, n):
    if s.turn % 5 == 0:
        ask_player(s, s.me, PAYING)


def can_raid(s, n):
    return s.phase == ACTING


def raid(s, n):
    s.raids += 1
    for step in range(1, s.players):
        ask_player(s, (s.me + step) % s.players, PAYING)
    s.points[s.me] += 1
    if s.points[s.me] >= n.goal:
        win(s, s.me, "enough")
    next_player(s)


def can_pay(s, n):
    return s.phase in (PAYING, BLEEDING)


def pay(s, n):
    s.chips[s.me] -= 1
    if s.phase == BLEEDING:
        answered(s)
    s.phase = BLEEDING


def can_parry(s, n):
    return s.phase == PAYING and s.me != s.turn_of


def parry(s, n):
    s.parried[s.me] += 1
    ask_player(s, s.turn_of, ANSWERING)
    s.phase = BLEEDING


def can_accept(s, n):
    return s.phase == ANSWERING


def accept(s, n):
    answered(s)
'''
TRADE = '''"""Trade: a card, to whom, and for how much."""

from bartizan.short import *

players = (3, 2)
deck = Deck({"Ore": 6, "Wool": 6, "Grain": 6})
hand = Hand(deck)
chips = Tokens(6)
TERMS = ("cash", "credit")
STAGES


def setup(s, n):
    deal(s, s.deck, s.hand, 5)


def can_trade(s, n, card, target, price):
    return price <= s.chips[target] and price != card and not (target == 0 and card == WOOL)


def trade(s, n, card: hand, target: others, price: range(1, 5)):
    move(s.hand[s.me], card, s.hand[target])
    s.chips[target] -= price
    s.chips[s.me] += price
    next_player(s)


def can_rest(s, n, terms, times):
    return terms == times % 2


def rest(s, n, terms: TERMS, times: range(3)):
    s.chips[s.me] += times > 1
    if s.turn > 20:
        tie(s, "enough")
    next_player(s)


def keen(s, n, legal):
    """Sells what lies on top."""
    for target in range(s.players):
        for price in range(4, 0, -1):
            if target != s.me and not empty(s.hand[s.me]) and can_trade(s, n, top(s.hand[s.me]), target, price):
                return TRADE(top(s.hand[s.me]), target, price)
    return REST(0, 2)
'''


class Table:
    """A game that is played as plain Python."""

    def __init__(self, path, text):
        path.write_text(text, encoding="utf-8")
        game = game_from_file(path)
        self.engine, self.names = game.engine(), vars(game)
        self.rules = uncompiled(self.engine)
        self.tables = as_records(self.engine.build_tables(load_scenario(game)))[0]
        self.states = new_states(self.engine)
        self.words = self.engine.describe_action.__self__
        seed_luck(self.state, np.uint64(1), np.uint64(2))
        with np.errstate(all="ignore"):
            self.rules.reset(self.state, self.tables)

    @property
    def state(self):
        return as_records(self.states)[0]

    def legal(self, lists="legal_actions"):
        room = np.zeros(self.engine.max_legal, np.int32)
        return room[: getattr(self.rules, lists)(self.state, self.tables, room)].tolist()

    def apply(self, action):
        with np.errstate(all="ignore"):
            self.rules.apply(self.state, self.tables, action)

    def named(self):
        """{decision in words: its number}."""
        return {self.words.describe_action(self.state, self.tables, one, None): one for one in self.legal()}

    def play(self, *decisions):
        for one in decisions:
            self.apply(self.named()[one])
        return int(self.state.me), ("acting", "paying", "bleeding", "answering")[self.state.phase]


@pytest.fixture
def raid(tmp_path):
    return Table(tmp_path / "raid.py", RAID)


def test_those_who_are_asked_decide_in_order_and_the_turn_goes_on(raid):
    assert raid.play() == (0, "acting")
    assert raid.play("raid") == (1, "paying") and raid.state.turn_of == 0 and raid.state.turn == 1
    assert raid.play("pay") == (1, "bleeding") and set(raid.named()) == {"pay"}
    assert raid.play("pay") == (2, "paying")
    assert raid.play("pay", "pay") == (1, "acting")
    assert raid.state.chips.tolist()[:3] == [5, 3, 3] and raid.state.turn == 2 and raid.state.turn_of == 1


def test_whoever_is_asked_during_an_answer_goes_first(raid):
    assert raid.play("raid", "pay", "pay") == (2, "paying")
    assert raid.play("parry") == (0, "answering")
    assert raid.play("accept") == (2, "bleeding")  # where the interrupted answer was left
    assert raid.play("pay") == (1, "acting")


def test_those_who_wait_are_kept_while_another_question_is_answered(raid):
    assert raid.play("raid", "parry") == (0, "answering")
    assert raid.play("accept") == (1, "bleeding")
    assert raid.play("pay") == (2, "paying")


def test_a_turn_may_begin_with_a_question(raid):
    for _ in range(3):
        raid.play("raid", "pay", "pay", "pay", "pay")
    raid.play("raid")
    assert raid.state.turn == raid.state.begun == 4  # the next turn begins when all have answered
    assert raid.play("pay", "pay", "pay", "pay") == (1, "paying") and raid.state.begun == 5
    assert raid.play("pay", "pay") == (1, "acting")


def test_nobody_decides_after_the_end(raid):
    for _ in range(25):
        while not raid.state.end_reason and "raid" not in raid.named():
            raid.play("pay" if "pay" in raid.named() else "accept")
        if raid.state.end_reason:
            break
        raid.play("raid")
    assert raid.engine.end_reasons[int(raid.state.end_reason)] == "enough" and raid.state.points.max() == 9


FEUD = '''"""Feud: every player answers an attack."""

from bartizan.short import *

players = PLAYERS
struck, settled, began = Tokens(), Counter(), Counter()
phases = ["acting", "defending", "choosing"]


def start_turn(s, n):
    s.began += 1


def after_action(s, n):
    s.settled += 1


def can_attack(s, n, late):
    return s.phase == ACTING


def attack(s, n, late: range(2)):
    if not late:
        next_player(s)
    for p in range(s.players):
        if p != s.turn_of and not s.out[p]:
            ask_player(s, p, DEFENDING)
    if late:
        next_player(s)


def can_wait(s, n):
    return s.phase == ACTING


def wait(s, n):
    for p in range(s.players):
        if p != s.me and not s.out[p]:
            ask_player(s, p, DEFENDING)


def take_hit(s, n):
    s.struck[s.me] += 1
    answered(s)


def can_take_hit(s, n):
    return s.phase != ACTING


def can_think(s, n):
    return s.phase == DEFENDING


def think(s, n):
    s.phase = CHOOSING


def can_counter(s, n):
    return s.phase == DEFENDING and s.me != s.turn_of


def counter(s, n):
    ask_player(s, s.turn_of, DEFENDING)
    answered(s)


def can_end_turn(s, n, times):
    return s.phase != ACTING


def end_turn(s, n, times: range(1, 3)):
    for _ in range(times):
        next_player(s)


def can_leave(s, n):
    return s.phase != ACTING and players_left(s) > 2 and s.me != s.turn_of


def leave(s, n):
    eliminate(s, s.me)
    answered(s)
'''


class Feud:
    """The rules of Feud, written from their description: a stack of players who are to answer."""

    def __init__(self, players):
        self.players, self.out, self.struck = players, set(), [0] * players
        self.turn_of, self.turn, self.settled, self.began = 0, 1, 0, 1
        self.due, self.next, self.turns = [], None, 0

    def after(self, p):
        return next(q % self.players for q in range(p + 1, p + 1 + self.players) if q % self.players not in self.out)

    def others(self):
        return [[p, "defending"] for p in range(self.players) if p != self.turn_of and p not in self.out]

    def play(self, action):
        kind, *value = action.split()
        first = self.due[0] if self.due else None
        if kind == "attack":
            self.due, self.next, self.turns = self.others(), self.after(self.turn_of), 1
        elif kind == "wait":
            self.due = self.others()
        elif kind == "think":
            first[1] = "choosing"
        else:
            self.due.remove(first)
        if kind == "take":
            self.struck[first[0]] += 1
        elif kind == "counter":
            self.due.insert(0, [self.turn_of, "defending"])
        elif kind == "leave":
            self.out.add(first[0])
        elif kind == "end":
            self.next, self.turns = self.turn_of, int(value[-1])
            for _ in range(self.turns):
                self.next = self.after(self.next)
        if not self.due:
            self.settled += 1
            if self.next is not None:
                self.turn_of = self.after(self.next) if self.next in self.out else self.next
                self.turn, self.began, self.next = self.turn + self.turns, self.began + 1, None

    @property
    def position(self):
        me, phase = self.due[0] if self.due else (self.turn_of, "acting")
        return me, phase, self.turn_of, self.turn, self.settled, self.began, self.struck


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_turn_passes_after_the_last_answer_and_an_action_is_complete_with_its_answers(players, tmp_path):
    table, feud = Table(tmp_path / "feud.py", FEUD.replace("PLAYERS", str(players))), Feud(players)
    choice, kinds = np.random.default_rng(players), set()
    for _ in range(400):
        s, phases = table.state, ("acting", "defending", "choosing")
        numbers = [int(one) for one in (s.turn_of, s.turn, s.settled, s.began)]
        assert (int(s.me), phases[s.phase], *numbers, s.struck.tolist()[:players]) == feud.position
        named = table.named()
        action = list(named)[choice.integers(len(named))]
        kinds.add(action.split()[0])
        table.apply(named[action])
        feud.play(action)
    assert kinds == {"attack", "wait", "take", "think", "counter", "end"} | ({"leave"} if players > 2 else set())


BRAWL = '''"""Brawl: any player may be out at any time."""

from bartizan.short import *

players = 3
began, rested = Counter(), Tokens()
phases = ["acting", "paying"]


def start_turn(s, n):
    s.began += 1
    START


def can_hit(s, n, one, who):
    return s.phase == ACTING


def hit(s, n, one: range(3), who: range(3)):
    ASK
    eliminate(s, who)


def can_fall(s, n, who):
    return s.phase == PAYING


def fall(s, n, who: range(3)):
    eliminate(s, who)


def rest(s, n):
    s.rested[s.me] += 1
    REST
'''


def brawl(path, ask="pass", start="pass"):
    words = {"START": start, "ASK": ask, "REST": "next_player(s)" if ask == "pass" else "answered(s)"}
    text = BRAWL
    for word, instead in words.items():
        text = text.replace(f"    {word}\n", f"    {instead}\n")
    return Table(path / "brawl.py", text)


def test_an_eliminated_player_who_was_asked_is_not_asked_any_more(tmp_path):
    table = brawl(tmp_path, "ask_player(s, one, PAYING)\n    ask_player(s, 2, PAYING)")
    assert table.play("hit one 1, who 2") == (1, "paying")
    assert table.play("rest") == (0, "acting")
    assert table.play("hit one 2, who 1") == (0, "acting")  # both are out
    assert table.state.rested.tolist() == [0, 1, 0] and table.state.turn == 1


def test_the_answer_of_an_eliminated_player_ends(tmp_path):
    table = brawl(tmp_path, "ask_player(s, one, PAYING)\n    ask_player(s, 2, PAYING)\n    next_player(s)\n    who = 0")
    assert table.play("hit one 1, who 0", "fall who 1") == (2, "paying")
    assert table.play("rest") == (2, "acting") and table.state.turn == table.state.began == 2


@pytest.mark.parametrize("ask", ["pass", "ask_player(s, one, PAYING)"])
def test_the_turn_of_an_eliminated_player_passes_on(ask, tmp_path):
    table = brawl(tmp_path, ask)
    assert table.play("hit one 0, who 0") == (1, "acting") and table.state.turn == table.state.began == 2
    assert table.play("hit one 0, who 2") == (1, "acting") and table.state.turn == 2
    assert table.play("hit one 0, who 1") == (1, "acting") and table.state.turn == 2  # the rules end such a game


def test_the_turn_passes_on_when_an_answer_eliminates_its_player(tmp_path):
    table = brawl(tmp_path, "ask_player(s, one, PAYING)\n    ask_player(s, 1, PAYING)\n    who = 2")
    assert table.play("hit one 1, who 2", "fall who 0") == (1, "paying")
    assert table.play("rest", "rest") == (1, "acting") and table.state.turn == table.state.began == 2


def test_the_start_of_a_turn_may_eliminate_its_player(tmp_path):
    table = brawl(tmp_path, start="if s.began == 2:\n        eliminate(s, s.me)")
    assert table.play("rest") == (2, "acting") and table.state.turn == table.state.began == 3


# ---------------------------------------------------------------- arguments one after another


def leaves(table):
    """{(kind, arguments): [decisions that lead to it]} of a position, by trying all of them."""
    found, ahead, before = {}, [[]], table.states.copy()
    while ahead:
        path = ahead.pop()
        table.states[:] = before
        for one in path:
            table.apply(one)
        assert table.legal() == table.legal("every_action")
        if path and not table.state.stage:
            acts = [table.words.acts[one // table.words.arguments] for one in path]
            values = tuple(
                v for act, one in zip(acts, path, strict=True) for v in act.values(one % table.words.arguments)
            )
            assert (acts[0].name.partition("_")[0], values) not in found
            found[acts[0].name.partition("_")[0], values] = path
            continue
        assert table.state.me == before["me"][0] and len(set(table.legal())) == len(table.legal()) > 0
        ahead += [[*path, one] for one in table.legal()]
    table.states[:] = before
    return found


@pytest.mark.parametrize("stages", ['stages = ["trade"]', 'stages = ["rest", "trade"]'])
def test_in_stages_it_is_the_same_game(stages, tmp_path):
    staged = Table(tmp_path / "staged.py", TRADE.replace("STAGES", stages))
    whole = Table(tmp_path / "whole.py", TRADE.replace("STAGES\n", ""))
    choice, shared = np.random.default_rng(0), ("me", "turn", "hand", "chips", "end_reason", "luck", "done")
    while not whole.state.end_reason:
        table = whole.words
        acts = {one: table.acts[one // table.arguments] for one in whole.legal()}
        wanted = {(act.name, tuple(act.values(one % table.arguments))): one for one, act in acts.items()}
        paths = leaves(staged)
        assert set(paths) == set(wanted)
        key = list(wanted)[choice.integers(len(wanted))]
        for one in paths[key]:
            staged.apply(one)
        whole.apply(wanted[key])
        for name in shared[:-1]:
            assert np.array_equal(staged.states[name], whole.states[name]), name
    assert whole.state.turn > 20 and staged.state.end_reason
    kinds = {name: len(act) for name, act in (("staged", staged.words.acts), ("whole", whole.words.acts))}
    assert kinds["staged"] > kinds["whole"] == 2 and sum(staged.state.done) == sum(whole.state.done)


def test_a_player_decides_on_an_action_and_each_stage_is_part_of_it(tmp_path):
    table = Table(tmp_path / "staged.py", TRADE.replace("STAGES", 'stages = ["trade"]'))
    names = table.engine.legal_actions.py_func.__globals__
    said = []
    for _ in range(3):
        legal = np.array(table.legal(), np.int32)
        action = names["next_choice"].py_func(table.state, names["keen"](table.state, table.tables, legal))
        assert action in legal
        said.append(table.words.describe_action(table.state, table.tables, action, None))
        table.apply(action)
    assert [one.partition(" ")[0] for one in said] == ["trade"] * 3 and said[1].startswith("trade target second player")
    assert table.state.turn == 2 and table.state.stage == 0


MISTAKES = [  # the game, what is written, by what, what is said of it
    (RAID, "raids = Counter()", "asked = Counter()\nraids = Counter()", "every game already has s.asked"),
    (RAID, "    ask_player(s, s.turn_of, ANSWERING)", "    s.asked[0] = 1", "no such component"),
    (RAID, "def accept(s, n):\n", "def accept(s, n):\n    s.phase = ACTING\n", "s.phase = ACTING has no effect"),
    (TRADE, "STAGES", 'stages = ["trad"]', 'stages: no action trad; did you mean "trade"?'),
    (TRADE, "STAGES", "stages = 3", "list the actions whose arguments are chosen one after another"),
    (TRADE, "STAGES", 'stages = ["keen"]', "stages: no action keen"),
    (
        TRADE,
        "    next_player(s)\n\n\ndef can_rest",
        "    ask_player(s, 0, 1)\n\n\ndef can_rest",
        "what a player is asked for",
    ),
    (TRADE, "    next_player(s)\n\n\ndef can_rest", "    answered(s)\n\n\ndef can_rest", "answered"),
]


@pytest.mark.parametrize(("text", "written", "instead", "wanted"), MISTAKES)
def test_a_mistake_is_named(text, written, instead, wanted, tmp_path):
    path = tmp_path / "wrong.py"
    path.write_text(text.replace(written, instead, 1).replace("STAGES", ""), encoding="utf-8")
    with pytest.raises(UsageError, match=r"wrong.py:\d+: ") as caught:
        game_from_file(path).compiled  # noqa: B018
    assert wanted in str(caught.value)
