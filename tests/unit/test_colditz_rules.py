"""Escape from Colditz rule by rule: one position, one rule, one expectation. Every reading of every ruling is played at least once.

Circles that come again and again: W.C. 233 - 270 - door - 291 (courtyard); PASS into the courtyard 899 - [927] - 952 - 971 - 992 (terrace); KEY 991 - 1001 - [1002] - 1003;
Canteen window 295 -> 251 (30 ft); wire 53 - 27 - 19 - 1; target T4 22 - 33 - 44 - 45; cell doors 884 (inner), 1020 (outer); Canteen tunnel 250 235 221 222 223 205 167.
"""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from bartizan.simcore.colditz.board import read_board
from bartizan.simcore.colditz.components import APPEL, NONE, NOTHING, WHOLE_TEAM, Act, End, Luck, Place, Stage, Tunnel
from bartizan.simcore.colditz.engine import ENGINE
from tests.colditz_table import Table, scenario_of

INNER_POSTS = {355, 504, 528, 636, 736, 748}
OUTER_POSTS = {77, 192, 196, 393, 456, 715, 742, 785, 993, 1030, 1047, 1084}
ROUND_THE_APPEL = {
    450,
    451,
    452,
    453,
    454,
    464,
    482,
    499,
    516,
    533,
    547,
    565,
    575,
    592,
    608,
    626,
    639,
    656,
    661,
    689,
    690,
    691,
    692,
    693,
}
CELL_IN, CELL_OUT = Place.CELL_INNER, Place.CELL_OUTER
LAUNDRY, THEATRE, CANTEEN, PARCELS, WC, OFFICERS, OFFICE, INTERVIEW = 271, 914, 295, 802, 270, 831, 652, 521
CHAPEL, STORE, DENTIST, SHOWERS, GUARDHOUSE, ORDERLIES, KITCHEN, SICKBAY = 430, 374, 307, 843, 1015, 766, 595, 773
WIRE_CUTTERS, PASSES, KEY, ROPE = range(4)


def locked(*w: int) -> dict[int, int]:
    """These POWs sit in the inner cells."""
    return dict.fromkeys(w, CELL_IN)


def hide(i: int, c: int) -> int:
    return i * 2048 + c


# ---------------------------------------------------------------- 2 Set-up


@pytest.mark.rule("2.1")
@pytest.mark.parametrize(("k", "each", "guards"), [(1, 8, 6), (2, 7, 12), (3, 6, 14), (4, 5, 15), (5, 4, 16)])
def test_pawns_by_number_of_players(k, each, guards):
    s = Table(k, begun=False).state
    assert [int((s.pow_at[p * 8 : p * 8 + 8] != Place.UNUSED).sum()) for p in range(5)] == [each] * k + [0] * (5 - k)
    assert (s.guard_at != Place.UNUSED).sum() == guards


@pytest.mark.rule("2.2")
def test_decks_and_supplies():
    table = Table(3, begun=False)
    s, model = table.state, table.scenario.model
    assert s.supply.sum() == sum(e.count for e in model.equipment.values()) == 27
    assert [table.left(name) for name in ("wire_cutters", "passes", "key", "rope")] == [
        model.equipment[name].count for name in ("wire_cutters", "passes", "key", "rope")
    ]
    assert s.kit_supply == model.kit.count == 5
    assert Counter(s.deck[: s.deck_size].tolist()) == {
        i: card.count for i, card in enumerate(model.opportunity.values())
    }
    assert Counter(s.order_deck[: s.order_size].tolist()) == {
        i: card.count for i, card in enumerate(model.security.values())
    }
    assert (s.deck_size, s.order_size) == (45, 14)
    assert sorted(s.stakes[: s.stakes_size]) == [3, 4, 5, 6, 7]
    assert s.hand.sum() == s.orders.sum() == s.equipment.sum() == s.kit.sum() == 0


@pytest.mark.rule("2.3")
def test_pows_begin_in_the_appel():
    assert {int(at) for at in Table(4, begun=False).state.pow_at if at != Place.UNUSED} == {APPEL}


@pytest.mark.rule("2.4")
@pytest.mark.parametrize(("k", "most"), [(1, 5), (2, 7), (3, 7), (4, 7), (5, 7)])
def test_the_german_posts_k_guards_inside_then_two_to_seven_outside(k, most):
    table = Table(k, begun=False)
    inner, outer = sorted(INNER_POSTS), sorted(OUTER_POSTS)
    for n in range(k):
        assert table.legal() == [(Act.POST, c) for c in inner[n:]]
        table.play(Act.POST, inner[n])
    for n in range(most):
        assert table.stage == Stage.SETUP and table.args(Act.POST) == set(outer[n:])
        assert table.can(Act.END) == (n >= 2)
        table.play(Act.POST, outer[n])
    assert table.stage != Stage.SETUP and (table.state["round"], table.state.on_turn) == (1, 0)
    assert (table.state.guard_at == Place.BARRACKS).sum() == {1: 0, 2: 3, 3: 4, 4: 4, 5: 4}[k]


@pytest.mark.rule("2.4")
def test_black_circles_by_the_ruling_on_covered_posts():
    """Q35"""
    for reading, inner, outer in (("black", INNER_POSTS, OUTER_POSTS), ("plain", {355}, {196, 393, 785, 1030, 1084})):
        table = Table(1, begun=False, covered_posts=reading)
        assert table.args(Act.POST) == inner
        assert table.play(Act.POST, 355).args(Act.POST) == outer
    with pytest.raises(Exception, match="covered_posts"):
        Table(2, covered_posts="plain")


@pytest.mark.rule("2.4")
def test_outer_guards_after_the_set_up():
    """Q32"""
    for reading, kept in (("setup_only", {1, 2}), ("always", set())):
        table = Table(1, outer_minimum=reading).guards(899, 993, 785).german()
        assert table.args(Act.RECALL) == kept
    assert Table(1, outer_minimum="always").guards(528, 993, 785).german().args(Act.RECALL) == {0}
    assert Table(1, outer_minimum="always").guards(899, 993, 785, 1084).german().args(Act.RECALL) == {1, 2, 3}
    assert Table(1, outer_minimum="always").pows({0: 19}).guards(1, 993, 785).german().args(Act.RECALL) == set(), (
        "a guard Outside is not in the Outer Area"
    )


@pytest.mark.rule("2.5")
def test_clockwise_then_the_german_then_a_new_round():
    """Q1"""
    table = Table(3, allied_order="clockwise")
    order = []
    for _ in range(6):
        order.append((int(table.state["round"]), int(table.state.on_turn)))
        table.end()
    assert order == [(1, 0), (1, 1), (1, 2), (1, 3), (2, 0), (2, 1)]


@pytest.mark.rule("2.5")
def test_a_player_without_pows_is_passed_over():
    table = Table(3).pows(dict.fromkeys(range(8, 14), Place.ESCAPED)).turn(0)
    table.state.escaped[1] = 6
    assert table.end().state.on_turn == 2


@pytest.mark.rule("2.5")
def test_the_allies_may_choose_the_order_of_each_round():
    """Q1"""
    table = Table(3, allied_order="free").german().end()
    assert table.stage == Stage.NEXT and table.args(Act.NEXT) == {0, 1, 2}
    table.play(Act.NEXT, 1)
    assert (table.state.on_turn, table.stage) == (1, Stage.TURN)
    assert table.play(Act.END).args(Act.NEXT) == {0, 2}
    table.play(Act.NEXT, 2).play(Act.END)
    assert (table.state.on_turn, table.stage) == (0, Stage.TURN), "the last one is not asked for"


# ---------------------------------------------------------------- 3 Dice and cards


@pytest.mark.rule("3.1")
@pytest.mark.parametrize(("faces", "total"), [((1, 4), 5), ((6, 5), 11), ((3, 3, 1, 4), 11), ((2, 2, 5, 5, 1, 4), 19)])
def test_a_double_is_rolled_again_and_added(faces, total):
    assert Table().end(*faces).points() == total


@pytest.mark.rule("3.1")
def test_a_cap_on_rolls():
    """Q2"""
    faces = (1, 1, 2, 2, 3, 3)
    assert Table(reroll_cap="three").end(*faces).points() == 12
    assert Table(reroll_cap="none").end(*faces).points() > 12


@pytest.mark.rule("3.2")
def test_points_come_from_one_throw_and_are_not_kept():
    table = Table(2).turn(0, points=20).end(1, 4)
    assert (table.state.on_turn, table.points()) == (1, 5)
    assert table.end(4, 6).points() == 10
    assert table.end(2, 4).points() == 6


@pytest.mark.rule("3.3")
@pytest.mark.parametrize(
    ("faces", "draws"),
    [
        ((1, 2), 1),
        ((1, 6), 1),
        ((5, 6), 1),
        ((1, 4), 0),
        ((4, 6), 0),
        ((1, 1, 1, 2), 1),
        ((2, 2, 1, 6), 1),
        ((1, 1, 1, 4), 0),
        ((2, 2, 3, 4), 1),
        ((4, 4, 1, 2), 1),
        ((1, 1, 4, 5), 0),
    ],
)
def test_a_roll_of_3_7_or_11_draws_a_card(faces, draws):
    german = Table(2).turn(1).end(*faces)
    assert (german.state.orders.sum(), german.state.hand.sum()) == (draws, 0)
    allied = Table(2).german().end(*faces)
    assert (allied.state.orders.sum(), allied.state.hand[0].sum(), allied.state.hand[1].sum()) == (0, draws, 0)


FOUR = ("bribe_1", "sabotage", "diversion", "bribe_2")


@pytest.mark.rule("3.4")
def test_a_fourth_opportunity_card_goes_by_the_end_of_the_turn():
    table = Table(1).equipment(0, rope=2, key=2).kit(0).hand(0, *FOUR[:3])
    assert table.can(Act.END) and not table.args(Act.DISCARD)
    table.hand(0, FOUR[3])
    assert not table.can(Act.END) and table.args(Act.DISCARD) == {table.c(name) for name in FOUR}
    after = table.copy().play(Act.DISCARD, table.c("sabotage"))
    assert after.can(Act.END) and not after.args(Act.DISCARD) and after.holds(0, "sabotage") == 0
    assert after.state.discards[table.c("sabotage")] == 1
    assert table.copy().play(Act.SABOTAGE).can(Act.END)


@pytest.mark.rule("3.4")
def test_a_fourth_card_may_be_given_away():
    table = Table(2).hand(0, *FOUR)
    table.play(Act.GIVE, 1 * 32 + table.c("sabotage"))
    assert table.can(Act.END) and table.holds(1, "sabotage") == 1


@pytest.mark.rule("3.4")
def test_a_fourth_security_card_goes_by_the_end_of_the_turn():
    names = ("shoot_to_kill", "search_chapel", "search_dentist", "tunnel_detected")
    table = Table(1).security(*names).german()
    assert not table.can(Act.END) and table.args(Act.DISCARD) == {table.o(name) for name in names}
    assert table.play(Act.DISCARD, table.o("search_chapel")).can(Act.END)
    assert table.state.order_discards[table.o("search_chapel")] == 1


@pytest.mark.rule("3.5")
def test_opportunity_cards_change_hands_in_any_allied_turn():
    """Q3"""
    table = Table(2, card_gifts="any_allied_turn").hand(0, "sabotage").hand(1, "diversion")
    c = table.c
    assert table.args(Act.GIVE) == {1 * 32 + c("sabotage"), 8 * 32 + c("diversion")}
    table.play(Act.GIVE, 8 * 32 + c("diversion"))
    assert (table.holds(0, "diversion"), table.holds(1, "diversion")) == (1, 0)
    own = Table(2, card_gifts="own_turn").hand(0, "sabotage").hand(1, "diversion")
    assert own.args(Act.GIVE) == {1 * 32 + c("sabotage")}


@pytest.mark.rule("3.5")
def test_gifts_are_bounded_by_the_turn_and_a_full_hand_takes_them():
    table = Table(2, **{"turn.gives": 3}).hand(0, "sabotage")
    c = table.c("sabotage")
    for giver in (0, 1, 0):
        table.play(Act.GIVE, (giver * 8 + 1 - giver) * 32 + c)
    assert not table.args(Act.GIVE)
    full = Table(2).hand(0, "release").hand(1, *FOUR[:3])
    full.play(Act.GIVE, 1 * 32 + full.c("release")).end()
    assert full.state.on_turn == 1 and full.args(Act.DISCARD) == {full.c(name) for name in ("release", *FOUR[:3])}
    assert not full.can(Act.END), "he has until the end of his turn"


@pytest.mark.rule("3.5")
def test_two_gifts_are_an_exchange():
    """Q3: with full hands too; own_turn: he who has been given a card gives one back."""
    for reading in ("any_allied_turn", "own_turn"):
        table = Table(2, card_gifts=reading).hand(0, *FOUR[:3]).hand(1, "release", "hideaway", "talisman")
        back = 8 * 32 + table.c("release")
        assert (back in table.args(Act.GIVE)) == (reading == "any_allied_turn")
        table.play(Act.GIVE, 1 * 32 + table.c("sabotage")).play(Act.GIVE, back)
        assert (table.holds(0, "release"), table.holds(1, "sabotage")) == (1, 1)
        assert (8 * 32 + table.c("talisman") in table.args(Act.GIVE)) == (reading == "any_allied_turn")


@pytest.mark.rule("3.4")
def test_before_a_stake_a_hand_over_the_limit_comes_down():
    """A STAKE ends the turn."""
    table = stakeable({0: 899}).hand(0, *FOUR).end()
    assert table.kinds() == {Act.THROW, Act.DISCARD}
    table.play(Act.DISCARD, table.c("sabotage"))
    assert table.stage == Stage.START and table.kinds() == {Act.THROW, Act.STAKE}


@pytest.mark.rule("3.5")
def test_no_gifts_in_the_germans_turn():
    table = Table(2).hand(0, "sabotage").pows({0: 899, 8: 870}).guards(355).appel(1, 4)
    assert table.stage == Stage.ANSWER and Act.GIVE not in table.kinds()


@pytest.mark.rule("3.5")
def test_equipment_is_not_given_away():
    """Q4"""
    assert Act.GIVE_EQUIPMENT not in Table(2, equipment_gifts="no").equipment(0, rope=1).kinds()
    table = Table(2, equipment_gifts="yes").equipment(0, rope=1).equipment(1, key=1)
    assert table.args(Act.GIVE_EQUIPMENT) == {1 * 8 + ROPE}
    table.play(Act.GIVE_EQUIPMENT, 1 * 8 + ROPE)
    assert (table.has(0, "rope"), table.has(1, "rope")) == (0, 1)


