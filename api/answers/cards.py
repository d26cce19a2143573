"""`cards`: the deck with its sources, effects of cards on wins, values of cards in hand, and use of cards."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from bartizan.analyses.experiments import cards
from bartizan.analyses.experiments import without as left_out
from bartizan.analyses.experiments.drawn_cards import DrawnCard, DrawnGames
from bartizan.analyses.experiments.trials import asked, bytes_of
from bartizan.analyses.statistics.intervals import FEW_GAMES
from bartizan.api.answer import Answer, plain
from bartizan.api.answers.card_sheets import (
    check_target,
    is_card_sheet,
    method_lines,
    of_usage,
    of_values,
    of_without,
    write,
)
from bartizan.api.answers.sensitivity import question_of, sweep_of_same
from bartizan.api.caveats import assumed_lines, banner_lines, caveat, caveat_lines
from bartizan.api.effort import Effort
from bartizan.api.question import flag_of
from bartizan.api.questions.in_games import CardsQuestion
from bartizan.api.reading import path_of, seat_of
from bartizan.policies.request import Request, default_policy_words, name_in_commands
from bartizan.reports.blocks import View
from bartizan.reports.document import PlayedMatch
from bartizan.reports.render import terminal
from bartizan.reports.render.card_sheet import CardFinding
from bartizan.reports.text import changes, words
from bartizan.reports.views import cards as views
from bartizan.simcore.errors import UsageError, as_spelled, did_you_mean
from bartizan.simcore.files import quoted
from bartizan.simcore.game import Game, cards_of
from bartizan.simcore.play import cards as card_games
from bartizan.simcore.play import held_cards, knockout
from bartizan.simcore.play import without as without_games
from bartizan.simcore.play.batch import BATCH, play_games
from bartizan.simcore.play.match import Match
from bartizan.simcore.reporting import Reporting
from bartizan.simcore.scenario.changes import changes_of
from bartizan.simcore.scenario.loading import Scenario
from bartizan.simcore.sweep.store import CARD_SCHEMA, CARDS, Sweep, change_added


def answer(question: CardsQuestion) -> Answer:
    out = path_of(question.out)
    lists = not (question.value or question.usage or question.without or question.pairs or out)
    if lists and question.has("player"):  # before it is trained
        raise _without_question("--player")
    request = question.request()
    assert request.loaded
    from bartizan.api.answers.components import components, has_components  # imports this module

    if has_components(request):
        return components(question, request)
    cards_of(request.game)
    if out is not None and is_card_sheet(out):
        check_target(request, out)
    if question.value + question.usage + question.without + question.pairs > 1:
        raise UsageError("cards: give only one of --value, --usage, --without and --pairs")
    if question.pairs and out is not None:
        raise UsageError("cards: --pairs does not support -o; use --json to print the full result")
    if question.without:
        return without(question, request)
    if question.value:
        return value(question, request)
    if question.usage:
        return usage(question, request)
    if question.pairs:
        from bartizan.api.answers.card_pairs import pairs  # imports this module

        return pairs(question, request)
    if out is not None and is_card_sheet(out):
        from bartizan.api.answers.card_table import whole_sheet  # imports this module

        return whole_sheet(question, request, out)
    if out is not None:
        raise UsageError("cards: -o requires --value, --usage or --without, or a sheet (.csv or .xlsx)")
    for name in ("policy", "games", "seed"):
        if question.has(name):
            raise _without_question(flag_of(name))
    return deck(request)


def _without_question(option: str) -> UsageError:
    return UsageError(
        f"cards: {option} requires --value, --usage, --without or --pairs; without them, the command lists "
        "the deck"
    )


def deck(request: Request) -> Answer:
    """List every card as printed, with its source."""
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
    asking, who = f"bartizan cards {quoted(request.named)}", default_policy_words(game, s)
    hints = []
    if cards.take_away is not None or cards.copies(s):
        hints.append(f"{asking} --without {who}: which kinds matter for wins?")
        hints.append(f"{asking} --pairs {who}: which kinds reinforce each other?")
    if cards.swap is not None:
        hints.append(f"{asking} --value {who}: what is each card in hand worth?")
    if cards.note is not None or cards.holdings is not None:
        hints.append(f"{asking} --usage {who}: how are the cards used?")
    hints = [f"{'      ' if i else chr(10) + 'Next: '}{hint}" for i, hint in enumerate(hints)]

    def lines() -> Iterator[str]:
        scenario = [] if s.model.title.endswith(s.name) else [s.name]
        yield from banner_lines(game, document)
        yield f"{changes.titled(document, *scenario)}: {views.deck_head(rows)}"
        yield from views.deck(rows, cards.value)
        yield from (f"  {key}: {meaning}" for key, meaning in s.model.sources.items())

    return Answer(document, lines, hints=hints)


# ---------------------------------------------------------------- what a card is worth


FAMILIES = 2  # values, and residuals from the line of value against cost


def value(question: CardsQuestion, request: Request) -> Answer:
    """Estimate the value of every card in hand by rollouts.

    Raises UsageError for an unknown card in `--against`, and for a `--turn` that no game reaches.
    """
    effort = question.effort(question.games or USUAL_GAMES)
    against, turn = question.against, question.turn
    game, match, opened = _match(request, effort, path_of(question.out))
    seat = game.roles_in(request.loaded)[0] if question.seat is None else question.seat
    swaps = held_cards.hand_changes_of(match, seat, turn)
    kinds = {name: kind for kind, name in swaps.kinds.items()}
    if against is not None and against not in kinds:
        raise UsageError(f"--against {against}: no such card{did_you_mean(against, kinds)}")
    effort.holds(2 * (1 + len(swaps.kinds)))  # the chunks, and their concatenation
    effort.compiles(game, swaps.loop)
    volume = volume_of(question, effort, lambda games: list(swaps.play(range(games), effort.workers)))
    effort = replace(effort, games=volume.games)
    chunks = swaps.play(range(effort.games), effort.workers)
    watched = effort.watch.track(
        chunks, effort.games, card_games.INTERVENTION_CHUNK, "simulating with each card"
    )
    outcomes, scores = _winners_and_scores(game, np.concatenate(list(watched)))
    base = None if against is None else kinds[against]
    costs, unit = _costs_of(swaps, question.cost) if scores is None else ({}, "")
    price = cards.card_prices(outcomes, swaps.seat, swaps.kinds, costs, base, FAMILIES) if costs else None
    families = FAMILIES if isinstance(price, cards.Prices) else 1
    result = cards.card_values(outcomes, swaps.seat, swaps.kinds, base, families, scores)
    if not result.reached:
        raise UsageError(
            f"--turn {turn}: the {game.roles[swaps.seat]} seat does not draw cards {turn} times in any of "
            f"{effort.games:,} games; write a smaller number"
        )
    if isinstance(price, cards.Prices) and unit:
        price = price.model_copy(update={"unit": unit})
    document = _value_document(swaps, result, outcomes, base, price)
    _keep(question, opened, "values", document, ("seat", "turn", "against"))
    more = f"\nNext: run it again with --games {effort.games * 10} for intervals one third as wide"
    hints = [] if document.is_clear else [more]
    view = partial(views.value_view, document)
    written = _into_sheet(question, request, document, of_values(document), view())
    return shown(game, document, view, [*written, *hints])


def _match(request: Request, effort: Effort, out: Path | None) -> tuple[Game, Match, Sweep | None]:
    cards_of(request.game)
    match = request.match(effort.seed, "cards")
    return request.game, match, _folder_of(request, out)


def _folder_of(request: Request, out: Path | None) -> Sweep | None:
    """Return the sweep to which the result is added; None without `out` or if `out` is a sheet of cards."""
    return sweep_of_same(out, request.game, request.loaded) if out and not is_card_sheet(out) else None


def _into_sheet(
    question: CardsQuestion,
    request: Request,
    document: views.ValueDocument | views.UsageDocument | views.WithoutDocument,
    found: Sequence[CardFinding],
    view: View,
) -> list[str]:
    """Write the findings into a copy of the designer's sheet if `-o` names a sheet.

    Returns the lines of the message, or [] if `-o` names something else.
    """
    out = path_of(question.out)
    if out is None or not is_card_sheet(out):
        return []
    method = method_lines(document, [view.sentence, *view.findings], question.command_line(), out)
    return write(request, found, method, out)


def _winners_and_scores(game: Game, outcomes: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
    """Return the winners of the games, and the scores if cards are valued by score (otherwise None).

    Scores are used for a game with one side that wins none or all of the unchanged games.
    """
    if outcomes.ndim == 2:
        return outcomes, None
    winners, scores = outcomes[:, :, 0].astype(np.int8), outcomes[:, :, 1]
    reporting = game.compiled.reporting or Reporting()
    is_by_score = reporting.has_score and len(game.roles) == 1 and (winners[:, 0] == 0).mean() in (0, 1)
    return winners, reporting.in_points(scores) if is_by_score else None


COST_COLUMNS = (
    *("cost", "price", "kosten", "preis", "coût", "prix"),
    *("costo", "prezzo", "coste", "precio", "prijs"),
)


def _costs_of(swaps: card_games.Interventions, column: str | None) -> tuple[dict[int, float], str]:
    """Return the cost of each kind that has a cost, and the name of the cost column.

    If no column gives costs, the name is "" and costs are numbers of cards paid from the hand (`CardRow`).
    Raises UsageError for an unknown column.
    """
    of, s = cards_of(swaps.match.game), swaps.match.scenario
    columns = of.columns(s)
    column = column and as_spelled(column, columns)
    if column is not None and column not in columns:
        has = f"the columns are {', '.join(columns)}" if columns else "the cards have no columns"
        raise UsageError(f"--cost {column}: no such column of cards{did_you_mean(column, columns)}: {has}")
    for named in [column] if column else COST_COLUMNS:
        if named in columns:
            return {kind: columns[named][kind] for kind in swaps.kinds if kind in columns[named]}, named
    rows = {row.name: row.cost for row in of.table(s)}
    return {kind: cost for kind, name in swaps.kinds.items() if (cost := rows.get(name)) is not None}, ""


def _value_document(
    swaps: card_games.Interventions,
    result: cards.CardValues,
    outcomes: np.ndarray,
    against: int | None,
    price: cards.Prices | cards.NoPrices | None,
) -> views.ValueDocument:
    match, seat, kinds = swaps.match, swaps.seat, swaps.kinds
    rivals = None
    if against is None and result.cards and result.by == "wins":
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
        caveat=_if_no_hands(match, VALUE_IN_PILES),
    )


VALUE_IN_PILES = (
    "When a player gets cards, the top card of the first of these piles that is not empty is exchanged. It "
    "may be another card"
)
USE_IN_PILES = (
    "So no use is shown; if players play cards from one of these, declare it as a hand: hand = Hand(deck)"
)


def _if_no_hands(match: Match, why: str) -> str | None:
    """Return a note on the piles that count as hands, ending in `why`; None for a game with hands."""
    piles = cards_of(match.game).piles_for_hands
    return f"The game has no hands; players hold cards in {words.listing([*piles])}. {why}" if piles else None


# ---------------------------------------------------------------- which cards carry the wins

USUAL_GAMES = 2000
FEWEST_GAMES = 100
PATIENCE = 45.0  # maximum seconds of an answer without a given number of games
PILOT = 2.0  # seconds of games that estimate the duration of all games
LONG = 15.0  # seconds from which a first look is shown, after one game in EARLY
EARLY = 10


def without(question: CardsQuestion, request: Request) -> Answer:
    """Measure the effect of each kind of card by removing it, from one seat or from all players."""
    opened = _folder_of(request, path_of(question.out))
    document = without_document(question, request)
    _keep(question, opened, "without", document, ("whose", "seat"))
    view = partial(views.without_view, document)
    written = _into_sheet(question, request, document, of_without(document), view())
    more = more_games(bool(document.named) or not document.cards, document.games)
    return shown(request.game, document, view, [*written, *more])


def without_document(question: CardsQuestion, request: Request) -> views.WithoutDocument:
    of = cards_of(request.game)
    if question.everybody and of.take_away and of.holdings is None and not of.copies(request.loaded):
        return _nobody_has(question, request)
    if (paths := removable(question, request)) is None:
        return _one_seat_without(question, request)
    return _everybody_without(question, request, paths)


def removable(question: CardsQuestion, request: Request) -> dict[str, str] | None:
    """Map the name of each removable kind to the scenario path of its number of copies.

    Returns None if one seat plays without the cards instead. Raises UsageError if no kind can be removed, and
    for a seat that cannot be chosen.
    """
    game, s, of = request.game, request.loaded, cards_of(request.game)
    names, paths = of.kinds(s), of.copies(s)
    if game.alike and of.take_away is not None and not question.everybody:
        return None
    if question.seat:
        raise UsageError(
            "cards: --seat requires identical seats, so that one player can play without a card; "
            "remove --seat"
        )
    if removable := {names[kind]: path for kind, path in paths.items() if kind in names}:
        return removable
    raise UsageError(
        f"{game.name}: the numbers of copies are not scenario values, so no kind of card can be removed; "
        'in a short game, declare the deck as a list or a sheet, Deck("cards.csv")'
    )


def more_games(named: bool, games: int) -> list[str]:
    """Return a suggestion to simulate ten times as many games; [] if `named` is true.

    named: whether these games already show an effect.
    """
    if named:
        return []
    return [f"\nNext: run it again with --games {games * 10} for intervals one third as wide"]


@dataclass(frozen=True)
class SeatWithout:
    """The seat that plays without some cards, and the kinds of card that can be removed from it."""

    match: Match
    seat: int
    kinds: dict[int, str]

    @property
    def caveat(self) -> str | None:
        return if_chosen(self.match, self.seat)

    def without(self, ways: Sequence[tuple[int, ...]] = ()) -> without_games.Without:
        return without_games.Without(self.match, self.seat, self.kinds, tuple(ways))


def if_chosen(match: Match, seat: int = 0, is_removed: bool = False) -> str | None:
    """Return a warning that worth does not measure the choice of cards; None if players choose none.

    is_removed: whether the deck lacks the kind, instead of an exchange of the cards that a player gets.
    """
    if not (acts := cards_of(match.game).chosen_with):
        return None
    policies = [player.name for player in match.players]
    policies[seat] = "NEW"
    why = (
        "Without the kind, nobody can choose it and other cards are on offer"
        if is_removed
        else "What this costs and gives at once happens before another card replaces the card"
    )
    return (
        f"Players choose cards with {words.listing([*acts], 'or')}. {why}, so worth is not the effect of "
        "never choosing (or buying) the card. To measure it, write a policy NEW that never chooses it, and "
        f"run bartizan compare {quoted(name_in_commands(match.game))} --change policy={'+'.join(policies)}"
    )


def one_seat(question: CardsQuestion, request: Request, effort: Effort) -> SeatWithout:
    of, s, game = cards_of(request.game), request.loaded, request.game
    match = request.match(effort.seed, "cards")
    roles = game.roles_in(s)
    seat = seat_of(question.seat, game.name, roles)
    effort.compiles(game, without_games.WITHOUT)
    return SeatWithout(match, seat, (of.owned or of.kinds)(s))


def _one_seat_without(question: CardsQuestion, request: Request) -> views.WithoutDocument:
    of, s, game = cards_of(request.game), request.loaded, request.game
    copies, paths = {row.name: row.copies for row in of.table(s)}, of.copies(s)
    effort = question.effort(question.games or USUAL_GAMES)
    one = one_seat(question, request, effort)
    taking, kinds = one.without(), one.kinds
    volume = volume_of(question, effort, lambda games: list(taking.play(range(games), effort.workers)))
    effort.holds(2 * (1 + len(kinds)), volume.games)

    def played(games: int) -> left_out.CardsWithout:
        chunks = taking.play(range(games), effort.workers)
        watched = effort.watch.track(chunks, games, without_games.CHUNK, "simulating without each kind")
        outcomes = np.concatenate(list(watched))
        return left_out.taken_from_one(outcomes, taking.seat, kinds, copies, paths)

    about = partial(_without_document, one.match, s, game.roles[taking.seat], caveat=one.caveat)
    return _twice(effort, volume, played, about)


def _nobody_has(question: CardsQuestion, request: Request) -> views.WithoutDocument:
    """Return the effect of each kind in a deck whose numbers of copies are not scenario values.

    Instead of being removed from the deck, each card of the kind is replaced when a player receives it.
    """
    if question.seat:
        raise UsageError("--seat and --everybody are mutually exclusive; use one")
    of, s = cards_of(request.game), request.loaded
    effort = question.effort(question.games or USUAL_GAMES)
    as_dealt = knockout.WithoutCard(request.match(effort.seed, "cards"))
    effort.compiles(request.game, knockout.WITHOUT_CARD)
    kinds = {knockout.NO_KIND: "", **(of.owned or of.kinds)(s)}
    volume = volume_of(
        question, effort, lambda games: list(as_dealt.play(range(games * len(kinds)), effort.workers))
    )

    def played(games: int) -> left_out.CardsWithout:
        ways = (replace(as_dealt, kind=kind).play(range(games), effort.workers) for kind in kinds)
        outcomes = (np.concatenate(list(way)) for way in ways)
        watched = effort.watch.track(outcomes, games * len(kinds), games, "simulating without each kind")
        base, *without = watched
        copies = {row.name: row.copies for row in of.table(s)}
        return left_out.taken_from_hands(
            base, dict(zip([*kinds.values()][1:], without, strict=True)), copies, 0
        )

    about = partial(_without_document, as_dealt.match, s, "", caveat=if_chosen(as_dealt.match))
    return _twice(effort, volume, played, about)


def _everybody_without(
    question: CardsQuestion, request: Request, paths: Mapping[str, str]
) -> views.WithoutDocument:
    effort = question.effort(question.games or USUAL_GAMES)
    game, condition, s = question_of(request, effort, "cards")
    has_score = (game.compiled.reporting or Reporting()).has_score
    effort.compiles(game, BATCH)
    match = condition.matches(condition.load({}))[0]
    seatings = len(condition.seatings())
    each = (1 + len(paths)) * seatings
    volume = volume_of(
        question, effort, lambda games: list(play_games(match, range(games * each), effort.workers))
    )
    effort.holds(2 * bytes_of(game.compiled), volume.games * seatings)

    def played(games: int) -> left_out.CardsWithout:
        with effort.source(game) as source:
            one = replace(condition, games=games)
            return asked(lambda: left_out.taken_from_all(one, paths, has_score, source))

    caveat = if_chosen(match, is_removed=True)
    return _twice(effort, volume, played, partial(_without_document, condition, s, "", caveat=caveat))


def _without_document(
    played: PlayedMatch, s: Scenario, seat: str, result: left_out.CardsWithout, caveat: str | None = None
) -> views.WithoutDocument:
    schema = "bartizan.cards-without/1"
    return views.WithoutDocument.about(schema, played, s, **dict(result), seat=seat, caveat=caveat)


# ---------------------------------------------------------------- how many games


@dataclass(frozen=True)
class Volume:
    """Number of games per kind, and the estimated time of the simulation in seconds."""

    games: int
    seconds: float


def volume_of(question: CardsQuestion, effort: Effort, play: Callable[[int], object]) -> Volume:
    """Return the number of games to simulate with all kinds of cards and without each, and the seconds.

    The default is 2,000 games or, if these would take more than 45 s, a smaller round number of at least 100.

    play: function that simulates a given number of games with all kinds and without each kind.
    """
    if question.games is not None and question.games < EARLY * FEW_GAMES:
        return Volume(question.games, 0.0)  # too few for a first look, so their duration does not matter
    played, begun = 0, perf_counter()
    while not played or (perf_counter() - begun < PILOT and played < USUAL_GAMES / 20):
        play(games := max(played, 1))
        played += games
    pace = max(perf_counter() - begun, 1e-9) / played
    if question.games is not None:
        return Volume(question.games, question.games * pace)
    games = next((n for n in (USUAL_GAMES, 1000, 500, 200) if n * pace <= PATIENCE), FEWEST_GAMES)
    if games < USUAL_GAMES:
        effort.watch.note(
            f"simulating {games:,} games, because {USUAL_GAMES:,} would take about "
            f"{USUAL_GAMES * pace / 60:.0f} minutes here; set another number with --games"
        )
    return Volume(games, games * pace)


def _twice(
    effort: Effort,
    volume: Volume,
    played: Callable[[int], left_out.CardsWithout],
    about: Callable[[left_out.CardsWithout], views.WithoutDocument],
) -> views.WithoutDocument:
    """Simulate all games, and return the result.

    If the simulation takes long, a tenth of the games is simulated first, and a note reports their result.
    """
    if volume.seconds > LONG and volume.games >= EARLY * FEW_GAMES:
        early = about(played(volume.games // EARLY))
        effort.watch.note(f"first look, {early.games:,} games: {views.leading(early)}")
    return about(played(volume.games))


# ---------------------------------------------------------------- how cards are used


def usage(question: CardsQuestion, request: Request) -> Answer:
    """Simulate games and count how each card is used.

    Raises UsageError if no player holds a card in any game.
    """
    opened = _folder_of(request, path_of(question.out))
    document = usage_document(question, request)
    if not document.cards and not any(card.drew for card in document.drawn or ()):
        raise UsageError(
            f"no player holds a card in any of the {document.games:,} games; use more --games, or --without"
        )
    _keep(question, opened, "usage", document, ())
    view = partial(views.usage_view, document)
    written = _into_sheet(question, request, document, of_usage(document), view())
    return shown(request.game, document, view, written)


def usage_document(question: CardsQuestion, request: Request) -> views.UsageDocument:
    effort = question.effort(question.games or USUAL_GAMES)
    match = request.match(effort.seed, "cards")
    if cards_of(request.game).note is None:
        return _usage_of_held(match, effort)
    uses = card_games.card_usage_of(match)
    effort.compiles(match.game, card_games.CARD_USAGE)
    chunks = effort.watch.track(
        uses.play(range(effort.games), effort.workers), effort.games, card_games.USAGE_CHUNK, "playing"
    )
    result = cards.card_usage(chunks, uses.kinds, uses.uses, uses.printed_for)
    about = partial(views.UsageDocument.about, "bartizan.card-usage/1", match, match.scenario, **dict(result))
    if cards_of(match.game).holdings is None:
        return about()
    return about(declared=True, drawn=_who_wins_with(match, effort, uses.kinds))


def _who_wins_with(match: Match, effort: Effort, kinds: dict[int, str]) -> list[DrawnCard]:
    """Simulate the same games again, and return the win rates of players who drew each card."""
    effort.compiles(match.game, held_cards.DRAWING)
    chunks = held_cards.DrawingGames(match, kinds).play(range(effort.games), effort.workers)
    watched = effort.watch.track(chunks, effort.games, held_cards.CHUNK, "playing")
    seats, games = len(match.game.roles_in(match.scenario)), DrawnGames(len(kinds))
    for drew, winners in watched:
        games.add(drew, winners, seats)
    return games.cards(kinds.values())


def _usage_of_held(match: Match, effort: Effort) -> views.UsageDocument:
    """Return the use of cards in a game with `holdings` instead of `note`, and win rates by drawn card."""
    watched = held_cards.held_cards_of(match)
    effort.compiles(match.game, held_cards.HELD_CARDS)
    seats, games = len(match.game.roles_in(match.scenario)), DrawnGames(len(watched.kinds))

    def ends() -> Iterator[np.ndarray]:
        chunks = watched.play(range(effort.games), effort.workers)
        for chunk in effort.watch.track(chunks, effort.games, held_cards.CHUNK, "playing"):
            games.add(chunk.drew, chunk.winners, seats)
            yield chunk.ends[:, columns]

    using = cards_of(match.game).used_by(match.scenario)
    in_hand = {kind: name for kind, name in watched.kinds.items() if using[kind]}
    columns = [at for at, kind in enumerate(watched.kinds) if kind in in_hand]
    result = cards.card_usage(ends(), in_hand, watched.uses, watched.printed_for).without_idle_uses()
    caveat = _if_no_hands(match, USE_IN_PILES)
    drawn = games.cards(watched.kinds.values())
    by = "owned" if caveat else None
    return views.UsageDocument.about(
        "bartizan.card-usage/1", match, match.scenario, **dict(result), drawn=drawn, by=by, caveat=caveat
    )


def shown(
    game: Game, document: views.PlayedCards, view: Callable[[], View], hints: Sequence[str] = ()
) -> Answer:
    """Return an answer from its document and view. The caveat of a reconstructed deck comes first."""
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
    """Save the result in the sweep's cards.json under the key `what`; do nothing without a sweep (`opened`).

    The result replaces an earlier result for the same question: the same game, players and values of
    `options`.
    """
    if opened is None:
        return

    def key(d: Mapping[str, Any]) -> tuple[str, ...]:
        keys = ("scenario_hash", "policies", "policy_weights", *options)
        return tuple(json.dumps(d[key], sort_keys=True) for key in keys)

    row = plain(document.model_copy(update={"command": question.command_line()}).plain())

    def with_row(before: dict[str, Any]) -> dict[str, Any]:
        kept = {key(d): d for d in [*before.get(what, []), row]}
        return {**before, "schema": CARD_SCHEMA, what: list(kept.values())}

    path = change_added(opened, CARDS, with_row)
    question.watch.kept(path, f"; show it with: bartizan report {quoted(opened.folder)}")
