"""Policies and levels on one scale of skill, the steps between levels, and cells that do not fit."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from bartizan.analyses.document import Document, optional
from bartizan.analyses.experiments.ladder import (
    LEVEL,
    OPPONENT,
    POLICY,
    SEAT,
    Ladder,
    LadderExperiment,
    LevelPlace,
    Meeting,
    Neighbours,
    Reversal,
    Rise,
)
from bartizan.analyses.records.brackets import NEWCOMER
from bartizan.analyses.statistics.intervals import Interval
from bartizan.analyses.statistics.rasch import METHOD
from bartizan.analyses.statistics.testing import ALPHA
from bartizan.reports import entries
from bartizan.reports.blocks import Block, Entry, Figure, Lines, Table, Track, View
from bartizan.reports.document import GameDocument
from bartizan.reports.figures import dots
from bartizan.reports.figures.theme import CLEAR, UNCLEAR
from bartizan.reports.text import differences, sentences, words
from bartizan.simcore.sweep.store import Cell, Sweep

UNIT = "logits"
MOST_MISFITS = 12  # cells that are listed
MOST_REVERSALS = 4  # pairs that are listed


class PolicyPlace(Document):
    policy: str
    logits: Interval


class SeatWorth(Document):
    seat: str
    logits: Interval


class OffScale(Document):
    """A policy or level without a place on the scale, because it won all games (`above`) or none."""

    kind: str
    name: str
    above: bool


class ScaleFit(Document):
    """Test of whether one scale fits: Hotelling's F over all cells with enough wins and losses."""

    statistic: float | None
    freedom: tuple[int, int]
    p: float | None
    # adjusted for the other tests of the ladder (order, equal steps); None in JSON of earlier versions
    p_adjusted: float | None = None
    deviance: float
    misfits: int


class LadderDocument(GameDocument):
    """Result of `ladder`, which is identical for any number of threads."""

    scenario_hashes: dict[str, str]
    overrides: dict[str, Any] = {}
    roles: list[str]
    alike: bool
    levels: list[str]
    games: int  # per cell
    cells: int
    seed: int
    players: list[dict[str, Any]] = []
    zero: str  # meaning of skill 0
    method: str
    draws: str
    rungs: dict[str, list[PolicyPlace]]  # {role or "policies": weakest first}
    off: list[OffScale]
    difficulty: list[LevelPlace]
    seats: list[SeatWorth]
    steps: list[Rise]
    neighbours: list[Neighbours]
    meetings: list[Meeting]
    fit: ScaleFit
    reversals: list[Reversal] = []
    capped: int = 0
    brackets: list[dict[str, Any]] = []  # win rates by skill, if measured
    unmeasured: list[str] = []
    recorded: int | None = optional()  # games that were read from a folder, instead of played for this answer
    sentence: str = ""

    @property
    def played(self) -> str:
        """The games behind the result: `4,000 games in each of 6 cells (common random numbers), seed 1`."""
        if self.recorded is not None:
            return f"{words.count(self.recorded)} recorded games, {words.many(self.cells, 'pairing')}"
        cells = words.many(self.cells, "cell")
        players = f" of {len(self.roles)} players" if self.alike else ""
        return (
            f"{words.many(self.games, 'game')}{players} in each of {cells} (common random numbers), "
            f"seed {self.seed}"
        )


def document(question: LadderExperiment, ladder: Ladder, **others: Any) -> LadderDocument:
    """Return the result of a ladder. others: its fields `brackets` and `unmeasured`."""
    game = question.game
    roles = game.roles_in(next(iter(question.scenarios.values())))
    players = {name: player for side in question.sides for name, player in side.items()}
    d = LadderDocument.of_levels(
        "bartizan.ladder/1",
        game,
        question.scenarios,
        **_found(ladder, roles, question.has_rivals),
        levels=list(question.scenarios),
        games=question.games,
        seed=question.seed,
        players=[
            {
                "policy": name,
                "about": player.about,
                "weights": player.weights,
                "source_hash": player.source_hash,
                "roles": list(player.roles),
            }
            for name, player in players.items()
        ],
        **others,
    )
    return d.model_copy(update={"sentence": sentence(d)})