@pytest.mark.rule("3.6")
def test_cards_are_played_in_ones_own_turn_only():
    table = Table(2).guards(355).hand(1, "diversion", "bribe_1", "sabotage")
    assert not table.kinds() & {Act.DIVERT, Act.BRIBE, Act.SABOTAGE}
    assert table.end().kinds() >= {Act.DIVERT, Act.BRIBE, Act.SABOTAGE}
    assert not table.end().kinds() & {Act.DIVERT, Act.BRIBE, Act.SABOTAGE}


@pytest.mark.rule("3.7")
def test_an_empty_deck_is_remade_from_its_discards():
    table = Table(1).all_discarded().end(1, 2)
    s = table.state
    assert (s.orders.sum(), s.order_size - s.order_next, s.order_discards.sum()) == (1, 13, 0)
    table.end(1, 2)
    assert (s.hand[0].sum(), s.deck_size - s.deck_next, s.discards.sum()) == (1, 44, 0)


@pytest.mark.rule("3.7")
def test_with_no_discards_nothing_is_drawn():
    table = Table(1)
    table.security(*[table.orders[card] for card in table.state.order_deck[: table.state.order_size]])
    assert table.end(1, 2).state.orders.sum() == 14
    assert table.state.order_discards.sum() == 0


@pytest.mark.rule("3.7")
def test_the_do_or_die_deck():
    """Q45: \"If the deck runs out, shuffle the discard pile and create a new deck.\""""
    for reading in ("remade", "used_up"):
        table = stakeable({w: APPEL for w in range(8)}, stake_deck=reading, stake_from_appel="allowed")
        for throws in (3, 4, 5, 6, 7):
            table.end().next_stake(throws).total(Luck.STAKE, throws, 72 if throws > 4 else 75)
            table.play(Act.STAKE, min(table.args(Act.STAKE)))
        table.end()
        assert table.stage == (Stage.START if reading == "remade" else Stage.TURN)
        if reading == "remade":
            table.play(Act.STAKE, min(table.args(Act.STAKE)))
            assert table.state.stakes_next == 1 and sorted(table.state.stakes[:5]) == [3, 4, 5, 6, 7]


@pytest.mark.rule("3.8")
def test_throws_for_cards_draw_nothing():
    car = Table(1).kit(0).pows({0: 539}).hand(0, "staff_car").dice(Luck.CAR, 1, 2, 1, 6)
    assert car.play(Act.CAR, 0).state.drawn == 0
    stake = Table(1).kit(0).pows({0: 899}).german().end().next_stake(3).dice(Luck.STAKE, 1, 2, 1, 6, 5, 6)
    assert stake.play(Act.STAKE, 0).state.drawn == 0


@pytest.mark.rule("3.8")
def test_range_throws_draw_nothing_unless_ruled_so():
    """Q5"""
    for reading, drawn in (("no", 0), ("yes", 1)):
        table = Table(1, range_throws_draw=reading).pows({0: 1}).guards(53).appel(1, 2).play(Act.END)
        assert table.state.orders.sum() == drawn
        shot = Table(1, range_throws_draw=reading).pows({0: 1}).guards(53).security("shoot_to_kill").german()
        shot.dice(Luck.RANGE, 1, 2)
        assert shot.play(Act.SHOOT, 0).state.orders.sum() == drawn


# ---------------------------------------------------------------- 4 Allied turn


@pytest.mark.rule("4.1")
def test_moves_cards_and_claims_in_any_order():
    table = (
        Table(1).pows({0: CHAPEL, 1: STORE, 2: LAUNDRY}).guards(355).hand(0, "bribe_1", "diversion").turn(0, points=10)
    )
    table.go(2, 293).play(Act.BRIBE, 1 * 64 + KEY * 8 + NOTHING).play(Act.EQUIP, 0 * 64 + 1).go(2, 292).play(
        Act.DIVERT, 0
    ).go(0, 464)
    assert table.points() == 10 - 1 - 1 - 1
    assert (table.at(2), table.at(0), table.at(1)) == (292, 464, APPEL)


@pytest.mark.rule("4.2")
def test_any_number_of_pows_one_point_a_circle():
    table = Table(1).pows({0: 233, 1: LAUNDRY}).turn(0, points=5)
    assert table.cost(0, Act.GO, 291) == 2
    table.go(0, 270).go(1, 293).go(0, 291)
    assert table.points() == 2 and table.can(Act.END)
    assert table.goals(0) == {270, 233, 292, 307, 306, 333, 356}


@pytest.mark.rule("4.2")
def test_nobody_passes_through_another_pawn():
    """Q6: a ruling without effect."""
    for reading in ("allowed", "not_in_one_move"):
        table = Table(1, doubling_back=reading).pows({0: 233, 1: 270}).turn(0, points=10)
        assert table.pick(0).legal() == [(Act.STAY, 0)]
        table = Table(1, doubling_back=reading).pows({0: 233}).guards(270).turn(0, points=10)
        assert set(table.pick(0).legal()) == {(Act.STAY, 0), (Act.FORCE, 270)}


@pytest.mark.rule("4.2")
def test_a_pow_who_stayed_is_not_picked_again_at_once():
    table = Table(1).pows({0: 233, 1: 293, **locked(2, 3, 4, 5, 6, 7)}).turn(0, points=4)
    assert table.args(Act.PICK) == {0, 1}
    table.pick(0).play(Act.STAY)
    assert table.args(Act.PICK) == {1} and table.points() == 4
    assert table.go(1, 292).args(Act.PICK) == {0, 1}


@pytest.mark.rule("4.3")
def test_the_appel_is_one_space():
    table = Table(1).pows({1: 464}).turn(0, points=1)
    assert table.goals(0) == ROUND_THE_APPEL - {464}
    assert table.cost(0, Act.GO, 693) == 1
    assert APPEL in table.goals(1) and table.cost(1, Act.GO, APPEL) == 1
    across = Table(1).pows({1: 464}).turn(0, points=2)
    assert across.goals(1) >= ROUND_THE_APPEL - {464} and across.cost(1, Act.GO, 693) == 2
    assert Table(1).args(Act.PICK) == {0}, "POWs in the Appel are alike"


@pytest.mark.rule("4.4")
def test_a_key_opens_a_key_circle():
    without = Table(1).pows({0: 1001}).turn(0, points=5)
    assert not without.goals(0) & {1002, 1003} and not without.goals(0, Act.CROSS)
    table = Table(1).pows({0: 1001}).equipment(0, key=1, passes=1).turn(0, points=5)
    assert 1002 not in table.goals(0) and table.goals(0, Act.CROSS) == {1002}
    supply = table.left("key")
    table.pick(0).play(Act.CROSS, 1002)
    assert table.at(0) == 1002 and table.points() == 4 and table.has(0, "key") == 0
    assert table.has(0, "passes") == 1 and table.left("key") == supply + 1
    assert table.play(Act.GO, 1003).points() == 3


@pytest.mark.rule("4.4")
def test_leaving_a_gate_is_free():
    table = Table(1).pows({0: 1002, 1: 863, 2: 160}).turn(0, points=1)
    assert (table.goals(0), table.goals(1), table.goals(2)) == ({1001, 1003}, {862, 864}, {141, 174, 175, 196})


@pytest.mark.rule("4.4")
@pytest.mark.parametrize(
    ("gate", "beside", "card"),
    [
        (156, 122, "key"),
        (156, 192, "key"),
        (972, 973, "key"),
        (972, 988, "key"),
        (1002, 1003, "key"),
        (160, 196, "passes"),
        (863, 862, "passes"),
        (863, 864, "passes"),
        (927, 899, "passes"),
    ],
)
def test_every_gate_from_every_side(gate, beside, card):
    assert gate not in Table(1).pows({0: beside}).turn(0, points=1).goals(0)
    other = "key" if card == "passes" else "passes"
    assert gate not in Table(1).pows({0: beside}).equipment(0, **{other: 1}).turn(0, points=1).goals(0, Act.CROSS)
    assert gate in Table(1).pows({0: beside}).equipment(0, **{card: 1}).turn(0, points=1).goals(0, Act.CROSS)


@pytest.mark.rule("4.4")
def test_the_pass_circle_into_the_courtyard_is_free_on_the_way_in():
    table = Table(1).pows({0: 952}).turn(0, points=2)
    assert table.goals(0) == {927, 899, 900, 971, 992}
    assert not Table(1).pows({0: 900}).turn(0, points=2).goals(0) & {927, 952}
    table.go(0, 927)
    assert 927 not in table.pows({1: 900}).goals(1), "walking in has opened nothing"


@pytest.mark.rule("4.5")
@pytest.mark.parametrize(
    ("top", "foot", "ropes"),
    [(295, 251, 1), (227, 191, 1), (620, 602, 1), (248, 204, 2), (249, 190, 2), (1118, 1129, 2)],
)
def test_a_drop_costs_a_rope_for_each_thirty_feet(top, foot, ropes):
    assert foot not in Table(1).pows({0: top}).equipment(0, rope=ropes - 1, key=1, passes=1, wire_cutters=1).turn(
        0, points=1
    ).goals(0, Act.CROSS)
    table = Table(1).pows({0: top}).equipment(0, rope=3).turn(0, points=5)
    supply = table.left("rope")
    table.pick(0).play(Act.CROSS, foot)
    assert table.at(0) == foot and table.points() == 4 and table.has(0, "rope") == 3 - ropes
    assert table.left("rope") == supply + ropes


@pytest.mark.rule("4.5")
def test_drops_lead_downwards_only():
    """Q7"""
    down = Table(1, climb_drops="no").pows({0: 251}).equipment(0, rope=2).turn(0, points=1)
    assert 295 not in down.goals(0, Act.CROSS) | down.goals(0)
    up = Table(1, climb_drops="yes").pows({0: 251}).equipment(0, rope=2).turn(0, points=1)
    assert up.goals(0, Act.CROSS) == {295}
    assert up.pick(0).play(Act.CROSS, 295).has(0, "rope") == 1
    assert (
        Table(1, climb_drops="yes").pows({0: 204}).equipment(0, rope=1).turn(0, points=1).goals(0, Act.CROSS) == set()
    )


@pytest.mark.rule("4.6")
@pytest.mark.parametrize(("a", "b"), [(53, 27), (27, 53), (264, 277), (161, 144)])
def test_wire_cutters_open_the_wire(a, b):
    assert not Table(1).pows({0: a}).equipment(0, rope=3, key=3, passes=3).turn(0, points=1).goals(0, Act.CROSS) & {b}
    table = Table(1).pows({0: a}).equipment(0, wire_cutters=1).turn(0, points=1)
    assert b in table.goals(0, Act.CROSS) and b not in table.goals(0)
    table.pick(0).play(Act.CROSS, b)
    assert (table.at(0), table.points(), table.has(0, "wire_cutters")) == (b, 0, 0)


@pytest.mark.rule("4.7")
@pytest.mark.parametrize(
    ("card", "near", "far"), [("key", 1001, 1002), ("passes", 899, 927), ("rope", 295, 251), ("wire_cutters", 53, 27)]
)
def test_an_opened_way_is_open_to_all_until_the_germans_turn(card, near, far):
    table = Table(2).pows({0: near}).equipment(0, **{card: 1}).turn(0, points=4)
    table.pick(0).play(Act.CROSS, far).play(Act.STAY)
    table.pows({0: APPEL, 1: near})
    assert far in table.goals(1), "the rest of the turn"
    table.pows({1: APPEL, 8: near}).end()
    assert far in table.goals(0), "the next Allied player"
    table.end()
    assert table.state.on_turn == 2
    table.end()
    table.pows({8: APPEL, 1: near})
    assert table.state.on_turn == 0 and far not in table.goals(1), "closed by the German's turn"


@pytest.mark.rule("4.8")
def test_searchlights_are_crossed_not_stopped_in():
    """From 251 all around are searchlights or tunnel circles up to 255 (four steps) and 227 (five)."""
    for points, goals in ((3, set()), (4, {255}), (5, {255, 227})):
        assert Table(1).pows({0: 251}).turn(0, points=points).goals(0) == goals


@pytest.mark.rule("4.8")
def test_nobody_drops_into_a_searchlight_without_points_to_leave_it():
    """PROTOCOL 3, CROSS: the Sick Bay window 800 leads to the searchlight 867; at 787 to the searchlight 837."""
    for top, foot in ((800, 867), (787, 837)):
        one = Table(1).pows({0: top}).equipment(0, rope=1).turn(0, points=1)
        assert foot not in one.goals(0, Act.CROSS)
        many = Table(1).pows({0: top}).equipment(0, rope=1).turn(0, points=30)
        many.pick(0).play(Act.CROSS, foot)
        assert not many.can(Act.STAY) and many.args(Act.GO)


@pytest.mark.rule("4.8")
def test_safe_circles_and_tunnel_circles():
    table = Table(1).pows({0: 334}).turn(0, points=2)
    assert table.goals(0) >= {294, 272}
    assert Table(1).pows({0: 273}).turn(0, points=1).goals(0) == {295}, "235 is a tunnel circle"
    assert 250 not in Table(1).pows({0: 282}).turn(0, points=5).goals(0)
    assert Table(1).pows({0: 294}).equipment(0, rope=1).guards(334).german().goals(0, Act.ARREST) == set()


@pytest.mark.rule("4.9")
def test_a_pow_on_a_black_circle_blocks_it():
    table = Table(1).pows({0: 993, 1: 528}).german()
    assert table.args(Act.POST) == (INNER_POSTS | OUTER_POSTS) - {993, 528}
    assert 993 in Table(1).pows({0: 992}).turn(0, points=1).goals(0)


@pytest.mark.rule("4.10")
@pytest.mark.parametrize(
    "rooms",
    [(LAUNDRY, CANTEEN, WC, OFFICE), (THEATRE, PARCELS, OFFICERS, INTERVIEW), (LAUNDRY, PARCELS, WC, INTERVIEW)],
)
def test_a_kit_for_four_rooms(rooms):
    table = Table(1).pows(dict(enumerate(rooms))).turn(0)
    assert table.args(Act.KIT) == {0}
    table.play(Act.KIT, 0)
    assert table.state.kit[0] == 1 and table.state.kit_supply == 4
    assert [table.at(i) for i in range(4)] == list(rooms)
    assert not table.args(Act.KIT), "one is enough"
    assert not Table(1).pows(dict(enumerate(rooms[:3]))).turn(0).args(Act.KIT)
    assert not Table(2).pows({**dict(enumerate(rooms[:3])), 8: rooms[3]}).turn(0).args(Act.KIT)


