"""Text about the advantage of a seat."""

from collections.abc import Sequence

from bartizan.analyses.records.seating import ADVANTAGE, SeatShare, apart
from bartizan.reports.text import differences, words

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


def seat(number: int) -> str:
    return ORDINALS[number] if number < len(ORDINALS) else f"seat {number + 1}"


def games(omitted: int) -> str:
    """Return a name for the games that a share counts.

    omitted: number of games without a winner, which the share ignores.
    """
    return "the games with a winner" if omitted else "the games"


def sentence(seats: Sequence[SeatShare], omitted: int) -> str:
    """Return the difference between seats as a clause without a full stop. omitted: as for `games`.

    For example: `the first of 4 seats wins 27 % of the games, 2.1 percentage points (1.0 to 3.2) more than an
    equal share`. If no seat differs significantly from an equal share, the clause states this.
    """
    found = apart(seats)
    if not found:
        most = furthest(seats)
        those = games(omitted) if omitted else "these games"
        return f"{those} do not show a difference between seats: at most {most} from an equal share"
    return f"{short_sentence(seats)} of {games(omitted)}, {from_equal(found[0])}"


def each_alone(seats: Sequence[SeatShare]) -> str:
    """Return a note if only the single intervals, and not the simultaneous ones, exclude an equal share.

    Otherwise, returns "".
    """
    excludes = any(not share.advantage.low <= 0 <= share.advantage.high for share in seats)
    note = "Each interval is for one seat alone; all together do not show a difference."
    return note if excludes and not apart(seats) else ""


def short_sentence(seats: Sequence[SeatShare]) -> str:
    """Return the win share of the seat that differs most from an equal share, as a clause.

    For example: `the first of 4 seats wins 27 %`. Raises IndexError if no seat differs significantly.
    """
    share = apart(seats)[0]
    return f"the {seat(share.seat)} of {len(seats)} seats wins {words.share(share.share)}"


def from_equal(share: SeatShare) -> str:
    """Return a difference such as `1.1 percentage points (0.0 to 2.1) less than an equal share`."""
    way = "more" if share.finding == ADVANTAGE else "less"
    return f"{differences.size(share.joint)} {way} than an equal share"


def furthest(seats: Sequence[SeatShare]) -> str:
    """Return the greatest distance of any seat's limits from an equal share, in percentage points.

    Of two seats, only the first counts, because they mirror each other.
    """
    joints = [share.joint for share in (seats[:1] if len(seats) == 2 else seats)]
    joint = max(joints, key=lambda joint: max(abs(joint.low), abs(joint.high)))
    most = max(abs(joint.low), abs(joint.high)) * 100
    return differences.points(words.number(most, words.digits_for(joint.half_width * 100)))
