"""Seeds of the games of a live engine."""

SEED_BITS = 31  # a positive integer in every language
MASK = (1 << SEED_BITS) - 1
# odd factor, shift: each round is a bijection
ROUNDS = ((0x7FEB352D, 15), (0x046CA68B, 16), (0x2C1B3C6D, 13))


def seed_of(seed: int, game: int) -> int:
    """Return the seed of one game, from 0 to 2^31 - 1.

    The seeds of games of one run differ if their numbers differ by less than 2^31.
    """
    mixed = (game + seed * 0x9E3779B1 + (seed >> SEED_BITS)) & MASK
    for factor, shift in ROUNDS:
        mixed ^= mixed >> shift
        mixed = mixed * factor & MASK
    return mixed ^ mixed >> 15
