"""Every experiment takes the same step: who breaks the rules is named, and a game cut off counts as cut off."""

import re
from dataclasses import replace
from pathlib import Path

import numba
import numpy as np
import pytest

from bartizan.policies.registry import find_player
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.compile.rules import PLY_CAP, TRUNCATED
from bartizan.simcore.errors import PolicyError
from bartizan.simcore.game import load_game
from bartizan.simcore.play import luck_adjusted
from bartizan.simcore.play.batch import BATCH, Batch, play_games
from bartizan.simcore.play.cards import CARD_USAGE, INTERVENTIONS, card_usage_of, interventions_of
from bartizan.simcore.play.choices import Choices
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.replay import replay
from bartizan.simcore.play.rollouts import ROLLOUTS, Rollouts
from bartizan.simcore.play.splitting import splitting_of
from tests.cli.run_cli import PIG, ROOT, RUIN
from tests.matches import match_of

HIGHEST = str(ROOT / "tests/games/highest_card/highest_card.py")
RECKLESS = str(ROOT / "tests/games/reckless.py")
ALWAYS, SELDOM = f"{RECKLESS}:one_in=1", f"{RECKLESS}:one_in=5000"
SWAN = 2


@jit
def always(state, tables, rows, action, moment):
    """Every decision is asked about: the first action, and the first action."""
    moment[0] = moment[1] = 0
    return np.int64(0)


def choices_of(match: Match) -> Choices:
    return Choices(match, always, 2, np.zeros((1, 1), np.int64), 200)


def model_of(match: Match) -> np.ndarray:
    return luck_adjusted.new_model(match)


# ---------------------------------------------------------------- breaking the rules

AT_ONCE = {
    "batch": lambda: Batch(match_of(PIG, ALWAYS)).play(range(5)),
    "threads": lambda: list(play_games(match_of(PIG, ALWAYS), range(5), 2)),
    "rollouts": lambda: list(Rollouts(match_of(PIG, ALWAYS), 60).play(range(5))),
    "choices": lambda: list(choices_of(match_of(PIG, ALWAYS)).play(range(5))),
    "card usage": lambda: list(card_usage_of(match_of(HIGHEST, ALWAYS)).play(range(5))),
    "pilot": lambda: luck_adjusted.play_pilot_games(match_of(PIG, ALWAYS), range(5)),
    "luck adjusted": lambda: list(
        luck_adjusted.play_adjusted_games(match_of(PIG, ALWAYS), model_of(match_of(PIG, ALWAYS)), 2, range(5))
    ),
}


@pytest.mark.parametrize("experiment", AT_ONCE)
def test_an_illegal_action_is_said_as_in_a_batch(experiment):
    with pytest.raises(PolicyError) as said:
        AT_ONCE[experiment]()
    assert re.match(
        rf"{re.escape(str(RECKLESS))}:\d+: policy reckless:one_in=1 chose action 77, which is not legal \(seed 1, game 0, ply 0; legal: ",
        str(said.value),
    )


def test_a_policy_makes_nothing_legal_by_writing_it_into_the_list():
    with pytest.raises(PolicyError, match=r"forger chose action 77, which is not legal .*; legal: 0, 1\)"):
        Batch(match_of(PIG, str(ROOT / "tests/games/forger.py"))).play(range(1))


def test_the_action_of_a_replay_is_the_one_that_is_named():
    match = match_of(PIG, SELDOM)
    with pytest.raises(PolicyError) as said:
        Batch(match).play(range(2000))
    game, ply = (int(str(said.value).split(f", {word} ")[1].split(",")[0].split(";")[0]) for word in ("game", "ply"))
    *_, last = replay(match, game)
    assert (last.number, last.action, last.text) == (ply, 77, "an illegal action")


def test_interventions_say_which_card_was_in_hand():
    with pytest.raises(
        PolicyError, match=r"reckless:one_in=1 chose action 77, .*game 0, ply \d+, as dealt; legal: 0\)"
    ):
        list(interventions_of(match_of(HIGHEST, ALWAYS), "first", 1).play(range(5)))
    match = match_of(HIGHEST, str(ROOT / "tests/games/highest_card/no_swan.py"))
    game = next(
        number
        for number in range(50)
        if Batch(replace(match, players=other(match))).play(range(number, number + 1))["score"][0] != SWAN
    )
    with pytest.raises(
        PolicyError, match=rf"no_swan chose action 7, .*seed 1, game {game}, ply 0, with swan in hand; legal: 0\)"
    ):
        list(interventions_of(match, "first", 1).play(range(game, game + 1)))


