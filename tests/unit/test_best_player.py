"""Who plays when nobody is named: the best of the archive under that scenario, level and number of players."""

import re
import shutil
from pathlib import Path

import pytest

from bartizan.analyses.records import brackets
from bartizan.api.answers.bracket import RungSeat, seats_of
from bartizan.api.answers.compare import sides_of
from bartizan.api.answers.sweep import plan_of_file, plan_of_request
from bartizan.api.effort import Effort, scenarios_at
from bartizan.api.questions.skill import BracketQuestion
from bartizan.policies import archive
from bartizan.policies.gym import match_of
from bartizan.policies.registry import find_policy
from bartizan.policies.request import Request, best_player
from bartizan.simcore.conformance import each_scenario
from bartizan.simcore.errors import UsageError
from bartizan.simcore.game import game_names, load_game
from bartizan.simcore.scenario.loading import load_scenario
from tests.cli.run_cli import PIG, bartizan

EFFORT = Effort(10, 1)
INTERVAL = 'estimate = 0.1\nlow = 0.0\nhigh = 0.2\nlevel = 0.95\nmethod = "x"'


def seated(named, **asked) -> set[str]:
    """The players at the table."""
    request = Request(str(named), **asked)
    return set(request.game.seated(request.loaded, request.line_up("one")))


def entry(policy: str, **changes) -> str:
    said = {
        "scenario": "standard",
        "difficulty": "standard",
        "role": "",
        "policy": policy,
        "before": "hold",
        "opponent": "hold",
        "found": "2026-11-24",
        "command": "x",
        "method": "x",
        "scenario_hash": "x",
        **changes,
    }
    lines = "".join(f'{key} = "{value}"\n' for key, value in said.items())
    head = f"[[best]]\n{lines}behaviour = 1\nseed = 7\npairs = 9\n\n"
    return f"{head}[best.win_rate]\n{INTERVAL}\n\n[best.margin]\n{INTERVAL}\n\n"


# ---------------------------------------------------------------- a level, a number of players


@pytest.mark.parametrize(
    ("game", "asked", "best"),
    [
        ("itter", {}, "sentinel"),
        ("itter", {"difficulty": "elite"}, "sentinel"),
        ("itter", {"scenario": "playtest-v0.2"}, "garrison"),
        ("rampage", {}, "tactician@standard2"),
        ("castle", {"players": 2}, "steward@two"),
        ("castle", {"sets": {"players.count": "2"}}, "steward@two"),
        ("castle", {"players": 3}, "steward"),
        ("castle", {"players": 4}, "steward"),
    ],
)
def test_who_is_not_named_is_the_best_of_the_level_and_the_number_of_players(game, asked, best):
    assert seated(game, **asked) == {best}


@pytest.mark.parametrize(
    ("asked", "best"),
    [
        ({}, "garrison@novice"),
        ({"sets": {"difficulty": "novice"}}, "garrison@novice"),
        ({"difficulty": "veteran"}, "garrison"),
        ({"difficulty": "elite"}, "garrison"),
    ],
)
def test_each_level_has_its_own(by_level, asked, best):
    assert seated("itter", **asked) == {best}


@pytest.mark.parametrize("name", game_names())
def test_every_scenario_that_ships_is_played_by_the_last_of_the_archive_that_is_quick(name):
    game, entries = load_game(name), archive.read(archive.file_of(name))
    for scenario in each_scenario(game):
        for role in game.roles_in(scenario):
            known = [
                one["policy"]
                for one in archive.of_seat(entries, game, scenario, role)
                if "lookahead" not in one["policy"]
            ]
            best = best_player(game, role, scenario)
            assert best == (known[-1] if known else game.default_for(role)) and find_policy(game, best)


def test_who_plays_unnamed_was_admitted_under_the_rules_and_numbers_of_today():
    assert all(row["is_current"] for row in bartizan("best", "--json").json["best"])


def test_the_other_seats_are_played_by_the_best_found_too():
    assert Request("rampage", policy=("second=rusher",)).line_up("one") == ("tactician@standard2", "rusher")
    assert seated("castle", players=2, policy=("first=raider",)) == {"raider", "steward@two"}
    assert [player.name for player in match_of("rampage", ["second=rusher"]).players] == [
        "tactician@standard2",
        "rusher",
    ]


def test_an_output_names_who_played():
    assert bartizan("run", "rampage", "--games", 20, "--json").json["policies"] == ["tactician@standard2"] * 2
    assert "--policy sentinel" in bartizan("describe", "itter").out
    assert "--policy garrison " in bartizan("describe", "itter", "--scenario", "playtest-v0.2").out


