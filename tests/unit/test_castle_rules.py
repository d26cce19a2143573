"""Castle rule by rule: one position, one rule, one expectation. Every reading of every ruling is played at least once.

Unless a test says otherwise player 0 attacks player 1, who has Queen, Jack and King of diamonds in columns 3 to 5 of the Court; player 0 has those of clubs.
What a roll comes to is written as (attack total, defence total, won).
"""

import numpy as np
import pytest

from bartizan.simcore.castle.components import Act, End, Event, Side, Stage
from tests.castle_table import Table, at, barricade, card, joker_of, laid, name_of, pooled, sq

TARGET, CARD, SPY, ADD, REMOVE, OWN = Stage.TARGET, Stage.CARD, Stage.SPY, Stage.ADD, Stage.REMOVE, Stage.OWN

# Row 1 stands on the Court, nothing is covered but the Court's inside: for attacks that go on.
WALL = """
    5D 2S 9D
    QD JD KD
"""
# One row outside the Court and one card on top of it.
TOWER = """
    .  9S .
    5D 2S 7D
    QD JD KD
"""


def with_wall(lead: str, **sets) -> Table:
    return Table(**sets).castle(1, WALL).draw(lead)


def set_up(table: Table, *spots: tuple[int, int]) -> Table:
    """Each asked player places what they are asked for on these cells, dealt cards as they were dealt."""
    for r, c in spots:
        if table.stage == Stage.HAND:
            table.play(Act.FIRST, 0)
        table.place(r, c)
    return table


# ---------------------------------------------------------------- 2 Set-up


@pytest.mark.rule("2.1")
@pytest.mark.parametrize("n", [2, 3, 4])
def test_each_player_gets_a_jack_a_queen_and_a_king(n):
    suits = set()
    for seed in range(12):
        s = Table(n, begun=False, seed=seed).state
        royals = [name_of(int(c)) for c in s.royal[:n].ravel()]
        assert [name[:-1] for name in royals] == ["J", "Q", "K"] * n and len(set(royals)) == 3 * n
        suits |= set(royals)
        number_cards = s.deck[s.deck_next : s.deck_size].tolist() + s.dealt[:n, :5].ravel().tolist()
        assert sorted(number_cards) == [c for c in range(52) if c % 13 < 10], (
            "the draw deck is Ace to 10; the other court cards are out"
        )
    assert len(suits) == 12, "every suit comes up for every rank"


