"""Sheets of cards as designers keep them: read, or rejected in one line that names the cell."""

from unittest import mock

import openpyxl
import pytest

from bartizan.api.answers.compare import sides_of
from bartizan.api.answers.sensitivity import knobs_in_question
from bartizan.api.answers.sweep import plan_of_request
from bartizan.api.effort import Effort
from bartizan.policies.request import Request
from bartizan.simcore.errors import UsageError
from bartizan.simcore.game import cards_of, load_game
from bartizan.simcore.scenario.changes import names_of
from bartizan.simcore.scenario.loading import load_scenario
from bartizan.simcore.scenario.parameters import by_path, called, path_meant
from bartizan.simcore.short.card_sheet import read_card_sheet
from bartizan.simcore.short.card_table import SheetError

PLAIN = [("Guard", 5, 1), ("Priest", 2, 2), ("Baron", 1, 3)]


def sheet(tmp_path, content, file="cards.csv", encoding="utf-8", **options):
    path = tmp_path / file
    path.write_bytes(content.encode(encoding))
    return read_card_sheet(path, **options)


def workbook(tmp_path, rows, change=None, **options):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    if change:
        change(book)
    book.save(tmp_path / "cards.xlsx")
    return read_card_sheet(tmp_path / "cards.xlsx", **options)


def triples(table, column="cost"):
    return [(row["name"], row["copies"], row[column]) for row in table.rows]


HABITS = {
    "as documented": "name,copies,cost\nGuard,5,1\nPriest,2,2\nBaron,1,3\n",
    "capitals, as Dextrous shows them": "Name,Copies,Cost\nGuard,5,1\nPriest,2,2\nBaron,1,3\n",
    "Qty, as Squib has it": "Title,Qty,Cost,Art\nGuard,5,1,guard.png\nPriest,2,2,p.png\nBaron,1,3,b.png\n",
    "Count, as nanDECK has it": "Count,Name,Cost\n5,Guard,1\n2,Priest,2\n1,Baron,3\n",
    "Quantity behind spaces and signs": " Card Name , Quantity: ,COST \nGuard,5,1\nPriest,2,2\nBaron,1,3\n",
    "Item Amount, as Tabletop Creator has it": "Name;Item Amount;Cost\nGuard;5;1\nPriest;2;2\nBaron;1;3\n",
    "semicolons and Anzahl, of a German Excel": "Name;Anzahl;Cost\nGuard;5;1\nPriest;2;2\nBaron;1;3\n",
    "Kopien": "Name;Kopien;Cost\nGuard;5;1\nPriest;2;2\nBaron;1;3\n",
    "tabs": "Name\tQty\tCost\nGuard\t5\t1\nPriest\t2\t2\nBaron\t1\t3\n",
    "Excel's line with the separator": "sep=;\nName;Qty;Cost\nGuard;5;1\nPriest;2;2\nBaron;1;3\n",
    "a title, an empty row, a total": "Monsters v3,,\n,,\nName,Qty,Cost\nGuard,5,1\n,,\nPriest,2,2\nBaron,1,3\nTotal,8,\n",
    "a sheet that says its own title": "Title,Love Letter,\n,,\nName,Qty,Cost\nGuard,5,1\nPriest,2,2\nBaron,1,3\n",
    "a sum without a word": "Name,Qty,Cost\nGuard,5,1\nPriest,2,2\nBaron,1,3\n,8,6\n",
    "comments and groups": "Name,Qty,Cost\nSOLDIERS,,\nGuard,5,1\n# cut in v2,,\nPriest,2,2\nBaron,1,3\n",
    "x3": "Name,Copies,Cost\nGuard,5x,1\nPriest,x2,2\nBaron,1,3\n",
    "3.0 and 3,0": "Name;Copies;Cost\nGuard;5,0;1,0\nPriest;2;2\nBaron;1;3\n",
    "one row for each copy": "Name,Cost\n" + "Guard,1\n" * 5 + "Priest,2\n" * 2 + "Baron,3\n",
    "words in columns beside": 'Name,Text,Qty,Cost,class\nGuard,"Name a card, then\nguess",5,1,a\nPriest,Look,2,2,b\nBaron,,1,3,\n',
}


