"""Results about cards: the deck, values of cards in hand and for their price, and use of cards."""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from bartizan.analyses.document import optional
from bartizan.analyses.experiments.cards import (
    AS_DEALT,
    USE_RESTS_ON,
    VALUE_RESTS_ON,
    CardUsageResult,
    CardValue,
    CardValues,
    KindUsage,
    NoPrices,
    PricedCard,
    Prices,
)
from bartizan.analyses.experiments.drawn_cards import CAVEAT, DrawnCard
from bartizan.analyses.experiments.without import (
    CARRIES,
    COSTS,
    IN_ITS_PLACE,
    ONE_SEAT,
    CardLeftOut,
    CardsWithout,
)
from bartizan.analyses.experiments.without import RESTS_ON as WITHOUT_RESTS_ON
from bartizan.analyses.statistics.intervals import Interval, figure_mark
from bartizan.analyses.statistics.testing import ALPHA
from bartizan.reports import entries
from bartizan.reports.blocks import Block, Entry, Figure, Lines, Table, View
from bartizan.reports.document import PlayedDocument
from bartizan.reports.figures import bars, dots, price, theme
from bartizan.reports.text import changes, differences, estimates, words
from bartizan.simcore.game import CardRow
from bartizan.simcore.reporting import CONFIDENCE

DRAWN = "drawn"
LINE = 130  # characters
LEAST_ROOM = 40  # characters for the effects of a card, regardless of the length of names
LONGEST_NAME = 14  # letters of a card's name in a figure
WORTH, FOR_ITS_PRICE, USED = "Value of each card", "Value against cost", "How cards are used"
THIN = 0.2  # inches per bar, because there are many kinds of card
EXPENSIVE = "dear"  # verdict in JSON
WORDS = {"cheap": "cheap", EXPENSIVE: "expensive"}
VERDICTS = {"cheap": "#029e73", EXPENSIVE: "#d55e00", "": theme.CLEAR}  # {verdict: colour}
NOT_AVAILABLE = "A card's row omits games in which no such card was available."
TRUNCATED = "With truncated games, limits cover both extremes: none or all of them won."


class PlayedCards(PlayedDocument):
    rests_on: str
    cell: str | None = optional()  # name of the cell of imported records
    command: str | None = optional()  # command of a saved result
    caveat: str | None = optional()  # what the numbers do not measure in this game

    @property
    def caveats(self) -> list[str]:
        return [f"{self.caveat}."] if self.caveat else []

    @property
    def who(self) -> str:
        players = self.policies
        if len(set(players)) > 1:
            return " vs ".join(players)
        return f"{players[0]} in all {len(players)} seats" if len(players) > 1 else players[0]

    @property
    def line_up(self) -> str:
        """The players and changes, such as `steward in every seat, changed: Advanced, Jokers 0 -> 2`."""
        if self.cell is not None:
            return self.cell
        named = list(dict.fromkeys(self.policies))
        who = f"{named[0]} in every seat" if len(named) == 1 else "+".join(self.policies)
        return changes.title(who, self.changes)

    @property
    def setting(self) -> str:
        level = "" if self.cell is not None else self.difficulty
        return f"{changes.title(self.title, self.changes, level)}; {self.cell or self.who}"

    @property
    def made_by(self) -> list[str]:
        return [f"Command: {self.command}"] if self.command else []


# ---------------------------------------------------------------- the deck


def deck_head(rows: Sequence[CardRow]) -> str:
    """Return the size of a deck as text: `118 cards of 23 kinds; 23 kinds have an assumed value`."""
    guessed = sum(row.confidence == "assumed" for row in rows)
    kinds = "kind has" if guessed == 1 else "kinds have"
    rests = f"; {guessed} {kinds} an assumed value" if guessed else ""
    return f"{sum(row.copies for row in rows)} cards of {len(rows)} kinds{rests}"


