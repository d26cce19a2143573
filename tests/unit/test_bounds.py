"""No number that a scenario allows is too large for the array or the column that holds it."""

import importlib
import json
import shutil
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from bartizan.policies.registry import find_player
from bartizan.simcore import conformance
from bartizan.simcore.arrays import as_records
from bartizan.simcore.castle import components as castle
from bartizan.simcore.colditz import components as colditz
from bartizan.simcore.colditz.board import read_board
from bartizan.simcore.colditz.tables import build_tables
from bartizan.simcore.compile.cuts import wide
from bartizan.simcore.conformance import check_ends, each_scenario
from bartizan.simcore.ends import ends_of, pairs_of, spread
from bartizan.simcore.errors import EngineError, ScenarioError
from bartizan.simcore.game import BUILTIN, load_game
from bartizan.simcore.itter import components as itter
from bartizan.simcore.itter.components import End, Place
from bartizan.simcore.itter.record import NO_SCORE
from bartizan.simcore.itter.schema import ItterScenario
from bartizan.simcore.kit.columns import holds, limits, narrowest
from bartizan.simcore.kit.tables import path_of
from bartizan.simcore.rampage import components as rampage
from bartizan.simcore.scenario.loading import load_scenario
from bartizan.simcore.sweep import shards
from bartizan.simcore.sweep.store import open_sweep
from tests.cli.run_cli import PIG, RUIN, bartizan, tree
from tests.itter_table import Table

ITTER = load_game("itter")


def test_the_narrowest_type():
    assert [narrowest(0, most) for most in (255, 256, 65_535, 65_536)] == ["u1", "u2", "u2", "u4"]
    assert [narrowest(-least, 5) for least in (1, 128, 129, 32_769)] == ["i1", "i1", "i2", "i4"]


@pytest.mark.parametrize("name", BUILTIN)
def test_tables_hold_what_the_schema_allows(name):
    schema, fields = load_game(name).schema, importlib.import_module(f"bartizan.simcore.{name}.tables").FIELDS
    paths = [(field, path) for field in fields if (path := path_of(field))]
    assert paths and not [path for field, path in paths if not holds(field[1], *limits(schema, path))]


# ---------------------------------------------------------------- Castle Itter


def record_of(table):
    row = np.zeros(1, ITTER.compiled.record_dtype)
    ITTER.compiled.write_record(table.state, table.tables, as_records(row)[0])
    return row[0]


def test_scores_and_tallies_of_castle_itter_are_recorded_as_they_are():
    """They were 10, 44 and "no score" in columns of 8 bits."""
    table = Table(**{"score.other_on_board.points": 12, "score.ss_counter.points": -15})
    s, t = table.state, table.tables
    s.place[:] = Place.KILLED
    french = [name for name, d in table.scenario.model.defender.items() if d.nation == "FRA"]
    others = [d for d, name in enumerate(table.defenders) if name not in french]
    outside = [p for p in range(t.n_positions) if not t.is_cellar[t.location[p]]]
    for d, p in zip(others, outside, strict=False):
        s.place[d] = p
    s.supply[:] = t.count
    s.end_reason = End.RELIEVED
    s.attacks = s.recovers = s.disruptions = s.commanded = 300
    row = record_of(table)
    assert row["score"] == 12 * min(len(others), len(outside)) > 127
    assert [row[name] for name in ("attacks", "recovers", "disruptions", "commanded")] == [300] * 4
    s.place[:] = Place.KILLED
    s.supply[0] -= 9
    assert record_of(table)["score"] == -135 and NO_SCORE < -itter.MAX_LEGAL, "8 bits end at -128, which meant no score"


def one_location():
    """All positions outside the Cellar and the tank in one location."""
    data = json.loads(json.dumps(load_scenario(ITTER).data))
    locations = data["location"]
    room = [key for key, location in locations.items() if location["defence_track"] and not location["destructible"]]
    return {
        f"position.{key}.location": room[0]
        for key, position in data["position"].items()
        if position["location"] in room
    }


def test_every_list_of_castle_itter_has_room():
    """20 positions in one location: 400 free moves were written into room for 256."""
    table = Table(free_move_when="any_time", **one_location()).clear_board()
    table.state.place[:] = Place.KILLED
    table.state.occupant[:] = itter.NONE
    for d in range(20):
        table.state.place[d], table.state.occupant[d] = d, d
    assert 256 < len(table.legal()) <= itter.MAX_LEGAL
    orders = 1 + itter.DEFENDERS + itter.DEFENDERS * (itter.POSITIONS - 1)
    values = limits(ItterScenario, "defender.*.suppress")[1] + itter.DEFENDERS
    acts = 2 * 3 * itter.CIRCLES + 2 * (values + 1) + 2 * itter.POSITIONS + 7
    tokens = limits(ItterScenario, "inventory.suppression_tokens.count")[1] + 1
    assert max(orders, acts) + 8 <= itter.MAX_LEGAL, "`write_set` writes eight actions at once"
    assert max(orders, acts, tokens, 3 * itter.DEFENDERS + 1, itter.SS_CARDS, itter.TACTICS) <= itter.MAX_LEGAL
    assert limits(ItterScenario, "turn.ss_cards")[1] <= itter.PLANNED


