"""Claims: how they are read, which cells they speak of, and what becomes of them; winners made up, answers known."""

import json
import shutil

import numpy as np
import polars as pl
import pytest
from scipy.special import ndtri

from bartizan.analyses.records import claims
from bartizan.analyses.records.claims import CONFIDENCES, FAIL, INCONCLUSIVE, PASS, overall, presets
from bartizan.analyses.statistics.intervals import LEAST_P, confidence_sequence, mean, mean_sequence, wilson
from bartizan.analyses.statistics.looks import level_of, spent
from bartizan.analyses.statistics.paired import Values
from bartizan.analyses.statistics.pairs import EXACT, Pairs, watched_difference
from bartizan.analyses.statistics.testing import false_discovery, holm, joint_level
from bartizan.reports import write_report
from bartizan.reports.text import claims as text
from bartizan.simcore.errors import EngineError, UsageError
from bartizan.simcore.sweep import looks
from tests.sweeps import make_sweep, records, solo_cell

COLUMNS = {
    name: kind
    for name, kind in {
        "game": "<u4",
        "turn": "|u1",
        "score": "<i2",
        "casualties": "|u1",
        "escaped": "|b1",
        "breach_circle": "|i1",
    }.items()
}


def cell(difficulty, name="garrison", **changes):
    policy = {"role": "defender", "name": name, "as_named": f"{name}:reserve=10", "weights": {}, "about": "."}
    return solo_cell(
        **{"id": f"{difficulty}.{name}", "difficulty": difficulty, "policies": [policy], "columns": COLUMNS, **changes}
    )


def winners(n, wins, capped=0):
    """`wins` games won, `capped` cut off, the others lost; every game's number in its place."""
    frame = records(n, loss=1.0)
    won = pl.Series([0] * wins + [-2] * capped + [-3] * (n - wins - capped), dtype=pl.Int8)
    return frame.with_columns(winner=won, turn=pl.lit(5, pl.UInt8))


@pytest.fixture
def three_levels(tmp_path):
    """Novice, veteran and elite, won 700, 400 and 360 times of 1,000: a game won at a harder level is
    won at an easier one too.
    """

    def make(tables, **changes):
        cells = [
            (cell(level), winners(1000, wins)) for level, wins in {"novice": 700, "veteran": 400, "elite": 360}.items()
        ]
        return make_sweep(tmp_path, cells, claims=tables, **changes)

    return make


def judged(sweep):
    return claims.judge(sweep)


# ---------------------------------------------------------------- verdicts


@pytest.mark.parametrize(
    ("band", "verdict"),
    [
        ([0.35, 0.45], PASS),
        ([0.30, 0.36], FAIL),
        ([0.45, 0.9], FAIL),
        ([0.38, 0.5], INCONCLUSIVE),
        ([0.0, 0.45], PASS),
        ([0.3685, 0.4325], PASS),
        ([0.3695, 0.4325], INCONCLUSIVE),
    ],
)
def test_a_band(three_levels, band, verdict):
    """400 of 1,000: Wilson 36.9 to 43.2 % at the 96 % of a first look."""
    (one,) = judged(three_levels([{"difficulty": "veteran", "band": band}]))
    assert one.verdict == one.alone == verdict
    assert one.interval == wilson(400, 1000, one.level) and one.level == pytest.approx(0.96)
    assert (one.p <= 0.04) == (verdict != INCONCLUSIVE)


def test_p_is_that_of_the_score_test(three_levels):
    (one,) = judged(three_levels([{"difficulty": "veteran", "band": [0.37, 1.0]}]))
    from scipy.stats import norm

    assert one.p == pytest.approx(2 * norm.sf((0.40 - 0.37) / (0.37 * 0.63 / 1000) ** 0.5), rel=1e-6)


