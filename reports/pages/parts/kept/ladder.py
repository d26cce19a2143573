"""What a report says of `bartizan ladder`: policies and levels on one scale."""

from collections.abc import Iterator, Mapping

from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Table
from bartizan.reports.entries import NONE
from bartizan.reports.figures import dots
from bartizan.reports.pages.parts import difference_dots
from bartizan.reports.pages.parts.kept.told import CLEAR, UNCLEAR, KeptFinding
from bartizan.reports.pages.parts.pictures import Picture, picture
from bartizan.reports.text import ladder as text
from bartizan.reports.text import words

UNIT = "logits"


def told(d: Mapping, name: str) -> KeptFinding:
    return KeptFinding(
        _title(d),
        _caption(d),
        lambda: tuple(_pictures(d, name)),
        tuple(_lines(d)),
        tuple(_tables(d)),
        "The ladder",
        f"{d['method']}.",
    )


def _title(d: Mapping) -> str:
    tops = [_top(d, kind) for kind in d["rungs"]]
    return f"{'; '.join(tops)} ({words.count(d['games'])} games a cell)"


def _top(d: Mapping, kind: str) -> str:
    """By how much the first is above the next; where there is no next, where it stands."""
    rungs = d["rungs"][kind]
    said = f"{kind}: " if len(d["rungs"]) > 1 else ""
    if not rungs:
        return f"{said}nobody has a place on the scale"
    best = rungs[-1]
    for one in d["neighbours"]:
        if one["stronger"] == best["policy"] and one["weaker"] in {rung["policy"] for rung in rungs}:
            return f"{said}{_above(one, len(rungs))}"
    return f"{said}{best['policy']} stands highest of {len(rungs)}, at {text.logits(best['logits'])} {UNIT}"


def _above(one: Mapping, of: int) -> str:
    """`garrison stands highest of 4, 0.40 logits (0.27 to 0.53) above greedy`"""
    if not one["told_apart"]:
        return (
            f"{one['stronger']} and {one['weaker']} stand highest of {of}, too close to call: {_apart(one)}"
        )
    return f"{one['stronger']} stands highest of {of}, {_apart(one)} above {one['weaker']}"


def _apart(one: Mapping) -> str:
    size, limits = words.change(Interval(**one["difference"]), least=2)
    return f"{size} {UNIT} ({limits})"


def _caption(d: Mapping) -> str:
    levels = f" at {words.listing(d['levels'])}" if len(d["levels"]) > 1 and not d["alike"] else ""
    return (
        f"{words.count(d['cells'])} cells of {words.count(d['games'])} games each on common luck{levels}, "
        f"seed {d['seed']}. Skill in {UNIT}, with 95\u00a0% intervals: 0 {d['zero']}; "
        "1 more turns even odds into 73\u00a0%."
    )


def _places(d: Mapping) -> Iterator[tuple[str, list[tuple[str, Mapping]]]]:
    """Each scale with who stands where on it, from the top."""
    for kind, rungs in d["rungs"].items():
        yield f"Skill, {kind}", [(rung["policy"], rung["logits"]) for rung in reversed(rungs)]
    yield "Difficulty", [(level["level"], level["logits"]) for level in d["difficulty"]]
    yield "Worth of a seat", [(seat["seat"], seat["logits"]) for seat in d["seats"]]


def _pictures(d: Mapping, name: str) -> Iterator[Picture]:
    rows = []
    for heading, places in _places(d):
        rows += [dots.Row(heading, "", ())] if places else []
        rows += [_row(who, place) for who, place in places]
    drawn = [row for row in rows if row.points]
    if drawn:
        title = "Skill and difficulty on one scale"
        figure = difference_dots.draw(rows, UNIT)
        alt = difference_dots.in_words(f"{_title(d)}. {title}, in {UNIT}", drawn)
        yield picture(title, "", figure, name, alt)


def _row(who: str, place: Mapping) -> dots.Row:
    it = Interval(**place)
    colour = UNCLEAR if it.low == it.high else CLEAR
    return dots.Row(who, text.logits(place), (dots.Point(it, colour),))


def _lines(d: Mapping) -> Iterator[str]:
    yield d["sentence"]
    if d["neighbours"]:
        yield f"The order: {text.told_apart(d)} (bootstrap of the difference, paired on common luck, Holm)."
    for one in d["off"]:
        yield f"{one['name']} is {'above' if one['above'] else 'below'} the scale."
    fit, *_ = *text.fit_lines(d), ""
    if d["fit"]["p"] is not None:
        yield f"{words.sentence(fit.strip())}."


def _tables(d: Mapping) -> Iterator[Table]:
    rows = [
        (Entry(who), Entry(heading), Entry(text.logits(place)), _wins(d, heading, who))
        for heading, places in _places(d)
        for who, place in places
    ]
    if rows:
        caption = f"{UNIT.title()} with 95\u00a0% intervals; 0 {d['zero']}."
        yield Table("The ladder", caption, ("Who or what", "Scale", "Logits", "Wins"), tuple(rows))
    steps = [_step(step, row) for step in d["steps"] for row in step["policies"]]
    if steps:
        caption = (
            "What a step of the level does to each policy, game by game on common luck, with "
            "95\u00a0% intervals."
        )
        yield Table("Steps between levels", caption, ("Step", "Policy", "Wins by", "In logits"), tuple(steps))


def _wins(d: Mapping, heading: str, who: str) -> Entry:
    """At each level, where a policy meets nobody but the game."""
    kinds = [kind for kind in d["rungs"] if heading == f"Skill, {kind}"]
    said = text.shares(d, kinds[0], who).strip().removeprefix("wins ") if kinds else ""
    return Entry(said) if said else NONE


def _step(step: Mapping, row: Mapping) -> tuple[Entry, ...]:
    return (
        Entry(f"{step['from']} to {step['to']}"),
        Entry(row["policy"]),
        entries.points(Interval(**row["points"])),
        Entry(text.harder(row["logits"])) if row["logits"] else NONE,
    )
