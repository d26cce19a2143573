"""`odds`: throws, fights, and whether to stake a POW now or wait.

Probabilities of throws and fights are computed exactly, and also simulated with the engine's dice.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from bartizan.analyses.games.castle import TABLE, FightRequest, fight_odds
from bartizan.analyses.games.colditz import (
    WITHIN,
    Situation,
    StakeOdds,
    analyze,
    crossroads,
    do_or_die_chances,
    do_or_die_odds,
    shot_odds,
    throws_odds,
)
from bartizan.api.answer import Answer
from bartizan.api.caveats import shown
from bartizan.api.effort import Effort
from bartizan.api.keeping import place_of
from bartizan.api.questions import odds as questions
from bartizan.api.reading import path_of
from bartizan.reports.blocks import View
from bartizan.reports.render import terminal
from bartizan.reports.text import changes
from bartizan.reports.views import odds as views
from bartizan.simcore.castle.schema import CastleScenario
from bartizan.simcore.colditz.board import least_stake, read_board, stake_from
from bartizan.simcore.errors import UsageError
from bartizan.simcore.game import load_game
from bartizan.simcore.play.choices import CHUNK_GAMES
from bartizan.simcore.scenario.changes import changes_of
from bartizan.simcore.scenario.loading import load_scenario

A_FEW_SECONDS = "a few seconds"
NEAR = range(-18, 19, 6)  # distances in the chart, in steps from the requested distance


_announced: set[str] = set()  # names of compiled functions


def _announce(effort: Effort, what: str, compiled: str) -> None:
    """Report the first compilation of a function by this process.

    Later ones are not reported, because the search of the cache takes long and the code is compiled by then.
    """
    if compiled not in _announced:
        effort.watch.compiles(what, compiled, A_FEW_SECONDS)
        _announced.add(compiled)


def _tables(compiled: str, effort: Effort) -> tuple[Any, Any]:
    """Return the scenario of Escape from Colditz, and the engine's tables.

    compiled: name of the compiled function that needs the tables.
    """
    _announce(effort, "the dice", compiled)
    game = load_game("colditz")
    s = load_scenario(game)
    return s, game.compiled.build_tables(s)


def _caps(cap: int | None) -> tuple[int | None, ...]:
    """Return the limits on re-rolls: the requested one, or both readings of ruling Q2 (None: no limit)."""
    return (None, 3) if cap is None else (cap,)


def do_or_die(question: questions.DoOrDieQuestion) -> Answer:
    """Compute the success probability of a Do or Die from a distance, or from a place with the cards held.

    The default is the shortest distance.
    """
    effort, place, distance = question.effort(question.games), question.from_, question.distance
    keep = place_of(question, load_game("colditz"))
    s, tables = _tables("throw_totals", effort)
    if place is not None and distance is not None:
        raise UsageError("odds do-or-die: give --distance or --from, not both")
    if place is None and (question.ropes is not None or question.cutters is not None):
        counts = f"; --distance already includes ropes and cutters; use: odds do-or-die --distance {distance}"
        need = "odds do-or-die: --ropes and --cutters require --from, the place where the POW starts"
        raise UsageError(need + (counts if distance is not None else ""))
    feet = s.model.drop.feet_per_rope
    stake = None
    if place is not None:
        stake = stake_from(read_board(), place, question.ropes or 0, question.cutters or 0, feet)
    elif distance is None:
        stake = least_stake(read_board(), feet)
    steps = stake.distance if stake else distance
    assert steps is not None
    cards, caps = list(question.card or ()) or None, _caps(question.cap)
    results = [do_or_die_odds(tables, steps, one, effort.games, effort.seed, cards) for one in caps]
    holding = f"{stake.ropes} Rope cards and {stake.cutters} Wire Cutters" if stake else ""
    where = f" from {stake.place} with {holding}" if stake else ""
    if distance is None and place is None:
        where += ", the shortest distance (to choose another: --distance or --from)"
    near = [steps + more for more in NEAR if steps + more > 0]
    about = {
        "distance": steps,
        "from": vars(stake) if stake else None,
        "title": s.model.title,
        "scenario_hash": s.hash,
        "over_distance": [
            {"distance": one, "exact": do_or_die_chances(tables, one, caps[0], cards)} for one in near
        ],
    }
    return _throws("do-or-die", about, results, effort, f"Do or Die, {steps} steps{where}", keep)


def staff_car(question: questions.StaffCarQuestion) -> Answer:
    effort = question.effort(question.games)
    s, tables = _tables("throw_totals", effort)
    steps = s.model.staff_car.distance if question.distance is None else question.distance
    throws = s.model.staff_car.throws
    about = {"distance": steps, "throws": throws}
    return _thrown(
        tables, "staff-car", about, question.cap, effort, f"Staff Car, {throws} throws for {steps} steps"
    )


def appel(question: questions.AppelQuestion) -> Answer:
    effort, about = question.effort(question.games), {"distance": question.distance}
    _, tables = _tables("throw_totals", effort)
    return _thrown(
        tables, "appel", about, question.cap, effort, f"Appel, {question.distance} steps from a guard"
    )


def _thrown(
    tables: Any, question: str, about: Mapping[str, Any], cap: int | None, effort: Effort, title: str
) -> Answer:
    steps, throws = about["distance"], about.get("throws", 1)
    results = [
        throws_odds(tables, question, steps, throws, one, effort.games, effort.seed) for one in _caps(cap)
    ]
    return _throws(question, about, results, effort, title)


def shoot_to_kill(question: questions.ShootToKillQuestion) -> Answer:
    effort, steps, talisman = question.effort(question.games), question.distance, question.talisman
    _, tables = _tables("throw_ranges", effort)
    name, caps = "shoot-to-kill", _caps(question.cap)
    results = [shot_odds(tables, name, steps, talisman, one, effort.games, effort.seed) for one in caps]
    title = f"Shoot to Kill over {steps} steps" + (", Talisman played" if talisman else "")
    return _throws(name, {"distance": steps, "talisman": talisman}, results, effort, title)


def _throws(
    question: str,
    about: Mapping[str, Any],
    results: Sequence[StakeOdds],
    effort: Effort,
    setting: str,
    keep: Callable[[Mapping[str, Any]], object] | None = None,
) -> Answer:
    """Return exact and simulated probabilities for each limit on re-rolls.

    The first entry is the main result.
    """
    by_cap = [
        {
            "cap": one.cap,
            "exact": one.exact,
            "simulated": {
                case: {**interval.to_dict(), "games": one.attempts}
                for case, interval in one.simulated.items()
            },
        }
        for one in results
    ]
    document = {
        "schema": "bartizan.odds/1",
        "question": question,
        **about,
        "setting": setting,
        **by_cap[0],
        "by_cap": by_cap,
        "games": results[0].attempts,
        "seed": effort.seed,
    }
    if keep:
        keep(document)
    return _seen(document, partial(views.throws, document))


# ---------------------------------------------------------------- a fight in Castle


def castle(question: questions.FightOddsQuestion) -> Answer:
    """Compute the probability that the attacker wins one roll.

    If no fight is given, compute a table of fights.
    """
    fight, request, effort = _fight_of(question), question.request(), question.effort(question.games)
    game, s = request.game, request.loaded
    model = s.model
    assert isinstance(model, CastleScenario)
    _announce(effort, "the fights", "fights")
    wanted = [fight] if fight else [FightRequest(*row) for row in TABLE]
    tables = game.compiled.build_tables(s)
    results = [fight_odds(model, tables, one, effort.games, effort.seed) for one in wanted]
    rows = [
        {
            **vars(result),
            "fight": vars(result.fight),
            "exact": {"wins": result.wins},
            "simulated": {"wins": {**result.simulated.to_dict(), "games": result.attempts}},
        }
        for result in results
    ]
    document = {
        "schema": "bartizan.odds/1",
        "question": "castle",
        "title": s.model.title,
        "changes": changes_of(game, s),
        "scenario_hash": s.hash,
        "set": s.overrides,
        "seed": effort.seed,
        "assumptions": s.model.assumptions(),
        **(rows[0] if fight else {}),
        "fights": rows,
    }
    title = changes.title("Castle", document["changes"])
    return _seen(document, partial(views.fights, title, results, effort.seed))


def _seen(document: Mapping[str, Any], view: Callable[[], View]) -> Answer:
    return Answer(document, lambda: terminal.lines(view()), view=view)


def _fight_of(question: questions.FightOddsQuestion) -> FightRequest | None:
    """Return the fight that the options describe; None to request a table of fights."""
    if question.queen not in ("alive", "dead"):
        raise UsageError(f"--queen {question.queen}: write alive or dead")
    if (question.attack is None) != (question.defend is None):
        raise UsageError("odds castle: give --attack and --defend, or neither for a table")
    if not question.attack or not question.defend:
        return None
    added, alive = (question.add, question.defence_add), question.queen == "alive"
    return FightRequest(
        question.attack, question.defend, alive, not question.revealed, *added, question.same_suit
    )


# ---------------------------------------------------------------- stake now, or wait


def stake_or_wait(question: questions.StakeOrWaitQuestion) -> Answer:
    request, effort = question.request(), question.effort(question.games)
    game, s, start, within = request.game, request.loaded, question.from_, question.within
    chart = path_of(question.chart)
    if chart:
        from bartizan.reports.figures import files

        files.check_name(chart, "--chart")
    situation = Situation(question.distance, question.ropes, question.cutters, question.rounds_left)
    steps = situation.steps
    if start is not None:
        if steps is not None:
            raise UsageError("odds stake-or-wait: give --distance or --from, not both")
        model: Any = s.model
        held = question.ropes or 0, question.cutters or 0
        steps = stake_from(read_board(), start, *held, model.drop.feet_per_rope).distance
    if steps is None and within is not None:
        raise UsageError("odds stake-or-wait: --within requires --distance or --from")
    near = WITHIN if within is None else within
    situation = replace(situation, steps=steps, within=near)
    match = request.match(effort.seed, "odds stake-or-wait")
    experiment = crossroads(match, situation, question.futures)
    effort.compiles(game, experiment.loop)
    chunks = experiment.play(range(effort.games), effort.workers)
    result = analyze(
        experiment, list(effort.watch.track(chunks, effort.games, CHUNK_GAMES, "simulating both options"))
    )
    if not result:
        raise UsageError(
            f"odds stake-or-wait: no player had the choice at {views.situation(situation)} in any of "
            f"{effort.games:,} games; remove a condition, widen --within, or use more --games"
        )
    stakes = match.tables().stake
    chance = stakes[min(steps, len(stakes) - 1)] if steps is not None else None
    document = views.document(match, situation, question.futures, effort.games, result, chance)
    if chart:
        drawn = files.write(lambda: views.chart(document), chart, "--chart")
        document = document.model_copy(update={"chart": str(drawn)})
    return shown(game, document, partial(views.view, document))
