"""Castle Rampage rule by rule: one position, one rule, one expectation. Every reading of every ruling is played at least once.

Unless a test says otherwise seat 0 plays against seat 1 in turn 1, hands, Gates and discards are empty and both Castles are three Knights (Castle defence 1).
"""

from collections import Counter
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest

from bartizan.simcore import rng
from bartizan.simcore.play.replay import set_up as set_up_game
from bartizan.simcore.rampage.components import NO_SCORE, NONE, Act, End, Event, Luck, Stage
from bartizan.simcore.rampage.engine import ENGINE
from bartizan.simcore.rampage.rules.zones import can_pay
from bartizan.simcore.scenario.loading import load_scenario
from tests.rampage_table import CASTLE, GAME, GATE, SEATS, Table, need_of

MODEL = load_scenario(GAME).model
PURPLE = {"bomber", "saboteur", "spy", "ogre"}
FIGHTERS = "scheme_knight_archer"  # a Knight and an Archer; 9, with one Archer more 14
AXES = "scheme_axe_knight"  # an Axe man and a Knight; 9, with one Knight more 14
WALL = "ogre"  # Gate 6, Castle 6


def attack(
    name: str,
    gate: str = "",
    castle: str = "knight knight knight",
    hand: str = "",
    pay: str = "",
    boosts: int = 0,
    **sets,
) -> Table:
    """Seat 0 has played this card against these stacks, paid for it, and has these other cards in hand."""
    return Table(**sets).gate(1, gate).castle(1, castle).hand(0, f"{name} {pay} {hand}").use(name, boosts, pay=pay)


def dealt(table: Table, p: int) -> list[str]:
    return [table.names[k] for k, n in enumerate(table.state.dealt[p]) for _ in range(int(n))]


def set_up(table: Table) -> Table:
    """Everybody places the first card there is."""
    while table.stage in (Stage.SETUP_GATE, Stage.SETUP_CASTLE):
        table.play(*table.legal()[0])
    return table


# ---------------------------------------------------------------- 2 Set-up


@pytest.mark.rule("2.1")
def test_seat_0_starts():
    table = set_up(Table(begun=False))
    assert table.asked == (Stage.MAIN, 0) and table.state.turn == 1
    assert table.end().asked == (Stage.MAIN, 1)


# A deck that shows all of its order: no purple cards, each player gets one card, which goes to the Castle.
ORDER = {"setup.batches": 1, "setup.batch_size": 1, "setup.gate_per_batch": 0, "setup.castle_per_batch": 1}
TEN = ("axe_man", "knight", "archer", "giant", "veteran", "digger", "dragon", "jester", "priest", "x_mason")


def deck_of(**counts: int) -> Table:
    return Table(begun=False, **ORDER, **{f"card.{name}.count": counts.get(name, 0) for name in MODEL.card})


def shuffled(table: Table, seed: int, game: int) -> list[str]:
    """The order of all cards."""
    set_up_game(table.engine, table.states, table.tables, seed, game)
    return [name for p in range(SEATS) for name in dealt(table, p)] + table.pile_of()


@pytest.mark.rule("2.1")
def test_every_card_comes_to_every_place_equally_often():
    """The keyed shuffle, 4000 times: what is found in 10 x 10 cells against chi-square."""
    table, games = deck_of(**dict.fromkeys(TEN, 1)), 4000
    found = np.zeros((len(TEN), len(TEN)))
    for game in range(games):
        for place, name in enumerate(shuffled(table, 7, game)):
            found[TEN.index(name), place] += 1
    expected = games / len(TEN)
    chi2 = ((found - expected) ** 2 / expected).sum() * (len(TEN) - 1) / len(TEN)
    free = (len(TEN) - 1) ** 2
    assert abs(chi2 - free) < 4 * (2 * free) ** 0.5


@pytest.mark.rule("2.1")
def test_neighbours_and_copies_are_shuffled_too():
    """Copies of one kind have words of their own: 6 Knights and 6 Archers stand next to their like as often as chance has it."""
    table, games = deck_of(knight=6, archer=6), 2000
    alike = []
    for game in range(games):
        order = shuffled(table, 8, game)
        alike.append(sum(a == b for a, b in pairwise(order)))
    assert abs(np.mean(alike) - 11 * 5 / 11) < 4 * np.std(alike) / games**0.5, (
        "11 neighbours, 5 of the other 11 cards are of the same kind"
    )


@pytest.mark.rule("2.2")
def test_five_cards_that_are_not_purple():
    for seed in range(30):
        table = Table(begun=False, seed=seed)
        for batch in (1, 2):
            assert [len(dealt(table, p)) for p in range(SEATS)] == [5, 5] and table.state.batch == batch - 1
            assert not PURPLE & {*dealt(table, 0), *dealt(table, 1)}
            assert len(table.pile_of()) == 118 - 10 * batch, "set-aside cards are back in the pile"
            for _ in range(8):
                table.play(*table.legal()[0])


@pytest.mark.rule("2.2")
def test_purple_cards_are_dealt_again():
    """A4 each_batch: the pile is shuffled again when purple cards were set aside, and only then."""
    again = {seed: int(Table(begun=False, seed=seed).state.shuffles) for seed in range(40)}
    assert set(again.values()) == {1, 2}
    for seed, shuffles in again.items():
        plain = Table(begun=False, seed=seed, **{f"card.{name}.purple": False for name in PURPLE})
        first = [*dealt(plain, 0), *dealt(plain, 1)]
        assert bool(PURPLE & set(first)) == (shuffles == 2), "the same shuffle, and nobody minds purple cards"
        if shuffles == 1:
            assert first == [name for p in range(SEATS) for name in dealt(Table(begun=False, seed=seed), p)]


@pytest.mark.rule("2.2")
def test_who_is_dealt_what_is_hypergeometric():
    """5 of the 102 cards that are not purple, for both players and both deals."""
    games, plain = 1500, {name: card.count for name, card in MODEL.card.items() if not card.purple}
    n, draws = sum(plain.values()), 5
    counts = [Counter(), Counter()]
    table = Table(begun=False)
    for game in range(games):
        set_up_game(table.engine, table.states, table.tables, 9, game)
        for p in range(SEATS):
            counts[p].update(dealt(table, p))
    assert n == 102
    for p, name in product(range(SEATS), plain):
        share = plain[name] / n
        deviation = (games * draws * share * (1 - share) * (n - draws) / (n - 1)) ** 0.5
        assert abs(counts[p][name] - games * draws * share) < 4.5 * deviation, name


@pytest.mark.rule("2.2")
def test_purple_cards_lie_anywhere_in_the_pile():
    """16 of the 98 cards after the set-up are purple, each place as likely."""
    games, found = 500, np.zeros(98)
    start = Table(begun=False, **{"turn.first_draw": 0})
    for game in range(games):
        set_up_game(start.engine, start.states, start.tables, 10, game)
        while start.state.stage != Stage.MAIN:
            start.apply(start.codes()[0])
        found += [name in PURPLE for name in start.pile_of()]
    share = 16 / 98
    chi2 = ((found - games * share) ** 2).sum() / (games * share * (1 - share)) * 97 / 98
    assert found.sum() == 16 * games and abs(chi2 - 97) < 4 * (2 * 97) ** 0.5


@pytest.mark.rule("2.2")
def test_purple_cards_of_the_second_deal():
    """A3: replaced, or kept and placed like any other."""
    kept = 0
    for seed in range(20):
        table = Table(begun=False, seed=seed, second_deal="kept")
        assert not PURPLE & {*dealt(table, 0), *dealt(table, 1)}, "the first deal replaces them"
        for _ in range(8):
            table.play(*table.legal()[0])
        assert [len(dealt(table, p)) for p in range(SEATS)] == [5, 5] and len(table.pile_of()) == 98
        kept += len(PURPLE & {*dealt(table, 0), *dealt(table, 1)})
    assert kept > 10


@pytest.mark.rule("2.2")
def test_when_set_aside_cards_go_back():
    """A4"""
    waited = 0
    for seed in range(20):
        table = Table(begun=False, seed=seed, set_aside="at_end")
        aside = int(table.state.aside.sum())
        assert table.state.shuffles == 1 and len(table.pile_of()) == 108 - aside
        waited += aside
        for _ in range(8):
            table.play(*table.legal()[0])
        assert table.state.aside.sum() == 0 and len(table.pile_of()) == 98, "after the second deal"
        assert table.state.shuffles == 2 or not PURPLE & {table.names[k] for k in np.flatnonzero(table.state.aside)}
    assert waited > 10
    assert all(Table(begun=False, seed=seed).state.aside.sum() == 0 for seed in range(20)), "each_batch"


@pytest.mark.rule("2.3")
def test_who_places_what_and_where():
    """A5 hidden: neither sees what the other does; seat 0 is asked first."""
    table = Table(begun=False, seed=3)
    for batch, p in product((0, 1), (0, 1)):
        cards, before = dealt(table, p), (table.gate_of(p).split(), table.castle_of(p).split())
        placed = []
        for structure, stage in (
            (GATE, Stage.SETUP_GATE),
            (GATE, Stage.SETUP_GATE),
            (CASTLE, Stage.SETUP_CASTLE),
            (CASTLE, Stage.SETUP_CASTLE),
        ):
            act = Act.GATE if structure == GATE else Act.CASTLE
            assert table.asked == (stage, p) and table.kinds() == {act}
            assert table.asks(act).split() == list(dict.fromkeys(dealt(table, p))), "any of those left, each kind once"
            placed.append(dealt(table, p)[-1])
            table.put(structure, placed[-1])
        (left,) = (Counter(cards) - Counter(placed)).elements()
        assert table.gate_of(p).split() == before[0] + placed[:2]
        assert table.castle_of(p).split() == before[1] + placed[2:], "in the order chosen, under those already there"
        assert table.state.hand_size[p] - (table.state.turn == 1 and p == 0) == batch + 1
        assert left in table.hand_of(p).split()


@pytest.mark.rule("2.3")
def test_no_placing_cost_at_the_set_up():
    """A card with a placing cost that is not purple, or is kept: it is placed for nothing."""
    table = set_up(Table(begun=False, **{"card.knight.place_cost": "[{ op = 'discard', n = 5 }]"}))
    assert table.stage == Stage.MAIN and table.discarded() == ""


