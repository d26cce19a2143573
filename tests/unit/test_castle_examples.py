"""The worked examples of RULES.md section 13, one test each. Player 0 attacks player 1, who has fixture F1: x = 9 of clubs, y = 6 of clubs."""

import pytest

from bartizan.simcore.castle.components import Act, Stage
from tests.castle_table import Table, at, sq

F1 = """
    8C  2D  4D
    9C  JS  QH  6C  KS
"""
LEFT, MIDDLE, RIGHT = (1, 0), (1, 1), (1, 2)
JACK, QUEEN, KING = (0, 1), (0, 2), (0, 4)
NO_DOUBLE = (1, 2)


def f1(lead: str, castle: str = F1, **sets) -> Table:
    """Player 0 has drawn this card."""
    return Table(**sets).castle(1, castle).draw(lead)


def after_t3(lead: str) -> Table:
    """The 4 of diamonds has been beaten: 6-5 and 2 against 1-2 and 4."""
    table = f1(lead).dice((6, 5), NO_DOUBLE).attack(*RIGHT)
    assert table.roll == (13, 7, True)
    return table


def test_t1_what_is_revealed():
    table = f1("9H")
    assert table.shown(1) == {JACK}
    assert set(table.layout(1)) - table.shown(1) == {LEFT, MIDDLE, RIGHT, (0, 0), QUEEN, (0, 3), KING}
    assert table.dice((6, 5), (1, 2, 4)).attack(*KING).roll == (20, 7 + 10, True), "the King defends with 3 dice + 10"


def test_t2_a_tie_fails():
    table = f1("2H").dice((3, 4), (1, 4)).attack(*RIGHT)
    assert table.roll == (9, 9, False) and table.state.on_turn == 1
    assert table.discarded() == {"2H"} and table.card(1, *RIGHT) == "4D" and table.up(1, *RIGHT)


def test_t2b_the_same_with_the_labels_as_printed():
    table = f1("2H").dice((3, 4), (5, 6)).attack(*RIGHT)
    assert table.roll == (9, 15, False) and table.discarded() == {"2H"} and table.up(1, *RIGHT)


def test_t3_the_force_falls_by_the_card_defeated():
    assert after_t3("2H").dice((3, 4), NO_DOUBLE).attack(*MIDDLE).roll == (7 + 2 - 4, 3 + 2, False)


def test_t4_where_it_goes_on_to():
    table = after_t3("2H")
    assert table.asked == (Stage.TARGET, 0) and table.cells() == {QUEEN, MIDDLE}


def test_t5_against_the_queen():
    assert after_t3("2S").dice((3, 4), NO_DOUBLE).attack(*QUEEN).roll == (7 + 2 - 4 - 4, 13, False)


def test_t6_a_hidden_queen_of_the_leads_suit():
    table = after_t3("2H").dice((6, 5), NO_DOUBLE).attack(*QUEEN)
    assert table.rolls == [] and table.up(1, *QUEEN) and table.card(1, *QUEEN) == "QH"
    assert table.state.on_turn == 1 and {"2H", "4D"} == table.discarded() and table.record()["called_off"] == 1


def test_t7_on_to_the_next_after_the_2_of_diamonds():
    table = after_t3("2H").dice((5, 4), NO_DOUBLE).attack(*MIDDLE)
    assert table.roll == (9 + 2 - 4, 5, True)
    assert table.cells() == {LEFT, JACK}
    table.dice((3, 4), NO_DOUBLE).attack(*JACK)
    assert table.roll == (7 + 2 - 4 - 2, 13, False)


def test_t8_an_attacked_8_turns_a_card_first():
    table = f1("9H").dice((3, 4), NO_DOUBLE).attack(*LEFT)
    assert table.rolls == [] and table.asked == (Stage.SPY, 1)
    assert table.play(Act.TURN, at(1, *KING)).up(1, *KING) and table.roll == (16, 11, True)


def test_t9_a_double_that_loses():
    table = f1("2H").deck("7S", "3S").dice((4, 4), (6, 5)).attack(*RIGHT)
    assert table.roll == (10, 15, False) and table.asked == (Stage.TARGET, 0) and table.next_cards()[0] == "3S"
    assert table.dice((3, 4), NO_DOUBLE).attack(*RIGHT).roll == (7 + 2 + 7, 7, True)


def test_t10_two_doubles_two_extra_cards():
    table = f1("2H").deck("7S", "3S", "5H").dice((3, 3), (6, 5)).attack(*RIGHT)
    assert table.roll == (8, 15, False)
    table.dice((5, 5), (4, 3)).attack(*RIGHT)
    assert table.roll == (10 + 2 + 7, 11, True) and table.next_cards()[0] == "5H"
    assert table.dice((3, 4), NO_DOUBLE).attack(*MIDDLE).roll == (7 + 2 + 7 + 3 - 4, 5, True)


def test_t11_a_defenders_double():
    assert f1("2H").dice((3, 4), (6, 6, 2, 3)).attack(*RIGHT).roll == (9, 12 + 5 + 4, False)


def test_t12_the_attackers_snake_eyes():
    table = f1("2H").castle(0, "5C 7C+\nQC JC KC").dice((1, 1), (3, 4)).attack(*RIGHT)
    assert table.roll == (4, 11, False) and table.asked == (Stage.REMOVE, 1) and table.args(Act.REMOVE) == [sq(1, 0)]
    table.play(Act.REMOVE, sq(1, 0))
    assert table.card(0, 1, 0) == "" and table.state.on_turn == 1, "no extra attack"


