"""Between the best players: the equilibria that come with a game lead its pages, and are about the game as it is."""

import json

import polars as pl
import pytest

from bartizan.analyses.records import equilibria
from bartizan.policies.registry import find_policy
from bartizan.reports.blocks import Answers
from bartizan.reports.pages import sweep as of_sweep
from bartizan.reports.pages.parts import measured
from bartizan.reports.pages.parts.certainty import HOW_SURE
from bartizan.reports.study import study
from bartizan.reports.views.equilibrium import POLICIES_ONLY, EquilibriumDocument, brief
from bartizan.simcore.errors import EngineError
from bartizan.simcore.game import game_names, load_game
from bartizan.simcore.scenario.loading import load_scenario
from tests.sweeps import make_sweep, records, solo_cell
from tests.unit.test_outcomes import TEN, match_cell

SHIPPED = [(name, one) for name in game_names() for one in equilibria.shipped(name)]


def interval(estimate: float, reach: float = 0.02) -> dict:
    return {
        "estimate": estimate,
        "low": estimate - reach,
        "high": estimate + reach,
        "level": 0.95,
        "method": "bootstrap over blocks of games, percentile, mixtures found anew",
    }


def found(**more) -> dict:
    rounds = [{"value": interval(value), "mixtures": {}, "responses": {}} for value in (0.60, 0.62)]
    about = {
        "schema": equilibria.SCHEMA,
        "scenario_hash": "0123456789abcdef",
        "behaviour": 1,
        "roles": ["raiders", "guard"],
        "draw": 0.0,
    }
    said = {
        "game": "raid",
        "title": "Raid",
        "scenario": "published",
        "policies": ["a", "b"],
        "seed": 1,
        "changes": [],
        "levels": 1,
        "difficulty": "standard",
        "settled": False,
    }
    played = {
        "games": 100,
        "generations": 1,
        "fresh": 100,
        "command": "",
        "sources": "",
        "method": "",
        "mixtures": {},
        "pools": {},
        "table": [],
        "shares": {"won": 0.6, "drawn": 0.0, "lost": 0.4, "cut_off": 0.0},
    }
    return about | said | played | {"value": interval(0.62), "gap": [0.58, 0.66], "rounds": rounds} | more


@pytest.mark.parametrize(("name", "one"), SHIPPED, ids=lambda it: it if isinstance(it, str) else str(it["overrides"]))
def test_what_ships_is_about_the_game_as_it_is(name, one):
    """Otherwise pages do not show it: ask the command in it again."""
    game = load_game(name)
    scenario = load_scenario(game, one["scenario"], one["difficulty"], one["overrides"])
    assert (one["scenario_hash"], one["behaviour"]) == (scenario.hash, game.behaviour)
    assert tuple(one["roles"]) == game.roles_in(scenario)
    for role in one["roles"]:
        for member in one["pools"][role]:
            assert set(find_policy(game, member["policy"]).weights) == set(member["weights"])
    counted = EquilibriumDocument.read(one).value_games
    assert counted
    assert "bootstrap over blocks of games, percentile, mixtures found anew" not in one["value"]["method"], (
        "the table's own value covers too little"
    )
    low, high = one["gap"]
    assert low <= one["value"]["estimate"] <= high
    assert brief(EquilibriumDocument.read(one)).endswith(".")
    assert one["command"].startswith(f"bartizan equilibrium {name}")


def test_colditz_ships_one_for_each_number_of_allied_players():
    told = {json.dumps(one["overrides"]) for name, one in SHIPPED if name == "colditz"}
    assert len(told) == 5


def page(tmp_path, monkeypatch, known: list[dict], cell: dict, games: pl.DataFrame = TEN):
    monkeypatch.setattr(measured, "_equilibria", lambda named: tuple(known))
    """What it shows first, and its paragraphs: those on the first screen, then those in words."""
    made = of_sweep.page(study(make_sweep(tmp_path / "s", [(cell, games)])))
    texts = (
        next(block for block in part.blocks if isinstance(block, Answers))
        for part in (made.parts[0], made.part("In words"))
    )
    return made.chart, *(answers.paragraphs for answers in texts)


def test_it_leads_the_page_and_its_first_page(tmp_path, monkeypatch):
    cell = match_cell()
    chart, *texts = page(tmp_path, monkeypatch, [found(scenario_hash=cell["scenario_hash"])], cell)
    first = next(one for one in texts[1] if one.heading == measured.BETWEEN)
    front, verdict = ([one.heading for one in text] for text in texts)
    assert HOW_SURE in front and HOW_SURE not in verdict, "its ranges are of the page's own games, on the first screen"
    assert (
        first.answer
        == "Raiders wins 58–66 % between the best players found (value 62 % (60–64 %)); the last round of training changed the value by 2.0 percentage points.".replace(
            " %", "\N{NO-BREAK SPACE}%"
        )
    )
    assert POLICIES_ONLY in first.details
    track, *_ = chart.tracks
    assert chart.title == "Between the best players found, Raiders wins 62\N{NO-BREAK SPACE}% of the games."
    assert track.band.name == "best responses 58–66\N{NO-BREAK SPACE}%"
    assert track.marks[0].interval.estimate == pytest.approx(0.62)


def test_of_other_numbers_or_rules_it_says_nothing(tmp_path, monkeypatch):
    cell = match_cell()
    for other in (found(scenario_hash="fedcba9876543210"), found(scenario_hash=cell["scenario_hash"], behaviour=2)):
        *_, verdict = page(tmp_path / str(other["behaviour"]), monkeypatch, [other], cell)
        assert measured.BETWEEN not in [one.heading for one in verdict]


def test_what_is_changed_opens_the_sentence():
    change = {"path": "players", "what": "Players", "from": 3, "to": 5, "confidence": "changed"}
    assert brief(EquilibriumDocument.read(found(changes=[change]))).startswith("With ")
    assert brief(EquilibriumDocument.read(found(levels=2))).startswith("Standard: ")


def test_a_file_that_holds_none_is_refused_in_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr(equilibria, "beside", lambda named, name: tmp_path / name)
    assert equilibria.shipped("raid") == []
    (tmp_path / "equilibria.json").write_text('{"equilibria": [{"schema": "bartizan.bracket/1"}]}')
    with pytest.raises(EngineError, match="contains no equilibria"):
        equilibria.shipped("raid")


def test_a_solo_page_has_none(tmp_path, monkeypatch):
    cell = solo_cell()
    *_, verdict = page(tmp_path, monkeypatch, [found(scenario_hash=cell["scenario_hash"])], cell, records(games=400))
    assert measured.BETWEEN not in [one.heading for one in verdict]
