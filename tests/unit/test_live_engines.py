"""Games that another program plays (docs/engines.md): the protocol, and engines that break it."""

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from bartizan.api.cluster.wording import in_bytes, read
from bartizan.assistant.fence import Fence
from bartizan.policies.registry import find_policy
from bartizan.policies.request import match_of
from bartizan.simcore.compile.rules import HOUSE
from bartizan.simcore.errors import BartizanError, UsageError
from bartizan.simcore.game import load_game
from bartizan.simcore.live.playing import CHECKED
from bartizan.simcore.live.seeds import seed_of
from bartizan.simcore.play.batch import Batch, Source
from bartizan.simcore.scenario.loading import load_scenario
from tests.cli.run_cli import ROOT, bartizan, process

EXAMPLES = ROOT / "examples"

# A race to `goal` by a die of a seed. A file `fault`, no part of the engine, says what goes wrong at which seed.
ENGINE = '''
import json, os, sys, time
HELLO = {
    "bartizan": 1, "name": "race", "title": "Race", "players": [2, 3], "levels": ["easy", "hard"],
    "settings": [
        {"name": "goal", "default": 30, "min": 5, "max": 100},
        {"name": "bonus", "default": 0.5, "min": 0, "max": 2},
        {"name": "swap", "default": False},
        {"name": "board", "default": "small", "choices": ["small", "large"]},
    ],
    "policies": [{"name": "steady", "weights": {"push": 1}}, {"name": "lazy"}],
    "score": "points", "columns": {"sixes": "sixes thrown"}, "endings": ["goal", "tie"],
}
played = 0

def game(seed, message):
    luck, places, sixes, turns = seed, [0] * message["players"], 0, 0
    while max(places) < message["settings"]["goal"]:
        turns += 1
        for seat, policy in enumerate(message["policies"]):
            luck = (luck * 1103515245 + 12345) % (1 << 31)
            pips = 1 + (luck >> 16) % 6
            sixes += pips == 6
            places[seat] += pips if policy == "lazy" else pips + message["weights"][seat]["push"]
    best = [seat for seat, place in enumerate(places) if place == max(places)]
    winner = best[0] + 1 if len(best) == 1 else "draw"
    ending = "goal" if len(best) == 1 else "tie"
    return {"seed": seed, "winner": winner, "turns": turns, "decisions": turns * len(places),
            "scores": places, "ending": ending, "sixes": sixes}

def say(text):
    sys.stdout.write(text + "\\n")
    sys.stdout.flush()

def broken(fault, result):
    """The lines of a result, as a faulty engine writes them."""
    if fault == "crash": raise KeyError("no such card")
    if fault == "exit": sys.exit(0)
    if fault == "abort": os.abort()
    if fault == "killed": os.kill(os.getpid(), 9)
    if fault == "slow": time.sleep(0.02); return [result]
    if fault == "hang": time.sleep(30)
    if fault == "half a line": sys.stdout.write('{"seed": 1'); sys.stdout.flush(); sys.exit(1)
    if fault == "half and hang": sys.stdout.write('{"seed": 1'); sys.stdout.flush(); time.sleep(30)
    if fault == "closed": os.close(1); time.sleep(30)
    if fault == "bytes": sys.stdout.buffer.write(bytes([0xff, 0xfe, 10])); sys.stdout.flush()
    if fault == "missing": return []
    if fault == "state": return [{**result, "turns": result["turns"] + played}]
    if fault == "process": return [{**result, "turns": result["turns"] + os.getpid()}]
    if fault == "clock": return [{**result, "turns": time.monotonic_ns() % 1000}]
    if fault == "twice": return [result, result]
    if fault == "no end": return [result]
    if fault == "huge": return ["x" * 1_000_000]
    if fault == "deep": return ["[" * 100_000]
    if fault == "done": return ['{"done": 3}']
    if fault == "lost": return [{key: result[key] for key in result if key != "sixes"}]
    if fault.endswith("} "): return [fault]
    if fault.startswith("{"): return [{**result, **json.loads(fault)}]
    return [fault]  # a line

for line in sys.stdin:
    message = json.loads(line)
    if message["message"] == "hello":
        say(json.dumps(HELLO))
        continue
    at, fault = -1, ""
    if os.path.exists("fault"):
        at, fault = open("fault").read().split(" ", 1)
    for seed in message["seeds"]:
        result, played = game(seed, message), played + 1
        for one in broken(fault, result) if int(at) in (seed, 0) and fault else [result]:
            say(one if isinstance(one, str) else json.dumps(one))
    if fault == "no end" and int(at) in message["seeds"]: time.sleep(30)
    say(json.dumps({"done": len(message["seeds"])}))
'''
GAMES, AT = 100, 70  # of a cell; the game in which something goes wrong
TIMEOUT = 3  # seconds: a busy machine needs more than half of one to start an engine
FAULTS = {  # what the engine does, and what the one line says
    "crash": "the process ended with exit code 1; its last line on stderr: KeyError: 'no such card'",
    "exit": "the process ended with exit code 0; stderr is empty",
    "abort": "the process was ended by signal 6",
    "killed": "the process was ended by signal 9",
    "hang": f"no answer within {TIMEOUT} s; if the engine needs more time, write a larger timeout in engine.toml",
    "half a line": "exit code 1 in the middle of a line ('{\"seed\": 1')",
    "half and hang": "which has no line ending (does the engine flush its output?)",
    "closed": "it closed its stdout",
    "bytes": "which is not JSON",
    "now playing": "stdout contains 'now playing', which is not JSON; write one JSON object per line there, and text",
    "": "stdout contains an empty line",
    "huge": "a line is longer than 1,000,000 bytes",
    "deep": "which is not JSON",
    "[1, 2]": "stdout contains '[1, 2]'; write one JSON object per line",
    '{"error": "no rule for this"}': "the engine reports: no rule for this",
    "done": "no result, because the answer ends before it",
    "missing": "the result has seed",
    "twice": "answer every seed in the given order",
    "lost": "sixes = null: write a number in every result",
    "no end": "the end of",
    '{"seed": 7}': "the result has seed 7; answer every seed in the given order",
    '{"sixes": NaN}': "NaN is not a number",
    '{"sixes": -1e300}': "sixes = -1e+300: write a number",
    '{"sixes": 9007199254740993}': "sixes = 9007199254740993: integers beyond 2^53 would be rounded",
    '{"winner": 1, "winner": 2} ': "the key 'winner' occurs twice; write it once",
    '{"sixes": "many"}': 'sixes = "many": write a number',
    '{"six": 1}': "column 'six' is not declared; did you mean \"sixes\"?",
    '{"winner": 0}': 'winner 0: write 1 to 2, or "draw", "truncated", "game"',
    '{"winner": 3}': "winner 3: write 1 to 2",
    '{"winner": true}': "winner true: write 1 to 2",
    '{"winner": "steady"}': 'winner "steady": write 1 to 2',
    '{"turns": -1}': "turns -1: write an integer of at least 0",
    '{"turns": 1.5}': "turns 1.5: write an integer of at least 0",
    '{"decisions": null}': "decisions null: write an integer of at least 0",
    '{"scores": [1]}': "scores [1]: write a list of 2 numbers, as declared",
    '{"scores": [1, "a"]}': 'score_1 = "a": write a number',
    '{"ending": "flood"}': 'ending "flood": write one of goal, tie',
}
UNSEEDED = {"state": "turns", "process": "turns", "clock": "turns"}