def deck(rows: Sequence[CardRow], value: str) -> Iterator[str]:
    """Yield the lines of a table of cards: headings, then one or more lines per card.

    value: heading of the value column.
    """
    name = max(len("card"), *(len(row.name) for row in rows))
    source = max(len("source"), *(len(row.source) for row in rows))
    with_cost = any(row.cost is not None for row in rows)
    with_value = any(row.value is not None for row in rows)

    def head(*cells: object) -> str:
        texts = ["" if cell is None else str(cell) for cell in cells]
        numbers = (f" {texts[2]:>6}" if with_value else "") + (f" {texts[3]:>4}" if with_cost else "")
        return f"{texts[0]:<{name}} {texts[1]:>6}{numbers}  {texts[4]:<11} {texts[5]:<{source}}  "

    yield f"{head('card', 'copies', value, 'cost', 'confidence', 'source')}effects"
    for row in rows:
        start = head(row.name, row.copies, row.value, row.cost, row.confidence, row.source)
        assumed = f" [assumed: {', '.join(row.assumed)}]" if row.assumed else ""
        first, *rest = wrap(row.does + assumed, max(LINE - len(start), LEAST_ROOM)) or [""]
        yield (start + first).rstrip()
        yield from (" " * len(start) + line for line in rest)


# ---------------------------------------------------------------- value of a card


class ValueDocument(CardValues, PlayedCards):
    """Result of `cards --value`, which is identical for any number of threads."""

    seat: str
    turn: int
    not_told_from_best: list[str] | None = optional()
    price: Prices | NoPrices | None = optional()
    rests_on: str = VALUE_RESTS_ON

    @property
    def base(self) -> str:
        return "the card as dealt" if self.against == AS_DEALT else self.against

    @property
    def moment(self) -> str:
        """The decision and the players, such as `The first player, card 1; steward in every seat`."""
        return f"The {player(self.seat)}, card {self.turn}; {self.line_up}"

    @property
    def scale(self) -> int:
        """Factor for the printed unit: 100 for percentage points of wins, 1 for points of score."""
        return 1 if self.by == "score" else 100

    @property
    def families(self) -> str:
        """Text on the families of comparisons for which intervals and p are adjusted; "" for one family."""
        return " in 2 families (value, residual)" if isinstance(self.price, Prices) else ""

    @property
    def is_clear(self) -> bool:
        """Whether the best card is significantly better than the base."""
        first = self.cards[0]
        return first.p_adjusted < ALPHA and first.value.estimate > 0


def player(seat: str) -> str:
    """Return the name of a seat's player, such as `first player`; `player` and `players` are unchanged."""
    return seat if seat in ("player", "players") else f"{seat} player"


def value_view(d: ValueDocument) -> View:
    sentence = f"Card values: {d.setting}; the {d.seat} seat, card {d.turn}"
    reached = [
        f"{d.reached:,} of {d.games:,} games reach this decision, seed {d.seed}, {d.capped:,} truncated",
        *(
            [f"with the card as dealt, the seat wins {words.share_of(d.as_dealt)} of these games"]
            if d.as_dealt
            else []
        ),
        best(d),
        *d.caveats,
    ]
    what = "score" if d.by == "score" else "wins"
    wins = AS_DEALT if d.against == AS_DEALT else f"with {d.against}"
    notes = [
        *([f"never available: {', '.join(d.never_there)}"] if d.never_there else []),
        f"Value: {what} with the card minus {what} {wins}. {_intervals(d)}.",
    ]
    if _lack_games(d):
        notes.append(NOT_AVAILABLE)
    if d.price:
        notes.append(price_line(d.price))
    if isinstance(d.price, Prices):
        notes += [price_verdict(d.price), f"Method: {d.price.method}."]
    notes.append(f"  rests on: {d.rests_on}.")
    return View(sentence, (Lines(tuple(reached)), value_table(d), Lines(tuple(notes))), ("", f"{d.method}."))


def _intervals(d: ValueDocument) -> str:
    first = d.cards[0]
    return words.together(first.joint or first.value, len(d.cards), f"cards{d.families}")


def _lack_games(d: ValueDocument) -> bool:
    return any(card.pairs < d.reached for card in d.cards)


