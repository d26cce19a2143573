"""The report on paper: whole, tagged, the same bytes anywhere, and no text of a user read as markup."""

import builtins
import re
import shutil
import subprocess

import pytest
from pypdf import PdfReader

from bartizan.reports import write_report
from bartizan.reports.blocks import Answers, CommandLine, Definitions, Entry, Page, Table, Text, View
from bartizan.reports.pages import sweep as of_sweep
from bartizan.reports.render import pdf
from bartizan.reports.study import study
from bartizan.simcore.errors import UsageError
from tests.sweeps import make_sweep, records, solo_cell

POLICIES_ONLY = "Played by computer policies, not people."
BANNER = {
    "text": "RECONSTRUCTION: the cards are not public",
    "scenario": "",
    "assumed": 5,
    "of": 9,
    "changed": 0,
    "influence": None,
}
ODD = r'#panic("x") *bold* $x^2$ [ ] \ <a> @b `c` // d /* e */ _f_ ~ -- http://g.example "h" ' + "'i' = j"


def cells(**changes):
    """Two levels, two players each."""
    for index, level in enumerate(("novice", "elite")):
        for name, loss in (("garrison", 0.4), ("random", 0.9)):
            player = [{"role": "defender", "name": name, "weights": {"reserve": 10.0}, "about": "Keeps a reserve."}]
            hashed = {"scenario_hash": f"0123456789abcde{index}", "difficulty": level}
            yield (
                solo_cell(**{"id": f"{level}.{name}", "policies": player, **hashed, **changes}),
                records(games=600, loss=loss, seed=index),
            )


def words(text):
    """What is said, whatever the lines; a long name may be broken."""
    return re.sub(r"[\s\u200b]+", "", text)


def pages_of(path):
    return [page.extract_text() for page in PdfReader(path).pages]


@pytest.fixture(scope="module")
def sweep(tmp_path_factory):
    return make_sweep(tmp_path_factory.mktemp("sweep"), list(cells()))


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """Of one cell: a report with fewer pictures."""
    return make_sweep(tmp_path_factory.mktemp("small"), list(cells())[:1])


@pytest.fixture(scope="module")
def paper(sweep, tmp_path_factory):
    return write_report(sweep, tmp_path_factory.mktemp("paper") / "report.pdf")


def test_it_holds_what_the_page_holds(sweep, paper):
    said = words("".join(pages_of(paper)).replace("-\n", "-"))
    for text in told(of_sweep.page(study(sweep)).every_part):
        assert words(text.replace("`", "")) in said, text


def told(parts):
    """Every text of a page."""
    for part in parts:
        yield from (part.title, part.caption, *(figure.title for figure in part.figures), *part.findings)
        for block in part.blocks:
            match block:
                case View():
                    yield from told([block])
                case Table():
                    yield from (block.title, *block.headers, *(entry.text for row in block.rows for entry in row))
                case Text():
                    yield block.text
                case CommandLine():
                    yield block.typed
                case Answers():
                    yield from (text for one in block.paragraphs for text in (one.heading, one.answer, *one.details))
                case Definitions():
                    yield from (f"{row.meaning}" for row in block.rows)


def test_every_page_says_what_it_is_of_and_who_played(paper):
    pages = pages_of(paper)
    for number, text in enumerate(pages, 1):
        assert "The Keep" in text and POLICIES_ONLY in text
        assert f"page {number} of {len(pages)}" in text


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    """The pages of a reconstruction whose texts look like markup."""
    folder, texts = tmp_path_factory.mktemp("odd"), {"command": f"bartizan sweep '{ODD}'", "rules_source": ODD}
    sweep = make_sweep(folder / "s", list(cells(banner=BANNER, assumptions=[ODD]))[:1], title=f"Odd {ODD}", **texts)
    return pages_of(write_report(sweep, folder / "r.pdf"))


def test_a_reconstruction_is_called_one_on_every_page(odd):
    assert len(odd) > 3 and all(words(BANNER["text"]) in words(text) for text in odd)


def test_it_is_tagged_and_has_title_language_and_no_date(paper):
    reader = PdfReader(paper)
    catalog = reader.trailer["/Root"]
    assert catalog["/MarkInfo"]["/Marked"] and catalog["/Lang"] == "en"
    assert catalog["/StructTreeRoot"] and catalog["/ViewerPreferences"]["/DisplayDocTitle"]
    assert reader.metadata.title == "The Keep" and reader.metadata.creation_date is None
    assert b"pdfuaid:part" in catalog["/Metadata"].get_data()
    assert [entry.title for entry in reader.outline if not isinstance(entry, list)][-2:] == [
        "Appendix: Reproduce these games",
        "Appendix: Words used here",
    ]


def test_its_fonts_are_embedded_and_none_is_of_the_machine(paper):
    fonts = {}
    for page in PdfReader(paper).pages:
        for font in page["/Resources"].get("/Font", {}).values():
            (kind,) = font.get_object()["/DescendantFonts"]
            fonts[kind.get_object()["/BaseFont"]] = kind.get_object()["/FontDescriptor"]
    assert {name.partition("+")[2] for name in fonts} <= {"DejaVuSans", "DejaVuSans-Bold", "DejaVuSansMono"}
    assert fonts and all("/FontFile2" in font for font in fonts.values())


