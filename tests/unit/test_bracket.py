"""Brackets and the archive: games counted as the rung sees them, sentences, what ships is about the games as they are."""

import json

import numpy as np
import pytest

from bartizan.analyses.experiments import sequential
from bartizan.analyses.experiments.bracket import BLOCK, Rung, play, stretches
from bartizan.analyses.records import brackets
from bartizan.analyses.records.brackets import about, is_same
from bartizan.analyses.records.rung_ends import gain, win_rate
from bartizan.analyses.statistics.intervals import proportion
from bartizan.api.answers.best import hashes_of
from bartizan.api.answers.bracket import RungSeat, measured
from bartizan.policies import archive, registry
from bartizan.policies.protocol import Policy, as_player
from bartizan.policies.registry import find_player, find_policy
from bartizan.reports.render import terminal
from bartizan.reports.views import bracket as views
from bartizan.reports.views.bracket import MeasuredBracket
from bartizan.simcore.errors import EngineError, UsageError
from bartizan.simcore.game import game_names, load_game
from bartizan.simcore.play.batch import Batch, Source
from bartizan.simcore.play.match import Match
from bartizan.simcore.scenario.loading import load_scenario
from tests.cli.run_cli import PIG

pig = load_game(PIG)


def table(*names, seed=5):
    return Match(pig, load_scenario(pig), tuple(find_player(pig, name) for name in names), seed)


def turned(name, games, **more):
    return Rung("heuristic", name, ((table(name, "hold"), 0), (table("hold", name), 1)), games, **more)


def row(kind, low, estimate, plays=0, **more):
    interval = {"estimate": estimate, "low": low, "high": 2 * estimate - low, "level": 0.95, "method": "Wilson"}
    policy = f"lookahead:base=steady,plays={plays}" if plays else {"heuristic": "steady"}.get(kind, kind)
    told = {
        "rung": kind,
        "policy": policy,
        "plays": plays,
        "games": 100,
        "win_rate": interval,
        "gain": None,
        "draws": 0,
        "wins": 1,
        "measured": "2026-11-22",
    }
    return {**told, **more}


def bracket(*rows, **more):
    return {
        "scenario_hash": "ab",
        "behaviour": 1,
        "difficulty": "elite",
        "levels": 3,
        "role": "defender",
        "opponents": [],
        "alike": False,
        "rungs": list(rows),
        "left_out": [],
        **more,
    }


def read(*rows, **more):
    return MeasuredBracket.read(bracket(*rows, **more))


# ---------------------------------------------------------------- games


