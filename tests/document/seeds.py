"""The one place where this folder's random tests get their seed.

FLINT_SEED in the environment overrides it. Every failure prints the seed and the case's number,
so `FLINT_SEED=… pytest …` repeats it.
"""

import os
import random
from collections.abc import Iterator

SEED = int(os.environ.get("FLINT_SEED", "20260"))


def cases(name: str, count: int) -> Iterator[tuple[str, random.Random]]:
    """Yield a label to print and a random source of its own for each case."""
    for number in range(count):
        yield f"FLINT_SEED={SEED} case {name}/{number}", random.Random(f"{SEED}/{name}/{number}")
