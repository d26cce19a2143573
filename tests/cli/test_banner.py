"""On the command line a reconstruction says so first, and a published game has nothing to say."""

import json
import re
from html import escape

import pytest

from bartizan.api.answers import check_here
from bartizan.reports.text import banner as words
from tests.cli.run_cli import bartizan

SAID = "RECONSTRUCTION: the printed card list of Castle Rampage is not public"
HOW_FAR = "to measure their effect on the result: bartizan sensitivity rampage --assumed"
TEXTS = [
    ("run", "--policy", "random", "--games", 20),
    ("trace", "--policy", "random"),
    ("describe",),
    ("describe", "--knobs"),
    ("cards",),
    ("check",),
]


def of(game, args):
    command, *rest = args
    result = bartizan(command, game, *rest)
    assert result.code == 0, result.err
    return result


@pytest.mark.parametrize("args", TEXTS, ids=lambda args: " ".join(map(str, args)))
def test_a_text_opens_with_it_and_says_it_once_and_its_document_has_it_as_a_key(args, monkeypatch):
    monkeypatch.setattr(
        check_here, "check_game", lambda *_: []
    )  # what follows it is held by tests/property/test_conformance.py
    rampage, castle = (of(game, args) for game in ("rampage", "castle"))
    first = rampage.out.splitlines()[0]
    assert first.startswith(SAID) and "values of this scenario are assumed" in first and rampage.out.count(SAID) == 1
    assert SAID not in castle.out
    if args[0] != "check" and "--knobs" not in args:
        banner = rampage.json["banner"]
        assert banner["text"].startswith(SAID) and 0 < banner["assumed"] < banner["of"] and banner["changed"] == 0
        assert "banner" not in castle.json


def test_what_the_user_changed_is_counted():
    banner = of("rampage", ("run", "--policy", "random", "--games", 20, "--set", "turn.draw=3", "--json")).json[
        "banner"
    ]
    assert banner["changed"] == 1
    assert "1 was changed by the user" in of("rampage", ("describe", "--set", "turn.draw=3")).out


def test_a_sweep_keeps_it_for_its_report(tmp_path):
    folder = tmp_path / "out"
    swept = of("rampage", ("sweep", "--policy", "random", "--set", "turn.draw=2,3", "--games", 60, "-o", folder))
    assert swept.out.splitlines()[0].startswith(SAID) and swept.out.count(SAID) == 1
    documents = of(
        "rampage", ("sweep", "--policy", "random", "--set", "turn.draw=2,3", "--games", 60, "-o", folder, "--json")
    ).json
    assert [cell["banner"]["changed"] for cell in documents["cells"]] == [0, 1] and documents["banner"]["changed"] == 1
    reported = {suffix: tmp_path / f"r.{suffix}" for suffix in ("html", "md", "json")}
    for path in reported.values():
        assert bartizan("report", folder, "-o", path).code == 0
    page, text = (reported[suffix].read_text(encoding="utf-8") for suffix in ("html", "md"))
    banner = json.loads(reported["json"].read_text())["banner"]
    assert banner == documents["banner"]
    influence = (
        words.lines(banner, "rampage")[2].removeprefix("The most influential known assumption, ").replace(" -> ", " → ")
    )
    what, by = map(escape, influence.rsplit(" by ", 1))
    what = f"&#34;{what.replace(', changes', '&#34; changes')}"
    assert 'class="banner"' in page and page.count(SAID) == 1
    assert re.search(f"{re.escape(what)} from [^.]* to [^.]*, by {re.escape(by)}", page)
    assert SAID in text.splitlines()[2]


def test_numbers_nobody_has_looked_into_name_the_command():
    assert of("rampage", ("describe", "--set", "turn.draw=3")).out.splitlines()[0].endswith(HOW_FAR)


def test_the_report_of_castle_has_none(tmp_path):
    of("castle", ("sweep", "--policy", "plain", "--games", 60, "-o", tmp_path / "out"))
    assert "banner" not in (tmp_path / "out" / "manifest.json").read_text()
    for suffix in ("html", "md", "json"):
        assert bartizan("report", tmp_path / "out", "-o", tmp_path / f"r.{suffix}").code == 0
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert 'class="banner"' not in page and "RECONSTRUCTION" not in page
    assert "banner" not in json.loads((tmp_path / "r.json").read_text())


def test_draws_are_shown_as_draws_and_nobody_goes_out(tmp_path):
    of("rampage", ("sweep", "--policy random+greedy --policy random --rotate --games 400 -o", tmp_path / "out"))
    assert bartizan("report", tmp_path / "out", "-o", tmp_path / "r.html").code == 0
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "How do games end?" in page and "“turn limit”, a draw" in page and "<h2>How games end</h2>" in page
    assert "Who goes out first" not in page and "Places by seat" not in page and "Changes of the lead" not in page
