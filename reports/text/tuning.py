"""Which value hits the target, as one document and as text: the sentence first, then every value that was
played.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil, floor
from typing import Any

from bartizan.analyses.experiments.candidates import Arm
from bartizan.analyses.experiments.sensitivity import Question
from bartizan.analyses.experiments.targets import DRAWS, SCORE, TIER, TURNS, Asked, Target
from bartizan.analyses.experiments.tuning import (
    BETWEEN,
    BEYOND,
    HIT,
    METHOD,
    NONE_OF_THEM,
    OPEN,
    Point,
    Tuning,
)
from bartizan.analyses.experiments.tuning_many import METHOD as MANY_METHOD
from bartizan.analyses.experiments.tuning_many import Combination, Front, Winner, cost_of, entry_of
from bartizan.analyses.experiments.tuning_screen import AGAIN, LEAST, Screen
from bartizan.analyses.experiments.tuning_screen import METHOD as SCREEN_METHOD
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.text import changes, played, sentences, words
from bartizan.simcore.scenario.loading import Scenario
from bartizan.simcore.scenario.model import ChangeCost
from bartizan.simcore.scenario.names import called
from bartizan.simcore.scenario.parameters import get

WIDEST = 40  # letters of a value in the table
NEAREST = 12  # changes of a screen that the terminal lists beside those that were played again
COST_UNIT = "a cost of 1 is one sentence or number changed in the rulebook"

# ---------------------------------------------------------------- the document


def document(
    question: Question,
    s: Scenario,
    asked: Asked,
    found: Tuning,
    fresh_seed: int,
    refused: Sequence[tuple[Any, str]],
    costs: Mapping[str, ChangeCost],
) -> dict:
    """Plain data. Nothing in it depends on time or threads."""
    is_change = found.winner.value != asked.knob.value
    rows = [_row(point, s, asked.knob.path) for point in found.points]
    subject = subject_of(found.target, question, found.winner.sample, s)
    told = {
        **head(question, s, found.target, subject),
        "fresh_seed": fresh_seed,
        "knob": {**_knob(asked, costs, s), "source": asked.knob.source},
        "cost": cost_of([asked.knob.path] if is_change else [], costs),
        "cost_unit": COST_UNIT,
        "verdict": found.verdict,
        "reached": found.is_reached,
        "games_needed": games_needed(found.target, found.verdict, found.fresh),
        "present": _row(found.present, s, asked.knob.path) if found.present else None,
        "winner": {"value": found.winner.value, **numbers_of(found.winner.sample, found.fresh)},
        "neighbour": _row(found.neighbour, s, asked.knob.path) if found.neighbour else None,
        "points": rows,
        "checked": list(found.checked),
        "played": len(rows),
        "values": found.values,
        "bends": found.bends,
        "refused": [{"value": value, "reason": reason} for value, reason in refused],
        "look": found.look,
        **played.tail(s),
        "method": METHOD,
    }
    return {**told, "sentence": sentence(told)}


def head(question: Question, s: Scenario, target: Target, subject: str) -> dict:
    """What is asked, of which game, played by whom."""
    return {
        "schema": "bartizan.tune/1",
        **played.head(question, s),
        "levels": len(s.model.difficulties()),
        "seatings": len(question.seatings()),
        "target": {"measure": target.kind, "name": target.name, "low": target.low, "high": target.high},
        "subject": subject,
    }


def games_needed(target: Target, verdict: str, fresh: Arm) -> int | None:
    """Fresh games that would tell whether the nearest hits, if its estimate is right; None where it is told,
    or no number can be said.
    """
    return target.games_to_tell(fresh.interval(0.95), fresh.games) if verdict == OPEN else None


def subject_of(target: Target, question: Question, arm: Arm, s: Scenario) -> str:
    """What the target is about, as the subject of a sentence."""
    if target.kind in (TURNS, SCORE, DRAWS, TIER):
        return {
            TURNS: "the mean number of turns",
            SCORE: "the mean score",
            DRAWS: "the share of draws",
            TIER: f"the share of {target.name}",
        }[target.kind]
    measure = target.measure(arm.line_up)
    first = measure.name if measure.kind == "policy" else ""
    return sentences.headline(question.game.alike, question.game.roles_in(s), first)


def _row(point: Point, s: Scenario, path: str) -> dict:
    turns = point.sample.turns(0.95).interval
    is_present = point.value == get(s.data, path)
    return {
        "value": point.value,
        "present": is_present,
        "games": point.sample.games,
        "estimate": point.interval.to_dict(),
        "fit": point.fit,
        "turns": turns.to_dict(),
    }


def numbers_of(search: Arm, fresh: Arm) -> dict:
    """Both numbers of what was chosen."""
    both = {"search": search, "fresh": fresh}
    return {
        name: {
            "games": arm.games,
            "estimate": arm.interval(0.95).to_dict(),
            "turns": arm.turns(0.95).interval.to_dict(),
        }
        for name, arm in both.items()
    }


# ---------------------------------------------------------------- text


def lines(d: Mapping) -> Iterator[str]:
    """A document for a reader at a terminal."""
    yield d["sentence"]
    yield ""
    yield from _front(d) if "front" in d else _screened(d) if "ranked" in d else _points(d)


def _points(d: Mapping) -> Iterator[str]:
    outside = d["present"] is not None and all(row["value"] != d["present"]["value"] for row in d["points"])
    rows = [*d["points"], *([d["present"]] if outside else [])]
    width = min(max(5, *(len(sentences.value(row["value"])) for row in rows)), WIDEST)
    yield f"  {d['knob']['path']}, every value that was played; {d['subject'].rstrip(',')}:"
    yield f"  {'value':<{width}} {'games':>8}   {'played':<26} {'monotone fit':>12} {'turns':>7}"
    yield from (
        f"  {sentences.value(row['value'])[:width]:<{width}} {_numbers(row, d)}  "
        f"{_marks(row, d, outside)}".rstrip()
        for row in rows
    )
    yield from _rest(d)


def _numbers(row: Mapping, d: Mapping) -> str:
    interval, share = Interval(**row["estimate"]), is_share(d)
    fit = "" if row["fit"] is None else amount(row["fit"], interval, share)
    return (
        f"{row['games']:>8,}   {with_limits(interval, share):<26} {fit:>12} {row['turns']['estimate']:>7.2f}"
    )


def _marks(row: Mapping, d: Mapping, outside: bool) -> str:
    present = ["present, not in the search" if outside else "present"] if row["present"] else []
    return ", ".join([*present, *(["chosen"] if row["value"] == d["winner"]["value"] else [])])


def sentence(d: Mapping) -> str:
    """The value, its two numbers, how sure; or that there is none."""
    won = d["winner"]
    what, value = changes.named(d["knob"]), changes.value(won["value"])
    wanted = f"{d['subject']} {target_text(d)}"
    ends = f" from {sentences.value(d['knob']['values'][0])} to {sentences.value(d['knob']['values'][-1])}"
    none = f"no value of {what}{ends if d['knob']['ordered'] else ''} brings {wanted}"
    parts = {
        HIT: lambda: (
            f"{what} {value} (now {sentences.value(d['knob']['present'])}) brings {wanted}, at a cost of "
            f"{d['cost']:g}"
        ),
        BETWEEN: lambda: f"{none}: {_neighbours(d)}; {value} is nearest",
        BEYOND: lambda: f"{none}{_if_straight(d)}; {value} comes nearest",
        NONE_OF_THEM: lambda: f"{none}; {value} comes nearest",
        OPEN: lambda: (
            f"{'too few values played' if d['bends'] else 'too few games'} to tell whether a value of {what} "
            f"brings {wanted}; {value} comes nearest"
        ),
    }
    said = parts[d["verdict"]]()
    return f"{setting(d)}: {said}. Value {value}: {both_numbers(d, won)} ({how_sure(d, won)})."


def setting(d: Mapping) -> str:
    players = list(dict.fromkeys(d["policies"]))
    return changes.titled(d, " vs ".join(players), d["difficulty"] if d["levels"] > 1 else "")


def both_numbers(d: Mapping, won: Mapping) -> str:
    search, fresh = (Interval(**won[name]["estimate"]) for name in ("search", "fresh"))
    return (
        f"{amount(search.estimate, search, is_share(d))} in the search, {with_limits(fresh, is_share(d))} on "
        "fresh seeds"
    )


def how_sure(d: Mapping, won: Mapping) -> str:
    fresh = won["fresh"]
    turned = f" in each of {d['seatings']} seatings" if d["seatings"] > 1 else ""
    method = f"{words.level(fresh['estimate']['level'])} interval, {fresh['estimate']['method']}"
    return (
        f"{words.count(fresh['games'])} fresh games{turned}, {method}, seed {d['seed']}, fresh seed "
        f"{d['fresh_seed']}; {sentences.rests_on(d['assumed'])}"
    )


def _neighbours(d: Mapping) -> str:
    pair = [
        (d["winner"]["value"], d["winner"]["fresh"]["estimate"]),
        (d["neighbour"]["value"], d["neighbour"]["estimate"]),
    ]
    told = [
        f"{sentences.value(value)} gives {amount(found['estimate'], Interval(**found), is_share(d))}"
        for value, found in sorted(pair, key=lambda both: both[0])
    ]
    return " and ".join(told)


def _if_straight(d: Mapping) -> str:
    return "" if d["played"] == d["values"] else ", if it only rises or only falls on the way"


def _rest(d: Mapping) -> Iterator[str]:
    if d["bends"]:
        every = (
            "so every value was played and the nearest was taken by its own games"
            if d["played"] == d["values"]
            else "give fewer values, or a step, to have all of them played"
        )
        yield f"  The result rises and falls along this knob by more than noise: {every}."
    if len(d["checked"]) > 1:
        yield (
            f"  {words.listing([sentences.value(value) for value in d['checked']])} were as likely by the "
            "search: both were played on fresh seeds."
        )
    if d["verdict"] == BETWEEN and d["target"]["low"] == d["target"]["high"]:
        yield f"  A range says how near is near enough, such as --target {_range(d)}."
    if d["verdict"] == OPEN and not d["bends"]:
        yield f"  {would_tell(d) or 'More games tell more: --games'}."
    yield f"  Cost of change: {_cost_text(d['knob'])}; {COST_UNIT}."
    yield f"  {d['played']} of {d['values']} values played. Method: {d['method']}."
    for refused in d["refused"][:2]:
        yield f"  Refused: {sentences.value(refused['value'])}: {refused['reason']}"
    if len(d["refused"]) > 2:
        yield f"  and {len(d['refused']) - 2} more values refused (--json)"


def would_tell(d: Mapping) -> str:
    """`About 35,000 fresh games would tell (--fresh)`; "" where no number can be said."""
    return (
        f"About {words.two_figures(d['games_needed']):,} fresh games would tell (--fresh)"
        if d["games_needed"]
        else ""
    )


def _range(d: Mapping) -> str:
    """A target that the winner would be expected to hit."""
    what, fresh = d["target"]["measure"], d["winner"]["fresh"]["estimate"]
    ends = sorted((d["target"]["low"], fresh["low"], fresh["high"]))
    step = 0.01 if is_share(d) else 1
    low, high = floor(ends[0] / step) * step, ceil(ends[-1] / step) * step
    high = min(high, 1.0) if is_share(d) else high
    return f"{what}{':' + d['target']['name'] if d['target']['name'] else ''}={low:g}..{high:g}"


# ---------------------------------------------------------------- numbers


def is_share(d: Mapping) -> bool:
    return d["target"]["measure"] not in (TURNS, SCORE)


def target_text(d: Mapping) -> str:
    """`to 30 %`, `between 28 and 32 %`"""
    low, high = d["target"]["low"], d["target"]["high"]
    scale, unit = (100, f"{words.NBSP}%") if is_share(d) else (1, "")
    return (
        f"to {low * scale:g}{unit}" if low == high else f"between {low * scale:g} and {high * scale:g}{unit}"
    )


def amount(value: float, interval: Interval, share: bool) -> str:
    """A number with as many digits as its interval deserves."""
    if share and value in (0, 1):
        return words.share(interval)  # nothing seen is a bound, not 0 %
    digits = max(words.digits_for(interval.half_width * (100 if share else 1)), 1)
    return f"{value * 100:.{digits}f}{words.NBSP}%" if share else words.number(value, digits)


def with_limits(interval: Interval, share: bool) -> str:
    """Estimate and limits; a bound where nothing, or everything, was seen or games were cut off."""
    if share and (words.is_bounds(interval) or interval.estimate in (0, 1)):
        return words.share(interval)
    scale = 100 if share else 1
    digits = max(words.digits_for(interval.half_width * scale), 1)
    return (
        f"{amount(interval.estimate, interval, share)} ({interval.low * scale:.{digits}f} to "
        f"{interval.high * scale:.{digits}f})"
    )


# ---------------------------------------------------------------- several knobs


def document_of_many(
    question: Question,
    s: Scenario,
    knobs: Sequence[Asked],
    found: Front,
    costs: Mapping[str, ChangeCost],
    fresh_seed: int,
) -> dict:
    """The Pareto front as plain data."""
    subject = subject_of(found.target, question, found.present.sample, s)
    told = {
        **head(question, s, found.target, subject),
        "fresh_seed": fresh_seed,
        "knobs": [_knob(asked, costs, s) for asked in knobs],
        "cost_unit": COST_UNIT,
        "length": {"wished": found.length, "present": found.present.sample.turns(0.95).interval.to_dict()},
        "verdict": found.verdict,
        "reached": found.is_reached,
        "games_needed": games_needed(found.target, found.verdict, found.best.fresh),
        "best": _winner(found.best, found.target),
        "present": _combination(found.present),
        "front": [_winner(winner, found.target) for winner in found.winners],
        "front_left_out": len(found.left_out),
        "tried": [_combination(one) for one in found.tried],
        "names": _names(found.tried, s),
        "refused": found.refused,
        "combinations": found.combinations,
        **played.tail(s),
        "method": MANY_METHOD.format(how=found.how),
    }
    return {**told, "sentence": sentence_of_many(told)}


def _knob(asked: Asked, costs: Mapping[str, ChangeCost], s: Scenario) -> dict:
    knob = asked.knob
    values = {"present": knob.value, "values": list(asked.values), "ordered": asked.is_ordered}
    return {**_cost(knob.path, costs, s), **values}


def _cost(path: str, costs: Mapping[str, ChangeCost], s: Scenario) -> dict:
    entry = entry_of(path, costs)
    cost = costs[entry].model_dump() if entry else {"cost": 1.0, "sheet": "", "why": "no cost is given"}
    return {"path": path, "what": called(path, s.data), "cost": {"path": entry, **cost}}


def _names(tried: Iterable[Combination], s: Scenario) -> dict[str, str]:
    """Path -> its name in words, of every value that was changed."""
    return {
        path: called(path, s.data) for path in dict.fromkeys(path for one in tried for path in one.changes)
    }


def _combination(one: Combination) -> dict:
    numbers = {
        "games": one.sample.games,
        "estimate": one.sample.interval(0.95).to_dict(),
        "turns": one.sample.turns(0.95).interval.to_dict(),
    }
    return {
        "changes": dict(one.changes),
        **numbers,
        "miss": one.miss,
        "stretch": one.stretch,
        "cost": one.cost,
    }


def _winner(winner: Winner, target: Target) -> dict:
    one, by_fresh = winner.combination, winner.judged
    marks = {
        "miss": by_fresh.miss,
        "stretch": by_fresh.stretch,
        "cost": one.cost,
        "hits": winner.hits,
        "open": winner.is_open(target),
    }
    return {"changes": dict(one.changes), **numbers_of(one.sample, winner.fresh), **marks}


def sentence_of_many(d: Mapping) -> str:
    """The cheapest combination that hits, its two numbers; or the nearest."""
    best = d["best"]
    wanted, length = f"{d['subject']} {target_text(d)}", best["fresh"]["turns"]["estimate"]
    said = {
        HIT: f"the cheapest that brings {wanted} is {changes_text(best, d)}",
        OPEN: f"the games are too few to tell whether one on the front brings {wanted}; nearest is "
        f"{changes_text(best, d)}",
        NONE_OF_THEM: f"none of those on the front brings {wanted}; nearest is {changes_text(best, d)}",
    }[d["verdict"]]
    now = next((row["fresh"]["turns"] for row in d["front"] if not row["changes"]), d["length"]["present"])
    turns = f"{length:.1f} turns, now {now['estimate']:.1f}"
    return (
        f"{setting(d)}: of {len(d['tried'])} combinations played {said}, at a cost of {best['cost']:g}: "
        f"{both_numbers(d, best)}, {turns} ({how_sure(d, best)})."
    )


def changes_text(row: Mapping, d: Mapping) -> str:
    changed = [f"{d['names'][path]} {changes.value(value)}" for path, value in row["changes"].items()]
    return words.listing(changed) or "to change nothing"


def _front(d: Mapping) -> Iterator[str]:
    rows = d["front"]
    yield (
        f"  What nothing else beats at distance, length and cost together; {d['subject'].rstrip(',')} in the "
        "search and on fresh seeds:"
    )
    yield f"  {'cost':>6} {'search':>8}   {'fresh seeds':<24} {'turns':>6}   changes"
    there = any(not row["changes"] for row in rows)
    for row in [*([] if there else [_as_if_won(d["present"])]), *rows]:
        yield _tried(row, d)
    if d["front_left_out"]:
        yield f"  and {d['front_left_out']} more on the front that were not played again (--json)"
    yield from _more_games(d)
    yield f"  Cost of change: {'; '.join(_cost_text(knob) for knob in d['knobs'])}; {COST_UNIT}."
    refused = f", {d['refused']} refused" if d["refused"] else ""
    yield (
        f"  {len(d['tried'])} of {words.count(d['combinations'])} combinations played{refused}; length "
        f"wished: {d['length']['wished']:.1f} turns. Method: {d['method']}."
    )


def _tried(row: Mapping, d: Mapping) -> str:
    """A line of the table: cost, both results, turns, what was changed."""
    share = is_share(d)
    search = Interval(**row["search"]["estimate"])
    fresh = Interval(**row["fresh"]["estimate"]) if row.get("fresh") else None
    checked = with_limits(fresh, share) if fresh else ""
    turns = row["fresh" if fresh else "search"]["turns"]["estimate"]
    marks = [
        text for key, text in (("hits", " (hits)"), ("open", " (too few games to tell)")) if row.get(key)
    ]
    here = " (present)" if not row["changes"] else ""
    return (
        f"  {row['cost']:>6g} {amount(search.estimate, search, share):>8}   {checked:<24} {turns:>6.2f}   "
        f"{changes_text(row, d)}{''.join(marks)}{here}"
    )


def _more_games(d: Mapping) -> Iterator[str]:
    """What would settle an answer that is open."""
    if d["verdict"] == OPEN:
        edge = "The nearest lies too near to an edge of the target: perhaps no number of games would tell"
        yield f"  {would_tell(d) or (edge if d['best']['open'] else 'More games tell more: --games')}."


def _as_if_won(present: Mapping) -> dict:
    return {**present, "search": {name: present[name] for name in ("games", "estimate", "turns")}}


def _cost_text(knob: Mapping) -> str:
    cost = knob["cost"]
    return f"{changes.named(knob)} {cost['cost']:g}{f' ({why})' if (why := cost['why']) else ''}"


# ---------------------------------------------------------------- every value once


def document_of_screen(
    question: Question,
    s: Scenario,
    found: Screen,
    costs: Mapping[str, ChangeCost],
    spread: float,
    fresh_seed: int,
) -> dict:
    """What single changes do, as plain data."""
    told = {
        **head(question, s, found.target, subject_of(found.target, question, found.present.sample, s)),
        "fresh_seed": fresh_seed,
        "range": spread,
        "cost_unit": COST_UNIT,
        "verdict": found.verdict,
        "reached": found.verdict == HIT,
        "games_needed": games_needed(found.target, found.verdict, found.best.fresh),
        "not_ruled_out": len(found.open),
        "best": _winner(found.best, found.target),
        "present": _combination(found.present),
        "ranked": [_winner(winner, found.target) for winner in found.winners],
        "others": [_combination(one) for one in found.others],
        "names": _names([*(winner.combination for winner in found.winners), *found.others], s),
        "values": found.values,
        "costs": [
            _cost(path, costs, s)
            for path in dict.fromkeys(path for winner in found.winners for path in winner.combination.changes)
        ],
        "refused": [{"changes": dict(refused), "reason": reason} for refused, reason in found.refused],
        "unvaried": [knob.path for knob in found.unvaried],
        **played.tail(s),
        "method": SCREEN_METHOD.format(again=AGAIN, least=LEAST),
    }
    return {**told, "sentence": sentence_of_screen(told)}


def sentence_of_screen(d: Mapping) -> str:
    """The cheapest single change that hits, its two numbers; or the nearest."""
    best, wanted = d["best"], f"{d['subject']} {target_text(d)}"
    said = {
        HIT: f"the cheapest that brings {wanted} is {changes_text(best, d)}",
        OPEN: f"the games are too few to tell whether one brings {wanted}; nearest is "
        f"{changes_text(best, d)}",
        NONE_OF_THEM: f"none brings {wanted}; nearest is {changes_text(best, d)}",
    }[d["verdict"]]
    return (
        f"{setting(d)}: of {words.count(d['values'])} changes of one value each, {said}, at a cost of "
        f"{best['cost']:g}: {both_numbers(d, best)} ({how_sure(d, best)})."
    )


def _screened(d: Mapping) -> Iterator[str]:
    yield f"  The nearest changes of one value; {d['subject'].rstrip(',')} in the search and on fresh seeds:"
    yield f"  {'cost':>6} {'search':>8}   {'fresh seeds':<24} {'turns':>6}   change"
    yield from (_tried(row, d) for row in d["ranked"])
    yield from (_tried(_as_if_won(row), d) for row in [*d["others"][:NEAREST], d["present"]])
    if (rest := len(d["others"]) - NEAREST) > 0:
        yield f"  and {words.count(rest)} further from the target (--json)"
    if d["not_ruled_out"]:
        yield (
            f"  {words.count(d['not_ruled_out'])} of those not played again are not ruled out by their games "
            "(--games)."
        )
    yield from _more_games(d)
    yield f"  Cost of change: {'; '.join(map(_cost_text, d['costs']))}; {COST_UNIT}."
    refused = f", {words.count(len(d['refused']))} refused" if d["refused"] else ""
    unvaried = (
        f", {words.count(len(d['unvaried']))} values that no rule varies (names, text, empty lists)"
        if d["unvaried"]
        else ""
    )
    yield (
        f"  {words.count(d['values'])} changes played, numbers varied by "
        f"{d['range']:.0%}{refused}{unvaried}. Method: {d['method']}."
    )
    yield (
        f"  Values between these: --knob {next(iter(d['best']['changes']))}=LO:HI; several together: --knob "
        "more than once."
    )
