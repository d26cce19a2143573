"""The workbench without a browser: what it offers and refuses, what it plays, what it says, what is taken along."""

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import numpy as np
import polars as pl
import pytest

pytest.importorskip("starlette", reason="the extra `workbench` is not installed")
pytest.importorskip("httpx2", reason="starlette's test client needs httpx2")

from starlette.testclient import TestClient

import bartizan as bz
from bartizan.analyses.records.tally import TRUNCATED, won
from bartizan.analyses.statistics.pairs import EXACT, Pairs, watched_difference
from bartizan.simcore.compile import cache
from bartizan.simcore.errors import PolicyError, UsageError
from bartizan.simcore.scenario.loading import load_scenario
from bartizan.workbench import live, playing, questions, server
from bartizan.workbench.command import open_workbench
from bartizan.workbench.live import CachedGames, GameCache
from bartizan.workbench.numbers import _difference
from bartizan.workbench.setting import game_document, offered, read_band, read_setting
from tests.cli.run_cli import PIG, ROOT

PORT, TOKEN = 4321, "open-sesame"
HERE = f"http://127.0.0.1:{PORT}"
EASY = {"game": "pig", "set": {"goal.points": 30}}


@pytest.fixture(scope="module")
def offers():
    return offered([str(PIG), "itter"])


@pytest.fixture(scope="module")
def game_cache():
    return GameCache(seed=5)


@pytest.fixture
def client(offers, game_cache):
    found = TestClient(server.application(offers, game_cache, PORT, TOKEN), base_url=HERE, follow_redirects=False)
    found.headers["origin"] = HERE
    found.cookies.set(f"bartizan-{PORT}", TOKEN)
    return found


def heard(offers, game_cache, **asked) -> dict[str, list]:
    """Every event by its name."""
    found: dict[str, list] = {}
    for name, document in playing.events(offers, game_cache, asked):
        found.setdefault(name, []).append(json.loads(json.dumps(document)))
    return found


@pytest.fixture(scope="module")
def played(offers, game_cache):
    """2,000 games of Pig to 30 points, the published game pinned."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(live, "MOST", 2000)
        return heard(offers, game_cache, now=EASY, pinned={"game": "pig"}, target=[0.7, 0.9])


# ---------------------------------------------------------------- what it offers, what it refuses


def test_every_value_of_a_scenario_is_offered_once_with_where_it_comes_from(offers):
    setting = read_setting(offers, {"game": "itter", "level": "elite"})
    values = [
        one
        for group in game_document(setting.offer, setting.scenario, setting.unchanged)["groups"]
        for record in group["records"]
        for one in record["values"]
    ]
    known = {knob.path: knob for knob in setting.loaded.parameters() if knob.path != "difficulty"}
    assert sorted(one["path"] for one in values) == sorted(known)
    assert all(
        one["source"] == known[one["path"]].source and one["allowed"] == known[one["path"]].allowed for one in values
    )
    assert {one["kind"] for one in values} == {"whole", "switch", "choice", "text", "list"}
    rulings = [one for one in values if one["path"].startswith("rulings.")]
    assert len(rulings) > 30 and all(one["question"] and len(one["choices"]) > 1 for one in rulings)


def test_games_and_scenarios_of_one_name_are_not_lost(tmp_path):
    """The last of them was offered in place of the others: a built-in game for the user's own."""
    (tmp_path / "a").mkdir()
    for file in (tmp_path / "castle.py", tmp_path / "a/castle.py"):
        file.write_text((ROOT / "examples/short/solo_pig.py").read_text(encoding="utf-8"), encoding="utf-8")
    own, other = map(str, (tmp_path / "castle.py", tmp_path / "a/castle.py"))
    assert offered([own, "castle", "itter"])["castle"].named == own
    with pytest.raises(UsageError, match="has the same name, castle; rename one of the two games"):
        offered([own, other])
    for file in (tmp_path / "hard.toml", tmp_path / "a/hard.toml"):
        file.write_text('extends = "published"\n', encoding="utf-8")
    with pytest.raises(UsageError, match="has the same name; rename one of the two files"):
        offered(["itter"], [str(tmp_path / "hard.toml"), str(tmp_path / "a/hard.toml")])


