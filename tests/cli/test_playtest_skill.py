"""`bartizan playtest skill` and `playtest plan`: plays made up by policies of known noise, laid against the scale; and what is refused."""

import json
import re
from functools import partial
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

import bartizan as bz
from bartizan.analyses.people.checks import GROUPS, Groups, _numbers, _one, _places, longest, match
from bartizan.analyses.people.log import LOG, frame_of
from bartizan.analyses.people.skill import Finished, PeoplePlay, join
from bartizan.analyses.statistics.testing import holm
from tests.cli.run_cli import PIG, answer_of, answered, bartizan, error_line

SECRETARY = "tests/games/secretary/secretary.py"
BASE = "eager:let_pass=3"
QUICK = ("--games", 2000, "--policy", BASE, "--noise", "0.1,0.2,0.4")
KEYS = {
    "schema", "game", "policy", "plays", "people", "noise", "skill", "levels", "one_scale", "checks", "left_out",
    "rungs", "seed", "sentence", "assumed", "method",
}  # fmt: skip


def made_up(folder, rate: float, plays: int = 60, testers: int = 12, game: str = "secretary", seed: int = 1, **columns):
    """A folder of plays that nobody played: each won with the chance `rate`."""
    random = np.random.default_rng(seed)
    rows = [
        {
            "play_id": f"p{i:03}",
            "source": "made-up.csv",
            "game": game,
            "player_key": f"tester {i % testers}",
            "result": "win" if random.random() < rate else "loss",
            "kept": True,
            "row": i + 2,
            **columns,
        }
        for i in range(plays)
    ]
    folder.mkdir(exist_ok=True)
    frame_of(rows).write_parquet(folder / LOG)
    return folder


answer = partial(answer_of, "playtest", "skill")


def test_people_who_play_like_a_policy_with_noise_are_found_there(tmp_path):
    """A made-up group wins as often as the copy with noise 0.2 does in games of another seed."""
    rate = bartizan("run", SECRETARY, "--policy", f"{BASE},noise=0.2", "--games", 4000, "--seed", 7, "--json").json[
        "win_rate"
    ]["estimate"]
    document = answer(
        SECRETARY, "--plays", made_up(tmp_path / "plays", rate, 200, 50, seed=2), *QUICK, "-o", tmp_path / "out.json"
    )
    assert set(document) >= KEYS and document["schema"] == "bartizan.playtest.skill/1"
    assert document["noise"]["low"] < 0.2 < document["noise"]["high"] and document["noise"]["level"] == 0.9
    assert document["plays"] == 200 and document["people"] == 50 and document["unnamed"] == 0
    assert not document["made_up"]
    (level,) = document["levels"]
    assert level["these"]["low"] < rate < level["these"]["high"]
    assert level["newcomer"]["estimate"] < level["new_tester"]["estimate"] < level["expert"]["estimate"]
    assert document["one_scale"] is None, "one level says nothing of levels"
    assert json.loads((tmp_path / "out.json").read_text(encoding="utf-8")) == document


def test_for_a_reader_and_the_same_with_any_threads(tmp_path):
    folder = made_up(tmp_path / "plays", 0.3, rounds=10, edition="made up")
    one, two = (bartizan("playtest", "skill", SECRETARY, "--plays", folder, *QUICK, "--jobs", jobs) for jobs in (1, 2))
    assert one.out == two.out and one.code == 0
    first, *rest = one.out.splitlines()
    for part in (
        "your testers play like eager:let_pass=3 with noise",
        "90\xa0% posterior interval, 60 plays by 12 testers",
        "2,000 games per cell, seed 1",
    ):
        assert part in first, part
    for part in (
        "These are synthetic play records",
        "scale, in logits",
        "skill of these people",
        "newcomer: 10th percentile",
        "the plays alone do not show this (exact binomial TOST",
        "Common scale: not tested",
        "mean length in turns",
    ):
        assert part in "\n".join(rest), part
    following = f"{SECRETARY} --plays {folder} --policy {BASE} --noise 0.1,0.2,0.4 --games 2000"
    assert rest[-1].startswith("Next: bartizan playtest plan ")
    assert rest[-1].endswith(following), "asked of the same policies"


def test_python_answers_what_the_command_prints(tmp_path):
    folder = made_up(tmp_path / "plays", 0.3)
    game = bz.game(SECRETARY)
    options = {"plays": folder, "games": 2000, "policy": BASE, "noise": "0.1,0.2,0.4"}
    assert game.playtest_skill(**options).to_dict() == answer(SECRETARY, "--plays", folder, *QUICK)
    more = bartizan("playtest", "plan", SECRETARY, "--plays", folder, *QUICK, "--json").json
    assert game.playtest_plan(**options).to_dict() == more
    assert (
        bz.playtest_plan(sim=0.7, people=0.5).to_dict()
        == bartizan("playtest", "plan", "--sim", "0.7", "--people", "0.5", "--json").json
    )