def test_claims_are_adjusted_for_each_other(three_levels):
    """Two that are clear by themselves; one of them not when both are looked at."""
    found = judged(
        three_levels([{"difficulty": "veteran", "band": [0.366, 0.9]}, {"difficulty": "elite", "band": [0.329, 0.9]}])
    )
    assert [one.alone for one in found] == [PASS, PASS]
    assert [one.adjusted for one in found] == pytest.approx(holm([one.p * 0.05 / spent(1) for one in found]))
    rows = text.rows(found, {"veteran.garrison": "V", "elite.garrison": "E"})
    open_ones = [row for row in rows if row["verdict"] == INCONCLUSIVE]
    assert open_ones and all("PASS without the adjustment for all claims" in row["finding"] for row in open_ones)


def test_a_claim_about_several_cells_is_one_about_each(three_levels):
    found = judged(three_levels([{"band": [0.36, 0.45]}]))
    assert [(one.case.cells[0].id, one.verdict) for one in found] == [
        ("novice.garrison", FAIL),
        ("veteran.garrison", PASS),
        ("elite.garrison", INCONCLUSIVE),
    ]
    assert overall(one.verdict for one in found) == FAIL
    assert overall([PASS, INCONCLUSIVE]) == INCONCLUSIVE and overall([PASS]) == PASS and overall([]) == PASS


def test_the_games_still_needed(three_levels):
    """Estimate 0.40, edge 0.38: the half-width must fall to 0.02, at p = .4 and the level of the
    second look that takes 0.24 (2.81 / 0.02)^2 = 4,728 games; Wilson near enough.
    """
    (one,) = judged(three_levels([{"difficulty": "veteran", "band": [0.38, 0.5]}]))
    z = ndtri(1 - spent(2) / 2)
    assert one.needed == pytest.approx(0.24 * (z / 0.02) ** 2, rel=0.05) and not one.on_edge


def test_an_estimate_on_the_edge(three_levels):
    (edge,) = judged(three_levels([{"difficulty": "veteran", "band": [0.40, 0.5]}]))
    assert edge.on_edge and edge.needed == 100_000 and edge.p == 1
    (row,) = text.rows([edge], {"veteran.garrison": "Veteran"})
    assert "at least 100,000 games are needed, and no number may be enough" in row["finding"]


@pytest.mark.parametrize(
    ("capped", "band", "verdict"),
    [(20, [0.35, 0.47], PASS), (200, [0.35, 0.47], INCONCLUSIVE), (200, [0.7, 0.8], FAIL), (200, [0.3, 0.7], PASS)],
)
def test_games_cut_off_are_bounds(tmp_path, capped, band, verdict):
    (one,) = judged(make_sweep(tmp_path, [(cell("novice"), winners(1000, 400, capped))], claims=[{"band": band}]))
    assert one.verdict == verdict and "bounds" in one.interval.method
    if verdict == INCONCLUSIVE:  # 40 to 60 %: an edge lies between them
        assert one.needed is None
        assert "more games cannot decide" in text.rows([one], {"novice.garrison": "N"})[0]["finding"]


def test_a_mean_over_games_cut_off_cannot_be_told(tmp_path):
    (one,) = judged(
        make_sweep(tmp_path, [(cell("novice"), winners(1000, 400, 1))], claims=[{"measure": "turns", "band": [1, 9]}])
    )
    assert one.verdict == INCONCLUSIVE and one.interval is None
    assert "the mean has no bounds" in text.rows([one], {"novice.garrison": "N"})[0]["finding"]


# ---------------------------------------------------------------- orders


def test_an_order_is_paired(three_levels):
    """Veteran and elite differ in 40 games of 1,000, all to the same side: clear in pairs, not as
    independent shares.
    """
    found = judged(three_levels([{"order": ["novice", "veteran", "elite"]}]))
    assert [(one.case.cells[0].difficulty, one.case.cells[1].difficulty, one.verdict) for one in found] == [
        ("novice", "veteran", PASS),
        ("veteran", "elite", PASS),
    ]
    assert [one.interval.estimate for one in found] == pytest.approx([0.3, 0.04])
    assert found[1].sample.factor > 10


