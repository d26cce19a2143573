"""What was found of cards, written beside them in a copy of the designer's own sheet."""

import csv
import io
import zipfile
from datetime import datetime

import openpyxl
import pytest
from openpyxl.comments import Comment
from openpyxl.formatting.rule import CellIsRule
from openpyxl.styles import Font, PatternFill
from openpyxl.worksheet.datavalidation import DataValidation

from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.blocks import Entry
from bartizan.reports.render import workbook
from bartizan.reports.render.card_sheet import CardFinding, write_card_sheet
from bartizan.reports.render.workbook import bytes_of, new_book
from bartizan.simcore.errors import UsageError
from bartizan.simcore.files import is_made_here
from bartizan.simcore.short.card_sheet import read_card_sheet
from bartizan.simcore.short.components import Deck
from tests.cli.run_cli import PIG, bartizan


def interval(estimate, low, high):
    return Interval(estimate, low, high, 0.95, "Student t")


FOUND = [
    CardFinding("Guard", interval(0.1, 0.05, 0.15), 0.9, interval(0.6, 0.5, 0.7), "worth more"),
    CardFinding("Baron", interval(-0.2, -0.3, -0.1), 0.1, interval(0.4, 0.3, 0.5), "worth less"),
    CardFinding("=Crow", interval(0, -0.1, 0.1), 0.5),
]
METHOD = ["400 games, seed 1", "=cmd|' /C calc'!A0"]
ADDED = ["Value, pp", "Low, pp", "High, pp", "Used, %", "Wins when drawn, %", "Verdict"]
ADDED = [f"{name} (Bartizan)" for name in ADDED]


def designers_workbook(path):
    """A title, formats, a formula, a comment, a list to choose from, a hidden column, a total, a second sheet."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Cards"
    rows = [
        ["Monsters v3"],
        ["Name", "Qty", "Cost", "Per cost", "Notes"],
        ["Guard", 5, 2, "=B3/C3", "weak"],
        ["Baron", 1, 3, "=B4/C4", None],
        ["=Crow", 2, 1, "=B5/C5", "text that looks like a formula"],
        ["Total", "=SUM(B3:B5)"],
    ]
    for row in rows:
        sheet.append(row)
    sheet["A5"].data_type = "s"
    sheet.merge_cells("A1:E1")
    sheet["A2"].font = sheet["E2"].font = Font(bold=True, color="FF112233")
    sheet["E2"].fill = PatternFill("solid", fgColor="FFEECC")
    sheet["C3"].number_format = '0 "gold"'
    sheet.column_dimensions["A"].width = 33
    sheet.column_dimensions["E"].hidden = True
    sheet.freeze_panes = "B3"
    sheet.auto_filter.ref = "A2:E5"
    sheet["B3"].comment = Comment("was 6", "Ann")
    choice = DataValidation(type="list", formula1='"1,2,3"')
    choice.add("C3:C5")
    sheet.add_data_validation(choice)
    sheet.conditional_formatting.add("C3:C5", CellIsRule(">", ["2"], fill=PatternFill("solid", bgColor="FF0000")))
    book.create_sheet("Ideas")["A1"] = "a dragon"
    book.defined_names["most"] = openpyxl.workbook.defined_name.DefinedName("most", attr_text="Cards!$B$3")
    book.properties.creator = "Ann"
    book.save(path)
    with_values(path)


def with_values(path):
    """Give the formulas their values, as a spreadsheet program does when it saves."""
    parts = {}
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            parts[name] = archive.read(name)
    for cell, value in {"B3/C3": "2.5", "B4/C4": "0.33", "B5/C5": "2", "SUM(B3:B5)": "8"}.items():
        sheet = parts["xl/worksheets/sheet1.xml"]
        parts["xl/worksheets/sheet1.xml"] = sheet.replace(
            f"<f>{cell}</f><v></v>".encode(), f"<f>{cell}</f><v>{value}</v>".encode()
        ).replace(f"<f>{cell}</f><v />".encode(), f"<f>{cell}</f><v>{value}</v>".encode())
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)


def test_added_columns_are_no_numbers_of_the_cards(tmp_path):
    path = tmp_path / "cards.csv"
    path.write_text(
        "Name,Qty,Cost," + ",".join(f'"{name}"' for name in ADDED) + "\nGuard,5,1,10,5,15,90,60,worth more\n"
    )
    table = read_card_sheet(path)
    assert table.rows == [{"name": "Guard", "copies": 5, "cost": 1}] and table.unread == {}


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """The designer's sheet, and the copy with what was found."""
    folder = tmp_path_factory.mktemp("sheets")
    designers_workbook(folder / "cards.xlsx")
    before = (folder / "cards.xlsx").read_bytes()
    table = read_card_sheet(folder / "cards.xlsx")
    assert write_card_sheet({"deck": table}, FOUND, METHOD, folder / "answer.xlsx") == []
    assert (folder / "cards.xlsx").read_bytes() == before
    books = [openpyxl.load_workbook(folder / name) for name in ("cards.xlsx", "answer.xlsx")]
    return folder, *books