@pytest.mark.rule("2.4")
def test_what_there_is_after_the_set_up():
    table = set_up(Table(begun=False, seed=5, **{"turn.first_draw": 0}))
    s = table.state
    assert s["size"].tolist() == [[4, 4], [4, 4]] and s.hand_size.tolist() == [2, 2]
    assert len(table.pile_of()) == 98 and table.discarded() == "" and not s.known.any()


# ---------------------------------------------------------------- 3 Turn


@pytest.mark.rule("3.1")
def test_two_cards_a_turn_and_one_in_the_first():
    table = set_up(Table(begun=False))
    assert [int(n) for n in table.state.hand_size] == [3, 2]
    for t, (p, sizes) in enumerate([(1, [3, 4]), (0, [5, 4]), (1, [5, 6])], start=2):
        table.end()
        assert table.asked == (Stage.MAIN, p) and table.state.turn == t and table.state.hand_size.tolist() == sizes


@pytest.mark.rule("3.1")
def test_cards_are_drawn_from_the_top_of_the_pile():
    table = Table().pile("giant dragon spy").end()
    assert table.hand_of(1) == "giant dragon" and table.pile_of()[0] == "spy"


@pytest.mark.rule("3.1")
def test_an_empty_pile_is_made_of_the_discards():
    """A1 reshuffle: in the middle of drawing, as often as needed."""
    table = Table().last("giant", discards="dragon spy priest").end()
    assert table.state.hand_size[1] == 2 and "giant" in table.hand_of(1) and table.discarded() == ""
    assert sorted(table.pile_of() + table.hand_of(1).split()) == ["dragon", "giant", "priest", "spy"]
    assert table.record()["reshuffles"] == 1
    firsts = {Table(seed=seed).last("", discards="dragon spy priest").end().pile_of()[0] for seed in range(20)}
    assert firsts == {"dragon", "spy", "priest"}, "shuffled"


@pytest.mark.rule("3.1")
def test_nothing_to_draw():
    """A1 reshuffle: both empty, nothing is drawn and the game goes on."""
    table = Table().last("giant").end()
    assert table.hand_of(1) == "giant" and table.asked == (Stage.MAIN, 1) and table.record()["reshuffles"] == 0


@pytest.mark.rule("3.1")
@pytest.mark.parametrize(
    ("reading", "larger", "winner"),
    [("draw", 0, NONE), ("draw", 1, NONE), ("count_cards", 0, 0), ("count_cards", 1, 1)],
)
def test_an_empty_pile_may_end_the_game(reading, larger, winner):
    """A1 game_ends, as A18 says; not before a card is missing."""
    table = Table(empty_pile="game_ends", stalemate=reading, **{"turn.draw": 1})
    table.castle(larger, " ".join(table.pile_of()[3:])).last("axe_man", discards="axe_man").end()
    assert table.asked == (Stage.MAIN, 1)
    assert table.hand_of(1) == "axe_man", "the last card of the pile is drawn and play goes on"
    table.end()
    assert table.state.end_reason == End.PILE_EMPTY and table.winner == winner and table.discarded() == "axe_man"


@pytest.mark.rule("3.1")
def test_the_game_may_end_in_the_middle_of_a_play():
    """A1 game_ends with A6: the Axe man's card is not there, and nothing more happens: no attack."""
    table = Table(empty_pile="game_ends").hand(0, "axe_man").last("").use("axe_man")
    assert table.state.end_reason == End.PILE_EMPTY and table.record()["attacks"] == 0 and table.winner == NONE
    table = Table(empty_pile="game_ends", effect_or_attack="attack_first").hand(0, "axe_man").last("").use("axe_man")
    assert table.state.end_reason == End.PILE_EMPTY and table.record()["attacks"] == 1
    table = Table(empty_pile="game_ends", effect_or_attack="attack_first").castle(1, "knight").hand(0, "axe_man")
    table.castle(0, " ".join(["knight"] * 3)).discards(" ".join(table.pile_of())).use("axe_man")
    assert table.state.end_reason == End.CASTLE_FELL and table.winner == 0, "won before the draw"
    table = Table(empty_pile="game_ends").castle(0, "knight knight").hand(0, "jester").last("priest").use("jester")
    table.play(Act.LOSE, CASTLE)
    assert table.state.end_reason == End.PILE_EMPTY and table.hand_of(0) == "priest", "one of three cards was there"


@pytest.mark.rule("3.1")
def test_an_empty_pile_may_stay_empty():
    """A1 no_draw"""
    table = Table(empty_pile="no_draw").last("giant", discards="dragon spy").end()
    assert table.hand_of(1) == "giant" and table.discarded() == "dragon spy" and table.asked == (Stage.MAIN, 1)
    assert table.end().hand_of(0) == "" and table.record()["reshuffles"] == 0


@pytest.mark.rule("3.1")
def test_what_a_pile_made_in_mid_turn_holds():
    """A24 included: what was discarded this turn, the payment too, but not the card being played."""
    table = Table(**{"card.axe_man.cost": "[{ op = 'discard', n = 1 }]"}).gate(1, WALL).hand(0, "axe_man dragon")
    table.last("", discards="spy").use("axe_man", pay="dragon")
    assert sorted(table.pile_of() + table.hand_of(0).split()) == ["dragon", "spy"] and table.discarded() == "axe_man"


@pytest.mark.rule("3.1")
def test_cards_discarded_this_turn_may_be_left_out():
    """A24 left_out: until the turn is over; then they are there."""
    costs = {"card.axe_man.cost": "[{ op = 'discard', n = 1 }]"}
    table = Table(midturn_reshuffle="left_out", **costs).gate(1, WALL).hand(0, "axe_man dragon")
    table.last("", discards="spy").use("axe_man", pay="dragon")
    assert table.hand_of(0) == "spy" and table.pile_of() == [] and table.discarded() == "axe_man dragon"
    table.end()
    assert table.hand_of(1) == "axe_man dragon", "the draw of the next turn finds them"
    table = Table(midturn_reshuffle="left_out").gate(1, "archer").hand(0, "knight axe_man").last("").use("knight")
    table.use("axe_man")
    assert table.hand_of(0) == "" and "archer" in table.discarded(), "the cards of the other side rest too"


@pytest.mark.rule("3.2")
@pytest.mark.parametrize("structure", [GATE, CASTLE])
def test_strengthening_once_a_turn(structure):
    table = Table().gate(0, "giant").hand(0, "bomber axe_man axe_man")
    assert table.asks(Act.GATE) == table.asks(Act.CASTLE) == "axe_man bomber", "any hand card, each kind once"
    table.put(structure, "bomber")
    assert (table.gate_of(0), table.castle_of(0)) == (
        ("giant bomber", "knight knight knight") if structure == GATE else ("giant", "knight knight knight bomber")
    )
    assert table.hand_of(0) == "axe_man axe_man" and table.kinds() == {Act.END, Act.PLAY}, "once"
    assert table.record()["strengthened"] == 1 and table.record()["texts"] == 0
    assert table.discarded() == "", "no cost, no effect"
    assert table.end().end().can(Act.GATE, table.k("axe_man")), "the next turn"


@pytest.mark.rule("3.2")
def test_strengthening_at_any_moment():
    """A2 any_time: after a play, and between two."""
    table = attack("knight", castle=WALL, hand="axe_man axe_man")
    assert table.can(Act.GATE, table.k("axe_man"))
    assert table.put(CASTLE, "axe_man").plays() == ["axe_man"]


@pytest.mark.rule("3.2")
def test_strengthening_before_the_first_play():
    """A2 before_plays"""
    table = Table(strengthen_timing="before_plays").castle(1, WALL).hand(0, "knight axe_man")
    assert table.can(Act.GATE, table.k("knight"))
    assert table.use("knight").kinds() == {Act.END, Act.PLAY}
    table = Table(strengthen_timing="before_plays").hand(0, "knight axe_man").put(GATE, "axe_man")
    assert table.plays() == ["knight"]
    assert table.end().end().can(Act.GATE, table.k("knight")), "the next turn"


@pytest.mark.rule("3.2")
@pytest.mark.parametrize(
    ("reading", "cards"), [("allowed", f"axe_man {FIGHTERS} x_banner"), ("not_allowed", "axe_man")]
)
def test_what_may_strengthen(reading, cards):
    """A25: permanents and schemes, at the Gate as in the Castle."""
    table = Table(strengthen_with=reading).hand(0, f"x_banner {FIGHTERS} axe_man")
    assert table.asks(Act.GATE) == table.asks(Act.CASTLE) == cards


@pytest.mark.rule("3.3")
def test_the_ogres_price():
    """A22 no: two cards beside itself, for the Gate as for the Castle; no play is spent."""
    assert Table().hand(0, "ogre priest").asks(Act.GATE) == "priest"
    table = Table().hand(0, "ogre ogre priest")
    assert table.asks(Act.GATE) == table.asks(Act.CASTLE) == "ogre priest"
    table.put(CASTLE, "ogre")
    assert table.asked == (Stage.PAY, 0) and table.asks(Act.PAY) == "ogre priest"
    assert table.castle_of(0) == "knight knight knight"
    assert table.pay("ogre priest").castle_of(0) == "knight knight knight ogre" and table.discarded() == "ogre priest"
    assert table.record()["paid"] == 2 and table.record()["plays"] == 0


@pytest.mark.rule("3.3")
def test_the_ogre_may_count_itself():
    """A22 yes: one other card is enough."""
    assert Table(placing_itself="yes").hand(0, "ogre").asks(Act.GATE) == ""
    table = Table(placing_itself="yes").hand(0, "ogre priest knight").put(GATE, "ogre")
    assert table.pay("priest").gate_of(0) == "ogre" and table.hand_of(0) == "knight" and table.stage == Stage.MAIN


@pytest.mark.rule("3.3")
def test_a_placing_cost_in_units():
    """A22 yes takes no unit off."""
    for reading in ("no", "yes"):
        table = Table(
            placing_itself=reading, **{"card.ogre.place_cost": "[{ op = 'discard_unit', unit = 'archer', n = 1 }]"}
        )
        assert table.hand(0, "ogre knight knight").asks(Act.GATE) == "knight"
        table.hand(0, "ogre knight archer").put(GATE, "ogre")
        assert table.asks(Act.PAY) == "archer"