@pytest.mark.parametrize(
    ("table", "verdict"),
    [
        ({"order": ["elite", "veteran"]}, FAIL),
        ({"order": ["veteran", "elite"], "by": 0.1}, FAIL),
        ({"order": ["novice", "veteran"], "by": 0.25}, PASS),
        ({"order": ["novice", "veteran"], "by": 0.29}, INCONCLUSIVE),
        ({"order": ["novice", "elite"], "measure": "turns"}, INCONCLUSIVE),  # all equal: a mean has no interval
    ],
)
def test_orders(three_levels, table, verdict):
    (one,) = judged(three_levels([table]))
    assert one.verdict == verdict


def test_an_order_over_a_path_and_over_policies(tmp_path):
    cells = [(cell("novice", id=f"n{n}", set={"turn.actions": n}), winners(500, 300 - 100 * n)) for n in (0, 1)]
    cells += [(cell("novice", "greedy", id="g", set={"turn.actions": 1}), winners(500, 100))]
    sweep = make_sweep(
        tmp_path,
        cells,
        claims=[
            {"order": [0, 1], "over": "turn.actions"},
            {"order": ["garrison", "greedy"], "over": "policy", "set": {"turn.actions": 1}},
        ],
    )
    found = judged(sweep)
    assert [([c.id for c in one.case.cells], one.verdict) for one in found] == [
        (["n0", "n1"], PASS),
        (["n1", "g"], PASS),
    ]
    assert "falls by 20 percentage points" in text.rows(found, {"n0": "a", "n1": "b", "g": "c"})[0]["finding"].replace(
        "20.0", "20"
    )


# ---------------------------------------------------------------- measures


@pytest.mark.parametrize(
    "measure",
    [
        "score",
        "turns",
        "tier:Gold",
        "tier:none",
        "tier:lost",
        "end:breach",
        "end:deck ran out",
        "mean:casualties",
        "mean:escaped",
        "draw_rate",
        "win_rate",
    ],
)
def test_measures(tmp_path, measure):
    """Against a plain count over the same rows."""
    frame = records(3000, loss=0.3, seed=5)
    rows = frame.to_dicts()
    scored = [row["score"] for row in rows if row["score"] is not None]
    known = {
        "score": np.mean(scored),
        "turns": np.mean([row["turn"] for row in rows]),
        "tier:Gold": sum(s >= 20 for s in scored) / 3000,
        "tier:none": sum(s < 1 for s in scored) / 3000,
        "tier:lost": 1 - len(scored) / 3000,
        "end:breach": sum(row["end_reason"] == 3 for row in rows) / 3000,
        "end:deck ran out": sum(row["end_reason"] == 4 for row in rows) / 3000,
        "mean:casualties": np.mean([row["casualties"] for row in rows]),
        "mean:escaped": np.mean([row["escaped"] for row in rows]),
        "draw_rate": sum(row["winner"] == -1 for row in rows) / 3000,
        "win_rate": sum(row["winner"] == 0 for row in rows) / 3000,
    }
    band = [0.0, 1.0] if known[measure] <= 1 else [0, 99]
    (one,) = judged(make_sweep(tmp_path, [(cell("novice"), frame)], claims=[{"measure": measure, "band": band}]))
    assert one.interval.estimate == pytest.approx(known[measure]) and one.verdict == PASS and one.p == LEAST_P


def test_a_watched_sweep_has_confidence_sequences(three_levels):
    tables = [
        {"difficulty": "veteran", "band": [0.36, 0.44]},
        {"order": ["novice", "veteran"]},
        {"difficulty": "elite", "measure": "mean:casualties", "band": [1, 20]},
    ]
    found = judged(three_levels(tables, precision=0.01))
    assert [one.interval.method for one in found] == [
        "confidence sequence",
        "confidence sequence of a mean",
        "confidence sequence of a mean",
    ]
    assert [one.verdict for one in found] == [INCONCLUSIVE, PASS, PASS]