def other(match: Match) -> tuple:
    """Players within the rules."""
    return tuple(find_player(match.game, "random") for _ in match.players)


def test_rollouts_say_that_the_luck_was_other():
    match = match_of(PIG, SELDOM)
    Batch(match).play(range(2))  # these games are within the rules
    with pytest.raises(
        PolicyError,
        match=r"reckless:one_in=5000 chose action 77, .*game [01], ply \d+, simulated with new random numbers; legal: 0",
    ):
        list(Rollouts(match, 500).play(range(2)))


def test_choices_say_that_it_was_on_a_way_from_one():
    match = match_of(PIG, SELDOM)
    Batch(match).play(range(2))
    with pytest.raises(
        PolicyError,
        match=r"reckless:one_in=5000 chose action 77, .*game [01], ply \d+, simulated from a choice; legal: 0",
    ):
        list(choices_of(match).play(range(2)))


def test_splitting_says_on_the_way_to_what():
    match = match_of(RUIN, ALWAYS)
    (event,) = match.engine.rare
    splitting = splitting_of(match, event)
    with pytest.raises(
        PolicyError,
        match=rf"reckless:one_in=1 chose action 77, .*seed 1, game 0, ply 0, on the way to level {splitting.top} of {event}; legal: 0",
    ):
        list(splitting.plain(range(5)))


# ---------------------------------------------------------------- cut off


def test_a_game_cut_off_is_cut_off_in_every_experiment():
    pig = replace(match_of(PIG, "hold"), ply_cap=3)
    rows = Batch(pig).play(range(4))
    assert (rows["winner"] == TRUNCATED).all() and (rows["end_reason"] == PLY_CAP).all() and (rows["plies"] == 3).all()
    assert len(list(replay(pig, 0))) == 3
    (rolled,) = Rollouts(pig, 60).play(range(4))
    assert (rolled.wins[:, 0, -1] == 60).all() and not rolled.wins[:, :, :-1].any()
    (ways,) = choices_of(pig).play(range(4))
    assert (ways.records["winner"] == TRUNCATED).all() and (ways.records["end_reason"] == PLY_CAP).all()
    assert (luck_adjusted.play_pilot_games(pig, range(4)).winners == TRUNCATED).all()
    ((winners, _),) = luck_adjusted.play_adjusted_games(pig, model_of(pig), 2, range(4))
    assert (winners == TRUNCATED).all()
    ruin = replace(match_of(RUIN, "random"), ply_cap=2)
    (event,) = ruin.engine.rare
    (stage,) = splitting_of(ruin, event).plain(range(4))
    assert (stage.truncated, stage.plies) == (4, 8)


def test_cards_of_a_game_cut_off_add_up():
    cut = replace(match_of(HIGHEST, "random"), ply_cap=1)
    assert (Batch(cut).play(range(4))["winner"] == TRUNCATED).all()
    (seen,) = card_usage_of(cut).play(range(4))
    assert (seen[:, :, 0].sum(axis=1) > 0).all() and (seen[:, :, 0] == seen[:, :, 1:].sum(axis=2)).all()
    (out,) = interventions_of(cut, "first", 1).play(range(4))
    assert (out[:, 0] == TRUNCATED).all()


# ---------------------------------------------------------------- what is compiled already


@pytest.mark.parametrize(
    ("path", "loop", "play"),
    [
        (PIG, BATCH, AT_ONCE["batch"]),
        (PIG, ROLLOUTS, AT_ONCE["rollouts"]),
        (HIGHEST, CARD_USAGE, AT_ONCE["card usage"]),
        (HIGHEST, INTERVENTIONS, lambda: list(interventions_of(match_of(HIGHEST, ALWAYS), "first", 1).play(range(5)))),
    ],
    ids=["batch", "rollouts", "card usage", "interventions"],
)
def test_a_loop_knows_whether_it_is_compiled(path, loop, play, tmp_path, monkeypatch):
    with pytest.raises(PolicyError):
        play()
    game = load_game(path)
    engine = game.compiled
    seats = len(game.roles)
    kernel = loop.compiled_for(engine, seats)
    monkeypatch.setattr(
        numba.config, "CACHE_DIR", str(Path(kernel.stats.cache_path).parent)
    )  # a test before may have chosen another
    assert loop.is_compiled(engine, seats) and not loop.is_compiled(engine, seats + 1)
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    assert not loop.is_compiled(engine, seats)
