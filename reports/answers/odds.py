"""`odds`: single throws and fights, exact and simulated with the engine's dice; and stake-or-wait."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bartizan.analyses.games.castle import TABLE, FightOdds, FightRequest, fight_odds
from bartizan.analyses.games.colditz import (
    ANY,
    WITHIN,
    Situation,
    analyze,
    crossroads,
    do_or_die_odds,
    shot_odds,
    throws_odds,
)
from bartizan.policies.request import Request
from bartizan.reports.answers.answer import Answer, Effort, shown
from bartizan.reports.render import terminal
from bartizan.reports.text import changes, words
from bartizan.reports.views import odds as views
from bartizan.reports.views import stake_or_wait as stakes_view
from bartizan.simcore.castle.schema import CastleScenario
from bartizan.simcore.colditz.board import least_stake, read_board, stake_from
from bartizan.simcore.errors import UsageError
from bartizan.simcore.game import load_game
from bartizan.simcore.play.choices import CHUNK_GAMES
from bartizan.simcore.scenario.changes import changes_of
from bartizan.simcore.scenario.loading import load_scenario

A_FEW_SECONDS = "a few seconds"


def _tables(compiled: str, effort: Effort) -> tuple[Any, Any]:
    """The scenario's numbers and the engine's tables. compiled: a function that they need."""
    effort.watch.compiles("the dice", compiled, A_FEW_SECONDS)
    game = load_game("colditz")
    s = load_scenario(game)
    return s.model, game.compiled.build_tables(s)


def _caps(cap: int | None) -> tuple[int | None, ...]:
    """Both readings of ruling Q2, or the one asked for."""
    return (None, 3) if cap is None else (cap,)


@dataclass(frozen=True)
class Start:
    """A place of the board, and what is held there."""

    place: str | None = None
    ropes: int | None = None
    cutters: int | None = None


def do_or_die(
    effort: Effort, distance: int | None, start: Start, cards: Sequence[int] = (), cap: int | None = None
) -> Answer:
    """A Do or Die: chance of success by card, and with a card drawn blind.

    distance: steps; or start, a place with what is held there; neither: the least distance there is.
    """
    model, tables = _tables("throw_totals", effort)
    _refuse_both(distance, start)
    feet = model.drop.feet_per_rope
    stake = None
    if start.place is not None:
        stake = stake_from(read_board(), start.place, start.ropes or 0, start.cutters or 0, feet)
    elif distance is None:
        stake = least_stake(read_board(), feet)
    steps = stake.distance if stake else distance
    assert steps is not None
    found = [
        do_or_die_odds(tables, steps, one, effort.games, effort.seed, list(cards) or None)
        for one in _caps(cap)
    ]
    holding = f"{stake.ropes} Rope cards and {stake.cutters} Wire Cutters" if stake else ""
    where = f" from {stake.place} with {holding}" if stake else ""
    about = {"distance": steps, "from": vars(stake) if stake else None}
    if distance is None and start.place is None:
        where += ", the shortest there is (another: --distance or --from)"
    names = {case: "any card" if case == "any" else f"card x{case}" for case in found[0].exact}
    title = f"Do or Die, {steps} steps{where}"
    return _throws("do-or-die", about, found, effort, title, names, _in_short(found[0].exact))


def _in_short(exact: Mapping[str, float]) -> str:
    """The chance of a card drawn blind, and the cards that succeed more often than not."""
    even = [f"x{case}" for case, chance in exact.items() if case != ANY and chance > 0.5]
    better = (
        f"better than even with a card {words.listing(even, 'or')}" if even else "no card is better than even"
    )
    blind = [f"a card drawn blind succeeds in {words.percent(exact[ANY])}"] if ANY in exact else []
    return f"{'; '.join([*blind, better])} (a double is rolled again)"


def _refuse_both(distance: int | None, start: Start) -> None:
    if start.place is not None and distance is not None:
        raise UsageError("odds do-or-die: give --distance or --from, not both")
    if start.place is None and (start.ropes is not None or start.cutters is not None):
        counts = f"; a distance counts them already: odds do-or-die --distance {distance}"
        need = "odds do-or-die: --ropes and --cutters need --from, the place they are held at"
        raise UsageError(need + (counts if distance is not None else ""))


def staff_car(effort: Effort, distance: int | None = None, cap: int | None = None) -> Answer:
    """The Staff Car: chance of reaching the target over the main bridge."""
    model, tables = _tables("throw_totals", effort)
    steps = model.staff_car.distance if distance is None else distance
    throws = model.staff_car.throws
    about = {"distance": steps, "throws": throws}
    title = f"Staff Car, {throws} throws for {steps} steps"
    return _thrown(tables, "staff-car", about, cap, effort, title, "arrives")


def appel(effort: Effort, distance: int, cap: int | None = None) -> Answer:
    """An Appel: chance that its range, one throw, reaches a POW so many steps away."""
    _, tables = _tables("throw_totals", effort)
    title = f"Appel, {distance} steps from a guard"
    return _thrown(tables, "appel", {"distance": distance}, cap, effort, title, "in range")


def _thrown(
    tables, question: str, about: Mapping, cap: int | None, effort: Effort, title: str, name: str
) -> Answer:
    steps, throws = about["distance"], about.get("throws", 1)
    found = [
        throws_odds(tables, question, steps, throws, one, effort.games, effort.seed) for one in _caps(cap)
    ]
    return _throws(question, about, found, effort, title, {question: name})


def shoot_to_kill(effort: Effort, distance: int, talisman: bool = False, cap: int | None = None) -> Answer:
    """A Shoot to Kill: chance that the shot kills over so many steps."""
    _, tables = _tables("throw_ranges", effort)
    name = "shoot-to-kill"
    found = [
        shot_odds(tables, name, distance, talisman, one, effort.games, effort.seed) for one in _caps(cap)
    ]
    title = f"Shoot to Kill over {distance} steps" + (", Talisman played" if talisman else "")
    about = {"distance": distance, "talisman": talisman}
    return _throws(name, about, found, effort, title, {name: "kills"})


def _throws(
    question: str,
    about: Mapping,
    found: list,
    effort: Effort,
    title: str,
    names: Mapping[str, str],
    short: str = "",
) -> Answer:
    """Exact and simulated chances, for each cap on re-rolls; the first of `found` is what was asked. short:
    the answer in a sentence.
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
        for one in found
    ]
    document = {
        "schema": "bartizan.odds/1",
        "question": question,
        **about,
        **by_cap[0],
        "by_cap": by_cap,
        "games": found[0].attempts,
        "seed": effort.seed,
    }
    view = views.throws(title, short, found, names, effort.seed)
    return Answer(document, lambda: terminal.lines(view))


