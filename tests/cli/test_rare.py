"""Rare events: `bartizan chance`, and `rare` as it was called before."""

import shlex
from types import SimpleNamespace

import pytest

from bartizan.analyses.experiments.rare import FIRST_LOOK, play_plain
from bartizan.simcore.play.splitting import SplitStage
from tests.cli.run_cli import PIG, RUIN, answered, bartizan, error_line
from tests.oracles import ruin

SETS = ("--set", "bets.start=5", "--set", "bets.goal=25", "--set", "bets.win_per_mille=300")
ARGS = ("rare", RUIN, "--event", "goal", *SETS, "--trajectories", 200, "--replicates", 12)


def test_it_lists_the_events_of_a_game():
    result = bartizan("rare", RUIN)
    assert result.code == 0 and result.out.startswith("goal ") and "the goal is reached" in result.out
    assert bartizan(*shlex.split(result.out.split("Next: bartizan ")[1]), "--replicates", 5).code == 0
    assert bartizan("rare", RUIN, "--json").json["events"] == [
        {"event": "goal", "title": "the goal is reached", "top": 10}
    ]


def test_plain_games_are_none_of_the_splitting():
    """Replicates begin games 0 to 999 of the seed; the plain games follow, of one decision each."""
    asked = []

    def plain(games, jobs):
        asked.append(games)
        return [SplitStage(1, len(games), 0, len(games), 0)]

    counts = [play_plain(SimpleNamespace(plain=plain), games, 2000, 1000, 1) for games in (100, None)]
    assert asked == [range(1000, 1100), range(1000, 1000 + FIRST_LOOK), range(1000, 3000)]
    assert [count.games for count in counts] == [100, 2000]


def test_the_document_and_the_sentence():
    result = answered(*ARGS)
    document = result.json
    assert document["schema"] == "bartizan.rare/1" and document["event"] == "goal"
    assert document["chance"]["low"] < ruin(0.3, 5, 25) < document["chance"]["high"]
    assert document["stages"][-1]["level"] == 20
    assert document["plain"]["seen"] == 0
    assert document["plain"]["decisions"] == pytest.approx(document["decisions"], rel=0.2)
    first, *rest = result.out.splitlines()
    assert first == document["sentence"] and "1 in " in first and "seed 1" in first
    assert "12 replicates of 200 trajectories" in first
    assert any(line.startswith("Direct simulation: 0 of") for line in rest)


def test_it_does_not_depend_on_threads():
    assert bartizan(*ARGS, "--jobs", 1).document == answered(*ARGS).document


def test_nothing_seen_is_a_bound():
    result = bartizan(
        "rare",
        RUIN,
        "--event goal --set bets.start=1 --set bets.win_per_mille=1 --trajectories 20 --replicates 5 --games 50",
    )
    assert result.code == 0 and "simulated: below " in result.out
    assert "fewer than 1 in" in result.out and "died out" in result.out


def test_refusals():
    assert 'did you mean "goal"' in error_line(bartizan("rare", RUIN, "--event", "gaol"))
    assert "declares no rare events" in error_line(bartizan("rare", PIG))
    assert "declares no rare events" in error_line(bartizan("rare", PIG, "--event", "goal"))
    assert bartizan("rare", RUIN, "--event", "goal", "--replicates", 2).code == 2
