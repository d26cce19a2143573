"""Each command does what CLI.md says: keys, digests, exit codes."""

import json
import re
import subprocess
import sys

import polars as pl
import pytest

from tests.cli.run_cli import PIG, ROOT, RUIN, bartizan

KEYS = {
    "schema", "game", "scenario", "scenario_hash", "difficulty", "policies", "games", "seed", "jobs",
    "wins", "draws", "losses", "capped", "win_rate", "score", "tiers",
    "end_reasons", "turns", "means", "plies", "seconds", "games_per_second", "digest", "assumed",
}  # fmt: skip


def run(*args):
    result = bartizan("run", *args, "--json")
    assert result.code == 0, result.err
    return result.json


def test_help_is_light():
    code = (
        "import sys, cli; sys.argv = ['bartizan', '--help']\ntry: cli.main()\nexcept SystemExit: pass\n"
        "print([m for m in ('numba', 'numpy', 'polars', 'pandas', 'pydantic') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.strip().endswith("[]")
    for command in ("describe", "run", "report", "trace", "check", "doctor"):
        assert f"  {command} " in done.stdout


def test_another_process_plays_the_same_and_loads_nothing_that_draws():
    """A second and more of imports: matplotlib and scipy.stats are loaded by whoever draws."""
    asked = (PIG, "--games", 3000, "--seed", 9)
    words = ["bartizan", "run", *map(str, asked), "--json", "--jobs", "2"]
    heavy = ("matplotlib", "scipy.stats", "scipy.optimize", "jinja2")
    code = (
        f"import sys, cli; sys.argv = {words}\ntry: cli.main()\nexcept SystemExit: pass\n"
        f"print([m for m in {heavy} if m in sys.modules], file=sys.stderr)"
    )
    there = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert there.stderr.splitlines()[-1] == "[]"
    assert (
        json.loads(there.stdout)["digest"] == run(*asked)["digest"] != run(PIG, "--games", 3000, "--seed", 10)["digest"]
    )


def test_run_json_of_itter():
    one = run("itter", "--difficulty", "novice", "--policy", "fight", "--games", 5000, "--seed", 1, "--jobs", 1)
    two = run("itter", "--difficulty", "novice", "--policy", "fight", "--games", 5000, "--seed", 1, "--jobs", 2)
    assert set(one) >= KEYS and one["schema"] == "bartizan.run/1"
    assert one["digest"] == two["digest"]
    assert one["wins"] + one["draws"] + one["losses"] + one["capped"] == one["games"] == 5000
    assert set(one["win_rate"]) >= {"estimate", "low", "high", "level", "method"}
    assert set(one["score"]["quantiles"]) == {"5", "25", "50", "75", "95"}
    assert sum(one["tiers"].values()) == 5000 == sum(one["end_reasons"].values())
    for column in ("casualties", "counters_left", "disruptions", "suppressed", "placed", "breaches", "turn"):
        assert set(one["means"][column]) >= {"mean", "se"}
    survived = one["end_reasons"]["deck ran out"] + one["end_reasons"]["relieved by the 142nd"]
    assert 0.02 < survived / 5000 < 0.07  # fight survives about one Novice game in twenty
    assert one["assumed"] == 48


def test_seats_of_a_game_for_two():
    document = run(PIG, "--games", 4000, "--policy", "first=hold:at=25", "--policy", "second=random")
    assert [(seat["role"], seat["policy"]) for seat in document["seats"]] == [
        ("first", "hold:at=25"),
        ("second", "random"),
    ]
    assert sum(seat["wins"] for seat in document["seats"]) == 4000
    assert document["policy_weights"][0] == {"at": 25.0}


def test_set_changes_what_is_played():
    base, short = run(PIG, "--games", 2000), run(PIG, "--games", 2000, "--set", "goal.points=50")
    assert base["scenario_hash"] != short["scenario_hash"]
    assert short["turns"]["mean"] < base["turns"]["mean"]
    assert short["overrides"] == {"goal.points": 50}


def test_precision_stops_early_and_alike_for_any_jobs():
    documents = [run(RUIN, "--games", 400_000, "--precision", "1pp", "--jobs", jobs) for jobs in (1, 2)]
    assert documents[0]["games"] == documents[1]["games"] < 60_000
    assert documents[0]["digest"] == documents[1]["digest"]
    rate = documents[0]["win_rate"]
    assert rate["high"] - rate["low"] <= 0.02 and "sequence" in rate["method"].lower()
    assert rate["low"] < 0.4012995 < rate["high"]


@pytest.fixture(scope="module")
def swept(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sweep") / "results"
    result = bartizan("sweep", PIG, "--policy hold --policy random --set goal.points=50,100 --games 2000 -o", folder)
    assert result.code == 0, result.err
    return folder


def test_sweep_plays_every_combination(swept):
    manifest = json.loads((swept / "manifest.json").read_text())
    assert [cell["id"] for cell in manifest["cells"]] == [
        "hold.points=50",
        "hold.points=100",
        "random.points=50",
        "random.points=100",
    ]
    rows = pl.read_parquet(swept / "cells" / "hold.points-50" / "00000.parquet")
    assert rows["game"].to_list() == list(range(2000))


@pytest.mark.parametrize("suffix", [".html", ".md", ".json"])
def test_report_by_suffix(swept, tmp_path, suffix):
    path = tmp_path / f"report{suffix}"
    assert bartizan("report", swept, "-o", path).code == 0
    text = path.read_text(encoding="utf-8")
    assert len(text) > 1000
    if suffix == ".html":
        assert not any(f'{attribute}="http' in text for attribute in ("src", "href"))


def test_verify_plays_a_shard_again(swept):
    result = bartizan("verify", swept)
    assert result.code == 0, result.err
    assert "files match SHA256SUMS" in result.out and result.out.count("simulated again: identical") == 4


def test_verify_and_trace_agree_with_the_shard(tmp_path):
    folder = tmp_path / "itter"
    assert bartizan("sweep", "itter", "--difficulty elite --policy fight --games 300 --seed 4 -o", folder).code == 0
    verified = bartizan("verify", folder)
    assert verified.code == 0 and "simulated again: identical" in verified.out
    row = pl.read_parquet(next(folder.rglob("00000.parquet"))).row(7, named=True)
    result = bartizan("trace", "itter", "--difficulty elite --policy fight --seed 4 --game 7")
    traced, log = result.json, result.out
    record = {key: value for key, value in traced["record"].items() if key != "score"}
    assert record == {key: value for key, value in row.items() if key != "score"}
    assert len(traced["plies"]) == row["plies"]
    assert "== turn 2" in log and "SS card" in log and "end: " in log


def test_what_there_is():
    assert "itter" in bartizan("games").out
    listed = bartizan("policies", "itter", "--json").json["policies"]
    assert [p["policy"] for p in listed] == [
        "random",
        "newcomer",
        "greedy",
        "garrison",
        "sentinel",
        "commander",
        "idle",
        "drill",
        "fight",
    ]
    described = bartizan("describe", "itter", "--json").json
    assert len(described["knobs"]) > 800 and len(described["rulings"]) == 66
    knobs = bartizan("describe", "itter", "--knobs").out
    assert "ss_counter.rifleman.defence = 3    [1 .. 6]" in knobs
    assert "rulings.tokens_persist" in bartizan("describe", "itter", "--rulings").out


def test_describe_names_the_text_behind_a_scenario_and_seats_who_plays():
    solo = bartizan("describe", "itter").out
    assert "rules: the published rulebook" in solo
    assert "Next: bartizan run itter --difficulty novice --policy sentinel --games" in solo
    v02 = bartizan("describe", "itter", "--scenario", "playtest-v0.2")
    assert "rules: rulebook v0.2 of April 2016" in v02.out
    assert "run itter --scenario playtest-v0.2 --difficulty normal --policy garrison" in v02.out
    assert v02.json["rules_source"].startswith("rulebook v0.2")
    two = bartizan("describe", "itter", "--scenario", "competitive").out
    assert "--policy defender=garrison --policy ss=commander" in two


def test_levels_of_victory_are_named(tmp_path):
    """5.0c: epic, major, minor victory or draw beside the award: in the text, the document, the manifest and
    the log of one game.
    """
    folder = tmp_path / "kept"
    document = run("itter", "--policy", "garrison", "--games", 200, "-o", folder)
    assert document["tier_levels"]["Silver Star"] == "minor victory"
    assert document["tier_levels"].keys() == document["tiers"].keys() - {"lost"}
    assert json.loads((folder / "manifest.json").read_text())["cells"][0]["tier_levels"] == document["tier_levels"]
    assert "Silver Star (minor victory) " in bartizan("run", "itter", "--policy", "garrison", "--games", 200).out
    games = pl.read_parquet(next(folder.rglob("*.parquet")))
    number = games.filter(pl.col("score").is_between(10, 19))["game"][0]
    traced = bartizan("trace", "itter", "--policy", "garrison", "--game", number)
    assert (traced.json["tier"], traced.json["tier_level"]) == ("Silver Star", "minor victory")
    assert "; Silver Star, minor victory; " in traced.out.splitlines()[-1]
    lost = bartizan(
        "trace", "itter", "--policy garrison --game", games.filter(pl.col("score").is_null())["game"][0], "--json"
    ).json
    assert "tier" not in lost and "tier_level" not in lost
    report = tmp_path / "page.html"
    assert bartizan("report", folder, "-o", report).code == 0
    assert "Silver Star, minor victory (10–19)" in report.read_text()


def test_no_draw_is_called_a_victory(tmp_path):
    """Under a changed victory rule a Bronze Star may be a draw: its level of victory is said nowhere, that of
    others is.
    """
    changed = ("--policy", "garrison", "--games", 300, "--set", "victory.min_score=5")
    result = bartizan("run", "itter", *changed)
    assert "Silver Star (minor victory) " in result.out and "Bronze Star (" not in result.out
    assert "none (draw) " in result.out
    levels = run("itter", *changed, "-o", tmp_path / "kept")["tier_levels"]
    assert "Bronze Star" not in levels and levels["Silver Star"] == "minor victory"
    games = pl.read_parquet(next((tmp_path / "kept").rglob("*.parquet")))
    low = games.filter(pl.col("score").is_between(1, 4))["game"][0]
    traced = bartizan("trace", "itter", *changed[:2], *changed[4:], "--game", low, "--json").json
    assert (traced["record"]["winner"], traced["tier"], traced["tier_level"]) == (-1, "Bronze Star", "")
    assert bartizan("sweep", "itter", *changed[:4], "--set", "victory.min_score=1,5", "-o", tmp_path / "both").code == 0
    assert bartizan("report", tmp_path / "both", "-o", tmp_path / "page.html").code == 0
    page = (tmp_path / "page.html").read_text()
    assert "Silver Star, minor victory (10–19)" in page and "Bronze Star (1–9)" in page
    assert "Bronze Star, minor victory (" not in page


def test_veteran_results_name_their_tactics_set():
    for reading, words in {
        "assumed_set": "the assumed set",
        "blank": "blank",
        "barrage_only": "Barrage alone",
        "assumed_doubled": "doubled",
    }.items():
        document = run("itter", "--difficulty veteran --policy idle --games 100 --set", f"rulings.focus_fire={reading}")
        assert any(line.startswith("Tactics: ") and words in line for line in document["assumptions"])
    assert not any("Tactics" in line for line in run("itter", "--policy", "idle", "--games", 100)["assumptions"])


def test_dry_run_plays_nothing(tmp_path):
    result = bartizan("sweep", PIG, "--set goal.points=50,100 --games 1000 --dry-run --json -o", tmp_path / "none")
    assert result.json["games"] == 2000 and len(result.json["cells"]) == 2
    assert not (tmp_path / "none").exists()


def test_a_plan_file(tmp_path):
    plan = tmp_path / "plan.toml"
    plan.write_text(
        f'game = "{PIG}"\ngames = 500\nseed = 3\n[[cells]]\npolicy = ["hold", "random"]\n'
        '[[cells]]\npolicy = "hold"\nset = { "goal.points" = 30 }\n'
    )
    result = bartizan("sweep", plan, "-o", tmp_path / "out", "--json")
    assert result.code == 0, result.err
    assert [cell["games"] for cell in result.json["cells"]] == [500, 500, 500]


def test_check_and_doctor(tmp_path):
    house = tmp_path / "house.toml"
    house.write_text('extends = "published"\nname = "house"\n')
    result = bartizan("check", house)
    assert result.code == 2 and "such as game = " in result.err, "two games have a scenario of that name"
    house.write_text('game = "itter"\nextends = "published"\nname = "house"\n')
    assert bartizan("check", house).out.count("ok  ") == 3
    assert bartizan("doctor", "--json").json["compiles"] is True


def test_run_says_what_a_seat_is_worth_and_which_player_is_which():
    """Only where one policy sits in every seat: else seat and player are mixed. Weights are part of a name."""
    alike = bartizan("run", PIG, "--games", 20_000)
    assert re.search(r"  seats    the first of 2 seats wins .* more than an equal share\n", alike.out)
    shares = json.loads(bartizan("run", PIG, "--games", 2000, "--json").out)["seat_advantage"]
    assert shares["same_policy_everywhere"] and shares["fair_share"] == 0.5 and len(shares["seats"]) == 2
    unlike = bartizan("run", PIG, "--games", 200, "--policy", "first=hold:at=25", "--policy", "second=hold")
    assert "  seats  " not in unlike.out and "hold:at=25 vs hold: 200 games" in unlike.out