def best(d: ValueDocument) -> str:
    """Return sentences on the best card to hold, its value, and the cards that may be as good."""
    card, moment = d.cards[0], f"card {d.turn} of the {player(d.seat)}"
    value = card.joint or card.value
    estimate, limits = words.change(value, d.scale, 1)
    more = "more" if value.estimate >= 0 else "fewer"
    by = f"{differences.points(estimate.lstrip('+−'))} {more} games"
    if value.is_bounds:
        by = f"{estimate} {differences.POINTS} more games"
    if d.by == "score":
        by = f"{estimate.lstrip('+−')} points of score {more}"
    shown = (
        f"{words.level(value.level)} {limits}{', simultaneous for all cards' * bool(card.joint)}; "
        f"{words.many(card.pairs, 'game')}, p {words.p_value(card.p_adjusted)} adjusted for "
        f"{len(d.cards)} cards{d.families}"
    )
    if not d.is_clear:
        return (
            f"No card to hold at {moment} is significantly better than {d.base}. The best estimate is "
            f"{card.card}, which wins {by} ({shown})."
        )
    rivals = ""
    if d.not_told_from_best:
        named = words.title(words.listing(d.not_told_from_best))
        rivals = f" {named} may be as good (all pairs compared, Bonferroni)."
    return f"The best card to hold at {moment} is {card.card}: it wins {by} than {d.base} ({shown}).{rivals}"


def points_of(d: ValueDocument) -> list[Interval]:
    """Return the value of each card, in percentage points of wins or in points of score."""
    return [(card.joint or card.value).scaled(d.scale) for card in d.cards]


def value_figure(d: ValueDocument, ends: tuple[float, float]) -> Figure:
    """Return the figure of values. ends: ends of the axis, which all figures of a page share."""
    rows = [
        dots.row(words.title(card.card), differences.numbers(points, 1), (dots.mark(points, theme.CLEAR),))
        for card, points in zip(d.cards, points_of(d), strict=True)
    ]
    unit = "points of score" if d.by == "score" else "percentage points"
    picture = dots.differences(rows, f"{unit}, against {d.base}", ends)
    return Figure(d.moment, picture, f"{words.many(d.reached, 'game')}. {best(d)}")


def value_table(d: ValueDocument) -> Table:
    headers: tuple[str, ...] = (
        "Card",
        "Games",
        "Wins with it",
        "Value",
        "Standard error",
        "p (adjusted)",
        "Pairing factor",
        "Games that differ",
        "Truncated",
    )
    rows = [_value_row(card, d.scale) for card in d.cards]
    if isinstance(d.price, Prices):
        headers += ("Cost", "Residual")
        priced = {card.card: _price_row(card) for card in d.price.cards}
        unpriced = (entries.NONE, entries.NONE)  # cards of a sheet without costs
        rows = [(*row, *priced.get(card.card, unpriced)) for row, card in zip(rows, d.cards, strict=True)]
    return Table(f"{WORTH}: {d.moment}", " ".join(_value_caption(d)), headers, tuple(rows))


def _value_caption(d: ValueDocument) -> Iterator[str]:
    games, level = words.count(d.games), words.level(CONFIDENCE)
    for_all = (
        f", simultaneous for all {len(d.cards)} cards{d.families}" if d.cards and d.cards[0].joint else ""
    )
    dealt = (
        f"; with the card as dealt, this seat wins {words.share_with_limits(d.as_dealt)} of them"
        if d.as_dealt
        else ""
    )
    yield f"{words.count(d.reached)} of {games} games (seed {d.seed}) reach this decision{dealt}."
    yield (
        f"Value: {'score' if d.by == 'score' else 'wins'} with the card minus with {d.base}, paired game by "
        f"game, in {'points' if d.by == 'score' else 'percentage points'}, "
        f"with its {level} interval{for_all}. p: test of no value, adjusted for all {len(d.cards)} rows"
        f"{d.families} (Holm). {entries.FACTOR} with independent games."
    )
    yield from d.caveats
    if _lack_games(d):
        yield NOT_AVAILABLE
    if any(card.capped for card in d.cards):
        yield TRUNCATED
    if d.never_there:
        yield f"Never available: {', '.join(d.never_there)}."
    if d.price:
        yield price_line(d.price)
    if isinstance(d.price, Prices):
        yield (
            f"Residual: value minus the value of the line at this cost, with its {level} interval for this "
            f"card alone; p adjusted for all {len(d.price.cards)} cards and the slope{d.families} (Holm)."
        )
    yield from d.made_by


