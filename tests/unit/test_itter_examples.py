"""The worked examples of the rulebook, T-01 to T-16 of simcore/itter/RULES.md, and the facts derived from it."""

import pytest

from bartizan.simcore.itter.components import (
    ARGUMENTS,
    DISRUPTION,
    EXHAUSTION,
    GUN_TARGET,
    Act,
    Event,
    Luck,
    Stage,
    Status,
)
from bartizan.simcore.itter.rules.tactics import extra_dice, turn_up_tactics
from tests.itter_table import Table


def fit_with(*names, **places):
    """Novice turn 5 on an empty board with these defenders on these positions."""
    table = Table().clear_board().put(**places)
    return table.turn(5)


@pytest.mark.rule("2.1")
def test_t01_only_the_reserve_acts_on_turn_1():
    table = Table()
    who = {table.defenders[d] for d in table.legal_kinds(Act.ACTIVATE)}
    assert len(who) == 20
    assert not who & {"clemenceau", "gamelin", "delarocque", "reynaud", "borotra"}
    table.activate("rushford")
    free = {table.positions[p] for p in table.legal_kinds(Act.PLACE)}
    assert free == {p for p in table.positions if not p.startswith("C")}
    table.play(Act.PLACE, table.p("BJ3"))
    assert table.legal_kinds(Act.SUPPRESS_WEAPON) == {4}
    assert table.legal_kinds(Act.ATTACK_WEAPON) == {7, 8, 9, 10}


@pytest.mark.rule("2.2")
def test_t02_dietrich_attacks_the_mortar():
    table = Table().clear_board().put(dietrich="NT5").counters(mortar=5, rifleman=22).turn(5)
    table.activate("dietrich")
    assert table.legal_kinds(Act.ATTACK) == {22, 5 + 2 * GUN_TARGET}
    table.dice(Luck.DEFENDER, 4).play(Act.ATTACK, 5 + 2 * GUN_TARGET)
    assert table.state.guns[table.kinds.index("mortar"), 5] == 0
    assert table.on_circle(22) == "rifleman"
    assert table.has("dietrich", Status.EXHAUSTED)


@pytest.mark.rule("2.2")
def test_t02_a_3_does_not_remove_the_mortar():
    table = Table().clear_board().put(dietrich="NT5").counters(mortar=5).turn(5)
    table.activate("dietrich").dice(Luck.DEFENDER, 3).play(Act.ATTACK, 5 + 2 * GUN_TARGET)
    assert table.state.guns[table.kinds.index("mortar"), 5] == 1
    assert table.has("dietrich", Status.EXHAUSTED)


@pytest.mark.rule("2.3")
@pytest.mark.parametrize("green", [0, 1, 2, 3])
def test_t03_pollock_divides_three_tokens_over_green_and_red(green):
    table = fit_with(pollock="ST5").activate("pollock")
    assert table.legal_kinds(Act.SUPPRESS) == {0, 1, 2, 3}
    table.play(Act.SUPPRESS, green)
    assert (table.tokens("green"), table.tokens("red")) == (green, 3 - green)
    assert table.tokens("purple") == table.tokens("black") == 0


@pytest.mark.rule("2.4")
def test_t04_szymczyk_swaps_or_takes_a_free_position_and_still_acts():
    table = fit_with(szymczyk="G1", rifleman1="G3").activate("szymczyk")
    options = {table.positions[code % 64] for code in table.legal_kinds(Act.SHIFT)}
    assert options == {"G2", "G3", "G4"}
    table.play(Act.SHIFT, table.d("szymczyk") * 64 + table.p("G3"))
    assert (table.where("szymczyk"), table.where("rifleman1")) == ("G3", "G1")
    assert table.legal_kinds(Act.SUPPRESS) == {2}
    assert not table.legal_kinds(Act.SHIFT)


@pytest.mark.rule("2.4")
@pytest.mark.parametrize("bit", [Status.EXHAUSTED, Status.DISRUPTED])
def test_t04_no_swap_with_an_exhausted_or_disrupted_partner(bit):
    table = fit_with(szymczyk="G1", rifleman1="G3").status("rifleman1", bit).activate("szymczyk")
    assert {table.positions[code % 64] for code in table.legal_kinds(Act.SHIFT)} == {"G2", "G4"}


