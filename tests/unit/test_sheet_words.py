"""Columns of words in sheets, such as Type (Plant, Bird): their words are constants of the rules (docs/short-cards.md)."""

import re
import subprocess
import sys

import pytest

import bartizan as bz
from bartizan.simcore.errors import ScenarioError, UsageError
from bartizan.simcore.game import load_game
from bartizan.simcore.scenario.loading import load_scenario
from tests.cli.run_cli import bartizan

PLAIN = "import sys; from bartizan.cli import main; main()"
SHEET = "Name,Type,Food,Worth,Note\nHeron,Bird,Fish,3,a\nOak,Plant,,2,b\nWren,bird,Moss,1,c\nCarp,Fish,Plant,2,d\n"
GAME = '''"""Birds: play a card; birds score double."""

from bartizan.short import *

players = 2
deck = Deck("birds.csv")
hand, laid = Hand(deck), Pile(deck)
seen, points = Row(4), Tokens()


def setup(s, n):
    deal(s, s.deck, s.hand, 2)


def play(s, n, card: hand):
    move(s.hand[s.me], card, s.laid)
    s.points[s.me] += 2 * n.worth[card] if n.type[card] == BIRD else n.worth[card]
    if n.food[card] != NONE:
        s.seen[n.food[card]] += 1
    say(s, "{player} plays a {type} that eats {food}", s.me, n.type[card], n.food[card])
    if empty(s.hand[s.me]) and s.me == 1:
        win(s, leader(s, n), "no cards")
    else:
        next_player(s)


def birder(s, n):
    """Plays birds and fish first."""
    for card in cards(s.hand[s.me]):
        if n.type[card] in (BIRD, FISH):
            return PLAY(card)
    return PLAY(top(s.hand[s.me]))
'''


@pytest.fixture
def birds(kept_path):
    path = kept_path / "birds.py"
    path.write_text(GAME)
    path.with_name("birds.csv").write_text(SHEET)
    return path


def columns_of(path, **sets):
    game = load_game(str(path))
    tables = game.compiled.build_tables(load_scenario(game, None, None, sets))
    return {name: tables[name][0].tolist() for name in ("type", "food")}


def test_words_are_numbers_in_rules_and_words_elsewhere(birds):
    """Type and Food share words, so both are numbered together: BIRD, FISH, MOSS, PLANT."""
    assert columns_of(birds) == {"type": [0, 3, 0, 1], "food": [1, -1, 2, 3]}
    knobs = {one.path: one for one in load_scenario(load_game(str(birds))).parameters()}
    assert knobs["deck.wren.type"].value == "Bird" and "deck.wren.note" not in knobs
    assert knobs["deck.oak.food"].choices == ("Fish", "Moss", "Plant", "none")
    assert columns_of(birds, **{"deck.oak.type": "Fish"})["type"] == [0, 1, 0, 1]
    with pytest.raises(ScenarioError, match=r"deck\.oak\.type = 'Tree': Input should be 'Bird', 'Fish' or 'Plant'"):
        columns_of(birds, **{"deck.oak.type": "Tree"})
    assert "blank cells of 'Food' are NONE" in bartizan("describe", birds).out


def test_sorted_rows_have_the_same_numbers(birds):
    first, *rows = SHEET.splitlines()
    before = columns_of(birds)
    birds.with_name("birds.csv").write_text("\n".join([first, *rows[::-1]]))
    assert columns_of(birds) == {name: of[::-1] for name, of in before.items()}


def test_uncompiled_games_are_identical(birds):
    command = [sys.executable, "-c", PLAIN, "run", str(birds), "--games", "20", "--plain"]
    plain = subprocess.run(command, capture_output=True, text=True, cwd=birds.parent, check=True)
    assert bz.game(str(birds)).run(games=20).to_dict()["digest"][:16] in plain.stdout
    log = bartizan("trace", birds, "--seed", 1).out
    assert "plays a Bird that eats Fish" in log and "plays a Plant that eats none of food" in log


def test_decks_boards_and_tables_share_the_number_of_a_word(kept_path):
    path = kept_path / "birds.py"
    path.with_name("birds.csv").write_text(SHEET)
    path.with_name("spaces.csv").write_text("Name,Likes 1,Likes 2\nlake,Fish,Bird\nwood,Moss,-\n")
    more = 'more = Deck([{"name": "Bog", "type": "Moss"}, {"name": "Sea", "type": ""}])\nspaces = Board("spaces.csv")\n'
    text = GAME.replace("hand, laid", f"{more}hand, laid").replace("n.type", "n.deck_type").replace("{type}", "{}")
    rule = "if n.likes[0, 1] == BIRD and n.more_type[0] == n.likes[1, 0]:\n        s.seen[MOSS] += 1\n    "
    path.write_text(text.replace("if n.food", f"{rule}if n.food"))
    game = load_game(str(path))
    tables = game.compiled.build_tables(load_scenario(game))
    assert tables["likes"][0].tolist() == [[1, 0], [2, -1]] and tables["more_type"][0].tolist() == [2, -1]
    assert tables["deck_type"][0].tolist() == [0, 3, 0, 1]


MANY = "Name,Type,Food,Worth\n" + "".join(f"C{i},T{chr(65 + i // 10)}{chr(65 + i % 10)},,1\n" for i in range(61))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("== BIRD", "== BRID", 'BRID is not a word of n.type; did you mean "BIRD"?'),
        ("== BIRD", "== HERON", "HERON is not a word of n.type"),
        ("== BIRD", "== MOSS", "MOSS is not a word of n.type"),
        ("== BIRD", '== "Bird"', 'write BIRD in place of "Bird"'),
        (
            "def play(",
            "def fish(",
            "column 'Type' of birds.csv, row 5: 'Fish' gives the constant FISH, which is also an",
        ),
        ("players = 2", 'players = 2\nphases = ["plant"]', "which is also a phase (line 6): rename one of them"),
        ("Oak,Plant", "Bird,Plant", "which is also a card (birds.csv, row 3): rename one of them"),
        ("Oak,Plant", "Oak,Nobody", "which is also a reserved word of short games: write another word"),
        (
            "Oak,Plant",
            "Oak,Bird+",
            "row 3: 'Bird+' gives the constant BIRD, as another word in column 'Type' of birds.csv",
        ),
        (
            "Oak,Plant",
            "Oak,State",
            "STATE is also a name in the code that Bartizan generates from this file: write another word in the sheet of",
        ),
        ("Oak,Plant", "Oak,4", "n.type: no such number: 'Type' of birds.csv contains words (B2: 'Bird'): write only a"),
        (SHEET, MANY, "n.type: no such number: 'Type' of birds.csv contains words (B2: 'TAA')"),
    ],
)
def test_mistakes_are_one_line_each(birds, old, new, says):
    text, sheet = GAME.replace("PLAY(", "FISH(") if "fish" in new else GAME, SHEET
    assert old in text + sheet
    birds.write_text(text.replace(old, new))
    birds.with_name("birds.csv").write_text(sheet.replace(old, new))
    with pytest.raises(UsageError, match=rf"^{re.escape(str(birds))}:\d+: .*{re.escape(says)}"):
        load_game(str(birds))
