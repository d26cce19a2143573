"""Page 1, for somebody who reads no other: what was found, over skill, which change moves it most and what
that costs in print, and what games by computer policies cannot know.

The page shows it first; on paper it is the first page.
"""

from collections.abc import Iterator, Mapping, Sequence

from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.blocks import Paragraph, paragraph
from bartizan.reports.pages.parts import measured
from bartizan.reports.study import Study
from bartizan.reports.text import banner, changes, claims, printed, words
from bartizan.reports.views import bracket, people_skill
from bartizan.reports.views.people_skill import MADE_UP
from bartizan.simcore.commands import command_of
from bartizan.simcore.scenario.parameters import is_guess

SHORT, CLAIMS, SKILL, PEOPLE = "In short", "The claims", bracket.HEADING, people_skill.HEADING
MOVES, COSTS, UNKNOWN = "What would move it most", "In print", "What this cannot know"
ELSEWHERE = ("How sure", bracket.HEADING)  # said below, or on the pages behind
MOST = 6  # answers: the page stays one page
NOT_FUN = "Whether it is fun, how long it takes to explain, and what is said across the table."
POLICIES = "The players are computer policies, not people: people may do better, worse, or something else."
NOTHING_CLEAR = "Of the values looked at none moves it by an amount that is distinguishable from zero."
GUESS = "The value itself is a guess: settle it first."


def of_study(study: Study, verdict: Sequence[Paragraph]) -> list[Paragraph]:
    """verdict: of the page, of which this says the answers alone; what the game is worth between the best
    players found leads, since one pair of players says less.
    """
    answers = sorted(verdict, key=lambda answer: answer.heading != measured.BETWEEN)
    skill = measured.skill_sentences(measured.brackets_of_study(study), bracket.brief)
    skill = skill or [paragraph.answer for paragraph in measured.skill_paragraphs(study)][:1]
    people = [people_skill.read(kept["answer"]) for kept in study.kept if kept["kind"] == people_skill.KIND]
    parts = [
        (SHORT, [_answered(answer) for answer in answers if answer.heading not in ELSEWHERE][:MOST]),
        (CLAIMS, list(_claims(study))),
        (SKILL, skill),
        (PEOPLE, [f"{people_skill.title(each)}.{f' {MADE_UP}' if each.made_up else ''}" for each in people]),
        (MOVES, list(_moves(study))),
        (UNKNOWN, [NOT_FUN, POLICIES, *_assumed(study)]),
    ]
    return [paragraph(heading, sentences) for heading, sentences in parts if sentences]


def of_two(change: Sequence[Mapping], sentence: str, assumed: str) -> list[Paragraph]:
    """Of a comparison. change: its rows; sentence: its answer; assumed: how much of it is."""
    return [
        paragraph(SHORT, [sentence]),
        paragraph(COSTS, dict.fromkeys(map(printed.cost, change))),
        paragraph(UNKNOWN, [NOT_FUN, POLICIES, assumed]),
    ]


def _answered(paragraph: Paragraph) -> str:
    """`Novice: Garrison wins ...`; `Who plays better? tactician ...`"""
    return f"{paragraph.heading}{'' if paragraph.heading.endswith('?') else ':'} {paragraph.answer}"


def _claims(study: Study) -> Iterator[str]:
    rows = claims.of_study(study)
    if rows:
        yield claims.sentence(rows, study.manifest)
        for row in rows:
            whose = f" (win rate of {row['whose']})" if row["whose"] else ""
            yield f"{row['verdict']}: {row['title']}{whose}."


# ---------------------------------------------------------------- the change that moves it most


def _moves(study: Study) -> Iterator[str]:
    """The most influential value known: of the folder, else of the reconstruction it is."""
    if study.knows_influence and study.sensitivity["influences"]:
        yield from _largest(study.sensitivity["influences"][0], study)
    elif influence := (study.banner or {}).get("influence"):
        yield words.title(f"{banner.influence(study.banner or {}, '')}.")
        if influence["is_clear"]:
            yield from (printed.cost(influence), GUESS)
    elif study.findings:
        cell, scenario = study.findings[0].cell, study.manifest.get("scenario_as_named")
        level = cell.difficulty or None
        command = command_of("sensitivity", study.named, scenario=scenario, difficulty=level, set=cell.set)
        yield "Not asked yet."
        yield f"`{command} -o DIR` asks which value moves it most, and keeps the answer for this report."


def _largest(influence: Mapping, study: Study) -> Iterator[str]:
    if not influence["is_clear"]:
        yield NOTHING_CLEAR
        return
    move = Interval(**{"level": 0.95, "method": "", **influence["headline"]["difference"]})
    document = study.sensitivity
    of = banner.subject(document["policies"])
    yield f"{changes.said(influence)} moves the {of} by {banner.moves(move, document['games'])}."
    yield printed.cost(influence)
    if is_guess(influence["path"], influence["confidence"]):
        yield GUESS


def _assumed(study: Study) -> Iterator[str]:
    most = max((finding.cell for finding in study.findings), key=lambda cell: cell.assumed, default=None)
    if most and most.assumed:
        of = words.count(sum(most.confidence.values()))
        yield f"{words.count(most.assumed)} of the {of} numbers and readings behind it are assumptions."
