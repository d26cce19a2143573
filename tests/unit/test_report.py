"""The report: self-contained, light, honest about n and intervals, and naming what it assumes."""

import json
import re
from functools import partial
from html.parser import HTMLParser
from importlib import import_module
from types import SimpleNamespace

import polars as pl
import pytest

from bartizan.analyses.statistics.intervals import Interval, clopper_pearson, proportion, with_truncated
from bartizan.analyses.statistics.testing import jointly
from bartizan.reports import write_report
from bartizan.reports.pages.parts import lost
from bartizan.reports.pages.parts.scores import tier_labels
from bartizan.reports.render import figures, html
from bartizan.reports.study import main_findings, study
from bartizan.reports.text import words
from bartizan.simcore.errors import UsageError
from tests.sweeps import TIERS, make_sweep, records, solo_cell

ASSUMED = "Tactics cards: assumed set (R-58): 32 of 33 are guesses"
BLANK = "Tactics cards: blank (R-58): no card has an effect"


def policy(name, about="One sentence."):
    return [{"role": "defender", "name": name, "weights": {}, "about": about}]


def cells():
    """Two levels, two policies, and for Veteran a second reading of the Tactics cards."""
    yield solo_cell(id="novice.random", policies=policy("random", "Any legal action.")), records(loss=1.0, seed=2)
    yield solo_cell(id="novice.garrison"), records(loss=0.4, seed=3)
    veteran = {"difficulty": "veteran", "scenario_hash": "fedcba9876543210"}
    yield (
        solo_cell(id="veteran.garrison", assumptions=["Dice of the mortar: 3", ASSUMED], **veteran),
        records(loss=0.6, seed=4),
    )
    changed = {**veteran, "scenario_hash": "00ff00ff00ff00ff", "set": {"rulings.focus_fire": "blank"}}
    yield (
        solo_cell(id="veteran.garrison.blank", assumptions=["Dice of the mortar: 3", BLANK], **changed),
        records(loss=0.5, seed=5),
    )


@pytest.fixture(scope="module")
def sweep(tmp_path_factory):
    return make_sweep(tmp_path_factory.mktemp("sweep"), list(cells()))


@pytest.fixture(scope="module")
def page(sweep, tmp_path_factory):
    return write_report(sweep, tmp_path_factory.mktemp("report") / "report.html").read_text(encoding="utf-8")


def test_the_published_value_is_what_the_others_are_held_against():
    """Wherever it stands in the list of values."""
    changed = [{"path": "dice.sides"}]
    found = [
        SimpleNamespace(player="garrison", sides=sides, changes=rows)
        for sides, rows in ((4, changed), (6, []), (8, changed))
    ]
    assert [main.sides for main in main_findings(found)] == [6] and main_findings(found[::2]) == found[:1]


def test_titles_speak_of_the_cell_that_the_verdict_speaks_of(page):
    """Veteran with blank cards is lost less often, 50 against 60 %: the pictures are named after the published cell all the same."""
    assert "<figcaption>The policy garrison wins 47" in page and re.search(r"and 33.% at Veteran", page)
    assert "Veteran: garrison has lost half of the games by turn" in page


class Tags(HTMLParser):
    """Every start tag with its attributes, and whether all tags close."""

    VOID = {"meta", "br", "hr", "img", "input", "link"}
    CLOSED_BY_OTHERS = {"thead", "tbody", "tr", "th", "td"}  # HTML needs no end of them

    def __init__(self, text):
        super().__init__()
        self.tags, self.open, self.text = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in self.VOID | self.CLOSED_BY_OTHERS:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert tag in self.CLOSED_BY_OTHERS or self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


@pytest.fixture(scope="module")
def tags(page):
    parsed = Tags(page)
    assert not parsed.open
    return parsed.tags


def text_of(page):
    body = page[page.index("<body") :]
    return re.sub(r"\s+", " ", " ".join(Tags(body[: body.index("</body>") + 7]).text)).replace("\u00a0", " ")