def engine_in(place: Path, text: str = ENGINE, **keys: object) -> Path:
    """An engine file with its program."""
    place.mkdir(exist_ok=True)
    (place / "engine.py").write_text(text)
    words = {"command": [sys.executable, "-S", "engine.py"], "timeout": TIMEOUT, **keys}
    (place / "engine.toml").write_text("\n".join(f"{key} = {json.dumps(value)}" for key, value in words.items()))
    return place / "engine.toml"


@pytest.fixture(scope="module")
def engine(tmp_path_factory) -> Path:
    return engine_in(tmp_path_factory.mktemp("race"))


def command(engine: Path, out: Path) -> tuple[object, ...]:
    return "run", engine, "--games", GAMES, "--jobs", 1, "-o", out


def played(engine: Path, out: Path, *options: object):
    return bartizan(*command(engine, out), *options)


@contextmanager
def faulty(engine: Path, fault: str, seed: int = 0) -> Iterator[None]:
    """Inside it, something goes wrong in the game of a seed, or in every game."""
    where = engine.with_name("fault")
    where.write_text(f"{seed} {fault}" if fault else f"{seed} \n")
    try:
        yield
    finally:
        where.unlink()


@pytest.fixture(scope="module")
def healthy(engine, tmp_path_factory) -> dict[str, bytes]:
    """File -> bytes of a run in which nothing goes wrong."""
    out = tmp_path_factory.mktemp("healthy") / "out"
    assert played(engine, out).code == 0
    return contents(out)


