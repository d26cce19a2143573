"""What holds in every state of Castle Itter, whatever the level, the rulings and the choices."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from bartizan.simcore.compile.loops import new_states
from bartizan.simcore.game import load_game
from bartizan.simcore.itter.components import Place
from bartizan.simcore.itter.engine import ENGINE
from bartizan.simcore.play.replay import set_up
from bartizan.simcore.scenario.loading import load_scenario, scenario_names

GAME = load_game("itter")
RULINGS = load_scenario(GAME).model.ruling
readings = st.fixed_dictionaries(
    {}, optional={f"rulings.{key}": st.sampled_from(ruling.readings) for key, ruling in RULINGS.items()}
)
games = st.sampled_from(
    [
        (name, level)
        for name in scenario_names(GAME.scenarios)
        for level in load_scenario(GAME, name).model.difficulties()
    ]
)


@settings(max_examples=16, deadline=None, derandomize=True)
@given(
    played=games,
    sets=readings,
    breach=st.sampled_from(["true", "false"]),
    seed=st.integers(0, 2**63 - 1),
    game=st.integers(0, 2**31),
)
def test_pieces_are_conserved_and_games_end(played, sets, breach, seed, game):
    scenario = load_scenario(GAME, *played, sets={**sets, "breach_ends_game": breach})
    tables = ENGINE.build_tables(scenario).view(np.recarray)[0]
    states = new_states(ENGINE)
    state = set_up(ENGINE, states, tables, seed, game)
    legal = np.zeros(ENGINE.max_legal, np.int32)
    choose = np.random.default_rng(game)
    for _ in range(20_000):
        if state.end_reason:
            break
        n = ENGINE.legal_actions(state, tables, legal)
        assert n > 0 and len(set(legal[:n].tolist())) == n
        ENGINE.apply(state, tables, np.int32(choose.choice(legal[:n])))
        assert ENGINE.check(state, tables) == ""
        assert state.n_events < len(state.events), "the log of one apply overflows"
    assert state.end_reason >= 3
    places = state.place[: tables.n_defenders]
    assert (places == Place.KILLED).sum() == state.casualties
    assert state.turn <= (21 if scenario.name == "published" else 24)
    cards = state.deck_size - state.deck_next + state.ss_hand_size + state.n_planned
    assert scenario.name != "competitive" or cards + (state.turn - 1) * 3 == state.deck_size, (
        "every SS card is in the deck, in the hand or laid"
    )
    row = np.zeros(1, ENGINE.record_dtype)
    ENGINE.write_record(state, tables, row[0])
    assert row["score"][0] <= 45
    if (
        scenario.difficulty == "novice"
        and scenario.model.rulings["supply_empty"] == "not_placed"
        and breach == "false"
        and not state.regiment_in
    ):
        assert state.placed + state.suppressed == 57


@settings(max_examples=10, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**63 - 1), game=st.integers(0, 2**31))
def test_the_same_seed_and_game_is_the_same_game(seed, game):
    """Two variants share their luck: SS areas of the first card do not depend on the level."""
    firsts = []
    for level in ("novice", "novice", "elite"):
        tables = ENGINE.build_tables(load_scenario(GAME, difficulty=level)).view(np.recarray)[0]
        state = set_up(ENGINE, new_states(ENGINE), tables, seed, game)
        firsts.append(state.deck[: state.deck_size].tobytes())
    assert firsts[0] == firsts[1] == firsts[2]
