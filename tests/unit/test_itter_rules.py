"""Castle Itter rule by rule: one state in, one rule, one expectation. The worked examples are in test_itter_examples.py."""

import numpy as np
import pytest

from bartizan.simcore.itter.components import NONE, Act, End, Luck, Place, Stage, Status
from bartizan.simcore.itter.rules.attributes import inspire_bonus
from bartizan.simcore.itter.rules.defenders import is_deploying, put_tokens
from bartizan.simcore.itter.rules.siege import push, search
from bartizan.simcore.itter.scoring import final_score
from bartizan.simcore.itter.turns import end_turn
from tests.itter_table import Table


def table_with(status=(), turn=5, **places):
    sets = {
        key: places.pop(key) for key in list(places) if key.islower() and "_" in key and key not in Table().defenders
    }
    table = Table(**sets).clear_board().put(**places).turn(turn)
    for name, bits in dict(status).items():
        table.status(name, bits)
    return table


# ---------------------------------------------------------------- 0 setup


@pytest.mark.rule("0.1")
def test_setup_of_the_defenders():
    table = Table()
    assert [table.where(name)[0] for name in ("clemenceau", "gamelin", "delarocque", "reynaud", "borotra")] == ["C"] * 5
    assert {name for name in table.defenders if table.where(name) == "aside"} == {"wegscheider", "linsen", "waltl"}
    assert sum(table.where(name) == "reserve" for name in table.defenders) == 20
    assert [table.defence(location) for location in table.locations] == [6, 6, 6, 6, 6, 6, 0]
    assert table.state.tokens.sum() == 0


@pytest.mark.rule("0.2")
@pytest.mark.parametrize(
    ("difficulty", "start"), [("novice", (11, 0, 0)), ("veteran", (5, 6, 0)), ("elite", (4, 4, 3))]
)
def test_start_counters(difficulty, start):
    table = Table(difficulty)
    on_areas = [table.on_circle(area) for area in range(2, 13)]
    assert tuple(on_areas.count(kind) for kind in ("rifleman", "scout", "sturm")) == start
    assert all(table.on_circle(circle) is None for circle in range(13, 33))


@pytest.mark.rule("0.3")
def test_ss_deck_is_stacked_by_deck_number():
    for game in range(5):
        table = Table(game=game)
        decks = [int(table.tables.deck_of[card]) for card in table.state.deck[: table.state.deck_size]]
        assert decks == [1] * 12 + [2] * 18 + [3] * 18 + [4] * 12


@pytest.mark.rule("6.1")
@pytest.mark.parametrize(("difficulty", "left"), [("novice", []), ("veteran", [4, 6, 6, 4]), ("elite", [5, 6, 6, 4])])
def test_tactics_stack(difficulty, left):
    table = Table(difficulty)
    decks = [card.deck for card in table.scenario.model.tactics_card.values()]
    stack = [decks[card] for card in table.state.stack[: table.state.stack_size]]
    assert stack == [deck for deck, n in enumerate(left, 1) for _ in range(n)]


# ---------------------------------------------------------------- 1 overview, board, sight


@pytest.mark.rule("1.1")
def test_a_turn_is_five_actions_and_three_cards():
    table = Table()
    for i, name in enumerate(("basse", "lee", "worsham", "pollock", "sutton")):
        assert table.state.turn == 1
        table.activate(name).play(Act.PLACE, i).play(Act.BLANK)
    while table.state.stage != Stage.ORDERS:
        table.play(Act.SPEND, 0)
    assert (table.state.turn, table.state.deck_next) == (2, 3)


@pytest.mark.rule("1.2")
def test_tracks_merge_and_lead_to_three_castle_entries():
    table = Table()
    t = table.tables
    entries = {int(t.exit[area]) for area in range(2, 13)}
    assert entries == {21, 25, 31}
    assert [int(t.steps[area]) for area in range(2, 13)] == [5, 5, 5, 5, 6, 5, 5, 5, 5, 4, 4]


