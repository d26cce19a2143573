"""`report --plays`: people beside policies, as a section of every kind of report."""

import json

import pytest

from tests.cli.run_cli import PIG, bartizan, error_line
from tests.cli.test_playtest_skill import BASE, SECRETARY, made_up


@pytest.fixture(scope="module")
def reported(tmp_path_factory):
    """A sweep of two settings with plays that nobody played, as a report of each kind."""
    there = tmp_path_factory.mktemp("plays")
    assert (
        bartizan(
            "sweep", SECRETARY, "--policy", "random", "--policy", BASE, "--games", 200, "-o", there / "out"
        ).code
        == 0
    )
    plays = made_up(there / "plays", 0.3, rounds=10, edition="made up")
    first = bartizan("report", there / "out", "--plays", plays, "-o", there / "first.html")
    assert first.code == 0, first.err
    for name in ("second.html", "second.md", "second.json"):
        assert bartizan("report", there / "out", "-o", there / name).code == 0
    return there


def test_it_stays_in_the_folder(reported):
    assert (reported / "first.html").read_bytes() == (reported / "second.html").read_bytes()
    assert bartizan("verify", reported / "out").code == 0
    (name,) = (reported / "out" / "answers").iterdir()
    kept = json.loads(name.read_text(encoding="utf-8"))
    assert name.name.startswith("playtest-skill-eager") and kept["answer"]["policy"] == "eager", (
        "not the one that plays at random"
    )
    assert f"--policy {BASE}" in kept["command"] and kept["command"].startswith("bartizan playtest skill")


def test_people_are_people_and_made_up_plays_are_made_up(reported):
    text = (reported / "second.md").read_text(encoding="utf-8")
    _, _, section = text.partition("## Your testers play")
    section = section.partition("\n## ")[0]
    assert "These plays are made up: nobody played them" in section and "made-up.csv (60)" in section
    assert "a computer player" in section and "not people" not in section, "the plays are by people"
    assert (
        "60 plays by 12 testers" in section
        and "### People beside policies" in section
        and "### What no such policy does" in section
    )
    for heading in ("These people", "A newcomer", "An expert"):
        assert f"| {heading} |" in section
    page = (reported / "second.html").read_text(encoding="utf-8")
    assert "people: share of their plays won" in page and "Share of games won, by level" in page
    (answer,) = json.loads((reported / "second.json").read_text(encoding="utf-8"))["answers"]
    assert answer["title"].startswith("Your testers play") and answer["answer"]["made_up"] is True


def test_people_against_people_are_shown_by_seat(tmp_path):
    assert bartizan("sweep", PIG, "--games", 200, "-o", tmp_path / "out").code == 0
    plays = made_up(tmp_path / "plays", 0.5, game="pig", seat=1, players=2)
    result = bartizan("report", tmp_path / "out", "--plays", plays, "-o", tmp_path / "r.md")
    assert result.code == 0, result.err
    text = (tmp_path / "r.md").read_text(encoding="utf-8")
    assert (
        "## People beside policies: 60 plays, seat by seat" in text
        and "| Seat | People won | Policies won |" in text
    )


def test_plays_of_another_game_are_refused_and_nothing_is_kept(reported, tmp_path):
    assert bartizan("sweep", PIG, "--games", 200, "-o", tmp_path / "out").code == 0
    result = bartizan("report", tmp_path / "out", "--plays", reported / "plays", "-o", tmp_path / "r.html")
    assert "no play of pig in it" in error_line(result)
    assert not (tmp_path / "out" / "answers").exists() and not (tmp_path / "r.html").exists()


def test_a_comparison_has_no_people(tmp_path):
    command = ("compare", PIG, "--change", "policy=random", "--games", 100, "-o", tmp_path / "two")
    assert bartizan(*command).code == 0
    result = bartizan("report", tmp_path / "two", "--plays", tmp_path, "-o", tmp_path / "r.html")
    assert f"--plays: {tmp_path / 'two'} holds a comparison; name a sweep" in error_line(result)


def test_page_one_says_how_the_testers_play(reported):
    page = (reported / "second.html").read_text(encoding="utf-8")
    first, _, _ = page.partition('aria-label="The answer"')
    assert (
        "People beside policies" in first
        and "Your testers play" in first
        and "These plays are made up" in first
    )
    assert page.count("No bracket has been measured for this variant") == 1, "said once"
    assert (
        "plays by people are named as such" in page
        and "not people." not in page.partition("<nav")[0].partition("<header>")[2].partition("</header>")[0]
    )