@pytest.mark.rule("4.10")
def test_a_kit_is_kept_after_arrests_and_escapes():
    table = Table(1).kit(0).equipment(0, rope=1).pows({0: 899, 1: 33, 2: 44}).guards(900).german()
    table.pick(0).play(Act.ARREST, 899).cell(0).end()
    table.go(1, 22).go(2, 22)
    assert table.state.kit[0] == 1 and table.state.escaped[0] == 2


@pytest.mark.rule("4.10")
@pytest.mark.parametrize(
    ("reading", "first", "second"),
    [
        ("food_disguise", (WC, OFFICE), (CANTEEN, LAUNDRY)),
        ("food_compass", (LAUNDRY, OFFICE), (CANTEEN, WC)),
        ("food_documents", (LAUNDRY, WC), (CANTEEN, OFFICE)),
    ],
)
def test_a_half_card_stands_for_its_half(reading, first, second):
    """Q25: rooms wanted besides the first and besides the second half."""
    a = Table(1, kit_split=reading).hand(0, "kit_part_a").pows(dict(enumerate(first))).turn(0)
    assert a.args(Act.KIT) == {1}
    assert a.play(Act.KIT, 1).state.kit[0] == 1 and a.holds(0, "kit_part_a") == 0
    assert a.state.discards[a.c("kit_part_a")] == 1
    b = Table(1, kit_split=reading).hand(0, "kit_part_b").pows(dict(enumerate(second))).turn(0)
    assert b.args(Act.KIT) == {2}
    assert not Table(1, kit_split=reading).hand(0, "kit_part_a").pows(dict(enumerate(second))).turn(0).args(Act.KIT)
    both = Table(1, kit_split=reading).hand(0, "kit_part_a", "kit_part_b")
    assert both.args(Act.KIT) == {3}


@pytest.mark.rule("4.10")
def test_half_cards_mixed_with_rooms():
    """Q26"""
    for reading, masks in (("mixed", {1}), ("all_or_none", set())):
        assert Table(1, kit_claim=reading).hand(0, "kit_part_a").pows({0: WC, 1: OFFICE}).turn(0).args(Act.KIT) == masks
        four = Table(1, kit_claim=reading).hand(0, "kit_part_a", "kit_part_b")
        four.pows({0: WC, 1: OFFICE, 2: CANTEEN, 3: LAUNDRY}).turn(0)
        assert four.args(Act.KIT) == ({0, 1, 2, 3} if masks else {0, 3})


@pytest.mark.rule("4.11")
@pytest.mark.parametrize(
    ("w", "v", "card"),
    [
        (430, 512, "rope"),
        (CHAPEL, STORE, "rope"),
        (373, 374, "rope"),
        (DENTIST, SHOWERS, "key"),
        (GUARDHOUSE, ORDERLIES, "passes"),
        (KITCHEN, SICKBAY, "wire_cutters"),
    ],
)
def test_two_pows_in_twin_rooms_take_equipment(w, v, card):
    table = Table(1).pows({0: w, 3: v}).turn(0)
    supply = table.left(card)
    assert table.args(Act.EQUIP) == {0 * 64 + 3}
    table.play(Act.EQUIP, 3)
    assert (table.has(0, card), table.left(card)) == (1, supply - 1)
    assert (table.at(0), table.at(3), table.points()) == (APPEL, APPEL, 10)


@pytest.mark.rule("4.11")
def test_no_equipment_for_different_symbols_or_an_empty_supply():
    assert not Table(1).pows({0: CHAPEL, 1: KITCHEN, 2: LAUNDRY, 3: THEATRE}).turn(0).args(Act.EQUIP)
    assert not Table(2).pows({0: CHAPEL, 1: STORE}).equipment(1, rope=Table().left("rope")).turn(0).args(Act.EQUIP)


@pytest.mark.rule("4.11")
def test_after_a_claim():
    """Q8"""
    rooms = {0: CHAPEL, 1: STORE, 2: KITCHEN, 3: SICKBAY, **locked(4, 5, 6, 7)}
    go_on = Table(1, after_claim="go_on").pows(rooms).turn(0).play(Act.EQUIP, 1)
    assert go_on.args(Act.PICK) == {0, 2, 3} and go_on.args(Act.EQUIP) == {2 * 64 + 3}
    stop = Table(1, after_claim="stop").pows(rooms).turn(0).play(Act.EQUIP, 1)
    assert stop.args(Act.PICK) == {2, 3} and not stop.args(Act.EQUIP)
    assert stop.end().end().args(Act.PICK) >= {0, 2, 3}


@pytest.mark.rule("4.11")
def test_whose_pows_take_equipment():
    """Q27"""
    assert not Table(2, equipment_pair="one_player").pows({0: CHAPEL, 8: STORE}).turn(0).args(Act.EQUIP)
    table = Table(2, equipment_pair="two_allies").pows({0: CHAPEL, 8: STORE}).turn(0)
    assert table.args(Act.EQUIP) == {0 * 64 + 8}
    table.play(Act.EQUIP, 8)
    assert (table.has(0, "rope"), table.has(1, "rope"), table.at(0), table.at(8)) == (1, 0, APPEL, APPEL)


@pytest.mark.rule("4.12")
@pytest.mark.parametrize("block", [0, 1])
def test_a_forced_arrest(block):
    table = Table(1).pows({0: 233}).guards(270).turn(0, points=3)
    table.pick(0).play(Act.FORCE, 270)
    assert table.stage == Stage.CELL and table.state.to_move == 1 and table.args(Act.CELL) == {0, 1}
    table.cell(block)
    assert (table.at(0), table.guard(0), table.points()) == ((CELL_IN, CELL_OUT)[block], Place.BARRACKS, 2)
    assert table.stage == Stage.TURN and table.state.to_move == 0


@pytest.mark.rule("4.12")
def test_a_forced_arrest_costs_no_equipment():
    table = Table(1).pows({0: 952}).guards(971).equipment(0, rope=1, key=1).turn(0, points=3)
    table.pick(0).play(Act.FORCE, 971).cell(0)
    assert (table.has(0, "rope"), table.has(0, "key"), table.at(0)) == (1, 1, CELL_IN)


@pytest.mark.rule("4.12")
def test_a_forced_arrest_over_a_way_that_costs_a_card():
    """Q43: a guard on the KEY circle 1002."""
    assert Table(1, force_pays="no").pows({0: 1001}).guards(1002).equipment(0, key=1).goals(0, Act.FORCE) == set()
    assert Table(1, force_pays="yes").pows({0: 1001}).guards(1002).goals(0, Act.FORCE) == set(), "no Key"
    table = Table(1, force_pays="yes").pows({0: 1001}).guards(1002).equipment(0, key=1)
    table.pick(0).play(Act.FORCE, 1002).cell(0)
    assert (table.at(0), table.guard(0), table.has(0, "key")) == (CELL_IN, Place.BARRACKS, 0)
    assert 1002 in table.pows({1: 1001}).goals(1), "the way is open now"
    free = Table(1, force_pays="yes").pows({0: 1003, 1: 1001}).guards(1002).equipment(0, key=2)
    free.state.opened = 0
    assert free.pick(0).play(Act.FORCE, 1002).cell(0).has(0, "key") == 1


@pytest.mark.rule("4.13")
def test_a_double_releases_one_pow_for_one_point():
    table = Table(1).pows(locked(0, 1, 2)).german().end(2, 2, 1, 3)
    assert table.points() == 8 and table.args(Act.RELEASE) == {0} and not table.args(Act.PICK) & {0, 1, 2}
    table.play(Act.RELEASE, 0)
    assert (table.at(0), table.at(1), table.points()) == (884, CELL_IN, 7)
    assert not table.args(Act.RELEASE)
    assert not Table(1).pows(locked(0)).german().end(1, 3).args(Act.RELEASE)


@pytest.mark.rule("4.13")
def test_two_doubles_release_two():
    table = Table(1).pows({0: CELL_IN, 1: CELL_IN, 2: CELL_OUT}).german().end(1, 1, 2, 2, 1, 3)
    assert table.args(Act.RELEASE) == {0, 1}
    table.play(Act.RELEASE, 0).play(Act.RELEASE, 0)
    assert (table.at(0), table.at(1)) == (884, 856), "the door, then the nearest free circle"
    assert not table.args(Act.RELEASE)


@pytest.mark.rule("4.13")
def test_a_taken_cell_door():
    table = Table(1).pows({0: CELL_OUT, 1: 995}).guards(1020).turn(0, points=5, releases=1)
    assert table.play(Act.RELEASE, 1).at(0) == 1010


@pytest.mark.rule("4.14")
def test_a_pow_on_his_way_back_is_immune_while_he_comes_nearer():
    """Q9: the way to the PASS circle 927 leads from the door 1020 over 1010 and 1009."""
    for reading, after in (("nearer", {1010}), ("any", set())):
        table = Table(1, return_immunity=reading).pows({0: CELL_OUT}).guards(995).turn(0, points=5, releases=1)
        table.play(Act.RELEASE, 1).end()
        assert table.goals(0, Act.ARREST) == set(), "in the turn he is let out"
        table.end().go(0, 1010).end()
        assert table.goals(0, Act.ARREST) == set(), "a step nearer"
        table.end().end()
        assert table.goals(0, Act.ARREST) == after, "a turn without a step"


@pytest.mark.rule("4.14")
def test_who_runs_away_in_the_turn_of_his_release_is_not_immune():
    """Q9: \"at least 1 step closer ... each turn\". 988 is farther from the PASS circle than the door 1020."""
    for reading, after in (("nearer", {988}), ("at_once", {988}), ("any", set())):
        table = Table(1, return_immunity=reading).pows({0: CELL_OUT}).guards(973).turn(0, points=40, releases=1)
        table.play(Act.RELEASE, 1).go(0, 988).end()
        assert table.goals(0, Act.ARREST) == after


@pytest.mark.rule("4.14")
def test_coming_out_of_the_cell_is_a_step():
    """Q9 at_once: not there, he needs a step of his own."""
    for reading, at_the_door in (("nearer", set()), ("at_once", {1020})):
        table = Table(1, return_immunity=reading).pows({0: CELL_OUT}).guards(995).turn(0, points=5, releases=1)
        assert table.play(Act.RELEASE, 1).end().goals(0, Act.ARREST) == at_the_door
        stepped = Table(1, return_immunity=reading).pows({0: CELL_OUT}).guards(995).turn(0, points=5, releases=1)
        assert stepped.play(Act.RELEASE, 1).go(0, 1010).end().goals(0, Act.ARREST) == set()


@pytest.mark.rule("4.14")
def test_immunity_ends_when_he_leaves_the_outer_area():
    """Q9"""
    for reading in ("nearer", "any"):
        table = Table(1, return_immunity=reading).pows({0: CELL_OUT}).guards(900).equipment(0, rope=1)
        table.turn(0, points=30, releases=1)
        table.play(Act.RELEASE, 1).go(0, 927).end()
        assert table.goals(0, Act.ARREST) == {927}, "the way in was free for him, and he is in the courtyard now"


# ---------------------------------------------------------------- 5 Escaping


@pytest.mark.rule("5.1")
@pytest.mark.parametrize(
    ("target", "beside"), [(22, 33), (43, 42), (69, 70), (428, 397), (1110, 1122), (1114, 1124), (1131, 1130)]
)
def test_a_pow_with_a_kit_escapes_at_a_target(target, beside):
    table = Table(1).kit(0).pows({0: beside}).turn(0, points=10)
    table.go(0, target)
    assert table.at(0) == Place.ESCAPED and table.state.escaped[0] == 1 and table.points() == 9
    assert table.record()["escapes"] == 1


@pytest.mark.rule("5.2")
def test_without_a_kit_he_waits_at_the_target():
    """Q10"""
    rooms = {1: LAUNDRY, 2: CANTEEN, 3: WC, 4: OFFICE}
    table = Table(1, target_without_kit="waits").pows({0: 33, **rooms}).turn(0)
    table.go(0, 22)
    assert table.at(0) == 22 and table.state.escaped[0] == 0
    table.play(Act.KIT, 0)
    assert table.at(0) == Place.ESCAPED and table.state.escaped[0] == 1
    assert 22 not in Table(1, target_without_kit="not_allowed").pows({0: 33}).turn(0).goals(0)
    assert 22 in Table(1, target_without_kit="not_allowed").kit(0).pows({0: 33}).turn(0).goals(0)


@pytest.mark.rule("5.2")
def test_he_who_waits_can_be_arrested():
    table = Table(1).pows({0: 22}).guards(33).german()
    assert table.goals(0, Act.ARREST) == {22}


@pytest.mark.rule("5.3")
def test_guards_outside_stand_down_when_nobody_is_left_outside():
    table = Table(1).kit(0).pows({0: 33, 1: 1}).guards(45, 19, 53).turn(0)
    table.go(0, 22)
    assert [table.guard(g) for g in range(3)] == [45, 19, 53], "1 is still Outside"
    table.pick(1).play(Act.FORCE, 19).cell(0)
    assert [table.guard(g) for g in range(3)] == [Place.BARRACKS, Place.BARRACKS, 53]


@pytest.mark.rule("5.3")
def test_guards_stand_down_after_an_arrest():
    table = Table(1).pows({0: 1}).guards(19, 45, 53).german()
    table.pick(0).play(Act.ARREST, 1).cell(0)
    assert [table.guard(g) for g in range(3)] == [Place.BARRACKS, Place.BARRACKS, 53]


@pytest.mark.rule("5.3")
def test_no_guard_stays_outside_when_nobody_is_out():
    """Q37: 45 is Outside, 65 in the Outer Area."""
    stays = {
        "while_on_the_run": {65: 45, 1: 45},
        "while_outside": {1: 45},
        "last_on_the_run": {APPEL: 45, 65: 45, 1: 45},
        "last_outside": {APPEL: 45, 65: 45, 1: 45},
    }
    for reading, where in stays.items():
        for place in (APPEL, 65, 1):
            table = Table(1, guards_outside=reading).pows({0: place}).guards(45, 785).german()
            assert table.guard(0) == 45, "not before the turn is over"
            table.end()
            assert (table.guard(0), table.guard(1)) == (where.get(place, Place.BARRACKS), 785), (reading, place)


@pytest.mark.rule("5.3")
def test_whose_arrest_sends_guards_outside_home():
    """Q37: the last one taken in the Outer Area."""
    for reading, left in (
        ("while_on_the_run", Place.BARRACKS),
        ("last_on_the_run", Place.BARRACKS),
        ("while_outside", 45),
        ("last_outside", 45),
    ):
        table = Table(1, guards_outside=reading).pows({0: 971}).guards(952, 45).german()
        table.pick(0).play(Act.ARREST, 971).cell(0)
        assert table.guard(1) == left


