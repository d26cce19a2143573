"""`score_scale = 10`: rules and stored records count scores in tenths, and everything that people read is in points."""

import re

import numpy as np
import polars as pl
import pytest

from bartizan.analyses.experiments.trials import columns_of
from bartizan.analyses.people.log import LOG
from bartizan.analyses.records.tally import tally
from bartizan.analyses.statistics.intervals import Interval
from bartizan.analyses.statistics.latent_skill import mid_p
from bartizan.reports.pages.parts.scores import tier_labels
from bartizan.reports.text import words
from bartizan.reports.views.run import as_counted
from bartizan.simcore.reporting import Reporting
from bartizan.simcore.sweep.store import open_sweep, with_points
from tests.cli.run_cli import answer_of, bartizan, error_line

CARDS = "Name,Copies,VP\nHeron,6,1.5\nOtter,6,2.4\nNewt,6,0.7\nSwan,4,3.1\nToad,4,-0.5\n"
MARSH = '''"""Marsh: place six cards for 12 points."""

from bartizan.short import *

players = 1
deck = Deck("cards.csv", scale={"vp": 10})
score_scale = 10
tiers = {"gold": 155, "silver": 120, "bronze": 80}
goal = 120
hand = Hand(deck, 3)
laid = Pile(deck)
points = Tokens()


def setup(s, n):
    deal(s, s.deck, s.hand, 3)


def play(s, n, card: hand):
    move(s.hand[s.me], card, s.laid)
    s.points[s.me] += n.vp[card]
    draw(s.deck, s.hand[s.me])
    if s.turn < 6:
        next_player(s)
    elif s.points[s.me] >= n.goal:
        win(s, s.me)
    else:
        lose(s, "too few points")


def first(s, n):
    """Plays the first card in hand."""
    for card in cards(s.hand[s.me]):
        return PLAY(card)
    return PLAY(0)
'''
GAMES = ("--games", 300)


def refused(*args):
    return error_line(bartizan(*args))


@pytest.fixture(scope="module")
def marsh(tmp_path_factory):
    folder = tmp_path_factory.mktemp("marsh")
    (folder / "cards.csv").write_text(CARDS)
    (folder / "marsh.py").write_text(MARSH)
    assert bartizan("run", folder / "marsh.py", *GAMES, "-o", folder / "results").code == 0
    return folder / "marsh.py"


@pytest.fixture(scope="module")
def tenths(marsh):
    """The scores in the stored records."""
    (shard,) = (marsh.parent / "results").rglob("*.parquet")
    return pl.read_parquet(shard)["score"]


def test_results_are_in_points_and_records_in_tenths(marsh, tenths):
    assert tenths.dtype.is_integer() and tenths.max() > 100
    document = bartizan("run", marsh, *GAMES, "--json").json
    score, counted = document["score"], pl.Series([score / 10 for score in tenths])
    assert score["scale"] == 10 and score["min"] == counted.min() and score["max"] == counted.max()
    assert score["mean"] == pytest.approx(counted.mean()) and score["sd"] == pytest.approx(counted.std())
    assert document["means"]["score"]["mean"] == pytest.approx(score["mean"])
    assert score["quantiles"]["50"] in counted.to_list()
    assert document["tiers"]["gold"] == (counted >= 15.5).sum()
    said = bartizan("run", marsh, *GAMES).out
    assert f"from {counted.min():g} to {counted.max():g}".replace("-", "−") in said
    assert "scale" not in bartizan("run", "examples/pig/pig.py", "--games", 20, "--json").json["score"]


def test_a_log_is_in_points(marsh, tenths):
    document = bartizan("trace", marsh, "--json").json
    assert document["record"]["score"] == tenths[0] / 10 and document["score_scale"] == 10
    said = bartizan("trace", marsh).out
    assert f"score of the player {tenths[0] / 10:g}" in said
    assert re.search(rf"points of player 1 \S+ -> {tenths[0] / 10:g}\n", said)


