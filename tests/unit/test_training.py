"""Training: better weights are found and told with fresh games; the same file whoever interrupts it; a
weights file says what is wrong with it.
"""

import re
import shlex
import tomllib
from pathlib import Path

import numpy as np
import pytest

from bartizan.analyses.experiments.training import Course, Evaluator, Optimizer
from bartizan.policies.registry import at_one_table, find_player, find_policy, is_role, line_ups, weights_apart
from bartizan.policies.weights_file import shipped, text_of
from bartizan.reports.blocks import Table
from bartizan.reports.views.training import TrainDocument, view
from bartizan.simcore.errors import PolicyError
from bartizan.simcore.game import load_game
from bartizan.simcore.play.batch import Source
from bartizan.simcore.scenario.loading import load_scenario
from bartizan.simcore.sweep.plan import FILES
from tests.cli.run_cli import PIG, ROOT, bartizan, error_line

SHORT = ("--generations", 6, "--games", 200, "--fresh", 4000)


def train(out: Path, *words, policy="hold:at=5"):
    return bartizan("train", PIG, "--policy", f"first={policy}", "--policy", "second=hold", *SHORT, *words, "-o", out)


# ---------------------------------------------------------------- the search


def test_a_timid_player_of_pig_learns_to_wait(tmp_path):
    """Hold-at-n is best near 20 (Neller & Presser 2004: 20 or 25 against themselves); the search starts at 5."""
    out = tmp_path / "bold.toml"
    result = train(out, "--json")
    assert result.code == 0, result.err
    d = result.json
    assert d["is_better"] and d["before"] == {"at": 5.0} and 10 < d["weights"]["at"] < 35
    (wins,) = d["wins"].values()
    assert wins["games"] == 4000 and wins["difference"]["low"] > 0.1
    assert "after training, hold wins" in d["sentence"]
    (table,) = (block for block in view(TrainDocument.read(d)).blocks if isinstance(block, Table))
    row = dict(zip(table.headers, table.rows[0], strict=True))
    shown = [float(row[name].text.rstrip(" %")) for name in ("Before", "Trained")]
    assert shown == pytest.approx([100 * wins[name]["estimate"] for name in ("before", "after")], abs=0.6)
    bold = find_policy(load_game(PIG), f"hold@{out}")
    assert bold.weights == d["weights"] and bold.name == "hold@bold.toml"


def test_weights_of_one_seat_in_every_seat_have_a_caveat(tmp_path):
    """They were trained beside other players, so the balance between seats may come from that."""
    bold = tmp_path / "bold.toml"
    bold.write_text('policy = "hold"\nrole = "first"\n\n[weights]\nat = 22\n')

    def caveats(*policies):
        words = [word for policy in policies for word in ("--policy", policy)]
        return bartizan("run", PIG, *words, "--games", 40, "--json").json.get("caveats", [])

    (line,) = caveats(f"hold@{bold}")
    assert "was trained for one seat but plays in 2" in line
    assert caveats(f"hold@{bold}+hold") == caveats("hold") == []


def test_interrupted_and_resumed_on_other_threads_is_the_same_file(tmp_path):
    whole, parts = tmp_path / "whole.toml", tmp_path / "parts.toml"
    assert train(whole, "--jobs", 1).code == 0
    assert train(parts, "--jobs", 2, "--generations", 2).code == 0
    assert parts.read_bytes() != whole.read_bytes()
    assert train(parts, "--jobs", 2).code == 0
    assert parts.read_bytes() == whole.read_bytes()


def test_candidates_of_a_generation_share_their_deals_and_the_next_has_others():
    game = load_game(PIG)
    players = tuple(find_player(game, text) for text in ("hold", "hold"))
    evaluator = Evaluator(Course(game, ("at",), {"": load_scenario(game)}, players, 0, 3), Source(2))
    one, same = evaluator.means([{"at": 20.0}, {"at": 20.0}], 3, range(500))
    (other,) = evaluator.means([{"at": 20.0}], 3, range(500, 1000))
    assert one == same != other


