"""`report --plays`: people beside policies, as a section of every kind of report."""

import json

import pytest

from bartizan.analyses.people import skill
from bartizan.api.answers.replaying import beside
from bartizan.reports.pages.sweep import chart_of
from bartizan.reports.study import study
from bartizan.simcore.sweep.store import open_sweep
from tests.cli.run_cli import PIG, ROOT, RUIN, bartizan, error_line
from tests.cli.test_playtest_skill import BASE, SECRETARY, made_up


@pytest.fixture(scope="module")
def reported(tmp_path_factory):
    """A sweep of two settings with plays that nobody played, as a report of each kind."""
    there = tmp_path_factory.mktemp("plays")
    assert (
        bartizan("sweep", SECRETARY, "--policy", "random", "--policy", BASE, "--games", 200, "-o", there / "out").code
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
    assert name.name.startswith("playtest-skill-eager")
    assert kept["answer"]["policy"] == BASE, "not the one that plays at random"
    assert f"--policy {BASE}" in kept["command"] and kept["command"].startswith("bartizan playtest skill")


def test_people_are_people_and_made_up_plays_are_made_up(reported):
    text = (reported / "second.md").read_text(encoding="utf-8")
    _, _, section = text.partition("## Your testers play")
    section = section.partition("\n## ")[0]
    assert "These are synthetic play records" in section and "made-up.csv (60)" in section
    assert "a computer player" in section and "not people" not in section, "the plays are by people"
    assert "60 plays by 12 testers" in text
    numbers = text.partition("## Every number")[2]
    assert "### People compared with policies" in numbers and "### Differences in play" in numbers
    for heading in ("These people", "Newcomer", "Expert"):
        assert f"| {heading} |" in numbers
    assert f"Among the policies in the sweep, only {BASE} never acts at random." in section
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
        "## People compared with policies: 60 plays, seat by seat" in text
        and "| Seat | People won | Policies won |" in text
    )


def test_plays_of_another_game_are_refused_and_nothing_is_kept(reported, tmp_path, wording):
    assert bartizan("sweep", PIG, "--games", 200, "-o", tmp_path / "out").code == 0
    result = bartizan("report", tmp_path / "out", "--plays", reported / "plays", "-o", tmp_path / "r.html")
    assert error_line(result) == wording
    assert not (tmp_path / "out" / "answers").exists() and not (tmp_path / "r.html").exists()


def test_a_comparison_has_no_people(tmp_path, wording):
    command = ("compare", PIG, "--change", "policy=random", "--games", 100, "-o", tmp_path / "two")
    assert bartizan(*command).code == 0
    result = bartizan("report", tmp_path / "two", "--plays", tmp_path, "-o", tmp_path / "r.html")
    assert error_line(result) == wording


def test_page_one_says_how_the_testers_play(reported):
    page = (reported / "second.html").read_text(encoding="utf-8")
    first, _, _ = page.partition("<nav")
    assert "People compared with policies" in first and "Your testers play" in first
    assert "These are synthetic play records" in first
    assert page.count("No bracket has been measured for this variant") == 1, "said once"
    assert "plays by people are marked" in page
    assert "not people." not in page.partition("<nav")[0].partition("<header>")[2].partition("</header>")[0]


def test_plays_beside_a_changed_game_say_so_at_every_number(tmp_path):
    """People played the published game; the policies play to another goal."""
    game, change = ROOT / "examples/short/solo_pig.py", ("--set", "numbers.goal=80")
    plays = made_up(tmp_path / "plays", 0.5, game="solo_pig", edition="made up")
    caveat = "The policies play a changed game (Goal 100 -> 80), and the plays do not show whether people did."
    assert bartizan("run", game, *change, "--games", 200, "-o", tmp_path / "out").code == 0
    result = bartizan("report", tmp_path / "out", "--plays", plays, "-o", tmp_path / "r.md")
    assert result.code == 0, result.err
    text = (tmp_path / "r.md").read_text(encoding="utf-8")
    front, _, rest = text.partition("## In words")
    assert caveat in front and "posterior, compared with the changed game" in front
    section, _, numbers = rest.partition("## Every number")
    assert section.count(caveat) == 1
    assert caveat in numbers.partition("### People compared with policies")[2].partition("\n### ")[0]
    for command in ("skill", "plan"):
        said = bartizan("playtest", command, game, "--plays", plays, *change, "--games", 200).out
        assert caveat in said, command
        assert "changed game" not in bartizan("playtest", command, game, "--plays", plays, "--games", 200).out
    form = bartizan("playtest", "form", game, "--says", tmp_path / "out").out
    assert "These predictions are for a changed game: Goal 100 -> 80. Play with this change." in form


