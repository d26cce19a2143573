"""Games that are watched and stop when they know enough: how they were stopped, and what is to be believed
after it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from bartizan.analyses.document import Document
from bartizan.analyses.experiments.sequential import NO, NOT_TOLD, YES, Answered
from bartizan.analyses.statistics.intervals import Interval, proportion, with_truncated
from bartizan.analyses.statistics.stagewise import Precision
from bartizan.reports.blocks import Lines, View
from bartizan.reports.text import changes, differences, estimates, sentences, words
from bartizan.reports.views.compare import TwoSides, fields_of, setting_of

AS_IF_FIXED = "as if the number of games had been fixed before: too narrow for one that was watched"
ONE_LOOK = "as if the number of games had been fixed before, which with a single look makes little difference"
ANSWERS = {YES: "Yes", NO: "No", NOT_TOLD: "Not told"}
METHOD = (
    "GSPRT on pairs of games on common luck (Wald 1945; fishtest): likelihoods of the paired difference with "
    "its mean held at either hypothesis; the adjusted difference "
    "is the median-unbiased estimate in the stage-wise order of the test's ends (Siegmund 1978, 1985), "
    "normal approximation look by look"
)


@dataclass(frozen=True)
class NotedInterval(Interval):
    note: str = ""


# ---------------------------------------------------------------- cells of run and sweep


def stopped(rule: Precision | None, games: int, wins: int, truncated: int) -> dict[str, Any]:
    """The stopping rule of a cell, and where it looked on the way: the raw and the adjusted share of wins."""
    if rule is None:
        return {"stopping": {"rule": "fixed number of games", "half_width": None, "looks": 1}}
    raw = with_truncated(wins, truncated, games, method=proportion)
    stopping = {
        "rule": "confidence sequence",
        "half_width": rule.half_width,
        "looks": rule.looks(games),
        "every": rule.every,
        "limit": rule.limit,
    }
    numbers = {"raw": {**raw.to_dict(), "note": _note(rule.looks(games))}} | (
        {} if truncated else {"adjusted": rule.adjusted(wins, games).to_dict()}
    )
    return {"stopping": {**stopping, "reached": rule.is_enough(wins, games, truncated)}, **numbers}


def stopped_lines(document: Mapping[str, Any]) -> Iterator[str]:
    """What `run` says of it; nothing where the number of games was fixed."""
    rule = document["stopping"]
    if rule["half_width"] is None:
        return
    width = differences.points(f"{rule['half_width'] * 100:g}")
    known = (
        f"the win rate is accurate to ±{width}"
        if rule["reached"]
        else f"all games were played before the win rate is accurate to ±{width}"
    )
    yield f"stopped  after {_looks(rule['looks'], rule['every'])} games: {known}"
    if "adjusted" in document:
        yield f"adjusted {_share(document['adjusted'])}"
    else:
        yield "adjusted none: some games were truncated, which leaves only bounds"
    yield f"raw      {_share(document['raw'])}, {document['raw']['note']}"


def _note(looks: int) -> str:
    return AS_IF_FIXED if looks > 1 else ONE_LOOK


def _looks(looks: int, every: int) -> str:
    if looks == 1:
        return f"1 look, after the first {words.count(every)}"
    return f"{words.count(looks)} looks, one every {words.count(every)}"


def _share(interval: Mapping[str, Any]) -> str:
    share = Interval(**{key: value for key, value in interval.items() if key != "note"})
    digits = words.digits_for(share.half_width * 100) + 1
    return (
        f"{share.estimate * 100:.{digits}f} % ({share.low * 100:.{digits}f} to "
        f"{share.high * 100:.{digits}f}, {words.CONFIDENCE} {share.method})"
    )


# ---------------------------------------------------------------- compare --test


class ClaimTested(Document):
    statement: str
    threshold: float
    margin: float
    either_way: list[float]  # differences between which yes or no may be answered
    alpha: float
    beta: float


class Stopping(Document):
    rule: Literal["GSPRT"] = "GSPRT"
    looks: int
    every: int
    limit: int  # pairs
    half_width: None = None


class LogLikelihoodRatio(Document):
    """least, most: with all games cut off against the claim, and for it; no, yes: where the test ends."""

    value: float
    least: float
    most: float
    no: float
    yes: float


class SequentialDocument(TwoSides):
    """Nothing in it depends on time or threads."""

    test: ClaimTested
    answer: str
    pairs: int
    games: int
    stopping: Stopping
    llr: LogLikelihoodRatio
    adjusted: Interval | None  # None where games were cut off
    raw: NotedInterval
    capped: int
    method: str = METHOD


def document(
    result: Answered,
    sides: Sequence[dict[str, Any]],
    change: list[dict[str, Any]],
    subject: str,
    levels: bool,
) -> SequentialDocument:
    """sides: what was played on either; subject: what the headline counts; levels: does a sentence about this
    game have to say at which it was played?
    """
    claim, raw = result.claim, result.raw
    least, most = claim.means
    d = SequentialDocument(
        schema="bartizan.compare-test/1",
        **fields_of(sides, change, subject, raw),
        test=ClaimTested(
            statement=claim.text,
            threshold=claim.sign * claim.threshold + 0.0,  # no -0.0
            margin=claim.margin,
            either_way=sorted((claim.sign * least, claim.sign * most)),
            alpha=claim.alpha,
            beta=claim.beta,
        ),
        answer=result.answer,
        pairs=result.pairs,
        games=result.pairs * (sum(side["seatings"] for side in sides)),
        stopping=Stopping(looks=result.looks, every=result.every, limit=result.limit),
        llr=LogLikelihoodRatio(
            value=sum(result.ratio) / 2,
            least=min(result.ratio),
            most=max(result.ratio),
            no=claim.bounds[0],
            yes=claim.bounds[1],
        ),
        adjusted=result.adjusted,
        raw=NotedInterval(**vars(raw.difference.interval), note=_note(result.looks)),
        capped=result.capped,
    )
    return d.model_copy(update={"sentence": _sentence(d, subject, levels)})


def _sentence(d: SequentialDocument, subject: str, levels: bool) -> str:
    """The answer, the difference, the price, what it rests on."""
    setting = setting_of(d.a, d.change, list(dict.fromkeys(d.a["policies"])), levels)
    changed = words.listing([changes.instead(row) for row in d.change])
    difference = d.adjusted or d.raw
    is_clear = not difference.low <= 0 <= difference.high
    how = f"{words.level(difference.level)} interval, {difference.method}"
    price = (
        f"{words.count(d.pairs)} pairs of games on common luck, GSPRT with errors of "
        f"{words.level(d.test.alpha)} and {words.level(d.test.beta)}, seed {d.seed}"
    )
    rest = sentences.rests_on(d.assumed)
    return (
        f"{ANSWERS[d.answer]}: {d.test.statement}. {setting}: with {changed} {subject} "
        f"{differences.moves(difference, is_clear)}, from {words.share(d.headline.a)} to "
        f"{words.share(d.headline.b)} ({how}; {price}); {rest}."
    )


def view(d: SequentialDocument) -> View:
    return View(d.sentence, (Lines(tuple(_numbers(d))),))


def _numbers(d: SequentialDocument) -> Iterator[str]:
    """The numbers under the sentence."""
    rule, llr = d.stopping, d.llr
    ratio = f"{llr.value:+.2f}" if not d.capped else f"between {llr.least:+.2f} and {llr.most:+.2f}"
    yield (
        f"LLR         {ratio}: no at {llr.no:.2f}, yes at {llr.yes:.2f}; {_looks(rule.looks, rule.every)} "
        f"pairs, {words.count(rule.limit)} pairs at most"
    )
    least, most = map(_points, d.test.either_way)
    yield (
        f"either way  where B - A lies between {least} and {most} percentage points, yes or no may be "
        f"answered (margin {_points(d.test.margin)})"
    )
    if d.adjusted:
        yield f"adjusted    {_difference(d.adjusted)}"
    else:
        yield (
            f"adjusted    none: {words.count(d.capped)} games were cut off; the answer is the one that "
            "stands however they would have ended"
        )
    yield f"raw         {_difference(d.raw)}, {d.raw.note}"
    yield f"shares      A {words.share(d.headline.a)}, B {words.share(d.headline.b)}"
    yield sentences.pairing(d.pairing_factor, d.differing)


def _difference(interval: Interval) -> str:
    return estimates.points(interval, least=1).with_method


def _points(share: float) -> str:
    return words.number(share * 100, 2).rstrip("0").rstrip(".")
