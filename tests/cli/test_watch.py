"""`bartizan trace --html`: a game as a page to step through."""

import json
import re
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import bartizan as bz
from bartizan.reports.render.watch import rule_texts
from bartizan.simcore.game import game_names, load_game
from bartizan.simcore.scene import Shown
from tests.cli.run_cli import PIG, bartizan, error_line

SHORT = {"colditz": {"set": {"limit.rounds": 4}}}  # a whole game is 50 rounds
GAMES = [*game_names(), PIG]
EMPTY = {"meta", "br", "input", "link", "hr", "img", "circle", "rect", "path"}  # elements that need no end


class Reader(HTMLParser):
    """Elements that are open, ids, addresses, and the text of each step."""

    def __init__(self, text: str):
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        if tag not in EMPTY:
            self.open.append(tag)
        self.ids += [found["id"]] if "id" in found else []
        self.links += [found["href"]] if "href" in found else []
        self.loads += [found[key] for key in ("src", "srcset", "action", "data", "poster") if key in found]

    def handle_endtag(self, tag):
        if tag not in EMPTY:
            assert self.open.pop() == tag


@cache
def watched(game: str) -> tuple[dict, str]:
    """(document, page) of one game."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.html"
        answer = bz.game(str(game)).trace(seed=3, html=path, **SHORT.get(game, {}))
        return answer.to_dict(), path.read_text(encoding="utf-8")


def test_a_page_shows_the_validity_card_of_its_game():
    _, page = watched("castle")
    assert "How far can these numbers be trusted?" in page and "independent reference implementation" in page
    _, page = watched(PIG)
    assert "first player wins, both hold at 20 0.5347" in page


def data_of(page: str) -> dict:
    return json.loads(re.search(r'<script type="application/json" id="game">(.*?)</script>', page, re.S)[1])


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_page_is_whole_and_asks_for_nothing(game):
    document, page = watched(game)
    reader = Reader(page)
    assert reader.open == []
    assert len(reader.ids) == len(set(reader.ids))
    assert {f"step-{ply['ply']}" for ply in document["plies"]} <= set(reader.ids)
    assert reader.loads == [] and all(link[1:] in reader.ids and link[0] == "#" for link in reader.links)
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)|url\(|@import|fetch\(|XMLHttp", page)
    assert "Played by computer policies, not people." in page
    assert 'aria-live="polite"' in page and len(page.encode()) < 1_000_000


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_its_steps_are_those_of_the_trace(game):
    document, page = watched(game)
    plain = bz.game(str(game)).trace(seed=3, **SHORT.get(game, {})).to_dict()
    kept = ("ply", "seat", "action", "text", "events", "rule", "shows")
    assert [{key: ply[key] for key in kept} for ply in document["plies"]] == plain["plies"]
    shown = re.findall(r'<li id="step-(\d+)"><a[^>]*>\d+</a> (?:<b>[^<]*</b> )?<span>([^<]*)</span>', page)
    assert [(int(number), text.replace("&#39;", "'")) for number, text in shown] == [
        (ply["ply"], ply["text"]) for ply in plain["plies"]
    ]


@pytest.mark.parametrize("game", game_names())
def test_each_step_names_its_rule(game):
    document, page = watched(game)
    texts = rule_texts(load_game(game).home)
    for ply in document["plies"]:
        assert ply["rule"] in texts, ply
        assert len(ply["shows"]) == len(ply["events"])
        assert all(shows["rule"] in texts for shows in ply["shows"]), ply
    assert f'id="rule-{document["plies"][0]["rule"]}"' in page


@pytest.mark.parametrize("game", game_names())
def test_every_action_and_event_of_a_game_has_a_section_that_there_is(game):
    engine, texts = load_game(game).compiled, rule_texts(load_game(game).home)
    sections = __import__(f"bartizan.simcore.{game}.scene", fromlist=["ACT_RULES"]).ACT_RULES
    assert set(sections) == set(engine.acts.values())
    assert set(sections.values()) | set(engine.scene.event_rules.values()) <= set(texts)
    assert set(engine.scene.marks) <= set(engine.scene.event_rules)


@pytest.mark.parametrize("game", game_names())
def test_the_games_say_what_lies_on_the_table_in_the_same_keys(game):
    document, _ = watched(game)
    for table in (document["opening"], *(ply["snapshot"] for ply in document["plies"])):
        assert set(table) == {"turn", "deciding", "counters", "zones"}
        for zone in table["zones"]:
            assert set(zone) == {"zone", "note", "shape", "things"}
            assert zone["shape"] in ("list", "pile", "grid", "board")
            assert all(set(thing) == {"name", "short", "at", "look"} and thing["name"] for thing in zone["things"])
    assert document["plies"][-1]["snapshot"]["deciding"] == ""
    assert {shows["mark"] for ply in document["plies"] for shows in ply["shows"]} <= {mark.value for mark in Shown}


@pytest.mark.parametrize("game", game_names())
def test_what_the_script_steps_through_is_what_lay_there(game):
    """Its numbers, unpacked as the script does, against the document."""
    document, page = watched(game)
    data = data_of(page)
    now = {"z": {}, "c": {}, "d": {}}
    tables = [document["opening"], *(ply["snapshot"] for ply in document["plies"])]
    for table, step in zip(tables, data["tables"], strict=True):
        now = {key: now[key] | step.get(key, {}) for key in now}
        lying = {
            data["zones"][int(number)][0]: [data["things"][one][:4] for one in things]
            for number, (_, things) in now["z"].items()
        }
        wanted = {zone["zone"]: [[*thing.values()] for thing in zone["things"]] for zone in table["zones"]}
        assert {name: things for name, things in lying.items() if things} == {
            name: things for name, things in wanted.items() if things
        }
        assert {data["counters"][int(number)]: n for number, n in now["c"].items()} == table["counters"]
        assert now["d"]["0"] == table["deciding"]


def test_pieces_stand_on_their_places():
    """Itter: whoever is on a position or circle is drawn; Colditz: every pawn but those that are gone."""
    for game, elsewhere in (
        ("itter", ("",)),
        ("colditz", ("escaped", "dead", "out of the game", "on the way to Solitary")),
    ):
        document, page = watched(game)
        boards = [zone["zone"] for zone in document["opening"]["zones"] if zone["shape"] == "board"]
        data = data_of(page)
        drawn = {tuple(thing[:4]): thing[4] for thing in data["things"]}
        for ply in document["plies"]:
            for zone in ply["snapshot"]["zones"]:
                for thing in zone["things"] if zone["zone"] in boards else ():
                    assert (drawn[tuple(thing.values())] is None) == (thing["at"] in elsewhere), thing


def test_a_reconstruction_says_so_first():
    document, page = watched("rampage")
    assert document["banner"]["text"].rstrip(".") in page
    assert page.index('class="banner"') < page.index("<h1>")
    assert 'class="banner"' not in watched("itter")[1]


def test_the_same_game_is_the_same_file(tmp_path):
    for name in ("a.html", "b.html"):
        bartizan("trace", PIG, "--seed", 3, "--html", tmp_path / name)
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()
    assert (tmp_path / "a.html").read_text(encoding="utf-8") == watched(PIG)[1]


def test_a_name_of_a_game_cannot_end_the_page():
    from bartizan.reports.render.watch import _data

    table = {"turn": 1, "deciding": "</script><b>", "counters": {}, "zones": []}
    text = _data({"opening": table, "plies": [{"snapshot": table, "turn": 1}]}, ())
    assert "<" not in text and json.loads(text)["tables"][0]["d"]["0"] == "</script><b>"


def test_a_counter_that_disappears_is_reported():
    from bartizan.reports.render.watch import _data

    tables = [
        {"turn": 1, "deciding": "", "counters": {**more, "Coins": 3}, "zones": []} for more in ({"Rain": 1}, {}, {})
    ]
    plies = [{"snapshot": table, "turn": 1} for table in tables[1:]]
    data = json.loads(_data({"opening": tables[0], "plies": plies}, ()))
    rain = str(data["counters"].index("Rain"))
    assert [table.get("c", {}).get(rain, "same") for table in data["tables"]] == [1, None, "same"]


@pytest.mark.parametrize(
    ("path", "says"), [("game.txt", "use a file name that ends in .html"), ("nowhere/game.html", "does not exist")]
)
def test_a_file_that_cannot_be_written_is_refused_before_play(path, says, tmp_path):
    assert says in error_line(bartizan("trace", PIG, "--html", tmp_path / path))


def test_losses_writes_pages_of_the_games_it_names(tmp_path):
    args = ("losses", PIG, "--games", 200, "--pilot", 6, "--rollouts", 200, "--pages", tmp_path / "games")
    document = bartizan(*args, "--json").json
    assert [Path(page).stem for page in document["pages"]] == [one["kind"] for one in document["chosen"]]
    for one, path in zip(document["chosen"], document["pages"], strict=True):
        assert f"Game {one['game']} of seed 1" in Path(path).read_text(encoding="utf-8")
    assert "Pages to step through" in bartizan(*args).out


# ---------------------------------------------------------------- the curve beneath the board


def test_the_curve_is_that_of_the_rollouts_and_ends_where_the_game_ends():
    document, page = watched(PIG)
    chances = document["chances"]
    assert chances["rollouts"] == 100 and chances["is_won"] and chances["role"] in document["winner"]
    assert [row["turn"] for row in chances["turns"]] == sorted({ply["turn"] for ply in document["plies"]})
    values = [row["chance"]["estimate"] for row in chances["turns"]] + [1.0]
    rises = [after - before for before, after in pairwise(values)]
    assert chances["turns"][rises.index(max(rises))]["turn"] == chances["decisive_turn"]
    assert all(row["chance"]["low"] <= row["chance"]["estimate"] <= row["chance"]["high"] for row in chances["turns"])
    assert page.count('class="at"') == len(chances["turns"])
    assert f"largest change: turn {chances['decisive_turn']}" in page
    assert "100 simulated futures from the first decision of every turn" in page


def test_the_size_of_the_decisive_move_is_measured_by_rollouts_that_did_not_choose_it(tmp_path):
    """The move that was chosen for being the largest is larger than what the other half says of it, on average."""
    ours = bz.game(PIG)
    chosen, measured = [], []
    for game in range(12):
        chances = ours.trace(seed=5, game=game, html=tmp_path / "g.html", rollouts=40).to_dict()["chances"]
        values = [row["chance"]["estimate"] for row in chances["turns"]] + [float(chances["is_won"])]
        chosen.append(max(after - before for before, after in pairwise(values)))
        measured.append(chances["moved"])
    assert 0 < sum(measured) < sum(chosen)


def test_no_rollouts_no_curve_and_too_few_are_refused(tmp_path):
    path = tmp_path / "g.html"
    bartizan("trace", PIG, "--html", path, "--rollouts", 0)
    assert 'id="curve"' not in path.read_text(encoding="utf-8")
    assert "at least 20" in error_line(bartizan("trace", PIG, "--html", path, "--rollouts", 5))