def test_plays_are_marked_only_at_the_values_they_are_compared_with(tmp_path):
    """The first row of a level may be a changed one; a result saved for other values than the games has no mark."""
    game, plays = ROOT / "examples/short/solo_pig.py", made_up(tmp_path / "plays", 0.5, game="solo_pig")
    swept(tmp_path / "both", game, "--set", "numbers.goal=80,100")
    assert bartizan("report", tmp_path / "both", "--plays", plays, "-o", tmp_path / "both.md").code == 0
    of = {track.value: len(track.marks) for track in chart_of(study(open_sweep(tmp_path / "both"))).tracks}
    assert len(of) == 2 and sum(of.values()) == 3, of
    assert of[min(of, key=lambda value: "80" in value)] == 2, of
    swept(tmp_path / "other", game, "--set", "numbers.goal=80")
    asked = ("playtest", "skill", game, "--plays", plays, "--games", 200, "-o", tmp_path / "other")
    assert bartizan(*asked).code == 0
    assert bartizan("report", tmp_path / "other", "-o", tmp_path / "other.md").code == 0
    front = (tmp_path / "other.md").read_text(encoding="utf-8").partition("## In words")[0]
    assert "The policies in this comparison play other values than the games on this page." in front
    assert "posterior" in front and "predicted from" not in front


NEVER = "eager:let_pass=10"  # lets everybody pass, and wins nothing


def swept(folder, game, *args):
    assert bartizan("sweep", game, *args, "--games", 200, "-o", folder).code == 0
    return folder


def test_of_several_players_the_one_who_wins_most_is_beside_them(tmp_path):
    """The weakest stands first, as in the demo: one who wins nothing is no scale."""
    names = ("random", NEVER, "eager", f"{BASE},noise=0.1", BASE)
    folder = swept(tmp_path / "out", SECRETARY, *(word for name in names for word in ("--policy", name)))
    plays = made_up(tmp_path / "plays", 0.3, rounds=10)
    result = bartizan("report", folder, "--plays", plays, "-o", tmp_path / "r.md")
    assert result.code == 0, result.err
    (kept,) = (folder / "answers").iterdir()
    kept = json.loads(kept.read_text(encoding="utf-8"))
    assert f"--policy {BASE} " in kept["command"]
    why = kept["answer"]["why"]
    assert f"never act at random, {BASE} wins most: {NEVER} 0.0" in why and why in (tmp_path / "r.md").read_text()


def test_who_are_no_scale_are_refused_with_a_command_that_names_others(tmp_path, monkeypatch):
    """`report` has no --policy: the folder keeps the answer of the command that has."""
    monkeypatch.setattr(skill, "FEWEST", 99)
    folder = swept(tmp_path / "out", SECRETARY, "--policy", BASE)
    plays = made_up(tmp_path / "plays", 0.3)
    said = error_line(bartizan("report", folder, "--plays", plays, "-o", tmp_path / "r.md"))
    command = f"bartizan playtest skill {SECRETARY} --plays {plays} --policy NAME -o {folder}"
    assert "so they form no scale" in said and said.endswith(f"choose another policy with: {command}")


@pytest.mark.parametrize(
    ("starts", "chosen", "why"),
    [
        ("5,10,15", {"bets.start": 10}, "It uses the sweep's games without changes."),
        ("5,15", {"bets.start": 5}, ""),
        ("10", {"bets.start": 10}, ""),
    ],
)
def test_of_several_games_the_nearest_to_the_published_one_is_beside_them(tmp_path, starts, chosen, why):
    cell, reason = beside(open_sweep(swept(tmp_path / "out", RUIN, "--set", f"bets.start={starts}")).cells)
    assert (cell.set, reason) == (chosen, why)


@pytest.mark.parametrize(
    ("line_ups", "why"),
    [
        (["random", "hold"], "This is the first line-up: none of its policies acts at random."),
        (["hold"], ""),
        (["random"], ""),
    ],
)
def test_against_each_other_the_first_line_up_is_beside_them(tmp_path, line_ups, why):
    words = [word for name in line_ups for word in ("--policy", name)]
    cell, reason = beside(open_sweep(swept(tmp_path / "out", PIG, *words)).cells)
    assert (cell.policies[0]["as_named"], reason) == (line_ups[-1], why)


def test_where_everybody_acts_at_random_the_page_says_so(tmp_path):
    folder = swept(tmp_path / "out", SECRETARY, "--policy", "random", "--policy", f"{BASE},noise=0.1")
    assert beside(open_sweep(folder).cells)[1].startswith("All policies in the sweep act at random")
