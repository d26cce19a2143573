"""What every picture keeps, on a page and on paper: each number, in text, table and JSON; what is written is written whole."""

import re
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

from bartizan.analyses.experiments.losses import GameChances, TurnStart
from bartizan.analyses.statistics.intervals import Interval, figure_mark, proportion
from bartizan.reports.blocks import Figure
from bartizan.reports.figures import bars, chances, curves, dots, files, paper, price, svg, theme
from bartizan.reports.figures.curves import AXES, axis_end
from bartizan.reports.figures.rows import Band, Chart, ChartMark, Track
from bartizan.reports.pages.parts import counts, scores

SHARES = tuple(proportion(wins, 1000) for wins in (100, 300, 500))
MOVED = Interval(3.0, 1.0, 5.0, 0.95, "Student t")
CURVE = curves.DrawnCurve("policy", theme.CLEAR, (1, 2, 3), SHARES, curves.DASHES[1], beyond=SHARES[0])
PICTURES = {
    "dots": dots.chart(
        [dots.row("Easy", "", [dots.mark(one, theme.CLEAR) for one in SHARES[:2]]), dots.row("Hard", "", ())],
        unit="games won",
    ),
    "differences": dots.differences(
        [dots.row("win rate", "+3.0 (+1.0 to +5.0)", [dots.mark(MOVED, theme.CLEAR)])], "percentage points"
    ),
    "band": Chart(
        "",
        (Track("Easy", (ChartMark("policy", SHARES[0], shape="first"),), "", Band(0.1, 0.2, "wanted")),),
        "games won",
    ),
    "long label": dots.chart([dots.row("A policy with a long name " * 4, "", [dots.mark(SHARES[0], theme.CLEAR)])]),
    "stacked": bars.Stacked(
        [bars.StackedBar("Hard", "1,000 games", ((theme.CLEAR, 0.4), (theme.NONE_COLOUR, 0.6)), (SHARES[0],))],
        "of all games",
    ),
    "histogram": bars.Histogram(
        {theme.CLEAR: {0: 0.2, 1: 0.7}},
        (0, 1),
        0.7,
        "score",
        strip=((theme.CLEAR, 1.0),),
        beyond=(bars.Beyond("2+", theme.CLEAR, 0.1),),
    ),
    "bands": curves.Bands([CURVE], "turn", "games lost so far", 3, steps=True),
    "dotted": curves.Dotted([replace(CURVE, at=(0, 1, 2))], "limit", names=("one", "two", "three"), with_key=True),
    "prices": price.PriceLine(
        [price.Dot("Wall", "Wall", True, 1, MOVED, theme.CLEAR), price.Dot("Gate", "", False, 3, MOVED, theme.UNCLEAR)],
        1.0,
        0.5,
        "percentage points",
    ),
}


def marks_of(group):
    """A group is a mark, or has marks that look alike."""
    classes = group.get("class", "").split()
    return [group] if "m" in classes else list(group) if "ms" in classes else []


@pytest.mark.parametrize("kind", PICTURES)
def test_a_picture_says_its_numbers_as_text_as_a_table_and_in_json(kind):
    picture = PICTURES[kind]
    figure = Figure("What was found", picture, legend=((theme.CLEAR, "clear"),))
    data = picture.data(figure.names)
    assert data and len(figure.table.rows) == len(figure.document["numbers"]) == len(data)
    assert figure.alt.startswith("What was found. ") and any(datum.shown in figure.alt for datum in data)
    for name in filter(None, picture.axes):
        assert name in figure.alt
    drawn = ElementTree.fromstring(figure.svg())  # it is XML
    marks = [mark for group in drawn.iter("g") for mark in marks_of(group)]
    assert [mark.find("title").text for mark in marks] == [datum.full for datum in data]
    assert drawn.get("role") == "img" and drawn.get("aria-label") == figure.alt