def test_the_sheet_of_the_designer_is_as_it_was(both):
    _, before, after = both
    assert after.sheetnames == ["Cards", "Ideas", "Method (Bartizan)"]
    old, new = before["Cards"], after["Cards"]
    for row in old.iter_rows():
        for cell in row:
            other = new[cell.coordinate]
            assert (other.value, other.data_type) == (cell.value, cell.data_type), cell.coordinate
            for what in ("font", "fill", "border", "alignment", "number_format"):
                assert repr(getattr(other, what)) == repr(getattr(cell, what)), (cell.coordinate, what)
    assert new["D3"].value == "=B3/C3" and new["C3"].number_format == '0 "gold"'
    assert new.column_dimensions["A"].width == 33 and new.column_dimensions["E"].hidden
    assert str(new.merged_cells) == "A1:E1" and new.freeze_panes == "B3" and new.auto_filter.ref == "A2:E5"
    assert new["B3"].comment.text == "was 6"
    assert [str(one.sqref) for one in new.data_validations.dataValidation] == ["C3:C5"]
    assert "C3:C5" in {str(area.sqref) for area in new.conditional_formatting}
    assert after["Ideas"]["A1"].value == "a dragon" and "most" in after.defined_names
    assert after.properties.creator == "Ann"


def test_what_was_found_stands_beside_each_card(both):
    _, _, after = both
    sheet = after["Cards"]
    assert [cell.value for cell in sheet[2]][5:] == ADDED
    assert [cell.value for cell in sheet[3]][5:] == [10, 5, 15, 90, 60, "worth more"]
    assert [cell.value for cell in sheet[4]][5:] == [-20, -30, -10, 10, 40, "worth less"]
    assert [cell.value for cell in sheet[5]][5:] == [0, -10, 10, 50, None, None]
    assert [cell.value for cell in sheet[6]][5:] == [None] * 6
    assert sheet["F2"].font.b and sheet["F2"].fill.fgColor.rgb == sheet["E2"].fill.fgColor.rgb
    assert sheet["F3"].number_format == "0.0"
    (area,) = [area for area in sheet.conditional_formatting if str(area.sqref).startswith("F")]
    assert str(area.sqref) == "F3:K5"
    assert [rule.formula for rule in area.rules] == [["AND(ISNUMBER($G3),$G3>0)"], ["AND(ISNUMBER($H3),$H3<0)"]]
    method = after["Method (Bartizan)"]
    assert [(cell.value, cell.data_type) for cell in method["A"]] == [(line, "s") for line in METHOD]


def test_the_copy_is_the_same_file_each_time(both, tmp_path):
    folder, *_ = both
    table = read_card_sheet(folder / "cards.xlsx")
    write_card_sheet({"deck": table}, FOUND, METHOD, tmp_path / "again.xlsx")
    assert (tmp_path / "again.xlsx").read_bytes() == (folder / "answer.xlsx").read_bytes()