@pytest.mark.rule("2.5")
def test_t05_worsham_moves_to_the_keep():
    table = fit_with(worsham="GH1", waltl="K1").activate("worsham")
    keep = {name for p in table.legal_kinds(Act.MOVE) if (name := table.positions[p]).startswith("K")}
    assert keep == {"K2", "K3", "K4"}
    table.play(Act.MOVE, table.p("K2"))
    assert table.where("worsham") == "K2"
    assert table.where("waltl") == "K1"
    assert table.has("worsham", Status.EXHAUSTED)


@pytest.mark.rule("2.7")
def test_t06_schrader_commands_three_recovers():
    table = fit_with(schrader="GH1", waltl="GH2", worsham="GH3", rifleman1="K1")
    table.status("waltl", Status.EXHAUSTED | Status.DISRUPTED).status("worsham", Status.DISRUPTED).status(
        "rifleman1", Status.DISRUPTED
    )
    table.activate("schrader").play(Act.COMMAND)
    waltl, worsham, rifleman = (table.d(name) * 4 for name in ("waltl", "worsham", "rifleman1"))
    assert table.legal_kinds(Act.GIVE) == {waltl + EXHAUSTION, waltl + DISRUPTION, worsham + DISRUPTION}
    assert rifleman + DISRUPTION not in table.legal_kinds(Act.GIVE)
    table.play(Act.GIVE, waltl + DISRUPTION).play(Act.GIVE, waltl + EXHAUSTION).play(Act.GIVE, worsham + DISRUPTION)
    for name in ("waltl", "worsham"):
        assert table.has(name, Status.COMMANDED)
        assert not table.has(name, Status.EXHAUSTED | Status.DISRUPTED)
        assert table.d(name) not in table.legal_kinds(Act.ACTIVATE)
    assert table.has("schrader", Status.EXHAUSTED)
    assert table.has("rifleman1", Status.DISRUPTED)
    assert table.state.actions == 1


@pytest.mark.rule("2.8")
def test_t07_borotra_waits_for_a_clear_colour():
    table = Table().clear_board().put(borotra="ST2", rifleman1="ST4", rifleman2="ST5").counters(mortar=2, rifleman=2)
    table.turn(9)
    table.state.top_deck, table.state.deck_next = 2, 24
    table.activate("borotra")
    assert not table.legal_kinds(Act.ESCAPE)
    table.play(Act.BLANK)  # the turn goes on; Borotra has used his action, so look at another turn
    table.turn(9)
    table.state.status[:] = 0
    table.activate("rifleman1").dice(Luck.DEFENDER, 4).play(Act.ATTACK, 2 + 2 * GUN_TARGET)
    table.activate("rifleman2").dice(Luck.DEFENDER, 3).play(Act.ATTACK, 2)
    table.activate("borotra").play(Act.ESCAPE)
    assert table.where("borotra") == "escaped"
    assert table.state.casualties == 0
    last_nine_and_the_142nd = table.state.deck[table.state.deck_size - 10 : table.state.deck_size]
    assert table.tables.n_cards in last_nine_and_the_142nd
    assert table.state.deck_size == 61


@pytest.mark.rule("3.6")
def test_t08_who_may_use_which_gun():
    table = fit_with(seiner="BJ1", rushford="BJ2", lee="BJ3", basse="BJ4", rifleman1="G4").counters(rifleman=9)
    table.ask("lee")
    assert table.legal_kinds(Act.SUPPRESS_WEAPON) == {4}
    assert table.legal_kinds(Act.ATTACK_WEAPON) == {9}
    table.ask("basse")
    assert table.legal_kinds(Act.SUPPRESS_WEAPON) == {3}
    for name in ("rushford", "rifleman1"):  # "non può utilizzare la postazione": neither its values nor his own
        table.ask(name)
        assert not {
            kind
            for kind in (Act.ATTACK, Act.ATTACK_WEAPON, Act.SUPPRESS, Act.SUPPRESS_WEAPON)
            if table.legal_kinds(kind)
        }
        assert table.legal_kinds(Act.MOVE) and table.legal_kinds(Act.SHIFT)
    table.ask("seiner").play(Act.LOAD).activate("rushford")
    assert table.legal_kinds(Act.SUPPRESS_WEAPON) == {7}
    table.play(Act.SUPPRESS_WEAPON, 7)
    assert table.tokens("black") == 7
    assert not table.state.loaded