def test_tokens_without_limit_have_room_or_are_refused():
    for scenario in each_scenario(ITTER):
        load_scenario(ITTER, scenario.name, scenario.difficulty, {"rulings.token_cap": "unlimited"})
    with pytest.raises(
        ScenarioError,
        match=r"rulings.token_cap: unlimited: up to .* tokens on one square.* lower turn.defender_actions",
    ):
        load_scenario(ITTER, sets={"rulings.token_cap": "unlimited", "turn.defender_actions": 28})


@pytest.mark.parametrize(
    ("level", "sets", "said"),
    [
        (
            "competitive",
            {"mode.competitive.ss_draw": 0},
            "mode.competitive.ss_draw: 0, but the SS player draws at least 1 card",
        ),
        (
            "competitive",
            {"competitive_card.category": "disrupt"},
            "competitive_card.category: disrupt is not a category of a sturm card",
        ),
        (
            "elite",
            {"tactics_card.barrage.effects": [{"op": "extra_dice", "cards": ["mortar"] * 3, "n": 12}]},
            "adds up to 36 for mortar",
        ),
    ],
)
def test_what_the_arrays_of_castle_itter_cannot_hold_is_refused(level, sets, said):
    scenario = "competitive" if level == "competitive" else "published"
    with pytest.raises(ScenarioError, match=said):
        load_scenario(ITTER, scenario, level, sets)


def test_a_hand_without_cards_lays_none():
    """The first turn of an SS player whose first draw is 0 has no card to lay: he draws."""
    table = Table("competitive", scenario="competitive", **{"mode.competitive.ss_first_draw": 0})
    assert table.state.to_move == itter.DEFENDER and table.state.ss_hand_size == table.tables.ss_draw > 0


# ---------------------------------------------------------------- the other games: lists from what there is


def test_every_list_of_castle_has_room():
    others = castle.SEATS - 1
    targets = others * castle.SQUARES + castle.CARDS + others + castle.SQUARES
    lay = others * castle.SQUARES * (castle.SIDES - 1)
    card = castle.SQUARES + 2 + targets + lay
    spy = 1 + castle.SEATS * castle.SQUARES + castle.CARDS
    assert max(card, spy) <= castle.MAX_LEGAL


def test_every_list_of_castle_rampage_has_room():
    plays = 2 * rampage.KINDS * (rampage.BOOSTS + 1)  # from the hand, and those in front
    assert 1 + 2 * rampage.KINDS + plays <= rampage.MAX_LEGAL


def test_every_list_of_colditz_has_room():
    board = read_board()
    tables = build_tables(load_scenario(load_game("colditz")))[0]
    b = tables["board"]
    arcs = b["arc_first"].max()
    crossed = len(set(b["arc_to"][:arcs][b["arc_way"][:arcs] >= 0].tolist()))
    goals = len(board.circles) + 1 + crossed + max(colditz.TUNNELS * colditz.CHAIN, colditz.POWS)
    assert goals <= colditz.GOALS
    players = colditz.PLAYERS
    team = colditz.TEAM
    kinds = colditz.CARDS
    guards = colditz.GUARDS
    equipment = colditz.EQUIPMENT
    gifts = (players - 1) * colditz.DECK + (players - 1) * equipment
    pairs = guards * (guards + 1) // 2
    moves = team + 2 + team + players * equipment + equipment * (equipment + 3) // 2 + equipment
    claims = team * colditz.POWS + 4
    cards = guards + pairs + 1 + colditz.ROOMS * team + 3 + team + colditz.TUNNELS
    allied = kinds + 1 + moves + claims + cards + gifts
    posts = len(tables["post_circle"])
    german = (
        colditz.SECURITY
        + 1
        + 2 * guards
        + posts
        + 1
        + colditz.ROOMS * guards
        + 2 * colditz.POWS
        + guards * colditz.POWS
        + colditz.TUNNELS
    )
    answers = 1 + team + equipment + 1 + guards + team * int(b["n_safe"])
    assert max(goals + 1, allied, german, answers, guards * colditz.POWS) <= colditz.MAX_LEGAL


# ---------------------------------------------------------------- both ends of a range


def test_both_ends_of_each_range():
    pig = load_scenario(load_game(PIG))
    ends = ends_of(pig)
    parameters = {parameter.path: parameter for parameter in pig.parameters()}
    assert ends and all(value != parameters[path].value for path, value in ends)
    for path, parameter in parameters.items():
        for end in (parameter.low, parameter.high):
            assert end in (None, parameter.value) or (path, end) in ends
    many = [("a", i) for i in range(1000)]
    assert len(spread(many, 40)) == 40 and spread(many[:3], 40) == many[:3]
    assert {b - a for (_, a), (_, b) in pairwise(spread(many, 40))} == {25}