@pytest.mark.rule("5.3")
def test_a_pow_on_his_way_back_is_no_escaper():
    table = Table(1).pows({0: CELL_OUT}).guards(45).turn(0, points=1, releases=1).play(Act.RELEASE, 1).end().end()
    assert table.guard(0) == Place.BARRACKS


def stakeable(places, k=1, **sets) -> Table:
    """The first Allied turn after a German one: everybody else in the cells, a Kit for player 0."""
    everybody = locked(*(w for w in range(8) if Table(k).at(w) == APPEL))
    return Table(k, **sets).kit(0).pows({**everybody, **places}).german()


@pytest.mark.rule("5.4")
def test_who_may_be_staked():
    table = stakeable({0: 899, 1: WC, 2: 952, 3: 1, 4: APPEL, 5: APPEL}).end()
    assert table.stage == Stage.START
    assert set(table.legal()) == {(Act.THROW, 0), (Act.STAKE, 0), (Act.STAKE, 1)}, (
        "from the grey zone; the Appel is white"
    )
    assert Table(1).pows({0: 899}).german().end().stage == Stage.TURN, "no Kit"
    below = stakeable({}).below("canteen", {0: 221, 1: 235}).end()
    assert below.stage == Stage.TURN, "in a tunnel, in the cells"


@pytest.mark.rule("5.4")
def test_a_pow_on_his_way_back_may_be_staked():
    table = stakeable({0: CELL_OUT}).turn(0, points=1, releases=1).play(Act.RELEASE, 1).end().end()
    assert table.stage == Stage.START and table.args(Act.STAKE) == {0}


@pytest.mark.rule("5.4")
def test_a_stake_from_the_appel():
    """Q11: of several there the lowest number."""
    assert stakeable({0: APPEL, 1: APPEL}, stake_from_appel="allowed").end().args(Act.STAKE) == {0}
    assert stakeable({0: APPEL}, stake_from_appel="not_allowed").end().stage == Stage.TURN


@pytest.mark.rule("5.4")
def test_a_stake_and_the_throw_of_the_turn():
    """Q12"""
    replaces = stakeable({0: 899}, stake_and_throw="replaces").end()
    assert replaces.stage == Stage.START
    replaces.play(Act.THROW)
    assert replaces.stage == Stage.TURN and Act.STAKE not in replaces.kinds()
    after = stakeable({0: 899, 1: 900}, stake_and_throw="after").end()
    assert after.stage == Stage.TURN and after.args(Act.STAKE) == {0, 1}
    after.go(0, 870).next_stake(7).total(Luck.STAKE, 7, 80).play(Act.STAKE, 0)
    assert after.at(0) == Place.ESCAPED and after.state.on_turn == 1, "it ends the turn"


@pytest.mark.rule("3.4")
def test_a_stake_does_not_end_the_turn_with_four_cards():
    """3.4 and 5.4, with the stake after the throw."""
    table = stakeable({0: 899, 1: APPEL}, k=2, stake_and_throw="after").hand(0, *FOUR).end()
    table.next_stake(7).total(Luck.STAKE, 7, 80)
    if table.args(Act.STAKE):
        table.play(Act.STAKE, 0)
    assert table.state.hand[0].sum() <= 3 or table.state.on_turn == 0


@pytest.mark.rule("5.4")
def test_when_a_stake_is_open():
    """Q24"""
    assert stakeable({0: 899}, stake_when="any_turn").end().stage == Stage.START
    table = stakeable({0: 899}, stake_when="at_limit", **{"limit.rounds": 2}).end()
    assert table.stage == Stage.TURN and Act.STAKE not in table.kinds()
    table.end()
    table.play(Act.END)
    assert table.stage == Stage.START and set(table.legal()) == {(Act.END, 0), (Act.STAKE, 0)}
    done = table.copy().play(Act.END)
    assert done.state.end_reason == End.LIMIT and done.record()["winner"] == 1
    table.next_stake(7).total(Luck.STAKE, 7, 75).play(Act.STAKE, 0)
    assert table.state.end_reason == End.LIMIT and table.record()["winner"] == NONE


@pytest.mark.rule("5.4")
@pytest.mark.parametrize(("total", "place"), [(36, Place.ESCAPED), (35, Place.DEAD)])
def test_do_or_die_from_the_canteen_window(total, place):
    """The least distance, 36, takes two Ropes; guards, Keys and Passes do not matter."""
    table = stakeable({0: 295}).equipment(0, rope=3, wire_cutters=1).guards(251, 196, 45).end().next_stake(5)
    table.total(Luck.STAKE, 5, total)
    table.play(Act.STAKE, 0)
    assert table.at(0) == place
    assert table.state.staked_out[0] == (total == 36) and table.state.escaped[0] == 0
    if total == 36:
        assert (table.has(0, "rope"), table.has(0, "wire_cutters")) == (1, 1), "the two Ropes are spent"
        assert table.state.kit[0] == 1 and table.state.on_turn == 1


@pytest.mark.rule("5.4")
def test_ropes_not_held_make_the_way_longer():
    """83 steps from the window without a Rope (board.far_distance)."""
    for total, place in ((83, Place.ESCAPED), (82, Place.DEAD)):
        table = stakeable({0: 295}).end().next_stake(7).total(Luck.STAKE, 7, total)
        assert table.play(Act.STAKE, 0).at(0) == place


@pytest.mark.rule("5.4")
def test_a_failed_stake_takes_the_whole_team_out():
    table = stakeable({0: 899, 1: CELL_OUT, 2: 1, 3: 952}, k=2).below("canteen", {4: 221, 5: 235})
    table.equipment(0, rope=2, key=1).hand(0, "sabotage", "hideaway").end().next_stake(3).total(Luck.STAKE, 3, 20).play(
        Act.STAKE, 0
    )
    s = table.state
    assert [table.at(w) for w in range(7)] == [Place.DEAD] + [Place.OUT] * 6
    assert s.equipment[0].sum() == s.kit[0] == s.hand[0].sum() == 0 and s.kit_supply == 5 and s.supply.sum() == 27
    assert s.discards[table.c("sabotage")] == s.discards[table.c("hideaway")] == 1
    assert s.on_turn == 1 and s.end_reason == 0
    table.play(Act.END).play(Act.END)
    assert s.on_turn == 1 and s["round"] == 3, "player 0 is passed over"


# ---------------------------------------------------------------- 6 German turn


@pytest.mark.rule("6.1")
def test_the_german_throws_then_does_everything_in_any_order():
    table = Table(1).pows({0: 899, 1: 1}).equipment(0, rope=1).guards(900, 53, 528).security("shoot_to_kill").end(4, 6)
    assert (table.stage, table.state.to_move, table.points()) == (Stage.TURN, 1, 10)
    table.go(1, 65).play(Act.POST, 785).go(1, 53).play(Act.SHOOT, 1 * 64 + 1).pick(0).play(Act.ARREST, 899).cell(
        0
    ).play(Act.RECALL, 2)
    assert table.points() == 10 - 1 - 1 - 1 - 1 - 1


@pytest.mark.rule("6.2")
def test_guards_do_not_pass_through_pawns():
    table = Table(1).guards(952, 971).german(points=10)
    assert table.goals(1) >= {992, 993} and not table.goals(0) & {971, 992, 993}
    table = Table(1).pows({0: 971}).guards(952).german(points=10)
    assert table.goals(0, Act.ARREST) == {971} and 992 not in table.goals(0)
    assert table.cost(0, Act.GO, 899) == 2


@pytest.mark.rule("6.2")
def test_guards_walk_over_pows_in_a_tunnel():
    table = Table(1).below("chapel", {0: 246, 1: 266}).guards(230).german(points=2)
    assert table.goals(0) >= {246, 266, 278} and not table.goals(0, Act.ARREST)
    table.go(0, 246)
    assert (table.at(0), table.guard(0)) == (246, 246)


@pytest.mark.rule("6.3")
def test_posting_and_recalling_cost_a_point_each():
    table = Table(1).guards(355, 899).german(points=3)
    assert table.args(Act.POST) == (INNER_POSTS | OUTER_POSTS) - {355}
    assert table.args(Act.RECALL) == {0}, "899 is not black"
    table.play(Act.POST, 785)
    assert (table.guard(2), table.points()) == (785, 2)
    table.play(Act.RECALL, 0)
    assert (table.guard(0), table.points()) == (Place.BARRACKS, 1)
    assert Table(1).guards(355).german(points=0).kinds() == {Act.END}


@pytest.mark.rule("6.3")
def test_a_posted_guard_may_move_on():
    """Q31"""
    yes = Table(1, post_and_arrest="yes").pows({0: 992}).german(points=3).play(Act.POST, 993)
    assert yes.goals(0, Act.ARREST) == {992}
    no = Table(1, post_and_arrest="no").pows({0: 992}).guards(785).german(points=3).play(Act.POST, 993)
    assert no.args(Act.PICK) == {0}
    assert no.end().end().goals(1, Act.ARREST) == {992}, "next turn he may"


@pytest.mark.rule("6.4")
def test_no_posting_after_a_recall():
    """Q13"""
    for reading in ("turn", "game"):
        table = Table(1, no_posting_after=reading).guards(355, 785).german(points=5).play(Act.RECALL, 0)
        assert not table.args(Act.POST) and table.args(Act.RECALL) == {1}
        assert bool(table.end().end().args(Act.POST)) == (reading == "turn")


@pytest.mark.rule("6.4")
def test_no_posting_after_an_arrest():
    table = Table(1).pows({0: 971}).guards(952).german(points=5)
    assert table.args(Act.POST)
    table.pick(0).play(Act.ARREST, 971).cell(0)
    assert not table.args(Act.POST)


@pytest.mark.rule("6.4")
def test_posting_goes_on_after_a_shot():
    """PROTOCOL 3: a shot is no arrest."""
    table = (
        Table(1).pows({0: 2}).guards(53).security("shoot_to_kill").german().dice(Luck.RANGE, 1, 2).play(Act.SHOOT, 0)
    )
    assert table.at(0) == Place.DEAD and table.args(Act.POST)


@pytest.mark.rule("6.4")
def test_which_captures_stop_posting():
    """Q44: by an Appel, by a Search."""
    for reading, posts in (("captures", False), ("arrests", True)):
        table = Table(1, posting_stops=reading).pows({0: 952}).guards(899).appel(1, 2).play(Act.END)
        table.play(Act.MATCH, 0).cell(0)
        assert bool(table.args(Act.POST)) == posts
        search = Table(1, posting_stops=reading).pows({0: 1015}).equipment(0, rope=1).guards(991)
        search.security("search_guardhouse").german().play(Act.SEARCH, search.room("guardhouse") * 16).cell(0)
        assert bool(search.args(Act.POST)) == posts
        holder = key_used(1, posting_stops=reading).security("arrest_key_holder").end().play(Act.HOLDER, 0).cell(0)
        assert not holder.args(Act.POST), "an arrest by its name"


@pytest.mark.rule("6.5")
def test_a_guard_who_cuts_through_a_room_is_on_a_chase():
    """From 324 to 333: 7 steps through the Dentist, 11 around."""
    table = Table(1).pows({0: 65}).guards(324, 785).german(points=20)
    assert table.cost(0, Act.GO, 333) == 7
    assert table.copy().go(0, 333).args(Act.PICK) == {0}, "the only guard moving this turn"
    around = Table(1).pows({0: 65}).guards(324, 785).german(points=20).go(1, 811)
    assert around.cost(0, Act.GO, 333) == 11
    assert around.go(0, 333).args(Act.PICK) == {0, 1}
    open_air = Table(1).pows({0: 65}).guards(324, 785).german(points=20)
    near = min(open_air.goals(0) - {290, 325})
    assert open_air.go(0, near).args(Act.PICK) >= {0}


@pytest.mark.rule("6.5")
def test_posting_and_recalling_during_a_chase():
    """Q46"""
    for reading, chases in (("moves", True), ("teleports_too", False)):
        table = Table(1, chase_alone=reading).pows({0: 65}).guards(291, 785).german(points=20)
        posted = table.copy().play(Act.POST, 993)
        assert (270 in posted.goals(0)) == chases, "another guard was posted"
        assert 1027 in table.copy().play(Act.POST, 993).goals(2) or reading, "he who was posted may chase"
        table.go(0, 270)
        assert bool(table.args(Act.POST)) == chases and (1 in table.args(Act.RECALL)) == chases


@pytest.mark.rule("6.5")
def test_guards_do_not_enter_rooms():
    table = Table(1).guards(291, 293).german(points=10)
    assert not (table.goals(0) | table.goals(1)) & {270, 233, 307, 306, 271, 234}
    inside = Table(1).guards(GUARDHOUSE).german(points=3)
    assert inside.goals(0) >= {1028, 1027} - {GUARDHOUSE}, "about the room he stands in"


@pytest.mark.rule("6.5")
def test_guards_do_not_stop_where_they_cut_somebody_off():
    """Q14: 829 is on the only way from the courtyard to the inner cells and the Guard House; 775 and 804 are not."""
    cut = Table(1, guards_block="cut").guards(803).german(points=1)
    assert cut.goals(0) == {775, 804}
    nobody = Table(1, guards_block="cut").pows(locked(*range(8))).guards(803).german(points=1)
    assert nobody.goals(0) == {775, 804, 829}
    beyond = Table(1, guards_block="cut").pows({0: 938, **locked(*range(1, 8))}).guards(803).german(points=1)
    assert beyond.goals(0) == {775, 804}, "he would lose the Appel"
    corridors = Table(1, guards_block="corridors").pows(locked(*range(8))).guards(803).german(points=1)
    assert 829 not in corridors.goals(0)


@pytest.mark.rule("6.5")
def test_corridors_forbid_doors_and_narrow_places_whoever_is_there():
    """Q14"""
    table = Table(1, guards_block="corridors").pows(locked(*range(8))).guards(356, 342, 343).german(points=3)
    assert 333 in table.goals(0) and not table.goals(0) & {291, 292}, "a door, and the only way to the Laundry"
    assert 344 not in table.goals(2), "at the door of the Canteen"
    assert table.goals(1) & {370, 371}


@pytest.mark.rule("6.5")
def test_a_chase():
    table = Table(1).pows({0: 65}).guards(291, 803, 785).german(points=10)
    assert table.goals(0) >= {270, 233, 307, 271}
    assert 829 in table.goals(1)
    table.go(0, 270)
    assert table.args(Act.PICK) == {0}, "the only guard moving this turn"
    other = Table(1).pows({0: 65}).guards(291, 803, 785).german(points=10).go(2, 811)
    assert not other.goals(0) & {270, 307} and 829 not in other.goals(1), "another guard has moved"
    assert other.args(Act.PICK) == {0, 1, 2}