def test_the_dial_goes_from_chance_to_the_best_that_plays_fast(offers):
    setting = read_setting(offers, {"game": "itter", "level": "elite"})
    (seat,) = game_document(setting.offer, setting.scenario, setting.unchanged)["seats"]
    assert [one["policy"] for one in seat["dial"]] == ["random", "newcomer", "garrison", "sentinel"]
    assert all(one["win_rate"]["n"] == 20_000 for one in seat["dial"])
    assert seat["slow"] and all(text.startswith("lookahead") for text in seat["slow"])
    assert not any("lookahead" in one["policy"] for one in seat["policies"])


def test_unless_somebody_is_chosen_the_best_found_of_the_level_plays(offers):
    for level in ("novice", "elite"):
        setting = read_setting(offers, {"game": "itter", "level": level})
        (seat,) = game_document(setting.offer, setting.scenario, setting.unchanged)["seats"]
        assert setting.seated == ("sentinel",)
        assert seat["default"] == "sentinel" == seat["dial"][-1]["policy"]
    assert read_setting(offers, {"game": "itter", "level": "novice", "policies": {"defender": "garrison"}}).seated == (
        "garrison",
    )


def test_each_level_is_played_by_its_own_best(offers, by_level):
    novice, elite = (read_setting(offers, {"game": "itter", "level": level}) for level in ("novice", "elite"))
    assert novice.seated == ("garrison@novice",) and elite.seated == novice.at("elite").seated == ("garrison",)
    command = playing.compare_command(elite, novice, 10, 1)
    assert "--change difficulty=elite --change policy=garrison " in command, "both sides as the page plays them"


def test_players_of_ones_own_are_offered_and_chosen():
    own = offered([PIG], players=["hold:at=20", "hold:at=20"])
    assert list(own["pig"].policies("first"))[-1] == "hold:at=20"
    chosen = {"first": "hold:at=20", "second": "hold:at=3"}  # named at the start, and written into the page
    assert read_setting(own, {"game": "pig", "policies": chosen}).seated == ("hold:at=20", "hold:at=3")
    with pytest.raises(PolicyError, match="hold2"):
        offered([PIG], players=["hold2"])


