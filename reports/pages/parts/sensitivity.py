"""How far guesses move the result, where `bartizan sensitivity` has looked into it: a picture, tables, and
which conclusions stand.

Any kind of report may hold it.
"""

from collections.abc import Iterator

from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Table
from bartizan.reports.figures import dots
from bartizan.reports.pages.parts import difference_dots, interactions
from bartizan.reports.pages.parts.pictures import Picture, Section, left_out, one_group, picture
from bartizan.reports.study import Study
from bartizan.reports.text import banner, changes, differences, sentences, words
from bartizan.simcore.scenario.parameters import is_guess

MOST, MOST_ROWS, LABEL = 15, 60, 100  # in the picture, in the table; letters of a label
CLEAR, UNCLEAR = "#0173b2", "#949494"


def sections(study: Study) -> list[Section]:
    found = study.sensitivity.get("influences", [])
    if not found:
        return []
    each = (
        f"Each {_noun(study)} is changed by itself, game by game on common luck; grey: not distinguishable "
        "from zero once adjusted for all of them."
    )
    alone = Section(
        title(study),
        " ".join([_asked(study), each, *_joint(study), *_never(study)]),
        one_group([_picture(study)]),
        left_out=left_out(found[:MOST_ROWS], MOST),
        lines=tuple(conclusions(study)),
    )
    return [section for section in (alone, interactions.section(_effects(study))) if section]


def _effects(study: Study) -> dict:
    """The second stage, where there was one."""
    return study.sensitivity.get("effects") or {}


def title(study: Study) -> str:
    return (
        f"How far the {_noun(study)}es move the result"
        if _noun(study) == "guess"
        else "How far single numbers move the result"
    )


def _noun(study: Study) -> str:
    """Were only guesses varied?"""
    return (
        "guess"
        if all(
            is_guess(influence["path"], influence["confidence"])
            for influence in study.sensitivity["influences"]
        )
        else "number"
    )


def _asked(study: Study) -> str:
    document = study.sensitivity
    asked = (
        f"Percentage points by which the {banner.subject(document['policies'])} moves, "
        f"{words.count(document['games'])} games each, with {words.level(study.level)} intervals."
    )
    return (
        asked
        if study.knows_influence
        else f"{asked} Not the numbers or rules of the games above: scenario {document['scenario_hash']}, "
        f"behaviour {document['behaviour']}."
    )


def _joint(study: Study) -> Iterator[str]:
    """What all of them do at once."""
    joint = study.sensitivity.get("joint")
    if joint and "q5" in joint:
        low, middle, high = (words.number(joint[key] * 100, 1) for key in ("q5", "q50", "q95"))
        yield (
            f"With all of them drawn at once it is {middle}{words.NBSP}% in the median and lies between "
            f"{low} and {high}{words.NBSP}% nine times in ten."
        )


def _never(study: Study) -> Iterator[str]:
    """Values of which no other one changed a game; older documents do not say."""
    if idle := study.sensitivity.get("never"):
        yield f"{words.count(len(idle))} of them {study.sensitivity['never_said']}."


# ---------------------------------------------------------------- the picture


def _picture(study: Study) -> Picture:
    every = study.sensitivity["influences"]
    rows = [_row(influence) for influence in every[:MOST]]
    left = len(every) > len(rows)
    heading = f"The {len(rows)} changes that move it most" if left else "Every change looked at"
    clear = sum(influence["is_clear"] for influence in every)
    heading += f"; {clear} of {len(every)} are told from zero"
    figure = difference_dots.draw(rows, differences.POINTS)
    return picture(heading, "", figure, "guesses", difference_dots.in_words(title(study), rows))


def _move(influence: dict) -> Interval:
    """A difference of two shares."""
    return Interval(**{"level": 0.95, "method": "", **influence["headline"]["difference"]})


def _row(influence: dict) -> dots.Row:
    move = _move(influence).scaled(100)
    colour = CLEAR if influence["is_clear"] and not move.low <= 0 <= move.high else UNCLEAR
    point = dots.Point(move, colour, dot=not words.is_bounds(move))
    return dots.Row(_label(influence), differences.numbers(move, 1), (point,))


def _label(influence: dict) -> str:
    """As much of the change as there is room for, always with what it becomes; all of it is in the table."""
    name, becomes = changes.named(influence), changes.value(influence["to"])
    if len(whole := changes.said(influence)) <= LABEL:
        return whole
    becomes = dots.shorten(becomes, LABEL // 2)
    return f"{dots.shorten(name, LABEL - len(becomes) - 2)}: {becomes}"


# ---------------------------------------------------------------- conclusions


def conclusions(study: Study) -> Iterator[str]:
    for conclusion in study.sensitivity.get("conclusions", []):
        yield f"{words.sentence(conclusion['sentence'])}: {conclusion['verdict']}."


# ---------------------------------------------------------------- tables


def tables_of(study: Study) -> list[Table]:
    if not study.sensitivity.get("influences"):
        return []
    return [table for table in (_influences(study), interactions.table(_effects(study))) if table]


def _influences(study: Study) -> Table:
    found = study.sensitivity["influences"]
    caption = _asked(study)
    if len(found) > MOST_ROWS:
        caption += f" The first {MOST_ROWS} of {len(found)}, largest first; the others are in the data."
    headers = (words.title(_noun(study)), "From", "To", "Moves it by", "p (adjusted)")
    return Table(title(study), caption, headers, tuple(map(_table_row, found[:MOST_ROWS])))


def _table_row(influence: dict) -> tuple[Entry, ...]:
    return (
        Entry(changes.named(influence), influence["path"]),
        Entry(changes.value(influence["from"])),
        Entry(changes.value(influence["to"])),
        Entry("never came up") if sentences.is_idle(influence) else entries.points(_move(influence)),
        entries.p_values(influence["p"], influence["p_adjusted"]),
    )


def methods(study: Study) -> list[tuple[str, str]]:
    if not study.sensitivity.get("influences"):
        return []
    second = [("Over each other", f"{_effects(study)['method']}.")] if _effects(study) else []
    return [(f"What a {_noun(study)} moves", f"{study.sensitivity['method']}."), *second]
