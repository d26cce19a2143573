"""The Python door: every question gives what its command prints."""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import bartizan as bz
from bartizan import cli
from bartizan.api import Odds, Playtest
from tests.cli.run_cli import PIG, RUIN, bartizan, error_line
from tests.cli.test_cards import HIGHEST
from tests.cli.test_equilibrium import DOORS

pig, ruin, highest, doors = bz.game(PIG), bz.game(RUIN), bz.game(HIGHEST), bz.game(DOORS)
colditz, castle = bz.game("colditz"), bz.game("castle")
START = {"bets.start": 12}
SAME = {  # the words after `bartizan`, and the same in Python
    "games": (["games"], bz.games),
    "policies": (["policies", PIG], pig.policies),
    "describe": (["describe", RUIN, "--set", "bets.start=12"], lambda: ruin.describe(set=START)),
    "run": (
        ["run", PIG, "--policy", "hold", "--policy", "random", "--games", 200, "--seed", 4, "--set", "goal.points=50"],
        lambda: pig.run(policy=["hold", "random"], games=200, seed=4, set={"goal.points": 50}),
    ),
    "run, precise": (["run", RUIN, "--precision", "5pp", "--games", 60_000], lambda: ruin.run(precision="5pp", games=60_000)),
    "run, luck adjusted": (["run", RUIN, "--luck-adjusted", "--games", 60], lambda: ruin.run(luck_adjusted=True, games=60)),
    "sweep": (
        ["sweep", PIG, "--set", "goal.points=30,50", "--games", 100, "--rotate", "--policy", "hold+random", "-o", "OUT"],
        lambda out: pig.sweep(set={"goal.points": [30, 50]}, games=100, rotate=True, policy="hold+random", out=out),
    ),
    "sweep, a part": (["sweep", PIG, "--games", 70_000, "--shards", "2/2", "-o", "OUT"], lambda out: pig.sweep(games=70_000, shards="2/2", out=out)),
    "dry run": (["sweep", PIG, "--games", 100, "--dry-run"], lambda: pig.sweep(games=100, dry_run=True)),
    "bands": (["bands"], bz.bands),
    "trace": (["trace", PIG, "--seed", 3, "--game", 2], lambda: pig.trace(seed=3, game=2)),
    "compare": (
        ["compare", PIG, "--change", "goal.points=50", "--change", "policy=random", "--games", 100],
        lambda: pig.compare(change={"goal.points": 50, "policy": "random"}, games=100),
    ),
    "compare, tested": (
        ["compare", RUIN, "--change", "bets.goal=22", "--test", "B - A < -2pp", "--margin", "1pp", "--games", 2000],
        lambda: ruin.compare(change={"bets.goal": 22}, test="B - A < -2pp", margin="1pp", games=2000),
    ),
    "sensitivity": (["sensitivity", RUIN, "--games", 60, "--decks", 2], lambda: ruin.sensitivity(games=60, decks=2)),
    "coverage": (["coverage", RUIN, "--games", 60], lambda: ruin.coverage(games=60)),
    "coverage, without changes": (["coverage", PIG, "--no-changes", "--games", 60], lambda: pig.coverage(changes=False, games=60)),
    "tune": (
        ["tune", RUIN, "--knob", "bets.goal=18:24", "--target", "win_rate=0.4", "--games", 200, "--fresh", 200],
        lambda: ruin.tune(knob="bets.goal=18:24", target="win_rate=0.4", games=200, fresh=200),
    ),
    "ladder": (
        ["ladder", RUIN, "--policy", "random", "--policy", "random:noise=0.5", "--games", 60],
        lambda: ruin.ladder(policy=["random", "random:noise=0.5"], games=60),
    ),
    "playtest form": (["playtest", "form", PIG], lambda: bz.playtest_form(PIG)),
    "odds do-or-die": (["odds", "do-or-die", "--distance", 30, "--games", 500], lambda: colditz.odds.do_or_die(distance=30, games=500)),
    "odds staff-car": (["odds", "staff-car", "--games", 500], lambda: colditz.odds.staff_car(games=500)),
    "odds appel": (["odds", "appel", "--distance", 9, "--games", 500], lambda: colditz.odds.appel(distance=9, games=500)),
    "odds shoot-to-kill": (
        ["odds", "shoot-to-kill", "--distance", 9, "--talisman", "--games", 500],
        lambda: colditz.odds.shoot_to_kill(distance=9, talisman=True, games=500),
    ),
    "odds castle": (
        ["odds", "castle", "--attack", "10", "--defend", "K", "--queen", "dead", "--games", 500],
        lambda: castle.odds.castle(attack="10", defend="K", queen="dead", games=500),
    ),
    "odds stake-or-wait": (
        ["odds", "stake-or-wait", "--players", 2, "--games", 4, "--futures", 2],
        lambda: colditz.odds.stake_or_wait(players=2, games=4, futures=2),
    ),
    "rare events": (["rare", "castle"], lambda: castle.rare()),
    "train": (
        ["train", PIG, "--policy", "hold:at=9", "--games", 50, "--generations", 2, "--fresh", 200, "-o", "OUT.toml"],
        lambda out: pig.train(policy="hold:at=9", games=50, generations=2, fresh=200, out=out),
    ),
    "bracket": (
        ["bracket", PIG, "--games", 100, "--slow-games", 3, "--plays", "4"],
        lambda: pig.bracket(games=100, slow_games=3, plays="4"),
    ),
    "equilibrium": (
        ["equilibrium", DOORS, "--rounds", 1, "--generations", 1, "--games", 20, "--fresh", 100, "--draw", 0.5],
        lambda: doors.equilibrium(rounds=1, generations=1, games=20, fresh=100, draw=0.5),
    ),
    "best": (["best", PIG], lambda: pig.best()),
    "best, of every game": (["best"], bz.best),
    "losses": (["losses", RUIN, "--games", 60, "--pilot", 4, "--rollouts", 60], lambda: ruin.losses(games=60, pilot=4, rollouts=60)),
    "cards": (["cards", HIGHEST], lambda: highest.cards()),
    "cards, value": (["cards", HIGHEST, "--value", "--games", 60], lambda: highest.cards(value=True, games=60)),
    "cards, usage": (["cards", HIGHEST, "--usage", "--games", 60], lambda: highest.cards(usage=True, games=60)),
}
CLOCK = {"seconds", "games_per_second", "multiplier_per_second", "seconds_adjusted", "seconds_raw", "bytes"}


