"""How far ten seconds of training move a game: said beside answers about balance once it is known, measured only where
somebody waits, and never twice.
"""

import json
import shlex

import pytest

from bartizan.analyses.experiments import learning
from bartizan.api import practice
from bartizan.policies.request import Request
from bartizan.reports.views.learned import practised
from tests.cli.run_cli import bartizan, error_line
from tests.conftest import KEPT

# a coin that may be turned once; the bot never does so
COIN = '''"""Coin: keep a coin that shows tails, or turn it over."""

from bartizan.short import *

players = 1
heads = Counter()
odds = Number(50, 0, 100)


def setup(s, n):
    s.heads = chance(s, n.odds)


def _end(s):
    if s.heads:
        win(s, s.me, "heads")
    else:
        lose(s, "tails")


def keep(s, n):
    _end(s)


def turn(s, n):
    s.heads = 1 - s.heads
    _end(s)


def idle(s, n):
    """Keeps the coin."""
    return KEEP
'''
SHORT = ("--games", 200, "--decks", 0)


@pytest.fixture(scope="module")
def coin():
    folder = KEPT / "practice"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "coin.py"
    if not path.exists() or path.read_text() != COIN:
        path.write_text(COIN)
    return path


@pytest.fixture(scope="module")
def known(coin, tmp_path_factory):
    """What was measured, in a folder of its own beside the compiled code."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(practice, "cache_root", lambda: place)
        patch.setattr(learning, "paced", lambda *lessons: 20)
        patch.setattr(learning, "DECISIONS", 600)
        patch.setattr(learning, "PROBED_GAMES", 100)
        patch.setattr(practice, "GAMES", 400)
        patch.setenv(practice.OPTION, "")
        place = tmp_path_factory.mktemp("practice")
        yield practice.measured(Request(str(coin)), "idle")


def test_a_caveat_with_the_number_and_its_interval(coin, known):
    wins = known["against"]["wins"]
    assert known["policy"] == "idle" and wins["games"] == 400 and wins["after"]["estimate"] == 1.0
    for words in (("sensitivity", coin, *SHORT), ("run", coin, "--games", 200)):
        result = bartizan(*words)
        assert result.json["trained"] == known
        text = result.out
        option = "--policy learned@" if words[0] == "run" else "--player learned"
        assert "ten seconds of training change the win rate of idle" in text and f"with {option}" in text
        assert "95 %" in text and "400 fresh games" in text


def test_a_player_may_be_asked_for(coin, known):
    d = bartizan("sensitivity", coin, *SHORT, "--player", "trained", "--json").json
    assert d["policies"][0].startswith("learned@coin-") and d["baseline"]["headline"]["estimate"] == 1.0
    assert "trained" not in d
    assert "write learned or trained" in error_line(bartizan("sensitivity", coin, "--player", "good"))


def test_it_is_measured_once_and_only_where_somebody_waits(coin, known, monkeypatch):
    begun = []
    monkeypatch.setattr(practice, "begin", begun.append)
    assert practice.measured(Request(str(coin)), "idle") == known  # read, not trained anew
    alone = bartizan("run", coin, "--games", 100, "--policy", "random")
    assert begun == []  # nobody waits at a terminal
    train = f"bartizan train {shlex.quote(str(coin))} --learn --out coin.learned"  # `run` has no --player
    assert "a better policy than random can change this result" in alone.out
    assert f"train a policy ({train}), and add --policy learned@coin.learned" in alone.out
    apart = coin.with_name("my coin.py")
    apart.write_text(COIN)
    hint = bartizan("run", apart, "--games", 100, "--policy", "random").out
    assert "--out 'my coin.learned'), and add --policy 'learned@my coin.learned'" in hint
    asked = bartizan("sensitivity", coin, *SHORT, "--policy", "random").out
    assert "To see how, add --player learned" in asked
    monkeypatch.setattr("bartizan.reports.render.progress.Terminal.is_seen", lambda self: True)
    for words in (("--policy", "idle"), ("--policy", "random", "--dry-run"), ("--policy", "random")):
        waits = bartizan("run", coin, "--games", 100, *words)
    assert "run the command again in a minute" in waits.out
    assert [one.policy for one in begun] == [("random",)]
    monkeypatch.setenv(practice.OPTION, "off")
    assert "trained" not in bartizan("run", coin, "--games", 100, "--policy", "random", "--json").json
    assert len(begun) == 1


def test_a_report_of_a_deleted_game_has_the_same_caveat(coin, tmp_path):
    game = tmp_path / "coin.py"
    game.write_text(COIN)
    assert bartizan("run", game, "--games", 100, "--policy", "random", "-o", tmp_path / "out").code == 0
    pages = []
    for name in ("before.md", "after.md"):
        assert bartizan("report", tmp_path / "out", "-o", tmp_path / name).code == 0
        pages.append((tmp_path / name).read_text(encoding="utf-8"))
        game.unlink(missing_ok=True)
    assert all("A better policy than random can change these results" in page for page in pages)


def test_a_process_in_the_background_measures_and_keeps(coin, known, monkeypatch):
    monkeypatch.setattr(practice.os, "nice", lambda by: None)
    monkeypatch.setattr("resource.setrlimit", lambda *limits: None, raising=False)
    request = Request(str(coin), policy=("random",))
    practice.in_background(json.dumps({**vars(request), "policy": ["random"]}))
    assert practice.kept(request, "random")["policy"] == "random"
    practice.place(request, "random").unlink()  # another test measures it for the first time


def test_other_numbers_are_another_game(coin, known, tmp_path):
    before = practice.place(Request(str(coin)), "idle")
    assert practice.place(Request(str(coin), sets={"numbers.odds": "10"}), "idle") != before
    for values in ("10", "10,20"):
        result = bartizan("run", coin, "--games", 100, "--set", f"numbers.odds={values}")
        assert result.code == 0 and "ten seconds of training" not in result.out
    sheet, game = tmp_path / "cards.csv", tmp_path / "sheets.py"
    game.write_text(COIN.replace("odds =", 'deck = Deck("cards.csv")\nodds ='))
    places = set()
    for worth in (1, 2):
        sheet.write_text(f"name,copies,worth\nstone,1,{worth}\n")
        places.add(practice.place(Request(str(game)), "idle"))
    assert len(places) == 2


@pytest.mark.parametrize(
    "policy",
    [
        ("learned@a.learned",),
        ("idle+random",),
        ("own/player.py",),
        ("player.py",),
        ("player.py:at=3",),
        ("idle:at=3",),
        ("a", "b"),
    ],
)
def test_nothing_is_measured_of_players_from_elsewhere(policy):
    assert practice.policy_of(Request("itter", policy=policy)) is None


def test_no_better_player_is_said_too(known):
    same = {**known, "against": {**known["against"], "verdict": "unclear"}}
    assert "do not improve on idle" in practised(same)
