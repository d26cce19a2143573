"""Runs that stop when they know enough: how they were stopped, and what is to be believed after it, as
documents and as text.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bartizan.analyses.experiments.sequential import NO, NOT_TOLD, YES, Answered
from bartizan.analyses.statistics.intervals import Interval, proportion, with_cut_off
from bartizan.analyses.statistics.stagewise import Precision
from bartizan.reports.text import changes, differences, sentences, words

AS_IF_FIXED = "as if the number of games had been fixed before: too narrow for one that was watched"
ONE_LOOK = "as if the number of games had been fixed before, which with a single look makes little difference"
ANSWERS = {YES: "Yes", NO: "No", NOT_TOLD: "Not told"}
METHOD = (
    "GSPRT on pairs of games on common luck (Wald 1945; fishtest): likelihoods of the paired difference with "
    "its mean held at either hypothesis; the adjusted difference "
    "is the median-unbiased estimate in the stage-wise order of the test's ends (Siegmund 1978, 1985), "
    "normal approximation look by look"
)


# ---------------------------------------------------------------- run and sweep


def stopped(rule: Precision | None, games: int, wins: int, capped: int) -> dict:
    """The stopping rule of a cell, and where it looked on the way: the raw and the adjusted share of wins."""
    if rule is None:
        return {"stopping": {"rule": "fixed number of games", "half_width": None, "looks": 1}}
    raw = with_cut_off(wins, capped, games, method=proportion)
    told = {
        "rule": "confidence sequence",
        "half_width": rule.half_width,
        "looks": rule.looks(games),
        "every": rule.every,
        "limit": rule.limit,
    }
    numbers = {"raw": {**raw.to_dict(), "note": _note(rule.looks(games))}} | (
        {} if capped else {"adjusted": rule.adjusted(wins, games).to_dict()}
    )
    return {"stopping": {**told, "reached": rule.is_enough(wins, games)}, **numbers}


def stopped_lines(document: Mapping) -> Iterator[str]:
    """What `run` says of it; nothing where the number of games was fixed."""
    rule = document["stopping"]
    if rule["half_width"] is None:
        return
    width = differences.points(f"{rule['half_width'] * 100:g}")
    known = (
        f"the win rate is known to +-{width}"
        if rule["reached"]
        else f"the games are used up before the win rate is known to +-{width}"
    )
    yield f"stopped  after {_looks(rule)} games: {known}"
    if "adjusted" in document:
        yield f"adjusted {_share(document['adjusted'])}"
    else:
        yield "adjusted none: games were cut off, so that only bounds are known"
    yield f"raw      {_share(document['raw'])}, {document['raw']['note']}"


def _note(looks: int) -> str:
    return AS_IF_FIXED if looks > 1 else ONE_LOOK


def _looks(rule: Mapping) -> str:
    looks, every = words.count(rule["looks"]), words.count(rule["every"])
    return f"{looks} looks, one every {every}" if rule["looks"] > 1 else f"1 look, after the first {every}"


def _share(interval: Mapping) -> str:
    found = Interval(**{key: value for key, value in interval.items() if key != "note"})
    digits = words.digits_for(found.half_width * 100) + 1
    return (
        f"{found.estimate * 100:.{digits}f} % ({found.low * 100:.{digits}f} to "
        f"{found.high * 100:.{digits}f}, {words.level(found.level)} {found.method})"
    )


# ---------------------------------------------------------------- compare --test


def document(
    found: Answered, a: Mapping, b: Mapping, change: Sequence[Mapping], subject: str, levels: bool
) -> dict:
    """Plain data. a, b: what was played on either side. Nothing in it depends on time or threads."""
    claim, raw = found.claim, found.raw
    least, most = claim.means
    told = {
        "schema": "bartizan.compare-test/1",
        "game": a["game"],
        "title": a["title"],
        "changes": a["changes"],
        "change": list(change),
        "test": {
            "statement": claim.text,
            "threshold": claim.sign * claim.threshold + 0.0,  # no -0.0
            "margin": claim.margin,
            "either_way": sorted((claim.sign * least, claim.sign * most)),
            "alpha": claim.alpha,
            "beta": claim.beta,
        },
        "answer": found.answer,
        "pairs": found.pairs,
        "games": found.pairs * (a["seatings"] + b["seatings"]),
        "stopping": {
            "rule": "GSPRT",
            "looks": found.looks,
            "every": found.every,
            "limit": found.limit,
            "half_width": None,
        },
        "llr": {
            "value": sum(found.ratio) / 2,
            "least": min(found.ratio),
            "most": max(found.ratio),
            "no": claim.bounds[0],
            "yes": claim.bounds[1],
        },
        "headline": {
            "measure": subject.rstrip(","),
            "a": raw.base.interval.to_dict(),
            "b": raw.changed.interval.to_dict(),
        },
        "adjusted": found.adjusted and found.adjusted.to_dict(),
        "raw": {**raw.difference.interval.to_dict(), "note": _note(found.looks)},
        "pairing_factor": raw.factor,
        "differing": raw.differing.to_dict(),
        "capped": found.capped,
        "seed": a["seed"],
        "method": METHOD,
        "a": a,
        "b": b,
    }
    return {"sentence": _sentence(told, subject, levels), **told}


def _sentence(d: Mapping[str, Any], subject: str, levels: bool) -> str:
    """The answer, the difference, the price, what it rests on."""
    a, who = d["a"], {row["path"] for row in d["change"]}
    who_plays = " vs ".join(dict.fromkeys(a["policies"])) if "policy" not in who else ""
    setting = changes.titled(d, who_plays, a["difficulty"] if levels and "difficulty" not in who else "")
    changed = words.listing([changes.instead(row) for row in d["change"]])
    adjusted = Interval(**d["adjusted"]) if d["adjusted"] else _raw(d)
    how = f"{words.level(adjusted.level)} interval, {adjusted.method}"
    price = (
        f"{words.count(d['pairs'])} pairs of games on common luck, GSPRT with errors of "
        f"{_percent(d['test']['alpha'])} and {_percent(d['test']['beta'])}, seed {d['seed']}"
    )
    verdict = f"{ANSWERS[d['answer']]}: {d['test']['statement']}"
    rest = sentences.rests_on(max(a["assumed"], d["b"]["assumed"]))
    shares = " to ".join(words.share(Interval(**d["headline"][side])) for side in "ab")
    return (
        f"{verdict}. {setting}: with {changed} {subject} {differences.moves(adjusted)}, from {shares} "
        f"({how}; {price}); {rest}."
    )


def lines(d: Mapping[str, Any]) -> Iterator[str]:
    """The numbers under the sentence."""
    rule, llr, test = d["stopping"], d["llr"], d["test"]
    ratio = (
        f"{llr['value']:+.2f}" if not d["capped"] else f"between {llr['least']:+.2f} and {llr['most']:+.2f}"
    )
    yield (
        f"LLR         {ratio}: no at {llr['no']:.2f}, yes at {llr['yes']:.2f}; {_looks(rule)} pairs, "
        f"{words.count(rule['limit'])} pairs at most"
    )
    least, most = map(_points, test["either_way"])
    yield (
        f"either way  where B - A lies between {least} and {most} percentage points, yes or no may be "
        f"answered (margin {_points(test['margin'])})"
    )
    if d["adjusted"]:
        yield f"adjusted    {_difference(Interval(**d['adjusted']))}"
    else:
        yield (
            f"adjusted    none: {words.count(d['capped'])} games were cut off; the answer is the one that "
            "stands however they would have ended"
        )
    yield f"raw         {_difference(_raw(d))}, {d['raw']['note']}"
    a, b = (Interval(**d["headline"][side]) for side in "ab")
    yield f"shares      A {words.share(a)}, B {words.share(b)}"
    yield sentences.pairing(d["pairing_factor"], d["differing"])


def _raw(d: Mapping[str, Any]) -> Interval:
    return Interval(**{key: value for key, value in d["raw"].items() if key != "note"})


def _difference(interval: Interval) -> str:
    estimate, ends = words.change(interval, 100, least=1)
    return f"{differences.points(estimate)} ({ends}; {words.level(interval.level)}, {interval.method})"


def _points(share: float) -> str:
    return words.number(share * 100, 2).rstrip("0").rstrip(".")


def _percent(share: float) -> str:
    return f"{share * 100:g}{words.NBSP}%"
