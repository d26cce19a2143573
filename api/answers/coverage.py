"""`coverage`: what comes up in the games of some players, and what never does."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from bartizan.analyses.experiments.coverage import analyze
from bartizan.analyses.experiments.sensitivity import knobs_of
from bartizan.api.answer import Answer
from bartizan.api.answers.sensitivity import knobs_in_question, question_of
from bartizan.api.caveats import assumed_lines, caveat, caveat_lines
from bartizan.api.effort import Effort
from bartizan.api.keeping import next_report, place_of
from bartizan.policies.request import Request
from bartizan.reports.text import coverage as text
from bartizan.simcore.game import Game
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
    found = analyze(question, s, knobs if changes else [], effort.threads, effort.watch.track)
    document = {**text.document(question, s, found), **caveat(game, s)}
    if keep:
        effort.watch.kept(keep(document), next_report(out))
    return Answer(document, lambda: _lines(game, document, top))


def _lines(game: Game, d: Mapping, top: int) -> Iterator[str]:
    sentence, *rest = text.lines(d, top)
    yield sentence
    yield from caveat_lines(game, d)
    yield from rest
    yield from assumed_lines(game, d)
