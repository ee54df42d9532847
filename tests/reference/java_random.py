"""Java's generator of random numbers, as its documentation defines it.

With it the shuffles behind Weka's outputs can be made again.
"""

from __future__ import annotations

from typing import Any

MASK = (1 << 48) - 1
MULTIPLIER = 0x5DEECE66D


class JavaRandom:
    """The linear congruential generator of `java.util.Random`."""

    def __init__(self, seed: int) -> None:
        self.state = (seed ^ MULTIPLIER) & MASK

    def bits(self, n_bits: int) -> int:
        """Return the highest bits of the next state."""
        self.state = (self.state * MULTIPLIER + 0xB) & MASK
        return self.state >> (48 - n_bits)

    def below(self, bound: int) -> int:
        """Return a number from 0 to `bound` - 1, as `nextInt(bound)` does."""
        if bound & (bound - 1) == 0:
            return (bound * self.bits(31)) >> 31
        while True:
            bits = self.bits(31)
            if bits - bits % bound + bound - 1 < 1 << 31:
                return bits % bound

    def shuffle(self, items: list[Any]) -> None:
        """Shuffle a list in place from its end, as Weka shuffles rows."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]
