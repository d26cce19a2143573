"""Sheets as the tools of designers export them, made after their public descriptions: each is read, or rejected
in one line that names sheet, cell and remedy.
"""

import base64
import io
import json
import re
import sys
import zipfile
import zlib
from datetime import datetime
from pathlib import Path

import openpyxl
import pytest
from openpyxl.styles import Font

from bartizan.analyses.people.sheet import read_sheet
from bartizan.simcore.errors import UsageError
from bartizan.simcore.game import load_game
from bartizan.simcore.scenario.loading import load_scenario
from bartizan.simcore.sheets import read_cells
from bartizan.simcore.short.card_sheet import read_card_sheet
from bartizan.simcore.short.card_table import SheetError
from tests.unit import test_card_sheets

PLAIN = {"Guard": (5, 1), "Priest": (2, 2), "Baron": (1, 3)}


def text(content, encoding="utf-8"):
    return content.encode(encoding)


def workbook(*rows, change=None, title="Sheet1"):
    book = openpyxl.Workbook()
    book.active.title = title
    for row in rows:
        book.active.append(row)
    if change:
        change(book)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


ROWS = [["Guard", 5, 1], ["Priest", 2, 2], ["Baron", 1, 3]]


def titled(book):
    """A title over merged cells, a notes column, a frozen heading in bold, a total that was never worked out."""
    sheet = book.active
    sheet.merge_cells("A1:D1")
    sheet.freeze_panes = "A3"
    sheet["A2"].font = Font(bold=True)
    sheet.append(["Total", "=SUM(B3:B5)"])
    book.create_sheet("Changes").append(["v2: Guard from 6 to 5"])


def opendocument(*rows, before=""):
    """A sheet as LibreOffice saves it, no more than readers need. A cell that begins with < is written as it is.

    before: styles, and other sheets.
    """

    def cell(value):
        if str(value).startswith("<"):
            return value
        if isinstance(value, str):
            return f'<table:table-cell office:value-type="string"><text:p>{value}</text:p></table:table-cell>'
        kind = f'office:value-type="float" office:value="{value}"'
        return f"<table:table-cell {kind}><text:p>{value}</text:p></table:table-cell>"

    lines = "".join(f"<table:table-row>{''.join(map(cell, row))}</table:table-row>" for row in rows)
    name = "urn:oasis:names:tc:opendocument:xmlns"
    spaces = " ".join(f'xmlns:{short}="{name}:{short}:1.0"' for short in ("office", "table", "text", "style"))
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document-content {spaces}>'
        f'<office:automatic-styles><style:style style:name="off"><style:table-properties table:display="false"/>'
        f"</style:style></office:automatic-styles><office:body><office:spreadsheet>{before}"
        f'<table:table table:name="Cards">{lines}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", content)
        archive.writestr("META-INF/manifest.xml", "<manifest:manifest/>")
    return file.getvalue()


