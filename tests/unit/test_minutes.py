"""How long a game takes and how long a player waits, from plays that are made up and games of which it is known."""

import numpy as np
import polars as pl
import pytest

from bartizan.analyses.people.log import frame_of
from bartizan.analyses.people.minutes import FEWEST, Timed, TimedPlay, estimate, timed
from bartizan.analyses.statistics import durations
from bartizan.analyses.statistics.durations import Slope
from bartizan.policies.request import Request
from bartizan.reports.views import people_minutes
from bartizan.simcore.compile.rules import TRUNCATED
from bartizan.simcore.game import load_game
from bartizan.simcore.play import waits
from bartizan.simcore.play.waits import CHOICES, LONGEST, TURNS, WAITED, Shared, note_choice
from tests.cli.run_cli import PIG

ONE = {"standard": np.full(40, 12.0)}


def log(*plays: dict, game: str = "pig") -> pl.DataFrame:
    """A row a seat: `people` names them."""
    rows = [
        {
            "play_id": str(number),
            "source": "sheet.csv",
            "game": game,
            "kept": True,
            "row": number + 2,
            "player_key": name,
            **play,
        }
        for number, play in enumerate(plays)
        for name in play.pop("people", ["anna"])
    ]
    return frame_of(rows)


def plays(minutes, turns=None, groups=4, players=2, level="standard") -> Timed:
    found = [
        TimedPlay(
            float(each), None if turns is None else float(turns[i]), players, level, str(i % groups), True, f"row {i}"
        )
        for i, each in enumerate(minutes)
    ]
    return Timed(tuple(found), {})


def spread(middle: float, n: int = 40, sd: float = 0.2) -> np.ndarray:
    """Minutes with this middle."""
    return middle * np.exp(sd * np.linspace(-1.5, 1.5, n)[np.random.default_rng(0).permutation(n)])


def text(found) -> str:
    return "\n".join(str(line) for block in people_minutes.blocks(found) for line in getattr(block, "lines", ()))


def test_a_play_counts_once_and_what_nobody_timed_is_left_out_and_counted():
    those = timed(
        log(
            {"minutes": 30.0, "rounds": 12, "people": ["anna", "bert"]},
            {"people": ["anna", "bert"]},
            {"minutes": 50.0, "people": ["anna", "bert", "cleo"]},
            {"minutes": 20.0, "level": "hard", "people": ["bert", "anna"]},
        ),
        load_game(PIG),
        ["standard"],
        2,
    )
    (play,) = those.plays
    assert (play.minutes, play.turns, play.players, play.group) == (30, 12, 2, "anna bert")
    assert those.left_out == {"no minutes": 1, "other number of players": 1, "level hard was not simulated": 1}


def test_one_row_is_a_whole_play_of_a_game_with_a_fixed_number_of_players():
    """A sheet with a date, a winner and minutes: ten recorded plays were left out for their number of players."""
    (play,) = timed(log({"minutes": 30.0, "people": [None]}), load_game(PIG), ["standard"], 2).plays
    assert play.players == 2


def test_rounds_that_people_counted_are_not_turns_of_the_game():
    """Six rounds of four players are not six turns: the minutes of a turn were four times too long."""
    counted = [{"minutes": 30.0, "rounds": 6, "rounds_unit": unit} for unit in ("round", "turn", None)]
    those = timed(log(*counted), load_game(PIG), ["standard"])
    assert [play.turns for play in those.plays] == [None, 6, 6]


def test_plays_without_names_are_groups_of_their_own():
    those = timed(
        log({"minutes": 30.0, "people": [None]}, {"minutes": 40.0, "people": [None]}), load_game(PIG), ["standard"]
    )
    assert len({play.group for play in those.plays}) == 2 and not any(play.named for play in those.plays)


@pytest.mark.parametrize("have", [0, FEWEST - 1])
def test_too_few_plays_say_in_one_line_how_many_are_missing(have):
    found = estimate(plays(spread(30, have) if have else []), {}, "hold")
    assert found.needed == FEWEST - have and not found.levels and found.per_turn is None
    (line,) = text(found).splitlines()
    assert str(found.needed) in line and str(FEWEST) in line