def test_a_table_of_alike_seats_is_turned_round():
    """Castle, two players: the trainee sits in each seat for half of the games."""
    game = load_game("castle")
    scenario = load_scenario(game, sets={game.players_path: 2})
    players = tuple(find_player(game, text) for text in ("steward", "greedy"))
    seatings = Course(game, (), {"": scenario}, players, 0, 1).seatings()
    assert [(tuple(player.name for player in seats), seat, parts) for seats, seat, parts in seatings] == [
        (("steward", "greedy"), 0, 1),
        (("greedy", "steward"), 1, 1),
    ]


def test_the_search_climbs_a_hill():
    """Without games: the value is minus the squared distance from 1.5 times the weights at the start."""
    game = load_game("itter")
    player = find_player(game, "garrison")
    names = tuple(player.weights)
    search = Optimizer(Course(game, names, {}, (player,), 0, 7))
    wanted = {name: 1.5 * value for name, value in player.weights.items()}

    def worth(weights):
        return -sum((weights[name] / wanted[name] - 1) ** 2 for name in names)

    for _ in range(150):
        search.tell([worth(one) for one in search.ask()])
    assert worth(search.mean()) > 0.01 * worth(player.weights)


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--weight", "att"], 'no such weight; did you mean "at"'),
        (["--role", "third"], "--role third: no such role"),
        (["-o", "there/bold.toml"], "the folder there does not exist"),
    ],
)
def test_what_cannot_be_trained_is_one_line(tmp_path, monkeypatch, words, said):
    monkeypatch.chdir(tmp_path)
    result = (
        train(Path("bold.toml"), *words) if "-o" not in words else bartizan("train", PIG, "--policy", "hold", *words)
    )
    assert result.code == 2 and len(result.err.strip().splitlines()) == 1
    assert re.search(said, result.err), result.err


def test_a_policy_without_weights_and_one_with_modifiers_are_refused(tmp_path):
    out = tmp_path / "bold.toml"
    assert "random has no weights" in train(out, policy="random").err
    assert "hold:noise=0.1 is a restricted policy" in train(out, policy="hold:noise=0.1").err


def test_a_file_of_another_training_is_not_written_over(tmp_path):
    out = tmp_path / "bold.toml"
    train(out)
    before = out.read_bytes()
    result = train(out, "--seed", 2)
    assert result.code == 2 and "contains another training" in result.err and "seed" in result.err
    assert out.read_bytes() == before


def test_damaged_progress_is_one_line(tmp_path):
    out = tmp_path / "bold.toml"
    train(out, "--generations", 1, "--fresh", 100)
    text = out.read_text()
    begin, end = text.index("progress = ["), text.index("]\n\n[weights]")
    for values in ("[0.5]", '["a", "b", "c", "d"]', "[nan, 0.5, 0.5, 0.5]", "0.5"):
        out.write_text(f"{text[:begin]}progress = [{values}{text[end:]}")
        result = train(out)
        assert result.code == 2 and "so it is damaged; delete it" in error_line(result)
    out.write_text(text[:begin] + text[end + 2 :])
    result = train(out)
    assert result.code == 2 and "damaged (it has no list `progress`)" in error_line(result)


MINE = """
from bartizan import Policy

def choose(state, tables, legal, n_legal, weights):
    bold = weights[0] + weights[1]
    if state.at_stake >= bold or state.banked[state.to_move] + state.at_stake >= tables.goal:
        return 1
    return 0

{aim}
MINE = Policy("mine", choose, weights={{"a": 3.0, "b": 1.0}}{said})
"""


def mine(folder: Path, aim: str = "", said: str = "") -> Path:
    path = folder / "mine.py"
    path.write_text(MINE.format(aim=aim, said=said))
    return path


def test_weights_that_were_not_in_training_are_in_the_file_too(tmp_path):
    """A file names the player that was trained, whatever it began with."""
    path, out = mine(tmp_path), tmp_path / "m.toml"
    result = bartizan(
        "train", PIG, "--policy", f"first={path}:b=9", "--policy second=hold --weight a --weight a", *SHORT, "-o", out
    )
    assert result.code == 0, result.err
    player = find_policy(load_game(PIG), f"{path}@{out}")
    assert player.weights["b"] == 9 and player.weights == tomllib.loads(out.read_text())["weights"]
    assert f"--policy {path}@{out}+hold" in result.out