def test_pairs_are_of_two_values_and_the_same_each_time():
    ends = [(path, value) for path in "abcdef" for value in (0, 9)]
    pairs = pairs_of(ends, 30)
    assert pairs == pairs_of(ends, 30) and 15 < len(set(pairs)) == len(pairs) <= 30
    assert all(one in ends and other in ends and one[0] != other[0] for one, other in pairs)
    assert pairs_of(ends[:1], 30) == pairs_of([], 30) == []


def test_a_narrow_field_of_either_sign_gets_room():
    fields = [("plies", "u2"), ("score", "i1"), ("share", "f4"), ("key", "u8"), ("dice", "u1", (3,))]
    roomy = wide(np.dtype(fields))
    assert {name: roomy[name].base.str[1:] for name, *_ in fields} == dict.fromkeys(
        ("plies", "score", "dice"), "i8"
    ) | {"share": "f4", "key": "u8"}
    assert roomy["dice"].shape == (3,)


def test_a_column_too_narrow_at_an_end_or_at_two_is_named(kept_path, monkeypatch):
    """A score of 300 does not fit into 8 bits, nor does the goal of 1000, which is the score where one wins always."""
    shutil.copytree(Path(RUIN).parent, kept_path, dirs_exist_ok=True)
    path = kept_path / "ruin.py"
    score = "300 if tables.win_per_mille == 1 else tables.goal if tables.win_per_mille == 999 else 7"
    source = path.read_text().replace('("score", "i2")', '("score", "i1")')
    path.write_text(source.replace("record.score = state.purse", f"record.score = {score}"))
    game = load_game(str(path))
    scenario, player = load_scenario(game), find_player(game, "random")
    with pytest.raises(EngineError, match=r"the value does not fit score \(int8\).* \(with bets\.win_per_mille=1\)"):
        list(check_ends(game, scenario, player))
    ends = [("bets.goal", 1000), ("bets.win_per_mille", 999)]
    monkeypatch.setattr(conformance, "ends_of", lambda scenario: ends)
    with pytest.raises(EngineError, match=r"fit score \(int8\).* \(with bets\.goal=1000, bets\.win_per_mille=999\)"):
        list(check_ends(game, scenario, player))
    monkeypatch.setattr(conformance, "ends_of", lambda scenario: ends[:1])
    asked = []
    (line,) = check_ends(game, scenario, player, defaults=lambda other: asked.append(other.overrides) or (player,))
    assert asked == [{"bets.goal": 1000}]
    assert "1 were simulated with random and default policies and 0 rejected" in line


# ---------------------------------------------------------------- shards of an earlier version


def older(engine, **narrow):
    """The same game with narrower columns, as an earlier version wrote them."""
    record = engine.record_dtype
    nulls = {
        name: int(np.iinfo(narrow.get(name, record[name])).min) if name == "score" else null
        for name, null in engine.nulls.items()
    }
    return replace(
        engine, record_dtype=np.dtype([(name, narrow.get(name, record[name])) for name in record.names]), nulls=nulls
    )


def test_a_shard_with_narrower_columns_is_read(tmp_path):
    now, path = ITTER.compiled, tmp_path / "00000.parquet"
    then = older(now, score="i1", attacks="u1", tokens_spent="u2")
    rows = np.zeros(3, then.record_dtype)
    rows["score"], rows["attacks"] = [-128, 7, -3], [255, 0, 1]
    shards.write_shard(path, rows, then, {})
    read = shards.read_shard(path, now)
    assert read.dtype == now.record_dtype
    assert read["score"].tolist() == [NO_SCORE, 7, -3] and read["attacks"].tolist() == [255, 0, 1]


def test_a_sweep_begun_by_an_earlier_version_is_finished_to_the_same_bytes(tmp_path):
    """Its shards have narrower columns; what is read meanwhile has both."""
    begun, whole = tmp_path / "begun", tmp_path / "whole"
    for folder in (begun, whole):
        assert bartizan("sweep", PIG, "--policy", "hold", "--games", 40_000, "-o", folder).code == 0
    engine = load_game(PIG).compiled
    first, _ = sorted(begun.rglob("0*.parquet"))
    then = older(engine, plies="u2")
    rows = shards.read_shard(first, engine).astype(then.record_dtype)
    shards.write_shard(first, rows, then, shards.shard_identity(first))
    (begun / "SHA256SUMS").unlink()
    (cell,) = open_sweep(begun).cells
    assert cell.scan().collect().height == 40_000
    assert bartizan("verify", begun).code != 0, "it is not finished"
    assert bartizan("sweep", PIG, "--policy", "hold", "--games", 40_000, "-o", begun).code == 0
    assert tree(begun) == tree(whole)
