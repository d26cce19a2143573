"""The page of a sweep: its answers, figures and tables in order.

The kind of game determines the kind of page: solo or cooperative (how hard is it?), two sides (who wins?), or
free-for-all (is it fair?).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from bartizan.analyses.records import outcomes
from bartizan.reports.blocks import Chart, Method, Page, Paragraph, Table, View, paragraph
from bartizan.reports.pages import solo, two_sided
from bartizan.reports.pages.free_for_all import page as free_for_all
from bartizan.reports.pages.free_for_all.effects import Effects
from bartizan.reports.pages.free_for_all.games import Ends, FirstOut, LeadChanges, QuotedLengths
from bartizan.reports.pages.free_for_all.seats import SeatShares
from bartizan.reports.pages.free_for_all.skill import PlayingStrength
from bartizan.reports.pages.parts import certainty, everywhere, facts, frame, front, measured, since, validity
from bartizan.reports.pages.parts.counts import GameCounts
from bartizan.reports.pages.parts.firsts import FirstTimes
from bartizan.reports.pages.parts.lengths import Lengths
from bartizan.reports.pages.parts.lost import Causes, LostBy
from bartizan.reports.pages.parts.measure import OnlyData, PageMeasure
from bartizan.reports.pages.parts.outcomes import Curves, Forms
from bartizan.reports.pages.parts.scores import ScoreBars, TierShares
from bartizan.reports.study import Study
from bartizan.reports.text import banner, changes, claims
from bartizan.reports.text.sentences import one_game
from bartizan.reports.views import bracket, over
from bartizan.simcore.files import quoted


@dataclass(frozen=True)
class Kind:
    """A kind of page: its main chart and its measures in order."""

    question: str  # follows the title of the game
    headline: str
    chart: Callable[[Study], Chart]  # main chart
    how_sure: Callable[[Study], Iterable[str]]
    own: tuple[PageMeasure, ...]  # measures in addition to those of every page

    @property
    def measures(self) -> tuple[PageMeasure, ...]:
        """All measures in the order of the page."""
        return (*self.own, *everywhere.EVERYWHERE)

    def verdict(self, study: Study) -> list[Paragraph]:
        """Return the paragraphs that answer the questions of the page.

        The last paragraph describes the precision of the answers.
        """
        said = (each for measure in self.measures for each in measure.said(study))
        return [*said, paragraph(certainty.HOW_SURE, self.how_sure(study))]

    def sections(self, study: Study) -> list[View]:
        return [section for measure in self.measures for section in measure.sections(study)]

    def tables(self, study: Study) -> list[Table]:
        return [table for measure in self.measures for table in measure.tables(study)]

    def methods(self, study: Study) -> list[Method]:
        return [method for measure in self.measures for method in measure.methods(study)]


SOLO = Kind(
    "how hard is it?",
    "How hard is it, for whom, and how sure are we?",
    solo.chart,
    solo.how_sure,
    (solo.WinRates(), solo.Differences(), TierShares(), ScoreBars(), LostBy(), Causes(), Lengths()),
)
ABOUT_SCORE = replace(
    SOLO, question="how high is the score?", headline="How high is the score, for whom, and how sure are we?"
)
ABOUT_LENGTH = replace(
    SOLO, question="how long is it?", headline="How long is it, for whom, and how sure are we?"
)
TWO_SIDED = Kind(
    "who wins?",
    "Who wins, how, and how sure are we?",
    two_sided.chart,
    two_sided.how_sure,
    (
        two_sided.SideShares(),
        Curves(),
        Forms(),
        GameCounts(),
        Causes(),
        FirstTimes(),
        ScoreBars(),
        Lengths(),
        OnlyData(LostBy()),
    ),
)
FREE_FOR_ALL = Kind(
    "is it fair?",
    "Is going first worth it, who plays better, and how sure are we?",
    free_for_all.chart,
    free_for_all.how_sure,
    (
        SeatShares(),
        PlayingStrength(),
        Ends(),
        Effects(),
        FirstOut(),
        LeadChanges(),
        QuotedLengths(),
        free_for_all.CellByCell(),
        Curves(),
        Forms(),
        GameCounts(),
        FirstTimes(),
        ScoreBars(),
        OnlyData(LostBy()),
        OnlyData(Causes()),
    ),
)


def kind_of(study: Study) -> Kind:
    if study.is_alike:
        return FREE_FOR_ALL
    if study.is_contest:
        return TWO_SIDED
    if study.is_about_score:
        return ABOUT_SCORE
    return ABOUT_LENGTH if study.is_about_length else SOLO


def page(study: Study) -> Page:
    kind, manifest = kind_of(study), study.manifest
    verdict, (*first, unknown) = verdict_of(study), front.of_study(study)
    how_sure = [paragraph for paragraph in verdict if paragraph.heading == certainty.HOW_SURE]
    elsewhere = (certainty.HOW_SURE, bracket.HEADING)  # shown below the main chart, and in its own section
    news, own, answers = since.sections(study), kind.sections(study), _answers(study)
    tables = [
        *(table for view in news for table in view.tables),
        *kind.tables(study),
        *(table for view in answers for table in view.tables),
    ]
    used = (*kind.methods(study), *claims.methods(study), *measured.between_methods(study))
    known = [view.method for view in (*news, *answers) if view.method[1]]
    caveat = banner.lines(study.banner, study.named) if study.banner else ()
    judged = claims.of_study(study)
    # the effect of assumptions in a reconstruction is shown below the main chart
    played = " ".join([facts.played(study), facts.whose(study), *caveat[1:2]])
    seed = None if study.is_imported else manifest["seed"]
    watched = f"bartizan trace {quoted(study.named)} --seed {seed} --game 0 --html game.html"
    return Page(
        title=study.title,
        question=kind.question,
        headline=kind.headline,
        caveat=caveat[0] if caveat else "",
        reminders=(*caveat[:1], *_changed(study)),
        changed=tuple(facts.changed(study)),
        whose=facts.whose(study),
        incomplete=tuple(facts.incomplete(study)),
        picks=solo.picks(study),
        parts=(
            frame.answer(chart_of(study), played, [*first, *how_sure, unknown]),
            *frame.claims(claims.sentence(judged, manifest) if judged else "", judged),
            frame.in_words([each for each in verdict if each.heading not in elsewhere]),
            *frame.sections([*_led([*news, *own], study), *answers]),
            frame.numbers(tables),
            frame.background(
                (facts.rules_source(study), facts.stopping_rule(study)),
                facts.players(study),
                facts.scenarios(study),
                facts.most_assumed(study).assumed_values,
                [*facts.assumptions(study), *measured.card_assumptions(study)],
                list(dict.fromkeys((*used, *known))),
                validity.lines_of_study(study),
            ),
            frame.again(
                manifest["command"],
                facts.versions(study),
                seed,
                manifest["behaviour"],
                "" if study.is_imported else watched,
            ),
        ),
        signed=facts.signed(manifest),
    )


def _changed(study: Study) -> Sequence[str]:
    """Return the title with the changes that all games have; () without changes.

    Figures and tables repeat this title, because they may be shown without the page.
    """
    return (f"{study.title}.",) if study.changes else ()


def chart_of(study: Study) -> Chart:
    """Return the main chart of a sweep. Its title begins with the changes that all games have."""
    chart, lead = kind_of(study).chart(study), changes.with_these(study.changes)
    if study.is_one_game:
        chart = replace(chart, title=one_game(study.findings[0].games, len(study.findings) > 1))
    return replace(chart, title=f"{lead}: {chart.title}") if lead else chart


def verdict_of(study: Study) -> list[Paragraph]:
    """Return the paragraphs that answer the questions of a sweep's page.

    Answers from these games begin with the changes that all games have, because readers quote answers
    separately. The equilibrium value and the win rates by skill come last, because the paragraph on precision
    does not cover these results.
    """
    *answers, how_sure = kind_of(study).verdict(study)
    if study.is_one_game:
        answers = []
    if lead := changes.with_these(study.changes):
        answers = [replace(answer, answer=f"{lead}: {answer.answer}") for answer in answers]
    return [*answers, how_sure, *measured.between_paragraphs(study), *measured.skill_paragraphs(study)]


def _answers(study: Study) -> list[View]:
    """Return the sections on results that do not come from these games.

    Saved results describe their own games.
    """
    known = [*measured.skill_sections(study), *measured.card_sections(study)]
    known += measured.sensitivity_sections(study.sensitivity, study)
    whose = outcomes.side_names(study.findings[0].cell)[0] if study.over else ""
    asked = over.views(study.over, study.names, whose)
    return [*_led([*asked, *known], study), *measured.kept_sections(study)]


def _led(sections: Sequence[View], study: Study) -> list[View]:
    """Return the sections, with the changes that all games have at the start of their captions."""
    lead = " ".join(_changed(study))
    return [replace(section, caption=f"{lead} {section.caption}".lstrip()) for section in sections]
