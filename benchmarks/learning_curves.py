"""Test whether published plays show a learning curve of newcomers: docs/newcomer.md.

    python benchmarks/learning_curves.py --plays FOLDER --hanabi FOLDER

--plays: `final_agg.json` (see newcomer_fit.py). The script counts how often each pair plays each game, and
looks for data that determines the order of a pair's games. --hanabi: `games.csv` (see hanabi_first_play.py),
whose games have times. The script regresses the points of a game on log2 of its position in the person's
sequence of games, and prints JSON with 95 % percentile intervals of 2,000 bootstraps over people.
"""

import argparse
import json
from collections import Counter
from pathlib import Path

import numpy as np
import polars as pl

from bartizan.benchmarks.hanabi_first_play import limits, read

RESAMPLINGS, SEED = 2000, 1
TIMES = ("start", "time", "timestamp", "date", "round", "order", "session")  # fields that would order games


def orders(folder: Path) -> dict:
    """Return the recorded data of matches that could determine the order of the games of one pair."""
    raw = json.loads((folder / "final_agg.json").read_text(encoding="utf-8"))
    pairs = Counter(arena for games in raw.values() for arena in games["arena"])
    repeats = Counter((name, arena) for name, games in raw.items() for arena in games["arena"])
    fields = {field for games in raw.values() for field, values in games.items() if len(values)}
    return {
        "pairs": len(pairs),
        "games a pair": sorted(set(pairs.values())),
        "most often that a pair plays one game": max(repeats.values()),
        "fields of a match": sorted(fields),
        "fields that order a pair's games": sorted(fields & set(TIMES)),
    }


def hanabi(folder: Path) -> dict:
    """Return the points gained per doubling of a person's games. Fixed effects: people and partners."""
    games = read(folder / "games.csv").with_columns(pl.col("score").cast(int), pl.col("time").cast(float))
    games = games.sort("id", pl.col("first") != "yes", "time")
    games = games.with_columns(number=1 + pl.int_range(pl.len()).over("id"))
    reached = {n: int((games["number"] == n).sum()) for n in (1, 2, 5, 10, 20, 50)}
    spans = {"all games": games, "first 10 games": games.filter(pl.col("number") <= 10)}
    return {"people who played so many": reached} | {name: trend(span) for name, span in spans.items()}


def trend(games: pl.DataFrame) -> dict:
    people = [own for _, own in games.group_by("id", maintain_order=True) if len(own) > 1]
    partners = sorted(games["ai"].unique())
    parts = [within(own, partners) for own in people]
    moments = np.array([design.T @ design for design, _ in parts])
    sums = np.array([design.T @ points for design, points in parts])
    random, n = np.random.default_rng(SEED), len(parts)
    drawn = [random.integers(0, n, n) for _ in range(RESAMPLINGS)]
    slopes = [np.linalg.lstsq(moments[i].sum(0), sums[i].sum(0))[0][0] for i in drawn]
    slope = np.linalg.solve(moments.sum(0), sums.sum(0))[0]
    return {"people": n, "games": sum(map(len, people)), "points for each doubling": limits(slope, slopes)}


def within(own: pl.DataFrame, partners: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return the design matrix and the points of one person's games, with the mean of each column subtracted.

    The columns are log2 of the number of the game, and an indicator of each partner except the first.
    """
    columns = [np.log2(own["number"].to_numpy()), *((own["ai"] == name).to_numpy() for name in partners[1:])]
    design, points = np.column_stack(columns).astype(float), own["score"].to_numpy().astype(float)
    return design - design.mean(axis=0), points - points.mean()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Look for learning curves in published plays.")
    parser.add_argument("--plays", type=Path, metavar="FOLDER")
    parser.add_argument("--hanabi", type=Path, metavar="FOLDER")
    asked = parser.parse_args()
    found = {"plays": orders(asked.plays)} if asked.plays else {}
    found |= {"Hanabi": hanabi(asked.hanabi)} if asked.hanabi else {}
    print(json.dumps(found, indent=1))
