"""`playtest skill` and `report --plays`: how long a game takes, how long a player waits, and whether people learn."""

import json
from datetime import date, timedelta

import numpy as np
import pytest

from bartizan.analyses.people.log import LOG, frame_of
from bartizan.reports.views import people_skill
from tests.cli.run_cli import PIG, bartizan
from tests.cli.test_playtest_skill import QUICK, SECRETARY, answer, made_up


def timed(folder, game: str, plays: int = 40, seats: int = 1, trend: float = 0.0, minutes: float = 30.0):
    """A folder of dated plays that nobody played, by eight groups."""
    random, folder = np.random.default_rng(1), folder
    folder.mkdir()
    rows = [
        {
            "play_id": f"p{i:03}",
            "source": "sheet.csv",
            "game": game,
            "player_key": f"tester {i % 8}, {seat}",
            "seat": seat,
            "players": seats,
            "result": "win" if random.random() < 1 / (1 + np.exp(1 - trend * np.log2(1 + i // 8))) else "loss",
            "minutes": minutes * np.exp(0.1 * random.standard_normal()),
            "date": date(2026, 9, 1) + timedelta(days=i),
            "kept": True,
            "row": i + 2,
        }
        for i in range(plays)
        for seat in range(1, seats + 1)
    ]
    frame_of(rows).write_parquet(folder / LOG)
    return folder


@pytest.fixture(scope="module")
def contested(tmp_path_factory):
    """Pig for two, 20 minutes a game, as a report."""
    there = tmp_path_factory.mktemp("minutes")
    assert bartizan("sweep", PIG, "--games", 200, "-o", there / "out").code == 0
    plays = timed(there / "plays", "pig", seats=2, minutes=20.0)
    result = bartizan("report", there / "out", "--plays", plays, "-o", there / "r.html")
    assert result.code == 0, result.err
    return there


def kept(there) -> dict:
    (path,) = (there / "out" / "answers").iterdir()
    return json.loads(path.read_text(encoding="utf-8"))["answer"]


def test_people_against_people_wait(contested):
    minutes = kept(contested)["minutes"]
    assert minutes["plays"] == 40 and minutes["groups"] == 8 and minutes["players"] == 2
    (level,) = minutes["levels"]
    assert level["mean"]["low"] < 20 < level["mean"]["high"] and level["mean"]["level"] == 0.95
    assert level["mean"]["method"]
    assert level["one_game"]["low"] < level["mean"]["low"] and level["one_game"]["level"] == 0.9
    assert minutes["turns_from"] == "hold", "no play has its turns"
    assert minutes["wait"]["estimate"] == pytest.approx(minutes["own_turn"]["estimate"], rel=0.1), "two take turns"


def test_the_first_page_says_how_long_a_game_takes(contested):
    page = (contested / "r.html").read_text(encoding="utf-8")
    first, _, _ = page.partition("<nav")
    assert "Duration of a game" in first and "the wait between" in page


def test_an_answer_of_an_earlier_version_is_read(contested):
    document = kept(contested)
    del document["minutes"]
    found = people_skill.read(document)
    assert found.minutes is None and people_skill.view(found).blocks


def test_plays_without_minutes_say_so_in_one_line(tmp_path):
    folder = made_up(tmp_path / "plays", 0.3)
    document = answer(SECRETARY, "--plays", folder, *QUICK)
    assert document["minutes"]["needed"] == 5 and document["minutes"]["left_out"] == {"no minutes": 60}
    assert document["learning"]["trend"] is None and document["learning"]["left_out"] == {"without a date": 60}
    lines = bartizan("playtest", "skill", SECRETARY, "--plays", folder, *QUICK).out.splitlines()
    assert len([line for line in lines if "Duration of a game" in line]) == 1
    assert len([line for line in lines if "Learning from play to play" in line]) == 1


def test_who_learns_is_shown_on_the_picture(tmp_path):
    folder = timed(tmp_path / "plays", "secretary", plays=80, trend=1.2)
    document = answer(SECRETARY, "--plays", folder, *QUICK)
    learning = document["learning"]
    assert learning["shown"] and learning["trend"]["low"] > 0
    assert [rung["play"] for rung in learning["rungs"]][:2] == [1, 2]
    assert learning["rungs"][-1]["play"] <= learning["most"]
    people = people_skill.read(document)
    names = [mark.name for mark in people_skill.marks(people, "standard", *people.hashes)]
    assert names[0] == "your testers" and any("play 1" in name for name in names)