def worked_out(data, **cells):
    """A workbook with the values of its formulas. cells: name -> (type, value)."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(file, "w") as target:
        for name in source.namelist():
            part = source.read(name).decode()
            for cell, (kind, value) in cells.items() if name.endswith("sheet1.xml") else ():
                part = re.sub(f'r="{cell}"><f>(.*?)</f><v ?/>', rf'r="{cell}" t="{kind}"><f>\1</f><v>{value}</v>', part)
            target.writestr(name, part)
    return file.getvalue()


def hidden(book):
    """The first sheet and a row of the second are hidden, another is struck through."""
    book.active.sheet_state = "hidden"
    deck = book.create_sheet("Deck")
    for row in (["Name", "Qty", "Cost"], *ROWS):
        deck.append(row)
    deck.row_dimensions[3].hidden = True
    for cell in deck[4]:
        cell.font = Font(strike=True)


def in_percent(book):
    for cell in book.active["C"]:
        cell.number_format = "0%"


def grouped(book):
    """A heading of a group over merged cells."""
    book.active.insert_rows(3)
    book.active["A3"] = "UNITS"
    book.active.merge_cells("A3:C3")


def saved_object(cards, **deck):
    """A saved object of Tabletop Simulator. cards: (name, number) a card."""
    contained = [
        {"Name": "Card", "Nickname": name, "Description": "", "CardID": number, "CustomDeck": {"1": {}}}
        for name, number in cards
    ]
    one = {"Name": "DeckCustom", "Nickname": "", "DeckIDs": [n for _, n in cards], "ContainedObjects": contained}
    return json.dumps({"SaveName": "", "ObjectStates": [one | deck]}).encode()


def sheet(file, content, *expected, **options):
    """A case: a file, its bytes, options of Deck, and what is expected of it."""
    return file, content, options, *expected


def csv(content, *expected, encoding="utf-8", **options):
    return sheet("cards.csv", text(content, encoding), *expected, **options)


CARDS = [("Guard", 100)] * 5 + [("Priest", 101)] * 2 + [("Baron", 102)]
# tool and habit -> (file, its bytes, options of Deck)
SHEETS = {
    "Google Sheets, published CSV: boxes to tick, a text of several lines": csv(
        'Name,Copies,Cost,Unique,Rules\r\nGuard,5,1,FALSE,"Guess,\nthen ""peek"""\r\n'
        "Priest,2,2,TRUE,\r\nBaron,1,3,FALSE,\r\n"
    ),
    "Google Sheets, tab-separated download": sheet(
        "cards.tsv", text("Name\tQty\tCost\nGuard\t5\t1\nPriest\t2\t2\nBaron\t1\t3")
    ),
    "Dextrous: Copies, a column for each zone, columns of its own": csv(
        "Copies,name,cost,{art},Notes to self\n5,Guard,1,g.png,weak?\n2,Priest,2,p.png,\n1,Baron,3,b.png,ask Anna\n"
    ),
    "nanDECK: COUNT first, semicolons, no heading of the last column": csv(
        "COUNT;TITLE;COST;\n5;Guard;1;\n2;Priest;2;\n1;Baron;3;see FAQ\n", encoding="cp1252"
    ),
    "Squib: Qty in the third sheet of a workbook": sheet(
        "deck.xlsx",
        workbook(
            ["see Deck"],
            change=lambda book: (
                book.create_sheet("Art"),
                [book.create_sheet("Deck").append(row) for row in [["Type", "Title", "Qty", "Cost"]]],
                [book["Deck"].append(["unit", *row]) for row in ROWS],
            ),
        ),
        sheet="Deck",
    ),
    "Component.Studio: lower-case keys, quantity, colours": csv(
        '"name","quantity","cost","color"\n"Guard","5","1","#aa0000"\n"Priest","2","2","#00aa00"\n"Baron","1","3",""\n'
    ),
    "Tabletop Creator: item amount, panels with colons": sheet(
        "items.csv",
        text("Item Name;Item Amount;Cost;Art:Visible\nGuard;5;1;True\nPriest;2;2;True\nBaron;1;3;False\n", "utf-8-sig"),
    ),
    "Cider: ID, Name, Count, templates": csv(
        "ID,Name,Count,Front Template,Back Template,Cost\n1,Guard,5,unit,back,1\n"
        "2,Priest,2,unit,back,2\n3,Baron,1,unit,,3\n"
    ),
    "CardPen: count last, style columns": csv(
        "title,cost,class,count\nGuard,1,red,5\nPriest,2,,2\nBaron,3,red big,1\n"
    ),
    "Multideck: tabs, old Mac line ends": sheet(
        "cards.txt", text("Title\tCount\tCost\rGuard\t5\t1\rPriest\t2\t2\rBaron\t1\t3\r")
    ),
    "Tabletopia list: one row a card, no copies": sheet(
        "objects.csv", text("Title,Cost\n" + "Guard,1\n" * 5 + "Priest,2\n" * 2 + "Baron,3\n")
    ),
    "Airtable: byte order mark, checked boxes, attachments": sheet(
        "Grid view.csv",
        text(
            "Name,Qty,Cost,Promo,Art\nGuard,5,1,checked,g.png (https://example.com/g)\n"
            'Priest,2,2,,"a.png, b.png"\nBaron,1,3,,\n',
            "utf-8-sig",
        ),
    ),
    "Notion: Yes and No, links, an untouched column": sheet(
        "Cards 1f3a.csv",
        text(
            "Name,Amount,Cost,Starter,Rules,Tags\nGuard,5,1,Yes,Page (https://example.com),\n"
            "Priest,2,2,No,,\nBaron,1,3,No,,\n",
            "utf-8-sig",
        ),
    ),
    "Numbers: the name of the table above, semicolons": csv(
        "Tabelle 1\nKarte;Anzahl;Cost\nGuard;5;1\nPriest;2;2\nBaron;1;3\n;;\n"
    ),
    "Excel, German: semicolons, decimal commas, Windows letters": sheet(
        "karten.csv", text("Karte;Menge;Cost;Größe\nGuard;5;1;2,5\nPriest;2;2;3,0\nBaron;1;3;1,75\n", "cp1252")
    ),
    "Excel, Unicode text: UTF-16, tabs": sheet(
        "cards.txt", text("Name\tQuantity\tCost\r\nGuard\t5\t1\r\nPriest\t2\t2\r\nBaron\t1\t3\r\n", "utf-16")
    ),
    "Excel workbook: a title over merged cells, notes, a total, two sheets": sheet(
        "cards.xlsx",
        workbook(["Monsters, v3"], ["Name", "Qty", "Cost", "Notes"], *([*row, "ok"] for row in ROWS), change=titled),
    ),
    "Excel workbook saved by a script: numbers as text": sheet(
        "cards.xlsx", workbook(["Name", "Copies", "Cost"], *([str(cell) for cell in row] for row in ROWS))
    ),
    "LibreOffice CSV: every cell in quotes": csv(
        '"Name","Copies","Cost"\n"Guard","5","1"\n"Priest","2","2"\n"Baron","1","3"\n'
    ),
    "copies in other words, a section in the middle, a count of all": csv(
        "Card,# in deck,Cost\nUNITS,,\nGuard,5x,1\nPriest,x2,2\nLEADERS,,\nBaron,1,3\nTotal cards: 8,8,\n"
    ),
    "Tabletop Simulator CSV: Nickname": sheet(
        "deck.csv", text("Nickname,Description,Quantity,Cost\nGuard,,5,1\nPriest,,2,2\nBaron,last,1,3\n")
    ),
}
WITHOUT_COST = {
    "Tabletop Simulator, a saved deck": sheet("deck.json", saved_object(CARDS)),
    "Tabletop Simulator, one of two decks, names in colour": sheet(
        "game.json",
        json.dumps(
            {
                "ObjectStates": [
                    {
                        "Name": "Bag",
                        "ContainedObjects": json.loads(saved_object([("Coin", 1)] * 2, Nickname="Loot"))[
                            "ObjectStates"
                        ],
                    },
                    *json.loads(saved_object([(f"[b]{name}[/b]", n) for name, n in CARDS], Nickname="Units"))[
                        "ObjectStates"
                    ],
                ]
            }
        ).encode(),
        sheet="units",
    ),
}


