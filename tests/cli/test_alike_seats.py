"""Alike seats on the command line, with Pig: line-ups, rotations, and the report they end in."""

import json
import re
import subprocess
import sys

import pytest

from bartizan.reports.views.run import players_of
from tests.cli.run_cli import PIG, ROOT, bartizan, error_line

PIG_AT = "hold:at=25+hold:at=20"


def test_run_counts_wins_for_each_seat():
    result = bartizan("run", PIG, "--policy", "hold", "--policy", "random", "--games", 2000, "--json")
    assert result.code == 0, result.err
    document = result.json
    assert [(seat["seat"], seat["role"], seat["policy"]) for seat in document["seats"]] == [
        (0, "first", "hold"),
        (1, "second", "random"),
    ]
    assert document["seats"][0]["wins"] == document["wins"] > 1900
    assert sum(seat["wins"] for seat in document["seats"]) == document["games"] == 2000
    assert document["cell"] == "hold-random"


def test_a_share_that_ignores_draws_says_so(tmp_path):
    """A page said `of the games`: 67 % where 59 % of all games were won."""
    game, folder = ROOT / "examples/short/tic_tac_toe.py", tmp_path / "out"
    said = bartizan("run", game, "--policy random --games 400 -o", folder).out
    bartizan("report", folder, "-o", tmp_path / "report.md")
    for text in (said, (tmp_path / "report.md").read_text(encoding="utf-8")):
        assert re.search(r"he first of 2 seats wins \d+\s% of the games with a winner", text)


def test_a_mean_over_fewer_games_names_them(tmp_path):
    """A margin needs a winner on both sides: the mean before the change is not that of all games."""
    game, folder = ROOT / "examples/short/no_thanks.py", tmp_path / "out"
    said = bartizan("compare", game, "--change policy=newcomer --games 60 -o", folder).out
    counted = int(re.search(r"Score margin of the winner\s+(\d+)", said)[1])
    assert counted < 60 and "Score margin of the winner is over the games that have a value on both sides" in said
    bartizan("report", folder, "-o", tmp_path / "report.md")
    page = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert re.search(rf"margin of the winner [^;]* after in the {counted} games with a winner on both sides", page)


def test_a_seat_without_a_player_has_no_score(tmp_path):
    game, folder = ROOT / "examples/short/no_thanks.py", tmp_path / "out"
    result = bartizan("run", game, "--players 3 --games 50 --json -o", folder)
    scores = {name for name in result.json["means"] if name.startswith("score_")}
    assert scores == {"score_0", "score_1", "score_2"}
    said = bartizan("trace", game, "--players 3 --seed 1").out
    assert "score of the third player" in said and "score_3" not in said
    bartizan("report", folder, "-o", tmp_path / "report.md")
    assert "score 3" not in (tmp_path / "report.md").read_text(encoding="utf-8")


def test_rotations_are_cells_with_readable_names(tmp_path):
    folder = tmp_path / "out"
    result = bartizan(
        "sweep", PIG, "--policy hold+random --policy hold --policy", PIG_AT, "--rotate --games 300 -o", folder, "--json"
    )
    assert result.code == 0, result.err
    assert [cell["cell"] for cell in result.json["cells"]] == [
        "hold-random",
        "random-hold",
        "hold",
        "hold_at=25-hold_at=20",
        "hold_at=20-hold_at=25",
    ]
    assert json.loads((folder / "manifest.json").read_text())["alike"] is True


def test_without_json_a_cell_says_which_player_sits_first():
    result = bartizan("run", PIG, "--policy", "hold+random", "--rotate", "--games", 100)
    one, other = (line for line in result.out.splitlines() if " wins " in line)
    assert "first (hold) wins" in one and "first (random) wins" in other


REFUSED = [
    (
        ["run", PIG, "--policy", "hold", "--policy", "random", "--policy", "hold"],
        "3 policies are given (hold, random, hold) for 2 seats",
    ),
    (
        ["sweep", PIG, "--policy", "hold+random+hold", "-o", "none"],
        "3 policies are given (hold, random, hold) for 2 seats",
    ),
    (
        ["sweep", "castle", "--players", "3", "--policy", "plain+random", "-o", "none"],
        "2 policies are given (plain, random) for 3 seats; give one for each seat, such as --policy plain+random+random",
    ),
    (["sweep", PIG, "--policy", "hold+", "-o", "none"], 'did you mean "hold"'),
    (
        ["sweep", "colditz", "--policy", "random", "--rotate", "-o", "none"],
        "the seats of colditz are not identical (allied, german)",
    ),
    (
        ["sweep", "itter", "--policy", "random", "--rotate", "-o", "none"],
        "the seats of itter are not identical (defender, ss)",
    ),
]