def _value_row(card: CardValue, scale: int) -> tuple[Entry, ...]:
    error = entries.standard_error(card.se)
    return (
        Entry(words.title(card.card)),
        entries.count(card.pairs),
        _share(card.wins),
        entries.difference(card.joint or card.value, scale, 1 * (scale == 1)),
        error if scale == 100 or card.se is None else Entry(words.number(card.se, 2)),
        entries.p_values(card.p, card.p_adjusted),
        entries.factor(card.pairing_factor),
        Entry(words.share(card.differing), words.share_limits(card.differing)),
        entries.count(card.capped),
    )


# ---------------------------------------------------------------- value against cost


def price_line(prices: Prices | NoPrices) -> str:
    """Return a sentence on the regression line of value against cost, or on why there is none."""
    if isinstance(prices, NoPrices):
        return f"{FOR_ITS_PRICE}: no line, because {prices.why_not}."
    each, limits = words.change(prices.each_card_of_cost, 100, 1)
    free, free_limits = words.change(prices.at_cost_0, 100, 1)
    unit = f"point of {prices.unit}" if prices.unit else "card of cost"
    unclear = "" if (prices.p_adjusted or prices.p) < ALPHA else ", not significant"
    return (
        f"{FOR_ITS_PRICE}: a card of cost 0 is worth {differences.points(free)} ({free_limits}), "
        f"and each {unit} adds {differences.points(each)} ({limits}){unclear}."
    )


def price_verdict(prices: Prices) -> str:
    """Return a sentence on the cards that are significantly cheap or expensive for their cost.

    Within both groups, the largest deviations come first.
    """
    parts = []
    for verdict, cards in (("cheap", prices.cards), (EXPENSIVE, prices.cards[::-1])):
        named = [
            f"{card.card} {words.change(card.residual, 100, 1)[0]}"
            for card in cards
            if card.verdict == verdict
        ]
        beside = f"({differences.POINTS} from the line)"
        parts.append(f"{WORDS[verdict]} for its price {beside}: {', '.join(named) or 'none significant'}")
    return words.title(f"{'; '.join(parts)}.")


def price_figure(d: ValueDocument, prices: Prices) -> Figure:
    """Return the figure of value against cost with the regression line."""
    values = {card.card: card.value for card in d.cards}
    marks = [_dot(card, values.get(card.card)) for card in prices.cards]
    start, slope = prices.at_cost_0.estimate * 100, prices.each_card_of_cost.estimate * 100
    note = f"{price_line(prices)} {price_verdict(prices)}"
    cost = [words.title(prices.unit)] if prices.unit else []
    picture = price.PriceLine(marks, start, slope, "percentage points", *cost)
    return Figure(d.moment, picture, note)


def _dot(card: PricedCard, value: Interval | None) -> price.Dot:
    """Return the dot of a card.

    value: interval of the card's value; None for the card with which all others are compared.
    """
    low, high = (value.low, value.high) if value else (card.value, card.value)
    interval = figure_mark(card.value * 100, low * 100, high * 100)
    name = words.title(card.card).removeprefix("[assumed] ")
    named = dots.shorten(name, LONGEST_NAME) if card.verdict else ""
    return price.Dot(name, named, card.verdict == "cheap", card.cost, interval, VERDICTS[card.verdict])


def _price_row(card: PricedCard) -> tuple[Entry, ...]:
    beside = entries.points(card.residual)
    verdict = [f"{WORDS[card.verdict]} for its price"] if card.verdict else []
    notes = [beside.note, f"p adjusted {words.p_value(card.p_adjusted)}", *verdict]
    return Entry(str(card.cost)), Entry(beside.text, "; ".join(notes))


# ---------------------------------------------------------------- games without a kind of card

WITHOUT = "Games without each kind of card"
NO_EFFECT = "Removal changes no result"
MOST_NAMED = 5  # kinds in a sentence


