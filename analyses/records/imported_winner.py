"""Winner of an imported game, determined from a seat, a policy, a result, or scores."""

import re
from collections.abc import Mapping
from typing import Any

import polars as pl

from bartizan.analyses.records.imported_columns import ALIKE, MOST_SEATS, UNDECIDED, RecordMapping
from bartizan.analyses.records.imported_file import RecordFile, number_of, text_of
from bartizan.analyses.records.imported_formats import ROW
from bartizan.analyses.records.tally import HOUSE, NOBODY, TRUNCATED
from bartizan.simcore.errors import UsageError

WON = {"win": 0, "won": 0, "victory": 0, "success": 0, "true": 0, "yes": 0, "1": 0}
LOST = {"loss": HOUSE, "lose": HOUSE, "lost": HOUSE, "defeat": HOUSE, "false": HOUSE, "no": HOUSE, "0": HOUSE}
MEANINGS = {"draw": NOBODY, "truncated": TRUNCATED, "game": HOUSE}


class Winners:
    """Words in the winner columns, and their meaning."""

    def __init__(self, source: RecordFile, mapping: RecordMapping):
        self.source, self.mapping = source, mapping
        self.scores = mapping.of_seat.get("score", [])
        roles = len(mapping.records.roles)
        self.seats = max([roles, *(len(each) for each in mapping.of_seat.values())])  # 0: unknown
        self.numbers: list[int] = []  # seat numbers in the winner column

    def words(self) -> dict[str, pl.Expr]:
        """Map each column to an expression for its words."""
        columns = self.mapping.columns
        if "winner" in columns:
            return {"word": text_of(columns["winner"][0])}
        if "result" in columns:
            return {f"word {place}": text_of(heading) for place, heading in enumerate(columns["result"])}
        scores = [number_of(heading) for heading in self.scores]
        best = (
            pl.max_horizontal(scores) if self.mapping.records.wins == "highest" else pl.min_horizontal(scores)
        )
        leaders = [pl.when(score == best).then(pl.lit(str(place))) for place, score in enumerate(scores)]
        return {"leaders": pl.concat_str(leaders, separator=",", ignore_nulls=True)}

    def seats_shown(self, found: pl.DataFrame) -> int:
        """Return the greatest number of seats in the columns. found: every combination of words.

        Raises UsageError for more than MOST_SEATS.
        """
        if "word" in found.columns:
            words = found["word"].drop_nulls().unique()
            self.numbers = [int(match[0]) for word in words if (match := re.match(r"\d{1,3}", word))]
        seats = max(self.seats, 1)
        if "word" in found.columns and not self.seats:
            seats = max([number + (self._first_seat() == 0) for number in self.numbers], default=1)
        if seats > MOST_SEATS:
            raise UsageError(
                f"{self.source.path}: {seats} seats; only games of up to {MOST_SEATS} seats can be imported; "
                "check the columns of the seats and the numbers of the winners"
            )
        return seats

    def of(self, row: Mapping[str, Any], policies: tuple[str, ...]) -> int:
        """Return the winner: a seat from 0, or NOBODY, TRUNCATED or HOUSE."""
        if "leaders" in row:
            seats = row["leaders"].split(",") if row["leaders"] else []
            return int(seats[0]) if len(seats) == 1 else NOBODY
        if "word" in row:
            return self._winner_of(row, row["word"], policies, self.mapping.one("winner"))
        return self._winner_by_results(row, policies)

    def _winner_of(
        self, row: Mapping[str, Any], word: str | None, policies: tuple[str, ...], heading: str
    ) -> int:
        if word is None:
            return self._empty(row, heading)
        plain = _plain(word)
        for meaning, words in self.mapping.winner_words.items():
            if word in words:
                return MEANINGS[meaning]
        if re.fullmatch(r"\d{1,3}(?:\.0)?", word):
            number = word.removesuffix(".0")
            named = [place for place, policy in enumerate(policies) if policy.removesuffix(".0") == number]
            is_seat = self.mapping.records.first_seat is not None
            if not is_seat and len(named) == 1 and named[0] != int(number) - self._first_seat():
                raise self.source.fault(
                    row[ROW],
                    heading,
                    f"{number} may be a seat or the policy of another seat; for a seat, write first_seat = 1 "
                    f"(or 0) under [records] of a mapping; for a policy, rename it, such as bot{number}",
                )
            return self._seat(row, int(number), policies, heading)
        names = [*self.mapping.records.roles, *ALIKE][: len(policies)]
        for taken in (policies, names):
            places = [place for place, name in enumerate(taken) if _plain(name) == plain]
            if len(places) == 1:
                return places[0]
            if len(places) > 1:
                raise self.source.fault(
                    row[ROW],
                    heading,
                    f"{word!r} plays in {len(places)} seats; write the number of the seat that won",
                )
        shared = [_plain(part) for part in re.split(r"[;|,&]", word)]
        if len(shared) > 1 and {*shared} <= {_plain(name) for name in (*policies, *names)}:
            return NOBODY  # a shared win is a draw
        if match := re.fullmatch(r"(?:p|player|seat)(\d+)", plain):
            return self._seat(row, int(match[1]), policies, heading)
        if plain in UNDECIDED:
            return UNDECIDED[plain]
        if len(policies) == 1 and plain in WON | LOST:
            return (WON | LOST)[plain]
        raise self.source.fault(
            row[ROW],
            heading,
            f"{word!r} is neither a seat nor a policy of this game "
            f"({', '.join(dict.fromkeys(policies))}); write the number of a seat, or list the word under "
            "[winner_words] of a mapping",
        )

    def _empty(self, row: Mapping[str, Any], heading: str) -> int:
        meaning = self.mapping.records.no_winner
        if not meaning:
            raise self.source.fault(
                row[ROW],
                heading,
                'is empty; write no_winner = "draw", "truncated" or "game" under [records] of a mapping',
            )
        return MEANINGS[meaning]

    def _seat(self, row: Mapping[str, Any], number: int, policies: tuple[str, ...], heading: str) -> int:
        seat = number - self._first_seat()
        if seat == -1:  # seats are numbered from 1, so 0 means no winner
            return NOBODY
        if not 0 <= seat < len(policies):
            raise self.source.fault(row[ROW], heading, f"seat {number} of a game with {len(policies)} seats")
        return seat

    def _first_seat(self) -> int:
        """Return the number of the first seat, 0 or 1. Raises UsageError if the numbers are ambiguous."""
        if (given := self.mapping.records.first_seat) is not None:
            return given
        numbers, seats = self.numbers, self.seats
        if 0 not in numbers:
            return 1
        if seats and max(numbers) == seats:
            return 1  # 0 means no winner
        if seats and max(numbers) == seats - 1 and seats > 1:
            return 0
        raise UsageError(
            f"{self.source.path}: column {self.mapping.one('winner')!r}: 0 may mean the first seat or "
            "nobody; write first_seat = 0 or first_seat = 1 under [records] of a mapping"
        )

    def _winner_by_results(self, row: Mapping[str, Any], policies: tuple[str, ...]) -> int:
        """Return the winner from a result column per seat, or from the first seat's single column."""
        headings = self.mapping.columns["result"]
        codes = []
        for place in range(len(headings)):
            word = row[f"word {place}"]
            if word is None and place >= len(policies):
                continue
            plain = _plain((word or "").removesuffix(".0"))
            listed = [
                meaning
                for meaning, words in self.mapping.winner_words.items()
                if word is not None and {word, word.removesuffix(".0")} & {*words}
            ]
            if word is None:
                codes.append(self._empty(row, headings[place]))
            elif listed:
                codes.append(MEANINGS[listed[0]])
            elif plain == "-1":  # beside 1, a loss; beside seats, nobody
                raise self.source.fault(
                    row[ROW],
                    headings[place],
                    "is -1, which may be a loss or a draw; list it under [winner_words] of a mapping: "
                    'game = ["-1"] for a loss, draw = ["0"] for a draw',
                )
            elif plain in WON | LOST | UNDECIDED:
                codes.append((WON | LOST | UNDECIDED)[plain])
            else:
                raise self.source.fault(
                    row[ROW],
                    headings[place],
                    f"{word!r} is not a result; write win, loss or draw, or 1 and 0",
                )
        winners = [place for place, code in enumerate(codes) if code == 0]
        if len(headings) == 1:
            if codes[0] == HOUSE and len(policies) == 2:
                return 1
            return codes[0]
        if len(winners) > 1:
            raise self.source.fault(
                row[ROW], headings[winners[1]], "is a second winning seat; for a shared win, write draw"
            )
        if winners:
            return winners[0]
        return TRUNCATED if TRUNCATED in codes else NOBODY if NOBODY in codes else HOUSE


def _plain(word: str) -> str:
    return re.sub(r"[^\w-]+", "", word.lower()).replace("_", "")