@pytest.mark.parametrize(("args", "says"), REFUSED, ids=[" ".join(args[:1] + args[2:]) for args, _ in REFUSED])
def test_refused_with_one_line(args, says, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = bartizan(*args, "--games", 10)
    assert result.code == 2
    assert says in error_line(result)
    assert "--players" not in result.err or args[1] == "castle"  # Pig is for two
    assert not (tmp_path / "none").exists()


@pytest.fixture(scope="module")
def swept(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pig") / "results"
    result = bartizan(
        "sweep", PIG, "--policy", PIG_AT, "--policy hold --rotate --set goal.points=50,100 --games 4000 -o", folder
    )
    assert result.code == 0, result.err
    return folder


def test_a_report_says_what_a_seat_is_worth_and_who_plays_better(swept, tmp_path):
    assert bartizan("report", swept, "-o", tmp_path / "report.html").code == 0
    page = (tmp_path / "report.html").read_text(encoding="utf-8").replace("\u00a0", " ")
    for part in (
        "Going first is an advantage",
        "hold:at=25 plays better than hold",
        "a goal of 50 points instead of a goal of 100 points",
        "rotated seats",
        "Pairing factor",
        "equal share",
    ):
        assert part.lower() in page.lower(), part
    assert "Who wins, how" not in page and "surviv" not in page


def test_its_numbers_are_those_of_the_records(swept, tmp_path):
    assert bartizan("report", swept, "-o", tmp_path / "report.json").code == 0
    document = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    cells = {cell["id"]: cell for cell in document["cells"]}
    for skill in document["skill"]:
        for policy in skill["policies"]:
            seats = [
                seat
                for name in skill["cells"]
                for seat, at in zip(cells[name]["seat_advantage"]["seats"], cells[name]["policies"])
                if at["name"] == policy["policy"]
            ]
            assert policy["wins"] == sum(seat["wins"] for seat in seats) and len(seats) == 2
            assert policy["share"]["estimate"] == pytest.approx(policy["wins"] / 8000)
    assert {(found["path"], found["value"], found["base_value"]) for found in document["effects"]} == {
        ("goal.points", 50, 100)
    }, "against the published value"
    for comparison in document["effects"]:
        base, changed = ([cells[name] for name in comparison["cells"][side]] for side in ("base", "changed"))
        length = next(effect for effect in comparison["effects"] if effect["measure"] == "turn")
        means = [sum(cell["turns"]["mean"] for cell in side) / len(side) for side in (base, changed)]
        assert length["difference"]["estimate"] == pytest.approx(means[1] - means[0])
        assert length["pairing_factor"] > 1.5  # the same dice: the paired difference is much better known


def test_a_report_loads_nothing_that_plays_and_nothing_that_draws_paper(tmp_path):
    """Half of the time of a page was imports."""
    assert bartizan("run", PIG, "--games", 50, "-o", tmp_path / "out").code == 0
    words = ["bartizan", "report", str(tmp_path / "out"), "-o", str(tmp_path / "report.html")]
    code = f"import sys, cli; sys.argv = {words}\ntry: cli.main()\nexcept SystemExit: pass\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert (tmp_path / "report.html").exists()
    assert not {"numba", "matplotlib", "seaborn", "scipy.stats", "scipy.optimize"} & set(loaded)
    assert not [name for name in loaded if name.startswith("bartizan.analyses.experiments.")]


def test_policies_of_one_name_from_two_files_are_told_apart():
    """They had the same name on the screen, as if the seats made the difference."""
    d = {"policies": ["mine", "mine"], "policy_weights": [{}, {}], "policy_sources": ["12345678", "87654321"]}
    assert players_of(d) == ["mine (code 123456)", "mine (code 876543)"]
    assert players_of(d | {"policy_sources": ["12345678"] * 2}) == ["mine", "mine"]
