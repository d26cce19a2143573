"""`sweep` and `report` judge what a plan claims: known answers, exit codes, refusals before a game is played.

`bands` lists who named which target.
"""

import json
import shutil

import pytest

from bartizan.simcore.sweep import looks
from tests.cli.run_cli import PIG, RUIN, bartizan, error_line, tree
from tests.oracles import pig, ruin

HEAD = f'game = "{RUIN}"\ngames = 20000\nseed = 3\n\n[set]\n"bets.win_per_mille" = [490, 500]\n'
LOSING = ruin(0.49, 10, 20)  # 0.4013
KEYS = {
    "title", "measure", "cell", "kind", "verdict", "verdict_alone", "estimate", "interval", "p", "p_adjusted",
    "games", "games_needed", "assumed", "looks", "level",
}  # fmt: skip


def claim(**keys) -> str:
    lines = [
        f"{key} = {json.dumps(value) if not isinstance(value, dict) else _inline(value)}" for key, value in keys.items()
    ]
    return "\n[[claim]]\n" + "\n".join(lines) + "\n"


def _inline(table: dict) -> str:
    return "{ " + ", ".join(f'"{key}" = {json.dumps(value)}' for key, value in table.items()) + " }"


AT = {"bets.win_per_mille": 490}
HOLDS, FAILS = claim(title="holds", set=AT, band=[0.35, 0.45]), claim(title="fails", set=AT, band=[0.45, 0.60])
OPEN = claim(title="open", set=AT, band=[0.401, 0.6])


@pytest.fixture
def plan(tmp_path):
    def write(*claims: str, head: str = HEAD, name: str = "plan.toml"):
        path = tmp_path / name
        path.write_text(head + "".join(claims), encoding="utf-8")
        return path

    return write


@pytest.mark.parametrize(
    ("claims", "code"), [([], 0), ([HOLDS], 0), ([HOLDS, FAILS], 1), ([HOLDS, OPEN], 3), ([OPEN, FAILS], 1)]
)
def test_exit_codes_of_sweep_and_report(plan, tmp_path, claims, code):
    swept = bartizan("sweep", plan(*claims), "-o", tmp_path / "games")
    assert swept.code == code, swept.err
    report = bartizan("report", tmp_path / "games", "-o", tmp_path / "page.html")
    assert report.code == code
    for verdict, said in {"PASS": HOLDS, "FAIL": FAILS, "INCONCLUSIVE": OPEN}.items():
        for out in (swept.out, report.out):
            assert sum(line.startswith(f"  {verdict} ") for line in out.splitlines()) == claims.count(said)


@pytest.mark.parametrize(("claims", "code"), [([HOLDS], 0), ([HOLDS, FAILS], 1)])
def test_merged_parts_are_judged_too(plan, tmp_path, claims, code):
    parts = [tmp_path / "1", tmp_path / "2"]
    for number, part in enumerate(parts, 1):
        assert bartizan("sweep", plan(*claims), "--shards", f"{number}/2", "-o", part).code == 0
    assert bartizan("merge", *parts, "-o", tmp_path / "whole").code == code


def test_known_answers(plan, tmp_path):
    tables = [
        claim(set=AT, band=[LOSING - 0.02, LOSING + 0.02]),
        claim(set={"bets.win_per_mille": 500}, band=[0.48, 0.52]),
        claim(order=[500, 490], over="bets.win_per_mille", by=0.08),
        claim(order=[500, 490], over="bets.win_per_mille", by=0.12),
    ]
    result = bartizan("sweep", plan(*tables), "-o", tmp_path / "games", "--json")
    rows = result.json["claims"]
    assert result.code == 1 and [row["verdict"] for row in rows] == ["PASS", "PASS", "PASS", "FAIL"]
    assert all(KEYS <= row.keys() for row in rows)
    assert [row.get("band") or row.get("order") for row in rows] == [
        [LOSING - 0.02, LOSING + 0.02],
        [0.48, 0.52],
        [500, 490],
        [500, 490],
    ]
    assert rows[0]["interval"]["low"] < LOSING < rows[0]["interval"]["high"]
    assert rows[0]["interval"]["method"] == "Wilson"
    assert rows[2]["interval"]["low"] < 0.5 - LOSING < rows[2]["interval"]["high"] and rows[2]["pairing_factor"] > 2
    assert all(row["p"] <= row["p_adjusted"] <= 4 * row["p"] * 0.05 / (1 - row["level"]) + 1e-12 for row in rows)


def test_seats_of_pig(plan, tmp_path):
    head = f'game = "{PIG}"\ngames = 20000\nseed = 5\npolicy = "hold"\n'
    tables = [
        claim(seat="first", band=[pig(20, 20) - 0.015, pig(20, 20) + 0.015]),
        claim(seat="second", band=[0.45, 0.48]),
        claim(seat="second", band=[0.5, 1.0]),
    ]
    result = bartizan("sweep", plan(*tables, head=head), "-o", tmp_path / "games", "--json")
    assert [row["verdict"] for row in result.json["claims"]] == ["PASS", "PASS", "FAIL"]


def test_orders_over_policies_of_pig(plan, tmp_path):
    head = f'game = "{PIG}"\ngames = 4000\nseed = 5\npolicy = ["hold+random", "random+hold"]\n'
    order = claim(order=["hold+random", "random+hold"], over="policy", by=0.5)
    result = bartizan("sweep", plan(order, head=head), "-o", tmp_path / "games", "--json")
    assert result.code == 0 and result.json["claims"][0]["cell"].startswith("random-hold")


