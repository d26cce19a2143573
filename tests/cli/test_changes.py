"""A changed game says so before its first number: every command, every format."""

import json
import re
from html import unescape
from itertools import product

import pytest
from pypdf import PdfReader

from tests.cli.run_cli import PIG, ROOT, RUIN, bartizan, few_pilot_games, words
from tests.cli.test_cards import HIGHEST
from tests.cli.test_equilibrium import DOORS

START = ("--set", "bets.start=12")
STARTS = "Bets, Start 10 -> 12"
DECK = ("--scenario", str(ROOT / "examples/my-deck.toml"))
IN_DECK = "Axe man card, Attack 2 -> 4; Archer card, On play: opp discard random 1 -> draw 1; Ballista card added"

COMMANDS = [  # what is asked, the difference in words
    (("run", RUIN, *START, "--games", 60), STARTS),
    (("run", RUIN, *START, "--games", 60, "--luck-adjusted"), STARTS),
    (("run", RUIN, *START, "--games", 60_000, "--precision", "5pp"), STARTS),
    (("sweep", RUIN, *START, "--games", 60, "-o", "OUT"), STARTS),
    (("sweep", RUIN, "--set", "bets.start=12", "--set", "bets.goal=20,22", "--games", 60, "-o", "OUT"), STARTS),
    (("trace", RUIN, *START), STARTS),
    (("describe", RUIN, *START), STARTS),
    (("describe", RUIN, *START, "--knobs"), STARTS),
    (("compare", RUIN, *START, "--change", "bets.goal=22", "--games", 60), STARTS),
    (("compare", RUIN, *START, "--change", "bets.goal=22", "--games", 60, "--luck-adjusted"), STARTS),
    (("compare", RUIN, *START, "--change", "bets.goal=22", "--games", 2000, "--test", "B - A < -2pp"), STARTS),
    (("sensitivity", RUIN, *START, "--games", 60, "--decks", 2), STARTS),
    (("sensitivity", RUIN, *START, "--games", 60, "--decks", 0, "--effects", 2, "--settings", 20), STARTS),
    (
        ("tune", RUIN, *START, "--knob", "bets.goal=18:24", "--target", "win_rate=0.4", "--games", 200, "--fresh", 200),
        STARTS,
    ),
    (
        (
            "tune",
            RUIN,
            *START,
            "--knob bets.goal=18:24 --knob bets.win_per_mille=480:500 --target win_rate=0.4 --games 100",
            "--trials 5 --fresh 100",
        ),
        STARTS,
    ),
    (("tune", RUIN, *START, "--target", "win_rate=0.4", "--games", 100, "--fresh", 100), STARTS),
    (("ladder", RUIN, *START, "--policy", "random", "--policy", "random:noise=0.5", "--games", 60), STARTS),
    (("losses", RUIN, *START, "--games", 60, "--pilot", 5, "--rollouts", 200), STARTS),
    (("rare", RUIN, *START, "--event", "RARE", "--trajectories", 20, "--replicates", 5), STARTS),
    (
        (
            "equilibrium",
            DOORS,
            "--set",
            "doors.per_mille=[[200, 900], [800, 400]]",
            "--rounds 1 --generations 1 --games 20 --fresh 100",
        ),
        "Doors, Per mille:",
    ),
    (("run", PIG, "--set", "goal.points=50", "--games", 60), "a goal of 100 points -> a goal of 50 points"),
    (("cards", HIGHEST, "--set", "deck.copies=[1, 3, 4]"), "Deck, Copies:"),
    (("cards", HIGHEST, "--value", "--set", "deck.copies=[1, 3, 4]", "--games", 60), "Deck, Copies:"),
    (("cards", HIGHEST, "--usage", "--set", "deck.copies=[1, 3, 4]", "--games", 60), "Deck, Copies:"),
    (
        ("odds", "castle", "--attack", "10", "--defend", "K", "--set", "king.defence_dice=2", "--games", 100),
        "King, Defence dice 3 -> 2",
    ),
    (
        ("odds", "stake-or-wait", "--players", 2, "--set", "hand.limit=4", "--games", 4, "--futures", 2),
        "Hand, Limit 3 -> 4",
    ),
    (
        ("run", "itter", "--policy", "random", "--set", "rulings.tokens_persist=cleared", "--games", 20),
        "Ruling tokens persist: kept -> cleared",
    ),
    (
        ("trace", "itter", "--policy", "random", "--set", "rulings.tokens_persist=cleared"),
        "Ruling tokens persist: kept -> cleared",
    ),
    (("run", "rampage", *DECK, "--policy", "random", "--games", 20), IN_DECK),
    (("describe", "rampage", *DECK), IN_DECK),
    (("cards", "rampage", *DECK), IN_DECK),
    (("compare", "rampage", "--policy", "random", "--change", f"scenario={DECK[1]}", "--games", 20), IN_DECK),
]


