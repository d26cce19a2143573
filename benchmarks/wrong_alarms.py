"""Measure how often Bartizan claims a difference that does not exist.

    python benchmarks/wrong_alarms.py                        400 runs of each kind; a table in Markdown
    python benchmarks/wrong_alarms.py --runs 100 compare cards
    python benchmarks/wrong_alarms.py --seed 5001 --record   record the results and rewrite docs/validity.md

Every run has its own seed and asks one question, through the Python API, about a game without any true
difference. The run is a false alarm if the fields of the answer claim any difference. If a sentence of the
answer also states the result, the sentence must agree with the fields.
"""

import argparse
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # one game of the tests imports another

import bartizan as bz  # noqa: E402
from bartizan.analyses.validation.card import recorded  # noqa: E402
from bartizan.benchmarks import coverage  # noqa: E402

GAMES = ROOT / "tests" / "games"
ALIKE = str(GAMES / "no_difference" / "no_difference.py")  # players with cards, in seats that are alike
UNLIKE = str(GAMES / "highest_card" / "no_difference.py")  # two roles; cards can be exchanged
ALPHA = 0.05
LEVELS = ("first", "second")


@dataclass(frozen=True)
class Alarms:
    """The differences that one run claims."""

    claimed: tuple[str, ...]  # names of the claimed differences
    text_agrees: bool = True  # whether the sentences claim a difference exactly if the fields do


Kind = Callable[[int, Path], Alarms]  # (seed, an empty folder) -> what the answer claims


def compare(change: Mapping, game: str, seed: int, folder: Path) -> Alarms:
    answer = bz.game(game).compare(change=change, games=300, seed=seed)
    document = answer.to_dict()
    claimed = list(document["moved"])
    assert document["is_clear"] == ("win rate" in claimed)
    denials = ("no measure moves", "every game is the same", "not distinguishable from zero")
    says_none = any(denial in answer.sentence for denial in denials)
    # the sentence may be only about the headline
    agrees = says_none != bool(claimed) or says_none != document["is_clear"]
    return Alarms(tuple(claimed), agrees)


def sensitivity(game: str, seed: int, folder: Path) -> Alarms:
    answer = bz.game(game).sensitivity(path=["numbers"], games=200, decks=4, seed=seed)
    document = answer.to_dict()
    claimed = [
        name
        for row in document["influences"]
        for name in ("headline", "turns")
        if row[name] and row[name]["p_adjusted"] is not None and row[name]["p_adjusted"] < ALPHA
    ]
    claimed += [
        f"conclusion: {row['kind']}"
        for row in document["conclusions"]
        if row["at_baseline"] != "open" or row["overturned_by"]
    ]
    says_none = "no single value moves" in document["sentence"]
    return Alarms(tuple(claimed), says_none == ("headline" not in claimed))


def cards(game: str, seed: int, folder: Path) -> Alarms:
    answer = bz.game(game).cards(value=True, games=300, seed=seed)
    document = answer.to_dict()
    claimed = [row["card"] for row in document["cards"] if row["p_adjusted"] < ALPHA]
    claimed += [
        f"price: {row['card']}" for row in (document.get("price") or {}).get("cards", []) if row["verdict"]
    ]
    says_best = "The best card to hold" in str(answer)
    return Alarms(tuple(claimed), not says_best or bool(claimed))


def without(game: str, seed: int, folder: Path) -> Alarms:
    answer = bz.game(game).cards(without=True, policy=["youngest"], games=200, seed=seed)
    claimed = [row["card"] for row in answer.to_dict()["cards"] if row["verdict"]]
    says_one = "raises the win rate most" in str(answer) or "lowers the win rate:" in str(answer)
    return Alarms(tuple(claimed), says_one == bool(claimed))


def pairs(game: str, seed: int, folder: Path) -> Alarms:
    answer = bz.game(game).cards(pairs=True, policy=["youngest"], games=200, seed=seed)
    claimed = [" and ".join(row["cards"]) for row in answer.to_dict()["pairs"] if row["verdict"]]
    says_one = "do not show that two kinds" not in str(answer)
    return Alarms(tuple(claimed), says_one == bool(claimed))


def usage(game: str, seed: int, folder: Path) -> Alarms:
    return Alarms(tuple(bz.game(game).cards(usage=True, games=300, seed=seed).to_dict()["dead"]))