class WithoutDocument(CardsWithout, PlayedCards):
    """Result of `cards --without`, which is identical for any number of threads."""

    seat: str  # seat that plays without the card; "" for all seats
    rests_on: str = WITHOUT_RESTS_ON

    @property
    def named(self) -> list[CardLeftOut]:
        """The kinds with a significant effect."""
        return [card for card in self.cards if card.verdict]

    @property
    def row(self) -> str:
        """Noun for the subject of a row: `kind`, or `component` in a game without cards."""
        return self.of or "kind"


def without_view(d: WithoutDocument) -> View:
    sentence = (
        f"Effect of each {d.of or 'kind of card'}: {d.setting}; {words.many(d.games, 'game')} without "
        f"each {d.row}, seed {d.seed}"
    )
    refused = [f"{card.card} cannot be left out: {card.reason}" for card in d.refused]
    rests_on = f"  rests on: {d.rests_on}."
    if not d.cards:  # the first line says so
        return View(sentence, (Lines((leading(d), *d.caveats, *refused, rests_on)),), ("", f"{d.method}."))
    notes = [
        *([f"{NO_EFFECT}: {', '.join(d.never)}."] if d.never else []),
        *refused,
        f"{_worth_is(d)} {_left_out_intervals(d)}.",
        rests_on,
    ]
    return View(
        sentence,
        (Lines((leading(d), *dear_cards(d), *d.caveats)), without_table(d), Lines(tuple(notes))),
        ("", f"{d.method}."),
    )


def in_words(verdict: str) -> str:
    """Return a verdict in the words of current texts, because JSON keeps older words."""
    older = {CARRIES: "raises the win rate", COSTS: "lowers the win rate", EXPENSIVE: WORDS[EXPENSIVE]}
    return older.get(verdict, verdict)


def leading(d: WithoutDocument) -> str:
    """Return a sentence on the kind that raises the win rate or score most, or on the lack of such a kind."""
    if not d.cards:
        return f"{NO_EFFECT}: every {d.of or 'kind of card'}."
    first = d.cards[0]
    what = "the score" if d.by == "score" else "the win rate"
    if not first.is_good:
        return (
            f"These {d.games:,} games do not show that a {d.row} raises {what}. The best estimate is "
            f"{first.card}, worth {_quoted(d, first)}."
        )
    others = [card.card for card in d.cards[1:] if card.is_good]
    more = f" {words.title(_few(others))} {'raise' if len(others) > 1 else 'raises'} {what} too."
    return f"{first.card} raises {what} most: it is worth {_quoted(d, first)}.{more * bool(others)}"


def _few(names: list[str]) -> str:
    """Return a list of names, such as `a, b and c`.

    A long list ends with the number of further names.
    """
    if len(names) <= MOST_NAMED + 1:
        return words.listing(names)
    return words.listing([*names[:MOST_NAMED], f"{len(names) - MOST_NAMED} more"])


def dear_cards(d: WithoutDocument) -> list[str]:
    """Return a sentence on the kinds that reduce wins or the score, worst first; [] if there are none."""
    costing = [card for card in reversed(d.cards) if card.is_bad]
    if not costing:
        return []
    first, *others = costing
    more = f"; the same applies to {_few([card.card for card in others])}"
    return [f"{first.card} {in_words(first.verdict)}: it is worth {_quoted(d, first)}{more * bool(others)}."]


def _quoted(d: WithoutDocument, card: CardLeftOut) -> str:
    interval = card.ranked(d.by)
    scale = 1 if d.by == "score" else 100
    estimate, limits = words.change(interval, scale, 1)
    unit = "points" if d.by == "score" else differences.POINTS
    all_kinds = len(d.cards) + len(d.never)
    return (
        f"{estimate} {unit} ({words.level(interval.level)} {limits}"
        f"{f', simultaneous for all {all_kinds} {d.row}s' * (all_kinds > 1)}; {words.count(card.pairs)} "
        f"games, p {words.p_value(card.p_adjusted)} adjusted)"
    )