def test_who_is_beyond_the_scale_is_said_in_words(tmp_path):
    worse = answer(SECRETARY, "--plays", made_up(tmp_path / "worse", 0.02, 80), *QUICK)
    assert "worse than eager:let_pass=3 with noise 0.4" in worse["sentence"] and worse["below_the_scale"] > 0.5
    better = answer(SECRETARY, "--plays", made_up(tmp_path / "better", 0.9, 80), *QUICK)
    assert "better than eager:let_pass=3, or like it with noise up to" in better["sentence"]


def test_what_differs_from_the_policies_is_told_with_its_p(tmp_path):
    document = answer(SECRETARY, "--plays", made_up(tmp_path / "plays", 0.35, rounds=6, ending="Decided"), *QUICK)
    checks = {row["kind"]: row for row in document["checks"]}
    assert checks["turns"]["differs"] and checks["turns"]["p_adjusted"] < 0.01 and checks["turns"]["seen"] == 6
    assert not checks["lost"]["differs"] and checks["lost"]["name"] == "decided" and checks["lost"]["plays"] == 60
    families = 3  # plays against policies, learning, and equal win rates; one level has no distances between levels
    for rows in (document["checks"], [level["equivalence"] for level in document["levels"]]):
        assert [row["p_adjusted"] for row in rows] == holm([row["p"] for row in rows], families)
    odd = answer(SECRETARY, "--plays", made_up(tmp_path / "odd", 0.35, ending="the cat"), *QUICK)
    assert odd["unmatched_endings"] == ["the cat"] and not odd["checks"]


def test_people_between_two_rungs_are_laid_beside_games_of_both():
    """Three quarters of the way from a policy that always wins to one that never does."""
    lost, none = np.full((50, 2), ""), np.zeros(50)
    cells = {(noise, "a"): Finished(np.full(50, not noise), none, none, lost) for noise in (0.0, 0.5)}
    yard = SimpleNamespace(skills=np.array([[2.0, 0.0]]), noises=(0.0, 0.5), cells=cells)
    place = _places(yard, np.full((4000, 1), 0.5), np.zeros(4000, int))[:, 0]
    won, *_ = _one(yard, "a", place, np.random.default_rng(1))
    assert won.mean() == pytest.approx(1 / 4, abs=0.03)


def test_scores_of_wins_alone_are_laid_beside_wins():
    """Every win of a policy scores 10, every loss 0: who writes down wins only is no better than the policies."""
    random = np.random.default_rng(1)
    won = random.random((GROUPS, 6)) < 0.3
    groups = Groups(won, np.where(won, 10.0, 0.0), np.full(won.shape, 5.0), np.full((*won.shape, 2), ""))
    plays = [PeoplePlay(("a",), "x", i < 3, None, 10.0 if i < 3 else None, 5.0, "", "") for i in range(6)]
    found = {one.kind: one for one in _numbers(plays, groups)}
    assert (found["score"].plays, found["score"].expected.estimate, found["score"].p) == (3, 10, 1.0)
    assert (found["turns"].plays, found["turns"].expected.estimate) == (6, 5)