@pytest.mark.rule("3.4")
def test_any_number_of_plays_in_any_order_or_none():
    table = Table().hand(0, "knight knight veteran axe_man")
    assert table.can(Act.END) and table.plays() == ["axe_man", "knight", "veteran"]
    table = Table().castle(1, "ogre ogre").hand(0, "knight knight veteran axe_man").use("knight").put(GATE, "axe_man")
    table.use("veteran").use("knight")
    assert table.record()["plays"] == 3 and table.hand_of(0) == "veteran" and table.end().asked == (Stage.MAIN, 1)
    assert Table().end().end().record()["stuck"] == 2, "doing nothing is legal"


@pytest.mark.rule("3.4")
def test_one_attack_after_the_other_meets_what_is_left():
    table = Table().gate(1, "giant giant").hand(0, "knight knight").use("knight")
    assert table.gate_of(1) == "giant" and table.use("knight").gate_of(1) == ""


@pytest.mark.rule("3.4")
def test_no_hand_limit():
    """A15 none"""
    table = Table().hand(0, "axe_man " * 11).end()
    assert table.asked == (Stage.MAIN, 1) and table.state.hand_size[0] == 11


@pytest.mark.rule("3.4")
def test_a_hand_limit():
    """A15 limited: at the end of the own turn, down to turn.hand_limit, cards of the owner's choice."""
    table = Table(hand_limit="limited", **{"turn.hand_limit": 2}).hand(0, "axe_man knight knight priest")
    table.hand(1, "archer archer archer")
    table.end()
    assert table.asked == (Stage.DROP, 0) and table.asks(Act.DROP) == "axe_man knight priest"
    table.play(Act.DROP, table.k("knight"))
    assert table.asked == (Stage.DROP, 0)
    table.play(Act.DROP, table.k("axe_man"))
    assert table.asked == (Stage.MAIN, 1) and table.hand_of(0) == "knight priest"
    assert table.discarded() == "axe_man knight"
    assert table.state.hand_size[1] == 5, "the other's hand is counted at the end of his turn"
    row = table.record()
    assert (row["lost_cards"], row["paid"], row["stuck"]) == (0, 0, 1)
    assert Table(hand_limit="limited", **{"turn.hand_limit": 2}).hand(0, "axe_man knight").end().asked == (
        Stage.MAIN,
        1,
    )


@pytest.mark.rule("3.5")
def test_an_empty_gate_is_built_up_again():
    table = Table().gate(1, "archer").hand(0, "digger knight").hand(1, "axe_man").castle(1, WALL).use("knight")
    assert table.gate_of(1) == "" and table.revealed[-1] == (CASTLE, "ogre", 6), "open"
    table.end().put(GATE, "axe_man").end()
    table.hand(0, "veteran").use("veteran")
    assert table.revealed[0] == (GATE, "axe_man", 2)


# ---------------------------------------------------------------- 4 Playing a card


@pytest.mark.rule("4.1")
def test_cost_then_effect_then_attack_then_the_discards():
    """A6 effect_first. The Saboteur makes the attacker discard two cards: the one just drawn too."""
    table = Table().gate(1, "saboteur").hand(0, "axe_man").pile("priest").use("axe_man")
    assert [event for event, *_ in table.events()] == [
        Event.DREW,
        Event.STRIKES,
        Event.REVEALED,
        Event.FELL,
        Event.TEXT,
        Event.DISCARDED,
        Event.REVEALED,
        Event.FELL,
    ]
    assert table.hand_of(0) == "" and table.discarded() == "axe_man knight saboteur priest"
    table = attack("mercenary", gate="saboteur", hand="knight knight knight", pay="dragon")
    assert table.hand_of(0) == "knight" and table.discarded().split().count("dragon") == 1, "the cost is paid before"


@pytest.mark.rule("4.1")
def test_the_attack_may_come_first():
    """A6 attack_first: the Saboteur finds an empty hand."""
    table = Table(effect_or_attack="attack_first").gate(1, "saboteur").hand(0, "axe_man").pile("priest").use("axe_man")
    assert table.hand_of(0) == "priest" and table.texts == ["saboteur"]
    table = Table(effect_or_attack="attack_first").castle(1, "knight").hand(0, "axe_man").use("axe_man")
    assert table.winner == 0 and table.hand_of(0) == "", "the game was over before the effect"


@pytest.mark.rule("4.1")
def test_effect_or_attack_first_may_be_the_players_choice():
    """A6 choice"""
    start = Table(effect_or_attack="choice").gate(1, "saboteur").hand(0, "axe_man").pile("priest").use("axe_man")
    assert start.asked == (Stage.ORDER, 0) and start.legal() == [(Act.EFFECT, 0), (Act.ATTACK, 0)]
    assert start.copy().play(Act.ATTACK).hand_of(0) == "priest"
    assert start.copy().play(Act.EFFECT).hand_of(0) == "" and start.play(Act.EFFECT).record()["attacks"] == 1
    assert attack("knight", castle=WALL, effect_or_attack="choice").stage == Stage.MAIN, "only an attack: no question"
    assert Table(effect_or_attack="choice").hand(0, "priest").use("priest").stage == Stage.NAME, "only an effect"
    table = Table(effect_or_attack="choice", **{"card.x_banner.attack": 1}).hand(0, "x_banner knight knight")
    table.use("x_banner", pay="knight knight")
    assert table.stage == Stage.MAIN, "perm_ entries are nothing to do"
    assert table.strength == 1, "its own permanent effect holds when it lies there, not before"


@pytest.mark.rule("4.2")
def test_costs_are_paid_from_the_hand_in_full():
    assert Table().hand(0, "giant priest").plays() == ["priest"], "the Giant costs two cards and cannot pay for itself"
    table = Table().hand(0, "giant giant priest")
    assert table.plays() == ["giant", "priest"]
    table.use("giant")
    assert table.asked == (Stage.PAY, 0) and table.hand_of(0) == "giant priest"
    assert table.asks(Act.PAY) == "giant priest"
    assert table.kinds() == {Act.PAY}, "no way back"
    table.pay("giant priest")
    assert table.strength == 6 and table.record()["paid"] == 2


@pytest.mark.rule("4.2")
def test_the_order_of_the_discards_is_irrelevant():
    """A21 public: the same cards paid in another order are shuffled into the same pile."""
    piles = set()
    for order in ("archer priest", "priest archer"):
        table = Table().hand(0, "giant archer priest").castle(1, WALL).last("", discards="dragon spy digger jester")
        table.use("giant", pay=order).end()
        piles.add((table.hand_of(1), *table.pile_of()))
    assert len(piles) == 1


@pytest.mark.rule("4.2")
def test_purple_cards_and_schemes_pay_as_well():
    assert attack("mercenary", pay="ogre").strength == 3
    assert attack("mercenary", pay=FIGHTERS).strength == 3


@pytest.mark.rule("4.3")
def test_units_pay_for_a_scheme():
    table = Table().hand(0, f"{FIGHTERS} axe_man knight archer giant priest")
    assert FIGHTERS in table.plays()
    table.use(FIGHTERS)
    assert table.asks(Act.PAY) == "knight giant", "the Knight first: cards that show one"
    assert table.pay("giant").asks(Act.PAY) == "archer"
    assert table.pay("archer").strength == 9 and table.hand_of(0) == "axe_man knight priest"


@pytest.mark.rule("4.3")
def test_no_card_is_given_away_that_is_needed_later():
    """A Mercenary shows everything; with one Knight and one Mercenary, the Mercenary has to be the Archer."""
    table = Table().hand(0, f"{FIGHTERS} knight mercenary").use(FIGHTERS)
    assert table.asks(Act.PAY) == "knight" and table.pay("knight").asks(Act.PAY) == "mercenary"


@pytest.mark.rule("4.3")
def test_one_card_pays_for_one_symbol():
    """A9 no: R7; and a Giant is a Knight or an Axe man, never both."""
    assert AXES not in Table().hand(0, f"{AXES} giant").plays()
    assert AXES in Table().hand(0, f"{AXES} giant giant").plays()
    assert FIGHTERS not in Table().hand(0, f"{FIGHTERS} giant giant giant").plays(), "nobody is an Archer"


@pytest.mark.rule("4.3")
def test_one_card_may_pay_for_all_it_shows():
    """A9 yes, with Giants and Mercenaries."""

    def sitting(hand):
        return Table(several_symbols="yes").hand(0, hand)

    table = sitting(f"{FIGHTERS} mercenary priest").use(FIGHTERS)
    assert table.asks(Act.PAY) == "mercenary" and table.pay("mercenary").strength == 9 and table.hand_of(0) == "priest"
    assert sitting(f"{AXES} giant").use(AXES, pay="giant").strength == 9
    assert FIGHTERS not in sitting(f"{FIGHTERS} giant").plays(), "no Archer among its symbols"
    table = sitting(f"{FIGHTERS} giant mercenary").use(FIGHTERS)
    assert table.asks(Act.PAY) == "mercenary giant"
    assert table.copy().pay("mercenary").hand_of(0) == "giant"
    assert table.pay("giant").asks(Act.PAY) == "mercenary", "the Giant pays the Knight; an Archer is still due"
    assert sitting(f"{AXES} giant").plays() == [AXES], "the boost asks for a second Knight"
    table = sitting(f"{AXES} giant mercenary").use(AXES, boosts=1)
    assert table.pay("mercenary").asks(Act.PAY) == "giant" and table.pay("giant").strength == 14
    table = sitting(f"{AXES} axe_man knight mercenary").use(AXES, boosts=1)
    assert table.pay("axe_man").asks(Act.PAY) == "knight mercenary" and table.pay("knight mercenary").strength == 14


@pytest.mark.rule("4.4")
def test_the_boost_is_optional_and_paid_with_the_cost():
    """A8 once"""
    table = Table().hand(0, f"{FIGHTERS} knight archer archer archer archer")
    assert table.plays() == ["knight", "archer", FIGHTERS, f"{FIGHTERS}+1"]
    assert table.copy().use(FIGHTERS, pay="knight archer").strength == 9
    table.use(FIGHTERS, boosts=1, pay="knight archer archer")
    assert table.strength == 14 and table.hand_of(0) == "archer archer" and table.record()["boosts"] == 1
    assert f"{FIGHTERS}+1" not in Table().hand(0, f"{FIGHTERS} knight knight archer").plays()
    assert f"{FIGHTERS}+1" not in Table().hand(0, f"{FIGHTERS} mercenary archer").plays()
    assert f"{FIGHTERS}+1" in Table().hand(0, f"{FIGHTERS} mercenary archer archer").plays()