REFUSED = [
    ({"game": "../pig.py"}, "game: the page has no"),
    ({"game": str(PIG)}, "game: the page has no"),
    ({"game": "pig", "scenario": "../../standard.toml"}, "scenario: the page has no"),
    ({"game": "pig", "scenario": "/etc/passwd"}, "scenario: the page has no"),
    ({"game": "itter", "level": "impossible"}, 'level: the page has no "impossible"'),
    ({"game": "pig", "policies": {"first": "mine.py"}}, 'policy of first: the page has no "mine.py"'),
    ({"game": "pig", "policies": {"first": "hold@weights.toml"}}, "policy of first: the page has no"),
    ({"game": "pig", "policies": {"first": "hold:at=../3"}}, "policy of first: the page has no"),
    ({"game": "pig", "policies": {"first": "mine.py:at=3"}}, 'policy of first: the page has no "mine.py"'),
    ({"game": "pig", "policies": {"first": "hold:height=3"}}, "height"),
    ({"game": "itter", "policies": {"defender": "lookahead:base=garrison"}}, "policy of defender: the page has no"),
    ({"game": "pig", "policies": {"third": "hold"}}, 'seat: the page has no "third"'),
    ({"game": "pig", "set": {"goal": 3}}, 'value: the page has no "goal"'),
    ({"game": "pig", "set": {"goal.source": "me"}}, 'value: the page has no "goal.source"'),
    ({"game": "pig", "set": {"goal.points": 0}}, "goal.points: 0 is not allowed; allowed: 1 .. 10000"),
    ({"game": "pig", "set": {"goal.points": "30"}}, "goal.points: 30 is not allowed"),
    ({"game": "pig", "set": {"goal.points": 2.5}}, "goal.points: 2.5 is not allowed"),
    ({"game": "pig", "set": {"goal.points": True}}, "goal.points: true is not allowed"),
    ({"game": "pig", "set": {"goal.points": [1]}}, "goal.points: [1] is not allowed"),
    ({"game": "pig", "set": {"dice.loses_on": 20}}, "no face 20 on a die of 6 sides"),
    (
        {"game": "itter", "set": {"rulings.may_pass": "perhaps"}},
        "rulings.may_pass: perhaps is not allowed; allowed: no | yes",
    ),
    ({"game": "pig", "players": 3, "seed": 1}, "unknown key seed in a setting"),
    ({"game": "pig", "set": {"goal.points": 10**400}}, "too large or no number"),
    ({"game": "itter", "set": {"rulings.may_pass": 10**400}}, "too large or no number"),
    ({"game": "\ud800"}, "a lone surrogate"),
    ({"game": "pig", "set": {"\ud800": 1}}, "a lone surrogate"),
    ({"game": "pig", "set": {"goal.points": [[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]}}, "inside each other"),
    ([], "a setting must be a JSON object"),
]


@pytest.mark.parametrize(("said", "why"), REFUSED)
def test_what_the_page_does_not_offer_is_refused_in_one_line(client, said, why):
    headers = {"content-type": "application/json"}
    answer = client.post("/play", content=json.dumps({"now": said}), headers=headers)
    assert answer.status_code == 400 and why in answer.text and "\n" not in answer.text and len(answer.text) < 400


@pytest.mark.parametrize("said", [[0.3], [0.4, 0.3], [0, 2], "0.3", [True, False], [-0.1, 0.5]])
def test_a_target_is_two_shares(said):
    with pytest.raises(UsageError, match=r"^target: "):
        read_band(said)


def test_a_body_that_is_no_setting_is_refused(client):
    for body in (b"", b"[]", b"{", b"[" * 5000, b'{"now": 3}', b'{"now": null, "pinned": 5}'):
        answer = client.post("/play", content=body, headers={"content-type": "application/json"})
        assert answer.status_code == 400 and "\n" not in answer.text, body


# ---------------------------------------------------------------- what is known before a game is played


def test_the_rows_are_levels_with_what_the_shipped_bracket_says(offers):
    setting = read_setting(offers, {"game": "itter"})
    rows = game_document(setting.offer, setting.scenario, setting.unchanged)["rows"]
    assert [row["level"] for row in rows] == setting.levels
    for row in rows:
        assert [mark["mark"] for mark in row["marks"]] == ["newcomer", "heuristic", "best"]
        newcomer, heuristic, best = row["marks"]
        assert newcomer["estimate"] < heuristic["estimate"] <= best["estimate"]
        assert all(mark["n"] and mark["method"] for mark in row["marks"])
    novice = {mark["mark"]: mark["text"] for mark in rows[0]["marks"]}
    assert (novice["newcomer"], novice["best"]) == (
        "below 0.4\N{NO-BREAK SPACE}%",
        "86.4\N{NO-BREAK SPACE}%",
    )  # not the rung of 119 games that came out at 90 %
    pig = read_setting(offers, {"game": "pig"})
    assert [(row["title"], row["marks"]) for row in game_document(pig.offer, pig.scenario, pig.unchanged)["rows"]] == [
        ("First wins", []),
        ("Second wins", []),
    ]


@pytest.mark.parametrize("name", ["itter", "castle", "colditz", "rampage"])
def test_the_values_that_move_it_most_ship_and_are_about_the_numbers_of_today(name):
    setting = read_setting(offered([name]), {"game": name})
    document = game_document(setting.offer, setting.scenario, setting.unchanged)
    rows = document["influences"]["rows"]
    known = setting.offer.values(setting.unchanged)
    assert len(rows) == len({row["path"] for row in rows}) and 8 <= len(rows) <= 12
    assert all(row["path"] in known for row in rows)
    sizes = [abs(row["difference"]["estimate"]) for row in rows]
    assert sizes[0] > sizes[-1] and all(row["n"] > 1 and row["difference"]["method"] for row in rows)


def test_a_shipped_influence_is_what_the_command_gives():
    document = json.loads(
        Path(server.PAGE).parents[1].joinpath("simcore/itter/scenarios/published.sensitivity.json").read_bytes()
    )
    assert document["command"].startswith("bartizan sensitivity itter --games 600 --seed 1 ") and document["version"]
    row = next(row for row in document["influences"] if row["path"] == "turn.defender_actions")
    again = bz.game("itter").sensitivity(
        path=row["path"], games=document["games"], seed=document["seed"], decks=0, levels=False
    )
    assert again["influences"][0]["headline"]["difference"]["estimate"] == row["headline"]["difference"]["estimate"]


def test_an_influence_about_other_numbers_is_not_shown(offers, monkeypatch):
    monkeypatch.setattr("bartizan.simcore.scenario.changes.is_about", lambda *_: False)
    setting = read_setting(offers, {"game": "itter"})
    assert game_document(setting.offer, setting.scenario, setting.unchanged)["influences"] is None


def test_what_a_compilation_took_is_kept_for_the_next(offers, tmp_path, monkeypatch):
    monkeypatch.setenv("BARTIZAN_CACHE", str(tmp_path))
    monkeypatch.setattr(live, "is_compiled", lambda setting: False)
    setting = read_setting(offers, {"game": "pig"})
    with live.compilation_of(setting) as first:
        document = live.compilation_document(first)
        assert document["last"] is None and document["first"]
        assert 5 < first.expected < 60, "as many functions as Pig reaches"
        first.one_more()
    assert live.compilation_document(live.compilation_of(setting))["last"] == {"seconds": 0, "functions": 1}
    (cache.cache_root() / "compilations.json").write_text("{")
    assert live.compilation_document(live.compilation_of(setting))["last"] is None


# ---------------------------------------------------------------- who may ask


def test_who_has_no_token_gets_nothing(client):
    client.cookies.clear()
    for path in ("/", "/workbench.js", "/?token=guessed", "/report.css"):
        assert client.get(path).status_code == 403, path
    assert client.post("/games", json={}).status_code == 403
    assert client.get(f"/workbench.js?token={TOKEN}").status_code == 403  # the entrance is the page alone


def test_the_address_of_the_terminal_opens_the_page_and_leaves_a_cookie_of_this_site(client):
    client.cookies.clear()
    answer = client.get(f"/?token={TOKEN}")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=strict" in cookie and TOKEN in cookie
    assert client.get("/").status_code == 200


def test_another_host_or_origin_is_refused(client):
    assert client.get("/", headers={"host": "evil.example"}).status_code == 403  # a name that leads here
    assert client.get("/", headers={"host": "127.0.0.1:1"}).status_code == 403
    assert (
        client.get("/", headers={"host": f"localhost:{PORT}", "origin": f"http://localhost:{PORT}"}).status_code == 200
    )
    for origin in ("http://evil.example", "null", f"https://127.0.0.1:{PORT}", "http://127.0.0.1:1"):
        assert client.post("/games", json={}, headers={"origin": origin}).status_code == 403, origin
    assert client.get("/", headers={"sec-fetch-site": "cross-site"}).status_code == 403
    del client.headers["origin"]
    assert client.post("/games", json={}).status_code == 403


def test_only_json_of_a_sane_size_is_read(client):
    assert client.post("/games", content=b"{}", headers={"content-type": "text/plain"}).status_code == 415
    assert client.post("/games", json={"x": "y" * 300_000}).status_code == 413
    headers = {"content-type": "application/json", "content-length": "9" * 5000}
    assert client.post("/games", content=b"{}", headers=headers).status_code == 413
    assert client.put("/games", json={}).status_code == 405
    assert client.post("/nowhere", json={}).status_code == 404


def test_the_page_may_load_nothing_from_elsewhere(client):
    answer = client.get("/")
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'self';") and "unsafe" not in policy
    assert "access-control-allow-origin" not in answer.headers
    assert "http" not in answer.text.replace("http-equiv", "") and " style=" not in answer.text
    assert "<script>" not in answer.text
    assert [row["game"] for row in client.post("/games", json={}).json()] == ["pig", "itter"]


# ---------------------------------------------------------------- what is played, what is said


def test_intervals_narrow_and_every_number_has_its_games_and_method(played):
    widths = [one["measures"][0]["now"] for one in played["figures"]]
    assert len(widths) > 2 and widths[-1]["n"] == 2000
    assert widths[-1]["high"] - widths[-1]["low"] < 0.3 * (widths[0]["high"] - widths[0]["low"])
    for measure in played["figures"][-1]["measures"]:
        for side in ("now", "pinned", "difference"):
            assert measure[side]["n"] == 2000 and "confidence sequence" in measure[side]["method"]
            assert measure[side]["limits"], measure["name"]
    assert played["rests"] == [{"games": 2000, "seconds": played["rests"][0]["seconds"]}]
    assert played["setting"][0]["changes"] == [
        {"path": "goal.points", "words": "a goal of 100 points -> a goal of 30 points"}
    ]


def test_the_win_rate_is_that_of_the_command_that_is_taken_along(played, game_cache):
    said = played["figures"][-1]
    words = said["commands"]["run"].split()
    assert words[:3] == ["bartizan", "run", str(PIG)] and words[-4:] == ["--games", "2000", "--seed", "5"]
    again = bz.game(PIG).run(set={"goal.points": 30}, games=2000, seed=5)
    assert said["measures"][0]["now"]["estimate"] == again.win_rate.estimate
    assert said["measures"][0]["now"]["low"] < again.win_rate.low
    assert said["measures"][0]["now"]["high"] > again.win_rate.high
    assert [one["now"]["estimate"] for one in said["measures"] if one["name"] == "Turns"] == pytest.approx(
        [again.turns.mean]
    )


def test_the_difference_is_that_of_compare_and_holds_what_100000_games_say(played):
    said = played["figures"][-1]
    assert "--change goal.points=30 --games 2000 --seed 5" in said["commands"]["compare"]
    difference = said["measures"][0]["difference"]
    few = bz.game(PIG).compare(change={"goal.points": 30}, games=2000, seed=5)
    assert difference["estimate"] == pytest.approx(few.effects[0].difference.estimate)
    many = bz.game(PIG).compare(change={"goal.points": 30}, games=100_000, seed=77)
    assert difference["low"] < many.effects[0].difference.estimate < difference["high"]
    assert difference["told"] and difference["estimate"] > 0


def test_games_that_were_cut_off_may_have_ended_either_way():
    """All 400 games are won; pinned, 200 are lost and 200 cut off: between 50 and 100 percentage points."""
    sides = (pl.DataFrame({"winner": winners}) for winners in ([0] * 400, [1] * 200 + [TRUNCATED] * 200))
    now, pinned = (SimpleNamespace(cell=lambda games, frame=frame: SimpleNamespace(frame=frame)) for frame in sides)
    said = _difference(won(0), SimpleNamespace(now=now, pinned=pinned, games=400))
    assert said["estimate"] == 0.75 and said["low"] < 0.5 and said["high"] == 1


def test_the_target_passes_fails_or_says_how_many_games_more(played, offers, game_cache, monkeypatch):
    assert played["figures"][-1]["target"]["verdict"] == "FAIL"
    monkeypatch.setattr(live, "MOST", 400)
    open_one = heard(offers, GameCache(6), now={"game": "pig"}, target=[0.5, 0.6])["figures"][-1]["target"]
    assert open_one["verdict"] == "INCONCLUSIVE" and open_one["more"] > 400
    assert (
        heard(offers, GameCache(6), now={"game": "pig"}, target=[0.2, 0.9])["figures"][-1]["target"]["verdict"]
        == "PASS"
    )


def test_pictures_are_the_reports_and_carry_no_style(played):
    last = played["pictures"][-1]
    assert last["games"] == 2000
    assert {"Win share by seat", "Length"} <= {section["title"] for section in last["sections"]}
    pictures = [picture for section in last["sections"] for picture in section["pictures"]]
    assert pictures and all("style=" not in one["svg"] and 'role="img"' in one["svg"] for one in pictures)


def test_games_are_kept_and_a_pin_finds_them_again(offers, game_cache, played, monkeypatch):
    monkeypatch.setattr(live, "MOST", 2000)
    found = game_cache.games_of(read_setting(offers, EASY))
    assert found.games == 2000
    turned = heard(offers, game_cache, now={"game": "pig"}, pinned=EASY)["figures"][0]["measures"][0]["difference"]
    there = played["figures"][-1]["measures"][0]["difference"]
    assert (turned["n"], turned["low"], turned["high"]) == (2000, -there["high"], -there["low"])


def test_settings_that_nobody_asked_for_in_a_long_while_are_dropped(offers, monkeypatch):
    monkeypatch.setattr("bartizan.workbench.live.MOST_KEPT", 2)
    few = GameCache(3)
    one, two, three = (
        few.games_of(read_setting(offers, {"game": "pig", "set": {"goal.points": n}})) for n in (11, 12, 13)
    )
    assert few.games_of(three.setting) is three and few.games_of(two.setting) is two
    assert few.games_of(one.setting) is not one


def test_batches_do_not_change_the_games(offers):
    one, other = (CachedGames(read_setting(offers, EASY), 9) for _ in range(2))
    one.play_to(300)
    for games in (1, 2, 64, 65, 300):
        other.play_to(games)
    assert one.cell(300).frame.equals(other.cell(300).frame)
    assert one.cell(100).frame.height == 100


def test_other_levels_wait_and_say_when_they_cannot_be_played(offers, monkeypatch):
    """With a stand-in for the games: the four games take minutes to compile."""

    class StandIn:
        seed, size = 1, 100

        def __init__(self):
            self.games = 0

        def play_to(self, games):
            self.games = max(self.games, games)

    class Cupboard:
        def games_of(self, setting):
            if setting.loaded.difficulty == "elite":
                raise UsageError("no such level today")
            return StandIn()

    monkeypatch.setattr(live, "MOST", 1000)
    monkeypatch.setattr(live, "FIRST", 0.0)
    setting = read_setting(offers, {"game": "itter", "level": "novice"})
    found = live.Live(Cupboard(), setting, None)
    found.prepare()
    assert any(not found.step() for _ in range(100)), "it never rests"
    assert {level: pair.games for level, pair in found.pairs()} == {"novice": 1000, "veteran": 250}
    assert found.refused == {"elite": "no such level today"}

    edited = live.Live(Cupboard(), setting, None)
    monkeypatch.setattr(type(setting.offer), "as_now", lambda offer: replace(offer))  # edited meanwhile
    edited.prepare()
    assert any(not edited.step() for _ in range(100)) and [level for level, _ in edited.pairs()] == ["novice"]
    assert all("files were edited" in why for why in edited.refused.values()) and len(edited.refused) == 2


# ---------------------------------------------------------------- what is taken along


def test_a_saved_scenario_is_played_as_the_page_played_it(client, offers, tmp_path):
    changes = {
        "ss_counter.sturm.defence": 3,
        "mode.elite.start": {"rifleman": 5, "scout": 4, "sturm": 2},
        "rulings.may_pass": "yes",
        "tactics_card.ridge_line.effects": [{"op": "extra_dice", "cards": ["sniper"], "n": 2}],
    }
    now = {"game": "itter", "level": "elite", "set": changes}
    saved = client.post("/scenario", json={"now": now, "name": "softer-elite"}).json()
    assert saved["command"] == "bartizan run itter --scenario softer-elite.toml"
    path = tmp_path / saved["file"]
    path.write_text(saved["text"], encoding="utf-8")
    game = offers["itter"].game
    assert saved["text"].startswith('extends = "published"\nname = "softer-elite"\n')
    assert path.name == "softer-elite.toml"
    assert load_scenario(game, str(path)).hash == read_setting(offers, now).loaded.hash
    assert load_scenario(game, str(path)).difficulty == "elite"


def test_an_unforeseen_error_is_one_line(client, monkeypatch):
    monkeypatch.setattr(server, "games_document", mock.Mock(side_effect=KeyError("x")))
    answer = client.post("/games", json={})
    assert answer.status_code == 500 and answer.text.startswith("unexpected error: KeyError: 'x'")


@pytest.mark.parametrize("name", ["-", "", "../x", "a b", "x" * 99, 'a"b', None])
def test_a_saved_scenario_has_a_plain_name(client, name):
    answer = client.post("/scenario", json={"now": EASY, "name": name})
    assert answer.status_code == 400 and answer.text.startswith("name: ")


def test_a_comparison_goes_from_the_pinned_setting_to_this_one(offers):
    now = read_setting(offers, {"game": "pig", "policies": {"first": "random"}, "set": {"dice.sides": 8}})
    pinned = read_setting(offers, EASY)
    command = playing.compare_command(now, pinned, 10, 1)
    assert command.split("--set ")[1] == (
        "goal.points=30 --change goal.points=100 --change dice.sides=8 --change policy=first=random --games 10 --seed 1"
    ) or set(command.split("--set ")[1].split(" --")) == {
        "goal.points=30",
        "change goal.points=100",
        "change dice.sides=8",
        "change policy=first=random",
        "games 10",
        "seed 1",
    }


# ---------------------------------------------------------------- the interval of a difference


@pytest.mark.parametrize(("gain", "loss"), [(0.0, 0.0), (0.02, 0.0), (0.05, 0.03), (0.3, 0.2)])
def test_a_watched_difference_holds_at_every_look(gain, loss):
    """100 runs of up to 20,000 pairs, 40 looks each: one that ever leaves the truth out counts as a miss."""
    random, looks = np.random.default_rng(3), np.unique(np.geomspace(64, 20_000, 40).astype(int))
    misses = 0
    for _ in range(100):
        counts = np.zeros(3, int)
        for steps in np.diff(looks, prepend=0):
            counts += random.multinomial(steps, [gain, loss, 1 - gain - loss])
            found = watched_difference(Pairs(*map(int, counts)))
            if not found.low <= gain - loss <= found.high:
                misses += 1
                break
    assert misses / 100 <= 0.05 + 2 * (0.05 * 0.95 / 100) ** 0.5


def test_few_pairs_that_differ_lean_on_no_limit_theorem():
    none, few, many = (watched_difference(Pairs(n, 0, 2000 - n)) for n in (0, 20, 200))
    assert none.method == few.method == EXACT != many.method
    assert none.low < 0 < none.high == -none.low and none.high == pytest.approx(0.0056, abs=2e-4)
    assert 0 < few.low < 0.01 < few.high and few.low < many.low
    assert watched_difference(Pairs(0, 20, 1980)).low == pytest.approx(-few.high)


def test_page_files_are_there_and_small():
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in Path(server.PAGE).glob("*.js"))
    assert lines < 1000 and all(path.is_file() for path in server.FILES.values())


