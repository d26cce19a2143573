"""Everybody for himself: what a seat is worth, who plays better, what a setting changes, who goes out; on tables counted by hand, and on Pig, whose answers are known."""

import json
import re
from itertools import combinations
from types import SimpleNamespace
from zlib import crc32

import numpy as np
import polars as pl
import pytest

from bartizan.analyses.records import comparison, outcomes, seating
from bartizan.analyses.records.seating import LineUp, line_ups
from bartizan.analyses.statistics.intervals import goodman, proportion, with_truncated
from bartizan.analyses.statistics.paired import Effect, Measure, Values, adjust, compare, estimates
from bartizan.analyses.statistics.testing import jointly
from bartizan.policies.registry import find_player
from bartizan.reports import write_report
from bartizan.reports.pages import sweep as of_sweep
from bartizan.reports.pages.free_for_all import effects
from bartizan.reports.pages.free_for_all.seats import of_games
from bartizan.reports.study import study
from bartizan.reports.text import seat_worth
from bartizan.reports.text.cell_names import names_of
from bartizan.simcore.game import load_game
from bartizan.simcore.play.batch import Batch
from bartizan.simcore.play.match import Match
from bartizan.simcore.reporting import Ranking, Reporting, Setting, read
from bartizan.simcore.scenario.loading import load_scenario
from tests.cli.run_cli import PIG
from tests.sweeps import analyze, make_sweep, solo_cell

ROLES = ("first", "second", "third", "fourth", "fifth")
RANKED = Reporting(
    time="turn",
    ranking=Ranking("place_{}", "out_{}", "lead_changes"),
    settings={"house.rule": Setting("house rule"), "players.count": Setting("players", "{} players")},
)


class Played:
    """A cell with its games in memory."""

    def __init__(self, seats: str, frame: pl.DataFrame, **changes):
        """`seats`: a letter a seat, its policy."""
        policies = [{"role": role, "name": name, "weights": {}, "about": ""} for role, name in zip(ROLES, seats)]
        base = {
            "difficulty": None,
            "policies": policies,
            "tiers": {},
            "labels": {},
            "cause_column": None,
            "min_win_score": None,
            "reporting": RANKED.document(),
        }
        vars(self).update(
            solo_cell(
                **{
                    **base,
                    "id": f"{seats}{len(changes)}",
                    "assumptions": [],
                    "assumed": 0,
                    "games": frame.height,
                    **changes,
                }
            )
        )
        self.frame = frame

    def scan(self) -> pl.LazyFrame:
        return self.frame.lazy()


def games(winners: list[int], **columns) -> pl.DataFrame:
    n = len(winners)
    base = {
        "game": list(range(n)),
        "plies": [9] * n,
        "end_reason": [2 if w == -2 else 3 for w in winners],
        "winner": winners,
        "turn": [5] * n,
        "score": [0] * n,
    }
    return pl.DataFrame({**base, **columns})


# ---------------------------------------------------------------- seats


def test_seat_shares_are_those_counted():
    found = analyze(seating.seat_advantage_of, games([0] * 60 + [1] * 40), Played("aa", games([0])))
    assert [seat.share for seat in found.seats] == [proportion(60, 100), proportion(40, 100)]
    assert (found.mirror, found.fair, found.first.role) == (True, 0.5, "first")
    assert found.first.advantage.estimate == pytest.approx(0.1)
    assert found.first.advantage.low == pytest.approx(proportion(60, 100).low - 0.5)
    assert [seat.finding for seat in found.seats] == ["advantage", "disadvantage"]
    assert [seat.wins for seat in found.seats] == [60, 40]


@pytest.mark.parametrize(("wins", "said"), [((792, 732, 692, 784), True), ((750, 760, 740, 750), False)])
def test_an_interval_that_excludes_an_equal_share_by_itself_is_explained(wins, said):
    rows = games([seat for seat, won in enumerate(wins) for _ in range(won)])
    found = analyze(seating.seat_advantage_of, rows, Played("aaaa", games([0])))
    assert not seating.apart(found.seats) and bool(seat_worth.each_alone(found.seats)) == said
    ends = [abs(end) for seat in found.seats for end in (seat.joint.low, seat.joint.high)]
    assert seat_worth.furthest(found.seats) == f"{100 * max(ends):.0f} percentage points"


def test_no_advantage_is_found_where_there_is_none():
    found = analyze(seating.seat_advantage_of, games([0, 1, 2] * 400), Played("aaa", games([0])))
    assert [seat.finding for seat in found.seats] == ["none found"] * 3
    together = goodman([400, 400, 400])[0]
    assert found.first.joint.high == pytest.approx(together.high - 1 / 3, abs=1e-6)
    assert together.high > proportion(400, 1200).high


