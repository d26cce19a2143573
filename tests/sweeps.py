"""A small made-up sweep: the folder a sweep leaves behind, with outcomes known in advance."""

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import polars as pl

from bartizan.analyses.records.tally import tally

TIERS = {"Gold": 20, "Silver": 10, "Bronze": 1, "none": -999}
END_REASONS = {"1": "illegal action", "2": "ply cap", "3": "breach", "4": "deck ran out"}
GATES = {"0": "no breach", "21": "west gate", "25": "north wall", "30": "keep"}


class Cell(SimpleNamespace):
    """The manifest's entry as attributes, and its shards."""

    assumed_values = ()  # older manifests have none

    def scan(self) -> pl.LazyFrame:
        return pl.scan_parquet(self.folder / "*.parquet")


def solo_cell(**changes) -> dict:
    """One cell of a solo game, as a manifest holds it."""
    policy = {"role": "defender", "name": "garrison", "weights": {"reserve": 10.0}, "about": "Keeps a reserve."}
    return {
        "id": "novice.garrison",
        "difficulty": "novice",
        "scenario": "published",
        "scenario_hash": "0123456789abcdef",
        "set": {},
        "policies": [policy],
        "games": 2000,
        "tiers": TIERS,
        "end_reasons": END_REASONS,
        "labels": {"breach_circle": GATES},
        "cause_column": "breach_circle",
        "nulls": {"score": -128},
        "assumed": 3,
        "confidence": {"rulebook": 10, "assumed": 3},
        "assumptions": ["Dice of the mortar: 3"],
        "min_win_score": 1,
        **changes,
    }


def records(games=2000, loss=0.4, capped=0, seed=1) -> pl.DataFrame:
    """Solo games: the first `capped` cut off, of the others a share `loss` lost in turns 1 to 12 (geometric), the rest scored."""
    luck = np.random.default_rng(seed)
    is_capped = np.arange(games) < capped
    is_lost = (luck.random(games) < loss) & ~is_capped
    score = luck.normal(8, 9, games).round().astype(int)
    winner = np.select([is_capped, is_lost, score >= 1], [-2, -3, 0], -1)
    has_score = ~(is_capped | is_lost)
    return pl.DataFrame(
        {
            "game": np.arange(games, dtype=np.uint32),
            "plies": luck.integers(40, 120, games).astype(np.uint32),
            "end_reason": np.select([is_capped, is_lost], [2, 3], 4).astype(np.uint8),
            "winner": winner.astype(np.int8),
            "turn": np.where(is_lost, np.minimum(luck.geometric(0.1, games), 12), 12).astype(np.uint8),
            "score": pl.Series(
                [int(s) if kept else None for s, kept in zip(score, has_score, strict=True)], dtype=pl.Int16
            ),
            "breach_circle": np.where(is_lost, luck.choice([21, 25, 30], games, p=[0.5, 0.3, 0.2]), 0).astype(np.int8),
            "casualties": luck.poisson(6, games).astype(np.uint8),
            "escaped": luck.random(games) < 0.25,
        }
    )


def analyze(question, frame: pl.DataFrame, cell, **how):
    """What a question of `analyses.records` answers of the games of a frame."""
    return question(tally(frame.lazy(), cell), cell, **how)


def make_sweep(root: Path, cells: list[tuple[dict, pl.DataFrame]], **changes):
    """Write manifest and shards (two a cell) under `root` and open them."""
    manifest = {
        "schema": "bartizan.sweep/1",
        "game": "keep",
        "game_as_named": "keep",
        "title": "The Keep",
        "rules_source": "rulebook of 2019",
        "behaviour": 1,
        "versions": {"bartizan": "0.1.0"},
        "seed": 7,
        "level": 0.95,
        "precision": None,
        "command": "bartizan sweep keep --games 2000 --seed 7 -o DIR",
        "shard_games": 1000,
        "cells": [cell for cell, _ in cells],
        **changes,
    }
    for cell, frame in cells:
        folder = root / "cells" / cell["id"]
        folder.mkdir(parents=True)
        half = frame.height // 2
        for index, part in enumerate((frame[:half], frame[half:])):
            part.write_parquet(folder / f"{index:05}.parquet")
    (root / "manifest.json").write_text(json.dumps(manifest, indent=2, sort_keys=True))
    return open_sweep(root)


def open_sweep(root: Path):
    manifest = json.loads((root / "manifest.json").read_text())
    cells = [Cell(folder=root / "cells" / cell["id"], **cell) for cell in manifest["cells"]]
    return SimpleNamespace(folder=root, manifest=manifest, cells=cells)


def effect_row(difference: dict) -> dict:
    """An effect of a document: what is said of it is its difference."""
    share = {"estimate": 0.5, "low": 0.4, "high": 0.6, "level": 0.95, "method": "Wilson"}
    sides = {"base": share, "changed": share, "differing": share}
    return {
        "kind": "policy",
        "measure": "",
        "n": 2000,
        **sides,
        "difference": difference,
        "se": 0.01,
        "p": 0.001,
        "p_adjusted": 0.002,
        "pairing_factor": 1.0,
    }