@pytest.mark.parametrize(
    ("aim", "said"),
    [
        ("def aim(record, seat):\n    return record.wibble", "mine.py.*`aim` does not compile"),
        ("def aim(record, seat):\n    return 1e308 * (record.plies + 10.0)", "return a finite number for every record"),
        (
            "def aim(record, seat):\n    if record.plies > 3:\n        raise ValueError('no')\n    return 1.0",
            "mine.py.*its `aim` fails: .*no",
        ),
    ],
)
def test_an_aim_that_is_none_is_named(tmp_path, aim, said):
    result = bartizan(
        "train",
        PIG,
        "--policy",
        f"first={mine(tmp_path, aim, ', aim=aim')}",
        "--policy second=hold",
        *SHORT,
        "-o",
        tmp_path / "m.toml",
    )
    assert result.code in (1, 2) and len(result.err.strip().splitlines()) == 1 and re.search(said, result.err), (
        result.err
    )


def test_an_unfinished_file_does_not_play_and_a_finished_one_is_not_cut_short(tmp_path):
    out = tmp_path / "bold.toml"
    assert train(out).code == 0
    result = train(out, "--generations", 2)
    assert result.code == 2 and "contains 6 generations" in result.err
    text = out.read_text()
    out.write_text(text[: text.index("[weights]")])
    with pytest.raises(PolicyError, match="its training was interrupted"):
        find_policy(load_game(PIG), f"hold@{out}")


def test_a_sweep_with_a_weights_file_is_verified(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("w.toml").write_text('policy = "hold"\n[weights]\nat = 21')
    assert (
        bartizan(
            "sweep", PIG, "--policy", "first=hold@w.toml", "--policy", "second=hold", "--games", 50, "-o", "res"
        ).code
        == 0
    )
    result = bartizan("verify", "res")
    assert result.code == 0, result.err
    assert [folder.name for folder in Path("res/cells").iterdir()] == ["hold_w-hold"]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("hold@w.toml", ("hold", "@", "w.toml")),
        ("/x/me@work/mine.py:mine", ("/x/me@work/mine.py:mine", "", "")),
        ("/x/me@work/mine.py:mine@v/w.toml", ("/x/me@work/mine.py:mine", "@", "v/w.toml")),
        ("hold@bold", ("hold", "@", "bold")),
        ("hold@/x.pydir/w.toml", ("hold", "@", "/x.pydir/w.toml")),
    ],
)
def test_weights_are_told_from_a_path(text, parts):
    assert weights_apart(text) == parts


def test_a_path_may_hold_every_character_that_separates_the_parts_of_a_policy(tmp_path):
    folder = tmp_path / "a@b:c=d,e+f g"
    folder.mkdir()
    (out := folder / "w@1:2.toml").write_text('policy = "hold"\n[weights]\nat = 9.0\n')
    own = mine(folder)
    game = load_game(PIG)
    for text, files in (
        (f"hold@{out}:noise=0.1", [out]),
        (f"{own}:mine:a=2", [own]),
        (f"lookahead:base={own},plays=4", [own]),
        (f"lookahead:base=hold@{out},plays=4", [out]),
        (f"first={own}", [own]),
    ):
        assert [Path(found["file"]) for found in FILES.finditer(text)] == files
        if is_role(game, text):
            continue
        assert at_one_table(game, f"{text}+random") == (text, "random")
        find_policy(game, text)
    assert not is_role(game, str(own)) and is_role(game, f"first={own}")
    assert [found["file"] for found in FILES.finditer("p.py+q.py")] == ["p.py", "q.py"]


def test_a_path_to_weights_may_hold_an_equals_sign_or_a_plus():
    game = load_game(PIG)
    assert not is_role(game, "hold@k=v/w.toml")
    assert at_one_table(game, "hold@a+b/w.toml+random") == ("hold@a+b/w.toml", "random")
    assert at_one_table(game, "hold@bold+hold@w.toml") == ("hold@bold", "hold@w.toml")