def test_minutes_of_a_turn_come_from_the_turns_that_people_took():
    """People take twice as many turns as the policy: their own count."""
    turns = np.full(40, 24.0)
    found = estimate(plays(spread(48), turns), ONE, "hold", "round")
    assert found.turns_from == "plays" and found.turns == pytest.approx(24)
    assert found.per_turn.low < 2.0 < found.per_turn.high and found.per_turn.high < 2.8
    assert "round" in text(found) and "assumes that people take as many" not in text(found)


def test_without_turns_those_of_the_policy_stand_in_and_that_is_said():
    found = estimate(plays(spread(48)), ONE, "hold")
    assert found.turns_from == "hold" and found.per_turn.low < 4.0 < found.per_turn.high
    assert "assumes that people take as many turns as hold" in text(found)


def test_a_clock_that_ran_on_is_left_out_by_name():
    minutes = spread(48)
    minutes[7] = 600
    found = estimate(plays(minutes), ONE, "hold")
    assert [one.place for one in found.implausible] == ["row 7"] and found.plays == 39
    assert found.levels[0].mean.high < 60 and "row 7" in text(found)


def test_a_level_that_nobody_timed_is_wider_than_one_that_people_played():
    turns = {"easy": np.full(30, 10.0), "hard": np.full(30, 20.0)}
    easy, hard = estimate(plays(spread(30), level="easy"), turns, "hold").levels
    assert (easy.plays, hard.plays) == (40, 0)
    assert hard.mean.estimate > 1.4 * easy.mean.estimate
    assert hard.mean.high / hard.mean.low > 1.3 * easy.mean.high / easy.mean.low


def test_more_players_are_told_apart():
    few, many = plays(spread(30), players=2), plays(spread(60), players=4)
    found = estimate(Timed(few.plays + many.plays, {}), ONE, "hold")
    assert found.by_players.low < 1 < found.by_players.high and found.by_players.low > 0.5
    assert estimate(few, ONE, "hold").by_players is None


def test_plays_of_one_group_say_that_they_are_of_one():
    one, several = (estimate(plays(spread(30), groups=groups), ONE, "hold") for groups in (1, 8))
    assert one.groups == 1 and "other groups may be faster" in text(one)
    assert "other groups may be faster" not in text(several)


def test_plays_of_few_groups_tell_less_than_as_many_of_many():
    def width(groups: int) -> float:
        minutes = 30 * np.exp(0.3 * np.random.default_rng(1).standard_normal(groups))[np.arange(40) % groups]
        return durations.interval(
            durations.fit(minutes * spread(1), np.zeros((40, 0)), [str(i % groups) for i in range(40)]).mean([])
        ).half_width

    assert width(4) > 1.5 * width(40)


def test_a_slope_that_the_data_know_is_found_whatever_the_prior():
    x = np.log(np.linspace(5, 40, 300))
    found = durations.fit(
        np.exp(1 + 0.5 * x + 0.1 * np.sin(np.arange(300))),
        x[:, None],
        [str(i % 30) for i in range(300)],
        [Slope(0.8, 0.3)],
    )
    assert durations.interval(found.slopes[:, 1]).estimate == pytest.approx(0.5, abs=0.05)


# ---------------------------------------------------------------- who waits


def counts_of(seats: list[int], n: int = 2) -> np.ndarray:
    """[seat, COLUMNS] of choices in this order."""
    last, counts = np.zeros(n, np.int32), np.zeros((n, 4), np.int32)
    for total, seat in enumerate(seats):
        note_choice(last, counts, total, seat)
    return counts


def test_turns_and_waits_of_choices():
    first, second = counts_of([0, 0, 1, 1, 1, 0, 1])
    assert (first[CHOICES], first[TURNS], first[WAITED], first[LONGEST]) == (3, 2, 3, 3)
    assert (second[CHOICES], second[TURNS], second[WAITED], second[LONGEST]) == (4, 2, 1, 1)


