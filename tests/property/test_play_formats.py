"""A true log of plays, written in every format, comes back the same or is set aside with a reason; every summary
of it equals the one computed from the log itself.

`BARTIZAN_LOGS=2000 python -m pytest tests/property/test_play_formats.py` draws so many logs; `python -m
tests.property.test_play_formats 2000` prints how many came back (`2000 500`: from log 500 on).
"""

import os
import sys
import tempfile
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest

from bartizan import api
from bartizan.analyses.people import checks, log, skill
from bartizan.simcore.game import load_game
from tests.true_logs import Play, Written, drawn

LOGS = int(os.environ.get("BARTIZAN_LOGS", "40"))
COLUMNS = {"row": "row", "date": "date", "game": "game", "edition": "edition", "level": "level", "players": "players", "minutes": "minutes", "turns": "rounds", "turns unit": "rounds_unit", "ending": "ending", "seat": "seat", "result": "result", "score": "score", "first play": "first_play", "start player": "start_player"}  # fmt: skip


def brought(written: Written, folder: Path) -> tuple[dict[str, Any], pl.DataFrame]:
    """The account of a file, and the log."""
    (folder / written.name).write_bytes(written.data)
    mapping = folder / "mapping.toml" if written.mapping else None
    if mapping:
        mapping.write_text(written.mapping, encoding="utf-8")
    answer = api.playtest_import(folder / written.name, out=folder / "plays", game=written.option, mapping=mapping)
    return answer.to_dict()["files"][0], log.read(folder / "plays")


def held(written: Written, folder: Path) -> Counter:
    """Hold a file against the truth; count what came back."""
    account, frame = brought(written, folder)
    kept = frame.filter("kept")
    found = sorted(kept.select(COLUMNS.values()).rows(), key=str)
    wanted = sorted((tuple(row[name] for name in COLUMNS) for row in written.rows), key=str)
    assert found == wanted
    _same_people(written, kept)
    aside = {row: reason["reason"] for reason in account["reasons"] for row in reason["rows"]}
    aside = {row: reason for row, reason in aside.items() if reason != "an empty row"}
    assert set(aside) == set(written.aside)
    assert all(part in aside[row] for row, part in written.aside.items())
    unread = Counter[str]()
    for cell in account["unread"]:
        unread[cell["column"]] += cell["count"]
    assert unread == written.unread
    return Counter(rows=len(wanted), aside=len(aside), **{f"left out: {name}": n for name, n in unread.items()})


def _same_people(written: Written, kept: pl.DataFrame) -> None:
    """One code for a person, another for another."""
    named = [(row["player"], row["row"]) for row in written.rows if row["player"]]
    coded = kept.filter(pl.col("player_key").is_not_null()).select("player_key", "row").rows()
    assert sorted(_rows_of(named)) == sorted(_rows_of(coded))


def _rows_of(people: list[tuple[str, int]]) -> list[list[int]]:
    rows: dict[str, list[int]] = {}
    for who, row in sorted(people):
        rows.setdefault(who, []).append(row)
    return list(rows.values())


# ---------------------------------------------------------------- summaries, from the truth itself


def shares(plays: list[Play], seats: int) -> list[tuple[int, int]]:
    """[seat] -> (plays, wins): of plays with so many people whose result is known, those in which what was
    noted tells where each sat, or, for the first seat, who began.
    """
    counts = [(0, 0)] * seats
    silent = any(play.shown == "unplaced" and play.result != "0" for play in plays if len(play.seats) == seats)
    for play in plays:
        if len(play.seats) != seats or play.seats[0].result == "unknown":
            continue
        several = sum(seat.result == "win" for seat in play.seats) > 1
        every = {
            "all": True,
            "but one": True,
            "none": False,
            "first": seats == 2,
            "winner": seats == 2 and play.result != "0",
            "alone": not silent,
            "unplaced": not silent,
        }[play.shown]
        if several:
            continue
        for seat in range(seats) if every else range(1) if play.shown == "first" else ():
            counts[seat] = (counts[seat][0] + 1, counts[seat][1] + (play.result == str(seat + 1)))
    return counts


