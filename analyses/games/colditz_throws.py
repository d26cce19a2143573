"""What are the odds of a throw in Escape from Colditz? Exact chances, and simulated ones beside them that
check the engine's dice.

Exact: simcore/kit/dice.py, chains of doubles followed until what is left weighs less than 1e-18. Chances are
fractions of 1, distances steps. `cap`: at most that many rolls a throw, None: a double is always rolled again
(ruling Q2).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from bartizan.analyses.statistics.intervals import Interval, proportion
from bartizan.simcore.errors import UsageError
from bartizan.simcore.kit.dice import at_least, shot_distribution, throw_distribution, total_distribution

ANY = "any"  # key of a Do or Die card drawn blind


@dataclass(frozen=True)
class StakeOdds:
    """Chances by case ("3" to "7" and "any" for Do or Die cards; one case for everything else)."""

    cap: int | None
    exact: dict[str, float]
    simulated: dict[str, Interval]
    attempts: int  # simulated, for each case


def reach(distance: int, n_throws: int, cap: int | None = None, sides: int = 6) -> float:
    """Chance that n throws add up to the distance or more."""
    return _tail(total_distribution(throw_distribution(sides, cap), n_throws), distance)


def do_or_die(
    distance: int, cards: Iterable[int], cap: int | None = None, sides: int = 6
) -> dict[str, float]:
    """5.4: chance of success by card (its number of throws), and under ANY of a card drawn blind."""
    cards = list(cards)
    by_card = {n: reach(distance, n, cap, sides) for n in sorted(set(cards))}
    return {str(n): chance for n, chance in by_card.items()} | {
        ANY: sum(by_card[n] for n in cards) / len(cards)
    }


def appel(distance: int, cap: int | None = None, sides: int = 6) -> float:
    """9.1: chance that the range of an Appel, one throw, is the distance or more."""
    return reach(distance, 1, cap, sides)


def shoot_to_kill(distance: int, talisman: bool = False, cap: int | None = None, sides: int = 6) -> float:
    """9.4: the same of a shot, whose first roll counts twice; with a Talisman (9.12) it is one throw."""
    return appel(distance, cap, sides) if talisman else _tail(shot_distribution(sides, cap), distance)


def _tail(distribution: np.ndarray, distance: int) -> float:
    # a sum of many floats may end a hair above 1
    return min(float(at_least(distribution, distance + 1)[distance]), 1.0)


# ---------------------------------------------------------------- beside a simulation


def do_or_die_odds(
    tables: np.ndarray,
    distance: int,
    cap: int | None,
    attempts: int,
    seed: int,
    only: Iterable[int] | None = None,
) -> StakeOdds:
    """`tables`: the engine's, of which dice and cards are read; their cap gives way to `cap`.

    `only`: these cards. Raises UsageError for others.
    """
    from bartizan.simcore.colditz.odds import ANY_CARD, simulate_totals

    tables = _capped(tables, cap)
    cards = tables["stake_cards"][0, : int(tables["n_stakes"][0])].tolist()
    exact = do_or_die(distance, cards, cap, _sides(tables))
    if only:
        for card in only:
            if str(card) not in exact:
                raise UsageError(
                    f"--card {card}: no Do or Die card gives so many throws; there is: "
                    f"{', '.join(case for case in exact if case != ANY)}"
                )
        exact = {str(card): exact[str(card)] for card in only}

    def totals_of(case: str, first: int) -> np.ndarray:
        return simulate_totals(tables, ANY_CARD if case == ANY else int(case), attempts, seed, first)

    return _odds(exact, totals_of, distance, cap, attempts)


def throws_odds(
    tables: np.ndarray, case: str, distance: int, n_throws: int, cap: int | None, attempts: int, seed: int
) -> StakeOdds:
    """n throws against a distance: the Staff Car (9.11), an Appel's range (one throw)."""
    from bartizan.simcore.colditz.odds import simulate_totals

    tables = _capped(tables, cap)
    exact = {case: reach(distance, n_throws, cap, _sides(tables))}

    def totals_of(_: str, first: int) -> np.ndarray:
        return simulate_totals(tables, n_throws, attempts, seed, first)

    return _odds(exact, totals_of, distance, cap, attempts)


def shot_odds(
    tables: np.ndarray, case: str, distance: int, talisman: bool, cap: int | None, attempts: int, seed: int
) -> StakeOdds:
    """A Shoot to Kill against a distance."""
    from bartizan.simcore.colditz.odds import simulate_ranges

    tables = _capped(tables, cap)

    def ranges_of(_: str, first: int) -> np.ndarray:
        totals, first_rolls = simulate_ranges(tables, attempts, seed, first)
        return totals if talisman else totals + first_rolls

    exact = {case: shoot_to_kill(distance, talisman, cap, _sides(tables))}
    return _odds(exact, ranges_of, distance, cap, attempts)


def _odds(
    exact: dict[str, float],
    totals_of: Callable[[str, int], np.ndarray],
    distance: int,
    cap: int | None,
    attempts: int,
) -> StakeOdds:
    """Beside each exact chance the share of attempts that reach the distance.

    totals_of(case, first): int64 [attempts] with luck from number `first` on.
    """
    simulated = {
        case: proportion(int((totals_of(case, index * attempts) >= distance).sum()), attempts)
        for index, case in enumerate(exact)
    }
    return StakeOdds(cap, exact, simulated, attempts)


def _capped(tables: np.ndarray, cap: int | None) -> np.ndarray:
    tables = tables.copy()
    tables["roll_cap"] = cap or 0
    return tables


def _sides(tables: np.ndarray) -> int:
    return int(tables["die_sides"][0])
