"""Which numbers move the result: on gambler's ruin, whose every answer is known, and on Pig."""

import pytest

from bartizan.analyses.experiments.sensitivity import DUEL, FIRST_SEAT, HALF, analyze, knobs_of
from bartizan.analyses.experiments.trials import Condition
from bartizan.policies.registry import find_player
from bartizan.reports.render import terminal
from bartizan.reports.views import sensitivity as views
from bartizan.simcore.errors import EngineError
from bartizan.simcore.game import load_game
from bartizan.simcore.play.batch import Batch, Source
from bartizan.simcore.scenario.loading import load_scenario
from tests.cli.run_cli import PIG, ROOT, RUIN, bartizan
from tests.oracles import ruin

GAMES, SEED = 4000, 11


def ask(game, *players, sets=None, games=GAMES, prefixes=(), levels=(), jobs=1, **extent):
    it = load_game(game)
    s = load_scenario(it, sets=sets)
    who = {name: find_player(it, name) for name in players}
    question = Condition(it, None, sets or {}, tuple(who[name] for name in players), games, SEED)
    return (
        question,
        s,
        analyze(question, knobs_of(s, it, prefixes=prefixes, levels=levels), Source(jobs), **extent, levels=levels),
    )


@pytest.fixture(scope="module")
def gambler():
    return ask(RUIN, "random", draws=12)


def chance(changes: dict) -> float:
    bets = {"start": 10, "goal": 20, "win_per_mille": 490} | {
        path.split(".")[1]: value for path, value in changes.items()
    }
    return ruin(bets["win_per_mille"] / 1000, bets["start"], bets["goal"])


def test_every_influence_is_the_exact_one(gambler):
    _, _, found = gambler
    assert {(influence.path, influence.to) for influence in found.influences} == {
        ("bets.start", 8), ("bets.start", 12), ("bets.goal", 15), ("bets.goal", 25), ("bets.win_per_mille", 368), ("bets.win_per_mille", 612),
    }  # fmt: skip
    for influence in found.influences:
        exact = chance({influence.path: influence.to}) - chance({})
        effect = influence.headline
        assert abs(effect.difference.estimate - exact) < 4 * effect.se < 0.04, influence.path
        assert influence.is_clear and effect.pairing_factor > 1
    sizes = [abs(influence.headline.difference.estimate) for influence in found.influences]
    assert sizes == sorted(sizes, reverse=True) and found.unclear == ()
    assert len(found.influences) == 6


def test_every_joint_draw_is_the_exact_one(gambler):
    _, _, found = gambler
    assert len(found.draws) == 12 and len({str(draw.case.changes) for draw in found.draws}) > 6
    for draw in found.draws:
        exact = chance(draw.case.changes)
        assert abs(draw.headline.interval.estimate - exact) < 4 * max(
            draw.headline.se or 0, (exact * (1 - exact) / GAMES) ** 0.5
        )
    spread = found.spread
    assert spread["min"] <= spread["q5"] <= spread["q50"] <= spread["q95"] <= spread["max"]


def test_a_conclusion_is_overturned_where_it_is_false(gambler):
    """He wins less than half of the games, but for a nearer goal, a better coin, or more to start with."""
    _, _, found = gambler
    (conclusion,) = found.conclusions
    assert conclusion.kind == HALF and not conclusion.is_positive and not conclusion.stands
    single = {case["path"]: case["to"] for case in conclusion.overturned_by if "path" in case}
    draws = {draw.case.draw: draw.case.changes for draw in found.draws}
    assert all(chance({path: to}) > 0.5 for path, to in single.items())
    assert set(single) == {"bets.goal", "bets.win_per_mille"}
    assert all(chance(draws[case["draw"]]) > 0.5 for case in conclusion.overturned_by if "draw" in case)
    assert (conclusion.single.looks, conclusion.joint.looks) == (6, 12)
    assert "reversed by" in views.verdict(conclusion) and "joint draws" in views.verdict(conclusion)
    assert views.statement(conclusion, ["random"]) == "random wins fewer than half of the games"


def test_a_conclusion_that_stands():
    _, _, found = ask(
        RUIN, "random", sets={"bets.start": 2, "bets.goal": 40}, draws=6, prefixes=("bets.start", "bets.goal")
    )
    (conclusion,) = found.conclusions
    assert conclusion.stands and views.verdict(conclusion) == "holds under all variations (4 variations, 6 joint draws)"


def test_an_open_conclusion_says_so():
    _, _, found = ask(
        RUIN, "random", sets={"bets.win_per_mille": 500}, games=500, draws=3, prefixes=("bets.win_per_mille",)
    )
    (conclusion,) = found.conclusions
    assert conclusion.is_open and views.verdict(conclusion).startswith("inconclusive in the baseline")