def test_nothing_is_loaded(page, tags):
    assert "http" not in page
    assert "@import" not in page and "url(//" not in page
    assert [attributes for tag, attributes in tags if tag == "script"] == [
        {}
    ]  # which sorts tables; the page lives without
    assert not [tag for tag, _ in tags if tag in ("link", "img", "iframe", "object", "embed")]
    assert all(
        value.startswith("#")
        for _, attributes in tags
        for name, value in attributes.items()
        if name in ("href", "xlink:href", "src")
    )


def test_it_is_light(page):
    """Seven pictures and the tables of four cells."""
    assert len(page.encode()) < 100_000


def test_it_fits_a_phone(tags):
    viewports = [attributes for tag, attributes in tags if tag == "meta" and attributes.get("name") == "viewport"]
    assert viewports == [{"name": "viewport", "content": "width=device-width, initial-scale=1"}]


def test_pictures_are_described_and_their_ids_are_their_own(page, tags):
    pictures = [attributes for tag, attributes in tags if tag == "svg"]
    assert len(pictures) == 3 + 2 + 2  # scores (but for random, who has none), loss curves, causes
    assert all(picture["role"] == "img" and len(picture["aria-label"]) > 20 for picture in pictures)
    ids = re.findall(r'\bid="([^"]*)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'(?:href="|url\()#([^")]*)', page)) <= set(ids)


def test_text_in_pictures_is_text(page):
    assert re.search(r"<text[^>]*>garrison</text>", page)
    assert "font-family" not in page[page.index("<svg") : page.rindex("</svg>")]


def test_tables_have_headers(tags):
    headers = [attributes.get("scope") for tag, attributes in tags if tag == "th"]
    assert {"col", "row", None} == set(headers)  # None: first cells of the numbers below a picture


def test_the_verdict_stands_first_with_n_and_interval(sweep, page):
    text = text_of(page)
    seat = next(f for f in study(sweep).findings if f.cell.id == "novice.garrison").wins.first
    of_two = jointly(partial(proportion, seat.wins, seat.games), 2)  # the best of two policies looks better than it is
    assert of_two.half_width > seat.win.half_width
    rate = words.share_with_limits(of_two).replace("\u00a0", " ")
    chart, verdict = text[: text.index("Most influential change")], text[text.index("Most influential change") :]
    assert f"garrison {words.share(seat.win)}".replace("\u00a0", " ") in chart and f"{rate} of 2,000 games" in verdict


def test_nothing_won_is_an_upper_bound(page):
    text = text_of(page)
    assert "Random: none of 2,000 games won" in text and "below 0.2 % 0 games; Clopper" in text
    assert not re.search(r"(?<![\d.])0(\.0+)? %", re.sub(r"<svg.*?</svg>", "", page, flags=re.DOTALL))


def test_readings_stand_side_by_side_and_are_named(page):
    text = text_of(page)
    assert "Veteran, garrison: Tactics cards: blank instead of assumed set" in text
    assert "Ruling focus fire: blank" in text
    first, second = (page.index(f"<figcaption>garrison, Tactics cards: {name}") for name in ("assumed set", "blank"))
    assert 0 < page[first:second].count("<figcaption>") == 1


def test_a_single_reading_is_named_too(tmp_path):
    lone = make_sweep(tmp_path / "s", [(cell, frame) for cell, frame in cells() if cell["id"] == "veteran.garrison"])
    text = text_of(write_report(lone, tmp_path / "r.html").read_text(encoding="utf-8"))
    assert "Tactics cards: assumed set" in text[: text.index("Most influential change")]  # in the picture
    table = text[text.index("Won, drawn, lost") :]
    assert "Veteran, garrison Tactics cards: assumed set" in table[: table.index("Victory tiers")]


def test_assumptions_methods_and_the_command_are_there(page):
    text = text_of(page)
    for part in (
        ASSUMED,
        "Dice of the mortar: 3",
        "Wilson",
        "Clopper-Pearson",
        "Goodman",
        "rulebook of 2019",
        "Keeps a reserve.",
        "0123456789abcdef",
    ):
        assert part in text
    assert "bartizan sweep keep --games 2000 --seed 7 -o DIR" in text
    assert "The number of games was fixed in advance." in text


