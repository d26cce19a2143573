"""A ladder as one document and as text: the sentence first, then the rungs, the levels, the steps between
them, and where the scale does not fit.
"""

from collections.abc import Iterator, Mapping, Sequence

from bartizan.analyses.experiments.ladder import (
    LEVEL,
    OPPONENT,
    POLICY,
    SEAT,
    Ladder,
    LadderQuestion,
    Meeting,
    Neighbours,
    Rise,
)
from bartizan.analyses.records.effects import effect_row
from bartizan.analyses.statistics.intervals import Interval
from bartizan.analyses.statistics.rasch import METHOD
from bartizan.reports.text import changes, differences, sentences, words
from bartizan.simcore.scenario.changes import changes_of

SHOWN = 12  # misfits in the table


def document(question: LadderQuestion, found: Ladder) -> dict:
    """Plain data. Nothing in it depends on time or threads."""
    s = next(iter(question.scenarios.values()))
    players = {name: player for side in question.sides for name, player in side.items()}
    roles = question.game.roles_in(s)
    it = {
        "schema": "bartizan.ladder/1",
        "game": question.game.name,
        "title": s.model.title,
        "changes": changes_of(question.game, s),
        "scenario": s.name,
        "scenario_hashes": {level: scenario.hash for level, scenario in question.scenarios.items()},
        "behaviour": question.game.behaviour,
        "overrides": s.overrides,
        "roles": list(roles),
        "alike": question.game.alike,
        "levels": list(question.scenarios),
        "games": question.games,
        "cells": len(found.meetings),
        "seed": question.seed,
        "players": [
            {
                "policy": name,
                "about": player.about,
                "weights": player.weights,
                "source_hash": player.source_hash,
                "roles": list(player.roles),
            }
            for name, player in players.items()
        ],
        "zero": _zero(question, found),
        "method": f"maximum likelihood, Firth's penalty; intervals: {METHOD}",
        "draws": f"1/{len(roles)} of a win for each seat"
        if question.game.alike
        else "no win of the first role",
        "rungs": {
            _kind(kind, roles, question.game.alike): _rungs(found, kind)
            for kind in (POLICY, OPPONENT)
            if _has(found, kind)
        },
        **_places(found),
        "steps": [_rise(rise) for rise in found.rises],
        "neighbours": [_neighbour(neighbour) for neighbour in found.neighbours],
        "meetings": [_meeting(meeting) for meeting in found.meetings],
        "fit": _fit(found),
        "capped": sum(meeting.capped for meeting in found.meetings),
        "assumed": max(scenario.assumed for scenario in question.scenarios.values()),
        "assumptions": list(
            dict.fromkeys(
                line for scenario in question.scenarios.values() for line in scenario.model.assumptions()
            )
        ),
    }
    return {**it, "sentence": sentence(it)}


def _places(found: Ladder) -> dict:
    """Of levels and seats; and who is off the scale."""
    return {
        "off": [{"kind": one.entity[0], "name": one.entity[1], "above": one.above} for one in found.fit.off],
        "difficulty": [{"level": name, "logits": place.to_dict()} for name, place in found.places(LEVEL)],
        "seats": [{"seat": name, "logits": place.to_dict()} for name, place in found.places(SEAT)],
    }


def _neighbour(n: Neighbours) -> dict:
    return {
        "stronger": n.stronger,
        "weaker": n.weaker,
        "difference": n.difference.to_dict(),
        "p": n.p,
        "p_adjusted": n.adjusted,
        "told_apart": n.told_apart,
    }


def _fit(found: Ladder) -> dict:
    return {
        "statistic": found.fit.statistic,
        "freedom": list(found.fit.freedom),
        "p": found.fit.p,
        "deviance": found.fit.deviance,
        "misfits": len(found.misfits),
    }


def _rungs(found: Ladder, kind: str) -> list[dict]:
    return [{"policy": name, "logits": place.to_dict()} for name, place in found.places(kind)]


def _has(found: Ladder, kind: str) -> bool:
    return any(entity[0] == kind for meeting in found.meetings for entity in meeting.names)


def _kind(kind: str, roles: Sequence[str], alike: bool) -> str:
    """Which rungs: those of a role where roles differ."""
    return roles[1] if kind == OPPONENT else roles[0] if len(roles) == 2 and not alike else "policies"


def _zero(question: LadderQuestion, found: Ladder) -> str:
    """What skill 0 means."""
    names = {kind: name for kind, name in found.fit.anchors}
    if question.game.alike:
        return f"as strong as {names.get(POLICY, 'nobody')}"
    at = f" at {names[LEVEL]}" if LEVEL in names else ""
    against = f" against {names[OPPONENT]}" if OPPONENT in names else ""
    return f"wins half of the games{against}{at}"


def _rise(rise: Rise) -> dict:
    steps = [
        {"policy": step.policy, **_points(step), "logits": step.logits and step.logits.to_dict()}
        for step in rise.steps
    ]
    return {
        "from": rise.easier,
        "to": rise.harder,
        "logits": rise.logits and rise.logits.to_dict(),
        "even": rise.is_even,
        "p_even": rise.p,
        "p_even_adjusted": rise.adjusted,
        "policies": steps,
    }