# habit -> (file, its bytes, options, the cards: name, copies, and the one column of numbers)
HABITS = {
    "boxes and formulas filled down below the last card": csv(
        "Name,Qty,Cost,Done\nGuard,5,1,TRUE\nPriest,2,2,FALSE\n" + ",,0,FALSE\n" * 9,
        {"Guard": (5, 1), "Priest": (2, 2)},
    ),
    "formulas that give an empty text, filled down": sheet(
        "cards.xlsx",
        worked_out(
            workbook(["Name", "Qty", "Cost"], ["Guard", 5, "=1+1"], [None, None, '=IF(A3="","",1)']),
            C2=("n", "2"),
            C3=("str", ""),
        ),
        {"Guard": (5, 2)},
    ),
    "a hidden sheet, a hidden row, a row struck through": sheet("cards.xlsx", workbook(["old"], change=hidden), PLAIN),
    "a heading of a group over merged cells": sheet(
        "cards.xlsx", workbook(["Name", "Qty", "Cost"], *ROWS, change=grouped), PLAIN
    ),
    "percent in a workbook": sheet(
        "cards.xlsx",
        workbook(["Name", "Qty", "Chance"], ["Guard", 5, 0.5], ["Priest", 2, 1], change=in_percent),
        {"Guard": (5, 50), "Priest": (2, 100)},
    ),
    "the noise of binary fractions": sheet(
        "cards.xlsx",
        workbook(["Name", "Qty", "Cost"], ["Guard", 5, 0.1 * 3 * 10], ["Priest", 2, 2.0000000000000004]),
        {"Guard": (5, 3), "Priest": (2, 2)},
    ),
    "three decimals, beside one that leaves no doubt": sheet(
        "cards.xlsx",
        workbook(["Name", "Qty", "Weight"], ["Guard", 5, 1.125], ["Priest", 2, 2.5]),
        {"Guard": (5, 1125), "Priest": (2, 2500)},
        scale={"weight": 1000},
    ),
    "units behind numbers": csv(
        "Name,Qty,Cost\nGuard,5 pcs,3 gold\nPriest,2 pcs,\n", {"Guard": (5, 3), "Priest": (2, 0)}
    ),
    "currency": csv("Name;Qty;Price\nGuard;5;3,00 €\nPriest;2;1\u202f000 €\n", {"Guard": (5, 3), "Priest": (2, 1000)}),
    "a typographic minus": csv("Name,Qty,Cost\nGuard,5,−2\nPriest,2,1\n", {"Guard": (5, -2), "Priest": (2, 1)}),
    "boxes in German": sheet(
        "karten.csv",
        text("Karte;Anzahl;Einmalig\nGuard;5;WAHR\nPriest;2;FALSCH\n"),
        {"Guard": (5, 1), "Priest": (2, 0)},
    ),
    "marks with an x": csv("Name,Qty,Royal\nGuard,5,\nPriest,2,x\n", {"Guard": (5, 0), "Priest": (2, 1)}),
    "copies per deck, and an amount that is not copies": csv(
        "Name,Amount,Number of copies\nGuard,10,5\nPriest,20,2\n", {"Guard": (5, 10), "Priest": (2, 20)}
    ),
    "copies in a longer heading": csv("Name,Qty per deck,Cost\nGuard,5,1\n", {"Guard": (5, 1)}),
    "Nombre is a number in French and a name in Spanish": sheet(
        "cartes.csv", text("Nom;Nombre;Coût\nGuard;5;1\n"), {"Guard": (5, 1)}
    ),
    "Spanish": sheet("cartas.csv", text("Nombre;Cantidad;Coste\nGuard;5;1\n"), {"Guard": (5, 1)}),
    "a title as wide as the headings": csv("Love Letter,v3\nName,Cost\nGuard,1\n", {"Guard": (1, 1)}),
    "a total in decimals, with a unit": csv(
        "Name,Qty,Cost\nGuard,5.00 pcs,1\nPriest,2.00 pcs,2\nTotal,7.00 pcs,\n", {"Guard": (5, 1), "Priest": (2, 2)}
    ),
    "averages under a total": csv(
        "Name,Qty,Cost\nGuard,4,1\nPriest,2,3\nTotal,6,4\nAverage,3,2\nMax,4,3\n", {"Guard": (4, 1), "Priest": (2, 3)}
    ),
    "a total on top without a name": csv(
        "Name,Qty,Cost\n,6,\nGuard,2,1\nBaron,4,3\n", {"Guard": (2, 1), "Baron": (4, 3)}
    ),
    "a total on top, subtotals, a card called Total Eclipse": csv(
        "Name,Qty,Cost\nTotal,6,\nGuard,1,1\nTotal Eclipse,1,2\nSubtotal,2,\nBaron,4,3\nSubtotal,4,\n",
        {"Guard": (1, 1), "Total Eclipse": (1, 2), "Baron": (4, 3)},
    ),
    "the headings again": csv("Name,Cost\nGuard,1\n,\nName,Cost\nPriest,2\n", {"Guard": (1, 1), "Priest": (1, 2)}),
    "names of emoji, of signs, with invisible signs": csv(
        "Name,Qty,Cost\n🐉,5\u200b,1\nAttack +1,2,2\nAttack -1,1,3\n\u00a0High\u00a0Priest ,1,4\n",
        {"🐉": (5, 1), "Attack +1": (2, 2), "Attack -1": (1, 3), "High Priest": (1, 4)},
    ),
    "a blank before a quoted text": csv('Name, Qty, Text, Cost\nGuard, 5, "Look, then draw", 1\n', {"Guard": (5, 1)}),
    "UTF-16 without a mark": sheet("cards.txt", text("Name\tQty\tCost\nGuard\t5\t1\n", "utf-16-le"), {"Guard": (5, 1)}),
    "UTF-32": csv("Name,Qty,Cost\nGuard,5,1\n", {"Guard": (5, 1)}, encoding="utf-32"),
    "a very long text": csv(f'Name,Qty,Cost,Text\nGuard,5,1,"{"a" * 200_000}"\n', {"Guard": (5, 1)}),
    "a number of another table, too large for rules": csv(
        "Name,Qty,Cost,ISBN\nGuard,5,1,9783161484100\n", {"Guard": (5, 1)}
    ),
}


