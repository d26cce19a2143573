"""The second stage of sensitivity: indices of gambler's ruin from games played, against those counted from its closed form; and what is said of them."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from bartizan.analyses.experiments.interactions import GAMES, Factor, Interactions
from bartizan.analyses.statistics import sobol as indices
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.pages.parts import interactions as page
from bartizan.reports.text import interactions as text
from tests.cli.run_cli import PIG, RUIN
from tests.oracles import ruin
from tests.unit.test_sensitivity import ask
from tests.unit.test_sobol import exact


@pytest.fixture(scope="module")
def gambler():
    return ask(RUIN, "random", games=500, draws=0, effects=3, settings=150)


def chances(factors: tuple[Factor, ...]) -> np.ndarray:
    """The chance to win at every combination of values, one axis a factor."""
    names = [factor.knob.path.split(".")[1] for factor in factors]
    settings = (dict(zip(names, values, strict=True)) for values in product(*(factor.values for factor in factors)))
    flat = [ruin(bets["win_per_mille"] / 1000, bets["start"], bets["goal"]) for bets in settings]
    return np.array(flat).reshape([len(factor.values) for factor in factors])


def told(found: Interactions) -> dict:
    return text.document(found, "the win rate", "Gambler's ruin, random", "seed 11; no value is assumed")


def holds(interval: Interval, value: float) -> bool:
    return interval.low <= value <= interval.high


def test_the_most_influential_first_with_what_they_are_now(gambler):
    _, _, found = gambler
    factors = found.interactions.factors
    assert [factor.knob.path for factor in factors] == ["bets.win_per_mille", "bets.goal", "bets.start"]
    assert factors[0].values == (490, 612, 368) and factors[2].values[0] == 10
    assert ask(RUIN, "random", games=200, draws=0, effects=1, settings=20)[2].interactions.factors == factors[:1]


def test_sobol_are_the_exact_ones(gambler):
    _, _, found = gambler
    played, table = found.interactions.found, chances(found.interactions.factors)
    true = exact(table)
    assert holds(played.variance, table.var()) and holds(played.sum_alone, sum(true["alone"]))
    for i, effect in enumerate(played.effects):
        assert holds(effect.alone, true["alone"][i]) and holds(effect.total, true["total"][i])
        assert not indices.is_noise(effect.alone)
    assert all(holds(share, value) for share, value in zip(played.pairs.values(), true["pair"], strict=True))
    assert played.noise == pytest.approx((table * (1 - table)).mean() / GAMES, rel=0.05)


def test_changes_are_the_exact_ones(gambler):
    _, _, found = gambler
    table = chances(found.interactions.factors)
    for i, effect in enumerate(found.interactions.found.effects):
        lined = np.moveaxis(table, i, 0)
        assert all(abs(mean.estimate - lined[level].mean()) < 2 * mean.half_width < 0.2 for level, mean in enumerate(effect.means))
        for change, moved in zip(effect.changes, lined[1:] - lined[0], strict=True):
            assert holds(change.mean, moved.mean()) and moved.min() - 0.05 <= change.low <= change.high <= moved.max() + 0.05
    level, at = found.interactions.given[0, 1]
    assert all(holds(interval, (table[level, other] - table[0, other]).mean()) for other, interval in enumerate(at))


def test_threads_and_more_settings_change_nothing(gambler):
    _, _, found = gambler
    _, _, other = ask(RUIN, "random", games=500, draws=0, effects=3, settings=150, jobs=2)
    assert other.interactions == found.interactions


def test_games_are_not_those_that_chose_the_values(gambler):
    _, _, found = gambler
    assert (found.interactions.first_game, found.interactions.settings, found.interactions.points) == (500, 150, 150 * 10)


def test_settings_that_are_refused_are_drawn_again():
    """A start of 12 with a goal of 12 is no game."""
    _, _, found = ask(RUIN, "random", sets={"bets.start": 10, "bets.goal": 16}, games=200, draws=0, effects=2, settings=20, prefixes=("bets.start", "bets.goal"))
    assert found.interactions.redrawn > 0 and found.interactions.settings == 20
    assert any("were drawn again" in line for line in text.lines(told(found.interactions)))


def test_where_nothing_can_be_told():
    """A goal that no game reaches: all games are lost."""
    sets = {"bets.start": 3, "bets.goal": 900, "bets.win_per_mille": 100}
    _, _, found = ask(RUIN, "random", sets=sets, games=100, draws=0, effects=3, settings=20)
    assert found.interactions is None, "no value that changed no game is looked at again"


def test_players_over_all_seats_and_no_shares_of_noise():
    """Who holds at 25 beats who holds at 8 at any goal: so little depends on the goal that few settings cannot tell."""
    _, _, found = ask(PIG, "hold:at=25", "hold:at=8", games=300, draws=0, prefixes=("goal",), effects=2, settings=30)
    (effect,) = found.interactions.found.effects
    assert 0.6 < effect.means[0].estimate < 0.95 and not found.interactions.found.pairs and effect.alone is effect.total is None
    document = told(found.interactions)
    assert not document["varies"] and document["knobs"][0]["alone"] is None and "cannot be told" in document["sentence"]
    assert any("cannot be told: no shares" in line for line in text.lines(document))
    assert page.section(document) is None and page.table(document).rows[0][-1].text == "–"


def test_too_few_settings(gambler):
    _, _, found = gambler
    document = told(replace(found.interactions, found=None, given={}, settings=3))
    assert next(text.lines(document)).startswith("Gambler's ruin, random: no effects: 3 random settings") and page.section(document) is page.table(document) is None


# ---------------------------------------------------------------- in words


def test_for_a_reader(gambler):
    _, _, found = gambler
    document = told(found.interactions)
    first, *rest = text.lines(document)
    for part in (
        "over 150 random settings of the 3 most influential values",
        "Bets, Win per mille 612 instead of 490",
        "on average, between",
        "depending on the rest",
        "100 games at each of 1,500 points, seed 11",
    ):
        assert part in first, part
    assert "  bets.win_per_mille 490 -> 612   +5" in "\n".join(rest) and "Together only: bets.win_per_mille and bets.goal" in "\n".join(rest)
    assert [knob["path"] for knob in document["knobs"]] == ["bets.win_per_mille", "bets.goal", "bets.start"] and len(document["pairs"]) == 3
    assert page.table(document).rows and page.section(document).grids


def test_noise_is_said_to_be_noise():
    noise = {"estimate": 0.01, "low": 0.0, "high": 0.03, "level": 0.95, "method": "bootstrap BCa", "is_noise": True}
    assert text.share(noise) == "noise explains it (up to 3\u00a0%)"
    assert text.share({**noise, "low": 0.005, "is_noise": False}) == "1\u00a0% (0–3\u00a0%)"
    assert text.share({**noise, "estimate": 0.0, "high": 0.0}) == "0: changed no game"
