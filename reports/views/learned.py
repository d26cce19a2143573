"""What a player has learned: whether it beats the policies that it was compared with, and how that was
measured.
"""

from collections.abc import Iterator
from typing import Any

from bartizan.analyses.document import Document, keyed, optional
from bartizan.analyses.experiments.learning import LOOK_GAMES, METHOD, LearnedBeside
from bartizan.analyses.statistics.intervals import proportion
from bartizan.reports import entries
from bartizan.reports.blocks import Block, Entry, Figure, Hint, Lines, Table, View
from bartizan.reports.figures import theme
from bartizan.reports.figures.curves import Bands, DrawnCurve
from bartizan.reports.text import words


class LearnedSeed(Document):
    """One of the trainings."""

    seed: int
    games: int
    value: float  # of its games against the judge, by which the best was chosen
    looks: list[list[int]]  # [games learned from, wins of 400]


class LearnDocument(Document):
    """What `bartizan train --learn` found."""

    schema_: str = keyed("schema", default="bartizan.learn/1")
    title: str
    game: str
    file: str
    scenario: str
    difficulty: str = ""
    players: int | None = None
    seats: int
    rounds: int
    games: int  # of all trainings
    choosing_games: int
    seeds: list[LearnedSeed]
    chosen: int  # the seed of the best
    against: list[LearnedBeside]  # the policy that it is judged by first
    response: LearnedBeside | None = optional()  # of two sides: whoever learned to beat the learned player
    response_games: int | None = optional()  # in which it learned that
    not_seen: list[str] = []  # numbers of the game that would show hidden cards
    method: str = METHOD
    sentence: str = ""
    banner: dict[str, Any] | None = optional()
    assumptions: list[str] = []
    next: str


def sentence(d: LearnDocument) -> str:
    """Does it beat the policy that it is judged by? The last line of the command."""
    first, others = d.against[0], d.against[1:]
    lost = [one.policy for one in others if one.verdict != "better"]
    beaten = [one.policy for one in others if one.verdict == "better"]
    told = _told(first)
    if first.verdict == "better":
        also = f" It also beats {words.listing(beaten)}." if beaten else ""
        but = f" It does not beat {words.listing(lost)}." if lost else ""
        return f"{d.title}: the learned player beats {first.policy}: {told}.{also}{but}"
    worse = "is weaker than" if first.verdict == "worse" else "does not beat"
    also = f" It beats {words.listing(beaten)}." if beaten else ""
    return (
        f"{d.title}: the learned player {worse} {first.policy}: {told}.{also} "
        f"Do not use it as a strong player; train longer (--minutes) or with a policy (--with)."
    )


def _told(one: LearnedBeside) -> str:
    """Wins of both in the same seats, with n and the interval of the difference in worth."""
    gain = _gain(one)
    worth = "win rate" if one.value.difference == one.wins.difference else "value, where a draw is shared,"
    worth = "score" if one.by == "score" else worth
    return (
        f"it wins {words.share(one.wins.after)} of {words.count(one.games)} fresh games, "
        f"{one.policy} {words.share(one.wins.before)} in the same seats on the same luck; {worth} "
        f"{gain.text} ({gain.limits or 'no interval'}; 95 %, {one.value.difference.method})"
    )


def _gain(one: LearnedBeside) -> Entry:
    gain = one.value.difference
    return entries.difference(gain, 1, 2) if one.by == "score" else entries.points(gain)


def view(d: LearnDocument) -> View:
    blocks: tuple[Block, ...] = (_table(d), *_curves(d), Lines(tuple(_lines(d))), Hint(f"next: {d.next}"))
    return View(d.sentence, blocks, ("Training", f"{d.method}."))


def _table(d: LearnDocument) -> Table:
    at = "at all other seats" if d.seats > 1 else "in its place"
    rows = tuple(
        (
            Entry(one.policy),
            entries.share(one.wins.before),
            entries.share(one.wins.after),
            _gain(one),
            Entry({"better": "beaten", "worse": "stronger", "unclear": "not distinguishable"}[one.verdict]),
            entries.count(one.games),
        )
        for one in d.against
    )
    caption = (
        f"Games won by the policy and by the learned player in the same seats, with the policy {at}, on "
        "common luck. "
        + (
            "The difference is one of the score."
            if d.against[0].by == "score"
            else "The difference is one of value: a draw counts as an equal part of a win."
        )
    )
    headers = ("Policy", "Policy wins", "Learned player wins", "Difference", "Policy is", "Fresh games")
    sure = f"Differences: 95 % {d.against[0].value.difference.method}"
    return Table("Beside policies", caption, headers, rows, sure)


def _curves(d: LearnDocument) -> Iterator[Figure]:
    """Wins against the judge as each training went on."""
    curves = [
        DrawnCurve(
            f"seed {one.seed}{', the best' if one.seed == d.chosen else ''}",
            theme.CLEAR if one.seed == d.chosen else theme.UNCLEAR,
            tuple(float(games) for games, _ in one.looks),
            tuple(proportion(wins, LOOK_GAMES) for _, wins in one.looks),
        )
        for one in d.seeds
        if one.looks
    ]
    if curves:
        title = f"Wins against {d.against[0].policy} during training"
        note = f"Each point: {LOOK_GAMES} games"
        yield Figure(title, Bands(curves, "games of training", "of all games"), note)


def _lines(d: LearnDocument) -> Iterator[str]:
    many = len(d.seeds)
    yield (
        f"Training: {words.many(many, 'seed')} of {words.count(d.rounds)} rounds, "
        f"{words.count(d.games)} games in all; seed {d.chosen} was the best of {many} in "
        f"{words.count(d.choosing_games)} other games each"
    )
    if d.response:
        yield _response(d.response, d.response_games or 0)
    if d.not_seen:
        yield f"Not seen by the player, because hidden cards change it: {words.listing(d.not_seen[:6])}"


def _response(one: LearnedBeside, learned_from: int) -> str:
    """How far the player can be exploited, at least."""
    gain = _gain(one)
    found = "beats it" if one.verdict == "better" else "finds no clear advantage"
    return (
        f"Exploitability: a player that learned against it alone for {words.count(learned_from)} games "
        f"{found}: "
        f"{gain.text} {'points' if one.by == 'score' else 'of value'} "
        f"({gain.limits or 'no interval'}; 95 %, {one.value.difference.method}; "
        f"{words.count(one.games)} fresh games). A better opponent may gain more."
    )


def checked(d: LearnDocument) -> list[str]:
    """What the file says of its worth: a line a policy."""
    return [
        f"{one.verdict} than {one.policy}: {_told(one)}"
        if one.verdict != "unclear"
        else f"not distinguishable from {one.policy}: {_told(one)}"
        for one in d.against
    ]