@pytest.mark.parametrize(("file", "content", "options", "cards"), HABITS.values(), ids=HABITS)
def test_a_habit_is_read_right(tmp_path, file, content, options, cards):
    table = read_card_sheet(written(tmp_path, file, content), **options)
    found = {}
    for row in table.rows:
        name, copies, *others = row.values()
        found[name] = (copies, next(value for value in others if type(value) is int))
    assert found == cards


def test_what_is_read_of_hidden_cards_and_units_is_said(tmp_path):
    file, content, *_ = HABITS["a hidden sheet, a hidden row, a row struck through"]
    notes = "\n".join(read_card_sheet(written(tmp_path, file, content)).notes)
    assert "hidden in the workbook: row 3" in notes and "struck through in the workbook: row 4" in notes
    file, content, *_ = HABITS["units behind numbers"]
    assert any(
        "'Cost' is read without 'gold'" in note for note in read_card_sheet(written(tmp_path, file, content)).notes
    )
    almost = written(tmp_path, "almost.csv", text("Name,Cost\nGuard,3*\nPriest,2\n"))
    assert any("'Cost' contains words (B2: '3*')" in note for note in read_card_sheet(almost).notes)


def test_names_of_signs_are_cards_of_a_game(tmp_path):
    """No two have one key, and a word that two names give is no constant."""
    written(tmp_path, *HABITS["names of emoji, of signs, with invisible signs"][:2])
    (tmp_path / "game.py").write_text(GAME)
    game = load_game(str(tmp_path / "game.py"))
    deck = load_scenario(game).model.deck
    assert list(deck) == ["card", "attack_1", "attack_1_2", "high_priest"] and deck["attack_1_2"].cost == 3
    (tmp_path / "game.py").write_text(GAME.replace("n.cost[card]", "ATTACK_1"))
    with pytest.raises(UsageError, match="ATTACK_1"):
        load_game(str(tmp_path / "game.py"))


