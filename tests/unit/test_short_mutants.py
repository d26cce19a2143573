"""Short games with a planted fault: one line with file and line, no traceback, no generated file named."""

import re
from itertools import product
from pathlib import Path

import pytest

from bartizan.simcore.errors import BartizanError, UsageError
from bartizan.simcore.game import game_from_file
from bartizan.simcore.scenario.loading import load_scenario

SHORT = Path(__file__).parents[2] / "examples" / "short"
PLAYER = r'^(def (\w+)\(s, n((?:, legal)?)((?:, \w+=[\d.]+)*)\):\n    """.*"""\n)'
ASKS = r"^(def (?:can_|score|_fits|_saw)\w*\(.*\):\n)"
FAULTS = {  # what is planted -> (pattern, what stands there instead)
    "colon missing": (r"^(def \w+\(.*\)):$", r"\1"),
    "function misspelt": (r"\bnext_player\(", "next_playr("),
    "no s": (r"\bnext_player\(s\)", "next_player()"),
    "text for a number": (r"\bnext_player\(s\)", 'die(s, "six")'),
    "fraction": (r"\bnext_player\(s\)", "die(s, 2.5)"),
    "component misspelt": (r"\bs\.(?!me\b|players\b|turn\b|out\b|phase\b)(\w+)", r"s.\1x"),
    "number misspelt": (r"\bn\.(\w+)", r"n.\1x"),
    "table and number": (r"\bn\.(\w+)", r"s.\1"),
    "placeholder": (r"\bnext_player\(s\)", 'say(s, "{plyer}", s.me)'),
    "four values": (r"\bnext_player\(s\)", 'say(s, "{} {} {} {}", 1, 2, 3)'),
    "too few values": (r"\bnext_player\(s\)", 'say(s, "{} {}", 1)'),
    "reason is no text": (r'(win|lose|tie)\((.*), "[^"]*"\)', r"\1(\2, 5)"),
    "winner missing": (r"\bwin\(s, [^\"]*, (\"[^\"]*\")\)", r"win(s, \1)"),
    "range below 0": (r"^def (\w+)\(s, n, (\w+): [^)]*\):", r"def \1(s, n, \2: range(-3, 2)):"),
    "argument unknown": (r"^def (\w+)\(s, n, (\w+): [^)]*\):", r"def \1(s, n, \2: nothing):"),
    "no players": (r"^players = .*$", "players = 0"),
    "bound out of range": (r"^(\w+) = Number\(.*\)$", r"\1 = Number(5, 9, 7)"),
    "bracket missing": (r"\)$", ""),
    "import": (r"^from bartizan\.short import \*", "import random"),
    "constant misspelt": (r"\breturn ([A-Z]{3,})\b", r"return \1X"),
    "defined twice": (r"^(def (\w+)\(.*\)):$", r"\1:\n    pass\n\n\n\1:"),
    "decorated": (r"^(def \w+\(.*\)):$", r"@print\n\1:"),
}
LATER_FAULTS = {  # planted in fewer games
    # players
    "player changes a counter": (PLAYER, r"\1    s.turn += 1\n"),
    "player wins": (PLAYER, r'\1    win(s, s.me, "won")\n'),
    "player throws a die": (PLAYER, r"\1    if die(s, 6) > 3:\n        return 0\n"),
    "player ends its turn": (PLAYER, r"\1    next_player(s)\n"),
    "player asks a helper that changes": (PLAYER, r"def _cheat(s):\n    s.turn += 1\n\n\n\1    _cheat(s)\n"),
    "player returns text": (PLAYER, r'\1    if s.turn > 3:\n        return "roll"\n'),
    "player returns nothing": (PLAYER, r"\1    if s.turn > 3:\n        return\n"),
    "player of every game": (PLAYER, r"def random(s, n\3\4):\n    pass\n    return 0\n\n\n\1"),
    "player without words": (PLAYER, r"def \2(s, n\3\4):\n"),
    "weight without a number": (PLAYER, r'def \2(s, n\3, boldness):\n    """Bold."""\n'),
    "weight without end": (PLAYER, r'def \2(s, n\3, boldness=1e999):\n    """Bold."""\n'),
    "weight of the house": (PLAYER, r'def \2(s, n\3, noise=1):\n    """Bold."""\n'),
    # what only looks at a game
    "asking changes a counter": (ASKS, r"\1    s.turn += 1\n"),
    "asking throws a die": (ASKS, r"\1    if chance(s, 30):\n        return False\n"),
    # unclear rules
    "ruling of one reading": (r"^players = ", r'tie = Ruling("Who wins?", ("first",))\nplayers = '),
    "ruling without a question": (r"^players = ", r'tie = Ruling(("first", "last"))\nplayers = '),
    "ruling for a truth": (
        r"^(players = (?:.|\n)*?)^(def (?:_|can_)?\w+\(.*\):\n)",
        r'tie = Ruling("Who wins?", ("first", "last"))\n\1\2    if n.tie:\n        s.turn += 1\n',
    ),
}
SHEET = "name,copies,value\nGuard,5,1\nPriest,2,2\nBaron,2,3\nHandmaid,2,4\nPrince,2,5\nKing,1,6\nCountess,1,7\nPrincess,1,8\n"
SHEETS = {  # of Love Letter: what the file of cards holds, or the file itself
    "empty": "",
    "no cards": "name,copies,value\n",
    "bytes": bytes(range(256)),
    "a name twice": SHEET.replace("Priest", "Guard"),
    "a picture for a name": SHEET.replace("Priest", "\U0001f0a1"),
    "text that runs backwards": SHEET.replace("Priest", "Pri\u202eest"),
    "text between marks of direction": SHEET.replace("Priest", "\u2067Priest\u2069"),
    "a name over two lines": SHEET.replace("Priest", '"Pri\nest"'),
    "another name": SHEET.replace("Priest", "Prêtre"),
    "a name with a backslash": SHEET.replace("Priest", "Pri\\\\est"),
    "a word of the form": SHEET.replace("Priest", "None"),
    "fewer than none": SHEET.replace("Priest,2", "Priest,-2"),
    "half a card": SHEET.replace("Priest,2", "Priest,0.5"),
    "text for a number": SHEET.replace("Priest,2,2", "Priest,2,two"),
    "no column of names": SHEET.replace("name", "who is it"),
    "the column renamed": SHEET.replace("value", "worth"),
    "a folder": Path.mkdir,
    "a link that leads nowhere": lambda path: path.symlink_to("gone.csv"),
    "a link to itself": lambda path: path.symlink_to(path.name),
    "no file": lambda path: None,
}
EXTENDS = 'extends = "standard"\nname = "mine"\n'
SCENARIOS = {
    "empty": "",
    "no TOML": "players",
    "half a table": EXTENDS + "[numbers",
    "bytes": b"\xff\xfe",
    "a value misspelt": EXTENDS + "[numbers]\ngaol = 50\n",
    "a table misspelt": EXTENDS + "[number]\ngoal = 50\n",
    "text for a number": EXTENDS + '[numbers]\ngoal = "x"\n',
    "a fraction": EXTENDS + "[numbers]\ngoal = 1.5\n",
    "beyond its range": EXTENDS + "[numbers]\ngoal = 0\n",
    "beyond 64 bits": EXTENDS + "[numbers]\ngoal = 99999999999999999999\n",
    "without end": EXTENDS + "[numbers]\ngoal = inf\n",
    "a truth": EXTENDS + "[numbers]\ngoal = true\n",
    "a number for a table": EXTENDS + "numbers = 3\n",
    "no such base": 'extends = "nothing"\n',
    "its own base": 'extends = "mine.toml"\n',
    "no such level": EXTENDS + 'difficulty = "hard"\n',
    "no such ruling": EXTENDS + '[rulings]\ntie = "last"\n',
    "too many players": EXTENDS + "[numbers]\nplayers = 3\n",
    "another game": 'schema_version = 1\ngame = "itter"\nname = "x"\ntitle = "x"\n',
}
NAMES = (
    "my game.py",
    "1.py",
    "class.py",
    "numpy.py",
    'a"b.py',
    "a'b.py",
    "a\\nb.py",
    "a\nb.py",
    "{{x}}.py",
    "spiel_ä.py",
    "\u904a.py",
    "\U0001f0a1.py",
)
TEXTS = {  # what a designer may well write, in Pig
    '"""Pig: roll': '"""Pig "the" \\\\game\\x41 {{ x }} {% y %}: roll',
    "players = 2": "players = 2\ntitle = 'My \"Pig\" \\\\ \U0001f416'\nsource = 'rulebook of \"Pig\"'",
    '"goal reached"': "'the \"goal\" \\\\ {x} \U0001f416'",
    "def hold(s, n):": 'WAYS = ("a\\"b", "c, d")\n\n\ndef wait(s, n, way: WAYS):\n    say(s, "{} \u2192 \\\\", way)\n\n\ndef hold(s, n):',
    "stake": "eins\u00e4tze",
    "\n": "\r\n",
}