def test_games_cut_off_become_ranges(tmp_path):
    capped = make_sweep(tmp_path / "s", [(solo_cell(), records(capped=300))])
    text = text_of(write_report(capped, tmp_path / "r.html").read_text(encoding="utf-8"))
    assert "300 games were truncated; the range extends from all" in text
    seat = study(capped).findings[0].wins.first
    assert seat.win == with_truncated(seat.wins, 300, 2000)
    assert words.share(seat.win).replace("\u00a0", " ") in text


def test_a_watched_sweep_uses_confidence_sequences_and_says_so(tmp_path):
    watched = make_sweep(tmp_path / "s", [(solo_cell(), records())], precision=0.005)
    text = text_of(write_report(watched, tmp_path / "r.html").read_text(encoding="utf-8"))
    assert "until its win rate was accurate to ±0.5 percentage points" in text
    assert "confidence sequence" in text[text.index("Won, drawn, lost") : text.index("Victory tiers")]


def test_an_unfinished_sweep_says_so(tmp_path):
    short = make_sweep(tmp_path / "s", [(solo_cell(games=5000), records(games=1200))])
    assert "Novice, garrison: 1,200 of 5,000 games" in text_of(
        write_report(short, tmp_path / "r.html").read_text(encoding="utf-8")
    )


def test_a_game_for_two_without_tiers_or_causes(tmp_path):
    policies = [
        {"role": "first", "name": "hold_20", "weights": {}, "about": ""},
        {"role": "second", "name": "hold_25", "weights": {}, "about": ""},
    ]
    cell = solo_cell(
        difficulty=None,
        policies=policies,
        tiers={},
        labels={},
        cause_column=None,
        assumptions=[],
        assumed=0,
        min_win_score=None,
    )
    frame = (
        records()
        .with_columns(winner=(pl.col("game") % 4 == 0).cast(pl.Int8), score=pl.col("score").fill_null(0))
        .drop("breach_circle")
    )
    match = make_sweep(tmp_path / "s", [(cell, frame)])
    text = text_of(write_report(match, tmp_path / "r.html").read_text(encoding="utf-8"))
    assert "hold_20 (first) against hold_25 (second)" in text
    assert "The odds favour the first player: of 2,000 games, 75 %" in text
    assert "Victory tiers" not in text and "hard is it" not in text and "Other forms" not in text


def test_a_heavy_page_drops_pictures_and_keeps_tables(tmp_path, monkeypatch):
    monkeypatch.setattr(html, "MOST_BYTES", 65_000)
    monkeypatch.setattr(figures, "MOST_FIGURES", (5, 1))
    many = [(solo_cell(id=f"c{i}", policies=policy(f"policy_{i}")), records(games=100)) for i in range(5)]
    page = write_report(make_sweep(tmp_path / "s", many), tmp_path / "r.html").read_text(encoding="utf-8")
    assert "The tables contain 4 more" in page
    assert len(page.encode()) < 65_000
    assert all(f"Novice, policy_{i}" in page for i in range(5))


def test_the_same_sweep_gives_the_same_page(sweep, page, tmp_path):
    assert write_report(sweep, tmp_path / "again.html").read_text(encoding="utf-8") == page


def test_markdown_has_the_same_answers(sweep, tmp_path):
    text = write_report(sweep, tmp_path / "r.md").read_text(encoding="utf-8")
    assert "Random: none of 2,000 games won" in text
    assert text.count("| Veteran, garrison, Tactics cards: blank |") >= 4
    assert "bartizan sweep keep" in text


