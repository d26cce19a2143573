"""How cards are used: a game whose shares are known, ratios of sums over games, and the counts of Castle and Castle Rampage against what their records count."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bartizan.analyses.experiments.cards import card_usage, standard_error
from bartizan.analyses.statistics.intervals import wilson
from bartizan.policies.registry import find_player
from bartizan.reports.views import cards as views
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.compile.rules import NO_ACTION
from bartizan.simcore.errors import EngineError, PolicyError, UsageError
from bartizan.simcore.game import load_game
from bartizan.simcore.play.batch import Batch
from bartizan.simcore.play.cards import card_usage_of
from bartizan.simcore.play.held_cards import DrawingGames
from tests.matches import match_of

HIGHEST = str(Path(__file__).parent.parent / "games/highest_card/highest_card.py")
DUCK, GOOSE, SWAN = 0, 1, 2
GAMES = 20_000


def counted(match, games, jobs=2):
    """(CardUsage, int32 [game, kind, 1 + use])"""
    uses = card_usage_of(match)
    return uses, np.concatenate(list(uses.play(range(games), jobs)))


def used(came_and_used, games=None):
    """Usage of one kind with one use: pairs (came, used), one a game."""
    counts = np.array(came_and_used, np.int32)
    chunk = np.stack([counts[:, 0], counts[:, 1], counts[:, 0] - counts[:, 1]], axis=1)[:, None, :]
    return card_usage([chunk], {0: "duck"}, ("used", "kept"), {0: ("used",)}).cards[0]


# ---------------------------------------------------------------- known answers: 2 ducks, 2 geese, 1 swan; each of two players shows one


def test_shares_of_the_highest_card_are_those_worked_out_by_hand():
    """A card is shown first or second, each as often. Of the ducks: one first 3/10, one second 3/10, both 1/10: a game's residual is 1/2 in 6 of 10, copies a game 4/5."""
    uses, counts = counted(match_of(HIGHEST), GAMES)
    assert (counts[:, :, 0].sum(axis=1) == 2).all() and (counts[:, :, 1:].sum(axis=1) == 1).all()
    found = card_usage([counts], uses.kinds, uses.uses, uses.printed_for)
    assert [kind.card for kind in found.cards] == ["duck", "goose", "swan"] and found.games == GAMES
    for kind, copies in zip(found.cards, (0.8, 0.8, 0.4)):
        first, _ = kind.uses
        assert abs(first.share.estimate - 0.5) < 4 * first.se and first.share.low < 0.5 < first.share.high
        assert abs(kind.copies / GAMES - copies) < 0.02
        assert kind.as_printed.copies == kind.copies and kind.as_printed.share.estimate == 1
        assert kind.as_printed.share.high == 1 and not kind.dead
    duck, swan = found.cards[DUCK].uses[0], found.cards[SWAN].uses[0]
    assert duck.use == swan.use == "shown first"
    assert duck.se == pytest.approx(np.sqrt(0.6 / 4 / GAMES) / 0.8, rel=0.03)
    assert swan.se == pytest.approx(np.sqrt(0.4 / 4 / GAMES) / 0.4, rel=0.03)
    assert swan.share.low == pytest.approx(
        wilson(swan.copies, found.cards[SWAN].copies).low, abs=1e-4
    )  # one swan: its copies are independent
    assert (
        duck.share.half_width < wilson(duck.copies, found.cards[DUCK].copies).half_width
    )  # two ducks of a game are rather one first, one second


def test_counts_depend_on_nothing_but_the_seed():
    match = match_of(HIGHEST)
    _, once = counted(match, 1000, jobs=1)
    assert (once == counted(match, 1000, jobs=3)[1]).all()
    assert (once[300:400] == np.concatenate(list(card_usage_of(match).play(range(300, 400))))).all()
    assert (once != counted(match_of(HIGHEST, seed=2), 1000)[1]).any()
    shown = Batch(match).play(range(1000))["score"]  # the first player's card: the games are those that a batch plays
    assert (once[np.arange(1000), shown, 1] == 1).all()


def test_a_ratio_of_sums_by_hand():
    """p = 2/6; residuals of the games 1/3, 2/3, -1, 0; their squares 14/9, times 4/3, the root of it by 6 copies."""
    assert standard_error(4, 6, 2, 4 + 1 + 9, 2 + 1, 1 + 1) == pytest.approx(np.sqrt(14 / 9 * 4 / 3) / 6)
    share = used([(2, 1), (1, 1), (3, 0), (0, 0)]).uses[0]
    assert share.share.estimate == pytest.approx(1 / 3)
    assert share.se == pytest.approx(np.sqrt(14 / 9 * 4 / 3) / 6) and share.copies == 2