def document_of_records(sweep: Sweep, cells: Sequence[Cell], ladder: Ladder, title: str) -> LadderDocument:
    """Return the document of a ladder from the games in a folder. cells: the cells whose games count."""
    manifest, alike = sweep.manifest, bool(sweep.manifest.get("alike"))
    games = [cell.games for cell in cells]
    roles = [policy["role"] for policy in max((cell.policies for cell in cells), key=len)]
    d = LadderDocument(
        schema="bartizan.ladder/1",
        game=manifest["game"],
        title=title,
        scenario=None,
        behaviour=manifest["behaviour"],
        scenario_hashes={},
        **_found(ladder, roles, alike),
        levels=list(dict.fromkeys(cell.difficulty for cell in cells)),
        games=min(games),
        recorded=sum(games),
        seed=manifest["seed"],
    )
    return d.model_copy(update={"sentence": sentence(d)})


def _found(ladder: Ladder, roles: Sequence[str], alike: bool) -> dict[str, Any]:
    """Return the fields of a document that follow from the fitted ladder."""
    fit = ladder.fit
    entities = [*fit.entities, *(one.entity for one in fit.off)]
    kinds = [kind for kind in (POLICY, OPPONENT) if any(entity[0] == kind for entity in entities)]
    return {
        "roles": list(roles),
        "alike": alike,
        "cells": len(ladder.meetings),
        "zero": _zero(ladder, alike),
        "method": f"maximum likelihood, Firth's penalty; intervals: {METHOD}",
        "draws": f"1/{len(roles)} of a win for each seat" if alike else "no win of the first role",
        "rungs": {
            _side(kind, roles, alike): [
                PolicyPlace(policy=name, logits=place) for name, place in ladder.places(kind)
            ]
            for kind in kinds
        },
        "off": [OffScale(kind=one.entity[0], name=one.entity[1], above=one.above) for one in fit.off],
        "difficulty": [LevelPlace(level=name, logits=place) for name, place in ladder.places(LEVEL)],
        "seats": [SeatWorth(seat=name, logits=place) for name, place in ladder.places(SEAT)],
        "steps": ladder.rises,
        "neighbours": ladder.neighbours,
        "meetings": ladder.meetings,
        "reversals": ladder.reversals,
        "fit": ScaleFit(
            statistic=fit.statistic,
            freedom=fit.freedom,
            p=fit.p,
            p_adjusted=ladder.p_fit,
            deviance=fit.deviance,
            misfits=len(ladder.misfits),
        ),
        "capped": sum(meeting.capped for meeting in ladder.meetings),
    }


def _side(kind: str, roles: Sequence[str], alike: bool) -> str:
    """Return the name of a side: its role, or `policies` if there are not two different roles."""
    return roles[1] if kind == OPPONENT else roles[0] if len(roles) == 2 and not alike else "policies"


def _zero(ladder: Ladder, alike: bool) -> str:
    names = dict(ladder.fit.anchors)
    if alike:
        return f"as strong as {names.get(POLICY, 'nobody')}"
    at = f" at {names[LEVEL]}" if LEVEL in names else ""
    against = f" against {names[OPPONENT]}" if OPPONENT in names else ""
    return f"wins half of the games{against}{at}"


# ---------------------------------------------------------------- the sentence


def sentence(d: LadderDocument) -> str:
    """Return the finding as a sentence: the order of policies, steps between levels, method, assumptions."""
    sides = "; ".join(f"{_named(d, side)}{_order(d, side)}" for side in d.rungs)
    steps = "".join(
        f"{', ' if index else '; '}{step_text(step)}"
        for index, step in enumerate(step for step in d.steps if step.logits)
    )
    rests = "" if d.recorded is not None else f"; {sentences.rests_on(d.assumed)}"
    return (
        f"{d.titled}, from weakest to strongest{_in_general(d)}: {sides} (logits; 0: {d.zero}){steps} "
        f"({words.level(0.95)} intervals, {METHOD}, {d.played}){rests}."
    )