@pytest.mark.rule("4.4")
def test_the_boost_may_be_paid_as_often_as_there_are_units():
    """A8 any_number: up to seven."""
    table = Table(boost_times="any_number").hand(0, f"{FIGHTERS} knight archer archer archer")
    assert table.plays()[-3:] == [FIGHTERS, f"{FIGHTERS}+1", f"{FIGHTERS}+2"]
    assert table.use(FIGHTERS, boosts=2, pay="knight archer archer archer").strength == 19
    assert table.record()["boosts"] == 2
    table = Table(boost_times="any_number").hand(0, f"{FIGHTERS} knight " + "archer " * 12)
    assert table.plays()[-1] == f"{FIGHTERS}+7"
    assert table.use(FIGHTERS, boosts=7, pay="knight " + "archer " * 8).strength == 9 + 35


@pytest.mark.rule("4.5")
def test_permanents_stay():
    table = Table().hand(0, "x_banner priest dragon knight").use("x_banner", pay="dragon priest")
    assert table.laid_by(0) == "x_banner" and table.discarded() == "dragon priest" and table.record()["raised"] == 1
    table.end()
    assert table.end().laid_by(0) == "x_banner" and table.use("knight").strength == 5


@pytest.mark.rule("4.5")
def test_a_permanent_that_attacks():
    """Repelled it goes to the discards like any attacking card; it does not strengthen its own attack."""
    sets = {"card.x_banner.attack": 3, "card.x_banner.cost": "[]"}
    table = attack("x_banner", gate=WALL, **sets)
    assert table.strength == 3 and table.laid_by(0) == "" and table.discarded() == "x_banner"
    assert table.record()["raised"] == 0
    assert "x_banner" in attack("x_banner", gate="spy", castle="knight knight", **sets).discarded(), "d = s: 3 - 2 - 1"
    table = attack("x_banner", gate="bomber archer", **sets)
    assert table.texts == ["bomber"] and table.laid_by(0) == ""
    assert table.gate_of(1) == "archer", "end_attack destroys it"
    table = attack("x_banner", gate=WALL, attack_compulsory="optional", **sets).play(Act.END)
    assert table.laid_by(0) == "x_banner", "A7 optional: without an attack it lives"


@pytest.mark.rule("4.6")
def test_the_attack_is_compulsory():
    """A7 yes: an Axe man attacks an Ogre whether he wants to or not."""
    table = attack("axe_man", gate=WALL)
    assert table.record()["attacks"] == 1 and table.record()["repelled"] == 1


@pytest.mark.rule("4.6")
@pytest.mark.parametrize("order", ["effect_first", "attack_first"])
def test_the_attack_may_be_optional(order):
    """A7 optional with A6: asked when the attack would begin."""
    table = Table(attack_compulsory="optional", effect_or_attack=order).gate(1, "saboteur").hand(0, "axe_man")
    table.pile("priest").use("axe_man")
    assert table.asked == (Stage.OPTIONAL, 0) and table.legal() == [(Act.END, 0), (Act.ATTACK, 0)]
    assert table.hand_of(0) == ("priest" if order == "effect_first" else "")
    stays = table.copy().play(Act.END)
    assert stays.asked == (Stage.MAIN, 0) and stays.hand_of(0) == "priest"
    assert stays.discarded() == "axe_man" and stays.record()["attacks"] == 0
    table.play(Act.ATTACK)
    assert table.texts == ["saboteur"] and table.hand_of(0) == ("" if order == "effect_first" else "priest")


@pytest.mark.rule("4.6")
def test_an_optional_attack_in_an_order_of_choice():
    """A7 optional with A6 choice: ORDER, then OPTIONAL."""
    start = Table(attack_compulsory="optional", effect_or_attack="choice").gate(1, "saboteur").hand(0, "axe_man")
    start.pile("priest").use("axe_man")
    first = start.copy().play(Act.ATTACK)
    assert first.asked == (Stage.OPTIONAL, 0) and first.hand_of(0) == ""
    assert first.play(Act.END).hand_of(0) == "priest" and first.stage == Stage.MAIN and first.record()["attacks"] == 0
    later = start.play(Act.EFFECT)
    assert later.asked == (Stage.OPTIONAL, 0) and later.hand_of(0) == "priest"
    assert later.play(Act.ATTACK).hand_of(0) == ""


@pytest.mark.rule("4.6")
def test_cards_without_an_attack_are_never_asked():
    """A7 optional: a Priest; and a Digger with nothing but an attack may be discarded for nothing; the target is asked after."""
    assert Table(attack_compulsory="optional").hand(0, "jester").use("jester").stage == Stage.LOSE
    table = Table(attack_compulsory="optional").gate(1, "axe_man").hand(0, "dragon knight knight")
    table.use("dragon", pay="knight knight")
    assert table.stage == Stage.OPTIONAL and table.copy().play(Act.ATTACK).stage == Stage.TARGET
    assert table.play(Act.END).stage == Stage.MAIN


@pytest.mark.rule("4.7")
def test_a_card_that_can_do_nothing_is_not_played():
    """A14 not_playable"""
    table = Table().hand(0, "bomber saboteur spy ogre mercenary")
    assert table.plays() == ["mercenary"] and table.asks(Act.GATE) == "mercenary bomber saboteur spy ogre"
    assert Table().hand(0, "bomber").kinds() == {Act.END, Act.GATE, Act.CASTLE}


@pytest.mark.rule("4.7")
def test_a_card_that_can_do_nothing_may_be_played_for_nothing():
    """A14 playable"""
    table = Table(idle_card="playable").hand(0, "bomber saboteur")
    assert table.plays() == ["bomber", "saboteur"]
    table.use("bomber")
    assert table.stage == Stage.MAIN and table.discarded() == "bomber"
    assert table.record()["plays"] == 1
    assert table.record()["texts"] == table.record()["attacks"] == 0


# ---------------------------------------------------------------- 5 Attack


@pytest.mark.rule("5.1")
def test_the_gate_first_then_the_castle():
    assert attack("axe_man", gate="giant").revealed == [(GATE, "giant", 4)]
    assert attack("axe_man", castle="giant").revealed == [(CASTLE, "giant", 4)]


@pytest.mark.rule("5.1")
def test_the_digger_and_the_dragon():
    """A19: data of the card. The Dragon's player chooses while the Gate stands."""
    assert attack("digger", gate="axe_man").revealed[0] == (CASTLE, "knight", 1)
    for structure, seen in ((GATE, (GATE, "ogre", 6)), (CASTLE, (CASTLE, "knight", 1))):
        table = attack("dragon", gate=WALL, pay="axe_man axe_man")
        assert table.asked == (Stage.TARGET, 0) and table.legal() == [(Act.TARGET, GATE), (Act.TARGET, CASTLE)]
        assert table.play(Act.TARGET, structure).revealed[0] == seen
    assert attack("dragon", pay="axe_man axe_man", castle=f"knight {WALL}").revealed == [
        (CASTLE, "knight", 1),
        (CASTLE, "ogre", 6),
    ], "no Gate: no question"


@pytest.mark.rule("5.2")
def test_strength_and_defence():
    """Permanents of the attacker count in every attack, those of the defender at the Gate only."""
    table = Table().before(0, "x_banner x_banner").before(1, "x_palisade").gate(1, "axe_man").castle(1, "archer")
    table.hand(0, "knight").use("knight")
    assert table.strength == 6 and table.revealed == [(GATE, "axe_man", 3), (CASTLE, "archer", 3)]
    table = Table().before(1, "x_banner").before(0, "x_palisade").hand(0, "knight").use("knight")
    assert table.strength == 4 and table.revealed[0] == (CASTLE, "knight", 1), "the other's are of no use"


@pytest.mark.rule("5.2")
def test_cards_defend_by_where_they_stand():
    assert attack("knight", gate="archer", castle="archer").revealed == [(GATE, "archer", 1), (CASTLE, "archer", 3)]


@pytest.mark.rule("5.3")
def test_a_repelled_attack():
    """A10 known. No damage stays."""
    table = attack("knight", gate=f"{WALL} axe_man")
    assert table.revealed == [(GATE, "ogre", 6)] and table.discarded() == "knight"
    assert table.gate_of(1) == "ogre axe_man"
    assert table.known(1, GATE) and not table.known(1, CASTLE)
    table.hand(0, "knight").use("knight")
    assert table.gate_of(1) == "ogre axe_man" and table.known(1, GATE), "4 and 4 are no 8"
    row = table.record()
    assert (row["attacks"], row["repelled"], row["felled"], row["traded"], row["to_castle"]) == (2, 2, 0, 0, 0)


@pytest.mark.rule("5.3")
def test_a_known_card_until_it_leaves():
    table = attack("knight", gate=f"{WALL} axe_man", hand=f"{FIGHTERS} knight archer")
    table.end().hand(1, "dragon").put(GATE, "dragon")
    assert table.known(1, GATE), "cards go under it"
    table.end().use(FIGHTERS, pay="knight archer")
    assert table.gate_of(1) == "dragon" and table.known(1, GATE), "9 - 6 - 2 = 1: the Dragon, found there, holds with 2"


@pytest.mark.rule("5.3")
def test_the_card_under_a_known_one_is_not_known():
    table = attack("giant", gate=f"{WALL} axe_man", hand="giant knight knight", pay="archer archer")
    assert table.gate_of(1) == "axe_man" and not table.known(1, GATE), "d = s: the Ogre fell"
    table = Table().gate(0, WALL)
    table.state.known[0, GATE] = 1
    table.hand(0, "jester").use("jester").play(Act.LOSE, GATE)
    assert not table.known(0, GATE)


@pytest.mark.rule("5.3")
def test_a_returned_card_may_be_hidden_again():
    """A10 hidden"""
    table = attack("knight", gate=f"{WALL} axe_man", returned_card="hidden")
    assert table.gate_of(1) == "ogre axe_man" and not table.known(1, GATE)