def test_the_archive_is_shown_for_every_number_of_players():
    found = [bartizan("best", "castle", *words, "--json").json["best"] for words in ((), ("--players", 3))]
    assert [[(row["players"], row["policy"]) for row in rows] for rows in found] == [
        [(2, "steward@two"), (3, "steward"), (4, "steward")],
        [(3, "steward")],
    ]
    assert re.search(r" 2 players +steward@two ", bartizan("best", "castle").out)


def test_an_admission_says_how_many_play(tmp_path):
    asked = ("best", "castle", "--players 3 --admit random --games 200 --archive", tmp_path / "mine.toml", "--json")
    document = bartizan(*asked).json
    assert (document["players"], document["before"], document["admitted"]) == (3, "steward", False)
    assert document["command"].endswith("--games 200 --players 3")
    assert ", 3 players: random is not admitted" in document["sentence"]


# ---------------------------------------------------------------- a changed scenario, one of one's own


def test_a_changed_scenario_is_played_by_the_best_of_the_one_that_is_changed(by_level):
    """Nobody was measured under it; another player on one side of a comparison would be a change of its own."""
    assert seated("itter", sets={"victory.min_score": "5"}) == {"garrison@novice"}
    assert seated("rampage", sets={"turn.draw": "3"}) == {"tactician@standard2"}
    assert seated("castle", players=2, sets={"advanced.berserker": "true"}) == {"steward@two"}


def test_a_scenario_of_ones_own_is_played_by_the_best_of_the_one_that_it_extends(tmp_path, by_level):
    mine, further = tmp_path / "mine.toml", tmp_path / "further.toml"
    mine.write_text('extends = "published"\nname = "mine"\n\n[victory]\nmin_score = 5\n', encoding="utf-8")
    further.write_text(f'extends = "{mine}"\nname = "further"\n\n[turn]\ndefender_actions = 5\n', encoding="utf-8")
    for path in (mine, further):
        assert seated("itter", scenario=str(path), difficulty="novice") == {"garrison@novice"}
        assert seated("itter", scenario=str(path), difficulty="elite") == {"garrison"}
    older = tmp_path / "older.toml"
    older.write_text('extends = "playtest-v0.2"\nname = "older"\n', encoding="utf-8")
    assert seated("itter", scenario=str(older)) == {"garrison"}


# ---------------------------------------------------------------- a game from outside


@pytest.fixture
def pig(tmp_path) -> Path:
    """A copy of the game that an archive may stand beside."""
    folder = tmp_path / "mine"
    shutil.copytree(Path(PIG).parent, folder)
    return folder / "pig.py"


def test_a_game_from_outside_is_played_as_it_declares(pig):
    assert seated(PIG) == seated(pig) == {"hold"}
    assert seated(PIG, sets={"goal.points": "30"}) == {"hold"}


def test_an_archive_beside_a_game_says_who_plays_it(pig, tmp_path):
    there = pig.with_suffix(".best.toml")
    there.write_text(entry("hold:at=22") + entry("hold:at=25"), encoding="utf-8")
    own = tmp_path / "own.toml"
    own.write_text('extends = "standard"\nname = "own"\n', encoding="utf-8")
    assert seated(pig) == seated(pig, scenario=str(own)) == {"hold:at=25"}
    there.write_text(there.read_text(encoding="utf-8") + entry("random", scenario="own"), encoding="utf-8")
    assert seated(pig) == {"hold:at=25"} and seated(pig, scenario=str(own)) == {"random"}


@pytest.mark.parametrize(
    "policy", ["lookahead:base=hold,plays=8", "stranger.py", "stranger.py:hold", "hold@stranger.toml"]
)
def test_who_looks_ahead_or_stands_in_a_file_plays_only_when_named(pig, policy):
    pig.with_suffix(".best.toml").write_text(entry("hold:at=22") + entry(policy), encoding="utf-8")
    assert seated(pig) == {"hold:at=22"}


def test_an_archive_whose_player_is_gone_is_found_by_check(pig):
    pig.with_suffix(".best.toml").write_text(entry("nobody"), encoding="utf-8")
    result = bartizan("check", pig)
    assert result.code == 2 and 'the default policy of the game: no policy "nobody"' in result.err


# ---------------------------------------------------------------- what is compared is played by one player


