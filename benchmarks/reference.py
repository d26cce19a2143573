"""Compare games with their reference implementations and with exact results, and record the results.

    python -m benchmarks.reference                         games of `make test`; 1,000,000 for exact results
    BARTIZAN_TWINS=all python -m benchmarks.reference      every game that `make slow` compares

The results are stored in analyses/validation/recorded.json, and docs/validity.md is rewritten.
"""

import argparse
import os
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

os.environ["BARTIZAN_BOUNDSCHECK"] = "1"  # as in tests/conftest.py, before anything is compiled

from bartizan import api
from bartizan.analyses.validation.card import recorded
from bartizan.benchmarks.coverage import PAGE, page, record
from tests import oracles
from tests.naive import compiled

ROOT = Path(__file__).parent.parent
PIG, RUIN = (str(ROOT / f"examples/{name}/{name}.py") for name in ("pig", "ruin"))
SHORT = "short games"
TWINS = {
    "itter": "itter",
    "colditz": "colditz",
    "castle": "castle",
    "rampage": "rampage",
    "short games": "short",
}
MET = 1_000_000  # games of an exact result


class Compared:
    """A pytest plugin that counts the games and actions in a module of comparisons."""

    def __init__(self, name: str):
        self.name = name
        self.games: dict[str, int] = {}
        self.actions: dict[str, int] = {}
        self.differences: dict[str, int] = {}  # tests in which the two sides differ
        self.in_test = set[str]()  # names of the games that the current test has begun
        self.broken = ""  # a test that failed otherwise

    def count(self, counts: dict[str, int], name: str) -> None:
        counts[name] = counts.get(name, 0) + 1

    def begin(self, name: str) -> None:
        self.in_test.add(name)
        self.count(self.games, name)

    def pytest_runtest_logstart(self) -> None:
        self.in_test = set()

    def pytest_exception_interact(self, call) -> None:
        if call.excinfo.errisinstance(AssertionError) and self.in_test:
            for name in self.in_test:
                self.count(self.differences, name)
        else:
            self.broken = str(call.excinfo.value)[:200]


def references(name: str) -> dict[str, Any]:
    """Run the comparisons of one module of `tests/naive`, and count the games and actions compared.

    A failed assertion is a difference. Any other failure ends the script, and nothing is recorded.
    """
    seen = Compared(name)
    begin, apply = compiled.Compiled.__init__, compiled.Compiled.apply

    def name_of(game) -> str:
        return game.name if name == SHORT else name

    def begun(self, engine, scenario, seed, game):
        begin(self, engine, scenario, seed, game)
        seen.begin(name_of(self))

    def applied(self, *action):
        seen.count(seen.actions, name_of(self))
        return apply(self, *action)

    which = "slow or not slow" if compiled.ALL else "not slow"
    file = ROOT / f"tests/naive/test_{TWINS[name]}_twin{'s' if name == SHORT else ''}.py"
    with mock.patch.multiple(compiled.Compiled, __init__=begun, apply=applied):
        code = pytest.main(["-q", "-p", "no:cacheprovider", "-m", which, str(file)], plugins=[seen])
    if code not in (0, 1) or seen.broken:
        raise SystemExit(f"{file}: not compared: {seen.broken or code}")
    twin = f"tests/naive/{'short_twins' if name == SHORT else f'{name}_twin'}.py"
    return {
        played: {
            "file": twin,
            "games": seen.games[played],
            "actions": seen.actions[played],
            "differences": seen.differences.get(played, 0),
        }
        for played in seen.games
    }


def exact(games: int, seed: int) -> list[dict[str, Any]]:
    """Return rows that compare simulated rates with exactly known rates."""
    asked = [
        ("pig", PIG, "first player wins, both hold at 20", oracles.pig(20, 20), {"policy": "hold"}),
        (
            "pig",
            PIG,
            "first player wins, hold at 25 against hold at 20",
            oracles.pig(25, 20),
            {"policy": ["first=hold:at=25", "second=hold:at=20"]},
        ),
        ("ruin", RUIN, "from 10 to 20, 49 % per bet", oracles.ruin(0.49, 10, 20), {}),
        ("ruin", RUIN, "from 10 to 20, 50 % per bet", 0.5, {"set": {"bets.win_per_mille": "500"}}),
    ]
    rows = []
    for game, file, what, chance, how in asked:
        found = api.game(file).run(games=games, seed=seed, **how).to_dict()["win_rate"]
        rows.append(_met(game, what, chance, found, games))
    odds = api.game("colditz").odds.do_or_die().to_dict()
    for case, chance in odds["exact"].items():
        found = odds["simulated"][case]
        rows.append(
            _met(
                "colditz", f"Do or Die, {odds['distance']} steps, card {case}", chance, found, found["games"]
            )
        )
    return rows


def _met(game: str, what: str, chance: float, found: dict[str, Any], games: int) -> dict[str, Any]:
    interval = {key: found[key] for key in ("estimate", "low", "high", "level", "method")}
    holds = found["low"] <= chance <= found["high"]
    return {"game": game, "what": what, "exact": chance, **interval, "games": games, "holds": holds}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="*", help=f"games to test: {', '.join(TWINS)} (default: all)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--met", type=int, default=MET, help="games of an exact result")
    asked = parser.parse_args()
    every = "BARTIZAN_TWINS=all " if os.environ.get("BARTIZAN_TWINS") == "all" else ""
    command = f"{every}python -m benchmarks.reference"
    met = exact(asked.met, asked.seed)
    for name in asked.games or list(TWINS):
        kept = recorded().get("games", {}).get("references", {})
        record("games", {"command": command, "references": {**kept, **references(name)}, "exact": met})
    if "coverage" in recorded():
        PAGE.write_text(page(recorded()), encoding="utf-8")


if __name__ == "__main__":
    main()
