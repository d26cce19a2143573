"""Names of users in every output: read as text, whatever characters they hold, and safe."""

import contextlib
import io
import json
import re
import warnings
from functools import partial
from html.parser import HTMLParser

import pytest
from markdown_it import MarkdownIt

from bartizan import cli
from bartizan.analyses.statistics.intervals import Interval, proportion
from bartizan.reports import write_report
from bartizan.reports.blocks import Entry, Table
from bartizan.reports.figures import curves, dots, files, paper, svg, theme
from bartizan.reports.render import html, terminal
from bartizan.reports.render.progress import note
from bartizan.reports.text import marked
from bartizan.reports.text.visible import UNSAFE, all_visible, visible
from bartizan.reports.views import compare, play_form
from tests.sweeps import make_sweep, records, solo_cell

ODD = (
    "Price $5 -> $7",
    "Toll $5\\x -> $7",
    "a|b",
    "*bold* _it_ ~~gone~~",
    "<img src=x onerror=alert(1)>",
    "one ` tick",
    "[x](javascript:alert(1))",
    "# head",
    "- item",
    "1. first",
    "&amp; &copy;",
    "</script><script>alert(1)</script>",
    "C #",
    "\x1b]0;owned\x07\x1b[31mwall",
    "evil\u202eredro",
    "\x9b31mC1",
    "cr\rcr",
    "日本語カード",
    "بطاقة",
    "🏰 castle",
    "#let x = 1",
    "{{ 7 * 7 }}",
)
MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])


