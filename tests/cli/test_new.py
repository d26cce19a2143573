"""`bartizan new`: what it writes runs, and keeps the contract, before a word is changed."""

import subprocess
import sys

import pytest

from bartizan.simcore.game import load_game
from tests.cli.run_cli import PIG, bartizan, error_line


def test_a_new_game_runs_and_keeps_the_contract(kept_path, monkeypatch):
    monkeypatch.chdir(kept_path)
    written = bartizan("new", "game", "my_race", "--long")
    assert written.code == 0, written.err
    assert written.out.splitlines()[:2] == ["wrote my_race/my_race.py", "wrote my_race/scenarios/standard.toml"]
    ran = bartizan("run", "my_race/my_race.py", "--games", 500)
    assert ran.code == 0, ran.err
    assert ran.out.startswith("My race, standard, sprint")
    checked = bartizan("check", "my_race/my_race.py")
    assert checked.code == 0 and checked.out.count("ok  ") == 4, checked.err
    assert "note" not in checked.out and checked.out.splitlines()[-1] == "passed"
    again = bartizan("new", "game", "my_race", "--long")
    assert again.code == 2 and "my_race already exists" in error_line(again)


SHEETS = {
    "numbers.csv": "Name,Qty,Cost,Worth\nImp,6,3,1\nOrc,4,1,2\nTotal,10,,\n",
    "my names.csv": "Title\n" + "Imp\n" * 7,
}
PLAY = """
import sys
from bartizan import cli
for game in sys.argv[1:]:
    sys.argv = ["bartizan", "run", game, "--plain", "--games", "20"]
    try:
        cli.main()
    except SystemExit as end:
        assert not end.code
"""


def test_a_new_game_of_a_sheet_plays_its_cards(kept_path, monkeypatch):
    """Uncompiled, in a process of its own: nothing to wait for."""
    monkeypatch.chdir(kept_path)
    games = [f"duel_{number}" for number, _ in enumerate(SHEETS)]
    for game, (name, sheet) in zip(games, SHEETS.items(), strict=True):
        (kept_path / name).write_text(sheet)
        written = bartizan("new", "game", game, "--from", name)
        assert written.code == 0 and written.out.startswith(f"wrote {game}.py\n{name}: "), written.err
    command = [sys.executable, "-c", PLAY, *(f"{game}.py" for game in games)]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 0 and ran.stdout.count("the deck is empty 20") == 1, ran.stderr
    assert ran.stdout.count("the deck is empty: no scoring yet (TODO) 20") == 1
    missing = bartizan("new", "game", "other", "--from", "no.csv")
    assert missing.code == 2 and "no.csv" in error_line(missing)


@pytest.mark.parametrize(
    ("headings", "points"),
    [
        ("Name,Cost,Victory Points", "victory_points"),
        ("Karte,Kosten,Siegpunkte", "siegpunkte"),
        ("Nom,Coût,Points", "points"),
        ("Name,Value,VP", "vp"),
        ("Name,Cost,Wert", "wert"),
        ("Name,Cost,Strength", ""),
        ("Karte,Kosten,Lebenspunkte", ""),
        ("Name,Point cost,HP", ""),
        ("Name,Type,Rules", ""),
    ],
)
def test_a_new_game_scores_only_a_column_of_points(tmp_path, monkeypatch, headings, points):
    """A cost was read as points, because its column came first."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cards.csv").write_text(f"{headings}\nImp,3,1\nOrc,1,2\n", encoding="utf-8")
    written, text = bartizan("new", "game", "duel", "--from", "cards.csv"), (tmp_path / "duel.py").read_text("utf-8")
    if points:
        assert f"return n.{points}[card]\n" in text and "TODO" not in text and "points are read from" in written.out
    else:
        assert '"the deck is empty: no scoring yet (TODO)"' in text
        assert "return 1  # TODO: " in text and "each card scores 1 and all games end alike" in written.out


def test_a_new_game_reads_columns_of_decimals(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cards.csv").write_text("Karte;Preis;Punkte\nImp;2,50 €;1,5\nOrc;1,00 €;2\n", encoding="utf-8")
    written = bartizan("new", "game", "duel", "--from", "cards.csv")
    assert "'Punkte' has decimals: rules read tenths" in written.out and "contains decimals" not in written.out
    text = (tmp_path / "duel.py").read_text("utf-8")
    assert 'scale={"preis": 100, "punkte": 10})' in text and "\nscore_scale = 10  #" in text
    assert "return n.punkte[card]\n" in text
    worth = load_game(str(tmp_path / "duel.py")).compiled
    assert worth.reporting.score_scale == 10


def test_decimals_that_no_scale_reads_are_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cards.csv").write_text("Name,Points\nImp,1.23456\nOrc,1\n", encoding="utf-8")
    assert "contains decimals (B2: 1.23456)" in bartizan("new", "game", "duel", "--from", "cards.csv").out


def test_a_new_policy_runs_and_keeps_the_contract(kept_path, monkeypatch):
    monkeypatch.chdir(kept_path)
    written = bartizan("new", "policy", "mine", "--game", PIG)
    assert written.code == 0, written.err
    ran = bartizan("run", PIG, "--policy", "first=mine.py", "--games", 500)
    assert ran.code == 0, ran.err
    checked = bartizan("check", PIG, "--policy", "mine.py")
    assert checked.code == 0 and checked.out.count("ok  ") == 4, checked.err
    assert bartizan("new", "policy", "mine", "--game", PIG).code == 2


@pytest.mark.parametrize("game", ["itter", "colditz", "castle", "rampage"])
def test_a_new_policy_of_every_game_loads(tmp_path, monkeypatch, game):
    monkeypatch.chdir(tmp_path)
    assert bartizan("new", "policy", "mine", "--game", game).code == 0
    namespace: dict = {}
    exec(compile((tmp_path / "mine.py").read_text(encoding="utf-8"), "mine.py", "exec"), namespace)
    assert namespace["MINE"].name == "mine"


@pytest.mark.parametrize("name", ["My Game", "my-game.py"])
def test_a_name_becomes_the_name_of_a_file(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    assert bartizan("new", "game", name).code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["my_game.py"]


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("gam", "x"), 'did you mean "game"'),
        (("game", "games/mine"), "lower-case letters"),
        (("policy", "mine"), "--game itter"),
        (("policy", "mine", "--game", "iter"), 'did you mean "itter"'),
    ],
)
def test_refused(tmp_path, monkeypatch, args, says):
    monkeypatch.chdir(tmp_path)
    result = bartizan("new", *args)
    assert result.code == 2 and says in error_line(result)
    assert list(tmp_path.iterdir()) == []
