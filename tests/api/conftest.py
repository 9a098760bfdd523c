"""Nothing of the product stands in Redis but what a test puts there."""

from tests.cast import own_cache

__all__ = ["own_cache"]