def test_json_holds_every_cell_unrounded(sweep, tmp_path):
    document = json.loads(write_report(sweep, tmp_path / "r.json").read_text(encoding="utf-8"))
    assert document["schema"] == "bartizan.report/1"
    assert [cell["id"] for cell in document["cells"]] == [cell["id"] for cell, _ in cells()]
    random_cell = document["cells"][0]
    assert random_cell["win_rate"]["high"] == pytest.approx(clopper_pearson(0, 2000).high)
    assert random_cell["loss_by_turn"][-1]["lost_by"] == 1
    assert sum(document["cells"][1]["tiers"].values()) == 2000


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("r.docx", "not a report format"),
        ("r.htm", 'did you mean ".html"'),
        ("r", "suffix"),
        ("none/r.html", "does not exist"),
    ],
)
def test_what_cannot_be_written_is_explained(sweep, tmp_path, name, part):
    with pytest.raises(UsageError, match=re.escape(part)):
        write_report(sweep, tmp_path / name)


# ---------------------------------------------------------------- words


@pytest.mark.parametrize(
    ("p", "text"),
    [(1e-5, "below 0.0001"), (0.00132, "0.0013"), (0.0141, "0.014"), (0.0449, "0.045"), (0.236, "0.24"), (1, "1.00")],
)
def test_a_p_value_has_two_figures_where_they_matter(p, text):
    assert words.p_value(p) == text


@pytest.mark.parametrize(
    ("interval", "text"),
    [
        (proportion(6342, 20_000), "31.7 % (31.1–32.4 %)"),
        (proportion(30, 100), "30 % (22–40 %)"),
        (proportion(0, 20_000), "below 0.02 %"),
        (proportion(20_000, 20_000), "above 99.98 %"),
        (proportion(500_000, 1_000_000), "50.00 % (49.90–50.10 %)"),
    ],
)
def test_digits_follow_the_half_width(interval, text):
    assert words.share_with_limits(interval).replace("\u00a0", " ") == text


def test_bounds_do_not_pretend_to_have_an_estimate():
    assert words.share_with_limits(with_truncated(300, 200, 1000)).replace("\u00a0", " ") == "27–53 %"
    assert words.share(with_truncated(0, 3, 1000)).startswith("below")


@pytest.mark.parametrize(
    ("successes", "n", "text"), [(0, 20_000, "fewer than 1 in 5,400"), (83, 20_000, "1 in 240"), (6000, 20_000, "")]
)
def test_small_chances_in_everyday_form(successes, n, text):
    assert words.one_in(proportion(successes, n)) == text


@pytest.mark.parametrize(
    ("successes", "text"), [(62, ""), (96, "about 1 game in 10"), (356, "about 4 games in 10"), (960, "")]
)
def test_middling_chances_in_everyday_form(successes, text):
    assert words.in_ten(proportion(successes, 1000)) == text


def test_an_upper_bound_is_never_rounded_down():
    assert words.share(Interval(0, 0, 0.000141, 0.95, "Wilson")).replace("\u00a0", " ") == "below 0.02 %"


def test_negative_numbers():
    assert words.span(-3, 4) == "−3 to 4"
    assert words.number(-0.04, 1) == "0.0"


def test_tier_labels_come_from_the_scores_whatever_their_order():
    labels = tier_labels({"Gold": 20, "Silver": 10, "Bronze": 9, "none": -999}, {"Gold": "major victory"})
    assert labels == {
        "Gold": "Gold, major victory (20+)",
        "Silver": "Silver (10–19)",
        "Bronze": "Bronze (9)",
        "none": "none (8 or less)",
    }
    assert set(tier_labels(TIERS, {})) == set(TIERS)


def test_causes_that_a_figure_leaves_out_are_mentioned(sweep, monkeypatch):
    found = study(sweep)
    (view,) = lost.Causes().sections(found)
    assert "are drawn" not in view.caption
    monkeypatch.setattr(lost, "MOST_CAUSES", 1)
    (view,) = lost.Causes().sections(found)
    assert " At most 1 are drawn." in view.caption and all(len(one.picture.tracks) == 1 for one in view.figures)


@pytest.mark.parametrize("package", ["reports.views", "api.answers"])
def test_a_module_that_does_not_exist_is_no_attribute(package):
    found = import_module(f"bartizan.{package}")
    assert not hasattr(found, "nope") and found.gate
