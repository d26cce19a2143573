"""`refresh`: a linked sheet is fetched when it is asked for, kept with its digest, and used offline afterwards."""

import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from bartizan.api.answers import refresh
from bartizan.api.answers.new import new
from bartizan.simcore.errors import UsageError
from bartizan.simcore.game import load_game
from bartizan.simcore.short.components import Deck
from bartizan.simcore.short.linked_sheet import record_path

SHEET = b"Name,Qty,Cost\nGuard,5,1\nPriest,2,2\n"
PAGES = {
    "/cards.csv": (200, SHEET),
    "/signin": (200, b"<!doctype html><html>Sign in</html>"),
    "/large": (200, b"Name,Qty\n" + b"a,1\n" * 50),
    "/moved": (302, b"/cards.csv"),
    "/elsewhere": (302, b"ftp://127.0.0.1/cards.csv"),
}


class Pages(BaseHTTPRequestHandler):
    pages = dict(PAGES)

    def do_GET(self):
        code, data = self.pages.get(self.path, (404, b""))
        self.send_response(code)
        if code == 302:
            self.send_header("Location", data.decode())
        self.end_headers()
        self.wfile.write(b"" if code == 302 else data)

    def log_message(self, *args):
        pass


@pytest.fixture(scope="module")
def host():
    server = HTTPServer(("127.0.0.1", 0), Pages)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def here(monkeypatch):
    """http is allowed: the server of this test has no certificate."""
    monkeypatch.setattr(refresh, "SCHEMES", ("http",))
    monkeypatch.setattr(Pages, "pages", dict(PAGES))


def game_of(tmp_path, link):
    game = tmp_path / "my_game.py"
    game.write_text(f'from bartizan.short import *\n\ndeck = Deck("cards.csv", link="{link}")\n')
    return game


def test_a_sheet_is_fetched_kept_and_used_offline(tmp_path, host, here):
    game, file = game_of(tmp_path, f"{host}/cards.csv"), tmp_path / "cards.csv"
    deck = Deck("cards.csv", link=f"{host}/cards.csv")
    with pytest.raises(
        ValueError, match=r"cards.csv has not been downloaded yet; fetch it with: bartizan check FILE.py --refresh"
    ):
        deck.table(tmp_path)
    (line,) = refresh.refresh(game)
    assert line.startswith("cards.csv: fetched (sha256 ") and file.read_bytes() == SHEET
    assert f'"link": "{host}/cards.csv"' in record_path(file).read_text()
    assert [row["copies"] for row in deck.table(tmp_path).rows] == [5, 2]
    assert not [note for note in deck.table(tmp_path).notes if "edited" in note]
    (line,) = refresh.refresh(game)
    assert line.startswith("cards.csv: unchanged")
    Pages.pages["/cards.csv"] = (200, SHEET.replace(b"5", b"4"))
    (line,) = refresh.refresh(game)
    assert line.startswith("cards.csv: fetched again") and b"Guard,4,1" in file.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cards.csv", "cards.csv.link.json", "my_game.py"]


def test_a_file_that_was_edited_here_is_left_as_it_is(tmp_path, host, here):
    game, file = game_of(tmp_path, f"{host}/cards.csv"), tmp_path / "cards.csv"
    [*refresh.refresh(game)]
    file.write_bytes(SHEET.replace(b"5", b"6"))
    with pytest.raises(UsageError, match=r"cards.csv: not replaced, because it was edited.*move the file"):
        [*refresh.refresh(game)]
    assert b"Guard,6" in file.read_bytes()
    table = Deck("cards.csv", link=f"{host}/cards.csv").table(tmp_path)
    assert [note for note in table.notes if "edited since it was fetched from its link" in note]


FAILURES = {
    "no such page": ("/absent", "cannot be fetched: 404 .*; publish the sheet"),
    "a page to sign in": ("/signin", ": a web page, not a table; .*Publish to web"),
    "too large": ("/large", ": larger than 0 MB; give the link of a smaller sheet"),
    "a redirect to another kind of link": ("/elsewhere", "ftp://127.0.0.1/cards.csv: not a valid link; write http://"),
}


@pytest.mark.parametrize(("page", "said"), FAILURES.values(), ids=FAILURES)
def test_what_cannot_be_fetched_is_one_line_and_changes_nothing(tmp_path, host, here, monkeypatch, page, said):
    monkeypatch.setattr(refresh, "LARGEST", 100)
    file = tmp_path / "cards.csv"
    refresh.fetch(f"{host}/cards.csv", file)
    with pytest.raises(UsageError, match=said) as error:
        refresh.fetch(f"{host}{page}", file)
    assert "\n" not in str(error.value) and file.read_bytes() == SHEET
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cards.csv", "cards.csv.link.json"]


def test_redirects_are_followed(tmp_path, host, here):
    refresh.fetch(f"{host}/moved", tmp_path / "cards.csv")
    assert (tmp_path / "cards.csv").read_bytes() == SHEET


@pytest.mark.parametrize(
    "link", ["http://example.com/a.csv", "file:///etc/hostname", "ftp://example.com/a", "cards.csv", "https:///a.csv"]
)
def test_only_https(tmp_path, link):
    with pytest.raises(UsageError, match="not a valid link; write https://"):
        refresh.fetch(link, tmp_path / "cards.csv")


def test_no_network_is_one_line(tmp_path, here):
    with pytest.raises(UsageError, match=r"http://127.0.0.1:9/a.csv: cannot be fetched: .*refused.*; check the link"):
        refresh.fetch("http://127.0.0.1:9/a.csv", tmp_path / "cards.csv")
    assert not list(tmp_path.iterdir())


def test_links_that_show_a_sheet_are_read_as_its_table():
    sheet = "https://docs.google.com/spreadsheets/d"
    assert refresh.as_table(f"{sheet}/1aB_c/edit?usp=sharing#gid=42") == f"{sheet}/1aB_c/export?format=csv&gid=42"
    assert refresh.as_table(f"{sheet}/1aB_c/edit") == f"{sheet}/1aB_c/export?format=csv"
    assert (
        refresh.as_table(f"{sheet}/e/2PACX-1/pubhtml?gid=0&single=true")
        == f"{sheet}/e/2PACX-1/pub?gid=0&single=true&output=csv"
    )
    published = f"{sheet}/e/2PACX-1/pub?gid=0&single=true&output=csv"
    assert refresh.as_table(published) == published


def test_a_game_without_a_link_says_how_to_write_one(tmp_path):
    game = tmp_path / "my_game.py"
    game.write_text('from bartizan.short import *\n\ndeck = Deck({"Guard": 5})\n')
    with pytest.raises(UsageError, match=r'no deck has a link; write one: Deck\("cards.csv", link="https://'):
        [*refresh.refresh(game)]


def test_a_new_game_of_a_link(tmp_path, host, here, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(refresh, "as_table", lambda link: f"{host}/cards.csv")
    said = [*new("game", "units", source="https://example.com/cards")]
    assert said[0].startswith("units.csv: fetched")
    assert said[-1].endswith("bartizan check units.py --refresh: fetch the sheet again")
    assert 'Deck("units.csv", link="https://example.com/cards")' in (tmp_path / "units.py").read_text()
    assert load_game(str(tmp_path / "units.py")).title == "Units"