def test_what_cannot_be_played_is_listed_and_nothing_else():
    """A start of 16 of 20 is no start below a goal of 16; drawn together the first one stays."""
    question, s, found = ask(RUIN, "random", sets={"bets.start": 16, "bets.goal": 17}, games=200, draws=20)
    assert [(refused.path, refused.to) for refused in found.refused] == [("bets.start", 20), ("bets.goal", 13)]
    assert found.refused[0].reason == "bets.start: 20 is not below the goal of 17"
    assert len(found.influences) == 4 and any(draw.case.changes for draw in found.draws)
    document = views.document(question, s, found, 0.25)
    assert document.refused[1].plain() == {
        "path": "bets.goal",
        "to": 13,
        "reason": "bets.start: 16 is not below the goal of 13",
    }
    assert any(line.startswith("Rejected: bets.start = 20") for line in terminal.lines(views.view(document, 5)))


def test_draws_leave_out_what_does_not_go_together():
    """13 with 12 is no game: of the two, one stays as it is."""
    _, _, found = ask(RUIN, "random", sets={"bets.start": 10, "bets.goal": 16}, games=100, draws=40)
    left = [draw for draw in found.draws if draw.case.left_out]
    assert left and all(set(draw.case.left_out) <= {"bets.start", "bets.goal"} for draw in left)
    assert all(draw.case.changes.get("bets.start", 10) < draw.case.changes.get("bets.goal", 16) for draw in found.draws)


def test_draws_are_those_of_the_seed(gambler):
    _, _, found = gambler
    _, _, fewer = ask(RUIN, "random", draws=5, jobs=2)
    assert [draw.case for draw in fewer.draws] == [draw.case for draw in found.draws[:5]]
    assert [draw.headline for draw in fewer.draws] == [draw.headline for draw in found.draws[:5]]
    looks = [
        [(one.path, one.to, one.headline.difference, one.headline.se) for one in result.influences]
        for result in (fewer, found)
    ]
    assert looks[0] == looks[1]


def test_a_value_that_does_nothing_cannot_be_told_from_nothing():
    """A goal that no game reaches."""
    _, _, found = ask(
        RUIN,
        "random",
        sets={"bets.start": 2, "bets.goal": 900, "bets.win_per_mille": 100},
        games=300,
        draws=2,
        prefixes=("bets.goal",),
    )
    assert [influence.is_clear for influence in found.influences] == [False, False]
    assert [knob.path for knob in found.unclear] == ["bets.goal"]
    assert found.influences[0].headline.differing.estimate == 0


def test_players_are_compared_over_all_seats():
    """Holding at 25 is better than at 20, whatever the goal; who goes first wins more."""
    _, _, found = ask(PIG, "hold:at=25", "hold:at=8", games=6000, draws=4, prefixes=("goal",))
    assert found.by_player and len(found.line_up.cells) == 2
    duel, first = found.conclusions
    assert (duel.kind, first.kind) == (DUEL, FIRST_SEAT)
    assert duel.stands and first.is_positive
    assert views.statement(duel, found.line_up.names) == "hold:at=25 wins more often than hold:at=8"
    assert views.statement(first, found.line_up.names) == "the first seat wins more than an equal share"


# ---------------------------------------------------------------- values under which games fail seldom


@pytest.fixture
def failing(monkeypatch):
    """With a goal of 25 the rules fail in a game after the first 300, beyond those that are played on trial."""
    play_into = Batch.play_into

    def played(self, rows, games):
        if self.match.scenario.overrides.get("bets.goal") in (25, "25") and games.stop > 300:
            raise EngineError("ruin.py:7: a full purse")
        return play_into(self, rows, games)

    monkeypatch.setattr(Batch, "play_into", played)


def test_a_value_under_which_games_fail_seldom_is_refused(failing):
    _, _, found = ask(RUIN, "random", games=500, draws=8, effects=2, settings=20)
    assert [(one.path, one.to, one.reason) for one in found.refused] == [("bets.goal", 25, "ruin.py:7: a full purse")]
    assert ("bets.goal", 15) in {(one.path, one.to) for one in found.influences}
    assert len(found.draws) == 8 and not any(draw.case.changes.get("bets.goal") == 25 for draw in found.draws)


def test_rules_that_fail_as_they_are_end_the_command(failing):
    with pytest.raises(EngineError, match="a full purse"):
        ask(RUIN, "random", sets={"bets.goal": 25}, games=500, draws=0, prefixes=("bets.start",))


@pytest.mark.parametrize("knobs", [("bets.goal=15,22,25",), ("bets.goal=15,25", "bets.start=8,10"), ()], ids=len)
def test_tune_goes_on_without_such_a_value(failing, knobs):
    options = [word for knob in knobs for word in ("--knob", knob)]
    result = bartizan("tune", RUIN, *options, "--target", "win_rate=0.6", "--games", 500, "--fresh", 500)
    assert result.code in (0, 3), result.err
    assert "error" not in result.err and "left out, and the others are simulated again: ruin.py:7" in result.err
    refused = [line for line in result.out.splitlines() if line.strip().startswith("Rejected")]
    assert refused and all("ruin.py:7: a full purse" in line for line in refused)


def test_the_number_of_players_is_no_value_to_vary():
    """Players of a cooperative game have one role, so `--players` is no path of the game."""
    it = load_game(str(ROOT / "examples/short/hanabi.py"))
    assert not it.players_path and "numbers.players" not in {knob.path for knob in knobs_of(load_scenario(it), it)}
