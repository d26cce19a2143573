"""Every kind of page in a real browser: nothing leaves it, nobody is shut out, nothing is cut on paper."""

import io
import json
import re
import shlex
import unicodedata
from contextlib import ExitStack
from functools import cache

import polars as pl
import pytest
from pypdf import PdfReader

from bartizan.reports import write_report
from bartizan.reports.render import html
from tests import specimen as every_element
from tests.browser.chromium import ROOM, visit
from tests.cli.run_cli import PIG, RUIN, bartizan
from tests.cli.test_playtest_skill import BASE, SECRETARY, made_up
from tests.sweeps import make_sweep, records, solo_cell
from tests.unit.test_first_picture import said_twice

SERIOUS = {"serious", "critical"}
BANNER = {
    "text": "RECONSTRUCTION: the cards are not public",
    "scenario": "",
    "assumed": 5,
    "of": 9,
    "changed": 0,
    "influence": None,
}
PLAIN = {"tiers": {}, "labels": {}, "cause_column": None, "assumptions": [], "assumed": 0, "min_win_score": None}


def made(path, cells, **changes):
    return write_report(make_sweep(path.with_suffix(""), cells, **changes), path)


def solo(path):
    """A reconstruction, two levels, two players, settings that differ, a long name, games missing."""

    def cell(level, name, **changes):
        player = [{"role": "defender", "name": name, "weights": {"reserve": 10.0}, "about": "Keeps a reserve."}]
        return solo_cell(
            **{
                "id": f"{level}.{name}{len(changes)}",
                "difficulty": level,
                "policies": player,
                "scenario_hash": f"{level}{len(changes)}",
                "banner": BANNER,
                **changes,
            }
        )

    long = "garrison:reserve=10,an_uncommonly_long_weight_of_a_player=0.123456789"
    told = [
        cell("novice", "garrison"),
        cell("novice", long),
        cell("elite", "garrison"),
        cell("elite", "garrison", set={"rulings.focus_fire": "blank"}),
    ]
    return made(path, [(one, records(games=300, loss=0.2 + index / 5, seed=index)) for index, one in enumerate(told)])


def wide(path):
    """A reconstruction with more players than a sheet has columns."""
    players = [[{"role": "defender", "name": f"policy_{index}", "weights": {}, "about": ""}] for index in range(11)]
    told = [solo_cell(id=f"c{index}", policies=player, banner=BANNER) for index, player in enumerate(players)]
    return made(path, [(one, records(games=60, seed=index)) for index, one in enumerate(told)])


def two_sided(path):
    sides = [
        {"role": role, "name": name, "weights": {}, "about": "One sentence."}
        for role, name in (("allied", "runner"), ("german", "guard"))
    ]
    frame = (
        records(games=300)
        .with_columns(winner=(pl.col("game") % 4 == 0).cast(pl.Int8), score=pl.col("score").fill_null(0))
        .drop("breach_circle")
    )
    return made(path, [(solo_cell(difficulty=None, policies=sides, **PLAIN), frame)])


def free_for_all(path):
    bartizan(
        "sweep",
        PIG,
        "--policy hold+random --policy hold --rotate --set goal.points=30,50 --games 60 -o",
        path.with_suffix(""),
    )
    bartizan("report", path.with_suffix(""), "-o", path)
    return path


def comparison(path):
    bartizan("compare", RUIN, "--set bets.goal=22 --change bets.start=12 --games 200 -o", path.with_suffix(""))
    bartizan("report", path.with_suffix(""), "-o", path)
    return path


def people(path):
    """Made-up plays beside policies."""
    folder = path.with_suffix("")
    bartizan("sweep", SECRETARY, "--policy", "random", "--policy", BASE, "--games", 200, "-o", folder)
    bartizan("report", folder, "--plays", made_up(path.parent / "plays", 0.3, rounds=10, edition="made up"), "-o", path)
    return path


def do_or_die(path):
    """The chance over distance, kept beside made-up games: a sweep of Colditz takes a minute to compile."""
    answer = bartizan("odds", "do-or-die", "--distance", 40, "--games", 2000, "--json").json
    sweep = make_sweep(path.with_suffix(""), [(solo_cell(), records(games=300))])
    kept = {
        "schema": "bartizan.kept/1",
        "kind": "do-or-die",
        "command": "bartizan odds do-or-die --distance 40",
        "versions": {},
        "game": "keep",
        "behaviour": 1,
        "seed": 1,
        "answer": answer,
    }
    (sweep.folder / "answers").mkdir()
    (sweep.folder / "answers" / "do-or-die.json").write_text(json.dumps(kept), encoding="utf-8")
    return write_report(sweep, path)