@pytest.mark.rule("6.5")
@pytest.mark.parametrize(("place", "chase"), [(APPEL, False), (899, False), (952, True), (1, True)])
def test_a_chase_needs_a_pow_out_of_the_grey_zone(place, chase):
    table = Table(1).pows({0: place}).guards(291).german(points=5)
    assert (270 in table.goals(0)) == chase


@pytest.mark.rule("6.5")
def test_a_chaser_arrests_in_a_room():
    table = Table(1).pows({0: 952, 1: WC}).equipment(0, key=1).guards(291).german(points=5)
    assert table.goals(0, Act.ARREST) == {WC}
    assert Table(1).pows({0: 899, 1: WC}).equipment(0, key=1).guards(291).german(points=5).goals(0, Act.ARREST) == set()


@pytest.mark.rule("6.5")
def test_a_pow_on_his_way_back_is_not_chased():
    table = Table(1).pows({0: CELL_OUT}).guards(291).turn(0, points=1, releases=1).play(Act.RELEASE, 1).end()
    assert 270 not in table.goals(0)


@pytest.mark.rule("6.5")
def test_an_arrest_in_a_narrow_place_is_no_chase():
    """Nobody is out of the grey zone; the guard goes to the barracks and blocks nothing: the others may move."""
    table = Table(1).pows({0: 829}).equipment(0, rope=1).guards(803, 355).german()
    table.pick(0).play(Act.ARREST, 829).cell(0)
    assert table.args(Act.PICK) == {1}


@pytest.mark.rule("6.6")
def test_guards_pass_gates_and_wire_and_stop_in_searchlights():
    assert Table(1).guards(952).german(points=2).goals(0) == {927, 899, 900, 971, 992}
    assert Table(1).guards(899).german(points=2).goals(0) >= {927, 952}
    assert Table(1).guards(1003).german(points=2).goals(0) >= {1002, 1001}
    assert Table(1).guards(863).german(points=1).goals(0) == {862, 864}
    assert Table(1).guards(196).german(points=1).goals(0) >= {160, 207}
    assert 27 in Table(1).guards(53).german(points=1).goals(0)
    assert Table(1).guards(251).german(points=1).goals(0) == {222, 223, 252}


@pytest.mark.rule("6.6")
def test_guards_do_not_enter_safe_circles():
    assert Table(1).guards(918).german(points=1).goals(0) == {902}
    assert not Table(1).guards(334).german(points=5).goals(0) & {294, 272}


@pytest.mark.rule("6.7")
def test_guards_use_an_opened_drop_in_the_next_turn_only():
    table = Table(1).pows({0: 1118}).equipment(0, rope=2).guards(1086).turn(0, points=5)
    table.pick(0).play(Act.CROSS, 1129).play(Act.GO, 1143).end(4, 6)
    assert table.goals(0) >= {1118, 1129}
    table.end().end(4, 6)
    assert 1118 in table.goals(0) and 1129 not in table.goals(0)
    assert 1129 not in Table(1).pows({0: 1143}).guards(1086).german().goals(0), "not otherwise"


@pytest.mark.rule("6.7")
def test_which_way_guards_use_a_rope():
    """Q29"""
    for reading, climbs in (("down", False), ("both", True)):
        table = Table(1, guard_ropes=reading).pows({0: 1118}).equipment(0, rope=2).guards(1143).turn(0, points=5)
        table.pick(0).play(Act.CROSS, 1129).play(Act.STAY)
        assert table.pows({0: 1}).end(4, 6).goals(0) >= {1129} and (1118 in table.goals(0)) == climbs


@pytest.mark.rule("6.8")
def test_guards_in_the_appel():
    """Q15"""
    table = Table(1, guards_in_appel="pass_only").guards(464).german(points=2)
    assert APPEL not in table.goals(0) and 693 in table.goals(0) and table.cost(0, Act.GO, 693) == 2
    assert not table.goals(0, Act.ARREST)
    free = Table(1, guards_in_appel="free").equipment(0, rope=1).guards(464).german(points=2)
    assert APPEL in free.goals(0) and not free.goals(0, Act.ARREST)
    free.go(0, APPEL)
    assert free.guard(0) == APPEL and 693 in free.goals(0)


# ---------------------------------------------------------------- 7 Arrest


@pytest.mark.rule("7.1")
def test_in_the_grey_zone_only_against_equipment():
    def arrests(table):
        return table.pows({0: 899, 8: 901}).guards(900).german(points=1).goals(0, Act.ARREST)

    assert arrests(Table(2)) == set()
    assert arrests(Table(2).kit(0, 1).hand(0, "equip_key")) == set(), "a Kit does not count, nor an Opportunity card"
    assert arrests(Table(2).equipment(0, key=1)) == {899}
    assert arrests(Table(2).equipment(0, key=1).equipment(1, rope=1)) == {899, 901}


@pytest.mark.rule("7.1")
def test_outside_and_in_the_outer_area_always_never_on_safe_circles():
    assert Table(1).pows({0: 971}).guards(952).german(points=1).goals(0, Act.ARREST) == {971}
    assert Table(1).pows({0: 19}).guards(1).german(points=1).goals(0, Act.ARREST) == {19}
    assert Table(1).pows({0: 917}).equipment(0, key=1).guards(918).german(points=1).goals(0, Act.ARREST) == set()


@pytest.mark.rule("7.1")
def test_an_arrest_costs_the_way():
    table = Table(1).pows({0: 992}).guards(952).german(points=3)
    assert table.cost(0, Act.ARREST, 992) == 2
    assert Table(1).pows({0: 992}).guards(952).german(points=1).goals(0, Act.ARREST) == set()


@pytest.mark.rule("7.2")
@pytest.mark.parametrize("block", [0, 1])
def test_the_german_chooses_the_block(block):
    table = Table(1).pows({0: 971}).guards(952).german(points=4)
    table.pick(0).play(Act.ARREST, 971)
    assert table.stage == Stage.CELL and table.args(Act.CELL) == {0, 1}
    table.cell(block)
    assert (table.at(0), table.guard(0)) == ((CELL_IN, CELL_OUT)[block], Place.BARRACKS)


@pytest.mark.rule("7.3")
def test_out_of_the_grey_zone_an_equipment_card_is_lost():
    table = Table(1).pows({0: 971}).equipment(0, rope=2, key=1).guards(952).german()
    supply = table.left("key")
    table.pick(0).play(Act.ARREST, 971)
    assert (table.stage, table.state.to_move) == (Stage.LOSE, 0) and table.args(Act.LOSE) == {KEY, ROPE}
    table.play(Act.LOSE, KEY).cell(0)
    assert (table.has(0, "rope"), table.has(0, "key"), table.left("key")) == (2, 0, supply + 1)


@pytest.mark.rule("7.3")
def test_one_kind_of_equipment_goes_by_itself_and_none_is_no_loss():
    table = Table(1).pows({0: 971}).equipment(0, rope=2).guards(952).german()
    table.pick(0).play(Act.ARREST, 971)
    assert table.stage == Stage.CELL and table.has(0, "rope") == 1
    table = Table(1).pows({0: 971}).hand(0, "hideaway").guards(952).german()
    table.pick(0).play(Act.ARREST, 971)
    assert table.stage == Stage.CELL and table.holds(0, "hideaway") == 1


@pytest.mark.rule("7.3")
def test_in_the_grey_zone_no_card_is_lost():
    table = Table(1).pows({0: 899}).equipment(0, rope=1, key=1).guards(900).german()
    table.pick(0).play(Act.ARREST, 899).cell(0)
    assert table.stage == Stage.TURN and table.state.equipment[0].sum() == 2


@pytest.mark.rule("7.4")
def test_full_cells():
    """Q16: 12 inner, 7 outer."""

    def arrested(inner, outer, **sets):
        everybody = [p * 8 + i for p in range(5) for i in range(4)]
        places = {w: CELL_IN if n < inner else CELL_OUT for n, w in enumerate(everybody[1 : 1 + inner + outer])}
        return Table(5, **sets).pows({0: 971, **places}).guards(952).german()

    table = arrested(11, 7, full_cells="unlimited")
    table.pick(0).play(Act.ARREST, 971)
    assert table.stage == Stage.TURN and table.at(0) == CELL_IN, "the outer block is full"
    table = arrested(12, 6, full_cells="unlimited")
    table.pick(0).play(Act.ARREST, 971)
    assert table.at(0) == CELL_OUT
    table = arrested(12, 7, full_cells="unlimited")
    table.pick(0).play(Act.ARREST, 971)
    assert table.at(0) == CELL_IN, "both are full: unlimited"
    assert arrested(12, 7, full_cells="no_arrest").goals(0, Act.ARREST) == set()
    assert arrested(12, 6, full_cells="no_arrest").goals(0, Act.ARREST) == {971}
    forced = arrested(12, 7, full_cells="no_arrest").turn(0)
    assert forced.goals(0, Act.FORCE) == set()


# ---------------------------------------------------------------- 8 Tunnels


@pytest.mark.rule("8.1")
def test_a_tunnel_is_opened_by_its_card_and_entered_by_its_first_circle():
    """Q38 any_two"""
    table = Table(2, tunnel_start="any_two").pows({0: 282, 1: 308, 2: 251, 3: 152, 8: 309}).hand(0, "tunnel_canteen")
    table.turn(0, points=10)
    assert not table.goals(0, Act.UNDER)
    table.play(Act.TUNNEL, 1)
    assert table.holds(0, "tunnel_canteen") == 0 and not table.args(Act.TUNNEL)
    assert table.goals(0, Act.UNDER) == {250, 235, 221, 222, 223, 205, 167}
    assert not table.goals(2, Act.UNDER) | table.goals(3, Act.UNDER), "only by the first circle"
    assert table.cost(0, Act.UNDER, 250) == 1 and table.cost(0, Act.UNDER, 235) == 2
    table.pick(0).play(Act.UNDER, 235)
    table.end(4, 6).pick(1 - 1).play(Act.UNDER, 250)
    assert (table.at(0), table.at(8)) == (235, 250), "another player's POW joins"
    assert table.end().state.tunnel[1] == Tunnel.OPEN, "two are in it at the start of the German's turn"


@pytest.mark.rule("8.1")
def test_two_of_his_own_go_first():
    """Q38: from 282 it is one step into the Canteen tunnel, from 273 two."""
    table = Table(2, tunnel_start="two_own").pows({0: 282, 8: 309}).hand(0, "tunnel_canteen")
    assert not table.turn(0, points=8).args(Act.TUNNEL), "the others are too far away"
    table.pows({1: 273})
    assert not table.turn(0, points=3).args(Act.TUNNEL) and table.turn(0, points=4).args(Act.TUNNEL) == {1}
    table.play(Act.TUNNEL, 1).turn(0).pick(0).play(Act.UNDER, 222)
    one = table.copy().end(4, 6)
    assert not one.goals(0, Act.UNDER), "one is not two: an ally cannot join"
    table.pick(1).play(Act.UNDER, 250).end(4, 6)
    assert not table.goals(0, Act.UNDER), "the first circle is taken"
    table.end().turn(0).pick(1).play(Act.UNDER, 235).turn(1)
    assert 250 in table.goals(0, Act.UNDER), "with two inside another player's POW may join"


@pytest.mark.rule("8.1")
def test_two_must_be_in_it_by_the_germans_turn():
    """Q17, Q38"""
    table = Table(1, lone_pow="return_to_start", tunnel_start="any_two").pows({0: 282}).hand(0, "tunnel_canteen")
    table.turn(0, points=10)
    table.play(Act.TUNNEL, 1).pick(0).play(Act.UNDER, 222)
    table.end()
    assert (table.at(0), table.state.under[0], table.state.tunnel[1]) == (250, NONE, Tunnel.DEAD)


@pytest.mark.rule("8.2")
def test_ways_in_an_open_tunnel():
    table = Table(1).below("canteen", {0: 223, 1: 250, 2: 167}).turn(0, points=2)
    assert table.goals(0, Act.UNDER) == {222, 221, 205} and not table.goals(0), "the end is taken"
    assert table.goals(1, Act.UNDER) == {235, 221} and table.goals(1) == {282, 308, 273}
    assert table.goals(2, Act.UNDER) == {205} and table.goals(2) >= {134, 151, 152}


@pytest.mark.rule("8.2")
def test_cards_that_would_take_a_pow_out_of_a_tunnel():
    """Q39: Move Fast and Appel."""
    for reading, taken in (("ends", set()), ("cards_too", {0, 1, 2})):
        table = Table(1, leave_tunnel=reading).pows(locked(*range(3, 8))).below("canteen", {0: 222, 1: 221, 2: 250})
        room = table.room("parcels")
        table.hand(0, "move_fast_parcels").turn(0)
        assert table.args(Act.FAST) == {room * 8 + i for i in taken}
        appel = table.copy().appel(1, 4)
        if taken:
            table.play(Act.FAST, room * 8).play(Act.GO, 802)
            assert (table.at(0), table.state.under[0], table.state.tunnel[1]) == (802, NONE, Tunnel.OPEN)
            assert appel.args(Act.COME) == {0, 1, 2}
            appel.play(Act.COME, 0).play(Act.COME, 1)
            assert (appel.at(2), appel.state.tunnel[1]) == (250, Tunnel.DEAD), "alone: back to the first circle"
        else:
            assert appel.stage == Stage.TURN


@pytest.mark.rule("8.2")
def test_pows_in_a_tunnel_are_safe_from_appel_search_and_arrest():
    table = Table(1).below("canteen", {0: 250, 1: 221}).pows({2: 899}).equipment(0, rope=1).guards(222, 900).appel(5, 6)
    assert table.args(Act.COME) == {2}
    table.play(Act.END)
    assert table.args(Act.MATCH) == {0 * 64 + 2, 1 * 64 + 2} - (
        {0 * 64 + 2} if 1 * 64 + 2 in table.args(Act.MATCH) else set()
    )
    chapel = Table(1).below("chapel", {0: 478, 1: 446}).pows({2: 512}).equipment(0, rope=2).guards(527)
    chapel.security("search_chapel").german()
    assert not chapel.goals(0, Act.ARREST)
    chapel.play(Act.SEARCH, chapel.room("chapel") * 16).cell(0)
    assert (chapel.at(0), chapel.at(1), chapel.at(2)) == (478, 446, CELL_IN)


@pytest.mark.rule("8.3")
def test_a_lone_pow_goes_back_to_the_first_circle():
    """Q17"""
    table = Table(1, lone_pow="return_to_start").below("canteen", {0: 167, 1: 222}).turn(0, points=5)
    table.go(0, 152)
    assert (table.at(1), table.state.under[1], table.state.tunnel[1]) == (250, NONE, Tunnel.DEAD)
    assert not table.goals(1, Act.UNDER), "closed for good"


