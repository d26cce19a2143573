"""Sequential sampling: the stopping rule, and estimates that are adjusted for it."""

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

AS_IF_FIXED = "as if the number of games had been fixed in advance; too narrow after several looks"
ONE_LOOK = "as if the number of games had been fixed in advance; nearly correct for a single look"
ANSWERS = {YES: "Yes", NO: "No", NOT_TOLD: "Inconclusive"}
METHOD = (
    "GSPRT on paired games (Wald 1945; fishtest): likelihood ratio of the paired difference with its mean "
    "fixed at either hypothesis; the adjusted difference is the median-unbiased estimate in the stage-wise "
    "order of the test's stopping points (Siegmund 1978, 1985), with a normal approximation at each look"
)


@dataclass(frozen=True)
class NotedInterval(Interval):
    note: str = ""


# ---------------------------------------------------------------- cells of run and sweep


def stopped(rule: Precision | None, games: int, wins: int, truncated: int) -> dict[str, Any]:
    """Return the JSON of a cell's stopping rule.

    If the rule is a precision, the JSON includes the raw share of wins and, if no game was truncated, the
    adjusted share.
    """
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
    """Yield the lines of `run` on the stopping rule; nothing for a fixed number of games."""
    rule = document["stopping"]
    if rule["half_width"] is None:
        return
    width = differences.points(f"{rule['half_width'] * 100:g}")
    known = (
        f"the win rate is accurate to ±{width}"
        if rule["reached"]
        else f"the limit was reached before the win rate was accurate to ±{width}"
    )
    yield f"stopped  after {_looks(rule['looks'], rule['every'])} games: {known}"
    if "adjusted" in document:
        yield f"adjusted {_share(document['adjusted'])}"
    else:
        yield "adjusted none, because truncated games leave only bounds"
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
    either_way: list[float]  # indifference zone
    alpha: float
    beta: float


class Stopping(Document):
    rule: Literal["GSPRT"] = "GSPRT"
    looks: int
    every: int
    limit: int  # pairs
    half_width: None = None


class LogLikelihoodRatio(Document):
    """Log-likelihood ratio of a test.

    least, most: its values if all truncated games count against the hypothesis, and if all count for it.
    value: the mean of both. no, yes: the bounds at which the test stops.
    """

    value: float
    least: float
    most: float
    no: float
    yes: float


class SequentialDocument(TwoSides):
    """Result of `compare --test`, which is identical for any number of threads."""

    test: ClaimTested
    answer: str
    pairs: int
    games: int
    stopping: Stopping
    llr: LogLikelihoodRatio
    adjusted: Interval | None  # None if games were truncated
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
    """Return the document of a test.

    sides: JSON of both sides. subject: measure of the headline. levels: whether the game has several levels.
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
    """Return the finding as sentences: answer, difference, number of games and assumptions."""
    setting = setting_of(d.a, d.change, list(dict.fromkeys(d.a["policies"])), levels)
    changed = words.listing([changes.instead(row) for row in d.change])
    difference = d.adjusted or d.raw
    is_clear = not difference.low <= 0 <= difference.high
    how = f"{words.level(difference.level)} interval, {difference.method}"
    price = (
        f"{words.count(d.pairs)} pairs of games, GSPRT with error rates {words.level(d.test.alpha)} and "
        f"{words.level(d.test.beta)}, seed {d.seed}"
    )
    rest = sentences.rests_on(d.assumed)
    return (
        f"{ANSWERS[d.answer]}: {d.test.statement}. {setting}: with {changed}, {subject} "
        f"{differences.moves(difference, is_clear)}, from {words.share(d.headline.a)} to "
        f"{words.share(d.headline.b)} ({how}; {price}); {rest}."
    )


def view(d: SequentialDocument) -> View:
    return View(d.sentence, (Lines(tuple(_numbers(d))),))


def _numbers(d: SequentialDocument) -> Iterator[str]:
    """Yield lines with the likelihood ratio, the indifference zone, the estimates and the pairing."""
    rule, llr = d.stopping, d.llr
    ratio = f"{llr.value:+.2f}" if not d.capped else f"between {llr.least:+.2f} and {llr.most:+.2f}"
    yield (
        f"LLR          {ratio} (no at {llr.no:.2f}, yes at {llr.yes:.2f}); {_looks(rule.looks, rule.every)} "
        f"pairs, at most {words.count(rule.limit)} pairs"
    )
    least, most = map(_points, d.test.either_way)
    yield (
        f"indifferent  if B - A is between {least} and {most} percentage points, either answer is accepted "
        f"(margin {_points(d.test.margin)})"
    )
    if d.adjusted:
        yield f"adjusted     {_difference(d.adjusted)}"
    else:
        yield (
            f"adjusted     none, because {words.were(d.capped, 'game')} truncated; the answer is valid "
            "for any outcome"
        )
    yield f"raw          {_difference(d.raw)}, {d.raw.note}"
    yield f"shares       A {words.share(d.headline.a)}, B {words.share(d.headline.b)}"
    yield sentences.pairing(d.pairing_factor, d.differing, d.headline.measure)


def _difference(interval: Interval) -> str:
    return estimates.points(interval, least=1).with_method


def _points(share: float) -> str:
    return words.number(share * 100, 2).rstrip("0").rstrip(".")