def watch(path):
    bartizan("trace", PIG, "--seed", 3, "--html", path)
    return path


def form(path):
    bartizan("playtest", "form", PIG, "-o", path)
    return path


def specimen(path):
    return every_element.write(path)


MAKERS = {
    make.__name__: make
    for make in (solo, wide, two_sided, free_for_all, comparison, people, do_or_die, specimen, watch, form)
}
KINDS = tuple(kind for kind in MAKERS if kind != "wide")  # that is for paper
REPORTS = ("solo", "two_sided", "free_for_all", "comparison", "people", "do_or_die", "specimen")
SHEET = 688  # pixels across an A4 sheet, less its margins of 14 mm
LETTER = 710  # across US Letter, where a picture stands beside its findings


def in_turn(kinds):
    """A third of the reports in each run; the specimen, which has blocks of every kind, in all runs."""
    turned = {*REPORTS} - {"specimen"}
    return [pytest.param(kind, marks=pytest.mark.rotating) if kind in turned else kind for kind in kinds]


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Kind -> its page, made once."""
    folder, found = tmp_path_factory.mktemp("pages"), {}

    def page(kind):
        if kind not in found:
            found[kind] = MAKERS[kind](folder / f"{kind}.html")
        return found[kind]

    return page


@pytest.fixture(scope="module")
def look(chromium, pages):
    """(kind, room) -> its visit: each kind is opened once, for Chromium starts a process for each.

    acts: the test changes the page, which is loaded anew before this test and before the next one.
    """
    acted_on = set()
    with ExitStack() as stack:
        opened = cache(lambda kind: stack.enter_context(visit(chromium, pages(kind))))

        def seen(kind, room="desk", acts=False):
            found = opened(kind)
            width, height = ROOM[room]
            found.page.set_viewport_size({"width": width, "height": height})
            found.page.emulate_media(media="screen", color_scheme="light")
            if acts or kind in acted_on:
                found.requests.clear()
                found.page.reload()
            (acted_on.add if acts else acted_on.discard)(kind)
            found.page.evaluate("scrollTo(0, 0)")
            return found

        yield seen


@pytest.mark.parametrize("room", ["desk", "phone"])
@pytest.mark.parametrize("kind", in_turn(KINDS))
def test_a_page_asks_for_nothing_complains_of_nothing_fits_and_shuts_nobody_out(look, pages, kind, room):
    """Findings of axe for a report on a desktop: contrast (light, dark), names, headings, landmarks, tables."""
    seen = look(kind, room)
    assert seen.requests == [pages(kind).as_uri()]
    wide, room_for = seen.page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert wide <= room_for, too_wide(seen.page)
    if room == "phone" and kind in REPORTS and kind != "specimen":
        assert seen.messages == []  # what it is made of is looked at on the desk, and in the specimen
        return
    assert faults(seen.page) == []
    if "prefers-color-scheme" in pages(kind).read_text(encoding="utf-8"):
        seen.page.emulate_media(color_scheme="dark")
        assert faults(seen.page, runOnly=["color-contrast"]) == []  # the one rule that another scheme can break
    assert seen.messages == []


def too_wide(page):
    """What reaches beyond the page."""
    return page.evaluate(
        "[...document.querySelectorAll('body *')]"
        ".filter(e => e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML.slice(0, 80))"
    )


def faults(page, **options) -> list[str]:
    """The serious ones, each with where it is. options: of axe."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    found = axe.run(page, options={"resultTypes": ["violations"], **options}).response["violations"]
    found = [one for one in found if one["impact"] in SERIOUS]
    return [f"{one['id']}: {node['html'][:160]}" for one in found for node in one["nodes"][:5]]


def test_what_shuts_somebody_out_is_found(look):
    seen = look("comparison", acts=True)
    seen.page.evaluate(
        "document.querySelector('svg').removeAttribute('aria-label'); "
        "document.querySelector('p.note').style.color = '#ccc'"
    )
    assert {fault.partition(":")[0] for fault in faults(seen.page)} == {"svg-img-alt", "color-contrast"}


