"""Short games with a planted fault: one line with file and line, no traceback, no generated file named."""

import re
from pathlib import Path

import pytest

from bartizan.simcore.errors import BartizanError
from bartizan.simcore.game import game_from_file

SHORT = Path(__file__).parents[2] / "examples" / "short"
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


def mutants():
    """(game, fault, text): each fault in every game that has a place for it, at its first and its last place."""
    for path in sorted(SHORT.glob("*.py")):
        text = path.read_text(encoding="utf-8")
        for fault, (pattern, instead) in FAULTS.items():
            found = list(re.finditer(pattern, text, re.M))
            for at in dict.fromkeys([0, len(found) // 2, len(found) - 1] if found else []):
                one = found[at]
                yield path.stem, fault, text[: one.start()] + one.expand(instead) + text[one.end() :]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_one_line_that_names_the_designers_file(fault, tmp_path):
    for table in SHORT.glob("*.csv"):
        (tmp_path / table.name).write_bytes(table.read_bytes())
    for game, _, text in (one for one in mutants() if one[1] == fault):
        path = tmp_path / f"{game}.py"
        path.write_text(text, encoding="utf-8")
        with pytest.raises(BartizanError) as caught:
            game_from_file(path).compiled  # noqa: B018
            pytest.fail(f"{game}: {fault}: is accepted")
        said = str(caught.value)
        assert re.match(rf"{re.escape(str(path))}:\d+: ", said) and "\n" not in said, said