# ---------------------------------------------------------------- longer questions

PLAIN = {"game": "pig"}
NOT_ASKED = [
    ({"kind": "rm", "now": PLAIN}, "kind: use one of guesses, hit, newcomer, watch, position, report"),
    ({"kind": ["hit"], "now": PLAIN}, "kind: use one of"),
    ({"kind": "hit", "now": PLAIN}, "target: set a target band first"),
    (
        {"kind": "hit", "now": PLAIN, "target": [0.5, 0.6], "path": "../x", "low": 1, "high": 2},
        "path: the page has no number ../x",
    ),
    (
        {"kind": "hit", "now": PLAIN, "target": [0.5, 0.6], "path": "goal.points", "low": 0, "high": 2},
        "goal.points: 0 is not allowed",
    ),
    (
        {"kind": "hit", "now": PLAIN, "target": [0.5, 0.6], "path": "goal.points", "low": "1", "high": 2},
        "goal.points: 1 is not allowed",
    ),
    (
        {"kind": "hit", "now": PLAIN, "target": [0.5, 0.6], "path": "goal.points", "low": 9, "high": 2},
        "the lower end, 9.0, must be below the upper end, 2.0",
    ),
    ({"kind": "watch", "now": PLAIN, "number": -1}, "number: write the number of a game, 0"),
    ({"kind": "watch", "now": PLAIN, "number": "1.html"}, "number: write the number of a game, 0"),
    ({"kind": "report", "now": {"game": "x"}}, "game: the page has no"),
]


