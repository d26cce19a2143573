"""Skill and difficulty on one scale: places known beforehand are found, ends of the scale do not break it, and a cell that does not fit is noticed."""

from dataclasses import replace
from itertools import combinations
from math import log
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import special

from bartizan.analyses.experiments import ladder
from bartizan.analyses.experiments.ladder import Meeting, Rise, analyze
from bartizan.analyses.statistics.rasch import Contest, blocked, fit, hotelling_t2, on_the_scale
from bartizan.reports.views.ladder import _logits, _misfits, step_text
from bartizan.simcore.errors import UsageError

SKILLS = {"weak": -1.5, "fair": 0.0, "good": 0.9, "best": 1.6}
LEVELS = {"easy": 0.0, "plain": 0.7, "hard": 1.9}
EASY = [("level", "easy")]


def played(
    games: int, seed: int, skills=SKILLS, levels=LEVELS, shared: float = 0.5, odd: dict | None = None
) -> list[Contest]:
    """Games by the model, with luck of which a part is shared by all cells of a game number. odd: (policy, level) -> logits that the model does not know of."""
    random = np.random.default_rng(seed)
    common = random.random(games)
    cells = []
    for policy, skill in skills.items():
        for level, difficulty in levels.items():
            luck = np.where(random.random(games) < shared, common, random.random(games))
            won = luck < special.expit(skill - difficulty + (odd or {}).get((policy, level), 0.0))
            cells.append(Contest({("policy", policy): 1.0, ("level", level): -1.0}, won.astype(float)))
    return cells


def counted(wins: int, games: int, **terms) -> Contest:
    return Contest(
        {(kind, name): sign for kind, (name, sign) in terms.items()}, np.array([1.0] * wins + [0.0] * (games - wins))
    )


# ---------------------------------------------------------------- the scale


def test_known_places_are_found():
    found = fit(played(20_000, 1), EASY)
    for kind, known in (("policy", SKILLS), ("level", LEVELS)):
        for name, place in known.items():
            error = found.resampled((kind, name)).std()
            assert abs(found.value((kind, name)) - place) <= 4 * error < 0.2, name
    assert found.p > 0.001 and found.freedom[0] == 6 and np.nanmax(np.abs(found.scores)) < 4


def test_one_cell_is_its_own_logit():
    """Firth's penalty on one proportion adds half a win and half a loss."""
    found = fit([counted(70, 100, policy=("a", 1.0))], [])
    assert found.value(("policy", "a")) == pytest.approx(log(70.5 / 30.5))
    assert found.interval(("policy", "a")).low < log(70 / 30) < found.interval(("policy", "a")).high
    assert (found.p, found.deviance) == (None, pytest.approx(0, abs=0.01))


def test_games_that_repeat_themselves_have_no_interval_and_an_anchor_has_no_width():
    """a always beats b, b always beats c, c always beats a: all of a kind, and nothing is known of how far."""
    ones = np.ones(100)
    pairs = [("a", "b"), ("b", "c"), ("c", "a"), ("a", "d"), ("d", "b")]
    found = fit([Contest({("policy", x): 1.0, ("policy", y): -1.0}, ones) for x, y in pairs], [("policy", "b")])
    place, anchor = found.interval(("policy", "a")), found.interval(("policy", "b"))
    assert not place.has_limits and np.isfinite(place.estimate) and place.method.startswith("no interval")
    assert not found.interval(("policy", "a"), ("policy", "d")).has_limits
    assert anchor.low == anchor.high == 0
    assert "by definition" not in _logits(place) and "by definition" in _logits(anchor)
    rise = Rise(from_="easy", to="hard", logits=place, p_even=None, policies=[])
    assert "no interval" in step_text(rise)
    nothing = Rise(from_="easy", to="hard", logits=None, p_even=None, policies=[])
    assert step_text(nothing) == "the step from easy to hard has no size on the scale"