@pytest.mark.parametrize("content", HABITS.values(), ids=HABITS)
def test_a_sheet_is_read_as_it_is(tmp_path, content):
    assert triples(sheet(tmp_path, content)) == PLAIN


def test_bytes_of_every_spreadsheet(tmp_path):
    text = "Name,Qty,Cost\nGärtner,5,1\nPriest,2,2\nBaron,1,3\n"
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "cp1252"):
        assert triples(sheet(tmp_path, text, encoding=encoding)) == [("Gärtner", 5, 1), *PLAIN[1:]]


def test_a_workbook(tmp_path):
    rows = [
        ["Name", "Qty", "Cost", "Power %", "Unique"],
        *([*row, 0.5, True] for row in PLAIN),
        ["Total", "=SUM(B2:B4)"],
    ]

    def second(book):
        book.create_sheet("Notes").append(["see rules"])

    table = workbook(tmp_path, rows, change=second)
    assert triples(table) == PLAIN and [row["unique"] for row in table.rows] == [1, 1, 1]
    assert any("first sheet, Sheet" in note and "Notes" in note for note in table.notes)
    assert "decimals" in table.unread["power"] and "D2: 0.5" in table.unread["power"]
    assert triples(workbook(tmp_path, rows, sheet="sheet")) == PLAIN


def test_what_is_read_otherwise_is_said_once(tmp_path):
    table = sheet(tmp_path, "Draft,,\nTitle,Qty,Cost\nGuard,5,\nPriest,-,2\nBaron,1,n/a\nTotal,6,\n")
    assert triples(table) == [("Guard", 5, 0), ("Priest", 0, 2), ("Baron", 1, 0)]
    said = "\n".join(table.notes)
    for part in (
        "read from 'Qty'",
        "read from 'Title'",
        "'Cost' are 0: C3, C5",
        "'Qty' are 0: B4",
        "row 6 (a total)",
        "row 1",
    ):
        assert said.count(part) == 1, (part, said)
    assert sheet(tmp_path, HABITS["as documented"]).notes == []


def test_decimals_with_a_scale(tmp_path):
    text = "Name;Qty;Weight\nGuard;5;1,25\nPriest;2;,5\nBaron;1;3\nCrow;1;-0,5\n"
    assert [row["weight"] for row in sheet(tmp_path, text, scale={"weight": 100}).rows] == [125, 50, 300, -50]
    with pytest.raises(SheetError, match="C2: 1,25 in units of 1/10"):
        sheet(tmp_path, text, scale={"weight": 10})
    with pytest.raises(SheetError, match="scale contains wait"):
        sheet(tmp_path, text, scale={"wait": 10})


def test_a_column_is_named_where_it_is_called_otherwise(tmp_path):
    text = "Ref,#,Cost\nGuard,1,1\nPriest,2,2\nBaron,3,3\n"
    assert triples(sheet(tmp_path, text, name="ref", copies="#")) == [
        ("Guard", 1, 1),
        ("Priest", 2, 2),
        ("Baron", 3, 3),
    ]
    with pytest.raises(SheetError, match=r"no column 'Anzal'.*Ref, #, Cost"):
        sheet(tmp_path, text, name="Ref", copies="Anzal")


MISTAKES = {
    "no name": ("Ref,Qty\nGuard,5\n", 'A1: no column of names: rename the column with the names to "name"'),
    "a numbering or copies": ("Name,#\nGuard,1\nPriest,2\nBaron,3\n", "B1: '#' counts up"),
    "copies in words": ("Name,Qty\nGuard,five\n", "B2: 'five' is not a number of copies"),
    "half a copy": ("Name,Qty\nGuard,2.5\n", "B2: '2.5' is not a number of copies"),
    "fewer than none": ("Name,Qty\nGuard,-2\n", "B2: -2 copies"),
    "a name twice": ("Name,Qty\nGuard,2\nPriest,1\nguard,1\n", "A4: 'guard' is also in row 2"),
    "a card twice with other values": ("Name,Cost\nGuard,2\nGuard,1\n", "A3: 'Guard' is also in row 2, with other"),
    "no name in a row": ("Name,Qty,Cost\nGuard,2,1\n,3,1\n", "A3: the card has no name"),
    "a formula that fails": ("Name,Qty,Cost\nGuard,2,#REF!\n", "C2: #REF!: its formula has an error"),
    "a heading twice": ("Name,Qty,Cost,cost\nGuard,2,1,1\n", "D1: 'cost' is also the heading of column C"),
    "empty": ("\n,,\n", "cards.csv: the file is empty"),
    "headings alone": ("Name,Qty\n", "no cards below the headings in row 1"),
}


