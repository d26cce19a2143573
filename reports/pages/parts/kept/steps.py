"""What a report says of `bartizan compare --steps`: what each change between two editions does by itself."""

from collections.abc import Iterator, Mapping

from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Table
from bartizan.reports.entries import NONE
from bartizan.reports.figures import difference_dots, dots
from bartizan.reports.pages.parts.kept.told import CLEAR, UNCLEAR, KeptFinding, level_of, players
from bartizan.reports.pages.parts.pictures import Picture, picture
from bartizan.reports.text import differences, sentences, words

METHOD = (
    "each change by itself against the same base, paired game by game on common luck; p adjusted for all "
    "steps (Holm 1979)."
)


def told(d: Mapping, name: str) -> KeptFinding:
    return KeptFinding(
        _title(d),
        _caption(d),
        lambda: (_picture(d, name),),
        tuple(_lines(d)),
        (_table(d),),
        "Steps between editions",
        METHOD,
    )


def _title(d: Mapping) -> str:
    alone = d["steps"][:-1]  # the last is all of them together
    most = max(alone, key=lambda step: abs(step["difference"]["estimate"]))
    moved = differences.signed(Interval(**most["difference"]), least=1)
    doubted = sentences.doubt(Interval(**most["difference"]), most["p_adjusted"], "all steps")
    unsure = f", {doubted}" if doubted else ""
    return (
        f'Of {len(alone)} changes "{most["title"]}" moves the win rate most, by {moved}{unsure}, in '
        f"{words.count(d['n'])} games a side by {players(d['a'])}"
    )


def _caption(d: Mapping) -> str:
    return (
        f"What each change does to the win rate of {players(d['a'])}{level_of(d['a'])}: after less before, "
        f"{words.count(d['n'])} games a side on common luck, seed {d['seed']}, 95\u00a0% intervals. Grey: "
        "not distinguishable from zero once adjusted for all steps."
    )


def _picture(d: Mapping, name: str) -> Picture:
    rows = [_dot(step) for step in d["steps"]]
    title = "What each change does to the win rate"
    figure = difference_dots.draw(rows, differences.POINTS)
    alt = difference_dots.in_words(f"{_title(d)}. {title}, {differences.POINTS}", rows)
    return picture(title, "", figure, name, alt)


def _dot(step: Mapping) -> dots.Row:
    it = Interval(**step["difference"]).scaled(100)
    clear = not sentences.doubt(it, step["p_adjusted"], "")
    said = "never came up" if sentences.is_idle(step) else differences.numbers(it, 1, 1)
    return dots.Row(step["title"], said, (dots.Point(it, CLEAR if clear else UNCLEAR),))


def _lines(d: Mapping) -> Iterator[str]:
    yield d["sentence"]


def _table(d: Mapping) -> Table:
    caption = "Differences with their 95\u00a0% intervals; turns and score are means of a game."
    headers = ("Change", "Win rate", "Turns", "Score", "p (adjusted)", "Pairing factor")
    rows = tuple(
        (
            Entry(step["title"]),
            entries.points(Interval(**step["difference"])),
            _effect(step, "turn"),
            _effect(step, "score"),
            entries.p_values(step["p"], step["p_adjusted"]),
            entries.factor(step["pairing_factor"]),
        )
        for step in d["steps"]
    )
    return Table(f"Steps between editions, {players(d['a'])}", caption, headers, rows)


def _effect(step: Mapping, measure: str) -> Entry:
    found = [row["difference"] for row in step["effects"] if row["measure"] == measure]
    return Entry(*words.change(Interval(**found[0]), least=1)) if found else NONE
