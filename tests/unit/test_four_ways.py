"""One game as a short game, by the protocol in Python and TypeScript, and as imported records (docs/engines.md)."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import bartizan as bz
from tests.cli.run_cli import ROOT
from tests.node import NODE

EXAMPLES, TWINS = ROOT / "examples/engines", ROOT / "tests/games/engines"
GAMES = 600
CLAIMS = '[[claim]]\ntitle = "the first seat"\nband = [{}, {}]\n'
# game -> (policy as a short game, of the engines, program in Python, in TypeScript, a claim that holds)
KNOWN = {
    "pig": ("steady", "hold", EXAMPLES / "pig.py", EXAMPLES / "pig.ts", (0.40, 0.66)),
    "tic_tac_toe": ("careful", "careful", EXAMPLES / "tic_tac_toe.py", TWINS / "known.ts", (0.15, 0.45)),
    "no_thanks": ("thrifty", "thrifty", TWINS / "no_thanks.py", TWINS / "known.ts", (0.10, 0.40)),
}

# Headings of the short game's page that another page lacks, each with the data that are missing.
NOT_PLAYED = {
    "Difficulty by skill": "no policy of Bartizan plays a game of which only records are known",
    "Reproduce these games": "no command plays them again; the page says how to import them again",
}
NOT_COUNTED = {"Events in a game": "the engine declares no columns, so its results count nothing"}
# game with single decisions -> a policy of the same name in both forms, settings for few turns, games with rollouts
WITH_LOSSES = {"tic_tac_toe": ("random", {}, 32), "no_thanks": ("thrifty", {"removed": 30}, 4)}
COUNTS = ("pig",)  # games whose engine declares a column


def headings_of(folder: Path, claims: Path) -> set[str]:
    """Headings of the page; what a score counts is a word of the game, not of the page."""
    bz.open(folder).report(folder.with_suffix(".html"), claims=claims)
    page = folder.with_suffix(".html").read_text(encoding="utf-8")
    found = re.findall(r"<h[23][^>]*>(.*?)</h[23]>", page, re.DOTALL)
    return {re.sub(r"<[^>]+>", "", one).strip().replace("Points of", "Score of") for one in found}


def page_of(folder: Path, claims: Path) -> tuple[dict, str]:
    """(the cell of its page, verdict of the claim)."""
    answer = bz.open(folder).report(folder.with_suffix(".json"), claims=claims)
    (cell,) = json.loads(folder.with_suffix(".json").read_text())["cells"]
    (claim,) = answer.to_dict()["claims"]
    return cell, claim["verdict"]


def differ(one: dict, other: dict) -> float:
    """Difference of two shares in standard errors. Each: an interval of 95 %."""
    spread = sum(((row["high"] - row["low"]) / 3.92) ** 2 for row in (one, other))
    return abs(one["estimate"] - other["estimate"]) / spread**0.5


@pytest.mark.rotating
@pytest.mark.parametrize("name", KNOWN)
def test_a_game_is_the_same_game_in_every_way(name, tmp_path):
    short, live, python, typescript, band = KNOWN[name]
    (claims := tmp_path / "claims.toml").write_text(CLAIMS.format(*band))
    games = {"short": (ROOT / f"examples/short/{name}.py", short)}
    for way, words in {
        "python": [sys.executable, "-S", str(python)],
        "typescript": [str(NODE), str(typescript), name],
    }.items():
        (tmp_path / f"{way}.toml").write_text(f"command = {json.dumps(words)}\n")
        games[way] = (tmp_path / f"{way}.toml", live)
    for way, (path, policy) in games.items():
        bz.game(path).sweep(policy=policy, games=GAMES, seed=1, jobs=1, out=tmp_path / way)
    bz.open(tmp_path / "typescript").export(tmp_path / "games.csv")
    (tmp_path / "m.toml").write_text('[records]\nfirst_seat = 0\n[columns]\nseed = ["seed", "game"]\n')
    bz.import_records(tmp_path / "games.csv", mapping=tmp_path / "m.toml", out=tmp_path / "records")
    pages = {way: page_of(tmp_path / way, claims) for way in (*games, "records")}
    reference, verdict = pages["short"]
    for way, (cell, found) in pages.items():
        assert cell["games"] == GAMES and found == verdict == "PASS", way
        assert differ(cell["win_rate"], reference["win_rate"]) < 4.5, way
        assert abs(cell["turns"]["mean"] - reference["turns"]["mean"]) < 6 * reference["turns"]["sd"] / GAMES**0.5, way
    for key in ("games", "wins", "draws", "win_rate", "seats"):
        assert pages["records"][0][key] == pages["typescript"][0][key], key
    headings = {way: headings_of(tmp_path / way, claims) for way in pages}
    uncounted = set() if name in COUNTS else set(NOT_COUNTED)
    assert headings["short"] >= set(NOT_PLAYED) | uncounted
    for way in ("python", "typescript"):
        assert headings[way] == headings["short"] - uncounted, way
    assert headings["records"] == headings["short"] - uncounted - set(NOT_PLAYED) | {"Import it again"}


@pytest.mark.skipif(shutil.which("rustc") is None, reason="only where rustc is installed")
def test_a_compiled_program_plays_the_same_game(tmp_path):
    program = tmp_path / "pig_rs"
    subprocess.run(["rustc", "-O", EXAMPLES / "pig.rs", "-o", program], check=True, capture_output=True)
    shutil.copy(EXAMPLES / "pig_rs.toml", tmp_path)
    live, short = bz.game(tmp_path / "pig_rs.toml"), bz.game(ROOT / "examples/short/pig.py")
    for policies in (("hold:at=12+hold", "steady:at=12+steady"), ("random+random", "random+random")):
        found, expected = (
            game.run(policy=policy, games=GAMES, jobs=1).to_dict()
            for game, policy in zip((live, short), policies, strict=True)
        )
        assert differ(found["win_rate"], expected["win_rate"]) < 4.5
        assert abs(found["turns"]["mean"] - expected["turns"]["mean"]) < 6 * expected["turns"]["sd"] / GAMES**0.5


@pytest.mark.rotating
@pytest.mark.parametrize("name", WITH_LOSSES)
def test_losses_of_an_engine_are_those_of_the_short_game(name, tmp_path):
    _, _, program, _, _ = KNOWN[name]
    policy, sets, pilot = WITH_LOSSES[name]
    words = [sys.executable, "-S", str(program), "steps"]
    (engine := tmp_path / "engine.toml").write_text(f"command = {json.dumps(words)}\n")
    effort = {"games": 200, "pilot": pilot, "rollouts": 200, "jobs": 1}
    found, expected = (
        bz.game(path).losses(policy=policy, set={f"{where}{key}": n for key, n in sets.items()}, **effort).to_dict()
        for path, where in ((engine, ""), (ROOT / f"examples/short/{name}.py", "numbers."))
    )
    turns = [pair for pair in zip(found["turns"], expected["turns"], strict=False) if min(map(alive, pair)) >= 100]
    assert len(turns) >= 5
    for one, other in turns:
        for key in ("hazard", "win_if_alive"):
            assert one[key] == other[key] or differ(one[key], other[key]) < 4.5, (one["turn"], key)
    assert differ(*(answer["pilot"]["win_rate_by_rollouts"] for answer in (found, expected))) < 4.5
    assert abs(found["decisive"]["mean_drop"] - expected["decisive"]["mean_drop"]) < 0.15
    for answer in (found, expected):  # a future begins at its position, not with a new game
        chances = [turn["chance"] for chosen in answer["chosen"] for turn in chosen["chances"]]
        assert max(chances) - min(chances) > 0.3
    never = [answer["hopeless"]["never"] for answer in (found, expected)]
    assert max(one["low"] for one in never) < min(one["high"] for one in never)


def alive(turn: dict) -> int:
    return turn["alive"]