CLAIMS = """game = "{game}"
games = 300
seed = {seed}
difficulty = ["first", "second"]
policy = ["eldest", "youngest"]

[[claim]]
order = ["first", "second"]

[[claim]]
order = ["eldest", "youngest"]
over = "policy"

[[claim]]
order = ["first", "second"]
measure = "turns"
"""


def claims(game: str, seed: int, folder: Path) -> Alarms:
    (plan := folder / "plan.toml").write_text(CLAIMS.format(game=game, seed=seed), encoding="utf-8")
    answer = bz.game(str(plan)).sweep(out=folder / "games")
    rows = answer.to_dict()["claims"]
    claimed = tuple(row["measure"] for row in rows if row["verdict"] != "INCONCLUSIVE")
    printed = re.findall(r"^  (PASS|FAIL) ", str(answer), re.MULTILINE)
    return Alarms(claimed, len(printed) == len(claimed))


def report(game: str, seed: int, folder: Path) -> Alarms:
    """Run four line-ups of a sweep with two values of a number. The alarms are about seats and settings."""
    subject = bz.game(game)
    subject.sweep(
        policy=["eldest", "youngest"],
        set={"numbers.spare": [0, 2]},
        games=300,
        seed=seed,
        out=folder / "games",
    )
    return _of_page(_page(folder / "games"))


def rotated(game: str, seed: int, folder: Path) -> Alarms:
    """Run a line-up in every rotation. The alarms are about seats and stronger policies."""
    bz.game(game).sweep(
        policy=["eldest+youngest"],
        rotate=True,
        games=300,
        seed=seed,
        difficulty=[LEVELS[0]],
        out=folder / "games",
    )
    return _of_page(_page(folder / "games"))


def since(game: str, seed: int, folder: Path) -> Alarms:
    """Compare two sweeps of the same game with different seeds."""
    for name, one in (("then", seed + 10**6), ("now", seed)):
        bz.game(game).sweep(policy=["eldest", "youngest"], games=300, seed=one, out=folder / name)
    page = _page(folder / "now", since=folder / "then")
    found = _of_page(page)
    moved = ["since" for row in page["since"]["moved"] if row["is_clear"]]
    return replace(found, claimed=(*found.claimed, *moved))


def gate(game: str, seed: int, folder: Path) -> Alarms:
    """Compare a baseline with a sweep that differs only in the seed."""
    bz.game(game).sweep(policy=["eldest", "youngest"], games=300, seed=seed + 10**6, out=folder / "then")
    bz.game(game).sweep(policy=["eldest", "youngest"], games=300, seed=seed, out=folder / "now")
    document = bz.gate(folder / "now", baseline=folder / "then").to_dict()
    failed = ["moved" for row in document["moved"] if row["verdict"] == "fail"]
    says_none = document["sentence"] == "No win rate changed."
    return Alarms(
        tuple(failed), says_none != bool(failed) and (document["verdict"] == "fail") == bool(failed)
    )


def sides(game: str, seed: int, folder: Path) -> Alarms:
    """Run two roles with two values of a number.

    The alarms are about the better role, and about an effect of the values.
    """
    bz.game(game).sweep(set={"rounds.count": [1, 2]}, games=300, seed=seed, out=folder / "games")
    bz.open(folder / "games").report(folder / "page.md")
    text = (folder / "page.md").read_text(encoding="utf-8")
    ahead = re.findall(r"odds favour|rises by|falls by|wins [0-9.]+.% of the games with", text)
    return Alarms(tuple(dict.fromkeys(ahead)))


def ladder(game: str, seed: int, folder: Path) -> Alarms:
    """Run the ladder of two equally strong policies and their noisy copies."""
    answer = bz.game(game).ladder(
        policy=["eldest", "youngest"], difficulty=LEVELS[0], noise="0.2,0.5", games=300, seed=seed
    )
    document = answer.to_dict()
    claimed = ["order" for pair in document["neighbours"] if pair["told_apart"]]
    claimed += ["step" for step in document["steps"] if step.get("even") is False]
    fit = document["fit"]["p_adjusted"]
    claimed += ["fit"] if fit is not None and fit < ALPHA else []
    return Alarms(tuple(claimed))


def _page(folder: Path, **how) -> dict:
    bz.open(folder).report(page := folder.parent / "page.json", **how)
    return json.loads(page.read_text(encoding="utf-8"))


