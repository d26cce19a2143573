"""The drawn board shows what the data says, and is the same file every time."""

import importlib.util
import re

import pytest

from bartizan.reports.render.board import write_board
from bartizan.simcore.colditz.board import read_board
from bartizan.simcore.errors import UsageError
from tests.cli.run_cli import PIG, ROOT, bartizan, error_line

BOARD = read_board()


@pytest.fixture(scope="module")
def picture(tmp_path_factory):
    path = tmp_path_factory.mktemp("picture") / "board.svg"
    result = bartizan("describe", "colditz", "--board", path)
    assert result.code == 0, result.err
    assert re.fullmatch(rf"{re.escape(str(path))} \(\d+ kB\)\n", result.out)
    return path.read_text(encoding="utf-8")


def test_everything_has_its_word(picture):
    words = set(re.findall(r">([^<>]+)</text>", picture))
    plain = [c.id for c in BOARD.circles.values() if c.kind not in ("staff_car", "target")]
    assert {str(c) for c in plain} <= words
    for room in BOARD.room_table.values():
        assert {room.name, room.symbol} - {""} <= words
    assert {
        "T1",
        "T4 (far)",
        "T5 (far)",
        "T7 (far)",
        "K",
        "P",
        "30",
        "60",
        "30?",
        "car",
        "wire crossing",
        "safe: no arrest",
        "guard post, seen",
    } <= words
    assert "T1 (far)" not in words


def test_it_says_how_sure_it_is(picture):
    hidden = sum(circle.confidence != "seen" for circle in BOARD.circles.values())
    inferred = sum(edge.confidence != "seen" for edge in BOARD.edges)
    assert f"{hidden} of {len(BOARD.circles) - 1:,} circles lie under pawns" in picture
    assert f"{inferred} of {len(BOARD.edges):,} links are inferred" in picture


def test_the_same_board_is_the_same_file(picture, tmp_path):
    write_board("colditz", tmp_path / "again.svg")
    assert (tmp_path / "again.svg").read_text(encoding="utf-8") == picture
    assert len(picture) < 1_000_000


@pytest.fixture(scope="module")
def drawn():
    """The script that draws what is shipped, and its figure."""
    spec = importlib.util.spec_from_file_location("draw_board", ROOT / "benchmarks/draw_board.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module, module.draw(BOARD)


def test_what_is_shipped_is_drawn_from_the_data(picture, drawn, tmp_path):
    from bartizan.reports.figures import files

    _, figure = drawn
    assert files.write(lambda: figure, tmp_path / "drawn.svg", "-o").read_text(encoding="utf-8") == picture


def test_names_hide_no_circle(drawn):
    """A name may cover the rim of a circle, never its middle."""
    axes = drawn[1].axes[0]
    names = [text for text in axes.texts if text.get_bbox_patch()]
    assert len(names) == 7 + 3 + 17 + 4
    middles = axes.transData.transform([(c.x, c.y) for c in BOARD.circles.values()])
    for name in names:
        box = name.get_window_extent()
        assert not any(box.contains(x, y) for x, y in middles), name.get_text()


@pytest.mark.parametrize(("suffix", "head"), [(".pdf", b"%PDF"), (".png", b"\x89PNG")])
def test_paper_and_pixels(tmp_path, suffix, head):
    """Written again: the file is known as one of ours."""
    pytest.importorskip("typst", reason="the extra `pdf` is not installed")
    for _ in range(2):
        assert write_board("colditz", tmp_path / f"board{suffix}").read_bytes().startswith(head)


@pytest.mark.parametrize(
    ("game", "name", "says"),
    [
        ("itter", "board.svg", "itter has no drawing of a board; choose from: colditz"),
        (PIG, "board.svg", "pig has no drawing of a board"),
        ("colditz", "board.gif", ".svg, .pdf, .png"),
        ("colditz", "no/such/board.svg", "does not exist"),
    ],
)
def test_refused_with_one_line(tmp_path, game, name, says):
    result = bartizan("describe", game, "--board", tmp_path / name)
    assert result.code == 2 and says in error_line(result)


def test_other_errors_stay():
    with pytest.raises(UsageError, match="no drawing"):
        write_board("chess", "board.svg")
