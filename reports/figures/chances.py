"""Curve of the win probability during one game, shown below the board.

A band shows the intervals, and the decisive turn is marked. Colours are classes of the page's style sheet, so
that a page can be light or dark.
"""

from collections.abc import Iterator
from html import escape

from bartizan.analyses.experiments.losses import GameChances, TurnStart
from bartizan.reports.text import estimates, words

WIDE, HIGH = 640, 190  # pixels
LEFT, RIGHT, TOP, BOTTOM = 66, 14, 24, 28  # margins
LABELS = 8  # maximum number of labelled turns


def curve(chances: GameChances) -> str:
    """Return the content of an <svg> of WIDE by HIGH pixels.

    Each turn is a group of class `at`, with the number of the turn in `data-turn`.
    """
    turns = chances.turns
    first, last = turns[0].turn, turns[-1].turn + 1  # the last turn has a width too
    step = (WIDE - LEFT - RIGHT) / (last - first)

    def x(turn: float) -> float:
        return LEFT + (turn - first) * step

    def y(share: float) -> float:
        return TOP + (1 - share) * (HIGH - TOP - BOTTOM)

    def line(points: list[tuple[float, float]]) -> str:
        return "L".join(f"{across:.0f} {down:.0f}" for across, down in points)

    def parts() -> Iterator[str]:
        for share in (0, 0.5, 1):
            yield f'<path class="grid" d="M{LEFT} {y(share):.0f}H{WIDE - RIGHT}"/>'
            name = words.percent(share, 0)
            yield f'<text class="scale" x="{LEFT - 8}" y="{y(share) + 4:.0f}">{name}</text>'
        yield from _decisive()
        upper = [(x(row.turn), y(row.chance.high)) for row in turns]
        lower = [(x(row.turn), y(row.chance.low)) for row in reversed(turns)]
        yield f'<path class="doubt" d="M{line(upper + lower)}Z"/>'
        means = [(x(row.turn), y(row.chance.estimate)) for row in turns]
        yield f'<path class="chance" d="M{line([*means, (x(last), y(float(chances.is_won)))])}"/>'
        yield f'<text class="scale" x="{LEFT - 16}" y="{HIGH - 8}">{chances.turn_name}</text>'
        for row in turns:
            yield _turn(row)

    def _decisive() -> Iterator[str]:
        at = x(chances.decisive_turn)
        is_left = at > WIDE / 2
        side, place = ("before", at - 6) if is_left else ("after", at + 6)
        size = f'width="{step:.0f}" height="{HIGH - TOP - BOTTOM}"'
        yield f'<rect class="decisive" x="{at:.0f}" y="{TOP}" {size}/>'
        name = f"largest change: {chances.turn_name} {chances.decisive_turn}"
        yield f'<text class="named {side}" x="{place:.0f}" y="14">{name}</text>'

    def _turn(row: TurnStart) -> str:
        chance = estimates.percent(row.chance, 0)
        title = f"{words.sentence(chances.turn_name)} {row.turn}: {chance} of {chances.rollouts} rollouts"
        every = -(-len(turns) // LABELS)
        shown = (row.turn - first) % every == 0
        name = f'<text class="turn" x="{x(row.turn):.0f}" y="{HIGH - 8}">{row.turn}</text>' if shown else ""
        size = f'width="{step:.0f}" height="{HIGH - TOP}"'
        hit = f'<rect class="hit" x="{x(row.turn):.0f}" y="{TOP}" {size}/>'
        dot = f'<circle cx="{x(row.turn):.0f}" cy="{y(row.chance.estimate):.0f}" r="4"/>'
        return f'<g class="at" data-turn="{row.turn}"><title>{escape(title)}</title>{hit}{dot}{name}</g>'

    return "".join(parts())


def sentence(chances: GameChances) -> str:
    """Return a sentence on the decisive turn and the change of the win probability in it.

    If the intervals before and after the change overlap, the sentence states that no turn is decisive.
    """
    index = next(i for i, row in enumerate(chances.turns) if row.turn == chances.decisive_turn)
    here, whose = chances.turns[index].chance, f"the win probability of {words.plain(chances.role)}"
    before = estimates.percent(here, 0)
    after = [row.chance for row in chances.turns[index + 1 : index + 2]]
    unit = chances.turn_name
    then = f"{estimates.percent(after[0], 0)} a {unit} later" if after else "the end of the game"
    if after and after[0].low <= here.high and here.low <= after[0].high:
        return (
            f"No {unit} is decisive: the largest change of {whose} is in {unit} {chances.decisive_turn}, "
            f"from {before} to {then}"
        )
    decides = f"{words.sentence(unit)} {chances.decisive_turn} decides"
    return f"{decides}: {whose} changes from {before} to {then}"


def method(chances: GameChances) -> str:
    """Return a note on the methods of the curve and of the decisive change.

    The size of the decisive change is estimated on held-out rollouts.
    """
    moved = f"{chances.moved * 100:+.0f}".replace("-", "\u2212")
    return (
        f"{chances.rollouts} simulated futures from the first decision of every {chances.turn_name}: "
        f"{chances.method}, {words.percent(chances.turns[0].chance.level, 0)}. The decisive "
        f"{chances.turn_name} has the largest change towards the result: {moved} percentage points in "
        "held-out rollouts." + (f" {chances.untold}." if chances.untold else "")
    )