# ---------------------------------------------------------------- a fight in Castle


def castle(request: Request, effort: Effort, fight: FightRequest | None = None) -> Answer:
    """Chance that the attacker wins one roll; without a fight, a table of them."""
    game, s = request.game, request.loaded
    model = s.model
    assert isinstance(model, CastleScenario)
    effort.watch.compiles("the fights", "fights", A_FEW_SECONDS)
    wanted = [fight] if fight else [FightRequest(*row) for row in TABLE]
    tables = game.compiled.build_tables(s)
    found = [fight_odds(model, tables, one, effort.games, effort.seed) for one in wanted]
    rows = [_fight(one) for one in found]
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
    view = views.fights(changes.title("Castle", document["changes"]), found, effort.seed)
    return Answer(document, lambda: terminal.lines(view))


def _fight(found: FightOdds) -> dict:
    simulated = {"wins": {**found.simulated.to_dict(), "games": found.attempts}}
    exact = {"wins": found.wins}
    return {**vars(found), "fight": vars(found.fight), "exact": exact, "simulated": simulated}


# ---------------------------------------------------------------- stake now, or wait


def stake_or_wait(
    request: Request,
    effort: Effort,
    asked: Situation,
    start: str | None = None,
    within: int | None = None,
    futures: int = 2,
    chart: Path | None = None,
) -> Answer:
    """Both ways played on from the same moments, by distance and round.

    asked: what is known of the situation; start: a place of the board, instead of its distance; within: so
    many steps more or fewer count as that distance; futures: how often each way from a moment; chart: a file
    to draw the verdicts into.
    """
    game, s = request.game, request.loaded
    draw = _chart(chart) if chart is not None else None
    steps = _steps(s.model, asked, start)
    if steps is None and within is not None:
        raise UsageError("odds stake-or-wait: --within needs --distance or --from")
    near = WITHIN if within is None else within
    asked = replace(asked, steps=steps, within=near)
    match = request.match(effort.seed, "odds stake-or-wait: name one policy for each role")
    question = crossroads(match, asked, futures)
    effort.compiles(game, question.loop)
    chunks = question.play(effort.games, effort.threads)
    found = analyze(
        question, list(effort.watch.track(chunks, effort.games, CHUNK_GAMES, "playing on both ways"))
    )
    if not found:
        raise UsageError(
            f"odds stake-or-wait: in none of {effort.games:,} games did a player have the choice at "
            f"{stakes_view.situation(asked)}; ask for less, widen --within, or play more --games"
        )
    stakes = match.tables().stake
    chance = stakes[min(steps, len(stakes) - 1)] if steps is not None else None
    document = stakes_view.document(match, asked, futures, effort.games, found, chance)
    if draw:
        document = document.model_copy(update={"chart": str(draw(document))})
    return shown(game, document, stakes_view.view(document))


def _chart(path: Path) -> Callable[[stakes_view.StakeDocument], Path]:
    """What draws a document into a file; a bad name is refused before anything is played."""
    from bartizan.reports.figures import files, stake_chart

    files.check_name(path, "--chart")
    return lambda document: files.write(lambda: stake_chart.draw(document), path, "--chart")


def _steps(model, asked: Situation, start: str | None) -> int | None:
    """The distance that is asked about, if any."""
    if start is not None and asked.steps is not None:
        raise UsageError("odds stake-or-wait: give --distance or --from, not both")
    if start is None:
        return asked.steps
    feet = model.drop.feet_per_rope
    return stake_from(read_board(), start, asked.ropes or 0, asked.cutters or 0, feet).distance
