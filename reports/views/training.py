"""Result of a training run: the gain in held-out games, and the weights that changed most."""

from collections.abc import Iterator, Mapping
from typing import Any

from bartizan.analyses.document import keyed, optional
from bartizan.analyses.experiments.training import METHOD, Course, Trained
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Hint, Lines, Table, View
from bartizan.reports.document import tail
from bartizan.reports.text import differences, words
from bartizan.simcore.scenario.changes import caveat_of

MOST_CHANGED = 6  # weights in the text


class TrainDocument(Trained, extra="allow"):
    """Result of `train`, with the options as stored in the weights file."""

    schema_: str = keyed("schema", default="bartizan.train/1")
    policy: str
    title: str
    games: int  # per candidate and level
    method: str = METHOD
    sentence: str = ""
    banner: dict[str, Any] | None = optional()
    next: str  # command that simulates with these weights
    seats: int = 1


def document(course: Course, asked: Mapping[str, Any], result: Trained, following: str) -> TrainDocument:
    scenario = next(iter(course.scenarios.values()))
    banner = caveat_of(course.game, scenario)
    fields = {**asked, **dict(result), **tail(scenario), "title": course.game.title, "banner": banner}
    fields |= {"seats": len(course.players)}
    d = TrainDocument.model_validate({**fields, "next": following})
    return d.model_copy(update={"sentence": sentence(d)})


def sentence(d: TrainDocument) -> str:
    """Return a sentence on whether the search found better weights."""
    if d.weights == d.before:
        return f"{d.title}: the search found no better weights for {d.policy}."
    if not d.is_better:
        return (
            f"{d.title}: the weights found are not significantly better than the current ones of {d.policy}. "
            "Use more generations or games."
        )
    levels = []
    for level, wins in d.wins.items():
        at = f" at {words.title(level)}" if level else ""
        # other results may have improved without more wins
        is_clear = not wins.difference.low <= 0 <= wins.difference.high
        unclear = "" if is_clear else " (not significant)"
        shares = f"{words.share(wins.after)} of its games{at} against {words.share(wins.before)}"
        levels.append(f"{shares}{unclear}")
    return f"{d.title}: after training, {d.policy} wins {words.listing(levels)}."


def view(d: TrainDocument) -> View:
    blocks = (_table(d), Lines(tuple(_search(d))), Hint(f"next: {d.next}"))
    return View(d.sentence, blocks, ("Training", f"{d.method}."))


def _table(d: TrainDocument) -> Table:
    caption = "Share of games won with the previous and the trained weights, paired game by game."
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
    headers = ("Level", "Before", "Trained", "Difference", "Held-out games")
    sure = f"Differences: {words.level(d.value.difference.level)} {d.value.difference.method}"
    return Table("Before and after", caption, headers, rows, sure)


def _search(d: TrainDocument) -> Iterator[str]:
    """Yield lines on the size of the search and the weights that changed most."""
    each = "each" if len(d.wins) == 1 else "each, at every level"
    games = f"{words.many(d.games, 'game')} {each}"
    yield f"Search: {words.many(d.generations, 'generation')} of {d.candidates} candidates, {games}"
    moved = {name: abs(value - d.before[name]) for name, value in d.weights.items()}
    most = sorted(moved, key=lambda name: -moved[name] / (abs(d.before[name]) or 1.0))[:MOST_CHANGED]
    if changed := [f"{name} {d.before[name]:g} to {d.weights[name]:g}" for name in most if moved[name]]:
        yield f"Largest changes of weights: {', '.join(changed)}"
    if d.seats > 1:
        yield (
            "Trained for one seat, with the other seats unchanged. If all seats use these weights, the "
            f"balance between the seats may change: compare with {d.policy} in all seats before you quote "
            "a result"
        )


def checked(d: TrainDocument) -> list[str]:
    """Return one line per level about the gain, for the weights file."""
    return [
        f"{level or 'all'}: wins {words.share(wins.after)} against {words.share(wins.before)} before, "
        f"{differences.signed(wins.difference, least=1)}, {wins.games} held-out games"
        for level, wins in d.wins.items()
    ]
