"""`ladder` and `cards` of a folder of records, beside known strengths and known effects (docs/records.md)."""

import json
from math import exp

import numpy as np
import polars as pl
import pytest

import bartizan as bz
from bartizan.simcore.errors import UsageError

SKILL = {"strong": 0.8, "middle": 0.0, "weak": -0.7}
FIRST = 0.3  # logits that the first seat is worth
GAMES = 1500  # a line-up


def imported(rows: list[dict], folder, **how) -> bz.Answer:
    pl.DataFrame(rows).write_csv(folder / "games.csv")
    return bz.import_records(folder / "games.csv", out=folder / "out", **how)


def meetings(line_ups, luck) -> list[dict]:
    """Games in Luce's model: the seat wins in proportion to exp(skill + worth of the seat)."""
    made = []
    for line_up in line_ups:
        weights = np.array([exp(SKILL[name] + FIRST * (seat == 0)) for seat, name in enumerate(line_up)])
        winners = luck.choice(len(line_up), GAMES, p=weights / weights.sum()) + 1
        names = {f"player_{seat}": name for seat, name in enumerate(line_up, 1)}
        made += [
            {"seed": len(made) + n, **names, "winner": int(winner), "turns": 9} for n, winner in enumerate(winners)
        ]
    return made


LINE_UPS = {
    "two seats": [(a, b) for a in SKILL for b in SKILL],
    "three seats": [("strong", "middle", "weak"), ("weak", "strong", "middle"), ("middle", "weak", "strong")],
}


@pytest.mark.parametrize("kind", LINE_UPS)
def test_a_ladder_of_records_finds_the_strengths_that_made_them(kind, tmp_path):
    rows = meetings(LINE_UPS[kind], np.random.default_rng(5))
    imported(rows, tmp_path)
    document = bz.open(tmp_path / "out").ladder().to_dict()
    places = {row["policy"]: row["logits"] for row in document["rungs"]["policies"]}
    assert list(places) == ["weak", "middle", "strong"] and document["recorded"] == len(rows)
    zero = next(name for name, place in places.items() if place["low"] == place["high"] == 0)
    for name, place in places.items():
        assert place["low"] <= SKILL[name] - SKILL[zero] <= place["high"], name
        assert place["high"] - place["low"] < 0.5
    seats = {row["seat"]: row["logits"] for row in document["seats"]}
    assert seats["first"]["low"] <= FIRST <= seats["first"]["high"]
    assert document["fit"]["p_adjusted"] is None or document["fit"]["p_adjusted"] > 0.01
    assert all(pair["told_apart"] for pair in document["neighbours"])


def test_a_ladder_needs_two_policies_and_no_new_games(tmp_path):
    imported([{"seed": n, "winner": 1 + n % 2, "turns": 3} for n in range(50)], tmp_path)
    folder = bz.open(tmp_path / "out")
    with pytest.raises(UsageError, match="contain no policies"):
        folder.ladder()
    with pytest.raises(UsageError, match="--games requires new games"):
        folder.ladder(games=100)


@pytest.mark.parametrize("games", [2, 300])
def test_policies_that_never_change_seats_cannot_be_told_from_them(games, tmp_path):
    rows = [{"seed": n, "player_1": "a", "player_2": "b", "winner": 1 + n % 3 % 2, "turns": 3} for n in range(games)]
    imported(rows, tmp_path)
    with pytest.raises(UsageError, match="in several seats"):
        bz.open(tmp_path / "out").ladder()


LIFT = {"sword": 0.2, "shield": 0.0, "curse": -0.2}


def draws(games: int) -> list[dict]:
    """Games of two: each seat draws each card half of the time, and plays a sword in 7 of 10 games."""
    luck, made = np.random.default_rng(8), []
    for seed in range(games):
        hands = [[card for card in LIFT if luck.random() < 0.5] for _ in range(2)]
        lead = sum(LIFT[card] for card in hands[0]) - sum(LIFT[card] for card in hands[1])
        row = {"seed": seed, "winner": 1 if luck.random() < 0.5 + lead / 2 else 2, "turns": 5}
        for seat, hand in enumerate(hands, 1):
            row[f"cards_drawn_{seat}"] = ";".join(hand)
            row[f"cards_played_{seat}"] = ";".join(card for card in hand if card != "sword" or luck.random() < 0.7)
        made.append(row)
    return made


@pytest.fixture(scope="module")
def deck(tmp_path_factory):
    """(rows, folder)"""
    rows, folder = draws(4000), tmp_path_factory.mktemp("cards")
    imported(rows, folder)
    return rows, folder / "out"