def test_t13_the_defenders_snake_eyes():
    table = f1("2H", "8C+ 2D+ 4D+\n9C JS QH 6C KS").dice((3, 4), (1, 1)).attack(*RIGHT)
    assert table.roll == (9, 6, True) and table.asked == (Stage.REMOVE, 0) and table.spots(Act.REMOVE) == {LEFT, MIDDLE}


def test_t14_two_reinforcements_at_once():
    table = Table().castle(0, "QC JS KC").castle(1, "5D\nQD JD KD").deck("7S", "2C", "9S", "3C", "4H").play(Act.DRAW)
    table.play(Act.RALLY)
    table.place(1, 1).play(Act.RALLY)
    assert table.pool_of(0) == {"7S", "9S"}
    table.place(1, 2)
    table.dice((3, 4), (1, 2)).attack(1, 0).add("7S", "9S")
    assert table.roll == (7 + 4 + 16, 8, True) and table.pool_of(0) == set() and {"7S", "9S"} <= table.discarded()


def test_t15_no_rallying_without_a_jack():
    table = Table().castle(0, "QC . KC").castle(1, "5D\nQD JD KD").pool(0, "7S").draw("9S")
    assert not table.can(Act.RALLY)
    assert table.dice((3, 4), (1, 2)).attack(1, 0).add("7S").roll == (7 + 9 + 7, 8, True)


def test_t16_archers():
    table = Table().castle(1, "8C 2D+ 4D+\n9C+ JS QH+ 6C KS").deck("AH", "7S", "4H").play(Act.DRAW).play(Act.LEAD)
    table.play(Act.FIRST, 0)
    assert table.cells() == {MIDDLE, RIGHT}, "only revealed cards outside Courts"
    table.dice((1, 2, 3, 4), NO_DOUBLE).attack(*MIDDLE)
    assert table.roll == (10 + 7, 5, True) and table.cells() == {RIGHT}
    assert table.dice((1, 2, 3, 4), NO_DOUBLE).attack(*RIGHT).roll == (10 + 4, 7, True)


def test_t17_a_battering_ram():
    table = Table().castle(1, "QH JS KS 10C").deck("AH", "2S", "7S").play(Act.DRAW).play(Act.LEAD).play(Act.FIRST, 0)
    table.dice((6, 5, 4, 3, 4, 3, 2, 1), (1, 2, 4, 5, 6)).play(Act.RAM, 3)
    assert table.rolls == [(18 + 2, 3 + 10, True), (10 + 2, 15 + 10, False)]


def test_t18_an_assassin():
    table = f1("9H", "3H 2H 5H\n8C 2D 4D\n9C JS QH 6C KS").turn(0).deck("AH", "8S", "7S").play(Act.DRAW)
    table.play(Act.LEAD).play(Act.FIRST, 0).end()
    assert not table.up(1, *MIDDLE) and MIDDLE in table.cells()
    assert table.dice((1, 2, 3, 4), NO_DOUBLE).attack(*MIDDLE).roll == (10 + 8, 5, True)


def test_t19_a_defeated_ace():
    table = Table().castle(1, "AS 5D\nQD JD KD").draw("9H").dice((6, 5), NO_DOUBLE).attack(1, 0)
    assert table.roll == (20, 4, True) and table.dice((3, 4), NO_DOUBLE).attack(1, 1).roll == (7 + 9 - 1, 8, True)


def test_t20_the_king_without_a_queen():
    assert f1("9H", "8C 2D 4D\n9C JS 10C 6C KS").dice((3, 4), (4, 5, 6)).attack(*KING).roll == (16, 9 + 10, False)


def test_t21_a_full_court():
    table = Table().castle(0, "2C 3C 4C QC JC KC 5C 6C 7C").draw("9S")
    assert not any(r == 0 for r, _ in table.spots())


def test_t22_a_full_column():
    table = Table().castle(0, "2C\n3C\n4C\nQC JC KC").draw("9S")
    assert not any(c == 0 for _, c in table.spots()) and max(r for r, _ in table.spots()) == 3


def test_t23_an_open_column_in_the_court():
    table = Table().castle(1, "5D 6D . 7D 9D\n2S KD . QD JD").draw("9H")
    assert {(0, 1), (0, 3)} <= table.cells()
    table = table.turn(1).play(Act.CLOSE).turn(0).draw("9H")
    assert table.layout(1)[0, 1] == "KD" and table.layout(1)[0, 2] == "QD"
    assert not {(0, 1), (0, 2)} & table.cells(), "neighbours, with cards above them"
    table = Table().castle(1, "KD . QD JD").turn(1).play(Act.CLOSE).turn(0).draw("9H")
    assert table.cells() == {(0, 0), (0, 1), (0, 2)}, "nothing above: from the upper side"


@pytest.mark.parametrize(("face", "add"), [("", 9), ("+", 3)])
def test_t24_a_saboteur(face, add):
    assert f1("3H", saboteur=True).dice((3, 4, 5), NO_DOUBLE).attack(*RIGHT).roll == (12 + 3, 7, True)
    assert f1("9H", f"8C 2D 3D{face}\n9C JS QH 6C KS", saboteur=True).dice((3, 4), (4, 5, 6)).attack(*RIGHT).roll == (
        16,
        15 + add,
        False,
    )


@pytest.mark.parametrize(("n", "left"), [(2, 30), (3, 25), (4, 20)])
def test_t25_the_deck_after_the_set_up(n, left):
    table = Table(n, begun=False)
    assert table.state.deck_size - table.state.deck_next == left
    for p in range(n):
        while table.asked[1] == p and table.stage in (Stage.SETUP, Stage.HAND):
            table.play(*table.legal()[0])
    assert len(table.next_cards()) == left - (table.stage == Stage.CARD)
    assert all(len(table.layout(p)) == 8 for p in range(n))
