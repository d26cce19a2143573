"""simcore.rng again, in plain integers, for the naive twins: the luck is the house's, the rules are what they check."""

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def mix(z: int) -> int:
    z &= MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


class Luck:
    """One independent stream of numbers per purpose."""

    def __init__(self, seed: int, game: int) -> None:
        key = mix(mix(seed + GOLDEN) + (game + 1) * GOLDEN)
        self.base = [mix(key + (p + 1) * GOLDEN) for p in range(8)]
        self.word = list(self.base)

    def rekey(self, purpose: int, i: int) -> None:
        self.word[purpose] = mix(self.base[purpose] + (i + 1) * GOLDEN)

    def next(self, purpose: int) -> int:
        self.word[purpose] = (self.word[purpose] + GOLDEN) & MASK
        return mix(self.word[purpose])

    def below(self, purpose: int, n: int) -> int:
        """0 .. n-1"""
        return ((self.next(purpose) >> 32) * n) >> 32

    def shuffle(self, purpose: int, cards: list) -> None:
        """Fisher-Yates from the end. Modifies `cards`."""
        for i in range(len(cards) - 1, 0, -1):
            j = self.below(purpose, i + 1)
            cards[i], cards[j] = cards[j], cards[i]

    def keyed_shuffle(self, purpose: int, i: int, cards: list, tags: list[int]) -> None:
        """The i-th shuffle, by words: each copy of a card has its own, made of the card's tag; smallest first. Modifies `cards`."""
        base = mix(self.base[purpose] + (i + 1) * GOLDEN)
        words = []
        for card in set(cards):
            first = mix(base + tags[card])
            words += [(mix(first + (copy + 1) * GOLDEN), card) for copy in range(cards.count(card))]
        cards[:] = [card for _, card in sorted(words)]