def test_a_table_that_the_model_fits_without_rest():
    """Odds of 4, 1 and 1/4: the harder level costs everyone the same."""
    table = {("a", "easy"): 8000, ("a", "hard"): 5000, ("b", "easy"): 5000, ("b", "hard"): 2000}
    found = fit(
        [counted(wins, 10_000, policy=(policy, 1.0), level=(level, -1.0)) for (policy, level), wins in table.items()],
        EASY,
    )
    assert [found.value(entity) for entity in (("policy", "a"), ("policy", "b"), ("level", "hard"))] == pytest.approx(
        [log(4), 0, log(4)], abs=1e-3
    )
    assert found.deviance < 1e-3


def test_intervals_hold_what_they_say():
    """60 ladders of 3 x 2 cells: the places of 4 lie in their 95 % intervals as often as they should, within 4 standard errors."""
    skills = {name: SKILLS[name] for name in ("weak", "fair", "good")}
    levels = {name: LEVELS[name] for name in ("easy", "hard")}
    inside = []
    for seed in range(60):
        found = fit(played(400, 100 + seed, skills, levels), EASY, replicates=300)
        places = [(("policy", name), place) for name, place in skills.items()] + [(("level", "hard"), levels["hard"])]
        inside += [found.interval(entity).low <= place <= found.interval(entity).high for entity, place in places]
    assert abs(np.mean(inside) - 0.95) < 4 * (0.95 * 0.05 / 60) ** 0.5, "as if the places of one ladder were one"


def test_the_test_of_the_whole_keeps_its_error_rate():
    """With most luck shared a chi-square of independent cells would hardly ever reject; this one does as often as it says."""
    p = [fit(played(600, 500 + seed, shared=0.9), EASY, replicates=200).p for seed in range(60)]
    assert abs(np.mean(np.array(p) < 0.1) - 0.1) < 4 * (0.1 * 0.9 / 60) ** 0.5


def test_a_cell_that_does_not_fit_is_noticed():
    found = analyze(played(5000, 3, odd={("good", "hard"): 0.6}), EASY, list(LEVELS))
    worst = max(found.meetings, key=lambda meeting: abs(meeting.z))
    assert worst.of == {"policy": "good", "level": "hard"} and worst.misfit and worst.z > 0
    assert found.fit.p < 1e-6
    easy_to_plain, plain_to_hard = found.rises
    assert easy_to_plain.even and not plain_to_hard.even
    assert {step.policy: step.logits.estimate for step in plain_to_hard.policies}["good"] == pytest.approx(
        1.2 - 0.6, abs=0.25
    )


def test_a_cell_misfits_only_where_the_scale_does_not_fit(monkeypatch):
    """Of 12 cells one lies 3.2 standard errors off: were each judged by itself, 12 cells would be 12 chances of a wrong alarm beside the test of the whole."""
    of = ladder._meetings
    monkeypatch.setattr(
        ladder,
        "_meetings",
        lambda *args: [one.model_copy(update={"z": 3.2 if index == 0 else 0.1}) for index, one in enumerate(of(*args))],
    )
    found = analyze(played(400, 900), EASY, list(LEVELS))
    assert found.p_fit == 1 and not found.misfits
    odd = analyze(played(5000, 3, odd={("good", "hard"): 0.6}), EASY, list(LEVELS))
    assert odd.p_fit < 0.05 and len(odd.misfits) == (2 * special.ndtr(-3.2) * len(odd.meetings) * 3 < 0.05)


def test_who_wins_nothing_or_everything_is_off_the_scale():
    cells = played(500, 4) + [
        counted(won, 500, policy=(name, 1.0), level=(level, -1.0))
        for name, won in (("loser", 0), ("winner", 500))
        for level in LEVELS
    ]
    found = fit(cells, EASY)
    assert {(one.entity[1], one.above) for one in found.off} == {("loser", False), ("winner", True)}
    assert [found.value(("policy", name)) for name in SKILLS] == [
        fit(played(500, 4), EASY).value(("policy", name)) for name in SKILLS
    ]