def test_claims_are_no_part_of_what_is_played(plan, tmp_path):
    """Without claims the manifest says nothing of them.

    Adding some to a finished sweep plays no game again and changes no shard.
    """
    folder = tmp_path / "games"
    bartizan("sweep", plan(), "-o", folder)
    before = tree(folder)
    assert "claims" not in json.loads(before["manifest.json"])
    again = bartizan("sweep", plan(HOLDS), "-o", folder)
    after = tree(folder)
    assert again.code == 0
    assert {name for name in before if before[name] != after[name]} == {"manifest.json", "SHA256SUMS"}
    assert json.loads(after["manifest.json"])["claims"][0]["title"] == "holds"
    assert bartizan("verify", folder).code == 0
    assert bartizan("sweep", plan(), "-o", folder).code == 0
    after = tree(folder)  # the games were looked at: that stays
    assert {name for name in after if after[name] != before.get(name)} == {"looks.json", "SHA256SUMS"}


def claims_of_report(folder, page, *more) -> list[dict]:
    bartizan("report", folder, "-o", page, *more)
    return json.loads(page.read_text())["claims"]


def test_looks_are_counted_in_the_folder(plan, tmp_path):
    """More games of the same seed are the next look, at a higher level.

    The same games are the same look, to the byte, whoever asks.
    """
    folder, page, level = tmp_path / "games", tmp_path / "page.json", 0.95
    for number, games in enumerate((2000, 3000, 20000), start=1):
        command = ("sweep", plan(OPEN), "-o", folder, "--games", games, "--json")
        swept = bartizan(*command)
        (row,) = swept.json["claims"]
        assert swept.code == 3 and row["looks"] == number and swept.json["looks_counted"]
        assert row["level"] == row["interval"]["level"] > level
        assert f"look {number}" in row["finding"] or number == 1
        kept, level = tree(folder), row["level"]
        assert (
            bartizan(*command).json["claims"]
            == claims_of_report(folder, page)
            == claims_of_report(folder, page)
            == [row]
        )
        assert tree(folder) == kept
    assert bartizan("verify", folder).code == 0


def test_other_claims_about_the_same_games_pay_for_earlier_looks(plan, tmp_path):
    folder = tmp_path / "games"
    bartizan("sweep", plan(OPEN), "-o", folder, "--games", "2000")
    bartizan("sweep", plan(), "-o", folder)
    other = claim(set={"bets.win_per_mille": 500}, band=[0.4, 0.6])
    rows = claims_of_report(folder, tmp_path / "p.json", "--claims", plan(HOLDS, other, name="later.toml"))
    assert [row["looks"] for row in rows] == [2, 1], "nothing was claimed of the second cell before"


def test_copies_and_merged_folders_take_their_looks_along(plan, tmp_path):
    whole = tmp_path / "whole"
    bartizan("sweep", plan(OPEN), "-o", whole, "--games", "2000")
    bartizan("sweep", plan(OPEN), "-o", whole)
    shutil.copytree(whole, tmp_path / "copy")
    assert [row["looks"] for row in claims_of_report(tmp_path / "copy", tmp_path / "p.json")] == [2]
    merged = bartizan("merge", whole, "-o", tmp_path / "merged", "--json")
    assert [row["looks"] for row in merged.json["claims"]] == [2]
    assert tree(tmp_path / "merged")["looks.json"] == tree(whole)["looks.json"]


def test_a_look_that_cannot_be_recorded_is_said(plan, tmp_path, monkeypatch):
    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(looks.store, "write_beside", refuse)
    result = bartizan("sweep", plan(OPEN), "-o", tmp_path / "games", "--games", "2000")
    assert result.code == 3 and "looks.json: cannot be written" in result.out


def test_a_report_judges_the_claims_of_a_file(plan, tmp_path, wording):
    folder = tmp_path / "games"
    bartizan("sweep", plan(HOLDS), "-o", folder)
    before = tree(folder)
    later = plan(FAILS, claim(set=AT, preset="coop-hard"), name="later.toml")
    for form in ("html", "md"):
        result = bartizan("report", folder, "-o", tmp_path / f"page.{form}", "--claims", later)
        page = (tmp_path / f"page.{form}").read_text(encoding="utf-8")
        assert result.code == 1 and "added after the games were simulated" in result.out
        assert "later.toml" in page and "Band: " in page
    assert tree(folder) == before
    assert (
        error_line(bartizan("report", folder, "-o", tmp_path / "p.html", "--claims", plan(name="none.toml"))) == wording
    )
    assert (
        error_line(bartizan("report", folder, "-o", tmp_path / "p.html", "--claims", tmp_path / "gone.toml")) == wording
    )


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (claim(band=[0.1, 0.2], bnad=1), 'claim 1: bnad: unknown key; did you mean "band"?'),
        (claim(band=[0.1, 0.2], set={"bets.win_per_mille": 510}), "claim 1: set: no cell has bets.win_per_mille=510"),
        (
            HOLDS + claim(band=[0.1, 0.2], policy="rundom"),
            'claim 2: policy: no cell has rundom; did you mean "random"?',
        ),
        (claim(preset="coop-frist-play"), 'did you mean "coop-first-play"?'),
        ("\n[claim]\nband = [0.1, 0.2]\n", "write [[claim]] above each"),
    ],
)
def test_refused_before_a_game_is_played(plan, tmp_path, said, why):
    for more in ([], ["--dry-run"]):
        result = bartizan("sweep", plan(said), "-o", tmp_path / "games", *more)
        line = error_line(result)
        assert result.code == 2 and why in line and "plan.toml" in line
    assert not (tmp_path / "games").exists()


def test_bands():
    listed = bartizan("bands")
    assert listed.code == 0 and "coop-first-play" in listed.out and "Leacock" in listed.out
    rows = bartizan("bands", "--json").json["bands"]
    assert {"name", "band", "whose", "about", "source", "confidence"} == rows[0].keys()
    assert any(row["confidence"] == "assumed" for row in rows)