def _worth_is(d: WithoutDocument) -> str:
    if d.of:
        whose = f"; only the {d.seat} player lacks it, if players own it" if d.whose == ONE_SEAT else ""
        return f"Worth: {d.by} as dealt minus {d.by} without the component{whose}."
    if d.whose == ONE_SEAT:
        return (
            f"Worth: wins of the {player(d.seat)} as dealt minus wins without the kind. Another card of the "
            "pile replaces each such card that this player would get."
        )
    if d.cards and d.cards[0].how == IN_ITS_PLACE:
        return (
            f"Worth: {d.by} as dealt minus {d.by} without the kind. {words.sentence(IN_ITS_PLACE)} replaces "
            "each such card that a player would get."
        )
    of = f"Worth: {d.by} as dealt minus {d.by} when the kind is not in the deck"
    others = sorted({card.how for card in d.cards} - {"nothing"})
    if not others:
        return f"{of}."
    replaced = [card.card for card in d.cards if card.how != "nothing"]
    fill = words.listing(others)
    return f"{of}. The rules need the same number of cards, so {fill} replaces {words.listing(replaced)}."


def _left_out_intervals(d: WithoutDocument) -> str:
    return words.together(d.cards[0].worth, len(d.cards) + len(d.never), f"{d.row}s") if d.cards else ""


def without_table(d: WithoutDocument) -> Table:
    scores = d.by == "score"
    has_turns = any(card.turns and card.turns.has_limits for card in d.cards)
    headers: tuple[str, ...] = ("Component", "Without it") if d.of else ("Card", "Copies")
    headers += () if scores else ("Wins without it",)
    headers += ("Worth", "p (adjusted)", "Games that differ")
    headers += (f"{words.title(d.turn_name)}s",) * has_turns + ("Verdict",)
    rows = tuple(_without_row(card, scores, has_turns, d.of) for card in d.cards)
    title = f"Games without each {d.of}" if d.of else WITHOUT
    return Table(f"{title}: {d.line_up}", " ".join(_without_caption(d)), headers, rows)


def _without_caption(d: WithoutDocument) -> Iterator[str]:
    yield leading(d)
    if d.cards:
        yield (
            f"{words.many(d.games, 'game')} without each {d.row} (seed {d.seed}), paired with the games as "
            f"dealt, of which {_winner(d)} wins {words.share_with_limits(d.cards[0].base_wins)}."
        )
        yield f"{_worth_is(d)} {words.sentence(_left_out_intervals(d))}."
    yield from d.caveats
    if d.never:
        yield f"{NO_EFFECT}: {', '.join(d.never)}."
    if any(card.capped for card in d.cards):
        yield TRUNCATED
    yield from d.made_by


def _winner(d: WithoutDocument) -> str:
    if d.seat:
        return f"the {d.seat} player"
    return "the first seat" if len(d.policies) > 1 else "the player"


def _without_row(card: CardLeftOut, scores: bool, has_turns: bool, of: str | None) -> tuple[Entry, ...]:
    worth = (
        entries.difference(card.score, 1, 1) if card.score and scores else entries.difference(card.worth, 100)
    )
    turns = entries.difference(card.turns, 1, 1) if card.turns else entries.NONE
    return (
        Entry(card.card if of else words.title(card.card)),
        Entry(card.how) if of else entries.count(card.copies),
        *(() if scores else (_share(card.wins),)),
        worth,
        entries.p_values(card.p, card.p_adjusted),
        _share(card.differing),
        *((turns,) * has_turns),
        Entry(in_words(card.verdict) or "–"),
    )


def _share(share: Interval) -> Entry:
    """Return a cell with a share, without the method that the caption states."""
    said = estimates.share(share)
    return Entry(said.text, said.limits)


def points_without(d: WithoutDocument) -> list[Interval]:
    """Return the effect of each kind, in percentage points of wins or in points of score."""
    return [card.ranked(d.by).scaled(1 if d.by == "score" else 100) for card in d.cards]