def timeless(document):
    """Without what a clock says."""
    if isinstance(document, dict):
        return {key: timeless(value) for key, value in document.items() if key not in CLOCK}
    return [timeless(part) for part in document] if isinstance(document, list) else document


@pytest.mark.parametrize("name", SAME)
def test_a_method_answers_what_its_command_prints(name, tmp_path):
    words, ask = SAME[name]
    out = {word: tmp_path / word for word in words if str(word).startswith("OUT")}
    answer = ask(*out.values())
    said = bartizan(*[out.get(word, word) for word in words], "--json")
    assert answer.exit_code == said.code
    assert timeless(answer.to_dict()) == timeless(said.json)


def test_every_command_that_has_a_document_is_held():
    """`check`, `new`, `verify` and `report` print lines; `export` writes a table; `bench` and `doctor` are about the machine; `merge` is held in tests/cli/test_parts.py, `warm` in tests/cli/test_warm.py; `workbench` is a page."""
    commands = {command.name or command.callback.__name__ for command in cli.app.registered_commands} | {"odds"}
    assert commands - {name.replace(",", "").split()[0] for name in SAME} == {"check", "new", "verify", "report", "export", "bench", "doctor", "merge", "warm", "workbench"}
    questions = {name for name in vars(Playtest) if not name.startswith("_")} - {"request", "effort", "check"}
    assert questions | {"odds"} <= commands
    assert {f"odds {name.replace('_', '-')}" for name in vars(Odds) if not name.startswith("_")} <= set(SAME)


def asked_of_answers(function):
    """(module, name) of all that a method wants of a module of answers, which it loads by name."""
    loads = [node for node in ast.walk(function) if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)]
    modules = {node.targets[0].id: module_of(node.value) for node in loads if isinstance(node.targets[0], ast.Name)}
    for node in ast.walk(function):
        if isinstance(node, ast.Attribute):
            module = modules.get(node.value.id) if isinstance(node.value, ast.Name) else module_of(node.value)
            if module:
                yield module, node.attr