GAME = test_card_sheets.GAME.replace("cards.xlsx", "cards.csv").replace("{column}", "cost")


def written(tmp_path, file, content) -> Path:
    path = tmp_path / file
    path.write_bytes(content)
    return path


def test_there_are_twenty_sheets():
    assert len(SHEETS) + len(WITHOUT_COST) >= 20 and len(REJECTED) >= 5


@pytest.mark.parametrize(("file", "content", "options"), SHEETS.values(), ids=SHEETS)
def test_a_sheet_of_a_tool_is_read(tmp_path, file, content, options):
    table = read_card_sheet(written(tmp_path, file, content), **options)
    assert {row["name"]: (row["copies"], row["cost"]) for row in table.rows} == PLAIN


@pytest.mark.parametrize(("file", "content", "options"), WITHOUT_COST.values(), ids=WITHOUT_COST)
def test_a_deck_of_tabletop_simulator_is_read(tmp_path, file, content, options):
    table = read_card_sheet(written(tmp_path, file, content), **options)
    assert {row["name"]: row["copies"] for row in table.rows} == {name: n for name, (n, _) in PLAIN.items()}
    assert table.notes == []


def test_a_workbook_of_libreoffice(tmp_path):
    """A hidden sheet is not read, and what is no plain number is read as in Excel."""
    hidden = (
        '<table:table table:name="Old" table:style-name="off"><table:table-row><table:table-cell>'
        "<text:p>Name</text:p></table:table-cell></table:table-row></table:table>"
    )
    path = written(tmp_path, "cards.ods", opendocument(["Name", "Copies", "Cost"], *ROWS, before=hidden))
    assert {row["name"]: (row["copies"], row["cost"]) for row in read_card_sheet(path).rows} == PLAIN
    odd = (
        '<table:table-cell office:value-type="time" office:time-value="PT01H30M00S"/>',
        '<table:table-cell office:value-type="percentage" office:value="0.5"/>',
        '<table:table-cell table:number-columns-repeated="2"/>',
        "<table:table-cell><text:p>a<text:s/><text:span>b</text:span></text:p></table:table-cell>",
    )
    sheet = read_cells(written(tmp_path, "odd.ods", opendocument(odd)))
    assert sheet.rows == [["01:30:00", "50%", "", "", "a b"]]
    spanned = '<table:table-cell office:value-type="float" office:value="3" table:number-rows-spanned="2"/>'
    rows = ["Name", "Cost"], ["Axe", spanned], ["Bow", "<table:covered-table-cell/>"]
    with pytest.raises(SheetError, match=r"Cards!B3.*merged cells B2:B3.*unmerge"):
        read_card_sheet(written(tmp_path, "merged.ods", opendocument(*rows)))