def without_figure(d: WithoutDocument, ends: tuple[float, float]) -> Figure:
    """Return the figure of the kinds' effects. ends: ends of the axis, which all figures of a page share."""
    points = points_without(d)
    rows = [
        dots.row(words.title(card.card), differences.numbers(one, 1), (dots.mark(one, theme.CLEAR),))
        for card, one in zip(d.cards, points, strict=True)
    ]
    axis = "points of score" if d.by == "score" else "percentage points of wins"
    picture = dots.differences(rows, f"{axis}, with the kind minus without", ends)
    return Figure(d.line_up, picture, f"{words.many(d.games, 'game')}. {leading(d)}")


# ---------------------------------------------------------------- how cards are used


class UsageDocument(CardUsageResult, PlayedCards):
    """Result of `cards --usage`, which is identical for any number of threads."""

    rests_on: str = USE_RESTS_ON
    drawn: list[DrawnCard] | None = optional()  # win rates by drawn card; None if cards are not observable
    # "played" if `drawn` is about cards that were played, "owned" if about cards that players received
    by: str | None = optional()
    # whether the game declares the purpose of each card; if missing, it does unless `drawn` is present
    declared: bool | None = optional()

    @property
    def played(self) -> str:
        """The simulated or recorded games, such as `2,000 games (seed 1)`. Imported records have no seed."""
        return words.many(self.games, "game") + (f" (seed {self.seed})" if self.cell is None else "")

    @property
    def is_declared(self) -> bool:
        return self.drawn is None if self.declared is None else self.declared

    @property
    def has_contrast(self) -> bool:
        """Whether players who drew some kind of card can be compared with players who did not."""
        return any(card.difference for card in self.drawn or ())


def usage_view(d: UsageDocument) -> View:
    sentence = f"Use of cards: {d.setting}; {d.played}"
    blocks: tuple[Block, ...] = (Lines(tuple(d.caveats)),) * bool(d.caveats)
    if d.uses:  # without uses, the records list no cards played beside those drawn
        never = [f"never in a hand: {', '.join(d.never_there)}"] if d.never_there else []
        shares = f"Shares of the copies that reached a hand, with {words.level(CONFIDENCE)} intervals."
        what = "As printed" if d.is_declared else "Used"
        notes = Lines((*never, f"{shares} {what}: {_printed_for(d)}.", f"  rests on: {d.rests_on}."))
        blocks = (Lines((dead(d), *d.caveats)), usage_table(d), notes)
    methods = [d.method] if d.uses else []
    if d.drawn is None:
        return View(sentence, blocks, ("", f"{d.method}."))
    if not d.has_contrast:
        return View(sentence, (*blocks, Lines((NO_CONTRAST,))), ("", f"{d.method}."))
    drawn = Lines((f"{CAVEAT}.",)), drawn_table(d, d.drawn)
    return View(sentence, (*blocks, *drawn), ("", f"{'; '.join([*methods, DRAWN_METHOD])}."))


HAD = {"played": "Played it", "owned": "Owned it"}  # heading of the players with a card, by `by`
NO_CONTRAST = (
    "Win rates by drawn card: not shown, because each kind needs 15 wins and 15 losses of players who drew "
    "it and of players who did not."
)


DRAWN_METHOD = (
    "win rates: one observation per player and game, linearised standard error over games (Cochran 1977); "
    "difference: Student t, simultaneous for all kinds (Bonferroni)"
)


def drawn_table(d: UsageDocument, drawn: Sequence[DrawnCard]) -> Table:
    """Return the table of win rates of players who drew each kind, and of players who did not."""
    rows = sorted(drawn, key=lambda card: -(card.difference.estimate if card.difference else -2.0))
    caption = (
        f"{d.played}. {CAVEAT}. Intervals of differences are simultaneous "
        "for all kinds. Kinds with fewer than 15 wins or losses on a side have none."
    )
    return Table(
        f"Who wins with each card: {d.line_up}",
        " ".join([caption, *d.caveats, *d.made_by]),
        ("Card", HAD.get(d.by or "", "Drew it"), "Won", "Did not", "Won", "Difference"),
        tuple(
            (
                Entry(words.title(card.card)),
                entries.count(card.drew),
                _share(card.won_if_drawn) if card.won_if_drawn else entries.NONE,
                entries.count(card.others),
                _share(card.won_otherwise) if card.won_otherwise else entries.NONE,
                entries.difference(card.difference, 100) if card.difference else entries.NONE,
            )
            for card in rows
        ),
        heading="Who wins with each card (one observation per player and game)",
    )


