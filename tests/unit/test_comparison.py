"""One change against its baseline: the headline, its interval with and without the help of common luck, on tables counted by hand."""

import numpy as np
import polars as pl
import pytest

from bartizan.analyses.records import comparison, seating
from bartizan.analyses.records.seating import LineUp
from bartizan.analyses.statistics import paired
from bartizan.analyses.statistics.intervals import Interval, confidence_sequence, newcombe, wilson
from bartizan.reports.text import sentences


class Played:
    """A cell with its games in memory."""

    def __init__(self, seats: str, winners, **columns):
        """`seats`: a letter a seat, its policy."""
        n = len(winners)
        self.policies = [{"role": f"role {i}", "name": name} for i, name in enumerate(seats)]
        self.frame = pl.DataFrame(
            {"game": range(n), "winner": list(winners), "turn": [5] * n, "score": [None] * n} | columns,
            schema_overrides={"score": pl.Int64},
        )

    def scan(self) -> pl.LazyFrame:
        return self.frame.lazy()


def side(seats: str, winners, **columns) -> LineUp:
    return LineUp((Played(seats, winners, **columns),))


def test_the_difference_is_taken_game_by_game():
    base = [0] * 40 + [1] * 60
    found = comparison.of_line_ups(side("aa", base), side("aa", [0] * 90 + [1] * 10))
    assert (found.games, found.by_player, found.paired) == (100, False, True)
    assert found.difference.estimate == pytest.approx(0.5) and found.difference == found.headline.difference.interval
    assert found.headline.differing.estimate == 0.5 and found.factor > 1 and found.is_clear
    assert [effect.measure.name for effect in found.effects] == ["0", "1", "turn", "draws"], "no game has a score"


def test_a_change_that_changes_no_game():
    same = [0, 1] * 50
    found = comparison.of_line_ups(side("aa", same), side("aa", same))
    assert (found.difference.estimate, found.factor, found.p, found.is_clear) == (0, None, 1, False)
    assert found.difference.low < 0 < found.difference.high, "100 games do not prove that it never does"


def test_where_common_luck_is_no_help_the_sides_count_as_independent():
    luck = np.random.default_rng(4)
    base, changed = (luck.random(1000) < 0.5 for _ in range(2))
    while np.cov(base, changed)[0, 1] >= 0:
        changed = luck.permutation(changed)
    found = comparison.of_line_ups(*(side("a", np.where(won, 0, -3)) for won in (base, changed)))
    assert found.factor < 1 and not found.paired
    assert found.difference == newcombe(wilson(int(changed.sum()), 1000), wilson(int(base.sum()), 1000))
    assert found.difference.method == "Newcombe"
    assert (found.p < 0.05) == found.is_clear


def test_sides_that_move_against_each_other_stay_paired():
    """Newcombe's interval would be too narrow by a third."""
    won = np.arange(1000) % 2 == 0
    found = comparison.of_line_ups(*(side("a", np.where(mine, 0, -3)) for mine in (won, ~won)))
    assert found.factor < 1 and found.paired
    assert found.difference == found.headline.difference.interval and found.difference.method == "Student t"


def test_players_are_told_from_seats_when_everybody_sat_everywhere():
    base = LineUp((Played("ab", [0] * 60 + [1] * 40), Played("ba", [1] * 60 + [0] * 40)))
    changed = LineUp((Played("ab", [0] * 80 + [1] * 20), Played("ba", [1] * 80 + [0] * 20)))
    found = comparison.of_line_ups(base, changed)
    assert found.by_player and found.headline.base.interval.estimate == pytest.approx(0.6)
    assert found.difference.estimate == pytest.approx(0.2)
    assert [effect.measure.kind for effect in found.effects] == ["policy", "seat", "seat", "column", "draws"]


def test_another_line_up_against_a_mirror():
    """In a mirror every seat of the player counts: half of the wins, whatever the seats are worth."""
    mirror = side("aa", [0] * 70 + [1] * 30)
    duel = LineUp((Played("ab", [0] * 90 + [1] * 10), Played("ba", [1] * 60 + [0] * 40)))
    found = comparison.of_line_ups(mirror, duel)
    assert found.by_player and found.headline.base.interval.estimate == 0.5
    assert found.headline.changed.interval.estimate == pytest.approx(0.75)


def test_one_seat_of_a_line_up_that_was_not_turned_round():
    found = comparison.of_line_ups(side("ab", [0] * 50 + [1] * 50), side("ac", [0] * 90 + [1] * 10))
    assert not found.by_player and found.difference.estimate == pytest.approx(0.4)


def test_cut_off_games_give_bounds():
    found = comparison.of_line_ups(side("a", [0] * 50 + [-3] * 50), side("a", [0] * 60 + [-2] * 40))
    assert found.capped == 40 and "bounds over 40 truncated games" in found.difference.method
    assert found.difference.low < 0.1 < 0.5 < found.difference.high


