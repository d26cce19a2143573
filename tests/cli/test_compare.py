"""`bartizan compare`: a change against its baseline, with the exact answers of games that have one,
and what is refused with one line.
"""

import re
from functools import partial

import pytest

from tests.cli.run_cli import PIG, ROOT, RUIN, answer_of, answered, bartizan, error_line
from tests.cli.test_cards import HIGHEST
from tests.oracles import pig, ruin

KEYS = {
    "schema", "game", "title", "change", "sentence", "method", "n", "seed", "headline", "difference", "is_clear",
    "paired", "pairing_factor", "differing", "p", "effects", "a", "b",
}  # fmt: skip

STEPS = ("compare", "itter", "--policy", "greedy", "--scenario", "playtest-v0.2", "--steps", "--games", 400)


answer = partial(answer_of, "compare")


def holds(difference: dict, exact: float) -> bool:
    """Within four standard errors, and not because it is wide."""
    error = (difference["high"] - difference["low"]) / 2 / 1.96
    assert error < 0.005, "the test would not bite"
    return abs(difference["estimate"] - exact) < 4 * error


@pytest.mark.parametrize(
    ("change", "changed"),
    [
        (["bets.win_per_mille=500"], ruin(0.5, 10, 20)),
        (["bets.start=12"], ruin(0.49, 12, 20)),
        (["bets.start=5", "bets.goal=12"], ruin(0.49, 5, 12)),
    ],
)
def test_a_gambler_s_ruin(change, changed):
    document = answer(RUIN, *(part for text in change for part in ("--change", text)))
    assert set(document) >= KEYS and document["schema"] == "bartizan.compare/1"
    assert holds(document["difference"], changed - ruin(0.49, 10, 20))
    assert document["paired"] and document["pairing_factor"] > 1 and document["is_clear"]
    assert (document["n"], document["a"]["games"], document["a"]["seed"]) == (20_000, 20_000, document["b"]["seed"])
    assert document["difference"]["estimate"] == pytest.approx((document["b"]["wins"] - document["a"]["wins"]) / 20_000)
    assert [row["path"] for row in document["change"]] == [text.split("=")[0] for text in change]


def test_another_player_of_pig_is_compared_over_all_seats():
    """Hold at 25 against hold at 20, each sitting in both seats; two that hold at 20 share the wins."""
    document = answer(PIG, "--policy", "hold:at=20", "--change", "policy=first=hold:at=25")
    exact = (pig(25, 20) + 1 - pig(20, 25)) / 2
    assert document["headline"]["a"]["estimate"] == 0.5 and holds(document["difference"], exact - 0.5)
    assert len(document["b"]["rotations"]) == 1 and "rotations" not in document["a"]
    assert document["change"] == [
        {"path": "policy", "what": "policy", "from": "hold:at=20", "to": "hold:at=25+hold:at=20"}
    ]


def test_a_sentence_to_quote():
    result = answered("compare", RUIN, "--change", "bets.win_per_mille=500", "--games", 4000, "--seed", 3)
    sentence = result.out.splitlines()[0]
    for part in (
        "Gambler's ruin",
        "Bets, Win per mille 500 instead of 490",
        "the win rate rises by",
        "percentage points",
        "95\u00a0%, 4,000 games per side",
        "seed 3",
    ):
        assert part in sentence, part
    assert len(sentence.replace("\u00a0", "").split()) <= 35
    document = answer(RUIN, "--change", "bets.win_per_mille=500", "--games", 4000, "--seed", 3)
    assert sentence == document["sentence"] and f"Method: {document['method']}" in result.out.splitlines()
    for part in ("Student t", "paired game by game", "no value is assumed"):
        assert part in document["method"], part


def test_where_pairing_does_not_help_it_says_so():
    """Another deck is shuffled with the same luck to another order: nothing is shared.

    Seed 1 is one where the factor falls below 1.
    """
    document = answer(HIGHEST, "--change", "deck.copies=[1, 3, 4]", "--games", 2000)
    assert document["pairing_factor"] < 1 and not document["paired"] and document["difference"]["method"] == "Newcombe"
    assert "did not help" in document["method"]
    assert (
        "help not at all here" in answered("compare", HIGHEST, "--change", "deck.copies=[1, 3, 4]", "--games", 2000).out
    )


def test_a_change_of_level_file_and_reading(tmp_path):
    document = answer("itter", "--change difficulty=veteran --change rulings.tokens_persist=cleared --games 400")
    assert (document["a"]["difficulty"], document["b"]["difficulty"]) == ("novice", "veteran")
    assert document["b"]["overrides"] == {"rulings.tokens_persist": "cleared"}
    assert document["b"]["win_rate"]["estimate"] < document["a"]["win_rate"]["estimate"]
    own = tmp_path / "mine.toml"
    own.write_text('extends = "standard"\nname = "mine"\n[bets]\nstart = 12\n', encoding="utf-8")
    by_file = answer(RUIN, "--change", f"scenario={own}", "--games", 3000)
    (row,) = by_file["change"]
    assert (row["path"], row["from"], row["to"]) == ("scenario", "standard", "mine")
    assert [inside["path"] for inside in row["changes"]] == ["bets.start"]
    assert by_file["b"]["digest"] == answer(RUIN, "--change", "bets.start=12", "--games", 3000)["b"]["digest"]


