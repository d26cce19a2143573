"""`bartizan sensitivity`: the document, the text, and what is refused with one line."""

import json
from functools import partial

import pytest

from tests.cli.run_cli import RUIN, answer_of, answered, bartizan, error_line

KEYS = {
    "schema", "game", "scenario", "scenario_hash", "behaviour", "difficulty", "policies", "games", "seed", "baseline", "knobs", "influences", "joint", "conclusions", "refused", "method",
    "sentence",
}  # fmt: skip
INFLUENCE = {
    "path", "confidence", "source", "from", "to", "headline", "turns", "p", "p_adjusted", "pairing_factor",
    "is_clear",
}  # fmt: skip
QUICK = (RUIN, "--games", 300, "--decks", 4)


answer = partial(answer_of, "sensitivity")


def test_the_document(tmp_path):
    document = answer(*QUICK, "-o", tmp_path / "out.json")
    assert set(document) >= KEYS and document["schema"] == "bartizan.sensitivity/1"
    assert [knob["path"] for knob in document["knobs"]] == ["bets.start", "bets.goal", "bets.win_per_mille"]
    assert len(document["influences"]) == 6 and all(set(row) >= INFLUENCE for row in document["influences"])
    top = document["influences"][0]
    assert (top["path"], top["from"], top["to"], top["confidence"]) == ("bets.win_per_mille", 490, 612, "rulebook")
    assert top["headline"]["difference"]["estimate"] > 0.5 and top["p_adjusted"] >= top["p"]
    # wins and turns are one family of twelve, and the answer has three families that share its level
    turns = [row["turns"] for row in document["influences"]]
    assert all(row["p"] <= row["p_adjusted"] <= 3 * 12 * row["p"] for row in turns)
    assert document["joint"]["draws"] == 4
    assert document["joint"]["min"] <= document["joint"]["q50"] <= document["joint"]["max"]
    (conclusion,) = document["conclusions"]
    assert sum(conclusion["single"].values()) == 6 and sum(conclusion["joint"].values()) == 4
    assert not conclusion["stands"]
    assert {"path": "bets.win_per_mille", "to": 612} in conclusion["overturned_by"]
    assert json.loads((tmp_path / "out.json").read_text(encoding="utf-8")) == document


def test_threads_change_nothing():
    one, two = (answer(*QUICK, "--jobs", jobs) for jobs in (1, 2))
    assert one == two
    assert one["influences"] != answer(*QUICK, "--seed", 2)["influences"]


def test_for_a_reader():
    result = answered("sensitivity", *QUICK, "--top", 2)
    first, *rest = result.out.splitlines()
    assert result.code == 0 and first == answer(*QUICK)["sentence"]
    for part in (
        "Bets, Win per mille is the most influential value",
        "612 instead of 490",
        "every value has a significant effect (adjusted for all",
        "4 draws",
        "300 games",
        "seed 1",
    ):
        assert part in first, part
    for part in ("and 4 smaller ones", "reversed by", "All varied at once, 4 draws", "Method: "):
        assert part in "\n".join(rest), part


def test_only_guesses_only_some_paths_and_levels():
    asked = ("itter", "--assumed --path rulings.tokens_persist --path rulings.may_pass --games 20 --decks 1 --jobs 1")
    document = answer(*asked)
    (knob,) = document["knobs"]  # tokens: no text states it; the other: the rulebook does
    assert (knob["path"], knob["confidence"]) == ("rulings.tokens_persist", "inferred")
    assert [row["kind"] for row in document["conclusions"]] == ["half", "levels", "levels"]
    assert document["conclusions"][1]["sentence"] == "veteran is won less often than novice"
    alone = answer(*asked, "--one-level")
    assert [row["kind"] for row in alone["conclusions"]] == ["half"] and alone["influences"] == document["influences"]


def test_effects(tmp_path):
    """The second stage; its report page shows it."""
    assert bartizan("sweep", RUIN, "--games", 200, "-o", tmp_path / "s").code == 0
    asked = (*QUICK, "--effects", 2, "--settings", 20)
    document = answer(*asked, "-o", tmp_path / "s")
    effects = document["effects"]
    assert effects["settings"] == 20
    assert [knob["path"] for knob in effects["knobs"]] == ["bets.win_per_mille", "bets.goal"]
    assert len(effects["pairs"]) == 1
    assert set(effects["knobs"][0]) == {
        "path",
        "what",
        "confidence",
        "source",
        "values",
        "alone",
        "total",
        "levels",
        "changes",
    }
    plain = answer(*QUICK)
    assert plain["effects"] is None and plain["joint"] == document["joint"]
    for row, alone in zip(document["influences"], plain["influences"], strict=True):
        assert row["headline"]["difference"] == alone["headline"]["difference"]
        assert row["p_adjusted"] >= alone["p_adjusted"], "one level for all"
    assert answer(*asked, "--jobs", 1) == document
    assert effects["sentence"] in answered("sensitivity", *asked).out.splitlines()
    assert bartizan("report", tmp_path / "s", "-o", tmp_path / "r.html").code == 0
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "Interactions of the most influential values" in page and "Main effect (share)" in page
    assert bartizan("report", tmp_path / "s", "-o", tmp_path / "r.md").code == 0
    assert "Total effect (share)" in (tmp_path / "r.md").read_text(encoding="utf-8")


def test_two_sides():
    document = answer("colditz", "--path", "do_or_die.x3", "--games", 40, "--decks", 1)
    (conclusion,) = document["conclusions"]
    assert conclusion["kind"] == "sides" and conclusion["names"] == ["allied", "german"] and document["range"] == 0.25


def test_added_to_a_sweep(tmp_path):
    assert bartizan("sweep", RUIN, "--games", 200, "-o", tmp_path).code == 0
    result = bartizan("sensitivity", *QUICK, "-o", tmp_path)
    assert result.code == 0 and "sensitivity.json" in result.err
    assert bartizan("verify", tmp_path).code == 0
    refused = bartizan("sensitivity", *QUICK, "--set", "bets.start=9", "-o", tmp_path)
    assert refused.code == 2 and "none of its cells" in error_line(refused)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ((RUIN, "--assumed"), "none of these values is assumed"),
        ((RUIN, "--path", "bats"), 'did you mean "bets"?'),
        ((RUIN, "--range", "0%"), "--range 0%"),
        ((RUIN, "--effects", "3", "--settings", "5"), "--settings"),
        ((RUIN, "--range", "much"), "--range much"),
        ((RUIN, "--set", "bets.start=30"), "is not below the goal"),
        ((RUIN, "-o", "out.txt"), "use a .json file"),
        ((RUIN, "-o", "nowhere/out.json"), "the folder nowhere does not exist"),
        ((RUIN, "--policy", "nobody"), 'no policy "nobody"'),
        (("itter", "--difficulty", "hard"), 'no difficulty "hard"'),
        (("nogame",), 'no game "nogame"'),
    ],
)
def test_refusals(args, words):
    result = answered("sensitivity", *args)
    assert result.code == 2 and words in error_line(result) and not result.out
