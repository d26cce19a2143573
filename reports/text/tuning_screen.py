"""What single changes of every value do, as a document and as text: the sentence first, then the changes that
come nearest to the target.
"""

from collections.abc import Iterator, Mapping

from bartizan.analyses.experiments.trials import Condition
from bartizan.analyses.experiments.tuning import HIT, NONE_OF_THEM, OPEN
from bartizan.analyses.experiments.tuning_many import AGAIN, LEAST, SCREEN_METHOD, Screen
from bartizan.reports.text import played, words
from bartizan.reports.text import tuning_parts as parts
from bartizan.simcore.scenario.loading import Scenario
from bartizan.simcore.scenario.model import ChangeCost

NEAREST = 12  # changes that the terminal lists beside those that were played again


def document(
    question: Condition,
    s: Scenario,
    found: Screen,
    costs: Mapping[str, ChangeCost],
    spread: float,
    fresh_seed: int,
) -> dict:
    """What single changes do, as plain data."""
    subject = parts.subject_of(found.target, question, found.present.sample, s)
    changed = dict.fromkeys(path for winner in found.winners for path in winner.combination.changes)
    told = {
        **parts.head(question, s, found.target, subject),
        "fresh_seed": fresh_seed,
        "range": spread,
        "cost_unit": parts.COST_UNIT,
        "verdict": found.verdict,
        "reached": found.verdict == HIT,
        "games_needed": parts.games_needed(found.target, found.verdict, found.best.fresh),
        "not_ruled_out": len(found.open),
        "best": parts.winner_of(found.best, found.target),
        "present": parts.combination(found.present),
        "ranked": [parts.winner_of(winner, found.target) for winner in found.winners],
        "others": [parts.combination(one) for one in found.others],
        "names": parts.names_of([*(winner.combination for winner in found.winners), *found.others], s),
        "values": found.values,
        "costs": [parts.cost_entry(path, costs, s) for path in changed],
        "refused": [{"changes": dict(refused), "reason": reason} for refused, reason in found.refused],
        "unvaried": [knob.path for knob in found.unvaried],
        **played.tail(s),
        "method": SCREEN_METHOD.format(again=AGAIN, least=LEAST),
    }
    return {**told, "sentence": sentence(told)}


def sentence(d: Mapping) -> str:
    """The cheapest single change that hits, its two numbers; or the nearest."""
    best = d["best"]
    return (
        f"{parts.setting(d)}: {finding(d)}, at a cost of {best['cost']:g}: {parts.both_numbers(d, best)} "
        f"({parts.how_sure(d, best)})."
    )


def finding(d: Mapping) -> str:
    """What came of it, without its numbers."""
    best, wanted = d["best"], f"{d['subject']} {parts.target_text(d)}"
    said = {
        HIT: f"the cheapest that brings {wanted} is {parts.changes_text(best, d)}",
        OPEN: f"the games are too few to tell whether one brings {wanted}; nearest is "
        f"{parts.changes_text(best, d)}",
        NONE_OF_THEM: f"none brings {wanted}; nearest is {parts.changes_text(best, d)}",
    }[d["verdict"]]
    return f"of {words.count(d['values'])} changes of one value each, {said}"


def lines(d: Mapping) -> Iterator[str]:
    """The document for a reader at a terminal."""
    yield d["sentence"]
    yield ""
    yield f"  The nearest changes of one value; {d['subject'].rstrip(',')} in the search and on fresh seeds:"
    yield f"  {'cost':>6} {'search':>8}   {'fresh seeds':<24} {'turns':>6}   change"
    yield from (parts.tried(row, d) for row in d["ranked"])
    yield from (parts.tried(parts.as_if_won(row), d) for row in [*d["others"][:NEAREST], d["present"]])
    yield from _rest(d)
    yield from parts.more_games(d)
    yield f"  Cost of change: {'; '.join(map(parts.cost_text, d['costs']))}; {parts.COST_UNIT}."
    yield (
        f"  {words.count(d['values'])} changes played, numbers varied by {d['range']:.0%}{_left_out(d)}. "
        f"Method: {d['method']}."
    )
    yield f"  {words.sentence(f'{_between(d)}several together: --knob more than once.')}"


def _between(d: Mapping) -> str:
    """`values between these: --knob PATH=LO:HI; ` of the best change: "" where it is no number."""
    ((path, value),) = d["best"]["changes"].items()
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return f"values between these: --knob {path}=LO:HI; " if is_number else ""


def _rest(d: Mapping) -> Iterator[str]:
    """Changes that the table does not list."""
    if (rest := len(d["others"]) - NEAREST) > 0:
        yield f"  and {words.count(rest)} further from the target (--json)"
    if d["not_ruled_out"]:
        yield (
            f"  {words.count(d['not_ruled_out'])} of those not played again are not ruled out by their games "
            "(--games)."
        )


def _left_out(d: Mapping) -> str:
    """`, 3 refused, 2 values that no rule varies (names, text, empty lists)`"""
    refused = f", {words.count(len(d['refused']))} refused" if d["refused"] else ""
    unvaried = f", {words.count(len(d['unvaried']))} values that no rule varies (names, text, empty lists)"
    return f"{refused}{unvaried if d['unvaried'] else ''}"