def test_a_watched_difference_of_games_that_are_alike_has_the_interval_of_every_look(tmp_path):
    """Wins are equal in all games, then in all but 20: no interval of a single look, and none from a limit theorem."""
    for differing, half_width in ((0, 0.0094), (20, None)):
        cells = [(cell(level), winners(1000, 500 - less)) for level, less in (("novice", 0), ("veteran", differing))]
        claimed = [{"order": ["novice", "veteran"], "by": 0.05}]
        (one,) = judged(make_sweep(tmp_path / str(differing), cells, claims=claimed, precision=0.01))
        expected = watched_difference(Pairs(differing, 0, 1000 - differing), one.level)
        assert (one.interval.low, one.interval.high) == pytest.approx((expected.low, expected.high))
        assert one.interval.method == EXACT
        assert half_width is None or one.interval.high == pytest.approx(half_width, abs=2e-3)


def test_equal_values_that_are_watched():
    """Half a win in every game: another value is as rare as `confidence_sequence` says, and may be either end."""
    found = Values(*(np.array([one]) for one in (0.5, 0.5, 400.0)), (-1.0, 1.0)).sequence(0.95)
    rare = confidence_sequence(0, 400).high
    assert (found.low, found.high) == pytest.approx((0.5 - 1.5 * rare, 0.5 + 0.5 * rare))
    assert found.low < Values(*(np.array([one]) for one in (0.5, 0.5, 400.0)), (-1.0, 1.0)).interval(0.95).low


def test_the_sequence_of_a_mean_holds_at_every_look():
    """Standard normal values, looked at 40 times from 100 on: misses 0 in at most 5 % of 400 runs; a
    t interval in far more.
    """
    values = np.random.default_rng(3).standard_normal((400, 4000))
    looks = range(100, 4001, 100)
    totals, squares = values.cumsum(axis=1), (values**2).cumsum(axis=1)
    sums = [[mean(n, totals[run, n - 1], squares[run, n - 1], 0) for n in looks] for run in range(400)]
    misses = sum(any(not (i := mean_sequence(m)).low <= 0 <= i.high for m in run) for run in sums)
    fixed = sum(any(not (i := m.interval()).low <= 0 <= i.high for m in run) for run in sums)
    assert misses <= 400 * 0.05 + 3 * (400 * 0.05 * 0.95) ** 0.5 < fixed


# ---------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"bnad": [0.1, 0.2], "band": [0.1, 0.2]}, 'bnad: unknown key; did you mean "band"?'),
        ({"title": "nothing"}, "give exactly one of band"),
        ({"band": [0.1, 0.2], "order": ["novice", "elite"]}, "band and order: give exactly one of"),
        ({"band": [0.1, 0.2], "by": 0.1}, "by: unknown key"),
        ({"band": [35, 45]}, "fractions of 1"),
        ({"band": [0.5, 0.4]}, "the lower one first"),
        ({"band": [0.4]}, "two numbers"),
        ({"band": [0.4, float("inf")], "measure": "score"}, "two numbers"),
        ({"preset": "coop"}, 'unknown preset "coop"'),
        ({"preset": "coop-hard", "measure": "score"}, "bands of win rates"),
        ({"order": ["novice"]}, "two or more"),
        ({"order": ["novice", "novice"]}, "twice"),
        ({"order": ["novice", "elite"], "by": -1}, "by: must be a number of at least 0"),
        ({"order": ["novice", "elite"], "difficulty": "novice"}, "cannot also be a filter"),
        ({"band": [0.1, 0.2], "measure": "win"}, "measure: unknown measure win"),
        (
            {"band": [0.1, 0.2], "measure": "tier:Golden"},
            'no tier Golden in cell novice.garrison; did you mean "Gold"?',
        ),
        ({"band": [0.1, 0.2], "measure": "end:breech"}, 'did you mean "breach"?'),
        ({"band": [1, 2], "measure": "mean:casualty"}, 'did you mean "casualties"?'),
        ({"band": [1, 2], "measure": "mean:breach_circle"}, "not a numeric column"),
        ({"band": [0.1, 0.2], "seat": "attacker"}, "no seat attacker in cell"),
        ({"band": [0.1, 0.2], "measure": "draw_rate", "seat": "defender"}, "only win_rate accepts a seat"),
        ({"band": [0.1, 0.2], "difficulty": "vetran"}, 'no cell has vetran; did you mean "veteran"?'),
        ({"band": [0.1, 0.2], "policy": "random"}, "no cell has random"),
        ({"band": [0.1, 0.2], "set": {"turn.actions": 3}}, "no cell has turn.actions=3"),
        ({"band": [0.1, 0.2], "title": 3}, "title: must be text"),
        ({"band": [0.1, 0.2], "difficulty": 3}, "must be text, or a list of texts"),
        ({"band": [0.1, 0.2], "set": 3}, "must be a table"),
        ({"order": ["novice", "expert"]}, "no cell has difficulty expert"),
    ],
)
def test_what_is_wrong_is_refused_with_file_and_key(three_levels, table, said):
    sweep = three_levels([])
    with pytest.raises(UsageError, match="plan: claim 1: ") as refused:
        claims.cases(claims.read([table], "plan"), sweep.cells, False, "plan")
    assert said in str(refused.value) and "\n" not in str(refused.value)