@pytest.mark.parametrize(("said", "why"), NOT_ASKED)
def test_a_longer_question_that_the_page_does_not_offer_is_refused_in_one_line(client, said, why):
    answer = client.post("/question", json=said)
    assert answer.status_code == 400 and why in answer.text and "\n" not in answer.text


def test_a_newcomer_takes_the_first_seat_and_the_answer_is_that_of_the_command(client, monkeypatch):
    monkeypatch.setattr(questions, "NEWCOMER_GAMES", 40)
    text = client.post("/question", json={"kind": "newcomer", "now": EASY}).text
    (answer,) = [
        json.loads(part.split("\ndata: ")[1]) for part in text.strip().split("\n\n") if part.startswith("event: answer")
    ]
    same = bz.game(PIG).run(set={"goal.points": 30}, policy=["first=newcomer", "second=hold"], games=40)
    assert answer["lines"][0] == next(iter(same.lines())) and answer["page"] is None


def test_a_page_that_was_made_is_fenced_off(client):
    text = client.post("/question", json={"kind": "watch", "now": EASY, "number": 3}).text
    (answer,) = [
        json.loads(part.split("\ndata: ")[1]) for part in text.strip().split("\n\n") if part.startswith("event: answer")
    ]
    made = client.get(f"/made/{answer['page']}")
    policy = made.headers["content-security-policy"]
    assert made.status_code == 200 and "default-src 'none'" in policy
    assert "sandbox allow-scripts" in policy
    assert "self" not in policy.replace("frame-ancestors 'self'", "")
    for other in ("nothing", "..%2f..%2fetc%2fpasswd", f"{answer['page']}.html"):
        assert client.get(f"/made/{other}").status_code == 404


