"""What comes up and what never does: counts held to records, a log that runs out of room, values that no game reaches, and records in one word."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from bartizan.analyses.experiments import coverage
from bartizan.analyses.experiments.coverage import (
    ACTIONS,
    ENDS,
    NUMBERS,
    WINNERS,
    Encounters,
    analyze,
    share_after_looks,
)
from bartizan.analyses.experiments.sensitivity import knobs_of
from bartizan.analyses.experiments.trials import Condition
from bartizan.analyses.records import comparison
from bartizan.analyses.records.comparison import ChangedGames, changed_games
from bartizan.analyses.records.seating import LineUp
from bartizan.analyses.statistics.intervals import limit_of_none, proportion
from bartizan.reports.pages.free_for_all import effects as settings
from bartizan.reports.pages.parts.certainty import never_came_up
from bartizan.reports.render import terminal
from bartizan.reports.views import coverage as views
from bartizan.simcore.game import Topic, load_game
from bartizan.simcore.play import coverage as play
from bartizan.simcore.play.batch import Batch
from bartizan.simcore.play.coverage import (
    ACTION,
    CHOICES,
    OFFERS,
    RECORD,
    CoveredMatch,
    NotedGames,
    fingerprints,
    notes_dtype,
)
from bartizan.simcore.scenario.loading import load_scenario
from tests.cli.run_cli import PIG, RUIN
from tests.matches import match_of

ROLL, HOLD = 0, 1
UNREACHED = {"bets.start": 2, "bets.goal": 900, "bets.win_per_mille": 100}


def covered(name, *policies, games=300, prefixes=(), sets=(), jobs=1):
    """(Question, Scenario, CoveredGames)"""
    match = match_of(name, *policies, **dict(sets))
    question = Condition(match.game, None, dict(sets), match.players, games, 1)
    return (
        question,
        match.scenario,
        analyze(question, match.scenario, knobs_of(match.scenario, match.game, prefixes=prefixes), jobs),
    )


def of(found, title):
    return {one.name: one for group in found.met if group.title == title for one in group.found}


# ---------------------------------------------------------------- what is met


def test_every_decision_is_counted_once():
    match = match_of(PIG, "hold:at=20", "hold:at=25")
    noted = CoveredMatch(match).noted(range(200))
    rows = Batch(match).play(range(200))
    assert all((noted.notes["record"][name] == rows[name]).all() for name in rows.dtype.names if name != "game")
    encounters = Encounters(match)
    encounters.add(noted)
    groups = {group.title: {one.name: one for one in group.found} for group in encounters.groups()}
    assert sum(one.times_a_game * 200 for one in groups[ACTIONS].values()) == pytest.approx(rows["plies"].sum())
    assert {name: (one.games, one.legal) for name, one in groups[ACTIONS].items()} == {
        "roll": (200, 200),
        "hold": (200, 200),
    }
    assert groups[ENDS]["goal reached"].games == 200
    assert groups[WINNERS]["first"].games == (rows["winner"] == 0).sum()
    assert groups[WINNERS]["nobody: a draw"].games == 0


def test_a_log_without_room_is_made_larger(monkeypatch):
    covered_match = CoveredMatch(match_of(PIG, "hold"))
    whole = covered_match.noted(range(7, 67))
    monkeypatch.setattr(play, "ROOM", 8)
    pieces = covered_match.noted(range(7, 67))
    assert len(whole.log) == whole.notes["record"]["plies"].sum() > 60 * 8
    assert (whole.log == pieces.log).all() and (whole.notes == pieces.notes).all()
    assert (covered_match.words(range(7, 67)) == whole.notes["words"]).all(), "with a log and without"


def test_games_and_times_of_topics_by_hand():
    """A card drawn twice in a game is one game and two times; two numbers of one name are one thing; a name that never comes has a row."""
    match = match_of(PIG, "hold")
    names = {1: "duck", 2: "goose", 3: "duck", 4: "swan", 5: "teal"}
    events = {5: lambda a, b, c: b, 7: lambda a, b, c: (a, b)}
    topics = (Topic("cards", lambda scenario: names, {"hold": lambda argument, seat: seat + 1}, events),)
    game = replace(match.game, engine=lambda: replace(match.engine, topics=topics))
    log = [
        (0, 5, 0, 1, 0),
        (0, 5, 9, 3, 0),
        (1, 5, 0, 2, 0),
        (1, 5, 0, 77, 0),
        (1, 6, 0, 1, 0),
        (1, 7, 4, -1, 0),
        (2, ACTION, HOLD, 1, 0),
        (2, ACTION, ROLL, 0, 0),
    ]
    notes = np.zeros(3, notes_dtype(match.engine))
    notes["offered"] = [[1, 1], [1, 1], [1, 0]]
    found = Encounters(replace(match, game=game))
    found.add(NotedGames(notes, np.array(log, np.int32)))
    found.add(NotedGames(notes, np.array([(2, 5, 0, 1, 0)], np.int32)))
    groups = {group.title: {one.name: one for one in group.found} for group in found.groups()}
    assert {name: (one.games, round(one.times_a_game * found.games)) for name, one in groups["cards"].items()} == {
        "duck": (2, 3),
        "goose": (2, 2),
        "swan": (1, 1),
        "teal": (0, 0),
    }
    assert [(one.games, round(one.times_a_game * found.games), one.legal) for one in groups[ACTIONS].values()] == [
        (1, 1, 6),
        (1, 1, 4),
    ]
    assert [one.name for group in found.groups() if group.title == "cards" for one in group.found if not one.games] == [
        "teal"
    ]


@pytest.mark.parametrize("name", ["itter", "colditz", "castle", "rampage"])
def test_what_a_game_can_meet_is_named(name):
    """Every kind of action has words, topics read kinds of action that there are, and under every scenario something is there to be met."""
    game = load_game(name)
    engine, scenario = game.compiled, load_scenario(game)
    assert set(engine.act_words) == set(engine.acts) and all(engine.act_words.values())
    assert len({topic.title for topic in engine.topics}) == len(engine.topics) > 3
    for topic in engine.topics:
        assert set(topic.actions) <= set(engine.acts) and (topic.actions or topic.events), topic.title
        assert topic.names(scenario), topic.title


# ---------------------------------------------------------------- rulings and numbers


def test_a_value_that_no_game_reaches_never_came_up():
    """A goal that no purse comes near: no game is another one with a goal of 675 or of 1,125."""
    question, s, found = covered(RUIN, games=250, prefixes=("bets.goal", "bets.start"), sets=UNREACHED.items())
    start, goal = found.changed
    assert (goal.path, goal.games, goal.came_up, goal.ended, goal.legal) == ("bets.goal", 250, 0, 0, 0)
    assert (start.games, start.came_up, start.ended) == (coverage.FIRST_LOOK, 100, 100), "seen at the first look"
    document = views.document(question, s, found)
    (never,) = (row for row in document.never if row.sort == NUMBERS)
    assert never.path == "bets.goal" and never.said == "never came up in 250 games with random"
    assert document.numbers == {"bets.start": 100, "bets.goal": 0} and document.below == limit_of_none(250)
    assert "  never came up in 250 games with random: Bets, Goal" in list(terminal.lines(views.view(document, 5)))


def test_a_value_that_changes_legal_actions_only_never_came_up():
    """The heading, both lists and `never` count the same values."""
    question, s, found = covered(RUIN, games=250, prefixes=("bets.goal", "bets.start"), sets=UNREACHED.items())
    start, goal = found.changed
    both = found.model_copy(update={"changed": [start.model_copy(update={"came_up": 0, "legal": 50}), goal]})
    document = views.document(question, s, both)
    lines = list(terminal.lines(views.view(document, 5)))
    assert "  numbers, changed: 0 of 2 came up" in lines
    assert "  never came up, but changes legal actions (share of games): Bets, Start (50.0\u00a0%)" in lines
    assert "  never came up in 250 games with random: Bets, Goal" in lines
    assert [row.path for row in document.never if row.sort == NUMBERS] == ["bets.start", "bets.goal"]


def test_a_rare_value_is_seen_by_the_second_look(monkeypatch):
    """A goal of 9 instead of 12 changes the games whose purse gets that far, 6 in 100: not the first one."""
    monkeypatch.setattr(coverage, "FIRST_LOOK", 1)
    sets = {"bets.start": 3, "bets.goal": 12, "bets.win_per_mille": 400}
    (once,), (often,) = (
        covered(RUIN, games=games, prefixes=("bets.goal",), sets=sets.items())[2].changed for games in (1, 80)
    )
    assert (once.games, once.came_up) == (1, 0)
    assert often.games == 80 and 0 < often.came_up < 20


def test_shares_after_two_looks_are_wider():
    one, two = proportion(10, 100), share_after_looks(10, 100)
    assert two.level == 0.95
    assert (two.low, two.high) == (proportion(10, 100, 0.975).low, proportion(10, 100, 0.975).high)
    assert two.low < one.low < one.high < two.high and "two" not in one.method and "2 looks" in two.method


def test_none_of_n():
    assert limit_of_none(1) == pytest.approx(0.95) and limit_of_none(1000) == pytest.approx(1 - 0.05 ** (1 / 1000))
    assert 2.9 < 1000 * limit_of_none(1000) < 3


def test_threads_change_nothing():
    documents = [views.document(*covered(PIG, "hold", games=130, jobs=jobs)) for jobs in (1, 2)]
    assert documents[0] == documents[1]


def test_other_offers_are_told_from_other_decisions():
    """Words: the same decisions from another list of legal actions, and the same record."""
    base, other = np.zeros((2, 4, 3), np.uint64)
    other[:, OFFERS] = 1
    other[0, CHOICES], other[1, RECORD] = 1, 1
    assert coverage._came_up(base != other).tolist() == [True, True, False, False]


# ---------------------------------------------------------------- records


def test_a_record_in_one_word():
    """Another column, another word; the tier that a score reaches is no column and counts."""
    match = match_of(PIG, "hold")
    rows = Batch(match).play(range(50))
    words = fingerprints(rows, match.engine, match.scenario)
    assert len(set(words.tolist())) == 50, "each has its number"
    for column in rows.dtype.names:
        changed = rows.copy()
        changed[column] += 1
        assert (fingerprints(changed, match.engine, match.scenario) != words).all(), column
    top, middle = sorted(set(rows["score"].tolist()))[-1:], int(np.median(rows["score"]))
    assert (
        fingerprints(rows, replace(match.engine, tiers=lambda s: {"best": top[0] + 1}), match.scenario) == words
    ).all()
    tiered = fingerprints(rows, replace(match.engine, tiers=lambda s: {"best": middle}), match.scenario)
    assert ((tiered != words) == (rows["score"] >= middle)).all()


class Kept:
    """A cell with its games in memory."""

    policies = [{"role": "player", "name": "a"}]

    def __init__(self, tiers=(), **columns):
        self.tiers, self.frame = (
            dict(tiers),
            pl.DataFrame({"game": range(4), "winner": [0, 1, 0, 1], "score": [1, None, 3, 4]} | columns),
        )

    def scan(self):
        return self.frame.lazy()


def changed(base, *others):
    return changed_games(LineUp(tuple(base)), LineUp(tuple(others)))


def test_games_that_a_change_touches():
    assert changed([Kept()], Kept()) == ChangedGames(0, 4) and changed([Kept()], Kept()).is_none
    assert changed([Kept()], Kept(winner=[0, 1, 1, 1])) == ChangedGames(1, 4)
    assert changed([Kept()], Kept(score=[1, 2, 3, None])) == ChangedGames(2, 4), "a score where there was none"
    assert changed([Kept(), Kept()], Kept(), Kept(winner=[1, 1, 0, 1])) == ChangedGames(1, 4), "in one seating of two"
    assert changed([Kept(), Kept()], Kept()) is None
    assert changed([Kept({"gold": 4})], Kept({"gold": 3})) == ChangedGames(1, 4), "a tier is no column"


def test_a_page_says_of_two_settings_that_every_game_is_the_same():
    assert (
        never_came_up(Kept(), Kept(), "garrison")
        == "every game is identical: the change never came up in 4 games with garrison"
    )
    assert never_came_up(Kept(), Kept(winner=[0, 1, 1, 1]), "garrison") == ""


def test_a_setting_that_changes_no_game_is_idle():
    """Not so one with the same winners and other scores."""
    same, other = (
        comparison.effects_of(LineUp((Kept(),)), LineUp((cell,)), columns=())
        for cell in (Kept(), Kept(score=[9, 9, 9, 9]))
    )
    assert not same.effects[0].differing.estimate and not other.effects[0].differing.estimate
    assert settings._is_idle(same) and not settings._is_idle(other)
