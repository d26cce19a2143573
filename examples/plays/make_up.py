"""Write synthetic plays for trying `bartizan playtest`. The testers are policies with noise, not people.

    python examples/plays/make_up.py FOLDER

The script writes made-up-itter.csv with the headings of the form, and made-up-deutsch.csv like a German
spreadsheet. Each tester is `garrison` with random actions in some decisions. The share of random actions is
drawn once per tester and is not recorded.
"""

import csv
import io
import sys
from pathlib import Path

import numpy as np

import bartizan as bz

TESTERS = ("Ada", "Bo", "Cleo", "Dev", "Eli", "Fay", "Gus", "Hana")
LEVELS = ("novice", "veteran", "elite")
MADE_UP = "# MADE UP by a computer: nobody played these. How: make_up.py beside this file"
AUSGEDACHT = "# AUSGEDACHT (made up) von einem Computer: niemand hat dies gespielt. Wie: make_up.py daneben"
ENDEN = {"relieved by the 142nd": "Entsatz", "deck ran out": "Stapel leer", "breach": "Durchbruch"}
STUFEN = {"novice": "Anfänger", "veteran": "Veteran", "elite": "Experte"}


def plays(luck: np.random.Generator, each: int) -> list[dict]:
    """Return `each` plays of each tester, by date."""
    noise = {tester: round(float(luck.uniform(0, 0.25)), 2) for tester in TESTERS}
    order = [tester for _ in range(each) for tester in luck.permutation(TESTERS)]
    return [play(luck, number, tester, noise[tester]) for number, tester in enumerate(order, 1)]


def play(luck: np.random.Generator, number: int, tester: str, noise: float) -> dict:
    """Simulate one game by the tester's policy, and return it as the tester would record it."""
    level = LEVELS[number % 3]
    policy = f"garrison:noise={noise}" if noise else "garrison"
    seed = int(luck.integers(1_000_000))
    answer = bz.game("itter").run(difficulty=level, policy=policy, games=1, seed=seed)
    (game,) = answer.rows().collect().to_dicts()
    return {
        "play": number,
        "date": f"2026-{9 + number // 15:02}-{1 + 2 * (number % 15):02}",
        "game": "Castle Itter",
        "edition": "made up",
        "level": level,
        "players": 1,
        "minutes": round(4 * game["turn"] + float(luck.normal(12, 6))),
        "turns": game["turn"],
        "ending": next(ending for ending, games in answer.to_dict()["end_reasons"].items() if games),
        "player": tester,
        "result": "win" if answer.to_dict()["wins"] else "loss",
        "score": game["score"],
        "fun": int(luck.integers(2, 6)),
    }


def german(one: dict) -> dict:
    """Convert a play to German notation: dates as day.month.year, and a decimal comma."""
    year, month, day = one["date"].split("-")
    score = "" if one["score"] is None else f"{one['score']},0"
    return {
        "Datum": f"{day}.{month}.{year}",
        "Fassung": "ausgedacht (made up)",
        "Schwierigkeitsgrad": STUFEN[one["level"]],
        "Name": one["player"],
        "Überlebt?": "ja" if one["result"] == "win" else "nein",
        "Punkte": score,
        "Letzte Runde": one["turns"],
        "Woran gescheitert?": ENDEN[one["ending"]] if one["result"] == "loss" else "",
        "Dauer (Minuten)": f"{one['minutes']},5",
        "Spaß (1-5)": one["fun"],
    }


def sheet(first: str, rows: list[dict], separator: str) -> str:
    """Return the sheet as text: a line that describes it, the headings, one row per play."""
    text = io.StringIO()
    out = csv.DictWriter(text, list(rows[0]), delimiter=separator, lineterminator="\n")
    out.writeheader()
    out.writerows(rows)
    return f"{first}\n{text.getvalue()}"


def main(folder: Path) -> None:
    english = sheet(MADE_UP, plays(np.random.default_rng(142), 3), ",")
    deutsch = sheet(AUSGEDACHT, [german(one) for one in plays(np.random.default_rng(1945), 3)], ";")
    (folder / "made-up-itter.csv").write_text(english, encoding="utf-8", newline="")
    (folder / "made-up-deutsch.csv").write_text(deutsch, encoding="utf-8", newline="")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
