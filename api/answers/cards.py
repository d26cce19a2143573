"""`cards`: the deck with its sources, what each card in hand is worth, and how cards are used."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from bartizan.analyses.experiments import cards
from bartizan.api.answer import Answer, plain
from bartizan.api.answers.card_sheets import (
    check_target,
    is_card_sheet,
    method_lines,
    of_usage,
    of_values,
    write,
)
from bartizan.api.answers.sensitivity import sweep_of_same
from bartizan.api.caveats import assumed_lines, banner_lines, caveat, caveat_lines
from bartizan.api.playing import Effort
from bartizan.api.questions.in_games import CardsQuestion
from bartizan.api.reading import path_of
from bartizan.policies.request import Request, default_policy_words
from bartizan.reports.blocks import View
from bartizan.reports.render import terminal
from bartizan.reports.render.card_sheet import CardFinding
from bartizan.reports.text import changes
from bartizan.reports.views import cards as views
from bartizan.simcore.errors import UsageError, did_you_mean
from bartizan.simcore.game import Game, cards_of
from bartizan.simcore.play import cards as card_games
from bartizan.simcore.scenario.changes import changes_of
from bartizan.simcore.sweep.store import CARDS, Sweep, change_added

ONE_LINE_UP = "cards: name one policy (or P+Q, one for each seat)"


def answer(question: CardsQuestion) -> Answer:
    request, out = question.request(), path_of(question.out)
    assert request.loaded
    cards_of(request.game)
    if out is not None and is_card_sheet(out):
        check_target(request, out)
    if question.value and question.usage:
        raise UsageError("cards: --value or --usage, one at a time")
    for option, named in {"--seat": question.seat, "--against": question.against}.items():
        if named and not question.value:
            raise UsageError(f"cards: {option} goes with --value")
    if question.value:
        return value(question, request)
    if question.usage:
        return usage(question, request)
    for option, needless in {"--policy": question.policy, "-o": question.out}.items():
        if needless:
            raise UsageError(f"cards: {option} goes with --value or --usage; without them the deck is listed")
    return deck(request)


def deck(request: Request) -> Answer:
    """Every card as it is printed, and where that is known from."""
    game, s, cards = request.game, request.loaded, cards_of(request.game)
    rows = cards.table(s)
    document = {
        "schema": "bartizan.cards/1",
        "game": game.name,
        "title": s.model.title,
        "changes": changes_of(game, s),
        "scenario": s.name,
        "scenario_hash": s.hash,
        "difficulty": s.difficulty,
        **caveat(game, s),
        "value_is": cards.value,
        "sources": s.model.sources,
        "cards": [vars(row) for row in rows],
    }
    asking, who = f"bartizan cards {request.named}", default_policy_words(game, s)
    hints = []
    if cards.swap is not None:
        hints.append(f"\nNext: {asking} --value {who}: what is each card in hand worth?")
    if cards.note is not None:
        hints.append(f"      {asking} --usage {who}: how are they used?")

    def lines() -> Iterator[str]:
        scenario = [] if s.model.title.endswith(s.name) else [s.name]
        yield from banner_lines(game, document)
        yield f"{changes.titled(document, *scenario)}: {views.deck_head(rows)}"
        yield from views.deck(rows, cards.value)
        yield from (f"  {key}: {meaning}" for key, meaning in s.model.sources.items())

    return Answer(document, lines, hints=hints)


# ---------------------------------------------------------------- what a card is worth


def value(question: CardsQuestion, request: Request) -> Answer:
    """Play on with every card in hand."""
    effort, against, turn = question.effort(question.games), question.against, question.turn
    game, match, opened = _match(request, effort, path_of(question.out))
    seat = game.roles_in(request.loaded)[0] if question.seat is None else question.seat
    swaps = card_games.interventions_of(match, seat, turn)
    kinds = {name: kind for kind, name in swaps.kinds.items()}
    if against is not None and against not in kinds:
        raise UsageError(f"--against {against}: no such card{did_you_mean(against, kinds)}")
    effort.holds(2 * (1 + len(swaps.kinds)))  # the chunks, and all of them together
    effort.compiles(game, card_games.INTERVENTIONS)
    chunks = swaps.play(effort.games, effort.threads)
    watched = effort.watch.track(
        chunks, effort.games, card_games.INTERVENTION_CHUNK, "playing on with each card"
    )
    outcomes = np.concatenate(list(watched))
    base = None if against is None else kinds[against]
    costs = _costs_of(swaps)
    families = 2 if costs else 1  # values, and what they are for their price
    result = cards.card_values(outcomes, swaps.seat, swaps.kinds, base, families)
    if not result.reached:
        raise UsageError(
            f"--turn {turn}: in none of {effort.games:,} games does the {game.roles[swaps.seat]} seat get so "
            "many cards"
        )
    price = cards.card_prices(outcomes, swaps.seat, swaps.kinds, costs, base, families) if costs else None
    document = _value_document(swaps, result, outcomes, base, price)
    _keep(question, opened, "values", document, ("seat", "turn", "against"))
    more = f"\nNext: the same with --games {effort.games * 10}: intervals a third as wide"
    hints = [] if document.is_clear else [more]
    view = partial(views.value_view, document)
    written = _into_sheet(question, request, document, of_values(document), view())
    return _shown(game, document, view, [*written, *hints])


def _match(request: Request, effort: Effort, out: Path | None):
    """The game, the match, and the sweep to add to, if any."""
    cards_of(request.game)
    match = request.match(effort.seed, ONE_LINE_UP)
    return request.game, match, _folder_of(request, out)


def _folder_of(request: Request, out: Path | None) -> Sweep | None:
    """The sweep to add to; None where the answer goes into a sheet."""
    return sweep_of_same(out, request.game, request.loaded) if out and not is_card_sheet(out) else None


def _into_sheet(
    question: CardsQuestion,
    request: Request,
    document: views.ValueDocument | views.UsageDocument,
    found: Sequence[CardFinding],
    view: View,
) -> list[str]:
    """Write the designer's sheet where that is what -o names; what to say of it."""
    out = path_of(question.out)
    if out is None or not is_card_sheet(out):
        return []
    method = method_lines(document, [view.sentence, *view.findings], question.command_line())
    return write(request, found, method, out)