def held_shares(written: Written, frame: pl.DataFrame) -> int:
    """Shares by seat, and lengths, of rivals."""
    game, summaries = load_game(written.named), 0
    for seats in game.player_counts or (len(game.roles),):
        scores = game.compiled.reporting.seat_scores(seats) if game.compiled.reporting else []
        rows = np.zeros(1, [(name, "i4") for name in ("winner", "turn", *scores)])
        source = SimpleNamespace(rows=lambda *_, rows=rows: rows)
        found = checks.contest(frame, SimpleNamespace(game=game), game.roles[:seats], 1, source)
        assert [(row.plays, row.wins) for row in found.seats] == shares(written.plays, seats)
        lengths = [play.length for play in written.plays if len(play.seats) == seats and play.length is not None]
        people = {row.name: row.people for row in found.numbers}
        assert ("turns" in people) == bool(lengths)
        assert not lengths or (people["turns"].n, people["turns"].mean) == (
            len(lengths),
            pytest.approx(np.mean(lengths)),
        )
        assert found.plays == sum(len(play.seats) == seats for play in written.plays)
        summaries += 2 * seats
    return summaries


def held_skill(written: Written, frame: pl.DataFrame) -> int:
    """Plays, wins, score and length at each level of a solo game."""
    words = written.game
    joined = skill.join(frame, words.name, words.levels, words.levels)
    for level in words.levels:
        mine = [play for play in joined.plays if play.level == level]
        true = [play for play in written.plays if play.level == level and play.seats[0].result != "unknown"]
        assert len(mine) == len(true)
        assert sum(play.won for play in mine) == sum(play.seats[0].result == "win" for play in true)
        for of_people, of_truth in (
            (_told(mine, "score"), _scores(true)),
            (_told(mine, "turns"), _told(true, "length")),
        ):
            assert sorted(of_people) == pytest.approx(sorted(of_truth))
    left = sum(play.seats[0].result == "unknown" or not play.level for play in written.plays)
    assert sum(joined.left_out.values()) == left
    return 4 * len(words.levels)


def _told(plays: list, name: str) -> list[float]:
    return [getattr(play, name) for play in plays if getattr(play, name) is not None]


def _scores(plays: list[Play]) -> list[float]:
    """Of each play the one score of its table."""
    told = ([seat.score for seat in play.seats if seat.score is not None] for play in plays)
    return [scores[0] for scores in told if scores]


def held_log(seed: int, folder: Path) -> Counter:
    """A true log in every format."""
    total = Counter[str]()
    for written in drawn(seed):
        place = folder / f"{seed} {written.kind[:4]} {total['files']}"
        place.mkdir()
        try:
            counts = held(written, place)
            frame = log.kept(place / "plays")
            counts["summaries"] = (held_shares if written.game.rivals else held_skill)(written, frame)
        except AssertionError as error:
            raise AssertionError(f"log {seed}, {written.kind}: {error}") from error
        total.update(counts)
        total.update({"files": 1, f"rows of {written.kind.split()[0]}": counts["rows"]})
        total.update({f"aside: {reason}": 1 for reason in written.aside.values()} if written.aside else {})
    return total


@pytest.mark.rotating
def test_a_true_log_comes_back_from_every_format(tmp_path):
    total = Counter[str]()
    for seed in range(LOGS):
        total += held_log(seed, tmp_path)
    assert total["files"] == LOGS * 8 and total["rows"] > 10 * total["aside"] > 0
    assert total["left out: score"] > 0 and total["left out: minutes"] > 0


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        total = Counter[str]()
        number, first = (*map(int, sys.argv[1:]), 0)[:2]
        for seed in range(first, first + number):
            try:
                total += held_log(seed, Path(folder))
            except AssertionError as error:
                total["logs that differ"] += 1
                print(str(error)[:300])
    for name, number in sorted(total.items()):
        print(f"{number:>9,}  {name}")