@pytest.mark.rule("5.3")
def test_a_repelled_veteran_comes_to_the_hand():
    """A16 to_hand with A16b no: it rests until the next turn, but it may strengthen or pay."""
    table = attack("veteran", gate=WALL, hand="mercenary")
    assert table.hand_of(0) == "mercenary veteran" and table.plays() == ["mercenary"]
    assert table.can(Act.GATE, table.k("veteran"))
    paid = table.copy().use("mercenary", pay="veteran")
    assert "veteran" in paid.discarded()
    table.end().end()
    assert "veteran" in table.plays(), "in the next turn it is played again"


@pytest.mark.rule("5.3")
def test_a_veteran_that_is_not_repelled_is_discarded():
    assert "veteran" in attack("veteran", gate="knight").discarded(), "d = s"
    table = attack("veteran", gate="archer", castle="knight dragon")
    assert table.hand_of(0) == "veteran", "3 - 1 - 1, then 3 > 1: repelled"
    assert "veteran" in attack("veteran", gate="archer bomber").discarded()


@pytest.mark.rule("5.3")
@pytest.mark.parametrize(("again", "plays"), [("no", []), ("yes", ["veteran"])])
def test_a_repelled_veteran_in_the_same_turn(again, plays):
    """A16b"""
    table = attack("veteran", gate=WALL, veteran_again=again)
    assert table.plays() == plays
    if again == "yes":
        assert table.use("veteran").use("veteran").hand_of(0) == "veteran" and table.record()["plays"] == 3


@pytest.mark.rule("5.3")
def test_a_fresh_veteran_beside_a_tired_one():
    """A16b no: tired cards leave the hand first, so the fresh one is still there to be played."""
    table = attack("veteran", gate=WALL, hand="veteran mercenary")
    assert table.plays() == ["mercenary", "veteran"]
    assert table.copy().use("mercenary", pay="veteran").plays() == ["veteran"], "the tired one has paid"
    assert table.copy().put(GATE, "veteran").plays() == ["mercenary", "veteran"], "the tired one was placed"
    twice = table.copy().use("veteran")
    assert twice.hand_of(0) == "mercenary veteran veteran" and twice.plays() == ["mercenary"]
    robbed = table.gate(1, "spy").castle(1, f"{WALL} knight").hand(0, "veteran veteran")
    robbed.use("veteran")
    assert robbed.hand_of(0) == "veteran" and robbed.hand_of(1) == "veteran"
    assert robbed.plays() == [], "3 - 2, the Spy takes the tired one, then 1 < 6: the fresh one comes back tired"


@pytest.mark.rule("5.3")
@pytest.mark.parametrize(("again", "plays"), [("no", []), ("yes", ["veteran!"])])
def test_a_repelled_veteran_in_front_of_its_owner(again, plays):
    """A16 in_front: it can be played from there and do nothing else."""
    table = attack("veteran", gate=WALL, hand="mercenary", repelled_veteran="in_front", veteran_again=again)
    assert table.front_of(0) == "veteran" and table.hand_of(0) == "mercenary" and table.discarded() == ""
    assert table.plays() == plays
    assert table.asks(Act.GATE) == "mercenary", "no card of the hand: it neither pays nor strengthens"
    table.end().end()
    table.hand(0)
    assert table.plays() == ["veteran!"]
    assert table.use("veteran", front=True).front_of(0) == "veteran" and table.record()["plays"] == 2
    table.end().end().gate(1, "knight").use("veteran", front=True)
    assert table.front_of(0) == "" and table.discarded() == "knight veteran"


@pytest.mark.rule("5.3")
def test_veterans_in_front_and_in_the_hand():
    """A16 in_front with A16b no: only the one in front is tired; both may be there to be played, those from the hand first."""
    table = attack("veteran", gate=WALL, hand="veteran", repelled_veteran="in_front")
    assert table.plays() == ["veteran"] and table.use("veteran").front_of(0) == "veteran veteran"
    assert table.plays() == []
    assert table.end().end().hand(0, "veteran archer").plays() == ["archer", "veteran", "veteran!"]
    table = Table(repelled_veteran="in_front", **{"card.veteran.cost": "[{ op = 'discard', n = 1 }]"}).front(
        0, "veteran"
    )
    assert table.plays() == [] and table.hand(0, "ogre").plays() == ["veteran!"], "its cost is paid from the hand"


@pytest.mark.rule("5.3")
@pytest.mark.parametrize("structure", [GATE, CASTLE])
@pytest.mark.parametrize("again", ["no", "yes"])
def test_a_repelled_veteran_under_a_stack(structure, again):
    """A16 under_a_stack: of the owner's choice; no strengthening is used up."""
    table = attack("veteran", gate=WALL, hand="axe_man", repelled_veteran="under_a_stack", veteran_again=again).copy()
    assert table.asked == (Stage.UNDER, 0) and table.legal() == [(Act.UNDER, GATE), (Act.UNDER, CASTLE)]
    table.play(Act.UNDER, structure)
    assert (table.gate_of(0), table.castle_of(0)) == (
        ("veteran", "knight knight knight") if structure == GATE else ("", "knight knight knight veteran")
    )
    assert table.hand_of(0) == "axe_man" and table.can(Act.GATE, table.k("axe_man"))
    assert table.record()["strengthened"] == 0


@pytest.mark.rule("5.4")
def test_a_tie_destroys_both():
    table = attack("knight", gate="giant archer")
    assert table.revealed == [(GATE, "giant", 4)] and table.discarded() == "knight giant"
    assert table.gate_of(1) == "archer"
    row = table.record()
    assert (row["traded"], row["felled"], row["repelled"]) == (1, 1, 0)


@pytest.mark.rule("5.4")
def test_a_tie_with_the_last_gate_card_leaves_the_castle_alone():
    table = attack("knight", gate="giant")
    assert table.gate_of(1) == "" and table.castle_of(1) == "knight knight knight" and table.record()["to_castle"] == 0


@pytest.mark.rule("5.5")
def test_strength_falls_card_by_card():
    table = attack("giant", gate="archer axe_man knight axe_man", pay="dragon dragon")
    assert table.revealed == [(GATE, "archer", 1), (GATE, "axe_man", 2), (GATE, "knight", 3)], "6 - 1 - 2 = 3 = 3"
    assert table.gate_of(1) == "axe_man" and table.record()["felled"] == 3 and table.record()["traded"] == 1


@pytest.mark.rule("5.5")
def test_a_card_without_defence_falls_for_nothing():
    table = attack("axe_man", gate="priest axe_man", **{"card.priest.gate": 0})
    assert table.revealed == [(GATE, "priest", 0), (GATE, "axe_man", 2)] and table.gate_of(1) == ""


@pytest.mark.rule("5.5")
@pytest.mark.parametrize(("reading", "castle"), [("modified", "knight knight"), ("printed", "knight")])
def test_what_a_gate_card_with_a_bonus_takes(reading, castle):
    """A23: the Axe man defends with 3 and takes 3 of 4, or the printed 2. The comparison is with 3 either way."""

    def at_palisade(name):
        return Table(gate_bonus=reading).before(1, "x_palisade").gate(1, "axe_man").hand(0, name).use(name)

    table = at_palisade("knight")
    assert table.revealed[0] == (GATE, "axe_man", 3) and table.castle_of(1) == castle
    assert at_palisade("veteran").record()["traded"] == 1 and at_palisade("axe_man").record()["repelled"] == 1


@pytest.mark.rule("5.6")
def test_the_attack_goes_on_with_the_castle():
    table = attack("knight", gate="axe_man", castle="knight knight knight")
    assert table.revealed == [(GATE, "axe_man", 2), (CASTLE, "knight", 1), (CASTLE, "knight", 1)]
    assert table.castle_of(1) == "knight"
    assert table.record()["to_castle"] == 1 and table.record()["attacks"] == 1
    table = attack("dragon", gate="axe_man", pay="archer archer").play(Act.TARGET, GATE)
    assert table.revealed[1][0] == CASTLE, "whoever chose the Gate"


@pytest.mark.rule("5.6")
def test_an_attack_on_the_castle_never_turns_to_the_gate():
    table = attack("digger", gate="axe_man", castle="archer knight")
    assert table.gate_of(1) == "axe_man" and table.castle_of(1) == "knight"


@pytest.mark.rule("5.7")
def test_a_bomber_ends_the_attack():
    """A12 at_once: before the next reveal."""
    table = attack(FIGHTERS, gate="bomber archer", pay="knight archer")
    assert table.revealed == [(GATE, "bomber", 1)] and table.gate_of(1) == "archer" and table.texts == ["bomber"]
    assert FIGHTERS in table.discarded() and table.record()["texts"] == 1
    assert attack("veteran", gate="bomber archer").discarded() == "veteran bomber", (
        "destroyed, not repelled: a Veteran too"
    )
    table = attack("knight", gate="bomber")
    assert table.castle_of(1) == "knight knight knight" and table.record()["to_castle"] == 0


@pytest.mark.rule("5.7")
def test_texts_work_only_for_defenders_in_an_attack():
    """Not when put back, destroyed by an effect, discarded from a hand, or paid."""
    sets = {"card.spy.gate": 9, "card.spy.castle": 9}
    table = attack("knight", gate="spy", hand="dragon", **sets)
    assert table.texts == [] and table.hand_of(1) == "" and table.hand_of(0) == "dragon"
    table = Table().castle(0, "spy knight").castle(1, "saboteur knight").hand(0, "summoner priest priest giant giant")
    table.use("summoner", pay="priest priest")
    assert table.castle_of(0) == table.castle_of(1) == "knight"
    assert table.hand_of(0) == "giant giant" and table.texts == []
    table = Table().gate(0, "spy").hand(0, "jester knight").hand(1, "giant").use("jester").play(Act.LOSE, GATE)
    assert "spy" in table.discarded() and table.hand_of(1) == "giant" and table.record()["texts"] == 0
    table = Table().hand(0, "archer knight knight").hand(1, "spy").use("archer")
    assert "spy" in table.discarded() and table.hand_of(0) == "knight knight"