def test_copies_that_stand_and_fall_together_count_as_one():
    share = used([(5, 5)] * 300 + [(5, 0)] * 700).uses[0]
    alone = wilson(300, 1000)
    assert (share.share.low, share.share.high) == pytest.approx((alone.low, alone.high), abs=3e-4)


def test_none_of_many_is_no_proof_beyond_the_games():
    never = used([(5, 0)] * 200).uses[0]
    assert never.share.estimate == 0 and never.share.high == pytest.approx(1 - 0.025 ** (1 / 200))
    assert never.share.method == "Clopper-Pearson, 200 games"
    alike = used([(2, 1)] * 50).uses[0].share  # one of two in every game
    assert alike.low < 0.5 < alike.high and alike.method == "Clopper-Pearson, 50 games"
    few = used([(4, 0)] * 500 + [(4, 2)] * 3).uses[0]
    assert "Clopper-Pearson" in few.share.method and few.share.low > 0 and few.share.high > 2.5 * few.share.estimate
    assert used([(4, 1)]).uses[0].se is None


@pytest.mark.parametrize(("p", "together"), [(0.3, 0.5), (0.02, 0.3), (0.97, 0.0)])
def test_intervals_hold_the_true_share(p, together):
    """Copies of a game share one chance (beta-binomial, correlation `together`), between 0 and 4 copies a game, 300 games."""
    luck, held, runs = np.random.default_rng(1), 0, 500
    for _ in range(runs):
        came = luck.integers(0, 5, 300)
        chance = luck.beta(p * (1 / together - 1), (1 - p) * (1 / together - 1), 300) if together else np.full(300, p)
        interval = used(np.column_stack([came, luck.binomial(came, chance)])).uses[0].share
        held += interval.low <= p <= interval.high
    assert held / runs > 0.92


# ---------------------------------------------------------------- dead cards, in data and words


def test_a_dead_card_is_named_with_its_number():
    rare, never, often = [(3, 0)] * 960 + [(3, 1)] * 40, [(1, 0)] * 30 + [(0, 0)] * 970, [(2, 1)] * 1000
    chunk = np.array([[[came, n, came - n] for came, n in game] for game in zip(rare, never, often)], np.int32)
    kinds = dict(enumerate(("goose", "swan", "duck")))
    found = card_usage([chunk[:500], chunk[500:]], kinds, ("played", "kept"), dict.fromkeys(kinds, ("played",)))
    assert (
        found.dead == ["goose"] and found.dead_below == 0.05
    )  # of 30 swans none was played, but 30 are too few to say so
    assert "goose 1.3\u00a0% (1.0–1.8\u00a0%) of 3,000 copies" in views.dead(found)
    alive = card_usage([chunk[:, 1:]], {1: "swan", 2: "duck"}, ("played", "kept"), dict.fromkeys(kinds, ("played",)))
    assert views.dead(alive).startswith("No kind is dead") and "swan: below" in views.dead(alive)


def test_kinds_that_came_into_no_hand_are_named():
    chunk = np.zeros((50, 2, 2), np.int32)
    chunk[:, 1] = 1
    found = card_usage([chunk], {3: "duck", 4: "goose"}, ("played",), {3: ("played",), 4: ("played",)})
    assert found.never_there == ["duck"] and [kind.card for kind in found.cards] == ["goose"]


# ---------------------------------------------------------------- refusals


def test_refusals():
    with pytest.raises(UsageError, match="the game declares no cards"):
        card_usage_of(match_of("itter"))
    with pytest.raises(UsageError, match="does not declare how cards are used"):
        card_usage_of(with_note(match_of(HIGHEST), None))
    outlaw = find_player(load_game(HIGHEST), str(Path(HIGHEST).with_name("outlaw.py")))
    match = match_of(HIGHEST)
    with pytest.raises(PolicyError, match=r"policy outlaw chose action 7, .*game 0, ply 0"):
        list(card_usage_of(replace(match, players=(outlaw, outlaw))).play(range(10)))


@jit
def forgetful(state, tables, action, seen):
    """Counts cards as they come and never as they go."""
    if action != NO_ACTION:
        seen[state.hand, 0] += 1


