"""Data that rules depend on belong to the version of the rules, wherever they are and whenever they are read."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from bartizan.analyses.records import brackets
from bartizan.policies import learned
from bartizan.policies.request import match_of
from bartizan.reports.pages.parts import measured
from bartizan.simcore.game import load_game, load_module
from bartizan.simcore.scenario.loading import load_scenario
from bartizan.simcore.sources import source_hash
from bartizan.simcore.sweep.manifest import MODEL, table_identity
from bartizan.workbench.setting import offered, read_setting
from tests.cli.run_cli import PIG, ROOT, RUIN, answer_of, bartizan, error_line
from tests.unit.test_edited_files import GAME, SHEET

SHORT = GAME.replace('"cards.csv"', '"{sheet}"')


@pytest.mark.parametrize("sheet", ["cards.csv", "sheets/cards.csv", "../cards.csv"])
def test_an_edited_sheet_is_read_again_wherever_it_is(tmp_path, sheet):
    game = tmp_path / "game" / "steps.py"
    file = game.parent / sheet
    file.resolve().parent.mkdir(parents=True, exist_ok=True)
    game.parent.mkdir(exist_ok=True)
    game.write_text(SHORT.format(sheet=sheet))
    versions = []
    for worth in (1, 2):
        file.write_text(SHEET.format(worth))
        loaded = load_game(str(game))
        versions.append((load_scenario(loaded).hash, loaded.source_hash))
    (before, rules), (after, same) = versions
    assert before != after and rules == same  # a number of a card is no change of the rules


@pytest.mark.parametrize("place", ["data.txt", "more/data.txt", "../data.txt"])
@pytest.mark.parametrize("when", ["at once", "in a helper", "in a helper of a helper", "later"])
def test_data_that_the_code_opens_is_part_of_its_version(tmp_path, place, when):
    folder = tmp_path / "own"
    data = (folder / place).resolve()
    data.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(exist_ok=True)
    opened = f"AT = int(open(r'{data}').read())\n"
    sources = {
        "at once": {"mine.py": opened},
        "in a helper": {"mine.py": "from one import AT\n", "one.py": opened},
        "in a helper of a helper": {"mine.py": "from one import AT\n", "one.py": "from kit.two import AT\n"},
        "later": {"mine.py": "def at():\n    from one import AT\n    return AT\n", "one.py": opened},
    }[when]
    for name, text in sources.items():
        (folder / name).write_text(text)
    (folder / "kit").mkdir()
    (folder / "kit" / "two.py").write_text(opened)
    found = []
    for value in (1, 2):
        data.write_text(str(value))
        module = load_module(folder / "mine.py", "policy")
        at = module.at() if when == "later" else module.AT
        found.append((at, vars(module)["__bartizan_code__"].hash))
    (one, before), (two, after) = found
    assert (one, two) == (1, 2) and before != after


def test_data_that_tables_are_built_from_are_part_of_the_rules(tmp_path):
    folder, data = tmp_path / "ruin", tmp_path / "start.txt"
    source = ROOT / "examples" / "ruin"
    (folder / "scenarios").mkdir(parents=True)
    for file in [*source.glob("*.py"), *source.glob("scenarios/*.toml")]:
        (folder / file.relative_to(source)).write_bytes(file.read_bytes())
    main = next(one for one in folder.glob("*.py") if "GAME = " in one.read_text())
    text = main.read_text()
    head, _, tail = text.partition("def build_tables(scenario")
    first, _, rest = tail.partition("\n")
    main.write_text(f"{head}def build_tables(scenario{first}\n    open(r'{data}').close()\n{rest}")
    found = set()
    for value in (1, 2):
        data.write_text(str(value))
        found.add(load_game(str(main)).source_hash)
    assert len(found) == 2


def test_files_of_the_machine_are_not_data(tmp_path):
    (tmp_path / "mine.py").write_text(f"open(r'{Path(pytest.__file__).parent / 'py.typed'}').close()\nimport numpy\n")
    module = load_module(tmp_path / "mine.py", "policy")
    assert vars(module)["__bartizan_code__"].data == {}
    assert source_hash(tmp_path / "mine.py") == vars(module)["__bartizan_code__"].hash


POLICY = """
import os

from bartizan import Policy

PLACE = 0 if os.environ["WHICH_ACTION"] == "first" else 1


def choose(state, tables, legal, n_legal, weights):
    return legal[PLACE] if n_legal > 1 and state.turn % 2 else legal[0]