@pytest.mark.rule("8.3")
def test_the_first_circle_may_be_taken():
    """Q17"""
    table = Table(1, lone_pow="return_to_start").below("canteen", {0: 167, 1: 222}).guards(250).turn(0, points=5)
    assert table.go(0, 152).at(1) == 282


@pytest.mark.rule("8.3")
def test_a_lone_pow_may_walk_out_at_either_end():
    """Q17"""
    table = Table(1, lone_pow="either_end").pows({2: 282}).below("canteen", {0: 167, 1: 222}).turn(0, points=20)
    table.go(0, 152)
    assert (table.at(1), table.state.under[1]) == (222, table.t("canteen"))
    assert table.goals(1) >= {134, 151, 273} and not table.goals(2, Act.UNDER), "nobody else may enter"
    assert table.copy().go(1, 134).state.tunnel[1] == Tunnel.DEAD
    assert table.go(1, 273).state.tunnel[1] == Tunnel.DEAD


@pytest.mark.rule("8.4")
def test_a_break_out_is_detected_from_the_next_german_turn():
    table = Table(1).below("canteen", {0: 167, 1: 222, 2: 221, 3: 235}).guards(151, 251, 900).turn(0, points=5)
    table.go(0, 117).end(4, 6)
    assert table.state.tunnel[1] == Tunnel.OPEN
    table.go(0, 167)
    assert table.at(1) == 222, "one guard is not enough"
    table.go(1, 222).cell(0, 0, 1)
    assert [table.at(w) for w in (1, 2, 3)] == [CELL_IN, CELL_IN, CELL_OUT]
    assert (table.guard(0), table.guard(1), table.state.tunnel[1]) == (167, 222, Tunnel.TAKEN), "these guards stay"
    assert 205 in table.goals(0) and table.cost(0, Act.GO, 205) == 1, "and use the tunnel"
    assert not Table(1).guards(167).german().goals(0) & {205}
    table.end().pows({4: 282}).turn(0)
    assert not table.goals(4, Act.UNDER), "dead for POWs"


@pytest.mark.rule("8.4")
def test_without_a_break_out_or_a_card_guards_find_nothing():
    table = Table(1).below("canteen", {1: 222, 2: 221}).guards(151, 251).german()
    table.go(0, 167).go(1, 223)
    assert table.at(1) == 222 and table.state.tunnel[1] == Tunnel.OPEN


@pytest.mark.rule("8.5")
def test_the_tunnel_detected_card():
    """Q18"""
    for reading, guards, tunnel in (
        ("two_rules", [Place.BARRACKS] * 2, Tunnel.DEAD),
        ("one_rule", [223, 167], Tunnel.TAKEN),
    ):
        table = Table(1, detection=reading).below("canteen", {1: 222, 2: 221}).guards(251, 151, 900)
        table.security("tunnel_detected").german()
        assert table.args(Act.DETECT) == {1}, "only a tunnel with POWs in it"
        table.play(Act.DETECT, 1).go(0, 223)
        assert table.at(1) == 222
        table.go(1, 167).cell(0, 0)
        assert (table.at(1), table.at(2)) == (CELL_IN, CELL_IN)
        assert [table.guard(0), table.guard(1)] == guards and table.state.tunnel[1] == tunnel


@pytest.mark.rule("8.4")
@pytest.mark.parametrize("card", [False, True])
def test_both_guards_may_enter_the_canteen_tunnel_by_its_end(card):
    """Of its circles guards reach one on foot, 167: the first goes on inside, \"entering it by any circle\"."""
    table = Table(1).below("canteen", {0: 167, 1: 222, 2: 221}).guards(151, 134).turn(0, points=5)
    if card:
        table.below("canteen", {0: 235}).security("tunnel_detected").german().play(Act.DETECT, 1)
    else:
        table.go(0, 117).end(4, 6)
    table.go(0, 205)
    assert table.at(1) == 222, "one guard is not enough"
    table.go(1, 167)
    table.cell(*([0] * (3 if card else 2)))
    assert (table.at(1), table.at(2)) == (CELL_IN, CELL_IN)
    assert [table.guard(0), table.guard(1)] == ([Place.BARRACKS] * 2 if card else [205, 167])


@pytest.mark.rule("8.5")
def test_a_suspected_tunnel_and_newcomers():
    """Q40"""
    for reading, ways in (("when_played", set()), ("when_reached", {250})):
        table = Table(1, detect_closes=reading).below("canteen", {0: 222, 1: 221}).pows({2: 282})
        table.security("tunnel_detected").german().play(Act.DETECT, 1).end()
        assert table.goals(2, Act.UNDER) & {250} == ways


@pytest.mark.rule("8.5")
def test_how_long_a_tunnel_is_suspected():
    """Q41"""
    for reading, found in (("until_reached", True), ("turn", False)):
        table = Table(1, detect_lasts=reading).below("canteen", {1: 222, 2: 221}).guards(251, 151)
        table.security("tunnel_detected").german().play(Act.DETECT, 1).end().end(4, 6).go(0, 223).go(1, 167)
        assert (table.stage == Stage.CELL) == found


@pytest.mark.rule("8.5")
def test_detection_after_a_break_out_by_the_ruling():
    """Q18: one rule or two, after a break-out the guards stay."""
    for reading in ("two_rules", "one_rule"):
        table = (
            Table(1, detection=reading).below("canteen", {0: 167, 1: 222, 2: 221}).guards(151, 251).turn(0, points=5)
        )
        table.go(0, 117).end(4, 6).go(0, 167).go(1, 223).cell(0, 0)
        assert (table.guard(0), table.guard(1)) == (167, 223)


@pytest.mark.rule("8.6")
def test_an_empty_tunnel_is_closed_for_good():
    table = Table(1, tunnel_start="any_two").pows({0: 282}).hand(0, "tunnel_canteen").turn(0).play(Act.TUNNEL, 1)
    assert table.goals(0, Act.UNDER)
    table.end().end()
    assert table.state.tunnel[1] == Tunnel.DEAD and not table.goals(0, Act.UNDER)


# ---------------------------------------------------------------- 9 Cards of the German


@pytest.mark.rule("9.1")
def test_an_appel_is_called_before_the_throw_or_at_any_time():
    """Q19d"""
    before = Table(1, appel_when="before_throw").security("appel").end()
    assert before.stage == Stage.START and before.legal() == [(Act.THROW, 0), (Act.APPEL, 0)]
    assert Act.APPEL not in before.copy().play(Act.THROW).kinds()
    before.dice(Luck.RANGE, 1, 4).play(Act.APPEL)
    assert before.stage == Stage.TURN and before.points() == 5, "everybody is in the Appel: nobody answers"
    any_time = Table(1, appel_when="any_time").security("appel").end()
    assert any_time.stage == Stage.TURN and any_time.points() == 5 and any_time.can(Act.APPEL)
    assert any_time.play(Act.APPEL).points() == 5


@pytest.mark.rule("9.1")
def test_every_player_says_for_every_pow_whether_he_goes():
    """Q19c"""
    places = {0: 899, 1: 1, 2: CELL_IN, 8: 952, 9: WC}
    table = Table(2, appel_choice="pow_by_pow").pows(places).guards(900).appel(1, 4)
    assert (table.stage, table.state.player) == (Stage.ANSWER, 0)
    assert set(table.legal()) == {(Act.END, 0), (Act.COME, 0), (Act.COME, 1)}
    table.play(Act.COME, 1).play(Act.END)
    assert (table.at(0), table.at(1)) == (899, APPEL)
    assert table.state.player == 1 and table.args(Act.COME) == {0, 1}
    table.play(Act.COME, 1).play(Act.COME, 0)
    assert (table.at(8), table.at(9)) == (APPEL, APPEL) and table.stage == Stage.MATCH
    whole = Table(2, appel_choice="whole_team").pows(places).guards(900).appel(1, 4)
    assert set(whole.legal()) == {(Act.END, 0), (Act.COME, WHOLE_TEAM)}
    whole.play(Act.COME, WHOLE_TEAM)
    assert (whole.at(0), whole.at(1), whole.at(2)) == (APPEL, APPEL, CELL_IN) and whole.state.player == 1


@pytest.mark.rule("9.1")
def test_one_guard_takes_one_pow_in_range():
    """Q19a: 899 to 952 is two steps, to 971 three, to 992 four."""
    for reading in ("one_guard_per_pow", "guard_takes_all"):
        table = Table(1, appel_match=reading).pows({0: 952, 1: 971, 2: 992}).guards(899).equipment(0, rope=1, key=1)
        table.appel(1, 2).play(Act.END)
        if reading == "one_guard_per_pow":
            assert table.args(Act.MATCH) == {0, 1}
            table.play(Act.MATCH, 1).cell(0)
            assert [table.at(w) for w in range(3)] == [952, CELL_IN, 992]
        else:
            assert table.args(Act.MATCH) == {WHOLE_TEAM}
            table.play(Act.MATCH, WHOLE_TEAM).cell(0, 0)
            assert [table.at(w) for w in range(3)] == [CELL_IN, CELL_IN, 992]
        assert table.guard(0) == Place.BARRACKS and table.state.equipment[0].sum() == 2, "no Equipment is lost"
        assert table.stage == Stage.TURN and not table.args(Act.POST)


@pytest.mark.rule("9.1")
def test_an_appel_takes_nobody_on_safe_circles_in_the_appel_in_cells_or_outside():
    table = Table(1).pows({0: 294, 1: 342, 2: CELL_IN, 3: 27}).guards(334, 53).appel(4, 6).play(Act.END)
    assert table.legal() == [(Act.MATCH, 0 * 64 + 1)], "each remaining POW in range is sent to Solitary"


@pytest.mark.rule("9.1")
def test_an_appel_takes_nobody_when_no_cell_is_left():
    """Q16 no_arrest: the guards stay where they are."""
    others = [p * 8 + i for p in range(5) for i in range(4)][1:]
    cells = {w: CELL_IN if n < 12 else CELL_OUT for n, w in enumerate(others)}
    table = Table(5, full_cells="no_arrest").pows({0: 952, **cells}).guards(899).appel(1, 2).play(Act.END)
    assert (table.stage, table.at(0), table.guard(0)) == (Stage.TURN, 952, 899)


@pytest.mark.rule("9.1")
def test_an_appel_takes_a_pow_on_his_way_back():
    """4.14 speaks of arrest."""
    table = Table(1).pows({0: CELL_OUT}).guards(995).security("appel").turn(0, points=1, releases=1)
    table.play(Act.RELEASE, 1).end()
    table.dice(Luck.RANGE, 1, 2).play(Act.APPEL).play(Act.END)
    assert table.args(Act.MATCH) == {0}


@pytest.mark.rule("9.1")
def test_how_the_range_of_an_appel_is_measured():
    """Q19b: no way on foot from 251 to the window 295 above it, two spacings as the crow flies."""
    for reading, pairs in (("steps", set()), ("straight", {0})):
        table = Table(1, appel_range=reading).pows({0: 295}).guards(251).appel(1, 2).play(Act.END)
        assert table.args(Act.MATCH) == pairs
    assert Table(1, appel_range="straight").pows({0: 196}).guards(33).appel(1, 5).play(Act.END).stage == Stage.TURN
    assert Table(1, appel_range="straight").pows({0: 196}).guards(33).appel(1, 6).play(Act.END).args(Act.MATCH) == {0}


@pytest.mark.rule("9.2")
def test_a_search_takes_everybody_in_the_room_with_equipment():
    table = Table(3).pows({0: 1015, 1: 1028, 8: 1027}).equipment(0, rope=1).equipment(2, key=1).guards(991)
    table.security("search_guardhouse").german(points=3)
    assert table.args(Act.SEARCH) == {table.room("guardhouse") * 16}
    table.play(Act.SEARCH, table.room("guardhouse") * 16).cell(0, 1)
    assert [table.at(w) for w in (0, 1, 8)] == [CELL_IN, CELL_OUT, 1027], "player 1 holds no Equipment"
    assert table.has(0, "rope") == 0 and table.guard(0) == Place.BARRACKS and table.points() == 1
    assert table.state.order_discards[table.o("search_guardhouse")] == 1 and not table.args(Act.POST)


@pytest.mark.rule("9.2")
def test_a_search_takes_one_card_for_each_pow():
    table = Table(1).pows({0: 1015, 1: 1028}).equipment(0, rope=1, key=1, passes=1).hand(0, "hideaway").guards(982)
    table.security("search_guardhouse").german()
    table.play(Act.SEARCH, table.room("guardhouse") * 16)
    assert table.stage == Stage.LOSE and table.args(Act.LOSE) == {PASSES, KEY, ROPE, NOTHING}
    table.play(Act.LOSE, NOTHING)
    assert table.args(Act.LOSE) == {PASSES, KEY, ROPE} and table.holds(0, "hideaway") == 0
    table.play(Act.LOSE, ROPE).cell(0, 0)
    assert table.state.equipment[0].sum() == 2


@pytest.mark.rule("9.2")
def test_a_hideaway_saves_one_of_two_cards_to_be_discarded():
    """Two POWs taken, one card and a Hideaway: the Hideaway saves the card once, the second POW costs it."""
    table = Table(1).pows({0: 1015, 1: 1028}).equipment(0, rope=1).hand(0, "hideaway").guards(982)
    table.security("search_guardhouse").german()
    table.play(Act.SEARCH, table.room("guardhouse") * 16).play(Act.LOSE, NOTHING).cell(0, 0)
    assert table.has(0, "rope") == 0 and table.holds(0, "hideaway") == 0


@pytest.mark.rule("9.2")
def test_the_searching_guard_must_get_there_by_any_door():
    """The Dentist has doors at 291 - 307 and 324 - 325."""
    table = Table(1).pows({0: 306}).guards(356, 341, 355).security("search_dentist").german(points=3)
    assert table.args(Act.SEARCH) == {table.room("dentist") * 16 + g for g in (0, 1)}
    assert table.copy().play(Act.SEARCH, table.room("dentist") * 16).points() == 0
    assert table.copy().play(Act.SEARCH, table.room("dentist") * 16 + 1).points() == 1
    assert not Table(1).pows({0: 900}).guards(356).security("search_dentist").german().args(Act.SEARCH), (
        "nobody is there"
    )


@pytest.mark.rule("9.2")
def test_the_store_is_reached_through_another_room():
    """Its doors lead from the Canteen (335 - 345) and the Interview Room; "by any door"."""
    table = Table(1).pows({0: STORE}).equipment(0, rope=1).guards(344, 355).security("search_store").german(points=2)
    assert table.args(Act.SEARCH) == {table.room("store") * 16}
    table.play(Act.SEARCH, table.room("store") * 16).cell(0)
    assert (table.at(0), table.points(), table.guard(0)) == (CELL_IN, 0, Place.BARRACKS)
    barred = Table(1).pows({0: STORE, 1: 335}).guards(344).security("search_store").german(points=2)
    assert not barred.args(Act.SEARCH), "not through a POW"


