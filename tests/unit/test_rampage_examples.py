"""The worked examples of RULES.md section 9, one test each. Seat 0 plays."""

import pytest

from bartizan.simcore.rampage.components import Act, End, Stage
from tests.rampage_table import CASTLE, GATE, Table

SCHEME = "scheme_knight_archer"


def scheme(hand: str, boosts: int = 0, pay: str = "knight archer") -> Table:
    return Table().hand(0, f"{SCHEME} {hand}").use(SCHEME, boosts, pay=pay)


def test_r1_a_gate_card_falls_and_the_ogre_holds():
    table = Table().gate(1, "giant").castle(1, "ogre knight knight").hand(0, f"{SCHEME} knight archer")
    table.use(SCHEME, pay="knight archer")
    assert table.strength == 9 and table.revealed == [(GATE, "giant", 4), (CASTLE, "ogre", 6)]
    assert table.discarded() == f"knight archer giant {SCHEME}", "the defeated, the attacker and what it cost"
    assert (table.gate_of(1), table.castle_of(1)) == ("", "ogre knight knight") and table.known(1, CASTLE)


def test_r2_both_are_destroyed():
    table = Table().gate(1, "giant giant").hand(0, "knight").use("knight")
    assert table.discarded() == "knight giant" and table.gate_of(1) == "giant" and len(table.revealed) == 1


@pytest.mark.parametrize(("gate", "seen"), [("dragon", (GATE, "dragon", 2)), ("", (CASTLE, "dragon", 3))])
def test_r3_a_dragon_defends_with_2_and_with_3(gate, seen):
    table = Table().gate(1, gate).castle(1, "dragon knight").hand(0, "knight").use("knight")
    assert table.revealed[0] == seen


@pytest.mark.parametrize("gate", ["archer", "ogre"])
def test_r4_an_axe_man_draws_repelled_or_not(gate):
    table = Table().gate(1, gate).hand(0, "axe_man").pile("priest dragon").use("axe_man")
    assert table.strength == 2 and table.hand_of(0) == "priest" and "axe_man" in table.discarded()
    assert table.record()["repelled"] == (gate == "ogre")


def test_r5_an_attack_scheme():
    table = scheme("knight archer")
    assert table.strength == 9 and table.hand_of(0) == "" and {"knight", "archer"} <= set(table.discarded().split())


def test_r6_the_scheme_with_its_boost():
    table = scheme("knight archer archer", boosts=1, pay="knight archer archer")
    assert table.strength == 14 and table.hand_of(0) == ""
    assert table.record()["paid"] == 3 and table.discarded().split().count("archer") == 2


def test_r7_one_mercenary_is_not_a_knight_and_an_archer():
    assert SCHEME not in Table().hand(0, f"{SCHEME} mercenary axe_man priest").plays()
    assert SCHEME in Table().hand(0, f"{SCHEME} mercenary knight").plays()
    assert SCHEME in Table().hand(0, f"{SCHEME} mercenary mercenary").plays()


@pytest.mark.parametrize("structure", [GATE, CASTLE])
def test_r8_an_ogre_is_placed_for_two_cards(structure):
    table = Table().gate(0, "axe_man").hand(0, "ogre priest dragon").put(structure, "ogre")
    assert table.asked == (Stage.PAY, 0) and table.pay("dragon priest").hand_of(0) == ""
    assert table.discarded() == "dragon priest"
    assert (table.gate_of(0), table.castle_of(0)) == (
        ("axe_man ogre", "knight knight knight") if structure == GATE else ("axe_man", "knight knight knight ogre")
    )


def test_r9_an_ogre_and_one_other_card():
    table = Table().hand(0, "ogre priest")
    assert table.asks(Act.GATE) == table.asks(Act.CASTLE) == "priest"


def test_r10_the_starting_player_draws_1_the_other_2():
    table = Table(begun=False)
    for _ in range(16):
        table.play(*table.legal()[0])
    assert table.asked == (Stage.MAIN, 0) and table.state.turn == 1
    assert table.state.hand_size.tolist() == [3, 2]
    assert table.end().state.hand_size.tolist() == [3, 4] and table.end().state.hand_size.tolist() == [5, 4]


def test_r11_purple_cards_are_replaced_at_the_set_up():
    with_purple = 0
    for seed in range(20):
        table = Table(begun=False, seed=seed)
        while table.stage != Stage.MAIN:
            with_purple += table.state.shuffles > 1
            assert not {"bomber", "saboteur", "spy", "ogre"} & set(table.asks(table.legal()[0][0]).split())
            table.play(*table.legal()[-1])
        assert len(table.pile_of()) == 98 - 1, "the first card of turn 1 is drawn"
    assert with_purple


def test_r12_strengthening_goes_to_the_bottom():
    table = Table().gate(0, "axe_man archer").hand(0, "dragon").put(GATE, "dragon")
    assert table.gate_of(0) == "axe_man archer dragon"


def test_r13_the_last_castle_card_ends_the_game_whatever_stands_at_the_gate():
    table = Table().gate(1, "ogre ogre ogre").castle(1, "knight").hand(0, "digger").use("digger")
    assert table.state.end_reason == End.CASTLE_FELL and table.winner == 0 and table.gate_of(1) == "ogre ogre ogre"


def test_r14_the_summoner_destroys_both():
    table = Table().castle(0, "knight").castle(1, "knight").hand(0, "summoner priest priest")
    table.use("summoner", pay="priest priest")
    assert table.state.end_reason == End.OWN_TURN and table.winner == 1


def test_r15_the_jester_destroys_its_own_castle():
    table = Table().castle(0, "knight").hand(0, "jester").use("jester")
    assert table.legal() == [(Act.LOSE, CASTLE)]
    assert table.play(Act.LOSE, CASTLE).state.end_reason == End.OWN_TURN and table.winner == 1


def test_r16_a_veteran_that_is_repelled():
    table = Table().gate(1, "ogre").hand(0, "veteran").use("veteran")
    assert table.discarded() == "" and table.hand_of(0) == "veteran"


def test_r17_a_bomber_that_nobody_destroys_in_an_attack():
    table = Table().hand(0, "mercenary bomber").use("mercenary", pay="bomber")
    assert table.texts == [] and "bomber" in table.discarded()
    table = Table(**{"card.bomber.gate": 5}).gate(1, "bomber").hand(0, "knight").use("knight")
    assert table.texts == [] and table.gate_of(1) == "bomber" and table.record()["texts"] == 0


def test_r18_a_digger_goes_under_the_gate():
    table = Table().gate(1, "axe_man").castle(1, "ogre").hand(0, "digger").use("digger")
    assert table.revealed == [(CASTLE, "ogre", 6)] and table.known(1, CASTLE) and not table.known(1, GATE)


def test_r19_the_cards_of_all_zones_are_those_of_the_deck():
    table = Table(begun=False, seed=9)
    deck = table.cards()
    assert len(deck) == 118
    for step in range(400):
        if table.is_over:
            break
        legal = table.legal()
        table.play(*legal[(7 * step) % len(legal)])
        assert table.cards() == deck
    assert step > 40