def _of_page(page: dict) -> Alarms:
    seats = [seat for row in page["seatings"] for seat in row["seats"] if row["about_seats"]]
    claimed = ["seat" for seat in seats if seat["finding"] != "none found"]
    claimed += ["player" for row in page["skill"] for duel in row["differences"] if duel["is_clear"]]
    claimed += [
        f"setting: {effect['measure']}"
        for row in page["effects"]
        for effect in row["effects"]
        if effect["p_adjusted"] < ALPHA
    ]
    text = " ".join(part["text"] for part in page["verdict"])
    says = re.search(r"is better than|plays better than|is an advantage|is a disadvantage", text) is not None
    return Alarms(tuple(claimed), not says or bool(claimed))


KINDS: dict[str, Kind] = {
    "compare: a number": partial(compare, {"numbers.spare": 2}, ALIKE),
    "compare: a policy": partial(compare, {"policy": "eldest"}, ALIKE),
    "compare: two roles": partial(compare, {"deck.copies": "[3,3,3]"}, UNLIKE),
    "cards --value": partial(cards, UNLIKE),
    "cards --usage": partial(usage, UNLIKE),
    "cards --without": partial(without, ALIKE),
    "cards --pairs": partial(pairs, ALIKE),
    "claims": partial(claims, ALIKE),
    "report: line-ups and settings": partial(report, ALIKE),
    "report: rotated seats": partial(rotated, ALIKE),
    "report --since": partial(since, ALIKE),
    "gate": partial(gate, ALIKE),
    "report: two sides": partial(sides, UNLIKE),
    "sensitivity": partial(sensitivity, ALIKE),
    "ladder": partial(ladder, ALIKE),
}


def one_run(kind: str, seed: int) -> Alarms:
    with tempfile.TemporaryDirectory(prefix="bartizan-alarms-") as folder:
        return KINDS[kind](seed, Path(folder))


def of_kind(kind: str, runs: int, jobs: int = 1, seed: int = 1) -> list[Alarms]:
    """Return the alarms of `runs` runs with consecutive seeds. The first run compiles the code for all."""
    first, rest = one_run(kind, seed), range(seed + 1, seed + runs)
    if jobs == 1:
        return [first, *(one_run(kind, seed) for seed in rest)]
    # a forked process would hang on the threads of polars
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        return [first, *pool.map(partial(one_run, kind), rest)]


def rows_of(found: Mapping[str, list[Alarms]], seed: int) -> list[dict[str, Any]]:
    """Return one row per kind of run, in the form in which rows are recorded."""
    return [
        {
            "question": kind,
            "runs": len(runs),
            "seed": seed,
            "wrong": sum(bool(one.claimed) for one in runs),
            "about": dict(Counter(what for one in runs for what in set(one.claimed)).most_common()),
            "text_differs": sum(not one.text_agrees for one in runs),
        }
        for kind, runs in found.items()
    ]


def record(rows: Iterable[Mapping[str, Any]]) -> None:
    """Replace the recorded rows of the same kinds, and rewrite docs/validity.md."""
    stamp = {"measured": date.today().isoformat(), "at_commit": coverage.commit()}
    known = {row["question"]: row for row in recorded().get("alarms", {}).get("rows", [])}
    known |= {row["question"]: {**row, **stamp} for row in rows}
    kept = [known[kind] for kind in KINDS if kind in known]
    coverage.record("alarms", {"command": "python benchmarks/wrong_alarms.py --record", "rows": kept})
    coverage.PAGE.write_text(coverage.page(recorded()), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("kind", nargs="*", help="only the kinds whose names begin so")
    parser.add_argument("--runs", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--record", action="store_true", help="keep the results for docs/validity.md")
    asked = parser.parse_args()
    kinds = [kind for kind in KINDS if not asked.kind or kind.startswith(tuple(asked.kind))]
    rows = []
    for kind in kinds:
        rows += rows_of({kind: of_kind(kind, asked.runs, asked.jobs, asked.seed)}, asked.seed)
        print(coverage.alarm_table(rows)[-1], file=sys.stderr, flush=True)
        if asked.record:
            record(rows[-1:])
    print("\n".join(coverage.alarm_table(rows)))


if __name__ == "__main__":
    main()
