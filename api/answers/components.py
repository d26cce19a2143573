"""`cards --without` of a short game without cards: tokens, places, dice and actions that matter for wins."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from bartizan.analyses.experiments import without as left_out
from bartizan.api.answer import Answer
from bartizan.api.answers.cards import USUAL_GAMES, more_games, shown, volume_of
from bartizan.api.questions.in_games import CardsQuestion
from bartizan.api.reading import seat_of
from bartizan.policies.request import Request, match_of
from bartizan.reports.views import cards as views
from bartizan.simcore.errors import EngineError, PolicyError, ScenarioError, UsageError
from bartizan.simcore.files import quoted
from bartizan.simcore.game import cards_of
from bartizan.simcore.play.knockout import ALL_SEATS, KNOCKED_OUT, SCORE, KnockedOut
from bartizan.simcore.reporting import Reporting
from bartizan.simcore.scenario.loading import load_scenario
from bartizan.simcore.short.knockout import GamePart, components_of, places_of, with_one_die_less
from bartizan.simcore.sources import is_short


def has_components(request: Request) -> bool:
    """Return whether this is a short game without cards."""
    return (
        request.game.home.suffix == ".py"
        and request.game.compiled.cards is None
        and is_short(request.game.home)
    )


def components(question: CardsQuestion, request: Request) -> Answer:
    """Measure the effect of each component by simulating the game without that component."""
    if not question.without or question.usage or question.value or question.pairs:
        raise UsageError(
            f"{request.game.name}: this game has no cards; a short game declares cards with Deck(...). To "
            f"test its tokens, dice and actions instead: bartizan cards {quoted(request.named)} --without"
        )
    if question.out is not None:
        raise UsageError("cards: -o requires a game with cards; use --json to print the full result")
    document = _document(question, request)
    view = partial(views.without_view, document)
    return shown(request.game, document, view, more_games(bool(document.named), document.games))


def _document(question: CardsQuestion, request: Request) -> views.WithoutDocument:
    game, path = request.game, Path(request.named)
    if not (found := components_of(path)):
        cards_of(game)  # raises UsageError
    effort = question.effort(question.games or USUAL_GAMES)
    match = request.match(effort.seed, "cards")
    roles = game.roles_in(request.loaded)
    seat = seat_of(question.seat, game.name, roles)
    effort.compiles(game, KNOCKED_OUT)
    as_dealt = KnockedOut(match, ALL_SEATS if question.everybody else seat)
    each = 1 + len(found)
    volume = volume_of(
        question, effort, lambda games: list(as_dealt.play(range(games * each), effort.workers))
    )
    games = range(volume.games)
    effort.holds(2 * OUTCOME_BYTES * each, volume.games)
    refused: list[left_out.NotPlayable] = []

    def played(way: KnockedOut) -> np.ndarray:
        found = np.concatenate(list(way.play(games, effort.workers)))
        return np.column_stack([found[:, :SCORE], game.compiled.in_points(found[:, SCORE])])

    def lines() -> Iterator[tuple[GamePart | None, np.ndarray]]:
        yield None, played(as_dealt)
        for one in found:
            try:
                way = _without(one, as_dealt, request, path)
                _refuse_endless(way, range(min(len(games), left_out.PROBE_GAMES)))
                yield one, played(way)
            except (EngineError, PolicyError, ScenarioError, UsageError) as error:
                refused.append(left_out.NotPlayable(card=one.name, reason=str(error)))

    watched = effort.watch.track(lines(), len(games) * each, len(games), "simulating without each component")
    (_, base), *without = watched
    has_score = (game.compiled.reporting or Reporting()).has_score and len(roles) == 1
    result = left_out.knocked_out(base, without, seat, len(roles) > 1, refused, has_score)
    return views.WithoutDocument.about(
        "bartizan.cards-without/1",
        match,
        request.loaded,
        **dict(result),
        seat=roles[seat] if len(roles) > 1 else "",
        rests_on=left_out.COMPONENTS_REST_ON,
    )


OUTCOME_BYTES = 24


def _without(one: GamePart, as_dealt: KnockedOut, request: Request, path: Path) -> KnockedOut:
    """Return a simulation of the games without one component."""
    match, engine = as_dealt.match, as_dealt.match.engine
    if one.shorter:
        game = with_one_die_less(path, one.shorter)
        loaded = load_scenario(game, request.scenario, None, request.leveled)
        named = request.game.seated(request.loaded, request.line_up("cards"))
        return replace(as_dealt, match=match_of(game, loaded, named, match.seed))
    if one.values:
        loaded = load_scenario(match.game, request.scenario, None, {**request.leveled, **one.values})
        return replace(as_dealt, match=replace(match, scenario=loaded))
    if one.act is not None:
        return replace(as_dealt, acts=(one.act * engine.arguments, (one.act + 1) * engine.arguments))
    return replace(
        as_dealt, places=places_of(engine, one, as_dealt.seat, len(match.game.roles_in(match.scenario)))
    )


def _refuse_endless(way: KnockedOut, games: range) -> None:
    cut = sum(left_out.cut_off(chunk) for chunk in way.play(games))
    if 2 * cut > len(games):
        raise UsageError(f"{cut} of {len(games)} games do not end without this component")