OLD_WORKBOOK = (  # written by xlwt: a hidden sheet `Old`, then `Cards` from B3; compressed
    "c-rk)T}V_x6h3o*_Rqi7R!IX{gse;-qL&J6%P1crQ(uw@YV~fp=<dp{2KG>v?PC!1RP-WP(2E&FKU7k0LV;015CmHE)KgRtq;B7wdv{yc"
    "4HQza?pfx{d}q$gId{&vGqd;QRO$4{ovIniq1~j?e9BFZESW%Yr-7HypGwJQx^|(YY+6&~b|H`sogNjvaLO3Uc+ZeR<JvQDq7Nv?sE=A="
    "(U5-?sfm3E3h6_m(2#oyT}LUVO7^Rac^C6_%x|;qW9EBUa*25(bf?8pnhLbk?XdE=L#g4uVsJtCdCWVOY@>3TlzDvavM_aZ+8YlCd;gOT"
    "*W!+9t&m0u+0h(|hT;;J&<*ks4T2gXkp{!4);x3*`qbUMD-xL|AM$9FzNh>|-_je#Q@<@=UAZ90e=L+c{~&i^XU`{hBh>liGT!;*1$pMb"
    "qG&`zlsX~g+m?jRPfg~RN{4%mBo$E`pE5e_3&xGaECnGVDnx-=G#Ck?yDQcg4kdtNhLKQ-jNl+Ze>f5XI2nvPB<Si18Gwm_2vV_m0JA~d"
    "8pptX2%3WNSQLW}hNGuE@+jl2&%0pjE8-2I5Zs^=ZkO`5;Kc&X-um+DP-ko4I7^23xHAvMjq(90Md#%R3@*;}n7ochY-N6dXWhW<D&{^s"
    "IqKTha;tG*m~}34Z!PR>XL=pjl-1shcJg!EgX-kRz!tQ}nrF`V#@+@-s0KkZFkb$Ksb18JYgZ*b45VveZJ+O%S1#I0U5eN8J!PHzB{V1B"
    "cu=W%Jy6Q%o>awF`<qsJRTb-!A@~}y7FSi_E7ZbOHP=Iui4-7_L8`S@Cenb^4AOzL3~~VJ8RP_VWRMHUY5Ab$@j+!D<k~)=^+3{x3O;6^"
    "v;XaHq-_;3P+`Mo#d|zpN~GnEop&csPkasNiVG4aKZDt3+d^8FzN$HvHMT6{c~+4~TJ~6;>N)xom`i7U!P+`&J1lKkD><_}pjn=o&zYs+"
    "w=|qQUjZbafCN0yImVpflrO_=vdJc!Y_e(1li(wf_)?(pCEUESIj!$Hb13unXOe%G+9`%#KmM`przq+;4K6ExDo7XUxx^C3q`wzRIs)r)"
    ">Y+~dqi5Oqiz~Otex4-{^!~k9Xu0<1m*eLO+y4d9MnkI"
)


def test_an_old_workbook_is_read_as_a_new_one(tmp_path):
    """Also its hidden sheet, percentages, errors, merged cells, and rows that seem to be excluded."""
    path = written(tmp_path, "cards.xls", zlib.decompress(base64.b85decode(OLD_WORKBOOK)))
    found = read_cells(path)
    heads = ["name", "copies", "odds", "day", "time", "far", "ticked", "sum"]
    guard = ["Guard", "5", "50%", "2026-11-30", "01:30:00", "1.2340", "TRUE", "#DIV/0!"]
    assert [row[1:] for row in found.rows[2:4]] == [heads, guard] and (found.sheet, found.others) == ("Cards", ("Old",))
    assert found.dimmed == {6: "struck through", 7: "hidden"} and "B5:B6" in found.faults[5, 1]
    with pytest.raises(SheetError, match=r"Cards!B6: part of the merged cells"):
        read_card_sheet(path)
    new = written(tmp_path, "new.xls", workbook(["Name", "Copies", "Cost"], *ROWS))  # only its name is old
    assert {row["name"]: (row["copies"], row["cost"]) for row in read_card_sheet(new).rows} == PLAIN


def test_a_date_that_no_calendar_has_is_an_error_in_an_old_workbook(tmp_path, monkeypatch):
    def overflows(*_):
        raise OverflowError

    monkeypatch.setattr("xlrd.xldate_as_datetime", overflows)
    path = written(tmp_path, "cards.xls", zlib.decompress(base64.b85decode(OLD_WORKBOOK)))
    assert read_cells(path).rows[3][4] == "#VALUE!"


def test_an_old_workbook_without_its_reader(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "xlrd", None)
    with pytest.raises(SheetError, match=r"cards.xls: .*save the sheet as CSV \(UTF-8\)"):
        read_card_sheet(written(tmp_path, "cards.xls", b"\xd0\xcf\x11\xe0"))


def test_a_deck_without_names_is_called_by_its_numbers(tmp_path):
    cards = [("", 100), ("", 100), ("Ace", 101)]
    table = read_card_sheet(written(tmp_path, "deck.json", saved_object(cards)))
    assert [(row["name"], row["copies"]) for row in table.rows] == [("card 100", 2), ("Ace", 1)]
    assert "2 of 3 cards have no name" in table.notes[0]
    bare = json.dumps({"Name": "Deck", "DeckIDs": [200, 201, 200]}).encode()
    table = read_card_sheet(written(tmp_path, "deck.json", bare))
    assert [(row["name"], row["copies"]) for row in table.rows] == [("card 200", 2), ("card 201", 1)]


def test_what_boxes_mean_is_said(tmp_path):
    file, content, _ = SHEETS["Notion: Yes and No, links, an untouched column"]
    table = read_card_sheet(written(tmp_path, file, content))
    assert [row["starter"] for row in table.rows] == [1, 0, 0]
    assert any("'Starter' is read as numbers: Yes as 1 and No as 0" in note for note in table.notes)