def test_the_side_that_is_not_named_plays_on():
    document = answer(
        "colditz", "--policy allied=random --policy german=greedy --change policy=german=random --games 200"
    )
    assert (document["a"]["policies"], document["b"]["policies"]) == (["random", "greedy"], ["random", "random"])


def test_the_number_of_players_may_change():
    document = answer("castle", "--policy", "random", "--change", "players.count=3", "--games", 300)
    assert (len(document["a"]["seats"]), len(document["b"]["seats"])) == (2, 3)
    assert [row["path"] for row in document["change"]] == ["players.count"]


def test_threads_change_nothing():
    one, two = (answer(RUIN, "--change", "bets.start=12", "--games", 5000, "--jobs", jobs) for jobs in (1, 2))
    for key in KEYS - {"a", "b"}:
        assert one[key] == two[key]
    assert one["a"]["digest"] == two["a"]["digest"] and one["b"]["digest"] == two["b"]["digest"]


def test_games_are_kept(tmp_path):
    result = bartizan("compare", RUIN, "--change", "bets.start=12", "--games", 300, "-o", tmp_path)
    assert result.code == 0 and "bartizan report" in result.out
    for folder in ("a", "b"):
        assert bartizan("verify", tmp_path / folder).code == 0


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ((RUIN,), "no change given"),
        ((RUIN, "--change", "bets.start"), '--change "bets.start": write PATH=VALUE'),
        ((RUIN, "--change", "bets.begin=3"), 'no value "bets.begin"'),
        ((RUIN, "--change", "bets.start=10"), "the change has no effect: bets.start is already 10"),
        ((RUIN, "--change", "bets.start=30"), "is not below the goal"),
        ((RUIN, "--change", "policy=random"), "the change has no effect"),
        ((RUIN, "--change", "scenario=nope"), 'no scenario "nope"'),
        ((RUIN, "--change", "policy=nobody"), 'no policy "nobody"'),
        (("itter", "--change", "difficulty=hard"), 'no difficulty "hard"'),
        (
            ("itter", "--policy", "random", "--policy", "greedy", "--change", "difficulty=elite"),
            "supports one line-up, but --policy gives 2",
        ),
        (("castle", "--change", "policy=random+greedy+plain"), "3 policies are given"),
        (("nogame", "--change", "a=1"), 'no game "nogame"'),
    ],
)
def test_refusals(args, words):
    result = answered("compare", *args)
    assert result.code == 2 and words in error_line(result) and not result.out


def test_measures_that_change_equally_in_all_games_are_named(tmp_path):
    """Every game is the same, so no difference has an interval, and more games show nothing."""
    walk = ROOT / "tests/games/walk.py"
    out = bartizan("compare", walk, "--policy steady --change numbers.goal=9 --games 30 -o", tmp_path / "c").out
    assert bartizan("report", tmp_path / "c", "-o", tmp_path / "c.md").code == 0
    page = (tmp_path / "c.md").read_text().partition("**The same difference in all games.**")
    assert "Turns +4 " in page[2] and "turns" not in page[0].partition("**No significant effect.**")[2]
    assert "equally in all games, turns +4, from 13 to 17" in out and "∞" not in out
    assert "Not tested, because all 30 values are equal: turns." in out
    assert "no game changes the first seat's win rate" in out
    out = bartizan(
        "tune", walk, "--policy steady --knob numbers.goal=6:7 --target turns=14 --games 100 --fresh 100"
    ).out
    assert "(100 held-out games, no interval: all 100 values are equal, seed 1" in out
    assert "More games give no verdict as long as all games have the same value." in out


def test_a_small_p_is_said_as_on_the_page():
    """Never `0` or `7.1e-147`."""
    result = answered("compare", RUIN, "--change", "bets.win_per_mille=900", "--games", 4000)
    assert result.code == 0 and re.search(r"win rate .*\)  +below 0\.0001", result.out), result.out
    steps = answered(*STEPS)
    assert "below 0.0001" in steps.out and not re.search(r"\de-\d", steps.out), steps.out


def test_steps_of_an_edition_each_by_itself_and_all_together():
    result = answered(*STEPS)
    assert result.code == 0, result.err
    *alone, together = result.json["steps"]
    assert {step["title"] for step in alone} >= {"Actions exhaust", "The Sniper rolls four dice, not five"}
    assert together["set"] == {path: value for step in alone for path, value in step["set"].items()}
    assert result.json["sentence"].startswith("Castle Itter, v0.2-style reconstruction")
    assert "assumed values" in result.json["sentence"]
    assert result.json["banner"]["text"].startswith("v0.2-STYLE RECONSTRUCTION")
    assert all(step["p"] <= step["p_adjusted"] <= 1 for step in result.json["steps"])
    assert f"for all {len(alone) + 1} together" in together["joint"]["method"]


def test_steps_need_a_scenario_that_lists_some():
    assert "lists no steps" in error_line(bartizan("compare", "itter", "--steps"))
    assert "remove --change" in error_line(bartizan("compare", "itter", "--steps", "--change", "turn.ss_cards=4"))
