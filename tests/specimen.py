"""One page with every element of a page, and nothing of a game: `python -m tests.specimen FILE.html` (or .pdf) writes it."""

import sys
from pathlib import Path

from bartizan.analyses.statistics.intervals import Interval, proportion
from bartizan.reports.blocks import (
    Band,
    Chart,
    ChartMark,
    Definition,
    Entry,
    Figure,
    Lines,
    Page,
    Table,
    Track,
    View,
    paragraph,
    share_mark,
)
from bartizan.reports.figures import bars, curves, dots, theme
from bartizan.reports.pages.parts import frame
from bartizan.reports.render import html


def share(wins: int, of: int = 1000) -> Interval:
    return proportion(wins, of)


def chart() -> Chart:
    """Every shape of a mark, a band, doubts narrow and wide, a mark at either end, a line across."""
    marks = (
        share_mark("newcomer", share(0), 1000, "first"),
        share_mark("with noise", share(180), 1000, "other"),
        share_mark("policy", share(420), 1000, "own", "Keeps a reserve."),
        ChartMark(
            "your testers",
            Interval(0.52, 0.48, 0.6, 0.9, "posterior, 4,000 draws"),
            "52\u00a0%",
            "predicted from 12 plays",
            "beside",
            "48–60\u00a0%",
        ),
        share_mark("best play found", share(66, 100), 100, "best"),
    )
    tracks = (
        Track("Easy", (share_mark("policy", share(1000), 1000),), is_range=False),
        Track("Hard", marks, "a reading", Band(0.35, 0.45, "claimed 35–45\u00a0%")),
    )
    return Chart(
        "The policy wins 42 % of Hard; the best play found 66 %.",
        tracks,
        "games won",
        line=(0.5, "half"),
        notes=("Random: none of 1,000 games won at any level.",),
    )


def figures() -> tuple[Figure, ...]:
    """Points with intervals, differences, curves with bands, stacked bars."""
    rows = [
        dots.row("policy", "42 % (39–45 %)", (dots.mark(share(420), theme.CLEAR),)),
        dots.row("other", "18 %", (dots.mark(share(180), theme.UNCLEAR, is_filled=False),)),
    ]
    moved = [
        dots.row("win rate", "+3.0 (+1.0 to +5.0)", (dots.mark(Interval(3, 1, 5, 0.95, "Student t"), theme.CLEAR),))
    ]
    curve = curves.DrawnCurve("policy", theme.CLEAR, (1, 2, 3), tuple(map(share, (100, 300, 500))))
    stack = [bars.StackedBar("Hard", "1,000 games", ((theme.CLEAR, 0.4), (theme.NONE_COLOUR, 0.6)), (share(400),))]
    return (
        Figure("Easy: policy wins most, 42 %", dots.chart(rows, unit="games won")),
        Figure("Win rate +3.0 percentage points", dots.differences(moved, "percentage points"), "a note"),
        Figure("Hard: half lost by turn 3", curves.Bands([curve], "turn", "games lost so far", 3, steps=True)),
        Figure("How games end: 40 % won", bars.Stacked(stack, "of all games")),
    )


def table(columns: int = 4) -> Table:
    """Numbers, words, notes, rows that say the same, a word of many letters."""
    rows = [
        (Entry(name), *(Entry(text, "39–45 %", "Wilson") for text in texts))
        for name, texts in (
            ("Easy, policy", ("42 %",) * columns),
            ("Hard, policy", ("below 0.4 %",) * columns),
            ("Hard, other", ("below 0.4 %",) * columns),
        )
    ]
    return Table(
        f"A table of {columns} numbers",
        "Shares with their intervals.",
        ("Level and player", *(f"Austrian National Hero {n}" for n in range(columns))),
        tuple(rows),
    )


def page() -> Page:
    claim = {
        "verdict": "PASS",
        "title": "Hard is won by four in ten",
        "finding": "42 % lies inside",
        "source": "a source",
    }
    claims = [
        claim,
        {**claim, "verdict": "FAIL", "title": "Easy is easy"},
        {**claim, "verdict": "INCONCLUSIVE", "title": "Nobody knows"},
    ]
    front = [
        paragraph("What would move it most", ["Not asked yet.", "A detail."]),
        paragraph("What this cannot know", ["Whether it is fun."]),
    ]
    section = View(
        title="Every kind of picture",
        caption="What a section says before its pictures.",
        blocks=(*figures(), Lines(("A finding.",))),
        legend=((theme.CLEAR, "clear"), (theme.UNCLEAR, "not significant")),
        left_out=2,
    )
    played = "2,000 games, 2 settings of 1,000 games each. Played by computer policies, not people. 5 of 9 data behind this are assumed."
    return Page(
        title="A specimen",
        headline="What a page is made of",
        caveat="RECONSTRUCTION: nothing of this is a game.",
        changed=("Changed: Turn, Cards 3 -> 5.",),
        whose="Played by computer policies, not people.",
        incomplete=("Hard, other: 500 of 1,000 games",),
        picks=(("level", ("Easy", "Hard")), ("player", ("policy", "other"))),
        parts=(
            frame.answer(chart(), played, front),
            *frame.claims("3 claims: 1 holds, 1 fails, 1 is open.", claims),
            frame.in_words(
                [paragraph("Hard", ["The policy wins 42 % (39–45 %) of 1,000 games.", "How sure that is."])]
            ),
            *frame.sections([section]),
            frame.numbers([table(), table(11)]),
            frame.background(
                ["Rules: none.", "The number of games was fixed before the first one was played."],
                [Definition("policy", "Keeps a reserve. Weights: reserve 10.", "defender")],
                None,
                ["Mortar, dice", "Mortar, range"],
                ["Dice of the mortar: 3 (used by all of Hard)"],
                [("Win rates", "Wilson's score interval (1927).")],
                ["Rules: compared with nothing."],
            ),
            frame.again("bartizan sweep keep -o DIR", "bartizan 0.1.0", 1, 1, "bartizan trace keep"),
        ),
        signed="Bartizan 0.1.0.",
    )


def write(path: Path) -> Path:
    from bartizan.reports.render import pdf  # which measures letters with matplotlib

    path.write_bytes(pdf.page(page()) if path.suffix == ".pdf" else html.page(page()))
    return path


if __name__ == "__main__":
    write(Path(sys.argv[1]))