# mistake -> (file, its bytes, options, what the line says: where, why, and what to do)
REJECTED = {
    "cards in merged cells": sheet(
        "cards.xlsx",
        workbook(["Name", "Qty", "Cost"], *ROWS, change=lambda book: book.active.merge_cells("C2:C3")),
        ("cards.xlsx, Sheet1!C3", "merged cells C2:C3", "unmerge"),
    ),
    "a formula that was never worked out": sheet(
        "cards.xlsx",
        workbook(["Name", "Qty", "Cost"], ["Guard", 5, "=2*B2"]),
        ("cards.xlsx, Sheet1!C2", "formula has no saved value", "save it"),
    ),
    "a formula that fails": csv("Name,Qty,Cost\nGuard,5,#REF!\n", ("cards.csv, C2", "#REF!", "correct it")),
    "a name twice": csv("Name,Qty\nGuard,5\nGuard,2\n", ("cards.csv, A3", "row 2", "rename one")),
    "a range of copies": csv("Name,Qty\nGuard,4-5\n", ("cards.csv, B2", "'4-5'", "write an integer")),
    "copies with a decimal comma": sheet(
        "karten.csv", text("Karte;Anzahl\nGuard;2,5\n"), ("karten.csv, B2", "2,5", "integer")
    ),
    "no column of names": csv("Ref,Qty\nA1,5\n", ("cards.csv, A1", "no column of names", 'name="Ref"')),
    "a quotation mark that is not closed": csv(
        'Name,Qty,Text,Cost\nGuard,5,"Say hi,1\nPriest,2,Look,2\nBaron,1,"Cmp",3\n',
        ("cards.csv, line 2", "quotation mark", "save the sheet as CSV"),
    ),
    "thousands that the separator cuts": csv(
        "Name,Gold,Cost\nGuard,1,000,3\nPriest,500,2\n",
        ("cards.csv, D2", "more cells than the headings", "put quotation marks"),
    ),
    "a name that became a date": sheet(
        "cards.xlsx",
        workbook(["Name", "Qty"], [datetime(2026, 3, 1), 2]),
        ("cards.xlsx, Sheet1!A2", "2026-03-01 is a date", "format the cell as text"),
    ),
    "copies that became a date": sheet(
        "cards.xlsx",
        workbook(["Name", "Qty"], ["Guard", datetime(2026, 1, 2)]),
        ("cards.xlsx, Sheet1!B2", "'2026-01-02'", "write an integer"),
    ),
    "cards in columns": csv(
        "Name,Guard,Priest\nCopies,5,2\nCost,1,2\n", ("cards.csv, A2", "the cards seem to be columns", "transposed")
    ),
    "a numbering that is called a number": csv(
        "Number,Name\n101,Guard\n102,Priest\n105,Baron\n", ("cards.csv, A1", "copies or a numbering", 'copies="Number"')
    ),
    "copies for two numbers of players": csv(
        "Name,Copies (2p),Copies (4p)\nGuard,2,5\n",
        ("cards.csv, B1", "may both be the column of copies", 'copies="Copies (2p)"'),
    ),
    "copies within names": csv(
        "Card,Cost\nGuard,1\nPriest (x2),2\n",
        ("cards.csv, A3", "seems to contain a number of copies", 'separate column, "copies"'),
    ),
    "a total that is wrong": csv(
        "Name,Qty\nGuard,5\nPriest,2\nTotal,9\n", ("cards.csv, B4", "not the sum", "correct the total")
    ),
    "another table below": csv(
        "Name,Qty\nGuard,5\n,\nToken,Amount\nCoin,20\n", ("cards.csv, A4", "another table", "separate sheet")
    ),
    "a second row of headings": csv(
        "Name,Qty,Stats,\n,,Attack,Defence\nGuard,5,1,2\n", ("cards.csv, A2", "the card has no name")
    ),
    "a heading over two columns": sheet(
        "cards.xlsx",
        workbook(["Name", "Stats"], ["Guard", 5, 1], change=lambda book: book.active.merge_cells("B1:C1")),
        ("cards.xlsx, Sheet1!C1", "merged cells B1:C1", "unmerge"),
    ),
    "a remark below, in a sheet without copies": csv(
        "Name,Cost\nGuard,1\nPriest,2\n,\nPrinted in May,\n",
        ("cards.csv, A5", "'Printed in May' follows an empty row", "begin it with #"),
    ),
    "a word of a heading within a card": csv(
        "Weapon,Kind,Text\nSword,Item,a\nShield,Armour,b\n", ("cards.csv, A1", "no column of names")
    ),
    "a formula in the place of its value": csv("Name,Qty,Cost\nGuard,5,=B2*2\n", ("cards.csv, C2", "formula")),
    "a formula that fails, in German": csv("Name;Qty\nGuard;#BEZUG!\n", ("B2", "correct it")),
    "compressed": sheet("cards.csv", b"\x1f\x8b\x08\x00" + bytes(99), ("cards.csv", "compressed")),
    "no text": sheet("cards.csv", b"Name,Qty\0" * 30, ("cards.csv", "not a text table")),
    "a page that asks to sign in, in the place of the CSV": csv(
        "<!DOCTYPE html><html><head><title>Sign in</title>", ("cards.csv", "web page", "Publish to web")
    ),
    "a Numbers document called CSV": sheet(
        "cards.csv", b"PK\x03\x04\x14\x00", ("cards.csv", "archive", "save the sheet as CSV")
    ),
    "an encrypted workbook": sheet(
        "cards.xlsx",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600),
        ("cards.xlsx", "one with a password; remove its password", "save it as .xlsx"),
    ),
    "a shortcut to a Google sheet": sheet(
        "cards.gsheet",
        text('{"":"WARNING! DO NOT EDIT THIS FILE!","doc_id":"1a2b","resource_key":"","email":"a@example.com"}'),
        ("cards.gsheet", "shortcut", "download it there"),
    ),
    "JSON without a deck": sheet("cards.json", text('{"cards": ["Guard"]}'), ("cards.json", "no deck", "Save Object")),
    "JSON that is cut off": sheet("deck.json", saved_object(CARDS)[:50], ("deck.json", "not valid JSON")),
    "a deck that is not there": sheet(
        "deck.json", saved_object(CARDS, Nickname="Units"), ("deck.json", '"Units"'), sheet="Unit"
    ),
    "two cards of one name": sheet(
        "deck.json",
        json.dumps(
            {"ContainedObjects": [{"CardID": i, "Nickname": "Guard", "Description": str(i)} for i in (1, 2)]}
        ).encode(),
        ("deck.json", "different descriptions", "rename one"),
    ),
}