def test_every_seat_is_looked_at_not_only_the_first():
    """The fourth of four players wins 22.5 % where the first has its equal share: only a look at all of them finds it."""
    found = analyze(
        seating.seat_advantage_of, games([0] * 1000 + [1] * 1060 + [2] * 1040 + [3] * 900), Played("aaaa", games([0]))
    )
    assert [seat.finding for seat in found.seats] == ["none found"] * 3 + ["disadvantage"]
    assert found.seats[3].joint.low < found.seats[3].advantage.low and found.seats[3].joint.high < 0


def test_intervals_of_all_seats_hold_together():
    """Equal seats are called equal in 95 % of the samples or more, though four are looked at; one by one they would not be."""
    luck, samples, n = np.random.default_rng(5), 2000, 400
    wins = luck.multinomial(n, [0.25] * 4, samples)
    for level, least, most in ((seating.joint_confidence(4), 0.94, 1), (0.95, 0, 0.88)):
        equal = np.mean(
            [all(i.low <= 0.25 <= i.high for i in (proportion(int(k), n, level) for k in row)) for row in wins]
        )
        assert least <= equal <= most, (level, equal)


def test_games_cut_off_make_a_seat_share_a_range_and_drawn_ones_are_left_out():
    found = analyze(
        seating.seat_advantage_of, games([0] * 50 + [1] * 30 + [-2] * 10 + [-1] * 20), Played("ab", games([0]))
    )
    assert (found.games, found.counted, found.capped, found.drawn, found.mirror) == (110, 90, 10, 20, False)
    assert found.first.share == with_truncated(50, 10, 90)


@pytest.mark.parametrize(
    ("first", "second", "answer"),
    [("hold", "hold", 0.5346983261653875), ("hold:at=25", "hold:at=20", 0.5434824220853344)],
)
def test_the_first_player_of_pig(first, second, answer):
    game, n = load_game(PIG), 40_000
    match = Match(game, load_scenario(game), (find_player(game, first), find_player(game, second)), 11)
    rows = Batch(match).play(range(n))
    frame = pl.DataFrame({name: rows[name] for name in ("game", "plies", "end_reason", "winner", "turn", "score")})
    found = analyze(seating.seat_advantage_of, frame, Played("aa" if first == second else "ab", games([0])))
    assert abs(found.first.share.estimate - answer) < 5 * np.sqrt(answer * (1 - answer) / n)
    assert found.first.finding == "advantage" and found.mirror == (first == second)


# ---------------------------------------------------------------- line-ups


def test_rotations_of_a_line_up_are_found_whatever_their_order():
    cells = [Played(seats, games([0])) for seats in ("abb", "bab", "aaa", "bba", "bbc")]
    found = line_ups(cells)
    assert [(line_up.name, len(line_up.cells), line_up.is_complete, line_up.is_mirror) for line_up in found] == [
        ("a+b+b", 3, True, False),
        ("a+a+a", 1, True, True),
        ("b+b+c", 1, False, False),
    ]
    assert ["".join(p["name"] for p in cell.policies) for cell in found[0].cells] == ["abb", "bba", "bab"]
    assert found[0].places_of(1) == 2


def test_other_settings_and_other_weights_are_other_line_ups():
    light, heavy = (
        [{"role": "first", "name": "a", "weights": {"w": w, "v": 1.0}}, {"role": "second", "name": "b", "weights": {}}]
        for w in (1.0, 2.0)
    )
    cells = [
        Played("ab", games([0]), policies=policies, set=overrides)
        for policies in (light, heavy)
        for overrides in ({}, {"x": 1})
    ]
    assert [line_up.name for line_up in line_ups(cells)] == ["a (w=1)+b", "a (w=1)+b", "a (w=2)+b", "a (w=2)+b"]


def test_two_policies_of_one_name_are_not_a_mirror():
    one, other = ({"name": "mine", "weights": {}, "source_hash": code} for code in ("aaaaaaaa", "bbbbbbbb"))
    cell = Played("ab", games([0]), policies=[{"role": "first", **one}, {"role": "second", **other}])
    (line_up,) = line_ups([cell])
    assert (line_up.is_mirror, line_up.name) == (False, "mine (code aaaaaa)+mine (code bbbbbb)")


# ---------------------------------------------------------------- skill


