"""Output of `gate`: a summary for a pull request, a report for test tools, a badge."""

from collections.abc import Iterator, Sequence
from html import escape as escape_xml
from typing import Literal
from xml.etree import ElementTree

from pydantic import Field

from bartizan.analyses.document import Document
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.text import differences, words
from bartizan.reports.text.marked import escape
from bartizan.reports.text.visible import one_line
from bartizan.simcore.files import MADE_HERE

SCHEMA = "bartizan.gate/1"
Verdict = Literal["pass", "fail", "open"]
MARKS = {"pass": "✅", "fail": "❌", "open": "❔"}
WIDTH = 31  # characters per line of the picture


class MovedRate(Document):
    """Change of a win rate since the baseline."""

    name: str
    cell: str
    then: Interval
    now: Interval
    difference: Interval  # simultaneous for all rates
    games_then: int
    games_now: int
    every_game_the_same: bool
    verdict: Verdict


class JudgedClaim(Document):
    title: str
    names: list[str]
    finding: str
    verdict: Verdict


class GateDocument(Document):
    """Result of `gate`: changed win rates, claims, and the verdict."""

    schema_: str = Field(alias="schema")
    game: str
    title: str
    verdict: Literal["pass", "fail"]
    sentence: str
    allow: float
    baseline: str | None
    now: str
    moved: list[MovedRate]
    claims: list[JudgedClaim]
    notes: list[str]  # other differences, and cells that cannot be compared
    method: str


def sentence(moved: Sequence[MovedRate], claims: Sequence[JudgedClaim], allow: float) -> str:
    """Return the verdict as a sentence, such as `2 of 6 win rates changed; 1 of 3 claims fails.`."""
    parts = []
    if moved:
        by = f" by more than {differences.points(f'{allow * 100:g}')}" if allow else ""
        parts.append(f"{_some(moved, 'fail', 'win rate')} changed{by}")
    if claims:
        failed, unsure = (sum(row.verdict == verdict for row in claims) for verdict in ("fail", "open"))
        parts.append(f"{_some(claims, 'fail', 'claim')} {'fails' if failed < 2 else 'fail'}")
        if unsure:
            parts[-1] += f", {words.count(unsure)} {'is' if unsure == 1 else 'are'} inconclusive"
    return words.sentence("; ".join(parts)) + "."


def _some(rows: Sequence[MovedRate] | Sequence[JudgedClaim], verdict: Verdict, what: str) -> str:
    """Return the number of rows with a verdict as text: `2 of 6 win rates`, `no win rate`."""
    found = sum(row.verdict == verdict for row in rows)
    return f"{words.count(found)} of {words.many(len(rows), what)}" if found else f"no {what}"


def lines(d: GateDocument) -> Iterator[str]:
    """Yield the text for a terminal: the verdict, then one line per win rate, claim and note."""
    yield f"{d.title}: gate {'passed' if d.verdict == 'pass' else 'failed'}. {d.sentence}"
    for row in d.moved:
        yield f"  {row.verdict:<5} {one_line(row.name):<40} {_change(row)}"
    for claim in d.claims:
        yield f"  {claim.verdict:<5} {claim.title}: {claim.finding}"
    yield from (f"  note  {note}" for note in d.notes)


def markdown(d: GateDocument) -> str:
    """Return a summary for a pull request: verdict, table, picture, claims."""
    result = "passed" if d.verdict == "pass" else "failed"
    parts = [f"## {MARKS[d.verdict]} Balance gate {result}: {escape(d.title)}", escape(d.sentence)]
    if d.moved:
        rows = (
            f"| {MARKS[row.verdict]} | {escape(row.name)} | {escape(words.share_of(row.then))} | "
            f"{escape(words.share_of(row.now))} | {escape(_change(row))} |"
            for row in d.moved
        )
        parts.append("\n".join(["| | setting | baseline | now | change |", "|---|---|---|---|---|", *rows]))
        parts.append("\n".join(["```text", *picture(d.moved), "```"]))
    if d.claims:
        rows = (
            f"| {MARKS[row.verdict]} | {escape(row.title)} | {escape(', '.join(row.names))} | "
            f"{escape(row.finding)} |"
            for row in d.claims
        )
        parts.append("\n".join(["| | claim | setting | finding |", "|---|---|---|---|", *rows]))
    if d.notes:
        parts.append("\n".join(f"- {escape(note)}" for note in d.notes))
    parts.append(f"<sub>{escape(d.method)}</sub>")
    return "\n\n".join([*parts, f"<!-- {MADE_HERE} -->"]) + "\n"