MINE = Policy("mine", choose)
"""


def test_saved_games_that_no_longer_reproduce_are_not_used(tmp_path, monkeypatch):
    """An environment variable is no part of the version of a policy."""
    own, folder = tmp_path / "mine.py", tmp_path / "out"
    own.write_text(POLICY)
    asked = ("run", PIG, "--policy", own, "-o", folder, "--games")
    monkeypatch.setenv("WHICH_ACTION", "first")
    assert bartizan(*asked, 30).code == 0
    assert bartizan(*asked, 30).code == 0
    monkeypatch.setenv("WHICH_ACTION", "second")
    own.touch()
    (tmp_path / "a file beside it").write_text("")  # the file is executed again
    for games in (30, 60):
        result = bartizan(*asked, games)
        assert result.code == 4 and "now has a different result" in error_line(result)


def test_a_position_is_one_of_its_rules_and_cards(kept_path):
    """A position lists cards by their numbers, which a new row of the sheet changes."""
    game, sheet = kept_path / "stones.py", kept_path / "cards.csv"
    text = SHORT.format(sheet="cards.csv").replace("points =", "hand = Hand(deck, 2)\npoints =")
    text += "\n\ndef setup(s, n):\n    deal(s, s.deck, s.hand, 1)\n"
    cards = "name,copies,worth\nstone,4,1\npebble,4,2\n"
    game.write_text(text)
    sheet.write_text(cards)
    line = bartizan("trace", game, "--position", 1).out.strip()
    assert line.startswith("stones/1-")
    chance = ("chance", game, "--games", 20, "--at")
    assert bartizan(*chance, line).code == 0
    sheet.write_text(cards.replace("pebble,4,2", "pebble,4,3"))  # another number of a card is another question
    assert bartizan(*chance, line).code == 0
    for rows in (cards.replace("stone", "rock,4,9\nstone"), cards.replace("pebble", "marble")):
        sheet.write_text(rows)
        assert "the rules or cards of the game have changed since" in error_line(bartizan(*chance, line))
    by_hand = line.replace(line.split()[0], "stones/1")
    assert bartizan(*chance, by_hand).code == 0


def test_a_look_at_games_of_edited_code_is_the_first(tmp_path):
    own, out = tmp_path / "mine.py", tmp_path / "tuned.json"
    text = POLICY.replace('0 if os.environ["WHICH_ACTION"] == "first" else 1', "0")
    asked = ("tune", RUIN, "--policy", own, "--knob", "bets.start=9,10", "--target", "win_rate=0.40..0.41")
    numbers = []
    for place, fresh in ((0, 200), (0, 400), (1, 800)):
        own.write_text(text.replace("PLACE = 0", f"PLACE = {place}"))
        words = (*asked, "--games", 200, "--fresh", fresh, "-o", out)
        numbers.append(answer_of(*words, codes=(0, 3))["look_number"])
    assert numbers == [1, 2, 1]


def test_a_bracket_is_read_again_when_its_file_changes(tmp_path, monkeypatch):
    """A process may show many pages, and a game is named from its working folder."""
    found = []
    for folder, games in (("one", 10), ("one", 20), ("two", 30)):
        place = tmp_path / folder
        place.mkdir(exist_ok=True)
        row = dict.fromkeys(brackets.KEYS, 0) | {"rungs": [], "games": games}
        content = {"schema": brackets.SCHEMA, "brackets": [row]}
        (place / "game.bracket.json").write_text(json.dumps(content))
        monkeypatch.chdir(place)
        found += [one["games"] for one in measured._brackets("game.py")]
    assert found == [10, 20, 30]


@pytest.mark.parametrize("edited", ["cards.csv", "scenarios/standard.toml", "own.toml"])
def test_the_workbench_shows_edited_numbers(tmp_path, edited):
    """The page asks for its values again if the version of the game has changed."""
    shutil.copytree(ROOT / "examples" / "ruin", tmp_path / "ruin", ignore=shutil.ignore_patterns("__pycache__"))
    folder = tmp_path / "ruin"
    (folder / "cards.csv").write_text(SHEET.format(1))
    (folder / "steps.py").write_text(SHORT.format(sheet="cards.csv"))
    (folder / "own.toml").write_text('extends = "standard"\n\n[bets]\nstart = 9\n')
    named = folder / ("steps.py" if edited == "cards.csv" else "ruin.py")
    offers = offered([str(named)], [str(folder / "own.toml")] if edited == "own.toml" else [])
    (name,) = offers
    before = read_setting(offers, {"game": name})
    text = (folder / edited).read_text()
    new = {"cards.csv": ("1,1", "1,5"), "own.toml": ("start = 9", "start = 8")}.get(edited, ("start = 10", "start = 7"))
    assert new[0] in text
    (folder / edited).write_text(text.replace(*new))
    after = read_setting(offers, {"game": name})
    path = "deck.stone.worth" if edited == "cards.csv" else "bets.start"
    values = [one.offer.values(one.unchanged)[path].value for one in (before, after)]
    assert values[0] != values[1] and before.offer.version != after.offer.version


def test_a_worker_has_the_same_network_as_its_client():
    """A learned policy that was trained again keeps its name, and workers replace its weights."""
    assert MODEL == learned.MODEL
    game = load_game(PIG)
    match = match_of(game, load_scenario(game), ("hold", "hold"), 1)
    trained = [
        replace(match, players=(replace(match.players[0], weights={MODEL: at}, learn=lambda *_: []), match.players[1]))
        for at in (1.0, 2.0)
    ]
    one, other = map(table_identity, trained)
    assert one != other
    weighed = replace(match, players=(match.players[0], replace(match.players[1], weights={"at": 3.0})))
    assert table_identity(weighed) == table_identity(match)


def test_modules_of_another_folder_are_part_of_the_code(tmp_path, monkeypatch):
    """Python finds them on its path, and keeps the ones that it has read."""
    own, lib = tmp_path / "own" / "mine.py", tmp_path / "lib"
    own.parent.mkdir()
    (lib / "stale_kit").mkdir(parents=True)
    (lib / "stale_kit" / "__init__.py").write_text("")
    (lib / "stale_kit" / "rules.py").write_text("from stale_more import AT\n")
    monkeypatch.syspath_prepend(lib)
    own.write_text("from stale_kit import rules\nAT = rules.AT\n")
    found = []
    for at in (1, 22):
        (lib / "stale_more.py").write_text(f"AT = {at}\n")
        (lib / "stale_kit" / "rules.py").write_text(f"from stale_more import AT  # {at}\nAT = AT + {at}\n")
        module = load_module(own, "policy")
        found.append((module.AT, vars(module)["__bartizan_code__"].hash))
    (one, before), (two, after) = found
    assert (one, two) == (2, 44) and before != after
