"""Results of training a learned policy: its comparison with other policies, and the method."""

from collections.abc import Iterator, Mapping
from typing import Any

from bartizan.analyses.document import Document, keyed, optional
from bartizan.analyses.experiments.learning import LOOK_GAMES, METHOD, LearnedBeside
from bartizan.analyses.experiments.training import BeforeAfter
from bartizan.analyses.statistics.intervals import proportion
from bartizan.reports import entries
from bartizan.reports.blocks import Block, Entry, Figure, Hint, Lines, Table, View
from bartizan.reports.figures import theme
from bartizan.reports.figures.curves import Bands, DrawnCurve
from bartizan.reports.text import words


class LearnedSeed(Document):
    """One training run.

    A run without games is an untrained policy that always follows the reference policy.
    """

    seed: int
    games: int
    value: float  # mean value against the reference policy; the best run is selected by it
    looks: list[list[int]]  # [training games, wins of 400]


class LearnDocument(Document):
    """Result of `bartizan train --learn`."""

    schema_: str = keyed("schema", default="bartizan.learn/1")
    title: str
    game: str
    file: str
    scenario: str
    difficulty: str = ""
    players: int | None = None
    seats: int
    rounds: int
    games: int  # total of all training runs
    choosing_games: int
    seeds: list[LearnedSeed]
    chosen: int  # seed of the best run
    against: list[LearnedBeside]  # reference policy first
    has_score: bool | None = optional()  # true: the game declares a score
    mixed: bool | None = optional()  # true: a mixed strategy
    response: LearnedBeside | None = optional()  # two-sided games: player trained against the learned policy
    response_games: int | None = optional()  # training games of that player
    not_seen: list[str] = []  # numbers of the game that would reveal hidden cards
    method: str = METHOD
    sentence: str = ""
    banner: dict[str, Any] | None = optional()
    assumptions: list[str] = []
    next: str


def sentence(d: LearnDocument) -> str:
    """Return a sentence on whether the learned policy beats the reference policy."""
    first, others = d.against[0], d.against[1:]
    lost = [one.policy for one in others if one.verdict != "better"]
    beaten = [one.policy for one in others if one.verdict == "better"]
    told = _told(first)
    if first.verdict == "better":
        also = f" It also beats {words.listing(beaten)}." if beaten else ""
        but = f" It does not beat {words.listing(lost)}." if lost else ""
        return f"{d.title}: the learned policy beats {first.policy}: {told}.{also}{but}"
    also = f" It beats {words.listing(beaten)}." if beaten else ""
    if d.chosen not in _trained(d):
        return (
            f"{d.title}: no training run beats {first.policy}, so the saved policy plays as {first.policy} "
            f"does.{also} {_advice(d).capitalize()}."
        )
    if d.mixed and first.verdict == "unclear":
        return (
            f"{d.title}: no significant difference between the mixed strategy and {first.policy}: {told}."
            f"{also} Judge a mixed strategy by its exploitability: even an optimal one need not beat a fixed "
            "policy."
        )
    worse = "is weaker than" if first.verdict == "worse" else "does not beat"
    return (
        f"{d.title}: the learned policy {worse} {first.policy}: {told}.{also} Do not use it as a strong "
        f"player; {_advice(d)}."
    )


def _advice(d: LearnDocument) -> str:
    """Return advice for a stronger policy. If neither policy wins, only scores distinguish them."""
    first = d.against[0]
    if d.has_score and first.by == "wins" and not first.wins.before.estimate + first.wins.after.estimate:
        return "neither wins, so train by the score (--objective score)"
    return "train longer (--minutes)"


def _trained(d: LearnDocument) -> list[int]:
    """Return the seeds of all training runs, without the untrained policy."""
    return [one.seed for one in d.seeds if one.games]


def _told(one: LearnedBeside) -> str:
    """Return the wins of both policies in the same seats, and the difference with its interval, as text."""
    gain = _gain(one)
    worth = "win rate" if one.value.difference == one.wins.difference else "value (draws are shared)"
    worth = "score" if one.by == "score" else worth
    return (
        f"it wins {words.share(one.wins.after)} of {words.count(one.games)} held-out games, "
        f"{one.policy} {words.share(one.wins.before)} in the same seats (paired); difference in {worth} "
        f"{gain.text} ({_sure(one)})"
    )