def sides(named, changes, policies=(), **asked) -> list[set[str]]:
    """The players of either side."""
    found = sides_of(Request(named, **asked), EFFORT, changes, policies=policies)
    return [{policy for cell in plan.cells for policy in cell.policies} for plan in found.plans]


def test_a_comparison_is_played_by_one_player_who_is_the_best_on_both_sides(by_level):
    assert sides("itter", {"victory.min_score": "5"}) == [{"garrison@novice"}] * 2
    assert sides("itter", {"difficulty": "elite"}) == [{"garrison"}] * 2
    assert sides("castle", {"players.count": "3"}, players=2) == [{"steward"}] * 2
    assert sides("itter", {}, ["garrison:omit=load"]) == [{"garrison@novice"}, {"garrison:omit=load"}]


def test_the_scale_of_people_has_one_player_at_all_levels(by_level):
    request = Request("itter")
    assert request.best()("defender") == "garrison@novice"
    assert request.best(*scenarios_at(request, request.loaded.model.difficulties()).values())("defender") == "garrison"


def test_each_cell_of_a_sweep_is_played_by_its_own_best(tmp_path, by_level):
    plan = plan_of_request(Request("itter"), ["novice", "elite"], {"turn.defender_actions": "4,5"}, EFFORT)
    assert [cell.policies for cell in plan.cells] == [("garrison@novice",)] * 2 + [("garrison",)] * 2
    counts = plan_of_request(Request("castle", policy=("first=raider",)), [], {"players.count": "2,3"}, EFFORT)
    assert [cell.policies for cell in counts.cells] == [("raider", "steward@two"), ("raider", "steward", "steward")]
    file = tmp_path / "plan.toml"
    file.write_text('game = "itter"\ngames = 10\nseed = 1\ndifficulty = ["novice", "elite"]\n', encoding="utf-8")
    assert [cell.policies for cell in plan_of_file(str(file), None, None, "").cells] == [
        ("garrison@novice",),
        ("garrison",),
    ]


# ---------------------------------------------------------------- what stays the declared policy


def test_a_bracket_is_measured_from_the_declared_policy_against_the_declared_policy():
    """The brackets that ship stay about the question that they were measured for."""
    for name in ("rampage", "castle", "colditz", "itter"):
        game, known = load_game(name), brackets.shipped(name)
        for seat in seats_of(Request(name), BracketQuestion(name)):
            assert {seat.default, *seat.opponents()} <= set(map(game.default_for, game.roles))
            (it,) = [one for one in known if one["scenario_hash"] == seat.scenario.hash and one["role"] == seat.role]
            assert it["opponents"] == seat.opponents()
            best = best_player(game, game.roles[seat.seat], seat.scenario)
            trained = [row["policy"] for row in it["rungs"] if row["rung"] == brackets.TRAINED]
            assert trained == ([best] if best != seat.default else []), "the rung of who plays unnamed is measured"


def test_entries_of_another_number_of_players_are_not_those_of_a_seat():
    game = load_game("castle")
    entries = [
        {"scenario": "published", "difficulty": "standard", "role": "", "policy": name, **more}
        for name, more in (("any", {}), ("two", {"players": 2}))
    ]
    found = {
        n: [
            one["policy"]
            for one in archive.of_seat(entries, game, load_scenario(game, None, None, {"players.count": n}), "second")
        ]
        for n in (2, 3)
    }
    assert found == {2: ["any", "two"], 3: ["any"]}


def test_entries_of_ones_own_scenario_go_before_those_of_the_one_it_extends(tmp_path):
    (tmp_path / "mine.toml").write_text('extends = "published"\nname = "mine"\n', encoding="utf-8")
    game = load_game("castle")
    scenario = load_scenario(game, str(tmp_path / "mine.toml"))
    entries = [
        {"scenario": name, "difficulty": "standard", "role": "", "policy": name} for name in ("published", "mine")
    ]
    assert archive.of_seat(entries, game, scenario, "second") == entries[1:]
    assert archive.of_seat(entries[:1], game, scenario, "second") == entries[:1]


def test_a_broken_archive_beside_a_game_is_refused_in_one_line(pig):
    pig.with_suffix(".best.toml").write_text("[[best]", encoding="utf-8")
    with pytest.raises(UsageError, match=r"best\.toml: cannot be read as TOML"):
        seated(pig)


def test_a_seat_of_a_bracket_says_what_the_game_declares():
    game = load_game("rampage")
    assert RungSeat(game, load_scenario(game), "", 1).default == "tactician"
