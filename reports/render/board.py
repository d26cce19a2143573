"""Export of the drawing of a game's board as .svg, .pdf or .png."""

from io import BytesIO
from pathlib import Path

from bartizan.reports.figures.files import check_name
from bartizan.simcore.errors import UsageError, did_you_mean
from bartizan.simcore.files import MADE_HERE, whole

BOARDS = Path(__file__).parent.parent / "figures" / "boards"
PIXELS_PER_INCH = 150
PAGE = """#set document(title: "board", keywords: "made by Bartizan", date: none)
#set page(width: auto, height: auto, margin: 0pt, fill: white)
#image("board.svg")
"""


def write_board(game: str, path: Path) -> Path:
    """Write the board of a game and return the path.

    Raises UsageError for a game without a drawing, an invalid or unwritable path, and for .pdf and .png if
    typst is not installed.
    """
    known = {board.stem: board for board in BOARDS.glob("*.svg")}
    if game not in known:
        raise UsageError(f"--board: {game} has no drawing of a board{did_you_mean(game, known)}")
    path = check_name(path, "--board")
    content = _converted(known[game].read_bytes(), path.suffix.lower())
    try:
        with whole(path) as part:
            part.write_bytes(content)
    except OSError as error:
        raise UsageError(f"--board {path}: cannot be written: {error.strerror or error}") from error
    return path


def _converted(svg: bytes, suffix: str) -> bytes:
    if suffix == ".svg":
        return svg
    from bartizan.reports.render import pdf

    typst = pdf.compiler("Boards as .pdf and .png", "board.svg")
    form = suffix[1:]
    drawn: bytes = typst.compile(
        {"main.typ": PAGE.encode(), "board.svg": svg},
        format=form,
        ppi=PIXELS_PER_INCH,
        font_paths=pdf.fonts(),
    )
    return _signed(drawn) if suffix == ".png" else drawn


def _signed(png: bytes) -> bytes:
    """Return the PNG with the metadata by which Bartizan recognises its own files."""
    from PIL import Image
    from PIL.PngImagePlugin import PngInfo

    about, file = PngInfo(), BytesIO()
    about.add_text("Software", MADE_HERE)
    Image.open(BytesIO(png)).save(file, "PNG", pnginfo=about)
    return file.getvalue()