def mutants(fault):
    """(game, text): the fault in every game that has a place for it, at its first, its middle or its last place in turn."""
    pattern, instead = (FAULTS | LATER_FAULTS)[fault]
    for turn, path in enumerate(sorted(SHORT.glob("*.py"))):
        if fault in LATER_FAULTS and path.stem not in ("love_letter", "tic_tac_toe"):
            continue
        text = path.read_text(encoding="utf-8")
        if found := list(re.finditer(pattern, text, re.M)):
            one = found[(0, len(found) // 2, -1)[turn % 3]]
            yield path.stem, text[: one.start()] + one.expand(instead) + text[one.end() :]


@pytest.mark.rotating
@pytest.mark.parametrize("fault", FAULTS | LATER_FAULTS)
def test_a_planted_fault_is_one_line_that_names_the_designers_file(fault, tmp_path):
    for table in SHORT.glob("*.csv"):
        (tmp_path / table.name).write_bytes(table.read_bytes())
    for game, text in mutants(fault):
        path = tmp_path / f"{game}.py"
        path.write_text(text, encoding="utf-8")
        with pytest.raises(BartizanError) as caught:
            game_from_file(path).compiled  # noqa: B018
            pytest.fail(f"{game}: {fault}: is accepted")
        said = str(caught.value)
        assert re.match(rf"{re.escape(str(path))}:\d+: ", said) and "\n" not in said, (game, said)


@pytest.mark.parametrize("fault", SHEETS)
def test_a_fault_in_a_file_of_cards_is_one_line_that_names_it(fault, tmp_path):
    path, sheet, content = tmp_path / "game.py", tmp_path / "love_letter.csv", SHEETS[fault]
    path.write_text((SHORT / "love_letter.py").read_text(encoding="utf-8"), encoding="utf-8")
    if isinstance(content, (str, bytes)):
        sheet.write_bytes(content if isinstance(content, bytes) else content.encode())
    else:
        content(sheet)
    with pytest.raises(BartizanError) as caught:
        game_from_file(path)
    said = str(caught.value)
    assert re.match(rf"{re.escape(str(path))}:\d+: ", said) and "\n" not in said, said


@pytest.mark.parametrize("fault", SCENARIOS)
def test_a_fault_in_a_scenario_is_one_line_that_names_its_file(fault, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    content, path = SCENARIOS[fault], tmp_path / "mine.toml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(BartizanError) as caught:
        load_scenario(game_from_file(SHORT / "pig.py"), str(path))
    said = str(caught.value)
    assert said.startswith(f"{path}: ") and "\n" not in said, said


@pytest.mark.parametrize("target", ["gone.py", "game.py"])
def test_a_link_that_leads_to_no_game_is_named_itself(target, tmp_path):
    (tmp_path / "game.py").symlink_to(target)
    with pytest.raises(UsageError, match=f"^{re.escape(str(tmp_path))}/game.py: no such game file"):
        game_from_file(tmp_path / "game.py")


def test_names_and_texts_of_every_kind_are_read(tmp_path):
    text = (SHORT / "pig.py").read_text(encoding="utf-8")
    games = [*product(NAMES, [text])]
    for old, new in TEXTS.items():
        assert old in text
        games.append(("pig.py", text.replace(old, new)))
    for name, content in games:
        path = tmp_path / name
        path.write_bytes(content.encode())
        assert game_from_file(path).name == path.stem
        path.unlink()