BOMBS = {
    "a cell far to the right": ('<table:table-cell table:number-columns-repeated="2000000000"/>', "x"),
    "a cell that is repeated": (
        '<table:table-cell table:number-columns-repeated="4000000" office:value-type="float" office:value="1"/>',
    ),
}


@pytest.mark.parametrize("row", BOMBS.values(), ids=BOMBS)
def test_a_workbook_that_would_fill_the_memory_is_rejected(tmp_path, row):
    with pytest.raises(SheetError, match="more than 16,384 columns"):
        read_card_sheet(written(tmp_path, "cards.ods", opendocument(row)))


def test_columns_that_are_merged_as_a_whole_are_as_long_as_the_sheet(tmp_path):
    spanned = '<table:table-cell table:number-rows-spanned="500000000" office:value-type="string"><text:p>Card'
    rows = [f"{spanned}</text:p></table:table-cell>", "n"], ["Guard", 2]
    with pytest.raises(UsageError, match="merged cells A1:A500000000"):
        read_sheet(written(tmp_path, "merged.ods", opendocument(*rows)))


def test_entities_of_xml_are_rejected_wherever_they_are_declared(tmp_path):
    head = b"<!--" + b"x" * 11_000 + b"--><!DOCTYPE a [<!ENTITY a 'b'>]><office:document-content"
    with zipfile.ZipFile(io.BytesIO(opendocument(["Card"], ["Guard"]))) as source:
        content = source.read("content.xml").replace(b"<office:document-content", head, 1)
    with zipfile.ZipFile(tmp_path / "cards.ods", "w") as archive:
        archive.writestr("content.xml", content)
    with pytest.raises(SheetError, match="document type"):
        read_card_sheet(tmp_path / "cards.ods")


@pytest.mark.parametrize(("file", "content", "options", "said"), REJECTED.values(), ids=REJECTED)
def test_a_sheet_that_cannot_be_read_is_rejected_in_one_line(tmp_path, file, content, options, said):
    with pytest.raises(SheetError) as error:
        read_card_sheet(written(tmp_path, file, content), **options)
    line = str(error.value)
    assert all(part in line for part in said) and "\n" not in line and str(tmp_path) not in line, line


def test_a_log_of_plays_has_the_same_faults(tmp_path):
    """A score that was never worked out is no missing score."""
    path = written(tmp_path, "plays.xlsx", workbook(["Play", "Player", "Score"], ["1", "Ada", "=2*3"]))
    with pytest.raises(UsageError, match=r"plays.xlsx, Sheet1!C2: its formula"):
        read_sheet(path)