def test_filters_that_together_leave_nothing(tmp_path):
    sweep = make_sweep(tmp_path, [(cell("novice"), winners(10, 5)), (cell("elite", "greedy"), winners(10, 5))])
    with pytest.raises(UsageError, match="no cell matches all its filters"):
        claims.cases(
            claims.read([{"band": [0, 1], "difficulty": "novice", "policy": "greedy"}], "p"), sweep.cells, False, "p"
        )


def test_who_plays():
    seats = [
        {"role": "first", "name": "hold", "as_named": "hold:at=20"},
        {"role": "second", "name": "rush", "as_named": "rush"},
    ]
    table = type("Cell", (), {"policies": seats})
    assert claims._plays("hold", table, False) and not claims._plays("hold", table, True)
    assert claims._plays("hold:at=20+rush", table, True) and claims._plays("hold+rush", table, True)
    assert not claims._plays("rush+hold", table, True)
    assert claims._plays("second=rush", table, True) and not claims._plays("first=rush", table, True)


# ---------------------------------------------------------------- presets and reports


def test_presets_say_who_named_them():
    for name, preset in presets().items():
        assert 0 <= preset.band[0] < preset.band[1] <= 1 and preset.confidence in CONFIDENCES
        assert preset.about
        assert preset.whose, name
        assert ("https://" in preset.source) == (preset.confidence != "assumed"), name


def test_a_report_opens_with_the_claims(three_levels, tmp_path):
    sweep = three_levels(
        [
            {"title": "As hard as Pandemic", "difficulty": "veteran", "preset": "coop-first-play"},
            {"order": ["novice", "veteran", "elite"]},
        ]
    )
    page = write_report(sweep, tmp_path / "r.html").read_text()
    assert page.index('id="answer"') < page.index("<h2>The claims") < page.index("<h2>Every number")
    assert page.count('<li class="pass">') == 3
    assert "As hard as Pandemic" in page and "leagueofgamemakers.com" in page
    assert "2 claims, 3 verdicts: 3 pass" in page and "Schuirmann" in page
    lines = write_report(sweep, tmp_path / "r.md").read_text()
    assert lines.index("## The claims") < lines.index("## Every number") and lines.count("- **PASS** ") == 3
    rows = json.loads(write_report(sweep, tmp_path / "r.json").read_text())["claims"]
    wanted = {
        "title", "measure", "cell", "kind", "verdict", "estimate", "interval", "p", "p_adjusted", "games",
        "games_needed",
    }  # fmt: skip
    assert all(wanted <= row.keys() for row in rows) and [row["kind"] for row in rows] == ["band", "order", "order"]
    assert rows[0]["band"] == [0.35, 0.45] and rows[1]["order"] == ["novice", "veteran", "elite"]
    assert rows[1]["against"] == "novice.garrison"