@pytest.mark.parametrize(("content", "said"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_one_line_with_its_cell(tmp_path, content, said):
    with pytest.raises(SheetError) as error:
        sheet(tmp_path, content)
    assert said in str(error.value) and "\n" not in str(error.value)


def test_columns_that_hold_no_numbers_say_why(tmp_path):
    table = sheet(tmp_path, 'Name,Cost,Gold,Deck,Year\nGuard,3*,"1,000",,1.5\nPriest,2,2,,2\n')
    assert "contains words (B2: '3*')" in table.unread["cost"]
    assert "thousands separators or decimals (C2: 1,000)" in table.unread["gold"]
    assert table.unread["deck"].endswith("is empty") and "decimals" in table.unread["year"]


def merge(book):
    book.active.merge_cells("C2:C3")


BROKEN = {
    "a formula without a value": (
        [["Name", "Qty", "Cost"], ["Guard", 5, "=1+1"]],
        None,
        "Sheet!C2: its formula has no saved value",
    ),
    "a total without a label": (
        [["Name", "Qty", "Cost"], ["Guard", 5, 1], [None, "=SUM(B2:B2)", None]],
        None,
        "Sheet!B3: its formula has no saved value",
    ),
    "merged cells": (
        [["Name", "Qty", "Cost"], ["Guard", 5, 1], ["Priest", 2, 2]],
        merge,
        "Sheet!C3: part of the merged cells C2:C3",
    ),
    "merged names": (
        [["Name", "Qty"], ["Guard", 5], [None, 2]],
        lambda book: book.active.merge_cells("A2:A3"),
        "Sheet!A3: part of the merged cells A2:A3",
    ),
}


@pytest.mark.parametrize(("rows", "change", "said"), BROKEN.values(), ids=BROKEN)
def test_a_cell_of_a_workbook_without_a_value_of_its_own(tmp_path, rows, change, said):
    with pytest.raises(SheetError) as error:
        workbook(tmp_path, rows, change=change)
    assert said in str(error.value) and "\n" not in str(error.value)


def test_no_such_sheet_and_no_workbook(tmp_path):
    with pytest.raises(SheetError, match=r"cards.xlsx: no sheet 'Monster'; choose from: Sheet"):
        workbook(tmp_path, [["Name"], ["Guard"]], sheet="Monster")
    with pytest.raises(SheetError, match=r"cards.csv: only workbooks"):
        sheet(tmp_path, "Name\nGuard\n", sheet="Monsters")
    with pytest.raises(SheetError, match=r"cards.xlsx: not a complete workbook"):
        sheet(tmp_path, "Name\nGuard\n", file="cards.xlsx")


def test_the_sheet_with_names_is_read_if_the_first_has_none(tmp_path):
    """The first sheet of a designer's workbook was a note: its text was proposed as the column of names."""

    def with_note(book):
        book.create_sheet("Read me", 0)["A1"] = "Rules: see wiki"

    table = workbook(tmp_path, [["Name", "Qty"], ["Guard", 5]], change=with_note)
    assert [card["name"] for card in table.rows if card["copies"] == 5] == ["Guard"]
    assert "cards.xlsx: read from its sheet Sheet, with card names; other sheets: Read me" in table.notes

    def with_two(book):
        with_note(book)
        book.create_sheet("Loot").append(["Name"])

    with pytest.raises(SheetError, match=r'; or choose a sheet: Deck\("cards.xlsx", sheet="Sheet"\)'):
        workbook(tmp_path, [["Name", "Qty"], ["Guard", 5]], change=with_two)


GAME = """
from bartizan.short import *

deck = Deck("cards.xlsx")
hand = Hand(deck)
discards = Pile(deck)
points = Tokens()


def setup(s, n):
    deal(s, s.deck, s.hand, 1)


def play(s, n, card: hand):
    s.points[0] += n.{column}[card]
    discard(s.hand[0], card, s.discards)
    win(s, 0, "played")
"""


def short_game(tmp_path, column):
    book = openpyxl.Workbook()
    for row in (["Name", "Qty", "Attack Power", "Weight"], ["Imp", 4, 1, 1.5], ["Orc", 3, -2000, 2], ["Total", 7]):
        book.active.append(row)
    book.save(tmp_path / "cards.xlsx")
    (tmp_path / "cards.py").write_text(GAME.format(column=column))
    return load_game(str(tmp_path / "cards.py"))


def test_a_game_of_a_workbook_says_what_its_results_rest_on(tmp_path):
    game = short_game(tmp_path, "attack_power")
    scenario = load_scenario(game, None, None, {"deck.imp.copies": "0"})
    assert scenario.model.deck["imp"].copies == 0 and scenario.model.deck["orc"].attack_power == -2000
    assert [line for line in scenario.model.assumptions() if "read from 'Qty'" in line]


SPELLED = {
    "as keys": "deck.imp.copies",
    "as the sheet has it": "deck.Imp.Qty",
    "a column without its heading": "Deck.IMP.copies",
    "a deck left out is named": "imp.qty",
    "a card that is not there": "deck.Omp.Qty",
    "a column that is not there": "deck.Imp.Atack Power",
}
NEAREST = {
    "imp.qty": 'did you mean "deck.imp.qty"',
    "deck.Omp.Qty": 'did you mean "Imp"',
    "deck.Imp.Atack Power": 'no "Atack Power" under deck.imp; did you mean "Attack Power"',
}


@pytest.mark.parametrize("path", SPELLED.values(), ids=SPELLED)
def test_numbers_by_the_names_of_the_sheet(tmp_path, path):
    game = short_game(tmp_path, "attack_power")
    if path in NEAREST:
        with pytest.raises(UsageError) as error:
            load_scenario(game, None, None, {path: "0"})
        assert NEAREST[path] in str(error.value) and str(error.value).startswith(str(tmp_path / "cards.py"))
    else:
        scenario = load_scenario(game, None, None, {path: "0"})
        assert scenario.overrides == {"deck.imp.copies": 0}
        assert names_of(game, scenario) == [["deck.imp.copies", "Imp, Qty"]]


def test_a_name_that_two_cards_have_without_case_and_signs(tmp_path):
    data = {"deck": {"a_b": {"name": "A-B", "copies": 1}, "ab": {"name": "Ab", "copies": 1}}}
    assert path_meant("deck.ab.copies", data) == "deck.ab.copies"
    assert path_meant("Deck.A_B.Copies", {"deck": {"a_b": data["deck"]["a_b"]}}) == "deck.a_b.copies"
    with pytest.raises(UsageError, match=r"is ambiguous: write deck.a_b.copies or deck.ab.copies"):
        path_meant("Deck.A-B.copies", data)
    with pytest.raises(UsageError, match=r"deck.ab.copies is set twice"):
        by_path({"deck.ab.copies": 1, "Deck.Ab.Copies": 2}, {"deck": {"ab": data["deck"]["ab"]}})
    dotted = {"deck": {"dr_no": {"name": "Dr. No", "cost": 1}}, "headings": {"deck": {"cost": "Kosten (€)"}}}
    assert path_meant("deck.Dr. No.Kosten (€)", dotted) == "deck.dr_no.cost"
    assert called("deck.dr_no.cost", dotted) == "Dr. No, Kosten (€)"


def test_every_question_takes_the_names_of_the_sheet(tmp_path):
    game = short_game(tmp_path, "attack_power")
    request = Request(str(tmp_path / "cards.py"), sets={"deck.IMP.Qty": "3"})
    assert request.values == {"deck.imp.copies": "3"} and request.loaded.model.deck["imp"].copies == 3
    effort = Effort(10, 1, None)
    (row,) = sides_of(request, effort, {"Deck.Orc.Attack Power": "5"}).changed
    assert (row["path"], row["what"]) == ("deck.orc.attack_power", "Orc, Attack Power")
    loaded = load_scenario(game)
    assert {knob.path for knob in knobs_in_question(game, loaded, False, ["deck.ORC"])} == {
        "deck.orc.copies",
        "deck.orc.attack_power",
    }
    for assumed, why in ((True, "remove --assumed"), (False, "it has no numbers or rulings")):
        with (
            mock.patch("bartizan.api.answers.sensitivity.knobs_of", return_value=[]),
            pytest.raises(UsageError, match=rf"^{game.name}: nothing to vary: .*{why}"),  # also for `tune`
        ):
            knobs_in_question(game, loaded, assumed, [])
    swept = plan_of_request(request, (), {"deck.Orc.Qty": "1,2"}, effort)
    assert [dict(cell.sets)["deck.orc.copies"] for cell in swept.cells] == ["1", "2"]


def test_its_deck_is_listed(tmp_path):
    game = short_game(tmp_path, "attack_power")
    scenario = load_scenario(game)
    rows = cards_of(game).table(scenario)
    assert [(row.name, row.copies, row.does) for row in rows] == [
        ("Imp", 4, "attack power 1"),
        ("Orc", 3, "attack power -2000"),
    ]
    assert cards_of(game).kinds(scenario) == {0: "Imp", 1: "Orc"}


def test_a_rule_that_reads_no_number_is_told_why(tmp_path):
    with pytest.raises(
        UsageError, match=r"cards.py:15: n.weight: .*'Weight' of cards.xlsx contains decimals \(D2: 1.5\)"
    ):
        short_game(tmp_path, "weight")
    with pytest.raises(UsageError, match=r'n.Attack_Power: no such number; did you mean "attack_power"'):
        short_game(tmp_path, "Attack_Power")


@pytest.mark.parametrize(
    ("content", "encoding", "said"),
    [
        ("name,copies\nGuard,50%\n", "utf-8", "cards.csv, B2: '50%' is not a number of copies"),
        (f"name,copies\nGuard,{'9' * 5000}\n", "utf-8", "cards.csv, B2: '9999"),
        ("name,copies\n！,5\n", "shift-jis", "byte 13 is not text in UTF-8 or cp1252; save the sheet as CSV (UTF-8)"),
    ],
)
def test_no_value_is_changed_on_its_way_in(tmp_path, content, encoding, said):
    with pytest.raises(SheetError) as caught:
        sheet(tmp_path, content, encoding=encoding)
    assert said in str(caught.value) and len(str(caught.value)) < 200


def test_a_number_of_5000_digits_is_no_number(tmp_path):
    table = sheet(tmp_path, f"name,copies,cost\nGuard,1,{'9' * 5000}\n")
    assert "'cost' of cards.csv contains words" in table.unread["cost"]


def test_a_text_of_utf_16_that_is_cut_is_refused(tmp_path):
    (tmp_path / "cards.csv").write_bytes("name,copies\nGuard,5\n".encode("utf-16")[:-1])
    with pytest.raises(SheetError, match="is not text in utf-16"):
        read_card_sheet(tmp_path / "cards.csv")


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [("cards.xlsx", b"", "an empty file"), ("~$cards.xlsx", b"\x05Alice", "the lock of an open one; give cards.xlsx")],
)
def test_no_workbook_says_what_it_is(tmp_path, file, content, said):
    (tmp_path / file).write_bytes(content)
    with pytest.raises(SheetError) as caught:
        read_card_sheet(tmp_path / file)
    assert said in str(caught.value)


def test_blank_merged_cells_and_blank_sheets_hold_no_cards(tmp_path):
    def change(book):
        book.active.merge_cells("A3:C5")
        book.create_sheet("Notes", 0)

    assert triples(workbook(tmp_path, [["name", "copies", "cost"], ["Guard", 5, 1]], change)) == [("Guard", 5, 1)]


def test_a_number_of_a_workbook_has_its_own_decimal_mark_and_percent(tmp_path):
    """A number is no text: three digits behind its point are no thousands, whatever its format."""

    def change(book):
        book.active["D2"].number_format = "0%_)"

    rows = [["name", "copies", "weight", "chance"], ["Guard", 5, 1.234, 0.5]]
    table = workbook(tmp_path, rows, change, scale={"weight": 1000})
    assert table.rows == [{"name": "Guard", "copies": 5, "weight": 1234, "chance": 50}]