def test_a_result_replaces_the_result_in_the_sheet_with_its_colours(both, tmp_path):
    _, _, once = both
    book = openpyxl.load_workbook(both[0] / "answer.xlsx")
    for row, cost in ((3, 2.5), (4, 0.3), (5, 2)):  # without saved values, formulas cannot be read
        book["Cards"].cell(row, 4).value = cost
    book["Cards"]["B6"] = 8
    book.save(tmp_path / "annotated.xlsx")
    table = read_card_sheet(tmp_path / "annotated.xlsx")
    write_card_sheet({"deck": table}, FOUND[:2], METHOD, tmp_path / "again.xlsx")
    twice = openpyxl.load_workbook(tmp_path / "again.xlsx")["Cards"]
    areas, before = (
        {str(area.sqref): [rule.formula for rule in area.rules] for area in sheet.conditional_formatting}
        for sheet in (twice, once["Cards"])
    )
    assert areas == before and len(areas["F3:K5"]) == 2 and "C3:C5" in areas
    assert [cell.value for cell in twice[2]][5:] == ADDED and twice["F5"].value is None


def test_what_a_person_saved_is_not_overwritten(both, tmp_path):
    folder, *_ = both
    table = read_card_sheet(folder / "cards.xlsx")
    target = tmp_path / "answer.xlsx"
    write_card_sheet({"deck": table}, FOUND, METHOD, target)
    assert is_made_here(target)
    write_card_sheet({"deck": table}, FOUND, METHOD, target)
    openpyxl.load_workbook(target).save(target)  # as a spreadsheet program does: with its own name
    with pytest.raises(UsageError, match="Bartizan did not write this file and does not overwrite it"):
        write_card_sheet({"deck": table}, FOUND, METHOD, target)
    with pytest.raises(UsageError, match="the game reads this sheet"):
        write_card_sheet({"deck": table}, FOUND, METHOD, folder / "cards.xlsx")
    with pytest.raises(UsageError, match=r"the name must end in [.]xlsx or [.]csv"):
        write_card_sheet({"deck": table}, FOUND, METHOD, tmp_path / "answer.ods")
    (tmp_path / "answer.zip").write_bytes(b"PK\x03\x04 no archive")
    assert not is_made_here(tmp_path / "answer.zip") and not is_made_here(folder / "cards.xlsx")


def test_columns_of_an_earlier_answer_are_written_anew(tmp_path):
    path = tmp_path / "cards.xlsx"
    book = openpyxl.Workbook()
    for row in (["Name", "Qty", *ADDED], ["Guard", 5, 1, 2, 3, 4, 5, "old"], ["Baron", 1, 9]):
        book.active.append(row)
    book.save(path)
    found = [CardFinding("Guard", used=0.25)]
    write_card_sheet({"deck": read_card_sheet(path)}, found, [], tmp_path / "new.xlsx")
    sheet = openpyxl.load_workbook(tmp_path / "new.xlsx").active
    rows = [[cell.value for cell in row if cell.value is not None] for row in sheet.iter_rows()]
    assert rows == [["Name", "Qty", "Used, % (Bartizan)"], ["Guard", 5, 25], ["Baron", 1]]


CSV = "Draft;;\nKarte;Anzahl;Text\nGuard;5;Look, then guess\nBaron;1;\n=Crow;2;\nTotal;8;\n"


def test_a_csv_keeps_its_rows_and_its_separator(tmp_path):
    (tmp_path / "cards.csv").write_text(CSV)
    table = read_card_sheet(tmp_path / "cards.csv")
    write_card_sheet({"deck": table}, FOUND[:2], METHOD, tmp_path / "answer.csv")
    rows = list(csv.reader(io.StringIO((tmp_path / "answer.csv").read_text("utf-8-sig")), delimiter=";"))
    assert [row[:3] for row in rows] == list(csv.reader(io.StringIO(CSV), delimiter=";"))
    assert rows[1][3:] == ADDED and rows[2][3:] == ["10,0", "5,0", "15,0", "90,0", "60,0", "worth more"]
    assert rows[5][3:] == []
    assert is_made_here(tmp_path / "answer.csv") and not is_made_here(tmp_path / "cards.csv")
    write_card_sheet({"deck": table}, FOUND, METHOD, tmp_path / "answer.xlsx")
    sheet = openpyxl.load_workbook(tmp_path / "answer.xlsx")["deck"]
    assert sheet["A5"].value == "=Crow" and sheet["A5"].data_type == "s" and sheet["B3"].value == 5