def _in_general(d: LadderDocument) -> str:
    """Return a phrase that qualifies the order if direct games contradict it; "" otherwise."""
    if not d.reversals:
        return ""
    return f" against all the policies here (but {_beats(d.reversals[0])} directly)"


def _beats(row: Reversal) -> str:
    return f"{row.weaker} beats {row.stronger}"


def _named(d: LadderDocument, side: str) -> str:
    return f"{side}: " if len(d.rungs) > 1 else ""


def _order(d: LadderDocument, side: str) -> str:
    kind = OPPONENT if len(d.rungs) > 1 and side == d.roles[1] else POLICY
    low, high = (
        [row.name for row in d.off if row.kind == kind and row.above == above] for above in (False, True)
    )
    places = [
        f"{who} {_logits(place) if words.is_bounds(place) else words.signed(place.estimate, 2)}"
        for who, place in _places(d.rungs[side])
    ]
    below = [f"{words.listing(low)} below the scale"] if low else []
    return ", ".join([*below, *places, *([f"{words.listing(high)} above the scale"] if high else [])])


def step_text(step: Rise) -> str:
    """Return the size of a step, such as `elite is 1.63 logits (1.56 to 1.69) harder than veteran`.

    If the step was tested, the text states whether it is equal for all policies.
    """
    alike = {
        True: ", with no significant difference between policies",
        False: ", but not equally for all policies",
        None: "",
    }[step.even]
    if not step.logits:
        return f"the step from {step.from_} to {step.to} has no size on the scale"
    return f"{step.to} is {_harder(step.logits)} than {step.from_}{alike}"


def _harder(logits: Interval) -> str:
    """Return the size and direction of a step, such as `1.63 logits (1.56 to 1.69) harder`."""
    step = logits if logits.estimate >= 0 else differences.reversed_(logits)
    if not step.has_limits:
        way = "harder" if step is logits else "easier"
        return f"{words.number(step.estimate, 2)} {UNIT} ({step.method}) {way}"
    digits = max(words.digits_for(step.half_width), 2)
    size, low, high = (words.number(value, digits) for value in (step.estimate, step.low, step.high))
    return f"{size} {UNIT} ({low} to {high}) {'harder' if logits.estimate >= 0 else 'easier'}"


# ---------------------------------------------------------------- blocks


def view(d: LadderDocument) -> View:
    findings = Lines(tuple(_findings(d)), (d.sentence, *_findings(d)))
    over_skill = Lines((*(row["sentence"] for row in d.brackets), *d.unmeasured), ())
    uneven = Lines(tuple(_uneven(d)), ())
    blocks: tuple[Block, ...] = (*_figures(d), *_tables(d), *_misfits(d), findings, uneven, over_skill)
    return View(d.sentence, blocks, ("The ladder", f"{d.method}."), _title(d), _caption(d))


def _title(d: LadderDocument) -> str:
    tops = "; ".join(_named(d, side) + _top(d, side) for side in d.rungs)
    if d.recorded is not None:
        return f"{tops} ({words.count(d.recorded)} recorded games)"
    return f"{tops} ({words.many(d.games, 'game')} per cell)"


def _top(d: LadderDocument, side: str) -> str:
    """Return the strongest policy of a side and its lead, as text.

    For example: `garrison is the strongest of 4, +0.40 logits (+0.27 to +0.53) above greedy`. Without a
    comparison with the next policy, the text gives the place of the strongest policy.
    """
    rungs = d.rungs[side]
    if not rungs:
        return "no policy has a place on the scale"
    best, policies = rungs[-1], {rung.policy for rung in rungs}
    for pair in d.neighbours:
        if pair.stronger == best.policy and pair.weaker in policies:
            size, limits = words.change(pair.difference, least=2)
            apart, strongest = f"{size} {UNIT} ({limits})", f"the strongest of {len(rungs)}"
            if pair.told_apart:
                beaten = [row for row in d.reversals if row.stronger == best.policy]
                loses = f", but {_beats(beaten[0])} directly" if beaten else ""
                return f"{pair.stronger} is {strongest}, {apart} above {pair.weaker}{loses}"
            return (
                f"{pair.stronger} and {pair.weaker} are {strongest}, with no significant difference: {apart}"
            )
    return f"{best.policy} is the strongest of {len(rungs)}, at {_logits(best.logits)} {UNIT}"


