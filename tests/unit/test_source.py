"""A source of games: rows in the order that was asked for, progress counted once, whoever plays."""

from itertools import islice

import numpy as np
import pytest

from bartizan.api.effort import Effort
from bartizan.policies.registry import find_player
from bartizan.simcore.compile.loops import Loop
from bartizan.simcore.errors import BartizanError
from bartizan.simcore.game import around, load_game, rotations
from bartizan.simcore.play.batch import BATCH, CHUNK_GAMES, Batch, Source, Stretch
from bartizan.simcore.play.match import Match
from bartizan.simcore.scenario.loading import load_scenario
from tests.cli.run_cli import PIG

pig = load_game(PIG)
CUTS = [(0, range(300)), (1, range(7, 8)), (0, range(300, 5300)), (1, range(70))]  # (match, games)


def match(*names, seed=5):
    return Match(pig, load_scenario(pig), tuple(find_player(pig, name) for name in names), seed)


MATCHES = [match("hold", "random"), match("random", "hold", seed=6)]


def stretches(source, cuts=CUTS):
    batches = [source.ready(one) for one in MATCHES]
    return [Stretch(batches[i], games, f"cell {n}", i, n) for n, (i, games) in enumerate(cuts)]


@pytest.mark.parametrize("jobs", [1, 3])
def test_rows_are_those_of_a_batch_in_the_order_that_was_asked_for(jobs):
    source = Source(jobs)
    for n, (stretch, rows) in enumerate(source.play(stretches(source))):
        which, games = CUTS[n]
        assert stretch.key == n and rows.tobytes() == Batch(MATCHES[which]).play(games).tobytes()


@pytest.mark.parametrize("jobs", [1, 3])
def test_progress_counts_each_stretch_when_it_is_handed_out(jobs):
    """And nothing after it, though later ones are played already: a stopping rule may read it."""
    seen = []
    source = Source(jobs, lambda progress: seen.append(progress.games_done))
    source.expect(sum(len(games) for _, games in CUTS))
    done = 0
    for stretch, rows in source.play(stretches(source)):
        done += len(rows)
        progress = source.progress
        assert (progress.games_done, progress.played, progress.cell) == (done, done, stretch.name)
        assert (progress.games_of_cell, progress.wins) == (len(rows), int((rows["winner"] == stretch.seat).sum()))
    assert done == source.progress.games_total == seen[-1] and seen == sorted(seen) and len(seen) > len(CUTS)


def test_nobody_is_counted_where_no_seat_is_watched():
    source = Source()
    list(source.play([Stretch(source.ready(MATCHES[0]), range(50), seat=None)]))
    assert (source.progress.games_done, source.progress.games_of_cell, source.progress.wins) == (50, 0, 0)


@pytest.mark.parametrize("jobs", [1, 3])
def test_who_has_enough_leaves(jobs):
    """Without a stretch more than are in flight being asked for."""
    source, asked = Source(jobs), []

    def endless():
        batch = source.ready(MATCHES[0])
        while True:
            asked.append(len(asked))
            yield Stretch(batch, range(10 * asked[-1], 10 * asked[-1] + 10))

    games = source.play(endless())
    first = [rows["game"][0] for _, rows in islice(games, 3)]
    games.close()
    assert first == [0, 10, 20] and len(asked) <= 3 + 2 * jobs


def test_chunks_end_where_rules_look():
    source = Source(2)
    chunks = list(source.chunks(MATCHES[0], range(100, CHUNK_GAMES + 105)))
    assert [len(chunk) for chunk in chunks] == [CHUNK_GAMES, 5]
    assert np.array_equal(np.concatenate(chunks), source.rows(MATCHES[0], range(100, CHUNK_GAMES + 105)))


class Workers:
    """Play here what they are asked for, and note it."""

    threads = 2

    def __init__(self):
        self.asked = []

    def play(self, piece, games):
        match = piece.__self__.match
        self.asked.append((match, games))
        return Batch(match).play(games)


def test_workers_play_every_game_and_nothing_is_played_here(monkeypatch):
    workers = Workers()
    source = Source(workers)
    tables = stretches(source)
    other = tables[0].batch.with_weights(0, {"at": 12.0}, 9)
    played = [rows for _, rows in source.play([*tables, Stretch(other, range(20))])]
    assert sum(len(games) for _, games in workers.asked) == sum(map(len, played))
    assert played[-1].tobytes() == Batch(match("hold:at=12", "random", seed=9)).play(range(20)).tobytes()
    changed, games = workers.asked[-1]
    assert changed.players[0].weights["at"] == 12 and changed.seed == 9 and games == range(20)


def test_seats_are_turned_round():
    assert rotations("aab") == [tuple("aab"), tuple("aba"), tuple("baa")] and rotations("aa") == [("a", "a")]
    assert around("abc", 1) == [(tuple("abc"), 1), (tuple("cab"), 2), (tuple("bca"), 0)]
    assert all(seats[seat] == "b" for seats, seat in around("abc", 1))


@pytest.mark.parametrize("is_elsewhere", [False, True])
def test_a_loop_is_compiled_only_where_it_is_played(is_elsewhere, monkeypatch):
    """A cluster's workers compile their own; this machine would only delay them."""
    compiled = []
    monkeypatch.setattr(Loop, "is_compiled", lambda *_: False)
    monkeypatch.setattr(Loop, "compiled_for", lambda *_: compiled.append(1))
    Effort(10, elsewhere=object() if is_elsewhere else None).compiles(pig, BATCH)
    assert bool(compiled) is not is_elsewhere


def test_games_that_a_live_engine_played_before_it_failed_are_kept(monkeypatch):
    def fail(batch, rows, games):
        error = BartizanError("the engine ended")
        error.played = 3
        raise error

    monkeypatch.setattr(Batch, "play_into", fail)
    source = Source(1)
    with pytest.raises(BartizanError):
        list(source.play(stretches(source)))
    assert len(source.unfinished) == 3
