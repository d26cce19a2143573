"""`bartizan losses`."""

import shlex

from bartizan.analyses.experiments import losses
from bartizan.analyses.records.tally import added, tally
from bartizan.policies.request import Request
from bartizan.reports.render.watch import _turns_begun
from bartizan.simcore.play.batch import Source
from bartizan.simcore.sweep.manifest import frame_of, games_of
from tests.cli.run_cli import PIG, ROOT, RUIN, answered, bartizan, error_line

ARGS = ("losses", RUIN, "--set bets.start=5 --set bets.goal=10 --games 1500 --pilot 20 --rollouts 200")


def test_the_document_and_the_sentence():
    answer = answered(*ARGS)
    document = answer.json
    assert document["schema"] == "bartizan.losses/1"
    assert document["turns"][0]["alive"] == document["games"] == 1500
    assert sum(turn["lost"] for turn in document["turns"]) == document["lost"]
    assert document["pilot"]["lost"] + document["pilot"]["won"] == document["pilot"]["games"] == 20
    assert {row["kind"] for row in document["chosen"]} == {"typical", "cruel", "comeback"}
    first, *rest = answer.out.splitlines()
    assert first == document["sentence"] and "200 rollouts per turn, seed 1" in first
    assert f"({document['pilot']['lost']} lost of 20 games, " in first
    assert any("new rollouts" in line for line in rest)


def test_the_size_of_a_fall_is_measured_by_the_other_half():
    """Each half of the rollouts falls most after another turn, where the other half does not fall."""
    both, *halves = (
        tuple(losses.Moment(turn, 200, won, 0) for turn, won in enumerate(wins, 1))
        for wins in ([180, 130, 80, 80], [180, 80, 80, 80], [180, 180, 80, 80])
    )
    assert losses.Story(0, -3, 4, "", both, tuple(halves)).drop == 0


def test_the_games_it_names_can_be_looked_at():
    for chosen in answered(*ARGS).json["chosen"]:
        record = bartizan(*shlex.split(chosen["trace"])[1:], "--json").json["record"]
        assert record["winner"] == chosen["winner"] and record["turn"] == chosen["last_turn"]
        assert record["game"] == chosen["game"]
        assert chosen["turn"] <= record["turn"]


def test_it_does_not_depend_on_threads():
    assert bartizan(*ARGS, "--jobs", 1).document == answered(*ARGS).document


def test_games_are_counted_as_they_come(monkeypatch):
    """In four parts, some with causes and turns that others lack: the counts of one."""
    whole = answered(*ARGS).document
    monkeypatch.setattr(losses, "SHARD_GAMES", 400)
    assert bartizan(*ARGS).document == whole
    match = Request(PIG, policy=("hold", "random")).match(3, "test")  # a game with scores of seats
    cell, rows = games_of(match), Source().rows(match, range(300))
    parts = [tally(frame_of(rows[part], match.engine).lazy(), cell) for part in (slice(0, 9), slice(9, 300))]
    together, once = added(*parts), tally(frame_of(rows, match.engine).lazy(), cell)
    for name in ("outcomes", "scores", "seat_scores", "sums"):
        assert getattr(together, name).equals(getattr(once, name)), name
    assert together.games == once.games
    assert all(together.values[name].equals(frame) for name, frame in once.values.items())


def test_the_losses_of_another_seat():
    args = ("losses", PIG, "--policy first=hold:at=25 --policy second=hold:at=15 --games 400 --pilot 8 --rollouts 200")
    first, second = (bartizan(*args, "--seat", seat, "--json").json for seat in ("first", "second"))
    assert first["seat"] == "first" and first["lost"] + second["lost"] == 400
    assert "second=hold:at=15" in first["chosen"][0]["trace"]
    assert "the second seat" in second["sentence"]


def test_a_game_that_nobody_loses_has_no_turns_to_show():
    lines = bartizan(
        "losses", RUIN, "--set bets.win_per_mille=999 --games 60 --pilot 5 --rollouts 200"
    ).out.splitlines()
    assert "No game is lost, so no turn is decisive" in lines[-1] and not any("hazard" in line for line in lines)


def test_truncated_games_are_counted_and_not_followed():
    """A game that circles for ever has 100,000 turns: rollouts from each would take days."""
    asked = "--set numbers.astray=40 --set numbers.far=0 --set numbers.gate=50 --games 100 --pilot 3 --rollouts 200"
    answer = bartizan("losses", ROOT / "tests/games/circles.py", asked, "--seed", 3)
    d, turns = answer.json, answer.json["turns"]
    assert 20 < d["capped"] < 60 and f"; {d['capped']} games truncated" in answer.out
    assert turns[-1]["turn"] < 50 and turns[0]["alive"] == 100 and len(d["pilot"]["piles"]) > 0
    assert d["pilot"]["lost"] + d["pilot"]["won"] < 3 and d["pilot"]["capped"] == 200 * (
        3 - d["pilot"]["lost"] - d["pilot"]["won"]
    )
    assert "bounds over" in d["pilot"]["win_rate_by_rollouts"]["method"] and "each as half a win" in answer.out


def test_refusals():
    assert 'unknown seat "third"' in error_line(bartizan("losses", PIG, "--seat", "third"))
    assert bartizan("losses", RUIN, "--rollouts", 199).code == 2


DOOMED = str(ROOT / "tests/games/doomed.py")


def test_games_lost_in_the_set_up_are_lost_in_the_first_turn():
    """They have no position, so they have neither a fall nor a place among the examples."""
    d = bartizan("losses", DOOMED, "--games 40 --pilot 10 --rollouts 200 --json").json
    (turn,) = d["turns"]
    assert 0 < d["pilot"]["lost"] == turn["decisive"] < 10 and d["decisive"] == {"median_turn": 1, "mean_drop": None}
    assert {row["kind"] for row in d["chosen"]} == {"comeback"} and turn["causes"] == {"dealt badly": d["lost"]}
    first = d["pilot"]["win_rate_by_rollouts"]
    assert first["estimate"] == d["pilot"]["won"] / 10, "games without a decision count by their result"
    all_lost = bartizan("losses", DOOMED, "--set numbers.doom=100 --games 40 --pilot 6 --rollouts 200")
    assert "they end without a decision, in turn 1 (median) (6 lost of 6 games" in all_lost.out


def test_a_game_without_a_decision_has_no_curve(tmp_path):
    asked = "--set numbers.doom=100 --rollouts 200 --json --html"
    assert "chances" not in bartizan("trace", DOOMED, asked, tmp_path / "game.html").json
    assert _turns_begun({"plies": [], "opening": None}) == [1], "the first turn, also without snapshots"