@pytest.mark.rule("2.1")
def test_which_royals_a_player_gets():
    """C1"""
    same, mixed = 0, 0
    for seed in range(20):
        for n in (2, 4):
            families = [
                {int(c) // 13 for c in row}
                for row in Table(n, begun=False, seed=seed, royals_dealt="same_suit").state.royal[:n]
            ]
            assert all(len(family) == 1 for family in families) and len(set.union(*families)) == n
        family = {int(c) // 13 for c in Table(2, begun=False, seed=seed).state.royal[0]}
        same, mixed = same + (len(family) == 1), mixed + (len(family) > 1)
    assert mixed > 10 and same < 6, "three of one suit come up once in sixteen deals"


@pytest.mark.rule("2.1")
def test_players_choose_their_royals():
    """C1"""
    table = Table(3, begun=False, royals_dealt="choice")
    for rank, picks in (("J", (3, 0, 1)), ("Q", (3, 2, 0)), ("K", (1, 3, 2))):
        left = [0, 1, 2, 3]
        for p, suit in enumerate(picks):
            assert table.asked == (Stage.CHOOSE, p) and table.legal() == [(Act.SUIT, s) for s in left]
            table.play(Act.SUIT, suit)
            left.remove(suit)
            assert name_of(int(table.state.royal[p, "JQK".index(rank)])) == rank + "CDHS"[suit]
    assert table.asked == (Stage.SETUP, 0) and table.state.drawn == card("JS")


@pytest.mark.rule("2.2")
@pytest.mark.parametrize("n", [2, 3, 4])
def test_five_cards_each_that_their_player_sees(n):
    for jokers in (0, 2):
        for seed in range(8):
            table = Table(n, begun=False, seed=seed, jokers=jokers)
            s = table.state
            assert s.deck_size - s.deck_next == 40 - 5 * n + jokers
            for p in range(n):
                hand = [name_of(int(c)) for c in s.dealt[p, :5]]
                assert len(set(hand)) == 5 and all(table.seen_by(name) == {p} for name in hand)
                assert not {"*1", "*2"} & set(hand), "Jokers are shuffled into what is left of the deck"
            assert {"*1", "*2"} & set(table.next_cards()) == ({"*1", "*2"} if jokers else set())
            assert all(table.seen_by(name) == set() for name in table.next_cards())


@pytest.mark.rule("2.2")
def test_jokers_come_up_anywhere_in_the_deck():
    places = {Table(begun=False, seed=seed, jokers=1).next_cards().index("*1") for seed in range(300)}
    assert len(places) > 25 and min(places) == 0 and max(places) == 30


@pytest.mark.rule("2.3")
def test_who_places_what_and_where():
    table = Table(begun=False, seed=3)
    for p in (0, 1):
        royals = [name_of(int(c)) for c in table.state.royal[p]]
        hand = [name_of(int(c)) for c in table.state.dealt[p, :5]]
        assert table.asked == (Stage.SETUP, p) and table.layout(p) == {}
        for c in (4, 0, 8):
            assert table.kinds() == {Act.PLACE}
            assert table.spots() == {(0, c) for c in range(9) if (0, c) not in table.layout(p)}, (
                "royals anywhere, the Court only"
            )
            table.place(0, c)
        assert table.shown(p) == {(0, 4)} and table.asked == (Stage.HAND, p)
        assert table.legal() == [(Act.FIRST, i) for i in range(5)]
        table.play(Act.FIRST, 0)
        assert table.layout(p) == {(0, 0): royals[1], (0, 4): royals[0], (0, 8): royals[2]}
        assert table.spots() == {(0, 1), (1, 0), (0, 3), (0, 5), (1, 4), (0, 7), (1, 8)}, (
            "in or around it, also between royals"
        )
        for r, c in ((0, 1), (0, 2), (1, 1), (1, 4), (2, 4)):
            if table.stage == Stage.HAND:
                table.play(Act.FIRST, 0)
            assert (r, c) in table.spots()
            table.place(r, c)
        assert [table.card(p, r, c) for r, c in ((0, 1), (0, 2), (1, 1), (1, 4), (2, 4))] == hand, "as they were dealt"
        assert table.shown(p) == {(0, 4)}, "the Jack lies face up, everything else face down"
        assert table.seen_by(royals[0]) == {0, 1}
        assert all(table.seen_by(name) == {p} for name in royals[1:] + hand), "C3: owners know their own cards"
    assert table.asked == (Stage.TURN, 0), "the game begins; there are gaps to close"


@pytest.mark.rule("2.3")
def test_the_castle_may_shift_while_it_is_built():
    """C2: columns are relative."""
    table = set_up(Table(begun=False), (0, 4), (0, 0), (0, 3)).play(Act.FIRST, 0)
    assert table.spots() == {(0, -1), (1, 0), (0, 1), (0, 2), (1, 3), (0, 5), (1, 4)}
    queen, jack, king = table.card(0, 0, 0), table.card(0, 0, 4), table.card(0, 0, 3)
    hand = [name_of(int(c)) for c in table.state.dealt[0, :2]]
    table.place(0, -1)
    assert table.layout(0) == {(0, 0): hand[0], (0, 1): queen, (0, 5): jack, (0, 4): king}
    assert table.shown(0) == {(0, 5)}


@pytest.mark.rule("2.3")
def test_any_order_of_the_royals_with_anything_between_them():
    """J x x x x x Q K: eight cards of a Court, the royals more than four columns apart."""
    table = set_up(Table(begun=False), (0, 0), (0, 6), (0, 7), *((0, c) for c in range(1, 6)))
    assert len(table.layout(0)) == 8 and [table.card(0, 0, c)[0] for c in (0, 6, 7)] == ["J", "Q", "K"]
    table = set_up(Table(begun=False), (0, 8), (0, 1), (0, 0))
    assert table.asked == (Stage.HAND, 0)
    table = set_up(Table(begun=False, **{"grid.columns": 3}), (0, 1), (0, 0), (0, 2))
    assert [table.card(0, 0, c)[0] for c in range(3)] == ["Q", "J", "K"], (
        "the Jack between the others on the smallest grid"
    )


@pytest.mark.rule("2.3")
def test_the_dealt_cards_are_placed_in_any_order():
    table = set_up(Table(begun=False, seed=3), (0, 4), (0, 5), (0, 6))
    hand = [name_of(int(c)) for c in table.state.dealt[0, :5]]
    table.play(Act.FIRST, 3).place(1, 4)
    assert table.legal() == [(Act.FIRST, i) for i in range(4)]
    table.play(Act.FIRST, 0).place(2, 4)
    assert table.layout(0)[1, 4] == hand[3] and table.layout(0)[2, 4] == hand[0], "a card on one that was dealt later"
    table.play(Act.FIRST, 2).place(1, 5)
    assert table.card(0, 1, 5) == hand[4], "those left keep their order: the second, third and fifth"
    table.play(Act.FIRST, 1).place(1, 6)
    assert table.card(0, 1, 6) == hand[2] and table.asked == (Stage.SETUP, 0)
    assert table.state.drawn == card(hand[1]), "the last one is not asked for"


@pytest.mark.rule("2.4")
def test_the_limits_of_the_grid():
    table = Table().castle(0, "2C 3C 4C QC JC KC 5C 6C 7C").draw("2H")
    assert table.spots() == {(1, c) for c in range(9)}, "nine cards are in the Court, so are nine columns"
    table = Table().castle(0, "9H . . .\n8H . . .\n7H . . .\n2C QC JC KC", at=5).draw("2H")
    assert table.spots() == {(r, c) for r in (1, 2, 3) for c in (4, 6)} | {(0, 4), (1, 7), (1, 8), (0, 9)}, (
        "at most four rows; one card a cell; it may shift to the left"
    )
    table.place(1, 4)
    assert table.layout(0)[1, 4] == "2H" and table.card(0, 1, 5) == "7H"


@pytest.mark.rule("2.4")
def test_the_castle_shifts_inside_its_nine_columns():
    table = Table().castle(0, "2C+ QC JC KC 5C 6C 7C 8C").draw("2H")
    assert table.spots() == {(0, -1), (0, 8)} | {(1, c) for c in range(8)}
    left = table.copy().place(0, -1)
    assert left.layout(0) == dict(
        zip([(0, c) for c in range(9)], ["2H", "2C", "QC", "JC", "KC", "5C", "6C", "7C", "8C"])
    )
    assert left.shown(0) == {(0, 1), (0, 3)}
    assert table.place(0, 8).layout(0)[0, 8] == "2H" and table.card(0, 0, 0) == "2C"
    right = Table().castle(0, "2C+ QC JC KC 5C 6C 7C 8C", at=1).draw("2H")
    assert right.spots() == {(0, 0), (0, 9)} | {(1, c) for c in range(1, 9)}
    assert right.place(0, 9).layout(0)[0, 8] == "2H" and right.card(0, 0, 0) == "2C"
    assert right.shown(0) == {(0, 0), (0, 2)}


@pytest.mark.rule("2.4")
def test_a_smaller_grid():
    table = Table(**{"grid.rows": 2, "grid.columns": 5}).castle(0, "2C . . .\n3C QC JC KC").draw("2H")
    assert table.spots() == {(0, -1), (1, -1), (0, 4), (1, 1), (1, 2), (1, 3)}
    table.place(1, -1)
    assert table.layout(0) == {(1, 0): "2H", (1, 1): "2C", (0, 1): "3C", (0, 2): "QC", (0, 3): "JC", (0, 4): "KC"}


@pytest.mark.rule("2.5")
def test_clockwise_from_the_player_who_starts():
    """C4: seats are numbered from him."""
    table, order = Table(3, begun=False), []
    for _ in range(3):
        set_up(table, (0, 4), (0, 3), (0, 5), (1, 3), (1, 4), (1, 5), (2, 3), (2, 4))
    for _ in range(7):
        assert table.stage == CARD
        order.append((int(table.state.turn), table.asked[1]))
        table.play(Act.PLACE, table.args(Act.PLACE)[0])
    assert order == [(1, 0), (2, 1), (3, 2), (4, 0), (5, 1), (6, 2), (7, 0)]


# ---------------------------------------------------------------- 3 Turn


@pytest.mark.rule("3.1")
def test_the_drawer_alone_sees_his_card():
    table = Table(3).deck("9S", "4H", "3D").turn(1).play(Act.DRAW)
    assert table.asked == (CARD, 1) and table.state.drawn == card("9S")
    assert table.seen_by("9S") == {1}
    assert table.next_cards()[:2] == ["4H", "3D"]
    table.play(Act.PLACE, table.args(Act.PLACE)[0])
    assert table.asked == (CARD, 2) and table.state.drawn == card("4H"), "one thing a turn"


@pytest.mark.rule("3.2")
def test_a_card_is_placed_face_down_in_an_empty_cell():
    table = Table().draw("9S")
    assert table.spots() == {(0, 2), (0, 6), (1, 3), (1, 4), (1, 5)}
    table.place(1, 4)
    assert table.card(0, 1, 4) == "9S" and not table.up(0, 1, 4) and table.seen_by("9S") == {0}
    assert table.asked == (CARD, 1) and table.record()["placed"] == 1


@pytest.mark.rule("3.2")
def test_a_placed_card_may_lie_face_up():
    """C41"""
    for reading, shown in (("hidden", False), ("revealed", True)):
        table = Table(placed_face=reading).draw("9S").place(1, 4)
        assert table.up(0, 1, 4) == shown and table.seen_by("9S") == ({0, 1} if shown else {0})


@pytest.mark.rule("3.2")
def test_where_a_card_may_be_placed():
    """C2"""
    castle = "9H .  .  .  5D\n2C .  JC QC KC"
    adjacent = {(0, 1), (1, 1), (2, 2), (1, 3), (2, 6), (1, 4), (1, 5), (0, 7), (1, 7)}
    supported = {(0, 1), (0, 3), (2, 2), (1, 4), (1, 5), (2, 6), (0, 7)}
    spots = {
        reading: Table(placement=reading).castle(0, castle, at=2).draw("9S").spots()
        for reading in ("adjacent", "supported", "anywhere")
    }
    assert spots["adjacent"] == adjacent | {(0, 3)}
    assert spots["supported"] == supported
    taken = {(0, 2), (0, 4), (0, 5), (0, 6), (1, 2), (1, 6)}
    assert spots["anywhere"] == {(r, c) for r in range(4) for c in range(-1, 10)} - taken, (
        "the border too: the castle may shift"
    )


@pytest.mark.rule("3.3")
def test_a_drawn_card_may_attack():
    table = Table(3).castle(1, TOWER).draw("9C")
    assert table.targets() == {at(1, r, c) for r, c in ((2, 1), (1, 0), (1, 2), (0, 0), (0, 2))} | {
        at(2, 0, c) for c in (3, 4, 5)
    }
    for name in ("8C", "AC"):
        assert Table().draw(name).kinds() == {Act.PLACE, Act.LEAD, Act.RALLY}
    table = Table(3).turn(1).draw("9C")
    assert table.args(Act.ATTACK) == [at(2, 0, c) for c in (3, 4, 5)] + [at(0, 0, c) for c in (3, 5)], (
        "the Jack of clubs is face up, no target for clubs"
    )


@pytest.mark.rule("3.4")
def test_rally():
    table = Table().deck("7C", "2H").play(Act.DRAW)
    assert table.can(Act.RALLY)
    table.play(Act.RALLY)
    assert table.pool_of(0) == {"7C"} and table.seen_by("7C") == {0, 1}
    assert table.asked == (CARD, 1) and table.record()["rallied"] == 1
    for name in ("7D", "7H", "7S"):
        assert not Table().draw(name).can(Act.RALLY), "the suit of the own Jack only"
    assert Table().castle(0, "QC JS KC").draw("7S").can(Act.RALLY)


@pytest.mark.rule("3.4")
def test_rallying_may_leave_the_turn_open():
    """C5"""
    table = Table(rally_turn="draw_again").deck("7C", "2H", "9C").play(Act.DRAW).play(Act.RALLY)
    assert table.asked == (CARD, 0) and table.state.drawn == card("2H") and table.pool_of(0) == {"7C"}
    assert table.place(1, 4).asked == (CARD, 1)
    table = Table(rally_turn="draw_again").only("7C").play(Act.DRAW).play(Act.RALLY)
    assert table.state.on_turn == 1, "nothing is left to draw: the turn is over"
    assert table.asked == (OWN, 1), "a forced round for the next, who cannot draw"


@pytest.mark.rule("3.4")
def test_an_extra_card_may_be_rallied():
    """C46: any time a player picks up a card from the deck. Player 0 has the Jack of clubs."""
    for reading, asked in (("any", True), ("turns_card", False)):
        table = Table(rally_card=reading).castle(1, WALL).draw("9H").deck("4C", "4S").dice((3, 3), (1, 2)).attack(1, 1)
        assert (table.asked == (Stage.RALLY, 0)) == asked
    table = with_wall("9H").deck("4C", "4S").dice((3, 3), (1, 2)).attack(1, 1)
    assert table.legal() == [(Act.END, 0), (Act.RALLY, card("4C"))]
    joined = table.copy().end().dice((3, 4), (1, 2)).attack(1, 0)
    assert joined.roll[0] == 7 + 9 + 4 - 2 and joined.pool_of(0) == set()
    table.play(Act.RALLY, card("4C")).dice((3, 4), (1, 2)).attack(1, 0)
    assert table.asked == (ADD, 0) and table.pool_of(0) == {"4C"} and table.record()["rallied"] == 1
    assert table.end().roll[0] == 7 + 9 - 2, "it does not join the attack as well"
    assert with_wall("9H").castle(0, "QC . KC").deck("4C").dice((3, 3), (1, 2)).attack(1, 1).asked == (TARGET, 0), (
        "the Jack is dead"
    )
    table = Table(rally_turn="draw_again").castle(1, WALL).draw("9H").deck("4C", "4S").dice((3, 3), (1, 2))
    table.attack(1, 1).play(Act.RALLY, card("4C"))
    assert table.dice((3, 4), (1, 2)).attack(1, 0).end().roll[0] == 7 + 9 + 4 - 2, "C5: another card in its place"


@pytest.mark.rule("3.4")
def test_a_card_drawn_by_an_ace_may_be_rallied():
    """C46"""

    def drawn(*names, **sets):
        return Table(**sets).castle(1, "5D+ 6D+\nQD JD KD").deck("AH", *names, "10S").play(Act.DRAW).play(Act.LEAD)

    table = drawn("7C", "4C")
    assert table.asked == (Stage.RALLY, 0)
    assert table.legal() == [(Act.END, 0), (Act.RALLY, card("4C")), (Act.RALLY, card("7C"))], "once both are drawn"
    assert table.copy().end().stage == Stage.FIRST and table.copy().end().pool_of(0) == set()
    both = table.copy().play(Act.RALLY, card("4C")).play(Act.RALLY, card("7C"))
    assert both.pool_of(0) == {"4C", "7C"} and both.discarded() == {"AH"} and both.state.on_turn == 1
    table.play(Act.RALLY, card("7C"))
    assert table.asked == (TARGET, 0) and table.pool_of(0) == {"7C"}, "the 4 is passed over and shoots"
    assert table.dice((1, 2, 3, 4), (6, 5)).attack(1, 0).end().roll == (14, 16, False)
    assert table.discarded() == {"AH", "4C"} and table.state.on_turn == 1
    assert drawn("7C", "4S", rally_card="turns_card").stage == Stage.FIRST
    again = drawn("7C", "4S", rally_turn="draw_again").play(Act.RALLY, card("7C"))
    assert again.stage == Stage.FIRST
    assert again.state.pair.tolist() == [card("4S"), card("10S")], "C5: another card in its place"


@pytest.mark.rule("8.1")
def test_nobody_rallies_in_a_forced_round():
    table = run_dry(Table().castle(1, WALL).castle(0, "9H\nQC JC KC"))
    table.state.gone &= ~(1 << card("4C"))
    table.discard("4C", lifted=True).play(Act.OWN, sq(1, 0)).dice((3, 3), (1, 2)).attack(1, 1)
    assert table.asked == (TARGET, 0) and "4C" not in table.discarded(), "drawn for the double, and not asked about"


@pytest.mark.rule("3.5")
def test_a_six_as_a_barricade_only_with_its_rule():
    assert Act.LAY in Table(barricade=True).draw("6S").kinds()
    assert Act.LAY not in Table(barricade=True).draw("7S").kinds()
    assert Act.LAY not in Table().draw("6S").kinds()


@pytest.mark.rule("3.6")
def test_a_card_of_no_use_is_discarded():
    def full(**sets):
        return (
            Table(**{"grid.rows": 1, "grid.columns": 5, "deal.cards": 2, **sets})
            .castle(0, "2C QC JC KC 3C")
            .castle(1, "KS+ QS+ JS")
        )

    table = full().draw("5S")
    assert table.legal() == [(Act.DISCARD, 0)]
    table.play(Act.DISCARD)
    assert "5S" in table.discarded() and table.state.on_turn == 1 and table.record()["discarded_unused"] == 1
    assert full().draw("5H").kinds() == {Act.ATTACK}
    assert full().draw("5C").kinds() == {Act.ATTACK, Act.RALLY}
    assert full().draw("8S").kinds() == {Act.LEAD}
    assert full(royal_rule="allowed").draw("5S").kinds() == {Act.ATTACK}


@pytest.mark.rule("3.7")
def test_closing_gaps_instead_of_drawing():
    table = Table().castle(0, "QC . JC KC").turn(0).deck("9S")
    assert table.legal() == [(Act.DRAW, 0), (Act.CLOSE, 0)]
    table.play(Act.CLOSE)
    assert table.layout(0) == {(0, 0): "QC", (0, 1): "JC", (0, 2): "KC"}
    assert table.state.on_turn == 1 and table.state.drawn == card("9S"), "no card is drawn; the turn is over"
    assert table.record()["closed"] == 1


@pytest.mark.rule("3.7")
def test_an_own_card_may_attack_in_an_ordinary_turn():
    """C27"""
    table = Table(own_card_attack="yes").castle(0, "9S 8H\nQC JC KC").turn(0)
    assert table.legal() == [(Act.DRAW, 0)] + [(Act.OWN, sq(r, c)) for r, c in ((0, 0), (0, 1), (1, 0), (1, 1))], (
        "all but the King"
    )
    table.play(Act.OWN, sq(1, 0)).dice((3, 4), (1, 2))
    assert table.asked == (TARGET, 0) and table.kinds() == {Act.ATTACK}
    table.attack(0, 3)
    assert table.roll == (3 + 4 + 9 - 4, 1 + 2 + 10, False)
    assert table.card(0, 1, 0) == "" and "9S" in table.discarded() and table.state.on_turn == 1
    assert Table(own_card_attack="no").castle(0, "9S 8H\nQC JC KC").turn(0).kinds() == {Act.DRAW}


@pytest.mark.rule("3.8")
def test_the_discards_become_the_deck():
    table = Table().only(discards=("2C", "3D", "4H")).play(Act.DRAW)
    assert table.asked == (CARD, 0) and table.discarded() == set()
    assert {name_of(int(table.state.drawn)), *table.next_cards()} == {"2C", "3D", "4H"}
    assert all(table.seen_by(name) == set() for name in table.next_cards()), "nobody knows what the new deck holds"
    assert table.record()["reshuffles"] == 1 and table.record()["forced_rounds"] == 0
    orders = {
        tuple(Table(seed=seed).only(discards=("2C", "3D", "4H")).play(Act.DRAW).next_cards()) for seed in range(30)
    }
    assert len(orders) == 6, "shuffled"


@pytest.mark.rule("3.8")
def test_when_a_forced_round_begins():
    """C6"""
    assert Table().only().play(Act.DRAW).asked == (OWN, 0)
    assert Table(forced_round="deck_empty").only(discards=("2C", "3D")).play(Act.DRAW).asked == (OWN, 0)
    assert Table(forced_round="both_piles_empty").only(discards=("2C", "3D")).play(Act.DRAW).asked == (CARD, 0)
    table = Table(forced_round="deck_empty").castle(1, WALL).only("9C", discards=("2H",)).play(Act.DRAW)
    table.dice((3, 3), (1, 2)).attack(1, 1)
    assert (table.asked, table.record()["reshuffles"]) == ((TARGET, 0), 1), (
        "a draw within an attack makes the deck anew as ever"
    )


# ---------------------------------------------------------------- 4 Ordinary attack


@pytest.mark.rule("4.1")
def test_the_lead_is_shown_and_a_reachable_card_chosen():
    table = Table(3).castle(1, "5D+ . 9D\n7D 6D 2S\nQD JD KD").draw("9C")
    assert table.cells() == {(2, 0), (2, 2), (1, 0), (1, 1), (1, 2), (0, 0), (0, 2)}, "hidden or revealed (C26)"
    table.dice((1, 2), (3, 4)).attack(1, 0)
    assert table.seen_by("9C") == {0, 1, 2}


@pytest.mark.rule("4.1")
def test_an_eight_turns_a_card_before_it_chooses():
    table = Table().castle(1, WALL).draw("8C").play(Act.LEAD)
    assert table.asked == (SPY, 0) and table.seen_by("8C") == {0, 1}
    assert table.end().asked == (TARGET, 0) and table.kinds() == {Act.ATTACK}


@pytest.mark.rule("4.2")
def test_the_target_is_turned_up_and_stays_so():
    table = with_wall("2H").dice((1, 2), (3, 4)).attack(1, 1)
    assert table.roll == (5, 9, False)
    assert table.shown(1) == {(0, 1), (1, 1)} and table.card(1, 1, 1) == "2S" and table.seen_by("2S") == {0, 1}


@pytest.mark.rule("4.3")
def test_a_royal_of_the_leads_suit_calls_the_attack_off():
    for name, r, c in (("2D", 0, 0), ("2D", 0, 2)):
        table = Table().castle(1, "QD JS KD").draw(name).dice((6, 5), (1, 2)).attack(r, c)
        assert table.rolls == [] and table.up(1, r, c) and table.layout(1) == {(0, 0): "QD", (0, 1): "JS", (0, 2): "KD"}
        assert table.discarded() == {name} and table.state.on_turn == 1 and table.record()["called_off"] == 1
    table = Table().castle(1, "QD JS KD").draw("2H").dice((1, 2), (1, 2)).attack(0, 2)
    assert len(table.rolls) == 1 and table.record()["called_off"] == 0


@pytest.mark.rule("4.3")
def test_a_revealed_royal_of_the_leads_suit_cannot_be_chosen():
    """C39"""
    for reading, diamonds in (("forbidden", {(0, 0)}), ("allowed", {(0, 0), (0, 1), (0, 2)})):
        table = Table(royal_rule=reading).castle(1, "QD JD KD+")
        assert table.copy().draw("2D").cells() == diamonds
        assert table.copy().draw("2S").cells() == {(0, 0), (0, 1), (0, 2)}
    table = Table(royal_rule="allowed").castle(1, "QD JD KD").draw("2D").dice((1, 2), (1, 2)).attack(0, 0)
    assert table.roll == (1 + 2 + 2 - 4, 13, False) and table.record()["called_off"] == 0


@pytest.mark.rule("4.3")
def test_what_becomes_of_the_called_off_lead():
    """C7"""
    table = Table(called_off_lead="placed").draw("2D").attack(0, 3)
    assert table.asked == (Stage.KEEP, 0) and table.kinds() == {Act.PLACE}
    assert table.spots() == {(0, 2), (0, 6), (1, 3), (1, 4), (1, 5)}
    table.place(1, 4)
    assert table.card(0, 1, 4) == "2D" and not table.up(0, 1, 4) and table.discarded() == set()
    assert table.state.on_turn == 1
    full = (
        Table(called_off_lead="placed", **{"grid.rows": 1, "grid.columns": 5, "deal.cards": 2})
        .castle(0, "2C QC JC KC 3C")
        .castle(1, "QD JS KS")
        .draw("2D")
        .attack(0, 0)
    )
    assert full.discarded() == {"2D"} and full.state.on_turn == 1, "there is no cell"
    own = Table(called_off_lead="placed").castle(0, "2D\nQC JC KC").only().play(Act.DRAW).play(Act.OWN, sq(1, 0))
    own.attack(0, 3)
    assert own.discarded() == {"2D"}, "only a lead from the deck"


@pytest.mark.rule("4.3")
def test_what_becomes_of_the_called_off_target():
    """C7b"""
    for reading, up in (("revealed", True), ("turned_back", False)):
        table = Table(called_off_target=reading).draw("2D").attack(0, 3)
        assert table.up(1, 0, 3) == up and table.seen_by("QD") == {0, 1} and table.state.on_turn == 1


@pytest.mark.rule("4.4")
def test_an_attacked_eight_turns_a_card():
    """C17"""
    for reading, again in (("each_defence", True), ("on_reveal", False)):
        for face, asked in (("", True), ("+", again)):
            table = Table(eight_trigger=reading).castle(1, f"8S{face}\nQD JD KD").draw("9H").dice((1, 2), (3, 4))
            table.attack(1, 0)
            assert (table.asked == (SPY, 1)) == asked
            if asked:
                table.end()
            assert table.roll == (12, 15, False)


@pytest.mark.rule("4.5")
def test_reinforcements_first_the_attackers_then_the_defenders():
    table = Table().castle(1, WALL).pool(0, "3C", "6C", "9C").pool(1, "4D", "10D").draw("2H").dice((3, 4), (1, 2))
    table.attack(1, 1)
    assert table.asked == (ADD, 0)
    assert table.legal() == [(Act.END, 0)] + [(Act.ADD, card(name)) for name in ("3C", "6C", "9C")]
    table.add("3C", "9C")
    assert table.rolls == [] and table.asked == (ADD, 1), "nothing is left that comes after the last one added"
    assert table.add("4D").end().roll == (3 + 4 + 2 + 3 + 9, 1 + 2 + 2 + 4, True)
    assert table.pool_of(0) == {"6C"} and table.pool_of(1) == {"10D"} and {"3C", "9C", "4D"} <= table.discarded()
    assert table.asked == (TARGET, 0)


@pytest.mark.rule("4.5")
def test_reinforcements_are_gone_win_or_lose():
    table = Table().castle(1, WALL).pool(0, "3C").pool(1, "4D").draw("2H").dice((1, 2), (3, 4)).attack(1, 1).add("3C")
    assert table.add("4D").roll == (8, 13, False) and table.discarded() == {"2H", "3C", "4D"}
    assert table.pool_of(0) == table.pool_of(1) == set() and table.record()["added"] == 2
    table = Table().castle(1, WALL).pool(0, "3C").draw("2H").dice((1, 2), (3, 4)).attack(1, 1).end()
    assert table.roll == (5, 9, False) and table.pool_of(0) == {"3C"}, "nobody has to"


@pytest.mark.rule("4.5")
def test_how_long_reinforcements_count():
    """C8"""
    for reading, still, in_between in (("one_roll", 0, {"9C", "4D"}), ("whole_attack", 9, set())):
        table = Table(reinforcement_scope=reading).castle(1, WALL).pool(0, "9C").pool(1, "4D").draw("2H")
        table.dice((6, 5, 5, 4), (1, 2, 1, 2))
        table.attack(1, 1).add("9C").add("4D")
        assert table.roll == (11 + 2 + 9, 3 + 2 + 4, True) and table.discarded() == in_between
        table.attack(0, 1)
        assert table.roll == (9 + 2 - 2 + still, 3 + 10 + (4 if still else 0), still > 0)
        if still:
            table.end()
        assert {"2H", "2S", "9C", "4D"} <= table.discarded()


@pytest.mark.rule("4.5")
def test_reinforcements_of_two_cards_of_an_ace():
    """C8: the whole attack is one card of an Ace."""
    table = Table(reinforcement_scope="whole_attack").castle(1, "5D+ 2S+\nQD JD KD").pool(0, "9C")
    table.deck("AH", "3S", "3H").play(Act.DRAW).play(Act.LEAD)
    table.dice((1, 1, 2, 2, 1, 1, 2, 2), (1, 2, 1, 2)).attack(1, 0).add("9C")
    assert table.roll == (6 + 3 + 9, 3 + 5, True)
    table.attack(1, 1)
    assert table.roll == (6 + 3, 3 + 2, True)


@pytest.mark.rule("4.5")
@pytest.mark.parametrize("reading", ["attacker_first", "simultaneous"])
def test_nobody_sees_more_or_less_by_the_order_of_adding(reading):
    """C8b: the questions are the same; what the defender may take into account is the policies' affair."""
    table = Table(reinforcement_order=reading).castle(1, WALL).pool(0, "3C").pool(1, "4D").draw("2H")
    table.dice((3, 4), (1, 2)).attack(1, 1)
    assert table.asked == (ADD, 0)
    assert table.end().asked == (ADD, 1) and table.end().roll == (9, 5, True)


@pytest.mark.rule("4.6")
@pytest.mark.parametrize(
    ("target", "attack", "defence"),
    [
        ((1, 0), 3 + 4 + 7, 1 + 2 + 5),
        ((1, 1), 3 + 4 + 7, 1 + 2 + 1),
        ((0, 0), 3 + 4 + 7 - 4, 1 + 2 + 10),
        ((0, 1), 3 + 4 + 7, 1 + 2 + 10),
        ((0, 2), 3 + 4 + 7, 1 + 2 + 4 + 10),
    ],
    ids=["a number card", "an Ace", "the Queen", "the Jack", "the King: three dice"],
)
def test_what_a_roll_comes_to(target, attack, defence):
    columns = {(1, 0): "5D", (1, 1): "AS"}
    above = " ".join(columns.get((1, c), ".") if (1, c) == target else "." for c in range(3))
    table = Table().castle(1, f"{above}\nQD JD KD").draw("7H").dice((3, 4), (1, 2, 4)).attack(*target)
    assert table.roll == (attack, defence, attack > defence)


@pytest.mark.rule("4.6")
def test_a_queen_as_lead_takes_four_off_the_defence():
    table = Table().castle(1, WALL).only().play(Act.DRAW).play(Act.OWN, sq(0, 3)).dice((3, 4), (1, 2)).attack(1, 0)
    assert table.roll == (17, 1 + 2 + 5 - 4, True)
    table = Table().castle(1, WALL).only().play(Act.DRAW).play(Act.OWN, sq(0, 4)).dice((3, 4), (1, 2)).attack(1, 0)
    assert table.roll == (17, 1 + 2 + 5, True), "a Jack does not"


@pytest.mark.rule("4.6")
def test_whom_the_queen_protects():
    """C24"""
    for reading, off in (("herself", 0), ("all_cards", 4)):
        table = Table(queen_protects=reading).castle(1, WALL).draw("9H").dice((3, 4), (1, 2)).attack(1, 0)
        assert table.roll == (16 - off, 1 + 2 + 5 - off, True), (
            "both Queens live: -4 for the attack on her castle, -4 for the defence against her owner"
        )
        table = Table(queen_protects=reading).castle(1, "5D 2S\nJD KD").draw("9H").dice((3, 4), (1, 2)).attack(1, 0)
        assert table.roll == (16, 8 - off, True), "the defender's Queen is dead"
        table = Table(queen_protects=reading).castle(0, "JC KC").castle(1, WALL).draw("9H").dice((3, 4), (1, 2))
        table.attack(1, 0)
        assert table.roll == (16 - off, 8, True), "the attacker's is"
        table = Table(queen_protects=reading).castle(0, "JC KC").draw("9H").dice((3, 4), (1, 2)).attack(0, 3)
        assert table.roll == (12, 13, False), "once, not twice, against herself"
        table = Table(queen_protects=reading).pool(1, "5D").deck("AH", "3S", "3H").play(Act.DRAW).play(Act.LEAD)
        table.dice((1, 2, 3, 4), (1, 2)).play(Act.ATTACK, pooled("5D"))
        assert table.roll == (13, 8 - off, True), "a reinforcement is no card of her castle"


@pytest.mark.rule("4.7")
def test_only_a_higher_total_wins():
    for faces, won in (((2, 3), False), ((2, 4), False), ((2, 5), True)):
        table = with_wall("4H").dice(faces, (3, 2)).attack(1, 0)
        assert table.roll == (sum(faces) + 4, 10, won) and (table.card(1, 1, 0) == "") == won


@pytest.mark.rule("4.8")
def test_a_won_attack_may_go_on_left_right_and_down():
    """C9"""
    table = with_wall("9H").dice((6, 5), (1, 2)).attack(1, 1)
    assert table.roll[2] and table.card(1, 1, 1) == ""
    assert "2S" not in table.discarded(), "set aside until the attack ends"
    assert table.asked == (TARGET, 0) and table.cells() == {(1, 0), (1, 2), (0, 1)} and table.can(Act.END)
    assert table.copy().end().state.on_turn == 1
    table.dice((3, 4), (1, 2)).attack(1, 2)
    assert table.roll == (3 + 4 + 9 - 2, 1 + 2 + 9, True), "the force falls by the value of the card defeated"
    assert table.cells() == {(0, 2), (1, 0)}, "from (1, 2): down, and left over the empty cell"
    table.dice((3, 4), (1, 2)).attack(1, 0)
    assert table.roll == (3 + 4 + 9 - 2 - 9, 1 + 2 + 5, False)
    assert {"9H", "2S", "9D"} == table.discarded()
    assert not with_wall("9H", follow_through="must").dice((6, 5), (1, 2)).attack(1, 1).can(Act.END)


@pytest.mark.rule("4.8")
def test_empty_cells_are_passed_over_and_only_the_first_card_is_met():
    table = Table().castle(1, "5D . . 3S . . 2S 9D\n.  . . .  . . .  .\nQD . . JD KD . . .").draw("9H")
    table.dice((6, 5), (1, 2)).attack(2, 3)
    assert table.cells() == {(2, 0), (2, 6), (0, 3)}
    table = Table().castle(1, "5D\n2S\n3S\nQD JD KD").draw("9H").dice((6, 5), (1, 2)).attack(0, 1)
    assert table.cells() == {(0, 0), (0, 2)}
    table = Table().castle(1, "5D .\n2S .\nQD JD KD").draw("9H").dice((6, 5), (1, 2)).attack(1, 0)
    assert table.cells() == {(0, 0)}, "never upward"


@pytest.mark.rule("4.8")
def test_where_an_attack_goes_on_to():
    """C10"""
    castle = """
        6D 2S 9D
        .  .  5D
        QD JD KD
    """
    for reading, cells in (("left_right_down", {(1, 2), (2, 0)}), ("relative", {(1, 2)}), ("any", {(1, 2), (2, 0)})):
        table = Table(follow_directions=reading).castle(1, castle).draw("10H").dice((6, 5), (1, 2)).attack(2, 1)
        assert table.cells() == {(2, 0), (2, 2), (0, 1)}, "it came from above"
        assert table.dice((6, 5), (1, 2)).attack(2, 2).roll == (11 + 10 - 2, 3 + 9, True)
        assert table.cells() == cells, "going right, left is where it came from"
    for reading, cells in (
        ("left_right_down", {(0, 0), (0, 2)}),
        ("relative", {(0, 0), (0, 2)}),
        ("any", {(0, 0), (0, 2), (2, 1)}),
    ):
        table = Table(follow_directions=reading).castle(1, ". 5D\n. .\nQD JD KD").draw("10H").dice((6, 5), (1, 2))
        table.attack(0, 1)
        assert table.roll == (21, 13, True) and table.cells() == cells, "it came from above: up leads back"
    for reading, cells in (
        ("left_right_down", {(1, 2), (0, 0)}),
        ("relative", {(1, 2), (0, 0), (2, 0)}),
        ("any", {(1, 2), (0, 0), (2, 0)}),
    ):
        table = Table(follow_directions=reading).castle(1, "5D 6D 3D\n2S .  7D\nQD JD KD").draw("10H")
        table.dice((6, 5), (1, 2)).attack(1, 0)
        assert table.cells() == cells, "it came from the left: only left leads back"


@pytest.mark.rule("4.8")
def test_the_follow_up_is_turned_up_and_may_call_the_attack_off():
    table = with_wall("10D").dice((6, 5), (1, 2)).attack(1, 0)
    assert table.cells() == {(1, 1), (0, 0)}
    table.attack(0, 0)
    assert table.rolls == [] and table.up(1, 0, 0) and table.discarded() == {"10D", "5D"} and table.state.on_turn == 1
    table = Table().castle(1, "5D 2S\nQD+ JD KD").draw("9D").dice((6, 5), (1, 2)).attack(1, 0)
    assert table.cells() == {(1, 1)}, "a revealed royal of the lead's suit cannot be chosen here either"


@pytest.mark.rule("4.9")
def test_a_failed_attack_is_over():
    table = with_wall("2H").dice((1, 2), (3, 4)).attack(1, 1)
    assert table.roll == (5, 9, False) and table.asked == (CARD, 1) and table.discarded() == {"2H"}


@pytest.mark.rule("4.10")
def test_where_cards_go_at_the_end():
    table = with_wall("9H").deck("4S").dice((3, 3), (1, 2)).attack(1, 1)
    assert table.discarded() == set()
    assert "4S" not in table.next_cards(), "lead, extra card and the set-aside card are on the table"
    table.end()
    assert table.discarded() == {"9H", "4S", "2S"}


@pytest.mark.rule("4.10")
def test_dead_royals_are_discarded():
    """C11"""
    for reading, discarded, gone in (("to_discard", {"10H", "JD"}, set()), ("removed", {"10H"}, {"JD"})):
        table = Table(dead_royals=reading).draw("10H").dice((6, 5), (1, 2)).attack(0, 4).end()
        assert table.discarded() == discarded and table.gone() == gone and table.record()["royals_lost"] == 1
        assert table.state.royal[1, 0] == -1


@pytest.mark.rule("4.10")
def test_a_royal_that_comes_back_is_a_plain_card_of_value_ten():
    """C11"""
    table = Table(dead_royals="to_discard").castle(1, "5D 2S\nQD JD KD").deck("JS", "QS", "KS").play(Act.DRAW)
    table.dice((3, 4), (1, 2)).attack(1, 0)
    assert table.roll == (17, 8, True)
    table.end()
    assert "JS" in table.discarded() and table.state.drawn == card("QS")
    assert table.place(1, 2).card(1, 1, 2) == "QS"
    assert table.state.royal[1].tolist() == [card("JD"), card("QD"), card("KD")]
    table = Table(dead_royals="to_discard").castle(1, "KS~ QS~\nQD JD KD").draw("10S").dice((3, 4), (1, 2)).attack(1, 0)
    assert table.roll == (17, 13, True), "two dice, and no Royal rule"
    table.dice((3, 4), (1, 2)).attack(1, 1)
    assert table.roll == (7 + 10 - 10, 13, False), "no -4, and the force fell by ten"
    assert table.lives(1)


# ---------------------------------------------------------------- 5 What can be reached


def reached(picture: str) -> set[tuple[int, int]]:
    return Table().castle(1, picture).draw("10H").cells()


@pytest.mark.rule("5.1")
def test_open_ground_comes_from_the_left_the_right_and_above():
    closed = """
        2S 3S 4S
        5S .  6S
        QD JD KD
    """
    assert reached(closed) == {(2, 0), (2, 1), (2, 2), (1, 0), (1, 2), (0, 0), (0, 2)}, (
        "the hole inside is no open ground"
    )
    assert reached(closed.replace("6S", ". ")) == {(2, 0), (2, 1), (2, 2), (1, 0), (0, 0), (0, 1), (0, 2)}, (
        "now it is: the Jack can be reached from above"
    )
    assert reached("5D . 6D\n2S . 3S\nQD JD KD") == {(2, 0), (2, 2), (1, 0), (1, 2), (0, 0), (0, 1), (0, 2)}


@pytest.mark.rule("5.1")
def test_ground_spreads_round_corners():
    """In at the right, one down, two to the left."""
    picture = """
        2S 3S 4S 5S .
        6S .  .  .  .
        7S .  9S 10S .
        QD JD 2H 3H KD
    """
    assert reached(picture) >= {(0, 1), (1, 2), (1, 3)} and not reached(picture) & {(0, 2), (0, 3)}


@pytest.mark.rule("5.2")
def test_not_from_below():
    picture = """
        5S 7S 9S
        2S 3S 4S
        6S .  .
        QD JD KD
    """
    assert reached(picture) == {(3, 0), (3, 1), (3, 2), (2, 0), (2, 2), (1, 0), (0, 0), (0, 1), (0, 2)}, (
        "(2, 1) has open ground below only"
    )
    assert reached("2S 3S 4S\nQD JD KD") == {(1, 0), (1, 1), (1, 2), (0, 0), (0, 2)}, "the ground under row 0 is solid"


@pytest.mark.rule("5.3")
def test_topmost_cards_ends_of_rows_and_open_columns():
    assert reached(TOWER) == {(2, 1), (1, 0), (1, 2), (0, 0), (0, 2)}
    assert reached("QD 2S . JD KD") == {(0, 0), (0, 1), (0, 3), (0, 4)}
    assert reached("5S 6S . 7S 9S\nQD 2S . JD KD") == {
        (1, 0),
        (1, 1),
        (1, 3),
        (1, 4),
        (0, 0),
        (0, 1),
        (0, 3),
        (0, 4),
    }, "beside an open column"
    assert reached("3S 4S 10S\n5S 6S 7S\nQD JD KD") == {(2, 0), (2, 1), (2, 2), (1, 0), (1, 2), (0, 0), (0, 2)}, (
        "the inside of a block is not"
    )


# ---------------------------------------------------------------- 6 Dice events


@pytest.mark.rule("6.1")
def test_a_double_brings_a_card_and_another_attack():
    table = with_wall("9H").deck("4S", "6H").dice((3, 3), (1, 2)).attack(1, 1)
    assert table.roll == (15, 5, True)
    assert table.asked == (TARGET, 0) and table.cells() == {(1, 0), (1, 2), (0, 1)} and table.can(Act.END)
    assert table.next_cards()[0] == "6H" and table.seen_by("4S") == {0, 1}
    table.dice((5, 5), (1, 2)).attack(1, 2)
    assert table.roll == (10 + 9 + 4 - 2, 12, True)
    table.dice((3, 4), (1, 2)).attack(0, 2)
    assert table.roll[0] == 7 + 9 + 4 + 6 - 2 - 9, "extra cards count for the rest of the attack"
    assert {"9H", "4S", "6H", "2S", "9D"} <= table.discarded()


@pytest.mark.rule("6.1")
def test_a_double_after_a_loss():
    """C14"""
    for reading, cells in (("same_or_other", {(1, 0), (1, 1), (1, 2), (0, 0), (0, 2)}), ("same", {(1, 1)})):
        table = (
            Table(lost_double_target=reading).castle(1, WALL).draw("2H").deck("4S").dice((2, 2), (3, 6)).attack(1, 1)
        )
        assert table.roll == (6, 11, False)
        assert table.asked == (TARGET, 0) and table.cells() == cells
        assert table.can(Act.END), "nothing is won yet: any reachable card of the same castle"
        table.dice((3, 4), (1, 2)).attack(1, 1)
        assert table.roll == (7 + 2 + 4, 5, True)
    for reading, cells in (("same_or_other", {(1, 2), (1, 0), (0, 1)}), ("same", {(1, 2)})):
        table = (
            Table(lost_double_target=reading).castle(1, WALL).draw("2H").deck("4S").dice((6, 5), (1, 2)).attack(1, 1)
        )
        table.dice((2, 2), (3, 6)).attack(1, 2)
        assert table.roll == (4 + 2 - 2, 18, False)
        assert table.cells() == cells, "the same again, or another from the last won cell"
    table = Table(3).castle(1, WALL).draw("2H").dice((2, 2), (3, 6)).attack(1, 1)
    assert not table.cells(2), "of the same castle only"


@pytest.mark.rule("6.1")
def test_a_royal_of_the_leads_suit_is_no_second_choice_either():
    table = Table().castle(1, "5D 2S\nQD+ JS KD").draw("2D").deck("9S").dice((2, 2), (3, 6)).attack(1, 1)
    assert table.cells() == {(1, 0), (1, 1), (0, 2)}


@pytest.mark.rule("6.1")
def test_other_rolls_bring_nothing():
    for faces in ((1, 1), (3, 4), (6, 1)):
        table = with_wall("2H").dice(faces, (6, 5)).attack(1, 2)
        assert table.roll[2] is False and table.state.on_turn == 1, faces


@pytest.mark.rule("6.1")
def test_how_long_an_extra_card_counts():
    """C13"""
    for reading, then in (("lasting", 4), ("one_roll", 0)):
        table = Table(extra_card_scope=reading).castle(1, WALL).draw("9H").deck("4S").dice((3, 3), (1, 2)).attack(1, 1)
        assert table.dice((6, 5), (1, 2)).attack(1, 2).roll == (11 + 9 + 4 - 2, 12, True)
        assert table.dice((3, 4), (1, 2)).attack(1, 0).roll[0] == 7 + 9 + then - 2 - 9


@pytest.mark.rule("6.1")
def test_extra_cards_have_no_special_power():
    for name, value in (("8S", 8), ("AS", 1), ("3S", 3)):
        table = with_wall("9H", saboteur=True).deck(name).dice((3, 3), (1, 2)).attack(1, 1)
        assert table.asked == (TARGET, 0)
        assert table.dice((3, 4), (1, 2)).attack(1, 0).roll == (7 + 9 - 2 + value, 8, True)


@pytest.mark.rule("6.1")
def test_a_double_without_a_card_left():
    table = Table().castle(1, WALL).only("9H").play(Act.DRAW).dice((3, 3), (1, 2)).attack(1, 1)
    assert table.asked == (TARGET, 0) and table.dice((3, 4), (1, 2)).attack(1, 0).roll == (7 + 9 - 2, 8, True)


@pytest.mark.rule("6.1")
def test_a_double_that_kills_a_king_attacks_again():
    """C47"""
    for reading, again in (("yes", True), ("no", False)):
        table = Table(3, double_anew=reading).castle(1, "5D\nQD JD KD").castle(2, "6H\nQH JH KH").draw("10S")
        table.deck("4S", "9S").dice((6, 6), (1, 2, 2)).attack(0, 2)
        assert table.roll == (22, 15, True) and not table.lives(1) and (table.asked == (TARGET, 0)) == again
        if again:
            assert table.can(Act.END) and table.cells(2) == {(1, 0), (0, 0), (0, 1), (0, 2)}
            assert not table.cells(1), "any target, not only from the won cell"
            assert table.copy().end().discarded() >= {"10S", "4S", "KD"}
            assert table.dice((3, 4), (1, 2)).attack(1, 0, q=2).roll == (7 + 10 + 4 - 10, 9, True)
    must = Table(3, follow_through="must").castle(1, "5D\nQD JD KD").draw("10S").deck("4S", "9S")
    must.dice((6, 6), (1, 2, 2)).attack(0, 2)
    assert must.asked == (TARGET, 0) and not must.can(Act.END), "C9"
    plain = Table(3).castle(1, "5D\nQD JD KD").draw("10S").dice((6, 5), (1, 2, 2)).attack(0, 2)
    assert plain.state.on_turn == 2, "without a double the attack is over"
    assert Table().castle(1, "KD").draw("10S").deck("4S").dice((6, 6), (1, 2)).attack(0, 0).is_over()


@pytest.mark.rule("6.2")
def test_snake_eyes_of_the_bonus_dice():
    """C51"""
    for reading, asked in (("count", True), ("none", False)):
        table = Table(bonus_snake_eyes=reading).castle(1, WALL).draw("2H").dice((3, 4), (4, 4, 1, 1)).attack(1, 0)
        assert table.roll == (9, 8 + 2 + 5, False) and (table.asked == (REMOVE, 0)) == asked
    table = Table(defence_chain="chain").castle(1, WALL).draw("2H").dice((3, 4), (4, 4, 3, 3, 1, 1)).attack(1, 0)
    assert table.roll == (9, 8 + 6 + 2 + 5, False) and table.asked == (REMOVE, 0)


@pytest.mark.rule("6.2")
@pytest.mark.parametrize(
    ("faces", "once", "chain"),
    [
        ((4, 4, 2, 3), 13, 13),
        ((6, 6, 5, 5, 1, 3), 22, 26),
        ((2, 2, 3, 3, 4, 4, 1, 1), 10, 20),
        ((3, 3, 1, 1, 6, 5), 8, 8),
        ((1, 1, 5, 6), 2, 2),
        ((5, 2, 4, 4), 7, 7),
    ],
)
def test_a_defenders_double_brings_two_dice(faces, once, chain):
    """C15"""
    for reading, dice in (("once", once), ("chain", chain)):
        table = Table(defence_chain=reading).castle(1, WALL).draw("2H").dice((3, 4), faces).attack(1, 0)
        assert table.roll == (9, dice + 5, 9 > dice + 5)


@pytest.mark.rule("6.2")
def test_doubles_among_three_dice():
    """C12"""
    for faces, each_pair, any_equal in (
        ((4, 4, 2), 7, 7),
        ((4, 2, 4), 0, 7),
        ((2, 4, 4), 0, 7),
        ((1, 1, 5), 0, 0),
        ((2, 3, 4), 0, 0),
        ((3, 3, 3), 7, 7),
    ):
        for reading, more in (("never", 0), ("each_pair", each_pair), ("any_equal", any_equal)):
            table = (
                Table(multi_dice_doubles=reading, snake_eyes="may").draw("2H").dice((3, 4), (*faces, 2, 5)).attack(0, 5)
            )
            assert table.roll == (9, sum(faces) + more + 10, False), (faces, reading)


@pytest.mark.rule("6.3")
def test_the_attackers_snake_eyes():
    """C16"""
    for reading, end in (("may", [(Act.END, 0)]), ("must", [])):
        table = Table(snake_eyes=reading).castle(0, "5C 6C+ 7C\nQC JC KC").castle(1, WALL).draw("2H")
        table.dice((1, 1), (3, 4)).attack(1, 1)
        assert table.roll == (4, 9, False), "the roll counts 2"
        assert table.asked == (REMOVE, 1)
        assert table.legal() == end + [(Act.REMOVE, sq(1, 0)), (Act.REMOVE, sq(1, 2))], (
            "a hidden card outside the Court"
        )
        table.play(Act.REMOVE, sq(1, 2))
        assert table.card(0, 1, 2) == "" and {"7C", "2H"} == table.discarded()
        assert table.seen_by("7C") == {0, 1} and table.record()["removals"] == 1
        assert table.state.on_turn == 1, "no benefit of a double"
    assert (
        Table(snake_eyes="may")
        .castle(0, "5C\nQC JC KC")
        .castle(1, WALL)
        .draw("2H")
        .dice((1, 1), (3, 4))
        .attack(1, 1)
        .end()
        .layout(0)[1, 0]
        == "5C"
    )


@pytest.mark.rule("6.3")
def test_the_defenders_snake_eyes():
    table = Table().castle(0, "5C\nQC JC KC").castle(1, WALL).draw("2H").dice((3, 4), (1, 1)).attack(1, 0)
    assert table.roll == (9, 7, True)
    assert table.asked == (REMOVE, 0) and table.spots(Act.REMOVE) == {(1, 1), (1, 2)}
    table.play(Act.REMOVE, sq(1, 1))
    assert table.layout(1) == {(1, 2): "9D", (0, 0): "QD", (0, 1): "JD", (0, 2): "KD"}
    assert table.asked == (TARGET, 0)
    assert table.cells() == {(1, 2), (0, 0)}, "after the combat is settled; then the attack goes on"


@pytest.mark.rule("6.3")
def test_both_roll_snake_eyes():
    table = Table().castle(0, "5C\nQC JC KC").castle(1, WALL).draw("2H").dice((1, 1), (1, 1)).attack(1, 0)
    assert table.roll == (4, 7, False) and table.asked == (REMOVE, 1) and table.spots(Act.REMOVE) == {(1, 0)}
    table.play(Act.REMOVE, sq(1, 0))
    assert table.asked == (REMOVE, 0)
    assert table.spots(Act.REMOVE) == {(1, 1), (1, 2)}, "the card attacked lies face up now"


@pytest.mark.rule("6.3")
def test_revealed_cards_only_when_there_is_no_hidden_one():
    table = Table().castle(0, "5C+ 6C+\nQC JC KC").castle(1, WALL).draw("2H").dice((1, 1), (3, 4)).attack(1, 1)
    assert table.asked == (REMOVE, 1) and table.spots(Act.REMOVE) == {(1, 0), (1, 1)}
    table = Table().castle(1, WALL).draw("2H").dice((1, 1), (3, 4)).attack(1, 1)
    assert table.asked == (CARD, 1), "nothing outside the Court"


@pytest.mark.rule("6.3")
def test_snake_eyes_among_four_dice():
    """C12"""
    for faces, asked in (
        ((1, 1, 3, 4), {"each_pair", "any_equal"}),
        ((3, 4, 1, 1), {"each_pair", "any_equal"}),
        ((1, 3, 1, 4), {"any_equal"}),
        ((2, 2, 3, 4), set()),
    ):
        for reading in ("never", "each_pair", "any_equal"):
            table = Table(multi_dice_doubles=reading).castle(0, "5C\nQC JC KC").castle(1, "5D+\nQD JD KD")
            table.deck("AH", "3S", "3H").play(Act.DRAW).play(Act.LEAD)
            table.dice(faces, (6, 5)).attack(1, 0)
            assert (table.asked == (REMOVE, 1)) == (reading in asked), (faces, reading)
            assert table.roll == (sum(faces) + 3, 16, False), "archers have no use of a double"


@pytest.mark.rule("6.3")
def test_a_double_and_snake_eyes_in_one_roll():
    """C12: both may come at once."""
    for reading, more in (("never", 0), ("each_pair", 5), ("any_equal", 5)):
        table = Table(multi_dice_doubles=reading, **{"ordinary.defence_dice": 4}).castle(1, WALL).draw("9H")
        table.dice((3, 4), (1, 1, 4, 4, 2, 3)).attack(1, 0)
        assert table.roll == (16, 10 + more + 5, more == 0)
        assert (table.asked == (REMOVE, 0)) == (more > 0)


# ---------------------------------------------------------------- 7 Eights and Aces


def ace(table: Table, first: str, second: str, suit: str = "H") -> Table:
    """The player on turn attacks with an Ace and draws these two; the first of them comes first."""
    table.deck(f"A{suit}", first, second).play(Act.DRAW).play(Act.LEAD)
    while table.stage == Stage.RALLY:
        table.end()
    return table.play(Act.FIRST, 0) if table.stage == Stage.FIRST else table


@pytest.mark.rule("7.1")
def test_an_eight_turns_any_one_card_of_any_castle():
    table = Table(3).castle(1, "5D+ 2S\nQD JD KD").draw("8D").play(Act.LEAD)
    own = [at(0, 0, 3), at(0, 0, 5)]
    theirs = [at(1, 0, 0), at(1, 0, 2), at(1, 1, 0), at(1, 1, 1)]
    third = [at(2, 0, 3), at(2, 0, 5)]
    assert table.asked == (SPY, 0)
    assert table.legal() == [(Act.END, 0)] + [(Act.TURN, t) for t in own + theirs + third], (
        "face up or face down, no Jack"
    )
    down = table.copy().play(Act.TURN, at(1, 1, 0))
    assert down.shown(1) == {(0, 1)} and down.seen_by("5D") == {0, 1, 2}
    assert down.asked == (TARGET, 0) and down.cells() == {(1, 0), (1, 1), (0, 0), (0, 2)}
    assert down.cells(2) == {(0, 3), (0, 4), (0, 5)}, "it need not attack the turned card"
    queen = table.copy().play(Act.TURN, at(1, 0, 0))
    assert queen.up(1, 0, 0) and queen.seen_by("QD") == {0, 1, 2}
    assert queen.cells() == {(1, 0), (1, 1), (0, 2)}, "now it is a revealed royal of the lead's suit"
    assert table.play(Act.TURN, at(0, 0, 5)).up(0, 0, 5) and table.record()["spied"] == 1


@pytest.mark.rule("7.1")
def test_an_eight_may_turn_anything():
    """C18"""
    table = Table(eight_turns="anything").castle(1, "5D+\nQD JD KD").pool(1, "9D", "4D").pool(0, "7C").draw("8H")
    table.play(Act.LEAD)
    own, theirs = [at(0, 0, c) for c in (3, 4, 5)], [at(1, 0, 0), at(1, 0, 1), at(1, 0, 2), at(1, 1, 0)]
    assert table.args(Act.TURN) == own + theirs + [pooled("7C"), pooled("4D"), pooled("9D")]
    jack = table.copy().play(Act.TURN, at(1, 0, 1))
    assert not jack.up(1, 0, 1)
    table.play(Act.TURN, pooled("9D")).attack(0, 1).end().end()
    assert table.state.on_turn == 1
    table.turn(0)
    ace(table, "3S", "3H")
    assert table.targets() == {at(1, 1, 0), pooled("4D")}, "a hidden reinforcement is no target for archers"
    assert not any(
        t >= 256 for t in Table(eight_turns="castles").pool(1, "9D").draw("8H").play(Act.LEAD).args(Act.TURN)
    )


@pytest.mark.rule("7.1")
def test_the_owner_of_an_attacked_eight_turns_a_card():
    table = Table().castle(0, "5C\nQC JC KC").castle(1, "8S 9D+\nQD JD KD").draw("9H").dice((6, 5), (1, 2)).attack(1, 0)
    assert table.asked == (SPY, 1) and at(0, 1, 0) in table.args(Act.TURN)
    assert at(1, 1, 1) in table.args(Act.TURN) and at(1, 0, 1) not in table.args(Act.TURN)
    table.play(Act.TURN, at(0, 1, 0))
    assert table.roll == (20, 11, True) and table.up(0, 1, 0) and table.record()["spied"] == 1


@pytest.mark.rule("7.2")
def test_an_ace_draws_two_cards_that_attack_in_chosen_order():
    table = Table().castle(1, "5D+ 2S+\nQD JD KD").deck("AH", "3S", "9D", "4H").play(Act.DRAW).play(Act.LEAD)
    assert table.asked == (Stage.FIRST, 0) and table.legal() == [(Act.FIRST, 0), (Act.FIRST, 1)]
    assert table.next_cards()[0] == "4H" and table.seen_by("3S") == table.seen_by("9D") == table.seen_by("AH") == {0, 1}
    for i, (one, two) in enumerate(((3, 9), (9, 3))):
        game = table.copy().play(Act.FIRST, i).dice((1, 2, 3, 4), (1, 2)).attack(1, 0)
        assert game.roll == (10 + one, 8, True)
        assert game.asked == (TARGET, 0) and game.targets() == {at(1, 1, 1)} and not game.can(Act.END)
        assert game.dice((1, 2, 3, 4), (1, 2)).attack(1, 1).roll == (10 + two, 5, True)
        assert game.state.on_turn == 1 and game.record()["aces"] == 1
    assert Table().castle(1, "5D+\nQD JD KD").deck("AH", "3S", "3D").play(Act.DRAW).play(Act.LEAD).stage == TARGET, (
        "of one rank there is nothing to choose"
    )


@pytest.mark.rule("7.2")
def test_whether_a_combination_is_compulsory():
    """C19"""
    table = ace(Table().castle(1, "5D+\nQD JD KD"), "2S", "2D")
    assert table.stage == Stage.RAM
    table = ace(Table(combo="one_optional").castle(1, "5D+ 6D+\nQD JD KD"), "2S", "8D")
    assert table.asked == (Stage.USE, 0) and table.legal() == [(Act.USE, 0), (Act.USE, 1)]
    archers = table.copy().play(Act.USE, 0)
    assert archers.asked == (TARGET, 0) and archers.targets() == {at(1, 1, 0), at(1, 1, 1)}
    assert archers.dice((1, 2, 3, 4), (1, 2)).attack(1, 0).roll == (12, 8, True)
    assert archers.stage == Stage.USE, "no combination has been used yet"
    ram = table.copy().play(Act.USE, 1)
    assert ram.stage == Stage.RAM
    ram.dice((1, 1, 2, 2), (5, 6)).play(Act.RAM, 2)
    assert ram.roll[2] is False and ram.asked == (TARGET, 0)
    assert ram.targets() == {at(1, 1, 0), at(1, 1, 1)}, "one combination an Ace"
    assert ram.dice((1, 2, 3, 4), (1, 2)).attack(1, 0).roll == (18, 8, True)


@pytest.mark.rule("7.3")
def test_archers_shoot_at_revealed_cards_outside_the_courts_and_at_pools():
    """C25"""
    inside = """
        3D 4D+ 6D
        5D 2S+ 7D
        QD+ JD KD
    """
    cells = {
        "revealed": {(2, 1), (1, 1)},
        "reachable": {(2, 0), (2, 1), (2, 2), (1, 0), (1, 2)},
        "both": {(2, 0), (2, 1), (2, 2), (1, 0), (1, 1), (1, 2)},
    }
    for reading, wanted in cells.items():
        table = ace(
            Table(3, archer_target=reading)
            .castle(1, inside)
            .castle(2, "9H 10H+\nQH JH KH")
            .pool(0, "7C")
            .pool(2, "9S", "4S"),
            "3S",
            "3H",
        )
        assert table.asked == (TARGET, 0) and not table.can(Act.END)
        assert table.cells(1) == wanted and table.cells(2) == ({(1, 1)} if reading == "revealed" else {(1, 0), (1, 1)})
        assert {t for t in table.targets() if t >= 256} == {pooled("9S"), pooled("4S")}, (
            "one card in a pool, not the own"
        )


@pytest.mark.rule("7.3")
def test_archers_do_not_go_on_and_may_shoot_at_different_players():
    table = ace(Table(3).castle(1, "5D+ 2S+\nQD JD KD").castle(2, "9H+\nQH JH KH"), "7S", "7H")
    table.dice((3, 3, 3, 3), (1, 2)).attack(1, 1)
    assert table.roll == (12 + 7, 5, True) and table.targets() == {at(1, 1, 0), at(2, 1, 0)}
    assert table.dice((1, 2, 3, 4), (1, 2)).attack(1, 0, q=2).roll == (17, 12, True) and table.state.on_turn == 1


@pytest.mark.rule("7.3")
def test_archers_without_a_target_are_lost():
    table = (
        Table().castle(1, "5D 2S\nQD+ JD KD").deck("AH", "3S", "9D").play(Act.DRAW).play(Act.LEAD).play(Act.FIRST, 0)
    )
    assert table.state.on_turn == 1 and table.rolls == [] and table.record()["no_target"] == 2
    assert table.discarded() == {"AH", "3S", "9D"}


RAMMED = """
    6S 2C 3S 4C 5C 6H
    .  9D 10D JD 3D KD
"""


@pytest.mark.rule("7.4")
def test_a_battering_ram_goes_inward_until_it_fails():
    table = ace(Table(3).castle(1, RAMMED), "2S", "2D")
    assert table.asked == (Stage.RAM, 0) and table.legal() == [(Act.RAM, 2), (Act.RAM, 3), (Act.RAM, 4), (Act.RAM, 5)]
    table.dice((6, 5, 4, 6, 6, 5, 4, 6), (1, 2, 2, 1)).play(Act.RAM, 2)
    assert table.rolls[:2] == [(23, 12, True), (23, 13, True)]
    assert len(table.rolls) == 3, "4 dice + 2, not reduced by defeated cards"
    assert table.card(1, 0, 1) == table.card(1, 0, 2) == ""
    table = ace(Table(3).castle(1, RAMMED), "2S", "2D").dice((1, 1, 1, 2), (3, 4)).play(Act.RAM, 2)
    assert table.rolls == [(7, 16, False)] and table.stage == Stage.RAM, "it fails; the second 2 is a ram of its own"


@pytest.mark.rule("7.4")
def test_a_ram_takes_the_whole_row_and_stops_with_the_king():
    table = (
        ace(Table(3).castle(1, "5D 6D\nQD JD . 2C KD"), "2S", "2D").dice((6, 6, 6, 6) * 2, (1, 2, 3)).play(Act.RAM, 3)
    )
    assert table.rolls[0] == (26, 6 + 10, True)
    assert not table.lives(1) and table.stage == Stage.RAM
    assert table.args(Act.RAM) == [4, 5], "the second card goes on against another player"


@pytest.mark.rule("7.4")
def test_a_ram_stops_in_front_of_a_revealed_royal_of_the_aces_suit():
    court = "9D 2C JD KS"
    table = ace(Table().castle(1, court), "2S", "7D", suit="D").dice((6, 6, 6, 5, 6, 6, 5, 6), (1, 2, 1, 2))
    table.play(Act.RAM, 2)
    assert table.rolls == [(25, 12, True), (25, 5, True)] and table.layout(1) == {(0, 2): "JD", (0, 3): "KS"}
    assert table.record()["called_off"] == 0 and table.record()["no_target"] == 1, "the second card is still used"
    table = ace(Table().castle(1, court), "2S", "7D", suit="H").dice((6, 6, 6, 5, 6, 6, 5, 6), (1, 2, 1, 2))
    table.play(Act.RAM, 2)
    assert len(table.rolls) >= 3


@pytest.mark.rule("7.5")
def test_an_assassin_reveals_a_card_and_attacks_any():
    castle = """
        3D 4D+ 6D
        5D 2S 7D
        QD JD KD
    """
    table = ace(Table(jokers=1).castle(0, "9C\nQC JC KC+").castle(1, castle).pool(1, "9D").jokers(1, "*1"), "8S", "8D")
    hidden = [at(0, 0, 0), at(0, 1, 0)] + [
        at(1, 0, 0),
        at(1, 0, 2),
        at(1, 1, 0),
        at(1, 1, 1),
        at(1, 1, 2),
        at(1, 2, 0),
        at(1, 2, 2),
    ]
    assert table.asked == (Stage.REVEAL, 0) and table.legal() == [(Act.END, 0)] + [(Act.TURN, t) for t in hidden]
    table.play(Act.TURN, at(1, 0, 2))
    assert table.up(1, 0, 2) and table.record()["spied"] == 0
    everything = [at(1, r, c) for r in range(3) for c in range(3)]
    assert table.asked == (TARGET, 0)
    assert table.legal() == [(Act.END, 0)] + [(Act.ATTACK, t) for t in everything + [pooled("9D"), joker_of(1)]]
    table.dice((1, 2, 3, 4), (1, 2)).attack(1, 1).end()
    assert table.roll == (10 + 8, 3 + 2 + 1, True), "the defender has a Joker"
    assert table.stage == Stage.REVEAL, "one attack; the second 8 is another assassin"


@pytest.mark.rule("7.5")
def test_an_assassin_without_a_target_is_lost():
    table = Table().castle(0, "KC+").castle(1, "KH+").deck("AH", "8S", "8D").play(Act.DRAW).play(Act.LEAD)
    assert table.record()["no_target"] == 2
    assert table.state.on_turn == 1, "nothing is hidden, and the King is of the Ace's suit"
    table = ace(Table().castle(1, WALL), "8S", "8D").end().end()
    assert table.stage == Stage.REVEAL and table.rolls == [] and table.record()["no_target"] == 1, "nor need he attack"


@pytest.mark.rule("7.5")
def test_whether_an_assassin_goes_on():
    """C20"""
    table = ace(Table(assassin_follow="none").castle(1, WALL), "8S", "3D").end().dice((1, 2, 3, 4), (1, 2)).attack(1, 1)
    assert table.roll == (18, 5, True) and table.state.on_turn == 1 and table.record()["no_target"] == 1
    table = ace(Table(assassin_follow="yes").castle(1, WALL), "8S", "3D").end().dice((1, 2, 3, 4), (1, 2)).attack(1, 1)
    assert table.asked == (TARGET, 0) and table.cells() == {(1, 0), (1, 2), (0, 1)} and table.can(Act.END)
    assert table.dice((1, 2, 3, 4), (1, 2)).attack(1, 2).roll == (10 + 8 - 2, 12, True)
    table = ace(Table(assassin_follow="yes").castle(1, WALL), "8S", "3D").end().dice((1, 1, 1, 2), (6, 5)).attack(1, 2)
    assert table.roll == (13, 20, False) and table.state.on_turn == 0
    assert table.stage == TARGET, "a loss ends it; the archers have the card now revealed"


@pytest.mark.rule("7.6")
def test_the_royal_rule_uses_the_suit_of_the_ace():
    table = ace(Table().castle(1, "QS JD KD"), "8S", "3D", suit="D").end()
    assert table.cells() == {(0, 0), (0, 2)}, "the Jack of diamonds is revealed"
    table.copy().dice((1, 2, 3, 4), (1, 2)).attack(0, 0)
    table.attack(0, 2)
    assert table.rolls == [] and table.record()["called_off"] == 1 and table.up(1, 0, 2)
    assert table.state.on_turn == 1
    assert table.discarded() == {"AD", "8S", "3D"}, "a called-off fight ends the whole turn"
    ram = ace(Table().castle(1, "KD 2S JH").castle(0, "QC JC KC"), "2C", "3D", suit="D").play(Act.RAM, 2)
    assert ram.rolls == [] and ram.state.on_turn == 1 and ram.record()["no_target"] == 0


@pytest.mark.rule("7.6")
def test_the_queens_modifier_against_ram_and_assassin():
    table = ace(Table().castle(1, "QD JD KD"), "8S", "3D").end().dice((1, 2, 3, 4), (1, 2)).attack(0, 0)
    assert table.roll == (10 + 8 - 4, 13, True)
    table = ace(Table().castle(1, "QD JD KD"), "2S", "3D").dice((1, 2, 3, 4), (1, 2)).play(Act.RAM, 2)
    assert table.rolls[0] == (10 + 2 - 4, 13, False)
    table = (
        ace(Table(queen_protects="all_cards").castle(1, "5D+\nQD JD KD").castle(0, "JC KC"), "3S", "3D")
        .dice((1, 2, 3, 4), (1, 2))
        .attack(1, 0)
    )
    assert table.roll == (10 + 3 - 4, 8, True)


@pytest.mark.rule("7.6")
def test_an_ace_drawn_by_an_ace_is_worth_one():
    table = ace(Table().castle(1, "5D+ 2S+\nQD JD KD"), "AS", "9D").dice((1, 2, 3, 4), (1, 2)).attack(1, 0)
    assert table.roll == (11, 8, True) and table.asked == (TARGET, 0) and table.record()["aces"] == 1


@pytest.mark.rule("7.6")
def test_whose_suit_counts_for_the_royal_rule():
    """C21: the extra card, the Ace's card, the attacker's reinforcements."""
    for reading, barred in (("lead_only", False), ("any_card", True)):
        table = Table(royal_rule_suit=reading).castle(1, WALL).draw("9H").deck("4D").dice((3, 3), (1, 2)).attack(1, 1)
        assert table.cells() == {(1, 0), (1, 2)} | (set() if barred else {(0, 1)}), "an extra card of diamonds"
        table = ace(Table(royal_rule_suit=reading).castle(1, "QD JD KS"), "8D", "3S").end()
        assert table.cells() == {(0, 0), (0, 2)} | (set() if barred else {(0, 1)}), "the 8 of diamonds drawn by the Ace"
        table.dice((1, 2, 3, 4), (1, 2)).attack(0, 0)
        assert (table.rolls == []) == barred
        table = Table(royal_rule_suit=reading).castle(0, "QC JS KC").castle(1, "QD JD KS").pool(0, "5D", "7S")
        table.draw("9H").attack(0, 1)
        assert table.args(Act.ADD) == ([card("7S")] if barred else [card("5D"), card("7S")]), (
            "one that would bar the target may not be added"
        )


@pytest.mark.rule("7.6")
def test_how_long_the_suit_of_a_reinforcement_bars_royals():
    """C21 any_card with C8: it counts in the fight it is added in, or for the whole attack."""
    for reading, barred in (("one_roll", False), ("whole_attack", True)):
        table = Table(royal_rule_suit="any_card", reinforcement_scope=reading).castle(1, WALL).pool(0, "5S", "7D")
        table.castle(0, "QC JS KC")
        table.draw("9H").dice((3, 4), (1, 2)).attack(1, 1).add("7D")
        table = table.end() if table.stage == ADD else table
        assert table.roll == (7 + 9 + 7, 5, True)
        assert table.cells() == {(1, 0), (1, 2)} | (set() if barred else {(0, 1)}), (
            "the fight in which the 7 of diamonds was added is over"
        )


@pytest.mark.rule("7.7")
def test_an_ace_in_defence():
    table = Table().draw("AH").place(1, 4)
    assert table.card(0, 1, 4) == "AH" and not table.up(0, 1, 4)
    table = Table().castle(1, "AS\nQD JD KD").draw("2H").deck("9S", "10S").dice((3, 4), (4, 2)).attack(1, 0)
    assert table.roll == (9, 7, True) and table.next_cards()[:2] == ["9S", "10S"], "2 dice + 1, no extra cards"


@pytest.mark.rule("7.8")
def test_the_ace_and_its_cards_are_discarded():
    table = ace(Table().castle(1, "5D+ 6D+\nQD JD KD"), "3S", "7H").dice((1, 2, 3, 4), (1, 2)).attack(1, 0)
    assert table.discarded() == set()
    table.dice((1, 1, 1, 2), (6, 5)).attack(1, 1)
    assert table.discarded() == {"AH", "3S", "7H", "5D"}


# ---------------------------------------------------------------- 8 Forced round


def run_dry(table: Table, *discards: str) -> Table:
    """Player 0 cannot draw."""
    return table.only(discards=discards).play(Act.DRAW)


@pytest.mark.rule("8.1")
def test_everybody_has_to_attack_with_an_own_card():
    table = run_dry(Table(3).castle(0, "9S . 4S\nQC . JC KC").castle(1, "2S 5D\nQD JD KD"))
    assert table.asked == (OWN, 0) and table.kinds() == {Act.OWN}, "nobody places, rallies or closes gaps"
    table.play(Act.OWN, sq(1, 0)).dice((3, 4), (1, 2))
    assert table.asked == (TARGET, 0) and table.kinds() == {Act.ATTACK}
    table.attack(1, 1)
    assert table.roll == (16, 8, True)
    assert table.end().asked == (OWN, 1) and table.discarded() == {"9S", "5D"}
    table.play(Act.OWN, sq(1, 0)).dice((1, 2), (3, 4)).attack(0, 3, q=2)
    assert table.asked == (OWN, 2)
    table.play(Act.OWN, sq(0, 3)).dice((1, 2), (3, 4)).attack(0, 0, q=0)
    assert table.asked == (Stage.TURN, 0) and table.can(Act.CLOSE) and table.record()["forced_rounds"] == 1


@pytest.mark.rule("8.1")
def test_the_round_begins_with_the_player_who_cannot_draw():
    table = Table(3, dead_royals="removed").turn(1).only().play(Act.DRAW)
    for p in (1, 2, 0):
        assert table.asked == (OWN, p)
        table.play(Act.OWN, sq(0, 4)).dice((1, 2), (3, 4))
        table.play(Act.ATTACK, min(table.targets()))
    assert table.asked == (Stage.TURN, 1)
    assert table.play(Act.DRAW).asked == (OWN, 1), "royals leave the game: there is still nothing to draw"


@pytest.mark.rule("8.2")
def test_which_own_cards_may_lead():
    """C28"""
    for reading, cells in (
        ("all_but_king", {(1, 0), (0, 0), (0, 1)}),
        ("numbers", {(1, 0)}),
        ("all", {(1, 0), (0, 0), (0, 1), (0, 2)}),
    ):
        table = run_dry(Table(forced_leads=reading).castle(0, "9S\nQC JC KC"))
        assert table.spots(Act.OWN) == cells


@pytest.mark.rule("8.2")
def test_a_royal_used_as_lead_is_lost():
    for square, left in ((sq(0, 3), ("JC", "KC")), (sq(0, 4), ("QC", "KC"))):
        table = run_dry(Table(dead_royals="removed")).play(Act.OWN, square).dice((1, 2), (3, 4)).attack(0, 4)
        assert tuple(sorted(table.layout(0).values())) == tuple(sorted(left))
        assert len(table.gone() & {"QC", "JC"}) == 1 and table.discarded() == set()
    table = run_dry(Table()).play(Act.OWN, sq(0, 3)).dice((1, 2), (3, 4)).attack(0, 4)
    assert table.discarded() == {"QC"}, "C11: like any lead"


@pytest.mark.rule("8.2")
def test_a_king_used_as_lead_takes_its_owner_with_it():
    """C28"""
    table = run_dry(Table(3, forced_leads="all").castle(0, "9S\nQC JC KC").castle(1, WALL)).play(Act.OWN, sq(0, 2))
    table.dice((6, 5), (1, 2)).attack(1, 1)
    assert table.roll == (21, 5, True) and table.lives(0)
    assert table.asked == (TARGET, 0), "the attack goes on as any other"
    table.end()
    assert not table.lives(0) and table.state.place[0] == 3 and table.discarded() == {"2S", "9S", "QC", "JC", "KC"}
    assert table.asked == (OWN, 1) and table.record()["kings_by_own_lead"] == 1


@pytest.mark.rule("8.2")
def test_who_has_only_the_king_left_passes():
    table = run_dry(Table().castle(0, "KC"))
    assert table.asked == (OWN, 1) and table.layout(0) == {(0, 0): "KC"} and (Event.PASSED, 0, 0, 0) in table.events()


@pytest.mark.rule("8.2")
def test_a_lead_without_a_target_is_discarded():
    table = run_dry(Table().castle(0, "5S\nQC JC KC").castle(1, "KS+")).play(Act.OWN, sq(1, 0))
    assert table.discarded() == set() or table.discarded() == {"5S"}
    assert table.rolls == [] and table.card(0, 1, 0) == ""
    assert table.state.on_turn == 0, "player 1 has only his King and passes; player 0 draws the 5 of spades again"
    assert table.state.drawn == card("5S")


@pytest.mark.rule("8.3")
def test_a_jack_jumps():
    """C29"""
    row = "2S 3S 4S 5S 6S\nQD 7S JD KD 9S"
    for reading, cells in (("up_to_two", {(1, 1), (1, 2), (1, 3), (0, 0)}), ("exactly_two", {(1, 1), (1, 2), (0, 0)})):
        table = run_dry(Table(jack_jump=reading).castle(1, row)).play(Act.OWN, sq(0, 4)).dice((6, 5), (1, 2))
        assert table.cells() == {(1, c) for c in range(5)} | {(0, 0), (0, 4)}, "no jump to the first target"
        assert table.attack(1, 0).roll == (21, 5, True) and table.cells() == cells
    table = run_dry(Table().castle(1, "5S\n6S\n7S\nQD JD KD")).play(Act.OWN, sq(0, 4)).dice((6, 5), (1, 2)).attack(3, 0)
    assert table.cells() == {(2, 0), (1, 0), (0, 0)}, "down, too"
    table = run_dry(Table().castle(1, row)).play(Act.OWN, sq(0, 3)).dice((6, 5), (1, 2)).attack(1, 0)
    assert table.cells() == {(1, 1), (0, 0)}, "a Queen does not jump"
    table = Table(dead_royals="to_discard").castle(1, row).draw("JS").dice((6, 5), (1, 2)).attack(1, 0)
    assert table.cells() == {(1, 1), (0, 0)}, "nor does a Jack that is nobody's royal"


@pytest.mark.rule("8.4")
def test_an_ace_as_own_lead():
    castle = "AS\nQC JC KC"
    table = run_dry(Table().castle(0, castle).castle(1, WALL)).play(Act.OWN, sq(1, 0)).dice((3, 4), (1, 2))
    assert table.asked == (TARGET, 0)
    assert table.cells() == {(1, 0), (1, 1), (1, 2), (0, 0), (0, 2)}, "nothing can be drawn: an ordinary attack"
    assert table.attack(1, 1).roll == (8, 5, True) and table.record()["aces"] == 0
    table = run_dry(Table(forced_round="deck_empty").castle(0, castle).castle(1, WALL), "3S", "3H").play(
        Act.OWN, sq(1, 0)
    )
    assert table.record()["aces"] == 1 and table.rolls == [] and table.record()["reshuffles"] == 1
    assert table.record()["no_target"] == 2
    table = run_dry(Table(forced_round="deck_empty").castle(0, castle).castle(1, WALL), "3S").play(Act.OWN, sq(1, 0))
    assert table.stage == TARGET and table.record()["aces"] == 0, "one card is not enough"


@pytest.mark.rule("8.4")
def test_cards_that_have_come_by_then_serve_an_ace():
    table = run_dry(Table().castle(0, "9S\nQC JC KC").castle(1, "AD 2S\nQD JD KD")).play(Act.OWN, sq(1, 0))
    table.dice((6, 5), (1, 2)).attack(1, 1).end()
    assert table.asked == (OWN, 1) and table.discarded() == {"9S", "2S"}
    table.play(Act.OWN, sq(1, 0))
    assert table.record()["aces"] == 1 and table.stage in (Stage.FIRST, Stage.RAM)


@pytest.mark.rule("8.5")
def test_after_the_round_the_discards_are_the_deck():
    table = run_dry(Table().castle(0, "9S\nQC JC KC").castle(1, "2S 3S\nQD JD KD")).play(Act.OWN, sq(1, 0))
    table.dice((3, 4), (1, 2)).attack(1, 0)
    table.end().play(Act.OWN, sq(1, 1)).dice((1, 2), (3, 4)).attack(0, 0, q=0)
    assert table.asked == (CARD, 0) and table.discarded() == set()
    assert {name_of(int(table.state.drawn)), *table.next_cards()} == {"9S", "2S", "3S"}, (
        "the player who could not draw takes a normal turn"
    )
    assert table.record()["reshuffles"] == 0, "not by 3.8"


@pytest.mark.rule("8.5")
def test_or_the_next_living_player():
    table = run_dry(Table(3, forced_leads="all", dead_royals="removed").castle(1, "5D\nQD JD KD"))
    table.play(Act.OWN, sq(0, 5)).dice((1, 2), (5, 6)).attack(1, 0)
    assert not table.lives(0) and table.asked == (OWN, 1)
    table.play(Act.OWN, sq(1, 0)).dice((1, 2), (3, 4)).attack(0, 3, q=2)
    table.play(Act.OWN, sq(0, 3)).dice((1, 2), (3, 4)).attack(0, 2)
    assert table.asked[1] == 1 and table.state.drawn == card("5D")


# ---------------------------------------------------------------- 9 Closing gaps


GAPS = """
    5D+ .  .  6D .  .
    .   .  .  .  .  .
    2C  .  .  3C+ . .
    QC  .  .  JC .  KC
"""


@pytest.mark.rule("9.1")
def test_closing_gaps_costs_the_turn():
    table = Table().castle(0, GAPS, at=1).deck("9S").turn(0).play(Act.CLOSE)
    assert table.asked == (CARD, 1) and table.state.drawn == card("9S") and table.record()["closed"] == 1


@pytest.mark.rule("9.2")
def test_empty_rows_and_columns_between_cards_go():
    closed = {(2, 1): "5D", (2, 2): "6D", (1, 1): "2C", (1, 2): "3C", (0, 1): "QC", (0, 2): "JC", (0, 3): "KC"}
    assert Table().castle(0, GAPS, at=1).turn(0).play(Act.CLOSE).layout(0) == closed
    assert Table().castle(0, "2C . 3C\nQC JC KC").turn(0).kinds() == {Act.DRAW}, "no row or column is completely empty"
    assert Table().castle(0, "QC JC KC", at=4).turn(0).kinds() == {Act.DRAW}, "not between occupied ones"


@pytest.mark.rule("9.2")
def test_the_cards_of_a_row_may_move_together_as_well():
    """C22"""
    table = Table(gap_closing="squeeze_rows").castle(0, ". 2C . 3C+\nQC JC KC 5C").turn(0)
    assert table.kinds() == {Act.DRAW, Act.CLOSE}
    table.play(Act.CLOSE)
    assert table.layout(0) == {(1, 1): "2C", (1, 2): "3C", (0, 0): "QC", (0, 1): "JC", (0, 2): "KC", (0, 3): "5C"}
    assert table.shown(0) == {(1, 2), (0, 1)}
    table = Table(gap_closing="squeeze_rows").castle(0, GAPS).turn(0).play(Act.CLOSE)
    assert table.layout(0) == {
        (2, 0): "5D",
        (2, 1): "6D",
        (1, 0): "2C",
        (1, 1): "3C",
        (0, 0): "QC",
        (0, 1): "JC",
        (0, 2): "KC",
    }


@pytest.mark.rule("9.3")
def test_faces_stay_as_they_are():
    assert Table().castle(0, GAPS, at=1).turn(0).play(Act.CLOSE).shown(0) == {(2, 1), (1, 2), (0, 2)}


# ---------------------------------------------------------------- 10 Death and end


def beat_the_king(players: int = 3, **sets) -> Table:
    """Player 0 kills the King of player 1, who has number cards and a pool."""
    table = Table(players, **sets).castle(1, "5D 2S+\nQD JD KD").pool(1, "9D").draw("10H").dice((6, 5), (1, 2, 2))
    table.attack(0, 2)
    return table.end()


@pytest.mark.rule("10.1")
def test_a_player_without_a_king_is_out():
    table = beat_the_king()
    assert table.roll == (21, 15, True) and not table.lives(1) and not table.is_over()
    assert table.layout(1) == {} and table.pool_of(1) == set()
    assert table.discarded() == {"10H", "5D", "2S", "9D", "QD", "JD", "KD"}
    assert table.asked == (CARD, 2), "the attack is over, the dead player's turn is passed over"
    row = table.record()
    assert (row["place_1"], row["out_1"], row["kings_by_attack"], row["royals_lost"]) == (3, 1, 1, 1)


@pytest.mark.rule("10.1")
def test_the_last_living_player_wins():
    table = beat_the_king(2)
    row = table.record()
    assert table.is_over() and table.state.end_reason == End.LAST_KING and row["winner"] == 0 and row["seat0_wins"] == 1
    assert (row["place_0"], row["place_1"], row["capped"]) == (1, 2, 0) and row["score"] == 30


@pytest.mark.rule("10.1")
def test_what_becomes_of_a_dead_players_cards():
    """C23"""
    walls = beat_the_king(dead_player_cards="walls")
    assert walls.layout(1) == {(1, 0): "5D", (1, 1): "2S"} and walls.pool_of(1) == {"9D"}
    assert walls.discarded() == {"10H", "QD", "JD", "KD"}, "they stay where they are, out of play"
    assert not walls.copy().turn(2).draw("9H").cells(1)
    assert not ace(walls.copy().turn(2), "3S", "3C").targets()
    killer = beat_the_king(dead_player_cards="to_killer")
    assert killer.layout(1) == {} and killer.pool_of(0) == {"5D", "2S", "9D"}
    assert killer.seen_by("5D") == {0, 1, 2} and killer.discarded() == {"10H", "QD", "JD", "KD"}


@pytest.mark.rule("10.2")
def test_without_a_queen_the_king_has_two_dice():
    for castle, dice in (("QD JD KD", 3), (". JD KD", 2)):
        table = Table().castle(1, castle).draw("9H").dice((3, 4), (1, 2, 6)).attack(0, 2)
        assert table.roll == (16, 10 + (9 if dice == 3 else 3), dice == 2)


@pytest.mark.rule("10.2")
def test_without_a_jack_there_is_no_rallying_but_the_pool_stays():
    table = Table().castle(0, "QC . KC").castle(1, WALL).pool(0, "7C").draw("9C")
    assert not table.can(Act.RALLY)
    assert table.dice((3, 4), (1, 2)).attack(1, 0).asked == (ADD, 0)
    assert table.add("7C").roll == (7 + 9 + 7, 8, True)


@pytest.mark.rule("10.3")
def test_reinforcements_under_attack():
    table = ace(Table().pool(1, "5D", "9D", "3D"), "7S", "7H").dice((1, 2, 3, 4), (1, 2)).play(Act.ATTACK, pooled("5D"))
    assert table.asked == (ADD, 1)
    assert table.args(Act.ADD) == [card("3D"), card("9D")], "supported by the rest of the pool"
    table.add("3D").end()
    assert table.roll == (17, 3 + 5 + 3, True) and table.pool_of(1) == {"9D"} and table.discarded() == {"3D"}
    table.dice((1, 1, 1, 2), (6, 5)).play(Act.ATTACK, pooled("9D"))
    assert table.roll == (12, 20, False) and table.pool_of(1) == {"9D"}
    assert table.discarded() == {"3D", "5D", "AH", "7S", "7H"}
    assert not any(t >= 256 for t in Table().pool(1, "5D").draw("9H").targets()), "by archers and assassins only"
    assassin = ace(Table().pool(1, "5D"), "8S", "3H").end().dice((1, 2, 3, 4), (1, 2)).play(Act.ATTACK, pooled("5D"))
    assert assassin.roll == (18, 8, True)


@pytest.mark.rule("10.4")
def test_a_game_without_a_winner_is_cut_off():
    """C40"""
    table = Table(**{"limit.turns": 2}).draw("9S").place(1, 4)
    assert not table.is_over() and table.state.turn == 2
    table.place(1, 4)
    row = table.record()
    assert table.state.end_reason == End.TURN_LIMIT
    assert row["winner"] == -2 and row["capped"] == 1 and row["turn"] == 2 and row["score"] == 0
    assert row["place_0"] == 0 and row["place_1"] == 0
    assert Table().scenario.model.limit.turns == 500
    table = beat_the_king(2, **{"limit.turns": 1})
    assert table.state.end_reason == End.LAST_KING, "a win in the last turn is a win"


# ---------------------------------------------------------------- 11 Advanced rules


@pytest.mark.rule("11.1")
def test_a_contest_for_the_joker():
    table = Table(3, jokers=1).turn(1).deck("*1", "9S").dice(contest=(2, 5, 3)).play(Act.DRAW)
    assert table.jokers_of(2) == {"*1"}
    assert table.jokers_of(0) == table.jokers_of(1) == set(), "dice of players 1, 2, 0: the highest keeps it"
    assert table.asked == (CARD, 1) and table.state.drawn == card("9S"), "the drawer draws a replacement"


@pytest.mark.rule("11.1")
def test_ties_in_the_contest_roll_again():
    table = Table(3, jokers=1).deck("*1").dice(contest=(5, 2, 5, 1, 4)).play(Act.DRAW)
    assert table.jokers_of(2) == {"*1"}, "players 0 and 2 tied and rolled 1 and 4"


@pytest.mark.rule("11.1")
def test_reinforcements_in_the_contest():
    table = Table(3, jokers=1).pool(0, "3C", "4C").pool(2, "9H").deck("*1", "9S").dice(contest=(2, 6, 1)).play(Act.DRAW)
    assert table.asked == (ADD, 0) and table.legal() == [(Act.END, 0), (Act.ADD, card("3C")), (Act.ADD, card("4C"))]
    table.add("3C").end()
    assert table.asked == (ADD, 2)
    table.add("9H")
    assert table.jokers_of(2) == {"*1"}, "2 + 3, 6, 1 + 9"
    assert table.pool_of(0) == {"4C"} and table.pool_of(2) == set() and table.discarded() == {"3C", "9H"}
    assert table.asked == (CARD, 0)


@pytest.mark.rule("11.1")
def test_additions_count_again_when_those_tied_roll_again():
    table = Table(jokers=1).pool(0, "3C").deck("*1").dice(contest=(2, 5, 1, 3)).play(Act.DRAW).add("3C")
    assert table.jokers_of(0) == {"*1"}, "5 : 5, then 1 + 3 : 3"


@pytest.mark.rule("11.1")
def test_whether_the_drawer_of_a_joker_draws_again():
    """C30"""
    table = Table(jokers=1, joker_turn="over").deck("*1", "9S").dice(contest=(5, 2)).play(Act.DRAW)
    assert table.asked == (CARD, 1) and table.state.drawn == card("9S") and table.jokers_of(0) == {"*1"}
    for reading, value in (("draws_again", 4), ("over", 0)):
        table = Table(jokers=1, joker_turn=reading).castle(1, WALL).draw("9H").deck("*1", "4S")
        table.dice((3, 3), (1, 2), (2, 5)).attack(1, 1)
        assert table.jokers_of(1) == {"*1"} and table.asked == (TARGET, 0)
        assert table.dice((3, 4), (1, 2)).attack(1, 0).roll == (7 + 9 + value - 2, 3 + 5 + 1, True)
        table = Table(jokers=1, joker_turn=reading).castle(1, "5D+ 2S+\nQD JD KD").deck("AH", "*1", "4S", "4H")
        table.dice(contest=(2, 5)).play(Act.DRAW).play(Act.LEAD)
        table.dice((1, 2, 3, 4), (1, 2)).attack(1, 0)
        assert (table.stage == TARGET and table.state.on_turn == 0) == (reading == "draws_again"), (
            "the Ace has one card less"
        )


@pytest.mark.rule("11.1")
def test_a_joker_adds_one_in_attack_and_defence():
    table = Table(jokers=2).castle(1, WALL).jokers(0, "*1").draw("9H").dice((3, 4), (1, 2)).attack(1, 0)
    assert table.roll == (17, 8, True)
    table = Table(jokers=2).castle(1, WALL).jokers(1, "*1").draw("9H").dice((3, 4), (1, 2)).attack(1, 0)
    assert table.roll == (16, 9, True)


@pytest.mark.rule("11.2")
def test_a_joker_under_attack():
    """C31"""
    assert joker_of(1) not in Table(jokers=1).jokers(1, "*1").draw("9H").targets()
    assert joker_of(1) not in ace(Table(jokers=1).castle(1, "5D+\nQD JD KD").jokers(1, "*1"), "3S", "3H").targets()
    for faces, won in (((1, 2, 1, 1), True), ((1, 1, 1, 1), False)):
        table = ace(Table(jokers=1).jokers(1, "*1"), "8S", "3H").end().dice(faces, (6, 5)).play(Act.ATTACK, joker_of(1))
        assert table.roll == (sum(faces) + 8, 11 + 0 + 1, won) and table.jokers_of(1) == (set() if won else {"*1"})
        assert ("*1" in table.discarded()) == won
    table = ace(Table(jokers=1, joker_defence="none").jokers(1, "*1"), "8S", "3H").end().dice((1, 1, 1, 1), (6, 5))
    table.play(Act.ATTACK, joker_of(1))
    assert table.rolls == [] and table.jokers_of(1) == set() and "*1" in table.discarded()
    assert table.record()["attacks"] == 0


@pytest.mark.rule("11.2")
def test_two_jokers_defend_with_two():
    table = ace(Table(jokers=2).jokers(1, "*1", "*2"), "8S", "3H").end().dice((1, 2, 1, 1), (6, 5))
    table.play(Act.ATTACK, joker_of(1))
    assert table.roll == (13, 13, False) and table.jokers_of(1) == {"*1", "*2"}


@pytest.mark.rule("11.3")
def test_the_second_joker():
    table = Table(jokers=2).castle(1, WALL).jokers(1, "*1").deck("*2", "9H").dice(contest=(2, 5)).play(Act.DRAW)
    assert table.jokers_of(1) == {"*1", "*2"}
    assert table.dice((3, 4), (1, 2)).attack(1, 0).roll == (16, 8 + 2, True)
    table = Table(jokers=2).castle(1, WALL).jokers(1, "*1").deck("*2", "9H").dice(contest=(5, 2)).play(Act.DRAW)
    assert table.jokers_of(0) == {"*2"} and table.jokers_of(1) == set() and table.discarded() == {"*1"}
    assert table.dice((3, 4), (1, 2)).attack(1, 0).roll == (17, 8, True)


@pytest.mark.rule("11.4")
def test_a_berserk_attack():
    table = with_wall("9H", berserker=True).deck("3S", "4S", "6S").dice((6, 6), (1, 2)).attack(1, 0)
    assert table.roll == (21, 8, True) and table.asked == (TARGET, 0)
    assert table.next_cards()[0] == "6S", "two extra cards"
    table.attack(1, 1)
    assert table.asked == (Stage.NAME, 0)
    assert table.legal() == [(Act.END, 0), (Act.NAME, sq(0, 1)), (Act.NAME, sq(1, 2))], "next to one that is named"
    table.play(Act.NAME, sq(1, 2))
    assert table.spots(Act.NAME) == {(0, 1), (0, 2)}
    table.dice((3, 4), (1, 2)).end()
    assert table.roll == (7 + 9 + 3 + 4 - 5, 3 + 2 + 9, True), "their values are added to one roll of two dice"
    assert table.layout(1) == {(0, 0): "QD", (0, 1): "JD", (0, 2): "KD"}
    assert table.cells() == {(0, 1)}, "the attack goes on from the first of them"
    table.dice((6, 5), (1, 2)).attack(0, 1)
    assert table.roll == (11 + 9 + 3 + 4 - 5 - 2 - 9, 13, False), "one roll only: not asked for a second name"


@pytest.mark.rule("11.4")
def test_only_a_double_six_goes_berserk_and_only_with_the_rule():
    for on, faces, cards_drawn, berserk in (
        (True, (6, 6), 2, True),
        (True, (5, 5), 1, False),
        (False, (6, 6), 1, False),
    ):
        table = with_wall("9H", berserker=on).deck("3S", "4S").dice(faces, (1, 2)).attack(1, 0)
        assert len({"3S", "4S"} - set(table.next_cards())) == cards_drawn
        assert (table.attack(1, 1).stage == Stage.NAME) == berserk
    table = with_wall("2H", berserker=True).deck("3S", "4S").dice((6, 6), (6, 5)).attack(1, 2)
    assert table.roll == (14, 20, False) and table.attack(1, 2).stage == Stage.NAME, "lost or won"


@pytest.mark.rule("11.4")
def test_a_berserk_attack_may_fail_or_be_called_off():
    table = with_wall("2H", berserker=True).deck("3S", "4S").dice((6, 6), (6, 5)).attack(1, 2).attack(1, 2)
    table.play(Act.NAME, sq(1, 1)).dice((1, 2), (3, 4)).end()
    assert table.roll == (3 + 2 + 7, 7 + 9 + 2, False) and table.layout(1)[1, 1] == "2S"
    assert table.up(1, 1, 1), "named cards are turned up"
    table = Table(berserker=True).castle(1, "5D 2S\nQS JD KH").draw("9S").deck("3S", "4S").dice((6, 6), (1, 2))
    table.attack(1, 1).attack(1, 0).play(Act.NAME, sq(0, 0))
    table.end()
    assert table.rolls == [] and table.record()["called_off"] == 1 and table.up(1, 0, 0)


@pytest.mark.rule("11.4")
def test_which_cards_a_berserk_attack_may_name():
    """C32"""
    for reading, cells in (("connected", {(1, 1), (0, 0)}), ("any", {(1, 1), (1, 2), (0, 0), (0, 1), (0, 2), (0, 4)})):
        table = Table(berserker=True, berserk_group=reading).castle(1, "5D 2S 9D\nQD JD KD . 4D").draw("2H")
        table.deck("3S", "4S").dice((6, 6), (6, 5)).attack(1, 2).attack(1, 0)
        assert table.spots(Act.NAME) == cells


def struck(**sets) -> Table:
    """A 5 fails against a 5: 3 + 5 against 7 + 5."""
    table = Table(same_number_attack=True, **sets).castle(0, "4C 6C 7C\n9C QC JC KC 10C").castle(1, "5D\nQD JD KD")
    return table.draw("5H").dice((1, 2), (3, 4)).attack(1, 0)


@pytest.mark.rule("11.5")
def test_a_counter_strike():
    table = struck()
    assert table.roll == (8, 12, False) and table.asked == (Stage.COUNTER, 1)
    assert table.legal() == [
        (Act.ATTACK, at(0, r, c)) for r, c in (*((0, c) for c in range(5)), (1, 0), (1, 1), (1, 2))
    ], "any card of the attacker's castle"
    table.dice((3, 3), (1, 2)).attack(1, 1, q=0)
    assert table.roll == (6 + 5, 3 + 6, True) and table.card(0, 1, 1) == ""
    assert table.state.on_turn == 1, "2 dice + 5; a double is of no use, no follow-through"
    assert table.discarded() == {"5H", "6C"}


@pytest.mark.rule("11.5")
def test_whom_a_counter_strike_may_choose():
    """C49"""
    for reading, hit in (("anywhere", {(0, 1), (0, 2)}), ("reachable", set())):
        assert struck(counter_target=reading).cells(0) == {(0, 0), (0, 3), (0, 4), (1, 0), (1, 1), (1, 2)} | hit


@pytest.mark.rule("11.5")
def test_every_failed_attack_with_an_equal_card_provokes():
    """C50: archers with a 7 against a 7, a ram against a 2, an attack on a reinforcement and on a barricade."""

    def failed(reading):
        rule = {"same_number_attack": True, "counter_attacks": reading}
        archers = ace(Table(**rule).castle(1, "7D+\nQD JD KD"), "7S", "9S").dice((1, 2, 3, 4), (6, 5)).attack(1, 0)
        ram = ace(Table(**rule).castle(1, "2D QD JD KD"), "2S", "9S").dice((1, 1, 1, 1), (6, 5)).play(Act.RAM, 2)
        pool = ace(Table(**rule).pool(1, "7D"), "7S", "9S").dice((1, 2, 3, 4), (6, 5)).play(Act.ATTACK, pooled("7D"))
        laid_six = Table(barricade=True, **rule).castle(0, "2C\nQC JC KC").barricade(0, 2, 0, "6S", Side.ABOVE, by=1)
        laid_six.draw("6H").dice((1, 2), (3, 4))
        return archers, ram, pool, laid_six.play(Act.ATTACK, barricade(2, 0))

    for table in failed("any"):
        assert table.asked == (Stage.COUNTER, 1) and table.record()["attacks_won"] == 0
    for table in failed("ordinary"):
        assert table.stage != Stage.COUNTER
    archers = failed("any")[0].dice((1, 2), (3, 4)).attack(0, 3, q=0)
    assert archers.roll == (3 + 5 - 4, 17, False) and archers.asked == (TARGET, 0), "the 9 still shoots"
    assert archers.dice((1, 2, 3, 4), (1, 2)).attack(1, 0).roll == (19, 10, True)


@pytest.mark.rule("11.5")
def test_a_counter_strike_that_kills_ends_the_attack_of_an_ace():
    table = (
        ace(Table(3, same_number_attack=True).castle(0, "KC").castle(1, "7D+\nQD JD KD"), "7S", "9S")
        .dice((1, 2, 3, 4), (6, 5))
        .attack(1, 0)
    )
    table.dice((6, 5), (1, 2)).attack(0, 0, q=0)
    assert not table.lives(0) and table.asked == (CARD, 1) and table.discarded() >= {"AH", "7S", "9S", "KC"}


@pytest.mark.rule("11.5")
def test_no_counter_strike_without_cause():
    for lead, dice, rule in (("4H", (1, 2), True), ("5H", (6, 5), True), ("5H", (1, 2), False)):
        table = Table(same_number_attack=rule).castle(1, "5D\nQD JD KD").draw(lead).dice(dice, (3, 4)).attack(1, 0)
        assert table.stage != Stage.COUNTER


@pytest.mark.rule("11.5")
def test_a_counter_strike_may_kill():
    table = Table(3, same_number_attack=True).castle(0, "KC").castle(1, "5D\nQD JD KD").draw("5H")
    table.dice((1, 2), (3, 4)).attack(1, 0)
    table.dice((6, 5), (1, 2)).attack(0, 0, q=0)
    assert table.roll == (16, 13, True) and not table.lives(0)
    assert table.record()["kings_by_counter"] == 1 and table.asked == (CARD, 1)


@pytest.mark.rule("11.5")
def test_the_attack_goes_on_after_a_counter_strike():
    table = Table(same_number_attack=True).castle(1, "5D 2S\nQD JD KD").draw("5H").deck("3S").dice((2, 2), (6, 3))
    table.attack(1, 0)
    assert table.asked == (Stage.COUNTER, 1)
    table.dice((1, 2), (3, 4)).attack(0, 3, q=0)
    assert table.roll == (3 + 5 - 4, 17, False), "the Queen's -4 holds for counter-strikes"
    assert table.asked == (TARGET, 0) and table.cells() == {(1, 0), (1, 1), (0, 0), (0, 2)}
    assert table.dice((3, 4), (1, 2)).attack(1, 1).roll == (7 + 5 + 3, 5, True)


@pytest.mark.rule("11.5")
def test_a_berserk_attack_survives_a_counter_strike():
    table = Table(same_number_attack=True, berserker=True).castle(1, "10D 2S\nQD JD KD").pool(1, "9D").draw("10H")
    table.deck("3S", "4S").dice((6, 6), (6, 5)).attack(1, 0)
    assert table.add("9D").roll == (22, 30, False) and table.asked == (Stage.COUNTER, 1)
    table.dice((1, 2), (3, 4)).attack(0, 3, q=0)
    assert table.asked == (TARGET, 0) and not {"3S", "4S"} & set(table.next_cards()), "two extra cards"
    assert table.attack(1, 0).stage == Stage.NAME


@pytest.mark.rule("11.5")
def test_what_an_attack_has_added_outlasts_a_counter_strike():
    """C8 whole_attack, C21 any_card: the reinforcement of diamonds still counts and still bars the Jack of diamonds."""
    table = Table(
        same_number_attack=True, royal_rule_suit="any_card", reinforcement_scope="whole_attack", rally_card="turns_card"
    )
    table.castle(0, "QC JS KC").castle(1, "5S .\nQD JD KD")
    table.pool(0, "7D").draw("5H").deck("3S").dice((2, 2), (6, 5)).attack(1, 0).add("7D")
    assert table.roll == (16, 16, False) and table.asked == (Stage.COUNTER, 1)
    table.dice((1, 2), (3, 4)).attack(0, 0, q=0)
    assert table.asked == (TARGET, 0) and table.cells() == {(1, 0), (0, 0), (0, 2)}
    assert table.dice((3, 4), (1, 2)).attack(1, 0).roll == (7 + 5 + 7 + 3, 8, True)


@pytest.mark.rule("11.5")
def test_whether_a_tie_provokes():
    """C33"""
    for reading, provoked in (("yes", True), ("no", False)):
        table = Table(same_number_attack=True, counter_on_tie=reading).castle(1, "5D\nQD JD KD").draw("5H")
        table.dice((3, 4), (5, 2)).attack(1, 0)
        assert table.roll == (12, 12, False) and (table.stage == Stage.COUNTER) == provoked
        table = Table(same_number_attack=True, counter_on_tie=reading).castle(1, "5D\nQD JD KD").draw("5H")
        table.dice((3, 4), (5, 3)).attack(1, 0)
        assert table.stage == Stage.COUNTER


@pytest.mark.rule("11.5")
def test_what_the_same_number_means():
    """C42"""
    for reading, provoked in (("value", True), ("number", False)):
        table = (
            Table(same_number_attack=True, same_number_means=reading).draw("10H").dice((1, 2), (3, 4, 6)).attack(0, 5)
        )
        assert table.roll == (13, 23, False) and (table.stage == Stage.COUNTER) == provoked
        table = Table(same_number_attack=True, same_number_means=reading).castle(1, "10D\nQD JD KD").draw("10H")
        table.dice((1, 2), (3, 4)).attack(1, 0)
        assert table.stage == Stage.COUNTER


@pytest.mark.rule("11.6")
def test_equal_neighbours_defend_together():
    """C34"""
    castle = """
        .  5H+ .
        5D 5S+ 5C+
        QD JD  KD
    """
    for reading, above in (("connected", 15), ("neighbours", 10)):
        table = Table(same_number_defence=True, same_number_group=reading, same_number_sides="all").castle(1, castle)
        table.draw("9H").dice((3, 4), (1, 2))
        assert table.copy().attack(2, 1).roll == (16, 3 + above, 16 > 3 + above)
        table.attack(1, 2)
        assert table.roll == (16, 3 + above, 16 > 3 + above), "the hidden 5 does not count"
    for shown, group in (("by_then", 20), ("before", 5)):
        table = Table(same_number_defence=True, same_number_sides="all", same_number_shown=shown).castle(1, castle)
        table.draw("9H").dice((3, 4), (1, 2)).attack(1, 0)
        assert table.roll == (16, 3 + group, 16 > 3 + group), "C54: it is revealed when it is attacked"
    for sides, group in (("row", 10), ("all", 15)):
        table = Table(same_number_defence=True, same_number_sides=sides).castle(1, castle).draw("9H")
        table.dice((3, 4), (1, 2)).attack(1, 2)
        assert table.roll == (16, 3 + group, 16 > 3 + group), "C53: beside is left and right"
    table = Table().castle(1, castle).draw("9H").dice((3, 4), (1, 2)).attack(2, 1)
    assert table.roll == (16, 8, True)


@pytest.mark.rule("11.6")
def test_only_the_attacked_card_falls_and_only_equal_numbers_help():
    table = Table(same_number_defence=True).castle(1, "5H+ 5S+\nQD JD KD").draw("9H").dice((6, 5), (1, 2)).attack(1, 0)
    assert table.roll == (20, 13, True) and table.layout(1)[1, 1] == "5S"
    assert table.dice((3, 4), (1, 2)).attack(1, 1).roll == (7 + 9 - 5, 8, True), (
        "the force falls by the card defeated alone"
    )
    table = (
        Table(same_number_defence=True).castle(1, "10H+ . 10S+\nQD+ JD KD").draw("9S").dice((3, 4), (1, 2)).attack(1, 0)
    )
    assert table.roll == (16, 13, True), "neither a Queen below nor a ten that does not touch"


@pytest.mark.rule("11.7")
def test_the_same_suit_costs_one():
    for on, off in ((True, 1), (False, 0)):
        table = Table(same_suit=on).castle(1, "5H 5S\nQD JH KD")
        assert table.copy().draw("9H").dice((3, 4), (1, 2)).attack(1, 0).roll == (16 - off, 8, True)
        assert table.copy().draw("9H").dice((3, 4), (1, 2)).attack(1, 1).roll == (16, 8, True)
    table = (
        Table(same_suit=True, royal_rule="allowed").castle(1, "QD JH KD").draw("9H").dice((3, 4), (1, 2)).attack(0, 1)
    )
    assert table.roll == (16 - 1, 13, True), "a royal too, once it may be attacked"
    table = ace(Table(same_suit=True).castle(1, "5H+ 5S+\nQD JD KD"), "7S", "7H")
    assert table.copy().dice((1, 2, 3, 4), (1, 2)).attack(1, 0).roll == (17 - 1, 8, True), (
        "the lead is the Ace of hearts"
    )
    assert table.dice((1, 2, 3, 4), (1, 2)).attack(1, 1).roll == (17, 8, True)


@pytest.mark.rule("11.7")
def test_a_saboteur_attacks_with_three_dice():
    """C35"""
    for reading, add in (("plus_value", 3), ("dice_only", 0)):
        table = Table(saboteur=True, saboteur_attack=reading).castle(1, WALL).draw("3H").dice((3, 4, 5), (1, 2))
        table.attack(1, 0)
        assert table.roll == (12 + add, 8, True)
    assert with_wall("3H").dice((3, 4, 5), (1, 2)).attack(1, 0).roll == (10, 8, True)
    table = with_wall("3H", saboteur=True).dice((3, 3, 5), (1, 2)).attack(1, 2)
    assert table.roll == (14, 12, True) and table.end().state.on_turn == 1
    for reading, drawn in (("never", False), ("each_pair", True), ("any_equal", True)):
        table = Table(saboteur=True, multi_dice_doubles=reading).castle(1, WALL).draw("3H").deck("9S")
        table.dice((2, 2, 1), (6, 5)).attack(1, 2)
        assert table.roll == (8, 20, False) and (table.stage == TARGET) == drawn, "C12"


@pytest.mark.rule("11.7")
def test_a_saboteur_defends_with_three_dice():
    for face, add in (("", 9), ("+", 3)):
        table = Table(saboteur=True).castle(1, f"3D{face}\nQD JD KD").draw("9H").dice((3, 4), (1, 2, 4)).attack(1, 0)
        assert table.roll == (16, 7 + add, 16 > 7 + add)
    assert Table().castle(1, "3D\nQD JD KD").draw("9H").dice((3, 4), (1, 2, 4)).attack(1, 0).roll == (16, 6, True)


@pytest.mark.rule("11.7")
def test_a_saboteur_has_its_traps_once():
    """C52: revealed, turned face down by its owner's 8, attacked again."""
    for reading, add in (("once", 3), ("each_time", 9)):
        table = Table(saboteur=True, saboteur_again=reading).castle(1, "3D+\nQD JD KD").turn(1).draw("8S")
        table.play(Act.LEAD).play(Act.TURN, at(1, 1, 0))
        assert not table.up(1, 1, 0)
        table.dice((1, 2), (3, 4)).attack(0, 3, q=0)
        table.turn(0).draw("9H").dice((3, 4), (1, 2, 4)).attack(1, 0)
        assert table.roll == (16, 7 + add, 16 > 7 + add)


@pytest.mark.rule("11.8")
def test_above_the_top_row():
    """C48"""
    table = Table(barricade=True).castle(1, "2D . 4D\n5D 7D 9D\nQD JD KD", at=2).draw("6S")
    above = {arg // 4 for arg in table.args(Act.LAY) if arg % 4 == Side.ABOVE}
    assert above == {at(1, 3, 2), at(1, 3, 4)}, "not above the lower column between them"
    table = (
        Table(barricade=True).castle(0, "2C . 4C\nQC JC KC", at=2).barricade(0, 2, 2, "6S", Side.ABOVE, by=1).draw("9S")
    )
    assert table.spots() == {(1, 3), (1, 1), (1, 5), (0, 1), (0, 5)}, "nothing above the top row, whatever the column"
    anywhere = Table(barricade=True, placement="anywhere").castle(0, "2C . 4C\nQC JC KC", at=2)
    anywhere.barricade(0, 2, 2, "6S", Side.ABOVE, by=1).draw("9S")
    assert {r for r, _ in anywhere.spots()} == {0, 1}


@pytest.mark.rule("11.8")
def test_where_a_barricade_may_be_laid():
    table = Table(3, barricade=True, barricade_above="column").castle(1, "2D . 4D\nQD JD KD", at=2)
    table.castle(2, "9H\n7H\n4H\nQH JH KH", at=2).draw("6S")
    first = {
        (2, 2, Side.ABOVE),
        (1, 3, Side.ABOVE),
        (2, 4, Side.ABOVE),
        (0, 1, Side.LEFT),
        (0, 5, Side.RIGHT),
        (1, 1, Side.LEFT),
        (1, 5, Side.RIGHT),
    }
    second = {(1, 3, Side.ABOVE), (1, 4, Side.ABOVE), (0, 1, Side.LEFT), (0, 5, Side.RIGHT)} | {
        (r, c, side) for r in (1, 2, 3) for c, side in ((1, Side.LEFT), (3, Side.RIGHT))
    }
    assert set(table.args(Act.LAY)) == {laid(1, *spot) for spot in first} | {laid(2, *spot) for spot in second}, (
        "no room above row 3; not in the own castle"
    )
    table.play(Act.LAY, laid(1, 1, 3, Side.ABOVE))
    assert table.state.barricade[1, sq(1, 3)] == card("6S") and table.record()["barricades"] == 1
    assert table.asked == (CARD, 1)


@pytest.mark.rule("11.8")
def test_nothing_is_built_on_a_barricade_or_beyond():
    def spots(r, c, side):
        return (
            Table(barricade=True, barricade_above="column")
            .castle(0, "2C . 4C\nQC JC KC", at=2)
            .barricade(0, r, c, "6S", side, by=1)
            .draw("9S")
            .spots()
        )

    free = {(2, 2), (1, 3), (2, 4), (1, 1), (1, 5), (0, 1), (0, 5)}
    assert spots(2, 2, Side.ABOVE) == free - {(2, 2)}
    assert spots(1, 3, Side.ABOVE) == free - {(1, 3)}
    assert spots(0, 1, Side.LEFT) == free - {(0, 1)}
    assert spots(1, 5, Side.RIGHT) == free - {(1, 5)}
    anywhere = Table(barricade=True, barricade_above="column", placement="anywhere").castle(
        0, "2C . 4C\nQC JC KC", at=2
    )
    every = {(r, c) for r in range(4) for c in range(-1, 10)} - {(1, 2), (1, 4), (0, 2), (0, 3), (0, 4)}
    blocked = {
        (2, 2, Side.ABOVE): {(2, 2), (3, 2)},
        (1, 1, Side.LEFT): {(1, -1), (1, 0), (1, 1)},
        (0, 5, Side.RIGHT): {(0, c) for c in range(5, 10)},
    }
    for (r, c, side), gone in blocked.items():
        assert anywhere.copy().barricade(0, r, c, "6S", side, by=1).draw("9S").spots() == every - gone


@pytest.mark.rule("11.8")
def test_the_owner_removes_a_barricade_by_attacking_it():
    """C36"""
    for reading, defence in (("placer", 1 + 2 + 6), ("nobody", 6)):
        table = Table(barricade=True, barricade_dice=reading).castle(0, "2C\nQC JC KC")
        table.barricade(0, 2, 0, "6S", Side.ABOVE, by=1)
        assert table.copy().turn(1).draw("9S").targets() == {at(0, 1, 0), at(0, 0, 0), at(0, 0, 1), at(0, 0, 2)}, (
            "the owner alone; it protects nothing"
        )
        table.draw("4H").dice((3, 4), (1, 2))
        assert barricade(2, 0) in table.targets()
        table.play(Act.ATTACK, barricade(2, 0))
        assert table.roll == (11, defence, True) and table.state.barricade[0, sq(2, 0)] == -1
        assert table.discarded() == {"4H", "6S"} and table.state.on_turn == 1
        assert (2, 0) in table.turn(0).draw("9S").spots()


@pytest.mark.rule("11.8")
def test_a_barricade_defends_for_the_player_who_laid_it():
    table = Table(3, barricade=True).castle(0, "2C\nQC JC KC").barricade(0, 2, 0, "6S", Side.ABOVE, by=2)
    table.pool(2, "9H").pool(1, "5D").draw("4H").deck("3S").dice((3, 3), (1, 2))
    table.play(Act.ATTACK, barricade(2, 0))
    assert table.asked == (ADD, 2)
    assert table.add("9H").roll == (10, 3 + 6 + 9, False)
    assert table.asked == (TARGET, 0) and table.targets() == {barricade(2, 0)}
    assert table.can(Act.END), "a double: the same one again"


@pytest.mark.rule("11.8")
def test_a_double_that_beats_a_barricade_attacks_again():
    """C47: a 10 beats a barricade with two fives."""
    for reading, again in (("yes", True), ("no", False)):
        table = Table(3, barricade=True, double_anew=reading).castle(0, "2C\nQC JC KC").castle(1, "5D\nQD JD KD")
        table.barricade(0, 2, 0, "6S", Side.ABOVE, by=1).draw("10H").deck("9D", "4S").dice((5, 5), (1, 2)).play(
            Act.ATTACK, barricade(2, 0)
        )
        assert table.roll == (20, 9, True) and (table.asked == (TARGET, 0)) == again
        if again:
            assert table.can(Act.END) and table.cells(1) and table.cells(2), "any target"
            assert table.dice((3, 4), (1, 2)).attack(1, 0).roll == (7 + 10 + 9 - 6, 8, True), (
                "the barricade's 6 comes off the force"
            )


@pytest.mark.rule("11.9")
@pytest.mark.parametrize(
    ("faces", "total", "double"),
    [
        ((10, 9), 19, False),
        ((11, 4), 15, False),
        ((12, 2), 14, False),
        ((13, 2), 14, True),
        ((12, 12), 24, True),
        ((13, 1), 13, True),
        ((1, 1), 2, False),
        ((12, 13), 24, True),
    ],
)
def test_a_card_for_each_die(faces, total, double):
    """C43 die: Ace to 10 = 1 to 10, Jack 11, Queen 12, King 12 and a double by itself; snake eyes are two Aces."""
    table = Table(random_source="cards", card_replaces="die").castle(0, "5C\nQC JC KC").castle(1, WALL).draw("2H")
    table.deck("4S").dice(faces, (11, 10)).attack(1, 2)
    assert table.roll == (total + 2, 30, False)
    assert (table.stage == TARGET) == double and (table.stage == REMOVE) == (faces == (1, 1))
    table = Table(random_source="cards", card_replaces="die").castle(0, "5C\nQC JC KC").castle(1, WALL).draw("2H")
    table.dice((3, 4), (*faces, 2, 5)).attack(1, 2)
    assert table.roll == (9, total + (7 if double else 0) + 9, False)


@pytest.mark.rule("11.9")
@pytest.mark.parametrize(("face", "total"), [(1, 1), (2, 2), (10, 10), (11, 11), (12, 12), (13, 12)])
def test_a_card_for_a_throw_of_two_dice(face, total):
    """C43, C45: Ace 1 to 10, Jack 11, Queen 12, King a double six; no other doubles."""
    table = Table(random_source="cards").castle(0, "5C\nQC JC KC").castle(1, WALL).draw("2H").deck("4S")
    table.dice((face,), (10,)).attack(1, 2)
    assert table.roll == (total + 2, 19, False) and (table.stage == TARGET) == (face == 13) and table.stage != REMOVE
    table = Table(random_source="cards").castle(1, WALL).draw("2H").dice((5,), (face, 3)).attack(1, 2)
    assert table.roll == (7, total + 3 * (face == 13) + 9, False), "a defender's King brings another card"
    table = Table(random_source="cards", ace_as_throw="snake_eyes").castle(0, "5C\nQC JC KC").castle(1, WALL)
    table.draw("2H").deck("4S").dice((face,), (10,)).attack(1, 2)
    assert (table.stage == REMOVE) == (face == 1)


@pytest.mark.rule("11.9")
def test_cards_for_three_and_four_dice():
    """An odd die is half a card, rounded up; four dice are two cards."""
    table = Table(random_source="cards").castle(1, "QD JD KD").draw("2H").dice((5,), (13, 7)).attack(0, 2)
    assert table.roll == (7, 12 + 4 + 10, False), "three dice of the King: no double (C12)"
    table = ace(Table(random_source="cards").castle(1, "5D+\nQD JD KD"), "7S", "9S").dice((13, 3), (10,)).attack(1, 0)
    assert table.roll == (12 + 3 + 7, 15, True)
    table = Table(random_source="cards", berserker=True).castle(1, WALL).draw("2H").deck("3S", "4S")
    table.dice((13,), (10,)).attack(1, 2)
    assert not {"3S", "4S"} & set(table.next_cards()), "a King is a double six"


@pytest.mark.rule("11.9")
def test_cards_of_the_deck_itself():
    """C44: the top card for the attacker, the next for the defender, both discarded."""
    table = (
        Table(random_source="cards", cards_from="deck").castle(1, WALL).draw("2H").deck("7S", "9S", "3S").attack(1, 2)
    )
    assert table.roll == (7 + 2, 9 + 9, False) and {"7S", "9S"} <= table.discarded() and table.state.drawn == card("3S")
    table = Table(random_source="cards", cards_from="deck").castle(1, WALL).only("2H").play(Act.DRAW).attack(1, 2)
    assert table.roll == (2, 9, False), "no card at all counts nothing"
    each = Table(random_source="cards", cards_from="deck", card_replaces="die", jokers=1).castle(1, WALL).draw("2H")
    each.deck("7S", "*1", "9S", "8S").attack(1, 2)
    assert each.roll == (7 + 0 + 2, 9 + 8 + 9, False) and "*1" in each.discarded(), "a Joker counts nothing"
    for replaces, total in (("throw", 24), ("die", 48)):
        table = Table(
            random_source="cards",
            cards_from="deck",
            card_replaces=replaces,
            defence_chain="chain",
            dead_royals="removed",
        )
        table.castle(1, "5D KS~\nQD JD KD").castle(0, "QC JC KC").only("2H", "KH").play(Act.DRAW)
        assert table.attack(1, 0).rolls[0][1] == total + 5, "C15: a King that comes again and again counts twice"


@pytest.mark.rule("11.9")
def test_what_dice_and_cards_show_at_least_and_at_most():
    ranges = {
        "dice": ({}, 2, 12),
        "throw": ({"random_source": "cards"}, 1, 12),
        "die": ({"random_source": "cards", "card_replaces": "die"}, 2, 24),
    }
    for sets, least, most in ranges.values():
        table = Table(**sets).castle(1, "KD").draw("2H")
        totals = []
        for seed in range(400):
            game = table.copy()
            game.state.luck[2] = np.uint64(seed * 7919)
            game.state.luck[3] = np.uint64(seed * 104729)
            totals.append(game.attack(0, 0).rolls[0][0] - 2)
        assert min(totals) == least and max(totals) == most


# ---------------------------------------------------------------- where rules meet


@pytest.mark.rule("11.4")
def test_royals_in_a_berserk_attack():
    table = Table(berserker=True).castle(1, "5D 2S\nQD JD KD").draw("9H").deck("3S", "4S").dice((6, 6), (1, 2))
    table.attack(1, 0).attack(0, 0)
    table.play(Act.NAME, sq(0, 1)).dice((3, 4), (1, 2)).end()
    assert table.roll == (7 + 9 + 3 + 4 - 5 - 4, 3 + 20, False), "the Queen's -4 holds when she is among them"
    table = Table(berserker=True).castle(1, "5D 2S\nQD JD KD").draw("9H").deck("10S", "10D").dice((6, 6), (1, 2))
    table.attack(1, 1).attack(0, 1)
    table.play(Act.NAME, sq(0, 2)).dice((6, 5), (1, 2, 6)).end()
    assert table.roll == (11 + 9 + 20 - 2, 3 + 20, True) and table.is_over(), "two dice, even for the King"
    assert table.record()["royals_lost"] == 2 and table.record()["winner"] == 0


@pytest.mark.rule("7.5")
def test_an_assassin_that_must_go_on():
    """C9 with C20"""
    for reading, end in (("optional", True), ("must", False)):
        table = ace(Table(assassin_follow="yes", follow_through=reading).castle(1, WALL), "8S", "3D").end()
        table.dice((1, 2, 3, 4), (1, 2)).attack(1, 1)
        assert table.asked == (TARGET, 0) and table.can(Act.END) == end


@pytest.mark.rule("9.2")
def test_a_barricade_keeps_its_column():
    table = Table(barricade=True).castle(0, "QC . JC KC")
    assert table.turn(0).can(Act.CLOSE)
    assert not table.barricade(0, 1, 1, "6S", Side.ABOVE, by=1).turn(0).can(Act.CLOSE)


@pytest.mark.rule("11.8")
def test_a_barricade_moves_with_the_castle():
    table = Table(barricade=True).castle(0, "2C QC JC KC").barricade(0, 0, 4, "6S", Side.RIGHT, by=1).draw("9S")
    table.place(0, -1)
    assert table.card(0, 0, 0) == "9S" and table.card(0, 0, 1) == "2C"
    assert table.state.barricade[0, sq(0, 5)] == card("6S")
    assert (0, 5) not in table.turn(0).draw("9H").spots()
    full = Table(barricade=True).castle(0, "2C QC JC KC", at=4).barricade(0, 0, 8, "6S", Side.RIGHT, by=1).draw("9S")
    assert not any(c == -1 for _, c in full.spots()), "the last column is not free of barricades"


@pytest.mark.rule("11.8")
def test_a_barricade_outlives_the_player_who_laid_it():
    table = Table(3, barricade=True).castle(0, "2C\nQC JC KC").barricade(0, 2, 0, "6S", Side.ABOVE, by=1)
    table.barricade(1, 0, 6, "6H", Side.RIGHT, by=2)
    table.draw("10H").dice((6, 5), (1, 2, 2)).attack(0, 5)
    assert not table.lives(1) and table.state.barricade[0, sq(2, 0)] == card("6S")
    assert "6H" in table.discarded(), "those in his own castle are discarded"
    table.turn(0).draw("4H").dice((1, 2), (1, 1)).play(Act.ATTACK, barricade(2, 0))
    assert table.roll == (7, 8, False)
    assert table.state.on_turn == 2, "the dice are rolled all the same; nothing can be removed for his snake eyes"


@pytest.mark.rule("11.1")
def test_the_dead_have_no_part_in_jokers():
    table = Table(3, jokers=2).jokers(1, "*2").draw("10H").dice((6, 5), (1, 2, 2)).attack(0, 5)
    assert not table.lives(1) and table.jokers_of(1) == set() and "*2" in table.discarded()
    table.turn(2).deck("*1").dice(contest=(3, 5)).play(Act.DRAW)
    assert table.jokers_of(0) == {"*1"}, "players 2 and 0 roll"


@pytest.mark.rule("10.1")
def test_the_killer_by_counter_strike_inherits():
    """C23 to_killer"""
    table = Table(3, same_number_attack=True, dead_player_cards="to_killer").castle(1, "5D\nQD JD KD")
    table.castle(0, "2C .\n3C KC").draw("5H").dice((1, 2), (3, 4)).attack(1, 0).dice((6, 5), (1, 2)).attack(0, 1, q=0)
    assert table.roll == (16, 13, True) and table.pool_of(1) == {"2C", "3C"} and table.discarded() == {"5H", "KC"}


@pytest.mark.rule("3.2")
def test_a_kept_lead_lies_as_placed_cards_do():
    """C7 placed with C41"""
    for reading, shown in (("hidden", False), ("revealed", True)):
        table = Table(called_off_lead="placed", placed_face=reading).draw("2D").attack(0, 3).place(1, 4)
        assert table.up(0, 1, 4) == shown and table.seen_by("2D") == {0, 1}
