"""Commands of older versions: they answer as the command of today does, and name it on stderr."""

import json
import re

import pytest

from bartizan import cli
from tests.cli.run_cli import PIG, ROOT, bartizan

SHEET = ROOT / "examples/plays/made-up-deutsch.csv"
FIGHT = ["--attack", "10", "--defend", "K", "--queen", "dead"]
SAME = {  # older command -> its words, those of today, and the part of today's document that is the older one ("": all)
    "games": ([], ["describe"], ""),
    "policies": ([PIG], ["describe", PIG, "--policies"], "policies modifiers acts"),
    "bands": ([], ["describe", "--bands"], ""),
    "best": ([PIG], ["describe", PIG, "--policies"], "best history"),
    "sweep": (
        [PIG, "--set", "goal.points=30,50", "--games", 40, "-o", "OUT"],
        ["run", PIG, "--set", "goal.points=30,50", "--games", 40, "-o", "OUT"],
        "changes cells claims",
    ),
    "merge": (
        ["part1", "part2", "-o", "OUT"],
        ["import", "part1", "part2", "-o", "OUT"],
        "merged shards games cells claims",
    ),
    "export": (["whole", "-o", "games.csv"], ["report", "whole", "-o", "games.csv"], ""),
    "verify": (["whole"], ["check", "whole"], "lines"),
    "refresh": ([PIG], ["check", PIG, "--refresh"], ""),
    "bench": (["nosuch"], ["doctor", "nosuch", "--bench"], ""),
    "warm": (["nosuch"], ["doctor", "nosuch", "--warm"], ""),
    "rare": (["itter"], ["chance", "itter"], ""),
    "odds do-or-die": (
        ["--distance", 40, "--cap", 3, "--card", 3, "--games", 500],
        ["chance", "colditz", "--event do-or-die --with distance=40 --with cap=3 --with card=3 --games 500"],
        "",
    ),
    "odds staff-car": (["--games", 500], ["chance", "colditz", "--event", "staff-car", "--games", 500], ""),
    "odds appel": (
        ["--distance", 12, "--games", 500],
        ["chance", "colditz", "--event", "appel", "--with", "distance=12", "--games", 500],
        "",
    ),
    "odds shoot-to-kill": (
        ["--distance", 20, "--talisman", "--games", 500],
        ["chance", "colditz", "--event shoot-to-kill --with distance=20 --with talisman=yes --games 500"],
        "",
    ),
    "odds castle": (
        [*FIGHT, "--games", 500],
        ["chance", "castle", "--event fight --with attack=10 --with defend=K --with queen=dead --games 500"],
        "",
    ),
    "odds stake-or-wait": (
        ["--within", 5],
        ["chance", "colditz", "--event", "stake-or-wait", "--with", "within=5"],
        "",
    ),
    "skill install": (["--to", "mine"], ["new", "skill", "mine"], "lines"),
    "playtest template": (
        [SHEET, "-o", "OUT.toml"],
        ["playtest", "import", SHEET, "-o", "OUT.toml"],
        "columns headings unknown unused",
    ),
}
CLOCK = {"seconds", "games_per_second"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A run, and the two parts of it."""
    folder = tmp_path_factory.mktemp("old-names")
    words = ["run", PIG, "--set", "goal.points=30,50", "--games", 40]
    for name, more in {"whole": [], "part1": ["--shards", "1/2"], "part2": ["--shards", "2/2"]}.items():
        assert bartizan(*words, *more, "-o", folder / name).code == 0
    return folder


def timeless(part):
    if isinstance(part, dict):
        return {key: timeless(value) for key, value in part.items() if key not in CLOCK}
    return [timeless(one) for one in part] if isinstance(part, list) else part


def test_every_older_name_is_compared():
    assert set(SAME) == {words for words, question in cli.every_question().items() if question.instead}


@pytest.mark.parametrize("name", SAME)
def test_an_older_name_answers_as_the_command_of_today(name, folder, monkeypatch):
    monkeypatch.chdir(folder)
    words, today, part = SAME[name]
    out = name.replace(" ", "-")
    older, newer = (
        bartizan(*(str(word).replace("OUT", f"{out}-{kind}") for word in line), "--json")
        for kind, line in {"old": [*name.split(), *words], "new": today}.items()
    )
    said = [line for line in older.err.splitlines() if " was replaced by: " in line]
    assert said == [f"bartizan {name} was replaced by: bartizan {cli.every_question()[name].instead}"]
    assert " was replaced by: " not in newer.err and older.code == newer.code
    if older.code:
        assert not older.out and older.err.splitlines()[-1].startswith("error: ")
        return
    first, second = (timeless(json.loads(answer.out)) for answer in (older, newer))
    assert (first == second) if not part else all(first[key] == second[key] for key in part.split())


def test_the_help_lists_24_commands_in_five_sections():
    page = bartizan("--help").out
    listed = re.findall(r"^  ([a-z]+) {2,}\S", page.partition("Simulate and inspect:")[2], re.M)
    assert set(listed) == {words.split()[0] for words, question in cli.every_question().items() if not question.instead}
    assert len(listed) == len(set(listed)) <= 24
    assert re.findall(r"^(\S.*):$", page, re.M)[-5:] == [str(section) for section in cli.HelpSection]


def test_the_help_of_an_older_name_is_that_of_its_command():
    assert "Example: bartizan odds appel --distance 12" in bartizan("odds", "appel", "--help").out
    assert "template" not in bartizan("playtest", "--help").out and "form" in bartizan("playtest", "--help").out


def test_no_text_recommends_an_older_name():
    """Except the examples in the help of the older commands, and the commands of kept results, which never change."""
    older = [words for words, question in cli.every_question().items() if question.instead]
    recommended = re.compile(rf"bartizan (?:{'|'.join(map(re.escape, older))})\b")
    of_themselves = re.compile(r'^(?: {4}example|command) = "|"command": "bartizan ', re.M)
    rooms = ["analyses", "api", "assistant", "docs", "examples", "policies", "reports", "simcore", "workbench"]
    paths = [ROOT / "README.md", *(path for room in rooms for path in (ROOT / room).rglob("*"))]
    for path in paths:
        if path.suffix in {".py", ".md", ".toml", ".json", ".jinja"}:
            lines = path.read_text(encoding="utf-8").splitlines()
            said = [line for line in lines if recommended.search(line) and not of_themselves.search(line)]
            assert not said, f"{path}: {said[0].strip()}"
