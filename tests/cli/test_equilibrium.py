"""`bartizan equilibrium`: a known value is found; the same file whoever interrupts it; what is refused."""

import json

import pytest

from bartizan.analyses.experiments.equilibrium import DoubleOracle
from tests.cli.run_cli import PIG, ROOT, RUIN, bartizan, error_line, tree

DOORS = str(ROOT / "tests/games/two_doors/two_doors.py")
VALUE = 0.68 / 1.2  # of Two doors
QUICK = ("--generations", 3, "--games", 100, "--fresh", 300)


def hunt(*words, game=DOORS, volume=QUICK):
    return bartizan("equilibrium", game, *volume, *words)


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    out = tmp_path_factory.mktemp("equilibrium") / "doors.json"
    volume = ("--rounds", 8, "--generations", 5, "--games", 1000, "--fresh", 2000)
    result = hunt("--jobs", 1, "-o", out, "--json", volume=volume)
    assert result.code == 0, result.err
    return out, result.json, hunt("-o", out, volume=volume)


def test_a_known_value_is_found(found):
    """From two players who both go left nine times in ten."""
    _, d, _ = found
    assert d["schema"] == "bartizan.equilibrium/1" and d["roles"] == ["hider", "seeker"]
    assert d["value"]["low"] < VALUE < d["value"]["high"] and d["value"]["high"] - d["value"]["low"] < 0.06
    assert d["rounds"][0]["value"]["high"] < 0.4, "where it began"
    assert d["settled"] and d["gap"][0] <= d["value"]["estimate"] <= d["gap"][1] < d["gap"][0] + 0.05
    for role in d["roles"]:
        assert sum(d["mixtures"][role].values()) == pytest.approx(1, abs=0.002) and len(d["mixtures"][role]) > 1
    assert sum(d["shares"].values()) == pytest.approx(1) and d["shares"]["drawn"] > 0.1
    assert all(row["games"] == 1000 and row["share"]["method"] for row in d["table"])
    assert "ends" not in json.dumps(d["table"])


def test_the_text_says_the_value_first(found):
    _, d, again = found
    first, *rest = again.out.replace("\u00a0", " ").splitlines()
    assert first.startswith("Two doors: Hider wins ") and "between the best players found" in first
    assert "rounds of training changed the value by" in first and first == d["sentence"].replace("\u00a0", " ")
    assert any(line.startswith("Round 1") and "joins" in line for line in rest)
    assert any("Neither side's newest best response has a significant gain." in line for line in rest)


def test_weights_that_were_found_can_be_played(found):
    out, d, again = found
    files = sorted(path.name for path in out.parent.glob("*.toml"))
    trained = [(role, one["round"]) for role in d["roles"] for one in d["pools"][role] if one["round"]]
    assert files == sorted(f"doors-{role}-{number}.toml" for role, number in trained)
    following = again.out[again.out.index("next: bartizan ") :].splitlines()[0].split()[2:]
    assert any("@" in word for word in following)
    assert bartizan(*following, "--games", 50).code == 0


def test_a_finished_file_is_not_played_again(found):
    out, _, again = found
    assert again.code == 0 and json.loads(out.read_text(encoding="utf-8"))["progress"] == []


def test_interrupted_anywhere_and_resumed_on_other_threads_is_the_same(tmp_path, monkeypatch):
    """After every piece that is kept: a pair, a generation, a response, a round; then one round more."""
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    whole.mkdir(), parts.mkdir()
    assert hunt("--rounds", 2, "--jobs", 1, "-o", whole / "d.json").code == 0
    real, left = DoubleOracle.__init__, 0

    def interrupted(self, standoff, hunted, source, keep):
        def stop():
            nonlocal left
            keep()
            left -= 1
            if left < 0:
                raise KeyboardInterrupt

        real(self, standoff, hunted, source, stop)

    stops = 0
    with monkeypatch.context() as patch:
        patch.setattr(DoubleOracle, "__init__", interrupted)
        for left in (0, 0, 1, 2, 3, 1, 0):  # noqa: B007
            stops += hunt("--rounds", 1, "--jobs", 2, "-o", parts / "d.json").code != 0
    assert stops > 3
    assert hunt("--rounds", 1, "--jobs", 2, "-o", parts / "d.json").code == 0
    assert tree(parts) != tree(whole)
    assert hunt("--rounds", 2, "--jobs", 2, "-o", parts / "d.json").code == 0
    assert tree(parts) == tree(whole)