def name(case):
    (command, game, *rest), _ = case
    return "-".join(
        [
            command,
            game.rsplit("/", 1)[-1],
            *(word.lstrip("-").split("=")[0] for word in words(rest) if word.startswith("--") and word != "--games"),
        ]
    )


def asked(args, tmp_path):
    if "RARE" in args:
        rows = bartizan("rare", args[1], "--json")
        assert rows.code == 0, rows.err
        args = [rows.json["events"][0]["event"] if word == "RARE" else word for word in args]
    return [tmp_path / "out" if word == "OUT" else word for word in args]


def without_banner(out: str) -> str:
    """What a reconstruction must say in any case counts its data, not results."""
    return "\n".join(line for line in out.splitlines() if not line.startswith("RECONSTRUCTION"))


@pytest.mark.parametrize("case", COMMANDS, ids=name)
def test_a_text_and_its_document_name_the_difference_before_their_first_number(case, tmp_path):
    args, said = case
    with few_pilot_games():
        result = bartizan(*asked(args, tmp_path))
    assert result.code in (0, 1, 3), result.err
    out = without_banner(result.out).replace("B - A < -2pp", "")  # what --test asks is no result
    assert said in out, out[:400]
    assert not re.search(r"\d", out[: out.index(said)].replace("assumed-v1", "").replace("1973", "")), out[:400]
    if "--knobs" not in args:
        looked_at(result.document, said, is_new_scenario=any("scenario=" in str(word) for word in args))


def looked_at(out, said, is_new_scenario):
    """Of a document."""
    what = '"what": "' + re.split(r" \d|:", said)[0] if "goal of" not in said else '"what": "Goal, Points"'
    if is_new_scenario:
        out = out[out.index('"change": [') :]
    assert what in out, out[:400]
    assert not re.search(r'": -?\d', out[: out.index(what)]), out[:400]
    if not is_new_scenario:
        rows = json.loads(out)["changes"]
        assert rows and {"path", "what", "from", "to", "confidence"} <= set(rows[0])


def test_a_game_as_published_names_none(tmp_path):
    run = bartizan("run", RUIN, "--games", 60)
    assert "changed" not in run.out
    assert bartizan("run", RUIN, "--set", "bets.start=10", "--games", 60, "--json").json["changes"] == []
    bartizan("sweep", RUIN, "--games", 60, "-o", tmp_path / "out")
    assert "changes" not in (tmp_path / "out" / "manifest.json").read_text()


# ---------------------------------------------------------------- pages


def page_of(folder, path) -> str:
    assert bartizan("report", folder, "-o", path).code == 0
    text = path.read_text(encoding="utf-8").replace("\u00a0", " ").replace("→", "->")
    if path.suffix == ".html":
        text = unescape(re.sub(r"<[^>]*>", " ", re.sub(r"<style>.*?</style>", "", text, flags=re.S)))
    return text


PAGES = {
    "one value": ((RUIN, "--set", "bets.start=12"), ["Gambler's ruin, changed: Bets, Start 10 -> 12"]),
    "several values": (
        (RUIN, "--set", "bets.start=9,10,12"),
        ["Changed in some of the settings below: Bets, Start: 9 and 12 instead of 10"],
    ),
    "both": (
        (RUIN, "--set", "bets.win_per_mille=500", "--set", "bets.start=10,12"),
        ["ruin, changed: Bets, Win per mille 490 -> 500", "settings below: Bets, Start 10 -> 12"],
    ),
    "two sides": ((PIG, "--set", "goal.points=50"), ["Pig, changed: a goal of 100 points -> a goal of 50 points"]),
    "a reading": (
        ("itter", "--policy", "random", "--set", "rulings.tokens_persist=cleared"),
        ["Castle Itter (published), changed: Ruling tokens persist: kept -> cleared"],
    ),
    "a deck": (("rampage", "--policy", "random", *DECK), [f"my deck, changed: {IN_DECK}"]),
}