@pytest.mark.parametrize("name", ["my+policy.py", "a+b/policy.py", "a+b+c.py"])
def test_a_plus_in_the_name_of_a_file_that_exists_separates_nothing(tmp_path, monkeypatch, name):
    game, file = load_game(PIG), tmp_path / name
    monkeypatch.chdir(tmp_path)
    file.parent.mkdir(exist_ok=True)
    mine(file.parent).rename(file)
    assert at_one_table(game, f"hold+{name}:a=2+random") == ("hold", f"{name}:a=2", "random")
    assert find_policy(game, name).name == "mine"
    ((text, *_),) = line_ups(game, [name])
    assert [Path(found["file"]).resolve() for found in FILES.finditer(text)] == [file]
    weights = file.with_name("w+x+y.toml")
    weights.write_text('policy = "hold"\n[weights]\nat = 9.0\n')
    text = f"hold@{weights.relative_to(tmp_path)}"
    assert at_one_table(game, f"{text}+random") == (text, "random") and find_policy(game, text).name


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("policy = 3", "not a weights file"),
        ('policy = "hold"\n[weights]\nat = "x"', "weights.at = x is not a finite number"),
        ('policy = "hold"\n[weights]\natt = 3', 'no weight "att"'),
        ('policy = "other"\n[weights]\nat = 3', "contains weights of other, not of hold"),
        ("policy = ", "cannot be read as TOML"),
        (f'policy = "hold"\n[weights]\nat = {"9" * 400}', "is not a finite number"),
        ('policy = "hold"\n[weights]\nat = nan', "is not a finite number"),
    ],
)
def test_a_broken_weights_file_is_named(tmp_path, text, said):
    path = tmp_path / "w.toml"
    path.write_text(text)
    with pytest.raises(PolicyError, match="w.toml.*" + said.replace("[", r"\[")):
        find_policy(load_game(PIG), f"hold@{path}")
    with pytest.raises(PolicyError, match="no such weights file"):
        find_policy(load_game(PIG), f"hold@{tmp_path / 'none.toml'}")


SHIPPED = {"itter": {"garrison": {"novice"}}, "castle": {"steward": {"two"}}, "rampage": {"tactician": {"standard"}}}


@pytest.mark.parametrize("name", SHIPPED)
def test_weights_that_come_with_a_policy_say_how_they_were_made(name):
    game = load_game(name)
    for policy, expected in SHIPPED[name].items():
        plain = find_policy(game, policy)
        there = shipped(plain)
        assert expected <= set(there)
        for weights, path in there.items():
            document = tomllib.loads(path.read_text(encoding="utf-8"))
            assert (
                document["command"].startswith(f"bartizan train {name} ")
                and document["checked"]
                and document["behaviour"] == game.behaviour
            )
            player = find_policy(game, f"{policy}@{weights}")
            assert (
                player.weights == plain.weights | document["weights"] != plain.weights
                and player.name == f"{policy}@{weights}"
            )


def test_a_near_name_of_shipped_weights_is_offered():
    game = load_game("itter")
    with pytest.raises(PolicyError, match='garrison@novic: no such weights; did you mean "novice"'):
        find_policy(game, "garrison@novic")


def test_what_is_written_is_read_back():
    document = {
        "policy": "hold",
        "levels": ["a b", "ü"],
        "progress": [[0.5, 1e-05], [-3.0, 2.25]],
        "weights": {"at": 20.0, "odd name": -1e-07},
    }
    assert tomllib.loads(text_of(document)) == document
    assert np.isfinite(document["weights"]["at"])


def test_the_next_command_seats_the_trained_player_beside_the_others(tmp_path):
    """In a game of alike seats two `--policy` would be two line-ups."""
    alike, out = ROOT / "examples" / "short" / "pig.py", tmp_path / "hold.toml"
    quick = ("--generations", 1, "--games", 64, "--fresh", 100)
    said = bartizan("train", alike, "--policy", "steady+random", *quick, "-o", out, "--json")
    program, command, *words = shlex.split(said.json["next"])
    played = bartizan(command, *words, "--games", 10, "--json").json
    assert program == "bartizan" and played["policies"] == [f"steady@{out.name}", "random"]