def test_seats_are_turned_every_few_games_and_a_climb_goes_on_where_it_ended():
    """Game g is played in seat g // BLOCK % 2, whoever asks for it and however many threads play."""
    rung = turned("random", 40)
    whole = "".join(play(rung, Source(), range(40)))
    parts = "".join([*play(rung, Source(2), range(13)), *play(rung, Source(2), range(13, 40))])
    assert whole == parts and len(whole) == 40
    for g in (0, BLOCK, 2 * BLOCK + 1):
        match, seat = rung.seatings[g // BLOCK % 2]
        (winner,) = Batch(match).play(range(g, g + 1))["winner"]
        assert (whole[g] == "w") == (winner == seat)


def test_no_piece_reaches_over_a_block_and_slow_rungs_tell_each_game():
    def cuts(rung, games):
        return [stretch.games for stretch in stretches(rung, Source(), games)]

    assert cuts(turned("hold", 11), range(2, 11)) == [range(2, 4), range(4, 8), range(8, 11)]
    assert cuts(turned("hold", 4, plays=8), range(1, 4)) == [range(1, 2), range(2, 3), range(3, 4)]


def test_a_drawn_game_counts_what_it_counts_and_one_cut_off_is_open():
    assert win_rate("wwdl", 0.0).estimate == 0.5 and win_rate("wwdl", 0.5).estimate == 0.625
    bounds = win_rate("w" * 50 + "l" * 40 + "c" * 10, 0.0)
    assert bounds.estimate == pytest.approx(0.55) and "bounds" in bounds.method


def test_two_rungs_are_held_against_each_other_game_by_game():
    """9 games differ, all one way: exact tails; only the games that both have count."""
    found = gain("l" * 9 + "w" * 31, "w" * 40 + "llll", 0.0)
    assert found.n == 40 and found.difference.interval.estimate == pytest.approx(9 / 40)
    assert 1 / 2**9 < found.difference.p < 0.005 and found.difference.is_clear
    assert gain("", "ww", 0.0) is None


def test_other_weights_or_another_opponent_are_another_rung():
    one, same = turned("hold:at=22", 10), turned("hold:at=22", 10)
    assert one.player == same.player != turned("hold:at=23", 10).player
    against = Rung("heuristic", "hold:at=22", ((table("hold:at=22", "random"), 0),), 10)
    assert against.player != one.player


def test_a_rung_that_is_measured_is_not_played_again():
    rung = Rung("lookahead", "hold:at=22", turned("hold:at=22", 10).seatings, 10, plays=8, base=turned("hold", 10))
    known = {"policy": rung.policy, "player": rung.player, "seed": 5, "games": 10, "ends": "w" * 10}
    old = row("lookahead", 0.5, 0.9, plays=8, **known, base_ends="l" * 10)
    assert list(measured(rung, bracket(old), None, "")) == []
    (more,) = measured(rung, bracket({**old, "base_ends": ""}), Source(), "")  # of its base no games are known
    assert len(more["base_ends"]) == 10 and more["ends"] == old["ends"]


def test_a_claim_can_be_about_the_second_seat():
    """Random in the second seat: its share falls, the first seat's rises."""
    base, changed = [table("hold", "hold")], [table("hold", "random")]
    claim = sequential.Hypothesis("B - A > 0", 1, 0.01, 0.01, 0.01, 0.05)
    answers = [sequential.analyze(claim, base, changed, 2000, Source(), seat).answer for seat in (0, 1)]
    assert answers == ["yes", "no"]


# ---------------------------------------------------------------- words


def test_the_best_found_is_the_surest_not_the_luckiest():
    it = bracket(row("heuristic", 0.10, 0.11), row("lookahead", 0.08, 0.20, plays=8), row("peeking", 0.5, 0.6, plays=8))
    assert MeasuredBracket.read(it).best_found.rung == "heuristic"


@pytest.mark.parametrize(("least", "warned"), [(0.31, False), (0.29, True)])
def test_a_policy_that_may_be_no_better_than_a_newcomer_is_called_weak(least, warned):
    models = row("newcomer", 0.1, 0.15), row("newcomer", 0.2, 0.25)
    assert bool([*views.weak(read(*models, row("heuristic", least, 0.5)))]) == warned
    assert not [*views.weak(read(row("heuristic", least, 0.5)))]


def test_the_best_found_holds_for_all_it_was_chosen_from():
    """Of 10 rungs alike the greatest lower limit: its own interval leaves out the truth too often, the one that is quoted holds."""
    random, truth, held = np.random.default_rng(1), 0.5, []
    for _ in range(300):
        wins = random.binomial(100, truth, 10)
        rows = [
            {**row("newcomer", 0.0, 0.0, policy=str(place)), "wins": int(n), "capped": 0}
            for place, n in enumerate(wins)
        ]
        rows = [{**one, "win_rate": proportion(one["wins"], 100).to_dict()} for one in rows]
        best = read(*rows, draw=0.0).best_found
        plain = proportion(int(max(wins)), 100)
        held.append((plain.low <= truth <= plain.high, best.win_rate.low <= truth <= best.win_rate.high))
    plain, joint = np.mean(held, axis=0)
    assert plain < 0.85 and joint >= 0.93


def test_looking_ahead_is_best_found_only_if_it_beats_its_base():
    """The same games show that it wins more than its base policy, for all that look ahead; a lucky rate does not."""
    heuristic = row("heuristic", 0.50, 0.51, wins=5100, capped=0) | {"games": 10_000}
    won, base = "w" * 70 + "l" * 30, "w" * 68 + "l" * 32

    def best(base_ends):
        ahead = row("lookahead", 0.60, 0.70, plays=8, wins=70, capped=0, ends=won, base_ends=base_ends)
        return read(heuristic, ahead, draw=0.0).best_found

    assert best(base).rung == "heuristic" and best("w" * 50 + "l" * 50).rung == "lookahead"
    assert best("w" * 50 + "l" * 50).over_base.estimate == pytest.approx(0.2)
    ahead = row("lookahead", 0.60, 0.70, plays=8)
    assert read(heuristic, ahead).best_found.rung == "heuristic", "an older file does not say"


def test_the_last_doubling_needs_the_half_below_it():
    added = {
        "over": "lookahead:base=steady,plays=16",
        "games": 90,
        "estimate": 0.008,
        "low": -0.01,
        "high": 0.026,
        "level": 0.95,
        "method": "Student t",
    }
    beats = {**added, "over": "steady", "low": 0.001}
    low, high = row("lookahead", 0.1, 0.2, plays=16, over_base=beats), row("lookahead", 0.1, 0.21, plays=32, gain=added)
    assert read(low, high).doubled.plays == 32 and read(high).doubled is None
    assert read(low, {**high, "gain": {**added, "over": "steady"}}).doubled is None, "measured before the half was"
    said = views.sentence(read(row("newcomer", 0.015, 0.02), row("heuristic", 0.08, 0.09), low, high)).replace(
        "\u00a0", " "
    )
    assert said.startswith("Elite: 2.0 % (1.5–2.5 %) for a newcomer, 9.0 % (8.0–10.0 %) for steady, ")
    assert (
        "for the best play found, lookahead with steady, 16 simulations per decision; the last doubling of effort, to 32 simulations per decision, added +0.8 percentage points (−1.0 to +2.6)"
        in said
    )
    assert said.endswith("(95 % intervals; 100 games, lookahead 100).")


def test_several_newcomers_are_a_band_and_no_point():
    """From the lowest limit to the highest; each has a row of its own, the picture and the sentence have one."""
    models = [row("newcomer", 0.01, 0.02), row("newcomer", 0.05, 0.06, policy="newcomer@other")]
    it = read(*models, row("heuristic", 0.08, 0.09))
    band = next(one for one in it.shown if one.rung == "newcomer")
    assert (band.win_rate.low, band.win_rate.high, band.models, band.games) == (0.01, pytest.approx(0.07), 2, 200)
    assert [one.rung for one in it.shown] == ["newcomer", "heuristic"] and len(it.rungs) == 3
    said = views.sentence(it).replace("\u00a0", " ")
    assert said.startswith("Elite: 1–7 % for a newcomer (2 models), 9.0 %")
    assert [mark.name for mark in views.marks(it)] == ["newcomer", "best play found"]
    table = [*terminal.lines(views.view("", [bracket(*models, row("heuristic", 0.08, 0.09))]))]
    assert any("newcomer@other" in line.lower() for line in table)


def test_newcomers_have_places_by_name_and_others_by_kind():
    many = bracket(row("newcomer", 0, 0.1), row("newcomer", 0, 0.2, policy="newcomer@other"), row("heuristic", 0, 0.3))
    assert brackets.rung_of(many, "newcomer", 0, "newcomer@other")["win_rate"]["estimate"] == 0.2
    assert brackets.rung_of(many, "newcomer", 0, "newcomer@third") is None
    assert brackets.rung_of(many, "heuristic", 0, "whoever")["win_rate"]["estimate"] == 0.3


def test_chance_stands_in_for_a_newcomer_and_a_heuristic_may_be_the_best():
    said = views.sentence(read(row("random", 0.01, 0.02), row("heuristic", 0.08, 0.09), levels=1)).replace(
        "\u00a0", " "
    )
    assert said.startswith(
        "Win rate: 2.0 % (1.0–3.0 %) for random play, 9.0 % (8.0–10.0 %) for steady, the best play found ("
    )


def test_who_is_met_is_named():
    assert read(role="german", opponents=["escape"], levels=1).heading == "German against escape"
    assert read(role="", opponents=["steward", "steward"], levels=1, alike=True).heading == "A seat against steward"


def test_who_sees_the_cards_is_called_unplayable():
    it = bracket(row("heuristic", 0.08, 0.09), row("peeking", 0.5, 0.6, plays=8))
    assert any(
        views.UNPLAYABLE in line for line in terminal.lines(views.view("", [it]))
    ) and "0.6" not in views.sentence(MeasuredBracket.read(it))


def test_what_was_not_measured_says_how_it_would_be():
    line = views.unmeasured("itter", None, "elite", {"turn.ss_cards": 4})
    assert (
        line
        == "No bracket has been measured for this variant. To measure one, run `bartizan bracket itter --difficulty elite --set turn.ss_cards=4`."
    )


# ---------------------------------------------------------------- files


def test_a_bracket_is_found_by_scenario_and_rules_alone():
    one, older, own = bracket(), bracket(behaviour=0), bracket() | {"source_hash": "ef"}
    known = [older, one, own]
    assert about(known, ["ab", "cd"], (1, "")) == [one] and about(known, ["cd"], (1, "")) == []
    assert about(known, ["ab"], (1, "ef")) == [own] and about(known, ["ab"], (1, "gh")) == []
    assert is_same(one, bracket(difficulty="other")) and not is_same(one, bracket(role="german"))
    assert not is_same(one, own)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        '{"schema": "bartizan.run/1", "brackets": []}',
        '{"schema": "bartizan.bracket/1"}',
        '{"schema": "bartizan.bracket/1", "brackets": [{}]}',
    ],
)
def test_a_file_that_holds_no_brackets_is_refused_in_one_line(tmp_path, content):
    (tmp_path / "b.json").write_text(content)
    with pytest.raises(EngineError, match=r"b\.json: contains no brackets"):
        brackets.read(tmp_path / "b.json")


