"""What every answer of `bartizan tune` holds: whether one value, several or all of them were tried."""

from collections.abc import Iterable, Iterator, Mapping

from bartizan.analyses.experiments.candidates import Candidate
from bartizan.analyses.experiments.targets import DRAWS, SCORE, TIER, TURNS, Asked, Target
from bartizan.analyses.experiments.trials import Condition
from bartizan.analyses.experiments.tuning import OPEN
from bartizan.analyses.experiments.tuning_many import ParameterSet, Winner, entry_of
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.text import changes, played, sentences, words
from bartizan.simcore.scenario.loading import Scenario
from bartizan.simcore.scenario.model import ChangeCost
from bartizan.simcore.scenario.names import called

COST_UNIT = "a cost of 1 is one sentence or number changed in the rulebook"

# ---------------------------------------------------------------- data


def head(question: Condition, s: Scenario, target: Target, subject: str) -> dict:
    """What is asked, of which game, played by whom."""
    return {
        "schema": "bartizan.tune/1",
        **played.head(question, s),
        "levels": len(s.model.difficulties()),
        "seatings": len(question.seatings()),
        "target": {"measure": target.kind, "name": target.name, "low": target.low, "high": target.high},
        "subject": subject,
    }


def games_needed(target: Target, verdict: str, fresh: Candidate) -> int | None:
    """Fresh games that would tell whether the nearest hits, if its estimate is right; None where it is told,
    or no number can be said.
    """
    return target.games_to_tell(fresh.interval(0.95), fresh.games) if verdict == OPEN else None


def subject_of(target: Target, question: Condition, candidate: Candidate, s: Scenario) -> str:
    """What the target is about, as the subject of a sentence."""
    if target.kind in (TURNS, SCORE, DRAWS, TIER):
        return {
            TURNS: "the mean number of turns",
            SCORE: "the mean score",
            DRAWS: "the share of draws",
            TIER: f"the share of {target.name}",
        }[target.kind]
    measure = target.measure(candidate.line_up)
    first = measure.name if measure.kind == "policy" else ""
    return sentences.headline(question.game.alike, question.game.roles_in(s), first)


def numbers_of(search: Candidate, fresh: Candidate) -> dict:
    """Both numbers of what was chosen."""
    both = {"search": search, "fresh": fresh}
    return {
        name: {
            "games": candidate.games,
            "estimate": candidate.interval(0.95).to_dict(),
            "turns": candidate.turns(0.95).interval.to_dict(),
        }
        for name, candidate in both.items()
    }


def names_of(tried: Iterable[ParameterSet], s: Scenario) -> dict[str, str]:
    """Path -> its name in words, of every value that was changed."""
    return {
        path: called(path, s.data) for path in dict.fromkeys(path for one in tried for path in one.changes)
    }


def combination(one: ParameterSet) -> dict:
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


def winner_of(winner: Winner, target: Target) -> dict:
    one, by_fresh = winner.combination, winner.judged
    marks = {
        "miss": by_fresh.miss,
        "stretch": by_fresh.stretch,
        "cost": one.cost,
        "hits": winner.hits,
        "open": winner.is_open(target),
    }
    return {"changes": dict(one.changes), **numbers_of(one.sample, winner.fresh), **marks}


def knob_of(asked: Asked, costs: Mapping[str, ChangeCost], s: Scenario) -> dict:
    knob = asked.knob
    values = {"present": knob.value, "values": list(asked.values), "ordered": asked.is_ordered}
    return {**cost_entry(knob.path, costs, s), **values}


def cost_entry(path: str, costs: Mapping[str, ChangeCost], s: Scenario) -> dict:
    entry = entry_of(path, costs)
    cost = costs[entry].model_dump() if entry else {"cost": 1.0, "sheet": "", "why": "no cost is given"}
    return {"path": path, "what": called(path, s.data), "cost": {"path": entry, **cost}}


# ---------------------------------------------------------------- text


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


def would_tell(d: Mapping) -> str:
    """`About 35,000 fresh games would tell (--fresh)`; "" where no number can be said."""
    return (
        f"About {words.two_figures(d['games_needed']):,} fresh games would tell (--fresh)"
        if d["games_needed"]
        else ""
    )


def changes_text(row: Mapping, d: Mapping) -> str:
    changed = [f"{d['names'][path]} {changes.value(value)}" for path, value in row["changes"].items()]
    return words.listing(changed) or "to change nothing"


def tried(row: Mapping, d: Mapping) -> str:
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


def more_games(d: Mapping) -> Iterator[str]:
    """What would settle an answer that is open."""
    if d["verdict"] == OPEN:
        edge = "The nearest lies too near to an edge of the target: perhaps no number of games would tell"
        yield f"  {would_tell(d) or (edge if d['best']['open'] else 'More games tell more: --games')}."


def as_if_won(present: Mapping) -> dict:
    return {**present, "search": {name: present[name] for name in ("games", "estimate", "turns")}}


def cost_text(knob: Mapping) -> str:
    cost = knob["cost"]
    return f"{changes.named(knob)} {cost['cost']:g}{f' ({why})' if (why := cost['why']) else ''}"


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