def test_a_scored_loss_is_laid_beside_losses_that_have_a_score():
    """A win scores 10; of the losses 1 in 10 scores -5, the others nothing. Who plays so is like the policies."""
    random = np.random.default_rng(1)
    won = random.random((GROUPS, 9)) < 0.4
    score = np.where(won, 10.0, np.where(random.random(won.shape) < 0.1, -5.0, np.nan))
    groups = Groups(won, score, np.full(won.shape, 5.0), np.full((*won.shape, 2), ""))
    plays = [PeoplePlay(("a",), "x", i < 3, None, (10.0, -5.0, None)[i // 3], None, "", "") for i in range(9)]
    (found,) = _numbers(plays, groups)
    assert (found.plays, found.seen, found.expected.estimate, found.p) == (6, 2.5, 2.5, 1.0)
    scored = [play for play in plays if play.score is not None]
    (found,) = _numbers(scored, Groups(*(one[:, :6] for one in (won, score, groups.turn, groups.ended))))
    assert (found.expected.estimate, found.p) == (2.5, 1.0), "where every play has a score too"


def test_unnamed_people_of_a_file_are_one(tmp_path):
    named, unnamed = (
        answer(SECRETARY, "--plays", made_up(tmp_path / str(index), 0.3, **columns), *QUICK)
        for index, columns in enumerate(({}, {"player_key": None}))
    )
    assert (unnamed["people"], unnamed["unnamed"]) == (1, 1)
    assert "unnamed people, counted as one per file" in unnamed["sentence"]
    wide, narrow = (document["levels"][0]["new_tester"] for document in (unnamed, named))
    assert wide["high"] - wide["low"] > 1.5 * (narrow["high"] - narrow["low"]), "one person says little of others"


def test_people_against_people_have_no_place_on_the_scale(tmp_path):
    rows = [
        {
            "play_id": f"p{i // 2}",
            "source": "made-up.csv",
            "game": "pig",
            "players": 2,
            "seat": i % 2 + 1,
            "result": "win" if i % 2 == (i // 2) % 4 // 3 else "loss",
            "rounds": 20,
            "kept": True,
            "row": i,
        }
        for i in range(40)
    ]
    (tmp_path / "plays").mkdir()
    frame_of(rows).write_parquet(tmp_path / "plays" / LOG)
    document = answer(PIG, "--plays", tmp_path / "plays", "--games", 500)
    assert document["schema"] == "bartizan.playtest.contest/1" and document["skill"] is None and document["plays"] == 20
    assert [(row["wins"], row["plays"]) for row in document["seats"]] == [(15, 20), (5, 20)]
    assert sum(row["policies"] for row in document["seats"]) == pytest.approx(1)
    said = bartizan("playtest", "skill", PIG, "--plays", tmp_path / "plays", "--games", 500).out
    assert "do not show their skill" in said and "15 of 20 (" in said and re.search(r"mean length in turns +20 ", said)


@pytest.mark.parametrize("people", [None, 3])
def test_plays_to_show_that_rivals_win_from_each_seat_as_policies_do(tmp_path, people):
    """Pig, 52 of 100 from the first seat: shown within 20 points, not yet within 5; people who sit there again and again are counted."""
    rows = [
        {
            **{
                "play_id": f"p{i // 2}",
                "source": "made-up.csv",
                "game": "pig",
                "players": 2,
                "seat": i % 2 + 1,
                "kept": True,
                "row": i,
            },
            **{
                "result": "win" if (i // 2 < 52) == (i % 2 == 0) else "loss",
                "player_key": None if people is None else f"k{i % people}",
            },
        }
        for i in range(200)
    ]
    (tmp_path / "plays").mkdir()
    frame_of(rows).write_parquet(tmp_path / "plays" / LOG)
    asked = ("playtest", "plan", PIG, "--plays", tmp_path / "plays", "--games", 2000)
    wide, narrow = (bartizan(*asked, "--margin", margin, "--json").json for margin in (0.2, 0.05))
    assert [(seat["wins"], seat["plays"], seat["more"]) for seat in wide["seats"]] == [(52, 100, 0), (48, 100, 0)]
    assert all(seat["p"] < 0.05 for seat in wide["seats"])
    assert all(seat["needed"] > 100 and seat["more"] == seat["needed"] - 100 for seat in narrow["seats"])
    assert (wide["named"], wide["most"]) == ((0, 0) if people is None else (3, 67))
    said = bartizan(*asked, "--margin", 0.2).out
    assert "assumed to be independent" in said and ("3 named people" in said) == (people is not None)
    refused = bartizan(*asked, "--each", 2)
    assert refused.code == 2 and "--each applies only to games with one side" in refused.err


def test_more_plays(tmp_path):
    folder = made_up(tmp_path / "plays", 0.3, 12, 4)
    result = answered("playtest", "plan", SECRETARY, "--plays", folder, *QUICK, "--band", "0.05..0.5")
    assert result.code == 0 and "would give a verdict for standard" in result.out and "with probability" in result.out
    needs = [row["testers"] for row in result.json["levels"][0]["more"] if "testers" in row]
    assert needs == sorted(needs) and needs


def test_plans_without_plays():
    document = bartizan("playtest", "plan", "--sim", "0.7", "--people", "0.5", "--each", 5, "--json").json
    (row,) = document["rows"]
    assert (row["plays_once_each"], row["plays"], row["testers"]) == (52, 80, 16) and row["power"] > 0.8
    usual = answered("playtest", "plan").out
    for part in ("70 %    50 %     52       52", "50 %       30 %     93       93", "50 %   10 pp    214      214"):
        assert part in usual, part
    assert "more than 3,000 plays" in answered("playtest", "plan", "--sim", "0.5", "--people", "0.505").out
    rare = answered("playtest", "plan", "--sim", "0.0004", "--people", "0.5").out  # as a newcomer wins
    assert " 0.04 %  " in rare


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("plan", "--people", "0.5"), "requires --sim"),
        (("plan", "--sim", "0.5"), "requires --people"),
        (("plan", "--sim", "0.5", "--people", "0.5"), "the two win rates must differ"),
        (("plan", "--levels", "0.5"), "give two shares"),
        (("plan", SECRETARY), "GAME requires --plays DIR"),
        (("plan", "--plays", "nowhere"), "--plays requires GAME"),
        (("plan", SECRETARY, "--plays", "nowhere", "--sim", "0.5"), "plans without plays"),
        (("skill", SECRETARY, "--plays", "nowhere"), "contains no plays"),
    ],
)
def test_what_cannot_be_is_refused(args, said):
    result = answered("playtest", *args)
    assert result.code == 2 and said in error_line(result)


def test_plays_that_say_nothing_are_refused_with_the_reason(tmp_path):
    other = made_up(tmp_path / "other", 0.3, game="chess")
    assert "it contains plays of chess" in error_line(
        bartizan("playtest", "skill", SECRETARY, "--plays", other, *QUICK)
    )
    unknown = made_up(tmp_path / "unknown", 0.3, 5)
    frame = frame_of(
        [{"play_id": "a", "source": "made-up.csv", "game": "secretary", "result": "unknown", "kept": True, "row": 1}]
    )
    frame.write_parquet(unknown / LOG)
    assert "result unknown: 1" in error_line(bartizan("playtest", "skill", SECRETARY, "--plays", unknown, *QUICK))


def test_every_play_is_used_or_left_out_with_its_reason():
    seat = {"source": "made-up.csv", "game": "itter", "kept": True, "row": 2}
    rows = [
        {**seat, "play_id": "a", "level": "novice", "player_key": "x", "result": "win", "first_play": True},
        {**seat, "play_id": "a", "level": "novice", "player_key": "y", "result": "win", "first_play": False},
        {**seat, "play_id": "b", "level": "novice", "player_key": "x", "result": "win"},
        {**seat, "play_id": "b", "level": "novice", "player_key": "y", "result": "loss"},
        {**seat, "play_id": "c", "result": "loss"},
        {**seat, "play_id": "d", "level": "elite", "result": "loss"},
        {**seat, "play_id": "e", "level": "novice", "result": "draw"},
        {**seat, "play_id": "f", "level": "novice", "result": "win", "kept": False},
        {**seat, "play_id": "g", "level": "novice", "result": "win", "game": "chess"},
    ]
    found = join(frame_of(rows), "itter", ["novice"], ["novice", "elite"])
    assert [(play.people, play.won, play.first) for play in found.plays] == [
        (("x", "y"), True, 0.5),
        (("unnamed, made-up.csv",), False, None),
    ]
    assert found.left_out == {
        "level elite is not on the scale": 1,
        "level unknown": 1,
        "several results at one table": 1,
    }


def test_plays_of_several_editions_are_not_mixed(tmp_path):
    """The rules of two editions differ, so their win rates are two answers, not one mean."""
    first, second = (
        made_up(tmp_path / edition, rate, 30, 6, edition=edition) for edition, rate in (("v1", 0.2), ("v2", 0.6))
    )
    both = made_up(tmp_path / "both", 0.5)
    parts = [pl.read_parquet(folder / LOG) for folder in (first, second)]
    parts[1] = parts[1].with_columns(play_id="second " + pl.col("play_id"))
    pl.concat(parts).write_parquet(both / LOG)
    asked = (SECRETARY, "--plays", both, *QUICK)
    said = error_line(bartizan("playtest", "skill", *asked))
    assert 'several editions, whose rules may differ: "v1" (30), "v2" (30)' in said and '--edition "v1"' in said
    assert "several editions" in error_line(bartizan("playtest", "plan", *asked))
    assert 'no plays of secretary of this edition; the editions are "v1"' in error_line(
        bartizan("playtest", "skill", *asked, "--edition", "v3")
    )
    document, alone = answer(*asked, "--edition", "V1"), answer(SECRETARY, "--plays", first, *QUICK)
    assert document["levels"] == alone["levels"] and document["plays"] == 30 and document["edition"] == "V1"
    parts[1] = parts[1].with_columns(edition=pl.lit(None, pl.String))
    pl.concat(parts).write_parquet(both / LOG)
    assert '; 30 without an edition counted as "v1"' in bartizan("playtest", "skill", *asked).out


def test_endings_are_matched_where_only_one_can_be_meant():
    names = ["breach", "deck ran out", "track of areas 1–6"]
    assert [match(said, names) for said in ("Breach!", "track of areas 1-6", "ran out", "a", "", "the cat")] == [
        "breach",
        "track of areas 1–6",
        "deck ran out",
        "",
        "",
        "",
    ]


def test_the_longest_row_of_losses():
    assert longest(np.array([[1, 1, 0, 1], [0, 0, 0, 0], [1, 1, 1, 1]], bool)).tolist() == [2, 0, 4]