@pytest.mark.parametrize("kind", PICTURES)
def test_a_picture_of_a_page_stays_inside_its_frame(kind):
    drawn = ElementTree.fromstring(svg.svg(PICTURES[kind], "x", {}))
    wide, high = map(float, drawn.get("viewBox").split()[2:])
    for shape in drawn.iter():
        for across, down in (("x", "y"), ("cx", "cy")):
            if across in shape.attrib:
                assert 0 <= float(shape.get(across)) <= wide and 0 <= float(shape.get(down)) <= high, shape.attrib


def test_a_table_has_ranges_of_many_values_and_the_json_has_every_value():
    counts = {value: 1 / 170 for value in range(30, 200)}
    beyond = bars.Beyond("200 or more", theme.NONE_COLOUR, 0.0)
    figure = Figure("Scores", bars.Histogram({theme.CLEAR: counts}, (30, 199), 0.1, "points", beyond=(beyond,)))
    table, numbers = figure.table, figure.document["numbers"]
    assert len(numbers) == 171 and len(table.rows) == 18
    assert table.headers[0] == "Points, in ranges of 10"
    assert [row[0].text for row in table.rows][:2] == ["30–39", "40–49"] and table.rows[-2][0].text == "190–199"
    assert table.rows[0][-1].text == bars.share_text(10 / 170)
    few = bars.Histogram({theme.CLEAR: {value: 0.04 for value in range(25)}}, (0, 24), 0.1, "points")
    assert Figure("Few", few).table.headers[0] == "" and len(Figure("Few", few).table.rows) == 25
    cut = replace(few, bars={theme.CLEAR: {value: 0.01 for value in range(-3, 57)}}, span=(-3, 56), beyond=(beyond,))
    assert cut.in_ranges.data({})[-2].row == "55–56" and sum(one.estimate for one in cut.in_ranges.data({})) > 0.599


@pytest.mark.parametrize(("number", "label"), [(1, "policy"), (4, "policy"), (3, "a policy with a long name")])
def test_a_key_stands_above_the_plot(number, label):
    """Three short labels share a row; the label of the axis is below the last row."""
    picture = curves.Dotted([replace(CURVE, label=label, at=(0, 1, 2))] * number, "limit", with_key=True)
    height = {
        text.text: float(text.get("y")) for text in ElementTree.fromstring(svg.svg(picture, "x", {})).iter("text")
    }
    assert height["of all games"] >= height[label] + 10


@pytest.mark.parametrize("kind", PICTURES)
def test_paper_has_the_same_words(kind):
    picture = PICTURES[kind]
    on_page = {text.text for text in ElementTree.fromstring(svg.svg(picture, "x", {})).iter("text")}
    on_paper = files.inline(paper.drawn(picture), "p", "x")
    words = {word for word in on_page if not re.match(r"[\d−+]", word)}
    assert words and all(f">{word}<" in on_paper for word in words), words


def test_curves_with_one_value_have_an_axis(recwarn):
    one = replace(CURVE, at=(5,), intervals=SHARES[:1], beyond=None)
    (axes,) = paper.drawn(curves.Dotted([one], "limit")).axes
    assert axes.get_xlim()[0] < 5 < axes.get_xlim()[1] and not recwarn.list


def test_a_small_number_is_written_as_it_is():
    none = Interval(0.0, 0.0, 4e-8, 0.95, "Clopper-Pearson")
    row = dots.row("random", "below 0.000004 %", (dots.mark(none, "#1f77b4"),))
    picture = files.inline(paper.drawn(dots.chart([row], unit="games won")), "wins", "random wins nothing")
    assert ">below 0.000004 %<" in picture
    assert not [tag for tag in files.TAG.findall(picture) if files.NUMBER.search(tag)]
    assert ">below 0.000004 %<" in svg.svg(dots.chart([row]), "random wins nothing", {})