def contents(out: Path) -> dict[str, bytes]:
    return {str(path.relative_to(out)): path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}


@pytest.mark.rotating
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: (fault or "empty line")[:24])
def test_a_broken_engine_is_one_line_and_loses_nothing(fault, engine, healthy, tmp_path):
    with faulty(engine, fault, seed_of(1, AT)):
        result = played(engine, tmp_path / "out")
    assert result.code == 4 and result.err.count("error: ") == 1, result.err
    (line,) = [one for one in result.err.splitlines() if one.startswith("error: ")]
    assert FAULTS[fault] in line and "run the same command again to resume" in line and len(line) < 700
    (kept,) = (tmp_path / "out").rglob("*.parquet")
    rows = pl.read_parquet(kept)
    assert rows["game"].to_list() == list(range(rows.height)) and AT - 5 < rows.height <= GAMES - (fault != "no end")
    assert rows.height >= AT or fault in ("twice", "no end", "missing")
    assert played(engine, tmp_path / "out").code == 0
    assert contents(tmp_path / "out") == healthy


@pytest.mark.parametrize("fault", UNSEEDED)
def test_a_game_that_its_seed_does_not_decide_is_found(fault, engine, healthy, tmp_path):
    with faulty(engine, fault):
        result = played(engine, tmp_path / "out")
    assert result.code == 4 and "gives another game the second time (turn" in result.err
    assert "draw all random numbers from the seed" in result.err
    assert played(engine, tmp_path / "out").code == 0
    assert contents(tmp_path / "out") == healthy


def test_games_before_the_command_is_killed_are_kept(engine, healthy, tmp_path):
    with faulty(engine, "slow"):
        child = process(*command(engine, tmp_path / "out"))
        while not (kept := list((tmp_path / "out").rglob("*.parquet"))) and child.poll() is None:
            time.sleep(0.01)
        child.kill()
        child.communicate()
    assert 0 < pl.read_parquet(kept).height < GAMES
    assert played(engine, tmp_path / "out").code == 0
    assert contents(tmp_path / "out") == healthy


def test_every_game_of_the_sample_is_played_twice(engine):
    game = load_game(str(engine))
    match = match_of(game, load_scenario(game), ("steady", "lazy"), 1)
    batch, asked = Batch(match), []
    ask = batch.live._fill
    batch.live._fill = lambda process, match, games, rows: (asked.append(list(games)), ask(process, match, games, rows))
    try:
        rows = batch.play(range(10, 160))
    finally:
        del batch.live._fill
    assert asked == [list(range(10, 160)), [128, 64]] and CHECKED == 64
    assert (rows == np.concatenate([batch.play(range(10, 110)), batch.play(range(110, 160))])).all()


def test_seeds_of_one_run_are_different_and_fit_31_bits():
    seeds = {seed_of(seed, game) for seed in (1, 2, 2**62) for game in range(5_000)}
    assert len(seeds) == 15_000 and min(seeds) >= 0 and max(seeds) < 1 << 31


# ---------------------------------------------------------------- what an engine declares


@pytest.mark.parametrize(
    ("said", "refusal"),
    {
        '"bartizan": 2': "protocol version 2; answer hello with",
        '"polices": []': 'declaration: polices: unknown key; did you mean "policies"?',
        '"policies": []': "declaration: policies: ",
        '"players": 0': "declaration: players: 0: write a number from 1 to 10",
        '"levels": ["easy", "Easy"]': "declaration: levels: 'Easy' is declared twice",
        '"levels": [" "]': "declaration: levels: ' ': write a text on one line",
        '"name": "my race"': "declaration: name: 'my race': write one word",
        '"players": [0]': "declaration: players: [0]: write a number from 1 to 10",
        '"players": [1, 2]': "declaration: players: 1 cannot be combined",
        '"seats": ["one", "two"]': "declaration: players: [2, 3], but 2 seats are named",
        '"columns": {"winner": "x"}': "declaration: columns.winner: is a reserved name",
        '"settings": [{"name": "title", "default": True}]': "declaration: settings.title: is a reserved name",
        '"settings": [{"name": "goal", "default": 3}]': "declaration: settings.goal: has no range",
        '"settings": [{"name": "goal", "default": 3, "min": 4, "max": 5}]': "goal: default 3 is outside 4 to 5",
        '"settings": [{"name": "b", "default": "x", "choices": ["y"]}]': "settings.b: default 'x' is not one of its",
        '"policies": [{"name": "a"}, {"name": "a"}]': "declaration: policies: 'a' is declared twice",
        '"policies": [{"name": "lookahead"}]': "declaration: policies: 'lookahead' is a reserved name",
        '"policies": [{"name": "a:b"}]': "declaration: policies: 'a:b': write letters",
    }.items(),
)
def test_a_wrong_declaration_is_one_line(said, refusal, tmp_path):
    changed = ENGINE.replace('"endings": ["goal", "tie"],', f'"endings": ["goal", "tie"], {said},')
    with pytest.raises(UsageError) as error:
        load_game(str(engine_in(tmp_path, changed)))
    assert refusal in str(error.value) and str(error.value).startswith(str(tmp_path / "engine.toml"))