def picture(moved: Sequence[MovedRate]) -> list[str]:
    """Return lines that draw each change as a dot in its interval.

    The scale is in percentage points and centred at 0.
    """
    most = max(abs(end) for row in moved for end in row.difference.drawn) or 0.01

    def place(value: float) -> int:
        return round((value / most + 1) / 2 * (WIDTH - 1))

    def drawn(row: MovedRate) -> str:
        marks = [" "] * WIDTH
        low, high = row.difference.drawn
        for at in range(place(low), place(high) + 1):
            marks[at] = "─"
        marks[WIDTH // 2] = "┼" if marks[WIDTH // 2] == "─" else "│"
        marks[place(row.difference.estimate)] = "●"
        return "".join(marks).rstrip()

    names = [one_line(row.name) for row in moved]
    wide = max(map(len, names))
    ends = f"{-most * 100:+.1f}".replace("-", "−"), f"{most * 100:+.1f}"
    scale = f"{ends[0]}{'0':^{WIDTH - len(ends[0]) - len(ends[1])}}{ends[1]}"
    rows = (f"{name:<{wide}}  {drawn(row)}" for name, row in zip(names, moved, strict=True))
    return [*rows, f"{'':<{wide}}  {scale}"]


def junit(d: GateDocument) -> bytes:
    """Return JUnit XML with one test case per win rate and per claim."""
    cases = [("win rate", row.name, _change(row), row.verdict) for row in d.moved]
    cases += [
        ("claim", f"{row.title} ({', '.join(row.names)})", row.finding, row.verdict) for row in d.claims
    ]
    suite = ElementTree.Element(
        "testsuite",
        name=f"bartizan gate {d.game}",
        tests=str(len(cases)),
        failures=str(sum(verdict == "fail" for *_, verdict in cases)),
        skipped=str(sum(verdict == "open" for *_, verdict in cases)),
    )
    for kind, name, finding, verdict in cases:
        case = ElementTree.SubElement(suite, "testcase", classname=f"{d.game}.{kind}", name=_clean(name))
        if verdict != "pass":
            kinds = {"fail": "failure", "open": "skipped"}
            ElementTree.SubElement(case, kinds[verdict], message=_clean(finding))
    suite.append(ElementTree.Comment(f" {MADE_HERE} "))
    text: bytes = ElementTree.tostring(suite, encoding="utf-8", xml_declaration=True)
    return text


def _clean(text: str) -> str:
    """Return the text without unprintable characters, because XML does not allow some of them."""
    return "".join(letter for letter in text if letter.isprintable())


def badge(d: GateDocument) -> bytes:
    """Return an SVG badge such as `balance | passed`."""
    said, colour = ("passed", "#2e7d32") if d.verdict == "pass" else ("failed", "#b71c1c")
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="112" height="20" role="img" '
        f'aria-label="balance: {said}"><!-- {MADE_HERE} --><title>{escape_xml(d.sentence)}</title>'
        f'<rect width="58" height="20" fill="#444"/><rect x="58" width="54" height="20" fill="{colour}"/>'
        '<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">'
        f'<text x="29" y="14">balance</text><text x="85" y="14">{said}</text></g></svg>\n'
    ).encode()


def _change(row: MovedRate) -> str:
    if row.every_game_the_same:
        return f"all {words.count(row.games_now)} games identical"
    return f"{differences.signed(row.difference, least=1)}, {words.many(row.games_now, 'game')}"
