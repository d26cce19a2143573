"""When and why games are lost: the finding, a table by turn, and selected games."""

import shlex
from collections.abc import Iterator, Sequence

from bartizan.analyses.document import optional
from bartizan.analyses.experiments.losses import ChosenGame, LossAnalysis, TurnLosses
from bartizan.analyses.statistics.intervals import Interval, with_truncated
from bartizan.reports import entries
from bartizan.reports.blocks import Block, Entry, Figure, Hint, Lines, Table, View
from bartizan.reports.document import PlayedDocument, setting_of
from bartizan.reports.figures import curves
from bartizan.reports.figures.theme import CLEAR, LOST_COLOUR
from bartizan.reports.text import estimates, sentences, words
from bartizan.simcore.play.match import Match

MOST_TURNS = 30  # rows of the table; longer games have several turns per row
MOST_CAUSES = 5
FEW_LEFT = 100  # turns reached by fewer than 1 in FEW_LEFT games are left out
KINDS = {"typical": "typical loss", "cruel": "cruellest loss", "comeback": "best comeback"}


class LossesDocument(LossAnalysis, PlayedDocument):
    """Result of `losses`, which is identical for any number of threads."""

    sentence: str
    pages: list[str] | None = optional()


def document(match: Match, result: LossAnalysis, trace: Sequence[str]) -> LossesDocument:
    """Return the document of a result.

    trace: words of the command that shows a game of this cell, without `--game`; [] if there is no such
    command.
    """
    chosen = [
        game.model_copy(update={"trace": shlex.join([*trace, "--game", str(game.game)] if trace else [])})
        for game in result.chosen
    ]
    fields = {**dict(result), "chosen": chosen, "sentence": sentence(match, result)}
    return LossesDocument.about("bartizan.losses/1", match, match.scenario, **fields)


# ---------------------------------------------------------------- the sentence


def sentence(match: Match, result: LossAnalysis) -> str:
    """Return the finding as a sentence, with the number of games and the assumptions.

    The sentence gives the share of lost games that are undecided at the start of the last turn, the median
    number of hopeless turns, and the decisive turn. If no game is lost, it states this instead.
    """
    pilot, hopeful, vain = result.pilot, result.hopeless.never, result.hopeless.median_turns_in_vain
    unit = match.game.turn_name
    whose = f", the {words.plain(result.seat)} seat" if len(match.players) > 1 else ""
    sure = (
        f"{words.many(pilot.games, 'game')}, {words.count(pilot.rollouts)} rollouts per {unit}, seed "
        f"{match.seed}; {sentences.rests_on(match.scenario.assumed)}"
    )
    if hopeful is None:
        return f"{setting_of(match, match.scenario)}{whose}: none of these games is lost ({sure})."
    findings = [
        f"in {words.share_with_limits(hopeful)} of the lost games, the win probability is still "
        f"5{words.NBSP}% or more at the start of the last {unit}"
    ]
    if vain:
        findings.append(
            f"half of them continue for {vain:g} {unit}{'' if vain == 1 else 's'} or more below that value"
        )
    fall, most = result.decisive.mean_drop, f"{unit} {result.decisive.median_turn} (median)"
    findings.append(
        f"they end without a decision, in {most}"
        if fall is None
        else f"the win probability falls most in {most}, by {fall * 100:.0f} percentage points on average"
    )
    return f"{setting_of(match, match.scenario)}{whose}: {'; '.join(findings)} ({pilot.lost} lost of {sure})."


# ---------------------------------------------------------------- blocks


def view(d: LossesDocument) -> View:
    method = ("When games are lost", f"{d.method}.")
    if not d.lost:
        no_turn = (
            f"No game is lost, so no {d.turn_name} is decisive. `bartizan run` shows the length of games."
        )
        return View(d.sentence, (_how_many(d), Lines((no_turn,), ())), ("", ""), _title(d), _caption(d))
    games = tuple(_game_worth_looking_at(chosen, d.turn_name) for chosen in d.chosen)
    blocks: tuple[Block, ...] = (_how_many(d), *_figures(d), _table(d), *games, *_pages(d), *_checks(d))
    return View(d.sentence, blocks, method, _title(d), _caption(d))