@pytest.mark.parametrize(
    ("keys", "refusal"),
    [
        ({"command": ["no-such-program-here"]}, "command: no program 'no-such-program-here' in"),
        ({"command": []}, "command: "),
        ({"command": "python3 engine.py"}, "command = 'python3 engine.py': "),
        ({"folder": "nowhere"}, "folder: 'nowhere' is not a folder"),
        ({"files": ["*.js"]}, "files: no file '*.js' in"),
        ({"patience": 3}, "patience: unknown key"),
        (
            {"command": [sys.executable, "-c", "print('Welcome!', flush=True)"]},
            "hello: stdout contains 'Welcome!', which",
        ),
        ({"command": [sys.executable, "-c", "1/0"]}, "its last line on stderr: ZeroDivisionError"),
        ({"command": [sys.executable, "-c", "input(); input()"]}, f"hello: no answer within {TIMEOUT} s"),
    ],
)
def test_a_wrong_engine_file_is_one_line(keys, refusal, tmp_path):
    result = bartizan("run", engine_in(tmp_path, **keys), "--games", 5)
    assert result.code in (2, 4) and refusal in result.err and "Traceback" not in result.err


def test_an_engine_that_changes_is_another_version(tmp_path):
    path = engine_in(tmp_path / "one")
    before = load_game(str(path))
    elsewhere = load_game(str(engine_in(tmp_path / "two")))
    assert before.source_hash == elsewhere.source_hash  # wherever it lies
    path.with_name("engine.py").write_text(ENGINE + "# a change")
    with pytest.raises(BartizanError, match=r"engine.py: changed while its games were running"):
        Batch(match_of(before, load_scenario(before), ("lazy", "lazy"), 1)).play(range(4))
    assert load_game(str(path)).source_hash != before.source_hash


def test_games_of_an_engine_that_changed_are_not_used(tmp_path):
    path = engine_in(tmp_path)
    assert played(path, tmp_path / "out").code == 0
    path.with_name("engine.py").write_text(ENGINE.replace("1 + (luck", "2 + (luck"))
    assert "the code of the game has changed since" in played(path, tmp_path / "out").err


@pytest.mark.parametrize("how", ["beside", "two levels deep", "as a module"])
def test_modules_of_an_engine_are_part_of_its_version(how, tmp_path):
    """Also those that its engine file does not list."""
    head = "from kit.dice import PIPS\n" if how == "two levels deep" else "from dice import PIPS\n"
    keys = {"command": [sys.executable, "-m", "engine"]} if how == "as a module" else {}
    path = engine_in(tmp_path, head + ENGINE.replace("1 + (luck", "PIPS + (luck"), **keys)
    place = tmp_path / "dice.py"
    if how == "two levels deep":
        (tmp_path / "kit").mkdir()
        (tmp_path / "kit" / "dice.py").write_text("from kit.more import PIPS\n")
        place = tmp_path / "kit" / "more.py"
    place.write_text("PIPS = 1\n")
    before = load_game(str(path)).source_hash
    (tmp_path / "other.py").write_text("# no module of the engine\n")
    assert load_game(str(path)).source_hash == before
    place.write_text("PIPS = 2\n")
    assert load_game(str(path)).source_hash != before


def test_saved_games_that_the_engine_no_longer_plays_are_not_used(tmp_path):
    """A data file that the engine file does not list is no part of its version."""
    data = tmp_path / "pips.txt"
    data.write_text("1")
    path = engine_in(tmp_path, ENGINE.replace("1 + (luck", "int(open('pips.txt').read()) + (luck"))
    assert played(path, tmp_path / "out").code == 0
    assert played(path, tmp_path / "out").code == 0
    data.write_text("2")
    again = played(path, tmp_path / "out")
    assert again.code == 4 and "game 0 now has a different result" in again.err and again.err.count("\n") == 1
    assert played(path, tmp_path / "other").code == 0


