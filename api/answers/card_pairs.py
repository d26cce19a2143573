"""`cards --pairs`: find the pairs of card kinds that reinforce or replace each other."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations

import numpy as np

from bartizan.analyses.experiments import card_pairs
from bartizan.analyses.experiments import without as left_out
from bartizan.analyses.experiments.trials import asked, bytes_of
from bartizan.api.answer import Answer
from bartizan.api.answers.cards import USUAL_GAMES, more_games, one_seat, removable, shown, volume_of
from bartizan.api.answers.sensitivity import question_of
from bartizan.api.questions.in_games import CardsQuestion
from bartizan.policies.request import Request
from bartizan.reports.document import PlayedMatch
from bartizan.reports.views import card_pairs as views
from bartizan.simcore.errors import UsageError
from bartizan.simcore.game import Game
from bartizan.simcore.play import without as without_games
from bartizan.simcore.play.batch import BATCH, play_games
from bartizan.simcore.reporting import Reporting
from bartizan.simcore.scenario.loading import Scenario


def pairs(question: CardsQuestion, request: Request) -> Answer:
    """Measure each pair of card kinds by removing both kinds, from one seat or from all players."""
    document = pairs_document(question, request)
    return shown(
        request.game,
        document,
        partial(views.pairs_view, document),
        more_games(bool(document.named), document.games),
    )


def pairs_document(question: CardsQuestion, request: Request) -> views.PairsDocument:
    if (paths := removable(question, request)) is None:
        return _one_seat_pairs(question, request)
    return _everybody_pairs(question, request, paths)


def _one_seat_pairs(question: CardsQuestion, request: Request) -> views.PairsDocument:
    effort = question.effort(question.games or USUAL_GAMES)
    one = one_seat(question, request, effort)
    every = list(combinations(one.kinds, 2))
    _check_pairs(request.game, every)

    def played(ways: Sequence[card_pairs.Way], games: int, first_game: int) -> card_pairs.PlayedWays:
        chunks = one.without(ways).play(range(first_game, first_game + games), effort.workers)
        watched = effort.watch.track(chunks, games, without_games.CHUNK, "simulating without each pair")
        return card_pairs.of_one_seat(np.concatenate(list(watched)), one.seat)

    def pilot(ways: Sequence[card_pairs.Way], games: int) -> object:
        return list(one.without(ways).play(range(games), effort.workers))

    volume = volume_of(question, effort, partial(_as_measured, pilot, every))
    effort.holds(18 * (1 + len(card_pairs.ways_of(every))), volume.games)
    result = card_pairs.analyze(played, one.kinds, every, left_out.ONE_SEAT, volume.games)
    return _pairs_document(one.match, request.loaded, request.game.roles[one.seat], result, one.caveat)


def _everybody_pairs(
    question: CardsQuestion, request: Request, paths: Mapping[str, str]
) -> views.PairsDocument:
    effort = question.effort(question.games or USUAL_GAMES)
    game, condition, s = question_of(request, effort, "cards")
    has_score = (game.compiled.reporting or Reporting()).has_score
    effort.compiles(game, BATCH)
    match, seatings = condition.matches(condition.load({}))[0], len(condition.seatings())

    def pilot(ways: Sequence[card_pairs.Way], games: int) -> object:
        return list(play_games(match, range(games * seatings * (1 + len(ways))), effort.workers))

    every = list(combinations(range(len(paths)), 2))
    volume = volume_of(question, effort, partial(_as_measured, pilot, every))
    effort.holds(2 * bytes_of(game.compiled), volume.games * seatings)
    one = replace(condition, games=volume.games)

    def measured() -> card_pairs.CardPairs:
        found = card_pairs.pairs_of_deck(one, paths)
        _check_pairs(game, found.pairs)

        def played(ways: Sequence[card_pairs.Way], games: int, first_game: int) -> card_pairs.PlayedWays:
            with effort.source(game) as source:
                of = replace(one, games=games)
                return card_pairs.of_everybody(of, found, has_score, source, ways, first_game)

        return card_pairs.analyze(
            played, found.kinds, found.pairs, left_out.EVERYBODY, one.games, found.refused
        )

    return _pairs_document(condition, s, "", asked(measured))


def _as_measured(
    pilot: Callable[[Sequence[card_pairs.Way], int], object], every: list[tuple[int, int]], games: int
) -> None:
    """Run a small version of the measurement, to estimate its duration.

    games: number of games per pair. If there are many pairs, they are screened as in the measurement.
    """
    if card_pairs.is_screened(len(every)):
        pilot(card_pairs.ways_of(every), card_pairs.screening(games))
        every = every[: card_pairs.KEPT]
    pilot(card_pairs.ways_of(every), games)


def _check_pairs(game: Game, pairs: Sequence[tuple[int, int]]) -> None:
    if not pairs:
        raise UsageError(f"{game.name}: --pairs requires two kinds of card that can be removed together")


def _pairs_document(
    played: PlayedMatch, s: Scenario, seat: str, result: card_pairs.CardPairs, caveat: str | None = None
) -> views.PairsDocument:
    schema = "bartizan.card-pairs/1"
    return views.PairsDocument.about(schema, played, s, **dict(result), seat=seat, caveat=caveat)