@pytest.mark.rule("9.2")
def test_who_stands_on_the_safe_circle_of_the_searched_room():
    """Q42"""
    for reading, place in (("exempt", 558), ("taken", CELL_IN)):
        table = Table(1, search_safe=reading).pows({0: 558}).equipment(0, rope=1).guards(527)
        table.security("search_chapel").german().play(Act.SEARCH, table.room("chapel") * 16)
        assert (table.cell(0) if reading == "taken" else table).at(0) == place


@pytest.mark.rule("9.2")
def test_a_safe_circle_of_the_searched_room():
    table = Table(1).pows({0: 558, 1: 526}).equipment(0, rope=2).guards(527).security("search_chapel").german()
    table.play(Act.SEARCH, table.room("chapel") * 16).cell(0)
    assert (table.at(0), table.at(1), table.has(0, "rope")) == (558, CELL_IN, 1)


def key_used(k=1, **sets) -> Table:
    table = Table(k, **sets).pows({0: 1001}).equipment(0, key=1).turn(0, points=5)
    return table.pick(0).play(Act.CROSS, 1002).play(Act.GO, 1003)


@pytest.mark.rule("9.3")
def test_the_key_holder_is_arrested():
    table = key_used().security("arrest_key_holder", "arrest_pass_holder").pows({1: 1001}).end()
    assert table.args(Act.HOLDER) == {0 * 2 + 0}
    assert not key_used().security("arrest_pass_holder").end().args(Act.HOLDER), "he has used no Pass"
    supply = table.left("key")
    table.play(Act.HOLDER, 0).cell(1)
    assert (table.at(0), table.has(0, "key"), table.left("key")) == (CELL_OUT, 0, supply)
    assert table.stage == Stage.TURN and not table.args(Act.POST)


@pytest.mark.rule("9.3")
def test_the_pass_holder_is_arrested_wherever_he_is():
    table = Table(1).pows({0: 899}).equipment(0, passes=1).security("arrest_pass_holder").turn(0)
    table.pick(0).play(Act.CROSS, 927).play(Act.GO, 952)
    table.pows({0: 1})
    assert table.end().args(Act.HOLDER) == {0 * 2 + 1}
    assert table.play(Act.HOLDER, 1).cell(0).at(0) == CELL_IN


@pytest.mark.rule("9.3")
@pytest.mark.parametrize("saved", [0, 1])
def test_a_hideaway_keeps_the_key(saved):
    table = key_used().hand(0, "hideaway").security("arrest_key_holder").end().play(Act.HOLDER, 0)
    while table.stage == Stage.CELL:
        table.cell(0)
    assert table.stage == Stage.SAVE and table.args(Act.SAVE) == {0, 1} and table.state.to_move == 0
    table.play(Act.SAVE, saved)
    while table.stage == Stage.CELL:
        table.cell(0)
    assert (table.has(0, "key"), table.holds(0, "hideaway"), table.at(0)) == (saved, 1 - saved, CELL_IN)


@pytest.mark.rule("9.3")
def test_how_long_a_key_was_just_used():
    """Q20"""
    for reading, known in (("since_last_turn", {0}), ("last_allied_turn", set())):
        assert key_used(1, just_used=reading).security("arrest_key_holder").end().args(Act.HOLDER) == {0}
        table = key_used(2, just_used=reading).security("arrest_key_holder").end().end()
        assert table.args(Act.HOLDER) == known, "another Allied turn lies between"
        assert not table.end().end().end().args(Act.HOLDER), "a German turn lies between"


@pytest.mark.rule("9.3")
def test_who_walks_through_an_open_gate_has_used_no_key():
    table = key_used().security("arrest_key_holder").pows({1: 1001})
    table.go(1, 1002)
    assert table.end().args(Act.HOLDER) == {0}


def shot(distance_circle: int, *faces: int, guard: int = 53, **sets) -> Table:
    table = Table(1, **sets).pows({0: distance_circle}).guards(guard).security("shoot_to_kill").german()
    return table.dice(Luck.RANGE, *faces)


@pytest.mark.rule("9.4")
@pytest.mark.parametrize(("faces", "place"), [((1, 2), Place.DEAD), ((1, 1, 1, 2), Place.DEAD)])
def test_a_shot_kills_within_its_range(faces, place):
    """53 - 27 - 19 - 1 - 2 - 3 is five steps; the first roll counts twice."""
    table = shot(3, *faces)
    assert table.args(Act.SHOOT) == {0}
    table.play(Act.SHOOT, 0)
    assert (table.at(0), table.guard(0)) == (place, Place.BARRACKS)
    assert table.state.order_discards[table.o("shoot_to_kill")] == 1


@pytest.mark.rule("9.4")
@pytest.mark.parametrize(
    ("steps", "faces", "dead"),
    [
        (6, (1, 2), True),
        (7, (1, 2), False),
        (11, (2, 2, 1, 2), True),
        (12, (2, 2, 1, 2), False),
        (8, (1, 1, 1, 3), True),
        (9, (1, 1, 1, 3), False),
    ],
)
def test_the_first_roll_of_a_shot_is_doubled_later_rolls_count_once(steps, faces, dead):
    way = (53, 27, 19, 1, 2, 3, 4, 20, 5, 6, 7, 8, 9)
    table = shot(way[steps], *faces)
    table.play(Act.SHOOT, 0)
    assert (table.at(0) == Place.DEAD) == dead and table.guard(0) == Place.BARRACKS


@pytest.mark.rule("9.4")
def test_a_shot_needs_a_line_of_sight():
    assert not shot(1, 1, 2, guard=251).args(Act.SHOOT), "a walled garden"
    assert not shot(1131, 1, 2, guard=53).args(Act.SHOOT), "beyond the south wall"
    assert not shot(65, 1, 2, guard=53).args(Act.SHOOT), "not Outside"


@pytest.mark.rule("9.4")
def test_how_the_distance_of_a_shot_is_measured():
    """Q21: from 196 to 33 it is 15 steps around, 7 spacings across the wire."""
    assert shot(33, 1, 3, guard=196, shot_distance="steps").play(Act.SHOOT, 0).at(0) == 33
    assert shot(33, 1, 3, guard=196, shot_distance="straight").play(Act.SHOOT, 0).at(0) == Place.DEAD
    assert shot(33, 1, 2, guard=196, shot_distance="straight").play(Act.SHOOT, 0).at(0) == 33


@pytest.mark.rule("9.4")
def test_a_straight_shot_does_not_go_through_walls():
    """Q21: 899 in the courtyard, 952 on the terrace; the guard in the gate 863 sees both sides of it."""
    for reading, seen in (("steps", True), ("straight", False)):
        for guard in (899, 952):
            assert bool(shot(33, 1, 2, guard=guard, shot_distance=reading).args(Act.SHOOT)) == seen
    assert not shot(998, 1, 2, guard=77, shot_distance="straight").args(Act.SHOOT), "no way without a rope"
    assert shot(1, 1, 2, guard=863, shot_distance="straight").args(Act.SHOOT)
    assert shot(1, 1, 2, guard=53, shot_distance="straight").args(Act.SHOOT), "wire is no obstacle"


@pytest.mark.rule("9.5")
def test_tunnel_detected_is_a_card_of_the_german():
    table = Table(1).security("tunnel_detected").german()
    assert not table.args(Act.DETECT), "no tunnel with POWs"
    table = Table(1).below("chapel", {0: 246, 1: 266}).security("tunnel_detected").german().play(Act.DETECT, 0)
    assert table.state.order_discards[table.o("tunnel_detected")] == 1


# ---------------------------------------------------------------- 9 Cards of the Allies


@pytest.mark.rule("9.6")
def test_an_advance_warning_against_an_appel():
    table = Table(1).pows({0: 334, 1: 899}).guards(900).hand(0, "advance_warning").appel(1, 4)
    assert table.args(Act.WARN) == {0} and not table.args(Act.HIDE)
    table.play(Act.WARN)
    assert table.holds(0, "advance_warning") == 0 and not table.args(Act.WARN)
    assert table.args(Act.HIDE) >= {hide(0, 294), hide(0, 272), hide(1, 294)} and table.args(Act.COME) == {0, 1}
    table.play(Act.HIDE, hide(1, 294))
    assert table.at(1) == 294 and hide(0, 294) not in table.args(Act.HIDE)
    assert hide(0, 272) in table.args(Act.HIDE), "other POWs do not block him"


@pytest.mark.rule("9.6")
def test_guards_block_the_way_to_safety_and_a_diversion_removes_them():
    table = Table(1).pows({0: 233, **locked(*range(1, 8))}).guards(270)
    table.hand(0, "advance_warning", "diversion", "inspection").appel(1, 4).play(Act.WARN)
    assert not table.args(Act.HIDE) and not table.args(Act.INSPECT)
    assert table.args(Act.DIVERT) == {0}
    table.play(Act.DIVERT, 0)
    assert table.guard(0) == Place.BARRACKS and hide(0, 294) in table.args(Act.HIDE)


@pytest.mark.rule("9.6")
def test_equipment_is_spent_where_the_way_needs_it():
    """From the terrace (988) the courtyard is free, the yard beyond the KEY circle 972 is not."""
    poor = Table(1).pows({0: 988}).guards(355).hand(0, "advance_warning").appel(1, 4).play(Act.WARN)
    assert hide(0, 294) in poor.args(Act.HIDE) and not {hide(0, 917), hide(0, 442)} & poor.args(Act.HIDE)
    rich = Table(1).pows({0: 988}).guards(355).equipment(0, key=1).hand(0, "advance_warning").appel(1, 4).play(Act.WARN)
    free = rich.copy().play(Act.HIDE, hide(0, 294))
    assert (free.at(0), free.has(0, "key")) == (294, 1)
    rich.play(Act.HIDE, hide(0, 917))
    assert (rich.at(0), rich.has(0, "key")) == (917, 0)


@pytest.mark.rule("9.6")
def test_an_advance_warning_against_a_search():
    table = Table(1).pows({0: 1015, 1: 1028}).equipment(0, rope=2, key=1).hand(0, "advance_warning").guards(991)
    table.security("search_guardhouse").german()
    table.play(Act.SEARCH, table.room("guardhouse") * 16)
    assert (table.stage, table.state.to_move) == (Stage.ANSWER, 0)
    assert set(table.legal()) == {(Act.END, 0), (Act.WARN, 0)}
    table.play(Act.WARN).play(Act.HIDE, hide(0, 778)).play(Act.END).play(Act.LOSE, KEY).cell(0)
    assert (table.at(0), table.at(1)) == (778, CELL_IN) and table.guard(0) == Place.BARRACKS
    assert (table.has(0, "rope"), table.has(0, "key")) == (2, 0)


@pytest.mark.rule("9.6")
def test_a_search_by_a_diverted_guard_takes_nobody():
    table = Table(1).pows({0: 1015}).equipment(0, rope=1).hand(0, "advance_warning", "diversion").guards(991)
    table.security("search_guardhouse").german()
    table.play(Act.SEARCH, table.room("guardhouse") * 16).play(Act.WARN).play(Act.DIVERT, 0)
    while table.stage == Stage.ANSWER:
        table.play(Act.END)
    assert (table.at(0), table.has(0, "rope"), table.stage) == (1015, 1, Stage.TURN)


@pytest.mark.rule("9.6")
def test_no_warning_for_who_is_not_threatened():
    table = Table(2).pows({0: 1015, 8: 1028}).equipment(0, rope=1).hand(1, "advance_warning").guards(991)
    table.security("search_guardhouse").german()
    table.play(Act.SEARCH, table.room("guardhouse") * 16)
    assert table.stage == Stage.CELL, "player 1 holds no Equipment"


@pytest.mark.rule("9.7")
def test_bribes_bring_equipment_of_choice():
    one = Table(1).hand(0, "bribe_1")
    assert one.args(Act.BRIBE) == {64 + e * 8 + NOTHING for e in range(4)}
    assert one.play(Act.BRIBE, 64 + KEY * 8 + NOTHING).has(0, "key") == 1 and one.holds(0, "bribe_1") == 0
    two = Table(1).hand(0, "bribe_2")
    assert two.args(Act.BRIBE) == {128 + e * 8 + f for e in range(4) for f in range(e, 4)}
    two.play(Act.BRIBE, 128 + PASSES * 8 + ROPE)
    assert (two.has(0, "passes"), two.has(0, "rope")) == (1, 1)


@pytest.mark.rule("9.7")
def test_bribes_take_what_is_left():
    full = Table(2)
    table = (
        Table(2)
        .hand(0, "bribe_2")
        .equipment(
            1,
            **{name: full.left(name) for name in ("wire_cutters", "passes")},
            key=full.left("key") - 1,
            rope=full.left("rope") - 1,
        )
    )
    assert table.args(Act.BRIBE) == {128 + KEY * 8 + ROPE}, "one of each is left"
    table.equipment(1, rope=1)
    assert table.args(Act.BRIBE) == {128 + KEY * 8 + NOTHING}, "one card in the whole supply"


@pytest.mark.rule("9.7")
@pytest.mark.parametrize(
    ("name", "card"),
    [("equip_wire_cutters", "wire_cutters"), ("equip_pass", "passes"), ("equip_key", "key"), ("equip_rope", "rope")],
)
def test_a_card_turns_into_equipment_if_one_is_left(name, card):
    table = Table(1).hand(0, name)
    e = ("wire_cutters", "passes", "key", "rope").index(card)
    assert table.args(Act.CONVERT) == {e}
    assert table.play(Act.CONVERT, e).has(0, card) == 1 and table.state.discards[table.c(name)] == 1
    assert not Table(2).hand(0, name).equipment(1, **{card: Table(2).left(card)}).args(Act.CONVERT)


@pytest.mark.rule("9.7")
def test_such_a_card_is_turned_in_even_out_of_turn():
    table = Table(2).hand(1, "equip_key")
    assert table.args(Act.CONVERT) == {1 * 8 + KEY} and table.state.on_turn == 0
    assert table.play(Act.CONVERT, 1 * 8 + KEY).has(1, "key") == 1 and table.state.on_turn == 0


@pytest.mark.rule("9.7")
def test_a_key_turned_in_opens_the_way_to_safety():
    table = Table(1).pows({0: 988}).guards(355).hand(0, "advance_warning", "equip_key").appel(1, 4)
    assert table.args(Act.CONVERT) == {KEY}
    table.play(Act.WARN)
    assert hide(0, 917) not in table.args(Act.HIDE)
    assert hide(0, 917) in table.play(Act.CONVERT, KEY).args(Act.HIDE)