def _sure(one: LearnedBeside) -> str:
    """Return the limits and the method of the gain, or only the method if there is no interval."""
    limits, method = _gain(one).limits, one.value.difference.method
    return method if limits in ("", method) else f"{limits}; 95 %, {method}"


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
            Entry({"better": "beaten", "worse": "stronger", "unclear": "not significant"}[one.verdict]),
            entries.count(one.games),
        )
        for one in d.against
    )
    caption = (
        f"Games won by the policy and by the learned policy in the same seats, with the policy {at}, "
        "paired game by game. "
        + (
            "The difference is in score."
            if d.against[0].by == "score"
            else "The difference is in value; each seat gets an equal share of a draw."
        )
    )
    headers = ("Policy", "Policy wins", "Learned policy wins", "Difference", "Policy is", "Held-out games")
    sure = f"Differences: 95 % {d.against[0].value.difference.method}"
    return Table("Comparison with policies", caption, headers, rows, sure)


def _curves(d: LearnDocument) -> Iterator[Figure]:
    """Yield the figure of learning curves: wins against the reference policy during training."""
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
    trained = _trained(d)
    best, judge = f"seed {d.chosen} was the best", d.against[0].policy
    if d.chosen not in trained:
        best = f"none won more than {judge}, so the saved policy chooses as {judge} does"
    yield (
        f"Training: {words.many(len(trained), 'seed')} of {words.count(d.rounds)} rounds, "
        f"{words.many(d.games, 'game')} in all; {best}, compared in {words.count(d.choosing_games)} separate "
        "games each"
    )
    if d.response:
        yield _response(d.response, d.response_games or 0)
    if d.not_seen:
        yield (
            f"Not visible to the policy, because hidden cards affect it: {words.listing(d.not_seen[:6])}. "
            'If all players see such a number, write seen="open" in its declaration'
        )


def _response(one: LearnedBeside, learned_from: int) -> str:
    """Return a sentence with a lower bound for the learned policy's exploitability."""
    gain = _gain(one)
    found = "beats it" if one.verdict == "better" else "has no significant advantage"
    return (
        f"Exploitability: a policy trained only against it for {words.many(learned_from, 'game')} "
        f"{found}: {gain.text} {'points of lead' if one.by == 'score' else 'of value'} ({_sure(one)}; "
        f"{words.count(one.games)} held-out games). A better opponent may gain more."
    )


def checked(d: LearnDocument) -> list[str]:
    """Return one line per compared policy, with verdict and difference, for the learned policy's file."""
    return [
        f"{one.verdict} than {one.policy}: {_told(one)}"
        if one.verdict != "unclear"
        else f"no significant difference from {one.policy}: {_told(one)}"
        for one in d.against
    ]


# ---------------------------------------------------------------- the effect of a short training run


def practised(moved: Mapping[str, Any], option: str = "--player learned") -> str:
    """Return the effect on the win rate as one line for the terminal.

    moved: result of `api.practice.measured`. option: the option that uses the trained policy.
    """
    policy, against = moved["policy"], moved["against"]
    wins = BeforeAfter.read(against["wins"])
    gain = entries.points(wins.difference)
    told = (
        f"{words.share(wins.before)} to {words.share(wins.after)} ({gain.text}, "
        f"{gain.limits or 'no interval'}; 95 %, {words.count(wins.games)} fresh games)"
    )
    if against["verdict"] != "better":
        return (
            f"trained  ten seconds of training do not improve on {policy}: the win rate changes from {told}."
        )
    seats = ""
    if first := moved.get("first_seat"):
        seat = BeforeAfter.read(first)
        change = entries.points(seat.difference)
        seats = (
            f"With the trained policy in all seats, the first seat wins {words.share(seat.after)} instead of "
            f"{words.share(seat.before)} ({change.text}, {change.limits or 'no interval'}). "
        )
    return (
        f"trained  ten seconds of training change the win rate of {policy} from {told}. {seats}"
        "Conclusions about balance can differ for a better player; to see how, run the command again "
        f"with {option}."
    )