def test_the_ends_are_taken_off_one_after_another():
    """Without `loser` nobody loses at the easy level: that goes too, and the zero moves to the next."""
    wins = {
        ("loser", "easy"): 0,
        ("loser", "hard"): 0,
        ("a", "easy"): 90,
        ("b", "easy"): 90,
        ("a", "hard"): 40,
        ("b", "hard"): 60,
    }
    kept, off = on_the_scale(
        [counted(won, 90, policy=(policy, 1.0), level=(level, -1.0)) for (policy, level), won in wins.items()]
    )
    assert len(kept) == 2
    assert [(one.entity, one.above) for one in off] == [(("policy", "loser"), False), (("level", "easy"), False)]
    nobody = fit([counted(0, 90, policy=("a", 1.0), level=("easy", -1.0))], EASY)
    assert (nobody.entities, nobody.cells, nobody.p) == ((), (), None)


def test_a_cell_without_wins_does_not_break_the_fit():
    cells = [
        counted(wins, 2000, policy=(name, 1.0), level=(level, -1.0))
        for name, level, wins in (("a", "easy", 1200), ("a", "hard", 300), ("b", "easy", 9), ("b", "hard", 0))
    ]
    found = analyze(cells, EASY, ["easy", "hard"])
    assert np.isfinite(found.fit.values).all() and np.isfinite(found.fit.replicates).all()
    assert not found.misfits, "no wins where one in a thousand is expected is nothing odd"
    assert [step.logits is None for step in found.rises[0].policies] == [False, True]


# ---------------------------------------------------------------- players who meet each other


def met(skills: dict[str, float], games: int, seed: int, seat: float = 0.3) -> list[Contest]:
    random = np.random.default_rng(seed)
    cells = []
    for one, other in combinations(skills, 2):
        for first, second in ((one, other), (other, one)):
            won = random.random(games) < special.expit(skills[first] - skills[second] + seat)
            cells.append(
                Contest({("policy", first): 1.0, ("policy", second): -1.0, ("seat", "first"): 1.0}, won.astype(float))
            )
    return cells


def test_players_against_players_and_the_seat():
    found = analyze(met(SKILLS, 8000, 7), [("policy", "best")])
    for name, place in SKILLS.items():
        error = found.fit.resampled(("policy", name)).std()
        assert abs(found.fit.value(("policy", name)) - (place - SKILLS["best"])) <= 4 * error < 0.2, name
    assert found.fit.interval(("seat", "first")).low < 0.3 < found.fit.interval(("seat", "first")).high
    assert [name for name, _ in found.places("policy")] == list(SKILLS) and found.fit.p > 0.001
    assert all(pair.told_apart for pair in found.neighbours)


def test_a_policy_twice_does_not_make_the_scale_unfit():
    """`twin` plays the games of `best`: the statistics of both are equal, so their difference does not vary."""
    cells = met(SKILLS, 2000, 7)
    twins = [replace(cell, terms={(kind, name.replace("best", "twin")): term for (kind, name), term in cell.terms.items()})
             for cell in cells if ("policy", "best") in cell.terms]  # fmt: skip
    alone, both = analyze(cells, [("policy", "weak")]), analyze([*cells, *twins], [("policy", "weak")])
    assert both.fit.p > 0.001 and both.fit.freedom[0] <= alone.fit.freedom[0] + 1


def test_the_test_of_the_whole_ignores_statistics_that_repeat_others():
    values = np.random.default_rng(2).normal(size=(400, 5))
    alone = hotelling_t2(values[0], values, 5, 100)
    twice = hotelling_t2(np.append(values[0], values[0, 0]), np.column_stack([values, values[:, 0]]), 6, 100)
    assert twice[1] == alone[1] == (5, 95) and twice[0] == pytest.approx(alone[0])
    assert hotelling_t2(np.ones(2), np.ones((9, 2)), 2, 100)[0] is None


def test_a_misfit_names_its_seat_where_there_are_several():
    document = {"share": dict(estimate=0.4, low=0.3, high=0.5, level=0.95, method="Wilson"), "games": 9, "capped": 0}
    row = {"of": ["a", "b"], "expected": 0.6, "z": -9.0, "misfit": True, **document}
    for seats, cell in ((("first", "second"), "a against b, first seat"), (("first", "first"), "a against b")):
        meetings = [Meeting.model_validate({**row, "seat": seat}) for seat in seats]
        (table,) = _misfits(SimpleNamespace(meetings=meetings))
        assert table.rows[0][0].text == cell