@pytest.mark.rule("9.7")
def test_a_card_turned_in_before_a_confiscation():
    table = Table(1).pows({0: 971}).equipment(0, rope=1).hand(0, "equip_key").guards(952).german()
    table.pick(0).play(Act.ARREST, 971)
    assert table.stage == Stage.LOSE and set(table.legal()) == {(Act.LOSE, ROPE), (Act.CONVERT, KEY)}
    table.play(Act.CONVERT, KEY).play(Act.LOSE, KEY).cell(0)
    assert (table.has(0, "rope"), table.has(0, "key")) == (1, 0)


@pytest.mark.rule("9.7")
def test_a_rope_turned_in_before_a_stake():
    for sets in ({}, {"stake_when": "at_limit", "limit.rounds": 1}):
        table = stakeable({0: 295}, **sets).hand(0, "equip_rope")
        table.play(Act.END) if sets else table.end()
        assert table.stage == Stage.START and table.args(Act.CONVERT) == {ROPE}
        table.play(Act.CONVERT, ROPE)
        assert table.stage == Stage.START and table.has(0, "rope") == 1 and table.args(Act.STAKE) == {0}


@pytest.mark.rule("9.8")
def test_diversion_and_inspection_send_guards_to_the_barracks():
    table = Table(1).guards(355, 785, 899).hand(0, "diversion", "inspection")
    assert table.args(Act.DIVERT) == {0, 1, 2} and table.args(Act.INSPECT) == {0 * 16 + 1, 0 * 16 + 2, 1 * 16 + 2}
    table.play(Act.INSPECT, 0 * 16 + 2)
    assert [table.guard(g) for g in range(3)] == [Place.BARRACKS, 785, Place.BARRACKS]
    table.play(Act.DIVERT, 1)
    assert table.guard(1) == Place.BARRACKS
    assert Table(1).guards(355).hand(0, "inspection").args(Act.INSPECT) == {0}, "just one guard"
    assert not Table(1).hand(0, "inspection", "diversion").kinds() & {Act.DIVERT, Act.INSPECT}, "no guard"


@pytest.mark.rule("9.8")
@pytest.mark.parametrize(("held", "left", "thrown"), [(3, 2, 2), (2, 1, 2), (1, 0, 1), (0, 0, 0)])
def test_sabotage(held, left, thrown):
    names = ("search_chapel", "search_dentist", "search_kitchen")[:held]
    table = Table(1).hand(0, "sabotage").security(*names).turn(0).play(Act.SABOTAGE)
    assert (table.state.orders.sum(), table.state.order_discards.sum()) == (left, thrown)
    assert table.holds(0, "sabotage") == 0


@pytest.mark.rule("9.9")
def test_a_hideaway_saves_equipment_from_an_arrest():
    table = Table(1).pows({0: 971}).equipment(0, rope=1).hand(0, "hideaway").guards(952).german()
    table.pick(0).play(Act.ARREST, 971)
    assert table.args(Act.LOSE) == {ROPE, NOTHING}
    table.play(Act.LOSE, NOTHING).cell(0)
    assert (table.has(0, "rope"), table.holds(0, "hideaway"), table.at(0)) == (1, 0, CELL_IN)


@pytest.mark.rule("9.10")
def test_move_fast():
    table = Table(1).pows({0: 1, 1: CELL_IN, 2: 233}).below("canteen", {3: 221, 4: 222}).hand(0, "move_fast_parcels")
    table.turn(0, points=3)
    room = table.room("parcels")
    assert table.args(Act.FAST) == {room * 8 + i for i in (0, 2, 5)}, (
        "not from a cell, not from a tunnel, one for those in the Appel"
    )
    table.play(Act.FAST, room * 8)
    assert table.stage == Stage.ROOM and set(table.legal()) == {(Act.GO, 802), (Act.GO, 827)}
    table.play(Act.GO, 827)
    assert (table.at(0), table.points()) == (827, 3) and table.holds(0, "move_fast_parcels") == 0
    assert not Table(1).pows({0: 802, 1: 827}).hand(0, "move_fast_parcels").turn(0).args(Act.FAST), "no circle free"


@pytest.mark.rule("9.10")
def test_a_release_card():
    """Q36"""
    inner = Table(1).pows({0: CELL_IN}).hand(0, "release").turn(0, points=0)
    assert inner.args(Act.FREE) == {0}
    assert inner.play(Act.FREE, 0).at(0) == 884 and inner.points() == 0 and inner.holds(0, "release") == 0
    for reading, codes in (("nearer", {2, 3}), ("door", {2})):
        table = Table(1, released_by_card=reading).pows({0: CELL_OUT}).hand(0, "release").turn(0, points=0)
        assert table.args(Act.FREE) == codes
        assert table.copy().play(Act.FREE, 2).at(0) == 1020
        if 3 in codes:
            assert table.play(Act.FREE, 3).at(0) == 1010, (
                "next to the door and a step nearer to 927; 995 is as far as the door"
            )


@pytest.mark.rule("9.10")
def test_a_pow_released_by_card_is_immune_too():
    table = Table(1).pows({0: CELL_OUT}).guards(995).hand(0, "release").turn(0, points=0).play(Act.FREE, 2).end()
    assert table.goals(0, Act.ARREST) == set()


@pytest.mark.rule("9.11")
@pytest.mark.parametrize("circle", [539, 568, 583, 596, 597, 617])
@pytest.mark.parametrize(("total", "place"), [(45, Place.ESCAPED), (44, None)])
def test_the_staff_car(circle, total, place):
    table = Table(1).kit(0).pows({0: circle}).hand(0, "staff_car").turn(0, points=2).total(Luck.CAR, 6, total)
    table.play(Act.CAR, 0)
    if place is None:
        table.cell(0)
        assert table.at(0) == CELL_IN and table.state.escaped[0] == 0
    else:
        assert table.at(0) == place and table.state.escaped[0] == 1 and table.state.staked_out[0] == 0
    assert table.holds(0, "staff_car") == 0 and table.stage == Stage.TURN


@pytest.mark.rule("9.11")
def test_the_staff_car_without_a_kit_and_away_from_it():
    table = Table(1).pows({0: 539}).hand(0, "staff_car").turn(0).total(Luck.CAR, 6, 50)
    assert table.play(Act.CAR, 0).at(0) == 1110 and table.state.escaped[0] == 0
    assert not Table(1).pows({0: 539, 1: 1110}).hand(0, "staff_car").turn(0).args(Act.CAR), "the target is taken"
    assert not Table(1).kit(0).pows({0: 538}).hand(0, "staff_car").turn(0).args(Act.CAR)


@pytest.mark.rule("9.11")
def test_a_pass_for_the_staff_car():
    """Q30"""
    for reading, tries in (("no", {0}), ("yes", set())):
        assert Table(1, car_pass=reading).kit(0).pows({0: 539}).hand(0, "staff_car").turn(0).args(Act.CAR) == tries
    table = Table(1, car_pass="yes").kit(0).pows({0: 539}).equipment(0, passes=1).hand(0, "staff_car").turn(0)
    assert table.total(Luck.CAR, 6, 45).play(Act.CAR, 0).has(0, "passes") == 0 and table.at(0) == Place.ESCAPED


@pytest.mark.rule("9.12")
@pytest.mark.parametrize(("saved", "place"), [(1, 4), (0, Place.DEAD)])
def test_a_talisman_undoes_the_doubling(saved, place):
    """Six steps, a roll of 3: twice it is enough, once it is not."""
    table = (
        Table(1).pows({0: 4}).guards(53).hand(0, "talisman").security("shoot_to_kill").german().dice(Luck.RANGE, 1, 2)
    )
    table.play(Act.SHOOT, 0)
    assert (table.stage, table.state.to_move) == (Stage.SAVE, 0) and table.args(Act.SAVE) == {0, 1}
    table.play(Act.SAVE, saved)
    assert (table.at(0), table.guard(0), table.holds(0, "talisman")) == (place, Place.BARRACKS, 1 - saved)


@pytest.mark.rule("9.12")
def test_a_talisman_is_no_cure_for_a_good_shot():
    table = Table(1).pows({0: 1}).guards(53).hand(0, "talisman").security("shoot_to_kill").german()
    table.dice(Luck.RANGE, 1, 2).play(Act.SHOOT, 0)
    assert table.play(Act.SAVE, 1).at(0) == Place.DEAD, "three steps"
    far = Table(1).pows({0: 9}).guards(53).hand(0, "talisman").security("shoot_to_kill").german()
    far.dice(Luck.RANGE, 1, 2).play(Act.SHOOT, 0)
    assert far.stage == Stage.TURN and far.holds(0, "talisman") == 1, "not needed"


@pytest.mark.rule("9.13")
def test_tunnel_and_half_kit_cards_are_cards_of_their_owner():
    table = Table(2, tunnel_start="any_two").hand(1, "tunnel_chapel", "kit_part_a", "kit_part_b").turn(0)
    assert not table.kinds() & {Act.TUNNEL, Act.KIT}
    table.turn(1)
    assert table.args(Act.TUNNEL) == {0} and table.args(Act.KIT) == {3}


# ---------------------------------------------------------------- 10 End and result


@pytest.mark.rule("10.1")
def test_the_game_ends_at_the_limit():
    table = Table(2, **{"limit.rounds": 2})
    for _ in range(6):
        assert table.state.end_reason == 0
        table.end()
    assert table.state.end_reason == End.LIMIT and table.record()["turn"] == 2


@pytest.mark.rule("10.1")
def test_the_game_ends_when_no_allied_player_is_left():
    table = stakeable({0: 899}).end().next_stake(3).total(Luck.STAKE, 3, 20).play(Act.STAKE, 0)
    assert table.state.end_reason == End.NOBODY_LEFT and table.record()["winner"] == 1


@pytest.mark.rule("10.1")
def test_the_game_ends_when_no_pow_is_left():
    table = Table(1).kit(0).pows({0: 33, **dict.fromkeys(range(1, 8), Place.DEAD)}).turn(0)
    table.go(0, 22)
    assert table.state.end_reason == End.NOBODY_LEFT and table.record()["winner"] == 0
    last = Table(1).pows({0: 1, **dict.fromkeys(range(1, 8), Place.DEAD)}).guards(53).security("shoot_to_kill")
    last.german().dice(Luck.RANGE, 1, 2).play(Act.SHOOT, 0)
    assert last.state.end_reason == End.NOBODY_LEFT and last.record()["winner"] == 1


def result(k=3, form="summary", ordinary=(), staked=(), **sets):
    table = Table(k, **{"result.form": form}, **sets)
    for p, n in enumerate(ordinary):
        table.state.escaped[p] = n
    for p, n in enumerate(staked):
        table.state.staked_out[p] = n
    table.state.end_reason = End.LIMIT
    return table.record()


@pytest.mark.rule("10.2")
def test_who_wins():
    assert result()["winner"] == 1
    assert result(ordinary=(0, 1))["winner"] == 0
    assert result(ordinary=(0, 1), staked=(2,))["winner"] == 0


@pytest.mark.rule("10.2")
def test_who_is_first_among_the_allies():
    """Q22"""
    for reading, first in (("all", 1), ("ordinary", NONE)):
        assert result(ordinary=(1, 1, 0), staked=(0, 1, 0), rank_counts=reading)["first_player"] == first
        assert result(ordinary=(0, 1, 2), rank_counts=reading)["first_player"] == 2
        assert result(ordinary=(1, 0, 1), rank_counts=reading)["first_player"] == NONE, "shared"


@pytest.mark.rule("10.3")
def test_only_do_or_die_is_a_draw():
    row = result(staked=(1, 1))
    assert (row["winner"], row["escapes"], row["stake_escapes"]) == (NONE, 0, 2)


@pytest.mark.rule("10.4")
@pytest.mark.parametrize("target", [1, 2])
def test_the_race(target):
    table = Table(2, **{"result.form": "race", "result.target": target}).kit(0, 1).pows({0: 33, 1: 44, 8: 42}).turn(0)
    table.go(0, 22)
    assert bool(table.state.end_reason) == (target == 1)
    if target == 2:
        table.end()
        table.go(0, 43)
        assert table.state.end_reason == 0, "one escape each"
        table.turn(0).go(1, 22)
    assert table.state.end_reason == End.RACE_WON
    assert table.record()["winner"] == 0 and table.record()[f"racer_{target}"] == 0


@pytest.mark.rule("10.4")
def test_the_race_is_lost_at_the_limit():
    assert result(form="race", ordinary=(1, 1), **{"result.target": 2})["winner"] == 1


@pytest.mark.rule("10.4")
def test_both_forms_are_reported():
    table = Table(2).kit(0, 1).pows({0: 33, 1: 44, 8: 42}).turn(0)
    table.go(0, 22).go(1, 22)
    row = table.record()
    assert (row["race_1"], row["race_2"], row["racer_1"], row["racer_2"]) == (1, 1, 0, 0)


# ---------------------------------------------------------------- rulings


@pytest.mark.rule("1.4")
def test_open_hands_are_no_rule_of_play():
    """Q28: the same legal actions under both readings."""
    assert (
        Table(2, allied_hands="open").hand(1, "sabotage").legal()
        == Table(2, allied_hands="secret").hand(1, "sabotage").legal()
    )


@pytest.mark.rule("1.3")
def test_every_circle_stands_in_the_tables_as_the_board_says():
    board, t = read_board(), Table().tables.board
    assert set(np.flatnonzero(t.safe)) == set(board.of_kind("safe"))
    assert set(np.flatnonzero(t.light)) == set(board.of_kind("searchlight"))
    assert {int(c) for c in np.flatnonzero(t.target)} == set(board.targets)
    assert not t.stops[list(board.of_kind("searchlight"))].any()
    assert not t.stops[[c for tunnel in board.tunnels.values() for c in tunnel]].any()
    assert (t.door[0], t.door[1], t.pass_circle) == (884, 1020, 927)


def test_every_reading_of_every_ruling_is_played_here():
    """A reading not named in this file is a reading no test has seen."""
    source = Path(__file__).read_text(encoding="utf-8")
    for key, ruling in scenario_of(frozenset()).model.ruling.items():
        for reading in ruling.readings:
            assert f'{key}="{reading}"' in source or (f"{key}=reading" in source and f'"{reading}"' in source), (
                f"{ruling.id} {key} = {reading}"
            )


def test_the_table_itself_holds_together():
    table = Table(3).pows({0: 899, 8: 1}).below("canteen", {1: 235}).guards(355, 785).equipment(1, rope=2).kit(2)
    table.hand(0, "sabotage").security("appel")
    assert ENGINE.check(table.state, table.tables) == ""