def _caption(d: LadderDocument) -> str:
    levels = f" at {words.listing(d.levels)}" if len(d.levels) > 1 and not d.alike else ""
    return (
        f"{words.sentence(d.played)}{levels}. Skill is in {UNIT}, with {words.CONFIDENCE} intervals. "
        f"0: {d.zero}. One logit more raises a win rate of 50\u00a0% to 73\u00a0%."
    )


def _places(rungs: Sequence[PolicyPlace]) -> list[tuple[str, Interval]]:
    """Return (name, place) pairs, weakest first.

    Several newcomers are merged into one band if all of them have limits.
    """
    places = {rung.policy: rung.logits for rung in rungs}
    models = [place for who, place in places.items() if re.split("[@:]", who)[0] == NEWCOMER]
    if len(models) > 1 and all(place.has_limits for place in models):
        low, high = min(place.low for place in models), max(place.high for place in models)
        band = Interval((low + high) / 2, low, high, models[0].level, f"bounds over {len(models)} models")
        others = {who: place for who, place in places.items() if place not in models}
        places = {**others, f"{NEWCOMER} ({len(models)} models)": band}
    return sorted(places.items(), key=lambda row: row[1].estimate)


def _logits(place: Interval) -> str:
    if words.is_bounds(place):
        return f"{words.signed(place.low, 2)} to {words.signed(place.high, 2)}"
    if place.low == place.high:
        return f"{place.estimate:.2f} (by definition)"
    return differences.numbers(place, 1, 2)


def _scales(d: LadderDocument, each: bool = False) -> Iterator[tuple[str, list[tuple[str, Interval]]]]:
    """Yield each scale with its entries, highest skill first.

    each: whether newcomers are listed individually.
    """
    for side, rungs in d.rungs.items():
        places = [(rung.policy, rung.logits) for rung in rungs] if each else _places(rungs)
        yield f"Skill, {side}", places[::-1]
    yield "Difficulty", [(level.level, level.logits) for level in d.difficulty]
    yield "Worth of a seat", [(seat.seat, seat.logits) for seat in d.seats]


def _figures(d: LadderDocument) -> Iterator[Figure]:
    rows: list[Track] = []
    for heading, places in _scales(d):
        rows += [dots.row(heading, "", ())] if places else []
        for who, place in places:
            colour = UNCLEAR if place.low == place.high else CLEAR
            rows.append(dots.row(who, _logits(place), (dots.mark(place, colour),)))
    if rows:
        picture = dots.differences(rows, UNIT)
        yield Figure("Skill and difficulty on one scale", picture, is_for_terminal=True)


def _tables(d: LadderDocument) -> Iterator[Table]:
    rows = tuple(
        (Entry(who), Entry(heading), Entry(_logits(place)), _wins(d, heading, who))
        for heading, places in _scales(d, each=True)
        for who, place in places
    )
    if rows:
        caption = f"{UNIT.title()} with {words.CONFIDENCE} intervals. 0: {d.zero}."
        yield Table("The ladder", caption, ("Name", "Scale", "Logits", "Wins"), rows)
    steps = tuple(
        (
            Entry(f"{step.from_} to {step.to}"),
            Entry(row.policy),
            entries.points(row.points),
            Entry(_harder(row.logits)) if row.logits else entries.NONE,
        )
        for step in d.steps
        for row in step.policies
    )
    if steps:
        caption = (
            "Effect of each step of the level on each policy, paired game by game, with "
            f"{words.CONFIDENCE} intervals."
        )
        yield Table("Steps between levels", caption, ("Step", "Policy", "Change of wins", "In logits"), steps)