def _rarely(d: CardUsageResult) -> tuple[str, str, str]:
    """Return the heading for rarely used kinds, the text if there are none, and the phrase for use.

    If a game does not declare the purposes of its cards, a card that is not used may still score.
    """
    if not isinstance(d, UsageDocument) or d.is_declared:
        return "Dead under these policies", "No kind is dead", "as printed"
    return "Held rather than used", "No kind is rarely used", "by an action of its holder"


def dead(d: CardUsageResult) -> str:
    """Return a sentence on the kinds that are rarely used as printed or, if none, on the least used kind."""
    bound = words.level(d.dead_below)
    dead, none, as_printed = _rarely(d)
    if d.dead:
        shares = [f"{card.card} {_of_copies(card)}" for card in d.cards if card.dead]
        return (
            f"{dead} (used {as_printed} for less than {bound} of the copies, upper limit): "
            f"{'; '.join(shares)}."
        )
    least = min(d.cards, key=lambda card: card.as_printed.share.estimate)
    return (
        f"{none} under these policies (used {as_printed} for less than {bound} of its copies, upper limit); "
        f"the least used is {least.card}: {_of_copies(least)}."
    )


def _if_dead(d: UsageDocument, card: KindUsage) -> str:
    return ("dead" if d.is_declared else "rarely used") if card.dead else ""


def _of_copies(card: KindUsage) -> str:
    return f"{words.share_with_limits(card.as_printed.share)} of {words.count(card.copies)} copies"


def _printed_for(d: UsageDocument) -> str:
    """Return the purposes of cards as text: the commonest purpose, then the others with their kinds."""
    ways: dict[tuple[str, ...], list[str]] = {}
    for card in d.cards:
        ways.setdefault(tuple(card.printed_for), []).append(card.card)
    (common, _), *others = sorted(ways.items(), key=lambda way: -len(way[1]))
    return "; ".join(
        [
            words.listing(list(common), "or"),
            *(f"{words.listing(list(uses), 'or')} ({', '.join(cards)})" for uses, cards in others),
        ]
    )


def use_colours(d: UsageDocument) -> list[str]:
    """Return one colour per use. The last colour, for unused cards, is faint."""
    return [*theme.player_colours(d.uses[:-1]).values(), theme.NONE_COLOUR]


def usage_figure(d: UsageDocument) -> Figure:
    rows = [
        bars.StackedBar(
            words.title(card.card),
            f"{words.count(card.copies)} copies{f', {rare}' if (rare := _if_dead(d, card)) else ''}",
            tuple(zip(use_colours(d), (use.share.estimate for use in card.uses), strict=True)),
        )
        for card in d.cards
    ]
    picture = bars.Stacked(rows, "of the copies that reached a hand", THIN)
    return Figure(d.line_up, picture, f"{words.many(d.games, 'game')}. {dead(d)}")


def usage_table(d: UsageDocument) -> Table:
    caption = (
        f"{dead(d)} Shares of the copies that reached a hand in {d.played}, all seats combined, "
        f"with {words.level(CONFIDENCE)} intervals (not simultaneous). "
        f"{'As printed' if d.is_declared else 'Used'}: {_printed_for(d)}."
    )
    never = [f"Never in a hand: {', '.join(d.never_there)}."] if d.never_there else []
    headers = ("Card", "Copies", *map(words.title, d.uses), "As printed" if d.is_declared else "Used")
    rows = tuple(
        (
            Entry(words.title(card.card), _if_dead(d, card)),
            Entry(words.count(card.copies), words.many(card.games, "game")),
            *(_share(use.share) for use in (*card.uses, card.as_printed)),
        )
        for card in d.cards
    )
    return Table(f"{USED}: {d.line_up}", " ".join([caption, *never, *d.made_by]), headers, rows)