@pytest.mark.rule("3.6")
@pytest.mark.parametrize(
    ("reading", "stands", "fights"),
    [("no_fight", True, False), ("own_values", True, True), ("not_allowed", False, False)],
)
def test_t08_other_readings(reading, stands, fights):
    """R-39"""
    table = Table(noncrew_on_crew_position=reading).clear_board().put(rushford="BJ2", rifleman1="G1").turn(5)
    assert table.ask("rushford").legal_kinds(Act.SUPPRESS) == ({2} if reading != "no_fight" else set())
    table.ask("rifleman1")
    assert ((table.d("rifleman1") * 64 + table.p("G4")) in table.legal_kinds(Act.SHIFT)) == stands
    if stands:
        table.put(rifleman1="G4").ask("rifleman1")
        assert bool(table.legal_kinds(Act.SUPPRESS)) == fights


@pytest.mark.rule("4.1")
@pytest.mark.parametrize(
    ("here", "target"),
    [
        (("gamelin", "dietrich", "rushford"), "gamelin"),
        (("dietrich", "rushford"), "dietrich"),
        (("rushford",), "rushford"),
    ],
)
@pytest.mark.parametrize("best", [4, 5])
def test_t09_sniper(here, target, best):
    places = {"gamelin": "NT2", "dietrich": "NT3", "rushford": "GH1"}
    table = fit_with(**{name: places[name] for name in here}).set_defence(NT=5, GH=5)
    table.ss_card("deck2_sniper", 6, 2, 1, 2, 3, best)
    assert (table.where(target) == "killed") == (best >= 5)
    assert all(table.where(name) == places[name] for name in here if name != target)


@pytest.mark.rule("4.2")
def test_t10_pak_40_destroys_the_tank():
    table = fit_with(seiner="BJ1", rushford="BJ2", lee="BJ3", basse="BJ4").set_defence(BJ=4)
    table.state.loaded = 1
    table.ss_card("deck1_pak40a", 2, 1, 2, 3, 4)
    assert table.defence("BJ") == 0
    assert table.state.tank_destroyed and not table.state.tank_empty and not table.state.loaded
    assert table.state.casualties == 4
    table.turn(6)
    assert {table.where(name) for name in ("seiner", "rushford", "lee", "basse")} == {"killed"}


@pytest.mark.rule("4.3")
def test_t11_rifleman_card_with_two_counters():
    table = Table().clear_board().counters(rifleman=9, scout=26).set_tokens(black=2)
    table.ss_card("deck1_rifleman", 6, 5, 5, 4)
    assert table.on_circle(11) == "rifleman"
    assert table.state.stage == Stage.SPEND  # green has no tokens: only area 9 asks
    assert table.legal_kinds(Act.SPEND) == {0, 1, 2}
    table.dice(Luck.SUPPRESSION, 1, 1)
    from bartizan.simcore.itter.rules.siege import spend

    spend(table.state, table.tables, 2)
    assert table.tokens("black") == 0
    assert [table.on_circle(c) for c in (9, 26, 27)] == ["rifleman", "rifleman", "scout"]


@pytest.mark.rule("4.3")
def test_t12_machine_gunner_disrupts_seiner():
    from bartizan.simcore.itter.rules.siege import spend

    table = fit_with(seiner="G4").set_defence(G=5).set_tokens(black=1)
    table.ss_card("deck1_machine_gunner", 5, 4, 3, 3, 5)
    assert table.state.stage == Stage.SPEND
    table.dice(Luck.SUPPRESSION, 1)
    spend(table.state, table.tables, 1)
    assert table.state.guns[table.kinds.index("machine_gunner"), 9] == 1
    assert table.has("seiner", Status.DISRUPTED)


@pytest.mark.rule("4.4")
def test_t13_flak_30_by_number():
    table = fit_with(dietrich="GH1", schrader="NT2").set_defence(GH=5).status("schrader", Status.DISRUPTED)
    table.ss_card("deck2_flak30", 2, 2, 5, 4, 6)
    assert table.has("dietrich", Status.DISRUPTED)
    assert table.where("schrader") == "killed"


@pytest.mark.rule("4.4")
def test_t14_suppressive_fire():
    table = fit_with(dietrich="ST4").set_defence(ST=5).counters(machine_gunner=2, mortar=3)
    table.ss_card("deck2_suppressive_fire", 5, 3, 5)
    assert table.has("dietrich", Status.DISRUPTED)
    rolls = [tuple(row) for row in table.state.events[: table.state.n_events] if row[0] == Event.ROLL]
    assert len(rolls) == 1  # nobody on red: the Mortar rolls nothing