def module_of(call):
    """`answers("rare", ...)`, `self._asking("colditz")`: the module that this is; None: another call."""
    if not isinstance(call, ast.Call):
        return None
    called = getattr(call.func, "id", getattr(call.func, "attr", ""))
    return {"answers": lambda: call.args[0].value, "_asking": lambda: "odds"}.get(called, lambda: None)()


def test_what_the_door_asks_for_is_there():
    """mypy cannot see it: the modules are loaded by name."""
    found = set()
    for path in Path(cli.__file__).parent.glob("api/*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                found |= set(asked_of_answers(node))
    assert len(found) > 25 and ("rare", "SplittingVolume") in found and ("odds", "FightRequest") in found
    assert not [(module, name) for module, name in found if not hasattr(import_module(f"bartizan.reports.answers.{module}"), name)]


def test_an_answer_reads_by_name_and_cannot_be_changed():
    answer = pig.run(games=50)
    assert answer.win_rate.low == answer["win_rate"]["low"] == answer.to_dict()["win_rate"]["low"]
    assert "win_rate" in dir(answer) and str(answer).splitlines() == list(answer.lines())
    with pytest.raises(TypeError):
        answer["wins"] = 50
    answer.to_dict()["wins"] = -1
    assert answer.wins >= 0
    with pytest.raises(AttributeError, match="there is: schema"):
        _ = answer.winrate
    page = answer._repr_html_()
    assert page.startswith("<p><b>Pig") and "<pre>" in page


def test_an_answer_keeps_its_games():
    rows = pig.run(games=50, seed=3).rows().collect()
    assert len(rows) == 50 and rows["game"].to_list() == list(range(50)) and set(rows["cell"]) == {"hold"}
    assert len(rows.to_pandas()) == 50
    both = pig.compare(change={"goal.points": 50}, games=20).rows().collect()
    assert dict(both["side"].value_counts().iter_rows()) == {"a": 20, "b": 20}
    with pytest.raises(bz.UsageError, match="keeps no games"):
        pig.describe().rows()


def test_results_on_disk(tmp_path):
    pig.sweep(set={"goal.points": [30, 50]}, games=40, out=tmp_path / "out")
    results = bz.open(tmp_path / "out")
    assert len(results.rows().collect()) == 80 and len(list(results.verify())) == 3
    page = results.report(tmp_path / "page.html")
    assert page.exit_code == 0 and (tmp_path / "page.html").stat().st_size > 10_000


def test_a_mistake_is_refused_in_the_words_of_the_command():
    for ask, words in [
        (lambda: pig.run(set={"goal.pointz": 5}), ["run", PIG, "--set", "goal.pointz=5"]),
        (lambda: pig.run(policy="nobody"), ["run", PIG, "--policy", "nobody"]),
        (lambda: bz.game("chess").run(), ["run", "chess"]),
        (lambda: pig.compare(), ["compare", PIG]),
        (lambda: pig.tune(), ["tune", PIG]),
        (lambda: pig.sweep(), ["sweep", PIG]),
        (lambda: pig.cards(seat="first"), ["cards", PIG, "--seat", "first"]),
    ]:
        with pytest.raises(bz.UsageError) as refused:
            ask()
        assert error_line(bartizan(*words)) == f"error: {' '.join(str(refused.value).split())}"


def test_a_manifest_names_the_command_that_asks_the_same(tmp_path):
    pig.sweep(set={"goal.points": [30, 50]}, policy=["hold", "random"], games=40, out=tmp_path / "out")
    manifest = (tmp_path / "out" / "manifest.json").read_text()
    assert f"bartizan sweep {PIG} --policy hold --policy random --games 40 --set goal.points=30,50 -o DIR" in manifest


def test_importing_it_is_quick():
    """No numba, no numpy before a question is asked; every name can be had."""
    script = "import sys, bartizan; print(sorted({'numba', 'numpy', 'polars'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True).stdout == "[]\n"
    for name in bz.__all__:
        assert getattr(bz, name) is not None


def test_more_games_than_a_record_can_number_are_refused():
    with pytest.raises(bz.BartizanError, match="at most 4,294,967,296"):
        bz.game(RUIN).run(games=10**20)
    for args in (("run", RUIN), ("sweep", RUIN, "-o", "never"), ("compare", RUIN, "--change", "bets.goal=22")):
        assert "at most 4294967296" in error_line(bartizan(*args, "--games", 10**20))