def test_no_claims_no_word_of_them(three_levels, tmp_path):
    sweep = three_levels([])
    assert "The claims" not in write_report(sweep, tmp_path / "r.html").read_text()
    assert "The claims" not in write_report(sweep, tmp_path / "r.md").read_text()


def test_a_cell_without_a_game_is_open(tmp_path):
    sweep = make_sweep(
        tmp_path,
        [(cell("novice"), winners(10, 5)), (cell("elite"), winners(10, 5)[:0])],
        claims=[{"difficulty": "elite", "band": [0.1, 0.2]}],
    )
    (one,) = judged(sweep)
    assert one.verdict == INCONCLUSIVE
    assert "no games simulated yet" in text.rows([one], {"elite.garrison": "Elite"})[0]["finding"]


def test_holm():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0] and holm([]) == []


def test_families_share_the_level_of_an_answer():
    assert holm([0.01, 0.04], families=2) == pytest.approx([0.04, 0.08])
    assert false_discovery([0.01, 0.04]) == pytest.approx([0.02, 0.04]) and false_discovery([]) == []
    assert false_discovery([0.01, 0.04, 0.9], families=2) == pytest.approx([0.06, 0.12, 1.0])
    assert joint_level(2, 0.95, families=3) == pytest.approx(1 - 0.05 / 6) and joint_level(0, 0.95) == 0.95


def test_the_false_discovery_rate_is_that_of_scipy():
    """Computed here, because scipy.stats takes a second to import."""
    from scipy.stats import false_discovery_control

    random = np.random.default_rng(1)
    for p in ([0.2], [1.0, 1.0, 0.0], [0.03, 0.03, 0.01, 0.04], random.random(50) ** 4):
        assert false_discovery(p) == false_discovery_control(p, method="bh").tolist()


def test_limits_are_written_so_that_their_side_of_an_edge_is_seen(three_levels):
    """Wilson 36.867 to 43.220 %: `36.9–43.2` beside a band from 36.86 % would not say why the claim passes."""
    (one,) = judged(three_levels([{"difficulty": "veteran", "band": [0.3686, 0.5]}]))
    (row,) = text.rows([one], {"veteran.garrison": "Veteran"})
    assert one.verdict == PASS
    assert "40.00 % (36.87–43.22 %), claimed 36.86–50 %" in row["finding"].replace("\u00a0", " ")


def test_a_claim_says_whose_win_rate_it_is_and_whose_band(three_levels):
    """A band of people is held against a policy: the line names both."""
    first, second = judged(
        three_levels([{"difficulty": "veteran", "preset": "coop-first-play"}, {"order": ["novice", "veteran"]}])
    )
    band, order = text.rows([first, second], {"veteran.garrison": "Veteran", "novice.garrison": "Novice"})
    assert (band["whose"], order["whose"]) == ("garrison", "garrison")
    assert "win rate of garrison 40" in band["finding"]
    assert f"claimed 35–45\u00a0% for {presets()['coop-first-play'].whose};" in band["finding"]
    assert order["finding"].startswith("win rate of garrison falls by")


# ---------------------------------------------------------------- repeated looks


