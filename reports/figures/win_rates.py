"""Win rates of one level: a dot and its interval for every policy, variants of the same policy next to each
other.
"""

from matplotlib.figure import Figure

from bartizan.reports.figures import dots
from bartizan.reports.study import Finding
from bartizan.reports.text import words

AXES = (0.1, 0.25, 0.5, 1.0)  # right ends: rates that are all small deserve a closer look


def axis_end(findings) -> float:
    """One right end for all pictures of a set, so that they compare."""
    highest = max(finding.wins.first.win.high for finding in findings)
    return next(end for end in AXES if highest <= end)


def draw(findings: list[Finding], colours: dict[str, str], most: float = 1.0) -> Figure:
    """`findings`: the cells of one level.

    `colours`: player -> colour. `most`: right end of the axis, a fraction.
    """
    return dots.draw(list(_rows(findings, colours)), most, axis_label="games won by the player")


def _rows(findings: list[Finding], colours: dict[str, str]):
    for player in dict.fromkeys(finding.player for finding in findings):
        mine = [finding for finding in findings if finding.player == player]
        if len(mine) > 1:
            yield dots.Row(player, "", ())
        for index, finding in enumerate(mine):
            yield _row(finding, finding.variant or player, colours[player], filled=index == 0)


def _row(finding: Finding, label: str, colour: str, filled: bool) -> dots.Row:
    win = finding.wins.first.win
    return dots.Row(label, words.share_with_limits(win), (dots.Point(win, colour, filled),))


def describe(level: str, findings: list[Finding]) -> str:
    """The picture in words."""
    return f"Win rates at {level}: " + "; ".join(
        f"{f.who} {words.share_with_limits(f.wins.first.win)}" for f in findings
    )
