"""A user's mistake is one line on stderr, the right exit code, and nothing lost."""

import pytest

from tests.cli.run_cli import PIG, bartizan, error_line, tree

SCENARIO = 'schema_version = 1\ngame = "pig"\nname = "x"\ntitle = "Pig"\n[dice]\nsides = 6\nloses_on = 1\nsource = "s"\nconfidence = "rulebook"\n[goal]\npoints = 10\nsource = "s"\nconfidence = "rulebook"\n'

REFUSED = [
    (["run", "iter"], 'did you mean "itter"'),
    (["run", "itter", "--policy", "garison"], 'did you mean "garrison"'),
    (["run", "itter", "--policy", "garrison:patiense=1"], 'did you mean "patience"'),
    (["run", "itter", "--policy", "garrison:patience=much"], "is not a number"),
    (["run", "itter", "--difficulty", "hard"], "elite, novice, veteran"),
    (["run", "itter", "--set", "ss_counter.rifleman.defence=9"], "less than or equal to 6"),
    (["run", "itter", "--set", "ss_counter.riflemen.defence=4"], 'did you mean "rifleman"'),
    (["run", "itter", "--set", "turn.ss_cards=three"], "integer"),
    (["run", "itter", "--set", "turn.ss_cards=1_0"], "turn.ss_cards = '1_0': Input should be a valid integer"),
    (["run", "itter", "--set", "turn.ss_cards=0x10"], "turn.ss_cards = '0x10': Input should be a valid integer"),
    (["run", "itter", "--set", f"turn.ss_cards={'9' * 5000}"], "Input should be a valid integer"),
    (["run", "itter", "--set", "numbers.ss_cards=3"], 'did you mean "turn.ss_cards"'),
    (["run", "itter", "--policy", "garrison:noise=0.0_1"], "noise=0.0_1: write a probability"),
    (["tune", "itter", "--knob", "turn.ss_cards=nan:5", "--target", "win_rate=0.3"], "lo:hi:step, in numbers"),
    (["run", "itter", "--set", "turn.ss_cards"], "write PATH=VALUE"),
    (["run", "itter", "--set", "ss_card.deck1_scout.copies=4"], "add up to [13, 18, 18, 12]"),
    (["run", "itter", "--set", "circle.25.next=22"], "cycle"),
    (["run", "itter", "--scenario", "publisht"], "published"),
    (["run", "itter", "--scenario", "nowhere.toml"], "no such scenario file"),
    (["run", "itter", "--games", "0"], "'--games': write a number of at least 1"),
    (["run", "itter", "--games", "10k"], "'--games': write an integer, such as 100"),
    (["run", "itter", "--precision", "tight"], "0.5pp"),
    (["run", "itter", "--players", "2"], "the scenario sets the number of players"),
    (["run", PIG, "--policy", "third=hold"], "no role"),
    (["run", PIG, "--policy", "first=hold", "--policy", "hold"], "give a role"),
    (["sweep", "itter", "--games", "10"], "-o DIR"),
    (["run", PIG, "--games", "9", "-o", "page.html"], "the results need a folder, not a file; write -o page"),
    (["compare", PIG, "--change", "goal.points=50", "-o", "page.csv"], "need a folder, not a file; write -o page"),
    (["sweep", "nowhere.toml", "-o", "x"], "no such plan file"),
    (["report", "nowhere"], "nowhere: no such folder; create one with: bartizan run GAME -o nowhere"),
    (["run", "castle_itter"], 'did you mean "itter"'),
    (["new", "game", "mine", "--from", "nowhere.csv"], "--from nowhere.csv: no such file; give a card list"),
    (["run", "nowhere.py"], "no such game file"),
    (["frobnicate"], "frobnicate"),
]


@pytest.mark.parametrize(
    ("args", "says"), REFUSED, ids=[" ".join(args[:1] + args[-2:]).replace(PIG, "pig.py") for args, _ in REFUSED]
)
def test_refused_with_one_line(args, says):
    result = bartizan(*args)
    assert result.code == 2
    assert says in error_line(result)
    assert result.out == ""


def policy(body: str, name: str = "p") -> str:
    """The text of a policy file whose function has this body."""
    return (
        "from bartizan.policies.protocol import Policy\n"
        f"def choose(state, tables, legal, n_legal, weights):\n    {body}\nP = Policy('{name}', choose)\n"
    )


BROKEN_POLICIES = {
    "syntax": ("def choose(:\n", ":1"),
    "none": ("x = 1\n", "defines no Policy"),
    "fails": ("raise RuntimeError('no luck')\n", ":1: the policy file cannot be loaded: RuntimeError: no luck"),
    "uncompilable": (policy("return state.no_such_field"), "does not compile"),
    "fields": (policy("return legal[0].kind"), ":3: policy function choose does not compile: .kind of a number"),
    "illegal": (policy("return 77 if state.at_stake > 9 else 0", "cheat"), "cheat chose action 77"),
}  # fmt: skip