@pytest.mark.parametrize(
    ("low", "adjusted", "said"),
    [
        (-0.01, 0.2, "not significant"),
        (0.01, 0.2, "not significant after adjustment for all lines"),
        (0.01, 0.01, ""),
        (0.01, None, ""),
    ],
)
def test_a_line_says_what_makes_it_no_finding(low, adjusted, said):
    """An interval beside 0 is never called nothing without a word that the adjustment decides."""
    assert sentences.doubt(Interval(0.05, low, 0.09, 0.95, "Student t"), adjusted, "all lines") == said


# ---------------------------------------------------------------- two cells of one sweep


def test_cells_of_one_sweep_are_paired():
    base, changed = Played("ab", [0] * 40 + [1] * 60), Played("ab", [0] * 50 + [1] * 50)
    found = comparison.of_cells(base, changed)
    assert found == comparison.of_line_ups(LineUp((base,)), LineUp((changed,))).difference
    assert found.method == "exact tails (Blaker)"
    assert found.low > 0, "ten games that all move one way"
    assert newcombe(wilson(50, 100), wilson(40, 100)).low < 0
    other = comparison.of_cells(base, changed, seat=1)
    assert other.estimate == pytest.approx(-0.1) and other.high == pytest.approx(-found.low)


def test_cells_with_other_game_numbers_count_as_independent():
    base, changed = Played("ab", [0] * 40 + [1] * 60), Played("ab", [0] * 50 + [1] * 40)
    assert comparison.of_cells(base, changed) == newcombe(wilson(50, 90), wilson(40, 100))


def test_cells_that_were_watched_keep_their_confidence_sequences():
    base, changed = Played("ab", [0] * 40 + [1] * 60), Played("ab", [0] * 50 + [1] * 50)
    base.precision = changed.precision = 0.05
    assert comparison.of_cells(base, changed) == newcombe(confidence_sequence(50, 100), confidence_sequence(40, 100))


def test_games_are_joined_a_piece_at_a_time(monkeypatch):
    """Memory does not grow with the games, and the results are those of one join."""
    luck = np.random.default_rng(5)

    def cell(seats, games=300):
        return Played(seats, luck.integers(-3, 2, games), turn=luck.integers(5, 9, games))

    mirrors = LineUp((cell("aa"),)), LineUp((cell("aa", 250),))
    turned = tuple(LineUp((cell("ab"), cell("ba"))) for _ in range(2))

    def found():
        both = [comparison.of_line_ups(*sides) for sides in (mirrors, turned)]
        rows = [[comparison.EffectRow.of(effect) for effect in one.effects] for one in both]
        skill = seating.skill_of(turned[0])
        counts = [(one.games, one.capped, one.touched) for one in both]
        return (
            rows,
            counts,
            skill.games,
            skill.standings,
            skill.seats,
            [(duel.joint, duel.factor) for duel in skill.duels],
        )

    whole = found()
    monkeypatch.setattr(paired, "PIECE", 64, raising=False)
    assert found() == whole
    joined, join = [], pl.LazyFrame.join

    def watched(left, *other, **how):
        joined.append(left.select(pl.len()).collect().item())
        return join(left, *other, **how)

    monkeypatch.setattr(pl.LazyFrame, "join", watched)
    comparison.of_line_ups(*mirrors)
    assert 0 < max(joined) <= 64


def test_the_factor_of_a_duel_counts_games_a_piece_at_a_time(monkeypatch):
    luck = np.random.default_rng(6)
    line_up = LineUp(
        tuple(Played(seats, luck.integers(-1, 2, 300), turn=luck.integers(5, 9, 300)) for seats in ("ab", "ba"))
    )
    differences = [
        [(w == seats.index("a")) * 1.0 - (w == seats.index("b")) for w in cell.scan().collect()["winner"]]
        for seats, cell in zip(("ab", "ba"), line_up.cells, strict=True)
    ]
    wanted = sum(np.var(one, ddof=1) for one in differences) / 4 / np.var(np.mean(differences, axis=0), ddof=1)
    monkeypatch.setattr(paired, "PIECE", 64)
    seen, collect = [], pl.LazyFrame.filter
    monkeypatch.setattr(
        pl.LazyFrame,
        "filter",
        lambda frame, *by: seen.append(collect(frame, *by).select(pl.len()).collect().item()) or collect(frame, *by),
    )
    (duel,) = seating.skill_of(line_up).duels
    assert duel.factor == pytest.approx(wanted)
    seen.clear()
    seating._factor(line_up.scan(), line_up, 0, 1)
    assert seen and max(seen) <= 64
