"""What a training found, as a document and as text: the sentence first."""

from collections.abc import Iterator, Mapping
from typing import Any

from bartizan.analyses.experiments.training import METHOD, Course, Trained
from bartizan.analyses.statistics.intervals import Interval
from bartizan.analyses.statistics.paired import Effect
from bartizan.reports.text import differences, played, words

MOST_CHANGED = 6  # weights that the text names


def document(course: Course, asked: Mapping[str, Any], found: Trained) -> dict[str, Any]:
    """What was found, as plain data."""
    told = {
        "schema": "bartizan.train/1",
        **asked,
        "title": course.game.title,
        "generations": len(found.progress),
        "candidates": len(found.progress[0]),
        "progress": found.progress,
        "weights": found.weights,
        "before": course.start(),
        "is_better": found.is_better,
        "value": _effect(found.value),
        "wins": {level: _effect(effect) for level, effect in found.effects.items()},
        **played.tail(next(iter(course.scenarios.values()))),
        "method": METHOD,
    }
    return {**told, "sentence": sentence(told)}


def _effect(effect: Effect) -> dict[str, Any]:
    return {
        "games": effect.n,
        "before": effect.base.interval.to_dict(),
        "after": effect.changed.interval.to_dict(),
        "difference": effect.difference.interval.to_dict(),
    }


def sentence(d: Mapping) -> str:
    """Did the search find better weights?"""
    if d["weights"] == d["before"]:
        return f"{d['title']}: no weights were found with which {d['policy']} plays better than it does."
    if not d["is_better"]:
        return (
            f"{d['title']}: the weights found are not distinguishable from those that {d['policy']} has; "
            "more generations or games may tell."
        )
    told = [
        f"{share(wins, 'after')} of its games{_at(level)} against {share(wins, 'before')}{_unclear(wins)}"
        for level, wins in d["wins"].items()
    ]
    return f"{d['title']}: trained, {d['policy']} wins {words.listing(told)}."


def _unclear(wins: Mapping) -> str:
    """Ends may have become better without more wins."""
    difference = Interval(**wins["difference"])
    return " (not distinguishable)" if difference.low <= 0 <= difference.high else ""


def share(wins: Mapping, side: str) -> str:
    return words.share(Interval(**wins[side]))


def _at(level: str) -> str:
    return f" at {words.title(level)}" if level else ""


def lines(d: Mapping) -> Iterator[str]:
    """The document for a reader at a terminal."""
    yield d["sentence"]
    for level, wins in d["wins"].items():
        difference = Interval(**wins["difference"])
        where = words.title(level) if level else "difference"
        yield (
            f"  {where:<10} {differences.signed(difference, least=1)}, {words.count(wins['games'])} fresh "
            f"games on common luck ({words.level(difference.level)} {difference.method})"
        )
    one = "generation" if d["generations"] == 1 else "generations"
    each = "each" if len(d["wins"]) == 1 else "each, at every level"
    yield (
        f"  search     {d['generations']} {one} of {d['candidates']} candidates, "
        f"{words.count(d['games'])} games {each}; {d['method']}"
    )
    yield from _changed(d)
    yield f"  next: {d['next']}"


def _changed(d: Mapping) -> Iterator[str]:
    """The weights that have changed most."""
    moved = {name: abs(value - d["before"][name]) for name, value in d["weights"].items()}
    most = sorted(moved, key=lambda name: -moved[name] / (abs(d["before"][name]) or 1.0))[:MOST_CHANGED]
    told = [f"{name} {d['before'][name]:g} to {d['weights'][name]:g}" for name in most if moved[name]]
    if told:
        yield f"  weights    changed most: {', '.join(told)}"


def checked(d: Mapping) -> list[str]:
    """What the weights file says of its worth: a line a level."""
    return [
        f"{level or 'all'}: wins {share(wins, 'after')} against {share(wins, 'before')} before, "
        f"{differences.signed(Interval(**wins['difference']), least=1)}, {wins['games']} fresh games"
        for level, wins in d["wins"].items()
    ]