def test_a_draw_counts_what_it_is_said_to_count():
    """Among the two who begin: the hider wins a quarter; behind the right door he also draws. The value is of
    fresh games.
    """
    none, half = (hunt("--rounds", 1, "--draw", draw, "--json").json for draw in (0, 0.5))
    (row,) = none["table"]
    ends = none["rounds"][0]["ends"]
    assert sum(ends.values()) == 300 and ends["drawn"] and row["games"] == 100
    assert none["value"]["estimate"] == pytest.approx(ends["won"] / 300)
    assert half["value"]["estimate"] == pytest.approx((ends["won"] + ends["drawn"] / 2) / 300)
    assert none["shares"]["drawn"] == pytest.approx(ends["drawn"] / 300)
    assert "scores (a draw counts 0.5)" in half["sentence"]


def test_weights_may_be_kept_without_the_rest(tmp_path):
    d = hunt("--rounds", 1, "--weights", tmp_path, "--json").json
    names = [f"two_doors-{role}-1.toml" for role, one in d["rounds"][0]["responses"].items() if one["joins"]]
    assert names and sorted(tree(tmp_path)) == sorted(names)
    assert bartizan("run", DOORS, "--policy", f"hider=lean@{tmp_path / names[0]}", "--games", 20).code == 0


def test_policies_that_are_named_stand_beside_the_default():
    d = hunt("--rounds", 1, "--policy", "seeker=lean:left=0.1", "--policy", "random", "--json").json
    assert [one["name"] for one in d["pools"]["seeker"]][:3] == ["lean", "lean:left=0.1", "random"]
    assert len(d["table"]) == 2 * 3
    assert d["rounds"][0]["responses"]["hider"]["begins"] == "lean"


@pytest.mark.parametrize(
    ("game", "words", "said"),
    [
        (PIG, (), "all seats of Pig have the same role"),
        (RUIN, (), "has one side, player"),
        (
            "itter",
            (),
            "has one side, defender (another --scenario may have two sides: defender and ss). To search for "
            "better play, run: bartizan train itter",
        ),
        (DOORS, ("--policy", "finder=lean"), 'no role "finder"'),
        (DOORS, ("--policy", "hider=leen"), 'did you mean "lean"'),
        (DOORS, ("--draw", 2), "--draw"),
        (DOORS, ("-o", "there.txt"), "use a .json file"),
        (DOORS, ("--weights", "nowhere"), "--weights nowhere: no such folder"),
    ],
)
def test_what_is_refused(game, words, said):
    result = hunt(*words, game=game)
    assert result.code == 2 and said in error_line(result)


def test_a_side_that_cannot_be_trained_is_refused(tmp_path):
    lazy = tmp_path / "lazy.py"
    source = (ROOT / "tests/games/two_doors/two_doors.py").read_text(encoding="utf-8")
    lazy.write_text(
        source.replace('default_policy="lean"', 'defaults={"hider": "lean"}').replace(
            "Path(__file__).parent /", f"Path({str(ROOT / 'tests/games/two_doors')!r}) /"
        ),
        encoding="utf-8",
    )
    assert "no best response of seeker can be trained, because random has no weights" in error_line(hunt(game=lazy))
    assert hunt("--policy", "seeker=lean", "--rounds", 1, game=lazy).code == 0


def test_a_file_of_another_question_is_not_written_over(tmp_path):
    out = tmp_path / "d.json"
    assert hunt("--rounds", 2, "-o", out).code == 0
    before = out.read_bytes()
    other = hunt("--rounds", 2, "--seed", 2, "-o", out)
    assert other.code == 2 and "contains another equilibrium (seed, command differ)" in error_line(other)
    fewer = hunt("--rounds", 1, "-o", out)
    assert fewer.code == 2 and "contains 2 rounds; set --rounds to at least this number" in error_line(fewer)
    assert out.read_bytes() == before
    out.write_text("{}", encoding="utf-8")
    assert "did not write this file" in error_line(hunt("-o", out))


def test_what_ships_is_shown_at_once_and_anything_about_playing_plays():
    """No option says who plays or how much: the equilibrium that comes with the game, and how to play it anew."""
    result = bartizan("equilibrium", "colditz", "--players", 3)
    assert result.code == 0 and "nothing was simulated" in result.err
    assert result.out.startswith("Escape from Colditz") and "between the best players found" in result.out
    assert "next: bartizan equilibrium colditz --players 3 -o colditz.json" in result.out
    document = result.json
    assert document["overrides"] == {"players.allied": 3} and document["sentence"] and document["value"]["method"]
    played = bartizan("equilibrium", "colditz", "--players", 3, "--policy", "allied=nobody")
    assert "nothing was simulated" not in played.err and "nobody" in error_line(played)
