"""What a few values do over each other, as data and as text: `effects` of a sensitivity document."""

import textwrap
from collections.abc import Iterator, Mapping, Sequence

from bartizan.analyses.experiments.interactions import METHOD, Factor, Interactions
from bartizan.analyses.statistics.intervals import Interval
from bartizan.analyses.statistics.sobol import FEWEST, Indices, InputEffect, LevelChange, is_noise
from bartizan.reports.text import changes, differences, sentences, words

NOISE = "noise explains it"
WIDEST, NAMED = 70, 5  # letters of a change; pairs that text gives
TITLE = "What the most influential do over each other"

# ---------------------------------------------------------------- data


def document(found: Interactions, subject: str, setting: str, source: str) -> dict:
    """Plain data; indices are null where the result does not vary beyond noise.

    For the sentence: what is counted; game, players and level; seed and what it rests on.
    """
    head = {
        key: getattr(found, key) for key in ("settings", "games", "points", "first_game", "redrawn", "capped")
    }
    whole = found.found
    if whole is None:
        return {
            "sentence": f"{setting}: {_too_few(found)}",
            **head,
            "knobs": [_head(factor) for factor in found.factors],
            "pairs": [],
            "method": METHOD,
        }
    knobs = [_knob(*each) for each in zip(found.factors, whole.effects, strict=True)]
    rest = {
        "variance": whole.variance.to_dict(),
        "varies": not is_noise(whole.variance),
        "noise_variance": whole.noise,
        "sum_alone": whole.sum_alone and whole.sum_alone.to_dict(),
    }
    return {
        "sentence": f"{setting}: {_sentence(found, whole, knobs, subject, source)}",
        **head,
        **rest,
        "knobs": knobs,
        "pairs": [_pair(found, *pair, share) for pair, share in whole.pairs.items()],
        "method": METHOD,
    }


def _head(factor: Factor) -> dict:
    return {
        "path": factor.knob.path,
        "what": factor.knob.what,
        "confidence": factor.knob.confidence,
        "source": factor.knob.source,
        "values": list(factor.values),
    }


def _knob(factor: Factor, effect: InputEffect) -> dict:
    levels = [
        {"value": value, "headline": mean.to_dict()}
        for value, mean in zip(factor.values, effect.means, strict=True)
    ]
    changes = [
        _change(factor, value, change)
        for value, change in zip(factor.values[1:], effect.changes, strict=True)
    ]
    return {
        **_head(factor),
        "alone": _index(effect.alone),
        "total": _index(effect.total),
        "levels": levels,
        "changes": changes,
    }


def _index(share: Interval | None) -> dict | None:
    return {**share.to_dict(), "is_noise": is_noise(share)} if share else None


def _change(factor: Factor, to, change: LevelChange) -> dict:
    told = {
        "from": factor.values[0],
        "to": to,
        "difference": change.mean.to_dict(),
        "is_clear": not change.mean.low <= 0 <= change.mean.high,
    }
    return {**told, "nine_in_ten": [change.low, change.high]}


def _pair(found: Interactions, one: int, other: int, share: Interval) -> dict:
    paths = [found.factors[i].knob.path for i in (one, other)]
    return {
        "paths": paths,
        "share": _index(share),
        "given": [_given(found, *way) for way in ((one, other), (other, one))],
    }


def _given(found: Interactions, of: int, by: int) -> dict:
    """What the largest change of one value does at each of the other's."""
    level, at = found.given[of, by]
    mine, theirs = found.factors[of], found.factors[by]
    shown = [
        {"value": value, "difference": interval and interval.to_dict()}
        for value, interval in zip(theirs.values, at, strict=True)
    ]
    return {
        "path": mine.knob.path,
        "from": mine.values[0],
        "to": mine.values[level],
        "by": theirs.knob.path,
        "at": shown,
    }


# ---------------------------------------------------------------- the sentence


def _too_few(found: Interactions) -> str:
    return (
        f"no effects: {words.count(found.settings)} random settings of these values could be played at all "
        f"their points, and it takes {FEWEST}; "
        f"{words.count(found.redrawn)} were refused (vary fewer values: --effects, --path; or more settings: "
        "--settings)."
    )


def _sentence(
    found: Interactions, whole: Indices, knobs: Sequence[Mapping], subject: str, source: str
) -> str:
    """The change that moves it most on average, how far that depends on the rest, what interacts; n and the
    games.
    """
    over = f"over {words.count(found.settings)} random settings of {_values(len(knobs))}"
    sure = (
        f"95{words.NBSP}% intervals that hold together, {words.count(found.games)} games at each of "
        f"{words.count(found.points)} points, {source}"
    )
    return f"{over}, {_largest(knobs, subject)}; {_together(found, whole, knobs)} ({sure})."


def _values(n: int) -> str:
    return "one value" if n == 1 else f"the {words.count(n)} most influential values"


def _largest(knobs: Sequence[Mapping], subject: str) -> str:
    what, change = max(
        ((changes.named(knob), change) for knob in knobs for change in knob["changes"]),
        key=lambda found: abs(found[1]["difference"]["estimate"]),
    )
    if not change["is_clear"]:
        return f"no single change moves {subject} on average by an amount that is distinguishable from zero"
    rest = _by_the_rest(change) if len(knobs) > 1 else ""
    moved = differences.moves(Interval(**change["difference"]))
    return (
        f"with {what} {sentences.value(change['to'])} instead of {sentences.value(change['from'])} {subject} "
        f"{moved} on average{rest}"
    )


def _by_the_rest(change: Mapping) -> str:
    low, high = (words.signed(value * 100) for value in change["nine_in_ten"])
    return (
        f", between {low} and {high} depending on the rest"
        if low != high
        else ", whatever the rest as far as can be told"
    )