@pytest.mark.rule("5.7")
@pytest.mark.parametrize(("reading", "stolen"), [("works", "dragon"), ("not", "")])
def test_a_text_at_a_tie(reading, stolen):
    """A11: Spy at the Gate 2, attack 2. With more strength it works in any case."""
    sets = {"tied_text": reading, "card.veteran.attack": 2}
    table = attack("veteran", gate="spy knight", hand="dragon", **sets)
    assert table.hand_of(1) == stolen and table.record()["texts"] == (stolen != "") and table.gate_of(1) == "knight"
    assert attack("knight", gate="spy knight", hand="dragon", tied_text=reading).hand_of(1) == "dragon"


@pytest.mark.rule("5.7")
def test_texts_may_wait_until_the_attack_is_over():
    """A12 after_attack: the Bomber stops nothing, and destroys the attacking card at the end."""
    table = attack(FIGHTERS, gate="bomber archer", pay="knight archer", text_timing="after_attack")
    assert [name for _, name, _ in table.revealed] == ["bomber", "archer", "knight", "knight", "knight"]
    assert table.is_over
    table = attack("knight", gate="bomber axe_man", castle=WALL, text_timing="after_attack")
    assert table.revealed[-1] == (CASTLE, "ogre", 6) and table.texts == ["bomber"]
    assert attack("veteran", gate="bomber", castle=WALL, text_timing="after_attack").discarded() == "veteran bomber", (
        "repelled, and then destroyed"
    )
    assert attack("veteran", gate="archer", castle=WALL, text_timing="after_attack").hand_of(0) == "veteran"


@pytest.mark.rule("5.7")
def test_waiting_texts_work_in_the_order_of_destruction():
    """Two hand cards: a Saboteur first takes both; a Spy first gets one of them."""
    for timing in ("at_once", "after_attack"):
        table = attack("knight", gate="saboteur spy axe_man", hand="priest priest", text_timing=timing)
        assert table.texts == ["saboteur", "spy"] and (table.hand_of(0), table.hand_of(1)) == ("", "")
        table = attack("knight", gate="spy saboteur axe_man", hand="priest priest", text_timing=timing)
        assert table.texts == ["spy", "saboteur"] and (table.hand_of(0), table.hand_of(1)) == ("", "priest")
        assert table.record()["lost_cards"] == 2 and table.record()["texts"] == 2


@pytest.mark.rule("5.7")
@pytest.mark.parametrize("timing", ["at_once", "after_attack"])
@pytest.mark.parametrize("last", ["over_first", "effect_first"])
@pytest.mark.parametrize("gate", ["", "spy"])
def test_the_text_of_the_last_castle_card(timing, last, gate):
    """A12 with A13. over_first: the game is over before it; texts that still wait are lost. effect_first: all work, and the game is lost all the same."""
    table = attack(
        "knight", gate=gate, castle="spy", hand="dragon dragon dragon", text_timing=timing, last_card_text=last
    )
    assert table.state.end_reason == End.CASTLE_FELL and table.winner == 0
    before = 1 if gate and (timing == "at_once" or last == "effect_first") else 0
    assert table.state.hand_size[1] == before + (last == "effect_first") == table.record()["texts"]


@pytest.mark.rule("5.7")
@pytest.mark.parametrize(("last", "texts"), [("over_first", 0), ("effect_first", 1)])
def test_a_waiting_text_and_a_last_castle_card_without_one(last, texts):
    """A12 after_attack with A13"""
    table = attack(
        "knight", gate="spy", castle="knight", hand="dragon", text_timing="after_attack", last_card_text=last
    )
    assert table.is_over and table.record()["texts"] == texts


@pytest.mark.rule("5.7")
def test_a_tied_last_card():
    """A11 with A13: not at d = s, whatever the order."""
    sets = {"card.veteran.attack": 1}
    for tied, last in product(("works", "not"), ("over_first", "effect_first")):
        table = attack("veteran", castle="spy", hand="dragon", tied_text=tied, last_card_text=last, **sets)
        assert table.winner == 0 and (table.hand_of(1) == "dragon") == (tied == "works" and last == "effect_first")


# ---------------------------------------------------------------- 6 End


@pytest.mark.rule("6.1")
def test_the_last_castle_card():
    table = attack("knight", castle="knight knight")
    assert table.state.end_reason == End.CASTLE_FELL and table.state.loser == 1 and len(table.revealed) == 2
    row = table.record()
    assert row["winner"] == 0 and row["score"] == 3 and row["seat0_wins"] == 1
    assert row["seat1_wins"] == 0 and row["castle_1"] == 0 and row["own_turn"] == 0
    assert row["turns"] == 1
    assert not attack("knight", castle="knight knight knight knight knight").is_over


@pytest.mark.rule("6.1")
def test_at_a_tie_as_well():
    assert attack("knight", castle="giant").winner == 0


@pytest.mark.rule("6.1")
def test_the_other_seat_wins_too():
    table = Table().castle(0, "knight").hand(1, "knight").turn(2).use("knight")
    assert table.winner == 1 and table.record()["score"] == 3 and table.record()["own_turn"] == 0


@pytest.mark.rule("6.2")
def test_losing_in_the_own_turn():
    table = Table().castle(0, "knight").gate(0, "ogre ogre").hand(0, "jester").use("jester").play(Act.LOSE, CASTLE)
    assert table.state.end_reason == End.OWN_TURN and table.winner == 1
    assert table.record()["own_turn"] == 1
    assert table.hand_of(0) == "", "nothing is drawn any more"


@pytest.mark.rule("6.3")
def test_both_castles_at_once():
    table = Table().castle(0, "ogre").castle(1, "ogre").hand(0, "summoner priest priest")
    table.use("summoner", pay="priest priest")
    assert table.state.end_reason == End.OWN_TURN and table.winner == 1 and table.record()["score"] == 0
    assert ENGINE.nulls == {"score": NO_SCORE}, "a winner's score of 0 is a score"


@pytest.mark.rule("6.3")
@pytest.mark.parametrize(
    ("mine", "others", "winner", "reason"),
    [("ogre", "ogre ogre", 1, End.OWN_TURN), ("ogre ogre", "ogre", 0, End.CASTLE_FELL)],
)
def test_one_of_both_castles(mine, others, winner, reason):
    table = (
        Table().castle(0, mine).castle(1, others).hand(0, "summoner priest priest").use("summoner", pay="priest priest")
    )
    assert (table.winner, table.state.end_reason) == (winner, reason) and table.record()["score"] == 1


@pytest.mark.rule("6.4")
def test_plays_without_end_are_a_draw():
    """A17: play number limit.plays of one turn is carried out, then the game is a draw; A18 does not count cards here."""
    for stalemate in ("draw", "count_cards"):
        table = Table(stalemate=stalemate, **{"limit.plays": 3}).castle(0, "ogre ogre ogre").castle(1, "giant")
        table.hand(0, "axe_man axe_man axe_man axe_man")
        table.use("axe_man").use("axe_man")
        assert not table.is_over
        table.use("axe_man")
        assert table.state.end_reason == End.PLAY_LIMIT and table.winner == NONE
        assert table.record()["plays"] == 3 and table.record()["score"] == NO_SCORE
    table = Table(**{"limit.plays": 1}).castle(1, "knight").hand(0, "knight").use("knight")
    assert table.winner == 0, "won before it is a draw"
    table = Table(**{"limit.plays": 2}).castle(1, "giant").hand(0, "axe_man").hand(1, "axe_man").use("axe_man").end()
    table.castle(0, "giant")
    assert not table.use("axe_man").is_over, "of one turn"


@pytest.mark.rule("6.4")
@pytest.mark.parametrize(
    ("reading", "castles", "gates", "winner"),
    [
        ("draw", ("ogre ogre", "ogre"), ("giant", ""), NONE),
        ("count_cards", ("ogre ogre", "ogre"), ("", "giant giant"), 0),
        ("count_cards", ("ogre", "ogre ogre"), ("giant", ""), 1),
        ("count_cards", ("ogre", "ogre"), ("giant giant", "giant"), 0),
        ("count_cards", ("ogre", "ogre"), ("giant", "giant giant"), 1),
        ("count_cards", ("ogre", "ogre"), ("giant", "giant"), NONE),
    ],
)
def test_the_limit_of_turns(reading, castles, gates, winner):
    """A18: a draw, or the larger Castle, then the larger Gate."""
    table = Table(stalemate=reading, **{"limit.turns": 3})
    for p in range(SEATS):
        table.castle(p, castles[p]).gate(p, gates[p])
    table.end().end()
    assert not table.is_over and table.state.turn == 3
    table.end()
    assert table.state.end_reason == End.TURN_LIMIT and table.winner == winner
    row = table.record()
    assert row["turn"] == 3
    assert row["score"] == (len(castles[winner].split()) if winner != NONE else NO_SCORE)
    assert row["own_turn"] == 0 and row["stuck"] == 3


# ---------------------------------------------------------------- 7 The vocabulary


@pytest.mark.rule("7.1")
def test_a_cost_of_both_sorts():
    """Units in the order of units.types first, the plain cards last."""
    cost = "[{ op = 'discard', n = 1 }, { op = 'discard_unit', unit = 'archer', n = 1 }, { op = 'discard_unit', unit = 'axe', n = 1 }]"
    table = Table(**{"card.priest.cost": cost}).hand(0, "priest ogre archer axe_man mercenary").use("priest")
    assert table.asks(Act.PAY) == "axe_man mercenary" and table.pay("axe_man").asks(Act.PAY) == "archer mercenary"
    assert table.pay("archer").asks(Act.PAY) == "mercenary ogre" and table.pay("ogre").stage == Stage.NAME
    assert "priest" not in Table(**{"card.priest.cost": cost}).hand(0, "priest archer axe_man").plays(), (
        "two units and one card more"
    )
    table = Table(**{"card.priest.cost": cost}).hand(0, "priest knight archer mercenary").use("priest")
    assert table.asks(Act.PAY) == "mercenary"


@pytest.mark.rule("7.1")
def test_several_of_one_unit():
    cost = {"card.priest.cost": "[{ op = 'discard_unit', unit = 'knight', n = 3 }]"}
    assert "priest" not in Table(**cost).hand(0, "priest knight veteran archer axe_man").plays()
    table = Table(**cost).hand(0, "priest knight veteran giant mercenary").use("priest")
    assert table.asks(Act.PAY) == "knight mercenary giant veteran"
    assert table.pay("giant knight mercenary").stage == Stage.NAME