# ---------------------------------------------------------------- as any other game


def test_cells_parts_and_a_cluster_play_the_same_games(engine, tmp_path):
    options = ("--set", "goal=20,30", "--difficulty", "easy", "--difficulty", "hard", "--players", 3)
    assert played(engine, tmp_path / "one", *options).code == 0
    assert bartizan("check", tmp_path / "one").code == 0
    several = bartizan("run", engine, "--games", GAMES, "--jobs", 3, "-o", tmp_path / "three", *options)
    assert several.code == 0
    assert contents(tmp_path / "one")["SHA256SUMS"] == contents(tmp_path / "three")["SHA256SUMS"]


@pytest.mark.rotating
@pytest.mark.parametrize(
    "words",
    [
        ("compare", "--change", "goal=20", "--games", 64),
        ("compare", "--change", "policy=steady:push=2", "--games", 300, "--test", "B - A > 2pp"),
        ("tune", "--knob", "goal=20,30", "--target", "turns=7", "--games", 100),
        ("sensitivity", "--path", "goal", "--games", 40),
        ("ladder", "--games", 40),
        ("bracket", "--games", 40),
    ],
    ids=str,
)
def test_a_question_that_plays_whole_games_is_answered(words, engine):
    command, *options = words
    result = bartizan(command, engine, "--jobs", 2, *options)
    assert result.code in (0, 1, 3), result.err
    assert result.out and "Traceback" not in result.err


@pytest.mark.parametrize(
    "words",
    [
        ("trace",),
        ("coverage", "--games", 5),
        ("run", "--games", 5, "--luck-adjusted"),
        ("run", "--games", 5, "--policy", "steady:noise=0.1"),
    ],
    ids=str,
)
def test_a_question_about_rules_names_what_can_be_asked(words, engine):
    command, *options = words
    result = bartizan(command, engine, *options)
    assert result.code == 2 and "engine.toml is a live engine, which plays games with its own policies" in result.err


def test_learned_players_need_the_declarations_of_a_short_game(engine):
    result = bartizan("train", engine, "--learn", "-o", "x.learned")
    assert result.code == 2 and "but this game is a live engine; train the weights" in result.err


def test_policies_are_those_of_the_engine(engine):
    game = load_game(str(engine))
    assert find_policy(game, "steady:push=3").weights == {"push": 3.0}
    with pytest.raises(UsageError, match=r'no policy "random" in engine.toml; choose from: lazy, steady'):
        find_policy(game, "random")


def test_check_plays_every_policy_level_and_end_of_a_setting(engine):
    result = bartizan("check", engine, "--ends")
    assert result.code == 0
    assert "seats first, second, third, 4 settings, policies steady, lazy" in result.out
    assert "ok  128 games simulated again by another process" in result.out and "values at the ends" in result.out


def test_text_on_stderr_does_no_harm(tmp_path):
    loud = ENGINE.replace("played = 0", "played = 0\nfor _ in range(3000): sys.stderr.write('x' * 200 + chr(10))")
    assert bartizan("run", engine_in(tmp_path, loud), "--games", 5).code == 0


def test_an_engine_that_results_name_is_not_started(tmp_path, monkeypatch):
    """A folder of results from elsewhere names a file that its user has never run here."""
    path, out = engine_in(tmp_path / "race"), tmp_path / "out"
    assert played(path, out).code == 0
    monkeypatch.setattr("bartizan.simcore.sources.is_noted", lambda digest: False)
    refused = bartizan("check", out)
    assert refused.code == 2 and "engine.toml: not run, because" in refused.err


def test_assistants_start_no_program(tmp_path):
    fence = Fence(tmp_path)
    engine_in(tmp_path)
    with pytest.raises(UsageError, match=r"engine.toml: starts a program"):
        fence.hold(["engine.toml"])
    (tmp_path / "plan.toml").write_text('game = "itter"')
    fence.hold(["plan.toml"])


# ---------------------------------------------------------------- the adapters that are shipped


def rows_of(path: Path, games: int) -> np.ndarray:
    game = load_game(str(path))
    scenario = load_scenario(game)
    names = (game.default_policy,) * len(game.roles_in(scenario))
    return Source(1).rows(match_of(game, scenario, names, 3), range(games))


