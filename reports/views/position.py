"""Win probabilities from a position, by seat and by legal action."""

from collections.abc import Iterator, Sequence

from bartizan.analyses.experiments.position import ActionValue, PositionChances, ThrowChances
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Lines, Table, View
from bartizan.reports.document import PlayedDocument, setting_of
from bartizan.reports.text import estimates, sentences, words
from bartizan.simcore.play.match import Match

MOST_ACTIONS = 20  # rows of a table; the JSON output has all actions


class PositionDocument(PositionChances, PlayedDocument):
    """Result of `chance --at`, which is identical for any number of threads."""

    sentence: str


def document(match: Match, found: PositionChances) -> PositionDocument:
    fields = {**dict(found), "sentence": _sentence(match, found)}
    return PositionDocument.about("bartizan.position/1", match, match.scenario, **fields)


def _sentence(match: Match, d: PositionChances) -> str:
    chance = d.chances[d.role]
    who = "the players win" if len(d.chances) == 1 else f"{d.role}, the seat to move, wins"
    where = f"from decision {d.decision} ({match.game.turn_name} {d.turn})"
    when = f", given that the next decision leads to {d.when.text!r}," if d.when else ""
    return (
        f"{setting_of(match, match.scenario)}: {where}{when} {who} {estimates.share(chance)} of "
        f"{words.many(d.futures, 'future')} ({words.how(chance)}, seed {match.seed}; "
        f"{sentences.rests_on(match.scenario.assumed)})."
    )


# ---------------------------------------------------------------- blocks


def view(d: PositionDocument) -> View:
    seats = (_seats(d),) if len(d.chances) > 1 or d.other_policies else ()
    actions = (_actions(d),) if d.actions else ()
    throws = (_throws(d.throws),) if d.throws and d.throws.actions else ()
    return View(
        d.sentence,
        (*throws, *seats, *actions, Lines(tuple(_findings(d)))),
        ("Win probability from a position", f"{d.method}."),
    )


def _seats(d: PositionDocument) -> Table:
    beside = d.other_policies or []
    rows = [
        (
            Entry(words.sentence(role)),
            entries.share(chance),
            *(entries.share(other.chances[role]) for other in beside),
        )
        for role, chance in d.chances.items()
    ]
    ends = {"Draw": d.draws, "Lost to the game": d.lost_to_game}
    blank = [Entry("")] * len(beside)
    rows += [(Entry(name), entries.share(share), *blank) for name, share in ends.items() if share]
    headers = ["Wins"] if not beside else [_line_up(names) for names in (d.policies, *_names(d))]
    return Table("Who wins from here", "Share of futures.", ("Seat", *headers), tuple(rows))


def _names(d: PositionDocument) -> list[list[str]]:
    return [other.policies for other in d.other_policies or ()]


def _line_up(policies: Sequence[str]) -> str:
    return " vs ".join(dict.fromkeys(policies))


def _throws(d: ThrowChances) -> Table:
    """Return a table with the probability of a throw or log text for each action.

    If exact probabilities are known, they have a column.
    """
    has_exact = any(row.exact is not None for row in d.actions)
    rows = tuple(
        (
            Entry(words.sentence(row.text)),
            *([Entry("" if row.exact is None else words.percent(row.exact, 2))] if has_exact else []),
            entries.share(row.share),
        )
        for row in sorted(d.actions, key=lambda row: -row.share.estimate)[:MOST_ACTIONS]
    )
    return Table(
        f"Probability of {d.event!r} by action",
        f"Share of {words.many(d.futures, 'future')} in which the log after the action contains {d.log!r}.",
        ("Action", *(["Exact"] if has_exact else []), "Simulated"),
        rows,
    )


def _actions(d: PositionDocument) -> Table:
    shown, more = d.actions[:MOST_ACTIONS], len(d.actions) - MOST_ACTIONS
    rows = tuple(
        (
            Entry(words.sentence(one.text)),
            entries.share(one.wins),
            entries.points(one.worth),
            Entry(words.p_value(one.p_adjusted)),
            Entry(words.percent(one.chosen.estimate, 0)),
        )
        for one in shown
    )
    headers = ("Action", "Wins", "Difference from the policy", "p (adjusted)", "Chosen by the policy")
    left_out = f"The JSON output has {more} further actions." if more > 0 else ""
    return Table(
        f"Each legal action of the {d.role}" if len(d.chances) > 1 else "Each legal action",
        f"{words.together(d.actions[0].worth, len(d.actions), 'actions')}.",
        headers,
        rows,
        more=left_out,
    )


def _findings(d: PositionDocument) -> Iterator[str]:
    if d.when:
        yield (
            f"{d.when.text!r} occurs in {estimates.share(d.when.share)} of {d.when.tried:,} futures; the "
            "others are ignored."
        )
    if d.actions:
        yield _best(d.actions)
    if d.capped:
        yield (
            f"{words.were(d.capped, 'future')} truncated, counted as lost in the lower limit and as won in "
            "the upper limit."
        )
    if d.position_changes:
        changed = ", ".join(f"{name} = {new}" for name, new in d.position_changes.items())
        yield f"Changed in the position: {changed}."
    yield f"  rests on: {d.rests_on}."
    yield f"  position: {d.position}"


def _best(actions: list[ActionValue]) -> str:
    best, worst = actions[0], actions[-1]
    if best.is_better:
        return f"{words.sentence(best.text)} is better than the policy's choice: {_by(best)}."
    if worst.is_worse:
        return (
            f"No action is significantly better than the policy's choice; {worst.text} costs most: "
            f"{_by(worst)}."
        )
    return "No action differs significantly from the policy's choice with this number of futures."


def _by(one: ActionValue) -> str:
    return f"{estimates.points(one.worth)} of futures won, simultaneous for all actions"
