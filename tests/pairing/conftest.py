"""The cast."""

from tests.cast import cast, own_cache

__all__ = ["cast", "own_cache"]