@pytest.mark.parametrize("name", ["pig.py", "pig.ts", "pig.rs", "tic_tac_toe.py", "openspiel.py", "pettingzoo_aec.py"])
def test_adapters_are_short(name):
    assert len((EXAMPLES / "engines" / name).read_text().splitlines()) <= 60


def adapter_in(place: Path, name: str, *words: str) -> Path:
    """An adapter beside the modules that stand in for the library it needs."""
    program = place / name
    program.write_text((EXAMPLES / "engines" / name).read_text())
    for module in ("pyspiel.py", "matching_pennies.py"):
        (place / module).write_text((ROOT / "tests/games/engines" / module).read_text())
    command = json.dumps([sys.executable, str(program), *words])
    (place / "engine.toml").write_text(f"command = {command}\n")
    return place / "engine.toml"


def test_the_adapter_of_openspiel_plays_and_takes_steps(tmp_path):
    path = adapter_in(tmp_path, "openspiel.py", "tic_tac_toe")
    assert load_game(str(path)).name == "tic_tac_toe"
    wins = {
        pair: bartizan("run", path, "--games", 60, "--jobs", 1, "--policy", pair, "--json").json["wins"]
        for pair in ("random+random", "mcts:simulations=5+random", "lookahead:base=random,plays=8+random")
    }
    random, mcts, ahead = wins.values()
    assert 20 < random < 50 and mcts > random and ahead > 52
    assert bartizan("check", path).code == 0


def test_the_adapter_of_pettingzoo_plays_through_what_an_environment_prints(tmp_path):
    path = adapter_in(tmp_path, "pettingzoo_aec.py", "matching_pennies")
    found = bartizan("run", path, "--games", 200, "--policy", "random", "--json").json
    assert 70 < found["wins"] < 130 and found["turns"]["mean"] == 2
    assert bartizan("run", path, "--games", 20, "--policy", "first", "--json").json["wins"] == 20


# ---------------------------------------------------------------- other kinds of games

SIDES = """
import json, sys
HELLO = {"bartizan": 1, "name": "siege", "policies": [{"name": "storm", "seats": ["attacker"]},
         {"name": "wall", "seats": ["defender"]}, {"name": "wait"}], "seats": ["attacker", "defender"]}
TOGETHER = {"bartizan": 1, "name": "fire", "policies": [{"name": "water"}], "cooperative": True, "players": [2, 4]}
hello = TOGETHER if sys.argv[1] == "together" else HELLO
for line in sys.stdin:
    message = json.loads(line)
    if message["message"] == "hello":
        answers = [hello]
    elif hello is TOGETHER:
        kinds = [1, 1, "game", "truncated"] if message["players"] == 4 else [1, "game"]
        answers = [{"seed": one, "winner": kinds[one % len(kinds)], "turns": 3} for one in message["seeds"]]
    else:
        wins = 1 if message["policies"] == ["storm", "wait"] else 2
        answers = [{"seed": one, "winner": wins, "turns": 3} for one in message["seeds"]]
    for answer in [*answers, *([{"done": len(answers)}] if "seeds" in message else [])]:
        print(json.dumps(answer), flush=True)
"""


def test_sides_that_differ_have_policies_of_their_own(tmp_path):
    path = engine_in(tmp_path, SIDES, command=[sys.executable, "-S", "engine.py", "sides"])
    game = load_game(str(path))
    assert game.roles == ("attacker", "defender") and not game.alike
    assert [game.default_for(role) for role in game.roles] == ["storm", "wall"]
    assert bartizan("run", path, "--games", 40, "--json").json["wins"] == 0
    assert bartizan("run", path, "--games", 40, "--policy", "defender=wait", "--json").json["wins"] == 40
    refused = bartizan("run", path, "--games", 40, "--policy", "defender=storm")
    assert refused.code == 2 and 'policy "storm" plays attacker, not defender' in refused.err


def test_a_game_of_all_against_the_game(tmp_path):
    path = engine_in(tmp_path, SIDES, command=[sys.executable, "-S", "engine.py", "together"])
    found = bartizan("run", path, "--games", 200, "--players", 4, "--json").json
    rows = rows_of(path, 200)
    assert load_game(str(path)).roles == ("players",)
    assert 60 < found["wins"] < 140 and 20 < found["capped"] < 80 and found["cycle"] is None
    assert set(rows["winner"]) == {0, HOUSE}  # two players, and no game is truncated


