"""Which combination of several knobs hits the target, as a document and as text: the sentence first, then the
Pareto front.
"""

from collections.abc import Iterator, Mapping, Sequence

from bartizan.analyses.experiments.targets import Asked
from bartizan.analyses.experiments.trials import Condition
from bartizan.analyses.experiments.tuning import HIT, NONE_OF_THEM, OPEN
from bartizan.analyses.experiments.tuning_many import METHOD, Front
from bartizan.reports.text import played, words
from bartizan.reports.text import tuning_parts as parts
from bartizan.simcore.scenario.loading import Scenario
from bartizan.simcore.scenario.model import ChangeCost


def document(
    question: Condition,
    s: Scenario,
    knobs: Sequence[Asked],
    found: Front,
    costs: Mapping[str, ChangeCost],
    fresh_seed: int,
) -> dict:
    """The Pareto front as plain data."""
    subject = parts.subject_of(found.target, question, found.present.sample, s)
    told = {
        **parts.head(question, s, found.target, subject),
        "fresh_seed": fresh_seed,
        "knobs": [parts.knob_of(asked, costs, s) for asked in knobs],
        "cost_unit": parts.COST_UNIT,
        "length": {"wished": found.length, "present": found.present.sample.turns(0.95).interval.to_dict()},
        "verdict": found.verdict,
        "reached": found.is_reached,
        "games_needed": parts.games_needed(found.target, found.verdict, found.best.fresh),
        "best": parts.winner_of(found.best, found.target),
        "present": parts.combination(found.present),
        "front": [parts.winner_of(winner, found.target) for winner in found.winners],
        "front_left_out": len(found.left_out),
        "tried": [parts.combination(one) for one in found.tried],
        "names": parts.names_of(found.tried, s),
        "refused": found.refused,
        "combinations": found.combinations,
        **played.tail(s),
        "method": METHOD.format(how=found.how),
    }
    return {**told, "sentence": sentence(told)}


def sentence(d: Mapping) -> str:
    """The cheapest combination that hits, its two numbers; or the nearest."""
    best = d["best"]
    length = best["fresh"]["turns"]["estimate"]
    now = next((row["fresh"]["turns"] for row in d["front"] if not row["changes"]), d["length"]["present"])
    turns = f"{length:.1f} turns, now {now['estimate']:.1f}"
    return (
        f"{parts.setting(d)}: {finding(d)}, at a cost of {best['cost']:g}: "
        f"{parts.both_numbers(d, best)}, {turns} ({parts.how_sure(d, best)})."
    )


def finding(d: Mapping) -> str:
    """What came of the search, without its numbers."""
    best, wanted = d["best"], f"{d['subject']} {parts.target_text(d)}"
    said = {
        HIT: f"the cheapest that brings {wanted} is {parts.changes_text(best, d)}",
        OPEN: f"the games are too few to tell whether one on the front brings {wanted}; nearest is "
        f"{parts.changes_text(best, d)}",
        NONE_OF_THEM: f"none of those on the front brings {wanted}; nearest is {parts.changes_text(best, d)}",
    }[d["verdict"]]
    return f"of {len(d['tried'])} combinations played {said}"


def lines(d: Mapping) -> Iterator[str]:
    """The document for a reader at a terminal."""
    yield d["sentence"]
    yield ""
    yield (
        f"  What nothing else beats at distance, length and cost together; {d['subject'].rstrip(',')} in the "
        "search and on fresh seeds:"
    )
    yield f"  {'cost':>6} {'search':>8}   {'fresh seeds':<24} {'turns':>6}   changes"
    there = any(not row["changes"] for row in d["front"])
    for row in [*([] if there else [parts.as_if_won(d["present"])]), *d["front"]]:
        yield parts.tried(row, d)
    yield from _rest(d)


def _rest(d: Mapping) -> Iterator[str]:
    if d["front_left_out"]:
        yield f"  and {d['front_left_out']} more on the front that were not played again (--json)"
    yield from parts.more_games(d)
    yield f"  Cost of change: {'; '.join(parts.cost_text(knob) for knob in d['knobs'])}; {parts.COST_UNIT}."
    refused = f", {d['refused']} refused" if d["refused"] else ""
    yield (
        f"  {len(d['tried'])} of {words.count(d['combinations'])} combinations played{refused}; length "
        f"wished: {d['length']['wished']:.1f} turns. Method: {d['method']}."
    )
