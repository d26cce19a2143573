"""The second stage of sensitivity: indices of gambler's ruin from games played, against those counted from its closed form; and what is said of them."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from bartizan.analyses.experiments.interactions import GAMES, Index, Interactions, TooFewSettings, ValueEffect
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.render import terminal
from bartizan.reports.views import interactions as views
from tests.cli.run_cli import PIG, RUIN
from tests.oracles import ruin
from tests.unit.test_sensitivity import ask
from tests.unit.test_sobol import exact


@pytest.fixture(scope="module")
def gambler():
    return ask(RUIN, "random", games=500, draws=0, effects=3, settings=150)


def chances(factors: list[ValueEffect]) -> np.ndarray:
    """The chance to win at every combination of values, one axis a factor."""
    names = [factor.path.split(".")[1] for factor in factors]
    settings = (dict(zip(names, values, strict=True)) for values in product(*(factor.values for factor in factors)))
    flat = [ruin(bets["win_per_mille"] / 1000, bets["start"], bets["goal"]) for bets in settings]
    return np.array(flat).reshape([len(factor.values) for factor in factors])


def told(found: Interactions) -> Interactions:
    sentence = views.sentence(found, "the win rate", "Gambler's ruin, random", "seed 11; no value is assumed")
    return found.model_copy(update={"sentence": sentence})


def holds(interval: Interval, value: float) -> bool:
    return interval.low <= value <= interval.high


def test_the_most_influential_first_with_what_they_are_now(gambler):
    _, _, found = gambler
    factors = found.interactions.knobs
    assert [factor.path for factor in factors] == ["bets.win_per_mille", "bets.goal", "bets.start"]
    assert factors[0].values == [490, 612, 368] and factors[2].values[0] == 10
    assert (
        ask(RUIN, "random", games=200, draws=0, effects=1, settings=20)[2].interactions.knobs[0].values
        == factors[0].values
    )


def test_sobol_are_the_exact_ones(gambler):
    _, _, found = gambler
    played, table = found.interactions, chances(found.interactions.knobs)
    true = exact(table)
    assert holds(played.variance, table.var()) and holds(played.sum_alone, sum(true["alone"]))
    for i, effect in enumerate(played.knobs):
        assert holds(effect.alone, true["alone"][i]) and holds(effect.total, true["total"][i])
        assert not effect.alone.is_noise
    assert all(holds(pair.share, value) for pair, value in zip(played.pairs, true["pair"], strict=True))
    assert played.noise_variance == pytest.approx((table * (1 - table)).mean() / GAMES, rel=0.05)


def test_changes_are_the_exact_ones(gambler):
    _, _, found = gambler
    table = chances(found.interactions.knobs)
    for i, effect in enumerate(found.interactions.knobs):
        lined = np.moveaxis(table, i, 0)
        assert all(
            abs(level.headline.estimate - lined[at].mean()) < 2 * level.headline.half_width < 0.2
            for at, level in enumerate(effect.levels)
        )
        for change, moved in zip(effect.changes, lined[1:] - lined[0], strict=True):
            low, high = change.nine_in_ten
            assert holds(change.difference, moved.mean()) and moved.min() - 0.05 <= low <= high <= moved.max() + 0.05
    given = found.interactions.pairs[0].given[0]
    level = found.interactions.knobs[0].values.index(given.to)
    assert all(
        holds(at.difference, (table[level, other] - table[0, other]).mean()) for other, at in enumerate(given.at)
    )


def test_the_largest_change_may_be_a_loss(gambler):
    """Of the same changes with the opposite sign, the same one is the largest."""
    _, _, found = gambler

    def turned(change):
        low, high = -change.difference.high, -change.difference.low
        difference = replace(change.difference, estimate=-change.difference.estimate, low=low, high=high)
        return change.model_copy(update={"difference": difference})

    knobs = [
        value.model_copy(update={"changes": [turned(change) for change in value.changes]})
        for value in found.interactions.knobs
    ]
    for one in (found.interactions, found.interactions.model_copy(update={"knobs": knobs})):
        assert "612 instead of 490" in told(one).sentence


def test_threads_and_more_settings_change_nothing(gambler):
    _, _, found = gambler
    _, _, other = ask(RUIN, "random", games=500, draws=0, effects=3, settings=150, jobs=2)
    assert other.interactions == found.interactions


def test_games_are_not_those_that_chose_the_values(gambler):
    _, _, found = gambler
    assert found.interactions.first_game == 500 and found.interactions.settings == 150
    assert found.interactions.points == 150 * 10


def test_settings_that_are_refused_are_drawn_again():
    """A start of 12 with a goal of 12 is no game."""
    _, _, found = ask(
        RUIN,
        "random",
        sets={"bets.start": 10, "bets.goal": 16},
        games=200,
        draws=0,
        effects=2,
        settings=20,
        prefixes=("bets.start", "bets.goal"),
    )
    assert found.interactions.redrawn > 0 and found.interactions.settings == 20
    assert any("were redrawn" in line for line in terminal.lines(views.view(told(found.interactions))))


def test_where_nothing_can_be_told():
    """A goal that no game reaches: all games are lost."""
    sets = {"bets.start": 3, "bets.goal": 900, "bets.win_per_mille": 100}
    _, _, found = ask(RUIN, "random", sets=sets, games=100, draws=0, effects=3, settings=20)
    assert found.interactions is None, "no value that changed no game is looked at again"


def test_players_over_all_seats_and_no_shares_of_noise():
    """Who holds at 25 beats who holds at 8 at any goal: so little depends on the goal that few settings cannot tell."""
    _, _, found = ask(PIG, "hold:at=25", "hold:at=8", games=300, draws=0, prefixes=("goal",), effects=2, settings=30)
    (effect,) = found.interactions.knobs
    assert 0.6 < effect.levels[0].headline.estimate < 0.95 and not found.interactions.pairs
    assert effect.alone is effect.total is None
    document = told(found.interactions)
    view = views.view(document)
    assert not document.varies and effect.alone is None and "within sampling error" in document.sentence
    assert any("No shares" in line for line in terminal.lines(view))
    assert not view.figures and view.tables[0].rows[0][-2].text == "–"


def test_too_few_settings(gambler):
    _, _, found = gambler
    too_few = TooFewSettings(**{**dict(found.interactions), "knobs": [], "pairs": [], "settings": 3})
    view = views.view(told(too_few))
    assert view.sentence.startswith("Gambler's ruin, random: no effects, because only 3 random settings")
    assert not view.figures and not view.tables


# ---------------------------------------------------------------- in words


def test_for_a_reader(gambler):
    _, _, found = gambler
    document = told(found.interactions)
    first, *rest = terminal.lines(views.view(document))
    for part in (
        "over 150 random settings of the 3 most influential values",
        "Bets, Win per mille 612 instead of 490",
        "on average, between",
        "depending on the other values",
        "100 games at each of 1,500 points, seed 11",
    ):
        assert part in first, part
    assert "Bets, Win per mille (bets.win_per_mille)   490  612" in "\n".join(rest)
    assert "Interaction: bets.win_per_mille and bets.goal" in "\n".join(rest)
    assert [knob.path for knob in document.knobs] == ["bets.win_per_mille", "bets.goal", "bets.start"]
    assert len(document.pairs) == 3
    assert views.view(document).tables[0].rows and views.view(document).figures


def test_noise_is_said_to_be_noise():
    noise = Index(0.01, 0.0, 0.03, 0.95, "bootstrap BCa", is_noise=True)
    assert views.share(noise) == "within sampling error (up to 3\u00a0%)"
    assert views.share(replace(noise, low=0.005, is_noise=False)) == "1\u00a0% (0–3\u00a0%)"
    assert views.share(replace(noise, estimate=0.0, method="no value moved")) == "changed no game (up to 3\u00a0%)"