UNITS = {
    "axe_man": "axe",
    "knight": "knight",
    "archer": "archer",
    "mercenary": "axe knight archer",
    "giant": "axe knight",
    "dragon": "knight archer",
    "digger": "archer axe",
}


def naively_payable(hand: list[set[int]], demand: list[int], together: bool) -> bool:
    """4.3 by trying everything: each demanded symbol (the last number: any card) gets a card of its own, or (A9 yes) each card pays all it shows."""
    if together:
        return all(sum(unit in shows for shows in hand) >= n for unit, n in enumerate(demand[:-1]))
    wanted = [unit for unit, n in enumerate(demand) for _ in range(n)]

    def match(i: int, free: tuple[int, ...]) -> bool:
        if i == len(wanted):
            return True
        anything = wanted[i] == len(demand) - 1
        return any(
            match(i + 1, tuple(c for c in free if c != card)) for card in free if anything or wanted[i] in hand[card]
        )

    return match(0, tuple(range(len(hand))))


@pytest.mark.rule("4.3")
@pytest.mark.parametrize("together", [False, True], ids=["one card, one symbol", "A9 yes"])
def test_what_can_be_paid_is_what_can_be_matched(together):
    """Hall's condition against every way to hand out the cards: random hands with cards of one, two and three symbols, random demands."""
    shown = {f"card.{name}.units": str(units.split()) for name, units in UNITS.items()}
    table = Table(several_symbols="yes" if together else "no", **shown)
    choose, names = np.random.default_rng(3), [*UNITS, "ogre"]
    can = Counter()
    for _ in range(1500):
        hand = [str(name) for name in choose.choice(names, choose.integers(0, 7), replace=True)]
        hand = [name for i, name in enumerate(hand) if hand[:i].count(name) < 2]
        demand = [int(n) for n in choose.choice([0, 0, 1, 1, 2, 3], 3)] + [
            0 if together else int(choose.choice([0, 0, 1, 2]))
        ]
        table.hand(0, " ".join(hand))
        spare = str(choose.choice(hand)) if hand and choose.random() < 0.5 else ""
        rest = list(hand)
        if spare:
            rest.remove(spare)
        symbols = [{table.u(unit) for unit in UNITS.get(name, "").split()} for name in rest]
        expected = naively_payable(symbols, demand, together)
        found = can_pay(
            table.state, table.tables, 0, need_of(demand[:-1], demand[-1]), table.k(spare) if spare else NONE
        )
        assert bool(found) == expected, (hand, spare, demand)
        can[expected] += 1
    assert min(can.values()) > 200


@pytest.mark.rule("7.2")
def test_a_boost_of_two_units():
    table = Table(**{f"card.{FIGHTERS}.boost": "{ unit = 'axe', n = 2, strength = 3 }"}).hand(
        0, f"{FIGHTERS} knight archer axe_man giant"
    )
    assert f"{FIGHTERS}+1" in table.plays()
    table.use(FIGHTERS, boosts=1)
    assert table.asks(Act.PAY) == "axe_man giant" and table.pay("axe_man giant knight archer").strength == 12


@pytest.mark.rule("7.2")
def test_the_boost_adds_to_permanents():
    table = Table().before(0, "x_banner").hand(0, f"{FIGHTERS} knight archer archer")
    table.use(FIGHTERS, boosts=1, pay="knight archer archer")
    assert table.strength == 15


@pytest.mark.rule("7.3")
def test_draw():
    table = Table().hand(0, "jester").pile("giant dragon spy ogre").use("jester").play(Act.LOSE, CASTLE)
    assert table.hand_of(0) == "giant dragon spy" and table.pile_of()[0] == "ogre"
    assert Table().hand(0, "jester").last("giant").use("jester").play(Act.LOSE, CASTLE).hand_of(0) in (
        "giant knight",
        "knight giant",
    ), "the destroyed Knight is drawn again; there is no third"


@pytest.mark.rule("7.4")
def test_the_other_discards_at_random():
    """A20 random. As many as there are."""
    table = Table().castle(1, WALL).hand(0, "archer knight").hand(1, "dragon").use("archer")
    assert table.hand_of(1) == "" and table.hand_of(0) == "knight"
    assert table.discarded() == "archer dragon" and table.record()["lost_cards"] == 1
    table = Table(**{"card.archer.on_play": "[{ op = 'opp_discard_random', n = 3 }]"}).castle(1, WALL)
    table.hand(0, "archer archer").hand(1, "dragon spy").use("archer")
    assert table.hand_of(1) == "" and table.record()["lost_cards"] == 2
    assert table.use("archer").record()["lost_cards"] == 2, "nothing there: nothing happens"


def discarded_by(table: Table, name: str, games: int) -> Counter:
    """Which card is gone after this card was played, at many seeds."""
    counts = Counter()
    for game in range(games):
        other = table.copy()
        rng.seed_luck(other.state, np.uint64(11), game)
        before = Counter(other.hand_of(1).split())
        other.apply(Act.PLAY * other.arguments + other.k(name))
        counts.update(before - Counter(other.hand_of(1).split()))
    return counts


@pytest.mark.rule("7.4")
def test_every_card_of_the_hand_is_as_likely():
    """Cards, not kinds: of 5 Knights, 2 Archers and 1 Ogre the Knights go first in 5 of 8 cases."""
    games, hand = 2000, {"knight": 5, "archer": 2, "ogre": 1}
    table = Table().castle(1, WALL).hand(0, "archer")
    table.hand(1, " ".join(name for name, n in hand.items() for _ in range(n)).replace("ogre", "saboteur"))
    counts = discarded_by(table, "archer", games)
    assert sum(counts.values()) == games
    for name, n in (("knight", 5), ("archer", 2), ("saboteur", 1)):
        share = n / 8
        assert abs(counts[name] - games * share) < 4 * (games * share * (1 - share)) ** 0.5, name


@pytest.mark.rule("7.4")
def test_several_random_discards_are_drawn_without_putting_back():
    """Two of 3 Knights and 2 Archers: hypergeometric."""
    games = 2000
    table = Table(**{"card.archer.on_play": "[{ op = 'opp_discard_random', n = 2 }]"}).castle(1, WALL)
    table.hand(0, "archer").hand(1, "knight knight knight dragon dragon")
    counts = discarded_by(table, "archer", games)
    assert sum(counts.values()) == 2 * games
    share, deviation = 2 * 2 / 5, (2 * 2 / 5 * 3 / 5 * 3 / 4) ** 0.5
    assert abs(counts["dragon"] - games * share) < 4 * deviation * games**0.5


@pytest.mark.rule("7.4")
def test_the_luck_of_discards_begins_afresh_each_turn():
    """PROTOCOL.md 4: index t. What happens in one turn does not change who loses what in the next."""
    one, two = (
        Table().castle(1, WALL).castle(0, "ogre ogre").hand(0, "archer").hand(1, "axe_man giant dragon veteran")
        for _ in range(2)
    )
    one.use("archer")
    words = [int(table.end().state.luck[Luck.DISCARD]) for table in (one, two)]
    assert words[0] == words[1] and int(one.end().state.luck[Luck.DISCARD]) != words[0]


@pytest.mark.rule("7.4")
@pytest.mark.parametrize(("reading", "seat"), [("look_and_choose", 0), ("opponent_chooses", 1)])
def test_a_discard_that_somebody_chooses(reading, seat):
    """A20"""
    table = (
        Table(discard_choice=reading, **{"card.archer.on_play": "[{ op = 'opp_discard_random', n = 2 }]"})
        .castle(1, WALL)
        .hand(0, "archer archer")
        .hand(1, "dragon spy spy")
    )
    table.use("archer")
    assert table.asked == (Stage.TAKE, seat) and table.asks(Act.TAKE) == "dragon spy"
    table.play(Act.TAKE, table.k("spy"))
    assert table.asked == (Stage.TAKE, seat) and table.asks(Act.TAKE) == "dragon spy"
    table.play(Act.TAKE, table.k("dragon"))
    assert table.hand_of(1) == "spy" and table.asked == (Stage.MAIN, 0) and table.record()["lost_cards"] == 2
    table.use("archer").play(Act.TAKE, table.k("spy"))
    assert table.asked == (Stage.MAIN, 0), "as many as there are"


@pytest.mark.rule("7.4")
def test_texts_stay_with_chance():
    """A20 is about effects; what a Saboteur or a Spy takes is random (7.10)."""
    for reading in ("look_and_choose", "opponent_chooses"):
        assert attack("knight", gate="saboteur axe_man", hand="dragon spy priest", discard_choice=reading).asked == (
            Stage.MAIN,
            0,
        )


@pytest.mark.rule("7.5")
def test_a_priest_names_a_unit():
    table = Table().hand(0, "priest knight").hand(1, "axe_man knight knight mercenary giant archer ogre").use("priest")
    assert table.asked == (Stage.NAME, 0) and table.legal() == [(Act.NAME, u) for u in range(3)]
    assert table.copy().play(Act.NAME, table.u("axe")).hand_of(1) == "knight knight archer ogre"
    assert table.copy().play(Act.NAME, table.u("archer")).hand_of(1) == "axe_man knight knight giant ogre"
    table.play(Act.NAME, table.u("knight"))
    assert table.hand_of(1) == "axe_man archer ogre" and table.record()["lost_cards"] == 4
    assert table.hand_of(0) == "knight", "his own stay"


@pytest.mark.rule("7.5")
def test_a_priest_may_name_what_nobody_has():
    table = Table().hand(0, "priest").hand(1, "knight").use("priest").play(Act.NAME, 0)
    assert table.hand_of(1) == "knight" and table.discarded() == "priest" and table.record()["lost_cards"] == 0


