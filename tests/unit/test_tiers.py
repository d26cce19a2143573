"""Tiers of compiled code: a long run changes its loop, and its games stay the same, byte for byte."""

import signal
import subprocess
import sys
import threading

import numba
import numpy as np
import pytest

from bartizan.policies.registry import find_player
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.errors import PolicyError
from bartizan.simcore.game import load_game
from bartizan.simcore.play import tiers
from bartizan.simcore.play.batch import BATCH, CHUNK_GAMES, Batch, Source
from bartizan.simcore.play.match import Match
from bartizan.simcore.scenario.loading import load_scenario
from tests.cli.run_cli import PIG, ROOT, bartizan, tree

pig = load_game(PIG)
LINE_UPS = [("hold", "hold"), ("hold:at=25", "random"), ("random", "hold"), ("newcomer", "random")]
SELDOM = f"{ROOT / 'tests/games/reckless.py'}:one_in=5000"
KILLED = """
import os, signal, sys, time
from pathlib import Path
from bartizan import cli
from bartizan.simcore.play import tiers

def stop(*_):
    while not list(Path(sys.argv[-1]).rglob("0*.parquet")):
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGKILL)

tiers.A_POINTER, tiers.within = 1.0, stop
cli.main()
"""


def match(*names: str) -> Match:
    return Match(pig, load_scenario(pig), tuple(find_player(pig, name) for name in names), 7)


def at_once(monkeypatch):
    """The next tier pays at once, and is there as soon as it is begun."""

    class Now:
        def __init__(self, target, **_):
            self.start = target

    monkeypatch.setattr(tiers, "A_POINTER", 1.0)
    monkeypatch.setattr(tiers, "Thread", Now)


@pytest.mark.parametrize("names", LINE_UPS)
def test_the_games_are_the_same(names):
    first, last = Batch(match(*names)), Batch(match(*names))
    last.tiers.rise()
    assert last.tiers.now[0] is not first.tiers.now[0] and last.tiers.now[1] == ()
    games = 200 if "newcomer" in names else 3000
    assert first.play(range(5, 5 + games)).tobytes() == last.play(range(5, 5 + games)).tobytes()


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_run_changes_its_tier_between_two_pieces(monkeypatch, jobs):
    kept = b"".join(rows.tobytes() for rows in Source(jobs).chunks(match("hold", "random"), range(5000)))
    at_once(monkeypatch)
    source = Source(jobs)
    source.expect(5000)
    played = source.chunks(match("hold", "random"), range(5000))
    rose = []
    rise = tiers.Tiers.rise
    monkeypatch.setattr(tiers.Tiers, "rise", lambda self: (rise(self), rose.append(source.progress.games_done)))
    assert b"".join(rows.tobytes() for rows in played) == kept
    assert len(rose) == 1 and 0 < rose[0] < CHUNK_GAMES


def test_batches_with_other_weights_share_what_is_compiled():
    batch = Batch(match("hold", "hold"))
    other = batch.with_weights(0, {"at": 25.0}, 9)
    batch.tiers.rise()
    changed = Batch(match("hold:at=25", "hold")).with_players(other.match.players, 9)
    assert other.tiers.now is batch.tiers.now and other.play(range(300)).tobytes() == changed.play(range(300)).tobytes()


def test_who_breaks_the_rules_is_named_alike():
    lines = []
    for rises in (False, True):
        batch = Batch(match(SELDOM, "hold"))
        if rises:
            batch.tiers.rise()
        with pytest.raises(PolicyError) as refused:
            batch.play(range(4000))
        lines.append(str(refused.value))
    assert lines[0] == lines[1] and "reckless" in lines[0]


def test_three_policies_are_told_apart_by_seat():
    def chooser(number):
        def choose(state, tables, legal, n_legal, weights):
            return number

        return numba.njit(choose)

    asked = tiers.asked_of(tuple(map(chooser, (10, 20, 30))))

    @jit
    def asked_at(seat):
        return asked((), seat, 0, 0, 0, 0, 0)

    assert [asked_at(seat) for seat in range(3)] == [10, 20, 30]


def test_a_tier_is_compiled_only_where_it_pays(monkeypatch):
    begun = []
    monkeypatch.setattr(tiers.Tiers, "rise", lambda self: begun.append(self))
    few = Batch(match("hold", "hold")).tiers
    few.consider(tiers.MARGIN * few.price / tiers.A_POINTER - 1)
    assert not few.is_last
    few.consider(tiers.MARGIN * few.price / tiers.A_POINTER + 1)
    few.consider(1e12)
    for thread in threading.enumerate():
        if thread.name == "tier":
            thread.join()
    assert begun == [few]


def test_a_large_game_has_one_tier():
    game = load_game("rampage")
    large = tiers.Tiers(
        BATCH, game.compiled, tuple(one.function for one in (find_player(game, "random"),) * len(game.roles))
    )
    large.consider(1e15)
    assert large.is_last and len(large.now[1]) == len(game.roles)


def test_what_does_not_compile_so_plays_on(monkeypatch):
    def fails(*_):
        raise numba.core.errors.TypingError("no")

    batch = Batch(match("hold", "random"))
    stood = batch.tiers.now
    monkeypatch.setattr(tiers, "within", fails)
    batch.tiers.rise()
    assert batch.tiers.now is stood
    assert np.array_equal(batch.play(range(50)), Batch(match("hold", "random")).play(range(50)))


def test_killed_during_a_change_of_tier(tmp_path):
    """What stood is kept; the rerun, of either tier, gives the bytes of a run that was left alone."""
    sweep = ("sweep", PIG, "--policy", "hold", "--games", 100_000, "--jobs", 1, "-o")
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    child = subprocess.run([sys.executable, "-c", KILLED, *map(str, sweep), str(killed)], capture_output=True, cwd=ROOT)
    assert child.returncode == -signal.SIGKILL
    assert 0 < len(list(killed.rglob("0*.parquet"))) < 4
    assert bartizan(*sweep, killed).code == 0 and bartizan(*sweep, whole).code == 0
    assert tree(killed) == tree(whole)