def test_turns_of_pig_are_those_that_the_game_counts():
    """Players take turns, so the first has the odd ones; each waits for the other's choices."""
    shared = waits.play(Request(PIG).match(1, "test"), 50)
    assert len(shared.turn) == 50
    np.testing.assert_array_equal(shared.counts[:, 0, TURNS] + shared.counts[:, 1, TURNS], shared.turn)
    first, second = shared.counts[:, 0], shared.counts[:, 1]
    np.testing.assert_array_less(first[:, WAITED], second[:, CHOICES] + 1)
    assert (np.abs(first[:, TURNS] - second[:, TURNS]) <= 1).all()


def test_who_plays_alone_in_turns_waits_half_of_the_game():
    """Ten turns each of one choice: a turn is a twentieth of the game, a wait too."""
    counts = np.tile(counts_of([0, 1] * 10)[None], (30, 1, 1))
    shared = Shared(counts, np.full(30, 20), np.zeros(30, int))
    found = estimate(plays(spread(40)), {"standard": np.full(30, 20.0)}, "hold", shared=shared)
    assert found.wait.estimate == pytest.approx(found.levels[0].mean.estimate / 20) == found.own_turn.estimate
    assert found.longest_wait.estimate == pytest.approx(found.wait.estimate)
    assert found.waiting.estimate == pytest.approx(0.5) and "a player waits 50" in people_minutes.headline(found)
    assert "A player's own choice, which is the whole turn, takes " in "".join(people_minutes._lines(found))
    longer = Shared(np.tile(counts_of([0, 0, 1, 1] * 5)[None], (30, 1, 1)), np.full(30, 20), np.zeros(30, int))
    other = estimate(plays(spread(40)), {"standard": np.full(30, 20.0)}, "hold", shared=longer)
    assert other.choices == 2 and "A player's own turn takes " in "".join(people_minutes._lines(other))


def test_truncated_games_say_nothing_about_waits():
    alike, lopsided = counts_of([0, 1] * 10), counts_of([0] + [1] * 19)
    whole = Shared(np.tile(alike[None], (30, 1, 1)), np.full(30, 20), np.zeros(30, int))
    with_truncated = Shared(
        np.concatenate([whole.counts, np.tile(lopsided[None], (30, 1, 1))]),
        np.full(60, 20),
        np.repeat([0, TRUNCATED], 30),
    )
    one, other = (
        estimate(plays(spread(40)), {"standard": np.full(30, 20.0)}, "hold", shared=shared)
        for shared in (whole, with_truncated)
    )
    assert other.waiting == one.waiting and other.longest_wait == one.longest_wait


@pytest.mark.parametrize("n", [5, 50])
def test_few_plays_and_many_say_how_long_and_how_much_of_it_is_waiting(n):
    """Four players, 45 minutes in the middle; each turn has one to three choices, so they wait 3/4 of the time."""
    random = np.random.default_rng(n)
    games = [
        counts_of([seat for turn in range(40) for seat in [turn % 4] * random.integers(1, 4)], 4) for _ in range(300)
    ]
    shared = Shared(np.array(games), np.full(300, 40), np.zeros(300, int))
    found = estimate(plays(spread(45, n), players=4), {"standard": np.full(300, 40.0)}, "hold", shared=shared)
    (level,) = found.levels
    assert level.mean.low < 45 < level.mean.high and found.plays == n
    assert found.waiting.low <= 0.75 <= found.waiting.high and found.waiting.high - found.waiting.low < 0.02
    assert "with 4 players" in people_minutes.headline(found) and "of the time" in people_minutes.headline(found)


def test_where_no_simulated_game_ends_nothing_is_estimated():
    found = estimate(plays(spread(40)), {"standard": np.zeros(0)}, "hold")
    assert not found.levels and text(found).count("\n") == 0 and "no simulated game" in text(found)


def test_a_short_game_is_no_clock_that_stopped_where_its_turns_tell():
    """Lost in turn 3 of 20, after a sixth of the time."""
    turns = np.where(np.arange(40) % 5, 20.0, 3.0)
    found = estimate(plays(spread(4.5) * turns, turns), {"standard": np.full(40, 20.0)}, "hold")
    assert not found.implausible and found.levels[0].one_game.low < 25 < 80 < found.levels[0].mean.high
    assert not estimate(plays(spread(4.5) * turns), {"standard": turns}, "hold").implausible, (
        "games of the policy end so early too"
    )