def grown(tmp_path, games):
    """The same folder with more games of the same seed: every second one won."""
    won = records(games, loss=1.0).with_columns(
        winner=pl.Series([0, -3] * (games // 2), dtype=pl.Int8), turn=pl.lit(5, pl.UInt8)
    )
    shutil.rmtree(tmp_path / "cells", ignore_errors=True)
    kept = (tmp_path / looks.store.LOOKS).read_bytes() if (tmp_path / looks.store.LOOKS).exists() else None
    sweep = make_sweep(tmp_path, [(cell("veteran"), won)], claims=[{"band": [0.45, 0.55]}])
    if kept:
        (tmp_path / looks.store.LOOKS).write_bytes(kept)
    return sweep


def test_a_look_at_more_games_has_less_alpha_and_the_same_games_are_the_same_look(tmp_path):
    for number, games in enumerate((400, 600, 2000), start=1):
        sweep = grown(tmp_path, games)
        for _ in range(2):  # asked again, nothing changes
            (one,) = judged(sweep)
            assert (one.look, one.level) == (number, pytest.approx(1 - spent(number)))
            assert one.interval == wilson(games // 2, games, one.level)
            assert looks.add(sweep, [claims.look_at([one])])
            record = (tmp_path / looks.store.LOOKS).read_bytes()
        assert looks.add(sweep, [claims.look_at([one])]) and (tmp_path / looks.store.LOOKS).read_bytes() == record
    assert one.verdict == PASS and text.rows([one], {"veteran.garrison": "V"})[0]["looks"] == 3


def test_the_interval_and_the_verdict_of_a_later_look_agree(tmp_path):
    """1,500 games won by half: 47.5 to 52.5 % at 95 %; the third look needs more."""
    sweep = grown(tmp_path, 1500)
    looks.add(sweep, [{"veteran.garrison": 200}, {"veteran.garrison": 800}])
    for band, verdict in (([0.47, 0.53], INCONCLUSIVE), ([0.45, 0.55], PASS)):
        sweep.manifest["claims"] = [{"band": band}]
        (one,) = judged(sweep)
        assert one.look == 3 and one.verdict == one.alone == verdict
        assert (band[0] <= one.interval.low and one.interval.high <= band[1]) == (verdict == PASS)
        assert (one.p <= 1 - one.level) == (verdict == PASS)
    assert wilson(750, 1500).low > 0.47, "a single look would pass it"


def test_the_advice_suffices_at_the_next_look(tmp_path):
    """With as many games as it names and the same share, the next look decides; with a tenth fewer it does not."""
    sweep = grown(tmp_path, 400)
    (one,) = judged(sweep)
    assert one.verdict == INCONCLUSIVE
    for games, verdict in (
        (one.needed * 1.03, PASS),
        (one.needed * 0.9, INCONCLUSIVE),
    ):  # half-widths fall with the root of n, nearly
        at = wilson(games / 2, games, level_of(2))
        assert one.claim.side(at) == verdict


def test_looks_at_other_cells_and_later_ones_do_not_count():
    known = [{"a": 100}, {"a": 100, "b": 100}, {"a": 300, "b": 100}, {"b": 900}]
    numbers = {
        tuple(now.items()): looks.number_of(now, known)
        for now in (
            {"a": 100},
            {"a": 200},
            {"a": 900},
            {"b": 100},
            {"c": 5},
            {"a": 100, "b": 100},
            {"a": 300, "b": 900},
        )
    }
    assert list(numbers.values()) == [1, 2, 3, 1, 1, 1, 3]


@pytest.mark.parametrize(
    "content",
    [
        "[]",
        "{",
        '{"looks": []}',
        '{"schema": "bartizan.looks/1", "looks": [{"a": 0}]}',
        '{"schema": "bartizan.looks/1", "looks": {"a": 3}}',
    ],
)
def test_a_damaged_record_of_looks_is_refused(tmp_path, content):
    sweep = grown(tmp_path, 400)
    (tmp_path / looks.store.LOOKS).write_text(content)
    with pytest.raises(EngineError, match=r"looks\.json: damaged"):
        judged(sweep)


def test_a_folder_that_cannot_be_written_counts_no_look(tmp_path, monkeypatch):
    sweep = grown(tmp_path, 400)

    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(looks.store, "write_beside", refuse)
    assert not looks.add(sweep, [{"veteran.garrison": 400}])
