"""Every command that plays many games, with `--cluster`: the answer of one machine. test_cluster.py has workers that die, hang or disagree."""

import json
import shutil

import pytest

from bartizan.api.keeping import CLOCK
from bartizan.api.questions import all_questions
from bartizan.simcore.play.match import CompiledMatch
from tests.cli.run_cli import PIG, ROOT, RUIN, bartizan, few_pilot_games, tree
from tests.cli.test_playtest_skill import SECRETARY, made_up
from tests.cli.test_worker_pool import QUESTIONS, TRAIN, without_dask

pytestmark = without_dask

DOORS = ROOT / "tests/games/two_doors/two_doors.py"
HIGHEST = ROOT / "tests/games/highest_card/highest_card.py"
ISLAND = ROOT / "examples/short/forbidden_island.py"
HOLD = ("--policy", "hold")
SHORT = ("--set", "goal.points=20")
RUINED = ("--set", "bets.start=5", "--set", "bets.goal=10")
PLAN = """
game = "{game}"
games = 500
seed = 1
policy = ["hold", "random"]
[[claim]]
band = [0.0, 1.0]
"""
COMMANDS = {
    **QUESTIONS,
    "run": ("run", PIG, *HOLD, "--games", 5000),
    "run to a precision": ("run", PIG, *HOLD, "--games", 20000, "--precision", "2pp"),
    "run without luck": ("run", PIG, *HOLD, "--games", 300, "--luck-adjusted", "--samples", 2),
    "sweep": ("sweep", PIG, *HOLD, "--policy", "random", *SHORT, "--games", 40000, "-o", "DIR/sweep"),
    "sweep to a precision": ("sweep", PIG, *HOLD, "--games", 20000, "--precision", "2pp", "-o", "DIR/sweep"),
    "a part": ("sweep", PIG, *HOLD, *SHORT, "--games", 40000, "--shards", "2/2", "-o", "DIR/part"),
    "gate": ("gate", "DIR/plan.toml", "--keep", "DIR/now"),
    "compare": ("compare", PIG, *HOLD, "--change", "goal.points=60", "--games", 1000, "-o", "DIR/compare"),
    "compare, tested": ("compare", PIG, *HOLD, "--change", "policy=random", "--test", "B - A < 0pp"),
    "compare without luck": ("compare", PIG, *HOLD, "--change", "goal.points=60", "--games", 60, "--luck-adjusted"),
    "bracket": ("bracket", PIG, "--games", 100, "--rung", "random", "-o", "DIR/bracket.json"),
    "best": ("best", PIG, "--admit", "hold:at=22", "--games", 64, "--archive", "DIR/best.toml"),
    "train": (*TRAIN, "-o", "DIR/hold.toml"),
    "equilibrium": ("equilibrium", DOORS, "--rounds", 1, "--generations", 2, "--games", 50, "--fresh", 100, "-o", "DIR/doors.json"),
    "losses": ("losses", RUIN, *RUINED, "--games", 500, "--pilot", 6),
    "rare": ("rare", RUIN, "--event", "goal", *RUINED, "--trajectories", 100, "--replicates", 6),
    "chance": ("chance", RUIN, "--event", "goal", *RUINED, "--trajectories", 100, "--replicates", 5, "--games", 100),
    "coverage": ("coverage", PIG, *HOLD, "--games", 120),
    "cards --value": ("cards", HIGHEST, "--value", "--policy", "random", "--games", 100),
    "cards --usage": ("cards", HIGHEST, "--usage", "--policy", "random", "--games", 300),
    "playtest skill": ("playtest", "skill", SECRETARY, "--plays", "DIR/plays", "--policy", "eager:let_pass=3", "--noise", "0.2", "--games", 300),
    "playtest plan": ("playtest", "plan", SECRETARY, "--plays", "DIR/plays", "--policy", "eager:let_pass=3", "--noise", "0.2", "--games", 300),
}  # fmt: skip
LARGE = {
    "cards --without": ("cards", ISLAND, "--without", "--games", 20),
    "playtest deal": ("playtest", "deal", "rampage", "--policy", "random", "--deals", 6, "--plays", 10),
    "odds stake-or-wait": ("odds", "stake-or-wait", "--players", 2, "--games", 4, "--futures", 2),
}


@pytest.fixture(scope="module")
def address():
    """Two workers in this process: nothing is loaded or compiled anew."""
    import distributed

    one_each = {"n_workers": 2, "threads_per_worker": 1, "memory_limit": 0, "processes": False, "protocol": "tcp://"}
    with distributed.LocalCluster(**one_each, dashboard_address=None, silence_logs=50) as cluster:
        yield cluster.scheduler_address


def without_clock(part):
    if isinstance(part, dict):
        return {key: without_clock(value) for key, value in part.items() if key not in CLOCK}
    return [without_clock(one) for one in part] if isinstance(part, list) else part


def asked(command, folder, *where):
    """The document and the files of a command; folder: what DIR is, the same both times."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "plan.toml").write_text(PLAN.format(game=PIG))
    made_up(folder / "plays", 0.3, 12, 4)
    arguments = [str(word).replace("DIR", str(folder)) for word in command]
    with few_pilot_games():
        result = bartizan(*arguments, *where)
    assert result.code in (0, 1, 3), result.err
    files = {name: content for name, content in tree(folder).items() if name != "compare/compare.json"}
    return result.code, without_clock(json.loads(result.document)), files


def same(command, folder, address, monkeypatch, are_all=all):
    import distributed

    here = asked(command, folder)
    run, by_worker = CompiledMatch.run, []

    def ran(self, *arguments, **how):
        by_worker.append(distributed.worker.thread_state.__dict__.get("key"))
        return run(self, *arguments, **how)

    monkeypatch.setattr(CompiledMatch, "run", ran)
    assert asked(command, folder, "--cluster", address) == here
    assert by_worker and are_all(by_worker), "played by a thread that is no worker's"


@pytest.mark.rotating
@pytest.mark.parametrize("name", COMMANDS)
def test_the_answer_is_that_of_one_machine(name, address, tmp_path, monkeypatch):
    same(COMMANDS[name], tmp_path / "folder", address, monkeypatch)


@pytest.mark.slow  # games that take seconds to load
@pytest.mark.parametrize("name", LARGE)
def test_the_same_of_large_games(name, address, tmp_path, monkeypatch):
    # the deal that is printed is set up here
    same(LARGE[name], tmp_path / "folder", address, monkeypatch, any if name == "playtest deal" else all)


def test_every_command_that_plays_on_several_threads_plays_on_a_cluster():
    """`watch` plays a few games whenever a file changes; `warm` and `doctor` are about this machine."""
    here = {"watch", "warm", "doctor"}
    options = {name: {one.name for one in question.options} for name, question in all_questions().items()}
    threaded = {name for name, own in options.items() if "jobs" in own}
    assert {name for name in threaded if "cluster" not in options[name]} == here
    asked_here = [" ".join(map(str, command)) for command in (*COMMANDS.values(), *LARGE.values())]
    assert {name for name in threaded if not any(words.startswith(f"{name} ") for words in asked_here)} == here
