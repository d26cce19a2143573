"""`coverage`: what comes up in the games of some players, and what never does."""

from pathlib import Path

from bartizan.analyses.experiments.coverage import analyze
from bartizan.analyses.experiments.sensitivity import knobs_of
from bartizan.policies.request import Request
from bartizan.reports.answers.answer import Answer, Effort, shown
from bartizan.reports.answers.keeping import next_report, place_of
from bartizan.reports.answers.sensitivity import knobs_in_question, question_of
from bartizan.reports.views import coverage as views
from bartizan.simcore.play.coverage import COVERAGE

ONE_LINE_UP = "coverage: name one policy for each seat"


def ask(
    request: Request,
    effort: Effort,
    prefixes: tuple[str, ...] = (),
    changes: bool = True,
    top: int = 10,
    out: Path | None = None,
    command: str = "",
) -> Answer:
    """prefixes: only values below these paths are changed; changes: are any; top: rows of a table; out: a
    .json file, or a folder to keep the answer in.
    """
    game, question, s = question_of(request, effort, ONE_LINE_UP)
    knobs = knobs_in_question(game, s, False, prefixes) if prefixes else knobs_of(s, game)
    keep = place_of(out, "coverage", game, command)
    effort.compiles(game, COVERAGE)
    result = analyze(question, s, knobs if changes else [], effort.threads, effort.watch.track)
    document = views.document(question, s, result)
    if keep:
        effort.watch.kept(keep(document.plain()), next_report(out))
    return shown(game, document, views.view(document, top))
