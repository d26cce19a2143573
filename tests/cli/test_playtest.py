"""`bartizan playtest`: form, template, import, as a designer types them."""

import re
import tomllib

import pytest

from bartizan import api
from tests.cli.run_cli import PIG, ROOT, bartizan, error_line

GERMAN = """\ufeffZeitstempel;Spielversion;Schwierigkeitsgrad;Name;Überlebt?;Punkte;Letzte Runde;Woran gescheitert?;Dauer (Minuten);Spaß (1-5);Kommentar
23.11.2026 20:15:00;v0.7;Veteran;Anna;ja;7,5;20;;~90 min;5;toll
24.11.2026 19:00;v0.7;Elite;Bernd Müller;Nein;3,0;12;Durchbruch im Hof;1h30;4;
24.11.2026 21:00;v0.7;Veteranen;anna;abgebrochen;;8;;45;3;musste weg
;;;;;;;;;;
25.11.2026;v0.7;Anfänger;Cem;ja;12*;18;;75;4;
"""


@pytest.fixture
def sheet(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "abend.csv").write_text(GERMAN, encoding="utf-8")
    return tmp_path / "abend.csv"


def test_from_a_german_sheet_to_a_folder(sheet):
    result = bartizan("playtest", "template", "abend.csv", "-o", "m.toml", "--game", "itter")
    assert result.code == 0 and "10 of 11 columns guessed" in result.out
    assert "[values.result] 1 word in the file" in result.out
    mapping = tomllib.loads((sheet.parent / "m.toml").read_text(encoding="utf-8"))
    assert mapping["columns"]["result"] == "Überlebt?" and mapping["playtest"]["decimal"] == ","
    assert mapping["values"]["result"] == {"win": ["ja"], "loss": ["Nein"], "draw": [], "unknown": ["abgebrochen"]}
    assert mapping["values"]["level"]["novice"] == ["Anfänger"]
    assert mapping["values"]["level"]["veteran"] == ["Veteran", "Veteranen"]
    following = re.search("Next: bartizan (.*)", result.out)[1].split()
    result = bartizan(*following)
    assert result.code == 0 and "5 rows read = 4 saved + 1 set aside" in result.out
    assert "row 5: an empty row" in result.out
    log = api.playtest_log("plays").filter("kept")
    assert log["score"].to_list() == [7.5, 3.0, None, 12.0]
    assert log["result"].to_list() == ["win", "loss", "unknown", "win"]
    assert log["minutes"].to_list() == [90, 90, 45, 75]
    assert log["level"].to_list() == ["veteran", "elite", "veteran", "novice"]
    assert log["player_key"][0] == log["player_key"][2]
    assert "nothing added: 4 plays already present" in bartizan(*following).out


def test_every_guess_and_every_heading_is_in_the_mapping(sheet):
    bartizan("playtest", "template", "abend.csv", "-o", "m.toml")
    text = (sheet.parent / "m.toml").read_text(encoding="utf-8")
    assert all(f'"{heading}"' in text for heading in GERMAN.lstrip("\ufeff").splitlines()[0].split(";"))
    assert text.count("# guessed from") == len(tomllib.loads(text)["columns"]) and '# not used: "Kommentar"' in text


def test_a_column_of_names_says_who_won_and_no_name_is_shown(sheet):
    (sheet.parent / "w.csv").write_text("Partie;Name;Sieg\n1;Anna;Anna\n1;Bert;\n2;Anna;Bert\n2;Bert;\n")
    result = bartizan("playtest", "template", "w.csv", "-o", "w.toml", "--game", "rampage")
    assert "winner     Sieg" in result.out and "Anna" not in result.out + (sheet.parent / "w.toml").read_text()
    result = bartizan("playtest", "import", "w.csv", "--mapping", "w.toml", "-o", "plays")
    assert api.playtest_log("plays")["result"].to_list() == ["win", "loss", "loss", "win"] and "Anna" not in result.out
    folder = bartizan("playtest", "import", "w.csv", "--mapping", "w.toml", "-o", "plays", "--json").json["folder"]
    assert (folder["plays"], folder["seats"], folder["people"]) == (2, 4, 2)