def test_the_same_sweep_gives_the_same_bytes(sweep, paper, tmp_path):
    assert write_report(sweep, tmp_path / "again.pdf").read_bytes() == paper.read_bytes()


def test_paper_sizes(small, paper, tmp_path):
    for path, size in ((paper, (595, 842)), (write_report(small, tmp_path / "r.pdf", "letter"), (612, 792))):
        assert {(round(page.mediabox.width), round(page.mediabox.height)) for page in PdfReader(path).pages} == {size}


def test_pictures_are_drawn_as_lines_and_described(sweep, paper):
    reader = PdfReader(paper)
    assert not [image for page in reader.pages for image in page.images]
    described = [element["/Alt"] for element in _structure(reader) if "/Alt" in element]
    pictures = [figure for part in of_sweep.page(study(sweep)).parts for figure in part.figures]
    assert len(described) == len(pictures) > 5 and all(len(said) > 20 for said in described)


def _structure(reader):
    """Every element of the document's structure."""
    waiting = [reader.trailer["/Root"]["/StructTreeRoot"]]
    while waiting:
        element = waiting.pop()
        kids = element.get("/K", [])
        for kid in kids if isinstance(kids, list) else [kids]:
            kid = kid.get_object()
            if isinstance(kid, dict) and "/S" in kid:
                yield kid
                waiting.append(kid)


def test_text_of_a_user_is_no_markup(odd):
    text = words("".join(odd))
    assert words(f"Odd {ODD}") in text and words(f"bartizan sweep '{ODD}'") in text and words(f"Rules: {ODD}.") in text


def test_letters_that_the_type_lacks_are_marked_and_names_in_them_stay_apart(tmp_path):
    policies = [
        [{"role": "defender", "name": name, "weights": {}, "about": ""}] for name in ("漢字", "字漢", "🎲", "ไทย")
    ]
    told = [(solo_cell(id=f"c{i}", policies=one), records(games=40)) for i, one in enumerate(policies)]
    foreign = make_sweep(tmp_path / "s", told, title="Крепость \u57ce \x07 Ölberg")
    pages = pages_of(write_report(foreign, tmp_path / "r.pdf"))
    assert "Крепость \\u57ce \\x07 Ölberg" in pages[0]
    text = words("".join(pages))
    assert text.count(words("The HTML report shows them all")) == 1, "said once"
    for name in (r"\u6f22\u5b57", r"\u5b57\u6f22", r"\U0001f3b2", r"\u0e44\u0e17\u0e22"):
        assert name in text


def test_nothing_is_said_where_no_letter_is_missing(paper):
    assert words("The HTML report shows them all") not in words("".join(pages_of(paper)))


def test_a_table_goes_on_with_its_headers(tmp_path):
    rows = tuple((Entry(f"policy_{i}"), Entry(str(i))) for i in range(90))
    view = View(title="Numbers", blocks=(Table("t", "", ("Player", "n"), rows),))
    (tmp_path / "r.pdf").write_bytes(pdf.page(Page(title="Long", headline="", whose="", parts=(view,), signed="")))
    headed = ["Player" in text for text in pages_of(tmp_path / "r.pdf") if "policy_" in text]
    assert len(headed) >= 2 and all(headed)


def test_a_wide_table_goes_on_below_with_the_names_of_its_rows():
    wide = Table("t", "", tuple(f"h{i}" for i in range(20)), (tuple(Entry(f"e{i}") for i in range(20)),))
    parts = pdf.plain(wide)["parts"]
    assert len(parts) == 1 and all(part["headers"][0] == "h0" for part in parts)
    assert [name for part in parts for name in part["headers"][1:]] == list(wide.headers[1:])


def test_a_long_name_may_be_broken_after_a_joint():
    assert pdf.plain("a/long/folder/with.many=parts") == "a/\u200blong/\u200bfolder/\u200bwith.\u200bmany=\u200bparts"
    assert pdf.plain("w" * 45) == f"{'w' * 20}\u200b{'w' * 20}\u200bwwwww"
    assert pdf.plain("short/one") == "short/one"


def test_it_is_light(paper, tmp_path, small, monkeypatch):
    assert paper.stat().st_size < 500_000
    monkeypatch.setattr(pdf, "MOST_BYTES", 1)
    lighter = write_report(small, tmp_path / "r.pdf")
    assert "The tables contain" in "".join(pages_of(lighter)) or lighter.stat().st_size <= paper.stat().st_size


@pytest.mark.skipif(shutil.which("qpdf") is None, reason="qpdf is not installed")
def test_qpdf_finds_no_fault(paper):
    assert (
        "No syntax or stream encoding errors"
        in subprocess.run(["qpdf", "--check", paper], capture_output=True, text=True).stdout
    )


def test_without_typst_one_line_says_what_to_install(sweep, tmp_path, monkeypatch):
    found = builtins.__import__

    def missing(name, *args, **more):
        if name == "typst":
            raise ImportError(name)
        return found(name, *args, **more)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(UsageError, match=r'pip install "\.\[pdf\]"'):
        write_report(sweep, tmp_path / "r.pdf")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "paper", "part"), [("r.html", "a4", "only for PDF reports"), ("r.pdf", "leter", 'did you mean "letter"')]
)
def test_a_paper_that_cannot_be_is_refused(sweep, tmp_path, name, paper, part):
    with pytest.raises(UsageError, match=part):
        write_report(sweep, tmp_path / name, paper)