def test_a_report_is_in_points(marsh, tenths):
    results, ends = marsh.parent / "results", f"{tenths.min() / 10:g} to {tenths.max() / 10:g}".replace("-", "−")
    for name in ("page.html", "page.md"):
        assert bartizan("report", results, "-o", marsh.parent / name).code == 0
        text = (marsh.parent / name).read_text(encoding="utf-8")
        assert ends in text and f"median {tenths.sort()[149] / 10:g}" in text
    page = (marsh.parent / "page.html").read_text(encoding="utf-8")
    assert all(label in page for label in ("(15.5+)", "(12.0–15.4)", "(8.0–11.9)", "(7.9 or less)"))
    assert bartizan("report", results, "-o", marsh.parent / "games.csv").code == 0
    exported = pl.read_csv(marsh.parent / "games.csv")["score"]
    assert exported.to_list() == [score / 10 for score in tenths]


def test_differences_and_targets_are_in_points(marsh):
    change = ("--change", "deck.Heron.vp=25", *GAMES)
    compared = answer_of("compare", marsh, *change)
    (gain,) = (row["difference"]["estimate"] for row in compared["effects"] if "score" in row["name"])
    assert 0.5 < gain < 3 and "VP (tenths) 25 instead of 15" in bartizan("compare", marsh, *change).out
    tuned = answer_of("tune", marsh, "--knob", "deck.Heron.vp=15:35", "--target", "score=10.5", *GAMES, "--fresh", 2000)
    assert "brings the mean score of the player to 10.5 (±0.5)" in tuned["sentence"]


def test_scores_of_people_are_compared_in_points(marsh, tenths, tmp_path):
    scores = [round(float(score) / 10 + 0.1, 1) for score in tenths[:40]]
    rows = [f"{i},p{i % 5},{'win' if score >= 12 else 'loss'},{score}" for i, score in enumerate(scores)]
    (tmp_path / "evening.csv").write_text("\n".join(["play,player,result,score", *rows]) + "\n")
    plays = tmp_path / "plays"
    assert bartizan("playtest", "import", tmp_path / "evening.csv", "--game", marsh, "-o", plays).code == 0
    assert pl.read_parquet(plays / LOG)["score"].to_list() == scores
    found = answer_of("playtest", "skill", marsh, "--plays", plays, *GAMES, "--noise", "0.2,0.4")
    (check,) = (row for row in found["checks"] if row["kind"] == "score")
    assert check["seen"] == pytest.approx(np.mean(scores)) and abs(check["expected"]["estimate"] - check["seen"]) < 2


def test_decimals_in_options_are_answered_with_what_to_write(marsh):
    assert refused("run", marsh, "--set", "deck.Heron.VP=1.5").endswith("in tenths: write 15")
    assert refused("run", marsh, "--set", "deck.Heron.VP=1.55").endswith("in tenths: write an integer")
    assert refused("compare", marsh, "--change", "deck.Heron.vp=-2.5").endswith("in tenths: write -25")
    asked = ("tune", marsh, "--knob", "deck.Heron.vp=1.5:2.5", "--target", "score=10")
    assert refused(*asked).endswith("must be an integer number of tenths: write deck.heron.vp=15:25")
    assert "vp 1.5" in bartizan("cards", marsh).out


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("score_scale = 10", "score_scale = 1.5", "from 2 to 1000: score_scale = 10 if the rules count tenths"),
        ("points = Tokens()", "marks = Tokens()", "score_scale needs a score"),
        ('"gold": 155', '"gold": 15.5', "write score_scale = 10 and count tenths, here 155"),
        (', scale={"vp": 10}', "", 'scale={"vp": 10}) converts it to tenths; if it counts points, also write score_sc'),
    ],
)
def test_a_wrong_declaration_is_rejected(tmp_path, old, new, said):
    (tmp_path / "cards.csv").write_text(CARDS)
    without_tiers = re.sub("tiers = .*", "", MARSH) if "Tokens" in old else MARSH
    (tmp_path / "marsh.py").write_text(without_tiers.replace(old, new))
    assert said in refused("run", tmp_path / "marsh.py")


