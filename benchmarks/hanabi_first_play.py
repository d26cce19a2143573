"""Compare first plays of Hanabi with plays by practised players: docs/newcomer.md.

    python benchmarks/hanabi_first_play.py FOLDER    people, and models with a partner
    python benchmarks/hanabi_first_play.py           models alone

FOLDER contains `games.csv` and `participants.csv`, as published by Eger, Martens & Alfaro Cordoba 2017 (CC BY
4.0) in github.com/yawgmoth/HanabiData. The script prints JSON with 95 % percentile intervals of 2,000
bootstraps over people or, for models, over games.
"""

import json
import sys
from pathlib import Path

import numpy as np
import polars as pl

from bartizan.policies.request import Request
from bartizan.simcore.compile import cache
from bartizan.simcore.play.replay import OneGame

DECLARED = ("never", "1 to 10 times", "10 to 50 times", "more than 50 times")
SEED, RESAMPLINGS = 1, 2000
HANABI = Path(__file__).resolve().parent.parent / "examples/short/hanabi.py"
PARTNER, MODELS, GAMES = "simple", ("random", "newcomer", "newcomer@people"), 1000


def games_of(folder: Path) -> pl.DataFrame:
    """Return one row per game: person, score, index among the person's games, and stated experience."""
    games, said = (read(folder / f"{name}.csv") for name in ("games", "participants"))
    games = games.with_columns(
        pl.col("score").cast(int), pl.col("time").cast(float), pl.col("first") == "yes"
    ).sort("id", pl.col("first").not_(), "time")
    firsts = games.filter("first").select("id", first_score="score")
    said = said.select("id", pl.col("hanabiexp").cast(int, strict=False), told=pl.col("score").cast(int))
    odd = said.join(firsts, "id").filter(pl.col("told") != pl.col("first_score"))
    if len(odd):
        raise SystemExit(f"{folder}: {len(odd)} first scores differ between the two files")
    started = games.join(firsts, "id")  # people whose first game is missing are left out
    return started.with_columns(number=pl.int_range(pl.len()).over("id")).join(said, "id", how="left")


def read(path: Path) -> pl.DataFrame:
    table = pl.read_csv(path, infer_schema=False, truncate_ragged_lines=True)
    return table.rename(str.strip).with_columns(pl.all().str.strip_chars())


def mean(values: np.ndarray) -> list[float]:
    return limits(values.mean(), [values[i].mean() for i in drawn(len(values))])


def ratio(above: np.ndarray, below: np.ndarray) -> list[float]:
    """Return the ratio of two means with its interval.

    The people of the two groups are resampled independently.
    """
    pairs = zip(drawn(len(above)), drawn(len(below), SEED + 1), strict=True)
    return limits(above.mean() / below.mean(), [above[i].mean() / below[j].mean() for i, j in pairs])


def drawn(n: int, seed: int = SEED) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, n, (RESAMPLINGS, n))


def limits(estimate: float, resampled: list[float]) -> list[float]:
    return [round(float(x), 2) for x in (estimate, *np.quantile(resampled, (0.025, 0.975)))]


def main(folder: Path) -> dict:
    games = games_of(folder)
    first, groups = games.filter(pl.col("number") == 0), {}
    for code, words in enumerate(DECLARED, 1):
        own = games.filter(pl.col("hanabiexp") == code)
        next_two = own.filter(pl.col("number").is_in([1, 2])).group_by("id").agg(pl.col("score").mean())
        groups[words] = (
            own.filter(pl.col("number") == 0)["score"].to_numpy(),
            next_two.sort("id")["score"].to_numpy(),
        )
    never, practised = groups[DECLARED[0]][0], groups[DECLARED[-1]][0]
    return {
        "games": len(games),
        "people": len(first),
        "who said what they had played": int(first["hanabiexp"].is_not_null().sum()),
        "first game": mean(first["score"].to_numpy()),
        "by what was declared": {
            words: {
                "people": len(one),
                "first game": mean(one),
                "people with more": len(more),
                "next two games": mean(more),
            }
            for words, (one, more) in groups.items()
        },
        "first game, never over more than 50": ratio(never, practised),
        "first game, never over 10 to 50 and more": ratio(
            never, np.concatenate([practised, groups[DECLARED[2]][0]])
        ),
        "never: first game over the next two": ratio(never, groups[DECLARED[0]][1]),
    }


# ---------------------------------------------------------------- models of a first play


def scores(policy: str, games: int) -> np.ndarray:
    """Return the points of each game of a policy with the partner: int64 [game].

    The starting player alternates.
    """
    own, other = (
        OneGame(Request(str(HANABI), policy=(name,), sets={"numbers.players": "2"}).match(SEED, "one policy"))
        for name in (policy, PARTNER)
    )
    points = []
    for number in range(games):
        own.begin(SEED, number)
        while not own.is_over:
            if own.state.me == number % 2:
                own.play(own.choice())
            else:
                other._states[:], other.plies = own._states, own.plies
                own.play(other.choice())
        points.append(int(own.record()["score"]))
    return np.array(points)


def models(games: int = GAMES) -> dict:
    """Return the mean points of each model with the partner, and the ratio to those of two partners."""
    practised = scores(PARTNER, games)
    return {"games": games, f"{PARTNER} with {PARTNER}": mean(practised)} | {
        f"{name} with {PARTNER}": {"points": mean(own), "share": ratio(own, practised)}
        for name in MODELS
        for own in [scores(name, games)]
    }


if __name__ == "__main__":
    cache.configure()
    people = {"people": main(Path(sys.argv[1]))} if sys.argv[1:] else {}
    print(json.dumps(people | {"models": models()}, indent=1))