@pytest.mark.rule("1.3")
def test_a_position_sees_every_circle_of_its_colours_and_white_sees_nothing():
    table = table_with(basse="BJ1", sutton="NT5", lee="G4")
    for circle in range(2, 33):
        table.counters(rifleman=circle)
    assert not table.ask("basse").legal_kinds(Act.ATTACK)
    assert table.ask("sutton").legal_kinds(Act.ATTACK) == {5, 6, 19, 20} | {22, 23, 24, 25, 26, 27, 30, 31}
    assert table.ask("lee").legal_kinds(Act.ATTACK_WEAPON) == {7, 8, 9, 10}


# ---------------------------------------------------------------- 2 Defender Phase


@pytest.mark.rule("2.0")
def test_exhausted_and_disrupted_may_only_recover_commanded_may_do_nothing():
    table = table_with(
        status={"sutton": Status.EXHAUSTED, "lee": Status.DISRUPTED, "basse": Status.COMMANDED},
        sutton="K1",
        lee="K2",
        basse="K3",
    )
    assert table.d("basse") not in table.legal_kinds(Act.ACTIVATE)
    assert {code // 65536 for code in table.ask("sutton").legal()} == {Act.RECOVER}
    assert {code // 65536 for code in table.ask("lee").legal()} == {Act.RECOVER}


@pytest.mark.rule("2.0")
def test_action_and_command_tokens_go_at_the_end_of_the_phase_the_rest_stays():
    table = table_with(sutton="K1", lee="K2").set_tokens(red=2)
    table.status("lee", Status.COMMANDED | Status.DISRUPTED)
    table.activate("sutton").play(Act.SUPPRESS, 1)
    table.state.deck_next = table.state.deck_size - 1  # the SS Phase of this turn has one card
    table.play(Act.PASS)
    assert not table.has("sutton", Status.ACTED) and table.has("sutton", Status.EXHAUSTED)
    assert not table.has("lee", Status.COMMANDED) and table.has("lee", Status.DISRUPTED)


@pytest.mark.rule("2.0")
@pytest.mark.parametrize(("reading", "passing"), [("no", set()), ("yes", {0})])
def test_five_actions_whenever_five_can_be_done(reading, passing):
    """R-01: passing is for those whom nobody is left to act for."""
    table = table_with(sutton="K1", may_pass=reading)
    assert table.legal_kinds(Act.PASS) == passing
    for name in ("sutton", "clemenceau", "gamelin", "delarocque", "reynaud"):
        table.status(name, Status.COMMANDED)
    table.status("borotra", Status.COMMANDED)
    assert table.legal() == {Act.PASS * 65536}


@pytest.mark.rule("2.4")
@pytest.mark.parametrize(
    ("reading", "status"),
    [("exhausts", Status.ACTED | Status.EXHAUSTED), ("uses_action", Status.ACTED), ("free", Status.SHIFTED)],
)
def test_a_free_move_and_nothing_more(reading, status):
    """R-07: the free move stands in the list of actions that exhaust."""
    table = table_with(sutton="K1", free_move_alone=reading).activate("sutton")
    table.play(Act.SHIFT, table.d("sutton") * 64 + table.p("K2")).play(Act.BLANK)
    assert table.where("sutton") == "K2" and table.state.status[table.d("sutton")] == status


@pytest.mark.rule("2.7")
@pytest.mark.parametrize(
    ("reading", "lock", "given"),
    [("no", "reserve_only", 0), ("yes", "reserve_only", 3), ("no", "anyone_outside_cellar", 3)],
)
def test_command_while_starters_wait(reading, lock, given):
    """2.1, R-72: only the reserve acts in the first four turns, so nobody on the board takes a Recover from a commander placed then."""
    table = Table(command_in_deployment=reading, deployment_lock=lock, breach_ends_game="false")
    for name, position in zip(
        ("worsham", "pollock", "sutton", "dietrich", "gangl"), ("K1", "K2", "K3", "NT2", "NT3"), strict=True
    ):
        table.activate(name).play(Act.PLACE, table.p(position)).play(Act.SUPPRESS, table_value(table, name))
    while table.state.stage != Stage.ORDERS:
        table.play(Act.SPEND, 0)
    table.activate("schrader").play(Act.PLACE, table.p("K4")).play(Act.COMMAND)
    assert len(table.legal_kinds(Act.GIVE)) == (3 if given else 0)
    while table.legal_kinds(Act.GIVE):
        table.play(Act.GIVE, min(table.legal_kinds(Act.GIVE)))
    assert table.state.commanded == given and table.has("schrader", Status.EXHAUSTED)
    assert sum(table.has(name, Status.EXHAUSTED) for name in ("worsham", "pollock", "sutton")) == 3 - given


def table_value(table, name) -> int:
    """All tokens of an own Suppress: the argument when the position has one square or the first of two gets all."""
    return int(table.tables.suppress[table.d(name)])


@pytest.mark.rule("2.1")
def test_deployment_lasts_until_all_twenty_are_placed():
    table = Table(breach_ends_game="false")
    free = iter(range(24))
    while is_deploying(table.state, table.tables):
        waiting = [name for name in table.defenders if table.where(name) == "reserve"]
        assert table.legal_kinds(Act.ACTIVATE) == {table.d(name) for name in waiting}
        table.activate(waiting[0]).play(Act.PLACE, next(free)).play(Act.BLANK)
        while table.state.stage != Stage.ORDERS:
            table.play(Act.SPEND, 0)
    assert table.state.turn == 5
    assert not is_deploying(table.state, table.tables)
    assert table.d("borotra") in table.legal_kinds(Act.ACTIVATE)


@pytest.mark.rule("2.1")
def test_nobody_is_placed_on_a_destroyed_tank():
    table = Table()
    table.state.tank_destroyed = 1
    table.activate("basse")
    assert not {p for p in table.legal_kinds(Act.PLACE) if table.positions[p].startswith("BJ")}


@pytest.mark.rule("2.2")
@pytest.mark.parametrize(("kind", "defence"), [("rifleman", 3), ("scout", 4), ("sturm", 5)])
@pytest.mark.parametrize("face", [1, 2, 3, 4, 5, 6])
def test_attack_needs_the_defence_value(kind, defence, face):
    table = table_with(sutton="K1").counters(**{kind: 3})
    table.activate("sutton").dice(Luck.DEFENDER, face).play(Act.ATTACK, 3)
    assert (table.on_circle(3) is None) == (face >= defence)


@pytest.mark.rule("2.2")
def test_no_dice_no_attack():
    table = table_with(clemenceau="K1").counters(rifleman=3)
    assert not table.ask("clemenceau").legal_kinds(Act.ATTACK)
    table.put(gamelin="K2")  # Inspire gives a die: R-13
    assert table.ask("clemenceau").legal_kinds(Act.ATTACK) == {3}


@pytest.mark.rule("2.3")
def test_suppress_from_yellow_or_white_puts_no_token():
    for name, position in (("pollock", "GH3"), ("lee", "BJ1")):
        table = table_with(**{name: position}).activate(name)
        assert table.legal_kinds(Act.SUPPRESS) == {0}
        table.play(Act.SUPPRESS, 0)
        assert table.state.tokens.sum() == 0 and table.has(name, Status.EXHAUSTED)


@pytest.mark.rule("2.3")
def test_supply_of_thirty_tokens():
    table = table_with(pollock="K1").set_tokens(black=28)
    put_tokens(table.state, table.tables, table.colours.index("red"), 3)
    assert table.tokens("red") == 2
    free = table_with(pollock="K1", token_cap="unlimited").set_tokens(black=28)
    put_tokens(free.state, free.tables, free.colours.index("red"), 3)
    assert free.tokens("red") == 3


@pytest.mark.rule("2.5")
def test_from_the_cellar_only_to_the_great_hall():
    table = table_with(turn=5)
    table.activate("reynaud")
    assert {table.positions[p] for p in table.legal_kinds(Act.MOVE)} == {"GH1", "GH2", "GH3", "GH4"}
    assert not table.legal_kinds(Act.SUPPRESS) | table.legal_kinds(Act.ATTACK)


@pytest.mark.rule("2.6")
def test_recover_is_one_of_the_two_and_does_not_exhaust():
    table = table_with(status={"sutton": Status.EXHAUSTED | Status.DISRUPTED}, sutton="K1").activate("sutton")
    assert table.legal_kinds(Act.RECOVER) == {0, 1}
    table.play(Act.RECOVER, 1)
    assert table.has("sutton", Status.EXHAUSTED) and not table.has("sutton", Status.DISRUPTED)
    assert table.d("sutton") not in table.legal_kinds(Act.ACTIVATE)
    other = table_with(status={"sutton": Status.EXHAUSTED | Status.DISRUPTED}, sutton="K1").activate("sutton")
    other.play(Act.RECOVER, 0)
    assert other.has("sutton", Status.DISRUPTED) and not other.has("sutton", Status.EXHAUSTED)


@pytest.mark.rule("2.8")
@pytest.mark.parametrize(
    ("position", "colours", "escape"),
    [
        ("ST2", {}, True),
        ("GH1", {}, False),
        ("BJ1", {}, False),
        ("NT6", {"scout": 3}, False),
        ("ST2", {"scout": 3}, True),
    ],
)
def test_escape_from_a_location_with_clear_colours(position, colours, escape):
    table = table_with(borotra=position, turn=9).counters(**colours)
    table.state.top_deck, table.state.deck_next = 2, 24
    assert bool(table.ask("borotra").legal_kinds(Act.ESCAPE)) == escape


# ---------------------------------------------------------------- 3 attributes


@pytest.mark.rule("3.0")
@pytest.mark.rule("3.1")
def test_inspire_counts_each_other_fit_inspirer():
    places = {"sutton": "K1", "clemenceau": "K2", "gamelin": "K3", "reynaud": "K4"}
    table = table_with(**places)
    bonus = {name: inspire_bonus(table.state, table.tables, table.d(name)) for name in places}
    assert bonus == {"sutton": 3, "clemenceau": 2, "gamelin": 2, "reynaud": 2}
    table.status("gamelin", Status.EXHAUSTED).status("reynaud", Status.DISRUPTED)
    assert inspire_bonus(table.state, table.tables, table.d("sutton")) == 1
    assert inspire_bonus(*table_with(inspire_stacks="max_one", **places).args("sutton")) == 1
    assert inspire_bonus(*table_with(inspire_stacks="self_too", **places).args("clemenceau")) == 3


@pytest.mark.rule("3.2")
def test_low_morale_takes_every_m_there_and_no_further():
    table = table_with(sutton="NT2", rifleman1="NT3", rifleman2="NT5", rifleman3="K1")
    table.ss_card("deck2_sniper", 6, 2, 6, 6, 6, 6)
    assert [table.where(name) for name in ("sutton", "rifleman1", "rifleman2", "rifleman3")] == [
        "killed",
        "killed",
        "killed",
        "K1",
    ]
    assert table.state.casualties == 3


@pytest.mark.rule("3.3")
@pytest.mark.parametrize("bits", [0, Status.EXHAUSTED | Status.DISRUPTED])
def test_an_officer_prevents_low_morale_fit_or_not(bits):
    table = table_with(status={"dietrich": bits}, sutton="NT2", rifleman1="NT3", dietrich="NT5")
    table.ss_card("deck2_sniper", 6, 2, 6, 6, 6, 6)
    assert table.where("rifleman1") == "NT3"


@pytest.mark.rule("3.3")
@pytest.mark.parametrize(("reading", "saved"), [("no", False), ("yes", True)])
def test_an_officer_who_is_the_casualty(reading, saved):
    table = table_with(dietrich="NT2", rifleman1="NT3", officer_killed=reading)
    table.ss_card("deck2_sniper", 6, 2, 6, 6, 6, 6)
    assert (table.where("rifleman1") == "NT3") == saved


@pytest.mark.rule("3.4")
def test_reinforcements_join_the_reserve_and_block_nobody():
    table = table_with(sutton="K1")
    table.ss_card("deck3_reinforcements")
    assert {table.where(name) for name in ("wegscheider", "linsen", "waltl")} == {"reserve"}
    table.turn(6)
    assert table.legal_kinds(Act.ACTIVATE) >= {table.d("sutton"), table.d("waltl")}


@pytest.mark.rule("3.5")
@pytest.mark.parametrize("accept", [0, 1])
def test_gangl_sacrifices_himself_for_a_french_inspirer(accept):
    table = table_with(gamelin="NT2", gangl="NT3", rifleman1="NT5")
    table.ss_card("deck2_sniper", 6, 2, 6, 6, 6, 6)
    assert table.state.stage == Stage.SACRIFICE
    answer(table, accept)
    assert table.where("gangl" if accept else "gamelin") == "killed"
    assert table.where("gamelin" if accept else "gangl") != "killed"
    assert table.where("rifleman1") == "NT5", "nobody was killed: Gangl was removed (R-31), or he is an [O] and there"


@pytest.mark.rule("3.5")
def test_a_sacrifice_that_counts_as_a_death():
    """R-31 `yes`: then Low Morale takes the Rifleman, and Gangl is no longer an officer there."""
    table = table_with(gamelin="NT2", gangl="NT3", rifleman1="NT5", sacrifice_low_morale="yes")
    table.ss_card("deck2_sniper", 6, 2, 6, 6, 6, 6)
    answer(table, 1)
    assert table.where("rifleman1") == "killed"


@pytest.mark.rule("3.5")
def test_no_sacrifice_for_borotra():
    table = table_with(borotra="NT2", gangl="NT3")
    table.ss_card("deck2_sniper", 6, 2, 6, 6, 6, 6)
    assert table.where("borotra") == "killed" and table.state.stage != Stage.SACRIFICE


@pytest.mark.rule("3.5")
@pytest.mark.rule("4.2")
@pytest.mark.parametrize(("reading", "place"), [("stays", "BJ2"), ("possible", "reserve"), ("not_possible", "killed")])
def test_sacrifice_for_any_reason_also_in_the_tank(reading, place):
    """R-32: "per qualsiasi motivo"; the effects on him are ignored, so he stays in the wreck, from which he may move away."""
    table = table_with(gamelin="BJ2", gangl="BJ3", lee="BJ4", sacrifice_in_tank=reading).set_defence(BJ=4)
    table.ss_card("deck2_panzerfaust", 6, 6, 6, 6)
    assert (table.state.stage == Stage.SACRIFICE) == (reading != "not_possible")
    if reading != "not_possible":
        answer(table, 1)
    assert table.where("gamelin") == place
    assert {table.where("gangl"), table.where("lee")} == {"killed"}
    assert table.state.tank_destroyed and not table.state.tank_empty
    if reading == "stays":
        table.turn(6)
        table.ask("gamelin")
        assert table.legal_kinds(Act.MOVE) and not table.legal_kinds(Act.SHIFT), "out of the wreck, not about in it"


@pytest.mark.rule("3.5")
@pytest.mark.parametrize(("reading", "place"), [("yes", "K1"), ("no", "killed")])
def test_sacrifice_of_a_gangl_who_dies_by_the_same_hit(reading, place):
    """R-63"""
    disrupted = {"gamelin": Status.DISRUPTED, "gangl": Status.DISRUPTED}
    table = table_with(status=disrupted, gamelin="K1", gangl="K2", sacrifice_when_dying=reading).set_defence(K=4)
    table.ss_card("deck1_flak37", 1, 6, 6, 6, 6, 6)
    assert (table.state.stage == Stage.SACRIFICE) == (reading == "yes")
    if reading == "yes":
        answer(table, 1)
    assert (table.where("gamelin"), table.where("gangl")) == (place, "killed")


def answer(table, accept):
    from bartizan.simcore.itter.rules.attributes import answer_offer

    answer_offer(table.state, table.tables, accept)
    table.run_card()


@pytest.mark.rule("3.6")
@pytest.mark.parametrize(("reading", "exhausted"), [("yes", True), ("no", False)])
def test_loading(reading, exhausted):
    table = table_with(lee="BJ1", load_exhausts=reading).activate("lee").play(Act.LOAD)
    assert table.state.loaded
    assert table.has("lee", Status.EXHAUSTED) == exhausted
    assert not table.ask("lee").legal_kinds(Act.LOAD)


# ---------------------------------------------------------------- 4 SS Phase


@pytest.mark.rule("4.0")
@pytest.mark.parametrize(
    ("reading", "faces"),
    [
        ("all_up_then_all_down", {1: 2, 2: 2, 3: 5, 4: 5, 5: 5, 6: 5}),
        ("one_up_one_down", {1: 2, 2: 2, 3: 2, 4: 5, 5: 5, 6: 5}),
        ("wrap", {1: 2, 2: 2, 3: 5, 4: 5, 5: 5, 6: 2}),
    ],
)
def test_target_search_on_purple(reading, faces):
    table = table_with(sutton="NT2", lee="NT5", target_search=reading)
    purple = table.colours.index("purple")
    assert {face: search(table.state, table.tables, purple, face - 1) + 1 for face in range(1, 7)} == faces


@pytest.mark.rule("4.0")
def test_one_up_one_down_searches_one_face_in_each_direction():
    table = table_with(sutton="NT3", target_search="one_up_one_down")
    purple = table.colours.index("purple")
    faces = [search(table.state, table.tables, purple, face - 1) + 1 for face in range(1, 7)]
    assert faces == [NONE + 1, 3, 3, 3, NONE + 1, NONE + 1]


@pytest.mark.rule("4.2")
def test_location_values_fall_then_the_defenders_suffer():
    table = table_with(status={"lee": Status.DISRUPTED}, sutton="K1", lee="K2", rifleman1="K3")
    for value in (5, 4):
        table.ss_card("deck1_flak37", 1, 6, 6, 6, 6, 6)
        assert table.defence("K") == value
    table.ss_card("deck1_flak37", 1, 6, 6, 6, 6, 6)
    assert table.defence("K") == 4
    assert table.has("sutton", Status.DISRUPTED)
    assert table.where("lee") == "killed"
    assert table.where("rifleman1") == "killed"  # Low Morale, after the tokens


@pytest.mark.rule("4.2")
def test_an_empty_tank_lost_is_worth_points():
    table = table_with(sutton="K1").set_defence(BJ=4)
    before = final_score(table.state, table.tables)
    table.ss_card("deck2_panzerfaust", 6, 6, 6, 6)
    assert table.state.tank_empty
    assert final_score(table.state, table.tables) == before + 5
    table.ss_card("deck2_panzerfaust", 6, 6, 6, 6)
    assert table.defence("BJ") == 0


@pytest.mark.rule("4.2")
def test_panzerfaust_rolls_no_table_die():
    table = table_with(sutton="K1")
    table.ss_card("deck2_panzerfaust", 1, 1, 1, 6)  # with a table die the 6 would be the fifth
    assert table.defence("BJ") == 5


@pytest.mark.rule("4.3")
def test_guns_push_nothing_and_share_an_area():
    table = Table().clear_board().counters(rifleman=5, mortar=5, machine_gunner=5)
    table.ss_card("deck1_mortar", 1, 4)
    assert table.state.guns[table.kinds.index("mortar"), 5] == 2
    assert table.on_circle(5) == "rifleman"


@pytest.mark.rule("4.3")
@pytest.mark.parametrize(("reading", "left"), [("always_spent", 0), ("kept_on_success", 2)])
def test_tokens_spent_on_success(reading, left):
    from bartizan.simcore.itter.rules.siege import spend

    table = Table(tokens_spent_on_success=reading).clear_board().set_tokens(black=2)
    table.ss_card("deck1_sturm", 6, 3)
    table.dice(Luck.SUPPRESSION, 1, 5)
    spend(table.state, table.tables, 2)
    assert table.on_circle(9) is None and table.state.suppressed == 1
    assert table.tokens("black") == left


@pytest.mark.rule("4.3")
def test_the_no_loss_device_returns_the_counter_to_the_supply():
    table = Table(breach_ends_game="false").clear_board().counters(rifleman=31)
    for circle in (12, 32, 30):
        table.counters(scout=circle)
    riflemen = table.state.supply[0]
    push(table.state, table.tables, 0, 12)
    assert table.state.breaches == 1 and table.state.end_reason == 0
    assert table.state.breach_circle == 31 and table.state.breach_area == 12
    assert table.state.supply[0] == riflemen + 1  # the test pushes a counter it never took from the supply
    assert [table.on_circle(c) for c in (12, 32, 30, 31)] == ["rifleman", "scout", "scout", "scout"]


# ---------------------------------------------------------------- 5 the end


@pytest.mark.rule("5.0")
def test_score_of_a_counted_position():
    table = table_with(clemenceau="K1", gamelin="K2", sutton="NT2", lee="NT3").counters(rifleman=9, mortar=5)
    # 2 French outside 6, 3 in the Cellar 3, 2 others 2, 2 counters -2
    assert final_score(table.state, table.tables) == 9
    table.state.place[table.d("borotra")] = Place.ESCAPED
    assert final_score(table.state, table.tables) == 9 - 1 + 5


@pytest.mark.rule("5.0")
def test_the_greatest_possible_score_is_45():
    """All alive, four French outside, Borotra escaped, the tank lost empty, no counter left: 4 * 3 + 23 + 5 + 5."""
    table = Table().clear_board()
    outside = [p for p in range(len(table.positions)) if table.positions[p][0] not in "CB"]
    everyone = [d for d in range(28) if table.defenders[d] != "borotra"]
    table.state.occupant[:] = NONE
    for i, d in enumerate(everyone):
        table.state.place[d] = outside[i % len(outside)]
    table.state.place[table.d("borotra")] = Place.ESCAPED
    table.state.tank_destroyed = table.state.tank_empty = 1
    assert final_score(table.state, table.tables) == 45


@pytest.mark.rule("5.0")
@pytest.mark.parametrize(
    ("left", "turn", "reading", "end"),
    [
        (0, 20, "turn_21", End.DECK_EMPTY),
        (1, 20, "turn_21", 0),
        (1, 20, "end_turn_20", End.DECK_EMPTY),
        (3, 19, "end_turn_20", 0),
    ],
)
def test_the_game_ends_when_the_deck_has_run_out(left, turn, reading, end):
    table = Table(deck_of_61=reading).clear_board()
    table.state.turn = turn
    table.state.deck_next = table.state.deck_size - left
    end_turn(table.state, table.tables)
    assert table.state.end_reason == end


@pytest.mark.rule("5.0")
def test_the_142nd_ends_the_game_at_once():
    table = Table().clear_board().turn(9)
    table.state.deck[table.state.deck_next] = table.tables.n_cards
    drawn = table.state.deck_next
    table.play(Act.PASS)
    assert table.state.end_reason == End.RELIEVED
    assert table.state.deck_next == drawn + 1


@pytest.mark.rule("2.8")
def test_the_142nd_is_equally_likely_in_each_of_the_last_places():
    places = np.zeros(10, int)
    for game in range(300):
        table = Table(game=game).clear_board().put(borotra="ST2").turn(9)
        table.state.top_deck, table.state.deck_next = 2, 24
        table.ask("borotra").play(Act.ESCAPE)
        (at,) = np.flatnonzero(table.state.deck[: table.state.deck_size] == table.tables.n_cards)
        places[at - 51] += 1
    assert places.sum() == 300
    chi_square = ((places - 30.0) ** 2 / 30.0).sum()
    assert chi_square < 27.9  # 0.1 % point of chi-square with 9 degrees of freedom
