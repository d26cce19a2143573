"""Share of games lost by the end of each turn, one line a policy, with the band that holds the whole line."""

from matplotlib.figure import Figure

from bartizan.reports.figures import theme
from bartizan.reports.figures.dots import shorten
from bartizan.reports.study import Finding

HEIGHT, LEGEND_ROW = 2.9, 0.2  # inches
# one a variant: colour is not the only difference
DASHES = ("-", (0, (4, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2)))


def draw(findings: list[Finding], colours: dict[str, str], last_turn: int) -> Figure:
    """`findings`: the cells of one level. `last_turn` is common to the set so that pictures compare."""
    with theme.applied():
        figure = theme.figure(HEIGHT + LEGEND_ROW * len(findings))
        axes = figure.add_subplot()
        for finding in findings:
            _draw_line(
                axes, finding, colours[finding.player], DASHES[_sibling(finding, findings) % len(DASHES)]
            )
        axes.set(xlim=(0, last_turn + 1), ylim=(0, 1), xlabel="turn", ylabel="games lost so far")
        axes.locator_params(axis="x", integer=True)
        axes.yaxis.set_major_formatter(lambda value, _: f"{value * 100:g}\u00a0%")
        axes.grid(axis="y")
        figure.legend(
            loc="outside lower left", frameon=False, handlelength=2.4, borderaxespad=0.2, labelspacing=0.3
        )
    return figure


def _sibling(finding: Finding, findings: list[Finding]) -> int:
    return [other for other in findings if other.player == finding.player].index(finding)


def _draw_line(axes, finding: Finding, colour: str, dash) -> None:
    """Steps: the share changes within a turn and holds until the next; the last one is drawn
    one turn long.
    """
    shares = [turn.lost_by for turn in finding.losses.turns]
    turns = [0, *(turn.turn for turn in finding.losses.turns), finding.losses.turns[-1].turn + 1]
    line, low, high = (
        [0.0, *(getattr(share, part) for share in (*shares, shares[-1]))]
        for part in ("estimate", "low", "high")
    )
    axes.fill_between(turns, low, high, step="post", color=colour, alpha=0.16, linewidth=0)
    axes.step(
        turns, line, where="post", color=colour, linestyle=dash, linewidth=1.8, label=shorten(finding.who, 52)
    )


def describe(level: str, findings: list[Finding]) -> str:
    """The picture in words."""
    return f"Share of games lost by turn at {level}: " + "; ".join(_in_words(finding) for finding in findings)


def _in_words(finding: Finding) -> str:
    turns = finding.losses.turns
    third = max(len(turns) // 3, 1)
    marks = turns[third - 1 :: third]
    return f"{finding.who} " + ", ".join(
        f"{turn.lost_by.estimate * 100:.0f} % by turn {turn.turn}" for turn in marks
    )