@pytest.fixture(scope="module")
def swept(tmp_path_factory):
    folders = {}
    for key, (args, _) in PAGES.items():
        folders[key] = tmp_path_factory.mktemp("changed") / "out"
        assert bartizan("sweep", *args, "--games", 40, "-o", folders[key]).code == 0
    return folders


@pytest.mark.parametrize(  # the other forms render the same titles: one with all kinds of change, one with a banner
    ("key", "suffix"), [*((key, "html") for key in PAGES), *product(("both", "a deck"), ("md", "json"))]
)
def test_a_page_names_the_difference_before_its_first_number(swept, key, suffix, tmp_path):
    text = page_of(swept[key], tmp_path / f"r.{suffix}")
    if suffix == "json":
        document = json.loads(text)
        assert list(document)[:4] == ["schema", "title", "changes", "changed_in_some"]
        assert document["changes"] or document["changed_in_some"]
        assert all(list(cell)[: list(cell).index("games")].count("changes") == 1 for cell in document["cells"])
        return
    for said in PAGES[key][1]:
        assert said in text, text[:600]
        before = text[: text.index(said)].replace("assumed-v1", "")
        for earlier in PAGES[key][1]:
            before = before.replace(earlier, "")
        before = re.sub(r"RECONSTRUCTION.*", "", before)
        assert not re.search(r"\d", re.sub(r"\d+ -> \d+", "", before)), before[:400]


def test_every_answer_heading_and_picture_of_a_changed_game_says_so(swept, tmp_path):
    html, md = (page_of(swept["one value"], tmp_path / f"r.{suffix}") for suffix in ("html", "md"))
    raw = (tmp_path / "r.html").read_text(encoding="utf-8")
    drawn = [one for one in raw.split("<section ")[2:] if "<h2>" in one and "<figure>" in one]
    assert len(drawn) >= 2
    for section in drawn:
        assert "changed: Bets, Start 10 → 12" in section[: section.index("<figure>")]
    for heading in md.split("\n## ")[1:]:
        assert "changed: Bets, Start 10 -> 12" in heading[:200]
    assert "With Bets, Start 12 instead of 10: " in html and "With Bets, Start 12 instead of 10: " in md


def test_cells_of_one_setting_are_told_apart_by_whose_value_it_is(tmp_path):
    folder = tmp_path / "out"
    args = (
        "itter",
        "--policy random --set ss_counter.sturm.defence=3,5 --set ss_counter.scout.defence=4,2 --games 30 -o",
        folder,
    )
    lines = bartizan("sweep", *args).out.splitlines()
    assert lines[0].startswith("Novice, random, Assault counter, Defence 3; Scout counter, Defence 4 ")
    assert sorted(path.name for path in (folder / "cells").iterdir())[0] == "random.sturm.defence-3.scout.defence-2"
    text = page_of(folder, tmp_path / "r.html")
    assert "Assault counter, Defence 3; Scout counter, Defence 2" in text
    assert "Scout counter, Defence 2; Assault" not in text
    assert "Assault counter, Defence 5 -> 3; Scout counter, Defence 4 -> 2" in text


def test_a_suggested_command_quotes_the_folder(tmp_path):
    folder = tmp_path / "my results, (2)"
    assert f"report '{folder}' -o report.html" in bartizan("run", RUIN, "--games", 50, "-o", folder).out
    (games := tmp_path / "my games.csv").write_text("seed,winner,turns\n1,1,3\n2,1,4\n")
    assert f"report '{tmp_path / 'my records'}' -o" in bartizan("import", games, "-o", tmp_path / "my records").out
    games.write_text("seed,turns\n1,3\n")
    assert f"bartizan import '{games}' --suggest" in bartizan("import", games, "-o", tmp_path / "none").err


# ---------------------------------------------------------------- before and after


@pytest.fixture(scope="module")
def compared(tmp_path_factory):
    folder = tmp_path_factory.mktemp("compared") / "out"
    result = bartizan("compare", RUIN, "--set bets.goal=22 --change bets.start=12 --games 2000 -o", folder)
    assert result.code == 0 and f"Next: bartizan report {folder} -o report.html" in result.out
    return folder


