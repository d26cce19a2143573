"""The core by itself: luck, shards, batches, plans."""

import numpy as np
import pytest

from bartizan.policies.registry import find_player, line_ups, split_changes
from bartizan.simcore import rng
from bartizan.simcore.arrays import as_records
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.errors import EngineError, PolicyError
from bartizan.simcore.game import load_game
from bartizan.simcore.play.batch import CHUNK_GAMES, Batch, play_games
from bartizan.simcore.play.match import Match
from bartizan.simcore.scenario.loading import load_scenario
from bartizan.simcore.sweep import shards
from bartizan.simcore.sweep.plan import expand
from tests.cli.run_cli import PIG

MASK = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15


def mix(z: int) -> int:
    """PROTOCOL.md section 5, in plain Python."""
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31


@pytest.fixture(scope="module")
def pig():
    game = load_game(PIG)
    return Match(game, load_scenario(game), (find_player(game, "hold"),) * 2, 3)


def fresh_state():
    return as_records(np.zeros(1, np.dtype(rng.LUCK_FIELDS, align=True)))[0]


def test_streams_are_those_of_the_protocol():
    state = fresh_state()
    seed, game = 12345, 678
    rng.seed_luck(state, np.uint64(seed), game)
    key = mix(mix(seed + GOLDEN) + (game + 1) * GOLDEN & MASK)
    base = [mix(key + (p + 1) * GOLDEN & MASK) for p in range(rng.PURPOSES)]
    assert state.luck.tolist() == base
    word = base[4] + GOLDEN & MASK
    assert rng.die(state, 4, 6) == 1 + ((mix(word) >> 32) * 6 >> 32)
    rng.rekey(state, 4, 9)
    assert int(state.luck[4]) == mix(base[4] + 10 * GOLDEN & MASK)
    assert state.luck.tolist()[:4] == base[:4]


@jit
def throw(state, sides, thrown):
    """Modifies `thrown`."""
    for i in range(len(thrown)):
        thrown[i] = rng.die(state, 2, sides)


@pytest.mark.parametrize("sides", [2, 6, 20, 60])
def test_dice_are_fair(sides):
    state = fresh_state()
    rng.seed_luck(state, np.uint64(1), 0)
    n = 60_000
    thrown = np.zeros(n, np.int64)
    throw(state, sides, thrown)
    counts = np.bincount(thrown, minlength=sides + 1)[1:]
    assert len(counts) == sides
    chi_square = ((counts - n / sides) ** 2 / (n / sides)).sum()
    degrees = sides - 1
    assert abs(chi_square - degrees) < 5 * np.sqrt(2 * degrees)


def test_neighbouring_games_and_purposes_share_nothing():
    words = []
    for seed in range(3):
        for game in range(50):
            state = fresh_state()
            rng.seed_luck(state, np.uint64(seed), game)
            words += state.luck.tolist()
    assert len(set(words)) == len(words) == 3 * 50 * rng.PURPOSES


def test_rows_do_not_depend_on_chunks_or_threads(pig):
    n = 3 * CHUNK_GAMES + 17
    whole = Batch(pig).play(range(n))
    for jobs in (1, 2, 5):
        assert (np.concatenate(list(play_games(pig, range(n), jobs))) == whole).all()
    assert (np.concatenate(list(play_games(pig, range(1000, 1000 + 50), 1))) == whole[1000:1050]).all()


def test_a_shard_reads_back_as_it_was_written(tmp_path):
    game = load_game("itter")
    match = Match(game, load_scenario(game), (find_player(game, "fight"),), 3)
    rows = Batch(match).play(range(400))
    path = tmp_path / "cell" / "00000.parquet"
    identity = {"seed": 3, "first_game": 0, "games": 400}
    shards.write_shard(path, rows, match.engine, identity)
    assert (shards.read_shard(path, match.engine) == rows).all()
    assert shards.shard_identity(path) == identity
    import polars as pl

    score = pl.read_parquet(path)["score"]
    assert score.null_count() == (rows["end_reason"] == 3).sum() > 0  # a lost game has no score
    assert list(tmp_path.rglob("*.tmp")) == []


def test_a_shard_of_other_rows_is_damaged(tmp_path, pig, monkeypatch):
    path = tmp_path / "00000.parquet"
    with monkeypatch.context() as patch:
        patch.setattr(shards, "rows_digest", lambda rows: "0" * 64)
        shards.write_shard(path, Batch(pig).play(range(100)), pig.engine, {})
    with pytest.raises(EngineError, match="do not match their checksum"):
        shards.read_shard(path, pig.engine)


def test_line_ups():
    game = load_game(PIG)
    assert line_ups(game, []) == [("hold", "hold")]
    assert line_ups(game, ["hold", "random"]) == [("hold", "hold"), ("random", "random")]
    assert line_ups(game, ["second=random"]) == [("hold", "random")]
    assert line_ups(game, ["hold:at=15"]) == [("hold:at=15", "hold:at=15")]
    with pytest.raises(PolicyError, match="no role"):
        line_ups(game, ["third=hold"])
    assert split_changes("hold:at=15,b=2") == ("hold", [("at", "15"), ("b", "2")])


def test_expand_is_every_combination():
    cells = expand(["a", "b"], [("x",), ("y",)], {"p.q": ["1", "2"], "r": ["3"]})
    assert len(cells) == 8
    assert cells[0].id == "a.x.q=1" and cells[-1].id == "b.y.q=2"
    assert cells[0].sets == (("p.q", "1"), ("r", "3"))