@pytest.mark.parametrize("game", ["itter", "colditz", "castle", "rampage", PIG])
def test_the_form_of_a_game_is_read_without_a_mapping(game, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert bartizan("playtest", "form", game, "-o", "form.csv").code == 0
    document = bartizan("playtest", "form", game, "--json").json
    row = {
        "date": "2026-11-23",
        "level": document["levels"][0],
        "result": "win",
        "ending": document["endings"][0],
        "simulator_says": "3 of 10",
        "table_says": "too easy",
        "fun": "5",
    }
    headings = (tmp_path / "form.csv").read_text().strip()
    assert headings.split(",") == document["columns"] and headings.endswith("simulator_says,table_says")
    (tmp_path / "form.csv").write_text(
        f"{headings}\n{','.join(row.get(column, '') for column in document['columns'])}\n"
    )
    result = bartizan("playtest", "import", "form.csv", "-o", "plays", "--game", game, "--json").json
    assert result["files"][0]["kept"] == 1 and result["files"][0]["unread"] == result["files"][0]["notes"] == []
    (played,) = api.playtest_log("plays").to_dicts()
    assert played["level"] == row["level"] and played["ending"] == row["ending"] and played["fun"] == 5
    assert played["simulator_says"] == "3 of 10" and played["table_says"] == "too easy" and played["players"] is None


def test_the_form_to_print(tmp_path, monkeypatch, wording):
    monkeypatch.chdir(tmp_path)
    shown = bartizan("playtest", "form", "itter").out
    assert "Level: novice, veteran, elite" in shown and "breach" in shown and "| Simulator | Players |" in shown
    assert bartizan("playtest", "form", "itter", "-o", "form.html").code == 0
    page = (tmp_path / "form.html").read_text(encoding="utf-8")
    assert ">Simulator<" in page and "relieved by the 142nd" in page and "<script" not in page and "http" not in page
    assert bartizan("playtest", "form", "itter", "-o", "form.md").code == 0
    assert "already" not in error_line(bartizan("playtest", "form", "itter", "-o", "form.pdf"))
    assert error_line(bartizan("playtest", "form", "itter", "-o", "form.md")) == wording


PLAYS = "examples/plays/made-up-{}"


def test_the_made_up_plays_say_so_and_are_read_whole(tmp_path):
    """docs/playtests.md and examples/plays/README.md name these lines."""
    for file in ("itter.csv", "deutsch.csv", "deutsch.toml"):
        assert "made up" in (ROOT / PLAYS.format(file)).read_text(encoding="utf-8").splitlines()[0].lower(), file
    english, german, mapping = (ROOT / PLAYS.format(file) for file in ("itter.csv", "deutsch.csv", "deutsch.toml"))
    one = bartizan("playtest", "import", english, "--game", "itter", "-o", tmp_path / "one", "--json").json
    two = bartizan("playtest", "import", german, "--mapping", mapping, "-o", tmp_path / "two", "--json").json
    for read, wins in ((one, 6), (two, 5)):
        assert read["files"][0]["kept"] == 24 and read["files"][0]["aside"] == 0
        assert read["files"][0]["results"]["win"] == wins
        assert read["files"][0]["unread"] == [] and read["folder"]["people"] == 8
        assert read["folder"]["games"] == [
            {"game": "itter", "plays": 24, "levels": {"novice": 8, "veteran": 8, "elite": 8}}
        ]
    log = api.playtest_log(tmp_path / "two")
    assert set(log["ending"].drop_nulls()) == {"breach", "deck ran out"}
    assert log["minutes"][0] == 85.5 and log["score"][0] == -8
    assert all(
        "made up" in edition for folder in ("one", "two") for edition in api.playtest_log(tmp_path / folder)["edition"]
    )


def test_the_template_counts_columns_and_not_fields(tmp_path):
    sheet = tmp_path / "evening.csv"
    sheet.write_text("Player A,Player B,Score A,Score B,Snacks\nAnna,Bert,1,2,nuts\n", encoding="utf-8")
    result = bartizan("playtest", "template", sheet, "-o", tmp_path / "m.toml")
    assert "4 of 5 columns guessed" in result.out


def test_the_template_knows_what_endings_are_called_and_asks_for_the_rest(tmp_path):
    german, mapping, out = ROOT / PLAYS.format("deutsch.csv"), ROOT / PLAYS.format("deutsch.toml"), tmp_path / "m.toml"
    result = bartizan("playtest", "template", german, "-o", out, "--game", "itter")
    assert "nobody" not in result.out and "unknown" not in result.out
    guessed, shipped = (tomllib.loads(path.read_text(encoding="utf-8")) for path in (out, mapping))
    assert guessed["values"]["ending"] | {"unknown": []} == shipped["values"]["ending"] and guessed == shipped
    odd = tmp_path / "odd.csv"
    odd.write_text(german.read_text(encoding="utf-8").replace("Durchbruch", "Die Tür fiel"), encoding="utf-8")
    result = bartizan("playtest", "template", odd, "-o", tmp_path / "odd.toml", "--game", "itter")
    assert "[values.ending] 1 word in the file" in result.out
    assert "Die Tür fiel" in (tmp_path / "odd.toml").read_text(encoding="utf-8")
    result = bartizan("playtest", "import", odd, "--mapping", tmp_path / "odd.toml", "-o", tmp_path / "my plays")
    assert set(api.playtest_log(tmp_path / "my plays")["ending"].drop_nulls()) == {"deck ran out", "Die Tür fiel"}, (
        "as written"
    )
    assert result.out.rstrip().endswith(f"Next: bartizan playtest skill itter --plays '{tmp_path / 'my plays'}'")


def test_who_forgets_the_game_is_told_twice(sheet, wording):
    (sheet.parent / "Mein Abend.csv").write_bytes(sheet.read_bytes())
    assert refused("import", "Mein Abend.csv", "-o", "plays") == wording
    bartizan("playtest", "template", "Mein Abend.csv", "-o", "m.toml")
    result = bartizan("playtest", "import", "Mein Abend.csv", "--mapping", "m.toml", "-o", "plays")
    assert "Next: run the same command again with --game GAME" in result.out
    assert refused("skill", "itter", "--plays", "plays") == wording
    result = bartizan("playtest", "import", "Mein Abend.csv", "--mapping", "m.toml", "--game", "itter", "-o", "plays")
    assert "4 replaced" in result.out and result.out.rstrip().endswith("playtest skill itter --plays plays")


def refused(*words: object) -> str:
    result = bartizan("playtest", *words)
    assert result.code == 2
    return error_line(result)


def test_what_is_wrong_is_one_line_that_says_what_would_work(sheet, wording):
    assert refused("import", "abend.csv", "-o", "plays") == wording
    assert refused("import", "nowhere.csv", "-o", "plays") == wording
    assert refused("import", ".", "-o", "plays") == wording
    assert refused("import", "abend.csv", "-o", "plays", "--game", "iter") == wording
    assert refused("import", "abend.csv", "-o", "plays", "--mapping", "no.toml") == wording
    (sheet.parent / "x.json").write_text("{}")
    assert refused("template", "x.json", "-o", "m.toml") == wording
    assert refused("import", "x.json", "-o", "plays") == wording
    (sheet.parent / "x.xlsx").write_bytes(b"PK\x03\x04")
    assert refused("import", "x.xlsx", "-o", "plays") == wording
    (sheet.parent / "x.xml").write_text('<!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]><plays>&y;</plays>')
    assert refused("import", "x.xml", "-o", "plays") == wording
    (sheet.parent / "x.xml").write_text("<div class='messagebox error'>Invalid object or user</div>")
    assert refused("import", "x.xml", "-o", "plays") == wording
    (sheet.parent / "x.csv").write_bytes(b"")
    assert refused("import", "x.csv", "-o", "plays") == wording
    bartizan("playtest", "template", "abend.csv", "-o", "m.toml")
    assert refused("template", "abend.csv", "-o", "m.toml") == wording
    assert refused("import", "abend.csv", "-o", ".", "--mapping", "m.toml") == wording
    assert not (sheet.parent / "plays").exists()


@pytest.mark.parametrize(
    ("mapping", "said"),
    [
        ('[columns]\nresult = "Ueberlebt"\n', 'no column "Ueberlebt"'),
        ('[columns]\nreslt = "Name"\n', 'did you mean "result"'),
        ('[playtset]\ngame = "itter"\n', 'did you mean "playtest"'),
        ('[playtest]\ndecimals = ","\n', 'did you mean "decimal"'),
        ('[playtest]\ndecimal = ";"\n', "decimal"),
        ('[values.result]\nwinn = ["x"]\n', "a result must be one of"),
        ('[values.fun]\nx = ["x"]\n', "values.fun"),
        ("[columns]\nresult = []\n", "no heading"),
        ('[columns]\ndate = ["Name", "Punkte"]\n', "one value per play"),
        (
            '[columns]\nplayer = ["Name", "Punkte"]\nscore = ["Name", "Punkte", "Kommentar"]\n',
            "the same number of headings",
        ),
        ("[columns]\nresult = 7\n", "columns.result"),
        ('values = "x"\n', "values"),
        ("[columns", "write [NAME]"),
        ('[playtest]\ngame = "iter"\n', 'did you mean "itter"'),
    ],
)
def test_a_wrong_mapping_is_one_line(sheet, mapping, said):
    (sheet.parent / "m.toml").write_text(mapping)
    assert said in refused("import", "abend.csv", "-o", "plays", "--mapping", "m.toml")


def test_a_sweep_fills_the_column_of_the_simulator(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    bartizan("sweep", PIG, "--policy", "hold+random", "--policy", "random", "--games", 200, "--seed", 3, "-o", "swept")
    shown = bartizan("playtest", "form", PIG, "--says", "swept")
    (won,) = [row for row in shown.out.splitlines() if row.startswith("| Who wins")]
    document = bartizan("playtest", "form", PIG, "--says", "swept", "--json").json
    (line,) = document["simulator_says"]["lines"]["win"]
    assert line in won and "hold" in line and "random vs random" not in won, "what chance does tells a table nothing"
    assert "above 98" in line, "hold wins all of its 200 games against chance"
    assert "by computer policies, not people: 200 in swept, 95" in shown.out
    assert bartizan("playtest", "form", PIG, "--says", "swept", "-o", "form.html").code == 0
    assert line in (tmp_path / "form.html").read_text(encoding="utf-8")
    assert error_line(bartizan("playtest", "form", "itter", "--says", "swept")).endswith(
        "this is a sweep of pig; choose a sweep of itter"
    )


def test_a_form_that_nobody_filled_in_holds_no_play_yet(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    again = "bartizan playtest import form.csv --game itter -o plays"
    form = bartizan("playtest", "form", "itter", "-o", "form.csv").out
    assert form.rstrip().endswith(f"Next: write plays into form.csv, a row for each player, then: {again}")
    brought = bartizan(*again.split()[1:])
    assert brought.code == 0 and "plays: contains no plays\n" in brought.out
    assert brought.out.rstrip().endswith("Next: write plays into form.csv, then run the same command again")
    for command in ("skill", "plan"):
        said = error_line(bartizan("playtest", command, "itter", "--plays", "plays"))
        assert said.endswith(
            "plays: contains no plays; fill in a form (bartizan playtest form itter -o form-2.csv), then import it"
        )