def test_claims_and_the_gate_judge_a_live_engine(engine, tmp_path):
    plan = tmp_path / "plan.toml"
    claim = '[[claim]]\ntitle = "fair"\nband = [0.01, 0.99]\n'
    plan.write_text(f'game = "{engine}"\ngames = 100\nseed = 1\n[set]\ngoal = [20, 30]\n{claim}')
    assert bartizan("run", plan, "-o", tmp_path / "baseline").code == 0
    gate = bartizan("gate", plan, "--baseline", tmp_path / "baseline")
    assert gate.code == 0, gate.err


def test_a_worker_elsewhere_plays_the_same_games(engine):
    """A piece as it travels to a worker of a cluster."""
    game = load_game(str(engine))
    match = match_of(game, load_scenario(game, sets={"goal": 20}), ("steady:push=2", "lazy"), 7)
    there = read(in_bytes(Batch(match).play))(range(5, 35))
    assert (there == Batch(match).play(range(5, 35))).all()
    of_options = read(in_bytes(partial(Batch(match).play, 7, size=[1, 2])))
    assert (of_options.args, of_options.keywords) == ((7,), {"size": [1, 2]})


# ---------------------------------------------------------------- step by step

NIM = """
import json, sys
HELLO = {"bartizan": 1, "name": "nim", "players": 2, "steps": True, "policies": [{"name": "random"}, {"name": "one"}],
         "settings": [{"name": "heap", "default": 9, "min": 1, "max": 50}]}

def move(policy, heap, luck):
    return 1 if policy == "one" else 1 + luck % min(3, heap)

def position(heap, taken):
    if heap == 0:
        return {"result": {"winner": 1 + (taken - 1) % 2, "turns": taken}}
    return {"state": [heap, taken], "seat": 1 + taken % 2, "legal": list(range(1, 1 + min(3, heap)))}

def played(heap, taken, policies, luck):
    while heap:
        luck = (luck * 1103515245 + 12345) % (1 << 31)
        heap, taken = heap - move(policies[taken % 2], heap, luck >> 16), taken + 1
    return position(heap, taken)["result"]

for line in sys.stdin:
    m = json.loads(line)
    kind = m["message"]
    heap, taken = m.get("state") or [m.get("settings", {}).get("heap"), 0]
    if kind == "hello": answers = [HELLO]
    elif kind == "begin": answers = [position(heap, taken)]
    elif kind == "choose": answers = [{"action": move(m["policy"], heap, m["seed"])}]
    elif kind == "apply": answers = [position(heap - m["action"], taken + 1)]
    else:
        heap, taken = heap - m.get("action", 0), taken + ("action" in m)
        answers = [{"seed": one, **played(heap, taken, m["policies"], one)} for one in m["seeds"]]
        answers.append({"done": len(answers)})
    print("\\n".join(map(json.dumps, answers)), flush=True)
"""


def test_looking_ahead_wins_a_game_that_random_play_does_not(tmp_path):
    """Nim with 9 stones: the first player wins by leaving multiples of 4."""
    path = engine_in(tmp_path, NIM)
    wins = {}
    for policy in ("random", "lookahead:base=random,plays=40"):
        found = bartizan("run", path, "--games", 100, "--policy", f"{policy}+random", "--json")
        assert found.code == 0, found.err
        wins[policy] = found.json["wins"]
    assert wins["random"] < 70 and wins["lookahead:base=random,plays=40"] > 90
    assert bartizan("check", path, "--policy", "lookahead:base=one,plays=2").code == 0


@pytest.mark.parametrize(
    ("broken", "said"),
    {
        '{"action": 7}': "policy random chooses 7, which is not in legal",
        '{"act": 1}': "policy random chooses None, which is not in legal",
        "{}": "policy random chooses None",
    }.items(),
)
def test_a_wrong_step_is_one_line(broken, said, tmp_path):
    path = engine_in(tmp_path, NIM.replace('[{"action": move(m["policy"], heap, m["seed"])}]', f"[{broken}]"))
    result = bartizan("run", path, "--games", 4, "--policy", "lookahead:plays=2+random")
    assert result.code == 4 and said in result.err


