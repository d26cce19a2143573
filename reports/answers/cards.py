"""`cards`: the deck with its sources, what each card in hand is worth, and how cards are used."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from bartizan.analyses.experiments import card_price, card_usage, card_value
from bartizan.policies.request import Request, default_policy_words
from bartizan.reports.answers.answer import Answer, Effort, assumed_lines, caveat, caveat_lines, plain
from bartizan.reports.answers.sensitivity import sweep_of_same
from bartizan.reports.blocks import View
from bartizan.reports.render import terminal
from bartizan.reports.text import changes
from bartizan.reports.views import cards as views
from bartizan.simcore.errors import UsageError, did_you_mean
from bartizan.simcore.game import Game, cards_of
from bartizan.simcore.play import card_usage as usages
from bartizan.simcore.play import interventions
from bartizan.simcore.play.interventions import Interventions
from bartizan.simcore.scenario.changes import changes_of
from bartizan.simcore.sweep.store import CARDS, Sweep, read_added, write_added

ONE_LINE_UP = "cards: name one policy (or P+Q, one for each seat)"


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
    return Answer(document, lambda: _deck_lines(game, document, rows), hints=hints)


def _scenario(d: Mapping) -> list[str]:
    """Its name, unless the title has it already."""
    return [] if d["title"].endswith(d["scenario"]) else [d["scenario"]]


def _deck_lines(game: Game, d: Mapping, rows) -> Iterator[str]:
    yield from caveat_lines(game, {key: d[key] for key in d if key != "changes"})
    yield f"{changes.titled(d, *_scenario(d))}: {views.deck_head(rows)}"
    yield from views.deck(rows, d["value_is"])
    yield from (f"  {key}: {meaning}" for key, meaning in d["sources"].items())


# ---------------------------------------------------------------- what a card is worth


def value(
    request: Request,
    effort: Effort,
    seat: str | None = None,
    turn: int = 1,
    against: str | None = None,
    out: Path | None = None,
    asked: str = "",
) -> Answer:
    """Play on with every card in hand. turn: which of the cards that the seat gets, from 1; against: a card
    to compare with, None for the card as dealt; out: a sweep's folder, for its report; asked: the command
    line.
    """
    game, match, opened = _match(request, effort, out)
    swaps = interventions.interventions_of(
        match, game.roles_in(request.loaded)[0] if seat is None else seat, turn
    )
    kinds = {name: kind for kind, name in swaps.kinds.items()}
    if against is not None and against not in kinds:
        raise UsageError(f"--against {against}: no such card{did_you_mean(against, kinds)}")
    effort.compiles(game, interventions.INTERVENTIONS)
    chunks = swaps.play(effort.games, effort.threads)
    watched = effort.watch.track(chunks, effort.games, interventions.CHUNK_GAMES, "playing on with each card")
    outcomes = np.concatenate(list(watched))
    base = None if against is None else kinds[against]
    result = card_value.card_values(outcomes, swaps.seat, swaps.kinds, base)
    if not result.reached:
        raise UsageError(
            f"--turn {turn}: in none of {effort.games:,} games does the {game.roles[swaps.seat]} seat get so "
            "many cards"
        )
    document = _value_document(swaps, result, outcomes, base, asked)
    _keep(opened, "values", document, ("seat", "turn", "against"), effort, out)
    hints = [] if document.is_clear else [_more_games(effort.games)]
    return _shown(game, document, views.value_view(document), hints)


def _more_games(games: int) -> str:
    return f"\nNext: the same with --games {games * 10}: intervals a third as wide"


def _match(request: Request, effort: Effort, out: Path | None):
    """The game, the match, and the sweep to add to, if any."""
    cards_of(request.game)
    match = request.match(effort.seed, ONE_LINE_UP)
    return request.game, match, sweep_of_same(out, request.game, request.loaded) if out else None


def _value_document(
    swaps: Interventions,
    result: card_value.CardValues,
    outcomes: np.ndarray,
    against: int | None,
    command: str,
) -> views.ValueDocument:
    """The values, and what they are for their price where cards cost cards."""
    match, seat, kinds = swaps.match, swaps.seat, swaps.kinds
    rows = {row.name: row.cost for row in cards_of(match.game).table(match.scenario)}
    costs = {kind: cost for kind, name in kinds.items() if (cost := rows.get(name)) is not None}
    rivals = None
    if against is None and result.cards:
        rivals = card_value.not_told_from_best(outcomes, seat, kinds, result.cards[0].card)
    return views.ValueDocument.about(
        "bartizan.card-value/1",
        match,
        match.scenario,
        **dict(result),
        seat=match.game.roles[seat],
        turn=swaps.card,
        not_told_from_best=rivals,
        price=card_price.card_prices(outcomes, seat, kinds, costs, against) if costs else None,
        command=command,
    )


# ---------------------------------------------------------------- how cards are used


def usage(request: Request, effort: Effort, out: Path | None = None, asked: str = "") -> Answer:
    """Play, and count what becomes of each card. out: a sweep's folder, for its report; asked: the command
    line.
    """
    game, match, opened = _match(request, effort, out)
    uses = usages.card_usage_of(match)
    effort.compiles(game, usages.CARD_USAGE)
    chunks = effort.watch.track(
        uses.play(effort.games, effort.threads), effort.games, usages.CHUNK_GAMES, "playing"
    )
    result = card_usage.card_usage(chunks, uses.kinds, uses.uses, uses.printed_for)
    if not result.cards:
        raise UsageError(f"in none of {effort.games:,} games does a card come into a hand")
    document = views.UsageDocument.about(
        "bartizan.card-usage/1", match, match.scenario, **dict(result), command=asked
    )
    _keep(opened, "usage", document, (), effort, out)
    return _shown(game, document, views.usage_view(document))


def _shown(game: Game, document: views.PlayedCards, view: View, hints: Sequence[str] = ()) -> Answer:
    """A kept answer says which command made it; who has just typed it knows."""
    d = document.model_copy(update={"command": None}).plain()

    def lines() -> Iterator[str]:
        yield from caveat_lines(game, d)
        yield from terminal.lines(view)
        yield from assumed_lines(game, d)

    return Answer(d, lines, hints=hints)


def _keep(
    opened: Sweep | None,
    what: str,
    document: views.PlayedCards,
    asked: tuple[str, ...],
    effort: Effort,
    out: Path | None,
) -> None:
    """Into cards.json under `what`, in the place of an earlier answer to the same question: the same game,
    players and values of `asked`.
    """
    if opened is None:
        return

    def question(d: Mapping) -> tuple:
        keys = ("scenario_hash", "policies", "policy_weights", *asked)
        return tuple(json.dumps(d[key], sort_keys=True) for key in keys)

    there = read_added(opened, CARDS)
    kept = {question(d): d for d in [*there.get(what, []), plain(document.plain())]}
    added = {**there, "schema": "bartizan.card-values/1", what: list(kept.values())}
    path = write_added(opened, CARDS, added)
    effort.watch.kept(path, f"; show it with: bartizan report {out}")