@pytest.mark.rule("7.6")
def test_permanents_are_destroyed_one_by_one():
    sets = {"card.x_arsonist.on_play": "[{ op = 'destroy_opp_permanent', n = 3 }]"}
    table = Table(**sets).before(1, "x_banner x_mason x_mason x_palisade").before(0, "x_quartermaster")
    table.castle(1, WALL).hand(0, "x_arsonist").use("x_arsonist")
    assert table.asked == (Stage.RAZE, 0) and table.asks(Act.RAZE) == "x_banner x_palisade x_mason"
    table.play(Act.RAZE, table.k("x_mason")).play(Act.RAZE, table.k("x_mason"))
    assert table.asks(Act.RAZE) == "x_banner x_palisade"
    table.play(Act.RAZE, table.k("x_banner"))
    assert table.laid_by(1) == "x_palisade" and table.laid_by(0) == "x_quartermaster" and table.record()["razed"] == 3
    assert table.discarded() == "x_banner x_mason x_mason x_arsonist" and table.stage == Stage.MAIN


@pytest.mark.rule("7.6")
def test_no_permanent_there():
    table = Table().castle(1, WALL).hand(0, "x_arsonist").use("x_arsonist")
    assert table.stage == Stage.MAIN and table.record()["attacks"] == 1
    sets = {"card.x_arsonist.on_play": "[{ op = 'destroy_opp_permanent', n = 3 }, { op = 'draw', n = 1 }]"}
    table = Table(**sets).before(1, "x_mason").castle(1, WALL).hand(0, "x_arsonist").pile("spy").use("x_arsonist")
    table.play(Act.RAZE, Table().k("x_mason"))
    assert table.hand_of(0) == "spy" and table.stage == Stage.MAIN, "as many as there are, then what else the card does"


@pytest.mark.rule("7.7")
def test_the_own_top_card():
    """Chosen one by one; no Gate card, no choice of it."""
    table = Table(**{"card.jester.on_play": "[{ op = 'destroy_own_top', n = 3 }]"}).gate(0, "axe_man archer")
    table.castle(0, "giant knight").hand(0, "jester").use("jester")
    assert table.asked == (Stage.LOSE, 0) and table.args(Act.LOSE) == [GATE, CASTLE]
    table.play(Act.LOSE, GATE).play(Act.LOSE, GATE)
    assert table.args(Act.LOSE) == [CASTLE] and table.play(Act.LOSE, CASTLE).castle_of(0) == "knight"
    assert table.discarded() == "axe_man archer giant jester" and table.record()["felled"] == 0 and not table.is_over


@pytest.mark.rule("7.8")
def test_the_tops_of_both_castles():
    table = Table().gate(0, "axe_man").gate(1, "axe_man").castle(0, "giant dragon").castle(1, "ogre spy")
    table.hand(0, "summoner priest priest").use("summoner", pay="priest priest")
    assert table.castle_of(0) == "dragon" and table.castle_of(1) == "spy"
    assert table.gate_of(0) == "axe_man" and table.gate_of(1) == "axe_man"
    assert table.record()["felled"] == table.record()["texts"] == 0, "no attack"
    sets = {"card.summoner.on_play": "[{ op = 'destroy_top_both_castles', n = 2 }]"}
    table = Table(**sets).castle(0, "giant dragon").castle(1, "ogre").hand(0, "summoner priest priest")
    table.use("summoner", pay="priest priest")
    assert table.winner == 0 and table.castle_of(0) == "dragon", "over after the first time"
    table = Table(**sets).castle(0, "giant dragon").castle(1, "ogre spy").hand(0, "summoner priest priest")
    table.use("summoner", pay="priest priest")
    assert table.winner == 1 and table.state.end_reason == End.OWN_TURN, "at the second time both at once"


@pytest.mark.rule("7.9")
def test_permanents_add_up():
    """Two that are alike and one that says two things."""
    table = Table().before(1, "x_quartermaster x_quartermaster").pile("giant dragon spy ogre bomber").end()
    assert table.hand_of(1) == "giant dragon spy ogre" and table.pile_of()[0] == "bomber", "2 + 1 + 1"
    assert table.end().state.hand_size[0] == 2, "the owner's only"
    table = Table().before(0, "x_banner x_banner").hand(0, "knight").use("knight")
    assert table.strength == 6
    table = Table().before(1, "x_palisade x_palisade").gate(1, "axe_man").hand(0, "knight").use("knight")
    assert table.revealed == [(GATE, "axe_man", 4)]
    both = {"card.x_banner.on_play": "[{ op = 'perm_attack', n = 2 }, { op = 'perm_gate_defence', n = 1 }]"}
    table = Table(**both).before(0, "x_banner").before(1, "x_banner").gate(1, "axe_man").hand(0, "knight").use("knight")
    assert table.strength == 6 and table.revealed[0] == (GATE, "axe_man", 3)


@pytest.mark.rule("7.9")
def test_strengthening_more_than_once():
    table = Table().before(0, "x_mason x_mason").hand(0, "knight knight knight knight")
    for _ in range(3):
        table.put(GATE, "knight")
    assert not table.can(Act.GATE, table.k("knight")) and table.gate_of(0) == "knight knight knight"
    table = Table().hand(0, "x_mason axe_man axe_man knight knight").put(GATE, "knight")
    assert not table.can(Act.GATE, table.k("knight"))
    assert table.use("x_mason", pay="axe_man axe_man").put(GATE, "knight").gate_of(0) == "knight knight", (
        "laid in this turn: it holds at once"
    )


@pytest.mark.rule("7.9")
def test_a_permanent_holds_as_long_as_it_lies_there():
    table = Table().before(1, "x_palisade").gate(1, "axe_man").hand(0, "x_arsonist").use("x_arsonist")
    table.play(Act.RAZE, Table().k("x_palisade"))
    assert table.revealed == [(GATE, "axe_man", 2)]
    assert table.record()["traded"] == 1, "the effect first, then the attack"
    table = Table(effect_or_attack="attack_first").before(1, "x_palisade").gate(1, "axe_man").hand(0, "x_arsonist")
    table.use("x_arsonist")
    assert table.revealed == [(GATE, "axe_man", 3)] and table.stage == Stage.RAZE


@pytest.mark.rule("7.9")
def test_a_permanent_laid_late_draws_nothing_this_turn():
    table = Table().hand(0, "x_quartermaster knight knight").use("x_quartermaster", pay="knight knight")
    assert table.hand_of(0) == "" and table.end().end().state.hand_size[0] == 3


@pytest.mark.rule("7.10")
def test_what_destroyed_cards_do():
    """Saboteur: the attacker discards two; Spy: the defender gets one; as many as there are."""
    table = attack("knight", gate="saboteur", hand="dragon dragon dragon")
    assert table.hand_of(0) == "dragon" and table.discarded().split().count("dragon") == 2
    assert table.record()["lost_cards"] == 2
    assert attack("knight", gate="saboteur", hand="dragon").hand_of(0) == ""
    assert attack("knight", gate="saboteur").texts == ["saboteur"]
    table = attack("knight", gate="spy", hand="dragon dragon")
    assert (table.hand_of(0), table.hand_of(1)) == ("dragon", "dragon")
    assert "dragon" not in table.discarded() and table.record()["lost_cards"] == 1
    sets = {
        "card.spy.on_destroyed_in_attack": "[{ op = 'defender_steal_random', n = 2 }, { op = 'attacker_discard_random', n = 1 }, { op = 'end_attack' }]"
    }
    table = attack("knight", gate="spy axe_man", hand="archer archer archer archer", **sets)
    assert (table.hand_of(0), table.hand_of(1)) == ("archer", "archer archer")
    assert table.gate_of(1) == "axe_man" and table.record()["texts"] == 1


@pytest.mark.rule("7.10")
def test_a_stolen_card_is_as_likely_as_any():
    games, stolen = 1200, Counter()
    start = Table().gate(1, "spy").castle(1, WALL).hand(0, "knight axe_man axe_man dragon")
    for game in range(games):
        table = start.copy()
        rng.seed_luck(table.state, np.uint64(12), game)
        table.apply(Act.PLAY * table.arguments + table.k("knight"))
        stolen[table.hand_of(1)] += 1
    assert set(stolen) == {"axe_man", "dragon"} and abs(stolen["dragon"] - games / 3) < 4 * (games * 2 / 9) ** 0.5


@pytest.mark.rule("7.11")
@pytest.mark.parametrize(("target", "seen"), [("normal", GATE), ("castle", CASTLE)])
def test_targets_are_data(target, seen):
    assert attack("knight", gate="axe_man", **{"card.knight.target": target}).revealed[0][0] == seen
    assert attack("knight", gate="axe_man", **{"card.knight.target": "choose"}).stage == Stage.TARGET


@pytest.mark.rule("7.11")
@pytest.mark.parametrize(("repelled", "hand"), [("discard", ""), ("return", "knight")])
def test_what_happens_to_a_repelled_card_is_data(repelled, hand):
    table = attack("knight", gate=WALL, **{"card.knight.on_repelled": repelled})
    assert table.hand_of(0) == hand and table.discarded() == ("" if hand else "knight")


@pytest.mark.rule("7.11")
def test_a_permanent_that_comes_back():
    """Repelled with `return` it is a Veteran, not laid."""
    table = attack(
        "x_banner",
        gate=WALL,
        **{"card.x_banner.attack": 1, "card.x_banner.cost": "[]", "card.x_banner.on_repelled": "return"},
    )
    assert table.hand_of(0) == "x_banner" and table.laid_by(0) == "" and table.record()["raised"] == 0


# ---------------------------------------------------------------- 8 Open points


def test_every_ruling_has_the_readings_of_the_page():
    """A17 and A19 are a number and data; all others are rulings, and this page plays each of their readings."""
    ids = [f"A{i}" for i in range(1, 26) if i not in (17, 19)]
    found = {ruling.id: ruling.readings for ruling in MODEL.ruling.values()}
    assert sorted(found) == sorted([*ids, "A16b"])
    page = (GAME.home / "RULES.md").read_text(encoding="utf-8")
    for line in page[page.index("## 8") : page.index("## 9")].splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[0] in found:
            named = [
                word.strip("`")
                for word in cells[2].split()
                if word.startswith("`") and word.strip("`,;:") in found[cells[0]]
            ]
            assert [word.strip("`,;:") for word in named] == found[cells[0]], cells[0]
    mine = Path(__file__).read_text(encoding="utf-8")
    for key, ruling in MODEL.ruling.items():
        assert f"{ruling.id}" in mine, key
        for reading in ruling.readings[1:]:
            assert f'"{reading}"' in mine, (key, reading)
