"""The picture that answers: its words are few, nothing is said twice, no two words of the paper overlap, and a terminal draws it too."""

import re
import shutil
import subprocess
from collections import Counter
from html import unescape
from xml.etree import ElementTree

import polars as pl
import pytest

from bartizan.reports import write_report
from bartizan.reports.blocks import Entry, Table, Track, share_mark
from bartizan.reports.pages import sweep as of_sweep
from bartizan.reports.render import pdf, terminal
from bartizan.reports.study import study
from tests import specimen
from tests.sweeps import make_sweep, records, solo_cell
from tests.unit.test_report import cells

MOST_WORDS = 60


@pytest.fixture(scope="module")
def sweep(tmp_path_factory):
    return make_sweep(tmp_path_factory.mktemp("sweep"), list(cells()))


def text_of(html):
    """What is read, in order, with a line for every element."""
    body = re.sub(r"<(script|style|svg|title)\b.*?</\1>", "", html, flags=re.DOTALL)
    return unescape(re.sub(r"<[^>]+>", "\n", re.sub(r"</?(b|i|small|code|span)\b[^>]*>", "", body)))


def words_before_the_picture(html):
    before = html[html.index("<body") : html.index('<figure class="chart"')]
    return len(text_of(re.sub(r"(?<=</summary>).*?(?=</details>)", "", before)).split())


def said_twice(html):
    """Sentences of six words and more that stand on a page more than once."""
    lines = (line.strip() for line in text_of(html[html.index("<body") :]).splitlines())
    sentences = (part for line in lines for part in re.split(r"(?<=\.) (?=[A-Z])", line))
    return [one for one, n in Counter(sentences).items() if n > 1 and len(one.split()) >= 6 and one.endswith(".")]


def test_the_picture_comes_after_few_words_and_nothing_is_said_twice(sweep, tmp_path):
    html = write_report(sweep, tmp_path / "r.html").read_text(encoding="utf-8")
    assert words_before_the_picture(html) <= MOST_WORDS
    assert said_twice(html) == []


def test_what_is_said_twice_is_found():
    assert said_twice("<body><p>It is won by one in two.</p><p>So. It is won by one in two.</p>") == [
        "It is won by one in two."
    ]


def test_it_holds_each_level_with_its_range_its_players_and_those_who_win_nothing(sweep):
    chart = of_sweep.page(study(sweep)).chart
    assert [(track.label, track.value) for track in chart.tracks][:2] == [
        ("Novice", ""),
        ("Veteran", "Tactics cards: assumed set"),
    ]
    assert all(
        mark.name == "garrison" and "Wilson, 2,000 games" in mark.note and mark.limits
        for track in chart.tracks
        for mark in track.marks
    )
    assert chart.notes == ("Random: none of 2,000 games won at any level.",)


def test_rows_that_say_the_same_are_one_and_columns_of_numbers_are_known():
    folded = specimen.table().folded
    assert [row[0].text for row in folded] == ["Easy, policy", "Hard, policy; Hard, other"]
    assert specimen.table().to_right == (False, True, True, True, True)
    assert Table("t", "", ("a", "b"), ((Entry("x"), Entry("a word")),)).to_right == (False, False)


# ---------------------------------------------------------------- on paper


def boxes(path):
    """(page, word, left, top, right, bottom) of every word."""
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext (poppler) is not installed")
    text = subprocess.run(["pdftotext", "-bbox", path, "-"], capture_output=True, text=True, check=True).stdout
    root = ElementTree.fromstring(re.sub(r"[\x00-\x08\x0b-\x1f]", "", text))
    space = "{http://www.w3.org/1999/xhtml}"
    for number, page in enumerate(root.iter(f"{space}page")):
        for word in page.iter(f"{space}word"):
            yield (number, word.text, *(float(word.get(side)) for side in ("xMin", "yMin", "xMax", "yMax")))


def overlaps(path):
    """Two words whose boxes share more than a sliver: boxes of lines may touch."""
    found, words = [], list(boxes(path))
    for index, (page, word, left, top, right, bottom) in enumerate(words):
        for other_page, other, *sides in words[index + 1 :]:
            if other_page != page:
                break
            across, down = min(right, sides[2]) - max(left, sides[0]), min(bottom, sides[3]) - max(top, sides[1])
            if across > 0.5 and down > 0.5 * min(bottom - top, sides[3] - sides[1]):
                found.append((page, word, other))
    return found


def test_no_two_words_of_the_paper_overlap(sweep, tmp_path):
    assert overlaps(write_report(sweep, tmp_path / "r.pdf")) == []
    assert overlaps(specimen.write(tmp_path / "s.pdf")) == []


def test_words_that_overlap_are_found(sweep, tmp_path, monkeypatch):
    """Columns as wide as their share of the paper, as they once were."""
    monkeypatch.setattr(pdf, "_widths", lambda columns, size: ([4.0] * len(columns),) * 3)
    assert overlaps(specimen.write(tmp_path / "s.pdf"))


def test_a_wide_table_goes_on_where_its_longest_words_need_it():
    parts = pdf.plain(Table("t", "", ("name", *["An_uncommonly_long_h"] * 20), ((Entry("x"), *[Entry("1")] * 20),)))[
        "parts"
    ]
    assert len(parts) > 1
    assert all(part["headers"][0] == "name" and sum(part["widths"]) <= pdf.WIDTHS["a4"] for part in parts)
    assert sum(len(part["headers"]) - 1 for part in parts) == 20


# ---------------------------------------------------------------- at a terminal


def test_a_terminal_draws_it_where_there_is_room(monkeypatch):
    drawn = list(terminal.chart_lines(specimen.chart(), 90))
    easy, named, hard, *_ = drawn
    assert "●" in hard and "░" in hard and "━" in hard and easy.rstrip().endswith("◆") and "◆ policy" in named
    assert max(map(len, drawn[::2])) <= 90 + 8 and "0 %" in drawn[-1].replace("\u00a0", " ")
    assert list(terminal.chart_lines(specimen.chart(), 60)) == [] == list(terminal.chart_lines(specimen.chart(), 0))
    assert terminal.room() == 0  # nobody looks on: nothing changes for a program that reads


def test_marks_lie_where_their_values_are():
    chart = specimen.chart()
    (track,) = [Track("x", (share_mark("p", specimen.share(500), 1000),), is_range=False)]
    cells = terminal._scale(track, chart, 101)
    assert cells.index("◆") == 50 and cells.count("━") >= 4
    assert [text for _, text in chart.ticks] == [f"{n}\u00a0%" for n in (0, 20, 40, 60, 80, 100)]


def test_a_solo_page_of_points_shows_the_score(tmp_path):
    """Every game of a solo points game ends with a score, so a win rate would say nothing."""
    points = records(loss=0.0).with_columns(winner=pl.lit(0, pl.Int8))
    page = of_sweep.page(study(make_sweep(tmp_path / "s", [(solo_cell(tiers={}), points)])))
    assert page.question == "how high is the score?" and page.chart.title.startswith("Garrison scores 8.")
    assert [mark.name for mark in page.chart.tracks[0].marks] == ["5 % of games up to", "mean", "95 % of games up to"]
    assert "win rate" not in str(page.parts[0])


def test_a_solo_page_of_length_shows_how_long(tmp_path):
    lost = make_sweep(tmp_path / "s", [(solo_cell(), records(loss=1.0))])
    chart = of_sweep.page(study(lost)).chart
    assert chart.title.startswith("A game takes ")
    assert [mark.name for mark in chart.tracks[0].marks] == ["5 % of games up to", "mean", "95 % of games up to"]