def test_cards_of_records_have_their_use_and_their_win_rates(deck):
    rows, folder = deck
    (cell,) = bz.open(folder).cards().to_dict()["cells"]
    used = {card["card"]: card for card in cell["cards"]}
    assert used["sword"]["copies"] == sum("sword" in row[f"cards_drawn_{seat}"] for row in rows for seat in (1, 2))
    share = used["sword"]["as_printed"]["share"]
    assert share["low"] <= 0.7 <= share["high"] and used["curse"]["as_printed"]["share"]["estimate"] == 1
    drawn = {card["card"]: card for card in cell["drawn"]}
    for name, lift in LIFT.items():
        found = drawn[name]["difference"]
        assert found["low"] <= lift / 2 <= found["high"], name  # of the other seat the card is unknown
        assert "all 3 together" in found["method"]
    assert drawn["sword"]["difference"]["low"] > 0 > drawn["curse"]["difference"]["high"]


def test_the_page_shows_the_cards(deck, tmp_path):
    bz.open(deck[1]).report(tmp_path / "page.json")
    bz.open(deck[1]).report(tmp_path / "page.html")
    (usage,) = json.loads((tmp_path / "page.json").read_text())["card_usage"]
    assert usage == bz.open(deck[1]).cards().to_dict()["cells"][0]
    assert "How cards are used" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_lists_in_other_forms_are_the_same_cards(deck, tmp_path):
    rows, folder = deck[0][:400], tmp_path
    expected = None
    for kind in ("csv", "bars", "json"):
        (tmp_path / kind).mkdir()
        if kind == "json":
            lists = [
                {
                    **{key: row[key] for key in ("seed", "winner", "turns")},
                    **{
                        name: [[*filter(None, row[f"{name}_{seat}"].split(";"))] for seat in (1, 2)]
                        for name in ("cards_drawn", "cards_played")
                    },
                }
                for row in rows
            ]
            path = tmp_path / kind / "g.jsonl"
            path.write_text("\n".join(map(json.dumps, lists)))
        else:
            path = tmp_path / kind / "g.csv"
            text = pl.DataFrame(rows).write_csv()
            path.write_text(text.replace(";", "|") if kind == "bars" else text)
        bz.import_records(path, out=folder / kind / "out")
        (cell,) = bz.open(folder / kind / "out").cards().to_dict()["cells"]
        found = [cell["cards"], cell["drawn"]]
        assert expected in (None, found), kind
        expected = found


def test_numbers_of_cards_are_a_measure_and_lists_of_one_side_are_enough(tmp_path):
    rows = [{"seed": n, "winner": 1, "turns": 3, "cards_played": n % 7} for n in range(40)]
    assert imported(rows, tmp_path).to_dict()["measures"] == ["cards_played"]
    with pytest.raises(UsageError, match="list no cards"):
        bz.open(tmp_path / "out").cards()
    only = [{**row, "cards_played": "axe, bow" if row["seed"] % 2 else "axe"} for row in rows]
    (tmp_path / "b").mkdir()
    imported(only, tmp_path / "b")
    (cell,) = bz.open(tmp_path / "b" / "out").cards().to_dict()["cells"]
    assert cell["by"] == "played" and [card["drew"] for card in cell["drawn"]] == [40, 20]


def tables_of_two_and_three() -> list[dict]:
    """Three games of two players and two of three; only the first seat draws, and it wins."""
    return [
        {"seed": n, "policy_1": "a", "policy_2": "b", "policy_3": "c" if n > 2 else None, "winner": 1, "turns": 3}
        | {"drawn_1": "axe", "drawn_2": None, "drawn_3": None}
        for n in range(5)
    ]


def test_empty_seats_are_not_players_who_drew_nothing(tmp_path):
    imported(tables_of_two_and_three(), tmp_path)
    cells = bz.open(tmp_path / "out").cards().to_dict()["cells"]
    players = [(card["drew"], card["others"]) for cell in cells for card in cell["drawn"]]
    assert players == [(3, 3), (2, 4)]


def test_a_card_in_an_empty_seat_is_one_line(tmp_path):
    rows = tables_of_two_and_three()
    rows[1]["drawn_3"] = "bow"
    with pytest.raises(UsageError, match="row 3, column 'drawn_3': lists a card in a game with 2 seats"):
        imported(rows, tmp_path)


def test_pairs_that_decide_no_game_are_left_out_of_a_ladder(tmp_path):
    """Only the first seat ever wins, so the second and third seats have no contest."""
    rows = meetings([("strong", "middle", "weak")], np.random.default_rng(3))[:60]
    for row in rows:
        row["winner"] = "game" if row["seed"] % 3 else 1
    rows += [{**row, "player_1": row["player_2"], "player_2": row["player_1"]} for row in rows]
    imported(rows, tmp_path)
    assert bz.open(tmp_path / "out").ladder().to_dict()["recorded"] == len(rows) == 120


def test_a_ladder_of_games_without_a_winner_is_one_line(tmp_path):
    rows = [{"player_1": "a", "player_2": "b", "winner": "game", "turns": 3} for _ in range(9)]
    imported(rows, tmp_path)
    with pytest.raises(UsageError, match="too few games"):
        bz.open(tmp_path / "out").ladder()
