"""`cards`: the deck with its sources, what each card in hand is worth, and how cards are used."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from bartizan.analyses.experiments import card_price, card_usage, card_value
from bartizan.policies.request import Request, default_policy_words
from bartizan.reports.answers.answer import Answer, Effort, assumed_lines, caveat, caveat_lines, plain
from bartizan.reports.answers.sensitivity import sweep_of_same
from bartizan.reports.text import card_text, changes, played
from bartizan.simcore.errors import UsageError, did_you_mean
from bartizan.simcore.game import Game, cards_of
from bartizan.simcore.play import cards as games_with_cards
from bartizan.simcore.play.cards import Interventions
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
    yield f"{changes.titled(d, *_scenario(d))}: {card_text.deck_head(rows)}"
    yield from card_text.deck(rows, d["value_is"])
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
    swaps = games_with_cards.interventions_of(
        match, game.roles_in(request.loaded)[0] if seat is None else seat, turn
    )
    kinds = {name: kind for kind, name in swaps.kinds.items()}
    if against is not None and against not in kinds:
        raise UsageError(f"--against {against}: no such card{did_you_mean(against, kinds)}")
    effort.compiles(game, games_with_cards.INTERVENTIONS)
    chunks = swaps.play(effort.games, effort.threads)
    watched = effort.watch.track(
        chunks, effort.games, games_with_cards.INTERVENTION_CHUNK, "playing on with each card"
    )
    outcomes = np.concatenate(list(watched))
    base = None if against is None else kinds[against]
    found = card_value.card_values(outcomes, swaps.seat, swaps.kinds, base)
    if not found.reached:
        raise UsageError(
            f"--turn {turn}: in none of {effort.games:,} games does the {game.roles[swaps.seat]} seat get so "
            "many cards"
        )
    document = _value_document(swaps, found, outcomes, base)
    _keep(opened, "values", document | {"command": asked}, ("seat", "turn", "against"), effort, out)
    hints = [] if card_text.is_clear(document) else [_more_games(effort.games)]
    return Answer(document, lambda: _card_lines(game, document, card_text.values), hints=hints)


def _more_games(games: int) -> str:
    return f"\nNext: the same with --games {games * 10}: intervals a third as wide"


def _match(request: Request, effort: Effort, out: Path | None):
    """The game, the match, and the sweep to add to, if any."""
    cards_of(request.game)
    match = request.match(effort.seed, ONE_LINE_UP)
    return request.game, match, sweep_of_same(out, request.game, request.loaded) if out else None


def _value_document(swaps: Interventions, found, outcomes: np.ndarray, against: int | None) -> dict:
    """The values, and what they are for their price where cards cost cards."""
    match = swaps.match
    rows = {row.name: row.cost for row in cards_of(match.game).table(match.scenario)}
    costs = {kind: rows[name] for kind, name in swaps.kinds.items() if rows.get(name) is not None}
    told = {}
    if against is None and found.values:
        best = found.values[0].kind
        told = {"not_told_from_best": card_value.not_told_from_best(outcomes, swaps.seat, swaps.kinds, best)}
    price = {}
    if costs:
        prices = card_price.card_prices(outcomes, swaps.seat, swaps.kinds, costs, against)
        price = {"price": card_price.to_document(prices)}
    return {
        "schema": "bartizan.card-value/1",
        **played.head(match, match.scenario),
        "seat": match.game.roles[swaps.seat],
        "turn": swaps.card,
        **card_value.to_document(found),
        **told,
        **price,
        **_tail(match, card_value.RESTS_ON),
    }


def _tail(match, rests_on: str) -> dict:
    return {"rests_on": rests_on, **played.tail(match.scenario), **caveat(match.game, match.scenario)}


# ---------------------------------------------------------------- how cards are used


def usage(request: Request, effort: Effort, out: Path | None = None, asked: str = "") -> Answer:
    """Play, and count what becomes of each card. out: a sweep's folder, for its report; asked: the command
    line.
    """
    game, match, opened = _match(request, effort, out)
    uses = games_with_cards.card_usage_of(match)
    effort.compiles(game, games_with_cards.CARD_USAGE)
    chunks = effort.watch.track(
        uses.play(effort.games, effort.threads), effort.games, games_with_cards.USAGE_CHUNK, "playing"
    )
    found = card_usage.card_usage(chunks, uses.kinds, uses.uses, uses.printed_for)
    if not found.kinds:
        raise UsageError(f"in none of {effort.games:,} games does a card come into a hand")
    document = {
        "schema": "bartizan.card-usage/1",
        **played.head(match, match.scenario),
        **card_usage.to_document(found, uses.uses),
        **_tail(match, card_usage.RESTS_ON),
    }
    _keep(opened, "usage", document | {"command": asked}, (), effort, out)
    return Answer(document, lambda: _card_lines(game, document, card_text.usage))


def _card_lines(game: Game, d: Mapping, lines) -> Iterator[str]:
    yield from caveat_lines(game, d)
    yield from lines(d)
    yield from assumed_lines(game, d)


def _keep(
    opened: Sweep | None, what: str, document: dict, asked: tuple[str, ...], effort: Effort, out: Path | None
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
    kept = {question(d): d for d in [*there.get(what, []), plain(document)]}
    added = {**there, "schema": "bartizan.card-values/1", what: list(kept.values())}
    path = write_added(opened, CARDS, added)
    effort.watch.kept(path, f"; show it with: bartizan report {out}")