def test_counts_that_do_not_add_up_are_refused():
    with pytest.raises(
        EngineError, match="a hand in game 0 of seed 1: entered a hand 1, shown first 0, shown second 0"
    ):
        list(card_usage_of(with_note(match_of(HIGHEST), forgetful)).play(range(10)))


def with_note(match, note):
    engine = replace(match.engine, cards=replace(match.engine.cards, note=note))
    return replace(match, game=replace(match.game, engine=lambda: engine))


# ---------------------------------------------------------------- Castle and Castle Rampage: the same counts as their records


def test_castle_counts_what_its_record_counts():
    match = match_of("castle", advanced__barricade="true", rulings__rally_card="turns_card")  # others come into no hand
    uses, counts = counted(match, 300)
    rows, by_use = Batch(match).play(range(300)), dict(zip(uses.uses, counts[:, :, 1:].sum(axis=1).T))
    for use, column in {
        "placed": "placed",
        "rallied": "rallied",
        "laid as a barricade": "barricades",
        "discarded unused": "discarded_unused",
    }.items():
        assert (by_use[use] == rows[column]).all(), use
    sixes = [kind for kind, name in uses.kinds.items() if name == "6"]
    assert (by_use["laid as a barricade"] == counts[:, sixes, 1 + uses.uses.index("laid as a barricade")][:, 0]).all()
    assert rows["barricades"].sum() > 0
    led = counts[:, :, 1 + uses.uses.index("led (8, ace)")].sum(axis=0)
    assert {uses.kinds[kind] for kind in np.flatnonzero(led)} == {"ace", "8"}


@pytest.mark.parametrize(
    ("policy", "sets"),
    [
        ("random", {}),
        ("greedy", {}),
        (
            "random",
            {
                "rulings__discard_choice": "look_and_choose",
                "rulings__text_timing": "after_attack",
                "rulings__several_symbols": "yes",
            },
        ),
        ("random", {"rulings__repelled_veteran": "in_front"}),
        ("random", {"rulings__repelled_veteran": "under_a_stack", "card__spy__count": "0"}),
    ],
)
def test_rampage_counts_what_its_record_counts(policy, sets):
    match = match_of("rampage", policy, **sets)
    uses, counts = counted(match, 150)
    rows = Batch(match).play(range(150))
    came, by_use = counts[:, :, 0].sum(axis=1), dict(zip(uses.uses, counts[:, :, 1:].sum(axis=1).T))
    assert (by_use["paid"] == rows["paid"]).all() and (by_use["dropped or lost"] == rows["lost_cards"]).all()
    assert (by_use["put under the Gate"] + by_use["put under the Castle"] == rows["strengthened"]).all()
    again = came - rows["drawn"].astype(int) - 4  # two cards of the set-up for each player
    assert (again >= 0).all()
    if "under_a_stack" in sets.values():
        assert (again == 0).all() and (by_use["played"] == rows["plays"]).all()
    elif "in_front" in sets.values():
        assert (by_use["played"] <= rows["plays"]).all() and by_use["played"].sum() < rows["plays"].sum()
    else:
        assert (by_use["played"] == rows["plays"]).all() and again.sum() > 0
    assert {name for kind, name in uses.kinds.items() if uses.printed_for[kind] != ("played",)} <= {
        "Bomber",
        "Saboteur",
        "Spy",
        "Ogre",
    }


def test_rampage_tells_who_held_a_card():
    """Of the same games; a card that comes and is lost within one action is not seen."""
    match = match_of("rampage", "random")
    uses, counts = counted(match, 100)
    drew, winners = (np.concatenate(each) for each in zip(*DrawingGames(match, uses.kinds).play(range(100), 2)))
    assert (winners == Batch(match).play(range(100))["winner"]).all()
    came = counts[:, :, 0] > 0
    assert (drew.any(axis=2) <= came).all() and drew.any(axis=2).sum() > 0.95 * came.sum()
    assert drew.shape[2] == 2 and (drew.sum(axis=(0, 1)) > 0).all()


def test_cards_dropped_at_the_end_of_a_turn_are_dropped():
    match = match_of("rampage", rulings__hand_limit="limited", turn__hand_limit="2")
    uses, counts = counted(match, 60)
    lost = counts[:, :, 1 + uses.uses.index("dropped or lost")].sum(axis=1)
    assert (lost > Batch(match).play(range(60))["lost_cards"]).mean() > 0.9