@pytest.mark.parametrize("kind", BROKEN_POLICIES)
def test_broken_policy_files(tmp_path, kind):
    source, says = BROKEN_POLICIES[kind]
    path = tmp_path / "mine.py"
    path.write_text(source)
    result = bartizan("run", PIG, "--policy", f"first={path}", "--games", 50)
    assert result.code == 2
    line = error_line(result)
    assert "mine.py" in line and says in line
    if kind == "illegal":
        assert "seed 1, game" in line and "ply" in line


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("sides = 6", "sides = 6\nsidez = 6"), "dice.sidez: unknown key"),
        (("sides = 6", 'sides = "six"'), "dice.sides"),
        (("loses_on = 1", "loses_on = 9"), "no face 9"),
        (("[goal]", "[goal"), "cannot be read as TOML"),
        (("points = 10\n", ""), "goal.points: missing"),
        (('game = "pig"', 'game = "itter"'), "used as a scenario of pig"),
    ],
)
def test_broken_scenario_files(tmp_path, change, says):
    path = tmp_path / "house.toml"
    path.write_text(SCENARIO.replace(*change))
    result = bartizan("run", PIG, "--scenario", path, "--games", 10)
    assert result.code == 2
    line = error_line(result)
    assert "house.toml" in line and says in line


def test_a_plan_with_an_unknown_key(tmp_path, wording):
    plan = tmp_path / "plan.toml"
    plan.write_text('game = "itter"\ngames = 10\nseed = 1\npolicys = "fight"\n')
    result = bartizan("sweep", plan, "-o", tmp_path / "out")
    assert result.code == 2
    assert error_line(result) == wording
    assert not (tmp_path / "out").exists()


def sweep(folder, *more):
    return bartizan("sweep", PIG, "--policy", "hold", "--games", 1000, "-o", folder, *more)


def test_folders_that_cannot_be_used_are_left_as_they_are(tmp_path, wording):
    occupied, file = tmp_path / "occupied", tmp_path / "file"
    occupied.mkdir()
    (occupied / "thesis.txt").write_text("years of work")
    file.write_text("not a folder")
    assert error_line(sweep(occupied)) == wording
    assert (occupied / "thesis.txt").read_text() == "years of work" and len(list(occupied.iterdir())) == 1
    result = sweep(file)
    assert result.code == 2
    assert error_line(result) == wording
    assert file.read_text() == "not a folder"


def test_another_sweep_in_the_folder_is_refused(tmp_path, wording):
    folder = tmp_path / "out"
    assert sweep(folder).code == 0
    before = tree(folder)
    for other in (["--seed", 2], ["--set", "goal.points=60"], ["--policy", "random"]):
        result = sweep(folder, *other)
        if other[0] == "--policy":
            assert result.code == 0  # a further cell extends the sweep
            continue
        assert result.code == 2
        assert error_line(result) == wording
        assert tree(folder) == before


DAMAGE = {
    "truncated": lambda data: data[: len(data) // 2],
    "flipped": lambda data: data[:200] + bytes([data[200] ^ 255]) + data[201:],
    "replaced": lambda data: b"not a parquet file",
    "empty": lambda data: b"",
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_shard(tmp_path, damage):
    folder = tmp_path / "out"
    assert sweep(folder).code == 0
    before = tree(folder)
    shard = next(folder.rglob("00000.parquet"))
    shard.write_bytes(damage(shard.read_bytes()))
    verified = bartizan("verify", folder)
    assert verified.code == 4
    assert "00000.parquet" in error_line(verified) and "run the same sweep again" in error_line(verified)
    again = sweep(folder)
    assert again.code == 0
    assert "damaged shard moved to 00000.damaged" in again.err
    after = tree(folder)
    assert {name: data for name, data in after.items() if not name.endswith(".damaged")} == before
    assert any(name.endswith("00000.damaged") for name in after)


def test_a_report_of_a_damaged_shard(tmp_path, wording):
    folder = tmp_path / "out"
    assert sweep(folder).code == 0
    shard = next(folder.rglob("00000.parquet"))
    shard.write_bytes(shard.read_bytes()[:100])
    result = bartizan("report", folder, "-o", tmp_path / "report.html")
    assert result.code == 4
    assert error_line(result) == wording


def test_a_damaged_manifest(tmp_path, wording):
    folder = tmp_path / "out"
    assert sweep(folder).code == 0
    before = tree(folder)
    (folder / "manifest.json").write_text("{")
    result = bartizan("report", folder, "-o", tmp_path / "report.html")
    assert result.code == 4
    assert error_line(result) == wording
    assert sweep(folder).code == 0
    assert tree(folder) == before


def test_debug_shows_the_traceback():
    assert "Traceback" in bartizan("run", "iter", "--debug").err


def test_a_level_that_is_set_is_the_level_of_every_line(tmp_path, monkeypatch):
    """`run` ended with an error about --difficulty, which nobody had given, after it had played all games."""
    monkeypatch.chdir(tmp_path)
    given = ("itter", "--games", 2, "--policy", "random", "--json")
    one = bartizan("run", *given, "--set", "difficulty=elite")
    assert one.code == 0 and one.json["difficulty"] == "elite"
    assert one.json["digest"] == bartizan("run", *given, "--difficulty", "elite").json["digest"]