def test_two_decks_of_one_workbook_and_one_of_the_game_file(tmp_path):
    book = openpyxl.Workbook()
    book.active.title = "Units"
    book.create_sheet("Loot")
    for name, card in (("Units", "Guard"), ("Loot", "Coin")):
        for row in (["Name", "Qty"], [card, 5], ["Crow", 1]):
            book[name].append(row)
    book.save(tmp_path / "cards.xlsx")
    decks = {
        "units": Deck("cards.xlsx", sheet="Units").table(tmp_path),
        "loot": Deck("cards.xlsx", sheet="Loot").table(tmp_path),
        "events": Deck({"Storm": 2}).table(tmp_path),
    }
    found = [
        CardFinding(name, used=share) for name, share in (("Crow (units)", 0.1), ("Crow (loot)", 0.2), ("Storm", 1.0))
    ]
    write_card_sheet(decks, found, ["how"], tmp_path / "answer.xlsx")
    after = openpyxl.load_workbook(tmp_path / "answer.xlsx")
    assert after.sheetnames == ["Units", "Loot", "events", "Method (Bartizan)"]
    assert [after[name]["C3"].value for name in ("Units", "Loot")] == [10, 20]
    assert [[cell.value for cell in row] for row in after["events"]] == [
        ["Name", "Copies", "Used, % (Bartizan)"],
        ["Storm", 2, 100],
    ]
    with pytest.raises(UsageError, match=r"the game has 3 decks, but a [.]csv file contains only one"):
        write_card_sheet(decks, found, ["how"], tmp_path / "answer.csv")


def test_a_report_is_a_workbook_of_its_tables(tmp_path):
    bartizan("run", PIG, "--games", 60, "-o", tmp_path / "kept")
    result = bartizan("report", tmp_path / "kept", "-o", tmp_path / "report.xlsx")
    assert result.code == 0 and is_made_here(tmp_path / "report.xlsx")
    book = openpyxl.load_workbook(tmp_path / "report.xlsx")
    assert book.sheetnames[0] == "Answer" and book.sheetnames[-1] == "Method" and len(book.sheetnames) > 3
    sheets = [book[name] for name in book.sheetnames[1:-1]]
    for sheet in sheets:
        assert sheet["A1"].value and sheet["A4"].value and sheet.max_row > 4
    cells = [cell for sheet in sheets for row in sheet.iter_rows(min_row=5) for cell in row]
    games = [cell for cell in cells if cell.value == 60]
    shares = [cell.value for cell in cells if cell.number_format.endswith("%")]
    assert games and shares and all(0 <= share <= 1 for share in shares)
    assert not [cell for cell in cells if cell.data_type == "f"]


def test_a_workbook_keeps_the_time_of_its_last_change():
    """The second in which it is written, or made, would make every file another one."""
    assert new_book().properties.created == new_book().properties.modified == datetime(1980, 1, 1)
    book = openpyxl.Workbook()
    book.properties.modified = datetime(2020, 1, 2, 3, 4, 5)
    assert openpyxl.load_workbook(io.BytesIO(bytes_of(book))).properties.modified == datetime(2020, 1, 2, 3, 4, 5)


@pytest.mark.parametrize(
    ("text", "value"), [("14.3\u00a0%", 0.143), ("99.5 %", 0.995), ("7 %", 0.07), ("\u22120.6 %", -0.006)]
)
def test_a_percentage_in_a_workbook_has_the_decimals_that_it_shows(text, value):
    sheet = openpyxl.Workbook().active
    workbook._put_entry(sheet, 1, 1, Entry(text))
    assert repr(sheet.cell(1, 1).value) == repr(value)