def test_a_decision_of_a_watched_game_is_asked_about_and_no_file_is_read(client):
    def asked(at):
        return client.post("/question", json={"kind": "position", "now": EASY, "at": at})

    text = asked("game 3 of seed 1, decision 2").text
    assert "event: answer" in text and "decision 2 " in text, text
    for other in ("/etc/passwd", "position.toml", 7, None):
        assert asked(other).status_code == 400 and asked(other).text.startswith("at: write a decision")


# ---------------------------------------------------------------- scenarios of the user's own


def test_a_saved_scenario_is_opened_again_by_its_name(tmp_path):
    path = tmp_path / "short-pig.toml"
    path.write_text('extends = "standard"\nname = "short-pig"\n[goal]\npoints = 30\n', encoding="utf-8")
    own = offered([PIG], [str(path)])
    setting = read_setting(own, {"game": "pig"})
    assert setting.scenario == "short-pig" and setting.loaded.model.goal.points == 30
    assert game_document(setting.offer, setting.scenario, setting.unchanged)["scenarios"] == ["standard", "short-pig"]
    assert playing.setting_document(setting)["changes"][0]["path"] == "goal.points"
    assert str(path) in playing.run_command(setting, 10, 1)
    further = tmp_path / "further.toml"
    further.write_text(
        playing.scenario_file(read_setting(own, {"game": "pig", "set": {"dice.sides": 8}}), "further"), encoding="utf-8"
    )
    found = load_scenario(own["pig"].game, str(further)).model
    assert (found.goal.points, found.dice.sides) == (30, 8)


def test_a_scenario_file_that_cannot_be_offered_is_refused(tmp_path):
    path = tmp_path / "standard.toml"
    path.write_text('extends = "standard"\n', encoding="utf-8")
    for files, why in (([str(path)], "rename the file"), ([str(tmp_path / "none.toml")], "no such scenario file")):
        with pytest.raises(UsageError, match=why):
            offered([PIG], files)
    with pytest.raises(UsageError, match="no game given"):
        open_workbench([], [str(path)])


def test_a_wrong_port_or_link_is_refused_in_one_line():
    with pytest.raises(UsageError, match="--link x: contains no state"):
        open_workbench([PIG], link="x")
    with server.listening() as taken:
        taken.listen()
        with pytest.raises(UsageError, match=r"--port \d+: not available"):
            open_workbench([PIG], port=taken.getsockname()[1])