def _wins(d: LadderDocument, heading: str, policy: str) -> Entry:
    """Return a cell with the win rates of a policy by level; "–" except for policies of a solo game."""
    if len(d.rungs) > 1 or d.alike or not heading.startswith("Skill"):
        return entries.NONE
    shares = [
        f"{words.share(meeting.share)} {meeting.of.get(LEVEL, '')}".rstrip()
        for meeting in d.meetings
        if isinstance(meeting.of, dict) and meeting.of[POLICY] == policy
    ]
    return Entry(", ".join(shares))


def _findings(d: LadderDocument) -> Iterator[str]:
    if d.neighbours:
        yield f"Order: {_told_apart(d)} (bootstrap of the difference, paired game by game, Holm)."
    if d.fit.p is not None:
        p = d.fit.p if d.fit.p_adjusted is None else d.fit.p_adjusted
        verdict = "one scale fits" if p >= ALPHA else "one scale does not fit"
        test = f"F {d.fit.statistic:.3g} on {d.fit.freedom[0]} and {d.fit.freedom[1]} degrees of freedom"
        misfits = f"{d.fit.misfits} of {d.cells} cells do not fit"
        yield f"Fit: {verdict} ({test}, p {words.p_value(p)}); {misfits}."
    if d.reversals:
        listed = [
            f"{_beats(row)} by {differences.numbers(row.difference, 1, 2)}"
            for row in d.reversals[:MOST_REVERSALS]
        ]
        listed += [f"{more} more"] if (more := len(d.reversals) - MOST_REVERSALS) > 0 else []
        yield (
            f"Direct games contradict the scale: {words.listing(listed)} ({UNIT}; bootstrap, Holm over all "
            "pairs)."
        )


def _told_apart(d: LadderDocument) -> str:
    close = [
        f"{pair.stronger} and {pair.weaker} (p {words.p_value(pair.p_adjusted)})"
        for pair in d.neighbours
        if not pair.told_apart
    ]
    if not close:
        return "every policy is significantly stronger than the one below it"
    return f"no significant difference between {words.listing(close)}"


def _uneven(d: LadderDocument) -> Iterator[str]:
    """Yield a line for each tested step between levels, and a note on truncated games.

    The line states whether the step is equal for all policies.
    """
    for step in d.steps:
        if step.p_even_adjusted is not None:
            verdict = (
                "does not differ significantly between policies" if step.even else "differs between policies"
            )
            yield (
                f"The step from {step.from_} to {step.to} (in logits) {verdict} (Hotelling's T-squared over "
                f"blocks of games, p {words.p_value(step.p_even_adjusted)}, Holm)."
            )
    if d.capped:
        yield f"The scale ignores {words.many(d.capped, 'truncated game')}."


def _misfits(d: LadderDocument) -> Iterator[Table]:
    """Yield a table of the cells that do not fit the scale, worst first; nothing if all cells fit."""
    odd = sorted((meeting for meeting in d.meetings if meeting.misfit), key=lambda row: -abs(row.z or 0))
    in_several_seats = len({meeting.seat for meeting in d.meetings}) > 1
    rows = tuple(
        (
            Entry(f"{_met(meeting)}, {meeting.seat} seat" if in_several_seats else _met(meeting)),
            Entry(words.share(meeting.share)),
            Entry(words.percent(meeting.expected or 0)),
            Entry(words.signed(meeting.z or 0, 1)),
        )
        for meeting in odd[:MOST_MISFITS]
    )
    if rows:
        more = f"and {len(odd) - MOST_MISFITS} more (--json lists all)" if len(odd) > MOST_MISFITS else ""
        headers = ("Cell", "Wins", "Predicted", "z")
        yield Table("Cells that do not fit the scale", "", headers, rows, more, place="terminal")


def _met(meeting: Meeting) -> str:
    """Return the sides of a meeting, such as `garrison at elite` or `defenders against greedy at elite`."""
    if not isinstance(meeting.of, dict):
        return " against ".join(meeting.of)
    players = " against ".join(name for kind, name in meeting.of.items() if kind != LEVEL)
    return f"{players} at {meeting.of[LEVEL]}" if LEVEL in meeting.of else players
