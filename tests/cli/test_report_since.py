"""`report DIR --since EARLIER`: what moved, what differs, what cannot be compared."""

import json
import re
from dataclasses import replace

import pytest

from bartizan.analyses.records import comparison
from bartizan.analyses.records.comparison import changes_since
from bartizan.analyses.records.seating import LineUp
from bartizan.analyses.statistics.intervals import newcombe, proportion
from bartizan.analyses.statistics.testing import jointly
from bartizan.reports.pages import sweep as of_sweep
from bartizan.reports.pages.parts import since
from bartizan.reports.study import study
from bartizan.reports.text import words
from bartizan.simcore.sweep.store import open_sweep
from tests.cli.run_cli import PIG, RUIN, bartizan, error_line, tree


def sweep(folder, *more, game=RUIN, games=600):
    assert bartizan("sweep", game, "--games", games, *more, "-o", folder).code == 0
    return folder


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Then, and now: all of it with a better coin, one start given up and one new."""
    root = tmp_path_factory.mktemp("since")
    return sweep(root / "then", "--set", "bets.start=9,10,12"), sweep(
        root / "now", "--set bets.start=9,10,14 --set bets.win_per_mille=500"
    )


def told(then, now):
    """The study of `now` with what has changed."""
    opened = open_sweep(now)
    return study(replace(opened, manifest={**opened.manifest, "since": str(then)}))


def test_one_interval_that_is_adjusted_for_other_tables_says_so():
    alone = newcombe(proportion(60, 100), proportion(40, 100))
    adjusted = jointly(lambda level: newcombe(proportion(60, 100, level), proportion(40, 100, level)), 1, families=3)
    assert adjusted.low < alone.low and words.together(alone, 1, "lines") == words.together(alone, 0, "lines")
    assert (
        words.together(adjusted, 1, "lines")
        == f"{words.together(alone, 1, 'lines')}, simultaneous with other comparisons"
    )


def test_differences_are_those_of_compare(played):
    then, now = map(open_sweep, played)
    found = changes_since(then, now)
    assert [(one.before.set["bets.start"], one.after.set["bets.start"]) for one in found.moved] == [(9, 9), (10, 10)]
    for one in found.moved:
        own = comparison.of_line_ups(LineUp((one.before,)), LineUp((one.after,)))
        assert (one.difference, one.p) == (own.difference, own.p) and one.is_clear and one.adjusted >= one.p
        assert one.difference.estimate == pytest.approx(one.shares[1].estimate - one.shares[0].estimate)
    assert [cell.set["bets.start"] for cell in (*found.only_before, *found.only_after)] == [12, 14]


def test_with_other_luck_the_sides_are_independent(tmp_path):
    then, now = sweep(tmp_path / "then"), sweep(tmp_path / "now", "--seed", 2, games=900)
    (one,) = changes_since(*map(open_sweep, (then, now))).moved
    assert one.difference == newcombe(one.shares[1], one.shares[0]) and one.turns is None and not one.is_paired
    assert one.games == (600, 900)
    said = " ".join(since.sections(told(then, now))[0].findings)
    assert "Seed 2, earlier 1: the games are independent." in said


def test_the_page_says_first_what_changed(played, tmp_path):
    then, now = played
    for form in ("html", "md", "json"):
        assert bartizan("report", now, "--since", then, "-o", tmp_path / f"r.{form}").code == 0
    html, text = ((tmp_path / f"r.{form}").read_text(encoding="utf-8") for form in ("html", "md"))
    assert re.findall("<h2>(.*?)</h2>", html)[0].startswith(f"Since {then}: 2 of 2 win rates changed, most for ")
    assert text.index("## Since") < text.index("## Won, drawn, lost")
    for page in (html, text):
        assert "Bets, Win per mille: 500, earlier 490." in page
        assert f"Only in {then}, so not compared: Standard, random, Bets, Start 12." in page
        assert f"Not in {then}, so not compared: Standard, random, Bets, Start 14." in page
    data = json.loads((tmp_path / "r.json").read_bytes())["since"]
    assert [row["name"] for row in data["moved"]] == [
        "Standard, random, Bets, Start 9",
        "Standard, random, Bets, Start 10",
    ]
    assert data["folder"] == str(then) and all(row["difference"]["low"] > 0 for row in data["moved"])
    table = of_sweep.page(told(then, now)).part("Every number").tables[0]
    assert table.title == f"Changes since {then}" and len(table.rows) == 2 and table.title in html


def test_nothing_changed_is_said_so(played):
    found = told(played[0], played[0])
    (section,) = since.sections(found)
    assert "none of 3 win rates changed significantly" in section.title and not section.findings
    assert all(one.is_same for one in found.since.moved)
    assert section.figures[0].svg().count("all 600 games identical") >= 3


def test_players_and_code_that_differ_are_named(tmp_path):
    then, now = (
        sweep(tmp_path / name, "--policy", f"hold:at={at}", game=PIG, games=60)
        for name, at in (("then", 20), ("now", 25))
    )
    for folder, changes in ((then, {"behaviour": 0, "versions": {"bartizan": "0.0.9"}}), (now, {})):
        manifest = json.loads((folder / "manifest.json").read_bytes()) | changes
        for cell in manifest["cells"]:
            for policy in cell["policies"]:
                policy["name"] = "hold"  # as for weights of a file of the same name
        (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    said = " ".join(since.sections(told(then, now))[0].findings)
    for part in (
        "The rules code changed: behaviour version 1, earlier 0",
        "Bartizan 0.1.0, earlier 0.0.9.",
        "hold has different weights: at 25, earlier 20.",
    ):
        assert part in said, part


def test_what_cannot_be_earlier_is_refused(played, tmp_path):
    now = played[1]
    pig = sweep(tmp_path / "pig", game=PIG, games=20)
    both = tmp_path / "both"
    assert bartizan("compare", RUIN, "--change", "bets.goal=22", "--games", 50, "-o", both).code == 0
    before = tree(now)
    for folder, earlier, says in (
        (now, pig, f"--since {pig}: contains another game (pig, not ruin)"),
        (now, both, f"--since {both}: contains a comparison; choose one of its sides, such as {both / 'a'}"),
        (now, tmp_path / "gone", "no such folder"),
        (both, now, f"--since: {both} contains a comparison, which already reports a change"),
    ):
        result = bartizan("report", folder, "--since", earlier, "-o", tmp_path / "r.html")
        assert result.code == 2 and says in error_line(result)
    assert tree(now) == before and not (tmp_path / "r.html").exists()