@pytest.mark.parametrize("kind", KINDS)
def test_every_anchor_leads_somewhere(look, kind):
    seen = look(kind)
    links = seen.page.evaluate("[...document.querySelectorAll('a[href]')].map(a => a.getAttribute('href'))")
    ids = seen.page.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id)")
    assert (
        len(ids) == len(set(ids))
        and {link for link in links if link.removeprefix("#") not in ids or link[0] != "#"} == set()
    )
    assert links or kind == "form"


@pytest.mark.parametrize("kind", in_turn([*REPORTS, "wide"]))
def test_it_prints_without_a_cut_figure_and_page_one_is_a_sheet_by_itself(look, kind):
    """The title of a picture and every text in it stand on the same sheet; those of the first picture on the first."""
    seen = look(kind)
    figures = seen.page.evaluate(
        "[...document.querySelectorAll('figure')].map(f => [f.querySelector('figcaption').textContent, ...[...f.querySelectorAll('svg text')].map(t => t.textContent)])"
    )
    sheets = [squeezed(sheet.extract_text()) for sheet in PdfReader(io.BytesIO(seen.page.pdf(format="A4"))).pages]
    picture = seen.page.evaluate(
        "[...document.querySelectorAll('#answer figcaption, #answer .row, #answer .names span')].map(p => p.innerText)"
    )
    assert figures
    for texts in figures:
        assert any(all(squeezed(text) in sheet for text in texts) for sheet in sheets), texts[0]
    if kind != "wide":
        assert len(picture) >= 3 and all(squeezed(text) in sheets[0] for text in picture)


@pytest.mark.parametrize("kind", [*REPORTS, "wide"])
def test_nothing_reaches_beyond_the_sheet(look, kind):
    seen = look(kind)
    seen.page.emulate_media(media="print")
    seen.page.set_viewport_size({"width": SHEET, "height": 1000})
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= SHEET, too_wide(seen.page)
    seen.page.set_viewport_size({"width": LETTER, "height": 1000})
    wide = seen.page.evaluate(
        "[...document.querySelectorAll('figure svg')].map(p => p.getBoundingClientRect().width).filter(w => w)"
    )
    assert all(width >= LETTER / 3 for width in wide), f"a picture too small to read on paper: {min(wide)}"


@pytest.mark.parametrize("kind", [kind for kind in REPORTS if kind != "specimen"])  # that says a cell many times
def test_no_sentence_stands_twice(pages, kind):
    """But in a part that may be read by itself: a section, a table."""
    own = re.sub(
        r"<section id=.[\w-]+.>\s*<h2>.*?</section>|<nav.*?</nav>|<dl class=.definitions.*?</dl>",
        "",
        pages(kind).read_text(encoding="utf-8"),
        flags=re.DOTALL,
    )
    assert len(own) > 1000 and said_twice(own) == []


def squeezed(text):
    """Without spaces and line ends, and with the letters of a ligature apart."""
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", text))


@pytest.mark.parametrize("room", ["desk", "phone"])
@pytest.mark.parametrize("kind", REPORTS)
def test_the_picture_that_answers_stands_above_the_fold_after_few_words(look, kind, room):
    """Its title, and every row of it but of a specimen, which has more of all before it."""
    seen = look(kind, room)
    high, end, before = seen.page.evaluate(
        "[innerHeight, document.querySelector('#answer .axis').getBoundingClientRect().bottom, [...document.querySelectorAll('.banner, header')].map(e => e.innerText).join(' ')]"
    )
    assert end <= high and len(before.split()) <= 60


@pytest.mark.parametrize("kind", REPORTS)
def test_nothing_is_cut_on_the_narrowest_phone(look, kind):
    seen = look(kind, "phone")
    seen.page.set_viewport_size({"width": 320, "height": 640})
    closed = "[...document.querySelectorAll('details:not([open])')].map(e => { e.open = true; return e; })"
    opened = seen.page.evaluate_handle(closed)
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= 320, too_wide(seen.page)
    opened.evaluate("all => all.forEach(e => e.open = false)")


