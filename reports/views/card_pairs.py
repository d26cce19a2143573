"""Interactions of two kinds of card: pairs that reinforce or replace each other."""

from collections.abc import Iterator

from bartizan.analyses.experiments.card_pairs import REINFORCE, REPLACE, RESTS_ON, CardPair, CardPairs
from bartizan.analyses.experiments.without import ONE_SEAT
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Lines, Table, View
from bartizan.reports.text import differences, words
from bartizan.reports.views.cards import TRUNCATED, PlayedCards, player

PAIRS = "Games without each pair of card kinds"
MOST_NAMED = 3  # pairs in a sentence
MOST_ROWS = 20
WORTHS = "The intervals of the worths are not simultaneous."


class PairsDocument(CardPairs, PlayedCards):
    """Result of `cards --pairs`, which is identical for any number of threads."""

    seat: str  # seat that plays without the cards; "" for all seats
    rests_on: str = RESTS_ON

    @property
    def scale(self) -> int:
        return 1 if self.by == "score" else 100

    @property
    def listed(self) -> list[CardPair]:
        """The pairs that the table shows: all pairs, or the MOST_ROWS pairs with the largest interactions."""
        if len(self.pairs) <= MOST_ROWS:
            return self.pairs
        largest = sorted(self.pairs, key=lambda pair: -abs(pair.interaction.estimate))[:MOST_ROWS]
        return [pair for pair in self.pairs if pair in largest]


def pairs_view(d: PairsDocument) -> View:
    sentence = f"Card interactions: {d.setting}; {words.many(d.games, 'game')} per deck, seed {d.seed}"
    notes = [
        *_screening(d),
        *(f"{' and '.join(one.cards)} cannot be left out: {one.reason}" for one in d.refused),
        f"{_interaction_is(d)} {_intervals(d)}. {WORTHS}",
        f"  rests on: {d.rests_on}.",
    ]
    return View(
        sentence,
        (Lines((*leading(d), *d.caveats)), pairs_table(d), Lines(tuple(notes))),
        ("", f"{d.method}."),
    )


def leading(d: PairsDocument) -> list[str]:
    """Return sentences on the pairs with significant interactions, or a sentence that there are none."""
    reinforcing = [pair for pair in d.pairs if pair.verdict == REINFORCE]
    replacing = [pair for pair in reversed(d.pairs) if pair.verdict == REPLACE]
    if not reinforcing and not replacing:
        first = max(d.pairs, key=lambda pair: abs(pair.interaction.estimate))
        return [
            f"These {d.games:,} games do not show that two kinds reinforce or replace each other. The "
            f"largest interaction is between {words.listing(first.cards)}: {_quoted(d, first)}."
        ]
    lines = []
    for pairs, means in ((reinforcing, "more"), (replacing, "less")):
        if pairs:
            first, *others = pairs
            lines.append(
                f"{words.listing(first.cards)} {first.verdict}: the pair is worth {means} than the sum of "
                f"both cards, by {_quoted(d, first)}.{_others(others)}"
            )
    return lines


def _others(pairs: list[CardPair]) -> str:
    if not pairs:
        return ""
    rest = len(pairs) - MOST_NAMED
    more = f", and {rest} other pair{'s' * (rest > 1)}" * (rest > 0)
    named = [" with ".join(one.cards) for one in pairs[:MOST_NAMED]]
    return f" The same applies to {', '.join(named)}{more}."


def _quoted(d: PairsDocument, pair: CardPair) -> str:
    estimate, limits = words.change(pair.interaction, d.scale, 1)
    unit = "points" if d.by == "score" else differences.POINTS
    all_pairs = f", simultaneous for all {len(d.pairs)} pairs" * (len(d.pairs) > 1)
    return (
        f"{estimate} {unit} ({words.level(pair.interaction.level)} {limits}{all_pairs}; "
        f"{words.many(pair.pairs, 'game')}, p {words.p_value(pair.p_adjusted)} adjusted)"
    )


def _screening(d: PairsDocument) -> list[str]:
    if not d.screened:
        return []
    return [
        f"The {words.were(len(d.pairs), 'pair')} selected from "
        f"{words.count(d.compared)} in {words.count(d.screened)} separate games. Other pairs may interact "
        "too."
    ]


def _interaction_is(d: PairsDocument) -> str:
    what = "score" if d.by == "score" else "wins"
    how = "in the deck" if d.whose != ONE_SEAT else f"with the {player(d.seat)}"
    return (
        f"Interaction: worth of one kind in {what} while the other is {how}, minus its worth while the other "
        "is not. It is the same for both kinds."
    )


def _intervals(d: PairsDocument) -> str:
    return words.together(d.pairs[0].interaction, len(d.pairs), "pairs")


def pairs_table(d: PairsDocument) -> Table:
    headers = (
        "Card", "With", "Interaction", "p (adjusted)", "Worth of the first", "Worth of the second",
        "Worth of both", "Games that differ", "Verdict",
    )  # fmt: skip
    return Table(
        f"{PAIRS}: {d.line_up}", " ".join(_caption(d)), headers, tuple(_row(d, one) for one in d.listed)
    )


def _caption(d: PairsDocument) -> Iterator[str]:
    yield from leading(d)
    winner = f"the {player(d.seat)}" if d.seat else "the first seat" if len(d.policies) > 1 else "the player"
    yield (
        f"{words.many(d.games, 'game')} per deck (seed {d.seed}), paired with the games as dealt, of which "
        f"{winner} wins {words.share_with_limits(d.as_dealt)}."
    )
    yield f"{_interaction_is(d)} {words.sentence(_intervals(d))}. {WORTHS}"
    yield from d.caveats
    yield from _screening(d)
    if len(d.listed) < len(d.pairs):
        yield f"The table contains the {len(d.listed)} largest of {words.count(len(d.pairs))} interactions."
    if any(pair.capped for pair in d.pairs):
        yield TRUNCATED


def _row(d: PairsDocument, pair: CardPair) -> tuple[Entry, ...]:
    least = 1 * (d.scale == 1)
    return (
        *(Entry(words.title(name)) for name in pair.cards),
        entries.difference(pair.interaction, d.scale, least),
        entries.p_values(pair.p, pair.p_adjusted),
        *(entries.difference(worth, d.scale, least) for worth in (*pair.alone, pair.both)),
        Entry(words.share(pair.differing), words.share_limits(pair.differing)),
        Entry(pair.verdict or "–"),
    )