def test_skill_is_a_mean_over_rotations_then_over_game_numbers():
    """Four game numbers. As ab seat 0 wins 1, 1, 0, 0 (a: yes yes no no); as ba seat 1 wins 1, 0, 0, 0 (a: yes no no no): a's values 1, 1/2, 0, 0."""
    line_up = LineUp((Played("ab", games([0, 0, 1, 1])), Played("ba", games([1, 0, 0, 0]))))
    values = np.array([1, 0.5, 0, 0])
    (of_a,) = estimates(
        line_up.scan(), [Measure("policy", "a", line_up.player_share(0).low, line_up.player_share(0).high)]
    )
    assert of_a.interval.estimate == pytest.approx(values.mean())
    assert of_a.se == pytest.approx(values.std(ddof=1) / 2) and of_a.interval.method == "Student t"
    found = seating.skill_of(line_up)
    assert [(s.policy, s.wins, s.share.interval.estimate) for s in found.standings] == [
        ("b", 5, 0.625),
        ("a", 3, 0.375),
    ]
    (duel,) = found.duels
    assert (duel.better, duel.difference.interval.estimate, duel.difference.n) == ("b", pytest.approx(0.25), 4)
    assert duel.difference.se == pytest.approx((1 - 2 * values).std(ddof=1) / 2)
    assert [seat.share.estimate for seat in found.seats] == [5 / 8, 3 / 8]


def test_one_against_three_is_measured_against_a_quarter():
    rng, n = np.random.default_rng(3), 4000
    cells = []
    for turn in range(4):
        seats = "".join("s" if seat == turn else "g" for seat in range(4))
        chances = np.array([0.4 if c == "s" else 0.2 for c in seats])
        cells.append(Played(seats, games(rng.choice(4, n, p=chances).tolist())))
    found = seating.skill_of(line_ups(cells)[0])
    best, other = found.standings
    assert (best.policy, best.places, other.places, found.fair, found.rotations) == ("s", 1, 3, 0.25, 4)
    assert abs(best.share.interval.estimate - 0.4) < 5 * best.share.se
    assert abs(other.share.interval.estimate - 0.2) < 5 * other.share.se
    assert best.wins + other.wins == 4 * n
    assert found.duels[0].difference.interval.estimate == pytest.approx(
        best.share.interval.estimate - other.share.interval.estimate
    )
    assert found.duels[0].factor == pytest.approx(1, abs=0.1)  # these games share no luck


def test_cut_off_games_bound_a_difference_and_are_counted_apart():
    line_up = LineUp((Played("ab", games([0] * 60 + [1] * 30 + [-2] * 10)), Played("ba", games([1] * 60 + [0] * 40))))
    found = seating.skill_of(line_up)
    difference = found.duels[0].difference.interval
    assert found.capped == 10 and "bounds over 10 truncated games" in difference.method
    for one in found.standings:  # a truncated game would have had a winner too
        assert one.advantage.interval.estimate == pytest.approx(one.share.interval.estimate - 1 / 2)
    low, high = (120 - 80) / 200, (130 - 70) / 200
    assert difference.estimate == pytest.approx((low + high) / 2) and difference.low < low and difference.high > high


def test_only_game_numbers_of_all_rotations_count():
    found = seating.skill_of(LineUp((Played("ab", games([0] * 100)), Played("ba", games([1] * 80)))))
    assert (found.games, found.left_out) == (80, 20)
    assert found.standings[0].share.interval.method == "exact tails (Blaker)"
    assert 0.9 < found.standings[0].share.interval.low < 1


def test_players_who_never_changed_seats_are_not_compared():
    assert seating.skill_of(LineUp((Played("ab", games([0] * 9)),))) is None
    assert seating.skill_of(LineUp((Played("aa", games([0] * 9)),))) is None


# ---------------------------------------------------------------- effects


def test_a_paired_difference_is_that_of_each_game():
    base, changed = games([0, 1, 0, 1], turn=[5, 9, 20, 30]), games([0, 0, 0, 1], turn=[7, 9, 24, 30])
    found = comparison.effects_of(LineUp((Played("aa", base),)), LineUp((Played("aa", changed),)))
    length, seat = found.effects
    differences = np.array([2, 0, 4, 0])
    assert (length.n, length.base.interval.estimate, length.changed.interval.estimate) == (4, 16, 17.5)
    assert length.difference.interval.estimate == 1.5
    assert length.difference.se == pytest.approx(differences.std(ddof=1) / 2)
    assert length.factor == pytest.approx((base["turn"].var() + changed["turn"].var()) / differences.var(ddof=1))
    assert length.differing == proportion(2, 4)
    assert seat.measure.kind == "seat" and seat.difference.interval.estimate == 0.25
    assert len(found.effects) == 2