def test_what_is_picked_all_pictures_follow_and_tables_sort(look):
    seen = look("specimen", acts=True)
    page = seen.page
    labels = (
        "[...document.querySelectorAll('.track')].filter(e => e.offsetParent).map(e => e.querySelector('b').innerText)"
    )
    assert page.evaluate(labels) == ["Easy", "Hard"]
    page.check("#pick-1-2")
    assert page.evaluate(labels) == ["Hard"]
    assert page.evaluate(
        "[...document.querySelectorAll('figure[data-level]')]"
        ".filter(e => e.offsetParent).map(e => e.querySelector('figcaption').innerText)"
    ) == ["Hard: half lost by turn 3"]
    page.check("input[name=level]:not([id])")
    page.evaluate("document.querySelectorAll('details').forEach(e => e.open = true)")
    page.click(".table th:nth-child(2) button")
    first = "document.querySelector('.table tbody').innerText"
    assert page.evaluate(first).startswith("Hard, policy; Hard, other")
    page.click(".table th:nth-child(2) button")
    assert not page.evaluate(first).startswith("Hard, policy")


def test_the_chance_over_distance_stands_as_a_picture(look):
    """In its section: a row a distance, the chance falls from row to row."""
    seen = look("do_or_die")
    rows = seen.page.evaluate(
        "[...document.querySelectorAll('.chart:not(#answer) .track')].map(e => [e.querySelector('.row').innerText, parseFloat(e.querySelector('.mark').style.left)])"
    )
    shares = [share for _, share in rows]
    assert len(rows) >= 3 and shares == sorted(shares, reverse=True) and shares[0] > shares[-1]


def test_a_mark_says_how_sure_it_is_where_it_has_the_focus(look):
    seen = look("specimen", acts=True)
    seen.page.focus(".mark.best")
    assert "66" in seen.page.evaluate("getComputedStyle(document.activeElement, '::after').content")
    assert "Wilson" in seen.page.evaluate("document.activeElement.ariaLabel")


def test_the_game_to_watch_goes_by_keys(look):
    seen = look("watch", acts=True)
    before = seen.page.inner_text("#now")
    seen.page.keyboard.press("ArrowRight")
    assert seen.page.inner_text("#now") != before
    seen.page.keyboard.press("Home")
    assert seen.page.inner_text("#now") == before


def test_a_turn_offers_the_odds_from_its_position(look):
    seen = look("watch", acts=True)
    seen.page.locator("#curve .at").nth(3).click()
    command, line = seen.page.locator("#odds code:has(b)").all_inner_texts()
    found = bartizan(*shlex.split(command)[1:], "--games", 100, "--json").json
    assert found["position"] == line and found["turn"] == 4
    seen.page.locator("#odds button").nth(1).click()
    assert seen.page.evaluate("getSelection().toString()") == line
    seen.page.keyboard.press("End")
    assert seen.page.locator("#odds").is_hidden()


def test_the_curve_follows_the_game_and_leads_to_a_turn(look):
    seen = look("watch", acts=True)
    turn = seen.page.locator("#curve .at").nth(3)
    turn.click()
    assert turn.get_attribute("class") == "at here" and seen.page.locator("#curve .here").count() == 1
    first = seen.page.get_attribute("#cursor", "d")
    seen.page.keyboard.press("End")
    assert seen.page.get_attribute("#cursor", "d") != first and "The end" in seen.page.inner_text("#now")


@pytest.mark.parametrize("kind", ["watch"])
def test_nothing_is_cut_at_320_pixels(look, kind):
    seen = look(kind)
    seen.page.set_viewport_size({"width": 320, "height": 700})
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= 320, too_wide(seen.page)


SORTED = {  # a column as it should stand after one click
    "numbers in names": ["goal 2", "goal 9", "goal 10", "noise=0.05", "noise=0.1"],
    "values": ["−10.1", "−2", "below 2 %", "3 %", "12 %", "1,234", "above 2,000", "–"],
    "counts": ["9 of 20", "10 of 20", "100 of 200"],
}


@pytest.mark.parametrize("column", SORTED)
def test_a_click_sorts_numbers_by_value(chromium, tmp_path, column):
    values = SORTED[column]
    mixed = sorted(values, key=lambda text: text[::-1])
    assert mixed != values
    rows = "".join(f"<tr><td>{text}</td></tr>" for text in mixed)
    script = (html.FOLDER / "sort.js").read_text(encoding="utf-8")
    page = tmp_path / "table.html"
    page.write_text(
        f"<meta charset=utf-8><table><thead><tr><th>x</th></tr></thead><tbody>{rows}</tbody></table><script>{script}</script>",
        encoding="utf-8",
    )
    with visit(chromium, page) as seen:
        seen.page.click("th button")
        assert seen.page.evaluate("[...document.querySelectorAll('td')].map(e => e.textContent)") == values