def _points(step) -> dict:
    row = effect_row(step.points)
    return {
        "points": row["difference"],
        "shares": {"from": row["base"], "to": row["changed"]},
        "n": step.points.n,
        "pairing_factor": row["pairing_factor"],
    }


def _meeting(meeting: Meeting) -> dict:
    names = (
        {kind: name for kind, name in meeting.names}
        if len({kind for kind, _ in meeting.names}) == len(meeting.names)
        else [name for _, name in meeting.names]
    )
    return {
        "of": names,
        "games": meeting.games,
        "capped": meeting.capped,
        "share": meeting.share.to_dict(),
        "expected": meeting.expected,
        "z": meeting.score,
        "misfit": meeting.is_misfit,
    }


# ---------------------------------------------------------------- as text


def sentence(it: Mapping) -> str:
    """The order, the levels, whether a step is the same for everyone, how sure, on what it rests."""
    ladders = [
        f"{f'{kind}: ' if len(it['rungs']) > 1 else ''}{_order(it, kind, rungs)}"
        for kind, rungs in it["rungs"].items()
    ]
    steps = [_step_said(step) for step in it["steps"] if step["logits"]]
    said = f"{changes.titled(it)}, from weakest to strongest: {'; '.join(ladders)} (logits; 0 {it['zero']})"
    levels = f"; {', '.join(steps)}" if steps else ""
    cells = f"{it['cells']} {'cell' if it['cells'] == 1 else 'cells'} on common luck"
    sure = (
        f"{words.level(0.95)} intervals, {METHOD}, {words.count(it['games'])} games a cell, {cells}, seed "
        f"{it['seed']}"
    )
    return f"{said}{levels} ({sure}); {sentences.rests_on(it['assumed'])}."


def _order(it: Mapping, kind: str, rungs: Sequence[Mapping]) -> str:
    which = kind_of_rung(it, kind)
    low, high = (
        [one["name"] for one in it["off"] if one["kind"] == which and one["above"] == above]
        for above in (False, True)
    )
    listed = [f"{words.listing(low)} below the scale"] if low else []
    listed += [f"{rung['policy']} {words.signed(rung['logits']['estimate'], 2)}" for rung in rungs]
    return ", ".join(listed + ([f"{words.listing(high)} above it"] if high else []))


def _step_said(step: Mapping) -> str:
    even = {
        True: ", as far as can be told for everyone alike",
        False: ", but not for everyone alike",
        None: "",
    }[step["even"]]
    return f"{step['to']} is {harder(step['logits'])} than {step['from']}{even}"


def harder(logits: Mapping) -> str:
    """`1.63 logits (1.56 to 1.69) harder`"""
    step = Interval(**logits)
    if step.estimate < 0:
        step = Interval(-step.estimate, -step.high, -step.low, step.level, step.method)
    digits = max(words.digits_for(step.half_width), 2)
    size, low, high = (words.number(value, digits) for value in (step.estimate, step.low, step.high))
    return f"{size} logits ({low} to {high}) {'harder' if logits['estimate'] >= 0 else 'easier'}"


def lines(it: Mapping) -> Iterator[str]:
    """The sentence, and tables under it."""
    yield it["sentence"]
    yield from _rung_lines(it)
    for step in it["steps"]:
        yield from _step_lines(step)
    yield from fit_lines(it)
    yield from skill_lines(it)


def _rung_lines(it: Mapping) -> Iterator[str]:
    for kind, rungs in it["rungs"].items():
        yield from _scale_lines(it, kind, rungs)
    if it["difficulty"] or any(one["kind"] == LEVEL for one in it["off"]):
        yield "  level, difficulty in logits"
        for level in it["difficulty"]:
            yield f"    {level['level']:<32} {logits(level['logits'])}"
        yield from off_lines(it, LEVEL, True, "nobody on the scale wins here")
        yield from off_lines(it, LEVEL, False, "everybody on the scale wins here")
    for seat in it["seats"]:
        yield f"  the {seat['seat']} seat is worth {logits(seat['logits'])} logits"
    if it["neighbours"]:
        yield f"  order: {told_apart(it)} (bootstrap of the difference, paired on common luck, Holm)"


def _scale_lines(it: Mapping, kind: str, rungs: Sequence[Mapping]) -> Iterator[str]:
    """The policies of one role, the strongest first."""
    which = kind_of_rung(it, kind)
    yield f"  {kind}, skill in logits (0 {zero_of(it, which, rungs)})"
    yield from off_lines(it, which, True, "above the scale: wins everything")
    for rung in reversed(rungs):
        wins = shares(it, kind, rung["policy"])
        yield f"    {rung['policy']:<32} {logits(rung['logits']):<26}{wins}".rstrip()
    yield from off_lines(it, which, False, "below the scale: wins nothing")