def _together(found: Interactions, whole: Indices, knobs: Sequence[Mapping]) -> str:
    if whole.sum_alone is None:
        return "how far it varies beyond noise cannot be told"
    alone = f"single values by themselves make {_part(whole.sum_alone)} of its variance"
    clear = found.clear_pairs()
    if not clear:
        return (
            f"{alone}, and no pair does anything together that noise does not explain"
            if len(knobs) > 1
            else alone
        )
    strongest = words.listing([changes.named(knobs[i]) for i in clear[0]])
    return f"{alone}; {strongest} do most together, {_part(whole.pairs[clear[0]])}"


# ---------------------------------------------------------------- text


def lines(d: Mapping) -> Iterator[str]:
    """For a reader at a terminal."""
    yield d["sentence"]
    if "variance" in d:
        yield ""
        yield from _changes(d)
        yield from (
            _shares(d)
            if d["varies"]
            else [
                "How far the result varies beyond noise over these settings cannot be told: no shares (more "
                "--settings)."
            ]
        )
    if d["redrawn"]:
        yield (
            f"{words.count(d['redrawn'])} settings were drawn again, since some of their points are refused: "
            "the others stand for fewer combinations than all."
        )
    if d["capped"]:
        yield (
            f"{words.count(d['capped'])} games were cut off; each counts as the middle of what it might have "
            "been."
        )
    yield f"Method: {d['method']}."


def _changes(d: Mapping) -> Iterator[str]:
    rows = [(_named(knob["path"], change), change) for knob in d["knobs"] for change in knob["changes"]]
    width = max(len(name) for name, _ in rows)
    yield f"  {'':<{width}}   {'percentage points, mean':<26} nine settings in ten"
    for name, change in rows:
        estimate, limits = words.change(Interval(**change["difference"]), 100, least=1)
        low, high = (words.signed(value * 100, 1) for value in change["nine_in_ten"])
        unclear = "" if change["is_clear"] else "   not distinguishable from zero"
        yield f"  {name:<{width}}   {f'{estimate} ({limits})':<26} {low} to {high}{unclear}"


def _named(path: str, change: Mapping) -> str:
    """What it becomes matters more than what it was, where there is no room for both."""
    start, end = sentences.value(change["from"]), sentences.value(change["to"])
    whole = f"{path} {start} -> {end}"
    return whole if len(whole) <= WIDEST else textwrap.shorten(f"{path} -> {end}", WIDEST, placeholder=" ...")


def _shares(d: Mapping) -> Iterator[str]:
    yield ""
    yield (
        "Share of the variance over the settings (standard deviation "
        f"{max(d['variance']['estimate'], 0) ** 0.5 * 100:.1f} percentage points; noise taken off):"
    )
    width = max(len(knob["path"]) for knob in d["knobs"])
    yield f"  {'':<{width}}   {'by itself':<34} with all others"
    for knob in d["knobs"]:
        yield f"  {knob['path']:<{width}}   {share(knob['alone']):<34} {share(knob['total'])}"
    yield f"  {'all, each by itself':<{width}}   {share(d['sum_alone'])}"
    yield from _pairs(d["pairs"])


def share(index: Mapping) -> str:
    """`61 % (54–68 %)`, or that noise explains it, with the most that it can be."""
    interval = Interval(**{key: value for key, value in index.items() if key != "is_noise"})
    if interval.high <= 0:
        return "0: changed no game"
    return (
        f"{NOISE} (up to {interval.high * 100:.2g}{words.NBSP}%)" if is_noise(interval) else _part(interval)
    )


def _part(share: Interval) -> str:
    """Also of 1: an index has no counts, so that nothing is a bound."""
    return f"{percent(share)} ({words.share_limits(share)})"


def percent(share: Interval) -> str:
    return f"{share.estimate * 100:.{words.digits_for(share.half_width * 100)}f}{words.NBSP}%"


def _pairs(pairs: Sequence[Mapping]) -> Iterator[str]:
    clear = clear_pairs(pairs)
    for pair in clear[:NAMED]:
        yield f"Together only: {words.listing(pair['paths'])} {share(pair['share'])}. {depends(pair)}"
    rest = len(pairs) - len(clear)
    if len(clear) > NAMED:
        yield f"{words.count(len(clear) - NAMED)} more pairs that noise does not explain (--json)."
    if rest:
        yield f"{words.count(rest)} of {words.count(len(pairs))} pairs: {NOISE}."


def clear_pairs(pairs: Sequence[Mapping]) -> list[Mapping]:
    """Those that noise does not explain, largest first."""
    return sorted(
        (pair for pair in pairs if not pair["share"]["is_noise"]), key=lambda pair: -pair["share"]["estimate"]
    )


def depends(pair: Mapping) -> str:
    """`a 3 -> 4, percentage points by b: −44 (−46 to −42) with 1, −20 (−23 to −17) with 2`, of the two ways
    the one with the longer way between its ends.
    """
    ways = [(way, [at for at in way["at"] if at["difference"]]) for way in pair["given"]]
    way, at = max(ways, key=lambda each: _reach([found["difference"]["estimate"] for found in each[1]]))
    if all(isinstance(found["value"], int | float) for found in at):
        at = sorted(at, key=lambda found: found["value"])
    told = [f"{_with_limits(found['difference'])} with {sentences.value(found['value'])}" for found in at]
    return (
        f"{way['path']} {sentences.value(way['from'])} -> {sentences.value(way['to'])}, percentage points by "
        f"{way['by']}: {', '.join(told)}."
    )


def _with_limits(difference: Mapping) -> str:
    return differences.numbers(Interval(**difference))


def _reach(values: Sequence[float]) -> float:
    return max(values) - min(values) if values else 0.0
