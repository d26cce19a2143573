"""`compare -o` and `tune -o` count repeated looks at more games of one seed, and verdicts pay for them."""

import json

import pytest

from bartizan.analyses.statistics.looks import level_of, plain_level_of
from tests.cli.run_cli import RUIN, answer_of, few_pilot_games

TUNE = ("tune", RUIN, "--knob", "bets.start=9,10,11", "--target", "win_rate=0.40..0.41", "--games", 200)
CHANGED = ("compare", RUIN, "--change", "bets.start=11")


@pytest.mark.parametrize("place", ["tuned.json", "folder"])
def test_tune_counts_looks(tmp_path, place):
    """The same games again are the same look; another target is another question."""
    at, looks = tmp_path / place, []
    for fresh in (400, 800, 400, 1600):
        looks.append(answer_of(*TUNE, "--fresh", fresh, "-o", at, codes=(0, 3)))
    assert [one["look_number"] for one in looks] == [1, 2, 1, 3]
    assert [one["looks"] for one in looks] == [[400], [400, 800], [400, 800], [400, 800, 1600]]
    for one in looks:
        assert one["looks_counted"]
        level = 1 - (1 - level_of(one["look_number"])) / len(one["checked"])  # all that are checked hold together
        assert one["winner"]["fresh"]["estimate"]["level"] == pytest.approx(level)
    other = answer_of(*TUNE[:5], "win_rate=0.30..0.31", "--games", 200, "--fresh", 1600, "-o", at, codes=(0, 3))
    assert other["look_number"] == 1
    once = answer_of(*TUNE, "--fresh", 1600, codes=(0, 3))
    assert not once["looks_counted"] and "look_number" not in once
    assert once["winner"]["fresh"]["estimate"]["level"] in (0.95, 0.975)


def test_a_screen_and_a_search_of_several_values_count_looks(tmp_path):
    several = (*TUNE[:2], "--knob", "bets.start=9,10", "--knob", "bets.goal=20,21", *TUNE[4:])
    for args in ((*TUNE[:2], "--path", "bets.start", *TUNE[4:]), several):
        at = tmp_path / f"{len(args)}.json"
        looks = [answer_of(*args, "--fresh", fresh, "-o", at, codes=(0, 3)) for fresh in (200, 400)]
        assert [one["look_number"] for one in looks] == [1, 2]
        assert looks[1]["best"]["fresh"]["estimate"]["level"] >= level_of(2) - 1e-12


def test_compare_counts_looks(tmp_path):
    """The p of a later look is weighed by its share of 5 %, its interval is wider; asked again it is the same look."""
    looks = [answer_of(*CHANGED, "--games", games, "-o", tmp_path) for games in (300, 600)]
    assert [one["look_number"] for one in looks] == [1, 2] and looks[1]["looks"] == [300, 600]
    assert [one["difference"]["level"] for one in looks] == [plain_level_of(1), plain_level_of(2)]
    plain = answer_of(*CHANGED, "--games", 600)
    for row, once in zip(looks[1]["effects"], plain["effects"], strict=True):
        assert row["p"] == once["p"]
        assert row["p_adjusted"] == pytest.approx(min(once["p_adjusted"] * 0.05 / (1 - level_of(2)), 1.0), rel=1e-6)
    assert not plain["looks_counted"]
    answer_of(*CHANGED, "--games", 600, "-o", tmp_path)
    kept = json.loads((tmp_path / "compare.json").read_text(encoding="utf-8"))
    assert (kept["look_number"], kept["looks"], kept["effects"]) == (2, [300, 600], looks[1]["effects"])


def test_a_luck_adjusted_difference_pays_for_looks_too(tmp_path):
    with few_pilot_games():
        looks = [answer_of(*CHANGED, "--luck-adjusted", "--games", games, "-o", tmp_path) for games in (300, 600)]
    levels = [one["luck_adjusted"]["difference"]["level"] for one in looks]
    assert levels == [plain_level_of(1), plain_level_of(2)] == [one["difference"]["level"] for one in looks]