def _title(d: LossesDocument) -> str:
    hope, where = d.hopeless.never, f"{d.players}{d.at_level}"
    if hope is None:
        return f"{where}: none of {words.count(d.games)} games is lost"
    share, lost = words.share_with_limits(hope), words.count(d.pilot.lost)
    return f"{where}: {share} of {lost} lost games are still undecided at the start of the last {d.turn_name}"


def _explained(d: LossesDocument) -> str:
    return (
        f"Win probability of games that reach the start of a {d.turn_name}, and hazard: the probability of "
        f"losing in that {d.turn_name}. Bands are {words.CONFIDENCE} intervals."
    )


def _caption(d: LossesDocument) -> str:
    return (
        f"{_explained(d)} {words.many(d.games, 'game')}, seed {d.seed}, {words.count(d.lost)} of them "
        f"lost{f', {words.count(d.capped)} truncated' if d.capped else ''}. "
        f"Win probabilities are from {words.count(d.pilot.rollouts)} rollouts at the start of every "
        f"{d.turn_name} of {words.count(d.pilot.games)} of these games. A game is undecided while the win "
        "probability is 5\u00a0% or more."
    )


def _how_many(d: LossesDocument) -> Lines:
    causes = [f"{row.cause} {words.percent(row.share.estimate, 0)}" for row in d.causes[:MOST_CAUSES]]
    rest = [f"{len(d.causes) - MOST_CAUSES} more"] if len(d.causes) > MOST_CAUSES else []
    by = f", by {', '.join([*causes, *rest])}" if causes else ""
    truncated = f"; {words.many(d.capped, 'game')} truncated" if d.capped else ""
    return Lines((f"{words.many(d.games, 'game')}, {d.lost:,} lost{by}{truncated}",), (d.sentence,))


def _reached(d: LossesDocument) -> list[TurnLosses]:
    """Return the turns that are reached by at least 1 in FEW_LEFT of the games that end.

    Truncated games are ignored, because they reach as many turns as the limit on decisions allows.
    """
    shown, truncated = [], d.capped  # truncated in this turn or later
    for turn in d.turns:
        if (turn.alive - truncated) * FEW_LEFT >= d.games - d.capped:
            shown.append(turn)
        truncated -= turn.capped
    return shown