@pytest.mark.parametrize(
    ("broken", "said"),
    {
        '{"state": 1, "seat": 3, "legal": [1]}': "the seat of a position is 3; write the seat to move, 1 to 2",
        '{"state": 1, "seat": 1, "legal": []}': "a position must have state, seat, and legal (a list of at least one",
        '{"result": {"winner": 1, "turns": 1, "seed": 3}}': "must be an object without a seed",
        '{"result": {"winner": 5, "turns": 1}}': "winner 5: write 1 to 2",
    }.items(),
)
def test_a_wrong_position_is_one_line(broken, said, tmp_path):
    path = engine_in(tmp_path, NIM.replace("answers = [position(heap, taken)]", f"answers = [{broken}]"))
    result = bartizan("run", path, "--games", 4, "--policy", "lookahead:plays=2+random")
    assert result.code == 4 and said in result.err


GUESS = """
import json, random, sys
HELLO = {"bartizan": 1, "name": "guess", "players": 2, "steps": True, "policies": [{"name": "random"}]}

def coin(seed):
    return int(random.Random(seed).random() < 0.5)

for line in sys.stdin:
    m = json.loads(line)
    kind = m["message"]
    if kind == "hello": answers = [HELLO]
    elif kind == "begin": answers = [{"state": 0, "seat": 1, "turn": 1, "legal": [0, 1]}]
    elif kind == "choose": answers = [{"action": coin(m["seed"])}]
    elif kind == "apply": answers = [{"result": {"winner": 1 if coin(m["seed"]) == m["action"] else 2, "turns": 1}}]
    else: answers = [*({"seed": one, "winner": 1 + coin(one), "turns": 1} for one in m["seeds"]),
                     {"done": len(m["seeds"])}]
    print("\\n".join(map(json.dumps, answers)), flush=True)
"""
LOSSES = ("losses", "--games", 200, "--pilot", 8, "--rollouts", 200)


def test_a_choice_and_its_outcome_have_different_random_numbers(tmp_path):
    """A guess of a coin, with the random numbers of its seed as for the coin, is right in half of the games."""
    command, *options = LOSSES
    found = bartizan(command, engine_in(tmp_path, GUESS), *options, "--json").json
    assert 60 < found["lost"] < 140


def test_losses_are_the_same_on_any_number_of_processes(tmp_path):
    command, *options = LOSSES
    path = engine_in(tmp_path, GUESS)
    one, two = (bartizan(command, path, *options, "--jobs", jobs, "--json").json for jobs in (1, 2))
    assert one == two and one["pilot"]["piles"] == "redealt by the engine"
    assert not any(chosen["trace"] for chosen in one["chosen"])  # no command shows a game of another program


@pytest.mark.parametrize(
    ("turn", "said"),
    {
        "": "the turn of a position is None; write the number of the turn, counted as in turns of the result",
        '"turn": "first", ': "the turn of a position is 'first'; write the number",
        '"turn": -1, ': "the turn of a position is -1; write the number",
        '"turn": 2, ': "turn 2 has begun, but the result has turns = 1",
    }.items(),
)
def test_losses_need_the_turn_of_a_position(turn, said, tmp_path):
    command, *options = LOSSES
    result = bartizan(command, engine_in(tmp_path, GUESS.replace('"turn": 1, ', turn)), *options)
    assert result.code == 4 and said in result.err, result.err


def test_losses_end_if_an_engine_plays_another_game_the_second_time(tmp_path):
    command, *options = LOSSES
    text = GUESS.replace('== m["action"]', '== m["action"] ^ (random.SystemRandom().random() < 0.5)')
    result = bartizan(command, engine_in(tmp_path, text), *options)
    assert result.code == 4 and "gives another game the second time" in result.err


def test_losses_need_an_engine_that_continues_games(engine, tmp_path):
    command, *options = LOSSES
    path = engine_in(tmp_path, GUESS)
    for refused, said in (
        (bartizan(command, engine, *options), 'need an engine that declares "steps": true'),
        (bartizan(command, path, *options, "--policy", "lookahead:plays=2"), "the engine, which cannot look ahead"),
        (
            bartizan(command, path, *options, "--pages", tmp_path),
            "because pages of games need the rules; remove --pages",
        ),
    ):
        assert refused.code == 2 and said in refused.err, refused.err


def test_looking_ahead_needs_an_engine_that_takes_steps(engine):
    result = bartizan("run", engine, "--games", 4, "--policy", "lookahead:base=lazy,plays=4")
    assert result.code == 2 and 'needs an engine that declares "steps": true' in result.err
    refused = bartizan("run", engine, "--games", 4, "--policy", "lookahead:base=lazy,plays=x")
    assert refused.code == 2 and "write lookahead:base=POLICY,plays=64" in refused.err
