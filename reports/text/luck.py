"""The luck-adjusted win rate: the part of a run's document, and what the terminal says of it."""

from collections.abc import Iterator

from bartizan.analyses.experiments.luck_adjustment import Adjusted, Guess, LuckAdjusted
from bartizan.analyses.experiments.luck_difference import AdjustedDifference
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.text import differences, words

NOTHING_SHOWN = "the game shows nothing that a guess at the winner could look at (see docs/luck.md)"


def document(found: LuckAdjusted, roles: tuple[str, ...], seconds_raw: float | None = None) -> dict:
    """Key `luck_adjusted` of `run --json`: the first seat's numbers, and each seat's where there are several.

    `seconds_raw`: how long the plain games took.
    """
    per_second = (
        seconds_raw and found.seconds and found.seats[0].multiplier.estimate * seconds_raw / found.seconds
    )
    return {
        **_seat(found.seats[0]),
        "samples": found.samples,
        "pilot": _pilot(found.guess),
        "seconds": found.seconds,
        "multiplier_per_second": per_second or None,
        **(
            {
                "seats": [
                    {"seat": seat, "role": roles[seat], **_seat(it)} for seat, it in enumerate(found.seats)
                ]
            }
            if len(found.seats) > 1
            else {}
        ),
    }


def _pilot(guess: Guess) -> dict:
    return {
        "seed": guess.seed,
        "games": guess.games,
        "r2": guess.r2,
        "numbers": guess.numbers,
        "shares": list(guess.shares),
    }


def _seat(it: Adjusted) -> dict:
    raw = {f"raw_{key}": value for key, value in it.raw.to_dict().items()}
    worth = {
        "effective_games": it.effective_games,
        "multiplier": it.multiplier.estimate,
        "multiplier_interval": it.multiplier.to_dict(),
    }
    return {**it.estimate.to_dict(), **raw, "games": it.games, **worth}


def difference(found: AdjustedDifference) -> dict:
    """Key `luck_adjusted` of `compare --json`."""
    pilots = [_pilot(guess) for guess in found.guesses]
    return {
        "difference": found.difference.to_dict(),
        "pairing_factor": found.factor,
        "n": found.games,
        "samples": found.samples,
        "pilots": pilots,
    }


def difference_line(d: dict) -> str:
    """What `compare` says of it."""
    if not any(pilot["numbers"] for pilot in d["pilots"]):
        return f"without the luck: {NOTHING_SHOWN}"
    it, factor = d["difference"], d["pairing_factor"]
    estimate, limits = words.change(Interval(**it), 100, least=1)
    points = f"{differences.points(estimate)} ({limits}, {words.level(it['level'])} {it['method']})"
    worth = (
        ""
        if factor is None
        else f"; pairing factor {factor:.1f}: without common luck and adjustment it would take {factor:.1f} "
        "times as many games"
    )
    return f"without the luck: {points}{worth}"


def lines(d: dict) -> Iterator[str]:
    """Raw and adjusted, one under the other; then what it was worth."""
    for seat in d.get("seats", [d]):
        who = f"{seat['role']}: " if "role" in seat else ""
        yield f"  raw      {who}{_rate(seat, 'raw_')}"
        yield (
            f"  adjusted {who}{_rate(seat)}; each game worth {seat['multiplier']:.2f} "
            f"({seat['multiplier_interval']['low']:.2f} to {seat['multiplier_interval']['high']:.2f})"
        )
    pilot = d["pilot"]
    if not pilot["numbers"]:
        yield f"  luck     {NOTHING_SHOWN}"
        return
    yield (
        f"  luck     taken out by a guess at the winner from {pilot['numbers']} numbers, fitted on "
        f"{words.count(pilot['games'])} pilot games "
        f"(seed {pilot['seed']}, R2 {pilot['r2']:.2f} on held-out ones) and frozen; {d['samples']} outcomes "
        "of each chance event; "
        f"taken off: {' and '.join(words.percent(share, 0) for share in pilot['shares'])} of it"
    )
    yield (
        f"  worth    {words.count(round(d['effective_games']))} games for "
        f"{words.count(d['games'])}{_speed(d)}"
    )


def _rate(it: dict, prefix: str = "") -> str:
    estimate, low, high, level, method = (
        it[f"{prefix}{key}"] for key in ("estimate", "low", "high", "level", "method")
    )
    told, *limits = (words.percent(share, 2) for share in (estimate, low, high))
    return f"{told} ({' to '.join(limits)}, {words.level(level)} {method})"


def _speed(d: dict) -> str:
    """Is it worth the time? Below 1 more plain games are the better buy."""
    gain = d.get("multiplier_per_second")  # a kept answer leaves out what the clock said
    if gain is None:
        return ""
    verdict = "cheaper than more games" if gain > 1 else "more games would be the cheaper way"
    return f"; a second of it is worth {gain:.2f} seconds of plain games, pilot left out: {verdict}"