# ---------------------------------------------------------------- parts


def test_a_division_is_exact():
    rows = pl.DataFrame({"score": [141, None, -5], "score_0": [3, 4, 5], "turn": [10, 20, 30]})
    scaled = with_points(rows, Reporting(score_scale=10, scores="score_{}"))
    assert scaled["score"].to_list() == [14.1, None, -0.5] and scaled["score_0"].to_list() == [0.3, 0.4, 0.5]
    assert scaled["turn"].to_list() == [10, 20, 30], "141 * 0.1 is not 14.1"
    assert with_points(rows, None) is rows


def test_sums_do_not_depend_on_the_order_of_the_games(marsh):
    (cell,) = open_sweep(marsh.parent / "results").cells
    frame = cell.scan().collect()
    one, other = (tally(games.lazy(), cell).sums for games in (frame, frame.reverse()))
    assert one.equals(other)


def test_decimals_of_an_engine_in_another_language_are_kept():
    kind = [("game", "i8"), ("winner", "i1"), ("turn", "u4"), ("score", "f8")]
    engine = type("Engine", (), {"nulls": {}, "reporting": None})
    assert columns_of(np.array([(0, 0, 3, 15.4)], kind), engine)["score"].to_list() == [15.4]


def test_numbers_have_the_decimals_of_the_records():
    assert words.quantile(Interval(15.0, 14.2, 15.0, 0.95, "order statistics")) == ("15.0", "14.2–15.0")
    assert words.whole(Interval(13, 12, 13, 0.95, "order statistics")) == "13 (12–13)"
    assert words.decimals(15, 16) == 0 and words.decimals(0.1 + 0.2) == 1 and words.decimals(1 / 3) == 3
    assert tier_labels({"gold": 15.5, "rest": -1e18}, {}, 10) == {"gold": "gold (15.5+)", "rest": "rest (15.4 or less)"}


def test_equal_means_are_ties_in_whichever_order_they_were_added():
    assert mid_p(np.array([0.1 + 0.2, 0.3]), 0.3) == mid_p(np.array([3, 3]), 3)


@pytest.mark.parametrize(
    ("scales", "why"),
    [
        (
            "[column_scales.deck]\nvpp = 10",
            'column_scales.deck.vpp: deck has no such column of numbers; did you mean "vp"?',
        ),
        ("[column_scales.deck]\nname = 10", "column_scales.deck.name: deck has no such column of numbers"),
        ("[column_scales.deck]\nvp = 0", "column_scales.deck.vp = 0: write 2 or more"),
        ("[column_scales.dek]\nvp = 10", "column_scales.dek: the game has no such deck"),
    ],
)
def test_a_scale_of_no_column_is_one_line(marsh, tmp_path, scales, why):
    """A KeyError and a ZeroDivisionError, or no word, for a scenario edited by hand."""
    (tmp_path / "mine.toml").write_text(f'name = "mine"\nextends = "standard"\n\n{scales}\n')
    assert why in refused("cards", marsh, "--scenario", tmp_path / "mine.toml")


def test_units_of_what_rules_count_are_named(marsh):
    assert re.search(r"deck.heron.vp = 15 +\[\S+ .. \S+, in tenths\]", bartizan("describe", marsh, "--knobs").out)
    assert "this column in tenths: write 15" in refused("run", marsh, "--set", "deck.heron.vp=1.5", *GAMES)
    assert as_counted({"score": {"scale": 10}}) == "; as the rules count it, not divided by 10 like the score"
    assert as_counted({"score": {}}) == as_counted({"score": None}) == ""
