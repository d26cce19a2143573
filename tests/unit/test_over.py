"""`report --over`: win rate over a column of the records, beside known rates (docs/records.md)."""

import json
import random
import re
from dataclasses import replace

import polars as pl
import pytest

import bartizan as bz
from bartizan.analyses.records.over import ColumnRates, ValueRate, rates_over
from bartizan.analyses.statistics.intervals import proportion
from bartizan.reports.views.over import views
from bartizan.simcore.errors import UsageError
from bartizan.simcore.sweep.store import open_sweep
from tests.cli.run_cli import PIG

WEATHER = {"rain": 0.3, "snow": 0.7, "sun": 0.5}


def chance(weather: str, luck: float) -> float:
    return 0.5 * WEATHER[weather] + 0.005 * luck


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Records in which weather and luck (0 to 100) decide, and the length does not."""
    made = random.Random(4)
    lines = ["seed,player_1,player_2,weather,luck,score_1,score_2,winner,rounds"]
    for seed in range(6000):
        weather, luck = made.choice(list(WEATHER)), round(made.uniform(0, 100), 2)
        wins = made.random() < chance(weather, luck)
        shown = weather if seed % 10 else ""  # of a tenth the weather is not known
        lines.append(f"{seed},bold,shy,{shown},{luck},{seed % 3},{seed % 2},{1 if wins else 2},{made.randrange(5, 9)}")
    path = tmp_path_factory.mktemp("over")
    (path / "games.csv").write_text("\n".join(lines))
    document = bz.import_records(path / "games.csv", out=path / "out").to_dict()
    assert document["categories"] == ["weather"] and document["measures"] == ["luck"]
    return path / "out"


def rates(folder, page, *columns) -> dict[str, dict]:
    """Column -> value -> its row; the same in the answer and on the page."""
    answer = bz.open(folder).report(page, over=list(columns)).to_dict()
    assert json.loads(page.read_text())["over"] == answer["over"]
    return {rate["column"]: {row["value"]: row for row in rate["values"]} for rate in answer["over"]}


def test_rates_are_those_that_made_the_games(folder, tmp_path):
    found = rates(folder, tmp_path / "page.json", "weather", "luck", "rounds")
    assert list(found["weather"]) == list(WEATHER) and len(found["luck"]) == 5 and len(found["rounds"]) == 4
    for name, row in found["weather"].items():
        assert row["win"]["low"] <= chance(name, 50) <= row["win"]["high"]
    for place, row in enumerate(found["luck"].values()):
        assert row["win"]["low"] <= 0.25 + 0.005 * (10 + 20 * place) <= row["win"]["high"]
        assert row["games"] == pytest.approx(1200, abs=60)
    assert all(row["win"]["low"] <= 0.5 <= row["win"]["high"] for row in found["rounds"].values())
    assert sum(row["games"] for row in found["weather"].values()) == 5400


def test_every_method_of_the_rates_is_named():
    shares = [replace(proportion(wins, 40), method=name) for wins, name in ((9, "Wilson"), (1, "exact"))]
    values = [ValueRate(value=str(at), games=40, wins=9, draws=0, win=share) for at, share in enumerate(shares)]
    rates = [ColumnRates(column="weather", cell="1", is_binned=False, values=values)]
    (view,) = views(rates, {"1": "one"}, "the first player")
    assert view.method[1] == "Wilson; exact"


def test_intervals_are_adjusted_for_all_rates_of_the_answer(folder, tmp_path):
    one, more = (
        rates(folder, tmp_path / "p.json", *columns)["weather"] for columns in (["weather"], ["weather", "luck"])
    )
    for name, row in one.items():
        narrow, wide = row["win"], more[name]["win"]
        assert wide["low"] < narrow["low"] < narrow["high"] < wide["high"] and narrow["estimate"] == wide["estimate"]
        assert "all 3 together" in narrow["method"] and "all 8 together" in wide["method"]


def test_a_heading_names_the_column_of_its_seat(folder, tmp_path):
    found = rates(folder, tmp_path / "p.json", "score_1", "score_2")
    assert list(found["score_1"]) == ["0", "1", "2"] and list(found["score_2"]) == ["0", "1"]


def test_a_sweep_answers_too_and_the_page_draws_each_cell(folder, tmp_path):
    bz.game(PIG).sweep(policy="hold", games=300, seed=4, out=tmp_path / "sweep")
    found = rates(tmp_path / "sweep", tmp_path / "p.json", "turn")
    assert sum(row["games"] for row in found["turn"].values()) == 300
    turns = pl.concat(map(pl.read_parquet, (tmp_path / "sweep").rglob("*.parquet")))["turn"]
    for name, row in found["turn"].items():
        low, high = map(int, re.findall(r"\d+", name))
        assert row["games"] == turns.is_between(low + name.startswith("above"), high).sum(), name
    bz.open(folder).report(tmp_path / "page.html", over="weather")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Win rate over weather" in page and "3 rates" in page


def test_an_unknown_column_is_one_line(folder, tmp_path):
    with pytest.raises(UsageError, match='--over wether: no such column; did you mean "weather"') as error:
        bz.open(folder).report(tmp_path / "page.html", over="wether")
    assert "\n" not in str(error.value) and not (tmp_path / "page.html").exists()


@pytest.mark.parametrize(
    ("numbers", "names"),
    [
        ([1000000, 1000001, 1000002], ["1,000,000", "1,000,001", "1,000,002"]),
        ([0.1, 0.10000001, 2e6], ["0.1", "0.10000001", "2,000,000"]),
        ([10**7 + n for n in range(13)], ["10,000,000 to 10,000,002", "above 10,000,002 to 10,000,004"]),
        ([*[0] * 90, *range(1, 14)], ["0 to 13"]),
    ],
)
def test_values_have_different_names(numbers, names, tmp_path):
    lines = [f"{n},1,3,{number}" for n, number in enumerate(numbers)]
    (tmp_path / "games.csv").write_text("\n".join(["seed,winner,turns,big", *lines]))
    bz.import_records(tmp_path / "games.csv", out=tmp_path / "out")
    (rate,) = rates_over(["big"], open_sweep(tmp_path / "out"))
    assert [row.value for row in rate.values][: len(names)] == names
    assert sum(row.games for row in rate.values) == len(numbers)


def test_each_cell_names_its_own_codes(folder):
    sweep = open_sweep(folder)
    (cell,) = sweep.cells
    words = cell.labels["weather"]
    others = ({"1": words["1"]}, {"1": words["2"], "2": words["1"], "3": "hail"})
    cells = [cell.model_copy(update={"labels": {"weather": labels}}) for labels in others]
    one, other = rates_over(["weather"], replace(sweep, cells=cells))
    games = {row.value: row.games for row in rates_over(["weather"], sweep)[0].values}
    first, second, third = words.values()
    assert {row.value: row.games for row in one.values} == {first: games[first]}
    assert {row.value: row.games for row in other.values} == {
        first: games[second],
        second: games[first],
        "hail": games[third],
    }
