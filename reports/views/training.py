"""What a training found: whether the policy plays better, by how much on fresh games, which weights changed
most.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from bartizan.analyses.document import keyed, optional
from bartizan.analyses.experiments.training import METHOD, Course, Trained
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Hint, Lines, Table, View
from bartizan.reports.document import tail
from bartizan.reports.text import differences, words
from bartizan.simcore.scenario.changes import caveat_of

MOST_CHANGED = 6  # weights that the text names


class TrainDocument(Trained, extra="allow"):
    """And with what was asked, as the weights file has it."""

    schema_: str = keyed("schema", default="bartizan.train/1")
    policy: str
    title: str
    games: int  # of a candidate, at each level
    method: str = METHOD
    sentence: str = ""
    banner: dict[str, Any] | None = optional()
    next: str  # the command that plays with the weights
    seats: int = 1


def document(course: Course, asked: Mapping[str, Any], result: Trained, following: str) -> TrainDocument:
    scenario = next(iter(course.scenarios.values()))
    banner = caveat_of(course.game, scenario)
    fields = {**asked, **dict(result), **tail(scenario), "title": course.game.title, "banner": banner}
    fields |= {"seats": len(course.players)}
    d = TrainDocument.model_validate({**fields, "next": following})
    return d.model_copy(update={"sentence": sentence(d)})


def sentence(d: TrainDocument) -> str:
    """Did the search find better weights?"""
    if d.weights == d.before:
        return f"{d.title}: no weights were found with which {d.policy} plays better than it does."
    if not d.is_better:
        return (
            f"{d.title}: the weights found are not distinguishable from those that {d.policy} has; "
            "more generations or games may tell."
        )
    levels = []
    for level, wins in d.wins.items():
        at = f" at {words.title(level)}" if level else ""
        # ends may have become better without more wins
        is_clear = not wins.difference.low <= 0 <= wins.difference.high
        unclear = "" if is_clear else " (not distinguishable)"
        shares = f"{words.share(wins.after)} of its games{at} against {words.share(wins.before)}"
        levels.append(f"{shares}{unclear}")
    return f"{d.title}: trained, {d.policy} wins {words.listing(levels)}."


def view(d: TrainDocument) -> View:
    blocks = (_table(d), Lines(tuple(_search(d))), Hint(f"next: {d.next}"))
    return View(d.sentence, blocks, ("Training", f"{d.method}."))


def _table(d: TrainDocument) -> Table:
    caption = "Share of games won with the weights there were and with those found, on common luck."
    rows = tuple(
        (
            Entry(words.title(level) or "all"),
            entries.share(wins.before),
            entries.share(wins.after),
            entries.difference(wins.difference, 100, least=1),
            entries.count(wins.games),
        )
        for level, wins in d.wins.items()
    )
    headers = ("Level", "Before", "Trained", "Difference", "Fresh games")
    sure = f"Differences: {words.level(d.value.difference.level)} {d.value.difference.method}"
    return Table("Before and after", caption, headers, rows, sure)


def _search(d: TrainDocument) -> Iterator[str]:
    """How long it was, and the weights that have changed most."""
    each = "each" if len(d.wins) == 1 else "each, at every level"
    games = f"{words.count(d.games)} games {each}"
    yield f"Search: {words.many(d.generations, 'generation')} of {d.candidates} candidates, {games}"
    moved = {name: abs(value - d.before[name]) for name, value in d.weights.items()}
    most = sorted(moved, key=lambda name: -moved[name] / (abs(d.before[name]) or 1.0))[:MOST_CHANGED]
    if changed := [f"{name} {d.before[name]:g} to {d.weights[name]:g}" for name in most if moved[name]]:
        yield f"Weights changed most: {', '.join(changed)}"
    if d.seats > 1:
        yield (
            "Trained for one seat, with the other seats as they were. In every seat, these weights may shift "
            f"the balance between the seats: compare it with {d.policy} in every seat before you quote it"
        )


def checked(d: TrainDocument) -> list[str]:
    """What the weights file says of its worth: a line a level."""
    return [
        f"{level or 'all'}: wins {words.share(wins.after)} against {words.share(wins.before)} before, "
        f"{differences.signed(wins.difference, least=1)}, {wins.games} fresh games"
        for level, wins in d.wins.items()
    ]