def test_only_common_game_numbers_are_paired_and_games_without_a_value_left_out():
    base = games([0] * 6, score=[1, 2, None, 4, 5, 6])
    changed = games([0] * 4, score=[2, 3, 4, None])
    found = comparison.effects_of(LineUp((Played("aa", base),)), LineUp((Played("aa", changed),)), ("score",))
    assert (found.games, found.left_out) == (4, 2)
    assert (found.effects[0].n, found.effects[0].difference.interval.estimate) == (2, 1)
    assert found.effect("column", "score") is found.effects[0] and found.effect("skill") is None


def test_nothing_differs():
    same = LineUp((Played("aa", games([0, 1] * 50)),))
    length, seat = comparison.effects_of(same, same).effects
    assert length.factor is None
    assert length.difference.interval.method == "no interval: all 100 values are equal"
    assert length.difference.p == 1
    assert seat.difference.interval.method == "exact tails (Blaker)"
    assert seat.difference.interval.low == pytest.approx(-seat.difference.interval.high)
    assert 3 < 100 * seat.difference.interval.high < 3.84, "the score interval ends at 3.84 games"


def test_few_games_that_differ_are_counted_not_averaged():
    base, changed = games([0, 1] * 500), games([0, 0] * 3 + [0, 1] * 497)
    seat = comparison.effects_of(LineUp((Played("aa", base),)), LineUp((Played("aa", changed),))).effects[1].difference
    assert seat.interval.method == "exact tails (Blaker)" and seat.interval.low < 0 < 0.003 < seat.interval.high
    assert 0.05 < seat.p < 2 * 0.5**3, "three that agree show nothing yet; the sign test's p is 0.25"


def test_settings_are_paired_with_their_base():
    cells = [
        Played("ab", games([0]), set=s, id=str(i))
        for i, s in enumerate(({}, {"x": 1}, {"x": 2}, {"y": True}, {"x": 1, "y": True}))
    ]
    found = [
        (path, value, base_value, base.cells[0].id, changed.cells[0].id)
        for path, value, base_value, base, changed in comparison.pairs(cells)
    ]
    assert found == [
        ("x", 1, None, "0", "1"),
        ("x", 2, None, "0", "2"),
        ("x", 1, None, "3", "4"),
        ("y", True, None, "0", "3"),
        ("y", True, None, "1", "4"),
    ]
    without_base = [Played("ab", games([0]), set={"x": value}, id=str(value)) for value in (False, True)]
    assert [(value, base_value) for _, value, base_value, *_ in comparison.pairs(without_base)] == [(True, False)]
    assert list(comparison.pairs([cells[0], Played("aa", games([0]), set={"x": 1})])) == []  # other players


def test_only_rotations_that_both_sides_have_are_compared():
    cells = [Played("ab", games([0] * 5)), Played("ba", games([0] * 5)), Played("ba", games([1] * 5), set={"x": 1})]
    (found,) = comparison.of_sweep(cells)
    assert [len(side.cells) for side in (found.base, found.changed)] == [1, 1]
    assert {effect.measure.kind for effect in found.effects} == {"column", "seat", "policy"}
    assert found.effect("policy", "b").difference.interval.estimate == -1


def test_p_values_are_adjusted_over_all_effects():
    base = games([0, 1] * 100, turn=list(range(200)))
    changed = games([0, 1] * 100, turn=[t + t % 3 for t in range(200)])
    found = comparison.effects_of(LineUp((Played("aa", base),)), LineUp((Played("aa", changed),))).effects
    assert [effect.adjusted for effect in adjust(found)] == [pytest.approx(2 * found[0].difference.p), 1]
    assert adjust([]) == []


def test_the_largest_of_many_effects_is_quoted_with_an_interval_that_holds_it():
    """Sixty changes that all move 2 points: by itself the interval of the one that looks largest holds them in one case of four."""
    rng, trials, changes, n = np.random.default_rng(3), 40, 60, 2000
    measure = Measure("seat", "0", pl.col("win"), pl.col("win"), (0.0, 1.0))
    span, nothing = (-1.0, 1.0), proportion(0, n)
    joint, alone = 0, 0
    for _ in range(trials):
        effects = []
        for counts in rng.multinomial(n, [0.09, 0.80, 0.11], changes):
            ends = np.array([-1.0, 0.0, 1.0])
            values = Values(ends, ends, counts, span)
            estimate = values.estimate(0.95)
            effects.append(Effect(measure, estimate, estimate, estimate, 1.0, nothing, values.interval))
        largest = max(adjust(effects), key=lambda effect: abs(effect.difference.interval.estimate))
        joint += largest.joint.low <= 0.02 <= largest.joint.high
        alone += largest.difference.interval.low <= 0.02 <= largest.difference.interval.high
        assert largest.joint.level == 0.95 and "for all 60 together" in largest.joint.method
    assert joint >= 34, "of 40 at 95 %: fewer once in 250 times"
    assert alone < 30