class Texts(HTMLParser):
    """The texts of a page, and which elements it has."""

    def __init__(self, page):
        super().__init__()
        self.texts, self.tags = [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.texts.append(data)

    @property
    def text(self):
        return "".join(self.texts)

    @property
    def is_safe(self):
        odd = [
            a
            for _, a in self.tags
            if any(name.startswith("on") for name in a) or a.get("href", "").startswith("javascript:")
        ]
        return not odd and "img" not in [tag for tag, _ in self.tags] and not UNSAFE.search(self.text)


def shown(name):
    return visible(name).replace(" -> ", " → ")


def sweep_of(names, folder):
    """A level, a player and a setting for each name, and a title of all of them."""

    def cell(index, name):
        player = [{"role": "defender", "name": name, "weights": {}, "about": name}]
        return solo_cell(
            id=f"c{index}",
            difficulty=f"level {name}",
            policies=player,
            scenario_hash=str(index),
            assumptions=[name],
            set={"rulings.focus_fire": name},
        )

    cells = [(cell(index, name), records(games=60, seed=index)) for index, name in enumerate(names)]
    title, command = f"Game {' and '.join(ODD)}", f"bartizan sweep '{ODD[5]}' ```"
    return make_sweep(folder, cells, title=title, command=command)


@pytest.fixture(scope="module")
def sweep(tmp_path_factory):
    return sweep_of(ODD, tmp_path_factory.mktemp("odd") / "s")


def report(sweep, suffix):
    """Written without a warning: none for each letter that a typeface lacks."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", category=DeprecationWarning)
        return write_report(sweep, sweep.folder.parent / f"r{suffix}")


def test_a_page_has_every_name_as_text(sweep):
    found = Texts(report(sweep, ".html").read_text(encoding="utf-8"))
    assert found.is_safe
    assert [name for name in ODD if shown(name) not in found.text] == []


def test_markdown_has_every_name_as_text(sweep):
    text = report(sweep, ".md").read_text(encoding="utf-8")
    found = Texts(MARKDOWN.render(text))
    assert found.is_safe and not {"del", "h4", "ol"} & {tag for tag, _ in found.tags}
    assert [name for name in ODD if visible(name) not in found.text] == []
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert len(rows) > len(ODD) and {tag for tag, _ in found.tags} >= {"table", "td"}


@pytest.mark.parametrize("name", ODD)
def test_markdown_escapes_a_name_wherever_it_stands(name):
    for before, after in (("", ""), ("- ", ""), ("# ", ""), ("**", "**"), ("> ", "")):
        found = Texts(MARKDOWN.render(f"{before}{marked.escape(name)}{after}"))
        assert found.text.strip() == visible(name) and len(found.tags) <= 3, found.tags
    table = "\n".join(marked.grid(["name", "n"], [[name, "`a|b`"]]))
    assert [text for text in Texts(MARKDOWN.render(table)).texts if text.strip()] == ["name", "n", visible(name), "a|b"]


def test_json_has_every_name_as_it_is(sweep):
    text = report(sweep, ".json").read_text(encoding="utf-8")
    assert all(json.dumps(name, ensure_ascii=False)[1:-1] in text for name in ODD)
    json.loads(text)


def test_paper_takes_every_name(tmp_path):
    """Six names a cell: typesetting takes the longer the more cells there are."""
    pytest.importorskip("typst", reason="the extra `pdf` is not installed")
    sweep = sweep_of([" ".join(ODD[first : first + 6]) for first in range(0, len(ODD), 6)], tmp_path / "s")
    assert report(sweep, ".pdf").read_bytes().startswith(b"%PDF")


def test_a_picture_has_every_name_as_text_and_its_file_is_xml(tmp_path):
    from xml.etree import ElementTree

    rows = [dots.row(name, "", (dots.mark(Interval(0.5, 0.4, 0.6, 0.95, "Wilson"), theme.CLEAR),)) for name in ODD]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        path = files.write(partial(paper.drawn, dots.chart(rows, unit=ODD[0])), tmp_path / "p.svg", "-o")
        files.write(partial(paper.drawn, dots.chart(rows)), tmp_path / "p.png", "-o")
        inside = Texts(svg.svg(dots.chart(rows), "".join(ODD), {}))
    drawn = "".join(ElementTree.parse(path).getroot().itertext())
    names = [visible(name.replace("\r", " ")) for name in ODD]  # a label is wrapped at white space
    assert [name for name in names if name not in drawn] == [] == [name for name in names if name not in inside.text]


def test_a_terminal_gets_no_escape_sequence(capsys):
    """By answers, by errors, by notes."""
    cli.print_lines(ODD)
    with contextlib.redirect_stderr(io.StringIO()) as errors:
        note(" ".join(ODD))
    for said in (capsys.readouterr().out, errors.getvalue()):
        assert all(visible(name) in said for name in ODD) and not UNSAFE.search(said)


def test_columns_of_a_terminal_line_up():
    """Escapes are as wide as they are shown, letters of East Asia take two columns, a name is one line."""
    names = ("日本語", "wall", "\x1b[31mred", "two\nlines", "e\u0301")
    *_, table = (Table("", "", ("name", "n"), tuple((Entry(name), Entry("1")) for name in names)),)
    lines = list(terminal.table_lines(table))
    assert len(lines) == 1 + len(names) and len({terminal.width_of(line) for line in lines}) == 1
    assert not any(UNSAFE.search(line) for line in lines)


def test_the_form_of_a_playtest_is_safe():
    d = {
        "title": ODD[4] + ODD[13],
        "unit": "turn",
        "levels": list(ODD[:2]),
        "roles": ["a|b", "<b>"],
        "endings": list(ODD),
        "players": 2,
    }
    d["fields"] = play_form.fields(d)
    d["columns"] = [field["column"] for field in d["fields"]]
    for found in (Texts(play_form.page(d)), Texts(MARKDOWN.render("\n".join(map(visible, play_form.lines(d)))))):
        assert found.is_safe
        assert all(shown(name).replace(" → ", " -> ") in found.text.replace(" → ", " -> ") for name in ODD)


def test_all_texts_of_a_document_become_visible():
    assert all_visible({"\x07": [("\x1b", 1, None)]}) == {"\\x07": [["\\x1b", 1, None]]}


# ---------------------------------------------------------------- what a reader picks


@pytest.mark.parametrize(
    ("text", "level", "player"),
    [
        ("Elite, garrison (breach=2, reserve=5)", 2, 2),
        ("Elite, garrison", 2, 1),
        ("Novice: garrison (breach=2, reserve=5): won 4 %", 1, 2),
        ("Novice, Elite, garrison", None, 1),
        ("Elite, garrisons", 2, None),
        ("Elite, a, b", 2, 3),
    ],
)
def test_a_picked_player_may_have_a_comma_in_the_name(text, level, player):
    picks = [("level", ["Novice", "Elite"]), ("player", ["garrison", "garrison (breach=2, reserve=5)", "a, b"])]
    found = dict(re.findall(r'data-(\w+)="(\d+)"', html.picked(text, picks)))
    assert found == {kind: str(number) for kind, number in (("level", level), ("player", player)) if number}


# ---------------------------------------------------------------- scales


@pytest.mark.parametrize("drawn", [[(-4.25, -3.9), (-3.0, -2.5)], [(1.0, 4.0)], [(-1.0, 2.0)], [(0.0, 0.0)]])
def test_a_scale_holds_every_interval(drawn):
    least, most = compare._scale(drawn)
    assert least < most and least <= 0 <= most
    assert all(least <= low and high <= most for low, high in drawn)


def test_an_axis_holds_a_share_that_rounding_takes_above_one():
    assert (
        curves.axis_end([Interval(1.0, 0.9, 1 + 2e-16, 0.95, "Wilson")]) == 1.0 == curves.axis_end([proportion(9, 10)])
    )