def test_direct_games_that_contradict_the_scale_are_named():
    """`bully` wins most against `lamb` and stands highest, but `rival` beats it: no order says so."""
    strength = {("bully", "lamb"): 3.0, ("bully", "rival"): -0.5, ("rival", "lamb"): 0.2}
    random, cells = np.random.default_rng(3), []
    for (one, other), lead in strength.items():
        for first, second, sign in ((one, other, 1), (other, one, -1)):
            won = random.random(2000) < special.expit(sign * lead + 0.3)
            terms = {("policy", first): 1.0, ("policy", second): -1.0, ("seat", "first"): 1.0}
            cells.append(Contest(terms, won.astype(float)))
    found = analyze(cells, [("policy", "lamb")])
    assert found.places("policy")[-1][0] == "bully"
    (row,) = found.reversals
    assert (row.stronger, row.weaker) == ("bully", "rival")
    assert row.difference.low < 0.5 < row.difference.high
    assert not analyze(met(SKILLS, 2000, 7), [("policy", "best")]).reversals


def test_neighbours_that_nothing_tells_apart():
    found = analyze(met({"a": 0.0, "b": 0.0, "c": 1.0}, 2000, 8), [("policy", "c")])
    assert [pair.told_apart for pair in found.neighbours] == [False, True]
    assert found.places("policy")[0][0] in ("a", "b")
    assert found.neighbours[0].p_adjusted >= found.neighbours[0].p


def test_blocks_are_ranges_of_game_numbers_and_games_cut_off_are_left_out():
    won = np.array([1.0, 0.0, np.nan, 1.0])
    wins, games = blocked([Contest({}, won)])
    assert wins.tolist() == [[1, 0, 0, 1]] and games.tolist() == [[1, 1, 0, 1]]
    assert (Contest({}, won).games, Contest({}, won).wins) == (3, 2)


def test_a_step_in_words():
    logits = fit(played(300, 1), EASY).interval(("level", "hard"), ("level", "easy"))
    step = Rise(from_="easy", to="hard", logits=logits, p_even=None, policies=[])
    assert " logits (" in step_text(step) and "harder than easy" in step_text(step)
    lower = step.model_copy(update={"logits": replace(logits, estimate=-0.5, low=-0.7, high=-0.3)})
    assert step_text(lower) == "hard is 0.50 logits (0.30 to 0.70) easier than easy"


def without_ends(*cut: tuple[str, str], few: int = 0) -> list[Contest]:
    """Two policies at two levels; of the cells in `cut` all games but the last `few` are truncated."""
    cells = played(200, 6, {name: SKILLS[name] for name in ("fair", "good")}, {"easy": 0.0, "hard": 0.5})
    for cell in cells:
        if tuple(name for _, name in cell.terms) in cut:
            cell.won[: len(cell.won) - few] = np.nan
    return cells


ANCHORS = [("level", "easy"), ("level", "hard")]


@pytest.mark.parametrize("cut", [[("fair", "easy")], [("fair", "easy"), ("fair", "hard")]])
def test_a_policy_without_a_finished_game_has_no_step(cut):
    found = analyze(without_ends(*cut), ANCHORS, ["easy", "hard"])
    assert [step.policy for step in found.rises[0].policies] == ["good"]
    assert [meeting.games for meeting in found.meetings].count(0) == len(cut)


@pytest.mark.parametrize("few", [0, 1])
def test_games_that_do_not_join_the_scale_are_one_line(few):
    """`fair` plays only at the hard level and `good` only at the easy one; of some games a few are left."""
    with pytest.raises(UsageError, match="do not determine the places") as error:
        analyze(without_ends(("fair", "easy"), ("good", "hard"), few=few), ANCHORS, ["easy", "hard"])
    assert "\n" not in str(error.value)