def test_five_equal_players_are_seldom_said_to_differ():
    """Ten duels, each at 5 % by itself: a quarter of the reports had a false one."""
    rng, reports, n = np.random.default_rng(11), 200, 400
    false, alone = 0, 0
    for _ in range(reports):
        wins = np.stack([rng.multinomial(1, [0.2] * 5, n) for _ in range(5)]).mean(
            axis=0
        )  # [game number, player], over five rotations
        duels = []
        for one, other in combinations(range(5), 2):
            ends, counts = np.unique((wins[:, one] - wins[:, other]).round(9), return_counts=True)
            duels.append(Values(ends, ends, counts, (-1.0, 1.0)).interval)
        false += any(not jointly(at, 10).low <= 0 <= jointly(at, 10).high for at in duels)
        alone += any(not at(0.95).low <= 0 <= at(0.95).high for at in duels)
    assert false <= 20 < alone, "of 200 at 5 %: more once in 700 times"


def test_a_duel_is_judged_beside_all_others():
    """Wins that show a difference between two players by themselves do not among ten duels, or among those of more line-ups."""
    n, more = 300, 15
    winners = [[turn] * (n // 5 + (more if turn == 0 else 0)) for turn in range(5)]
    seats = [sum(([(player - turn) % 5] * len(winners[player]) for player in range(5)), []) for turn in range(5)]
    order = np.random.default_rng(2)
    cells = [
        Played("abcde"[turn:] + "abcde"[:turn], games(order.permutation(seats[turn]).tolist())) for turn in range(5)
    ]
    (line_up,) = line_ups(cells)
    found = seating.skill_of(line_up)
    unsure = [duel for duel in found.duels if duel.difference.is_clear and not duel.is_clear]
    assert len(found.duels) == 10
    assert all("for all 10 together" in duel.joint.method and duel.joint.level == 0.95 for duel in found.duels)
    assert unsure, "clear by itself only"
    assert all("for all 30 together" in duel.joint.method for duel in seating.skill_of(line_up, families=3).duels)


@pytest.mark.rotating
def test_equal_seats_of_many_cells_are_seldom_said_to_differ():
    """Ten cells of four equal seats on one page."""
    rng, pages, cells = np.random.default_rng(5), 200, 10
    false, level = 0, seating.joint_confidence(4, cells)
    for _ in range(pages):
        wins = rng.multinomial(2000, [0.25] * 4, cells).ravel()
        false += any(not one.low <= 0.25 <= one.high for one in (proportion(int(count), 2000, level) for count in wins))
    assert false <= 20, "of 200 at 5 %: more once in 700 times"
    tally = analyze(seating.seat_advantage_of, games([0, 1, 2, 3] * 100), Played("aaaa", games([0])))
    assert tally.first.joint.half_width < proportion(100, 400, level).half_width, "one cell by itself costs less"


@pytest.mark.rotating
def test_the_paired_interval_covers_what_it_says():
    """150 pairs of cells of 300 games on common luck, a true difference of 5 points: about 95 % of the intervals hold it, none is as wide as without pairing."""
    rng, trials, n = np.random.default_rng(7), 150, 300
    measure = Measure("seat", "0", pl.col("win"), pl.col("win"), (0.0, 1.0))
    held, factors = 0, []
    for _ in range(trials):
        luck = rng.random(n)
        flips = rng.random(n) < 0.1  # luck that is not common
        base, changed = luck < 0.50, np.where(flips, rng.random(n), luck) < 0.55
        frames = [pl.LazyFrame({"game": np.arange(n), "win": win.astype(float)}) for win in (base, changed)]
        (effect,) = compare(*frames, [measure])
        held += effect.difference.interval.low <= 0.05 <= effect.difference.interval.high
        factors.append(effect.factor)
    assert 0.90 <= held / trials <= 0.995
    assert 3 < np.mean(factors) < 8


# ---------------------------------------------------------------- elimination

THREE = {
    "place_0": [1, 1, 3, 2, 0],
    "place_1": [2, 3, 1, 1, 0],
    "place_2": [3, 2, 2, 3, 3],
    "out_0": [0, 0, 4, 9, 0],
    "out_1": [8, 5, 0, 0, None],
    "out_2": [6, 7, 8, 3, 12],
    "lead_changes": [0, 1, 2, 5, 0],
}
FIVE = games([0, 0, 1, 1, -2], **THREE)


def test_places_and_the_first_to_go():
    found = outcomes.elimination_of(FIVE.lazy(), Played("aaa", FIVE))
    shares = {(place.seat, place.rank): place for place in found.places}
    assert [place.games for place in found.first_to_go()] == [1, 1, 3]
    assert shares[2, 3].share == proportion(3, 5)  # the third place is taken in every game
    assert shares[0, 1].share == with_truncated(2, 1, 5) and shares[2, 1].share == proportion(0, 5)
    assert (found.games, found.undecided) == (5, 1)
    assert len(found.places) == 9


def test_when_the_first_goes_out_and_how_often_the_lead_changes():
    found = outcomes.elimination_of(FIVE.lazy(), Played("aaa", FIVE))
    assert (found.first_out.values, found.first_out.counts) == ((3, 4, 5, 6, 12), (1,) * 5)
    assert found.first_out.mean.mean == 6 and found.nobody_out == proportion(0, 5)
    assert found.lead_changes.values == (0, 1, 2, 5) and found.lead_changes.counts == (2, 1, 1, 1)
    assert found.no_change == proportion(2, 5)


def test_only_what_is_declared_is_read():
    plain = Played("aaa", FIVE, reporting={})
    assert outcomes.elimination_of(FIVE.lazy(), plain) is None
    lead = Played("aaa", FIVE, reporting=Reporting(ranking=Ranking(lead_changes="lead_changes")).document())
    found = outcomes.elimination_of(FIVE.lazy(), lead)
    assert (found.places, found.first_out, found.nobody_out, found.no_change) == ((), None, None, proportion(2, 5))


def test_a_ranking_is_kept_in_the_manifest_and_older_ones_have_none():
    document = json.loads(json.dumps(RANKED.document(), sort_keys=True))
    assert read(document) == RANKED
    del document["ranking"]
    assert read(document).ranking == Ranking()
    assert RANKED.columns(2) == ["place_0", "place_1", "out_0", "out_1", "lead_changes"] and RANKED.columns() == []


# ---------------------------------------------------------------- the report


def made_up(seats: str, chances, seed: int, n: int = 900, longer: int = 0) -> pl.DataFrame:
    """Games of as many players as `chances`, ended one after another."""
    rng, players = np.random.default_rng(seed), len(chances)
    order = np.array([rng.choice(players, players, replace=False, p=chances) for _ in range(n)])  # by place
    places = np.argsort(order, axis=1) + 1
    ends = np.sort(rng.integers(5, 60, (n, players - 1)), axis=1)[:, ::-1]
    if longer:  # in every other game by one turn more: the mean of equal differences has no interval
        ends = ends + longer + np.arange(n)[:, None] % 2
    outs = np.where(places == 1, 0, np.take_along_axis(np.c_[np.zeros(n, int), ends], places - 1, axis=1))
    columns = {f"place_{seat}": places[:, seat] for seat in range(players)} | {
        f"out_{seat}": outs[:, seat] for seat in range(players)
    }
    return games(order[:, 0].tolist(), turn=ends[:, 0], lead_changes=rng.poisson(1.5, n), **columns)


def entry(seats: str, chances, seed: int, longer: int = 0, **overrides):
    frame = made_up(seats, chances, seed, longer=longer)
    name = seats + "".join(f".{key}={value}" for key, value in overrides.items())
    cell = vars(
        Played(
            seats,
            frame,
            id=name,
            set={key.replace("_", ".", 1): value for key, value in overrides.items()},
            scenario_hash=f"{crc32(name.encode()):016x}",
        )
    )
    return {key: value for key, value in cell.items() if key != "frame"}, frame


@pytest.fixture(scope="module")
def sweep(tmp_path_factory):
    """Three players, going first is good, policy s is better than g; a house rule makes games longer."""
    cells = [entry("sss", (0.4, 0.3, 0.3), 1), entry("sss", (0.4, 0.3, 0.3), 1, 7, house_rule=True)]
    cells += [entry("sgg", (0.5, 0.25, 0.25), 2), entry("gsg", (0.3, 0.5, 0.2), 3), entry("ggs", (0.3, 0.2, 0.5), 4)]
    return make_sweep(tmp_path_factory.mktemp("alike"), cells, alike=True, title="Ladder")


def read_report(sweep, path) -> str:
    text = write_report(sweep, path).read_text(encoding="utf-8")
    return re.sub(r"\s+", " ", text).replace("\u00a0", " ")


@pytest.fixture(scope="module")
def page(sweep, tmp_path_factory):
    return read_report(sweep, tmp_path_factory.mktemp("page") / "r.html")


def test_the_page_opens_with_a_sentence_to_quote(page):
    verdict = page[page.index("<summary>In words") :]
    first = verdict[verdict.index("<p") : verdict.index("</p>")]
    assert re.search(
        r"Yes: with s in every seat .* the first of 3 players wins \d\d % \(\d\d–\d\d %\) of 900 games, \d+ percentage points \(\d+ to \d+\) more than an equal share",
        first,
    ), first
    assert "s plays better than g" in page and "With house rule: games are 7" in page


def test_the_page_answers_the_questions_of_such_a_game(page):
    titles = re.findall(r"<h2>([^<]*)", page)
    assert "in all seats" in page[: page.index("<summary>In words")]  # the first picture says who plays better
    assert titles[:6] == [
        "Win share by seat",
        "Effects of the settings",
        "Who goes out first",
        "First elimination",
        "Changes of the lead",
        "Length",
    ]
    assert not re.search(r"how hard|the player wins|surviv", page, re.I)
    ids = re.findall(r'\bid="([^"]*)"', page)
    assert len(ids) == len(set(ids))


def test_rows_that_a_figure_leaves_out_are_counted(sweep, monkeypatch):
    found = study(sweep)
    measures = len(found.effects[0].effects)
    monkeypatch.setitem(found.__dict__, "effects", found.effects * (effects.MOST_ROWS + 2))
    (view,) = effects.Effects().sections(found)
    assert len(view.figures) == measures and view.left_out == 2 * measures


def test_every_table_says_games_interval_and_method(page):
    for title, says in {
        "Win share by seat": ("900", "Wilson", "Student t", "33.3 %"),
        "Comparison of players": ("x 3 rotations", "1 of 3", "2 of 3", "Student t"),
        "Effects of the settings": ("Pairing factor", "Benjamini and Hochberg", "win rate of the first seat"),
        "Places by seat": ("Place 3", "Wilson", "The third"),
        "First elimination": ("order statistics",),
    }.items():
        table = page[page.index("<h2>Every number") :]
        table = table[re.search(f"<(h3|summary)>{title}<", table).start() :]
        table = table[: table.index("</table>")]
        for part in says:
            assert part in table, (title, part)


def test_markdown_and_json_hold_the_same(sweep, tmp_path):
    text = read_report(sweep, tmp_path / "r.md")
    assert "# Ladder: is it fair?" in text and "### Places by seat" in text and "**Does the seat matter?** Yes:" in text
    document = json.loads(write_report(sweep, tmp_path / "r.json").read_text(encoding="utf-8"))
    cell = document["cells"][0]
    assert sum(seat["wins"] for seat in cell["seat_advantage"]["seats"]) == 900
    assert cell["seat_advantage"]["same_policy_everywhere"]
    assert not document["cells"][-1]["seat_advantage"]["same_policy_everywhere"]
    assert sum(place["games"] for place in cell["elimination"]["places"] if place["place"] == 3) == 900
    (found,) = document["skill"]
    assert found["policies"][0]["policy"] == "s" and len(found["cells"]) == found["rotations"] == 3
    (comparison,) = document["effects"]
    length = comparison["effects"][0]
    assert comparison["path"] == "house.rule" and length["measure"] == "turn"
    assert length["difference"]["estimate"] == 7.5 and length["n"] == 900


def test_one_cell_of_different_policies_claims_nothing_about_seats(tmp_path):
    lone = make_sweep(tmp_path / "s", [entry("sg", (0.7, 0.3), 5)], alike=True)
    text = read_report(lone, tmp_path / "r.html")
    assert "These games cannot separate seats from players" in text and "Going first is" not in text
    assert "seats and players mixed" in text
    assert "Places by seat" not in text  # of two the first to go out is the loser


@pytest.mark.parametrize(("line_ups", "is_described"), [(("ss",), True), (("sg",), True), (("sg", "gs"), False)])
def test_a_seat_is_described_by_its_player_unless_players_took_turns_in_it(line_ups, is_described, tmp_path):
    cells = [entry(seats, (0.6, 0.4), 7) for seats in line_ups]
    for cell, _ in cells:
        for policy in cell["policies"]:
            policy["about"] = f"the policy {policy['name']}"
    chart = of_sweep.page(study(make_sweep(tmp_path / "s", cells, alike=True))).chart
    seats = [track.marks[0].note for track in chart.tracks if "seat" in track.label and "all seats" not in track.label]
    assert len(seats) == 2 and all(("the policy" in note) == is_described for note in seats)


def test_the_title_of_a_figure_names_the_seat_that_differs(tmp_path):
    """Of 1,000 games, the third seat wins 278; no seat alone wins clearly more than an equal share."""
    cells = []
    for seats, wins in (("aaa", (361, 361, 278)), ("bbb", (333, 333, 334)), ("cc", (430, 570))):
        cell, frame = entry(seats, (1 / len(seats),) * len(seats), 1)
        won = games([seat for seat, number in enumerate(wins) for _ in range(number)])
        cells.append((cell, won.with_columns(**{column: 0 for column in {*frame.columns} - {*won.columns}})))
    section = of_sweep.page(study(make_sweep(tmp_path / "s", cells, alike=True))).part("Win share by seat")
    assert [figure.title.replace("\u00a0", " ") for figure in section.figures] == [
        "c in every seat: the first of 2 seats wins 43 %",
        "a in every seat: the third of 3 seats wins 28 %",
        "b in every seat: no significant difference between seats",
    ]


def test_cut_off_games_in_a_report(tmp_path):
    cell, frame = entry("ss", (0.5, 0.5), 6)
    cut = frame.with_columns(
        winner=pl.when(pl.col("game") % 10 == 0).then(-2).otherwise("winner"), place_0=0, place_1=0
    )
    text = read_report(make_sweep(tmp_path / "s", [(cell, cut)], alike=True), tmp_path / "r.html")
    assert "90 games were truncated, and the range runs from none of them to all of them" in text
    assert "These games do not show an advantage in going first" in text


# ---------------------------------------------------------------- how games end


def test_ends_are_counted_with_their_draws():
    frame = games([0] * 50 + [1] * 30 + [-1] * 20).with_columns(end_reason=pl.Series([3] * 80 + [4] * 20))
    found = analyze(
        outcomes.endings_of, frame, Played("aa", frame, end_reasons={"3": "castle fell", "4": "turn limit"})
    )
    assert [(ending.name, ending.games, ending.drawn, ending.is_draw) for ending in found] == [
        ("castle fell", 80, 0, False),
        ("turn limit", 20, 20, True),
    ]
    assert [ending.share.method for ending in found] == ["Goodman", "Goodman"]


def with_draws(path, ends=True):
    """Rotations of ab, half of the games drawn; who won depends on nothing but the seat, 15 to 10 in 50."""
    base = {
        "difficulty": None,
        "tiers": {},
        "labels": {},
        "cause_column": None,
        "min_win_score": None,
        "assumptions": [],
        "assumed": 0,
        "games": 100,
    }
    end_reasons = {"3": "castle fell", "4": "turn limit"}
    cells = []
    for seats in ("ab", "ba"):
        policies = [
            {"role": role, "name": name, "weights": {}, "about": "", "source_hash": ""}
            for role, name in zip(ROLES, seats)
        ]
        frame = games([0] * 30 + [1] * 20 + [-1] * 50).with_columns(
            end_reason=pl.Series([3] * 50 + [4 if ends else 3] * 50)
        )
        cells.append((solo_cell(**base, id=seats, policies=policies, end_reasons=end_reasons), frame))
    return make_sweep(path, cells, alike=True)


def test_draws_take_nothing_from_a_seat(tmp_path):
    """Seats turned round: a draw is an equal part for each, else both would stand below an equal share."""
    document = json.loads(write_report(with_draws(tmp_path / "s"), tmp_path / "r.json").read_text(encoding="utf-8"))
    (seating,) = document["seatings"]
    assert [seat["share"]["estimate"] for seat in seating["seats"]] == pytest.approx([0.55, 0.45])
    assert [(end["name"], end["games"], end["drawn"]) for end in document["cells"][0]["endings"]] == [
        ("castle fell", 50, 0),
        ("turn limit", 50, 50),
    ]


def test_a_report_says_how_games_end(tmp_path):
    page = (
        write_report(with_draws(tmp_path / "s"), tmp_path / "r.html").read_text(encoding="utf-8").replace("\u00a0", " ")
    )
    assert "end by “turn limit”, a draw" in page and "each seat gets an equal part of a game without a winner" in page


def test_one_way_to_end_is_not_worth_a_word(tmp_path):
    page = write_report(with_draws(tmp_path / "s", ends=False), tmp_path / "r.html").read_text(encoding="utf-8")
    assert "How do games end?" not in page


def test_a_note_names_a_number_of_games_where_all_have_the_same():
    assert of_games({2000}, "games a seat") == "2,000 games a seat"
    assert not any(letter.isdigit() for letter in of_games({2000, 3000}, "games a seat"))


def test_a_line_up_of_alike_seats_is_named_by_its_policies():
    def named(seats):
        found = {"id": seats, "difficulty": None, "scenario": "standard", "set": {}}
        return SimpleNamespace(**found, policies=[{"name": seat, "weights": {}} for seat in seats])

    players = {cell: names[1] for cell, names in names_of([named("aaa"), named("aba")], alike=True).items()}
    assert players == {"aaa": "a in every seat", "aba": "a+b+a"}