def zero_of(it: Mapping, which: str, rungs: Sequence[Mapping]) -> str:
    """What 0 means: of opponents the one that the scale is pinned to."""
    pinned = [rung["policy"] for rung in rungs if rung["logits"]["low"] == rung["logits"]["high"]]
    return f"as strong as {pinned[0]}" if which == OPPONENT and pinned else it["zero"]


def told_apart(it: Mapping) -> str:
    apart = [
        f"{n['stronger']} and {n['weaker']} (p {words.p_value(n['p_adjusted'])})"
        for n in it["neighbours"]
        if not n["told_apart"]
    ]
    if not apart:
        return "every rung is clearly above the one before"
    return f"too close to call: {words.listing(apart)}"


def off_lines(it: Mapping, kind: str, above: bool, said: str) -> Iterator[str]:
    for one in it["off"]:
        if (one["kind"], one["above"]) == (kind, above):
            yield f"    {one['name']:<32} {said}"


def kind_of_rung(it: Mapping, kind: str) -> str:
    return OPPONENT if len(it["rungs"]) > 1 and kind == it["roles"][1] else POLICY


def logits(place: Mapping) -> str:
    if place["low"] == place["high"]:
        return f"{place['estimate']:.2f} (by definition)"
    estimate, limits = words.change(Interval(**place), least=2)
    return f"{estimate} ({limits})"


def shares(it: Mapping, kind: str, policy: str) -> str:
    """Win rates by level, where a policy meets nobody but the game."""
    if len(it["rungs"]) > 1 or it["alike"]:
        return ""
    mine = [meeting for meeting in it["meetings"] if meeting["of"][POLICY] == policy]
    return "  wins " + ", ".join(
        f"{words.share(Interval(**meeting['share']))} {meeting['of'].get(LEVEL, '')}".rstrip()
        for meeting in mine
    )


def _step_lines(step: Mapping) -> Iterator[str]:
    yield f"  from {step['from']} to {step['to']}, policy by policy"
    idle = [row["policy"] for row in step["policies"] if wins_nothing(row)]
    for row in step["policies"]:
        if row["policy"] in idle:
            continue
        points, limits = words.change(Interval(**row["points"]), 100, least=1)
        logits = (
            harder(row["logits"]) if row["logits"] else "in logits: fewer than 10 wins or losses at a level"
        )
        yield f"    {row['policy']:<32} {f'{differences.points(points)} ({limits})':<44} {logits}"
    if idle:
        yield f"    no win at either: {words.listing(idle)}"
    if step["p_even_adjusted"] is not None:
        verdict = (
            "nothing says that it is not the same for everyone"
            if step["even"]
            else "it is not the same for everyone"
        )
        yield (
            f"    in logits, {verdict} (Hotelling's T-squared over blocks of games, p "
            f"{words.p_value(step['p_even_adjusted'])}, Holm)"
        )


def _of(meeting: Mapping) -> list[str]:
    """Who met whom; the level after the opponent."""
    if not isinstance(meeting["of"], dict):
        return meeting["of"]
    *players, level = [*meeting["of"].values()] if LEVEL in meeting["of"] else [*meeting["of"].values(), ""]
    return (
        [players[0], f"{players[1]} at {level}" if level else players[1]]
        if len(players) > 1
        else [players[0], level]
    )


def wins_nothing(row: Mapping) -> bool:
    return all(row["shares"][end]["estimate"] == 0 for end in ("from", "to"))


def fit_lines(it: Mapping) -> Iterator[str]:
    fit = it["fit"]
    if fit["p"] is not None:
        verdict = "one scale fits" if fit["p"] >= 0.05 else "one scale does not fit"
        test = (
            f"F {fit['statistic']:.3g} on {fit['freedom'][0]} and {fit['freedom'][1]} degrees of freedom, p "
            f"{words.p_value(fit['p'])}"
        )
        yield f"  fit: {verdict} ({test}); {fit['misfits']} of {it['cells']} cells misfit"
    odd = sorted(
        (meeting for meeting in it["meetings"] if meeting["misfit"]), key=lambda meeting: -abs(meeting["z"])
    )
    for meeting in odd[:SHOWN]:
        at_level = isinstance(meeting["of"], dict) and OPPONENT not in meeting["of"]
        names = f" {'at' if at_level else 'against'} ".join(_of(meeting))
        yield (
            f"    {names:<40} wins {words.share(Interval(**meeting['share']))}, the scale says "
            f"{words.percent(meeting['expected'])} (z {meeting['z']:+.1f})"
        )
    if len(odd) > SHOWN:
        yield f"    and {len(odd) - SHOWN} more (--json lists all)"
    if it["capped"]:
        yield f"  {words.count(it['capped'])} games were cut off; the scale leaves them out"


def skill_lines(it: Mapping) -> Iterator[str]:
    """How far up the scale strong play reaches, where it was measured."""
    for bracket in it["brackets"]:
        yield f"  over skill: {bracket['sentence']}"
    yield from (f"  {line}" for line in it["unmeasured"])