def _spans(d: LossesDocument) -> list[list[TurnLosses]]:
    """Return the turns of each row: one turn, or several in long games."""
    turns = _reached(d)
    stride = -(-len(turns) // MOST_TURNS)
    return [turns[first : first + stride] for first in range(0, len(turns), stride or 1)]


def _hazard(turns: Sequence[TurnLosses]) -> Interval:
    """Return the share of the games reaching the first of these turns that are lost in any of them.

    With truncated games, the interval is a bound.
    """
    lost, truncated = (sum(getattr(turn, name) for turn in turns) for name in ("lost", "capped"))
    return with_truncated(lost, truncated, turns[0].alive)


def _figures(d: LossesDocument) -> Iterator[Figure]:
    spans = _spans(d)
    if len(spans) < 2:
        return
    turns = tuple(span[0].turn for span in spans)
    wins, hazards = tuple(span[0].win_if_alive for span in spans), tuple(map(_hazard, spans))
    unit = d.turn_name
    within = f"these {most} {unit}s" if (most := len(spans[0])) > 1 else f"this {unit}"
    lines = [
        curves.DrawnCurve("win probability", CLEAR, turns, wins),
        curves.DrawnCurve(f"lost in {within} (hazard)", LOST_COLOUR, turns, hazards, curves.DASHES[1]),
    ]
    title = f"Win probability and hazard by {unit}, {d.players}{d.at_level}"
    yield Figure(title, curves.Bands(lines, unit, "probability"))


def _table(d: LossesDocument) -> Table:
    headers = (
        words.title(d.turn_name),
        "Games at start",
        "Lost",
        "Hazard",
        "Wins",
        "Hopeless so far",
        "Decisive",
    )
    causes = ("Commonest cause",) if d.causes else ()
    caption = (
        f"{_explained(d)} For the {words.count(d.pilot.lost)} lost games with rollouts, “hopeless so far” is "
        "the share whose win probability is below 5\u00a0% from here on, and “decisive” is the share whose "
        f"win probability falls most in this {d.turn_name}."
    )
    rest = len(d.turns) - len(_reached(d))
    ended = " of those that end" if d.capped else ""
    more = (
        f"and {words.count(rest)} later {d.turn_name}s, reached by fewer than 1 game in {FEW_LEFT}{ended} "
        "(--json has all)"
    )
    rows = tuple(_row(turns, d) for turns in _spans(d))
    title = f"When games are lost: {d.players}{d.at_level}"
    return Table(title, caption, (*headers, *causes), rows, more if rest else "")


def _row(turns: Sequence[TurnLosses], d: LossesDocument) -> tuple[Entry, ...]:
    """Return the row of one turn or several.

    Probabilities are at the start of the first turn, and the hazard is over all turns of the row.
    """
    first, last, lost = turns[0], turns[-1], d.pilot.lost
    decisive = sum(turn.decisive for turn in turns)
    return (
        Entry(str(first.turn) if first is last else f"{first.turn}–{last.turn}"),
        entries.count(first.alive),
        entries.count(sum(turn.lost for turn in turns)),
        entries.share(_hazard(turns)),
        entries.share(first.win_if_alive),
        Entry(words.percent(first.hopeless_by.estimate, 0)) if first.hopeless_by else entries.NONE,
        Entry(words.percent(decisive / lost, 0)) if lost else entries.NONE,
        *((Entry(_commonest_cause(turns)),) if d.causes else ()),
    )


def _commonest_cause(turns: Sequence[TurnLosses]) -> str:
    causes: dict[str, int] = {}
    for turn in turns:
        for cause, games in turn.causes.items():
            causes[cause] = causes.get(cause, 0) + games
    return max(causes, key=causes.__getitem__) if causes else ""


def _game_worth_looking_at(chosen: ChosenGame, unit: str) -> Lines:
    """Return a line on a selected game, and the command that shows the game.

    The line gives the outcome and the win probabilities.
    """
    won = chosen.kind == "comeback"
    end = f"{'won' if won else 'lost'} in {unit} {chosen.last_turn}" + (
        f" ({chosen.cause})" if chosen.cause and not won else ""
    )
    numbers = (
        f"{estimates.percent(chosen.chance_fresh, 0)} in new rollouts "
        f"({estimates.percent(chosen.chance, 0).text} in those that selected the game)"
    )
    after = chosen.next_turn_fresh
    then = f"a {unit} later {estimates.percent(after.chance, 0)}" if after else "and no decision followed"
    text = (
        f"{words.title(KINDS[chosen.kind])}: game {chosen.game}, {end}; at the start of {unit} {chosen.turn} "
        f"the win probability was {numbers}, {then}."
    )
    if not chosen.trace:
        return Lines((text,))
    return Lines((text, f"    {chosen.trace}"), (f"{text} To see it, run {chosen.trace} --html game.html",))


def _pages(d: LossesDocument) -> Iterator[Hint]:
    if d.pages:
        yield Hint(f"Pages to step through: {', '.join(d.pages)}.")
    elif any(chosen.trace for chosen in d.chosen):
        yield Hint("Add --html game.html to step through a game; --pages DIR writes a page for each of them.")


def _checks(d: LossesDocument) -> Iterator[Lines]:
    if (by_rollouts := d.pilot.win_rate_by_rollouts) and d.win_rate:
        text = (
            f"Check: the win rate is {words.share_with_limits(by_rollouts)} in rollouts from the first "
            f"{d.turn_name} and {words.share_with_limits(d.win_rate)} in the games. In rollouts, piles are "
            f"{d.pilot.piles}."
        )
        yield Lines((text,))
    if d.pilot.capped:
        yield Lines(
            (f"Truncated: {words.many(d.pilot.capped, 'rollout')}; a fall counts each as half a win.",)
        )
