"""Learning of people over their plays: the trend, and predictions for first and later plays."""

from collections.abc import Iterator

from bartizan.analyses.people.learning import (
    FEWEST_PEOPLE,
    FEWEST_PLAYS,
    REACHED,
    STEPS,
    Learning,
    LearningRung,
)
from bartizan.reports.blocks import Block, ChartMark, Entry, Lines, Table
from bartizan.reports.text import differences, estimates, words

HEADING = "Learning from play to play"


def blocks(d: Learning, policy: str) -> tuple[Block, ...]:
    table = (_table(d, policy),) if d.rungs else ()
    return (*table, Lines(tuple(_lines(d))))


def _lines(d: Learning) -> Iterator[str]:
    left = words.listing([f"{words.many(plays, 'play')} {reason}" for reason, plays in d.left_out.items()])
    rests_on = (
        f"{words.many(d.plays, 'play')} by {words.count(d.people)} people, {d.repeaters} with two or more"
    )
    without = f"; left out: {left}" if left else ""
    if d.trend is None:
        yield (
            f"{HEADING}: too few plays ({rests_on}{without}). An estimate needs {FEWEST_PEOPLE} people with "
            f"two or more dated plays, and {FEWEST_PLAYS} plays by them."
        )
        return
    trend = f"{differences.numbers(d.trend, 1, 2)} logits for each doubling of a person's plays"
    verdict = "people get better" if d.shown else "these plays do not show learning"
    if d.trend.high < 0:
        verdict = "people get worse; check whether the level or the rules changed"
    first = "" if d.numbered else "; assumes that the first play in the folder is a person's first"
    sure = words.level(d.trend.level)
    yield f"{HEADING}: {verdict} (trend {trend}, {sure} interval; {rests_on}{first}{without})."
    if d.shown:
        last = next((step for step in STEPS if step > d.rungs[-1].play), None)
        further = (
            f" Play {last} is not predicted, because fewer than {REACHED} people played that many times."
            if last
            else ""
        )
        yield f"Most plays by one person: {d.most}.{further}"


def _table(d: Learning, policy: str) -> Table:
    levels = list(d.rungs[0].win_rates)
    sure = words.level(d.rungs[0].win_rates[levels[0]].level)
    caption = (
        "Predictions for the same people, equally weighted, in their first and later plays: win rate, and "
        f"the noise that makes {policy}, a computer player, equally strong. {sure} posterior intervals."
    )
    headers = ("Play", "People who reached it", *(f"Win rate, {level}" for level in levels), "Equal to")
    return Table(HEADING, caption, headers, tuple(_row(rung, policy) for rung in d.rungs))


def _row(rung: LearningRung, policy: str) -> tuple[Entry, ...]:
    shares = (
        Entry(said.text, said.limits)
        for said in (estimates.percent(share, 0) for share in rung.win_rates.values())
    )
    return (Entry(f"{rung.play}"), Entry(words.count(rung.people)), *shares, _like(rung, policy))


def _like(rung: LearningRung, policy: str) -> Entry:
    if rung.noise is None:
        return Entry(f"better than {policy}" if rung.beyond == "stronger" else "weaker than the scale")
    return Entry(f"noise {rung.noise.estimate:.2f}", f"{rung.noise.low:.2f}–{rung.noise.high:.2f}")


def method(d: Learning | None) -> str:
    return f"learning: {d.method}" if d and d.trend else ""


def marks(d: Learning, level: str, name: str) -> Iterator[ChartMark]:
    """Yield marks of the first and the last predicted play at a level, for the main chart of a page."""
    for rung in dict.fromkeys((0, len(d.rungs) - 1)) if d.rungs else ():
        one = d.rungs[rung]
        share = one.win_rates.get(level)
        if share:
            how = (
                f"predicted; {one.people} people played that many times; {words.level(share.level)} posterior"
            )
            said = estimates.percent(share, 0)
            yield ChartMark(f"{name}, play {one.play}", share, said.text, how, "beside", said.limits)
