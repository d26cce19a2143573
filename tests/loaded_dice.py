"""Loaded dice: words of a luck stream after which its dice show the faces a test wants."""

from functools import cache

import numpy as np

from bartizan.simcore import rng

LARGEST, LAST = 1 << 20, 1 << 28  # words tried at a time; of all


@cache
def word_for(faces: tuple[int, ...], sides: int = 6) -> np.uint64:
    """The first stream word, counting from 1, after which dice of so many sides (1 ..) show these faces (found by trying)."""
    block = min(8 * sides ** len(faces), LARGEST)
    for start in range(1, LAST, block):
        words = np.arange(start, start + block, dtype=np.uint64)
        for i, face in enumerate(faces, 1):
            words = words[faces_after(words, i, sides) == face]
        if len(words):
            return words[0]
    raise AssertionError(f"no word shows {faces}")


def faces_after(words: np.ndarray, i: int, sides: int = 6) -> np.ndarray:
    """What the i-th die (1 ..) thrown from each of these stream words shows."""
    with np.errstate(over="ignore"):
        z = words + np.uint64(i) * rng.GOLDEN
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z ^= z >> np.uint64(31)
    return ((z >> np.uint64(32)) * np.uint64(sides) >> np.uint64(32)) + np.uint64(1)