@pytest.mark.parametrize("suffix", ["html", "md"])
def test_a_comparison_is_reported_as_before_and_after(compared, suffix, tmp_path):
    text = re.sub(r"\s+", " ", page_of(compared, tmp_path / f"c.{suffix}"))
    change = "Gambler's ruin: Bets, Start 12 instead of 10"
    assert change in text and not re.search(r"\d", text[: text.index(change)])
    assert "Both sides use a changed game: Bets, Goal 20 -> 22." in text
    document = json.loads((compared / "compare.json").read_text())
    for side in ("a", "b"):
        assert f"{document['headline'][side]['estimate'] * 100:.0f} %" in text
    assert f"{document['difference']['estimate'] * 100:+.1f} percentage points" in text
    for part in (
        "Paired differences",
        "Pairing factor",
        "p (adjusted)",
        "2,000 games per side, on common random numbers",
        "Benjamini and Hochberg",
        "bartizan compare",
        "--change bets.start=12",
    ):
        assert part in text, part
    assert ("Before and after" in text) or suffix == "md"


def test_as_data_it_is_the_document_of_the_comparison(compared, tmp_path):
    assert bartizan("report", compared, "-o", tmp_path / "c.json").code == 0
    found = json.loads((tmp_path / "c.json").read_text(encoding="utf-8"))
    assert found["schema"] == "bartizan.compare/1"
    assert {**found, **json.loads((compared / "compare.json").read_text())} == found


def test_a_comparison_that_is_not_about_its_games_is_refused(compared, tmp_path):
    path = compared / "compare.json"
    whole = path.read_text()
    try:
        for broken, said in (
            (whole.replace('"games": 2000', '"games": 1999'), "does not describe the games"),
            (whole[:200], "damaged"),
        ):
            path.write_text(broken)
            result = bartizan("report", compared, "-o", tmp_path / "r.html")
            assert result.code == 4 and said in result.err and "Traceback" not in result.err
    finally:
        path.write_text(whole)
    assert bartizan("report", compared, "-o", tmp_path / "r.html", "--claims", "x.toml").code == 2


def test_a_comparison_on_paper(compared, tmp_path):
    assert bartizan("report", compared, "-o", tmp_path / "c.pdf", "--paper", "letter").code == 0
    pages = PdfReader(tmp_path / "c.pdf").pages
    text = re.sub(r"\s+", " ", " ".join(page.extract_text() for page in pages))
    for part in (
        "Gambler's ruin: Bets, Start 12 instead of 10",
        "Both sides use a changed game",
        "Paired differences",
        "--change bets.start=12",
    ):
        assert part in text, part


# ---------------------------------------------------------------- alike seats


def test_of_alike_seats_a_comparison_opens_with_the_wins_and_names_what_moved(tmp_path):
    """Another goal of Pig is the same for both players: it moves the length of a game more than who wins.

    The wins were chosen before the games and lead; what moved most was chosen after them, and its wider interval
    says so.
    """
    asked = ("compare", PIG, "--change", "goal.points=50", "--games", 2000, "-o", tmp_path / "out")
    page = bartizan(*asked, "--json")
    sentence, turns = page.json["sentence"], page.json["effects"][2]
    assert page.json["moved"][0] == "turns" == turns["name"]
    wins, _, other = sentence.partition("; clearest other change: turns −")
    assert "the first seat's win rate" in wins and "simultaneous" not in wins
    assert other.count("simultaneous for all measures") == 1 and turns["joint"]["low"] < turns["difference"]["low"]
    assert bartizan("report", tmp_path / "out", "-o", tmp_path / "c.md").code == 0
    text = (tmp_path / "c.md").read_text(encoding="utf-8")
    chart = text.partition("**Limits of this report")[0]
    assert "**The first seat's win rate" in chart and "- Turns −" in chart and "simultaneous for all" in chart
    assert "Each interval is a 95\N{NO-BREAK SPACE}% interval for its measure alone" in text
    assert "a 95\N{NO-BREAK SPACE}% interval for each row by itself" in text


def test_where_nothing_moves_it_says_what_would_have_been_seen():
    document = bartizan("compare", PIG, "--change", "goal.points=101", "--games", 40, "--json").json
    assert document["moved"] == []
    assert "the first seat's win rate does not change significantly: " in document["sentence"]
    assert "; no other measure changes significantly." in document["sentence"]
    assert re.search(
        r"power is 80\s% for a change of the first seat's win rate by \d+ percentage points, turns by \S+",
        document["method"],
    )