@pytest.mark.parametrize("content", ["best = 3", "[[best]]\npolicy = 'x'", "best = [1]"])
def test_a_file_that_is_no_archive_is_refused_in_one_line(tmp_path, content):
    (tmp_path / "a.toml").write_text(content)
    with pytest.raises(UsageError, match=r"a\.toml: not an archive"):
        archive.read(tmp_path / "a.toml")


@pytest.mark.parametrize("name", game_names())
def test_brackets_that_ship_are_about_the_game_as_it_is(name):
    """Otherwise reports say that none was measured: measure them again with the commands in them."""
    game = load_game(name)
    for it in brackets.shipped(name):
        sets = {game.players_path: 1 + len(it["opponents"])} if it["alike"] and len(it["opponents"]) > 1 else {}
        assert (it["scenario_hash"], it["behaviour"]) == (
            load_scenario(game, it["scenario"], it["difficulty"], sets).hash,
            game.behaviour,
        )
        assert views.sentence(MeasuredBracket.read(it)) and it["rungs"]
        for one in it["rungs"]:
            assert (
                one["games"]
                and one["command"].startswith("bartizan bracket")
                and one["measured"]
                and one["win_rate"]["method"]
            )
            assert one["plays"] == 0 or len(one["ends"]) == one["games"]