def test_an_axis_of_shares_ends_at_the_first_mark_that_holds_every_interval():
    for end in AXES:
        assert axis_end([figure_mark(0.0), figure_mark(0.0, 0.0, end)]) == end
    assert axis_end([figure_mark(0.0, 0.0, AXES[0] + 1e-9)]) == AXES[1]
    assert axis_end([figure_mark(1.0, 0.9, 1 + 1e-9)]) == AXES[-1]


def test_the_curve_of_a_game_rises_with_the_chance_and_marks_the_decisive_turn():
    starts = [TurnStart(turn=turn, chance=proportion(wins, 100)) for turn, wins in enumerate((50, 90, 20), 1)]
    game = GameChances(role="first", is_won=False, rollouts=100, turns=starts, decisive_turn=2, moved=-0.7)
    drawn = ElementTree.fromstring(f"<svg>{chances.curve(game)}</svg>")
    dots_at = [(float(dot.get("cx")), float(dot.get("cy"))) for dot in drawn.iter("circle")]
    assert [across for across, _ in dots_at] == sorted({across for across, _ in dots_at})
    assert 0 < dots_at[1][1] < dots_at[0][1] < dots_at[2][1] < chances.HIGH
    (decisive,) = (shape for shape in drawn.iter("rect") if shape.get("class") == "decisive")
    assert float(decisive.get("x")) == dots_at[1][0] and "turn 2" in "".join(drawn.itertext())
    halves = [
        float(path.get("d").split("H")[0].split()[1]) for path in drawn.iter("path") if path.get("class") == "grid"
    ]
    assert halves[1] == dots_at[0][1]


def test_settings_in_order_go_from_pale_to_dark():
    def shades(in_order):
        return [sum(bytes.fromhex(colour[1:])) for colour in theme.cell_colours(5, in_order)]

    assert shades(True) == sorted(shades(True), reverse=True) and len(set(shades(True))) == 5
    assert shades(False) != sorted(shades(False), reverse=True)


def test_each_of_many_cells_and_players_has_its_own_colour_and_name():
    for colours in (theme.cell_colours(10, False), theme.side_colours(100)):
        legend = tuple((colour, f"cell {number}") for number, colour in enumerate(colours))
        row = dots.row("share", "", [dots.mark(SHARES[0], colour) for colour in colours])
        found = Figure("", dots.chart([row]), legend=legend).document["numbers"]
        assert [one["series"] for one in found] == [name for _, name in legend]
    assert theme.side_colours(12)[:3] == theme.side_colours(3) == list(theme.PLAYERS[:3])


def test_a_colour_with_two_names_says_both():
    row = dots.row("share", "", [dots.mark(SHARES[0], theme.CLEAR), dots.mark(SHARES[1], theme.CLEAR)])
    figure = Figure("", dots.chart([row]), legend=((theme.CLEAR, "a"), (theme.CLEAR, "b"), (theme.CLEAR, "a")))
    assert {one["series"] for one in figure.document["numbers"]} == {"a or b"}


def test_rare_events_have_a_figure_of_their_own():
    sizes = [0.004, 100.0, 0.2, 60.0, 0.3, 4.0] * 3
    rows = [[SimpleNamespace(mean=SimpleNamespace(mean=size))] for size in sizes]
    parts = [[row[0].mean.mean for row in part] for part in counts._by_size(rows)]
    assert len(sizes) > counts.MANY_ROWS and len(parts) == 3 and sorted(sum(parts, [])) == sorted(sizes)
    for more, fewer in pairwise(parts):
        assert max(more) < counts.MAGNITUDE * min(more) and min(more) > max(fewer)
        assert more == [size for size in sizes if size in more], "in their order"


def test_variants_of_each_policy_share_a_row_of_figures():
    def columns(*players):
        return scores._of_level("", [SimpleNamespace(player=player) for player in players], [], None, None).columns

    assert (columns(*"aabb"), columns(*"aaabbb"), columns(*"ab"), columns(*"aab"), columns(*"aaaa")) == (2, 3, 0, 0, 0)