def _costs_of(swaps: card_games.Interventions) -> dict[int, int]:
    """Kind -> cards that it costs, of the kinds that cost cards."""
    rows = {row.name: row.cost for row in cards_of(swaps.match.game).table(swaps.match.scenario)}
    return {kind: cost for kind, name in swaps.kinds.items() if (cost := rows.get(name)) is not None}


def _value_document(
    swaps: card_games.Interventions,
    result: cards.CardValues,
    outcomes: np.ndarray,
    against: int | None,
    price: cards.Prices | cards.NoPrices | None,
) -> views.ValueDocument:
    match, seat, kinds = swaps.match, swaps.seat, swaps.kinds
    rivals = None
    if against is None and result.cards:
        rivals = cards.not_told_from_best(outcomes, seat, kinds, result.cards[0].card)
    return views.ValueDocument.about(
        "bartizan.card-value/1",
        match,
        match.scenario,
        **dict(result),
        seat=match.game.roles[seat],
        turn=swaps.card,
        not_told_from_best=rivals,
        price=price,
    )


# ---------------------------------------------------------------- how cards are used


def usage(question: CardsQuestion, request: Request) -> Answer:
    """Play, and count what becomes of each card."""
    effort = question.effort(question.games)
    game, match, opened = _match(request, effort, path_of(question.out))
    uses = card_games.card_usage_of(match)
    effort.compiles(game, card_games.CARD_USAGE)
    chunks = effort.watch.track(
        uses.play(effort.games, effort.threads), effort.games, card_games.USAGE_CHUNK, "playing"
    )
    result = cards.card_usage(chunks, uses.kinds, uses.uses, uses.printed_for)
    if not result.cards:
        raise UsageError(f"in none of {effort.games:,} games does a card come into a hand")
    document = views.UsageDocument.about("bartizan.card-usage/1", match, match.scenario, **dict(result))
    _keep(question, opened, "usage", document, ())
    view = partial(views.usage_view, document)
    written = _into_sheet(question, request, document, of_usage(document), view())
    return _shown(game, document, view, written)


def _shown(
    game: Game, document: views.PlayedCards, view: Callable[[], View], hints: Sequence[str] = ()
) -> Answer:
    """The caveat first: an answer about a reconstructed deck is about the reconstruction."""
    d = document.plain()

    def lines() -> Iterator[str]:
        yield from caveat_lines(game, d)
        yield from terminal.lines(view())
        yield from assumed_lines(game, d)

    return Answer(d, lines, view=view, hints=hints)


def _keep(
    question: CardsQuestion,
    opened: Sweep | None,
    what: str,
    document: views.PlayedCards,
    options: tuple[str, ...],
) -> None:
    """Into cards.json under `what`, in the place of an earlier answer to the same question: the same game,
    players and values of `asked`.
    """
    if opened is None:
        return

    def key(d: Mapping) -> tuple:
        keys = ("scenario_hash", "policies", "policy_weights", *options)
        return tuple(json.dumps(d[key], sort_keys=True) for key in keys)

    row = plain(document.model_copy(update={"command": question.command_line()}).plain())

    def with_row(before: dict) -> dict:
        kept = {key(d): d for d in [*before.get(what, []), row]}
        return {**before, "schema": "bartizan.card-values/1", what: list(kept.values())}

    path = change_added(opened, CARDS, with_row)
    question.watch.kept(path, f"; show it with: bartizan report {opened.folder}")
