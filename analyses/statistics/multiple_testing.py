"""Many comparisons at once: p-values adjusted for having looked at all of them."""

from collections.abc import Sequence


def holm(p: Sequence[float]) -> list[float]:
    """Each p adjusted so that with probability 1 - alpha none of the claims below alpha is a false one (Holm
    1979, Scandinavian Journal of Statistics 6).
    """
    order = sorted(range(len(p)), key=p.__getitem__)
    adjusted, least = [1.0] * len(p), 0.0
    for rank, index in enumerate(order):
        least = max(least, min(p[index] * (len(p) - rank), 1.0))
        adjusted[index] = least
    return adjusted