def stacked(table, *cards):
    """Put named Tactics cards on top of the stack."""
    names = list(table.scenario.model.tactics_card)
    for i, card in enumerate(cards):
        table.state.stack[i] = names.index(card)
    table.state.stack_size = len(cards)
    return table


@pytest.mark.rule("6.1.2")
def test_t15_veteran_tactics_replace_each_other():
    from bartizan.simcore.itter.components import CardKind

    table = stacked(Table("veteran"), "barrage", "eastern_approach")
    turn_up_tactics(table.state, table.tables)
    assert [extra_dice(table.state, table.tables, CardKind[k]) for k in ("pak40a", "pak40b", "flak37", "sniper")] == [
        1,
        1,
        1,
        0,
    ]
    table.state.turn = 2
    turn_up_tactics(table.state, table.tables)
    assert extra_dice(table.state, table.tables, CardKind.pak40a) == 0
    assert (table.state.newer, table.state.older) == (1, -1)


@pytest.mark.rule("6.1.3")
def test_t16_elite_keeps_the_newer_card():
    table = stacked(Table("elite"), "barrage", "eastern_approach", "focus_fire")
    turn_up_tactics(table.state, table.tables)
    assert (table.state.older, table.state.newer) == (0, 1)
    table.state.turn = 2
    turn_up_tactics(table.state, table.tables)
    assert (table.state.older, table.state.newer) == (1, 2)
    table.state.turn = 21
    turn_up_tactics(table.state, table.tables)
    assert (table.state.older, table.state.newer) == (-1, 2)


# ---------------------------------------------------------------- derived facts


@pytest.mark.rule("4.3")
@pytest.mark.parametrize(
    ("area", "placements"), [(2, 5), (3, 5), (4, 5), (5, 5), (6, 6), (7, 5), (8, 5), (9, 5), (10, 5), (11, 4), (12, 4)]
)
def test_placements_on_one_area_until_the_castle_falls(area, placements):
    from bartizan.simcore.itter.rules.siege import push

    table = Table().clear_board().counters(rifleman=area)
    for n in range(1, placements + 1):
        assert table.state.end_reason == 0, f"lost after {n - 1} placements"
        table.state.supply[0] -= 1
        push(table.state, table.tables, 0, area)
    assert table.state.end_reason == 3
    assert table.on_circle(area) == "rifleman"


@pytest.mark.rule("2.8")
def test_the_earliest_escape_is_on_turn_9():
    """Turn 5 Cellar to Great Hall, 6 Recover, 7 Move, 8 Recover, 9 Escape; then 24 cards are discarded, the top one of deck 2."""
    table = Table(breach_ends_game="false")
    deploy(table, [p for p in table.positions if p[0] != "C" and p not in ("ST2", "GH3", "BJ1")])
    borotra = [
        (Act.MOVE, table.p("GH3")),
        (Act.RECOVER, EXHAUSTION),
        (Act.MOVE, table.p("ST2")),
        (Act.RECOVER, EXHAUSTION),
        (Act.ESCAPE, 0),
    ]
    for turn, (kind, argument) in enumerate(borotra, 5):
        assert table.state.turn == turn
        table.remove_counters()
        table.state.status[table.d("borotra")] &= Status.EXHAUSTED  # the fire of these turns misses him
        table.activate("borotra")
        assert bool(table.legal_kinds(Act.ESCAPE)) == (turn == 9)
        if turn < 9:
            table.play(kind, argument).play(Act.PASS)
            run_to_orders(table)
    assert (table.state.deck_next, table.state.top_deck) == (24, 2)
    table.play(Act.ESCAPE)
    assert table.where("borotra") == "escaped"


def deploy(table, posts):
    """Turns 1-4: the 20 starters onto posts, no more than that; nobody else may act meanwhile."""
    for name in [name for name in table.defenders if table.where(name) == "reserve"]:
        assert table.d("borotra") not in table.legal_kinds(Act.ACTIVATE)
        table.activate(name).play(Act.PLACE, table.p(posts.pop(0))).play(Act.BLANK)
        run_to_orders(table)


def run_to_orders(table):
    """Answer what the SS Phase asks by the first legal action until the next Defender Phase."""
    while table.state.stage != Stage.ORDERS:
        first = min(table.legal())
        table.play(Act(first // ARGUMENTS), first % ARGUMENTS)