def test_nothing_is_compiled_for_the_hashes_of_a_policy(monkeypatch):
    """The list of the best policies compiled each of them, which took half a minute."""
    player = find_player(pig, "hold:at=22")
    same = as_player(pig, find_policy(pig, "hold:at=22"), lambda: None)
    assert (same.weights, same.source_hash) == (player.weights, player.source_hash)
    known = hashes_of(pig, "hold:at=22")
    monkeypatch.setattr(Policy, "compiled_for", lambda *_: pytest.fail("compiled"))
    assert hashes_of(pig, "hold:at=22") == known != hashes_of(pig, "hold:at=21")
    assert hashes_of(pig, "hodl") == {"weights": ""}


@pytest.mark.parametrize("name", game_names())
def test_brackets_that_ship_were_played_by_the_players_that_ship(name, monkeypatch):
    """Otherwise `bracket` plays them all again, and what the pages say is about players that nobody has."""

    def uncompiled(game, text):
        return as_player(game, find_policy(game, text), lambda: None)

    monkeypatch.setattr(registry, "find_player", uncompiled)  # they are named, and do not play
    game = load_game(name)
    for it in brackets.shipped(name):
        sets = {game.players_path: 1 + len(it["opponents"])} if it["alike"] and len(it["opponents"]) > 1 else {}
        scenario = load_scenario(game, it["scenario"], it["difficulty"], sets)
        for one in it["rungs"]:
            tables = RungSeat(game, scenario, it["role"], one["seed"]).seatings(one["policy"])
            assert Rung(one["rung"], one["policy"], tables, one["games"], one["plays"]).player == one["player"], (
                f"measure it again: {one['command']} -o policies/{name}/bracket.json"
            )


@pytest.mark.parametrize("name", game_names())
def test_players_of_the_archive_that_ships_exist(name):
    game, entries = load_game(name), archive.read(archive.file_of(name))
    assert len({entry["seed"] for entry in entries}) == len(entries), "an admission on the seed of an earlier one"
    for entry in entries:
        find_policy(game, entry["policy"]), find_policy(game, entry["before"])
        assert entry["margin"]["low"] > -entry["margin"]["estimate"] and entry["command"].startswith(
            f"bartizan ladder {name} --admit"
        )
        json.dumps(entry)
