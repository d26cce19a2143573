"""`bartizan ladder`: the document, the text, games of one seat, two roles and alike seats, and what is refused."""

import json
from functools import partial

import pytest

from tests.cli.run_cli import PIG, RUIN, answer_of, answered, error_line

KEYS = {
    "schema", "game", "title", "scenario", "scenario_hashes", "behaviour", "levels", "games", "cells", "seed", "players", "zero", "method", "draws", "rungs", "off", "difficulty", "seats",
    "steps", "neighbours", "meetings", "fit", "assumed", "assumptions", "sentence",
}  # fmt: skip
QUICK = (PIG, "--games", 2000, "--policy", "hold", "--policy", "hold:at=25", "--noise", "0.4")
FIRST_25 = 0.5434824220853344  # holding at 25, moving first, against holding at 20: exact


answer = partial(answer_of, "ladder")


def test_the_document_and_a_known_answer(tmp_path):
    document = answer(*QUICK, "-o", tmp_path / "out.json")
    assert set(document) >= KEYS and document["schema"] == "bartizan.ladder/1"
    assert document["rungs"]["policies"][0]["policy"] == "hold:noise=0.4"
    assert document["zero"] == "as strong as hold" and document["cells"] == 6 and document["levels"] == ["standard"]
    (met,) = (meeting for meeting in document["meetings"] if meeting["of"] == ["hold:at=25", "hold"])
    assert abs(met["share"]["estimate"] - FIRST_25) < 4 * (0.25 / 2000) ** 0.5
    noisy = next(player for player in document["players"] if player["policy"] == "hold:noise=0.4")
    assert noisy["weights"]["noise"] == 0.4
    assert json.loads((tmp_path / "out.json").read_text(encoding="utf-8")) == document


def test_threads_change_nothing():
    one, two = (answer(*QUICK, "--jobs", jobs) for jobs in (1, 2))
    assert one == two != answer(*QUICK, "--seed", 2)


def test_for_a_reader():
    result = answered("ladder", *QUICK)
    first, *rest = result.out.splitlines()
    assert result.code == 0 and first == answer(*QUICK)["sentence"]
    for part in (
        "from weakest to strongest: hold:noise=0.4",
        "0: as strong as hold",
        "2,000 games of 2 players in each of 6 cells",
        "seed 1",
        "no value is assumed",
    ):
        assert part in first, part
    for part in ("Skill, policies", "Worth of a seat", "Order: no significant difference between hold", "Fit: "):
        assert part in "\n".join(rest), part


def test_one_player_of_a_game_with_identical_seats(kept_path):
    """A draw is no win, because nobody shares it; levels differ for this player."""
    path = kept_path / "lonely.py"
    path.write_text(LONELY, encoding="utf-8")
    document = answer(path, "--players", 1, "--policy", "go", "--policy", "random", "--games", 40, "--noise", "none")
    assert document["draws"] == "no win of the first role"
    assert {meeting["of"]["policy"]: meeting["share"]["estimate"] for meeting in document["meetings"]}["go"] == 0
    bracket = answered("bracket", path, "--players", 1, "--rung", "heuristic", "--games", 40, "--json").json
    (row,) = bracket["brackets"][0]["rungs"]
    assert row["draws"] == 40 and row["win_rate"]["estimate"] == 0


LONELY = '''"""Lonely: one or two players; going on ends in a draw."""

from bartizan.short import *

players = (2, 1)
steps = Counter()


def go_on(s, n):
    tie(s, "gone")


def bet(s, n):
    if chance(s, 50):
        win(s, s.me, "won")
    else:
        tie(s, "lost")


def go(s, n):
    """Goes on."""
    return GO_ON
'''


def test_one_level_of_a_solo_game():
    document = answer(RUIN, "--policy", "random", "--policy", "random:noise=0.5", "--games", 1000)
    rungs = document["rungs"]["policies"]
    assert document["cells"] == len(rungs) == 2
    assert all(rung["logits"]["low"] < -0.3999 < rung["logits"]["high"] for rung in rungs), (
        "there is nothing to choose in this game"
    )
    assert (document["steps"], document["difficulty"]) == ([], [])


def test_one_policy_at_one_level_is_no_ladder():
    result = answered("ladder", RUIN, "--games", 100)
    assert result.code == 2 and "there is only random; add others with --policy" in result.err


def test_levels_and_policies_of_itter():
    document = answer("itter", "--policy", "random", "--policy", "garrison", "--noise", "0.1", "--games", 400)
    assert [row["level"] for row in document["difficulty"]] == ["novice", "veteran", "elite"], (
        "in the order of difficulty"
    )
    assert [rung["policy"] for rung in document["rungs"]["policies"]] == ["garrison:noise=0.1", "garrison"]
    assert document["off"] == [{"kind": "policy", "name": "random", "above": False}]
    veteran_to_elite = document["steps"][1]
    assert (veteran_to_elite["from"], veteran_to_elite["to"]) == ("veteran", "elite")
    assert veteran_to_elite["logits"]["low"] > 0.5
    steps = {row["policy"]: row for row in veteran_to_elite["policies"]}
    assert steps["garrison"]["points"]["high"] < -0.1 and steps["garrison"]["logits"]["low"] > 0.5
    assert steps["random"]["logits"] is None
    assert document["assumed"] == 48 and document["assumptions"]


@pytest.mark.slow
@pytest.mark.parametrize("args", [("colditz",), ("itter", "--scenario", "competitive")])
def test_two_roles(args):
    document = answer(*args, "--games", 40, "--noise", "none")
    assert len(document["rungs"]) == 2 and document["draws"] == "no win of the first role"
    assert document["cells"] == len(document["meetings"])


@pytest.mark.slow
def test_three_at_a_table():
    document = answer("castle", "--players 3 --policy plain --policy steward --noise none --games 100")
    assert document["cells"] == 6 and [rung["policy"] for rung in document["rungs"]["policies"]] == ["plain", "steward"]
    assert document["draws"] == "1/3 of a win for each seat" and len(document["seats"]) == 3


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ((PIG, "--noise", "2"), "write a probability from 0 to 1"),
        ((PIG, "--policy", "hold:omit=fold"), 'no kind of action "fold"; did you mean "hold"?'),
        ((PIG, "--policy", "nobody"), 'no policy "nobody"'),
        ((PIG, "--difficulty", "no-such"), "no-such"),
        (("itter", "--policy", "commander"), "commander has no role to play, because only defender plays"),
        ((PIG, "-o", "ladder.html"), "use a .json file"),
        ((PIG, "--policy", "first=hold"), "all seats are identical, and every policy plays in each of them"),
        ((PIG, "--policy", "hold", "--policy", "HOLD", "--noise", "none"), "there is only hold"),
    ],
)
def test_what_cannot_be_is_refused(args, said):
    result = answered("ladder", *args, "--games", 10)
    assert result.code == 2 and said in error_line(result)
