"""A measure of a page is declared in one place, and every page and format shows it."""

import json
from dataclasses import dataclass

import pytest
from pypdf import PdfReader

from bartizan.analyses.statistics.intervals import Interval, proportion
from bartizan.reports import write_report
from bartizan.reports.blocks import Entry, Table
from bartizan.reports.pages.parts import everywhere
from bartizan.reports.pages.parts.measure import Shares
from tests.sweeps import make_sweep, records, solo_cell
from tests.unit.test_outcomes import TEN, match_cell
from tests.unit.test_several_players import entry


@dataclass(frozen=True)
class Share:
    name: str
    games: int
    share: Interval


class EvenGames(Shares):
    """Games of an even number: a declaration as long as any."""

    title = "Games of an even number"
    key = "even_games"

    def parts(self, finding, study):
        even = (finding.games + 1) // 2
        return [Share("even", even, proportion(even, finding.games))]


CELLS = {
    "solo": [
        (solo_cell(), records(games=300)),
        (solo_cell(id="elite", difficulty="elite", scenario_hash="e" * 16), records(games=300)),
    ],
    "two sides": [(match_cell(), TEN)],
    "free-for-all": [entry("sgs", (0.4, 0.3, 0.3), 1)],
}


@pytest.mark.parametrize("kind", CELLS)
def test_a_new_measure_is_on_every_page_in_every_format(kind, tmp_path, monkeypatch):
    monkeypatch.setattr(everywhere, "EVERYWHERE", (*everywhere.EVERYWHERE, EvenGames()))
    sweep = make_sweep(tmp_path / "s", CELLS[kind], **({"alike": True} if kind == "free-for-all" else {}))
    texts = {
        form: write_report(sweep, tmp_path / f"r.{form}").read_text(encoding="utf-8") for form in ("html", "md", "json")
    }
    sheets = PdfReader(write_report(sweep, tmp_path / "r.pdf")).pages
    texts["pdf"] = " ".join(word for sheet in sheets for word in sheet.extract_text().split())
    page = texts["html"]
    said = page[page.index("<summary>In words") :]
    assert "Even 50" in said[: said.index("</details>")]  # in words
    assert "<h2>Games of an even number" in page and "<summary>Games of an even number" in page  # a picture, a table
    assert "## Games of an even number" in texts["md"] and "### Games of an even number" in texts["md"]
    assert texts["pdf"].count("Games of an even number") >= 3
    for cell in json.loads(texts["json"])["cells"]:
        (part,) = cell["even_games"]
        assert part["name"] == "even" and part["low"] < part["estimate"] < part["high"]


def test_a_page_without_it_has_no_word_of_it(tmp_path):
    text = write_report(make_sweep(tmp_path / "s", CELLS["two sides"]), tmp_path / "r.md").read_text(encoding="utf-8")
    assert "even number" not in text


def test_a_table_whose_rows_do_not_fit_its_headers_is_refused():
    """Some formats would show it with numbers below the wrong headers."""
    Table("Scores", "", ("Setting", "Games"), ((Entry("novice"), Entry("300")),))
    with pytest.raises(ValueError, match="Scores"):
        Table("Scores", "", ("Setting", "Games"), ((Entry("novice"), Entry("300"), Entry("5")),))
